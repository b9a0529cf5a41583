//! Machine parts that nearly touch: are normals and depths those of the solids?
//!
//! A pose is drawn so that two parts are apart or overlap by 1e-10 to 1e-4 m, by sphere tracing on sampled distances and one step on
//! the gap that is reported. Every contact (point c, normal n from b into a, gap h) is then held against samples of both
//! surfaces within a ball around c. With f(t) the least sampled signed distance once a is moved by t n,
//! ```text
//!     inverted      f(e) <= f(-e)                    e twice the greatest gap of the campaign
//!     false depth   h < 0 and -h > 2 max(0, -f(0)) + rounding of the samples, and no solid holds nine tenths of the line of that depth
//!     missed        no contact as deep as half the deepest sample, or none as near as the nearest
//! ```
//! The last of a false depth because edges sharper than 60 degrees are deeper along n than twice their distance from each other's surface: two wedges with
//! half angle α that overlap by d along n are sin α d inside each other. With p = c + n h / 2 in a and p + t n inside b for 0 < t < 0.9 |h|, no motion of
//! a along n by less than 0.9 |h| parts the two, whatever else they meet on that way: the depth is proven (`held`), and counted as *steep*.
//!
//! The oracle (`oracle`) shares no code with the crate.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of samples and cells, small and positive"
)]

pub(crate) mod oracle;
mod pairs;
pub(crate) mod parts;

pub(crate) use pairs::pairs;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry, Shape};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use oracle::{Field, sample};
use parts::Part;

pub(crate) type Vec3 = Vector3<f64>;
type Pose = Isometry3<f64>;

/// Metres: the greatest gap or overlap drawn.
const GREATEST: f64 = 1e-4;
/// Metres: radius of the ball around a contact in which it is judged.
const BALL: f64 = 6e-4;
/// Metres: how far apart samples are in the ball; on edges a fifth of that.
const SPACING: f64 = 2e-4;
/// Metres: how near contacts are asked for.
const MARGIN: f64 = 2e-4;
/// Metres: what samples of this spacing may miss of a depth, where edges cross with slopes of up to 0.1.
const COARSE: f64 = 4e-6;

/// splitmix64.
pub(crate) struct Draw(pub u64);

impl Draw {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    fn vector(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    fn turn(&mut self, most: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector() * self.range(0.0, most))
    }
}

/// How a pair is put together before it is brought near.
#[derive(Debug, Clone, Copy)]
enum Mating {
    /// A nut on a screw of this pitch, with this clearance.
    Thread { pitch: f64, nut: f64, screw: f64, clearance: f64 },
    /// Two gears at this distance, with this many teeth each.
    Gears { distance: f64, teeth: [usize; 2], helix: f64 },
    /// Saddles face to face.
    Saddles,
    /// Anyhow.
    Loose { reach: f64 },
}

/// Two parts, and what is needed to judge them.
pub(crate) struct Pair {
    pub name: &'static str,
    geometry: Geometry,
    fields: [Field; 2],
    samples: [Vec<Vec3>; 2],
    mating: Mating,
}

impl Pair {
    fn new(name: &'static str, a: &Part, b: &Part, mating: Mating) -> Self {
        let mut geometry = Geometry::new();
        for (body, part) in [a, b].into_iter().enumerate() {
            let (shape, report) = Shape::mesh(&part.vertices, &part.triangles).expect("a sound mesh");
            assert!(report.closed && report.flipped == 0 && report.pieces == 1, "{name}: {report}");
            geometry.add(Collider::new(shape, body));
        }
        // metres: what the judge asks for
        let fields = [a, b].map(|p| Field::new(p, BALL));
        let samples = [0, 1].map(|k| {
            let mut all = Vec::new();
            fields[k].triangles.iter().for_each(|t| sample(t, 8e-4, 2.0, |_| true, &mut all));
            all
        });
        Self { name, geometry, fields, samples, mating }
    }

    /// The least sampled signed distance with a at a pose in b's frame.
    fn apart(&self, x: &Pose) -> f64 {
        self.apart_by(&self.samples, x)
    }

    fn apart_by(&self, samples: &[Vec<Vec3>; 2], x: &Pose) -> f64 {
        let [a, b] = &self.fields;
        let back = x.inverse();
        let least = |to: &Field, m: &Pose, of: &[Vec3], f: f64| {
            of.iter().fold(f, |f, p| to.lower(f, &(m * nalgebra::Point3::from(*p)).coords))
        };
        least(a, &back, &samples[1], least(b, x, &samples[0], f64::INFINITY))
    }

    /// The samples that have the other part within reach.
    fn close(&self, x: &Pose) -> [Vec<Vec3>; 2] {
        let back = x.inverse();
        [(0, x), (1, &back)].map(|(k, m)| {
            let other = &self.fields[1 - k];
            let near = |p: &&Vec3| other.signed(&(m * nalgebra::Point3::from(**p)).coords) < other.reach;
            self.samples[k].iter().filter(near).copied().collect()
        })
    }

    /// A pose of a in b's frame from which it may be moved along the direction.
    fn start(&self, draw: &mut Draw) -> (Pose, Vec3) {
        match self.mating {
            Mating::Thread { pitch, nut, screw, clearance } => {
                let angle = draw.range(-3.0, 3.0);
                let z = draw.range(0.1, 0.9) * (screw - nut);
                let turns = (z / pitch).round() + angle / std::f64::consts::TAU;
                let tilt = UnitQuaternion::from_scaled_axis(
                    Vec3::new(draw.range(-1.0, 1.0), draw.range(-1.0, 1.0), 0.0) * (0.3 * clearance / nut),
                );
                let turn = tilt * UnitQuaternion::from_scaled_axis(Vec3::z() * angle);
                let at = Vec3::z() * (turns * pitch);
                let way = match (draw.unit() * 4.0) as usize {
                    0 => Vec3::z(),
                    1 => -Vec3::z(),
                    2 => Vec3::new(draw.range(-1.0, 1.0), draw.range(-1.0, 1.0), 0.0).normalize(),
                    _ => draw.vector(),
                };
                (Pose::from_parts(Translation3::from(at), turn), way)
            }
            Mating::Gears { distance, teeth, helix } => {
                let angle = draw.range(-3.0, 3.0);
                let [n, m] = teeth.map(|t| t as f64);
                // the second stands with a tooth in the gap of the first
                let other = std::f64::consts::PI * (1.0 + 1.0 / m) - angle * n / m;
                let most = if draw.unit() < 0.5 { 0.0 } else { 2e-3 + helix * 1e-3 };
                let tilt = draw.turn(most);
                let b = Pose::from_parts(
                    Translation3::new(distance, 0.0, 0.0),
                    UnitQuaternion::from_scaled_axis(Vec3::z() * other),
                );
                let a = Pose::from_parts(
                    Translation3::identity(),
                    tilt * UnitQuaternion::from_scaled_axis(Vec3::z() * angle),
                );
                let way = Vec3::new(draw.range(-0.3, 0.3), draw.range(-1.0, 1.0), 0.0).normalize();
                (b.inverse() * a, b.rotation.inverse() * way)
            }
            Mating::Saddles => {
                let yaw = if draw.unit() < 0.3 { 0.0 } else { draw.range(-0.6, 0.6) };
                let most = if draw.unit() < 0.3 { 0.0 } else { 0.2 };
                let tilt = draw.turn(most);
                let turn = tilt
                    * UnitQuaternion::from_scaled_axis(Vec3::z() * yaw)
                    * UnitQuaternion::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
                let aside = if draw.unit() < 0.2 { 0.0 } else { 4e-3 };
                let at = Vec3::new(draw.range(-aside, aside), draw.range(-aside, aside), 0.02);
                (Pose::from_parts(Translation3::from(at), turn), -Vec3::z())
            }
            Mating::Loose { reach } => {
                let way = draw.vector();
                let at = -way * (2.0 * reach) + draw.vector() * (0.8 * reach);
                (Pose::from_parts(Translation3::from(at), draw.turn(3.1)), way)
            }
        }
    }

    /// A pose of a in b's frame with about the gap asked for.
    fn bring(&self, gap: f64, draw: &mut Draw, asked: &mut Asked) -> Option<Pose> {
        let (mut x, way) = self.start(draw);
        let mut travelled = 0.0;
        let mut close: Option<[Vec<Vec3>; 2]> = None;
        for _ in 0..200 {
            let f = close.as_ref().map_or_else(|| self.apart(&x), |c| self.apart_by(c, &x));
            if f < 0.5 * self.fields[0].reach && close.is_none() {
                close = Some(self.close(&x));
            }
            if f < -2.0 * GREATEST && travelled == 0.0 {
                return None;
            }
            // distances change by no more than the motion, so nothing is passed over
            let step = if f >= self.fields[0].reach { 0.9 * f } else { f - gap.max(-GREATEST) };
            if step.abs() < 1e-7 {
                break;
            }
            x.translation.vector += way * step;
            travelled += step.abs();
            if travelled > 0.08 {
                return None;
            }
        }
        let least = |x: &Pose, asked: &mut Asked| {
            let found = asked.contacts(self, x, &Pose::identity());
            found.iter().map(|c| (c.gap, c.normal)).min_by(|p, q| p.0.total_cmp(&q.0))
        };
        for _ in 0..3 {
            if let Some((g, n)) = least(&x, asked)
                && n.dot(&way).abs() > 0.1
                && (g - gap).abs() < 3e-5
            {
                x.translation.vector += way * ((gap - g) / n.dot(&way));
            }
        }
        // a start in the midst of the other part leads nowhere
        ((self.apart(&x) - gap).abs() < 0.5 * GREATEST).then_some(x)
    }
}

/// The crate, asked.
#[derive(Default)]
pub(crate) struct Asked {
    ws: CollisionWorkspace,
    out: Vec<ContactPoint>,
}

impl Asked {
    fn contacts(&mut self, pair: &Pair, a: &Pose, b: &Pose) -> &[ContactPoint] {
        self.ws.contacts(&pair.geometry, &[*a, *b], MARGIN, &mut self.out);
        &self.out
    }
}

/// What was found wrong with one pose or with all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub poses: usize,
    pub contacts: usize,
    pub inverted: usize,
    pub false_depth: usize,
    pub missed: usize,
    /// Deeper along n than twice the sampled distance, and proven.
    pub steep: usize,
    /// Metres: the greatest depth beyond what the samples have.
    pub worst: f64,
}

impl Tally {
    pub(crate) fn bad(&self) -> usize {
        self.inverted + self.false_depth + self.missed
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.poses += other.poses;
        self.contacts += other.contacts;
        self.inverted += other.inverted;
        self.false_depth += other.false_depth;
        self.missed += other.missed;
        self.steep += other.steep;
        self.worst = self.worst.max(other.worst);
    }
}

/// The local separation f(t) of the head.
fn local<const N: usize>(pair: &Pair, x: &Pose, c: &Vec3, n: &Vec3, t: [f64; N]) -> [f64; N] {
    let [a, b] = &pair.fields;
    let back = x.inverse();
    let at = |m: &Pose, p: &Vec3| (m * nalgebra::Point3::from(*p)).coords;
    let c_a = at(&back, c);
    let (mut on_a, mut on_b) = (Vec::new(), Vec::new());
    for &(_, t) in a.near(&c_a) {
        sample(&a.triangles[t as usize], SPACING, 5.0, |p| (p - c_a).norm() < BALL, &mut on_a);
    }
    for &(_, t) in b.near(c) {
        sample(&b.triangles[t as usize], SPACING, 5.0, |p| (p - c).norm() < BALL, &mut on_b);
    }
    t.map(|t| {
        let f = on_a.iter().fold(f64::INFINITY, |f, p| b.lower(f, &(at(x, p) + n * t)));
        on_b.iter().fold(f, |f, p| a.lower(f, &at(&back, &(p - n * t))))
    })
}

/// Whether one solid holds nine tenths of the line of a depth along n through c that begins in the other.
fn held(pair: &Pair, x: &Pose, c: &Vec3, n: &Vec3, depth: f64) -> bool {
    let [a, b] = &pair.fields;
    let back = x.inverse();
    let in_a = |p: &Vec3| (back * nalgebra::Point3::from(*p)).coords;
    let (p, q) = (c - n * (0.5 * depth), c + n * (0.5 * depth));
    // metres, beside the line, which may lie in a wall: little beside the depths in question
    let aside = 1e-7;
    let t1 = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
    let t2 = n.cross(&t1);
    let lines = [t1 * 0.8 + t2 * 0.6, t2 * 0.8 - t1 * 0.6, -t1 * 0.8 - t2 * 0.6, t1 * 0.6 - t2 * 0.8];
    let begins = |d: f64| d < 2.0 * aside;
    let through_b = begins(a.signed(&in_a(&p)));
    let through_a = begins(b.signed(&q));
    lines.iter().any(|l| {
        let mut steps = (1..=18).map(|k| l * aside + n * (0.05 * f64::from(k) * depth));
        through_b && steps.clone().all(|s| b.inside(&(p + s)))
            || through_a && steps.all(|s| a.inside(&in_a(&(q - s))))
    })
}

/// Draws pose number `index` of a pair and judges its contacts; tells of each finding.
pub(crate) fn judge(pair: &Pair, index: u64, asked: &mut Asked, mut tell: impl FnMut(String)) -> Tally {
    let mut draw = Draw(index.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut tally = Tally::default();
    let size = 10_f64.powf(draw.range(-10.0, -4.0));
    let gap = if draw.unit() < 0.5 { -size } else { size };
    let Some(x) = (0..20).find_map(|_| pair.bring(gap, &mut draw, asked)) else { return tally };
    tally.poses = 1;
    // anywhere in the world
    let world = Pose::from_parts(Translation3::from(draw.vector() * 0.3), draw.turn(3.0));
    let found: Vec<ContactPoint> = asked.contacts(pair, &(world * x), &world).to_vec();
    tally.contacts = found.len();
    let least = pair.apart(&x);
    let deepest = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    let mut wrong = |what: &str, c: Option<&ContactPoint>, f: &[f64]| {
        tell(format!(
            "{} pose {index}: {what}; gap drawn {gap:.3e}, sampled {least:.3e}, reported {deepest:.3e}; {c:?} {f:?}",
            pair.name
        ));
    };
    if least < 0.9 * MARGIN && deepest > least.max(0.5 * least) + COARSE {
        tally.missed += 1;
        wrong("missed", None, &[]);
    }
    for c in &found {
        let point = world.inverse_transform_point(&nalgebra::Point3::from(c.point)).coords;
        let normal = world.inverse_transform_vector(&c.normal);
        let f = local(pair, &x, &point, &normal, [0.0, 2.0 * GREATEST, -2.0 * GREATEST]);
        if f[1] <= f[2] {
            tally.inverted += 1;
            wrong("inverted normal", Some(c), &f);
        }
        let excess = -c.gap - 2.0 * (-f[0]).max(0.0);
        if c.gap < 0.0 && excess > COARSE {
            if held(pair, &x, &point, &normal, -c.gap) {
                tally.steep += 1;
            } else {
                tally.false_depth += 1;
                tally.worst = tally.worst.max(excess);
                wrong("false depth", Some(c), &f);
            }
        }
    }
    tally
}

//! Lloyd's contact situations as friction problems: bodies at rest, points where they touch, a wrench on the last one
//! [Lloyd, §5.4].
//!
//! The situations that Lloyd does not name are chosen so that the counts of contacts are spread evenly. The same scenes
//! serve the tests of the solvers; a test holds the two together.

use std::f64::consts::TAU;

use gudgeon_lcp::{Contact, FrictionProblem, GlobalForm, Row};

type Vec3 = [f64; 3];
type Mat3 = [[f64; 3]; 3];

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(f: f64, a: Vec3) -> Vec3 {
    a.map(|v| f * v)
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn mat_vec(m: &Mat3, v: Vec3) -> Vec3 {
    m.map(|row| dot(row, v))
}

fn inverse(m: &Mat3) -> Mat3 {
    let c = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let determinant = dot(m[0], c[0]);
    std::array::from_fn(|i| std::array::from_fn(|j| c[j][i] / determinant))
}

fn diagonal(d: Vec3) -> Mat3 {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] } else { 0.0 }))
}

/// Two unit vectors that make a right-handed frame with the normal, from the axis it has least of.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let least = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).expect("three axes");
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let along = sub(axis, scale(dot(axis, normal), normal));
    let t1 = scale(1.0 / dot(along, along).sqrt(), along);
    [t1, cross(normal, t1)]
}

/// Random numbers that never change: xoshiro256++ with its state filled by splitmix64.
#[derive(Debug, Clone)]
pub(super) struct Rng([u64; 4]);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self(std::array::from_fn(|_| {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = counter;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// In [lo, hi).
    pub(super) fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64))
    }

    /// A random order of 0 .. n.
    pub(super) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            let j = (u128::from(self.bits()) * (i as u128 + 1)) >> 64;
            order.swap(i, usize::try_from(j).expect("at most i"));
        }
        order
    }
}

/// A free body at rest, in world axes.
#[derive(Debug, Clone)]
pub(super) struct Body {
    mass: f64,
    inertia: Mat3,
    position: Vec3,
    force: Vec3,
    torque: Vec3,
}

impl Body {
    fn new(mass: f64, inertia: Mat3, position: Vec3) -> Self {
        Self { mass, inertia, position, force: [0.0; 3], torque: [0.0; 3] }
    }

    fn block(half: Vec3, position: Vec3) -> Self {
        let [x, y, z] = half.map(|s| s * s);
        Self::new(1.0, diagonal([y + z, z + x, x + y].map(|s| s / 3.0)), position)
    }

    fn cylinder(radius: f64, height: f64, position: Vec3) -> Self {
        let across = (3.0 * radius * radius + height * height) / 12.0;
        Self::new(1.0, diagonal([across, across, 0.5 * radius * radius]), position)
    }
}

/// A point where body `a` touches body `b`, or the fixed world; the normal points into `a`.
#[derive(Debug, Clone, Copy)]
struct Touch {
    a: usize,
    b: Option<usize>,
    point: Vec3,
    normal: Vec3,
    mu: f64,
}

/// Bodies of 1 kg and the points where they touch.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    pub(super) name: String,
    links: Vec<Body>,
    touches: Vec<Touch>,
}

/// s, m/s².
const STEP: f64 = 1e-3;
const GRAVITY: Vec3 = [0.0, 0.0, -9.81];
const UP: Vec3 = [0.0, 0.0, 1.0];

impl Bodies {
    fn one(name: &str, body: Body, touches: impl IntoIterator<Item = (Vec3, Vec3)>) -> Self {
        let touch = |(point, normal)| Touch { a: 0, b: None, point, normal, mu: 0.25 };
        Self { name: name.to_owned(), links: vec![body], touches: touches.into_iter().map(touch).collect() }
    }

    pub(super) fn n_bodies(&self) -> usize {
        self.links.len()
    }

    pub(super) fn n_contacts(&self) -> usize {
        self.touches.len()
    }

    /// Coefficients between 0.2 and 0.3, and a wrench on the last body: force up to twice its weight, torque up to that
    /// times its radius of gyration.
    pub(super) fn pushed(&self, rng: &mut Rng) -> Self {
        let mut pushed = self.clone();
        pushed.touches.iter_mut().for_each(|t| t.mu = rng.uniform(0.2, 0.3));
        if let Some(body) = pushed.links.last_mut() {
            let trace: f64 = (0..3).map(|i| body.inertia[i][i]).sum();
            let weight = 2.0 * body.mass * 9.81;
            let gyration = (trace / (2.0 * body.mass)).sqrt();
            let mut vector = |size: f64| -> Vec3 { std::array::from_fn(|_| rng.uniform(-size, size)) };
            body.force = vector(weight);
            body.torque = vector(weight * gyration);
        }
        pushed
    }

    /// All coefficients of friction.
    pub(super) fn with_mu(mut self, mu: f64) -> Self {
        self.touches.iter_mut().for_each(|t| t.mu = mu);
        self
    }

    /// The line of action of the last body's weight moved aside by (x, y) metres.
    pub(super) fn with_line_of_action(mut self, [x, y]: [f64; 2]) -> Self {
        if let Some(body) = self.links.last_mut() {
            body.torque = cross([x, y, 0.0], scale(body.mass, GRAVITY));
        }
        self
    }

    /// A sideways force on the last body, N.
    pub(super) fn with_force(mut self, force: Vec3) -> Self {
        if let Some(body) = self.links.last_mut() {
            body.force = force;
        }
        self
    }

    /// Angular part first, six entries a body.
    fn row(&self, touch: &Touch, direction: Vec3) -> Row {
        let mut entries = Vec::with_capacity(12);
        for (body, sign) in [Some((touch.a, 1.0)), touch.b.map(|b| (b, -1.0))].into_iter().flatten() {
            let arm = cross(sub(touch.point, self.links[body].position), direction);
            let values = arm.into_iter().chain(direction).enumerate();
            entries.extend(values.filter(|(_, v)| *v != 0.0).map(|(i, v)| (6 * body + i, sign * v)));
        }
        Row::new(entries)
    }

    pub(super) fn global(&self) -> GlobalForm {
        let mut form = GlobalForm::default();
        for body in &self.links {
            let mut m = vec![0.0; 36];
            for i in 0..3 {
                for j in 0..3 {
                    m[j * 6 + i] = body.inertia[i][j];
                }
                m[(3 + i) * 7] = body.mass;
            }
            form.mass.push((6, m));
            form.free_velocity.extend(scale(STEP, mat_vec(&inverse(&body.inertia), body.torque)));
            form.free_velocity.extend((0..3).map(|i| STEP * (GRAVITY[i] + body.force[i] / body.mass)));
        }
        form.contacts = self
            .touches
            .iter()
            .map(|t| {
                let [t1, t2] = tangents(t.normal);
                Contact {
                    mu: t.mu,
                    normal: self.row(t, t.normal),
                    tangents: [self.row(t, t1), self.row(t, t2)],
                }
            })
            .collect();
        form
    }

    /// With eight-sided cones.
    pub(super) fn problem(&self) -> FrictionProblem {
        FrictionProblem::global(self.global())
            .and_then(|problem| problem.with_facets(8))
            .expect("masses are positive and numbers finite")
    }
}

/// A round peg through a hole, half of the points around each rim [Lloyd, Fig. 4].
pub(super) fn peg(contacts: usize) -> Bodies {
    let (radius, depth) = (0.05, 0.2);
    let rims = [(contacts.div_ceil(2), 0.5 * depth), (contacts / 2, -0.5 * depth)];
    let touches = rims.into_iter().flat_map(|(k, height)| {
        (0..k).map(move |i| {
            let (s, c) = (TAU * i as f64 / k as f64).sin_cos();
            ([radius * c, radius * s, height], [-c, -s, 0.0])
        })
    });
    Bodies::one(&format!("peg-{contacts}"), Body::cylinder(radius, 2.0 * depth, [0.0; 3]), touches)
}

/// A body of 1 kg, its centre of mass 0.3 m above these feet [EnzPivot, Fig. 1].
pub(super) fn frame(feet: &[[f64; 2]]) -> Bodies {
    let touches = feet.iter().map(|&[x, y]| ([x, y, 0.0], UP));
    Bodies::one("frame", Body::cylinder(0.5, 0.1, [0.0, 0.0, 0.3]), touches)
}

/// A flat face touching at the corners of a regular polygon.
pub(super) fn face(k: usize) -> Bodies {
    let feet: Vec<[f64; 2]> = (0..k)
        .map(|i| {
            let (s, c) = (TAU * i as f64 / k as f64).sin_cos();
            [0.5 * c, 0.5 * s]
        })
        .collect();
    Bodies { name: format!("face-{k}"), ..frame(&feet) }
}

fn ball(name: &str, normals: &[Vec3]) -> Bodies {
    let (radius, centre) = (0.1, [0.0, 0.0, 0.1]);
    let inertia = diagonal([0.4 * radius * radius; 3]);
    let touches = normals.iter().map(|&n| (sub(centre, scale(radius, n)), n));
    Bodies::one(name, Body::new(1.0, inertia, centre), touches)
}

/// The four corners of one side of a block, and the normal there.
fn side(half: Vec3, axis: usize, sign: f64) -> [(Vec3, Vec3); 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[a, b]| {
        let (mut p, mut n) = ([0.0; 3], [0.0; 3]);
        (p[axis], p[u], p[v]) = (sign * half[axis], a * half[u], b * half[v]);
        n[axis] = -sign;
        (p, n)
    })
}

/// The lower edge of a block turned about y.
fn edge() -> Bodies {
    let half = [0.1, 0.2, 0.05];
    let (s, c) = 0.3_f64.sin_cos();
    let turn = [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]];
    let corners = [-half[1], half[1]].map(|y| mat_vec(&turn, [half[0], y, -half[2]]));
    let height = -corners[0][2];
    let mut body = Body::block(half, [0.0, 0.0, height]);
    let about = body.inertia;
    let entry = |i: usize, j: usize| (0..3).map(|k| turn[i][k] * about[k][k] * turn[j][k]).sum();
    body.inertia =
        std::array::from_fn(|i| std::array::from_fn(|j| if i >= j { entry(i, j) } else { entry(j, i) }));
    Bodies::one("edge-on-plane", body, corners.map(|p| ([p[0], p[1], p[2] + height], UP)))
}

/// A block in a V-shaped groove of 90 degrees, five points a side at two heights.
fn groove() -> Bodies {
    let half = [0.05, 0.2, 0.05];
    let (s, c) = (TAU / 8.0).sin_cos();
    let unit = 1.0 / (c * c + s * s).sqrt();
    let touches = [-1.0, 1.0].into_iter().flat_map(|sign| {
        (0..5).map(move |i| {
            let y = half[1] * (2.0 * f64::from(i) / 4.0 - 1.0);
            let height = if i % 2 == 0 { -half[2] } else { -0.4 * half[2] };
            let point = [sign * (half[0] + (height + half[2]) * s / c), y, height];
            (point, scale(unit, [-sign * c, 0.0, s]))
        })
    });
    Bodies::one("block-in-groove", Body::block(half, [0.0; 3]), touches)
}

/// Ten single bodies with 1 to 16 contacts [Lloyd, Fig. 1, 7].
pub(super) fn situations() -> Vec<Bodies> {
    let half = [0.1, 0.15, 0.05];
    let block = |name: &str, sides: &[(usize, f64)]| {
        let touches = sides.iter().flat_map(|&(axis, sign)| side(half, axis, sign));
        Bodies::one(name, Body::block(half, [0.0; 3]), touches)
    };
    let rim: Vec<Vec3> = (0..8)
        .map(|i| TAU * f64::from(i) / 8.0)
        .map(|angle| [-0.8 * angle.cos(), -0.8 * angle.sin(), 0.6])
        .collect();
    let mut slot = block("block-in-slot", &[(2, -1.0), (0, -1.0), (0, 1.0)]);
    for x in [-half[0], half[0]] {
        slot.touches.push(Touch { point: [x, 0.0, -half[2]], normal: UP, ..slot.touches[0] });
    }
    vec![
        ball("ball-on-plane", &[UP]),
        edge(),
        ball("ball-in-corner", &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], UP]),
        block("face-on-surface", &[(2, -1.0)]),
        Bodies { name: "face-on-face".into(), ..face(6) },
        ball("ball-in-rim", &rim),
        groove(),
        block("block-in-corner", &[(0, -1.0), (1, -1.0), (2, -1.0)]),
        slot,
        Bodies { name: "peg-in-hole".into(), ..peg(16) },
    ]
}

/// Blocks and contacts of ten stacks like Lloyd's [Lloyd, Fig. 10], and of four taller ones.
pub(super) const STACKS: [(usize, usize); 14] = [
    (1, 4),
    (1, 8),
    (2, 8),
    (2, 12),
    (3, 16),
    (3, 20),
    (4, 20),
    (4, 24),
    (5, 28),
    (5, 32),
    (8, 48),
    (12, 72),
    (16, 96),
    (20, 128),
];

/// Cubes of 20 cm on each other and on a pedestal; in the uppermost layers each is turned by 45 degrees against the one
/// below, so that they touch at eight points instead of four.
pub(super) fn tower(blocks: usize, contacts: usize) -> Bodies {
    let half = 0.1;
    let turned = (contacts - 4 * blocks) / 4;
    let mut scene = Bodies { name: format!("tower-{blocks}x{contacts}"), ..Bodies::default() };
    for i in 0..blocks {
        let bottom = half * 2.0 * (i as f64 + 1.0);
        scene.links.push(Body::block([half; 3], [0.0, 0.0, bottom + half]));
        // an octagon cuts the corners of a square where its sides are √2 − 1 long
        let cut = half * (std::f64::consts::SQRT_2 - 1.0);
        let square = [[half, half], [-half, half], [-half, -half], [half, -half]];
        let octagon = [
            [half, cut],
            [cut, half],
            [-cut, half],
            [-half, cut],
            [-half, -cut],
            [-cut, -half],
            [cut, -half],
            [half, -cut],
        ];
        let points: &[[f64; 2]] = if i >= blocks - turned { &octagon } else { &square };
        let b = i.checked_sub(1);
        scene.touches.extend(points.iter().map(|&[x, y]| Touch {
            a: i,
            b,
            point: [x, y, bottom],
            normal: UP,
            mu: 0.25,
        }));
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use gudgeon_testkit::single::Situation;

    /// The same masses, free velocities and rows, contacts in any order.
    fn same(ours: &GlobalForm, theirs: &GlobalForm) {
        let close =
            |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12);
        assert!(close(&ours.free_velocity, &theirs.free_velocity));
        for (a, b) in ours.mass.iter().zip(&theirs.mass) {
            assert!(close(&a.1, &b.1));
        }
        let dense = |row: &Row| {
            let mut v = vec![0.0; ours.free_velocity.len()];
            row.entries.iter().for_each(|&(i, x)| v[i] += x);
            v
        };
        assert_eq!(ours.contacts.len(), theirs.contacts.len());
        for c in &ours.contacts {
            let found = theirs.contacts.iter().any(|d| close(&dense(&c.normal), &dense(&d.normal)));
            assert!(found, "a contact that the tests of the solvers do not have");
        }
    }

    #[test]
    fn the_scenes_are_those_of_the_solvers_tests() {
        for (ours, theirs) in situations().iter().zip(Situation::ALL) {
            assert_eq!(ours.name, theirs.name());
            same(&ours.global(), &theirs.scene().global());
        }
        for n in [8, 12, 128] {
            same(&peg(n).global(), &gudgeon_testkit::single::peg(n).global());
        }
        for (m, n) in STACKS {
            same(&tower(m, n).global(), &gudgeon_testkit::stacks::tower(m, n).global());
        }
    }

    #[test]
    fn a_push_is_that_of_the_solvers_tests() {
        let mut rng = Rng::new(1);
        let mut other = gudgeon_testkit::Rng::new(1);
        let theirs =
            gudgeon_testkit::single::peg(8).with_mu_between(0.2, 0.3, &mut other).pushed(2.0, &mut other);
        let ours = peg(8).pushed(&mut rng).global();
        same(&ours, &theirs.global());
        assert!(ours.contacts.iter().zip(&theirs.global().contacts).all(|(a, b)| a.mu == b.mu));
    }
}

//! Balls on sweeps, by the formula (`sweep`) and not by its chords.
//!
//! For a ball with its centre at (rho, alpha, zeta) in cylinder coordinates, half the squared distance to the point of a side at the
//! parameter s and the angle alpha + psi, on the turn that lifts the section by h, is
//! ```text
//!     f(s, psi) = (r² + rho² − 2 rho r cos psi + w²) / 2,      w = z + q psi + h − zeta
//! ```
//! A contact is a minimum of f (Newton's method from psi = 0 and the nearest s) inside a side, or of f(psi) at a corner whose normal cone
//! holds the direction. Every turn within reach is asked. A ball that reaches an end of the sweep, or whose centre is inside, is
//! left to the triangles.
//!
//! What triangles of a sweep find ([`correct`]) is put on the formula as well: the place is theirs, normal and gap are those of the surface
//! nearest it. The flank of a thread leans; between two stations its facet looks up to pi / segments aside, and pushes with it: nuts
//! turned up to 4 % too hard.

use crate::contact::{Raw, features};
use crate::error::count;
use crate::rigid::{Rigid, Vec3, norm2};
use crate::sweep::{SectionSide, Swept};
use crate::tolerances::{
    ALONG_EACH_OTHER, BEYOND_CHORD, CENTRE_ON_SURFACE, NEWTON_DONE, NO_LENGTH, NO_MINIMUM, ON_AXIS, ON_CORNER,
};

/// The centre of a ball in cylinder coordinates.
struct Centre {
    rho: f64,
    zeta: f64,
    /// Lift of the section at the centre's own angle, m.
    lift: f64,
}

/// Where f is least: parameter, psi, and half the squared distance.
struct Foot {
    psi: f64,
    /// Radius and height of the point, and the side's direction there.
    place: [f64; 2],
    along: [f64; 2],
    inside: bool,
}

impl Centre {
    fn height(&self, place: &[f64; 2], rise: f64, psi: f64) -> f64 {
        place[1] + rise * psi + self.lift - self.zeta
    }

    /// The minimum over a side and the turn; none where f has none nearby.
    fn on_side(&self, side: &SectionSide, rise: f64) -> Option<Foot> {
        let mut s = side.nearest([self.rho, self.zeta - self.lift]);
        let mut psi = 0.0_f64;
        let unit = match *side {
            SectionSide::Line { length, .. } => length,
            SectionSide::Arc { .. } => 1.0,
        };
        for _ in 0..30 {
            let [p, d, dd] = side.at(s);
            let (sin, cos) = psi.sin_cos();
            let w = self.height(&p, rise, psi);
            let (f_s, f_p) = (d[0] * (p[0] - self.rho * cos) + d[1] * w, self.rho * p[0] * sin + rise * w);
            let f_ss = d[0] * d[0] + d[1] * d[1] + dd[0] * (p[0] - self.rho * cos) + dd[1] * w;
            let f_sp = d[0] * self.rho * sin + d[1] * rise;
            let f_pp = self.rho * p[0] * cos + rise * rise;
            let det = f_ss * f_pp - f_sp * f_sp;
            // no minimum: the ball is flatter than the groove is deep
            if !(f_pp > 0.0 && det > NO_MINIMUM * f_pp * (d[0] * d[0] + d[1] * d[1])) {
                return None;
            }
            let ds = (f_sp * f_p - f_pp * f_s) / det;
            let dp = (f_sp * f_s - f_ss * f_p) / det;
            // halves of a radian and of a side: Newton's steps from afar are not to leave the branch
            let shorter = (0.5 * unit / ds.abs()).min(0.5 / dp.abs()).min(1.0);
            s = (s + shorter * ds).clamp(-0.25 * unit, side.end() + 0.25 * unit);
            psi += shorter * dp;
            if psi.abs() > 1.5 {
                return None;
            }
            // rounding: a few units in the last place of the parameters
            if ds.abs() <= NEWTON_DONE * unit && dp.abs() <= NEWTON_DONE {
                break;
            }
        }
        let [place, along, _] = side.at(s);
        // parts of a side: a foot on a corner belongs to the side if rounding lets it
        let slack = ON_CORNER * unit;
        Some(Foot { psi, place, along, inside: (-slack..=side.end() + slack).contains(&s) })
    }

    /// The minimum along the helix of a corner.
    fn on_corner(&self, place: [f64; 2], rise: f64) -> Option<f64> {
        let mut psi = 0.0_f64;
        for _ in 0..30 {
            let (sin, cos) = psi.sin_cos();
            let slope = self.rho * place[0] * sin + rise * self.height(&place, rise, psi);
            let bend = self.rho * place[0] * cos + rise * rise;
            if bend <= 0.0 || psi.abs() > 1.5 {
                return None;
            }
            let step = (-slope / bend).clamp(-0.5, 0.5);
            psi += step;
            if step.abs() <= NEWTON_DONE {
                break;
            }
        }
        Some(psi)
    }
}

/// Contacts of a ball with its centre at c in the sweep's frame, normals towards the centre. Answers false, and nothing, where
/// the triangles must be asked.
pub(super) fn ball(swept: &Swept, c: &Vec3, radius: f64, margin: f64, out: &mut Vec<Raw>) -> bool {
    let first = out.len();
    let done = all_turns(swept, c, radius, margin, out);
    if !done {
        out.truncate(first);
    }
    done
}

fn all_turns(swept: &Swept, c: &Vec3, radius: f64, margin: f64, out: &mut Vec<Raw>) -> bool {
    let rho = norm2(c.x, c.y);
    // metres relative to the radius: on the axis no angle is nearest
    if rho <= ON_AXIS * radius {
        return false;
    }
    let alpha = c.y.atan2(c.x).rem_euclid(std::f64::consts::TAU);
    let turns = if swept.rise == 0.0 { 0 } else { whole(swept.angle / std::f64::consts::TAU) + 1 };
    for turn in 0..=turns {
        let angle = alpha + std::f64::consts::TAU * f64::from(turn);
        let centre = Centre { rho, zeta: c.z, lift: swept.rise * angle };
        let ball = BallAt { swept, centre, angle, turn, radius, reach: radius + margin };
        if !ball.contacts(out) {
            return false;
        }
        if swept.rise == 0.0 {
            break;
        }
    }
    true
}

#[expect(clippy::cast_possible_truncation, reason = "turns are at most 1e4")]
fn whole(turns: f64) -> i32 {
    turns.ceil() as i32
}

/// A ball beside one turn of a sweep.
struct BallAt<'a> {
    swept: &'a Swept,
    centre: Centre,
    /// Radians: of the centre, with the turns before it.
    angle: f64,
    turn: i32,
    /// Metres.
    radius: f64,
    /// Metres from the centre: what is farther is no contact.
    reach: f64,
}

/// Where a ball may touch: an angle past the centre's and a place of the section, with the section's outward normal if it is on a side.
struct Touch {
    psi: f64,
    place: [f64; 2],
    out_of: Option<[f64; 2]>,
}

impl BallAt<'_> {
    fn contacts(&self, out: &mut Vec<Raw>) -> bool {
        let Self { swept, centre, turn, .. } = self;
        let n = swept.sides.len();
        for (i, side) in swept.sides.iter().enumerate() {
            if let Some(foot) = centre.on_side(side, swept.rise).filter(|f| f.inside) {
                // outwards to the right of the way along the side
                let m = norm2(foot.along[0], foot.along[1]);
                let out_of = [foot.along[1] / m, -foot.along[0] / m];
                let key = features(count(i) + 1, turn.unsigned_abs());
                let touch = Touch { psi: foot.psi, place: foot.place, out_of: Some(out_of) };
                if !self.take(&touch, key, out) {
                    return false;
                }
            }
            // the corner at the start of the side
            let before = &swept.sides[(i + n - 1) % n];
            let ([place, after, _], [_, along, _]) = (side.at(0.0), before.at(before.end()));
            if along[0] * after[1] - along[1] * after[0] <= 0.0 {
                continue;
            }
            let Some(psi) = centre.on_corner(place, swept.rise) else { continue };
            let d = [centre.rho * psi.cos() - place[0], -centre.height(&place, swept.rise, psi)];
            // the surface falls away on both sides of the corner
            let falls = |t: [f64; 2], way: f64| way * (d[0] * t[0] + d[1] * t[1]) < 0.0;
            if falls(after, 1.0) && falls(along, -1.0) {
                let key = features(count(i + n) + 1, turn.unsigned_abs());
                if !self.take(&Touch { psi, place, out_of: None }, key, out) {
                    return false;
                }
            }
        }
        true
    }

    /// A foot as a contact; false where it lies beyond an end of the sweep or the centre is inside the solid.
    fn take(&self, &Touch { psi, place, out_of }: &Touch, key: u64, out: &mut Vec<Raw>) -> bool {
        let &Self { swept, ref centre, angle, radius, reach, .. } = self;
        // in axes along and across the centre's own angle
        let (sin, cos) = psi.sin_cos();
        let d = [centre.rho - place[0] * cos, -place[0] * sin, -centre.height(&place, swept.rise, psi)];
        let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        if distance > reach {
            return true;
        }
        let at = angle + psi;
        // radians: what reaches an end within a radius is left to the triangles, which have its edges
        let border = reach / place[0];
        let open = !swept.closed && !(border..=swept.angle - border).contains(&at);
        if open {
            // wholly beyond the ends there is nothing
            return !(-border..=swept.angle + border).contains(&at);
        }
        // the section's outward normal leans by the rise; its radial and upward parts keep their signs
        let outside = out_of.is_none_or(|n| n[0] * (centre.rho * cos - place[0]) + n[1] * d[2] > 0.0);
        if !outside || distance <= CENTRE_ON_SURFACE * radius {
            return false;
        }
        let (s, c) = angle.sin_cos();
        let world = |v: [f64; 3]| Vec3::new(v[0] * c - v[1] * s, v[0] * s + v[1] * c, v[2]);
        let normal = world(d) / distance;
        let gap = distance - radius;
        let centre_at = world([centre.rho, 0.0, centre.zeta]);
        let patch = count(out.len());
        out.push(Raw { point: centre_at - normal * (radius + 0.5 * gap), normal, gap, key, patch });
        true
    }
}

/// Cosine: a facet and the surface it stands for look the same way up to this.
const ALIKE: f64 = 0.9;

/// The surface near a point of the mesh that looks along d, in the sweep's frame: how far it lies beyond the point, and its outward normal.
fn beyond(swept: &Swept, p: &Vec3, d: &Vec3) -> Option<(f64, Vec3)> {
    let rho = norm2(p.x, p.y);
    // metres: no farther from its chords than the farthest, and rounding
    let reach = 2.0 * swept.swell + BEYOND_CHORD;
    if rho <= reach {
        return None;
    }
    let alpha = p.y.atan2(p.x).rem_euclid(std::f64::consts::TAU);
    let turns = if swept.rise == 0.0 { 0 } else { whole(swept.angle / std::f64::consts::TAU) };
    let mut best: Option<(f64, f64, Vec3)> = None;
    for turn in 0..=turns {
        let angle = alpha + std::f64::consts::TAU * f64::from(turn);
        let centre = Centre { rho, zeta: p.z, lift: swept.rise * angle };
        for side in &swept.sides {
            let Some(foot) = centre.on_side(side, swept.rise) else { continue };
            let (s, c) = (angle + foot.psi).sin_cos();
            let at = Vec3::new(
                foot.place[0] * c,
                foot.place[0] * s,
                foot.place[1] + swept.rise * (angle + foot.psi),
            );
            let distance = (at - p).norm();
            if distance > reach || best.is_some_and(|b| b.0 <= distance) {
                continue;
            }
            let ([r, _], [dr, dz]) = (foot.place, foot.along);
            // along the turn (0, r, q) across along the side (r', 0, z'), in the axes at the foot
            let n = [r * dz, swept.rise * dr, -r * dr];
            let Some(n) = Vec3::new(n[0] * c - n[1] * s, n[0] * s + n[1] * c, n[2]).try_normalize(NO_LENGTH)
            else {
                continue;
            };
            if n.dot(d) >= ALIKE {
                best = Some((distance, n.dot(&(at - p)), n));
            }
        }
    }
    best.map(|b| (b.1, b.2))
}

/// A contact of triangles as one of the surfaces they are chords of: where a side of it lies on a sweep, normal and gap are the
/// formula's at that place.
pub(crate) fn correct(raw: &mut Raw, a: Option<(&Swept, &Rigid)>, b: Option<(&Swept, &Rigid)>) {
    let half = raw.normal * (0.5 * raw.gap);
    let see = |side: Option<(&Swept, &Rigid)>, p: Vec3, d: Vec3| {
        let (swept, x) = side?;
        beyond(swept, &x.inv_point(&p), &x.inv_dir(&d)).map(|(h, n)| (h, x.dir(&n)))
    };
    let of_a = see(a, raw.point + half, -raw.normal);
    let of_b = see(b, raw.point - half, raw.normal);
    let normal = match (of_a, of_b) {
        (Some((_, m)), Some((_, n))) => (n - m).try_normalize(ALONG_EACH_OTHER),
        (Some((_, m)), None) => Some(-m),
        (None, Some((_, n))) => Some(n),
        (None, None) => None,
    };
    if let Some(normal) = normal {
        raw.normal = normal;
        raw.gap -= of_a.map_or(0.0, |s| s.0) + of_b.map_or(0.0, |s| s.0);
    }
}

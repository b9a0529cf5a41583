//! A section carried round an axis: threads, races, tori, grooved tracks.
//!
//! The section is a closed polygon in the half-plane (r, z) whose sides may be arcs; carried round the z axis by the angle theta it rises by
//! q theta, q = pitch / 2 pi:
//! ```text
//!     p(s, theta) = (r(s) cos theta, r(s) sin theta, z(s) + q theta)
//! ```
//! What bulges is written as in drawings: the side after a corner is an arc over the angle 4 atan(bulge), counter-clockwise if
//! positive. A sweep is kept as a closed mesh with chords between stations, and as the formula: balls touch the formula
//! (`mesh/swept`), everything else the mesh.

mod polygon;

use std::f64::consts::TAU;

use crate::error::count;
use crate::error::{ShapeError, positive};
use crate::rigid::{Vec3, norm2};
use crate::tolerances::{NO_SECTION, ONE_CORNER, PART_OF_A_CHORD};
use polygon::{area, crosses_itself, ears};

/// Most stations times points of the section: bounds memory for hostile files.
const MOST_POINTS: usize = 500_000;
/// Most corners of a section: finding ears is quadratic.
const MOST_CORNERS: usize = 500;

/// A corner of a section and the side that follows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// Distance from the axis, m.
    pub r: f64,
    /// Height, m.
    pub z: f64,
    /// tan of a quarter of the angle of the arc to the next corner; 0 is straight.
    pub bulge: f64,
}

/// A section carried round the z axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// Corners, either way round.
    pub section: Vec<Corner>,
    /// Rise per turn, m; 0 for a ring.
    pub pitch: f64,
    /// Turns; exactly one without a rise closes up.
    pub turns: f64,
    /// Stations per turn, and how finely arcs are cut: chords turn by the same angle.
    pub segments: usize,
}

/// A side of a section: a(s) = c + l (cos s, sin s) for an arc, a + s d for a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SectionSide {
    Line { from: [f64; 2], along: [f64; 2], length: f64 },
    Arc { centre: [f64; 2], radius: f64, first: f64, turn: f64 },
}

/// The formula of a sweep, checked: sides counter-clockwise.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Swept {
    /// As it was given.
    pub source: Sweep,
    pub sides: Vec<SectionSide>,
    /// m per radian.
    pub rise: f64,
    /// Radians; a full ring closes up.
    pub angle: f64,
    pub closed: bool,
    /// Metres: how far the formula lies outside its mesh at most.
    pub swell: f64,
}

impl SectionSide {
    fn new(a: &Corner, b: &Corner) -> Self {
        let (from, to) = ([a.r, a.z], [b.r, b.z]);
        let (dr, dz) = (to[0] - from[0], to[1] - from[1]);
        let length = norm2(dr, dz);
        if a.bulge == 0.0 {
            return Self::Line { from, along: [dr / length, dz / length], length };
        }
        // the centre lies to the left of the chord for a counter-clockwise arc of less than half a turn
        let turn = 4.0 * a.bulge.atan();
        let radius = 0.5 * length / (0.5 * turn).sin().abs();
        let off = 0.5 * length / (0.5 * turn).tan();
        let centre =
            [0.5 * (from[0] + to[0]) - off * dz / length, 0.5 * (from[1] + to[1]) + off * dr / length];
        Self::Arc { centre, radius, first: (from[1] - centre[1]).atan2(from[0] - centre[0]), turn }
    }

    /// Place, first and second derivative at a parameter: metres along a line, radians from the start of an arc.
    pub(crate) fn at(&self, s: f64) -> [[f64; 2]; 3] {
        match *self {
            Self::Line { from, along, .. } => {
                [[from[0] + s * along[0], from[1] + s * along[1]], along, [0.0; 2]]
            }
            Self::Arc { centre, radius, first, turn } => {
                let way = turn.signum();
                let (sin, cos) = (first + way * s).sin_cos();
                [
                    [centre[0] + radius * cos, centre[1] + radius * sin],
                    [-way * radius * sin, way * radius * cos],
                    [-radius * cos, -radius * sin],
                ]
            }
        }
    }

    /// Where the parameter ends.
    pub(crate) fn end(&self) -> f64 {
        match *self {
            Self::Line { length, .. } => length,
            Self::Arc { turn, .. } => turn.abs(),
        }
    }

    /// The parameter nearest a place of the half-plane, within the side.
    pub(crate) fn nearest(&self, p: [f64; 2]) -> f64 {
        match *self {
            Self::Line { from, along, length } => {
                ((p[0] - from[0]) * along[0] + (p[1] - from[1]) * along[1]).clamp(0.0, length)
            }
            Self::Arc { centre, first, turn, .. } => {
                let angle = ((p[1] - centre[1]).atan2(p[0] - centre[0]) - first) * turn.signum();
                let angle = angle.rem_euclid(TAU);
                let end = turn.abs();
                // beyond the end the nearer of the two ends
                if angle <= end {
                    angle
                } else if angle - end < TAU - angle {
                    end
                } else {
                    0.0
                }
            }
        }
    }

    fn chords(&self, step: f64) -> usize {
        match *self {
            Self::Line { .. } => 1,
            // a few parts in 1e9 of a chord are not worth another
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
            Self::Arc { turn, .. } => ((turn.abs() / step - PART_OF_A_CHORD).ceil() as usize).max(2),
        }
    }
}

fn wrong(why: &'static str) -> ShapeError {
    ShapeError::Section { why }
}

impl Sweep {
    /// A ring of round section: radius of the ring and of its tube, m.
    pub fn torus(ring: f64, tube: f64, segments: usize) -> Self {
        let corner = |r: f64| Corner { r, z: 0.0, bulge: 1.0 };
        Self { section: vec![corner(ring - tube), corner(ring + tube)], pitch: 0.0, turns: 1.0, segments }
    }

    /// Sides counter-clockwise, or what is wrong with the numbers.
    pub(crate) fn check(&self) -> Result<Swept, ShapeError> {
        let limit = MOST_CORNERS;
        if self.section.len() > limit {
            return Err(ShapeError::TooMany {
                what: "corners of a section",
                count: self.section.len(),
                limit,
            });
        }
        if self.section.len() < 2 {
            return Err(wrong("has fewer than two corners"));
        }
        for c in &self.section {
            positive("distance of a corner from the axis", c.r)?;
            if !(c.z.abs() <= 1e9 && c.bulge.abs() <= 50.0) {
                return Err(wrong("has a height beyond 1e9 m or a bulge beyond 50"));
            }
        }
        if !(self.pitch.abs() <= 1e9 && self.turns > 0.0 && self.turns <= 1e4) {
            return Err(wrong("is carried by no finite number of turns, or rises by no finite pitch"));
        }
        if !(3..=100_000).contains(&self.segments) {
            return Err(wrong("is carried by fewer than 3 segments a turn, or more than 100,000"));
        }
        let n = self.section.len();
        let next = |i: usize| &self.section[(i + 1) % n];
        if (0..n).any(|i| norm2(next(i).r - self.section[i].r, next(i).z - self.section[i].z) < ONE_CORNER) {
            return Err(wrong("has two corners in one place"));
        }
        let mut sides: Vec<SectionSide> =
            (0..n).map(|i| SectionSide::new(&self.section[i], next(i))).collect();
        let outline = outline(&sides, self.step());
        if area(&outline) < 0.0 {
            let turned = |i: usize| {
                let (from, to) = (self.section[(n - i) % n], self.section[n - 1 - i]);
                SectionSide::new(&Corner { bulge: -to.bulge, ..from }, &to)
            };
            sides = (0..n).map(turned).collect();
        }
        self.swept(sides)
    }

    fn swept(&self, sides: Vec<SectionSide>) -> Result<Swept, ShapeError> {
        let outline = outline(&sides, self.step());
        if crosses_itself(&outline) || area(&outline).abs() < NO_SECTION {
            return Err(wrong("crosses itself or has no area"));
        }
        let closed = self.pitch == 0.0 && self.turns == 1.0;
        if self.pitch == 0.0 && self.turns > 1.0 {
            return Err(wrong("is carried round more than once without rising"));
        }
        let heights = outline.iter().map(|p| p[1]);
        let tall = heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min);
        if self.turns > 1.0 && self.pitch.abs() < tall {
            return Err(wrong("is taller than the pitch: its turns overlap"));
        }
        if outline.len() * self.stations() > MOST_POINTS {
            let what = "points of a sweep";
            return Err(ShapeError::TooMany {
                what,
                count: outline.len() * self.stations(),
                limit: MOST_POINTS,
            });
        }
        if outline.iter().any(|p| p[0] < ONE_CORNER) {
            return Err(wrong("reaches the axis"));
        }
        // sagittas of the chords round the axis and of the arcs
        let sagitta = |radius: f64, step: f64| radius * (1.0 - (0.5 * step).cos());
        let far = outline.iter().map(|p| p[0]).fold(0.0, f64::max);
        let arcs = sides.iter().map(|s| match *s {
            SectionSide::Line { .. } => 0.0,
            SectionSide::Arc { radius, turn, .. } => {
                sagitta(radius, turn.abs() / s.chords(self.step()) as f64)
            }
        });
        let swell = arcs.fold(sagitta(far, self.step()), f64::max);
        Ok(Swept {
            source: self.clone(),
            sides,
            rise: self.pitch / TAU,
            angle: TAU * self.turns,
            closed,
            swell,
        })
    }

    fn step(&self) -> f64 {
        TAU / self.segments as f64
    }

    /// Steps from the first station to the last.
    fn stations(&self) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: at most 1e9")]
        let n = (self.turns * self.segments as f64 - PART_OF_A_CHORD).ceil() as usize;
        n.max(1)
    }

    /// Vertices and outward triangles.
    pub(crate) fn mesh(&self, swept: &Swept) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let outline = outline(&swept.sides, self.step());
        let (m, steps) = (outline.len(), self.stations());
        let rings = if swept.closed { steps } else { steps + 1 };
        let mut vertices = Vec::with_capacity(m * rings);
        for k in 0..rings {
            let angle = swept.angle * k as f64 / steps as f64;
            let (sin, cos) = angle.sin_cos();
            vertices
                .extend(outline.iter().map(|p| Vec3::new(p[0] * cos, p[0] * sin, p[1] + swept.rise * angle)));
        }
        let at = |k: usize, i: usize| count((k % rings) * m + i % m);
        let mut triangles = Vec::new();
        for k in 0..steps {
            for i in 0..m {
                let (a, b, c, d) = (at(k, i), at(k, i + 1), at(k + 1, i + 1), at(k + 1, i));
                triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
        if !swept.closed {
            for [a, b, c] in ears(&outline) {
                triangles.push([at(0, a), at(0, b), at(0, c)]);
                triangles.push([at(steps, a), at(steps, c), at(steps, b)]);
            }
        }
        (vertices, triangles)
    }
}

/// The section with its arcs cut into chords that turn by a step at most.
fn outline(sides: &[SectionSide], step: f64) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for side in sides {
        let n = side.chords(step);
        points.extend((0..n).map(|k| side.at(side.end() * k as f64 / n as f64)[0]));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use std::f64::consts::PI;

    fn straight(corners: &[[f64; 2]]) -> Vec<Corner> {
        corners.iter().map(|c| Corner { r: c[0], z: c[1], bulge: 0.0 }).collect()
    }

    #[test]
    fn meshes_close_up_and_face_outwards() {
        let section = straight(&[[0.01, -1e-3], [0.012, -5e-4], [0.012, 5e-4], [0.01, 1e-3]]);
        let groove = [
            [0.01, -4e-3, 0.0],
            [0.02, -4e-3, 0.0],
            [0.02, -2e-3, -0.3],
            [0.02, 2e-3, 0.0],
            [0.02, 4e-3, 0.0],
            [0.01, 4e-3, 0.0],
        ];
        let groove = groove.map(|[r, z, bulge]| Corner { r, z, bulge }).to_vec();
        let thread = Sweep { section, pitch: 4e-3, turns: 2.5, segments: 24 };
        let clockwise = Sweep { section: thread.section.iter().rev().copied().collect(), ..thread.clone() };
        let left_hand = Sweep { pitch: -4e-3, ..thread.clone() };
        let race = Sweep { section: groove, pitch: 0.0, turns: 1.0, segments: 60 };
        let part = Sweep { turns: 0.4, ..race.clone() };
        for sweep in [thread, clockwise, left_hand, race, part, Sweep::torus(0.01, 3e-3, 32)] {
            let (_, report) = Shape::sweep(&sweep).unwrap();
            assert!(report.closed && report.pieces == 1 && report.flipped == 0, "{sweep:?}: {report}");
        }
    }

    #[test]
    fn volumes_come_to_those_of_pappus() {
        let mass = Shape::sweep(&Sweep::torus(0.5, 0.2, 400)).unwrap().0.mass_properties(1.0).unwrap().mass;
        let truth = TAU * 0.5 * PI * 0.04;
        assert!((mass / truth - 1.0).abs() < 1e-4, "{mass} {truth}");
    }

    #[test]
    fn what_cannot_be_swept_is_refused() {
        let bow = straight(&[[1.0, 0.0], [2.0, 1.0], [2.0, 0.0], [1.0, 1.0]]);
        let ring = Sweep::torus(1.0, 0.5, 16);
        let tall = straight(&[[1.0, 0.0], [2.0, 0.0], [2.0, 1.0]]);
        let bad = [
            Sweep { section: bow, ..ring.clone() },
            Sweep { segments: 2, ..ring.clone() },
            Sweep { turns: 2.0, ..ring.clone() },
            Sweep { section: tall, pitch: 0.5, turns: 2.0, segments: 16 },
            Sweep::torus(0.5, 0.5, 16),
            Sweep::torus(1.0, f64::NAN, 16),
        ];
        for sweep in bad {
            assert!(Shape::sweep(&sweep).is_err(), "{sweep:?}");
        }
    }
}

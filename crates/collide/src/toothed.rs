//! Spur and helical gears with involute flanks, as closed meshes.
//!
//! At the radius r a tooth of z teeth with the pressure angle a spans, to either side of its middle,
//! ```text
//!     pi / (2 z) − j / (2 r_p) + inv(a) − inv(acos(r_b / r)),      inv(x) = tan x − x,  r_p = m z / 2,  r_b = r_p cos a
//! ```
//! with j the backlash measured along the pitch circle; below the base circle flanks are radial. Tips reach a module above the pitch circle,
//! roots 1.25 below.

use std::f64::consts::{PI, TAU};

use crate::error::count;
use crate::error::{ShapeError, positive};
use crate::rigid::Vec3;
use crate::tolerances::TEETH_MEET;
use crate::{MeshReport, Shape};

/// A gear about z, centred; a tooth points along x at half its width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gear {
    /// Pitch diameter over teeth, m (of the section across the axis).
    pub module: f64,
    /// How many.
    pub teeth: usize,
    /// Along the axis, m.
    pub width: f64,
    /// Radians.
    pub pressure_angle: f64,
    /// Radians between the teeth and the axis at the pitch circle; positive for a right-handed helix.
    pub helix: f64,
    /// What is taken off a tooth along the pitch circle, m.
    pub backlash: f64,
    /// Points of a flank.
    pub points: usize,
}

/// Most points of an outline times layers: bounds memory for hostile files.
const MOST_POINTS: usize = 500_000;

impl Gear {
    /// The gear as a mesh.
    pub fn shape(&self) -> Result<(Shape, MeshReport), ShapeError> {
        let (vertices, triangles) = self.mesh()?;
        Shape::mesh(&vertices, &triangles)
    }

    /// Vertices and outward triangles.
    pub fn mesh(&self) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), ShapeError> {
        positive("module", self.module)?;
        positive("width", self.width)?;
        let wrong = |why| ShapeError::Section { why };
        if !(4..=10_000).contains(&self.teeth) || !(2..=100).contains(&self.points) {
            return Err(wrong(
                "of a gear has fewer than 4 or more than 10,000 teeth, or 2 to 100 points a flank",
            ));
        }
        if !(self.pressure_angle > 0.0 && self.pressure_angle < 0.8 && self.helix.abs() < 1.4) {
            return Err(wrong(
                "of a gear has a pressure angle beyond 0 to 0.8 rad, or a helix beyond 1.4 rad",
            ));
        }
        let outline = self.outline();
        if self.backlash.abs() >= self.module || !outline.windows(2).all(|w| w[0].1 < w[1].1 + TEETH_MEET) {
            return Err(wrong("of a gear has teeth that meet or end before their tips"));
        }
        self.extrude(&outline)
    }

    /// (radius, angle) around the gear.
    fn outline(&self) -> Vec<(f64, f64)> {
        let (z, n) = (self.teeth as f64, self.points);
        let pitch = 0.5 * self.module * z;
        let base = pitch * self.pressure_angle.cos();
        let (tip, root) = (pitch + self.module, pitch - 1.25 * self.module);
        let involute = |r: f64| {
            let a = (base / r).min(1.0).acos();
            a.tan() - a
        };
        let thick = PI / (2.0 * z) - 0.5 * self.backlash / pitch;
        let half = |r: f64| thick + involute(pitch) - involute(r.max(base));
        let from = base.max(root);
        // what is left of the gap between two teeth, a tenth of it for each fillet
        let fillet = 0.1 * (PI / z - half(from));
        let radius = |k: usize| from + (tip - from) * k as f64 / (n - 1) as f64;
        let mut outline = Vec::new();
        for t in 0..self.teeth {
            let middle = TAU * t as f64 / z;
            outline.push((root, middle - half(from) - fillet));
            outline.extend((0..n).map(|k| (radius(k), middle - half(radius(k)))));
            outline.extend((0..n).rev().map(|k| (radius(k), middle + half(radius(k)))));
            outline.push((root, middle + half(from) + fillet));
        }
        outline
    }

    fn extrude(&self, outline: &[(f64, f64)]) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), ShapeError> {
        let twist = self.width * self.helix.tan() / (0.5 * self.module * self.teeth as f64);
        // radians a layer: facets of flanks bend by about the same
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
        let layers = if twist == 0.0 { 1 } else { ((twist.abs() / 0.08).ceil() as usize).max(4) };
        let n = outline.len();
        if n.saturating_mul(layers + 1) > MOST_POINTS {
            return Err(ShapeError::TooMany {
                what: "points of a gear",
                count: n * layers,
                limit: MOST_POINTS,
            });
        }
        let mut vertices = Vec::with_capacity(n * (layers + 1) + 2);
        for l in 0..=layers {
            let share = l as f64 / layers as f64 - 0.5;
            vertices.extend(outline.iter().map(|(r, a)| {
                let (s, c) = (a + twist * share).sin_cos();
                Vec3::new(r * c, r * s, self.width * share)
            }));
        }
        let at = |l: usize, i: usize| count(l * n + i % n);
        let (low, high) = (count(vertices.len()), count(vertices.len() + 1));
        vertices.extend([-0.5, 0.5].map(|s| Vec3::z() * (s * self.width)));
        let mut triangles = Vec::new();
        for i in 0..n {
            for l in 0..layers {
                let (a, b, c, d) = (at(l, i), at(l, i + 1), at(l + 1, i + 1), at(l + 1, i));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
            triangles.push([low, at(0, i + 1), at(0, i)]);
            triangles.push([high, at(layers, i), at(layers, i + 1)]);
        }
        Ok((vertices, triangles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPUR: Gear = Gear {
        module: 1e-3,
        teeth: 20,
        width: 5e-3,
        pressure_angle: 0.349_065_85,
        helix: 0.0,
        backlash: 5e-5,
        points: 8,
    };

    #[test]
    fn gears_are_closed_and_face_outwards() {
        for gear in
            [SPUR, Gear { teeth: 60, ..SPUR }, Gear { helix: 0.3, ..SPUR }, Gear { helix: -1.2, ..SPUR }]
        {
            let (_, report) = gear.shape().unwrap();
            assert!(report.closed && report.pieces == 1 && report.flipped == 0, "{gear:?}: {report}");
        }
        for bad in [Gear { teeth: 3, ..SPUR }, Gear { backlash: 2e-3, ..SPUR }, Gear { module: -1.0, ..SPUR }]
        {
            assert!(bad.shape().is_err(), "{bad:?}");
        }
    }
}

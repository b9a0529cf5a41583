//! Arches of dry stones: how thin a half circle may be.
//!
//! A half circle of n equal stones with radial joints, springing from the ground. With the force (X, Z) and moment M at the right
//! springing, the force across joint i is f_i = (X, Z − Σ w), its moment about the centre M_i = M − Σ x w, both over the stones before
//! it; with N = f·τ along the arch, T = f·e_r across it, it stands while some X, Z, M have (limit theorem of plasticity, Heyman)
//! ```text
//!     r_in N_i ≤ M_i ≤ r_out N_i,      |T_i| ≤ μ N_i       at every joint
//! ```
//! which is a linear program for the largest slack s of all rows. The limit of thickness is where s = 0. Sliding does not
//! decide at the friction taken here, so the theorem, which wants friction to be associated, holds.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Scene};
use gudgeon_spatial::Vector3;

use crate::ValidateError;
use crate::linear_program::LinearProgram;
use crate::row::Row;
use crate::run::{LimitSide, builder, limit};

const MU: f64 = 0.8;

/// Corners of stone k of n, counted from the right: inner and outer at its first joint, outer and inner at its second.
fn corners(n: usize, k: usize, thickness: f64) -> [[f64; 2]; 4] {
    let at = |joint: usize, radius: f64| {
        let angle = std::f64::consts::PI * joint as f64 / n as f64;
        // the last joint is on the ground, and sin(π) is not quite nought
        let height = if joint == 0 || joint == n { 0.0 } else { radius * angle.sin() };
        [radius * angle.cos(), height]
    };
    let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    [at(k, inner), at(k, outer), at(k + 1, outer), at(k + 1, inner)]
}

/// Area and its first moment about z: weight, and weight times x.
fn weight(corners: &[[f64; 2]; 4]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for i in 0..4 {
        let ([x0, z0], [x1, z1]) = (corners[i], corners[(i + 1) % 4]);
        let cross = x0 * z1 - x1 * z0;
        sums[0] += 0.5 * cross;
        sums[1] += (x0 + x1) * cross / 6.0;
    }
    sums
}

/// The largest slack of all conditions, in units of the weight.
fn slack(n: usize, thickness: f64) -> f64 {
    // the dual: min h·y with Σ y = 1, Σ y g = 0, y ≥ 0, one y for each condition g·(X, Z, M) + h ≥ s
    let mut program = LinearProgram::new(vec![1.0, 0.0, 0.0, 0.0]);
    let weights: Vec<_> = (0..n).map(|k| weight(&corners(n, k, thickness))).collect();
    let total: f64 = weights.iter().map(|w| w[0]).sum();
    let (mut force, mut moment) = (0.0, 0.0);
    for joint in 0..=n {
        let angle = std::f64::consts::PI * joint as f64 / n as f64;
        let (sine, cosine) = angle.sin_cos();
        // each as (X, Z, M, constant)
        let along = [-sine, cosine, 0.0, -force * cosine];
        let across = [cosine, sine, 0.0, -force * sine];
        let about = [0.0, 0.0, 1.0, -moment];
        let mut row = |a: [f64; 4], p: f64, b: [f64; 4], q: f64| {
            let g: [f64; 4] = std::array::from_fn(|k| p * a[k] + q * b[k]);
            program.column(g[3], vec![1.0, g[0], g[1], g[2]]);
        };
        row(about, 1.0, along, -(1.0 - 0.5 * thickness));
        row(along, 1.0 + 0.5 * thickness, about, -1.0);
        row(along, MU, across, 1.0);
        row(along, MU, across, -1.0);
        if joint < n {
            force += weights[joint][0] / total;
            moment += weights[joint][1] / total;
        }
    }
    program.minimise().value
}

/// The thickness in units of the radius below which an arch of n stones falls.
pub fn least_thickness(n: usize) -> f64 {
    let (mut low, mut high) = (0.05, 0.2);
    // to the last digits: the slack is monotone in the thickness
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        *(if slack(n, middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

/// An arch of n stones and a radius of one metre.
pub fn arch(n: usize, thickness: f64) -> Result<Scene, ValidateError> {
    let mut scene = builder("arch", 1e-3, MU);
    scene.ground().duration(3.0);
    for k in 0..n {
        let angle = std::f64::consts::PI * (k as f64 + 0.5) / n as f64;
        let (x, z) = (angle.cos(), angle.sin());
        let mut points = Vec::new();
        for [px, pz] in corners(n, k, thickness) {
            points.extend([-0.15, 0.15].map(|y| Vector3::new(px - x, y, pz - z)));
        }
        let shade = if k % 2 == 0 { [0.74, 0.57, 0.38] } else { [0.85, 0.74, 0.56] };
        let [r, g, b] = shade;
        let stone = BodySpec::new(&format!("stone{k}"), Shape::convex_hull(&points)?);
        scene.body(stone.at(x, 0.0, z).colored(r, g, b))?;
    }
    Ok(scene.build()?)
}

/// n stones, tried 1e-5 above the limit and below.
fn decided(n: usize) -> Result<Vec<Row>, ValidateError> {
    let truth = least_thickness(n);
    let trials = limit(truth, 1e-5, LimitSide::Above, 2.0, |t| arch(n, t))?;
    let what = format!("least thickness of {n} stones over the radius");
    Ok(vec![Row::between(what, "", truth, trials, 1e-5, "tried at 1 ± 1e-5 of the limit")])
}

pub(super) fn nine() -> Result<Vec<Row>, ValidateError> {
    decided(9)
}

pub(super) fn twenty_seven() -> Result<Vec<Row>, ValidateError> {
    decided(27)
}

pub(super) fn hundred_and_one() -> Result<Vec<Row>, ValidateError> {
    decided(101)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_stones_come_to_the_limit_of_milankovitch() {
        // 0.10748 of the radius for radial joints anywhere; joints at few places need less
        let limits = [9, 27, 101].map(least_thickness);
        assert!(limits.is_sorted() && limits[2] < 0.10748 && limits[2] > 0.1073, "{limits:?}");
        assert!((limits[1] - 0.106_720_9).abs() < 1e-7, "{limits:?}");
    }
}

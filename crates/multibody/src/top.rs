//! The rotation of a free rigid body over a step, with its energy and its angular momentum kept.
//!
//! In the body's own axes and about its centre of mass (Euler's top), with Ω the angular velocity, I the inertia and N a
//! moment that stands still in the body over the step:
//! ```text
//!     R⁺ = R exp(dt Ω_m),      Ω_m = ½ (Ω + Ω⁺)
//!     I (Ω⁺ - Ω) + τ Ω_m × I Ω_m = dt N,      τ = dt tan(x) / x,   x = ½ dt |Ω_m|
//! ```
//! The product with Ω_m shows that the energy ½ Ωᵀ I Ω is kept when N = 0. exp(dt Ω_m) is Cayley's rotation of τ Ω_m, so
//! the second line with N = 0 reads I Ω⁺ = exp(-dt Ω_m) I Ω: the angular momentum R I Ω stands still in space. Second
//! order; exact for a ball and about a principal axis, at any speed.
//!
//! Departure from [Simo and Wong 1991], who turn by Cayley's rotation of dt Ω_m: there τ = dt, and a ball that turns by
//! half a radian a step is 2 % slow.
//!
//! The equation is solved by Newton's method to rounding; τ is kept still within a step of it, which costs an iteration
//! where a body turns fast and none where it does not.

use crate::tolerances::{NO_TURN, TOP_ROUNDING};
use gudgeon_spatial::{Symmetric3, Vector3, skew};

/// Newton's steps at most; four do at half a radian a step.
const ITERATIONS: usize = 12;
/// Beyond two radians a step tan(x)/x runs away, and nothing is left to be accurate about: τ = dt, energy alone is kept.
pub(crate) const HALF_TURN: f64 = 1.0;

/// Ω⁺ from Ω (`w`, rad/s, body axes), the inertia about the centre of mass, and `moment` N, N m, body axes.
pub fn top_step(inertia: &Symmetric3, w: &Vector3<f64>, moment: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    let iw = *inertia * w;
    let kick = moment * dt;
    // nothing turns, or about a principal axis: the torque of inertia is none
    if *w == Vector3::zeros() && kick == Vector3::zeros() {
        return *w;
    }
    let matrix = inertia.to_matrix();
    let mut x = *w;
    for _ in 0..ITERATIONS {
        let middle = (x + w) * 0.5;
        let im = *inertia * &middle;
        let tau = cayley_time(&middle, dt);
        let ix = *inertia * &x;
        let residual = ix - iw + middle.cross(&im) * tau - kick;
        // the rounding of its own terms
        if residual.amax() <= TOP_ROUNDING * ix.amax().max(iw.amax()) {
            break;
        }
        let jacobian = matrix + (skew(&middle) * matrix - skew(&im)) * (0.5 * tau);
        let [a, b, c] = [0, 1, 2].map(|k| Vector3::from(jacobian.column(k)));
        let bc = b.cross(&c);
        let det = a.dot(&bc);
        if det == 0.0 {
            break;
        }
        x -= Vector3::new(residual.dot(&bc), a.dot(&residual.cross(&c)), a.dot(&b.cross(&residual))) / det;
    }
    if kick != Vector3::zeros() {
        return x;
    }
    // what rounding, or an iteration that did not end, left of the energy
    let (before, after) = (w.dot(&iw), x.dot(&(*inertia * &x)));
    if after > 0.0 { x * (before / after).sqrt() } else { *w }
}

pub(crate) fn cayley_time(middle: &Vector3<f64>, dt: f64) -> f64 {
    let x = 0.5 * dt * middle.norm();
    if (NO_TURN..=HALF_TURN).contains(&x) { dt * x.tan() / x } else { dt }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gudgeon_spatial::{Inertia, Quaternion};

    #[test]
    fn energy_and_momentum_of_a_brick_stay_for_ten_seconds_at_any_speed() {
        let inertia = Inertia::cuboid(2.0, [0.1, 0.2, 0.05]).about_com;
        for speed in [1.0, 15.0, 60.0, 150.0, 500.0] {
            for angle in [0.01, 0.1, 0.49_f64] {
                let w0 = Vector3::new(0.3, 0.9, -0.4).normalize() * speed;
                let dt = angle / speed;
                let (mut w, mut q) = (w0, Quaternion::new(1.0, 0.0, 0.0, 0.0));
                let energy = |w: &Vector3<f64>| 0.5 * w.dot(&(inertia * w));
                let (mut off, mut bent) = (0.0_f64, 0.0_f64);
                let start = inertia * &w0;
                let (mut steps, mut time) = (0, 0.0);
                while time < 10.0 && steps < 100_000 {
                    (steps, time) = (steps + 1, time + dt);
                    let next = top_step(&inertia, &w, &Vector3::zeros(), dt);
                    q = q.times(Quaternion::exp(&((w + next) * (0.5 * dt)))).normalized();
                    w = next;
                    off = off.max((energy(&w) / energy(&w0) - 1.0).abs());
                    bent = bent.max((q.to_matrix() * (inertia * &w) - start).norm() / start.norm());
                }
                println!(
                    "{speed} rad/s, {angle} rad a step, {steps} steps: energy {off:.1e}, momentum {bent:.1e}"
                );
                assert!(off < 1e-10 && bent < 1e-10, "{speed} {angle}: {off:e} {bent:e}");
            }
        }
    }

    #[test]
    fn it_is_of_second_order_and_exact_about_a_principal_axis() {
        let inertia = Inertia::cuboid(2.0, [0.1, 0.2, 0.05]).about_com;
        let run = |steps: u32, w0: Vector3<f64>| {
            let dt = 1.0 / f64::from(steps);
            let (mut w, mut q) = (w0, Quaternion::new(1.0, 0.0, 0.0, 0.0));
            for _ in 0..steps {
                let next = top_step(&inertia, &w, &Vector3::zeros(), dt);
                q = q.times(Quaternion::exp(&((w + next) * (0.5 * dt))));
                w = next;
            }
            q
        };
        let w0 = Vector3::new(2.0, 7.0, -3.0);
        let off = |a: Quaternion, b: Quaternion| a.conjugate().times(b).log().norm();
        let truth = run(100_000, w0);
        let (coarse, fine) = (off(run(100, w0), truth), off(run(200, w0), truth));
        println!("off by {coarse:.2e} and {fine:.2e} rad after a second");
        assert!((coarse / fine - 4.0).abs() < 0.2, "{coarse} {fine}");
        let spin = Vector3::new(0.0, 0.0, 40.0);
        let turned = run(100, spin);
        assert!(off(turned, Quaternion::exp(&spin)) < 1e-12);
    }

    #[test]
    fn a_step_far_too_long_stays_finite_and_keeps_its_energy() {
        let inertia = Inertia::cuboid(1.0, [0.3, 0.02, 0.1]).about_com;
        for speed in [1e3, 1e5, 1e9] {
            let mut w = Vector3::new(0.5, -0.6, 0.7) * speed;
            let energy = w.dot(&(inertia * &w));
            for _ in 0..1_000 {
                w = top_step(&inertia, &w, &Vector3::zeros(), 0.01);
            }
            assert!((w.dot(&(inertia * &w)) / energy - 1.0).abs() < 1e-10, "{speed}");
        }
    }
}

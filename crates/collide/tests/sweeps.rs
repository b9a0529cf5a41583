//! Balls on sweeps: gaps and normals are those of the formula, to rounding, whatever the chords.

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Corner, Geometry, Shape, Sweep};
use nalgebra::{Isometry3, Vector3};

use crate::support::Rng;

type Vec3 = Vector3<f64>;

/// A race's groove: radius 5.2 mm around (30 mm, 0), cut from a ring.
fn race(segments: usize) -> Sweep {
    let corner = |r: f64, z: f64, bulge: f64| Corner { r, z, bulge };
    // a chord of 9 mm at the ring's inner face
    let half: f64 = 4.5e-3;
    let (radius, inner) = (5.2e-3, 30e-3 + (5.2e-3_f64.powi(2) - half * half).sqrt());
    let bulge = -(0.25 * 2.0 * (half / radius).asin()).tan();
    let section = vec![
        corner(inner, half, bulge),
        corner(inner, -half, 0.0),
        corner(inner, -7e-3, 0.0),
        corner(41e-3, -7e-3, 0.0),
        corner(41e-3, 7e-3, 0.0),
        corner(inner, 7e-3, 0.0),
    ];
    Sweep { section, pitch: 0.0, turns: 1.0, segments }
}

fn contacts(sweep: &Sweep, at: Vec3, radius: f64, world: &Isometry3<f64>) -> Vec<ContactPoint> {
    let mut geometry = Geometry::new();
    geometry.add(Collider::new(Shape::sphere(radius).unwrap(), 0));
    geometry.add(Collider::new(Shape::sweep(sweep).unwrap().0, 1));
    let mut out = Vec::new();
    let ball = Isometry3::translation(at.x, at.y, at.z);
    CollisionWorkspace::new().contacts(&geometry, &[world * ball, *world], 1e-3, &mut out);
    out
}

#[test]
fn a_ball_rolls_on_the_torus_and_not_on_its_chords() {
    let mut rng = Rng(7);
    for segments in [12, 40] {
        for _ in 0..200 {
            let (angle, around) = (rng.range(-3.1, 3.1), rng.range(-3.1, 3.1));
            let gap = rng.range(-1e-3, 1e-3);
            // outside the tube: its centre is the sum of the radii away from the ring
            let far = 0.01 + 0.004 + gap;
            let rho = 0.05 + far * around.cos();
            let at = Vec3::new(rho * angle.cos(), rho * angle.sin(), far * around.sin());
            let world = rng.pose(0.3);
            let found = contacts(&Sweep::torus(0.05, 0.01, segments), at, 0.004, &world);
            assert_eq!(found.len(), 1, "{segments} {angle} {around} {gap}: {found:?}");
            assert!((found[0].gap - gap).abs() < 1e-14, "{} {gap}", found[0].gap);
            let normal = world.inverse_transform_vector(&found[0].normal);
            let n = Vec3::new(around.cos() * angle.cos(), around.cos() * angle.sin(), around.sin());
            assert!((normal - n).norm() < 1e-11);
        }
    }
}

#[test]
fn a_ball_in_a_groove_has_the_gap_of_two_circles() {
    let mut rng = Rng(8);
    for _ in 0..200 {
        let angle = rng.range(-3.1, 3.1);
        let (off, lift) = (rng.range(5e-5, 2.2e-4), rng.range(-0.7, 0.7));
        // the ball's centre is off the groove's by this much, towards the groove
        let (r, z) = (30e-3 + off * lift.cos(), off * lift.sin());
        let found = contacts(&race(48), Vec3::new(r * angle.cos(), r * angle.sin(), z), 5e-3, &rng.pose(0.1));
        let deepest = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!((deepest - (0.2e-3 - off)).abs() < 1e-14, "{deepest} {}", 0.2e-3 - off);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn a_ball_in_a_helical_groove_has_the_gap_of_the_formula() {
    let mut rng = Rng(9);
    let corner = |r: f64, z: f64, bulge: f64| Corner { r, z, bulge };
    let section = vec![
        corner(10e-3, -2.2e-3, 0.0),
        corner(20e-3, -2.2e-3, 0.0),
        corner(20e-3, -1.8e-3, -0.4),
        corner(20e-3, 1.8e-3, 0.0),
        corner(20e-3, 2.2e-3, 0.0),
        corner(10e-3, 2.2e-3, 0.0),
    ];
    let sweep = Sweep { section, pitch: 5e-3, turns: 3.0, segments: 36 };
    // the arc's centre: half chord 1.8 mm, 4 atan 0.4 in all
    let half_angle = 2.0 * 0.4_f64.atan();
    let radius = 1.8e-3 / half_angle.sin();
    let centre = 20e-3 + radius * half_angle.cos();
    for _ in 0..60 {
        let angle = rng.range(0.8, 17.0);
        let (rho, z) =
            (centre + rng.range(-4e-4, 2e-4), 5e-3 * angle / std::f64::consts::TAU + rng.range(-2e-4, 2e-4));
        let at = Vec3::new(rho * angle.cos(), rho * angle.sin(), z);
        let ball = 2.1e-3;
        let found = contacts(&sweep, at, ball, &rng.pose(0.1));
        let deepest = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        // the formula, sampled around the ball and refined
        let place = |s: f64, t: f64| {
            let phi = std::f64::consts::PI + s;
            let (r, h) = (centre + radius * phi.cos(), radius * phi.sin());
            Vec3::new(r * t.cos(), r * t.sin(), h + 5e-3 * t / std::f64::consts::TAU)
        };
        let (mut best, mut width) = ((0.0, angle), [half_angle, 0.3]);
        for _ in 0..40 {
            let (mut least, mut next) = (f64::INFINITY, best);
            for i in -6..=6 {
                for j in -6..=6 {
                    let s = (best.0 + width[0] * f64::from(i) / 6.0).clamp(-half_angle, half_angle);
                    let t = best.1 + width[1] * f64::from(j) / 6.0;
                    let d = (place(s, t) - at).norm();
                    if d < least {
                        (least, next) = (d, (s, t));
                    }
                }
            }
            best = next;
            width = width.map(|w| 0.6 * w);
        }
        let truth = (place(best.0, best.1) - at).norm() - ball;
        assert!((deepest - truth).abs() < 1e-10, "{deepest} {truth} at {angle}: {found:?}");
    }
}

/// A square thread: flanks at right angles to the axis, 4 mm thick less some play, from one radius to another.
fn square(inner: f64, outer: f64, turns: f64, segments: usize) -> Sweep {
    let half = 1.95e-3;
    let corner = |r: f64, z: f64| Corner { r, z, bulge: 0.0 };
    let section = vec![corner(inner, -half), corner(outer, -half), corner(outer, half), corner(inner, half)];
    Sweep { section, pitch: 8e-3, turns, segments }
}

#[test]
fn flanks_that_fit_each_other_are_not_a_pitch_deep() {
    for segments in [24, 32, 48] {
        let mut geometry = Geometry::new();
        geometry.add(Collider::new(Shape::sweep(&square(9e-3, 10.05e-3, 9.0, segments)).unwrap().0, 0));
        let nut = square(9.95e-3, 11e-3, 3.0, segments * 4 / 5);
        geometry.add(Collider::new(Shape::sweep(&nut).unwrap().0, 1));
        let (mut ws, mut out, mut rng) = (CollisionWorkspace::new(), Vec::new(), Rng(11));
        for _ in 0..12 {
            let (turn, less) = (rng.range(-6.0, 0.0), 10_f64.powf(rng.range(-9.0, -6.0)));
            // where the nut lies on the screw, and a little deeper
            let z = 2.79e-2 - turn * 8e-3 / std::f64::consts::TAU - less;
            let screw = Isometry3::rotation(Vec3::z() * turn);
            ws.contacts(&geometry, &[screw, Isometry3::translation(0.0, 0.0, z)], 2e-5, &mut out);
            let deepest = out.iter().map(|c| c.gap).fold(0.0, f64::min);
            // metres: chords of helices stand out against each other by less than a micrometre
            assert!(
                !out.is_empty() && deepest >= -1e-6 - 2.0 * less,
                "{segments} {turn} {z}: {deepest}, {less}"
            );
        }
    }
}

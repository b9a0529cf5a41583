//! Bodies on joints that also touch: closed loops with redundant rows, joint limits and motors.
//!
//! A hinge is five rows: three for the point, two for the axis. A planar loop of four hinges repeats three of its
//! twenty rows (the plane is held more than once), as every modeller of a linkage does.
//!
//! All of them have a solution (see [`crate::scene`]): equalities have no bias, so rest agrees with them and the
//! redundant rows agree with each other; limits may only open; motors are bounded.

use crate::geometry::{Vec3, about_y, mat_vec};
use crate::scene::{Along, Body, Motor, Scene, Tie, Touch};

const Y: Vec3 = [0.0, 1.0, 0.0];
const UP: Vec3 = [0.0, 0.0, 1.0];

/// The five rows of a hinge about y.
fn hinge(scene: &mut Scene, a: usize, b: Option<usize>, point: Vec3) {
    let tie = |along| Tie { a, b, along, bias: 0.0 };
    let axes = [[1.0, 0.0, 0.0], Y, UP];
    scene.equality.extend(axes.map(|axis| tie(Along::Point(point, axis))));
    scene.equality.extend([[1.0, 0.0, 0.0], UP].map(|axis| tie(Along::Axis(axis))));
}

/// A hinge that may turn only one way from here, and one that is driven with this much impulse, N m s.
fn limit(scene: &mut Scene, a: usize, b: Option<usize>, sign: f64) {
    scene.unilateral.push(Tie { a, b, along: Along::Axis([0.0, sign, 0.0]), bias: 0.0 });
}

fn motor(scene: &mut Scene, a: usize, b: Option<usize>, speed: f64, limit: f64) {
    let tie = Tie { a, b, along: Along::Axis(Y), bias: -speed };
    scene.motors.push(Motor { tie, limit });
}

fn bar(from: Vec3, to: Vec3) -> Body {
    let (dx, dz) = (to[0] - from[0], to[2] - from[2]);
    let half = [0.5 * dx.hypot(dz), 0.02, 0.02];
    let middle = [0.5 * (from[0] + to[0]), 0.0, 0.5 * (from[2] + to[2])];
    // the x axis turned about y points to (cos, 0, −sin)
    Body::block(1.0, half, middle, &about_y((-dz).atan2(dx)))
}

/// A four-bar linkage on fixed pivots, its coupler on two supports: 20 equality rows of rank 17.
pub fn four_bar() -> Scene {
    let mut scene = Scene::new("four-bar");
    let pivots = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.4], [0.7, 0.0, 0.5], [0.6, 0.0, 0.0]];
    for i in 0..3 {
        scene.bodies.push(bar(pivots[i], pivots[i + 1]));
    }
    for (i, &pivot) in pivots.iter().enumerate() {
        let (a, b) = if i < 3 { (i, i.checked_sub(1)) } else { (2, None) };
        hinge(&mut scene, a, b, pivot);
    }
    for [x, y] in [[0.3, 0.02], [0.3, -0.02], [0.5, 0.02], [0.5, -0.02]] {
        scene.touches.push(Touch::new(1, None, [x, y, 0.4 + (x - 0.1) / 6.0 - 0.02], UP));
    }
    scene
}

/// The four-bar linkage with a stop on its first hinge and a motor on its last.
pub fn driven_four_bar(speed: f64, torque: f64) -> Scene {
    let mut scene = four_bar();
    scene.name = "driven-four-bar".into();
    limit(&mut scene, 0, None, 1.0);
    let impulse = torque * scene.h;
    motor(&mut scene, 2, None, speed, impulse);
    scene
}

/// A chain of `links` links hinged to the world, bent so that its end lies on the ground, every hinge with a stop
/// and dry friction.
pub fn chain(links: usize) -> Scene {
    let mut scene = Scene::new(format!("chain-{links}"));
    let length = 0.2;
    let mut from = [0.0, 0.0, 0.0];
    for i in 0..links {
        let step = mat_vec(&about_y(0.15 * i as f64), [length, 0.0, 0.0]);
        let to = crate::geometry::add(from, step);
        scene.bodies.push(bar(from, to));
        let b = i.checked_sub(1);
        hinge(&mut scene, i, b, from);
        limit(&mut scene, i, b, if i % 2 == 0 { 1.0 } else { -1.0 });
        motor(&mut scene, i, b, 0.0, 1e-4);
        for y in [-0.02, 0.02] {
            scene.touches.push(Touch::new(i, None, [to[0], y, to[2]], UP));
        }
        from = to;
    }
    scene
}

/// A door leaf on three hinges in one line, where one would do for the motion: redundant by ten rows.
pub fn door() -> Scene {
    let mut scene = Scene::new("door");
    scene.bodies.push(Body::block(20.0, [0.4, 1.0, 0.02], [0.4, 0.0, 0.0], &about_y(0.0)));
    for y in [-0.8, 0.0, 0.8] {
        hinge(&mut scene, 0, None, [0.0, y, 0.0]);
    }
    for y in [-1.0, -0.5, 0.5, 1.0] {
        scene.touches.push(Touch::new(0, None, [0.8, y, -0.02], UP));
    }
    limit(&mut scene, 0, None, -1.0);
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_has_twenty_rows_and_friction_on_top() {
        let scene = driven_four_bar(1.0, 5.0);
        let problem = scene.problem();
        let form = problem.as_global().unwrap();
        assert_eq!((form.equality.len(), form.unilateral.len(), form.bounded.len()), (20, 1, 1));
        // 4 contacts of 10 unknowns, a limit, a motor of two; redundant equalities are eliminated
        assert_eq!(scene.lcp().n(), 43);
    }

    #[test]
    fn a_bar_reaches_from_end_to_end() {
        let body = bar([0.0; 3], [0.0, 0.0, 1.0]);
        // slender along z: the least inertia is about z
        assert!(body.inertia[2][2] < 0.01 * body.inertia[0][0]);
        assert_eq!(body.position, [0.0, 0.0, 0.5]);
    }

    #[test]
    fn doors_and_chains_can_be_lowered() {
        assert!(door().lcp().n() >= 41);
        // per link two contacts of ten, a limit, two for dry friction
        assert_eq!(chain(3).lcp().n(), 3 * 23);
    }
}

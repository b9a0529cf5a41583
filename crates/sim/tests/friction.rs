//! Friction laws beside the round cone.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Facets, FrictionLaw, SceneBuilder, Simulator};

use crate::run;

/// A flat box on level ground with μ = 0.4, sliding at 1 m/s towards `azimuth`; answers its deceleration over μ g.
fn deceleration(facets: Facets, azimuth: f64) -> f64 {
    let mut builder = SceneBuilder::new("slide");
    builder.friction(0.4).ground();
    let crate_ = BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.02).unwrap()).mass(2.0).at(0.0, 0.0, 0.02);
    builder.body(crate_.moving(azimuth.cos(), azimuth.sin(), 0.0)).unwrap();
    builder.settings().facets = facets;
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let summary = run(&mut sim, 0.1);
    assert_eq!(summary.failed() + summary.fallback(), 0);
    let speed = sim.state().v[3].hypot(sim.state().v[4]);
    (1.0 - speed) / 0.1 / (0.4 * 9.81)
}

#[test]
fn a_box_of_friction_forces_holds_too_much_along_its_diagonal() {
    for (degrees, excess) in [(0.0_f64, 1.0), (45.0, 2.0_f64.sqrt()), (90.0, 1.0)] {
        let (boxed, round) = (
            deceleration(Facets::Box, degrees.to_radians()),
            deceleration(Facets::Exact, degrees.to_radians()),
        );
        println!("sliding towards {degrees}°: box {boxed:.12}, round {round:.12} of μ g");
        assert!((boxed - excess).abs() < 1e-9, "{boxed}");
        assert!((round - 1.0).abs() < 1e-9, "{round}");
    }
}

#[test]
fn a_box_of_friction_forces_sticks_below_its_bounds() {
    // pushed with 1.3 μ m g: beyond a round cone in every direction, within the box along its diagonal
    for (azimuth, sticks) in [(0.0_f64, false), (45.0, true)] {
        let mut builder = SceneBuilder::new("push");
        builder.friction(0.4).ground();
        let spec =
            BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.02).unwrap()).mass(2.0).at(0.0, 0.0, 0.02);
        builder.body(spec).unwrap();
        let force = 1.3 * 0.4 * 2.0 * 9.81;
        let (sin, cos) = azimuth.to_radians().sin_cos();
        builder.push("crate", gudgeon_spatial::Vector3::new(force * cos, force * sin, 0.0), 0.0, 1.0);
        builder.settings().facets = Facets::Box;
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        run(&mut sim, 0.2);
        let moved = sim.state().q[4].hypot(sim.state().q[5]);
        println!("pushed towards {azimuth}°: moved {moved:.1e} m");
        assert_eq!(moved < 1e-9, sticks, "{moved:e}");
    }
}

#[test]
fn a_box_of_the_last_normal_force_brakes_as_the_box_does_but_for_its_first_step() {
    for (degrees, excess) in [(0.0_f64, 1.0), (45.0, 2.0_f64.sqrt()), (90.0, 1.0)] {
        let last = deceleration(Facets::LastBox, degrees.to_radians());
        println!("sliding towards {degrees}°: last box {last:.12} of μ g");
        // a hundred steps, the first of them without friction
        assert!((last - 0.99 * excess).abs() < 1e-9, "{last}");
    }
}

#[test]
fn friction_of_the_last_normal_force_follows_the_load_by_a_step_and_restores_to_the_bit() {
    // pressed down with ten newtons from the middle on, and pulled beyond the friction of the weight alone
    let mut builder = SceneBuilder::new("pressed");
    builder.friction(0.4).ground();
    let spec = BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.02).unwrap()).mass(2.0).at(0.0, 0.0, 0.02);
    builder.body(spec).unwrap();
    builder.push("crate", gudgeon_spatial::Vector3::new(0.0, 0.0, -10.0), 0.05, 1.0);
    builder.push("crate", gudgeon_spatial::Vector3::new(0.4 * 24.0, 0.0, 0.0), 0.05, 1.0);
    builder.settings().facets = Facets::LastBox;
    let scene = builder.build().unwrap();
    let mut sim = Simulator::new(&scene).unwrap();
    run(&mut sim, 0.051);
    let friction = |sim: &Simulator| sim.contacts().iter().map(|c| c.force.x).sum::<f64>().abs();
    let weight = 2.0 * 9.81;
    let late = friction(&sim);
    let snapshot = sim.snapshot();
    run(&mut sim, 0.001);
    let then = friction(&sim);
    println!("friction {late:.6} N as the load comes, {then:.6} N a step later");
    assert!((late - 0.4 * weight).abs() < 1e-9, "{late}");
    // the slip of the step before is stopped as well, as far as the bounds go
    assert!(then > 0.4 * 24.0 && then <= 0.4 * (weight + 10.0) + 1e-9, "{then}");
    let mut other = Simulator::new(&scene).unwrap();
    other.restore(&snapshot).unwrap();
    run(&mut other, 0.001);
    assert_eq!(sim.state_hash(), other.state_hash());
}

/// The convex law brakes a sliding crate as Coulomb's does once it hovers μ |u| dt above the floor, and lets a crate that
/// friction holds creep by its compliance alone.
#[test]
fn the_convex_law_brakes_and_holds() {
    for (speed, force) in [(1.0, 0.0), (0.0, 0.5)] {
        let mut builder = SceneBuilder::new("convex");
        builder.friction(0.4).ground();
        let spec =
            BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.02).unwrap()).mass(2.0).at(0.0, 0.0, 0.02);
        builder.body(spec.moving(speed, 0.0, 0.0)).unwrap();
        let push = force * 0.4 * 2.0 * 9.81;
        builder.push("crate", gudgeon_spatial::Vector3::new(push, 0.0, 0.0), 0.0, 1.0);
        builder.settings().law = FrictionLaw::Convex;
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let summary = run(&mut sim, 0.1);
        assert_eq!(summary.failed() + summary.fallback(), 0);
        let v = sim.state().v[3].hypot(sim.state().v[4]);
        let height = sim.state().q[6] - 0.02;
        println!("started at {speed} m/s, pushed with {force} of the limit: {v:.3e} m/s, {height:.1e} m up");
        if force == 0.0 {
            // the rise of the first step takes a part of its momentum: μ² of a step's speed
            assert!(((speed - v) / 0.1 / (0.4 * 9.81) - 1.0).abs() < 0.02, "{v}");
            assert!((height - 0.4 * v * 1e-3).abs() < 2e-5, "{height}");
        } else {
            // 1e-4 of the impulse of a step over the mass, 2 µm/s
            assert!(v < 4e-6 && height.abs() < 1e-6, "{v} {height}");
        }
    }
}

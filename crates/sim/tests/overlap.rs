//! Bad starts: overlap is undone gently, whatever its depth.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{BodySpec, SceneBuilder, Simulator};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::run;

/// Runs for a second; answers the height and the distance from the middle that any body reached, and the fastest speed.
fn aftermath(builder: &SceneBuilder) -> [f64; 3] {
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let mut most = [0.0_f64; 3];
    for _ in 0..20 {
        run(&mut sim, 0.05);
        for link in &sim.model().links()[1..] {
            let body = sim.body(sim.model().find(&link.name).unwrap());
            let [x, y, z] = body.position;
            let v = body.velocity;
            most[0] = most[0].max(z);
            most[1] = most[1].max(x.hypot(y));
            most[2] = most[2].max(v.iter().map(|v| v * v).sum::<f64>().sqrt());
        }
    }
    most
}

#[test]
fn deep_overlap_does_not_throw_bodies_about() {
    let cube = || Shape::cuboid(0.1, 0.1, 0.1).unwrap();
    let ball = || Shape::sphere(0.1).unwrap();
    // sunk into the ground by half; two into each other by half; three in one place; wedged between walls too near
    let mut cases: Vec<(&str, SceneBuilder)> = Vec::new();
    for (name, n, apart, sunk) in [
        ("sunk", 1, 0.0, 0.1),
        ("two", 2, 0.1, 0.0),
        ("three in one place", 3, 1e-3, 0.0),
        ("deep", 3, 0.05, 0.15),
    ] {
        for round in [false, true] {
            let mut builder = SceneBuilder::new(name);
            builder.friction(0.5).ground();
            for k in 0..n {
                let shape = if round { ball() } else { cube() };
                let spec = BodySpec::new(&format!("body{k}"), shape).mass(1.0 + f64::from(k));
                let x = apart * f64::from(k);
                builder.body(spec.at(x, 0.3 * x, 0.1 - sunk + 0.1 * x)).unwrap();
            }
            cases.push((name, builder));
        }
    }
    for gap in [0.1, 0.19] {
        let mut builder = SceneBuilder::new("wedged");
        builder.friction(0.5).ground();
        for side in [-1.0, 1.0] {
            let pose = nalgebra::Isometry3::translation(side * (0.5 * gap + 0.2), 0.0, 0.3);
            builder.collider("world", Shape::cuboid(0.2, 0.5, 0.3).unwrap(), pose);
        }
        builder.body(BodySpec::new("cube", cube()).mass(1.0).at(0.0, 0.0, 0.3)).unwrap();
        cases.push(("wedged", builder));
    }
    for (name, builder) in &cases {
        let [height, out, speed] = aftermath(builder);
        println!("{name}: up to {height:.2} m high, {out:.2} m out, {speed:.2} m/s");
        // overlap is undone with 1 m/s; nothing starts higher than 0.3 m or gains speed but by falling
        assert!(height < 1.5 && out < 2.0 && speed < 4.0, "{name}: {height} {out} {speed}");
    }
}

#[test]
fn six_cubes_in_one_place_come_apart_within_a_bounded_search() {
    let mut builder = SceneBuilder::new("six");
    builder.friction(0.5).ground();
    for k in 0..6_u32 {
        let e = 1e-3 * f64::from(k);
        let spec = BodySpec::new(&format!("cube{k}"), Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(1.0);
        builder.body(spec.at(e, 0.7 * e, 0.1 + 0.3 * e).turned([1.0, 0.3 * e, 0.7 * e, e])).unwrap();
    }
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let (mut most, mut pivots, mut saved, mut depth) = (0, 0, 0, 0.0);
    for _ in 0..60 {
        let report = sim.step().unwrap();
        let Some(solve) = report.solve else { continue };
        most = most.max(solve.nodes - solve.pivots.min(solve.nodes));
        pivots = pivots.max(solve.pivots);
        saved += u32::from(solve.fallback != gudgeon_sim::Fallback::None);
        depth = report.penetration;
    }
    println!(
        "six cubes: {most} interior steps and {pivots} pivots at most, {saved} of 60 saved, {depth:.3} m deep then"
    );
    // both ways inward, once warm and once cold, and a step of modes with each
    assert!(most <= 400, "{most}");
    assert!(depth < 0.19, "overlap is undone meanwhile: {depth}");
}

/// A rod that falls, turning, onto the ground.
fn turning_rod(dt: f64) -> Simulator {
    let mut builder = SceneBuilder::new("rod");
    builder.friction(0.5).ground().settings().dt = dt;
    builder
        .body(BodySpec::new("rod", Shape::cuboid(0.3, 0.03, 0.03).unwrap()).mass(1.0).at(0.0, 0.0, 0.5))
        .unwrap();
    builder.velocity("rod", &[0.0, 9.0, 0.0, 0.0, 0.0, 0.0]);
    Simulator::new(&builder.build().unwrap()).unwrap()
}

#[test]
fn a_step_too_long_for_a_turning_body_says_that_it_led_into_overlap() {
    let long = run(&mut turning_rod(0.1), 3.0);
    println!("at 0.1 s: {} steps led deeper, {:.1e} m at most", long.deepened(), long.max_penetration());
    assert_eq!(long.failed(), 0, "every solve is exact");
    assert!(long.deepened() > 0 && long.max_penetration() > 1e-3);
    let short = run(&mut turning_rod(1e-3), 3.0);
    assert_eq!(short.deepened(), 0, "{:e}", short.max_penetration());
}

#[test]
fn overlap_that_bodies_were_placed_with_is_undone_and_not_counted() {
    let mut builder = SceneBuilder::new("sunk");
    builder.friction(0.5).ground();
    builder
        .body(BodySpec::new("cube", Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(1.0).at(0.0, 0.0, 0.08))
        .unwrap();
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let summary = run(&mut sim, 0.5);
    assert_eq!(summary.deepened(), 0);
    let height = crate::place(&sim, "cube")[2];
    assert!((height - 0.1).abs() < 1e-5, "it stands on the ground: {height}");
}

#[test]
fn what_is_hit_meets_what_lies_beyond_where_contacts_were_sought() {
    // a light ball at rest, 3 cm before a wall; a heavy one comes with 10 m/s, 10 cm a step
    for restitution in [0.0, 0.5] {
        let mut builder = SceneBuilder::new("beyond");
        builder.gravity(Vector3::zeros()).settings().dt = 0.01;
        builder.default_material(gudgeon_sim::Material { restitution, friction: 0.0, ..Default::default() });
        let wall = nalgebra::Isometry3::translation(0.15, 0.0, 0.0);
        builder.collider("world", Shape::cuboid(0.1, 0.5, 0.5).unwrap(), wall);
        let ball = |name: &str, mass: f64| BodySpec::new(name, Shape::sphere(0.02).unwrap()).mass(mass);
        builder.body(ball("light", 1e-3).at(0.0, 0.0, 0.0)).unwrap();
        builder.body(ball("heavy", 1.0).at(-0.08, 0.0, 0.0).moving(10.0, 0.0, 0.0)).unwrap();
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let summary = run(&mut sim, 0.1);
        println!("restitution {restitution}: {:.1e} m deep at most", summary.max_penetration());
        assert!(summary.max_penetration() < 1e-6, "{restitution}: {:e}", summary.max_penetration());
        assert!(crate::place(&sim, "light")[0] < 0.0301);
    }
}

#[test]
fn overlap_that_cannot_be_undone_does_not_grow_by_steps_that_are_small_beside_it() {
    // a ball on a slide, 4 cm deep in another one, which opens by an eighth of the way back, and 3 mm deep in a wall behind it
    let mut builder = SceneBuilder::new("squeezed");
    builder.gravity(Vector3::zeros()).friction(0.0).settings().dt = 2e-3;
    let ball = || Shape::sphere(0.1).unwrap();
    builder.collider("world", ball(), nalgebra::Isometry3::translation(0.02, 0.0, -0.16));
    let wall = nalgebra::Isometry3::translation(-0.197, 0.0, 0.0);
    builder.collider("world", Shape::cuboid(0.1, 0.5, 0.05).unwrap(), wall);
    let (slide, inertia) = (Joint::prismatic(Vector3::x()), Inertia::cuboid(1.0, [0.1; 3]));
    builder.link(LinkSpec::new("slide", "world", slide, Pose::identity(), inertia));
    builder.collider("slide", ball(), nalgebra::Isometry3::identity());
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let before = sim.step().unwrap().penetration;
    let after = run(&mut sim, 0.2).max_penetration();
    println!("{before:.4e} m deep, then {after:.4e} at most, {:.4} m on", crate::place(&sim, "slide")[0]);
    assert!(after < 1.02 * before, "{before:e} {after:e}");
}

/// A ball 0.5 mm deep in the ground comes out as if it were alone, to the bit, beside a cube between walls that leave it no room.
#[test]
fn overlap_is_undone_whatever_is_squeezed_beside() {
    let path = |beside: bool| {
        let mut builder = SceneBuilder::new("beside");
        builder.friction(0.5).ground();
        builder
            .body(BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(1.0).at(2.0, 0.0, 0.0995))
            .unwrap();
        if beside {
            for side in [-1.0, 1.0] {
                let pose = nalgebra::Isometry3::translation(side * 0.295, 0.0, 0.3);
                builder.collider("world", Shape::cuboid(0.2, 0.5, 0.3).unwrap(), pose);
            }
            let cube = Shape::cuboid(0.1, 0.1, 0.1).unwrap();
            builder.body(BodySpec::new("cube", cube).mass(1.0).at(0.0, 0.0, 0.3)).unwrap();
        }
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let mut heights = Vec::new();
        for _ in 0..20 {
            let _ = sim.step().unwrap();
            heights.push(crate::place(&sim, "ball")[2]);
        }
        heights
    };
    let alone = path(false);
    assert!((alone[19] - 0.1).abs() < 2e-6, "it came out: {alone:?}");
    assert_eq!(path(true), alone);
}

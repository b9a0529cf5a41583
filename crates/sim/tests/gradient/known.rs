//! Derivatives that theory gives.

use gudgeon_collide::Shape;
use gudgeon_sim::{
    BodySpec, Change, Linearization, Material, Rollout, Scene, SceneBuilder, Simulator, Worth,
};
use gudgeon_spatial::{Force, Vector3};

fn elastic_balls() -> Scene {
    let mut s = SceneBuilder::new("elastic balls");
    s.gravity(Vector3::zeros());
    s.default_material(Material { friction: 0.0, restitution: 1.0, ..Material::default() });
    for (name, x, v) in [("first", 0.0, 1.0), ("second", 0.5, 0.0)] {
        let ball = BodySpec::new(name, Shape::sphere(0.1).unwrap()).mass(1.0).at(x, 0.0, 0.0);
        s.body(ball.moving(v, 0.0, 0.0)).unwrap();
    }
    s.settings().dt = 0.01;
    s.build().unwrap()
}

/// One ball flies into another, at rest, and stops; the other goes on in its place: where it is a second later
/// depends on the first ball's start and velocity as if it had flown on, and on the second's not at all.
#[test]
fn elastic_balls_hand_over_their_derivative() {
    let scene = elastic_balls();
    let steps = 100;
    let mut rollout = Rollout::run(Simulator::new(&scene).unwrap(), steps, &[]).unwrap();
    let n = 12;
    let end = &rollout.q[steps * 14..];
    assert!((end[11] - 1.2).abs() < 1e-12, "{end:?}");
    let mut on_q = vec![0.0; (steps + 1) * n];
    let on_v = vec![0.0; (steps + 1) * n];
    // worth: x of the second ball at the end
    on_q[steps * n + 9] = 1.0;
    let worth = rollout.vjp(&on_q, &on_v).unwrap();
    let found = [worth.q[3], worth.q[9], worth.v[3], worth.v[9]];
    println!("{found:?}");
    for (x, y) in found.into_iter().zip([1.0, 0.0, 1.0, 0.0]) {
        assert!((x - y).abs() < 1e-9, "{found:?}");
    }
}

fn dropped(height: f64) -> Scene {
    let mut s = SceneBuilder::new("dropped");
    s.default_material(Material { restitution: 0.8, ..Material::default() }).ground();
    s.body(BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(1.0).at(0.0, 0.0, 0.1 + height)).unwrap();
    s.settings().dt = 0.01;
    s.build().unwrap()
}

/// Height some time after a bounce, against the height it was dropped from: a continuous curve, whatever part of a
/// step the impact falls into, with the slope that the derivative says.
#[test]
fn the_height_after_a_bounce_is_continuous_and_has_its_slope() {
    let steps = 40;
    let after = |h: f64| {
        let mut sim = Simulator::new(&dropped(h)).unwrap();
        for _ in 0..steps {
            let _ = sim.step().unwrap();
        }
        sim.state().q[6]
    };
    // 30 steps' worth of impact times, finely
    let heights: Vec<f64> = (0..400).map(|k| 0.2 + 0.0005 * f64::from(k)).collect();
    let values: Vec<f64> = heights.iter().map(|h| after(*h)).collect();
    let jump = values.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
    println!("largest change between neighbours {jump:e} m");
    // half a millimetre of height moves it by less than four
    assert!(jump < 2e-3, "{jump}");
    let mut off = 0.0_f64;
    for h in [0.21, 0.2437, 0.31, 0.3333] {
        let mut rollout = Rollout::run(Simulator::new(&dropped(h)).unwrap(), steps, &[]).unwrap();
        let mut on_q = vec![0.0; (steps + 1) * 6];
        on_q[steps * 6 + 5] = 1.0;
        let worth = rollout.vjp(&on_q, &vec![0.0; (steps + 1) * 6]).unwrap();
        let d = 1e-6;
        let slope = (after(h + d) - after(h - d)) / (2.0 * d);
        off = off.max((worth.q[5] - slope).abs() / slope.abs().max(1.0));
    }
    println!("slopes off by {off:e}");
    assert!(off < 1e-6, "{off:e}");
}

fn resting(push: f64) -> (Simulator, Linearization) {
    let mut s = SceneBuilder::new("resting");
    s.friction(0.5).ground();
    let spec = BodySpec::new("box", Shape::cuboid(0.1, 0.1, 0.05).unwrap()).mass(1.0).at(0.0, 0.0, 0.05);
    s.body(spec).unwrap();
    let scene = s.build().unwrap();
    let mut sim = Simulator::new(&scene).unwrap();
    sim.external = vec![Force::zero(); 2];
    sim.external[1].linear.x = push;
    let linear = sim.linearize().unwrap();
    (sim, linear)
}

#[test]
fn a_box_at_rest_under_a_push_does_not_move_and_its_derivative_is_zero() {
    let (_, mut linear) = resting(3.0);
    let mut push = vec![Force::zero(); 2];
    push[1].linear = Vector3::new(1.0, 0.5, 0.0);
    let (mut q, mut v) = (vec![0.0; 6], vec![0.0; 6]);
    linear.jvp(&Change { external: &push, ..Change::default() }, &mut q, &mut v);
    assert!(q.iter().chain(&v).all(|x| x.abs() < 1e-16), "{q:?} {v:?}");
    let mut worth = Worth::default();
    linear.vjp(&[1.0; 6], &[1.0; 6], &mut worth);
    let on = worth.external[1].linear;
    assert!(on.x.abs() < 1e-16 && on.y.abs() < 1e-16, "{on:?}");
}

/// At the edge of the cone a push either way has its own derivative: none inwards, that of a free body outwards.
#[test]
fn at_the_edge_of_the_cone_both_sides_are_right() {
    let weight = 9.81;
    let (sim, mut linear) = resting(0.5 * weight);
    assert!(!linear.kinks().is_empty(), "the edge is named");
    let mut push = vec![Force::zero(); 2];
    let (mut q, mut v) = (vec![0.0; 6], vec![0.0; 6]);
    let dt = sim.settings.dt;
    for (side, expected) in [(1.0, dt), (-1.0, 0.0)] {
        push[1].linear.x = side;
        linear.directional(&Change { external: &push, ..Change::default() }, &mut q, &mut v).unwrap();
        println!("{side}: {v:?}");
        assert!((v[3] - side * expected).abs() < 1e-12, "{side}: {v:?}");
        assert!((q[3] - side * expected * dt).abs() < 1e-12);
    }
    // and differences on either side agree
    for (side, expected) in [(1.0, dt), (-1.0, 0.0)] {
        let h = 1e-4;
        let mut moved = sim.clone();
        moved.external[1].linear.x += side * h;
        let _ = moved.step().unwrap();
        let mut still = sim.clone();
        let _ = still.step().unwrap();
        let slope = (moved.state().v[3] - still.state().v[3]) / h;
        assert!((slope - side * expected).abs() < 1e-8, "{slope}");
    }
}

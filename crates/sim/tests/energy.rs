//! Energy is never made: bodies in flight, impacts, chains and loops that nothing drives.

use std::fmt::Write as _;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec, LoopKind, LoopSpec};
use gudgeon_sim::{BodySpec, Material, RestitutionLaw, SceneBuilder, Simulator};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use gudgeon_testkit::rng::Rng;

/// Kinetic and potential energy together, J.
pub(crate) fn total(sim: &Simulator) -> f64 {
    sim.energy().iter().sum()
}

/// A brick alone in space, its centre of mass `off` from its origin.
fn brick(spin: Vector3<f64>, off: Vector3<f64>, dt: f64) -> Simulator {
    let mut builder = SceneBuilder::new("brick");
    builder.gravity(Vector3::zeros()).settings().dt = dt;
    let inertia = Inertia::cuboid(1.0, [0.1, 0.05, 0.15]).translated(off);
    builder.link(LinkSpec::new("brick", "world", Joint::Free, Pose::identity(), inertia));
    builder.velocity("brick", &[spin.x, spin.y, spin.z, 0.3, 0.0, 0.0]);
    Simulator::new(&builder.build().unwrap()).unwrap()
}

/// Angular momentum about the centre of mass, world axes.
fn spin_of(sim: &Simulator) -> Vector3<f64> {
    let about = gudgeon_multibody::center_of_mass(sim.model(), sim.workspace());
    gudgeon_multibody::momentum(sim.model(), &about, sim.workspace()).angular
}

#[test]
fn a_brick_tumbles_for_ten_seconds_with_its_energy_and_momentum() {
    for (speed, dt) in
        [(15.0, 0.01), (15.0, 0.033), (30.0, 0.01), (150.0, 1e-3), (300.0, 1e-3), (499.0, 1e-3)]
    {
        for off in [Vector3::zeros(), Vector3::new(0.05, -0.1, 0.2)] {
            let spin = Vector3::new(0.5, -0.4, 0.7).normalize() * speed;
            let mut sim = brick(spin, off, dt);
            let (energy, momentum) = (total(&sim), spin_of(&sim));
            let (mut made, mut bent) = (0.0_f64, 0.0_f64);
            while sim.time() < 10.0 {
                let _ = sim.step().unwrap();
                made = made.max((total(&sim) / energy - 1.0).abs());
                bent = bent.max((spin_of(&sim) - momentum).norm() / momentum.norm());
            }
            println!(
                "{speed} rad/s, {dt} s, centre off by {:.2} m: energy {made:.1e}, momentum {bent:.1e}",
                off.norm()
            );
            assert!(made < 1e-6 && bent < 1e-6, "{speed} {dt}: {made:e} {bent:e}");
        }
    }
}

/// A body on four legs of two links each, its joints held by springs.
fn quadruped() -> SceneBuilder {
    let mut builder = SceneBuilder::new("quadruped");
    builder.friction(0.8).ground();
    let trunk = Inertia::cuboid(8.0, [0.25, 0.1, 0.05]).translated(Vector3::new(0.02, 0.01, 0.0));
    builder.link(LinkSpec::new("trunk", "world", Joint::Free, Pose::identity(), trunk));
    builder.position("trunk", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.36]);
    for (k, (x, y)) in [(0.2, 0.12), (0.2, -0.12), (-0.2, 0.12), (-0.2, -0.12)].into_iter().enumerate() {
        let bar = Inertia::cuboid(0.6, [0.01, 0.01, 0.1]).translated(Vector3::new(0.0, 0.0, -0.1));
        let hinge = Joint::revolute(Vector3::y());
        let (thigh, shank) = (format!("thigh{k}"), format!("shank{k}"));
        builder.link(LinkSpec::new(&thigh, "trunk", hinge, Pose::from_translation(x, y, 0.0), bar));
        builder.link(LinkSpec::new(&shank, &thigh, hinge, Pose::from_translation(0.0, 0.0, -0.2), bar));
        let foot = nalgebra::Isometry3::translation(0.0, 0.0, -0.2);
        builder.collider(&shank, Shape::sphere(0.02).unwrap(), foot);
        for (joint, angle) in [(thigh, 0.6), (shank, -1.1)] {
            builder.position(&joint, &[angle]);
            let motion = gudgeon_sim::JointMotion::constant(&joint, angle);
            let effort = f64::INFINITY;
            builder.controller(gudgeon_sim::Controller::Pd { motion, stiffness: 80.0, damping: 6.0, effort });
        }
    }
    builder
}

#[test]
fn the_forces_on_a_standing_quadruped_sum_to_its_weight() {
    let mut sim = Simulator::new(&quadruped().build().unwrap()).unwrap();
    crate::run(&mut sim, 6.0);
    let mut sum = Vector3::zeros();
    for c in sim.contacts() {
        sum += if c.b.0 == 0 { c.force } else { -c.force };
    }
    let weight = sim.model().mass() * 9.81;
    let (up, side) = (sum.z / weight - 1.0, sum.x.hypot(sum.y) / weight);
    println!(
        "quadruped: forces over the weight 1 + {up:.1e}, sideways {side:.1e}, {:.1e} J",
        sim.energy()[0]
    );
    assert!(up.abs() < 1e-9 && side < 1e-9, "{up:e} {side:e}");
}

#[test]
fn a_pendulum_on_a_base_that_is_welded_to_the_world_keeps_its_energy() {
    let mut builder = SceneBuilder::new("pendulum");
    builder.link(LinkSpec::new("base", "world", Joint::Fixed, Pose::identity(), Inertia::zero()));
    let bob = Inertia::cuboid(1.0, [0.1, 0.1, 0.1]).translated(Vector3::new(0.0, 0.0, -0.5));
    builder.link(LinkSpec::new("bob", "base", Joint::revolute(Vector3::y()), Pose::identity(), bob));
    builder.position("bob", &[0.5]);
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let start = total(&sim);
    crate::run(&mut sim, 3.0);
    println!("pendulum: energy off by {:.1e} J", total(&sim) - start);
    assert!((total(&sim) - start).abs() < 1e-4, "{} {start}", total(&sim));
    assert!(total(&sim) - start < 1e-9 * start.abs());
}

/// A dumbbell falls flat on two touching balls: contacts of one impact that push each other.
#[test]
fn simultaneous_impacts_give_back_no_more_than_they_took() {
    let mut kept = f64::INFINITY;
    for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
        let mut builder = SceneBuilder::new("dumbbell");
        builder
            .default_material(Material { restitution: 1.0, friction: 0.0, ..Material::default() })
            .ground();
        builder.settings().restitution = law;
        for (k, x) in [-0.2, 0.2].into_iter().enumerate() {
            let mass = if k == 0 { 0.01 } else { 5.0 };
            let ball = BodySpec::new(&format!("ball{k}"), Shape::sphere(0.1).unwrap()).mass(mass);
            builder.body(ball.at(x, 0.0, 0.1)).unwrap();
        }
        let bar = BodySpec::new("bar", Shape::capsule(0.4, 0.05).unwrap()).mass(1.0).at(0.05, 0.0, 0.5);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        builder.body(bar.turned([half, 0.0, half, 0.0])).unwrap();
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let start = total(&sim);
        let mut last = start;
        while sim.time() < 1.0 {
            let _ = sim.step().unwrap();
            assert!(total(&sim) - last <= 1e-12 * start, "{law:?} at {}: {}", sim.time(), total(&sim) - last);
            last = total(&sim);
        }
        kept = kept.min(last / start);
    }
    println!("dumbbell on balls: {kept:.4} of the energy is left after a second");
    assert!(kept > 0.5, "elastic impacts keep what they can: {kept}");
}

pub(crate) fn shape(rng: &mut Rng, size: f64) -> Shape {
    let mut r = || size * rng.uniform(0.3, 1.0);
    let (a, b, c) = (r(), r(), r());
    match rng.below(4) {
        0 => Shape::sphere(a),
        1 => Shape::capsule(a, 0.5 * b),
        2 => Shape::cylinder(a, b),
        _ => Shape::cuboid(a, b, c),
    }
    .unwrap()
}

pub(crate) fn turn(rng: &mut Rng) -> [f64; 4] {
    let q: [f64; 4] = std::array::from_fn(|_| rng.normal());
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

fn drops(rng: &mut Rng, builder: &mut SceneBuilder, ratio: f64) {
    builder.ground();
    for k in 0..2 + rng.below(5) {
        let mass = 10_f64.powf(rng.uniform(-0.5, 0.5) * ratio);
        let spec = BodySpec::new(&format!("body{k}"), shape(rng, 0.1)).mass(mass);
        let at = [rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), 0.25 + 0.35 * k as f64];
        let spec = spec.at(at[0], at[1], at[2]).turned(turn(rng));
        builder.body(spec.moving(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0)).unwrap();
    }
}

/// A chain of hinges and ball joints, hung up or let go over the ground.
fn chain(rng: &mut Rng, builder: &mut SceneBuilder, ratio: f64) {
    builder.ground();
    let (hung, n) = (rng.below(2) == 0, 3 + rng.below(6));
    let height = 0.2 * n as f64 + rng.uniform(0.05, 0.5);
    for k in 0..n {
        let mass = 10_f64.powf(rng.uniform(-0.5, 0.5) * ratio);
        let inertia = Inertia::cuboid(mass, [0.02, 0.015, 0.1]).translated(Vector3::new(0.0, 0.0, -0.1));
        let joint = match (k, hung, rng.below(3)) {
            (0, false, _) => Joint::Free,
            (_, _, 0) => Joint::Spherical,
            (_, _, 1) => Joint::revolute(Vector3::x()),
            _ => Joint::revolute(Vector3::y()),
        };
        let parent = if k == 0 { "world".to_owned() } else { format!("link{}", k - 1) };
        let placed = if k == 0 {
            Pose::from_translation(0.0, 0.0, height)
        } else {
            Pose::from_translation(0.0, 0.0, -0.2)
        };
        let name = format!("link{k}");
        let link = LinkSpec::new(&name, &parent, joint, placed, inertia);
        let limited = joint.n_v() == 1 && rng.below(4) == 0;
        builder.link(if limited { link.limits(-0.4, 0.6) } else { link });
        let pose = nalgebra::Isometry3::translation(0.0, 0.0, -0.1);
        builder.collider(&name, Shape::capsule(0.07, 0.015).unwrap(), pose);
        let speed = rng.uniform(0.0, 10.0);
        let v: Vec<f64> = (0..joint.n_v()).map(|_| speed * rng.uniform(-0.5, 0.5)).collect();
        builder.velocity(&name, &v);
        if joint.n_v() == 1 && !limited {
            builder.position(&name, &[rng.uniform(-1.0, 1.0)]);
        }
    }
}

/// A crank and a rocker joined by a bar.
fn four_bars(rng: &mut Rng, builder: &mut SceneBuilder, ratio: f64) {
    let lengths = [0.3, 0.8, 0.6];
    // angles turn down; the coupler's end is where circles about its hinge and the rocker's meet
    let crank = -0.8_f64;
    let (x, z) = (lengths[0] * crank.cos(), -lengths[0] * crank.sin());
    let (far, lean) = ((1.0 - x).hypot(z), (-z).atan2(1.0 - x));
    let inner = ((lengths[1].powi(2) + far * far - lengths[2].powi(2)) / (2.0 * lengths[1] * far)).acos();
    let (end_x, end_z) = (x + lengths[1] * (lean + inner).cos(), z + lengths[1] * (lean + inner).sin());
    let (coupler, rocker) = (-(lean + inner) - crank, -end_z.atan2(end_x - 1.0));
    let hinge = Joint::revolute(Vector3::y());
    let bars = [
        ("crank", "world", 0.0, crank),
        ("coupler", "crank", 0.3, coupler),
        ("rocker", "world", 1.0, rocker),
    ];
    for ((name, parent, x, start), length) in bars.into_iter().zip(lengths) {
        let mass = length * 10_f64.powf(rng.uniform(-0.5, 0.5) * ratio);
        let rod = Inertia::cuboid(mass, [0.5 * length, 0.01, 0.01]);
        let rod = rod.translated(Vector3::new(0.5 * length, 0.0, 0.0));
        builder.link(LinkSpec::new(name, parent, hinge, Pose::from_translation(x, 0.0, 0.0), rod));
        builder.position(name, &[start]);
    }
    let turn = Pose::rotation_about(&Vector3::x(), -std::f64::consts::FRAC_PI_2);
    builder.close(LoopSpec {
        kind: LoopKind::Revolute,
        link_a: "coupler".into(),
        link_b: "rocker".into(),
        frame_a: Pose::new(turn, Vector3::new(lengths[1], 0.0, 0.0)),
        frame_b: Pose::new(turn, Vector3::new(lengths[2], 0.0, 0.0)),
    });
    builder.velocity("crank", &[rng.uniform(-20.0, 20.0)]);
    // something falls onto it
    builder.collider(
        "crank",
        Shape::capsule(0.1, 0.02).unwrap(),
        nalgebra::Isometry3::translation(0.15, 0.0, 0.0),
    );
    builder.body(BodySpec::new("ball", Shape::sphere(0.05).unwrap()).mass(0.2).at(0.15, 0.0, 0.6)).unwrap();
}

/// Of the random scenes; another with GUDGEON_SEED.
fn seed() -> u64 {
    std::env::var("GUDGEON_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0xe4e7)
}

/// Random scene `index` of bodies that nothing drives.
fn passive(seed: u64, index: u64) -> (Simulator, String) {
    let mut rng = Rng::indexed(seed, index);
    let mut builder = SceneBuilder::new("passive");
    let restitution = [0.0, 0.3, 0.7, 1.0][rng.below(4)];
    let friction = [0.0, 0.3, 0.8, 3.0][rng.below(4)];
    builder.default_material(Material { restitution, friction, ..Material::default() });
    let law = [RestitutionLaw::Newton, RestitutionLaw::Poisson][usize::from(rng.below(4) == 0)];
    builder.settings().restitution = law;
    builder.settings().dt = [1e-3, 1e-3, 4e-3][rng.below(3)];
    let ratio = [1.0, 3.0, 6.0][rng.below(3)];
    let kind = ["drops", "chain", "loop"][usize::try_from(index % 3).unwrap()];
    match kind {
        "drops" => drops(&mut rng, &mut builder, ratio),
        "chain" => chain(&mut rng, &mut builder, ratio),
        _ => four_bars(&mut rng, &mut builder, ratio),
    }
    let sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let dt = sim.settings.dt;
    (sim, format!("{index}: {kind}, e {restitution}, mu {friction}, {law:?}, 10^{ratio}:1, dt {dt}"))
}

/// Runs passive scenes; the largest rise of energy in a step over the energy at the start, of all, and a line on each scene
/// where it is more than it should be, bodies overlap by a centimetre, or a step ends with an error: one in a hundred at most.
fn rises(seed: u64, scenes: std::ops::Range<u64>, seconds: f64) -> (f64, u32, String) {
    let (mut worst, mut told, mut ended, mut curbed) = (0.0_f64, String::new(), 0, 0);
    let most = scenes.clone().count() / 100;
    for index in scenes {
        let (mut sim, what) = passive(seed, index);
        let start = total(&sim);
        let (mut last, mut rise, mut deepest, mut at) = (start, 0.0_f64, 0.0_f64, 0.0);
        while sim.time() < seconds {
            let report = match sim.step() {
                Ok(report) => report,
                Err(error) => {
                    // a loop that a long step leads out of reach: said, and nothing moves on from there
                    writeln!(told, "{what}: {error}").unwrap();
                    ended += 1;
                    break;
                }
            };
            let now = total(&sim);
            if now - last > rise {
                (rise, at) = (now - last, sim.time());
            }
            last = now;
            deepest = deepest.max(report.penetration);
            curbed += u32::from(report.curbed);
        }
        let relative = rise / start.abs();
        if relative > 1e-9 || deepest > 1e-2 {
            let line = format!("rise {relative:.1e} at {at:.3} s, from {start:.3e} to {last:.3e} J");
            writeln!(told, "{what}: {line}, {deepest:.1e} m deep").unwrap();
        }
        worst = worst.max(relative);
    }
    assert!(ended <= most, "{ended} scenes ended with an error: {told}");
    (worst, curbed, told)
}

#[test]
fn no_step_of_a_passive_scene_makes_energy() {
    let (worst, curbed, told) = rises(seed(), 0..60, 1.0);
    println!(
        "{told}60 passive scenes: the energy rises by {worst:.1e} of its start in a step at most; {curbed} steps cut short"
    );
    assert!(worst <= 1e-9, "{worst:e}");
}

/// `cargo test --release -p gudgeon-sim --test main -- --ignored --nocapture three_hundred`
#[test]
#[ignore = "takes minutes"]
fn three_hundred_passive_scenes_make_no_energy() {
    let (worst, curbed, told) = rises(seed(), 60..360, 1.5);
    println!(
        "{told}300 passive scenes: the energy rises by {worst:.1e} of its start in a step at most; {curbed} steps cut short"
    );
    assert!(worst <= 1e-9, "{worst:e}");
}

/// Chains with links a million times lighter than others, which swing too fast for the step: positions led higher than all motion
/// could pay for, by up to a third of all energy.
#[test]
fn a_step_that_leads_too_high_is_cut_short_and_told() {
    for (seed, index) in [(4, 259), (3, 10), (7, 20)] {
        let (worst, curbed, told) = rises(seed, index..index + 1, 1.3);
        println!("{told}{index} of seed {seed}: {worst:.1e}, {curbed} steps cut short");
        assert!(worst <= 1e-9 && curbed > 0, "{worst:e}, {curbed}");
    }
}

/// A light link that turns about the end of a heavy chain on the ground: joints that go straight on would lift the chain.
#[test]
fn a_light_link_that_turns_lifts_no_heavy_chain() {
    let (worst, curbed, told) = rises(17, 121..122, 1.5);
    println!("{told}{worst:.1e}, {curbed} steps cut short");
    assert!(worst <= 1e-9 && curbed == 0, "{worst:e}, {curbed}");
}

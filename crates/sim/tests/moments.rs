//! Torsional and rolling friction, belts, friction of rest and of sliding: against theory, and the law recomputed.
//!
//! ```text
//!     a ball spins down     I ω̇ = -γ m g,  I = ⅖ m r²          a ball rolls out    v̇ = -5/7 (ρ/r) g
//!     a disc spins down     I ω̇ = -(γ + μ R) m g, I = ½ m R²   a ball on a slope   rests if tan θ ≤ ρ/r
//! ```

use gudgeon_collide::Shape;
use gudgeon_lcp::Status;
use gudgeon_sim::{BodySpec, Material, Mode, Scene, SceneBuilder, Simulator};
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

const G: f64 = 9.81;
const DT: f64 = 1e-3;

fn rubbing(friction: f64, torsion: f64, rolling: f64) -> Material {
    Material { friction, torsion, rolling, ..Material::default() }
}

/// One body over a plane that leans by `slope` about y, gravity straight down; the body is given in the plane's axes.
fn on_plane(body: BodySpec, material: Material, slope: f64) -> Scene {
    let mut s = SceneBuilder::new("one");
    s.default_material(material).gravity(Vector3::new(G * slope.sin(), 0.0, -G * slope.cos())).ground();
    s.settings().dt = DT;
    s.body(body).expect("a body");
    s.build().expect("a scene")
}

fn ball(radius: f64) -> BodySpec {
    BodySpec::new("ball", Shape::sphere(radius).expect("a ball")).mass(0.7).at(0.0, 0.0, radius)
}

/// Steps until `seconds`; every step must be solved as asked, and the moments must obey their law.
fn run(sim: &mut Simulator, seconds: f64) {
    while sim.time() < seconds - 0.5 * DT {
        let report = sim.step().expect("a step");
        if let Some(solve) = report.solve {
            assert_eq!(solve.status, Status::Solved, "at {} s", sim.time());
            assert!(solve.residual.natural <= 1e-9, "residual {:.1e}", solve.residual.natural);
        }
        assert_eq!(sim.fallbacks()[1..].iter().sum::<u64>(), 0);
        hold_law(sim);
    }
}

/// The bounds by the contact's own normal force, and which way moments of what turns point, from forces and velocities.
fn hold_law(sim: &Simulator) {
    for c in sim.contacts() {
        let n = c.force.dot(&c.normal);
        let (spin, turn) = {
            let w = |link: gudgeon_multibody::LinkId| {
                if link == gudgeon_multibody::LinkId::WORLD {
                    Vector3::zeros()
                } else {
                    Vector3::from(sim.body(link).angular_velocity)
                }
            };
            let w = w(c.a) - w(c.b);
            (w.dot(&c.normal), w - c.normal * w.dot(&c.normal))
        };
        let about = c.moment.dot(&c.normal);
        let across = c.moment - c.normal * about;
        let (gamma, rho) = (c.material.torsion, c.material.rolling);
        // newton metres: a billionth of the moments of this size
        let small = 1e-9 * (gamma + rho) * n.abs() + 1e-12;
        assert!(about.abs() <= gamma * n + small, "torsion {about:e} over {:e}", gamma * n);
        assert!(across.norm() <= rho * n + small, "rolling {:e} over {:e}", across.norm(), rho * n);
        // what still turns at the end of the step meets the whole bound, against its turning; rad/s
        if spin.abs() > 1e-6 {
            assert!((about + gamma * n * spin.signum()).abs() <= 1e-6 * gamma * n + small, "{about} {spin}");
        }
        if turn.norm() > 1e-6 {
            let whole = across + turn * (rho * n / turn.norm());
            assert!(whole.norm() <= 1e-6 * rho * n + small, "{across} {turn}");
        }
    }
}

fn near(value: f64, theory: f64, part: f64, what: &str) {
    assert!((value - theory).abs() <= part * theory.abs(), "{what}: {value}, theory {theory}");
}

#[test]
fn a_spinning_ball_stops_as_theory_says() {
    let (r, gamma, w) = (0.05, 0.002, 30.0);
    let mut body = ball(r);
    body.angular_velocity = Vector3::new(0.0, 0.0, w);
    let mut sim = Simulator::new(&on_plane(body, rubbing(0.5, gamma, 0.0), 0.0)).expect("starts");
    let slowing = gamma * G / (0.4 * r * r);
    let stop = w / slowing;
    run(&mut sim, 0.5 * stop);
    let k = sim.model().find("ball").expect("a ball");
    near(sim.body(k).angular_velocity[2], w - slowing * sim.time(), 1e-9, "spin half-way");
    run(&mut sim, stop - 2.0 * DT);
    assert!(sim.body(k).angular_velocity[2] > 0.0);
    run(&mut sim, stop + 2.0 * DT);
    // rad/s: it is held, not slow
    assert!(sim.body(k).angular_velocity[2].abs() < 1e-12, "{}", sim.body(k).angular_velocity[2]);
    println!("ball: stops within 2 ms of {stop:.6} s");
}

#[test]
fn a_spinning_disc_stops_as_theory_says() {
    // without sliding friction, and with it: the contact points of a flat disc lie on its rim
    for (mu, gamma) in [(0.0, 0.004), (0.03, 0.004)] {
        let (radius, w) = (0.2, 20.0);
        let disc = Shape::cylinder(0.02, radius).expect("a disc");
        let mut body = BodySpec::new("disc", disc).mass(1.3).at(0.0, 0.0, 0.02);
        body.angular_velocity = Vector3::new(0.0, 0.0, w);
        let mut sim = Simulator::new(&on_plane(body, rubbing(mu, gamma, 0.0), 0.0)).expect("starts");
        let slowing = (gamma + mu * radius) * G / (0.5 * radius * radius);
        let (k, stop) = (sim.model().find("disc").expect("a disc"), w / slowing);
        run(&mut sim, 0.5 * stop);
        near(sim.body(k).angular_velocity[2], w - slowing * sim.time(), 1e-3, "spin half-way");
        run(&mut sim, stop * 0.999);
        assert!(sim.body(k).angular_velocity[2] > 0.0);
        run(&mut sim, stop * 1.001 + DT);
        assert!(sim.body(k).angular_velocity[2].abs() < 1e-9);
        println!("disc, mu {mu}: stops within 0.1 % of {stop:.6} s");
    }
}

#[test]
fn a_ball_rolls_out_as_theory_says() {
    let (r, rho, v) = (0.1, 0.002, 1.0);
    let mut body = ball(r).moving(v, 0.0, 0.0);
    body.angular_velocity = Vector3::new(0.0, v / r, 0.0);
    let mut sim = Simulator::new(&on_plane(body, rubbing(0.6, 0.0, rho), 0.0)).expect("starts");
    let slowing = 5.0 / 7.0 * rho / r * G;
    let (k, stop) = (sim.model().find("ball").expect("a ball"), v / slowing);
    run(&mut sim, 0.5 * stop);
    near(sim.body(k).velocity[0], v - slowing * sim.time(), 1e-9, "speed half-way");
    run(&mut sim, stop * 0.999);
    assert!(sim.body(k).velocity[0] > 0.0);
    run(&mut sim, stop * 1.001 + DT);
    assert!(sim.body(k).velocity[0].abs() < 1e-12, "{}", sim.body(k).velocity[0]);
    let way = 0.5 * v * v / slowing;
    println!("ball: rolls {:.6} m, theory {way:.6}", sim.body(k).position[0]);
    near(sim.body(k).position[0], way, 1e-3, "way");
}

#[test]
fn a_ball_on_a_slope_rolls_or_rests() {
    let (r, rho) = (0.1_f64, 0.02);
    let critical = (rho / r).atan();
    for (part, rolls) in [(0.99, false), (1.01, true)] {
        let slope = part * critical;
        let mut sim = Simulator::new(&on_plane(ball(r), rubbing(0.8, 0.0, rho), slope)).expect("starts");
        let k = sim.model().find("ball").expect("a ball");
        run(&mut sim, 2.0);
        let (way, v) = (sim.body(k).position[0], sim.body(k).velocity[0]);
        if rolls {
            let a = 5.0 / 7.0 * G * (slope.sin() - rho / r * slope.cos());
            near(v, 2.0 * a, 1e-3, "speed");
            near(way, 2.0 * a, 1e-3, "way");
            println!("slope {part}: v {v:.9}, theory {:.9}", 2.0 * a);
        } else {
            assert!(way.abs() < 1e-12 && v.abs() < 1e-12, "creeps: {way:e} m, {v:e} m/s");
        }
    }
}

#[test]
fn tumbling_bodies_obey_the_law_at_every_contact() {
    let mut s = SceneBuilder::new("heap");
    s.default_material(rubbing(0.4, 0.01, 0.02)).ground();
    s.settings().dt = 2e-3;
    for k in 0..6_u32 {
        let x = 0.17 * f64::from(k % 3);
        let (y, z) = (0.15 * f64::from(k / 3), 0.3 + 0.05 * f64::from(k));
        let shape = match k % 3 {
            0 => Shape::cuboid(0.05, 0.07, 0.04).expect("a box"),
            1 => Shape::capsule(0.06, 0.04).expect("a capsule"),
            _ => Shape::sphere(0.06).expect("a ball"),
        };
        let mut body = BodySpec::new(&format!("b{k}"), shape).mass(0.5).at(x, y, z);
        body.angular_velocity = Vector3::new(3.0, -2.0 + f64::from(k), 5.0);
        s.body(body).expect("a body");
    }
    let mut sim = Simulator::new(&s.build().expect("a scene")).expect("starts");
    let mut rounds = 0;
    for _ in 0..600 {
        let report = sim.step().expect("a step");
        rounds += report.contacts;
        assert!(report.solve.is_none_or(|s| s.status == Status::Solved), "at {} s", sim.time());
        hold_law(&sim);
    }
    assert!(rounds > 0, "they touch");
    let [kinetic, _] = sim.energy();
    assert!(kinetic < 1e-6, "rolling friction ends it: {kinetic} J");
}

#[test]
fn surfaces_that_do_not_touch_turning_keep_their_bits() {
    // the same fall with moments of no size, and with a coefficient on a surface that nothing touches
    let fall = |far: f64| {
        let mut s = SceneBuilder::new("fall");
        s.ground();
        let other = s.material(rubbing(0.5, far, far));
        let mut body = BodySpec::new("box", Shape::cuboid(0.1, 0.2, 0.1).expect("a box"));
        body.angular_velocity = Vector3::new(1.0, 2.0, 3.0);
        s.body(body.at(0.0, 0.0, 0.4)).expect("a body");
        s.body(
            BodySpec::new("away", Shape::sphere(0.1).expect("a ball")).at(9.0, 0.0, 50.0).of_material(other),
        )
        .expect("a body");
        let mut sim = Simulator::new(&s.build().expect("a scene")).expect("starts");
        (0..800).for_each(|_| assert!(sim.step().is_ok()));
        sim.state_hash()
    };
    assert_eq!(fall(0.0), fall(0.1));
}

#[test]
fn a_belt_takes_its_load_along() {
    let (mu, speed) = (0.3, 0.5);
    let mut s = SceneBuilder::new("belt");
    s.friction(mu);
    let top = Isometry3::from_parts(Translation3::new(0.0, 0.0, -0.1), UnitQuaternion::identity());
    let belt = s.collider("world", Shape::cuboid(5.0, 1.0, 0.1).expect("a belt"), top);
    belt.surface_velocity = Vector3::new(speed, 0.0, 0.0);
    s.settings().dt = DT;
    let load = Shape::cuboid(0.1, 0.1, 0.05).expect("a load");
    s.body(BodySpec::new("load", load).mass(2.0).at(0.0, 0.0, 0.05)).expect("a body");
    let mut sim = Simulator::new(&s.build().expect("a scene")).expect("starts");
    let k = sim.model().find("load").expect("a load");
    let until = speed / (mu * G);
    run(&mut sim, 0.5 * until);
    near(sim.body(k).velocity[0], mu * G * sim.time(), 1e-9, "speeding up");
    run(&mut sim, 2.0);
    // m/s: it rides, it does not creep
    assert!((sim.body(k).velocity[0] - speed).abs() < 1e-12, "{}", sim.body(k).velocity[0]);
    assert!(sim.contacts().iter().all(|c| c.mode == Mode::Stick && c.slip.norm() < 1e-12));
    let way = speed * (sim.time() - until) + 0.5 * speed * until;
    near(sim.body(k).position[0], way, 1e-3, "way");
}

#[test]
fn two_numbers_of_friction_hold_and_slide() {
    let (rest, slide) = (0.6, 0.4);
    let material = Material { friction: rest, kinetic: Some(slide), ..Material::default() };
    let block = || {
        let shape = Shape::cuboid(0.1, 0.1, 0.05).expect("a block");
        BodySpec::new("block", shape).mass(2.0).at(0.0, 0.0, 0.05)
    };
    let slope = 0.5_f64.atan(); // between the two
    let mut sim = Simulator::new(&on_plane(block(), material, slope)).expect("starts");
    let k = sim.model().find("block").expect("a block");
    run(&mut sim, 1.0);
    assert!(sim.body(k).position[0].abs() < 1e-12, "held by the friction of rest");
    // pushed once it does not stop
    let mut sim = Simulator::new(&on_plane(block().moving(0.1, 0.0, 0.0), material, slope)).expect("starts");
    run(&mut sim, 1.0);
    near(sim.body(k).velocity[0], 0.1 + G * (slope.sin() - slide * slope.cos()), 1e-6, "slides on");
    // steeper than the friction of rest: it breaks away, and slides with the lesser one from the first step
    let steep = 0.601_f64.atan();
    let mut sim = Simulator::new(&on_plane(block(), material, steep)).expect("starts");
    run(&mut sim, 1.0);
    near(sim.body(k).velocity[0], G * (steep.sin() - slide * steep.cos()), 1e-6, "breaks away");
    // on the flat it slows down by the lesser friction, and then stays
    let mut sim = Simulator::new(&on_plane(block().moving(1.0, 0.0, 0.0), material, 0.0)).expect("starts");
    run(&mut sim, 0.1);
    near(sim.body(k).velocity[0], 1.0 - slide * G * 0.1, 1e-9, "slows down");
    run(&mut sim, 0.5);
    assert!(sim.body(k).velocity[0].abs() < 1e-12);
}

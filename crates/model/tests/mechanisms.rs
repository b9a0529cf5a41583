//! The mechanisms of scenes/, each held against its theory.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::PathBuf;

use gudgeon_model::{LoadOptions, load_scene_with};
use gudgeon_sim::{Reactions, Simulator};

/// A scene of scenes/ at its start, with numbers set.
fn mechanism(name: &str, set: &[(&str, &str)]) -> (Simulator, f64) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"));
    let set = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let (scene, report) =
        load_scene_with(&path, &LoadOptions { set, ..LoadOptions::default() }).expect("a scene of ours");
    assert!(report.warnings().is_empty(), "{name}: {:?}", report.warnings());
    (Simulator::new(&scene).expect("loops that close"), scene.duration)
}

/// Runs for so long; `each` sees every step.
fn run(sim: &mut Simulator, seconds: f64, mut each: impl FnMut(&mut Simulator)) {
    let steps = (seconds / sim.settings.dt).round();
    let mut done = 0.0;
    while done < steps {
        let report = sim.step().expect("a step");
        assert!(report.solve.is_none_or(|s| s.status == gudgeon_lcp::Status::Solved), "{report:?}");
        each(sim);
        done += 1.0;
    }
}

/// First coordinate of a joint by its child.
fn q(sim: &Simulator, name: &str) -> f64 {
    let model = sim.model();
    sim.state().q[model.link(model.find(name).expect("a body")).q_start]
}

fn dof(sim: &Simulator, name: &str) -> usize {
    sim.model().link(sim.model().find(name).expect("a body")).v_start
}

fn v(sim: &Simulator, name: &str) -> f64 {
    sim.state().v[dof(sim, name)]
}

fn motor(sim: &Simulator, r: &Reactions, name: &str) -> f64 {
    r.motors[dof(sim, name)]
}

/// Within a part of the size.
fn near(what: &str, found: f64, expected: f64, part: f64, size: f64) {
    let off = (found - expected).abs();
    assert!(
        off <= part * size.abs(),
        "{what}: {found}, theory {expected}, off by {:.2e} of {size}",
        off / size.abs()
    );
}

#[test]
fn a_crank_rocker_swings_as_its_triangles_say() {
    let (mut sim, duration) = mechanism("crank-rocker", &[]);
    let [g, a, b, c] = [0.4_f64, 0.1, 0.35, 0.3];
    let mut seen = [f64::INFINITY, f64::NEG_INFINITY];
    run(&mut sim, 0.6 * duration, |sim| {
        let t = q(sim, "crank");
        let (dx, dz) = (g - a * t.cos(), -a * t.sin());
        let f = dx.hypot(dz);
        // the angle at the rocker's pivot between the line to the crank's pin and the rocker
        let to_pin = (-dz).atan2(-dx);
        let expected = to_pin - ((c * c + f * f - b * b) / (2.0 * c * f)).acos();
        let found = q(sim, "rocker");
        assert!(((found - expected + PI).rem_euclid(TAU) - PI).abs() < 1e-9, "{t}: {found} {expected}");
        seen = [seen[0].min(found), seen[1].max(found)];
    });
    // the ends of the swing: crank and coupler in line
    let end = |reach: f64| PI - ((g * g + c * c - reach * reach) / (2.0 * g * c)).acos();
    near("swing", seen[1] - seen[0], (end(b + a) - end(b - a)).abs(), 1e-4, 1.0);
}

#[test]
fn a_slider_crank_gives_the_force_of_its_piston_to_the_crank() {
    let (mut sim, duration) = mechanism("slider-crank", &[]);
    let (r, l) = (0.05_f64, 0.15_f64);
    run(&mut sim, duration, |sim| {
        let t = q(sim, "crank");
        let root = (l * l - (r * t.sin()).powi(2)).sqrt();
        near("piston", q(sim, "piston"), r * t.cos() + root, 1e-10, 1.0);
        if sim.steps().is_multiple_of(50) {
            let reactions = sim.reactions();
            // at the middle of the step, within the motion of half of one: slopes change by at most 1 + r / l in a radian
            let turned = sim.settings.dt * v(sim, "crank");
            let half = 0.5 * turned * (1.0 + r / l);
            let t = t - 0.5 * turned;
            let root = (l * l - (r * t.sin()).powi(2)).sqrt();
            let slope = -r * t.sin() - r * r * t.sin() * t.cos() / root;
            near("torque", motor(sim, &reactions, "crank"), 100.0 * slope, half, 100.0 * r);
            // the pin of the piston carries the force along x, and across by the rod's slant
            let tan = r * t.sin() / root;
            let pin = reactions.loops[0].linear.norm();
            near("pin", pin, 100.0 * (1.0 + tan * tan).sqrt(), half, 100.0);
        }
    });
}

#[test]
fn a_scotch_yoke_moves_by_the_cosine_and_its_slot_carries_the_inertia() {
    let (mut sim, _) = mechanism("scotch-yoke", &[]);
    let (r, m, w) = (0.05, 2.0, 20.0);
    run(&mut sim, 0.4, |sim| {
        let t = q(sim, "crank");
        near("yoke", q(sim, "yoke"), r * t.cos(), 1e-10, 1.0);
        // the crank has run up after the first step
        if sim.steps() > 10 && sim.steps().is_multiple_of(20) {
            let reactions = sim.reactions();
            let t = t - sim.settings.dt * w;
            let size = m * r * w * w;
            near("torque", motor(sim, &reactions, "crank"), size * r * t.sin() * t.cos(), 0.01, size * r);
            near("slot", reactions.loops[0].linear.norm(), size * t.cos().abs(), 0.01, size);
            near("speed", v(sim, "crank"), w, 1e-3, w);
        }
    });
}

#[test]
fn a_quick_return_lever_points_at_its_pin() {
    let (mut sim, _) = mechanism("quick-return", &[]);
    let (r, h) = (0.05_f64, 0.1_f64);
    let (mut forth, mut back) = (0.0, 0.0);
    run(&mut sim, 1.0, |sim| {
        let t = q(sim, "crank");
        near("lever", q(sim, "lever"), (h + r * t.sin()).atan2(r * t.cos()), 1e-10, 1.0);
        if v(sim, "lever") > 0.0 { forth += 1.0 } else { back += 1.0 }
    });
    let a = (r / h).asin();
    near("forth to back", forth / back, (PI + 2.0 * a) / (PI - 2.0 * a), 0.01, 2.0);
}

#[test]
fn a_scissor_lift_needs_the_force_of_virtual_work() {
    for angle in ["40 deg", "15 deg"] {
        let degrees: f64 = angle[..2].parse().unwrap();
        let (mut sim, duration) = mechanism("scissor-lift", &[("angle", &format!("'= {angle}'"))]);
        run(&mut sim, duration, |_| {});
        let r = sim.reactions();
        let weight = 9.81 * (3.0 * 50.0 + 9.0 * 2.0);
        let expected = weight / degrees.to_radians().tan();
        near("spindle", -motor(&sim, &r, "foot"), expected, 1e-6, expected);
        // the foot carries what the other end does not
        assert!(r.joints[sim.model().find("foot").unwrap().0].linear.z > 0.0);
    }
}

#[test]
fn a_toggle_clamp_presses_by_its_angle() {
    for degrees in [6.0_f64, 2.0, 20.0] {
        let (mut sim, duration) = mechanism("toggle-clamp", &[("angle", &format!("'= {degrees} deg'"))]);
        run(&mut sim, duration, |_| {});
        let pressed: f64 = sim.contacts().iter().map(|c| c.force.dot(&c.normal)).sum();
        let expected = 20.0 / (2.0 * degrees.to_radians().tan());
        near("jaw", pressed, expected, 1e-7, expected);
    }
}

#[test]
fn a_differential_shares_torque_and_means_speeds() {
    let (mut sim, duration) = mechanism("differential", &[]);
    run(&mut sim, duration, |sim| {
        near("mean", v(sim, "left") + v(sim, "right"), 2.0 * v(sim, "case"), 1e-9, 20.0);
    });
    near("left", v(&sim, "left"), 2.0 * 10.0 * 0.1 / 0.4, 1e-6, 10.0);
    let r = sim.reactions();
    near("torque", motor(&sim, &r, "case"), 2.0 * 0.3 * v(&sim, "left"), 1e-6, 3.0);
}

#[test]
fn a_planetary_gear_turns_and_multiplies_by_willis() {
    let (mut sim, duration) = mechanism("planetary", &[]);
    run(&mut sim, duration, |_| {});
    let (zs, zr) = (24.0, 60.0);
    let carrier = v(&sim, "carrier");
    near("carrier", carrier, 30.0 * zs / (zs + zr), 1e-9, 30.0);
    let r = sim.reactions();
    near("sun's torque", motor(&sim, &r, "sun"), 0.5 * carrier / (1.0 + zr / zs), 1e-6, 1.0);
}

#[test]
fn a_rack_lifts_by_the_radius_of_its_pinion() {
    let (mut sim, duration) = mechanism("rack-lift", &[]);
    run(&mut sim, duration, |_| {});
    near("travel", q(&sim, "rack"), 0.04 * q(&sim, "pinion"), 1e-12, 1.0);
    let r = sim.reactions();
    near("torque", motor(&sim, &r, "pinion"), 12.0 * 9.81 * 0.04, 1e-9, 5.0);
    near("power", r.work.motors, 12.0 * 9.81 * 0.04 * 2.0 * sim.settings.dt, 1e-9, 0.01);
}

#[test]
fn a_cam_throws_its_follower_off_at_the_speed_it_should() {
    // without contact somewhere in the second turn, or not
    let lifts_off = |part: &str| {
        let (mut sim, _) = mechanism("cam-lift-off", &[("part", part)]);
        let (mut lifted, mut touched) = (0, 0);
        let turn = TAU / v(&sim, "cam");
        run(&mut sim, 2.0 * turn, |sim| {
            let pressed: f64 = sim.contacts().iter().map(|c| c.force.dot(&c.normal)).sum();
            if q(sim, "cam") > FRAC_PI_2 {
                if pressed > 0.0 { touched += 1 } else { lifted += 1 }
            }
        });
        (lifted, touched)
    };
    let (lifted, touched) = lifts_off("0.99");
    assert!(lifted == 0 && touched > 100, "below: {lifted} {touched}");
    let (lifted, touched) = lifts_off("1.01");
    assert!(lifted > 3 && touched > 100, "above: {lifted} {touched}");
}

#[test]
fn a_screw_jack_needs_lead_and_friction() {
    for speed in [10.0, -10.0] {
        let (mut sim, duration) = mechanism("screw-jack", &[("speed", &speed.to_string())]);
        run(&mut sim, duration, |_| {});
        let r = sim.reactions();
        let expected = 500.0 * 9.81 * 0.006 / TAU + 0.8 * f64::signum(speed);
        near("torque", motor(&sim, &r, "screw"), expected, 1e-9, expected);
        near("rub", r.friction[dof(&sim, "screw")], -0.8 * f64::signum(speed), 1e-9, 1.0);
    }
}

#[test]
fn a_parcel_slides_on_a_belt_until_it_rides() {
    let (mut sim, duration) = mechanism("conveyor", &[]);
    let (speed, mu, g) = (1.2, 0.4, 9.81);
    let mut slid = 0.0;
    let mut work = 0.0;
    run(&mut sim, duration, |sim| {
        let v = sim.state().v[3];
        if v < 0.999_999 * speed {
            slid += sim.settings.dt;
        }
        work += sim.reactions().work.friction;
    });
    near("time", slid, speed / (mu * g), 0.01, slid);
    near("speed", sim.state().v[3], speed, 1e-9, speed);
    let path = speed * speed / (2.0 * mu * g);
    near("place", sim.state().q[4], path + speed * (duration - speed / (mu * g)), 0.005, 1.0);
    // all the energy the parcel has came by friction
    near("work", work, 0.5 * 3.0 * speed * speed, 1e-6, 2.0);
}

#[test]
fn a_governor_spreads_to_the_height_of_its_speed() {
    let (mut sim, duration) = mechanism("governor", &[]);
    run(&mut sim, duration, |_| {});
    let expected = (9.81_f64 / (100.0 * 0.2)).acos();
    for ball in ["ball0", "ball1"] {
        near(ball, q(&sim, ball).abs(), expected, 0.002, expected);
    }
}

#[test]
fn a_hooke_joint_turns_unevenly() {
    let (mut sim, _) = mechanism("hooke-joint", &[]);
    let b = 30_f64.to_radians();
    let axis = nalgebra::Vector3::new(b.cos(), b.sin(), 0.0);
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    run(&mut sim, 1.3, |sim| {
        let out = sim.model().find("output").unwrap();
        let turned = sim.workspace().velocity(out).angular.dot(&axis);
        let ratio = turned / v(sim, "input");
        // the fork carries the y axis, which lies in the plane of the shafts at the start
        let t = q(sim, "input");
        near("ratio", ratio, b.cos() / (1.0 - b.sin().powi(2) * t.cos().powi(2)), 1e-6, 1.0);
        low = low.min(ratio);
        high = high.max(ratio);
    });
    near("slowest", low, b.cos(), 1e-5, 1.0);
    near("fastest", high, 1.0 / b.cos(), 1e-5, 1.0);
}

/// What motors, pushes, friction, impacts and joints did in a step is what the energy changed by, up to the step's own error.
#[test]
fn the_balance_of_energy_closes_in_every_step() {
    // name, and the greatest part of the largest work of a step that is left unexplained
    for (name, part) in
        [("slider-crank", 1e-3), ("rack-lift", 1e-3), ("screw-jack", 1e-3), ("planetary", 1e-3)]
    {
        let (mut sim, _) = mechanism(name, &[]);
        let energy = |sim: &Simulator| sim.energy().iter().sum::<f64>();
        let (mut before, mut worst, mut largest) = (energy(&sim), 0.0_f64, 0.0_f64);
        run(&mut sim, 0.3, |sim| {
            let work = sim.reactions().work;
            let after = energy(sim);
            // a motor that sets off within a step lifts by its whole speed and works by half of it
            if sim.steps() > 5 {
                worst = worst.max((after - before - work.total()).abs());
            }
            let parts = [work.motors, work.pushes, work.friction, work.impacts, work.joints, after - before];
            largest = parts.iter().fold(largest, |m, w| m.max(w.abs()));
            before = after;
        });
        println!("{name}: {worst:.2e} J of {largest:.2e} J unexplained in a step at most");
        assert!(largest > 0.0 && worst <= part * largest, "{name}: {worst:e} of {largest:e}");
    }
}

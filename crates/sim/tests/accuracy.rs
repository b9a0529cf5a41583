//! Against theory, from poses.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Integrator, Material, RestitutionLaw, SceneBuilder, Simulator};

use crate::{apart, farthest, place, run, scene};

/// Name of the only body of a scene.
fn only_body(sim: &Simulator) -> String {
    sim.model().links()[1].name.clone()
}

#[test]
fn below_the_limit_nothing_drifts_on_a_slope_at_any_azimuth() {
    for azimuth in [0.0, 15.0, 30.0, 45.0, 77.0] {
        let mut sim = Simulator::new(&scene("slope", &[("limit", 0.99), ("azimuth", azimuth)])).unwrap();
        let body = only_body(&sim);
        let start = place(&sim, &body);
        run(&mut sim, 10.0);
        let drift = apart(start, place(&sim, &body));
        println!("slope at 0.99 of the limit, azimuth {azimuth}: drift {drift:.1e} m in 10 s");
        assert!(drift <= 1e-9, "the goal is a nanometre in 10 s, azimuth {azimuth}: {drift:e}");
    }
}

#[test]
fn above_the_limit_a_body_slides_down_a_slope_as_theory_says() {
    for azimuth in [0.0, 15.0, 30.0, 45.0] {
        let mut sim = Simulator::new(&scene("slope", &[("limit", 1.01), ("azimuth", azimuth)])).unwrap();
        let body = only_body(&sim);
        let start = place(&sim, &body);
        run(&mut sim, 10.0);
        let slid = apart(start, place(&sim, &body));
        // tan of the slope is 1.01 mu: a = g (sin - mu cos) = 0.01 mu g cos
        let mu = sim.contacts()[0].material.friction;
        let cosine = 1.0 / (1.0 + (1.01 * mu).powi(2)).sqrt();
        let expected = 0.5 * 0.01 * mu * 9.81 * cosine * 100.0;
        println!("slope at 1.01, azimuth {azimuth}: slid {slid:.6} m, theory {expected:.6} m");
        // first order: one part in as many as there are steps, 1e-4
        assert!((slid / expected - 1.0).abs() <= 1.01e-4, "{slid} {expected}");
    }
}

#[test]
fn a_pushed_frame_slides_the_same_way_in_every_direction() {
    for azimuth in [0.0, 30.0, 45.0] {
        let mut sim = Simulator::new(&scene("push", &[("azimuth", azimuth)])).unwrap();
        let body = only_body(&sim);
        let start = place(&sim, &body);
        run(&mut sim, 2.5);
        let slid = 1e3 * apart(start, place(&sim, &body));
        println!("push, azimuth {azimuth}: {slid:.4} mm");
        // Σ of 2,000 steps of a dt²: 490.745 mm
        assert!((slid - 490.745).abs() < 5e-4, "{slid} mm");
    }
}

#[test]
fn a_wall_stands_at_ten_milliseconds() {
    let mut sim = Simulator::new(&scene("wall", &[])).unwrap();
    sim.settings.dt = 0.01;
    let start = sim.clone();
    let summary = run(&mut sim, 5.0);
    let moved = farthest(&start, &sim);
    println!("wall: farthest brick moved {moved:.1e} m in 5 s, kinetic energy {:.1e} J", sim.energy()[0]);
    assert_eq!(summary.failed() + summary.fallback(), 0);
    assert!(moved < 1e-12, "rounding over 500 steps: {moved:e} m");
    assert!(sim.energy()[0] < 1e-20, "{:e}", sim.energy()[0]);
}

/// `cargo test --release -p gudgeon-sim --test main -- --ignored --nocapture minute`
#[test]
#[ignore = "takes ten seconds or more"]
fn a_wall_stands_for_a_minute() {
    let mut sim = Simulator::new(&scene("wall", &[])).unwrap();
    sim.settings.dt = 0.01;
    let start = sim.clone();
    let summary = run(&mut sim, 60.0);
    let moved = farthest(&start, &sim);
    println!("wall: farthest brick moved {moved:.1e} m in 60 s, kinetic energy {:.1e} J", sim.energy()[0]);
    assert_eq!(summary.failed() + summary.fallback(), 0);
    assert!(moved < 2e-5, "the goal is 0.02 mm: {moved:e}");
}

#[test]
fn a_stack_with_a_heavy_box_on_top_does_not_sink() {
    for (boxes, ratio, goal) in [(10.0, 100.0, 2e-15), (2.0, 1e6, 1e-11)] {
        let mut sim = Simulator::new(&scene("stack", &[("boxes", boxes), ("ratio", ratio)])).unwrap();
        sim.settings.dt = 0.01;
        let start = sim.clone();
        let summary = run(&mut sim, 10.0);
        let moved = farthest(&start, &sim);
        println!("stack of {boxes}, {ratio}:1: moved {moved:.1e} m, kinetic {:.1e} J", sim.energy()[0]);
        assert_eq!(summary.failed() + summary.fallback(), 0);
        assert!(moved < goal, "{moved:e}");
        assert!(sim.energy()[0] < 1e-20, "rest is rest after 10 s: {:e} J", sim.energy()[0]);
    }
}

#[test]
fn contact_forces_carry_the_weight() {
    for name in ["wall", "stack", "nlegs"] {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        run(&mut sim, 0.05);
        let ground: f64 = sim
            .contacts()
            .iter()
            .map(|c| {
                if c.a.0 == 0 {
                    -c.force.z
                } else if c.b.0 == 0 {
                    c.force.z
                } else {
                    0.0
                }
            })
            .sum();
        let weight = sim.model().mass() * 9.81;
        println!("{name}: forces on the ground over the weight: 1 + {:.1e}", ground / weight - 1.0);
        assert!((ground / weight - 1.0).abs() < 1e-9, "{ground} {weight}");
    }
}

#[test]
fn a_pinched_capsule_does_not_creep() {
    let mut sim = Simulator::new(&scene("pinch", &[])).unwrap();
    run(&mut sim, 1.0);
    let start = sim.clone();
    let summary = run(&mut sim, 5.0);
    let creep = farthest(&start, &sim) / 5.0;
    println!("pinch: creep {creep:.1e} m/s");
    assert_eq!(summary.failed() + summary.fallback(), 0);
    assert!(creep <= 1e-9, "{creep:e}");
}

#[test]
fn balls_bounce_as_high_as_they_should() {
    for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
        for e in [0.0, 0.5, 1.0] {
            let mut builder = SceneBuilder::new("bounce");
            builder.default_material(Material { restitution: e, ..Material::default() }).ground();
            let ball = BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(1.0).at(0.0, 0.0, 1.1);
            builder.body(ball).unwrap();
            builder.settings().restitution = law;
            let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
            let fall = (2.0 / 9.81_f64).sqrt();
            run(&mut sim, fall + 0.002);
            let mut highest = 0.0_f64;
            let end = sim.time() + 2.0 * fall * e;
            while sim.time() < end {
                let _ = sim.step().unwrap();
                highest = highest.max(place(&sim, "ball")[2] - 0.1);
            }
            println!("bounce, {law:?}, e = {e}: {highest:.6} m of {:.6} m", e * e);
            assert!((highest - e * e).abs() <= 1e-5, "{highest}");
        }
    }
}

#[test]
fn a_hoist_at_ten_milliseconds_moves_as_at_one() {
    let mut ends = Vec::new();
    for dt in [1e-3, 1e-2] {
        let mut sim = Simulator::new(&scene("hoist", &[])).unwrap();
        sim.settings.dt = dt;
        assert_eq!(sim.settings.integrator, Integrator::Carried);
        let summary = run(&mut sim, 2.0);
        println!(
            "hoist at {dt} s: overlap {:.1e} m, {} failed, {} fallbacks",
            summary.max_penetration(),
            summary.failed(),
            summary.fallback()
        );
        assert_eq!(summary.failed() + summary.fallback(), 0);
        assert!(summary.max_penetration() < 1e-4);
        ends.push(sim);
    }
    let difference = farthest(&ends[0], &ends[1]);
    println!("hoist: positions after 2 s differ by {difference:.1e} m");
    // the string is 0.6 m long, and the weight has risen by 24 mm
    assert!(difference < 5e-3, "{difference:e}");
}

#[test]
fn loops_stay_closed() {
    for name in ["fourbar", "strandbeest"] {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        let seconds = if name == "fourbar" { 10.0 } else { 0.3 };
        let summary = run(&mut sim, seconds);
        println!("{name}: loops open by {:.1e} m", summary.max_loop_gap());
        assert!(summary.max_loop_gap() <= 1e-11);
    }
}

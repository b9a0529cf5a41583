//! The papers' methods and integrators over whole scenes.

use gudgeon_lcp::Method;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{Facets, Fallback, Integrator, SceneBuilder, Simulator, Summary};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::{farthest, run, scene};

#[test]
fn runs_by_the_papers_methods_end_and_failures_are_counted_by_mode() {
    for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
        let mut sim = Simulator::new(&scene("squat", &[])).unwrap();
        sim.settings.method = method;
        sim.settings.facets = Facets::Polygon(8);
        let mut solves = 0_u64;
        let mut summary = Summary::new(&sim);
        for _ in 0..200 {
            let report = sim.step().unwrap();
            solves += u64::from(report.solve.is_some());
            summary.add(&report, 0.0);
        }
        println!("squat by {method}: {} of {solves} solves failed, {:?}", summary.failed(), sim.fallbacks());
        assert_eq!(sim.fallbacks().iter().sum::<u64>(), solves);
        assert_eq!(sim.fallbacks()[Fallback::BestIterate as usize], 0, "robust saves what others cannot do");
        assert!(sim.state().v.iter().all(|v| v.abs() < 10.0));
    }
}

/// Three rods on hinges, let go: smooth, with nothing to touch.
fn pendulum() -> SceneBuilder {
    let mut builder = SceneBuilder::new("pendulum");
    for k in 0..3 {
        let (name, parent) =
            (format!("rod{k}"), if k == 0 { "world".into() } else { format!("rod{}", k - 1) });
        let axis = if k == 1 { Vector3::x() } else { Vector3::y() };
        let inertia = Inertia::cuboid(1.0, [0.02, 0.02, 0.25]).translated(Vector3::new(0.0, 0.0, -0.25));
        let at = Pose::from_translation(0.0, 0.0, if k == 0 { 0.0 } else { -0.5 });
        builder.link(LinkSpec::new(&name, &parent, Joint::revolute(axis), at, inertia));
        builder.position(&name, &[0.7 - 0.5 * f64::from(k)]);
        builder.velocity(&name, &[1.0 + f64::from(k)]);
    }
    builder
}

#[test]
fn each_integrator_has_its_order_where_nothing_touches() {
    for (integrator, order) in [(Integrator::Euler, 2), (Integrator::Rk4, 4)] {
        let end = |dt: f64| {
            let mut sim = Simulator::new(&pendulum().build().unwrap()).unwrap();
            (sim.settings.dt, sim.settings.integrator) = (dt, integrator);
            run(&mut sim, 0.5);
            sim
        };
        let ends = [0.01, 0.005, 0.0025].map(end);
        let (coarse, fine) = (farthest(&ends[0], &ends[1]), farthest(&ends[1], &ends[2]));
        let measured = (coarse / fine).log2();
        println!("{}: order {measured:.2}", integrator.name());
        assert!((measured - f64::from(order)).abs() < 0.35, "{measured}");
    }
}

#[test]
fn main_scenes_run_by_rk4() {
    for (name, dt, seconds) in [
        ("squat", 1e-3, 0.3),
        ("tapdance", 1e-3, 0.2),
        ("stack", 1e-3, 0.1),
        ("push", 1e-3, 0.7),
        ("ragdoll", 1e-3, 0.3),
    ] {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        (sim.settings.dt, sim.settings.integrator) = (dt, Integrator::Rk4);
        let summary = run(&mut sim, seconds);
        println!(
            "{name} by rk4: {} failed, {} fallbacks, overlap {:.1e} m",
            summary.failed(),
            summary.fallback(),
            summary.max_penetration()
        );
        assert_eq!(summary.failed() + summary.fallback(), 0, "{name}");
        assert!(sim.state().v.iter().all(|v| v.abs() < 100.0), "{name} has run away");
    }
}

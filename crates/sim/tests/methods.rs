//! The papers' methods and integrators over whole scenes.

use gudgeon_lcp::{Method, Status};
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{Facets, Fallback, Integrator, SceneBuilder, Sides, Simulator, Summary};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::{farthest, run, scene};

#[test]
fn runs_by_the_papers_methods_end_and_failures_are_counted_by_mode() {
    for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
        let mut sim = Simulator::new(&scene("squat", &[])).unwrap();
        sim.settings.method = method;
        sim.settings.facets = Facets::Polygon(Sides::EIGHT);
        let mut solves = 0_u64;
        let mut summary = Summary::new(&sim);
        for _ in 0..200 {
            let report = sim.step().unwrap();
            solves += u64::from(report.solve.is_some());
            summary.add(&report, 0.0);
        }
        println!("squat by {method}: {} of {solves} solves failed, {:?}", summary.failed(), sim.fallbacks());
        if method == Method::Search {
            // the paper's method is far better than those it replaces
            assert!(summary.failed() <= solves / 10, "search fails {} of {solves}", summary.failed());
        }
        assert_eq!(sim.fallbacks().iter().sum::<u64>(), solves);
        assert_eq!(sim.fallbacks()[Fallback::BestIterate as usize], 0, "robust saves what others cannot do");
        assert!(sim.state().v.iter().all(|v| v.abs() < 10.0));
    }
}

/// The five scenes of [Yamane §V] from start to end by the papers' methods: failures by mode, and what saved the step.
///
/// `cargo test --release -p gudgeon-sim --test main -- --ignored --nocapture whole_scenes`; `GUDGEON_SCENES` and
/// `GUDGEON_METHODS` (commas) choose some of them, `GUDGEON_SECONDS` ends each earlier.
#[test]
#[ignore = "takes a quarter of an hour without `search`, hours with it"]
fn whole_scenes_by_the_papers_methods() {
    let chosen = |key: &str, word: &str| {
        std::env::var(key).map_or(true, |list| list.split(',').any(|one| one == word))
    };
    let most = std::env::var("GUDGEON_SECONDS").ok().and_then(|s| s.parse::<f64>().ok());
    let methods = [
        ("robust", Method::Robust, 0.0),
        ("lemke", Method::Lemke, 0.0),
        ("lexicographic 0", Method::Lexicographic, 0.0),
        ("lexicographic 1e-8", Method::Lexicographic, 1e-8),
        ("lexicographic 1e-6", Method::Lexicographic, 1e-6),
        ("lexicographic 1e-4", Method::Lexicographic, 1e-4),
        ("search", Method::Search, 0.0),
    ];
    println!(
        "| scene | method | steps | solves | failed | ray | cycle | error | budget | saved by robust | frictionless | best iterate | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for name in ["squat", "hoist", "ring", "net", "tapdance"] {
        for (label, method, delta) in methods {
            if !chosen("GUDGEON_SCENES", name) || !chosen("GUDGEON_METHODS", label) {
                continue;
            }
            let what = scene(name, &[]);
            let seconds = most.map_or(what.duration, |most| what.duration.min(most));
            let mut sim = Simulator::new(&what).unwrap();
            sim.settings.method = method;
            sim.settings.lexicographic_delta = delta;
            sim.settings.facets = Facets::Polygon(Sides::EIGHT);
            let began = std::time::Instant::now();
            let summary = run(&mut sim, seconds);
            let rung = |fallback: Fallback| sim.fallbacks()[fallback as usize];
            println!(
                "| {name} | {label} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} |",
                sim.steps(),
                sim.fallbacks().iter().sum::<u64>(),
                summary.failed(),
                summary.ended(Status::Ray),
                summary.ended(Status::Cycle),
                summary.ended(Status::Inaccurate),
                summary.ended(Status::Budget),
                rung(Fallback::Robust),
                rung(Fallback::Frictionless),
                rung(Fallback::BestIterate),
                began.elapsed().as_secs_f64(),
            );
            assert!(sim.state().v.iter().all(|v| v.is_finite()), "{name} by {label}");
            if method == Method::Robust {
                assert_eq!(summary.failed() + summary.fallback(), 0, "{name}");
            }
        }
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

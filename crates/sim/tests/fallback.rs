//! The ladder: a failed solve is named, counted, and does not stop the run.

use gudgeon_lcp::{Method, Status};
use gudgeon_sim::{Facets, Fallback, Sides, Simulator, StepError};

use crate::scene;

#[test]
fn methods_that_fail_are_counted_and_the_run_goes_on() {
    for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
        let mut sim = Simulator::new(&scene("stack", &[("boxes", 3.0)])).unwrap();
        sim.settings.method = method;
        sim.settings.facets = Facets::Polygon(Sides::EIGHT);
        let mut failed = 0;
        for _ in 0..30 {
            let solve = sim.step().unwrap().solve.unwrap();
            if solve.status != Status::Solved {
                failed += 1;
                assert_ne!(solve.fallback, Fallback::None, "a failure is never passed over in silence");
            }
        }
        println!("stack of three by {method}: {failed} of 30 solves failed, {:?}", sim.fallbacks());
        assert_eq!(sim.fallbacks().iter().sum::<u64>(), 30);
        assert_eq!(sim.fallbacks()[1..].iter().sum::<u64>(), failed);
    }
}

#[test]
fn a_force_that_is_no_number_is_named() {
    let mut sim = Simulator::new(&scene("push", &[])).unwrap();
    sim.control[3] = f64::NAN;
    let error = sim.step().unwrap_err();
    let StepError::NotFinite { link, .. } = &error else { panic!("{error}") };
    assert_eq!(*link, sim.model().links()[1].name);
    assert!(error.to_string().contains("given to the simulator is not finite"), "{error}");
}

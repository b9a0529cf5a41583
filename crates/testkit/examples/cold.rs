//! Cold solves with polygons by two roads: the search, and the warm solver with nothing remembered.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example cold
//! ```
//!
//! Times are the least of several solves, alternating in one run.
//!
//! The warm road is quicker where bodies rest and slower where they are pushed. Cold solves do not take it: tried where nothing
//! slides, it called wrong answers solved in 1 of 20,000 problems of the campaign (seed 1: 19551; seed 2: 5613).

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::time::Instant;

use gudgeon_lcp::{
    Budget, ConeShape, FrictionSolution, FrictionTask, Outcome, RowIds, Status, Structured, WarmStart,
};
use gudgeon_testkit::single::{block_in_corner, frame, peg};
use gudgeon_testkit::stacks::{brick_wall, stack, tower};
use gudgeon_testkit::{Rng, Scene};

fn main() {
    let scenes: Vec<Scene> = vec![
        frame(6, [0.1, 0.0]),
        block_in_corner(),
        peg(32),
        stack(3),
        tower(5, 32),
        tower(12, 72),
        brick_wall(6),
        brick_wall(12),
    ];
    let mut rng = Rng::new(5);
    println!("{:<20} {:>4} {:>11} {:>11} {:>9}", "scene", "n", "search, us", "warm, us", "quotient");
    for scene in &scenes {
        for scene in [scene.clone(), scene.clone().pushed(1.0, &mut rng)] {
            let problem = scene.problem();
            let ids: Vec<u64> = (0..scene.n_contacts() as u64).collect();
            let rows = RowIds { contacts: &ids, ..RowIds::default() };
            let (mut search, mut warm) = (Structured::default(), Structured::default());
            let mut solution = FrictionSolution::default();
            let mut least = [f64::INFINITY; 2];
            let mut failed = [false; 2];
            let mut timed = |road: usize, solve: &mut dyn FnMut() -> Outcome| {
                let start = Instant::now();
                let outcome = solve();
                least[road] = least[road].min(start.elapsed().as_secs_f64());
                failed[road] |= outcome.status != Status::Solved;
            };
            for _ in 0..9 {
                timed(0, &mut || search.solve(&problem, &mut solution));
                timed(1, &mut || {
                    let mut none = WarmStart::default();
                    let budget = Budget::default();
                    warm.solve_warm(
                        FrictionTask { problem: &problem, cone: ConeShape::Facets, ids: rows, budget },
                        &mut none,
                        &mut solution,
                        &mut (),
                    )
                });
            }
            let note = if failed == [false; 2] { "" } else { " not solved" };
            println!(
                "{:<20} {:>4} {:>11.1} {:>11.1} {:>9.2}{note}",
                scene.name,
                scene.n_contacts(),
                1e6 * least[0],
                1e6 * least[1],
                least[0] / least[1]
            );
        }
    }
}

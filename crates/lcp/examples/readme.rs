//! The example of the README; `./test` keeps the two the same.
#![expect(clippy::print_stdout, reason = "it shows its answer")]
use gudgeon_lcp::{FrictionProblem, FrictionSolution, Method, ProblemError, Solver};

fn main() -> Result<(), ProblemError> {
    // a 2 kg block meets the floor at 0.1 m/s, sliding at 0.3 m/s; rows are n, t1, t2 of its one contact
    let w = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
    let problem = FrictionProblem::local(&w, vec![-0.1, 0.3, 0.0], vec![0.5])?.with_facets(8)?;
    let mut answer = FrictionSolution::default();
    let outcome = Solver::new(Method::Robust).solve_friction(&problem, &mut answer);
    println!("{}, natural residual {:e}", outcome.status.name(), outcome.residual.natural);
    for contact in &answer.contacts {
        println!("{}: impulse {:?} N s", contact.mode.name(), contact.impulse);
        println!("velocity afterwards {:?} m/s", contact.velocity);
    }
    Ok(())
}

//! Friction problems as standard ones, by way of the boxed form, and back.

use super::MlcpLcp;
use crate::clock::Clock;
use crate::kernel::axpy;
use crate::outcome::{MlcpSolution, Solution};
use crate::problem::{
    ContactAnswer, ContactMode, Delassus, FrictionProblem, Lcp, Mlcp, ProblemError, Stabilisation,
    directions, lower,
};
use crate::tolerances;

/// The most unknowns that are lowered: the dense matrix of so many has 1.2 GB, and there are two. Ten thousand contacts would ask for
/// 80 GB, and a program that asks for that is ended.
const MOST: usize = 12_000;

/// A friction problem lowered to a standard one, with the way back.
///
/// ```
/// use gudgeon_lcp::{FrictionLcp, FrictionProblem, Method, MlcpSolution, Solver, Stabilisation};
///
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![-1.0, 2.0, 0.0], vec![0.5])?;
/// let lowered = FrictionLcp::new(&problem, Stabilisation::default())?;
/// let mut boxed = MlcpSolution::default();
/// assert!(Solver::new(Method::Lemke).solve_mlcp(lowered.mlcp(), &mut boxed).is_solved());
/// let impulses = lowered.impulses(&boxed);
/// assert!((impulses[1] + 0.5).abs() < 1e-9); // it slides: friction is μ times the normal impulse
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FrictionLcp {
    boxed: FrictionMlcp,
    lowered: MlcpLcp,
}

/// A friction problem lowered to a boxed one, with the way back.
#[derive(Debug, Clone)]
pub(crate) struct FrictionMlcp {
    delassus: Delassus,
    mlcp: Mlcp,
    facets: usize,
    n_contacts: usize,
}

impl FrictionLcp {
    /// Lowers a problem. Fails where finite numbers overflow when multiplied, and where there are too many.
    pub fn new(problem: &FrictionProblem, stabilisation: Stabilisation) -> Result<Self, ProblemError> {
        let boxed = FrictionMlcp::within(problem, stabilisation, &Clock::default())?;
        let boxed = boxed.expect("a clock without a limit");
        let lowered = MlcpLcp::new(&boxed.mlcp)?;
        Ok(Self { boxed, lowered })
    }

    /// The boxed form.
    pub fn mlcp(&self) -> &Mlcp {
        &self.boxed.mlcp
    }

    /// The standard form; `None` when there is nothing to decide.
    pub fn lcp(&self) -> Option<&Lcp> {
        self.lowered.lcp()
    }

    /// The unknowns of the boxed form from those of the standard form.
    pub fn recover(&self, solution: &Solution, boxed: &mut MlcpSolution) {
        self.lowered.recover(&self.boxed.mlcp, solution, boxed);
    }

    /// Impulses of all rows (contacts in blocks of three, unilateral, bounded, equality) from the boxed form.
    pub fn impulses(&self, boxed: &MlcpSolution) -> Vec<f64> {
        self.boxed.impulses(boxed)
    }

    /// The contacts' impulses, velocities (from the original data) and modes.
    pub fn contacts(&self, boxed: &MlcpSolution) -> Vec<ContactAnswer> {
        self.boxed.contacts(boxed)
    }
}

impl FrictionMlcp {
    /// Lowers a problem; none if time is up before the matrix, which may be large, is written.
    pub(crate) fn within(
        problem: &FrictionProblem,
        stabilisation: Stabilisation,
        clock: &Clock,
    ) -> Result<Option<Self>, ProblemError> {
        let found = problem.n_rows() + problem.n_contacts() * (problem.facets() - 1);
        if found > MOST {
            return Err(ProblemError::TooLarge { found, most: MOST });
        }
        let Some(delassus) = Delassus::of(problem, clock) else { return Ok(None) };
        let Some(mlcp) = lower(&delassus, problem, stabilisation, clock) else { return Ok(None) };
        let (facets, n_contacts) = (problem.facets(), problem.n_contacts());
        Ok(Some(Self { delassus, mlcp: mlcp?, facets, n_contacts }))
    }

    pub(crate) fn mlcp(&self) -> &Mlcp {
        &self.mlcp
    }

    /// Impulses of all rows (contacts in blocks of three, unilateral, bounded, equality) from the boxed form.
    pub(crate) fn impulses(&self, boxed: &MlcpSolution) -> Vec<f64> {
        let (n, d) = (self.n_contacts, self.facets);
        let dirs = directions(d);
        let mut r = vec![0.0; self.delassus.rows];
        for i in 0..n {
            r[3 * i] = boxed.x[i];
            for j in 0..d {
                let phi = boxed.x[n + i * d + j];
                r[3 * i + 1] += phi * dirs[j][0];
                r[3 * i + 2] += phi * dirs[j][1];
            }
        }
        r[3 * n..].copy_from_slice(&boxed.x[n * (2 + d)..]);
        r
    }

    /// The contacts' impulses, velocities (from the original data) and modes.
    pub(crate) fn contacts(&self, boxed: &MlcpSolution) -> Vec<ContactAnswer> {
        let r = self.impulses(boxed);
        let mut u = self.delassus.q.clone();
        for (j, &rj) in r.iter().enumerate() {
            if rj != 0.0 {
                axpy(rj, self.delassus.column(j), &mut u);
            }
        }
        // slower than this is at rest: 1e-9 of the largest speed in the problem, the solvers' own accuracy
        let still = tolerances::AT_REST * crate::kernel::max_abs(&self.delassus.q);
        (0..self.n_contacts)
            .map(|i| {
                let impulse = [r[3 * i], r[3 * i + 1], r[3 * i + 2]];
                let velocity = [u[3 * i], u[3 * i + 1], u[3 * i + 2]];
                let mode = if impulse[0] <= 0.0 {
                    ContactMode::Open
                } else if velocity[1].hypot(velocity[2]) <= still {
                    ContactMode::Stick
                } else {
                    ContactMode::Slip
                };
                ContactAnswer { impulse, velocity, mode }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowered_matrix_has_the_blocks_of_yamane_25() {
        let w = [[2.0, 0.1, 0.0], [0.1, 3.0, 0.0], [0.0, 0.0, 3.0]];
        let problem =
            FrictionProblem::local(&w, vec![-1.0, 0.5, 0.0], vec![0.4]).unwrap().with_facets(4).unwrap();
        let lowered = FrictionLcp::new(&problem, Stabilisation::default()).unwrap();
        let lcp = lowered.mlcp();
        assert_eq!((lcp.n(), lowered.lcp().unwrap().n()), (6, 6));
        assert_eq!(lcp.entry(0, 0), 2.0);
        assert_eq!(lcp.entry(0, 1), 0.1);
        assert_eq!(lcp.entry(1, 3), -3.0);
        assert_eq!((lcp.entry(5, 0), lcp.entry(5, 1), lcp.entry(1, 5)), (0.4, -1.0, 1.0));
        assert_eq!(lcp.b(), [-1.0, 0.5, 0.0, -0.5, 0.0, 0.0]);
    }
}

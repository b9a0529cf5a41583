//! One method on one problem: what it says, what it cost, and what an independent check says of it.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, FrictionSolution, MlcpSolution, Outcome, Residual, SOLVED, Solution, Solver, Stabilisation,
    Start, Status,
};

use crate::campaign::Problem;

/// What became of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// What the method says.
    pub outcome: Outcome,
    /// The natural residual in scaled units, from the problem and the unknowns alone: w is computed anew.
    pub checked: f64,
    /// Contacts, or unknowns where there are none.
    pub contacts: usize,
    /// Those that press, or are positive.
    pub active: usize,
    /// Wall time of the solve, s.
    pub seconds: f64,
}

impl Trial {
    /// Called solved, and it is.
    pub fn is_success(&self) -> bool {
        self.outcome.status == Status::Solved && self.checked <= SOLVED
    }

    /// Called solved, and it is not: what no method may ever do.
    pub fn is_silently_wrong(&self) -> bool {
        // written so that NaN counts
        self.outcome.status == Status::Solved
            && !matches!(self.checked.partial_cmp(&SOLVED), Some(o) if o.is_le())
    }
}

/// Answers that are used again from case to case.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    standard: Solution,
    boxed: MlcpSolution,
    friction: FrictionSolution,
}

impl Problem {
    /// Solves it within a budget, and checks the answer.
    pub fn attempt(&self, solver: &mut Solver, budget: Budget, answers: &mut Answers) -> Trial {
        let start = Instant::now();
        match self {
            Self::Lcp(lcp) => {
                let answer = &mut answers.standard;
                let outcome = solver.solve_with(lcp, Start::Cold, budget, answer, &mut ());
                let seconds = start.elapsed().as_secs_f64();
                let mut w = Vec::new();
                lcp.slack(&answer.z, &mut w);
                let checked = Residual::of_lcp(lcp, &answer.z, &w).natural;
                let active = answer.z.iter().filter(|&&z| z > 0.0).count();
                Trial { outcome, checked, contacts: lcp.n(), active, seconds }
            }
            Self::Mlcp(mlcp) => {
                let answer = &mut answers.boxed;
                let outcome = solver.solve_mlcp_with(mlcp, budget, answer, &mut ());
                let seconds = start.elapsed().as_secs_f64();
                let mut w = Vec::new();
                mlcp.slack(&answer.x, &mut w);
                let checked = Residual::of_mlcp(mlcp, &answer.x, &w).natural;
                let active = answer.x.iter().filter(|&&x| x != 0.0).count();
                Trial { outcome, checked, contacts: mlcp.n(), active, seconds }
            }
            Self::Friction(problem) => {
                let answer = &mut answers.friction;
                let plain = Stabilisation::default();
                let outcome = solver.solve_friction_with(problem, plain, budget, answer, &mut ());
                let seconds = start.elapsed().as_secs_f64();
                let checked = problem.to_mlcp(plain).map_or(f64::INFINITY, |mlcp| {
                    if answer.boxed.x.len() != mlcp.n() {
                        return f64::INFINITY;
                    }
                    let mut w = Vec::new();
                    mlcp.slack(&answer.boxed.x, &mut w);
                    Residual::of_mlcp(&mlcp, &answer.boxed.x, &w).natural
                });
                let active = answer.contacts.iter().filter(|c| c.impulse[0] > 0.0).count();
                Trial { outcome, checked, contacts: problem.n_contacts(), active, seconds }
            }
        }
    }

    /// The unknowns of its standard form, or about as many: bounded rows count twice, free ones not at all.
    pub fn size(&self) -> usize {
        match self {
            Self::Lcp(lcp) => lcp.n(),
            Self::Mlcp(mlcp) => (0..mlcp.n())
                .map(|i| usize::from(mlcp.lo()[i].is_finite()) + usize::from(mlcp.hi()[i].is_finite()))
                .sum(),
            Self::Friction(problem) => {
                let rows = problem.n_unilateral() + 2 * problem.n_bounded();
                problem.n_contacts() * (2 + problem.facets()) + rows
            }
        }
    }
}

/// Many trials of one method, in the rows of [Yamane, Table I].
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Trials.
    pub total: usize,
    /// Called solved, and checked.
    pub success: usize,
    /// Ended on a ray: Yamane's "no solution".
    pub ray: usize,
    /// Came round to a basis again.
    pub cycle: usize,
    /// Ended with too large a residual: Yamane's "error".
    pub inaccurate: usize,
    /// Ran out of budget.
    pub budget: usize,
    /// Called solved, and not: must be zero.
    pub silent: usize,
    contacts: usize,
    active: usize,
    pivots: usize,
    worst: f64,
    seconds: Vec<f64>,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, trial: &Trial) {
        self.total += 1;
        self.contacts += trial.contacts;
        self.active += trial.active;
        self.pivots += trial.outcome.pivots;
        self.seconds.push(trial.seconds);
        match trial.outcome.status {
            _ if trial.is_silently_wrong() => self.silent += 1,
            Status::Solved => {
                self.success += 1;
                self.worst = self.worst.max(trial.checked);
            }
            Status::Ray => self.ray += 1,
            Status::Cycle => self.cycle += 1,
            Status::Inaccurate => self.inaccurate += 1,
            Status::Budget => self.budget += 1,
        }
    }

    fn mean(&self, sum: usize) -> f64 {
        sum as f64 / self.total.max(1) as f64
    }

    /// Contacts per case, on average.
    pub fn contacts(&self) -> f64 {
        self.mean(self.contacts)
    }

    /// Pressing contacts per case, on average.
    pub fn active(&self) -> f64 {
        self.mean(self.active)
    }

    /// Pivots per case, on average.
    pub fn pivots(&self) -> f64 {
        self.mean(self.pivots)
    }

    /// The largest checked residual among the successes.
    pub fn worst(&self) -> f64 {
        self.worst
    }

    /// All that did not succeed.
    pub fn failure(&self) -> usize {
        self.total - self.success
    }

    /// The median, the largest and the sum of the times, s.
    pub fn times(&self) -> [f64; 3] {
        let mut sorted = self.seconds.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |i: usize| sorted.get(i).copied().unwrap_or(0.0);
        [at(sorted.len() / 2), at(sorted.len().saturating_sub(1)), sorted.iter().sum()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(status: Status, checked: f64) -> Trial {
        let outcome = Outcome { status, pivots: 3, nodes: 3, residual: Residual::default() };
        Trial { outcome, checked, contacts: 4, active: 2, seconds: 1e-3 }
    }

    #[test]
    fn a_claim_that_fails_its_check_is_silently_wrong() {
        assert!(trial(Status::Solved, 1e-12).is_success());
        for checked in [1e-8, f64::NAN, f64::INFINITY] {
            assert!(trial(Status::Solved, checked).is_silently_wrong());
        }
        assert!(!trial(Status::Ray, f64::NAN).is_silently_wrong());
    }

    #[test]
    fn a_tally_adds_up() {
        let mut tally = Tally::default();
        let statuses = [Status::Solved, Status::Ray, Status::Cycle, Status::Inaccurate, Status::Budget];
        for status in statuses {
            tally.add(&trial(status, 0.0));
        }
        tally.add(&trial(Status::Solved, 1.0));
        assert_eq!((tally.total, tally.success, tally.failure(), tally.silent), (6, 1, 5, 1));
        assert_eq!((tally.contacts(), tally.active(), tally.pivots()), (4.0, 2.0, 3.0));
    }
}

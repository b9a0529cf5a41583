//! What is left to try when all paths have ended: parts by themselves, other units, games, and small problems exactly.
//!
//! | step       | for                                      | ends                                             |
//! |------------|------------------------------------------|--------------------------------------------------|
//! | `closer`   | answers that are not sure, at most twelve unknowns | solved or no solution, by exact arithmetic |
//! | `parts`    | blocks that know nothing of each other   | solved if all are, no solution if one has none   |
//! | `exact`    | at most twelve unknowns                  | always: a solution, or proof that there is none  |
//! | `balance`  | rows and columns in units of their own   | solved                                           |
//! | `games`    | M = \[0 A; Bᵀ 0\]                        | solved                                           |
//! | `newton`   | matrices of no class                     | solved                                           |
//! | `root`     | up to twenty unknowns                    | no solution, where z ≥ 0, w ≥ 0 alone has none   |

use super::newton::Newton;
use super::small::is_counted;
use super::{Robust, balance, games};
use crate::clock::Clock;
use crate::exact::{CHOICES, Decision, ENUMERABLE, decide, follow};
use crate::measure::residual_in;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Proof, Ray, Residual, SOLVED, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};
use crate::rows::BoxedRows;
use crate::split::split_lcp;
use crate::sure::lent::{self, Answer};
use crate::sure::{Closer, Square, is_sure, look_closer};
use crate::tableau::Tableau;

/// The most unknowns of a problem whose inequalities alone are decided exactly: some hundredths of a second.
pub(crate) const ROOT: usize = 20;

/// Impulses beyond this many times the largest q, in energy units, are not what was meant by rounded data.
const MEANT: f64 = 1e3;

impl Robust {
    /// Another try at a problem that was not solved; `first` is how it ended before.
    pub(super) fn finish(
        &mut self,
        lcp: &Lcp,
        first: Outcome,
        budget: Budget,
        clock: Clock,
        solution: &mut Solution,
    ) -> Outcome {
        let mut end = first;
        let steps =
            [Self::by_parts, Self::exactly, Self::balanced, Self::as_game, Self::at_root, Self::by_newton];
        for step in steps {
            let spent = |limit: usize| limit.saturating_sub(end.pivots);
            let left = Budget { pivots: budget.pivots.map(spent), ..clock.rest(budget) };
            if clock.expired() || left.pivots == Some(0) {
                return Outcome { status: Status::Budget, ..end };
            }
            if step(self, lcp, left, clock, solution, &mut end) {
                break;
            }
        }
        end
    }

    /// Looks at a small problem in whole numbers where it is not sure that its answer stands beside an exact one.
    pub(super) fn closer(
        &mut self,
        lcp: &Lcp,
        mut end: Outcome,
        clock: Clock,
        solution: &mut Solution,
    ) -> Outcome {
        if self.to_rounding
            || lcp.n() > ENUMERABLE
            || lcp.noise().is_some()
            || is_sure(BoxedRows::from(lcp), &solution.z, &solution.w)
        {
            return end;
        }
        match look_closer(&Mlcp::from(lcp), &solution.z, clock) {
            Closer::Take(z) => {
                self.take_if_solved(lcp, z, solution, &mut end);
            }
            Closer::NoSolution { refuted } => {
                solution.ray = Some(Ray { proof: Proof::Exhausted { refuted }, ..Ray::default() });
                end.status = Status::Ray;
            }
            Closer::Doubt => end.status = Status::Inaccurate,
            Closer::Keep => {}
        }
        end
    }

    /// A small problem on the tableau; none where that is not the end of it.
    pub(super) fn on_tableau(
        &mut self,
        lcp: &Lcp,
        budget: &Budget,
        clock: Clock,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        if let Some(outcome) = self.solve_small(lcp, budget, solution, observer) {
            return Some(self.closer_small(lcp, outcome, clock, solution));
        }
        // what a budget counts is the search's
        if is_counted(budget) {
            return None;
        }
        let outcome = self.path_in_whole_numbers(lcp, clock, solution);
        if outcome.is_some() {
            self.tell_small(lcp, observer);
        }
        outcome
    }

    /// The same after a path on the tableau, whose inverse serves.
    fn closer_small(&mut self, lcp: &Lcp, end: Outcome, clock: Clock, solution: &mut Solution) -> Outcome {
        let answer = Answer { m: lcp.m(), q: lcp.q(), z: &solution.z, w: &solution.w };
        let lend = |unknowns: &[usize], inverse: &mut Square| self.lend_inverse(unknowns, inverse);
        if self.to_rounding || lent::is_sure(answer, lend) {
            return end;
        }
        self.closer(lcp, end, clock, solution)
    }

    /// The end of Lemke's path in whole numbers, for a small problem whose path on the tableau is no answer: where terms of 1e-17 are data,
    /// no band for rounding tells them from it. Not where that end is absurd beside what the data ask: the search may come to one that
    /// holds to rounding.
    fn path_in_whole_numbers(&mut self, lcp: &Lcp, clock: Clock, solution: &mut Solution) -> Option<Outcome> {
        if lcp.n() > ENUMERABLE {
            return None;
        }
        let z = follow(&Mlcp::from(lcp), &clock)?;
        self.scaling.rebuild(lcp.m(), lcp.q());
        if z.iter().enumerate().any(|(i, &z)| self.scaling.z(i, z) > MEANT) {
            return None;
        }
        let (status, residual) = (Status::Inaccurate, Residual::default());
        let mut end = Outcome { status, pivots: self.small_pivots(), nodes: self.small_pivots(), residual };
        self.has_path_ray = false;
        self.take_if_solved(lcp, z, solution, &mut end).then_some(end)
    }

    /// Solves independent parts by themselves. True if that decides the problem.
    fn by_parts(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        let parts = split_lcp(lcp);
        if parts.len() < 2 {
            return false;
        }
        let mut child = Self::default();
        let (mut answer, mut z, mut status) = (Solution::default(), vec![0.0; lcp.n()], Status::Solved);
        for (rows, part) in &parts {
            let outcome = child.solve_with(part, Start::Cold, clock.rest(budget), &mut answer, &mut ());
            end.pivots += outcome.pivots;
            end.nodes += outcome.nodes;
            rows.iter().zip(&answer.z).for_each(|(&i, &v)| z[i] = v);
            if outcome.status == Status::Ray {
                // what one part has not, the whole has not
                let mut ray =
                    Ray { proof: answer.ray.as_ref().map_or(Proof::None, |r| r.proof), ..Ray::default() };
                if let Some(part_ray) = answer.ray.take().filter(|r| r.dz.len() == rows.len()) {
                    let wide = |v: &[f64]| {
                        let mut all = vec![0.0; lcp.n()];
                        rows.iter().zip(v).for_each(|(&i, &v)| all[i] = v);
                        all
                    };
                    (ray.z, ray.dz) = (wide(&part_ray.z), wide(&part_ray.dz));
                    (ray.cover, ray.z0, ray.dz0) = (wide(&part_ray.cover), part_ray.z0, part_ray.dz0);
                }
                solution.ray = Some(ray);
                end.status = Status::Ray;
                return true;
            }
            if outcome.status != Status::Solved {
                status = outcome.status;
            }
        }
        self.take_if_solved(lcp, z, solution, end);
        if end.status != Status::Solved {
            end.status = if status == Status::Solved { Status::Inaccurate } else { status };
        }
        true
    }

    /// Decides a small problem.
    fn exactly(
        &mut self,
        lcp: &Lcp,
        _budget: Budget,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        lcp.n() <= ENUMERABLE && self.decided(lcp, CHOICES, clock, solution, end)
    }

    /// Decides whether z ≥ 0 and w ≥ 0 alone are possible.
    fn at_root(
        &mut self,
        lcp: &Lcp,
        _budget: Budget,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        lcp.n() <= ROOT && self.has_path_ray && self.decided(lcp, 1, clock, solution, end)
    }

    fn decided(
        &mut self,
        lcp: &Lcp,
        choices: usize,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        match decide(&Mlcp::from(lcp), choices, clock) {
            Decision::Solution(z) => {
                self.take_if_solved(lcp, z, solution, end);
                true
            }
            // data that are known to rounding only may have no solution for no reason
            Decision::NoSolution { .. } if lcp.noise().is_some() => false,
            Decision::NoSolution { refuted } => {
                let path =
                    if self.has_path_ray { std::mem::take(&mut self.spare_ray) } else { Ray::default() };
                solution.ray = Some(Ray { proof: Proof::Exhausted { refuted }, ..path });
                end.status = Status::Ray;
                true
            }
            Decision::Beyond | Decision::Undecided => false,
        }
    }

    /// Solves the problem in units that make rows and columns alike.
    pub(super) fn balanced(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        _clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        let Some(t) = balance::balance(lcp) else { return false };
        let Some(near) = balance::balanced(lcp, &t) else { return false };
        let (mut child, mut answer) = (Self::default(), Solution::default());
        let outcome = child.solve_mixed(&near, 0, Start::Cold, budget, &mut answer, &mut (), &mut ());
        end.pivots += outcome.pivots;
        end.nodes += outcome.nodes;
        let z = answer.z.iter().zip(&t).map(|(z, t)| z * t).collect();
        outcome.status == Status::Solved && self.take_if_solved(lcp, z, solution, end)
    }

    /// Solves a game from one label after the other.
    fn as_game(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        let Some(second) = games::players(lcp) else { return false };
        let mut tableau = Tableau::default();
        let mut answer = Solution::default();
        for k in 0..lcp.n() {
            if clock.expired() {
                return false;
            }
            let path = games::follow(lcp, &second, k, clock, &mut tableau, &mut end.pivots);
            let Some(basis) = path else { continue };
            let left = Budget { nodes: Some(lcp.n()), ..clock.rest(budget) };
            let start = Start::Basis(&basis);
            let outcome = self.solve_mixed(lcp, 0, start, left, &mut answer, &mut (), &mut ());
            end.nodes += outcome.nodes;
            let z = std::mem::take(&mut answer.z);
            if outcome.status == Status::Solved && self.take_if_solved(lcp, z, solution, end) {
                return true;
            }
        }
        false
    }

    /// Descends from random starts, for matrices of no class.
    fn by_newton(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        clock: Clock,
        solution: &mut Solution,
        end: &mut Outcome,
    ) -> bool {
        let n = lcp.n();
        // small problems are decided, and mechanics has matrices of a class
        if n <= ENUMERABLE || lcp.noise().is_some() || budget.pivots.is_some() || budget.nodes.is_some() {
            return false;
        }
        self.scale(lcp);
        let (m, q) = (self.m[..n * n].to_vec(), self.scaled_q.clone());
        let mut answer = Solution::default();
        Newton::default().search(&m, &q, clock, |basis| {
            let left = Budget { nodes: Some(n), ..clock.rest(budget) };
            let start = Start::Basis(basis);
            let outcome = self.solve_mixed(lcp, 0, start, left, &mut answer, &mut (), &mut ());
            end.pivots += outcome.pivots;
            end.nodes += outcome.nodes;
            let z = std::mem::take(&mut answer.z);
            outcome.status == Status::Solved && self.take_if_solved(lcp, z, solution, end)
        })
    }

    /// Measures an answer on the problem itself; takes it if it is one.
    fn take_if_solved(&mut self, lcp: &Lcp, z: Vec<f64>, solution: &mut Solution, end: &mut Outcome) -> bool {
        let mut w = Vec::new();
        lcp.slack(&z, &mut w);
        self.scaling.rebuild(lcp.m(), lcp.q());
        let residual = residual_in(lcp, &self.scaling, &mut self.verdict, &z, &w);
        if residual.natural > SOLVED {
            return false;
        }
        solution.basis.clear();
        solution.basis.extend(z.iter().map(|&z| z > 0.0));
        solution.z = z;
        solution.w = w;
        solution.ray = None;
        end.status = Status::Solved;
        end.residual = residual;
        true
    }
}

//! The default method on boxed problems: what is tried, in order, until an answer holds on the boxed problem itself.
//!
//! | rung       | what it does                                                          | for                       |
//! |------------|-----------------------------------------------------------------------|---------------------------|
//! | `wide`     | bounds that no impulse of the problem's size reaches are left away    | ±1e18 for "no limit"      |
//! | `lowered`  | the standard form, free unknowns kept in the basis                    | nearly everything         |
//! | `parts`    | independent parts by themselves                                       | blocks of unlike size     |
//! | `classical`| Dantzig's pivoting, block pivoting, Gauss-Seidel                      | friction on normals that may pull |
//! | `closer`   | answers that are not sure, up to twelve rows                          | terms that cancel         |
//! | `exact`    | all cells in whole numbers, up to twelve rows                         | the rest: solved or proved |
//!
//! A bound of 1e18 on x = lo + z costs z all digits of x; left away it costs nothing, and an answer within the bounds
//! that were left away is an answer. No rung is believed: each answer is measured on the problem as it was given.

use crate::clock::Clock;
use crate::exact::{CHOICES, Decision, ENUMERABLE, decide};
use crate::observer::Observer;
use crate::outcome::{Budget, MlcpSolution, Outcome, Proof, Ray, Residual, SOLVED, Status};
use crate::problem::Mlcp;
use crate::robust::finish::ROOT;
use crate::rows::BoxedRows;
use crate::scale::Scaling;
use crate::solver::{Method, Solver};
use crate::split::split_mlcp;
use crate::sure::{Closer, is_sure, look_closer};

/// A bound this many times the impulse that b and the effective masses speak of is not expected to be reached: x
/// would lose more than half of its digits to it.
const WIDE: f64 = 1e8;
/// Multiplications that Gauss-Seidel may spend, about a second's worth.
const SWEEP_WORK: usize = 1_000_000_000;

impl Solver {
    /// The ladder, and for small problems a closer look at an answer that is not sure.
    pub(crate) fn solve_boxed(
        &mut self,
        mlcp: &Mlcp,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let clock = Clock::new(&budget);
        let mut end = self.climb_boxed(mlcp, budget, clock, solution, observer);
        if end.status != Status::Solved
            || mlcp.n() > ENUMERABLE
            || mlcp.noise().is_some()
            || self.stops_at_rounding()
            || is_sure(BoxedRows::from(mlcp), &solution.x, &solution.w)
        {
            return end;
        }
        match look_closer(mlcp, &solution.x, clock) {
            Closer::Take(mut x) => {
                BoxedRows::from(mlcp).project(&mut x);
                take_if_solved(mlcp, x, solution, &mut end);
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

    fn climb_boxed(
        &mut self,
        mlcp: &Mlcp,
        budget: Budget,
        clock: Clock,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut spent = (0, 0);
        if let Some(near) = without_wide_bounds(mlcp) {
            let mut outcome = self.solve_lowered_form(&near, clock.rest(budget), solution, observer);
            spent = (outcome.pivots, outcome.nodes);
            BoxedRows::from(mlcp).project(&mut solution.x);
            mlcp.slack(&solution.x, &mut solution.w);
            outcome.residual = Residual::of_mlcp(mlcp, &solution.x, &solution.w);
            if outcome.residual.natural <= SOLVED {
                solution.ray = None;
                return Outcome { status: Status::Solved, ..outcome };
            }
            if outcome.status == Status::Budget {
                return outcome;
            }
        }
        let left = Budget { pivots: budget.pivots.map(|p| p.saturating_sub(spent.0)), ..clock.rest(budget) };
        let mut end = self.solve_lowered_form(mlcp, left, solution, observer);
        end.pivots += spent.0;
        end.nodes += spent.1;
        if matches!(end.status, Status::Solved | Status::Budget | Status::Ray) {
            return end;
        }
        for rung in [by_parts, classical, exactly] {
            let left =
                Budget { pivots: budget.pivots.map(|p| p.saturating_sub(end.pivots)), ..clock.rest(budget) };
            if clock.expired() || left.pivots == Some(0) {
                return Outcome { status: Status::Budget, ..end };
            }
            if rung(mlcp, left, clock, solution, &mut end) {
                break;
            }
        }
        end
    }
}

/// The problem without the bounds that are far beyond its impulses; none if there are no such bounds.
fn without_wide_bounds(mlcp: &Mlcp) -> Option<Mlcp> {
    let n = mlcp.n();
    let scaling = Scaling::new(mlcp.a(), mlcp.b());
    let wide = |i: usize, bound: f64| {
        let size = WIDE * scaling.unscale_z(i, 1.0);
        mlcp.findex()[i].is_none() && bound.is_finite() && bound.abs() > size
    };
    // a bound on the far side of zero is one that x starts beyond: it is active, however large
    let lo: Vec<f64> = (0..n)
        .map(|i| if wide(i, mlcp.lo()[i]) && mlcp.lo()[i] < 0.0 { f64::NEG_INFINITY } else { mlcp.lo()[i] })
        .collect();
    let hi: Vec<f64> = (0..n)
        .map(|i| if wide(i, mlcp.hi()[i]) && mlcp.hi()[i] > 0.0 { f64::INFINITY } else { mlcp.hi()[i] })
        .collect();
    if lo == mlcp.lo() && hi == mlcp.hi() {
        return None;
    }
    mlcp.with_bounds(lo, hi)
}

/// Solves independent parts by themselves. True if that decides the problem.
fn by_parts(
    mlcp: &Mlcp,
    budget: Budget,
    clock: Clock,
    solution: &mut MlcpSolution,
    end: &mut Outcome,
) -> bool {
    let parts = split_mlcp(mlcp);
    if parts.len() < 2 {
        return false;
    }
    let mut child = Solver::new(Method::Robust);
    let (mut answer, mut x, mut status) = (MlcpSolution::default(), vec![0.0; mlcp.n()], Status::Solved);
    for (rows, part) in &parts {
        let outcome = child.solve_mlcp_with(part, clock.rest(budget), &mut answer, &mut ());
        end.pivots += outcome.pivots;
        end.nodes += outcome.nodes;
        rows.iter().zip(&answer.x).for_each(|(&i, &v)| x[i] = v);
        if outcome.status == Status::Ray {
            let proof = answer.ray.as_ref().map_or(Proof::None, |ray| ray.proof);
            solution.ray = Some(Ray { proof, ..Ray::default() });
            end.status = Status::Ray;
            return true;
        }
        if outcome.status != Status::Solved {
            status = outcome.status;
        }
    }
    if !take_if_solved(mlcp, x, solution, end) {
        end.status = if status == Status::Solved { Status::Inaccurate } else { status };
    }
    true
}

/// Methods that know bounds by themselves.
fn classical(
    mlcp: &Mlcp,
    budget: Budget,
    clock: Clock,
    solution: &mut MlcpSolution,
    end: &mut Outcome,
) -> bool {
    let mut answer = MlcpSolution::default();
    for method in [Method::Dantzig, Method::BlockPivot, Method::Pgs] {
        let mut left = clock.rest(budget);
        if method == Method::Pgs {
            let sweeps = (SWEEP_WORK / (mlcp.n() * mlcp.n())).min(10_000);
            left.pivots = Some(left.pivots.unwrap_or(sweeps).min(sweeps));
        }
        if clock.expired() {
            return false;
        }
        let mut solver = Solver::new(method);
        let outcome = solver.solve_mlcp_with(mlcp, left, &mut answer, &mut ());
        end.pivots += outcome.pivots;
        end.nodes += outcome.nodes;
        let x = std::mem::take(&mut answer.x);
        if outcome.status == Status::Solved && take_if_solved(mlcp, x, solution, end) {
            return true;
        }
    }
    false
}

/// Decides a small problem: a solution, or proof that there is none.
fn exactly(
    mlcp: &Mlcp,
    _budget: Budget,
    clock: Clock,
    solution: &mut MlcpSolution,
    end: &mut Outcome,
) -> bool {
    let choices = if mlcp.n() <= ENUMERABLE { CHOICES } else { 1 };
    if mlcp.n() > ROOT {
        return false;
    }
    match decide(mlcp, choices, clock) {
        Decision::Solution(mut x) => {
            BoxedRows::from(mlcp).project(&mut x);
            take_if_solved(mlcp, x, solution, end)
        }
        // data that are known to rounding only may have no solution for no reason
        Decision::NoSolution { refuted } if mlcp.noise().is_none() => {
            solution.ray = Some(Ray { proof: Proof::Exhausted { refuted }, ..Ray::default() });
            end.status = Status::Ray;
            true
        }
        _ => false,
    }
}

/// Measures an answer on the problem itself; takes it if it is one.
fn take_if_solved(mlcp: &Mlcp, x: Vec<f64>, solution: &mut MlcpSolution, end: &mut Outcome) -> bool {
    let mut w = Vec::new();
    mlcp.slack(&x, &mut w);
    let residual = Residual::of_mlcp(mlcp, &x, &w);
    if residual.natural > SOLVED {
        return false;
    }
    *solution = MlcpSolution { x, w, sides: Vec::new(), ray: None };
    end.status = Status::Solved;
    end.residual = residual;
    true
}

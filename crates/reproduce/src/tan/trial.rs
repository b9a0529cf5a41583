//! One stabilised problem: which methods solve it, and what its answer is in the problem as it was.
//!
//! With c on E and μ the rows of friction and cone read
//!
//! ```text
//!     w_φ = D u + c E λ′,     w_λ = c (μ θ − Eᵀ φ)
//! ```
//!
//! so (θ, φ, λ′) solves the scaled problem where, and only where, (θ, φ, c λ′) solves the plain one: the two have the same
//! motions. Where friction leaves the motion open (a peg held by friction alone) they have several, and a solver may
//! return one here and another there. Equality of two answers is therefore no test; that each answer, taken over,
//! solves the other problem is one, and it is decided in rationals.

use gudgeon_lcp::{
    Budget, FactoredForm, FrictionProblem, Lcp, Lemke, Lexicographic, Mlcp, Robust, SOLVED, Solution,
    Stabilisation, Start, Status,
};
use gudgeon_testkit::exact::is_backward_exact;

use crate::runs::median;

/// Velocities that differ by more than this part of the free ones are another motion: a hundred times the part of a row
/// that counts as solved.
const ANOTHER: f64 = 1e-7;

/// The standard problem in raw units [Tan (14)], as Tan's own solver would see it.
fn raw(problem: &FrictionProblem, stabilisation: Stabilisation) -> Result<Lcp, String> {
    let mlcp = problem.to_mlcp(stabilisation).map_err(|e| e.to_string())?;
    Lcp::from_column_major(mlcp.a().to_vec(), mlcp.b().to_vec()).map_err(|e| e.to_string())
}

/// The velocities of all contact rows under the impulses in z, by the original data.
fn velocities(form: &FactoredForm, facets: usize, z: &[f64]) -> Vec<f64> {
    let n = form.n_contacts();
    let mut impulse = vec![0.0; 3 * n];
    for i in 0..n {
        impulse[3 * i] = z[i];
        for j in 0..facets {
            let (s, c) = (std::f64::consts::TAU * j as f64 / facets as f64).sin_cos();
            let phi = z[n + i * facets + j];
            impulse[3 * i + 1] += c * phi;
            impulse[3 * i + 2] += s * phi;
        }
    }
    let mut motion = vec![0.0; form.width()];
    for (k, r) in impulse.iter().enumerate() {
        let row = form.row(k);
        row.index.iter().zip(row.value).for_each(|(&i, v)| motion[i] += v * r);
    }
    (0..3 * n)
        .map(|k| {
            let row = form.row(k);
            row.velocity + row.index.iter().zip(row.value).map(|(&i, v)| v * motion[i]).sum::<f64>()
        })
        .collect()
}

/// A stabilisation over all problems: solved by Lemke and by lexicographic Lemke; and, of the stabilised problem solved
/// exactly, the change of the contact velocities and the speed of sinking, both against the largest free velocity.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) problems: usize,
    pub(super) lemke: usize,
    pub(super) lexicographic: usize,
    pub(super) exact: usize,
    pub(super) errors: Vec<f64>,
    pub(super) sinking: f64,
    /// Answers of the plain problem that solve this one, λ taken over.
    pub(super) forth: usize,
    /// Answers of this one that solve the plain problem.
    pub(super) back: usize,
}

impl Row {
    /// The median: where friction leaves the motion open, a nudge may choose another one of its solutions.
    pub(super) fn error(&self) -> f64 {
        median(&mut self.errors.clone())
    }

    pub(super) fn largest(&self) -> f64 {
        self.errors.iter().copied().fold(0.0, f64::max)
    }

    /// The largest change among answers that have the same motion, and how many have another.
    pub(super) fn same_and_another(&self) -> (f64, usize) {
        let same = self.errors.iter().copied().filter(|&e| e <= ANOTHER).fold(0.0, f64::max);
        (same, self.errors.iter().filter(|&&e| e > ANOTHER).count())
    }
}

/// An answer of the plain problem: its z, and the velocities of all contact rows.
pub(super) struct Plain {
    z: Vec<f64>,
    velocities: Vec<f64>,
}

/// The same answer where λ is measured in units `factor` times as large: the λ stand last, one for every contact.
fn taken_over(z: &[f64], n_contacts: usize, factor: f64) -> Vec<f64> {
    let first = z.len() - n_contacts;
    z.iter().enumerate().map(|(i, &z)| if i < first { z } else { z * factor }).collect()
}

pub(super) struct Engines {
    lemke: Lemke,
    lexicographic: Lexicographic,
    robust: Robust,
    solution: Solution,
}

impl Engines {
    pub(super) fn new() -> Self {
        Self {
            lemke: Lemke::default(),
            lexicographic: Lexicographic::default(),
            robust: Robust::default(),
            solution: Solution::default(),
        }
    }

    /// The answer to the stabilised problem, with the velocities it has in the plain one; none where it is not solved.
    pub(super) fn exact(
        &mut self,
        problem: &FrictionProblem,
        form: &FactoredForm,
        s: Stabilisation,
    ) -> Result<Option<Plain>, String> {
        let lcp = raw(problem, s)?;
        if self.robust.solve(&lcp, &mut self.solution).status != Status::Solved {
            return Ok(None);
        }
        let z = self.solution.z.clone();
        Ok(Some(Plain { velocities: velocities(form, problem.facets(), &z), z }))
    }

    /// One problem under one stabilisation, beside the answer of the plain problem.
    pub(super) fn add(
        &mut self,
        row: &mut Row,
        problem: &FrictionProblem,
        s: Stabilisation,
        rigid: &Plain,
        form: &FactoredForm,
    ) -> Result<(), String> {
        let lcp = raw(problem, s)?;
        row.problems += 1;
        let (solution, budget) = (&mut self.solution, Budget::default());
        let outcome = self.lemke.solve_with(&lcp, Start::Cold, budget, solution, &mut ());
        row.lemke += usize::from(outcome.status == Status::Solved);
        let outcome = self.lexicographic.solve_with(&lcp, Start::Cold, budget, solution, &mut ());
        row.lexicographic += usize::from(outcome.status == Status::Solved);
        // what may not change the motions is held to it
        let held = s.diagonal == 0.0 && s.cone_scale != 1.0;
        let n = problem.n_contacts();
        if held {
            let forth = taken_over(&rigid.z, n, 1.0 / s.cone_scale);
            row.forth += usize::from(is_backward_exact(&Mlcp::from(&lcp), &forth, SOLVED));
        }
        let Some(soft) = self.exact(problem, form, s)? else { return Ok(()) };
        row.exact += 1;
        let free = form.rows().fold(0.0, |m: f64, r| m.max(r.velocity.abs()));
        let both = soft.velocities.iter().zip(&rigid.velocities);
        let error = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let sinking = soft.velocities.iter().step_by(3).map(|u| -u).fold(0.0, f64::max);
        row.errors.push(error / free);
        row.sinking = row.sinking.max(sinking / free);
        if held {
            let plain = Mlcp::from(&raw(problem, Stabilisation::default())?);
            let back = taken_over(&soft.z, n, s.cone_scale);
            row.back += usize::from(is_backward_exact(&plain, &back, SOLVED));
        }
        Ok(())
    }
}

impl Plain {
    /// The fastest contact along its surface, m/s.
    pub(super) fn slip(&self) -> f64 {
        self.velocities.chunks(3).map(|u| u[1].hypot(u[2])).fold(0.0, f64::max)
    }
}

//! Friction problems as boxed and as standard ones.
//!
//! With d directions per contact, D = (t1 t2) times the directions, and E the d·n × n matrix of ones
//! (Lloyd's convention; Yamane's E is its transpose):
//!
//! ```text
//!     ν = Nᵀ W N θ + Nᵀ W D φ       + qₙ      ≥ 0 ⊥ θ ≥ 0
//!     σ = Dᵀ W N θ + Dᵀ W D φ + E λ + Dᵀ q    ≥ 0 ⊥ φ ≥ 0          [Yamane (25)-(26)], [Tan (14)-(15)]
//!     γ = mu θ     − Eᵀ φ                     ≥ 0 ⊥ λ ≥ 0
//! ```
//!
//! Unknowns come in the order θ (n), φ (n·d), λ (n), unilateral, bounded, equality. The velocity-level form
//! that keeps the mass matrix, [Tan (12)], is [`FrictionProblem::to_mlcp_with_velocity`].

use super::answer::directions;
use super::cholesky::{cholesky, cholesky_half, cholesky_solve};
use super::forms::Row;
use super::{FactoredForm, FactoredRow, FrictionProblem, GlobalForm, Mlcp};
use crate::clock::Clock;
use crate::error::ProblemError;
use crate::kernel::axpy;

/// Tan's two treatments of an ill-conditioned matrix [Tan, §5]. Both off by default.
///
/// ```
/// use gudgeon_lcp::{FrictionProblem, Stabilisation};
///
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![-1.0, 0.2, 0.0], vec![0.5])?;
/// let soft = problem.to_mlcp(Stabilisation { diagonal: 1e-6, ..Stabilisation::default() })?;
/// assert_eq!(soft.a()[0], 1.0 + 1e-6);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stabilisation {
    /// ε of A_ii ← (1 + ε) A_ii: softens contacts, so the answer changes with it. 0 is off.
    pub diagonal: f64,
    /// The factor on E (both places) and mu, Tan's Δt: rescales λ and γ, so impulses stay. 1 is off.
    pub cone_scale: f64,
}

impl Default for Stabilisation {
    fn default() -> Self {
        Self { diagonal: 0.0, cone_scale: 1.0 }
    }
}

/// Rows times the inverse of the mass factor: a_k = G⁻¹ J_kᵀ, 𝓜 = G Gᵀ, with q of every row.
pub(crate) struct FactoredRows {
    /// (degree of freedom, value), in order.
    pub(crate) rows: Vec<Vec<(usize, f64)>>,
    pub(crate) q: Vec<f64>,
    pub(crate) dof: usize,
}

/// The Cholesky factors of the mass blocks, where each begins, and which block a degree of freedom is in.
struct MassBlocks {
    starts: Vec<usize>,
    block_of: Vec<usize>,
    factors: Vec<Vec<f64>>,
}

impl MassBlocks {
    fn of(global: &GlobalForm) -> Self {
        let mut starts = Vec::with_capacity(global.mass.len());
        let mut block_of = Vec::new();
        let mut factors = Vec::with_capacity(global.mass.len());
        for (block, (size, mass)) in global.mass.iter().enumerate() {
            starts.push(block_of.len());
            block_of.extend(std::iter::repeat_n(block, *size));
            let mut factor = mass.clone();
            cholesky(&mut factor, *size).expect("checked when the problem was built");
            factors.push(factor);
        }
        Self { starts, block_of, factors }
    }
}

/// The factored rows of a problem in global form: contacts (n, t1, t2), unilateral, bounded, equality.
pub(crate) fn factored_rows(problem: &FrictionProblem) -> FactoredRows {
    if let Some(form) = problem.as_factored() {
        return given_rows(form);
    }
    let global = problem.as_global().expect("the local form has no mass");
    let (mut rows, mut q) = (Vec::new(), Vec::new());
    let dof = divide_rows(global, |entries, velocity| {
        rows.push(entries.to_vec());
        q.push(velocity);
    });
    FactoredRows { rows, q, dof }
}

/// Hands over the rows divided by the mass factor one by one, with their velocities; answers the degrees of freedom.
pub(crate) fn divide_rows(global: &GlobalForm, mut take: impl FnMut(&[(usize, f64)], f64)) -> usize {
    let MassBlocks { starts, block_of, factors } = MassBlocks::of(global);
    let mut column = vec![0.0; block_of.len()];
    let (mut touched, mut entries) = (Vec::<usize>::new(), Vec::new());
    for row in all_rows(global) {
        touched.clear();
        touched.extend(row.entries.iter().map(|e| block_of[e.0]));
        touched.sort_unstable();
        touched.dedup();
        for &(dof, v) in &row.entries {
            column[dof] += v;
        }
        entries.clear();
        for &block in &touched {
            let (size, start) = (global.mass[block].0, starts[block]);
            let x = &mut column[start..start + size];
            cholesky_half(&factors[block], size, x);
            // a free body keeps its zeros: a run of six is quicker than five scattered entries
            let keep = |v: f64| size <= 6 || v != 0.0;
            entries.extend(x.iter().enumerate().filter(|(_, v)| keep(**v)).map(|(i, &v)| (start + i, v)));
            x.fill(0.0);
        }
        take(&entries, velocity(row, &global.free_velocity));
    }
    block_of.len()
}

/// The factored rows of a problem in global form, as a form.
pub(super) fn to_factored(problem: &FrictionProblem) -> FactoredForm {
    let factored = factored_rows(problem);
    let mut form = FactoredForm::default();
    form.clear(factored.dof);
    let index: Vec<Vec<usize>> = factored.rows.iter().map(|r| r.iter().map(|e| e.0).collect()).collect();
    let value: Vec<Vec<f64>> = factored.rows.iter().map(|r| r.iter().map(|e| e.1).collect()).collect();
    let row = |k: usize| FactoredRow {
        index: &index[k],
        value: &value[k],
        velocity: factored.q[k],
        compliance: 0.0,
    };
    for (i, &mu) in problem.mu().iter().enumerate() {
        form.contact(mu, [row(3 * i), row(3 * i + 1), row(3 * i + 2)]);
    }
    let first = 3 * problem.n_contacts();
    for k in 0..problem.n_rows() - first {
        if k < problem.n_unilateral() {
            form.unilateral(row(first + k));
        } else if k < problem.n_unilateral() + problem.n_bounded() {
            let (lo, hi) = problem.bounds(k - problem.n_unilateral());
            form.bounded(row(first + k), lo, hi);
        } else {
            form.equality(row(first + k));
        }
    }
    form
}

/// The same where the caller has divided already: compliance takes a place of its own.
fn given_rows(form: &FactoredForm) -> FactoredRows {
    let mut out = FactoredRows { rows: Vec::new(), q: Vec::new(), dof: form.width() };
    for row in form.rows() {
        let mut entries: Vec<(usize, f64)> =
            row.index.iter().copied().zip(row.value.iter().copied()).collect();
        if row.compliance > 0.0 {
            entries.push((out.dof, row.compliance.sqrt()));
            out.dof += 1;
        }
        out.rows.push(entries);
        out.q.push(row.velocity);
    }
    out
}

/// All rows of a problem with their Delassus matrix: contacts (n, t1, t2), unilateral, bounded, equality.
#[derive(Debug, Clone, Default)]
pub(crate) struct Delassus {
    pub(crate) rows: usize,
    w: Vec<f64>, // rows × rows, column-major
    pub(crate) q: Vec<f64>,
}

impl Delassus {
    /// None if time is up before its end.
    pub(crate) fn of(problem: &FrictionProblem, clock: &Clock) -> Option<Self> {
        if let Some(local) = problem.as_local() {
            return Some(Self { rows: local.q().len(), w: local.w().to_vec(), q: local.q().to_vec() });
        }
        if problem.as_factored().is_some() {
            return Self::of_factored(&factored_rows(problem), clock);
        }
        let global = problem.as_global().expect("a problem is local, factored or global");
        let rows = all_rows(global);
        let k = rows.len();
        let mut w = vec![0.0; k * k];
        let mut q = vec![0.0; k];
        // factor each mass block once; then W[:, j] = J (M⁻¹ J_jᵀ), over the blocks that row j touches
        let MassBlocks { starts, block_of, factors } = MassBlocks::of(global);
        let mut column = vec![0.0; block_of.len()];
        for (j, row) in rows.iter().enumerate() {
            if clock.expired() {
                return None;
            }
            column.fill(0.0);
            let mut touched: Vec<usize> = row.entries.iter().map(|e| block_of[e.0]).collect();
            touched.sort_unstable();
            touched.dedup();
            for &(dof, v) in &row.entries {
                column[dof] += v;
            }
            for &block in &touched {
                let (size, start) = (global.mass[block].0, starts[block]);
                cholesky_solve(&factors[block], size, &mut column[start..start + size]);
            }
            for (i, other) in rows.iter().enumerate() {
                w[j * k + i] = other.entries.iter().map(|&(dof, v)| v * column[dof]).sum();
            }
            q[j] = velocity(row, &global.free_velocity);
        }
        Some(Self { rows: k, w, q })
    }

    /// W = A Aᵀ
    fn of_factored(factored: &FactoredRows, clock: &Clock) -> Option<Self> {
        let k = factored.rows.len();
        let mut w = vec![0.0; k * k];
        let mut column = vec![0.0; factored.dof];
        for (j, row) in factored.rows.iter().enumerate() {
            if clock.expired() {
                return None;
            }
            for &(dof, v) in row {
                column[dof] = v;
            }
            for (i, other) in factored.rows.iter().enumerate() {
                w[j * k + i] = other.iter().map(|&(dof, v)| v * column[dof]).sum();
            }
            for &(dof, _) in row {
                column[dof] = 0.0;
            }
        }
        Some(Self { rows: k, w, q: factored.q.clone() })
    }

    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.w[j * self.rows..(j + 1) * self.rows]
    }
}

/// J v + bias. A sum that is nothing but the rounding of its own terms is zero: opposite contacts would else
/// each be given a side of a gap that does not exist.
fn velocity(row: &Row, v: &[f64]) -> f64 {
    let terms = || row.entries.iter().map(|&(dof, j)| j * v[dof]);
    let sum = row.bias + terms().sum::<f64>();
    let size = row.bias.abs() + terms().map(f64::abs).sum::<f64>();
    if sum.abs() <= 4.0 * f64::EPSILON * size { 0.0 } else { sum }
}

fn all_rows(global: &GlobalForm) -> Vec<&Row> {
    let contacts = global.contacts.iter().flat_map(|c| [&c.normal, &c.tangents[0], &c.tangents[1]]);
    let rest = global.unilateral.iter().chain(global.bounded.iter().map(|b| &b.row)).chain(&global.equality);
    contacts.chain(rest).collect()
}

impl FrictionProblem {
    /// The boxed problem of Yamane (25)-(26), with unilateral, bounded and equality rows after the contacts.
    pub fn to_mlcp(&self, stabilisation: Stabilisation) -> Result<Mlcp, ProblemError> {
        let clock = &Clock::default();
        let lowered = Delassus::of(self, clock).and_then(|d| lower(&d, self, stabilisation, clock));
        lowered.expect("a clock without a limit")
    }

    /// [Tan (12)]: the same problem with the velocities kept as free unknowns in front.
    ///
    /// The factored form has the identity for a mass matrix; the local form has none, and gives `None`.
    pub fn to_mlcp_with_velocity(&self) -> Option<Result<Mlcp, ProblemError>> {
        let global = self.to_global()?;
        let dof = global.free_velocity.len();
        let n = self.n_contacts();
        let d = self.facets();
        let dirs = directions(d);
        let extra = global.unilateral.len() + global.bounded.len() + global.equality.len();
        let size = dof + n * (2 + d) + extra;
        let mut a = vec![0.0; size * size];
        let mut b = vec![0.0; size];
        let mut start = 0;
        for (k, mass) in &global.mass {
            for j in 0..*k {
                for i in 0..*k {
                    a[(start + j) * size + start + i] = mass[j * k + i];
                    b[start + i] -= mass[j * k + i] * global.free_velocity[start + j];
                }
            }
            start += k;
        }

        // a row J of unknown u: −Jᵀ in the momentum rows, J in its own
        let mut couple = |u: usize, parts: &[(&Row, f64)]| {
            for &(row, f) in parts {
                for &(i, v) in &row.entries {
                    a[u * size + i] -= f * v;
                    a[i * size + u] += f * v;
                }
                b[u] += f * row.bias;
            }
        };
        for (i, contact) in global.contacts.iter().enumerate() {
            couple(dof + i, &[(&contact.normal, 1.0)]);
            for (j, dir) in dirs.iter().enumerate() {
                let unknown = dof + n + i * d + j;
                couple(unknown, &[(&contact.tangents[0], dir[0]), (&contact.tangents[1], dir[1])]);
            }
        }
        let first = dof + n * (2 + d);
        let rest =
            global.unilateral.iter().chain(global.bounded.iter().map(|b| &b.row)).chain(&global.equality);
        for (k, row) in rest.enumerate() {
            couple(first + k, &[(row, 1.0)]);
        }
        cone_rows(&mut a, size, dof, self, 1.0);
        let mut lo = vec![f64::NEG_INFINITY; dof];
        let mut hi = vec![f64::INFINITY; dof];
        impulse_bounds(self, &mut lo, &mut hi);
        Some(Mlcp::from_column_major(a, b, lo, hi).map(Mlcp::with_noise))
    }
}

/// γ = mu θ − Eᵀ φ and the E λ of σ, from unknown `start` on.
fn cone_rows(a: &mut [f64], size: usize, start: usize, problem: &FrictionProblem, scale: f64) {
    let (n, d) = (problem.n_contacts(), problem.facets());
    for i in 0..n {
        let (theta, lambda) = (start + i, start + n + n * d + i);
        a[theta * size + lambda] = scale * problem.mu()[i];
        for phi in start + n + i * d..start + n + (i + 1) * d {
            a[phi * size + lambda] = -scale;
            a[lambda * size + phi] = scale;
        }
    }
}

fn impulse_bounds(problem: &FrictionProblem, lo: &mut Vec<f64>, hi: &mut Vec<f64>) {
    let contacts = problem.n_contacts() * (2 + problem.facets());
    let unilateral = problem.n_unilateral();
    let first = hi.len();
    lo.extend(std::iter::repeat_n(0.0, contacts + unilateral));
    hi.extend(std::iter::repeat_n(f64::INFINITY, contacts + unilateral));
    // without friction there is nothing to decide about the cone
    let (n, d) = (problem.n_contacts(), problem.facets());
    for i in (0..n).filter(|&i| problem.mu()[i] == 0.0) {
        hi[first + n + i * d..first + n + (i + 1) * d].fill(0.0);
        hi[first + n + n * d + i] = 0.0;
    }
    lo.extend((0..problem.n_bounded()).map(|k| problem.bounds(k).0));
    hi.extend((0..problem.n_bounded()).map(|k| problem.bounds(k).1));
    lo.extend(std::iter::repeat_n(f64::NEG_INFINITY, problem.n_equality()));
    hi.extend(std::iter::repeat_n(f64::INFINITY, problem.n_equality()));
}

pub(crate) fn lower(
    delassus: &Delassus,
    problem: &FrictionProblem,
    stabilisation: Stabilisation,
    clock: &Clock,
) -> Option<Result<Mlcp, ProblemError>> {
    let (n, d) = (problem.n_contacts(), problem.facets());
    let dirs = directions(d);
    let rows = delassus.rows;
    let extra = rows - 3 * n;
    let size = n * (2 + d) + extra;

    // each unknown as a combination of Delassus rows
    let parts = |unknown: usize| -> [(usize, f64); 2] {
        if unknown < n {
            [(3 * unknown, 1.0), (3 * unknown, 0.0)]
        } else if unknown < n + n * d {
            let (i, j) = ((unknown - n) / d, (unknown - n) % d);
            [(3 * i + 1, dirs[j][0]), (3 * i + 2, dirs[j][1])]
        } else {
            let row = 3 * n + unknown - n * (2 + d);
            [(row, 1.0), (row, 0.0)]
        }
    };
    let is_cone = |unknown: usize| (n + n * d..n * (2 + d)).contains(&unknown);

    let mut a = vec![0.0; size * size];
    let mut b = vec![0.0; size];
    let mut velocity = vec![0.0; rows];
    for unknown in (0..size).filter(|&u| !is_cone(u)) {
        if clock.expired() {
            return None;
        }
        velocity.fill(0.0);
        for (row, f) in parts(unknown) {
            axpy(f, delassus.column(row), &mut velocity);
        }
        for target in (0..size).filter(|&t| !is_cone(t)) {
            a[unknown * size + target] = parts(target).iter().map(|&(row, f)| f * velocity[row]).sum();
        }
        b[unknown] = parts(unknown).iter().map(|&(row, f)| f * delassus.q[row]).sum();
    }
    cone_rows(&mut a, size, 0, problem, stabilisation.cone_scale);
    for i in 0..size {
        a[i * size + i] *= 1.0 + stabilisation.diagonal;
    }
    let (mut lo, mut hi) = (Vec::with_capacity(size), Vec::with_capacity(size));
    impulse_bounds(problem, &mut lo, &mut hi);
    Some(Mlcp::from_column_major(a, b, lo, hi).map(Mlcp::with_noise_asked))
}

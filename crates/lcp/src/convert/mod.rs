//! Boxed problems as standard ones, and back.
//!
//! Each row of an [`Mlcp`] becomes non-negative unknowns of an [`Lcp`]:
//!
//! ```text
//!     lo ≤ x            x = lo + z              w₊ = w
//!     x ≤ hi            x = hi − z              w₊ = −w
//!     lo ≤ x ≤ hi       x = lo + z              w₊ = w + s ⊥ z,   (hi − lo) − z ⊥ s       [EnzError (3)-(4)]
//!     lo·|x_f| ≤ x ≤ hi·|x_f|,  c, h = (hi ± lo)/2,  s the sign of x_f:
//!                       x = c s x_f + φ₊ − φ₋   w + λ ⊥ φ₊,   −w + λ ⊥ φ₋,   h s x_f − φ₊ − φ₋ ⊥ λ
//!     x = lo = hi       a constant
//!     x free            eliminated: x_e = −A_ee⁻¹ (b_e + A_er x_r)
//! ```
//!
//! Friction rows take the form of a cone with two directions, not that of a box with moving walls: it is
//! copositive, as Lemke's method wants it, and no small impulse is a difference of large bounds.
//!
//! The free block is eliminated with complete pivoting. What is left when it is singular is a redundant row,
//! dropped together with its unknown (which is then zero), or a row that couples only to bounded unknowns,
//! kept as the pair  w ≥ 0 ⊥ x₊,  −w ≥ 0 ⊥ x₋.
//!
//! The sign s of a normal impulse is +1 unless the row may be negative and turned out so; then
//! [`MlcpLcp::flip_signs`] says that the lowering must be done again.
//!
//! `mod` sorts the rows, `eliminate` takes the free block away, `assemble` fills the matrix, `recover` goes back.

mod assemble;
mod eliminate;
mod friction;
mod recover;

pub use friction::FrictionLcp;
pub(crate) use friction::FrictionMlcp;
pub(crate) use recover::BoxedJudge;

use crate::noise::Noise;
use crate::problem::{Lcp, Mlcp, ProblemError};
use crate::scale::Scaling;

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    Lower { z: usize },
    Upper { z: usize },
    Boxed { z: usize, s: usize },
    Friction { plus: usize, minus: usize, cone: usize, normal: usize },
    Fixed,
    Free,
}

/// A boxed problem lowered to a standard one, with the way back.
///
/// ```
/// use gudgeon_lcp::{Lemke, Mlcp, MlcpLcp, MlcpSolution, Solution, Solver};
///
/// let mlcp = Mlcp::from_rows(&[[1.0]], vec![-4.0], vec![-1.0], vec![1.0])?;
/// let lowered = MlcpLcp::new(&mlcp)?;
/// let (mut standard, mut answer) = (Solution::default(), MlcpSolution::default());
/// let lcp = lowered.lcp().expect("it has unknowns");
/// assert!(Solver::from(Lemke::default()).solve(lcp, &mut standard).is_solved());
/// lowered.recover(&mlcp, &standard, &mut answer);
/// assert!((answer.x[0] - 1.0).abs() < 1e-12);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MlcpLcp {
    lcp: Lcp,
    scaling: Scaling,
    scaled: Mlcp, // what is lowered: the problem in energy units
    class: Vec<Class>,
    unknowns: usize,
    // x = basis · z + offset in the rows that are not free; basis is n × unknowns, column-major
    offset: Vec<f64>,
    span: Vec<(usize, usize, f64)>, // row of x, unknown, factor
    // the free block, eliminated
    free: Vec<usize>,
    pivot_row: Vec<usize>, // positions in `free`, one per pivot
    pivot_col: Vec<usize>,
    elim: Vec<f64>, // |free| × (free columns, unknowns, constant, inverse), row-major, reduced on the pivots
    split: Vec<(usize, usize, usize)>, // unknown x₊, x₋, column in `free`
    mix: Vec<f64>,  // |split| × |split|, row-major: how leftover equations are combined
    coupled: Vec<(usize, usize, f64)>, // friction row, its free normal, factor
    mixed: Lcp,     // the standard problem with the free unknowns kept, at the end
    signs: Vec<f64>, // by row: the sign of a normal impulse
}

impl MlcpLcp {
    /// Lowers a boxed problem.
    pub fn new(mlcp: &Mlcp) -> Result<Self, ProblemError> {
        let mut lowered = Self::default();
        lowered.rebuild(mlcp)?;
        Ok(lowered)
    }

    /// Lowers another problem into the same memory. Fails only where finite numbers overflow when multiplied.
    pub fn rebuild(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
        self.signs.clear();
        self.signs.resize(mlcp.n(), 1.0);
        self.lower(mlcp)
    }

    /// Lowers with the present signs.
    pub(crate) fn lower(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
        self.scaling.rebuild(mlcp.a(), mlcp.b());
        let mut scaled = std::mem::take(&mut self.scaled);
        mlcp.scale_into(self.scaling.d(), &mut scaled);
        self.classify(&scaled);
        self.eliminate(&scaled);
        let assembled = self.assemble(&scaled);
        self.scaled = scaled;
        assembled
    }

    /// Makes the problem with the free unknowns kept instead of eliminated, for a method that can hold them in
    /// its basis. Elimination leaves rounding where joints block a direction, and that is then hard to tell from
    /// a weak constraint.
    pub(crate) fn keep_free(&mut self) -> Result<(), ProblemError> {
        if self.pivot_row.is_empty() {
            return Ok(());
        }
        let scaled = std::mem::take(&mut self.scaled);
        let mut lcp = std::mem::take(&mut self.mixed);
        let size = self.unknowns + self.pivot_row.len();
        let filled = lcp.rebuild(size, |m, q| self.fill(&scaled, true, size, m, q));
        if let Some(noise) = scaled.noise().filter(|_| filled.is_ok()) {
            lcp.add_noise_asked(&self.asked_around(noise));
        }
        self.scaled = scaled;
        self.mixed = lcp;
        filled
    }

    /// What is asked around each unknown, in energy units.
    fn asked_around(&self, noise: &Noise) -> Vec<f64> {
        let mut around = vec![0.0; self.unknowns];
        for (row, class) in self.class.iter().enumerate() {
            let asked = noise.asked[row] * self.scaling.d()[row];
            match *class {
                Class::Lower { z } | Class::Upper { z } | Class::Boxed { z, .. } => around[z] = asked,
                Class::Friction { plus, minus, .. } => (around[plus], around[minus]) = (asked, asked),
                Class::Fixed | Class::Free => {}
            }
        }
        around
    }

    /// The problem of [`MlcpLcp::keep_free`] and how many its free unknowns are; they come last, and their rows
    /// are equations. The standard problem where there are none.
    pub(crate) fn mixed(&self) -> Option<(&Lcp, usize)> {
        if self.pivot_row.is_empty() {
            return self.lcp().map(|lcp| (lcp, 0));
        }
        (self.unknowns > 0).then_some((&self.mixed, self.pivot_row.len()))
    }

    /// Takes the signs of the normal impulses from a solution; true if any changed.
    pub(crate) fn flip_signs(&mut self, mlcp: &Mlcp, x: &[f64]) -> bool {
        let mut changed = false;
        for normal in mlcp.findex().iter().flatten() {
            if x[*normal] * self.signs[*normal] < 0.0 {
                self.signs[*normal] = -self.signs[*normal];
                changed = true;
            }
        }
        changed
    }

    /// The standard problem; `None` when every unknown is free or fixed, so nothing is left to decide.
    pub fn lcp(&self) -> Option<&Lcp> {
        (self.unknowns > 0).then_some(&self.lcp)
    }

    fn classify(&mut self, mlcp: &Mlcp) {
        let n = mlcp.n();
        let mut next = 0;
        let mut take = || {
            next += 1;
            next - 1
        };
        self.class.clear();
        self.free.clear();
        for i in 0..n {
            let (lo, hi) = (mlcp.lo()[i], mlcp.hi()[i]);
            self.class.push(match mlcp.findex()[i] {
                _ if lo == hi => Class::Fixed,
                Some(normal) => Class::Friction { plus: take(), minus: take(), cone: take(), normal },
                None if lo.is_finite() && hi.is_finite() => Class::Boxed { z: take(), s: take() },
                None if lo.is_finite() => Class::Lower { z: take() },
                None if hi.is_finite() => Class::Upper { z: take() },
                None => {
                    self.free.push(i);
                    Class::Free
                }
            });
        }
        self.unknowns = next;

        // x = span · z + offset
        self.offset.clear();
        self.offset.resize(n, 0.0);
        self.span.clear();
        self.coupled.clear();
        for i in 0..n {
            let lo = mlcp.lo()[i];
            match self.class[i] {
                Class::Lower { z } | Class::Boxed { z, .. } => {
                    self.offset[i] = lo;
                    self.span.push((i, z, 1.0));
                }
                Class::Upper { z } => {
                    self.offset[i] = mlcp.hi()[i];
                    self.span.push((i, z, -1.0));
                }
                Class::Friction { plus, minus, normal, .. } => {
                    self.span.push((i, plus, 1.0));
                    self.span.push((i, minus, -1.0));
                    let factor = 0.5 * (lo + mlcp.hi()[i]) * self.signs[normal];
                    if factor == 0.0 {
                        continue;
                    }
                    match self.class[normal] {
                        Class::Lower { z } | Class::Boxed { z, .. } => {
                            self.offset[i] = factor * mlcp.lo()[normal];
                            self.span.push((i, z, factor));
                        }
                        Class::Upper { z } => {
                            self.offset[i] = factor * mlcp.hi()[normal];
                            self.span.push((i, z, -factor));
                        }
                        Class::Fixed => self.offset[i] = factor * mlcp.lo()[normal],
                        Class::Free => self.coupled.push((i, normal, factor)),
                        Class::Friction { .. } => unreachable!("a normal is never a friction row"),
                    }
                }
                Class::Fixed => self.offset[i] = if mlcp.findex()[i].is_some() { 0.0 } else { lo },
                Class::Free => {}
            }
        }
    }
}

impl From<&Lcp> for Mlcp {
    /// A standard problem is a boxed one with lo = 0 and hi = ∞.
    fn from(lcp: &Lcp) -> Self {
        let n = lcp.n();
        Mlcp::from_column_major(lcp.m().to_vec(), lcp.q().to_vec(), vec![0.0; n], vec![f64::INFINITY; n])
            .expect("an Lcp is finite and square")
    }
}

//! How a solve ended, what it cost, and the answer with its certificate.

use crate::clock::Interrupt;
use crate::problem::{Lcp, Mlcp};
pub use crate::residual::Residual;
use crate::scale::Scaling;
use crate::verdict::{Form, Verdict};

/// A solve may call itself solved when its natural residual, in scaled units, is at most this.
pub const SOLVED: f64 = 1e-9;

/// How a solve ended. Failures are those of [Yamane, §V-A], by name; none of them is an error.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Solution, Solver, Status};
///
/// // w = −1 whatever z is: no solution, and that is proved
/// let none = Lcp::from_rows(&[[0.0]], vec![-1.0])?;
/// let outcome = Solver::new(Method::Robust).solve(&none, &mut Solution::default());
/// assert_eq!(outcome.status, Status::Ray);
/// assert_eq!(outcome.status.to_string(), "ray");
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The answer's natural residual is at most [`SOLVED`].
    Solved,
    /// There is no solution, and this is proved without rounding ([`Ray::proof`] of [`Solution::ray`]). A path that
    /// ends on a ray which proves nothing is `Inaccurate`.
    Ray,
    /// A basis came round again.
    Cycle,
    /// The method ended, and the answer's residual is too large (or a block was singular).
    Inaccurate,
    /// Out of pivots, nodes, sweeps or time; the answer is the best iterate by energy error.
    Budget,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Status {
    /// The name used in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Ray => "ray",
            Self::Cycle => "cycle",
            Self::Inaccurate => "inaccurate",
            Self::Budget => "budget",
        }
    }
}

/// What a solve cost and how good its answer is; `Copy`, so logging it is free.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// let outcome = Solver::new(Method::Lemke).solve(&lcp, &mut Solution::default());
/// assert!(outcome.is_solved());
/// assert!(outcome.to_string().starts_with("solved after "));
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[must_use = "a solver that stopped early still returns an answer"]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Exchanges of variables (sweeps for `pgs`).
    pub pivots: usize,
    /// Nodes visited by a searching method; equals `pivots` for the others.
    pub nodes: usize,
    /// The distance to a solution.
    pub residual: Residual,
}

impl Outcome {
    /// Whether the answer holds: its natural residual is at most [`SOLVED`].
    pub fn is_solved(&self) -> bool {
        self.status == Status::Solved
    }
}

impl std::fmt::Display for Outcome {
    /// `solved after 12 pivots (natural 1.2e-15, energy 3.4e-20 J)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.pivots == 1 { "" } else { "s" };
        write!(f, "{} after {} pivot{plural} ({})", self.status, self.pivots, self.residual)
    }
}

/// What a solve may spend; `None` is the method's own generous limit. Seconds cost determinism: use them
/// where a deadline matters more.
///
/// ```
/// use gudgeon_lcp::{Budget, Lcp, Method, Options, Solution, Solver, Status};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let options = Options { budget: Budget::pivots(1), ..Options::default() };
/// let outcome = Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(outcome.status, Status::Budget);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Exchanges (sweeps for `pgs`).
    pub pivots: Option<usize>,
    /// Nodes of a search.
    pub nodes: Option<usize>,
    /// Wall time, s.
    pub seconds: Option<f64>,
    /// A flag that ends the solve when it is raised.
    pub interrupt: Option<Interrupt>,
}

impl Budget {
    /// A budget of pivots alone.
    pub fn pivots(pivots: usize) -> Self {
        Self { pivots: Some(pivots), ..Self::default() }
    }

    /// A budget of time alone.
    pub fn seconds(seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..Self::default() }
    }
}

/// Where a solve starts.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Options, Solution, Solver, Start};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let (mut solver, mut answer) = (Solver::new(Method::Murty), Solution::default());
/// assert!(solver.solve(&lcp, &mut answer).pivots > 0);
/// let options = Options { start: Start::Previous, ..Options::default() };
/// assert_eq!(solver.run(&lcp, options, &mut answer)?.pivots, 0); // one factorisation and one check
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Start<'a> {
    /// From z = 0.
    #[default]
    Cold,
    /// From a complementary basis: `true` where z is basic. Yamane's two-step start needs this.
    Basis(&'a [bool]),
    /// From a guess of z: iterative methods take it as it is, pivoting ones take its positive entries (of a boxed
    /// problem those between their bounds).
    Iterate(&'a [f64]),
    /// From where every row of a boxed problem was: [`MlcpSolution::sides`].
    Sides(&'a [Side]),
    /// From what the same [`crate::Solver`] answered last, and with the factors that it still has: cold where it has
    /// answered nothing of this size. A method without a solver around it starts cold.
    Previous,
}

/// Where a row of a boxed problem is: at a bound, or between them with w = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// x at its lower bound.
    #[default]
    Lower,
    /// w = 0.
    Free,
    /// x at its upper bound.
    Upper,
}

/// How it is known that a problem has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Proof {
    /// It is not known.
    #[default]
    None,
    /// `dz` of the ray shows that no z ≥ 0 has M z + q ≥ 0: see [`Ray::proves_infeasible`].
    Infeasible,
    /// All complementary cones were refuted, in whole numbers.
    Exhausted {
        /// How many partial choices of cones it took.
        refuted: usize,
    },
}

impl Proof {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Infeasible => "infeasible",
            Self::Exhausted { .. } => "exhausted",
        }
    }
}

/// The end of a path on a ray: from `z` (with the artificial variable at `z0`) one may go in direction `dz`,
/// `dz0` for ever without breaking a sign or a complementarity. The vectors are empty where the proof needs no ray.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Proof, Solution, Solver};
///
/// let none = Lcp::from_rows(&[[0.0]], vec![-1.0])?;
/// let mut answer = Solution::default();
/// let _ = Solver::new(Method::Robust).solve(&none, &mut answer);
/// let ray = answer.ray.expect("a proof");
/// assert_ne!(ray.proof, Proof::None);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ray {
    /// Why there is no solution.
    pub proof: Proof,
    /// The point where the path ended.
    pub z: Vec<f64>,
    /// The artificial variable there.
    pub z0: f64,
    /// The direction.
    pub dz: Vec<f64>,
    /// Its artificial component.
    pub dz0: f64,
    /// The covering vector c of w = M z + c z0 + q.
    pub cover: Vec<f64>,
}

impl Ray {
    /// How far the ray is from being one: the largest violation of dz ≥ 0, dz0 ≥ 0, M dz + c dz0 ≥ 0 and of
    /// the complementarity of direction and point, relative to the sizes involved.
    pub fn violation(&self, lcp: &Lcp) -> f64 {
        self.violation_in(lcp, &mut Vec::new(), &mut Vec::new())
    }

    /// The same, with the memory for dw and w lent.
    pub(crate) fn violation_in(&self, lcp: &Lcp, dw: &mut Vec<f64>, w: &mut Vec<f64>) -> f64 {
        let n = lcp.n();
        if self.dz.len() != n {
            return f64::INFINITY;
        }
        dw.clear();
        dw.resize(n, 0.0);
        w.clear();
        w.extend_from_slice(lcp.q());
        for j in 0..n {
            crate::kernel::axpy(self.dz[j], lcp.column(j), dw);
            crate::kernel::axpy(self.z[j], lcp.column(j), w);
        }
        for i in 0..n {
            dw[i] += self.cover[i] * self.dz0;
            w[i] += self.cover[i] * self.z0;
        }
        let size = |v: &[f64]| crate::kernel::max_abs(v).max(f64::MIN_POSITIVE);
        let (sd, sdw) = (
            size(&self.dz).max(self.dz0.abs()),
            size(dw).max(crate::kernel::max_abs(lcp.m()) * size(&self.dz)),
        );
        let (sz, sw) = (size(&self.z), size(w).max(size(lcp.q())));
        (0..n).fold((-self.dz0 / sd).max(0.0), |worst, i| {
            let (d, v) = (self.dz[i] / sd, dw[i] / sdw);
            let (z, s) = (self.z[i] / sz, w[i] / sw);
            let complementary = d.min(v).max(d.min(s)).max(z.min(v));
            worst.max(-d).max(-v).max(complementary)
        })
    }

    /// Whether y = dz shows that the inequalities alone have no solution: y ≥ 0, Mᵀ y ≤ 0, qᵀ y < 0, decided without
    /// rounding on the numbers as they are.
    pub fn proves_infeasible(&self, lcp: &Lcp) -> bool {
        crate::exact::proves_infeasible(lcp.m(), lcp.q(), &self.dz)
    }
}

/// An answer to an [`Lcp`]; the caller owns it, and it doubles as the next warm start.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 0.0], [0.0, 1.0]], vec![-4.0, 3.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::new(Method::Robust).solve(&lcp, &mut answer).is_solved());
/// assert_eq!((answer.z, answer.w), (vec![2.0, 0.0], vec![0.0, 3.0]));
/// assert_eq!(answer.basis, [true, false]);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution {
    /// The unknowns, never negative.
    pub z: Vec<f64>,
    /// w = M z + q, recomputed from the original data.
    pub w: Vec<f64>,
    /// Which z were basic in the end, where the method has a basis: hand it to [`Start::Basis`].
    pub basis: Vec<bool>,
    /// The certificate of [`Status::Ray`].
    pub ray: Option<Ray>,
}

/// An answer to an [`Mlcp`].
///
/// ```
/// use gudgeon_lcp::{Method, Mlcp, MlcpSolution, Side, Solver};
///
/// let mlcp = Mlcp::from_rows(&[[1.0, 0.0], [0.0, 1.0]], vec![-4.0, 0.5], vec![0.0, -1.0], vec![1.0, 1.0])?;
/// let mut answer = MlcpSolution::default();
/// assert!(Solver::new(Method::Robust).solve_mlcp(&mlcp, &mut answer).is_solved());
/// assert_eq!(answer.x, [1.0, -0.5]);
/// assert_eq!(answer.sides, [Side::Upper, Side::Free]);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MlcpSolution {
    /// The unknowns, within their bounds.
    pub x: Vec<f64>,
    /// w = A x + b, recomputed from the original data.
    pub w: Vec<f64>,
    /// Where each row ended: hand it to [`Start::Sides`].
    pub sides: Vec<Side>,
    /// The certificate of [`Status::Ray`], in the unknowns of the standard form [`crate::MlcpLcp`].
    pub ray: Option<Ray>,
}

impl Residual {
    /// The residuals of an answer to an [`Lcp`].
    pub fn of_lcp(lcp: &Lcp, z: &[f64], w: &[f64]) -> Self {
        let scaling = Scaling::of(Form::from(lcp), lcp.q());
        crate::measure::residual_in(lcp, &scaling, &mut Verdict::default(), z, w)
    }

    /// The residuals of an answer to an [`Mlcp`].
    pub fn of_mlcp(mlcp: &Mlcp, x: &[f64], w: &[f64]) -> Self {
        let errors = crate::measure::mlcp_errors(mlcp, x, w);
        Self {
            natural: natural_of_mlcp(mlcp, x, w, &mut Verdict::default()),
            fischer_burmeister: errors.total().fischer_burmeister,
            energy: errors.total().energy,
        }
    }
}

/// The natural residual of an answer to an [`Mlcp`] alone, with the memory lent.
pub(crate) fn natural_of_mlcp(mlcp: &Mlcp, x: &[f64], w: &[f64], verdict: &mut Verdict) -> f64 {
    verdict.natural(&Form::from(mlcp), mlcp.b(), x, w, |i| mlcp.bounds_at(i, x))
}

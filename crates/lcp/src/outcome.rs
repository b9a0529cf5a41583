//! How a solve ended, what it cost, and the answer with its certificate.

pub use crate::budget::Budget;
pub use crate::residual::Residual;

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
///
/// ```
/// use gudgeon_lcp::{Method, Mlcp, MlcpSolution, Side, Solver};
///
/// // x₀ is pulled below 0, x₁ is balanced at ½, x₂ is pulled above 1
/// let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mlcp = Mlcp::from_rows(&one, vec![3.0, -0.5, -3.0], vec![0.0; 3], vec![1.0; 3])?;
/// let mut answer = MlcpSolution::default();
/// assert!(Solver::new(Method::Robust).solve_mlcp(&mlcp, &mut answer).is_solved());
/// assert_eq!(answer.sides, [Side::Lower, Side::Free, Side::Upper]);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
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
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Proof, Solution, Solver};
///
/// // −z − 1 ≥ 0 has no z ≥ 0
/// let lcp = Lcp::from_rows(&[[-1.0]], vec![-1.0])?;
/// let mut answer = Solution::default();
/// let outcome = Solver::new(Method::Robust).solve(&lcp, &mut answer);
/// assert_eq!(outcome.status.name(), "ray");
/// assert!(answer.ray.is_some_and(|ray| ray.proof != Proof::None));
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
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

/// An answer to an [`crate::Lcp`]; the caller owns it, and it doubles as the next warm start.
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

/// An answer to an [`crate::Mlcp`].
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

/// A method may say solved; the residual decides.
pub(crate) fn certified(status: Status, residual: Residual) -> Status {
    // written so that NaN is not solved
    let good = residual.natural <= SOLVED;
    match status {
        _ if good => Status::Solved,
        Status::Solved => Status::Inaccurate,
        status => status,
    }
}

/// Whether z_i should start as a basic variable.
pub(crate) fn starts_basic(start: Start<'_>, i: usize) -> bool {
    match start {
        Start::Cold | Start::Previous => false,
        Start::Basis(basis) => basis.get(i).copied().unwrap_or(false),
        Start::Iterate(z) => z.get(i).is_some_and(|&z| z > 0.0),
        Start::Sides(sides) => sides.get(i) == Some(&Side::Free),
    }
}

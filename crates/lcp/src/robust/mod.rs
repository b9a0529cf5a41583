//! The default method: a guided search over Lemke's pivots, on a basis solved from the original matrix.
//!
//! Lemke's path is followed as in [Yamane, §II-A] and [Lloyd, §4]; what differs is who is believed.
//!
//! 1. *Scale first.* The problem is put in energy units ([`crate::Scaling`]), so that one set of tolerances
//!    serves grams and kilotons.
//! 2. *Solve from the original data.* q′ and the driving column come from [`crate::basis`], which checks each
//!    solve against M itself; no tableau is carried along to erode.
//! 3. *Ties by a generic perturbation.* Rows whose q′ would be zero within a band after the step are tied.
//!    They are ordered by p′/(−m′), with p a fixed vector of random positive numbers carried beside q: the
//!    first-order term of q + ε p as ε → 0. Lexicographic ordering takes p = (ε, ε², …); it needs as many
//!    columns of B⁻¹ as there are ties, and its numbers are as often tied again. One random column does
//!    the same work: two rows of B⁻¹ p agree only if rows of B⁻¹ are proportional, which they are not.
//! 4. *Search, do not trust.* When the path ends on a ray, comes back to a basis, or runs out of nodes, the
//!    search goes back to the tie that was left with the fewest departures from the first choice, deepest
//!    first (limited-discrepancy search), and takes the next row. Yamane's best-first search is the same idea
//!    with a cost that grows along every path, which makes it breadth-first.
//! 5. *A ladder of bands.* No single pair of tolerances serves all problems; each rung gets its own search,
//!    and later ones their own p and covering vector.
//! 6. *Verify.* A basis without z₀ is a claim. Its z is solved afresh, refined, cut to z ≥ 0 and measured
//!    against the original problem, that is the boxed one where the standard one was made from it; if it misses
//!    1e-9, the search goes on from that very basis with tighter bands.
//! 7. *Come nearer by proximal points.* Contacts a nanometre apart make bases that are singular but for
//!    rounding, and exact answers to the rounded data that are absurd or do not exist. M + ε I has no such
//!    bases, and  z ← solution of (M + ε I, q − ε z)  goes to a solution of (M, q) in a few steps.
//!
//! | file     | what it holds                                             |
//! |----------|-----------------------------------------------------------|
//! | `finish` | what is tried when all paths have ended: `balance`, `games`, `newton` |
//! | `mod`    | the ladder, and the answer in the caller's units          |
//! | `search` | one search: exchanges, going back, the basis of a node    |
//! | `small`  | up to sixteen unknowns on a tableau, before all else      |
//! | `ties`   | which rows block the driving variable, and in what order  |
//! | `verify` | whether a basis is an answer; iterates and rays           |
//! | `tree`   | what a search remembers and what it has spent             |
//!
//! | paper            | here                                 | shape       |
//! |------------------|--------------------------------------|-------------|
//! | M̄ (scaled)       | `m`, cover in column n               | n × (n + 1) |
//! | q′, m′           | `q_now`, `column`                    | n           |
//! | y_r, y_s         | `entering`, `leaving`                |             |
//! | pivot sequence   | `nodes`, linked to their parents     |             |
//! | queue Q          | `open`                               |             |

mod balance;
pub(crate) mod finish;
mod games;
mod newton;
mod proximal;
mod report;
mod search;
mod small;
mod ties;
pub(crate) mod tree;
mod verify;

use std::collections::BinaryHeap;

use crate::basis::{Basis, Values};
use crate::clock::Clock;
use crate::exact::ENUMERABLE;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Proof, Ray, Solution, Start, Status};
use crate::problem::Lcp;
use crate::scale::Scaling;
use crate::tolerances;
use crate::verdict::Verdict;

use ties::Tie;
use tree::{Alternative, End, Meter, Node, Visited, mix};

/// The bands of one search, in scaled units where q and the entries of M have size one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rung {
    /// A q′ at most this is zero.
    zero: f64,
    /// A pivot below this part of the largest entry of its column is none.
    pivot: f64,
    /// The covering vector: ones, or random numbers in [½, 2].
    random_cover: bool,
}

/// Measured on contact problems of rank-deficient faces, pegs and stacks, mass ratios to 1e6, duplicated
/// contacts: nearly all end on the first rung. Tighter bands lose ties to rounding, wider ones merge rows
/// that differ.
const LADDER: [Rung; 9] = [
    Rung { zero: 1e-11, pivot: 1e-10, random_cover: false },
    Rung { zero: 1e-9, pivot: 1e-9, random_cover: false },
    Rung { zero: 1e-8, pivot: 1e-6, random_cover: false },
    Rung { zero: 1e-6, pivot: 1e-5, random_cover: false },
    Rung { zero: 1e-12, pivot: 1e-14, random_cover: false },
    Rung { zero: 1e-10, pivot: 1e-9, random_cover: true },
    Rung { zero: 1e-9, pivot: 1e-8, random_cover: true },
    Rung { zero: 1e-8, pivot: 1e-7, random_cover: true },
    Rung { zero: 1e-13, pivot: 1e-12, random_cover: true },
];
/// The rungs that a proximal step tries: with ε on the diagonal there is little to be careful about.
const PROXIMAL_RUNGS: usize = 3;
/// A goal this near throws doubt on a proof that there is none: rounding may have made the data infeasible by as
/// much, and an answer to 1e-9 may still exist.
const DOUBTFUL: f64 = 1e-5;
/// Searches from a random basis after the ladder, for problems too large to enumerate.
const RANDOM_ROOTS: usize = 4;
/// q′ and p′ are computed afresh after this many incremental steps, each of which adds one rounding.
const REFRESH: usize = 8;
/// Alternatives kept per tie: the tail of a long tie is hopeless before its head has been tried.
const ALTERNATIVES: usize = 6;

/// Guided search over pivots, on a basis solved from the original matrix.
///
/// ```
/// use gudgeon_lcp::{Lcp, Robust, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Robust::default()).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Robust {
    pub(crate) to_rounding: bool, // answers that are not sure are not looked at again
    small: Box<small::Small>,
    scaling: Scaling,
    m: Vec<f64>, // n × (n + 1), scaled, cover last; with ε on the diagonal during a proximal step
    diagonal: Vec<f64>, // n, of the scaled matrix
    q: Vec<f64>, // n, scaled; less ε z during a proximal step
    scaled_q: Vec<f64>, // n
    epsilon: f64, // of the proximal step, 0 outside
    p: Vec<f64>,
    basis: Basis,
    q_now: Values,
    p_now: Values,
    column: Values,
    ties: Vec<Tie>,
    nodes: Vec<Node>,
    open: BinaryHeap<Alternative>,
    visited: Visited,
    hash: u64,
    start: Vec<bool>, // n: z basic at the root
    path: Vec<usize>,
    since_refresh: usize,
    z: Vec<f64>, // n, an iterate in the caller's units, and its slack
    w: Vec<f64>,
    refined: Vec<f64>, // n, the best z of the last verification, ...
    verified: f64,     // ... and its natural residual
    bounded: usize,    // how many unknowns have a sign; the rest are free
    best_z: Vec<f64>,
    best_energy: f64,
    candidate: f64, // natural residual of the best goal seen, its z in best_goal
    best_goal: Vec<f64>,
    goal_basis: Vec<bool>,
    verdict: Verdict,
    spare_ray: Ray,     // memory for the next one
    has_path_ray: bool, // whether that memory holds the ray of the last solve, unproved
}

/// One solve: the problem, what it may spend, who watches and who decides.
struct Run<'a, O> {
    lcp: &'a Lcp,
    meter: Meter,
    ray: Option<Ray>,
    refuted: bool, // the ray was looked at and proves nothing
    shown: usize,  // iterates that the observer has seen
    observer: &'a mut O,
    judge: &'a mut dyn Judge,
}

/// Who has the last word on an answer.
pub(crate) trait Judge {
    /// The natural residual of z in the problem that was asked, if that is another than the standard one.
    /// `correct` answers the change of z that takes away a residual in the active rows.
    fn natural(&mut self, z: &[f64], correct: &mut dyn FnMut(&[f64], &mut Vec<f64>)) -> Option<f64>;
}

/// The standard problem is the one that was asked.
impl Judge for () {
    fn natural(&mut self, _: &[f64], _: &mut dyn FnMut(&[f64], &mut Vec<f64>)) -> Option<f64> {
        None
    }
}

impl Robust {
    /// The method without its look in whole numbers: `solved` then says, as it does beyond twelve unknowns, that the residual is below
    /// 1e-9, and not that an exact solution stands beside the answer. Where rows are redundant that look takes microseconds to milliseconds.
    ///
    /// ```
    /// # use gudgeon_lcp::{Lcp, Robust, Solution, Solver};
    /// let lcp = Lcp::from_rows(&[[1.0, 1.0], [1.0, 1.0]], vec![-1.0, -1.0])?;
    /// assert!(Solver::from(Robust::to_rounding()).solve(&lcp, &mut Solution::default()).is_solved());
    /// # Ok::<(), gudgeon_lcp::ProblemError>(())
    /// ```
    pub fn to_rounding() -> Self {
        Self { to_rounding: true, ..Self::default() }
    }

    /// Solves from scratch.
    pub fn solve(&mut self, lcp: &Lcp, solution: &mut Solution) -> Outcome {
        self.solve_with(lcp, Start::Cold, Budget::default(), solution, &mut ())
    }

    /// Solves from a start, within a budget, watched.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let clock = Clock::new(&budget);
        if start == Start::Cold
            && small::fits(lcp)
            && !clock.expired()
            && let Some(outcome) = self.on_tableau(lcp, &budget, clock, solution, observer)
        {
            return outcome;
        }
        let outcome = self.solve_mixed(lcp, 0, start, clock.rest(budget), solution, &mut (), observer);
        match outcome.status {
            Status::Solved => self.closer(lcp, outcome, clock, solution),
            Status::Ray | Status::Budget => outcome,
            Status::Cycle | Status::Inaccurate => self.finish(lcp, outcome, budget, clock, solution),
        }
    }

    /// The same where the last `free` unknowns may have any sign and their rows are equations, w = 0, and where
    /// somebody else decides what is good enough. The block of the free unknowns must not be singular; they are
    /// basic from the start, block nothing, and never leave.
    #[expect(clippy::too_many_arguments, reason = "the one entry that all others come down to")]
    pub(crate) fn solve_mixed(
        &mut self,
        lcp: &Lcp,
        free: usize,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        judge: &mut dyn Judge,
        observer: &mut impl Observer,
    ) -> Outcome {
        if lcp.is_sparse_only() {
            return crate::ledger::refused(lcp, solution);
        }
        self.bounded = lcp.n() - free;
        self.has_path_ray = false;
        if let Some(ray) = solution.ray.take() {
            self.spare_ray = ray;
        }
        self.scale(lcp);
        self.choose_start(start);
        let mut run = Run {
            lcp,
            meter: Meter::new(lcp.n(), budget),
            ray: None,
            refuted: false,
            shown: 0,
            observer,
            judge,
        };
        let status = self.climb(&mut run);
        self.report(status, run, solution)
    }

    /// The scaled problem, and room for everything that a search of its size needs.
    fn scale(&mut self, lcp: &Lcp) {
        let n = lcp.n();
        self.scaling.rebuild(lcp.m(), lcp.q());
        let (d, s) = (self.scaling.d(), self.scaling.size());
        self.m.clear();
        for j in 0..n {
            self.m.extend(lcp.column(j).iter().zip(d).map(|(v, di)| v * di * d[j]));
        }
        self.m.resize(n * (n + 1), 1.0);
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| self.m[i * n + i]));
        self.scaled_q.clear();
        self.scaled_q.extend(lcp.q().iter().zip(d).map(|(q, d)| q * d / s));
        self.q.clone_from(&self.scaled_q);
        self.epsilon = 0.0;
        self.best_energy = f64::INFINITY;
        self.candidate = f64::INFINITY;

        let limit = node_limit(n) + 1;
        self.basis.reserve_for(n);
        for values in [&mut self.q_now, &mut self.p_now, &mut self.column] {
            values.reserve(n);
        }
        self.nodes.clear();
        self.nodes.reserve(limit);
        self.path.clear();
        self.path.reserve(limit);
        self.open.clear();
        self.open.reserve(ALTERNATIVES * limit);
        self.visited.clear();
        self.visited.reserve(limit);
        self.ties.clear();
        self.ties.reserve(n + 1);
        let Ray { z, dz, cover, .. } = &mut self.spare_ray;
        let answers = [&mut self.z, &mut self.w, &mut self.refined, &mut self.best_z, &mut self.best_goal];
        for v in answers.into_iter().chain([z, dz, cover]) {
            v.clear();
            v.reserve(n);
        }
        self.goal_basis.clear();
        self.goal_basis.reserve(n);
        self.verdict.reserve(n);
    }

    fn choose_start(&mut self, start: Start<'_>) {
        let n = self.q.len();
        self.start.clear();
        match start {
            Start::Basis(basis) if basis.len() == n => self.start.extend_from_slice(basis),
            Start::Iterate(z) if z.len() == n => self.start.extend(z.iter().map(|&z| z > 0.0)),
            _ => self.start.resize(n, false),
        }
        self.start[self.bounded..].fill(true);
    }

    /// One search per rung of the ladder, until an answer is verified.
    fn climb(&mut self, run: &mut Run<'_, impl Observer>) -> Status {
        let n = self.q.len();
        let mut cycled = true;
        // a first round with the nodes that nearly every problem needs, a second for the stubborn
        for (round, factor) in [(0, 1), (1, 16)] {
            for step in 0..LADDER.len() + RANDOM_ROOTS {
                if step == PROXIMAL_RUNGS && self.candidate < f64::INFINITY {
                    match self.approach(round as u64, run) {
                        End::Solved => return Status::Solved,
                        End::OutOfBudget => return Status::Budget,
                        _ => {}
                    }
                }
                let rung = LADDER.get(step).unwrap_or(&LADDER[0]);
                if step >= LADDER.len() {
                    let seed = mix((round * RANDOM_ROOTS + step) as u64);
                    let random = self.start[..self.bounded].iter_mut().enumerate();
                    random.for_each(|(i, s)| *s = mix(seed ^ i as u64) & 1 == 1);
                }
                let mut limit = factor * node_limit(n);
                let mut bands = *rung;
                // a goal that misses the mark is the start of the next search, with tighter bands
                for _ in 0..4 {
                    let seed = (round * 64 + step) as u64;
                    match self.search(bands, seed, limit, run) {
                        End::Solved => return Status::Solved,
                        End::OutOfBudget => return Status::Budget,
                        End::OutOfNodes => {
                            cycled = false;
                            break;
                        }
                        End::Exhausted => break,
                        End::Inaccurate => {
                            cycled = false;
                            bands.zero = (bands.zero * tolerances::NARROWER).max(tolerances::NARROWEST);
                            limit = limit.min(2 * n + 100);
                        }
                    }
                }
                // the next rung starts cold
                self.start[..self.bounded].fill(false);
                if self.candidate > DOUBTFUL && self.proves_infeasible(run) {
                    return Status::Ray;
                }
                if run.meter.is_exhausted() {
                    cycled = false;
                    break;
                }
            }
            // small problems are decided exactly
            if n <= ENUMERABLE {
                break;
            }
        }
        if self.proves_infeasible(run) {
            Status::Ray
        } else if cycled {
            Status::Cycle
        } else {
            Status::Inaccurate
        }
    }

    /// Whether the ray found proves that there is no solution. One of a mixed problem says nothing by itself.
    fn proves_infeasible(&self, run: &mut Run<'_, impl Observer>) -> bool {
        let Some(ray) = run.ray.as_mut().filter(|_| self.bounded == self.q.len()) else { return false };
        if ray.proof == Proof::None && !run.refuted && ray.proves_infeasible(run.lcp) {
            ray.proof = Proof::Infeasible;
        }
        run.refuted = true;
        ray.proof == Proof::Infeasible
    }
}

/// Nodes of a search of the first round: Lemke's path takes n/2 to n pivots.
fn node_limit(n: usize) -> usize {
    4 * n + 100
}

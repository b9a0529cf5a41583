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
//!    against the original problem; if it misses 1e-9, the search goes on from that very basis with tighter
//!    bands.
//!
//! | paper            | here                                 | shape       |
//! |------------------|--------------------------------------|-------------|
//! | M̄ (scaled)       | `m`, cover in column n               | n × (n + 1) |
//! | q′, m′           | `q_now`, `column`                    | n           |
//! | y_r, y_s         | `entering`, `leaving`                |             |
//! | pivot sequence   | `nodes`, linked to their parents     |             |
//! | queue Q          | `open`                               |             |

use std::collections::{BinaryHeap, HashSet};
use std::time::Instant;

use crate::basis::{Basis, Values};
use crate::measure::{natural, residual_in, row_error};
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, Ray, Residual, SOLVED, Solution, Start, Status};
use crate::problem::Lcp;
use crate::scale::Scaling;

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
/// Searches from a random basis after the ladder, for problems too large to enumerate.
const RANDOM_ROOTS: usize = 4;

/// Problems no larger than this are settled by trying all 2ⁿ complementary bases when every path has ended:
/// 4096 solves of size 12 take as long as one search at n = 200. Outside the classes that Lemke's method
/// processes (bimatrix games, say) a path may end on a ray though an answer exists.
const ENUMERABLE: usize = 12;
/// q′ and p′ are computed afresh after this many incremental steps, each of which adds one rounding.
const REFRESH: usize = 8;
/// Alternatives kept per tie: the tail of a long tie is hopeless before its head has been tried.
const ALTERNATIVES: usize = 6;

/// A row that blocks the driving variable.
#[derive(Debug, Clone, Copy)]
struct Tie {
    leaving: Variable,
    weak: bool,
    order: f64,
}

/// An exchange that was made, linked to the one before.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: usize,
    entering: Variable,
    leaving: Variable,
    depth: usize,
    departures: usize,
}

/// An exchange that was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Alternative {
    departures: usize,
    depth: usize,
    parent: usize,
    rank: usize,
    entering: Variable,
    leaving: Variable,
}

impl Ord for Alternative {
    /// Fewest departures first, then deepest, then the order of the tie: greatest comes out of the heap.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key =
            |a: &Self| (std::cmp::Reverse(a.departures), a.depth, std::cmp::Reverse((a.parent, a.rank)));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Alternative {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// How one search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Solved,
    /// A basis without z₀ whose z is not good enough; kept as a start.
    Inaccurate,
    Exhausted,
    OutOfNodes,
    OutOfBudget,
}

const ROOT: usize = usize::MAX;

/// Guided search over pivots, on a basis solved from the original matrix.
#[derive(Debug, Clone, Default)]
pub struct Robust {
    scaling: Scaling,
    m: Vec<f64>, // n × (n + 1), scaled, cover last
    q: Vec<f64>,
    p: Vec<f64>,
    basis: Basis,
    q_now: Values,
    p_now: Values,
    column: Values,
    ties: Vec<Tie>,
    nodes: Vec<Node>,
    open: BinaryHeap<Alternative>,
    visited: HashSet<u64, std::hash::BuildHasherDefault<Identity>>,
    hash: u64,
    start: Vec<bool>, // n: z basic at the root
    path: Vec<usize>,
    since_refresh: usize,
    z: Vec<f64>, // scaled candidate
    w: Vec<f64>,
    bounded: usize, // how many unknowns have a sign; the rest are free
    best_z: Vec<f64>,
    best_energy: f64,
    candidate: f64, // natural residual of the best goal seen, its z in best_goal
    best_goal: Vec<f64>,
    goal_basis: Vec<bool>,
}

/// Keys are already hashes.
#[derive(Debug, Clone, Copy, Default)]
struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 keys are hashed");
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// What a solve has spent.
struct Meter {
    pivots: usize,
    nodes: usize,
    max_pivots: usize,
    max_nodes: usize,
    deadline: Option<Instant>,
    bounded: bool,
}

impl Meter {
    fn new(budget: Budget) -> Self {
        let seconds = budget.seconds.filter(|s| s.is_finite());
        Self {
            pivots: 0,
            nodes: 0,
            max_pivots: budget.pivots.unwrap_or(usize::MAX),
            max_nodes: budget.nodes.unwrap_or(usize::MAX),
            deadline: seconds.map(|s| Instant::now() + std::time::Duration::from_secs_f64(s.clamp(0.0, 1e6))),
            bounded: budget != Budget::default(),
        }
    }

    fn spent(&self) -> bool {
        self.pivots >= self.max_pivots
            || self.nodes >= self.max_nodes
            || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

impl Robust {
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
        self.solve_mixed(lcp, 0, start, budget, solution, observer)
    }

    /// The same where the last `free` unknowns may have any sign and their rows are equations, w = 0. Their
    /// block must not be singular; they are basic from the start, block nothing, and never leave.
    pub(crate) fn solve_mixed(
        &mut self,
        lcp: &Lcp,
        free: usize,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut meter = Meter::new(budget);
        self.bounded = lcp.n() - free;
        self.scale(lcp);
        self.choose_start(start);
        solution.ray = None;
        let status = self.climb(&mut meter, lcp, solution, observer);
        self.report(lcp, status, &meter, solution)
    }

    /// The change of z that takes away a residual in the active rows of the problem just solved.
    pub(crate) fn correction(&mut self, rows: &[f64], dz: &mut Vec<f64>) {
        self.w.clear();
        self.w.extend(rows.iter().enumerate().map(|(i, &w)| self.scaling.w(i, w)));
        self.column.z.clear();
        self.column.z.resize(self.basis.cols().len(), 0.0);
        self.basis.correct(&self.w, &mut self.column.z);
        dz.clear();
        dz.resize(rows.len(), 0.0);
        for (&j, &z) in self.basis.cols().iter().zip(&self.column.z) {
            if j < rows.len() {
                dz[j] = self.scaling.unscale_z(j, z);
            }
        }
    }

    /// The scaled problem.
    fn scale(&mut self, lcp: &Lcp) {
        let n = lcp.n();
        self.scaling.rebuild(lcp.m(), lcp.q());
        let (d, s) = (self.scaling.d(), self.scaling.size());
        self.m.clear();
        for j in 0..n {
            self.m.extend(lcp.column(j).iter().zip(d).map(|(v, di)| v * di * d[j]));
        }
        self.m.resize(n * (n + 1), 1.0);
        self.q.clear();
        self.q.extend(lcp.q().iter().zip(d).map(|(q, d)| q * d / s));
        self.best_energy = f64::INFINITY;
        self.candidate = f64::INFINITY;
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
    fn climb(
        &mut self,
        meter: &mut Meter,
        lcp: &Lcp,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Status {
        let n = self.q.len();
        let mut cycled = true;
        // a first round with the nodes that nearly every problem needs, a second for the stubborn
        for (round, factor) in [(0, 1), (1, 16)] {
            for step in 0..LADDER.len() + RANDOM_ROOTS {
                let rung = LADDER.get(step).unwrap_or(&LADDER[0]);
                if step >= LADDER.len() {
                    let seed = mix((round * RANDOM_ROOTS + step) as u64);
                    let random = self.start[..self.bounded].iter_mut().enumerate();
                    random.for_each(|(i, s)| *s = mix(seed ^ i as u64) & 1 == 1);
                }
                let mut limit = factor * (4 * n + 100);
                let mut bands = *rung;
                // a goal that misses the mark is the start of the next search, with tighter bands
                for _ in 0..4 {
                    let seed = (round * 64 + step) as u64;
                    match self.search(bands, seed, limit, meter, lcp, solution, observer) {
                        End::Solved => return Status::Solved,
                        End::OutOfBudget => return Status::Budget,
                        End::OutOfNodes => {
                            cycled = false;
                            break;
                        }
                        End::Exhausted => break,
                        End::Inaccurate => {
                            cycled = false;
                            bands.zero = (bands.zero * 1e-2).max(1e-14);
                            limit = limit.min(2 * n + 100);
                        }
                    }
                }
                // the next rung starts cold
                self.start[..self.bounded].fill(false);
                if solution.ray.as_ref().is_some_and(|ray| ray.proves_infeasible(lcp)) {
                    return Status::Ray;
                }
            }
            if self.bounded <= ENUMERABLE {
                if self.enumerate(meter, lcp) {
                    return Status::Solved;
                }
                break;
            }
        }
        // a ray of a mixed problem is checked by the caller, without the free unknowns
        if solution.ray.as_ref().is_some_and(|ray| self.bounded < n || ray.violation(lcp) <= SOLVED) {
            Status::Ray
        } else if cycled {
            Status::Cycle
        } else {
            Status::Inaccurate
        }
    }

    /// Tries every complementary basis, in the order of a Gray code.
    fn enumerate(&mut self, meter: &mut Meter, lcp: &Lcp) -> bool {
        for code in 0..1_usize << self.bounded {
            let gray = code ^ (code >> 1);
            let bounded = self.start[..self.bounded].iter_mut().enumerate();
            bounded.for_each(|(i, s)| *s = gray >> i & 1 == 1);
            if meter.spent() {
                return false;
            }
            meter.nodes += 1;
            if self.install_root() {
                self.refresh();
                if self.least() > -SOLVED && self.verify(lcp) == End::Solved {
                    return true;
                }
            }
        }
        false
    }

    /// Lemke's path with limited discrepancies from one root.
    fn search(
        &mut self,
        bands: Rung,
        seed: u64,
        limit: usize,
        meter: &mut Meter,
        lcp: &Lcp,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> End {
        let n = self.q.len();
        self.nodes.clear();
        self.open.clear();
        self.visited.clear();
        self.perturb(seed);
        if !self.install_root() {
            self.start[..self.bounded].fill(false);
            if !self.install_root() {
                return End::Exhausted;
            }
        }
        self.cover(bands.random_cover.then_some(seed));
        self.refresh();

        // step 0: a basis with q′ ≥ 0 is an answer already; else z₀ enters at the worst row
        let Some(worst) = self.most_negative() else { return self.verify(lcp) };
        if meter.spent() {
            self.keep_best(meter, lcp);
            return End::OutOfBudget;
        }
        self.basis.drive(&self.m, Variable::Z0, &mut self.column);
        let mut parent = self.pivot(ROOT, Variable::Z0, worst, 0, meter, observer);
        let mut entering = worst.complement();
        let budget = meter.nodes + limit;
        loop {
            // step 1: drive the complement of what left last
            self.keep_best(meter, lcp);
            if meter.spent() {
                return End::OutOfBudget;
            }
            if meter.nodes >= budget {
                return End::OutOfNodes;
            }
            meter.nodes += 1;
            let residual = self.basis.drive(&self.m, entering, &mut self.column);
            if self.basis.is_stale(residual) {
                if self.basis.factor(&self.m) {
                    self.refresh();
                    self.basis.drive(&self.m, entering, &mut self.column);
                } else if !self.backtrack(&mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                } else {
                    continue;
                }
            }
            self.collect_ties(bands);

            // step 2: exchange with the first tied row that leads somewhere new
            let choice = self.ties.iter().position(|t| {
                t.leaving == Variable::Z0
                    || !self.visited.contains(&(self.hash ^ key(entering) ^ key(t.leaving)))
            });
            let Some(first) = choice else {
                if self.ties.is_empty() && solution.ray.is_none() {
                    self.record_ray(lcp, entering, solution);
                }
                if !self.backtrack(&mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            };
            let leaving = self.ties[first].leaving;
            if leaving != Variable::Z0 {
                self.leave_alternatives(first, parent, entering);
            }
            let departures = self.departures(parent);
            if self.exchange_is_refused(entering, leaving) {
                continue;
            }
            parent = self.pivot(parent, entering, leaving, departures, meter, observer);
            if leaving == Variable::Z0 {
                let end = self.verify(lcp);
                if end == End::Solved || n == 0 {
                    return end;
                }
                self.start.clear();
                self.start.extend((0..n).map(|j| self.basis.z_is_basic(j)));
                return End::Inaccurate;
            }
            entering = leaving.complement();
        }
    }

    /// A vector of generic positive numbers.
    fn perturb(&mut self, seed: u64) {
        self.p.clear();
        self.p.extend((0..self.bounded as u64).map(|i| 1.0 + unit_interval(mix(i ^ mix(seed)))));
        self.p.resize(self.q.len(), 0.0);
    }

    /// Puts the starting basis in place; false if its block is singular.
    fn install_root(&mut self) -> bool {
        self.basis.reset(self.q.len());
        self.hash = 0;
        for i in 0..self.start.len() {
            if self.start[i] {
                self.basis.install(Variable::Z(i), Variable::W(i));
                self.hash ^= key(Variable::Z(i)) ^ key(Variable::W(i));
            }
        }
        self.basis.factor(&self.m)
    }

    /// The covering vector that is `ones` (or random) in the pivoted system: c = B d′.
    fn cover(&mut self, random: Option<u64>) {
        let n = self.q.len();
        let entry = |i: usize| match random {
            None => 1.0,
            Some(seed) => 0.5 + 1.5 * unit_interval(mix((i as u64) ^ mix(seed ^ 0xc0ff_ee00))),
        };
        let (matrix, cover) = self.m.split_at_mut(n * n);
        for (i, c) in cover.iter_mut().enumerate() {
            *c = if self.start[i] { 0.0 } else { entry(i) };
        }
        for j in (0..self.bounded).filter(|&j| self.start[j]) {
            crate::kernel::axpy(-entry(j), &matrix[j * n..(j + 1) * n], cover);
        }
    }

    /// q′ and p′ from the original data.
    fn refresh(&mut self) {
        let residual = self.basis.solve(&self.m, &self.q, &mut self.q_now);
        if self.basis.is_stale(residual) && self.basis.factor(&self.m) {
            self.basis.solve(&self.m, &self.q, &mut self.q_now);
        }
        self.basis.solve(&self.m, &self.p, &mut self.p_now);
        self.since_refresh = 0;
    }

    /// Where z₀ must enter: the least q′ per unit of cover, ties by p′. None if q′ ≥ 0.
    fn most_negative(&mut self) -> Option<Variable> {
        let n = self.q.len();
        self.basis.drive(&self.m, Variable::Z0, &mut self.column);
        let mut best: Option<(f64, f64, Variable)> = None;
        let mut offer = |q: f64, p: f64, c: f64, variable: Variable| {
            if q < -1e-15 && c > 0.0 {
                let (ratio, order) = (q / c, p / c);
                // a tie to rounding goes to the perturbation
                let better =
                    best.is_none_or(|(r, o, _)| ratio < r - 1e-14 || (ratio <= r + 1e-14 && order < o));
                if better {
                    best = Some((ratio, order, variable));
                }
            }
        };
        for i in (0..n).filter(|&i| self.basis.w_is_basic(i)) {
            offer(self.q_now.w[i], self.p_now.w[i], self.column.w[i], Variable::W(i));
        }
        for (c, &j) in self.basis.cols().iter().enumerate().filter(|c| *c.1 < self.bounded) {
            offer(self.q_now.z[c], self.p_now.z[c], self.column.z[c], Variable::Z(j));
        }
        best.map(|(_, _, variable)| variable)
    }

    /// The rows that block the driving variable, best first; z₀ before all.
    fn collect_ties(&mut self, bands: Rung) {
        let n = self.q.len();
        self.ties.clear();
        let basic = |i: &usize| self.basis.w_is_basic(*i);
        let size = (0..n)
            .filter(basic)
            .fold(crate::kernel::max_abs(&self.column.z), |s, i| s.max(self.column.w[i].abs()));
        let (least, weak) = (bands.pivot * size, 1e-5 * size);

        // the step to the first row that would become negative
        let mut step = f64::INFINITY;
        let mut offer = |q: f64, d: f64| {
            if d < -least {
                step = step.min(if q <= bands.zero { 0.0 } else { q } / -d);
            }
        };
        for i in (0..n).filter(basic) {
            offer(self.q_now.w[i], self.column.w[i]);
        }
        let blocks = |j: usize| j < self.bounded || j == n;
        for (c, _) in self.basis.cols().iter().enumerate().filter(|c| blocks(*c.1)) {
            offer(self.q_now.z[c], self.column.z[c]);
        }
        if step == f64::INFINITY {
            return;
        }
        let ties = &mut self.ties;
        let mut take = |q: f64, p: f64, d: f64, leaving: Variable| {
            if d < -least && q + step * d <= bands.zero {
                ties.push(Tie { leaving, weak: -d < weak, order: p / -d });
            }
        };
        for i in (0..n).filter(basic) {
            take(self.q_now.w[i], self.p_now.w[i], self.column.w[i], Variable::W(i));
        }
        for (c, &j) in self.basis.cols().iter().enumerate().filter(|c| blocks(*c.1)) {
            let leaving = if j == n { Variable::Z0 } else { Variable::Z(j) };
            take(self.q_now.z[c], self.p_now.z[c], self.column.z[c], leaving);
        }
        self.ties.sort_unstable_by(|a, b| {
            let first = |t: &Tie| t.leaving != Variable::Z0;
            (first(a), a.weak)
                .cmp(&(first(b), b.weak))
                .then(a.order.total_cmp(&b.order))
                .then(a.leaving.cmp(&b.leaving))
        });
    }

    fn departures(&self, parent: usize) -> usize {
        if parent == ROOT { 0 } else { self.nodes[parent].departures }
    }

    fn leave_alternatives(&mut self, first: usize, parent: usize, entering: Variable) {
        let departures = self.departures(parent);
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth };
        for (rank, tie) in self.ties.iter().enumerate().skip(first + 1).take(ALTERNATIVES) {
            self.open.push(Alternative {
                departures: departures + (rank - first),
                depth,
                parent,
                rank,
                entering,
                leaving: tie.leaving,
            });
        }
    }

    /// Tries the exchange on the inverse; where the two roads to the pivot disagree, V is computed afresh and
    /// the step is taken again. True if the step must be repeated.
    fn exchange_is_refused(&mut self, entering: Variable, leaving: Variable) -> bool {
        if self.basis.check_exchange(&self.m, entering, leaving, &self.column) {
            return false;
        }
        if self.basis.factor(&self.m) {
            self.refresh();
            return true;
        }
        false
    }

    /// Exchanges, carries q′ and p′ along, and remembers the node.
    fn pivot(
        &mut self,
        parent: usize,
        entering: Variable,
        leaving: Variable,
        departures: usize,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> usize {
        let n = self.q.len();
        let place = match leaving {
            Variable::W(_) => None,
            Variable::Z(j) => Some(self.basis.position(j)),
            Variable::Z0 => Some(self.basis.position(n)),
        };
        for now in [&mut self.q_now, &mut self.p_now] {
            let row = |v: &Values| match (leaving, place) {
                (Variable::W(i), _) => v.w[i],
                (_, Some(c)) => v.z[c],
                (_, None) => unreachable!("only slacks have no position"),
            };
            let step = row(now) / -row(&self.column);
            crate::kernel::axpy(step, &self.column.w, &mut now.w);
            crate::kernel::axpy(step, &self.column.z, &mut now.z);
            match (entering, place) {
                (Variable::W(i), None) => now.w[i] = step,
                (Variable::W(i), Some(c)) => {
                    now.w[i] = step;
                    now.z.swap_remove(c);
                }
                (_, None) => now.z.push(step),
                (_, Some(c)) => now.z[c] = step,
            }
        }
        self.basis.exchange(&self.m, entering, leaving, &self.column);
        self.hash ^= key(entering) ^ key(leaving);
        self.visited.insert(self.hash);
        meter.pivots += 1;
        self.since_refresh += 1;
        if self.since_refresh >= REFRESH {
            self.refresh();
        }
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth + 1 };
        self.nodes.push(Node { parent, entering, leaving, depth, departures });
        observer.pivot(&PivotEvent {
            pivot: meter.pivots - 1,
            entering,
            leaving,
            q_min: self.least(),
            error: 0.0,
        });
        self.nodes.len() - 1
    }

    fn least(&self) -> f64 {
        let n = self.q.len();
        let w = (0..n).filter(|&i| self.basis.w_is_basic(i)).map(|i| self.q_now.w[i]);
        let cols = self.basis.cols().iter().zip(&self.q_now.z);
        let z = cols.filter(|(j, _)| **j < self.bounded || **j == n).map(|(_, &z)| z);
        w.chain(z).fold(f64::INFINITY, f64::min)
    }

    /// Goes to the best exchange that was left aside, and makes it. False if there is none.
    fn backtrack(
        &mut self,
        parent: &mut usize,
        entering: &mut Variable,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> bool {
        while let Some(alternative) = self.open.pop() {
            if !self.restore(alternative.parent) {
                continue;
            }
            if self.visited.contains(&(self.hash ^ key(alternative.entering) ^ key(alternative.leaving))) {
                continue;
            }
            self.basis.drive(&self.m, alternative.entering, &mut self.column);
            *parent = self.pivot(
                alternative.parent,
                alternative.entering,
                alternative.leaving,
                alternative.departures,
                meter,
                observer,
            );
            *entering = alternative.leaving.complement();
            return true;
        }
        false
    }

    /// Rebuilds the basis of a node from the root.
    fn restore(&mut self, node: usize) -> bool {
        self.path.clear();
        let mut at = node;
        while at != ROOT {
            self.path.push(at);
            at = self.nodes[at].parent;
        }
        self.install_root();
        for &at in self.path.iter().rev() {
            let Node { entering, leaving, .. } = self.nodes[at];
            self.basis.install(entering, leaving);
            self.hash ^= key(entering) ^ key(leaving);
        }
        if !self.basis.factor(&self.m) {
            return false;
        }
        self.refresh();
        true
    }

    /// Whether the present basis, which has no z₀, is an answer.
    fn verify(&mut self, lcp: &Lcp) -> End {
        let n = self.q.len();
        if !self.basis.factor(&self.m) {
            return End::Inaccurate;
        }
        self.refresh();
        let mut natural = self.measure(lcp);
        // near the mark, rounding decides: refine with twice the digits
        for _ in 0..3 {
            if natural <= 1e-2 * SOLVED || natural > 1e-5 {
                break;
            }
            for i in 0..n {
                self.w[i] = self.scaling.w(i, self.w[i]);
            }
            self.basis.correct(&self.w, &mut self.q_now.z);
            let refined = self.measure(lcp);
            if refined >= natural {
                break;
            }
            natural = refined;
        }
        // impulses a million times larger than q have their last bit at 1e-10: choose it well
        if natural > SOLVED && natural < 1e2 * SOLVED {
            natural = self.settle_last_bits(lcp, natural);
        }
        if natural <= SOLVED { End::Solved } else { End::Inaccurate }
    }

    /// Moves single z to a neighbouring number while that makes the worst row better.
    fn settle_last_bits(&mut self, lcp: &Lcp, mut natural: f64) -> f64 {
        let n = self.q.len();
        self.measure(lcp);
        for _ in 0..16 {
            let before = natural;
            for j in (0..n).filter(|&j| self.basis.z_is_basic(j)) {
                for next in [f64::next_up, f64::next_down] {
                    let old = self.z[j];
                    let step = next(old) - old;
                    self.z[j] = old + step;
                    crate::kernel::axpy(step, lcp.column(j), &mut self.w);
                    let moved = self.natural(lcp);
                    if (self.z[j] >= 0.0 || j >= self.bounded) && moved < natural {
                        natural = moved;
                    } else {
                        self.z[j] = old;
                        crate::kernel::axpy(-step, lcp.column(j), &mut self.w);
                    }
                }
            }
            if natural <= SOLVED || natural > 0.99 * before {
                break;
            }
        }
        self.keep_goal(lcp)
    }

    /// Cuts the basic z to z ≥ 0 and measures it.
    fn measure(&mut self, lcp: &Lcp) -> f64 {
        let n = self.q.len();
        self.z.clear();
        self.z.resize(n, 0.0);
        for (c, &j) in self.basis.cols().iter().enumerate() {
            if j < n {
                let z = if j < self.bounded { self.q_now.z[c].max(0.0) } else { self.q_now.z[c] };
                self.z[j] = self.scaling.unscale_z(j, z);
            }
        }
        self.keep_goal(lcp)
    }

    /// The residual that decides.
    fn natural(&self, lcp: &Lcp) -> f64 {
        let bounds = |i: usize| (if i < self.bounded { 0.0 } else { f64::NEG_INFINITY }, f64::INFINITY);
        natural(lcp.m(), lcp.q(), &self.scaling, &self.z, &self.w, bounds)
    }

    /// Measures z against the original problem and keeps it if it is the best seen.
    fn keep_goal(&mut self, lcp: &Lcp) -> f64 {
        let n = self.q.len();
        lcp.slack(&self.z, &mut self.w);
        let natural = self.natural(lcp);
        if natural < self.candidate {
            self.candidate = natural;
            self.best_goal.clone_from(&self.z);
            self.goal_basis.clear();
            self.goal_basis.extend((0..n).map(|j| self.basis.z_is_basic(j)));
        }
        natural
    }

    /// Under a budget, remembers the iterate (without z₀) of least energy error [EnzError (21)].
    fn keep_best(&mut self, meter: &Meter, lcp: &Lcp) {
        if !meter.bounded {
            return;
        }
        let n = self.q.len();
        self.z.clear();
        self.z.resize(n, 0.0);
        for (c, &j) in self.basis.cols().iter().enumerate() {
            if j < n {
                let z = if j < self.bounded { self.q_now.z[c].max(0.0) } else { self.q_now.z[c] };
                self.z[j] = self.scaling.unscale_z(j, z);
            }
        }
        lcp.slack(&self.z, &mut self.w);
        let energy: f64 = (0..n)
            .map(|i| {
                if i >= self.bounded {
                    return 0.5 * self.w[i] * self.w[i] / self.scaling.inverse_mass(i);
                }
                let diagonal = lcp.entry(i, i);
                let mass = if diagonal > 0.0 { diagonal } else { self.scaling.inverse_mass(i) };
                row_error(self.z[i], self.w[i], 0.0, f64::INFINITY, mass).energy
            })
            .sum();
        if energy < self.best_energy {
            self.best_energy = energy;
            self.best_z.clone_from(&self.z);
        }
    }

    /// The path ends here for ever: the point and the direction, in the units of the caller.
    fn record_ray(&self, lcp: &Lcp, entering: Variable, solution: &mut Solution) {
        let n = self.q.len();
        let mut ray = Ray { z: vec![0.0; n], dz: vec![0.0; n], ..Ray::default() };
        // rounding around zero is not a direction
        let clean = |v: f64| if v.abs() < 1e-12 { 0.0 } else { v };
        for (c, &j) in self.basis.cols().iter().enumerate() {
            let (q, d) = (self.q_now.z[c].max(0.0), clean(self.column.z[c]));
            if j == n {
                (ray.z0, ray.dz0) = (q * self.scaling.size(), d * self.scaling.size());
            } else {
                (ray.z[j], ray.dz[j]) = (self.scaling.unscale_z(j, q), self.scaling.unscale_z(j, d));
            }
        }
        if let Variable::Z(j) = entering {
            ray.dz[j] = self.scaling.unscale_z(j, 1.0);
        }
        // free unknowns follow the others: without them this is a ray of the eliminated problem
        let cover = &self.m[n * n..];
        ray.cover = cover.iter().zip(self.scaling.d()).map(|(c, d)| c / d).collect();
        if self.bounded < n || ray.violation(lcp) <= 1e-6 {
            solution.ray = Some(ray);
        }
    }

    /// The answer in the caller's units, measured on the caller's data.
    fn report(&mut self, lcp: &Lcp, status: Status, meter: &Meter, solution: &mut Solution) -> Outcome {
        let n = lcp.n();
        match status {
            Status::Budget if self.best_z.len() == n && self.best_energy < f64::INFINITY => {
                solution.z.clone_from(&self.best_z);
            }
            _ if self.candidate < f64::INFINITY => solution.z.clone_from(&self.best_goal),
            _ => {
                solution.z.clear();
                solution.z.resize(n, 0.0);
            }
        }
        solution.basis.clear();
        if self.candidate < f64::INFINITY {
            solution.basis.extend_from_slice(&self.goal_basis);
        } else {
            solution.basis.extend(solution.z.iter().map(|&z| z > 0.0));
        }
        lcp.slack(&solution.z, &mut solution.w);
        let mut residual: Residual = residual_in(lcp, &self.scaling, &solution.z, &solution.w);
        if self.bounded < n {
            self.z.clone_from(&solution.z);
            self.w.clone_from(&solution.w);
            residual.natural = self.natural(lcp);
        }
        if status == Status::Solved {
            solution.ray = None;
        }
        let status = if residual.natural <= SOLVED { Status::Solved } else { status };
        Outcome {
            status: crate::solver::certified(status, residual),
            pivots: meter.pivots,
            nodes: meter.nodes.max(meter.pivots),
            residual,
        }
    }
}

/// A fixed random number per variable; a basis is the exclusive or of what it exchanged.
fn key(variable: Variable) -> u64 {
    match variable {
        Variable::W(i) => mix(2 * i as u64 + 1),
        Variable::Z(i) => mix(2 * i as u64 + 2),
        Variable::Z0 => mix(u64::MAX),
    }
}

/// splitmix64: the same bits on every machine.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

//! Best-first search over pivot sequences: Algorithms 1 and 2 of [Yamane, §III], as printed.
//!
//! A node is one more exchange on the way from its parent. A row i with m′_i < 0 is a candidate if the least
//! element of q′ after the exchange is above −ε, its error is small and its set of basic variables is new:
//!
//! ```text
//!     x′.cost = x.cost + exp(−q_min),    q_min = x.q.min(i) > −ε                 [Yamane, Alg. 2, lines 4-7]
//!     |w − M z − c z₀ − q| ≤ e_max at x′,   Q.unique(x′)                         [Yamane, Alg. 2, line 8]
//! ```
//!
//! The node of least total cost is expanded next, and the first node without z₀ in its basis that comes up is
//! returned.
//!
//! | paper                  | here                              |
//! |------------------------|-----------------------------------|
//! | Q, a binary tree       | `queue`, a B-tree of (cost, order)|
//! | x.totalCost            | `Node::cost`                      |
//! | x.isGoal()             | `Node::leaving` is z₀             |
//! | ε, e_max               | [`Search::epsilon`], [`Search::e_max`] |
//! | Q.unique(x′)           | `visited`                         |
//! | x.q.min(i), x′.error() | on the line q′ + θ m′, θ = −q′_i/m′_i |
//!
//! Every node costs about one, so the search spreads in breadth: it shines where a good start leaves few
//! exchanges to go. The error of a candidate is affine in θ, so two products with the original matrix serve
//! all candidates of a node.
//!
//! Memory: a node is its parent and its exchange, 64 bytes, at most n per node expanded, and 17 bytes for
//! its set. Tableaus are kept for the root and the nodes expanded last, 32 MiB in all or three of them; any
//! other is made again by repeating the exchanges from the nearest ancestor kept, to the same bits.
//!
//! Departures: the returned node must have a natural residual of 1e-9 to be called solved, otherwise it is
//! `Inaccurate`; an empty queue (the paper's NULL) is a `Ray` if some node ended on one, otherwise
//! `Inaccurate`.

use std::collections::BTreeSet;

use crate::ledger::{Ledger, Limits};
use crate::observer::watched;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, Ray, Solution, Start, Status};
use crate::problem::Lcp;
use crate::tableau::{Singular, Tableau};
use crate::tolerances;
use crate::visited::Visited;

/// Nodes expanded when the caller sets no limit; the queue is rarely worth more.
const NODES: usize = 10_000;

/// Bytes of tableaus kept.
const KEPT_BYTES: usize = 32 << 20;

/// Best-first search with the papers' incremental arithmetic.
///
/// ```
/// use gudgeon_lcp::{Lcp, Search, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Search::default()).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Search {
    /// ε: how negative q′ may become, in the raw units of impulse and velocity. The paper's 1e-3.
    pub epsilon: f64,
    /// e_max: how far an exchanged system may be from the original equations, raw units. The paper's 1e-3.
    pub e_max: f64,
    nodes: Vec<Node>,
    queue: BTreeSet<(u64, usize)>, // bits of the cost, order of creation
    visited: Visited,
    kept: Vec<Kept>, // the root first
    next_kept: usize,
    trail: Vec<usize>,
    ledger: Ledger,
    error: Vec<f64>, // n, at the node
    drift: Vec<f64>, // n, along m′
    zero: Vec<f64>,  // n
    kept_bytes: usize,
}

/// One more exchange.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: usize,
    row: usize,
    col: usize,
    leaving: Variable,
    cost: f64,
    q_min: f64,
    error: f64,
    kept: usize, // where its tableau is or was
}

/// The tableau of a node.
#[derive(Debug, Clone, Default)]
struct Kept {
    node: usize,
    tableau: Tableau,
}

impl Default for Search {
    fn default() -> Self {
        Self::with_thresholds(tolerances::SEARCH_THRESHOLDS[0], tolerances::SEARCH_THRESHOLDS[1])
    }
}

impl Search {
    /// The method with other thresholds ε and e_max.
    pub fn with_thresholds(epsilon: f64, e_max: f64) -> Self {
        Self {
            epsilon,
            e_max,
            nodes: Vec::new(),
            queue: BTreeSet::new(),
            visited: Visited::default(),
            kept: Vec::new(),
            next_kept: 0,
            trail: Vec::new(),
            ledger: Ledger::default(),
            error: Vec::new(),
            drift: Vec::new(),
            zero: Vec::new(),
            kept_bytes: KEPT_BYTES,
        }
    }

    /// Solves from a start, within a budget, watched. The observer sees each exchange that is expanded, in the
    /// order of expansion.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_with_by(lcp, start, budget, solution, o))
    }

    fn solve_with_by(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let n = lcp.n();
        if lcp.is_sparse_only() {
            return crate::ledger::refused(lcp, solution);
        }
        self.ledger.open(lcp.into(), &mut solution.ray);
        self.visited.reset(n);
        self.nodes.clear();
        self.queue.clear();
        self.zero.clear();
        self.zero.resize(n, 0.0);
        let slots = (self.kept_bytes / (8 * n * (n + 1))).clamp(3, 64);
        self.kept.truncate(slots);
        self.kept.resize_with(slots, Kept::default);
        self.kept.iter_mut().for_each(|k| k.node = usize::MAX);
        self.next_kept = 1;

        let (status, counts, place) = match self.kept[0].tableau.load(lcp, start) {
            Ok(()) => self.search(lcp, budget, &mut solution.ray, observer),
            Err(Singular) => (Status::Inaccurate, (0, 0), 0),
        };
        if status != Status::Ray
            && let Some(unused) = solution.ray.take()
        {
            self.ledger.keep_ray(unused);
        }
        let tableau = &self.kept[place].tableau;
        self.ledger.close_lcp(lcp, status, counts, solution, |i| tableau.is_basic(i))
    }

    /// Algorithm 1. Returns the exchanges and nodes spent, and where the last tableau is.
    fn search(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        ray: &mut Option<Ray>,
        observer: &mut impl Observer,
    ) -> (Status, (usize, usize), usize) {
        let limits = Limits::new(budget, usize::MAX);
        let most_nodes = budget.nodes.unwrap_or(NODES);

        // 1: step 0
        self.offer(lcp, 0);
        self.ledger.show(lcp.into(), observer);
        let root = &mut self.kept[0].tableau;
        if root.q_min() >= 0.0 {
            return (Status::Solved, (0, 0), 0);
        }
        let row = (1..lcp.n()).fold(0, |r, i| if root.q[i] < root.q[r] { i } else { r });
        let leaving = root.exchange(row, lcp.n());
        let (mut pivots, mut expanded) = (1, 0);

        // 2, 3: the dummy node
        let error = f64::NAN;
        let (q_min, col) = (root.q_min(), lcp.n());
        self.visited.insert(root.basis());
        self.kept[0].node = 0;
        self.append(Node { parent: 0, row, col, leaving, cost: 0.0, q_min, error, kept: 0 });

        // 4, 5: best first
        while let Some((_, x)) = self.queue.pop_first() {
            if expanded >= most_nodes || limits.spent(pivots) {
                return (Status::Budget, (pivots, expanded), 0);
            }
            let place = self.update(x, &mut pivots);
            let node = self.nodes[x];
            observer.pivot(&PivotEvent {
                pivot: expanded,
                entering: self.kept[place].tableau.rows[node.row],
                leaving: node.leaving,
                q_min: node.q_min,
                error: node.error,
            });
            expanded += 1;
            self.offer(lcp, place);
            self.ledger.show(lcp.into(), observer);

            // 6, 7: a goal is returned
            if node.leaving == Variable::Z0 {
                return (Status::Solved, (pivots, expanded), place);
            }

            // 9: its descendants
            self.add_descendants(lcp, x, place, ray);
        }
        (self.ledger.ended_on(lcp, ray, limits.clock), (pivots, expanded), 0)
    }

    fn append(&mut self, node: Node) {
        // costs are not negative, so their bits are in order
        self.queue.insert((node.cost.to_bits(), self.nodes.len()));
        self.nodes.push(node);
    }

    /// Algorithm 2, line 1: the tableau of a node, from the nearest ancestor that has one.
    fn update(&mut self, x: usize, pivots: &mut usize) -> usize {
        self.trail.clear();
        let mut ancestor = x;
        while self.kept[self.nodes[ancestor].kept].node != ancestor {
            self.trail.push(ancestor);
            ancestor = self.nodes[ancestor].parent;
        }
        let source = self.nodes[ancestor].kept;
        if ancestor == x {
            return source;
        }

        // the root and the ancestor keep theirs
        let turn = |place: usize, slots: usize| if place + 1 < slots { place + 1 } else { 1 };
        if self.next_kept == source {
            self.next_kept = turn(self.next_kept, self.kept.len());
        }
        let place = self.next_kept;
        self.next_kept = turn(place, self.kept.len());
        let mut tableau = std::mem::take(&mut self.kept[place].tableau);
        tableau.copy_from(&self.kept[source].tableau);
        for &step in self.trail.iter().rev() {
            tableau.exchange(self.nodes[step].row, self.nodes[step].col);
            *pivots += 1;
        }
        self.kept[place] = Kept { node: x, tableau };
        self.nodes[x].kept = place;
        place
    }

    /// Algorithm 2.
    fn add_descendants(&mut self, lcp: &Lcp, x: usize, place: usize, ray: &mut Option<Ray>) {
        let node = self.nodes[x];
        let tableau = std::mem::take(&mut self.kept[place].tableau);
        let col = tableau.column_of(node.leaving.complement()).expect("the complement is not basic");
        let (m, q) = (tableau.column(col), &tableau.q);
        self.measure(lcp, &tableau, col);
        for i in 0..lcp.n() {
            // 3
            if m[i] >= 0.0 || m[i].is_nan() {
                continue;
            }
            // 4, 5: the least element of q′ after the exchange
            let theta = -q[i] / m[i];
            let others = (0..lcp.n()).filter(|&k| k != i);
            let q_min = others.fold(theta, |least, k| least.min(q[k] + m[k] * theta));
            if q_min.is_nan() || q_min <= -self.epsilon {
                continue;
            }
            // 6, 7
            let cost = node.cost + (-q_min).exp();
            // 8: written so that NaN is too large
            let line = self.error.iter().zip(&self.drift).map(|(e, d)| e + theta * d);
            let error = line.map(|e| e * e).sum::<f64>().sqrt();
            if error <= self.e_max && cost.is_finite() && self.visited.insert(tableau.basis_after(i, col)) {
                // 9
                self.append(Node {
                    parent: x,
                    row: i,
                    col,
                    leaving: tableau.rows[i],
                    cost,
                    q_min,
                    error,
                    kept: 0,
                });
            }
        }
        if ray.is_none() && m.iter().all(|&m| m >= 0.0) {
            *ray = self.ledger.path_ray(lcp, &tableau, col);
        }
        self.kept[place].tableau = tableau;
    }

    /// The error of a node, and how it changes along m′.
    fn measure(&mut self, lcp: &Lcp, tableau: &Tableau, col: usize) {
        let (z, w) = (&mut self.ledger.x, &mut self.ledger.w);
        let z0 = tableau.scatter(&tableau.q, z, w);
        tableau.mismatch(lcp, lcp.q(), z, w, z0, &mut self.error);
        let mut dz0 = tableau.scatter(tableau.column(col), z, w);
        match tableau.cols[col] {
            Variable::Z(i) => z[i] = 1.0,
            Variable::W(i) => w[i] = 1.0,
            Variable::Z0 => dz0 = 1.0,
        }
        tableau.mismatch(lcp, &self.zero, z, w, dz0, &mut self.drift);
    }

    fn offer(&mut self, lcp: &Lcp, place: usize) {
        self.kept[place].tableau.iterate(&mut self.ledger.x, &mut self.ledger.w);
        self.ledger.offer(lcp.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Trace;

    /// A regular frame on n legs, pushed straight down: all ties, so that the search has to branch.
    fn degenerate(n: usize) -> Lcp {
        let at = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / n as f64;
            [angle.cos(), angle.sin()]
        };
        let entry = |k: usize| 1.0 + at(k % n)[0] * at(k / n)[0] + at(k % n)[1] * at(k / n)[1];
        Lcp::from_column_major((0..n * n).map(entry).collect(), vec![-1.0; n]).unwrap()
    }

    #[test]
    fn tableaus_made_again_are_the_same_to_the_bit() {
        for n in [4, 6, 9] {
            let lcp = degenerate(n);
            let run = |kept_bytes: usize| {
                let mut search = Search { kept_bytes, ..Search::default() };
                let (mut trace, mut solution) = (Trace::default(), Solution::default());
                let outcome =
                    search.solve_with(&lcp, Start::Cold, Budget::default(), &mut solution, &mut trace);
                // the dummy node has no error
                trace.pivots[0].error = 0.0;
                (outcome.status, outcome.nodes, outcome.residual, solution, trace)
            };
            let few = run(0);
            assert_eq!(few, run(KEPT_BYTES));
            assert_eq!(few.0, Status::Solved);
            assert!(few.1 > 2);
        }
    }

    #[test]
    fn nodes_come_in_the_order_of_their_cost() {
        let mut search = Search::default();
        let mut trace = Trace::default();
        let lcp = degenerate(8);
        let budget = Budget { nodes: Some(50), ..Budget::default() };
        let _ = search.solve_with(&lcp, Start::Cold, budget, &mut Solution::default(), &mut trace);
        for node in &search.nodes[1..] {
            let step = node.cost - search.nodes[node.parent].cost;
            assert!((step - (-node.q_min).exp()).abs() < 1e-12);
            assert!(node.q_min > -search.epsilon && node.error <= search.e_max);
        }
        let last = search.queue.first().map_or(f64::INFINITY, |&(bits, _)| f64::from_bits(bits));
        assert!(search.nodes[0].cost <= last);
    }
}

//! Active sets by blocks on a factorisation that is kept: plain boxes, dense or sparse, from any start.
//!
//! The rows are split into those at a bound and a set F whose x follow from the rows of F alone; every row that is on
//! the wrong side changes it, all at once while that makes them fewer, the one of least index after that:
//!
//! ```text
//!     x_i = l_i or u_i  (i ∉ F),      x_F ← x_F − (A_FF)⁻¹ (A x + b)_F,      w = A x + b                         (1)
//!     H = { i ∈ F : x_i beyond a bound } ∪ { at l_i : w_i < 0 } ∪ { at u_i : w_i > 0 }                            (2)
//! ```
//!
//! That is block principal pivoting [Júdice and Pires 1994], which for an obstacle problem is the primal-dual active
//! set, that is Newton's method on min(x, w) = 0 [Hintermüller, Ito, Kunisch 2002]: a dozen factorisations whatever n. Where
//! the principal minors of A are positive, the least index cannot cycle and the method ends with the solution.
//!
//! *What is kept.* The factors belong to one set; another set that differs from it in few rows is solved by bordering
//! them ([`border`]). A solver that starts from its previous answer to the same matrix factorises nothing.
//!
//! *Singular blocks.* A that is only semi-definite has sets without a solution. Then x is approached by proximal points,
//! A + εD and b − εDx in place of A and b, whose blocks are regular where A is monotone; the set they end on is
//! tried on A itself.
//!
//! | paper | here                | shape |
//! |-------|---------------------|-------|
//! | F     | rows with `Side::Free` | ≤ n |
//! | H     | `wrong`             | ≤ n   |
//! | p     | `patience`          |       |
//!
//! | file     | what it holds                                                |
//! |----------|--------------------------------------------------------------|
//! | `view`   | the problem as an active set sees it                         |
//! | `answer` | from a run to an answer, and how much a run may spend        |
//! | `base`   | the matrix that is known, and the factors of one block of it |
//! | `border` | those factors, for a set that differs in a few rows          |
//! | `dense`  | factors of a dense block                                     |
//! | `interior` | the set of a solution, seen from between the bounds        |
//! | `sets`   | one set: solved, refined, and which rows are wrong            |
//! | `sweep`  | projected Gauss-Seidel on a sparse matrix                    |
//!
//! Departures: signs are judged row by row, against what the row adds up (1e-13 of it, some thousand roundings); a
//! claim is measured by the verdict like any other.

mod answer;
mod base;
mod border;
mod dense;
mod interior;
mod sets;
mod sweep;
mod view;

use crate::clock::Clock;
use crate::observer::{IterateEvent, Observer, PivotEvent, Variable};
use crate::outcome::{SOLVED, Side, Status};
use crate::verdict::Verdict;
use crate::visited::Visited;

use base::Base;
use border::Border;
use interior::Interior;
pub(crate) use view::View;

/// ε of the proximal steps in units of the diagonal, and how many steps each may take.
const PROXIMAL: [(f64, usize); 4] = [(1e-4, 4), (1e-6, 6), (1e-8, 6), (1e-10, 6)];

/// Problems of at most this size have all their memory from the start: a simulation allocates nothing later.
const ROOM: usize = 512;
/// Sets that are solved from the start before the interior is asked: most problems need fewer.
const FIRST: usize = 12;
/// Steps in the interior before its set is tried, between tries, and the sets of a try.
const LOOK_FIRST: usize = 8;
const LOOK_AGAIN: usize = 3;
const SETS_EACH: usize = 8;

/// The shift of a singular block that is only looked at, in units of the diagonal.
const RECALL: f64 = 1e-9;

/// What a run may spend, and how it goes on when blocks do not help.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a run")]
pub(crate) struct Effort {
    /// Blocks without progress before single rows change sides.
    pub(crate) patience: usize,
    /// Sets that may be solved.
    pub(crate) sets: usize,
    /// Exchanges in all.
    pub(crate) pivots: usize,
    /// Whether full matrices are looked at from the interior; sparse ones are whatever this says.
    pub(crate) interior: bool,
    /// Whether singular blocks are approached by proximal points.
    pub(crate) proximal: bool,
    /// Whether the start may be the answer: it is looked at first.
    pub(crate) warm: bool,
    /// Whether rows of the start that depend on each other may share what they carry.
    pub(crate) shares: bool,
    pub(crate) clock: Clock,
}

/// Active sets with kept factors.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveSet {
    pub(crate) sides: Vec<Side>,
    pub(crate) x: Vec<f64>,
    pub(crate) w: Vec<f64>,
    sum: Vec<f64>,  // n: what a row adds up
    size: Vec<f64>, // n: |x|
    shifted: Vec<f64>,
    residual: Vec<f64>,
    before: Vec<Side>,
    wrong: Vec<(usize, Side)>, // the row and where it should go
    visited: Visited,
    base: Base,
    border: Border,
    interior: Interior,
    seen: Vec<Side>, // the set as it is seen from the interior
    verdict: Verdict,
    epsilon: f64,
    pub(crate) pivots: usize,
    pub(crate) sets: usize,
    shown: usize, // iterates that an observer has seen
}

impl ActiveSet {
    /// Forgets the factors, so that the next answer is that of a new solver.
    pub(crate) fn forget(&mut self) {
        self.base.forget();
        self.border.clear();
    }

    /// Runs from the sides that are given. `Solved` says that the verdict holds on the problem as it was given.
    pub(crate) fn run(&mut self, view: &View<'_>, effort: Effort, observer: &mut impl Observer) -> Status {
        let n = view.n();
        self.pivots = 0;
        self.sets = 0;
        self.shown = 0;
        self.epsilon = 0.0;
        self.base.know(view);
        if self.base.is_new() {
            self.border.clear();
            if n <= ROOM {
                self.reserve(n);
            }
        }
        self.x.clear();
        self.x.resize(n, 0.0);
        self.place_on_bounds(view);
        if effort.warm && self.recall(view, effort.shares) {
            self.show(view, observer);
            return Status::Solved;
        }
        if effort.sets == 0 {
            return Status::Inaccurate;
        }
        if effort.warm {
            self.x.fill(0.0);
            self.place_on_bounds(view);
        }
        let mut end = self.settle(view, view.b, Effort { sets: effort.sets.min(FIRST), ..effort }, observer);
        if end == Status::Solved && self.natural(view) <= SOLVED {
            return Status::Solved;
        }
        let looks = effort.interior || self.base.is_sparse();
        if end != Status::Budget && effort.patience > 0 && looks {
            end = self.try_interior(view, effort, observer);
            if end == Status::Solved {
                return end;
            }
        }
        if end == Status::Budget || !effort.proximal {
            return if end == Status::Solved { Status::Inaccurate } else { end };
        }
        self.approach(view, effort, observer)
    }

    /// Room for everything that a problem of this size may ask for.
    fn reserve(&mut self, n: usize) {
        self.base.reserve(n);
        self.border.reserve(n);
        self.interior.reserve(n);
        self.verdict.reserve(n);
        self.visited.reset(n);
        let Self { w, sum, size, shifted, residual, .. } = self;
        for v in [w, sum, size, shifted, residual] {
            v.clear();
            v.reserve(n);
        }
        for v in [&mut self.before, &mut self.seen] {
            v.clear();
            v.reserve(n);
        }
        self.wrong.clear();
        self.wrong.reserve(n);
    }

    /// Whether the sides at the start are those of a solution: one factorisation and one check. Rows that depend on each
    /// other may share what they carry: there a little is added to the diagonal, and refinement takes it back.
    fn recall(&mut self, view: &View<'_>, shares: bool) -> bool {
        if !self.solve_set(view, view.b) {
            if !shares {
                return false;
            }
            self.border.clear();
            self.base.forget_factors();
            self.base.shift(RECALL);
            let factored = self.base.factor(&self.sides);
            self.base.shift(0.0);
            if factored {
                self.correct(view, view.b);
            }
            self.base.forget_factors();
        }
        self.natural(view) <= SOLVED
    }

    /// Sets as they are seen from the interior, each tried as a start.
    fn try_interior(&mut self, view: &View<'_>, effort: Effort, observer: &mut impl Observer) -> Status {
        self.border.clear();
        let mut interior = std::mem::take(&mut self.interior);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clone_from(&self.sides);
        let mut end = Status::Inaccurate;
        let mut goes_on = interior.begin(&mut self.base, view);
        let mut steps = LOOK_FIRST;
        while goes_on {
            goes_on = interior.advance(&mut self.base, view, steps, &mut seen);
            steps = LOOK_AGAIN;
            if effort.clock.expired() {
                end = Status::Budget;
                break;
            }
            if goes_on && seen == self.sides {
                continue;
            }
            self.sides.clone_from(&seen);
            self.base.forget_factors();
            self.x.fill(0.0);
            let sets = if goes_on { SETS_EACH } else { effort.sets };
            end = self.settle(view, view.b, Effort { sets, ..effort }, observer);
            if end == Status::Solved && self.natural(view) <= SOLVED {
                break;
            }
            if end == Status::Solved {
                end = Status::Inaccurate;
            }
            if end == Status::Budget {
                break;
            }
            self.sides.clone_from(&seen);
        }
        self.interior = interior;
        self.seen = seen;
        end
    }

    /// Proximal points, and the sets that they end on.
    fn approach(&mut self, view: &View<'_>, effort: Effort, observer: &mut impl Observer) -> Status {
        let mut end = Status::Inaccurate;
        for (epsilon, steps) in PROXIMAL {
            let mut last = f64::INFINITY;
            for _ in 0..steps {
                self.epsilon = epsilon;
                self.border.clear();
                self.base.forget_factors();
                self.base.shift(epsilon);
                let mut b = std::mem::take(&mut self.shifted);
                b.clear();
                b.extend((0..view.n()).map(|i| view.b[i] - self.base.shift_of(i) * self.x[i]));
                end = self.settle(view, &b, effort, observer);
                self.shifted = b;
                if end == Status::Budget {
                    break;
                }
                if end != Status::Solved {
                    break;
                }
                let near = self.natural(view);
                if near <= SOLVED || self.on_set(view, effort, observer) {
                    self.epsilon = 0.0;
                    self.base.shift(0.0);
                    return Status::Solved;
                }
                if near > 0.5 * last {
                    break;
                }
                last = near;
            }
            if end == Status::Budget {
                break;
            }
        }
        self.epsilon = 0.0;
        self.base.shift(0.0);
        self.base.forget_factors();
        self.border.clear();
        if end == Status::Solved { Status::Inaccurate } else { end }
    }

    /// Tries the set of a proximal point on the problem itself; x is left as it was where that fails.
    fn on_set(&mut self, view: &View<'_>, effort: Effort, observer: &mut impl Observer) -> bool {
        let (x, sides, epsilon) = (self.x.clone(), self.sides.clone(), self.epsilon);
        self.epsilon = 0.0;
        self.base.shift(0.0);
        self.base.forget_factors();
        self.border.clear();
        let few = Effort { sets: 4, patience: 2, ..effort };
        if self.settle(view, view.b, few, observer) == Status::Solved && self.natural(view) <= SOLVED {
            return true;
        }
        (self.x, self.sides, self.epsilon) = (x, sides, epsilon);
        false
    }

    /// Blocks, then single rows, until no row is on the wrong side.
    fn settle(&mut self, view: &View<'_>, b: &[f64], effort: Effort, observer: &mut impl Observer) -> Status {
        self.visited.reset(view.n());
        let (mut least, mut patience, mut sets) = (usize::MAX, effort.patience, 0);
        if !self.solve_set(view, b) {
            return Status::Inaccurate;
        }
        self.show(view, observer);
        loop {
            self.list_wrong(view);
            let count = self.wrong.len();
            if count == 0 {
                return Status::Solved;
            }
            if self.pivots >= effort.pivots || effort.clock.expired() {
                return Status::Budget;
            }
            if sets >= effort.sets {
                return Status::Cycle;
            }
            let single = if count < least {
                (least, patience) = (count, effort.patience);
                effort.patience == 0
            } else if patience > 0 {
                patience -= 1;
                false
            } else {
                true
            };
            if !single {
                self.visited.clear();
            } else if !self.visited.insert(self.hash()) {
                return Status::Cycle;
            } else {
                self.wrong.truncate(1);
            }
            self.before.clone_from(&self.sides);
            self.change_sides();
            sets += 1;
            if !self.solve_set(view, b) {
                // rows that depend on each other went in together: take them back and try the first alone
                self.sides.clone_from(&self.before);
                self.wrong.truncate(1);
                patience = 0;
                self.change_sides();
                if single || !self.solve_set(view, b) {
                    self.sides.clone_from(&self.before);
                    return Status::Inaccurate;
                }
            }
            self.tell(observer);
            self.show(view, observer);
        }
    }

    fn tell(&mut self, observer: &mut impl Observer) {
        let q_min = self.x.iter().chain(&self.w).copied().fold(f64::INFINITY, f64::min);
        for &(i, to) in &self.wrong {
            let (entering, leaving) = match to {
                Side::Free => (Variable::Z(i), Variable::W(i)),
                _ => (Variable::W(i), Variable::Z(i)),
            };
            let error = f64::NAN;
            observer.pivot(&PivotEvent { pivot: self.pivots, entering, leaving, q_min, error });
            self.pivots += 1;
        }
    }

    /// Shows x within its bounds with a w of its own; what is carried on stays as it is.
    fn show(&mut self, view: &View<'_>, observer: &mut impl Observer) {
        if !observer.wants_iterates() {
            return;
        }
        let kept = (self.x.clone(), self.w.clone());
        let residual = self.residual(view);
        observer.iterate(&IterateEvent { index: self.shown, x: &self.x, w: &self.w, residual });
        (self.x, self.w) = kept;
        self.shown += 1;
    }
}

//! What a search remembers (the exchanges made and left aside, the bases seen) and what it has spent.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::clock::Clock;
use crate::observer::Variable;
use crate::outcome::Budget;

/// An exchange that was made, linked to the one before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: usize,
    pub(crate) entering: Variable,
    pub(crate) leaving: Variable,
    pub(crate) depth: usize,
    pub(crate) departures: usize,
}

/// An exchange that was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alternative {
    pub(crate) departures: usize,
    pub(crate) depth: usize,
    pub(crate) parent: usize,
    pub(crate) rank: usize,
    pub(crate) entering: Variable,
    pub(crate) leaving: Variable,
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
pub(crate) enum End {
    Solved,
    /// A basis without z₀ whose z is not good enough; kept as a start.
    Inaccurate,
    /// Every exchange has been tried.
    Exhausted,
    OutOfNodes,
    OutOfBudget,
}

/// The parent of the first exchange.
pub(crate) const ROOT: usize = usize::MAX;

/// The bases seen, by the exclusive or of their keys.
pub(crate) type Visited = HashSet<u64, BuildHasherDefault<Identity>>;

/// Keys are already hashes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Identity(u64);

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
pub(crate) struct Meter {
    pub(crate) pivots: usize,
    pub(crate) nodes: usize,
    pub(crate) max_pivots: usize,
    pub(crate) max_nodes: usize,
    pub(crate) clock: Clock,
    pub(crate) bounded: bool,
    counted: bool, // the budget is of pivots or nodes
    /// Multiplications, about.
    work: u64,
    asked: Option<u64>, // the work when the clock was last read
    max_work: u64,
}

/// The clock is read after this many multiplications, some ten microseconds' worth: reading it costs as much as a pivot of a
/// small problem.
const CLOCK: u64 = 20_000;
/// Under a budget of time alone every so manieth iterate is ranked: that costs a third of a small pivot.
const RANK: usize = 16;
/// A search that finds nothing gives up after this many multiplications, about a second's worth, ...
const WORK: u64 = 2_000_000_000;
/// ... or after this many times n³, the pivots of a few Lemke paths, where that is more.
const WORK_PER_CUBE: u64 = 8;

impl Meter {
    pub(crate) fn new(n: usize, budget: Budget) -> Self {
        let n = n as u64;
        Self {
            pivots: 0,
            nodes: 0,
            max_pivots: budget.pivots.unwrap_or(usize::MAX),
            max_nodes: budget.nodes.unwrap_or(usize::MAX),
            clock: Clock::new(&budget),
            // a flag alone is no reason to rank every iterate
            bounded: budget.pivots.is_some() || budget.nodes.is_some() || budget.seconds.is_some(),
            counted: budget.pivots.is_some() || budget.nodes.is_some(),
            work: 0,
            asked: None,
            max_work: WORK.max(WORK_PER_CUBE.saturating_mul(n * n * n)),
        }
    }

    /// Counts multiplications.
    pub(crate) fn charge(&mut self, products: usize) {
        self.work = self.work.saturating_add(products as u64);
    }

    /// Whether the method's own limit is reached: the time to call a problem unsolved.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.work >= self.max_work
    }

    pub(crate) fn spent(&mut self) -> bool {
        self.pivots >= self.max_pivots || self.nodes >= self.max_nodes || self.is_late()
    }

    /// Whether the time is over, as far as the clock was read.
    fn is_late(&mut self) -> bool {
        // who counts no work is asked every time
        let recently = self.asked.is_some_and(|at| self.work > 0 && self.work - at < CLOCK);
        if !self.clock.is_armed() || recently {
            return false;
        }
        self.asked = Some(self.work);
        self.clock.expired()
    }

    /// Whether the present iterate should be ranked, in case the budget ends soon.
    pub(crate) fn ranks(&self) -> bool {
        self.counted || (self.bounded && self.nodes.is_multiple_of(RANK))
    }
}

/// A fixed random number per variable; a basis is the exclusive or of what it exchanged.
pub(crate) fn key(variable: Variable) -> u64 {
    match variable {
        Variable::W(i) => mix(2 * i as u64 + 1),
        Variable::Z(i) => mix(2 * i as u64 + 2),
        Variable::Z0 => mix(u64::MAX),
    }
}

/// splitmix64: the same bits on every machine.
pub(crate) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

pub(crate) fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

//! Warm starts by stable ids: what each row did in the last answer, whatever contacts came and went since.
//!
//! A contact is remembered by its part of the basis (θ, φ_j, λ), by the angle its facets were turned to, and by its
//! impulse; a unilateral or bounded row by its part of the basis and its impulse. The memory is plain numbers, so
//! that a snapshot can hold it to the bit, and an answer depends on nothing else: same problem, same memory, same
//! bits.

use super::settle::{Faceted, Settle};
use super::system::System;
use crate::friction::FrictionSolution;
use crate::outcome::Side;
use crate::problem::ContactMode;
use crate::tolerances;

/// The ids of the rows of a problem, in its order. Rows beyond the end of a list have none and start cold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowIds<'a> {
    /// Of the contacts.
    pub contacts: &'a [u64],
    /// Of the unilateral rows.
    pub unilateral: &'a [u64],
    /// Of the bounded rows.
    pub bounded: &'a [u64],
}

/// The shape of the friction cones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConeShape {
    /// As many sides as the problem has facets.
    #[default]
    Facets,
    /// Round: Coulomb's law itself.
    Exact,
    /// Round, with the convex law in place of Coulomb's: one answer, whatever the problem; sliding contacts rise.
    Convex,
}

/// The kinds of rows that have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarmKind {
    /// A contact point.
    Contact,
    /// A unilateral row.
    Unilateral,
    /// A bounded row.
    Bounded,
}

/// What one row did: plain numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmEntry {
    /// What the row is.
    pub kind: WarmKind,
    /// Its id.
    pub id: u64,
    /// Which of its unknowns are basic, from the lowest bit: θ, φ_1 … φ_d, λ of a contact; z, cap of a bounded row.
    pub basis: u64,
    /// The sides of its cone, which `basis` counts.
    pub facets: u32,
    /// What it did. `Stick` is whatever did not move, pressed or not; a bounded row is `Open` at its lower bound and
    /// `Slip` at its upper one, a unilateral row `Open` where it has no impulse.
    pub mode: ContactMode,
    /// The direction of its first facet, rad.
    pub angle: f64,
    /// Its impulse, N s: (n, t1, t2) of a contact, else the first.
    pub impulse: [f64; 3],
}

impl WarmEntry {
    /// The entry as seven words, for a file or a hash; floating-point numbers by their bits.
    pub fn to_words(&self) -> [u64; 7] {
        let kind = match self.kind {
            WarmKind::Contact => 0,
            WarmKind::Unilateral => 1,
            WarmKind::Bounded => 2,
        };
        let mode = match self.mode {
            ContactMode::Open => 0,
            ContactMode::Stick => 1,
            ContactMode::Slip => 2,
        };
        let [n, t1, t2] = self.impulse.map(f64::to_bits);
        let small = kind | mode << 8 | u64::from(self.facets) << 32;
        [small, self.id, self.basis, self.angle.to_bits(), n, t1, t2]
    }

    /// The entry of seven words; none if they are not one's.
    pub fn from_words(words: [u64; 7]) -> Option<Self> {
        let [small, id, basis, angle, n, t1, t2] = words;
        let kind = match small & 0xff {
            0 => WarmKind::Contact,
            1 => WarmKind::Unilateral,
            2 => WarmKind::Bounded,
            _ => return None,
        };
        let mode = match small >> 8 & 0xff {
            0 => ContactMode::Open,
            1 => ContactMode::Stick,
            2 => ContactMode::Slip,
            _ => return None,
        };
        let facets = u32::try_from(small >> 32).ok()?;
        let impulse = [n, t1, t2].map(f64::from_bits);
        Some(Self { kind, id, basis, facets, mode, angle: f64::from_bits(angle), impulse })
    }

    fn key(&self) -> (WarmKind, u64) {
        (self.kind, self.id)
    }
}

/// What each row did in the last answer, by id: survives contacts that come and go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WarmStart {
    entries: Vec<WarmEntry>, // by kind and id, ascending
}

impl WarmStart {
    /// From entries in any order, as a snapshot kept them.
    pub fn from_entries(entries: impl IntoIterator<Item = WarmEntry>) -> Self {
        let mut warm = Self { entries: entries.into_iter().collect() };
        warm.sort();
        warm
    }

    /// Everything that is remembered, in the order of kind and id.
    pub fn entries(&self) -> &[WarmEntry] {
        &self.entries
    }

    /// Forgets everything; the memory stays.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// What a row did, if it is remembered.
    pub fn recall(&self, kind: WarmKind, id: u64) -> Option<&WarmEntry> {
        self.entries.binary_search_by_key(&(kind, id), WarmEntry::key).ok().map(|at| &self.entries[at])
    }

    /// Lets rows start from what others did: pairs of an id that is remembered and one that takes its place. An id that is remembered itself, or
    /// takes the place of nothing, stays as it is.
    pub fn hand_on(&mut self, kind: WarmKind, places: &[(u64, u64)]) {
        let count = self.entries.len();
        for &(from, to) in places {
            let known = &self.entries[..count];
            let find = |id: u64| known.binary_search_by_key(&(kind, id), WarmEntry::key);
            if let (Ok(at), Err(_)) = (find(from), find(to)) {
                let entry = WarmEntry { id: to, ..self.entries[at] };
                self.entries.push(entry);
            }
        }
        if self.entries.len() > count {
            self.sort();
        }
    }

    /// Remembers one more row; [`WarmStart::sort`] must follow before the next recall.
    pub(super) fn remember(&mut self, entry: WarmEntry) {
        self.entries.push(entry);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets what was remembered after the first so many rows.
    pub(super) fn truncate(&mut self, count: usize) {
        self.entries.truncate(count);
    }

    /// Takes out what was remembered after the first so many rows.
    pub(super) fn split_off(&mut self, count: usize) -> Vec<WarmEntry> {
        self.entries.split_off(count)
    }

    pub(super) fn extend(&mut self, entries: &[WarmEntry]) {
        self.entries.extend_from_slice(entries);
    }

    pub(super) fn sort(&mut self) {
        // an id given twice keeps one meaning: that of the first
        if !self.entries.is_sorted_by_key(WarmEntry::key) {
            self.entries.sort_unstable_by(|a, b| {
                let bits =
                    |e: &WarmEntry| (e.basis, e.facets, e.angle.to_bits(), e.impulse.map(f64::to_bits));
                a.key().cmp(&b.key()).then(bits(a).cmp(&bits(b)))
            });
        }
        self.entries.dedup_by_key(|e| e.key());
    }
}

/// A contact that is not remembered is taken to stick unless it opens faster than this part of the largest velocity of
/// a row: bodies that fall together touch.
const TOUCHING: f64 = 0.1;

/// Modes of rows of which nothing is remembered: what is about to be pressed is still.
pub(super) fn guess(system: &System, settle: &mut Settle) {
    for i in 0..system.n {
        settle.modes[i] = if system.q[3 * i] < TOUCHING { Faceted::STICK } else { Faceted::OPEN };
    }
    for k in 0..system.singles() - system.n_equality() {
        settle.holds[k] = if system.q[3 * system.n + k] < 0.0 { Side::Free } else { Side::Lower };
    }
}

/// Modes, impulses and basis of what is remembered; for round cones the facets as they were turned. A contact that is
/// not remembered sticks if it is about to be pressed.
pub(super) fn recall(
    system: &mut System,
    ids: RowIds<'_>,
    warm: &WarmStart,
    settle: &mut Settle,
    start: &mut Vec<bool>,
    round: bool,
) {
    start.clear();
    start.resize(system.unknowns(), false);
    guess(system, settle);
    let per = system.d + 2;
    for i in 0..system.n {
        let remembered = ids.contacts.get(i).and_then(|&id| warm.recall(WarmKind::Contact, id));
        let Some(entry) = remembered.filter(|e| e.facets as usize == system.d && per <= 64) else {
            continue;
        };
        let base = system.theta(i);
        (0..per).for_each(|k| start[base + k] = entry.basis >> k & 1 == 1);
        // as they are to begin with
        if round && entry.angle != 0.0 {
            system.turn_facets(i, entry.angle);
        }
        // along the surface only where there is friction now: rows without a law hold nothing
        for k in 0..if system.mu[i] > 0.0 { 3 } else { 1 } {
            settle.r[3 * i + k] = system.scaled_impulse(3 * i + k, entry.impulse[k]);
        }
        if entry.mode == ContactMode::Slip && !round {
            settle.put_on_edge(system, i);
        }
        settle.modes[i] = match entry.mode {
            ContactMode::Open => Faceted::OPEN,
            ContactMode::Stick => Faceted::STICK,
            ContactMode::Slip if system.mu[i] == 0.0 => Faceted::STICK,
            ContactMode::Slip if round => Faceted::SLIP,
            ContactMode::Slip => {
                let (a, b, [ja, jb]) = system.facets_of(i, [settle.r[3 * i + 1], settle.r[3 * i + 2]]);
                // an edge if both do a part of the work that is more than rounding
                Faceted::slip(ja, if b > tolerances::EDGE_SHARE * a { jb } else { ja })
            }
        };
    }
    for k in 0..system.singles() - system.n_equality() {
        let (kind, id) = match k.checked_sub(system.n_unilateral()) {
            None => (WarmKind::Unilateral, ids.unilateral.get(k)),
            Some(b) => (WarmKind::Bounded, ids.bounded.get(b)),
        };
        let row = 3 * system.n + k;
        let Some(entry) = id.and_then(|&id| warm.recall(kind, id)) else {
            continue;
        };
        let at = system.single(k);
        start[at] = entry.basis & 1 == 1;
        if kind == WarmKind::Bounded {
            start[at + 1] = entry.basis >> 1 & 1 == 1;
        }
        settle.r[row] = system.scaled_impulse(row, entry.impulse[0]);
        let room = system.room_of(k).unwrap_or(f64::INFINITY);
        (settle.holds[k], settle.r[row]) = match entry.mode {
            ContactMode::Open => (Side::Lower, 0.0),
            ContactMode::Slip if room < f64::INFINITY => (Side::Upper, room),
            _ => (Side::Free, settle.r[row].clamp(0.0, room)),
        };
    }
}

/// The answer's basis, facets, modes and impulses, by id, added to the memory; [`WarmStart::sort`] must follow.
pub(super) fn remember(
    system: &System,
    ids: RowIds<'_>,
    solution: &FrictionSolution,
    settle: &Settle,
    warm: &mut WarmStart,
) {
    let (basis, n, per) = (&solution.basis, system.n, system.d + 2);
    if basis.len() != system.unknowns() {
        return;
    }
    let bits = |from: usize, count: usize| (0..count).fold(0, |b, k| b | u64::from(basis[from + k]) << k);
    let facets = u32::try_from(system.d).unwrap_or(u32::MAX);
    for (i, &id) in ids.contacts.iter().take(n).enumerate().filter(|_| per <= 64) {
        let [c, s] = system.dirs[i * system.d];
        let mode = settle.modes[i].mode;
        let impulse = solution.contacts[i].impulse;
        let basis = bits(system.theta(i), per);
        let angle = s.atan2(c);
        warm.remember(WarmEntry { kind: WarmKind::Contact, id, basis, facets, mode, angle, impulse });
    }
    let mut single = |kind: WarmKind, id: u64, k: usize, count: usize| {
        let impulse = [solution.impulses[3 * n + k], 0.0, 0.0];
        let basis = bits(system.single(k), count);
        let mode = match settle.holds[k] {
            Side::Lower => ContactMode::Open,
            Side::Free => ContactMode::Stick,
            Side::Upper => ContactMode::Slip,
        };
        warm.remember(WarmEntry { kind, id, basis, facets, mode, angle: 0.0, impulse });
    };
    let first_bounded = system.n_unilateral();
    for (k, &id) in (0..first_bounded).zip(ids.unilateral) {
        single(WarmKind::Unilateral, id, k, 1);
    }
    for (k, &id) in (first_bounded..first_bounded + system.n_bounded()).zip(ids.bounded) {
        single(WarmKind::Bounded, id, k, 2);
    }
}

#[cfg(test)]
mod tests;

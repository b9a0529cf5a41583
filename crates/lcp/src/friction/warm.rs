//! Warm starts by stable ids: what each row did in the last answer, whatever contacts came and went since.
//!
//! A contact is remembered by its part of the basis (θ, φ_j, λ), by the angle its facets were turned to, and by its
//! impulse; a unilateral or bounded row by its part of the basis and its impulse. The memory is plain numbers, so
//! that a snapshot can hold it to the bit, and an answer depends on nothing else: same problem, same memory, same
//! bits.

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
    /// The direction of its first facet, rad.
    pub angle: f64,
    /// Its impulse, N s: (n, t1, t2) of a contact, else the first.
    pub impulse: [f64; 3],
}

impl WarmEntry {
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

    /// Remembers one more row; [`WarmStart::sort`] must follow before the next recall.
    pub(super) fn remember(&mut self, entry: WarmEntry) {
        self.entries.push(entry);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_of_the_memory_is_the_memory() {
        let entry =
            |kind, id| WarmEntry { kind, id, basis: id ^ 5, facets: 8, angle: 0.1, impulse: [0.3; 3] };
        let all = [
            entry(WarmKind::Bounded, 1),
            entry(WarmKind::Contact, 9),
            entry(WarmKind::Contact, 2),
            entry(WarmKind::Unilateral, 7),
            entry(WarmKind::Contact, 9),
        ];
        let warm = WarmStart::from_entries(all);
        assert_eq!(warm.entries().len(), 4);
        assert_eq!(warm, WarmStart::from_entries(warm.entries().iter().copied()));
        assert_eq!(warm.recall(WarmKind::Contact, 9), Some(&all[1]));
        assert_eq!(warm.recall(WarmKind::Unilateral, 9), None);
    }
}

//! What a problem may cost: factorisations of its own size, in all stages, those of small problems weighed by their multiplications.

/// Factorisations that were made, and how many may be.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Purse {
    most: Option<usize>,
    /// Factorisations of the problem itself.
    pub(crate) count: usize,
    largest: usize,      // multiplications of one of them
    beside: usize,       // multiplications of those of smaller problems
    room: Option<usize>, // multiplications, for a small problem
    own: usize,          // multiplications of all of its own
}

impl Purse {
    /// For so many factorisations, or any number of them; so many are spent.
    pub(crate) fn of(most: Option<usize>, spent: usize) -> Self {
        Self { most, count: spent, ..Self::default() }
    }

    /// For a smaller problem: what is left of this one.
    pub(crate) fn part(&self) -> Self {
        let left = |most: usize| (most.saturating_sub(self.count) * self.largest).saturating_sub(self.beside);
        Self { room: self.most.map(left), ..Self::default() }
    }

    /// A factorisation of so many multiplications.
    pub(crate) fn pay(&mut self, work: usize) {
        self.count += 1;
        self.largest = self.largest.max(work);
        self.own += work;
    }

    /// Takes in what a smaller problem spent.
    pub(crate) fn charge(&mut self, part: &Self) {
        self.beside += part.own;
    }

    /// Factorisations in all.
    pub(crate) fn spent(&self) -> usize {
        self.count + self.beside.checked_div(self.largest).unwrap_or(0)
    }

    /// Whether there may be no more.
    pub(crate) fn is_empty(&self) -> bool {
        self.most.is_some_and(|most| self.spent() >= most) || self.room.is_some_and(|room| self.own >= room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small problems count by their part of the whole, and end where the whole does.
    #[test]
    fn small_problems_count_by_their_size() {
        let mut whole = Purse::of(Some(5), 1);
        (0..2).for_each(|_| whole.pay(100));
        assert_eq!((whole.spent(), whole.is_empty()), (3, false));
        let mut part = whole.part();
        let mut taken = 0;
        while !part.is_empty() {
            part.pay(30);
            taken += 1;
        }
        assert_eq!(taken, 7);
        whole.charge(&part);
        assert_eq!((whole.spent(), whole.is_empty()), (5, true));
        assert!(whole.part().is_empty());
        let mut free = Purse::default();
        (0..1000).for_each(|_| free.pay(100));
        assert!(!free.is_empty() && !free.part().is_empty());
    }
}

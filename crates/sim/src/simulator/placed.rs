//! Overlap that bodies were placed with, which is undone whatever it costs, and overlap that grows beyond it, which is told.

use super::Simulator;
use super::memory::Layout;

/// Overlap of this part of the smaller body's reach is told.
const DEEP: f64 = 0.01;

/// The deepest overlaps so far, of the smaller body's reach.
#[derive(Debug, Clone)]
pub(crate) struct Depths {
    /// That bodies were not placed with.
    pub(crate) own: f64,
    /// That they were placed with; negative before it was looked at.
    pub(crate) placed: f64,
    /// Whether one of them has grown in this step.
    pub(super) deepened: bool,
}

impl Default for Depths {
    fn default() -> Self {
        Self { own: 0.0, placed: -1.0, deepened: false }
    }
}

impl Simulator {
    /// Groups that have got rid of the overlap they were placed with.
    pub(super) fn forget_placed(&mut self) {
        if !self.guard.placed.contains(&true) {
            return;
        }
        let tolerance = self.settings.overlap_tolerance;
        let Self { guard, contacts, layout: Layout { groups, tree, .. }, limits, .. } = self;
        let deep = &mut guard.sums[0]; // by group, for a moment
        deep.fill(0.0);
        for c in contacts.iter().filter(|c| -c.gap > tolerance) {
            [c.a, c.b].iter().filter_map(|l| groups[l.0]).for_each(|group| deep[group] = 1.0);
        }
        for l in limits.iter().filter(|l| -l.gap > tolerance) {
            deep[tree[l.dof]] = 1.0;
        }
        guard.placed.iter_mut().zip(deep).for_each(|(placed, deep)| *placed &= *deep > 0.0);
    }

    /// Whether overlap has grown beyond what bodies were placed with, by a hundredth of the smaller one where they still are in it, and
    /// beyond a hundredth where they are not.
    pub(super) fn note_depth(&mut self) {
        self.depths.deepened = false;
        let mut placed_depth = 0.0_f64;
        for c in &self.contacts {
            let sizes = [c.a, c.b].map(|l| self.layout.reach[l.0]).into_iter().filter(|r| *r > 0.0);
            let depth = -c.gap / sizes.fold(f64::INFINITY, f64::min);
            let placed =
                [c.a, c.b].iter().any(|l| self.layout.groups[l.0].is_some_and(|g| self.guard.placed[g]));
            let soft = c.material.stiffness.is_finite();
            if placed && !soft {
                placed_depth = placed_depth.max(depth);
            } else if depth > self.depths.own.max(DEEP) && !soft {
                self.depths.own = depth;
                self.depths.deepened = true;
            }
        }
        if self.depths.placed < 0.0 {
            self.depths.placed = placed_depth;
        } else if placed_depth > self.depths.placed + DEEP {
            self.depths.placed = placed_depth;
            self.depths.deepened = true;
        }
    }
}

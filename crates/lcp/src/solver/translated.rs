//! Iterates of a form that a problem was lowered to, shown as those of the problem itself.

use crate::convert::{FrictionMlcp, MlcpLcp};
use crate::observer::{IterateEvent, Observer, PivotEvent, SweepEvent};
use crate::outcome::{MlcpSolution, Residual, Solution};
use crate::problem::Mlcp;

/// Where iterates go back to.
enum Home<'a> {
    Boxed(&'a Mlcp, &'a MlcpLcp),
    Friction(&'a FrictionMlcp),
}

/// Hands everything on; iterates as those of the problem that was lowered.
pub(crate) struct Translated<'a> {
    home: Home<'a>,
    inner: &'a mut dyn Observer,
    /// How many iterates were handed on.
    pub(crate) shown: usize,
}

impl<'a> Translated<'a> {
    /// From the standard form to the boxed problem; `shown` have been before.
    pub(crate) fn boxed(
        mlcp: &'a Mlcp,
        lowered: &'a MlcpLcp,
        shown: usize,
        inner: &'a mut impl Observer,
    ) -> Self {
        Self { home: Home::Boxed(mlcp, lowered), inner, shown }
    }

    /// From the boxed form to the impulses of a friction problem; the errors are those of the boxed form.
    pub(crate) fn impulses(lowered: &'a FrictionMlcp, inner: &'a mut impl Observer) -> Self {
        Self { home: Home::Friction(lowered), inner, shown: 0 }
    }
}

impl Observer for Translated<'_> {
    fn pivot(&mut self, event: &PivotEvent) {
        self.inner.pivot(event);
    }

    fn sweep(&mut self, event: &SweepEvent) {
        self.inner.sweep(event);
    }

    fn iterate(&mut self, event: &IterateEvent<'_>) {
        let mut boxed = MlcpSolution::default();
        let index = self.shown;
        match self.home {
            Home::Boxed(mlcp, lowered) => {
                let standard = Solution { z: event.x.to_vec(), ..Solution::default() };
                lowered.recover(mlcp, &standard, &mut boxed);
                let (x, w) = (&boxed.x, &boxed.w);
                let residual = Residual::of_mlcp(mlcp, x, w);
                self.inner.iterate(&IterateEvent { index, x, w, residual });
            }
            Home::Friction(lowered) => {
                (boxed.x, boxed.w) = (event.x.to_vec(), event.w.to_vec());
                let x = &lowered.impulses(&boxed);
                self.inner.iterate(&IterateEvent { index, x, w: &[], residual: event.residual });
            }
        }
        self.shown += 1;
    }

    fn wants_iterates(&self) -> bool {
        true
    }

    fn wants_sweeps(&self) -> bool {
        self.inner.wants_sweeps()
    }

    fn wants_errors(&self) -> bool {
        self.inner.wants_errors()
    }
}

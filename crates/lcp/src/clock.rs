//! When a solve has to stop: a deadline and an interrupt, polled by every method and every stage.
//!
//! A [`Clock`] is made once, where a solve begins, and handed down by copy: all stages of a solve then share one
//! deadline, and a stage that calls another method gives it what is left ([`Clock::rest`]). The rule for a loop
//! is to ask once per pass, before anything that costs more than a factorisation:
//!
//! ```text
//!     time after the deadline  ≤  one pass of the innermost loop that asks
//! ```
//!
//! Without a deadline and without an interrupt the question is one comparison; with them it is one reading of
//! the monotonic clock (some tens of nanoseconds) and one relaxed load.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Interrupt};

/// Numbers between two looks at the clock where memory is written: a megabyte.
const PAGES: usize = 1 << 17;

/// The deadline and the interrupt of a running solve.
///
/// ```
/// use gudgeon_lcp::{Budget, Clock};
///
/// let clock = Clock::new(&Budget::seconds(10.0));
/// assert!(clock.is_armed() && !clock.expired());
/// assert!(clock.rest(Budget::pivots(5)).seconds.is_some_and(|left| left <= 10.0));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    deadline: Option<Instant>,
    interrupt: Option<Interrupt>,
}

impl Clock {
    /// Starts the clock of a budget. What is not a time (NaN, infinite) sets no deadline; what is not positive
    /// has passed already.
    pub fn new(budget: &Budget) -> Self {
        let deadline = budget.seconds.and_then(|s| {
            let left = if s <= 0.0 { Duration::ZERO } else { Duration::try_from_secs_f64(s).ok()? };
            Instant::now().checked_add(left)
        });
        Self { deadline, interrupt: budget.interrupt }
    }

    /// Whether there is anything to obey.
    #[inline]
    pub fn is_armed(&self) -> bool {
        self.deadline.is_some() || self.interrupt.is_some()
    }

    /// Whether the solve must stop now.
    #[inline]
    pub fn expired(&self) -> bool {
        self.is_armed() && self.has_passed()
    }

    #[cold]
    fn has_passed(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Writes so many zeros, a megabyte at a time: fresh pages of a large matrix take a tenth of a second. False if time was
    /// up before the end.
    pub(crate) fn zeros(&self, v: &mut Vec<f64>, count: usize) -> bool {
        v.clear();
        v.reserve(count);
        while v.len() < count {
            if self.expired() {
                return false;
            }
            v.resize((v.len() + PAGES).min(count), 0.0);
        }
        true
    }

    /// A budget with the time that is left of this clock, for a method that starts a clock of its own.
    pub fn rest(&self, budget: Budget) -> Budget {
        let seconds = self.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_secs_f64());
        Budget { seconds: seconds.or(budget.seconds), ..budget }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn an_empty_budget_never_expires() {
        let clock = Clock::new(&Budget::default());
        assert!(!clock.is_armed() && !clock.expired());
        assert_eq!(clock.rest(Budget::pivots(3)), Budget::pivots(3));
        for nonsense in [f64::NAN, f64::INFINITY, 1e300] {
            assert!(!Clock::new(&Budget::seconds(nonsense)).expired());
        }
    }

    #[test]
    fn a_deadline_passes_and_leaves_nothing() {
        for past in [0.0, -1.0, f64::NEG_INFINITY] {
            let clock = Clock::new(&Budget::seconds(past));
            assert!(clock.expired());
            assert_eq!(clock.rest(Budget::default()).seconds, Some(0.0));
        }
        let clock = Clock::new(&Budget::seconds(1e6));
        assert!(!clock.expired());
        assert!(clock.rest(Budget::default()).seconds.is_some_and(|s| s > 0.0 && s <= 1e6));
    }

    #[test]
    fn an_interrupt_is_seen_while_it_is_up() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let budget = Budget { interrupt: Some(Interrupt::new(&FLAG)), ..Budget::default() };
        let clock = Clock::new(&budget);
        assert!(clock.is_armed() && !clock.expired());
        FLAG.store(true, Ordering::Relaxed);
        assert!(clock.expired());
        assert_eq!(budget, budget.clone());
    }
}

//! Back to before a step that was cut short.
//!
//! A raised [`crate::Settings::interrupt`] ends the solve under way with its best iterate, and the step goes on with that: whole, but not
//! what it would have been. Who wants to go on later, from a checkpoint or in the same program, must not have it in the state. A
//! snapshot before every step would cost as much as a small step; so there is one every few milliseconds, and the steps since
//! then, which took no longer than that, are taken again.

use std::time::{Duration, Instant};

use crate::simulator::Simulator;

/// Wall time between two moments that are kept: a thousand times what a small scene takes to be kept.
const EVERY: Duration = Duration::from_millis(2);

/// The moment to go back to, when it was kept, and what the caller told every step since.
///
/// ```
/// use gudgeon_sim::{Rewind, Simulator, scenes};
///
/// let mut sim = Simulator::new(&scenes::builtin("stack", &scenes::Params::new())?)?;
/// let mut rewind = Rewind::default();
/// for _ in 0..3 {
///     rewind.mark(&sim);
///     sim.step()?;
/// }
/// let there = sim.snapshot();
/// rewind.mark(&sim);
/// sim.step()?; // cut short, say
/// rewind.back(&mut sim, 3);
/// assert_eq!(sim.snapshot(), there);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rewind {
    moment: Vec<u8>,
    kept: Option<Instant>,
    told: Vec<f64>,
    ends: Vec<usize>, // of what each step was told, in `told`
}

impl Rewind {
    /// Before a step: keeps the moment if the last one is too far back.
    pub fn mark(&mut self, sim: &Simulator) {
        self.mark_told(sim, &[]);
    }

    /// As [`Rewind::mark`], before a step that is told these numbers, as the steps since the last moment were told theirs.
    pub fn mark_told(&mut self, sim: &Simulator, numbers: &[f64]) {
        if self.kept.is_none_or(|kept| kept.elapsed() >= EVERY) {
            self.moment = sim.snapshot();
            self.kept = Some(Instant::now());
            self.told.clear();
            self.ends.clear();
        }
        self.told.extend_from_slice(numbers);
        self.ends.push(self.told.len());
    }

    /// The state was changed by other things than steps: there is nothing to go back to.
    pub fn forget(&mut self) {
        self.kept = None;
    }

    /// Back to the state after so many steps, with no interrupt on the way; controls must not have changed since the last
    /// [`Rewind::mark`]. False, and the simulation where it was, if there is no such moment.
    pub fn back(&mut self, sim: &mut Simulator, steps: u64) -> bool {
        self.back_told(sim, steps, |_, _| {})
    }

    /// As [`Rewind::back`], where `tell` hands a step the numbers of [`Rewind::mark_told`]. The last ones are told in the end, as they
    /// were before the step that was cut short.
    pub fn back_told(
        &mut self,
        sim: &mut Simulator,
        steps: u64,
        tell: impl Fn(&mut Simulator, &[f64]),
    ) -> bool {
        let interrupt = sim.settings.interrupt.take();
        let mut there = self.kept.is_some() && sim.restore(&self.moment).is_ok();
        let mut first = 0;
        for &end in &self.ends {
            if !there {
                break;
            }
            tell(sim, &self.told[first..end]);
            first = end;
            if sim.steps() < steps {
                there = sim.step().is_ok();
            }
        }
        sim.settings.interrupt = interrupt;
        self.forget();
        there && sim.steps() == steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{Params, builtin};

    #[test]
    fn steps_are_taken_again_as_they_were_told() {
        let scene = builtin("push", &Params::new()).unwrap();
        let (mut sim, mut rewind) = (Simulator::new(&scene).unwrap(), Rewind::default());
        let tell = |sim: &mut Simulator, control: &[f64]| sim.control.copy_from_slice(control);
        for far in [0, 1, 7] {
            let mut there = Vec::new();
            rewind.forget();
            for k in 0..=far {
                sim.control[0] = 0.1 * f64::from(k);
                rewind.mark_told(&sim, &sim.control);
                // however slow the machine is
                rewind.kept = Some(Instant::now());
                there = sim.snapshot();
                let _ = sim.step().unwrap();
            }
            let before = sim.steps() - 1;
            assert!(rewind.back_told(&mut sim, before, tell));
            assert_eq!(sim.snapshot(), there, "{far}");
            // there is nothing to go back to twice
            assert!(!rewind.back(&mut sim, before));
            assert_eq!(sim.snapshot(), there);
        }
    }
}

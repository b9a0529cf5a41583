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

/// The moment to go back to, and when it was kept.
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
}

impl Rewind {
    /// Before a step: keeps the moment if the last one is too far back.
    pub fn mark(&mut self, sim: &Simulator) {
        if self.kept.is_none_or(|kept| kept.elapsed() >= EVERY) {
            self.moment = sim.snapshot();
            self.kept = Some(Instant::now());
        }
    }

    /// Back to the state after so many steps, with no interrupt on the way; controls must not have changed since the last
    /// [`Rewind::mark`]. False, and the simulation where it was, if there is no such moment.
    pub fn back(&self, sim: &mut Simulator, steps: u64) -> bool {
        let interrupt = sim.settings.interrupt.take();
        let mut there = self.kept.is_some() && sim.restore(&self.moment).is_ok();
        while there && sim.steps() < steps {
            there = sim.step().is_ok();
        }
        sim.settings.interrupt = interrupt;
        there
    }
}

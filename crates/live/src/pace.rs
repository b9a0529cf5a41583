//! When steps are taken: by the clock, one by one, or begun again for an order.
//!
//! A step of a large pile may take a tenth of a second, and a hand that takes hold meanwhile would wait for its end. So where steps
//! are long, an order ends the one under way (`Hurry`); what it had done is forgotten to the bit, and it is begun again with
//! the order. Once: the next one is not given up.

use std::time::{Duration, Instant};

use gudgeon_lcp::Interrupt;
use gudgeon_sim::{Simulator, StepError, StepReport};

use crate::fields::WireError;
use crate::live::{FRAME, Live};

/// Steps are taken for at most so long before orders are looked at.
const TURN: Duration = Duration::from_millis(4);
/// How often a clock that waits for a page looks for it.
const GLANCE: Duration = Duration::from_millis(5);
/// Further behind than this, the clock is set anew, s.
const BEHIND: f64 = 0.1;
/// Where steps take longer, s, they may be given up: a snapshot, which takes a tenth of a step at most, is then worth it.
const LONG: f64 = 5e-3;
/// Of the longest step of late, what counts a step later: half of it after seven.
const FADE: f64 = 0.9;

impl Live {
    /// Takes the steps that are due, for a few milliseconds at most; how long until the next.
    pub fn turn(&mut self, sim: &mut Simulator, before: &mut impl FnMut(&mut Simulator)) -> Duration {
        let began = Instant::now();
        while (self.running || self.due > 0) && began.elapsed() < TURN {
            if self.due > 0 {
                self.due -= 1;
                self.changed = true;
            } else if let Some(wait) = self.early(sim) {
                return wait;
            }
            let again = std::mem::take(&mut self.undone);
            if !again {
                before(sim);
            }
            let done = if self.running && !again && self.slow > LONG {
                self.step_unless(sim, self.shared.hurry.interrupt()).map_err(|e| e.to_string())
            } else {
                self.step(sim).map(Some).map_err(|e| e.to_string())
            };
            match done {
                Ok(Some(_)) => {}
                Ok(None) => {
                    self.undone = true;
                    return Duration::ZERO;
                }
                Err(trouble) => {
                    self.trouble = Some(trouble);
                    (self.running, self.due) = (false, 0);
                    self.changed = true;
                }
            }
        }
        if self.running || self.due > 0 { Duration::ZERO } else { FRAME }
    }

    /// For those who take the steps themselves by the pages' clock: does what pages ask for, shows the present moment,
    /// and tells how long to wait; none if a step is due.
    pub fn wait(&mut self, sim: &mut Simulator) -> Option<Duration> {
        self.poll(sim);
        self.publish(sim);
        if self.due > 0 {
            self.due -= 1;
            self.changed = true;
            return None;
        }
        if self.running { self.early(sim) } else { Some(FRAME) }
    }

    /// How long the clock says to wait for the next step; none if it is due.
    fn early(&mut self, sim: &Simulator) -> Option<Duration> {
        if let Some(until) = self.waits {
            let now = Instant::now();
            if now < until && !self.shared.is_drawn() {
                return Some(GLANCE.min(until - now));
            }
            self.waits = None;
            self.anchor = (now, sim.time());
        }
        if self.speed == 0.0 {
            return None;
        }
        let now = Instant::now();
        let due = self.anchor.1 + now.duration_since(self.anchor.0).as_secs_f64() * self.speed;
        let ahead = (sim.time() + sim.settings.dt - due) / self.speed;
        if ahead < -BEHIND {
            self.anchor = (now, sim.time());
        }
        (ahead > 0.0).then(|| Duration::from_secs_f64(ahead.min(1.0)))
    }

    /// One step with the forces of hands.
    pub fn step(&mut self, sim: &mut Simulator) -> Result<StepReport, StepError> {
        let began = Instant::now();
        let report = self.session.step(sim)?;
        self.note(&report, began);
        Ok(report)
    }

    /// One step, or none if the flag is raised meanwhile: then everything is as it was before it, to the bit.
    pub fn step_unless(
        &mut self,
        sim: &mut Simulator,
        flag: Interrupt,
    ) -> Result<Option<StepReport>, WireError> {
        let began = Instant::now();
        let report = self.session.step_unless(sim, flag)?;
        if let Some(report) = report {
            self.note(&report, began);
        }
        Ok(report)
    }

    fn note(&mut self, report: &StepReport, began: Instant) {
        self.beat.step_seconds = began.elapsed().as_secs_f64();
        self.slow = self.beat.step_seconds.max(FADE * self.slow);
        self.beat.report = Some(*report);
        self.trouble = None;
    }
}

//! One copy of a batch: its simulator, and the rows of the batch that are its own.

use gudgeon_sim::{Rewind, Simulator, StepError, StepReport};

use super::{DIVERGED, rank, status};
use crate::drive::Drive;
use crate::watch;

/// The rows of one copy.
pub(super) struct Row<'a> {
    pub(super) sim: &'a mut Simulator,
    pub(super) q: &'a mut [f64],
    pub(super) v: &'a mut [f64],
    pub(super) touch: &'a mut [f64],
    pub(super) status: &'a mut u8,
    pub(super) sums: &'a mut [f64; 5],
    pub(super) rewind: &'a mut Rewind,
}

impl Row<'_> {
    pub(super) fn step(&mut self, drive: Drive, u: &[f64], substeps: usize) {
        if *self.status == DIVERGED {
            return;
        }
        if !u.is_empty() {
            drive.apply(self.sim, u);
        }
        let mut worst = 5;
        *self.sums = [0.0; 5];
        for _ in 0..substeps {
            let report = match self.whole_step(drive, u) {
                Ok(Some(report)) => report,
                Ok(None) => break,
                Err(_) => {
                    *self.status = DIVERGED;
                    return;
                }
            };
            worst = rank(worst, status(&report));
            let rung = report.solve.map_or(0, |s| s.fallback as u8);
            let [contacts, active, _, depth, fallback] = self.sums;
            (*contacts, *active) = (report.contacts as f64, report.active as f64);
            (*depth, *fallback) = (depth.max(report.penetration), fallback.max(f64::from(rung)));
        }
        self.sums[2] = self.sim.contacts().iter().map(|c| c.force.dot(&c.normal)).sum();
        *self.status = worst;
        self.read();
    }

    /// A step; none, and the copy as it was, if Ctrl-C was pressed meanwhile.
    fn whole_step(&mut self, drive: Drive, u: &[f64]) -> Result<Option<StepReport>, StepError> {
        self.rewind.mark_told(self.sim, u);
        let before = self.sim.steps();
        self.sim.settings.interrupt = Some(watch::interrupt());
        let report = self.sim.step();
        self.sim.settings.interrupt = None;
        let tell = |sim: &mut Simulator, u: &[f64]| {
            if !u.is_empty() {
                drive.apply(sim, u);
            }
        };
        if watch::asked() && self.rewind.back_told(self.sim, before, tell) {
            return Ok(None);
        }
        report.map(Some)
    }

    pub(super) fn read(&mut self) {
        self.q.copy_from_slice(&self.sim.state().q);
        self.v.copy_from_slice(&self.sim.state().v);
        self.touch.fill(0.0);
        for c in self.sim.contacts() {
            let size = c.force.norm();
            self.touch[c.a.0] += size;
            self.touch[c.b.0] += size;
        }
    }
}

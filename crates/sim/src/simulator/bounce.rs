//! Restitution: velocities and heights of a flight to the surface and away from it.

use gudgeon_contact::Law;

use super::Simulator;
use super::touch::contact_law;
use crate::report::SolveReport;
use crate::settings::RestitutionLaw;

/// A contact that bounces in this step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounce {
    pub(super) contact: usize,
    /// Speed away from the surface at the end of the step, m/s.
    leaving: f64,
    /// Distance from the surface at the end of the step, m.
    pub(super) height: f64,
    /// The part of the compression that comes back: restitution, times the speed of impact over that of the whole
    /// step's fall, less what the fall takes after the impact.
    returned: f64,
}

impl Simulator {
    /// Contacts that meet with restitution in this step.
    pub(super) fn find_bounces(&mut self, dt: f64) -> bool {
        for (i, c) in self.contacts.iter().enumerate() {
            let e = c.material.restitution;
            if e == 0.0 || !c.material.stiffness.is_infinite() {
                continue;
            }
            let free = self.assembly.normal_velocity(i, &self.v_free);
            if free + c.gap.max(0.0) / dt >= 0.0 {
                continue;
            }
            let before = self.assembly.normal_velocity(i, &self.state.v);
            // the part of the step that is over when the surfaces meet, at the mean velocity
            let mean = 0.5 * (before + free);
            let part = if mean < 0.0 { (c.gap.max(0.0) / (-mean * dt)).min(1.0) } else { 1.0 };
            let impact = before + part * (free - before);
            if -impact <= self.settings.bounce_threshold {
                continue;
            }
            let away = -e * impact;
            let rest = (1.0 - part) * dt;
            let leaving = away + (free - before) * (1.0 - part);
            let height = (away * rest + 0.5 * (free - before) * (1.0 - part) * rest).max(0.0);
            let leaving = leaving.max(0.0);
            self.bounces.push(Bounce { contact: i, leaving, height, returned: leaving / -free });
        }
        !self.bounces.is_empty()
    }

    /// The velocities after bouncing; positions stay those of the solve without, until `recover` lifts them.
    pub(super) fn bounce(&mut self, dt: f64, report: &mut SolveReport) {
        let width = self.model.n_v();
        let Self { model, factor, assembly, ladder, .. } = self;
        match self.settings.restitution {
            RestitutionLaw::Newton => {
                for b in &self.bounces {
                    assembly.set_law(b.contact, Law::leaving(b.leaving));
                }
                let Ok(again) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &again);
                self.fallbacks[again.fallback as usize] += 1;
                self.v_next.copy_from_slice(&self.v_free);
            }
            RestitutionLaw::Poisson => {
                // compression to a standstill; what was compressed comes back in part, and contacts may push on
                for b in &self.bounces {
                    assembly.set_law(b.contact, Law::default());
                }
                let Ok(stopped) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &stopped);
                let compression = ladder.solution.impulses.clone();
                let mut returned = vec![0.0; compression.len()];
                for b in &self.bounces {
                    returned[3 * b.contact] = b.returned * compression[3 * b.contact];
                }
                let mut base = self.v_free.clone();
                assembly.velocity(model, factor, &compression, &mut base);
                assembly.velocity(model, factor, &returned, &mut base);
                assembly.free_velocity(&base);
                let Ok(again) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &again);
                self.fallbacks[again.fallback as usize] += 1;
                for (k, x) in ladder.solution.impulses.iter_mut().enumerate() {
                    *x += compression[k] + returned[k];
                }
                self.v_next.copy_from_slice(&self.v_free);
                assembly.free_velocity(&self.v_free);
            }
        }
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v_next);
        for b in &self.bounces {
            assembly.set_law(b.contact, contact_law(&self.contacts[b.contact].material, 0.0, dt));
        }
    }
}

fn add(total: &mut SolveReport, part: &SolveReport) {
    total.pivots += part.pivots;
    total.nodes += part.nodes;
    total.fallback = total.fallback.max(part.fallback);
    if part.status != gudgeon_lcp::Status::Solved {
        total.status = part.status;
    }
    if part.residual.natural > total.residual.natural {
        total.residual = part.residual;
    }
}

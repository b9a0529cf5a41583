//! Restitution: velocities and heights of a flight to the surface and away from it.

use gudgeon_contact::Law;
use gudgeon_lcp::ProblemError;

use super::Simulator;
use super::touch::contact_law;
use crate::report::SolveReport;
use crate::settings::RestitutionLaw;

/// A contact that bounces in this step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounce {
    pub(crate) contact: usize,
    /// Speed away from the surface at the end of the step, m/s.
    leaving: f64,
    /// Distance from the surface at the end of the step, m.
    pub(crate) height: f64,
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
            let free = self.assembly.normal_velocity(i, &self.v.free);
            if free + c.gap.max(0.0) / dt >= 0.0 {
                continue;
            }
            let before = self.assembly.normal_velocity(i, &self.state.v);
            let part = meeting(before, free, c.gap.max(0.0) / dt);
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
    pub(super) fn bounce(&mut self, dt: f64, report: &mut SolveReport) -> Result<(), ProblemError> {
        let stopped = Stopped { v: self.v.next.clone(), impulses: self.ladder.solution.impulses.clone() };
        let solved = match self.settings.restitution {
            RestitutionLaw::Newton => self.bounce_by_velocities(report),
            RestitutionLaw::Poisson => self.bounce_by_impulses(report),
        };
        for b in &self.bounces {
            let law = contact_law(&self.contacts[b.contact].material, 0.0, 0.0, dt);
            self.assembly.set_law(b.contact, law);
        }
        solved?;
        let Self { model, factor, assembly, ladder, .. } = self;
        self.v.next.copy_from_slice(&self.v.free);
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v.next);
        self.blend(&stopped);
        let solution = &mut self.ladder.solution;
        for (answer, impulse) in solution.contacts.iter_mut().zip(solution.impulses.chunks_exact(3)) {
            answer.impulse.copy_from_slice(impulse);
        }
        Ok(())
    }

    /// Newton: each contact leaves at its speed of approach times e, at least.
    fn bounce_by_velocities(&mut self, report: &mut SolveReport) -> Result<(), ProblemError> {
        for b in &self.bounces {
            self.assembly.set_law(b.contact, Law::leaving(b.leaving));
        }
        let again = self.solve_law()?;
        add(report, &again);
        self.fallbacks[again.fallback as usize] += 1;
        Ok(())
    }

    /// Poisson: compression to a standstill; what was compressed comes back in part, and contacts may push on.
    fn bounce_by_impulses(&mut self, report: &mut SolveReport) -> Result<(), ProblemError> {
        for b in &self.bounces {
            self.assembly.set_law(b.contact, Law::default());
        }
        let stopped = self.solve_law()?;
        add(report, &stopped);
        let Self { model, factor, assembly, ladder, .. } = self;
        let compression = ladder.solution.impulses.clone();
        let mut returned = vec![0.0; compression.len()];
        for b in &self.bounces {
            returned[3 * b.contact] = b.returned * compression[3 * b.contact];
        }
        let mut base = self.v.free.clone();
        assembly.velocity(model, factor, &compression, &mut base);
        assembly.velocity(model, factor, &returned, &mut base);
        assembly.free_velocity(&base);
        let again = self.solve_law();
        self.assembly.free_velocity(&self.v.free);
        let again = again?;
        add(report, &again);
        self.fallbacks[again.fallback as usize] += 1;
        for (k, x) in self.ladder.solution.impulses.iter_mut().enumerate() {
            *x += compression[k] + returned[k];
        }
        Ok(())
    }

    /// Takes as much of the restitution as makes no energy, island by island (see `guard`).
    fn blend(&mut self, stopped: &Stopped) {
        let impulses = std::mem::take(&mut self.ladder.solution.impulses);
        let acts = |i: usize| [&impulses, &stopped.impulses].iter().any(|p| p[3 * i..3 * i + 3] != [0.0; 3]);
        self.find_islands(|i, _| acts(i));
        let mut share = Vec::new();
        self.share_of_bounce(&stopped.v, &mut share);
        self.ladder.solution.impulses = impulses;
        if share.iter().all(|s| *s == 1.0) {
            return;
        }
        self.tape.blended = true;
        for (dof, s) in share.iter().enumerate().filter(|s| *s.1 < 1.0) {
            self.v.next[dof] = stopped.v[dof] + s * (self.v.next[dof] - stopped.v[dof]);
        }
        let Self { assembly, ladder, .. } = self;
        let solution = &mut ladder.solution;
        assembly.by_row(|row, dofs| {
            let s = dofs.first().map_or(1.0, |dof| share[*dof]);
            let before = stopped.impulses[row];
            solution.impulses[row] = before + s * (solution.impulses[row] - before);
        });
        for b in &mut self.bounces {
            let s = assembly.first_dof(b.contact).map_or(1.0, |dof| share[dof]);
            b.height *= s;
        }
    }
}

/// The answer of the solve without restitution.
struct Stopped {
    v: Vec<f64>,
    impulses: Vec<f64>,
}

/// The part of a step that is over when surfaces meet that are `gap`/dt apart, in uniformly accelerated flight:
/// gap/dt + v₀ x + ½ (v₁ - v₀) x² = 0.
fn meeting(before: f64, free: f64, gap: f64) -> f64 {
    if gap == 0.0 {
        return 0.0;
    }
    let change = free - before;
    let discriminant = before * before - 2.0 * change * gap;
    // they would not meet within the step by this road: at its end, then
    if discriminant < 0.0 {
        return 1.0;
    }
    let sum = -before + discriminant.sqrt();
    let part = if sum > 0.0 { 2.0 * gap / sum } else { 1.0 };
    part.clamp(0.0, 1.0)
}

pub(super) fn add(total: &mut SolveReport, part: &SolveReport) {
    total.pivots += part.pivots;
    total.nodes += part.nodes;
    total.fallback = total.fallback.max(part.fallback);
    if part.status != gudgeon_lcp::Status::Solved {
        total.status = part.status;
    }
    if part.residual.natural > total.residual.natural {
        total.residual = part.residual;
    }
    total.stages.merge(&part.stages);
}

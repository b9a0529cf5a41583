//! Overlap undone at a kink, along a direction: which rows push is decided by what the direction does to their rooms.
//!
//! Where rows that push make up one that does not, Σ α_i b_i = b_c, impulses are not unique: of λ − t α with t on b_c all push as
//! well. A direction that takes room from c alone leaves only the end of that line, where the first of the others is zero:
//! ```text
//!     t = min λ_i/α_i, α_i > 0          c takes the place of the one that gives the least
//! ```
//! the ratio test of the dual method that the step itself uses (`crate::least`).

use gudgeon_contact::{Cone, Held, Sliding};

use super::directional::ZERO;
use super::kink::NEAR;
use super::linear::Linearization;
use super::products::Change;
use super::stage::{DofRow, Standing};
use super::support::LinearizeError;
use crate::simulator::{Simulator, View};

/// What is left of a row, of its size, that is the sum of others in the metric of the mass matrix.
pub(super) const SUM: f64 = 1e-7;
/// Exchanges before a direction counts as one that comes round again.
pub(super) const MOST: usize = 32;

/// The recovery of a step as its derivative wants it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lifts {
    /// Contacts that push, by index in the step.
    held: Vec<(usize, Held)>,
    /// Contacts that do not, and end without room.
    idle: Vec<(usize, Held)>,
    before: Vec<f64>,
    after: Vec<f64>,
    joints: super::rows::JointRows,
}

impl Linearization {
    /// Reads what pushed in the recovery, and what might.
    pub(super) fn read_lifts(&mut self, sim: &Simulator, view: &View<'_>) {
        let (tape, dt, slow) = (&sim.tape, self.dt, sim.settings.recovery_speed);
        let n = view.contacts.len();
        let Lifts { held, idle, before, after, joints } = &mut self.lifts;
        joints.reset(self.model.n_v());
        for (k, limit) in view.limits.iter().enumerate() {
            let impulse = tape.recovery.get(3 * n + k).copied().unwrap_or(0.0);
            if impulse > 0.0 {
                let slope = if limit.gap / dt > -slow { 1.0 / dt } else { 0.0 };
                let (dof, sign, of) = (limit.dof, limit.sign, usize::MAX);
                joints.dofs.push(DofRow { dof, sign, slope: sign * slope, compliance: 0.0, of, pull: 0.0 });
                joints.impulses[dof] += sign * impulse;
            }
        }
        held.clear();
        idle.clear();
        for (i, c) in view.contacts.iter().enumerate() {
            let impulse = tape.recovery[3 * i];
            let h = Held {
                a: c.a.0,
                b: c.b.0,
                point: c.point,
                normal: c.normal,
                impulse: c.normal * impulse,
                mu: 0.0,
                sliding: Sliding::Not,
                compliance: 0.0,
                stiffness: if c.gap / dt > -slow { 1.0 / dt } else { 0.0 },
                cone: Cone::Round,
            };
            if impulse > 0.0 {
                held.push((i, h));
            } else if self.rooms.get(i).is_some_and(|room| room.abs() < NEAR) {
                idle.push((i, h));
            }
        }
        before.clone_from(&tape.unrecovered);
        after.clone_from(&tape.recovered);
    }

    /// The recovery's stage with what pushes.
    pub(super) fn build_lifts(&mut self) -> Result<(), LinearizeError> {
        let at = Standing {
            state: &self.before,
            ws: &self.ws,
            diagonal: self.flight.diagonal(),
            loops: self.has_loops,
            locked: &[],
            made: Some(self.contact.inertia()),
            shared: false,
            paths: &self.paths,
        };
        let Lifts { held, before, after, joints, .. } = &self.lifts;
        let sites = &self.sites;
        let held = held.iter().map(|(i, h)| (*i, *h, &sites[*i].slopes));
        let built = self.recovery.build(&self.passive, at, before, after, held, joints);
        if built { Ok(()) } else { Err(LinearizeError::Inertia) }
    }

    /// Whether a direction may change what pushes.
    pub(super) fn is_undecided(&self) -> bool {
        self.recovery.active && !self.lifts.idle.is_empty()
    }

    /// The product along a direction, with the rows that push in the recovery on its side.
    pub(super) fn exchange(
        &mut self,
        change: &Change<'_>,
        q_out: &mut [f64],
        v_out: &mut [f64],
    ) -> Result<(), LinearizeError> {
        if self.is_cut() {
            return Err(LinearizeError::Unsupported { what: "a kink in a recovery that is cut short" });
        }
        let (held, idle) = (self.lifts.held.clone(), self.lifts.idle.clone());
        let mut settled = Err(LinearizeError::Unsupported {
            what: "a recovery whose rows come round again along this direction",
        });
        for _ in 0..MOST {
            self.build_lifts()?;
            self.jvp(change, q_out, v_out);
            match self.first_closing(change) {
                None => {
                    settled = Ok(());
                    break;
                }
                Some(k) if self.bring_in(k) => {}
                Some(_) => break,
            }
        }
        (self.lifts.held, self.lifts.idle) = (held, idle);
        self.build_lifts()?;
        settled
    }

    /// The first idle row that loses room.
    fn first_closing(&self, change: &Change<'_>) -> Option<usize> {
        let rates = self.gap_rates(self.lifts.idle.iter(), change, &self.lifts.after, self.lift_change());
        rates.iter().position(|rate| *rate < -ZERO)
    }

    /// Lets an idle row push, in the place of the one that it takes most from if it is the sum of those that do; false if none gives way.
    fn bring_in(&mut self, k: usize) -> bool {
        let (place, mut entering) = self.lifts.idle.remove(k);
        let left = self.recovery.express(&self.passive, &self.ws, &entering);
        let lifts = &mut self.lifts;
        if left < SUM {
            let shares: Vec<f64> = lifts
                .held
                .iter()
                .map(|(i, _)| self.recovery.impulse_change(*i).map_or(0.0, |d| d[0]))
                .collect();
            let pressed = |h: &Held| h.impulse.dot(&h.normal);
            let ratios = lifts.held.iter().zip(&shares).enumerate().filter(|(_, (_, a))| **a > SUM);
            let first = ratios.map(|(i, ((_, h), a))| (pressed(h) / a, i)).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((t, leaving)) = first else { return false };
            for ((_, h), a) in lifts.held.iter_mut().zip(&shares) {
                h.impulse -= h.normal * (t * a);
            }
            entering.impulse = entering.normal * t;
            let (i, mut gone) = lifts.held.remove(leaving);
            gone.impulse.fill(0.0);
            lifts.idle.push((i, gone));
        }
        lifts.held.push((place, entering));
        lifts.held.sort_unstable_by_key(|(i, _)| *i);
        true
    }
}

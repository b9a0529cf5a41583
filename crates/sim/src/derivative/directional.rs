//! The one-sided derivative along a direction, exact also at a kink: a small complementarity problem.
//!
//! Where force and speed are both zero, their changes are complementary in their place:
//! ```text
//!     grazing          0 ≤ δλ_n ⊥ δu_n ≥ 0                          it begins to push, or it opens
//!     edge of the cone 0 ≤ μ δλ_n − f·δλ_t ⊥ s·δu ≥ 0,   s = −f     it stays, or it slides against its friction
//!     touching         δbias = max(0, δgap)/dt                      it may open, not sink
//! ```
//! Rows of the recovery that end without room are exchanged (`exchange`), and so are contacts that close at once (`closing`).
//! f is the direction of friction at the edge. All other rows keep their modes. Solved by principal pivoting, the least index
//! first, from the certified modes; each trial is one factorisation of the stage.

use gudgeon_contact::{Cone, Held, Sliding};
use gudgeon_lcp::ContactMode;
use gudgeon_spatial::{Motion, Vector3};

use super::linear::Linearization;
use super::products::Change;
use super::stage::Standing;
use super::support::LinearizeError;
use crate::tolerances::PRESSES;

/// A pair of a force and a speed that are both zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ambiguous {
    pub(super) contact: usize,
    pub(super) kind: AmbiguousKind,
    /// Pushing, or sliding.
    pub(super) on: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum AmbiguousKind {
    /// It may begin to push, with this law if it does.
    Grazing(Held),
    /// It may slide along this unit vector.
    Edge(Vector3<f64>),
    /// Its gap may open.
    Touching,
}

/// Metres: with less of a gap the sides of a direction are those of touching, with more both are those of the law there. What rests has gaps of
/// its rounding, 1e-12 and less.
const TOUCHES: f64 = 1e-9;
/// Changes of force and speed this small, of the largest, are zero.
pub(super) const ZERO: f64 = 1e-9;

impl Linearization {
    /// The change of position (tangent) and velocity at the end of the step along one direction, as [`Self::jvp`] away
    /// from kinks; at a kink that of the side the direction leads to.
    pub fn directional(
        &mut self,
        change: &Change<'_>,
        q_out: &mut [f64],
        v_out: &mut [f64],
    ) -> Result<(), LinearizeError> {
        if self.ambiguous.is_empty() && !self.is_undecided() && !self.is_over_held() {
            self.jvp(change, q_out, v_out);
            return Ok(());
        }
        if self.bounce.active {
            return Err(LinearizeError::Unsupported {
                what: "a kink in a step with a bounce, along a direction",
            });
        }
        let certified = self.ambiguous.clone();
        let idle = self.take_idle();
        let trials = 1_usize << self.ambiguous.len().min(12);
        let mut settled = false;
        for _ in 0..=trials {
            self.rebuild()?;
            self.jvp(change, q_out, v_out);
            self.contact.spread_impulse_changes();
            let wrong = self.first_wrong(change);
            let Some(k) = wrong else {
                settled = true;
                break;
            };
            self.ambiguous[k].on = !self.ambiguous[k].on;
        }
        let mut done = if settled {
            self.close(idle, change, q_out, v_out)
        } else {
            Err(LinearizeError::Unsupported {
                what: "a kink whose modes come round again along this direction",
            })
        };
        if done.is_ok() && self.is_undecided() {
            done = self.exchange(change, q_out, v_out);
        }
        self.ambiguous = certified;
        self.rebuild()?;
        done
    }

    /// The contact stage with the modes that are being tried.
    fn rebuild(&mut self) -> Result<(), LinearizeError> {
        let mut trial = std::mem::take(&mut self.trial);
        trial.clear();
        trial.extend_from_slice(&self.held_first);
        for a in &self.ambiguous {
            let place = trial.iter().position(|(i, _)| *i == a.contact);
            match (a.kind, place) {
                (AmbiguousKind::Grazing(law), None) if a.on => trial.push((a.contact, law)),
                (AmbiguousKind::Grazing(_), Some(at)) if !a.on => {
                    trial.remove(at);
                }
                (AmbiguousKind::Edge(s), Some(at)) => {
                    trial[at].1.sliding = if a.on { Sliding::Round(s, 0.0) } else { Sliding::Not };
                }
                (AmbiguousKind::Touching, Some(at)) => {
                    trial[at].1.stiffness = if a.on { 1.0 / self.dt } else { 0.0 };
                }
                _ => {}
            }
        }
        let built = self.build_first(&trial);
        self.trial = trial;
        built
    }

    /// The contact stage with what is held.
    pub(super) fn build_first(&mut self, held: &[(usize, Held)]) -> Result<(), LinearizeError> {
        let at = Standing {
            state: &self.before,
            ws: &self.ws,
            diagonal: self.flight.diagonal(),
            loops: self.has_loops,
            locked: &[],
            made: None,
            shared: self.contact.shared,
            paths: &self.paths,
        };
        let sites = &self.sites;
        let held = held.iter().map(|(i, h)| (*i, *h, &sites[*i].slopes));
        let (v_in, joints) = (self.flight.velocity(), &self.first_joints);
        let built = self.contact.build(&self.passive, at, v_in, &self.v_first, held, joints);
        if built { Ok(()) } else { Err(LinearizeError::Inertia) }
    }

    /// The first pair whose change contradicts its mode.
    fn first_wrong(&mut self, change: &Change<'_>) -> Option<usize> {
        let n = self.n_v();
        let zero = vec![0.0; n];
        let dq = if change.q.is_empty() { &zero[..] } else { change.q };
        let (mut moved, mut varied, mut spread, mut field) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.fields.spread(&self.model, dq, &mut moved);
        self.fields.vary(&self.model, &self.v_first, &moved, &mut varied);
        self.fields.spread(&self.model, self.first_change(), &mut spread);
        self.fields.spread(&self.model, &self.v_first, &mut field);
        // what contacts hold back counts as well: a still answer is no measure of itself
        let changes = self.first_change().iter().chain(self.free_change());
        let speed = changes.fold(0.0_f64, |m, x| m.max(x.abs()));
        let force = self.contact.largest_impulse_change();
        for (k, a) in self.ambiguous.iter().enumerate() {
            let s = &self.sites[a.contact];
            let shapes = self.shape_changes().get(a.contact);
            let (dp, dn, dgap) = super::products::site(s).jvp(&self.fields, &moved, shapes);
            let (i, j) = s.links;
            let between =
                |f: &[Motion]| self.fields.at(i, f[i], &s.point) - self.fields.at(j, f[j], &s.point);
            let turn = field[i].angular - field[j].angular;
            let du = between(&varied) + between(&spread) + turn.cross(&dp);
            let wrong = match a.kind {
                AmbiguousKind::Grazing(law) => {
                    if a.on {
                        self.contact.impulse_change(a.contact).is_some_and(|d| d[0] < -ZERO * force)
                    } else {
                        let opening = dn.dot(&between(&field)) + s.normal.dot(&du) + law.stiffness * dgap;
                        opening < -ZERO * speed
                    }
                }
                AmbiguousKind::Edge(along) => {
                    if a.on {
                        along.dot(&du) < -ZERO * speed
                    } else {
                        let out = self.contact.friction_change(a.contact, &-along);
                        out.is_some_and(|(friction, cone)| friction - cone > ZERO * force)
                    }
                }
                AmbiguousKind::Touching => a.on != (dgap > 0.0) && dgap.abs() > ZERO,
            };
            if wrong {
                return Some(k);
            }
        }
        None
    }

    /// Finds the pairs at the answer of the first solve.
    pub(super) fn find_ambiguous(&mut self, sim: &crate::simulator::Simulator, near: f64) {
        self.ambiguous.clear();
        let (view, tape) = (sim.view(), &sim.tape);
        if !tape.solved {
            return;
        }
        let facets = sim.settings.facets;
        let most = tape.first.contacts.iter().fold(0.0_f64, |m, a| m.max(a.impulse[0]));
        for (i, (c, a)) in view.contacts.iter().zip(&tape.first.contacts).enumerate() {
            let [n, x, y] = a.impulse;
            let radius = c.material.friction * n;
            let slip = a.velocity[1].hypot(a.velocity[2]);
            let section = facets.section();
            let [t1, t2] = section.tangents(&c.normal);
            let mut push = |kind, on| self.ambiguous.push(Ambiguous { contact: i, kind, on });
            if a.mode == ContactMode::Open {
                if a.velocity[0].abs() < near {
                    let pressing = gudgeon_lcp::ContactAnswer {
                        impulse: [PRESSES, 0.0, 0.0],
                        mode: ContactMode::Stick,
                        ..*a
                    };
                    if let Some(mut law) = super::held::held(c, &pressing, &sim.settings, None) {
                        law.impulse = Vector3::zeros();
                        if slip > near && law.cone == Cone::Round {
                            let along = (t1 * a.velocity[1] + t2 * a.velocity[2]) / slip;
                            law.sliding = Sliding::Round(along, slip);
                        }
                        push(AmbiguousKind::Grazing(law), false);
                    }
                }
                continue;
            }
            if n < near * most
                && let Some(law) = super::held::held(c, a, &sim.settings, None)
            {
                push(AmbiguousKind::Grazing(law), true);
            }
            if c.material.stiffness.is_infinite() && c.gap.abs() < TOUCHES {
                let apart = gudgeon_contact::Law::hard(c.gap, sim.settings.touching(), self.dt).bias > 0.0;
                push(AmbiguousKind::Touching, apart);
            }
            let round = super::held::held(c, a, &sim.settings, None).is_some_and(|h| h.cone == Cone::Round);
            if radius > 0.0 && round {
                let friction = (t1 * x + t2 * y).try_normalize(0.0);
                let at_edge = 1.0 - x.hypot(y) / radius < near;
                if let Some(f) = friction
                    && (a.mode == ContactMode::Stick && at_edge || a.mode == ContactMode::Slip && slip < near)
                {
                    push(AmbiguousKind::Edge(-f), a.mode == ContactMode::Slip);
                }
            }
        }
    }
}

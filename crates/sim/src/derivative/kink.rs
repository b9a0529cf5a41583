//! Where modes are ambiguous, and how near the change is.

use gudgeon_lcp::ContactMode;

use super::linear::Linearization;
use crate::simulator::{Simulator, View};
use crate::tolerances::{AT_BOUND, NO_IMPULSE};

/// What would change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KinkKind {
    /// An open contact without speed: it may begin to push. Margin: speed of opening, m/s.
    Grazing,
    /// A contact that hardly pushes: it may open. Margin: impulse over the largest.
    Loose,
    /// Sticking at the edge of the cone: it may slip. Margin: what is left of the cone, of its radius.
    Edge,
    /// Slipping slowly: it may stick. Margin: slip speed, m/s.
    Slow,
    /// Neither apart nor overlapping: the law of the gap changes there. Margin: gap, m.
    Touching,
    /// More contacts close at once than can: which of them push is decided by less than rounding. Or they slide under loads that nothing
    /// determines: the derivative is that of a step which changes them as little as it can. Margin: 0.
    Redundant,
    /// A joint at its limit or bound without force or speed. Margin: rad/s or m/s, or of the bound.
    Joint,
    /// Whether it bounces, or how, changes. Margin: speed over the threshold, m/s.
    Bounce,
    /// Overlap is undone as far as there is energy for it, or cannot be undone (a body held from two sides): margin 0. Or a contact ends
    /// the recovery without room and without having been pushed: margin room, m/s; hardly pushed: of the largest impulse; or
    /// as deep as may be undone in a step: m.
    Recovery,
    /// Bodies in flight were slowed down to the energy they had. Margin: by which part.
    Energy,
}

impl KinkKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grazing => "grazing",
            Self::Loose => "loose",
            Self::Edge => "edge",
            Self::Slow => "slow",
            Self::Touching => "touching",
            Self::Redundant => "redundant",
            Self::Joint => "joint",
            Self::Bounce => "bounce",
            Self::Recovery => "recovery",
            Self::Energy => "energy",
        }
    }
}

/// A change of mode next to the state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kink {
    /// What would change.
    pub kind: KinkKind,
    /// The contact, by its place in the step; or the dof of a joint.
    pub of: Option<usize>,
    /// How near it is, in the unit of its kind.
    pub margin: f64,
}

/// Nearer than this is a kink: a thousand times what an answer is good to, in m/s, m, rad/s or of the larger size.
pub(super) const NEAR: f64 = 1e-6;

impl Linearization {
    pub(super) fn find_kinks(&mut self, sim: &Simulator, view: &View<'_>) {
        let tape = &sim.tape;
        for brake in tape.brakes.iter().filter(|b| b.floating || b.scale == 0.0) {
            self.kinks.push(Kink {
                kind: KinkKind::Energy,
                of: Some(brake.island),
                margin: 1.0 - brake.scale,
            });
        }
        if !tape.solved {
            return;
        }
        if tape.blended {
            self.kinks.push(Kink { kind: KinkKind::Bounce, of: None, margin: 0.0 });
        }
        let kinks = &mut self.kinks;
        let answer = &sim.ladder.solution;
        for solution in [&tape.first, answer] {
            let most = solution.contacts.iter().fold(0.0_f64, |m, a| m.max(a.impulse[0]));
            for (i, (c, a)) in view.contacts.iter().zip(&solution.contacts).enumerate() {
                let mut near = |kind, margin: f64| {
                    if margin.abs() < NEAR {
                        kinks.push(Kink { kind, of: Some(i), margin });
                    }
                };
                let [n, x, y] = a.impulse;
                let radius = c.material.friction * n;
                match a.mode {
                    ContactMode::Open => near(KinkKind::Grazing, a.velocity[0]),
                    mode => {
                        near(KinkKind::Loose, n / most.max(NO_IMPULSE));
                        if c.material.stiffness.is_infinite() {
                            near(KinkKind::Touching, c.gap);
                        }
                        if mode == ContactMode::Stick && radius > 0.0 {
                            near(KinkKind::Edge, 1.0 - x.hypot(y) / radius);
                        } else if mode == ContactMode::Slip {
                            near(KinkKind::Slow, a.velocity[1].hypot(a.velocity[2]));
                        }
                    }
                }
            }
            if view.bounces.is_empty() {
                break;
            }
        }
        if self.contact.active && self.contact.deficient() > 0 && self.contact.over_held() {
            kinks.push(Kink { kind: KinkKind::Redundant, of: None, margin: 0.0 });
        }
        if tape.bounded {
            kinks.push(Kink { kind: KinkKind::Recovery, of: None, margin: 0.0 });
        }
        self.joint_kinks(sim, view);
        self.recovery_kinks(sim, view);
        self.kinks.dedup();
    }

    fn joint_kinks(&mut self, sim: &Simulator, view: &View<'_>) {
        let tape = &sim.tape;
        let mut at = 3 * view.contacts.len();
        let kinks = &mut self.kinks;
        let mut near = |dof: usize, margin: f64| {
            if margin.abs() < NEAR {
                kinks.push(Kink { kind: KinkKind::Joint, of: Some(dof), margin });
            }
        };
        let dt = sim.settings.dt;
        for limit in view.limits {
            let impulse = tape.first.impulses.get(at).copied().unwrap_or(0.0);
            let speed = limit.sign * tape.v_first[limit.dof] + limit.gap.max(0.0) / dt;
            if impulse > 0.0 {
                near(limit.dof, limit.gap);
                near(limit.dof, impulse);
            } else {
                near(limit.dof, speed);
            }
            at += 1;
        }
        at += view.drive.actuation.limits.len();
        for (dof, most) in gudgeon_multibody::friction_rows(view.passive, dt) {
            let impulse = tape.first.impulses.get(at).copied().unwrap_or(0.0).abs();
            if impulse < most * (1.0 - AT_BOUND) {
                near(dof, 1.0 - impulse / most);
            } else {
                near(dof, tape.v_first[dof]);
            }
            at += 1;
        }
    }
}

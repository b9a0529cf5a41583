//! What a derivative must know of a step that the step itself forgets.

use gudgeon_lcp::FrictionSolution;
use gudgeon_multibody::State;

use crate::controller::Controller;
use crate::solve::Ladder;

/// An island that was slowed down at the end of a step (see `guard`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Brake {
    pub(crate) island: usize,
    pub(crate) scale: f64,
    pub(crate) kinetic: f64,
    /// It flies: the motion of the whole is kept.
    pub(crate) floating: bool,
}

/// A group of trees whose recovery was cut to a speed (see `Simulator::bound_recovery`), of its own or of another group of the island.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bound {
    pub(crate) group: usize,
    pub(crate) share: f64,
    /// The link that would have moved too fast.
    pub(crate) link: usize,
}

/// Kept while it is on; costs nothing while it is off.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says whether one thing happened in the step")]
pub(crate) struct Tape {
    pub(crate) on: bool,
    /// Where the step began.
    pub(crate) before: State,
    /// By controller: its activation there.
    pub(crate) activations: Vec<f64>,
    pub(crate) time: f64,
    /// The answer of the first solve, and the velocities before and after it.
    pub(crate) first: FrictionSolution,
    pub(crate) v_first: Vec<f64>,
    pub(crate) v_free: Vec<f64>,
    /// It was found by a stage that shares loads evenly; others change them as little as they can.
    pub(crate) shared: bool,
    /// Whether there was anything to solve.
    pub(crate) solved: bool,
    /// What positions followed before and after overlap was undone, and its impulses.
    pub(crate) unrecovered: Vec<f64>,
    pub(crate) recovered: Vec<f64>,
    pub(crate) recovery: Vec<f64>,
    /// Where the step led before loops were settled.
    pub(crate) moved: State,
    /// Velocities were settled on loops in the metric of `moved`.
    pub(crate) start_metric: bool,
    /// The undoing of overlap was cut to a speed.
    pub(crate) bounds: Vec<Bound>,
    /// The undoing of overlap was cut to the energy there is, or overlap cannot be undone.
    pub(crate) bounded: bool,
    /// Loops were let go for the flight.
    pub(crate) tamed: bool,
    /// Restitution was cut to what makes no energy.
    pub(crate) blended: bool,
    /// By dof: taken to be pushed by the flight.
    pub(crate) pushed: Vec<bool>,
    /// Islands that were slowed down, and the island of each group.
    pub(crate) brakes: Vec<Brake>,
    pub(crate) island: Vec<usize>,
    /// Velocities before that.
    pub(crate) unbraked: Vec<f64>,
}

impl Tape {
    pub(crate) fn begin(&mut self, state: &State, time: f64, controllers: &[Controller]) {
        if self.on {
            keep(&mut self.before, state);
            self.activations.clear();
            self.activations.extend(controllers.iter().map(|c| match c {
                Controller::Actuator(a) => a.activation,
                Controller::Force { .. }
                | Controller::Motor { .. }
                | Controller::Pd { .. }
                | Controller::ComputedTorque { .. }
                | Controller::HighGain { .. } => 0.0,
            }));
            self.time = time;
            self.solved = false;
            self.recovery.clear();
            self.bounds.clear();
            self.bounded = false;
            self.tamed = false;
            self.blended = false;
            self.brakes.clear();
        }
    }

    pub(crate) fn keep_pushed(&mut self, pushed: impl Iterator<Item = bool>) {
        if self.on {
            self.pushed.clear();
            self.pushed.extend(pushed);
        }
    }

    pub(crate) fn keep_unbraked(&mut self, v: &[f64]) {
        if self.on {
            copy(&mut self.unbraked, v);
        }
    }

    pub(crate) fn keep_brake(&mut self, brake: Brake, islands: &[usize]) {
        if self.on {
            self.brakes.push(brake);
            self.island.clear();
            self.island.extend_from_slice(islands);
        }
    }

    pub(crate) fn keep_first(&mut self, ladder: &Ladder, v_next: &[f64], v_free: &[f64]) {
        if self.on {
            self.solved = true;
            self.shared = ladder.shares_evenly();
            let solution = &ladder.solution;
            self.first.impulses.clone_from(&solution.impulses);
            self.first.contacts.clone_from(&solution.contacts);
            copy(&mut self.v_first, v_next);
            copy(&mut self.v_free, v_free);
        }
    }

    pub(crate) fn keep_recovery(&mut self, before: &[f64], after: &[f64], impulses: &[f64]) {
        if self.on {
            copy(&mut self.unrecovered, before);
            copy(&mut self.recovered, after);
            copy(&mut self.recovery, impulses);
        }
    }

    /// Keeps the link that cuts the recovery of its group most.
    pub(crate) fn keep_bound(&mut self, bound: Bound) {
        if self.on {
            self.bounds.retain(|b| b.group != bound.group);
            self.bounds.push(bound);
        }
    }

    /// One share for all groups of an island: what was kept of its least group counts for all.
    pub(crate) fn spread_bounds(&mut self, island: &[usize]) {
        if self.on {
            for k in 0..self.bounds.len() {
                let bound = self.bounds[k];
                let others =
                    island.iter().enumerate().filter(|(g, at)| **at == bound.group && *g != bound.group);
                self.bounds.extend(others.map(|(group, _)| Bound { group, ..bound }));
            }
        }
    }

    /// Keeps whether energy cut a recovery, by group.
    pub(crate) fn keep_shares(&mut self, shares: &[f64]) {
        let Self { on, bounds, bounded, .. } = self;
        if *on {
            let by_speed = |group: usize| bounds.iter().find(|b| b.group == group).map_or(1.0, |b| b.share);
            *bounded |= shares.iter().enumerate().any(|(group, s)| *s < by_speed(group));
            bounds.retain(|b| shares[b.group] == b.share);
        }
    }

    pub(crate) fn keep_moved(&mut self, state: &State) {
        if self.on {
            keep(&mut self.moved, state);
        }
    }
}

fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}

fn keep(to: &mut State, from: &State) {
    copy(&mut to.q, &from.q);
    copy(&mut to.v, &from.v);
}

//! The velocity at the end of a step if nothing touches, for steps that land by Euler and fly by the midpoint.
//!
//! | part of the model                          | by                                                                 |
//! |--------------------------------------------|--------------------------------------------------------------------|
//! | a rigid body of its own, unsprung          | `top` for its rotation, a parabola for its centre of mass: exact energy and momentum |
//! | a tree in flight                           | the explicit midpoint rule, two evaluations of the dynamics        |
//! | the same where it turns by more than some hundredths of a radian | the midpoint rule, iterated until it settles    |
//! | the same where that does not contract      | momentum carried along (`carried`): stable at any length, dissipative |
//! | a tree that will be pushed in this step    | its first evaluation alone, at q ⊕ ½dt v with v |
//!
//! What is pushed does not fall, so its free fall does not tell where the middle of the step is. Whether it will be is told by
//! the caller from the first evaluation: something is in the way of the velocity that it leads to. At rest v = 0: the forces
//! that hold the tree are then those at q, to rounding. A flight knows q, v and what acts, and nothing of the step before.

use gudgeon_spatial::Force;

use super::{Stepper, accelerate};
use crate::aba::Load;
use crate::free_body::{FreeBodies, unsprung};
use crate::integrate::integrate;
use crate::load::StepLoad;
use crate::model::{Model, State};
use crate::passive::implicit_passive;

/// Evaluations of the dynamics in flight: two, and more while the middle of the step still moves by [`SETTLED`] of the
/// fastest dof, as it does where something turns by more than some hundredths of a radian a step. Where a round does not
/// halve what the one before left, as on a light link pulled taut between heavy ones, there is no middle to be found.
pub(crate) const ROUNDS: usize = 8;
/// See [`ROUNDS`].
const SETTLED: f64 = 1e-3;

/// What [`Stepper::flight`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight<'a> {
    /// Velocity at the end of the step if nothing touches, n_v.
    pub v: &'a [f64],
    /// Diagonal in place of the armature, n_v.
    pub diagonal: &'a [f64],
    /// By dof: whether momentum was carried; positions then follow the velocity at the start of the step.
    pub carried: &'a [bool],
    /// By group: whether it was taken to be pushed.
    pub pushed: &'a [bool],
}

/// The trees of a flight, by dof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trees<'a> {
    /// The group of trees, by the number of one of its dofs; loops and couplings tie trees together.
    pub group: &'a [usize],
    /// Contacts or other rows will push its group.
    pub pushed: &'a [bool],
}

/// How far the middle of a step still moves, by group of trees.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Settling {
    pub(crate) off: Vec<f64>,
    last: Vec<f64>,
    pub(crate) size: Vec<f64>,
    pub(crate) state: Vec<Middle>,
    carried: Vec<bool>, // by dof
    pushed: Vec<bool>,
    asleep: Vec<bool>, // by link: its dynamics are those of the round before
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Middle {
    Moving,
    Settled,
    Lost,
}

impl Settling {
    pub(crate) fn begin(&mut self, n: usize) {
        for list in [&mut self.off, &mut self.last, &mut self.size] {
            list.clear();
            list.resize(n, f64::INFINITY);
        }
        self.state.clear();
        self.state.resize(n, Middle::Settled);
        self.carried.clear();
        self.carried.resize(n, false);
        self.pushed.clear();
        self.pushed.resize(n, false);
        self.asleep.clear();
    }

    /// Takes the middle of every group that still moves to the mean of its velocities `before` and `after`, and names its dofs;
    /// false if none moves any more. A group that has settled stays at the middle it was last evaluated at.
    pub(crate) fn renew(
        &mut self,
        round: usize,
        group: &[usize],
        before: &[f64],
        after: &[f64],
        middle: &mut [f64],
        mut each: impl FnMut(usize),
    ) -> bool {
        let mean = |k: usize| 0.5 * (before[k] + after[k]);
        self.off.fill(0.0);
        self.size.fill(0.0);
        for k in 0..middle.len() {
            let group = group[k];
            if self.state[group] == Middle::Moving {
                let off = (mean(k) - middle[k]).abs();
                // NaN is as far off as can be
                self.off[group] = if off.is_nan() { off } else { self.off[group].max(off) };
                self.size[group] = self.size[group].max(mean(k).abs());
            }
        }
        if !self.judge(round) {
            return false;
        }
        for k in (0..middle.len()).filter(|&k| self.state[group[k]] == Middle::Moving) {
            middle[k] = mean(k);
            each(k);
        }
        true
    }

    /// Finds the links of groups that no longer move, and those that nothing moves.
    fn find_asleep(&mut self, model: &Model, group: &[usize]) {
        self.asleep.clear();
        self.asleep.push(true);
        for link in &model.links[1..] {
            let own = (link.joint.n_v() > 0).then(|| self.state[group[link.v_start]] != Middle::Moving);
            self.asleep.push(own.unwrap_or(self.asleep[link.parent.0]));
        }
    }

    /// Judges every group after a round; answers whether some still moves.
    fn judge(&mut self, round: usize) -> bool {
        let mut moving = false;
        for k in 0..self.state.len() {
            if self.state[k] != Middle::Moving {
                continue;
            }
            // the first two rounds are the explicit rule; from then on each must halve what is left
            if round > 1 {
                if self.off[k] <= SETTLED * self.size[k] {
                    self.state[k] = Middle::Settled;
                } else if self.off[k].is_nan() || self.off[k] > 0.5 * self.last[k] {
                    self.state[k] = Middle::Lost;
                }
            }
            moving |= self.state[k] == Middle::Moving;
            self.last[k] = self.off[k];
        }
        moving
    }
}

impl Stepper {
    /// The trees that are one rigid body.
    pub fn free_bodies(&self) -> &FreeBodies {
        &self.free
    }

    /// The velocity after `dt` if nothing touches, loops held; contacts act at q. `press` is shown the velocity that the first
    /// evaluation leads to, and marks by group of trees what will be pushed.
    pub fn flight(
        &mut self,
        model: &Model,
        state: &State,
        load: &StepLoad<'_>,
        group: &[usize],
        press: impl FnOnce(&[f64], &mut [bool]),
    ) -> Flight<'_> {
        let StepLoad { tau, external, dt } = *load;
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        self.settling.begin(model.n_v());
        self.welds = self.welded.as_mut().is_some_and(|w| w.take(model, external));
        if (0..model.n_v()).any(|k| !self.is_alone(model, k)) {
            self.mid.v.copy_from_slice(&state.v);
            self.evaluate(model, state, external, dt);
            press(&self.v_free, &mut self.settling.pushed);
            for k in 0..model.n_v() {
                if !self.settling.pushed[group[k]] && !self.is_alone(model, k) {
                    self.settling.state[group[k]] = Middle::Moving;
                }
            }
            self.middle(model, state, external, dt, group);
            if self.settling.state.contains(&Middle::Lost) {
                self.carry_lost(model, state, load, group);
            }
        }
        self.free.fly(model, state, load, &mut self.v_free);
        Flight {
            v: &self.v_free,
            diagonal: &self.diagonal,
            carried: &self.settling.carried,
            pushed: &self.settling.pushed,
        }
    }

    /// Whether a dof moves a rigid body of its own, unsprung.
    fn is_alone(&self, model: &Model, dof: usize) -> bool {
        self.free.alone()[dof] && unsprung(model, model.links[model.dof_link[dof]].v_start)
    }

    /// The midpoint rule by iteration, for what flies.
    fn middle(&mut self, model: &Model, state: &State, external: &[Force], dt: f64, group: &[usize]) {
        for round in 1..ROUNDS {
            let settling = &mut self.settling;
            if !settling.renew(round, group, &state.v, &self.v_free, &mut self.mid.v, |_| {}) {
                break;
            }
            // loops want the accelerations of all
            if !self.has_constraints {
                let flying = self.welded.as_ref().filter(|_| self.welds).map_or(model, |w| &w.model);
                settling.find_asleep(flying, group);
            }
            self.evaluate(model, state, external, dt);
        }
    }

    /// `v_free` by the dynamics at the middle as it is.
    fn evaluate(&mut self, model: &Model, state: &State, external: &[Force], dt: f64) {
        let (diagonal, asleep) = (&self.diagonal, &self.settling.asleep);
        let load = Load { tau: &self.tau, external, diagonal, asleep, ..Load::default() };
        self.mid.q.copy_from_slice(&state.q);
        integrate(model, &mut self.mid.q, &self.mid.v, 0.5 * dt);
        let qdd = if let Some(welded) = self.welded.as_mut().filter(|_| self.welds) {
            welded.accelerate(&self.mid, &load)
        } else {
            accelerate(model, &self.mid, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            &self.ws.qdd
        };
        for k in 0..model.n_v() {
            self.v_free[k] = state.v[k] + dt * qdd[k];
        }
    }

    /// Groups whose middle was not found: their momentum is carried.
    fn carry_lost(&mut self, model: &Model, state: &State, load: &StepLoad<'_>, group: &[usize]) {
        self.dv[0].copy_from_slice(&self.v_free);
        self.carry(model, state, load);
        for k in 0..model.n_v() {
            self.settling.carried[k] = self.settling.state[group[k]] == Middle::Lost;
            if !self.settling.carried[k] {
                self.v_free[k] = self.dv[0][k];
            }
        }
    }
}

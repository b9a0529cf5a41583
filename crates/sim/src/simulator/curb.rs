//! What no brake can pay for: a step that leads higher than all energy there was.
//!
//! The guard takes what a step made from its motion. Positions may lead to a height that even rest would not pay for:
//! ```text
//!     V⁺ > T + V
//! ```
//! One reason is that joints go straight on at their velocities and bodies therefore do not: a light link that turns about the end of a heavy
//! chain lifts it by ½ ω² r Δt². Bodies that nothing pushes would go
//! ```text
//!     q̈ = -M⁻¹ C(q, v)        C: forces of Coriolis and of turning
//! ```
//! so the island is sent that way first, q⁺ = q ⊕ Δt (v + ½ Δt q̈). Where links are so light beside others that the step does not resolve
//! how they swing, that does not help either. Such an island goes along its path only as far as there is energy for, σ of it, by bisection;
//! σ = 0 is where it was, so there always is one. It ends at rest there, and the step is told ([`crate::StepReport::curbed`]).
//!
//! | symbol | meaning |
//! |---|---|
//! | T, V | energy of motion, of height and of joint springs at the start of the step, J; V⁺ at its end |
//! | v | what positions follow in the step |
//! | σ | part of the path that is gone, by island |

use gudgeon_multibody::{aba, integrate};

use super::Simulator;
use super::advance::OPEN_LOOP;
use super::guard::ROUNDING;

/// Halvings of the path: a millionth of it is left open.
const HALVINGS: usize = 20;
/// Part of the sums of energy from which on a step is told: what rests creeps by less, for answers have nine digits.
const TOLD: f64 = 1e-9;

impl Simulator {
    /// Takes islands back that stand higher than they could; wants sums by island at the end of the step, and leaves those of where it
    /// ends.
    pub(super) fn curb(&mut self, dt: f64) {
        let n = self.guard.island.len();
        if !(0..n).any(|at| self.guard.owes(at, ROUNDING)) {
            return;
        }
        self.tape.bounded = true;
        let [mut owing, mut low, mut high] = std::mem::take(&mut self.guard.sums);
        owing
            .iter_mut()
            .enumerate()
            .for_each(|(at, o)| *o = f64::from(u8::from(self.guard.owes(at, ROUNDING))));
        self.find_bend(dt, &owing);
        let bend = |sim: &mut Self, factor: f64, whose: &dyn Fn(usize) -> bool| {
            for (dof, v) in sim.v.moves.iter_mut().enumerate() {
                if whose(sim.guard.island[sim.layout.tree[dof]]) {
                    *v += factor * sim.v.undone[dof];
                }
            }
        };
        bend(self, 1.0, &|at| owing[at] > 0.0);
        low.fill(1.0);
        let closed = self.go(dt, &low);
        let helped = |sim: &Self, at: usize| closed && !sim.guard.owes(at, ROUNDING);
        owing.iter_mut().enumerate().filter(|(at, _)| helped(self, *at)).for_each(|(_, o)| *o = 0.0);
        if owing.iter().any(|o| *o > 0.0) {
            bend(self, -1.0, &|at| owing[at] > 0.0);
            let _closed = self.go(dt, &low);
            self.course.curbed = (0..n).any(|at| owing[at] > 0.0 && self.guard.owes(at, TOLD));
            self.halve(dt, &mut owing, &mut low, &mut high);
        }
        self.guard.sums = [owing, low, high];
    }

    /// What bodies that nothing pushes would turn the velocities of these islands by, on the mean of the step; into `moved`.
    fn find_bend(&mut self, dt: f64, owing: &[f64]) {
        let Self { model, started, ahead, stepper, v, guard, layout, .. } = self;
        let (v_move, moved, tree) = (&mut v.moves, &mut v.undone, &layout.tree);
        ahead.q.copy_from_slice(&started.q);
        guard.v.fill(0.0); // no joint forces
        moved.fill(0.0);
        for (sign, moves) in [(1.0, true), (-1.0, false)] {
            for (dof, v) in ahead.v.iter_mut().enumerate() {
                *v = if moves && owing[guard.island[tree[dof]]] > 0.0 { v_move[dof] } else { 0.0 };
            }
            aba(model, ahead, &guard.v, &[], &mut stepper.ws);
            moved.iter_mut().zip(stepper.ws.qdd()).for_each(|(m, a)| *m += 0.5 * sign * dt * a);
        }
    }

    /// The farthest along their paths that islands can pay for.
    fn halve(&mut self, dt: f64, owing: &mut [f64], low: &mut [f64], high: &mut [f64]) {
        for (at, owes) in owing.iter().enumerate() {
            (low[at], high[at]) = (1.0 - owes, 1.0);
        }
        let mut tried = std::mem::take(&mut self.forces.diagonal); // n_v, no longer needed in this step
        for _ in 0..HALVINGS {
            tried.iter_mut().zip(low.iter().zip(&*high)).for_each(|(t, (low, high))| *t = 0.5 * (low + high));
            let closed = self.go(dt, &tried);
            for at in (0..owing.len()).filter(|&at| owing[at] > 0.0) {
                let end = if closed && !self.guard.owes(at, ROUNDING) { &mut *low } else { &mut *high };
                end[at] = tried[at];
            }
        }
        if !self.go(dt, low) {
            // loops that were closed at the start
            for o in owing.iter_mut() {
                *o = 1.0 - *o;
            }
            let _closed = self.go(dt, owing);
        }
        self.forces.diagonal = tried;
    }

    /// Positions at the parts of the path by island, and energies there; whether loops are closed.
    fn go(&mut self, dt: f64, part: &[f64]) -> bool {
        let mut v = std::mem::take(&mut self.guard.v);
        for (dof, v) in v.iter_mut().enumerate() {
            *v = part[self.guard.island[self.layout.tree[dof]]] * self.v.moves[dof];
        }
        self.state.q.copy_from_slice(&self.started.q);
        integrate(&self.model, &mut self.state.q, &v, dt);
        self.guard.v = v;
        let mut closed = true;
        if self.has_loops() {
            let settled = self.settling.settle_with(&self.model, &mut self.state, None, &mut self.ws);
            closed = settled.error <= OPEN_LOOP;
        }
        self.state.v.copy_from_slice(&self.v.next);
        self.stand();
        self.sum_ends();
        closed
    }
}

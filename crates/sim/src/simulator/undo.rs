//! Overlap undone within a step: how far, and how far that is trusted.
//!
//! The least motion r that opens all gaps ([`crate::recover`]) is linear in what bends, and knows the contacts that were found. It is
//! therefore bounded three times over, each time by one share for all trees that it ties together: with shares of their own, a body
//! that is lifted whole runs into one that is lifted by half.
//!
//! ```text
//!     speed     no point faster than twice what overlap is undone with, on top of twice its own speed, which a bounce may need
//!     lever     a point that moves by more than LEVER times the deepest overlap is squeezed: rows that nearly contradict each other
//!               open by moving along both. They are opened anew with a compliance, which shares what cannot be had
//!     energy    what the island can pay for (`afford`)
//! ```
//! What goes past where contacts were sought is met by those that are there, and what is squeezed is looked at where it leads (both in `ahead`).

use gudgeon_lcp::{ProblemError, Status};
use gudgeon_multibody::{LinkId, velocities};

use super::Simulator;
use crate::least::{DAMPED, GIVE};
use crate::tape::Bound;

/// Times the deepest overlap: how far recovery moves a point in a step and is trusted. A stack of twenty that overlaps throughout asks for
/// twenty, a wedge of six degrees for ten; balls squeezed by 20 um between races asked for 140, then for thousands.
const LEVER: f64 = 20.0;

/// Likewise: how far recovery moves a point before the end of the step is looked at. Bodies side by side, or a ball that rolled off its row, move by
/// their overlap; a ball in a groove a little wider than itself finds room at five times its overlap, where the groove has
/// bent up: 12 um of preload were 1 mm five steps later, with all rows open to first order.
const DOUBTED: f64 = 2.0;

impl Simulator {
    /// Undoes overlap, and lifts what bounced to where its flight takes it, by positions alone.
    pub(super) fn recover(&mut self, dt: f64) -> Result<(), ProblemError> {
        let deep = self.penetration > self.settings.overlap_tolerance
            || self.limits.iter().any(|l| -l.gap > self.settings.overlap_tolerance);
        if !deep && self.bounces.is_empty() {
            self.v.undone.fill(0.0);
            return Ok(());
        }
        self.make_room(dt);
        self.v.undone.copy_from_slice(&self.v.moves);
        let Self { model, factor, assembly, recovery, settings, .. } = self;
        recovery.solve(assembly, model, factor, settings.limits(), &mut self.v.moves)?;
        let lever = if self.bounces.is_empty() { self.lever(dt) } else { 0.0 };
        // of what is undone, unless that is another motion now
        let known = self.bounces.is_empty() && lever <= LEVER;
        if lever > LEVER {
            self.v.moves.copy_from_slice(&self.v.undone);
            let Self { model, factor, assembly, recovery, settings, .. } = self;
            recovery.solve_giving(GIVE, assembly, (model, factor), settings.limits(), &mut self.v.moves)?;
        }
        self.recovery.doubted = lever > DOUBTED || self.recovery.status == Some(Status::Ray);
        self.tape.keep_recovery(&self.v.undone, &self.v.moves, self.recovery.impulses());
        // overlap that cannot be undone is shared by a compliance of its own
        self.tape.bounded |= self.recovery.status == Some(Status::Ray);
        for (moved, v) in self.v.undone.iter_mut().zip(&self.v.moves) {
            *moved = v - *moved;
        }
        if !known {
            velocities(&self.model, &self.v.undone, &mut self.ws);
        }
        self.bound_recovery(dt);
        Ok(())
    }

    /// Undoes overlap anew, damped, in the islands whose share is 0: what goes along rows that nearly contradict each other goes next to nowhere.
    pub(super) fn damp(&mut self, dt: f64, share: &[f64]) -> Result<(), ProblemError> {
        let Self { model, factor, assembly, recovery, settings, guard, .. } = self;
        for (v, (all, moved)) in guard.v.iter_mut().zip(self.v.moves.iter().zip(&self.v.undone)) {
            *v = all - moved;
        }
        // rows that are open to first order and bend are not squeezed
        let status = recovery.status;
        recovery.solve_giving(DAMPED, assembly, (model, factor), settings.limits(), &mut guard.v)?;
        recovery.status = status;
        let island = |dof: usize| guard.island[self.layout.tree[dof]];
        for dof in (0..self.v.moves.len()).filter(|&dof| share[island(dof)] == 0.0) {
            self.v.undone[dof] += guard.v[dof] - self.v.moves[dof];
            self.v.moves[dof] = guard.v[dof];
        }
        velocities(&self.model, &self.v.undone, &mut self.ws);
        let mut paid = std::mem::take(&mut self.forces.diagonal);
        paid.fill(1.0);
        self.pay(dt, &mut paid);
        for (dof, &group) in self.layout.tree.iter().enumerate() {
            self.v.moves[dof] -= (1.0 - paid[group]) * self.v.undone[dof];
            self.v.undone[dof] *= paid[group];
        }
        self.forces.diagonal = paid;
        velocities(&self.model, &self.state.v, &mut self.ws);
        Ok(())
    }

    /// How much room every contact and limit has for what positions follow.
    fn make_room(&mut self, dt: f64) {
        let Self { assembly, recovery, contacts, settings, .. } = self;
        recovery.begin();
        for (i, c) in contacts.iter().enumerate() {
            if !c.material.stiffness.is_infinite() {
                recovery.room(f64::INFINITY);
                continue;
            }
            let bounce = self.bounces.iter().find(|b| b.contact == i);
            let height = bounce.map_or(0.0, |b| b.height);
            let gap = (c.gap / dt).max(-settings.recovery_speed);
            recovery.room(assembly.normal_velocity(i, &self.v.moves) + gap - height / dt);
        }
        for ((dof, sign), limit) in assembly.limits().zip(&self.limits) {
            recovery.room(sign * self.v.moves[dof] + (limit.gap / dt).max(-settings.recovery_speed));
        }
    }

    /// By how many times the deepest overlap some point is moved; `moved` is what positions followed before.
    fn lever(&mut self, dt: f64) -> f64 {
        let added = &mut self.forces.diagonal; // n_v, no longer needed in this step
        for (added, (v, before)) in added.iter_mut().zip(self.v.moves.iter().zip(&self.v.undone)) {
            *added = v - before;
        }
        velocities(&self.model, &self.forces.diagonal, &mut self.ws);
        let links = (1..self.model.n_links()).filter(|k| self.layout.groups[*k].is_some());
        let farthest = links.map(|k| self.fastest(k)).fold(0.0, f64::max) * dt;
        let limits = self.limits.iter().map(|l| -l.gap);
        farthest / limits.fold(self.penetration, f64::max)
    }

    /// The speed that no point of a link exceeds, at the velocities in `ws`, m/s.
    pub(super) fn fastest(&self, link: usize) -> f64 {
        let v = self.ws.velocity(LinkId(link));
        v.linear.norm() + v.angular.norm() * self.layout.reach[link]
    }

    /// Takes the share of the recovery that is bounded in speed and paid for; `ws` holds its velocities.
    fn bound_recovery(&mut self, dt: f64) {
        self.find_islands(|_, _| false);
        // by group; n_v, no longer needed in this step
        let mut share = std::mem::take(&mut self.forces.diagonal);
        share.fill(1.0);
        for k in 1..self.model.n_links() {
            let Some(group) = self.layout.groups[k] else { continue };
            let island = self.guard.island[group];
            let most = 2.0 * (self.settings.recovery_speed + self.v.speeds[group]) / self.fastest(k);
            if most < share[island] {
                share[island] = most;
                self.tape.keep_bound(Bound { group: island, share: most, link: k });
            }
        }
        for (group, &island) in self.guard.island.iter().enumerate() {
            share[group] = share[island];
        }
        self.tape.spread_bounds(&self.guard.island);
        self.afford(dt, &mut share);
        self.tape.keep_shares(&share);
        for (dof, &group) in self.layout.tree.iter().enumerate() {
            if share[group] < 1.0 {
                self.v.moves[dof] -= (1.0 - share[group]) * self.v.undone[dof];
                self.v.undone[dof] *= share[group];
            }
            // what is moved does not fly
            self.pushed.trees[group] |= self.v.undone[dof] != 0.0;
        }
        self.forces.diagonal = share;
    }
}

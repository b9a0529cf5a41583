//! What is in the way of a tree in this step, told from the state alone.
//!
//! A tree that nothing stops flies by the midpoint rule; one that is held does not fall, and the middle of its step is not that
//! of a fall (see `Stepper::flight`). Which of the two it is, the step before knows mostly, but a step is to be a
//! function of positions, velocities and what acts: the same state from elsewhere must lead to the same motion. So the velocity
//! v that the tree would have at the end of the step is held against everything that may push:
//! ```text
//!     contacts, limits, strings    gap + dt J v < 0
//!     joint friction, motors, springs of bounded force, tendons that rub: they push whenever they are there
//! ```

use gudgeon_multibody::{
    LimitRow, LinkId, Model, State, Workspace, friction_rows, limit_rows, link_velocities, point_velocity_of,
};

use gudgeon_spatial::Motion;

use crate::contact_info::ContactInfo;
use crate::drive::Drive;

/// What may be in the way.
pub(super) struct Ways<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a State,
    pub(super) drive: &'a Drive,
    pub(super) contacts: &'a [ContactInfo],
    pub(super) groups: &'a [Option<usize>], // by link
    pub(super) tree: &'a [usize],           // by dof
    pub(super) limits: &'a mut Vec<LimitRow>,
    pub(super) flown: &'a mut Vec<Motion>, // scratch, by link
    pub(super) ws: &'a Workspace,          // poses at the start of the step
}

impl Ways<'_> {
    /// Marks the groups of trees that something is in the way of, if they end the step with velocities `v`.
    pub(super) fn blocked(&mut self, v: &[f64], dt: f64, pushed: &mut [bool]) {
        let Self { model, drive, tree, .. } = *self;
        friction_rows(model, dt).for_each(|(dof, _)| pushed[tree[dof]] = true);
        drive.motors.iter().for_each(|m| pushed[tree[m.dof]] = true);
        drive.springs.iter().for_each(|s| pushed[tree[s.dof]] = true);
        let mut mark = |row: &[(usize, f64)]| row.iter().for_each(|&(dof, _)| pushed[tree[dof]] = true);
        let actuation = &drive.actuation;
        actuation.rubbing.iter().for_each(|r| mark(&r.row));
        actuation.springs.iter().chain(&actuation.tethers).for_each(|s| mark(&s.row));
        for limit in &actuation.limits {
            let rate: f64 = limit.row.iter().map(|&(dof, j)| j * v[dof]).sum();
            if limit.value + dt * rate < 0.0 {
                mark(&limit.row);
            }
        }

        let fastest = v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        limit_rows(model, self.state, dt * fastest, self.limits);
        for l in self.limits.iter().filter(|l| l.gap + dt * l.sign * v[l.dof] < 0.0) {
            pushed[tree[l.dof]] = true;
        }

        let groups = self.groups;
        let of = |c: &ContactInfo| [c.a, c.b].into_iter().filter_map(|l| groups[l.0]);
        let open = |c: &ContactInfo, pushed: &[bool]| of(c).any(|group| !pushed[group]);
        if !self.contacts.iter().any(|c| open(c, pushed)) {
            return;
        }
        link_velocities(model, self.ws, v, self.flown);
        for c in self.contacts {
            let at = |link: LinkId| point_velocity_of(self.ws, link, &self.flown[link.0], &c.point);
            if open(c, pushed) && c.gap + dt * c.normal.dot(&(at(c.a) - at(c.b))) < 0.0 {
                of(c).for_each(|group| pushed[group] = true);
            }
        }
    }
}

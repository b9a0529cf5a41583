//! What the derivative of a step reads of the step that was done.

use gudgeon_collide::Geometry;
use gudgeon_multibody::{LimitRow, LinkId, MassFactor, MassMatrix, Model};
use nalgebra::Isometry3;

use super::Simulator;
use super::bounce::Bounce;
use crate::contact_info::ContactInfo;
use crate::drive::Drive;
use crate::surface::{Combine, Material};

/// Inside of a simulator after a step, before anything else happens to it.
pub(crate) struct View<'a> {
    pub(crate) passive: &'a Model,
    pub(crate) geometry: &'a Geometry,
    pub(crate) poses: &'a [Isometry3<f64>],
    /// M̃ where contacts act, and its factor, in steps with rows.
    pub(crate) inertia: (&'a MassMatrix, &'a MassFactor),
    pub(crate) contacts: &'a [ContactInfo],
    pub(crate) limits: &'a [LimitRow],
    pub(crate) drive: &'a Drive,
    pub(crate) tau: &'a [f64],
    pub(crate) tree: &'a [usize],
    /// By link: its group.
    pub(crate) groups: &'a [Option<usize>],
    /// By collider.
    pub(crate) links: &'a [LinkId],
    pub(crate) pushed_trees: &'a [bool],
    pub(crate) v_move: &'a [f64],
    pub(crate) v_next: &'a [f64],
    pub(crate) bounces: &'a [Bounce],
    pub(crate) surface: &'a [Material],
    pub(crate) pairs: &'a [(usize, usize, Material)],
    pub(crate) combine: Combine,
}

impl Simulator {
    pub(crate) fn view(&self) -> View<'_> {
        View {
            passive: &self.passive,
            geometry: &self.geometry,
            poses: &self.meeting.poses,
            inertia: (&self.mass, &self.factor),
            contacts: &self.contacts,
            limits: &self.limits,
            drive: &self.drive,
            tau: &self.forces.tau,
            tree: &self.layout.tree,
            groups: &self.layout.groups,
            links: &self.layout.links,
            pushed_trees: &self.pushed.trees,
            v_move: &self.v.moves,
            v_next: &self.v.next,
            bounces: &self.bounces,
            surface: &self.surfaces.materials,
            pairs: &self.surfaces.pairs,
            combine: self.surfaces.combine,
        }
    }
}

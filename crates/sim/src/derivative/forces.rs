//! Forces at the start of a step that move with the links they act on, and springs of controllers.

use gudgeon_multibody::{LinkId, ModelShares, State, kinematics};
use gudgeon_spatial::{Force, Motion, Vector3};

use super::linear::Linearization;
use super::parameters::SpringUse;
use crate::controller::Controller;
use crate::simulator::View;

/// A force that stays in space while the arm it acts on turns with its link; world axes, m and N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arm {
    pub(super) link: usize,
    pub(super) lever: Vector3<f64>,
    pub(super) force: Vector3<f64>,
    /// It acts at the link's centre of mass, wherever that is.
    pub(super) at_com: bool,
    /// The mass whose weight it holds, kg.
    pub(super) held: f64,
}

impl Linearization {
    /// Pushes that turn with their links, and springs of controllers.
    pub(super) fn read_drive(&mut self, view: &View<'_>, before: &State, time: f64) {
        self.arms.clear();
        let middle = time + 0.5 * self.dt;
        kinematics(&self.model, &before.q, &mut self.ws);
        for push in view.drive.pushes.iter().filter(|p| middle >= p.from && middle < p.until) {
            let at = push.point.unwrap_or(self.model.link(push.link).inertia.com);
            let arm = self.ws.pose(push.link).direction(&at);
            let at_com = push.point.is_none();
            self.arms.push(Arm { link: push.link.0, lever: arm, force: push.force, at_com, held: 0.0 });
        }
        for relief in &view.drive.equipment.reliefs {
            let lever = self.ws.pose(relief.link).direction(&relief.at);
            let force = self.model.gravity() * -relief.mass;
            self.arms.push(Arm { link: relief.link.0, lever, force, at_com: false, held: relief.mass });
        }
        self.springs.clear();
        self.read_held(view);
        for f in &view.drive.followers {
            if let Controller::Pd { stiffness, damping, .. } = &view.drive.controllers()[f.controller] {
                let row =
                    view.drive.springs.iter().find(|s| s.dof == f.dof && s.controller.is_none()).copied();
                let (own, both) = (self.model.dofs()[f.dof], self.passive.dofs()[f.dof]);
                let target = if *stiffness > 0.0 && row.is_none() {
                    (both.stiffness * both.rest - own.stiffness * own.rest) / stiffness
                } else {
                    0.0
                };
                let velocity = if *damping > 0.0 && row.is_none() {
                    (view.tau[f.dof] - view.drive.tau[f.dof]) / damping
                } else {
                    0.0
                };
                self.springs.push(SpringUse {
                    dof: f.dof,
                    controller: f.controller,
                    target,
                    velocity,
                    row,
                    told: true,
                });
            }
        }
    }

    /// Springs of actuators that act with the joints' own.
    fn read_held(&mut self, view: &View<'_>) {
        for s in view.drive.held.iter().filter(|s| s.controller.is_some()) {
            let controller = s.controller.map_or(0, |c| c.0);
            let none =
                SpringUse { dof: s.dof, controller, target: 0.0, velocity: 0.0, row: None, told: false };
            self.springs.push(none);
        }
    }

    /// Forces that pushes add for turned links, about their origins.
    pub(super) fn push_changes(&self, moved: &[Motion], out: &mut [Force]) {
        for a in &self.arms {
            out[a.link].angular += moved[a.link].angular.cross(&a.lever).cross(&a.force);
        }
    }

    /// The transpose, where forces on links are worth `on`: forces on the displacement, and shares of centres of mass.
    pub(super) fn push_shares(&self, on: &[Motion], on_moved: &mut [Force], to: &mut ModelShares) {
        for a in &self.arms {
            let on_arm = a.force.cross(&on[a.link].angular);
            on_moved[a.link].angular += a.lever.cross(&on_arm);
            to.gravity -= (on[a.link].linear + on[a.link].angular.cross(&a.lever)) * a.held;
            if a.at_com {
                to.inertia[a.link].com += self.ws.pose(LinkId(a.link)).rotation.tr_mul(&on_arm);
            }
        }
    }
}

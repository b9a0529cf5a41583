//! What a simulator shows of itself, and the few things that are set from outside: its state, what it remembers, its controllers.

use gudgeon_collide::Geometry;
use gudgeon_multibody::{LinkId, Model, State, Workspace, energy};
use gudgeon_spatial::Quaternion;

use super::Simulator;
use crate::contact_info::ContactInfo;
use crate::controller::Controller;
use crate::frame::BodyFrame;
use crate::hash::state_hash;

impl Simulator {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Positions and velocities.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Puts the bodies elsewhere; a snapshot restores more than this.
    pub fn set_state(&mut self, state: &State) {
        assert_eq!((state.q.len(), state.v.len()), (self.model.n_q(), self.model.n_v()), "sizes of q and v");
        // in place: others may look at the memory
        self.state.q.copy_from_slice(&state.q);
        self.state.v.copy_from_slice(&state.v);
        self.stepped = false;
        self.stand();
        self.guard.placed.fill(true);
        (self.depths.own, self.depths.placed) = (0.0, -1.0);
    }

    /// Forgets the answers of the steps before, which the next solve would start from.
    pub fn forget(&mut self) {
        self.ladder.warm.clear();
        self.recovery.warm.clear();
        // and what a carried step expects to be pushed with
        self.forces.expected.clear();
        self.forces.rows.fill(0.0);
    }

    /// Forgets what the next solve would start from, and nothing that the motion depends on: the forces of the step before are
    /// part of the state of a `carried` step, and stay.
    pub fn forget_roads(&mut self) {
        self.ladder.warm.clear();
        self.recovery.warm.clear();
    }

    /// What positions followed over the last step, n_v: q⁺ = q ⊕ dt motion, before loops are settled; for `euler`.
    pub fn motion(&self) -> &[f64] {
        &self.v.moves
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Kinematics at the present state.
    pub fn workspace(&self) -> &Workspace {
        &self.ws
    }

    /// The colliders.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The contacts of the step that led here.
    pub fn contacts(&self) -> &[ContactInfo] {
        &self.contacts
    }

    /// The contacts of the step that led here with their very memory, for those who look at it; a copy stays.
    pub fn take_contacts(&mut self) -> Vec<ContactInfo> {
        let copy = self.contacts.clone();
        std::mem::replace(&mut self.contacts, copy)
    }

    /// Joint forces over the last step, n_v: controllers, motors, friction, limits, loops.
    pub fn joint_forces(&self) -> &[f64] {
        &self.forces.joints
    }

    /// How often each rung of the ladder was taken, by [`Fallback::ALL`](crate::Fallback::ALL).
    pub fn fallbacks(&self) -> &[u64] {
        &self.fallbacks
    }

    pub(crate) fn set_fallbacks(&mut self, counts: &[u64]) {
        self.fallbacks.copy_from_slice(counts);
    }

    /// The controllers, in the scene's order.
    pub fn controllers(&self) -> &[Controller] {
        self.drive.controllers()
    }

    /// A controller, to change its value while running.
    pub fn controller_mut(&mut self, index: usize) -> Option<&mut Controller> {
        self.drive.controller_mut(index)
    }

    /// The names of the rows of [`Simulator::last_problem`].
    pub fn last_ids(&self) -> gudgeon_lcp::RowIds<'_> {
        self.assembly.ids()
    }

    /// The friction problem of the last step, if something touched.
    pub fn last_problem(&self) -> Option<&gudgeon_lcp::FrictionProblem> {
        self.assembly.last_problem()
    }

    /// Kinetic and potential energy, J: gravity and springs of the model.
    pub fn energy(&self) -> [f64; 2] {
        let e = energy(&self.model, &self.state, &self.ws);
        [e.kinetic, e.total() - e.kinetic]
    }

    /// A hash of positions and velocities, to the bit.
    pub fn state_hash(&self) -> u64 {
        state_hash(&self.state)
    }

    /// Place and motion of a link.
    pub fn body(&self, link: LinkId) -> BodyFrame {
        let pose = self.ws.pose(link);
        let q = Quaternion::from_matrix(&pose.rotation);
        let v = self.ws.velocity(link);
        BodyFrame {
            position: pose.translation.into(),
            orientation: [q.w, q.x, q.y, q.z],
            velocity: v.linear.into(),
            angular_velocity: v.angular.into(),
        }
    }
}

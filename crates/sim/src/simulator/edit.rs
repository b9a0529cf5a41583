//! What may be changed of a scene while it runs: gravity, masses, surfaces, and one body more.
//!
//! Everything here leaves the simulator as a new one of the changed scene would be at the same moment.

use gudgeon_multibody::LinkId;

use super::{Clock, Simulator};
use crate::error::SceneError;
use crate::fingerprint::Fingerprint;
use crate::scene::Scene;

impl Simulator {
    /// Gravity, inertias, surfaces and pairs as a scene with the same links and colliders has them.
    pub fn take_numbers_of(&mut self, scene: &Scene) {
        assert_eq!(scene.model.n_links(), self.model.n_links(), "a scene of the same links");
        assert_eq!(scene.colliders.len(), self.surfaces.materials.len(), "a scene of the same colliders");
        for model in [&mut self.model, &mut self.passive] {
            *model = model.clone().with_gravity(scene.model.gravity());
        }
        for (k, link) in scene.model.links().iter().enumerate().skip(1) {
            *self.model.inertia_mut(LinkId(k)) = link.inertia;
            *self.passive.inertia_mut(LinkId(k)) = link.inertia;
        }
        // energies are told by what the kinematics left
        self.stand();
        self.surfaces.take_numbers_of(scene);
        self.fingerprint = Fingerprint::of(scene);
    }

    /// Since when all steps had one length: what a snapshot does not keep of a run whose steps changed.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Sets what [`Simulator::clock`] told at the moment of a snapshot that was restored.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// This moment in a scene that [`Scene::with_body`] made of this one: what was there goes on as it did.
    pub fn grown(&self, scene: &Scene) -> Result<Self, SceneError> {
        let mut sim = Self::new(scene)?;
        sim.settings = self.settings.clone();
        (sim.time, sim.steps, sim.clock) = (self.time, self.steps, self.clock);
        let mut state = sim.state.clone();
        state.q[..self.state.q.len()].copy_from_slice(&self.state.q);
        state.v[..self.state.v.len()].copy_from_slice(&self.state.v);
        sim.set_state(&state);
        sim.control[..self.control.len()].copy_from_slice(&self.control);
        for (index, controller) in self.controllers().iter().enumerate() {
            if let Some(own) = sim.controller_mut(index) {
                own.clone_from(controller);
            }
        }
        sim.ladder.warm = self.ladder.warm.clone();
        sim.recovery.warm = self.recovery.warm.clone();
        sim.forces.joints[..self.forces.joints.len()].copy_from_slice(&self.forces.joints);
        sim.forces.rows[..self.forces.rows.len()].copy_from_slice(&self.forces.rows);
        sim.forces.expected.clone_from(&self.forces.expected);
        let n = self.guard.placed.len();
        sim.guard.placed[..n].copy_from_slice(&self.guard.placed);
        sim.contacts.clone_from(&self.contacts);
        sim.rubbing.last_normals.clone_from(&self.rubbing.last_normals);
        sim.fallbacks = self.fallbacks;
        sim.penetration = self.penetration;
        Ok(sim)
    }
}

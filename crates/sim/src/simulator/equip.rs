//! Actuators and sensors of a simulator: set, forces read back, accelerations at the present state, readings.

use std::sync::Arc;

use gudgeon_collide::Shape;
use gudgeon_multibody::{LinkId, StepLoad, aba, add_passive_forces, rnea};
use gudgeon_spatial::Force;
use nalgebra::Isometry3;

use super::Simulator;
use crate::controller::Controller;
use crate::equipment::{Equipment, Moment, Senses, SensorKind};
use crate::scene::Scene;
use crate::tolerances::NO_ORIENTATION;

impl Simulator {
    /// Sites, tendons and sensors.
    pub fn equipment(&self) -> &Equipment {
        &self.drive.equipment
    }

    /// Length, rate and force of every controller that is an actuator, over the last step or, before one, at the present state.
    pub fn actuator_readings(&self) -> &[[f64; 3]] {
        &self.drive.actuation.readings
    }

    /// Pulls every contact of links that adhere together, by impulses on the free velocity.
    pub(super) fn adhere(&mut self, dt: f64) {
        let mut impulses = vec![0.0; 3 * self.contacts.len()];
        for &(link, force) in &self.drive.actuation.adhesion {
            let own = |c: &super::ContactInfo| c.a.0 == link || c.b.0 == link;
            let count = self.contacts.iter().filter(|c| own(c)).count();
            for (k, _) in self.contacts.iter().enumerate().filter(|(_, c)| own(c)) {
                impulses[3 * k] -= force * dt / count as f64;
            }
        }
        self.assembly.velocity_of_contacts(&self.model, &self.factor, &impulses, &mut self.v.free);
        self.assembly.free_velocity(&self.v.free);
    }

    /// What springs of controllers did over the step: into joint forces and readings.
    pub(super) fn read_actuators(&mut self, dt: f64) {
        let Self { drive, v, forces, state, .. } = self;
        let (v_next, joint_forces) = (&mut v.next, &mut forces.joints);
        for spring in &drive.held {
            let force = spring.force(v_next[spring.dof], dt);
            joint_forces[spring.dof] += force;
            drive.actuation.tau[spring.dof] += force;
        }
        for spring in &drive.springs {
            drive.actuation.tau[spring.dof] += spring.force(v_next[spring.dof], dt);
        }
        for spring in drive.held.iter().chain(&drive.springs) {
            if let Some((index, force)) = spring.reading(v_next[spring.dof], dt) {
                drive.actuation.readings[index][2] = force;
            }
        }
        let actuation = &mut drive.actuation;
        for spring in &actuation.springs {
            let Some(index) = spring.controller else { continue };
            let force = spring.force(v_next, dt);
            actuation.readings[index][2] = force;
            spring.row.iter().for_each(|&(k, j)| actuation.tau[k] += j * force);
        }
        for (k, a) in self.sensing.accelerations.iter_mut().enumerate() {
            *a = (v_next[k] - state.v[k]) / dt;
        }
        self.sensing.limit_forces.fill(0.0);
        let first = self.assembly.first_limit();
        for ((dof, sign), impulse) in self
            .assembly
            .limits()
            .zip(self.ladder.solution.impulses.get(first..).unwrap_or_default())
            .take(self.limits.len())
        {
            self.sensing.limit_forces[dof] += impulse / dt;
            debug_assert!(sign.abs() == 1.0, "limits of joints are unit rows");
        }
        self.stepped = true;
    }

    /// Accelerations at the present state under gravity, springs, dampers, controllers and outer forces, where nothing
    /// touches, nothing is at a limit and no loop is held, n_v. Readings of actuators are those of this moment.
    pub fn accelerations(&mut self) -> &[f64] {
        let mut tau = vec![0.0; self.model.n_v()];
        self.drive.actuation.ahead = self.settings.dt;
        let own = StepLoad { tau: &self.control, external: &self.external, dt: 0.0 };
        self.drive.update(&self.model, &self.state, self.time, &own, &mut self.ws);
        tau.copy_from_slice(&self.drive.tau);
        add_passive_forces(&self.model, &self.state, &mut tau);
        let (drive, v) = (&mut self.drive, &self.state.v);
        for spring in &drive.springs {
            let force = spring.force(v[spring.dof], 0.0);
            tau[spring.dof] += force;
            drive.actuation.tau[spring.dof] += force;
            if let Some((index, force)) = spring.reading(v[spring.dof], 0.0) {
                drive.actuation.readings[index][2] = force;
            }
        }
        for spring in &drive.actuation.springs {
            let force = spring.force(v, 0.0);
            spring.row.iter().for_each(|&(k, j)| tau[k] += j * force);
            if let Some(index) = spring.controller {
                drive.actuation.readings[index][2] = force;
            }
        }
        let pulls: Vec<_> =
            drive.actuation.springs.iter().filter(|s| s.controller.is_some()).cloned().collect();
        for spring in &pulls {
            let force = spring.force(v, 0.0);
            spring.row.iter().for_each(|&(k, j)| drive.actuation.tau[k] += j * force);
        }
        aba(&self.model, &self.state, &tau, &self.drive.external, &mut self.stepper.ws);
        self.sensing.accelerations.copy_from_slice(self.stepper.ws.qdd());
        self.carry_strings(&tau);
        &self.sensing.accelerations
    }

    /// What the masses of strings make of the accelerations under `tau`:
    /// ```text
    ///     q̈ = q̈₀ − X λ,   (J X + A⁻¹) λ = J q̈₀ + J̇ v,   X = M⁻¹ Jᵀ by unit pulls, A the masses
    /// ```
    fn carry_strings(&mut self, tau: &[f64]) {
        let Self { drive, model, state, ws, stepper, sensing: Sensing { accelerations, .. }, .. } = self;
        let heavy = drive.actuation.heavy(&drive.equipment, model, state, ws);
        if heavy.is_empty() {
            return;
        }
        let n = heavy.len();
        let along = |row: &[(usize, f64)], a: &[f64]| row.iter().map(|&(k, j)| j * a[k]).sum::<f64>();
        let mut answers = Vec::with_capacity(n);
        for (row, ..) in &heavy {
            let mut pulled = tau.to_vec();
            for &(k, j) in row {
                pulled[k] += j;
            }
            aba(model, state, &pulled, &drive.external, &mut stepper.ws);
            let x: Vec<f64> = stepper
                .ws
                .qdd()
                .iter()
                .zip(accelerations.iter())
                .map(|(with, without)| with - without)
                .collect();
            answers.push(x);
        }
        let own = |i: usize, j: usize| if i == j { 1.0 / heavy[i].2 } else { 0.0 };
        let w = nalgebra::DMatrix::from_fn(n, n, |i, j| along(&heavy[i].0, &answers[j]) + own(i, j));
        let rates = heavy.iter().map(|(row, turning, _)| along(row, accelerations) + turning);
        let rates = nalgebra::DVector::from_iterator(n, rates);
        // positive definite: masses and what they hang on
        let Some(forces) = w.lu().solve(&rates) else { return };
        for (x, force) in answers.iter().zip(forces.iter()) {
            accelerations.iter_mut().zip(x).for_each(|(a, x)| *a -= force * x);
        }
    }

    /// Forces that the joints' parents exert on every link at the present state under these accelerations.
    pub fn joint_wrenches(&mut self, qdd: &[f64]) -> Vec<Force> {
        let external = self.outer_forces();
        rnea(&self.model, &self.state, qdd, &external, &mut self.stepper.ws);
        (0..self.model.n_links()).map(|k| self.stepper.ws.joint_force(LinkId(k))).collect()
    }

    /// The caller's forces and contacts', on links.
    fn outer_forces(&self) -> Vec<Force> {
        let mut forces = self.external.clone();
        forces.resize(self.model.n_links(), Force::zero());
        if self.stepped {
            for c in &self.contacts {
                for (link, force) in [(c.a, c.force), (c.b, -c.force)] {
                    let arm = c.point - self.ws.pose(link).translation;
                    let moment = if link == c.a { c.moment } else { -c.moment };
                    forces[link.0] += Force::new(arm.cross(&force) + moment, force);
                }
            }
        }
        forces
    }

    /// Reads all sensors: positions and velocities of the present state, accelerations and forces of the step that led here, or
    /// where the state was set since, those of [`Simulator::accelerations`].
    pub fn sense(&mut self) -> &[f64] {
        if self.equipment().sensors.is_empty() {
            return &[];
        }
        if !self.stepped {
            let _ = self.accelerations();
            self.contacts.clear();
            self.sensing.limit_forces.fill(0.0);
        }
        let external = self.outer_forces();
        let energy = self.energy();
        let moment = Moment {
            equipment: &self.drive.equipment,
            model: &self.model,
            state: &self.state,
            ws: &self.ws,
            qdd: &self.sensing.accelerations,
            external: &external,
            contacts: &self.contacts,
            actuators: &self.drive.actuation.readings,
            actuator_forces: &self.drive.actuation.tau,
            limit_forces: &self.sensing.limit_forces,
            energy,
            time: self.time,
            seen: &self.sensing.seen,
        };
        self.sensing.senses.read(&moment);
        &self.sensing.senses.values
    }

    /// The reading of a sensor by name, at the last [`Simulator::sense`].
    pub fn sensor(&self, name: &str) -> Option<&[f64]> {
        let mut from = 0;
        for sensor in &self.drive.equipment.sensors {
            let width = sensor.kind.width();
            if sensor.name == name {
                return self.sensing.senses.values.get(from..from + width);
            }
            from += width;
        }
        None
    }

    /// Puts a body that is placed by hand (a mocap body) elsewhere: world position, m, and orientation w x y z; false if no
    /// such body has that name. It has no velocity of its own: what touches it feels a wall that was there all the time,
    /// what is tied to it softly is pulled after.
    pub fn place(&mut self, name: &str, position: [f64; 3], orientation: [f64; 4]) -> bool {
        let [w, x, y, z] = orientation;
        let turn = gudgeon_spatial::Quaternion { w, x, y, z };
        let fine =
            position.iter().all(|p| p.is_finite()) && turn.norm() > NO_ORIENTATION && turn.norm().is_finite();
        let found = self.drive.equipment.placed.iter().find(|p| p.0 == name).map(|p| p.1);
        let found = found.filter(|link| *link != LinkId::WORLD);
        let (Some(link), true) = (found, fine) else { return false };
        let pose = gudgeon_spatial::Pose::new(turn.normalized().to_matrix(), position.into());
        self.model.set_placement(link, pose);
        self.passive.set_placement(link, pose);
        self.stand();
        true
    }

    /// Sets the control of the actuator of that name; false if there is none.
    pub fn set_actuator(&mut self, name: &str, control: f64) -> bool {
        let index =
            self.controllers().iter().position(|c| matches!(c, Controller::Actuator(a) if a.name == name));
        match index.and_then(|k| self.controller_mut(k)) {
            Some(Controller::Actuator(a)) => {
                a.control = control;
                true
            }
            _ => false,
        }
    }
}

/// What sensors read, and what was read last.
#[derive(Debug, Clone)]
pub(super) struct Sensing {
    seen: Arc<Vec<(LinkId, Shape, Isometry3<f64>)>>, // what rays of sensors meet; empty without such
    senses: Senses,
    accelerations: Vec<f64>, // of the last step, n_v
    limit_forces: Vec<f64>,  // n_v
}

impl Sensing {
    pub(super) fn of(scene: &Scene) -> Self {
        let n_v = scene.model.n_v();
        Self {
            seen: seen(scene),
            senses: Senses::default(),
            accelerations: vec![0.0; n_v],
            limit_forces: vec![0.0; n_v],
        }
    }
}

/// What rays meet, if a sensor casts any: every shape once, meshes as they are rather than as their hulls.
fn seen(scene: &Scene) -> Arc<Vec<(LinkId, Shape, Isometry3<f64>)>> {
    let casts = scene.equipment.sensors.iter().any(|s| matches!(s.kind, SensorKind::Rangefinder(_)));
    if !casts {
        return Arc::default();
    }
    let visible = |c: &&crate::scene::Placed| c.color.is_none_or(|[.., alpha]| alpha > 0.0);
    let twin = |c: &crate::scene::Placed| {
        scene.visuals.iter().any(|v| v.link == c.link && v.pose == c.pose && v.name == c.name)
    };
    let colliders = scene.colliders.iter().filter(visible).filter(|c| !twin(c));
    let all = colliders.chain(scene.visuals.iter().filter(visible));
    Arc::new(all.map(|c| (c.link, c.shape.clone(), c.pose)).collect())
}

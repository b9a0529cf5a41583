//! Controllers and pushes, resolved to dofs, and what they ask for in a step.

use std::sync::Arc;

use gudgeon_multibody::{Load, Model, Prescribed, State, StepLoad, Workspace, forward_dynamics, velocities};
use gudgeon_spatial::Force;

use crate::actuation::Actuation;
use crate::controller::{Controller, JointMotion};
use crate::equipment::Equipment;
use crate::error::SceneError;
use crate::scene::{Push, Scene};
use crate::spring::Spring;

/// A dof that follows joint `joint` of motion `motion`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Follower {
    pub(crate) dof: usize,
    pub(crate) coordinate: usize,
    pub(crate) controller: usize,
    pub(crate) joint: usize,
}

/// A dof driven to a velocity by a bounded force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Motor {
    pub(crate) dof: usize,
    pub(crate) velocity: f64,
    pub(crate) effort: f64,
}

/// What is asked of the joints in a step.
#[derive(Debug, Clone)]
pub(crate) struct Drive {
    controllers: Vec<Controller>,
    pub(crate) followers: Vec<Follower>,
    pub(crate) pushes: Vec<Push>,
    /// Joint forces, n_v.
    pub(crate) tau: Vec<f64>,
    /// One force per link, world axes about its origin; empty while nothing pushes.
    pub(crate) external: Vec<Force>,
    pub(crate) motors: Vec<Motor>,
    pub(crate) springs: Vec<Spring>,
    /// Springs whose bounds are far: they act with the joints' own.
    pub(crate) held: Vec<Spring>,
    pub(crate) equipment: Arc<Equipment>,
    pub(crate) actuation: Actuation,
    /// Joints in high-gain mode.
    pub(crate) prescribed: Option<Prescribed>,
    wanted: Vec<f64>, // nv, accelerations of computed torque
    wants: Vec<bool>, // nv
}

impl Drive {
    pub(crate) fn new(scene: &Scene) -> Result<Self, SceneError> {
        let model = &scene.model;
        let mut followers = Vec::new();
        let mut prescribed: Option<Prescribed> = None;
        for (index, controller) in scene.controllers.iter().enumerate() {
            let find = |name: &str| {
                model
                    .find(name)
                    .ok_or_else(|| SceneError::UnknownLink { what: "a controller", link: name.to_owned() })
            };
            match controller {
                Controller::Force { link, dof, .. } | Controller::Motor { link, dof, .. } => {
                    let id = find(link)?;
                    if *dof >= model.link(id).joint.n_v() {
                        let of = link.clone();
                        return Err(SceneError::Value {
                            what: "dof of a controller",
                            of,
                            value: *dof as f64,
                        });
                    }
                }
                Controller::Actuator(_) => {}
                Controller::Pd { motion, .. }
                | Controller::ComputedTorque { motion, .. }
                | Controller::HighGain { motion } => {
                    for (joint, name) in motion.joints().iter().enumerate() {
                        let id = find(name)?;
                        let link = model.link(id);
                        if link.joint.n_v() != 1 || !link.joint.is_vector() {
                            let value = link.joint.n_v() as f64;
                            let what = "number of dofs of a joint that follows a motion";
                            return Err(SceneError::Value { what, of: name.clone(), value });
                        }
                        let (dof, coordinate) = (link.v_start, link.q_start);
                        followers.push(Follower { dof, coordinate, controller: index, joint });
                        if matches!(controller, Controller::HighGain { .. }) {
                            prescribed.get_or_insert_with(|| Prescribed::none(model)).driven[id.0] = true;
                        }
                    }
                }
            }
        }
        Ok(Self {
            controllers: scene.controllers.clone(),
            followers,
            pushes: scene.pushes.clone(),
            tau: vec![0.0; model.n_v()],
            external: Vec::new(),
            motors: Vec::new(),
            springs: Vec::new(),
            held: Vec::new(),
            equipment: Arc::new(scene.equipment.clone()),
            actuation: Actuation::new(model, &scene.equipment, scene.controllers.len()),
            prescribed,
            wanted: vec![0.0; model.n_v()],
            wants: vec![false; model.n_v()],
        })
    }

    pub(crate) fn controllers(&self) -> &[Controller] {
        &self.controllers
    }

    pub(crate) fn controller_mut(&mut self, index: usize) -> Option<&mut Controller> {
        self.controllers.get_mut(index)
    }

    fn motion(&self, f: &Follower) -> &JointMotion {
        match &self.controllers[f.controller] {
            Controller::Pd { motion, .. }
            | Controller::ComputedTorque { motion, .. }
            | Controller::HighGain { motion } => motion,
            Controller::Force { .. } | Controller::Motor { .. } | Controller::Actuator(_) => {
                unreachable!("forces, motors and actuators have no followers")
            }
        }
    }

    /// Fills in what is asked for in the step from `time` on; `own` is what the caller adds. Wants `kinematics` in `ws`.
    pub(crate) fn update(
        &mut self,
        model: &Model,
        state: &State,
        time: f64,
        own: &StepLoad<'_>,
        ws: &mut Workspace,
    ) {
        let dt = own.dt;
        self.tau.copy_from_slice(own.tau);
        self.motors.clear();
        self.springs.clear();
        self.external.clear();
        self.external.extend_from_slice(own.external);
        self.push(model, time + 0.5 * dt, ws);
        self.ask_forces(model);
        let computed = self.follow(model, state, time, dt);
        let Self { equipment, actuation, controllers, tau, springs, external, .. } = self;
        actuation.update(equipment, controllers, model, state, dt, ws, tau, springs);
        equipment.relieve(model, ws, external);
        equipment.fluid.drag(model, ws, external);
        if computed {
            self.compute_torques(model, state, ws);
        }
    }

    /// Forces of the pushes that act at a moment.
    fn push(&mut self, model: &Model, moment: f64, ws: &Workspace) {
        for push in self.pushes.iter().filter(|p| moment >= p.from && moment < p.until) {
            self.external.resize(model.n_links(), Force::zero());
            let pose = ws.pose(push.link);
            let at = push.point.unwrap_or(model.link(push.link).inertia.com);
            let arm = pose.direction(&at);
            self.external[push.link.0] += Force::new(push.torque + arm.cross(&push.force), push.force);
        }
    }

    /// What controllers of single dofs ask for.
    fn ask_forces(&mut self, model: &Model) {
        for controller in &self.controllers {
            match controller {
                Controller::Force { link, dof, force } => {
                    let at = dof_of(model, link, *dof);
                    let effort = model.dofs()[at].effort;
                    self.tau[at] += force.clamp(-effort, effort);
                }
                Controller::Motor { link, dof, velocity, effort } => {
                    let dof = dof_of(model, link, *dof);
                    let effort = effort.min(model.dofs()[dof].effort);
                    self.motors.push(Motor { dof, velocity: *velocity, effort });
                }
                Controller::Pd { .. }
                | Controller::ComputedTorque { .. }
                | Controller::HighGain { .. }
                | Controller::Actuator(_) => {}
            }
        }
    }

    /// What joints that follow motions ask for; whether some want their torque computed.
    fn follow(&mut self, model: &Model, state: &State, time: f64, dt: f64) -> bool {
        let mut computed = false;
        for k in 0..self.followers.len() {
            let f = self.followers[k];
            let [q, v, a] = self.motion(&f).at(f.joint, time);
            let [_, v_end, _] = self.motion(&f).at(f.joint, time + dt);
            let dof = f.dof;
            match self.controllers[f.controller] {
                Controller::Pd { stiffness, damping, effort, .. } => {
                    let [q_end, v_end, _] = self.motion(&f).at(f.joint, time + dt);
                    // the spring is taken at the end of the step, and so is its target
                    let stretch = state.q[f.coordinate] - q_end;
                    let effort = effort.min(model.dofs()[dof].effort);
                    self.springs.push(Spring {
                        dof,
                        stiffness,
                        damping,
                        stretch,
                        velocity: v_end,
                        lo: -effort,
                        hi: effort,
                        controller: None,
                    });
                }
                Controller::ComputedTorque { stiffness, damping, .. } => {
                    computed = true;
                    self.wants[dof] = true;
                    self.wanted[dof] =
                        a + stiffness * (q - state.q[f.coordinate]) + damping * (v - state.v[dof]);
                }
                Controller::HighGain { .. } => {
                    if let Some(prescribed) = &mut self.prescribed {
                        prescribed.qdd[dof] = (v_end - state.v[dof]) / dt;
                    }
                }
                Controller::Force { .. } | Controller::Motor { .. } | Controller::Actuator(_) => {}
            }
        }
        computed
    }

    /// The activations at the end of a step.
    pub(crate) fn activate(&mut self, dt: f64) {
        for controller in &mut self.controllers {
            if let Controller::Actuator(a) = controller {
                a.activation = a.next_activation(dt);
            }
        }
    }

    /// τ that gives the wanted accelerations to the controlled joints while the rest moves as it will: forward
    /// dynamics with those joints prescribed, whose driving forces are the torques.
    fn compute_torques(&mut self, model: &Model, state: &State, ws: &mut Workspace) {
        let mut hybrid = Prescribed::none(model);
        for dof in 0..model.n_v() {
            if self.wants[dof] {
                hybrid.driven[model.dof_link(dof).0] = true;
                hybrid.qdd[dof] = self.wanted[dof];
            }
        }
        let load =
            Load { tau: &self.tau, external: &self.external, prescribed: Some(&hybrid), ..Load::default() };
        forward_dynamics(model, state, &load, ws);
        for dof in 0..model.n_v() {
            if self.wants[dof] {
                let effort = model.dofs()[dof].effort;
                self.tau[dof] += ws.tau()[dof].clamp(-effort, effort);
                self.wants[dof] = false;
            }
        }
        velocities(model, &state.v, ws);
    }

    /// Puts the joints in high-gain mode where they belong at `time`.
    pub(crate) fn place(&self, state: &mut State, time: f64) {
        self.place_dofs(state, time, true);
    }

    fn place_dofs(&self, state: &mut State, time: f64, positions: bool) {
        for f in &self.followers {
            if let Controller::HighGain { motion } = &self.controllers[f.controller] {
                let [q, v, _] = motion.at(f.joint, time);
                if positions {
                    state.q[f.coordinate] = q;
                }
                state.v[f.dof] = v;
            }
        }
    }

    /// Positions, velocities and accelerations of the joints in high-gain mode at `time`.
    pub(crate) fn prescribe(&self, state: &mut State, prescribed: &mut Prescribed, time: f64) {
        for f in &self.followers {
            if let Controller::HighGain { motion } = &self.controllers[f.controller] {
                let [q, v, a] = motion.at(f.joint, time);
                state.q[f.coordinate] = q;
                state.v[f.dof] = v;
                prescribed.qdd[f.dof] = a;
            }
        }
    }
}

fn dof_of(model: &Model, link: &str, dof: usize) -> usize {
    model.link(model.find(link).expect("checked when the drive was built")).v_start + dof
}

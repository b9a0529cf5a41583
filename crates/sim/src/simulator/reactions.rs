//! What joints and loops carried over the last step, and the work that was done in it.
//!
//! Inverse dynamics where the rows of the step were, with the accelerations that came about and the forces that acted:
//! ```text
//!     v̄ = ½ (v + v⁺),   a = (v⁺ - v) / dt
//!     ID(q, v̄, a) - contacts, pushes - motors, limits, friction, springs and dampers of joints = J_Eᵀ λ
//! ```
//! λ of least norm, where loops are closed twice over, are the forces of loops and couplings. With those on the links the forces
//! through the joints follow from tips to base. v⁺ is the velocity at the end, loops closed: what closing them changed is a force of theirs. All are
//! means over the step at the position of its start.
//!
//! Works are forces times v̄, which is what changes the energy: ½ v⁺ᵀMv⁺ - ½ vᵀMv = v̄ᵀ M (v⁺ - v).

use gudgeon_multibody::{
    ConstraintRows, LinkId, RankRevealing, State, add_passive_forces, kinematics, point_velocity, rnea,
    velocities,
};
use gudgeon_spatial::{Force, Vector3};

use super::Simulator;

/// Work over one step, J: positive adds to the energy of the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Motors, controllers and driven joints.
    pub motors: f64,
    /// Pushes and other forces from outside.
    pub pushes: f64,
    /// Sliding in contacts; a belt may drive.
    pub friction: f64,
    /// Along the normals of contacts: impacts take, springs of contacts store and give back.
    pub impacts: f64,
    /// Dampers, dry friction and limits of joints. Their springs are part of the potential energy.
    pub joints: f64,
}

impl Work {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.motors + self.pushes + self.friction + self.impacts + self.joints
    }
}

/// Forces over the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reactions {
    /// By dof, N or N m: motors, controllers and what drives prescribed joints.
    pub motors: Vec<f64>,
    /// By dof: limits.
    pub limits: Vec<f64>,
    /// By dof: dry friction.
    pub friction: Vec<f64>,
    /// By dof: springs and dampers.
    pub passive: Vec<f64>,
    /// By link: what its parent exerts on it through the joint, axes and origin of the link.
    pub joints: Vec<Force>,
    /// By loop: on the second link, axes and origin of the loop's first frame.
    pub loops: Vec<Force>,
    /// By coupling: the multiplier of its equation.
    pub couplings: Vec<f64>,
    /// Of the step.
    pub work: Work,
}

impl Simulator {
    /// What joints, loops and motors carried in the step that led here; all zero before the first.
    pub fn reactions(&mut self) -> Reactions {
        let n = self.model.n_v();
        let mut out = Reactions {
            motors: vec![0.0; n],
            limits: vec![0.0; n],
            friction: vec![0.0; n],
            passive: vec![0.0; n],
            joints: vec![Force::zero(); self.model.n_links()],
            loops: vec![Force::zero(); self.model.loops().len()],
            couplings: vec![0.0; self.model.couplings().len()],
            work: Work::default(),
        };
        if !self.stepped {
            return out;
        }
        let dt = self.settings.dt;
        let mut middle = self.started.clone();
        let mut acceleration = Vec::with_capacity(n);
        for (v, end) in middle.v.iter_mut().zip(&self.state.v) {
            acceleration.push((end - *v) / dt);
            *v = 0.5 * (*v + end);
        }
        self.joint_parts(&mut out);
        // as the step took them: at its end
        add_passive_forces(&self.model, &self.state, &mut out.passive);
        kinematics(&self.model, &middle.q, &mut self.stepper.ws);
        let mut external = self.forces_on_links();
        rnea(&self.model, &middle, &acceleration, &external, &mut self.stepper.ws);
        let driven: Vec<bool> = (0..n)
            .map(|dof| self.drive.prescribed.as_ref().is_some_and(|p| p.drives(&self.model, dof)))
            .collect();
        let mut left = self.stepper.ws.tau().to_vec();
        for (k, left) in left.iter_mut().enumerate() {
            *left -= out.motors[k] + out.limits[k] + out.friction[k] + out.passive[k];
        }
        if self.has_loops() {
            let mut constraints = ConstraintRows::default();
            constraints.positions(&self.model, &middle, &self.stepper.ws);
            let multipliers = multipliers(&constraints, &left, &driven);
            self.loop_forces(&multipliers, &mut external, &mut out);
            for (i, lambda) in multipliers.iter().enumerate() {
                constraints.rows.add_to(i, -lambda, &mut left);
            }
            rnea(&self.model, &middle, &acceleration, &external, &mut self.stepper.ws);
        }
        for (k, driven) in driven.iter().enumerate() {
            if *driven {
                out.motors[k] += left[k];
            }
        }
        for (k, carried) in out.joints.iter_mut().enumerate().skip(1) {
            let force = self.stepper.ws.joint_force(LinkId(k));
            let turn = self.stepper.ws.pose(LinkId(k)).rotation.transpose();
            *carried = Force::new(turn * force.angular, turn * force.linear);
        }
        out.work = self.works(&middle, &out);
        out
    }

    /// What motors, limits and dry friction did, by dof.
    fn joint_parts(&self, out: &mut Reactions) {
        let dt = self.settings.dt;
        let first = self.assembly.first_limit();
        let impulses = self.ladder.solution.impulses.get(first..).unwrap_or_default();
        for ((dof, sign), impulse) in self.assembly.limits().zip(impulses).take(self.limits.len()) {
            out.limits[dof] += sign * impulse / dt;
        }
        self.assembly.joint_friction(&self.ladder.solution.impulses, |dof, impulse| {
            out.friction[dof] += impulse / dt;
        });
        let mut held = vec![0.0; self.model.n_v()];
        if self.assembly.n_unknown() > 0 {
            self.assembly.held_joint_impulses(&mut held);
        }
        for (k, motor) in out.motors.iter_mut().enumerate() {
            *motor = self.forces.joints[k] - held[k] / dt - out.limits[k] - out.friction[k];
        }
    }

    /// Contacts, pushes and the caller's forces, on links.
    fn forces_on_links(&self) -> Vec<Force> {
        let mut forces = self.drive.external.clone();
        forces.resize(self.model.n_links(), Force::zero());
        for c in &self.contacts {
            for (link, sign) in [(c.a, 1.0), (c.b, -1.0)] {
                let arm = c.point - self.stepper.ws.pose(link).translation;
                forces[link.0] += Force::new(arm.cross(&c.force) + c.moment, c.force) * sign;
            }
        }
        forces
    }

    fn loop_forces(&self, multipliers: &[f64], external: &mut [Force], out: &mut Reactions) {
        let ws = &self.stepper.ws;
        let mut at = 0;
        for (own, l) in out.loops.iter_mut().zip(self.model.loops()) {
            let (frame, _) = l.frames(ws);
            let mut on_b = Force::zero();
            for k in 0..l.n_rows() {
                let (a, b) = l.row_forces(k, ws);
                external[l.a.0] += a * multipliers[at];
                external[l.b.0] += b * multipliers[at];
                on_b += b * multipliers[at];
                at += 1;
            }
            let about = on_b.at(&(frame.translation - ws.pose(l.b).translation));
            let turn = frame.rotation.transpose();
            *own = Force::new(turn * about.angular, turn * about.linear);
        }
        out.couplings.copy_from_slice(&multipliers[at..]);
    }

    fn works(&mut self, middle: &State, out: &Reactions) -> Work {
        let dt = self.settings.dt;
        velocities(&self.model, &middle.v, &mut self.stepper.ws);
        let ws = &self.stepper.ws;
        let along =
            |forces: &[f64]| -> f64 { forces.iter().zip(&middle.v).map(|(f, v)| f * v).sum::<f64>() * dt };
        let mut work = Work {
            motors: along(&out.motors),
            joints: along(&out.limits) + along(&out.friction),
            ..Work::default()
        };
        for (dof, v) in self.model.dofs().iter().zip(&middle.v) {
            work.joints -= dof.damping * v * v * dt;
        }
        for (k, force) in self.drive.external.iter().enumerate() {
            work.pushes += ws.velocity(LinkId(k)).dot(*force) * dt;
        }
        for c in &self.contacts {
            let u = point_velocity(ws, c.a, &c.point) - point_velocity(ws, c.b, &c.point);
            let turn: Vector3<f64> = ws.velocity(c.a).angular - ws.velocity(c.b).angular;
            let normal = c.normal.dot(&c.force) * c.normal.dot(&u);
            work.impacts += normal * dt;
            work.friction += (c.force.dot(&u) - normal + c.moment.dot(&turn)) * dt;
        }
        work
    }
}

/// λ of least norm with Jᵀ λ = `left` on the dofs that are not driven.
fn multipliers(constraints: &ConstraintRows, left: &[f64], driven: &[bool]) -> Vec<f64> {
    let mut rows = constraints.rows.clone();
    rows.zero_dofs(|dof| driven[dof]);
    let t: Vec<f64> = (0..rows.len()).map(|i| rows.dot(i, left)).collect();
    let mut lambda = vec![0.0; rows.len()];
    let mut rank = RankRevealing::default();
    rank.factor_rows(&rows, left.len());
    rank.solve_basic(&t, &mut lambda);
    rank.make_least_norm(&mut lambda);
    lambda
}

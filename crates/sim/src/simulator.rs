//! One time step as a straight road.
//!
//! ```text
//!     forces → free velocity → kinematics → collision → rows → solve → velocity → overlap undone → positions → report
//! ```
//! [Yamane §IV]. The unknown of the contact problem is the velocity at the end of the step,
//! ```text
//!     v⁺ = v_free + M̃⁻¹ Jᵀ λ,      gap + dt n·v⁺ ≥ 0,      Coulomb's law on J v⁺
//! ```
//! and positions follow from it. A tree on which some impulse acts takes q⁺ = q ⊕ dt v⁺, so that what the solver
//! promised of gaps is what happens; a tree in flight takes the midpoint rule, q⁺ = q ⊕ dt ½(v + v⁺), so that it keeps
//! its energy. Both agree at rest, which is why rest is rest.
//!
//! Overlap (the curvature of a path over a step, or a bad start) is undone by moving positions alone: least motion in
//! the metric of the mass matrix that opens all gaps. No velocity comes of it, hence no energy of motion.
//!
//! Restitution takes two more solves, only in steps where something bounces: positions end where the body is after
//! flying to the surface and away from it, velocities are those of that flight.

use std::time::Instant;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry};
use gudgeon_contact::{Assembly, Law, Touch, tangents};
use gudgeon_multibody::{
    ConstraintRows, ConstraintSolver, FreeVelocity, LimitRow, LinkId, Load, Loops, MassFactor, MassMatrix,
    Model, Scheme, State, Stepper, Workspace, energy, forward_dynamics, friction_rows, implicit_passive,
    integrate, kinematics, limit_rows, loop_gap, velocities,
};
use gudgeon_spatial::{Force, Quaternion, Vector3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use crate::controller::Controller;
use crate::drive::Drive;
use crate::hash::state_hash;
use crate::recording::{BodyFrame, ContactFrame, Frame, Mode};
use crate::recover::Recovery;
use crate::report::{Fallback, StepError, StepReport};
use crate::scene::{Material, Scene, SceneError};
use crate::settings::{Integrator, RestitutionLaw, Settings};
use crate::solve::Ladder;

/// A contact of the present step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactInfo {
    /// The link the force acts on, and the other one.
    pub a: LinkId,
    /// See `a`.
    pub b: LinkId,
    /// The colliders, by index in the scene.
    pub colliders: (usize, usize),
    /// Stable name.
    pub id: u64,
    /// World, m.
    pub point: Vector3<f64>,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// At the start of the step, m; negative is overlap.
    pub gap: f64,
    /// On a, world axes, N: impulse over dt.
    pub force: Vector3<f64>,
    /// Of a against b at the end of the step, world axes, m/s, tangential part.
    pub slip: Vector3<f64>,
    /// Open, stick or slip.
    pub mode: Mode,
    /// Surface of the pair.
    pub material: Material,
}

/// A scene in motion.
#[derive(Debug, Clone)]
pub struct Simulator {
    pub(crate) model: Model,
    passive: Model, // the model with the springs of controllers on its dofs
    geometry: Geometry,
    surface: Vec<Material>, // by collider
    links: Vec<LinkId>,     // by collider
    reach: Vec<f64>,        // by link: farthest point of its shapes from its origin, m
    pairs: Vec<(usize, usize, Material)>,
    combine: crate::scene::Combine,
    tree: Vec<usize>, // by dof: the group of trees it belongs to
    /// Steps and solver; may be changed between steps.
    pub settings: Settings,
    /// Joint forces of the caller, n_v, N m or N, held until changed.
    pub control: Vec<f64>,
    /// Forces of the caller on links, world axes about their origins; empty or n_links.
    pub external: Vec<Force>,
    pub(crate) state: State,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    drive: Drive,
    stepper: Stepper,
    constraints: ConstraintRows,
    settling: ConstraintSolver,
    ws: Workspace,
    mass: MassMatrix,
    factor: MassFactor,
    collision: CollisionWorkspace,
    poses: Vec<Isometry3<f64>>,
    points: Vec<ContactPoint>,
    pub(crate) contacts: Vec<ContactInfo>,
    assembly: Assembly,
    pub(crate) ladder: Ladder,
    pub(crate) recovery: Recovery,
    limits: Vec<LimitRow>,
    ahead: State, // where RK4 would go
    v_free: Vec<f64>,
    v_next: Vec<f64>,
    v_move: Vec<f64>, // what positions follow
    diagonal: Vec<f64>,
    tau: Vec<f64>,
    pushed: Vec<bool>,       // by dof
    pushed_trees: Vec<bool>, // by group
    pub(crate) joint_forces: Vec<f64>,
    pub(crate) row_forces: Vec<f64>, // the part of them that limits, motors and friction gave
    pub(crate) expected: Vec<Force>, // by link
    bounces: Vec<Bounce>,
    fallbacks: [u64; Fallback::ALL.len()],
    penetration: f64,
}

/// A contact that bounces in this step.
#[derive(Debug, Clone, Copy)]
struct Bounce {
    contact: usize,
    /// Speed away from the surface at the end of the step, m/s.
    leaving: f64,
    /// Distance from the surface at the end of the step, m.
    height: f64,
    /// The part of the compression that comes back: restitution, times the speed of impact over that of the whole
    /// step's fall, less what the fall takes after the impact.
    returned: f64,
}

impl Simulator {
    /// A scene at its start. Loops are closed first.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        let model = scene.model.clone();
        let drive = Drive::new(scene)?;
        let mut geometry = Geometry::new();
        let mut reach = vec![0.0_f64; model.n_links()];
        for placed in &scene.colliders {
            let shape = placed.shape.clone();
            let collider = match placed.link {
                LinkId::WORLD => Collider::fixed(shape),
                link => Collider::new(shape, link.0),
            };
            let aabb = placed.shape.aabb(&placed.pose);
            let far = aabb.lo.abs().sup(&aabb.hi.abs()).norm();
            if far.is_finite() {
                reach[placed.link.0] = reach[placed.link.0].max(far);
            }
            geometry.add(collider.at(placed.pose).with_groups(placed.group, placed.mask));
        }
        let body = |link: LinkId| (link != LinkId::WORLD).then_some(link.0);
        for (k, link) in model.links().iter().enumerate().skip(1) {
            if link.joint.n_v() < 6 && link.parent != LinkId::WORLD {
                geometry.exclude_bodies(Some(k), body(link.parent));
            }
        }
        for &(a, b) in &scene.apart {
            geometry.exclude_bodies(body(a), body(b));
        }
        let mut sim = Self {
            surface: scene.colliders.iter().map(|c| scene.materials[c.material]).collect(),
            links: scene.colliders.iter().map(|c| c.link).collect(),
            reach,
            pairs: sorted_pairs(&scene.pairs),
            combine: scene.combine,
            tree: tree_groups(&model),
            settings: scene.settings.clone(),
            control: vec![0.0; model.n_v()],
            external: Vec::new(),
            state: scene.initial.clone(),
            time: 0.0,
            steps: 0,
            drive,
            stepper: Stepper::new(&model),
            constraints: ConstraintRows::default(),
            settling: ConstraintSolver::new(&model),
            ws: Workspace::new(&model),
            mass: MassMatrix::new(&model),
            factor: MassFactor::new(&model),
            collision: CollisionWorkspace::new(),
            poses: vec![Isometry3::identity(); model.n_links()],
            points: Vec::new(),
            contacts: Vec::new(),
            assembly: Assembly::default(),
            ladder: Ladder::default(),
            recovery: Recovery::default(),
            limits: Vec::new(),
            ahead: scene.initial.clone(),
            v_free: vec![0.0; model.n_v()],
            v_next: vec![0.0; model.n_v()],
            v_move: vec![0.0; model.n_v()],
            diagonal: vec![0.0; model.n_v()],
            tau: vec![0.0; model.n_v()],
            pushed: vec![false; model.n_v()],
            pushed_trees: vec![false; model.n_v()],
            joint_forces: vec![0.0; model.n_v()],
            row_forces: vec![0.0; model.n_v()],
            expected: Vec::new(),
            bounces: Vec::new(),
            fallbacks: [0; Fallback::ALL.len()],
            penetration: 0.0,
            passive: model.clone(),
            geometry,
            model,
        };
        sim.drive.place(&mut sim.state, 0.0);
        if sim.has_loops() {
            let projection = sim.settling.settle_with(
                &sim.model,
                &mut sim.state,
                sim.drive.prescribed.as_ref(),
                &mut sim.ws,
            );
            // metres or radians: loops that cannot be closed stay open by far more
            if projection.error.is_nan() || projection.error > 1e-8 {
                return Err(SceneError::Assembly(format!("an error of {:.1e} is left", projection.error)));
            }
        }
        kinematics(&sim.model, &sim.state.q, &mut sim.ws);
        velocities(&sim.model, &sim.state.v, &mut sim.ws);
        Ok(sim)
    }

    fn has_loops(&self) -> bool {
        !(self.model.loops().is_empty() && self.model.couplings().is_empty())
    }

    /// Advances by one step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let dt = self.settings.dt;
        self.force(dt);
        self.fly(dt)?;
        let began = Instant::now();
        self.touch(dt);
        let collision_seconds = began.elapsed().as_secs_f64();
        self.assemble(dt)?;
        let began = Instant::now();
        let solve = self.solve(dt);
        let solver_seconds = began.elapsed().as_secs_f64();
        self.advance(dt)?;
        Ok(StepReport {
            time: self.time,
            contacts: self.contacts.len(),
            active: self.contacts.iter().filter(|c| c.mode != Mode::Open).count(),
            solve,
            penetration: self.penetration,
            loop_gap: if self.has_loops() { loop_gap(&self.model, &self.ws) } else { 0.0 },
            collision_seconds,
            solver_seconds,
        })
    }

    /// What controllers and pushes ask for, from the state at the start of the step.
    fn force(&mut self, dt: f64) {
        kinematics(&self.model, &self.state.q, &mut self.ws);
        velocities(&self.model, &self.state.v, &mut self.ws);
        self.drive.update(
            &self.model,
            &self.state,
            self.time,
            dt,
            &self.control,
            &self.external,
            &mut self.ws,
        );
        self.tau.copy_from_slice(&self.drive.tau);

        // a spring that its effort does not bound joins the passive ones; the others become rows
        let (passive, state, tau) = (&mut self.passive, &self.state, &mut self.tau);
        let model = &self.model;
        for spring in &self.drive.springs {
            *passive.dof_mut(spring.dof) = model.dofs()[spring.dof];
        }
        self.drive.springs.retain(|s| {
            let v = state.v[s.dof];
            let force = -s.stiffness * (s.stretch + dt * v) - s.damping * (v - s.velocity);
            // half: the force changes over the step
            if force.abs() > 0.5 * s.effort {
                return true;
            }
            let coordinate = model.dof_coordinate(s.dof).expect("motions drive plain coordinates");
            let target = state.q[coordinate] - s.stretch;
            let dof = passive.dof_mut(s.dof);
            let both = dof.stiffness + s.stiffness;
            if both > 0.0 {
                dof.rest = (dof.stiffness * dof.rest + s.stiffness * target) / both;
            }
            dof.stiffness = both;
            dof.damping += s.damping;
            tau[s.dof] += s.damping * s.velocity;
            false
        });
    }

    /// The velocity at the end of the step if nothing touched, and the kinematics where contacts act.
    fn fly(&mut self, dt: f64) -> Result<(), StepError> {
        let Self { passive, state, stepper, drive, .. } = self;
        let external = drive.external.as_slice();
        match (self.settings.integrator, drive.prescribed.is_some()) {
            (Integrator::Carried, false) => {
                // as the step before left it, or a snapshot kept it
                self.expected.resize(passive.n_links(), Force::zero());
                stepper.expect(&self.expected, &self.row_forces);
                let free = stepper.free_velocity(
                    passive,
                    state,
                    &self.tau,
                    external,
                    dt,
                    Scheme::Carried,
                    Loops::Held,
                );
                self.v_free.copy_from_slice(free.v);
                self.ahead.q.copy_from_slice(free.q);
                kinematics(passive, free.q, &mut self.ws);
                FreeVelocity { ws: &self.ws, ..free }.mass_matrix(passive, &mut self.mass);
            }
            (Integrator::Rk4, false) => {
                self.ahead.q.copy_from_slice(&state.q);
                self.ahead.v.copy_from_slice(&state.v);
                stepper.step(passive, &mut self.ahead, &self.tau, external, dt, Scheme::Rk4);
                self.v_free.copy_from_slice(&self.ahead.v);
                self.diagonal.iter_mut().zip(passive.dofs()).for_each(|(d, dof)| *d = dof.armature);
                self.inertia();
            }
            (Integrator::Rk4, true) => {
                self.ahead.q.copy_from_slice(&state.q);
                self.ahead.v.copy_from_slice(&state.v);
                let mut prescribed = drive.prescribed.take().expect("matched");
                let time = self.time;
                let motion = |s: f64, state: &mut State, p: &mut gudgeon_multibody::Prescribed| {
                    drive.prescribe(state, p, time + s);
                };
                stepper.step_driven(
                    passive,
                    &mut self.ahead,
                    &self.tau,
                    external,
                    dt,
                    Scheme::Rk4,
                    &mut prescribed,
                    motion,
                );
                self.drive.prescribed = Some(prescribed);
                self.v_free.copy_from_slice(&self.ahead.v);
                self.diagonal.iter_mut().zip(self.passive.dofs()).for_each(|(d, dof)| *d = dof.armature);
                self.inertia();
            }
            (_, true) => {
                implicit_passive(passive, state, dt, &mut self.tau, &mut self.diagonal);
                let load = Load {
                    tau: &self.tau,
                    external,
                    diagonal: &self.diagonal,
                    prescribed: drive.prescribed.as_ref(),
                    ..Load::default()
                };
                if passive.loops().is_empty() && passive.couplings().is_empty() {
                    forward_dynamics(passive, state, &load, &mut self.stepper.ws);
                } else {
                    self.settling.forward_dynamics(passive, state, &load, &mut self.stepper.ws);
                }
                for (k, a) in self.stepper.ws.qdd().iter().enumerate() {
                    self.v_free[k] = state.v[k] + dt * a;
                }
                self.inertia();
            }
            (Integrator::Euler, false) => {
                let scheme = Scheme::Midpoint { iterations: 2 };
                let free =
                    stepper.free_velocity(passive, state, &self.tau, external, dt, scheme, Loops::Held);
                self.v_free.copy_from_slice(free.v);
                self.diagonal.copy_from_slice(free.diagonal);
                self.inertia();
            }
        }
        self.check("velocity", false)
    }

    /// M̃ at the start of the step, where `ws` stands.
    fn inertia(&mut self) {
        let free = FreeVelocity {
            v: &self.v_free,
            q: &self.state.q,
            diagonal: &self.diagonal,
            added: &[],
            ws: &self.ws,
        };
        free.mass_matrix(&self.passive, &mut self.mass);
    }

    /// Contact points where contacts act, with those left out that cannot close in this step.
    fn touch(&mut self, dt: f64) {
        let Self { model, ws, state, .. } = self;
        velocities(model, &state.v, ws);
        let mut speed = 0.0_f64;
        for k in 1..model.n_links() {
            let pose = ws.pose(LinkId(k));
            let q = Quaternion::from_matrix(&pose.rotation);
            let rotation = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(q.w, q.x, q.y, q.z));
            self.poses[k] = Isometry3::from_parts(Translation3::from(pose.translation), rotation);
            if self.reach[k] > 0.0 {
                let v = ws.velocity(LinkId(k));
                speed = speed.max(v.linear.norm() + v.angular.norm() * self.reach[k]);
            }
        }
        // two bodies may close at twice the speed of one, and gravity acts as well
        let fall = model.gravity().norm() * dt;
        let margin = self.settings.margin + 2.0 * dt * (speed + fall);
        self.collision.contacts(&self.geometry, &self.poses, margin, &mut self.points);
        self.contacts.clear();
        self.penetration = 0.0;
        for point in &self.points {
            let (a, b) = (self.links[point.a], self.links[point.b]);
            let at = |link: LinkId| gudgeon_multibody::point_velocity(&self.ws, link, &point.point);
            let approach = point.normal.dot(&(at(a) - at(b)));
            let soon = point.gap + 2.0 * dt * (approach.min(0.0) - fall) < 0.0;
            if point.gap > self.settings.margin && !soon {
                continue;
            }
            self.penetration = self.penetration.max(-point.gap);
            self.contacts.push(ContactInfo {
                a,
                b,
                colliders: (point.a, point.b),
                id: point.id,
                point: point.point,
                normal: point.normal,
                gap: point.gap,
                force: Vector3::zeros(),
                slip: Vector3::zeros(),
                mode: Mode::Open,
                material: self.material(point.a, point.b),
            });
        }
    }

    /// The surface between two colliders.
    fn material(&self, a: usize, b: usize) -> Material {
        let key = (a.min(b), a.max(b));
        if let Ok(k) = self.pairs.binary_search_by_key(&key, |p| (p.0, p.1)) {
            return self.pairs[k].2;
        }
        let (x, y) = (&self.surface[a], &self.surface[b]);
        Material {
            friction: self.combine.of(x.friction, y.friction),
            restitution: self.combine.of(x.restitution, y.restitution),
            // springs one behind the other
            stiffness: 1.0 / (1.0 / x.stiffness + 1.0 / y.stiffness),
            damping: x.damping + y.damping,
        }
    }

    /// The rows of everything that may push.
    fn assemble(&mut self, dt: f64) -> Result<(), StepError> {
        let Self { model, assembly, ws, drive, .. } = self;
        assembly.begin();
        for c in &self.contacts {
            let (a, b, point, normal, id) = (c.a, c.b, c.point, c.normal, c.id);
            let law = contact_law(&c.material, c.gap, dt);
            assembly.push_contact(
                model,
                ws,
                &Touch { a, b, point, normal, id, friction: c.material.friction },
                law,
            );
        }
        let driven = |dof: usize| drive.prescribed.as_ref().is_some_and(|p| p.drives(model, dof));
        // a limit may be reached at twice the present speed
        let fastest = self.v_free.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        limit_rows(model, &self.state, self.settings.margin + 2.0 * dt * fastest, &mut self.limits);
        for limit in self.limits.iter().filter(|l| !driven(l.dof)) {
            let id = 2 * limit.dof as u64 + u64::from(limit.sign > 0.0);
            assembly.push_limit(limit.dof, limit.sign, id, Law::hard(limit.gap, dt));
        }
        for (dof, impulse) in friction_rows(model, dt).filter(|f| !driven(f.0)) {
            assembly.push_bounded(dof, 4 * dof as u64, Law::default(), -impulse, impulse);
        }
        for motor in drive.motors.iter().filter(|m| !driven(m.dof)) {
            let most = motor.effort * dt;
            assembly.push_bounded(
                motor.dof,
                4 * motor.dof as u64 + 1,
                Law::leaving(motor.velocity),
                -most,
                most,
            );
        }
        for spring in drive.springs.iter().filter(|s| !driven(s.dof)) {
            let law = Law::soft(spring.stretch, spring.stiffness, spring.damping, dt);
            // the damper pulls towards the target's own velocity
            let share = spring.damping / (dt * spring.stiffness + spring.damping);
            let law = Law { bias: law.bias - share * spring.velocity, ..law };
            let most = spring.effort * dt;
            assembly.push_bounded(spring.dof, 4 * spring.dof as u64 + 2, law, -most, most);
        }
        // a carried step wants to know what its loops carry, contacts or not
        if assembly.n_unknown() == 0 && self.settings.integrator != Integrator::Carried {
            return Ok(());
        }
        if !(model.loops().is_empty() && model.couplings().is_empty()) {
            self.constraints.positions(model, &self.state, ws);
            for k in 0..self.constraints.rows.len() {
                let (dofs, values) = self.constraints.rows.row(k);
                assembly.push_equality(dofs, values);
            }
        }
        if let Some(prescribed) = &drive.prescribed {
            self.mass.lock(model, |dof| prescribed.drives(model, dof));
        }
        if let Err(error) = self.factor.factor(model, &self.mass) {
            let link = model.link(model.dof_link(error.dof)).name.clone();
            return Err(StepError::Inertia { link, time: self.time });
        }
        if let Some(prescribed) = &drive.prescribed {
            let frozen = |dof: usize| prescribed.drives(model, dof);
            assembly.whiten(model, &self.factor, &mut self.v_free, Some(&frozen));
        } else {
            assembly.whiten(model, &self.factor, &mut self.v_free, None);
        }
        Ok(())
    }

    /// Impulses, and with them `v_next` and what positions follow, `v_move`.
    fn solve(&mut self, dt: f64) -> Option<crate::report::SolveReport> {
        self.v_next.copy_from_slice(&self.v_free);
        self.pushed_trees.fill(false);
        self.joint_forces.copy_from_slice(&self.drive.tau);
        self.row_forces.fill(0.0);
        self.bounces.clear();
        if self.assembly.n_unknown() == 0 {
            self.v_move.copy_from_slice(&self.v_next);
            return None;
        }
        let width = self.model.n_v();
        let mut report = self.ladder.solve(&mut self.assembly, width, &self.settings).ok()?;
        self.fallbacks[report.fallback as usize] += 1;
        let Self { model, factor, assembly, ladder, .. } = self;
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v_next);
        self.v_move.copy_from_slice(&self.v_next);
        if self.find_bounces(dt) {
            self.bounce(dt, &mut report);
        }
        self.read_answer(dt);
        self.recover(dt);
        Some(report)
    }

    /// Contacts that meet with restitution in this step.
    fn find_bounces(&mut self, dt: f64) -> bool {
        for (i, c) in self.contacts.iter().enumerate() {
            let e = c.material.restitution;
            if e == 0.0 || !c.material.stiffness.is_infinite() {
                continue;
            }
            let free = self.assembly.normal_velocity(i, &self.v_free);
            if free + c.gap.max(0.0) / dt >= 0.0 {
                continue;
            }
            let before = self.assembly.normal_velocity(i, &self.state.v);
            // the part of the step that is over when the surfaces meet, at the mean velocity
            let mean = 0.5 * (before + free);
            let part = if mean < 0.0 { (c.gap.max(0.0) / (-mean * dt)).min(1.0) } else { 1.0 };
            let impact = before + part * (free - before);
            if -impact <= self.settings.bounce_threshold {
                continue;
            }
            let away = -e * impact;
            let rest = (1.0 - part) * dt;
            let leaving = away + (free - before) * (1.0 - part);
            let height = (away * rest + 0.5 * (free - before) * (1.0 - part) * rest).max(0.0);
            let leaving = leaving.max(0.0);
            self.bounces.push(Bounce { contact: i, leaving, height, returned: leaving / -free });
        }
        !self.bounces.is_empty()
    }

    /// The velocities after bouncing; positions stay those of the solve without, until `recover` lifts them.
    fn bounce(&mut self, dt: f64, report: &mut crate::report::SolveReport) {
        let width = self.model.n_v();
        let Self { model, factor, assembly, ladder, .. } = self;
        match self.settings.restitution {
            RestitutionLaw::Newton => {
                for b in &self.bounces {
                    assembly.set_law(b.contact, Law::leaving(b.leaving));
                }
                let Ok(again) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &again);
                self.fallbacks[again.fallback as usize] += 1;
                self.v_next.copy_from_slice(&self.v_free);
            }
            RestitutionLaw::Poisson => {
                // compression to a standstill; what was compressed comes back in part, and contacts may push on
                for b in &self.bounces {
                    assembly.set_law(b.contact, Law::default());
                }
                let Ok(stopped) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &stopped);
                let compression = ladder.solution.impulses.clone();
                let mut returned = vec![0.0; compression.len()];
                for b in &self.bounces {
                    returned[3 * b.contact] = b.returned * compression[3 * b.contact];
                }
                let mut base = self.v_free.clone();
                assembly.velocity(model, factor, &compression, &mut base);
                assembly.velocity(model, factor, &returned, &mut base);
                assembly.free_velocity(&base);
                let Ok(again) = ladder.solve(assembly, width, &self.settings) else { return };
                add(report, &again);
                self.fallbacks[again.fallback as usize] += 1;
                for (k, x) in ladder.solution.impulses.iter_mut().enumerate() {
                    *x += compression[k] + returned[k];
                }
                self.v_next.copy_from_slice(&self.v_free);
                assembly.free_velocity(&self.v_free);
            }
        }
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v_next);
        for b in &self.bounces {
            assembly.set_law(b.contact, contact_law(&self.contacts[b.contact].material, 0.0, dt));
        }
    }

    /// Forces and modes of the contacts, forces of the joints, and which trees were pushed.
    fn read_answer(&mut self, dt: f64) {
        let Self { model, assembly, ladder, .. } = self;
        let impulses = &ladder.solution.impulses;
        for (c, answer) in self.contacts.iter_mut().zip(&ladder.solution.contacts) {
            let [t1, t2] = tangents(&c.normal);
            let i = answer.impulse;
            c.force = (c.normal * i[0] + t1 * i[1] + t2 * i[2]) / dt;
            c.slip = t1 * answer.velocity[1] + t2 * answer.velocity[2];
            c.mode = match answer.mode {
                gudgeon_lcp::ContactMode::Open => Mode::Open,
                gudgeon_lcp::ContactMode::Stick => Mode::Stick,
                gudgeon_lcp::ContactMode::Slip => Mode::Slip,
            };
        }
        self.pushed.fill(false);
        assembly.pushed(impulses, &mut self.pushed);
        for dof in 0..model.n_v() {
            if self.pushed[dof] {
                self.pushed_trees[self.tree[dof]] = true;
            }
        }
        assembly.joint_impulses(impulses, &mut self.row_forces);
        self.row_forces.iter_mut().for_each(|x| *x /= dt);
        let held = &mut self.diagonal; // n_v, no longer needed in this step
        held.fill(0.0);
        assembly.held_joint_impulses(held);
        for (k, f) in self.joint_forces.iter_mut().enumerate() {
            *f += self.row_forces[k] + held[k] / dt;
        }
    }

    /// Undoes overlap, and lifts what bounced to where its flight takes it, by positions alone.
    fn recover(&mut self, dt: f64) {
        let deep = self.penetration > self.settings.overlap_tolerance
            || self.limits.iter().any(|l| -l.gap > self.settings.overlap_tolerance);
        if !deep && self.bounces.is_empty() {
            return;
        }
        let Self { model, factor, assembly, recovery, contacts, settings, .. } = self;
        recovery.begin();
        for (i, c) in contacts.iter().enumerate() {
            if !c.material.stiffness.is_infinite() {
                recovery.contact(f64::INFINITY);
                continue;
            }
            let bounce = self.bounces.iter().find(|b| b.contact == i);
            let height = bounce.map_or(0.0, |b| b.height);
            let gap = (c.gap / dt).max(-settings.recovery_speed);
            recovery.contact(assembly.normal_velocity(i, &self.v_move) + gap - height / dt);
        }
        for ((dof, sign), limit) in assembly.limits().zip(&self.limits) {
            recovery.limit(sign * self.v_move[dof] + (limit.gap / dt).max(-settings.recovery_speed));
        }
        recovery.solve(assembly, model, factor, &mut self.v_move);
    }

    /// Positions and velocities at the end of the step.
    fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        let carried = self.settings.integrator == Integrator::Carried && self.drive.prescribed.is_none();
        let rk4 = self.settings.integrator == Integrator::Rk4;
        self.time = (self.steps + 1) as f64 * dt;
        if carried {
            // the drift is done already; overlap is undone on top of it
            for k in 0..self.v_move.len() {
                self.v_move[k] -= self.v_next[k];
            }
            self.state.q.copy_from_slice(&self.ahead.q);
            integrate(&self.model, &mut self.state.q, &self.v_move, dt);
        } else {
            for (dof, &group) in self.tree.iter().enumerate() {
                if !self.pushed_trees[group] {
                    self.v_move[dof] = 0.5 * (self.state.v[dof] + self.v_next[dof]);
                }
            }
            integrate(&self.model, &mut self.state.q, &self.v_move, dt);
            if rk4 {
                for link in self.model.links() {
                    if !link.v_range().any(|dof| self.pushed_trees[self.tree[dof]]) {
                        let q = link.q_range();
                        self.state.q[q.clone()].copy_from_slice(&self.ahead.q[q]);
                    }
                }
            }
        }
        self.state.v.copy_from_slice(&self.v_next);
        self.steps += 1;
        self.drive.place(&mut self.state, self.time);
        self.check("position", true)?;
        if self.has_loops() {
            let prescribed = self.drive.prescribed.as_ref();
            self.settling.settle_with(&self.model, &mut self.state, prescribed, &mut self.ws);
        }
        kinematics(&self.model, &self.state.q, &mut self.ws);
        velocities(&self.model, &self.state.v, &mut self.ws);
        if carried {
            let loops = self.assembly.held_impulses();
            expect(&mut self.expected, &self.model, &self.contacts, loops, &self.ws, dt);
        }
        Ok(())
    }

    fn check(&self, what: &'static str, after: bool) -> Result<(), StepError> {
        let v = if after { &self.state.v } else { &self.v_free };
        let bad_v = v.iter().position(|x| !x.is_finite());
        let bad_q = self.state.q.iter().position(|x| !x.is_finite());
        if bad_v.is_none() && bad_q.is_none() {
            return Ok(());
        }
        let owner = self.model.links().iter().find(|l| {
            bad_v.is_some_and(|k| l.v_range().contains(&k)) || bad_q.is_some_and(|k| l.q_range().contains(&k))
        });
        let value = bad_v.map(|k| v[k]).or(bad_q.map(|k| self.state.q[k])).unwrap_or(f64::NAN);
        let given = self.control.iter().chain(self.external.iter().flat_map(|f| f.linear.iter()));
        let hint = if given.copied().all(f64::is_finite) {
            "; the step is too long for what moves here, or a force is too large"
        } else {
            "; a joint force or an external force given to the simulator is not finite"
        };
        let link = owner.map_or_else(String::new, |l| l.name.clone());
        Err(StepError::NotFinite { what, link, value, time: self.time, hint })
    }

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
        kinematics(&self.model, &self.state.q, &mut self.ws);
        velocities(&self.model, &self.state.v, &mut self.ws);
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
        &self.joint_forces
    }

    /// How often each rung of the ladder was taken, by [`Fallback::ALL`].
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

    /// Everything a recording keeps of the present moment.
    pub fn frame(&self, report: Option<&StepReport>, frame: &mut Frame) {
        frame.time = self.time;
        frame.hash = self.state_hash();
        frame.energy = self.energy();
        frame.penetration = self.penetration;
        frame.loop_gap = report.map_or(0.0, |r| r.loop_gap);
        let solve = report.and_then(|r| r.solve);
        frame.residual = solve.map_or(0.0, |s| s.residual.natural);
        frame.pivots = solve.map_or(0, |s| u32::try_from(s.pivots).unwrap_or(u32::MAX));
        frame.status = solve.map_or(5, |s| s.status as u8);
        frame.fallback = solve.map_or(0, |s| s.fallback as u8);
        frame.bodies.clear();
        frame.bodies.extend((1..self.model.n_links()).map(|k| self.body(LinkId(k))));
        frame.contacts.clear();
        frame.contacts.extend(self.contacts.iter().map(|c| ContactFrame {
            a: u32::try_from(c.a.0).unwrap_or(u32::MAX),
            b: u32::try_from(c.b.0).unwrap_or(u32::MAX),
            id: c.id,
            point: c.point.into(),
            normal: c.normal.into(),
            gap: c.gap,
            force: c.force.into(),
            mode: c.mode,
            friction: Some(c.material.friction),
        }));
        frame.joint_forces.clone_from(&self.joint_forces);
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

/// What contacts and loops did to the links in the step before, world axes about the links' origins.
fn expect(
    forces: &mut Vec<Force>,
    model: &Model,
    contacts: &[ContactInfo],
    loops: &[f64],
    ws: &Workspace,
    dt: f64,
) {
    forces.clear();
    forces.resize(model.n_links(), Force::zero());
    let mut act = |link: LinkId, at: &Vector3<f64>, force: Vector3<f64>| {
        let arm = at - ws.pose(link).translation;
        forces[link.0] += Force::new(arm.cross(&force), force);
    };
    for c in contacts.iter().filter(|c| c.mode != Mode::Open) {
        act(c.a, &c.point, c.force);
        act(c.b, &c.point, -c.force);
    }
    let mut row = 0;
    for l in model.loops() {
        // the first three rows of a loop are a force at its joint; moments do not tighten a string
        if let Some(impulse) = loops.get(row..row + 3) {
            let force = Vector3::from_column_slice(impulse) / dt;
            let (x_a, x_b) = l.frames(ws);
            act(l.a, &x_a.translation, -force);
            act(l.b, &x_b.translation, force);
        }
        row += l.n_rows();
    }
}

fn add(total: &mut crate::report::SolveReport, part: &crate::report::SolveReport) {
    total.pivots += part.pivots;
    total.nodes += part.nodes;
    total.fallback = total.fallback.max(part.fallback);
    if part.status != gudgeon_lcp::Status::Solved {
        total.status = part.status;
    }
    if part.residual.natural > total.residual.natural {
        total.residual = part.residual;
    }
}

fn contact_law(material: &Material, gap: f64, dt: f64) -> Law {
    if material.stiffness.is_infinite() {
        Law::hard(gap, dt)
    } else {
        Law::soft(gap, material.stiffness, material.damping, dt)
    }
}

fn sorted_pairs(pairs: &[(usize, usize, Material)]) -> Vec<(usize, usize, Material)> {
    let mut sorted: Vec<_> = pairs.iter().map(|&(a, b, m)| (a.min(b), a.max(b), m)).collect();
    sorted.sort_by_key(|p| (p.0, p.1));
    sorted
}

/// By dof: the number of its tree's root dof, trees tied by loops or couplings counted as one.
fn tree_groups(model: &Model) -> Vec<usize> {
    let mut root: Vec<usize> = (0..model.n_v())
        .map(|mut dof| {
            while let Some(above) = model.dof_parent(dof) {
                dof = above;
            }
            dof
        })
        .collect();
    let dof_of = |link: LinkId| {
        let mut at = link;
        while at != LinkId::WORLD && model.link(at).joint.n_v() == 0 {
            at = model.link(at).parent;
        }
        (at != LinkId::WORLD).then(|| model.link(at).v_start)
    };
    let loops = model.loops().iter().map(|l| (dof_of(l.a), dof_of(l.b)));
    let couplings =
        model.couplings().iter().flat_map(|c| c.terms.windows(2).map(|t| (Some(t[0].0), Some(t[1].0))));
    let ties: Vec<_> = loops.chain(couplings).collect();
    for tie in ties {
        if let (Some(a), Some(b)) = tie {
            let (from, to) = (root[a].max(root[b]), root[a].min(root[b]));
            root.iter_mut().filter(|r| **r == from).for_each(|r| *r = to);
        }
    }
    root
}

//! The derivative of one step, set up from the step that was done.

use gudgeon_collide::{ContactPoint, ContactSlopes, SlopeSource, SlopeWorkspace};
use gudgeon_contact::{Cone, Held, Law, Section, Sliding};
use gudgeon_lcp::{ContactAnswer, ContactMode, Status};
use gudgeon_multibody::{
    Fields, FlightDerivative, LinkId, Model, Past, Road, State, Workspace, friction_rows, kinematics,
    velocities,
};
use gudgeon_spatial::{Force, Motion, Vector3, Vector6};

use super::brake::Brakes;
use super::directional::Ambiguous;
use super::kink::{Kink, NEAR};
use super::parameters::{Mixed, Parameters, SpringUse};
use super::rebound::Rebound;
use super::settle::Settle;
use super::stage::{DofRow, Stage, Standing};
use crate::controller::Controller;
use crate::equipment::Fluid;
use crate::report::{Fallback, StepError, StepReport};
use crate::settings::{Facets, Integrator, RestitutionLaw};
use crate::simulator::{ContactInfo, Simulator, View};

/// Why a step has no derivative here.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearizeError {
    /// The step itself failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The contact problem was not solved to its law, so no modes are certified.
    #[error("the contact problem of the step was not solved: status {status:?}, fallback {fallback:?}")]
    NotSolved {
        /// How the solve ended.
        status: Status,
        /// What was taken in its place.
        fallback: Fallback,
    },
    /// A part of the scene has no derivative yet.
    #[error("the derivative of {what} is not there")]
    Unsupported {
        /// The part.
        what: &'static str,
    },
    /// A mass matrix along the way has no factor.
    #[error("the inertia at the start of the step is not positive definite")]
    Inertia,
}

/// One step's derivative at one state, ready for products; keeps its memory from step to step.
#[derive(Debug, Clone)]
pub struct Linearization {
    pub(super) model: Model,
    pub(super) passive: Model,
    pub(super) dt: f64,
    pub(super) flight: FlightDerivative,
    pub(super) base: Stage,
    pub(super) contact: Stage,
    pub(super) bounce: Stage,
    pub(super) recovery: Stage,
    pub(super) settle: Settle,
    pub(super) settled: Stage,
    pub(super) brakes: Brakes,
    pub(super) braked: bool,
    pub(super) q_end: Vec<f64>,
    pub(super) flying: Vec<bool>,
    pub(super) has_loops: bool,
    pub(super) ws: Workspace,
    pub(super) end: Workspace,
    pub(super) fields: Fields,
    pub(super) sites: Vec<SiteOf>, // by contact
    pub(super) rebounds: Vec<Rebound>,
    pub(super) v_before: Vec<f64>,
    pub(super) v_base: Vec<f64>,
    pub(super) v_move: Vec<f64>,
    pub(super) pushed: Vec<bool>,
    pub(super) arms: Vec<(usize, Vector3<f64>, Vector3<f64>)>, // pushes: link, arm, force, world
    pub(super) bound_rows: Vec<(usize, f64)>, // rows of joint friction at their bound: dof, side
    pub(super) springs: Vec<SpringUse>,
    pub(super) kinks: Vec<Kink>,
    pub(super) ambiguous: Vec<Ambiguous>,
    pub(super) held_first: Vec<(usize, Held)>,
    pub(super) trial: Vec<(usize, Held)>,
    pub(super) first_rows: Vec<DofRow>,
    pub(super) first_impulses: Vec<f64>,
    pub(super) before: State,
    pub(super) v_first: Vec<f64>,
    pub(super) n_controllers: usize,
    pub(super) by_differences: usize,
    pub(super) first_spring_row: usize,
    n_colliders: usize,
    n_pairs: usize,
    slopes: SlopeWorkspace,
    dof_rows: Vec<DofRow>,
    joint_impulses: Vec<f64>,
    field: Vec<Motion>,
    report: Option<StepReport>,
    pub(super) sc: super::products::Scratch,
}

/// A contact of the step: where it is, how that changes, and whose surfaces meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteOf {
    pub(super) links: (usize, usize),
    pub(super) point: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
    pub(super) slopes: ContactSlopes,
    pub(super) colliders: (usize, usize),
    /// δμ and δe of the pair per those of the two surfaces.
    pub(super) mixed: Mixed,
    /// Poses of the two shapes, world.
    pub(super) frames: [(nalgebra::Matrix3<f64>, Vector3<f64>); 2],
    pub(super) section: f64,
}

impl Linearization {
    /// Room for the derivatives of a simulator's steps.
    pub fn new(sim: &Simulator) -> Self {
        let model = sim.model();
        Self {
            flight: FlightDerivative::new(model),
            base: Stage::new(model),
            contact: Stage::new(model),
            bounce: Stage::new(model),
            recovery: Stage::new(model),
            settle: Settle::new(model),
            settled: Stage::new(model),
            brakes: Brakes::new(model),
            braked: false,
            q_end: Vec::new(),
            flying: vec![false; model.n_v()],
            has_loops: !(model.loops().is_empty() && model.couplings().is_empty()),
            ws: Workspace::new(model),
            end: Workspace::new(model),
            fields: Fields::default(),
            sites: Vec::new(),
            rebounds: Vec::new(),
            v_before: vec![0.0; model.n_v()],
            v_base: vec![0.0; model.n_v()],
            v_move: vec![0.0; model.n_v()],
            pushed: vec![false; model.n_v()],
            arms: Vec::new(),
            bound_rows: Vec::new(),
            springs: Vec::new(),
            kinks: Vec::new(),
            ambiguous: Vec::new(),
            held_first: Vec::new(),
            trial: Vec::new(),
            first_rows: Vec::new(),
            first_impulses: Vec::new(),
            before: State::neutral(model),
            v_first: vec![0.0; model.n_v()],
            n_controllers: sim.controllers().len(),
            by_differences: 0,
            first_spring_row: 0,
            n_colliders: sim.geometry().colliders().len(),
            n_pairs: sim.view().pairs.len(),
            slopes: SlopeWorkspace::default(),
            dof_rows: Vec::new(),
            joint_impulses: vec![0.0; model.n_v()],
            field: Vec::new(),
            report: None,
            dt: sim.settings.dt,
            sc: super::products::Scratch::new(model.n_v()),
            passive: model.clone(),
            model: model.clone(),
        }
    }

    /// Degrees of freedom.
    pub fn n_v(&self) -> usize {
        self.model.n_v()
    }

    /// The model, for names.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Parameters all zero, in the right numbers: where a change begins.
    pub fn no_change(&self) -> Parameters {
        let mut none = Parameters::default();
        none.reset(&self.model, [self.n_colliders, self.n_pairs, self.n_controllers]);
        none
    }

    /// Where the derivative is one-sided: contacts, limits and joints at a change of mode.
    pub fn kinks(&self) -> &[Kink] {
        &self.kinks
    }

    /// The step it is the derivative of.
    pub fn report(&self) -> Option<&StepReport> {
        self.report.as_ref()
    }

    /// Contacts whose geometry was differentiated by differences of the narrow phase, not in closed form.
    pub fn by_differences(&self) -> usize {
        self.by_differences
    }

    /// Rows of the contact problem that say nothing new: where there are some, forces are not unique.
    pub fn redundant(&self) -> usize {
        if self.contact.active { self.contact.deficient() } else { 0 }
    }

    /// Fills it with the derivative of the step that `sim`, with its tape on, has just done.
    pub(super) fn fill(&mut self, sim: &Simulator, report: &StepReport) -> Result<(), LinearizeError> {
        check_supported(sim, report)?;
        let (view, tape) = (sim.view(), &sim.tape);
        self.report = Some(*report);
        self.dt = sim.settings.dt;
        for k in 0..self.model.n_v() {
            *self.model.dof_mut(k) = sim.model().dofs()[k];
            *self.passive.dof_mut(k) = view.passive.dofs()[k];
        }
        for i in 1..self.model.n_links() {
            let inertia = sim.model().link(LinkId(i)).inertia;
            *self.model.inertia_mut(LinkId(i)) = inertia;
            *self.passive.inertia_mut(LinkId(i)) = inertia;
        }
        if self.model.gravity() != sim.model().gravity() {
            self.model = sim.model().clone();
            self.passive = view.passive.clone();
        }
        self.kinks.clear();
        self.by_differences = 0;
        self.v_before.copy_from_slice(&tape.before.v);
        self.before.q.copy_from_slice(&tape.before.q);
        self.before.v.copy_from_slice(&tape.before.v);
        self.read_drive(&view, &tape.before, tape.time);
        let past = Past { group: view.tree, pushed: &tape.pushed, change: &tape.change };
        let road = if tape.tamed { Road::Open } else { Road::Flight(past) };
        let external = &view.drive.external;
        let flown = self.flight.compute(&self.passive, &tape.before, view.tau, external, self.dt, road);
        if !flown.map_err(|_| LinearizeError::Inertia)? {
            return Err(LinearizeError::Unsupported { what: "a tree whose momentum is carried in flight" });
        }
        kinematics(&self.model, &tape.before.q, &mut self.ws);
        velocities(&self.model, &tape.before.v, &mut self.ws);
        self.fields.read(&self.model, &self.ws);
        for stage in [&mut self.base, &mut self.contact, &mut self.bounce, &mut self.recovery] {
            stage.active = false;
        }
        self.read_sites(&view, sim)?;
        if tape.solved {
            self.solves(sim, &view)?;
        }
        self.v_move.copy_from_slice(view.v_move);
        for (dof, pushed) in self.pushed.iter_mut().enumerate() {
            *pushed = view.pushed_trees[view.tree[dof]];
            self.flying[dof] = !*pushed;
        }
        let v_end = if tape.brakes.is_empty() { &sim.state().v } else { &tape.unbraked };
        if self.has_loops {
            let good = self.settle.build(&self.model, &tape.moved, sim.state());
            kinematics(&self.model, &sim.state().q, &mut self.end);
            let at = Standing { state: sim.state(), ws: &self.end, diagonal: &[], loops: true, locked: &[] };
            self.joint_impulses.fill(0.0);
            let none = std::iter::empty();
            let v = &tape.moved.v;
            let done = self.settled.build(&self.model, at, v, v_end, none, &[], &self.joint_impulses);
            if !(good && done) {
                return Err(LinearizeError::Inertia);
            }
        }
        self.braked = !tape.brakes.is_empty();
        self.q_end.clone_from(&sim.state().q);
        if self.braked {
            kinematics(&self.model, &sim.state().q, &mut self.end);
            let (start, end) = ((&tape.before, &self.ws), (&sim.state().q[..], &v_end[..], &self.end));
            self.brakes.build(&self.model, &tape.brakes, &tape.island, view.tree, start, end);
        } else {
            self.brakes.clear();
        }
        self.find_kinks(sim, &view);
        self.find_ambiguous(sim, NEAR);
        Ok(())
    }

    /// Pushes that turn with their links, and springs of controllers.
    fn read_drive(&mut self, view: &View<'_>, before: &State, time: f64) {
        self.arms.clear();
        let middle = time + 0.5 * self.dt;
        kinematics(&self.model, &before.q, &mut self.ws);
        for push in view.drive.pushes.iter().filter(|p| middle >= p.from && middle < p.until) {
            let at = push.point.unwrap_or(self.model.link(push.link).inertia.com);
            let arm = self.ws.pose(push.link).direction(&at);
            self.arms.push((push.link.0, arm, push.force));
        }
        self.springs.clear();
        for f in &view.drive.followers {
            if let Controller::Pd { stiffness, damping, .. } = &view.drive.controllers()[f.controller] {
                let row = view.drive.springs.iter().find(|s| s.dof == f.dof).copied();
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
                self.springs.push(SpringUse { dof: f.dof, controller: f.controller, target, velocity, row });
            }
        }
    }

    fn read_sites(&mut self, view: &View<'_>, sim: &Simulator) -> Result<(), LinearizeError> {
        self.sites.clear();
        let tape = &sim.tape;
        for (i, c) in view.contacts.iter().enumerate() {
            let pressed = |answers: &[ContactAnswer]| {
                let near = |a: &ContactAnswer| a.mode != ContactMode::Open || a.velocity[0].abs() < NEAR;
                answers.get(i).is_some_and(near)
            };
            let needed = tape.solved
                && (pressed(&tape.first.contacts)
                    || pressed(&sim.ladder.solution.contacts)
                    || view.bounces.iter().any(|b| b.contact == i)
                    || tape.recovery.get(3 * i).is_some_and(|x| *x != 0.0));
            let (point, normal, gap, id) = (c.point, c.normal, c.gap, c.id);
            let contact = ContactPoint { a: c.colliders.0, b: c.colliders.1, point, normal, gap, id };
            let slopes = if needed {
                let found = self.slopes.slopes(view.geometry, view.poses, &contact);
                let slopes = found.ok_or(LinearizeError::Unsupported {
                    what: "a contact that a hair's breadth of motion takes away",
                })?;
                self.by_differences += usize::from(slopes.source == SlopeSource::Differences);
                slopes
            } else {
                ContactSlopes {
                    point: nalgebra::Matrix3x6::zeros(),
                    normal: nalgebra::Matrix3x6::zeros(),
                    gap: Vector6::zeros(),
                    source: SlopeSource::Features,
                }
            };
            let frame = |k: usize| {
                let collider = &view.geometry.colliders()[k];
                let pose = collider.body.map_or(collider.pose, |b| view.poses[b] * collider.pose);
                (pose.rotation.to_rotation_matrix().into_inner(), pose.translation.vector)
            };
            self.sites.push(SiteOf {
                links: (c.a.0, c.b.0),
                point,
                normal,
                slopes,
                colliders: c.colliders,
                mixed: Mixed::of(view, c.colliders),
                frames: [frame(c.colliders.0), frame(c.colliders.1)],
                section: if sim.settings.facets == Facets::Box { std::f64::consts::SQRT_2 } else { 1.0 },
            });
        }
        Ok(())
    }

    /// The up to three solves of the step, and loops on the free velocity where a bounce asks for it.
    fn solves(&mut self, sim: &Simulator, view: &View<'_>) -> Result<(), LinearizeError> {
        let (dt, tape) = (self.dt, &sim.tape);
        let (v_free, diagonal) = (self.flight.velocity(), self.flight.diagonal());
        let facets = sim.settings.facets;
        let locked: &[bool] = &[];
        let at = Standing { state: &tape.before, ws: &self.ws, diagonal, loops: self.has_loops, locked };
        self.first_spring_row =
            view.limits.len() + friction_rows(view.passive, dt).count() + view.drive.motors.len();
        // contacts
        dof_rows(
            view,
            &tape.first.impulses,
            dt,
            &mut self.dof_rows,
            &mut self.joint_impulses,
            &mut self.bound_rows,
        );
        let sites = &self.sites;
        self.v_first.copy_from_slice(&tape.v_first);
        self.held_first.clear();
        for (i, (c, a)) in view.contacts.iter().zip(&tape.first.contacts).enumerate() {
            if let Some(h) = held(c, a, dt, facets, None) {
                self.held_first.push((i, h));
            }
        }
        self.first_rows.clone_from(&self.dof_rows);
        self.first_impulses.clone_from(&self.joint_impulses);
        let first = self.held_first.iter().map(|(i, h)| (*i, *h, &sites[*i].slopes));
        let (model, rows, impulses) = (&self.passive, &self.first_rows, &self.first_impulses);
        if !self.contact.build(model, at, v_free, &tape.v_first, first, rows, impulses) {
            return Err(LinearizeError::Inertia);
        }
        // what bounces
        self.v_base.copy_from_slice(&tape.v_free);
        self.rebounds.clear();
        if !view.bounces.is_empty() {
            if self.has_loops {
                let none = std::iter::empty();
                self.base.build(model, at, v_free, &tape.v_free, none, &[], &[]);
            }
            for b in view.bounces {
                let c = &view.contacts[b.contact];
                let mut field = std::mem::take(&mut self.field);
                let mut rate = |v: &[f64]| {
                    self.fields.spread(model, v, &mut field);
                    let at = |k: usize| self.fields.at(k, field[k], &c.point);
                    c.normal.dot(&(at(c.a.0) - at(c.b.0)))
                };
                let (before, free) = (rate(&tape.before.v), rate(&tape.v_free));
                let e = c.material.restitution;
                self.field = field;
                self.rebounds.push(Rebound::new(b.contact, before, free, c.gap, e, dt));
            }
            let answer = &sim.ladder.solution;
            let bounces = view.bounces;
            dof_rows(
                view,
                &answer.impulses,
                dt,
                &mut self.dof_rows,
                &mut self.joint_impulses,
                &mut self.bound_rows,
            );
            let again = view.contacts.iter().zip(&answer.contacts).enumerate().filter_map(|(i, (c, a))| {
                let leaves = bounces.iter().any(|b| b.contact == i);
                Some((i, held(c, a, dt, facets, leaves.then_some(0.0))?, &sites[i].slopes))
            });
            let (rows, impulses) = (&self.dof_rows, &self.joint_impulses);
            if !self.bounce.build(model, at, v_free, view.v_next, again, rows, impulses) {
                return Err(LinearizeError::Inertia);
            }
        }
        // overlap undone
        if tape.recovery.iter().any(|x| *x != 0.0) {
            let slow = sim.settings.recovery_speed;
            let n = view.contacts.len();
            self.dof_rows.clear();
            self.joint_impulses.fill(0.0);
            for (k, limit) in view.limits.iter().enumerate() {
                let impulse = tape.recovery.get(3 * n + k).copied().unwrap_or(0.0);
                if impulse > 0.0 {
                    let slope = if limit.gap / dt > -slow { 1.0 / dt } else { 0.0 };
                    let (dof, sign) = (limit.dof, limit.sign);
                    self.dof_rows.push(DofRow {
                        dof,
                        sign,
                        slope: sign * slope,
                        compliance: 0.0,
                        of: usize::MAX,
                        pull: 0.0,
                    });
                    self.joint_impulses[dof] += sign * impulse;
                }
            }
            let lifted = view.contacts.iter().enumerate().filter_map(|(i, c)| {
                let impulse = tape.recovery[3 * i];
                let h = Held {
                    a: c.a.0,
                    b: c.b.0,
                    point: c.point,
                    normal: c.normal,
                    impulse: c.normal * impulse,
                    mu: 0.0,
                    sliding: Sliding::Not,
                    compliance: 0.0,
                    stiffness: if c.gap / dt > -slow { 1.0 / dt } else { 0.0 },
                    cone: Cone::Round,
                };
                (impulse > 0.0).then_some((i, h, &sites[i].slopes))
            });
            let (rows, impulses) = (&self.dof_rows, &self.joint_impulses);
            let (from, to) = (&tape.unrecovered, &tape.recovered);
            if !self.recovery.build(model, at, from, to, lifted, rows, impulses) {
                return Err(LinearizeError::Inertia);
            }
        }
        Ok(())
    }

    pub(super) fn n_colliders(&self) -> usize {
        self.n_colliders
    }

    pub(super) fn n_pairs(&self) -> usize {
        self.n_pairs
    }

    /// The field of the pairing of external forces, as six numbers per link.
    pub(super) fn external_zero(&self, out: &mut Vec<Motion>) {
        out.clear();
        out.resize(self.model.n_links(), Motion::zero());
    }

    /// Forces that pushes add for turned links, about their origins.
    pub(super) fn push_changes(&self, moved: &[Motion], out: &mut [Force]) {
        for (link, arm, force) in &self.arms {
            out[*link].angular += moved[*link].angular.cross(arm).cross(force);
        }
    }
}

/// What has a derivative here.
fn check_supported(sim: &Simulator, report: &StepReport) -> Result<(), LinearizeError> {
    let unsupported = |what| Err(LinearizeError::Unsupported { what });
    if sim.settings.integrator != Integrator::Euler {
        return unsupported("integrators other than the default");
    }
    if sim.settings.facets == Facets::LastBox {
        return unsupported("friction by the normal force of the step before");
    }
    for c in sim.controllers() {
        match c {
            Controller::HighGain { .. } => return unsupported("joints that follow a motion exactly"),
            Controller::ComputedTorque { .. } => return unsupported("computed torque"),
            Controller::Actuator(_) => return unsupported("actuators with a path, a gain and a bias"),
            Controller::Force { .. } | Controller::Motor { .. } | Controller::Pd { .. } => {}
        }
    }
    if let Some(what) = sim.beyond_one_cone() {
        return unsupported(what);
    }
    let equipment = &sim.view().drive.equipment;
    if !equipment.tendons.is_empty() {
        return unsupported("tendons");
    }
    if !equipment.reliefs.is_empty() {
        return unsupported("weights that are held");
    }
    if equipment.fluid != Fluid::default() {
        return unsupported("drag");
    }
    let view = sim.view();
    if !view.bounces.is_empty() && sim.settings.restitution == RestitutionLaw::Poisson {
        return unsupported("Poisson's restitution");
    }
    if let Some(solve) = report.solve
        && (solve.status != Status::Solved || solve.fallback > Fallback::Cold)
    {
        return Err(LinearizeError::NotSolved { status: solve.status, fallback: solve.fallback });
    }
    Ok(())
}

/// A contact that pushes, at its answer; `None` if it is open. `leaving` replaces the slope of the law.
pub(super) fn held(
    c: &ContactInfo,
    answer: &ContactAnswer,
    dt: f64,
    facets: Facets,
    leaving: Option<f64>,
) -> Option<Held> {
    if answer.mode == ContactMode::Open || answer.impulse[0] <= 0.0 {
        return None;
    }
    let section = facets.section();
    let [t1, t2] = section.tangents(&c.normal);
    let [i, x, y] = answer.impulse;
    let across = t1 * x + t2 * y;
    let mu = c.material.friction * if section == Section::Box { std::f64::consts::SQRT_2 } else { 1.0 };
    let (cone, sides) = match facets {
        Facets::Exact | Facets::LastBox => (Cone::Round, 0),
        Facets::Polygon(sides) => (Cone::Polygon(sides.get(), section), sides.get()),
        Facets::Box => (Cone::Polygon(4, section), 4),
    };
    let sliding = if answer.mode == ContactMode::Slip && mu > 0.0 && across.norm() > 0.0 {
        let slip = t1 * answer.velocity[1] + t2 * answer.velocity[2];
        if cone == Cone::Round {
            Sliding::Round(-across.normalize(), slip.norm())
        } else {
            corner_or_side(x, y, mu * i, sides, &[t1, t2])
        }
    } else {
        Sliding::Not
    };
    let m = &c.material;
    let (compliance, slope) = if m.stiffness.is_infinite() {
        (0.0, if Law::hard(c.gap, dt).bias > 0.0 { 1.0 / dt } else { 0.0 })
    } else {
        let law = Law::soft(1.0, m.stiffness, m.damping, dt);
        (law.compliance, law.bias)
    };
    Some(Held {
        a: c.a.0,
        b: c.b.0,
        point: c.point,
        normal: c.normal,
        impulse: c.normal * i + across,
        mu,
        sliding,
        compliance,
        stiffness: leaving.unwrap_or(slope),
        cone,
    })
}

/// Where on a polygon of the given radius a friction impulse lies.
fn corner_or_side(x: f64, y: f64, radius: f64, sides: usize, t: &[Vector3<f64>; 2]) -> Sliding {
    let step = std::f64::consts::TAU / sides as f64;
    let turns = y.atan2(x) / step;
    let direction = |k: f64| t[0] * (k * step).cos() + t[1] * (k * step).sin();
    // of the radius: an answer is good to nine digits
    if (turns - turns.round()).abs() * step < 1e-7 && (x.hypot(y) - radius).abs() < 1e-7 * radius {
        return Sliding::Corner(direction(turns.round()));
    }
    let middle = turns.floor() + 0.5;
    let out = direction(middle);
    Sliding::Side(out * (0.5 * step).cos(), direction(middle + 0.25 * sides as f64))
}

/// Limits and bounded rows that hold, all impulses of rows on dofs, and rows of joint friction at their bounds.
fn dof_rows(
    view: &View<'_>,
    impulses: &[f64],
    dt: f64,
    rows: &mut Vec<DofRow>,
    joint_impulses: &mut [f64],
    bound: &mut Vec<(usize, f64)>,
) {
    rows.clear();
    bound.clear();
    joint_impulses.fill(0.0);
    let mut at = 3 * view.contacts.len();
    let mut of = 0;
    for limit in view.limits {
        let impulse = impulses.get(at).copied().unwrap_or(0.0);
        if impulse > 0.0 {
            let slope = if Law::hard(limit.gap, dt).bias > 0.0 { 1.0 / dt } else { 0.0 };
            let (dof, sign) = (limit.dof, limit.sign);
            rows.push(DofRow { dof, sign, slope: sign * slope, compliance: 0.0, of, pull: 0.0 });
            joint_impulses[dof] += sign * impulse;
        }
        at += 1;
        of += 1;
    }
    let mut bounded = |dof: usize, [lo, hi]: [f64; 2], slope: f64, compliance: f64, dry: bool| {
        let impulse = impulses.get(at).copied().unwrap_or(0.0);
        joint_impulses[dof] += impulse;
        // an answer is good to nine digits: nearer to its bound it is at it
        if impulse > lo + 1e-9 * lo.abs() && impulse < hi - 1e-9 * hi.abs() {
            rows.push(DofRow { dof, sign: 1.0, slope, compliance, of, pull: compliance * impulse });
        } else if dry {
            bound.push((dof, impulse.signum()));
        }
        at += 1;
        of += 1;
    };
    for (dof, most) in friction_rows(view.passive, dt) {
        bounded(dof, [-most, most], 0.0, 0.0, true);
    }
    for motor in &view.drive.motors {
        let most = motor.effort * dt;
        bounded(motor.dof, [-most, most], 0.0, 0.0, false);
    }
    for s in &view.drive.springs {
        let law = Law::soft(1.0, s.stiffness, s.damping, dt);
        bounded(s.dof, [s.lo * dt, s.hi * dt], law.bias, law.compliance, false);
    }
}

//! The derivative of one step, set up from the step that was done.

use gudgeon_collide::SlopeWorkspace;
use gudgeon_contact::Held;
use gudgeon_multibody::{
    Fields, FlightDerivative, LinkId, Model, Road, State, Trees, Workspace, kinematics, velocities,
};
use gudgeon_spatial::Motion;

use super::brake::Brakes;
use super::commands::{Activation, Command};
use super::cut::Cuts;
use super::directional::Ambiguous;
use super::exchange::Lifts;
use super::forces::Arm;
use super::kink::{Kink, NEAR};
use super::matrices::Parts;
use super::parameters::{Parameters, SpringUse};
use super::paths::Paths;
use super::rebound::Rebound;
use super::rows::JointRows;
use super::settle::Settle;
use super::settled::Settled;
use super::sites::SiteOf;
use super::stage::Stage;
use super::support::{LinearizeError, check_supported};
use crate::equipment::Along;
use crate::report::StepReport;
use crate::simulator::Simulator;

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
    pub(super) settled: Settled,
    pub(super) brakes: Brakes,
    pub(super) braked: bool,
    pub(super) q_end: Vec<f64>,
    pub(super) flying: Vec<bool>,
    pub(super) has_loops: bool,
    pub(super) ws: Workspace,
    pub(super) end: Workspace,
    pub(super) fields: Fields,
    pub(super) sites: Vec<SiteOf>, // by contact
    pub(super) rooms: Vec<f64>,    // by contact, where overlap is undone; or empty
    pub(super) rebounds: Vec<Rebound>,
    pub(super) v_before: Vec<f64>,
    pub(super) v_base: Vec<f64>,
    pub(super) v_move: Vec<f64>,
    pub(super) pushed: Vec<bool>,
    pub(super) arms: Vec<Arm>, // of pushes
    pub(super) springs: Vec<SpringUse>,
    pub(super) commands: Vec<Command>,
    pub(super) activations: Vec<Activation>,
    pub(super) cut: Vec<bool>, // by dof
    pub(super) paths: Paths,
    pub(super) row_paths: Vec<usize>, // by row along a path
    pub(super) along: Along,
    pub(super) kinks: Vec<Kink>,
    pub(super) ambiguous: Vec<Ambiguous>,
    pub(super) held_first: Vec<(usize, Held)>,
    pub(super) trial: Vec<(usize, Held)>,
    pub(super) first_joints: JointRows,
    pub(super) bounce_joints: JointRows,
    pub(super) joints: JointRows, // of the other solves
    pub(super) before: State,
    pub(super) v_first: Vec<f64>,
    pub(super) n_controllers: usize,
    pub(super) by_differences: usize,
    pub(super) first_spring_row: usize,
    pub(super) n_rows: usize, // of joints and paths, whose biases may change
    n_colliders: usize,
    n_pairs: usize,
    pub(super) slopes: SlopeWorkspace,
    pub(super) field: Vec<Motion>,
    report: Option<StepReport>,
    pub(super) sc: super::products::ProductScratch,
    /// Whether products with the transpose fill in parameters.
    pub(super) parameters_wanted: bool,
    pub(super) cuts: Cuts,
    pub(super) lifts: Lifts,
    pub(super) parts: Parts,
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
            settled: Settled::new(model),
            brakes: Brakes::new(model),
            braked: false,
            q_end: Vec::new(),
            flying: vec![false; model.n_v()],
            has_loops: !(model.loops().is_empty() && model.couplings().is_empty()),
            ws: Workspace::new(model),
            end: Workspace::new(model),
            fields: Fields::default(),
            sites: Vec::new(),
            rooms: Vec::new(),
            rebounds: Vec::new(),
            v_before: vec![0.0; model.n_v()],
            v_base: vec![0.0; model.n_v()],
            v_move: vec![0.0; model.n_v()],
            pushed: vec![false; model.n_v()],
            arms: Vec::new(),
            springs: Vec::new(),
            commands: Vec::new(),
            activations: Vec::new(),
            cut: Vec::new(),
            paths: Paths::default(),
            row_paths: Vec::new(),
            along: Along::default(),
            kinks: Vec::new(),
            ambiguous: Vec::new(),
            held_first: Vec::new(),
            trial: Vec::new(),
            first_joints: JointRows { impulses: vec![0.0; model.n_v()], ..JointRows::default() },
            bounce_joints: JointRows { impulses: vec![0.0; model.n_v()], ..JointRows::default() },
            joints: JointRows { impulses: vec![0.0; model.n_v()], ..JointRows::default() },
            before: State::neutral(model),
            v_first: vec![0.0; model.n_v()],
            n_controllers: sim.controllers().len(),
            by_differences: 0,
            first_spring_row: 0,
            n_rows: 0,
            n_colliders: sim.geometry().colliders().len(),
            n_pairs: sim.view().pairs.len(),
            slopes: SlopeWorkspace::default(),
            field: Vec::new(),
            report: None,
            dt: sim.settings.dt,
            sc: super::products::ProductScratch::new(model.n_v()),
            parameters_wanted: true,
            cuts: Cuts::default(),
            lifts: Lifts::default(),
            parts: Parts::default(),
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
        let v_out = if tape.solved { &tape.v_first } else { &sim.state().v };
        self.read_commands(&view, (&tape.activations, v_out), self.dt)?;
        self.read_paths(&view);
        let (drive, first) = (view.drive, super::rows::first_motor_row(&view, self.dt));
        let along = drive.actuation.springs.len() + drive.actuation.tethers.len();
        self.n_rows = first + drive.motors.len() + drive.springs.len() + along;
        let trees = Trees { group: view.tree, pushed: &tape.pushed };
        let road = if tape.tamed { Road::Open } else { Road::Flight(trees) };
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
        self.read_rooms(sim, &view);
        self.read_sites(&view, sim)?;
        if tape.solved {
            self.solves(sim, &view)?;
        }
        self.read_cuts(sim, &view);
        self.v_move.copy_from_slice(view.v_move);
        for (dof, pushed) in self.pushed.iter_mut().enumerate() {
            *pushed = view.pushed_trees[view.tree[dof]];
            self.flying[dof] = !*pushed;
        }
        let v_end = if tape.brakes.is_empty() { &sim.state().v } else { &tape.unbraked };
        if self.has_loops {
            let good = self.settle.build(&self.model, &tape.moved, sim.state());
            kinematics(&self.model, &sim.state().q, &mut self.end);
            let (from, to, metric) = (&tape.moved, sim.state(), tape.start_metric);
            let done = self.settled.build(&self.model, from, to, v_end, &self.end, metric);
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
}

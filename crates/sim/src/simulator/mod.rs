//! One time step as a straight road.
//!
//! ```text
//!     forces → collision → free velocity → rows → solve → velocity → overlap undone → positions → report
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
//!
//! What a step would make of energy in spite of all this is taken from its motion (`guard`).

mod advance;
mod afford;
mod ahead;
mod bounce;
mod clock;
mod curb;
mod edit;
mod equip;
mod face;
mod fly;
mod guard;
mod heirs;
mod hold;
mod idle;
mod law;
mod memory;
mod patch;
mod peace;
mod placed;
mod press;
mod reactions;
mod read;
mod record;
mod start;
mod surfaces;
mod thin;
mod touch;
mod trees;
mod undo;
mod view;

use std::sync::Arc;
use std::time::Instant;

use gudgeon_collide::Geometry;
use gudgeon_contact::Assembly;
use gudgeon_lcp::ProblemError;
use gudgeon_multibody::{
    ConstraintRows, ConstraintSolver, LimitRow, MassFactor, MassMatrix, Model, State, Stepper, Workspace,
    kinematics, loop_gap, velocities,
};
use gudgeon_spatial::{Force, Motion};

use crate::contact_info::ContactInfo;
use crate::crew::Crew;
use crate::drive::Drive;
use crate::fingerprint::Fingerprint;
use crate::frame::Mode;
use crate::recover::Recovery;
use crate::report::{Fallback, SolveReport, StepError, StepReport};
use crate::settings::{Integrator, Settings};
use crate::solve::Ladder;
use crate::tape::Tape;
pub(crate) use bounce::Bounce;
pub use clock::Clock;
use equip::Sensing;
use guard::Guard;
use law::Rubbing;
use memory::{Forces, Layout, Meeting, Pushed, Scout, Velocities};
use placed::Depths;
pub use reactions::{Reactions, Work};
use surfaces::Surfaces;
pub(crate) use view::View;

/// What `ws` was last brought to.
#[derive(Debug, Clone)]
struct Stood {
    at: State,
    /// Whether it is still there: not within a step, nor after one that failed.
    still: bool,
}

/// What became of the present step.
#[derive(Debug, Clone, Copy, Default)]
struct Course {
    /// Contacts of meshes are sought within the whole margin.
    outrun: bool,
    /// It led higher than all energy there was, and ended at rest.
    curbed: bool,
    /// It had no answer and was kept from leading deeper.
    held: bool,
}

/// A scene in motion.
#[derive(Debug, Clone)]
pub struct Simulator {
    pub(crate) model: Model,
    passive: Model, // the model with the springs of controllers on its dofs
    geometry: Arc<Geometry>,
    surfaces: Surfaces,
    layout: Layout,
    /// Steps and solver; may be changed between steps.
    pub settings: Settings,
    /// Joint forces of the caller, n_v, N m or N, held until changed.
    pub control: Vec<f64>,
    /// Forces of the caller on links, world axes about their origins; empty or n_links.
    pub external: Vec<Force>,
    pub(crate) state: State,
    stood: Stood,
    weighed: bool,  // whether `mass` is that of this step
    at_peace: bool, // whether no row is asked to push, so that none was divided by the mass factor
    pub(crate) time: f64,
    pub(crate) steps: u64,
    pub(crate) clock: Clock,
    drive: Drive,
    stepper: Stepper,
    constraints: ConstraintRows,
    settling: ConstraintSolver,
    ws: Workspace,
    mass: MassMatrix,
    factor: MassFactor,
    crew: Crew,
    meeting: Meeting,
    scout: Scout,
    pub(crate) contacts: Vec<ContactInfo>,
    assembly: Assembly,
    pub(crate) ladder: Ladder,
    pub(crate) recovery: Recovery,
    limits: Vec<LimitRow>,
    flown: Vec<Motion>,      // scratch of `press`, by link
    wide: Vec<(usize, f64)>, // bounded rows whose bounds, N s, are left out until an answer reaches them
    ahead: State,            // where RK4 would go
    v: Velocities,
    pub(crate) forces: Forces,
    pub(crate) pushed: Pushed,
    bounces: Vec<Bounce>,
    rubbing: Rubbing,
    fallbacks: [u64; Fallback::ALL.len()],
    penetration: f64,
    pub(crate) depths: Depths,
    course: Course,
    pub(crate) guard: Guard,
    pub(crate) fingerprint: Fingerprint, // of the scene it was made of
    pub(crate) tape: Tape,               // what a derivative wants to know of the step
    sensing: Sensing,
    stepped: bool,  // whether the state is where a step led
    started: State, // where the last step began
}

impl Simulator {
    /// Kinematics of the present state, left in `ws`.
    fn stand(&mut self) {
        kinematics(&self.model, &self.state.q, &mut self.ws);
        velocities(&self.model, &self.state.v, &mut self.ws);
        self.stood.at.q.copy_from_slice(&self.state.q);
        self.stood.at.v.copy_from_slice(&self.state.v);
        self.stood.still = true;
        self.guard.stands = false;
    }

    fn has_loops(&self) -> bool {
        !(self.model.loops().is_empty() && self.model.couplings().is_empty())
    }

    /// What the step is taken by: motions that are given are known at the times of Euler and of RK4 only.
    fn integrator(&self) -> Integrator {
        match (self.settings.integrator, self.drive.prescribed.is_some()) {
            (Integrator::Carried, true) => Integrator::Euler,
            (asked, _) => asked,
        }
    }

    /// Advances by one step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let dt = self.settings.dt;
        self.tape.begin(&self.state, self.time, self.drive.controllers());
        self.started.q.copy_from_slice(&self.state.q);
        self.started.v.copy_from_slice(&self.state.v);
        self.force(dt);
        self.check_forces()?;
        // a carried step touches where it leads to; any other where it starts, and its flight sees what is in the way
        if self.integrator() == Integrator::Carried {
            self.fly(dt)?;
        }
        let began = Instant::now();
        self.course.outrun = false;
        self.course.curbed = false;
        self.touch(dt);
        let collision_seconds = began.elapsed().as_secs_f64();
        if self.integrator() != Integrator::Carried {
            self.fly(dt)?;
        }
        self.v.flown.copy_from_slice(&self.v.free);
        self.assemble(dt)?;
        let problem = |error, time| StepError::Problem { error, time };
        let began = Instant::now();
        let mut solve = self.solve(dt).map_err(|error| problem(error, self.time))?;
        let mut solver_seconds = began.elapsed().as_secs_f64();
        let mut round = 0;
        loop {
            let outran = self.outruns(dt);
            let met = !outran && self.meets(dt, round);
            let woken = !outran && self.wake(dt, round);
            if !(outran || met || woken) {
                break;
            }
            round += usize::from(!outran);
            self.assemble(dt)?;
            let began = Instant::now();
            solve = self.solve(dt).map_err(|error| problem(error, self.time))?;
            solver_seconds += began.elapsed().as_secs_f64();
        }
        self.look_ahead(dt).map_err(|error| problem(error, self.time))?;
        self.read_actuators(dt);
        self.advance(dt)?;
        self.drive.activate(dt);
        Ok(StepReport {
            time: self.time,
            contacts: self.contacts.len(),
            active: self.contacts.iter().filter(|c| c.mode != Mode::Open).count(),
            solve,
            penetration: self.penetration,
            deepened: self.depths.deepened,
            held: self.course.held,
            curbed: self.course.curbed,
            recovery: self.recovery.status,
            loop_gap: if self.has_loops() { loop_gap(&self.model, &self.ws) } else { 0.0 },
            collision_seconds,
            solver_seconds,
            integrator: self.integrator(),
        })
    }

    /// What the stages of the last solve of the last step did, in order.
    pub fn stages(&self) -> &[gudgeon_lcp::StageReport] {
        self.ladder.stages()
    }

    /// Impulses, and with them `v.next` and what positions follow, `v.moves`.
    fn solve(&mut self, dt: f64) -> Result<Option<SolveReport>, ProblemError> {
        self.v.next.copy_from_slice(&self.v.free);
        self.pushed.trees.fill(false);
        self.forces.joints.copy_from_slice(&self.drive.tau);
        self.forces.rows.fill(0.0);
        self.bounces.clear();
        self.recovery.begin();
        self.forget_placed();
        self.note_depth();
        self.course.held = false;
        if self.assembly.n_unknown() == 0 {
            self.v.moves.copy_from_slice(&self.v.next);
            return Ok(None);
        }
        if self.at_peace {
            return Ok(Some(self.rest()));
        }
        let mut report = self.solve_law()?;
        if self.reaches_wide_bounds() {
            report = self.solve_law()?;
        }
        self.fallbacks[report.fallback as usize] += 1;
        let Self { model, factor, assembly, ladder, .. } = self;
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v.next);
        self.v.moves.copy_from_slice(&self.v.next);
        self.tape.keep_first(&self.ladder, &self.v.next, &self.v.free);
        if self.find_bounces(dt) {
            self.bounce(dt, &mut report)?;
        }
        self.read_answer(dt);
        self.course.held = self.hold(dt, &report)?;
        self.recover(dt)?;
        Ok(Some(report))
    }
}

impl Simulator {
    /// Puts bounds that were left out back where the answer reaches one of them.
    fn reaches_wide_bounds(&mut self) -> bool {
        let Self { assembly, ladder, wide, .. } = self;
        let impulses = &ladder.solution.impulses;
        let first = impulses.len() - assembly.n_bounded();
        let reached = wide.iter().any(|&(k, most)| impulses[first + k].abs() > most);
        if reached {
            wide.drain(..).for_each(|(k, most)| assembly.set_bounds(k, -most, most));
        }
        reached
    }
}

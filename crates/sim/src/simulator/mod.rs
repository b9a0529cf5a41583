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
mod fly;
mod guard;
mod heirs;
mod hold;
mod idle;
mod law;
mod patch;
mod peace;
mod placed;
mod press;
mod reactions;
mod read;
mod record;
mod thin;
mod touch;
mod undo;
mod view;

use std::sync::Arc;
use std::time::Instant;

use gudgeon_collide::{Aabb, Collider, CollisionWorkspace, ContactPoint, Geometry, Shape};
use gudgeon_contact::Assembly;
use gudgeon_lcp::ProblemError;
use gudgeon_multibody::{
    ConstraintRows, ConstraintSolver, LimitRow, LinkId, MassFactor, MassMatrix, Model, State, Stepper,
    Workspace, kinematics, loop_gap, velocities,
};
use gudgeon_spatial::{Force, Motion, Vector3};
use nalgebra::Isometry3;

use crate::contact_info::ContactInfo;
use crate::crew::Crew;
use crate::drive::Drive;
use crate::equipment::Senses;
use crate::error::SceneError;
use crate::fingerprint::Fingerprint;
use crate::frame::Mode;
use crate::recover::Recovery;
use crate::report::{Fallback, SolveReport, StepError, StepReport};
use crate::scene::Scene;
use crate::settings::{Integrator, Settings};
use crate::solve::Ladder;
use crate::surface::{Grip, Material};
use crate::tape::Tape;
pub(crate) use bounce::Bounce;
pub use clock::Clock;
use guard::Guard;
pub use reactions::{Reactions, Work};
use thin::Thinning;
pub(crate) use view::View;

/// A scene in motion.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each says something else of the step")]
pub struct Simulator {
    pub(crate) model: Model,
    passive: Model, // the model with the springs of controllers on its dofs
    geometry: Arc<Geometry>,
    surface: Vec<Material>,   // by collider
    belts: Vec<Vector3<f64>>, // by collider: how its surface runs, link axes, m/s; empty if none does
    grips: Vec<Grip>,         // by collider; empty if none says anything
    links: Vec<LinkId>,       // by collider
    reach: Vec<f64>,          // by link: farthest point of its shapes from its origin, m
    solid: Vec<bool>,         // by link: whether it has shapes
    near: Vec<f64>,           // by link: fastest point of its shapes, m/s
    aside: Vec<f64>,          // the same as seen from the root of its tree
    boxes: Vec<Option<Aabb>>, // by link: around its shapes, link axes
    margin_by_size: f64,      // m, where the settings give none
    outrun: bool,             // contacts of meshes are sought within the whole margin
    pairs: Vec<(usize, usize, Material)>,
    combine: crate::surface::Combine,
    tree: Vec<usize>,           // by dof: the group of trees it belongs to
    groups: Vec<Option<usize>>, // by link: likewise, if anything moves it
    roots: Vec<Option<LinkId>>, // by link: the first link of its group, if anything moves it
    /// Steps and solver; may be changed between steps.
    pub settings: Settings,
    /// Joint forces of the caller, n_v, N m or N, held until changed.
    pub control: Vec<f64>,
    /// Forces of the caller on links, world axes about their origins; empty or n_links.
    pub external: Vec<Force>,
    pub(crate) state: State,
    stood: State,   // what `ws` was last brought to
    stands: bool,   // whether it is still there: not within a step, nor after one that failed
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
    scout: CollisionWorkspace, // of what lies ahead
    met: Vec<ContactPoint>,    // there
    led: Vec<Isometry3<f64>>,  // poses there
    poses: Vec<Isometry3<f64>>,
    points: Vec<ContactPoint>,
    pub(crate) contacts: Vec<ContactInfo>,
    waiting: Vec<ContactInfo>, // near, but not to close in this step
    heirs: heirs::Heirs,
    thinning: Thinning,
    assembly: Assembly,
    pub(crate) ladder: Ladder,
    pub(crate) recovery: Recovery,
    limits: Vec<LimitRow>,
    flown: Vec<Motion>,      // scratch of `press`, by link
    wide: Vec<(usize, f64)>, // bounded rows whose bounds, N s, are left out until an answer reaches them
    ahead: State,            // where RK4 would go
    v_free: Vec<f64>,
    v_flown: Vec<f64>, // v_free before loops were put on it
    v_next: Vec<f64>,
    v_move: Vec<f64>, // what positions follow
    diagonal: Vec<f64>,
    tau: Vec<f64>,
    moved: Vec<f64>,                    // what undoing overlap adds to v_move
    speeds: Vec<f64>,                   // by group: fastest point at the start of the step, m/s
    pushed: Vec<bool>,                  // by dof
    drifts: Vec<bool>, // by dof: in flight, positions follow the velocity at the start of the step
    pub(crate) pushed_trees: Vec<bool>, // by group
    pub(crate) joint_forces: Vec<f64>,
    pub(crate) row_forces: Vec<f64>, // the part of them that limits, motors and friction gave
    pub(crate) expected: Vec<Force>, // by link
    bounces: Vec<Bounce>,
    yielded: Vec<usize>, // contacts that have the friction of sliding in this step
    last_normals: Vec<(u64, f64)>, // by contact id: normal forces of the step before, N; for friction that follows them
    fallbacks: [u64; Fallback::ALL.len()],
    penetration: f64,
    pub(crate) depth: f64, // deepest overlap so far, of the smaller body's reach, that bodies were not placed with
    pub(crate) placed_depth: f64, // the same of what they were placed with; negative before it was looked at
    deepened: bool,
    curbed: bool,
    held: bool, // whether the step had no answer and was kept from leading deeper
    pub(crate) guard: Guard,
    pub(crate) fingerprint: Fingerprint, // of the scene it was made of
    pub(crate) tape: Tape,               // what a derivative wants to know of the step
    seen: Arc<Vec<(LinkId, Shape, Isometry3<f64>)>>, // what rays of sensors meet; empty without such
    senses: Senses,
    accelerations: Vec<f64>, // of the last step, n_v
    limit_forces: Vec<f64>,  // n_v
    stepped: bool,           // whether the state is where a step led
    started: State,          // where the last step began
}

impl Simulator {
    /// A scene at its start. Loops are closed first.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        let model = scene.model.clone();
        let drive = Drive::new(scene)?;
        let mut geometry = Geometry::new();
        let mut reach = vec![0.0_f64; model.n_links()];
        let mut solid = vec![false; model.n_links()];
        let mut boxes = vec![None; model.n_links()];
        for placed in &scene.colliders {
            let shape = placed.shape.clone();
            solid[placed.link.0] = true;
            let collider = match placed.link {
                LinkId::WORLD => Collider::fixed(shape),
                link => Collider::new(shape, link.0),
            };
            let aabb = placed.shape.aabb(&placed.pose);
            let far = aabb.lo.abs().sup(&aabb.hi.abs()).norm();
            if far.is_finite() {
                reach[placed.link.0] = reach[placed.link.0].max(far);
                let around = boxes[placed.link.0].map_or(aabb, |b: Aabb| b.join(&aabb));
                boxes[placed.link.0] = Some(around);
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
        scene.meeting.iter().for_each(|&(a, b)| geometry.meet(a, b));
        let mut sim = Self {
            surface: scene.colliders.iter().map(|c| scene.materials[c.material]).collect(),
            belts: law::belts(scene),
            grips: equip::grips(scene),
            links: scene.colliders.iter().map(|c| c.link).collect(),
            near: vec![0.0; reach.len()],
            aside: vec![0.0; reach.len()],
            solid,
            reach,
            boxes,
            margin_by_size: idle::margin_by_size(scene),
            outrun: false,
            pairs: sorted_pairs(&scene.pairs),
            combine: scene.combine,
            groups: link_groups(&model),
            roots: link_roots(&model),
            tree: tree_groups(&model),
            settings: scene.settings.clone(),
            control: vec![0.0; model.n_v()],
            external: Vec::new(),
            state: scene.initial.clone(),
            stood: scene.initial.clone(),
            stands: false,
            weighed: false,
            at_peace: false,
            time: 0.0,
            steps: 0,
            clock: Clock::new(scene.settings.dt),
            drive,
            stepper: Stepper::new(&model),
            constraints: ConstraintRows::default(),
            settling: ConstraintSolver::new(&model),
            ws: Workspace::new(&model),
            mass: MassMatrix::new(&model),
            factor: MassFactor::new(&model),
            crew: Crew::default(),
            scout: CollisionWorkspace::default(),
            met: Vec::new(),
            led: Vec::new(),
            poses: vec![Isometry3::identity(); model.n_links()],
            points: Vec::new(),
            contacts: Vec::new(),
            waiting: Vec::new(),
            heirs: heirs::Heirs::default(),
            thinning: Thinning::default(),
            assembly: Assembly::default(),
            ladder: Ladder::default(),
            recovery: Recovery::default(),
            limits: Vec::new(),
            flown: Vec::with_capacity(model.n_links()),
            wide: Vec::new(),
            ahead: scene.initial.clone(),
            v_free: vec![0.0; model.n_v()],
            v_flown: vec![0.0; model.n_v()],
            v_next: vec![0.0; model.n_v()],
            v_move: vec![0.0; model.n_v()],
            diagonal: vec![0.0; model.n_v()],
            tau: vec![0.0; model.n_v()],
            moved: vec![0.0; model.n_v()],
            speeds: vec![0.0; model.n_v()],
            pushed: vec![false; model.n_v()],
            drifts: vec![false; model.n_v()],
            pushed_trees: vec![false; model.n_v()],
            joint_forces: vec![0.0; model.n_v()],
            row_forces: vec![0.0; model.n_v()],
            expected: Vec::new(),
            bounces: Vec::new(),
            yielded: Vec::new(),
            last_normals: Vec::new(),
            fallbacks: [0; Fallback::ALL.len()],
            penetration: 0.0,
            depth: 0.0,
            placed_depth: -1.0,
            deepened: false,
            curbed: false,
            held: false,
            guard: Guard::default(),
            fingerprint: Fingerprint::of(scene),
            tape: Tape::default(),
            seen: equip::seen(scene),
            senses: Senses::default(),
            accelerations: vec![0.0; model.n_v()],
            limit_forces: vec![0.0; model.n_v()],
            stepped: false,
            started: scene.initial.clone(),
            passive: model.clone(),
            geometry: Arc::new(geometry),
            model,
        };
        sim.guard = Guard::new(&sim.model, &sim.tree);
        sim.drive.place(&mut sim.state, 0.0);
        if sim.has_loops() {
            let projection = sim.settling.settle_with(
                &sim.model,
                &mut sim.state,
                sim.drive.prescribed.as_ref(),
                &mut sim.ws,
            );
            // the same as in a step: files write lengths to six decimals, and loops that are closed twice over by such
            // numbers stay open by the last of them
            if projection.error.is_nan() || projection.error > advance::OPEN_LOOP {
                return Err(SceneError::Assembly(format!("an error of {:.1e} is left", projection.error)));
            }
        }
        sim.stand();
        Ok(sim)
    }

    /// Kinematics of the present state, left in `ws`.
    fn stand(&mut self) {
        kinematics(&self.model, &self.state.q, &mut self.ws);
        velocities(&self.model, &self.state.v, &mut self.ws);
        self.stood.q.copy_from_slice(&self.state.q);
        self.stood.v.copy_from_slice(&self.state.v);
        self.stands = true;
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
        self.outrun = false;
        self.curbed = false;
        self.touch(dt);
        let collision_seconds = began.elapsed().as_secs_f64();
        if self.integrator() != Integrator::Carried {
            self.fly(dt)?;
        }
        self.v_flown.copy_from_slice(&self.v_free);
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
            deepened: self.deepened,
            held: self.held,
            curbed: self.curbed,
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

    /// Impulses, and with them `v_next` and what positions follow, `v_move`.
    fn solve(&mut self, dt: f64) -> Result<Option<SolveReport>, ProblemError> {
        self.v_next.copy_from_slice(&self.v_free);
        self.pushed_trees.fill(false);
        self.joint_forces.copy_from_slice(&self.drive.tau);
        self.row_forces.fill(0.0);
        self.bounces.clear();
        self.recovery.begin();
        self.forget_placed();
        self.note_depth();
        self.held = false;
        if self.assembly.n_unknown() == 0 {
            self.v_move.copy_from_slice(&self.v_next);
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
        assembly.velocity(model, factor, &ladder.solution.impulses, &mut self.v_next);
        self.v_move.copy_from_slice(&self.v_next);
        self.tape.keep_first(&self.ladder, &self.v_next, &self.v_free);
        if self.find_bounces(dt) {
            self.bounce(dt, &mut report)?;
        }
        self.read_answer(dt);
        self.held = self.hold(dt, &report)?;
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

fn sorted_pairs(pairs: &[(usize, usize, Material)]) -> Vec<(usize, usize, Material)> {
    let mut sorted: Vec<_> = pairs.iter().map(|&(a, b, m)| (a.min(b), a.max(b), m)).collect();
    sorted.sort_by_key(|p| (p.0, p.1));
    sorted
}

/// By link: the group of the dof that moves it, if one does.
fn link_groups(model: &Model) -> Vec<Option<usize>> {
    let groups = tree_groups(model);
    (0..model.n_links()).map(|k| moving_dof(model, LinkId(k)).map(|dof| groups[dof])).collect()
}

/// By link: the link that the first dof of its group moves, if it has one.
fn link_roots(model: &Model) -> Vec<Option<LinkId>> {
    let first = |dof: usize| model.links().iter().position(|l| l.joint.n_v() > 0 && l.v_start == dof);
    link_groups(model).into_iter().map(|group| first(group?).map(LinkId)).collect()
}

/// The first dof of the nearest joint that moves the link.
fn moving_dof(model: &Model, link: LinkId) -> Option<usize> {
    let mut at = link;
    while at != LinkId::WORLD && model.link(at).joint.n_v() == 0 {
        at = model.link(at).parent;
    }
    (at != LinkId::WORLD).then(|| model.link(at).v_start)
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
    let dof_of = |link: LinkId| moving_dof(model, link);
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

//! Everything kept of one moment of a run.

mod bytes;

pub use gudgeon_lcp::ContactMode as Mode;
use serde_json::Value;

/// One body in one frame: place and motion of its frame's origin, world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyFrame {
    /// m.
    pub position: [f64; 3],
    /// w x y z.
    pub orientation: [f64; 4],
    /// m/s.
    pub velocity: [f64; 3],
    /// rad/s.
    pub angular_velocity: [f64; 3],
}

/// One contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactFrame {
    /// Link index of a; 0 is the world.
    pub a: u32,
    /// Link index of b.
    pub b: u32,
    /// Stable name of the contact.
    pub id: u64,
    /// World, m.
    pub point: [f64; 3],
    /// Unit, from b into a.
    pub normal: [f64; 3],
    /// m, negative is overlap.
    pub gap: f64,
    /// On a, world axes, N (impulse over dt).
    pub force: [f64; 3],
    /// Open, stick or slip.
    pub mode: Mode,
    /// Coefficient of friction; recordings of the first version do not tell it.
    pub friction: Option<f64>,
    /// Of a against b at the end of the step, world axes, m/s, tangential part; told since the fourth version.
    pub slip: Option<[f64; 3]>,
}

/// What a stage of the solver did in the last solve of a step, all its runs together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageFrame {
    /// Number in the header's `stages`.
    pub stage: u8,
    /// Whether its answer was taken, of any part of the problem.
    pub won: bool,
    /// How often it ran.
    pub runs: u32,
    /// Factorisations of the size of the problem.
    pub factorisations: u32,
    /// The scaled residual before its first run; infinite if nothing was measured.
    pub before: f64,
    /// And after its last.
    pub after: f64,
    /// Wall time, s; zero where times are not kept.
    pub seconds: f64,
}

/// Wall times of a step, s. Two recordings of one run differ in these, so they are kept only where asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timings {
    /// Collision detection.
    pub collision: f64,
    /// The solver.
    pub solver: f64,
}

/// What joints and loops carried in the step that led here: see [`crate::Reactions`]. Wrenches are force, then moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReactionFrame {
    /// By dof, N or N m.
    pub motors: Vec<f64>,
    /// By dof, N or N m.
    pub limits: Vec<f64>,
    /// By link but the world: through its joint, in the joint's own frame.
    pub joints: Vec<[f64; 6]>,
    /// By loop: on its second link, in the frame on its first.
    pub loops: Vec<[f64; 6]>,
    /// W: motors, pushes, friction, impacts, joints.
    pub power: [f64; 5],
}

/// What a hand did in the step that led here.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PullFrame {
    /// 0 a spring to the hand, 1 a push, 2 a body fixed in space.
    pub kind: u32,
    /// Link index.
    pub body: u32,
    /// Where it acts, world, m.
    pub point: [f64; 3],
    /// Where it pulls to, world, m.
    pub target: [f64; 3],
    /// World, N.
    pub force: [f64; 3],
}

/// Everything kept of one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// s.
    pub time: f64,
    /// Hash of the state.
    pub hash: u64,
    /// Kinetic and potential, J.
    pub energy: [f64; 2],
    /// Deepest overlap, m, ≥ 0.
    pub penetration: f64,
    /// Largest loop gap, m.
    pub loop_gap: f64,
    /// Natural residual of the solve, scaled.
    pub residual: f64,
    /// Pivots of the solve.
    pub pivots: u32,
    /// Status of the solve as in [`crate::StepReport`]: 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget, 5 nothing to solve.
    pub status: u8,
    /// Rung of the fallback ladder: 0 none.
    pub fallback: u8,
    /// Every link but the world, in order.
    pub bodies: Vec<BodyFrame>,
    /// The contacts of the step that led here.
    pub contacts: Vec<ContactFrame>,
    /// Joint forces, n_v: of controllers, motors, friction, limits and driven joints.
    pub joint_forces: Vec<f64>,
    /// Positions, n_q.
    pub q: Vec<f64>,
    /// Velocities, n_v.
    pub v: Vec<f64>,
    /// Readings of the sensors, one after another as in the header.
    pub sensors: Vec<f64>,
    /// What the stages of the solver did, in the order they were first tried.
    pub stages: Vec<StageFrame>,
    /// Wall times, where they are kept.
    pub timings: Option<Timings>,
    /// What joints and loops carried, where it is kept.
    pub reactions: Option<ReactionFrame>,
    /// What hands did to a live run before this frame and after the one before it: the step, and the act.
    pub acts: Vec<(u64, Value)>,
    /// The forces of hands in the step that led here.
    pub pulls: Vec<PullFrame>,
}

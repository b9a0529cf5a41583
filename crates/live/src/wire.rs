//! A moment as the bytes that a page draws: f32 throughout, for a screen has seven digits.
//!
//! ```text
//!     u32 2   u32 seq   f64 time   f64 step   u32 version   u32 flags (1 running, 2 recording, 4 answers an order)
//!     u32 bodies, contacts, pulls, joints, stages, readings   u32 hash, low and high   u32 pivots   u8 status, fallback, 0, 0
//!     f32 kinetic, potential, penetration, loop gap, residual, real-time factor, seconds of a step, of its solver, of its
//!         collision detection
//!     of every body     9 f32: position, quaternion w x y z, speed, spin
//!     of every contact 15 f32: a, b, mode, point, normal, force on a, gap, friction, speed of slip
//!     of every pull    11 f32: kind, body, point, target, force
//!     of every joint    3 f32: coordinate, rate, force; dofs with a coordinate of their own, in order
//!     of every stage    7 f32: number, whether it won, runs, factorisations, residual before and after, seconds
//!     of every sensor   its readings, f32
//! ```
//! Little-endian; the header is 108 bytes, so that everything after it stands at a multiple of four.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Simulator, StageFrame, StepReport};

use crate::hands::{Pull, PullKind};

const HEAD: usize = 108;

/// What a page is told besides the state.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beat {
    /// Counts the frames sent.
    pub seq: u32,
    /// Changes when bodies come or go.
    pub version: u32,
    /// Whether the clock runs.
    pub running: bool,
    /// Whether frames are kept.
    pub recording: bool,
    /// Whether it answers an order, and should be there at once.
    pub urgent: bool,
    /// Simulated seconds per second.
    pub factor: f64,
    /// Seconds that a step took.
    pub step_seconds: f64,
    /// What the last step did.
    pub report: Option<StepReport>,
}

/// Dofs with a coordinate of their own, on joints of up to three: those a slider can move.
pub fn joint_dofs(sim: &Simulator) -> Vec<usize> {
    let model = sim.model();
    (0..model.n_v()).filter(|&d| model.dof_coordinate(d).is_some()).collect()
}

/// What a frame has besides the state of the bodies and contacts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// What hands do.
    pub pulls: &'a [Pull],
    /// Dofs to tell of.
    pub joints: &'a [usize],
    /// What the solver did.
    pub stages: &'a [StageFrame],
    /// Of sensors.
    pub readings: &'a [f64],
}

/// Whether a frame says that it answers an order.
pub(crate) fn is_urgent(frame: &[u8]) -> bool {
    frame.get(28).is_some_and(|flags| flags & 4 != 0)
}

/// Of a frame, as pages acknowledge it.
pub(crate) fn number(frame: &[u8]) -> u32 {
    frame.get(4..8).map_or(0, |b| u32::from_le_bytes(b.try_into().unwrap_or_default()))
}

/// The moment as bytes.
pub fn encode(sim: &Simulator, beat: &Beat, extras: &Extras) -> Vec<u8> {
    let Extras { pulls, joints, stages, readings } = *extras;
    let bodies = sim.model().n_links() - 1;
    let contacts = sim.contacts();
    let counts = [bodies, contacts.len(), pulls.len(), joints.len(), stages.len(), readings.len()];
    let floats: usize = counts.iter().zip([9, 15, 11, 3, 7, 1]).map(|(n, width)| n * width).sum();
    let mut out = Bytes(Vec::with_capacity(HEAD + 4 * floats));
    head(&mut out, sim, beat, counts);
    for k in 1..=bodies {
        let b = sim.body(LinkId(k));
        out.floats(&b.position);
        out.floats(&b.orientation);
        out.floats(&[norm(&b.velocity), norm(&b.angular_velocity)]);
    }
    for c in contacts {
        out.floats(&[c.a.0 as f64, c.b.0 as f64, f64::from(c.mode as u8)]);
        out.floats(c.point.as_slice());
        out.floats(c.normal.as_slice());
        out.floats(c.force.as_slice());
        out.floats(&[c.gap, c.material.friction, c.slip.norm()]);
    }
    for p in pulls {
        let kind = match p.kind {
            PullKind::Grab => 0.0,
            PullKind::Push => 1.0,
            PullKind::Pin => 2.0,
        };
        out.floats(&[kind, p.body as f64]);
        out.floats(p.point.as_slice());
        out.floats(p.target.as_slice());
        out.floats(p.force.as_slice());
    }
    let (state, forces) = (sim.state(), sim.joint_forces());
    for &dof in joints {
        let q = sim.model().dof_coordinate(dof).map_or(0.0, |k| state.q[k]);
        out.floats(&[q, state.v[dof], forces[dof]]);
    }
    for s in stages {
        let won = f64::from(u8::from(s.won));
        out.floats(&[f64::from(s.stage), won, f64::from(s.runs), f64::from(s.factorisations)]);
        out.floats(&[s.before, s.after, s.seconds]);
    }
    out.floats(readings);
    out.0
}

fn head(out: &mut Bytes, sim: &Simulator, beat: &Beat, counts: [usize; 6]) {
    out.word(2);
    out.word(beat.seq);
    out.double(sim.time());
    out.double(sim.steps() as f64);
    out.word(beat.version);
    out.word(u32::from(beat.running) | u32::from(beat.recording) << 1 | u32::from(beat.urgent) << 2);
    for n in counts {
        out.word(u32::try_from(n).unwrap_or(u32::MAX));
    }
    let hash = sim.state_hash().to_le_bytes();
    out.0.extend_from_slice(&hash);
    let solve = beat.report.and_then(|r| r.solve);
    out.word(solve.map_or(0, |s| u32::try_from(s.pivots).unwrap_or(u32::MAX)));
    // 5: nothing to solve, as in recordings
    out.0.extend_from_slice(&[
        solve.map_or(5, |s| s.status as u8),
        solve.map_or(0, |s| s.fallback as u8),
        0,
        0,
    ]);
    let [kinetic, potential] = sim.energy();
    let report = |of: fn(&StepReport) -> f64| beat.report.as_ref().map_or(0.0, of);
    out.floats(&[kinetic, potential, report(|r| r.penetration), report(|r| r.loop_gap)]);
    out.floats(&[solve.map_or(0.0, |s| s.residual.natural), beat.factor, beat.step_seconds]);
    out.floats(&[report(|r| r.solver_seconds), report(|r| r.collision_seconds)]);
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn word(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn double(&mut self, x: f64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    #[expect(clippy::cast_possible_truncation, reason = "what the screen shows has seven digits")]
    fn floats(&mut self, list: &[f64]) {
        for x in list {
            self.0.extend_from_slice(&(*x as f32).to_le_bytes());
        }
    }
}

//! A step's derivative held against central differences of the step.

use gudgeon_multibody::{LinkId, Model, State, difference, integrate};
use gudgeon_sim::{
    Change, Controller, JointMotion, Kink, Linearization, Mode, Parameters, Scene, Simulator, Worth,
};
use gudgeon_spatial::{Force, Symmetric3, Vector3, Vector6};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

/// xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn range(&mut self, size: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        size * (2.0 * bits as f64 / (1_u64 << 53) as f64 - 1.0)
    }

    pub(crate) fn numbers(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.range(size)).collect()
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.range(1.0), self.range(1.0), self.range(1.0))
    }
}

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    Position,
    Velocity,
    Control,
    External,
    Friction,
    Restitution,
    Pose,
    Inertia,
    Gravity,
    Joints,
    Gains,
    Commands,
}

pub(crate) const INPUTS: [Input; 12] = [
    Input::Position,
    Input::Velocity,
    Input::Control,
    Input::External,
    Input::Friction,
    Input::Restitution,
    Input::Pose,
    Input::Inertia,
    Input::Gravity,
    Input::Joints,
    Input::Gains,
    Input::Commands,
];

/// A direction in everything that goes into a step.
#[derive(Debug, Clone)]
pub(crate) struct Direction {
    q: Vec<f64>,
    v: Vec<f64>,
    control: Vec<f64>,
    controllers: Vec<f64>,
    external: Vec<Force>,
    p: Parameters,
}

/// Where a step begins.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) state: State,
    pub(crate) control: Vec<f64>,
    pub(crate) external: Vec<Force>,
}

/// How one input of one state came out.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub(crate) input: Input,
    /// Of the change of the state, relative to its size.
    pub(crate) error: f64,
    /// How far the differences disagree among themselves.
    pub(crate) doubt: f64,
    /// The transpose against the product, relative.
    pub(crate) adjoint: f64,
    /// At a kink: error of the one-sided derivative along the direction against one-sided differences.
    pub(crate) one_sided: Option<f64>,
}

/// Where states come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Met on the way: what rests has gaps of nothing, so that its state is at a kink.
    Met,
    /// The same with every body moved a little: gaps and overlaps of all sizes.
    Random,
}

fn zero(p: Parameters, model: &Model) -> Direction {
    let n = model.n_v();
    let controllers = vec![0.0; p.gain.len()];
    Direction {
        q: vec![0.0; n],
        v: vec![0.0; n],
        control: vec![0.0; n],
        controllers,
        external: Vec::new(),
        p,
    }
}

fn direction(scene: &Scene, start: &Start, none: Parameters, input: Input, r: &mut Random) -> Direction {
    let model = &scene.model;
    let n = model.n_v();
    let mut d = zero(none, model);
    match input {
        Input::Position => d.q = closed(scene, start, r.numbers(n, 1.0)),
        Input::Velocity => d.v = closed(scene, start, r.numbers(n, 1.0)),
        Input::Control => d.control = r.numbers(n, 1.0),
        Input::External => {
            d.external = (0..model.n_links()).map(|_| Force::new(r.vector(), r.vector())).collect();
        }
        Input::Friction => {
            // there is no friction below none
            for (x, c) in d.p.friction.iter_mut().zip(&scene.colliders) {
                let rubs = scene.materials[c.material].friction > 0.0;
                *x = if rubs { r.range(1.0) } else { 0.0 };
            }
        }
        Input::Restitution => {
            // a surface without restitution does not bounce a little: another road, not a slope
            for (x, c) in d.p.restitution.iter_mut().zip(&scene.colliders) {
                let bounces = scene.materials[c.material].restitution > 0.0;
                *x = if bounces { r.range(1.0) } else { 0.0 };
            }
        }
        Input::Pose => {
            d.p.pose.iter_mut().for_each(|x| *x = Vector6::from_fn(|_, _| r.range(1.0)));
        }
        Input::Inertia => {
            for (i, x) in d.p.model.inertia.iter_mut().enumerate().skip(1) {
                let own = model.link(LinkId(i)).inertia;
                x.mass = own.mass * r.range(1.0);
                x.com = r.vector() * 0.1;
                let size = own.about_com.trace();
                x.about_com = std::array::from_fn(|_| 0.3 * size * r.range(1.0));
            }
        }
        Input::Gravity => d.p.model.gravity = r.vector(),
        Input::Joints => {
            for k in 0..n {
                let dof = model.dofs()[k];
                // a free body with damping is stepped as a tree, not as a body: another road, not a slope
                if model.dof_coordinate(k).is_none() {
                    continue;
                }
                d.p.model.damping[k] = r.range(1.0);
                d.p.model.armature[k] = r.range(0.1);
                if dof.stiffness > 0.0 {
                    d.p.model.stiffness[k] = r.range(1.0);
                    d.p.model.rest[k] = r.range(1.0);
                }
                if dof.friction > 0.0 {
                    d.p.joint_friction[k] = r.range(1.0);
                }
            }
        }
        Input::Commands => d.controllers.iter_mut().for_each(|x| *x = r.range(1.0)),
        Input::Gains => {
            d.p.gain.iter_mut().for_each(|x| *x = r.range(10.0));
            d.p.rate_gain.iter_mut().for_each(|x| *x = r.range(1.0));
        }
    }
    d
}

/// The scene with its parameters moved by h along d.
fn altered(scene: &Scene, d: &Direction, h: f64) -> Scene {
    let mut s = scene.clone();
    // each collider has a surface of its own, so that it can be changed alone
    let materials: Vec<_> = s.colliders.iter().map(|c| s.materials[c.material]).collect();
    for (k, c) in s.colliders.iter_mut().enumerate() {
        c.material = k;
        let pose = Vector3::new(d.p.pose[k][3], d.p.pose[k][4], d.p.pose[k][5]) * h;
        let turn = Vector3::new(d.p.pose[k][0], d.p.pose[k][1], d.p.pose[k][2]) * h;
        c.pose *= Isometry3::from_parts(Translation3::from(pose), UnitQuaternion::from_scaled_axis(turn));
    }
    s.materials = materials;
    for (k, m) in s.materials.iter_mut().enumerate() {
        m.friction += h * d.p.friction[k];
        m.restitution += h * d.p.restitution[k];
    }
    for (k, p) in s.pairs.iter_mut().enumerate() {
        p.2.friction += h * d.p.pair_friction[k];
        p.2.restitution += h * d.p.pair_restitution[k];
    }
    for (i, x) in d.p.model.inertia.iter().enumerate().skip(1) {
        let own = s.model.inertia_mut(LinkId(i));
        own.mass += h * x.mass;
        own.com += x.com * h;
        let c = x.about_com.map(|x| x * h);
        own.about_com += Symmetric3::new(c[0], c[1], c[2], c[3], c[4], c[5]);
    }
    for k in 0..s.model.n_v() {
        let dof = s.model.dof_mut(k);
        dof.damping += h * d.p.model.damping[k];
        dof.armature += h * d.p.model.armature[k];
        dof.stiffness += h * d.p.model.stiffness[k];
        dof.rest += h * d.p.model.rest[k];
        dof.friction += h * d.p.joint_friction[k];
    }
    s.model = s.model.clone().with_gravity(s.model.gravity() + d.p.model.gravity * h);
    for (k, c) in s.controllers.iter_mut().enumerate() {
        let more = h * d.controllers[k];
        match c {
            Controller::Pd { motion, stiffness, damping, .. } => {
                *stiffness += h * d.p.gain[k];
                *damping += h * d.p.rate_gain[k];
                // every motion of these scenes stays where it is
                *motion = JointMotion::constant(&motion.joints()[0], motion.at(0, 0.0)[0] + more);
            }
            Controller::Force { force, .. } => *force += more,
            Controller::Motor { velocity, .. } => *velocity += more,
            Controller::Actuator(a) => a.control += more,
            _ => {}
        }
    }
    s
}

/// A simulator that stands where the step begins.
pub(crate) fn begin(scene: &Scene, start: &Start) -> Simulator {
    let mut sim = Simulator::new(scene).unwrap();
    sim.settings.warm_start = false;
    sim.set_state(&start.state);
    sim.control.copy_from_slice(&start.control);
    sim.external.clone_from(&start.external);
    sim
}

/// A step that was taken.
#[derive(Debug, Clone)]
struct Moved {
    end: State,
    motion: Vec<f64>,
    /// What every contact that pushes did, and on which side of its gap: differences across two pieces are those of neither.
    piece: Vec<(usize, usize, Mode, bool)>,
}

fn after(scene: &Scene, start: &Start, d: &Direction, h: f64) -> Option<Moved> {
    let mut start = start.clone();
    integrate(&scene.model, &mut start.state.q, &d.q, h);
    start.state.v.iter_mut().zip(&d.v).for_each(|(x, d)| *x += h * d);
    start.control.iter_mut().zip(&d.control).for_each(|(x, d)| *x += h * d);
    if !d.external.is_empty() {
        start.external.resize(scene.model.n_links(), Force::zero());
        start.external.iter_mut().zip(&d.external).for_each(|(x, d)| *x += *d * h);
    }
    let mut sim = begin(&altered(scene, d, h), &start);
    let _ = sim.step().ok()?;
    // once more from the answer: of nine digits, which are enough for a solve, differences would show the last
    sim.settings.warm_start = true;
    sim.set_state(&start.state);
    let _ = sim.step().ok()?;
    let pushing = sim.contacts().iter().filter(|c| c.force.norm() > 0.0);
    let mut piece: Vec<_> = pushing.map(|c| (c.colliders.0, c.colliders.1, c.mode, c.gap > 0.0)).collect();
    piece.sort_unstable_by_key(|&(a, b, mode, apart)| (a, b, mode as u8, apart));
    let mut end = sim.state().clone();
    if looped(scene) {
        // a step leaves loops open by up to 1e-12 m; the derivative is that of closed ones
        let mut ws = gudgeon_multibody::Workspace::new(&scene.model);
        let mut closing = gudgeon_multibody::ConstraintSolver::new(&scene.model);
        closing.tolerance = 0.0;
        let _ = closing.settle(&scene.model, &mut end, &mut ws);
    }
    Some(Moved { end, motion: sim.motion().to_vec(), piece })
}

/// The change of the state along d from one step to another that began `length` further on, per unit.
///
/// Positions of metres have their last bit at 2e-16 m, a step of a millisecond moves them by 1e-6 m per m/s²: what differences
/// of them can tell is lost there. Where no loop is settled q⁺ = q ⊕ dt motion, and the difference is that of the motions,
/// put together on the manifold about its neutral element.
fn slope(scene: &Scene, d: &Direction, low: &Moved, high: &Moved, length: f64) -> [Vec<f64>; 2] {
    let model = &scene.model;
    let n = model.n_v();
    let mut dq = vec![0.0; n];
    if looped(scene) {
        difference(model, &low.end.q, &high.end.q, &mut dq);
    } else {
        let none = State::neutral(model).q;
        let mut q = none.clone();
        integrate(model, &mut q, &low.motion, -scene.settings.dt);
        integrate(model, &mut q, &d.q, length);
        integrate(model, &mut q, &high.motion, scene.settings.dt);
        difference(model, &none, &q, &mut dq);
    }
    for x in &mut dq {
        *x /= length;
    }
    let dv = (0..n).map(|k| (high.end.v[k] - low.end.v[k]) / length).collect();
    [dq, dv]
}

/// tight + share (tight − wide).
fn extrapolated(wide: &[Vec<f64>; 2], tight: &[Vec<f64>; 2], share: f64) -> [Vec<f64>; 2] {
    [0, 1].map(|b| wide[b].iter().zip(&tight[b]).map(|(w, t)| t + share * (t - w)).collect())
}

/// The step lengths: 0.1 halved again and again, down to 7e-10.
const LENGTHS: usize = 28;

/// Differences at every step length, each extrapolated with the two tighter ones: central ones of sixth order, or one-sided ones
/// of third. Where the tightest of them do, only those count that stay on one piece.
fn differences(scene: &Scene, start: &Start, d: &Direction, central: bool) -> Vec<Option<[Vec<f64>; 2]>> {
    let lengths = (0..LENGTHS).map(|k| 0.1 * 0.5_f64.powi(i32::try_from(k).unwrap()));
    let middle = after(scene, start, d, 0.0);
    let ends: Vec<_> = lengths
        .map(|h| {
            let low = if central { after(scene, start, d, -h)? } else { middle.clone()? };
            Some((low, after(scene, start, d, h)?, if central { 2.0 * h } else { h }))
        })
        .collect();
    // one-sided differences leave the piece that they begin on
    let home = |(low, high, _): &(Moved, Moved, f64)| {
        let own = if central { middle.as_ref() } else { ends.iter().rev().flatten().next().map(|e| &e.1) };
        own.is_some_and(|m| m.piece == high.piece && (!central || m.piece == low.piece))
    };
    let stays = ends.iter().flatten().filter(|e| home(e)).count() >= 5;
    let plain: Vec<_> = ends
        .iter()
        .map(|e| {
            let whole = e.as_ref().filter(|e| !stays || home(e))?;
            Some(slope(scene, d, &whole.0, &whole.1, whole.2))
        })
        .collect();
    let shares = if central { [1.0 / 3.0, 1.0 / 15.0] } else { [1.0, 1.0 / 3.0] };
    let three = |w: &[Option<[Vec<f64>; 2]>]| {
        let [wide, middle, tight] = w else { return None };
        let (wide, middle, tight) = (wide.as_ref()?, middle.as_ref()?, tight.as_ref()?);
        let (first, second) = (extrapolated(wide, middle, shares[0]), extrapolated(middle, tight, shares[0]));
        Some(extrapolated(&first, &second, shares[1]))
    };
    plain.windows(3).map(three).collect()
}

/// At most so many differences are taken the mean of, until it is good to this.
const MANY: u32 = 2000;
const SURE: f64 = 2e-7;

/// The error of `found` against the mean of many central differences of sixth order about the step length with this number, and
/// how far the mean may be off.
fn averaged(
    scene: &Scene,
    start: &Start,
    d: &Direction,
    best: usize,
    found: &[Vec<f64>; 2],
    floor: [f64; 2],
) -> Option<(f64, f64)> {
    let middle = after(scene, start, d, 0.0)?;
    let n = scene.model.n_v();
    let mut told = None;
    let (mut sum, mut squares, mut count) = ([vec![0.0; n], vec![0.0; n]], [vec![0.0; n], vec![0.0; n]], 0.0);
    for k in 0..MANY {
        // the golden ratio spreads them evenly from 0.75 to 1.25 of it
        let spread = 0.75 + 0.5 * (f64::from(k) * 0.618_033_988_749_895).fract();
        let h = 0.1 * 0.5_f64.powi(i32::try_from(best).ok()?) * spread;
        let at = |part: f64| {
            let (low, high) = (after(scene, start, d, -part * h)?, after(scene, start, d, part * h)?);
            let home = low.piece == middle.piece && high.piece == middle.piece;
            home.then(|| slope(scene, d, &low, &high, 2.0 * part * h))
        };
        let (Some(wide), Some(half), Some(tight)) = (at(1.0), at(0.5), at(0.25)) else { continue };
        let first = extrapolated(&wide, &half, 1.0 / 3.0);
        let one = extrapolated(&first, &extrapolated(&half, &tight, 1.0 / 3.0), 1.0 / 15.0);
        count += 1.0;
        for b in 0..2 {
            for k in 0..n {
                sum[b][k] += one[b][k];
                squares[b][k] += one[b][k] * one[b][k];
            }
        }
        if count % 50.0 == 0.0 {
            let mean = [0, 1].map(|b: usize| sum[b].iter().map(|x| x / count).collect::<Vec<f64>>());
            let mut off = mean.clone();
            for b in 0..2 {
                for k in 0..n {
                    let spread = (squares[b][k] / count - mean[b][k] * mean[b][k]).max(0.0);
                    off[b][k] += (spread / count).sqrt();
                }
            }
            let doubt = apart(&off, &mean, floor);
            told = Some((apart(found, &mean, floor), doubt));
            if doubt < SURE {
                break;
            }
        }
    }
    told
}

/// Largest difference of two changes, positions and velocities each relative to their size.
fn apart(a: &[Vec<f64>; 2], b: &[Vec<f64>; 2], floor: [f64; 2]) -> f64 {
    let mut worst = 0.0_f64;
    for k in 0..2 {
        let size = b[k].iter().fold(floor[k], |m, x| m.max(x.abs()));
        let off = a[k].iter().zip(&b[k]).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        worst = worst.max(if off.is_nan() { f64::INFINITY } else { off / size });
    }
    worst
}

/// Checks one direction of one input.
pub(crate) fn check(
    scene: &Scene,
    start: &Start,
    linear: &mut Linearization,
    worth: &mut Worth,
    input: Input,
    r: &mut Random,
) -> Verdict {
    let n = scene.model.n_v();
    let d = direction(scene, start, linear.no_change(), input, r);
    // the product, or for parameters of the model its rows by the transpose
    let change = Change {
        q: &d.q,
        v: &d.v,
        control: &d.control,
        controllers: &d.controllers,
        activations: &[],
        external: &d.external,
        parameters: Some(&d.p),
    };
    let mut found = [vec![0.0; n], vec![0.0; n]];
    let (mut adjoint, forward) =
        (0.0_f64, !matches!(input, Input::Inertia | Input::Gravity | Input::Joints | Input::Gains));
    if forward {
        let [q, v] = &mut found;
        linear.jvp(&change, q, v);
        let w = (r.numbers(n, 1.0), r.numbers(n, 1e-3));
        linear.vjp(&w.0, &w.1, worth);
        let (there, size) = (0..n).fold((0.0, 1e-300), |(s, m): (f64, f64), k| {
            let (x, y) = (w.0[k] * found[0][k], w.1[k] * found[1][k]);
            (s + x + y, m + x.abs() + y.abs())
        });
        adjoint = (there - paired(worth, &d)).abs() / size.max(1e-12);
    } else {
        for k in 0..2 * n {
            let (mut on_q, mut on_v) = (vec![0.0; n], vec![0.0; n]);
            if k < n {
                on_q[k] = 1.0;
            } else {
                on_v[k - n] = 1.0;
            }
            linear.vjp(&on_q, &on_v, worth);
            found[k / n][k % n] = paired(worth, &d);
        }
    }
    // positions in m and rad, velocities per step: what is smaller is rounding of the differences
    let floor = [1e-6, 1e-3];
    let (mut error, mut doubt, best) = nearest(&found, floor, &differences(scene, start, &d, true));
    if error > 1e-6 && error <= 3.0 * doubt {
        // what the last bits of the answers leave is told by many
        (error, doubt) = averaged(scene, start, &d, best, &found, floor).unwrap_or((error, doubt));
    }
    let mut one_sided = None;
    if error > 1e-6 && forward && !linear.kinks().is_empty() {
        let [q, v] = &mut found;
        if linear.directional(&change, q, v).is_ok() {
            let (error, ..) = nearest(&found, floor, &differences(scene, start, &d, false));
            one_sided = Some(error);
        }
    }
    Verdict { input, error, doubt, adjoint, one_sided }
}

/// The error of `found` against the differences that agree best with those of the two next step lengths, by how much, and the
/// number of their step length.
fn nearest(found: &[Vec<f64>; 2], floor: [f64; 2], all: &[Option<[Vec<f64>; 2]>]) -> (f64, f64, usize) {
    let (mut error, mut doubt, mut best) = (f64::INFINITY, f64::INFINITY, 0);
    for (k, w) in all.windows(3).enumerate() {
        let [Some(wide), Some(now), Some(tight)] = w else { continue };
        let disagree = apart(wide, now, floor).max(apart(tight, now, floor));
        if disagree < doubt {
            (doubt, best) = (disagree, k + 1);
            error = apart(found, now, floor);
        }
    }
    (error, doubt, best)
}

fn paired(w: &Worth, d: &Direction) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (a, b) = (&w.parameters, &d.p);
    let external: f64 = w.external.iter().zip(&d.external).map(|(x, f)| x.dot(*f)).sum();
    let inertia: f64 = a.model.inertia.iter().zip(&b.model.inertia).map(|(x, y)| x.dot(y)).sum();
    let pose: f64 = a.pose.iter().zip(&b.pose).map(|(x, y)| x.dot(y)).sum();
    dot(&w.q, &d.q)
        + dot(&w.v, &d.v)
        + dot(&w.control, &d.control)
        + dot(&w.controllers, &d.controllers)
        + external
        + dot(&a.friction, &b.friction)
        + dot(&a.restitution, &b.restitution)
        + dot(&a.pair_friction, &b.pair_friction)
        + dot(&a.pair_restitution, &b.pair_restitution)
        + pose
        + inertia
        + a.model.gravity.dot(&b.model.gravity)
        + dot(&a.model.damping, &b.model.damping)
        + dot(&a.model.armature, &b.model.armature)
        + dot(&a.model.stiffness, &b.model.stiffness)
        + dot(&a.model.rest, &b.model.rest)
        + dot(&a.joint_friction, &b.joint_friction)
        + dot(&a.gain, &b.gain)
        + dot(&a.rate_gain, &b.rate_gain)
}

/// A state: the scene run for a while with random forces and a random jolt, and for random ones every body moved a little.
pub(crate) fn start(scene: &Scene, origin: Origin, r: &mut Random) -> Option<Start> {
    let mut sim = Simulator::new(scene).unwrap();
    sim.settings.warm_start = false;
    let n = sim.model().n_v();
    let mut state = sim.state().clone();
    for v in &mut state.v {
        *v += r.range(0.3);
    }
    sim.set_state(&state);
    let control = r.numbers(n, 0.5);
    sim.control.copy_from_slice(&control);
    // up to forty steps
    let until = 20.0 * (1.0 + r.range(1.0)) * sim.settings.dt;
    while sim.time() < until {
        let _ = sim.step().ok()?;
    }
    let mut state = sim.state().clone();
    for v in &mut state.v {
        *v += r.range(0.05);
    }
    if looped(scene) {
        // loops move as one: what the run led to stays
        state = sim.state().clone();
    }
    if origin == Origin::Random {
        // up to 1e-4 m and rad: contacts apart that close within the step, and overlaps, both of all sizes
        let mut moved = r.numbers(n, 1e-4);
        if looped(scene) {
            let free = |k: &usize| sim.model().link(sim.model().dof_link(*k)).joint.n_v() == 6;
            (0..n).filter(|k| !free(k)).for_each(|k| moved[k] = 0.0);
        }
        integrate(sim.model(), &mut state.q, &moved, 1.0);
    }
    Some(Start { state, control, external: Vec::new() })
}

/// A motion that keeps loops closed, nearest to the given one: states with open loops are none.
fn closed(scene: &Scene, start: &Start, motion: Vec<f64>) -> Vec<f64> {
    if !looped(scene) {
        return motion;
    }
    let mut state = State { q: start.state.q.clone(), v: motion };
    let mut ws = gudgeon_multibody::Workspace::new(&scene.model);
    gudgeon_multibody::kinematics(&scene.model, &state.q, &mut ws);
    gudgeon_multibody::ConstraintSolver::new(&scene.model).project_velocities(
        &scene.model,
        &mut state,
        &mut ws,
    );
    state.v
}

fn looped(scene: &Scene) -> bool {
    !(scene.model.loops().is_empty() && scene.model.couplings().is_empty())
}

/// All inputs at one state: verdicts, and the kinks that the derivative names.
pub(crate) fn examine(
    scene: &Scene,
    start: &Start,
    r: &mut Random,
) -> Result<(Vec<Verdict>, Vec<Kink>), String> {
    let mut sim = begin(&altered(scene, &no_change(scene), 0.0), start);
    let mut linear = Linearization::new(&sim);
    let _ = sim.step_linearized(&mut linear).map_err(|e| e.to_string())?;
    let mut worth = Worth::default();
    let mut verdicts = Vec::new();
    for input in INPUTS {
        let needless = match input {
            Input::Friction | Input::Restitution | Input::Pose => sim.contacts().is_empty(),
            Input::Gains | Input::Commands => scene.controllers.is_empty(),
            _ => false,
        };
        if !needless {
            verdicts.push(check(scene, start, &mut linear, &mut worth, input, r));
        }
    }
    Ok((verdicts, linear.kinks().to_vec()))
}

fn no_change(scene: &Scene) -> Direction {
    let linear = Linearization::new(&Simulator::new(scene).unwrap());
    zero(linear.no_change(), &scene.model)
}

//! A step's derivative held against central differences of the step.

#![allow(clippy::print_stdout, reason = "a trace for the campaign's example")]

use gudgeon_multibody::{State, integrate};
use gudgeon_sim::{Kink, Linearization, Scene, Simulator, Worth};
use gudgeon_spatial::{Force, Vector3};

pub(crate) use super::differences::begin;
use super::differences::{Along, altered, differences, nearest, trace};
use super::direction::{Direction, INPUTS, Input, direction, zero};

/// xorshift64*.
#[derive(Debug, Clone)]
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

    pub(crate) fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.range(1.0), self.range(1.0), self.range(1.0))
    }
}

/// Where a step begins.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) state: State,
    pub(crate) control: Vec<f64>,
    pub(crate) external: Vec<Force>,
    /// What the step remembers, as a snapshot; or nothing.
    pub(crate) memory: Vec<u8>,
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
    /// At a kink: error of the one-sided derivatives along the direction and against it, by one-sided differences.
    pub(crate) one_sided: Option<f64>,
    /// It is that of a step which remembers its own answer.
    pub(crate) remembered: bool,
}

impl Verdict {
    /// Within 1e-6, at a kink on both sides.
    pub(crate) fn good(&self) -> bool {
        self.error <= 1e-6 || self.one_sided.is_some_and(|e| e <= 1e-6)
    }
}

/// Where states come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Met on the way: what rests has gaps of nothing, so that its state is at a kink.
    Met,
    /// The same with every body moved a little: gaps and overlaps of all sizes.
    Random,
}

/// Checks one direction of one input.
pub(crate) fn check(
    scene: &Scene,
    start: &Start,
    linear: &mut Linearization,
    worth: &mut Worth,
    input: Input,
    r: &mut Random,
    words: bool,
) -> Verdict {
    let n = scene.model.n_v();
    let d = direction(scene, start, linear.no_change(), input, r);
    // the product, or for parameters of the model its rows by the transpose
    let mut found = [vec![0.0; n], vec![0.0; n]];
    let (mut adjoint, forward) =
        (0.0_f64, !matches!(input, Input::Inertia | Input::Gravity | Input::Joints | Input::Gains));
    if forward {
        let [q, v] = &mut found;
        linear.jvp(&d.change(), q, v);
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
    let fastest = start.state.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let (mut error, mut doubt, best) =
        nearest(&found, floor, (fastest, d.reach()), &differences(scene, start, &d, true));
    if error > 1e-6 && error <= 3.0 * doubt {
        // what the last bits of the answers leave is told by many
        let along = Along { scene, start, d: &d, central: true };
        (error, doubt) = along.averaged(best, &found, floor).unwrap_or((error, doubt));
    }
    let mut one_sided = None;
    if error > 1e-6 && forward && !linear.kinks().is_empty() {
        let (there, back) = (d.clone(), d.back());
        for d in [&there, &back] {
            let mut found = [vec![0.0; n], vec![0.0; n]];
            let [q, v] = &mut found;
            one_sided = linear.directional(&d.change(), q, v).ok().map(|()| {
                let (mut error, doubt, best) =
                    nearest(&found, floor, (fastest, d.reach()), &differences(scene, start, d, false));
                if error > 1e-6 && error <= 3.0 * doubt {
                    let along = Along { scene, start, d, central: false };
                    error = along.averaged(best, &found, floor).map_or(error, |told| told.0);
                }
                error.max(one_sided.unwrap_or(0.0))
            });
            if one_sided.is_none_or(|e| e > 1e-6) {
                break;
            }
        }
    }
    if words && error > 1e-6 && one_sided.is_none_or(|e| e > 1e-6) {
        println!("    {input:?}: {error:.1e}");
        trace(scene, start, &d, &found, floor);
    }
    Verdict { input, error, doubt, adjoint, one_sided, remembered: false }
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
    if scene.materials.iter().any(|m| m.restitution > 0.0) {
        // what bounces touches in one step of many: the one before the next
        for _ in 0..400 {
            state = sim.state().clone();
            let _ = sim.step().ok()?;
            if sim.contacts().iter().any(|c| c.force.norm() > 0.0) {
                break;
            }
        }
    }
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
    Some(Start { state, control, external: Vec::new(), memory: Vec::new() })
}

/// A motion that keeps loops closed, nearest to the given one: states with open loops are none.
pub(crate) fn closed(scene: &Scene, start: &Start, motion: Vec<f64>) -> Vec<f64> {
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

pub(crate) fn looped(scene: &Scene) -> bool {
    !(scene.model.loops().is_empty() && scene.model.couplings().is_empty())
}

/// All inputs at one state: verdicts, and the kinks that the derivative names. The step is one from nothing; a direction in which it has
/// not the derivative of its differences is tried again with the step that remembers its own answer.
pub(crate) fn examine(
    scene: &Scene,
    start: &Start,
    r: &mut Random,
    words: bool,
) -> Result<(Vec<Verdict>, Vec<Kink>), String> {
    let scene_of_own = altered(scene, &no_change(scene), 0.0);
    let mut sim = begin(&scene_of_own, start);
    let mut linear = Linearization::new(&sim);
    let report = sim.step_linearized(&mut linear).map_err(|e| e.to_string())?;
    if words {
        for (stage, total) in report.solve.iter().flat_map(|s| s.stages.iter()) {
            println!(
                "    {}: {} of {} runs, {} factors",
                stage.name(),
                total.wins,
                total.runs,
                total.factorisations
            );
        }
        let (redundant, differences) = (linear.redundant(), linear.by_differences());
        println!("    {:?}, {redundant} redundant rows, {differences} by differences", linear.kinks());
        for c in sim.contacts().iter().filter(|c| c.force.norm() > 0.0 || c.gap < 0.0) {
            let (a, n, slip) = (c.colliders, c.force.dot(&c.normal), c.slip.norm());
            println!(
                "    {a:?} {:?}: gap {:.3e}, {n:.3e} N, of cone {:.6}, slip {slip:.2e}, friction off its direction by {:.1e}",
                c.mode,
                c.gap,
                (c.force.norm_squared() - n * n).max(0.0).sqrt() / (n * c.material.friction),
                (c.slip / slip + (c.force - c.normal * n).normalize()).norm()
            );
        }
    }
    let mut worth = Worth::default();
    let mut verdicts = Vec::new();
    let mut warm = None;
    for input in INPUTS {
        let needless = match input {
            Input::Friction | Input::Restitution | Input::Pose => sim.contacts().is_empty(),
            Input::Gains | Input::Commands => scene.controllers.is_empty(),
            _ => false,
        };
        if !needless {
            let mut again = r.clone();
            let mut verdict = check(scene, start, &mut linear, &mut worth, input, r, words);
            if verdict.error > 1e-6 && start.memory.is_empty() {
                warm = warm.or_else(|| remembered(&scene_of_own, start));
                let tried = warm
                    .as_mut()
                    .map(|(start, linear)| check(scene, start, linear, &mut worth, input, &mut again, words));
                let helps = |tried: &Verdict| tried.error <= 1e-6 || tried.good() && !verdict.good();
                if let Some(tried) = tried.filter(helps) {
                    verdict = Verdict { remembered: true, ..tried };
                }
            }
            verdicts.push(verdict);
        }
    }
    Ok((verdicts, linear.kinks().to_vec()))
}

/// The start with the step's own answer in memory, and the derivative of that step. Where loads are not unique, a step from nothing is led to
/// them by a search; one that remembers stays as near as it can to what it remembers, and of steps that remember the same the
/// differences are those of one function. Elsewhere the two are the same, and the second comes to its digits in fewer steps.
pub(crate) fn remembered(scene: &Scene, start: &Start) -> Option<(Start, Linearization)> {
    let mut sim = begin(scene, start);
    for _ in 0..3 {
        let _ = sim.step().ok()?;
        sim.settings.warm_start = true;
        sim.set_state(&start.state);
    }
    let start = Start { memory: sim.snapshot(), ..start.clone() };
    let mut linear = Linearization::new(&sim);
    let _ = begin(scene, &start).step_linearized(&mut linear).ok()?;
    Some((start, linear))
}

fn no_change(scene: &Scene) -> Direction {
    let linear = Linearization::new(&Simulator::new(scene).unwrap());
    zero(linear.no_change(), &scene.model)
}

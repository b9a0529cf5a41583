//! Shares carried back through many steps, with checkpoints: memory for the square root of their number.
//!
//! ```text
//!     forwards    keep a snapshot of every k-th step, k ≈ √N, and all states if they are asked for
//!     backwards   segment by segment: run it again and keep its snapshots, then step by step
//!                 worth of (q, v) before = Aᵀ (worth after) + worth of the state itself
//! ```
//! Each step is done three times and differentiated once. A snapshot is the moment to the bit, so the steps done again are
//! the same steps.

use super::linear::Linearization;
use super::parameters::Parameters;
use super::products::Worth;
use super::support::LinearizeError;
use crate::controller::Controller;
use crate::simulator::Simulator;

/// Why a rollout has no gradient.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("step {step}: {error}")]
pub struct RolloutError {
    /// The step at fault, from 0.
    pub step: usize,
    /// What is the matter with it.
    pub error: LinearizeError,
}

/// A run that was done, with what it takes to go back through it.
#[derive(Debug, Clone)]
pub struct Rollout {
    sim: Simulator,
    controls: Vec<f64>, // steps × n_v, or empty
    inputs: Vec<f64>,   // steps × controllers, or empty
    every: usize,
    steps: usize,
    marks: Vec<Vec<u8>>, // snapshots
    /// Positions, (steps + 1) × n_q.
    pub q: Vec<f64>,
    /// Velocities, (steps + 1) × n_v.
    pub v: Vec<f64>,
}

/// What a result is worth per unit of everything a rollout began with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RolloutWorth {
    /// Of the first position, tangent, n_v.
    pub q: Vec<f64>,
    /// Of the first velocity, n_v.
    pub v: Vec<f64>,
    /// Of the joint forces of every step, steps × n_v.
    pub controls: Vec<f64>,
    /// Of what controllers are told in every step (see [`super::Change`]), steps × controllers.
    pub inputs: Vec<f64>,
    /// Of the first activations of actuators, one a controller.
    pub activations: Vec<f64>,
    /// Of the parameters.
    pub parameters: Parameters,
    /// Steps whose derivative is one-sided.
    pub kinks: Vec<usize>,
}

impl Rollout {
    /// Runs `sim` for so many steps; `controls` are joint forces, steps × n_v, or empty for those it has.
    pub fn run(sim: Simulator, steps: usize, controls: &[f64]) -> Result<Self, RolloutError> {
        Self::run_told(sim, steps, controls, &[])
    }

    /// The same with `inputs` for the controllers: controls of actuators, forces and velocities of motors; steps × controllers, or
    /// empty for those they have. Controllers that follow a motion take none.
    pub fn run_told(
        mut sim: Simulator,
        steps: usize,
        controls: &[f64],
        inputs: &[f64],
    ) -> Result<Self, RolloutError> {
        let (n, told) = (sim.model().n_v(), sim.controllers().len());
        assert!(controls.is_empty() || controls.len() == steps * n, "one row of joint forces per step");
        assert!(inputs.is_empty() || inputs.len() == steps * told, "one row of inputs per step");
        let every = steps.isqrt().max(1);
        let (mut marks, mut q, mut v) = (Vec::new(), Vec::new(), Vec::new());
        q.extend_from_slice(&sim.state().q);
        v.extend_from_slice(&sim.state().v);
        for step in 0..steps {
            if step % every == 0 {
                marks.push(sim.snapshot());
            }
            act(&mut sim, [controls, inputs], step);
            let done = sim.step();
            let _ = done.map_err(|error| RolloutError { step, error: error.into() })?;
            q.extend_from_slice(&sim.state().q);
            v.extend_from_slice(&sim.state().v);
        }
        let (controls, inputs) = (controls.to_vec(), inputs.to_vec());
        Ok(Self { sim, controls, inputs, every, steps, marks, q, v })
    }

    /// Steps.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The simulator at the end.
    pub fn end(&self) -> &Simulator {
        &self.sim
    }

    /// Carries back what the states are worth: `on_q` (tangent) and `on_v`, (steps + 1) × n_v each.
    pub fn vjp(&mut self, on_q: &[f64], on_v: &[f64]) -> Result<RolloutWorth, RolloutError> {
        let (n, told) = (self.sim.model().n_v(), self.sim.controllers().len());
        assert_eq!(
            (on_q.len(), on_v.len()),
            ((self.steps + 1) * n, (self.steps + 1) * n),
            "one row per state"
        );
        let mut linear = Linearization::new(&self.sim);
        let mut worth = Worth::default();
        let mut out = RolloutWorth {
            q: on_q[self.steps * n..].to_vec(),
            v: on_v[self.steps * n..].to_vec(),
            controls: vec![0.0; self.steps * n],
            inputs: vec![0.0; self.steps * told],
            activations: vec![0.0; told],
            parameters: linear.no_change(),
            kinks: Vec::new(),
        };
        let mut marks: Vec<Vec<u8>> = Vec::new();
        for segment in (0..self.marks.len()).rev() {
            let first = segment * self.every;
            let last = (first + self.every).min(self.steps);
            // the same steps once more, each with a snapshot before it
            restore(&mut self.sim, &self.marks[segment]);
            marks.clear();
            for step in first..last {
                marks.push(self.sim.snapshot());
                if step + 1 < last {
                    act(&mut self.sim, [&self.controls, &self.inputs], step);
                    let _ = self.sim.step().map_err(|error| RolloutError { step, error: error.into() })?;
                }
            }
            for step in (first..last).rev() {
                restore(&mut self.sim, &marks[step - first]);
                act(&mut self.sim, [&self.controls, &self.inputs], step);
                let done = self.sim.step_linearized(&mut linear);
                let _ = done.map_err(|error| RolloutError { step, error })?;
                linear.vjp_with(&out.q, &out.v, &out.activations, &mut worth);
                out.activations.clone_from(&worth.activations);
                out.inputs[step * told..(step + 1) * told].copy_from_slice(&worth.controllers);
                if !linear.kinks().is_empty() {
                    out.kinks.push(step);
                }
                let row = step * n..(step + 1) * n;
                out.controls[row.clone()].copy_from_slice(&worth.control);
                out.parameters.add(1.0, &worth.parameters);
                for k in 0..n {
                    out.q[k] = worth.q[k] + on_q[row.start + k];
                    out.v[k] = worth.v[k] + on_v[row.start + k];
                }
            }
        }
        out.kinks.reverse();
        Ok(out)
    }

    /// Carries changes forwards: of the first state and of the joint forces, to (steps + 1) × n_v positions (tangent) and
    /// velocities.
    pub fn jvp(&mut self, dq: &[f64], dv: &[f64], controls: &[f64]) -> Result<[Vec<f64>; 2], RolloutError> {
        self.jvp_told(dq, dv, controls, &[])
    }

    /// The same with changes of the inputs of controllers, steps × controllers (or empty).
    pub fn jvp_told(
        &mut self,
        dq: &[f64],
        dv: &[f64],
        controls: &[f64],
        inputs: &[f64],
    ) -> Result<[Vec<f64>; 2], RolloutError> {
        let (n, told) = (self.sim.model().n_v(), self.sim.controllers().len());
        let (mut activations, mut next): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut linear = Linearization::new(&self.sim);
        let (mut q, mut v) = (dq.to_vec(), dv.to_vec());
        let (mut next_q, mut next_v) = (vec![0.0; n], vec![0.0; n]);
        let mut out = [q.clone(), v.clone()];
        if let Some(first) = self.marks.first() {
            restore(&mut self.sim, first);
        }
        for step in 0..self.steps {
            act(&mut self.sim, [&self.controls, &self.inputs], step);
            let done = self.sim.step_linearized(&mut linear);
            let _ = done.map_err(|error| RolloutError { step, error })?;
            let control = if controls.is_empty() { &[][..] } else { &controls[step * n..(step + 1) * n] };
            let controllers =
                if inputs.is_empty() { &[][..] } else { &inputs[step * told..(step + 1) * told] };
            let state = super::Change { q: &q, v: &v, ..super::Change::default() };
            let change = super::Change { control, controllers, activations: &activations, ..state };
            linear.jvp(&change, &mut next_q, &mut next_v);
            linear.activation_changes(controllers, &activations, &mut next);
            std::mem::swap(&mut activations, &mut next);
            q.copy_from_slice(&next_q);
            v.copy_from_slice(&next_v);
            out[0].extend_from_slice(&q);
            out[1].extend_from_slice(&v);
        }
        Ok(out)
    }
}

fn act(sim: &mut Simulator, [controls, inputs]: [&[f64]; 2], step: usize) {
    if !controls.is_empty() {
        let n = sim.control.len();
        sim.control.copy_from_slice(&controls[step * n..(step + 1) * n]);
    }
    if !inputs.is_empty() {
        let n = sim.controllers().len();
        for (k, &x) in inputs[step * n..(step + 1) * n].iter().enumerate() {
            match sim.controller_mut(k) {
                Some(Controller::Actuator(a)) => a.control = x,
                Some(Controller::Force { force, .. }) => *force = x,
                Some(Controller::Motor { velocity, .. }) => *velocity = x,
                None
                | Some(
                    Controller::Pd { .. } | Controller::ComputedTorque { .. } | Controller::HighGain { .. },
                ) => {}
            }
        }
    }
}

fn restore(sim: &mut Simulator, mark: &[u8]) {
    sim.restore(mark).expect("a snapshot of this very scene");
}

/// Many rollouts on threads, each as if alone: the same bits on any number of threads.
pub fn rollouts_vjp(
    rollouts: &mut [Rollout],
    threads: usize,
    worth: impl Fn(usize, &Rollout) -> [Vec<f64>; 2] + Sync,
) -> Vec<Result<RolloutWorth, RolloutError>> {
    let share = rollouts.len().div_ceil(threads.max(1)).max(1);
    let worth = &worth;
    std::thread::scope(|scope| {
        let hands: Vec<_> = rollouts
            .chunks_mut(share)
            .enumerate()
            .map(|(chunk, own)| {
                scope.spawn(move || {
                    let each = own.iter_mut().enumerate().map(|(k, rollout)| {
                        let [on_q, on_v] = worth(chunk * share + k, rollout);
                        rollout.vjp(&on_q, &on_v)
                    });
                    each.collect::<Vec<_>>()
                })
            })
            .collect();
        hands.into_iter().flat_map(|h| h.join().expect("a rollout does not panic")).collect()
    })
}

//! What controllers are told, and forces of actuators, under a change.
//!
//! ```text
//!     δf = f_u δu + f_a δa + f_l δl + f_r δl̇      a force along a path, known at the start of the step, or the constant part of a spring
//!     δτ += Jᵀ δf + δJᵀ f                         where it acts as it is, or with the joints' own springs
//!     δbias = −δf/(dt k + d)                      where it is a soft row of the solve
//!     δa⁺ = a_u δu + a_a δa                       the activation at the end of the step
//! ```
//! Of a spring f₀ − k l − d l̇ taken at the end of the step, k and d act through the inertia and the row themselves; f₀ is
//! what is told here. Parts of k and d that drive instead of holding count at the start of the step, and so in f₀. Where the
//! input changes k and d themselves, f_u is that of the spring at the end of the step.
//!
//! Symbols: u control, a activation, l length of the path and l̇ its rate, J its row.

use super::linear::Linearization;
use super::rows::first_motor_row;
use super::support::LinearizeError;
use crate::actuation::Source;
use crate::controller::Controller;
use crate::equipment::{Actuator, Bias, Dynamics, Gain, Path};
use crate::simulator::View;
use crate::tolerances::SLOPE_STEP;

/// One controller's force along one path.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Command {
    controller: usize,
    path: usize,
    /// What acts along the path as it is; nothing where it is a row.
    force: f64,
    by_input: f64,
    by_state: f64,
    by_length: f64,
    by_rate: f64,
    /// The row it is part of, and δbias over δf; otherwise it acts at once.
    row: Option<(usize, f64)>,
    /// It counts to what the actuators of a joint do together.
    counts: bool,
}

/// How an activation goes on: by its control, by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Activation {
    controller: usize,
    by_input: f64,
    by_state: f64,
}

/// Changes that commands answer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) controllers: &'a [f64],
    pub(super) activations: &'a [f64],
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
}

/// Shares of the same, to be added to.
#[derive(Debug)]
pub(super) struct TellShares<'a> {
    pub(super) controllers: &'a mut [f64],
    pub(super) activations: &'a mut [f64],
    pub(super) q: &'a mut [f64],
    pub(super) v: &'a mut [f64],
}

/// Why an actuator has no derivative here, if it has none.
pub(super) fn refused(a: &Actuator) -> Option<&'static str> {
    matches!(a.path, Path::Adhesion(_)).then_some("adhesion")
}

impl Linearization {
    /// Reads what the controllers of the step were told.
    pub(super) fn read_commands(
        &mut self,
        view: &View<'_>,
        (activations, v_out): (&[f64], &[f64]),
        dt: f64,
    ) -> Result<(), LinearizeError> {
        self.commands.clear();
        self.activations.clear();
        self.paths.begin();
        let drive = view.drive;
        let first = first_motor_row(view, dt);
        let mut motors = 0;
        for (controller, c) in drive.controllers().iter().enumerate() {
            let none = Command { controller, ..Command::default() };
            match c {
                Controller::Force { link, dof, force } => {
                    let Some(id) = self.model.find(link) else { continue };
                    let dof = self.model.link(id).v_start + dof;
                    let free = force.abs() < self.model.dofs()[dof].effort;
                    let path = self.paths.push([(dof, 1.0)]);
                    self.commands.push(Command { path, by_input: f64::from(u8::from(free)), ..none });
                }
                Controller::Motor { .. } => {
                    let Some(motor) = drive.motors.get(motors) else { continue };
                    let row = Some((first + motors, -1.0));
                    let path = self.paths.push([(motor.dof, 1.0)]);
                    self.commands.push(Command { path, by_input: 1.0, row, ..none });
                    motors += 1;
                }
                Controller::Actuator(a) => {
                    let activation = activations.get(controller).copied().unwrap_or(0.0);
                    self.read_actuator(view, controller, a, activation, v_out, dt)?;
                }
                Controller::Pd { .. } | Controller::ComputedTorque { .. } | Controller::HighGain { .. } => {}
            }
        }
        for f in &drive.followers {
            let Controller::Pd { stiffness, .. } = drive.controllers()[f.controller] else { continue };
            let of = |s: &crate::spring::Spring| s.dof == f.dof && s.controller.is_none();
            let row = drive.springs.iter().position(of).map(|k| {
                let s = &drive.springs[k];
                (first + drive.motors.len() + k, -1.0 / (dt * s.stiffness + s.damping))
            });
            let path = self.paths.push([(f.dof, 1.0)]);
            let (controller, by_input) = (f.controller, stiffness);
            self.commands.push(Command { controller, path, by_input, row, ..Command::default() });
        }
        for &(link, dof, grows) in &drive.equipment.thrust {
            let path = self.paths.push([(self.model.link(link).v_start + dof, 1.0)]);
            self.commands.push(Command { path, by_rate: grows, ..Command::default() });
        }
        self.find_cuts(view)
    }

    fn read_actuator(
        &mut self,
        view: &View<'_>,
        controller: usize,
        a: &Actuator,
        activation: f64,
        v_out: &[f64],
        dt: f64,
    ) -> Result<(), LinearizeError> {
        let drive = view.drive;
        let [length, rate, _] = drive.actuation.readings[controller];
        let input = a.input_of(a.clamped(), activation, dt);
        let pull = a.pull_of(input, length, rate);
        let (control, state) = input_slopes(a, activation, dt);
        if a.dynamics != Dynamics::None {
            let [by_input, by_state] = next_slopes(a, activation, dt);
            self.activations.push(Activation { controller, by_input, by_state });
        }
        let first = first_motor_row(view, dt) + drive.motors.len();
        let single = |s: &crate::spring::Spring| s.controller.is_some_and(|k| k.0 == controller);
        let spring = drive.actuation.springs.iter().position(|s| s.controller == Some(controller));
        let mut row = None;
        let mut counts = false;
        let path = if let Some(k) = spring {
            let s = &drive.actuation.springs[k];
            row = Some((first + drive.springs.len() + k, -1.0 / (dt * s.stiffness + s.damping)));
            let source = Source::Actuator(controller);
            self.paths.push_source(source, &s.row, &drive.equipment, drive.controllers())
        } else if let Path::Joint(term) = &a.path {
            let dof = self.model.link(term.link).v_start + term.dof;
            let c = a.gear * term.coefficient;
            if let Some(k) = drive.springs.iter().position(single) {
                let s = &drive.springs[k];
                row = Some((first + k, -c / (dt * s.stiffness + s.damping)));
            } else if drive.held.iter().any(single) {
                if matches!(a.gain, Gain::Affine([_, g1, g2]) if g1 != 0.0 || g2 != 0.0) {
                    let what = "actuators whose control changes the stiffness of a joint";
                    return Err(LinearizeError::Unsupported { what });
                }
            } else {
                counts = true;
            }
            self.paths.push([(dof, c)])
        } else {
            counts = true;
            let mut along = std::mem::take(&mut self.along);
            let (equipment, q) = (&drive.equipment, &self.before.q);
            along.path(&a.path, a.gear, equipment, &self.model, q, &self.ws);
            let source = Source::Actuator(controller);
            let path = self.paths.push_source(source, &along.row, equipment, drive.controllers());
            self.along = along;
            path
        };
        let leaving = if row.is_some() { self.paths.along(path, v_out) } else { rate };
        let [by_input, by_length, by_rate] = slopes(a, input, [length, rate, leaving], dt);
        // a force at its bound does not answer; that of a spring is bounded in its row
        let held = pull.stiffness > 0.0 || pull.damping > 0.0;
        let open = f64::from(u8::from(held || pull.constant > pull.lo && pull.constant < pull.hi));
        self.commands.push(Command {
            controller,
            path,
            force: if counts { pull.constant.clamp(pull.lo, pull.hi) } else { 0.0 },
            by_input: open * control * by_input,
            by_state: open * state * by_input,
            by_length: open * by_length,
            by_rate: open * by_rate,
            row,
            counts,
        });
        Ok(())
    }

    /// Degrees of freedom on which actuators together do all they may: what is known of them does not answer there.
    fn find_cuts(&mut self, view: &View<'_>) -> Result<(), LinearizeError> {
        let (drive, n) = (view.drive, self.model.n_v());
        self.cut.clear();
        self.cut.resize(n, false);
        if drive.equipment.effort.is_empty() {
            return Ok(());
        }
        let mut known = vec![0.0; n];
        for c in self.commands.iter().filter(|c| c.counts) {
            self.paths.share_along(c.path, c.force, &mut known);
        }
        for dof in 0..n {
            let ([lo, hi], held) = (drive.actuation.effort(dof), drive.actuation.lift[dof]);
            let all = known[dof] + held;
            let bound = |s: &&crate::spring::Spring| s.dof == dof && s.controller.is_some();
            let mut springs = drive.springs.iter().filter(bound).peekable();
            // where there is a spring it makes good what is known, up to its own bounds
            let cut = springs.peek().is_none() && (all <= lo || all >= hi);
            let at_bound = springs.any(|s| {
                let force = s.force(view.v_next[dof], self.dt);
                let own = s.controller.map_or([lo, hi], |c| c.2);
                force <= s.lo && s.lo > own[0] || force >= s.hi && s.hi < own[1]
            });
            self.cut[dof] = cut || at_bound;
            if self.cut[dof] && held != 0.0 {
                let what = "a bound on what all actuators of a joint do together, weights held included";
                return Err(LinearizeError::Unsupported { what });
            }
        }
        Ok(())
    }

    /// Adds the change of joint forces to `tau` and of biases of rows to `bias`.
    pub(super) fn command_changes(&self, told: Told<'_>, tau: &mut [f64], bias: &mut Vec<f64>) {
        bias.clear();
        let paths = &self.paths;
        for c in &self.commands {
            let of = |list: &[f64]| list.get(c.controller).copied().unwrap_or(0.0);
            let mut change = c.by_input * of(told.controllers) + c.by_state * of(told.activations);
            if c.by_length != 0.0 {
                change += c.by_length * paths.lengthening(c.path, told.q);
            }
            if c.by_rate != 0.0 {
                let turned = paths.turned(c.path, told.q, &self.v_before);
                change += c.by_rate * (paths.along(c.path, told.v) + turned);
            }
            if let Some((row, slope)) = c.row {
                if bias.len() <= row {
                    bias.resize(row + 1, 0.0);
                }
                bias[row] += slope * change;
                continue;
            }
            let mut add = |dof: usize, x: f64| {
                if !(c.counts && self.cut[dof]) {
                    tau[dof] += x;
                }
            };
            paths.row(c.path).iter().for_each(|&(dof, j)| add(dof, j * change));
            paths.add_turned(c.path, c.force, told.q, &mut add);
        }
    }

    /// The transpose: shares of joint forces and of biases of rows to those of controls, positions and velocities.
    /// `free` is room for n_v numbers.
    pub(super) fn command_shares(
        &self,
        tau: &[f64],
        bias: &[f64],
        free: &mut Vec<f64>,
        to: &mut TellShares<'_>,
    ) {
        let paths = &self.paths;
        free.clear();
        free.extend(tau.iter().zip(&self.cut).map(|(x, cut)| if *cut { 0.0 } else { *x }));
        for c in &self.commands {
            let on = if c.counts { &free[..] } else { tau };
            let share = match c.row {
                None => {
                    paths.share_turned(c.path, c.force, on, to.q);
                    paths.along(c.path, on)
                }
                Some((row, slope)) => slope * bias.get(row).copied().unwrap_or(0.0),
            };
            if let Some(x) = to.controllers.get_mut(c.controller) {
                *x += c.by_input * share;
            }
            if let Some(x) = to.activations.get_mut(c.controller) {
                *x += c.by_state * share;
            }
            if c.by_length != 0.0 {
                paths.share_lengthening(c.path, c.by_length * share, to.q);
            }
            if c.by_rate != 0.0 {
                paths.share_along(c.path, c.by_rate * share, to.v);
                paths.share_turned(c.path, c.by_rate * share, &self.v_before, to.q);
            }
        }
    }

    /// The change of the activations at the end of the step, one a controller.
    pub fn activation_changes(&self, controllers: &[f64], activations: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.n_controllers, 0.0);
        for a in &self.activations {
            let of = |list: &[f64]| list.get(a.controller).copied().unwrap_or(0.0);
            out[a.controller] = a.by_input * of(controllers) + a.by_state * of(activations);
        }
    }

    /// The transpose, where they are worth `on`.
    pub(super) fn activation_shares(&self, on: &[f64], controllers: &mut [f64], activations: &mut [f64]) {
        for a in &self.activations {
            let Some(share) = on.get(a.controller) else { continue };
            controllers[a.controller] += a.by_input * share;
            activations[a.controller] += a.by_state * share;
        }
    }
}

/// Slopes of the constant part of an actuator's force against its input, length and rate.
fn slopes(a: &Actuator, input: f64, [length, rate, leaving]: [f64; 3], dt: f64) -> [f64; 3] {
    let pull = a.pull_of(input, length, rate);
    let (mut along, mut speed) = (0.0, 0.0);
    let by_input = match a.gain {
        Gain::Fixed(g) => g,
        Gain::Affine([g0, g1, g2]) => {
            along += g1 * input;
            speed += g2 * input;
            // where it holds it is taken at the end of the step
            let at = if pull.stiffness > 0.0 { length + dt * leaving } else { length };
            g0 + g1 * at + g2 * if pull.damping > 0.0 { leaving } else { rate }
        }
        Gain::Muscle(m) => m.gain(length, rate),
    };
    if let Bias::Affine([_, b1, b2]) = a.bias {
        along += b1;
        speed += b2;
    }
    // what holds acts through the row or the inertia
    (along, speed) = (along.max(0.0), speed.max(0.0));
    if let Gain::Muscle(m) = a.gain {
        along += input * slope(|l| m.gain(l, rate), length);
        speed += input * slope(|v| m.gain(length, v), rate);
    }
    if let Bias::Muscle(m) = a.bias {
        along += slope(|l| m.bias(l), length);
    }
    [by_input, along, speed]
}

/// Whether the control is free to change, as a factor.
fn free(a: &Actuator) -> f64 {
    let within = a.control_range.is_none_or(|[lo, hi]| a.control > lo && a.control < hi);
    f64::from(u8::from(within))
}

/// Slopes of what the gain acts on, against control and activation.
fn input_slopes(a: &Actuator, activation: f64, dt: f64) -> (f64, f64) {
    match a.dynamics {
        Dynamics::None => (free(a), 0.0),
        _ if a.early => {
            let [u, s] = next_slopes(a, activation, dt);
            (u, s)
        }
        _ => (0.0, 1.0),
    }
}

/// Slopes of the activation at the end of the step, against control and activation.
fn next_slopes(a: &Actuator, activation: f64, dt: f64) -> [f64; 2] {
    let u = a.clamped();
    [free(a) * slope(|u| a.next_of(u, activation, dt), u), slope(|own| a.next_of(u, own, dt), activation)]
}

/// The slope of pieces of polynomials up to the sixth degree: exact but for rounding, of 1e-11.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = SLOPE_STEP * (1.0 + x.abs());
    let half = |k: f64| (f(x + k * h) - f(x - k * h)) / h;
    (45.0 * half(1.0) - 9.0 * half(2.0) + half(3.0)) / 60.0
}

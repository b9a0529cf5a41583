//! What controllers are told, and forces of actuators, under a change.
//!
//! ```text
//!     δf = f_u δu + f_q δq + f_v δv       a joint force known at the start of the step, or the constant part of a spring
//!     δτ += δf                            where it acts as it is, or with the joints' own springs
//!     δbias = −δf/(dt k + d)              where it is a soft row of the solve
//! ```
//! Of a spring f₀ − k l − d l̇ taken at the end of the step, k and d act through the inertia and the row themselves; f₀ is
//! what is told here. Parts of k and d that drive instead of holding count at the start of the step, and so in f₀.

use super::linear::Linearization;
use super::rows::first_motor_row;
use crate::controller::Controller;
use crate::equipment::{Actuator, Bias, Dynamics, Gain, Path};
use crate::simulator::View;

/// One controller's force on one dof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Command {
    controller: usize,
    dof: usize,
    by_input: f64,
    by_q: f64,
    by_v: f64,
    /// The row it is part of, and δbias over δf; otherwise it acts at once.
    row: Option<(usize, f64)>,
}

/// Why an actuator has no derivative here, if it has none.
pub(super) fn refused(a: &Actuator) -> Option<&'static str> {
    let held_by_input = match a.gain {
        Gain::Affine([_, g1, g2]) => g1 != 0.0 || g2 != 0.0,
        Gain::Fixed(_) | Gain::Muscle(_) => false,
    };
    match (&a.path, a.dynamics, &a.bias) {
        (Path::Joint(_), Dynamics::None, Bias::None | Bias::Affine(_)) if !held_by_input => None,
        (Path::Joint(_), Dynamics::None, Bias::None | Bias::Affine(_)) => {
            Some("actuators whose control changes their stiffness")
        }
        (Path::Joint(_), _, _) => Some("actuators with a state of their own"),
        _ => Some("actuators along anything but a joint"),
    }
}

impl Linearization {
    /// Reads what the controllers of the step were told.
    pub(super) fn read_commands(&mut self, view: &View<'_>, dt: f64) {
        self.commands.clear();
        let drive = view.drive;
        let first = first_motor_row(view, dt);
        let mut motors = 0;
        for (controller, c) in drive.controllers().iter().enumerate() {
            let none = Command { controller, dof: 0, by_input: 0.0, by_q: 0.0, by_v: 0.0, row: None };
            match c {
                Controller::Force { link, dof, force } => {
                    let Some(id) = self.model.find(link) else { continue };
                    let dof = self.model.link(id).v_start + dof;
                    let free = force.abs() < self.model.dofs()[dof].effort;
                    self.commands.push(Command { dof, by_input: f64::from(u8::from(free)), ..none });
                }
                Controller::Motor { .. } => {
                    let Some(motor) = drive.motors.get(motors) else { continue };
                    let row = Some((first + motors, -1.0));
                    self.commands.push(Command { dof: motor.dof, by_input: 1.0, row, ..none });
                    motors += 1;
                }
                Controller::Actuator(a) => {
                    let Path::Joint(term) = &a.path else { continue };
                    let link = self.model.link(term.link);
                    let (dof, c) = (link.v_start + term.dof, a.gear * term.coefficient);
                    let [length, rate, _] = drive.actuation.readings[controller];
                    let [input, along, speed] = slopes(a, length, rate, dt);
                    let (by_input, by_q, by_v) = (c * input, c * c * along, c * c * speed);
                    let of = |s: &crate::drive::Spring| s.controller.is_some_and(|k| k.0 == controller);
                    let row = drive.springs.iter().position(of).map(|k| {
                        let s = &drive.springs[k];
                        (first + drive.motors.len() + k, -1.0 / (dt * s.stiffness + s.damping))
                    });
                    self.commands.push(Command { controller, dof, by_input, by_q, by_v, row });
                }
                Controller::Pd { .. } | Controller::ComputedTorque { .. } | Controller::HighGain { .. } => {}
            }
        }
        for f in &drive.followers {
            let Controller::Pd { stiffness, .. } = drive.controllers()[f.controller] else { continue };
            let of = |s: &crate::drive::Spring| s.dof == f.dof && s.controller.is_none();
            let row = drive.springs.iter().position(of).map(|k| {
                let s = &drive.springs[k];
                (first + drive.motors.len() + k, -1.0 / (dt * s.stiffness + s.damping))
            });
            let (controller, dof) = (f.controller, f.dof);
            self.commands.push(Command { controller, dof, by_input: stiffness, by_q: 0.0, by_v: 0.0, row });
        }
    }

    /// Adds the change of joint forces to `tau` and of biases of rows to `bias`.
    pub(super) fn command_changes(
        &self,
        du: &[f64],
        dq: &[f64],
        dv: &[f64],
        tau: &mut [f64],
        bias: &mut Vec<f64>,
    ) {
        bias.clear();
        for c in &self.commands {
            let own = du.get(c.controller).copied().unwrap_or(0.0);
            let change = c.by_input * own + c.by_q * dq[c.dof] + c.by_v * dv[c.dof];
            match c.row {
                None => tau[c.dof] += change,
                Some((row, slope)) => {
                    if bias.len() <= row {
                        bias.resize(row + 1, 0.0);
                    }
                    bias[row] += slope * change;
                }
            }
        }
    }

    /// The transpose: shares of joint forces and of biases of rows to those of controls, positions and velocities.
    pub(super) fn command_shares(
        &self,
        tau: &[f64],
        bias: &[f64],
        controls: &mut [f64],
        on_q: &mut [f64],
        on_v: &mut [f64],
    ) {
        for c in &self.commands {
            let share = match c.row {
                None => tau[c.dof],
                Some((row, slope)) => slope * bias.get(row).copied().unwrap_or(0.0),
            };
            controls[c.controller] += c.by_input * share;
            on_q[c.dof] += c.by_q * share;
            on_v[c.dof] += c.by_v * share;
        }
    }
}

/// Slopes of the constant part of an actuator's force against its input, length and rate.
fn slopes(a: &Actuator, length: f64, rate: f64, dt: f64) -> [f64; 3] {
    let [_, b1, b2] = if let Bias::Affine(b) = a.bias { b } else { [0.0; 3] };
    let gain = match a.gain {
        Gain::Fixed(g) | Gain::Affine([g, ..]) => g,
        Gain::Muscle(_) => 0.0,
    };
    let within = |range: Option<[f64; 2]>, x: f64| range.is_none_or(|[lo, hi]| x > lo && x < hi);
    let pull = a.pull(length, rate, dt);
    // a force at its bound does not answer; that of a spring is bounded in its row
    let free = pull.stiffness > 0.0 || pull.damping > 0.0 || within(a.force_range, pull.constant);
    let open = f64::from(u8::from(free));
    let told = f64::from(u8::from(within(a.control_range, a.control)));
    [open * told * gain, open * b1.max(0.0), open * b2.max(0.0)]
}

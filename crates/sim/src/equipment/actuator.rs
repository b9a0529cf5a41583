//! Actuators: a control, perhaps a state, and a force along a path.
//!
//! ```text
//!     f = clamp(gain(l, l̇) · w + bias(l, l̇)),      w = u or the activation a,      τ = (∂l/∂q)ᵀ f
//!     ȧ = u (integrator),   (u − a)/T (filter),   muscle dynamics
//! ```
//! l is the length of the path times the gear. A bias that grows with length or speed acts as a spring and a damper, taken at
//! the end of the step (see the simulator's springs); everything else at its start.
//!
//! Symbols: u control, a activation, l length in m or rad, l̇ its rate, f in N or N m.
//!
//! Muscles follow Millard's shape by quadratic pieces: active force over length and velocity, and a passive one,
//! ```text
//!     L = (l − l₀)/(L₀) …  in units of the resting length,   V = l̇ / (L₀ v_max)
//!     gain = −F₀ · FL(L) · FV(V),     bias = −F₀ · FP(L)
//! ```

use super::path::Path;
use crate::tolerances::MUJOCO_ZERO;

/// How the force answers the input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gain {
    /// The same everywhere.
    Fixed(f64),
    /// g₀ + g₁ l + g₂ l̇.
    Affine([f64; 3]),
    /// Of a muscle.
    Muscle(Muscle),
}

/// What the force is without input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bias {
    /// Nothing.
    None,
    /// b₀ + b₁ l + b₂ l̇.
    Affine([f64; 3]),
    /// Of a muscle.
    Muscle(Muscle),
}

/// How the activation follows the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dynamics {
    /// There is no activation: the control acts at once.
    None,
    /// ȧ = u.
    Integrator,
    /// ȧ = (u − a)/T, by Euler's step.
    Filter(f64),
    /// The same by its exact solution over a step of constant control.
    FilterExact(f64),
    /// A muscle's: time constants of activation and deactivation, and the width of the smooth change between them.
    Muscle([f64; 3]),
}

/// The numbers of a muscle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Muscle {
    /// Operating range of the length, in resting lengths.
    pub range: [f64; 2],
    /// Peak active force, N; negative: by `scale` and what the muscle moves.
    pub force: f64,
    /// Force at the reference, where `force` is negative: scale over the acceleration a unit force gives, N.
    pub scale: f64,
    /// Lower end, upper end of the active curve, in resting lengths.
    pub lmin: f64,
    /// See `lmin`.
    pub lmax: f64,
    /// Shortening velocity at which no force is left, resting lengths per second.
    pub vmax: f64,
    /// Passive force at `lmax`, in peak forces.
    pub fpmax: f64,
    /// Active force when lengthening fast, in peak forces.
    pub fvmax: f64,
    /// Lengths of the path between which the operating range lies, m.
    pub lengths: [f64; 2],
    /// |∂q̈/∂f| at the reference, for a force that is not given.
    pub acc0: f64,
}

impl Muscle {
    fn peak(&self) -> f64 {
        if self.force < 0.0 { self.scale / self.acc0.max(MUJOCO_ZERO) } else { self.force }
    }

    /// Resting length in m.
    fn rest(&self) -> f64 {
        (self.lengths[1] - self.lengths[0]) / (self.range[1] - self.range[0]).max(MUJOCO_ZERO)
    }

    fn normalized(&self, length: f64) -> f64 {
        self.range[0] + (length - self.lengths[0]) / self.rest().max(MUJOCO_ZERO)
    }

    /// Active force per activation, N; it pulls.
    pub fn gain(&self, length: f64, velocity: f64) -> f64 {
        let l = self.normalized(length);
        let v = velocity / (self.rest() * self.vmax).max(MUJOCO_ZERO);
        // rises and falls by parabolas about a half way to 1
        let (a, b) = (0.5 * (self.lmin + 1.0), 0.5 * (1.0 + self.lmax));
        let over_length = if l < self.lmin || l > self.lmax {
            0.0
        } else if l <= a {
            0.5 * ratio2(l - self.lmin, a - self.lmin)
        } else if l <= 1.0 {
            1.0 - 0.5 * ratio2(1.0 - l, 1.0 - a)
        } else if l <= b {
            1.0 - 0.5 * ratio2(l - 1.0, b - 1.0)
        } else {
            0.5 * ratio2(self.lmax - l, self.lmax - b)
        };
        let rise = self.fvmax - 1.0;
        let over_velocity = if v <= -1.0 {
            0.0
        } else if v <= 0.0 {
            (v + 1.0).powi(2)
        } else if v <= rise {
            self.fvmax - (rise - v).powi(2) / rise.max(MUJOCO_ZERO)
        } else {
            self.fvmax
        };
        -self.peak() * over_length * over_velocity
    }

    /// Passive force, N; it pulls.
    pub fn bias(&self, length: f64) -> f64 {
        let l = self.normalized(length);
        let b = 0.5 * (1.0 + self.lmax);
        let passive = if l <= 1.0 {
            0.0
        } else if l <= b {
            0.5 * ratio2(l - 1.0, b - 1.0)
        } else {
            0.5 + (l - b) / (b - 1.0).max(MUJOCO_ZERO)
        };
        -self.peak() * self.fpmax * passive
    }
}

fn ratio2(x: f64, over: f64) -> f64 {
    (x / over.max(MUJOCO_ZERO)).powi(2)
}

/// One actuator and its present control.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// What the file calls it; may be empty.
    pub name: String,
    /// What it acts along; one path, whose length times the gear counts.
    pub path: Path,
    /// Scales length, speed and force alike.
    pub gear: f64,
    /// How the force answers the input.
    pub gain: Gain,
    /// What the force is without input.
    pub bias: Bias,
    /// How the activation follows the control.
    pub dynamics: Dynamics,
    /// Bounds of the control.
    pub control_range: Option<[f64; 2]>,
    /// Bounds of the force, N or N m along the path.
    pub force_range: Option<[f64; 2]>,
    /// Bounds of the activation.
    pub activation_range: Option<[f64; 2]>,
    /// Damping as a part of the critical one at the reference, to be added to the bias once the model stands.
    pub damping_ratio: Option<f64>,
    /// The activation at the end of the step counts, not that at its start.
    pub early: bool,
    /// The control.
    pub control: f64,
    /// The activation; nothing if there are no dynamics.
    pub activation: f64,
}

/// An actuator's force over a step: f₀ − k l − d l̇, within bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pull {
    pub(crate) constant: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

impl Pull {
    /// The force at a length and a speed.
    pub(crate) fn at(&self, length: f64, velocity: f64) -> f64 {
        (self.constant - self.stiffness * length - self.damping * velocity).clamp(self.lo, self.hi)
    }
}

impl Actuator {
    /// The control within its range.
    pub fn clamped(&self) -> f64 {
        self.control_range.map_or(self.control, |[lo, hi]| self.control.clamp(lo, hi))
    }

    /// The rate of the activation.
    pub fn activation_rate(&self) -> f64 {
        self.rate_of(self.clamped(), self.activation)
    }

    /// The same at a control within its range and an activation.
    fn rate_of(&self, u: f64, a: f64) -> f64 {
        match self.dynamics {
            Dynamics::None => 0.0,
            Dynamics::Integrator => u,
            Dynamics::Filter(t) | Dynamics::FilterExact(t) => (u - a) / t.max(MUJOCO_ZERO),
            Dynamics::Muscle(p) => muscle_rate(u, a, p),
        }
    }

    /// The activation a time `dt` later.
    pub(crate) fn next_activation(&self, dt: f64) -> f64 {
        self.next_of(self.clamped(), self.activation, dt)
    }

    /// The same from a control within its range and an activation.
    pub(crate) fn next_of(&self, u: f64, a: f64, dt: f64) -> f64 {
        let rate = self.rate_of(u, a);
        let next = match self.dynamics {
            Dynamics::FilterExact(t) => {
                let t = t.max(MUJOCO_ZERO);
                a + rate * t * -(-dt / t).exp_m1()
            }
            Dynamics::None | Dynamics::Integrator | Dynamics::Filter(_) | Dynamics::Muscle(_) => {
                a + dt * rate
            }
        };
        self.activation_range.map_or(next, |[lo, hi]| next.clamp(lo, hi))
    }

    /// What the gain acts on, from a control within its range and an activation.
    pub(crate) fn input_of(&self, u: f64, a: f64, dt: f64) -> f64 {
        match self.dynamics {
            Dynamics::None => u,
            _ if self.early => self.next_of(u, a, dt),
            _ => a,
        }
    }

    /// What gain and bias make of the input at a length and a speed of the path (gear included).
    pub(crate) fn pull(&self, length: f64, velocity: f64, dt: f64) -> Pull {
        self.pull_of(self.input_of(self.clamped(), self.activation, dt), length, velocity)
    }

    /// The same of an input that is given.
    pub(crate) fn pull_of(&self, input: f64, length: f64, velocity: f64) -> Pull {
        let (mut constant, mut stiffness, mut damping) = match self.gain {
            Gain::Fixed(g) => (g * input, 0.0, 0.0),
            Gain::Affine([g0, g1, g2]) => (g0 * input, -g1 * input, -g2 * input),
            Gain::Muscle(m) => (m.gain(length, velocity) * input, 0.0, 0.0),
        };
        match self.bias {
            Bias::None => {}
            Bias::Affine([b0, b1, b2]) => {
                constant += b0;
                stiffness -= b1;
                damping -= b2;
            }
            Bias::Muscle(m) => constant += m.bias(length),
        }
        // what drives instead of holding is taken where it is
        if stiffness < 0.0 {
            constant -= stiffness * length;
            stiffness = 0.0;
        }
        if damping < 0.0 {
            constant -= damping * velocity;
            damping = 0.0;
        }
        let [lo, hi] = self.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        Pull { constant, stiffness, damping, lo, hi }
    }
}

/// Activation grows slower the more there is, and decays slower the less there is.
fn muscle_rate(u: f64, a: f64, [rise, fall, smooth]: [f64; 3]) -> f64 {
    let (u, within) = (u.clamp(0.0, 1.0), a.clamp(0.0, 1.0));
    let up = rise * (0.5 + 1.5 * within);
    let down = fall / (0.5 + 1.5 * within);
    let change = u - a;
    let time = if smooth < MUJOCO_ZERO {
        if change > 0.0 { up } else { down }
    } else {
        // a polynomial step, flat to second order at both ends
        let x = (change / smooth + 0.5).clamp(0.0, 1.0);
        down + (up - down) * x.powi(3) * (x * (6.0 * x - 15.0) + 10.0)
    };
    change / time.max(MUJOCO_ZERO)
}

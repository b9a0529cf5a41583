//! Actuators and strings in a step: what they pull with at its start, and what becomes rows of it.
//!
//! A force that does not grow with length or speed acts as it is at the start of the step. One that does is a spring and a
//! damper taken at the end of the step: on one coordinate together with the joints' own springs while its bounds are far, and
//! as a bounded row of the contact problem otherwise,
//! ```text
//!     f = clamp(−k (s + dt l̇⁺) − d (l̇⁺ − u))      s stretch, u wanted rate
//! ```
//! The mass a of a string is a damper of its change of rate, f = −a (J v⁺ − J v + dt J̇ v)/dt: d = a/dt and u = J v − dt J̇ v.

mod effort;

use gudgeon_multibody::{Model, State, Workspace, integrate, kinematics};

use crate::controller::Controller;
use crate::equipment::{Along, Equipment, Path, Pull, TendonPath};
use crate::spring::{Spring, spring_force};
use crate::tolerances::{NEAR_LIMIT, NO_SWING};

/// A spring along a row, with a bounded force.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowSpring {
    pub(crate) row: Vec<(usize, f64)>,
    pub(crate) id: u64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// Length minus target, m or rad.
    pub(crate) stretch: f64,
    /// Target rate.
    pub(crate) velocity: f64,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    /// The controller it belongs to, if any.
    pub(crate) controller: Option<usize>,
}

impl RowSpring {
    /// The force at the end of a step with velocities `v`.
    pub(crate) fn force(&self, v: &[f64], dt: f64) -> f64 {
        let rate: f64 = self.row.iter().map(|&(k, j)| j * v[k]).sum();
        spring_force(self.stiffness, self.damping, self.stretch + dt * rate, rate - self.velocity)
            .clamp(self.lo, self.hi)
    }
}

/// A string near its limit, or one that rubs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StringRow {
    pub(crate) row: Vec<(usize, f64)>,
    pub(crate) id: u64,
    /// Distance to the limit; the friction where it rubs.
    pub(crate) value: f64,
}

impl StringRow {
    /// Of a limit: 1 at the lower end, where the row is that of the length, −1 at the upper.
    pub(crate) fn sign(&self) -> f64 {
        if (self.id - STRING_ID) % 4 == 1 { -1.0 } else { 1.0 }
    }
}

/// What actuators and strings ask for in a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Actuation {
    /// By controller: length, rate and force of its path; zeros for those that are no actuators.
    pub(crate) readings: Vec<[f64; 3]>,
    pub(crate) springs: Vec<RowSpring>,
    pub(crate) tethers: Vec<RowSpring>,
    pub(crate) limits: Vec<StringRow>,
    pub(crate) rubbing: Vec<StringRow>,
    /// By controller: pull on every contact of a link, N.
    pub(crate) adhesion: Vec<(usize, f64)>,
    /// By dof: the forces of actuators that are known at the start of the step.
    pub(crate) tau: Vec<f64>,
    effort: Vec<[f64; 2]>, // by dof; empty if none is bounded
    /// By dof: weights that are held and count to the actuators.
    pub(crate) lift: Vec<f64>,
    /// How far ahead activations that count by the end of a step are looked at, where forces are asked for at a moment, s.
    pub(crate) ahead: f64,
    along: Along,
    near: Option<(State, Workspace)>, // where strings with a mass are a little before and later
}

/// Bounds of a dof whose actuators have none together.
const NO_BOUND: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A string with a mass: its row, J̇ v, and the mass.
pub(crate) type HeavyString = (Vec<(usize, f64)>, f64, f64);

/// Where a row comes from: an actuator, a string, or a followed frame and its axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Actuator(usize),
    String(usize),
    Tether(usize, usize),
}

impl Source {
    /// Of the row with this name.
    pub(crate) fn of(id: u64) -> Self {
        let from = |first: u64| usize::try_from(id - first).expect("names are counted from there");
        if id >= TETHER_ID {
            Self::Tether(from(TETHER_ID) / 8, from(TETHER_ID) % 8)
        } else if id >= ACTUATOR_ID {
            Self::Actuator(from(ACTUATOR_ID))
        } else {
            Self::String(from(STRING_ID) / 4)
        }
    }
}

/// Names of rows, far from those of joints.
const STRING_ID: u64 = 1 << 40;
const ACTUATOR_ID: u64 = 1 << 41;
const TETHER_ID: u64 = 1 << 42;
const SWING_ID: u64 = 1 << 43;
const MASS_ID: u64 = 1 << 44;

/// Time over which the turning of a string's row is found by central differences, s: the cube root of rounding.
const SHORT: f64 = 1e-5;

impl Actuation {
    pub(crate) fn new(model: &Model, equipment: &Equipment, controllers: usize) -> Self {
        let mut effort = Vec::new();
        for &(link, dof, range) in &equipment.effort {
            effort.resize(model.n_v(), NO_BOUND);
            effort[model.link(link).v_start + dof] = range;
        }
        Self {
            readings: vec![[0.0; 3]; controllers],
            tau: vec![0.0; model.n_v()],
            lift: vec![0.0; model.n_v()],
            effort,
            ..Self::default()
        }
    }

    /// The bounds of what all actuators together do to a dof.
    pub(crate) fn effort(&self, dof: usize) -> [f64; 2] {
        self.effort.get(dof).copied().unwrap_or(NO_BOUND)
    }

    /// Fills in what actuators and strings ask for; forces known now go into `tau`, springs on one coordinate into `springs`.
    #[expect(clippy::too_many_arguments, reason = "the state of a step")]
    pub(crate) fn update(
        &mut self,
        equipment: &Equipment,
        controllers: &[Controller],
        model: &Model,
        state: &State,
        dt: f64,
        ws: &Workspace,
        tau: &mut [f64],
        springs: &mut Vec<Spring>,
    ) {
        self.springs.clear();
        self.limits.clear();
        self.rubbing.clear();
        self.adhesion.clear();
        self.tau.fill(0.0);
        self.strings(equipment, model, state, dt, ws);
        self.masses(equipment, model, state, dt, ws);
        self.swings(equipment, model, state, dt);
        self.tethers(equipment, model, ws);
        equipment.lift(model, ws, &mut self.lift);
        for &(link, dof, grows) in &equipment.thrust {
            let k = model.link(link).v_start + dof;
            tau[k] += grows * state.v[k];
        }
        let first = springs.len();
        for (index, controller) in controllers.iter().enumerate() {
            let Controller::Actuator(a) = controller else { continue };
            let mut along = std::mem::take(&mut self.along);
            along.path(&a.path, a.gear, equipment, model, &state.q, ws);
            let (length, rate) = (along.length, along.velocity(&state.v));
            let pull = a.pull(length, rate, if dt > 0.0 { dt } else { self.ahead });
            self.readings[index] = [length, rate, pull.at(length, rate)];
            self.actuate(index, &a.path, &pull, &along, springs);
            self.along = along;
        }
        self.bound_efforts(&state.v, tau, &mut springs[first..]);
    }

    /// What one actuator asks for: a force now, a spring on one coordinate, or one along a row.
    fn actuate(&mut self, index: usize, path: &Path, pull: &Pull, along: &Along, springs: &mut Vec<Spring>) {
        let [length, _, force] = self.readings[index];
        let single = match (path, along.row.as_slice()) {
            (Path::Joint(_), &[(dof, c)]) if c != 0.0 => Some((dof, c)),
            _ => None,
        };
        if let Path::Adhesion(link) = path {
            self.adhesion.push((link.0, force));
        } else if pull.stiffness <= 0.0 && pull.damping <= 0.0 {
            along.add_force(force, &mut self.tau);
        } else if let Some((dof, c)) = single {
            let ends = [c * pull.lo, c * pull.hi];
            let (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let (stretch, velocity) = aim(pull.constant, pull.stiffness, pull.damping, length);
            springs.push(Spring {
                dof,
                stiffness: pull.stiffness * c * c,
                damping: pull.damping * c * c,
                stretch: stretch / c,
                velocity: velocity / c,
                lo,
                hi,
                controller: Some((index, c, [lo, hi])),
            });
        } else if !along.row.is_empty() {
            let (stretch, velocity) = aim(pull.constant, pull.stiffness, pull.damping, length);
            self.springs.push(RowSpring {
                row: along.row.clone(),
                id: ACTUATOR_ID + index as u64,
                stiffness: pull.stiffness,
                damping: pull.damping,
                stretch,
                velocity,
                lo: pull.lo,
                hi: pull.hi,
                controller: Some(index),
            });
        }
    }

    /// Strings that have a mass.
    pub(crate) fn heavy(
        &mut self,
        equipment: &Equipment,
        model: &Model,
        state: &State,
        ws: &Workspace,
    ) -> Vec<HeavyString> {
        let mut found = Vec::new();
        for (k, t) in equipment.tendons.iter().enumerate().filter(|(_, t)| t.armature > 0.0) {
            self.along.tendon(k, 1.0, equipment, model, &state.q, ws);
            let row = self.along.row.clone();
            let mut turning = 0.0;
            if matches!(t.path, TendonPath::Spatial(_)) {
                let (near, at) =
                    self.near.get_or_insert_with(|| (State::neutral(model), Workspace::new(model)));
                for time in [SHORT, -SHORT] {
                    near.q.copy_from_slice(&state.q);
                    integrate(model, &mut near.q, &state.v, time);
                    kinematics(model, &near.q, at);
                    self.along.tendon(k, 1.0, equipment, model, &near.q, at);
                    turning += 0.5 * self.along.velocity(&state.v) / time;
                }
            }
            found.push((row, turning, t.armature));
        }
        found
    }

    /// The masses of strings as dampers of their change of rate.
    fn masses(&mut self, equipment: &Equipment, model: &Model, state: &State, dt: f64, ws: &Workspace) {
        if dt <= 0.0 || equipment.tendons.iter().all(|t| t.armature <= 0.0) {
            return;
        }
        for (k, (row, turning, mass)) in self.heavy(equipment, model, state, ws).into_iter().enumerate() {
            let rate: f64 = row.iter().map(|&(k, j)| j * state.v[k]).sum();
            self.springs.push(RowSpring {
                row,
                id: MASS_ID + k as u64,
                stiffness: 0.0,
                damping: mass / dt,
                stretch: 0.0,
                velocity: rate - dt * turning,
                lo: f64::NEG_INFINITY,
                hi: f64::INFINITY,
                controller: None,
            });
        }
    }

    /// Springs and limits of ball joints.
    fn swings(&mut self, equipment: &Equipment, model: &Model, state: &State, dt: f64) {
        for (k, swing) in equipment.swings.iter().enumerate() {
            let (turn, first) = swing.turn(model, &state.q);
            let id = SWING_ID + 4 * k as u64;
            if swing.stiffness > 0.0 {
                for axis in 0..3 {
                    self.springs.push(RowSpring {
                        row: vec![(first + axis, 1.0)],
                        id: id + axis as u64,
                        stiffness: swing.stiffness,
                        damping: 0.0,
                        stretch: turn[axis],
                        velocity: 0.0,
                        lo: f64::NEG_INFINITY,
                        hi: f64::INFINITY,
                        controller: None,
                    });
                }
            }
            let angle = turn.norm();
            let Some(axis) = turn.try_normalize(NO_SWING).filter(|_| swing.limit.is_finite()) else {
                continue;
            };
            let rate: f64 = (0..3).map(|i| axis[i] * state.v[first + i]).sum();
            // as for strings
            if swing.limit - angle < NEAR_LIMIT + 2.0 * dt * rate.abs() {
                let row = (0..3).map(|i| (first + i, -axis[i])).collect();
                self.limits.push(StringRow { row, id: id + 3, value: swing.limit - angle });
            }
        }
    }

    /// Springs of bodies that follow others.
    fn tethers(&mut self, equipment: &Equipment, model: &Model, ws: &Workspace) {
        self.tethers.clear();
        for (k, tether) in equipment.tethers.iter().enumerate() {
            tether.pulls(model, ws, &mut |axis, t| {
                self.tethers.push(RowSpring {
                    row: t.row,
                    id: TETHER_ID + 8 * k as u64 + axis as u64,
                    stiffness: t.stiffness,
                    damping: t.damping,
                    stretch: t.stretch,
                    velocity: 0.0,
                    lo: f64::NEG_INFINITY,
                    hi: f64::INFINITY,
                    controller: None,
                });
            });
        }
    }

    /// Limits, springs and friction of strings.
    fn strings(&mut self, equipment: &Equipment, model: &Model, state: &State, dt: f64, ws: &Workspace) {
        for (k, t) in equipment.tendons.iter().enumerate() {
            let limited = t.limits != [f64::NEG_INFINITY, f64::INFINITY];
            let elastic = t.stiffness > 0.0 || t.damping > 0.0;
            if !limited && !elastic && t.friction <= 0.0 {
                continue;
            }
            self.along.tendon(k, 1.0, equipment, model, &state.q, ws);
            let Along { length, row, .. } = &self.along;
            if row.is_empty() {
                continue;
            }
            let id = STRING_ID + 4 * k as u64;
            let rate = self.along.velocity(&state.v);
            // it may move at twice its present rate before the step ends
            let reach = NEAR_LIMIT + 2.0 * dt * rate.abs();
            for (side, gap, sign) in [(0, length - t.limits[0], 1.0), (1, t.limits[1] - length, -1.0)] {
                if gap < reach {
                    let row = row.iter().map(|&(k, j)| (k, sign * j)).collect();
                    self.limits.push(StringRow { row, id: id + side, value: gap });
                }
            }
            if elastic {
                let past =
                    if *length > t.rest[1] { length - t.rest[1] } else { (length - t.rest[0]).min(0.0) };
                let stiffness = if past == 0.0 { 0.0 } else { t.stiffness };
                if stiffness > 0.0 || t.damping > 0.0 {
                    self.springs.push(RowSpring {
                        row: row.clone(),
                        id: id + 2,
                        stiffness,
                        damping: t.damping,
                        stretch: past,
                        velocity: 0.0,
                        lo: f64::NEG_INFINITY,
                        hi: f64::INFINITY,
                        controller: None,
                    });
                }
            }
            if t.friction > 0.0 {
                self.rubbing.push(StringRow { row: row.clone(), id: id + 3, value: t.friction });
            }
        }
    }
}

/// Stretch and wanted rate of the spring f₀ − k l − d l̇.
fn aim(constant: f64, stiffness: f64, damping: f64, length: f64) -> (f64, f64) {
    if stiffness > 0.0 { (length - constant / stiffness, 0.0) } else { (0.0, constant / damping) }
}

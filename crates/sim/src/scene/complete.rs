//! What a file leaves to be found out at the reference: resting lengths of strings, damping by ratio, ranges and strengths of
//! muscles.
//!
//! A length that is not a number is to be found. The range of a muscle's path is searched over the joints' limits by points
//! that fill the box evenly (the additive recurrence of the generalised golden ratio), so that the answer is always the same.

use gudgeon_multibody::{MassFactor, MassMatrix, Model, State, Workspace, crba, kinematics};

use super::Scene;
use crate::controller::Controller;
use crate::equipment::{Actuator, Along, Bias, Equipment, Gain, Muscle};
use crate::tolerances::MUJOCO_ZERO;

/// Points of the search for the range of a path.
const POINTS: u32 = 400;

impl Scene {
    /// Fills in resting lengths of strings, and ranges and strengths of muscles, where they are not numbers yet.
    pub fn complete_equipment(&mut self) {
        let Self { model, initial, equipment, controllers, .. } = self;
        let mut state = State::neutral(model);
        for link in model.links() {
            if !link.joint.is_vector() {
                state.q[link.q_range()].copy_from_slice(&initial.q[link.q_range()]);
            }
        }
        let mut ws = Workspace::new(model);
        kinematics(model, &state.q, &mut ws);
        let mut along = Along::default();
        for k in 0..equipment.tendons.len() {
            if equipment.tendons[k].rest[0].is_nan() {
                along.tendon(k, 1.0, equipment, model, &state.q, &ws);
                equipment.tendons[k].rest = [along.length; 2];
            }
        }
        let open = |m: &Muscle| m.acc0.is_nan() || m.lengths[0].is_nan();
        let needs = |a: &Actuator| {
            a.damping_ratio.is_some()
                || matches!(&a.gain, Gain::Muscle(m) if open(m))
                || matches!(&a.bias, Bias::Muscle(m) if open(m))
        };
        let mut factor: Option<MassFactor> = None;
        for tether in equipment.tethers.iter_mut().filter(|t| t.inertia.is_empty()) {
            let factor = factor.get_or_insert_with(|| mass_factor(model, &state, &mut ws));
            tether.weigh(model, &ws, factor);
        }
        for controller in controllers {
            let Controller::Actuator(a) = controller else { continue };
            if !needs(a) {
                continue;
            }
            along.path(&a.path, a.gear, equipment, model, &state.q, &ws);
            let factor = factor.get_or_insert_with(|| mass_factor(model, &state, &mut ws));
            let mut answer = vec![0.0; model.n_v()];
            along.add_force(1.0, &mut answer);
            factor.solve(model, &mut answer);
            let acc0 = answer.iter().map(|x| x * x).sum::<f64>().sqrt();
            if let (Some(ratio), Bias::Affine(b)) = (a.damping_ratio.take(), &mut a.bias) {
                // critical: 2 √(k m), m the inertia that the path feels
                let per_mass: f64 = along.row.iter().map(|&(k, j)| j * answer[k]).sum();
                b[2] -= ratio * 2.0 * (-b[1]).max(0.0).sqrt() / per_mass.max(MUJOCO_ZERO).sqrt();
            }
            let found = range_of(a, equipment, model, &state, &along.row);
            let complete = |m: &mut Muscle| {
                m.acc0 = acc0;
                if m.lengths[0].is_nan() {
                    m.lengths = found;
                }
            };
            if let Gain::Muscle(m) = &mut a.gain {
                complete(m);
            }
            if let Bias::Muscle(m) = &mut a.bias {
                complete(m);
            }
        }
    }
}

fn mass_factor(model: &Model, state: &State, ws: &mut Workspace) -> MassFactor {
    let (mut mass, mut factor) = (MassMatrix::new(model), MassFactor::new(model));
    crba(model, &state.q, ws, &mut mass);
    kinematics(model, &state.q, ws);
    // a model that was built has inertia everywhere
    let _ = factor.factor(model, &mass);
    factor
}

/// Least and greatest length of a path over the limits of the joints it passes.
fn range_of(
    a: &Actuator,
    equipment: &Equipment,
    model: &Model,
    at: &State,
    row: &[(usize, f64)],
) -> [f64; 2] {
    let needs = matches!(&a.gain, Gain::Muscle(m) if m.lengths[0].is_nan())
        || matches!(&a.bias, Bias::Muscle(m) if m.lengths[0].is_nan());
    if !needs {
        return [0.0, 1.0];
    }
    let mut state = at.clone();
    let mut ws = Workspace::new(model);
    let mut along = Along::default();
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    let step = 1.0 / root_of_golden(row.len());
    for n in 0..POINTS {
        let mut share = 1.0;
        for &(dof, _) in row {
            share *= step;
            let Some(coordinate) = model.dof_coordinate(dof) else { continue };
            let d = &model.dofs()[dof];
            let (from, to) = (d.lower.max(-std::f64::consts::PI), d.upper.min(std::f64::consts::PI));
            // the ends first
            let x = match n {
                0 => 0.0,
                1 => 1.0,
                _ => (0.5 + share * f64::from(n)).fract(),
            };
            state.q[coordinate] = from + (to - from) * x;
        }
        kinematics(model, &state.q, &mut ws);
        along.path(&a.path, a.gear, equipment, model, &state.q, &ws);
        (lo, hi) = (lo.min(along.length), hi.max(along.length));
    }
    if lo < hi { [lo, hi] } else { [0.0, 1.0] }
}

/// The root above 1 of x^(n+1) = x + 1.
fn root_of_golden(n: usize) -> f64 {
    let mut x: f64 = 1.5;
    for _ in 0..40 {
        x = (1.0 + x).powf(1.0 / (n as f64 + 1.0));
    }
    x
}

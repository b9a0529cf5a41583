//! What the numbers of a control are, and how they reach a simulator.

use gudgeon_sim::{Controller, JointMotion, Scene, Simulator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::model::width;

/// What the numbers of a control are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drive {
    /// Joint forces, n_v.
    Joints,
    /// Values of the controllers, one after another: force, velocity, or targets.
    Controllers,
}

impl Drive {
    pub(crate) fn read(name: &str) -> PyResult<Self> {
        match name {
            "joints" => Ok(Self::Joints),
            "controllers" => Ok(Self::Controllers),
            other => {
                Err(PyValueError::new_err(format!("drive is '{other}', expected 'joints' or 'controllers'")))
            }
        }
    }

    pub(crate) fn width(self, scene: &Scene) -> usize {
        match self {
            Self::Joints => scene.model.n_v(),
            Self::Controllers => scene.controllers.iter().map(width).sum(),
        }
    }

    /// Sets joint forces or the values of controllers.
    pub(crate) fn apply(self, sim: &mut Simulator, u: &[f64]) {
        match self {
            Self::Joints => sim.control.copy_from_slice(u),
            Self::Controllers => command(sim, u),
        }
    }
}

/// Sets the values of all controllers: a force, a velocity, or targets held from now on.
fn command(sim: &mut Simulator, u: &[f64]) {
    let mut rest = u;
    for index in 0..sim.controllers().len() {
        let n = width(&sim.controllers()[index]);
        let (values, after) = rest.split_at(n);
        rest = after;
        match sim.controller_mut(index) {
            Some(Controller::Force { force, .. }) => *force = values[0],
            Some(Controller::Motor { velocity, .. }) => *velocity = values[0],
            Some(Controller::Actuator(actuator)) => actuator.control = values[0],
            Some(
                Controller::Pd { motion, .. }
                | Controller::ComputedTorque { motion, .. }
                | Controller::HighGain { motion },
            ) => {
                let joints: Vec<&str> = motion.joints().iter().map(String::as_str).collect();
                if let Ok(held) = JointMotion::new(&joints, vec![0.0], &[values.to_vec()]) {
                    *motion = held;
                }
            }
            None => {}
        }
    }
}

/// Targets as the scene has them; gains stay the simulator's own.
pub(crate) fn forget(sim: &mut Simulator, scene: &Scene) {
    use Controller::{ComputedTorque, HighGain, Pd};
    for (index, first) in scene.controllers.iter().enumerate() {
        if let (
            Pd { motion: was, .. } | ComputedTorque { motion: was, .. } | HighGain { motion: was },
            Some(Pd { motion, .. } | ComputedTorque { motion, .. } | HighGain { motion }),
        ) = (first, sim.controller_mut(index))
        {
            motion.clone_from(was);
        }
    }
}

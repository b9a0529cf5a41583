//! What may differ from copy to copy: friction, masses, gains.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Controller, JointMotion, Scene, SceneError, Simulator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::floats;
use crate::model::{rub, width};

/// Numbers by copy; a list is empty or has a number, or a row, for every copy.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters {
    friction: Vec<f64>,  // copies: of every surface
    mass: Vec<f64>,      // copies × links: factors
    stiffness: Vec<f64>, // copies × controllers: factors
    damping: Vec<f64>,   // copies × controllers: factors
}

impl Parameters {
    pub(crate) fn read(given: Option<&Bound<'_, PyDict>>, copies: usize, scene: &Scene) -> PyResult<Self> {
        let mut out = Self::default();
        let Some(given) = given else { return Ok(out) };
        let (links, drives) = (scene.model.n_links(), scene.controllers.len());
        for (key, value) in given {
            let key: String = key.extract()?;
            let (target, columns) = match key.as_str() {
                "friction" => (&mut out.friction, 1),
                "mass" => (&mut out.mass, links),
                "stiffness" => (&mut out.stiffness, drives),
                "damping" => (&mut out.damping, drives),
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "parameters has '{other}', expected friction, mass, stiffness or damping"
                    )));
                }
            };
            // one number per copy serves all columns
            let single = value.getattr("ndim").is_ok_and(|d| d.extract::<usize>().is_ok_and(|d| d == 1));
            let shape = if single { vec![Some(copies)] } else { vec![Some(copies), Some(columns)] };
            let name = format!("parameters['{key}']");
            let numbers = floats(&name, &value, &shape)?.finite(&name)?;
            if let Some(bad) = numbers.as_slice().iter().find(|x| **x < 0.0) {
                return Err(PyValueError::new_err(format!("{name} has {bad}, expected no negative number")));
            }
            let repeat = if shape.len() == 1 { columns } else { 1 };
            *target = numbers.as_slice().iter().flat_map(|&x| std::iter::repeat_n(x, repeat)).collect();
        }
        Ok(out)
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Self { friction, mass, stiffness, damping } = self;
        [friction, mass, stiffness, damping].iter().all(|list| list.is_empty())
    }

    /// The scene of one copy.
    pub(crate) fn scene(&self, scene: &Scene, copy: usize) -> Scene {
        let mut own = scene.clone();
        if let Some(&friction) = self.friction.get(copy) {
            rub(&mut own, friction);
        }
        let links = own.model.n_links();
        for link in 1..links {
            if let Some(&factor) = self.mass.get(copy * links + link) {
                let inertia = own.model.inertia_mut(LinkId(link));
                inertia.mass *= factor;
                inertia.about_com = inertia.about_com * factor;
            }
        }
        let drives = own.controllers.len();
        for (k, controller) in own.controllers.iter_mut().enumerate() {
            if let Controller::Pd { stiffness, damping, .. }
            | Controller::ComputedTorque { stiffness, damping, .. } = controller
            {
                *stiffness *= self.stiffness.get(copy * drives + k).copied().unwrap_or(1.0);
                *damping *= self.damping.get(copy * drives + k).copied().unwrap_or(1.0);
            }
        }
        own
    }

    /// A simulator of one copy; `plain` gives one of the scene as it is.
    pub(crate) fn simulator(
        &self,
        scene: &Scene,
        copy: usize,
        plain: impl FnOnce() -> Simulator,
    ) -> Result<Simulator, SceneError> {
        if self.is_empty() { Ok(plain()) } else { Simulator::new(&self.scene(scene, copy)) }
    }
}

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

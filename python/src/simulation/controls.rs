//! What is done to a simulation from outside: joint forces, controllers, actuators by name, pushes, bodies placed by hand.

use gudgeon_sim::{Actuator, Controller};
use gudgeon_spatial::{Force, Vector3};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use super::{Simulation, vector};
use crate::arrays::{float64, floats, view};
use crate::drive::Drive;

impl Simulation {
    fn actuator(&self, name: &str) -> PyResult<&Actuator> {
        let all = self.sim.controllers().iter();
        let mut all = all.filter_map(|c| if let Controller::Actuator(a) = c { Some(&**a) } else { None });
        all.clone().find(|a| a.name == name).ok_or_else(|| {
            let names: Vec<&str> = all.by_ref().map(|a| a.name.as_str()).collect();
            PyKeyError::new_err(format!("there is no actuator '{name}'; there are {}", names.join(", ")))
        })
    }

    /// Sets the values of controllers; `None` makes them what the scene says.
    pub(super) fn set_commands(&mut self, controls: Option<Vec<f64>>) {
        self.rewind.forget();
        if let Some(u) = &controls {
            Drive::Controllers.apply(&mut self.sim, u);
        } else if self.controls.is_some() {
            let scene = &self.model.get().scene;
            for (index, controller) in scene.controllers.iter().enumerate() {
                if let Some(own) = self.sim.controller_mut(index) {
                    own.clone_from(controller);
                }
            }
        }
        self.controls = controls;
    }
}

#[pymethods]
impl Simulation {
    /// Joint forces of the caller, nv, N m or N: a view to be written into, held until changed. A name in place of a number is
    /// that of an actuator: `sim.control["hip"] = 0.5` sets its control.
    #[getter]
    fn control<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let u = &this.sim.control;
        // SAFETY: the vector is only ever written in place, and the array holds the simulation; any bits are numbers.
        let array =
            unsafe { view(float64(slf.py())?, &[u.len()], u.as_ptr(), true, slf.clone().into_any())? };
        // with actuators, their controls are found by name as well
        if this.sim.controllers().iter().any(|c| matches!(c, Controller::Actuator(_))) {
            return slf.py().import("gudgeon._names")?.call_method1("control", (array, slf));
        }
        Ok(array)
    }

    #[setter]
    fn set_control(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let u = floats("control", value, &[Some(self.sizes().1)])?.finite("control")?;
        self.sim.control.copy_from_slice(u.as_slice());
        Ok(())
    }

    /// Values of the controllers, nu: forces, velocities or targets, held until changed.
    fn set_controls(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let u = floats("controls", value, &[Some(self.model.get().n_u())])?.finite("controls")?;
        self.set_commands(Some(u.as_slice().to_vec()));
        Ok(())
    }

    /// The control of an actuator by name.
    fn actuator_control(&self, name: &str) -> PyResult<f64> {
        self.actuator(name).map(|a| a.control)
    }

    /// Sets the control of an actuator by name: in the file's own unit, kept within its range.
    fn set_actuator_control(&mut self, name: &str, value: f64) -> PyResult<()> {
        if !value.is_finite() {
            return Err(PyValueError::new_err(format!(
                "control of '{name}' is {value}, expected a finite number"
            )));
        }
        let _ = self.actuator(name)?;
        self.rewind.forget();
        self.sim.set_actuator(name, value);
        // what was told to all controllers at once knows of it
        let (model, mut at) = (self.model.get(), 0);
        for controller in &model.scene.controllers {
            if let (Controller::Actuator(a), Some(all)) = (controller, &mut self.controls)
                && a.name == name
            {
                all[at] = value;
            }
            at += crate::model::width(controller);
        }
        Ok(())
    }

    /// A force on a link until `clear_forces`: world axes, at `point` (world; the link's origin if none).
    #[pyo3(signature = (link, force, torque = None, point = None))]
    fn apply_force(
        &mut self,
        link: &Bound<'_, PyAny>,
        force: &Bound<'_, PyAny>,
        torque: Option<&Bound<'_, PyAny>>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let link = self.link(link)?;
        let force = vector("force", force)?;
        let mut torque = torque.map_or_else(|| Ok(Vector3::zeros()), |t| vector("torque", t))?;
        if let Some(point) = point {
            torque += (vector("point", point)? - self.sim.workspace().pose(link).translation).cross(&force);
        }
        self.rewind.forget();
        let n = self.sim.model().n_links();
        self.sim.external.resize(n, Force::zero());
        self.sim.external[link.0] += Force::new(torque, force);
        Ok(())
    }

    /// Takes back every `apply_force`.
    fn clear_forces(&mut self) {
        self.rewind.forget();
        self.sim.external.clear();
    }

    /// Puts a body that is placed by hand (an MJCF's mocap body) elsewhere: world position and orientation w x y z.
    #[pyo3(signature = (name, position, orientation = [1.0, 0.0, 0.0, 0.0]))]
    fn place(&mut self, name: &str, position: [f64; 3], orientation: [f64; 4]) -> PyResult<()> {
        self.held.release(&mut self.sim);
        self.rewind.forget();
        if self.sim.place(name, position, orientation) {
            return Ok(());
        }
        let all: Vec<&str> = self.sim.equipment().placed.iter().map(|p| p.0.as_str()).collect();
        if all.contains(&name) {
            return Err(PyValueError::new_err("a place is three finite numbers, and a turn is no zero"));
        }
        Err(PyKeyError::new_err(format!("no body '{name}' is placed by hand; there are {}", all.join(", "))))
    }
}

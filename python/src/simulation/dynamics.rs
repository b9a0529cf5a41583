//! The matrices and vectors of the equations of motion, where the simulation is now.

use gudgeon_sim::Simulator;
use pyo3::prelude::*;

use super::{Simulation, vector};
use crate::arrays::{array, floats};
use crate::dynamics::{Dynamics, delassus};
use crate::linearization::Linearization;

impl Simulation {
    fn dynamics(&mut self) -> (&mut Dynamics, &Simulator) {
        let dynamics = self.dynamics.get_or_insert_with(|| Dynamics::new(self.sim.model()));
        (dynamics, &self.sim)
    }
}

#[pymethods]
impl Simulation {
    /// The derivative of the step that would come next; the simulation stays where it is.
    fn linearize(&mut self, py: Python<'_>) -> PyResult<Linearization> {
        let from = (self.model.clone_ref(py), self.sealed());
        Linearization::of(py, &mut self.sim, from)
    }

    /// Accelerations of now under everything but contacts, limits and loops, nv.
    fn accelerations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        array(py, self.sim.accelerations().to_vec(), &[n])
    }

    /// Joint-space inertia, nv × nv.
    fn mass_matrix<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        let (d, sim) = self.dynamics();
        array(py, d.mass_matrix(sim.model(), sim.state()), &[n, n])
    }

    /// Joint forces for zero acceleration: gravity, centrifugal and Coriolis forces, nv.
    fn bias<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        let (d, sim) = self.dynamics();
        array(py, d.bias(sim.model(), sim.state()), &[n])
    }

    /// Joint forces that give these accelerations where nothing touches, nv.
    fn inverse_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        qdd: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        let qdd = floats("qdd", qdd, &[Some(n)])?.finite("qdd")?;
        let (d, sim) = self.dynamics();
        array(py, d.inverse(sim.model(), sim.state(), qdd.as_slice()), &[n])
    }

    /// Accelerations under joint forces where nothing touches, nv.
    fn forward_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        tau: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        let tau = floats("tau", tau, &[Some(n)])?.finite("tau")?;
        let (d, sim) = self.dynamics();
        array(py, d.forward(sim.model(), sim.state(), tau.as_slice()), &[n])
    }

    /// Jacobian of the point of a link that is now at `point` (world; the link's origin if none), 6 × nv, angular
    /// part first.
    #[pyo3(signature = (link, point = None))]
    fn jacobian<'py>(
        &mut self,
        py: Python<'py>,
        link: &Bound<'py, PyAny>,
        point: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let link = self.link(link)?;
        let point = point.map(|p| vector("point", p)).transpose()?;
        let n = self.sizes().1;
        let (d, sim) = self.dynamics();
        array(py, d.jacobian(sim.model(), sim.state(), link, point), &[6, n])
    }

    /// W = J M⁻¹ Jᵀ of the contacts of the last step, in (n, t1, t2) of each; 0 × 0 if nothing touched.
    fn delassus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let touched = !self.sim.contacts().is_empty();
        let (w, n) = delassus(&self.sim).filter(|_| touched).unwrap_or_default();
        array(py, w, &[n, n])
    }
}

//! A simulation kept and gone back to: snapshots, the start, pickles, the state in another simulator's order.

use gudgeon_sim::Simulator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::Simulation;
use crate::arrays::{array, floats};
use crate::model::Model;
use crate::snapshot;

impl Simulation {
    /// Everything the run needs to go on.
    pub(super) fn sealed(&self) -> Vec<u8> {
        snapshot::of(&self.sim, self.controls.as_deref())
    }
}

#[pymethods]
impl Simulation {
    /// Everything the run needs to go on, to the bit, as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sealed())
    }

    /// Goes back to a snapshot of the same model, its contacts included; on an error nothing changes.
    fn restore(&mut self, snapshot: &[u8]) -> PyResult<()> {
        let damaged = || crate::SnapshotError::new_err("not a snapshot of this version, or damaged");
        let ([controls, external], rest) = snapshot::opened(snapshot).ok_or_else(damaged)?;
        let external = external.unwrap_or_default();
        let sizes = [0, 6 * self.sim.model().n_links()];
        if controls.as_ref().is_some_and(|u| u.len() != self.model.get().n_u())
            || !sizes.contains(&external.len())
        {
            return Err(crate::SnapshotError::new_err("the snapshot is of another model"));
        }
        self.held.release(&mut self.sim);
        self.rewind.forget();
        self.sim.restore(rest).map_err(|e| crate::SnapshotError::new_err(e.to_string()))?;
        // values of forces and motors are in the snapshot already, targets are not
        if controls.is_some() || self.controls.is_some() {
            self.set_commands(controls);
            // the actuators' own controls as they were
            self.sim.restore(rest).map_err(|e| crate::SnapshotError::new_err(e.to_string()))?;
        }
        self.sim.external.clear();
        self.sim.external.extend(snapshot::forces(&external));
        self.report = None;
        Ok(())
    }

    /// Goes back to the start of the model.
    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let scene = self.model.get().scene.clone();
        let fresh = crate::panics::caught(|| py.detach(|| Simulator::new(&scene)))?
            .map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        self.held.release(&mut self.sim);
        self.rewind.forget();
        self.sim.restore(&fresh.snapshot()).map_err(|e| crate::SnapshotError::new_err(e.to_string()))?;
        self.set_commands(None);
        self.sim.external.clear();
        self.report = None;
        if let Some(recorder) = &mut self.recorder {
            recorder.recording.frames.clear();
            recorder.keep(&mut self.sim, None);
        }
        Ok(())
    }

    #[staticmethod]
    fn _rebuild(py: Python<'_>, model: Py<Model>, snapshot: &[u8]) -> PyResult<Self> {
        let mut sim = Self::new(py, model)?;
        sim.restore(snapshot)?;
        Ok(sim)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let this = slf.borrow();
        let arguments = (this.model.clone_ref(py), this.snapshot(py));
        Ok((slf.get_type().getattr("_rebuild")?, arguments.into_pyobject(py)?.into_any()))
    }

    /// Positions and velocities in MuJoCo's order and meaning, as its `qpos` and `qvel`.
    fn to_mujoco<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let both = self.sim.equipment().to_mujoco(self.sim.model(), self.sim.state());
        let (q, v) = both.ok_or_else(|| PyValueError::new_err("the model has joints that no file names"))?;
        let (nq, nv) = (q.len(), v.len());
        Ok((array(py, q, &[nq])?, array(py, v, &[nv])?))
    }

    /// Puts in a state in MuJoCo's order and meaning: `qpos` and `qvel` (at rest if none) of its data.
    #[pyo3(name = "from_mujoco", signature = (qpos, qvel = None))]
    fn put_mujoco(&mut self, qpos: &Bound<'_, PyAny>, qvel: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (nq, nv) = self.sizes();
        let q = floats("qpos", qpos, &[Some(nq)])?.finite("qpos")?.as_slice().to_vec();
        let v = match qvel {
            Some(v) => floats("qvel", v, &[Some(nv)])?.finite("qvel")?.as_slice().to_vec(),
            None => vec![0.0; nv],
        };
        let state = self.sim.equipment().from_mujoco(self.sim.model(), &q, &v);
        let state = state.ok_or_else(|| PyValueError::new_err("the model has joints that no file names"))?;
        self.rewind.forget();
        self.sim.set_state(&state);
        Ok(())
    }
}

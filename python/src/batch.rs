//! Copies of a model that are stepped together, one control at a time.
//!
//! A copy is stepped by one thread and knows nothing of the others, so the bits of its path do not depend on how many
//! threads there are. A copy whose state stops being finite is flagged, left where it was last finite, and not stepped
//! again; the others never notice.

mod row;

use std::sync::atomic::Ordering;

use gudgeon_sim::{Rewind, Simulator, StepReport};
use gudgeon_spatial::{Force, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use self::row::Row;
use crate::alone::Alone;
use crate::arrays::{Floats, array, float64, floats, view};
use crate::drive::Drive;
use crate::model::Model;
use crate::parameters::Parameters;
use crate::snapshot;
use crate::threads::{spread, threads_of};

/// Status of a step that could not be done; those below are 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget,
/// 5 nothing to solve.
pub(crate) const DIVERGED: u8 = 6;

pub(crate) fn status(report: &StepReport) -> u8 {
    report.solve.map_or(5, |s| s.status as u8)
}

/// The worse of two statuses; "nothing to solve" is the best there is.
pub(crate) fn rank(a: u8, b: u8) -> u8 {
    let badness = |s: u8| if s == 5 { 0 } else { s + 1 };
    if badness(b) > badness(a) { b } else { a }
}

/// Copies of a model that are stepped together, one control at a time: what a vector of environments needs.
#[pyclass(module = "gudgeon")]
pub(crate) struct Batch {
    model: Py<Model>,
    sims: Vec<Alone>,
    start: Vec<u8>, // snapshot of the start
    threads: usize,
    // rows by copy
    q: Vec<f64>,
    v: Vec<f64>,
    touch: Vec<f64>, // copies × links: sum of the magnitudes of contact forces, N
    status: Vec<u8>,
    sums: Vec<[f64; 5]>, // of the last step: contacts, active, force, penetration, fallback
    told: Vec<snapshot::Numbers>, // values of controllers, where Python gave any
    rewinds: Vec<Rewind>, // to before a step that Ctrl-C cuts short
    drive: Drive,        // of the steps that they know of
}

impl Batch {
    fn check(&self, copies: &[usize]) -> PyResult<()> {
        match copies.iter().find(|c| **c >= self.sims.len()) {
            Some(bad) => {
                Err(PyValueError::new_err(format!("copies has {bad}, there are {}", self.sims.len())))
            }
            None => Ok(()),
        }
    }

    fn rows(&mut self) -> Vec<Row<'_>> {
        let model = &self.model.get().scene.model;
        let (nq, nv, links) = (model.n_q(), model.n_v(), model.n_links());
        // a model that cannot move still has rows, of no length
        let mut q = self.q.as_mut_slice();
        let mut v = self.v.as_mut_slice();
        let mut touch = self.touch.as_mut_slice();
        let mut rows = Vec::with_capacity(self.sims.len());
        let flags = self.status.iter_mut().zip(&mut self.sums);
        for ((sim, rewind), (status, sums)) in self.sims.iter_mut().zip(&mut self.rewinds).zip(flags) {
            let (own_q, rest_q) = std::mem::take(&mut q).split_at_mut(nq);
            let (own_v, rest_v) = std::mem::take(&mut v).split_at_mut(nv);
            let (own_touch, rest_touch) = std::mem::take(&mut touch).split_at_mut(links);
            (q, v, touch) = (rest_q, rest_v, rest_touch);
            rows.push(Row { sim, q: own_q, v: own_v, touch: own_touch, status, sums, rewind });
        }
        rows
    }
}

#[pymethods]
impl Batch {
    /// `copies` of `model` at its start, stepped by `threads` (0: as many as the machine has).
    #[new]
    #[pyo3(signature = (model, copies, threads = 0, parameters = None))]
    fn new(
        py: Python<'_>,
        model: Py<Model>,
        copies: usize,
        threads: usize,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let scene = model.get().scene.clone();
        // a copy holds at least this much: its state, rows, contacts and the scratch of its links
        let each = 20_000 + 2_000 * scene.model.n_links() + 1_000 * scene.model.n_v();
        crate::memory::room(copies, 1, each, "Batch")?;
        let parameters = Parameters::read(parameters, copies, &scene)?;
        let made = crate::panics::caught(|| {
            py.detach(|| {
                let plain = Simulator::new(&scene)?;
                let sims: Result<Vec<Simulator>, _> =
                    (0..copies).map(|k| parameters.simulator(&scene, k, || plain.clone())).collect();
                Ok::<_, gudgeon_sim::SceneError>((plain.snapshot(), sims?))
            })
        })?;
        let (start, sims) = made.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        let m = &scene.model;
        let mut batch = Self {
            start,
            threads: threads_of(threads),
            q: vec![0.0; copies * m.n_q()],
            v: vec![0.0; copies * m.n_v()],
            touch: vec![0.0; copies * m.n_links()],
            status: vec![5; copies],
            sums: vec![[0.0; 5]; copies],
            told: vec![None; copies],
            rewinds: vec![Rewind::default(); copies],
            drive: Drive::Joints,
            sims: sims.into_iter().map(Alone::new).collect(),
            model,
        };
        batch.rows().iter_mut().for_each(Row::read);
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.sims.len()
    }

    fn __repr__(&self) -> String {
        format!("<gudgeon.Batch of {} copies of '{}'>", self.sims.len(), self.model.get().scene.name)
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// Positions, copies × nq: a read-only view that changes under `step`.
    #[getter]
    fn q<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let shape = [this.sims.len(), this.model.get().nq()];
        // SAFETY: the vector never changes its size, and the array holds the batch.
        unsafe { view(float64(slf.py())?, &shape, this.q.as_ptr(), false, slf.clone().into_any()) }
    }

    /// Velocities, copies × nv: a read-only view that changes under `step`.
    #[getter]
    fn v<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let shape = [this.sims.len(), this.model.get().nv()];
        // SAFETY: the vector never changes its size, and the array holds the batch.
        unsafe { view(float64(slf.py())?, &shape, this.v.as_ptr(), false, slf.clone().into_any()) }
    }

    /// Sum of the magnitudes of the contact forces on every link, copies × links, N: a read-only view that changes
    /// under `step`.
    #[getter]
    fn touch<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let shape = [this.sims.len(), this.model.get().scene.model.n_links()];
        // SAFETY: the vector never changes its size, and the array holds the batch.
        unsafe { view(float64(slf.py())?, &shape, this.touch.as_ptr(), false, slf.clone().into_any()) }
    }

    /// By copy: 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget, 5 nothing to solve, 6 diverged (stopped there).
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.status.clone(), &[self.status.len()])
    }

    /// Of the last `step`, copies × 5: contact points, those with a force, the sum of their normal forces (N), the deepest
    /// overlap of the substeps (m), the last resort that a substep took.
    #[getter]
    fn sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.sums.concat(), &[self.sums.len(), 5])
    }

    /// Advances every copy by `substeps` under one control each, u [copies, n]. Ctrl-C leaves each copy after a whole step of its own.
    #[pyo3(signature = (u = None, substeps = 1, drive = "joints"))]
    fn step(
        &mut self,
        py: Python<'_>,
        u: Option<&Bound<'_, PyAny>>,
        substeps: usize,
        drive: &str,
    ) -> PyResult<()> {
        let drive = Drive::read(drive)?;
        let width = drive.width(&self.model.get().scene);
        let u = u.map(|u| floats("u", u, &[Some(self.sims.len()), Some(width)])).transpose()?;
        let u = u.as_ref().map(Floats::as_slice);
        if let Some(u) = u.filter(|_| drive == Drive::Controllers) {
            for (own, told) in u.chunks(width.max(1)).zip(&mut self.told) {
                let list = told.get_or_insert_with(Vec::new);
                list.clear();
                list.extend_from_slice(own);
            }
        }
        if drive != self.drive {
            self.rewinds.iter_mut().for_each(Rewind::forget);
            self.drive = drive;
        }
        let threads = self.threads;
        let rows: Vec<(usize, Row<'_>)> = self.rows().into_iter().enumerate().collect();
        spread(py, rows, threads, None, |(copy, mut row), stop| {
            if !stop.load(Ordering::Relaxed) {
                let own = u.map_or(&[][..], |u| &u[copy * width..(copy + 1) * width]);
                row.step(drive, own, substeps);
            }
        })
    }

    /// Puts some copies elsewhere, or back to the start: `copies` are indices, q [len, nq], v [len, nv]. With
    /// `parameters`, rows for these copies, they get numbers of their own anew; without, they keep what they have.
    #[pyo3(signature = (copies, q = None, v = None, parameters = None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        copies: Vec<usize>,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let (nq, nv) = (self.model.get().nq(), self.model.get().nv());
        let scene = self.model.get().scene.clone();
        let q = q.map(|q| floats("q", q, &[Some(copies.len()), Some(nq)])?.finite("q")).transpose()?;
        let v = v.map(|v| floats("v", v, &[Some(copies.len()), Some(nv)])?.finite("v")).transpose()?;
        for (k, q) in q.iter().flat_map(|q| q.as_slice().chunks(nq.max(1))).enumerate() {
            crate::model::check_turns(&scene, q, &format!("row {k} of q"))?;
        }
        self.check(&copies)?;
        let parameters = Parameters::read(parameters, copies.len(), &scene)?;
        if !parameters.is_empty() {
            let made: Result<Vec<Simulator>, _> = crate::panics::caught(|| {
                py.detach(|| {
                    (0..copies.len()).map(|k| Simulator::new(&parameters.scene(&scene, k)?)).collect()
                })
            })?;
            let made = made.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
            for (&copy, sim) in copies.iter().zip(made) {
                self.sims[copy] = Alone::new(sim);
            }
        }
        let start = std::mem::take(&mut self.start);
        let mut rows = self.rows();
        for (k, &copy) in copies.iter().enumerate() {
            let row = &mut rows[copy];
            row.rewind.forget();
            crate::drive::forget(row.sim, &scene);
            row.sim.restore_kin(&start).map_err(|e| crate::SnapshotError::new_err(e.to_string()))?;
            row.sim.external.clear();
            let mut state = row.sim.state().clone();
            if let Some(q) = &q {
                state.q.copy_from_slice(&q.as_slice()[k * nq..(k + 1) * nq]);
            }
            if let Some(v) = &v {
                state.v.copy_from_slice(&v.as_slice()[k * nv..(k + 1) * nv]);
            }
            row.sim.set_state(&state);
            *row.status = 5;
            row.read();
        }
        drop(rows);
        self.start = start;
        for &copy in &copies {
            self.told[copy] = None;
        }
        Ok(())
    }

    /// A force on a link of every copy (or of those in `copies`) until `clear_forces` or `reset`: world axes, N,
    /// [len, 3], at the link's origin or at `point` [len, 3] of the world; `torque` [len, 3].
    #[pyo3(signature = (link, force, torque = None, point = None, copies = None))]
    fn apply_force(
        &mut self,
        link: &Bound<'_, PyAny>,
        force: &Bound<'_, PyAny>,
        torque: Option<&Bound<'_, PyAny>>,
        point: Option<&Bound<'_, PyAny>>,
        copies: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let link = self.model.get().find(link)?;
        let copies = copies.unwrap_or_else(|| (0..self.sims.len()).collect());
        self.check(&copies)?;
        let read = |name: &str, value: &Bound<'_, PyAny>| -> PyResult<Vec<Vector3<f64>>> {
            let numbers = floats(name, value, &[Some(copies.len()), Some(3)])?.finite(name)?;
            Ok(numbers.as_slice().chunks(3).map(Vector3::from_column_slice).collect())
        };
        let force = read("force", force)?;
        let torque = torque.map(|t| read("torque", t)).transpose()?;
        let point = point.map(|p| read("point", p)).transpose()?;
        for (k, &copy) in copies.iter().enumerate() {
            self.rewinds[copy].forget();
            let sim = &mut self.sims[copy];
            let mut own = torque.as_ref().map_or_else(Vector3::zeros, |t| t[k]);
            if let Some(point) = &point {
                own += (point[k] - sim.workspace().pose(link).translation).cross(&force[k]);
            }
            let n = sim.model().n_links();
            sim.external.resize(n, Force::zero());
            sim.external[link.0] += Force::new(own, force[k]);
        }
        Ok(())
    }

    /// Takes back every `apply_force`.
    fn clear_forces(&mut self) {
        self.rewinds.iter_mut().for_each(Rewind::forget);
        self.sims.iter_mut().for_each(|sim| sim.external.clear());
    }

    /// Sets some copies to snapshots, one for each or one for all, of `Simulation.snapshot` or of this batch.
    fn restore(&mut self, copies: Vec<usize>, snapshots: Vec<Vec<u8>>) -> PyResult<()> {
        self.check(&copies)?;
        if snapshots.len() != copies.len() && snapshots.len() != 1 {
            return Err(PyValueError::new_err(format!(
                "snapshots has {}, expected 1 or {}",
                snapshots.len(),
                copies.len()
            )));
        }
        let scene = self.model.get().scene.clone();
        let mut controls = Vec::new();
        let mut rows = self.rows();
        for (k, &copy) in copies.iter().enumerate() {
            let bytes = snapshots.get(k).unwrap_or(&snapshots[0]);
            rows[copy].rewind.forget();
            let told = snapshot::restore_kin(rows[copy].sim, &scene, bytes);
            controls.push((copy, told.map_err(crate::SnapshotError::new_err)?));
            *rows[copy].status = 5;
            rows[copy].read();
        }
        for (copy, told) in controls {
            self.told[copy] = told;
        }
        Ok(())
    }

    /// What every sensor reads, copies × numbers, in the order of `model.sensors`.
    #[getter]
    fn sensors<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut all = Vec::new();
        for sim in &mut self.sims {
            all.extend_from_slice(sim.sense());
        }
        let (copies, n) = (self.sims.len(), all.len());
        array(py, all, &[copies, n / copies.max(1)])
    }

    /// What contacts do to every link, copies × links × 6: torque about the link's origin, then force; world axes.
    #[getter]
    fn wrenches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all: Vec<f64> = self.sims.iter().flat_map(|sim| crate::dynamics::wrenches(sim, None)).collect();
        array(py, all, &[self.sims.len(), self.model.get().scene.model.n_links(), 6])
    }

    /// One copy as (q, v) and a picture of it needs a simulation: the snapshot of a copy, for `Simulation.restore`.
    fn snapshot<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let sim = self
            .sims
            .get(copy)
            .ok_or_else(|| PyValueError::new_err(format!("copy {copy} of {}", self.sims.len())))?;
        let out = snapshot::of(sim, self.told[copy].as_deref());
        Ok(pyo3::types::PyBytes::new(py, &out))
    }
}

//! Many copies of a model on threads.
//!
//! A copy is stepped by one thread and knows nothing of the others, so the bits of its path do not depend on how many
//! threads there are. A copy whose state stops being finite is flagged, left where it was last finite, and not stepped
//! again; the others never notice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use gudgeon_multibody::State;
use gudgeon_sim::{Simulator, StepReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::alone::Alone;
use crate::arrays::{array, float64, floats, view};
use crate::model::Model;
use crate::parameters::{Drive, Parameters};

/// Status of a step that could not be done; those below are 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget,
/// 5 nothing to solve.
const DIVERGED: u8 = 6;

fn status(report: &StepReport) -> u8 {
    report.solve.map_or(5, |s| s.status as u8)
}

/// As many threads as asked for, or as the machine has.
fn threads_of(asked: usize) -> usize {
    if asked > 0 { asked } else { std::thread::available_parallelism().map_or(1, std::num::NonZero::get) }
}

/// What the contacts of a step come to.
#[derive(Debug, Clone, Copy, Default)]
struct Touch {
    contacts: u32,
    active: u32,
    force: f64,
    penetration: f64,
}

impl Touch {
    fn of(sim: &Simulator, report: &StepReport) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            contacts: count(report.contacts),
            active: count(report.active),
            force: sim.contacts().iter().map(|c| c.force.dot(&c.normal)).sum(),
            penetration: report.penetration,
        }
    }
}

/// The part of the answer that belongs to one copy.
struct Share<'a> {
    x: &'a mut [f64],           // steps × (n_q + n_v)
    contacts: &'a mut [u32],    // steps
    active: &'a mut [u32],      // steps
    force: &'a mut [f64],       // steps
    penetration: &'a mut [f64], // steps
    status: &'a mut [u8],       // steps
    fallback: &'a mut [u8],     // steps
}

impl Share<'_> {
    /// Runs one copy; after a step that cannot be done the rest is NaN and flagged.
    fn run(&mut self, sim: &mut Simulator, drive: Drive, u: &[f64], substeps: usize, stop: &AtomicBool) {
        let steps = self.status.len();
        let (nq, nx) = (sim.model().n_q(), sim.model().n_q() + sim.model().n_v());
        let width = u.len() / steps.max(1);
        for t in 0..steps {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            if width > 0 {
                drive.apply(sim, &u[t * width..(t + 1) * width]);
            }
            let (mut worst, mut rung) = (5, 0);
            let mut deepest = 0.0_f64;
            for _ in 0..substeps {
                let Ok(report) = sim.step() else {
                    self.x[t * nx..].fill(f64::NAN);
                    self.status[t..].fill(DIVERGED);
                    return;
                };
                worst = rank(worst, status(&report));
                rung = rung.max(report.solve.map_or(0, |s| s.fallback as u8));
                let touch = Touch::of(sim, &report);
                deepest = deepest.max(touch.penetration);
                (self.contacts[t], self.active[t], self.force[t]) =
                    (touch.contacts, touch.active, touch.force);
            }
            self.penetration[t] = deepest;
            self.status[t] = worst;
            self.fallback[t] = rung;
            let x = &mut self.x[t * nx..(t + 1) * nx];
            x[..nq].copy_from_slice(&sim.state().q);
            x[nq..].copy_from_slice(&sim.state().v);
        }
    }
}

/// The worse of two statuses; "nothing to solve" is the best there is.
fn rank(a: u8, b: u8) -> u8 {
    let badness = |s: u8| if s == 5 { 0 } else { s + 1 };
    if badness(b) > badness(a) { b } else { a }
}

/// Tells the caller that a thread has ended, also by a panic.
struct Leaving<'a> {
    working: &'a AtomicUsize,
    caller: &'a std::thread::Thread,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.working.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

/// Runs `work` on every item, on threads, looking for Ctrl-C and telling the progress meanwhile.
fn spread<T: Send>(
    py: Python<'_>,
    items: Vec<T>,
    threads: usize,
    progress: Option<&Py<PyAny>>,
    work: impl Fn(T, &AtomicBool) + Sync,
) -> PyResult<()> {
    let total = items.len();
    let workers = threads.min(total);
    let (done, stop, working) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(workers));
    let queue = Mutex::new(items.into_iter());
    let broken: Mutex<Option<PyErr>> = Mutex::new(None);
    let failure = py.detach(|| {
        let caller = std::thread::current();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let _leaving = Leaving { working: &working, caller: &caller };
                    loop {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(item) = next.filter(|_| !stop.load(Ordering::Relaxed)) else { break };
                        if let Err(error) = crate::panics::caught(|| work(item, &stop)) {
                            stop.store(true, Ordering::Relaxed);
                            *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            break;
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let mut told = 0;
            while working.load(Ordering::Acquire) > 0 {
                std::thread::park_timeout(crate::simulation::PATIENCE);
                let now = done.load(Ordering::Relaxed);
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(progress) = progress.filter(|_| now > told && now < total) {
                        progress.call1(py, (now, total))?;
                    }
                    PyResult::Ok(())
                });
                told = now;
                if let Err(error) = looked {
                    stop.store(true, Ordering::Relaxed);
                    return Some(error);
                }
            }
            None
        })
    });
    let broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure.or(broken) {
        return Err(error);
    }
    if let Some(progress) = progress {
        progress.call1(py, (total, total))?;
    }
    Ok(())
}

/// Runs B copies for T steps each: q0 [B, nq], v0 [B, nv], u [B, T, n].
#[pyfunction]
#[pyo3(signature = (model, q0, v0, u, steps, drive, substeps, threads, parameters, progress))]
pub(crate) fn rollout<'py>(
    py: Python<'py>,
    model: Py<Model>,
    q0: &Bound<'py, PyAny>,
    v0: &Bound<'py, PyAny>,
    u: Option<&Bound<'py, PyAny>>,
    steps: usize,
    drive: &str,
    substeps: usize,
    threads: usize,
    parameters: Option<&Bound<'py, PyDict>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let scene = model.get().scene.clone();
    let (nq, nv) = (model.get().nq(), model.get().nv());
    let q0 = floats("q0", q0, &[None, Some(nq)])?;
    let copies = q0.shape[0];
    let v0 = floats("v0", v0, &[Some(copies), Some(nv)])?;
    for (copy, q) in q0.as_slice().chunks(nq.max(1)).enumerate() {
        crate::model::check_turns(&scene, q, &format!("q0 of copy {copy}"))?;
    }
    let drive = Drive::read(drive)?;
    let width = drive.width(&scene);
    let u = u.map(|u| floats("u", u, &[Some(copies), Some(steps), Some(width)])).transpose()?;
    if substeps == 0 {
        return Err(PyValueError::new_err("substeps is 0, expected at least 1"));
    }
    let parameters = Parameters::read(parameters, copies, &scene)?;
    let plain = crate::panics::caught(|| py.detach(|| Simulator::new(&scene)))?;
    let plain = plain.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
    let plain = Mutex::new(plain); // cloned by one thread at a time

    let nx = nq + nv;
    let n = crate::memory::room(copies, steps, 8 * nx + 26, "rollout")?;
    let mut x = crate::memory::filled(n * nx, 0.0)?;
    let (mut contacts, mut active) = (crate::memory::filled(n, 0_u32)?, crate::memory::filled(n, 0_u32)?);
    let (mut force, mut penetration) = (crate::memory::filled(n, 0.0)?, crate::memory::filled(n, 0.0)?);
    let (mut flags, mut rungs) = (crate::memory::filled(n, 0_u8)?, crate::memory::filled(n, 0_u8)?);
    if n > 0 {
        let shares: Vec<(usize, Share<'_>)> = x
            .chunks_mut(steps * nx)
            .zip(contacts.chunks_mut(steps).zip(active.chunks_mut(steps)))
            .zip(force.chunks_mut(steps).zip(penetration.chunks_mut(steps)))
            .zip(flags.chunks_mut(steps).zip(rungs.chunks_mut(steps)))
            .map(|(((x, (contacts, active)), (force, penetration)), (status, fallback))| Share {
                x,
                contacts,
                active,
                force,
                penetration,
                status,
                fallback,
            })
            .enumerate()
            .collect();
        let (q0, v0, u) = (q0.as_slice(), v0.as_slice(), u.as_ref().map(crate::arrays::Floats::as_slice));
        spread(py, shares, threads_of(threads), progress.as_ref(), |(copy, mut share), stop| {
            let q = q0[copy * nq..(copy + 1) * nq].to_vec();
            let v = v0[copy * nv..(copy + 1) * nv].to_vec();
            match parameters
                .simulator(&scene, copy, || plain.lock().unwrap_or_else(PoisonError::into_inner).clone())
            {
                Ok(mut sim) if q.iter().chain(&v).all(|x| x.is_finite()) => {
                    sim.set_state(&State { q, v });
                    let size = steps * width;
                    let u = u.map_or(&[][..], |u| &u[copy * size..(copy + 1) * size]);
                    share.run(&mut sim, drive, u, substeps, stop);
                }
                // a start that is no state, or parameters that make no scene
                _ => {
                    share.x.fill(f64::NAN);
                    share.status.fill(DIVERGED);
                }
            }
        })?;
    }
    let out = PyDict::new(py);
    out.set_item("x", array(py, x, &[copies, steps, nx])?)?;
    out.set_item("contacts", array(py, contacts, &[copies, steps])?)?;
    out.set_item("active", array(py, active, &[copies, steps])?)?;
    out.set_item("force", array(py, force, &[copies, steps])?)?;
    out.set_item("penetration", array(py, penetration, &[copies, steps])?)?;
    out.set_item("status", array(py, flags, &[copies, steps])?)?;
    out.set_item("fallback", array(py, rungs, &[copies, steps])?)?;
    Ok(out)
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
}

/// The rows of one copy.
struct Row<'a> {
    sim: &'a mut Simulator,
    q: &'a mut [f64],
    v: &'a mut [f64],
    touch: &'a mut [f64],
    status: &'a mut u8,
}

impl Row<'_> {
    fn step(&mut self, drive: Drive, u: &[f64], substeps: usize) {
        if *self.status == DIVERGED {
            return;
        }
        if !u.is_empty() {
            drive.apply(self.sim, u);
        }
        let mut worst = 5;
        for _ in 0..substeps {
            let Ok(report) = self.sim.step() else {
                *self.status = DIVERGED;
                return;
            };
            worst = rank(worst, status(&report));
        }
        *self.status = worst;
        self.read();
    }

    fn read(&mut self) {
        self.q.copy_from_slice(&self.sim.state().q);
        self.v.copy_from_slice(&self.sim.state().v);
        self.touch.fill(0.0);
        for c in self.sim.contacts() {
            let size = c.force.norm();
            self.touch[c.a.0] += size;
            self.touch[c.b.0] += size;
        }
    }
}

impl Batch {
    fn rows(&mut self) -> Vec<Row<'_>> {
        let model = &self.model.get().scene.model;
        let (nq, nv, links) = (model.n_q(), model.n_v(), model.n_links());
        // a model that cannot move still has rows, of no length
        let mut q = self.q.as_mut_slice();
        let mut v = self.v.as_mut_slice();
        let mut touch = self.touch.as_mut_slice();
        let mut rows = Vec::with_capacity(self.sims.len());
        for (sim, status) in self.sims.iter_mut().zip(&mut self.status) {
            let (own_q, rest_q) = std::mem::take(&mut q).split_at_mut(nq);
            let (own_v, rest_v) = std::mem::take(&mut v).split_at_mut(nv);
            let (own_touch, rest_touch) = std::mem::take(&mut touch).split_at_mut(links);
            (q, v, touch) = (rest_q, rest_v, rest_touch);
            rows.push(Row { sim, q: own_q, v: own_v, touch: own_touch, status });
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
            sims: sims.into_iter().map(Alone::new).collect(),
            model,
        };
        batch.rows().iter_mut().for_each(Row::read);
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.sims.len()
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

    /// Advances every copy by `substeps` under one control each, u [copies, n].
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
        let u = u.as_ref().map(crate::arrays::Floats::as_slice);
        let threads = self.threads;
        let rows: Vec<(usize, Row<'_>)> = self.rows().into_iter().enumerate().collect();
        spread(py, rows, threads, None, |(copy, mut row), stop| {
            if !stop.load(Ordering::Relaxed) {
                let own = u.map_or(&[][..], |u| &u[copy * width..(copy + 1) * width]);
                row.step(drive, own, substeps);
            }
        })
    }

    /// Puts some copies elsewhere, or back to the start: `copies` are indices, q [len, nq], v [len, nv].
    #[pyo3(signature = (copies, q = None, v = None))]
    fn reset(
        &mut self,
        copies: Vec<usize>,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (nq, nv) = (self.model.get().nq(), self.model.get().nv());
        let q = q.map(|q| floats("q", q, &[Some(copies.len()), Some(nq)])?.finite("q")).transpose()?;
        let v = v.map(|v| floats("v", v, &[Some(copies.len()), Some(nv)])?.finite("v")).transpose()?;
        for (k, q) in q.iter().flat_map(|q| q.as_slice().chunks(nq.max(1))).enumerate() {
            crate::model::check_turns(&self.model.get().scene, q, &format!("row {k} of q"))?;
        }
        if let Some(bad) = copies.iter().find(|c| **c >= self.sims.len()) {
            return Err(PyValueError::new_err(format!("copies has {bad}, there are {}", self.sims.len())));
        }
        let start = std::mem::take(&mut self.start);
        let mut rows = self.rows();
        for (k, &copy) in copies.iter().enumerate() {
            let row = &mut rows[copy];
            row.sim.restore_kin(&start).map_err(|e| crate::SnapshotError::new_err(e.to_string()))?;
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
        Ok(())
    }

    /// One copy as (q, v) and a picture of it needs a simulation: the snapshot of a copy, for `Simulation.restore`.
    fn snapshot<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let sim = self
            .sims
            .get(copy)
            .ok_or_else(|| PyValueError::new_err(format!("copy {copy} of {}", self.sims.len())))?;
        // neither controls nor forces
        let commands = [u32::MAX.to_le_bytes(), 0_u32.to_le_bytes()].concat();
        let out = crate::snapshot::sealed(&commands, &sim.snapshot());
        Ok(pyo3::types::PyBytes::new(py, &out))
    }
}

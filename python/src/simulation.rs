//! One copy of a model in motion.
//!
//! `q`, `v` and `control` are views of the simulator's own memory: vectors whose size never changes and which are only
//! written in place, so that their addresses hold as long as the object lives. They change under `step`.

mod controls;
mod dynamics;
mod kept;
mod readings;
mod shown;

use gudgeon_multibody::{LinkId, State};
use gudgeon_sim::{Rewind, Simulator, StepReport};
use gudgeon_spatial::Vector3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::alone::Alone;
use crate::arrays::{float64, floats, view};
use crate::contacts::Held;
use crate::dynamics::Dynamics;
use crate::live::Pages;
use crate::model::Model;
use crate::picture::Picture;
use crate::recorder::Recorder;
use crate::watch;

/// A model in motion.
#[pyclass(module = "gudgeon", weakref)]
pub(crate) struct Simulation {
    model: Py<Model>,
    sim: Alone,
    held: Held,
    report: Option<StepReport>,
    controls: Option<Vec<f64>>, // what `set_controls` was last told
    recorder: Option<Recorder>,
    dynamics: Option<Dynamics>,
    picture: Option<Picture>,
    pages: Pages,
    rewind: Rewind, // to before a step that Ctrl-C cuts short
}

impl Drop for Simulation {
    fn drop(&mut self) {
        self.held.release(&mut self.sim);
    }
}

fn failed(error: String) -> PyErr {
    crate::StepError::new_err(error)
}

impl Simulation {
    /// So many steps, or fewer if Ctrl-C is pressed meanwhile.
    fn run(&mut self, steps: u64) -> Result<(), String> {
        for done in 0..steps {
            if done > 0 {
                self.rewind.mark_told(&self.sim, &self.sim.control);
            }
            let Some(report) = self.whole_step()? else { break };
            self.report = Some(report);
            if let Some(recorder) = &mut self.recorder
                && self.sim.steps().is_multiple_of(recorder.every)
            {
                recorder.keep(&mut self.sim, Some(&report));
            }
            if watch::asked() {
                break;
            }
        }
        Ok(())
    }

    /// A step; none, and everything as it was, if Ctrl-C was pressed meanwhile.
    fn whole_step(&mut self) -> Result<Option<StepReport>, String> {
        if self.pages.are_open() {
            self.rewind.forget();
            return self.pages.step(&mut self.sim);
        }
        let before = self.sim.steps();
        self.sim.settings.interrupt = Some(watch::interrupt());
        let report = self.sim.step();
        self.sim.settings.interrupt = None;
        let tell = |sim: &mut Simulator, control: &[f64]| sim.control.copy_from_slice(control);
        if watch::stopped() && self.rewind.back_told(&mut self.sim, before, tell) {
            return Ok(None);
        }
        report.map(Some).map_err(|e| e.to_string())
    }

    fn link(&self, link: &Bound<'_, PyAny>) -> PyResult<LinkId> {
        self.model.get().find(link)
    }

    fn sizes(&self) -> (usize, usize) {
        (self.sim.model().n_q(), self.sim.model().n_v())
    }
}

#[pymethods]
impl Simulation {
    /// `model` at its start.
    #[new]
    fn new(py: Python<'_>, model: Py<Model>) -> PyResult<Self> {
        let scene = model.get().scene.clone();
        let sim = crate::panics::caught(|| py.detach(|| Simulator::new(&scene)))?;
        let sim = sim.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        Ok(Self {
            model,
            sim: Alone::new(sim),
            held: Held::default(),
            report: None,
            controls: None,
            recorder: None,
            dynamics: None,
            picture: None,
            pages: Pages::default(),
            rewind: Rewind::default(),
        })
    }

    fn __repr__(&self) -> String {
        let name = &self.model.get().scene.name;
        format!(
            "<gudgeon.Simulation '{name}' at t = {} s, {} contacts>",
            self.sim.time(),
            self.sim.contacts().len()
        )
    }

    /// Advances by n steps. Other Python threads run meanwhile; Ctrl-C ends a step that is under way as if it had not begun.
    #[pyo3(signature = (n = 1))]
    fn step(&mut self, py: Python<'_>, n: i64) -> PyResult<()> {
        let steps = u64::try_from(n)
            .map_err(|_| PyValueError::new_err(format!("n is {n}, expected a number of steps")))?;
        if steps == 0 {
            return Ok(());
        }
        // with the contacts of now
        self.rewind.mark_told(&self.sim, &self.sim.control);
        self.held.release(&mut self.sim);
        let done = watch::listening(py, || self.run(steps)).and_then(|run| run.map_err(failed));
        if done.is_err() {
            self.rewind.forget();
        }
        done
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// s.
    #[getter]
    fn time(&self) -> f64 {
        self.sim.time()
    }

    /// Steps done.
    #[getter]
    fn steps(&self) -> u64 {
        self.sim.steps()
    }

    /// Positions, nq: a read-only view that changes under `step`. Assign to move the bodies.
    #[getter]
    fn q<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let q = &this.sim.state().q;
        // SAFETY: the vector is only ever written in place, and the array holds the simulation.
        unsafe { view(float64(slf.py())?, &[q.len()], q.as_ptr(), false, slf.clone().into_any()) }
    }

    #[setter]
    fn set_q(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = floats("q", value, &[Some(self.sizes().0)])?.finite("q")?.as_slice().to_vec();
        crate::model::check_turns(&self.model.get().scene, &q, "q")?;
        let v = self.sim.state().v.clone();
        self.rewind.forget();
        self.sim.set_state(&State { q, v });
        Ok(())
    }

    /// Velocities, nv: a read-only view that changes under `step`. Assign to change the motion.
    #[getter]
    fn v<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let v = &this.sim.state().v;
        // SAFETY: the vector is only ever written in place, and the array holds the simulation.
        unsafe { view(float64(slf.py())?, &[v.len()], v.as_ptr(), false, slf.clone().into_any()) }
    }

    #[setter]
    fn set_v(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = floats("v", value, &[Some(self.sizes().1)])?.finite("v")?.as_slice().to_vec();
        let q = self.sim.state().q.clone();
        self.rewind.forget();
        self.sim.set_state(&State { q, v });
        Ok(())
    }
}

fn vector(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vector3<f64>> {
    let numbers = floats(name, value, &[Some(3)])?.finite(name)?;
    Ok(Vector3::from_column_slice(numbers.as_slice()))
}

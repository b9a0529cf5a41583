//! Derivatives of rollouts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gudgeon_multibody::{from_tangent, to_tangent};
use gudgeon_sim::{
    Linearization as Linear, LinearizeError, Rollout, RolloutError, RolloutWorth, Scene, Simulator,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;

use crate::arrays::{array, floats};
use crate::model::{Model, rub};
use crate::threads::{spread, threads_of};

fn stopped(error: &RolloutError) -> PyErr {
    match &error.error {
        LinearizeError::Step(_) => crate::StepError::new_err(error.to_string()),
        _ => crate::GradientError::new_err(error.to_string()),
    }
}

/// Runs that were done, with what it takes to go back through them.
#[pyclass(module = "gudgeon", frozen)]
pub(crate) struct Runs {
    done: Mutex<Vec<Rollout>>,
    threads: usize,
    steps: usize,
}

/// The scene with surfaces as asked for.
fn surfaced(
    scene: &Scene,
    friction: Option<f64>,
    restitution: Option<f64>,
    soft: Option<(f64, f64)>,
) -> Scene {
    let mut scene = scene.clone();
    if let Some(x) = friction {
        rub(&mut scene, x);
    }
    let each = scene.materials.iter_mut().chain(scene.pairs.iter_mut().map(|p| &mut p.2));
    for m in each {
        if let Some(e) = restitution {
            m.restitution = e;
        }
        if let Some((stiffness, damping)) = soft {
            (m.stiffness, m.damping, m.restitution) = (stiffness, damping, 0.0);
        }
    }
    scene
}

impl Runs {
    fn all(&self, py: Python<'_>) -> MutexGuard<'_, Vec<Rollout>> {
        // whoever holds it may want the interpreter; a product that failed leaves runs that can be gone through again
        self.done.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Runs {
    /// B copies from q (B x nq) and v (B x nv) over T steps; controls B x T x nv or none; inputs of controllers B x T x controllers
    /// or none.
    #[new]
    #[pyo3(signature = (model, q, v, controls, inputs, steps, friction, restitution, soft, threads))]
    #[expect(clippy::too_many_arguments, reason = "a call with names")]
    fn new(
        py: Python<'_>,
        model: &Model,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
        controls: Option<&Bound<'_, PyAny>>,
        inputs: Option<&Bound<'_, PyAny>>,
        steps: usize,
        friction: Option<f64>,
        restitution: Option<f64>,
        soft: Option<(f64, f64)>,
        threads: usize,
    ) -> PyResult<Self> {
        let scene = surfaced(&model.scene, friction, restitution, soft);
        let (nq, nv) = (scene.model.n_q(), scene.model.n_v());
        let q = floats("q", q, &[None, Some(nq)])?.finite("q")?;
        let copies = q.shape[0];
        let v = floats("v", v, &[Some(copies), Some(nv)])?.finite("v")?;
        let told = scene.controllers.len();
        let rows = |name: &str, x: Option<&Bound<'_, PyAny>>, n: usize| match x {
            Some(x) => PyResult::Ok(
                floats(name, x, &[Some(copies), Some(steps), Some(n)])?.finite(name)?.as_slice().to_vec(),
            ),
            None => Ok(Vec::new()),
        };
        let (u, inputs) = (rows("controls", controls, nv)?, rows("inputs", inputs, told)?);
        let first = Simulator::new(&scene).map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        let (q, v) = (q.as_slice().to_vec(), v.as_slice().to_vec());
        let threads = threads_of(threads);
        let mut sims = Vec::new();
        for k in 0..copies {
            let mut sim = first.clone();
            sim.settings.interrupt = Some(crate::watch::interrupt());
            let state = gudgeon_multibody::State {
                q: q[k * nq..(k + 1) * nq].to_vec(),
                v: v[k * nv..(k + 1) * nv].to_vec(),
            };
            sim.set_state(&state);
            sims.push(sim);
        }
        let run = |k: usize, sim: Simulator| {
            let own =
                |x: &[f64], n: usize| x.get(k * steps * n..(k + 1) * steps * n).unwrap_or_default().to_vec();
            Rollout::run_told(sim, steps, &own(&u, nv), &own(&inputs, told))
        };
        let mut done: Vec<Option<Result<Rollout, RolloutError>>> = (0..copies).map(|_| None).collect();
        let items: Vec<_> = sims.into_iter().zip(&mut done).enumerate().collect();
        spread(py, items, threads, None, |(k, (sim, place)), _| *place = Some(run(k, sim)))?;
        let runs = done.into_iter().flatten().collect::<Result<Vec<_>, _>>().map_err(|e| stopped(&e))?;
        Ok(Self { done: Mutex::new(runs), threads, steps })
    }

    /// Positions, B x (T + 1) x nq.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let runs = self.all(py);
        let all: Vec<f64> = runs.iter().flat_map(|r| r.q.iter().copied()).collect();
        let width = runs.first().map_or(0, |r| r.end().model().n_q());
        array(py, all, &[runs.len(), self.steps + 1, width])
    }

    /// Velocities, B x (T + 1) x nv.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let runs = self.all(py);
        let all: Vec<f64> = runs.iter().flat_map(|r| r.v.iter().copied()).collect();
        let width = runs.first().map_or(0, |r| r.end().model().n_v());
        array(py, all, &[runs.len(), self.steps + 1, width])
    }

    /// Carries back what the states are worth, per coordinate: B x (T + 1) x nq and B x (T + 1) x nv. A dict: q (B x nq, along
    /// the manifold), v, controls (B x T x nv), inputs (B x T x controllers), parameters (B x P), kinks (B lists of steps).
    fn vjp<'py>(
        &self,
        py: Python<'py>,
        on_q: &Bound<'py, PyAny>,
        on_v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut runs = self.all(py);
        let copies = runs.len();
        let Some(first) = runs.first() else { return Ok(PyDict::new(py)) };
        let (nq, nv) = (first.end().model().n_q(), first.end().model().n_v());
        let rows = self.steps + 1;
        let on_q = floats("on_q", on_q, &[Some(copies), Some(rows), Some(nq)])?.finite("on_q")?;
        let on_v = floats("on_v", on_v, &[Some(copies), Some(rows), Some(nv)])?.finite("on_v")?;
        let (on_q, on_v) = (on_q.as_slice().to_vec(), on_v.as_slice().to_vec());
        let worth = |k: usize, r: &Rollout| {
            let mut tangent = vec![0.0; rows * nv];
            for row in 0..rows {
                let at = (k * rows + row) * nq;
                let out = &mut tangent[row * nv..(row + 1) * nv];
                to_tangent(r.end().model(), &r.q[row * nq..(row + 1) * nq], &on_q[at..at + nq], out);
            }
            [tangent, on_v[k * rows * nv..(k + 1) * rows * nv].to_vec()]
        };
        let mut found: Vec<Option<Result<RolloutWorth, RolloutError>>> = (0..copies).map(|_| None).collect();
        let items: Vec<_> = runs.iter_mut().zip(&mut found).enumerate().collect();
        spread(py, items, self.threads, None, |(k, (run, place)), _| {
            let [on_q, on_v] = worth(k, run);
            *place = Some(run.vjp(&on_q, &on_v));
        })?;
        let found =
            found.into_iter().flatten().collect::<Result<Vec<RolloutWorth>, _>>().map_err(|e| stopped(&e))?;
        let mut q = vec![0.0; copies * nq];
        let (mut v, mut u, mut p, mut row) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut inputs, told) = (Vec::new(), runs.first().map_or(0, |r| r.end().controllers().len()));
        for (k, (w, r)) in found.iter().zip(runs.iter()).enumerate() {
            from_tangent(r.end().model(), &r.q[..nq], &w.q, &mut q[k * nq..(k + 1) * nq]);
            v.extend_from_slice(&w.v);
            u.extend_from_slice(&w.controls);
            inputs.extend_from_slice(&w.inputs);
            w.parameters.to_row(&mut row);
            p.extend_from_slice(&row);
        }
        let out = PyDict::new(py);
        out.set_item("q", array(py, q, &[copies, nq])?)?;
        out.set_item("v", array(py, v, &[copies, nv])?)?;
        out.set_item("controls", array(py, u, &[copies, self.steps, nv])?)?;
        out.set_item("inputs", array(py, inputs, &[copies, self.steps, told])?)?;
        out.set_item("parameters", array(py, p, &[copies, row.len()])?)?;
        out.set_item("kinks", found.iter().map(|w| w.kinks.clone()).collect::<Vec<_>>())?;
        Ok(out)
    }

    /// Carries changes forwards: of the first states (tangent), of the controls and of the inputs; to B x (T + 1) x nv positions
    /// (tangent) and velocities.
    #[pyo3(signature = (dq, dv, dcontrols = None, dinputs = None))]
    fn jvp<'py>(
        &self,
        py: Python<'py>,
        dq: &Bound<'py, PyAny>,
        dv: &Bound<'py, PyAny>,
        dcontrols: Option<&Bound<'py, PyAny>>,
        dinputs: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let mut runs = self.all(py);
        let copies = runs.len();
        let nv = runs.first().map_or(0, |r| r.end().model().n_v());
        let dq = floats("dq", dq, &[Some(copies), Some(nv)])?.finite("dq")?;
        let dv = floats("dv", dv, &[Some(copies), Some(nv)])?.finite("dv")?;
        let told = runs.first().map_or(0, |r| r.end().controllers().len());
        let rows = |name: &str, x: Option<&Bound<'py, PyAny>>, n: usize| {
            x.map(|x| floats(name, x, &[Some(copies), Some(self.steps), Some(n)])?.finite(name)).transpose()
        };
        let (du, di) = (rows("dcontrols", dcontrols, nv)?, rows("dinputs", dinputs, told)?);
        let (mut all_q, mut all_v) = (Vec::new(), Vec::new());
        for (k, run) in runs.iter_mut().enumerate() {
            let own = |x: &[f64], n: usize| x[k * n..(k + 1) * n].to_vec();
            let u = du.as_ref().map(|u| own(u.as_slice(), self.steps * nv)).unwrap_or_default();
            let inputs = di.as_ref().map(|x| own(x.as_slice(), self.steps * told)).unwrap_or_default();
            let (dq, dv) = (own(dq.as_slice(), nv), own(dv.as_slice(), nv));
            let found = crate::watch::listening(py, || run.jvp_told(&dq, &dv, &u, &inputs))?;
            let [q, v] = found.map_err(|e| stopped(&e))?;
            all_q.extend_from_slice(&q);
            all_v.extend_from_slice(&v);
        }
        let shape = [copies, self.steps + 1, nv];
        Ok((array(py, all_q, &shape)?, array(py, all_v, &shape)?))
    }

    /// Names of the parameters.
    #[getter]
    fn parameters(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let runs = self.all(py);
        let first = runs.first().ok_or_else(|| PyValueError::new_err("there are no runs"))?;
        let linear = Linear::new(first.end());
        Ok(linear.no_change().names(linear.model()))
    }
}

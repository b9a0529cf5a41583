//! The derivative of one step, by names.

use std::sync::Mutex;

use gudgeon_sim::{Change, Linearization as Linear, LinearizeError, Matrices, Simulator, Worth};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::alone::Alone;
use crate::arrays::{array, floats};
use crate::model::Model;

fn no_derivative(error: &LinearizeError) -> PyErr {
    match error {
        LinearizeError::Step(e) => crate::StepError::new_err(e.to_string()),
        other => crate::GradientError::new_err(other.to_string()),
    }
}

/// The derivative of the next step of `ahead`, and its matrices A, B and C.
fn whole(mut ahead: Simulator) -> Result<(Linear, Matrices, Vec<f64>), LinearizeError> {
    ahead.settings.interrupt = Some(crate::watch::interrupt());
    let mut linear = Linear::new(&ahead);
    let _ = ahead.step_linearized(&mut linear)?;
    let (mut matrices, mut c, mut row) = (Matrices::default(), Vec::new(), Vec::new());
    linear.matrices(&mut matrices);
    linear.rows(&mut Worth::default(), |_, worth| {
        worth.parameters.to_row(&mut row);
        c.extend_from_slice(&row);
    });
    Ok((linear, matrices, c))
}

/// The derivative of one step: d(q, v)' = A d(q, v) + B du + C dp, positions in the tangent space.
#[pyclass(module = "gudgeon", frozen)]
pub(crate) struct Linearization {
    linear: Mutex<Linear>,
    matrices: Matrices,
    c: Vec<f64>,
    names: Vec<String>,
    n: usize,
    from: (Py<Model>, Vec<u8>), // the simulation it is of
}

impl Linearization {
    /// Of the step that `sim` would do next.
    pub(crate) fn of(py: Python<'_>, sim: &mut Alone, from: (Py<Model>, Vec<u8>)) -> PyResult<Self> {
        let found = crate::watch::listening(py, || whole(sim.clone()))?;
        let (linear, matrices, c) = found.map_err(|e| no_derivative(&e))?;
        let names = linear.no_change().names(linear.model());
        let n = linear.n_v();
        Ok(Self { linear: Mutex::new(linear), matrices, c, names, n, from })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Linear) -> T) -> T {
        // products leave no half-done state behind
        work(&mut self.linear.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn numbers(name: &str, value: Option<&Bound<'_, PyAny>>, n: usize) -> PyResult<Vec<f64>> {
        match value {
            Some(x) => Ok(floats(name, x, &[Some(n)])?.finite(name)?.as_slice().to_vec()),
            None => Ok(Vec::new()),
        }
    }
}

#[pymethods]
impl Linearization {
    fn __repr__(&self) -> String {
        let kinks = self.with(|l| l.kinks().len());
        format!("<gudgeon.Linearization of {} degrees of freedom, {kinks} kinks>", self.n)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let (model, snapshot) = &slf.get().from;
        let arguments = (model.clone_ref(py), pyo3::types::PyBytes::new(py, snapshot));
        Ok((py.import("gudgeon.grad")?.getattr("_linearized")?, arguments.into_pyobject(py)?.into_any()))
    }

    /// 2 nv x 2 nv: the next position (tangent) and velocity against the present ones.
    #[getter]
    #[pyo3(name = "A")]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.matrices.a.clone(), &[2 * self.n, 2 * self.n])
    }

    /// 2 nv x nv: against joint forces.
    #[getter]
    #[pyo3(name = "B")]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.matrices.b.clone(), &[2 * self.n, self.n])
    }

    /// 2 nv x controllers: against what they are told, in the order of the scene: forces, velocities, targets, controls of
    /// actuators.
    #[getter]
    #[pyo3(name = "B_controllers")]
    fn b_controllers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.n;
        let (out, count) = self.with(|l| {
            let count = l.no_change().gain.len();
            let (mut out, mut unit) = (vec![0.0; 2 * n * count], vec![0.0; count]);
            let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
            for k in 0..count {
                unit[k] = 1.0;
                l.jvp(&Change { controllers: &unit, ..Change::default() }, &mut q, &mut v);
                unit[k] = 0.0;
                q.iter().chain(&v).enumerate().for_each(|(row, x)| out[row * count + k] = *x);
            }
            (out, count)
        });
        array(py, out, &[2 * n, count])
    }

    /// 2 nv x parameters, in the order of `parameters`.
    #[getter]
    #[pyo3(name = "C")]
    fn c<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.c.clone(), &[2 * self.n, self.names.len()])
    }

    /// Names of the columns of C.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Names of the rows and columns of A.
    #[getter]
    fn states(&self) -> Vec<String> {
        self.with(|l| {
            let model = l.model();
            let dof = |k: usize| {
                let link = model.link(model.dof_link(k));
                format!("{}.{}", link.name, k - link.v_start)
            };
            let both = ["q", "v"].iter().flat_map(|x| (0..self.n).map(move |k| (x, k)));
            both.map(|(x, k)| format!("{x}.{}", dof(k))).collect()
        })
    }

    /// Where the derivative is one-sided: (kind, contact or dof or None, how near).
    #[getter]
    fn kinks(&self) -> Vec<(&'static str, Option<usize>, f64)> {
        self.with(|l| l.kinks().iter().map(|k| (k.kind.name(), k.of, k.margin)).collect())
    }

    /// The change of the next position (tangent) and velocity for changes of position (tangent), velocity, joint forces and
    /// inputs of controllers; `one_sided` follows the direction across kinks.
    #[pyo3(signature = (dq = None, dv = None, du = None, *, dinputs = None, one_sided = false))]
    fn jvp<'py>(
        &self,
        py: Python<'py>,
        dq: Option<&Bound<'py, PyAny>>,
        dv: Option<&Bound<'py, PyAny>>,
        du: Option<&Bound<'py, PyAny>>,
        dinputs: Option<&Bound<'py, PyAny>>,
        one_sided: bool,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (n, told) = (self.n, self.with(|l| l.no_change().gain.len()));
        let (q, v) = (Self::numbers("dq", dq, n)?, Self::numbers("dv", dv, n)?);
        let (u, controllers) = (Self::numbers("du", du, n)?, Self::numbers("dinputs", dinputs, told)?);
        let (mut q_out, mut v_out) = (vec![0.0; self.n], vec![0.0; self.n]);
        let change = Change { q: &q, v: &v, control: &u, controllers: &controllers, ..Change::default() };
        self.with(|l| {
            if one_sided {
                return l.directional(&change, &mut q_out, &mut v_out);
            }
            l.jvp(&change, &mut q_out, &mut v_out);
            Ok(())
        })
        .map_err(|e| no_derivative(&e))?;
        Ok((array(py, q_out, &[self.n])?, array(py, v_out, &[self.n])?))
    }

    /// What the step's inputs are worth where the next position (tangent) is worth `on_q` and velocity `on_v`: a dict of
    /// q, v, control, inputs of controllers, and parameters by name.
    fn vjp<'py>(
        &self,
        py: Python<'py>,
        on_q: &Bound<'py, PyAny>,
        on_v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (q, v) = (Self::numbers("on_q", Some(on_q), self.n)?, Self::numbers("on_v", Some(on_v), self.n)?);
        let mut worth = Worth::default();
        self.with(|l| l.vjp(&q, &v, &mut worth));
        let out = PyDict::new(py);
        out.set_item("q", array(py, worth.q, &[self.n])?)?;
        out.set_item("v", array(py, worth.v, &[self.n])?)?;
        out.set_item("control", array(py, worth.control, &[self.n])?)?;
        let told = worth.controllers.len();
        out.set_item("inputs", array(py, worth.controllers, &[told])?)?;
        let mut row = Vec::new();
        worth.parameters.to_row(&mut row);
        out.set_item("parameters", array(py, row, &[self.names.len()])?)?;
        Ok(out)
    }
}

//! Complementarity problems from arrays, answers as dictionaries that the Python half gives names to.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, Canonical, ConeShape, Contact, FrictionProblem, FrictionSolution, FrictionTask, GlobalForm, Lcp,
    Method, Mlcp, MlcpSolution, Observer, Outcome, ProblemError, Row, RowIds, Solution, Solver,
    Stabilisation, Start, Structured, Trace, Variable, WarmEntry, WarmStart,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{array, floats, transposed};

fn refused(error: ProblemError) -> PyErr {
    crate::ProblemError::new_err(error.to_string())
}

pub(crate) fn method_of(name: &str) -> PyResult<Method> {
    name.parse().map_err(|e: gudgeon_lcp::UnknownMethod| PyValueError::new_err(e.to_string()))
}

/// The names of all methods.
#[pyfunction]
pub(crate) fn methods() -> Vec<&'static str> {
    Method::ALL.map(Method::name).to_vec()
}

fn budget_of(pivots: Option<usize>, seconds: Option<f64>) -> PyResult<Budget> {
    if seconds.is_some_and(|s| s.is_nan() || s < 0.0) {
        return Err(PyValueError::new_err(format!("seconds is {seconds:?}, expected at least 0")));
    }
    Ok(Budget { pivots, seconds, interrupt: Some(crate::watch::interrupt()), ..Budget::default() })
}

/// Runs a solve without the interpreter's lock and gathers what every answer has. Ctrl-C ends it with its exception.
fn watched(
    py: Python<'_>,
    trace: bool,
    solve: impl FnOnce(Option<&mut Trace>) -> Outcome + Send,
) -> PyResult<Bound<'_, PyDict>> {
    let mut kept = Trace::default();
    let began = Instant::now();
    let outcome = crate::watch::listening(py, || solve(trace.then_some(&mut kept)))?;
    let seconds = began.elapsed().as_secs_f64();
    let answer = PyDict::new(py);
    answer.set_item("status", outcome.status.name())?;
    answer.set_item("pivots", outcome.pivots)?;
    answer.set_item("nodes", outcome.nodes)?;
    answer.set_item("seconds", seconds)?;
    let r = outcome.residual;
    answer.set_item("residual", (r.natural, r.fischer_burmeister, r.energy))?;
    if trace {
        answer.set_item("trace", traced(py, &kept)?)?;
    }
    Ok(answer)
}

/// Exchanges and sweeps as columns. Variables: z_i is i + 1, w_i is -(i + 1), the artificial one is 0.
fn traced<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyDict>> {
    let code = |v: Variable| -> i64 {
        match v {
            Variable::Z(i) => i64::try_from(i + 1).unwrap_or(i64::MAX),
            Variable::W(i) => -i64::try_from(i + 1).unwrap_or(i64::MAX),
            Variable::Z0 => 0,
        }
    };
    let columns = PyDict::new(py);
    let (p, s) = (&trace.pivots, &trace.sweeps);
    columns.set_item("entering", array(py, p.iter().map(|e| code(e.entering)).collect(), &[p.len()])?)?;
    columns.set_item("leaving", array(py, p.iter().map(|e| code(e.leaving)).collect(), &[p.len()])?)?;
    columns.set_item("q_min", array(py, p.iter().map(|e| e.q_min).collect(), &[p.len()])?)?;
    columns.set_item("error", array(py, p.iter().map(|e| e.error).collect(), &[p.len()])?)?;
    columns.set_item("natural", array(py, s.iter().map(|e| e.natural).collect(), &[s.len()])?)?;
    columns.set_item(
        "fischer_burmeister",
        array(py, s.iter().map(|e| e.fischer_burmeister).collect(), &[s.len()])?,
    )?;
    columns.set_item("energy", array(py, s.iter().map(|e| e.energy).collect(), &[s.len()])?)?;
    Ok(columns)
}

/// Calls `run` with the observer that is there.
fn with<R>(trace: Option<&mut Trace>, run: impl FnOnce(&mut Either<'_>) -> R) -> R {
    run(&mut Either(trace))
}

struct Either<'a>(Option<&'a mut Trace>);

impl Observer for Either<'_> {
    fn pivot(&mut self, event: &gudgeon_lcp::PivotEvent) {
        if let Some(trace) = &mut self.0 {
            trace.pivot(event);
        }
    }

    fn sweep(&mut self, event: &gudgeon_lcp::SweepEvent) {
        if let Some(trace) = &mut self.0 {
            trace.sweep(event);
        }
    }

    fn wants_sweeps(&self) -> bool {
        self.0.is_some()
    }

    fn wants_errors(&self) -> bool {
        self.0.is_some()
    }

    fn watches(&self) -> bool {
        self.0.is_some()
    }
}

/// w = M z + q, 0 ≤ w ⊥ z ≥ 0.
#[pyfunction]
#[pyo3(signature = (m, q, method, pivots, seconds, start, trace))]
#[expect(clippy::too_many_arguments, reason = "a call with names")]
pub(crate) fn solve_lcp<'py>(
    py: Python<'py>,
    m: &Bound<'py, PyAny>,
    q: &Bound<'py, PyAny>,
    method: &str,
    pivots: Option<usize>,
    seconds: Option<f64>,
    start: Option<&Bound<'py, PyAny>>,
    trace: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let q = floats("q", q, &[None])?;
    let n = q.shape[0];
    let m = floats("M", m, &[Some(n), Some(n)])?;
    let lcp = Lcp::from_column_major(transposed(m.as_slice(), n), q.as_slice().to_vec()).map_err(refused)?;
    let start = start.map(|z| floats("start", z, &[Some(n)])?.finite("start")).transpose()?;
    let start = start.as_ref().map_or(Start::Cold, |z| Start::Iterate(z.as_slice()));
    let mut solver = Solver::new(method_of(method)?);
    let budget = budget_of(pivots, seconds)?;
    let mut solution = Solution::default();
    let answer =
        watched(py, trace, |t| with(t, |o| solver.solve_with(&lcp, start, budget, &mut solution, o)))?;
    answer.set_item("z", array(py, solution.z, &[n])?)?;
    answer.set_item("w", array(py, solution.w, &[n])?)?;
    Ok(answer)
}

/// w = A x + b, lo ≤ x ≤ hi, w ≥ 0 at lo, w ≤ 0 at hi, w = 0 between.
#[pyfunction]
#[pyo3(signature = (a, b, lo, hi, findex, method, pivots, seconds, trace))]
#[expect(clippy::too_many_arguments, reason = "a call with names")]
pub(crate) fn solve_mlcp<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    lo: &Bound<'py, PyAny>,
    hi: &Bound<'py, PyAny>,
    findex: Option<Vec<i64>>,
    method: &str,
    pivots: Option<usize>,
    seconds: Option<f64>,
    trace: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let b = floats("b", b, &[None])?;
    let n = b.shape[0];
    let a = floats("A", a, &[Some(n), Some(n)])?;
    let (lo, hi) = (floats("lo", lo, &[Some(n)])?, floats("hi", hi, &[Some(n)])?);
    let copy = |f: &crate::arrays::Floats<'_>| f.as_slice().to_vec();
    let mut mlcp = Mlcp::from_column_major(transposed(a.as_slice(), n), copy(&b), copy(&lo), copy(&hi))
        .map_err(refused)?;
    if let Some(findex) = findex {
        let findex = findex.into_iter().map(|k| usize::try_from(k).ok()).collect();
        mlcp = mlcp.with_friction_index(findex).map_err(refused)?;
    }
    let mut solver = Solver::new(method_of(method)?);
    let budget = budget_of(pivots, seconds)?;
    let mut solution = MlcpSolution::default();
    let answer =
        watched(py, trace, |t| with(t, |o| solver.solve_mlcp_with(&mlcp, budget, &mut solution, o)))?;
    answer.set_item("x", array(py, solution.x, &[n])?)?;
    answer.set_item("w", array(py, solution.w, &[n])?)?;
    Ok(answer)
}

/// Contact with friction: W, q, mu, or mass, J, free velocity, bias, mu.
#[pyfunction]
#[pyo3(signature = (form, mu, facets, method, pivots, seconds, ids, warm, canonical, trace))]
#[expect(clippy::too_many_arguments, reason = "a call with names")]
pub(crate) fn solve_friction<'py>(
    py: Python<'py>,
    form: &Bound<'py, PyDict>,
    mu: &Bound<'py, PyAny>,
    facets: Option<usize>,
    method: &str,
    pivots: Option<usize>,
    seconds: Option<f64>,
    ids: Option<Vec<u64>>,
    warm: Option<Vec<[u64; 7]>>,
    canonical: bool,
    trace: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let mu = floats("mu", mu, &[None])?;
    let n = mu.shape[0];
    let mut problem = friction_problem(form, mu.as_slice())?;
    if let Some(sides) = facets {
        problem = problem.with_facets(sides).map_err(refused)?;
    }
    let method = method_of(method)?;
    let budget = budget_of(pivots, seconds)?;
    let remembered: Option<Vec<WarmEntry>> =
        warm.unwrap_or_default().into_iter().map(WarmEntry::from_words).collect();
    let Some(remembered) = remembered else {
        return Err(PyValueError::new_err("start is not the memory of a friction solve"));
    };
    let ids = ids.unwrap_or_else(|| (0..n as u64).collect());
    if ids.len() != n {
        return Err(PyValueError::new_err(format!("ids has length {}, expected {n}", ids.len())));
    }
    let mut memory = WarmStart::from_entries(remembered);
    let mut solution = FrictionSolution::default();
    let answer = watched(py, trace, |t| {
        with(t, |o| {
            let outcome = if method == Method::Robust && (facets.is_none() || !memory.entries().is_empty()) {
                let cone = if facets.is_none() { ConeShape::Exact } else { ConeShape::Facets };
                let rows = RowIds { contacts: &ids, ..RowIds::default() };
                Structured::default().solve_warm(
                    FrictionTask { problem: &problem, cone, ids: rows, budget },
                    &mut memory,
                    &mut solution,
                    o,
                )
            } else {
                let stabilisation = Stabilisation::default();
                Solver::new(method).solve_friction_with(&problem, stabilisation, budget, &mut solution, o)
            };
            if canonical {
                spread(&problem, budget, &mut solution);
            }
            outcome
        })
    })?;
    let c = &solution.contacts;
    answer.set_item("impulse", array(py, c.iter().flat_map(|c| c.impulse).collect(), &[c.len(), 3])?)?;
    answer.set_item("velocity", array(py, c.iter().flat_map(|c| c.velocity).collect(), &[c.len(), 3])?)?;
    answer.set_item("mode", c.iter().map(|c| c.mode.name()).collect::<Vec<_>>())?;
    answer.set_item("warm", memory.entries().iter().map(WarmEntry::to_words).collect::<Vec<_>>())?;
    Ok(answer)
}

fn spread(problem: &FrictionProblem, budget: Budget, solution: &mut FrictionSolution) {
    // impulses that could not be spread stay what they were: still an answer
    let _ = Canonical::default().spread_within(problem, budget, solution);
}

fn friction_problem(form: &Bound<'_, PyDict>, mu: &[f64]) -> PyResult<FrictionProblem> {
    let rows = 3 * mu.len();
    let get = |key: &str| form.get_item(key);
    if let Some(w) = get("W")? {
        let w = floats("W", &w, &[Some(rows), Some(rows)])?;
        let q = get("q")?.ok_or_else(|| PyValueError::new_err("q is missing"))?;
        let q = floats("q", &q, &[Some(rows)])?;
        let w = transposed(w.as_slice(), rows);
        return FrictionProblem::local_column_major(w, q.as_slice().to_vec(), mu.to_vec()).map_err(refused);
    }
    let need = |key: &str| get(key)?.ok_or_else(|| PyValueError::new_err(format!("{key} is missing")));
    let v = floats("free_velocity", &need("free_velocity")?, &[None])?;
    let dofs = v.shape[0];
    let mass = floats("mass", &need("mass")?, &[Some(dofs), Some(dofs)])?;
    let j = floats("J", &need("J")?, &[Some(rows), Some(dofs)])?;
    let bias = get("bias")?.map(|b| floats("bias", &b, &[Some(rows)])).transpose()?;
    let row = |k: usize| {
        let values = &j.as_slice()[k * dofs..(k + 1) * dofs];
        let entries = values.iter().copied().enumerate().filter(|e| e.1 != 0.0).collect();
        Row::new(entries).with_bias(bias.as_ref().map_or(0.0, |b| b.as_slice()[k]))
    };
    let contacts = mu
        .iter()
        .enumerate()
        .map(|(i, &mu)| Contact { mu, normal: row(3 * i), tangents: [row(3 * i + 1), row(3 * i + 2)] })
        .collect();
    FrictionProblem::global(GlobalForm {
        mass: vec![(dofs, transposed(mass.as_slice(), dofs))],
        free_velocity: v.as_slice().to_vec(),
        contacts,
        ..GlobalForm::default()
    })
    .map_err(refused)
}

//! Many copies of a model over many steps, and what is kept of them.

mod answer;
mod starts;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use gudgeon_sim::{ContactInfo, Simulator, StepReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use self::answer::{Kept, Numbers, Widths};
use self::starts::Starts;
use crate::arrays::{Floats, array, floats};
use crate::batch::{DIVERGED, rank, status};
use crate::drive::Drive;
use crate::dynamics::wrenches;
use crate::memory::filled;
use crate::model::Model;
use crate::parameters::Parameters;
use crate::threads::{spread, threads_of};
use crate::watch;

/// The part of the answer that belongs to one copy; what is not kept is empty.
#[derive(Default)]
struct Share<'a> {
    x: &'a mut [f64], // steps × (n_q + n_v), or the last alone
    wrenches: &'a mut [f64],
    sensors: &'a mut [f64],
    joint_forces: &'a mut [f64],
    contacts: Vec<u32>,
    active: Vec<u32>,
    force: Vec<f64>,
    penetration: Vec<f64>,
    status: Vec<u8>,
    fallback: Vec<u8>,
    records: Vec<ContactInfo>,
    seen: Vec<u32>, // records of every step
}

/// What every copy does.
#[derive(Clone, Copy)]
struct Plan<'a> {
    steps: usize,
    substeps: usize,
    drive: Drive,
    kept: Kept,
    widths: Widths,
    stop: &'a AtomicBool,
}

impl Share<'_> {
    /// Runs one copy; after a step that cannot be done the rest is NaN and flagged.
    fn run(&mut self, sim: &mut Simulator, u: &[f64], plan: Plan<'_>) {
        let width = u.len() / plan.steps.max(1);
        for t in 0..plan.steps {
            if plan.stop.load(Ordering::Relaxed) {
                return;
            }
            if width > 0 {
                plan.drive.apply(sim, &u[t * width..(t + 1) * width]);
            }
            let (mut worst, mut rung, mut deepest) = (5, 0, 0.0_f64);
            let mut last = None;
            sim.settings.interrupt = Some(watch::interrupt());
            for _ in 0..plan.substeps {
                let Ok(report) = sim.step() else { return self.lose(plan) };
                worst = rank(worst, status(&report));
                rung = rung.max(report.solve.map_or(0, |s| s.fallback as u8));
                deepest = deepest.max(report.penetration);
                last = Some(report);
            }
            self.status.push(worst);
            self.fallback.push(rung);
            self.penetration.push(deepest);
            self.keep(t, sim, last.as_ref(), plan);
        }
    }

    fn keep(&mut self, t: usize, sim: &mut Simulator, report: Option<&StepReport>, plan: Plan<'_>) {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.contacts.push(report.map_or(0, |r| count(r.contacts)));
        self.active.push(report.map_or(0, |r| count(r.active)));
        self.force.push(sim.contacts().iter().map(|c| c.force.dot(&c.normal)).sum());
        let row = if plan.kept.states { t } else { 0 };
        let (nq, nx) = (plan.widths.q, plan.widths.state());
        let x = &mut self.x[row * nx..(row + 1) * nx];
        x[..nq].copy_from_slice(&sim.state().q);
        x[nq..].copy_from_slice(&sim.state().v);
        let at = |width: usize| t * width..(t + 1) * width;
        if plan.kept.wrenches {
            self.wrenches[at(plan.widths.wrenches)].copy_from_slice(&wrenches(sim, None));
        }
        if plan.kept.joint_forces {
            self.joint_forces[at(plan.widths.joint_forces)].copy_from_slice(sim.joint_forces());
        }
        if plan.kept.contacts {
            self.records.extend_from_slice(sim.contacts());
            self.seen.push(count(sim.contacts().len()));
        }
        if plan.kept.sensors {
            self.sensors[at(plan.widths.sensors)].copy_from_slice(sim.sense());
        }
    }

    /// No more steps: numbers are NaN from here on.
    fn lose(&mut self, plan: Plan<'_>) {
        let (n, t, w) = (plan.steps, self.status.len(), plan.widths);
        let row = if plan.kept.states { t } else { 0 };
        self.x[row * w.state()..].fill(f64::NAN);
        self.wrenches[t * w.wrenches..].fill(f64::NAN);
        self.sensors[t * w.sensors..].fill(f64::NAN);
        self.joint_forces[t * w.joint_forces..].fill(f64::NAN);
        for counts in [&mut self.contacts, &mut self.active, &mut self.seen] {
            counts.resize(n, 0);
        }
        self.force.resize(n, 0.0);
        self.penetration.resize(n, 0.0);
        self.fallback.resize(n, 0);
        self.status.resize(n, DIVERGED);
    }
}

/// Runs B copies for T steps each: from q0 [B, nq] and v0 [B, nv], or from B snapshots; u [B, T, n].
#[pyfunction]
#[pyo3(signature = (model, q0, v0, u, steps, drive, substeps, threads, parameters, progress, returns, snapshots))]
#[expect(clippy::too_many_arguments, reason = "a call with names")]
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
    returns: Vec<String>,
    snapshots: Option<Vec<Vec<u8>>>,
) -> PyResult<Bound<'py, PyDict>> {
    let scene = model.get().scene.clone();
    let kept = Kept::read(&returns)?;
    let widths = Widths::new(&scene, kept);
    let (copies, starts) = Starts::read(&scene, widths, [q0, v0], snapshots)?;
    let drive = Drive::read(drive)?;
    let width = drive.width(&scene);
    let u = u.map(|u| floats("u", u, &[Some(copies), Some(steps), Some(width)])).transpose()?;
    if substeps == 0 {
        return Err(PyValueError::new_err("substeps is 0, expected at least 1"));
    }
    let parameters = Parameters::read(parameters, copies, &scene)?;
    let plain = Mutex::new(starts.plain(py, &scene)?); // cloned by one thread at a time

    let mut numbers = Numbers::new(copies, steps, kept, widths)?;
    let mut shares = numbers.shares();
    let (u, starts) = (u.as_ref().map(Floats::as_slice), starts.borrowed());
    let items: Vec<(usize, &mut Share<'_>)> = shares.iter_mut().enumerate().collect();
    spread(py, items, threads_of(threads), progress.as_ref(), |(copy, share), stop| {
        let plan = Plan { steps, substeps, drive, kept, widths, stop };
        let clone = || plain.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let made = parameters.simulator(&scene, copy, clone).ok();
        match made.and_then(|mut sim| starts.put(&mut sim, &scene, copy).then_some(sim)) {
            Some(mut sim) => {
                let size = steps * width;
                share.run(&mut sim, u.map_or(&[][..], |u| &u[copy * size..(copy + 1) * size]), plan);
            }
            // a start that is no state, or parameters that make no scene
            None => share.lose(plan),
        }
    })?;
    let out = collect(py, shares, copies, steps, kept)?;
    numbers.put(&out)?;
    Ok(out)
}

/// What is kept of every run: sums over the contacts, how steps ended, and the contacts themselves if asked.
fn collect<'py>(
    py: Python<'py>,
    shares: Vec<Share<'_>>,
    copies: usize,
    steps: usize,
    kept: Kept,
) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    if kept.contacts {
        // where the contacts of each step begin
        let mut first = filled(copies * steps + 1, 0_u64)?;
        for (k, &count) in shares.iter().flat_map(|s| &s.seen).enumerate() {
            first[k + 1] = first[k] + u64::from(count);
        }
        let all: Vec<ContactInfo> = shares.iter().flat_map(|s| s.records.iter().copied()).collect();
        out.set_item("contact_list", crate::contacts::owned(py, all)?)?;
        out.set_item("contact_first", array(py, first, &[copies * steps + 1])?)?;
    }
    macro_rules! put {
        ($($name:ident),*) => {
            $(let list: Vec<_> = shares.iter().flat_map(|s| s.$name.iter().copied()).collect();
            out.set_item(stringify!($name), array(py, list, &[copies, steps])?)?;)*
        };
    }
    put!(contacts, active, force, penetration, status, fallback);
    Ok(out)
}

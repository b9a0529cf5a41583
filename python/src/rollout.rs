//! Many copies of a model over many steps, and what is kept of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use gudgeon_multibody::State;
use gudgeon_sim::{ContactInfo, Scene, Simulator, StepReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Floats, array, floats};
use crate::batch::{DIVERGED, rank, status};
use crate::drive::Drive;
use crate::dynamics::wrenches;
use crate::memory::{filled, room};
use crate::model::Model;
use crate::parameters::Parameters;
use crate::snapshot;
use crate::threads::{spread, threads_of};
use crate::watch;

/// What is kept of every step besides the sums.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of words, each asked for or not")]
struct Kept {
    states: bool,
    wrenches: bool,
    contacts: bool,
    sensors: bool,
    joint_forces: bool,
}

impl Kept {
    fn read(names: &[String]) -> PyResult<Self> {
        let mut out = Self::default();
        for name in names {
            match name.as_str() {
                "states" => out.states = true,
                "wrenches" => out.wrenches = true,
                "contacts" => out.contacts = true,
                "sensors" => out.sensors = true,
                "joint_forces" => out.joint_forces = true,
                other => {
                    return Err(PyValueError::new_err(format!(
                        "returns has '{other}', expected states, wrenches, contacts, sensors or joint_forces"
                    )));
                }
            }
        }
        Ok(out)
    }
}

/// Numbers of a step, by what they are.
#[derive(Debug, Clone, Copy)]
struct Widths {
    q: usize,
    v: usize,
    wrenches: usize,
    sensors: usize,
    joint_forces: usize,
}

impl Widths {
    fn new(scene: &Scene, kept: Kept) -> Self {
        let m = &scene.model;
        let sensors: usize = scene.equipment.sensors.iter().map(|s| s.kind.width()).sum();
        Self {
            q: m.n_q(),
            v: m.n_v(),
            wrenches: if kept.wrenches { 6 * m.n_links() } else { 0 },
            sensors: if kept.sensors { sensors } else { 0 },
            joint_forces: if kept.joint_forces { m.n_v() } else { 0 },
        }
    }

    fn state(&self) -> usize {
        self.q + self.v
    }
}

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

/// The rows of a list, one for every copy, of any width.
fn rows(list: &mut [f64], copies: usize) -> impl Iterator<Item = &mut [f64]> {
    let (width, mut rest) = (list.len() / copies.max(1), list);
    (0..copies).map(move |_| {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(width);
        rest = after;
        own
    })
}

/// Where the copies start.
enum Starts<'py> {
    States { q: Floats<'py>, v: Floats<'py> },
    Snapshots(Vec<Vec<u8>>),
}

/// Runs B copies for T steps each: from q0 [B, nq] and v0 [B, nv], or from B snapshots; u [B, T, n].
#[pyfunction]
#[pyo3(signature = (model, q0, v0, u, steps, drive, substeps, threads, parameters, progress, returns, snapshots))]
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
    let (copies, starts) = if let Some(list) = snapshots {
        (list.len(), Starts::Snapshots(list))
    } else {
        let q = floats("q0", q0, &[None, Some(widths.q)])?;
        let v = floats("v0", v0, &[Some(q.shape[0]), Some(widths.v)])?;
        for (copy, q) in q.as_slice().chunks(widths.q.max(1)).enumerate() {
            crate::model::check_turns(&scene, q, &format!("q0 of copy {copy}"))?;
        }
        (q.shape[0], Starts::States { q, v })
    };
    let drive = Drive::read(drive)?;
    let width = drive.width(&scene);
    let u = u.map(|u| floats("u", u, &[Some(copies), Some(steps), Some(width)])).transpose()?;
    if substeps == 0 {
        return Err(PyValueError::new_err("substeps is 0, expected at least 1"));
    }
    let parameters = Parameters::read(parameters, copies, &scene)?;
    let plain = crate::panics::caught(|| py.detach(|| Simulator::new(&scene)))?;
    let mut plain = plain.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
    if let Starts::Snapshots(list) = &starts {
        for (copy, bytes) in list.iter().enumerate() {
            snapshot::restore_kin(&mut plain, &scene, bytes)
                .map_err(|e| crate::SnapshotError::new_err(format!("x0 of copy {copy}: {e}")))?;
        }
        plain = Simulator::new(&scene).map_err(|e| crate::ModelError::new_err(e.to_string()))?;
    }
    let plain = Mutex::new(plain); // cloned by one thread at a time

    let states = if kept.states { steps } else { steps.min(1) };
    let numbers = widths.wrenches + widths.sensors + widths.joint_forces;
    let n =
        room(copies, steps, 8 * (numbers + if kept.states { widths.state() } else { 0 }) + 26, "rollout")?;
    let mut x = filled(copies * states * widths.state(), 0.0)?;
    let mut touched = filled(n * widths.wrenches, 0.0)?;
    let mut sensed = filled(n * widths.sensors, 0.0)?;
    let mut forces = filled(n * widths.joint_forces, 0.0)?;
    let mut shares: Vec<Share<'_>> = rows(&mut x, copies)
        .zip(rows(&mut touched, copies))
        .zip(rows(&mut sensed, copies).zip(rows(&mut forces, copies)))
        .map(|((x, wrenches), (sensors, joint_forces))| Share {
            x,
            wrenches,
            sensors,
            joint_forces,
            ..Share::default()
        })
        .collect();
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
    out.set_item("x", array(py, x, &[copies, states, widths.state()])?)?;
    if kept.wrenches {
        out.set_item("wrenches", array(py, touched, &[copies, steps, widths.wrenches / 6, 6])?)?;
    }
    if kept.sensors {
        out.set_item("sensors", array(py, sensed, &[copies, steps, widths.sensors])?)?;
    }
    if kept.joint_forces {
        out.set_item("joint_forces", array(py, forces, &[copies, steps, widths.joint_forces])?)?;
    }
    Ok(out)
}

/// The starts without Python.
enum Borrowed<'a> {
    States { q: &'a [f64], v: &'a [f64] },
    Snapshots(&'a [Vec<u8>]),
}

impl Starts<'_> {
    fn borrowed(&self) -> Borrowed<'_> {
        match self {
            Self::States { q, v } => Borrowed::States { q: q.as_slice(), v: v.as_slice() },
            Self::Snapshots(list) => Borrowed::Snapshots(list),
        }
    }
}

impl Borrowed<'_> {
    /// Puts a simulator there; false if there is no such place.
    fn put(&self, sim: &mut Simulator, scene: &Scene, copy: usize) -> bool {
        match self {
            Self::States { q, v } => {
                let (nq, nv) = (sim.model().n_q(), sim.model().n_v());
                let q = q[copy * nq..(copy + 1) * nq].to_vec();
                let v = v[copy * nv..(copy + 1) * nv].to_vec();
                let whole = q.iter().chain(&v).all(|x| x.is_finite());
                if whole {
                    sim.set_state(&State { q, v });
                }
                whole
            }
            Self::Snapshots(list) => snapshot::restore_kin(sim, scene, &list[copy]).is_ok(),
        }
    }
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

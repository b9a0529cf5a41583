//! One copy of a model in motion.
//!
//! `q`, `v` and `control` are views of the simulator's own memory: vectors whose size never changes and which are only
//! written in place, so that their addresses hold as long as the object lives. They change under `step`.

use gudgeon_multibody::{LinkId, State, center_of_mass};
use gudgeon_replay::{HtmlOptions, html};
use gudgeon_sim::{Controller, Rewind, Simulator, StepReport};
use gudgeon_spatial::{Force, Quaternion, Vector3};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::alone::Alone;
use crate::arrays::{array, float64, floats, view};
use crate::contacts::Held;
use crate::drive::Drive;
use crate::dynamics::{Dynamics, delassus, wrenches};
use crate::linearization::Linearization;
use crate::live::Pages;
use crate::model::Model;
use crate::picture::{Camera, Picture};
use crate::recorder::Recorder;
use crate::snapshot;
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

    fn open_pages(&mut self, port: u16, passive: bool, record: bool, speed: f64) -> PyResult<String> {
        let scene = self.model.get().scene.clone();
        self.rewind.forget();
        self.pages.open(&scene, &mut self.sim, port, passive, record, speed)
    }

    fn dynamics(&mut self) -> (&mut Dynamics, &Simulator) {
        let dynamics = self.dynamics.get_or_insert_with(|| Dynamics::new(self.sim.model()));
        (dynamics, &self.sim)
    }

    fn actuator(&self, name: &str) -> PyResult<&gudgeon_sim::Actuator> {
        let all = self.sim.controllers().iter();
        let mut all = all.filter_map(|c| if let Controller::Actuator(a) = c { Some(&**a) } else { None });
        all.clone().find(|a| a.name == name).ok_or_else(|| {
            let names: Vec<&str> = all.by_ref().map(|a| a.name.as_str()).collect();
            PyKeyError::new_err(format!("there is no actuator '{name}'; there are {}", names.join(", ")))
        })
    }

    fn sizes(&self) -> (usize, usize) {
        (self.sim.model().n_q(), self.sim.model().n_v())
    }

    /// Everything the run needs to go on.
    fn sealed(&self) -> Vec<u8> {
        snapshot::of(&self.sim, self.controls.as_deref())
    }

    /// Sets the values of controllers; `None` makes them what the scene says.
    fn set_commands(&mut self, controls: Option<Vec<f64>>) {
        self.rewind.forget();
        if let Some(u) = &controls {
            Drive::Controllers.apply(&mut self.sim, u);
        } else if self.controls.is_some() {
            let scene = &self.model.get().scene;
            for (index, controller) in scene.controllers.iter().enumerate() {
                if let Some(own) = self.sim.controller_mut(index) {
                    own.clone_from(controller);
                }
            }
        }
        self.controls = controls;
    }
}

fn vector(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vector3<f64>> {
    let numbers = floats(name, value, &[Some(3)])?.finite(name)?;
    Ok(Vector3::from_column_slice(numbers.as_slice()))
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

    /// The derivative of the step that would come next; the simulation stays where it is.
    fn linearize(&mut self, py: Python<'_>) -> PyResult<Linearization> {
        let from = (self.model.clone_ref(py), self.sealed());
        Linearization::of(py, &mut self.sim, from)
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

    /// Joint forces of the caller, nv, N m or N: a view to be written into, held until changed. A name in place of a number is
    /// that of an actuator: `sim.control["hip"] = 0.5` sets its control.
    #[getter]
    fn control<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.borrow();
        let u = &this.sim.control;
        // SAFETY: the vector is only ever written in place, and the array holds the simulation; any bits are numbers.
        let array =
            unsafe { view(float64(slf.py())?, &[u.len()], u.as_ptr(), true, slf.clone().into_any())? };
        // with actuators, their controls are found by name as well
        if this.sim.controllers().iter().any(|c| matches!(c, Controller::Actuator(_))) {
            return slf.py().import("gudgeon._names")?.call_method1("control", (array, slf));
        }
        Ok(array)
    }

    #[setter]
    fn set_control(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let u = floats("control", value, &[Some(self.sizes().1)])?.finite("control")?;
        self.sim.control.copy_from_slice(u.as_slice());
        Ok(())
    }

    /// Values of the controllers, nu: forces, velocities or targets, held until changed.
    fn set_controls(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let u = floats("controls", value, &[Some(self.model.get().n_u())])?.finite("controls")?;
        self.set_commands(Some(u.as_slice().to_vec()));
        Ok(())
    }

    /// The control of an actuator by name.
    fn actuator_control(&self, name: &str) -> PyResult<f64> {
        self.actuator(name).map(|a| a.control)
    }

    /// Sets the control of an actuator by name: in the file's own unit, kept within its range.
    fn set_actuator_control(&mut self, name: &str, value: f64) -> PyResult<()> {
        if !value.is_finite() {
            return Err(PyValueError::new_err(format!(
                "control of '{name}' is {value}, expected a finite number"
            )));
        }
        let _ = self.actuator(name)?;
        self.rewind.forget();
        self.sim.set_actuator(name, value);
        // what was told to all controllers at once knows of it
        let (model, mut at) = (self.model.get(), 0);
        for controller in &model.scene.controllers {
            if let (Controller::Actuator(a), Some(all)) = (controller, &mut self.controls)
                && a.name == name
            {
                all[at] = value;
            }
            at += crate::model::width(controller);
        }
        Ok(())
    }

    /// The reading of a sensor by name: positions and velocities of now, forces and accelerations of the last step.
    fn sensor<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.sim.sense();
        let found = self.sim.sensor(name).map(<[f64]>::to_vec);
        let values = found.ok_or_else(|| {
            let all: Vec<&str> = self.sim.equipment().sensors.iter().map(|s| s.name.as_str()).collect();
            PyKeyError::new_err(format!("there is no sensor '{name}'; there are {}", all.join(", ")))
        })?;
        let n = values.len();
        array(py, values, &[n])
    }

    /// All sensors, one after another in the order of `model.sensors`.
    #[getter]
    fn sensors<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.sim.sense().to_vec();
        let n = values.len();
        array(py, values, &[n])
    }

    /// World position (3) and orientation (w x y z) of a site by name.
    fn site<'py>(&self, py: Python<'py>, name: &str) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let equipment = self.sim.equipment();
        let k = equipment.sites.iter().position(|s| s.name == name).ok_or_else(|| {
            let all: Vec<&str> = equipment.sites.iter().map(|s| s.name.as_str()).collect();
            PyKeyError::new_err(format!("there is no site '{name}'; there are {}", all.join(", ")))
        })?;
        let x = equipment.site_pose(k, self.sim.workspace());
        let q = Quaternion::from_matrix(&x.rotation);
        let p = array(py, x.translation.iter().copied().collect(), &[3])?;
        Ok((p, array(py, vec![q.w, q.x, q.y, q.z], &[4])?))
    }

    /// Puts a body that is placed by hand (an MJCF's mocap body) elsewhere: world position and orientation w x y z.
    #[pyo3(signature = (name, position, orientation = [1.0, 0.0, 0.0, 0.0]))]
    fn place(&mut self, name: &str, position: [f64; 3], orientation: [f64; 4]) -> PyResult<()> {
        self.held.release(&mut self.sim);
        self.rewind.forget();
        if self.sim.place(name, position, orientation) {
            return Ok(());
        }
        let all: Vec<&str> = self.sim.equipment().placed.iter().map(|p| p.0.as_str()).collect();
        if all.contains(&name) {
            return Err(PyValueError::new_err("a place is three finite numbers, and a turn is no zero"));
        }
        Err(PyKeyError::new_err(format!("no body '{name}' is placed by hand; there are {}", all.join(", "))))
    }

    /// Accelerations of now under everything but contacts, limits and loops, nv.
    fn accelerations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.sizes().1;
        array(py, self.sim.accelerations().to_vec(), &[n])
    }

    /// Length, rate and force of every controller over the last step, controllers × 3; zeros for those that are no actuators.
    #[getter]
    fn actuator_readings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let readings = self.sim.actuator_readings();
        array(py, readings.concat(), &[readings.len(), 3])
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

    /// A force on a link until `clear_forces`: world axes, at `point` (world; the link's origin if none).
    #[pyo3(signature = (link, force, torque = None, point = None))]
    fn apply_force(
        &mut self,
        link: &Bound<'_, PyAny>,
        force: &Bound<'_, PyAny>,
        torque: Option<&Bound<'_, PyAny>>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let link = self.link(link)?;
        let force = vector("force", force)?;
        let mut torque = torque.map_or_else(|| Ok(Vector3::zeros()), |t| vector("torque", t))?;
        if let Some(point) = point {
            torque += (vector("point", point)? - self.sim.workspace().pose(link).translation).cross(&force);
        }
        self.rewind.forget();
        let n = self.sim.model().n_links();
        self.sim.external.resize(n, Force::zero());
        self.sim.external[link.0] += Force::new(torque, force);
        Ok(())
    }

    /// Takes back every `apply_force`.
    fn clear_forces(&mut self) {
        self.rewind.forget();
        self.sim.external.clear();
    }

    /// The contacts of the last step: a structured array over Rust's memory. Fields: a, b (links), collider_a,
    /// collider_b, id, point, normal (from b into a), gap, force (on a, world axes, N), slip, mode (0 open, 1 stick,
    /// 2 slip), friction, restitution. What you hold stays as it is when the simulation goes on.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.held.array(py, self.sim.contacts())
    }

    /// Names of the two links of every contact.
    #[getter]
    fn contact_names(&self) -> Vec<(&str, &str)> {
        let name = |l: LinkId| self.sim.model().link(l).name.as_str();
        self.sim.contacts().iter().map(|c| (name(c.a), name(c.b))).collect()
    }

    /// What contacts do to every link, links × 6: torque about the link's origin, then force; world axes.
    #[getter]
    fn wrenches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, wrenches(&self.sim, None), &[self.sim.model().n_links(), 6])
    }

    /// What contacts (those with `other` only, if given) do to a link, 6: torque about its origin, then force.
    #[pyo3(signature = (link, other = None))]
    fn wrench<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'py, PyAny>,
        other: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let a = self.link(link)?;
        let pair = other.map(|b| self.link(b).map(|b| (a, b))).transpose()?;
        array(py, wrenches(&self.sim, pair)[6 * a.0..6 * a.0 + 6].to_vec(), &[6])
    }

    /// Joint forces over the last step, nv: controllers, motors, friction, limits, loops.
    #[getter]
    fn joint_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.sim.joint_forces().to_vec(), &[self.sizes().1])
    }

    /// World position of a link's origin, m.
    fn position<'py>(&self, py: Python<'py>, link: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.sim.body(self.link(link)?).position.to_vec(), &[3])
    }

    /// Orientation of a link, w x y z.
    fn orientation<'py>(&self, py: Python<'py>, link: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.sim.body(self.link(link)?).orientation.to_vec(), &[4])
    }

    /// Motion of a link, 6: angular velocity, then velocity of its origin; world axes.
    fn velocity<'py>(&self, py: Python<'py>, link: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let b = self.sim.body(self.link(link)?);
        array(py, [b.angular_velocity, b.velocity].concat(), &[6])
    }

    /// World, m.
    #[getter]
    fn center_of_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let c = center_of_mass(self.sim.model(), self.sim.workspace());
        array(py, vec![c.x, c.y, c.z], &[3])
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

    /// What joints and loops carried over the last step: motors, limits, friction, passive (nv each, N or N m), joints (links × 6: moment
    /// and force of the parent on the link, axes and origin of the link), loops (loops × 6, on the second link, in the loop's first
    /// frame), and work, J: motors, pushes, friction, impacts, joints. All zero before the first step.
    fn reactions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let r = self.sim.reactions();
        let six = |forces: &[Force]| -> Vec<f64> {
            forces
                .iter()
                .flat_map(|f| f.angular.iter().chain(f.linear.iter()).copied().collect::<Vec<_>>())
                .collect()
        };
        let n = r.motors.len();
        let out = PyDict::new(py);
        for (name, values) in
            [("motors", r.motors), ("limits", r.limits), ("friction", r.friction), ("passive", r.passive)]
        {
            out.set_item(name, array(py, values, &[n])?)?;
        }
        out.set_item("joints", array(py, six(&r.joints), &[r.joints.len(), 6])?)?;
        out.set_item("loops", array(py, six(&r.loops), &[r.loops.len(), 6])?)?;
        let work = PyDict::new(py);
        let w = r.work;
        let parts = [w.motors, w.pushes, w.friction, w.impacts, w.joints];
        for (name, value) in ["motors", "pushes", "friction", "impacts", "joints"].into_iter().zip(parts) {
            work.set_item(name, value)?;
        }
        out.set_item("work", work)?;
        Ok(out)
    }

    /// Kinetic and potential energy, J.
    #[getter]
    fn energy(&self) -> (f64, f64) {
        let [kinetic, potential] = self.sim.energy();
        (kinetic, potential)
    }

    /// A hash of q and v, to the bit.
    #[getter]
    fn state_hash(&self) -> u64 {
        self.sim.state_hash()
    }

    /// What the last step did: contacts, active, penetration, loop_gap, status, fallback, pivots, residual, seconds.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(r) = self.report else { return Ok(None) };
        let out = PyDict::new(py);
        out.set_item("time", r.time)?;
        out.set_item("contacts", r.contacts)?;
        out.set_item("active", r.active)?;
        out.set_item("penetration", r.penetration)?;
        out.set_item("loop_gap", r.loop_gap)?;
        out.set_item("status", r.solve.map_or("nothing to solve", |s| s.status.name()))?;
        out.set_item("fallback", r.solve.map_or("none", |s| s.fallback.name()))?;
        out.set_item("pivots", r.solve.map_or(0, |s| s.pivots))?;
        out.set_item("residual", r.solve.map_or(0.0, |s| s.residual.natural))?;
        out.set_item("collision_seconds", r.collision_seconds)?;
        out.set_item("solver_seconds", r.solver_seconds)?;
        Ok(Some(out))
    }

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

    /// Keeps frames for `replay_html` from now on, so many a second of simulated time.
    #[pyo3(signature = (fps = 60.0))]
    fn record(&mut self, fps: f64) -> PyResult<()> {
        if !(fps > 0.0 && fps.is_finite()) {
            return Err(PyValueError::new_err(format!("fps is {fps}, expected a positive number")));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1")]
        let every = (1.0 / (fps * self.sim.settings.dt)).round().max(1.0) as u64;
        let scene = &self.model.get().scene;
        self.recorder = Some(Recorder::new(scene, every, &mut self.sim, self.report.as_ref()));
        Ok(())
    }

    /// Frames kept so far.
    #[getter]
    fn frames(&self) -> usize {
        self.recorder.as_ref().map_or(0, |r| r.recording.frames.len())
    }

    /// The player with what was recorded (or with the present moment alone) as one HTML page.
    #[pyo3(signature = (title = None))]
    fn replay_html(&self, py: Python<'_>, title: Option<String>) -> PyResult<String> {
        let options = HtmlOptions { title, ..HtmlOptions::default() };
        crate::panics::caught(|| {
            py.detach(|| {
                if let Some(recorder) = &self.recorder {
                    return html(&recorder.recording, &options);
                }
                let scene = &self.model.get().scene;
                let now = Recorder::new(scene, 1, &mut self.sim.clone(), self.report.as_ref());
                html(&now.recording, &options)
            })
        })
    }

    /// What was recorded as a page that shows itself in a notebook; `save` writes it to a file.
    #[pyo3(signature = (title = None, height = 540))]
    fn replay<'py>(
        &self,
        py: Python<'py>,
        title: Option<String>,
        height: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.import("gudgeon._replay")?.getattr("Replay")?.call1((self.replay_html(py, title)?, height))
    }

    /// A page in the browser that shows this simulation while a script steps it, and whose pulls arrive as forces:
    /// `with sim.live() as page:`. Listens on this machine alone, at any free port unless `port` says otherwise.
    #[pyo3(signature = (port = 0, open = true, record = false))]
    fn live<'py>(slf: &Bound<'py, Self>, port: u16, open: bool, record: bool) -> PyResult<Bound<'py, PyAny>> {
        let address = slf.borrow_mut().open_pages(port, true, record, 1.0)?;
        slf.py().import("gudgeon._live")?.getattr("Page")?.call1((slf, address, open))
    }

    fn _live_open(&mut self, port: u16, passive: bool, record: bool, speed: f64) -> PyResult<String> {
        self.open_pages(port, passive, record, speed)
    }

    fn _live_close(&mut self) {
        self.pages.close();
    }

    fn _live_wait(&mut self) -> PyResult<Option<f64>> {
        self.held.release(&mut self.sim);
        self.rewind.forget();
        self.pages.wait(&mut self.sim)
    }

    fn _live_pages(&mut self) -> usize {
        self.pages.count()
    }

    fn _live_notebooks(&mut self) -> PyResult<()> {
        self.pages.allow_notebooks()
    }

    fn _live_recording<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.pages.recording()?))
    }

    /// A picture, height × width × 3 bytes, by a small rasteriser: from `eye` towards `target`, world, m, or by a `camera` of the
    /// file.
    #[pyo3(signature = (width = 480, height = 360, eye = None, target = None, fov = 40.0, camera = None))]
    #[expect(clippy::too_many_arguments, reason = "a call with names")]
    fn render<'py>(
        &mut self,
        py: Python<'py>,
        width: usize,
        height: usize,
        eye: Option<&Bound<'py, PyAny>>,
        target: Option<&Bound<'py, PyAny>>,
        fov: f64,
        camera: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sizes = 1..=8192;
        if !(sizes.contains(&width) && sizes.contains(&height) && fov > 1.0 && fov < 170.0) {
            return Err(PyValueError::new_err(format!(
                "a picture of {width} by {height} with a field of view of {fov} degrees"
            )));
        }
        let target = target.map(|t| vector("target", t)).transpose()?;
        let eye = eye.map(|e| vector("eye", e)).transpose()?;
        let scene = self.model.get().scene.clone();
        let mut taken = None;
        if let Some(name) = camera {
            let found = scene.equipment.camera(name).ok_or_else(|| {
                let names: Vec<&str> = scene.equipment.cameras.iter().map(|c| c.name.as_str()).collect();
                PyKeyError::new_err(format!("there is no camera '{name}'; there are {}", names.join(", ")))
            })?;
            taken = Some(Camera::at(&found.frame(&scene.equipment, self.sim.workspace()), found.fov));
        }
        let Self { picture, sim, .. } = self;
        let pixels = crate::panics::caught(|| {
            py.detach(|| {
                let picture = picture.get_or_insert_with(|| Picture::new(&scene));
                let camera = taken.unwrap_or_else(|| Camera::look(picture, sim, eye, target, fov));
                picture.draw(sim, &camera, width, height)
            })
        })?;
        array(py, pixels, &[height, width, 3])
    }
}

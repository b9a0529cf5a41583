//! What can be read off a simulation: sensors, sites, contacts, forces, where links are and how they move.

use gudgeon_multibody::{LinkId, center_of_mass};
use gudgeon_spatial::{Force, Quaternion};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Simulation;
use crate::arrays::array;
use crate::dynamics::wrenches;

#[pymethods]
impl Simulation {
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

    /// Length, rate and force of every controller over the last step, controllers × 3; zeros for those that are no actuators.
    #[getter]
    fn actuator_readings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let readings = self.sim.actuator_readings();
        array(py, readings.concat(), &[readings.len(), 3])
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
}

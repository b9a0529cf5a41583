//! What a model says of itself: names, sizes, masses, limits, where it starts.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Controller, Path};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Model;
use crate::arrays::array;

fn actuator_name(controller: &Controller) -> Option<&str> {
    if let Controller::Actuator(a) = controller { Some(a.name.as_str()) } else { None }
}

#[pymethods]
impl Model {
    /// Names of the joints, in the order of the file.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.scene.equipment.joints.iter().map(|j| j.name.as_str()).collect()
    }

    /// Names of the shapes that touch.
    #[getter]
    fn geoms(&self) -> Vec<&str> {
        self.scene.colliders.iter().map(|c| c.name.as_str()).collect()
    }

    /// Names of the sites.
    #[getter]
    fn sites(&self) -> Vec<&str> {
        self.scene.equipment.sites.iter().map(|s| s.name.as_str()).collect()
    }

    /// Names of the cameras.
    #[getter]
    fn cameras(&self) -> Vec<&str> {
        self.scene.equipment.cameras.iter().map(|c| c.name.as_str()).collect()
    }

    /// Names of the tendons.
    #[getter]
    fn tendons(&self) -> Vec<&str> {
        self.scene.equipment.tendons.iter().map(|t| t.name.as_str()).collect()
    }

    /// Names of the sensors, and how many numbers each gives.
    #[getter]
    fn sensors(&self) -> Vec<(&str, usize)> {
        self.scene.equipment.sensors.iter().map(|s| (s.name.as_str(), s.kind.width())).collect()
    }

    /// Names of the actuators.
    #[getter]
    fn actuators(&self) -> Vec<&str> {
        self.scene.controllers.iter().filter_map(actuator_name).collect()
    }

    /// The file's bodies in its order, the world first: name and the link that carries it.
    #[getter]
    fn bodies(&self) -> Vec<(&str, &str)> {
        let name = |link: LinkId| self.scene.model.link(link).name.as_str();
        self.scene.equipment.bodies.iter().map(|b| (b.name.as_str(), name(b.link))).collect()
    }

    /// By link, links × 10: mass, centre of mass, and xx yy zz xy xz yz of the inertia about it, in the link's frame.
    #[getter]
    fn inertias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut list = Vec::new();
        for link in self.scene.model.links() {
            let (i, m) = (&link.inertia, link.inertia.about_com.to_matrix());
            list.extend([i.mass, i.com.x, i.com.y, i.com.z]);
            list.extend([m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)]]);
        }
        array(py, list, &[self.scene.model.n_links(), 10])
    }

    /// Gear and degree of freedom of an actuator on a hinge or slide.
    fn actuator_joint(&self, name: &str) -> PyResult<(f64, usize)> {
        for controller in &self.scene.controllers {
            if let Controller::Actuator(a) = controller
                && a.name == name
                && let Path::Joint(t) = &a.path
            {
                let dof = self.scene.model.link(t.link).v_start + t.dof;
                return Ok((a.gear * t.coefficient, dof));
            }
        }
        Err(PyKeyError::new_err(format!("there is no actuator '{name}' on a hinge or slide")))
    }

    /// By actuator: bounds of the control, actuators × 2; infinite if none.
    #[getter]
    fn control_ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut list = Vec::new();
        for controller in &self.scene.controllers {
            if let Controller::Actuator(a) = controller {
                list.extend(a.control_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
            }
        }
        let n = list.len() / 2;
        array(py, list, &[n, 2])
    }

    /// A joint by the file's name: its link, kind, where its coordinates are in q and v, and the file's value at q = 0.
    fn joint<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let m = &self.scene.model;
        let joint = self.scene.equipment.joints.iter().find(|j| j.name == name).ok_or_else(|| {
            PyKeyError::new_err(format!("there is no joint '{name}'; there are {}", self.joints().join(", ")))
        })?;
        let link = m.link(joint.link);
        let out = PyDict::new(py);
        out.set_item("link", &link.name)?;
        out.set_item("q", (link.q_range().start, link.q_range().end))?;
        out.set_item("v", (link.v_range().start, link.v_range().end))?;
        out.set_item("reference", joint.reference)?;
        Ok(out)
    }

    /// Position coordinates.
    #[getter]
    pub(crate) fn nq(&self) -> usize {
        self.scene.model.n_q()
    }

    /// Degrees of freedom.
    #[getter]
    pub(crate) fn nv(&self) -> usize {
        self.scene.model.n_v()
    }

    /// Numbers that all controllers take together.
    #[getter]
    fn nu(&self) -> usize {
        self.n_u()
    }

    /// Length of a step, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.scene.settings.dt
    }

    /// How long it runs where nothing else is said, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.scene.duration
    }

    /// Names of the links; 0 is the world.
    #[getter]
    fn links(&self) -> Vec<&str> {
        self.scene.model.links().iter().map(|l| l.name.as_str()).collect()
    }

    /// By degree of freedom: the link whose joint it belongs to.
    #[getter]
    fn dofs(&self) -> Vec<&str> {
        let m = &self.scene.model;
        (0..m.n_v()).map(|k| m.link(m.dof_link(k)).name.as_str()).collect()
    }

    /// By controller: its kind and the links whose joints it drives.
    #[getter]
    fn controllers(&self) -> Vec<(&'static str, Vec<String>)> {
        let describe = |c: &Controller| match c {
            Controller::Force { link, .. } => ("force", vec![link.clone()]),
            Controller::Motor { link, .. } => ("motor", vec![link.clone()]),
            Controller::Pd { motion, .. } => ("pd", motion.joints().to_vec()),
            Controller::ComputedTorque { motion, .. } => ("computed torque", motion.joints().to_vec()),
            Controller::HighGain { motion } => ("high gain", motion.joints().to_vec()),
            Controller::Actuator(a) => ("actuator", vec![a.name.clone()]),
        };
        self.scene.controllers.iter().map(describe).collect()
    }

    /// Where it starts, nq.
    #[getter]
    fn q0<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.scene.initial.q.clone(), &[self.nq()])
    }

    /// How fast it starts, nv.
    #[getter]
    fn v0<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.scene.initial.v.clone(), &[self.nv()])
    }

    /// By link, kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let m: Vec<f64> = self.scene.model.links().iter().map(|l| l.inertia.mass).collect();
        let n = m.len();
        array(py, m, &[n])
    }

    /// By degree of freedom: lower and upper limit, nv × 2; infinite if none.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let l: Vec<f64> = self.scene.model.dofs().iter().flat_map(|d| [d.lower, d.upper]).collect();
        array(py, l, &[self.nv(), 2])
    }

    /// Index of a link by name.
    fn link(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.find(name)?.0)
    }

    /// The position coordinates of a link's joint: start and stop.
    fn q_range(&self, link: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let range = self.scene.model.link(self.find(link)?).q_range();
        Ok((range.start, range.end))
    }

    /// The degrees of freedom of a link's joint: start and stop.
    fn v_range(&self, link: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let range = self.scene.model.link(self.find(link)?).v_range();
        Ok((range.start, range.end))
    }
}

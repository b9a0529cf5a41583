//! What is simulated: a scene, where it came from, and what was changed in it.
//!
//! A model remembers its recipe (a built-in scene with its numbers, or the text of a file, and the changes since), so
//! that it can be pickled and made again elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gudgeon_model::add_ground;
use gudgeon_multibody::LinkId;
use gudgeon_sim::scenes::{self as builtin_scenes, Params};
use gudgeon_sim::{Controller, Scene};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::array;
use crate::changes::Changes;
use crate::parameters::Parameters;
use crate::reading::Reading;
use crate::shipped::{self, Shipped};

/// Where a scene comes from.
#[derive(Debug, Clone)]
enum Source {
    Builtin { name: String, numbers: BTreeMap<String, f64> },
    File { path: PathBuf, text: String, reading: Box<Reading>, files: Vec<Shipped> },
}

/// A scene, ready to be simulated any number of times. Never changes: `replace` makes another.
#[pyclass(frozen, module = "gudgeon")]
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) scene: Arc<Scene>,
    source: Source,
    edits: Vec<Edit>,
    report: String,
    warnings: Vec<String>,
}

/// What was changed since, in order.
#[derive(Debug, Clone)]
enum Edit {
    Replace(Changes),
    Vary(Parameters),
}

impl Edit {
    fn apply(&self, scene: &mut Scene) -> PyResult<()> {
        match self {
            Self::Replace(changes) => changes.apply(scene)?,
            Self::Vary(parameters) => *scene = parameters.scene(scene, 0).map_err(refused)?,
        }
        Ok(())
    }
}

pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    crate::ModelError::new_err(error.to_string())
}

/// Name and one line about every built-in scene, and the numbers it takes with their defaults.
#[pyfunction]
pub(crate) fn scenes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for (name, about) in builtin_scenes::LIST {
        let numbers = PyDict::new(py);
        for key in builtin_scenes::keys(name).unwrap_or_default() {
            numbers.set_item(key.name, (key.default, key.about))?;
        }
        all.set_item(*name, (*about, numbers))?;
    }
    Ok(all)
}

/// Gives every surface this coefficient of friction.
pub(crate) fn rub(scene: &mut Scene, friction: f64) {
    scene.materials.iter_mut().for_each(|m| m.friction = friction);
    scene.pairs.iter_mut().for_each(|p| p.2.friction = friction);
}

/// An array with one row, that of one copy.
fn one_row<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    value.py().import("numpy")?.call_method1("asarray", (vec![value],))
}

fn actuator_name(controller: &Controller) -> Option<&str> {
    if let Controller::Actuator(a) = controller { Some(a.name.as_str()) } else { None }
}

/// How many numbers a controller takes.
pub(crate) fn width(controller: &Controller) -> usize {
    match controller {
        Controller::Force { .. } | Controller::Motor { .. } | Controller::Actuator(_) => 1,
        Controller::Pd { motion, .. }
        | Controller::ComputedTorque { motion, .. }
        | Controller::HighGain { motion } => motion.joints().len(),
    }
}

impl Model {
    fn make(mut source: Source) -> PyResult<Self> {
        let (scene, report, warnings) = match &mut source {
            Source::Builtin { name, numbers } => {
                let params = numbers.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
                (builtin_scenes::builtin(name, &params).map_err(refused)?, String::new(), Vec::new())
            }
            Source::File { path, text, reading, files } => {
                let (mut scene, report, own) = shipped::load(path, text, files, &reading.options)?;
                if reading.ground && !add_ground(&mut scene) {
                    return Err(refused("ground: the model has shapes of the world already"));
                }
                *files = own;
                (scene, report.to_string(), report.warnings())
            }
        };
        Ok(Self { scene: Arc::new(scene), source, edits: Vec::new(), report, warnings })
    }

    fn edited(&self, edit: Edit) -> PyResult<Self> {
        let mut out = self.clone();
        edit.apply(Arc::make_mut(&mut out.scene))?;
        out.edits.push(edit);
        Ok(out)
    }

    pub(crate) fn find(&self, link: &Bound<'_, PyAny>) -> PyResult<LinkId> {
        let model = &self.scene.model;
        if let Ok(name) = link.extract::<String>() {
            return model.find(&name).ok_or_else(|| {
                let names: Vec<&str> = model.links().iter().map(|l| l.name.as_str()).collect();
                PyKeyError::new_err(format!("there is no link '{name}'; there are {}", names.join(", ")))
            });
        }
        let index: usize = link.extract()?;
        if index < model.n_links() {
            Ok(LinkId(index))
        } else {
            Err(PyKeyError::new_err(format!("link {index} of {}", model.n_links())))
        }
    }

    /// How many numbers all controllers take.
    pub(crate) fn n_u(&self) -> usize {
        self.scene.controllers.iter().map(width).sum()
    }
}

#[pymethods]
impl Model {
    /// A built-in scene; `gudgeon.scenes()` lists them with the numbers they take.
    #[staticmethod]
    #[pyo3(signature = (name, /, **numbers))]
    fn builtin(py: Python<'_>, name: String, numbers: Option<BTreeMap<String, f64>>) -> PyResult<Self> {
        let numbers = numbers.unwrap_or_default();
        crate::panics::caught(|| py.detach(|| Self::make(Source::Builtin { name, numbers })))?
    }

    /// A scene (.toml), a URDF (.urdf) or an MJCF (.xml). Options: keyframe, search, hulls, exact, base, ground, merge_fixed,
    /// meshes, outside, strict, joints, cache.
    #[staticmethod]
    #[pyo3(signature = (path, **options))]
    fn load(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let reading = Box::new(Reading::read(options)?);
        crate::panics::caught(|| {
            py.detach(|| {
                let text = std::fs::read_to_string(&path)
                    .map_err(|e| refused(format!("{}: {e}", path.display())))?;
                Self::make(Source::File { path, text, reading, files: Vec::new() })
            })
        })?
    }

    /// The text of such a file; `format` is its ending: toml, urdf or xml.
    #[staticmethod]
    #[pyo3(signature = (text, format = "toml"))]
    fn from_text(py: Python<'_>, text: String, format: &str) -> PyResult<Self> {
        if !matches!(format, "toml" | "urdf" | "xml") {
            return Err(PyValueError::new_err(format!("format is '{format}', expected toml, urdf or xml")));
        }
        let path = PathBuf::from(format!("scene.{format}"));
        let reading = Box::default();
        crate::panics::caught(|| {
            py.detach(|| Self::make(Source::File { path, text, reading, files: Vec::new() }))
        })?
    }

    /// The same model with other settings: dt, method, facets, law, integrator, friction, gravity, canonical_forces,
    /// warm_start, budget (pivots per solve), seconds (per solve; the answer then depends on the machine).
    #[pyo3(signature = (**changes))]
    fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut own = Changes::default();
        if let Some(changes) = changes {
            own.read(changes)?;
        }
        self.edited(Edit::Replace(own))
    }

    /// The same model with other numbers: one copy of what `parameters` of `rollout` and `Batch` may be, a number where they
    /// have one for every copy, or a dict by name: `model.vary(friction={"foot": 0.4}, gravity=[0, 0, -1.6])`.
    #[pyo3(signature = (**parameters))]
    fn vary(&self, py: Python<'_>, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = PyDict::new(py);
        for (key, value) in parameters.into_iter().flatten() {
            if let Ok(by_name) = value.cast::<PyDict>() {
                let rows = PyDict::new(py);
                for (name, value) in by_name {
                    rows.set_item(name, one_row(&value)?)?;
                }
                given.set_item(key, rows)?;
            } else {
                given.set_item(key, one_row(&value)?)?;
            }
        }
        self.edited(Edit::Vary(Parameters::read(Some(&given), 1, &self.scene)?))
    }

    #[staticmethod]
    #[pyo3(signature = (name, text, numbers, edits, options = None, files = Vec::new()))]
    fn _rebuild(
        name: String,
        text: Option<String>,
        numbers: BTreeMap<String, f64>,
        edits: Vec<(String, Bound<'_, PyDict>)>,
        options: Option<&Bound<'_, PyDict>>,
        files: Vec<(PathBuf, Vec<u8>)>,
    ) -> PyResult<Self> {
        let source = match text {
            Some(text) => {
                let came = |(path, bytes)| Shipped { path, bytes: Some(Arc::new(bytes)) };
                let files = files.into_iter().map(came).collect();
                Source::File { path: name.into(), text, reading: Box::new(Reading::read(options)?), files }
            }
            None => Source::Builtin { name, numbers },
        };
        let mut model = Self::make(source)?;
        for (kind, given) in edits {
            let edit = if kind == "vary" {
                Edit::Vary(Parameters::kept(&given, &model.scene)?)
            } else {
                let mut own = Changes::default();
                own.read(&given)?;
                Edit::Replace(own)
            };
            model = model.edited(edit)?;
        }
        Ok(model)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let this = slf.get();
        let mut edits = Vec::new();
        for edit in &this.edits {
            edits.push(match edit {
                Edit::Replace(changes) => ("replace", changes.write(py)?),
                Edit::Vary(parameters) => ("vary", parameters.write(py)?),
            });
        }
        let arguments = match &this.source {
            Source::Builtin { name, numbers } => {
                (name.clone(), None, numbers.clone(), edits, None, Vec::new())
            }
            Source::File { path, text, reading, files } => {
                let options = Some(reading.write(py)?);
                let mut packed = Vec::new();
                for file in files {
                    let bytes = pyo3::types::PyBytes::new(py, &file.read()?);
                    packed.push((file.path.display().to_string(), bytes));
                }
                (path.display().to_string(), Some(text.clone()), BTreeMap::new(), edits, options, packed)
            }
        };
        Ok((slf.get_type().getattr("_rebuild")?, arguments.into_pyobject(py)?.into_any()))
    }

    fn __repr__(&self) -> String {
        let s = &self.scene;
        format!(
            "<gudgeon.Model '{}': {} links, nq {}, nv {}>",
            s.name,
            s.model.n_links(),
            self.nq(),
            self.nv()
        )
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    /// What became of every element of its file; empty for a built-in scene.
    #[getter]
    fn report(&self) -> &str {
        &self.report
    }

    /// What makes it move otherwise than its file says, one line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

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
                && let gudgeon_sim::Path::Joint(t) = &a.path
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

/// Refuses orientations that are none: quaternions of no length.
pub(crate) fn check_turns(scene: &Scene, q: &[f64], what: &str) -> PyResult<()> {
    use gudgeon_multibody::Joint;
    for link in scene.model.links() {
        if matches!(link.joint, Joint::Spherical | Joint::Free) {
            let turn = &q[link.q_start..link.q_start + 4];
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            // any other length is a direction with a rounding, or with noise on it
            if length < 1e-6 {
                return Err(PyValueError::new_err(format!(
                    "{what}: the quaternion of '{}' has length {length}, expected 1",
                    link.name
                )));
            }
        }
    }
    Ok(())
}

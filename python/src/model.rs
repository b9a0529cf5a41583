//! What is simulated: a scene, where it came from, and what was changed in it.
//!
//! A model remembers its recipe (a built-in scene with its numbers, or the text of a file, and the changes since), so
//! that it can be pickled and made again elsewhere.

mod facts;

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
}

/// Length of a quaternion below which it is no turn.
const NO_TURN: f64 = 1e-6;

/// Refuses orientations that are none: quaternions of no length.
pub(crate) fn check_turns(scene: &Scene, q: &[f64], what: &str) -> PyResult<()> {
    for link in scene.model.links() {
        if link.joint.has_quaternion() {
            let turn = &q[link.q_start..link.q_start + 4];
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            // any other length is a direction with a rounding, or with noise on it
            if length < NO_TURN {
                return Err(PyValueError::new_err(format!(
                    "{what}: the quaternion of '{}' has length {length}, expected 1",
                    link.name
                )));
            }
        }
    }
    Ok(())
}

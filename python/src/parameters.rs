//! What may differ from copy to copy, as it is given: numbers by copy, and by link, degree of freedom or controller.
//!
//! | name             | by         | what the number is                                                        |
//! |------------------|------------|---------------------------------------------------------------------------|
//! | `friction`       | link       | coefficient of the link's surfaces; one for all also of named pairs        |
//! | `restitution`    | link       | likewise                                                                  |
//! | `mass`           | link       | factor on mass and inertia                                                |
//! | `inertia`        | link       | factor on the inertia about the centre of mass                            |
//! | `com`            | link × 3   | what is added to the centre of mass, m, link's axes                       |
//! | `size`           | link       | factor on shapes, their places, the centre of mass; inertia by its square |
//! | `gravity`        | 3          | m/s²                                                                      |
//! | `dt`             |            | s                                                                         |
//! | `armature`       | dof        | kg m² or kg                                                               |
//! | `joint_damping`  | dof        | N m s/rad or N s/m                                                        |
//! | `joint_friction` | dof        | N m or N                                                                  |
//! | `stiffness`      | controller | factor                                                                    |
//! | `damping`        | controller | factor                                                                    |
//! | `effort`         | controller | factor on the greatest force                                              |

use std::collections::BTreeMap;

use gudgeon_sim::{Controller, Scene, SceneError, Simulator};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::floats;

/// What has a number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Per {
    Copy,
    Axis,
    Link,
    LinkAxis,
    Dof,
    Controller,
}

/// A kind of number: its name, what has one, what leaves it as it is, the least and the greatest it may be.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) per: Per,
    neutral: f64,
    least: f64,
    most: f64,
}

/// In place of a value that stays the scene's own.
const OWN: f64 = f64::NAN;
/// Sizes and lengths of steps are positive.
const TINY: f64 = 1e-9;

const fn kind(name: &'static str, per: Per, neutral: f64, least: f64, most: f64) -> Kind {
    Kind { name, per, neutral, least, most }
}

pub(crate) const KINDS: [Kind; 14] = [
    kind("friction", Per::Link, OWN, 0.0, f64::MAX),
    kind("restitution", Per::Link, OWN, 0.0, 1.0),
    kind("mass", Per::Link, 1.0, 0.0, f64::MAX),
    kind("inertia", Per::Link, 1.0, 0.0, f64::MAX),
    kind("com", Per::LinkAxis, 0.0, f64::MIN, f64::MAX),
    kind("size", Per::Link, 1.0, TINY, f64::MAX),
    kind("gravity", Per::Axis, OWN, f64::MIN, f64::MAX),
    kind("dt", Per::Copy, OWN, TINY, f64::MAX),
    kind("armature", Per::Dof, OWN, 0.0, f64::MAX),
    kind("joint_damping", Per::Dof, OWN, 0.0, f64::MAX),
    kind("joint_friction", Per::Dof, OWN, 0.0, f64::MAX),
    kind("stiffness", Per::Controller, 1.0, 0.0, f64::MAX),
    kind("damping", Per::Controller, 1.0, 0.0, f64::MAX),
    kind("effort", Per::Controller, 1.0, 0.0, f64::MAX),
];

/// The numbers of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// copies × columns of its kind.
    pub(crate) numbers: Vec<f64>,
    /// Whether one number serves a whole copy.
    pub(crate) uniform: bool,
}

/// Numbers by kind; a kind that is not named stays as it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters {
    pub(crate) columns: BTreeMap<&'static str, Column>,
}

impl Per {
    /// How many of them a scene has, and how many numbers each takes.
    fn shape(self, scene: &Scene) -> (usize, usize) {
        match self {
            Self::Copy => (1, 1),
            Self::Axis => (1, 3),
            Self::Link => (scene.model.n_links(), 1),
            Self::LinkAxis => (scene.model.n_links(), 3),
            Self::Dof => (scene.model.n_v(), 1),
            Self::Controller => (scene.controllers.len(), 1),
        }
    }

    /// Which of them a name means: a link, the degrees of freedom of its joint, the controllers that drive it.
    fn find(self, scene: &Scene, name: &str) -> Vec<usize> {
        let link = || scene.model.find(name);
        match self {
            Self::Copy | Self::Axis => Vec::new(),
            Self::Link | Self::LinkAxis => link().map(|l| l.0).into_iter().collect(),
            Self::Dof => link().map(|l| scene.model.link(l).v_range().collect()).unwrap_or_default(),
            Self::Controller => {
                let drives = |c: &Controller| match c {
                    Controller::Force { link, .. } | Controller::Motor { link, .. } => link == name,
                    Controller::Pd { motion, .. }
                    | Controller::ComputedTorque { motion, .. }
                    | Controller::HighGain { motion } => motion.joints().iter().any(|j| j == name),
                    Controller::Actuator(a) => a.name == name,
                };
                (0..scene.controllers.len()).filter(|&k| drives(&scene.controllers[k])).collect()
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Copy | Self::Axis => "copy",
            Self::Link | Self::LinkAxis => "link",
            Self::Dof => "link with a joint",
            Self::Controller => "controller",
        }
    }
}

fn kind_of(name: &str) -> PyResult<&'static Kind> {
    KINDS.iter().find(|k| k.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|k| k.name).collect();
        PyTypeError::new_err(format!("parameters has '{name}', expected {}", names.join(", ")))
    })
}

impl Kind {
    /// Checked numbers of an array, row by row.
    fn numbers(&self, name: &str, value: &Bound<'_, PyAny>, shape: &[Option<usize>]) -> PyResult<Vec<f64>> {
        let numbers = floats(name, value, shape)?.finite(name)?.as_slice().to_vec();
        match numbers.iter().find(|x| **x < self.least || **x > self.most) {
            Some(bad) if self.most == f64::MAX && self.least == 0.0 => {
                Err(PyValueError::new_err(format!("{name} has {bad}, expected no negative number")))
            }
            Some(bad) if self.most == f64::MAX => {
                Err(PyValueError::new_err(format!("{name} has {bad}, expected positive numbers")))
            }
            Some(bad) => Err(PyValueError::new_err(format!(
                "{name} has {bad}, expected numbers from {} to {}",
                self.least, self.most
            ))),
            None => Ok(numbers),
        }
    }

    /// An array with a number for every copy, or for everything that has one.
    fn read(&self, value: &Bound<'_, PyAny>, copies: usize, scene: &Scene) -> PyResult<Column> {
        if let Ok(by_name) = value.cast::<PyDict>() {
            return self.read_named(by_name, copies, scene);
        }
        let name = format!("parameters['{}']", self.name);
        let value = &value.py().import("numpy")?.call_method1("asarray", (value,))?;
        let (things, each) = self.per.shape(scene);
        let given: usize = value.getattr("ndim").and_then(|d| d.extract()).unwrap_or(0);
        let single = given == 1 && each == 1;
        let mut shape = vec![Some(copies)];
        if !single && matches!(self.per, Per::Link | Per::LinkAxis | Per::Dof | Per::Controller) {
            shape.push(Some(things));
        }
        if each > 1 {
            shape.push(Some(each));
        }
        let repeat = if single { things } else { 1 };
        let numbers = self.numbers(&name, value, &shape)?;
        let numbers = numbers.into_iter().flat_map(|x| std::iter::repeat_n(x, repeat)).collect();
        Ok(Column { numbers, uniform: single })
    }

    /// Numbers by name: {"foot": an array with one for every copy}. What is not named stays as it is.
    fn read_named(&self, by_name: &Bound<'_, PyDict>, copies: usize, scene: &Scene) -> PyResult<Column> {
        let (things, each) = self.per.shape(scene);
        let width = things * each;
        let mut numbers = vec![self.neutral; copies * width];
        for (key, value) in by_name {
            let key: String = key.extract()?;
            let name = format!("parameters['{}']['{key}']", self.name);
            let found = self.per.find(scene, &key);
            if found.is_empty() {
                return Err(PyKeyError::new_err(format!("{name}: there is no such {}", self.per.word())));
            }
            let mut shape = vec![Some(copies)];
            shape.extend((each > 1).then_some(Some(each)));
            let own = self.numbers(&name, &value, &shape)?;
            for (copy, row) in own.chunks(each).enumerate() {
                for &thing in &found {
                    let at = copy * width + thing * each;
                    numbers[at..at + each].copy_from_slice(row);
                }
            }
        }
        Ok(Column { numbers, uniform: false })
    }
}

impl Parameters {
    pub(crate) fn read(given: Option<&Bound<'_, PyDict>>, copies: usize, scene: &Scene) -> PyResult<Self> {
        let mut out = Self::default();
        for (key, value) in given.into_iter().flatten() {
            let kind = kind_of(&key.extract::<String>()?)?;
            out.columns.insert(kind.name, kind.read(&value, copies, scene)?);
        }
        Ok(out)
    }

    /// As one copy's numbers were kept by [`Self::write`].
    pub(crate) fn kept(given: &Bound<'_, PyDict>, scene: &Scene) -> PyResult<Self> {
        let mut out = Self::default();
        for (key, value) in given {
            let kind = kind_of(&key.extract::<String>()?)?;
            let (numbers, uniform): (Vec<f64>, bool) = value.extract()?;
            let (things, each) = kind.per.shape(scene);
            if numbers.len() != things * each {
                return Err(PyValueError::new_err(format!("'{}' is of another model", kind.name)));
            }
            out.columns.insert(kind.name, Column { numbers, uniform });
        }
        Ok(out)
    }

    pub(crate) fn write<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (name, column) in &self.columns {
            out.set_item(name, (&column.numbers, column.uniform))?;
        }
        Ok(out)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A simulator of one copy; `plain` gives one of the scene as it is.
    pub(crate) fn simulator(
        &self,
        scene: &Scene,
        copy: usize,
        plain: impl FnOnce() -> Simulator,
    ) -> Result<Simulator, SceneError> {
        if self.is_empty() { Ok(plain()) } else { Simulator::new(&self.scene(scene, copy)?) }
    }
}

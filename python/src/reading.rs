//! How `Model.load` reads a file: the options of the command line by the same names.

use std::path::PathBuf;

use gudgeon_model::{Base, Cache, FixedJoints, LoadOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Options, and what was typed of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) options: LoadOptions,
    /// Puts the model on flat ground.
    pub(crate) ground: bool,
}

const KEYS: &str =
    "keyframe, search, hulls, exact, base, ground, merge_fixed, meshes, outside, strict, joints, cache";

impl Reading {
    /// From the keywords of `Model.load`.
    pub(crate) fn read(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut reading = Self::default();
        let o = &mut reading.options;
        for (key, value) in given.into_iter().flatten() {
            let key: String = key.extract()?;
            match key.as_str() {
                "keyframe" => o.keyframe = value.extract()?,
                "search" => o.search = value.extract::<Vec<PathBuf>>()?,
                "hulls" => o.hulls = value.extract()?,
                "exact" => o.exact = value.extract()?,
                "base" => {
                    o.base = match value.extract::<String>()?.as_str() {
                        "auto" => Base::Auto,
                        "free" => Base::Free,
                        "fixed" => Base::Fixed,
                        other => {
                            let words = format!("base is '{other}', expected auto, free or fixed");
                            return Err(PyValueError::new_err(words));
                        }
                    }
                }
                "ground" => reading.ground = value.extract()?,
                "merge_fixed" => {
                    o.fixed = if value.extract()? { FixedJoints::Merge } else { FixedJoints::Keep };
                }
                "meshes" => o.meshes = value.extract()?,
                "outside" => o.outside = value.extract()?,
                "strict" => o.strict = value.extract()?,
                "cache" => o.cache = if value.extract()? { Cache::User } else { Cache::Off },
                "joints" => {
                    for (name, place) in value.extract::<Bound<'_, PyDict>>()? {
                        let one = place.extract::<f64>().map(|x| vec![x]);
                        let values = one.or_else(|_| place.extract::<Vec<f64>>())?;
                        o.joints.push((name.extract()?, values));
                    }
                }
                other => {
                    return Err(PyTypeError::new_err(format!("load has no option '{other}'; it has {KEYS}")));
                }
            }
        }
        Ok(reading)
    }

    /// The keywords that make it again.
    pub(crate) fn write<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (out, o) = (PyDict::new(py), &self.options);
        let base = match o.base {
            Base::Auto => "auto",
            Base::Free => "free",
            Base::Fixed => "fixed",
        };
        out.set_item("keyframe", &o.keyframe)?;
        out.set_item("search", o.search.iter().map(|p| p.display().to_string()).collect::<Vec<_>>())?;
        out.set_item("hulls", o.hulls)?;
        out.set_item("exact", &o.exact)?;
        out.set_item("base", base)?;
        out.set_item("ground", self.ground)?;
        out.set_item("merge_fixed", o.fixed == FixedJoints::Merge)?;
        out.set_item("meshes", o.meshes)?;
        out.set_item("outside", o.outside)?;
        out.set_item("strict", o.strict)?;
        out.set_item("cache", o.cache != Cache::Off)?;
        let joints = PyDict::new(py);
        o.joints.iter().try_for_each(|(name, values)| joints.set_item(name, values))?;
        out.set_item("joints", joints)?;
        Ok(out)
    }
}

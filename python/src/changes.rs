//! What `Model.replace` may change, kept as it was asked for, so that a model can be pickled and made again.

use gudgeon_sim::{Facets, FrictionLaw, Integrator, Scene, Sides};
use gudgeon_spatial::Vector3;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::floats;
use crate::model::rub;

/// What `replace` may change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    dt: Option<f64>,
    method: Option<String>,
    facets: Option<usize>, // 0: round
    law: Option<String>,
    integrator: Option<String>,
    friction: Option<f64>,
    gravity: Option<[f64; 3]>,
    canonical_forces: Option<bool>,
    warm_start: Option<bool>,
    budget: Option<usize>,
    seconds: Option<f64>,
}

impl Changes {
    pub(crate) fn read(&mut self, changes: &Bound<'_, PyDict>) -> PyResult<()> {
        for (key, value) in changes {
            let key: String = key.extract()?;
            match key.as_str() {
                "dt" => self.dt = Some(value.extract()?),
                "method" => self.method = Some(value.extract()?),
                "facets" => {
                    let word = value.extract::<String>().ok();
                    self.facets = Some(match word.as_deref() {
                        Some("exact" | "round") => 0,
                        Some(other) => {
                            return Err(PyValueError::new_err(format!(
                                "facets is '{other}', expected an even number of at least 4, or 'exact' for the round cone"
                            )));
                        }
                        None => value.extract()?,
                    });
                }
                "law" => self.law = Some(value.extract()?),
                "integrator" => self.integrator = Some(value.extract()?),
                "friction" => self.friction = Some(value.extract()?),
                "gravity" => {
                    let g = floats("gravity", &value, &[Some(3)])?.finite("gravity")?;
                    self.gravity = Some([g.as_slice()[0], g.as_slice()[1], g.as_slice()[2]]);
                }
                "canonical_forces" => self.canonical_forces = Some(value.extract()?),
                "warm_start" => self.warm_start = Some(value.extract()?),
                "budget" => self.budget = Some(value.extract()?),
                "seconds" => self.seconds = Some(value.extract()?),
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "a model has no '{other}' to replace; it has dt, method, facets, law, integrator, friction, \
                         gravity, canonical_forces, warm_start, budget, seconds"
                    )));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn write<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        macro_rules! put {
            ($($key:ident),*) => {
                $(if let Some(value) = &self.$key { out.set_item(stringify!($key), value)?; })*
            };
        }
        put!(
            dt,
            method,
            facets,
            law,
            integrator,
            friction,
            gravity,
            canonical_forces,
            warm_start,
            budget,
            seconds
        );
        Ok(out)
    }

    pub(crate) fn apply(&self, scene: &mut Scene) -> PyResult<()> {
        let wrong = |what: &str, value: f64, expected: &str| {
            Err(PyValueError::new_err(format!("{what} is {value}, expected {expected}")))
        };
        let settings = &mut scene.settings;
        if let Some(dt) = self.dt {
            if !(dt > 0.0 && dt.is_finite()) {
                return wrong("dt", dt, "a positive number of seconds");
            }
            settings.dt = dt;
        }
        if let Some(method) = &self.method {
            settings.method = crate::solve::method_of(method)?;
        }
        match self.facets {
            Some(0) => settings.facets = Facets::Exact,
            Some(n) => match Sides::new(n) {
                Some(sides) => settings.facets = Facets::Polygon(sides),
                None => return wrong("facets", n as f64, "an even number of at least 4, or 'exact'"),
            },
            None => {}
        }
        if let Some(name) = &self.law {
            settings.law = name.parse::<FrictionLaw>().map_err(PyValueError::new_err)?;
        }
        if let Some(name) = &self.integrator {
            settings.integrator = name.parse::<Integrator>().map_err(PyValueError::new_err)?;
        }
        if let Some(conflict) = settings.conflict() {
            return Err(PyValueError::new_err(conflict));
        }
        if let Some(friction) = self.friction {
            if !(friction >= 0.0 && friction.is_finite()) {
                return wrong("friction", friction, "at least 0");
            }
            rub(scene, friction);
        }
        let settings = &mut scene.settings;
        if let Some(canonical) = self.canonical_forces {
            settings.canonical_forces = canonical;
        }
        if let Some(warm) = self.warm_start {
            settings.warm_start = warm;
        }
        if let Some(seconds) = self.seconds {
            if !(seconds > 0.0 && seconds.is_finite()) {
                return wrong("seconds", seconds, "a positive number of seconds per solve");
            }
            settings.seconds = Some(seconds);
        }
        if let Some(budget) = self.budget {
            settings.budget = Some(budget);
        }
        if let Some([x, y, z]) = self.gravity {
            scene.model = scene.model.clone().with_gravity(Vector3::new(x, y, z));
        }
        Ok(())
    }
}

//! What holds for the whole scene: gravity, the surface of what names none, and the settings of the simulator.

use gudgeon_sim::{Combine, RestitutionLaw};
use gudgeon_spatial::Vector3;

use super::Reader;
use super::schema::{FacetsValue, SceneTable};
use crate::error::ModelFileError;

impl Reader<'_> {
    pub(super) fn settings(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        if let Some(g) = t.gravity {
            self.builder.gravity(Vector3::from(g));
        }
        if let Some(seconds) = t.duration {
            if !(seconds >= 0.0 && seconds.is_finite()) {
                return Err(self.value(&(0..0), "duration", seconds, "a time in seconds"));
            }
            self.builder.duration(seconds);
        }
        let m = &mut self.default;
        m.friction = t.friction.unwrap_or(m.friction);
        m.restitution = t.restitution.unwrap_or(m.restitution);
        m.stiffness = t.stiffness.unwrap_or(m.stiffness);
        m.damping = t.damping.unwrap_or(m.damping);
        m.kinetic = t.kinetic_friction;
        m.torsion = t.torsional_friction.unwrap_or(m.torsion);
        m.rolling = t.rolling_friction.unwrap_or(m.rolling);
        self.builder.default_material(self.default);
        if let Some(name) = &t.combine {
            let combine = match name.as_ref().as_str() {
                "geometric-mean" => Combine::GeometricMean,
                "mean" => Combine::Mean,
                "min" => Combine::Min,
                "max" => Combine::Max,
                "product" => Combine::Product,
                other => {
                    let expected = "geometric-mean, mean, min, max or product";
                    return Err(self.value(&name.span(), "combine", other, expected));
                }
            };
            self.builder.combine(combine);
        }
        self.numerics(t)
    }

    fn numerics(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        let mut s = self.builder.settings().clone();
        s.dt = t.dt.unwrap_or(s.dt);
        if let Some(name) = &t.method {
            s.method =
                name.as_ref().parse().map_err(|e: <gudgeon_lcp::Method as std::str::FromStr>::Err| {
                    self.value(&name.span(), "method", name.as_ref(), &e.to_string())
                })?;
        }
        if let Some(facets) = &t.facets {
            let name = match facets.as_ref() {
                FacetsValue::Name(name) => name.clone(),
                FacetsValue::Sides(n) => n.to_string(),
            };
            let known = "an even number >= 4, \"exact\", \"box\" or \"last-box\"";
            s.facets = name.parse().map_err(|_| self.value(&facets.span(), "facets", &name, known))?;
        }
        if let Some(name) = &t.law {
            s.law = (name.as_ref().parse())
                .map_err(|_| self.value(&name.span(), "law", name.as_ref(), "exact or convex"))?;
        }
        if let Some(name) = &t.integrator {
            s.integrator = name.as_ref().parse().map_err(|_| {
                self.value(&name.span(), "integrator", name.as_ref(), "euler, rk4 or carried")
            })?;
        }
        if let Some(name) = &t.restitution_law {
            s.restitution = match name.as_ref().as_str() {
                "newton" => RestitutionLaw::Newton,
                "poisson" => RestitutionLaw::Poisson,
                other => return Err(self.value(&name.span(), "restitution_law", other, "newton or poisson")),
            };
        }
        let mut margin = 0.0;
        for (key, given, target) in [
            ("lexicographic_delta", t.lexicographic_delta, &mut s.lexicographic_delta),
            ("margin", t.margin, &mut margin),
            ("bounce_threshold", t.bounce_threshold, &mut s.bounce_threshold),
            ("overlap_tolerance", t.overlap_tolerance, &mut s.overlap_tolerance),
            ("recovery_speed", t.recovery_speed, &mut s.recovery_speed),
        ] {
            let Some(x) = given else { continue };
            if !(x >= 0.0 && x.is_finite()) {
                return Err(self.value(&(0..0), key, x, "a finite number, not negative"));
            }
            *target = x;
        }
        s.margin = t.margin.map(|_| margin).or(s.margin);
        s.energy_guard = t.energy_guard.unwrap_or(s.energy_guard);
        s.canonical_forces = t.canonical_forces.unwrap_or(s.canonical_forces);
        s.warm_start = t.warm_start.unwrap_or(s.warm_start);
        s.budget = t.budget.or(s.budget);
        s.threads = t.threads.unwrap_or(s.threads);
        if let (Some(conflict), Some(law)) = (s.conflict(), &t.law) {
            return Err(self.value(&law.span(), "law", law.as_ref(), conflict));
        }
        *self.builder.settings() = s;
        Ok(())
    }
}

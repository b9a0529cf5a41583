//! How far impulses are from an answer, in one scale for all rows.

use super::{STALLED, Settle};
use crate::friction::cone::natural_map;
use crate::friction::system::System;
use crate::kernel::max_abs;
use crate::problem::ContactMode;
use crate::tolerances;

/// A residual that is good enough, scaled.
const GOOD: f64 = 1e-12;
/// The residual of remembered impulses that no step makes smaller, of q, which has size one: some roundings.
const REPEATED: f64 = 1e-15;
/// Of the largest impulse: what rounding leaves in a residual.
pub(super) const ROUNDING: f64 = 1e-14;
/// Of what rounding excuses: an error that no further step need make smaller. Larger and answers stop short of their digits; smaller and steps are
/// taken that rounding undoes.
pub(super) const CRISP: f64 = 0.1;
/// One over an impulse, scaled: beyond it a residual has to be the smaller the larger impulses are.
const HEAVY: f64 = 1e-6;

impl Settle {
    /// The residual of the impulses in `r`, cut to their signs.
    pub(crate) fn measured(&mut self, system: &System) -> f64 {
        self.clip(system);
        system.scalar_velocities(&self.r, &mut self.u);
        self.residual = self.error(system);
        if self.r.iter().all(|v| v.is_finite()) { self.residual } else { f64::INFINITY }
    }

    /// Impulses that are negative by rounding are none.
    pub(super) fn clip(&mut self, system: &System) {
        for i in 0..system.n {
            if self.r[3 * i] <= 0.0 {
                self.r[3 * i..3 * i + 3].fill(0.0);
            }
        }
        for (k, row) in self.r[3 * system.n..].iter_mut().enumerate() {
            if let Some(room) = system.room_of(k) {
                *row = row.clamp(0.0, room);
            }
        }
    }

    /// How far the impulses are from an answer.
    pub(super) fn error(&self, system: &System) -> f64 {
        let mut worst = system.single_residual(&self.r, &self.u);
        for i in 0..system.n {
            let (r, u) = (&self.r[3 * i..3 * i + 3], &self.u[3 * i..3 * i + 3]);
            let error = if self.round && self.modes[i].mode == ContactMode::Open && u[0] >= 0.0 {
                0.0
            } else if self.round {
                max_abs(&natural_map(system.mu[i], r, u))
            } else {
                self.facet_error(system, i, r, u)
            };
            worst = worst.max(error);
            if error.is_nan() {
                return f64::INFINITY;
            }
        }
        let unit = (tolerances::IMPULSE_UNIT * max_abs(&self.r)).max(1.0);
        if worst.is_nan() { f64::INFINITY } else { worst / unit }
    }

    fn facet_error(&self, system: &System, i: usize, r: &[f64], u: &[f64]) -> f64 {
        let held = self.modes[i];
        match held.mode {
            ContactMode::Open => (-u[0]).max(0.0),
            ContactMode::Stick if system.mu[i] == 0.0 => u[0].abs().max(-r[0]),
            ContactMode::Stick => {
                let (a, b, _) = system.facets_of(i, [r[1], r[2]]);
                max_abs(u).max(-r[0]).max(a + b - system.mu[i] * r[0])
            }
            ContactMode::Slip => {
                // the facets that are not in use must not oppose the slip better
                let along = |j: usize| -> f64 {
                    let [c, s] = system.dirs[i * system.d + j];
                    c * u[1] + s * u[2]
                };
                let (a, b) = (along(usize::from(held.along.0)), along(usize::from(held.along.1)));
                let least = (0..system.d).fold(0.0, |m: f64, j| m.min(along(j)));
                // on the edge between the two, and nowhere else
                let (fa, fb, _) = system.facets_of(i, [r[1], r[2]]);
                let off = (fa + fb - system.mu[i] * r[0]).abs();
                u[0].abs().max(-r[0]).max(a.max(b) - least).max(off)
            }
        }
    }

    /// How far the equations of the present modes are from being solved: what Newton still has to do.
    pub(super) fn unsolved(&self) -> f64 {
        let still = self.still.iter().fold(0.0, |m: f64, &k| m.max(self.u[k].abs()));
        still.max(self.sliding.unsolved(&self.u))
    }

    /// Whether impulses of this error are an answer as good as a step would make it: what rests repeats to rounding. Large impulses
    /// are no excuse: beside a body of a million masses the light one would be let go by their rounding, step after step.
    pub(super) fn is_repeated(&self, error: f64) -> bool {
        error * (HEAVY * max_abs(&self.r)).max(1.0) <= REPEATED
    }

    /// What is an answer once steps no longer make it better: redundant rows may contradict each other by the rounding
    /// of the geometry they come from, and then no impulses stop them all.
    pub(super) fn acceptable(&self, band: f64) -> f64 {
        if self.round { band.max(STALLED) } else { band }
    }
}

/// What is within rounding of an answer: impulses enter with their size.
pub(super) fn band(r: &[f64]) -> f64 {
    GOOD.max(ROUNDING * max_abs(r))
}

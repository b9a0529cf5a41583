//! The exact Coulomb cone: facets that turn, then Newton on the modes.
//!
//! A d-sided cone pushes along its nearest vertex: a sliding contact is off by up to π/d in direction and
//! 1 − cos(π/d) in force. If a vertex lies exactly against the slip, the polygon and the circle agree there. So
//!
//! 1. solve with polygons; turn each sliding contact's facets until a vertex lies against its slip, and those
//!    of a contact that sticks close to its limit until a vertex lies along its force; start again from the
//!    basis at hand; repeat;
//! 2. once the modes (open, stick, slip) look settled, take Newton steps on the smooth equations of those modes:
//!
//! ```text
//!     stick   u = 0                                        unknown r
//!     slip    u_n = 0,   e⊥ᵀ u_t = 0                       unknown r_n and the angle of e,  r_t = mu r_n e
//! ```
//!
//!    Turning e by dα moves r_t by mu r_n dα e⊥ and e⊥ᵀ u_t by λ dα, λ = −eᵀ u_t the speed of the slip: the
//!    Newton step is that of a sticking contact across the slip with compliance λ/(mu r_n). The basis supplies
//!    an independent set of equations; redundant contacts keep their zeros.
//!
//! The measure is F = r − P_K(r − u′), u′ = u + (mu |u_t|, 0, 0), which vanishes exactly where Coulomb's law and
//! Signorini's hold; here in scaled units, where a cone stays round.

use super::search::Search;
use super::system::System;
use crate::kernel::max_abs;
use crate::problem::ContactMode;
use crate::tolerances;

/// Impulses and velocities of the scalar rows, scaled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cone {
    pub(crate) r: Vec<f64>,
    pub(crate) u: Vec<f64>,
    best_r: Vec<f64>,
    best: f64,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    swaps: Vec<usize>,
    probe: Vec<f64>,
    response: Vec<f64>,
    unknowns: Vec<Unknown>,
    modes: Vec<ContactMode>, // what Newton takes a contact to do
    held: Vec<bool>,         // sticks in both directions, not along the facets that are basic
}

/// Added to the diagonal of Newton's matrix, whose rows have unit size: redundant contacts make it singular, and
/// with this the step is that of the proximal point method, which leaves what is undetermined where it is and
/// comes nearer by this factor in every direction of size one.
const PROXIMAL: f64 = 1e-10;

/// A direction of Newton's step: up to three scalar rows, the row that tests it, and its compliance.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    at: usize,
    column: [f64; 3],
    row: [f64; 3],
    compliance: f64,
    width: usize,
}

impl Cone {
    /// Forgets the last problem.
    pub(crate) fn reset(&mut self) {
        self.best = f64::INFINITY;
    }

    /// The residual of the best answer seen.
    pub(crate) fn residual(&self) -> f64 {
        self.best
    }

    /// The impulses of the best answer seen.
    pub(crate) fn answer(&self) -> &[f64] {
        &self.best_r
    }

    /// Takes the answer of a polyhedral solve, measures it, and polishes it by Newton: first with the contacts
    /// that the solve pressed, then, if that does not do, with contacts free to open and close as well.
    pub(crate) fn take(&mut self, system: &System, search: &Search) -> f64 {
        for may_open in [false, true] {
            if self.best > tolerances::POLISHED {
                self.polish(system, search, may_open);
            }
        }
        self.best
    }

    fn polish(&mut self, system: &System, search: &Search, may_open: bool) {
        system.scalar_impulses(&search.z, &mut self.r);
        self.keep(system);
        self.choose_modes(system, search);
        let mut last = f64::INFINITY;
        for _ in 0..30 {
            if self.best <= tolerances::POLISH_ENDS || !self.newton(system, search) {
                break;
            }
            let residual = self.keep(system);
            let changed = self.change_modes(system, may_open);
            // quadratic until rounding; then it stays where it is
            if !changed && residual > 0.5 * last && last < tolerances::POLISH_STALLS {
                break;
            }
            last = residual;
        }
    }

    /// The modes of the basis; sliding forces are put on the circle, against the slip.
    fn choose_modes(&mut self, system: &System, search: &Search) {
        self.modes.clear();
        self.held.clear();
        self.held.resize(system.n, false);
        for i in 0..system.n {
            let (base, at) = (system.theta(i), 3 * i);
            let speed = self.u[at + 1].hypot(self.u[at + 2]);
            let pressed = search.basic[base] && self.r[at] > 0.0;
            let slips = search.basic[base + 1 + system.d] && speed > tolerances::SLIDES && system.mu[i] > 0.0;
            self.modes.push(match (pressed, slips) {
                (false, _) => ContactMode::Open,
                (true, false) => ContactMode::Stick,
                (true, true) => {
                    let f = -system.mu[i] * self.r[at] / speed;
                    (self.r[at + 1], self.r[at + 2]) = (f * self.u[at + 1], f * self.u[at + 2]);
                    ContactMode::Slip
                }
            });
        }
        system.scalar_velocities(&self.r, &mut self.u);
    }

    /// Contacts that left their mode take another: one that pulls opens, an open one that closes is held, stick
    /// beyond the circle slides along its force, slip in the sense of its force sticks. True if any did.
    fn change_modes(&mut self, system: &System, may_open: bool) -> bool {
        let mut changed = false;
        for i in 0..system.n {
            let at = 3 * i;
            let limit = system.mu[i] * self.r[at].max(0.0);
            let size = self.r[at + 1].hypot(self.r[at + 2]);
            match self.modes[i] {
                ContactMode::Open if may_open && self.u[at] < -tolerances::OPENS => {
                    (self.modes[i], self.held[i]) = (ContactMode::Stick, system.mu[i] > 0.0);
                    changed = true;
                }
                ContactMode::Stick | ContactMode::Slip if may_open && self.r[at] < 0.0 => {
                    self.r[at..at + 3].fill(0.0);
                    self.modes[i] = ContactMode::Open;
                    changed = true;
                }
                ContactMode::Stick if size > limit * (1.0 + tolerances::ON_EDGE) && limit > 0.0 => {
                    self.r[at + 1] *= limit / size;
                    self.r[at + 2] *= limit / size;
                    self.modes[i] = ContactMode::Slip;
                    changed = true;
                }
                ContactMode::Slip if size > 0.0 => {
                    let along = (self.r[at + 1] * self.u[at + 1] + self.r[at + 2] * self.u[at + 2]) / size;
                    if along > tolerances::HELD_AGAIN {
                        (self.modes[i], self.held[i]) = (ContactMode::Stick, true);
                        changed = true;
                    }
                }
                _ => {}
            }
        }
        if changed {
            system.scalar_velocities(&self.r, &mut self.u);
        }
        changed
    }

    /// Measures `r`; keeps it if it is the best.
    fn keep(&mut self, system: &System) -> f64 {
        system.scalar_velocities(&self.r, &mut self.u);
        let residual = self.coulomb(system);
        if residual < self.best {
            self.best = residual;
            self.best_r.clone_from(&self.r);
        }
        residual
    }

    /// max |F| over the contacts, and the violation of the other rows.
    fn coulomb(&self, system: &System) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..system.n {
            let r = &self.r[3 * i..3 * i + 3];
            let u = &self.u[3 * i..3 * i + 3];
            let f = natural_map(system.mu[i], r, u);
            worst = worst.max(f.iter().fold(0.0, |m: f64, v| m.max(v.abs())));
        }
        let singles = system.single_residual(&self.r, &self.u);
        let worst = worst.max(singles);
        let unit = (tolerances::IMPULSE_UNIT * max_abs(&self.r)).max(1.0);
        if worst.is_nan() { f64::INFINITY } else { worst / unit }
    }

    /// One Newton step on the modes of the basis; false if there is none.
    fn newton(&mut self, system: &System, search: &Search) -> bool {
        self.list_unknowns(system, search);
        let k = self.unknowns.len();
        if k == 0 {
            return false;
        }
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        self.rhs.clear();
        let row_of = |unknown: &Unknown, u: &[f64]| -> f64 {
            (0..unknown.width).map(|c| unknown.row[c] * u[unknown.at + c]).sum()
        };
        for unknown in &self.unknowns {
            self.rhs.push(-row_of(unknown, &self.u));
        }
        for c in 0..k {
            let unknown = self.unknowns[c];
            self.probe.clear();
            self.probe.resize(self.r.len(), 0.0);
            for part in 0..unknown.width {
                self.probe[unknown.at + part] = unknown.column[part];
            }
            system.scalar_product(&self.probe, &mut self.response);
            for r in 0..k {
                self.matrix[r * k + c] = row_of(&self.unknowns[r], &self.response);
            }
            self.matrix[c * k + c] += unknown.compliance + PROXIMAL;
        }
        if !super::dense::solve_in_place(&mut self.matrix, k, &mut self.rhs, &mut self.swaps) {
            return false;
        }
        self.apply_step(system);
        self.r.iter().all(|v| v.is_finite())
    }

    fn list_unknowns(&mut self, system: &System, search: &Search) {
        self.unknowns.clear();
        for i in 0..system.n {
            let (base, at) = (system.theta(i), 3 * i);
            let mut push = |column: [f64; 3], row: [f64; 3], compliance: f64| {
                self.unknowns.push(Unknown { at, column, row, compliance, width: 3 });
            };
            let normal = [1.0, 0.0, 0.0];
            let size = self.r[at + 1].hypot(self.r[at + 2]);
            match self.modes[i] {
                ContactMode::Open => {}
                ContactMode::Slip if size > 0.0 => {
                    let (mu, e) = (system.mu[i], [self.r[at + 1] / size, self.r[at + 2] / size]);
                    let speed = -(e[0] * self.u[at + 1] + e[1] * self.u[at + 2]);
                    push([1.0, mu * e[0], mu * e[1]], normal, 0.0);
                    let across = [0.0, -e[1], e[0]];
                    push(across, across, (speed / size).max(0.0));
                }
                ContactMode::Stick if !self.held[i] => {
                    push(normal, normal, 0.0);
                    for j in (0..system.d).filter(|j| search.basic[base + 1 + j]).take(2) {
                        let [c, s] = system.dirs[i * system.d + j];
                        push([0.0, c, s], [0.0, c, s], 0.0);
                    }
                }
                ContactMode::Stick | ContactMode::Slip => {
                    push(normal, normal, 0.0);
                    push([0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 0.0);
                    push([0.0, 0.0, 1.0], [0.0, 0.0, 1.0], 0.0);
                }
            }
        }
        for (row, index) in system.single_rows() {
            if search.basic[index] && !system.at_cap(index, &search.basic) {
                let unit = [1.0, 0.0, 0.0];
                self.unknowns.push(Unknown { at: row, column: unit, row: unit, compliance: 0.0, width: 1 });
            }
        }
    }

    fn apply_step(&mut self, system: &System) {
        for (unknown, &step) in self.unknowns.iter().zip(&self.rhs) {
            for c in 0..unknown.width {
                self.r[unknown.at + c] += step * unknown.column[c];
            }
        }
        // a force that was turned has left the circle by the second order: put it back
        for i in (0..system.n).filter(|&i| self.modes[i] == ContactMode::Slip) {
            let at = 3 * i;
            let (mu, normal) = (system.mu[i], self.r[at].max(0.0));
            let size = self.r[at + 1].hypot(self.r[at + 2]);
            if size > 0.0 {
                let f = mu * normal / size;
                self.r[at + 1] *= f;
                self.r[at + 2] *= f;
            }
        }
    }
}

/// F = r − P_K(r − u′), K the cone |r_t| ≤ mu r_n.
pub(crate) fn natural_map(mu: f64, r: &[f64], u: &[f64]) -> [f64; 3] {
    let shift = mu * (u[1] * u[1] + u[2] * u[2]).sqrt();
    let p = [r[0] - u[0] - shift, r[1] - u[1], r[2] - u[2]];
    let size = (p[1] * p[1] + p[2] * p[2]).sqrt();
    // the polar cone first: without friction and slip an open contact is in it, and on the line of the other
    let projected = if mu * size <= -p[0] {
        [0.0; 3]
    } else if size <= mu * p[0] {
        p
    } else {
        let normal = (p[0] + mu * size) / (1.0 + mu * mu);
        let f = mu * normal / size;
        [normal, f * p[1], f * p[2]]
    };
    [r[0] - projected[0], r[1] - projected[1], r[2] - projected[2]]
}

#[cfg(test)]
mod tests {
    use super::natural_map;

    #[test]
    fn the_map_vanishes_on_stick_slip_and_open_and_nowhere_near() {
        let size = |f: [f64; 3]| f.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(size(natural_map(0.5, &[1.0, 0.3, 0.2], &[0.0, 0.0, 0.0])) < 1e-15);
        assert!(size(natural_map(0.5, &[1.0, 0.3, 0.4], &[0.0, -0.6, -0.8])) < 1e-15);
        assert!(size(natural_map(0.5, &[0.0, 0.0, 0.0], &[1.0, 3.0, -2.0])) < 1e-15);
        assert!(size(natural_map(0.0, &[0.0, 0.0, 0.0], &[1.0, 0.0, 0.0])) < 1e-15);
        assert!(size(natural_map(0.5, &[1.0, 0.4, 0.3], &[0.0, -0.6, -0.8])) > 0.05);
        assert!(size(natural_map(0.5, &[1.0, 0.6, 0.0], &[0.0, 0.0, 0.0])) > 0.05);
    }
}

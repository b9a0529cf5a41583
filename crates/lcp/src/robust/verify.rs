//! Whether a basis is an answer; the best iterates, and rays.

use super::tree::End;
use super::{Robust, Run};
use crate::measure::{residual_in, row_error};
use crate::observer::{IterateEvent, Observer, Variable};
use crate::outcome::{Proof, SOLVED};
use crate::problem::Lcp;
use crate::tolerances;
use crate::verdict::Dense;

/// A residual above this is not worth asking about: recovery and refinement gain a few digits, not six.
pub(super) const JUDGED: f64 = 1e-4;
/// A residual below this is a rounding of data that do not cancel: nothing is left to refine.
const CRISP: f64 = 1e-13;
/// A basic z at most this, in scaled units where q has size one, is rounding around zero: a hundred units of it, and a
/// hundredth of the narrowest band in which a search calls q′ zero.
const DUST: f64 = 1e-14;
/// Steps of refinement: each takes away all but the condition of the block times 1e-16.
const REFINEMENTS: usize = 4;

impl Robust {
    /// Whether the present basis, which has no z₀, is an answer.
    pub(super) fn verify(&mut self, run: &mut Run<'_, impl Observer>) -> End {
        let (n, k) = (self.q.len(), self.basis.cols().len());
        run.meter.charge(2 * k * k * k + 4 * n * n);
        if !self.basis.factor(&self.m) {
            self.verified = f64::INFINITY;
            return End::Inaccurate;
        }
        self.refresh();
        let mut natural = self.measure(run.lcp);
        self.refined.clone_from(&self.z);
        // rows whose terms cancel show every rounding of z: refine with twice the digits
        for _ in 0..REFINEMENTS {
            if natural <= CRISP || natural > JUDGED {
                break;
            }
            for i in 0..n {
                self.w[i] = self.scaling.w(i, self.w[i]);
            }
            self.basis.correct(&self.w, &mut self.q_now.z);
            let refined = self.measure(run.lcp);
            if refined > 2.0 * natural {
                break;
            }
            natural = refined;
            self.refined.clone_from(&self.z);
        }
        if natural > SOLVED {
            natural = natural.min(self.dusted(run.lcp, natural));
        }
        if natural < JUDGED {
            natural = self.judge(natural, run);
        }
        self.verified = natural;
        self.keep_goal(natural);
        if natural <= SOLVED { End::Solved } else { End::Inaccurate }
    }

    /// Takes the dust off the refined z if it is nearer to an answer without: a contact that carries nothing but rounding has
    /// a cone of rounding too, whose row, held against its own numbers, is violated as a whole.
    fn dusted(&mut self, lcp: &Lcp, natural: f64) -> f64 {
        self.z.clone_from(&self.refined);
        let (d, size) = (self.scaling.d(), self.scaling.size());
        for (z, _) in self.z[..self.bounded].iter_mut().zip(d).filter(|(z, d)| **z <= DUST * size * **d) {
            *z = 0.0;
        }
        lcp.slack(&self.z, &mut self.w);
        let clean = self.natural(lcp);
        if clean < natural {
            self.refined.clone_from(&self.z);
        }
        clean
    }

    /// The residual in the problem that was asked, where it is another.
    fn judge(&mut self, natural: f64, run: &mut Run<'_, impl Observer>) -> f64 {
        let Self { refined, scaling, basis, w, column, .. } = self;
        // the change of z that takes away a residual in the active rows
        let mut correct = |rows: &[f64], dz: &mut Vec<f64>| {
            w.clear();
            w.extend(rows.iter().enumerate().map(|(i, &w)| scaling.w(i, w)));
            column.z.clear();
            column.z.resize(basis.cols().len(), 0.0);
            basis.correct(w, &mut column.z);
            dz.clear();
            dz.resize(rows.len(), 0.0);
            for (&j, &z) in basis.cols().iter().zip(&column.z) {
                if j < rows.len() {
                    dz[j] = scaling.unscale_z(j, z);
                }
            }
        };
        run.judge.natural(refined, &mut correct).unwrap_or(natural)
    }

    /// Shows the present z to the observer, as the answer that it would be.
    pub(super) fn show(&mut self, run: &mut Run<'_, impl Observer>) {
        self.scatter_basic();
        run.lcp.slack(&self.z, &mut self.w);
        let (z, w) = (std::mem::take(&mut self.z), std::mem::take(&mut self.w));
        let mut residual = residual_in(run.lcp, &self.scaling, &mut self.verdict, &z, &w);
        (self.z, self.w) = (z, w);
        if self.bounded < self.q.len() {
            residual.natural = self.natural(run.lcp);
        }
        run.observer.iterate(&IterateEvent { index: run.shown, x: &self.z, w: &self.w, residual });
        run.shown += 1;
    }

    /// Cuts the basic z to z ≥ 0 and measures it.
    fn measure(&mut self, lcp: &Lcp) -> f64 {
        self.scatter_basic();
        lcp.slack(&self.z, &mut self.w);
        self.natural(lcp)
    }

    /// The basic z in the caller's units, cut to z ≥ 0, the others zero.
    fn scatter_basic(&mut self) {
        let n = self.q.len();
        self.z.clear();
        self.z.resize(n, 0.0);
        for (c, &j) in self.basis.cols().iter().enumerate() {
            if j < n {
                let z = if j < self.bounded { self.q_now.z[c].max(0.0) } else { self.q_now.z[c] };
                self.z[j] = self.scaling.unscale_z(j, z);
            }
        }
    }

    /// The residual that decides.
    pub(super) fn natural(&mut self, lcp: &Lcp) -> f64 {
        let bounds = |i: usize| (if i < self.bounded { 0.0 } else { f64::NEG_INFINITY }, f64::INFINITY);
        self.verdict.natural(&Dense::from(lcp), lcp.q(), &self.z, &self.w, bounds)
    }

    /// Keeps the z of a verification if it is the best seen.
    fn keep_goal(&mut self, natural: f64) {
        if natural < self.candidate {
            let n = self.q.len();
            self.candidate = natural;
            self.best_goal.clone_from(&self.refined);
            self.goal_basis.clear();
            self.goal_basis.extend((0..n).map(|j| self.basis.z_is_basic(j)));
        }
    }

    /// Under a budget, remembers the iterate (without z₀) of least energy error [EnzError (21)].
    ///
    /// Dropping z₀ takes c z₀ from every slack; what is basic and negative along the path is rounding. So the
    /// error costs n products in scaled units, where energies are in units of s².
    pub(super) fn keep_best(&mut self) {
        let n = self.q.len();
        let z0 = if self.basis.z_is_basic(n) { self.q_now.z[self.basis.position(n)] } else { 0.0 };
        let cover = &self.m[n * n..];
        let mut energy = 0.0;
        for i in 0..n {
            let basic = if self.basis.w_is_basic(i) { self.q_now.w[i] } else { 0.0 };
            let w = basic - cover[i] * z0;
            let mass = if self.diagonal[i] > 0.0 { self.diagonal[i] } else { 1.0 };
            energy += if i >= self.bounded {
                0.5 * w * w / mass
            } else {
                let z = if self.basis.z_is_basic(i) { self.q_now.z[self.basis.position(i)] } else { 0.0 };
                row_error(z.max(0.0), w, 0.0, f64::INFINITY, mass).energy
            };
        }
        // written so that NaN is not better
        if energy < self.best_energy {
            self.best_energy = energy;
            self.scatter_basic();
            self.best_z.clone_from(&self.z);
        }
    }

    /// The path ends here for ever: the point and the direction, in the units of the caller.
    pub(super) fn record_ray(&mut self, entering: Variable, run: &mut Run<'_, impl Observer>) {
        let n = self.q.len();
        let mut ray = std::mem::take(&mut self.spare_ray);
        for v in [&mut ray.z, &mut ray.dz] {
            v.clear();
            v.resize(n, 0.0);
        }
        (ray.proof, ray.z0, ray.dz0) = (Proof::None, 0.0, 0.0);
        // rounding around zero is not a direction
        let clean = |v: f64| if v.abs() < tolerances::NO_DIRECTION { 0.0 } else { v };
        for (c, &j) in self.basis.cols().iter().enumerate() {
            let (q, d) = (self.q_now.z[c].max(0.0), clean(self.column.z[c]));
            if j == n {
                (ray.z0, ray.dz0) = (q * self.scaling.size(), d * self.scaling.size());
            } else {
                (ray.z[j], ray.dz[j]) = (self.scaling.unscale_z(j, q), self.scaling.unscale_z(j, d));
            }
        }
        if let Variable::Z(j) = entering {
            ray.dz[j] = self.scaling.unscale_z(j, 1.0);
        }
        let cover = &self.m[n * n..];
        ray.cover.clear();
        ray.cover.extend(cover.iter().zip(self.scaling.d()).map(|(c, d)| c / d));
        // free unknowns follow the others: without them this is a ray of the eliminated problem
        if self.bounded < n || ray.violation_in(run.lcp, &mut self.z, &mut self.w) <= tolerances::RAY_SHOWN {
            run.ray = Some(ray);
        } else {
            self.spare_ray = ray;
        }
    }
}

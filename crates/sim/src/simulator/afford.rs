//! What an island of bodies can pay for: lifts out of overlap, and restitution.
//!
//! Overlap is undone by positions, which costs height and makes no motion. It is undone only as far as what the island loses
//! in the step, or half of its motion, pays for; the rest is left to the steps to come.
//!
//! Newton's law and Poisson's are made for one contact. Where several meet, or one body hangs on another, either may give back
//! more than the impact took. As much of it is taken as makes no energy, by one quadratic per island.

use gudgeon_multibody::{LinkId, velocities};
use gudgeon_spatial::Vector3;

use super::Simulator;
use super::guard::Guard;

impl Simulator {
    /// The share of the recovery `moved` that each island can pay for, by group into `share`; `ws` holds the velocities of
    /// `moved`.
    pub(super) fn afford(&mut self, dt: f64, share: &mut [f64]) {
        if self.watched() {
            self.find_islands(|_, c| c.force != Vector3::zeros());
            self.pay(dt, share);
        }
    }

    /// The same for the islands that are known.
    pub(super) fn pay(&mut self, dt: f64, share: &mut [f64]) {
        if !self.watched() {
            return;
        }
        let [mut lift, mut purse, mut kinetic] = std::mem::take(&mut self.guard.sums);
        self.climb(dt, &mut lift);
        if lift.iter().any(|&l| l > 0.0) {
            self.fill_purse(dt, &mut purse, &mut kinetic);
            let Guard { island, placed, active, exempt, .. } = &mut self.guard;
            exempt.fill(false);
            for (group, &at) in island.iter().enumerate() {
                exempt[at] |= placed[group] || active[group];
            }
            for (group, &at) in island.iter().enumerate().filter(|(_, at)| !exempt[**at] && lift[**at] > 0.0)
            {
                let whole = purse[at].max(0.0);
                // a bounce is a flight, and flies as high as its motion takes it
                let flight = !self.bounces.is_empty();
                let most = if flight { whole } else { (whole - kinetic[at]).max(0.5 * whole) };
                if lift[at] > most {
                    share[group] = share[group].min(most / lift[at]);
                }
            }
        }
        self.guard.sums = [lift, purse, kinetic];
    }

    /// What height costs over `dt` at the velocities in `ws`, J by island.
    fn climb(&self, dt: f64, out: &mut [f64]) {
        out.fill(0.0);
        let gravity = self.model.gravity();
        for k in 1..self.model.n_links() {
            let Some(group) = self.layout.groups[k] else { continue };
            let (v, body) = (self.ws.velocity(LinkId(k)), self.ws.inertia(LinkId(k)));
            let rise = -gravity.dot(&(v.linear + v.angular.cross(&body.com)));
            out[self.guard.island[group]] += dt * body.mass * rise;
        }
    }

    /// By island: the energy of motion at the start and what height gives without the recovery, and the energy of motion at
    /// the end.
    fn fill_purse(&mut self, dt: f64, purse: &mut [f64], kinetic: &mut [f64]) {
        let mut v = std::mem::take(&mut self.guard.v);
        for (out, (all, moved)) in v.iter_mut().zip(self.v.moves.iter().zip(&self.v.undone)) {
            *out = all - moved;
        }
        velocities(&self.model, &v, &mut self.ws);
        self.climb(dt, purse);
        for p in purse.iter_mut() {
            *p = -*p;
        }
        for (group, before) in self.guard.before.iter().enumerate() {
            purse[self.guard.island[group]] += before.kinetic;
        }
        self.mass.multiply(&self.model, &self.v.next, &mut v);
        kinetic.fill(0.0);
        for (dof, &group) in self.layout.tree.iter().enumerate() {
            kinetic[self.guard.island[group]] += 0.5 * self.v.next[dof] * v[dof];
        }
        self.guard.v = v;
    }

    /// The largest share s of the restitution, by island, with which the impact does not make energy:
    /// ```text
    ///     v(s) = v₀ + s d,    T(v(s)) ≤ T(v_free),    s ∈ [0, 1]
    /// ```
    /// v₀ is the velocity of the solve without restitution, d what restitution adds. T(v₀) ≤ T(v_free), for contacts then
    /// only stop, so s = 0 will always do; s = 1 is the law itself, and is what comes out wherever the law is consistent.
    /// `stopped` is v₀; d is `v_next` less it. By dof into `share`.
    pub(super) fn share_of_bounce(&mut self, stopped: &[f64], share: &mut Vec<f64>) {
        share.clear();
        share.resize(stopped.len(), 1.0);
        if !self.settings.energy_guard {
            return;
        }
        let [mut square, mut linear, mut constant] = std::mem::take(&mut self.guard.sums);
        for sum in [&mut square, &mut linear, &mut constant] {
            sum.fill(0.0);
        }
        let mut momentum = std::mem::take(&mut self.guard.v);
        let at = |dof: usize| self.guard.island[self.layout.tree[dof]];
        self.mass.multiply(&self.model, &self.v.free, &mut momentum);
        for (dof, (v, p)) in self.v.free.iter().zip(&momentum).enumerate() {
            constant[at(dof)] -= 0.5 * v * p;
        }
        self.mass.multiply(&self.model, stopped, &mut momentum);
        for (dof, (v, p)) in stopped.iter().zip(&momentum).enumerate() {
            constant[at(dof)] += 0.5 * v * p;
            linear[at(dof)] += (self.v.next[dof] - v) * p;
        }
        // n_v, written again by whoever needs it next
        self.v.undone.iter_mut().zip(self.v.next.iter().zip(stopped)).for_each(|(d, (v, v0))| *d = v - v0);
        self.mass.multiply(&self.model, &self.v.undone, &mut momentum);
        for (dof, (d, p)) in self.v.undone.iter().zip(&momentum).enumerate() {
            square[at(dof)] += 0.5 * d * p;
        }
        for (dof, s) in share.iter_mut().enumerate() {
            let k = at(dof);
            *s = largest_share(square[k], linear[k], constant[k]);
        }
        self.guard.v = momentum;
        self.guard.sums = [square, linear, constant];
    }
}

/// The largest s in [0, 1] with a s² + b s + c ≤ 0; c ≤ 0 but for rounding.
fn largest_share(a: f64, b: f64, c: f64) -> f64 {
    if a + b + c <= 0.0 || a <= 0.0 {
        return 1.0;
    }
    let root = (b * b - 4.0 * a * c.min(0.0)).sqrt();
    // the greater root, without the difference of near numbers
    let s = if b > 0.0 { -2.0 * c.min(0.0) / (b + root) } else { (root - b) / (2.0 * a) };
    s.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::largest_share;

    #[test]
    fn the_largest_share_is_a_root_or_the_whole() {
        for (a, b, c) in [(1.0, 0.5, -1.0), (2.0, -1.0, -0.5), (1.0, 3.0, 0.0), (1e-12, 1.0, -0.25)] {
            let s = largest_share(a, b, c);
            assert!((0.0..=1.0).contains(&s));
            assert!(a * s * s + b * s + c <= 1e-15, "{a} {b} {c}: {s}");
            let more = s + 1e-6;
            assert!(s == 1.0 || a * more * more + b * more + c > 0.0, "{a} {b} {c}: {s} is not the largest");
        }
        assert_eq!(largest_share(1.0, -3.0, 0.0), 1.0);
    }
}

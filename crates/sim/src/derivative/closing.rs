//! Contacts that close at once, along a direction: which of them meet is decided by what the direction does to their gaps.
//!
//! Four balls of a foot say three things. While they close together all of them push; as soon as a direction brings one nearer than the others one of
//! them stays open, and which one, the loads decide: b_c = Σ α_i b_i with the rate e of c where the others meet,
//! ```text
//!     e < 0     λ_c + t, λ_i − t α_i        c meets as well, and the first load that is zero opens
//!     e > 0     λ_c − t, λ_i + t α_i        the same; it may be c
//! ```
//! What opens hands its friction on to the others. Loads of contacts that stick may be moved without a motion; where one slides the step jumps, and has no
//! derivative.

use gudgeon_contact::Held;
use gudgeon_spatial::{Motion, Vector3};

use super::directional::{AmbiguousKind, ZERO};
use super::exchange::{MOST, SUM};
use super::linear::Linearization;
use super::products::{Change, site};
use super::support::LinearizeError;

const ROUND: LinearizeError = LinearizeError::Unsupported {
    what: "contacts that close at once and come round again along this direction",
};

fn pressed(h: &Held) -> f64 {
    h.impulse.dot(&h.normal)
}

impl Linearization {
    /// Whether contacts that push may contradict each other along a direction.
    pub(super) fn is_over_held(&self) -> bool {
        self.contact.may_contradict()
    }

    /// Open contacts without speed whose rows are sums of those that push: out of the pairs, for loads decide on them.
    pub(super) fn take_idle(&mut self) -> Vec<(usize, Held)> {
        let mut idle = Vec::new();
        if !self.contact.active {
            return idle;
        }
        let mut ambiguous = std::mem::take(&mut self.ambiguous);
        ambiguous.retain(|a| match a.kind {
            AmbiguousKind::Grazing(law) if !a.on => {
                let is_sum = self.contact.express(&self.passive, &self.ws, &law) < SUM;
                if is_sum {
                    idle.push((a.contact, law));
                }
                !is_sum
            }
            _ => true,
        });
        self.ambiguous = ambiguous;
        idle
    }

    /// The product along a direction, with the contacts that meet on its side.
    pub(super) fn close(
        &mut self,
        mut idle: Vec<(usize, Held)>,
        change: &Change<'_>,
        q_out: &mut [f64],
        v_out: &mut [f64],
    ) -> Result<(), LinearizeError> {
        if idle.is_empty() && !self.is_over_held() {
            return Ok(());
        }
        let mut held = self.trial.clone();
        for _ in 0..MOST {
            self.build_first(&held)?;
            self.jvp(change, q_out, v_out);
            let rates = self.gap_rates(held.iter().chain(&idle), change, &self.v_first, self.first_change());
            let (of_held, of_idle) = rates.split_at(held.len());
            if let Some(k) = of_idle.iter().position(|rate| *rate < -ZERO) {
                let entering = idle.remove(k);
                self.give_way(&mut held, &mut idle, entering, 1.0)?;
            } else if let Some(k) = of_held.iter().position(|rate| rate.abs() > ZERO) {
                let unmet = held.remove(k);
                self.give_way(&mut held, &mut idle, unmet, -of_held[k].signum())?;
            } else {
                return Ok(());
            }
        }
        Err(ROUND)
    }

    /// How fast gaps open besides what their laws ask for, of the fastest change: at velocities `v` that change by `dv`.
    pub(super) fn gap_rates<'h>(
        &self,
        contacts: impl Iterator<Item = &'h (usize, Held)>,
        change: &Change<'_>,
        v: &[f64],
        dv: &[f64],
    ) -> Vec<f64> {
        let zero = vec![0.0; self.n_v()];
        let dq = if change.q.is_empty() { &zero[..] } else { change.q };
        let (mut moved, mut varied, mut spread, mut field) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.fields.spread(&self.model, dq, &mut moved);
        self.fields.vary(&self.model, v, &moved, &mut varied);
        self.fields.spread(&self.model, dv, &mut spread);
        self.fields.spread(&self.model, v, &mut field);
        let mut speed = dv.iter().chain(self.free_change()).fold(0.0_f64, |m, x| m.max(x.abs()));
        let rates: Vec<f64> = contacts
            .map(|(place, h)| {
                let s = &self.sites[*place];
                let (dp, dn, dgap) = site(s).jvp(&self.fields, &moved, self.shape_changes().get(*place));
                let between = |f: &[Motion]| {
                    self.fields.at(h.a, f[h.a], &h.point) - self.fields.at(h.b, f[h.b], &h.point)
                };
                let turn = field[h.a].angular - field[h.b].angular;
                let du = between(&varied) + between(&spread) + turn.cross(&dp);
                speed = speed.max((h.stiffness * dgap).abs());
                let rate = dn.dot(&between(&field)) + h.normal.dot(&du) + h.stiffness * dgap;
                // what gives way has its own law
                if h.compliance > 0.0 { 0.0 } else { rate }
            })
            .collect();
        rates.into_iter().map(|rate| rate / speed.max(f64::MIN_POSITIVE)).collect()
    }

    /// Moves load onto `own` (`sign` 1) or off it (-1), from or to the contacts that make it up, until one has none: that one opens. What is no sum of
    /// the others just meets.
    fn give_way(
        &mut self,
        held: &mut Vec<(usize, Held)>,
        idle: &mut Vec<(usize, Held)>,
        mut own: (usize, Held),
        sign: f64,
    ) -> Result<(), LinearizeError> {
        let Some(shares) = self.shares_of(held, &own.1, own.1.normal)? else {
            held.push(own);
            held.sort_unstable_by_key(|(i, _)| *i);
            return Ok(());
        };
        let mut first = (sign < 0.0).then(|| (pressed(&own.1), None));
        for (k, ((_, h), share)) in held.iter().zip(&shares).enumerate() {
            let taken = sign * share.dot(&h.normal);
            if taken > SUM && first.is_none_or(|(t, _)| pressed(h) < t * taken) {
                first = Some((pressed(h) / taken, Some(k)));
            }
        }
        let (t, leaving) = first.ok_or(ROUND)?;
        for ((_, h), share) in held.iter_mut().zip(&shares) {
            h.impulse -= share * (sign * t);
        }
        own.1.impulse += own.1.normal * (sign * t);
        let mut gone = own;
        if let Some(k) = leaving {
            std::mem::swap(&mut held[k], &mut gone);
            held.sort_unstable_by_key(|(i, _)| *i);
        }
        let rest = gone.1.impulse;
        if rest.norm() > SUM * t {
            let axis = rest.normalize();
            let shares = self.shares_of(held, &gone.1, axis)?.ok_or(ROUND)?;
            for ((_, h), share) in held.iter_mut().zip(&shares) {
                h.impulse += share * rest.norm();
            }
        }
        gone.1.impulse.fill(0.0);
        idle.push(gone);
        Ok(())
    }

    /// A unit impulse at a contact along `axis` as a sum of impulses of those that are held, where it is one; an error if one of these slides.
    fn shares_of(
        &mut self,
        held: &[(usize, Held)],
        at: &Held,
        axis: Vector3<f64>,
    ) -> Result<Option<Vec<Vector3<f64>>>, LinearizeError> {
        self.build_first(held)?;
        if self.contact.express(&self.passive, &self.ws, &Held { normal: axis, ..*at }) >= SUM {
            return Ok(None);
        }
        let mut shares = Vec::with_capacity(held.len());
        for (place, _) in held {
            let (share, slides) = self.contact.impulse_share(*place).unwrap_or_default();
            if slides && share.norm() > SUM {
                return Err(LinearizeError::Unsupported { what: "loads that jump where contacts slide" });
            }
            shares.push(share);
        }
        Ok(Some(shares))
    }
}

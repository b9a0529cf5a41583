//! Moments that resist spinning about the normal of a contact, and rolling over it.
//!
//! ```text
//!     |τ_n| ≤ γ n,    τ_n opposes ω_n          torsion: a bounded row
//!     ‖τ_t‖ ≤ ρ n,    τ_t opposes ω_t          rolling: a disc
//! ```
//! Both follow Coulomb's pattern with the relative angular velocity in place of the slip: what turns meets the whole
//! bound, what does not turn is held by whatever is within it. The bounds are those of the contact's own n, which the
//! solver finds; here it is held at a given value N, and whoever solves repeats until the answer obeys its own n
//! ([`Assembly::disagreement`], [`Assembly::foretold`], [`Assembly::take_normals`]):
//! ```text
//!     |τ| = γ N   →   γ N = γ n wanted               at the bound: it must be the right one
//!     |τ| < γ N   →   |τ| ≤ γ n wanted               within: any bound that is not passed would have done
//! ```
//!
//! A disc of fixed radius R = ρ N is a cone whose normal impulse is known: its normal row acts on a mass of its own that
//! comes at it with just R,
//! ```text
//!     u_n = s² (x - R),   0 ≤ u_n ⊥ x ≥ 0   →   x = R,      ‖τ_t‖ ≤ x
//! ```
//! so that no solver needs to know of discs. s² is the diagonal of W of the two rows, so that the three share their scale.
//!
//! | symbol | meaning |
//! |---|---|
//! | n | normal impulse, N s; N its value of the round before |
//! | γ, ρ | coefficients of torsion and rolling, m |
//! | τ_n, τ_t | impulsive moments about the normal and across it, N m s |
//! | ω_n, ω_t | relative angular velocity, likewise, rad/s |
//!
//! Departure: MuJoCo bounds sliding, torsion and rolling together by one ellipsoid; here each has its own bound, so that a ball that
//! slides does not spin the more freely.

use gudgeon_lcp::{ContactMode, FactoredForm, FactoredRow, FrictionSolution};
use gudgeon_multibody::{Model, Workspace};
use gudgeon_spatial::{Force, Vector3};

use super::{Assembly, RowList, Touch};
use crate::agree::{AT_BOUND, Agreement, Does, Ends, MOST_ROWS};
use crate::law::Law;

/// Coefficients of a contact, m.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Resistance {
    /// Against spinning about the normal: γ.
    pub torsion: f64,
    /// Against rolling: ρ.
    pub rolling: f64,
}

/// A moment and the contact whose normal impulse bounds it.
#[derive(Debug, Clone, Copy)]
struct Bound {
    contact: usize,
    coefficient: f64,
    /// N s: what n is taken for.
    normal: f64,
}

impl Bound {
    /// How far a moment of size `moment` is from the law under the answer's own normal impulse, N m s; what `turns` wants
    /// the whole bound.
    fn off(&self, moment: f64, normal: f64, turns: bool) -> f64 {
        let (taken, own) = (self.coefficient * self.normal, self.coefficient * normal);
        let within = !turns && moment < (1.0 - AT_BOUND) * taken && moment <= (1.0 - AT_BOUND) * own;
        if within { 0.0 } else { (taken - own).abs() }
    }
}

/// Rows of moments; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moments {
    spins: Vec<Bound>, // bounded rows behind those of a given friction
    discs: Vec<Bound>,
    pub(crate) rolling: RowList, // two rows for each disc
}

impl Moments {
    pub(crate) fn clear(&mut self) {
        self.spins.clear();
        self.discs.clear();
        self.rolling.clear();
    }

    pub(crate) fn n_spins(&self) -> usize {
        self.spins.len()
    }

    pub(crate) fn n_discs(&self) -> usize {
        self.discs.len()
    }

    fn rows_of<'a>(&'a self, disc: usize, velocity: &[f64]) -> [FactoredRow<'a>; 2] {
        [2 * disc, 2 * disc + 1].map(|k| self.rolling.factored(k, velocity))
    }

    /// The normal of a disc that nothing presses: any size will do for a row that holds nothing, that of what turns is at hand.
    fn idle(&self, disc: usize, velocity: &[f64]) -> f64 {
        let rows = self.rows_of(disc, velocity);
        rows.iter().fold(0.0_f64, |m, r| m.max(r.velocity.abs())) / scale(&rows)
    }

    /// The discs as contacts of the problem, with masses of their own from `width` on; `friction` is a factor.
    pub(crate) fn fill(&self, form: &mut FactoredForm, width: usize, velocity: &[f64], friction: f64) {
        for (j, disc) in self.discs.iter().enumerate() {
            let rows = self.rows_of(j, velocity);
            let w = scale(&rows);
            let radius = disc.coefficient * disc.normal;
            let (mu, x) = if radius > 0.0 { (friction, radius) } else { (0.0, self.idle(j, velocity)) };
            let (index, value) = ([width + j], [w.sqrt()]);
            let normal = FactoredRow { index: &index, value: &value, velocity: -w * x, compliance: 0.0 };
            form.contact(mu, [normal, rows[0], rows[1]]);
        }
    }
}

/// s² of the rows of a disc.
fn scale(rows: &[FactoredRow<'_>; 2]) -> f64 {
    let square = |row: &FactoredRow<'_>| row.value.iter().map(|a| a * a).sum::<f64>();
    let w = square(&rows[0]).max(square(&rows[1]));
    if w > 0.0 { w } else { 1.0 }
}

impl Assembly {
    /// Adds the moments of a contact that was pushed; `normal` is what its normal impulse is taken for, N s. Wants all
    /// contacts pushed, and no bounded row but theirs.
    pub fn push_moments(
        &mut self,
        model: &Model,
        ws: &Workspace,
        contact: usize,
        touch: &Touch,
        resistance: &Resistance,
        normal: f64,
    ) {
        let Touch { a, b, point, normal: n, id, .. } = *touch;
        let moment = |axis: Vector3<f64>| Force::new(axis, Vector3::zeros());
        if resistance.torsion > 0.0 {
            let coefficient = resistance.torsion;
            self.moments.spins.push(Bound { contact, coefficient, normal });
            self.bounded.rows.push_between(model, ws, b, a, &point, moment(n));
            self.bounded.laws.push(Law::default());
            self.bounded.ids.push(!(id.rotate_left(9) ^ 5));
            self.bounds.push((-coefficient * normal, coefficient * normal));
        }
        if resistance.rolling > 0.0 {
            self.moments.discs.push(Bound { contact, coefficient: resistance.rolling, normal });
            for axis in self.section().tangents(&n) {
                self.moments.rolling.rows.push_between(model, ws, b, a, &point, moment(axis));
                self.moments.rolling.laws.push(Law::default());
            }
            self.contacts.ids.push(!(id.rotate_left(17) ^ 7));
        }
    }

    /// Whether some contact resists turning.
    pub fn has_moments(&self) -> bool {
        !(self.moments.spins.is_empty() && self.moments.discs.is_empty())
    }

    /// The contact whose normal impulse bounds each moment, and the coefficient; torsion first.
    pub(crate) fn bounds_of_moments(&self) -> impl Iterator<Item = (usize, f64)> {
        self.moments.spins.iter().chain(&self.moments.discs).map(|m| (m.contact, m.coefficient))
    }

    /// What the normal impulses are taken for, N s: one for each moment, torsion first.
    pub fn taken_normals(&self) -> impl Iterator<Item = f64> {
        self.moments.spins.iter().chain(&self.moments.discs).map(|m| m.normal)
    }

    /// The normal impulses of an answer, likewise.
    pub fn own_normals<'a>(&'a self, impulses: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let all = self.moments.spins.iter().chain(&self.moments.discs);
        all.map(|m| impulses[3 * m.contact].max(0.0))
    }

    /// Takes these for the normal impulses, in the order of [`Self::taken_normals`].
    pub fn take_normals(&mut self, normals: &[f64]) {
        let first = self.given;
        let spins = self.moments.n_spins();
        for (k, (spin, n)) in self.moments.spins.iter_mut().zip(normals).enumerate() {
            spin.normal = *n;
            let most = spin.coefficient * spin.normal;
            self.bounds[first + k] = (-most, most);
        }
        for (disc, n) in self.moments.discs.iter_mut().zip(&normals[spins..]) {
            disc.normal = *n;
        }
    }

    /// How far the bounds of the moments are from those that the answer's own normal impulses give, where it matters: the
    /// largest difference against the largest impulse, both in the unit √J of their rows; 0 if there are no moments.
    pub fn disagreement(&self, answer: &FrictionSolution) -> f64 {
        if !self.has_moments() {
            return 0.0;
        }
        let impulses = &answer.impulses;
        let unit = |kind: &RowList, k: usize| kind.row(k).value.iter().map(|a| a * a).sum::<f64>().sqrt();
        let (mut off, mut most) = (0.0_f64, 0.0_f64);
        let mut see = |bound: &Bound, moment: f64, turns: bool, unit: f64| {
            off = off.max(bound.off(moment, impulses[3 * bound.contact].max(0.0), turns) * unit);
        };
        let (bounded, first) = self.moment_rows(impulses);
        for (k, spin) in self.moments.spins.iter().enumerate() {
            see(spin, impulses[bounded + k].abs(), false, unit(&self.bounded, self.given + k));
        }
        for (j, disc) in self.moments.discs.iter().enumerate() {
            let rolling = &self.moments.rolling;
            let moment = impulses[first + 3 * j + 1].hypot(impulses[first + 3 * j + 2]);
            let turns = answer.contacts[self.n_contacts() + j].mode != ContactMode::Stick;
            see(disc, moment, turns, unit(rolling, 2 * j).max(unit(rolling, 2 * j + 1)));
        }
        for i in 0..self.n_contacts() {
            most = most.max(impulses[3 * i].abs() * unit(&self.contacts, 3 * i));
        }
        if off == 0.0 { 0.0 } else { off / most.max(off) }
    }

    /// Cuts moments to what the normal impulses beside them allow.
    pub fn cut_moments(&self, impulses: &mut [f64]) {
        let (bounded, first) = self.moment_rows(impulses);
        let most = |bound: &Bound, impulses: &[f64]| bound.coefficient * impulses[3 * bound.contact].max(0.0);
        for (k, spin) in self.moments.spins.iter().enumerate() {
            let most = most(spin, impulses);
            impulses[bounded + k] = impulses[bounded + k].clamp(-most, most);
        }
        for (j, disc) in self.moments.discs.iter().enumerate() {
            let (most, at) = (most(disc, impulses), first + 3 * j + 1);
            let moment = impulses[at].hypot(impulses[at + 1]);
            if moment > most {
                impulses[at..at + 2].iter_mut().for_each(|m| *m *= most / moment);
            }
        }
    }

    /// Where the impulses of torsion begin, and those of the discs.
    fn moment_rows(&self, impulses: &[f64]) -> (usize, usize) {
        (impulses.len() - self.bounds.len() + self.given, 3 * self.n_contacts())
    }

    /// The moments of an answer on the links a of the contacts, N m s: each with its contact, along `n`, t1 and t2 of it.
    pub fn moments(&self, impulses: &[f64], mut each: impl FnMut(usize, [f64; 3])) {
        let (bounded, first) = self.moment_rows(impulses);
        for (k, spin) in self.moments.spins.iter().enumerate() {
            each(spin.contact, [impulses[bounded + k], 0.0, 0.0]);
        }
        for (j, disc) in self.moments.discs.iter().enumerate() {
            each(disc.contact, [0.0, impulses[first + 3 * j + 1], impulses[first + 3 * j + 2]]);
        }
    }
}

impl Assembly {
    /// The impulses under which moments and normal impulses agree, foretold from an answer under others, in the order of the
    /// answer's, and whether they do to rounding. None where rows are many or there is no way on. In haste they are looked for only until
    /// they are near, and one step on.
    pub fn foretold(
        &mut self,
        width: usize,
        answer: &FrictionSolution,
        haste: bool,
    ) -> Option<(Vec<f64>, bool)> {
        let mut agreement = std::mem::take(&mut self.agreement);
        let found = self.foretell(width, answer, haste, &mut agreement);
        self.agreement = agreement;
        found
    }

    fn foretell(
        &self,
        width: usize,
        answer: &FrictionSolution,
        haste: bool,
        to: &mut Agreement,
    ) -> Option<(Vec<f64>, bool)> {
        let x = &answer.impulses;
        to.clear(width);
        self.rows_in_order(|at, kind, k| to.act(&kind.row(k), x[at]));
        self.push_active(answer, to);
        let ends = to.solve(haste);
        if ends == Ends::Nowhere {
            return None;
        }
        let mut found = x.clone();
        to.put(&mut found);
        self.fit_moments(&mut found);
        Some((found, ends == Ends::Agreed))
    }

    /// Moments beyond their bounds onto them, and the normals of the discs at what holds them, to the last bit.
    fn fit_moments(&self, impulses: &mut [f64]) {
        let (bounded, first) = self.moment_rows(impulses);
        let own = |impulses: &[f64], bound: &Bound| bound.coefficient * impulses[3 * bound.contact].max(0.0);
        for (k, spin) in self.moments.spins.iter().enumerate() {
            let most = own(impulses, spin);
            impulses[bounded + k] = impulses[bounded + k].clamp(-most, most);
        }
        for (j, disc) in self.moments.discs.iter().enumerate() {
            let (at, most) = (first + 3 * j, own(impulses, disc));
            let size = impulses[at + 1].hypot(impulses[at + 2]);
            if size > most {
                impulses[at + 1..at + 3].iter_mut().for_each(|x| *x *= most / size);
            }
            impulses[at] = if most > 0.0 { most } else { self.moments.idle(j, &self.velocity[3]) };
        }
    }

    /// The rows that push, from an answer; all of them where they are few.
    fn push_active(&self, answer: &FrictionSolution, to: &mut Agreement) {
        let few = answer.impulses.len() <= MOST_ROWS;
        let (x, velocity) = (&answer.impulses, &self.velocity);
        let press = Does::Within { lo: 0.0, hi: f64::INFINITY };
        for (i, contact) in answer.contacts.iter().take(self.n_contacts()).enumerate() {
            let pushes = contact.mode != ContactMode::Open && x[3 * i] > 0.0;
            let normal = to.contact(pushes || few);
            if normal.is_none() {
                continue;
            }
            let at = |k: usize| (3 * i + k, x[3 * i + k]);
            to.push(&self.contacts.factored(3 * i, &velocity[0]), at(0), press, pushes);
            let coefficient = self.friction[i];
            if coefficient <= 0.0 {
                continue;
            }
            let rests = contact.mode == ContactMode::Stick;
            let rubs = Does::Rubs { rows: 2, normal, coefficient };
            for (k, does) in [(1, rubs), (2, Does::Follows)] {
                to.push(&self.contacts.factored(3 * i + k, &velocity[0]), at(k), does, rests);
            }
        }
        let spins = self.moments.n_spins();
        let (limits, discs) = (self.first_limit(), 3 * self.n_contacts());
        for (j, (contact, coefficient)) in self.bounds_of_moments().skip(spins).enumerate() {
            let rubs = Does::Rubs { rows: 2, normal: to.normal(contact), coefficient };
            let rests = answer.contacts[self.n_contacts() + j].mode == ContactMode::Stick;
            for (k, does) in [rubs, Does::Follows].into_iter().enumerate() {
                let at = discs + 3 * j + 1 + k;
                to.push(&self.moments.rolling.factored(2 * j + k, &velocity[3]), (at, x[at]), does, rests);
            }
        }
        let n_limits = self.unilateral.laws.len();
        for at in (limits..limits + n_limits).filter(|at| few || x[*at] > 0.0) {
            let row = self.unilateral.factored(at - limits, &velocity[1]);
            to.push(&row, (at, x[at]), press, x[at] > 0.0);
        }
        let mut bounds_of_spins = self.bounds_of_moments();
        for (k, &(lo, hi)) in self.bounds.iter().enumerate() {
            let at = limits + n_limits + k;
            let (does, rests) = if (self.given..self.given + spins).contains(&k) {
                let (contact, coefficient) = bounds_of_spins.next().expect("one for each");
                let rests = x[at].abs() < (1.0 - AT_BOUND) * hi;
                (Does::Rubs { rows: 1, normal: to.normal(contact), coefficient }, rests)
            } else {
                (Does::Within { lo, hi }, lo < x[at] && x[at] < hi)
            };
            to.push(&self.bounded.factored(k, &velocity[2]), (at, x[at]), does, rests);
        }
    }
}

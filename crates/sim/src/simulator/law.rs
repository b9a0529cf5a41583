//! What a contact's law has beyond one cone: belts, friction of rest and of sliding, torsion and rolling.
//!
//! ```text
//!     belt       slip = t·(v_a + s_a - v_b - s_b)              a bias of the tangential rows
//!     two μ      at rest: |f_t| ≤ μ n; else μ_k n              at rest is what slips by less than [`AT_REST`] at the start
//!     moments    |τ_n| ≤ γ n, ‖τ_t‖ ≤ ρ n                      see `gudgeon_contact`'s moments
//! ```
//! The last two are solved in rounds, each a problem that the solver knows: with the friction of rest for what rests, then
//! with that of sliding for what did not hold, until all that is taken for resting rests; with the bounds of moments from
//! normal impulses that Newton's method foretells from the round before, until they agree to [`AGREED`]; where that does not
//! help, from those of the round before, whole and then a part of the way, then by Anderson's mixing of the rounds ([`Mixing`]), then
//! from cold starts: a warm one ends where it is within the tolerance of a solve, and bounds that move by less than that never settle. Of rounds
//! that never settle the best is the answer, if it is within the verdict. Contacts only
//! ever change from rest to sliding, so the first kind ends. Where the second does not, the answer counts as not solved, by
//! the same measure as any other. Without such surfaces there is one round, and nothing here is done.

use gudgeon_contact::{Resistance, Touch};
use gudgeon_lcp::{
    ConeShape, ContactMode, FrictionSolution, ProblemError, Residual, SOLVED, Status, answer_of,
    contact_residual, judged_answer,
};
use gudgeon_multibody::point_velocity;
use gudgeon_spatial::Vector3;

use super::Simulator;
use super::bounce::add;
use super::touch::last_normal;
use crate::contact_info::ContactInfo;
use crate::report::{Fallback, SolveReport};
use crate::settings::{Facets, FrictionLaw};
use crate::tolerances::SAME_ROUNDS;

/// What slips by less is at rest, m/s: a thousandfold of what a solved step leaves of slip.
const AT_REST: f64 = 1e-6;

/// Part of the largest impulse by which bounds of moments may be off: some thousand roundings, a thousandth of [`SOLVED`].
const AGREED: f64 = 1e-12;

/// What the best round may be off where none agrees: a little less than a verdict allows.
const ENOUGH: f64 = 0.9 * SOLVED;

/// What impulses foretold may be off their whole law and be the answer without another solve: a hundredth of a verdict.
const SURE: f64 = 0.01 * SOLVED;

/// Rounds until moments have to agree. A round brings the lever of the moments against that of the contacts; with a
/// coefficient of a tenth of the body that is a decimal.
const ROUNDS: usize = 60;

/// Rounds from which an answer is foretold: where none of so many starts leads to one, the next will not either.
const TOLD: usize = 16;

/// Part of the round before that a foretold one may be off at most, or none is foretold any more.
const NEARER: f64 = 0.1;

/// Rounds before they are mixed: most agree sooner.
const PATIENT: usize = 4;

/// Rounds after these that go a part of the way, which is [`SHORTER`] after every round that is further off: where pressing harder
/// lets a wheel turn, which unloads it, whole rounds go to and fro between two modes.
const SLOW: usize = 12;
const SHORTER: f64 = 0.5;

/// Rounds that are mixed at most.
const MIXED: usize = 6;

/// Rounds from warm starts: cold ones cost more, and may fail where a warm one does not.
const WARM: usize = 30;

/// Rounds from cold starts before they are mixed too.
const COLD: usize = 15;

/// Anderson's mixing: the fixed point of N → n(N) from the rounds before,
/// ```text
///     f_k = n(N_k) − N_k,   θ = argmin |f_k − Σ θ_i (f_k − f_i)|,   N ← N_k + f_k − Σ θ_i ((N_k + f_k) − (N_i + f_i))
/// ```
/// kept at or above zero, and within twice the largest of either, where rounds that nearly repeat would lead away.
#[derive(Debug, Default)]
struct Mixing {
    rounds: Vec<(Vec<f64>, Vec<f64>)>, // N, n
}

impl Mixing {
    fn next(&mut self, taken: Vec<f64>, own: Vec<f64>) -> Vec<f64> {
        let most = taken.iter().chain(&own).fold(0.0_f64, |m, x| m.max(*x));
        let size = own.len();
        let f = |(x, y): &(Vec<f64>, Vec<f64>)| nalgebra::DVector::from_fn(size, |k, _| y[k] - x[k]);
        let now = (taken, own);
        let last = f(&now);
        let count = self.rounds.len();
        if count == 0 {
            let own = now.1.clone();
            self.rounds.push(now);
            return own;
        }
        let apart = nalgebra::DMatrix::from_fn(size, count, |k, i| {
            last[k] - (self.rounds[i].1[k] - self.rounds[i].0[k])
        });
        let theta = apart
            .svd(true, true)
            .solve(&last, SAME_ROUNDS * most)
            .unwrap_or_else(|_| nalgebra::DVector::zeros(count));
        let next = (0..size)
            .map(|k| {
                let mixed: f64 = (0..count).map(|i| theta[i] * (now.1[k] - self.rounds[i].1[k])).sum();
                (now.1[k] - mixed).clamp(0.0, 2.0 * most)
            })
            .collect();
        if count == MIXED {
            self.rounds.remove(0);
        }
        self.rounds.push(now);
        next
    }
}

/// A round whose moments agree within the verdict.
#[derive(Debug, Clone)]
struct Kept {
    off: f64,
    normals: Vec<f64>,
    solution: FrictionSolution,
    residual: Residual,
    fallback: Fallback,
}

/// What friction is taken from besides its coefficient.
#[derive(Debug, Clone, Default)]
pub(super) struct Rubbing {
    /// Contacts that have the friction of sliding in this step.
    yielded: Vec<usize>,
    /// By contact id: normal forces of the step before, N; for friction that follows them.
    pub(super) last_normals: Vec<(u64, f64)>,
}

/// Whether a contact has torsion or rolling friction.
pub(super) fn resists_turning(c: &ContactInfo) -> bool {
    c.material.torsion > 0.0 || c.material.rolling > 0.0
}

impl Simulator {
    /// Whether a surface of the contact runs by itself.
    pub(super) fn runs(&self, c: &ContactInfo) -> bool {
        !self.surfaces.belts.is_empty() && self.belt_velocity(c) != Vector3::zeros()
    }

    /// What of the contacts of this step is more than one cone at rest, if anything.
    pub(crate) fn beyond_one_cone(&self) -> Option<&'static str> {
        let any = |is: &dyn Fn(&ContactInfo) -> bool| self.contacts.iter().any(is);
        if any(&resists_turning) {
            return Some("torsional and rolling friction");
        }
        if any(&|c| c.material.kinetic.is_some()) {
            return Some("friction of rest and of sliding as two numbers");
        }
        any(&|c| self.runs(c)).then_some("surfaces that run")
    }

    /// How the surface of a runs against that of b, world axes, m/s.
    fn belt_velocity(&self, c: &ContactInfo) -> Vector3<f64> {
        let own = |link, collider: usize| self.ws.pose(link).rotation * self.surfaces.belts[collider];
        own(c.a, c.colliders.0) - own(c.b, c.colliders.1)
    }

    /// How surfaces slip at the start of the step, m/s.
    fn slip_before(&self, c: &ContactInfo) -> f64 {
        let at = |link| point_velocity(&self.ws, link, &c.point);
        let mut v = at(c.a) - at(c.b);
        if !self.surfaces.belts.is_empty() {
            v += self.belt_velocity(c);
        }
        (v - c.normal * c.normal.dot(&v)).norm()
    }

    /// What contacts have besides their rows; wants all of them pushed, and nothing behind them.
    pub(super) fn assemble_law(&mut self, dt: f64) {
        if !self.surfaces.belts.is_empty() {
            for k in 0..self.contacts.len() {
                let c = &self.contacts[k];
                let velocity = self.belt_velocity(c);
                self.assembly.set_surface_velocity(k, &c.normal, &velocity);
            }
        }
        self.rubbing.yielded.clear();
        for k in 0..self.contacts.len() {
            let c = &self.contacts[k];
            let Some(kinetic) = c.material.kinetic else { continue };
            if self.slip_before(c) > AT_REST {
                self.assembly.set_friction(k, kinetic);
                self.rubbing.yielded.push(k);
            }
        }
        for (k, c) in self.contacts.iter().enumerate().filter(|(_, c)| resists_turning(c)) {
            let ContactInfo { a, b, point, normal, id, material, .. } = *c;
            let touch = Touch { a, b, point, normal, id, friction: material.friction };
            let resistance = Resistance { torsion: material.torsion, rolling: material.rolling };
            let pressed = dt * last_normal(&self.rubbing.last_normals, id);
            self.assembly.push_moments(&self.model, &self.ws, k, &touch, &resistance, pressed);
        }
    }

    /// Solves the rows under the whole law; the answer is in the ladder.
    pub(super) fn solve_law(&mut self) -> Result<SolveReport, ProblemError> {
        let width = self.model.n_v();
        let mut report = self.ladder.solve(&mut self.assembly, width, &self.settings)?;
        let two = self.contacts.iter().any(|c| c.material.kinetic.is_some());
        if !two && !self.assembly.has_moments() {
            return Ok(report);
        }
        let mut mixing = Mixing::default();
        let (mut telling, mut before, mut plain, mut share) = (true, f64::INFINITY, 0, 1.0);
        let mut kept: Option<Kept> = None;
        for round in 0.. {
            let slipped = two && self.yields();
            let off = self.assembly.disagreement(&self.ladder.solution);
            if !slipped && off <= AGREED {
                // rounding of a heavy contact may still be some of a light one's bound
                self.assembly.cut_moments(&mut self.ladder.solution.impulses);
                break;
            }
            kept = kept.filter(|_| !slipped);
            let nearest = kept.as_ref().map_or(ENOUGH, |k| k.off);
            if !slipped && off < nearest && report.status == Status::Solved {
                let normals = self.assembly.taken_normals().collect();
                let SolveReport { residual, fallback, .. } = report;
                let solution = self.ladder.solution.clone();
                kept = Some(Kept { off, normals, solution, residual, fallback });
            }
            let told = if slipped || round >= TOLD { None } else { self.foretell(width)? };
            let nearest = kept.as_ref().map_or(ENOUGH, |k| k.off);
            // impulses foretold keep every bound to the bit; a round keeps it to a part of the largest impulse of the scene
            let sure = told.as_ref().is_some_and(|told| told.off <= SURE);
            if let Some(told) = told.as_ref().filter(|told| sure || told.off < nearest) {
                kept = Some(told.clone());
            }
            if sure || report.status != Status::Solved || round >= ROUNDS + self.contacts.len() {
                // the best of the rounds, if it is within the verdict: where normal forces are hardly determined, rounding is all that moves
                if let Some(best) = kept.take() {
                    self.take_round(best, width, &mut report)?;
                    break;
                }
                report.residual.natural = report.residual.natural.max(off);
                if slipped || (off > SOLVED && report.status == Status::Solved) {
                    report.status = Status::Inaccurate;
                }
                break;
            }
            let own: Vec<f64> = self.assembly.own_normals(&self.ladder.solution.impulses).collect();
            let cold = round >= WARM;
            telling &= off <= NEARER * before;
            share = if off > before { share * SHORTER } else { share };
            before = off;
            let normals = if let Some(told) = told.filter(|_| telling) {
                plain = round + 1;
                told.normals
            } else if round < plain + PATIENT + SLOW || (cold && round < WARM + COLD) {
                mixing.rounds.clear();
                if round < plain + PATIENT || round == WARM {
                    share = 1.0;
                }
                self.part_of_the_way(own, share)
            } else {
                let taken = self.assembly.taken_normals().collect();
                mixing.next(taken, own)
            };
            self.assembly.take_normals(&normals);
            if cold {
                self.ladder.forget();
            }
            let mut again = self.ladder.solve(&mut self.assembly, width, &self.settings)?;
            let (status, residual, fallback) = (again.status, again.residual, again.fallback);
            add(&mut again, &report);
            // what counts is the last round, which has the law as it is
            report = SolveReport { status, fallback, residual, ..again };
        }
        Ok(report)
    }

    /// The answer that Newton's method foretells from the one at hand under the whole law, as far off as the verdict says; leaves the
    /// normal impulses taken. None where cones are no round ones of Coulomb's law, or nothing can be foretold.
    fn foretell(&mut self, width: usize) -> Result<Option<Kept>, ProblemError> {
        let exact = self.settings.facets == Facets::Exact && self.settings.law == FrictionLaw::Exact;
        if !exact || !self.assembly.has_moments() {
            return Ok(None);
        }
        // many rounds are quick; what is not is looked for with patience
        let quick = self.foretell_in(width, true)?;
        if let Some((told, agreed)) = quick
            && (agreed || told.off <= SURE)
        {
            return Ok(Some(told));
        }
        Ok(self.foretell_in(width, false)?.map(|(told, _)| told))
    }

    /// As [`Self::foretell`], in haste or not; and whether the law of all rows is obeyed to rounding.
    fn foretell_in(&mut self, width: usize, haste: bool) -> Result<Option<(Kept, bool)>, ProblemError> {
        let Some((impulses, agreed)) = self.assembly.foretold(width, &self.ladder.solution, haste) else {
            return Ok(None);
        };
        let taken: Vec<f64> = self.assembly.taken_normals().collect();
        let normals: Vec<f64> = self.assembly.own_normals(&impulses).collect();
        self.assembly.take_normals(&normals);
        let problem = self.assembly.problem_again(width)?;
        let (natural, solution) = judged_answer(problem, &impulses);
        let off = natural.max(self.assembly.disagreement(&solution));
        self.assembly.take_normals(&taken);
        let residual = Residual { natural, ..Residual::default() };
        Ok(Some((Kept { off, normals, solution, residual, fallback: Fallback::None }, agreed)))
    }

    /// Cuts the moments of a round to the bounds that its own normal impulses give, if that is an answer under the whole law too: a round
    /// keeps them to a part of the largest impulse of the scene, which may be much of a light contact's own.
    fn hold_bounds(&mut self, round: &mut Kept, width: usize) -> Result<(), ProblemError> {
        if self.settings.facets != Facets::Exact || self.settings.law != FrictionLaw::Exact {
            return Ok(());
        }
        let mut impulses = round.solution.impulses.clone();
        self.assembly.cut_moments(&mut impulses);
        let normals: Vec<f64> = self.assembly.own_normals(&impulses).collect();
        self.assembly.take_normals(&normals);
        let problem = self.assembly.problem_again(width)?;
        let natural = contact_residual(problem, &impulses, ConeShape::Exact);
        if natural <= SOLVED {
            let residual = Residual { natural, ..Residual::default() };
            let (solution, fallback) = (answer_of(problem, &impulses), round.fallback);
            *round = Kept { off: natural, normals, solution, residual, fallback };
        }
        Ok(())
    }

    /// A round as the answer.
    fn take_round(
        &mut self,
        mut round: Kept,
        width: usize,
        report: &mut SolveReport,
    ) -> Result<(), ProblemError> {
        if round.off > SURE {
            self.hold_bounds(&mut round, width)?;
        }
        self.assembly.take_normals(&round.normals);
        self.assembly.problem_again(width)?;
        self.ladder.solution = round.solution;
        report.residual = round.residual;
        report.residual.natural = report.residual.natural.max(round.off);
        (report.status, report.fallback) = (Status::Solved, round.fallback);
        Ok(())
    }

    /// Normal impulses so far between those taken and the answer's own.
    fn part_of_the_way(&self, mut own: Vec<f64>, share: f64) -> Vec<f64> {
        if share < 1.0 {
            let taken = self.assembly.taken_normals();
            own.iter_mut().zip(taken).for_each(|(own, taken)| *own = taken + share * (*own - taken));
        }
        own
    }

    /// Gives the friction of sliding to what was taken for resting and slips; whether there was any.
    fn yields(&mut self) -> bool {
        let Self { assembly, ladder, contacts, rubbing: Rubbing { yielded, .. }, .. } = self;
        let before = yielded.len();
        for (k, (c, answer)) in contacts.iter().zip(&ladder.solution.contacts).enumerate() {
            let Some(kinetic) = c.material.kinetic else { continue };
            if answer.mode == ContactMode::Slip && !yielded[..before].contains(&k) {
                assembly.set_friction(k, kinetic);
                yielded.push(k);
            }
        }
        yielded.len() > before
    }
}

//! What a step did, and why one could not be done.

use gudgeon_lcp::{Residual, Rung, StageTotals, Status};

use crate::settings::Integrator;

/// The rungs of the ladder: what was taken when the solve before it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Fallback {
    /// The first solve did.
    #[default]
    None,
    /// From scratch, without the answer of the step before.
    Cold,
    /// With the convex law in place of Coulomb's.
    Convex,
    /// By `robust`, after another method failed.
    Robust,
    /// Without friction, as in the paper [Yamane §V-A].
    Frictionless,
    /// The best of what the failed solves left behind, by residual.
    BestIterate,
}

impl Fallback {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Cold, Self::Convex, Self::Robust, Self::Frictionless, Self::BestIterate];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Cold => "cold",
            Self::Convex => "convex",
            Self::Robust => "robust",
            Self::Frictionless => "frictionless",
            Self::BestIterate => "best iterate",
        }
    }
}

impl From<Rung> for Fallback {
    fn from(rung: Rung) -> Self {
        match rung {
            Rung::Asked => Self::None,
            Rung::Cold => Self::Cold,
            Rung::BestIterate => Self::BestIterate,
            Rung::Convex => Self::Convex,
        }
    }
}

/// One solve of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// How the solve of the chosen method ended; a fallback may have saved the step.
    pub status: Status,
    /// What was taken in the end.
    pub fallback: Fallback,
    /// Pivots of all tries.
    pub pivots: usize,
    /// Nodes of all tries.
    pub nodes: usize,
    /// Of the answer that was taken.
    pub residual: Residual,
    /// What the stages of the solver did, all tries and all solves of the step taken together; empty for the papers'
    /// methods, which have none.
    pub stages: StageTotals,
}

/// What a step did. `Copy`: logging is free.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "a step that needed a fallback says so here"]
pub struct StepReport {
    /// Time at the end of the step, s.
    pub time: f64,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Contacts with an impulse.
    pub active: usize,
    /// The solve; none if nothing touched.
    pub solve: Option<SolveReport>,
    /// Deepest overlap of the contacts the step began with, m, ≥ 0.
    pub penetration: f64,
    /// Whether some overlap is deeper at the start of this step than what bodies were placed with, or any was before, and
    /// deeper than a hundredth of the smaller body: the step before led there, though every solve of it may have been exact. A
    /// step so long that bodies turn by tenths of a radian, or fly through each other, does this.
    pub deepened: bool,
    /// Whether the step had no answer that keeps bodies apart, as where they are squeezed or driven against a stop without bound: its
    /// motion is then the nearest that leads nowhere deeper.
    pub held: bool,
    /// Whether the step led higher than all energy there was, went only as far as that paid for, and ended at rest: links are so light
    /// beside others that a step of this length does not resolve how they swing.
    pub curbed: bool,
    /// How the solve that undoes overlap ended, in steps that have some.
    pub recovery: Option<Status>,
    /// Largest gap of a loop joint at the end, m.
    pub loop_gap: f64,
    /// Time spent in collision detection, s; not part of any result.
    pub collision_seconds: f64,
    /// Time spent in the solver, s; not part of any result.
    pub solver_seconds: f64,
    /// What the step was taken by: Euler's where `carried` was asked for and motions are prescribed.
    pub integrator: Integrator,
}

/// Why a step could not be done: a number that is none, with whose it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A position or velocity.
    #[error("{what} of '{link}' is {value} at t = {time} s{hint}")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// The link whose joint it belongs to.
        link: String,
        /// The number.
        value: f64,
        /// s.
        time: f64,
        /// What may have caused it.
        hint: &'static str,
    },
    /// A loop that could not be closed again: at a dead point, or torn by more than its links can bear.
    #[error(
        "the loop or coupling between '{a}' and '{b}' is open by {gap:.1e} m or rad at t = {time} s and cannot be closed from there"
    )]
    OpenLoop {
        /// Links of the loop joint, or the first and the last of a coupling.
        a: String,
        /// See `a`.
        b: String,
        /// m or rad.
        gap: f64,
        /// s.
        time: f64,
    },
    /// The contact problem could not be built: a row is not finite.
    #[error("the contact problem of the step at t = {time} s cannot be built: {error}")]
    Problem {
        /// What is wrong with it.
        error: gudgeon_lcp::ProblemError,
        /// s.
        time: f64,
    },
    /// The joint-space inertia is not positive definite.
    #[error("the inertia that joint '{link}' feels is not positive at t = {time} s")]
    Inertia {
        /// The link whose joint it is.
        link: String,
        /// s.
        time: f64,
    },
}

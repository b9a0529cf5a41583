//! The road: named stages, the list of each kind of problem, and what each of them did; [`super::walk`] goes along it.
//!
//! A stage takes the iterate where the one before left it and may spend so many factorisations; the first that ends with an
//! answer ends the walk. What it was, what it cost and how far it came is kept for the report.
//!
//! | stage            | what it does                                                                        | for            |
//! |------------------|-------------------------------------------------------------------------------------|----------------|
//! | `modes`          | the answer from remembered or guessed modes, [`super::settle`]                       | all            |
//! | `few rows`       | the Delassus matrix itself, swept and climbed, [`super::settle`]                     | few rows       |
//! | `newton`         | Newton on two maps in turn from what is remembered, [`super::stages`]                | round cones    |
//! | `sweep`          | the same after Gauss and Seidel, where nothing is remembered, [`super::sweep`]       | round cones    |
//! | `climb`          | Newton on the equations of the modes under a ratio test, [`super::climb`]             | free bodies, many rows |
//! | `interior point` | from the middle of the cones, Newton at milestones, [`super::interior_point`]        | round cones    |
//! | `repair`         | the worst contacts with their neighbours as problems of their own                   | free bodies, many rows |
//! | `jam`            | the least loads that stop all contacts, then what slides slowly, [`super::jam`]     | trees          |
//! | `convex`         | the convex law, where it is asked for, [`super::convex`]                             | round cones    |
//! | `pivots`         | the guided search, facets turning for round cones, [`super::search`], [`super::cone`] | few rows, facets |

use super::ConeShape;
use super::interior_point::{InteriorPoint, Progress};
use super::iterate::Iterate;
use super::operator::Operator;
use super::stage::Stage;
use super::stages::Stages;
use super::system::System;
use crate::clock::Clock;

/// The road with round cones for many rows between free bodies, unless they rest and are below 300, where something is remembered. What rests has
/// its answer already, or one step from it; `modes` factorises the degrees of freedom in their envelope, which a pile fills. Of what Newton's method
/// leaves of piles of 50 bodies `climb` solves 57 %; the rest is mostly wrong in a few places: `repair` solves 57 % of that, in half of the factorisations
/// in which the interior point solves a third.
const MANY_LOOSE: [Stage; 6] =
    [Stage::Newton, Stage::Modes, Stage::Climb, Stage::Repair, Stage::InteriorPoint, Stage::Repair];
/// The same for more than [`LARGE`] bodies: what is wrong there is wrong in many places, or everywhere. Of 64 recorded parts of 200
/// `climb` solves one in five that come to it, the interior point one in seven, for as much as the stages before.
const LARGE_LOOSE: [Stage; 3] = [Stage::Newton, Stage::Modes, Stage::Repair];
/// The same from nothing: it is wrong everywhere, and the interior point has to find where.
const MANY_LOOSE_COLD: [Stage; 5] =
    [Stage::Modes, Stage::FewRows, Stage::Sweep, Stage::InteriorPoint, Stage::Repair];
/// For many rows on trees. Of 200 steps of a ball bearing with a preload (58 degrees of freedom, 350 rows) `newton` solves 28 and `climb` 168 of the
/// rest; the Delassus matrix written out, `few rows`, solves fewer at three times the price, but some of what all others leave.
const MANY: [Stage; 8] = [
    Stage::Modes,
    Stage::Newton,
    Stage::Climb,
    Stage::Sweep,
    Stage::InteriorPoint,
    Stage::Repair,
    Stage::FewRows,
    Stage::Jam,
];
/// For many rows, up to 300, between free bodies that rest: what `few rows` answers is good to rounding.
const MANY_AT_REST: [Stage; 6] =
    [Stage::Modes, Stage::Newton, Stage::FewRows, Stage::Sweep, Stage::InteriorPoint, Stage::Repair];
/// For few rows between free bodies: of 4,566 such parts of recorded piles `newton` solves all but 34, in 2 to 9
/// factorisations of a few blocks.
const FEW_LOOSE: [Stage; 6] =
    [Stage::Newton, Stage::FewRows, Stage::Modes, Stage::Repair, Stage::InteriorPoint, Stage::Repair];
/// For few rows on trees, where a block of W is cheaper than one of the degrees of freedom. A repair would be one of the whole
/// tree, which the stages before have tried. Two flat feet whose rows contradict each other by 1e-8 of the speeds stall in every stage; from the iterate
/// of the last one `few rows` has the answer in a tenth of the time of pivots.
const FEW: [Stage; 7] = [
    Stage::FewRows,
    Stage::Modes,
    Stage::Newton,
    Stage::Sweep,
    Stage::InteriorPoint,
    Stage::FewRows,
    Stage::Jam,
];

/// What a problem is like.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says something else of the problem")]
pub(super) struct Kind {
    pub(super) cone: ConeShape,
    /// Its Delassus matrix is cheap.
    pub(super) few: bool,
    /// Its bodies are free.
    pub(super) loose: bool,
    /// They rest, and have at most a few hundred rows.
    pub(super) at_rest: bool,
    /// Something is remembered.
    pub(super) warm: bool,
    /// Degrees of freedom.
    pub(super) width: usize,
}

/// The stages of a problem in their order, before pivots.
pub(super) fn stages(kind: Kind) -> &'static [Stage] {
    let Kind { cone, few, loose, at_rest, warm, width } = kind;
    match (cone != ConeShape::Facets, few, loose) {
        (false, ..) => &[Stage::Modes],
        (true, false, true) if at_rest => &MANY_AT_REST,
        (true, false, true) if warm && width > 6 * LARGE => &LARGE_LOOSE,
        (true, false, true) if warm => &MANY_LOOSE,
        (true, false, true) => &MANY_LOOSE_COLD,
        (true, false, false) => &MANY,
        (true, true, false) => &FEW,
        (true, true, true) => &FEW_LOOSE,
    }
}

/// The scaled residual of an answer: a little less than what counts as solved.
pub(super) const ENOUGH: f64 = 0.9 * crate::outcome::SOLVED;
/// Where Newton stops to try for better.
const CRISP: f64 = 1e-12;
/// Sweeps of a stage.
const SWEEPS: usize = 20;
/// Factorisations of Newton's method in a stage, in one of a large problem, where repair takes over earlier, and on trees, where `climb` does: a ball bearing
/// takes 3.8 in place of 4.5 ms a step.
const NEWTON: usize = 48;
const NEWTON_LARGE: usize = 32;
const NEWTON_TREES: usize = 24;
/// And after sweeps, where nothing is remembered.
const SWEPT: usize = 60;
/// Bodies, nodes of six degrees of freedom, of a large problem.
const LARGE: usize = 100;
/// Factorisations of a climb over the whole problem: with 50 or 250 of 245 recorded parts as many are solved.
const KINKS: usize = 60;
/// Steps of the interior-point method.
const INTERIOR: usize = 60;
/// x∘s at which Newton is tried.
const MILESTONES: [f64; 4] = [1e-6, 1e-10, 1e-12, 1e-13];

/// The stages for round cones with their memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Road {
    pub(crate) operator: Operator,
    pub(crate) at: Iterate,
    stages: Stages,
    interior: InteriorPoint,
    repair: super::repair::Repair,
    convex: super::convex::Convex,
    climb: super::climb::Climb,
    jam: super::jam::Jam,
    newton: usize, // factorisations of its stage
    weighed: bool, // errors count by the units of the verdict
}

impl Road {
    /// Starts from these impulses, scaled, on a way along the stages; false for a problem in local form.
    pub(crate) fn start(
        &mut self,
        system: &System,
        impulses: &[f64],
        way: &'static [Stage],
        clock: &Clock,
    ) -> bool {
        self.newton = if way == MANY { NEWTON_TREES } else { NEWTON };
        self.weighed = false;
        if !self.operator.load(system) {
            return false;
        }
        self.at.start(&self.operator, impulses);
        self.stages.newton.elimination.clock = *clock;
        self.stages.reset(&self.operator);
        true
    }

    /// Factorisations since the start, without those of the small problems of `repair`.
    pub(crate) fn factorisations(&self) -> usize {
        self.stages.newton.elimination.count
    }

    /// Whether the best iterate is as good as one scale for all rows can tell.
    pub(crate) fn is_done(&self) -> bool {
        self.at.best_natural <= ENOUGH * self.at.unit()
    }

    /// Errors count by these units of the rows from here on; false if they do already.
    pub(crate) fn weigh_by(&mut self, units: &[f64]) -> bool {
        let is_first = !std::mem::replace(&mut self.weighed, true);
        if is_first {
            self.operator.weigh_by(units);
            self.at.weigh_again(&self.operator);
        }
        is_first
    }

    /// Takes the impulses of the convex law; answers its natural residual.
    pub(crate) fn floor(&mut self, clock: &Clock) -> f64 {
        let Self { operator, at, stages, convex, .. } = self;
        let natural = convex.run(operator, &mut stages.newton.elimination, &mut at.x, clock);
        at.measure(operator);
        natural
    }

    /// One full step of Newton's method, whatever it does to the residual in one scale; false if there is none.
    pub(crate) fn polish(&mut self) -> bool {
        self.stages.polish(&self.operator, &mut self.at)
    }

    /// Back to the best impulses in one scale.
    pub(crate) fn back(&mut self) {
        self.at.return_to_best(&self.operator);
    }

    /// Runs one stage; the iterate is then the best so far.
    pub(crate) fn run(&mut self, stage: Stage, clock: &Clock) {
        let Self { operator, at, stages, interior, repair, climb, newton, jam, convex, .. } = self;
        let newton = if operator.width > 6 * LARGE { NEWTON_LARGE } else { *newton };
        match stage {
            Stage::Newton => stages.descend(operator, at, newton, CRISP, clock),
            Stage::Sweep => {
                super::sweep::sweep(operator, at, SWEEPS, clock);
                stages.descend(operator, at, SWEPT, CRISP, clock);
            }
            Stage::Climb => {
                at.return_to_best(operator);
                climb.run(operator, at, &mut stages.newton, ENOUGH, KINKS, clock);
            }
            Stage::InteriorPoint => inward(operator, at, stages, interior, clock),
            Stage::Repair => {
                at.return_to_best(operator);
                repair.run(operator, at, stages, clock);
            }
            Stage::Jam => jam.run(operator, at, (stages, convex), (ENOUGH, CRISP), clock),
            Stage::Modes | Stage::FewRows | Stage::Pivots | Stage::Convex => {}
        }
        self.at.return_to_best(&self.operator);
    }
}

/// The interior-point method, with Newton from its iterate at every milestone.
fn inward(
    operator: &Operator,
    at: &mut Iterate,
    stages: &mut Stages,
    interior: &mut InteriorPoint,
    clock: &Clock,
) {
    interior.start(operator);
    for (k, stop) in MILESTONES.into_iter().enumerate() {
        let progress = interior.run(operator, &mut stages.newton.elimination, stop, INTERIOR, clock);
        interior.impulses(operator, &mut at.x);
        at.measure(operator);
        let lost = progress == Progress::Lost;
        let steps = if lost || k > 0 { 14 } else { 6 };
        stages.descend(operator, at, steps, CRISP, clock);
        if at.best_natural <= ENOUGH || lost || clock.expired() {
            return;
        }
    }
}

//! Small numbers that more than one room of the solvers knows, or that would say nothing where they stand.
//!
//! Problems are scaled before they are solved: entries of M and the largest |q| are about one, so that a number without a unit is a part of
//! these. Those of one algorithm stand beside it: bands of the searches in `robust` and `friction/search`, pivots in `lemke` (of
//! `lexicographic` and Lloyd's methods too), `lu`, `tableau`, `sparse`, `active`, `drive` and `murty`, signs in `murty` and `block_pivot`, what the verdict forgives in `verdict`, `noise`, `sure` and `friction/verdict`,
//! rays and claims in `ledger`, repeated equations in `convert/eliminate`, sweeps in `pgs`, steps and ends of the stages in their files of `friction`, least-norm forces in
//! `friction/canonical`. What counts as solved is `SOLVED` in `outcome`.

// rounding of scaled problems

/// A value above minus this is not negative: a few units in the last place of numbers of size one. Larger and rows that need cover get none;
/// smaller and rounding asks for it.
pub(crate) const NOT_NEGATIVE: f64 = 1e-15;
/// Ratios nearer to each other than this are tied, and the perturbation decides. Smaller and rounding decides; larger and different ratios
/// count as one.
pub(crate) const TIED: f64 = 1e-14;
/// Of the largest entry of a column: pivots below it are taken only where no other is. Larger and good rows wait; smaller and weak pivots
/// lose five digits.
pub(crate) const WEAK_PIVOT: f64 = 1e-5;
/// By how much the band of nought narrows after an answer that is not accurate, and the least it may be: ten units of rounding.
pub(crate) const NARROWER: f64 = 1e-2;
pub(crate) const NARROWEST: f64 = 1e-14;
/// Rounding of one term in a sum of products of size one; a sum of r has it √r times. What is left of a refined right-hand side.
pub(crate) const SUM_ROUNDING: f64 = 1e-15;
/// What may be left of a driving column: far below the band of any ratio test.
pub(crate) const DRIVING: f64 = 1e-13;
/// What may be left of a solve with updated factors before they are made afresh. Larger and errors of updates add up; smaller and factors
/// are never kept.
pub(crate) const STALE: f64 = 1e-12;
/// Of a pivot: how far the two ways to it, by its row and by its column, may part. Larger and lost digits are not seen; smaller and good
/// exchanges are refused.
pub(crate) const PIVOTS_AGREE: f64 = 1e-6;
/// What elimination should have cancelled, in entries of size one: a row of nothing else must not be scaled up to a constraint.
pub(crate) const CANCELLED_ENTRY: f64 = 1e-13;
/// Of the largest entry: a pivot of an elimination below it is rounding, and its row a repetition of others; of the scaled right-hand side:
/// a repetition that contradicts by more is none. Larger and equations are lost; smaller and repetitions are kept as contradictions.
pub(crate) const REPETITION: f64 = 1e-9;
/// Of the largest entry of a small dense matrix: a smaller pivot is rounding.
pub(crate) const VANISHED: f64 = 1e-15;
/// Of the size of a direction: components below it are rounding about nought, not a direction of a ray.
pub(crate) const NO_DIRECTION: f64 = 1e-12;
/// By how much a ray may violate its own conditions and still be handed to the proof, which decides.
pub(crate) const RAY_SHOWN: f64 = 1e-6;
/// The ends of the range of scales: a product of two is a normal number.
pub(crate) const SCALES: [f64; 2] = [1e-150, 1e150];
/// Of an inverse mass: the shift with which a singular block of equations is tried again. Its answer is refined, so that it decides only
/// whether there is one.
pub(crate) const SHIFTED_FREE: f64 = 1e-9;
/// Of the largest entry of a mass matrix: asymmetry that is the rounding of whoever computed it. Larger is an error of the caller.
pub(crate) const SYMMETRIC: f64 = 1e-9;

// Newton's method of `robust` on Fischer and Burmeister's function

/// A pair nearer to its kink than this takes the kink's slope: v/s is rounding there.
pub(crate) const KINK: f64 = 1e-14;
/// Of its squared length: a step that descends by less is no descent, and the gradient is taken.
pub(crate) const DESCENT: f64 = 1e-9;
/// Armijo's part of the descent that the model foretells: the usual one.
pub(crate) const ARMIJO: f64 = 1e-4;

// the interior method of `active`

/// Of a row's unit: the shift under free rows, for a start exists where M is singular too. The method moves away from it.
pub(crate) const START_SHIFT: f64 = 1e-8;
/// Steps shorter than this lead nowhere, and the method has lost its way.
pub(crate) const NO_STEP: f64 = 1e-6;

// default thresholds of the classical methods, as their papers have them or as the campaign chose

/// Yamane's Δ of the lexicographic method: ratios within it are tied.
pub(crate) const LEXICOGRAPHIC_DELTA: f64 = 1e-8;
/// The same of Lloyd's two methods, on rows of unit size: fewer ties are wide there.
pub(crate) const LLOYD_DELTA: f64 = 1e-10;
/// ε and e_max of `search`, as Yamane and Nakamura have them; the simulator has its own.
pub(crate) const SEARCH_THRESHOLDS: [f64; 2] = [1e-3, 1e-3];

// friction: what is measured

/// Impulses, in units of the largest |q|, whose last bits are worth as much as an answer may be off: residuals count against the larger
/// of one and this part of the largest impulse. Smaller and squeezed bodies are never solved; larger and wrong answers are.
pub(crate) const IMPULSE_UNIT: f64 = 1e-6;
/// Of the largest speed in the problem: slower is at rest. The accuracy of an answer.
pub(crate) const AT_REST: f64 = 1e-9;
/// Of the room between two bounds: nearer to one an answer is at it.
pub(crate) const AT_BOUND: f64 = 1e-9;
/// Of [`crate::outcome::SOLVED`]: an answer this good is right by whatever matrix it is measured.
pub(crate) const TO_SPARE: f64 = 1e-3;
/// Of [`crate::outcome::SOLVED`]: an answer this good is refined no further.
pub(crate) const REFINED: f64 = 1e-2;
/// A scaled residual beyond which refining an answer does not help: its basis is wrong, not its digits.
pub(crate) const BEYOND_REFINING: f64 = 1e-5;
/// Of the largest impulse: a residual that is the rounding of the answer itself.
pub(crate) const CRISP: f64 = 1e-14;
/// Of the largest impulse: what stands beside the terms of a row, so that one of nothing but rounding is not held against itself.
pub(crate) const ROW_FLOOR: f64 = 1e-5;

// friction: from kink to kink under a ratio test

/// Of a step's length, and in itself: contacts that meet their bounds within it do so at the same time.
pub(crate) const AT_ONCE: f64 = 1e-9;
pub(crate) const AT_ONCE_LEAST: f64 = 1e-15;
/// Of a step: shorter and nothing has moved.
pub(crate) const MOVED: f64 = 1e-12;
/// Of the largest impulse: below it an impulse that met its bound is nought.
pub(crate) const NOTHING: f64 = 1e-14;

// friction: pivots on polygons, and on polygons that turn

/// The squared sine between a row and those chosen before it: below a microradian it says nothing that rounding does not.
pub(crate) const NEW_ROW: f64 = 1e-12;
/// The least cover that new rows get a margin from: below it there is none to speak of.
pub(crate) const LEAST_COVER: f64 = 1e-12;
/// Radians by which facets turned in a round: less and rounds change nothing any more.
pub(crate) const NO_TURN: f64 = 1e-15;
/// A scaled speed that has a direction for facets to turn to.
pub(crate) const TURNS_TO: f64 = 1e-11;
/// Of the larger of two shares of a facet's work: a smaller one is rounding, and no edge is meant.
pub(crate) const EDGE_SHARE: f64 = 1e-9;

// friction: round cones by Newton's method on the answer of polygons

/// A scaled residual above which an answer is polished, one at which polishing ends, and one below which a step that gains less than half
/// is rounding.
pub(crate) const POLISHED: f64 = 1e-11;
pub(crate) const POLISH_ENDS: f64 = 1e-14;
pub(crate) const POLISH_STALLS: f64 = 1e-9;
/// A scaled speed that slides, one that opens, and one against friction's own direction at which a contact is held again: above the
/// rounding of velocities, below what counts as solved.
pub(crate) const SLIDES: f64 = 1e-12;
pub(crate) const OPENS: f64 = 1e-10;
pub(crate) const HELD_AGAIN: f64 = 1e-9;
/// Of the limit of friction: beyond it by more a contact slides; nearer it keeps its bits.
pub(crate) const ON_EDGE: f64 = 1e-12;

// friction: stages

/// A squared speed, in parts of the largest: a contact that closes slower than a thousandth of it sticks at first.
pub(crate) const CLOSES_STICKING: f64 = 1e-6;
/// Radians to which the angle of a slide is found, and of one and the speed against friction: what may be left across.
pub(crate) const SLIDE_ANGLE: f64 = 1e-13;
pub(crate) const SLIDE_ACROSS: f64 = 1e-12;
/// An inverse mass, of one, along the edge of a cone: below it the edge carries any load, and no slide is there.
pub(crate) const JAMMED: f64 = 1e-14;
/// The gap between the two roots of a cone below which it has no width: any positive number does.
pub(crate) const NO_WIDTH: f64 = 1e-300;
/// Of one: what is added to a singular matrix of a block before it is inverted once more.
pub(crate) const BLOCK_SHIFT: f64 = 1e-10;
/// Of a norm: a difference that has lost half of its digits is computed afresh.
pub(crate) const HALF_THE_DIGITS: f64 = 1e-8;
/// The shortest step of Newton's line search: shorter ones gain nothing that a larger ε does not.
pub(crate) const SHORTEST_STEP: f64 = 2e-4;
/// Of the least-norm forces: the first shift, of the largest curvature. It rises and falls with success, so that it decides how many steps
/// there are, not where they lead.
pub(crate) const FIRST_SHIFT: f64 = 1e-2;
/// Of the larger of one and the largest impulse: what stands beside the terms of a row of a least-norm answer.
pub(crate) const CANONICAL_FLOOR: f64 = 1e-5;
/// Of the interior point: complementarity √τ of which may be left beside τ, and the least of it.
pub(crate) const INTERIOR_OFF: f64 = 1e-2;
pub(crate) const INTERIOR_OFF_LEAST: f64 = 1e-9;
/// The least centring of Mehrotra's step: none at all would end on the boundary.
pub(crate) const LEAST_CENTRING: f64 = 1e-8;
/// Where the small problems of `repair` end, and the milestones of their interior point.
pub(crate) const REPAIRED: f64 = 1e-12;
pub(crate) const REPAIR_MILESTONES: [f64; 3] = [1e-4, 1e-8, REPAIRED];

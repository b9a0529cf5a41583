//! Small numbers of trees and loops: what is as good as nought, or as good as each other.
//!
//! Those that only one algorithm knows stand beside it: ranks and rows in `constraint/rank`, `constraint/rows` and
//! `constraint/solver`, pivots in `ltl`, placements that a builder refuses in `builder/check`, rows that cancel in `rows`, rounds of a flight in
//! `step/flight`, straight flight in `derivative/free_body`.

// joints

/// Largest deviation from 1 of the length of an axis: constructors normalise to 2e-16. Larger, and a turn about it stretches what it carries.
pub(crate) const AXIS_TOLERANCE: f64 = 1e-12;
/// Sine: two axes of a universal joint nearer than this turn about the same line. Smaller, and the inertia of one of its two dofs is rounding.
pub(crate) const PARALLEL: f64 = 1e-6;

// rotation

/// Of its own largest term: a residual of the angular momentum this small is rounding, and the search is done. Smaller and it never
/// ends before its last round.
pub(crate) const MOMENTUM_ROUNDING: f64 = 1e-15;
/// The same of the top's step, with two units in the last place.
pub(crate) const TOP_ROUNDING: f64 = 2.0 * f64::EPSILON;
/// Radians in half a step below which tan x / x is one to rounding: x²/3 is 3e-19.
pub(crate) const NO_TURN: f64 = 1e-9;
/// Squared radians below which the series of the exponential's derivative is taken, whose next terms are 1e-12 of the first. Larger and
/// they count; smaller and the closed form cancels.
pub(crate) const SHORT_TURN: f64 = 1e-4;

// closing loops

/// Metres and radians to which loops are closed: rounding at human scale is 1e-15. Smaller and large mechanisms never get there; larger
/// and loops drift by as much.
pub(crate) const CLOSED: f64 = 1e-12;
/// Metres and radians: nearer than this Newton's method squares the error, and where it no longer does, rounding is reached.
pub(crate) const NEWTON_SQUARES: f64 = 1e-9;
/// Metres or radians per second: the rounding of a velocity, whatever was asked.
pub(crate) const VELOCITY_ROUNDING: f64 = 1e-13;
/// Of the largest diagonal entry: the damping that assembly starts with. It falls and rises as steps succeed or fail, so that it decides
/// how many are taken, not where they lead.
pub(crate) const FIRST_DAMPING: f64 = 1e-3;
/// The least of it: far below the unit diagonal, so that near the answer this is Newton's method.
pub(crate) const LEAST_DAMPING: f64 = 1e-14;
/// The least size of a diagonal entry that damping is measured by, where no row moves anything.
pub(crate) const LEAST_DIAGONAL: f64 = 1e-12;
/// Of the largest squared whitened row: those below it are rounding, and no rows.
pub(crate) const ROW_NOISE: f64 = 1e-20;
/// Of what a loop's row meets at its own two ports: differences of inverse inertias below it are rounding, and the row is redundant.
pub(crate) const LOOP_NOISE: f64 = 1e-14;

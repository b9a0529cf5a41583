//! Small numbers of contacts: what is as good as nought.
//!
//! Those that only one algorithm knows stand beside it: when a limit touches in `law`, when answers agree in `agree`, and in
//! `derivative` ranks (`implicit`), the solve on the graph of links (`graph`) and what decides a share (`shares`).

/// Of the sum of its terms' sizes: a velocity along a row this small is nothing but their rounding. Smaller and opposite contacts are each
/// given a side of a gap that does not exist; larger and slow sliding is taken for rest.
pub(crate) const VELOCITY_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// What stands for nought under a difference, in its own unit: the difference is nought as well then.
pub(crate) const NOT_ZERO: f64 = f64::MIN_POSITIVE;

//! Small numbers of contacts: what is as good as nought.
//!
//! Those that only one algorithm knows stand beside it: when a limit touches in `law`, when answers agree in `agree`, and in
//! `derivative` ranks (`implicit`), the solve on the graph of links (`graph`) and what decides a share (`shares`).

/// Of the sum of its terms' sizes: a velocity along a row this small is nothing but their rounding. Smaller and opposite contacts are each
/// given a side of a gap that does not exist; larger and slow sliding is taken for rest.
pub(crate) const VELOCITY_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Of the sum of the sizes of a row's terms once it is divided by the mass factor, where every dof above it has its part: a velocity this small is their
/// rounding, which is that of some operations. Smaller and dry joints of a robot that falls are given 1e-17 rad/s to stop, in a unit in which
/// nothing is exact; larger and what creeps is taken for rest.
pub(crate) const MOTION_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Of the fastest coordinate: only slower rows are looked at for the above, whatever the units, four digits above rounding. Larger costs time, smaller misses some.
pub(crate) const DOUBTFUL: f64 = 1e-12;
/// Of the larger of its tangents' rows: a normal this small moves nothing but rounding (a turntable on its table). Smaller and
/// impulses of any size are asked for; larger and what a lever of a billionth still moves is let go.
pub(crate) const IMMOVABLE: f64 = 1e-12;
/// What stands for nought under a difference, in its own unit: the difference is nought as well then.
pub(crate) const NOT_ZERO: f64 = f64::MIN_POSITIVE;

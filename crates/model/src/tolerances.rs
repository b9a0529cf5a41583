//! Numbers of files that are as good as nought, or as good as each other.
//!
//! Those that only one reader knows stand beside it: what is odd about a scene in `doctor`, what a run would stumble on in
//! `advice`, where joints may start in `start`.

/// Length of a vector or quaternion below which it points nowhere, in the file's own unit: far below what anybody writes for a
/// direction, far above the rounding of one that was computed to be nought. Larger and a short direction is refused; smaller and
/// noise is taken for one.
pub(crate) const NO_DIRECTION: f64 = 1e-10;

/// The same of the axis of a joint in URDF and scene files. Ten times the other: the two are not made one, lest a file change its
/// meaning.
pub(crate) const NO_AXIS: f64 = 1e-9;

/// What MuJoCo takes for nought (its `mjMINVAL`): kg of a geom or body, s of a spring's time constant, kg or kg m² of an inertia.
/// As the format's own compiler has it, for the same numbers to come out.
pub(crate) const MUJOCO_ZERO: f64 = 1e-15;

/// Six times the volume of a mesh, m³, below which it is no solid: that of a cube of half a tenth of a nanometre.
pub(crate) const FLAT: f64 = 1e-30;

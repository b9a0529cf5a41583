//! Small numbers of the simulator: what is as good as nought, or as good as each other.
//!
//! Where no measurement stands beside a number, it was chosen to separate rounding from what scenes have on purpose.
//!
//! Those that only one algorithm knows stand beside it: the least correction in `least`, searches of the paper in `paper`, short strings in
//! `actuation`, units of files in `scene/builder`, inverse kinematics in `scenes/ik`, and in `simulator` what `curb`, `idle`, `thin`,
//! `hold`, `advance`, `guard`, `law` and `touch` tell apart; in `derivative` sums (`exchange`, `undone`), kinks (`kink`, `directional`),
//! cuts (`cut`), even shares (`stage/build`) and steps (`paths`); in `equipment` turns (`order`), wraps (`wrap`, `ellipsoid`). What a user
//! may set has its default in `settings`; masses, lengths and bounds of built-in scenes are theirs.

// vectors and quaternions

/// Radians of a swing below which it turns about no axis. Larger and a limit near nought is not seen; smaller and its axis is rounding.
pub(crate) const NO_SWING: f64 = 1e-12;
/// Metres from a camera to its target below which it looks nowhere.
pub(crate) const NO_SIGHT: f64 = 1e-12;
/// Sine between the line of sight and the vertical below which no direction to the right is level.
pub(crate) const LOOKS_UP: f64 = 1e-9;
/// Length of a quaternion below which it is no orientation. Larger and short ones are refused; smaller and noise is taken for one.
pub(crate) const NO_ORIENTATION: f64 = 1e-10;
/// By how much the length of a quaternion that a hand types may differ from one.
pub(crate) const TYPED: f64 = 1e-3;

// what the solver's answers are good to: nine digits

/// Of a bound, of a friction limit: nearer to it an answer is at it. Smaller and rows at their bound are taken for held ones; larger and
/// held ones for bounded ones.
pub(crate) const AT_BOUND: f64 = 1e-9;
/// Radians, and of the radius: nearer to a corner of its cone an impulse is at it. A hundred times what an answer is good to.
pub(crate) const AT_CORNER: f64 = 1e-7;
/// The impulse that says of a contact without one that it presses, N s: any positive number does.
pub(crate) const PRESSES: f64 = f64::MIN_POSITIVE;
/// What stands for nought under an impulse, N s: the impulse over it is nought as well then.
pub(crate) const NO_IMPULSE: f64 = f64::MIN_POSITIVE;

// steps

/// Metres or radians to a limit of a string or swing within which it gets a row, besides what it may move in the step. Larger costs rows;
/// smaller and a limit is met a step late.
pub(crate) const NEAR_LIMIT: f64 = 1e-3;
/// Relative: by how much a bound on overlap exceeds what rounding may make of it. Smaller and a pair may be skipped that is deeper.
pub(crate) const BOUND_ROUNDING: f64 = 1e-9;
/// Of the largest difference of rounds: singular values below it are nought, for the rounds repeat each other.
pub(crate) const SAME_ROUNDS: f64 = 1e-10;
/// The step of differences, of one and the argument: for polynomials up to the sixth degree only rounding is left, of 1e-11. Larger and
/// pieces are mixed near their ends; smaller and rounding grows.
pub(crate) const SLOPE_STEP: f64 = 1e-5;
/// The range of scales of a row: what is outside counts as its end, so that a row of nought has a scale, and its square is a normal number.
pub(crate) const ROW_SCALES: [f64; 2] = [1e-90, 1e90];

// built-in scenes

/// Metres or radians: poses reach their goals to rounding; anything else is a goal out of reach.
pub(crate) const GOAL_REACHED: f64 = 1e-9;
/// Singular values, for metres and unit axes, below which rows of planar loops repeat each other.
pub(crate) const REPEATED_ROWS: f64 = 1e-9;
/// What stands for nought under a quaternion drawn at random.
pub(crate) const NO_DRAW: f64 = 1e-3;

// what MuJoCo has

/// What MuJoCo takes for nought (its `mjMINVAL`), in the unit of what it stands under: as there, for the same numbers to come out.
pub(crate) const MUJOCO_ZERO: f64 = 1e-15;
/// How far below one the search for a wrap inside a circle ends: at one its function has no slope. As MuJoCo has it.
pub(crate) const WRAP_END: f64 = 1e-7;

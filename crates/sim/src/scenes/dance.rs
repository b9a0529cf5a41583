//! What the humanoid does: a squat and a tap dance, by inverse kinematics, every joint prescribed [Yamane §V-A, V-B].
//!
//! A plan says where the feet, the trunk and the centre of mass are at a time; positions are solved at knots of 20 ms
//! and splines run through them. Only joint angles are prescribed: the trunk floats and is held up by contact alone.

use std::f64::consts::TAU;

use gudgeon_multibody::{Model, State};
use gudgeon_spatial::{Pose, Vector3};

use super::humanoid::{self, ANKLE, HIP, JOINTS, SOLE};
use super::ik::{Goal, reach};
use super::params::{BuiltinError, Key, Values};
use crate::controller::{Controller, JointMotion};
use crate::error::SceneError;
use crate::scene::{Scene, SceneBuilder};
use crate::tolerances::GOAL_REACHED;

/// Time between knots, s.
const KNOT: f64 = 0.02;

/// Height of the hips in the upright stance, m: knees a little bent, away from the singular straight leg.
const STAND: f64 = 0.26;

/// Where the limbs are at one time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stance {
    /// Frames of the left and right foot, at the ankle.
    pub(super) feet: [Pose; 2],
    /// Orientation and height of the trunk; x and y follow from the centre of mass.
    pub(super) trunk: Pose,
    /// Where the centre of mass is, seen from above.
    pub(super) center: [f64; 2],
    /// Shoulder pitch, shoulder roll outwards, elbow yaw, elbow pitch, of the left and right arm.
    pub(super) arms: [[f64; 4]; 2],
}

pub(super) const SQUAT: &[Key] = &[
    Key::real("depth", "how far the hips go down, m", 0.07, [0.0, 0.1]),
    Key::real("period", "time down and up, s", 1.0, [0.2, 100.0]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// The humanoid goes down and up once with both feet flat on the ground.
pub(super) fn squat(values: &Values) -> Result<Scene, BuiltinError> {
    let (depth, period) = (values.real("depth"), values.real("period"));
    perform("squat", period, values.real("mu"), |t| squatting(depth, t / period))
}

/// The stance of a squat at `u` of its period.
pub(super) fn squatting(depth: f64, u: f64) -> Stance {
    let down = smooth(2.0 * u) * smooth(2.0 - 2.0 * u);
    Stance {
        feet: [flat(1.0), flat(-1.0)],
        trunk: Pose::from_translation(0.0, 0.0, STAND - depth * down),
        center: [SOLE[0], 0.0],
        // arms reach forward as the hips go back
        arms: [[-0.9 * down, 0.15, 0.0, -0.3 - 0.3 * down]; 2],
    }
}

pub(super) const TAPDANCE: &[Key] = &[
    Key::real("lift", "how high the feet are lifted, m", 0.025, [0.0, 0.04]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// The humanoid shifts its weight from foot to foot and taps with the free one for 10 s.
pub(super) fn tapdance(values: &Values) -> Result<Scene, BuiltinError> {
    let lift = values.real("lift");
    perform("tapdance", 10.0, values.real("mu"), |t| dancing(lift, t))
}

/// Figures of the dance: when each begins, and which foot carries (1 left, −1 right, 0 both). In a figure of one foot
/// the other taps every 0.4 s; in the 0.8 s between figures the weight goes over.
const FIGURES: [(f64, f64, f64); 6] = [
    (0.0, 0.0, 0.0),
    (0.8, 2.4, 1.0),
    (3.2, 4.8, -1.0),
    (5.6, 7.2, 1.0),
    (8.0, 9.2, -1.0),
    (10.0, 10.0, 0.0),
];

/// Where the centre of mass is over the foot that carries: 5 mm inside its middle, m.
const OVER: f64 = HIP - 0.005;

/// The stance of the dance at a time.
pub(super) fn dancing(lift: f64, t: f64) -> Stance {
    let mut feet = [flat(1.0), flat(-1.0)];
    let mut side = 0.0;
    for pair in FIGURES.windows(2) {
        let ((_, end, from), (begin, _, to)) = (pair[0], pair[1]);
        if t >= end {
            side = from + (to - from) * smooth((t - end) / (begin - end));
        }
    }
    let tap = FIGURES.iter().find(|(begin, end, _)| (*begin..*end).contains(&t));
    if let Some((begin, _, carrier)) = tap {
        let u = ((t - begin) / 0.4).fract();
        // up in 0.16 s, down in 0.16 s, on the ground for 0.08 s
        let up = smooth(2.5 * u) * smooth(2.0 - 2.5 * u);
        let free = usize::from(*carrier > 0.0);
        // toe up as it rises, turned about the middle of the sole
        let turn = Pose::rotation_about(&Vector3::y(), -0.2 * up);
        let sole = Vector3::from(SOLE);
        let shift = sole - turn * sole + Vector3::new(0.0, 0.0, lift * up);
        feet[free] = Pose::new(turn, feet[free].translation + shift);
    }
    let swing = (TAU * t / 0.8).sin() * smooth(t) * smooth(10.0 - t);
    Stance {
        feet,
        trunk: Pose::from_translation(0.0, 0.0, STAND - 0.01),
        center: [SOLE[0], OVER * side],
        arms: [[0.25 * swing, 0.3, 0.0, -0.8], [-0.25 * swing, 0.3, 0.0, -0.8]],
    }
}

/// A foot flat on the ground under its hip.
fn flat(side: f64) -> Pose {
    Pose::from_translation(0.0, side * HIP, ANKLE)
}

/// From 0 to 1 with no velocity and no acceleration at the ends.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

fn perform(name: &str, duration: f64, mu: f64, plan: impl Fn(f64) -> Stance) -> Result<Scene, BuiltinError> {
    let mut builder = SceneBuilder::new(name);
    builder.friction(mu).ground().duration(duration);
    humanoid::add(&mut builder)?;
    let mut scene = builder.build()?;
    let (start, motion) = solve(&scene.model, duration, plan)?;
    scene.initial.q = start;
    scene.controllers.push(Controller::HighGain { motion });
    Ok(scene)
}

/// The first position and the motion of the joints along a plan.
fn solve(
    model: &Model,
    duration: f64,
    plan: impl Fn(f64) -> Stance,
) -> Result<(Vec<f64>, JointMotion), SceneError> {
    let joints = JOINTS.map(|name| humanoid::coordinate(model, name));
    let mut state = State::neutral(model);
    // knees bent forward, so that they stay so
    for leg in [0, 6] {
        for (hinge, angle) in [(2, -0.4), (3, 0.8), (4, -0.4)] {
            state.q[joints[leg + hinge]] = angle;
        }
    }
    let steps = (duration / KNOT).ceil();
    let mut times = Vec::new();
    let mut knots = Vec::new();
    let mut start = None;
    let mut k = 0.0;
    while k <= steps {
        let t = duration * k / steps;
        let error = take(model, &mut state, &plan(t));
        // what the goals allow is reached to rounding; anything else is a goal out of reach
        if error > GOAL_REACHED {
            return Err(SceneError::Value {
                what: "error of the inverse kinematics",
                of: "a stance".into(),
                value: error,
            });
        }
        start.get_or_insert_with(|| state.q.clone());
        times.push(t);
        knots.push(joints.map(|j| state.q[j]).to_vec());
        k += 1.0;
    }
    let start = start.expect("there is a knot at time zero");
    Ok((start, JointMotion::new(&JOINTS, times, &knots)?))
}

/// Moves the robot into a stance: arms as told, trunk and legs by inverse kinematics. Returns the error left.
pub(super) fn take(model: &Model, state: &mut State, stance: &Stance) -> f64 {
    let mut locked = vec![false; model.n_v()];
    for (side, arm) in stance.arms.iter().enumerate() {
        let outwards = if side == 0 { 1.0 } else { -1.0 };
        for (hinge, angle) in arm.iter().enumerate() {
            let name = JOINTS[12 + 4 * side + hinge];
            let mirrored = if hinge == 1 || hinge == 2 { outwards } else { 1.0 };
            state.q[humanoid::coordinate(model, name)] = mirrored * angle;
            locked[model.link(humanoid::link(model, name)).v_start] = true;
        }
    }
    let goals = [
        Goal::Pose(humanoid::link(model, "left foot"), stance.feet[0]),
        Goal::Pose(humanoid::link(model, "right foot"), stance.feet[1]),
        Goal::Level(humanoid::link(model, "trunk"), stance.trunk),
        Goal::Center(stance.center),
    ];
    reach(model, state, &goals, &locked)
}

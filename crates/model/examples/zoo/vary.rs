//! Other starts and other controls than the file's: robots dropped on their backs and sides, joints anywhere, motors that do anything.

use gudgeon_collide::Kind;
use gudgeon_multibody::{Joint, LinkId, State};
use gudgeon_sim::{Controller, Scene, Simulator};

/// How far joints go from their start towards a random place within their limits: half of the way leaves most of them apart.
const PART: f64 = 0.5;
/// What a joint without limits goes to, rad or m, either way.
const FREE_RANGE: f64 = 0.5;
/// How often controls change, s.
const HOLD: f64 = 0.05;
/// How high a robot is put above the floor, m.
const ABOVE: f64 = 0.01;

/// Numbers in [0, 1) from a seed, the same everywhere (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The tree a link is on, by its first link.
fn root(scene: &Scene, mut link: LinkId) -> LinkId {
    while scene.model.link(link).parent != LinkId::WORLD {
        link = scene.model.link(link).parent;
    }
    link
}

/// Turns robots that float any way and lays them on the highest floor, and moves joints that no loop or coupling holds.
pub(crate) fn scatter(scene: &Scene, sim: &mut Simulator, dice: &mut Dice) {
    let Some((mut qpos, qvel)) = scene.equipment.to_mujoco(&scene.model, sim.state()) else { return };
    let tied = !scene.model.loops().is_empty() || !scene.model.couplings().is_empty();
    let (mut at, mut floating) = (0, Vec::new());
    for joint in &scene.equipment.joints {
        let link = scene.model.link(joint.link);
        let wide = if matches!(link.joint, Joint::Spherical) { 4 } else { link.joint.n_q() };
        match link.joint {
            Joint::Free if scene.model.links().iter().any(|l| l.parent == joint.link) => {
                let turn = [0; 4].map(|_| 2.0 * dice.roll() - 1.0);
                let size = turn.iter().map(|v| v * v).sum::<f64>().sqrt();
                (0..4).for_each(|k| qpos[at + 3 + k] = turn[k] / size);
                floating.push((joint.link, at));
            }
            Joint::Revolute { .. } | Joint::Prismatic { .. } if !tied => {
                let dof = &scene.model.dofs()[link.v_start];
                let (lo, hi) = (dof.lower + joint.reference, dof.upper + joint.reference);
                let goal = if lo.is_finite() && hi.is_finite() {
                    lo + (hi - lo) * dice.roll()
                } else {
                    qpos[at] + FREE_RANGE * (2.0 * dice.roll() - 1.0)
                };
                qpos[at] += PART * (goal - qpos[at]);
            }
            _ => {}
        }
        at += wide;
    }
    let put = |sim: &mut Simulator, qpos: &[f64]| {
        let state: Option<State> = scene.equipment.from_mujoco(&scene.model, qpos, &qvel);
        if let Some(state) = state {
            sim.set_state(&state);
        }
    };
    put(sim, &qpos);
    for (link, at) in floating {
        if let Some(height) = above_floor(scene, sim, link) {
            qpos[at + 2] += ABOVE - height;
        }
    }
    put(sim, &qpos);
}

/// How far the lowest point of a tree is above the highest floor, m.
fn above_floor(scene: &Scene, sim: &Simulator, tree: LinkId) -> Option<f64> {
    let floors =
        scene.colliders.iter().filter(|c| c.link == LinkId::WORLD && matches!(c.shape.kind(), Kind::Plane));
    let floor = floors.map(|c| c.pose.translation.z).fold(f64::NEG_INFINITY, f64::max);
    let own = scene.colliders.iter().filter(|c| c.link != LinkId::WORLD && root(scene, c.link) == tree);
    let lowest = own.map(|c| c.shape.aabb(&crate::placed(sim, c)).lo.z).fold(f64::INFINITY, f64::min);
    Some(lowest - floor).filter(|height| height.is_finite())
}

/// Random controls within their ranges, anew every [`HOLD`].
pub(crate) fn drive(sim: &mut Simulator, step: u32, dt: f64, dice: &mut Dice) {
    let each = (HOLD / dt).round().max(1.0);
    if f64::from(step) % each != 0.0 {
        return;
    }
    for index in 0..sim.controllers().len() {
        if let Some(Controller::Actuator(a)) = sim.controller_mut(index) {
            let [lo, hi] = a.control_range.unwrap_or([-1.0, 1.0]);
            a.control = lo + (hi - lo) * dice.roll();
        }
    }
}

//! A limp humanoid: 21 passive hinges with limits and a little damping, of capsules, about 1.5 m and 46 kg.
//!
//! waist z y x; hips x z y, knee y, ankle y x; shoulders x y, elbow y. Hinges that share a point are links of their own
//! with a small mass between them.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_spatial::{Inertia, Pose, Quaternion, Vector3};

use super::params::{BuiltinError, Key, Values};
use super::parts::{Color, along, color};
use crate::scene::{Scene, SceneBuilder, inertia_of};

pub(super) const KEYS: &[Key] = &[
    Key::real("height", "of the waist above the ground at the start, m", 1.6, [1.0, 100.0]),
    Key::real("damping", "of the joints, N m s/rad", 0.5, [0.0, 100.0]),
    Key::real("lean", "forward at the start, degrees", 20.0, [-180.0, 180.0]),
    Key::real("mu", "friction", 0.7, [0.0, 10.0]),
];

/// A capsule from one point of a link to another.
#[derive(Clone, Copy)]
struct Bone {
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
    mass: f64,
    color: Color,
}

fn bone(from: [f64; 3], to: [f64; 3], radius: f64, mass: f64, color: Color) -> Bone {
    Bone { from, to, radius, mass, color }
}

/// Groups: the ground is 1; the trunk touches forearms; limbs touch other limbs.
const TRUNK: u32 = 2;
const FOREARM: u32 = 64;
const LIMBS: u32 = 4 | 8 | 16 | 32;

struct Doll {
    scene: SceneBuilder,
    damping: f64,
}

impl Doll {
    /// A link on a hinge; without a bone it is a small ball of 0.2 kg between two hinges.
    fn hinge(
        &mut self,
        name: &str,
        parent: &str,
        at_parent: [f64; 3],
        axis: Vector3<f64>,
        degrees: [f64; 2],
        bone: Option<(Bone, u32, u32)>,
    ) -> Result<(), BuiltinError> {
        let inertia = bone.map_or(Ok(Inertia::ball(0.2, 0.05)), |(bone, ..)| bone.inertia())?;
        let [x, y, z] = at_parent;
        let place = Pose::from_translation(x, y, z);
        self.scene.link(
            LinkSpec::new(name, parent, Joint::revolute(axis), place, inertia)
                .limits(degrees[0].to_radians(), degrees[1].to_radians())
                .damping(self.damping),
        );
        bone.map_or(Ok(()), |(bone, group, mask)| self.flesh(name, bone, group, mask))
    }

    fn flesh(&mut self, link: &str, bone: Bone, group: u32, mask: u32) -> Result<(), BuiltinError> {
        let (from, to) = (Vector3::from(bone.from), Vector3::from(bone.to));
        let placed = self.scene.collider(link, bone.shape()?, along(from, to));
        (placed.color, placed.group, placed.mask) = (Some(bone.color), group, mask);
        Ok(())
    }
}

impl Bone {
    fn shape(&self) -> Result<Shape, BuiltinError> {
        let way = Vector3::from(self.to) - Vector3::from(self.from);
        Ok(Shape::capsule(0.5 * way.norm(), self.radius)?)
    }

    fn inertia(&self) -> Result<Inertia, BuiltinError> {
        let pose = along(Vector3::from(self.from), Vector3::from(self.to));
        Ok(inertia_of(&self.shape()?.mass_properties(1000.0)?.moved(&pose), self.mass))
    }
}

/// The doll falls forward from a height.
pub(super) fn ragdoll(values: &Values) -> Result<Scene, BuiltinError> {
    let mut scene = SceneBuilder::new("ragdoll");
    scene.friction(values.real("mu")).ground().duration(3.0);
    let mut doll = Doll { scene, damping: values.real("damping") };
    trunk(&mut doll)?;
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        leg(&mut doll, side, sign)?;
        arm(&mut doll, side, sign)?;
    }
    let lean = Quaternion::exp(&Vector3::new(0.0, values.angle("lean"), 0.0));
    let mut start = [0.0; 7];
    lean.write(&mut start);
    start[6] = values.real("height");
    doll.scene.position("chest", &start);
    Ok(doll.scene.build()?)
}

/// Chest with head, waist of three hinges, pelvis.
fn trunk(doll: &mut Doll) -> Result<(), BuiltinError> {
    let chest = bone([0.0, -0.08, 0.28], [0.0, 0.08, 0.28], 0.1, 10.0, color::TEAL);
    let head = bone([0.0, 0.0, 0.49], [0.0, 0.0, 0.52], 0.09, 4.0, color::SAND);
    let inertia = chest.inertia()?.merged(head.inertia()?);
    doll.scene.link(LinkSpec::new("chest", "world", Joint::Free, Pose::identity(), inertia));
    doll.flesh("chest", chest, TRUNK, 1 | FOREARM)?;
    doll.flesh("chest", head, TRUNK, 1 | FOREARM)?;
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let belly = bone([0.0, -0.05, 0.0], [0.0, 0.05, 0.0], 0.085, 4.0, color::TEAL);
    let pelvis = bone([0.0, -0.06, -0.1], [0.0, 0.06, -0.1], 0.09, 5.0, color::SLATE);
    doll.hinge("waist", "chest", [0.0, 0.0, 0.12], z, [-45.0, 45.0], None)?;
    doll.hinge("belly", "waist", [0.0; 3], y, [-75.0, 30.0], Some((belly, TRUNK, 1 | FOREARM)))?;
    doll.hinge("pelvis", "belly", [0.0, 0.0, -0.05], x, [-35.0, 35.0], Some((pelvis, TRUNK, 1 | FOREARM)))
}

fn leg(doll: &mut Doll, side: &str, sign: f64) -> Result<(), BuiltinError> {
    let own = if sign > 0.0 { 4 } else { 8 };
    let mask = 1 | (LIMBS & !own) | FOREARM;
    let name = |part: &str| format!("{side} {part}");
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    // outwards is about +x for the left leg
    let out = if sign > 0.0 { [-15.0, 45.0] } else { [-45.0, 15.0] };
    let thigh = bone([0.0; 3], [0.0, 0.0, -0.34], 0.06, 4.5, color::SKY);
    let shank = bone([0.0; 3], [0.0, 0.0, -0.3], 0.049, 2.5, color::SKY);
    let foot = bone([-0.05, 0.0, -0.03], [0.13, 0.0, -0.03], 0.03, 0.8, color::PLUM);
    doll.hinge(&name("hip x"), "pelvis", [0.0, 0.1 * sign, -0.14], x, out, None)?;
    doll.hinge(&name("hip z"), &name("hip x"), [0.0; 3], z, [-40.0, 40.0], None)?;
    doll.hinge(&name("thigh"), &name("hip z"), [0.0; 3], y, [-110.0, 20.0], Some((thigh, own, mask)))?;
    let knee = [0.0, 0.0, -0.4];
    doll.hinge(&name("shank"), &name("thigh"), knee, y, [-2.0, 150.0], Some((shank, own, mask)))?;
    doll.hinge(&name("ankle"), &name("shank"), [0.0, 0.0, -0.39], y, [-50.0, 50.0], None)?;
    doll.hinge(&name("foot"), &name("ankle"), [0.0; 3], x, [-30.0, 30.0], Some((foot, own, mask)))
}

fn arm(doll: &mut Doll, side: &str, sign: f64) -> Result<(), BuiltinError> {
    let own = if sign > 0.0 { 16 } else { 32 };
    let mask = 1 | (LIMBS & !own);
    let name = |part: &str| format!("{side} {part}");
    let out = if sign > 0.0 { [-10.0, 130.0] } else { [-130.0, 10.0] };
    let upper = bone([0.0, 0.02 * sign, -0.03], [0.0, 0.05 * sign, -0.25], 0.04, 1.6, color::SKY);
    let fore = bone([0.0, 0.0, -0.02], [0.0, 0.0, -0.24], 0.031, 1.3, color::SAND);
    let shoulder = [0.0, 0.2 * sign, 0.3];
    doll.hinge(&name("shoulder"), "chest", shoulder, Vector3::x(), out, None)?;
    let upper = Some((upper, own, mask));
    doll.hinge(&name("upper arm"), &name("shoulder"), [0.0; 3], Vector3::y(), [-150.0, 60.0], upper)?;
    let elbow = [0.0, 0.05 * sign, -0.28];
    let fore = Some((fore, own | FOREARM, mask | TRUNK));
    doll.hinge(&name("forearm"), &name("upper arm"), elbow, Vector3::y(), [-140.0, 0.0], fore)
}

//! A scene with one body more: the rest keeps its numbers, so that what is known of it stays true.

use gudgeon_multibody::{Joint, LinkId, LinkSpec, Workspace, kinematics};
use gudgeon_spatial::{Pose, Quaternion, Vector3};

use crate::error::SceneError;
use crate::scene::{BodySpec, Placed, Scene, body_inertia};
use crate::tolerances::TYPED;

impl Scene {
    /// The same scene with a free body more, last among links and colliders.
    pub fn with_body(&self, spec: &BodySpec) -> Result<Self, SceneError> {
        let wrong = |what, value| SceneError::Value { what, of: spec.name.clone(), value };
        let [w, x, y, z] = spec.orientation;
        let q = Quaternion { w, x, y, z };
        // a thousandth: what a hand types
        if (q.norm() - 1.0).abs() > TYPED || q.norm().is_nan() {
            return Err(wrong("length of the orientation quaternion", q.norm()));
        }
        let motion = spec.velocity.iter().chain(&spec.angular_velocity);
        if let Some(&bad) = spec.position.iter().chain(motion).find(|x| !x.is_finite()) {
            return Err(wrong("position or velocity", bad));
        }
        if spec.material >= self.materials.len() {
            return Err(wrong("material", spec.material as f64));
        }
        let link = LinkSpec::new(&spec.name, "world", Joint::Free, Pose::identity(), body_inertia(spec)?);
        let mut scene = Self { model: self.model.with_link(&link)?, ..self.clone() };
        let id = LinkId(scene.model.n_links() - 1);
        let (q, p) = (q.normalized(), spec.position);
        scene.initial.q.extend([q.w, q.x, q.y, q.z, p.x, p.y, p.z]);
        // velocities are given in world axes; the turning part is kept in the body's
        let mut ws = Workspace::new(&scene.model);
        kinematics(&scene.model, &scene.initial.q, &mut ws);
        let turn = ws.pose(id).rotation.transpose() * spec.angular_velocity;
        let v = spec.velocity;
        scene.initial.v.extend([turn.x, turn.y, turn.z, v.x, v.y, v.z]);
        scene.colliders.extend(spec.shapes.iter().map(|(shape, pose)| Placed {
            link: id,
            shape: shape.clone(),
            pose: *pose,
            material: spec.material,
            group: 1,
            mask: u32::MAX,
            color: spec.color,
            name: String::new(),
            surface_velocity: Vector3::zeros(),
        }));
        Ok(scene)
    }
}

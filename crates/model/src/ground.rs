//! Flat ground under a model whose file has none.

use gudgeon_collide::{Kind, Shape};
use gudgeon_multibody::{Joint, LinkId, Workspace, kinematics};
use gudgeon_sim::{Placed, Scene};
use nalgebra::{Isometry3, Vector3};

use crate::place::isometry;

/// Adds the plane z = 0 and lifts or lowers free roots until the lowest shape of the model stands on it; a model that
/// brings shapes of the world along, such as its own ground, stays as it is. Answers whether there was something to do.
pub fn add_ground(scene: &mut Scene) -> bool {
    if scene.colliders.iter().any(|c| c.link == LinkId::WORLD) {
        return false;
    }
    if let Some(lift) = lift(scene) {
        for link in &scene.model.links()[1..] {
            if is_free_root(link.joint, link.parent) {
                scene.initial.q[link.q_range()][6] += lift;
            }
        }
    }
    scene.colliders.push(Placed {
        link: LinkId::WORLD,
        shape: Shape::plane(),
        pose: Isometry3::identity(),
        material: 0,
        group: 1,
        mask: u32::MAX,
        color: None,
        name: "ground".into(),
        surface_velocity: Vector3::zeros(),
    });
    true
}

/// What a model with a free root has to be lifted by to stand on z = 0, m.
pub(crate) fn lift(scene: &Scene) -> Option<f64> {
    if !scene.model.links()[1..].iter().any(|l| is_free_root(l.joint, l.parent)) {
        return None;
    }
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &scene.initial.q, &mut ws);
    let heights = scene.colliders.iter().filter(|c| c.link != LinkId::WORLD).map(|c| {
        let pose = isometry(&ws.pose(c.link)) * c.pose;
        match c.shape.kind() {
            // the box of a mesh is that of its own box, turned
            Kind::Mesh(mesh) => {
                let at = |v: &gudgeon_spatial::Vector3<f64>| (pose * nalgebra::Point3::from(*v)).z;
                mesh.vertices().iter().map(at).fold(f64::INFINITY, f64::min)
            }
            _ => c.shape.aabb(&pose).lo.z,
        }
    });
    let lowest = heights.fold(f64::INFINITY, f64::min);
    lowest.is_finite().then_some(-lowest)
}

fn is_free_root(joint: Joint, parent: LinkId) -> bool {
    joint == Joint::Free && parent == LinkId::WORLD
}

//! The header of a recording: every body with its shapes, as a viewer needs them.

use gudgeon_collide::{Kind, Shape};
use nalgebra::Isometry3;
use serde_json::{Value, json};

use crate::fingerprint::Fingerprint;
use crate::names::{dof_names, reading_names, stage_names};
use crate::scene::{Placed, Scene};

/// `{"scene","fingerprint","dt","every","gravity","bodies":[{"name","shapes":[{"kind",..,"position","orientation","color","touches"}]}],
/// "joints":[{"name","dof","coordinate","turns"}],"loops":[name],"sensors":[{"name","unit"}],"stages":[name]}`; body 0 is the world, joints
/// are the dofs with a coordinate of their own, sensors the readings one after another, stages those of the solver.
///
/// Shapes: `plane`, `sphere` (radius), `capsule`, `cylinder`, `cone` (half_height, radius), `box` (half), `ellipsoid`
/// (semi_axes), `mesh` (vertices flat, triangles flat); compounds are split into their parts.
pub fn recording_header(scene: &Scene, every: usize) -> Value {
    let mut bodies: Vec<Value> =
        scene.model.links().iter().map(|l| json!({"name": l.name, "shapes": []})).collect();
    let all = scene.colliders.iter().map(|c| (c, true)).chain(scene.visuals.iter().map(|c| (c, false)));
    for (placed, touches) in all {
        let mut shapes = Vec::new();
        describe(&placed.shape, &placed.pose, placed, touches, &mut shapes);
        if let Some(list) = bodies[placed.link.0]["shapes"].as_array_mut() {
            list.append(&mut shapes);
        }
    }
    let g = scene.model.gravity();
    json!({
        "scene": scene.name,
        "fingerprint": format!("{:016x}", Fingerprint::of(scene).number()),
        "dt": scene.settings.dt,
        "every": every,
        "gravity": [g.x, g.y, g.z],
        "bodies": bodies,
        "joints": joints(scene),
        "loops": loops(scene),
        "sensors": reading_names(&scene.equipment).iter().map(|(n, u)| json!({"name": n, "unit": u})).collect::<Vec<_>>(),
        "stages": stage_names(),
    })
}

/// The dofs with a coordinate of their own.
fn joints(scene: &Scene) -> Vec<Value> {
    let (model, names) = (&scene.model, dof_names(&scene.model, &scene.equipment));
    let all = names.iter().enumerate().filter_map(|(dof, name)| {
        let coordinate = model.dof_coordinate(dof)?;
        let link = model.link(model.dof_link(dof));
        let turns = link.joint.turns(dof - link.v_start);
        Some(json!({"name": name, "dof": dof, "coordinate": coordinate, "turns": turns}))
    });
    all.collect()
}

/// By their two links.
fn loops(scene: &Scene) -> Vec<String> {
    let name = |link| &scene.model.link(link).name;
    scene.model.loops().iter().map(|l| format!("{} - {}", name(l.a), name(l.b))).collect()
}

fn describe(shape: &Shape, pose: &Isometry3<f64>, placed: &Placed, touches: bool, out: &mut Vec<Value>) {
    let mut value = match shape.kind() {
        Kind::Plane => json!({"kind": "plane"}),
        Kind::Sphere(radius) => json!({"kind": "sphere", "radius": radius}),
        Kind::Capsule { half_height, radius } => {
            json!({"kind": "capsule", "half_height": half_height, "radius": radius})
        }
        Kind::Cylinder { half_height, radius } => {
            json!({"kind": "cylinder", "half_height": half_height, "radius": radius})
        }
        Kind::Cone { half_height, radius } => {
            json!({"kind": "cone", "half_height": half_height, "radius": radius})
        }
        Kind::Box(half, _) => json!({"kind": "box", "half": [half.x, half.y, half.z]}),
        Kind::Ellipsoid(axes) => json!({"kind": "ellipsoid", "semi_axes": [axes.x, axes.y, axes.z]}),
        Kind::Compound(parts) => {
            for (place, part) in parts.iter() {
                describe(part, &(pose * place), placed, touches, out);
            }
            return;
        }
        Kind::Convex(solid) => {
            let faces = solid.polytope().faces();
            let fans = faces.flat_map(|f| (2..f.len()).map(|k| [f[0], f[k - 1], f[k]])).collect();
            mesh(solid.polytope().vertices(), fans)
        }
        Kind::Mesh(surface) => mesh(surface.vertices(), surface.triangles().to_vec()),
        Kind::Heightfield(field) => mesh(field.mesh().vertices(), field.mesh().triangles().to_vec()),
    };
    let (p, q) = (pose.translation.vector, pose.rotation.quaternion());
    value["position"] = json!([p.x, p.y, p.z]);
    value["orientation"] = json!([q.w, q.i, q.j, q.k]);
    value["touches"] = json!(touches);
    if let Some(color) = placed.color {
        value["color"] = json!(color);
    }
    out.push(value);
}

fn mesh(vertices: &[nalgebra::Vector3<f64>], triangles: Vec<[u32; 3]>) -> Value {
    let vertices: Vec<f64> = vertices.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    let triangles: Vec<u32> = triangles.into_iter().flatten().collect();
    json!({"kind": "mesh", "vertices": vertices, "triangles": triangles})
}

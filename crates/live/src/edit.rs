//! What edits make of a scene: a new scene, the old one untouched.

use gudgeon_collide::Shape;
use gudgeon_multibody::LinkId;
use gudgeon_sim::{BodySpec, Scene};
use gudgeon_spatial::Vector3;

use crate::act::Act;
use crate::fields::WireError;

/// The scene with an edit done; an act that is none changes nothing.
pub fn edited(scene: &Scene, act: &Act) -> Result<Scene, WireError> {
    let mut out = scene.clone();
    match act {
        Act::Friction { value, body: None } => {
            out.materials.iter_mut().for_each(|m| m.friction = *value);
            out.pairs.iter_mut().for_each(|(_, _, m)| m.friction = *value);
        }
        Act::Friction { value, body: Some(body) } => {
            let link = link(scene, *body, true)?;
            for k in 0..out.colliders.len() {
                if out.colliders[k].link == link {
                    let mut own = out.materials[out.colliders[k].material];
                    own.friction = *value;
                    out.colliders[k].material = out.materials.len();
                    out.materials.push(own);
                    out.pairs.retain(|(a, b, _)| *a != k && *b != k);
                }
            }
        }
        Act::Gravity { value } => out.model = out.model.with_gravity(Vector3::from(*value)),
        Act::Dt { value } => out.settings.dt = *value,
        Act::Mass { body, value } => {
            let link = link(scene, *body, false)?;
            let inertia = out.model.inertia_mut(link);
            if inertia.mass <= 0.0 {
                return Err(WireError::Scene(format!("body {body} has no mass of its own to change")));
            }
            let factor = value / inertia.mass;
            inertia.mass = *value;
            inertia.about_com = inertia.about_com * factor;
        }
        Act::Add { ball, size, at } => {
            let shape = if *ball { Shape::sphere(*size) } else { Shape::cuboid(*size, *size, *size) };
            let shape = shape.map_err(|e| WireError::Scene(e.to_string()))?;
            let word = if *ball { "ball" } else { "box" };
            let taken = |n: &usize| scene.model.find(&format!("{word} {n}")).is_some();
            let n = (1..=scene.model.n_links()).find(|n| !taken(n)).unwrap_or(1);
            let [x, y, z] = *at;
            let spec = BodySpec::new(&format!("{word} {n}"), shape).at(x, y, z);
            out = scene.with_body(&spec).map_err(|e| WireError::Scene(e.to_string()))?;
        }
        Act::Grab { .. }
        | Act::Drag { .. }
        | Act::Release
        | Act::Push { .. }
        | Act::Pin { .. }
        | Act::Control { .. }
        | Act::Joint { .. }
        | Act::Place { .. }
        | Act::State { .. } => {}
    }
    Ok(out)
}

/// A body of the scene by number; the world only where it makes sense.
pub(crate) fn link(scene: &Scene, body: usize, world: bool) -> Result<LinkId, WireError> {
    let n = scene.model.n_links();
    let first = usize::from(!world);
    if (first..n).contains(&body) {
        return Ok(LinkId(body));
    }
    Err(WireError::field("body", body, format!("a number from {first} to {}", n - 1)))
}

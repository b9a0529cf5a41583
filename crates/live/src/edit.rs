//! What edits make of a scene: a new scene, the old one untouched; and orders to joints and controllers.

use gudgeon_collide::Shape;
use gudgeon_multibody::LinkId;
use gudgeon_sim::{BodySpec, Controller, JointMotion, Scene, Simulator};
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

pub(crate) fn dof_error(dof: usize, n: usize) -> WireError {
    WireError::field("dof", dof, format!("a number below {n}"))
}

/// Puts one plain coordinate elsewhere, at rest.
pub(crate) fn place(sim: &mut Simulator, dof: usize, value: f64) -> Result<(), WireError> {
    let n = sim.model().n_v();
    if dof >= n {
        return Err(dof_error(dof, n));
    }
    let Some(coordinate) = sim.model().dof_coordinate(dof) else {
        return Err(WireError::Scene(format!("dof {dof} is part of a turn about a point, not a coordinate")));
    };
    let limits = &sim.model().dofs()[dof];
    let mut state = sim.state().clone();
    state.q[coordinate] = value.clamp(limits.lower, limits.upper);
    state.v[dof] = 0.0;
    sim.set_state(&state);
    Ok(())
}

/// Sets what a controller asks for: a force, a velocity, or targets held from now on.
pub(crate) fn control(sim: &mut Simulator, index: usize, values: &[f64]) -> Result<(), WireError> {
    let n = sim.controllers().len();
    let controller = sim
        .controller_mut(index)
        .ok_or_else(|| WireError::field("index", index, format!("a number below {n}")))?;
    let many = |n: usize| WireError::field("values", format!("{} numbers", values.len()), format!("{n}"));
    match controller {
        Controller::Force { force: value, .. } | Controller::Motor { velocity: value, .. } => {
            let [x] = values else { return Err(many(1)) };
            *value = *x;
        }
        Controller::Actuator(actuator) => {
            let [x] = values else { return Err(many(1)) };
            actuator.control = *x;
        }
        Controller::Pd { motion, .. }
        | Controller::ComputedTorque { motion, .. }
        | Controller::HighGain { motion } => {
            let joints: Vec<&str> = motion.joints().iter().map(String::as_str).collect();
            let held = JointMotion::new(&joints, vec![0.0], &[values.to_vec()]);
            *motion = held.map_err(|_| many(joints.len()))?;
        }
    }
    Ok(())
}

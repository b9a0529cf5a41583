//! Keyframes: the one that is asked for by name becomes the initial state, the others can be gone to later.
//!
//! One of an attached model says its own joints and actuators; the others stay at their reference.

use gudgeon_multibody::Joint;
use gudgeon_sim::{Dynamics, Keyframe};
use gudgeon_spatial::Quaternion;

use super::{Body, JointDef, JointKind, Reader};
use crate::error::ModelFileError;
use crate::tolerances::NO_DIRECTION;
use crate::xml::Element;

impl<'a> Reader<'a> {
    /// Reads the keyframes below the root; one that is asked for must be there.
    pub(super) fn keyframes(&mut self, root: &Element<'a>) -> Result<(), ModelFileError> {
        let mut found = self.options.keyframe.is_none();
        for section in root.named("keyframe") {
            section.used();
            for key in section.named("key") {
                self.name_keyframe(&key);
                let asked =
                    self.options.keyframe.is_some() && key.peek("name") == self.options.keyframe.as_deref();
                if asked {
                    found = true;
                    self.keyframe(&key)?;
                } else {
                    key.ignored(
                        "the model starts from its reference; choose a keyframe by name to start there",
                    );
                }
            }
        }
        match &self.options.keyframe {
            Some(name) if !found => Err(root.reference_error("keyframe to start from", "keyframe", name)),
            _ => Ok(()),
        }
    }

    /// Keeps a keyframe for those who want to go there later; one that cannot be read is left to those who ask for it.
    fn name_keyframe(&mut self, key: &Element<'a>) {
        let list = |name: &str| -> Option<Option<Vec<f64>>> {
            let Some(text) = key.peek(name) else { return Some(None) };
            let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
            let numbers = numbers.ok().filter(|all| all.iter().all(|x| x.is_finite()))?;
            self.whole(key.model(), name, numbers).map(Some)
        };
        if let (Some(qpos), Some(qvel), Some(control)) = (list("qpos"), list("qvel"), list("ctrl")) {
            let name = key.peek("name").unwrap_or_default().to_owned();
            let control = control.unwrap_or_default();
            self.assembly.equipment.keyframes.push(Keyframe { name, qpos, qvel, control });
        }
    }

    fn keyframe(&mut self, key: &Element<'a>) -> Result<(), ModelFileError> {
        key.used();
        let _ = key.get("name");
        key.ignore(&["time", "mpos", "mquat"], "positions, velocities and controls are taken over");
        let joints: Vec<JointDef> = self.bodies.iter().flat_map(|b| b.joints.clone()).collect();
        let kinds: Vec<Joint> = joints.iter().map(|j| j.joint().0).collect();
        // the numbers of each joint in turn
        let split =
            |name: &str, count: &dyn Fn(&Joint) -> usize| -> Result<Option<Vec<Vec<f64>>>, ModelFileError> {
                let Some(list) = self.numbers_of(key, name)? else { return Ok(None) };
                let wanted: usize = kinds.iter().map(count).sum();
                if list.len() != wanted {
                    return Err(key.value_error(
                        name,
                        format!("{} numbers", list.len()),
                        &format!("{wanted} numbers"),
                    ));
                }
                let mut rest = &list[..];
                let parts = kinds.iter().map(|joint| {
                    let (own, after) = rest.split_at(count(joint));
                    rest = after;
                    own.to_vec()
                });
                Ok(Some(parts.collect()))
            };
        let (places, rates) = (split("qpos", &Joint::n_q)?, split("qvel", &Joint::n_v)?);
        for ((j, joint), own) in joints.iter().zip(&kinds).zip(places.into_iter().flatten()) {
            let values = match j.kind {
                JointKind::Free => vec![own[3], own[4], own[5], own[6], own[0], own[1], own[2]],
                JointKind::Ball => own,
                _ => vec![own[0] - j.reference],
            };
            self.assembly.positions.insert(j.link.clone(), normalized(values, *joint));
        }
        for (j, own) in joints.iter().zip(rates.into_iter().flatten()) {
            let values = match j.kind {
                JointKind::Free => vec![own[3], own[4], own[5], own[0], own[1], own[2]],
                _ => own,
            };
            self.assembly.velocities.insert(j.link.clone(), values);
        }
        let control = self.numbers_of(key, "ctrl")?.unwrap_or_default();
        let activation = self.numbers_of(key, "act")?.unwrap_or_default();
        self.set_controls(&control, &activation);
        Ok(())
    }
}

impl<'a> Reader<'a> {
    /// The numbers of a keyframe for all of the model.
    fn numbers_of(&self, key: &Element<'a>, name: &str) -> Result<Option<Vec<f64>>, ModelFileError> {
        let Some(list) = key.numbers(name)? else { return Ok(None) };
        let count = list.len();
        self.whole(key.model(), name, list).map(Some).ok_or_else(|| {
            key.value_error(name, format!("{count} numbers"), "as many as what is attached of its model has")
        })
    }

    /// An attached model's numbers with those of everything else, at the reference; none where their count does not fit.
    fn whole(&self, model: usize, name: &str, given: Vec<f64>) -> Option<Vec<f64>> {
        if model == 0 {
            return Some(given);
        }
        let joints = || self.bodies.iter().flat_map(|b| b.joints.iter().map(move |j| (b, j)));
        let actuators = || self.actuator_models.iter().zip(&self.assembly.actuators);
        let parts: Vec<(usize, Vec<f64>)> = match name {
            "qpos" => joints().map(|(b, j)| (b.model, at_reference(b, j))).collect(),
            "qvel" => joints().map(|(b, j)| (b.model, vec![0.0; j.joint().0.n_v()])).collect(),
            "ctrl" => actuators().map(|(m, _)| (*m, vec![0.0])).collect(),
            _ => {
                let moved = actuators().filter(|(_, a)| a.dynamics != Dynamics::None);
                moved.map(|(m, _)| (*m, vec![0.0])).collect()
            }
        };
        let mut rest = given.into_iter();
        let mut whole = Vec::new();
        for (own, reference) in parts {
            let wanted = whole.len() + reference.len();
            if own == model {
                whole.extend(rest.by_ref().take(reference.len()));
            } else {
                whole.extend(reference);
            }
            if whole.len() != wanted {
                return None;
            }
        }
        rest.next().is_none().then_some(whole)
    }
}

/// The coordinates of a joint at the reference, in the format's order.
fn at_reference(body: &Body, j: &JointDef) -> Vec<f64> {
    match j.kind {
        JointKind::Free => {
            let (p, q) = (body.x_w0.translation, Quaternion::from_matrix(&body.x_w0.rotation));
            vec![p.x, p.y, p.z, q.w, q.x, q.y, q.z]
        }
        JointKind::Ball => vec![1.0, 0.0, 0.0, 0.0],
        _ => vec![j.reference],
    }
}

fn normalized(mut q: Vec<f64>, joint: Joint) -> Vec<f64> {
    if joint.has_quaternion() {
        let turn = Quaternion::read(&q);
        let turn = if turn.norm() > NO_DIRECTION { turn.normalized() } else { Quaternion::IDENTITY };
        turn.write(&mut q);
    }
    q
}

//! Where joints start: what was asked for by name, and what couplings make of it.

use std::collections::BTreeSet;

use gudgeon_multibody::Joint;
use gudgeon_spatial::Quaternion;

use crate::assembly::{Assembly, CouplingPart};
use crate::error::{ModelFileError, Place};
use crate::report::JointInfo;

/// Names of joints that an error lists.
const LISTED: usize = 12;

/// Puts joints where `asked` wants them, by the name of the joint or of the link it moves, in the file's own meaning;
/// joints that are coupled to these follow. `at` is who asks.
pub(crate) fn place(
    assembly: &mut Assembly,
    joints: &[JointInfo],
    asked: &[(String, Vec<f64>)],
    at: &Place,
) -> Result<(), ModelFileError> {
    let mut known = BTreeSet::new();
    for (name, values) in asked {
        let info = joints.iter().find(|j| &j.name == name).or(joints.iter().find(|j| &j.link == name));
        let Some(info) = info else { return Err(unknown(name, joints, at)) };
        let wrong = |value: String, expected: String| ModelFileError::Value {
            at: at.clone(),
            what: format!("position of joint '{name}'"),
            value,
            expected,
        };
        let joint = assembly.links.iter().find(|l| l.name == info.link).map_or(Joint::Fixed, |l| l.joint);
        if values.len() != joint.n_q() {
            let expected = match joint {
                Joint::Free => "7: a turn w x y z and a place x y z".to_owned(),
                Joint::Spherical => "4: a turn w x y z".to_owned(),
                _ => joint.n_q().to_string(),
            };
            return Err(wrong(format!("{} numbers", values.len()), expected));
        }
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            return Err(wrong(bad.to_string(), "finite numbers".into()));
        }
        let mut q: Vec<f64> = values.iter().map(|v| v - info.reference).collect();
        if matches!(joint, Joint::Free | Joint::Spherical) {
            let turn = Quaternion::read(&q);
            if turn.norm() < 1e-10 {
                return Err(wrong("0 0 0 0".into(), "a turn w x y z that is not zero".into()));
            }
            turn.normalized().write(&mut q);
        }
        assembly.positions.insert(info.link.clone(), q);
        known.insert(info.link.clone());
    }
    follow(assembly, &mut known);
    Ok(())
}

/// Couplings with one joint that is not known yet give it: Σ cᵢ qᵢ + powers of the last = offset.
fn follow(assembly: &mut Assembly, known: &mut BTreeSet<String>) {
    loop {
        let mut found = None;
        for CouplingPart { terms, powers, offset } in &assembly.couplings {
            let mut open = terms.iter().filter(|t| !known.contains(&t.0));
            let (Some((link, _, c)), None) = (open.next(), open.next()) else { continue };
            if terms.len() > 1 && *c != 0.0 {
                let bent = terms.last().filter(|_| *powers != [0.0; 3]);
                if bent.is_some_and(|t| t.0 == *link) {
                    continue; // its value may not be the only one: the closing of loops finds it
                }
                let rest: f64 = terms
                    .iter()
                    .filter(|t| t.0 != *link)
                    .map(|t| t.2 * assembly.positions.get(&t.0).map_or(0.0, |q| q[t.1]))
                    .sum();
                let x = bent.map_or(0.0, |t| assembly.positions.get(&t.0).map_or(0.0, |q| q[t.1]));
                let bend = x * x * (powers[0] + x * (powers[1] + x * powers[2]));
                found = Some((link.clone(), (offset - rest - bend) / c));
                break;
            }
        }
        let Some((link, q)) = found else { return };
        assembly.positions.insert(link.clone(), vec![q]);
        known.insert(link);
    }
}

fn unknown(name: &str, joints: &[JointInfo], at: &Place) -> ModelFileError {
    let mut names: Vec<&str> = joints.iter().map(|j| j.name.as_str()).take(LISTED).collect();
    if joints.len() > LISTED {
        names.push("...");
    }
    ModelFileError::Value {
        at: at.clone(),
        what: "name of a joint".into(),
        value: name.to_owned(),
        expected: format!("one of {}", names.join(", ")),
    }
}

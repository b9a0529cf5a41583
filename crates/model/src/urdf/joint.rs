//! Joints of a URDF, and the tree they make.

use std::collections::{BTreeMap, BTreeSet};

use gudgeon_multibody::{Dof, Joint};
use gudgeon_spatial::{Pose, Vector3};

use super::{LinkElement, Reader, origin};
use crate::assembly::{CouplingPart, LinkPart};
use crate::error::ModelFileError;
use crate::place::frame_of_axis;
use crate::report::JointInfo;
use crate::tolerances::NO_AXIS;
use crate::xml::Element;

/// How far a unit axis may be from z to be z, and need no turn of the frame: rounding of its three numbers.
const SAME_AXIS: f64 = 1e-12;

/// A joint as written.
pub(super) struct JointElement<'a> {
    pub element: Element<'a>,
    pub name: &'a str,
    pub parent: &'a str,
    pub child: &'a str,
}

/// The root link, and the joints so that parents come first.
pub(super) struct Tree<'a> {
    pub root: &'a str,
    pub order: Vec<usize>,
}

pub(super) fn joints<'a>(
    root: &Element<'a>,
    links: &BTreeMap<&str, LinkElement<'a>>,
) -> Result<Vec<JointElement<'a>>, ModelFileError> {
    let mut names = BTreeSet::new();
    let mut list = Vec::new();
    for element in root.named("joint") {
        let name = element.need("name")?;
        if !names.insert(name) {
            return Err(ModelFileError::Duplicate { at: element.place(), kind: "joint", name: name.into() });
        }
        let mut ends = ["", ""];
        for (k, tag) in ["parent", "child"].into_iter().enumerate() {
            let end = element.need_child(tag)?;
            ends[k] = end.need("link")?;
            if !links.contains_key(ends[k]) {
                return Err(end.reference_error("link", "link", ends[k]));
            }
        }
        list.push(JointElement { element, name, parent: ends[0], child: ends[1] });
    }
    Ok(list)
}

pub(super) fn tree<'a>(
    robot: &Element<'a>,
    links: &[&'a str],
    joints: &[JointElement<'a>],
) -> Result<Tree<'a>, ModelFileError> {
    let mut carried: BTreeMap<&str, &JointElement> = BTreeMap::new();
    let mut below: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, joint) in joints.iter().enumerate() {
        if let Some(first) = carried.insert(joint.child, joint) {
            let reason =
                format!("link '{}' hangs on two joints, '{}' and '{}'", joint.child, first.name, joint.name);
            return Err(joint.element.structure_error(reason));
        }
        below.entry(joint.parent).or_default().push(k);
    }
    let roots: Vec<&str> = links.iter().copied().filter(|l| !carried.contains_key(l)).collect();
    let &[root] = &roots[..] else {
        let reason = match roots.len() {
            0 if links.is_empty() => "there is no link".to_owned(),
            0 => "every link hangs on another: the joints make a ring".to_owned(),
            n => format!("{n} roots: '{}', '{}' and so on; a robot has one", roots[0], roots[1]),
        };
        return Err(robot.structure_error(reason));
    };
    // depth first, in the order of the file
    let mut order = Vec::new();
    let mut stack: Vec<usize> =
        below.get(root).map(|l| l.iter().rev().copied().collect()).unwrap_or_default();
    while let Some(k) = stack.pop() {
        order.push(k);
        if let Some(next) = below.get(joints[k].child) {
            stack.extend(next.iter().rev());
        }
    }
    if order.len() != joints.len() {
        let lost = (0..joints.len()).find(|k| !order.contains(k)).expect("one is missing");
        let reason = format!("joint '{}' is in a ring that no root carries", joints[lost].name);
        return Err(joints[lost].element.structure_error(reason));
    }
    Ok(Tree { root, order })
}

impl Reader<'_> {
    pub(super) fn joint<'a>(
        &mut self,
        joint: &JointElement<'a>,
        child: &LinkElement<'a>,
        frames: &mut BTreeMap<&'a str, Pose>,
    ) -> Result<(), ModelFileError> {
        let e = &joint.element;
        e.used();
        e.ignore(&["dont_collapse"], "links are never collapsed unasked");
        let placement = frames[joint.parent].compose(&origin(e)?);
        let word = e.need("type")?;
        // an axis is read only where it means something
        let axis = match word {
            "revolute" | "continuous" | "prismatic" | "planar" => axis(e)?,
            _ => {
                if let Some(axis) = e.child("axis") {
                    axis.ignored(format!("a {word} joint has no axis"));
                }
                Vector3::x()
            }
        };
        let (kind, info, own) = match word {
            "fixed" => (Joint::Fixed, "fixed", Pose::identity()),
            "revolute" | "continuous" => (Joint::revolute(axis), "revolute", Pose::identity()),
            "prismatic" => (Joint::prismatic(axis), "prismatic", Pose::identity()),
            "floating" => (Joint::Free, "free", Pose::identity()),
            "spherical" => (Joint::Spherical, "spherical", Pose::identity()),
            "planar" => {
                // the plane is across the axis; ours is across z
                let turn = if (axis - Vector3::z()).norm() < SAME_AXIS {
                    Pose::identity()
                } else {
                    Pose::new(frame_of_axis(&axis), Vector3::zeros())
                };
                (Joint::Planar, "planar", turn)
            }
            other => {
                let expected = "revolute, continuous, prismatic, fixed, floating, planar or spherical";
                return Err(e.value_error("type", other, expected));
            }
        };
        let dof = dof(e, word, kind)?;
        self.assembly.links.push(LinkPart {
            name: child.name.to_owned(),
            parent: joint.parent.to_owned(),
            joint: kind,
            placement: placement.compose(&own),
            inertia: child.inertia.transformed(&own.inverse()),
            dofs: vec![dof; kind.n_v()],
        });
        frames.insert(child.name, own.inverse());
        if kind != Joint::Fixed {
            self.assembly.joints.push(JointInfo {
                name: joint.name.to_owned(),
                link: child.name.to_owned(),
                kind: info,
                reference: 0.0,
            });
        }
        Ok(())
    }

    /// Couples a joint to the one it copies.
    pub(super) fn mimic(&mut self, joint: &JointElement, all: &[JointElement]) -> Result<(), ModelFileError> {
        let Some(mimic) = joint.element.child("mimic") else { return Ok(()) };
        let name = mimic.peek("joint").ok_or_else(|| mimic.missing("joint"))?;
        let Some(leader) = all.iter().find(|j| j.name == name) else {
            mimic.ignored(format!("there is no joint '{name}'"));
            mimic.ignore(&["joint", "multiplier", "offset"], "the joint does not exist");
            return Ok(());
        };
        mimic.used();
        let _ = mimic.get("joint");
        let ratio = mimic.number("multiplier")?.unwrap_or(1.0);
        let offset = mimic.number("offset")?.unwrap_or(0.0);
        let plain = |name: &str| {
            self.assembly
                .links
                .iter()
                .find(|l| l.name == name)
                .is_some_and(|l| l.joint.is_vector() && l.joint.n_v() == 1)
        };
        if !plain(joint.child) || !plain(leader.child) {
            mimic.ignored("only joints with one coordinate can copy each other");
            return Ok(());
        }
        let terms = vec![(joint.child.to_owned(), 0, 1.0), (leader.child.to_owned(), 0, -ratio)];
        self.assembly.couplings.push(CouplingPart { terms, powers: [0.0; 3], offset });
        Ok(())
    }
}

fn axis(e: &Element) -> Result<Vector3<f64>, ModelFileError> {
    let Some(axis) = e.child("axis") else { return Ok(Vector3::x()) };
    axis.used();
    axis.ignore(&["rpy"], "no part of the format");
    let a = Vector3::from(axis.vector::<3>("xyz")?.unwrap_or([1.0, 0.0, 0.0]));
    if a.norm() < NO_AXIS {
        return Err(axis.value_error("xyz", "0 0 0", "a direction"));
    }
    Ok(a.normalize())
}

fn dof(e: &Element, word: &str, joint: Joint) -> Result<Dof, ModelFileError> {
    let mut dof = Dof::default();
    for (tag, why) in [
        ("safety_controller", "soft limits belong to a controller"),
        ("calibration", "joints need no calibration here"),
        ("joint_properties", "no part of the format; use <dynamics>"),
    ] {
        for child in e.named(tag) {
            child.ignored(why);
        }
    }
    let moves = joint != Joint::Fixed;
    let plain = joint.is_vector() && joint.n_v() == 1;
    if let Some(limit) = e.child("limit") {
        if moves {
            limit.used();
        } else {
            limit.ignored("the joint does not move");
        }
        limit.ignore(&["velocity"], "speeds are not limited");
        limit.ignore(&["twist", "command_effort", "current", "gear_velocity"], "no part of the format");
        if moves {
            // some writers mean "none" by a negative number
            dof.effort = limit.number("effort")?.filter(|f| *f >= 0.0).unwrap_or(f64::INFINITY);
        }
        if plain && word != "continuous" {
            dof.lower = limit.number("lower")?.unwrap_or(0.0);
            dof.upper = limit.number("upper")?.unwrap_or(0.0);
            if dof.lower > dof.upper {
                limit.approximate("lower", "above the upper limit: the joint is taken as unlimited");
                limit.approximate("upper", "below the lower limit: the joint is taken as unlimited");
                (dof.lower, dof.upper) = (f64::NEG_INFINITY, f64::INFINITY);
            }
        } else {
            limit.ignore(&["lower", "upper"], &format!("a {word} joint has no limits"));
        }
    }
    if let Some(dynamics) = e.child("dynamics") {
        dynamics.ignore(&["D", "K", "mu_coulomb", "mu_viscous"], "no part of the format");
        if moves {
            dynamics.used();
            for (key, target) in [("damping", &mut dof.damping), ("friction", &mut dof.friction)] {
                *target = dynamics.number(key)?.unwrap_or(0.0);
                if *target < 0.0 {
                    dynamics.approximate(key, "negative: taken as zero");
                    *target = 0.0;
                }
            }
        } else {
            dynamics.ignored("the joint does not move");
        }
    }
    Ok(dof)
}

//! Joints, loops, controllers and models of a scene file.

use std::collections::BTreeMap;
use std::ops::Range;

use gudgeon_multibody::{Joint, LinkSpec, LoopKind, LoopSpec};
use gudgeon_sim::{Controller, JointMotion};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use super::schema::{ControllerTable, JointTable, LoopTable, ModelTable, NumberOrList, SceneTable};
use super::{Reader, directory, shape};
use crate::error::ModelFileError;
use crate::options::{Base, FixedJoints};
use crate::place::frame_of_axis;
use crate::tolerances::NO_AXIS;
use crate::{files, model_file};

impl Reader<'_> {
    /// Joints by their child.
    pub(super) fn joint_children(&self, t: &SceneTable) -> Result<BTreeMap<String, usize>, ModelFileError> {
        let mut children = BTreeMap::new();
        for (k, joint) in t.joint.iter().enumerate() {
            let name = joint.get_ref().child.clone();
            if children.insert(name.clone(), k).is_some() {
                let at = self.at(&joint.span());
                return Err(ModelFileError::Duplicate { at, kind: "joint to the child", name });
            }
        }
        Ok(children)
    }

    fn axis(
        &self,
        span: &Range<usize>,
        key: &str,
        axis: Option<[f64; 3]>,
    ) -> Result<Vector3<f64>, ModelFileError> {
        let a = axis.map_or(Vector3::z(), Vector3::from);
        if !(a.norm() > NO_AXIS && a.norm().is_finite()) {
            return Err(self.value(span, key, format!("{:?}", a.as_slice()), "a direction"));
        }
        Ok(a.normalize())
    }

    pub(super) fn joint(
        &mut self,
        span: &Range<usize>,
        t: &JointTable,
        child: &str,
        inertia: Inertia,
    ) -> Result<LinkSpec, ModelFileError> {
        let axis = self.axis(span, "axis", t.axis)?;
        let joint = match t.kind.as_ref().as_str() {
            "fixed" => Joint::Fixed,
            "revolute" => Joint::revolute(axis),
            "prismatic" => Joint::prismatic(axis),
            "helical" => Joint::helical(axis, t.pitch.unwrap_or(0.0)),
            "cylindrical" => Joint::cylindrical(axis),
            "universal" => Joint::universal(axis, self.axis(span, "axis2", t.axis2)?),
            "planar" => Joint::Planar,
            "spherical" => Joint::Spherical,
            "free" => Joint::Free,
            other => {
                let expected =
                    "fixed, revolute, prismatic, helical, cylindrical, universal, planar, spherical or free";
                return Err(self.value(&t.kind.span(), "type of a joint", other, expected));
            }
        };
        let placement = shape::pose(t.position, t.orientation.as_ref()).map_err(|w| self.wrong(span, w))?;
        let parent = t.parent.as_deref().unwrap_or("world");
        let mut spec = LinkSpec::new(child, parent, joint, placement, inertia).each_dof(|d| {
            if let Some([lower, upper]) = t.limits {
                (d.lower, d.upper) = (lower, upper);
            }
            d.damping = t.damping.unwrap_or(d.damping);
            d.friction = t.friction.unwrap_or(d.friction);
            d.armature = t.armature.unwrap_or(d.armature);
            d.stiffness = t.stiffness.unwrap_or(d.stiffness);
            d.rest = t.rest.unwrap_or(d.rest);
            d.effort = t.effort.unwrap_or(d.effort);
        });
        let mixed = (1..joint.n_v()).any(|k| joint.turns(k) != joint.turns(0));
        if mixed && t.limits.is_some() {
            // limits of a joint with lengths and angles mean its first coordinate
            for k in 1..joint.n_v() {
                spec = spec.dof(k, |d| (d.lower, d.upper) = (f64::NEG_INFINITY, f64::INFINITY));
            }
        }
        for (what, given, n) in
            [("initial", &t.initial, joint.n_q()), ("initial_velocity", &t.initial_velocity, joint.n_v())]
        {
            let Some(values) = given.as_ref().map(NumberOrList::list) else { continue };
            if values.len() != n {
                return Err(self.value(span, what, format!("{} numbers", values.len()), &format!("{n}")));
            }
            if what == "initial" {
                self.builder.position(child, &values);
            } else {
                self.builder.velocity(child, &values);
            }
        }
        if let Some(mimic) = &t.mimic {
            let (ratio, offset) = (mimic.ratio.unwrap_or(1.0), mimic.offset.unwrap_or(0.0));
            self.builder.model().mimic(child, &mimic.joint, ratio, offset);
        }
        Ok(spec)
    }

    pub(super) fn close(&mut self, span: &Range<usize>, t: &LoopTable) -> Result<(), ModelFileError> {
        let kind = match t.kind.as_ref().as_str() {
            "point" => LoopKind::Point,
            "revolute" => LoopKind::Revolute,
            "weld" => LoopKind::Weld,
            "line" => LoopKind::Line,
            "cylindrical" => LoopKind::Cylindrical,
            "prismatic" => LoopKind::Prismatic,
            "plane" => LoopKind::Plane,
            other => {
                let expected = "point, revolute, weld, line, cylindrical, prismatic or plane";
                return Err(self.value(&t.kind.span(), "type of a loop", other, expected));
            }
        };
        let mut frames = [Pose::identity(); 2];
        for (frame, position, orientation, axis) in [
            (0, t.position_a, t.orientation_a.as_ref(), t.axis_a),
            (1, t.position_b, t.orientation_b.as_ref(), t.axis_b),
        ] {
            frames[frame] = shape::pose(position, orientation).map_err(|w| self.wrong(span, w))?;
            if axis.is_some() {
                if orientation.is_some() {
                    return Err(self.value(
                        span,
                        "axis of a loop",
                        "beside an orientation",
                        "one of the two",
                    ));
                }
                frames[frame].rotation = frame_of_axis(&self.axis(span, "axis of a loop", axis)?);
            }
        }
        let [frame_a, frame_b] = frames;
        self.builder.close(LoopSpec { kind, link_a: t.a.clone(), link_b: t.b.clone(), frame_a, frame_b });
        Ok(())
    }

    pub(super) fn model(&mut self, span: &Range<usize>, t: &ModelTable) -> Result<(), ModelFileError> {
        let at = self.at(span);
        let directory = directory(&at);
        let mut options = self.options.clone();
        options.search.extend(t.search.iter().flatten().map(|s| directory.join(s)));
        let path = files::resolve(&t.file, &directory, &at, &options)?;
        if let Some(base) = &t.base {
            options.base = match base.as_ref().as_str() {
                "auto" => Base::Auto,
                "free" => Base::Free,
                "fixed" => Base::Fixed,
                other => return Err(self.value(&base.span(), "base", other, "auto, free or fixed")),
            };
        }
        if let Some(fixed) = &t.fixed_joints {
            options.fixed = match fixed.as_ref().as_str() {
                "keep" => FixedJoints::Keep,
                "merge" => FixedJoints::Merge,
                other => return Err(self.value(&fixed.span(), "fixed_joints", other, "keep or merge")),
            };
        }
        options.meshes = t.meshes.unwrap_or(options.meshes);
        options.hulls = t.hulls.unwrap_or(options.hulls);
        options.exact.extend(t.exact.iter().flatten().cloned());
        options.keyframe = t.keyframe.clone().or(options.keyframe);
        options.joints = t.joints.iter().map(|(joint, value)| (joint.clone(), value.list())).collect();
        let (mut assembly, mut report) = model_file::read(&path, None, &options, &at)?;
        if let Some(name) = &t.material {
            let index = self.surface(span, Some(name), None, None)?;
            let material = self.builder.materials()[index];
            assembly.materials.iter_mut().for_each(|m| *m = material);
        }
        let place = shape::pose(t.position, t.orientation.as_ref()).map_err(|w| self.wrong(span, w))?;
        let name = t.name.as_deref().unwrap_or(&assembly.name).to_owned();
        if !self.models.insert(name.clone()) {
            return Err(ModelFileError::Duplicate { at, kind: "model", name });
        }
        assembly.add_to(&mut self.builder, &name, &place);
        for frame in &mut report.frames {
            frame.name = format!("{name}/{}", frame.name);
            frame.link =
                if frame.link == "world" { frame.link.clone() } else { format!("{name}/{}", frame.link) };
        }
        for joint in &mut report.joints {
            joint.name = format!("{name}/{}", joint.name);
            joint.link = format!("{name}/{}", joint.link);
        }
        self.report.append(report);
        self.equipped.push((assembly, name, place));
        Ok(())
    }

    pub(super) fn controller(
        &mut self,
        span: &Range<usize>,
        t: &ControllerTable,
    ) -> Result<(), ModelFileError> {
        let need = |attribute: &str| ModelFileError::Missing {
            at: self.at(span),
            element: format!("controller of type {}", t.kind.as_ref()),
            attribute: attribute.to_owned(),
        };
        let dof = t.dof.unwrap_or(0);
        let effort = t.effort.unwrap_or(f64::INFINITY);
        let one = || t.joint.clone().ok_or_else(|| need("joint"));
        let controller = match t.kind.as_ref().as_str() {
            "force" => Controller::Force { link: one()?, dof, force: t.force.ok_or_else(|| need("force"))? },
            "motor" => {
                let velocity = t.velocity.ok_or_else(|| need("velocity"))?;
                Controller::Motor { link: one()?, dof, velocity, effort }
            }
            "pd" => Controller::Pd {
                motion: self.motion(span, t)?,
                stiffness: t.stiffness.ok_or_else(|| need("stiffness"))?,
                damping: t.damping.unwrap_or(0.0),
                effort,
            },
            "computed-torque" => Controller::ComputedTorque {
                motion: self.motion(span, t)?,
                stiffness: t.stiffness.ok_or_else(|| need("stiffness"))?,
                damping: t.damping.unwrap_or(0.0),
            },
            "high-gain" => Controller::HighGain { motion: self.motion(span, t)? },
            other => {
                let expected = "force, pd, computed-torque, motor or high-gain";
                return Err(self.value(&t.kind.span(), "type of a controller", other, expected));
            }
        };
        self.builder.controller(controller);
        Ok(())
    }

    /// A held target, or knots: times and values.
    fn motion(&self, span: &Range<usize>, t: &ControllerTable) -> Result<JointMotion, ModelFileError> {
        let joints: Vec<&str> = match (&t.joint, &t.joints) {
            (Some(joint), None) => vec![joint],
            (None, Some(joints)) => joints.iter().map(String::as_str).collect(),
            _ => return Err(self.value(span, "controller", "no joint, or both keys", "joint or joints")),
        };
        let row = |v: &NumberOrList| match v {
            NumberOrList::One(x) => vec![*x; joints.len()],
            NumberOrList::List(x) => x.clone(),
        };
        let (times, values) = match (&t.target, &t.times, &t.values) {
            (Some(target), None, None) => (vec![0.0], vec![row(target)]),
            (None, Some(times), Some(values)) => (times.clone(), values.iter().map(row).collect()),
            _ => {
                return Err(self.value(
                    span,
                    "controller",
                    "no motion, or two",
                    "target, or times and values",
                ));
            }
        };
        JointMotion::new(&joints, times, &values).map_err(|reason| self.scene(span, reason))
    }
}

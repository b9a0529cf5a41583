//! Bodies, their joints and their shapes to links.
//!
//! A body with several joints becomes a chain of links, all but the last without mass; one with none is fixed to its parent.

use std::collections::BTreeSet;

use gudgeon_multibody::{Joint, LinkId};
use gudgeon_sim::Swing;
use gudgeon_spatial::{Inertia, Pose, Quaternion};

use super::{FREE_SWING, JointDef, Reader};
use crate::assembly::LinkPart;
use crate::error::ModelFileError;
use crate::place::isometry;
use crate::report::{BodyFrame, Finding, JointInfo, Severity};

impl Reader<'_> {
    /// Bodies and joints to links.
    pub(super) fn links(&mut self) -> Result<(), ModelFileError> {
        self.inertia_list = self.inertias();
        self.align();
        let inertias = self.inertia_list.clone();
        let mut joint_names = BTreeSet::new();
        for k in 1..self.bodies.len() {
            let body = self.bodies[k].clone();
            let (mut parent, mut x) = {
                let above = &self.bodies[body.parent];
                (above.link.clone(), above.x_lb.compose(&body.pose))
            };
            let count = body.joints.len();
            let mut x_lb = Pose::identity();
            for (j, def) in body.joints.iter().enumerate() {
                let (joint, anchor, kind) = def.joint();
                let label = def.name.clone().unwrap_or_else(|| format!("{}#{j}", body.name));
                if def.name.is_some() && !joint_names.insert(label.clone()) {
                    return Err(ModelFileError::Duplicate { at: body.at, kind: "joint", name: label });
                }
                let last = j + 1 == count;
                let link = if last { body.name.clone() } else { format!("{}/{label}", body.name) };
                let shift = Pose::from_translation(anchor.x, anchor.y, anchor.z);
                x_lb = shift.inverse();
                let inertia = if last { inertias[k].transformed(&x_lb) } else { Inertia::zero() };
                let mut placement = x.compose(&shift);
                if joint == Joint::Free {
                    let (q, p) = (Quaternion::from_matrix(&placement.rotation), placement.translation);
                    self.assembly.positions.insert(link.clone(), vec![q.w, q.x, q.y, q.z, p.x, p.y, p.z]);
                    placement = Pose::identity();
                }
                let dofs = vec![def.dof; joint.n_v()];
                self.assembly.links.push(LinkPart {
                    name: link.clone(),
                    parent,
                    joint,
                    placement,
                    inertia,
                    dofs,
                });
                self.assembly.joints.push(JointInfo {
                    name: label,
                    link: link.clone(),
                    kind,
                    reference: def.reference,
                });
                self.bodies[k].joints[j].link.clone_from(&link);
                self.equip_joint(def, joint.n_v(), &link);
                (parent, x) = (link, x_lb);
            }
            if count == 0 {
                self.assembly.links.push(LinkPart {
                    name: body.name.clone(),
                    parent,
                    joint: Joint::Fixed,
                    placement: x,
                    inertia: inertias[k],
                    dofs: Vec::new(),
                });
            }
            if body.placed && count == 0 && body.parent == 0 {
                let id = self.link_ref(&body.name);
                self.assembly.equipment.placed.push((body.name.clone(), id));
                // static as the world is
                let others = self.bodies[1..k].iter().filter(|b| b.placed && b.joints.is_empty());
                let names = others.map(|b| b.name.clone()).chain(["world".to_owned()]);
                self.assembly.apart.extend(names.map(|other| (body.name.clone(), other)));
            }
            let b = &mut self.bodies[k];
            b.link.clone_from(&body.name);
            b.x_lb = x_lb;
            self.assembly.frames.push(BodyFrame {
                name: body.name.clone(),
                link: body.name,
                pose: x_lb,
                inertia: inertias[k],
            });
        }
        Ok(())
    }

    /// What a joint carries besides its dofs.
    fn equip_joint(&mut self, def: &JointDef, dofs: usize, link: &str) {
        if def.effort.is_none() && !def.lifted && def.thrust == 0.0 && def.swing == FREE_SWING {
            return;
        }
        let id = self.link_ref(link);
        let equipment = &mut self.assembly.equipment;
        if let Some(range) = def.effort {
            equipment.effort.push((id, 0, range));
        }
        if def.swing != FREE_SWING {
            let [stiffness, limit] = def.swing;
            equipment.swings.push(Swing { link: id, stiffness, limit });
        }
        if def.lifted {
            equipment.lifted.extend((0..dofs).map(|dof| (id, dof)));
        }
        if def.thrust > 0.0 {
            equipment.thrust.extend((0..dofs).map(|dof| (id, dof, def.thrust)));
            self.report.findings.push(Finding {
                severity: Severity::Warning,
                subject: format!("joint '{}'", def.name.as_deref().unwrap_or(link)),
                what: format!("damping is negative: it is driven with {} N m s times its rate", def.thrust),
                fix: "damping = 0".into(),
            });
        }
    }

    /// Shapes to links; what never moves belongs to the world unless an exclusion names its body.
    pub(super) fn place_shapes(&mut self) {
        // (contype, conaffinity) → a bit: pairs touch if either's type is in the other's affinity
        let mut kinds: Vec<[u32; 2]> = Vec::new();
        for (_, part, types) in &self.shapes {
            if part.touches && !kinds.contains(types) {
                kinds.push(*types);
            }
        }
        let meets = |a: &[u32; 2], b: &[u32; 2]| a[0] & b[1] != 0 || b[0] & a[1] != 0;
        if kinds.len() > 32 {
            self.report.findings.push(Finding {
                severity: Severity::Warning,
                subject: "contype and conaffinity".into(),
                what: format!(
                    "{} combinations; the first 32 are told apart, the rest touch everything",
                    kinds.len()
                ),
                fix: "use fewer".into(),
            });
        }
        for (body, mut part, types) in std::mem::take(&mut self.shapes) {
            let b = &self.bodies[body];
            if b.fixed && !self.kept_apart.contains(&body) {
                part.link = "world".into();
                part.pose = isometry(&b.x_w0) * part.pose;
            } else {
                part.link.clone_from(&b.link);
                part.pose = isometry(&b.x_lb) * part.pose;
            }
            if let Some(k) = kinds.iter().position(|t| *t == types).filter(|&k| k < 32 && part.touches) {
                part.group = 1 << k;
                part.mask =
                    (0..kinds.len().min(32)).filter(|&j| meets(&types, &kinds[j])).fold(0, |m, j| m | 1 << j);
            }
            self.assembly.shapes.push(part);
            self.shape_body.push(body);
        }
    }

    /// The number by which equipment knows a link.
    pub(super) fn link_ref(&mut self, name: &str) -> LinkId {
        if let Some(&id) = self.link_index.get(name) {
            return id;
        }
        let id = LinkId(self.assembly.equipment_links.len());
        self.assembly.equipment_links.push(name.to_owned());
        self.link_index.insert(name.to_owned(), id);
        id
    }

    /// The joint of that name: its link and definition.
    pub(super) fn find_joint(&self, name: &str) -> Option<&JointDef> {
        self.bodies.iter().flat_map(|b| &b.joints).find(|j| j.name.as_deref() == Some(name))
    }
}

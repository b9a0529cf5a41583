//! A model as the formats agree on it: links in order, shapes, constraints and drives by name, ready for a scene.
//!
//! URDF and MJCF are read into this; a scene takes it under a prefix and at a place.

use std::collections::{BTreeMap, BTreeSet};

use gudgeon_collide::Shape;
use gudgeon_multibody::{Curve, Dof, Joint, LinkId, LinkSpec, LoopSpec};
use gudgeon_sim::{
    Actuator, Combine, Controller, Equipment, Grip, JointMotion, Material, NamedJoint, Scene, SceneBuilder,
    SensorKind, Side,
};
use gudgeon_spatial::{Inertia, Pose, Quaternion, Vector3};
use nalgebra::Isometry3;

use crate::place::isometry;
use crate::report::{BodyFrame, JointInfo};

/// A link and its joint.
#[derive(Debug, Clone)]
pub(crate) struct LinkPart {
    pub name: String,
    /// "world" at a root.
    pub parent: String,
    pub joint: Joint,
    pub placement: Pose,
    pub inertia: Inertia,
    pub dofs: Vec<Dof>,
}

/// Σ coefficient · q(link, dof) = offset; the last of the terms may add powers of its coordinate.
#[derive(Debug, Clone)]
pub(crate) struct CouplingPart {
    pub terms: Vec<(String, usize, f64)>,
    /// Factors of q², q³ and q⁴ of the last term's coordinate.
    pub powers: [f64; 3],
    pub offset: f64,
}

/// A shape on a link.
#[derive(Debug, Clone)]
pub(crate) struct ShapePart {
    pub link: String,
    pub name: String,
    pub shape: Shape,
    pub pose: Isometry3<f64>,
    pub material: usize,
    pub group: u32,
    pub mask: u32,
    pub color: Option<[f32; 4]>,
    pub touches: bool,
}

/// A model read from a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assembly {
    pub name: String,
    pub gravity: Option<Vector3<f64>>,
    pub dt: Option<f64>,
    pub links: Vec<LinkPart>, // parents first
    pub shapes: Vec<ShapePart>,
    pub materials: Vec<Material>,
    pub combine: Combine,
    pub loops: Vec<LoopSpec>,
    pub couplings: Vec<CouplingPart>,
    pub apart: Vec<(String, String)>,
    /// Shapes by index among the touching ones.
    pub pairs: Vec<(usize, usize, Material)>,
    pub positions: BTreeMap<String, Vec<f64>>,
    pub velocities: BTreeMap<String, Vec<f64>>,
    pub controllers: Vec<Controller>,
    /// By material; empty where the format says nothing of it.
    pub grips: Vec<Grip>,
    /// What the names of `equipment_links` carry, by index.
    pub equipment: Equipment,
    pub actuators: Vec<Actuator>,
    pub equipment_links: Vec<String>,
    pub frames: Vec<BodyFrame>,
    pub joints: Vec<JointInfo>,
}

/// Links welded together of which every pair is still listed: 780 pairs.
const CROWD: usize = 40;

fn renamed(prefix: &str, name: &str) -> String {
    if name == "world" || prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
}

impl Assembly {
    /// Welds links on fixed joints to what carries them.
    pub(crate) fn merge_fixed(&mut self) {
        // link → what it became, and its frame there
        let mut became: BTreeMap<String, (String, Pose)> = BTreeMap::new();
        let mut kept: Vec<LinkPart> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        for mut link in std::mem::take(&mut self.links) {
            if let Some((carrier, x)) = became.get(&link.parent) {
                link.placement = x.compose(&link.placement);
                link.parent.clone_from(carrier);
            }
            if link.joint == Joint::Fixed {
                if let Some(&k) = index.get(&link.parent) {
                    let carrier = &mut kept[k].inertia;
                    *carrier = carrier.merged(link.inertia.transformed(&link.placement));
                }
                became.insert(link.name, (link.parent, link.placement));
            } else {
                index.insert(link.name.clone(), kept.len());
                kept.push(link);
            }
        }
        self.links = kept;
        for shape in &mut self.shapes {
            if let Some((carrier, x)) = became.get(&shape.link) {
                shape.pose = isometry(x) * shape.pose;
                shape.link.clone_from(carrier);
            }
        }
        for frame in &mut self.frames {
            if let Some((carrier, x)) = became.get(&frame.link) {
                frame.pose = x.compose(&frame.pose);
                frame.link.clone_from(carrier);
            }
        }
        for k in 0..self.equipment_links.len() {
            if let Some((carrier, _)) = became.get(&self.equipment_links[k])
                && !self.equipment_links.contains(carrier)
            {
                self.equipment_links.push(carrier.clone());
            }
        }
        let names = &self.equipment_links;
        let carried = |id: LinkId| match became.get(&names[id.0]) {
            Some((carrier, x)) => (LinkId(names.iter().position(|n| n == carrier).unwrap_or(id.0)), *x),
            None => (id, Pose::identity()),
        };
        self.equipment.remap(&carried);
        self.actuators.iter_mut().for_each(|a| a.path.remap(&carried));
        for l in &mut self.loops {
            for (link, frame) in [(&mut l.link_a, &mut l.frame_a), (&mut l.link_b, &mut l.frame_b)] {
                if let Some((carrier, x)) = became.get(link) {
                    *frame = x.compose(frame);
                    link.clone_from(carrier);
                }
            }
        }
        for (a, b) in &mut self.apart {
            for link in [a, b] {
                if let Some((carrier, _)) = became.get(link) {
                    link.clone_from(carrier);
                }
            }
        }
        self.apart.retain(|(a, b)| a != b);
        self.apart.sort();
        self.apart.dedup();
    }

    /// Sets apart what a joint holds together: links welded to each other, and those on the two sides of one joint.
    /// A fixed base counts; shapes of the world itself, such as the ground, may be touched by what hangs on them.
    pub(crate) fn part_neighbours(&mut self) {
        self.gather_crowds();
        let shaped: BTreeSet<&str> =
            self.shapes.iter().filter(|s| s.touches).map(|s| s.link.as_str()).collect();
        let mut weld: BTreeMap<&str, &str> = BTreeMap::from([("world", "world")]);
        let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut over: Vec<(&str, &str)> = Vec::new();
        // links between the joints of one body have neither mass nor shape: what they hang on counts
        let mut bare: BTreeMap<&str, &str> = BTreeMap::new();
        for link in &self.links {
            let parent = weld.get(link.parent.as_str()).copied().unwrap_or("world");
            let parent = bare.get(parent).copied().unwrap_or(parent);
            if link.inertia.mass == 0.0 && link.joint != Joint::Fixed && !shaped.contains(link.name.as_str())
            {
                bare.insert(&link.name, parent);
            }
            let own = if link.joint == Joint::Fixed { parent } else { link.name.as_str() };
            weld.insert(&link.name, own);
            if shaped.contains(link.name.as_str()) {
                members.entry(own).or_default().push(&link.name);
            }
            if own != parent {
                over.push((own, parent));
            }
        }
        let mut pairs = Vec::new();
        let empty = Vec::new();
        for list in members.values() {
            for (k, a) in list.iter().enumerate() {
                pairs.extend(list[k + 1..].iter().map(|b| ((*a).to_owned(), (*b).to_owned())));
            }
        }
        for (child, parent) in over {
            for a in members.get(child).unwrap_or(&empty) {
                for b in members.get(parent).unwrap_or(&empty) {
                    pairs.push(((*a).to_owned(), (*b).to_owned()));
                }
            }
        }
        self.apart.append(&mut pairs);
    }

    /// Where many links with shapes are welded together, the shapes go to the link that carries them all: shapes of one
    /// link never touch, and the pairs need not be listed.
    fn gather_crowds(&mut self) {
        let shaped: BTreeSet<&str> =
            self.shapes.iter().filter(|s| s.touches).map(|s| s.link.as_str()).collect();
        // link → the link it is welded to, and its frame there
        let mut weld: BTreeMap<&str, (&str, Pose)> = BTreeMap::from([("world", ("world", Pose::identity()))]);
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for link in &self.links {
            let own = match weld.get(link.parent.as_str()) {
                Some((carrier, x)) if link.joint == Joint::Fixed => (*carrier, x.compose(&link.placement)),
                _ => (link.name.as_str(), Pose::identity()),
            };
            weld.insert(&link.name, own);
            *count.entry(own.0).or_default() += usize::from(shaped.contains(link.name.as_str()));
        }
        let moves: Vec<Option<(String, Pose)>> = self
            .shapes
            .iter()
            .map(|s| {
                let (carrier, x) = weld.get(s.link.as_str())?;
                (s.touches && count.get(carrier).is_some_and(|n| *n > CROWD))
                    .then(|| ((*carrier).to_owned(), *x))
            })
            .collect();
        for (shape, to) in self.shapes.iter_mut().zip(moves) {
            if let Some((carrier, x)) = to {
                shape.link = carrier;
                shape.pose = isometry(&x) * shape.pose;
            }
        }
    }

    /// Adds everything to a scene: links under `prefix/`, roots moved by `at`.
    pub(crate) fn add_to(&self, builder: &mut SceneBuilder, prefix: &str, at: &Pose) {
        let name = |n: &str| renamed(prefix, n);
        let first = builder.materials().len();
        for (k, material) in self.materials.iter().enumerate() {
            builder.material(*material);
            if let Some(grip) = self.grips.get(k) {
                builder.grip(first + k, *grip);
            }
        }
        for link in &self.links {
            let root = link.parent == "world";
            let placement = match (root, link.joint) {
                // a free root keeps the world's axes; where it is goes into its coordinates
                (true, Joint::Free) => Pose::identity(),
                (true, _) => at.compose(&link.placement),
                _ => link.placement,
            };
            let mut spec =
                LinkSpec::new(&name(&link.name), &name(&link.parent), link.joint, placement, link.inertia);
            for (k, dof) in link.dofs.iter().enumerate() {
                spec = spec.dof(k, |d| *d = *dof);
            }
            builder.link(spec);
            let given = self.positions.get(&link.name);
            if root && link.joint == Joint::Free {
                let neutral = vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
                let q = given.unwrap_or(&neutral);
                let own = Pose::new(Quaternion::read(q).to_matrix(), Vector3::new(q[4], q[5], q[6]));
                let moved = at.compose(&link.placement).compose(&own);
                let turn = Quaternion::from_matrix(&moved.rotation);
                let p = moved.translation;
                builder.position(&name(&link.name), &[turn.w, turn.x, turn.y, turn.z, p.x, p.y, p.z]);
            } else if let Some(q) = given {
                builder.position(&name(&link.name), q);
            }
            if let Some(v) = self.velocities.get(&link.name) {
                builder.velocity(&name(&link.name), v);
            }
        }
        let touching = builder.n_colliders();
        for s in &self.shapes {
            let link = name(&s.link);
            let pose = if s.link == "world" { isometry(at) * s.pose } else { s.pose };
            let placed = if s.touches {
                builder.collider(&link, s.shape.clone(), pose)
            } else {
                builder.visual(&link, s.shape.clone(), pose)
            };
            placed.material = if self.materials.is_empty() { 0 } else { first + s.material };
            (placed.group, placed.mask, placed.color) = (s.group, s.mask, s.color);
            placed.name.clone_from(&s.name);
        }
        for l in &self.loops {
            let mut spec = l.clone();
            for (link, frame) in
                [(&mut spec.link_a, &mut spec.frame_a), (&mut spec.link_b, &mut spec.frame_b)]
            {
                if link == "world" {
                    *frame = at.compose(frame);
                }
                *link = name(link);
            }
            builder.close(spec);
        }
        for CouplingPart { terms, powers, offset } in &self.couplings {
            let names: Vec<String> = terms.iter().map(|t| name(&t.0)).collect();
            let terms: Vec<(&str, usize, f64)> =
                terms.iter().zip(&names).map(|(t, n)| (n.as_str(), t.1, t.2)).collect();
            match terms.last().filter(|_| *powers != [0.0; 3]) {
                Some((cam, ..)) => {
                    let [a, b, c] = *powers;
                    let curve = Curve::polynomial([0.0, 0.0, -a, -b, -c]);
                    builder.model().couple_along(&terms, *offset, cam, curve);
                }
                None => {
                    builder.model().couple(&terms, *offset);
                }
            }
        }
        for (a, b) in &self.apart {
            builder.apart(&name(a), &name(b));
        }
        for (a, b, material) in &self.pairs {
            builder.pair(touching + a, touching + b, *material);
            builder.meet(touching + a, touching + b);
        }
        for controller in &self.controllers {
            builder.controller(rename_controller(controller, prefix));
        }
    }

    /// Gives the scene that this was added to, under the same prefix and at the same place, its actuators and equipment.
    pub(crate) fn equip(&self, scene: &mut Scene, prefix: &str, at: &Pose) {
        let links: Vec<LinkId> = self
            .equipment_links
            .iter()
            .map(|n| scene.model.find(&renamed(prefix, n)).unwrap_or(LinkId::WORLD))
            .collect();
        let to = |id: LinkId| {
            let x = if self.equipment_links[id.0] == "world" { *at } else { Pose::identity() };
            (links[id.0], x)
        };
        let label = |name: &str| {
            if prefix.is_empty() || name.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
        };
        let mut equipment = self.equipment.clone();
        equipment.remap(&to);
        equipment.rename(&label);
        // sensors of contacts know shapes by their number here
        let collider = |shape: usize| {
            let s = self.shapes.get(shape)?;
            let link = scene.model.find(&renamed(prefix, &s.link)).unwrap_or(LinkId::WORLD);
            let pose = if s.link == "world" { isometry(at) * s.pose } else { s.pose };
            scene.colliders.iter().position(|c| c.link == link && c.name == s.name && c.pose == pose)
        };
        for sensor in &mut equipment.sensors {
            let SensorKind::Contacts(watch) = &mut sensor.kind else { continue };
            for side in &mut watch.sides {
                if let Side::Colliders(list) = side {
                    *list = list.iter().filter_map(|k| collider(*k)).collect();
                }
            }
        }
        let (sites, tendons) = (scene.equipment.sites.len(), scene.equipment.tendons.len());
        let controllers = scene.controllers.len();
        for actuator in &self.actuators {
            let mut own = actuator.clone();
            own.name = label(&own.name);
            own.path.remap(&to);
            own.path.shift(sites, tendons);
            scene.controllers.push(Controller::Actuator(Box::new(own)));
        }
        let find = |link: &str| scene.model.find(&renamed(prefix, link));
        equipment.joints = self
            .joints
            .iter()
            .filter_map(|j| {
                let (name, link) = (label(&j.name), find(&j.link)?);
                Some(NamedJoint { name, link, reference: j.reference })
            })
            .collect();
        // a root that is free though no joint of the file says so comes first
        for (k, link) in self.links.iter().filter(|l| l.joint == Joint::Free).enumerate() {
            if let Some(id) = find(&link.name)
                && !equipment.joints.iter().any(|j| j.link == id)
            {
                let name = label(&link.name);
                equipment.joints.insert(k, NamedJoint { name, link: id, reference: 0.0 });
            }
        }
        scene.equipment.append(equipment, controllers);
        scene.complete_equipment();
    }
}

fn rename_controller(controller: &Controller, prefix: &str) -> Controller {
    let rename = |motion: &JointMotion| motion.renamed(|joint| renamed(prefix, joint));
    let mut copy = controller.clone();
    match &mut copy {
        Controller::Actuator(_) => {}
        Controller::Force { link, .. } | Controller::Motor { link, .. } => *link = renamed(prefix, link),
        Controller::Pd { motion, .. }
        | Controller::ComputedTorque { motion, .. }
        | Controller::HighGain { motion } => *motion = rename(motion),
    }
    copy
}

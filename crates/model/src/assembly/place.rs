//! An assembly put into a scene that is being built: every part under the assembly's prefix, roots moved to its place.

use gudgeon_multibody::{Curve, Joint, LinkSpec};
use gudgeon_sim::{Controller, JointMotion, SceneBuilder};
use gudgeon_spatial::{Pose, Quaternion, Vector3};

use super::{Assembly, CouplingPart, LinkPart, renamed};
use crate::place::isometry;

impl Assembly {
    /// Adds everything to a scene: links under `prefix/`, roots moved by `at`.
    pub(crate) fn add_to(&self, builder: &mut SceneBuilder, prefix: &str, at: &Pose) {
        let name = |n: &str| renamed(prefix, n);
        let (first_material, first_collider) = (builder.materials().len(), builder.n_colliders());
        for (k, material) in self.materials.iter().enumerate() {
            builder.material(*material);
            if let Some(grip) = self.grips.get(k) {
                builder.grip(first_material + k, *grip);
            }
        }
        for link in &self.links {
            self.add_link(link, builder, prefix, at);
        }
        self.add_shapes(builder, prefix, at, first_material);
        self.add_loops(builder, prefix, at);
        self.add_couplings(builder, prefix);
        for (a, b) in &self.apart {
            builder.apart(&name(a), &name(b));
        }
        for (a, b, material) in &self.pairs {
            builder.pair(first_collider + a, first_collider + b, *material);
            builder.meet(first_collider + a, first_collider + b);
        }
        for controller in &self.controllers {
            builder.controller(rename_controller(controller, prefix));
        }
    }

    /// A link with its joint, and where and how fast it starts.
    fn add_link(&self, link: &LinkPart, builder: &mut SceneBuilder, prefix: &str, at: &Pose) {
        let name = |n: &str| renamed(prefix, n);
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

    fn add_shapes(&self, builder: &mut SceneBuilder, prefix: &str, at: &Pose, first_material: usize) {
        for s in &self.shapes {
            let link = renamed(prefix, &s.link);
            let pose = if s.link == "world" { isometry(at) * s.pose } else { s.pose };
            let placed = if s.touches {
                builder.collider(&link, s.shape.clone(), pose)
            } else {
                builder.visual(&link, s.shape.clone(), pose)
            };
            placed.material = if self.materials.is_empty() { 0 } else { first_material + s.material };
            (placed.group, placed.mask, placed.color) = (s.group, s.mask, s.color);
            placed.name.clone_from(&s.name);
        }
    }

    fn add_loops(&self, builder: &mut SceneBuilder, prefix: &str, at: &Pose) {
        for l in &self.loops {
            let mut spec = l.clone();
            for (link, frame) in
                [(&mut spec.link_a, &mut spec.frame_a), (&mut spec.link_b, &mut spec.frame_b)]
            {
                if link == "world" {
                    *frame = at.compose(frame);
                }
                *link = renamed(prefix, link);
            }
            builder.close(spec);
        }
    }

    fn add_couplings(&self, builder: &mut SceneBuilder, prefix: &str) {
        for CouplingPart { terms, powers, offset } in &self.couplings {
            let names: Vec<String> = terms.iter().map(|t| renamed(prefix, &t.0)).collect();
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

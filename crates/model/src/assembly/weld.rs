//! Links without a joint between them: welded into one, or kept from touching each other.

use std::collections::{BTreeMap, BTreeSet};

use gudgeon_multibody::{Joint, LinkId};
use gudgeon_spatial::Pose;

use super::{Assembly, LinkPart};
use crate::place::isometry;

/// Links welded together of which every pair is still listed: 780 pairs.
const CROWD: usize = 40;

impl Assembly {
    /// Welds links on fixed joints to what carries them, but for those of these names.
    pub(crate) fn merge_fixed(&mut self, but: &BTreeSet<String>) {
        // link → what it became, and its frame there
        let mut became: BTreeMap<String, (String, Pose)> = BTreeMap::new();
        let mut kept: Vec<LinkPart> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        for mut link in std::mem::take(&mut self.links) {
            if let Some((carrier, x)) = became.get(&link.parent) {
                link.placement = x.compose(&link.placement);
                link.parent.clone_from(carrier);
            }
            if link.joint == Joint::Fixed && !but.contains(&link.name) {
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
}

//! `fusestatic`: bodies without joints become part of what carries them, but for those that something else names.

use std::collections::BTreeSet;

use super::Reader;
use crate::report::BodyFrame;
use crate::xml::Element;

/// Attributes that name bodies.
const NAMES: [&str; 6] = ["body", "body1", "body2", "target", "subtree1", "subtree2"];

impl<'a> Reader<'a> {
    /// Fuses what may be, if the file asks for it.
    pub(super) fn fuse(&mut self, root: &Element<'a>) {
        if !self.compilers[0].fuse {
            return;
        }
        let mut named = BTreeSet::new();
        self.collect(root, &mut named);
        let placed = self.bodies.iter().filter(|b| b.placed && b.joints.is_empty() && b.parent == 0);
        named.extend(placed.map(|b| b.name.clone()));
        let lifted = self.bodies.iter().zip(&self.gravcomp).filter(|(_, part)| **part != 0.0);
        named.extend(lifted.map(|(b, _)| b.name.clone()));
        self.assembly.merge_fixed(&named);
        self.merge_frames(&named);
    }

    /// What is told of the bodies: those that are left, with what they took over.
    fn merge_frames(&mut self, named: &BTreeSet<String>) {
        let mut sums = self.inertia_list.clone();
        let fused = |k: usize| {
            let b = &self.bodies[k];
            b.joints.is_empty() && !named.contains(&b.name)
        };
        for k in (1..sums.len()).rev().filter(|k| fused(*k)) {
            let (own, parent) = (sums[k].transformed(&self.bodies[k].pose), self.bodies[k].parent);
            sums[parent] = sums[parent].merged(own);
        }
        let frames = std::mem::take(&mut self.assembly.frames).into_iter().zip(1..);
        let left = frames.filter(|(_, k)| !fused(*k));
        self.assembly.frames = left.map(|(frame, k)| BodyFrame { inertia: sums[k], ..frame }).collect();
    }

    /// Bodies that elements below this one name, and those whose joint's load is measured.
    fn collect(&self, e: &Element<'a>, named: &mut BTreeSet<String>) {
        named.extend(NAMES.iter().filter_map(|key| e.peek(key)).map(str::to_owned));
        for (kind, name) in [("objtype", "objname"), ("reftype", "refname")] {
            if let (Some("body" | "xbody"), Some(name)) = (e.peek(kind), e.peek(name)) {
                named.insert(name.to_owned());
            }
        }
        if matches!(e.tag(), "force" | "torque")
            && let Some(site) = e.peek("site").and_then(|name| self.site_of(name))
        {
            let link = self.assembly.equipment.sites[site].link;
            named.insert(self.assembly.equipment_links[link.0].clone());
        }
        e.children().for_each(|child| self.collect(&child, named));
    }
}

//! Springs of contacts belong to patches, not to points: how many corners a patch is written with is no property of a surface.
//!
//! Points of two colliders whose normals agree are a patch. Its stiffness and its damping are those of the material, shared evenly by the
//! points that are within the margin, touching or not: a face of four corners gives way as a ball does, and its corners do not become
//! stiffer when one of them lifts off.

use gudgeon_spatial::Vector3;

use super::Simulator;
use crate::contact_info::ContactInfo;

/// Cosine of the angle up to which normals agree: 10 degrees, as in the patches of collision detection.
const ALIKE: f64 = 0.985;

impl Simulator {
    /// Gives each contact its part of the spring of its patch.
    pub(super) fn share_springs(&mut self) {
        let is_soft = |c: &ContactInfo| c.material.stiffness.is_finite();
        if !self.contacts.iter().chain(&self.meeting.waiting).any(is_soft) {
            return;
        }
        let margin = self.margin();
        for k in 0..self.contacts.len() + self.meeting.waiting.len() {
            let kept = self.contacts.len();
            let c = if k < kept { &self.contacts[k] } else { &self.meeting.waiting[k - kept] };
            if !is_soft(c) {
                continue;
            }
            let alike = |o: &&ContactInfo| o.gap <= margin.max(c.gap) && agree(&c.normal, &o.normal);
            let points = [&self.contacts, &self.meeting.waiting]
                .map(|list| same_pair(list, c).iter().filter(alike).count());
            let share = 1.0 / (points[0] + points[1]).max(1) as f64;
            let c = if k < kept { &mut self.contacts[k] } else { &mut self.meeting.waiting[k - kept] };
            c.material.stiffness *= share;
            c.material.damping *= share;
        }
    }
}

fn agree(n: &Vector3<f64>, m: &Vector3<f64>) -> bool {
    n.dot(m) > ALIKE
}

/// The contacts of one pair of colliders, which follow each other.
fn same_pair<'a>(list: &'a [ContactInfo], c: &ContactInfo) -> &'a [ContactInfo] {
    let first = list.partition_point(|o| o.colliders < c.colliders);
    let last = list.partition_point(|o| o.colliders <= c.colliders);
    &list[first..last]
}

//! Springs of contacts belong to patches, not to points: how many corners a patch is written with is no property of a surface.
//!
//! Points of two colliders whose normals agree, from neighbour to neighbour, are a patch. Its stiffness k and its damping are those of the material,
//! shared by its points.
//! ```text
//!     flat      evenly, by the points within the margin, touching or not: a face of four corners gives way as a ball does, and its corners do
//!               not become stiffer when one of them lifts off
//!     curved    by depth, w_i = d_i³ / Σ d_j³, d = depth below the surface: facets of a groove are one surface, and the ball on them feels
//!               k Σ d⁴ / Σ d³, k times the deepest point of few facets, 0.89 times that of a groove and 0.8 of a bowl of ever finer ones; a
//!               facet that begins to touch begins with nothing
//! ```
//! The depths are those at the start of a step, so that within it a share is a constant.

use gudgeon_spatial::Vector3;

use super::Simulator;
use crate::contact_info::ContactInfo;

/// Cosine of the angle up to which normals agree from one point to the next: 0.45 rad, up to which meshes are taken for curved surfaces.
const ALIKE: f64 = 0.9004;

/// Cosine of the angle up to which a patch is flat: a microradian. With a milliradian two tori that lie on each other are flat, and the edge of
/// their overlap, where it is none, halves the stiffness of the middle.
const FLAT: f64 = 1.0 - 5e-13;

/// Least part of the deepest point's share that any point of a curved patch has: a spring of none is no row. Hundreds of points together have less
/// than a hundredth of the patch.
const LEAST: f64 = 1e-5;

/// A contact with a spring, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spring {
    colliders: (usize, usize),
    normal: Vector3<f64>,
    gap: f64,
    /// Among those that take part, then among those that wait.
    at: usize,
}

impl Simulator {
    /// Gives each contact its part of the spring of its patch.
    pub(super) fn share_springs(&mut self) {
        let mut springs = std::mem::take(&mut self.meeting.springs);
        springs.clear();
        let all = self.contacts.iter().chain(&self.meeting.waiting).enumerate();
        springs.extend(all.filter(|(_, c)| c.material.stiffness.is_finite()).map(|(at, c)| Spring {
            colliders: c.colliders,
            normal: c.normal,
            gap: c.gap,
            at,
        }));
        springs.sort_unstable_by_key(|s| (s.colliders, s.at));
        let mut rest = springs.as_mut_slice();
        while !rest.is_empty() {
            let points = first_patch(rest);
            let (patch, others) = rest.split_at_mut(points);
            self.share(patch);
            rest = others;
        }
        self.meeting.springs = springs;
    }

    /// Shares the spring of a patch.
    fn share(&mut self, patch: &[Spring]) {
        let Some(first) = patch.first() else { return };
        let margin = self.margin();
        if patch.iter().all(|s| s.normal.dot(&first.normal) > FLAT) {
            for own in patch {
                let points = patch.iter().filter(|s| s.gap <= margin.max(own.gap)).count();
                self.soften(own.at, 1.0 / points.max(1) as f64);
            }
            return;
        }
        let deepest = patch.iter().fold(f64::INFINITY, |least, s| least.min(s.gap));
        let scale = (-deepest).max(self.settings.overlap_tolerance);
        let weight = |s: &Spring| LEAST + ((scale + deepest - s.gap) / scale).max(0.0).powi(3);
        let sum: f64 = patch.iter().map(weight).sum();
        for own in patch {
            self.soften(own.at, weight(own) / sum);
        }
    }

    fn soften(&mut self, at: usize, share: f64) {
        let kept = self.contacts.len();
        let c: &mut ContactInfo =
            if at < kept { &mut self.contacts[at] } else { &mut self.meeting.waiting[at - kept] };
        c.material.stiffness *= share;
        c.material.damping *= share;
    }
}

/// Brings the points that hang together with the first to the front; how many they are.
fn first_patch(springs: &mut [Spring]) -> usize {
    let (mut found, mut at) = (1, 0);
    let pair = springs[0].colliders;
    let end = springs.partition_point(|s| s.colliders <= pair);
    while at < found {
        let mut next = found;
        while next < end {
            if springs[at].normal.dot(&springs[next].normal) > ALIKE {
                springs.swap(found, next);
                found += 1;
            }
            next += 1;
        }
        at += 1;
    }
    found
}

//! How a contact's point, normal and gap change with the poses of its shapes.
//!
//! Moving both shapes together moves the contact along, so only the motion of a against b counts. With b held and a
//! moved by a twist (θ, d) about the contact point p, in world axes,
//! ```text
//!     δp = P (θ, d),     δn = N (θ, d),     δgap = g·(θ, d)
//! ```
//! and for any two twists ξ_a, ξ_b the answer is that of ξ_a − ξ_b, carried along by ξ_b.
//!
//! `features` has these in closed form from what touches: vertex, edge, face, rim, round side. Where a contact is made of
//! more than two features (the contour of two meshes) or they cannot be told, the narrow phase itself is asked at twelve
//! poses beside the given one (`differences`), and the answer says so.

mod differences;
mod features;

use nalgebra::{Isometry3, Matrix3x6, Vector6};

use crate::contact::{ContactPoint, Raw};
use crate::geometry::{Collider, Geometry};
use crate::pair;
use crate::rigid::Rigid;

/// Where slopes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlopeSource {
    /// Closed form of the features that touch.
    Features,
    /// Differences of the narrow phase, good to nine digits.
    Differences,
}

/// Change of a contact per twist of a against b about the contact point, angular part first, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSlopes {
    /// Of the point, m per rad and per m.
    pub point: Matrix3x6<f64>,
    /// Of the normal, per rad and per m.
    pub normal: Matrix3x6<f64>,
    /// Of the gap, m per rad and per m.
    pub gap: Vector6<f64>,
    /// How they were found.
    pub source: SlopeSource,
}

/// Memory of the slopes.
#[derive(Debug, Clone, Default)]
pub struct SlopeWorkspace {
    narrow: pair::PairScratch,
    raw: Vec<Raw>,
}

impl SlopeWorkspace {
    /// The slopes of a contact found at `poses` (of bodies, as the contact was found with); `None` where the narrow
    /// phase does not find it again.
    pub fn slopes(
        &mut self,
        geometry: &Geometry,
        poses: &[Isometry3<f64>],
        contact: &ContactPoint,
    ) -> Option<ContactSlopes> {
        let [(a, xa), (b, xb)] = placed(geometry, poses, contact);
        features::slopes(&a.shape, &xa, &b.shape, &xb, contact)
            .or_else(|| self.differences(&a.shape, &xa, &b.shape, &xb, contact))
    }

    /// As [`Self::slopes`], always by differences: the second road.
    pub fn slopes_by_differences(
        &mut self,
        geometry: &Geometry,
        poses: &[Isometry3<f64>],
        contact: &ContactPoint,
    ) -> Option<ContactSlopes> {
        let [(a, xa), (b, xb)] = placed(geometry, poses, contact);
        self.differences(&a.shape, &xa, &b.shape, &xb, contact)
    }
}

impl Geometry {
    /// The collider whose face the normal of a contact found at `poses` goes along with when the shapes turn; of two faces on each other the wider one, or
    /// a's. None where no flat side gave the normal, or where that cannot be told.
    pub fn leading_face(&self, poses: &[Isometry3<f64>], contact: &ContactPoint) -> Option<usize> {
        let [(a, xa), (b, xb)] = placed(self, poses, contact);
        let led = features::led_by_a(&a.shape, &xa, &b.shape, &xb, &contact.normal)?;
        Some(if led { contact.a } else { contact.b })
    }
}

/// The two colliders of a contact, each with its pose in the world.
fn placed<'g>(
    geometry: &'g Geometry,
    poses: &[Isometry3<f64>],
    contact: &ContactPoint,
) -> [(&'g Collider, Rigid); 2] {
    [contact.a, contact.b].map(|k| {
        let c = &geometry.colliders()[k];
        let local = Rigid::new(&c.pose);
        (c, c.body.map_or(local, |b| Rigid::new(&poses[b]).mul(&local)))
    })
}

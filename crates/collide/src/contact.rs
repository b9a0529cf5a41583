//! What the narrow phase reports, and how a contact gets its name.
//!
//! A contact's id is a mix of what it is made of (colliders, parts, features), never of the order it was
//! found in: the same two features give the same id in every step, which is what warm starts need. Within a
//! pair of colliders all ids differ: the mix is a bijection of the key, and `reduce::name_apart` makes the keys differ.

use crate::rigid::{Rigid, Vec3};

/// One contact point between two colliders, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// Index of the first collider, always the smaller.
    pub a: usize,
    /// Index of the second collider.
    pub b: usize,
    /// Midway between the two surfaces: `point + normal * gap / 2` lies on a, `point - normal * gap / 2` on b.
    pub point: Vec3,
    /// Unit, from b into a.
    pub normal: Vec3,
    /// Signed distance along the normal in metres; negative is penetration.
    pub gap: f64,
    /// Which features touch; equal from step to step while they do, and unlike any other id of the pair (a, b).
    pub id: u64,
}

/// A contact of one pair before reduction, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Raw {
    pub point: Vec3,
    pub normal: Vec3,
    pub gap: f64,
    pub key: u64,
    /// Contacts of one patch share this; reduction never mixes patches.
    pub patch: u32,
}

impl Raw {
    /// From points on both surfaces.
    pub(crate) fn between(a: &Vec3, b: &Vec3, normal: Vec3, key: u64, patch: u32) -> Self {
        Self { point: (a + b) * 0.5, normal, gap: normal.dot(&(a - b)), key, patch }
    }

    /// The same contact with the bodies exchanged.
    pub(crate) fn flipped(&self) -> Self {
        Self { normal: -self.normal, ..*self }
    }

    pub(crate) fn moved(&self, x: &Rigid) -> Self {
        Self { point: x.point(&self.point), normal: x.dir(&self.normal), ..*self }
    }
}

/// A 64-bit mix of two numbers; a bijection of `b` for every `a` (splitmix64's finaliser).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a pair of features.
pub(crate) fn features(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The key with the bodies exchanged.
pub(crate) fn swapped(key: u64) -> u64 {
    key.rotate_left(32)
}

//! Patches that several colliders of two bodies make together, thinned to the points that bear.
//!
//! A finger pad of nine boxes against another is eighty pairs of colliders, each with up to eight points, in one plane: collision detection
//! thins out each pair, but the patch is that of the bodies. Points between the same two links with one normal and one surface are a
//! patch; of those that have more points than one pair may have, [`Bearing`] keeps those without which a motion could close a gap. Where
//! forces lie within the patch stays as free as Coulomb's law leaves it; what is lost is none of the forces and moments that it can give.

use gudgeon_collide::Bearing;
use gudgeon_spatial::Vector3;

use super::Simulator;
use super::memory::Meeting;
use crate::contact_info::ContactInfo;

/// Points that a patch may have before it is thinned: as many as the reduction leaves one pair.
const FEW: usize = 8;

/// Sine of the angle up to which normals are one, rad: boxes side by side agree to rounding, and a patch of 0.1 m is flat to 1e-10 m.
const ONE: f64 = 1e-9;

/// Scratch of the thinning.
#[derive(Debug, Clone, Default)]
pub(super) struct Thinning {
    bearing: Bearing,
    order: Vec<u32>,
    patch: Vec<u32>,
    points: Vec<(Vector3<f64>, f64)>,
    keep: Vec<bool>,
    seen: Vec<bool>,
    gone: Vec<bool>,
}

impl Simulator {
    /// Leaves out contacts that bear nothing which others of their patch do not.
    pub(super) fn thin(&mut self) {
        if self.contacts.len() <= FEW
            || !self.surfaces.belts.is_empty()
            || !self.drive.actuation.adhesion.is_empty()
        {
            return;
        }
        let Self { contacts, meeting: Meeting { thinning, .. }, .. } = self;
        let Thinning { bearing, order, patch, points, keep, seen, gone } = thinning;
        for list in [&mut *seen, &mut *gone] {
            list.clear();
            list.resize(contacts.len(), false);
        }
        order.clear();
        order.extend((0..contacts.len()).map(|k| u32::try_from(k).unwrap_or(u32::MAX)));
        let links = |k: u32| {
            let c = &contacts[k as usize];
            (c.a.0.min(c.b.0), c.a.0.max(c.b.0))
        };
        order.sort_unstable_by_key(|&k| (links(k), k));
        for run in order.chunk_by(|&i, &j| links(i) == links(j)) {
            let first = contacts[run[0] as usize].colliders;
            if run.len() <= FEW || run.iter().all(|&k| contacts[k as usize].colliders == first) {
                continue;
            }
            for (at, &k) in run.iter().enumerate() {
                if seen[k as usize] {
                    continue;
                }
                let lead = &contacts[k as usize];
                patch.clear();
                patch.extend(run[at..].iter().filter(|&&i| alike(lead, &contacts[i as usize])));
                for &i in patch.iter() {
                    seen[i as usize] = true;
                }
                if patch.len() <= FEW {
                    continue;
                }
                points.clear();
                points.extend(patch.iter().map(|&i| (contacts[i as usize].point, contacts[i as usize].gap)));
                bearing.keep(&lead.normal, points, keep);
                patch.iter().zip(&*keep).for_each(|(&i, keep)| gone[i as usize] = !keep);
            }
        }
        let mut k = 0;
        contacts.retain(|_| {
            k += 1;
            !gone[k - 1]
        });
    }
}

/// Whether two contacts of the same links are of one patch: hard ones, for springs are shared by the points of a pair.
fn alike(c: &ContactInfo, o: &ContactInfo) -> bool {
    let side = if c.a == o.a { 1.0 } else { -1.0 };
    let one = c.normal.dot(&o.normal) * side > 0.0 && c.normal.cross(&o.normal).norm_squared() <= ONE * ONE;
    one && c.material == o.material && c.material.stiffness.is_infinite()
}

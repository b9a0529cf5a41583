//! Numbers, contacts and warm starts from the bytes of a snapshot; none are believed.

use gudgeon_lcp::{ContactMode, WarmEntry, WarmKind, WarmStart};
use gudgeon_multibody::LinkId;
use gudgeon_spatial::Vector3;

use super::SnapshotError;
use crate::contact_info::ContactInfo;
use crate::surface::Material;

/// The bytes that are still to be read.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(SnapshotError::Damaged)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(super) fn u32(&mut self) -> Result<u32, SnapshotError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, SnapshotError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn number(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_bits(self.u64()?))
    }

    fn index(&mut self) -> Result<usize, SnapshotError> {
        usize::try_from(self.u64()?).map_err(|_| SnapshotError::Damaged)
    }

    fn vector(&mut self) -> Result<Vector3<f64>, SnapshotError> {
        Ok(Vector3::new(self.number()?, self.number()?, self.number()?))
    }

    pub(super) fn warm(&mut self) -> Result<WarmStart, SnapshotError> {
        let mut entries = Vec::new();
        for _ in 0..self.u32()? {
            entries.push(WarmEntry {
                kind: match self.array::<1>()?[0] {
                    0 => WarmKind::Contact,
                    1 => WarmKind::Unilateral,
                    2 => WarmKind::Bounded,
                    _ => return Err(SnapshotError::Damaged),
                },
                mode: self.mode()?,
                id: self.u64()?,
                basis: self.u64()?,
                facets: self.u32()?,
                angle: self.number()?,
                impulse: [self.number()?, self.number()?, self.number()?],
            });
        }
        Ok(WarmStart::from_entries(entries))
    }

    fn mode(&mut self) -> Result<ContactMode, SnapshotError> {
        ContactMode::from_byte(self.array::<1>()?[0]).ok_or(SnapshotError::Damaged)
    }

    pub(super) fn contact(&mut self) -> Result<ContactInfo, SnapshotError> {
        let mode = self.mode()?;
        Ok(ContactInfo {
            a: LinkId(self.index()?),
            b: LinkId(self.index()?),
            colliders: (self.index()?, self.index()?),
            id: self.u64()?,
            point: self.vector()?,
            rise: self.number()?,
            normal: self.vector()?,
            gap: self.number()?,
            force: self.vector()?,
            moment: self.vector()?,
            slip: self.vector()?,
            mode,
            material: Material {
                friction: self.number()?,
                restitution: self.number()?,
                stiffness: self.number()?,
                damping: self.number()?,
                torsion: self.number()?,
                rolling: self.number()?,
                kinetic: Some(self.number()?).filter(|k| !k.is_nan()),
            },
        })
    }

    pub(super) fn numbers(&mut self) -> Result<Vec<f64>, SnapshotError> {
        let n = self.u32()? as usize;
        if n.checked_mul(8).is_none_or(|bytes| bytes > self.0.len()) {
            return Err(SnapshotError::Damaged);
        }
        (0..n).map(|_| Ok(f64::from_bits(self.u64()?))).collect()
    }
}

//! Everything a run needs to go on, to the bit.
//!
//! ```text
//!     "GUDSNAP1"  steps u64  time f64  q: count u32, f64s  v  control  values of controllers
//!     warm start: count u32, each kind u8, mode u8, id u64, basis u64, facets u32, angle f64, impulse 3 × f64
//!     fallbacks: count u32, u64s
//! ```
//! Little-endian. Settings and scene are not in it: a snapshot belongs to the scene it was taken of.

use gudgeon_lcp::{ContactMode, WarmEntry, WarmKind, WarmStart};
use gudgeon_multibody::State;

use crate::controller::Controller;
use crate::simulator::Simulator;

const MAGIC: &[u8; 8] = b"GUDSNAP1";

/// Why a snapshot could not be restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is not one, or it is cut short.
    #[error("not a snapshot, or cut short")]
    Damaged,
    /// It was taken of another scene.
    #[error("the snapshot has {found} {what}, the scene has {expected}")]
    Mismatch {
        /// What is counted.
        what: &'static str,
        /// In the snapshot.
        found: usize,
        /// In the scene.
        expected: usize,
    },
}

impl Simulator {
    /// The present moment as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&self.steps.to_le_bytes());
        out.extend_from_slice(&self.time.to_le_bytes());
        let values: Vec<f64> = self.controllers().iter().map(value).collect();
        for list in [&self.state.q, &self.state.v, &self.control, &values] {
            count(&mut out, list.len());
            for x in list {
                out.extend_from_slice(&x.to_le_bytes());
            }
        }
        let entries = self.ladder.warm.entries();
        count(&mut out, entries.len());
        for e in entries {
            out.extend_from_slice(&[e.kind as u8, e.mode as u8]);
            out.extend_from_slice(&e.id.to_le_bytes());
            out.extend_from_slice(&e.basis.to_le_bytes());
            out.extend_from_slice(&e.facets.to_le_bytes());
            for x in [e.angle, e.impulse[0], e.impulse[1], e.impulse[2]] {
                out.extend_from_slice(&x.to_le_bytes());
            }
        }
        count(&mut out, self.fallbacks().len());
        self.fallbacks().iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        out
    }

    /// Goes back to the moment of a snapshot of the same scene; on an error nothing changes.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let mut at = Reader(bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Damaged)?);
        let (steps, time) = (at.u64()?, f64::from_bits(at.u64()?));
        let (q, v, control, values) = (at.numbers()?, at.numbers()?, at.numbers()?, at.numbers()?);
        let same = |what, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(SnapshotError::Mismatch { what, found, expected }) }
        };
        same("position coordinates", q.len(), self.model().n_q())?;
        same("degrees of freedom", v.len(), self.model().n_v())?;
        same("joint forces", control.len(), self.model().n_v())?;
        same("controllers", values.len(), self.controllers().len())?;
        let mut entries = Vec::new();
        for _ in 0..at.u32()? {
            entries.push(WarmEntry {
                kind: match at.array::<1>()?[0] {
                    0 => WarmKind::Contact,
                    1 => WarmKind::Unilateral,
                    2 => WarmKind::Bounded,
                    _ => return Err(SnapshotError::Damaged),
                },
                mode: match at.array::<1>()?[0] {
                    0 => ContactMode::Open,
                    1 => ContactMode::Stick,
                    2 => ContactMode::Slip,
                    _ => return Err(SnapshotError::Damaged),
                },
                id: at.u64()?,
                basis: at.u64()?,
                facets: at.u32()?,
                angle: f64::from_bits(at.u64()?),
                impulse: [f64::from_bits(at.u64()?), f64::from_bits(at.u64()?), f64::from_bits(at.u64()?)],
            });
        }
        let mut fallbacks = Vec::new();
        for _ in 0..at.u32()? {
            fallbacks.push(at.u64()?);
        }
        same("rungs of the ladder", fallbacks.len(), self.fallbacks().len())?;
        (self.steps, self.time) = (steps, time);
        self.set_state(State { q, v });
        self.control = control;
        self.ladder.warm = WarmStart::from_entries(entries);
        self.set_fallbacks(&fallbacks);
        for (index, x) in values.into_iter().enumerate() {
            match self.controller_mut(index) {
                Some(Controller::Force { force, .. }) => *force = x,
                Some(Controller::Motor { velocity, .. }) => *velocity = x,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The number that may change while a controller runs.
fn value(controller: &Controller) -> f64 {
    match controller {
        Controller::Force { force, .. } => *force,
        Controller::Motor { velocity, .. } => *velocity,
        _ => 0.0,
    }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(SnapshotError::Damaged)?;
        self.0 = rest;
        Ok(*head)
    }

    fn u32(&mut self) -> Result<u32, SnapshotError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, SnapshotError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn numbers(&mut self) -> Result<Vec<f64>, SnapshotError> {
        let n = self.u32()? as usize;
        if n.checked_mul(8).is_none_or(|bytes| bytes > self.0.len()) {
            return Err(SnapshotError::Damaged);
        }
        (0..n).map(|_| Ok(f64::from_bits(self.u64()?))).collect()
    }
}

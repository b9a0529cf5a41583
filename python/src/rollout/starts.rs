//! Where the copies of a rollout start: states by rows, or snapshots.

use gudgeon_multibody::State;
use gudgeon_sim::{Scene, Simulator};
use pyo3::prelude::*;

use super::answer::Widths;
use crate::arrays::{Floats, floats};
use crate::snapshot;

/// Where the copies start.
pub(super) enum Starts<'py> {
    States { q: Floats<'py>, v: Floats<'py> },
    Snapshots(Vec<Vec<u8>>),
}

impl<'py> Starts<'py> {
    /// From snapshots, or from the rows of q0 and v0; and how many they are.
    pub(super) fn read(
        scene: &Scene,
        widths: Widths,
        [q0, v0]: [&Bound<'py, PyAny>; 2],
        snapshots: Option<Vec<Vec<u8>>>,
    ) -> PyResult<(usize, Self)> {
        if let Some(list) = snapshots {
            return Ok((list.len(), Self::Snapshots(list)));
        }
        let q = floats("q0", q0, &[None, Some(widths.q)])?;
        let v = floats("v0", v0, &[Some(q.shape[0]), Some(widths.v)])?;
        for (copy, q) in q.as_slice().chunks(widths.q.max(1)).enumerate() {
            crate::model::check_turns(scene, q, &format!("q0 of copy {copy}"))?;
        }
        Ok((q.shape[0], Self::States { q, v }))
    }

    /// The simulator that copies are made of; it has tried every snapshot, so that a damaged one is told before anything runs.
    pub(super) fn plain(&self, py: Python<'_>, scene: &Scene) -> PyResult<Simulator> {
        let plain = crate::panics::caught(|| py.detach(|| Simulator::new(scene)))?;
        let mut plain = plain.map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        if let Self::Snapshots(list) = self {
            for (copy, bytes) in list.iter().enumerate() {
                snapshot::restore_kin(&mut plain, scene, bytes)
                    .map_err(|e| crate::SnapshotError::new_err(format!("x0 of copy {copy}: {e}")))?;
            }
            plain = Simulator::new(scene).map_err(|e| crate::ModelError::new_err(e.to_string()))?;
        }
        Ok(plain)
    }

    pub(super) fn borrowed(&self) -> Borrowed<'_> {
        match self {
            Self::States { q, v } => Borrowed::States { q: q.as_slice(), v: v.as_slice() },
            Self::Snapshots(list) => Borrowed::Snapshots(list),
        }
    }
}

/// The starts without Python.
pub(super) enum Borrowed<'a> {
    States { q: &'a [f64], v: &'a [f64] },
    Snapshots(&'a [Vec<u8>]),
}

impl Borrowed<'_> {
    /// Puts a simulator there; false if there is no such place.
    pub(super) fn put(&self, sim: &mut Simulator, scene: &Scene, copy: usize) -> bool {
        match self {
            Self::States { q, v } => {
                let (nq, nv) = (sim.model().n_q(), sim.model().n_v());
                let q = q[copy * nq..(copy + 1) * nq].to_vec();
                let v = v[copy * nv..(copy + 1) * nv].to_vec();
                let whole = q.iter().chain(&v).all(|x| x.is_finite());
                if whole {
                    sim.set_state(&State { q, v });
                }
                whole
            }
            Self::Snapshots(list) => snapshot::restore_kin(sim, scene, &list[copy]).is_ok(),
        }
    }
}

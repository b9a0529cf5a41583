//! Contacts as records of a structured array, laid over the simulator's own memory.
//!
//! A view must outlive the step that made it. So before the next step, if any array still looks at the contacts, their
//! memory is handed over to those arrays and the simulator goes on with memory of its own: what a caller holds never
//! changes and never dangles.

use std::mem::offset_of;
use std::sync::{Arc, Mutex, PoisonError};

use gudgeon_sim::{ContactInfo, Mode, Simulator};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arrays::{record, view};

/// Memory that arrays look at after the simulator has let go of it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Held(Arc<Mutex<Vec<ContactInfo>>>);

/// Keeps the memory of contacts alive for an array.
#[pyclass(frozen, module = "gudgeon._core")]
struct ContactMemory {
    _held: Held,
}

const _: () = assert!(size_of::<Mode>() == 1, "modes are bytes");

fn dtype(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static DTYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = DTYPE.get_or_try_init(py, || {
        let fields = [
            ("a", "u8", offset_of!(ContactInfo, a.0)),
            ("b", "u8", offset_of!(ContactInfo, b.0)),
            ("collider_a", "u8", offset_of!(ContactInfo, colliders.0)),
            ("collider_b", "u8", offset_of!(ContactInfo, colliders.1)),
            ("id", "u8", offset_of!(ContactInfo, id)),
            ("point", "3f8", offset_of!(ContactInfo, point)),
            ("normal", "3f8", offset_of!(ContactInfo, normal)),
            ("gap", "f8", offset_of!(ContactInfo, gap)),
            ("force", "3f8", offset_of!(ContactInfo, force)),
            ("moment", "3f8", offset_of!(ContactInfo, moment)),
            ("slip", "3f8", offset_of!(ContactInfo, slip)),
            ("mode", "u1", offset_of!(ContactInfo, mode)),
            ("friction", "f8", offset_of!(ContactInfo, material.friction)),
            ("restitution", "f8", offset_of!(ContactInfo, material.restitution)),
        ];
        record(py, &fields, size_of::<ContactInfo>()).map(Bound::unbind)
    })?;
    Ok(made.bind(py).clone())
}

impl Held {
    /// The contacts of the last step, without a copy.
    pub(crate) fn array<'py>(
        &self,
        py: Python<'py>,
        contacts: &[ContactInfo],
    ) -> PyResult<Bound<'py, PyAny>> {
        let owner = Bound::new(py, ContactMemory { _held: self.clone() })?.into_any();
        // SAFETY: the memory stays where it is until `release`, which hands it to the owner.
        unsafe { view(dtype(py)?, &[contacts.len()], contacts.as_ptr(), false, owner) }
    }

    /// To be called before the simulator changes its contacts: leaves their memory to the arrays that look at it.
    pub(crate) fn release(&mut self, sim: &mut Simulator) {
        if Arc::strong_count(&self.0) > 1 {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = sim.take_contacts();
            self.0 = Arc::default();
        }
    }
}

/// Contacts of many steps, in memory of their own.
pub(crate) fn owned(py: Python<'_>, contacts: Vec<ContactInfo>) -> PyResult<Bound<'_, PyAny>> {
    let held = Held(Arc::new(Mutex::new(contacts)));
    let (data, n) = {
        let list = held.0.lock().unwrap_or_else(PoisonError::into_inner);
        (list.as_ptr(), list.len())
    };
    let owner = Bound::new(py, ContactMemory { _held: held })?.into_any();
    // SAFETY: the owner keeps the list, and nobody else has it.
    unsafe { view(dtype(py)?, &[n], data, false, owner) }
}

//! Simulators in Python objects, which threads may share.
//!
//! A simulator keeps scratch memory of its solver in a cell, so it may be sent to another thread but not shared. That
//! cell is used in two places only: by a step, which holds the simulator exclusively, and by a clone. So sharing is
//! sound for everything but cloning, and this wrapper does not let anyone clone without holding it exclusively.

use std::ops::{Deref, DerefMut};

use gudgeon_sim::Simulator;

/// A simulator that may be looked at from several threads.
pub(crate) struct Alone(Simulator);

// SAFETY: see the top of the file; looking at states, contacts and poses touches no cell.
unsafe impl Sync for Alone {}

impl Alone {
    pub(crate) fn new(sim: Simulator) -> Self {
        Self(sim)
    }
}

impl Deref for Alone {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        &self.0
    }
}

impl DerefMut for Alone {
    fn deref_mut(&mut self) -> &mut Simulator {
        &mut self.0
    }
}

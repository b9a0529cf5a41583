//! Ctrl-C: the first asks a run to end after its step, the second ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit code of a run that was asked to stop: 128 and the number of the signal, as shells say it.
pub(crate) const STOPPED: u8 = 130;

/// Whether Ctrl-C was pressed since [`Interrupt::watch`].
pub(crate) struct Interrupt(&'static Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen; where that cannot be done, Ctrl-C does what it always does.
    pub(crate) fn watch() -> Self {
        // one flag per run of the program: solves under way look at it for as long as there are any
        let pressed: &'static Arc<AtomicBool> = Box::leak(Box::default());
        // in this order: the one that ends the program sees only what was pressed before
        let second = flag::register_conditional_default(SIGINT, Arc::clone(pressed));
        if second.is_ok() {
            let _unheard = flag::register(SIGINT, Arc::clone(pressed));
        }
        Self(pressed)
    }

    /// The flag, for solves that are under way.
    pub(crate) fn flag(&self) -> gudgeon_lcp::Interrupt {
        gudgeon_lcp::Interrupt::new(self.0)
    }

    pub(crate) fn pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

//! Ctrl-C while Rust works without the interpreter's lock.
//!
//! Python tells of signals only to its main thread, and only when that asks. So a solve on the main thread asks every few milliseconds,
//! wherever it looks at its limits; solves on threads of ours look at a flag, which the calling thread raises
//! (`threads`). What asks too often waits for the interpreter's lock where other threads of Python are busy: a look that took long is
//! followed by ten times as long without one.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gudgeon_lcp::Interrupt;
use pyo3::prelude::*;

/// How long Rust works before it lets Python look for Ctrl-C.
pub(crate) const PATIENCE: Duration = Duration::from_millis(4);
/// So many times as long as a look took there is none.
const PAUSE: u32 = 10;

/// What a thread listens to.
#[derive(Default)]
enum Ear {
    /// Nobody.
    #[default]
    Deaf,
    /// Python's signals; when it looks next, and whether one was heard.
    Signals { next: Option<Instant>, heard: bool },
    /// Whoever raises this flag.
    Flag(Arc<AtomicBool>),
}

thread_local! {
    static EAR: RefCell<Ear> = const { RefCell::new(Ear::Deaf) };
    static ERROR: RefCell<Option<PyErr>> = const { RefCell::new(None) };
    static MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

/// To be put into a budget or into settings: asks whatever the thread listens to.
pub(crate) fn interrupt() -> Interrupt {
    Interrupt::asking(asked)
}

/// Whether the work under way was told to stop, without asking anew.
pub(crate) fn stopped() -> bool {
    EAR.with_borrow(|ear| matches!(ear, Ear::Signals { heard: true, .. }))
}

/// Asks.
pub(crate) fn asked() -> bool {
    let (known, due) = EAR.with_borrow_mut(|ear| match ear {
        Ear::Deaf => (false, None),
        Ear::Flag(flag) => (flag.load(Ordering::Relaxed), None),
        Ear::Signals { heard: true, .. } => (true, None),
        Ear::Signals { next, .. } => {
            let now = Instant::now();
            let due = *next.get_or_insert(now + PATIENCE);
            (false, (now >= due).then_some(now))
        }
    });
    // handlers of signals are Python and may solve things themselves: nothing is borrowed meanwhile
    due.map_or(known, look)
}

fn look(began: Instant) -> bool {
    // a signal may also be heard on the way to who this is
    let told = Python::attach(|py| py.check_signals().and_then(|()| is_main(py)));
    let now = Instant::now();
    let next = Some(now + PATIENCE.max(PAUSE * (now - began)));
    match told {
        Ok(true) => EAR.set(Ear::Signals { next, heard: false }),
        // where there is nothing to hear, there is nothing to ask
        Ok(false) => EAR.set(Ear::Deaf),
        Err(error) => {
            ERROR.set(Some(error));
            EAR.set(Ear::Signals { next, heard: true });
            return true;
        }
    }
    false
}

/// Whether this is the thread that Python runs handlers of signals on.
fn is_main(py: Python<'_>) -> PyResult<bool> {
    if let Some(main) = MAIN.get() {
        return Ok(main);
    }
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    let same = main.eq(threading.call_method0("get_ident")?)?;
    MAIN.set(Some(same));
    Ok(same)
}

/// Listens to a flag, on a thread of ours.
pub(crate) fn follow(flag: &Arc<AtomicBool>) {
    EAR.set(Ear::Flag(Arc::clone(flag)));
}

/// Does some work without the interpreter's lock, listening to signals where it looks at [`interrupt`]. Ctrl-C is an error,
/// whatever the work made of it, and so is a panic.
pub(crate) fn listening<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    // work within work, by a handler, leaves things as it found them
    let before = EAR.replace(Ear::Signals { next: None, heard: false });
    let answer = crate::panics::caught(|| py.detach(work));
    let after = EAR.replace(before);
    let error = ERROR.take();
    if let (Ear::Signals { heard: true, .. }, Some(error)) = (after, error) {
        return Err(error);
    }
    py.check_signals()?;
    answer
}

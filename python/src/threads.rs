//! Work on threads, with an eye on Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

/// As many threads as asked for, or as the machine has.
pub(crate) fn threads_of(asked: usize) -> usize {
    if asked > 0 { asked } else { std::thread::available_parallelism().map_or(1, std::num::NonZero::get) }
}

/// Tells the caller that a thread has ended, also by a panic.
struct Leaving<'a> {
    working: &'a AtomicUsize,
    caller: &'a std::thread::Thread,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.working.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

/// Runs `work` on every item, on threads, looking for Ctrl-C and telling the progress meanwhile. Solves that ask `watch::interrupt`
/// hear of it too.
pub(crate) fn spread<T: Send>(
    py: Python<'_>,
    items: Vec<T>,
    threads: usize,
    progress: Option<&Py<PyAny>>,
    work: impl Fn(T, &AtomicBool) + Sync,
) -> PyResult<()> {
    let total = items.len();
    let workers = threads.min(total);
    let (done, working) = (AtomicUsize::new(0), AtomicUsize::new(workers));
    let stop = Arc::new(AtomicBool::new(false));
    let queue = Mutex::new(items.into_iter());
    let broken: Mutex<Option<PyErr>> = Mutex::new(None);
    let failure = py.detach(|| {
        let caller = std::thread::current();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let _leaving = Leaving { working: &working, caller: &caller };
                    crate::watch::follow(&stop);
                    loop {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(item) = next.filter(|_| !stop.load(Ordering::Relaxed)) else { break };
                        if let Err(error) = crate::panics::caught(|| work(item, &stop)) {
                            stop.store(true, Ordering::Relaxed);
                            *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            break;
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let mut told = 0;
            while working.load(Ordering::Acquire) > 0 {
                std::thread::park_timeout(crate::watch::PATIENCE);
                let now = done.load(Ordering::Relaxed);
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(progress) = progress.filter(|_| now > told && now < total) {
                        progress.call1(py, (now, total))?;
                    }
                    PyResult::Ok(())
                });
                told = now;
                if let Err(error) = looked {
                    stop.store(true, Ordering::Relaxed);
                    return Some(error);
                }
            }
            None
        })
    });
    let broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure.or(broken) {
        return Err(error);
    }
    if let Some(progress) = progress {
        progress.call1(py, (total, total))?;
    }
    Ok(())
}

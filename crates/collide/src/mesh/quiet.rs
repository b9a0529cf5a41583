//! Panics of a reader that is not ours, caught without a word on the standard error.
//!
//! The hook that prints panics is one for the whole program. It is wrapped once; the wrapper is silent on a thread that is
//! inside [`catch`] and does what the hook before it did everywhere else.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `work` answers, or nothing if it panics.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                before(panic);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let answer = catch_unwind(AssertUnwindSafe(work)).ok();
    QUIET.set(outer);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_nothing_and_the_thread_may_speak_again() {
        assert_eq!(catch(|| 3), Some(3));
        assert_eq!(catch(|| -> i32 { panic!("malformed") }), None);
        assert!(!QUIET.get());
        assert_eq!(catch(|| catch(|| -> i32 { panic!("inner") }).is_none()), Some(true));
    }
}

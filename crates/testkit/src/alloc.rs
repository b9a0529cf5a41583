//! A global allocator that counts, to prove that the second solve of a size allocates nothing.
//!
//! The counters belong to the *thread*: tests that run side by side do not disturb each other, and work
//! handed to other threads is not seen. An integration test installs it once per binary:
//!
//! ```
//! use gudgeon_testkit::alloc::{self, Counting};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! let mut memory = vec![0.0; 100];
//! let ((), counts) = alloc::count(|| memory.fill(1.0));
//! assert_eq!(counts.allocations, 0);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

thread_local! {
    // const and without a destructor: reading it never allocates, at any time in a thread's life
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { allocations: 0, bytes: 0 }) };
}

/// What a piece of work asked the allocator for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls for new or larger memory; giving back is free.
    pub allocations: u64,
    /// The bytes asked for in them.
    pub bytes: u64,
}

/// The system's allocator, counting.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counting;

fn note(bytes: usize) {
    // the counter is gone only while its thread is being torn down: nobody is measuring then
    let _ = COUNTS.try_with(|counts| {
        let Counts { allocations, bytes: before } = counts.get();
        counts.set(Counts { allocations: allocations + 1, bytes: before + bytes as u64 });
    });
}

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call is handed to the system's allocator as it came"
)]
// SAFETY: all four methods forward their arguments unchanged to `System`, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise on `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(new_size);
        // SAFETY: `ptr` came from `System` by `alloc` above, with this `layout`.
        unsafe { System.realloc(ptr, layout, new_size) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }
}

/// Runs the work and counts what this thread allocated in it.
///
/// Panics when [`Counting`] is not the global allocator of the binary: a count of zero would prove nothing.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Counts) {
    let read = || COUNTS.with(Cell::get);
    let idle = read();
    drop(black_box(Box::new(0_u64)));
    let start = read();
    assert_ne!(idle, start, "gudgeon_testkit::alloc::Counting is not the #[global_allocator] of this binary");
    let result = work();
    let end = read();
    (result, Counts { allocations: end.allocations - start.allocations, bytes: end.bytes - start.bytes })
}

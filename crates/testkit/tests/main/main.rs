//! The kit's own tests: what the solvers are tested with must itself be right.

mod alloc; // the counting allocator counts
mod campaign; // cases repeat, fit their sizes and have solutions
mod exact; // the oracle agrees with enumeration and with the literature
mod scenes; // what is done to a scene is what its name says

#[global_allocator]
static ALLOCATOR: gudgeon_testkit::alloc::Counting = gudgeon_testkit::alloc::Counting;

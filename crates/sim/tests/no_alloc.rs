//! A step of a warm simulation allocates nothing.

use gudgeon_sim::Simulator;
use gudgeon_testkit::alloc::{Counting, count};

use crate::scene;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_step_allocates_nothing() {
    for (name, warm) in
        [("wall", 50), ("stack", 50), ("push", 700), ("nlegs", 50), ("fourbar", 50), ("ragdoll", 50)]
    {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        for _ in 0..warm {
            let _ = sim.step().unwrap();
        }
        let ((), counts) = count(|| {
            for _ in 0..20 {
                let _ = sim.step().unwrap();
            }
        });
        println!("{name}: {counts:?} in 20 steps");
        assert_eq!(counts.allocations, 0, "{name}");
    }
}

//! After the first, steps allocate nothing. A counting allocator watches, per thread.

#![expect(unsafe_code, reason = "an allocator cannot be written without it; it only counts and forwards")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, Load, MassFactor, MassMatrix, Order, Rows, Scheme, Stepper, Whitened,
    Workspace, crba, kinematics, velocities,
};
use gudgeon_spatial::Vector3;

use crate::support::random::Random;
use crate::support::{mechanisms, trees};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // a thread on its way out has no counter any more; nothing is measured there
    let _ = COUNT.try_with(|c| c.set(c.get() + 1));
}

// SAFETY: every call is forwarded unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn one_step_of_a_25_joint_chain_allocates_nothing() {
    let model = trees::chain(25, Joint::revolute(Vector3::y()));
    let mut state = trees::state(&mut Random::new(1), &model);
    let tau = vec![0.1; model.n_v()];
    let mut stepper = Stepper::new(&model);
    for scheme in [Scheme::SemiImplicit, Scheme::Midpoint { iterations: 2 }, Scheme::Carried, Scheme::Rk4] {
        let found = allocations(|| {
            stepper.step(&model, &mut state, &tau, &[], 1e-4, scheme);
        });
        assert_eq!(found, 0, "{scheme:?}");
    }
    assert_eq!(allocations(|| drop(vec![1.0; 10])), 1, "the counter counts");
}

#[test]
fn the_second_step_of_a_mechanism_with_loops_allocates_nothing() {
    for (name, model, mut state, tau) in mechanisms::all() {
        let mut stepper = Stepper::new(&model);
        for _ in 0..2 {
            stepper.step(&model, &mut state, &tau, &[], 1e-3, Scheme::SemiImplicit);
        }
        let found = allocations(|| {
            stepper.step(&model, &mut state, &tau, &[], 1e-3, Scheme::SemiImplicit);
        });
        assert_eq!(found, 0, "{name}");
    }
}

#[test]
fn the_delassus_matrix_is_rebuilt_without_allocating() {
    let model = trees::chain(25, Joint::Free);
    let state = trees::state(&mut Random::new(2), &model);
    let mut ws = Workspace::new(&model);
    let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
    let (mut rows, mut whitened, mut w) = (Rows::new(), Whitened::default(), Vec::new());
    let mut build = || {
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).expect("rods have mass");
        rows.clear();
        for k in 1..=20 {
            rows.push_point(&model, &ws, LinkId(k), &Vector3::zeros(), &Vector3::z());
        }
        whitened.compute(&model, &factor, &rows);
        whitened.delassus(&mut w);
    };
    build();
    assert_eq!(allocations(build), 0);
}

#[test]
fn assembly_and_disassembly_allocate_nothing() {
    let model = trees::chain(25, Joint::Free);
    let state = trees::state(&mut Random::new(3), &model);
    let mut ws = Workspace::new(&model);
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    let tau = vec![0.0; model.n_v()];
    let mut qdd = vec![0.0; model.n_v()];
    for order in [Order::Serial, Order::Balanced] {
        let handles = [LinkId(3), LinkId(25)];
        let mut ada = Ada::new(&model, &handles, order, Elimination::Constraint).expect("rods have mass");
        let found = allocations(|| {
            ada.assemble(&model, &Load { tau: &tau, ..Load::default() }, &mut ws);
            ada.disassemble(&model, &[], &ws, &mut qdd);
        });
        assert_eq!(found, 0, "{order:?}");
    }
}

//! After the first, steps allocate nothing. A counting allocator watches, per thread.

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, Load, MassFactor, MassMatrix, Order, Rows, Scheme, Stepper, Whitened,
    Workspace, crba, kinematics, velocities,
};
use gudgeon_spatial::Vector3;
use gudgeon_testkit::alloc::{self, Counting};

use crate::support::random::Random;
use crate::support::{mechanisms, trees};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    alloc::count(work).1.allocations
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

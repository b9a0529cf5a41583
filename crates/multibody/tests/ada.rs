//! DCA and ADA: the same accelerations as ABA, and Φ between handles as unit forces show it.

use gudgeon_multibody::{
    Ada, AdaError, Elimination, Joint, LinkId, LinkSpec, Load, ModelBuilder, Order, Prescribed, State,
    Workspace, aba, articulate, forward_dynamics, jacobian, kinematics, unit_force_response, velocities,
};
use gudgeon_spatial::{Force, Inertia, Motion, Pose, Vector3, Vector6};

use crate::support::random::Random;
use crate::support::{relative_error, trees};

/// The goal of the project for agreement between algorithms.
const AGREEMENT: f64 = 1e-10;

const WAYS: [(Order, Elimination); 4] = [
    (Order::Serial, Elimination::Motion),
    (Order::Serial, Elimination::Constraint),
    (Order::Balanced, Elimination::Motion),
    (Order::Balanced, Elimination::Constraint),
];

#[test]
fn dca_and_ada_equal_aba_on_three_thousand_trees_in_both_orders() {
    let mut worst: f64 = 0.0;
    for seed in 0..3000 {
        let mut r = Random::new(seed + 100_000);
        let n = trees::size(&mut r);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 5.0);
        let external = trees::forces(&mut r, &model);
        let mut ws = Workspace::new(&model);
        aba(&model, &state, &tau, &external, &mut ws);
        let expected = ws.qdd().to_vec();
        let load = Load { tau: &tau, external: &external, ..Load::default() };
        for (order, way) in WAYS {
            let mut ada = Ada::new(&model, &[], order, way).unwrap();
            let mut qdd = vec![0.0; model.n_v()];
            ada.assemble(&model, &load, &mut ws);
            ada.disassemble(&model, &[], &ws, &mut qdd);
            let error = relative_error(&qdd, &expected);
            worst = worst.max(error);
        }
    }
    println!("DCA and ADA against ABA: worst relative difference {worst:.1e}");
    assert!(worst < AGREEMENT, "{worst:e}");
}

#[test]
fn phi_between_handles_is_what_unit_forces_show_and_what_the_jacobians_say() {
    let mut worst: f64 = 0.0;
    for seed in 0..2000 {
        let mut r = Random::new(seed + 110_000);
        let n = 1 + trees::size(&mut r);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 5.0);
        let mut ws = Workspace::new(&model);
        let handles: Vec<LinkId> = (0..3.min(n)).map(|_| LinkId(r.below(n + 1))).collect();

        // accelerations under the load: φ
        aba(&model, &state, &tau, &[], &mut ws);
        let mut bias: Vec<Motion> = handles.iter().map(|h| ws.acceleration(&model, *h)).collect();
        for (b, h) in bias.iter_mut().zip(&handles) {
            if *h == LinkId::WORLD {
                *b = Motion::zero();
            }
        }

        // accelerations per unit force: Φ
        articulate(&model, &[], None, &mut ws);
        let mut by_force = Vec::new();
        let mut x = vec![0.0; model.n_v()];
        for &j in &handles {
            for e in 0..6 {
                let unit = Force::from_vector(&Vector6::ith(e, 1.0));
                unit_force_response(&model, j, unit, &mut x, &mut ws);
                for &i in &handles {
                    let a = ws.acceleration(&model, i);
                    by_force.extend((Motion::new(a.angular, a.linear - model.gravity())).to_vector().iter());
                }
            }
        }

        // J M^-1 J^T
        let mut mass = gudgeon_multibody::MassMatrix::new(&model);
        gudgeon_multibody::crba(&model, &state.q, &mut ws, &mut mass);
        let m = mass.to_dense(&model).cholesky().unwrap();
        let mut by_jacobian = Vec::new();
        let j_of = |h: LinkId| jacobian(&model, &ws, h, &ws.pose(h).translation);
        for &j in &handles {
            let response = m.solve(&j_of(j).transpose());
            for e in 0..6 {
                for &i in &handles {
                    by_jacobian.extend((j_of(i) * response.column(e)).iter());
                }
            }
        }

        velocities(&model, &state.v, &mut ws);
        let load = Load { tau: &tau, ..Load::default() };
        for (order, way) in WAYS {
            let mut ada = Ada::new(&model, &handles, order, way).unwrap();
            ada.assemble(&model, &load, &mut ws);
            let mut by_ada = Vec::new();
            for j in 0..handles.len() {
                for e in 0..6 {
                    for i in 0..handles.len() {
                        by_ada.extend(ada.iabi().phi(i, j).0.column(e).iter());
                    }
                }
            }
            worst = worst.max(relative_error(&by_ada, &by_force));
            worst = worst.max(relative_error(&by_ada, &by_jacobian));
            for (i, b) in bias.iter().enumerate() {
                worst = worst.max((ada.iabi().bias(i) - *b).amax() / b.amax().max(10.0));
            }

            // a force on a handle, through φ and Φ or through the whole algorithm
            let f = Force::new(r.vector(3.0), r.vector(3.0));
            let mut forces = vec![Force::zero(); handles.len()];
            forces[0] = f;
            let mut external = vec![Force::zero(); model.n_links()];
            external[handles[0].0] = f;
            let mut qdd = vec![0.0; model.n_v()];
            ada.disassemble(&model, &forces, &ws, &mut qdd);
            let mut other = Workspace::new(&model);
            aba(&model, &state, &tau, &external, &mut other);
            worst = worst.max(relative_error(&qdd, other.qdd()));
        }
    }
    println!("Φ by ADA, by unit forces, by J M^-1 J^T: worst relative difference {worst:.1e}");
    assert!(worst < AGREEMENT, "{worst:e}");
}

#[test]
fn the_delassus_matrix_of_handles_is_that_of_the_sparse_factor() {
    use gudgeon_multibody::{MassFactor, MassMatrix, Rows, Whitened, crba};
    for seed in 0..200 {
        let mut r = Random::new(seed + 120_000);
        let n = 2 + r.below(10);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).unwrap();
        velocities(&model, &state.v, &mut ws);
        let handles = [LinkId(1 + r.below(n)), LinkId(1 + r.below(n))];
        let mut rows = Rows::new();
        let mut on_handles = Vec::new();
        for _ in 0..5 {
            let p = r.vector(1.0);
            let f = Force::new(Vector3::zeros(), r.axis());
            rows.push_between(&model, &ws, handles[0], handles[1], &p, f);
            let about = |h: LinkId| ws.pose(h).translation - p;
            on_handles.push([(0, (-f).at(&about(handles[0]))), (1, f.at(&about(handles[1])))]);
        }
        let (mut by_ltl, mut by_ada) = (Vec::new(), Vec::new());
        let mut y = Whitened::default();
        y.compute(&model, &factor, &rows);
        y.delassus(&mut by_ltl);
        let tau = vec![0.0; model.n_v()];
        let mut ada = Ada::new(&model, &handles, Order::Balanced, Elimination::Constraint).unwrap();
        ada.assemble(&model, &Load { tau: &tau, ..Load::default() }, &mut ws);
        ada.iabi().delassus(&on_handles, &mut by_ada);
        // differences of Φ blocks cancel when both handles hang close together: measured against Φ itself
        let size = ada.iabi().phi(0, 0).0.amax().max(ada.iabi().phi(1, 1).0.amax());
        let worst = by_ltl.iter().zip(&by_ada).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(worst < AGREEMENT * size.max(1.0), "seed {seed}: {worst:e}");
    }
}

#[test]
fn prescribed_joints_follow_in_ada_as_in_aba() {
    for seed in 0..200 {
        let mut r = Random::new(seed + 130_000);
        let n = 2 + r.below(10);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 5.0);
        let mut prescribed = Prescribed::none(&model);
        for i in 1..model.n_links() {
            prescribed.driven[i] = r.unit() < 0.4;
        }
        prescribed.qdd = r.numbers(model.n_v(), 3.0);
        let load = Load { tau: &tau, prescribed: Some(&prescribed), ..Load::default() };
        let mut ws = Workspace::new(&model);
        forward_dynamics(&model, &state, &load, &mut ws);
        let expected = ws.qdd().to_vec();
        for (order, way) in WAYS {
            let mut ada = Ada::new(&model, &[], order, way).unwrap();
            let mut qdd = vec![0.0; model.n_v()];
            ada.assemble(&model, &load, &mut ws);
            ada.disassemble(&model, &[], &ws, &mut qdd);
            assert!(relative_error(&qdd, &expected) < AGREEMENT, "seed {seed}");
        }

        // the forces that come out are those that inverse dynamics asks for
        let found = ws.tau().to_vec();
        gudgeon_multibody::rnea(&model, &state, &expected, &[], &mut ws);
        assert!(relative_error(ws.tau(), &found) < 1e-9, "seed {seed}");
    }
}

#[test]
fn the_balanced_order_is_logarithmically_deep() {
    let depth = |n: usize| {
        let model = trees::chain(n, Joint::revolute(Vector3::y()));
        Ada::new(&model, &[], Order::Balanced, Elimination::Constraint).unwrap().depth()
    };
    for (n, bound) in [(16, 6), (128, 9), (1024, 12)] {
        let found = depth(n);
        println!("chain of {n}: depth {found}");
        // log2 n + 2: the first round also spends a joint on the world
        assert!(found <= bound, "{n} links took {found} rounds");
    }

    // a random bushy tree of bounded degree stays within a small multiple
    let mut r = Random::new(5);
    let mut b = ModelBuilder::new();
    let mut children = vec![0; 1000];
    for k in 0..1000 {
        let parent = (k > 0).then(|| {
            loop {
                let p = r.below(k);
                if children[p] < 3 {
                    children[p] += 1;
                    break p;
                }
            }
        });
        let name = parent.map_or("world".to_owned(), |p| format!("l{p}"));
        let body = Inertia::ball(1.0, 0.2);
        b.link(LinkSpec::new(
            &format!("l{k}"),
            &name,
            Joint::Spherical,
            Pose::from_translation(0.0, 0.0, 0.5),
            body,
        ));
    }
    let model = b.build().unwrap();
    let found = Ada::new(&model, &[], Order::Balanced, Elimination::Constraint).unwrap().depth();
    println!("bushy tree of 1000: depth {found}");
    assert!(found <= 30, "1000 links took {found} rounds, 3 log2 n allowed");
}

#[test]
fn threads_do_not_change_a_bit() {
    let model = trees::chain(600, Joint::Free);
    let mut r = Random::new(3);
    let state = trees::state(&mut r, &model);
    let tau = r.numbers(model.n_v(), 1.0);
    let load = Load { tau: &tau, ..Load::default() };
    let mut ws = Workspace::new(&model);
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    let mut run = |threads: usize| {
        let ada = Ada::new(&model, &[LinkId(600)], Order::Balanced, Elimination::Constraint).unwrap();
        let mut ada = ada.with_threads(threads);
        let mut qdd = vec![0.0; model.n_v()];
        ada.assemble(&model, &load, &mut ws);
        ada.disassemble(&model, &[], &ws, &mut qdd);
        (qdd, ada.iabi().phi(0, 0))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_massless_link_is_refused_by_name_but_a_welded_frame_is_welcome() {
    let arm = Inertia::ball(1.0, 0.1).translated(Vector3::new(0.2, 0.0, 0.0));
    let y = Joint::revolute(Vector3::y());
    let mut b = ModelBuilder::new();
    b.link(LinkSpec::new("cross", "world", Joint::revolute(Vector3::x()), Pose::identity(), Inertia::zero()));
    b.link(LinkSpec::new("arm", "cross", y, Pose::identity(), arm));
    let model = b.build().unwrap();
    let error = Ada::new(&model, &[], Order::Serial, Elimination::Motion).unwrap_err();
    assert_eq!(error, AdaError::Massless { link: "cross".into() });

    let mut b = ModelBuilder::new();
    b.link(LinkSpec::new("arm", "world", y, Pose::identity(), arm));
    b.link(LinkSpec::new(
        "tool",
        "arm",
        Joint::Fixed,
        Pose::from_translation(0.4, 0.0, 0.0),
        Inertia::zero(),
    ));
    let model = b.build().unwrap();
    let tool = model.find("tool").unwrap();
    let mut ada = Ada::new(&model, &[tool], Order::Serial, Elimination::Motion).unwrap();
    let mut ws = Workspace::new(&model);
    let state = State::neutral(&model);
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    ada.assemble(&model, &Load { tau: &[0.0], ..Load::default() }, &mut ws);
    // a force along z at 0.4 m turns the arm of inertia 0.4 m r² + m 0.2²
    let expected = 0.4 * 0.4 / (0.4 * 0.01 + 0.04);
    assert!((ada.iabi().phi(0, 0).0[(5, 5)] - expected).abs() < 1e-13);
}

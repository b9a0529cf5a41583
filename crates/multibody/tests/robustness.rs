//! Units, distances, mass ratios and the small services: answers must not depend on what they should not depend on.

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, LinkSpec, Load, MassFactor, MassMatrix, ModelBuilder, Order, Prescribed,
    Rows, Scheme, State, StepLoad, Stepper, Workspace, aba, bias, crba, friction_rows, kinematics,
    limit_rows, motor_row, velocities,
};
use gudgeon_spatial::{Force, Inertia, Pose, Symmetric3, Vector3};
use nalgebra::DVector;

use crate::support::random::Random;
use crate::support::{mechanisms, relative_error, trees};

/// A chain of ball joints whose links have the given masses, hung at `origin`.
fn necklace(masses: &[f64], origin: Vector3<f64>) -> gudgeon_multibody::Model {
    let mut b = ModelBuilder::new();
    for (k, &m) in masses.iter().enumerate() {
        let parent = if k == 0 { "world".to_owned() } else { format!("m{}", k - 1) };
        let place = if k == 0 { origin } else { Vector3::new(0.3, 0.0, 0.0) };
        let body = Inertia::cuboid(m, [0.15, 0.05, 0.04]).translated(Vector3::new(0.15, 0.0, 0.0));
        let pose = Pose { translation: place, ..Pose::identity() };
        b.link(LinkSpec::new(&format!("m{k}"), &parent, Joint::Spherical, pose, body));
    }
    b.build().expect("a necklace")
}

#[test]
fn grams_and_kilotons_move_alike() {
    let mut r = Random::new(1);
    let shape: Vec<f64> = (0..8).map(|_| r.range(0.5, 2.0)).collect();
    let mut reference = None;
    for unit in [1e-9, 1e-3, 1.0, 1e6] {
        let masses: Vec<f64> = shape.iter().map(|m| m * unit).collect();
        let model = necklace(&masses, Vector3::zeros());
        let mut r = Random::new(2);
        let state = trees::state(&mut r, &model);
        let tau: Vec<f64> = r.numbers(model.n_v(), 1.0).iter().map(|t| t * unit).collect();
        let mut ws = Workspace::new(&model);
        aba(&model, &state, &tau, &[], &mut ws);
        let expected = reference.get_or_insert_with(|| ws.qdd().to_vec());
        // condition number about 1e4
        assert!(relative_error(ws.qdd(), expected) < 1e-11, "{unit} kg");
    }
}

#[test]
fn a_thousand_kilometres_from_the_origin_nothing_changes() {
    let masses = [1.0; 8];
    let mut found = Vec::new();
    for origin in [Vector3::zeros(), Vector3::new(1e6, -1e6, 1e6)] {
        let model = necklace(&masses, origin);
        let mut r = Random::new(3);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 1.0);
        let mut ws = Workspace::new(&model);
        aba(&model, &state, &tau, &[], &mut ws);
        let by_aba = ws.qdd().to_vec();
        let mut ada =
            Ada::new(&model, &[LinkId(8)], Order::Balanced, Elimination::Constraint).expect("masses");
        ada.assemble(&model, &Load { tau: &tau, ..Load::default() }, &mut ws);
        let phi = ada.iabi().phi(0, 0).0;
        found.push((by_aba, phi));
    }
    // link quantities are about the links' own origins, so ABA does not see the distance at all
    assert_eq!(found[0].0, found[1].0);
    // ADA takes differences of origins 1e6 m away, exact to 1e-10 m
    assert!((found[0].1 - found[1].1).amax() < 1e-8 * found[0].1.amax());
}

#[test]
fn mass_ratios_of_a_million_keep_the_algorithms_together() {
    let (mut aba_worst, mut ada_worst, mut used): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for seed in 0..200 {
        let mut r = Random::new(seed + 500_000);
        let masses: Vec<f64> = (0..8).map(|_| 10f64.powf(r.range(-3.0, 3.0))).collect();
        let model = necklace(&masses, Vector3::zeros());
        let state = trees::state(&mut r, &model);
        let tau = vec![0.0; model.n_v()];
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).expect("positive definite");
        let spectrum = mass.to_dense(&model).symmetric_eigenvalues();
        let condition = spectrum.max() / spectrum.min();
        bias(&model, &state, &[], &mut ws);
        let mut expected: Vec<f64> = ws.tau().iter().map(|c| -c).collect();
        factor.solve(&model, &mut expected);
        aba(&model, &state, &tau, &[], &mut ws);
        let by_aba = relative_error(ws.qdd(), &expected);
        let mut qdd = vec![0.0; model.n_v()];
        let mut ada = Ada::new(&model, &[], Order::Balanced, Elimination::Constraint).expect("masses");
        ada.assemble(&model, &Load { tau: &tau, ..Load::default() }, &mut ws);
        ada.disassemble(&model, &[], &ws, &mut qdd);
        let by_ada = relative_error(&qdd, ws.qdd());
        aba_worst = aba_worst.max(by_aba);
        ada_worst = ada_worst.max(by_ada);
        used = used.max(by_aba.max(by_ada) / (f64::EPSILON * condition));
    }
    println!(
        "mass ratios up to 1e6: ABA - factor {aba_worst:.1e}, ADA - ABA {ada_worst:.1e}; at most {used:.1} of eps cond(M)"
    );
    // a backward stable solution of a problem of condition κ is good to eps κ; a few roundings per link allowed
    assert!(used < 10.0, "{used}");
}

#[test]
fn locked_dofs_solve_as_if_they_were_not_there() {
    for seed in 0..100 {
        let mut r = Random::new(seed + 510_000);
        let model = trees::tree(&mut r, 7);
        let state = trees::state(&mut r, &model);
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        let dense = mass.to_dense(&model);
        let mut prescribed = Prescribed::none(&model);
        prescribed.driven.iter_mut().skip(1).for_each(|d| *d = r.unit() < 0.4);
        let free: Vec<usize> = (0..model.n_v()).filter(|k| !prescribed.drives(&model, *k)).collect();
        mass.lock(&model, |k| prescribed.drives(&model, k));
        factor.factor(&model, &mass).expect("positive definite");
        let mut x = vec![0.0; model.n_v()];
        for &k in &free {
            x[k] = r.range(-1.0, 1.0);
        }
        let b = DVector::from_iterator(free.len(), free.iter().map(|&k| x[k]));
        factor.solve(&model, &mut x);
        if free.is_empty() {
            continue;
        }
        let part = dense.select_rows(&free).select_columns(&free);
        let expected = part.cholesky().expect("positive definite").solve(&b);
        let found: Vec<f64> = free.iter().map(|&k| x[k]).collect();
        assert!(relative_error(&found, expected.as_slice()) < 1e-10);
        assert!((0..model.n_v()).filter(|k| !free.contains(k)).all(|k| x[k] == 0.0));
    }
}

#[test]
fn limits_friction_and_motors_become_rows() {
    let mut b = ModelBuilder::new();
    let body = Inertia::ball(1.0, 0.1).translated(Vector3::new(0.2, 0.0, 0.0));
    let y = Joint::revolute(Vector3::y());
    b.link(LinkSpec::new("a", "world", y, Pose::identity(), body).limits(-1.0, 1.0).friction(0.4));
    b.link(LinkSpec::new("b", "a", y, Pose::identity(), body).dof(0, |d| d.effort = 7.0));
    let model = b.build().expect("two arms");
    let mut rows = Vec::new();
    let mut at = |q: f64| {
        limit_rows(&model, &State { q: vec![q, 99.0], v: vec![0.0; 2] }, 0.01, &mut rows);
        rows.iter().map(|r| (r.dof, r.sign, r.gap)).collect::<Vec<_>>()
    };
    assert!(at(0.0).is_empty());
    let near = at(0.995);
    assert!(near.len() == 1 && near[0].0 == 0 && near[0].1 == -1.0 && (near[0].2 - 0.005).abs() < 1e-15);
    let beyond = at(-1.25);
    assert!(beyond == [(0, 1.0, -0.25)]);
    assert_eq!(friction_rows(&model, 0.5).collect::<Vec<_>>(), [(0, 0.2)]);
    assert_eq!(motor_row(&model, 1, 3.0, 0.5).impulse, 3.5);
}

#[test]
fn a_row_measures_the_velocity_it_names() {
    let mut r = Random::new(8);
    let model = trees::tree(&mut r, 9);
    let state = trees::state(&mut r, &model);
    let mut ws = Workspace::new(&model);
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    let mut rows = Rows::new();
    for a in 0..10 {
        for b in 0..10 {
            let (p, n) = (r.vector(1.0), r.axis());
            rows.clear();
            rows.push_between(&model, &ws, LinkId(a), LinkId(b), &p, Force::new(Vector3::zeros(), n));
            let point = |l: usize| gudgeon_multibody::point_velocity(&ws, LinkId(l), &p);
            let expected = n.dot(&(point(b) - point(a)));
            assert!((rows.dot(0, &state.v) - expected).abs() < 1e-12 * expected.abs().max(10.0));
        }
    }
}

#[test]
fn the_carried_step_converges_to_the_same_motion() {
    // everything that may act: gravity, damping, a spring, armature, outside forces, ball joints
    let mut b = ModelBuilder::new();
    let body = Inertia::new(1.0, Vector3::new(0.2, 0.02, 0.01), Symmetric3::diagonal(0.01, 0.02, 0.025));
    b.link(LinkSpec::new("a", "world", Joint::Spherical, Pose::identity(), body).damping(0.1).armature(0.02));
    let x = Pose::from_translation(0.4, 0.0, 0.0);
    let hinge = Joint::revolute(Vector3::new(0.3, 1.0, 0.2));
    b.link(LinkSpec::new("b", "a", hinge, x, body).spring(4.0, 0.3));
    b.link(LinkSpec::new("c", "b", Joint::Spherical, x, body));
    let model = b.build().expect("three links");
    let mut external = vec![Force::zero(); model.n_links()];
    external[2] = Force::new(Vector3::new(0.1, 0.2, 0.0), Vector3::new(1.0, 0.0, 0.5));
    let tau = vec![0.05; model.n_v()];
    let run = |scheme: Scheme, steps: i32| {
        let mut state = State::neutral(&model);
        state.v = vec![1.0, -2.0, 0.5, 1.0, 0.3, -1.0, 2.0];
        let mut stepper = Stepper::new(&model);
        for _ in 0..steps {
            stepper.step(&model, &mut state, &tau, &external, 0.5 / f64::from(steps), scheme);
        }
        state
    };
    let exact = run(Scheme::Rk4, 1000);
    for (scheme, order) in [(Scheme::SemiImplicit, 1.0), (Scheme::Carried, 1.0)] {
        let error = |steps: i32| relative_error(&run(scheme, steps).v, &exact.v);
        let found = (error(2000) / error(4000)).log2();
        println!("{scheme:?}: order {found:.2}, error at 0.125 ms {:.1e}", error(4000));
        assert!((found - order).abs() < 0.15, "{scheme:?}: {found}");
    }
}

#[test]
fn a_run_repeats_to_the_bit() {
    let run = || {
        let (_, model, mut state, tau) = mechanisms::all().swap_remove(2);
        let mut stepper = Stepper::new(&model);
        for _ in 0..200 {
            stepper.step(&model, &mut state, &tau, &[], 1e-3, Scheme::SemiImplicit);
        }
        state
    };
    assert_eq!(run(), run());
}

#[test]
fn the_two_halves_of_a_step_take_an_impulse_between_them() {
    // the impulse of an outside force over the step, given to M̃ after the fact, is the same as the force itself
    use gudgeon_multibody::Loops;
    let mut r = Random::new(21);
    let model = trees::tree(&mut r, 7);
    let start = trees::state(&mut r, &model);
    let tau = r.numbers(model.n_v(), 1.0);
    let dt = 1e-3;
    for scheme in [Scheme::SemiImplicit, Scheme::Midpoint { iterations: 1 }, Scheme::Carried] {
        let mut stepper = Stepper::new(&model);
        let free = stepper.free_velocity(
            &model,
            &start,
            &StepLoad { tau: &tau, external: &[], dt },
            scheme,
            Loops::Open,
        );
        let mut v = free.v.to_vec();
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        free.mass_matrix(&model, &mut mass);
        factor.factor(&model, &mass).expect("positive definite");
        let push = r.numbers(model.n_v(), 0.3);
        let mut impulse: Vec<f64> = push.iter().map(|p| p * dt).collect();
        factor.solve(&model, &mut impulse);
        v.iter_mut().zip(&impulse).for_each(|(v, x)| *v += x);
        let mut by_halves = start.clone();
        stepper.finish(&model, &mut by_halves, &v, dt, scheme);

        let mut whole = start.clone();
        let pushed: Vec<f64> = tau.iter().zip(&push).map(|(t, p)| t + p).collect();
        stepper.step(&model, &mut whole, &pushed, &[], dt, scheme);
        // the carried step's added inertia sees the force in one case and not in the other: second order in dt
        let tolerance = if scheme == Scheme::Carried { 1e-5 } else { 1e-13 };
        assert!(relative_error(&by_halves.v, &whole.v) < tolerance, "{scheme:?}");
        assert!(relative_error(&by_halves.q, &whole.q) < tolerance, "{scheme:?}");
    }
}

//! Laws that hold whatever the algorithm: momentum, energy, order of convergence, and strings that stay whole.

use gudgeon_multibody::{
    Joint, LinkSpec, Load, MassFactor, MassMatrix, Model, ModelBuilder, Prescribed, Scheme, State, Stepper,
    Workspace, aba, center_of_mass, energy, forward_dynamics, geometric_inertia, integrate, kinematics,
    mass_matrix_with, momentum, velocities,
};
use gudgeon_spatial::{Force, Inertia, Pose, Symmetric3, Vector3};

use crate::support::random::Random;
use crate::support::{mechanisms, relative_error, trees};

fn free_body() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::zeros());
    b.link(LinkSpec::new(
        "body",
        "world",
        Joint::Free,
        Pose::identity(),
        Inertia::cuboid(2.0, [0.3, 0.2, 0.1]),
    ));
    b.build().expect("a box")
}

fn angular_momentum(model: &Model, state: &State, ws: &mut Workspace) -> Vector3<f64> {
    kinematics(model, &state.q, ws);
    velocities(model, &state.v, ws);
    momentum(model, &center_of_mass(model, ws), ws).angular
}

#[test]
fn a_torque_free_body_keeps_its_angular_momentum_over_a_hundred_thousand_steps() {
    let model = free_body();
    let mut state = State::neutral(&model);
    // about the middle axis, where it tumbles; 1 rad/s over 100 s is sixteen turns
    state.v[..3].copy_from_slice(&[0.05, 1.0, 0.02]);
    let mut stepper = Stepper::new(&model);
    let start = angular_momentum(&model, &state, &mut stepper.ws);
    let mut worst: f64 = 0.0;
    for n in 0..100_000 {
        stepper.step(&model, &mut state, &[0.0; 6], &[], 1e-3, Scheme::Rk4);
        if n % 1000 == 999 {
            let now = angular_momentum(&model, &state, &mut stepper.ws);
            worst = worst.max((now - start).norm() / start.norm());
        }
    }
    println!("torque-free body, 1e5 steps of RK4 at 1 ms: angular momentum off by {worst:.1e}");
    // the method's own error: (h ω)⁴ times 100 rad of motion over some hundred, 1e-12
    assert!(worst < 1e-12, "{worst:e}");
}

fn pendulum_energy_error(model: &Model, start: &State, dt: f64, duration: f64) -> f64 {
    let mut state = start.clone();
    let mut stepper = Stepper::new(model);
    let tau = vec![0.0; model.n_v()];
    let total = |state: &State, ws: &mut Workspace| {
        kinematics(model, &state.q, ws);
        velocities(model, &state.v, ws);
        energy(model, state, ws).total()
    };
    let before = total(&state, &mut stepper.ws);
    let steps = (duration / dt).round();
    let mut n = 0.0;
    while n < steps {
        stepper.step(model, &mut state, &tau, &[], dt, Scheme::Rk4);
        n += 1.0;
    }
    (total(&state, &mut stepper.ws) - before).abs()
}

#[test]
fn the_energy_error_of_a_ten_link_pendulum_falls_with_the_fourth_power_of_the_step() {
    let model = trees::chain(10, Joint::revolute(Vector3::y()));
    let mut start = State::neutral(&model);
    for (k, q) in start.q.iter_mut().enumerate() {
        *q = 0.3 * (k as f64 + 1.0).sin();
    }
    let errors: Vec<f64> =
        [2e-3, 1e-3, 5e-4].iter().map(|dt| pendulum_energy_error(&model, &start, *dt, 0.4)).collect();
    let orders: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
    println!("ten-link pendulum, RK4: energy errors {errors:?} J, orders {orders:.2?}");
    // energy error of a fourth-order method: at least the fourth power; leading terms may cancel, so no upper bound
    assert!(orders.iter().all(|o| *o > 3.8), "{orders:?}");
}

#[test]
fn quaternion_joints_converge_with_the_fourth_power_too() {
    let mut r = Random::new(77);
    let model = trees::tree(&mut r, 5);
    let mut start = trees::state(&mut r, &model);
    for v in &mut start.v {
        *v *= 0.5;
    }
    let run = |dt: f64| {
        let mut state = start.clone();
        let mut stepper = Stepper::new(&model);
        let tau = vec![0.0; model.n_v()];
        let mut t = 0.0;
        while t < 0.2 - 0.5 * dt {
            stepper.step(&model, &mut state, &tau, &[], dt, Scheme::Rk4);
            t += dt;
        }
        state
    };
    let reference = run(0.2 / 1024.0);
    let error = |dt: f64| relative_error(&run(dt).q, &reference.q);
    let (coarse, fine) = (error(0.2 / 32.0), error(0.2 / 64.0));
    let order = (coarse / fine).log2();
    println!("random tree with quaternions, RK4: order {order:.2}");
    assert!(order > 3.7, "{coarse:e} {fine:e}");
}

#[test]
fn a_free_tree_keeps_its_momentum_under_internal_forces() {
    for seed in 0..20 {
        let mut r = Random::new(seed + 300_000);
        let mut b = ModelBuilder::new();
        b.gravity(Vector3::zeros());
        b.link(LinkSpec::new("l0", "world", Joint::Free, Pose::identity(), trees::inertia(&mut r)));
        for k in 1..6 {
            let (parent, joint) = (format!("l{}", r.below(k)), trees::joint(&mut r));
            b.link(LinkSpec::new(&format!("l{k}"), &parent, joint, r.pose(0.4), trees::inertia(&mut r)));
        }
        let model = b.build().expect("a tree");
        let mut state = trees::state(&mut r, &model);
        let mut tau = r.numbers(model.n_v(), 2.0);
        tau[..6].fill(0.0);
        let mut stepper = Stepper::new(&model);
        let total = |state: &State, ws: &mut Workspace| {
            kinematics(&model, &state.q, ws);
            velocities(&model, &state.v, ws);
            momentum(&model, &Vector3::zeros(), ws)
        };
        let before = total(&state, &mut stepper.ws);
        for _ in 0..200 {
            stepper.step(&model, &mut state, &tau, &[], 1e-3, Scheme::Rk4);
        }
        let after = total(&state, &mut stepper.ws);
        // the method's error over 0.2 s at speeds of some rad/s
        assert!((after - before).amax() < 1e-8 * before.amax().max(1.0), "seed {seed}");
    }
}

#[test]
fn a_spinning_body_flies_straight_at_any_step() {
    let model = free_body();
    let mut state = State::neutral(&model);
    state.v = vec![3.0, 20.0, 1.0, 1.0, 0.0, 0.0];
    let mut stepper = Stepper::new(&model);
    for _ in 0..100 {
        stepper.step(&model, &mut state, &[0.0; 6], &[], 0.01, Scheme::SemiImplicit);
    }
    // one second at 1 m/s along x, rounding only
    assert!((state.q[4] - 1.0).abs() < 1e-12 && state.q[5].abs() < 1e-12 && state.q[6].abs() < 1e-12);
}

#[test]
fn implicit_damping_and_springs_are_stable_at_any_stiffness() {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::zeros());
    let y = Joint::revolute(Vector3::y());
    let arm = Inertia::ball(1.0, 0.1).translated(Vector3::new(0.3, 0.0, 0.0));
    b.link(LinkSpec::new("a", "world", y, Pose::identity(), arm).spring(1e8, 0.2).damping(1e5));
    b.link(LinkSpec::new("b", "a", y, Pose::from_translation(0.5, 0.0, 0.0), arm).damping(1e7));
    let model = b.build().expect("two arms");
    let mut state = State { q: vec![0.0, 0.0], v: vec![5.0, -5.0] };
    let mut stepper = Stepper::new(&model);
    for _ in 0..2000 {
        stepper.step(&model, &mut state, &[0.0, 0.0], &[], 0.01, Scheme::SemiImplicit);
    }
    // the spring rests at 0.2 rad; a rigid damper leaves no motion: far below a microradian
    assert!((state.q[0] - 0.2).abs() < 1e-9 && state.v.iter().all(|v| v.abs() < 1e-9), "{state:?}");

    // gentle ones agree with RK4 to first order
    let mut b = ModelBuilder::new();
    b.link(LinkSpec::new("a", "world", y, Pose::identity(), arm).spring(5.0, 0.2).damping(0.1));
    let model = b.build().expect("one arm");
    let run = |scheme: Scheme, dt: f64| {
        let mut state = State { q: vec![0.5], v: vec![0.0] };
        let mut stepper = Stepper::new(&model);
        let mut t = 0.0;
        while t < 1.0 - 0.5 * dt {
            stepper.step(&model, &mut state, &[0.0], &[], dt, scheme);
            t += dt;
        }
        state.q[0]
    };
    let exact = run(Scheme::Rk4, 1e-3);
    let error = |dt: f64| (run(Scheme::SemiImplicit, dt) - exact).abs();
    let order = (error(2e-3) / error(1e-3)).log2();
    assert!((order - 1.0).abs() < 0.2, "{order}");
    let error = |dt: f64| (run(Scheme::Midpoint { iterations: 2 }, dt) - exact).abs();
    assert!(error(1e-3) < 2e-3, "{}", error(1e-3));
}

#[test]
fn a_joint_with_prescribed_motion_moves_the_rest_as_a_moving_base_would() {
    // a pendulum on a cart driven by x = A sin wt feels the gravity of the accelerated frame
    let mut b = ModelBuilder::new();
    let bob = Inertia::ball(1.0, 0.05).translated(Vector3::new(0.0, 0.0, -0.5));
    b.link(LinkSpec::new(
        "cart",
        "world",
        Joint::prismatic(Vector3::x()),
        Pose::identity(),
        Inertia::ball(3.0, 0.1),
    ));
    b.link(LinkSpec::new("bob", "cart", Joint::revolute(Vector3::y()), Pose::identity(), bob));
    let model = b.build().expect("cart and bob");
    let state = State { q: vec![0.3, 0.4], v: vec![1.0, -0.7] };
    let mut prescribed = Prescribed::none(&model);
    prescribed.driven[1] = true;
    prescribed.qdd[0] = 2.5;
    let mut ws = Workspace::new(&model);
    let tau = [99.0, 0.3];
    let load = Load { tau: &tau, prescribed: Some(&prescribed), ..Load::default() };
    forward_dynamics(&model, &state, &load, &mut ws);
    let found = (ws.qdd()[0], ws.qdd()[1], ws.tau()[0]);
    assert_eq!(found.0, 2.5);

    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(-2.5, 0.0, -9.81));
    b.link(LinkSpec::new("bob", "world", Joint::revolute(Vector3::y()), Pose::identity(), bob));
    let still = b.build().expect("a bob");
    let mut other = Workspace::new(&still);
    aba(&still, &State { q: vec![0.4], v: vec![-0.7] }, &[0.3], &[], &mut other);
    assert!((found.1 - other.qdd()[0]).abs() < 1e-13);

    // and the force on the cart is what moves it so when nothing is prescribed
    aba(&model, &state, &[found.2, 0.3], &[], &mut ws);
    assert!((ws.qdd()[0] - 2.5).abs() < 1e-12);
}

#[test]
fn mechanisms_run_a_minute_with_their_loops_closed() {
    for (name, model, mut state, tau) in mechanisms::all() {
        let mut stepper = Stepper::new(&model);
        stepper.solver().settle(&model, &mut state, &mut Workspace::new(&model));
        let (mut gap, mut travelled): (f64, f64) = (0.0, 0.0);
        let mut most = 0;
        let scheme = Scheme::Midpoint { iterations: 2 };
        for _ in 0..mechanisms::STEPS {
            let p = stepper.step(&model, &mut state, &tau, &[], mechanisms::DT, scheme);
            kinematics(&model, &state.q, &mut stepper.ws);
            gap = gap.max(gudgeon_multibody::loop_gap(&model, &stepper.ws));
            travelled += state.v[0].abs() * mechanisms::DT;
            most = most.max(p.iterations);
        }
        println!(
            "{name}: 60 s, crank travelled {travelled:.1} rad, largest gap {gap:.1e} m, at most {most} Newton steps"
        );
        // the promise to users
        assert!(gap <= 1e-9, "{name}: {gap:e}");
        assert!(travelled > 10.0, "{name} is stuck: {travelled}");
    }
}

#[test]
fn a_parallelogram_passes_its_change_points_without_a_jolt() {
    let (model, mut state) = mechanisms::parallelogram();
    let mut stepper = Stepper::new(&model);
    let total = |state: &State, ws: &mut Workspace| {
        kinematics(&model, &state.q, ws);
        velocities(&model, &state.v, ws);
        energy(&model, state, ws).total()
    };
    let before = total(&state, &mut stepper.ws);
    let (mut worst, mut turns): (f64, f64) = (0.0, 0.0);
    for _ in 0..10_000 {
        let p = stepper.step(&model, &mut state, &[0.0; 3], &[], 1e-3, Scheme::Midpoint { iterations: 2 });
        assert!(p.error <= 1e-12, "{p:?}");
        worst = worst.max((total(&state, &mut stepper.ws) - before).abs());
        turns += state.v[0] * 1e-3 / std::f64::consts::TAU;
    }
    println!("parallelogram: {turns:.1} turns, energy within {worst:.1e} of {before:.2} J");
    // second order: (ω dt)² of the energy is 2e-3 J
    assert!(turns > 10.0 && worst < 5e-3, "{turns} {worst}");
}

#[test]
fn a_string_of_twenty_five_links_stays_whole_at_ten_milliseconds() {
    for (first, link) in
        [(Joint::Spherical, Joint::Spherical), (Joint::revolute(Vector3::y()), Joint::revolute(Vector3::y()))]
    {
        let model = mechanisms::string(25, first, link, 0.04);
        let mut state = State::neutral(&model);
        let tau = vec![0.0; model.n_v()];
        let mut stepper = Stepper::new(&model);
        let mut highest = f64::NEG_INFINITY;
        for _ in 0..1000 {
            stepper.step(&model, &mut state, &tau, &[], 0.01, Scheme::Carried);
            kinematics(&model, &state.q, &mut stepper.ws);
            velocities(&model, &state.v, &mut stepper.ws);
            highest = highest.max(energy(&model, &state, &stepper.ws).total());
        }
        // let go level, energy 0; 1.25 kg falling half a metre is 6 J: a tenth of that is the scheme's own error
        println!("string at 10 ms: highest energy {highest:.2e} J");
        assert!(highest < 0.6, "{highest}");
    }
}

#[test]
fn added_inertia_means_the_same_to_aba_and_to_the_mass_matrix() {
    let mut r = Random::new(12);
    let model = trees::tree(&mut r, 8);
    // at rest: in motion the added inertia also resists the part of the links' acceleration that velocities cause
    let mut state = trees::state(&mut r, &model);
    state.v.fill(0.0);
    let tau = r.numbers(model.n_v(), 1.0);
    let mut ws = Workspace::new(&model);
    aba(&model, &state, &tau, &[], &mut ws);
    let mut added = vec![Symmetric3::default(); model.n_links()];
    geometric_inertia(&model, 0.1, 1.0, &ws, &mut added);
    let load = Load { tau: &tau, added: &added, ..Load::default() };
    forward_dynamics(&model, &state, &load, &mut ws);
    let found = ws.qdd().to_vec();
    gudgeon_multibody::bias(&model, &state, &[] as &[Force], &mut ws);
    let mut expected: Vec<f64> = tau.iter().zip(ws.tau()).map(|(t, c)| t - c).collect();
    let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
    mass_matrix_with(&model, &ws, &added, &mut mass);
    factor.factor(&model, &mass).expect("more inertia is still inertia");
    factor.solve(&model, &mut expected);
    let error = relative_error(&found, &expected);
    assert!(error < 1e-11, "{error:e}");
}

#[test]
fn long_runs_keep_quaternions_unit() {
    let mut r = Random::new(9);
    let model = trees::tree(&mut r, 6);
    let mut q = trees::state(&mut r, &model).q;
    let v = r.numbers(model.n_v(), 3.0);
    for _ in 0..10_000 {
        integrate(&model, &mut q, &v, 0.01);
    }
    for link in model.links() {
        if link.joint.has_quaternion() {
            let norm = gudgeon_spatial::Quaternion::read(&q[link.q_range()]).norm();
            assert!((norm - 1.0).abs() < 1e-15);
        }
    }
}

//! Joints that follow a given motion exactly, with and without loops.

use gudgeon_multibody::{
    ConstraintRows, ConstraintSolver, Joint, LinkSpec, Load, MassMatrix, ModelBuilder, Prescribed, Scheme,
    State, StepLoad, Stepper, Workspace, bias, crba, kinematics, loop_gap, rnea, velocities,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::{DMatrix, DVector};

use crate::support::random::Random;
use crate::support::{mechanisms, trees};

#[test]
fn loops_with_driven_joints_equal_the_dense_equations() {
    let mut checked = 0;
    for seed in 0..200 {
        let mut r = Random::new(seed + 400_000);
        let (model, mut state) = trees::closed_tree(&mut r, 8, 1);
        let tau = r.numbers(model.n_v(), 5.0);
        let mut ws = Workspace::new(&model);
        let mut solver = ConstraintSolver::new(&model);
        solver.project_velocities(&model, &mut state, &mut ws);
        let mut prescribed = Prescribed::none(&model);
        // one joint that does not make the loop impossible: the last link is free to give way
        prescribed.driven[1] = true;
        prescribed.qdd = r.numbers(model.n_v(), 1.0);
        velocities(&model, &state.v, &mut ws);
        let mut c = ConstraintRows::default();
        c.positions(&model, &state, &ws);
        c.velocity_terms(&model, &state, &mut ws);
        // rows along which a loop slides are empty
        let held: Vec<usize> = (0..c.rows.len()).filter(|i| !c.rows.row(*i).0.is_empty()).collect();
        let (n, m) = (model.n_v(), held.len());
        let free: Vec<usize> = (0..n).filter(|k| !prescribed.drives(&model, *k)).collect();
        let mut j = DMatrix::zeros(m, n);
        for i in 0..m {
            let (dofs, values) = c.rows.row(held[i]);
            dofs.iter().zip(values).for_each(|(&k, &x)| j[(i, k)] = x);
        }
        // a loop that no joint moves holds nothing
        if m == 0 {
            continue;
        }
        let j_free = j.select_columns(&free);
        let spectrum = (&j_free * j_free.transpose()).symmetric_eigenvalues();
        // only loops that the free joints can close, whatever the driven ones do
        if free.len() < m || spectrum.min() <= 1e-4 * spectrum.max() {
            continue;
        }
        checked += 1;
        let mut mass = MassMatrix::new(&model);
        crba(&model, &state.q, &mut ws, &mut mass);
        let dense = mass.to_dense(&model);
        bias(&model, &state, &[], &mut ws);
        let b = DVector::from_column_slice(ws.tau());
        let mut given = DVector::zeros(n);
        (0..n).filter(|k| prescribed.drives(&model, *k)).for_each(|k| given[k] = prescribed.qdd[k]);

        // [M_ff -J_f^T; J_f 0] (a_f, λ) = (τ - b - M a_given, -γ - J a_given)
        let f = free.len();
        let mut kkt = DMatrix::zeros(f + m, f + m);
        kkt.view_mut((0, 0), (f, f)).copy_from(&dense.select_rows(&free).select_columns(&free));
        kkt.view_mut((0, f), (f, m)).copy_from(&-j_free.transpose());
        kkt.view_mut((f, 0), (m, f)).copy_from(&j_free);
        let mut rhs = DVector::zeros(f + m);
        let pulled = &dense * &given;
        let moved = &j * &given;
        (0..f).for_each(|i| rhs[i] = tau[free[i]] - b[free[i]] - pulled[free[i]]);
        (0..m).for_each(|i| rhs[f + i] = -c.gamma[held[i]] - moved[i]);
        let x = kkt.lu().solve(&rhs).expect("regular by the check above");

        let load = Load { tau: &tau, prescribed: Some(&prescribed), ..Load::default() };
        solver.forward_dynamics(&model, &state, &load, &mut ws);
        let qdd = ws.qdd().to_vec();
        let size = x.amax();
        for (i, &k) in free.iter().enumerate() {
            assert!((qdd[k] - x[i]).abs() < 1e-9 * size, "seed {seed}");
        }

        // the driving forces: inverse dynamics less what the loops carry
        let found = ws.tau().to_vec();
        rnea(&model, &state, &qdd, &[], &mut ws);
        let held = j.transpose() * x.rows(f, m);
        for k in 0..n {
            assert!((found[k] - (ws.tau()[k] - held[k])).abs() < 1e-8 * size.max(1.0), "seed {seed}");
        }
    }
    println!("driven joints in loops: {checked} checked");
    assert!(checked > 30);
}

#[test]
fn a_driven_crank_takes_a_linkage_along_exactly() {
    let (_, model, rest, tau) = mechanisms::all().swap_remove(0);
    let mut stepper = Stepper::new(&model);
    let mut prescribed = Prescribed::none(&model);
    prescribed.driven[1] = true;
    let start = rest.q[0];
    for scheme in [Scheme::SemiImplicit, Scheme::Rk4] {
        let mut state = rest.clone();
        ConstraintSolver::new(&model).settle(&model, &mut state, &mut stepper.ws);
        let mut now = 0.0;
        for _ in 0..2000 {
            let load = StepLoad { tau: &tau, external: &[], dt: 1e-3 };
            stepper.step_driven(&model, &mut state, &load, scheme, &mut prescribed, |t, s, p| {
                let t: f64 = now + t;
                s.q[0] = start + 2.0 * t.sin();
                s.v[0] = 2.0 * t.cos();
                p.qdd[0] = -2.0 * t.sin();
            });
            now += 1e-3;
            assert_eq!(state.q[0], start + 2.0 * now.sin(), "followed to the bit");
            kinematics(&model, &state.q, &mut stepper.ws);
            assert!(loop_gap(&model, &stepper.ws) < 1e-9);
        }
        assert!(stepper.driving_forces()[0].abs() > 0.0);
    }
}

#[test]
fn a_driven_cart_swings_its_pendulum_with_fourth_order() {
    let mut b = ModelBuilder::new();
    let bob = Inertia::ball(1.0, 0.05).translated(Vector3::new(0.0, 0.0, -0.5));
    let x = Joint::prismatic(Vector3::x());
    b.link(LinkSpec::new("cart", "world", x, Pose::identity(), Inertia::ball(3.0, 0.1)));
    b.link(LinkSpec::new("bob", "cart", Joint::revolute(Vector3::y()), Pose::identity(), bob));
    let model = b.build().expect("cart and bob");
    let run = |dt: f64| {
        let mut stepper = Stepper::new(&model);
        let mut prescribed = Prescribed::none(&model);
        prescribed.driven[1] = true;
        let mut state = State::neutral(&model);
        let mut time = 0.0;
        while time < 1.0 - 0.5 * dt {
            let now = time;
            let motion = |t: f64, s: &mut State, p: &mut Prescribed| {
                let t = 3.0 * (now + t);
                s.q[0] = 0.2 * t.sin();
                s.v[0] = 0.6 * t.cos();
                p.qdd[0] = -1.8 * t.sin();
            };
            let load = StepLoad { tau: &[0.0; 2], external: &[], dt };
            stepper.step_driven(&model, &mut state, &load, Scheme::Rk4, &mut prescribed, motion);
            time += dt;
        }
        state.q[1]
    };
    let reference = run(1.0 / 2048.0);
    let order = ((run(1.0 / 128.0) - reference) / (run(1.0 / 256.0) - reference)).abs().log2();
    println!("driven cart, RK4: order {order:.2}");
    assert!(order > 3.7, "{order}");
}

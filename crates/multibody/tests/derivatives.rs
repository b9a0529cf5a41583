//! Finite differences: every Jacobian, every rate of a Jacobian, and the energy.

use gudgeon_multibody::{
    DynamicsDerivative, LinkId, Sums, Workspace, aba, bias_accelerations, difference, energy, integrate,
    jacobian, jacobian_dot, kinematics, point_acceleration, point_velocity, position_rate, velocities,
};
use gudgeon_spatial::Vector3;
use nalgebra::DVector;

use crate::support::random::Random;
use crate::support::{relative_error, trees};

/// Step of the central differences: error h² + eps / h is least near 1e-5, about 1e-10; curvature of numbers up to
/// 100 makes it 1e-7.
const STEP: f64 = 1e-5;
const FINITE: f64 = 1e-7;

#[test]
fn jacobians_and_their_rates_match_finite_differences() {
    for seed in 0..400 {
        let mut r = Random::new(seed + 70_000);
        let n = 1 + r.below(8);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let link = LinkId(1 + r.below(n));
        let p_link = r.vector(0.5);
        let mut ws = Workspace::new(&model);

        let at = |t: f64, ws: &mut Workspace| {
            let mut q = state.q.clone();
            integrate(&model, &mut q, &state.v, t);
            kinematics(&model, &q, ws);
            let p = ws.pose(link).point(&p_link);
            (ws.pose(link), p, jacobian(&model, ws, link, &p))
        };
        let (x_back, p_back, j_back) = at(-STEP, &mut ws);
        let (x_ahead, p_ahead, j_ahead) = at(STEP, &mut ws);
        let (_, p, j) = at(0.0, &mut ws);
        velocities(&model, &state.v, &mut ws);
        let twist = &j * DVector::from_column_slice(&state.v);

        // linear: rate of the point
        let rate: Vector3<f64> = (p_ahead - p_back) / (2.0 * STEP);
        assert!(relative_error(twist.rows(3, 3).as_slice(), rate.as_slice()) < FINITE);
        assert!((point_velocity(&ws, link, &p) - Vector3::new(twist[3], twist[4], twist[5])).amax() < 1e-11);

        // angular: the turn between the two poses is twice the step times the angular velocity
        let spin = (x_ahead.rotation - x_back.rotation) * x_back.rotation.transpose() / (2.0 * STEP);
        let _ = spin;
        let turn =
            gudgeon_spatial::Quaternion::from_matrix(&(x_ahead.rotation * x_back.rotation.transpose())).log()
                / (2.0 * STEP);
        assert!(relative_error(twist.rows(0, 3).as_slice(), turn.as_slice()) < FINITE);

        // J_dot, with q moving along v
        let expected = (j_ahead - j_back) / (2.0 * STEP);
        let found = jacobian_dot(&model, &ws, link, &p);
        let error = relative_error(found.as_slice(), expected.as_slice());
        assert!(error < FINITE, "seed {seed}: {error:e}");

        // J_dot v is the acceleration of the point when qdd = 0
        bias_accelerations(&model, &mut ws);
        let jdv = found * DVector::from_column_slice(&state.v);
        let a = point_acceleration(&ws, link, &p);
        assert!(relative_error(a.as_slice(), jdv.rows(3, 3).as_slice()) < 1e-10);
    }
}

#[test]
fn the_rate_of_positions_matches_integration_and_difference_inverts_it() {
    for seed in 0..200 {
        let mut r = Random::new(seed + 80_000);
        let model = trees::tree(&mut r, 6);
        let state = trees::state(&mut r, &model);
        let mut rate = vec![0.0; model.n_q()];
        position_rate(&model, &state.q, &state.v, &mut rate);
        let (mut ahead, mut back) = (state.q.clone(), state.q.clone());
        integrate(&model, &mut ahead, &state.v, STEP);
        integrate(&model, &mut back, &state.v, -STEP);
        let expected: Vec<f64> = ahead.iter().zip(&back).map(|(a, b)| (a - b) / (2.0 * STEP)).collect();
        assert!(relative_error(&rate, &expected) < FINITE);

        let step = r.numbers(model.n_v(), 1.0);
        let mut to = state.q.clone();
        integrate(&model, &mut to, &step, 1.0);
        let mut back = vec![0.0; model.n_v()];
        difference(&model, &state.q, &to, &mut back);
        assert!(relative_error(&back, &step) < 1e-12);
    }
}

#[test]
fn energy_changes_by_the_power_of_the_joint_forces() {
    for seed in 0..200 {
        let mut r = Random::new(seed + 90_000);
        let model = trees::tree(&mut r, 6);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 5.0);
        let mut ws = Workspace::new(&model);
        aba(&model, &state, &tau, &[], &mut ws);
        let qdd = ws.qdd().to_vec();
        let mut at = |t: f64| {
            let mut s = state.clone();
            let mean: Vec<f64> = state.v.iter().zip(&qdd).map(|(v, a)| v + 0.5 * t * a).collect();
            integrate(&model, &mut s.q, &mean, t);
            s.v.iter_mut().zip(&qdd).for_each(|(v, a)| *v += t * a);
            kinematics(&model, &s.q, &mut ws);
            velocities(&model, &s.v, &mut ws);
            energy(&model, &s, &ws).total()
        };
        let power = (at(STEP) - at(-STEP)) / (2.0 * STEP);
        let expected: f64 = tau.iter().zip(&state.v).map(|(t, v)| t * v).sum();
        let size = expected.abs().max(100.0);
        assert!((power - expected).abs() < 1e-5 * size, "seed {seed}: {power} {expected}");
    }
}

#[test]
fn sweeps_are_the_products_of_the_matrices() {
    for seed in 0..200 {
        let mut r = Random::new(seed + 95_000);
        let n = 1 + r.below(12);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let (n_v, mut ws) = (model.n_v(), Workspace::new(&model));
        kinematics(&model, &state.q, &mut ws);
        let v = if seed % 5 == 0 { vec![0.0; n_v] } else { state.v.clone() };
        let a = r.numbers(n_v, 3.0);
        let external: Vec<_> =
            (0..model.n_links()).map(|_| gudgeon_spatial::Force::new(r.vector(1.0), r.vector(1.0))).collect();
        let mut d = DynamicsDerivative::default();
        d.compute(&model, &ws, &v, &a, &Vector3::new(0.1, -0.2, -9.8), &external);
        let (dq, dv, y) = (r.numbers(n_v, 1.0), r.numbers(n_v, 1.0), r.numbers(n_v, 1.0));
        let (mut sums, mut found, mut expected) = (Sums::default(), vec![0.0; n_v], vec![0.0; n_v]);
        d.sweep(&model, -0.7, (&dq, &dv), &mut sums, &mut found);
        d.q.multiply_add(&model, -0.7, &dq, &mut expected);
        d.v.multiply_add(&model, -0.7, &dv, &mut expected);
        // rounding of a few hundred terms
        assert!(relative_error(&found, &expected) < 1e-12, "seed {seed}");
        let (mut on_q, mut on_v) = (vec![0.0; n_v], vec![0.0; n_v]);
        d.sweep_transposed(&model, 1.3, &y, &mut sums, (&mut on_q, &mut on_v));
        let (mut by_q, mut by_v) = (vec![0.0; n_v], vec![0.0; n_v]);
        d.q.multiply_transposed_add(&model, 1.3, &y, &mut by_q);
        d.v.multiply_transposed_add(&model, 1.3, &y, &mut by_v);
        assert!(relative_error(&on_q, &by_q) < 1e-12, "seed {seed}");
        assert!(relative_error(&on_v, &by_v) < 1e-12, "seed {seed}");
    }
}

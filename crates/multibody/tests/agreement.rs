//! Every way to the same number, on thousands of generated trees.

use gudgeon_multibody::{
    LinkId, MassFactor, MassMatrix, Rows, Whitened, Workspace, aba, apply_inverse, articulate, bias, crba,
    delassus_by_aba, jacobian, kinematics, rnea,
};
use gudgeon_spatial::{Force, Vector3};
use nalgebra::{DMatrix, DVector};

use crate::support::random::Random;
use crate::support::{relative_error, trees};

/// The goal of the project for agreement between algorithms.
const AGREEMENT: f64 = 1e-10;

#[test]
fn aba_equals_crba_with_rnea_on_five_thousand_trees() {
    let mut worst: f64 = 0.0;
    for seed in 0..5000 {
        let mut r = Random::new(seed);
        let n = trees::size(&mut r);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let tau = r.numbers(model.n_v(), 5.0);
        let external = trees::forces(&mut r, &model);
        let mut ws = Workspace::new(&model);

        // M qdd = tau - C
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).unwrap();
        bias(&model, &state, &external, &mut ws);
        let mut expected: Vec<f64> = tau.iter().zip(ws.tau()).map(|(t, c)| t - c).collect();
        factor.solve(&model, &mut expected);

        aba(&model, &state, &tau, &external, &mut ws);
        worst = worst.max(relative_error(ws.qdd(), &expected));

        // and back: RNEA of the accelerations gives the forces
        let qdd = ws.qdd().to_vec();
        rnea(&model, &state, &qdd, &external, &mut ws);
        worst = worst.max(relative_error(ws.tau(), &tau) / 10.0);
    }
    println!("ABA against CRBA + RNEA: worst relative difference {worst:.1e}");
    assert!(worst < AGREEMENT, "{worst:e}");
}

#[test]
fn the_mass_matrix_is_the_derivative_of_inverse_dynamics() {
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let n = 1 + r.below(8);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let mut ws = Workspace::new(&model);
        let mut mass = MassMatrix::new(&model);
        crba(&model, &state.q, &mut ws, &mut mass);
        let dense = mass.to_dense(&model);
        bias(&model, &state, &[], &mut ws);
        let c = ws.tau().to_vec();
        for k in 0..model.n_v() {
            // RNEA is affine in qdd, so a unit acceleration shows a column exactly
            let mut e = vec![0.0; model.n_v()];
            e[k] = 1.0;
            rnea(&model, &state, &e, &[], &mut ws);
            let column: Vec<f64> = ws.tau().iter().zip(&c).map(|(t, c)| t - c).collect();
            let size = c.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            let error = relative_error(&column, dense.column(k).as_slice());
            assert!(error < AGREEMENT * size, "{error:e}");
        }
    }
}

#[test]
fn the_sparse_factor_equals_the_dense_one() {
    for seed in 0..300 {
        let mut r = Random::new(seed + 9000);
        let n = 1 + r.below(10);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).unwrap();
        let dense = mass.to_dense(&model);
        let x = r.numbers(model.n_v(), 1.0);
        let mut y = vec![0.0; model.n_v()];

        mass.multiply(&model, &x, &mut y);
        let expected = &dense * DVector::from_column_slice(&x);
        assert!(relative_error(&y, expected.as_slice()) < 1e-13);

        // |G^T x|^2 = x^T M x, and G^-1, G^-T undo each other's halves of M
        factor.multiply_gt(&model, &x, &mut y);
        let energy: f64 = y.iter().map(|y| y * y).sum();
        let twice = expected.dot(&DVector::from_column_slice(&x));
        assert!((energy - twice).abs() < 1e-12 * twice.abs());
        factor.solve_gt(&model, &mut y);
        assert!(relative_error(&y, &x) < 1e-11);

        // M^-1 by factor, by ABA, by dense Cholesky
        let mut by_factor = x.clone();
        factor.solve(&model, &mut by_factor);
        articulate(&model, &[], None, &mut ws);
        apply_inverse(&model, &x, &mut y, &mut ws);
        let by_dense = dense.cholesky().unwrap().solve(&DVector::from_column_slice(&x));
        assert!(relative_error(&by_factor, by_dense.as_slice()) < AGREEMENT);
        assert!(relative_error(&y, by_dense.as_slice()) < AGREEMENT);
    }
}

#[test]
fn the_delassus_operator_is_the_same_by_factor_and_by_aba() {
    let mut worst: f64 = 0.0;
    for seed in 0..2000 {
        let mut r = Random::new(seed + 40_000);
        let n = 2 + r.below(9);
        let model = trees::tree(&mut r, n);
        let state = trees::state(&mut r, &model);
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        factor.factor(&model, &mass).unwrap();

        // rows on one link and between two
        let mut rows = Rows::new();
        let mut j = DMatrix::zeros(0, model.n_v());
        for _ in 0..6 {
            let (a, b) = (LinkId(r.below(n + 1)), LinkId(r.below(n + 1)));
            let p = r.vector(1.0);
            let f = Force::new(r.vector(1.0), r.vector(1.0));
            rows.push_between(&model, &ws, a, b, &p, f);
            let difference = jacobian(&model, &ws, b, &p) - jacobian(&model, &ws, a, &p);
            let at = j.nrows();
            j = j.insert_row(at, 0.0);
            j.row_mut(at).copy_from(&(f.to_vector().transpose() * difference));
        }
        for _ in 0..2 {
            let (a, b, p) = (LinkId(r.below(n + 1)), LinkId(r.below(n + 1)), r.vector(1.0));
            let directions = [r.vector(1.0), r.vector(1.0), r.vector(1.0)];
            rows.push_contact(&model, &ws, a, b, &p, &directions);
            let difference = jacobian(&model, &ws, b, &p) - jacobian(&model, &ws, a, &p);
            for direction in directions {
                let f = Force::new(Vector3::zeros(), direction);
                let at = j.nrows();
                j = j.insert_row(at, 0.0);
                j.row_mut(at).copy_from(&(f.to_vector().transpose() * &difference));
            }
        }
        for i in 0..rows.len() {
            let mut dense = vec![0.0; model.n_v()];
            rows.add_to(i, 1.0, &mut dense);
            assert!(relative_error(&dense, j.row(i).transpose().as_slice()) < 1e-12);
        }
        let m = mass.to_dense(&model);
        let expected = &j * m.cholesky().unwrap().solve(&j.transpose());
        let (mut by_ltl, mut by_aba) = (Vec::new(), Vec::new());
        let mut y = Whitened::default();
        y.compute(&model, &factor, &rows);
        y.delassus(&mut by_ltl);
        kinematics(&model, &state.q, &mut ws);
        delassus_by_aba(&model, &rows, &mut ws, &mut by_aba);
        worst = worst.max(relative_error(&by_ltl, expected.as_slice()));
        worst = worst.max(relative_error(&by_aba, expected.as_slice()));
    }
    println!("Delassus by LTL, by ABA, by dense Cholesky: worst relative difference {worst:.1e}");
    assert!(worst < AGREEMENT, "{worst:e}");
}

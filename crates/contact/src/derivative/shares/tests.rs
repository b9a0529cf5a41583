//! Four corners of a face that slide: three things said, and a load that is shared by a rule.

use gudgeon_multibody::{
    Joint, LinkId, LinkSpec, MassFactor, MassMatrix, Model, ModelBuilder, Rows, State, Workspace, kinematics,
    mass_matrix,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use super::super::ImplicitSolve;

fn sliding_face(compliance: f64) -> (Model, MassFactor, ImplicitSolve) {
    let mut builder = ModelBuilder::new();
    let body = Inertia::cuboid(1.3, [0.1, 0.12, 0.05]);
    builder.link(LinkSpec::new("body", "world", Joint::Free, Pose::identity(), body));
    let model = builder.build().unwrap();
    let (state, mut ws) = (State::neutral(&model), Workspace::new(&model));
    kinematics(&model, &state.q, &mut ws);
    let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
    mass_matrix(&model, &ws, &mut mass);
    factor.factor(&model, &mass).unwrap();
    let mut solve = ImplicitSolve::default();
    for (x, y) in [(0.1, 0.12), (0.1, -0.12), (-0.1, 0.12), (-0.1, -0.12)] {
        let p = Vector3::new(x, y, -0.05);
        // it turns as it slides
        let slip = Vector3::new(1.0 - 3.0 * y, 3.0 * x, 0.0).normalize();
        let mut rows = Rows::new();
        let push = Vector3::z() - slip * 0.3;
        rows.push_contact(&model, &ws, LinkId(0), LinkId(1), &p, &[Vector3::z(), push, slip]);
        let row = |k: usize| rows.row(k).0.iter().copied().zip(rows.row(k).1.iter().copied());
        solve.push_oblique(row(0), row(1), compliance);
    }
    solve.factor(&model, &factor);
    (model, factor, solve)
}

fn product(compliance: f64, soft: &[(usize, f64)], f: &[f64]) -> Vec<f64> {
    let (model, factor, mut solve) = sliding_face(compliance);
    if compliance == 0.0 {
        assert_eq!(solve.deficient(), 1);
        assert!(solve.share(soft));
    }
    let (mut f, mut r, mut v) = (f.to_vec(), vec![0.0; 4], vec![0.0; 6]);
    solve.jvp(&model, &factor, &mut f, &mut r, &mut v);
    v
}

#[test]
fn shares_are_those_of_equal_compliances_in_the_limit() {
    let f = [0.3, -0.7, 0.2, 1.1, -0.4, 2.0];
    let soft: Vec<_> = (0..4).map(|k| (k, 1.0)).collect();
    let shared = product(0.0, &soft, &f);
    let mut last = f64::INFINITY;
    for compliance in [1e-4, 1e-5, 1e-6] {
        let off =
            product(compliance, &[], &f).iter().zip(&shared).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        // ten times less compliance, ten times nearer
        assert!(off < 0.15 * last, "{off:e} {last:e}");
        last = off;
    }
    assert!(last < 1e-4, "{last:e}");
}

#[test]
fn the_transpose_of_shares_is_their_transpose() {
    let (model, factor, mut solve) = sliding_face(0.0);
    let soft: Vec<_> = (0..4).map(|k| (k, 1.0 + k as f64)).collect();
    assert!(solve.share(&soft));
    for even in [false, true] {
        if even {
            solve.follow_even();
        }
        let (f, r) = ([0.3, -0.7, 0.2, 1.1, -0.4, 2.0], [0.0; 4]);
        let (stress, w) = ([1.0, -2.0, 3.0, 5.0], [0.2, 0.9, -0.5, 0.1, 0.8, -0.3]);
        let (mut f1, mut r1, mut s1, mut v1) = (f.to_vec(), r.to_vec(), stress.to_vec(), vec![0.0; 6]);
        solve.jvp_under(&model, &factor, &mut f1, (&mut r1, &mut s1), &mut v1);
        let (mut w2, mut f2, mut r2, mut s2) = (w.to_vec(), vec![0.0; 6], vec![0.0; 4], vec![0.0; 4]);
        solve.vjp_under(&model, &factor, &mut w2, &mut f2, (&mut r2, &mut s2));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let (there, back) = (dot(&w, &v1), dot(&f, &f2) + dot(&r, &r2) + dot(&stress, &s2));
        assert!((there - back).abs() < 1e-12, "{even}: {there} {back}");
        // it counts where loads follow the rule
        assert_eq!(s2.iter().any(|s| s.abs() > 1e-3), even, "{s2:?}");
    }
}

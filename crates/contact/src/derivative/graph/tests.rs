//! Rows on the graph of links against dense blocks.

use gudgeon_multibody::{
    Joint, LinkSpec, MassFactor, MassMatrix, ModelBuilder, Rows, State, integrate, kinematics, mass_matrix,
};
use gudgeon_spatial::Pose;

use super::super::ImplicitSolve;
use super::*;

/// Numbers from -1 to 1, the same always.
struct Random(f64);

impl Random {
    fn one(&mut self) -> f64 {
        self.0 = (self.0 * 1.618_033_988_749_895 + 0.271_828).fract();
        2.0 * self.0 - 1.0
    }

    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.one()).collect()
    }
}

/// Two chains on free bodies, their joints balls and hinges in turn.
fn chains(r: &mut Random) -> Model {
    let mut builder = ModelBuilder::new();
    for chain in 0..2 {
        let mut parent = "world".to_owned();
        for k in 0..9 {
            let name = format!("{chain} {k}");
            let joint = match k {
                0 => Joint::Free,
                k if k % 2 == 0 => Joint::Spherical,
                _ => Joint::revolute(Vector3::y()),
            };
            let at = Pose::from_translation(0.3, 0.1 * r.one(), 0.1 * r.one());
            let body = Inertia::cuboid(1.0 + 0.5 * r.one(), [0.15, 0.04, 0.06]);
            builder.link(LinkSpec::new(&name, &parent, joint, at, body).armature(0.01));
            parent = name;
        }
    }
    builder.build().unwrap()
}

fn close(a: &[f64], b: &[f64], within: f64) {
    let size = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).for_each(|(x, y)| assert!((x - y).abs() < within * size, "{x} {y}"));
}

/// Rows to the ground, between the chains and within one, some oblique, some of joints: both solves, both ways.
#[test]
fn rows_on_the_graph_are_solved_as_dense_blocks_are() {
    let mut r = Random(0.3);
    let model = chains(&mut r);
    let (n, mut state, mut ws) = (model.n_v(), State::neutral(&model), Workspace::new(&model));
    integrate(&model, &mut state.q, &r.numbers(n), 0.3);
    kinematics(&model, &state.q, &mut ws);
    let (mut fields, mut mass) = (Fields::default(), MassMatrix::new(&model));
    fields.read(&model, &ws);
    mass_matrix(&model, &ws, &mut mass);
    let mut factor = MassFactor::new(&model);
    factor.factor(&model, &mass).unwrap();
    let (mut graph, mut dense) = (GraphSolve::default(), ImplicitSolve::default());
    for links in [[2, 0], [5, 0], [9, 0], [14, 0], [3, 12], [7, 16], [4, 8]] {
        let p = fields.origin[links[0]] + Vector3::new(r.one(), r.one(), r.one()) * 0.1;
        let normal = Vector3::new(0.2 * r.one(), 0.2 * r.one(), 1.0).normalize();
        let along = (Vector3::x() - normal * normal.x).normalize();
        let (pushing, compliance) = (normal - along * (0.3 * r.one()), 0.01 * (1.0 + r.one()));
        let mut rows = Rows::new();
        rows.push_contact(&model, &ws, LinkId(links[1]), LinkId(links[0]), &p, &[normal, pushing, along]);
        let row = |k: usize| rows.row(k).0.iter().copied().zip(rows.row(k).1.iter().copied());
        graph.push_between(&fields, links, &p, [normal, pushing], compliance);
        dense.push_oblique(row(0), row(1), compliance);
        graph.push_between(&fields, links, &p, [along; 2], 0.0);
        dense.push(row(2), 0.0);
    }
    for (dof, sign) in [(7, 1.0), (30, -1.0)] {
        graph.push_dof(dof, sign, 0.0);
        dense.push([(dof, sign)], 0.0);
    }
    assert_eq!(graph.factor(&model, &ws, &fields, &[]), Rank::Full);
    dense.factor(&model, &factor);
    assert_eq!(dense.deficient(), 0);

    let m = graph.len();
    let (f, right, v) = (r.numbers(n), r.numbers(m), r.numbers(n));
    let (mut r1, mut v1, mut f2, mut r2, mut v2) = (right.clone(), v.clone(), f.clone(), right, v.clone());
    graph.jvp(&model, &fields, &f, &mut r1, &mut v1);
    dense.jvp(&model, &factor, &mut f2, &mut r2, &mut v2);
    // of motions: rounding among 44 dofs; impulses follow a round behind
    close(&v1, &v2, 1e-11);
    close(&r1, &r2, 1e-8);
    let (mut w1, mut w2, mut g1, mut g2) = (v.clone(), v, vec![0.0; n], vec![0.0; n]);
    graph.vjp(&model, &fields, &mut w1, &mut g1, &mut r1);
    dense.vjp(&model, &factor, &mut w2, &mut g2, &mut r2);
    close(&g1, &g2, 1e-11);
    close(&w1, &w2, 1e-8);
    close(&r1, &r2, 1e-8);

    // every row twice, twice as soft: the same motion
    graph.rows.extend_from_within(..);
    graph.rows.iter_mut().for_each(|row| row.compliance *= 2.0);
    assert_eq!(graph.factor(&model, &ws, &fields, &[]), Rank::Redundant);
    let (mut r3, mut v3) = (vec![0.0; 2 * m], vec![0.5; n]);
    graph.jvp(&model, &fields, &f, &mut r3, &mut v3);
    let (mut f4, mut r4, mut v4) = (f, vec![0.0; m], vec![0.5; n]);
    dense.jvp(&model, &factor, &mut f4, &mut r4, &mut v4);
    close(&v3, &v4, 1e-11);
}

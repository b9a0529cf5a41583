//! Derivatives of accelerations and of steps on the manifold: against differences, and each product against its transpose.

use gudgeon_multibody::{
    AccelerationDerivative, AccelerationScratch, ConstraintSolver, InertiaGradient, InputChange, LinkId,
    Load, Model, Prescribed, Shares, State, Workspace, forward_dynamics, integrate, integrate_jvp,
    integrate_vjp,
};
use gudgeon_spatial::{Force, Symmetric3};

use crate::support::random::Random;
use crate::support::{mechanisms, relative_error, trees};

struct Point {
    model: Model,
    state: State,
    tau: Vec<f64>,
    external: Vec<Force>,
    diagonal: Vec<f64>,
    prescribed: Option<Prescribed>,
    held: bool,
}

impl Point {
    fn load(&self) -> Load<'_> {
        Load {
            tau: &self.tau,
            external: &self.external,
            diagonal: &self.diagonal,
            prescribed: self.prescribed.as_ref(),
            ..Load::default()
        }
    }

    fn acceleration(&self) -> Vec<f64> {
        let mut ws = Workspace::new(&self.model);
        if self.held {
            ConstraintSolver::new(&self.model).forward_dynamics(
                &self.model,
                &self.state,
                &self.load(),
                &mut ws,
            );
        } else {
            forward_dynamics(&self.model, &self.state, &self.load(), &mut ws);
        }
        ws.qdd().to_vec()
    }

    fn random(model: Model, state: State, held: bool, r: &mut Random) -> Self {
        let n = model.n_v();
        let tau = r.numbers(n, 5.0);
        let external =
            (0..model.n_links()).map(|_| Force::new(r.vector(2.0), r.vector(2.0))).collect::<Vec<_>>();
        let diagonal = r.numbers(n, 0.1).iter().map(|x| x.abs()).collect();
        Self { model, state, tau, external, diagonal, prescribed: None, held }
    }
}

/// δq̈ by central differences of fourth order, along one direction of everything.
fn differences(
    p: &Point,
    dq: &[f64],
    dv: &[f64],
    dtau: &[f64],
    external: &[Force],
    driven: &[f64],
) -> Vec<f64> {
    let at = |h: f64| {
        let mut m = Point {
            model: p.model.clone(),
            state: p.state.clone(),
            tau: p.tau.iter().zip(dtau).map(|(x, d)| x + h * d).collect(),
            external: p.external.iter().zip(external).map(|(f, d)| *f + *d * h).collect(),
            diagonal: p.diagonal.clone(),
            prescribed: p.prescribed.clone(),
            held: p.held,
        };
        integrate(&p.model, &mut m.state.q, dq, h);
        m.state.v.iter_mut().zip(dv).for_each(|(x, d)| *x += h * d);
        if let Some(prescribed) = &mut m.prescribed {
            prescribed.qdd.iter_mut().zip(driven).for_each(|(x, d)| *x += h * d);
        }
        m.acceleration()
    };
    // the fourth power of it is rounding
    let h = 2e-4;
    let (a, b, c, d) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
    (0..a.len()).map(|k| (a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * h)).collect()
}

fn check(p: &Point, r: &mut Random, tolerance: f64, name: &str) {
    let (n, nb) = (p.model.n_v(), p.model.n_links());
    let mut derivative = AccelerationDerivative::new(&p.model);
    derivative.compute(&p.model, &p.state, &p.load(), p.held).expect("a positive inertia");
    let off = relative_error(derivative.acceleration(), &p.acceleration());
    assert!(off < 1e-9, "{name}: accelerations differ by {off:e}");

    let mut sc = AccelerationScratch::default();
    let (dq, dv, dtau) = (r.numbers(n, 1.0), r.numbers(n, 1.0), r.numbers(n, 1.0));
    let external: Vec<Force> = (0..nb).map(|_| Force::new(r.vector(1.0), r.vector(1.0))).collect();
    let driven = r.numbers(n, 1.0);
    let mut da = driven.clone();
    let change = InputChange { q: &dq, v: &dv, tau: &dtau, external: &external };
    derivative.jvp(&p.model, &change, &mut da, &mut sc);
    let expected = differences(p, &dq, &dv, &dtau, &external, &driven);
    let off = relative_error(&da, &expected);
    assert!(off < tolerance, "{name}: {off:e}");

    // wᵀ (D x) = (Dᵀ w)ᵀ x
    let w = r.numbers(n, 1.0);
    let (mut on_q, mut on_v, mut on_tau, mut on_driven) =
        (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut shares = Shares { q: &mut on_q, v: &mut on_v, tau: &mut on_tau, driven: &mut on_driven };
    let y = derivative.vjp(&p.model, &w, &mut shares, &mut sc).to_vec();
    let mut fields = Vec::new();
    derivative.spread(&p.model, &y, &mut fields);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let pushed: f64 = (1..nb).map(|i| derivative.at_origin(i, fields[i]).dot(external[i])).sum();
    let back = dot(&on_q, &dq) + dot(&on_v, &dv) + dot(&on_tau, &dtau) + dot(&on_driven, &driven) + pushed;
    let there = dot(&w, &da);
    let size = w.iter().zip(&da).map(|(x, y)| (x * y).abs()).sum::<f64>();
    // conditions of some hundred leave a dozen digits
    assert!((there - back).abs() < 1e-9 * size, "{name}: {there} {back}");
}

#[test]
fn accelerations_of_every_joint_have_the_derivative_of_their_differences() {
    for seed in 0..60 {
        let mut r = Random::new(seed + 910_000);
        let model = trees::tree(&mut r, 9);
        let state = trees::state(&mut r, &model);
        let mut p = Point::random(model, state, false, &mut r);
        p.state.v = r.numbers(p.model.n_v(), 1.5);
        check(&p, &mut r, 1e-6, &format!("tree {seed}"));
        p.prescribed = Some(Prescribed {
            driven: (0..p.model.n_links()).map(|i| i % 3 == 1).collect(),
            qdd: r.numbers(p.model.n_v(), 2.0),
        });
        check(&p, &mut r, 1e-6, &format!("driven tree {seed}"));
    }
}

#[test]
fn accelerations_with_loops_held_have_the_derivative_of_their_differences() {
    for (name, model, mut state, _) in mechanisms::all() {
        let mut r = Random::new(77);
        let mut ws = Workspace::new(&model);
        let mut solver = ConstraintSolver::new(&model);
        for _ in 0..5 {
            state.v = r.numbers(model.n_v(), 1.0);
            solver.project_velocities(&model, &mut state, &mut ws);
            let p = Point::random(model.clone(), state.clone(), true, &mut r);
            check(&p, &mut r, 1e-6, name);
        }
    }
    let mut checked = 0;
    for seed in 0..40 {
        let mut r = Random::new(seed + 920_000);
        let (model, state) = trees::closed_tree(&mut r, 8, 1);
        let mut p = Point::random(model, state, true, &mut r);
        p.state.v = r.numbers(p.model.n_v(), 0.5);
        // rows that depend on each other here do not beside it: off the loops the accelerations jump
        let mut solver = ConstraintSolver::new(&p.model);
        let mut ws = Workspace::new(&p.model);
        solver.forward_dynamics(&p.model, &p.state, &p.load(), &mut ws);
        let rows = &solver.constraints().rows;
        // rows along which a loop slides are empty
        if solver.rank() == (0..rows.len()).filter(|i| !rows.row(*i).0.is_empty()).count() {
            checked += 1;
            check(&p, &mut r, 1e-5, &format!("closed tree {seed}"));
        }
    }
    assert!(checked >= 10, "{checked}");
}

#[test]
fn a_step_on_the_manifold_has_the_derivative_of_its_differences() {
    let mut r = Random::new(31);
    let model = trees::tree(&mut r, 12);
    let state = trees::state(&mut r, &model);
    let n = model.n_v();
    let (v, dt) = (r.numbers(n, 3.0), 0.3);
    let (dq, dv) = (r.numbers(n, 1.0), r.numbers(n, 1.0));
    let mut found = dq.clone();
    integrate_jvp(&model, &v, dt, &mut found, &dv);
    let at = |h: f64| {
        let mut q = state.q.clone();
        integrate(&model, &mut q, &dq, h);
        let v: Vec<f64> = v.iter().zip(&dv).map(|(v, d)| v + h * d).collect();
        integrate(&model, &mut q, &v, dt);
        q
    };
    let h = 1e-5;
    let mut expected = vec![0.0; n];
    gudgeon_multibody::difference(&model, &at(-h), &at(h), &mut expected);
    for x in &mut expected {
        *x /= 2.0 * h;
    }
    assert!(relative_error(&found, &expected) < 1e-9);

    let w = r.numbers(n, 1.0);
    let (mut on_q, mut on_v) = (w.clone(), vec![0.0; n]);
    integrate_vjp(&model, &v, dt, &mut on_q, &mut on_v);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    assert!((dot(&w, &found) - dot(&on_q, &dq) - dot(&on_v, &dv)).abs() < 1e-12);
}

#[test]
fn accelerations_against_inertias_are_those_of_differences() {
    for seed in 0..20 {
        let mut r = Random::new(seed + 930_000);
        let model = trees::tree(&mut r, 6);
        let state = trees::state(&mut r, &model);
        let mut p = Point::random(model, state, false, &mut r);
        p.state.v = r.numbers(p.model.n_v(), 1.0);
        let n = p.model.n_v();
        let mut derivative = AccelerationDerivative::new(&p.model);
        derivative.compute(&p.model, &p.state, &p.load(), false).expect("a positive inertia");
        let w = r.numbers(n, 1.0);
        let mut rest = [vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let [q, v, tau, driven] = &mut rest;
        let mut sc = AccelerationScratch::default();
        let y = derivative.vjp(&p.model, &w, &mut Shares { q, v, tau, driven }, &mut sc).to_vec();
        let mut fields = Vec::new();
        derivative.spread(&p.model, &y, &mut fields);
        for i in 1..p.model.n_links() {
            let mut gradient = InertiaGradient::default();
            derivative.inertia_share(&p.model, i, fields[i], &mut gradient);
            let change = InertiaGradient {
                mass: r.range(-1.0, 1.0),
                com: r.vector(1.0),
                about_com: std::array::from_fn(|_| r.range(-1.0, 1.0)),
            };
            let at = |h: f64| {
                let mut m = p.model.clone();
                let inertia = m.inertia_mut(LinkId(i));
                inertia.mass += h * change.mass;
                inertia.com += change.com * h;
                let c = change.about_com.map(|x| x * h);
                inertia.about_com += Symmetric3::new(c[0], c[1], c[2], c[3], c[4], c[5]);
                let mut ws = Workspace::new(&m);
                forward_dynamics(&m, &p.state, &p.load(), &mut ws);
                w.iter().zip(ws.qdd()).map(|(w, a)| w * a).sum::<f64>()
            };
            let h = 1e-5;
            let expected = (at(h) - at(-h)) / (2.0 * h);
            let found = gradient.dot(&change);
            assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }
}

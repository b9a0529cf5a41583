//! Ratios of cost between the algorithms, growth with the number of links, and what threads bring; no absolute times.
//!
//! `cargo run --release -p gudgeon-multibody --example speed`
#![expect(clippy::print_stdout, reason = "the table is the product")]
#![expect(clippy::unwrap_used, reason = "an example on fixed models")]

use std::hint::black_box;
use std::time::Instant;

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, LinkSpec, Load, MassFactor, MassMatrix, Model, ModelBuilder, Order,
    Rows, Scheme, State, Stepper, Whitened, Workspace, aba, crba, delassus_by_aba, kinematics, mass_matrix,
    rnea, velocities,
};
use gudgeon_spatial::{Force, Inertia, Pose, Symmetric3, Vector3};

fn chain(n: usize) -> (Model, State) {
    let mut b = ModelBuilder::new();
    let rod = Inertia::new(1.0, Vector3::new(0.15, 0.0, 0.0), Symmetric3::diagonal(1e-3, 8e-3, 8e-3));
    for k in 0..n {
        let axis = if k % 2 == 0 { Vector3::y() } else { Vector3::z() };
        let parent = if k == 0 { "world".to_owned() } else { format!("r{}", k - 1) };
        let x = if k == 0 { Pose::identity() } else { Pose::from_translation(0.3, 0.0, 0.0) };
        b.link(LinkSpec::new(&format!("r{k}"), &parent, Joint::revolute(axis), x, rod));
    }
    let model = b.build().unwrap();
    let mut state = State::neutral(&model);
    for k in 0..n {
        state.q[k] = 0.5 * (k as f64).sin();
        state.v[k] = 0.1 * (k as f64).cos();
    }
    (model, state)
}

/// Shortest mean of several rounds, seconds.
fn time(repeats: usize, mut work: impl FnMut()) -> f64 {
    (0..9).fold(f64::INFINITY, |best, _| {
        let start = Instant::now();
        for _ in 0..repeats {
            work();
        }
        best.min(start.elapsed().as_secs_f64() / repeats as f64)
    })
}

fn main() {
    println!("cost over that of ABA, same model, same run");
    for n in [10, 30, 100] {
        let (model, state) = chain(n);
        let tau = vec![0.1; n];
        let load = Load { tau: &tau, ..Load::default() };
        let mut ws = Workspace::new(&model);
        let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
        let mut qdd = vec![0.0; n];
        let repeats = 20_000 / n;
        let base = time(repeats, || aba(&model, black_box(&state), &tau, &[], &mut ws));
        let mut line = Vec::new();
        let mut row = |name: &str, t: f64| line.push(format!("{name} {:.2}", t / base));
        row("RNEA", time(repeats, || rnea(&model, black_box(&state), &tau, &[], &mut ws)));
        row("CRBA", time(repeats, || crba(&model, black_box(&state.q), &mut ws, &mut mass)));
        row("factor", time(repeats, || factor.factor(&model, black_box(&mass)).unwrap()));
        kinematics(&model, &state.q, &mut ws);
        velocities(&model, &state.v, &mut ws);
        for (name, order, way) in [
            ("DCA serial", Order::Serial, Elimination::Motion),
            ("DCA balanced", Order::Balanced, Elimination::Motion),
            ("ADA serial", Order::Serial, Elimination::Constraint),
            ("ADA balanced", Order::Balanced, Elimination::Constraint),
        ] {
            let mut ada = Ada::new(&model, &[], order, way).unwrap();
            row(
                name,
                time(repeats, || {
                    ada.assemble(&model, black_box(&load), &mut ws);
                    ada.disassemble(&model, &[], &ws, &mut qdd);
                }),
            );
        }
        let mut stepper = Stepper::new(&model);
        let mut moving = state.clone();
        for (name, scheme) in [
            ("Euler step", Scheme::SemiImplicit),
            ("midpoint step", Scheme::Midpoint { iterations: 2 }),
            ("carried step", Scheme::Carried),
            ("RK4 step", Scheme::Rk4),
        ] {
            row(
                name,
                time(repeats, || {
                    moving.q.copy_from_slice(&state.q);
                    moving.v.copy_from_slice(&state.v);
                    stepper.step(&model, &mut moving, &tau, &[], 1e-3, scheme);
                }),
            );
        }
        println!("  chain of {n:3}: {}", line.join(", "));
    }
    delassus();
    growth();
}

/// W of 16 contacts (48 rows) on the last four links of a chain of 30, three ways.
fn delassus() {
    let (model, state) = chain(30);
    let mut ws = Workspace::new(&model);
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    let (mut rows, mut on_handles) = (Rows::new(), Vec::new());
    let handles: Vec<LinkId> = (27..31).map(LinkId).collect();
    for c in 0..16_usize {
        let link = handles[c % 4];
        let p = ws.pose(link).point(&Vector3::new(0.02 * c as f64, 0.03, -0.01));
        for k in 0..3 {
            let f = Force::new(Vector3::zeros(), Vector3::ith(k, 1.0));
            rows.push_between(&model, &ws, LinkId::WORLD, link, &p, f);
            on_handles.push([(c % 4, f.at(&(ws.pose(link).translation - p))), (c % 4, Force::zero())]);
        }
    }
    let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
    let (mut y, mut w) = (Whitened::default(), Vec::new());
    let by_factor = time(200, || {
        mass_matrix(&model, &ws, &mut mass);
        factor.factor(&model, &mass).unwrap();
        y.compute(&model, &factor, &rows);
        y.delassus(&mut w);
    });
    let mut scratch = ws.clone();
    let by_aba = time(200, || delassus_by_aba(&model, &rows, &mut scratch, &mut w));
    let tau = vec![0.0; 30];
    let mut ada = Ada::new(&model, &handles, Order::Serial, Elimination::Constraint).unwrap();
    let by_ada = time(200, || {
        ada.assemble(&model, &Load { tau: &tau, ..Load::default() }, &mut ws);
        ada.iabi().delassus(&on_handles, &mut w);
    });
    println!(
        "Delassus, 48 rows on 4 links of a chain of 30, over the sparse factor's: ABA {:.2}, ADA {:.2}",
        by_aba / by_factor,
        by_ada / by_factor
    );
}

fn growth() {
    println!(
        "growth: time per link over that at 100 links; depth of the balanced order; gain of two threads"
    );
    let mut base = None;
    for n in [100, 1000, 10_000] {
        let (model, state) = chain(n);
        let tau = vec![0.1; n];
        let load = Load { tau: &tau, ..Load::default() };
        let mut ws = Workspace::new(&model);
        let mut qdd = vec![0.0; n];
        let repeats = 20_000 / n;
        let mut times = vec![time(repeats, || aba(&model, black_box(&state), &tau, &[], &mut ws))];
        kinematics(&model, &state.q, &mut ws);
        velocities(&model, &state.v, &mut ws);
        let mut depth = 0;
        for (order, threads) in [(Order::Serial, 1), (Order::Balanced, 1), (Order::Balanced, 2)] {
            let ada = Ada::new(&model, &[LinkId(n)], order, Elimination::Constraint).unwrap();
            let mut ada = ada.with_threads(threads);
            depth = ada.depth();
            times.push(time(repeats, || {
                ada.assemble(&model, black_box(&load), &mut ws);
                ada.disassemble(&model, &[], &ws, &mut qdd);
            }));
        }
        let per: Vec<f64> = times.iter().map(|t| t / n as f64).collect();
        let first: &Vec<f64> = base.get_or_insert_with(|| per.clone());
        println!(
            "  {n:6} links: ABA {:.2}, ADA serial {:.2}, ADA balanced {:.2}; depth {depth}; two threads {:.2}",
            per[0] / first[0],
            per[1] / first[1],
            per[2] / first[2],
            per[2] / per[3]
        );
    }
}

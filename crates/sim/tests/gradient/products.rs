//! Products without matrices: rollouts of any length, threads, memory.

use gudgeon_sim::{Change, Linearization, Matrices, Rollout, RolloutWorth, Simulator, Worth, rollouts_vjp};
use gudgeon_testkit::alloc::count;

use super::cases;
use super::check::Random;

fn case(name: &str) -> gudgeon_sim::Scene {
    cases::all().into_iter().find(|(n, _)| *n == name).unwrap().1
}

#[test]
fn a_rollout_forwards_is_its_transpose_backwards() {
    let mut r = Random::new(3);
    for name in ["cart-pole", "hopper", "quadruped", "four-bar"] {
        let scene = case(name);
        let (n, steps) = (scene.model.n_v(), 37);
        let controls = r.numbers(steps * n, 0.3);
        let mut rollout = Rollout::run(Simulator::new(&scene).unwrap(), steps, &controls).unwrap();
        let (dq, dv, du) = (r.numbers(n, 1.0), r.numbers(n, 1.0), r.numbers(steps * n, 1.0));
        let [q, v] = rollout.jvp(&dq, &dv, &du).unwrap();
        let (on_q, on_v) = (r.numbers((steps + 1) * n, 1.0), r.numbers((steps + 1) * n, 1.0));
        let worth = rollout.vjp(&on_q, &on_v).unwrap();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let there = dot(&on_q, &q) + dot(&on_v, &v);
        let back = dot(&worth.q, &dq) + dot(&worth.v, &dv) + dot(&worth.controls, &du);
        let size: f64 = on_q.iter().zip(&q).chain(on_v.iter().zip(&v)).map(|(x, y)| (x * y).abs()).sum();
        assert!((there - back).abs() < 1e-9 * size, "{name}: {there} {back}");
    }
}

#[test]
fn whole_matrices_are_the_rows_of_the_transpose() {
    for (name, scene) in cases::all() {
        if super::LONG.contains(&name) {
            continue;
        }
        let n = scene.model.n_v();
        let mut sim = Simulator::new(&scene).unwrap();
        let (mut linear, mut worth, mut found) =
            (Linearization::new(&sim), Worth::default(), Matrices::default());
        for _ in 0..30 {
            let _ = sim.step().unwrap();
        }
        let Ok(_) = sim.step_linearized(&mut linear) else { continue };
        linear.matrices(&mut found);
        let most = found.a.iter().chain(&found.b).fold(1.0_f64, |m, x| m.max(x.abs()));
        linear.rows(&mut worth, |k, w| {
            let a = w.q.iter().chain(&w.v).zip(&found.a[2 * n * k..]);
            let b = w.control.iter().zip(&found.b[n * k..]);
            let off = a.chain(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            // rounding of sums of some tens of terms
            assert!(off < 1e-13 * most, "{name}, row {k}: {off:e} of {most:e}");
        });
    }
}

#[test]
fn any_number_of_threads_gives_the_same_gradients() {
    let scene = case("quadruped");
    let n = scene.model.n_v();
    let steps = 12;
    let run = |threads: usize| -> Vec<RolloutWorth> {
        let mut all: Vec<Rollout> = (0..5)
            .map(|k| {
                let controls = Random::new(k).numbers(steps * n, 0.3);
                Rollout::run(Simulator::new(&scene).unwrap(), steps, &controls).unwrap()
            })
            .collect();
        let worth = |_: usize, r: &Rollout| {
            let ones = vec![1.0; (r.steps() + 1) * n];
            [ones.clone(), ones]
        };
        rollouts_vjp(&mut all, threads, worth).into_iter().map(Result::unwrap).collect()
    };
    let alone = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), alone, "{threads} threads");
    }
}

#[test]
fn a_warm_derivative_allocates_nothing() {
    for name in ["quadruped", "sliding box", "stack", "humanoid", "ragdoll", "four-bar", "gears", "cam"] {
        let scene = case(name);
        let n = scene.model.n_v();
        let mut sim = Simulator::new(&scene).unwrap();
        let (mut linear, mut worth, mut matrices) =
            (Linearization::new(&sim), Worth::default(), Matrices::default());
        let ones = vec![1.0; n];
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        // until it rests, so that the step itself meets nothing new
        for _ in 0..1500 {
            let _ = sim.step().unwrap();
        }
        for _ in 0..40 {
            let _ = sim.step_linearized(&mut linear).unwrap();
            linear.vjp(&ones, &ones, &mut worth);
            linear.jvp(&Change { q: &ones, v: &ones, control: &ones, ..Change::default() }, &mut q, &mut v);
            linear.matrices(&mut matrices);
        }
        let ((), alone) = count(|| {
            for _ in 0..10 {
                let _ = sim.step().unwrap();
            }
        });
        println!("{name}: {alone:?} in the steps alone");
        let ((), counts) = count(|| {
            for _ in 0..10 {
                let _ = sim.step_linearized(&mut linear).unwrap();
                linear.vjp(&ones, &ones, &mut worth);
                linear.jvp(
                    &Change { q: &ones, v: &ones, control: &ones, ..Change::default() },
                    &mut q,
                    &mut v,
                );
                linear.matrices(&mut matrices);
            }
        });
        println!("{name}: {counts:?}");
        assert_eq!(counts.allocations, 0, "{name}");
    }
}

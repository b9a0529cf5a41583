//! Same state, same motion: a step knows the state and nothing else. The example `same_state` has a larger table.

use gudgeon_lcp::{
    Budget, ConeShape, FactoredForm, FrictionProblem, FrictionSolution, FrictionTask, RowIds, Status,
    Structured, WarmStart,
};
use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

/// The accuracy of a solve, on either side, of the largest speed.
const SAME: f64 = 1e-9;

/// A number of a scene by its name.
type Setting = (&'static str, f64);

fn apart(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let size = a.iter().fold(scale, |m: f64, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

/// The motion that a solve without memory leads to, √kg m/s, contacts from the first or from the last.
fn motion(problem: &FrictionProblem, ids: RowIds<'_>, turned: bool) -> Option<Vec<f64>> {
    let form = problem.as_factored()?;
    let mut out = FactoredForm::default();
    out.clear(form.width());
    let mut order: Vec<usize> = (0..form.n_contacts()).collect();
    if turned {
        order.reverse();
    }
    for &i in &order {
        out.contact(form.mu()[i], [0, 1, 2].map(|k| form.row(3 * i + k)));
    }
    let mut at = 3 * form.n_contacts();
    (0..form.n_unilateral()).for_each(|k| out.unilateral(form.row(at + k)));
    at += form.n_unilateral();
    for (k, &(lo, hi)) in form.bounds().iter().enumerate() {
        out.bounded(form.row(at + k), lo, hi);
    }
    at += form.n_bounded();
    (0..form.n_equality()).for_each(|k| out.equality(form.row(at + k)));
    let problem = FrictionProblem::factored(out).ok()?.with_facets(problem.facets()).ok()?;
    let contacts: Vec<u64> = order.iter().map(|&i| ids.contacts[i]).collect();
    let (mut solution, mut warm) = (FrictionSolution::default(), WarmStart::default());
    let ids = RowIds { contacts: &contacts, ..ids };
    let (cone, budget) = (ConeShape::Exact, Budget::default());
    let outcome = Structured::default().solve_warm(
        FrictionTask { problem: &problem, cone, ids, budget },
        &mut warm,
        &mut solution,
        &mut (),
    );
    let form = problem.as_factored()?;
    let mut y = vec![0.0; form.width()];
    for (row, r) in form.rows().zip(&solution.impulses) {
        row.index.iter().zip(row.value).for_each(|(&dof, a)| y[dof] += a * r);
    }
    (outcome.status == Status::Solved).then_some(y)
}

/// A simulator that remembers nothing, one from a snapshot, one on another thread, and contacts in another order: the same
/// step. Frames that slide under loads that are not determined are the ones to watch, and trees that are pushed: their flight must
/// not look back.
#[test]
fn the_same_state_has_the_same_motion() {
    // where the law leaves no choice, or loads are shared by a rule; boxes in piles are not there yet
    let scenes: [(&str, &[Setting]); 11] = [
        ("squat", &[]),
        ("tapdance", &[]),
        ("ragdoll", &[]),
        ("nlegs", &[]),
        ("pinch", &[]),
        ("stack", &[]),
        ("slope", &[]),
        ("hoist", &[]),
        ("push", &[]),
        ("peg", &[]),
        ("pile", &[("bodies", 10.0), ("kind", 0.0)]),
    ];
    let mut wrong = Vec::new();
    for (name, values) in scenes {
        let params = values.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
        let built = builtin(name, &params).unwrap();
        let mut sim = Simulator::new(&built).unwrap();
        let (mut fresh, mut order, mut off) = (0.0_f64, 0.0_f64, 0);
        for k in 0..400 {
            let before = (k % 20 == 13).then(|| sim.snapshot());
            let _ = sim.step().unwrap();
            let Some(before) = before else { continue };
            let start = || {
                let mut other = Simulator::new(&built).unwrap();
                other.restore(&before).unwrap();
                other
            };
            let mut other = start();
            other.forget_roads();
            let _ = other.step().unwrap();
            let distance = apart(&sim.state().v, &other.state().v, 9.81 * sim.settings.dt);
            off += usize::from(distance > SAME);
            fresh = fresh.max(distance);
            let mut pair = vec![start(), start()];
            std::thread::scope(|scope| {
                for other in &mut pair {
                    scope.spawn(|| assert!(other.step().is_ok()));
                }
            });
            assert!(pair.iter().all(|other| other.state_hash() == sim.state_hash()), "{name}, step {k}");
            if let Some(problem) = sim.last_problem().filter(|_| !sim.contacts().is_empty()) {
                let ids = sim.last_ids();
                if let (Some(a), Some(b)) = (motion(problem, ids, false), motion(problem, ids, true)) {
                    order = order.max(apart(&a, &b, 1e-12));
                }
            }
        }
        println!("{name} {values:?}: fresh {fresh:.1e}, {off} apart; contacts turned round {order:.1e}");
        if off > 0 || order > SAME {
            wrong.push((name, values, off, fresh, order));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

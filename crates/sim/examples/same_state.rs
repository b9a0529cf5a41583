//! Same state, same motion: does a step know more than the state? Prints a table over the built-in scenes.
//!
//! ```text
//! cargo run --release -p gudgeon-sim --example same_state [-- STATES [SCENE|all [tell|placed]]]
//! ```
//! A running simulation is looked at in many of its states. A fresh simulator with the same coordinates, velocities and
//! time, and nothing remembered, takes the same step; so do one from a snapshot, and two beside each other on threads of their
//! own. The problem of the step is solved once more with its contacts in the opposite order.
//!
//! | column | counts the states |
//! |---|---|
//! | fresh, worst | whose velocities after the step are more than 1e-9 of the largest speed (or of what gravity does in a step) apart without memory; by how much |
//! | restored, batch | where a bit differs from a snapshot, or in a batch of such |
//! | order, worst | where the opposite order of contacts leads to another motion by more than 1e-9; by how much |
//! | fallbacks | where one of the two had no answer to Coulomb's law within 1e-9 |
//!
//! The forces of the step before are part of the state of a `carried` step: a fresh simulator of such a scene has them too.
//! With `tell` the states that differ are told, with `placed` bodies are put there by hand, so that what overlaps is lifted apart
//! whatever it costs.

#![allow(clippy::unwrap_used, reason = "a scene that cannot be built should stop the table")]
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use gudgeon_lcp::{
    Budget, ConeShape, FactoredForm, FrictionProblem, FrictionSolution, FrictionTask, RowIds, Status,
    Structured, WarmStart,
};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Facets, Scene, Simulator};

/// Apart from here on, against the largest speed of the state.
const SAME: f64 = 1e-9;

/// Scenes and how they differ from their defaults.
const SCENES: [(&str, &[(&str, f64)]); 22] = [
    ("squat", &[]),
    ("tapdance", &[]),
    ("hoist", &[]),
    ("ring", &[]),
    ("net", &[]),
    ("nlegs", &[]),
    ("wall", &[]),
    ("peg", &[]),
    ("stack", &[]),
    ("stack", &[("boxes", 8.0)]),
    ("slope", &[]),
    ("slope", &[("limit", 1.2)]),
    ("push", &[]),
    ("pinch", &[]),
    ("rolling", &[]),
    ("strandbeest", &[]),
    ("ragdoll", &[]),
    ("dominoes", &[]),
    ("kapla", &[]),
    ("pile", &[("bodies", 20.0), ("kind", 0.0)]),
    ("pile", &[("bodies", 20.0), ("kind", 1.0)]),
    ("pile", &[("bodies", 20.0), ("kind", 2.0)]),
];

/// Against the largest speed, or what gravity does in a step where all is still.
fn apart(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let size = a.iter().fold(scale, |m: f64, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

/// What the two answers were, and who gave them.
fn tell(step: u64, distance: f64, both: [&Simulator; 2]) {
    let [a, b] = both.map(|sim| sim.contacts().iter().map(|c| (c.id, c.mode)).collect::<Vec<_>>());
    let other = a.iter().zip(&b).filter(|(x, y)| x != y).count();
    let slides = |all: &[(u64, _)]| all.iter().filter(|c| c.1 == gudgeon_sim::Mode::Slip).count();
    let count = a.len();
    println!(
        "  step {step}: {distance:.1e}, {count} contacts, {} and {} slide, {other} in another mode",
        slides(&a),
        slides(&b)
    );
    for sim in both {
        for s in sim.stages() {
            print!("    {} {}{:.0e}", s.stage.name(), if s.won { "won " } else { "" }, s.after);
        }
        println!();
    }
}

/// The motion that a solve without memory leads to, √kg m/s; none if it is not solved.
fn motion(problem: &FrictionProblem, ids: RowIds<'_>) -> Option<Vec<f64>> {
    let (mut solution, mut warm) = (FrictionSolution::default(), WarmStart::default());
    let outcome = Structured::default().solve_warm(
        FrictionTask { problem, cone: ConeShape::Exact, ids, budget: Budget::default() },
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

/// How far the motion goes if the contacts come in the opposite order.
fn turned(problem: &FrictionProblem, ids: RowIds<'_>) -> Option<f64> {
    let form = problem.as_factored()?;
    let mut out = FactoredForm::default();
    out.clear(form.width());
    for i in (0..form.n_contacts()).rev() {
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
    let other = FrictionProblem::factored(out).ok()?.with_facets(problem.facets()).ok()?;
    let contacts: Vec<u64> = ids.contacts.iter().rev().copied().collect();
    let other_ids = RowIds { contacts: &contacts, ..ids };
    let (a, b) = (motion(problem, ids)?, motion(&other, other_ids)?);
    Some(apart(&a, &b, 1e-12))
}

/// What was seen of a scene.
#[derive(Default)]
struct Seen {
    states: u64,
    fresh: u64,
    worst: f64,
    restored: u64,
    batch: u64,
    order: u64,
    worst_order: f64,
    fallbacks: u64,
}

impl Seen {
    fn row(&self, label: &str) {
        let Self { states, fresh, worst, restored, batch, order, worst_order, fallbacks } = self;
        println!(
            "{label:28}{states:7}{fresh:7}{worst:9.1e}{restored:10}{batch:7}{order:7}{worst_order:9.1e}{fallbacks:10}"
        );
    }

    fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.fresh += other.fresh;
        self.worst = self.worst.max(other.worst);
        self.restored += other.restored;
        self.batch += other.batch;
        self.order += other.order;
        self.worst_order = self.worst_order.max(other.worst_order);
        self.fallbacks += other.fallbacks;
    }
}

fn has_fallen_back(report: &gudgeon_sim::StepReport) -> bool {
    report.solve.is_some_and(|s| s.fallback != gudgeon_sim::Fallback::None)
}

/// One state: the step was taken by `sim`, from `snapshot`.
fn compare(scene: &Scene, sim: &Simulator, step: u64, snapshot: &[u8], how: &str, seen: &mut Seen) -> bool {
    let start = || {
        let mut other = Simulator::new(scene).unwrap();
        other.restore(snapshot).unwrap();
        other
    };
    let mut other = start();
    if how == "placed" {
        let state = other.state().clone();
        other.set_state(&state);
    }
    other.forget_roads();
    seen.states += 1;
    let fallen = other.step().map_or(true, |report| has_fallen_back(&report));
    let distance = apart(&sim.state().v, &other.state().v, 9.81 * scene.settings.dt);
    seen.worst = seen.worst.max(distance);
    if distance > SAME {
        seen.fresh += 1;
        if how == "tell" {
            tell(step, distance, [sim, &other]);
        }
    }
    let mut others = vec![start(), start()];
    std::thread::scope(|scope| {
        for other in &mut others {
            scope.spawn(|| drop(other.step()));
        }
    });
    seen.restored += u64::from(others[0].state_hash() != sim.state_hash());
    seen.batch += u64::from(others[1].state_hash() != sim.state_hash());
    let round = scene.settings.facets == Facets::Exact;
    if let Some(problem) = sim.last_problem().filter(|_| round && !sim.contacts().is_empty()) {
        let distance = turned(problem, sim.last_ids()).unwrap_or(0.0);
        seen.order += u64::from(distance > SAME);
        seen.worst_order = seen.worst_order.max(distance);
    }
    fallen
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let states: u64 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    let how = args.get(3).map_or("", String::as_str);
    println!(
        "scene                        states  fresh    worst  restored  batch  order    worst fallbacks"
    );
    let mut all = Seen::default();
    for (name, values) in SCENES {
        if args.get(2).is_some_and(|only| only != name && only != "all") {
            continue;
        }
        let params = values.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
        let scene: Scene = builtin(name, &params).unwrap();
        let mut sim = Simulator::new(&scene).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand steps")]
        let total = (scene.duration / scene.settings.dt).round() as u64;
        let every = (total / states).max(1);
        let mut seen = Seen::default();
        for k in 0..total {
            let before = (k % every == every / 2).then(|| sim.snapshot());
            let Ok(report) = sim.step() else { break };
            let Some(snapshot) = before else { continue };
            let fallen = compare(&scene, &sim, k, &snapshot, how, &mut seen);
            seen.fallbacks += u64::from(fallen || has_fallen_back(&report));
        }
        let label = values.iter().fold(name.to_owned(), |l, (key, value)| format!("{l} {key}={value}"));
        seen.row(&label);
        all.add(&seen);
    }
    all.row("all");
    println!(
        "{} of {} states depend on the past, {} on the order of contacts",
        all.fresh, all.states, all.order
    );
}

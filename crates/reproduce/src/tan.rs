//! Tan, Siu and Liu's two stabilisations [Tan, §5]: a little on the diagonal, and Δt on E and μ. What they buy for a
//! plain Lemke, and what they cost in accuracy.

use gudgeon_lcp::{
    Budget, FactoredForm, FrictionProblem, Lcp, Lemke, Lexicographic, Robust, Solution, Stabilisation, Start,
    Status,
};
use gudgeon_testkit::single::{Situation, face, peg};
use gudgeon_testkit::stacks::tower;
use gudgeon_testkit::{Rng, Scene};
use serde_json::{Value, json};

use super::lloyd::pushed;
use super::report::{Report, Table};
use super::runs::median;
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};

/// Tan's Δt, the step of the scenes, s.
const DT: f64 = 1e-3;
const EPSILONS: [f64; 8] = [0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2];

pub(super) fn settings(scale: Scale) -> Value {
    json!({"wrenches": scale.pick(20, 6, 1), "scenes": scale.pick(19, 19, 3), "epsilons": EPSILONS, "cone_scale": DT, "facets": 8})
}

fn scenes() -> Vec<Scene> {
    let mut scenes =
        vec![face(4), face(8), face(12), peg(8), peg(16), tower(2, 8), tower(3, 16), tower(3, 20), peg(24)];
    scenes.extend(Situation::ALL.map(Situation::scene));
    scenes
}

/// The standard problem in raw units [Tan (14)], as Tan's own solver would see it.
fn raw(problem: &FrictionProblem, stabilisation: Stabilisation) -> Result<Lcp, String> {
    let mlcp = problem.to_mlcp(stabilisation).map_err(|e| e.to_string())?;
    Lcp::from_column_major(mlcp.a().to_vec(), mlcp.b().to_vec()).map_err(|e| e.to_string())
}

/// The velocities of all contact rows under the impulses in z, by the original data.
fn velocities(form: &FactoredForm, facets: usize, z: &[f64]) -> Vec<f64> {
    let n = form.n_contacts();
    let mut impulse = vec![0.0; 3 * n];
    for i in 0..n {
        impulse[3 * i] = z[i];
        for j in 0..facets {
            let (s, c) = (std::f64::consts::TAU * j as f64 / facets as f64).sin_cos();
            let phi = z[n + i * facets + j];
            impulse[3 * i + 1] += c * phi;
            impulse[3 * i + 2] += s * phi;
        }
    }
    let mut motion = vec![0.0; form.width()];
    for (k, r) in impulse.iter().enumerate() {
        let row = form.row(k);
        row.index.iter().zip(row.value).for_each(|(&i, v)| motion[i] += v * r);
    }
    (0..3 * n)
        .map(|k| {
            let row = form.row(k);
            row.velocity + row.index.iter().zip(row.value).map(|(&i, v)| v * motion[i]).sum::<f64>()
        })
        .collect()
}

/// A stabilisation over all problems: solved by Lemke and by lexicographic Lemke; and, of the stabilised problem solved
/// exactly, the change of the contact velocities and the speed of sinking, both against the largest free velocity.
#[derive(Debug, Clone, Default)]
struct Row {
    problems: usize,
    lemke: usize,
    lexicographic: usize,
    exact: usize,
    errors: Vec<f64>,
    sinking: f64,
}

impl Row {
    /// The median: where friction leaves the motion open, a nudge may choose another one of its solutions.
    fn error(&self) -> f64 {
        median(&mut self.errors.clone())
    }

    fn largest(&self) -> f64 {
        self.errors.iter().copied().fold(0.0, f64::max)
    }
}

struct Engines {
    lemke: Lemke,
    lexicographic: Lexicographic,
    robust: Robust,
    solution: Solution,
}

impl Engines {
    fn new() -> Self {
        Self {
            lemke: Lemke::default(),
            lexicographic: Lexicographic::default(),
            robust: Robust::default(),
            solution: Solution::default(),
        }
    }

    /// The exact answer to the stabilised problem, as velocities of the original one.
    fn exact(
        &mut self,
        problem: &FrictionProblem,
        form: &FactoredForm,
        s: Stabilisation,
    ) -> Result<Option<Vec<f64>>, String> {
        let lcp = raw(problem, s)?;
        let outcome = self.robust.solve(&lcp, &mut self.solution);
        Ok((outcome.status == Status::Solved).then(|| velocities(form, problem.facets(), &self.solution.z)))
    }

    fn add(
        &mut self,
        row: &mut Row,
        problem: &FrictionProblem,
        s: Stabilisation,
        rigid: &[f64],
        form: &FactoredForm,
    ) -> Result<(), String> {
        let lcp = raw(problem, s)?;
        row.problems += 1;
        let (solution, budget) = (&mut self.solution, Budget::default());
        let outcome = self.lemke.solve_with(&lcp, Start::Cold, budget, solution, &mut ());
        row.lemke += usize::from(outcome.status == Status::Solved);
        let outcome = self.lexicographic.solve_with(&lcp, Start::Cold, budget, solution, &mut ());
        row.lexicographic += usize::from(outcome.status == Status::Solved);
        if let Some(soft) = self.exact(problem, form, s)? {
            row.exact += 1;
            let free = form.rows().fold(0.0, |m: f64, r| m.max(r.velocity.abs()));
            let error = soft.iter().zip(rigid).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let sinking = soft.iter().step_by(3).map(|u| -u).fold(0.0, f64::max);
            row.errors.push(error / free);
            row.sinking = row.sinking.max(sinking / free);
        }
        Ok(())
    }
}

pub(super) fn stabilisation(task: &Task) -> Result<Report, String> {
    let mut treatments: Vec<(String, Stabilisation)> = EPSILONS
        .iter()
        .map(|&diagonal| {
            (
                if diagonal == 0.0 { "none".into() } else { format!("diagonal {diagonal:.0e}") },
                Stabilisation { diagonal, cone_scale: 1.0 },
            )
        })
        .collect();
    treatments.push(("E and μ times Δt".into(), Stabilisation { diagonal: 0.0, cone_scale: DT }));
    treatments.push(("both, 1e-6".into(), Stabilisation { diagonal: 1e-6, cone_scale: DT }));
    let mut rows = vec![Row::default(); treatments.len()];
    let mut engines = Engines::new();
    let scenes: Vec<Scene> = scenes().into_iter().take(task.count("scenes")).collect();
    let mut rng = Rng::new(3);
    let mut unsolved = 0;
    for (k, scene) in scenes.iter().enumerate() {
        for _ in 0..task.count("wrenches") {
            let problem = pushed(scene, &mut rng).problem();
            let form = problem.to_factored().ok_or("the scene has a mass")?;
            let Some(rigid) = engines.exact(&problem, &form, Stabilisation::default())? else {
                unsolved += 1;
                continue;
            };
            for ((_, s), row) in treatments.iter().zip(&mut rows) {
                engines.add(row, &problem, *s, &rigid, &form)?;
            }
        }
        task.progress(&scene.name, (k + 1) as f64 / scenes.len() as f64);
    }
    // a block at rest, pushed by half of what friction holds: it should not creep
    let creep: Vec<f64> = treatments
        .iter()
        .map(|(_, s)| {
            let mut block = face(4).with_mu(0.5);
            block.bodies[0].force = [0.25 * 9.81, 0.0, 0.0];
            let problem = block.problem();
            let form = problem.to_factored().ok_or("the scene has a mass")?;
            let u = engines.exact(&problem, &form, *s)?.ok_or("a block at rest is solved")?;
            Ok((0..4).map(|i| u[3 * i + 1].hypot(u[3 * i + 2])).fold(0.0, f64::max))
        })
        .collect::<Result<_, String>>()?;
    let mut report = Report::default();
    let mut table = Table::new(
        "Contact problems of faces, pegs, towers and Lloyd's situations under random wrenches",
        &[
            "treatment",
            "problems",
            "Lemke solves",
            "lexicographic solves",
            "robust solves",
            "change of velocity / free, median",
            "largest",
            "sinking / free",
            "creep of a block at rest, m/s",
        ],
    );
    for (((name, _), row), creep) in treatments.iter().zip(&rows).zip(&creep) {
        let part = |n: usize| format!("{n} ({:.0} %)", 100.0 * n as f64 / row.problems.max(1) as f64);
        table.row([
            name.clone(),
            row.problems.to_string(),
            part(row.lemke),
            part(row.lexicographic),
            part(row.exact),
            format!("{:.1e}", row.error()),
            format!("{:.1e}", row.largest()),
            format!("{:.1e}", row.sinking),
            format!("{creep:.1e}"),
        ]);
    }
    report.tables.push(table);
    let named = |name: &str| treatments.iter().position(|(n, _)| n == name).expect("one of the treatments");
    let scaled = named("E and μ times Δt");
    report.check(
        "the unchanged problem is solved by robust",
        "-",
        format!("{unsolved} not solved"),
        unsolved == 0,
    );
    report.check(
        "scaling E and μ by Δt changes no motion",
        "no effect on the contact force solution",
        format!("{:.1e} of the free velocity", rows[scaled].largest()),
        rows[scaled].largest() < 1e-7,
    );
    let (small, large) = (rows[named("diagonal 1e-6")].error(), rows[named("diagonal 1e-3")].error());
    report.check(
        "the diagonal changes the answer, the more the larger it is",
        "will change the accuracy",
        format!("{small:.1e} at 1e-6, {large:.1e} at 1e-3"),
        large > small && small > 0.0,
    );
    let best = rows[1..8].iter().map(|r| r.lemke).max().unwrap_or(0);
    let lexicographic = rows[1..8].iter().map(|r| r.lexicographic).max().unwrap_or(0);
    report.in_kind(format!(
        "What the diagonal buys: plain Lemke solves {} of {} problems without it and {best} with the best ε, lexicographic {} and {lexicographic}. Where ties are exact a small ε splits them by less than the tie thresholds, and harms.",
        rows[0].lemke, rows[0].problems, rows[0].lexicographic
    ));
    let at_rest = creep[named("diagonal 1e-3")];
    report.check(
        "with ε a block at rest creeps and sinks",
        "-",
        format!("{at_rest:.1e} m/s at 1e-3, {:.1e} without", creep[0]),
        at_rest > creep[0],
    );
    let mut solved = Chart::new(
        "Problems solved",
        Axis::linear("").within(-0.6, 9.6),
        Axis::linear("%").within(0.0, 105.0),
    )
    .named(&["0", "1e-12", "1e-10", "1e-8", "1e-6", "1e-4", "1e-3", "1e-2", "Δt", "both"].map(String::from));
    let mut cost =
        Chart::new("Change of the contact velocities", Axis::log("ε"), Axis::log("of the free velocity"));
    for (k, row) in rows.iter().enumerate() {
        for (m, (name, n)) in
            [("Lemke", row.lemke), ("lexicographic", row.lexicographic), ("robust", row.exact)]
                .iter()
                .enumerate()
        {
            solved.bar(
                name,
                COLOURS[m],
                k as f64 + 0.26 * (m as f64 - 1.0),
                0.24,
                0.0,
                100.0 * *n as f64 / row.problems.max(1) as f64,
            );
        }
    }
    let curve = |of: fn(&Row) -> f64| -> Vec<[f64; 2]> {
        (1..8).map(|k| [EPSILONS[k], of(&rows[k])]).filter(|p| p[1] > 0.0).collect()
    };
    cost.line("change of velocity", COLOURS[0], &curve(Row::error));
    cost.line("sinking", COLOURS[1], &curve(|r| r.sinking));
    report.pictures.push((
        "Left: what the treatments buy. Right: what the diagonal costs.".into(),
        sheet(&[solved, cost], 2),
    ));
    report.exact(
        "Scaling E and μ by Δt leaves the contact impulses as they are; a larger diagonal changes them.",
    );
    report.differs("The paper gives no figures: how much the two treatments help and cost is measured here for the first time.");
    report.differs("Where friction leaves the motion open (a peg held by friction alone), the diagonal may choose another of its motions: the largest change is then that of the choice, whatever ε.");
    report.differs("The paper's ε is that of a multiplication, (1 + ε) A_ii, which leaves the zero diagonal of the λ rows alone; so does ours.");
    report.differs("Problems are solved in raw units here, as the paper would; gudgeon's own lowering scales to energy units, which does what Δt does, for every row.");
    report.data = json!({"treatments": treatments.iter().zip(&rows).zip(&creep).map(|(((name, s), r), creep)| json!({"name": name, "diagonal": s.diagonal, "cone_scale": s.cone_scale, "problems": r.problems, "lemke": r.lemke, "lexicographic": r.lexicographic, "robust": r.exact, "error_median": r.error(), "error_largest": r.largest(), "sinking": r.sinking, "creep": creep})).collect::<Vec<_>>()});
    Ok(report)
}

//! Tan, Siu and Liu's two stabilisations [Tan, §5]: a little on the diagonal, and Δt on E and μ. What they buy for a
//! plain Lemke, and what they cost in accuracy.

mod trial;

use gudgeon_lcp::Stabilisation;
use gudgeon_testkit::single::{Situation, face, peg};
use gudgeon_testkit::stacks::tower;
use gudgeon_testkit::{Rng, Scene};
use serde_json::{Value, json};

use super::lloyd::pushed;
use super::report::{Report, Table};
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};
use trial::{Engines, Row};

/// Tan's Δt, the step of the scenes, s.
const DT: f64 = 1e-3;
/// The name of the treatment that scales.
const SCALED: &str = "E and μ times Δt";
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

/// The treatments by name: no diagonal first, then ever larger ones, then Δt on E and μ.
fn treatments() -> Vec<(String, Stabilisation)> {
    let named = |diagonal: f64| {
        let name = if diagonal == 0.0 { "none".into() } else { format!("diagonal {diagonal:.0e}") };
        (name, Stabilisation { diagonal, cone_scale: 1.0 })
    };
    let mut all: Vec<_> = EPSILONS.iter().map(|&diagonal| named(diagonal)).collect();
    all.push((SCALED.into(), Stabilisation { diagonal: 0.0, cone_scale: DT }));
    all.push(("both, 1e-6".into(), Stabilisation { diagonal: 1e-6, cone_scale: DT }));
    all
}

/// What every treatment did: over all problems, and to a block at rest.
struct Found {
    treatments: Vec<(String, Stabilisation)>,
    rows: Vec<Row>,
    creep: Vec<f64>,
    unsolved: usize,
}

impl Found {
    fn place(&self, name: &str) -> usize {
        self.treatments.iter().position(|(n, _)| n == name).expect("one of the treatments")
    }

    fn of(&self, name: &str) -> &Row {
        &self.rows[self.place(name)]
    }
}

/// How fast a block at rest slips that is pushed by half of what friction holds, m/s: it should not.
fn creep(engines: &mut Engines, s: Stabilisation) -> Result<f64, String> {
    let mut block = face(4).with_mu(0.5);
    block.bodies[0].force = [0.25 * 9.81, 0.0, 0.0];
    let problem = block.problem();
    let form = problem.to_factored().ok_or("the scene has a mass")?;
    Ok(engines.exact(&problem, &form, s)?.ok_or("a block at rest is solved")?.slip())
}

pub(super) fn stabilisation(task: &Task) -> Result<Report, String> {
    let treatments = treatments();
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
    let creep = treatments.iter().map(|(_, s)| creep(&mut engines, *s)).collect::<Result<_, String>>()?;
    let found = Found { treatments, rows, creep, unsolved };
    let mut report = Report::default();
    report.tables.push(table(&found));
    statements(&found, &mut report);
    report.pictures.push((
        "Left: what the treatments buy. Right: what the diagonal costs.".into(),
        sheet(&charts(&found), 2),
    ));
    let all = found.treatments.iter().zip(&found.rows).zip(&found.creep);
    report.data = json!({"treatments": all.map(|(((name, s), r), creep)| json!({"name": name, "diagonal": s.diagonal, "cone_scale": s.cone_scale, "problems": r.problems, "lemke": r.lemke, "lexicographic": r.lexicographic, "robust": r.exact, "error_median": r.error(), "error_largest": r.largest(), "sinking": r.sinking, "creep": creep})).collect::<Vec<_>>()});
    Ok(report)
}

fn table(found: &Found) -> Table {
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
    for (((name, _), row), creep) in found.treatments.iter().zip(&found.rows).zip(&found.creep) {
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
    table
}

/// What must hold, what is alike, what differs.
fn statements(found: &Found, report: &mut Report) {
    let unsolved = found.unsolved;
    report.check(
        "the unchanged problem is solved by robust",
        "-",
        format!("{unsolved} not solved"),
        unsolved == 0,
    );
    let (same, another) = found.of(SCALED).same_and_another();
    let &Row { problems, exact, forth, back, .. } = found.of(SCALED);
    report.check(
        "the problem with E and μ times Δt is solved by robust, in raw units",
        "-",
        format!("{exact} of {problems}"),
        exact == problems,
    );
    report.check(
        "scaling E and μ by Δt takes no solution away: each answer of the plain problem, λ/Δt for λ, solves the scaled one",
        "no effect on the contact force solution",
        format!("{forth} of {problems}, in rationals, to 1e-9 of the terms of each row"),
        forth == problems,
    );
    report.check(
        "nor adds one: each answer of the scaled problem, λ Δt for λ, solves the plain one",
        "no effect on the contact force solution",
        format!("{back} of {exact}"),
        back == exact && exact > 0,
    );
    report.in_kind(format!(
        "With Δt the bodies of {} of {problems} problems move as before, to {same:.1e} of the free velocity; in {another} another motion is found, of several that solve both.",
        exact - another,
    ));
    let (small, large) = (found.of("diagonal 1e-6").error(), found.of("diagonal 1e-3").error());
    report.check(
        "the diagonal changes the answer, the more the larger it is",
        "will change the accuracy",
        format!("{small:.1e} at 1e-6, {large:.1e} at 1e-3"),
        large > small && small > 0.0,
    );
    let (plain, diagonals) = (&found.rows[0], &found.rows[1..EPSILONS.len()]);
    let best = diagonals.iter().map(|r| r.lemke).max().unwrap_or(0);
    let lexicographic = diagonals.iter().map(|r| r.lexicographic).max().unwrap_or(0);
    report.in_kind(format!(
        "What the diagonal buys: plain Lemke solves {} of {} problems without it and {best} with the best ε, lexicographic {} and {lexicographic}. Where ties are exact a small ε splits them by less than the tie thresholds, and harms.",
        plain.lemke, plain.problems, plain.lexicographic
    ));
    let (at_rest, without) = (found.creep[found.place("diagonal 1e-3")], found.creep[0]);
    report.check(
        "with ε a block at rest creeps and sinks",
        "-",
        format!("{at_rest:.1e} m/s at 1e-3, {without:.1e} without"),
        at_rest > without,
    );
    report.exact("Scaling E and μ by Δt leaves the solutions as they are; a larger diagonal changes them.");
    report.differs("The paper says that Δt has no effect on the contact force solution. It has none on the set of solutions; which of several a solver comes upon may change, as with any rounding. So what must hold is that each answer solves the other problem too, in rationals, and not that the answers are alike.");
    report.differs("The paper gives no figures: how much the two treatments help and cost is measured here for the first time.");
    report.differs("Where friction leaves the motion open (a peg held by friction alone), the diagonal may choose another of its motions: the largest change is then that of the choice, whatever ε.");
    report.differs("The paper's ε is that of a multiplication, (1 + ε) A_ii, which leaves the zero diagonal of the λ rows alone; so does ours.");
    report.differs("Problems are solved in raw units here, as the paper would; gudgeon's own lowering scales to energy units, which does what Δt does, for every row.");
}

/// How many problems each treatment solves, and what the diagonal costs.
fn charts(found: &Found) -> [Chart; 2] {
    let mut solved = Chart::new(
        "Problems solved",
        Axis::linear("").within(-0.6, 9.6),
        Axis::linear("%").within(0.0, 105.0),
    )
    .named(&["0", "1e-12", "1e-10", "1e-8", "1e-6", "1e-4", "1e-3", "1e-2", "Δt", "both"].map(String::from));
    for (k, row) in found.rows.iter().enumerate() {
        let methods = [("Lemke", row.lemke), ("lexicographic", row.lexicographic), ("robust", row.exact)];
        for (m, (name, n)) in methods.into_iter().enumerate() {
            let (at, part) =
                (k as f64 + 0.26 * (m as f64 - 1.0), 100.0 * n as f64 / row.problems.max(1) as f64);
            solved.bar(name, COLOURS[m], at, 0.24, 0.0, part);
        }
    }
    let mut cost =
        Chart::new("Change of the contact velocities", Axis::log("ε"), Axis::log("of the free velocity"));
    let curve = |of: fn(&Row) -> f64| -> Vec<[f64; 2]> {
        (1..EPSILONS.len()).map(|k| [EPSILONS[k], of(&found.rows[k])]).filter(|p| p[1] > 0.0).collect()
    };
    cost.line("change of velocity", COLOURS[0], &curve(Row::error));
    cost.line("sinking", COLOURS[1], &curve(|r| r.sinking));
    [solved, cost]
}

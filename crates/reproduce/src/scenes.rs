//! Yamane and Nakamura's Table III on our own string, rings and net, and Figure 2: the forces under the feet of the squat.

use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::Params;
use serde_json::{Value, json};

use super::report::{Report, Table};
use super::runs::{Figures, scene, simulate};
use super::svg::{Axis, COLOURS, Chart, number, sheet};
use super::{Scale, Task};

pub(super) fn table3_settings(scale: Scale) -> Value {
    json!({
        "hoist": scale.pick(10.0, 1.0, 0.01), "hoist_10ms": scale.pick(10.0, 10.0, 0.05),
        "ring": scale.pick(4.0, 0.4, 0.005), "net": scale.pick(2.0, 0.8, 0.01), "facets": 8, "patience_s": scale.pick(300, 40, 10),
    })
}

/// Settings, scenes and steps of the four runs, s.
const RUNS: [(&str, &str, f64); 4] =
    [("hoist", "hoist", 1e-3), ("hoist_10ms", "hoist", 1e-2), ("ring", "ring", 1e-3), ("net", "net", 1e-3)];

/// The rows of Table III, and what the paper prints in them for the four runs.
const PAPER: [(&str, [f64; 4]); 7] = [
    ("duration (s)", [10.0, 10.0, 4.0, 2.0]),
    ("contacts", [34.2, 48.4, 26.1, 25.7]),
    ("active", [20.8, 23.0, 21.7, 16.9]),
    ("total frames", [9357.0, 935.0, 3926.0, 1818.0]),
    ("failure", [0.0; 4]),
    ("LCP solve time (ms)", [62.0, 96.5, 35.0, 9.72]),
    ("simulation time (ms)", [120.0, 187.0, 80.6, 62.5]),
];

pub(super) fn table3(task: &Task) -> Result<Report, String> {
    let figures: Vec<Figures> = RUNS
        .iter()
        .map(|&(key, name, dt)| {
            simulate(task, key, &scene(name, &Params::new(), task.real(key), dt)?, |_, _| {})
        })
        .collect::<Result<_, String>>()?;
    let ours: Vec<[f64; 7]> = figures.iter().zip(RUNS).map(|(f, run)| column(task.real(run.0), f)).collect();
    let mut report = Report::default();
    report.tables.push(beside_the_paper(&ours, &figures));
    for (i, name) in ["hoist", "hoist (10 ms)", "ring", "net"].iter().enumerate() {
        let ours = match &figures[i].broke {
            Some(why) => format!("broke down: {why}"),
            None => format!("{} of {}", ours[i][4], ours[i][3]),
        };
        let holds = figures[i].broke.is_none() && figures[i].tally.failures() + figures[i].fallbacks == 0;
        report.check(&format!("{name}: no failure"), &format!("0 of {}", PAPER[3].1[i]), ours, holds);
    }
    let gain = (ours[0][6] / RUNS[0].2) / (ours[1][6] / RUNS[1].2);
    report.check(
        "steps of 10 ms cost less in all than steps of 1 ms",
        "4.5 times less",
        format!("{} times less", number(gain)),
        gain > 1.0,
    );
    let chart = speeds(task, &figures);
    report.pictures.push(("How fast the three scenes run; logarithmic.".into(), sheet(&[chart], 1)));
    report.exact("No failure in any frame of the four runs.");
    report.in_kind("Numbers of contacts and of active contacts of strings over a rod, hooked rings and cylinders on a net.");
    report.differs("Sizes, masses and starts of these scenes are not printed: ours are a 25-joint string over a rod with a weight, wires of five ball joints with ring-shaped ends, and five cylinders over four 16-joint strings held at both ends.");
    report.differs(format!("Hooked rings touch at {:.1} active points here and at 21.7 in the paper: theirs are some 0.3 mm deep in each other, and their library reports every corner of the overlap; ours do not sink.", figures[2].active));
    report.differs("Contacts come from our own collision detection of smooth shapes and declared smooth meshes; theirs from triangle meshes with an added penetration depth.");
    report.differs("Strings are stepped with momentum carried along (they are stiff at 10 ms, where fourth-order Runge-Kutta blows up); the paper used Runge-Kutta throughout.");
    report.data = json!({"runs": RUNS.iter().zip(&figures).map(|(run, f)| json!({"run": run.0, "figures": f.to_json()})).collect::<Vec<_>>(), "paper": PAPER.map(|row| row.1)});
    Ok(report)
}

/// What the rows of Table III are here.
fn column(duration: f64, f: &Figures) -> [f64; 7] {
    let frames = f.tally.frames as f64;
    let failures = (f.tally.failures() + f.fallbacks) as f64;
    [duration, f.contacts, f.active, frames, failures, 1e3 * f.solve_seconds, 1e3 * f.step_seconds]
}

fn beside_the_paper(ours: &[[f64; 7]], figures: &[Figures]) -> Table {
    let mut table = Table::new(
        "Table III; the paper's figures in brackets",
        &["", "hoist", "hoist (10 ms)", "ring", "net"],
    );
    for (k, (name, paper)) in PAPER.iter().enumerate() {
        let cell = |i: usize| format!("{} ({})", number(ours[i][k]), number(paper[i]));
        table.row(std::iter::once((*name).to_owned()).chain((0..4).map(cell)));
    }
    let extra = |name: &str, of: fn(&Figures) -> f64| {
        std::iter::once(name.to_owned()).chain(figures.iter().map(|f| number(of(f)))).collect::<Vec<_>>()
    };
    table.rows.push(extra("deepest overlap (m)", |f| f.penetration));
    table.rows.push(extra("largest loop gap (m)", |f| f.loop_gap));
    table
}

/// Simulated seconds per processor second, theirs from the duration, the step and the time of a frame.
fn speeds(task: &Task, figures: &[Figures]) -> Chart {
    let mut chart = Chart::new("Simulated seconds per processor second", Axis::linear(""), Axis::log(""))
        .named(&["hoist", "hoist 10 ms", "ring", "net"].map(String::from));
    let base = 1e-3;
    let (durations, frame_ms) = (PAPER[0].1, PAPER[6].1);
    for (i, (key, _, dt)) in RUNS.into_iter().enumerate() {
        let theirs = durations[i] / (1e-3 * frame_ms[i] * (durations[i] / dt));
        let ours = task.real(key) / (figures[i].step_seconds * figures[i].steps as f64);
        chart.bar("paper", COLOURS[0], i as f64 - 0.2, 0.36, base, theirs);
        chart.bar("here", COLOURS[1], i as f64 + 0.2, 0.36, base, ours);
    }
    chart
}

pub(super) fn figure2_settings(scale: Scale) -> Value {
    json!({"scene": "squat", "duration": scale.pick(1.0, 1.0, 0.02), "dt": 1e-3, "facets": 8})
}

/// Vertical forces by foot: left, right, N.
fn feet(sim: &Simulator) -> [f64; 2] {
    ["left foot", "right foot"].map(|name| {
        let Some(link) = sim.model().find(name) else { return 0.0 };
        let on = |c: &&gudgeon_sim::ContactInfo| c.a == link || c.b == link;
        let sign = |c: &gudgeon_sim::ContactInfo| if c.a == link { 1.0 } else { -1.0 };
        sim.contacts().iter().filter(on).map(|c| sign(c) * c.force.z).sum()
    })
}

/// Part of the weight that the momentum of half a step may add to the mean force of a squat of one second in steps of 1 ms.
const HALF_A_STEP: f64 = 2e-3;

/// Part of the weight within which forces are the same: over the noise of a solve, a thousandth of what can be read off the figure.
const EVEN: f64 = 1e-6;

pub(super) fn figure2(task: &Task) -> Result<Report, String> {
    let dt = task.real("dt");
    let run = |canonical: bool| {
        let mut scene = scene("squat", &Params::new(), task.real("duration"), dt)?;
        scene.settings.canonical_forces = canonical;
        let mut curves: Vec<[f64; 3]> = Vec::new();
        let figures = simulate(task, "squat", &scene, |sim, report| {
            let [left, right] = feet(sim);
            curves.push([report.time, left, right]);
        })?;
        Ok::<_, String>((curves, figures))
    };
    let (raw, figures) = run(false)?;
    let (canonical, _) = run(true)?;
    let sim = Simulator::new(&scene("squat", &Params::new(), 1.0, dt)?).map_err(|e| e.to_string())?;
    let mass = sim.model().mass();
    let weight = 9.81 * mass;
    let mut report = Report::default();
    let total = |c: &[f64; 3]| c[1] + c[2];
    let curve = |of: &dyn Fn(&[f64; 3]) -> f64, from: &[[f64; 3]]| -> Vec<[f64; 2]> {
        from.iter().map(|c| [c[0], of(c)]).collect()
    };
    let mut sum = Chart::new("Total vertical force of the feet", Axis::linear("time, s"), Axis::linear("N"));
    sum.line("here", COLOURS[0], &curve(&total, &raw));
    let end = raw.last().map_or(1.0, |c| c[0]);
    sum.dashed("weight", COLOURS[6], &[[0.0, weight], [end, weight]]);
    let mut each = Chart::new("Each foot", Axis::linear("time, s"), Axis::linear("N"));
    each.stroke("left, as solved", COLOURS[4], &curve(&|c| c[1], &raw), 1.0, "");
    each.stroke("right, as solved", COLOURS[5], &curve(&|c| c[2], &raw), 1.0, "");
    each.line("left, canonical", COLOURS[0], &curve(&|c| c[1], &canonical));
    each.dashed("right, canonical", COLOURS[1], &curve(&|c| c[2], &canonical));
    report.pictures.push(("Vertical forces of the squat. Left: their sum, which the motion decides. Right: each foot, which it does not, until the most even forces are asked for.".into(), sheet(&[sum, each], 2)));
    let whole = raw.len() as f64;
    let mean = raw.iter().map(total).sum::<f64>() / whole;
    // a whole squat begins and ends at rest: the mean force is the weight, to the momentum of half a step
    let complete = task.real("duration") >= 1.0;
    report.check(
        "the mean force over the squat is the weight",
        "a constant offset: wires and screws were not weighed",
        format!("{mean:.3} N of {weight:.3} N"),
        !complete || (mean / weight - 1.0).abs() < HALF_A_STEP,
    );
    let apart = canonical.iter().map(|c| (c[1] - c[2]).abs()).fold(0.0, f64::max);
    report.check(
        "canonical forces are the same left and right",
        "-",
        format!("{apart:.1e} N apart at most"),
        apart < EVEN * weight,
    );
    let moved = raw.iter().zip(&canonical).map(|(a, b)| (total(a) - total(b)).abs()).fold(0.0, f64::max);
    report.check(
        "the sum does not depend on how forces are spread",
        "-",
        format!("{moved:.1e} N"),
        moved < EVEN * weight,
    );
    report.check(
        "no failure",
        "0",
        (figures.tally.failures() + figures.fallbacks).to_string(),
        figures.tally.failures() + figures.fallbacks == 0,
    );
    let least = raw.iter().map(total).fold(f64::INFINITY, f64::min);
    let most = raw.iter().map(total).fold(0.0, f64::max);
    report.in_kind("The force dips as the hips start down, rises above the weight at the bottom and dips again before the end: the shape of the paper's simulated curve.");
    report.differs("There is no force plate and no robot here. The paper's measured curve oscillates (elastic links) and lies above the simulated one (wires and screws).");
    report.differs("Our squat takes 1 s and 7 cm by our own choice; the paper's reference motion is not printed, so the numbers on the axes cannot be compared.");
    report.differs("With every joint prescribed the robot is one rigid body: how the load is shared between the feet is not decided by the motion. Canonical forces make it symmetric.");
    let curves = |c: &[[f64; 3]]| c.iter().map(|c| json!(c)).collect::<Vec<_>>();
    report.data = json!({"mass": mass, "weight": weight, "mean": mean, "least": least, "most": most, "columns": ["time", "left", "right"], "raw": curves(&raw), "canonical": curves(&canonical)});
    Ok(report)
}

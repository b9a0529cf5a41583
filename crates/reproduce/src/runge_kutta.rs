//! Runge and Kutta's steps with a contact solve inside each stage, as the formulation of Yamane and Nakamura would have it.
//!
//! ```text
//!     aᵢ = (v⁺(qᵢ, vᵢ) − vᵢ)/h        v⁺: velocity at the end of a step of h from the stage, contacts solved [Yamane (14)-(16)]
//!     q₂ = q + ½dt q̇₁,  v₂ = v + ½dt a₁;   q₃, v₃ from stage 2 likewise;   q₄ = q + dt q̇₃,  v₄ = v + dt a₃
//!     q' = q + dt/6 (q̇₁ + 2q̇₂ + 2q̇₃ + q̇₄),   v' likewise from the aᵢ
//! ```
//! The paper does not say over which h the forces of a stage are to end approach: all of the step, or the part of it that the
//! stage spans (½dt, ½dt, dt, and dt for the last). Both are tried. Overlap is left, as it is there.

use gudgeon_multibody::{State, normalize, position_rate};
use gudgeon_sim::scenes::Params;
use gudgeon_sim::{Integrator, Simulator};
use serde_json::{Value, json};

use super::report::{Report, Table};
use super::runs::scene;
use super::svg::{Axis, COLOURS, Chart, number, sheet};
use super::{Scale, Task};

/// rad/s or m/s: nothing in these scenes moves by itself at a tenth of this.
const RUNAWAY: f64 = 300.0;

const SCENES: [&str; 3] = ["hoist", "ring", "net"];

pub(super) fn settings(scale: Scale) -> Value {
    json!({
        "hoist": scale.pick(4.0, 4.0, 0.02), "ring": scale.pick(0.4, 0.4, 0.01), "net": scale.pick(0.4, 0.4, 0.01),
        "steps_ms": scale.pick(vec![10.0, 5.0], vec![10.0, 5.0], vec![10.0]), "facets": 8,
    })
}

/// How the forces of a step come about.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// As the engine's `rk4`: once a step, from where it began.
    Once,
    /// In each stage, over the whole step.
    Whole,
    /// In each stage, over what the stage spans.
    Span,
}

impl Way {
    const ALL: [Self; 3] = [Self::Once, Self::Whole, Self::Span];

    fn name(self) -> &'static str {
        match self {
            Self::Once => "one solve a step",
            Self::Whole => "a solve in each stage, over the step",
            Self::Span => "a solve in each stage, over its span",
        }
    }

    /// The h of a stage in steps.
    fn horizon(self, stage: usize) -> f64 {
        if self == Self::Span && stage < 2 { 0.5 } else { 1.0 }
    }
}

/// What became of a run.
struct Ran {
    /// s.
    time: f64,
    /// Largest |v|, rad/s or m/s.
    fastest: f64,
    /// m.
    deepest: f64,
    /// Solves that were not solved as asked.
    failures: usize,
    ended: bool,
}

impl Ran {
    fn words(&self, dt: f64) -> String {
        if self.ended {
            let deep = number(1e3 * self.deepest);
            return format!(
                "holds, {} s; to {} rad/s, {deep} mm deep",
                number(self.time),
                number(self.fastest)
            );
        }
        if self.time < 10.0 * dt {
            return format!("runs away in step {}", (self.time / dt).round());
        }
        format!("runs away after {:.2} s", self.time)
    }
}

/// Slopes of a stage: rates of positions, accelerations.
struct Slope {
    dq: Vec<f64>,
    dv: Vec<f64>,
}

/// A step by four solves; none if one of them could not be done.
fn step(sim: &mut Simulator, way: Way, dt: f64, ran: &mut Ran) -> Option<()> {
    let start = sim.state().clone();
    let mut stage = start.clone();
    let mut slopes: Vec<Slope> = Vec::with_capacity(4);
    for k in 0..4 {
        let h = way.horizon(k) * dt;
        sim.settings.dt = h;
        sim.set_state(&stage);
        let report = sim.step().ok()?;
        if k == 0 {
            ran.deepest = ran.deepest.max(report.penetration);
        }
        ran.failures += usize::from(report.solve.is_some_and(|s| s.status != gudgeon_lcp::Status::Solved));
        let dv = sim.state().v.iter().zip(&stage.v).map(|(after, before)| (after - before) / h).collect();
        let mut dq = vec![0.0; stage.q.len()];
        position_rate(sim.model(), &stage.q, &stage.v, &mut dq);
        slopes.push(Slope { dq, dv });
        if k < 3 {
            let c = if k == 2 { dt } else { 0.5 * dt };
            stage = moved(sim, &start, &[(c, &slopes[k])]);
        }
    }
    let weights = [1.0, 2.0, 2.0, 1.0].map(|w| w * dt / 6.0);
    let parts: Vec<(f64, &Slope)> = weights.into_iter().zip(&slopes).collect();
    let end = moved(sim, &start, &parts);
    sim.set_state(&end);
    Some(())
}

/// A state and so much of each slope.
fn moved(sim: &Simulator, from: &State, parts: &[(f64, &Slope)]) -> State {
    let mut to = from.clone();
    for (c, slope) in parts {
        to.q.iter_mut().zip(&slope.dq).for_each(|(q, d)| *q += c * d);
        to.v.iter_mut().zip(&slope.dv).for_each(|(v, d)| *v += c * d);
    }
    normalize(sim.model(), &mut to.q);
    to
}

fn run(task: &Task, name: &str, way: Way, dt: f64) -> Result<Ran, String> {
    let duration = task.real(name);
    let mut scene = scene(name, &Params::new(), duration, dt)?;
    scene.settings.integrator = if way == Way::Once { Integrator::Rk4 } else { Integrator::Euler };
    let mut sim = Simulator::new(&scene).map_err(|e| e.to_string())?;
    let mut ran = Ran { time: 0.0, fastest: 0.0, deepest: 0.0, failures: 0, ended: false };
    while ran.time < duration - 0.5 * dt {
        if way == Way::Once {
            let Ok(report) = sim.step() else { return Ok(ran) };
            ran.deepest = ran.deepest.max(report.penetration);
            ran.failures +=
                usize::from(report.solve.is_some_and(|s| s.status != gudgeon_lcp::Status::Solved));
        } else if step(&mut sim, way, dt, &mut ran).is_none() {
            return Ok(ran);
        }
        ran.time += dt;
        let fastest = sim.state().v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        if fastest >= RUNAWAY || sim.state().v.iter().any(|v| !v.is_finite()) {
            return Ok(ran);
        }
        ran.fastest = ran.fastest.max(fastest);
        task.progress(name, ran.time / duration);
    }
    ran.ended = true;
    Ok(ran)
}

pub(super) fn stages(task: &Task) -> Result<Report, String> {
    let steps: Vec<f64> =
        task.settings["steps_ms"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let mut report = Report::default();
    let mut header = vec!["scene".to_owned(), "forces".to_owned()];
    header.extend(steps.iter().map(|ms| format!("{ms} ms")));
    let mut table = Table { caption: "Runge and Kutta's steps".into(), header, rows: Vec::new() };
    let mut data = Vec::new();
    let mut hoist = Vec::new();
    let longest = steps.first().copied().unwrap_or(10.0);
    let mut chart = Chart::new(
        &format!("How far steps of {longest} ms come"),
        Axis::linear(""),
        Axis::linear("part of the run"),
    )
    .named(&SCENES.map(String::from));
    for (i, name) in SCENES.into_iter().enumerate() {
        for (w, way) in Way::ALL.into_iter().enumerate() {
            let mut row = vec![name.to_owned(), way.name().to_owned()];
            for ms in &steps {
                let ran = run(task, name, way, 1e-3 * ms)?;
                if name == "hoist" && way != Way::Once {
                    hoist.push((*ms, ran.ended));
                }
                row.push(ran.words(1e-3 * ms));
                if *ms == longest {
                    let (at, part) = (i as f64 + 0.27 * (w as f64 - 1.0), ran.time / task.real(name));
                    chart.bar(way.name(), COLOURS[w], at, 0.25, 0.0, part.min(1.0));
                }
                data.push(json!({"scene": name, "forces": way.name(), "dt_ms": ms, "time": ran.time, "ended": ran.ended,
                    "fastest": ran.fastest, "deepest": ran.deepest, "failures": ran.failures}));
            }
            table.rows.push(row);
        }
    }
    report.tables.push(table);
    report.pictures.push((
        format!("Steps of {longest} ms: the part of the run before it runs away."),
        sheet(&[chart], 1),
    ));
    let held = hoist.iter().any(|(ms, ended)| *ms == 10.0 && *ended);
    report.observe(
        "hoist by Runge and Kutta's steps of 10 ms",
        "holds",
        if held { "holds with a solve in each stage" } else { "runs away, with a solve in each stage too" },
        held,
        "the forces of a taut string are as stiff as its masses are light: explicit stages ask for a shorter step, however often contacts are solved",
    );
    report.differs("Sizes, masses and damping of the paper's string are not printed; the step that an explicit method holds depends on them.");
    report.data = json!({"runs": data});
    Ok(report)
}

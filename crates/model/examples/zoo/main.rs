//! One model of the zoo in one process: loads it, says what it is in numbers, lets it run, and says what became of it.
//!
//! `zoo FILE [--duration S] [--dt S] [--ground] [--search DIR].. [--keyframe NAME] [--states] [--failures] [--scatter SEED] [--drive SEED]` prints one JSON object:
//! `{"facts", "warnings", "run": {"steps", "failed", "fallbacks", "nan", "overlap_start", "overlap", "contacts",
//! "below", "cpu_us"}}`, or `{"error"}`. With `--failures` every step that was not solved as asked is told on the standard error, with its rows.
//! With `--scatter` robots that float are laid on the floor any way and joints moved at random, with `--drive` controls are random within their ranges.
//! `below` is how far the lowest point of what moves and touches ends under a floor, m.

mod vary;

use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;

use gudgeon_collide::Kind;
use gudgeon_lcp::Status;
use gudgeon_model::{LoadOptions, add_ground, at_states, facts, load_scene_with};
use gudgeon_multibody::LinkId;
use gudgeon_sim::{Placed, Scene, Simulator, SolveReport};
use serde_json::{Value, json};
use vary::Dice;

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut file, mut search, mut ground) = (PathBuf::new(), Vec::new(), false);
    let (mut duration, mut dt) = (2.0, Some(0.002));
    let (mut states, mut keyframe, mut way) = (false, None, Way::default());
    while let Some(word) = arguments.next() {
        let mut next = || arguments.next().unwrap_or_default();
        match word.as_str() {
            "--duration" => duration = next().parse().expect("seconds"),
            "--dt" => dt = next().parse().ok(),
            "--search" => search.push(PathBuf::from(next())),
            "--ground" => ground = true,
            "--states" => states = true,
            "--failures" => way.failures = true,
            "--scatter" => way.scatter = next().parse().ok(),
            "--drive" => way.drive = next().parse().ok(),
            "--keyframe" => keyframe = Some(next()),
            _ => file = PathBuf::from(word),
        }
    }
    let options = LoadOptions { search, keyframe, ..LoadOptions::default() };
    let began = Instant::now();
    let (mut scene, report) = match load_scene_with(&file, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            println!("{}", json!({"error": error.to_string()}));
            return;
        }
    };
    let load_seconds = began.elapsed().as_secs_f64();
    if ground {
        add_ground(&mut scene);
    }
    if let Some(dt) = dt {
        scene.settings.dt = dt;
    }
    let mut answer = json!({"facts": facts(&scene, &report), "load_seconds": load_seconds});
    if states {
        answer["states"] = asked(&scene);
    } else {
        answer["run"] = run(&scene, duration, way);
    }
    println!("{answer}");
}

/// What [`at_states`] says at states from the standard input, a JSON object on each line.
fn asked(scene: &Scene) -> Value {
    let lines = std::io::stdin().lock().lines();
    let asked: Vec<Value> =
        lines.map(|l| serde_json::from_str(&l.unwrap_or_default()).unwrap_or_default()).collect();
    at_states(scene, &asked).map_or_else(|error| json!({"error": error}), Value::Array)
}

/// How a model is run.
#[derive(Debug, Default, Clone, Copy)]
struct Way {
    failures: bool,       // told one by one
    scatter: Option<u64>, // seeds
    drive: Option<u64>,
}

fn run(scene: &Scene, duration: f64, way: Way) -> Value {
    let mut sim = match Simulator::new(scene) {
        Ok(sim) => sim,
        Err(error) => return json!({"error": error.to_string()}),
    };
    if let Some(seed) = way.scatter {
        vary::scatter(scene, &mut sim, &mut Dice(seed));
    }
    let mut dice = way.drive.map(Dice);
    let steps = (duration / scene.settings.dt).round();
    let (mut failed, mut overlap_start, mut overlap, mut contacts) = (0, 0.0, 0.0_f64, 0);
    let (mut done, mut nan, mut worst) = (0, None, 0.0_f64);
    let (mut collide, mut solve) = (0.0, 0.0);
    let began = Instant::now();
    while f64::from(done) < steps {
        if let Some(dice) = &mut dice {
            vary::drive(&mut sim, done, scene.settings.dt, dice);
        }
        let step = Instant::now();
        match sim.step() {
            Ok(report) => {
                let failure = report.solve.filter(|s| s.status != Status::Solved);
                failed += u32::from(failure.is_some());
                if let Some(failure) = failure.filter(|_| way.failures) {
                    tell(done, &failure, &sim);
                }
                if done == 0 {
                    overlap_start = report.penetration;
                }
                overlap = overlap.max(report.penetration);
                contacts = contacts.max(report.contacts);
                collide += report.collision_seconds;
                solve += report.solver_seconds;
            }
            Err(error) => {
                nan = Some(error.to_string());
                break;
            }
        }
        worst = worst.max(step.elapsed().as_secs_f64());
        done += 1;
    }
    let each = 1e6 / f64::from(done.max(1));
    let fallbacks: u64 = sim.fallbacks().iter().skip(1).sum();
    json!({
        "steps": done, "failed": failed, "fallbacks": fallbacks, "nan": nan,
        "overlap_start": overlap_start, "overlap": overlap, "contacts": contacts,
        "below": below(scene, &sim), "us_per_step": began.elapsed().as_secs_f64() * each,
        "worst_step_ms": worst * 1e3, "collide_us": collide * each, "solve_us": solve * each,
    })
}

/// What a step did that was not solved, and the rows of its last problem.
#[expect(clippy::print_stderr, reason = "its purpose")]
fn tell(step: u32, report: &SolveReport, sim: &Simulator) {
    let Some(form) = sim.last_problem().and_then(|p| p.as_factored()) else { return };
    let rows: Vec<_> = (0..form.n_rows())
        .map(|k| form.row(k))
        .map(|r| json!({"index": r.index, "value": r.value, "velocity": r.velocity, "compliance": r.compliance}))
        .collect();
    let stages: Vec<_> = report
        .stages
        .iter()
        .map(|(stage, t)| json!([stage.name(), t.runs, t.wins, t.factorisations]))
        .collect();
    let told = json!({
        "step": step, "status": format!("{:?}", report.status), "fallback": format!("{:?}", report.fallback),
        "natural": report.residual.natural, "stages": stages, "width": form.width(), "mu": form.mu(),
        "unilateral": form.n_unilateral(), "bounds": form.bounds(), "rows": rows,
    });
    eprintln!("{told}");
}

/// How far what moves ends under the highest floor, m: that of the deepest collider, whole.
fn below(scene: &Scene, sim: &Simulator) -> f64 {
    let floors: Vec<_> = scene
        .colliders
        .iter()
        .filter(|c| c.link == LinkId::WORLD && matches!(c.shape.kind(), Kind::Plane))
        .filter(|c| (c.pose.rotation * nalgebra::Vector3::z()).z > 0.9)
        .collect();
    let mut deepest = 0.0_f64;
    for c in scene.colliders.iter().filter(|c| c.link != LinkId::WORLD) {
        let own = placed(sim, c);
        let top = c.shape.aabb(&own).hi.z;
        for f in floors.iter().filter(|f| c.group & f.mask != 0 || f.group & c.mask != 0) {
            deepest = deepest.max(f.pose.translation.z - top);
        }
    }
    deepest
}

/// Where a collider is in the world.
fn placed(sim: &Simulator, c: &Placed) -> nalgebra::Isometry3<f64> {
    let b = sim.body(c.link);
    let [w, x, y, z] = b.orientation;
    let turn = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
    nalgebra::Isometry3::from_parts(nalgebra::Vector3::from(b.position).into(), turn) * c.pose
}

//! `gudgeon sim`: a scene from start to end, with its traces.

mod args;
mod checkpoint;
mod joints;
mod output;
mod progress;

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use gudgeon_sim::{Frame, ReactionFrame, Rewind, Scene, Simulator, StepReport, Summary, Timings};

use self::joints::JointLog;
use crate::interrupt::{Interrupt, STOPPED};
use crate::model_args::ModelArgs;
pub use args::SimArgs;
use output::Outputs;
use progress::Progress;

/// What keeps a run from starting or ending, and the exit code it means.
struct Stop(String, u8);

fn bad(message: impl std::fmt::Display) -> Stop {
    Stop(format!("{message}"), 2)
}

/// Runs the command; answers the exit code.
pub(crate) fn run(args: &SimArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    if args.list {
        return if list(out).is_ok() { 0 } else { 2 };
    }
    let done = match &args.explain {
        Some(key) => explain(key, out),
        None => simulate(args, out, err),
    };
    match done {
        Ok(code) => code,
        Err(Stop(message, code)) => {
            // a closed stderr leaves nobody to tell
            let _ = writeln!(err, "error: {message}");
            code
        }
    }
}

fn list(out: &mut impl Write) -> std::io::Result<()> {
    for (name, what) in gudgeon_sim::scenes::LIST {
        writeln!(out, "{name:12} {what}")?;
        for key in gudgeon_sim::scenes::keys(name).unwrap_or_default() {
            writeln!(out, "             --set {}={}  {}", key.name, key.default, key.about)?;
        }
    }
    out.flush()
}

fn explain(key: &str, out: &mut impl Write) -> Result<u8, Stop> {
    let text = gudgeon_model::explain_key(key)
        .map_err(|near| bad(format!("--explain {key}: no such key; nearest are {}", near.join(", "))))?;
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(bad)?;
    Ok(0)
}

/// The scene of a name or a file.
pub(crate) fn scene_of(
    name: &str,
    set: &[String],
    reading: &ModelArgs,
    ground: bool,
) -> Result<Scene, String> {
    let builtin = gudgeon_sim::scenes::LIST.iter().any(|(known, _)| *known == name);
    let path = Path::new(name);
    if !builtin && (path.exists() || path.extension().is_some()) {
        let mut options = reading.options();
        for text in set {
            let (key, value) =
                text.split_once('=').ok_or_else(|| format!("--set {text}: expected KEY=VALUE"))?;
            options.set.push((key.trim().to_owned(), value.trim().to_owned()));
        }
        if !(set.is_empty() || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))) {
            return Err(format!("--set is for built-in scenes and scene files, and {name} is neither"));
        }
        let loaded = gudgeon_model::load_scene_with(path, &options);
        let (mut scene, report) = loaded.map_err(|e| e.to_string())?;
        warn(name, &report.warnings());
        if ground && !gudgeon_model::add_ground(&mut scene) {
            return Err(format!("--ground: {name} has shapes of the world already"));
        }
        return Ok(scene);
    }
    if ground || !reading.is_default() {
        return Err(format!("options for reading models are for files, and {name} is a built-in scene"));
    }
    let params = gudgeon_sim::scenes::Params::parse(set).map_err(|e| e.to_string())?;
    gudgeon_sim::scenes::builtin(name, &params).map_err(|e| e.to_string())
}

/// Warnings of a model that are said in full.
const TOLD: usize = 6;

/// Says on the standard error what makes a model move otherwise than its file says.
#[expect(clippy::print_stderr, reason = "its purpose")]
fn warn(name: &str, warnings: &[String]) {
    for line in warnings.iter().take(TOLD) {
        eprintln!("warning: {line}");
    }
    if warnings.len() > TOLD {
        eprintln!("warning: and {} more; `gudgeon check {name}` tells them all", warnings.len() - TOLD);
    }
}

/// The scene with everything that was typed on it.
fn configured(args: &SimArgs) -> Result<Scene, Stop> {
    let name = args.scene.as_deref().unwrap_or_default();
    let mut scene = scene_of(name, &args.set, &args.reading, args.ground).map_err(bad)?;
    let positive = |what: &str, value: f64| {
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(bad(format!("{what} is {value}, expected a positive number of seconds")))
        }
    };
    if let Some(duration) = args.duration {
        scene.duration = positive("--duration", duration)?;
    }
    positive("--checkpoint-every", args.checkpoint_every)?;
    let settings = &mut scene.settings;
    if let Some(dt) = args.dt {
        settings.dt = positive("--dt", dt)?;
    }
    settings.method = args.method.unwrap_or(settings.method);
    settings.integrator = args.integrator.unwrap_or(settings.integrator);
    settings.lexicographic_delta = args.delta.unwrap_or(settings.lexicographic_delta);
    settings.budget = args.budget.or(settings.budget);
    if let Some(seconds) = args.seconds {
        settings.seconds = Some(positive("--seconds", seconds)?);
    }
    settings.threads = args.threads.unwrap_or(settings.threads);
    settings.canonical_forces |= args.canonical;
    settings.facets = args.facets.unwrap_or(settings.facets);
    settings.law = args.law.unwrap_or(settings.law);
    if let Some(conflict) = settings.conflict() {
        return Err(bad(conflict));
    }
    Ok(scene)
}

fn simulate(args: &SimArgs, out: &mut impl Write, err: &mut impl Write) -> Result<u8, Stop> {
    let scene = configured(args)?;
    let mut sim = Simulator::new(&scene).map_err(bad)?;
    let files = checkpoint::resume(args, &mut sim)?;
    let resumed = files.is_some();
    let mut outputs = Outputs::open(args, &scene, &files.unwrap_or_default()).map_err(bad)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
    let total = (scene.duration / scene.settings.dt).round().max(1.0) as u64;
    let mut summary = Summary::new(&sim);
    let mut progress = Progress::new(&scene.name, total, args.json);
    let mut frame = Frame {
        timings: args.timings.then(Timings::default),
        reactions: (args.joints.is_some() || args.work).then(ReactionFrame::default),
        ..Frame::default()
    };
    if !resumed {
        sim.frame(None, &mut frame);
        outputs.write(&sim, &frame).map_err(bad)?;
    }
    let mut log = joint_log(args, &mut sim).map_err(bad)?;
    let mut kept = sim.time();
    let mut dumped = 0;
    let interrupt = Interrupt::watch();
    // a solve that takes minutes is ended as well, with its best iterate
    sim.settings.interrupt = Some(interrupt.flag());
    let mut rewind = Rewind::default();
    while sim.steps() < total && !interrupt.pressed() {
        rewind.mark(&sim);
        let before = sim.steps();
        let began = Instant::now();
        let step = sim.step();
        let seconds = began.elapsed().as_secs_f64();
        // what a solve that was cut short leads to is in no file and no checkpoint
        if interrupt.pressed() && rewind.back(&mut sim, before) {
            break;
        }
        let report = match step {
            Ok(report) => report,
            Err(error) => {
                outputs.finish().map_err(bad)?;
                return Err(Stop(error.to_string(), 3));
            }
        };
        summary.add(&report, seconds);
        dump(args, &sim, &report, seconds, &mut dumped)?;
        if let Some(log) = &mut log {
            let shown = sim.steps().is_multiple_of(args.every);
            log.step(&mut sim, shown).map_err(bad)?;
        }
        if sim.steps().is_multiple_of(args.every) {
            sim.frame(Some(&report), &mut frame);
            outputs.write(&sim, &frame).map_err(bad)?;
        }
        if let Some(path) = &args.checkpoint
            && (sim.time() - kept >= args.checkpoint_every - 0.5 * scene.settings.dt || sim.steps() == total)
        {
            outputs.sync().map_err(bad)?;
            checkpoint::keep(path, &sim, &outputs.written())?;
            kept = sim.time();
        }
        progress.tick(sim.steps(), &summary, err);
    }
    progress.done(err);
    let stopped = sim.steps() < total;
    if let Some(path) = args.checkpoint.as_ref().filter(|_| stopped) {
        outputs.sync().map_err(bad)?;
        checkpoint::keep(path, &sim, &outputs.written())?;
    }
    outputs.finish().map_err(bad)?;
    log.as_mut().map_or(Ok(()), JointLog::flush).map_err(bad)?;
    if stopped {
        // a closed stderr leaves nobody to tell
        let _ = writeln!(err, "stopped at {} s of {}", sim.time(), scene.duration);
    }
    let written = if args.json {
        let mut json = summary.to_json(&scene.name, &sim);
        if let Some(log) = &log {
            [json["joints"], json["loops"], json["work"]] = log.to_json(&sim);
        }
        writeln!(out, "{json}")
    } else {
        let told = output::print_summary(&summary, &scene, &sim, out);
        told.and_then(|()| log.as_ref().map_or(Ok(()), |log| log.print(&sim, out)))
    };
    // a pipe that was closed has read what it wanted; any other failure is told where the command ends
    if written.and_then(|()| out.flush()).is_err() {
        return Ok(0);
    }
    if stopped {
        return Ok(STOPPED);
    }
    let told =
        summary.failed() + summary.fallback() + summary.unrecovered() + summary.deepened() + summary.curbed();
    Ok(u8::from(told > 0))
}

/// What joints carry, if it is asked for.
fn joint_log(args: &SimArgs, sim: &mut Simulator) -> std::io::Result<Option<JointLog>> {
    if args.joints.is_none() && !args.work {
        return Ok(None);
    }
    let file = args.joints.as_ref().map(|path| output::Sink::open(path, None)).transpose()?;
    let mut log = JointLog::new(file, sim)?;
    log.step(sim, true)?;
    Ok(Some(log))
}

/// Problems kept of one run: enough to study, not enough to fill a disk.
const MOST_DUMPS: usize = 100;

fn dump(
    args: &SimArgs,
    sim: &Simulator,
    report: &StepReport,
    seconds: f64,
    dumped: &mut usize,
) -> Result<(), Stop> {
    let (Some(solve), Some(problem)) = (report.solve, sim.last_problem()) else { return Ok(()) };
    let failed = args.dump_failures.is_some() && solve.status != gudgeon_lcp::Status::Solved;
    let slow = args.dump_slow.is_some_and(|most| seconds * 1e3 > most);
    if !(failed || slow) || *dumped >= MOST_DUMPS {
        return Ok(());
    }
    let folder = args.dump_failures.as_deref().unwrap_or(Path::new("slow-steps"));
    *dumped += 1;
    let path = folder.join(format!("step-{:07}-{}.json", sim.steps(), solve.status.name()));
    let text = crate::problem_file::write_json(&crate::problem_file::Problem::Friction(problem.clone()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|e| bad(format!("{}: {e}", path.display())))
}

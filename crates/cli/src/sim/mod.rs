//! `gudgeon sim`: a scene from start to end, with its traces.

mod args;
mod checkpoint;
mod joints;
mod output;
mod progress;
mod run;

use std::io::Write;
use std::path::Path;

use gudgeon_sim::Scene;

use self::run::Run;
use crate::interrupt::STOPPED;
use crate::model_args::ModelArgs;
pub use args::SimArgs;

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

/// From what was typed to an exit code.
fn simulate(args: &SimArgs, out: &mut impl Write, err: &mut impl Write) -> Result<u8, Stop> {
    let scene = configured(args)?;
    let mut run = Run::open(args, &scene)?;
    run.go(err)?;
    run.close(err)?;
    // a pipe that was closed has read what it wanted; any other failure is told where the command ends
    if run.tell(out).is_err() {
        return Ok(0);
    }
    if run.stopped() {
        return Ok(STOPPED);
    }
    Ok(u8::from(!run.is_clean()))
}

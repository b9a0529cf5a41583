//! `gudgeon check`: what became of every element of a model, and what a doctor says of it.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gudgeon_model::{facts, load_scene_with, poses_at};
use serde_json::{Value, json};

use crate::beside::compare;
use crate::model_args::ModelArgs;

/// The arguments of `gudgeon check`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// A scene (.toml), URDF (.urdf) or MJCF (.xml).
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Anything ignored is an error.
    #[arg(long)]
    pub strict: bool,

    /// One JSON object: the report, the doctor's findings and the model in numbers.
    #[arg(long)]
    pub json: bool,

    /// Also print the pose of every body at these coordinates: a JSON list with a list for each joint.
    #[arg(long, value_name = "FILE")]
    pub at: Option<PathBuf>,

    /// Write the model as a scene file.
    #[arg(long, value_name = "FILE")]
    pub to_scene: Option<PathBuf>,

    /// Also compare an MJCF or URDF with MuJoCo's reading of it, by this Python, which must have MuJoCo installed: masses, centres,
    /// inertias, axes, actuators' forces, sensors and accelerations at random states.
    #[arg(long, value_name = "PYTHON", num_args = 0..=1, default_missing_value = "python3", require_equals = true)]
    pub mujoco: Option<String>,

    /// How to read it.
    #[command(flatten)]
    pub reading: ModelArgs,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon check robot.urdf                          what is used, approximated, ignored; what is odd
  gudgeon check robot.xml --strict                  fail if anything is ignored
  gudgeon check robot.urdf --search ~/packages      where package:// names are
  gudgeon check robot.xml --json --at q.json        masses, inertias, joints and poses, for scripts
  gudgeon check robot.urdf --joint elbow=1.2        what is odd about another start
  gudgeon check robot.urdf --to-scene robot.toml    a scene with the robot on the ground
  gudgeon check robot.xml --mujoco                  beside MuJoCo, at random states
  gudgeon check robot.xml --mujoco=venv/bin/python  by the MuJoCo of that environment

Exit code: 0 read; 1 something ignored and --strict, or other than MuJoCo and --mujoco; 2 not readable, with file and line on stderr.";

pub(crate) fn run(args: &CheckArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let options = args.reading.options();
    let (scene, report) = match load_scene_with(&args.model, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            let _ = writeln!(err, "{error}");
            return 2;
        }
    };
    let poses = match args.at.as_ref().map(|path| poses(path, &scene, &report)) {
        Some(Err(reason)) => {
            let _ = writeln!(err, "{reason}");
            return 2;
        }
        Some(Ok(poses)) => Some(poses),
        None => None,
    };
    if let Some(path) = &args.to_scene {
        if args.model.extension().is_some_and(|e| e == "toml") {
            let _ = writeln!(err, "{}: is a scene already", args.model.display());
            return 2;
        }
        let text = gudgeon_model::scene_text(&args.model, path, &options, &scene, &report);
        if let Err(reason) = std::fs::write(path, text) {
            let _ = writeln!(err, "{}: {reason}", path.display());
            return 2;
        }
    }
    let beside = match args.mujoco.as_ref().map(|python| compare(python, &args.model, &scene, &report)) {
        Some(Err(reason)) => {
            let _ = writeln!(err, "{reason}");
            return 2;
        }
        Some(Ok(beside)) => Some(beside),
        None => None,
    };
    let (.., ignored) = report.counts();
    if args.json {
        let mut all = json!({"model": args.model.display().to_string(), "report": report.to_json()});
        all["facts"] = facts(&scene, &report);
        if let Some(poses) = poses {
            all["poses"] = poses;
        }
        if let Some(beside) = &beside {
            all["mujoco"] = beside.to_json();
        }
        let _ = writeln!(out, "{all}");
    } else {
        let m = &scene.model;
        let _ = writeln!(
            out,
            "{}: {} links, {} dofs, {} loops, {} couplings, {:.6} kg; {} shapes touch, {} are only seen; {} controllers",
            scene.name,
            m.n_links() - 1,
            m.n_v(),
            m.loops().len(),
            m.couplings().len(),
            m.mass(),
            scene.colliders.len(),
            scene.visuals.len(),
            scene.controllers.len(),
        );
        let _ = write!(out, "{report}");
        if let Some(poses) = poses {
            let _ = writeln!(out, "{poses}");
        }
        if let Some(beside) = &beside {
            let _ = write!(out, "{beside}");
        }
    }
    if beside.is_some_and(|b| !b.is_equal()) {
        let _ = writeln!(err, "{}: other than MuJoCo's reading", args.model.display());
        return 1;
    }
    if args.strict && ignored > 0 {
        let _ = writeln!(err, "{}: {ignored} elements or attributes ignored", args.model.display());
        return 1;
    }
    0
}

fn poses(
    path: &std::path::Path,
    scene: &gudgeon_sim::Scene,
    report: &gudgeon_model::ImportReport,
) -> Result<Value, String> {
    let named = |reason: String| format!("{}: {reason}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| named(e.to_string()))?;
    let q: Vec<Vec<f64>> = serde_json::from_str(&text).map_err(|e| named(e.to_string()))?;
    poses_at(scene, report, &q).map_err(named)
}

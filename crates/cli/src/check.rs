//! `gudgeon check`: what became of every element of a model, and what a doctor says of it.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gudgeon_model::{Base, FixedJoints, LoadOptions, facts, load_scene_with, poses_at};
use serde_json::{Value, json};

/// What a root hangs on where the file does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum BaseChoice {
    /// Free if it has mass.
    #[default]
    Auto,
    /// Free to move.
    Free,
    /// Fixed to the world.
    Fixed,
}

/// The arguments of `gudgeon check`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
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

    /// A directory in which packages and meshes are looked for; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub search: Vec<PathBuf>,

    /// Let file names lead outside of the model's directory and the search path.
    #[arg(long)]
    pub outside: bool,

    /// What the root of a URDF hangs on.
    #[arg(long, value_enum, default_value_t)]
    pub base: BaseChoice,

    /// Make links on fixed joints part of the links that carry them.
    #[arg(long)]
    pub merge_fixed: bool,

    /// Leave meshes unread.
    #[arg(long)]
    pub no_meshes: bool,

    /// Let the convex hulls of a URDF's meshes touch in place of the meshes.
    #[arg(long)]
    pub hulls: bool,

    /// Start from this keyframe of an MJCF.
    #[arg(long, value_name = "NAME")]
    pub keyframe: Option<String>,

    /// Also print the pose of every body at these coordinates: a JSON list with a list for each joint.
    #[arg(long, value_name = "FILE")]
    pub at: Option<PathBuf>,

    /// Write the model as a scene file.
    #[arg(long, value_name = "FILE")]
    pub to_scene: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon check robot.urdf                          what is used, approximated, ignored; what is odd
  gudgeon check robot.xml --strict                  fail if anything is ignored
  gudgeon check robot.urdf --search ~/packages      where package:// names are
  gudgeon check robot.xml --json --at q.json        masses, inertias, joints and poses, for scripts
  gudgeon check robot.urdf --to-scene robot.toml    a scene with the robot on the ground

Exit code: 0 read; 1 something ignored and --strict; 2 not readable, with file and line on stderr.";

pub(crate) fn run(args: &CheckArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let options = LoadOptions {
        search: args.search.clone(),
        outside: args.outside,
        base: match args.base {
            BaseChoice::Auto => Base::Auto,
            BaseChoice::Free => Base::Free,
            BaseChoice::Fixed => Base::Fixed,
        },
        fixed: if args.merge_fixed { FixedJoints::Merge } else { FixedJoints::Keep },
        meshes: !args.no_meshes,
        hulls: args.hulls,
        keyframe: args.keyframe.clone(),
        ..LoadOptions::default()
    };
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
        let text = gudgeon_model::scene_text(&args.model, path, &options);
        if let Err(reason) = std::fs::write(path, text) {
            let _ = writeln!(err, "{}: {reason}", path.display());
            return 2;
        }
    }
    let (.., ignored) = report.counts();
    if args.json {
        let mut all = json!({"model": args.model.display().to_string(), "report": report.to_json()});
        all["facts"] = facts(&scene, &report);
        if let Some(poses) = poses {
            all["poses"] = poses;
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

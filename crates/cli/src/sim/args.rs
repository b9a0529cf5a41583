//! What `gudgeon sim` may be told.

use std::path::PathBuf;

use clap::Args;
use gudgeon_lcp::Method;
use gudgeon_sim::{Facets, FrictionLaw, Integrator};

use crate::model_args::ModelArgs;

/// The arguments of `gudgeon sim`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct SimArgs {
    /// A built-in scene (see --list), or a file: scene .toml, .urdf, MJCF .xml.
    #[arg(value_name = "SCENE", required_unless_present_any = ["list", "explain"])]
    pub scene: Option<String>,

    /// Lists the built-in scenes and what can be set in each.
    #[arg(long)]
    pub list: bool,

    /// Says what a key of scene files means: `friction`, or in one table `joint.friction`.
    #[arg(long, value_name = "KEY", conflicts_with = "scene")]
    pub explain: Option<String>,

    /// Sets a number of a built-in scene, or of a scene file a parameter by name or a key by its path (`body.crank.mass=2`); may
    /// be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Simulated time, s; the scene says otherwise.
    #[arg(long, value_name = "S")]
    pub duration: Option<f64>,

    /// Length of a step, s; the scene says otherwise.
    #[arg(long, value_name = "S")]
    pub dt: Option<f64>,

    /// The solver: robust unless said otherwise.
    #[arg(long, value_name = "NAME")]
    pub method: Option<Method>,

    /// Sides of the friction cone (even, at least 4), `exact` for the round cone, `box` for a box of forces, or `last-box`
    /// for a box by the normal force of the step before.
    #[arg(long, value_name = "D|exact|box|last-box")]
    pub facets: Option<Facets>,

    /// The law of friction of round cones: `exact`, Coulomb's own, or `convex`, faster in very large scenes.
    #[arg(long, value_name = "NAME")]
    pub law: Option<FrictionLaw>,

    /// How to step: euler, rk4 or carried.
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<Integrator>,

    /// Δ of the method lexicographic: quotients closer than this are ties.
    #[arg(long, value_name = "DELTA")]
    pub delta: Option<f64>,

    /// Pivots allowed per solve; the best iterate is taken when they are spent.
    #[arg(long, value_name = "PIVOTS")]
    pub budget: Option<usize>,

    /// Wall time allowed per solve, s; the best iterate is taken when it is spent. The answer then depends on the machine.
    #[arg(long, value_name = "S")]
    pub seconds: Option<f64>,

    /// Of all forces with the same motion, report the most evenly spread ones.
    #[arg(long)]
    pub canonical: bool,

    /// Threads for collision detection; the answer does not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,

    /// Writes the motion of every body as CSV.
    #[arg(long, value_name = "CSV")]
    pub trace: Option<PathBuf>,

    /// Writes every contact as CSV.
    #[arg(long, value_name = "CSV")]
    pub contacts: Option<PathBuf>,

    /// Writes coordinates, speeds, motor and limit forces of every joint as CSV, with the force and moment that it and every loop
    /// carries in its own frame; the summary then has the balance of energy.
    #[arg(long, value_name = "CSV", conflicts_with = "checkpoint")]
    pub joints: Option<PathBuf>,

    /// Adds joints and the balance of energy (work of motors, pushes, friction, impacts) to the summary.
    #[arg(long)]
    pub work: bool,

    /// Writes traces and recordings every N steps.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,

    /// Writes a self-contained player.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Writes a recording, for `gudgeon view`.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Keeps the wall times of solver and collision in the recording and the page; two runs then differ in them.
    #[arg(long)]
    pub timings: bool,

    /// Keeps a snapshot in this file, renewed every --checkpoint-every simulated seconds.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Simulated seconds between checkpoints.
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub checkpoint_every: f64,

    /// Goes on from the checkpoint if it is there; traces and recordings are appended to.
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,

    /// Writes the problem of every solve that failed into this folder, for `gudgeon solve`.
    #[arg(long, value_name = "DIR")]
    pub dump_failures: Option<PathBuf>,

    /// Writes the problem of every step that took longer than so many milliseconds too, into the folder of --dump-failures or
    /// into `slow-steps`.
    #[arg(long, value_name = "MS")]
    pub dump_slow: Option<f64>,

    /// The summary as one JSON object.
    #[arg(long)]
    pub json: bool,

    /// Puts a model file that has no ground of its own on flat ground.
    #[arg(long)]
    pub ground: bool,

    /// How to read a file.
    #[command(flatten)]
    pub reading: ModelArgs,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon sim --list                                       what there is
  gudgeon sim --explain joint.limits                       what a key of scene files means
  gudgeon sim wall --duration 5 --html wall.html           a brick wall, to look at
  gudgeon sim stack --set ratio=1000 --json                numbers for a script
  gudgeon sim push --set azimuth=45 --trace push.csv       where everything was
  gudgeon sim squat --method lemke --json                  how Lemke's method fails
  gudgeon sim robot.urdf --ground --record robot.gud       a robot from a file, on flat ground
  gudgeon sim arm.urdf --joint elbow=-1.2 --base fixed     an arm from a pose of its own

Exit code: 0 every solve succeeded; 1 some needed a fallback, or bodies came to overlap; 2 bad input; 3 the run broke down, with body and joint named;
130 stopped by Ctrl-C, everything written up to that step (twice: at once).";

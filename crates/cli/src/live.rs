//! `gudgeon live`: a simulation in real time, to look at and to touch in the browser.

use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use gudgeon_live::{Listen, Live, Options, replay};
use gudgeon_sim::{Recording, Scene, Simulator};

use crate::interrupt::Interrupt;
use crate::model_args::ModelArgs;
use crate::sim::scene_of;

/// The arguments of `gudgeon live`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct LiveArgs {
    /// A built-in scene (see `gudgeon sim --list`), or a file: scene .toml, .urdf, MJCF .xml.
    #[arg(value_name = "SCENE")]
    pub scene: String,

    /// Sets a number of a built-in scene, or of a scene file a parameter by name or a key by its path (`body.crank.mass=2`); may
    /// be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Length of a step, s; the scene says otherwise.
    #[arg(long, value_name = "S", value_parser = positive)]
    pub dt: Option<f64>,

    /// Simulated seconds per second; 0 is as fast as it can.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    pub speed: f64,

    /// Waits to be started.
    #[arg(long)]
    pub paused: bool,

    /// Keeps the run from its start, frame after frame in this file; the page can record and save as well.
    #[arg(long, value_name = "FILE.gud")]
    pub record: Option<PathBuf>,

    /// Does a recorded live run again, without a page, and compares every frame to the bit.
    #[arg(long, value_name = "FILE.gud", conflicts_with_all = ["record", "paused"])]
    pub replay: Option<PathBuf>,

    /// The port; 0 takes any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,

    /// The address to listen at, if others are to reach it: whoever has the token can steer.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub listen: IpAddr,

    /// Another name under which this machine is reached; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,

    /// Prints the address and opens no browser.
    #[arg(long)]
    pub no_open: bool,

    /// Lays flat ground under a model that brings none.
    #[arg(long)]
    pub ground: bool,

    /// How to read a model.
    #[command(flatten)]
    pub reading: ModelArgs,
}

/// The clock waits so long for the first page: longer than a browser takes to start on a busy machine.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

const EXAMPLES: &str = "\
Examples:
  gudgeon live wall                                  pull bricks out of a wall
  gudgeon live robot.xml --ground                    a robot from a file, on flat ground
  gudgeon live squat --paused --no-open              prints the address, waits to be started
  gudgeon live wall --record wall.gud                keeps the run; gudgeon view wall.gud shows it
  gudgeon live wall --replay wall.gud                the same run again, pulls included, to the bit

The clock starts when a page shows the beginning, or after two seconds without one.

Exit code: 0 ended by Ctrl-C, or the replay was the same to the bit; 1 the replay differs; 2 bad input.";

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| *x > 0.0 && x.is_finite());
    number.ok_or_else(|| "expected a positive number of seconds".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=1000.0).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 1000".to_owned())
}

/// Runs the command; answers the exit code.
pub(crate) fn run(args: &LiveArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let done = scene(args).and_then(|scene| match &args.replay {
        Some(path) => again(&scene, path, out),
        None => live(args, &scene, out),
    });
    done.unwrap_or_else(|message| {
        // a closed stderr leaves nobody to tell
        let _ = writeln!(err, "error: {message}");
        2
    })
}

fn scene(args: &LiveArgs) -> Result<Scene, String> {
    let mut scene = scene_of(&args.scene, &args.set, &args.reading, args.ground)?;
    scene.settings.dt = args.dt.unwrap_or(scene.settings.dt);
    Ok(scene)
}

fn live(args: &LiveArgs, scene: &Scene, out: &mut impl Write) -> Result<u8, String> {
    let mut sim = Simulator::new(scene).map_err(|e| e.to_string())?;
    let options = Options {
        listen: Listen { address: args.listen, port: args.port, names: args.host.clone() },
        paused: args.paused,
        file: args.record.clone(),
        speed: Some(args.speed),
        patience: PATIENCE,
        ..Options::default()
    };
    let live = Live::open(scene, &mut sim, options);
    let mut live = live.map_err(|e| format!("cannot listen at {}:{}: {e}", args.listen, args.port))?;
    let address = live.address();
    // a closed pipe has read what it wanted
    let _ = writeln!(out, "{address}").and_then(|()| out.flush());
    if !args.no_open {
        open(&address);
    }
    let interrupt = Interrupt::watch();
    live.run(&mut sim, |_| {}, || interrupt.pressed());
    if let Some(path) = &args.record {
        let tape = &live.session().tape;
        if let Some(trouble) = &tape.trouble {
            return Err(format!("{}: {trouble}", path.display()));
        }
        let _ = writeln!(out, "{}: {} frames", path.display(), tape.frames());
    }
    Ok(0)
}

/// The same run again.
fn again(scene: &Scene, path: &Path, out: &mut impl Write) -> Result<u8, String> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let mut file = std::fs::File::open(path).map_err(|e| named(&e))?;
    let recording = Recording::read(&mut file).map_err(|e| named(&e))?;
    let (code, line) = match replay(scene, &recording) {
        Ok(r) => {
            (0, format!("the same to the bit: {} steps, {} frames, {} acts", r.steps, r.frames, r.events))
        }
        Err(e) => (1, named(&e)),
    };
    // a closed pipe has read what it wanted
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    Ok(code)
}

/// Opens the address in the user's browser, if there is a way; it is printed anyway.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = if cfg!(target_os = "windows") {
        let mut c = Command::new("rundll32");
        c.arg("url.dll,FileProtocolHandler");
        c
    } else {
        Command::new(program)
    };
    let quiet = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // the child is the system's; nobody waits for it
    let _opened = quiet.spawn();
}

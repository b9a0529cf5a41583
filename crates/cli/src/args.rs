//! What may be typed.

use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use gudgeon_lcp::Method;

use crate::view::ViewArgs;

/// Rigid bodies in hard frictional contact, and the complementarity solvers beneath.
#[derive(Debug, Clone, Parser)]
#[command(name = "gudgeon", version, arg_required_else_help = true, after_help = COMMANDS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Solve complementarity and friction problems from files.
    Solve(SolveArgs),
    /// Simulate a built-in scene, a scene file or a robot.
    Sim(Box<crate::sim::SimArgs>),
    /// Simulate in real time, to look at and to touch in the browser.
    Live(Box<crate::live::LiveArgs>),
    /// Redo the tables and figures of the papers.
    Reproduce(gudgeon_reproduce::ReproduceArgs),
    /// Hold the simulator against theory: scenes whose answer is known, error and bound of each.
    Validate(crate::validate::ValidateArgs),
    /// Show a recording: a page for the browser, a picture, or a log for other tools.
    View(ViewArgs),
    /// Time the built-in scenes: one table, with a yardstick of the machine.
    Bench(crate::bench::BenchArgs),
    /// Say what became of every element of a model, and what is odd about it.
    Check(crate::check::CheckArgs),
    /// Print what a shell needs to complete these commands.
    Completions(crate::completions::CompletionsArgs),
}

const COMMANDS: &str = "\
Examples:
  gudgeon sim wall --html wall.html             simulate, and look at it in a browser
  gudgeon live wall                             pull at it in the browser while it runs
  gudgeon sim --list                            the built-in scenes
  gudgeon sim squat --record squat.gud          keep a run; gudgeon view squat.gud shows it
  gudgeon check robot.urdf                      what became of a model
  gudgeon solve problems/*.json                 complementarity problems by themselves
  gudgeon reproduce --quick                     the papers' tables and figures, small
  gudgeon validate --quick                      how far the simulator is from theory
  gudgeon COMMAND --help                        more examples, and the exit codes of each

Exit code: 0 well; 1 ran, with something to report; 2 bad input, named on stderr; 3 a run broke down;
130 a run was stopped by Ctrl-C, what it had written is whole.";

/// The arguments of `gudgeon solve`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// Problem files: JSON, JSON lines, .npz, FCLIB .hdf5; `-` reads JSON lines from the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,

    /// The solver.
    #[arg(long, value_name = "NAME", default_value_t = Method::default(), help = method_help())]
    pub method: Method,

    /// Sides of the friction cone (even, at least 4), in place of the file's own; or `exact` for the round cone.
    #[arg(long, value_name = "D|exact")]
    pub facets: Option<Facets>,

    /// Stop after this many pivots (sweeps for pgs) with the best iterate found.
    #[arg(long, value_name = "PIVOTS", allow_negative_numbers = true)]
    pub budget: Option<usize>,

    /// Stop a solve after this many seconds with the best iterate found; its status is then budget.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    pub seconds: Option<f64>,

    /// Of all impulses that give the same motion, answer the most evenly spread ones (friction problems only).
    #[arg(long)]
    pub canonical: bool,

    /// Show every pivot (or sweep) of every solve.
    #[arg(long)]
    pub trace: bool,

    /// One JSON object per problem on a line of its own, in place of the table.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon solve problems/*.json                     a table of all example problems
  gudgeon solve --json problem.json                 the answer, for scripts
  gudgeon solve --method lemke --trace problem.json pivot by pivot
  gudgeon solve --facets 16 box-stack.hdf5          an FCLIB problem with a 16-sided cone
  gudgeon solve --canonical --json table.json       forces that do not depend on the order of the contacts
  generate | gudgeon solve --json -                 JSON lines, one problem on each

Exit code: 0 all solved; 1 some not (ray, cycle, inaccurate or budget); 2 bad input, named on stderr;
130 stopped by Ctrl-C: the problem at hand ends as budget, the others are left.";

/// A time that is one.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds, at least 0".to_owned()),
    }
}

fn method_help() -> String {
    format!("The method: {}", Method::ALL.map(Method::name).join(", "))
}

/// The shape of the friction cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facets {
    /// A pyramid with this many sides.
    Sides(usize),
    /// The round cone.
    Exact,
}

impl FromStr for Facets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "exact" {
            return Ok(Self::Exact);
        }
        match text.parse() {
            Ok(sides) if sides >= 4 && usize::is_multiple_of(sides, 2) => Ok(Self::Sides(sides)),
            _ => Err("expected an even number >= 4, or exact".to_owned()),
        }
    }
}

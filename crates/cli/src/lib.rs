#![forbid(unsafe_code)]
//! The command `gudgeon` as a library: problem files, and the subcommands.
//!
//! The binary is a thin `main`; everything that can be tested is here.

mod args;
mod bench;
mod check;
mod completions;
mod engine;
mod interrupt;
mod model_args;
pub mod problem_file;
mod report;
mod reproduce;
mod sim;
mod solve;
mod view;

pub use args::{Cli, Command, Facets, SolveArgs};
pub use check::CheckArgs;
pub use completions::CompletionsArgs;
pub use engine::{Answer, Engine, Settings, Unsupported, Values};
pub use model_args::{BaseChoice, ModelArgs};
pub use reproduce::ReproduceArgs;
pub use sim::SimArgs;
pub use view::ViewArgs;

use std::io::Write;
use std::process::ExitCode;

/// Runs a command; results go to `out`, errors of input to `err`.
///
/// A closed `out` (a pager that was left, `head`) ends the run quietly.
pub fn run(cli: &Cli, out: &mut impl Write, err: &mut impl Write) -> ExitCode {
    match &cli.command {
        Command::Solve(args) => ExitCode::from(solve::run(args, out, err)),
        Command::Check(args) => ExitCode::from(check::run(args, out, err)),
        Command::Bench(args) => ExitCode::from(bench::run(args, out, err)),
        Command::Sim(args) => ExitCode::from(sim::run(args, out, err)),
        Command::Reproduce(args) => ExitCode::from(reproduce::run(args, out, err)),
        Command::View(args) => ExitCode::from(view::run(args, out, err)),
        Command::Completions(args) => ExitCode::from(completions::run(args, out)),
    }
}

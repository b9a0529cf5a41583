#![forbid(unsafe_code)]
//! The command `gudgeon` as a library: problem files, and the subcommands.
//!
//! The binary is a thin `main`; everything that can be tested is here.

mod args;
mod bench;
mod beside;
mod check;
mod completions;
mod engine;
mod interrupt;
mod live;
mod model_args;
pub mod problem_file;
mod report;
mod sim;
mod solve;
mod stdout;
mod validate;
mod view;

pub use args::{Cli, Command, Facets, SolveArgs};
pub use check::CheckArgs;
pub use completions::CompletionsArgs;
pub use engine::{Answer, Settings, Solving, Unsupported, Values};
pub use gudgeon_reproduce::ReproduceArgs;
pub use live::LiveArgs;
pub use model_args::{BaseChoice, ModelArgs};
pub use sim::SimArgs;
pub use validate::ValidateArgs;
pub use view::ViewArgs;

use std::ffi::OsString;
use std::io::{BufWriter, Write};

use clap::{CommandFactory, Parser};

/// Runs what was typed, the program's name first, on the standard streams of the process, and returns its exit code.
pub fn typed(words: impl IntoIterator<Item = OsString>) -> u8 {
    match Cli::try_parse_from(words) {
        Ok(cli) => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            run(&cli, &mut out, &mut std::io::stderr().lock())
        }
        Err(told) => {
            // help and versions come this way too; a closed stream leaves nobody to tell, a full disk is an error
            match told.print().and_then(|()| std::io::stdout().flush()) {
                Err(failure) if failure.kind() != std::io::ErrorKind::BrokenPipe => {
                    let _ = writeln!(std::io::stderr(), "error: standard output: {failure}");
                    2
                }
                _ => u8::try_from(told.exit_code()).unwrap_or(2),
            }
        }
    }
}

/// Runs a command and returns its exit code; results go to `out`, errors of input to `err`.
///
/// A closed `out` (a pager that was left, `head`) ends the run quietly; one that cannot be written to for any other reason,
/// such as a full disk, has lost results, and the exit code is 2.
pub fn run(cli: &Cli, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let mut watched = stdout::Watched::new(out);
    let code = dispatch(cli, &mut watched, err);
    if let Some(failure) = watched.finish() {
        // a closed stderr leaves nobody to tell
        let _ = writeln!(err, "error: standard output: {failure}");
        return 2;
    }
    code
}

fn dispatch(cli: &Cli, out: &mut impl Write, err: &mut impl Write) -> u8 {
    match &cli.command {
        Command::Solve(args) => solve::run(args, out, err),
        Command::Check(args) => check::run(args, out, err),
        Command::Bench(args) => bench::run(args, out, err),
        Command::Sim(args) => sim::run(args, out, err),
        Command::Live(args) => live::run(args, out, err),
        Command::Reproduce(args) => gudgeon_reproduce::run(args, out, err),
        Command::Validate(args) => validate::run(args, out, err),
        Command::View(args) => view::run(args, out, err),
        Command::Completions(args) => completions::run(args, &mut Cli::command(), out),
    }
}

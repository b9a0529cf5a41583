//! The command `gudgeon`.

use std::io::BufWriter;
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = gudgeon_cli::Cli::parse();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut err = std::io::stderr().lock();
    gudgeon_cli::run(&cli, &mut out, &mut err)
}

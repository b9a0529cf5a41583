//! The command `gudgeon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gudgeon_cli::typed(std::env::args_os()))
}

//! `gudgeon completions`: what a shell offers when Tab is pressed.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

/// The arguments of `gudgeon completions`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell to speak to.
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon completions bash > ~/.local/share/bash-completion/completions/gudgeon
  gudgeon completions zsh > ~/.zfunc/_gudgeon               with fpath+=~/.zfunc before compinit in .zshrc
  gudgeon completions fish > ~/.config/fish/completions/gudgeon.fish

Exit code: 0 written; 2 bad input.";

/// Prints the script for `command`, all that may be typed.
pub(crate) fn run(args: &CompletionsArgs, command: &mut clap::Command, out: &mut impl Write) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "gudgeon", &mut script);
    // a reader that leaves has seen what it wanted
    let _left = out.write_all(&script).and_then(|()| out.flush());
    0
}

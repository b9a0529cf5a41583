//! `gudgeon validate`: scenes whose answer is known, how far the simulator is from it, and how far it may be.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use gudgeon_validate::{Entry, HEADING, MARKDOWN, Outcome, theory};

/// The arguments of `gudgeon validate`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
pub struct ValidateArgs {
    /// Scenes; all if none is named.
    #[arg(value_name = "SCENE")]
    pub names: Vec<String>,

    /// Only scenes that take about a second at most.
    #[arg(long)]
    pub quick: bool,

    /// Say which scenes there are, and run none.
    #[arg(long)]
    pub list: bool,

    /// One JSON object per scene on a line of its own, in place of the table.
    #[arg(long)]
    pub json: bool,

    /// Write the tables of the book's page as well, in Markdown.
    #[arg(long, value_name = "FILE")]
    pub page: Option<std::path::PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon validate                     every scene: truth, ours, error, bound
  gudgeon validate --quick             those of a second at most
  gudgeon validate arch-27 turntable   two of them
  gudgeon validate --list              what there is
  gudgeon validate --json              for scripts

Exit code: 0 everything within its bound; 1 something not; 2 there is no such scene.";

/// A part of the table.
struct Part {
    name: &'static str,
    title: &'static str,
    scenes: &'static [Entry],
}

const PARTS: &[Part] = &[Part { name: "theory", title: "Theory", scenes: theory::SCENES }];

/// Runs the command; answers the exit code.
pub(crate) fn run(args: &ValidateArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let all = || PARTS.iter().flat_map(|p| p.scenes);
    if let Some(unknown) = args.names.iter().find(|n| !all().any(|e| e.name == **n)) {
        let known: Vec<_> = all().map(|e| e.name).collect();
        let _ = writeln!(err, "error: there is no scene '{unknown}'; there are {}", known.join(", "));
        return 2;
    }
    if args.list {
        // a closed pipe has read what it wanted
        let _ = all().try_for_each(|e| writeln!(out, "{:<12} {}", e.name, e.about));
        return 0;
    }
    match scenes(args, out) {
        Ok((lines, within, page)) => {
            if let Some(path) = &args.page
                && let Err(error) = std::fs::write(path, page)
            {
                let _ = writeln!(err, "error: {}: {error}", path.display());
                return 2;
            }
            u8::from(within < lines)
        }
        Err(_closed) => 0,
    }
}

/// Runs what was asked for: how many lines, how many within their bounds, and the page.
fn scenes(args: &ValidateArgs, out: &mut impl Write) -> io::Result<(usize, usize, String)> {
    let asked = |e: &&Entry| {
        (args.names.is_empty() || args.names.iter().any(|n| n == e.name)) && (e.quick || !args.quick)
    };
    let (mut lines, mut within, mut count, mut page) = (0, 0, 0, String::new());
    if !args.json {
        writeln!(out, "{HEADING}")?;
    }
    for part in PARTS {
        let _ = write!(page, "## {}\n\n{MARKDOWN}", part.title);
        for entry in part.scenes.iter().filter(asked) {
            let outcome = Outcome::of(entry);
            let (of, good) = outcome.count();
            (lines, within, count) = (lines + of, within + good, count + 1);
            page += &outcome.markdown();
            if args.json {
                writeln!(out, "{}", outcome.json(part.name))?;
            } else {
                write!(out, "{}", outcome.text())?;
            }
            out.flush()?;
        }
        page += "\n";
    }
    if !args.json {
        writeln!(out, "{count} scenes: {within} of {lines} figures within their bounds")?;
    }
    let _ = writeln!(page, "{count} scenes: {within} of {lines} figures within their bounds.");
    Ok((lines, within, page))
}

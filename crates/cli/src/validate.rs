//! `gudgeon validate`: scenes whose answer is known, how far the simulator is from it, and how far it may be.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use gudgeon_validate::reality::{self, Tosses};
use gudgeon_validate::{Entry, HEADING, MARKDOWN, Outcome, consistency, theory};

use crate::problem_file;

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

    /// A folder with measurements of other people, `tosses/tosses.npz` in it; else the one that GUDGEON_CASES names.
    #[arg(long, value_name = "DIR")]
    pub cases: Option<std::path::PathBuf>,

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
  gudgeon validate tosses --cases DIR  measured tosses of a cube, in DIR/tosses/tosses.npz
  gudgeon validate --json              for scripts

Exit code: 0 everything within its bound; 1 something not; 2 there is no such scene.";

/// A part of the table.
struct Part {
    name: &'static str,
    title: &'static str,
    scenes: &'static [Entry],
}

const PARTS: &[Part] = &[
    Part { name: "theory", title: "Theory", scenes: theory::SCENES },
    Part { name: "consistency", title: "Consistency", scenes: consistency::SCENES },
];

/// Name and contents of every line of every part.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let computed = PARTS.iter().flat_map(|p| p.scenes).map(|e| (e.name, e.about));
    computed.chain(reality::SETS.iter().map(|s| (s.name, s.about)))
}

/// Runs the command; answers the exit code.
pub(crate) fn run(args: &ValidateArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    if let Some(unknown) = args.names.iter().find(|n| !all().any(|(name, _)| name == **n)) {
        let known: Vec<_> = all().map(|(name, _)| name).collect();
        let _ = writeln!(err, "error: there is no scene '{unknown}'; there are {}", known.join(", "));
        return 2;
    }
    if args.list {
        // a closed pipe has read what it wanted
        let _ = all().try_for_each(|(name, about)| writeln!(out, "{name:<12} {about}"));
        return 0;
    }
    let tosses = match measurements(args, err) {
        Ok(tosses) => tosses,
        Err(message) => {
            let _ = writeln!(err, "error: {message}");
            return 2;
        }
    };
    let mut table = Table { json: args.json, lines: 0, within: 0, scenes: 0, page: String::new(), out };
    if table.run(args, tosses.as_ref()).is_err() {
        return 0; // a closed pipe
    }
    if let Some(path) = &args.page
        && let Err(error) = std::fs::write(path, &table.page)
    {
        let _ = writeln!(err, "error: {}: {error}", path.display());
        return 2;
    }
    u8::from(table.within < table.lines)
}

/// Whether a scene was asked for.
fn asked(args: &ValidateArgs, name: &str, quick: bool) -> bool {
    (args.names.is_empty() || args.names.iter().any(|n| n == name)) && (quick || !args.quick)
}

/// The measured tosses, where they are asked for and where there are any.
fn measurements(args: &ValidateArgs, err: &mut impl Write) -> Result<Option<Tosses>, String> {
    if !reality::SETS.iter().any(|s| asked(args, s.name, false)) {
        return Ok(None);
    }
    let cases = args.cases.clone().or_else(|| std::env::var_os("GUDGEON_CASES").map(Into::into));
    let Some(cases) = cases else {
        if args.names.is_empty() {
            let _ =
                writeln!(err, "left out: measurements, for there is no --cases DIR (and no GUDGEON_CASES)");
            return Ok(None);
        }
        return Err("measurements want --cases DIR, a folder with tosses/tosses.npz in it".into());
    };
    let path = cases.join("tosses").join("tosses.npz");
    if !path.exists() && args.names.is_empty() {
        let _ = writeln!(err, "left out: measurements, for there is no {}", path.display());
        return Ok(None);
    }
    problem_file::read_tosses(&path).map(Some).map_err(|e| format!("{}: {e}", path.display()))
}

/// What is printed, counted and written to the page.
struct Table<'a, W: Write> {
    json: bool,
    lines: usize,
    within: usize,
    scenes: usize,
    page: String,
    out: &'a mut W,
}

impl<W: Write> Table<'_, W> {
    fn run(&mut self, args: &ValidateArgs, tosses: Option<&Tosses>) -> io::Result<()> {
        if !self.json {
            writeln!(self.out, "{HEADING}")?;
        }
        for part in PARTS {
            let _ = write!(self.page, "## {}\n\n{MARKDOWN}", part.title);
            for entry in part.scenes.iter().filter(|e| asked(args, e.name, e.quick)) {
                self.add(part.name, &Outcome::of(entry))?;
            }
            self.page += "\n";
        }
        if let Some(tosses) = tosses {
            let _ = write!(self.page, "## Reality\n\n{MARKDOWN}");
            for set in reality::SETS.iter().filter(|s| asked(args, s.name, false)) {
                self.add("reality", &Outcome::measured(set, tosses))?;
            }
            self.page += "\n";
        }
        let Self { scenes, within, lines, .. } = *self;
        let summary = format!("{scenes} scenes: {within} of {lines} figures within their bounds");
        if !self.json {
            writeln!(self.out, "{summary}")?;
        }
        let _ = writeln!(self.page, "{summary}.");
        Ok(())
    }

    fn add(&mut self, part: &str, outcome: &Outcome) -> io::Result<()> {
        let (of, good) = outcome.count();
        (self.lines, self.within, self.scenes) = (self.lines + of, self.within + good, self.scenes + 1);
        self.page += &outcome.markdown();
        if self.json {
            writeln!(self.out, "{}", outcome.json(part))?;
        } else {
            write!(self.out, "{}", outcome.text())?;
        }
        self.out.flush()
    }
}

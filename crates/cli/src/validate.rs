//! `gudgeon validate`: scenes whose answer is known, how far the simulator is from it, and how far it may be.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use gudgeon_validate::reality::{self, Tosses};
use gudgeon_validate::{Entry, HEADING, Outcome, consistency, page, picture, theory};

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

    /// Write what `--json` prints to a file as well; where scenes are named, the lines of others in it are kept.
    #[arg(long, value_name = "FILE")]
    pub results: Option<std::path::PathBuf>,

    /// Write the page of the book as well, in Markdown, and its picture in the folder `figures` beside it.
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
    scenes: &'static [Entry],
}

const PARTS: &[Part] = &[
    Part { name: "theory", scenes: theory::SCENES },
    Part { name: "consistency", scenes: consistency::SCENES },
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
    let mut table = Table { json: args.json, lines: 0, within: 0, scenes: 0, results: String::new(), out };
    if table.run(args, tosses.as_ref()).is_err() {
        return 0; // a closed pipe
    }
    let results = merged(args, &table.results);
    let drawn = args.page.as_ref().map(|path| path.with_file_name("figures").join("validate.svg"));
    for (path, text) in
        [(&args.results, Ok(results.clone())), (&args.page, page(&results)), (&drawn, picture(&results))]
    {
        let Some(path) = path else { continue };
        // the page is there by now, and the folder of its pictures may not be
        let folder = drawn.as_ref().filter(|d| *d == path).and_then(|d| d.parent());
        let made = folder.map_or(Ok(()), std::fs::create_dir_all);
        let written =
            text.and_then(|text| made.and_then(|()| std::fs::write(path, text)).map_err(|e| e.to_string()));
        if let Err(error) = written {
            let _ = writeln!(err, "error: {}: {error}", path.display());
            return 2;
        }
    }
    u8::from(table.within < table.lines)
}

/// The new lines, in place of those of the same scenes in the file of results if only some were asked for.
fn merged(args: &ValidateArgs, new: &str) -> String {
    let old = args
        .results
        .as_ref()
        .filter(|_| !args.names.is_empty())
        .and_then(|p| std::fs::read_to_string(p).ok());
    let Some(old) = old else { return new.to_owned() };
    let scene = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line)
            .ok()
            .and_then(|v| Some(v["scene"].as_str()?.to_owned()))
    };
    // in the order of the table; scenes that there are no longer go
    let pick = |from: &str, name: &str| {
        from.lines().find(|line| scene(line).as_deref() == Some(name)).map(|line| format!("{line}\n"))
    };
    all().filter_map(|(name, _)| pick(new, name).or_else(|| pick(&old, name))).collect()
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

/// What is printed, counted and kept.
struct Table<'a, W: Write> {
    json: bool,
    lines: usize,
    within: usize,
    scenes: usize,
    results: String,
    out: &'a mut W,
}

impl<W: Write> Table<'_, W> {
    fn run(&mut self, args: &ValidateArgs, tosses: Option<&Tosses>) -> io::Result<()> {
        if !self.json {
            writeln!(self.out, "{HEADING}")?;
        }
        for part in PARTS {
            for entry in part.scenes.iter().filter(|e| asked(args, e.name, e.quick)) {
                self.add(part.name, &Outcome::of(entry))?;
            }
        }
        if let Some(tosses) = tosses {
            for set in reality::SETS.iter().filter(|s| asked(args, s.name, false)) {
                self.add("reality", &Outcome::measured(set, tosses))?;
            }
        }
        let Self { scenes, within, lines, .. } = *self;
        if !self.json {
            writeln!(self.out, "{scenes} scenes: {within} of {lines} figures within their bounds")?;
        }
        Ok(())
    }

    fn add(&mut self, part: &str, outcome: &Outcome) -> io::Result<()> {
        let (of, good) = outcome.count();
        (self.lines, self.within, self.scenes) = (self.lines + of, self.within + good, self.scenes + 1);
        let line = outcome.json(part);
        let _ = writeln!(self.results, "{line}");
        if self.json {
            writeln!(self.out, "{line}")?;
        } else {
            write!(self.out, "{}", outcome.text())?;
        }
        self.out.flush()
    }
}

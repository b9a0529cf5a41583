#![forbid(unsafe_code)]
//! `gudgeon reproduce`: the papers' tables and figures, ours beside theirs.
//!
//! An item is a function from its settings to a `Report`. Its JSON in the folder of results says with which settings
//! it was made; the same settings are not run twice. The page is made from the JSON files.

mod classical;
mod energy;
mod frames;
mod html;
mod items;
mod lloyd;
mod page;
mod report;
mod rough;
mod runge_kutta;
mod runs;
mod scenes;
mod scoreboard;
mod svg;
mod tan;
mod tapdance;
mod wall;
mod yamane;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use clap::Args;
use serde_json::Value;

use items::{ITEMS, Item};
pub use page::papers_page;
use report::Report;
pub use scoreboard::Scoreboard;

/// The arguments of `gudgeon reproduce`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
pub struct ReproduceArgs {
    /// What to redo, by name or by the beginning of a name; everything if nothing is said.
    #[arg(value_name = "ITEM")]
    pub items: Vec<String>,

    /// Lists the items.
    #[arg(long)]
    pub list: bool,

    /// The folder for index.html, and a JSON and an SVG per item.
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub out: PathBuf,

    /// Smaller sizes: everything in two minutes.
    #[arg(long)]
    pub quick: bool,

    /// The least sizes that run through every line, for tests.
    #[arg(long, hide = true, conflicts_with = "quick")]
    pub tiny: bool,

    /// Runs items again that are there already.
    #[arg(long)]
    pub force: bool,

    /// Writes what the folder holds, an item a line and without its curves.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,

    /// Writes the page of the book of it.
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// Items at the same time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub threads: u64,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon reproduce --quick                     everything, small, into ./reproduced
  gudgeon reproduce                             everything, as large as in the papers
  gudgeon reproduce yamane --out yamane         the items whose names begin so
  gudgeon reproduce enzerror-rod --force        one item again

A run that was stopped goes on where it was: an item with the same settings is not run again.
What a paper saw of methods that are not its own is printed beside what is seen here; where that differs, with the reason.
Exit code: 0 every statement about this project holds; 1 some do not, named on stdout; 2 bad input, or an item
that could not be run.";

/// How much to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Full,
    Quick,
    Tiny,
}

impl Scale {
    /// One of three, by scale.
    fn pick<T>(self, full: T, quick: T, tiny: T) -> T {
        match self {
            Self::Full => full,
            Self::Quick => quick,
            Self::Tiny => tiny,
        }
    }
}

/// What an item gets to run.
struct Task<'a> {
    settings: &'a Value,
    name: &'static str,
    say: mpsc::Sender<News>,
}

impl Task<'_> {
    /// A count among the settings.
    fn count(&self, key: &str) -> usize {
        let n = self.settings[key].as_u64().expect("every setting of an item is there");
        usize::try_from(n).expect("a small count")
    }

    /// A number among the settings.
    fn real(&self, key: &str) -> f64 {
        self.settings[key].as_f64().expect("every setting of an item is there")
    }

    /// Counts among the settings.
    fn counts(&self, key: &str) -> Vec<usize> {
        let list = self.settings[key].as_array().expect("every setting of an item is there");
        list.iter().filter_map(Value::as_u64).filter_map(|n| usize::try_from(n).ok()).collect()
    }

    /// Says what is being done, and which part of it is.
    fn progress(&self, what: &str, part: f64) {
        // nobody may be listening any more
        let _ = self.say.send(News::Progress(self.name, format!("{what} {:.0} %", 100.0 * part)));
    }
}

enum News {
    Progress(&'static str, String),
    Done(&'static str, Result<f64, String>),
}

/// Runs the command; answers the exit code.
pub fn run(args: &ReproduceArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    if args.list {
        let listed = ITEMS
            .iter()
            .try_for_each(|i| writeln!(out, "{:18} {}, {}: {}", i.name, i.paper, i.place, i.title));
        return u8::from(listed.is_err()) * 2;
    }
    match reproduce(args, out, err) {
        Ok(code) => code,
        Err(message) => {
            // a closed stderr leaves nobody to tell
            let _ = writeln!(err, "error: {message}");
            2
        }
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static Item>, String> {
    let begins = |item: &Item, name: &String| item.name == name || item.name.starts_with(&format!("{name}-"));
    for name in names {
        if !ITEMS.iter().any(|item| begins(item, name)) {
            let all: Vec<&str> = ITEMS.iter().map(|i| i.name).collect();
            return Err(format!("there is no item '{name}'; there are {}", all.join(", ")));
        }
    }
    Ok(ITEMS.iter().filter(|item| names.is_empty() || names.iter().any(|n| begins(item, n))).collect())
}

fn reproduce(args: &ReproduceArgs, out: &mut impl Write, err: &mut impl Write) -> Result<u8, String> {
    let scale = match (args.quick, args.tiny) {
        (_, true) => Scale::Tiny,
        (true, _) => Scale::Quick,
        _ => Scale::Full,
    };
    let items = chosen(&args.items)?;
    let dir = args.out.as_path();
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut waiting: Vec<&Item> =
        items.iter().copied().filter(|item| args.force || !is_done(dir, item, scale)).collect();
    waiting.sort_by_key(|item| std::cmp::Reverse(item.cost));
    let skipped = items.len() - waiting.len();
    if skipped > 0 {
        let _ =
            writeln!(err, "{skipped} of {} items are there already; --force runs them again", items.len());
    }
    let failed = work(&waiting, scale, dir, usize::try_from(args.threads).unwrap_or(2), err);
    let page: Vec<Value> = ITEMS.iter().filter_map(|item| stored(dir, item)).collect();
    write(&dir.join("index.html"), html::page(&page).as_bytes())?;
    let lines: String = page.iter().flat_map(|item| [page::line(item), "\n".into()]).collect();
    if let Some(file) = &args.results {
        write(file, lines.as_bytes())?;
    }
    if let Some(file) = &args.page {
        write(file, papers_page(&lines)?.as_bytes())?;
    }
    let broken = summary(&items, dir, out);
    let _ = writeln!(out, "{}", dir.join("index.html").display()).and_then(|()| out.flush());
    if let Some(message) = failed.first() {
        return Err(message.clone());
    }
    Ok(u8::from(broken > 0))
}

/// Runs the items on threads; answers what went wrong.
fn work(
    waiting: &[&'static Item],
    scale: Scale,
    dir: &Path,
    threads: usize,
    err: &mut impl Write,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let (say, news) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(waiting.len()) {
            let (say, next, failed) = (say.clone(), &next, &failed);
            scope.spawn(move || {
                while let Some(item) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_item(item, scale, dir, &say);
                    if let Err(message) = &result {
                        failed.lock().expect("no thread panics").push(format!("{}: {message}", item.name));
                    }
                    let _ = say.send(News::Done(item.name, result));
                }
            });
        }
        drop(say);
        follow(&news, waiting.len(), err);
    });
    failed.into_inner().expect("no thread panics")
}

/// The progress line: one that moves on a terminal, one per item elsewhere.
fn follow(news: &mpsc::Receiver<News>, total: usize, err: &mut impl Write) {
    let moving = std::io::stderr().is_terminal();
    let mut running: Vec<(&str, String)> = Vec::new();
    let mut done = 0;
    let mut last = Instant::now();
    for report in news {
        match report {
            News::Progress(name, text) => {
                match running.iter_mut().find(|(n, _)| *n == name) {
                    Some(entry) => entry.1 = text,
                    None => running.push((name, text)),
                }
                if moving && last.elapsed().as_millis() > 200 {
                    last = Instant::now();
                    let all: Vec<String> = running.iter().map(|(n, t)| format!("{n}: {t}")).collect();
                    let line: String =
                        format!("[{done}/{total}] {}", all.join("; ")).chars().take(118).collect();
                    let _ = write!(err, "\r{line:118}");
                    let _ = err.flush();
                }
            }
            News::Done(name, result) => {
                running.retain(|(n, _)| *n != name);
                done += 1;
                let clear = if moving { format!("\r{:118}\r", "") } else { String::new() };
                let _ = match result {
                    Ok(seconds) => writeln!(err, "{clear}[{done}/{total}] {name} in {seconds:.1} s"),
                    Err(message) => writeln!(err, "{clear}[{done}/{total}] {name} failed: {message}"),
                };
            }
        }
    }
}

fn run_item(item: &'static Item, scale: Scale, dir: &Path, say: &mpsc::Sender<News>) -> Result<f64, String> {
    let began = Instant::now();
    let settings = item.settings(scale);
    let task = Task { settings: &settings, name: item.name, say: say.clone() };
    task.progress("", 0.0);
    let report = (item.run)(&task)?;
    let seconds = began.elapsed().as_secs_f64();
    for (file, (_, svg)) in Report::files(item.name, report.pictures.len()).iter().zip(&report.pictures) {
        write(&dir.join(file), svg.as_bytes())?;
    }
    // the JSON last: an item with one is whole
    let text =
        serde_json::to_string_pretty(&report.to_json(item, &settings, seconds)).map_err(|e| e.to_string())?;
    write(&dir.join(format!("{}.json", item.name)), text.as_bytes())?;
    Ok(seconds)
}

/// Writes beside the place, then moves: a kill leaves the old file or the new one.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let beside = path.with_extension("partial");
    std::fs::write(&beside, bytes)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|e| format!("{}: {e}", path.display()))
}

/// The JSON of an item, if it is there and whole.
fn stored(dir: &Path, item: &Item) -> Option<Value> {
    let text = std::fs::read_to_string(dir.join(format!("{}.json", item.name))).ok()?;
    serde_json::from_str(&text).ok()
}

fn is_done(dir: &Path, item: &Item, scale: Scale) -> bool {
    let Some(json) = stored(dir, item) else { return false };
    let pictures = json["pictures"].as_array().into_iter().flatten();
    let drawn = pictures.into_iter().all(|p| p["file"].as_str().is_some_and(|f| dir.join(f).exists()));
    drawn && json["settings"] == item.settings(scale)
}

/// Prints every statement and observation; answers how many statements do not hold.
fn summary(items: &[&Item], dir: &Path, out: &mut impl Write) -> usize {
    let mut broken = 0;
    for json in items.iter().filter_map(|item| stored(dir, item)) {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let _ = writeln!(out, "{}  {}, {}", text(&json["item"]), text(&json["paper"]), text(&json["place"]));
        for check in json["checks"].as_array().into_iter().flatten() {
            let holds = check["holds"] == true;
            broken += usize::from(!holds);
            let word = if holds { "holds " } else { "BROKEN" };
            let _ = writeln!(
                out,
                "  {word}  {}: paper {}, here {}",
                text(&check["what"]),
                text(&check["paper"]),
                text(&check["ours"])
            );
        }
        for seen in json["observations"].as_array().into_iter().flatten() {
            let [what, paper, ours, why] = ["what", "paper", "ours", "why"].map(|key| text(&seen[key]));
            let _ = if seen["same"] == true {
                writeln!(out, "  seen    {what}: paper {paper}, here {ours}")
            } else {
                writeln!(out, "  DIFFERS {what}: paper {paper}, here {ours}. Not reproduced: {why}")
            };
        }
    }
    broken
}

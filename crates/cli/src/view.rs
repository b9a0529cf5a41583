//! `gudgeon view`: a recording as a page for the browser, a picture, or a log for other tools.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gudgeon_replay::{Browser, HtmlOptions, PictureOptions, Theme, html, mcap, png};
use gudgeon_sim::Recording;

/// The arguments of `gudgeon view`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct ViewArgs {
    /// A recording, as `gudgeon sim --record` writes it; one that was cut short is shown as far as it goes.
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,

    /// Where the page goes: one file that opens from disk and needs no network; `-` is the standard output
    /// [default: beside the recording, unless only --png or --mcap is asked for].
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,

    /// A still picture, drawn by headless Chromium (or Chrome, or Edge; GUDGEON_BROWSER names another).
    #[arg(long, value_name = "FILE.png")]
    pub png: Option<PathBuf>,

    /// The simulated time of the picture, in seconds [default: half of the run].
    #[arg(long, value_name = "SECONDS", requires = "png", value_parser = finite)]
    pub at: Option<f64>,

    /// The picture's size in pixels.
    #[arg(long, value_name = "WxH", requires = "png", default_value = "1280x800", value_parser = size)]
    pub size: (u32, u32),

    /// The picture with headings, lists and charts around the scene.
    #[arg(long, requires = "png")]
    pub panels: bool,

    /// More of what the player takes behind # in its address: `cones&pick=crate&view=side&gain=2&arrows=no`.
    #[arg(long, value_name = "WORDS", requires = "png", default_value = "")]
    pub look: String,

    /// A log in MCAP with Foxglove's messages: poses, shapes, contact forces, statistics of every step.
    #[arg(long, value_name = "FILE.mcap")]
    pub mcap: Option<PathBuf>,

    /// The heading of the page [default: the scene's name].
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Frames kept per second of simulated time, at most; more for slow motion.
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = positive)]
    pub fps: f64,

    /// The colours of the page and of the picture.
    #[arg(long, value_name = "NAME", default_value = "system")]
    pub theme: ThemeName,
}

const EXAMPLES: &str = "\
Examples:
  gudgeon view run.gud                                      writes run.html; open it in a browser
  gudgeon view run.gud --png run.png --at 1.5               a still at 1.5 s
  gudgeon view run.gud --png run.png --look 'cones&pick=crate' --theme dark
  gudgeon view run.gud --mcap run.mcap                      for Foxglove and its kin
  gudgeon view run.gud -o - | gzip > run.html.gz

Exit code: 0 written; 1 no picture (no browser, or it failed); 2 bad input, named on stderr.";

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// As the reader's system says (pictures: light).
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::System => Self::System,
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
        }
    }
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| "expected a number of seconds".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
        .ok_or_else(|| "expected a number above 0".to_owned())
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides
        .filter(|(w, h)| (16..=8192).contains(w) && (16..=8192).contains(h))
        .ok_or_else(|| "expected WIDTHxHEIGHT in pixels, 16 to 8192 each, as in 1280x800".to_owned())
}

/// What ended a run, and its exit code.
enum Failure {
    /// 2, with this line.
    Input(String),
    /// 1, with this line.
    Picture(String),
    /// Nobody reads the output any more.
    Closed,
}

/// Writes what was asked for; the exit code.
pub(crate) fn run(args: &ViewArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let (code, line) = match write_all(args, out, err) {
        Ok(()) | Err(Failure::Closed) => return 0,
        Err(Failure::Input(line)) => (2, line),
        Err(Failure::Picture(line)) => (1, line),
    };
    // nobody listens to a closed stderr
    let _unheard: io::Result<()> = writeln!(err, "{line}");
    code
}

fn write_all(args: &ViewArgs, out: &mut impl Write, err: &mut impl Write) -> Result<(), Failure> {
    let (recording, notes) = read(&args.recording)?;
    for note in notes {
        // nobody listens to a closed stderr
        let _unheard: io::Result<()> = writeln!(err, "{}: {note}", args.recording.display());
    }
    let only_others = args.png.is_some() || args.mcap.is_some();
    let page = args.output.clone().or_else(|| (!only_others).then(|| args.recording.with_extension("html")));
    if let Some(page) = &page {
        let options = HtmlOptions { title: args.title.clone(), fps: args.fps, theme: args.theme.into() };
        let text = html(&recording, &options);
        if page == Path::new("-") {
            return out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(closed);
        }
        save(page, text.as_bytes())?;
        say(out, page, text.len())?;
    }
    if let Some(file) = &args.mcap {
        let log = mcap(&recording, args.fps);
        save(file, &log)?;
        say(out, file, log.len())?;
    }
    if let Some(file) = &args.png {
        let browser = Browser::find().map_err(|e| Failure::Picture(e.to_string()))?;
        let options = PictureOptions {
            at: args.at,
            size: args.size,
            theme: if args.theme == ThemeName::Dark { Theme::Dark } else { Theme::Light },
            panels: args.panels,
            look: args.look.clone(),
        };
        png(&recording, &browser, &options, file).map_err(|e| Failure::Picture(e.to_string()))?;
        let size = std::fs::metadata(file).map_or(0, |m| usize::try_from(m.len()).unwrap_or(usize::MAX));
        say(out, file, size)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<(Recording, Vec<String>), Failure> {
    let input = |e: &dyn std::fmt::Display| Failure::Input(format!("{}: {e}", path.display()));
    let read = File::open(path).and_then(|mut f| Recording::read_noted(&mut f));
    let (recording, notes) = read.map_err(|e| input(&e))?;
    if recording.frames.is_empty() {
        return Err(input(&"the recording has no frames"));
    }
    Ok((recording, notes))
}

/// Writes beside the file and renames, so that an interrupted run leaves the old one or none, never half of one.
fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e: io::Error| Failure::Input(format!("{}: {e}", path.display()));
    // a device or a pipe is written as it is
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(failed);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path)).map_err(|e| {
        let _gone: io::Result<()> = std::fs::remove_file(&part);
        failed(e)
    })
}

fn say(out: &mut impl Write, path: &Path, bytes: usize) -> Result<(), Failure> {
    let size = match bytes as f64 {
        b if b < 1e6 => format!("{:.0} KB", b / 1e3),
        b => format!("{:.1} MB", b / 1e6),
    };
    writeln!(out, "{} ({size})", path.display()).and_then(|()| out.flush()).map_err(closed)
}

fn closed(_: io::Error) -> Failure {
    Failure::Closed
}

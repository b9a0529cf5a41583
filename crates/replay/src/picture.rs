//! A still of the player by a headless browser.
//!
//! Why a browser and not a renderer of our own: the picture is then the one that the player shows, with its shadows,
//! arrows and charts, and there is one drawing code to keep right. Chromium draws with its software renderer where
//! there is no graphics card, so it works on servers.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gudgeon_sim::Recording;

use crate::html::{HtmlOptions, Theme, html};

/// Names under which Chromium and its kin are installed.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome-headless-shell",
    "headless_shell",
    "microsoft-edge",
];
/// Places outside of the path.
const PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
/// Asked first.
const VARIABLE: &str = "GUDGEON_BROWSER";
/// Of the page's own clock: enough to load and to draw twice; it does not pass in real time.
const PAGE_TIME_MS: u32 = 3000;
/// A browser that has not answered by then hangs; on two busy cores a picture takes ten seconds.
const PATIENCE: Duration = Duration::from_secs(90);

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Nothing that could draw.
    #[error(
        "a picture needs Chromium, Chrome or Edge, and none was found; install one \
         (on Debian: apt-get install chromium) or name it in {VARIABLE}"
    )]
    NoBrowser,
    /// The one that was asked for is not there.
    #[error("{VARIABLE} is {}, which is not a file", .0.display())]
    NoSuchBrowser(PathBuf),
    /// It ran and drew nothing.
    #[error("{} drew no picture: {last_words}", .browser.display())]
    Failed {
        /// Which.
        browser: PathBuf,
        /// The last line it wrote.
        last_words: String,
    },
    /// It never came back.
    #[error("{} did not answer within {} s", .0.display(), PATIENCE.as_secs())]
    Hung(PathBuf),
    /// Files.
    #[error("{}: {error}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What.
        error: io::Error,
    },
}

/// What the picture shows.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureOptions {
    /// Simulated time, s; half of the run if none.
    pub at: Option<f64>,
    /// Pixels.
    pub size: (u32, u32),
    /// Light or dark; the system's is light here.
    pub theme: Theme,
    /// With headings, lists and charts around the scene.
    pub panels: bool,
    /// More of what the player takes after `#` in its address: `cones&pick=crate&view=side`.
    pub look: String,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { at: None, size: (1280, 800), theme: Theme::Light, panels: false, look: String::new() }
    }
}

/// A browser that can draw without a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser(PathBuf);

impl Browser {
    /// The one named in `GUDGEON_BROWSER`, else the first of Chromium and its kin on the path.
    pub fn find() -> Result<Self, PictureError> {
        Self::find_in(std::env::var_os(VARIABLE), std::env::var_os("PATH"))
    }

    fn find_in(named: Option<OsString>, path: Option<OsString>) -> Result<Self, PictureError> {
        if let Some(named) = named.filter(|n| !n.is_empty()) {
            let named = PathBuf::from(named);
            return if named.is_file() { Ok(Self(named)) } else { Err(PictureError::NoSuchBrowser(named)) };
        }
        let folders: Vec<PathBuf> = path.map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
        let on_path = NAMES.iter().flat_map(|name| {
            folders
                .iter()
                .map(move |folder| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION))
        });
        let mut all = on_path.chain(PLACES.iter().map(PathBuf::from));
        all.find(|p| p.is_file()).map(Self).ok_or(PictureError::NoBrowser)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// Draws a picture of a recording into a PNG file.
pub fn png(
    recording: &Recording,
    browser: &Browser,
    options: &PictureOptions,
    file: &Path,
) -> Result<(), PictureError> {
    let folder = Folder::new()?;
    let page = folder.0.join("page.html");
    let io_error = |path: &Path| {
        let path = path.to_owned();
        move |error| PictureError::Io { path, error }
    };
    std::fs::write(&page, html(recording, &HtmlOptions::default())).map_err(io_error(&page))?;
    // where the system has no sandbox to give, Chromium says so and draws nothing
    let attempts: &[bool] = if is_root() { &[false] } else { &[true, false] };
    let mut failure = PictureError::NoBrowser;
    for &sandbox in attempts {
        match shoot(&folder, browser, &page, &hash(recording, options), options.size, sandbox) {
            Ok(picture) => return std::fs::write(file, picture).map_err(io_error(file)),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Whether this is the system's administrator, to whom Chromium gives no sandbox.
fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ids = status.lines().find_map(|l| l.strip_prefix("Uid:"));
    ids.and_then(|l| l.split_whitespace().nth(1)).is_some_and(|id| id == "0")
}

/// One run of the browser: the bytes of its picture.
fn shoot(
    folder: &Folder,
    browser: &Browser,
    page: &Path,
    hash: &str,
    size: (u32, u32),
    sandbox: bool,
) -> Result<Vec<u8>, PictureError> {
    let io_error = |path: &Path| {
        let path = path.to_owned();
        move |error| PictureError::Io { path, error }
    };
    let (shot, words) = (folder.0.join("shot.png"), folder.0.join("words"));
    let log = std::fs::File::create(&words).map_err(io_error(&words))?;
    let child = Command::new(&browser.0)
        .args(if sandbox { &[][..] } else { &["--no-sandbox"] })
        .args(["--headless", "--disable-gpu", "--enable-unsafe-swiftshader", "--hide-scrollbars"])
        .args([
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args(["--disable-quic", "--force-device-scale-factor=1"])
        .arg(format!("--window-size={},{}", size.0, size.1))
        .arg(format!("--virtual-time-budget={PAGE_TIME_MS}"))
        .arg(with_path("--user-data-dir=", &folder.0.join("profile")))
        .arg(with_path("--screenshot=", &shot))
        .arg(format!("{}#{hash}", address(page)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .map_err(io_error(&browser.0))?;
    if !wait(child).map_err(io_error(&browser.0))? {
        return Err(PictureError::Hung(browser.0.clone()));
    }
    std::fs::read(&shot).map_err(|_| {
        let words = std::fs::read_to_string(&words).unwrap_or_default();
        let last = words.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing");
        PictureError::Failed { browser: browser.0.clone(), last_words: last.trim().to_owned() }
    })
}

/// What stands behind `#`.
fn hash(recording: &Recording, options: &PictureOptions) -> String {
    let half = || match recording.frames.as_slice() {
        [first, .., last] => 0.5 * (first.time + last.time),
        _ => 0.0,
    };
    let mut out = format!("t={}&theme={}", options.at.unwrap_or_else(half), options.theme.name());
    if !options.panels {
        out.push_str("&clean");
    }
    if !options.look.is_empty() {
        out.push('&');
        out.push_str(&options.look.replace(' ', "%20"));
    }
    out
}

fn with_path(flag: &str, path: &Path) -> OsString {
    let mut out = OsString::from(flag);
    out.push(path);
    out
}

fn address(page: &Path) -> String {
    let path =
        page.to_string_lossy().replace('\\', "/").replace('%', "%25").replace(' ', "%20").replace('#', "%23");
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

/// Whether it ended by itself.
fn wait(mut child: Child) -> io::Result<bool> {
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(true)
}

/// A folder for the page and the browser's profile, removed when done.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, PictureError> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("gudgeon-view-{}-{number}", std::process::id()));
        // one left by a run that was killed, under a number that came round again
        let _old: io::Result<()> = std::fs::remove_dir_all(&path);
        match std::fs::create_dir_all(&path) {
            Ok(()) => Ok(Self(path)),
            Err(error) => Err(PictureError::Io { path, error }),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // a browser's helpers may write for a moment longer
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_is_not_there_is_said_so() {
        let error = Browser::find_in(None, Some("/nowhere".into()));
        // on a Mac or Windows one may stand in its usual place
        if let Err(error) = error {
            assert!(error.to_string().contains("GUDGEON_BROWSER"), "{error}");
        }
        let error = Browser::find_in(Some("/nowhere/chrome".into()), None).unwrap_err();
        assert!(error.to_string().contains("/nowhere/chrome"), "{error}");
    }

    #[test]
    fn an_address_survives_odd_folders() {
        assert_eq!(address(Path::new("/a b/50%#1.html")), "file:///a%20b/50%25%231.html");
    }
}

//! `gudgeon view`: what it writes, and what it says when it cannot.

use std::path::PathBuf;
use std::process::Command;

use gudgeon_sim::{BodyFrame, Frame, Recording};
use serde_json::json;

use crate::support::{gudgeon, into_a_closed_pipe, stderr, stdout};

/// A folder of its own for each test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gudgeon-cli-view-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A ball that falls for a second, 1000 frames.
    fn recording(&self, name: &str) -> String {
        let frames = (0..1000_u32).map(|k| {
            let t = f64::from(k) * 1e-3;
            let ball = BodyFrame {
                position: [0.0, 0.0, 5.0 - 4.905 * t * t],
                orientation: [1.0, 0.0, 0.0, 0.0],
                ..BodyFrame::default()
            };
            Frame { time: t, bodies: vec![ball], ..Frame::default() }
        });
        let header = json!({"scene": "fall", "dt": 1e-3, "bodies": [{"name": "world", "shapes": []}, {"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]});
        let mut bytes = Vec::new();
        Recording { header, frames: frames.collect() }.write(&mut bytes).unwrap();
        std::fs::write(self.file(name), bytes).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn a_page_is_written_beside_the_recording() {
    let folder = Folder::new("beside");
    let output = gudgeon(&["view", &folder.recording("run.gud")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("run.html"));
    let page = std::fs::read_to_string(folder.file("run.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>fall</title>"));
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 2, "the recording and the page, nothing half-written");
}

#[test]
fn a_recording_cut_short_is_shown_as_far_as_it_goes() {
    let folder = Folder::new("cut");
    let file = folder.recording("run.gud");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let output = gudgeon(&["view", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_log_alone_writes_no_page() {
    let folder = Folder::new("log");
    let output = gudgeon(&["view", &folder.recording("run.gud"), "--mcap", &folder.file("run.mcap")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(std::fs::read(folder.file("run.mcap")).unwrap().starts_with(b"\x89MCAP0\r\n"));
    assert!(!folder.0.join("run.html").exists());
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let folder = Folder::new("pipe");
    let recording = folder.recording("run.gud");
    assert_eq!(into_a_closed_pipe(&["view", &recording, "-o", "-"]), (Some(0), String::new()));
}

#[test]
fn bad_input_is_named_in_one_line() {
    let folder = Folder::new("bad");
    std::fs::write(folder.file("other.gud"), b"PK\x03\x04").unwrap();
    let header_only = &std::fs::read(folder.recording("run.gud")).unwrap()[..200];
    std::fs::write(folder.file("headless.gud"), header_only).unwrap();
    for (name, says) in
        [("other.gud", "not a recording"), ("headless.gud", ""), ("absent.gud", "No such file")]
    {
        let output = gudgeon(&["view", &folder.file(name)]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let line = stderr(&output);
        assert!(line.contains(name) && line.contains(says) && line.lines().count() == 1, "{line}");
    }
    let output = gudgeon(&["view", &folder.file("run.gud"), "-o", &folder.file("no/such/folder.html")]);
    assert_eq!(output.status.code(), Some(2));
    for wrong in [&["--at", "1"][..], &["--png", "x.png", "--size", "0x0"], &["--fps", "-1"]] {
        let args: Vec<&str> = ["view", "run.gud"].iter().chain(wrong).copied().collect();
        assert_eq!(gudgeon(&args).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_missing_browser_is_said_so() {
    let folder = Folder::new("browser");
    let output = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .args(["view", &folder.recording("run.gud"), "--png", &folder.file("run.png")])
        .env("GUDGEON_BROWSER", "/no/such/browser")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/no/such/browser"), "{}", stderr(&output));
}

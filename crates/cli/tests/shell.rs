//! What a shell sees: help with examples and exit codes, completions, closed pipes, Ctrl-C.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use gudgeon_sim::Recording;

use crate::support::{gudgeon, into_a_closed_pipe, stderr, stdout};

const COMMANDS: [&str; 8] = ["solve", "sim", "live", "reproduce", "view", "bench", "check", "completions"];

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shell-{name}"));
    // left from a run before
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn every_help_has_examples() {
    let all = gudgeon(&["--help"]);
    assert_eq!(all.status.code(), Some(0));
    for part in ["Examples:", "gudgeon sim wall --html wall.html", "Exit code:"] {
        assert!(stdout(&all).contains(part), "{part}: {}", stdout(&all));
    }
    for command in COMMANDS {
        assert!(stdout(&all).contains(command), "{command} is not listed");
        let help = gudgeon(&[command, "--help"]);
        assert_eq!(help.status.code(), Some(0), "{command}");
        assert!(stdout(&help).contains("Examples:\n  gudgeon "), "{command}: {}", stdout(&help));
    }
}

#[test]
fn the_exit_code_of_words_that_mean_nothing_is_two() {
    for words in
        [&["frobnicate"][..], &["sim"], &["sim", "no-such-scene"], &["completions", "tcl"], &["view"], &[]]
    {
        let output = gudgeon(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(!stderr(&output).is_empty(), "{words:?}");
    }
}

#[test]
fn the_exit_code_of_a_run_tells_whether_a_fallback_was_needed() {
    let run = |words: &[&str]| gudgeon(words).status.code();
    assert_eq!(run(&["sim", "squat", "--duration", "0.01"]), Some(0));
    let lemke = ["sim", "squat", "--duration", "0.01", "--method", "lemke", "--facets", "8"];
    assert_eq!(run(&lemke), Some(1), "Lemke's method fails on redundant feet");
}

/// A rod that turns by most of a radian in a step turns into the ground though every solve is exact: told, and in the exit code.
#[test]
fn the_exit_code_of_a_run_tells_whether_overlap_grew() {
    let scene = file("rod.toml");
    let text = r#"
        duration = 3.0
        friction = 0.5
        [[static]]
        name = "ground"
        shape = { plane = {} }
        [[body]]
        name = "rod"
        shape = { box = [0.3, 0.03, 0.03] }
        mass = 1.0
        position = [0.0, 0.0, 0.5]
        angular_velocity = [0.0, 9.0, 0.0]
    "#;
    std::fs::write(&scene, text).unwrap();
    for (dt, code) in [("0.1", 1), ("0.001", 0)] {
        let output = gudgeon(&["sim", scene.to_str().unwrap(), "--dt", dt, "--json"]);
        let summary: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
        let deepened = summary["recoveries"]["deepened"].as_u64().unwrap();
        assert_eq!(summary["solves"]["solved"], summary["solves"]["total"], "every solve is exact");
        assert_eq!((output.status.code(), deepened > 0), (Some(code), code == 1), "at {dt} s");
    }
}

#[test]
fn shells_get_completions_that_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = gudgeon(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}: {}", stderr(&output));
        for word in COMMANDS.iter().chain(&["facets", "dump-failures"]) {
            assert!(stdout(&output).contains(word), "{shell} does not know {word}");
        }
    }
    // a shell that is there reads its own
    let script = file("completions.bash");
    std::fs::write(&script, stdout(&gudgeon(&["completions", "bash"]))).unwrap();
    if let Ok(read) = Command::new("bash").arg("-n").arg(&script).output() {
        assert!(read.status.success(), "{}", stderr(&read));
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let example = crate::support::example("lcp-four-legs.json");
    let commands = [
        &["sim", "--list"][..],
        &["sim", "wall", "--duration", "0.01"],
        &["sim", "wall", "--duration", "0.01", "--json"],
        &["reproduce", "--list"],
        &["completions", "bash"],
        &["solve", "--json", &example],
        &["--help"],
        &["sim", "--help"],
    ];
    for words in commands {
        let (code, told) = into_a_closed_pipe(words);
        assert!(code.is_some_and(|c| c <= 3), "{words:?}: {code:?}");
        assert!(!told.contains("panicked"), "{words:?}: {told}");
    }
}

#[cfg(unix)]
fn signalled(name: &str, signal: &str, more: &[&str]) -> (Child, PathBuf) {
    let recording = file(&format!("{name}.gud"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .args(["sim", "squat", "--duration", "1e6", "--record"])
        .arg(&recording)
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // some frames first, that there be something to lose
    while std::fs::metadata(&recording).map_or(0, |m| m.len()) < 200_000 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself, and little is recorded");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
    assert!(sent.success());
    (child, recording)
}

#[cfg(unix)]
fn frames(recording: &Path) -> usize {
    Recording::read(&mut std::fs::File::open(recording).unwrap()).unwrap().frames.len()
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_everything_written() {
    let page = file("stopped.html");
    let (child, recording) = signalled("stopped", "-INT", &["--html", page.to_str().unwrap()]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("stopped at "), "{}", stderr(&output));
    let steps: usize = stdout(&output)
        .lines()
        .next()
        .and_then(|line| line.split_whitespace().nth(1))
        .and_then(|n| n.parse().ok())
        .unwrap();
    assert_eq!(frames(&recording), steps + 1, "every step, and the start");
    assert!(std::fs::read_to_string(&page).unwrap().ends_with("</html>\n"));
}

/// A step that Ctrl-C cut short is no part of what was written: the run goes on to the same bits. Steps of boxes that are thrown
/// together take milliseconds each, most of them in solves.
#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_bits() {
    let words = ["sim", "pile", "--set", "bodies=40", "--set", "kind=1", "--duration", "0.5", "--json"];
    let hash = |output: &std::process::Output| {
        let summary: serde_json::Value = serde_json::from_str(stdout(output)).unwrap();
        summary["state_hash"].as_str().unwrap().to_owned()
    };
    let whole = gudgeon(&words);
    for try_number in 0..4_u64 {
        let checkpoint = file(&format!("stopped-{try_number}.ck"));
        let mut all = words.to_vec();
        all.extend(["--checkpoint", checkpoint.to_str().unwrap(), "--checkpoint-every", "10"]);
        let child = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
            .args(&all)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(150 + 100 * try_number));
        Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.code() == Some(130) && checkpoint.exists() {
            all.push("--resume");
            assert_eq!(hash(&gudgeon(&all)), hash(&whole), "stopped: {}", stderr(&output));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_leaves_a_recording_that_can_be_read() {
    let (mut child, recording) = signalled("killed", "-KILL", &[]);
    child.wait().unwrap();
    assert!(frames(&recording) > 10);
    let page = file("killed.html");
    let output = gudgeon(&["view", recording.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

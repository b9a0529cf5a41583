//! What is written is whole: checkpoints, the files they speak of, recordings, the standard output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use gudgeon_testkit::rng::Rng;

use crate::support::{gudgeon, stderr, stdout};

/// A new folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("whole-{name}"));
    // left from a run before
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A run of the stack to `seconds` in `folder`, with the checkpoint a.ck and `more`.
fn stack(folder: &Path, seconds: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .current_dir(folder)
        .args(["sim", "stack", "--duration", seconds, "--checkpoint", "a.ck", "--json"])
        .args(more)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn hash(output: &Output) -> String {
    let summary: serde_json::Value = serde_json::from_str(stdout(output)).unwrap();
    summary["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn a_run_goes_on_with_files_that_it_had_and_files_that_it_had_not() {
    let (one, two) = (folder("one"), folder("two"));
    let files = ["--record", "r.gud", "--contacts", "c.csv"];
    let all = ["--record", "r.gud", "--contacts", "c.csv", "--trace", "t.csv", "--resume"];
    let whole = stack(&one, "0.06", &all);
    assert_eq!(stack(&two, "0.03", &files).status.code(), Some(0));
    let rest = stack(&two, "0.06", &all);
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert_eq!(hash(&whole), hash(&rest));
    for file in ["r.gud", "c.csv"] {
        assert_eq!(std::fs::read(one.join(file)).unwrap(), std::fs::read(two.join(file)).unwrap(), "{file}");
    }
    // the trace begins where it was asked for, with its head
    let (head, trace) = (std::fs::read_to_string(one.join("t.csv")).unwrap(), two.join("t.csv"));
    let trace = std::fs::read_to_string(trace).unwrap();
    assert_eq!(trace.lines().next(), head.lines().next());
    assert!(head.ends_with(trace.split_once('\n').unwrap().1), "the same lines as of one run");
}

#[test]
fn a_checkpoint_of_another_run_is_refused_by_name() {
    let at = folder("other");
    assert_eq!(stack(&at, "0.02", &[]).status.code(), Some(0));
    let same_size = ["--set", "ratio=50", "--resume"];
    for (more, named) in [
        (&["--dt", "0.002", "--resume"][..], "step length"),
        (&same_size, "links and joints"),
        (&["--integrator", "rk4", "--resume"], "settings"),
        (&["--set", "boxes=3", "--resume"], "coordinates"),
    ] {
        let output = stack(&at, "0.04", more);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(named), "{more:?}: {}", stderr(&output));
    }
    assert_eq!(stack(&at, "0.04", &["--threads", "2", "--resume"]).status.code(), Some(0));
}

#[test]
fn files_that_are_short_or_changed_since_the_checkpoint_are_told_and_left_alone() {
    let at = folder("short");
    let more = ["--record", "r.gud"];
    assert_eq!(stack(&at, "0.02", &more).status.code(), Some(0));
    let file = at.join("r.gud");
    let whole = std::fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 16;
    for (bytes, told) in
        [(&whole[..whole.len() - 30], "bytes long"), (&flipped, "not what the run had written")]
    {
        std::fs::write(&file, bytes).unwrap();
        let output = stack(&at, "0.04", &["--record", "r.gud", "--resume"]);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "it is left as it was");
    }
    // what came after the checkpoint is written again
    std::fs::write(&file, [&whole, &b"torn"[..]].concat()).unwrap();
    assert_eq!(stack(&at, "0.04", &["--record", "r.gud", "--resume"]).status.code(), Some(0));
    let view = gudgeon(&["view", file.to_str().unwrap()]);
    assert_eq!((view.status.code(), stderr(&view)), (Some(0), ""));
}

#[test]
fn flipped_bits_and_cuts_of_checkpoints_are_told() {
    let at = folder("flips");
    assert_eq!(stack(&at, "0.02", &[]).status.code(), Some(0));
    let whole = std::fs::read(at.join("a.ck")).unwrap();
    let mut rng = Rng::new(14);
    for k in 0..24 {
        let mut bytes = whole.clone();
        if k % 4 == 0 {
            bytes.truncate(rng.below(whole.len()));
        } else {
            // the head by turns, where lengths are
            let place = rng.below(if k % 2 == 0 { 80 } else { whole.len() });
            bytes[place] ^= 1 << rng.below(8);
        }
        std::fs::write(at.join("a.ck"), &bytes).unwrap();
        let output = stack(&at, "0.04", &["--resume"]);
        assert_eq!(output.status.code(), Some(2), "{k}: {}", stdout(&output));
        assert!(stderr(&output).contains("a.ck"), "{k}: {}", stderr(&output));
    }
}

#[test]
fn a_torn_recording_is_shown_and_the_tear_is_told() {
    let at = folder("torn");
    assert_eq!(stack(&at, "0.02", &["--record", "r.gud"]).status.code(), Some(0));
    let file = at.join("r.gud");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    let view = gudgeon(&["view", file.to_str().unwrap()]);
    assert_eq!(view.status.code(), Some(0));
    assert!(stderr(&view).contains("left out"), "{}", stderr(&view));
    let mut flipped = whole.clone();
    flipped[whole.len() / 3] ^= 1;
    std::fs::write(&file, flipped).unwrap();
    let view = gudgeon(&["view", file.to_str().unwrap()]);
    assert_eq!(view.status.code(), Some(2));
    assert!(stderr(&view).contains("damaged"), "{}", stderr(&view));
}

/// Runs with a checkpoint every 2 ms, each killed at a moment of its own and gone on with until it ends: the state and the recording of a
/// run that nobody touched.
#[cfg(unix)]
#[expect(clippy::print_stdout, reason = "its figure is read")]
fn killed(times: u64) {
    let at = folder(&format!("killed-{times}"));
    let run = |files: [&str; 2], more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gudgeon"));
        command.current_dir(&at).args(["sim", "pile", "--set", "bodies=6", "--set", "kind=1", "--json"]);
        command.args(["--duration", "0.4", "--checkpoint", files[0], "--record", files[1]]);
        command.args(["--checkpoint-every", "0.002"]).args(more).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let began = std::time::Instant::now();
    let whole = run(["whole.ck", "whole.gud"], &[]).output().unwrap();
    let (took, mut rng, mut cut) = (began.elapsed().as_secs_f64(), Rng::new(9), 0);
    for _ in 0..times {
        let _ = std::fs::remove_file(at.join("a.ck"));
        let mut child = run(["a.ck", "a.gud"], &[]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs_f64(rng.uniform(0.0, 1.0) * took));
        child.kill().unwrap(); // SIGKILL
        cut += u32::from(!child.wait().unwrap().success());
        let more: &[&str] = if at.join("a.ck").exists() { &["--resume"] } else { &[] };
        let ended = run(["a.ck", "a.gud"], more).output().unwrap();
        assert_eq!(ended.status.code(), whole.status.code(), "{}", stderr(&ended));
        assert_eq!(hash(&ended), hash(&whole));
        let [a, b] = ["a.gud", "whole.gud"].map(|f| std::fs::read(at.join(f)).unwrap());
        let frames = |bytes: &[u8]| {
            let (recording, notes) = gudgeon_sim::Recording::read_noted(&mut &*bytes).unwrap();
            assert!(notes.is_empty(), "{notes:?}");
            recording.frames.iter().map(|f| (f.time.to_bits(), f.hash)).collect::<Vec<_>>()
        };
        assert_eq!(frames(&a), frames(&b));
    }
    println!("{cut} of {times} runs were killed on their way; nothing was lost");
    assert!(cut > 0);
}

#[cfg(unix)]
#[test]
fn what_is_killed_goes_on_as_if_nothing_had_been() {
    killed(5);
}

/// `cargo test -p gudgeon-cli -- --ignored --nocapture a_hundred`
#[cfg(unix)]
#[test]
#[ignore = "a minute"]
fn a_hundred_runs_are_killed_and_nothing_is_lost() {
    killed(100);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_on_the_standard_output_is_an_error() {
    let example = crate::support::example("lcp-four-legs.json");
    let commands = [
        &["solve", "--json", &example][..],
        &["sim", "stack", "--duration", "0.01", "--json"],
        &["sim", "--list"],
        &["sim", "--help"],
    ];
    for words in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gudgeon"));
        let output =
            command.args(words).stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(stderr(&output).contains("standard output"), "{words:?}: {}", stderr(&output));
    }
}

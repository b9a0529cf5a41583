//! Running the binary, finding files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use gudgeon_cli::problem_file::{self, Problem};
use serde_json::Value;

/// A file of the tests' own data.
pub(crate) fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A file of the example problems.
pub(crate) fn example(name: &str) -> String {
    format!("{}/../../problems/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// All files of a folder with one of these extensions, sorted.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let wanted = |path: &PathBuf| path.extension().is_some_and(|e| extensions.iter().any(|w| e == *w));
    let mut files: Vec<PathBuf> = entries.filter(wanted).collect();
    files.sort();
    files
}

/// Runs the binary.
pub(crate) fn gudgeon(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gudgeon")).args(args).stdin(Stdio::null()).output().unwrap()
}

/// The command with nobody reading its output.
pub(crate) fn into_a_closed_pipe(words: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output).to_owned())
}

/// Runs the binary with something on its standard input.
pub(crate) fn gudgeon_with_input(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The lines of JSON on the standard output.
pub(crate) fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The one problem of a file.
pub(crate) fn problem(file: &str) -> Problem {
    let mut all = problem_file::read(file);
    assert_eq!(all.len(), 1, "{file}");
    all.remove(0).unwrap().problem
}

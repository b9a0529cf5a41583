//! Writes the tests' recordings into a folder: `cargo run -p gudgeon-replay --example synthetic -- DIR`.
//!
//! The browser's tests play these; they need no simulator.
#![expect(clippy::unwrap_used, reason = "a tool of the tests may fail on the spot")]

#[path = "../tests/synthetic.rs"]
mod synthetic;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    std::fs::create_dir_all(&folder).unwrap();
    for recording in synthetic::all() {
        let name = recording.header["scene"].as_str().unwrap().replace(' ', "-");
        let mut file = BufWriter::new(File::create(folder.join(format!("{name}.gud"))).unwrap());
        recording.write(&mut file).unwrap();
        file.flush().unwrap();
        let page = gudgeon_replay::html(&recording, &gudgeon_replay::HtmlOptions::default());
        std::fs::write(folder.join(format!("{name}.html")), page).unwrap();
    }
}

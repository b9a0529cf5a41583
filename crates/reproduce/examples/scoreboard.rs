//! Writes the page and the pictures of the scoreboard from `docs/scoreboard.json`: `cargo run --release -p gudgeon-reproduce --example scoreboard`.

use std::fs;

use gudgeon_reproduce::Scoreboard;

fn main() -> Result<(), String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = fs::read_to_string(format!("{root}/docs/scoreboard.json")).map_err(|e| e.to_string())?;
    let board = Scoreboard::new(&text)?;
    let write = |name: &str, text: &str| fs::write(format!("{root}/{name}"), text).map_err(|e| e.to_string());
    write("book/src/peers.md", &board.page())?;
    write("book/src/figures/scoreboard.svg", &board.picture())?;
    write("docs/pictures/scoreboard.svg", &board.picture())
}

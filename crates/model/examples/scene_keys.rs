//! Prints the page of all keys of a scene file: docs/scene-file.md; with --schema docs/scene.schema.json.

#![expect(clippy::print_stdout, reason = "its purpose")]

fn main() {
    let schema = std::env::args().any(|a| a == "--schema");
    print!("{}", if schema { gudgeon_model::scene_schema() } else { gudgeon_model::scene_keys() });
}

//! Prints the page of all keys of a scene file: docs/scene-file.md.

#![expect(clippy::print_stdout, reason = "its purpose")]

fn main() {
    print!("{}", gudgeon_model::scene_keys());
}

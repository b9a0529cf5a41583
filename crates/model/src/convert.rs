//! From a model to a scene file that holds it: what a user edits next.

use std::fmt::Write;
use std::path::Path;

use crate::options::{Base, FixedJoints, LoadOptions};

/// A scene with the model on flat ground. The scene names the model's file relative to `scene` where that is possible.
pub fn scene_text(model: &Path, scene: &Path, options: &LoadOptions) -> String {
    let directory = scene.parent().unwrap_or(Path::new(""));
    let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
    let from = absolute(directory);
    let file = absolute(model);
    let file = file.strip_prefix(&from).map_or(file.clone(), Path::to_owned);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("gravity = [0.0, 0.0, -9.81]\ndt = 0.001\nduration = 5.0\n\n");
    text.push_str("[[static]]\nname = \"ground\"\nshape = { plane = {} }\n\n[[model]]\n");
    let _ = writeln!(text, "file = {}", quoted(&file.to_string_lossy()));
    text.push_str("position = [0.0, 0.0, 0.0]\n");
    match options.base {
        Base::Auto => {}
        Base::Free => text.push_str("base = \"free\"\n"),
        Base::Fixed => text.push_str("base = \"fixed\"\n"),
    }
    if options.fixed == FixedJoints::Merge {
        text.push_str("fixed_joints = \"merge\"\n");
    }
    if options.hulls {
        text.push_str("hulls = true\n");
    }
    if !options.search.is_empty() {
        let list: Vec<String> =
            options.search.iter().map(|s| quoted(&absolute(s).to_string_lossy())).collect();
        let _ = writeln!(text, "search = [{}]", list.join(", "));
    }
    if let Some(name) = &options.keyframe {
        let _ = writeln!(text, "keyframe = {}", quoted(name));
    }
    text
}

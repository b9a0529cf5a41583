//! From a model to a scene file that holds it: what a user edits next.

use std::fmt::Write;
use std::path::Path;

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Combine, Scene};

use crate::ground;
use crate::options::{Base, FixedJoints, LoadOptions};
use crate::report::ImportReport;

/// A scene file with the model, on flat ground unless it brings its own; `loaded` is what the options made of it.
///
/// The scene names the model's file relative to `scene` where that is possible, and lists the joints that can be set.
pub fn scene_text(
    model: &Path,
    scene: &Path,
    options: &LoadOptions,
    loaded: &Scene,
    report: &ImportReport,
) -> String {
    let directory = scene.parent().unwrap_or(Path::new(""));
    let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
    let from = absolute(directory);
    let file = absolute(model);
    let inside = file.strip_prefix(&from).is_ok();
    let file = file.strip_prefix(&from).map_or(file.clone(), Path::to_owned);
    let g = loaded.model.gravity();
    let mut text = format!(
        "gravity = [{:?}, {:?}, {:?}]\ndt = {:?}\nduration = {:?}\n",
        g.x, g.y, g.z, loaded.settings.dt, loaded.duration
    );
    if loaded.combine == Combine::Max {
        text.push_str("combine = \"max\"\n");
    }
    let own_ground = loaded.colliders.iter().any(|c| c.link == LinkId::WORLD);
    if !own_ground {
        text.push_str("\n[[static]]\nname = \"ground\"\nshape = { plane = {} }\n");
    }
    // up to the next micrometre: on the ground, not in it
    let height = if own_ground { None } else { ground::lift(loaded) };
    let height = height.map_or(0.0, |h| (h * 1e6).ceil() / 1e6);
    let _ = write!(text, "\n[[model]]\nfile = {}\n", quoted(&file.to_string_lossy()));
    let _ = writeln!(text, "position = [0.0, 0.0, {height:?}]");
    match options.base {
        Base::Auto => {}
        Base::Free => text.push_str("base = \"free\"\n"),
        Base::Fixed => text.push_str("base = \"fixed\"\n"),
    }
    if options.fixed == FixedJoints::Merge {
        text.push_str("fixed_joints = \"merge\"\n");
    }
    if !options.hulls {
        text.push_str("hulls = false\n");
    }
    if !options.exact.is_empty() {
        let names: Vec<String> = options.exact.iter().map(|n| quoted(n)).collect();
        let _ = writeln!(text, "exact = [{}]", names.join(", "));
    }
    if !options.meshes {
        text.push_str("meshes = false\n");
    }
    let mut search: Vec<String> =
        options.search.iter().map(|s| quoted(&absolute(s).to_string_lossy())).collect();
    if !inside && let Some(own) = absolute(model).parent() {
        // a scene elsewhere has to allow the model's own directory
        search.push(quoted(&own.to_string_lossy()));
    }
    if !search.is_empty() {
        let _ = writeln!(text, "search = [{}]", search.join(", "));
    }
    if let Some(name) = &options.keyframe {
        let _ = writeln!(text, "keyframe = {}", quoted(name));
    }
    joints(&mut text, options, loaded, report);
    text
}

/// Strings of JSON are strings of TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `[model.joints]`: those that were asked for, and as comments the others with one coordinate.
fn joints(text: &mut String, options: &LoadOptions, loaded: &Scene, report: &ImportReport) {
    let mut lines = String::new();
    for (name, values) in &options.joints {
        let value = if let [x] = values[..] { format!("{x:?}") } else { format!("{values:?}") };
        let _ = writeln!(lines, "{} = {value}", quoted(name));
    }
    for joint in &report.joints {
        let asked = options.joints.iter().any(|(name, _)| *name == joint.name || *name == joint.link);
        let Some(id) = loaded.model.find(&joint.link).filter(|_| !asked) else { continue };
        let link = loaded.model.link(id);
        if link.joint.n_v() != 1 || !link.joint.is_vector() {
            continue;
        }
        let (q, dof) = (loaded.initial.q[link.q_start], &loaded.model.dofs()[link.v_start]);
        let name = quoted(&joint.name);
        let _ = write!(lines, "# {name} = {:?}", q + joint.reference);
        if dof.lower.is_finite() && dof.upper.is_finite() {
            let (lower, upper) = (dof.lower + joint.reference, dof.upper + joint.reference);
            let _ = write!(lines, "  # {lower:?} to {upper:?}");
        }
        lines.push('\n');
    }
    if !lines.is_empty() {
        let _ = write!(text, "\n[model.joints]\n{lines}");
    }
}

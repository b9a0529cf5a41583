//! A model file on its own: read, made sound, put into a scene, looked over.

use std::collections::BTreeSet;
use std::path::Path;

use gudgeon_multibody::{Joint, LinkId, LinkSpec, ModelBuilder, ModelError};
use gudgeon_sim::{Scene, SceneBuilder};
use gudgeon_spatial::Pose;

use crate::assembly::Assembly;
use crate::error::{ModelFileError, Place};
use crate::options::{FixedJoints, LoadOptions};
use crate::report::{Finding, ImportReport, Severity};
use crate::xml::Xml;
use crate::{doctor, mjcf, start, urdf};

/// Which format a file is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Urdf,
    Mjcf,
}

/// Reads a URDF or MJCF into an assembly that makes a scene; `asking` is the place that asks for it.
pub(crate) fn read(
    path: &Path,
    text: Option<&str>,
    options: &LoadOptions,
    asking: &Place,
) -> Result<(Assembly, ImportReport), ModelFileError> {
    let format = format_of(path, text, options)?;
    let (mut assembly, mut report) = match format {
        Format::Urdf => urdf::load(path, text, options)?,
        Format::Mjcf => mjcf::load(path, text, options)?,
    };
    start::place(&mut assembly, &report.joints, &options.joints, asking)?;
    if format == Format::Mjcf && options.keyframe.is_none() {
        start::within_limits(&mut assembly, &options.joints, &mut report);
    }
    let limit = options.limits.links;
    if assembly.links.len() > limit {
        let at = Place { file: path.to_owned(), line: 0 };
        return Err(ModelFileError::Limit { at, what: "links", count: assembly.links.len(), limit });
    }
    if options.fixed == FixedJoints::Merge {
        assembly.merge_fixed(&BTreeSet::new());
        report.frames.clone_from(&assembly.frames);
    }
    assembly.part_neighbours();
    give_inertia(&mut assembly, &mut report);
    if format == Format::Urdf {
        part_overlapping(&mut assembly, &mut report);
    }
    Ok((assembly, report))
}

/// A URDF cannot say which links may touch, and its shapes overlap where links never meet: such pairs are set apart.
fn part_overlapping(assembly: &mut Assembly, report: &mut ImportReport) {
    let mut builder = SceneBuilder::new("overlaps");
    assembly.add_to(&mut builder, "", &Pose::identity());
    let Ok(scene) = builder.build() else { return };
    for ((a, b), doctor::Overlap { depth, .. }) in doctor::overlaps(&scene) {
        let [a, b] = [a, b].map(|id| scene.model.link(id).name.clone());
        report.findings.push(Finding {
            severity: Severity::Note,
            subject: format!("'{a}' and '{b}'"),
            what: format!("overlap by {depth:.3e} m at the start and are set apart for good"),
            fix: "make the collision shapes smaller if they are to touch".into(),
        });
        assembly.apart.push((a, b));
    }
}

/// By the ending, and where that says only XML by the root element.
fn format_of(path: &Path, text: Option<&str>, options: &LoadOptions) -> Result<Format, ModelFileError> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if ending == "urdf" {
        return Ok(Format::Urdf);
    }
    let xml = match text {
        Some(text) => Xml::of_text(path, text, options)?,
        None => Xml::open(path, options)?,
    };
    match xml.root().tag() {
        "robot" => Ok(Format::Urdf),
        _ => Ok(Format::Mjcf),
    }
}

/// The scene of a model alone.
pub(crate) fn scene(
    path: &Path,
    text: Option<&str>,
    options: &LoadOptions,
) -> Result<(Scene, ImportReport), ModelFileError> {
    let at = Place { file: path.to_owned(), line: 0 };
    if let Some(name) = &options.keyframe
        && format_of(path, text, options)? == Format::Urdf
    {
        let what = "the keyframe to start from, in a URDF,".to_owned();
        return Err(ModelFileError::Reference { at, what, kind: "keyframe", name: name.clone() });
    }
    let (assembly, mut report) = read(path, text, options, &at)?;
    let stem = path.file_stem().map_or_else(|| "model".into(), |s| s.to_string_lossy());
    let mut builder = SceneBuilder::new(if assembly.name.is_empty() { &stem } else { &assembly.name });
    if let Some(gravity) = assembly.gravity {
        builder.gravity(gravity);
    }
    if let Some(dt) = assembly.dt {
        builder.settings().dt = dt;
    }
    builder.combine(assembly.combine);
    assembly.add_to(&mut builder, "", &Pose::identity());
    let mut scene = builder.build().map_err(|reason| ModelFileError::Scene { at, reason })?;
    assembly.equip(&mut scene, "", &Pose::identity());
    part_statics(&mut scene);
    if options.keyframe.is_none() && options.joints.is_empty() {
        start::out_of_overlap(&mut scene, &mut report);
    }
    doctor::examine(&scene, &mut report);
    Ok((scene, report))
}

/// Links that are welded to the world do not touch each other or the world.
pub(crate) fn part_statics(scene: &mut Scene) {
    let mut fixed = vec![true]; // by link
    for link in &scene.model.links()[1..] {
        fixed.push(link.joint == Joint::Fixed && fixed[link.parent.0]);
    }
    let mut list: Vec<LinkId> = scene.colliders.iter().map(|c| c.link).filter(|l| fixed[l.0]).collect();
    list.push(LinkId::WORLD);
    list.sort();
    list.dedup();
    for (k, a) in list.iter().enumerate() {
        scene.apart.extend(list[k + 1..].iter().map(|b| (*a, *b)));
    }
}

/// Armature of a dof that moves nothing, kg m² or kg: far below any link of a robot, far above rounding.
const LEAST_ARMATURE: f64 = 1e-6;

/// Gives dofs that move no inertia a little armature, and says so.
fn give_inertia(assembly: &mut Assembly, report: &mut ImportReport) {
    for _ in 0..=assembly.links.len() * 6 {
        let mut builder = ModelBuilder::new();
        for link in &assembly.links {
            let mut spec = LinkSpec::new(&link.name, &link.parent, link.joint, link.placement, link.inertia);
            for (k, dof) in link.dofs.iter().enumerate() {
                spec = spec.dof(k, |d| *d = *dof);
            }
            builder.link(spec);
        }
        let Err(ModelError::NoInertia { link, dof }) = builder.build() else { return };
        let Some(part) = assembly.links.iter_mut().find(|l| l.name == link) else { return };
        if part.dofs[dof].armature >= LEAST_ARMATURE {
            return;
        }
        part.dofs[dof].armature = LEAST_ARMATURE;
        report.findings.push(Finding {
            severity: Severity::Warning,
            subject: format!("joint of '{link}'"),
            what: format!("dof {dof} moves no inertia; armature {LEAST_ARMATURE} was added"),
            fix: "give the links behind it mass, or the joint armature, or make it fixed".into(),
        });
    }
}

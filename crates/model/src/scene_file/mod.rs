//! Scene files (TOML): bodies, joints, loops, models, pushes and controllers by name.
//!
//! A body is free unless a joint names it as its child; then it hangs on the joint's parent, its frame is the joint's
//! frame, and `position` and `orientation` of the joint place that frame in the parent. Everything wrong is an error
//! with its line, unknown keys too.
//! Before any of this, `document` puts in what the file includes and works out its formulas.

mod bodies;
mod document;
mod formula;
mod joints;
pub(crate) mod json_schema;
pub(crate) mod reference;
mod schema;
mod settings;
pub(crate) mod shape;
mod spelling;
mod ties;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use gudgeon_sim::{Material, Push, Scene, SceneBuilder, SceneError};
use gudgeon_spatial::{Pose, Vector3};
use serde::Deserialize;

use self::document::{Document, Texts};
use self::schema::{PushTable, SceneTable};
use self::shape::Wrong;
use crate::assembly::Assembly;
use crate::doctor;
use crate::error::{ModelFileError, Place};
use crate::model_file::part_statics;
use crate::options::LoadOptions;
use crate::report::{Fate, ImportReport};

/// Reads a scene file.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<(Scene, ImportReport), ModelFileError> {
    let whole = Place { file: path.to_owned(), line: 0 };
    let texts = Texts::default();
    let (document, parsed) = Document::open(path, options, &texts)?;
    let table =
        SceneTable::deserialize(toml::Deserializer::from(parsed)).map_err(|e| ModelFileError::Syntax {
            at: e.span().map_or(whole.clone(), |s| document.place(s.start)),
            reason: spelling::suggest(&e.message().trim().replace('\n', " ")),
        })?;
    let name = path.file_stem().map_or("scene".into(), |s| s.to_string_lossy());
    let mut reader = Reader {
        path,
        document: &document,
        options,
        builder: SceneBuilder::new(table.name.as_deref().unwrap_or(&name)),
        materials: BTreeMap::new(),
        default: Material::default(),
        report: ImportReport::default(),
        colliders: 0,
        models: BTreeSet::new(),
        equipped: Vec::new(),
    };
    reader.settings(&table)?;
    reader.read(&table)?;
    let mut scene = reader.builder.build().map_err(|reason| ModelFileError::Scene { at: whole, reason })?;
    for (assembly, prefix, at) in &reader.equipped {
        assembly.equip(&mut scene, prefix, at);
    }
    part_statics(&mut scene);
    let mut report = reader.report;
    doctor::examine(&scene, &mut report);
    Ok((scene, report))
}

/// Of the file that something stands in.
fn directory(at: &Place) -> PathBuf {
    at.file.parent().map_or_else(PathBuf::new, Path::to_owned)
}

struct Reader<'a> {
    path: &'a Path,
    document: &'a Document<'a>,
    options: &'a LoadOptions,
    builder: SceneBuilder,
    materials: BTreeMap<String, usize>,
    default: Material,
    report: ImportReport,
    colliders: usize,
    models: BTreeSet<String>,
    equipped: Vec<(Assembly, String, Pose)>,
}

impl Reader<'_> {
    fn at(&self, span: &Range<usize>) -> Place {
        self.document.place(span.start)
    }

    fn value(
        &self,
        span: &Range<usize>,
        what: &str,
        value: impl std::fmt::Display,
        expected: &str,
    ) -> ModelFileError {
        ModelFileError::Value {
            at: self.at(span),
            what: what.to_owned(),
            value: value.to_string(),
            expected: expected.to_owned(),
        }
    }

    fn wrong(&self, span: &Range<usize>, (what, value, expected): Wrong) -> ModelFileError {
        ModelFileError::Value { at: self.at(span), what, value, expected }
    }

    fn scene(&self, span: &Range<usize>, reason: SceneError) -> ModelFileError {
        ModelFileError::Scene { at: self.at(span), reason }
    }

    fn read(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        for m in &t.material {
            let (span, m) = (m.span(), m.get_ref());
            let d = self.default;
            let index = self.builder.material(Material {
                friction: m.friction.unwrap_or(d.friction),
                restitution: m.restitution.unwrap_or(d.restitution),
                stiffness: m.stiffness.unwrap_or(d.stiffness),
                damping: m.damping.unwrap_or(d.damping),
                // a surface with a friction of its own has one number unless it says two
                kinetic: m.kinetic_friction.or(d.kinetic.filter(|_| m.friction.is_none())),
                torsion: m.torsional_friction.unwrap_or(d.torsion),
                rolling: m.rolling_friction.unwrap_or(d.rolling),
            });
            if self.materials.insert(m.name.clone(), index).is_some() {
                let at = self.at(&span);
                return Err(ModelFileError::Duplicate { at, kind: "material", name: m.name.clone() });
            }
        }
        let mut names = BTreeSet::from(["world".to_owned()]);
        let children = self.joint_children(t)?;
        for fixed in &t.fixed {
            self.fixed(&fixed.span(), fixed.get_ref())?;
        }
        for (k, body) in t.body.iter().enumerate() {
            let name = body.get_ref().name.clone().unwrap_or_else(|| format!("body{}", k + 1));
            if !names.insert(name.clone()) {
                return Err(ModelFileError::Duplicate { at: self.at(&body.span()), kind: "body", name });
            }
            let joint = children.get(&name).map(|&j| &t.joint[j]);
            self.body(&body.span(), body.get_ref(), &name, joint)?;
        }
        if let Some((child, &j)) = children.iter().find(|(child, _)| !names.contains(*child)) {
            let at = self.at(&t.joint[j].span());
            let what = "child of a joint".to_owned();
            return Err(ModelFileError::Reference { at, what, kind: "body", name: child.clone() });
        }
        for loop_ in &t.loops {
            self.close(&loop_.span(), loop_.get_ref())?;
        }
        for coupling in &t.coupling {
            let c = coupling.get_ref();
            let terms: Vec<(&str, usize, f64)> =
                c.terms.iter().map(|x| (x.joint.as_str(), x.dof.unwrap_or(0), x.coefficient)).collect();
            self.builder.model().couple(&terms, c.offset.unwrap_or(0.0));
        }
        self.tie(t)?;
        for model in &t.model {
            self.model(&model.span(), model.get_ref())?;
        }
        for pair in &t.apart {
            self.builder.apart(&pair.get_ref().a, &pair.get_ref().b);
        }
        for push in &t.push {
            self.push(&push.span(), push.get_ref())?;
        }
        for controller in &t.controller {
            self.controller(&controller.span(), controller.get_ref())?;
        }
        self.keys_used();
        Ok(())
    }

    /// A scene file has no key that is not used: the rest were errors.
    fn keys_used(&mut self) {
        let at = Place { file: self.path.to_owned(), line: 0 };
        for _ in 0..self.document.keys() {
            self.report.add(at.clone(), "key", Fate::Used);
        }
    }

    fn push(&mut self, span: &Range<usize>, t: &PushTable) -> Result<(), ModelFileError> {
        let (force, torque) = (t.force.unwrap_or_default(), t.torque.unwrap_or_default());
        let (from, until) = (t.from.unwrap_or(0.0), t.until.unwrap_or(f64::INFINITY));
        if let Some(bad) =
            force.iter().chain(&torque).chain(t.point.iter().flatten()).find(|x| !x.is_finite())
        {
            return Err(self.value(span, "push", bad, "finite numbers"));
        }
        if from.is_nan() || until.is_nan() {
            return Err(self.value(span, "push", "a time that is no number", "from and until in seconds"));
        }
        let push = Push {
            link: gudgeon_multibody::LinkId::WORLD,
            force: Vector3::from(force),
            torque: Vector3::from(torque),
            point: t.point.map(Vector3::from),
            from,
            until,
        };
        self.builder.push_with(&t.body, push);
        Ok(())
    }
}

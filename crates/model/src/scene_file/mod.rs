//! Scene files (TOML): bodies, joints, loops, models, pushes and controllers by name.
//!
//! A body is free unless a joint names it as its child; then it hangs on the joint's parent, its frame is the joint's
//! frame, and `position` and `orientation` of the joint place that frame in the parent. Everything wrong is an error
//! with its line, unknown keys too.
//! Before any of this, `document` puts in what the file includes and works out its formulas.

mod document;
mod formula;
mod joints;
pub(crate) mod json_schema;
pub(crate) mod reference;
mod schema;
pub(crate) mod shape;
mod spelling;
mod ties;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use gudgeon_collide::MassProperties;
use gudgeon_multibody::LinkSpec;
use gudgeon_sim::{
    BodySpec, Combine, Material, Push, RestitutionLaw, Scene, SceneBuilder, SceneError, inertia_of,
};
use gudgeon_spatial::{Inertia, Pose, Quaternion, Symmetric3, Vector3};

use serde::Deserialize;

use self::document::{Document, Texts};
use self::schema::{BodyTable, FacetsValue, PushTable, SceneTable, ShapeTable, StaticTable};
use self::shape::Wrong;
use crate::assembly::Assembly;
use crate::error::{ModelFileError, Place};
use crate::model_file::part_statics;
use crate::options::LoadOptions;
use crate::place::isometry;
use crate::report::{Fate, ImportReport};
use crate::{doctor, files};

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

    fn settings(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        if let Some(g) = t.gravity {
            self.builder.gravity(Vector3::from(g));
        }
        if let Some(seconds) = t.duration {
            if !(seconds >= 0.0 && seconds.is_finite()) {
                return Err(self.value(&(0..0), "duration", seconds, "a time in seconds"));
            }
            self.builder.duration(seconds);
        }
        let m = &mut self.default;
        m.friction = t.friction.unwrap_or(m.friction);
        m.restitution = t.restitution.unwrap_or(m.restitution);
        m.stiffness = t.stiffness.unwrap_or(m.stiffness);
        m.damping = t.damping.unwrap_or(m.damping);
        m.kinetic = t.kinetic_friction;
        m.torsion = t.torsional_friction.unwrap_or(m.torsion);
        m.rolling = t.rolling_friction.unwrap_or(m.rolling);
        self.builder.default_material(self.default);
        if let Some(name) = &t.combine {
            let combine = match name.as_ref().as_str() {
                "geometric-mean" => Combine::GeometricMean,
                "mean" => Combine::Mean,
                "min" => Combine::Min,
                "max" => Combine::Max,
                "product" => Combine::Product,
                other => {
                    let expected = "geometric-mean, mean, min, max or product";
                    return Err(self.value(&name.span(), "combine", other, expected));
                }
            };
            self.builder.combine(combine);
        }
        self.numerics(t)
    }

    fn numerics(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        let mut s = self.builder.settings().clone();
        s.dt = t.dt.unwrap_or(s.dt);
        if let Some(name) = &t.method {
            s.method =
                name.as_ref().parse().map_err(|e: <gudgeon_lcp::Method as std::str::FromStr>::Err| {
                    self.value(&name.span(), "method", name.as_ref(), &e.to_string())
                })?;
        }
        if let Some(facets) = &t.facets {
            let name = match facets.as_ref() {
                FacetsValue::Name(name) => name.clone(),
                FacetsValue::Sides(n) => n.to_string(),
            };
            let known = "an even number >= 4, \"exact\", \"box\" or \"last-box\"";
            s.facets = name.parse().map_err(|_| self.value(&facets.span(), "facets", &name, known))?;
        }
        if let Some(name) = &t.law {
            s.law = (name.as_ref().parse())
                .map_err(|_| self.value(&name.span(), "law", name.as_ref(), "exact or convex"))?;
        }
        if let Some(name) = &t.integrator {
            s.integrator = name.as_ref().parse().map_err(|_| {
                self.value(&name.span(), "integrator", name.as_ref(), "euler, rk4 or carried")
            })?;
        }
        if let Some(name) = &t.restitution_law {
            s.restitution = match name.as_ref().as_str() {
                "newton" => RestitutionLaw::Newton,
                "poisson" => RestitutionLaw::Poisson,
                other => return Err(self.value(&name.span(), "restitution_law", other, "newton or poisson")),
            };
        }
        let mut margin = 0.0;
        for (key, given, target) in [
            ("lexicographic_delta", t.lexicographic_delta, &mut s.lexicographic_delta),
            ("margin", t.margin, &mut margin),
            ("bounce_threshold", t.bounce_threshold, &mut s.bounce_threshold),
            ("overlap_tolerance", t.overlap_tolerance, &mut s.overlap_tolerance),
            ("recovery_speed", t.recovery_speed, &mut s.recovery_speed),
        ] {
            let Some(x) = given else { continue };
            if !(x >= 0.0 && x.is_finite()) {
                return Err(self.value(&(0..0), key, x, "a finite number, not negative"));
            }
            *target = x;
        }
        s.margin = t.margin.map(|_| margin).or(s.margin);
        s.energy_guard = t.energy_guard.unwrap_or(s.energy_guard);
        s.canonical_forces = t.canonical_forces.unwrap_or(s.canonical_forces);
        s.warm_start = t.warm_start.unwrap_or(s.warm_start);
        s.budget = t.budget.or(s.budget);
        s.threads = t.threads.unwrap_or(s.threads);
        if let (Some(conflict), Some(law)) = (s.conflict(), &t.law) {
            return Err(self.value(&law.span(), "law", law.as_ref(), conflict));
        }
        *self.builder.settings() = s;
        Ok(())
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

    /// Index of the material of a surface that may name one, or change two numbers of it.
    fn surface(
        &mut self,
        span: &Range<usize>,
        name: Option<&String>,
        friction: Option<f64>,
        restitution: Option<f64>,
    ) -> Result<usize, ModelFileError> {
        let index = match name {
            None => 0,
            Some(name) => *self.materials.get(name).ok_or_else(|| ModelFileError::Reference {
                at: self.at(span),
                what: "a surface".to_owned(),
                kind: "material",
                name: name.clone(),
            })?,
        };
        if friction.is_none() && restitution.is_none() {
            return Ok(index);
        }
        let mut material = self.builder.materials()[index];
        material.kinetic = material.kinetic.filter(|_| friction.is_none());
        material.friction = friction.unwrap_or(material.friction);
        material.restitution = restitution.unwrap_or(material.restitution);
        Ok(self.builder.material(material))
    }

    fn color(
        &self,
        span: &Range<usize>,
        color: Option<&Vec<f32>>,
    ) -> Result<Option<[f32; 4]>, ModelFileError> {
        match color.map(Vec::as_slice) {
            None => Ok(None),
            Some(&[r, g, b]) => Ok(Some([r, g, b, 1.0])),
            Some(&[r, g, b, a]) => Ok(Some([r, g, b, a])),
            Some(other) => Err(self.value(
                span,
                "color",
                format!("{} numbers", other.len()),
                "red, green, blue, opacity",
            )),
        }
    }

    fn shapes(
        &self,
        span: &Range<usize>,
        table: &ShapeTable,
    ) -> Result<Vec<(gudgeon_collide::Shape, nalgebra::Isometry3<f64>)>, ModelFileError> {
        let at = self.at(span);
        let directory = directory(&at);
        // an escape or a missing file keeps its own error
        let failed = std::cell::RefCell::new(None);
        let find = |name: &str| {
            files::resolve(name, &directory, &at, self.options).map_err(|e| {
                let text = e.to_string();
                *failed.borrow_mut() = Some(e);
                ("file".to_owned(), name.to_owned(), text)
            })
        };
        shape::shapes(table, &find)
            .map_err(|wrong| failed.borrow_mut().take().unwrap_or_else(|| self.wrong(span, wrong)))
    }

    fn fixed(&mut self, span: &Range<usize>, t: &StaticTable) -> Result<(), ModelFileError> {
        let at = shape::pose(t.position, t.orientation.as_ref()).map_err(|w| self.wrong(span, w))?;
        let material = self.surface(span, t.material.as_ref(), t.friction, t.restitution)?;
        let color = self.color(span, t.color.as_ref())?;
        for (shape, pose) in self.shapes(span, &t.shape)? {
            let placed = self.builder.collider("world", shape, isometry(&at) * pose);
            placed.material = material;
            placed.color = color;
            placed.group = t.group.unwrap_or(placed.group);
            placed.mask = t.mask.unwrap_or(placed.mask);
            placed.name = t.name.clone().unwrap_or_default();
            placed.surface_velocity = t.surface_velocity.unwrap_or_default().into();
            self.colliders += 1;
        }
        Ok(())
    }

    fn body(
        &mut self,
        span: &Range<usize>,
        t: &BodyTable,
        name: &str,
        joint: Option<&toml::Spanned<schema::JointTable>>,
    ) -> Result<(), ModelFileError> {
        let shapes = match &t.shape {
            Some(table) => self.shapes(span, table)?,
            None => Vec::new(),
        };
        let material = self.surface(span, t.material.as_ref(), t.friction, t.restitution)?;
        let color = self.color(span, t.color.as_ref())?;
        let inertia = self.inertia(span, t, &shapes)?;
        if let Some(joint) = joint {
            let placed = t.position.is_some() || t.orientation.is_some();
            if placed || t.velocity.is_some() || t.angular_velocity.is_some() {
                let expected = "one without `position`, `orientation` and velocities of its own: `position` of the [[joint]] says \
                                where it is, `initial` and `velocity` how it starts; its shapes have a `position` in it";
                return Err(self.value(span, "the body on a joint", name, expected));
            }
            let spec: LinkSpec = self.joint(&joint.span(), joint.get_ref(), name, inertia)?;
            self.builder.link(spec);
        } else {
            let at = shape::pose(t.position, t.orientation.as_ref()).map_err(|w| self.wrong(span, w))?;
            let q = Quaternion::from_matrix(&at.rotation);
            let orientation =
                if t.orientation.is_some() { [q.w, q.x, q.y, q.z] } else { [1.0, 0.0, 0.0, 0.0] };
            let spec = BodySpec {
                name: name.to_owned(),
                shapes: Vec::new(),
                mass: t.mass,
                inertia: Some(inertia),
                position: at.translation,
                orientation,
                velocity: Vector3::from(t.velocity.unwrap_or_default()),
                angular_velocity: Vector3::from(t.angular_velocity.unwrap_or_default()),
                material,
                color,
            };
            self.builder
                .body(spec)
                .map_err(|reason| ModelFileError::Scene { at: self.document.place(span.start), reason })?;
        }
        for (shape, pose) in shapes {
            let placed = self.builder.collider(name, shape, pose);
            (placed.material, placed.color) = (material, color);
            placed.group = t.group.unwrap_or(placed.group);
            placed.mask = t.mask.unwrap_or(placed.mask);
            placed.surface_velocity = t.surface_velocity.unwrap_or_default().into();
        }
        if let Some(table) = &t.visual {
            for (shape, pose) in self.shapes(span, table)? {
                self.builder.visual(name, shape, pose).color = color;
            }
        }
        Ok(())
    }

    /// From what is said: mass and inertia, or either with the shapes, or the shapes at a density.
    fn inertia(
        &self,
        span: &Range<usize>,
        t: &BodyTable,
        shapes: &[(gudgeon_collide::Shape, nalgebra::Isometry3<f64>)],
    ) -> Result<Inertia, ModelFileError> {
        if let Some(m) = t.mass
            && !(m > 0.0 && m.is_finite())
        {
            return Err(self.value(span, "mass", m, "a positive number of kilograms"));
        }
        let center = t.center.map(Vector3::from);
        if let (Some(mass), Some(rows)) = (t.mass, t.inertia) {
            let i = nalgebra::Matrix3::from_fn(|r, c| rows[r][c]);
            if (i - i.transpose()).amax() > 1e-9 * i.amax() {
                return Err(self.value(span, "inertia", format!("{rows:?}"), "a symmetric matrix"));
            }
            let center = center.unwrap_or_default();
            return Ok(Inertia::new(mass, center, Symmetric3::from_matrix(&i)));
        }
        if t.inertia.is_some() {
            return Err(self.value(span, "inertia", "given alone", "a mass beside it"));
        }
        let density = t.density.unwrap_or(DENSITY);
        let mut total: Option<MassProperties> = None;
        for (shape, pose) in shapes {
            let part = shape
                .mass_properties(density)
                .map_err(|e| self.value(span, "shape", e, "a solid, or mass and inertia given"))?
                .moved(pose);
            total = Some(total.map_or(part, |t| t.joined(&part)));
        }
        let Some(total) = total else {
            return Err(self.value(span, "body", "without shape", "a shape, or mass and inertia"));
        };
        let mut inertia = inertia_of(&total, t.mass.unwrap_or(total.mass));
        inertia.com = center.unwrap_or(inertia.com);
        Ok(inertia)
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

/// Density of bodies that say nothing of their mass, kg/m³: water.
const DENSITY: f64 = 1000.0;

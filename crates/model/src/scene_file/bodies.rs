//! Bodies and what stands still: shapes, surfaces, colours and mass.

use std::cell::RefCell;
use std::ops::Range;

use gudgeon_collide::{MassProperties, Shape};
use gudgeon_multibody::LinkSpec;
use gudgeon_sim::{BodySpec, inertia_of};
use gudgeon_spatial::{Inertia, Matrix3, Quaternion, Symmetric3, Vector3};
use nalgebra::Isometry3;

use super::schema::{BodyTable, JointTable, ShapeTable, StaticTable};
use super::{Reader, directory, shape};
use crate::error::ModelFileError;
use crate::files;
use crate::place::isometry;

/// Density of bodies that say nothing of their mass, kg/m³: water.
const DENSITY: f64 = 1000.0;

/// Difference of two numbers across the diagonal of an inertia, relative to the greatest of all, that is still a symmetric matrix:
/// nine digits as written. Larger and a slip of the pen goes unnoticed.
const LOPSIDED: f64 = 1e-9;

impl Reader<'_> {
    pub(super) fn fixed(&mut self, span: &Range<usize>, t: &StaticTable) -> Result<(), ModelFileError> {
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

    pub(super) fn body(
        &mut self,
        span: &Range<usize>,
        t: &BodyTable,
        name: &str,
        joint: Option<&toml::Spanned<JointTable>>,
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
        shapes: &[(Shape, Isometry3<f64>)],
    ) -> Result<Inertia, ModelFileError> {
        if let Some(m) = t.mass
            && !(m > 0.0 && m.is_finite())
        {
            return Err(self.value(span, "mass", m, "a positive number of kilograms"));
        }
        let center = t.center.map(Vector3::from);
        if let (Some(mass), Some(rows)) = (t.mass, t.inertia) {
            let i = Matrix3::from_fn(|r, c| rows[r][c]);
            if (i - i.transpose()).amax() > LOPSIDED * i.amax() {
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

    fn shapes(
        &self,
        span: &Range<usize>,
        table: &ShapeTable,
    ) -> Result<Vec<(Shape, Isometry3<f64>)>, ModelFileError> {
        let at = self.at(span);
        let directory = directory(&at);
        // an escape or a missing file keeps its own error
        let failed = RefCell::new(None);
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

    /// Index of the material of a surface that may name one, or change two numbers of it.
    pub(super) fn surface(
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
}

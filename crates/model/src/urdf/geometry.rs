//! Collision and visual shapes of a URDF link.

use gudgeon_collide::Shape;
use gudgeon_sim::Material;
use gudgeon_spatial::{Pose, Vector3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::{LinkElement, Reader, origin};
use crate::assembly::ShapePart;
use crate::error::ModelFileError;
use crate::files;
use crate::meshes::MeshUse;
use crate::place::isometry;
use crate::xml::Element;

/// `<color rgba>` below a material.
pub(super) fn color(material: &Element) -> Result<Option<[f32; 4]>, ModelFileError> {
    for other in ["texture", "specular"] {
        for child in material.named(other) {
            child.ignored("pictures show plain colours");
        }
    }
    let Some(color) = material.child("color") else { return Ok(None) };
    color.used();
    let list = color.numbers("rgba")?.unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, reason = "a colour")]
    let part = |k: usize| list.get(k).map_or(1.0, |c| *c as f32);
    if list.len() < 3 {
        return Err(color.value_error(
            "rgba",
            format!("{} numbers", list.len()),
            "red, green, blue, opacity",
        ));
    }
    Ok(Some([part(0), part(1), part(2), part(3)]))
}

impl Reader<'_> {
    pub(super) fn geometry(
        &mut self,
        link: &LinkElement,
        frame: &Pose,
        material: usize,
        moving: bool,
    ) -> Result<(), ModelFileError> {
        let material = self.contact(link, material)?;
        let mut first_color = None;
        for child in link.element.children() {
            let touches = match child.tag() {
                "collision" => true,
                "visual" => false,
                "inertial" | "contact" => continue,
                other => {
                    child.ignored(format!("<{other}> of a link is no part of the format"));
                    continue;
                }
            };
            child.used();
            let at = frame.compose(&origin(&child)?);
            let color = self.material_of(&child)?;
            first_color = first_color.or(color);
            for other in child.children() {
                if !["origin", "geometry", "material"].contains(&other.tag()) {
                    other.ignored("no part of the format");
                }
            }
            child.ignore(&["group", "mask"], "no part of the format");
            let geometry = child.need_child("geometry")?;
            geometry.used();
            geometry.ignore(&["name"], "shapes are named by their element");
            let name = child.get("name").unwrap_or_default().to_owned();
            let exact = self.options.exact.iter().any(|n| *n == name || n == link.name);
            let purpose = match (touches, moving) {
                (true, _) if self.options.hulls && !exact => MeshUse::Hull,
                (true, true) => MeshUse::Solid,
                _ => MeshUse::Mesh,
            };
            let Some((shape, own)) = self.shape(&geometry, touches, purpose)? else { continue };
            let pose = isometry(&at) * own;
            let link = link.name.to_owned();
            let (group, mask) = (1, u32::MAX);
            self.assembly.shapes.push(ShapePart {
                link,
                name,
                shape,
                pose,
                material,
                group,
                mask,
                color,
                touches,
            });
        }
        // collisions without a colour of their own are shown in the link's
        for shape in self.assembly.shapes.iter_mut().filter(|s| s.link == link.name && s.color.is_none()) {
            shape.color = first_color;
        }
        Ok(())
    }

    /// Bullet's extension: friction and restitution of a link.
    fn contact(&mut self, link: &LinkElement, default: usize) -> Result<usize, ModelFileError> {
        let Some(contact) = link.element.child("contact") else { return Ok(default) };
        contact.used();
        let mut material: Material = self.assembly.materials[default];
        for child in contact.children() {
            match child.tag() {
                "lateral_friction" => {
                    material.friction = child.number("value")?.unwrap_or(material.friction).max(0.0);
                }
                "restitution" => {
                    material.restitution =
                        child.number("value")?.unwrap_or(material.restitution).clamp(0.0, 1.0);
                }
                "rolling_friction" | "spinning_friction" => child.ignored("contact points carry no torque"),
                "stiffness" | "damping" | "contact_cfm" | "contact_erp" => child.ignored("contact is hard"),
                _ => child.ignored("no part of the format"),
            }
        }
        if material == self.assembly.materials[default] {
            return Ok(default);
        }
        self.assembly.materials.push(material);
        Ok(self.assembly.materials.len() - 1)
    }

    fn material_of(&mut self, shape: &Element) -> Result<Option<[f32; 4]>, ModelFileError> {
        let mut found = None;
        for material in shape.named("material") {
            material.used();
            let name = material.get("name").unwrap_or_default();
            let own = color(&material)?;
            if let Some(own) = own {
                self.colors.insert(name.to_owned(), own);
            }
            found = found.or(own).or(self.colors.get(name).copied());
        }
        Ok(found)
    }

    fn shape(
        &mut self,
        geometry: &Element,
        touches: bool,
        purpose: MeshUse,
    ) -> Result<Option<(Shape, Isometry3<f64>)>, ModelFileError> {
        let mut kinds = geometry.children();
        let Some(kind) = kinds.next() else { return Err(geometry.missing("shape")) };
        for other in kinds {
            other.ignored("a geometry has one shape");
        }
        let number = |key: &str| kind.number(key)?.ok_or_else(|| kind.missing(key));
        let mut own = Isometry3::identity();
        let made = match kind.tag() {
            "box" => {
                let [x, y, z] = kind.vector::<3>("size")?.ok_or_else(|| kind.missing("size"))?;
                Shape::cuboid(0.5 * x, 0.5 * y, 0.5 * z)
            }
            "sphere" => Shape::sphere(number("radius")?),
            "cylinder" => Shape::cylinder(0.5 * number("length")?, number("radius")?),
            "capsule" => Shape::capsule(0.5 * number("length")?, number("radius")?),
            "mesh" => return self.mesh(&kind, touches, purpose).map(|s| s.map(|s| (s, own))),
            "plane" => {
                let normal = Vector3::from(kind.vector::<3>("normal")?.unwrap_or([0.0, 0.0, 1.0]));
                let turn = UnitQuaternion::rotation_between(&Vector3::z(), &normal).unwrap_or_default();
                own = Isometry3::from_parts(Translation3::identity(), turn);
                Ok(Shape::plane())
            }
            other => {
                kind.ignored(format!("<{other}> is no shape of the format"));
                return Ok(None);
            }
        };
        match made {
            Ok(shape) => Ok(Some((shape, own))),
            // a shape that is only seen may be flat; one that touches may not
            Err(reason) if !touches => {
                kind.ignored(format!("cannot be shown: {reason}"));
                Ok(None)
            }
            Err(reason) => Err(kind.structure_error(reason.to_string())),
        }
    }

    fn mesh(
        &mut self,
        kind: &Element,
        touches: bool,
        purpose: MeshUse,
    ) -> Result<Option<Shape>, ModelFileError> {
        if !self.options.meshes {
            kind.ignored("reading meshes is turned off");
            return Ok(None);
        }
        let name = kind.need("filename")?;
        let scale = match kind.numbers("scale")? {
            None => Vector3::repeat(1.0),
            Some(list) => match list[..] {
                [s] => Vector3::repeat(s),
                [x, y, z] => Vector3::new(x, y, z),
                [x, y, z, ..] => {
                    kind.approximate("scale", format!("{} numbers: the first three count", list.len()));
                    Vector3::new(x, y, z)
                }
                _ if !touches => {
                    kind.ignored("cannot be shown: its scale is not three numbers");
                    return Ok(None);
                }
                _ => {
                    return Err(kind.value_error(
                        "scale",
                        format!("{} numbers", list.len()),
                        "three numbers",
                    ));
                }
            },
        };
        let path = match files::resolve(name, &self.directory, &kind.place(), self.options) {
            Ok(path) => path,
            Err(ModelFileError::Read { reason, .. }) if !touches => {
                kind.ignored(reason);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let made = self.meshes.shape(&path, &scale, purpose, &self.options.cache);
        // a flat surface has no hull: it stays a surface
        let flat = purpose == MeshUse::Hull && made.is_err();
        let made =
            if flat { self.meshes.shape(&path, &scale, MeshUse::Mesh, &self.options.cache) } else { made };
        match made {
            Ok(made) => {
                if purpose == MeshUse::Hull && !flat {
                    kind.approximated("its convex hull touches in its place; exact meshes are an option");
                }
                if made.hulled {
                    kind.approximated("the surface is open: its convex hull touches in its place");
                }
                Ok(Some(made.shape))
            }
            Err(reason) if !touches => {
                kind.ignored(format!("cannot be shown: {reason}"));
                Ok(None)
            }
            Err(reason) => Err(ModelFileError::Read { at: kind.place(), reason }),
        }
    }
}

//! Sites and geoms: what touches, what is seen, and the mass that geoms give their bodies.

use gudgeon_collide::{MassProperties, Shape};
use gudgeon_sim::{Grip, Material};
use gudgeon_spatial::{Inertia, Matrix3, Pose, Symmetric3, Vector3};

use super::asset::UNREAD;
use super::body::Around;
use super::defaults::{Scope, from_z};
use super::principal::principal;
use super::shell::skin;
use super::{Reader, Touching};
use crate::assembly::ShapePart;
use crate::error::ModelFileError;
use crate::meshes::{MeshUse, on_threads, shape_of};
use crate::place::isometry;
use crate::tolerances::{MUJOCO_ZERO, NO_DIRECTION};
use crate::xml::Element;

/// Water: what a geom weighs that says nothing.
const DENSITY: f64 = 1000.0;

/// What of friction a contact has: 1, 3, 4 or 6.
pub(super) fn dimension(condim: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
    let dimension = condim.clamp(1.0, 6.0) as u8;
    dimension
}

impl<'a> Reader<'a> {
    pub(super) fn site(&mut self, element: Element<'a>, around: &Around) -> Result<(), ModelFileError> {
        let name = element.peek("name").unwrap_or_default();
        element.used();
        let s = self.classes.scope(&element, &["site"], around.class.as_deref())?;
        let mut pose = self.compiler(&s.own()).pose(&s)?;
        if let Some([a, b, c, d, e, f]) = s.vector::<6>("fromto")? {
            pose = between(Vector3::new(a, b, c), Vector3::new(d, e, f)).0;
        }
        let pose = around.frame.compose(&pose);
        let name = if name.is_empty() { String::new() } else { format!("{name}{}", around.suffix) };
        let volume = Self::volume(s.text("type").unwrap_or("sphere"), s.list::<3>("size", [0.005; 3])?);
        self.sites.push((name, around.body, pose, volume));
        s.ignore(&["rgba", "material", "group", "user"], "for pictures");
        let _ = element.get("name");
        Ok(())
    }

    pub(super) fn geom(&mut self, element: Element<'a>, around: &Around) -> Result<(), ModelFileError> {
        let s = self.classes.scope(&element, &["geom"], around.class.as_deref())?;
        if s.peek("mesh").is_some_and(|name| self.unread.contains(name)) {
            element.ignored(UNREAD);
            return Ok(());
        }
        element.used();
        let mut kind = s.text("type").unwrap_or("sphere").to_owned();
        let mesh = s.text("mesh").map(str::to_owned);
        let mut size = s.list::<3>("size", [0.0; 3])?;
        let mut pose = self.compiler(&s.own()).pose(&s)?;
        if let Some([a, b, c, d, e, f]) = s.vector::<6>("fromto")? {
            let (at, half) = between(Vector3::new(a, b, c), Vector3::new(d, e, f));
            pose = at;
            match kind.as_str() {
                "capsule" | "cylinder" => size[1] = half,
                "box" | "ellipsoid" => size = [size[0], size[0], half],
                _ => {
                    return Err(element.value_error(
                        "fromto",
                        &kind,
                        "a capsule, cylinder, box or ellipsoid",
                    ));
                }
            }
        }
        if let Some(name) = mesh.as_ref().filter(|_| !["mesh", "sdf"].contains(&kind.as_str())) {
            // a primitive fitted to a mesh has the mesh's inertia box
            let (at, fitted) = self.fitted(&element, name, &kind)?;
            let scale = s.number("fitscale")?.unwrap_or(1.0);
            (pose, size) = (pose.compose(&at), fitted.map(|x| x * scale));
            s.approximate("mesh", "only its inertia: the shape is fitted to it");
        }
        if kind == "sdf" {
            kind = "mesh".into();
            s.approximate("type", "the convex hull of its mesh");
        }
        let x_b = around.frame.compose(&pose);
        let touching = self.touching(&s)?;
        let name = element.get("name").map(|n| format!("{n}{}", around.suffix)).unwrap_or_default();
        let touches = touching.touches() || (self.paired.contains(&name) && !self.contact_off);
        self.keep_wrap(&name, &kind, size[0], around.body, &x_b);
        let Some((solid, seen)) = self.shape(&element, &s, &kind, mesh.as_deref(), size, touches)? else {
            return Ok(());
        };
        let unit = self.filled(&s, &kind, mesh.as_deref(), (&solid, size))?;
        self.weigh(&s, &kind, unit, &x_b, around.body)?;
        let color = self.color(&s)?;
        s.ignore(&["solref", "solimp", "solmix", "margin", "gap"], "contact is hard: no softness, no margin");
        s.ignore(&["group"], "for pictures");
        s.ignore(&["user"], "a note for the user");
        self.dragged(&s, &kind, size, (around.body, x_b))?;
        s.ignore(&["fitscale"], "nothing is fitted");
        let material = self.material_of(&touching.material, touching.grip);
        let pose = isometry(&x_b);
        let body = around.body;
        let part = |shape: Shape, touches: bool| ShapePart {
            link: String::new(), // known once the joints are
            name: name.clone(),
            shape,
            pose,
            material,
            group: 1,
            mask: u32::MAX,
            color,
            touches,
        };
        if touches {
            self.shapes.push((body, part(solid, true), touching.types));
        }
        if let Some(shape) = seen {
            self.shapes.push((body, part(shape, false), [0, 0]));
        }
        Ok(())
    }

    /// Keeps a geom that a medium drags as an ellipsoid.
    fn dragged(
        &mut self,
        s: &Scope<'a>,
        kind: &str,
        size: [f64; 3],
        (body, x_b): (usize, Pose),
    ) -> Result<(), ModelFileError> {
        // the format's own numbers of drag and lift
        let drag = s.list::<5>("fluidcoef", [0.5, 0.25, 1.5, 1.0, 1.0])?;
        if s.text("fluidshape") == Some("ellipsoid") {
            if kind == "mesh" {
                s.approximate("fluidshape", "drag is that of the body's box of inertia");
            } else {
                self.floats.push((body, x_b, semi_axes(kind, size), drag));
            }
        }
        Ok(())
    }

    fn touching(&self, s: &Scope<'a>) -> Result<Touching, ModelFileError> {
        let bits = |name: &str| -> Result<u32, ModelFileError> {
            let x = s.number(name)?.unwrap_or(1.0);
            if x.fract() != 0.0 || !(-2_147_483_648.0..=4_294_967_295.0).contains(&x) {
                return Err(s.own().value_error(name, x, "a whole number of 32 bits"));
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits as written")]
            Ok((x as i64) as u32)
        };
        let types = if self.contact_off { [0, 0] } else { [bits("contype")?, bits("conaffinity")?] };
        let friction = s.list::<3>("friction", [1.0, 0.005, 0.0001])?;
        let condim = s.number("condim")?.unwrap_or(3.0);
        let material = Material {
            friction: friction[0],
            torsion: friction[1],
            rolling: friction[2],
            ..Material::default()
        };
        #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
        let priority = s.number("priority")?.unwrap_or(0.0) as i32;
        let grip = Grip { priority, dimension: dimension(condim) };
        Ok(Touching { types, material, grip })
    }

    fn material_of(&mut self, material: &Material, grip: Grip) -> usize {
        let (list, grips) = (&mut self.assembly.materials, &mut self.assembly.grips);
        let known = list.iter().zip(&*grips).position(|(m, g)| m == material && *g == grip);
        known.unwrap_or_else(|| {
            list.push(*material);
            grips.push(grip);
            list.len() - 1
        })
    }

    fn color(&self, s: &Scope<'a>) -> Result<Option<[f32; 4]>, ModelFileError> {
        let own = s.has("rgba").then(|| s.list::<4>("rgba", [0.5, 0.5, 0.5, 1.0])).transpose()?;
        let from = s.text("material").and_then(|name| self.colors.get(name).copied());
        #[expect(clippy::cast_possible_truncation, reason = "a colour")]
        Ok(own.or(from).map(|c| c.map(|x| x as f32)))
    }

    /// The shape that touches and has the mass, and the one that is seen in its place or besides.
    fn shape(
        &mut self,
        element: &Element<'a>,
        s: &Scope<'a>,
        kind: &str,
        mesh: Option<&str>,
        size: [f64; 3],
        touches: bool,
    ) -> Result<Option<(Shape, Option<Shape>)>, ModelFileError> {
        let made = match kind {
            "plane" => Ok(Shape::plane()),
            "sphere" => Shape::sphere(size[0]),
            "capsule" => Shape::capsule(size[1], size[0]),
            "cylinder" => Shape::cylinder(size[1], size[0]),
            "ellipsoid" => Shape::ellipsoid(size[0], size[1], size[2]),
            "box" => Shape::cuboid(size[0], size[1], size[2]),
            "hfield" => {
                let name = s.text("hfield").ok_or_else(|| element.missing("hfield"))?;
                let field =
                    self.fields.get(name).ok_or_else(|| element.reference_error("hfield", "hfield", name))?;
                Ok(field.0.clone())
            }
            "mesh" => {
                let name = mesh.ok_or_else(|| element.missing("mesh"))?;
                let exact = !self.options.hulls
                    || element.peek("name").is_some_and(|n| self.options.exact.iter().any(|e| e == n));
                return self.mesh_shapes(element, name, touches, exact);
            }
            other => {
                return Err(element.value_error(
                    "type",
                    other,
                    "plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh or sdf",
                ));
            }
        };
        let shape = made.map_err(|e| element.structure_error(format!("{}: {e}", element.described())))?;
        let seen = (!touches).then(|| shape.clone());
        Ok(Some((shape, seen)))
    }

    fn mesh_shapes(
        &mut self,
        element: &Element<'a>,
        name: &str,
        touches: bool,
        exact: bool,
    ) -> Result<Option<(Shape, Option<Shape>)>, ModelFileError> {
        if self.meshes.get(name).is_none_or(|mesh| mesh.seen.is_none()) {
            // a file names few meshes that it does not show
            let unseen = self.meshes.values_mut().filter(|mesh| mesh.seen.is_none()).collect();
            let cache = &self.options.cache;
            on_threads(unseen, |mesh| {
                mesh.seen = Some(shape_of(&mesh.raw, MeshUse::Mesh, cache).map(|m| m.shape));
            });
        }
        let Some(mesh) = self.meshes.get_mut(name) else {
            return Err(element.reference_error("mesh", "mesh", name));
        };
        let seen = mesh.seen.clone().expect("just made");
        if !touches {
            return match seen {
                Ok(shape) => Ok(Some((shape.clone(), Some(shape)))),
                Err(_) => Ok(Some((Shape::plane(), None))), // only points: a mass, nothing to see
            };
        }
        if exact && let Ok(surface) = &seen {
            element.approximate("mesh", "touches as it is, as asked for");
            return Ok(Some((surface.clone(), None)));
        }
        if mesh.hull.is_none() {
            mesh.hull = Some(shape_of(&mesh.raw, MeshUse::Hull, &self.options.cache).map(|m| m.shape));
        }
        let hull = mesh.hull.clone().expect("just made");
        match (hull, seen) {
            (Ok(hull), seen) => Ok(Some((hull, seen.ok()))),
            (Err(_), Ok(surface)) => {
                element.approximate("mesh", "flat: its surface touches, it has no hull");
                Ok(Some((surface, None)))
            }
            (Err(reason), Err(_)) => Err(element.structure_error(format!("mesh '{name}': {reason}"))),
        }
    }

    /// What a geom weighs at unit density, if anything.
    fn filled(
        &self,
        s: &Scope<'a>,
        kind: &str,
        mesh: Option<&str>,
        (shape, size): (&Shape, [f64; 3]),
    ) -> Result<Option<MassProperties>, ModelFileError> {
        let hollow = s.flag("shellinertia")? == Some(true);
        let field = s.peek("hfield").and_then(|name| self.fields.get(name)).map(|f| f.1);
        Ok(match (kind, mesh, field) {
            ("plane", ..) => None,
            ("mesh", Some(name), _) => self.meshes[name].properties,
            ("hfield", _, Some(half)) if hollow => skin("box", half),
            ("hfield", _, Some([x, y, z])) => {
                Shape::cuboid(x, y, z).ok().and_then(|b| b.mass_properties(1.0).ok())
            }
            _ if hollow => skin(kind, size),
            _ => shape.mass_properties(1.0).ok(),
        })
    }

    /// Adds the mass of a geom to its body; `unit` is what it weighs at unit density.
    fn weigh(
        &mut self,
        s: &Scope<'a>,
        kind: &str,
        unit: Option<MassProperties>,
        x_b: &Pose,
        body: usize,
    ) -> Result<(), ModelFileError> {
        let mass = s.number("mass")?;
        let density = s.number("density")?.unwrap_or(DENSITY);
        let group = s.list::<1>("group", [0.0])?[0];
        let [lo, hi] = self.compiler(&s.own()).groups;
        let Some(unit) = unit.filter(|_| body != 0 && group >= lo && group <= hi) else { return Ok(()) };
        let total = mass.unwrap_or(density * unit.mass);
        if total < MUJOCO_ZERO {
            return Ok(());
        }
        let inertia =
            Inertia::new(total, unit.center, Symmetric3::from_matrix(&(unit.inertia * (total / unit.mass))));
        let own = &mut self.bodies[body];
        let axes = if kind == "mesh" { principal(&unit.inertia).0 } else { Matrix3::identity() };
        own.only = own.parts.is_empty().then_some(x_b.rotation * axes);
        own.parts.push(inertia.transformed(x_b));
        Ok(())
    }

    /// Frame and sizes of a primitive with the inertia box of a mesh.
    fn fitted(
        &self,
        element: &Element<'a>,
        name: &str,
        kind: &str,
    ) -> Result<(Pose, [f64; 3]), ModelFileError> {
        let mesh = self.meshes.get(name).ok_or_else(|| element.reference_error("mesh", "mesh", name))?;
        let Some(p) = mesh.properties else {
            return Err(element.structure_error(format!("mesh '{name}' has no volume to fit a shape to")));
        };
        let (axes, moments) = principal(&p.inertia);
        if self.compiler(element).fit_aabb {
            let across = mesh.raw.vertices.iter().map(|v| axes.transpose() * (v - p.center));
            let (lo, hi) = across
                .fold((Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)), |(lo, hi), v| {
                    (lo.inf(&v), hi.sup(&v))
                });
            let half = (hi - lo) * 0.5;
            let round = half.x.max(half.y);
            let size = match kind {
                "sphere" => [half.max(), 0.0, 0.0],
                "capsule" => [round, (half.z - round).max(0.0), 0.0],
                "cylinder" => [round, half.z, 0.0],
                _ => half.into(),
            };
            return Ok((Pose::new(axes, p.center + axes * (lo + hi) * 0.5), size));
        }
        // half sizes of the box with these moments, largest moment first: the box is longest along z
        let m = p.mass;
        let half = |a: f64, b: f64, c: f64| (1.5 * (a + b - c).max(0.0) / m).sqrt();
        let [i, j, k] = moments;
        let b = [half(j, k, i), half(i, k, j), half(i, j, k)];
        let size = match kind {
            "sphere" => [(b[0] + b[1] + b[2]) / 3.0, 0.0, 0.0],
            "capsule" => {
                let r = 0.5 * (b[0] + b[1]);
                [r, (b[2] - 0.5 * r).max(0.0), 0.0]
            }
            "cylinder" => [0.5 * (b[0] + b[1]), b[2], 0.0],
            _ => b,
        };
        Ok((Pose::new(axes, p.center), size))
    }
}

/// Semi-axes of the ellipsoid that stands for a shape in a medium.
fn semi_axes(kind: &str, [a, b, c]: [f64; 3]) -> [f64; 3] {
    match kind {
        "sphere" => [a, a, a],
        "capsule" => [a, a, b + a],
        "cylinder" => [a, a, b],
        _ => [a, b, c],
    }
}

/// The frame midway between two points, z along their line, and half their distance.
fn between(from: Vector3<f64>, to: Vector3<f64>) -> (Pose, f64) {
    let d = from - to;
    let length = d.norm();
    let turn = if length > NO_DIRECTION { from_z(&(d / length)) } else { Matrix3::identity() };
    (Pose::new(turn, (from + to) * 0.5), 0.5 * length)
}

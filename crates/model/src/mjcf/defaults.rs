//! Default classes, and the compiler's settings.
//!
//! An attribute is looked up on the element, then on the element of the same kind in its class, then in the classes
//! around that one. Lists may be given in part: the first numbers from the element, the rest from its class.

use std::collections::BTreeMap;

use gudgeon_spatial::{Matrix3, Pose, Quaternion, Vector3};

use crate::error::ModelFileError;
use crate::tolerances::NO_DIRECTION;
use crate::xml::{Element, outermost};

/// The classes of a model.
#[derive(Debug, Default)]
pub(super) struct Classes<'a> {
    elements: BTreeMap<String, Vec<Element<'a>>>,
    parents: BTreeMap<String, String>,
}

impl<'a> Classes<'a> {
    /// Reads the `<default>` elements of a model.
    pub(super) fn read(root: &Element<'a>) -> Result<Self, ModelFileError> {
        let mut classes = Self::default();
        for top in root.named("default") {
            let class = top.get("class").map_or_else(|| outermost(top.model()), str::to_owned);
            let mut stack = vec![(top, class, None::<String>)];
            while let Some((element, class, parent)) = stack.pop() {
                element.used();
                if let Some(parent) = parent
                    && classes.parents.insert(class.clone(), parent).is_some()
                {
                    return Err(ModelFileError::Duplicate {
                        at: element.place(),
                        kind: "class",
                        name: class,
                    });
                }
                for child in element.children() {
                    if child.tag() == "default" {
                        let name = child.need("class")?.to_owned();
                        stack.push((child, name, Some(class.clone())));
                    } else {
                        classes.elements.entry(class.clone()).or_default().push(child);
                    }
                }
            }
        }
        Ok(classes)
    }

    /// An element with its defaults: `own` may name a class, else it has that of the body around it.
    pub(super) fn scope(
        &self,
        own: &Element<'a>,
        tags: &[&str],
        around: Option<&str>,
    ) -> Result<Scope<'a>, ModelFileError> {
        let mut chain = vec![*own];
        for class in self.around(own, around)? {
            // later elements of one class override earlier ones
            let here = self.elements.get(&class).into_iter().flatten().rev();
            chain.extend(here.filter(|e| tags.contains(&e.tag())));
        }
        Ok(Scope { chain })
    }

    /// What the classes of an element hold, class by class, the outermost first.
    pub(super) fn layers(
        &self,
        own: &Element<'a>,
        tags: &[&str],
    ) -> Result<Vec<Vec<Element<'a>>>, ModelFileError> {
        let layer = |class: &String| {
            let here = self.elements.get(class).into_iter().flatten();
            here.copied().filter(|e| tags.contains(&e.tag())).collect()
        };
        Ok(self.around(own, None)?.iter().rev().map(layer).collect())
    }

    /// The classes of an element, the nearest first.
    fn around(&self, own: &Element<'a>, around: Option<&str>) -> Result<Vec<String>, ModelFileError> {
        let (named, main) = (own.get("class"), outermost(own.model()));
        if let Some(name) = named
            && name != main
            && !self.parents.contains_key(name)
            && !self.elements.contains_key(name)
        {
            return Err(own.reference_error("class", "default class", name));
        }
        let mut classes = vec![named.or(around).unwrap_or(&main).to_owned()];
        while let Some(class) = classes.last() {
            match self.parents.get(class) {
                Some(parent) => classes.push(parent.clone()),
                None if *class == main => break,
                None => classes.push(main.clone()),
            }
        }
        Ok(classes)
    }

    /// Says of what is left over that nobody asked for it.
    pub(super) fn leftovers(&self) {
        for element in self.elements.values().flatten() {
            element.ignore_rest("no element takes this default");
            if !element.is_read() {
                element.ignored("no element takes this default");
            }
        }
    }
}

/// An element and the defaults behind it, nearest first.
#[derive(Debug, Clone)]
pub(super) struct Scope<'a> {
    chain: Vec<Element<'a>>,
}

impl<'a> Scope<'a> {
    /// The element itself.
    pub(super) fn own(&self) -> Element<'a> {
        self.chain[0]
    }

    fn holder(&self, name: &str) -> Option<Element<'a>> {
        self.chain.iter().copied().find(|e| e.peek(name).is_some())
    }

    /// Without marking it.
    pub(super) fn peek(&self, name: &str) -> Option<&'a str> {
        self.holder(name)?.peek(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.holder(name)?.get(name)
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ModelFileError> {
        self.holder(name).map_or(Ok(None), |e| e.number(name))
    }

    pub(super) fn vector<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, ModelFileError> {
        self.holder(name).map_or(Ok(None), |e| e.vector(name))
    }

    /// A list whose missing tail comes from the class, and then from `base`.
    pub(super) fn list<const N: usize>(
        &self,
        name: &str,
        base: [f64; N],
    ) -> Result<[f64; N], ModelFileError> {
        let mut list = base;
        for element in self.chain.iter().rev() {
            if let Some(given) = element.numbers(name)? {
                if given.len() > N {
                    let (n, expected) = (given.len(), format!("at most {N} numbers"));
                    return Err(element.value_error(name, format!("{n} numbers"), &expected));
                }
                list[..given.len()].copy_from_slice(&given);
            }
        }
        Ok(list)
    }

    /// `true` or `false`; `auto` is none.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ModelFileError> {
        match self.text(name) {
            None | Some("auto") => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(self.own().value_error(name, other, "true, false or auto")),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.holder(name).is_some()
    }

    pub(super) fn ignore(&self, names: &[&str], why: &str) {
        self.chain.iter().for_each(|e| e.ignore(names, why));
    }

    pub(super) fn approximate(&self, name: &str, how: &str) {
        if let Some(e) = self.holder(name) {
            e.approximate(name, how);
        }
    }

    /// The nearest element of the chain that has one of these attributes.
    pub(super) fn nearest(&self, names: &[&str]) -> Option<Element<'a>> {
        self.chain.iter().copied().find(|e| names.iter().any(|n| e.peek(n).is_some()))
    }
}

/// Where inertias come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FromGeom {
    Always,
    Never,
    Auto,
}

/// `<compiler>`.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the format's own switches")]
pub(super) struct Compiler {
    pub degrees: bool,
    pub eulerseq: String,
    pub autolimits: bool,
    pub from_geom: FromGeom,
    pub bound_mass: f64,
    pub bound_inertia: f64,
    pub balance: bool,
    pub total_mass: Option<f64>,
    pub groups: [f64; 2],
    pub mesh_dir: String,
    pub strip_path: bool,
    pub fit_aabb: bool,
    pub align_free: bool,
    pub fuse: bool,
}

impl Compiler {
    pub(super) fn read(root: &Element) -> Result<Self, ModelFileError> {
        let mut c = Self {
            degrees: true,
            eulerseq: "xyz".into(),
            autolimits: true,
            from_geom: FromGeom::Auto,
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance: false,
            total_mass: None,
            groups: [0.0, 5.0],
            mesh_dir: String::new(),
            strip_path: false,
            fit_aabb: false,
            align_free: false,
            fuse: false,
        };
        for e in root.named("compiler") {
            e.used();
            if let Some(angle) = e.get("angle") {
                c.degrees = match angle {
                    "degree" => true,
                    "radian" => false,
                    other => return Err(e.value_error("angle", other, "degree or radian")),
                };
            }
            if let Some(order) = e.get("eulerseq") {
                if order.len() != 3 || !order.chars().all(|a| "xyzXYZ".contains(a)) {
                    return Err(e.value_error("eulerseq", order, "three of x y z X Y Z"));
                }
                order.clone_into(&mut c.eulerseq);
            }
            let flag = |name: &str, old: bool| match e.get(name) {
                None => Ok(old),
                Some("true") => Ok(true),
                Some("false") => Ok(false),
                Some(other) => Err(e.value_error(name, other, "true or false")),
            };
            c.autolimits = flag("autolimits", c.autolimits)?;
            c.balance = flag("balanceinertia", c.balance)?;
            c.strip_path = flag("strippath", c.strip_path)?;
            c.fit_aabb = flag("fitaabb", c.fit_aabb)?;
            c.align_free = flag("alignfree", c.align_free)?;
            if let Some(from) = e.get("inertiafromgeom") {
                c.from_geom = match from {
                    "true" => FromGeom::Always,
                    "false" => FromGeom::Never,
                    "auto" => FromGeom::Auto,
                    other => return Err(e.value_error("inertiafromgeom", other, "true, false or auto")),
                };
            }
            c.bound_mass = e.number("boundmass")?.unwrap_or(c.bound_mass);
            c.bound_inertia = e.number("boundinertia")?.unwrap_or(c.bound_inertia);
            c.total_mass = e.number("settotalmass")?.filter(|m| *m > 0.0).or(c.total_mass);
            c.groups = e.vector("inertiagrouprange")?.unwrap_or(c.groups);
            for key in ["assetdir", "meshdir"] {
                if let Some(dir) = e.get(key) {
                    dir.clone_into(&mut c.mesh_dir);
                }
            }
            if let Some(word) = e.get("coordinate")
                && word != "local"
            {
                return Err(e.value_error(
                    "coordinate",
                    word,
                    "local; global coordinates are gone from the format",
                ));
            }
            e.ignore(&["texturedir"], "textures are not shown");
            e.ignore(
                &["usethread", "exactmeshinertia", "convexhull", "saveinertial"],
                "does not change the model",
            );
            c.fuse = flag("fusestatic", c.fuse)?;
            e.ignore(&["discardvisual"], "every shape is kept");
        }
        Ok(c)
    }

    pub(super) fn angle(&self, value: f64) -> f64 {
        if self.degrees { value.to_radians() } else { value }
    }

    /// `pos` and whichever orientation stands nearest.
    pub(super) fn pose(&self, scope: &Scope) -> Result<Pose, ModelFileError> {
        let p = Vector3::from(scope.vector::<3>("pos")?.unwrap_or_default());
        Ok(Pose::new(self.rotation(scope)?, p))
    }

    pub(super) fn rotation(&self, scope: &Scope) -> Result<Matrix3<f64>, ModelFileError> {
        let Some(e) = scope.nearest(&["quat", "axisangle", "xyaxes", "zaxis", "euler"]) else {
            return Ok(Matrix3::identity());
        };
        let length = |name: &str, v: &Vector3<f64>| {
            if v.norm() > NO_DIRECTION {
                Ok(v.normalize())
            } else {
                Err(e.value_error(name, "0", "a direction"))
            }
        };
        if let Some([x, y, z, a]) = e.vector::<4>("axisangle")? {
            return Ok(Pose::rotation_about(&length("axisangle", &Vector3::new(x, y, z))?, self.angle(a)));
        }
        if let Some([a, b, c, d, f, g]) = e.vector::<6>("xyaxes")? {
            let x = length("xyaxes", &Vector3::new(a, b, c))?;
            let y = Vector3::new(d, f, g);
            let y = length("xyaxes", &(y - x * x.dot(&y)))?;
            return Ok(Matrix3::from_columns(&[x, y, x.cross(&y)]));
        }
        if let Some(z) = e.vector::<3>("zaxis")? {
            return Ok(from_z(&length("zaxis", &Vector3::from(z))?));
        }
        if let Some(angles) = e.vector::<3>("euler")? {
            let mut r = Matrix3::identity();
            for (axis, angle) in self.eulerseq.chars().zip(angles) {
                let unit = match axis.to_ascii_lowercase() {
                    'x' => Vector3::x(),
                    'y' => Vector3::y(),
                    _ => Vector3::z(),
                };
                let turn = Pose::rotation_about(&unit, self.angle(angle));
                // small letters turn about moving axes, capitals about fixed ones
                r = if axis.is_ascii_lowercase() { r * turn } else { turn * r };
            }
            return Ok(r);
        }
        let [w, x, y, z] = e.vector::<4>("quat")?.expect("one of the five is there");
        let q = Quaternion::new(w, x, y, z);
        if q.norm() < NO_DIRECTION {
            return Err(e.value_error("quat", "0 0 0 0", "a rotation"));
        }
        Ok(q.normalized().to_matrix())
    }
}

/// The least rotation that takes z to a unit vector.
pub(super) fn from_z(to: &Vector3<f64>) -> Matrix3<f64> {
    let axis = Vector3::z().cross(to);
    let s = axis.norm();
    if s < NO_DIRECTION {
        // along z, or against it: half a turn about x
        return if to.z > 0.0 {
            Matrix3::identity()
        } else {
            Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, -1.0))
        };
    }
    Pose::rotation_about(&(axis / s), s.atan2(to.z))
}

//! Sensors of contacts and distances, and cameras.

use gudgeon_sim::{Aim, Camera, Choice, ContactWatch, Gauge, Said, SensorKind, Side, Target, Way};
use gudgeon_spatial::{Pose, Vector3};

use super::Reader;
use super::body::Around;
use crate::error::ModelFileError;
use crate::xml::Element;

/// A picture's height that a camera has which says nothing, degrees.
const FOV: f64 = 45.0;

/// A camera as it is read: its bodies have no links yet.
pub(super) struct CameraDef {
    name: String,
    pub(super) body: usize,
    pub(super) pose: Pose,
    mode: String,
    target: Option<String>,
    fov: f64,
}

impl<'a> Reader<'a> {
    pub(super) fn camera(&mut self, element: &Element<'a>, around: &Around) -> Result<(), ModelFileError> {
        element.used();
        let s = self.classes.scope(element, &["camera"], around.class.as_deref())?;
        let pose = around.frame.compose(&self.compiler(&s.own()).pose(&s)?);
        let name = element.get("name").map(|n| format!("{n}{}", around.suffix)).unwrap_or_default();
        if !name.is_empty() {
            self.cameras.insert(name.clone(), (around.body, pose));
        }
        let mode = s.text("mode").unwrap_or("fixed").to_owned();
        if mode.ends_with("com") {
            s.approximate("mode", "by the body's origin, not by the centre of mass of all it carries");
        }
        let target = s.text("target").map(str::to_owned);
        let fov = s.number("fovy")?.unwrap_or(FOV);
        s.ignore(
            &["ipd", "resolution", "output", "projection", "orthographic", "user", "focal", "focalpixel"],
            "a picture takes its own size",
        );
        s.ignore(&["principal", "principalpixel", "sensorsize"], "a picture takes its own size");
        self.camera_list.push(CameraDef { name, body: around.body, pose, mode, target, fov });
        Ok(())
    }

    /// Cameras as equipment, once links are known.
    pub(super) fn place_cameras(&mut self) {
        for c in std::mem::take(&mut self.camera_list) {
            let body = &self.bodies[c.body];
            let (name, at) = (body.link.clone(), body.x_lb);
            let origin = body.x_w0.compose(&at.inverse()).translation;
            let stands = body.x_w0.compose(&c.pose);
            let aim = match (c.mode.as_str(), c.target.as_deref().and_then(|t| self.body_index.get(t))) {
                ("targetbody" | "targetbodycom", Some(&k)) => Aim::At(k),
                ("track" | "trackcom", _) => {
                    Aim::Along(Pose::new(stands.rotation, stands.translation - origin))
                }
                _ => Aim::Fixed,
            };
            let link = self.link_ref(&name);
            let pose = at.compose(&c.pose);
            self.assembly.equipment.cameras.push(Camera { name: c.name, link, pose, aim, fov: c.fov });
        }
    }

    /// `<contact>` among the sensors.
    pub(super) fn contact_sensor(&self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let (first, second) = (self.side(e, "1")?, self.side(e, "2")?);
        let mut says = Vec::new();
        for word in e.get("data").unwrap_or("found").split_whitespace() {
            says.push(match word {
                "found" => Said::Count,
                "force" => Said::Force,
                "torque" => Said::Torque,
                "dist" => Said::Distance,
                "pos" => Said::Point,
                "normal" => Said::Normal,
                "tangent" => Said::Tangent,
                other => {
                    let known = "found, force, torque, dist, pos, normal or tangent";
                    return Err(e.value_error("data", other, known));
                }
            });
        }
        says.sort_unstable();
        says.dedup();
        let choice = match e.get("reduce").unwrap_or("none") {
            "none" => Choice::First,
            "mindist" => Choice::Nearest,
            "maxforce" => Choice::Strongest,
            "netforce" => Choice::Net,
            other => return Err(e.value_error("reduce", other, "none, mindist, maxforce or netforce")),
        };
        let places = e.number("num")?.unwrap_or(1.0);
        // more than any two shapes have
        if !(1.0..=1000.0).contains(&places) {
            return Err(e.value_error("num", places, "a number of contacts"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        let places = places as usize;
        Ok(SensorKind::Contacts(ContactWatch { sides: [first, second], says, places, choice }))
    }

    fn side(&self, e: &Element<'a>, end: &str) -> Result<Side, ModelFileError> {
        let [geom, body, tree] = ["geom", "body", "subtree"].map(|kind| format!("{kind}{end}"));
        let touching = |this: &Self, is: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let all = this.assembly.shapes.iter().enumerate();
            all.filter(|(k, s)| s.touches && is(*k)).map(|(k, _)| k).collect()
        };
        if end == "1" && e.peek("site").is_some() {
            let name = e.need("site")?;
            let site = self.site_of(name).ok_or_else(|| e.reference_error("site", "site", name))?;
            return Ok(Side::Within(site));
        }
        if e.peek(&geom).is_some() {
            let name = e.need(&geom)?;
            let shapes = &self.assembly.shapes;
            if !shapes.iter().any(|s| s.name == name) {
                return Err(e.reference_error("geom", "geom", name));
            }
            return Ok(Side::Colliders(touching(self, &|k| shapes[k].name == name)));
        }
        for (key, whole) in [(&body, false), (&tree, true)] {
            if e.peek(key).is_some() {
                let name = e.need(key)?;
                let k = *self.body_index.get(name).ok_or_else(|| e.reference_error("body", "body", name))?;
                let carried = |mut b: usize| {
                    while whole && b != k && b != 0 {
                        b = self.bodies[b].parent;
                    }
                    b == k
                };
                return Ok(Side::Colliders(touching(self, &|s| carried(self.shape_body[s]))));
            }
        }
        Ok(Side::Any)
    }

    /// `<distance>`, `<normal>` and `<fromto>`.
    pub(super) fn distance_sensor(&mut self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let from = self.targets(e, "1")?;
        let to = self.targets(e, "2")?;
        let says = match e.tag() {
            "distance" => Way::Length,
            "normal" => Way::Direction,
            _ => Way::Ends,
        };
        let reach = e.number("cutoff")?.unwrap_or(0.0);
        Ok(SensorKind::Distance(Gauge { from, to, says, reach }))
    }

    fn targets(&mut self, e: &Element<'a>, end: &str) -> Result<Vec<Target>, ModelFileError> {
        let (geom, body) = (format!("geom{end}"), format!("body{end}"));
        let whole = if e.peek(&body).is_some() {
            let name = e.need(&body)?;
            Some(*self.body_index.get(name).ok_or_else(|| e.reference_error("body", "body", name))?)
        } else {
            None
        };
        let name = if whole.is_none() { e.need(&geom)? } else { "" };
        let all = self.assembly.shapes.iter().zip(&self.shape_body);
        let one: Vec<_> = all
            .filter(|(s, body)| whole.map_or(s.name == name, |k| **body == k))
            .map(|(s, _)| s.clone())
            .collect();
        // a mesh that touches as its hull is there twice: as what touches
        let solid = one.iter().any(|s| s.touches);
        let found: Vec<_> = one.into_iter().filter(|s| s.touches || !solid).collect();
        if found.is_empty() && whole.is_none() {
            return Err(e.reference_error("geom", "geom", name));
        }
        Ok(found
            .into_iter()
            .map(|s| {
                let turn = s.pose.rotation.to_rotation_matrix();
                let pose = Pose::new(*turn.matrix(), Vector3::from(s.pose.translation.vector));
                Target { link: self.link_ref(&s.link), shape: s.shape, pose }
            })
            .collect())
    }
}

//! Tendons: sums of joint coordinates, and paths through space.

use gudgeon_sim::{Passage, Tendon, TendonPath, Term, WrapShape};
use gudgeon_spatial::Pose;

use super::Reader;
use super::defaults::Scope;
use crate::error::ModelFileError;
use crate::xml::Element;

impl<'a> Reader<'a> {
    pub(super) fn tendon(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        for e in section.children() {
            e.used();
            let s = self.classes.scope(&e, &["tendon", "fixed", "spatial"], None)?;
            let path = match e.tag() {
                "fixed" => TendonPath::Fixed(self.fixed(&e)?),
                "spatial" => TendonPath::Spatial(self.spatial(&e)?),
                other => {
                    e.ignored(format!("<{other}> is not known to this reader"));
                    continue;
                }
            };
            let tendon = self.string(&e, &s, path)?;
            self.string_bounds.push(self.range(&s, "actuatorfrcrange", "actuatorfrclimited")?);
            self.assembly.equipment.tendons.push(tendon);
        }
        Ok(())
    }

    fn string(&self, e: &Element<'a>, s: &Scope<'a>, path: TendonPath) -> Result<Tendon, ModelFileError> {
        let limits = self.range(s, "range", "limited")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let lengths = s.list::<2>("springlength", [f64::NAN; 2])?;
        let rest = match lengths {
            [a, _] if a.is_nan() || a == -1.0 => [f64::NAN; 2], // the length at the reference
            [a, b] if b.is_nan() => [a, a],
            both => both,
        };
        let first = |key: &str| -> Result<f64, ModelFileError> {
            let list = s.list::<3>(key, [0.0; 3])?;
            if list[1] != 0.0 || list[2] != 0.0 {
                s.approximate(key, "the terms of higher order are left out");
            }
            Ok(list[0].max(0.0))
        };
        s.ignore(
            &["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"],
            "limits are hard",
        );
        s.ignore(&["rgba", "width", "material", "group", "user"], "for pictures");
        Ok(Tendon {
            name: e.get("name").unwrap_or_default().to_owned(),
            path,
            limits,
            stiffness: first("stiffness")?,
            damping: first("damping")?,
            rest,
            friction: first("frictionloss")?,
            armature: first("armature")?,
        })
    }

    fn fixed(&mut self, e: &Element<'a>) -> Result<Vec<Term>, ModelFileError> {
        let mut terms = Vec::new();
        for part in e.named("joint") {
            part.used();
            let coefficient = part.number("coef")?.ok_or_else(|| part.missing("coef"))?;
            match self.need_term(&part, "joint")? {
                Some(term) => terms.push(Term { coefficient, ..term }),
                None => part.ignored("only hinges and slides have one coordinate"),
            }
        }
        Ok(terms)
    }

    fn spatial(&mut self, e: &Element<'a>) -> Result<Vec<Passage>, ModelFileError> {
        let mut list = Vec::new();
        for part in e.children() {
            part.used();
            match part.tag() {
                "site" => {
                    let name = part.need("site")?;
                    let site =
                        self.site_of(name).ok_or_else(|| part.reference_error("site", "site", name))?;
                    list.push(Passage::Site(site));
                }
                "pulley" => {
                    list.push(Passage::Pulley(
                        part.number("divisor")?.ok_or_else(|| part.missing("divisor"))?,
                    ));
                }
                "geom" => {
                    let name = part.need("geom")?;
                    let Some((body, pose, shape)) = self.wraps.get(name).copied() else {
                        return Err(part.reference_error("geom", "sphere or cylinder", name));
                    };
                    let side = match part.get("sidesite") {
                        Some(site) => Some(
                            self.site_of(site)
                                .ok_or_else(|| part.reference_error("sidesite", "site", site))?,
                        ),
                        None => None,
                    };
                    let (link, x_lb) = (self.bodies[body].link.clone(), self.bodies[body].x_lb);
                    list.push(Passage::Over {
                        link: self.link_ref(&link),
                        pose: x_lb.compose(&pose),
                        shape,
                        side,
                    });
                }
                other => part.ignored(format!("<{other}> is not known to this reader")),
            }
        }
        Ok(list)
    }

    /// Remembers a geom that a tendon may go around: its body, its frame there.
    pub(super) fn keep_wrap(&mut self, name: &str, kind: &str, radius: f64, body: usize, x_b: &Pose) {
        let shape = match kind {
            "sphere" => WrapShape::Sphere(radius),
            "cylinder" => WrapShape::Cylinder(radius),
            _ => return,
        };
        if !name.is_empty() {
            self.wraps.insert(name.to_owned(), (body, *x_b, shape));
        }
    }
}

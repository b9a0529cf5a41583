//! `<contact>` and `<equality>`: pairs that touch or do not, and bodies, joints and tendons that are held together.

use gudgeon_multibody::{LoopKind, LoopSpec};
use gudgeon_sim::{Grip, Material, TendonPath, Tether};
use gudgeon_spatial::{Pose, Quaternion, Vector3};

use super::Reader;
use super::geom::dimension;
use crate::assembly::CouplingPart;
use crate::error::ModelFileError;
use crate::tolerances::NO_DIRECTION;
use crate::xml::Element;

const SOFT: [&str; 6] = ["solref", "solimp", "solreffriction", "margin", "gap", "torquescale"];

impl<'a> Reader<'a> {
    /// Notes which geoms touch by name.
    pub(super) fn want_pairs(&mut self, section: &Element<'a>) {
        for e in section.named("pair") {
            for key in ["geom1", "geom2"] {
                self.paired.extend(e.peek(key).map(str::to_owned));
            }
        }
    }

    /// Notes which bodies the exclusions name: they keep their shapes to themselves.
    pub(super) fn want_apart(&mut self, section: &Element<'a>) {
        for e in section.named("exclude") {
            for key in ["body1", "body2"] {
                self.kept_apart.extend(e.peek(key).and_then(|name| self.body_index.get(name)));
            }
        }
        self.kept_apart.remove(&0);
    }

    fn body_of(&self, e: &Element<'a>, key: &str) -> Result<usize, ModelFileError> {
        let name = e.need(key)?;
        self.body_index.get(name).copied().ok_or_else(|| e.reference_error(key, "body", name))
    }

    pub(super) fn contact(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        for e in section.children() {
            match e.tag() {
                "exclude" => {
                    e.used();
                    let _ = e.get("name");
                    let [a, b] = [self.body_of(&e, "body1")?, self.body_of(&e, "body2")?];
                    let [a, b] = [a, b].map(|k| self.bodies[k].link.clone());
                    if a != b {
                        self.assembly.apart.push((a, b));
                    }
                }
                "pair" => self.pair(&e)?,
                other => e.ignored(format!("<{other}> is not known to this reader")),
            }
        }
        Ok(())
    }

    fn pair(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        e.used();
        let s = self.classes.scope(e, &["pair"], None)?;
        let _ = e.get("name");
        s.ignore(&SOFT, "contact is hard");
        let friction = s.list::<5>("friction", [1.0, 1.0, 0.005, 0.0001, 0.0001])?;
        let condim = s.number("condim")?.unwrap_or(3.0);
        let mut ends = [0; 2];
        for (k, key) in ["geom1", "geom2"].into_iter().enumerate() {
            let name = e.need(key)?;
            let touching = self.assembly.shapes.iter().filter(|s| s.touches);
            match touching.enumerate().find(|(_, s)| s.name == name) {
                Some((index, _)) => ends[k] = index,
                None if self.assembly.shapes.iter().any(|s| s.name == name) => {
                    e.ignored("contact is switched off");
                    return Ok(());
                }
                None => return Err(e.reference_error(key, "geom", name)),
            }
        }
        let [slide, other, torsion, rolling, second] = friction;
        if slide != other || rolling != second {
            s.approximate("friction", "the first number of sliding, and of rolling, in all directions");
        }
        let surface = Material { friction: slide, torsion, rolling, ..Material::default() };
        let (a, b) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let grip = Grip { dimension: dimension(condim), ..Grip::default() };
        self.assembly.pairs.push((a, b, grip.part_of(surface)));
        Ok(())
    }

    pub(super) fn equality(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        for e in section.children() {
            let s = self.classes.scope(&e, &["equality", e.tag()], None)?;
            s.ignore(&SOFT, "equalities are exact");
            if s.flag("active")? == Some(false) {
                e.ignored("not active");
                continue;
            }
            e.used();
            let _ = e.get("name");
            match e.tag() {
                "connect" => self.connect(&e)?,
                "weld" => self.weld(&e)?,
                "joint" => self.joint_equality(&e)?,
                "tendon" => self.tendon_equality(&e)?,
                other => e.ignored(format!("equality of kind {other} is not simulated")),
            }
        }
        Ok(())
    }

    /// Bodies, and the frames of two sites in them, if sites are named.
    fn sites_of(&self, e: &Element<'a>) -> Result<Option<[(usize, Pose); 2]>, ModelFileError> {
        if e.peek("site1").is_none() {
            return Ok(None);
        }
        let mut ends = [(0, Pose::identity()); 2];
        for (k, key) in ["site1", "site2"].into_iter().enumerate() {
            let name = e.need(key)?;
            let site = self.site_of(name).ok_or_else(|| e.reference_error(key, "site", name))?;
            let site = &self.assembly.equipment.sites[site];
            let link = &self.assembly.equipment_links[site.link.0];
            let body = self.body_index.get(link.as_str()).copied().unwrap_or(0);
            // from the link's frame back to the body's
            ends[k] = (body, self.bodies[body].x_lb.inverse().compose(&site.pose));
        }
        Ok(Some(ends))
    }

    fn two_bodies(&self, e: &Element<'a>) -> Result<[usize; 2], ModelFileError> {
        let second = if e.peek("body2").is_some() { self.body_of(e, "body2")? } else { 0 };
        Ok([self.body_of(e, "body1")?, second])
    }

    /// Closes a loop between frames given in two bodies.
    fn close(
        &mut self,
        e: &Element<'a>,
        kind: LoopKind,
        ends: [(usize, Pose); 2],
    ) -> Result<(), ModelFileError> {
        let [(a, x_a), (b, x_b)] = ends;
        let place = |k: usize, x: &Pose| (self.bodies[k].link.clone(), self.bodies[k].x_lb.compose(x));
        let ((link_a, frame_a), (link_b, frame_b)) = (place(a, &x_a), place(b, &x_b));
        if link_a == link_b {
            return Err(e.structure_error("an equality between a body and itself"));
        }
        if self.bodies[a].fixed && self.bodies[b].fixed {
            e.ignored("neither body moves");
            return Ok(());
        }
        let [led, leads] = [a, b].map(|k| self.bodies[k].placed);
        if led != leads {
            let (own, lead) = if led { (1, 0) } else { (0, 1) };
            let ends = [(link_a, frame_a), (link_b, frame_b)];
            let s = self.classes.scope(e, &["equality", e.tag()], None)?;
            let [time, ratio] = s.list::<2>("solref", [0.02, 1.0])?;
            let impedance = s.list::<5>("solimp", [0.9, 0.95, 0.001, 0.5, 2.0])?;
            // what is given directly, as stiffness and damping of unit mass, is negative
            let pull = if time > 0.0 { [time, ratio, impedance[1]] } else { [0.02, 1.0, impedance[1]] };
            let tether = Tether {
                link: self.link_ref(&ends[own].0),
                at: ends[own].1,
                lead: self.link_ref(&ends[lead].0),
                target: ends[lead].1,
                turns: kind == LoopKind::Weld,
                pull,
                inertia: Vec::new(),
            };
            self.assembly.equipment.tethers.push(tether);
            return Ok(());
        }
        self.assembly.loops.push(LoopSpec { kind, link_a, link_b, frame_a, frame_b });
        Ok(())
    }

    fn connect(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        if let Some(ends) = self.sites_of(e)? {
            return self.close(e, LoopKind::Point, ends);
        }
        let [a, b] = self.two_bodies(e)?;
        let anchor = e.vector::<3>("anchor")?.ok_or_else(|| e.missing("anchor"))?;
        let in_a = Pose::new(nalgebra::Matrix3::identity(), Vector3::from(anchor));
        // where the point is in the other body at the reference
        let in_b = self.bodies[b].x_w0.inverse().compose(&self.bodies[a].x_w0).compose(&in_a);
        self.close(e, LoopKind::Point, [(a, in_a), (b, in_b)])
    }

    fn weld(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        if let Some(ends) = self.sites_of(e)? {
            return self.close(e, LoopKind::Weld, ends);
        }
        let [a, b] = self.two_bodies(e)?;
        let mut in_a = self.bodies[a].x_w0.inverse().compose(&self.bodies[b].x_w0);
        if let Some([x, y, z, qw, qx, qy, qz]) = e.vector::<7>("relpose")? {
            let q = Quaternion::new(qw, qx, qy, qz);
            if q.norm() > NO_DIRECTION {
                in_a = Pose::new(q.normalized().to_matrix(), Vector3::new(x, y, z));
            }
        }
        if e.vector::<3>("anchor")?.is_some() {
            e.approximate("anchor", "a rigid weld holds at every point");
        }
        self.close(e, LoopKind::Weld, [(a, in_a), (b, Pose::identity())])
    }

    fn coefficients(&self, e: &Element<'a>) -> Result<[f64; 5], ModelFileError> {
        let s = self.classes.scope(e, &["equality", e.tag()], None)?;
        s.list::<5>("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])
    }

    /// The terms of a joint as a coordinate of the scene.
    fn plain_joint(
        &self,
        e: &Element<'a>,
        key: &str,
    ) -> Result<Option<(String, usize, f64)>, ModelFileError> {
        let name = e.need(key)?;
        let joint = self.find_joint(name).ok_or_else(|| e.reference_error(key, "joint", name))?;
        if !joint.joint().0.is_vector() {
            return Ok(None);
        }
        Ok(Some((joint.link.clone(), 0, 1.0)))
    }

    fn joint_equality(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        let [offset, ratio, square, cube, fourth] = self.coefficients(e)?;
        let mut powers = [0.0; 3];
        let Some(first) = self.plain_joint(e, "joint1")? else {
            e.ignored("only hinges and slides are coupled");
            return Ok(());
        };
        let mut terms = vec![first];
        if e.peek("joint2").is_some() {
            let Some((link, dof, _)) = self.plain_joint(e, "joint2")? else {
                e.ignored("only hinges and slides are coupled");
                return Ok(());
            };
            terms.push((link, dof, -ratio));
            powers = [-square, -cube, -fourth];
        } else if let Some(part) = self.assembly.links.iter_mut().find(|l| l.name == terms[0].0) {
            // it never moves: a limit or friction on it would be a row that nothing answers
            for dof in &mut part.dofs {
                (dof.lower, dof.upper, dof.friction) = (f64::NEG_INFINITY, f64::INFINITY, 0.0);
            }
        }
        self.assembly.couplings.push(CouplingPart { terms, powers, offset });
        Ok(())
    }

    fn tendon_equality(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        let [offset, ratio, square, cube, fourth] = self.coefficients(e)?;
        let (mut terms, mut powers) = (Vec::new(), [0.0; 3]);
        if e.peek("tendon2").is_none() {
            // it never moves: a limit, a spring or friction on it would be a row that nothing answers
            let name = e.need("tendon1")?;
            for t in self.assembly.equipment.tendons.iter_mut().filter(|t| t.name == name) {
                t.limits = [f64::NEG_INFINITY, f64::INFINITY];
                (t.stiffness, t.damping, t.friction) = (0.0, 0.0, 0.0);
            }
        }
        for (key, scale) in [("tendon1", 1.0), ("tendon2", -ratio)] {
            let Some(name) = (if key == "tendon1" { Some(e.need(key)?) } else { e.get(key) }) else {
                continue;
            };
            let found = self.assembly.equipment.tendons.iter().find(|t| t.name == name);
            let Some(TendonPath::Fixed(list)) = found.map(|t| &t.path) else {
                e.ignored(format!("tendon '{name}' is not a fixed one"));
                return Ok(());
            };
            if key == "tendon2" && [square, cube, fourth] != [0.0; 3] {
                if let [one] = &list[..] {
                    let c = one.coefficient;
                    powers = [-square * c.powi(2), -cube * c.powi(3), -fourth * c.powi(4)];
                } else {
                    e.approximate("polycoef", "the straight line of it, for a tendon over several joints");
                }
            }
            for t in list {
                let link = self.assembly.equipment_links[t.link.0].clone();
                terms.push((link, t.dof, scale * t.coefficient));
            }
        }
        self.assembly.couplings.push(CouplingPart { terms, powers, offset });
        Ok(())
    }
}

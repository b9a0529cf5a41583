//! Actuators: force = gain · input + bias along a joint, a tendon, at a site or on the contacts of a body.
//!
//! Every kind of the format is a choice of gain, bias and dynamics of the general one: see `law`.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Actuator, Bias, Dynamics, Gain, Path, Term};

use super::defaults::Scope;
use super::law::law;
use super::{JointKind, Reader};
use crate::error::ModelFileError;
use crate::xml::Element;

const KINDS: [&str; 10] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
];

impl<'a> Reader<'a> {
    pub(super) fn actuators(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        for e in section.children() {
            self.actuator(&e)?;
        }
        Ok(())
    }

    fn actuator(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        let kind = e.tag();
        let s = self.classes.scope(e, &KINDS, None)?;
        // an actuator that cannot act keeps its place among the controls
        let mut actuator = Actuator {
            name: e.get("name").unwrap_or_default().to_owned(),
            path: Path::Adhesion(LinkId::WORLD),
            gear: 0.0,
            gain: Gain::Fixed(0.0),
            bias: Bias::None,
            dynamics: Dynamics::None,
            control_range: None,
            force_range: None,
            activation_range: None,
            early: false,
            damping_ratio: None,
            control: 0.0,
            activation: 0.0,
        };
        self.actuators_seen += 1;
        self.actuator_models.push(e.model());
        let is_known = KINDS[..9].contains(&kind);
        let law = if is_known { law(e, &self.classes.layers(e, &KINDS)?)? } else { None };
        let Some(law) = law else {
            e.ignored(format!("actuators of kind {kind} are not simulated: its control moves nothing"));
            self.assembly.actuators.push(actuator);
            return Ok(());
        };
        e.used();
        s.ignore(&["user", "nsample", "interp", "delay"], "does not change the force");
        s.ignore(&["actdim"], "one state, or none");
        let gear = s.list::<6>("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        let Some((path, gear)) = self.transmission(e, &s, gear)? else {
            self.assembly.actuators.push(actuator);
            return Ok(());
        };
        actuator.control_range = match kind {
            // these keep to their range whatever the switch says
            "damper" | "adhesion" => s.vector::<2>("ctrlrange")?,
            _ => self.range(&s, "ctrlrange", "ctrllimited")?,
        };
        actuator.force_range = self.range(&s, "forcerange", "forcelimited")?;
        actuator.activation_range = self.range(&s, "actrange", "actlimited")?;
        actuator.early = s.flag("actearly")? == Some(true);
        (actuator.gain, actuator.bias, actuator.dynamics) = (law.gain, law.bias, law.dynamics);
        actuator.damping_ratio = law.ratio;
        if self.off.has("clampctrl") {
            actuator.control_range = None;
        }
        // a class may say it for its servos, and motors take the class too
        let servo = match (&actuator.gain, &actuator.bias) {
            (Gain::Fixed(gain), Bias::Affine(b)) => *gain == -b[1] && *gain != 0.0,
            _ => false,
        };
        if let Some(share) = s.number("inheritrange")?.filter(|x| *x > 0.0 && servo) {
            let range = self.inherited(&path, share);
            match kind {
                "intvelocity" => actuator.activation_range = range.or(actuator.activation_range),
                _ => actuator.control_range = range.or(actuator.control_range),
            }
        }
        self.lengths(&s, &mut actuator)?;
        let group = s.number("group")?.unwrap_or(0.0);
        if self.off.has("actuation") || self.off.groups.contains(&group) {
            (actuator.gain, actuator.bias, actuator.damping_ratio) = (Gain::Fixed(0.0), Bias::None, None);
        }
        self.within_string(e, &path, &mut actuator);
        (actuator.path, actuator.gear) = (path, gear);
        self.assembly.actuators.push(actuator);
        Ok(())
    }

    /// The lengths between which a muscle works.
    fn lengths(&mut self, s: &Scope<'a>, actuator: &mut Actuator) -> Result<(), ModelFileError> {
        if matches!(actuator.dynamics, Dynamics::Muscle(_)) || matches!(actuator.gain, Gain::Muscle(_)) {
            let given = s.vector::<2>("lengthrange")?.filter(|[lo, hi]| lo < hi);
            let lengths = given.unwrap_or([f64::NAN; 2]); // found once the model stands
            if given.is_none() {
                self.report.findings.push(crate::report::Finding {
                    severity: crate::report::Severity::Warning,
                    subject: format!("muscle '{}'", actuator.name),
                    what: "says no lengthrange: taken from the joints' limits".into(),
                    fix: "give lengthrange".into(),
                });
            }
            if let Gain::Muscle(m) = &mut actuator.gain {
                m.lengths = lengths;
            }
            if let Bias::Muscle(m) = &mut actuator.bias {
                m.lengths = lengths;
            }
        } else {
            s.ignore(&["lengthrange"], "only muscles need it");
        }
        Ok(())
    }

    /// Keeps the only actuator of a string to what the string bears from actuators.
    fn within_string(&self, e: &Element<'a>, path: &Path, actuator: &mut Actuator) {
        let Path::Tendon(k) = path else { return };
        let Some([lo, hi]) = self.string_bounds[*k] else { return };
        if self.assembly.actuators.iter().any(|a| a.path == *path) {
            e.approximate("tendon", "actuators of one string are kept to its range one by one");
        }
        let [a, b] = actuator.force_range.unwrap_or([lo, hi]);
        actuator.force_range = Some([a.clamp(lo, hi), b.clamp(lo, hi)]);
    }

    /// A range that holds: one that is given and not switched off.
    pub(super) fn range(
        &self,
        s: &Scope<'a>,
        key: &str,
        switch: &str,
    ) -> Result<Option<[f64; 2]>, ModelFileError> {
        let on = s.flag(switch)?.unwrap_or(self.compiler(&s.own()).autolimits);
        let given = s.vector::<2>(key)?;
        if given.is_some() && !on {
            s.ignore(&[key], &format!("switched off by {switch}"));
        }
        match given.filter(|_| on) {
            Some([lo, hi]) if lo > hi => {
                Err(s.own().value_error(key, format!("{lo} {hi}"), "a lower bound, then an upper one"))
            }
            range => Ok(range),
        }
    }

    /// The range of the joint or tendon behind a path, shrunk or widened about its middle.
    fn inherited(&self, path: &Path, share: f64) -> Option<[f64; 2]> {
        let [lo, hi] = match path {
            Path::Joint(t) => {
                let name = &self.assembly.equipment_links[t.link.0];
                let d = self.assembly.links.iter().find(|l| &l.name == name)?.dofs.first()?;
                [d.lower + t.reference, d.upper + t.reference]
            }
            Path::Tendon(k) => self.assembly.equipment.tendons[*k].limits,
            _ => return None,
        };
        let (mean, half) = (0.5 * (lo + hi), 0.5 * (hi - lo));
        half.is_finite().then_some([mean - half * share, mean + half * share])
    }

    fn term(&mut self, e: &Element<'a>, key: &str, name: &str) -> Result<Option<Term>, ModelFileError> {
        let joint = self.find_joint(name).ok_or_else(|| e.reference_error(key, "joint", name))?;
        if !joint.joint().0.is_vector() {
            return Ok(None);
        }
        let (link, reference) = (joint.link.clone(), joint.reference);
        Ok(Some(Term { link: self.link_ref(&link), dof: 0, coefficient: 1.0, reference }))
    }

    /// The term of a hinge or slide, to be measured.
    pub(super) fn need_term(&mut self, e: &Element<'a>, key: &str) -> Result<Option<Term>, ModelFileError> {
        let name = e.need(key)?;
        self.term(e, key, name)
    }

    /// What the actuator acts along, and the gear that is left.
    fn transmission(
        &mut self,
        e: &Element<'a>,
        s: &Scope<'a>,
        gear: [f64; 6],
    ) -> Result<Option<(Path, f64)>, ModelFileError> {
        for (key, in_parent) in [("joint", false), ("jointinparent", true)] {
            let Some(name) = s.text(key) else { continue };
            if let Some(term) = self.term(e, key, name)? {
                return Ok(Some((Path::Joint(term), gear[0])));
            }
            let joint = self.find_joint(name).ok_or_else(|| e.reference_error(key, "joint", name))?;
            let (kind, link) = (joint.kind, joint.link.clone());
            let link = self.link_ref(&link);
            let path = if kind == JointKind::Ball {
                Path::Ball { link, axis: [gear[0], gear[1], gear[2]], in_parent }
            } else {
                Path::Free { link, wrench: gear, in_parent }
            };
            return Ok(Some((path, 1.0)));
        }
        if let Some(name) = s.text("tendon") {
            let found = self.assembly.equipment.tendons.iter().position(|t| t.name == name);
            let k = found.ok_or_else(|| e.reference_error("tendon", "tendon", name))?;
            return Ok(Some((Path::Tendon(k), gear[0])));
        }
        if let Some(name) = s.text("body") {
            let k = *self.body_index.get(name).ok_or_else(|| e.reference_error("body", "body", name))?;
            let link = self.bodies[k].link.clone();
            return Ok(Some((Path::Adhesion(self.link_ref(&link)), 1.0)));
        }
        if s.text("site").is_some() {
            let site = self.site_ref(e, s, "site")?;
            let against = if s.has("refsite") { Some(self.site_ref(e, s, "refsite")?) } else { None };
            return Ok(Some((Path::Site { site, against, wrench: gear }, 1.0)));
        }
        if s.text("cranksite").is_some() {
            let crank = self.site_ref(e, s, "cranksite")?;
            let slider = self.site_ref(e, s, "slidersite")?;
            let rod = s.number("cranklength")?.ok_or_else(|| e.missing("cranklength"))?;
            return Ok(Some((Path::Crank { crank, slider, rod }, gear[0])));
        }
        Err(e.missing("joint, tendon, site, body or cranksite"))
    }

    fn site_ref(&self, e: &Element<'a>, s: &Scope<'a>, key: &str) -> Result<usize, ModelFileError> {
        let name = s.text(key).ok_or_else(|| e.missing(key))?;
        self.site_of(name).ok_or_else(|| e.reference_error(key, "site", name))
    }

    /// Sets the controls and activations of a keyframe.
    pub(super) fn set_controls(&mut self, control: &[f64], activation: &[f64]) {
        let mut states = activation.iter().copied();
        for (k, actuator) in self.assembly.actuators.iter_mut().enumerate() {
            actuator.control = control.get(k).copied().unwrap_or(0.0);
            if actuator.dynamics != Dynamics::None {
                actuator.activation = states.next().unwrap_or(0.0);
            }
        }
    }
}

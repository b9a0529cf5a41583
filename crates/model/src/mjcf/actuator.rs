//! Actuators: force = gain · input + bias along a joint, a tendon, at a site or on the contacts of a body.
//!
//! Every kind of the format is a choice of gain, bias and dynamics of the general one; a shortcut sets them and its class
//! gives what it leaves out.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Actuator, Bias, Dynamics, Gain, Muscle, Path, Term};

use super::defaults::Scope;
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

/// Gain, bias and dynamics of an actuator.
struct Law {
    gain: Gain,
    bias: Bias,
    dynamics: Dynamics,
    /// Damping as a part of the critical one.
    ratio: Option<f64>,
}

impl Law {
    fn plain(gain: f64, bias: [f64; 3]) -> Self {
        let bias = if bias == [0.0; 3] { Bias::None } else { Bias::Affine(bias) };
        Self { gain: Gain::Fixed(gain), bias, dynamics: Dynamics::None, ratio: None }
    }
}

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
        let own = self.classes.scope(e, &[kind, "general"], None)?;
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
        let law = if KINDS[..9].contains(&kind) { self.law_by_class(e, &s, &own)? } else { None };
        let Some(law) = law else {
            e.ignored(format!("actuators of kind {kind} are not simulated: its control moves nothing"));
            self.assembly.actuators.push(actuator);
            return Ok(());
        };
        e.used();
        s.ignore(&["group", "user", "nsample", "interp", "delay"], "does not change the force");
        s.ignore(&["actdim"], "one state, or none");
        let gear = s.list::<6>("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        let Some((path, gear)) = self.transmission(e, &s, gear)? else {
            self.assembly.actuators.push(actuator);
            return Ok(());
        };
        actuator.control_range = self.range(&s, "ctrlrange", "ctrllimited")?;
        actuator.force_range = self.range(&s, "forcerange", "forcelimited")?;
        actuator.activation_range = self.range(&s, "actrange", "actlimited")?;
        actuator.early = s.flag("actearly")? == Some(true);
        (actuator.gain, actuator.bias, actuator.dynamics) = (law.gain, law.bias, law.dynamics);
        actuator.damping_ratio = law.ratio.filter(|r| *r > 0.0);
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
        (actuator.path, actuator.gear) = (path, gear);
        self.assembly.actuators.push(actuator);
        Ok(())
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

    /// What an actuator does; a general one that does not say of what kind it is has that of a shortcut among its defaults.
    fn law_by_class(
        &self,
        e: &Element<'a>,
        s: &Scope<'a>,
        own: &Scope<'a>,
    ) -> Result<Option<Law>, ModelFileError> {
        let typed = ["gaintype", "biastype", "dyntype"].iter().any(|key| own.has(key));
        let Some(tag) = s.tag_behind().filter(|_| e.tag() == "general" && !typed) else {
            return Self::law(e.tag(), own);
        };
        let behind = self.classes.scope(e, &[tag, "general"], None)?;
        let Some(mut law) = Self::law(tag, &behind)? else { return Ok(None) };
        if let (Gain::Muscle(gain), Bias::Muscle(bias)) = (&mut law.gain, &mut law.bias) {
            *gain = muscle_of(&behind.list("gainprm", numbers_of(gain))?);
            *bias = muscle_of(&behind.list("biasprm", numbers_of(bias))?);
        }
        Ok(Some(law))
    }

    fn law(kind: &str, own: &Scope<'a>) -> Result<Option<Law>, ModelFileError> {
        Ok(Some(match kind {
            "motor" => Law::plain(1.0, [0.0; 3]),
            "position" => {
                let [kp, kv] = servo(own)?;
                let ratio = own.number("dampratio")?;
                let time = own.number("timeconst")?.unwrap_or(0.0);
                let dynamics = if time > 0.0 { Dynamics::FilterExact(time) } else { Dynamics::None };
                Law { dynamics, ratio, ..Law::plain(kp, [0.0, -kp, -kv]) }
            }
            "velocity" => {
                let kv = own.number("kv")?.unwrap_or(own.list::<10>("gainprm", ONE)?[0]);
                Law::plain(kv, [0.0, 0.0, -kv])
            }
            "intvelocity" => {
                let [kp, kv] = servo(own)?;
                let ratio = own.number("dampratio")?;
                Law { dynamics: Dynamics::Integrator, ratio, ..Law::plain(kp, [0.0, -kp, -kv]) }
            }
            "damper" => {
                let kv = own.number("kv")?.unwrap_or(1.0);
                Law { gain: Gain::Affine([0.0, 0.0, -kv]), ..Law::plain(0.0, [0.0; 3]) }
            }
            "cylinder" => {
                let area = match own.number("diameter")? {
                    Some(d) => std::f64::consts::FRAC_PI_4 * d * d,
                    None => own.number("area")?.unwrap_or(1.0),
                };
                let bias = own.list::<3>("bias", [0.0; 3])?;
                let time = own.number("timeconst")?.unwrap_or(1.0);
                Law { dynamics: Dynamics::Filter(time), ..Law::plain(area, bias) }
            }
            "muscle" => {
                let times = own.list::<2>("timeconst", [0.01, 0.04])?;
                let smooth = own.number("tausmooth")?.unwrap_or(0.0);
                let range = own.list::<2>("range", [0.75, 1.05])?;
                let mut p = [range[0], range[1], -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
                for (k, key) in
                    ["force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"].iter().enumerate()
                {
                    p[k + 2] = own.number(key)?.unwrap_or(p[k + 2]);
                }
                muscle(&p, Dynamics::Muscle([times[0], times[1], smooth]))
            }
            "adhesion" => Law::plain(own.number("gain")?.unwrap_or(1.0), [0.0; 3]),
            _ => return general(own),
        }))
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

/// What parameter lists of an actuator start from.
const ONE: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// kp and kv of a servo; what it leaves out comes from the parameters of its class.
fn servo(own: &Scope<'_>) -> Result<[f64; 2], ModelFileError> {
    let kp = own.number("kp")?.unwrap_or(own.list::<10>("gainprm", ONE)?[0]);
    let kv = own.number("kv")?.unwrap_or((-own.list::<10>("biasprm", [0.0; 10])?[2]).max(0.0));
    Ok([kp, kv])
}

fn muscle_of(p: &[f64; 9]) -> Muscle {
    let [lo, hi, force, scale, lmin, lmax, vmax, fpmax, fvmax] = *p;
    let (lengths, acc0) = ([f64::NAN; 2], f64::NAN);
    Muscle { range: [lo, hi], force, scale, lmin, lmax, vmax, fpmax, fvmax, lengths, acc0 }
}

fn numbers_of(m: &Muscle) -> [f64; 9] {
    [m.range[0], m.range[1], m.force, m.scale, m.lmin, m.lmax, m.vmax, m.fpmax, m.fvmax]
}

fn muscle(p: &[f64; 9], dynamics: Dynamics) -> Law {
    let m = muscle_of(p);
    Law { gain: Gain::Muscle(m), bias: Bias::Muscle(m), dynamics, ratio: None }
}

/// `<general>`: none if it is of a kind that is not simulated.
fn general(own: &Scope<'_>) -> Result<Option<Law>, ModelFileError> {
    let d = own.list::<10>("dynprm", ONE)?;
    let g = own.list::<10>("gainprm", ONE)?;
    let b = own.list::<10>("biasprm", [0.0; 10])?;
    let dynamics = match own.text("dyntype").unwrap_or("none") {
        "none" => Dynamics::None,
        "integrator" => Dynamics::Integrator,
        "filter" => Dynamics::Filter(d[0]),
        "filterexact" => Dynamics::FilterExact(d[0]),
        "muscle" => {
            // what is left at nothing is a muscle's own
            let times = if d[1] == 0.0 && d[0] == 1.0 { [0.01, 0.04] } else { [d[0], d[1]] };
            Dynamics::Muscle([times[0], times[1], d[2]])
        }
        _ => return Ok(None),
    };
    let nine = |p: &[f64; 10]| {
        let mut nine = [p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]];
        if p[1..].iter().all(|x| *x == 0.0) {
            nine = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        }
        nine
    };
    let gain = match own.text("gaintype").unwrap_or("fixed") {
        "fixed" => Gain::Fixed(g[0]),
        "affine" => Gain::Affine([g[0], g[1], g[2]]),
        "muscle" => muscle(&nine(&g), dynamics).gain,
        _ => return Ok(None),
    };
    let bias = match own.text("biastype").unwrap_or("none") {
        "none" => Bias::None,
        "affine" => Bias::Affine([b[0], b[1], b[2]]),
        "muscle" => muscle(&nine(&b), dynamics).bias,
        _ => return Ok(None),
    };
    Ok(Some(Law { gain, bias, dynamics, ratio: None }))
}

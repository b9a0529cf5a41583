//! Actuators as controllers: force = gain · control + bias₀ + bias₁ · length + bias₂ · velocity, through a gear.
//!
//! Without a bias that is a force; with a negative bias₁ or bias₂ a spring and a damper towards a target, which the
//! simulator takes at the end of the step. The control starts at zero, or at the keyframe's.

use gudgeon_sim::{Controller, JointMotion};

use super::Reader;
use super::defaults::Scope;
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

/// A link that an actuator drives, its coefficient in a tendon, and the reference of its joint.
type Driven = (String, f64, f64);

/// The law of an actuator.
struct Law {
    gain: f64,
    bias: [f64; 3],
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
        if !["general", "motor", "position", "velocity"].contains(&kind) {
            e.ignored(format!("actuators of kind {kind} are not simulated"));
            return Ok(());
        }
        e.used();
        let _ = e.get("name");
        s.ignore(&["ctrllimited", "ctrlrange", "inheritrange"], "whoever sets the control keeps its range");
        s.ignore(&["actlimited", "actrange", "actearly", "actdim", "lengthrange"], "actuators have no state");
        s.ignore(&["group", "user", "nsample", "interp", "delay"], "does not change the force");
        let Some(law) = Self::law(e, &own)? else { return Ok(()) };
        let Some(targets) = self.transmission(e, &s)? else { return Ok(()) };
        let gear = s.list::<6>("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?[0];
        let effort = if s.flag("forcelimited")? == Some(false) {
            f64::INFINITY
        } else {
            s.vector::<2>("forcerange")?.map_or(f64::INFINITY, |[lo, hi]| lo.abs().max(hi.abs()))
        };
        let springy = law.bias[1] < 0.0 || law.bias[2] < 0.0;
        if springy && targets.len() > 1 {
            e.approximated("each joint of the tendon has the spring for itself");
        }
        if !springy && effort.is_finite() {
            s.approximate("forcerange", "whoever sets the control keeps the force in range");
        }
        for (link, coefficient, reference) in targets {
            let c = gear * coefficient;
            let controller = if springy {
                let (k, d) = (-law.bias[1], -law.bias[2]);
                // at zero control; k may be zero for a pure damper
                let target = if k > 0.0 && c != 0.0 { law.bias[0] / k / c - reference } else { 0.0 };
                Controller::Pd {
                    motion: JointMotion::constant(&link, target),
                    stiffness: (k * c * c).max(0.0),
                    damping: (d * c * c).max(0.0),
                    effort: effort * c.abs(),
                }
            } else {
                Controller::Force { link, dof: 0, force: c * law.bias[0] }
            };
            self.assembly.controllers.push(controller);
            self.laws.push((self.actuators_seen, c, law.gain, law.bias, reference));
        }
        self.actuators_seen += 1;
        Ok(())
    }

    fn law(e: &Element<'a>, own: &Scope<'a>) -> Result<Option<Law>, ModelFileError> {
        Ok(Some(match e.tag() {
            "motor" => Law { gain: 1.0, bias: [0.0; 3] },
            "position" => {
                let kp = own.number("kp")?.unwrap_or(1.0);
                let kv = own.number("kv")?.unwrap_or(0.0);
                own.ignore(&["timeconst"], "the control acts at once");
                if own.has("dampratio") {
                    own.approximate("dampratio", "no damping of its own");
                }
                Law { gain: kp, bias: [0.0, -kp, -kv] }
            }
            "velocity" => {
                let kv = own.number("kv")?.unwrap_or(1.0);
                Law { gain: kv, bias: [0.0, 0.0, -kv] }
            }
            _ => {
                let dynamics = own.text("dyntype").unwrap_or("none");
                if dynamics != "none" {
                    own.approximate("dyntype", "the control acts at once");
                }
                own.ignore(&["dynprm"], "the control acts at once");
                let (gain, bias) =
                    (own.text("gaintype").unwrap_or("fixed"), own.text("biastype").unwrap_or("none"));
                if !["fixed", "affine"].contains(&gain) || !["none", "affine"].contains(&bias) {
                    e.ignored(format!("gain of type {gain} with bias of type {bias} is not simulated"));
                    return Ok(None);
                }
                if gain == "affine" {
                    own.approximate("gaintype", "the gain at zero length and speed");
                }
                let g = own.list::<10>("gainprm", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
                let b = own.list::<10>("biasprm", [0.0; 10])?;
                Law { gain: g[0], bias: if bias == "none" { [0.0; 3] } else { [b[0], b[1], b[2]] } }
            }
        }))
    }

    /// Links that the actuator drives, with coefficients and references.
    fn transmission(&self, e: &Element<'a>, s: &Scope<'a>) -> Result<Option<Vec<Driven>>, ModelFileError> {
        for key in ["joint", "jointinparent"] {
            let Some(name) = s.text(key) else { continue };
            let joint = self.find_joint(name).ok_or_else(|| e.reference_error(key, "joint", name))?;
            if !joint.joint().0.is_vector() {
                e.ignored("balls and free joints are not driven by one number");
                return Ok(None);
            }
            return Ok(Some(vec![(joint.link.clone(), 1.0, joint.reference)]));
        }
        if let Some(name) = s.text("tendon") {
            let Some(terms) = self.tendons.get(name) else {
                e.ignored(format!("tendon '{name}' is not a fixed one"));
                return Ok(None);
            };
            let link = |joint: &str| self.find_joint(joint).map(|j| (j.link.clone(), j.reference));
            let list = terms.iter().filter_map(|(j, c)| link(j).map(|(l, r)| (l, *c, r))).collect();
            return Ok(Some(list));
        }
        e.ignored("only joints and fixed tendons are driven");
        Ok(None)
    }

    /// Sets the controls of a keyframe.
    pub(super) fn set_controls(&mut self, control: &[f64]) {
        for (controller, (index, c, gain, bias, reference)) in
            self.assembly.controllers.iter_mut().zip(&self.laws)
        {
            let u = control.get(*index).copied().unwrap_or(0.0);
            match controller {
                Controller::Force { force, .. } => *force = c * (gain * u + bias[0]),
                Controller::Pd { motion, stiffness, .. } if *stiffness > 0.0 => {
                    let link = motion.joints()[0].clone();
                    *motion = JointMotion::constant(&link, (gain * u + bias[0]) / -bias[1] / c - reference);
                }
                _ => {}
            }
        }
    }
}

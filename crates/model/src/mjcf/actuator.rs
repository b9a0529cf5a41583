//! Actuators as controllers: force = gain · control + bias₀ + bias₁ · length + bias₂ · velocity, through a gear.
//!
//! Without a bias that is a force; with a negative bias₁ or bias₂ a spring and a damper towards a target, which the
//! simulator takes at the end of the step. The control starts at zero, or at the keyframe's, within its range.
//!
//! A force has no bounds of its own in the simulator; its joint has. Where everything that drives a joint is bounded,
//! by the range of the control or of the force, the joint's effort is the largest of the bounds.

use std::collections::BTreeMap;

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
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    gain: f64,
    bias: [f64; 3],
    /// Damping as a part of the critical one.
    ratio: Option<f64>,
}

/// What a controller was made of, to set it to another control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    /// Which actuator.
    actuator: usize,
    law: Law,
    /// Gear times the coefficient in a tendon.
    gear: f64,
    /// Of the joint.
    reference: f64,
    range: Option<[f64; 2]>,
}

impl<'a> Reader<'a> {
    pub(super) fn actuators(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        // by link: the largest bound of what drives it
        let mut bounds: BTreeMap<String, f64> = BTreeMap::new();
        for e in section.children() {
            self.actuator(&e, &mut bounds)?;
        }
        for link in &mut self.assembly.links {
            if let (Some(bound), [dof]) = (bounds.get(&link.name), &mut link.dofs[..]) {
                dof.effort = dof.effort.min(*bound);
            }
        }
        Ok(())
    }

    fn actuator(
        &mut self,
        e: &Element<'a>,
        bounds: &mut BTreeMap<String, f64>,
    ) -> Result<(), ModelFileError> {
        let kind = e.tag();
        let s = self.classes.scope(e, &KINDS, None)?;
        let own = self.classes.scope(e, &[kind, "general"], None)?;
        if !["general", "motor", "position", "velocity"].contains(&kind) {
            e.ignored(format!("actuators of kind {kind} are not simulated"));
            return Ok(());
        }
        e.used();
        let _ = e.get("name");
        s.ignore(&["inheritrange"], "the control has the range that is given, or none");
        s.ignore(&["actlimited", "actrange", "actearly", "actdim", "lengthrange"], "actuators have no state");
        s.ignore(&["group", "user", "nsample", "interp", "delay"], "does not change the force");
        let Some(mut law) = Self::law(e, &own)? else { return Ok(()) };
        let Some(targets) = self.transmission(e, &s)? else { return Ok(()) };
        let gear = s.list::<6>("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?[0];
        let range = self.range(&s, "ctrlrange", "ctrllimited")?;
        let force = self.range(&s, "forcerange", "forcelimited")?;
        for (name, given) in [("ctrlrange", range), ("forcerange", force)] {
            if given.is_some_and(|[lo, hi]| lo != -hi) {
                s.approximate(name, "not symmetric: the larger bound counts in both directions");
            }
        }
        let largest =
            |range: Option<[f64; 2]>| range.map_or(f64::INFINITY, |[lo, hi]| lo.abs().max(hi.abs()));
        let effort = largest(force);
        if let Some(ratio) = law.ratio {
            law.bias[2] -= self.critical_damping(&targets, gear, -law.bias[1]) * ratio;
        }
        let springy = law.bias[1] < 0.0 || law.bias[2] < 0.0;
        if springy && targets.len() > 1 {
            e.approximated("each joint of the tendon has the spring for itself");
        }
        if springy && range.is_some() {
            s.approximate(
                "ctrlrange",
                "a keyframe's control is kept within; a target that is set later is not",
            );
        }
        for (link, coefficient, reference) in targets {
            let c = gear * coefficient;
            let controller = if springy {
                let (k, d) = (-law.bias[1], -law.bias[2]);
                Controller::Pd {
                    motion: JointMotion::constant(&link, 0.0),
                    stiffness: (k * c * c).max(0.0),
                    damping: (d * c * c).max(0.0),
                    effort: effort * c.abs(),
                }
            } else {
                Controller::Force { link: link.clone(), dof: 0, force: 0.0 }
            };
            let control = largest(range);
            let bound =
                if springy { effort } else { effort.min(law.gain.abs() * control + law.bias[0].abs()) };
            let bound = if c == 0.0 { 0.0 } else { bound * c.abs() };
            let all = bounds.entry(link).or_insert(0.0);
            *all = all.max(bound);
            self.assembly.controllers.push(controller);
            self.sources.push(Source { actuator: self.actuators_seen, law, gear: c, reference, range });
        }
        self.actuators_seen += 1;
        let _ = self.set_controls(&[]);
        Ok(())
    }

    /// A range that holds: one that is given and not switched off.
    fn range(&self, s: &Scope<'a>, key: &str, switch: &str) -> Result<Option<[f64; 2]>, ModelFileError> {
        let on = s.flag(switch)?.unwrap_or(self.compiler.autolimits);
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

    /// 2 √(k m) with the inertia m that the actuator sees at the reference.
    fn critical_damping(&self, targets: &[Driven], gear: f64, k: f64) -> f64 {
        let inertia = self.reference_inertia();
        let seen = targets.iter().filter_map(|(link, coefficient, _)| {
            let c = gear * coefficient;
            (c * c > 1e-15).then(|| inertia.get(link).map_or(0.0, |m| m / (c * c)))
        });
        2.0 * (k.max(0.0) * seen.sum::<f64>()).sqrt()
    }

    fn law(e: &Element<'a>, own: &Scope<'a>) -> Result<Option<Law>, ModelFileError> {
        Ok(Some(match e.tag() {
            "motor" => Law { gain: 1.0, bias: [0.0; 3], ratio: None },
            "position" => {
                let kp = own.number("kp")?.unwrap_or(1.0);
                let kv = own.number("kv")?.unwrap_or(0.0);
                own.ignore(&["timeconst"], "the control acts at once");
                let ratio = own.number("dampratio")?;
                Law { gain: kp, bias: [0.0, -kp, -kv], ratio }
            }
            "velocity" => {
                let kv = own.number("kv")?.unwrap_or(1.0);
                Law { gain: kv, bias: [0.0, 0.0, -kv], ratio: None }
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
                Law {
                    gain: g[0],
                    bias: if bias == "none" { [0.0; 3] } else { [b[0], b[1], b[2]] },
                    ratio: None,
                }
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

    /// Sets the controls, zero where there is none, each within its range.
    /// False if a control could not be taken over: a damper alone has no speed to aim at.
    pub(super) fn set_controls(&mut self, control: &[f64]) -> bool {
        let mut all = true;
        for (controller, source) in self.assembly.controllers.iter_mut().zip(&self.sources) {
            let Source { law: Law { gain, bias, .. }, gear, reference, range, .. } = *source;
            let given = control.get(source.actuator).copied().unwrap_or(0.0);
            let u = range.map_or(given, |[lo, hi]| given.clamp(lo, hi));
            match controller {
                Controller::Force { force, .. } => *force = gear * (gain * u + bias[0]),
                // without a spring there is no target
                Controller::Pd { motion, stiffness, .. } if *stiffness > 0.0 => {
                    let link = motion.joints()[0].clone();
                    *motion =
                        JointMotion::constant(&link, (gain * u + bias[0]) / -bias[1] / gear - reference);
                }
                _ => all &= u == 0.0,
            }
        }
        all
    }
}

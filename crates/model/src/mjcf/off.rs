//! `<flag>` of `<option>`: what a file switches off.
//!
//! | flag | what is left out |
//! |---|---|
//! | `gravity`, `contact`, `equality` | weights, contacts, loops and couplings |
//! | `limit`, `frictionloss` | bounds and friction of joints and strings |
//! | `constraint` | all of the last five |
//! | `spring`, `damper` (`passive`: both) | springs and damping of joints and strings |
//! | `actuation`, `clampctrl` | forces of actuators, bounds of their controls |

use gudgeon_multibody::Dof;

use super::Reader;
use crate::xml::Element;

/// The switches that are obeyed, each with what it stands for.
const SWITCHES: [(&str, &[&str]); 11] = [
    ("gravity", &["gravity"]),
    ("contact", &["contact"]),
    ("equality", &["equality"]),
    ("limit", &["limit"]),
    ("frictionloss", &["frictionloss"]),
    ("constraint", &["contact", "equality", "limit", "frictionloss"]),
    ("spring", &["spring"]),
    ("damper", &["damper"]),
    ("passive", &["spring", "damper"]),
    ("actuation", &["actuation"]),
    ("clampctrl", &["clampctrl"]),
];

/// What is switched off.
#[derive(Debug, Clone, Default)]
pub(super) struct Off {
    switches: Vec<&'static str>, // as the file names them
    /// Groups of actuators.
    pub(super) groups: Vec<f64>,
}

impl Off {
    /// Takes in a `<flag>`; a later one may switch on again what it names itself.
    pub(super) fn read(&mut self, flag: &Element<'_>) {
        flag.used();
        for (name, _) in SWITCHES {
            match flag.get(name) {
                Some("disable") => self.switches.push(name),
                Some(_) => self.switches.retain(|switch| *switch != name),
                None => {}
            }
        }
        flag.ignore_rest("the simulator has no such switch");
    }

    /// Whether a switch that stands for this is off: `contact` stays off under `constraint`, whatever its own says.
    pub(super) fn has(&self, word: &str) -> bool {
        SWITCHES.iter().any(|(name, meaning)| meaning.contains(&word) && self.switches.contains(name))
    }
}

impl Reader<'_> {
    /// Leaves out what is switched off of joints and strings; last, for others take numbers from them.
    pub(super) fn switch_off(&mut self) {
        let [spring, damper, limit, friction] =
            ["spring", "damper", "limit", "frictionloss"].map(|word| self.off.has(word));
        let plain = Dof::default();
        for dof in self.assembly.links.iter_mut().flat_map(|l| &mut l.dofs) {
            if spring {
                dof.stiffness = plain.stiffness;
            }
            if damper {
                dof.damping = plain.damping;
            }
            if limit {
                (dof.lower, dof.upper) = (plain.lower, plain.upper);
            }
            if friction {
                dof.friction = plain.friction;
            }
        }
        let equipment = &mut self.assembly.equipment;
        for string in &mut equipment.tendons {
            if spring {
                string.stiffness = 0.0;
            }
            if damper {
                string.damping = 0.0;
            }
            if limit {
                string.limits = [f64::NEG_INFINITY, f64::INFINITY];
            }
            if friction {
                string.friction = 0.0;
            }
        }
        for swing in &mut equipment.swings {
            if spring {
                swing.stiffness = 0.0;
            }
            if limit {
                swing.limit = f64::INFINITY;
            }
        }
        if damper {
            equipment.thrust.clear();
        }
    }
}

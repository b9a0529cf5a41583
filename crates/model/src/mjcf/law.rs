//! Gain, bias and dynamics of an actuator, as the format puts them together.
//!
//! Of all that a class says of actuators its last element counts, and what that one began with: what was there before it in its own class, if that is
//! of its kind or `<general>`, else what the nearest class around has of either; a `<general>` begins with whatever is nearest. Each writes
//! over what was there, and what none of them writes stays; so does the element itself. A `<position>` without `kp` therefore takes the gain of a nearer
//! `<general>`, and not the `kp` of a class around it, nor one that a `<motor>` of the same class has written over.
//!
//! | shortcut | writes |
//! |---|---|
//! | motor | gain 1, no bias, no dynamics |
//! | position, intvelocity | gain kp, bias −kp and −kv, or the damping ratio as a positive −kv; exact filter where a time is given; or an integrator |
//! | velocity | gain kv, bias 0 0 −kv, no dynamics |
//! | damper | gain 0 0 −kv of an affine one, no bias, no dynamics |
//! | cylinder | gain area, bias as given, filter |
//! | muscle | what is still as in no class is a muscle's own; then what is given |
//! | adhesion | gain, no bias, no dynamics |

use gudgeon_sim::{Bias, Dynamics, Gain, Muscle};

use crate::error::ModelFileError;
use crate::xml::Element;

/// Gain, bias and dynamics of an actuator.
pub(super) struct Law {
    pub gain: Gain,
    pub bias: Bias,
    pub dynamics: Dynamics,
    /// Damping as a part of the critical one.
    pub ratio: Option<f64>,
}

/// Kinds of gain and bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Affine,
    Muscle,
    Unknown,
}

/// Kinds of dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    At,
    Integrates,
    Filters,
    FiltersExactly,
    Contracts,
    Unknown,
}

/// The numbers of an actuator as the format keeps them.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    gain: (Kind, [f64; 10]),
    bias: (Kind, [f64; 10]),
    dynamics: (Follows, [f64; 10]),
    /// Whether a servo has said its time.
    timed: bool,
}

/// Before anything is said.
const NOTHING: Numbers = Numbers {
    gain: (Kind::Plain, ONE),
    bias: (Kind::Plain, [0.0; 10]),
    dynamics: (Follows::At, ONE),
    timed: false,
};
/// What lists of numbers start from.
const ONE: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// Of a muscle that says nothing: range, force, scale, lmin, lmax, vmax, fpmax, fvmax; and its time constants, s.
const MUSCLE: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
const TIMES: [f64; 2] = [0.01, 0.04];

/// What the actuator does; none if it is of a kind that is not simulated. `layers` is what its classes say of actuators, the outermost first.
pub(super) fn law(own: &Element<'_>, layers: &[Vec<Element<'_>>]) -> Result<Option<Law>, ModelFileError> {
    // the last element of each class, the outermost first
    let mut said: Vec<(&str, Numbers)> = Vec::new();
    let begin = |said: &[(&str, Numbers)], tag: &str| {
        let near = said.iter().rev().find(|(kind, _)| tag == "general" || *kind == "general" || *kind == tag);
        near.map_or(NOTHING, |(_, numbers)| *numbers)
    };
    for layer in layers {
        let around = said.len();
        for element in layer {
            let mut numbers = begin(&said, element.tag());
            numbers.general(element)?;
            numbers.shortcut(element)?;
            said.truncate(around);
            said.push((element.tag(), numbers));
        }
    }
    let mut numbers = begin(&said, own.tag());
    numbers.general(own)?;
    numbers.shortcut(own)?;
    Ok(numbers.law())
}

impl Numbers {
    /// What every kind of actuator may say.
    fn general(&mut self, e: &Element<'_>) -> Result<(), ModelFileError> {
        let lists =
            [("gainprm", &mut self.gain.1), ("biasprm", &mut self.bias.1), ("dynprm", &mut self.dynamics.1)];
        for (name, list) in lists {
            let Some(given) = e.numbers(name)? else { continue };
            let room = list.len();
            let Some(head) = list.get_mut(..given.len()) else {
                let expected = format!("at most {room} numbers");
                return Err(e.value_error(name, format!("{} numbers", given.len()), &expected));
            };
            head.copy_from_slice(&given);
        }
        let kind = |word: &str, plain: &str| match word {
            "affine" => Kind::Affine,
            "muscle" => Kind::Muscle,
            word if word == plain => Kind::Plain,
            _ => Kind::Unknown,
        };
        if let Some(word) = e.get("gaintype") {
            self.gain.0 = kind(word, "fixed");
        }
        if let Some(word) = e.get("biastype") {
            self.bias.0 = kind(word, "none");
        }
        if let Some(word) = e.get("dyntype") {
            self.dynamics.0 = match word {
                "none" => Follows::At,
                "integrator" => Follows::Integrates,
                "filter" => Follows::Filters,
                "filterexact" => Follows::FiltersExactly,
                "muscle" => Follows::Contracts,
                _ => Follows::Unknown,
            };
        }
        Ok(())
    }

    /// What a shortcut writes over it.
    fn shortcut(&mut self, e: &Element<'_>) -> Result<(), ModelFileError> {
        let (gain, bias) = (&mut self.gain, &mut self.bias);
        match e.tag() {
            "motor" => {
                gain.1[0] = 1.0;
                self.are(Kind::Plain, Kind::Plain, Follows::At);
            }
            "position" | "intvelocity" => self.servo(e)?,
            "velocity" => {
                let kv = e.number("kv")?.unwrap_or(gain.1[0]);
                (gain.1[0], bias.1) = (kv, [0.0; 10]);
                bias.1[2] = -kv;
                self.are(Kind::Plain, Kind::Affine, Follows::At);
            }
            "damper" => {
                let inherited = if gain.0 == Kind::Affine { -gain.1[2] } else { 0.0 };
                gain.1 = [0.0; 10];
                gain.1[2] = -e.number("kv")?.unwrap_or(inherited);
                self.are(Kind::Affine, Kind::Plain, Follows::At);
            }
            "cylinder" => {
                let round = e.number("diameter")?.map(|d| std::f64::consts::FRAC_PI_4 * d * d);
                gain.1[0] = round.or(e.number("area")?).unwrap_or(gain.1[0]);
                for (own, given) in bias.1.iter_mut().zip(e.numbers("bias")?.unwrap_or_default()) {
                    *own = given;
                }
                self.dynamics.1[0] = e.number("timeconst")?.unwrap_or(self.dynamics.1[0]);
                self.are(Kind::Plain, Kind::Affine, Follows::Filters);
            }
            "muscle" => self.muscle(e)?,
            "adhesion" => {
                gain.1[0] = e.number("gain")?.unwrap_or(gain.1[0]);
                self.are(Kind::Plain, Kind::Plain, Follows::At);
            }
            "dcmotor" => self.are(Kind::Unknown, Kind::Unknown, Follows::Unknown),
            _ => {}
        }
        Ok(())
    }

    fn are(&mut self, gain: Kind, bias: Kind, dynamics: Follows) {
        (self.gain.0, self.bias.0, self.dynamics.0) = (gain, bias, dynamics);
    }

    fn servo(&mut self, e: &Element<'_>) -> Result<(), ModelFileError> {
        let kp = e.number("kp")?.unwrap_or(self.gain.1[0]);
        (self.gain.1[0], self.bias.1[1]) = (kp, -kp);
        if let Some(kv) = e.number("kv")? {
            self.bias.1[2] = -kv;
        }
        if let Some(ratio) = e.number("dampratio")? {
            self.bias.1[2] = ratio;
        }
        // a time that a servo said before stays; any other dynamics do not
        let mut follows = if self.timed { self.dynamics.0 } else { Follows::At };
        if let Some(time) = e.number("timeconst")? {
            self.dynamics.1[0] = time;
            self.timed = true;
            follows = if time > 0.0 { Follows::FiltersExactly } else { Follows::At };
        }
        if e.tag() == "intvelocity" {
            follows = Follows::Integrates;
        }
        self.are(Kind::Plain, Kind::Affine, follows);
        Ok(())
    }

    fn muscle(&mut self, e: &Element<'_>) -> Result<(), ModelFileError> {
        // numbers that are as no class has changed them
        let (dynamics, gain) = (&mut self.dynamics.1, &mut self.gain.1);
        for k in 0..MUSCLE.len() {
            if gain[k] == ONE[k] {
                gain[k] = MUSCLE[k];
            }
        }
        for k in 0..TIMES.len() {
            if dynamics[k] == ONE[k] {
                dynamics[k] = TIMES[k];
            }
        }
        let put = |list: &mut [f64; 10], from: usize, given: Vec<f64>| {
            list[from..].iter_mut().zip(given).for_each(|(own, x)| *own = x);
        };
        put(dynamics, 0, e.numbers("timeconst")?.unwrap_or_default());
        put(dynamics, 2, e.number("tausmooth")?.into_iter().collect());
        put(gain, 0, e.numbers("range")?.unwrap_or_default());
        for (k, key) in ["force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"].iter().enumerate() {
            put(gain, k + 2, e.number(key)?.into_iter().collect());
        }
        self.bias.1[..MUSCLE.len()].copy_from_slice(&self.gain.1[..MUSCLE.len()]);
        self.are(Kind::Muscle, Kind::Muscle, Follows::Contracts);
        Ok(())
    }

    fn law(&self) -> Option<Law> {
        let ((gain, g), (bias, mut b), (follows, d)) = (self.gain, self.bias, self.dynamics);
        let servo = gain == Kind::Plain && bias == Kind::Affine && b[1] == -g[0];
        // a servo with a positive number there says how much of the critical damping it has
        let ratio = (servo && b[2] > 0.0).then_some(b[2]);
        if ratio.is_some() {
            b[2] = 0.0;
        }
        let gain = match gain {
            Kind::Plain => Gain::Fixed(g[0]),
            Kind::Affine => Gain::Affine([g[0], g[1], g[2]]),
            Kind::Muscle => Gain::Muscle(muscle_of(&g)),
            Kind::Unknown => return None,
        };
        let bias = match bias {
            Kind::Affine if b[..3] != [0.0; 3] => Bias::Affine([b[0], b[1], b[2]]),
            Kind::Plain | Kind::Affine => Bias::None,
            Kind::Muscle => Bias::Muscle(muscle_of(&b)),
            Kind::Unknown => return None,
        };
        let dynamics = match follows {
            Follows::At => Dynamics::None,
            Follows::Integrates => Dynamics::Integrator,
            Follows::Filters => Dynamics::Filter(d[0]),
            Follows::FiltersExactly => Dynamics::FilterExact(d[0]),
            // what is left at nothing is a muscle's own
            Follows::Contracts if d[..2] == ONE[..2] => Dynamics::Muscle([TIMES[0], TIMES[1], d[2]]),
            Follows::Contracts => Dynamics::Muscle([d[0], d[1], d[2]]),
            Follows::Unknown => return None,
        };
        Some(Law { gain, bias, dynamics, ratio })
    }
}

/// A muscle of these numbers, or the format's own where they say nothing.
fn muscle_of(p: &[f64; 10]) -> Muscle {
    let said = p[1..].iter().any(|x| *x != 0.0);
    let given = [p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]];
    let [lo, hi, force, scale, lmin, lmax, vmax, fpmax, fvmax] = if said { given } else { MUSCLE };
    let (lengths, acc0) = ([f64::NAN; 2], f64::NAN);
    Muscle { range: [lo, hi], force, scale, lmin, lmax, vmax, fpmax, fvmax, lengths, acc0 }
}

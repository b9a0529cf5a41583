//! What a built-in scene may be told: numbers by name, each with a default and a range.

use std::collections::BTreeMap;

use gudgeon_collide::ShapeError;

use crate::error::SceneError;

/// A number that a scene takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it is, with its unit.
    pub about: &'static str,
    /// Its value if nothing is said.
    pub default: f64,
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub most: f64,
    /// Whether it counts something.
    pub whole: bool,
}

impl Key {
    /// A real number.
    pub(super) const fn real(name: &'static str, about: &'static str, default: f64, range: [f64; 2]) -> Self {
        Self { name, about, default, least: range[0], most: range[1], whole: false }
    }

    /// A count.
    pub(super) const fn count(
        name: &'static str,
        about: &'static str,
        default: f64,
        range: [f64; 2],
    ) -> Self {
        Self { name, about, default, least: range[0], most: range[1], whole: true }
    }
}

/// Numbers by name, as given by the caller; a scene checks them against its [`Key`]s.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    given: BTreeMap<String, f64>,
}

/// Why a built-in scene could not be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltinError {
    /// No scene of that name.
    #[error("there is no built-in scene '{name}'; there are {}", super::names())]
    UnknownScene {
        /// The name.
        name: String,
    },
    /// A setting that the scene does not take.
    #[error("scene '{scene}' takes no '{key}'; it takes {allowed}")]
    UnknownKey {
        /// The scene.
        scene: String,
        /// The name.
        key: String,
        /// What it does take.
        allowed: String,
    },
    /// Not of the form key=value.
    #[error("'{text}' is not of the form key=value with a number")]
    Form {
        /// What was given.
        text: String,
    },
    /// A number out of its range.
    #[error("'{key}' of scene '{scene}' is {value}, expected {expected}")]
    Range {
        /// The scene.
        scene: String,
        /// The name.
        key: &'static str,
        /// The number.
        value: f64,
        /// What would be right.
        expected: String,
    },
    /// The scene itself is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A shape cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Params {
    /// Nothing said: every number at its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says a number; the last word counts.
    pub fn set(mut self, key: &str, value: f64) -> Self {
        self.given.insert(key.to_owned(), value);
        self
    }

    /// Reads `key=value`, as on the command line.
    pub fn parse<S: AsRef<str>>(settings: impl IntoIterator<Item = S>) -> Result<Self, BuiltinError> {
        let mut params = Self::new();
        for setting in settings {
            let text = setting.as_ref();
            let form = || BuiltinError::Form { text: text.to_owned() };
            let (key, value) = text.split_once('=').ok_or_else(form)?;
            params = params.set(key.trim(), value.trim().parse().map_err(|_| form())?);
        }
        Ok(params)
    }

    /// Checks what was given against what `scene` takes and fills in the rest.
    pub(super) fn resolve(&self, scene: &str, keys: &'static [Key]) -> Result<Values, BuiltinError> {
        if let Some(key) = self.given.keys().find(|&k| keys.iter().all(|key| key.name != k)) {
            let names: Vec<&str> = keys.iter().map(|k| k.name).collect();
            let allowed = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            return Err(BuiltinError::UnknownKey { scene: scene.to_owned(), key: key.clone(), allowed });
        }
        let mut values = BTreeMap::new();
        for key in keys {
            let value = self.given.get(key.name).copied().unwrap_or(key.default);
            let in_range = (key.least..=key.most).contains(&value);
            if !in_range || (key.whole && value.fract() != 0.0) {
                let kind = if key.whole { "a whole number" } else { "a number" };
                let expected = format!("{kind} from {} to {}", key.least, key.most);
                return Err(BuiltinError::Range { scene: scene.to_owned(), key: key.name, value, expected });
            }
            values.insert(key.name, value);
        }
        Ok(Values { values })
    }
}

/// Every number of a scene, checked.
#[derive(Debug, Clone)]
pub(super) struct Values {
    values: BTreeMap<&'static str, f64>,
}

impl Values {
    /// The number of that name.
    pub(super) fn real(&self, key: &str) -> f64 {
        self.values[key]
    }

    /// The count of that name.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole, in range")]
    pub(super) fn count(&self, key: &str) -> usize {
        self.values[key] as usize
    }

    /// The angle of that name, given in degrees, in radians.
    pub(super) fn angle(&self, key: &str) -> f64 {
        self.values[key].to_radians()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[Key] =
        &[Key::count("boxes", "how many", 10.0, [1.0, 100.0]), Key::real("mu", "friction", 0.5, [0.0, 2.0])];

    #[test]
    fn what_is_not_said_has_its_default() {
        let values = Params::parse(["mu=0.25"]).unwrap().resolve("stack", KEYS).unwrap();
        assert_eq!((values.count("boxes"), values.real("mu")), (10, 0.25));
    }

    #[test]
    fn a_wrong_key_is_answered_with_the_right_ones() {
        let error = Params::new().set("box", 3.0).resolve("stack", KEYS).unwrap_err();
        assert_eq!(error.to_string(), "scene 'stack' takes no 'box'; it takes boxes, mu");
    }

    #[test]
    fn wrong_numbers_are_named_with_their_range() {
        for (key, value) in [("boxes", 2.5), ("boxes", 0.0), ("mu", f64::NAN), ("mu", -1.0)] {
            let error = Params::new().set(key, value).resolve("stack", KEYS).unwrap_err();
            assert!(matches!(error, BuiltinError::Range { .. }), "{key}={value}: {error}");
        }
        for text in ["mu", "mu=much", "=3=4"] {
            assert!(matches!(Params::parse([text]), Err(BuiltinError::Form { .. })), "{text}");
        }
    }
}

//! Formulas of scene files: numbers by names, the four operations, powers, functions, units.
//!
//! ```text
//!     sum    = term  { (+|-) term }
//!     term   = sign  { (*|/) sign }
//!     sign   = [+|-] sign | power
//!     power  = factor [ ^ sign ]                      -2^2 = -4, 2^-1 = 0.5, 2^3^2 = 512
//!     factor = number [ name ] | name | name ( sum { , sum } ) | ( sum )
//! ```
//! A name right after a number multiplies it: `90 deg`, `60 rpm`, `12 mm`. Angles are radians.

use std::f64::consts::{PI, TAU};

/// Constants and units; a parameter of the same name comes first.
const CONSTANTS: [(&str, f64); 12] = [
    ("pi", PI),
    ("tau", TAU),
    ("deg", PI / 180.0),
    ("rpm", TAU / 60.0),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("um", 1e-6),
    ("ms", 1e-3),
    ("kN", 1e3),
    ("MPa", 1e6),
    ("GPa", 1e9),
    ("g", 1e-3),
];

type OfOne = (&'static str, fn(f64) -> f64);
type OfTwo = (&'static str, fn(f64, f64) -> f64);

/// Functions of one number.
const FUNCTIONS: [OfOne; 15] = [
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
    ("round", f64::round),
    ("rad", f64::to_radians),
    ("sign", f64::signum),
];

/// Functions of two.
const PAIRS: [OfTwo; 5] = [
    ("atan2", f64::atan2),
    ("min", f64::min),
    ("max", f64::max),
    ("hypot", f64::hypot),
    ("mod", f64::rem_euclid),
];

/// Parentheses and signs within each other: the walk uses the call stack.
const DEEPEST: usize = 100;

/// The value of a formula; `names` knows the parameters.
pub(super) fn value(
    text: &str,
    names: &mut dyn FnMut(&str) -> Option<Result<f64, String>>,
) -> Result<f64, String> {
    let mut reader = Reader { rest: text, names, depth: 0 };
    let x = reader.sum()?;
    let rest = reader.rest.trim();
    if !rest.is_empty() {
        return Err(format!("'{rest}' after the end of the formula"));
    }
    if x.is_finite() { Ok(x) } else { Err(format!("it comes to {x}")) }
}

/// A finite number as TOML writes it: whole ones as integers, which every number may be.
pub(super) fn written(x: f64) -> String {
    // whole below 2^53; adding 0 makes one zero of two
    if x.fract() == 0.0 && x.abs() < 9e15 { format!("{:.0}", x + 0.0) } else { format!("{x:?}") }
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a mut dyn FnMut(&str) -> Option<Result<f64, String>>,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Takes one of these characters if it is next.
    fn take(&mut self, any: &str) -> Option<char> {
        self.rest = self.rest.trim_start();
        let c = self.rest.chars().next().filter(|c| any.contains(*c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut x = self.term()?;
        while let Some(c) = self.take("+-") {
            let y = self.term()?;
            x = if c == '+' { x + y } else { x - y };
        }
        Ok(x)
    }

    fn term(&mut self) -> Result<f64, String> {
        let mut x = self.sign()?;
        while let Some(c) = self.take("*/") {
            let y = self.sign()?;
            x = if c == '*' { x * y } else { x / y };
        }
        Ok(x)
    }

    fn sign(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deep".to_owned());
        }
        let x = match self.take("+-") {
            Some('-') => -self.sign()?,
            Some(_) => self.sign()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(x)
    }

    fn power(&mut self) -> Result<f64, String> {
        let x = self.factor()?;
        match self.take("^") {
            Some(_) => Ok(x.powf(self.sign()?)),
            None => Ok(x),
        }
    }

    /// The letters, digits and underscores that come next, from a letter on.
    fn word(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next().filter(|c| c.is_ascii_alphabetic() || *c == '_')?;
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word)
    }

    fn factor(&mut self) -> Result<f64, String> {
        if self.take("(").is_some() {
            let x = self.sum()?;
            self.take(")").ok_or("a ')' is missing")?;
            return Ok(x);
        }
        if let Some(word) = self.word() {
            return if self.take("(").is_some() { self.call(word) } else { self.name(word) };
        }
        let end = number_end(self.rest);
        let (number, rest) = self.rest.split_at(end);
        let x: f64 = number.parse().map_err(|_| match self.rest.split_whitespace().next() {
            Some(word) => format!("'{word}' where a number or a name should be"),
            None => "it ends where a number or a name should be".to_owned(),
        })?;
        self.rest = rest;
        match self.word() {
            Some(unit) => Ok(x * self.name(unit)?),
            None => Ok(x),
        }
    }

    fn name(&mut self, word: &str) -> Result<f64, String> {
        if let Some(known) = (self.names)(word) {
            return known;
        }
        let constant = CONSTANTS.iter().find(|(name, _)| *name == word);
        constant.map(|c| c.1).ok_or_else(|| format!("nothing is called '{word}'"))
    }

    fn call(&mut self, word: &str) -> Result<f64, String> {
        let first = self.sum()?;
        let second = if self.take(",").is_some() { Some(self.sum()?) } else { None };
        self.take(")").ok_or("a ')' is missing")?;
        let one = FUNCTIONS.iter().find(|(name, _)| *name == word);
        let two = PAIRS.iter().find(|(name, _)| *name == word);
        match (one, two, second) {
            (Some((_, f)), _, None) => Ok(f(first)),
            (_, Some((_, f)), Some(second)) => Ok(f(first, second)),
            (None, None, _) => Err(format!("there is no function '{word}'")),
            (one, _, _) => {
                Err(format!("{word} takes {}", if one.is_some() { "one number" } else { "two numbers" }))
            }
        }
    }
}

/// Where the number at the start of a text ends.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'.') {
        at += 1;
    }
    // an exponent is one only with digits: `2 e` is two times a parameter e
    if at > 0 && at < bytes.len() && bytes[at].eq_ignore_ascii_case(&b'e') {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let digits = bytes[at + 1 + sign..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 {
            at += 1 + sign + digits;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<f64, String> {
        value(text, &mut |name| (name == "r").then_some(Ok(0.25)))
    }

    #[test]
    fn formulas_mean_what_arithmetic_means() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("8 / 4 / 2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("2 * (r + 0.75)", 2.0),
            ("2 r", 0.5),
            ("180 deg", PI),
            ("60 rpm", TAU),
            ("1.5e3 mm", 1.5),
            ("sin(pi / 2) + max(1, 3)", 4.0),
            ("atan2(1, 1) * 4", PI),
            ("mod(-1, 4)", 3.0),
            (" .5 ", 0.5),
        ] {
            let found = of(text).unwrap();
            assert!((found - expected).abs() < 1e-15 * expected.abs(), "{text}: {found}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("", "it ends"),
            ("1 +", "it ends"),
            ("(1", "')' is missing"),
            ("1 2", "after the end"),
            ("q", "nothing is called 'q'"),
            ("foo(1)", "no function 'foo'"),
            ("sin(1, 2)", "one number"),
            ("max(1)", "two numbers"),
            ("1 / 0", "comes to"),
            ("1 @ 2", "after the end"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(of(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn numbers_are_written_so_that_they_are_read_again() {
        for x in [0.0, -0.0, 1.0, -3.0, 0.1, 1e-9, 1e300, 12_345_678.0] {
            assert!(written(x).parse::<f64>().unwrap() == x, "{}", written(x));
        }
        assert_eq!((written(-0.0), written(3.0)), ("0".to_owned(), "3".to_owned()));
    }
}

//! JSON text to a tree of values, keeping track of the field that is being read.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::error::FileError;
use super::value::Value;

/// Reads one JSON value; the error names the field where the text went wrong.
pub(crate) fn parse(text: &[u8]) -> Result<Value, FileError> {
    let mut path = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Seed { path: &mut path }.deserialize(&mut reader);
    value
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| FileError::Syntax { place: place(&path), reason: error.to_string() })
}

/// One step into a value.
enum Step {
    Key(String),
    Index(usize),
}

/// `contacts[2].normal`; no problem goes deeper than eight steps.
fn place(path: &[Step]) -> String {
    let mut place = String::new();
    for step in path.iter().take(8) {
        match step {
            Step::Key(key) => {
                if !place.is_empty() {
                    place.push('.');
                }
                place.extend(key.chars().take(40).filter(|c| !c.is_control()));
            }
            Step::Index(i) => place = format!("{place}[{i}]"),
        }
    }
    place
}

/// Builds a value; on an error `path` is left where it happened.
struct Seed<'a> {
    path: &'a mut Vec<Step>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Value, E> {
        Ok(Value::Number(x))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Value, E> {
        Ok(Value::Number(x as f64))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Value, E> {
        Ok(Value::Number(x as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            self.path.push(Step::Index(items.len()));
            let item = seq.next_element_seed(Seed { path: &mut *self.path })?;
            self.path.pop();
            match item {
                Some(item) => items.push(item),
                None => return Ok(Value::List(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            self.path.push(Step::Key(key.clone()));
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom("given twice"));
            }
            let value = map.next_value_seed(Seed { path: &mut *self.path })?;
            self.path.pop();
            fields.push((key, value));
        }
        Ok(Value::Object(fields))
    }
}

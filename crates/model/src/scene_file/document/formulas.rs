//! Numbers by name, and formulas of them: parameters, repeats written out, numbers in the place of formulas.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use super::{Document, Table, Value};
use crate::error::ModelFileError;
use crate::options::LoadOptions;
use crate::scene_file::formula;

/// Tables within tables: the walk uses the call stack, and so does the parser, which stops earlier.
const DEEPEST: usize = 200;

/// Numbers by name, each a formula of the others.
#[derive(Default)]
pub(super) struct Parameters {
    formulas: BTreeMap<String, String>,
    known: BTreeMap<String, f64>,
}

impl Parameters {
    fn value(&self, name: &str, trail: &mut Vec<String>) -> Option<Result<f64, String>> {
        if let Some(x) = self.known.get(name) {
            return Some(Ok(*x));
        }
        let text = self.formulas.get(name)?;
        if trail.iter().any(|n| n == name) {
            return Some(Err(format!("'{name}' is made of itself")));
        }
        // names within names: the walk uses the call stack
        if trail.len() > DEEPEST {
            return Some(Err("names lead to names too far".to_owned()));
        }
        trail.push(name.to_owned());
        let x = formula::value(text, &mut |inner| self.value(inner, trail));
        trail.pop();
        Some(x)
    }

    fn formula(&self, text: &str, i: Option<usize>) -> Result<f64, String> {
        formula::value(text, &mut |name| match i {
            Some(i) if name == "i" => Some(Ok(i as f64)),
            _ => self.value(name, &mut Vec::new()),
        })
    }
}

impl<'t> Document<'t> {
    pub(super) fn parameters(&self, table: &mut Table<'t>) -> Result<Parameters, ModelFileError> {
        let mut parameters = Parameters::default();
        let Some(given) = table.remove("parameters") else { return Ok(parameters) };
        let span = given.span();
        let DeValue::Table(given) = given.into_inner() else {
            return Err(self.wrong(&span, "parameters", "no table", "names and numbers"));
        };
        for (name, value) in &given {
            let text = match value.get_ref() {
                DeValue::Integer(x) if x.radix() == 10 => x.as_str().to_owned(),
                DeValue::Float(x) => x.as_str().to_owned(),
                DeValue::String(text) if text.starts_with('=') => text[1..].to_owned(),
                _ => {
                    let expected = "a number, or a formula \"= ..\"";
                    return Err(self.wrong(&value.span(), "parameter", name.get_ref(), expected));
                }
            };
            parameters.formulas.insert(name.get_ref().to_string(), text);
        }
        for (name, value) in &given {
            let name = name.get_ref();
            let known = parameters.value(name, &mut Vec::new()).unwrap_or(Ok(0.0));
            let number = known.map_err(|e| {
                self.wrong(
                    &value.span(),
                    &format!("parameter {name}"),
                    &parameters.formulas[name.as_ref()],
                    &format!("a formula: {e}"),
                )
            })?;
            parameters.known.insert(name.to_string(), number);
        }
        Ok(parameters)
    }

    /// Writes tables with `repeat = n` out n times, with i = 0, 1, .. in their formulas and `{i}` in their names; of lists within lists
    /// the inner ones first.
    pub(super) fn repeat(
        &self,
        table: &mut Table<'t>,
        parameters: &Parameters,
        options: &LoadOptions,
        total: &mut usize,
        depth: usize,
    ) -> Result<(), ModelFileError> {
        // no key lies deeper than a shape in a compound in a body
        if depth > 4 {
            return Ok(());
        }
        for (_, value) in table.iter_mut() {
            if let DeValue::Table(inner) = value.get_mut() {
                self.repeat(inner, parameters, options, total, depth + 1)?;
            }
            let DeValue::Array(list) = value.get_mut() else { continue };
            for item in list.iter_mut() {
                if let DeValue::Table(inner) = item.get_mut() {
                    self.repeat(inner, parameters, options, total, depth + 1)?;
                }
            }
            let repeats =
                |v: &Value<'_>| matches!(v.get_ref(), DeValue::Table(t) if t.contains_key("repeat"));
            if !list.iter().any(repeats) {
                continue;
            }
            let mut all = DeArray::from_iter([]);
            for item in std::mem::replace(list, DeArray::from_iter([])) {
                let span = item.span();
                let mut inner = item.into_inner();
                let count = match &mut inner {
                    DeValue::Table(t) => t.remove("repeat"),
                    _ => None,
                };
                let Some(mut count) = count else {
                    all.push(Spanned::new(span, inner));
                    continue;
                };
                self.value(&mut count, parameters, None, 0)?;
                let n = match count.get_ref() {
                    DeValue::Integer(n) => n.as_str().parse::<usize>().ok(),
                    _ => None,
                };
                let n = n.ok_or_else(|| self.wrong(&count.span(), "repeat", "no count", "a whole number"))?;
                *total = total.saturating_add(n);
                if *total > options.limits.links {
                    let (at, limit) = (self.place(span.start), options.limits.links);
                    return Err(ModelFileError::Limit { at, what: "repeated tables", count: *total, limit });
                }
                for i in 0..n {
                    let mut copy = Spanned::new(span.clone(), inner.clone());
                    self.value(&mut copy, parameters, Some(i), 0)?;
                    all.push(copy);
                }
            }
            *list = all;
        }
        Ok(())
    }

    pub(super) fn work_out(
        &self,
        table: &mut Table<'t>,
        parameters: &Parameters,
        i: Option<usize>,
        depth: usize,
    ) -> Result<(), ModelFileError> {
        table.iter_mut().try_for_each(|(_, value)| self.value(value, parameters, i, depth + 1))
    }

    /// Puts numbers in the place of formulas.
    fn value(
        &self,
        value: &mut Value<'t>,
        parameters: &Parameters,
        i: Option<usize>,
        depth: usize,
    ) -> Result<(), ModelFileError> {
        let span = value.span();
        if depth > DEEPEST {
            return Err(self.wrong(&span, "nesting", "too deep", "fewer tables within each other"));
        }
        let fail = |text: &str, e: String| {
            self.wrong(&span, "formula", text, &format!("one that can be worked out: {e}"))
        };
        match value.get_mut() {
            DeValue::Array(list) => list.iter_mut().try_for_each(|v| self.value(v, parameters, i, depth + 1)),
            DeValue::Table(table) => self.work_out(table, parameters, i, depth),
            DeValue::String(text) => {
                if let Some(formula) = text.strip_prefix('=') {
                    let x = parameters.formula(formula, i).map_err(|e| fail(formula, e))?;
                    let number = DeValue::parse(self.keep(formula::written(x)));
                    *value = Spanned::new(span, number.map_or(DeValue::Boolean(false), Spanned::into_inner));
                } else if let Some(i) = i.filter(|_| text.contains('{')) {
                    let filled = filled(text, parameters, i).map_err(|e| fail(text, e))?;
                    *value = Spanned::new(span, DeValue::String(Cow::Owned(filled)));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A name with the formulas in its braces worked out.
fn filled(text: &str, parameters: &Parameters, i: usize) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, next) = after.split_once('}').ok_or("a '}' is missing")?;
        out.push_str(before);
        out.push_str(&formula::written(parameters.formula(inner, Some(i))?));
        rest = next;
    }
    Ok(out + rest)
}

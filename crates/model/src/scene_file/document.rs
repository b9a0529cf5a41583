//! A scene file before it is understood: what it includes put in, numbers set from outside, repeats written out, formulas
//! worked out. Every value keeps its place in the file it stands in.
//!
//! Order: `include` (what includes comes after and wins), settings from outside, `[parameters]`, `repeat`, formulas.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::formula;
use super::schema::SceneTable;
use super::spelling::nearest;
use crate::error::{ModelFileError, Place};
use crate::files;
use crate::options::LoadOptions;

type Value<'t> = Spanned<DeValue<'t>>;
type Table<'t> = DeTable<'t>;

/// Tables within tables: the walk uses the call stack, and so does the parser, which stops earlier.
const DEEPEST: usize = 200;

/// Texts that values point into: those of files, and those of numbers that formulas came to. Grows, never moves.
#[derive(Default)]
pub(super) struct Texts {
    text: String,
    next: OnceCell<Box<Texts>>,
}

impl Drop for Texts {
    /// Link by link: dropped within each other a long chain would fill the call stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

/// A scene file and all it includes.
pub(super) struct Document<'t> {
    sources: Vec<Source<'t>>,
    last: Cell<&'t Texts>,
}

struct Source<'t> {
    start: usize, // of its bytes among those of all files
    file: PathBuf,
    text: &'t str,
}

impl<'t> Document<'t> {
    /// Reads a file; the answer is one table whose spans [`Self::place`] knows.
    pub(super) fn open(
        path: &Path,
        options: &'t LoadOptions,
        texts: &'t Texts,
    ) -> Result<(Self, Spanned<Table<'t>>), ModelFileError> {
        let mut document = Self { sources: Vec::new(), last: Cell::new(texts) };
        let whole = Place { file: path.to_owned(), line: 0 };
        let (mut table, end) = document.read(path, &whole, options, &mut Vec::new())?;
        document.set(&mut table, options)?;
        let parameters = document.parameters(&mut table)?;
        document.repeat(&mut table, &parameters, options, &mut 0, 0)?;
        document.work_out(&mut table, &parameters, None, 0)?;
        Ok((document, Spanned::new(0..end, table)))
    }

    /// Keeps a text.
    fn keep(&self, text: String) -> &'t str {
        let link = self.last.get().next.get_or_init(|| Box::new(Texts { text, next: OnceCell::new() }));
        self.last.set(link);
        &link.text
    }

    /// The file and line of a byte.
    pub(super) fn place(&self, byte: usize) -> Place {
        let k = self.sources.partition_point(|s| s.start <= byte).max(1) - 1;
        let source = &self.sources[k];
        let before = source.text.get(..byte - source.start).unwrap_or(source.text);
        Place { file: source.file.clone(), line: 1 + before.matches('\n').count() }
    }

    /// Lines that set something.
    pub(super) fn keys(&self) -> usize {
        let sets = |line: &&str| line.contains('=') && !line.trim_start().starts_with('#');
        self.sources.iter().map(|s| s.text.lines().filter(sets).count()).sum()
    }

    fn wrong(&self, span: &Range<usize>, what: &str, value: &str, expected: &str) -> ModelFileError {
        ModelFileError::Value {
            at: self.place(span.start),
            what: what.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        }
    }

    /// The table of a file with those of what it includes below it, and the length of its text.
    fn read(
        &mut self,
        path: &Path,
        asking: &Place,
        options: &LoadOptions,
        within: &mut Vec<PathBuf>,
    ) -> Result<(Table<'t>, usize), ModelFileError> {
        let text = self.keep(files::read_text(path, asking, options)?);
        let start = self.sources.last().map_or(0, |s| s.start + s.text.len() + 1);
        self.sources.push(Source { start, file: path.to_owned(), text });
        if self.sources.len() > options.limits.includes {
            let (count, limit) = (self.sources.len(), options.limits.includes);
            return Err(ModelFileError::Limit { at: asking.clone(), what: "included files", count, limit });
        }
        let parsed = DeTable::parse(text).map_err(|e| ModelFileError::Syntax {
            at: self.place(start + e.span().map_or(0, |s| s.start)),
            reason: e.message().trim().replace('\n', " "),
        })?;
        let mut table = shifted(parsed.into_inner(), start);
        let end = text.len();
        let Some(include) = table.remove("include") else { return Ok((table, end)) };
        let own = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        within.push(own);
        let mut below = Table::new();
        for (span, name) in self.file_names(&include)? {
            let at = self.place(span.start);
            let file = files::resolve(&name, path.parent().unwrap_or(Path::new("")), &at, options)?;
            let real = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if within.contains(&real) {
                return Err(self.wrong(&span, "include", &name, "a file that does not include this one"));
            }
            let (more, _) = self.read(&file, &at, options, within)?;
            merge(&mut below, more);
        }
        within.pop();
        merge(&mut below, table);
        Ok((below, end))
    }

    fn file_names(&self, include: &Value<'_>) -> Result<Vec<(Range<usize>, String)>, ModelFileError> {
        let one = |v: &Value<'_>| match v.get_ref() {
            DeValue::String(name) => Ok((v.span(), name.to_string())),
            _ => Err(self.wrong(&v.span(), "include", "no name", "a file name, or several in brackets")),
        };
        match include.get_ref() {
            DeValue::Array(list) => list.iter().map(one).collect(),
            _ => Ok(vec![one(include)?]),
        }
    }

    /// Numbers from outside: a parameter by its name, anything else by its path.
    fn set(&self, table: &mut Table<'t>, options: &'t LoadOptions) -> Result<(), ModelFileError> {
        for (key, text) in &options.set {
            let refuse = |expected: String| ModelFileError::Value {
                at: Place { file: self.sources[0].file.clone(), line: 0 },
                what: format!("setting {key}"),
                value: text.clone(),
                expected,
            };
            let value =
                DeValue::parse(text).map_or(DeValue::String(Cow::Borrowed(text)), Spanned::into_inner);
            if let Some(DeValue::Table(parameters)) = table.get_mut("parameters").map(Spanned::get_mut)
                && let Some(old) = parameters.get_mut(key.as_str())
            {
                *old = stamped(value, &old.span());
                continue;
            }
            // a plain name that is no key of the file either was meant for a parameter
            let names = table.get("parameters").and_then(|p| match p.get_ref() {
                DeValue::Table(t) => Some(t.keys().map(|k| k.get_ref().as_ref()).collect::<Vec<_>>()),
                _ => None,
            });
            if let Some(names) =
                names.filter(|_| !SceneTable::KEYS.iter().any(|k| k.name == key) && !key.contains('.'))
            {
                let meant = nearest(key, names.iter().copied());
                let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
                let names = names.join(", ");
                return Err(refuse(format!("a parameter of the file ({names}) or a key by its path{meant}")));
            }
            put(table, key, value).map_err(refuse)?;
        }
        Ok(())
    }

    fn parameters(&self, table: &mut Table<'t>) -> Result<Parameters, ModelFileError> {
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
    fn repeat(
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

    fn work_out(
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

/// Numbers by name, each a formula of the others.
#[derive(Default)]
struct Parameters {
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

/// The table with all its spans moved to where its file stands among the others.
fn shifted(table: Table<'_>, start: usize) -> Table<'_> {
    let shift = |span: Range<usize>| span.start + start..span.end + start;
    table
        .into_iter()
        .map(|(key, value)| {
            let key = Spanned::new(shift(key.span()), key.into_inner());
            (key, moved(value, &shift))
        })
        .collect()
}

fn moved<'t>(value: Value<'t>, shift: &dyn Fn(Range<usize>) -> Range<usize>) -> Value<'t> {
    let span = shift(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(list) => DeValue::Array(list.into_iter().map(|v| moved(v, shift)).collect()),
        DeValue::Table(table) => DeValue::Table(
            table
                .into_iter()
                .map(|(k, v)| (Spanned::new(shift(k.span()), k.into_inner()), moved(v, shift)))
                .collect(),
        ),
        other => other,
    };
    Spanned::new(span, inner)
}

/// A value from outside stands where what it replaces, or what it is put into, stands.
fn stamped<'t>(value: DeValue<'t>, span: &Range<usize>) -> Value<'t> {
    moved(Spanned::new(span.clone(), value), &|_| span.clone())
}

/// `over` on `under`: lists of tables after each other, tables key by key, anything else in the place of the old.
fn merge<'t>(under: &mut Table<'t>, over: Table<'t>) {
    for (key, value) in over {
        let old = under.get_mut(key.get_ref().as_ref());
        match (old.map(Spanned::get_mut), value.get_ref()) {
            (Some(DeValue::Array(list)), DeValue::Array(more))
                if more.iter().chain(list.iter()).all(|v| matches!(v.get_ref(), DeValue::Table(_))) =>
            {
                more.iter().for_each(|v| list.push(v.clone()));
            }
            (Some(DeValue::Table(table)), DeValue::Table(more)) => merge(table, more.clone()),
            _ => {
                under.insert(key, value);
            }
        }
    }
}

/// Puts a value at a path: keys of tables, names or numbers of what lists hold.
fn put<'t>(table: &mut Table<'t>, path: &str, value: DeValue<'t>) -> Result<(), String> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(k, r)| (k, Some(r)));
    let Some(rest) = rest else {
        let span = table.iter().next().map_or(0..0, |(_, v)| v.span());
        let span = table.get(key).map_or(span, Spanned::span);
        table.insert(Spanned::new(span.clone(), Cow::Owned(key.to_owned())), stamped(value, &span));
        return Ok(());
    };
    let next = table.get_mut(key).ok_or_else(|| format!("a key that is there: nothing is called '{key}'"))?;
    match next.get_mut() {
        DeValue::Table(inner) => put(inner, rest, value),
        DeValue::Array(list) => {
            let (name, rest) = rest.split_once('.').ok_or_else(|| format!("{key}.NAME.KEY"))?;
            let called = |v: &Value<'_>| match v.get_ref() {
                DeValue::Table(t) => ["name", "child", "joint", "body"].iter().any(
                    |k| matches!(t.get(*k).map(Spanned::get_ref), Some(DeValue::String(s)) if s == name),
                ),
                _ => false,
            };
            let at = name.parse().ok().filter(|k| *k < list.len()).or_else(|| list.iter().position(called));
            match at.and_then(|k| list.get_mut(k)).map(Spanned::get_mut) {
                Some(DeValue::Table(inner)) => put(inner, rest, value),
                _ => Err(format!(
                    "a {key} that is there: none is called '{name}', and there are {}",
                    list.len()
                )),
            }
        }
        _ => Err(format!("a key: '{key}' holds a value")),
    }
}

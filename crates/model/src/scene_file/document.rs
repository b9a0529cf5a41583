//! A scene file before it is understood: what it includes put in, numbers set from outside, repeats written out, formulas
//! worked out. Every value keeps its place in the file it stands in.
//!
//! Order: `include` (what includes comes after and wins), settings from outside, `[parameters]`, `repeat`, formulas.

mod formulas;
mod tree;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::tree::{merge, put, shifted, stamped};
use super::schema::SceneTable;
use super::spelling::nearest;
use crate::error::{ModelFileError, Place};
use crate::files;
use crate::options::LoadOptions;

type Value<'t> = Spanned<DeValue<'t>>;
type Table<'t> = DeTable<'t>;

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
}

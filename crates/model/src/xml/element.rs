//! Elements as readers ask them: attributes by name and kind, what became of each, and errors that say where.

use super::{Attribute, Element, Node, mark};
use crate::error::{ModelFileError, Place};
use crate::report::Fate;

impl<'a> Element<'a> {
    pub(super) fn node(&self) -> &'a Node {
        &self.xml.nodes[self.index]
    }

    pub(crate) fn tag(&self) -> &'a str {
        &self.node().tag
    }

    pub(crate) fn place(&self) -> Place {
        Place { file: self.xml.files[self.node().file].clone(), line: self.node().line }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let xml = self.xml;
        self.node().children.iter().map(move |&index| Element { xml, index })
    }

    pub(crate) fn named(&self, tag: &'static str) -> impl Iterator<Item = Element<'a>> + use<'a> {
        self.children().filter(move |c| c.tag() == tag)
    }

    pub(crate) fn child(&self, tag: &'static str) -> Option<Element<'a>> {
        self.named(tag).next()
    }

    /// `parent/tag`, enough to say what an element means.
    pub(super) fn path(&self) -> String {
        let node = self.node();
        if node.parent == self.index {
            return node.tag.clone();
        }
        let parent = &self.xml.nodes[node.parent].tag;
        // bodies nest in bodies, defaults in defaults
        if parent == &node.tag { node.tag.clone() } else { format!("{parent}/{}", node.tag) }
    }

    /// Whether some attribute of it is used.
    pub(crate) fn is_read(&self) -> bool {
        let read = |a: &Attribute| matches!(&*a.fate.borrow(), Some(Fate::Used | Fate::Approximated(_)));
        self.node().attributes.iter().any(read)
    }

    /// What was said of the element, or follows from its attributes.
    pub(super) fn own_fate(&self) -> Option<Fate> {
        self.node().fate.borrow().clone().or_else(|| self.is_read().then_some(Fate::Used))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.node().attributes.iter().find(|a| a.name == name)
    }

    /// Marks the element itself.
    pub(crate) fn used(&self) {
        mark(&self.node().fate, Fate::Used);
    }

    /// Marks the element as obeyed in a way that differs.
    pub(crate) fn approximated(&self, how: impl Into<String>) {
        mark(&self.node().fate, Fate::Approximated(how.into()));
    }

    /// Marks the element, and with it all below that nobody reads.
    pub(crate) fn ignored(&self, why: impl Into<String>) {
        mark(&self.node().fate, Fate::Ignored(why.into()));
    }

    /// Marks one attribute, if it is there.
    pub(crate) fn approximate(&self, name: &str, how: impl Into<String>) {
        if let Some(a) = self.attribute(name) {
            mark(&a.fate, Fate::Approximated(how.into()));
        }
    }

    /// Marks attributes, if they are there.
    pub(crate) fn ignore(&self, names: &[&str], why: &str) {
        for a in self.node().attributes.iter().filter(|a| names.contains(&a.name.as_str())) {
            mark(&a.fate, Fate::Ignored(why.to_owned()));
        }
    }

    /// Marks whatever has no fate yet.
    pub(crate) fn ignore_rest(&self, why: &str) {
        for a in &self.node().attributes {
            if a.fate.borrow().is_none() {
                mark(&a.fate, Fate::Ignored(why.to_owned()));
            }
        }
    }

    /// The value of an attribute, without marking it.
    pub(crate) fn peek(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// The value of an attribute, which is thereby used.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let a = self.attribute(name)?;
        mark(&a.fate, Fate::Used);
        Some(&a.value)
    }

    /// An attribute that must be there.
    pub(crate) fn need(&self, name: &str) -> Result<&'a str, ModelFileError> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    /// A child that must be there.
    pub(crate) fn need_child(&self, tag: &'static str) -> Result<Element<'a>, ModelFileError> {
        self.child(tag).ok_or_else(|| self.missing(tag))
    }

    pub(crate) fn missing(&self, name: &str) -> ModelFileError {
        ModelFileError::Missing { at: self.place(), element: self.described(), attribute: name.to_owned() }
    }

    /// Tag and name, for messages.
    pub(crate) fn described(&self) -> String {
        match self.peek("name") {
            Some(name) => format!("{} '{name}'", self.tag()),
            None => self.tag().to_owned(),
        }
    }

    pub(crate) fn value_error(
        &self,
        attribute: &str,
        value: impl std::fmt::Display,
        expected: &str,
    ) -> ModelFileError {
        ModelFileError::Value {
            at: self.place(),
            what: format!("{attribute} of {}", self.described()),
            value: value.to_string(),
            expected: expected.to_owned(),
        }
    }

    pub(crate) fn reference_error(&self, attribute: &str, kind: &'static str, name: &str) -> ModelFileError {
        let what = format!("{attribute} of {}", self.described());
        ModelFileError::Reference { at: self.place(), what, kind, name: name.to_owned() }
    }

    pub(crate) fn structure_error(&self, reason: impl Into<String>) -> ModelFileError {
        ModelFileError::Structure { at: self.place(), reason: reason.into() }
    }

    /// All numbers of an attribute; finite.
    pub(crate) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ModelFileError> {
        let Some(text) = self.get(name) else { return Ok(None) };
        if let Ok(numbers) = parse_numbers(text) {
            return Ok(Some(numbers));
        }
        // as programs that read a number up to where it ends do
        let tidy: Vec<&str> = text
            .split([',', ' ', '\t', '\n', '\r'])
            .filter(|w| !w.is_empty())
            .map(|w| w.strip_suffix('.').filter(|rest| rest.contains('.')).unwrap_or(w))
            .collect();
        let numbers = parse_numbers(&tidy.join(" ")).ok();
        if numbers.is_some() {
            self.approximate(name, "stray commas and points are left out");
            return Ok(numbers);
        }
        parse_numbers(text).map(Some).map_err(|word| self.value_error(name, shorten(word), "finite numbers"))
    }

    /// Exactly N numbers.
    pub(crate) fn vector<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, ModelFileError> {
        let Some(list) = self.numbers(name)? else { return Ok(None) };
        let n = list.len();
        let array = <[f64; N]>::try_from(list);
        array.map(Some).map_err(|_| self.value_error(name, format!("{n} numbers"), &format!("{N} numbers")))
    }

    /// One number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, ModelFileError> {
        Ok(self.vector::<1>(name)?.map(|[x]| x))
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Beyond this no length, mass or stiffness means anything; products of a few of these stay finite.
const HUGE: f64 = 1e40;

/// Numbers between blanks, or the word that is none.
fn parse_numbers(text: &str) -> Result<Vec<f64>, &str> {
    text.split_ascii_whitespace()
        .map(|word| word.parse::<f64>().ok().filter(|x| x.abs() <= HUGE).ok_or(word))
        .collect()
}

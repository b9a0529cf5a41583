//! Attached models within `<replicate>`: what belongs to a copied body is there once for each copy.
//!
//! Bodies are copied when they are read, and then get their suffixes. What came along with them to the root (actuators, sensors, tendons, equalities,
//! exclusions) is copied here, with the same suffixes behind its own names and behind those that it has from the body.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::attach::{OTHER_NAMES, REFERENCES, SECTIONS};
use super::{Attribute, Element, Node, Xml};
use crate::error::ModelFileError;
use crate::options::LoadOptions;

/// Copies of an attached model that are followed; more of them meet the limit on copies when they are read.
const MOST_COPIES: usize = 100_000;

impl Xml {
    /// What goes behind names for each copy that `<replicate>` around an element makes of it; nothing where none is.
    pub(super) fn copies_around(&self, mut index: usize) -> Vec<String> {
        let mut suffixes = vec![String::new()];
        while self.nodes[index].parent != index {
            index = self.nodes[index].parent;
            let e = Element { xml: self, index };
            let count = e.peek("count").and_then(|n| n.trim().parse::<usize>().ok());
            // a count that is none is told of when the element is read
            let Some(count) = count.filter(|n| e.tag() == "replicate" && (1..=MOST_COPIES).contains(n))
            else {
                continue;
            };
            let (separator, digits) = (e.peek("sep").unwrap_or_default(), (count - 1).to_string().len());
            let own = (0..count).map(|k| format!("{separator}{k:0digits$}"));
            suffixes =
                own.flat_map(|outer| suffixes.iter().map(move |inner| format!("{outer}{inner}"))).collect();
            if suffixes.len() > MOST_COPIES {
                return vec![String::new()];
            }
        }
        suffixes
    }

    /// Sections that came along with copies of a body: each of their elements once for every copy.
    pub(super) fn copy_sections(
        &mut self,
        start: usize,
        names: &BTreeSet<(String, String)>,
        copies: &[String],
        options: &LoadOptions,
    ) -> Result<(), ModelFileError> {
        // keyframes are of a whole model
        let mut sections = self.nodes[start].children.clone();
        sections.retain(|&k| SECTIONS[2..7].contains(&self.nodes[k].tag.as_str()));
        let mut named: BTreeSet<String> = names.iter().map(|n| n.1.clone()).collect();
        for &k in sections.iter().flat_map(|&k| &self.nodes[k].children) {
            named.extend(Element { xml: self, index: k }.peek("name").map(str::to_owned));
        }
        for section in sections {
            let elements = self.nodes[section].children.clone();
            for suffix in &copies[1..] {
                for &element in &elements {
                    self.copy(element, section, &named, suffix);
                }
                let limit = options.limits.elements;
                if self.nodes.len() > limit {
                    let at = Element { xml: self, index: section }.place();
                    let count = self.nodes.len();
                    return Err(ModelFileError::Limit { at, what: "elements", count, limit });
                }
            }
            let mut waiting = elements;
            while let Some(k) = waiting.pop() {
                waiting.extend(&self.nodes[k].children);
                for a in &mut self.nodes[k].attributes {
                    a.value = with_suffix(&a.name, &a.value, &named, &copies[0]);
                }
            }
        }
        Ok(())
    }

    /// A copy of an element and all in it.
    fn copy(&mut self, index: usize, parent: usize, named: &BTreeSet<String>, suffix: &str) {
        let mut waiting = vec![(index, parent)];
        while let Some((index, parent)) = waiting.pop() {
            let (place, old) = (self.nodes.len(), &self.nodes[index]);
            let attribute = |a: &Attribute| Attribute {
                name: a.name.clone(),
                value: with_suffix(&a.name, &a.value, named, suffix),
                fate: RefCell::default(),
            };
            let node = Node {
                tag: old.tag.clone(),
                file: old.file,
                line: old.line,
                parent,
                children: Vec::new(),
                attributes: old.attributes.iter().map(attribute).collect(),
                fate: RefCell::default(),
                model: old.model,
            };
            waiting.extend(old.children.iter().rev().map(|&child| (child, place)));
            self.nodes.push(node);
            self.nodes[parent].children.push(place);
        }
    }
}

/// The value of an attribute of a copy.
fn with_suffix(key: &str, value: &str, named: &BTreeSet<String>, suffix: &str) -> String {
    let names = REFERENCES.iter().any(|r| r.0 == key) || OTHER_NAMES.contains(&key);
    if names && named.contains(value) { format!("{value}{suffix}") } else { value.to_owned() }
}

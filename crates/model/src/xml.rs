//! XML as a flat list of elements that remember what became of each of their attributes.
//!
//! Reading an attribute marks it as used; a reader may say better (approximated, ignored). What nobody asked for is
//! found at the end and entered in the report as ignored, so nothing can be dropped without a word.
//!
//! The list is flat and every walk over it is a loop: nesting is bounded by a number, not by the call stack.

mod attach;
mod copies;
mod element;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use roxmltree::{Document, ParsingOptions};

use crate::error::{ModelFileError, Place};
use crate::files;
use crate::options::LoadOptions;
use crate::report::{Fate, ImportReport};
use attach::Origin;
pub(crate) use attach::outermost;

#[derive(Debug)]
struct Attribute {
    name: String,
    value: String,
    fate: RefCell<Option<Fate>>,
}

#[derive(Debug)]
struct Node {
    tag: String,
    file: usize,
    line: usize,
    parent: usize, // own index at the root
    children: Vec<usize>,
    attributes: Vec<Attribute>,
    fate: RefCell<Option<Fate>>,
    model: usize, // the file itself, or one that is attached
}

/// A parsed file and the files it includes.
#[derive(Debug)]
pub(crate) struct Xml {
    files: Vec<PathBuf>,
    nodes: Vec<Node>,
    origins: Vec<Origin>,
}

/// An element of an [`Xml`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'a> {
    xml: &'a Xml,
    index: usize,
}

impl Xml {
    fn empty(path: &Path) -> Self {
        let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        Self { files: Vec::new(), nodes: Vec::new(), origins: vec![Origin::new(directory, 0)] }
    }

    /// Parses a file; includes are not followed.
    pub(crate) fn open(path: &Path, options: &LoadOptions) -> Result<Self, ModelFileError> {
        let mut xml = Self::empty(path);
        let at = Place { file: path.to_owned(), line: 0 };
        let text = files::read_text(path, &at, options)?;
        xml.parse(path, &text, 0, options)?;
        Ok(xml)
    }

    /// Parses a text as if it stood in a file.
    pub(crate) fn of_text(path: &Path, text: &str, options: &LoadOptions) -> Result<Self, ModelFileError> {
        let mut xml = Self::empty(path);
        xml.parse(path, text, 0, options)?;
        Ok(xml)
    }

    /// Parses a file and replaces every `<include file=".."/>` by the children of the included root.
    pub(crate) fn open_with_includes(
        path: &Path,
        text: Option<&str>,
        options: &LoadOptions,
    ) -> Result<Self, ModelFileError> {
        let mut xml = match text {
            Some(text) => Self::of_text(path, text, options)?,
            None => Self::open(path, options)?,
        };
        let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        xml.include_from(0, &directory, options)?;
        xml.attach(options)?;
        Ok(xml)
    }

    /// Follows the includes from node `next` on, of a model in `directory`.
    fn include_from(
        &mut self,
        mut next: usize,
        directory: &Path,
        options: &LoadOptions,
    ) -> Result<(), ModelFileError> {
        let xml = self;
        let mut included = 0;
        while next < xml.nodes.len() {
            if xml.nodes[next].tag != "include" {
                next += 1;
                continue;
            }
            let element = Element { xml, index: next };
            let (at, name) = (element.place(), element.need("file")?.to_owned());
            element.used();
            included += 1;
            let limit = options.limits.includes;
            if included > limit {
                return Err(ModelFileError::Limit { at, what: "included files", count: included, limit });
            }
            // as seen from the model, else from the file that includes
            let own = at.file.parent().map_or_else(PathBuf::new, Path::to_owned);
            let file = files::resolve(&name, directory, &at, options)
                .or_else(|error| files::resolve(&name, &own, &at, options).map_err(|_| error))?;
            let text = files::read_text(&file, &at, options)?;
            let root = xml.parse(&file, &text, next, options)?;
            *xml.nodes[root].fate.borrow_mut() = Some(Fate::Used);

            // the children of the included root stand where the include stood
            let parent = xml.nodes[next].parent;
            let grafted = xml.nodes[root].children.clone();
            for &child in &grafted {
                xml.nodes[child].parent = parent;
            }
            let siblings = &mut xml.nodes[parent].children;
            let place = siblings.iter().position(|&c| c == next).expect("a child is in its parent's list");
            siblings.splice(place..=place, grafted);
            next += 1;
        }
        Ok(())
    }

    /// Appends the elements of a text; gives the index of its root.
    fn parse(
        &mut self,
        path: &Path,
        text: &str,
        parent: usize,
        options: &LoadOptions,
    ) -> Result<usize, ModelFileError> {
        let limits = &options.limits;
        let cleaned = without_late_declaration(text);
        let text = cleaned.as_deref().unwrap_or(text);
        // zero bytes behind the end, as some programs leave them
        let text =
            if options.strict { text } else { text.trim_end_matches(['\0', '\u{1a}', '\n', '\r', ' ']) };
        let at = |line: usize| Place { file: path.to_owned(), line };
        // the parser below recurses per level: count before it does
        let (depth, line) = nesting(text);
        if depth > limits.depth {
            let (count, limit) = (depth, limits.depth);
            return Err(ModelFileError::Limit { at: at(line), what: "nested elements", count, limit });
        }
        let left = limits.elements.saturating_sub(self.nodes.len());
        // text and comments are nodes too
        let nodes_limit = u32::try_from(left.saturating_mul(4)).unwrap_or(u32::MAX);
        let mut read = || self.parse_nodes(path, text, parent, nodes_limit, options);
        if depth <= SHALLOW {
            return read();
        }
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK + depth * STACK_PER_LEVEL);
            match thread.spawn_scoped(scope, read).map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(e) => {
                    Err(ModelFileError::Read { at: at(0), reason: format!("no thread to parse in: {e}") })
                }
            }
        })
    }

    fn parse_nodes(
        &mut self,
        path: &Path,
        text: &str,
        parent: usize,
        nodes_limit: u32,
        options: &LoadOptions,
    ) -> Result<usize, ModelFileError> {
        let limits = &options.limits;
        let lines = LineStarts::of(text);
        let at = |line: usize| Place { file: path.to_owned(), line };
        let parsing = ParsingOptions { allow_dtd: false, nodes_limit };
        let document = Document::parse_with_options(text, parsing).map_err(|e| match e {
            roxmltree::Error::NodesLimitReached => {
                let limit = limits.elements;
                ModelFileError::Limit { at: at(0), what: "elements", count: limit + 1, limit }
            }
            roxmltree::Error::DtdDetected => {
                let reason =
                    "a document type (DTD) is not read: its entities may expand without bound".into();
                ModelFileError::Syntax { at: at(1), reason }
            }
            other => ModelFileError::Syntax { at: at(other.pos().row as usize), reason: other.to_string() },
        })?;
        let file = self.files.len();
        self.files.push(path.to_owned());
        let first = self.nodes.len();
        let mut stack = vec![(document.root_element(), parent)];
        while let Some((node, parent)) = stack.pop() {
            let index = self.nodes.len();
            if index >= limits.elements {
                let limit = limits.elements;
                return Err(ModelFileError::Limit { at: at(0), what: "elements", count: index + 1, limit });
            }
            let tag = node.tag_name();
            let tag = match node.lookup_prefix(tag.namespace().unwrap_or_default()) {
                Some(prefix) if tag.namespace().is_some() => format!("{prefix}:{}", tag.name()),
                _ => tag.name().to_owned(),
            };
            self.nodes.push(Node {
                tag,
                file,
                line: lines.line(node.range().start),
                parent: if index == first && first == 0 { index } else { parent },
                children: Vec::new(),
                attributes: node
                    .attributes()
                    .map(|a| Attribute {
                        name: a.name().to_owned(),
                        value: a.value().to_owned(),
                        fate: RefCell::default(),
                    })
                    .collect(),
                fate: RefCell::default(),
                model: 0,
            });
            if index > first {
                self.nodes[parent].children.push(index);
            }
            let children: Vec<_> = node.children().filter(roxmltree::Node::is_element).collect();
            stack.extend(children.into_iter().rev().map(|c| (c, index)));
        }
        Ok(first)
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        Element { xml: self, index: 0 }
    }

    /// Enters every element and attribute.
    pub(crate) fn report(&self, report: &mut ImportReport) {
        // parents come before their children, so what an element inherits is known when its turn comes
        let mut inherited: Vec<Option<std::rc::Rc<str>>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let element = Element { xml: self, index };
            let from = inherited.get(node.parent).cloned().flatten();
            let fate = element.own_fate().unwrap_or_else(|| match &from {
                Some(why) => Fate::Ignored(why.to_string()),
                None => Fate::Ignored(UNKNOWN.into()),
            });
            inherited.push(match (&*node.fate.borrow(), &fate) {
                (Some(Fate::Ignored(why)), _) => Some(why.as_str().into()),
                (None, Fate::Ignored(_)) => from,
                _ => None,
            });
            let path = element.path();
            for a in &node.attributes {
                let own = a.fate.borrow().clone();
                let fate = own.unwrap_or_else(|| match &fate {
                    Fate::Ignored(why) => Fate::Ignored(why.clone()),
                    _ => Fate::Ignored(UNKNOWN.into()),
                });
                report.add(element.place(), format!("{path}@{}", a.name), fate);
            }
            report.add(element.place(), path, fate);
        }
    }
}

/// Why something is ignored that nobody asked for.
const UNKNOWN: &str = "not known to this reader";

/// Blanks before the XML declaration are against the standard but harmless: the declaration is blanked out too.
fn without_late_declaration(text: &str) -> Option<String> {
    let start = text.len() - text.trim_start().len();
    if start == 0 || !text[start..].starts_with("<?xml ") {
        return None;
    }
    let end = start + text[start..].find("?>")? + 2;
    let blank: String = text[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
    Some(format!("{}{blank}{}", &text[..start], &text[end..]))
}

/// Line numbers of bytes without walking the text again.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        Self(
            std::iter::once(0)
                .chain(text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 + 1))
                .collect(),
        )
    }

    fn line(&self, byte: usize) -> usize {
        self.0.partition_point(|&start| start <= byte)
    }
}

/// Levels that the parser takes on the caller's stack.
const SHALLOW: usize = 100;

/// Bytes of stack for the parser, and for each level of a deep file: four times what it was seen to take.
const STACK: usize = 4 << 20;
const STACK_PER_LEVEL: usize = 8 << 10;

/// How deep tags nest, and the line where. Comments and texts may only raise the count, by what they hold of tags.
fn nesting(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut depth, mut line, mut open, mut deepest) = (0_usize, 1, false, (0, 0));
    for (k, &b) in bytes.iter().enumerate() {
        match b {
            b'\n' => line += 1,
            b'<' => match bytes.get(k + 1) {
                Some(b'/') => {
                    depth = depth.saturating_sub(1);
                    open = false;
                }
                Some(b'!' | b'?') => open = false,
                _ => {
                    depth += 1;
                    open = true;
                    if depth > deepest.0 {
                        deepest = (depth, line);
                    }
                }
            },
            b'>' if open && k > 0 && bytes[k - 1] == b'/' => {
                depth = depth.saturating_sub(1);
                open = false;
            }
            b'>' => open = false,
            _ => {}
        }
    }
    deepest
}

/// Approximated is the news that must not be lost, then used.
fn mark(cell: &RefCell<Option<Fate>>, fate: Fate) {
    let rank = |f: &Fate| match f {
        Fate::Ignored(_) => 0,
        Fate::Used => 1,
        Fate::Approximated(_) => 2,
    };
    let mut old = cell.borrow_mut();
    if old.as_ref().is_none_or(|o| rank(o) < rank(&fate)) {
        *old = Some(fate);
    }
}

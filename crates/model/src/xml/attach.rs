//! `<attach>`: another model's body, with what belongs to it, in place of the element.
//!
//! The other file is read into the same list. Every name of it gets the prefix, and so does every reference; classes too, and its
//! outermost class is its own ([`outermost`]). The body stands where the element stood; assets, defaults, tendons, actuators,
//! sensors, keyframes, exclusions, pairs and equalities go to the root, but for those that name something that was not attached. Its
//! `<compiler>` holds for its own elements ([`Element::model`]).

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Attribute, Element, Xml, mark};
use crate::error::ModelFileError;
use crate::files;
use crate::options::LoadOptions;
use crate::report::Fate;

/// The model that a file, or a part of one by `<attach>`, belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// Where its files are looked for.
    pub(crate) directory: PathBuf,
    root: usize,
}

impl Origin {
    pub(super) fn new(directory: PathBuf, root: usize) -> Self {
        Self { directory, root }
    }
}

/// The outermost class of a model.
pub(crate) fn outermost(model: usize) -> String {
    if model == 0 { "main".into() } else { format!("main#{model}") }
}

/// Attributes that name something, and what.
pub(super) const REFERENCES: [(&str, &str); 22] = [
    ("mesh", "mesh"),
    ("material", "material"),
    ("texture", "texture"),
    ("hfield", "hfield"),
    ("joint", "joint"),
    ("joint1", "joint"),
    ("joint2", "joint"),
    ("jointinparent", "joint"),
    ("body", "body"),
    ("body1", "body"),
    ("body2", "body"),
    ("geom", "geom"),
    ("geom1", "geom"),
    ("geom2", "geom"),
    ("site", "site"),
    ("site1", "site"),
    ("site2", "site"),
    ("refsite", "site"),
    ("cranksite", "site"),
    ("slidersite", "site"),
    ("sidesite", "site"),
    ("tendon", "tendon"),
];

/// Likewise, of kinds that are not asked for, or that another attribute tells.
pub(super) const OTHER_NAMES: [&str; 9] =
    ["name", "childclass", "tendon1", "tendon2", "actuator", "objname", "refname", "target", "camera"];

/// Sections that come along.
pub(super) const SECTIONS: [&str; 8] =
    ["default", "asset", "contact", "equality", "tendon", "actuator", "sensor", "keyframe"];

impl Xml {
    /// Puts the bodies of other models in place of every `<attach>`.
    pub(super) fn attach(&mut self, options: &LoadOptions) -> Result<(), ModelFileError> {
        let (mut next, mut attached) = (0, 0);
        while next < self.nodes.len() {
            if self.nodes[next].tag == "attach" && self.reachable(next) {
                attached += 1;
                let limit = options.limits.includes;
                if attached > limit {
                    let at = Element { xml: self, index: next }.place();
                    return Err(ModelFileError::Limit {
                        at,
                        what: "attached models",
                        count: attached,
                        limit,
                    });
                }
                self.attach_one(next, options)?;
            }
            next += 1;
        }
        Ok(())
    }

    /// Whether an element is in its parent's list, all the way up: what was left out is not.
    fn reachable(&self, mut index: usize) -> bool {
        loop {
            let parent = self.nodes[index].parent;
            if parent == index {
                return true;
            }
            if !self.nodes[parent].children.contains(&index) {
                return false;
            }
            index = parent;
        }
    }

    fn attach_one(&mut self, index: usize, options: &LoadOptions) -> Result<(), ModelFileError> {
        let (start, prefix, body) = self.read_other(index, options)?;
        let model = self.nodes[start].model;
        self.rename(start, &prefix, model);
        let subtree = self.cut(index, start, body)?;
        let names = self.names_of(&subtree);
        let parent = self.nodes[index].parent;
        let copies = self.copies_around(index);
        for &node in &subtree {
            let node = &mut self.nodes[node];
            node.parent = parent;
            // classes around the element do not reach into the other model
            let nests = ["body", "frame", "replicate"].contains(&node.tag.as_str());
            let key = if nests { "childclass" } else { "class" };
            if !node.attributes.iter().any(|a| a.name == key) {
                let fate = RefCell::new(Some(Fate::Used));
                node.attributes.push(Attribute { name: key.into(), value: outermost(model), fate });
            }
        }
        let siblings = &mut self.nodes[parent].children;
        let place = siblings.iter().position(|&c| c == index).expect("a child is in its parent's list");
        siblings.splice(place..=place, subtree);
        self.bring_sections(start, names.clone());
        if copies != [""] {
            self.copy_sections(start, &names, &copies, options)?;
        }
        Ok(())
    }

    /// Reads the file that an `<attach>` means: its root, the prefix, and the body asked for.
    fn read_other(
        &mut self,
        index: usize,
        options: &LoadOptions,
    ) -> Result<(usize, String, Option<String>), ModelFileError> {
        let attach = Element { xml: self, index };
        attach.used();
        let (name, model) = (attach.need("model")?.to_owned(), attach.model());
        let prefix = attach.get("prefix").unwrap_or_default().to_owned();
        let body = attach.get("body").map(|b| format!("{prefix}{b}"));
        let asset = (0..self.nodes.len()).map(|index| Element { xml: self, index }).find(|e| {
            let own = e.peek("name").map_or_else(|| e.peek("file").map(stem), |n| Some(n.to_owned()));
            e.tag() == "model" && e.model() == model && own.as_deref() == Some(name.as_str())
        });
        let asset = asset.ok_or_else(|| attach.reference_error("model", "model", &name))?;
        asset.used();
        let _ = (asset.get("name"), asset.get("content_type"));
        let (at, file) = (asset.place(), asset.need("file")?.to_owned());
        let directory = self.origins[model].directory.clone();
        let own = at.file.parent().map_or_else(PathBuf::new, Path::to_owned);
        let path = files::resolve(&file, &directory, &at, options)
            .or_else(|error| files::resolve(&file, &own, &at, options).map_err(|_| error))?;
        let text = files::read_text(&path, &at, options)?;
        let start = self.parse(&path, &text, index, options)?;
        let home = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        self.include_from(start, &home, options)?;
        let model = self.origins.len();
        self.origins.push(Origin::new(home, start));
        self.nodes[start..].iter_mut().for_each(|n| n.model = model);
        Ok((start, prefix, body))
    }

    /// Puts the prefix before every name and reference from node `start` on.
    fn rename(&mut self, start: usize, prefix: &str, model: usize) {
        for node in &mut self.nodes[start..] {
            let file = node.attributes.iter().find(|a| a.name == "file").map(|a| stem(&a.value));
            let named = node.attributes.iter().any(|a| a.name == "name");
            if let (false, Some(name)) = (named, file)
                && ["mesh", "hfield", "texture", "model"].contains(&node.tag.as_str())
            {
                let fate = RefCell::new(Some(Fate::Used));
                node.attributes.push(Attribute { name: "name".into(), value: name, fate });
            }
            if node.tag == "attach" {
                // its body is named in yet another file, and gets both prefixes there
                let given = node.attributes.iter().any(|a| a.name == "prefix");
                if !given {
                    let fate = RefCell::default();
                    node.attributes.push(Attribute { name: "prefix".into(), value: String::new(), fate });
                }
                for a in node.attributes.iter_mut().filter(|a| ["model", "prefix"].contains(&a.name.as_str()))
                {
                    a.value = format!("{prefix}{}", a.value);
                }
                continue;
            }
            for a in &mut node.attributes {
                let key = a.name.as_str();
                let reference = REFERENCES.iter().any(|r| r.0 == key) || OTHER_NAMES.contains(&key);
                if key == "class" || key == "childclass" {
                    a.value =
                        if a.value == "main" { outermost(model) } else { format!("{prefix}{}", a.value) };
                } else if reference && a.value != "world" {
                    a.value = format!("{prefix}{}", a.value);
                }
            }
        }
    }

    /// Takes the body that is asked for, or all of the world, out of the other model.
    fn cut(
        &mut self,
        attach: usize,
        start: usize,
        body: Option<String>,
    ) -> Result<Vec<usize>, ModelFileError> {
        let Some(body) = body else {
            let worlds: Vec<usize> = self.nodes[start].children.clone();
            let worlds = worlds.into_iter().filter(|&w| self.nodes[w].tag == "worldbody");
            return Ok(worlds.flat_map(|w| self.nodes[w].children.clone()).collect());
        };
        let found = (start..self.nodes.len()).find(|&k| {
            let e = Element { xml: self, index: k };
            e.tag() == "body" && e.peek("name") == Some(&body) && self.nodes[k].parent != k
        });
        let found = found
            .ok_or_else(|| Element { xml: self, index: attach }.reference_error("body", "body", &body))?;
        let parent = self.nodes[found].parent;
        self.nodes[parent].children.retain(|&c| c != found);
        Ok(vec![found])
    }

    /// What the elements of some trees are called, by kind.
    fn names_of(&self, roots: &[usize]) -> BTreeSet<(String, String)> {
        let mut names = BTreeSet::new();
        let mut stack = roots.to_vec();
        while let Some(k) = stack.pop() {
            let node = &self.nodes[k];
            let kind = if node.tag == "freejoint" { "joint" } else { node.tag.as_str() };
            if let Some(a) = node.attributes.iter().find(|a| a.name == "name") {
                names.insert((kind.to_owned(), a.value.clone()));
            }
            stack.extend(&node.children);
        }
        names
    }

    /// Moves the other model's sections to the root, without what names things that stayed behind.
    fn bring_sections(&mut self, start: usize, mut names: BTreeSet<(String, String)>) {
        mark(&self.nodes[start].fate, Fate::Used);
        for name in self.nodes[start].attributes.iter().filter(|a| a.name == "model") {
            mark(&name.fate, Fate::Used);
        }
        // what names strings and actuators is asked after these are known
        let mut sections = self.nodes[start].children.clone();
        sections.sort_by_key(|&k| {
            ["tendon", "actuator"].iter().position(|t| *t == self.nodes[k].tag).unwrap_or(2)
        });
        for section in sections {
            let tag = self.nodes[section].tag.clone();
            if !SECTIONS.contains(&tag.as_str()) {
                let why = "of an attached model: the model it is attached to says it";
                let fate = if ["compiler", "worldbody"].contains(&tag.as_str()) {
                    Fate::Used
                } else {
                    Fate::Ignored(why.into())
                };
                mark(&self.nodes[section].fate, fate);
                continue;
            }
            if !["default", "asset"].contains(&tag.as_str()) {
                let belongs = |k: usize, names: &BTreeSet<(String, String)>| self.belongs(k, names);
                let kept: Vec<usize> = self.nodes[section]
                    .children
                    .iter()
                    .copied()
                    .filter(|&k| {
                        let kept = belongs(k, &names);
                        if kept && ["tendon", "actuator"].contains(&tag.as_str()) {
                            let name = self.nodes[k].attributes.iter().find(|a| a.name == "name");
                            names.extend(name.map(|a| (tag.clone(), a.value.clone())));
                        }
                        kept
                    })
                    .collect();
                self.nodes[section].children = kept;
            }
            self.nodes[section].parent = 0;
            self.nodes[0].children.push(section);
        }
    }

    /// Whether all that an element names was attached.
    fn belongs(&self, index: usize, names: &BTreeSet<(String, String)>) -> bool {
        let mut stack = vec![index];
        while let Some(k) = stack.pop() {
            let node = &self.nodes[k];
            for a in node.attributes.iter().filter(|a| a.value != "world") {
                let kind = match a.name.as_str() {
                    "actuator" => Some("actuator"),
                    "tendon1" | "tendon2" => Some("tendon"),
                    name => REFERENCES[4..].iter().find(|r| r.0 == name).map(|r| r.1),
                };
                // of a kind that another attribute tells
                let any = ["objname", "refname"].contains(&a.name.as_str());
                if any && !names.iter().any(|n| n.1 == a.value) {
                    return false;
                }
                if kind.is_some_and(|kind| !names.contains(&(kind.to_owned(), a.value.clone()))) {
                    return false;
                }
            }
            stack.extend(&node.children);
        }
        true
    }
}

/// The name of a file without its folders and ending.
fn stem(file: &str) -> String {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_owned()
}

impl<'a> Element<'a> {
    /// The model it comes from: 0 for the file itself.
    pub(crate) fn model(&self) -> usize {
        self.xml.nodes[self.index].model
    }

    /// The outermost elements of all models, by their number.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let xml = self.xml;
        xml.origins.iter().map(move |o| Element { xml, index: o.root })
    }

    /// Where files that it names are looked for.
    pub(crate) fn directory(&self) -> &'a Path {
        &self.xml.origins[self.model()].directory
    }
}

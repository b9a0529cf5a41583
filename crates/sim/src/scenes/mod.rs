//! Built-in scenes: those of the papers, and those that tell engines apart.
//!
//! ```
//! use gudgeon_sim::scenes::{Params, builtin};
//!
//! let scene = builtin("stack", &Params::new().set("boxes", 3.0))?;
//! assert_eq!(scene.model.n_v(), 18);
//! # Ok::<(), gudgeon_sim::scenes::BuiltinError>(())
//! ```
//!
//! Scenes meant to be at rest start exactly touching, at rest and, where there are loops, closed.

mod balance;
mod blocks;
mod dance;
mod humanoid;
mod ik;
mod linkages;
mod params;
mod parts;
mod pile;
mod planks;
mod ragdoll;
mod ring;
mod single;
mod strandbeest;
mod strings;

#[cfg(test)]
mod tests;

pub use params::{BuiltinError, Key, Params};

use crate::scene::Scene;
use params::Values;

/// A scene by name: what it takes, and how it is made.
struct Entry {
    name: &'static str,
    keys: &'static [Key],
    make: fn(&Values) -> Result<Scene, BuiltinError>,
}

macro_rules! entries {
    ($($name:literal, $about:literal, $make:path, $keys:path;)*) => {
        /// Name and one line about every built-in scene.
        pub const LIST: &[(&str, &str)] = &[$(($name, $about)),*];

        const ENTRIES: &[Entry] = &[$(Entry { name: $name, keys: $keys, make: $make }),*];
    };
}

entries! {
    "squat", "a 20-joint humanoid bends its knees, joints prescribed [Yamane §V-A]", dance::squat, dance::SQUAT;
    "tapdance", "the humanoid taps its feet for 10 s [Yamane §V-B]", dance::tapdance, dance::TAPDANCE;
    "hoist", "a 25-joint string pulled over a rod lifts a weight [Yamane §V-C]", strings::hoist, strings::HOIST;
    "ring", "wires with ring-shaped ends hooked into each other [Yamane §V-C]", ring::ring, ring::KEYS;
    "net", "five cylinders fall onto four 16-joint strings held at both ends [Yamane §V-C]", strings::net, strings::NET;
    "nlegs", "a frame on n legs without friction [EnzPivot, Fig. 1]", balance::nlegs, balance::NLEGS;
    "rod", "a rod on two points under a moment [EnzError, Fig. 3]", single::rod, single::ROD;
    "wall", "30 bricks in 12 rows [EnzError, Fig. 4]", blocks::wall, blocks::WALL;
    "peg", "a peg in a hole, pushed and twisted [Lloyd, Fig. 4]", single::peg, single::PEG;
    "stack", "boxes on each other, the heavy one on top", blocks::stack, blocks::STACK;
    "slope", "a box on a slope at a fraction of the limit of friction", single::slope, single::SLOPE;
    "push", "a frame on 16 spherical feet pushed just beyond friction", balance::push, balance::PUSH;
    "pinch", "a capsule held between two pads", single::pinch, single::PINCH;
    "rolling", "a box pushed along on 25 balls", balance::rolling, balance::ROLLING;
    "fourbar", "a crank-rocker spun up and left alone", linkages::fourbar, linkages::FOURBAR;
    "strandbeest", "Jansen's legs walk on a driven crank", strandbeest::strandbeest, strandbeest::KEYS;
    "ragdoll", "a limp humanoid of 21 hinges falls down", ragdoll::ragdoll, ragdoll::KEYS;
    "dominoes", "a row of dominoes, the first one pushed", planks::dominoes, planks::DOMINOES;
    "pile", "bodies dropped into a bin", pile::pile, pile::KEYS;
    "kapla", "a tower of flat planks laid crosswise", planks::kapla, planks::KAPLA;
    "pyramid", "boxes in rows that grow shorter by one", blocks::pyramid, blocks::PYRAMID;
}

/// The built-in scene of that name with these settings.
pub fn builtin(name: &str, params: &Params) -> Result<Scene, BuiltinError> {
    let entry = entry(name).ok_or_else(|| BuiltinError::UnknownScene { name: name.to_owned() })?;
    (entry.make)(&params.resolve(name, entry.keys)?)
}

/// What the scene of that name takes.
pub fn keys(name: &str) -> Option<&'static [Key]> {
    entry(name).map(|e| e.keys)
}

fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|e| e.name == name)
}

/// All names in one line, for messages.
fn names() -> String {
    ENTRIES.iter().map(|e| e.name).collect::<Vec<_>>().join(", ")
}

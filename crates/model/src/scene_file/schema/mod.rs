//! What may be written in a scene file. Any other key is an error.

use serde::Deserialize;
use toml::Spanned;

/// A table and where it stands.
pub(in crate::scene_file) type Table<T> = Spanned<T>;

/// A key as it is declared: for the page of all keys.
#[derive(Debug)]
pub(in crate::scene_file) struct Key {
    pub(in crate::scene_file) name: &'static str,
    pub(in crate::scene_file) kind: &'static str,
    pub(in crate::scene_file) notes: &'static [&'static str],
}

/// Structs of keys; a key that is not listed is an error.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* pub $key:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::scene_file) struct $name { $($(#[$attr])* pub $key: $ty,)* }

        impl $name {
            /// What the page of all keys says of it.
            pub(in crate::scene_file) const KEYS: &'static [$crate::scene_file::schema::Key] = &[$($crate::scene_file::schema::Key {
                name: stringify!($key),
                kind: stringify!($ty),
                notes: &[$(stringify!($attr)),*],
            }),*];
        }
    )*};
}

mod bodies; // materials, bodies and their shapes
mod ties; // joints, loops, gears, models, pushes, controllers

pub(in crate::scene_file) use bodies::*;
pub(in crate::scene_file) use ties::*;

tables! {
    SceneTable {
        /// What the scene is called; the file's name unless given.
        pub name: Option<String>,
        /// Acceleration of free fall, m/s²; [0, 0, -9.81].
        pub gravity: Option<[f64; 3]>,
        /// How long `gudgeon sim` runs it, s.
        pub duration: Option<f64>,
        // default material
        /// Coefficient of friction of all surfaces that do not say otherwise.
        pub friction: Option<f64>,
        /// Bounce of a hit, 0 to 1.
        pub restitution: Option<f64>,
        /// Of a surface that gives way, N/m: of a whole patch of contact, shared by its points; two surfaces that touch are springs one behind the other. Without, contacts are hard.
        pub stiffness: Option<f64>,
        /// Of a surface that gives way, N s/m, likewise; those of two surfaces add up.
        pub damping: Option<f64>,
        /// Coefficient of what slides, at most `friction`.
        pub kinetic_friction: Option<f64>,
        /// Moment about the normal over the normal force, m.
        pub torsional_friction: Option<f64>,
        /// Moment across the normal over the normal force, m.
        pub rolling_friction: Option<f64>,
        /// Of two surfaces: geometric-mean, mean, min, max or product.
        pub combine: Option<Spanned<String>>,
        // settings
        /// Length of a step, s.
        pub dt: Option<f64>,
        /// The solver; robust.
        pub method: Option<Spanned<String>>,
        /// Δ of the method lexicographic.
        pub lexicographic_delta: Option<f64>,
        /// Friction cones: an even number of sides, exact, box or last-box.
        pub facets: Option<Spanned<FacetsValue>>,
        /// The law of friction of round cones: exact or convex.
        pub law: Option<Spanned<String>>,
        /// euler, rk4 or carried.
        pub integrator: Option<Spanned<String>>,
        /// newton or poisson.
        pub restitution_law: Option<Spanned<String>>,
        /// Contacts are looked for this far out, m; follows from the sizes of the shapes unless given.
        pub margin: Option<f64>,
        /// Hits slower than this do not bounce, m/s.
        pub bounce_threshold: Option<f64>,
        /// Overlap that is left alone, m.
        pub overlap_tolerance: Option<f64>,
        /// Overlap is undone no faster than this, m/s.
        pub recovery_speed: Option<f64>,
        /// Takes from passive bodies what a step would add to their energy; true.
        pub energy_guard: Option<bool>,
        /// Of all forces with the same motion the most evenly spread ones.
        pub canonical_forces: Option<bool>,
        /// Starts each solve from the step before; true.
        pub warm_start: Option<bool>,
        /// Pivots allowed per solve.
        pub budget: Option<usize>,
        /// For collision detection; the answer does not depend on it.
        pub threads: Option<usize>,
        // what there is
        /// Surfaces by name.
        #[serde(default)]
        pub material: Vec<Table<MaterialTable>>,
        /// Shapes of the world.
        #[serde(default, rename = "static")]
        pub fixed: Vec<Table<StaticTable>>,
        /// Bodies; free unless a joint names them.
        #[serde(default)]
        pub body: Vec<Table<BodyTable>>,
        /// What a body hangs on.
        #[serde(default)]
        pub joint: Vec<Table<JointTable>>,
        /// Joints that close loops.
        #[serde(default, rename = "loop")]
        pub loops: Vec<Table<LoopTable>>,
        /// Linear equations between coordinates.
        #[serde(default)]
        pub coupling: Vec<Table<CouplingTable>>,
        /// Two wheels in mesh.
        #[serde(default)]
        pub gear: Vec<Table<GearTable>>,
        /// A pinion and its rack.
        #[serde(default)]
        pub rack: Vec<Table<RackTable>>,
        /// A follower on a cam, by a table.
        #[serde(default)]
        pub cam: Vec<Table<CamTable>>,
        /// A URDF or MJCF file in the scene.
        #[serde(default)]
        pub model: Vec<Table<ModelTable>>,
        /// Pairs that do not touch.
        #[serde(default)]
        pub apart: Vec<Table<ApartTable>>,
        /// Forces on bodies for a time.
        #[serde(default)]
        pub push: Vec<Table<PushTable>>,
        /// Motors and controllers.
        #[serde(default)]
        pub controller: Vec<Table<ControllerTable>>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "an even number of at least four, \"exact\" or \"box\"")]
pub(in crate::scene_file) enum FacetsValue {
    Sides(usize),
    Name(String),
}

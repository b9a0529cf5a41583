//! What may be written in a scene file. Any other key is an error.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A table and where it stands.
pub(super) type Table<T> = Spanned<T>;

/// Structs of keys; a key that is not listed is an error.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident { $($fields:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name { $($fields)* }
    )*};
}

tables! {
    SceneTable {
        pub name: Option<String>,
        pub gravity: Option<[f64; 3]>,
        pub duration: Option<f64>,
        // default material
        pub friction: Option<f64>,
        pub restitution: Option<f64>,
        pub stiffness: Option<f64>,
        pub damping: Option<f64>,
        pub kinetic_friction: Option<f64>,
        pub torsional_friction: Option<f64>,
        pub rolling_friction: Option<f64>,
        pub combine: Option<Spanned<String>>,
        // settings
        pub dt: Option<f64>,
        pub method: Option<Spanned<String>>,
        pub lexicographic_delta: Option<f64>,
        pub facets: Option<Spanned<FacetsValue>>,
        pub law: Option<Spanned<String>>,
        pub integrator: Option<Spanned<String>>,
        pub restitution_law: Option<Spanned<String>>,
        pub margin: Option<f64>,
        pub bounce_threshold: Option<f64>,
        pub overlap_tolerance: Option<f64>,
        pub recovery_speed: Option<f64>,
        pub energy_guard: Option<bool>,
        pub canonical_forces: Option<bool>,
        pub warm_start: Option<bool>,
        pub budget: Option<usize>,
        pub threads: Option<usize>,
        // what there is
        #[serde(default)]
        pub material: Vec<Table<MaterialTable>>,
        #[serde(default, rename = "static")]
        pub fixed: Vec<Table<StaticTable>>,
        #[serde(default)]
        pub body: Vec<Table<BodyTable>>,
        #[serde(default)]
        pub joint: Vec<Table<JointTable>>,
        #[serde(default, rename = "loop")]
        pub loops: Vec<Table<LoopTable>>,
        #[serde(default)]
        pub coupling: Vec<Table<CouplingTable>>,
        #[serde(default)]
        pub model: Vec<Table<ModelTable>>,
        #[serde(default)]
        pub apart: Vec<Table<ApartTable>>,
        #[serde(default)]
        pub push: Vec<Table<PushTable>>,
        #[serde(default)]
        pub controller: Vec<Table<ControllerTable>>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "an even number of at least four, \"exact\" or \"box\"")]
pub(super) enum FacetsValue {
    Sides(usize),
    Name(String),
}

tables! {
    MaterialTable {
        pub name: String,
        // what is not said is as in the default material
        pub friction: Option<f64>,
        pub restitution: Option<f64>,
        pub stiffness: Option<f64>,
        pub damping: Option<f64>,
        pub kinetic_friction: Option<f64>,
        pub torsional_friction: Option<f64>,
        pub rolling_friction: Option<f64>,
    }

    StaticTable {
        pub name: Option<String>,
        pub shape: ShapeTable,
        pub position: Option<[f64; 3]>,
        pub orientation: Option<[f64; 4]>,
        pub material: Option<String>,
        pub friction: Option<f64>,
        pub restitution: Option<f64>,
        /// In the world's axes.
        pub surface_velocity: Option<[f64; 3]>,
        pub color: Option<Vec<f32>>,
        pub group: Option<u32>,
        pub mask: Option<u32>,
    }

    BodyTable {
        pub name: Option<String>,
        pub shape: Option<ShapeTable>,
        pub visual: Option<ShapeTable>,
        pub mass: Option<f64>,
        pub density: Option<f64>,
        pub center: Option<[f64; 3]>,
        pub inertia: Option<[[f64; 3]; 3]>,
        pub position: Option<[f64; 3]>,
        pub orientation: Option<[f64; 4]>,
        pub velocity: Option<[f64; 3]>,
        pub angular_velocity: Option<[f64; 3]>,
        pub material: Option<String>,
        pub friction: Option<f64>,
        pub restitution: Option<f64>,
        /// In the body's axes.
        pub surface_velocity: Option<[f64; 3]>,
        pub color: Option<Vec<f32>>,
        pub group: Option<u32>,
        pub mask: Option<u32>,
    }

    /// Exactly one kind, and where it stands in the body.
    ShapeTable {
        pub plane: Option<EmptyTable>,
        pub sphere: Option<f64>,
        #[serde(rename = "box")]
        pub cuboid: Option<[f64; 3]>,
        pub capsule: Option<RoundTable>,
        pub cylinder: Option<RoundTable>,
        pub cone: Option<RoundTable>,
        pub ellipsoid: Option<[f64; 3]>,
        pub mesh: Option<MeshValue>,
        pub hull: Option<HullValue>,
        pub heightfield: Option<HeightfieldTable>,
        pub compound: Option<Vec<ShapeTable>>,
        pub position: Option<[f64; 3]>,
        pub orientation: Option<[f64; 4]>,
    }

    EmptyTable {}
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "[half height, radius] or { half_height = .., radius = .. }")]
pub(super) enum RoundTable {
    Pair([f64; 2]),
    Named { half_height: f64, radius: f64 },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a file name, { file = .., scale = .. } or { vertices = [..], triangles = [..] }"
)]
pub(super) enum MeshValue {
    File(String),
    Named(FileTable),
    Given(TrianglesTable),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a file name, { file = .., scale = .. } or { points = [..] }")]
pub(super) enum HullValue {
    File(String),
    Named(FileTable),
    Points(PointsTable),
}

tables! {
    FileTable {
        pub file: String,
        pub scale: Option<ScaleValue>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a number or three")]
pub(super) enum ScaleValue {
    One(f64),
    Each([f64; 3]),
}

tables! {
    TrianglesTable {
        pub vertices: Vec<[f64; 3]>,
        pub triangles: Vec<[u32; 3]>,
    }

    PointsTable {
        pub points: Vec<[f64; 3]>,
    }

    HeightfieldTable {
        pub rows: usize,
        pub cols: usize,
        pub dx: f64,
        pub dy: f64,
        pub heights: Vec<f64>,
    }

    /// Makes a body hang on another; its frame is then the joint's frame.
    JointTable {
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        pub parent: Option<String>,
        pub child: String,
        pub position: Option<[f64; 3]>,
        pub orientation: Option<[f64; 4]>,
        pub axis: Option<[f64; 3]>,
        pub axis2: Option<[f64; 3]>,
        pub pitch: Option<f64>,
        pub limits: Option<[f64; 2]>,
        pub damping: Option<f64>,
        pub friction: Option<f64>,
        pub armature: Option<f64>,
        pub stiffness: Option<f64>,
        pub rest: Option<f64>,
        pub effort: Option<f64>,
        pub initial: Option<NumberOrList>,
        pub initial_velocity: Option<NumberOrList>,
        pub mimic: Option<MimicTable>,
    }

    MimicTable {
        /// The child of the joint that leads.
        pub joint: String,
        pub ratio: Option<f64>,
        pub offset: Option<f64>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a number or a list of numbers")]
pub(super) enum NumberOrList {
    One(f64),
    List(Vec<f64>),
}

impl NumberOrList {
    pub(super) fn list(&self) -> Vec<f64> {
        match self {
            Self::One(x) => vec![*x],
            Self::List(x) => x.clone(),
        }
    }
}

tables! {
    LoopTable {
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        pub a: String,
        pub b: String,
        pub position_a: Option<[f64; 3]>,
        pub position_b: Option<[f64; 3]>,
        pub orientation_a: Option<[f64; 4]>,
        pub orientation_b: Option<[f64; 4]>,
        pub axis_a: Option<[f64; 3]>,
        pub axis_b: Option<[f64; 3]>,
    }

    CouplingTable {
        pub terms: Vec<TermTable>,
        pub offset: Option<f64>,
    }

    TermTable {
        pub joint: String,
        pub dof: Option<usize>,
        pub coefficient: f64,
    }

    ModelTable {
        pub file: String,
        /// Goes before the names of its links with a slash.
        pub name: Option<String>,
        pub position: Option<[f64; 3]>,
        pub orientation: Option<[f64; 4]>,
        pub base: Option<Spanned<String>>,
        pub fixed_joints: Option<Spanned<String>>,
        pub search: Option<Vec<String>>,
        pub meshes: Option<bool>,
        pub hulls: Option<bool>,
        /// Geoms or links whose meshes touch as they are.
        pub exact: Option<Vec<String>>,
        pub keyframe: Option<String>,
        #[serde(default)]
        pub joints: BTreeMap<String, NumberOrList>,
        pub material: Option<String>,
    }

    ApartTable {
        pub a: String,
        pub b: String,
    }

    PushTable {
        pub body: String,
        pub force: Option<[f64; 3]>,
        pub torque: Option<[f64; 3]>,
        pub point: Option<[f64; 3]>,
        pub from: Option<f64>,
        pub until: Option<f64>,
    }

    ControllerTable {
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        pub joint: Option<String>,
        pub joints: Option<Vec<String>>,
        pub dof: Option<usize>,
        pub force: Option<f64>,
        pub velocity: Option<f64>,
        pub effort: Option<f64>,
        pub stiffness: Option<f64>,
        pub damping: Option<f64>,
        pub target: Option<NumberOrList>,
        pub times: Option<Vec<f64>>,
        pub values: Option<Vec<NumberOrList>>,
    }
}

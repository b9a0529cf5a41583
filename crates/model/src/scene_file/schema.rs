//! What may be written in a scene file. Any other key is an error.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A table and where it stands.
pub(super) type Table<T> = Spanned<T>;

/// A key as it is declared: for the page of all keys.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) notes: &'static [&'static str],
}

/// Structs of keys; a key that is not listed is an error.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* pub $key:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name { $($(#[$attr])* pub $key: $ty,)* }

        impl $name {
            /// What the page of all keys says of it.
            pub(super) const KEYS: &'static [Key] = &[$(Key {
                name: stringify!($key),
                kind: stringify!($ty),
                notes: &[$(stringify!($attr)),*],
            }),*];
        }
    )*};
}

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
        /// Of contacts that are springs, N/m; without, contacts are hard.
        pub stiffness: Option<f64>,
        /// Of contacts that are springs, N s/m.
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
pub(super) enum FacetsValue {
    Sides(usize),
    Name(String),
}

/// A turn, in one of three ways.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a quaternion [w, x, y, z], { axis = [..], degrees = .. } or { euler = [..], order = \"xyz\" }"
)]
pub(super) enum OrientationValue {
    Quaternion([f64; 4]),
    Turn(TurnTable),
    Euler(EulerTable),
}

tables! {
    TurnTable {
        /// Of the turn.
        pub axis: [f64; 3],
        /// Angle; this or `radians`.
        pub degrees: Option<f64>,
        /// Angle.
        pub radians: Option<f64>,
    }

    EulerTable {
        /// Degrees.
        pub euler: [f64; 3],
        /// Axes of the three turns: small letters for axes that turn along, capitals for fixed ones; xyz.
        pub order: Option<String>,
    }
}

tables! {
    MaterialTable {
        /// What surfaces call it.
        pub name: String,
        /// As in the scene, and so on.
        pub friction: Option<f64>,
        pub restitution: Option<f64>,
        pub stiffness: Option<f64>,
        pub damping: Option<f64>,
        pub kinetic_friction: Option<f64>,
        pub torsional_friction: Option<f64>,
        pub rolling_friction: Option<f64>,
    }

    StaticTable {
        /// For reports.
        pub name: Option<String>,
        /// What it is.
        pub shape: ShapeTable,
        /// m.
        pub position: Option<[f64; 3]>,
        /// A turn.
        pub orientation: Option<OrientationValue>,
        /// A surface by name.
        pub material: Option<String>,
        /// Of this surface.
        pub friction: Option<f64>,
        /// Of this surface.
        pub restitution: Option<f64>,
        /// In the world's axes.
        pub surface_velocity: Option<[f64; 3]>,
        /// Red, green, blue and opacity, 0 to 1.
        pub color: Option<Vec<f32>>,
        /// Bits of what it is.
        pub group: Option<u32>,
        /// Bits of what it touches: 0 touches nothing.
        pub mask: Option<u32>,
    }

    BodyTable {
        /// Joints, pushes and reports call it so.
        pub name: Option<String>,
        /// What touches, and what the mass follows from.
        pub shape: Option<ShapeTable>,
        /// What is shown besides.
        pub visual: Option<ShapeTable>,
        /// kg; from the shape at `density` unless given.
        pub mass: Option<f64>,
        /// kg/m³; 1000.
        pub density: Option<f64>,
        /// Centre of mass, body frame, m.
        pub center: Option<[f64; 3]>,
        /// About the centre of mass, body axes, kg m²; wants `mass`.
        pub inertia: Option<[[f64; 3]; 3]>,
        /// m; of a free body.
        pub position: Option<[f64; 3]>,
        /// A turn; of a free body.
        pub orientation: Option<OrientationValue>,
        /// m/s; of a free body.
        pub velocity: Option<[f64; 3]>,
        /// World axes, rad/s; of a free body.
        pub angular_velocity: Option<[f64; 3]>,
        /// A surface by name.
        pub material: Option<String>,
        /// Of its surface.
        pub friction: Option<f64>,
        /// Of its surface.
        pub restitution: Option<f64>,
        /// In the body's axes.
        pub surface_velocity: Option<[f64; 3]>,
        /// Red, green, blue and opacity, 0 to 1.
        pub color: Option<Vec<f32>>,
        /// Bits of what it is.
        pub group: Option<u32>,
        /// Bits of what it touches: 0 touches nothing.
        pub mask: Option<u32>,
    }

    /// Exactly one kind, and where it stands in the body.
    ShapeTable {
        /// The half space below z = 0 of its frame: `{}`.
        pub plane: Option<EmptyTable>,
        /// Radius, m.
        pub sphere: Option<f64>,
        /// Half sides, m.
        #[serde(rename = "box")]
        pub cuboid: Option<[f64; 3]>,
        /// Half height of its axis z, and radius, m.
        pub capsule: Option<RoundTable>,
        /// Half height along z, and radius, m.
        pub cylinder: Option<RoundTable>,
        /// Half height along z, and radius, m.
        pub cone: Option<RoundTable>,
        /// Half axes, m.
        pub ellipsoid: Option<[f64; 3]>,
        /// A closed surface: a file, or vertices and triangles.
        pub mesh: Option<MeshValue>,
        /// The convex hull of a file's points, or of points.
        pub hull: Option<HullValue>,
        /// A grid of heights.
        pub heightfield: Option<HeightfieldTable>,
        /// A ring of round section about z: radius of the ring and of its tube, m. Exact for balls.
        pub torus: Option<[f64; 2]>,
        /// A section carried round z: threads, races, tracks. Exact for balls.
        pub sweep: Option<SweepTable>,
        /// An involute gear about z.
        pub gear: Option<ToothedTable>,
        /// Several shapes as one.
        pub compound: Option<Vec<ShapeTable>>,
        /// In the body, m.
        pub position: Option<[f64; 3]>,
        /// A turn in the body.
        pub orientation: Option<OrientationValue>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EmptyTable {}

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
        /// STL, OBJ, DAE or MSH.
        pub file: String,
        /// A number or three.
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
        /// m.
        pub vertices: Vec<[f64; 3]>,
        /// Three vertices each, anticlockwise from outside.
        pub triangles: Vec<[u32; 3]>,
    }

    PointsTable {
        /// m.
        pub points: Vec<[f64; 3]>,
    }

    SweepTable {
        /// Corners of a closed polygon, `[r, z]` each, m; `[r, z, b]` if the side that follows is an arc over the angle 4 atan(b).
        pub section: Vec<Vec<f64>>,
        /// Rise per turn, m; 0, a ring.
        pub pitch: Option<f64>,
        /// How far it is carried; 1 turn.
        pub turns: Option<f64>,
        /// Chords per turn of its mesh; 96.
        pub segments: Option<usize>,
    }

    ToothedTable {
        /// Pitch diameter over teeth, across the axis, m.
        pub module: f64,
        /// How many; one points along x at half the width.
        pub teeth: usize,
        /// Along z, m.
        pub width: f64,
        /// Degrees; 20.
        pub pressure_angle: Option<f64>,
        /// Degrees between teeth and axis at the pitch circle, positive for a right-handed helix; 0.
        pub helix: Option<f64>,
        /// Taken off every tooth along the pitch circle, m; 0.
        pub backlash: Option<f64>,
        /// Of a flank; 8.
        pub points: Option<usize>,
    }

    HeightfieldTable {
        /// Along y.
        pub rows: usize,
        /// Along x.
        pub cols: usize,
        /// Between columns, m.
        pub dx: f64,
        /// Between rows, m.
        pub dy: f64,
        /// Row by row, m.
        pub heights: Vec<f64>,
    }

    /// Makes a body hang on another; its frame is then the joint's frame.
    JointTable {
        /// fixed, revolute, prismatic, helical, cylindrical, universal, planar, spherical or free.
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// The body it hangs on; the world.
        pub parent: Option<String>,
        /// The body that hangs on it.
        pub child: String,
        /// Of its frame in the parent, m.
        pub position: Option<[f64; 3]>,
        /// Of its frame in the parent, a turn.
        pub orientation: Option<OrientationValue>,
        /// In its frame; z.
        pub axis: Option<[f64; 3]>,
        /// Of a universal joint.
        pub axis2: Option<[f64; 3]>,
        /// Of a helical joint, m/rad.
        pub pitch: Option<f64>,
        /// Least and greatest, rad or m.
        pub limits: Option<[f64; 2]>,
        /// N m s/rad or N s/m.
        pub damping: Option<f64>,
        /// Dry friction, N m or N.
        pub friction: Option<f64>,
        /// Inertia of the drive, kg m² or kg.
        pub armature: Option<f64>,
        /// Of a spring, N m/rad or N/m.
        pub stiffness: Option<f64>,
        /// Where the spring rests, rad or m.
        pub rest: Option<f64>,
        /// Greatest force of motors, N m or N.
        pub effort: Option<f64>,
        /// Where it starts, rad or m; a spherical joint w x y z.
        pub initial: Option<NumberOrList>,
        /// rad/s or m/s.
        pub initial_velocity: Option<NumberOrList>,
        /// Follows another joint.
        pub mimic: Option<MimicTable>,
    }

    MimicTable {
        /// The child of the joint that leads.
        pub joint: String,
        /// 1 unless given.
        pub ratio: Option<f64>,
        /// rad or m.
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
        /// point, revolute (about z of both frames), weld, line (b's point on z of a's frame), cylindrical, prismatic or plane (b's point in x, y of a's frame).
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// A body, or world.
        pub a: String,
        /// Another body.
        pub b: String,
        /// Of the frame in a, m.
        pub position_a: Option<[f64; 3]>,
        /// Of the frame in b, m.
        pub position_b: Option<[f64; 3]>,
        /// A turn.
        pub orientation_a: Option<OrientationValue>,
        /// A turn.
        pub orientation_b: Option<OrientationValue>,
        /// z of the frame in a, in place of a turn.
        pub axis_a: Option<[f64; 3]>,
        /// z of the frame in b, in place of a turn.
        pub axis_b: Option<[f64; 3]>,
    }

    CouplingTable {
        /// Σ coefficient · coordinate = offset.
        pub terms: Vec<TermTable>,
        /// 0 unless given.
        pub offset: Option<f64>,
    }

    TermTable {
        /// The child of the joint.
        pub joint: String,
        /// Which of its coordinates; 0.
        pub dof: Option<usize>,
        /// Its factor.
        pub coefficient: f64,
    }

    /// Two wheels in mesh; teeth or radii, as they are counted.
    GearTable {
        /// The child of the first wheel's joint.
        pub a: String,
        /// Of the second's.
        pub b: String,
        /// Of a and b, or their radii.
        pub teeth: [f64; 2],
        /// One of the two has its teeth inside: both turn the same way.
        pub internal: Option<bool>,
        /// The arm that carries a wheel or both.
        pub carrier: Option<String>,
    }

    /// A pinion that moves a rack: travel = radius times turn.
    RackTable {
        /// The child of the turning joint.
        pub pinion: String,
        /// The child of the sliding joint.
        pub rack: String,
        /// m; negative the other way round.
        pub radius: f64,
    }

    /// A follower whose place is a smooth function of the turn of a shaft.
    CamTable {
        /// The child of the turning joint.
        pub shaft: String,
        /// The child of the joint that follows.
        pub follower: String,
        /// rad
        pub angles: Vec<f64>,
        /// Its coordinate at these angles, m or rad; a smooth curve (cubic spline) goes through them.
        pub lifts: Vec<f64>,
        /// The curve repeats with every turn; true unless said otherwise.
        pub closed: Option<bool>,
    }

    ModelTable {
        /// URDF or MJCF.
        pub file: String,
        /// Goes before the names of its links with a slash.
        pub name: Option<String>,
        /// m.
        pub position: Option<[f64; 3]>,
        /// A turn.
        pub orientation: Option<OrientationValue>,
        /// auto, free or fixed.
        pub base: Option<Spanned<String>>,
        /// keep or merge.
        pub fixed_joints: Option<Spanned<String>>,
        /// Directories to look for files in.
        pub search: Option<Vec<String>>,
        /// Reads mesh files; true.
        pub meshes: Option<bool>,
        /// Meshes touch as their hulls; true.
        pub hulls: Option<bool>,
        /// Geoms or links whose meshes touch as they are.
        pub exact: Option<Vec<String>>,
        /// To start from.
        pub keyframe: Option<String>,
        /// Where joints start, by name.
        #[serde(default)]
        pub joints: BTreeMap<String, NumberOrList>,
        /// Of all its surfaces.
        pub material: Option<String>,
    }

    ApartTable {
        /// A body.
        pub a: String,
        /// A body that a does not touch.
        pub b: String,
    }

    PushTable {
        /// On which.
        pub body: String,
        /// World axes, N.
        pub force: Option<[f64; 3]>,
        /// World axes, N m.
        pub torque: Option<[f64; 3]>,
        /// Where the force acts, body frame, m; the centre of mass.
        pub point: Option<[f64; 3]>,
        /// s.
        pub from: Option<f64>,
        /// s.
        pub until: Option<f64>,
    }

    ControllerTable {
        /// force, motor, pd, computed-torque or high-gain.
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// The child of the joint.
        pub joint: Option<String>,
        /// Several, in place of `joint`.
        pub joints: Option<Vec<String>>,
        /// Which of its coordinates; 0.
        pub dof: Option<usize>,
        /// Of `force`, N m or N.
        pub force: Option<f64>,
        /// Of `motor`, rad/s or m/s.
        pub velocity: Option<f64>,
        /// Greatest force, N m or N.
        pub effort: Option<f64>,
        /// Of `pd` (N m/rad, N/m) and `computed-torque` (1/s²).
        pub stiffness: Option<f64>,
        /// Likewise.
        pub damping: Option<f64>,
        /// Held.
        pub target: Option<NumberOrList>,
        /// Knots of a motion, s.
        pub times: Option<Vec<f64>>,
        /// At the knots, rad or m.
        pub values: Option<Vec<NumberOrList>>,
    }
}

//! Materials, bodies and their shapes.

use serde::Deserialize;

/// A turn, in one of three ways.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a quaternion [w, x, y, z], { axis = [..], degrees = .. } or { euler = [..], order = \"xyz\" }"
)]
pub(in crate::scene_file) enum OrientationValue {
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
pub(in crate::scene_file) struct EmptyTable {}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "[half height, radius] or { half_height = .., radius = .. }")]
pub(in crate::scene_file) enum RoundTable {
    Pair([f64; 2]),
    Named { half_height: f64, radius: f64 },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a file name, { file = .., scale = .. } or { vertices = [..], triangles = [..] }"
)]
pub(in crate::scene_file) enum MeshValue {
    File(String),
    Named(FileTable),
    Given(TrianglesTable),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a file name, { file = .., scale = .. } or { points = [..] }")]
pub(in crate::scene_file) enum HullValue {
    File(String),
    Named(FileTable),
    Points(PointsTable),
}

tables! {
    FileTable {
        /// STL, OBJ, DAE, MSH or GLB.
        pub file: String,
        /// A number or three.
        pub scale: Option<ScaleValue>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a number or three")]
pub(in crate::scene_file) enum ScaleValue {
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
}

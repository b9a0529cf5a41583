//! Why a shape could not be built. Asking for contacts never fails: a shape that exists is sound.

/// What is wrong with the numbers or the file a shape was to be made of.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that must be positive and finite is not, or lies outside 1e-9 m to 1e9 m.
    #[error("{what} is {value}, expected a length between 1e-9 and 1e9")]
    Size {
        /// Which length.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A coordinate is NaN, infinite, or beyond 1e9 m, where contact gaps drown in rounding.
    #[error("vertex {index} has coordinate {value}, expected a number within 1e9")]
    Coordinate {
        /// Index of the vertex in the input.
        index: usize,
        /// The offending number.
        value: f64,
    },
    /// A triangle or face names a vertex that is not there.
    #[error("face {face} names vertex {vertex} of {vertices}")]
    Index {
        /// Index of the face in the input.
        face: usize,
        /// The index it names.
        vertex: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// The points span no volume.
    #[error("the {points} points lie in a plane, on a line or in one place: no volume to enclose")]
    Flat {
        /// How many points were given.
        points: usize,
    },
    /// The hull could not be closed up; the points are too nearly degenerate.
    #[error("no convex hull of the {points} points: {reason}")]
    Hull {
        /// How many points were given.
        points: usize,
        /// What failed.
        reason: &'static str,
    },
    /// Nothing was left of a mesh after dropping degenerate triangles.
    #[error("no triangle with an area among the {triangles} given")]
    Empty {
        /// How many triangles were given.
        triangles: usize,
    },
    /// A solid was asked for and the surface has holes or more than two triangles at an edge.
    #[error("the mesh is not closed: {boundary} open and {crowded} overcrowded edges")]
    Open {
        /// Edges with one triangle.
        boundary: usize,
        /// Edges with three or more.
        crowded: usize,
    },
    /// A grid of heights with the wrong number of samples, or fewer than 2 by 2.
    #[error("heightfield of {rows} x {cols} with {len} samples")]
    Grid {
        /// Samples along y.
        rows: usize,
        /// Samples along x.
        cols: usize,
        /// Samples given.
        len: usize,
    },
    /// More triangles, vertices or children than the crate indexes or agrees to hold.
    #[error("{what}: {count} exceeds {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// Mass was asked of a shape that encloses no volume (plane, heightfield, open mesh).
    #[error("a {shape} encloses no volume, so it has no mass properties")]
    NoVolume {
        /// The kind of shape.
        shape: &'static str,
    },
    /// A compound inside a compound, or a plane or heightfield inside one.
    #[error("a {shape} cannot be part of a compound")]
    Part {
        /// The kind of shape.
        shape: &'static str,
    },
    /// A section that cannot be carried round an axis.
    #[error("the section {why}")]
    Section {
        /// What is wrong with it.
        why: &'static str,
    },
    /// A mesh file could not be read.
    #[error("{format} file: {reason}")]
    File {
        /// STL, OBJ or DAE.
        format: &'static str,
        /// What the reader said.
        reason: String,
    },
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if (LEAST_LENGTH..=COORDINATE_LIMIT).contains(&value) {
        Ok(value)
    } else {
        Err(ShapeError::Size { what, value })
    }
}

/// Metres. Smaller shapes are smaller than what counts as touching beside shapes of a metre, and products of a few such lengths
/// vanish.
const LEAST_LENGTH: f64 = 1e-9;

/// Metres. At 1e9 m one unit in the last place is 1e-7 m, a tenth of the penetration a resting
/// contact may have; beyond it contact means nothing in f64.
pub(crate) const COORDINATE_LIMIT: f64 = 1e9;

pub(crate) fn finite(index: usize, p: &crate::rigid::Vec3) -> Result<(), ShapeError> {
    match p.iter().find(|x| x.is_nan() || x.abs() > COORDINATE_LIMIT) {
        Some(&value) => Err(ShapeError::Coordinate { index, value }),
        None => Ok(()),
    }
}

/// A number of vertices, faces or triangles as meshes keep it.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).expect("sizes are limited at construction")
}

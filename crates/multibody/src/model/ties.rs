//! What ties links to each other beside the tree: loop joints and couplings, as data. Their rows are those of
//! `constraint`.

use gudgeon_spatial::Pose;

use super::curve::Curve;
use super::{LinkId, Model};

/// What a loop joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopKind {
    /// All rotations.
    Point,
    /// The rotation about z of the two frames.
    Revolute,
    /// Nothing.
    Weld,
    /// All rotations, and sliding along z of the first frame: a pin in a straight slot, seen in space.
    Line,
    /// The rotation about z, and sliding along it.
    Cylindrical,
    /// Sliding along z of the first frame.
    Prismatic,
    /// All rotations, and sliding along x and y of the first frame.
    Plane,
}

impl LoopKind {
    /// Which directions of the first frame hold the point of the second.
    pub fn holds(self) -> [bool; 3] {
        match self {
            Self::Point | Self::Revolute | Self::Weld => [true; 3],
            Self::Line | Self::Cylindrical | Self::Prismatic => [true, true, false],
            Self::Plane => [false, false, true],
        }
    }
}

/// A loop joint by names; what [`crate::ModelBuilder::close`] takes.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopSpec {
    /// What it leaves free.
    pub kind: LoopKind,
    /// First link; "world" is allowed.
    pub link_a: String,
    /// Second link.
    pub link_b: String,
    /// The joint's frame in the first link.
    pub frame_a: Pose,
    /// The joint's frame in the second link.
    pub frame_b: Pose,
}

/// A loop joint of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loop {
    /// What it leaves free.
    pub kind: LoopKind,
    /// First link.
    pub a: LinkId,
    /// Second link.
    pub b: LinkId,
    /// The joint's frame in the first link.
    pub frame_a: Pose,
    /// The joint's frame in the second link.
    pub frame_b: Pose,
}

/// Σ coefficient · q - f(q_d) = offset over plain coordinates: mimic joints, gears, differentials; with f, cams.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    /// (dof, coefficient), dofs ascending; d of the curve among them.
    pub terms: Vec<(usize, f64)>,
    /// rad or m.
    pub offset: f64,
    /// (d, f).
    pub curve: Option<(usize, Curve)>,
}

impl Coupling {
    /// What the sum is beyond the offset and the curve at positions `q`, n_q, rad or m.
    pub fn error(&self, model: &Model, q: &[f64]) -> f64 {
        self.measure(|dof| q[model.dof_coordinate(dof).expect("the builder couples plain coordinates only")])
            .0
    }

    /// g, the slope f′ and the curvature f″ at positions `q` by dof.
    pub(crate) fn measure(&self, q: impl Fn(usize) -> f64) -> (f64, f64, f64) {
        let g = self.terms.iter().map(|&(dof, c)| c * q(dof)).sum::<f64>() - self.offset;
        self.curve.as_ref().map_or((g, 0.0, 0.0), |(dof, f)| {
            let [y, slope, curvature] = f.at(q(*dof));
            (g - y, slope, curvature)
        })
    }
}

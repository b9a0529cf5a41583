//! What the scenes are made of: poses, colours, links with the inertia of their shape, closed loops.

use gudgeon_collide::Shape;
use gudgeon_multibody::{
    AssemblySettings, ConstraintRows, Joint, LinkSpec, LoopKind, LoopSpec, Workspace, assemble, kinematics,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::{DMatrix, DVector, Isometry3, Translation3, UnitQuaternion};

use super::params::BuiltinError;
use crate::error::SceneError;
use crate::scene::{Placed, Scene, SceneBuilder, inertia_of};
use crate::tolerances::REPEATED_ROWS;

/// Red, green, blue, opacity.
pub(super) type Color = [f32; 4];

/// The colours of the scenes: muted, told apart by lightness as well as by hue.
pub(super) mod color {
    use super::Color;

    const fn rgb(red: f32, green: f32, blue: f32) -> Color {
        [red, green, blue, 1.0]
    }

    pub(crate) const SLATE: Color = rgb(0.29, 0.35, 0.42);
    pub(crate) const STEEL: Color = rgb(0.62, 0.67, 0.72);
    pub(crate) const IVORY: Color = rgb(0.93, 0.90, 0.83);
    pub(crate) const SAND: Color = rgb(0.85, 0.74, 0.56);
    pub(crate) const OAK: Color = rgb(0.74, 0.57, 0.38);
    pub(crate) const WALNUT: Color = rgb(0.47, 0.34, 0.25);
    pub(crate) const BRICK: Color = rgb(0.72, 0.36, 0.27);
    pub(crate) const CLAY: Color = rgb(0.83, 0.52, 0.38);
    pub(crate) const BRASS: Color = rgb(0.83, 0.67, 0.33);
    pub(crate) const MOSS: Color = rgb(0.45, 0.57, 0.36);
    pub(crate) const TEAL: Color = rgb(0.20, 0.53, 0.54);
    pub(crate) const SKY: Color = rgb(0.44, 0.65, 0.81);
    pub(crate) const PLUM: Color = rgb(0.50, 0.33, 0.47);

    /// `k`-th of `n` steps from one colour to another.
    pub(crate) fn between(from: Color, to: Color, k: usize, n: usize) -> Color {
        let s = if n < 2 { 0.0 } else { k as f32 / (n - 1) as f32 };
        std::array::from_fn(|i| from[i] + s * (to[i] - from[i]))
    }
}

/// A pure translation.
pub(super) fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

/// Turned by a rotation vector, no translation.
pub(super) fn turned(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::rotation(Vector3::new(x, y, z))
}

/// Midway between two points, z along the way: where a capsule or a cylinder lies.
pub(super) fn along(from: Vector3<f64>, to: Vector3<f64>) -> Isometry3<f64> {
    let way = to - from;
    let turn = UnitQuaternion::rotation_between(&Vector3::z(), &way)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
    Isometry3::from_parts(Translation3::from((from + to) * 0.5), turn)
}

/// w x y z of a rotation.
pub(super) fn wxyz(rotation: &UnitQuaternion<f64>) -> [f64; 4] {
    [rotation.w, rotation.i, rotation.j, rotation.k]
}

/// A link of one shape: its inertia is that of the shape, filled evenly to `mass`.
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    pub(super) parent: &'a str,
    pub(super) joint: Joint,
    pub(super) placement: Pose,
    pub(super) mass: f64,
    pub(super) shape: Shape,
    pub(super) pose: Isometry3<f64>,
    pub(super) color: Color,
}

impl Part<'_> {
    /// In the link's frame; the density cancels.
    pub(super) fn inertia(&self) -> Result<Inertia, BuiltinError> {
        Ok(inertia_of(&self.shape.mass_properties(1000.0)?.moved(&self.pose), self.mass))
    }

    /// The link without its shape.
    pub(super) fn link(&self) -> Result<LinkSpec, BuiltinError> {
        Ok(LinkSpec::new(self.name, self.parent, self.joint, self.placement, self.inertia()?))
    }

    /// Adds the link with a shape that touches.
    pub(super) fn add(
        self,
        scene: &mut SceneBuilder,
        change: impl FnOnce(LinkSpec) -> LinkSpec,
    ) -> Result<&mut Placed, BuiltinError> {
        scene.link(change(self.link()?));
        let placed = scene.collider(self.name, self.shape, self.pose);
        placed.color = Some(self.color);
        Ok(placed)
    }

    /// Adds the link with a shape that is only seen.
    pub(super) fn add_ghost(
        self,
        scene: &mut SceneBuilder,
        change: impl FnOnce(LinkSpec) -> LinkSpec,
    ) -> Result<(), BuiltinError> {
        scene.link(change(self.link()?));
        scene.visual(self.name, self.shape, self.pose).color = Some(self.color);
        Ok(())
    }
}

/// A hinge about y between two links that move in the x-z plane; points are (x, z).
pub(super) fn pin(a: &str, at_a: [f64; 2], b: &str, at_b: [f64; 2]) -> LoopSpec {
    // z of the frames is the axis: y of the links
    let turn = Pose::rotation_about(&Vector3::x(), -std::f64::consts::FRAC_PI_2);
    let frame = |p: [f64; 2]| Pose::new(turn, Vector3::new(p[0], 0.0, p[1]));
    LoopSpec {
        kind: LoopKind::Revolute,
        link_a: a.into(),
        link_b: b.into(),
        frame_a: frame(at_a),
        frame_b: frame(at_b),
    }
}

/// Closes the loops of the initial position, and changes the initial velocity least so that they stay closed,
/// leaving the first `held` degrees of freedom as they are.
pub(super) fn close(scene: &mut Scene, held: usize) -> Result<(), SceneError> {
    let Scene { model, initial, .. } = scene;
    let mut ws = Workspace::new(model);
    assemble(model, initial, &AssemblySettings::default(), &mut ws)
        .map_err(|error| SceneError::Assembly(error.to_string()))?;
    kinematics(model, &initial.q, &mut ws);
    let mut constraints = ConstraintRows::default();
    constraints.positions(model, initial, &ws);
    let (rows, free) = (constraints.g.len(), model.n_v() - held);
    let mut j = DMatrix::zeros(rows, free);
    let mut rate = DVector::zeros(rows);
    for i in 0..rows {
        let (dofs, values) = constraints.rows.row(i);
        for (&k, &x) in dofs.iter().zip(values) {
            rate[i] += x * initial.v[k];
            if k >= held {
                j[(i, k - held)] = x;
            }
        }
    }
    if rate.amax() == 0.0 {
        return Ok(());
    }
    // rows of planar loops repeat each other: singular values below 1e-9 of metres and unit axes are nought
    let change = j
        .svd(true, true)
        .solve(&rate, REPEATED_ROWS)
        .map_err(|reason| SceneError::Assembly(format!("rates: {reason}")))?;
    for k in 0..free {
        initial.v[held + k] -= change[k];
    }
    Ok(())
}

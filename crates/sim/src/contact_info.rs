//! A contact as it is told to whoever asks: place, force, slip and mode.

use gudgeon_multibody::LinkId;
use gudgeon_spatial::Vector3;

use crate::frame::Mode;
use crate::surface::Material;

/// A contact of the present step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactInfo {
    /// The link the force acts on, and the other one.
    pub a: LinkId,
    /// See `a`.
    pub b: LinkId,
    /// The colliders, by index in the scene.
    pub colliders: (usize, usize),
    /// Stable name.
    pub id: u64,
    /// World, m: on the face whose normal it is, midway between surfaces that have none.
    pub point: Vector3<f64>,
    /// How far the point lies from midway, along the normal and in gaps: 1/2 on a, -1/2 on b.
    pub rise: f64,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// At the start of the step, m; negative is overlap.
    pub gap: f64,
    /// On a, world axes, N: impulse over dt.
    pub force: Vector3<f64>,
    /// On a, world axes, N m: torsion and rolling, over dt.
    pub moment: Vector3<f64>,
    /// Of a against b at the end of the step, world axes, m/s, tangential part.
    pub slip: Vector3<f64>,
    /// Open, stick or slip.
    pub mode: Mode,
    /// Surface of the pair.
    pub material: Material,
}

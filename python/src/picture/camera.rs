//! Where a picture is taken from: a place and a direction, what shows all that moves, or a camera of the file.

use gudgeon_multibody::LinkId;
use gudgeon_sim::Simulator;
use gudgeon_spatial::Pose;

use super::{PARALLEL, Picture, V3};

/// Where the picture is taken from.
pub(crate) struct Camera {
    pub(super) eye: V3,
    pub(super) right: V3,
    pub(super) up: V3,
    pub(super) ahead: V3,
    pub(super) slope: f64, // half the picture's height at distance 1
}

impl Camera {
    /// From `eye` towards `target`; where they are not given, towards the middle of what moves, from a distance that
    /// shows all of it.
    pub(crate) fn look(
        picture: &Picture,
        sim: &Simulator,
        eye: Option<V3>,
        target: Option<V3>,
        fov: f64,
    ) -> Self {
        let links: Vec<V3> = picture
            .meshes
            .iter()
            .filter(|m| m.link != LinkId::WORLD)
            .map(|m| sim.workspace().pose(m.link).translation)
            .filter(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let middle = links.iter().sum::<V3>() / links.len().max(1) as f64;
        let target = target.unwrap_or(middle);
        let spread = links.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max) + picture.radius;
        let slope = (0.5 * fov.to_radians()).tan();
        let eye =
            eye.unwrap_or_else(|| target + V3::new(1.0, -1.3, 0.55).normalize() * (1.35 * spread / slope));
        let ahead = (target - eye).try_normalize(0.0).unwrap_or_else(V3::x);
        let right = ahead.cross(&V3::z()).try_normalize(PARALLEL).unwrap_or_else(V3::y);
        Self { eye, right, up: right.cross(&ahead), ahead, slope }
    }

    /// As a camera of the file stands: along −z of `frame`, y up.
    pub(crate) fn at(frame: &Pose, fov: f64) -> Self {
        let axis = |k: usize| -> V3 { frame.rotation.column(k).into() };
        let slope = (0.5 * fov.to_radians()).tan();
        Self { eye: frame.translation, right: axis(0), up: axis(1), ahead: -axis(2), slope }
    }
}

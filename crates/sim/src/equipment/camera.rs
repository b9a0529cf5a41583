//! Where a file says that pictures are taken from.
//!
//! A camera looks along −z of its frame, y is up in the picture.

use gudgeon_multibody::{LinkId, Workspace};
use gudgeon_spatial::{Matrix3, Pose, Vector3};

use super::Equipment;
use crate::tolerances::{LOOKS_UP, NO_SIGHT};

/// How a camera moves with what carries it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// As if screwed on.
    Fixed,
    /// Goes along without turning: its frame where the model is at its reference, against the link's origin, world axes.
    Along(Pose),
    /// Turns to a body of the file, by index.
    At(usize),
}

/// A camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// What the file calls it; may be empty.
    pub name: String,
    /// The link it moves with.
    pub link: LinkId,
    /// In the link's frame.
    pub pose: Pose,
    /// How it moves.
    pub aim: Aim,
    /// Height of the picture as an angle, degrees.
    pub fov: f64,
}

impl Equipment {
    /// The camera of that name.
    pub fn camera(&self, name: &str) -> Option<&Camera> {
        self.cameras.iter().find(|c| c.name == name)
    }
}

impl Camera {
    /// Its frame in the world; wants `kinematics`.
    pub fn frame(&self, equipment: &Equipment, ws: &Workspace) -> Pose {
        let link = ws.pose(self.link);
        let own = link.compose(&self.pose);
        match self.aim {
            Aim::Fixed => own,
            Aim::Along(x) => Pose::new(x.rotation, link.translation + x.translation),
            Aim::At(body) => {
                let Some(b) = equipment.bodies.get(body) else { return own };
                let target = ws.pose(b.link).compose(&b.pose).translation;
                let Some(back) = (own.translation - target).try_normalize(NO_SIGHT) else { return own };
                // level as far as it can be
                let right = Vector3::z().cross(&back).try_normalize(LOOKS_UP).unwrap_or_else(Vector3::x);
                let up = back.cross(&right);
                Pose::new(Matrix3::from_columns(&[right, up, back]), own.translation)
            }
        }
    }

    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        let (link, x) = to(self.link);
        (self.link, self.pose) = (link, x.compose(&self.pose));
    }
}

//! Free bodies whose frames the format moves: to the centre of mass and the axes of inertia, where the file asks for it.
//!
//! ```text
//!     x_w0' = x_w0 T        of everything in the body  x' = T⁻¹ x          T the frame of its inertia
//! ```
//! Where bodies are, and what moves how, stays; what a free joint's seven coordinates say does not. Bodies that carry others keep theirs.

use gudgeon_spatial::{Matrix3, Pose};

use super::{JointKind, Reader};
use crate::place::isometry;

impl Reader<'_> {
    /// Moves the frames of the bodies that ask for it, with what is in them; once their inertias are known.
    pub(super) fn align(&mut self) {
        for k in 1..self.bodies.len() {
            let own = &self.bodies[k];
            let asked = match own.joints.as_slice() {
                [joint] if joint.kind == JointKind::Free => joint.align,
                _ => continue,
            };
            let carries = self.bodies.iter().skip(1).any(|b| b.parent == k);
            if carries || !asked.unwrap_or(self.compilers[own.model].align_free) {
                continue;
            }
            let frame = Pose::new(self.inertial_axes(k), self.inertia_list[k].com);
            self.move_frame(k, &frame);
        }
    }

    fn move_frame(&mut self, k: usize, frame: &Pose) {
        let back = frame.inverse();
        let own = &mut self.bodies[k];
        own.pose = own.pose.compose(frame);
        own.x_w0 = own.x_w0.compose(frame);
        own.given_axes = own.given_axes.map(|axes| back.rotation * axes);
        own.only = Some(Matrix3::identity());
        self.inertia_list[k] = self.inertia_list[k].transformed(&back);
        for (_, shape, _) in self.shapes.iter_mut().filter(|s| s.0 == k) {
            shape.pose = isometry(&back) * shape.pose;
        }
        for (_, _, pose, _) in self.sites.iter_mut().filter(|s| s.1 == k) {
            *pose = back.compose(pose);
        }
        for (_, pose) in self.cameras.values_mut().filter(|c| c.0 == k) {
            *pose = back.compose(pose);
        }
        for camera in self.camera_list.iter_mut().filter(|c| c.body == k) {
            camera.pose = back.compose(&camera.pose);
        }
        for (_, pose, ..) in self.floats.iter_mut().filter(|f| f.0 == k) {
            *pose = back.compose(pose);
        }
        for (_, pose, _) in self.wraps.values_mut().filter(|w| w.0 == k) {
            *pose = back.compose(pose);
        }
    }
}

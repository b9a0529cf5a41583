//! Springs and limits of ball joints, about the turn from where the file's reference has them.
//!
//! ```text
//!     θ u = log(q)          own axes, 0 ≤ θ ≤ π, u unit
//!     τ = −k θ u            three springs, each at the end of the step
//!     θ ≤ θ_max             one row −u, gap θ_max − θ
//! ```

use gudgeon_multibody::{LinkId, Model};
use gudgeon_spatial::{Quaternion, Vector3};

/// What a ball joint, or the turn of a free one, is held by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// The link on the joint.
    pub link: LinkId,
    /// N m/rad.
    pub stiffness: f64,
    /// Greatest turn, rad; infinite if none.
    pub limit: f64,
}

impl Swing {
    /// The turn as a vector, rad, and its first dof.
    pub(crate) fn turn(&self, model: &Model, q: &[f64]) -> (Vector3<f64>, usize) {
        let link = model.link(self.link);
        (Quaternion::read(&q[link.q_range()]).normalized().log(), link.v_start)
    }
}

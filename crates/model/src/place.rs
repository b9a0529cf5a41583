//! Turns and frames: from the numbers of files, and between the types of two crates.

use gudgeon_spatial::{Pose, Quaternion, Vector3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

/// Quaternions in files may be off by this much in length: three digits.
const LENGTH_TOLERANCE: f64 = 1e-3;

/// A unit quaternion w x y z, or the length it has.
pub(crate) fn quaternion(q: [f64; 4]) -> Result<Quaternion, f64> {
    let q = Quaternion::new(q[0], q[1], q[2], q[3]);
    let length = q.norm();
    if (length - 1.0).abs() <= LENGTH_TOLERANCE { Ok(q.normalized()) } else { Err(length) }
}

/// The same pose in the vocabulary of the shapes.
pub(crate) fn isometry(x: &Pose) -> Isometry3<f64> {
    let q = Quaternion::from_matrix(&x.rotation);
    let turn = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q.w, q.x, q.y, q.z));
    Isometry3::from_parts(Translation3::from(x.translation), turn)
}

/// A frame whose z is along `axis`, turned as little as can be.
pub(crate) fn frame_of_axis(axis: &Vector3<f64>) -> gudgeon_spatial::Matrix3<f64> {
    let z = axis.normalize();
    // the least aligned world axis is safely not parallel
    let k = z.iamin();
    let x = Vector3::ith(k, 1.0).cross(&z).normalize();
    gudgeon_spatial::Matrix3::from_columns(&[x, z.cross(&x), z])
}

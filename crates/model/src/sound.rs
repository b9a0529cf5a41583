//! Inertias that no body can have, replaced by the nearest that one can.

use gudgeon_spatial::{Inertia, Matrix3, Symmetric3, Vector3};

/// The inertia if some body has it, else the nearest one and what was changed.
pub(crate) fn made_sound(given: Inertia) -> (Inertia, Option<String>) {
    if given.check().is_ok() {
        return (given, None);
    }
    if given.mass < 0.0 {
        return (Inertia::zero(), Some(format!("mass {} kg is negative, taken as zero", given.mass)));
    }
    if given.mass == 0.0 {
        let what = "rotational inertia without mass is dropped".to_owned();
        return (Inertia::new(0.0, given.com, Symmetric3::default()), Some(what));
    }
    let eigen = given.about_com.to_matrix().symmetric_eigen();
    let before = eigen.eigenvalues;
    let after = physical(&before);
    let r = eigen.eigenvectors;
    let matrix: Matrix3<f64> = r * Matrix3::from_diagonal(&after) * r.transpose();
    let change = format!(
        "principal moments {:.3e}, {:.3e}, {:.3e} kg m² raised to {:.3e}, {:.3e}, {:.3e}",
        before.x, before.y, before.z, after.x, after.y, after.z
    );
    (Inertia::new(given.mass, given.com, Symmetric3::from_matrix(&matrix)), Some(change))
}

/// The smallest raise of the moments after which none is negative and none exceeds the sum of the others.
fn physical(moments: &Vector3<f64>) -> Vector3<f64> {
    let mut m = moments.map(|x| x.max(0.0));
    let large = m.imax();
    let short = m[large] - (m.sum() - m[large]);
    if short > 0.0 {
        for k in (0..3).filter(|&k| k != large) {
            m[k] += 0.5 * short;
        }
    }
    m
}

/// What to write in the file.
pub(crate) fn proposal(inertia: &Inertia) -> String {
    let m = inertia.about_com.to_matrix();
    let at = |r: usize, c: usize| m[(r, c)];
    format!(
        "write mass {} and, about the centre of mass in link axes, ixx {:.6e} iyy {:.6e} izz {:.6e} ixy {:.6e} ixz {:.6e} iyz {:.6e}",
        inertia.mass,
        at(0, 0),
        at(1, 1),
        at(2, 2),
        at(0, 1),
        at(0, 2),
        at(1, 2)
    )
}

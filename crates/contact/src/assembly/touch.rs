//! A contact point, the two tangents of its rows, and the set its friction lies in.

use gudgeon_multibody::LinkId;
use gudgeon_spatial::Vector3;

/// A contact point between two links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The link the impulse acts on.
    pub a: LinkId,
    /// The other one.
    pub b: LinkId,
    /// World, m.
    pub point: Vector3<f64>,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// Stable name.
    pub id: u64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// Two unit vectors that make a right-handed frame with `n`; the same for the same `n`, to the bit.
pub fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    // Duff et al. 2017: no square root, no branch but the sign
    let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [
        Vector3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vector3::new(b, sign + n.y * n.y * a, -n.y),
    ]
}

/// The shape of the set of friction forces at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    /// A circle of radius μ f_n, or a polygon in it.
    #[default]
    Round,
    /// |f_t1| ≤ μ f_n and |f_t2| ≤ μ f_n, each on its own [EnzError §II]: along the diagonal it holds √2 too much.
    ///
    /// A square is a four-sided polygon whose corners lie √2 μ f_n out along the diagonals, so it is given to the solver
    /// with the tangents turned by 45° and that coefficient.
    Box,
}

impl Section {
    /// The tangents of the rows of a contact with normal `n`; those of [`tangents`], turned for a box.
    pub fn tangents(self, n: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let [t1, t2] = tangents(n);
        match self {
            Self::Round => [t1, t2],
            Self::Box => {
                [(t1 + t2) * std::f64::consts::FRAC_1_SQRT_2, (t2 - t1) * std::f64::consts::FRAC_1_SQRT_2]
            }
        }
    }

    /// The coefficient along the tangents of the rows.
    pub(super) fn coefficient(self, mu: f64) -> f64 {
        match self {
            Self::Round => mu,
            Self::Box => std::f64::consts::SQRT_2 * mu,
        }
    }
}

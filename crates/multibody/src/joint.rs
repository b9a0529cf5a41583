//! The closed set of joints: coordinates, pose, and motion axes [RBDA §4.4, Table 4.1].
//!
//! A joint places a child link c in a joint frame j that is fixed in the parent link. Its columns S_k are
//! written in *world axes about the child's origin*, where every pass of the dynamics wants them.
//!
//! | joint       | q                      | v                                   | columns (angular; linear)          |
//! |-------------|------------------------|-------------------------------------|------------------------------------|
//! | fixed       |                        |                                     |                                    |
//! | revolute    | θ                      | θ̇                                   | (a; 0)                             |
//! | prismatic   | d                      | ḋ                                   | (0; a)                             |
//! | helical     | θ                      | θ̇                                   | (a; h a), h = pitch in m/rad       |
//! | cylindrical | θ, d                   | θ̇, ḋ                                | (a; 0), (0; a)                     |
//! | universal   | θ₀, θ₁                 | θ̇₀, θ̇₁                              | (a₀; 0) on the parent, (a₁; 0)     |
//! | planar      | x, y, θ                | ẋ, ẏ in j axes, θ̇                   | (0; x), (0; y) on the parent, (z; 0)|
//! | spherical   | quaternion w x y z     | ω in c axes                         | (e_k; 0)                           |
//! | free        | quaternion, position   | ω in c axes, ṗ in j axes            | (e_k; 0), (0; e_k) on the parent   |
//!
//! Each column rides on the child or on the parent, so its rate is v_rider × S_k and the velocity-product term is
//! ```text
//!     c = v_c × Σ_child S_k v_k + v_p × Σ_parent S_k v_k
//! ```
//! Departure from [RBDA Table 4.1]: free and planar joints carry their linear velocity in the axes of the joint
//! frame, not of the child. Then ṗ = v exactly, and a spinning body whose origin is its centre of mass flies in a
//! straight line at any step length; with body axes an explicit step bends the path.

use gudgeon_spatial::{Motion, Pose, Quaternion, Vector3};

use crate::tolerances::{AXIS_TOLERANCE, PARALLEL};

/// How a link hangs on its parent.
///
/// | joint       | q                            | v                                                     |
/// |-------------|------------------------------|-------------------------------------------------------|
/// | revolute    | angle                        | its rate                                              |
/// | prismatic   | distance                     | its rate                                              |
/// | helical     | angle                        | its rate                                              |
/// | cylindrical | angle, distance              | their rates                                           |
/// | universal   | first angle, second angle    | their rates                                           |
/// | planar      | x, y, angle                  | their rates (joint-frame axes)                        |
/// | spherical   | quaternion w x y z           | angular velocity in the child's axes                  |
/// | free        | quaternion w x y z, position | angular velocity in the child's axes, then velocity of its origin in joint-frame axes |
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Joint {
    /// Welded.
    Fixed,
    /// Turns about a unit axis.
    Revolute {
        /// Unit vector, same in joint and child axes.
        axis: Vector3<f64>,
    },
    /// Slides along a unit axis.
    Prismatic {
        /// Unit vector, same in joint and child axes.
        axis: Vector3<f64>,
    },
    /// Turns about an axis and slides along it in proportion.
    Helical {
        /// Unit vector.
        axis: Vector3<f64>,
        /// Advance, m/rad.
        pitch: f64,
    },
    /// Turns about and slides along one axis.
    Cylindrical {
        /// Unit vector.
        axis: Vector3<f64>,
    },
    /// Turns about a first axis on the parent and a second on the child.
    Universal {
        /// Unit vectors, not parallel.
        axes: [Vector3<f64>; 2],
    },
    /// Slides in the x-y plane of the joint frame and turns about its z.
    Planar,
    /// Turns about a point.
    Spherical,
    /// Moves freely.
    Free,
}

/// Which body a motion axis is fixed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rider {
    /// The axis stands still in the parent link.
    Parent,
    /// The axis stands still in the child link.
    Child,
}

impl Joint {
    /// A revolute joint; the axis is normalised.
    pub fn revolute(axis: Vector3<f64>) -> Self {
        Self::Revolute { axis: axis.normalize() }
    }

    /// A prismatic joint; the axis is normalised.
    pub fn prismatic(axis: Vector3<f64>) -> Self {
        Self::Prismatic { axis: axis.normalize() }
    }

    /// A helical joint; the axis is normalised, the pitch in m/rad.
    pub fn helical(axis: Vector3<f64>, pitch: f64) -> Self {
        Self::Helical { axis: axis.normalize(), pitch }
    }

    /// A cylindrical joint; the axis is normalised.
    pub fn cylindrical(axis: Vector3<f64>) -> Self {
        Self::Cylindrical { axis: axis.normalize() }
    }

    /// A universal joint; the axes are normalised.
    pub fn universal(first: Vector3<f64>, second: Vector3<f64>) -> Self {
        Self::Universal { axes: [first.normalize(), second.normalize()] }
    }

    /// Number of position coordinates.
    #[inline]
    pub const fn n_q(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Helical { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// Number of velocity coordinates: the degrees of freedom.
    #[inline]
    pub const fn n_v(&self) -> usize {
        self.n_q() - self.has_quaternion() as usize
    }

    /// True if q̇ = v, so that positions are plain numbers with limits and springs.
    pub const fn is_vector(&self) -> bool {
        self.n_q() == self.n_v()
    }

    /// True if q begins with a unit quaternion.
    pub const fn has_quaternion(&self) -> bool {
        match self {
            Self::Spherical | Self::Free => true,
            Self::Fixed
            | Self::Revolute { .. }
            | Self::Prismatic { .. }
            | Self::Helical { .. }
            | Self::Cylindrical { .. }
            | Self::Universal { .. }
            | Self::Planar => false,
        }
    }

    /// Whether velocity coordinate `k` is a turn (rad, N m) rather than a slide (m, N).
    pub const fn turns(&self, k: usize) -> bool {
        match self {
            Self::Prismatic { .. } => false,
            Self::Cylindrical { .. } => k == 0,
            // x, y, then the turn
            Self::Planar => k == 2,
            Self::Free => k < 3,
            Self::Fixed
            | Self::Revolute { .. }
            | Self::Helical { .. }
            | Self::Universal { .. }
            | Self::Spherical => true,
        }
    }

    /// Writes the zero position.
    pub fn neutral(&self, q: &mut [f64]) {
        q.fill(0.0);
        if self.has_quaternion() {
            q[0] = 1.0;
        }
    }

    /// Whether its numbers describe such a joint: axes of length one, apart where they must be, a pitch that is one.
    pub(crate) fn is_sound(&self) -> bool {
        let unit = |a: &Vector3<f64>| (a.norm() - 1.0).abs() <= AXIS_TOLERANCE;
        match self {
            Self::Revolute { axis } | Self::Prismatic { axis } | Self::Cylindrical { axis } => unit(axis),
            Self::Helical { axis, pitch } => unit(axis) && pitch.is_finite(),
            Self::Universal { axes } => axes.iter().all(unit) && axes[0].cross(&axes[1]).norm() >= PARALLEL,
            Self::Fixed | Self::Planar | Self::Spherical | Self::Free => true,
        }
    }

    /// The body that column `k` is fixed in.
    #[inline]
    pub const fn rider(&self, k: usize) -> Rider {
        let with_parent = match self {
            Self::Universal { .. } => k == 0,
            Self::Planar => k < 2,
            Self::Free => k >= 3,
            Self::Fixed
            | Self::Revolute { .. }
            | Self::Prismatic { .. }
            | Self::Helical { .. }
            | Self::Cylindrical { .. }
            | Self::Spherical => false,
        };
        if with_parent { Rider::Parent } else { Rider::Child }
    }

    /// Pose of the child in the joint frame.
    #[inline]
    pub fn pose(&self, q: &[f64]) -> Pose {
        match self {
            Self::Fixed => Pose::identity(),
            Self::Revolute { axis } => Pose::new(Pose::rotation_about(axis, q[0]), Vector3::zeros()),
            Self::Prismatic { axis } => Pose { translation: axis * q[0], ..Pose::identity() },
            Self::Helical { axis, pitch } => {
                Pose::new(Pose::rotation_about(axis, q[0]), axis * (pitch * q[0]))
            }
            Self::Cylindrical { axis } => Pose::new(Pose::rotation_about(axis, q[0]), axis * q[1]),
            Self::Universal { axes } => Pose::new(
                Pose::rotation_about(&axes[0], q[0]) * Pose::rotation_about(&axes[1], q[1]),
                Vector3::zeros(),
            ),
            Self::Planar => {
                Pose::new(Pose::rotation_about(&Vector3::z(), q[2]), Vector3::new(q[0], q[1], 0.0))
            }
            Self::Spherical => Pose::new(Quaternion::read(q).to_matrix(), Vector3::zeros()),
            Self::Free => Pose::new(Quaternion::read(q).to_matrix(), Vector3::new(q[4], q[5], q[6])),
        }
    }

    /// Writes the columns S_k in world axes about the child's origin, from the world rotations of the
    /// joint frame (`r_wj`) and of the child (`r_wc`).
    #[inline]
    pub(crate) fn columns(
        &self,
        r_wj: &gudgeon_spatial::Matrix3<f64>,
        r_wc: &gudgeon_spatial::Matrix3<f64>,
        s: &mut [Motion],
    ) {
        let turn = |a: Vector3<f64>| Motion::new(a, Vector3::zeros());
        let slide = |a: Vector3<f64>| Motion::new(Vector3::zeros(), a);
        match self {
            Self::Fixed => {}
            Self::Revolute { axis } => s[0] = turn(r_wc * axis),
            Self::Prismatic { axis } => s[0] = slide(r_wc * axis),
            Self::Helical { axis, pitch } => {
                let a = r_wc * axis;
                s[0] = Motion::new(a, a * *pitch);
            }
            Self::Cylindrical { axis } => {
                let a = r_wc * axis;
                s[0] = turn(a);
                s[1] = slide(a);
            }
            Self::Universal { axes } => {
                s[0] = turn(r_wj * axes[0]);
                s[1] = turn(r_wc * axes[1]);
            }
            Self::Planar => {
                s[0] = slide(r_wj.column(0).into());
                s[1] = slide(r_wj.column(1).into());
                s[2] = turn(r_wj.column(2).into());
            }
            Self::Spherical => {
                for k in 0..3 {
                    s[k] = turn(r_wc.column(k).into());
                }
            }
            Self::Free => {
                for k in 0..3 {
                    s[k] = turn(r_wc.column(k).into());
                    s[3 + k] = slide(r_wj.column(k).into());
                }
            }
        }
    }

    /// q̇ from v: the identity, but for quaternions q̇ = ½ q ∘ (0, ω).
    pub(crate) fn rate(&self, q: &[f64], v: &[f64], q_dot: &mut [f64]) {
        if self.has_quaternion() {
            let half = Quaternion::new(0.0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]);
            Quaternion::read(q).times(half).write(q_dot);
            q_dot[4..].copy_from_slice(&v[3..]);
        } else {
            q_dot.copy_from_slice(v);
        }
    }

    /// q ⊕ v dt: the position after moving with constant `v` for `dt`.
    pub(crate) fn integrate(&self, q: &mut [f64], v: &[f64], dt: f64) {
        if self.has_quaternion() {
            let turn = Quaternion::exp(&(Vector3::new(v[0], v[1], v[2]) * dt));
            Quaternion::read(q).times(turn).normalized().write(q);
            for k in 3..v.len() {
                q[k + 1] += v[k] * dt;
            }
        } else {
            for k in 0..v.len() {
                q[k] += v[k] * dt;
            }
        }
    }

    /// The v that carries `from` to `to` in unit time: to = from ⊕ v.
    pub(crate) fn difference(&self, from: &[f64], to: &[f64], v: &mut [f64]) {
        if self.has_quaternion() {
            let turn = Quaternion::read(from).conjugate().times(Quaternion::read(to)).log();
            v[..3].copy_from_slice(turn.as_slice());
            for k in 3..v.len() {
                v[k] = to[k + 1] - from[k + 1];
            }
        } else {
            for k in 0..v.len() {
                v[k] = to[k] - from[k];
            }
        }
    }
}

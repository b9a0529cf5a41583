//! Scratch memory of the tree algorithms. Holds no state: drop it or make a new one and the next answer is the same.
//!
//! Spatial quantities of link i are in **world axes about the origin of link i**. With world axes the way from a
//! child to its parent is a pure shift by `offset` (no rotation), which is the cheapest transform there is; with
//! the reference point on the link itself nothing is lost far from the world's origin, where plain world
//! coordinates would square the distance into every inertia.

use gudgeon_spatial::{ArticulatedInertia, Force, Inertia, Matrix3, Motion, Pose, Vector3};

use crate::model::{LinkId, Model};

/// Where a link is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    pub(crate) rotation: Matrix3<f64>, // R_wi
    pub(crate) origin: Vector3<f64>,   // p_wi, m
    pub(crate) offset: Vector3<f64>,   // origin minus the parent's origin, world axes, m
}

/// Scratch of `kinematics`, `velocities`, `rnea`, `crba`, `aba` and their kin; sized once for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    pub(crate) placed: Vec<Placed>,         // nb, written by kinematics
    pub(crate) s: Vec<Motion>,              // nv, motion axes, written by kinematics
    pub(crate) v: Vec<Motion>,              // nb, written by velocities
    pub(crate) c: Vec<Motion>,              // nb, velocity-product accelerations, written by velocities
    pub(crate) body: Vec<Inertia>,          // nb, links' own inertias, written by kinematics
    pub(crate) ia: Vec<ArticulatedInertia>, // nb, written by aba
    pub(crate) pa: Vec<Force>,              // nb, bias forces, written by aba
    pub(crate) u_col: Vec<Force>,           // nv, U = I^A S, written by aba
    pub(crate) d_inv: Vec<f64>,             // nv, 1 / D, written by aba
    pub(crate) u: Vec<f64>,                 // nv, written by aba
    pub(crate) a: Vec<Motion>,              // nb, accelerations minus gravity, written by aba and rnea
    pub(crate) f: Vec<Force>,               // nb, forces through joints, written by rnea
    pub(crate) qdd: Vec<f64>,               // nv, the answer of aba
    pub(crate) tau: Vec<f64>,               // nv, the answer of rnea
}

impl Workspace {
    /// Scratch for `model`; the only place that allocates.
    pub fn new(model: &Model) -> Self {
        let (nb, nv) = (model.n_links(), model.n_v());
        let home =
            Placed { rotation: Matrix3::identity(), origin: Vector3::zeros(), offset: Vector3::zeros() };
        Self {
            placed: vec![home; nb],
            s: vec![Motion::zero(); nv],
            v: vec![Motion::zero(); nb],
            c: vec![Motion::zero(); nb],
            body: vec![Inertia::zero(); nb],
            ia: vec![ArticulatedInertia::zero(); nb],
            pa: vec![Force::zero(); nb],
            u_col: vec![Force::zero(); nv],
            d_inv: vec![0.0; nv],
            u: vec![0.0; nv],
            a: vec![Motion::zero(); nb],
            f: vec![Force::zero(); nb],
            qdd: vec![0.0; nv],
            tau: vec![0.0; nv],
        }
    }

    /// Pose X_wi of a link, after `kinematics`.
    pub fn pose(&self, link: LinkId) -> Pose {
        let p = &self.placed[link.0];
        Pose::new(p.rotation, p.origin)
    }

    /// Velocity of a link in world axes about its origin, after `velocities`.
    pub fn velocity(&self, link: LinkId) -> Motion {
        self.v[link.0]
    }

    /// Inertia of a link in world axes about its origin, after `kinematics`.
    pub fn inertia(&self, link: LinkId) -> &Inertia {
        &self.body[link.0]
    }

    /// Spatial acceleration of a link in world axes about its origin, after `aba` or `rnea`.
    ///
    /// The classical acceleration of the origin is `linear + ω × v`.
    pub fn acceleration(&self, model: &Model, link: LinkId) -> Motion {
        let a = self.a[link.0];
        Motion::new(a.angular, a.linear + model.gravity)
    }

    /// Motion axis of a dof in world axes about the origin of its link, after `kinematics`.
    pub fn axis(&self, dof: usize) -> Motion {
        self.s[dof]
    }

    /// Force that the parent exerts on a link through its joint, world axes about the link's origin, after `rnea`.
    pub fn joint_force(&self, link: LinkId) -> Force {
        self.f[link.0]
    }

    /// Generalised accelerations, after `aba`.
    pub fn qdd(&self) -> &[f64] {
        &self.qdd
    }

    /// Generalised forces, after `rnea`, `bias` or a prescribed-motion `forward_dynamics`.
    pub fn tau(&self) -> &[f64] {
        &self.tau
    }
}

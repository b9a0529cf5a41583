//! Eliminating one joint between two articulated bodies.
//!
//! Body A holds the joint at x, body B at y. With f the force on B, everything about the child's origin,
//! ```text
//!     Φ_J f + β = S q̈ + c,     Φ_J = Φ^A_xx + Φ^B_yy,    Sᵀ f = τ - A q̈                (A: armature)
//!     ⇒  f = W (c - β) + g
//! ```
//! | way | W                          | g                        | from                          |
//! |-----|----------------------------|--------------------------|-------------------------------|
//! | DCA | V - V S D⁻¹ Sᵀ V           | V S D⁻¹ τ                | [Featherstone 1999, (14)-(17)]|
//! | ADA | K (Kᵀ Φ_J K + Γ)⁻¹ Kᵀ      | see below                | [Yamane & Nakamura 2002]      |
//!
//! with V = Φ_J⁻¹, D = Sᵀ V S + A. ADA solves in the space of constraint forces instead: K holds the force components
//! that are unknown, Γ their compliance.
//! ```text
//!     T (constraint)          unknown, compliance 0
//!     Ŝ_k of a driven dof     unknown, compliance 0, and S_k q̈_k joins c
//!     Ŝ_k with armature A_k   unknown, compliance 1/A_k
//!     Ŝ_k otherwise           known, τ_k
//! ```
//! Departure: the papers know neither armature nor driven dofs; the compliance Γ covers both without a special case.

use gudgeon_spatial::{Force, Matrix6, Motion, Vector6};

use super::basis::{ForceBasis, Small};

/// How a joint is eliminated; the results agree to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elimination {
    /// By the motion space: one 6 × 6 inverse, then d × d [Featherstone 1999].
    Motion,
    /// By the constraint space: one (6 - d) × (6 - d) inverse [Yamane & Nakamura 2002].
    #[default]
    Constraint,
}

/// What is given at a joint.
pub(super) struct Joint<'a> {
    /// Axes, d.
    pub(super) s: &'a [Motion],
    /// Velocity-product acceleration.
    pub(super) c: Motion,
    /// Joint forces, d.
    pub(super) tau: [f64; 6],
    /// Armature and implicit terms, d.
    pub(super) armature: [f64; 6],
    /// Accelerations if the joint is driven, d.
    pub(super) driven: Option<[f64; 6]>,
}

/// A joint once eliminated: f = W (c - β) + g, and what it takes to read off q̈.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Hinge {
    pub(super) w: Matrix6<f64>,
    /// W c + g: the force when β = 0.
    pub(super) f0: Vector6<f64>,
    /// q̈ = rate0 - rate β, d rows.
    rate: [Vector6<f64>; 6],
    rate0: [f64; 6],
}

impl Hinge {
    /// The force on the child side.
    pub(super) fn force(&self, beta: Motion) -> Force {
        Force::from_vector(&(self.f0 - self.w * beta.to_vector()))
    }

    /// The joint's acceleration.
    pub(super) fn qdd(&self, beta: Motion, d: usize) -> [f64; 6] {
        let beta = beta.to_vector();
        let mut qdd = self.rate0;
        for k in 0..d {
            qdd[k] -= self.rate[k].dot(&beta);
        }
        qdd
    }
}

/// Eliminates the joint; `None` if Φ_J is not positive definite where it must be.
pub(super) fn eliminate(way: Elimination, phi_j: &Matrix6<f64>, joint: &Joint<'_>) -> Option<Hinge> {
    match way {
        Elimination::Motion => by_motion(phi_j, joint),
        Elimination::Constraint => by_constraint(phi_j, joint),
    }
}

fn by_motion(phi_j: &Matrix6<f64>, joint: &Joint<'_>) -> Option<Hinge> {
    let v = phi_j.cholesky()?.inverse();
    let c = joint.c.to_vector();
    let d = joint.s.len();
    if let Some(qdd) = joint.driven {
        let c = joint.s.iter().zip(qdd).fold(c, |c, (s, a)| c + s.to_vector() * a);
        return Some(Hinge { w: v, f0: v * c, rate0: qdd, ..Hinge::default() });
    }
    let mut vs = [Vector6::zeros(); 6];
    let mut dd = [[0.0; 6]; 6];
    for k in 0..d {
        vs[k] = v * joint.s[k].to_vector();
        for j in 0..=k {
            dd[k][j] = joint.s[j].to_vector().dot(&vs[k]);
        }
        dd[k][k] += joint.armature[k];
    }
    let factor = Small::new(&dd, d)?;

    // with y = L⁻¹ Sᵀ V and D = L Lᵀ: W = V - Σ y yᵀ, and q̈ = D⁻¹ τ - D⁻¹ Sᵀ V (c - β)
    let y = factor.halve(&vs);
    let t = factor.halve_vector(&joint.tau);
    let x = factor.back(&y);
    let mut hinge = Hinge { w: v, ..Hinge::default() };
    let mut g = Vector6::zeros();
    for k in 0..d {
        g += y[k] * t[k];
        hinge.w -= y[k] * y[k].transpose();
        hinge.rate[k] = -x[k];
    }

    // D⁻¹ τ = L⁻ᵀ t, by the same back substitution in the first place of a row
    let lifted = factor.back(&t.map(|t| Vector6::new(t, 0.0, 0.0, 0.0, 0.0, 0.0)));
    for k in 0..d {
        hinge.rate0[k] = lifted[k][0] + hinge.rate[k].dot(&c);
    }
    hinge.f0 = hinge.w * c + g;
    Some(hinge)
}

fn by_constraint(phi_j: &Matrix6<f64>, joint: &Joint<'_>) -> Option<Hinge> {
    let d = joint.s.len();
    let basis = ForceBasis::new(joint.s);
    let mut c = joint.c.to_vector();

    // unknown force components K with compliance Γ, and the known ones
    let mut k = [Vector6::zeros(); 6];
    let mut gamma = [0.0; 6];
    let mut given = [0.0; 6]; // the motion each unknown component sees for free: τ / A
    let mut n = 6 - d;
    k[..n].copy_from_slice(&basis.constraint[..n]);
    let mut known = Vector6::zeros();
    for i in 0..d {
        if let Some(qdd) = joint.driven {
            c += joint.s[i].to_vector() * qdd[i];
            k[n] = basis.active[i];
            n += 1;
        } else if joint.armature[i] > 0.0 {
            k[n] = basis.active[i];
            gamma[n] = 1.0 / joint.armature[i];
            given[n] = joint.tau[i] / joint.armature[i];
            n += 1;
        } else {
            known += basis.active[i] * joint.tau[i];
        }
    }
    let mut a = [[0.0; 6]; 6];
    for i in 0..n {
        let phi_k = phi_j * k[i];
        for j in 0..=i {
            a[i][j] = k[j].dot(&phi_k);
        }
        a[i][i] += gamma[i];
    }
    let factor = Small::new(&a, n)?;

    // with z = L⁻¹ Kᵀ: W = Σ z zᵀ, and g = known - W Φ_J known + K A⁻¹ given
    let z = factor.halve(&k);
    let t = factor.halve_vector(&given);
    let mut hinge = Hinge::default();
    let mut g = known;
    for i in 0..n {
        hinge.w += z[i] * z[i].transpose();
        g += z[i] * t[i];
    }
    g -= hinge.w * (phi_j * known);
    hinge.f0 = hinge.w * c + g;

    // q̈ = Ŝᵀ (Φ_J f + β - c) with f = f0 - W β
    if let Some(qdd) = joint.driven {
        hinge.rate0 = qdd;
        return Some(hinge);
    }
    let still = phi_j * hinge.f0 - c;
    for i in 0..d {
        hinge.rate0[i] = basis.active[i].dot(&still);
        hinge.rate[i] = hinge.w * (phi_j * basis.active[i]) - basis.active[i];
    }
    Some(hinge)
}

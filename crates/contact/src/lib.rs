#![forbid(unsafe_code)]
//! Contact points and dynamics to a friction problem, and impulses back.
//!
//! ```text
//!     v⁺ = v_free + M̃⁻¹ Jᵀ λ          u = J v⁺ + bias (+ C λ)          [Yamane (25)-(26)], [EnzError (5)-(9)]
//! ```
//! One row per thing that may push: three per contact point (normal, two tangents), one per joint limit, motor, joint
//! with friction, and loop equation. The mass matrix enters factored, M̃ = G Gᵀ, as rows a = G⁻¹ jᵀ; the solver never
//! sees more of it.
//!
//! | here               | paper                       | unit |
//! |--------------------|-----------------------------|------|
//! | [`Assembly::push_contact`] | Φ̄, φ̄ of one contact [Yamane (15)-(16)] | 1/kg, m/s |
//! | [`Law`]            | gap, restitution, C and Φ [EnzError (5)] | m/s, 1/kg |
//! | [`Assembly::push_moments`] | torsion and rolling, no paper's | N m s |
//! | [`Assembly::velocity`] | v⁺                       | m/s, rad/s |

mod agree;
mod assembly;
mod derivative;
mod held;
mod law;
mod tolerances;

pub use assembly::{Assembly, Resistance, Section, Touch, tangents};
pub use derivative::{
    Adjoint, Cone, ContactChange, ContactLinear, GraphSolve, Held, ImplicitSolve, LinkChange, Rank, Site,
    Sliding,
};
pub use law::{LIMIT_TOUCHES, Law};

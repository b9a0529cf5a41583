//! Derivatives of a contact step, where its modes stay what they are.
//!
//! ```text
//!     M̃ δv⁺ − Σ a_i δλ_i = M̃ δv_free − δM̃ y + δJᵀ λ         y = v⁺ − v_free
//!     b_i δv⁺ + c_i δλ_i  = −(δJ_i v⁺ + δbias_i + δc_i λ_i)     one row per thing that is held
//! ```
//! | mode            | rows: b (what is held), a (what pushes)                 | c              |
//! |-----------------|---------------------------------------------------------|----------------|
//! | open            |                                                         |                |
//! | stick           | n, t₁, t₂ on both sides                                  | of the normal  |
//! | slip, s = u_t/|u_t| | b = n, a = n − μ s;   s⊥ on both sides              | |u_t|/(μ λ_n)  |
//! | slip, polygon   | b = n, a = n + μ d at a corner d; on a side besides the side itself | 0  |
//! | limit, motor, joint friction, loop | the row itself, unless at its bound     | of the row     |
//!
//! The second row of slip is the turning of its direction: friction that follows s acts across it as a damper.
//!
//! Few rows are solved as dense blocks by island (`implicit`; loads that they leave open: `shares`), many on the graph of links (`graph`,
//! `fronts`).

mod contact;
mod fronts;
mod graph;
mod implicit;
mod rook;
mod shares;
mod site;

pub use contact::{Adjoint, Cone, ContactChange, ContactLinear, Held, LinkChange, Sliding};
pub use graph::{GraphSolve, Rank};
pub use implicit::ImplicitSolve;
pub use site::Site;

#![forbid(unsafe_code)]
//! Articulated-body dynamics: trees of links, loops, and inverse articulated-body inertias.
//!
//! A [`Model`] says what there is and never changes, a [`State`] where it is and how fast it goes, a [`Workspace`] is
//! scratch. Algorithms are free functions of the three.
//!
//! ```
//! use gudgeon_multibody::{Joint, LinkSpec, ModelBuilder, Scheme, State, Stepper, Workspace, aba};
//! use gudgeon_spatial::{Inertia, Pose, Vector3};
//!
//! let rod = Inertia::cuboid(1.0, [0.25, 0.01, 0.01]).translated(Vector3::new(0.25, 0.0, 0.0));
//! let hinge = Joint::revolute(Vector3::y());
//! let mut builder = ModelBuilder::new();
//! builder.link(LinkSpec::new("upper", "world", hinge, Pose::identity(), rod));
//! builder.link(LinkSpec::new("lower", "upper", hinge, Pose::from_translation(0.5, 0.0, 0.0), rod).damping(0.1));
//! let model = builder.build()?;
//!
//! let (mut state, mut ws) = (State::neutral(&model), Workspace::new(&model));
//! aba(&model, &state, &[0.0, 0.0], &[], &mut ws);
//! assert!(ws.qdd()[0] > 0.0, "a rod held level falls: about +y its end goes down");
//!
//! let mut stepper = Stepper::new(&model);
//! stepper.step(&model, &mut state, &[0.0, 0.0], &[], 1e-3, Scheme::SemiImplicit);
//! # Ok::<(), gudgeon_multibody::ModelError>(())
//! ```
//!
//! | question                                   | function                                                   | cost      |
//! |--------------------------------------------|------------------------------------------------------------|-----------|
//! | where are the links, how fast do they go   | [`kinematics()`], [`velocities`]                           | n         |
//! | what accelerates them                      | [`aba()`], [`forward_dynamics`] (everything that may act)  | n         |
//! | what must the joints do                    | [`rnea()`], [`bias`]                                       | n         |
//! | joint-space inertia, factored              | [`crba()`], [`MassMatrix`], [`MassFactor`]                 | n d²      |
//! | rows of contacts, limits, loops            | [`Rows`], [`limit_rows`], [`ConstraintRows`]               | rows · d  |
//! | W = J M⁻¹ Jᵀ and its factor                | [`Whitened`], [`delassus_by_aba`], [`Iabi::delassus`]      | see there |
//! | Φ and φ between handles                    | [`Ada`]                                                    | n         |
//! | loops and couplings                        | [`ConstraintSolver`], [`assemble`]                         |           |
//! | joints that follow a given motion          | [`Prescribed`], [`Stepper::step_driven`]                   | n         |
//! | one time step                              | [`Stepper`]                                                | n         |
//!
//! Conventions: SI units, world z up; spatial vectors angular part first, of link i in world axes about the origin of
//! link i unless a name says otherwise; quaternions w x y z. Coordinates of each joint are tabled at [`Joint`].

mod aba;
mod ada;
mod builder;
mod carried;
mod constraint;
mod crba;
mod delassus;
mod derivative;
mod driven;
mod error;
mod free_body;
mod geometric;
mod integrate;
mod jacobian;
mod joint;
mod kinematics;
mod load;
mod ltl;
mod model;
mod momentum;
mod passive;
mod rnea;
mod rows;
mod step;
mod tolerances;
mod top;
mod workspace;

pub use aba::{
    Load, Prescribed, aba, apply_inverse, articulate, articulate_with, forward_dynamics, unit_force_response,
};
pub use ada::{Ada, AdaError, Elimination, Iabi, Order};
pub use builder::{LinkSpec, ModelBuilder};
pub use carried::{Carried, carried_velocity};
pub use constraint::{
    Assembled, AssemblyError, AssemblySettings, ConstraintRows, ConstraintSolver, Projection, RankRevealing,
    assemble, loop_gap,
};
pub use crba::{MassMatrix, crba, mass_matrix, mass_matrix_with};
pub use delassus::{Whitened, delassus_by_aba};
pub use derivative::{
    AccelerationDerivative, AccelerationScratch, Branches, DriftShares, DynamicsDerivative, Fields,
    FlightDerivative, FlightShares, InertiaGradient, InputChange, LoopDerivative, ModelShares, Road, Shares,
    Sums, from_tangent, inertia_bilinear, inertia_gradient, integrate_jvp, integrate_vjp, to_tangent,
};
pub use error::ModelError;
pub use free_body::FreeBodies;
pub use geometric::geometric_inertia;
pub use integrate::{difference, integrate, normalize, position_rate};
pub use jacobian::{jacobian, jacobian_dot};
pub use joint::{Joint, Rider};
pub use kinematics::{
    bias_accelerations, kinematics, link_velocities, point_acceleration, point_position, point_velocity,
    point_velocity_of, velocities,
};
pub use load::StepLoad;
pub use ltl::{MassFactor, NotPositiveDefinite};
pub use model::{Coupling, Curve, CurveError, Dof, Link, LinkId, Loop, LoopKind, LoopSpec, Model, State};
pub use momentum::{Energy, center_of_mass, dof_energy, energy, link_energy, momentum};
pub use passive::{
    LimitRow, MotorRow, add_passive_forces, friction_rows, implicit_passive, limit_rows, motor_row,
};
pub use rnea::{bias, rnea};
pub use rows::Rows;
pub use step::{Flight, FreeVelocity, Loops, Scheme, Stepper, Trees};
pub use top::top_step;
pub use workspace::Workspace;

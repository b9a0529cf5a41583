#![forbid(unsafe_code)]
//! Articulated-body dynamics: trees of links, loops, and inverse articulated-body inertias.

mod aba;
mod ada;
mod builder;
mod carried;
mod constraint;
mod crba;
mod delassus;
mod geometric;
mod integrate;
mod jacobian;
mod joint;
mod kinematics;
mod ltl;
mod model;
mod momentum;
mod passive;
mod rnea;
mod rows;
mod step;
mod workspace;

pub use aba::{
    Load, Prescribed, aba, apply_inverse, articulate, articulate_with, forward_dynamics, unit_force_response,
};
pub use ada::{Ada, AdaError, Elimination, Iabi, Order};
pub use builder::{LinkSpec, ModelBuilder, ModelError};
pub use carried::{Carried, carried_velocity};
pub use constraint::{
    Assembled, AssemblyError, AssemblySettings, ConstraintRows, ConstraintSolver, Coupling, Loop, LoopKind,
    LoopSpec, Projection, RankRevealing, assemble, loop_gap,
};
pub use crba::{MassMatrix, crba, mass_matrix, mass_matrix_with};
pub use delassus::{Whitened, delassus_by_aba};
pub use geometric::geometric_inertia;
pub use integrate::{difference, integrate, normalize, position_rate};
pub use jacobian::{jacobian, jacobian_dot};
pub use joint::{Joint, Rider};
pub use kinematics::{
    bias_accelerations, kinematics, point_acceleration, point_position, point_velocity, velocities,
};
pub use ltl::{MassFactor, NotPositiveDefinite};
pub use model::{Dof, Link, LinkId, Model, State};
pub use momentum::{Energy, center_of_mass, energy, momentum};
pub use passive::{
    LimitRow, MotorRow, add_passive_forces, friction_rows, implicit_passive, limit_rows, motor_row,
};
pub use rnea::{bias, rnea};
pub use rows::Rows;
pub use step::{Scheme, Stepper};
pub use workspace::Workspace;

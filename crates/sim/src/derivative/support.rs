//! What has a derivative here, and why a step has none.

use gudgeon_lcp::Status;

use super::commands::refused;
use crate::controller::Controller;
use crate::equipment::Fluid;
use crate::report::{Fallback, StepError, StepReport};
use crate::settings::{Facets, Integrator, RestitutionLaw};
use crate::simulator::Simulator;

/// Why a step has no derivative here.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearizeError {
    /// The step itself failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The contact problem was not solved to its law, so no modes are certified.
    #[error("the contact problem of the step was not solved: status {status:?}, fallback {fallback:?}")]
    NotSolved {
        /// How the solve ended.
        status: Status,
        /// What was taken in its place.
        fallback: Fallback,
    },
    /// A part of the scene has no derivative yet.
    #[error("the derivative of {what} is not there")]
    Unsupported {
        /// The part.
        what: &'static str,
    },
    /// A mass matrix along the way has no factor.
    #[error("the inertia at the start of the step is not positive definite")]
    Inertia,
}

/// What has a derivative here.
pub(super) fn check_supported(sim: &Simulator, report: &StepReport) -> Result<(), LinearizeError> {
    let unsupported = |what| Err(LinearizeError::Unsupported { what });
    if sim.settings.integrator != Integrator::Euler {
        return unsupported("integrators other than the default");
    }
    if sim.settings.facets == Facets::LastBox {
        return unsupported("friction by the normal force of the step before");
    }
    for c in sim.controllers() {
        match c {
            Controller::HighGain { .. } => return unsupported("joints that follow a motion exactly"),
            Controller::ComputedTorque { .. } => return unsupported("computed torque"),
            Controller::Actuator(a) => {
                if let Some(what) = refused(a) {
                    return unsupported(what);
                }
            }
            Controller::Force { .. } | Controller::Motor { .. } | Controller::Pd { .. } => {}
        }
    }
    let carried = &sim.view().drive.equipment;
    if !carried.swings.is_empty() {
        return unsupported("springs and limits of ball joints");
    }
    if carried.tendons.iter().any(|t| t.armature > 0.0) {
        return unsupported("strings with a mass");
    }
    if let Some(what) = sim.beyond_one_cone() {
        return unsupported(what);
    }
    let equipment = &sim.view().drive.equipment;
    if equipment.fluid != Fluid::default() {
        return unsupported("drag");
    }
    let view = sim.view();
    if !view.bounces.is_empty() && sim.settings.restitution == RestitutionLaw::Poisson {
        return unsupported("Poisson's restitution");
    }
    if let Some(solve) = report.solve
        && (solve.status != Status::Solved || solve.fallback > Fallback::Cold)
    {
        return Err(LinearizeError::NotSolved { status: solve.status, fallback: solve.fallback });
    }
    Ok(())
}

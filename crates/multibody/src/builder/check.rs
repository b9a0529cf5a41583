//! What a link and a model must be for the algorithms to rely on them.

use super::LinkSpec;
use crate::error::ModelError;
use crate::model::{Model, State};
use crate::{MassFactor, MassMatrix, Workspace};

/// Largest entry of RᵀR - 1 that passes as a rotation; files carry at least this many digits, and the error
/// would otherwise become false inertia of the same relative size.
pub(super) const ROTATION_TOLERANCE: f64 = 1e-9;

/// Entries of a mass matrix, 8 MB: a longer chain is asked in linear memory.
const LARGE: usize = 1_000_000;

/// Refuses placements that are none, axes without length, bodies that cannot be, and dofs with impossible properties.
pub(super) fn check_link(spec: &LinkSpec) -> Result<(), ModelError> {
    let link = || spec.name.clone();
    let x = &spec.placement;
    if !x.translation.iter().all(|t| t.is_finite())
        || x.orthogonality_error().is_nan()
        || x.orthogonality_error() > ROTATION_TOLERANCE
        || x.rotation.determinant() < 0.0
    {
        return Err(ModelError::Placement { link: link() });
    }
    if !spec.joint.is_sound() {
        return Err(ModelError::Axis { link: link() });
    }
    spec.inertia.check().map_err(|reason| ModelError::Inertia { link: link(), reason })?;
    for (dof, d) in spec.dofs.iter().enumerate() {
        for (what, value) in [
            ("damping", d.damping),
            ("friction", d.friction),
            ("armature", d.armature),
            ("stiffness", d.stiffness),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(ModelError::Property { link: link(), dof, what, value });
            }
        }
        if d.lower.is_nan() || d.upper.is_nan() || d.lower > d.upper {
            return Err(ModelError::Property { link: link(), dof, what: "lower limit", value: d.lower });
        }
        if !d.rest.is_finite() || d.effort.is_nan() || d.effort < 0.0 {
            return Err(ModelError::Property {
                link: link(),
                dof,
                what: "spring rest or effort",
                value: d.rest,
            });
        }
        let plain = spec.joint.is_vector();
        if !plain && (d.stiffness != 0.0 || d.lower.is_finite() || d.upper.is_finite()) {
            let what = "spring or limit (the joint has a quaternion)";
            return Err(ModelError::Property { link: link(), dof, what, value: d.stiffness });
        }
    }
    Ok(())
}

/// Refuses models in which some dof moves nothing, before a solver divides by it.
pub(super) fn check_inertia(model: &Model) -> Result<(), ModelError> {
    let error = |dof: usize| {
        let link = &model.links[model.dof_link[dof]];
        ModelError::NoInertia { link: link.name.clone(), dof: dof - link.v_start }
    };

    // long chains have quadratically many entries; there the articulated pivots say the same in linear memory
    let state = State::neutral(model);
    let mut ws = Workspace::new(model);
    if model.n_entries() <= LARGE {
        let mut mass = MassMatrix::new(model);
        crate::crba(model, &state.q, &mut ws, &mut mass);
        let mut factor = MassFactor::new(model);
        factor.factor(model, &mass).map_err(|e| error(e.dof))
    } else {
        let tau = vec![0.0; model.n_v()];
        crate::aba(model, &state, &tau, &[], &mut ws);
        match ws.d_inv.iter().position(|d| !(d.is_finite() && *d > 0.0)) {
            Some(dof) => Err(error(dof)),
            None => Ok(()),
        }
    }
}

//! Inertias of bodies as the compiler's settings want them, and what is given relative to them.

use std::collections::BTreeMap;

use gudgeon_multibody::{LinkSpec, MassFactor, MassMatrix, ModelBuilder, Workspace, crba};
use gudgeon_spatial::{Inertia, Matrix3, Symmetric3, Vector3};

use super::Reader;
use super::defaults::{Compiler, FromGeom};
use super::principal::principal;
use crate::report::{Finding, Severity};
use crate::sound;
use crate::tolerances::MUJOCO_ZERO;

/// Added to joints whose inertia is only asked for, kg m² or kg: keeps the mass matrix of a model that is not sound yet from being
/// singular, and is lost in the digits of any other.
const A_LITTLE_ARMATURE: f64 = 1e-12;

impl Reader<'_> {
    /// Of every body, in its own frame, as the compiler's settings want them.
    pub(super) fn inertias(&mut self) -> Vec<Inertia> {
        let c = self.compilers[0].clone();
        let mut list = Vec::with_capacity(self.bodies.len());
        let mut findings = Vec::new();
        for body in &self.bodies {
            let from_parts = || body.parts.iter().copied().reduce(Inertia::merged).unwrap_or_default();
            let mut inertia = match (c.from_geom, body.inertial) {
                (FromGeom::Always, given) if body.parts.is_empty() => given.unwrap_or_default(),
                (FromGeom::Always, _) | (FromGeom::Auto, None) => from_parts(),
                (FromGeom::Auto | FromGeom::Never, Some(given)) => given,
                (FromGeom::Never, None) => Inertia::zero(),
            };
            if body.name != "world" || body.link != "world" {
                inertia = bounded(inertia, &c);
            }
            let (made, change) = sound::made_sound(inertia);
            if let Some(change) = change {
                findings.push(Finding {
                    severity: Severity::Warning,
                    subject: format!("body '{}'", body.name),
                    what: change,
                    fix: sound::proposal(&made),
                });
            }
            list.push(made);
        }
        self.report.findings.extend(findings);
        if let Some(wanted) = c.total_mass {
            let total: f64 = list[1..].iter().map(|i| i.mass).sum();
            if total > 0.0 {
                let scale = wanted / total;
                for i in &mut list {
                    *i = Inertia::new(i.mass * scale, i.com, i.about_com * scale);
                }
            }
        }
        list
    }

    /// Whether a body's inertia is the one that it says.
    fn says_inertia(&self, body: usize) -> bool {
        let own = &self.bodies[body];
        let always = matches!(self.compilers[0].from_geom, FromGeom::Always) && !own.parts.is_empty();
        own.inertial.is_some() && !always
    }

    /// Axes of a body's inertia, as columns in the body's frame: those given with it, of its only geom, or the principal ones.
    pub(super) fn inertial_axes(&self, body: usize) -> Matrix3<f64> {
        let own = &self.bodies[body];
        let kept = if self.says_inertia(body) { own.given_axes } else { own.only };
        kept.unwrap_or_else(|| principal(&self.inertia_list[body].about_com.to_matrix()).0)
    }

    /// What a force on each joint alone moves at the reference, 1/(M⁻¹)ₖₖ, by link, for what is given relative to it.
    pub(super) fn reference_inertia(&self) -> BTreeMap<String, f64> {
        let mut builder = ModelBuilder::new();
        for l in &self.assembly.links {
            let mut spec = LinkSpec::new(&l.name, &l.parent, l.joint, l.placement, l.inertia);
            for (k, dof) in l.dofs.iter().enumerate() {
                // a little armature so that a model that is not sound yet can be asked
                spec = spec.dof(k, |d| d.armature = dof.armature.max(A_LITTLE_ARMATURE));
            }
            builder.link(spec);
        }
        let Ok(model) = builder.build() else { return BTreeMap::new() };
        let state = gudgeon_multibody::State::neutral(&model);
        let (mut ws, mut mass) = (Workspace::new(&model), MassMatrix::new(&model));
        crba(&model, &state.q, &mut ws, &mut mass);
        let mut factor = MassFactor::new(&model);
        if factor.factor(&model, &mass).is_err() {
            return BTreeMap::new();
        }
        let own = model.links()[1..].iter().filter(|l| l.joint.n_v() > 0);
        own.map(|l| {
            let mut unit = vec![0.0; model.n_v()];
            unit[l.v_start] = 1.0;
            factor.solve(&model, &mut unit);
            (l.name.clone(), 1.0 / unit[l.v_start].max(MUJOCO_ZERO))
        })
        .collect()
    }

    /// Springs and dampers given by time constant and damping ratio.
    pub(super) fn spring_dampers(&mut self) {
        let wanted: Vec<(String, [f64; 2])> = self
            .bodies
            .iter()
            .flat_map(|b| &b.joints)
            .filter_map(|j| Some((j.link.clone(), j.spring_damper?)))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let inertia = self.reference_inertia();
        for (link, [time, ratio]) in wanted {
            let Some(m) = inertia.get(&link) else { continue };
            if let Some(part) = self.assembly.links.iter_mut().find(|l| l.name == link) {
                part.dofs[0].stiffness = m / (time * time * ratio * ratio).max(MUJOCO_ZERO);
                part.dofs[0].damping = 2.0 * m / time.max(MUJOCO_ZERO);
            }
        }
    }
}

/// `boundmass`, `boundinertia` and `balanceinertia`.
fn bounded(inertia: Inertia, c: &Compiler) -> Inertia {
    let mut i = inertia;
    i.mass = i.mass.max(c.bound_mass);
    if c.bound_inertia > 0.0 || c.balance {
        let eigen = i.about_com.to_matrix().symmetric_eigen();
        let mut m = eigen.eigenvalues.map(|x| x.max(c.bound_inertia));
        let large = m.max();
        if c.balance && large > m.sum() - large {
            m = Vector3::repeat(m.sum() / 3.0);
        }
        let r = eigen.eigenvectors;
        i.about_com = Symmetric3::from_matrix(&(r * Matrix3::from_diagonal(&m) * r.transpose()));
    }
    i
}

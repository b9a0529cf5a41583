//! The model of a flight: links that a fixed joint carries, welded to what carries them.
//!
//! A file's frames, flanges and shells are links of their own, often more than there are joints. Forward dynamics pays for each of them
//! as for a joint; welded once, with their inertias merged,
//! ```text
//!     X_cj = X_ci X_ij     for a joint j on a link i that is fixed to its carrier c,      I_c ← I_c + X_ci I_i
//! ```
//! they cost nothing. Degrees of freedom, coordinates and their order stay.

use gudgeon_spatial::{Force, Inertia, Pose, Vector3};

use crate::aba::{Load, forward_dynamics};
use crate::joint::Joint;
use crate::model::{LinkId, Model, State};
use crate::workspace::Workspace;

/// The welded model with its scratch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Welded {
    pub(crate) model: Model,
    ws: Workspace,
    carrier: Vec<usize>,          // by link of the whole: the link that it is part of here
    source: Vec<(Inertia, Pose)>, // by link of the whole: what this was made of
    gravity: Vector3<f64>,
    external: Vec<Force>, // by link here, or empty
}

/// Whether a link rides on another.
fn rides(model: &Model, i: usize) -> bool {
    i > 0 && matches!(model.links[i].joint, Joint::Fixed)
}

impl Welded {
    /// None if nothing rides, or loops want links as they are.
    pub(crate) fn new(model: &Model) -> Option<Self> {
        let tied = !(model.loops.is_empty() && model.couplings.is_empty());
        if tied || !(0..model.links.len()).any(|i| rides(model, i)) {
            return None;
        }
        let mut whole = model.clone();
        let (mut links, mut carrier, mut at) = (Vec::new(), Vec::new(), Vec::<Pose>::new());
        for (i, mut link) in std::mem::take(&mut whole.links).into_iter().enumerate() {
            let parent = link.parent.0;
            // the joint as the carrier of the parent sees it
            let placement = if i == 0 { Pose::identity() } else { at[parent].compose(&link.placement) };
            if rides(model, i) {
                carrier.push(carrier[parent]);
                at.push(placement);
                continue;
            }
            if i > 0 {
                link.parent = LinkId(carrier[parent]);
                link.placement = placement;
            }
            carrier.push(links.len());
            at.push(Pose::identity());
            links.push(link);
        }
        for i in (0..model.links.len()).filter(|&i| rides(model, i) && carrier[i] > 0) {
            let own = &mut links[carrier[i]].inertia;
            *own = own.merged(model.links[i].inertia.transformed(&at[i]));
        }
        whole.links = links;
        whole.dof_link.iter_mut().for_each(|link| *link = carrier[*link]);
        whole.names.clear();
        Some(Self {
            ws: Workspace::new(&whole),
            external: Vec::new(),
            source: model.links.iter().map(|l| (l.inertia, l.placement)).collect(),
            gravity: model.gravity,
            carrier,
            model: whole,
        })
    }

    /// Takes the forces on links, and numbers that were changed since; false if a force acts on a link that rides.
    pub(crate) fn take(&mut self, model: &Model, external: &[Force]) -> bool {
        let same = |(l, source): (&crate::model::Link, &(Inertia, Pose))| {
            l.inertia == source.0 && l.placement == source.1
        };
        if self.gravity != model.gravity || !model.links.iter().zip(&self.source).all(same) {
            let Some(new) = Self::new(model) else { return false };
            *self = new;
        }
        let acts = |(i, f): (usize, &Force)| rides(model, i) && *f != Force::zero();
        if external.iter().enumerate().any(acts) {
            return false;
        }
        self.external.clear();
        if !external.is_empty() {
            let own = (0..external.len()).filter(|&i| !rides(model, i));
            self.external.extend(own.map(|i| external[i]));
        }
        true
    }

    /// Accelerations of the degrees of freedom, n_v; `load` has none of the forces on links.
    pub(crate) fn accelerate(&mut self, state: &State, load: &Load<'_>) -> &[f64] {
        let load = Load { external: &self.external, ..*load };
        forward_dynamics(&self.model, state, &load, &mut self.ws);
        &self.ws.qdd
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{LinkSpec, ModelBuilder};
    use crate::load::StepLoad;
    use crate::step::Stepper;

    /// A flying trunk with shells, a flange and two arms that hang on them, one of them on the world by a fixed frame.
    fn robot() -> Model {
        let pose = |k: f64| {
            let axis = Vector3::new(0.3, -0.5 + k, 0.8).normalize();
            Pose::new(Pose::rotation_about(&axis, 0.4 + k), Vector3::new(0.1 * k, -0.2, 0.15))
        };
        let hinge = |x: f64| Joint::Revolute { axis: Vector3::new(x, 0.2, 1.0).normalize() };
        let body =
            |m: f64| Inertia::cuboid(m, [0.1, 0.05, 0.2]).translated(Vector3::new(0.02, 0.03, -0.01 * m));
        let mut builder = ModelBuilder::new();
        for (name, parent, joint, k, mass) in [
            ("trunk", "world", Joint::Free, 0.0, 3.0),
            ("shell", "trunk", Joint::Fixed, 0.3, 0.7),
            ("flange", "shell", Joint::Fixed, 0.5, 0.2),
            ("arm", "flange", hinge(0.1), 0.2, 1.1),
            ("tool", "arm", Joint::Fixed, 0.7, 0.4),
            ("post", "world", Joint::Fixed, 0.6, 9.0),
            ("boom", "post", hinge(0.9), 0.4, 2.0),
            ("cab", "boom", Joint::Fixed, 0.1, 0.5),
            ("stick", "cab", hinge(-0.4), 0.8, 0.6),
        ] {
            builder.link(LinkSpec::new(name, parent, joint, pose(k), body(mass)));
        }
        builder.build().unwrap()
    }

    #[test]
    fn what_is_welded_flies_as_what_is_carried() {
        let mut model = robot();
        let n = model.n_v();
        let mut state = State::neutral(&model);
        let wave = |k: usize| (1.3 * k as f64 + 0.4).sin();
        (7..model.n_q()).for_each(|k| state.q[k] = wave(k));
        (0..n).for_each(|k| state.v[k] = 2.0 * wave(k + 20));
        let tau: Vec<f64> = (0..n).map(|k| 3.0 * wave(k + 40)).collect();
        let group: Vec<usize> = (0..n).map(|k| if k < 7 { 0 } else { 7 }).collect();
        let mut welded = Stepper::new(&model);
        let mut plain = Stepper::new(&model);
        assert!(welded.welded.is_some());
        plain.welded = None;
        let mut external = vec![Force::zero(); model.n_links()];
        external[1] = Force::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(1.0, -2.0, 0.5));
        for round in 0..4 {
            if round == 1 {
                // another load, and another place for what stands on the world
                model.inertia_mut(LinkId(5)).mass = 2.5;
                model.set_placement(LinkId(6), Pose::from_translation(0.3, 0.0, 0.1));
            }
            if round == 2 {
                model = model.with_gravity(Vector3::new(1.0, 0.0, -3.0));
            }
            if round == 3 {
                external[8] = Force::new(Vector3::zeros(), Vector3::new(0.0, 4.0, 0.0));
            }
            let press = |_: &[f64], pushed: &mut [bool]| pushed[7] = round == 1;
            let load = StepLoad { tau: &tau, external: &external, dt: 2e-3 };
            let v = welded.flight(&model, &state, &load, &group, press).v.to_vec();
            let other = plain.flight(&model, &state, &load, &group, press).v;
            let off = v.iter().zip(other).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            // m/s and rad/s: the rounding of sums in another order
            assert!(off < 1e-13, "round {round}: {off:.1e}");
            assert_eq!(welded.welds, round < 3, "a force on a link that rides leaves it as it is");
        }
    }
}

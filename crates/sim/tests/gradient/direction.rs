//! Directions in everything that goes into a step.

use gudgeon_multibody::{LinkId, Model};
use gudgeon_sim::{Change, Parameters, Scene};
use gudgeon_spatial::{Force, Vector6};

use super::check::{Random, Start, closed};

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    Position,
    Velocity,
    Control,
    External,
    Friction,
    Restitution,
    Pose,
    Inertia,
    Gravity,
    Joints,
    Gains,
    Commands,
}

pub(crate) const INPUTS: [Input; 12] = [
    Input::Position,
    Input::Velocity,
    Input::Control,
    Input::External,
    Input::Friction,
    Input::Restitution,
    Input::Pose,
    Input::Inertia,
    Input::Gravity,
    Input::Joints,
    Input::Gains,
    Input::Commands,
];

/// A direction in everything that goes into a step.
#[derive(Debug, Clone)]
pub(crate) struct Direction {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) control: Vec<f64>,
    pub(crate) controllers: Vec<f64>,
    pub(crate) external: Vec<Force>,
    pub(crate) p: Parameters,
}

impl Direction {
    /// The other way, for inputs that have a product.
    pub(crate) fn back(&self) -> Self {
        let mut d = self.clone();
        let Parameters { friction, restitution, pose, .. } = &mut d.p;
        let lists = [&mut d.q, &mut d.v, &mut d.control, &mut d.controllers, friction, restitution];
        lists.into_iter().flatten().for_each(|x| *x = -*x);
        d.external.iter_mut().for_each(|f| *f = *f * -1.0);
        for x in pose {
            *x = -*x;
        }
        d
    }

    /// The largest step length along it: forces and gravity move a step by little, and the rounding of two ends that lie near each other
    /// would hide their difference; anything else changes shapes and masses as well, which have to stay what they are.
    pub(crate) fn reach(&self) -> f64 {
        let still = |list: &[f64]| list.iter().all(|x| *x == 0.0);
        let p = &self.p;
        let model = p.model.inertia.iter().all(|x| x.dot(x) == 0.0)
            && [&p.model.damping, &p.model.armature, &p.model.stiffness, &p.model.rest]
                .iter()
                .all(|x| still(x));
        let lists = [&self.q, &self.v, &self.controllers, &p.friction, &p.restitution, &p.pair_friction];
        let more = [&p.pair_restitution, &p.joint_friction, &p.gain, &p.rate_gain];
        let poses = p.pose.iter().all(|x| x.norm_squared() == 0.0);
        let forces = model && poses && lists.into_iter().chain(more).all(|x| still(x));
        if forces { 3.2 } else { 0.1 }
    }

    pub(crate) fn change(&self) -> Change<'_> {
        Change {
            q: &self.q,
            v: &self.v,
            control: &self.control,
            controllers: &self.controllers,
            activations: &[],
            external: &self.external,
            parameters: Some(&self.p),
        }
    }
}

pub(crate) fn zero(p: Parameters, model: &Model) -> Direction {
    let n = model.n_v();
    let controllers = vec![0.0; p.gain.len()];
    Direction {
        q: vec![0.0; n],
        v: vec![0.0; n],
        control: vec![0.0; n],
        controllers,
        external: Vec::new(),
        p,
    }
}

pub(crate) fn direction(
    scene: &Scene,
    start: &Start,
    none: Parameters,
    input: Input,
    r: &mut Random,
) -> Direction {
    let model = &scene.model;
    let n = model.n_v();
    let mut d = zero(none, model);
    match input {
        Input::Position => d.q = closed(scene, start, r.numbers(n, 1.0)),
        Input::Velocity => d.v = closed(scene, start, r.numbers(n, 1.0)),
        Input::Control => d.control = r.numbers(n, 1.0),
        Input::External => {
            d.external = (0..model.n_links()).map(|_| Force::new(r.vector(), r.vector())).collect();
        }
        Input::Friction => {
            // there is no friction below none
            for (x, c) in d.p.friction.iter_mut().zip(&scene.colliders) {
                let rubs = scene.materials[c.material].friction > 0.0;
                *x = if rubs { r.range(1.0) } else { 0.0 };
            }
        }
        Input::Restitution => {
            // a surface without restitution does not bounce a little: another road, not a slope
            for (x, c) in d.p.restitution.iter_mut().zip(&scene.colliders) {
                let bounces = scene.materials[c.material].restitution > 0.0;
                *x = if bounces { r.range(1.0) } else { 0.0 };
            }
        }
        Input::Pose => {
            d.p.pose.iter_mut().for_each(|x| *x = Vector6::from_fn(|_, _| r.range(1.0)));
        }
        Input::Inertia => {
            for (i, x) in d.p.model.inertia.iter_mut().enumerate().skip(1) {
                let own = model.link(LinkId(i)).inertia;
                x.mass = own.mass * r.range(1.0);
                x.com = r.vector() * 0.1;
                let size = own.about_com.trace();
                x.about_com = std::array::from_fn(|_| 0.3 * size * r.range(1.0));
            }
        }
        Input::Gravity => d.p.model.gravity = r.vector(),
        Input::Joints => {
            for k in 0..n {
                let dof = model.dofs()[k];
                // a free body with damping is stepped as a tree, not as a body: another road, not a slope
                if model.dof_coordinate(k).is_none() {
                    continue;
                }
                d.p.model.damping[k] = r.range(1.0);
                d.p.model.armature[k] = r.range(0.1);
                if dof.stiffness > 0.0 {
                    d.p.model.stiffness[k] = r.range(1.0);
                    d.p.model.rest[k] = r.range(1.0);
                }
                if dof.friction > 0.0 {
                    d.p.joint_friction[k] = r.range(1.0);
                }
            }
        }
        Input::Commands => d.controllers.iter_mut().for_each(|x| *x = r.range(1.0)),
        Input::Gains => {
            d.p.gain.iter_mut().for_each(|x| *x = r.range(10.0));
            d.p.rate_gain.iter_mut().for_each(|x| *x = r.range(1.0));
        }
    }
    d
}

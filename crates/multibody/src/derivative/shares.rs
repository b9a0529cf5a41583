//! What a result is worth per unit of every parameter of a model.

use super::inertia::InertiaGradient;
use crate::model::Model;

/// Shares of the parameters of a model, one per link or dof.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelShares {
    /// By link.
    pub inertia: Vec<InertiaGradient>,
    /// Acceleration of free fall, per m/s².
    pub gravity: gudgeon_spatial::Vector3<f64>,
    /// By dof: damping.
    pub damping: Vec<f64>,
    /// By dof: spring.
    pub stiffness: Vec<f64>,
    /// By dof: where the spring rests.
    pub rest: Vec<f64>,
    /// By dof: reflected inertia.
    pub armature: Vec<f64>,
}

impl ModelShares {
    /// All zero, for `model`; keeps its memory.
    pub fn reset(&mut self, model: &Model) {
        self.inertia.clear();
        self.inertia.resize(model.n_links(), InertiaGradient::default());
        self.gravity.fill(0.0);
        for list in [&mut self.damping, &mut self.stiffness, &mut self.rest, &mut self.armature] {
            list.clear();
            list.resize(model.n_v(), 0.0);
        }
    }

    /// Adds `scale` times another.
    pub fn add(&mut self, scale: f64, other: &Self) {
        self.inertia.iter_mut().zip(&other.inertia).for_each(|(x, y)| x.add(scale, y));
        self.gravity += other.gravity * scale;
        let pairs = [
            (&mut self.damping, &other.damping),
            (&mut self.stiffness, &other.stiffness),
            (&mut self.rest, &other.rest),
            (&mut self.armature, &other.armature),
        ];
        for (to, from) in pairs {
            to.iter_mut().zip(from).for_each(|(x, y)| *x += scale * y);
        }
    }
}

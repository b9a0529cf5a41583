//! What the surfaces of colliders are like, and what two of them make of each other.

use gudgeon_spatial::Vector3;

use super::Simulator;
use crate::scene::Scene;
use crate::surface::{Combine, Grip, Material};

/// The surfaces of a scene.
#[derive(Debug, Clone)]
pub(super) struct Surfaces {
    /// By collider.
    pub(super) materials: Vec<Material>,
    /// By collider: how its surface runs, link axes, m/s; empty if none does.
    pub(super) belts: Vec<Vector3<f64>>,
    grips: Vec<Grip>, // by collider; empty if none says anything
    /// Colliders with a surface of their own between them, sorted.
    pub(super) pairs: Vec<(usize, usize, Material)>,
    pub(super) combine: Combine,
}

impl Surfaces {
    pub(super) fn of(scene: &Scene) -> Self {
        Self {
            materials: scene.colliders.iter().map(|c| scene.materials[c.material]).collect(),
            belts: belts(scene),
            grips: grips(scene),
            pairs: sorted_pairs(&scene.pairs),
            combine: scene.combine,
        }
    }

    /// Materials and pairs of another scene with the same colliders.
    pub(super) fn take_numbers_of(&mut self, scene: &Scene) {
        for (own, placed) in self.materials.iter_mut().zip(&scene.colliders) {
            *own = scene.materials[placed.material];
        }
        self.pairs = sorted_pairs(&scene.pairs);
    }

    /// The surface between two colliders.
    pub(super) fn between(&self, a: usize, b: usize) -> Material {
        let key = (a.min(b), a.max(b));
        if let Ok(k) = self.pairs.binary_search_by_key(&key, |p| (p.0, p.1)) {
            return self.pairs[k].2;
        }
        let (x, y) = (&self.materials[a], &self.materials[b]);
        let between = Material::between(x, y, self.combine);
        match (self.grips.get(a), self.grips.get(b)) {
            (Some(g), Some(h)) => Grip::of(between, [x, y], [g, h]),
            _ => between,
        }
    }
}

impl Simulator {
    /// The surface between two colliders.
    pub(super) fn material(&self, a: usize, b: usize) -> Material {
        self.surfaces.between(a, b)
    }
}

/// By collider: how its surface runs; none if none does.
fn belts(scene: &Scene) -> Vec<Vector3<f64>> {
    if scene.colliders.iter().all(|c| c.surface_velocity == Vector3::zeros()) {
        return Vec::new();
    }
    scene.colliders.iter().map(|c| c.surface_velocity).collect()
}

/// Grips by collider; none if no material says anything.
fn grips(scene: &Scene) -> Vec<Grip> {
    if scene.grips.is_empty() {
        return Vec::new();
    }
    scene.colliders.iter().map(|c| scene.grips.get(c.material).copied().unwrap_or_default()).collect()
}

fn sorted_pairs(pairs: &[(usize, usize, Material)]) -> Vec<(usize, usize, Material)> {
    let mut sorted: Vec<_> = pairs.iter().map(|&(a, b, m)| (a.min(b), a.max(b), m)).collect();
    sorted.sort_by_key(|p| (p.0, p.1));
    sorted
}

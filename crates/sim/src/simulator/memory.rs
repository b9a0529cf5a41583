//! What a simulator keeps, by what it is for.

use gudgeon_collide::{Aabb, CollisionWorkspace, ContactPoint};
use gudgeon_multibody::LinkId;
use gudgeon_spatial::Force;
use nalgebra::Isometry3;

use super::heirs::Heirs;
use super::thin::Thinning;
use crate::contact_info::ContactInfo;

/// How the scene is laid out: fixed until it is edited.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) links: Vec<LinkId>,         // by collider
    pub(super) reach: Vec<f64>,            // by link: farthest point of its shapes from its origin, m
    pub(super) solid: Vec<bool>,           // by link: whether it has shapes
    pub(super) boxes: Vec<Option<Aabb>>,   // by link: around its shapes, link axes
    pub(super) margin: f64,                // by its size, m, where the settings give none
    pub(super) tree: Vec<usize>,           // by dof: the group of trees it belongs to
    pub(super) groups: Vec<Option<usize>>, // by link: likewise, if anything moves it
    pub(super) roots: Vec<Option<LinkId>>, // by link: the first link of its group, if anything moves it
}

/// Velocities of a step, by dof unless said otherwise.
#[derive(Debug, Clone)]
pub(super) struct Velocities {
    pub(super) free: Vec<f64>,
    pub(super) flown: Vec<f64>,  // free, before loops were put on it
    pub(super) next: Vec<f64>,   // at the end of the step
    pub(super) moves: Vec<f64>,  // what positions follow
    pub(super) undone: Vec<f64>, // what undoing overlap adds to that
    pub(super) near: Vec<f64>,   // by link: fastest point of its shapes, m/s
    pub(super) aside: Vec<f64>,  // the same as seen from the root of its tree
    pub(super) speeds: Vec<f64>, // by group: fastest point at the start of the step, m/s
}

impl Velocities {
    pub(super) fn new(n_v: usize, n_links: usize) -> Self {
        let nothing = vec![0.0; n_v];
        Self {
            free: nothing.clone(),
            flown: nothing.clone(),
            next: nothing.clone(),
            moves: nothing.clone(),
            undone: nothing.clone(),
            near: vec![0.0; n_links],
            aside: vec![0.0; n_links],
            speeds: nothing,
        }
    }
}

/// Forces of a step, N m or N.
#[derive(Debug, Clone)]
pub(crate) struct Forces {
    pub(super) tau: Vec<f64>,        // by dof: of springs, controllers and the caller
    pub(super) diagonal: Vec<f64>,   // by dof: what implicit springs add to the mass, kg m² or kg
    pub(crate) joints: Vec<f64>,     // by dof, over the last step
    pub(crate) rows: Vec<f64>,       // the part of them that limits, motors and friction gave
    pub(crate) expected: Vec<Force>, // by link: what a carried step takes contacts to do
}

impl Forces {
    pub(super) fn new(n_v: usize) -> Self {
        let nothing = vec![0.0; n_v];
        Self {
            tau: nothing.clone(),
            diagonal: nothing.clone(),
            joints: nothing.clone(),
            rows: nothing,
            expected: Vec::new(),
        }
    }
}

/// Who is pushed in a step.
#[derive(Debug, Clone)]
pub(crate) struct Pushed {
    pub(super) dofs: Vec<bool>,
    pub(super) drifts: Vec<bool>, // by dof: in flight, positions follow the velocity at the start of the step
    pub(crate) trees: Vec<bool>,  // by group
}

impl Pushed {
    pub(super) fn new(n_v: usize) -> Self {
        let nobody = vec![false; n_v];
        Self { dofs: nobody.clone(), drifts: nobody.clone(), trees: nobody }
    }
}

/// What bodies would meet where a step leads.
#[derive(Debug, Clone, Default)]
pub(super) struct Scout {
    pub(super) space: CollisionWorkspace,
    pub(super) met: Vec<ContactPoint>,
    pub(super) led: Vec<Isometry3<f64>>, // poses there
}

/// Where bodies are near each other.
#[derive(Debug, Clone)]
pub(super) struct Meeting {
    pub(super) poses: Vec<Isometry3<f64>>, // by link
    pub(super) points: Vec<ContactPoint>,
    pub(super) waiting: Vec<ContactInfo>, // near, but not to close in this step
    pub(super) heirs: Heirs,
    pub(super) thinning: Thinning,
}

impl Meeting {
    pub(super) fn new(n_links: usize) -> Self {
        Self {
            poses: vec![Isometry3::identity(); n_links],
            points: Vec::new(),
            waiting: Vec::new(),
            heirs: Heirs::default(),
            thinning: Thinning::default(),
        }
    }
}

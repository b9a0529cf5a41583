//! A simulator at the start of its scene: shapes placed, memory of the right sizes, loops closed.

use std::sync::Arc;

use gudgeon_collide::{Aabb, Collider, Geometry};
use gudgeon_contact::Assembly;
use gudgeon_multibody::{
    ConstraintRows, ConstraintSolver, LinkId, MassFactor, MassMatrix, Stepper, Workspace,
};

use super::equip::Sensing;
use super::guard::Guard;
use super::law::Rubbing;
use super::memory::{Forces, Layout, Meeting, Pushed, Scout, Velocities};
use super::placed::Depths;
use super::surfaces::Surfaces;
use super::trees::{link_groups, link_roots, tree_groups};
use super::{Clock, Course, Simulator, Stood, advance, idle};
use crate::crew::Crew;
use crate::drive::Drive;
use crate::error::SceneError;
use crate::fingerprint::Fingerprint;
use crate::recover::Recovery;
use crate::report::Fallback;
use crate::scene::Scene;
use crate::solve::Ladder;
use crate::tape::Tape;

impl Simulator {
    /// A scene at its start. Loops are closed first.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        let mut sim = Self::at_start(scene, Drive::new(scene)?, Shapes::of(scene));
        sim.guard = Guard::new(&sim.model, &sim.layout.tree);
        sim.drive.place(&mut sim.state, 0.0);
        if sim.has_loops() {
            let projection = sim.settling.settle_with(
                &sim.model,
                &mut sim.state,
                sim.drive.prescribed.as_ref(),
                &mut sim.ws,
            );
            // the same as in a step: files write lengths to six decimals, and loops that are closed twice over by such
            // numbers stay open by the last of them
            if projection.error.is_nan() || projection.error > advance::OPEN_LOOP {
                return Err(SceneError::Assembly(format!("an error of {:.1e} is left", projection.error)));
            }
        }
        sim.stand();
        Ok(sim)
    }

    /// Everything where the scene has it.
    fn at_start(scene: &Scene, drive: Drive, shapes: Shapes) -> Self {
        let model = scene.model.clone();
        Self {
            surfaces: Surfaces::of(scene),
            layout: Layout {
                links: scene.colliders.iter().map(|c| c.link).collect(),
                reach: shapes.reach,
                solid: shapes.solid,
                boxes: shapes.boxes,
                margin: idle::margin_by_size(scene),
                tree: tree_groups(&model),
                groups: link_groups(&model),
                roots: link_roots(&model),
            },
            settings: scene.settings.clone(),
            control: vec![0.0; model.n_v()],
            external: Vec::new(),
            state: scene.initial.clone(),
            stood: Stood { at: scene.initial.clone(), still: false },
            weighed: false,
            at_peace: false,
            time: 0.0,
            steps: 0,
            clock: Clock::new(scene.settings.dt),
            drive,
            stepper: Stepper::new(&model),
            constraints: ConstraintRows::default(),
            settling: ConstraintSolver::new(&model),
            ws: Workspace::new(&model),
            mass: MassMatrix::new(&model),
            factor: MassFactor::new(&model),
            crew: Crew::default(),
            meeting: Meeting::new(model.n_links()),
            scout: Scout::default(),
            contacts: Vec::new(),
            assembly: Assembly::default(),
            ladder: Ladder::default(),
            recovery: Recovery::default(),
            limits: Vec::new(),
            flown: Vec::with_capacity(model.n_links()),
            wide: Vec::new(),
            ahead: scene.initial.clone(),
            v: Velocities::new(model.n_v(), model.n_links()),
            forces: Forces::new(model.n_v()),
            pushed: Pushed::new(model.n_v()),
            bounces: Vec::new(),
            rubbing: Rubbing::default(),
            fallbacks: [0; Fallback::ALL.len()],
            penetration: 0.0,
            depths: Depths::default(),
            course: Course::default(),
            guard: Guard::default(),
            fingerprint: Fingerprint::of(scene),
            tape: Tape::default(),
            sensing: Sensing::of(scene),
            stepped: false,
            started: scene.initial.clone(),
            passive: model.clone(),
            geometry: Arc::new(shapes.geometry),
            model,
        }
    }
}

/// The shapes that touch.
struct Shapes {
    geometry: Geometry,
    reach: Vec<f64>,          // by link: farthest point of its shapes from its origin, m
    solid: Vec<bool>,         // by link: whether it has shapes
    boxes: Vec<Option<Aabb>>, // by link: around its shapes, link axes
}

impl Shapes {
    fn of(scene: &Scene) -> Self {
        let mut geometry = Geometry::new();
        let mut reach = vec![0.0_f64; scene.model.n_links()];
        let mut solid = vec![false; scene.model.n_links()];
        let mut boxes = vec![None; scene.model.n_links()];
        for placed in &scene.colliders {
            let shape = placed.shape.clone();
            solid[placed.link.0] = true;
            let collider = match placed.link {
                LinkId::WORLD => Collider::fixed(shape),
                link => Collider::new(shape, link.0),
            };
            let aabb = placed.shape.aabb(&placed.pose);
            let far = aabb.lo.abs().sup(&aabb.hi.abs()).norm();
            if far.is_finite() {
                reach[placed.link.0] = reach[placed.link.0].max(far);
                let around = boxes[placed.link.0].map_or(aabb, |b: Aabb| b.join(&aabb));
                boxes[placed.link.0] = Some(around);
            }
            geometry.add(collider.at(placed.pose).with_groups(placed.group, placed.mask));
        }
        let body = |link: LinkId| (link != LinkId::WORLD).then_some(link.0);
        for (k, link) in scene.model.links().iter().enumerate().skip(1) {
            if link.joint.n_v() < 6 && link.parent != LinkId::WORLD {
                geometry.exclude_bodies(Some(k), body(link.parent));
            }
        }
        for &(a, b) in &scene.apart {
            geometry.exclude_bodies(body(a), body(b));
        }
        scene.meeting.iter().for_each(|&(a, b)| geometry.meet(a, b));
        Self { geometry, reach, solid, boxes }
    }
}

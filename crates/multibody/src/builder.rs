//! From a list of links in any order to a [`Model`], or a clear reason why not.
//!
//! Holding a `Model` is proof that parents exist, there is no cycle, axes are unit vectors, inertias belong to
//! bodies, and the joint-space inertia is positive definite at the zero position.

mod check;

use std::collections::BTreeMap;

use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::error::ModelError;
use crate::joint::Joint;
use crate::model::{Coupling, Curve, Dof, Link, LinkId, Loop, LoopSpec, Model};

use check::{ROTATION_TOLERANCE, check_inertia, check_link};

/// A link to be: what [`ModelBuilder::link`] takes.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    name: String,
    parent: String,
    joint: Joint,
    placement: Pose,
    inertia: Inertia,
    dofs: Vec<Dof>,
}

impl LinkSpec {
    /// A link called `name` on the link called `parent` ("world" is always there).
    pub fn new(name: &str, parent: &str, joint: Joint, placement: Pose, inertia: Inertia) -> Self {
        let dofs = vec![Dof::default(); joint.n_v()];
        Self { name: name.into(), parent: parent.into(), joint, placement, inertia, dofs }
    }

    /// Changes every dof of the joint.
    pub fn each_dof(mut self, change: impl Fn(&mut Dof)) -> Self {
        self.dofs.iter_mut().for_each(change);
        self
    }

    /// Changes dof `k` of the joint.
    pub fn dof(mut self, k: usize, change: impl FnOnce(&mut Dof)) -> Self {
        change(&mut self.dofs[k]);
        self
    }

    /// Same armature on every dof, kg m² or kg.
    pub fn armature(self, armature: f64) -> Self {
        self.each_dof(|d| d.armature = armature)
    }

    /// Same viscous damping on every dof, N m s/rad or N s/m.
    pub fn damping(self, damping: f64) -> Self {
        self.each_dof(|d| d.damping = damping)
    }

    /// Same Coulomb friction on every dof, N m or N.
    pub fn friction(self, friction: f64) -> Self {
        self.each_dof(|d| d.friction = friction)
    }

    /// Same spring on every dof, N m/rad or N/m, resting at `rest`.
    pub fn spring(self, stiffness: f64, rest: f64) -> Self {
        self.each_dof(|d| (d.stiffness, d.rest) = (stiffness, rest))
    }

    /// Same bounds on every dof, rad or m.
    pub fn limits(self, lower: f64, upper: f64) -> Self {
        self.each_dof(|d| (d.lower, d.upper) = (lower, upper))
    }
}

/// A coupling by names; see [`ModelBuilder::couple`].
#[derive(Debug, Clone, PartialEq)]
struct CouplingSpec {
    terms: Vec<(String, usize, f64)>,
    offset: f64,
    curve: Option<(String, Curve)>,
}

/// Collects links, loops and couplings.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelBuilder {
    links: Vec<LinkSpec>,
    loops: Vec<LoopSpec>,
    couplings: Vec<CouplingSpec>,
    gravity: Vector3<f64>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty world under standard gravity, z up.
    pub fn new() -> Self {
        let gravity = Vector3::new(0.0, 0.0, -9.81);
        Self { links: Vec::new(), loops: Vec::new(), couplings: Vec::new(), gravity }
    }

    /// Sets the acceleration of free fall, world axes, m/s².
    pub fn gravity(&mut self, gravity: Vector3<f64>) -> &mut Self {
        self.gravity = gravity;
        self
    }

    /// Adds a link.
    pub fn link(&mut self, spec: LinkSpec) -> &mut Self {
        self.links.push(spec);
        self
    }

    /// Adds a loop joint.
    pub fn close(&mut self, spec: LoopSpec) -> &mut Self {
        self.loops.push(spec);
        self
    }

    /// Ties coordinates: Σ coefficient · q(link, dof) = offset.
    pub fn couple(&mut self, terms: &[(&str, usize, f64)], offset: f64) -> &mut Self {
        let terms = terms.iter().map(|(link, dof, c)| ((*link).to_owned(), *dof, *c)).collect();
        self.couplings.push(CouplingSpec { terms, offset, curve: None });
        self
    }

    /// Makes the first dof of `follower` a function of that of `cam`: q_f = curve(q_c).
    pub fn cam(&mut self, follower: &str, cam: &str, curve: Curve) -> &mut Self {
        self.couple_along(&[(follower, 0, 1.0), (cam, 0, 0.0)], 0.0, cam, curve)
    }

    /// Ties coordinates along a curve: Σ coefficient · q(link, dof) = offset + curve(q of the first dof of `cam`), which is among
    /// the terms.
    pub fn couple_along(
        &mut self,
        terms: &[(&str, usize, f64)],
        offset: f64,
        cam: &str,
        curve: Curve,
    ) -> &mut Self {
        let terms = terms.iter().map(|(link, dof, c)| ((*link).to_owned(), *dof, *c)).collect();
        self.couplings.push(CouplingSpec { terms, offset, curve: Some((cam.to_owned(), curve)) });
        self
    }

    /// Makes the first dof of `follower` copy that of `leader`: q_f = ratio q_l + offset.
    pub fn mimic(&mut self, follower: &str, leader: &str, ratio: f64, offset: f64) -> &mut Self {
        self.couple(&[(follower, 0, 1.0), (leader, 0, -ratio)], offset)
    }

    /// Checks everything and sorts the links so that parents come first.
    pub fn build(&self) -> Result<Model, ModelError> {
        if !self.gravity.iter().all(|g| g.is_finite()) {
            return Err(ModelError::Gravity);
        }
        let order = self.topological_order()?;
        let mut model = Model {
            links: vec![Link {
                name: "world".into(),
                parent: LinkId::WORLD,
                joint: Joint::Fixed,
                placement: Pose::identity(),
                inertia: Inertia::zero(),
                q_start: 0,
                v_start: 0,
            }],
            dofs: Vec::new(),
            n_q: 0,
            gravity: self.gravity,
            dof_link: Vec::new(),
            dof_parent: Vec::new(),
            dof_depth: Vec::new(),
            dof_run: Vec::new(),
            row_start: vec![0],
            loops: Vec::new(),
            couplings: Vec::new(),
            names: BTreeMap::from([("world".to_owned(), LinkId::WORLD)]),
        };
        let mut last_dof = vec![usize::MAX];
        for index in order {
            let spec = &self.links[index];
            check_link(spec)?;
            push_link(&mut model, spec, &mut last_dof);
        }
        self.resolve_constraints(&mut model)?;
        check_inertia(&model)?;
        Ok(model)
    }

    /// Insertion order if it is already topological, else by depth.
    fn topological_order(&self) -> Result<Vec<usize>, ModelError> {
        let mut index = BTreeMap::new();
        for (k, spec) in self.links.iter().enumerate() {
            if spec.name == "world" || index.insert(spec.name.as_str(), k).is_some() {
                return Err(ModelError::DuplicateName { link: spec.name.clone() });
            }
        }
        let mut parents = Vec::with_capacity(self.links.len());
        for spec in &self.links {
            let parent = index.get(spec.parent.as_str()).copied();
            if parent.is_none() && spec.parent != "world" {
                return Err(ModelError::UnknownParent {
                    link: spec.name.clone(),
                    parent: spec.parent.clone(),
                });
            }
            parents.push(parent);
        }
        let mut order: Vec<usize> = (0..self.links.len()).collect();
        if parents.iter().enumerate().all(|(k, p)| p.is_none_or(|p| p < k)) {
            return Ok(order);
        }

        // depth by walking up until a known depth; a walk longer than the list is a cycle
        let mut depth = vec![usize::MAX; self.links.len()];
        for k in 0..self.links.len() {
            let mut path = vec![];
            let mut at = Some(k);
            while let Some(link) = at.filter(|&l| depth[l] == usize::MAX) {
                if path.len() > self.links.len() {
                    return Err(ModelError::Cycle { link: self.links[link].name.clone() });
                }
                path.push(link);
                at = parents[link];
            }
            let top = at.map_or(0, |l| depth[l] + 1);
            for (below, &link) in path.iter().rev().enumerate() {
                depth[link] = top + below;
            }
        }
        order.sort_by_key(|&k| depth[k]);
        Ok(order)
    }

    fn resolve_constraints(&self, model: &mut Model) -> Result<(), ModelError> {
        for (constraint, spec) in self.loops.iter().enumerate() {
            let find = |name: &str| {
                model.find(name).ok_or_else(|| ModelError::UnknownLink { constraint, link: name.to_owned() })
            };
            let (a, b) = (find(&spec.link_a)?, find(&spec.link_b)?);
            let finite = |x: &Pose| {
                x.translation.iter().all(|t| t.is_finite()) && x.orthogonality_error() < ROTATION_TOLERANCE
            };
            if a == b || !finite(&spec.frame_a) || !finite(&spec.frame_b) {
                return Err(ModelError::Constraint { constraint });
            }
            model.loops.push(Loop { kind: spec.kind, a, b, frame_a: spec.frame_a, frame_b: spec.frame_b });
        }
        for (coupling, spec) in self.couplings.iter().enumerate() {
            let mut terms = Vec::new();
            for (name, dof, coefficient) in &spec.terms {
                let unknown = || ModelError::UnknownLink { constraint: coupling, link: name.clone() };
                let link = model.link(model.find(name).ok_or_else(unknown)?);
                if *dof >= link.joint.n_v() || !link.joint.is_vector() {
                    return Err(ModelError::CoupledDof { coupling, link: name.clone(), dof: *dof });
                }
                if !coefficient.is_finite() || !spec.offset.is_finite() {
                    return Err(ModelError::Constraint { constraint: coupling });
                }
                terms.push((link.v_start + dof, *coefficient));
            }
            terms.sort_by_key(|t| t.0);
            let curve = spec.curve.as_ref().and_then(|(cam, curve)| {
                // found above, among the terms
                Some((model.link(model.find(cam)?).v_start, curve.clone()))
            });
            model.couplings.push(Coupling { terms, offset: spec.offset, curve });
        }
        Ok(())
    }
}

impl Model {
    /// The same model with one link more, after all others: their numbers, and those of their dofs, stay.
    pub fn with_link(&self, spec: &LinkSpec) -> Result<Self, ModelError> {
        if self.find(&spec.name).is_some() {
            return Err(ModelError::DuplicateName { link: spec.name.clone() });
        }
        if self.find(&spec.parent).is_none() {
            return Err(ModelError::UnknownParent { link: spec.name.clone(), parent: spec.parent.clone() });
        }
        check_link(spec)?;
        let mut last_dof = vec![usize::MAX];
        for link in &self.links[1..] {
            let dofs = link.v_range();
            last_dof.push(if dofs.is_empty() { last_dof[link.parent.0] } else { dofs.end - 1 });
        }
        let mut model = self.clone();
        push_link(&mut model, spec, &mut last_dof);
        check_inertia(&model)?;
        Ok(model)
    }
}

/// Adds a link behind the others; `last_dof` has by link the last dof that moves it.
fn push_link(model: &mut Model, spec: &LinkSpec, last_dof: &mut Vec<usize>) {
    let parent = model.names[&spec.parent];
    let id = model.links.len();
    let (q_start, v_start) = (model.n_q, model.n_v());
    let mut above = last_dof[parent.0];
    for dof in &spec.dofs {
        let k = model.dofs.len();
        let depth = if above == usize::MAX { 0 } else { model.dof_depth[above] + 1 };
        model.dofs.push(*dof);
        model.dof_link.push(id);
        model.dof_parent.push(above);
        model.dof_depth.push(depth);
        let follows = above != usize::MAX && above + 1 == k;
        model.dof_run.push(if follows { model.dof_run[above] + 1 } else { 1 });
        model.row_start.push(model.row_start[k] + depth + 1);
        above = k;
    }
    last_dof.push(above);
    model.n_q += spec.joint.n_q();
    model.names.insert(spec.name.clone(), LinkId(id));
    model.links.push(Link {
        name: spec.name.clone(),
        parent,
        joint: spec.joint,
        placement: spec.placement,
        inertia: spec.inertia,
        q_start,
        v_start,
    });
}

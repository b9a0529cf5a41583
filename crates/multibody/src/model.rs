//! The immutable description: links in topological order, their joints, and the shape of the dof tree.
//!
//! Link 0 is the world; every other link has a smaller-numbered parent, so passes are plain loops. Degrees of
//! freedom are numbered along the links. Two dofs interact in the joint-space inertia only if one lies on the
//! other's way to the root; `dof_parent` (λ) and `dof_depth` state that once [RBDA §6.5]:
//!
//! ```text
//!     row k of the lower triangle holds M(k, j) for the dof_depth[k] + 1 dofs j on the way root → k,
//!     stored at row_start[k] + dof_depth[j]
//! ```
//! so a row of an ancestor is aligned with the front of its descendants' rows, and factoring is axpy on prefixes.

mod curve;
mod ties;

use std::collections::BTreeMap;

use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::joint::Joint;

pub use curve::{Curve, CurveError};
pub use ties::{Coupling, Loop, LoopKind, LoopSpec};

/// A link of a [`Model`]; 0 is the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

impl LinkId {
    /// The frame that does not move.
    pub const WORLD: Self = Self(0);
}

/// One link and the joint that carries it.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// The link this one hangs on.
    pub parent: LinkId,
    /// How it hangs there.
    pub joint: Joint,
    /// X_pj: the joint frame in the parent link; at q = 0 also the link's own frame.
    pub placement: Pose,
    /// In the link's frame.
    pub inertia: Inertia,
    /// First position coordinate.
    pub q_start: usize,
    /// First degree of freedom.
    pub v_start: usize,
}

impl Link {
    /// Its position coordinates.
    #[inline]
    pub fn q_range(&self) -> std::ops::Range<usize> {
        self.q_start..self.q_start + self.joint.n_q()
    }

    /// Its degrees of freedom.
    #[inline]
    pub fn v_range(&self) -> std::ops::Range<usize> {
        self.v_start..self.v_start + self.joint.n_v()
    }
}

/// What acts along one degree of freedom besides the links' inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dof {
    /// Bounds of the coordinate, rad or m; infinite if none.
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Coulomb friction, N m or N; the contact solver turns it into a box row.
    pub friction: f64,
    /// Reflected rotor inertia, kg m² or kg.
    pub armature: f64,
    /// Spring, N m/rad or N/m.
    pub stiffness: f64,
    /// Where the spring rests, rad or m.
    pub rest: f64,
    /// Greatest motor effort, N m or N; infinite if none.
    pub effort: f64,
}

impl Default for Dof {
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            effort: f64::INFINITY,
        }
    }
}

/// Trees of links, and the loops and couplings that tie them together. Never changes; share it freely.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub(crate) links: Vec<Link>, // nb + 1, world first
    pub(crate) dofs: Vec<Dof>,   // nv
    pub(crate) n_q: usize,
    pub(crate) gravity: Vector3<f64>,
    pub(crate) dof_link: Vec<usize>,   // nv, the link a dof moves
    pub(crate) dof_parent: Vec<usize>, // nv, λ; usize::MAX at a root
    pub(crate) dof_depth: Vec<usize>,  // nv, number of dofs above
    pub(crate) dof_run: Vec<usize>, // nv, how many dofs up to this one follow each other in number and on the path
    pub(crate) row_start: Vec<usize>, // nv + 1, rows of the joint-space inertia
    pub(crate) loops: Vec<Loop>,
    pub(crate) couplings: Vec<Coupling>,
    pub(crate) names: BTreeMap<String, LinkId>,
}

impl Model {
    /// Number of links, the world included.
    pub fn n_links(&self) -> usize {
        self.links.len()
    }

    /// Number of position coordinates.
    pub fn n_q(&self) -> usize {
        self.n_q
    }

    /// Number of degrees of freedom.
    pub fn n_v(&self) -> usize {
        self.dofs.len()
    }

    /// Acceleration of free fall, world axes, m/s².
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// The same model elsewhere: another acceleration of free fall.
    pub fn with_gravity(mut self, gravity: Vector3<f64>) -> Self {
        self.gravity = gravity;
        self
    }

    /// All links; index 0 is the world.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// One link.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.0]
    }

    /// The link of that name; "world" is the world.
    pub fn find(&self, name: &str) -> Option<LinkId> {
        self.names.get(name).copied()
    }

    /// What acts along each degree of freedom.
    pub fn dofs(&self) -> &[Dof] {
        &self.dofs
    }

    /// What acts along one degree of freedom, to be changed by whoever owns the model: a controller's spring, worn
    /// friction. Values must be as [`crate::ModelBuilder`] would accept them.
    pub fn dof_mut(&mut self, dof: usize) -> &mut Dof {
        &mut self.dofs[dof]
    }

    /// Puts a link that hangs on the world by a fixed joint elsewhere.
    ///
    /// # Panics
    /// If its joint moves, or it hangs on another link.
    pub fn set_placement(&mut self, link: LinkId, placement: Pose) {
        let l = &mut self.links[link.0];
        assert!(
            l.joint.n_v() == 0 && l.parent == LinkId::WORLD && link != LinkId::WORLD,
            "a fixed link of the world"
        );
        l.placement = placement;
    }

    /// The inertia of a link, to be changed by whoever owns the model: another load, another guess of a mass. Values
    /// must be as [`crate::ModelBuilder`] would accept them.
    pub fn inertia_mut(&mut self, link: LinkId) -> &mut Inertia {
        &mut self.links[link.0].inertia
    }

    /// The link that a degree of freedom moves.
    pub fn dof_link(&self, dof: usize) -> LinkId {
        LinkId(self.dof_link[dof])
    }

    /// The next degree of freedom towards the root.
    pub fn dof_parent(&self, dof: usize) -> Option<usize> {
        let parent = self.dof_parent[dof];
        (parent != usize::MAX).then_some(parent)
    }

    /// The position coordinate of a degree of freedom, unless it belongs to a quaternion.
    pub fn dof_coordinate(&self, dof: usize) -> Option<usize> {
        let link = &self.links[self.dof_link[dof]];
        link.joint.is_vector().then(|| link.q_start + dof - link.v_start)
    }

    /// Loop joints.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Linear couplings of coordinates.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Total mass, kg.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|l| l.inertia.mass).sum()
    }

    /// Number of stored entries of the joint-space inertia.
    pub fn n_entries(&self) -> usize {
        self.row_start.last().copied().unwrap_or(0)
    }
}

/// Where the links are and how fast they go: all that a simulation must remember.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// Positions, n_q.
    pub q: Vec<f64>,
    /// Velocities, n_v.
    pub v: Vec<f64>,
}

impl State {
    /// At rest in the zero position.
    pub fn neutral(model: &Model) -> Self {
        let mut q = vec![0.0; model.n_q];
        for link in &model.links {
            link.joint.neutral(&mut q[link.q_range()]);
        }
        Self { q, v: vec![0.0; model.n_v()] }
    }
}

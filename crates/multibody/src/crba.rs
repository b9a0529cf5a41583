//! Joint-space inertia by the composite-rigid-body algorithm, stored by branches [RBDA §6.2, Table 6.2].
//!
//! ```text
//!     I^c_i = I_i + Σ_children I^c_child
//!     F = I^c_i S_k;   M(k, j) = S_jᵀ F.at(…) for every dof j on the way to the root
//! ```
//! | book  | here            | shape                         |
//! |-------|-----------------|-------------------------------|
//! | H     | `MassMatrix`    | n_v rows, row k: depth k + 1  |
//! | λ(k)  | `dof_parent`    | n_v                           |
//!
//! The armature is added to the diagonal.

use gudgeon_spatial::{Force, Motion, Symmetric3, Vector3};
use nalgebra::DMatrix;

use crate::kinematics::kinematics;
use crate::model::Model;
use crate::workspace::Workspace;

/// A composite rigid body about a point: mass, first moment, second moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Composite {
    mass: f64,
    first: Vector3<f64>, // m c, kg m
    second: Symmetric3,  // about the reference point, kg m²
}

impl Composite {
    /// About a point from which the present one is seen at `r`.
    #[inline]
    fn shifted(&self, r: &Vector3<f64>) -> Self {
        let h = &self.first;
        let rh = 2.0 * r.dot(h);
        let cross = Symmetric3::new(
            rh - 2.0 * r.x * h.x,
            -(r.x * h.y + r.y * h.x),
            -(r.x * h.z + r.z * h.x),
            rh - 2.0 * r.y * h.y,
            -(r.y * h.z + r.z * h.y),
            rh - 2.0 * r.z * h.z,
        );
        Self {
            mass: self.mass,
            first: h + r * self.mass,
            second: self.second + cross + Symmetric3::steiner(r) * self.mass,
        }
    }

    /// The momentum at velocity `s`.
    #[inline]
    fn momentum(&self, s: Motion) -> Force {
        Force::new(
            self.second * &s.angular + self.first.cross(&s.linear),
            s.linear * self.mass + s.angular.cross(&self.first),
        )
    }
}

/// The joint-space inertia M(q), lower triangle, only the entries that branches allow.
#[derive(Debug, PartialEq)]
pub struct MassMatrix {
    pub(crate) entries: Vec<f64>, // row k at row_start[k], column j at dof_depth[j]
    composite: Vec<Composite>,    // nb, scratch of crba
}

impl Clone for MassMatrix {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), composite: self.composite.clone() }
    }

    /// Keeps its memory.
    fn clone_from(&mut self, other: &Self) {
        self.entries.clone_from(&other.entries);
        self.composite.resize(other.composite.len(), Composite::default());
    }
}

impl MassMatrix {
    /// Room for the matrix of `model`: Σ (depth + 1) numbers.
    pub fn new(model: &Model) -> Self {
        Self { entries: vec![0.0; model.n_entries()], composite: vec![Composite::default(); model.n_links()] }
    }

    /// Adds to the diagonal: implicit damping and springs come in here.
    pub fn add_diagonal(&mut self, model: &Model, diagonal: &[f64]) {
        for k in 0..model.n_v() {
            self.entries[model.row_start[k + 1] - 1] += diagonal[k];
        }
    }

    /// M(k, k).
    pub fn diagonal(&self, model: &Model, k: usize) -> f64 {
        self.entries[model.row_start[k + 1] - 1]
    }

    /// Makes the given dofs immovable: their rows and columns become those of the identity, so that solving with
    /// the factor is solving for the rest (prescribed joints; give them no right-hand side).
    pub fn lock(&mut self, model: &Model, locked: impl Fn(usize) -> bool) {
        for k in 0..model.n_v() {
            let row = &mut self.entries[model.row_start[k]..model.row_start[k + 1]];
            let mut j = k;
            for depth in (0..row.len()).rev() {
                if locked(k) || locked(j) {
                    row[depth] = if depth + 1 == row.len() { 1.0 } else { 0.0 };
                }
                j = model.dof_parent[j];
            }
        }
    }

    /// M as a full symmetric matrix.
    pub fn to_dense(&self, model: &Model) -> DMatrix<f64> {
        let n = model.n_v();
        let mut m = DMatrix::zeros(n, n);
        for k in 0..n {
            let mut j = k;
            for depth in (0..=model.dof_depth[k]).rev() {
                let x = self.entries[model.row_start[k] + depth];
                m[(k, j)] = x;
                m[(j, k)] = x;
                j = model.dof_parent[j];
            }
        }
        m
    }

    /// y = M x.
    pub fn multiply(&self, model: &Model, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for k in 0..model.n_v() {
            let row = &self.entries[model.row_start[k]..model.row_start[k + 1]];
            let (diagonal, front) = row.split_last().expect("a row holds its diagonal");
            y[k] += diagonal * x[k];
            let mut j = model.dof_parent[k];
            for m_kj in front.iter().rev() {
                y[k] += m_kj * x[j];
                y[j] += m_kj * x[k];
                j = model.dof_parent[j];
            }
        }
    }
}

/// Kinematics at `q`, then M(q) into `mass`.
pub fn crba(model: &Model, q: &[f64], ws: &mut Workspace, mass: &mut MassMatrix) {
    kinematics(model, q, ws);
    mass_matrix(model, ws, mass);
}

/// M into `mass`; wants `kinematics`.
pub fn mass_matrix(model: &Model, ws: &Workspace, mass: &mut MassMatrix) {
    mass_matrix_with(model, ws, &[], mass);
}

/// As [`mass_matrix`], with rotational inertia `added` to each link (world axes, n_links, or empty).
pub fn mass_matrix_with(model: &Model, ws: &Workspace, added: &[Symmetric3], mass: &mut MassMatrix) {
    for (c, body) in mass.composite.iter_mut().zip(&ws.body) {
        *c = Composite { mass: body.mass, first: body.com * body.mass, second: body.about_origin() };
    }
    for (c, added) in mass.composite.iter_mut().zip(added) {
        c.second += *added;
    }
    for i in (1..model.links.len()).rev() {
        let link = &model.links[i];
        let composite = mass.composite[i];
        for dof in link.v_range() {
            let mut f = composite.momentum(ws.s[dof]);
            let row = &mut mass.entries[model.row_start[dof]..model.row_start[dof + 1]];
            row[model.dof_depth[dof]] = ws.s[dof].dot(f) + model.dofs[dof].armature;

            // walk to the root; `from` is the link about whose origin f is written
            let (mut j, mut from) = (model.dof_parent[dof], i);
            while j != usize::MAX {
                let to = model.dof_link[j];
                while from != to {
                    f = f.at(&-ws.placed[from].offset);
                    from = model.links[from].parent.0;
                }
                row[model.dof_depth[j]] = ws.s[j].dot(f);
                j = model.dof_parent[j];
            }
        }
        let parent = &mut mass.composite[link.parent.0];
        let c = composite.shifted(&ws.placed[i].offset);
        parent.mass += c.mass;
        parent.first += c.first;
        parent.second += c.second;
    }
}

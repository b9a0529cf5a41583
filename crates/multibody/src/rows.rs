//! Sparse rows over the degrees of freedom: Jacobian rows of points, loops, limits, motors and friction.
//!
//! A row is a generalised force: row · v is the power of a unit force on links, row · λ the generalised force of
//! size λ. For a force f_b on link b and f_a on link a the row follows from walking both paths to the root,
//! ```text
//!     J_k = S_kᵀ f   at the origin of the link of k,   f.at(-r) on the way up          (f_a + f_b where they meet)
//! ```

use gudgeon_spatial::{Force, Vector3};

use crate::model::{LinkId, Model};
use crate::workspace::Workspace;

/// Rows of (dof, value), dofs ascending; keeps its memory when cleared.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    start: Vec<usize>, // n + 1
    dof: Vec<usize>,
    value: Vec<f64>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { start: vec![0], dof: Vec::new(), value: Vec::new() }
    }
}

impl Rows {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the rows, keeps the memory.
    pub fn clear(&mut self) {
        self.start.truncate(1);
        self.dof.clear();
        self.value.clear();
    }

    /// Becomes a copy of `other`, in the memory at hand.
    pub fn copy_from(&mut self, other: &Self) {
        self.start.clone_from(&other.start);
        self.dof.clone_from(&other.dof);
        self.value.clone_from(&other.value);
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row `i`: its dofs, ascending, and their values.
    #[inline]
    pub fn row(&self, i: usize) -> (&[usize], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.dof[range.clone()], &self.value[range])
    }

    /// Row `i` times the dense vector `x`.
    #[inline]
    pub fn dot(&self, i: usize, x: &[f64]) -> f64 {
        let (dofs, values) = self.row(i);
        dofs.iter().zip(values).map(|(&k, j)| j * x[k]).sum()
    }

    /// Adds `scale` times row `i` to the dense vector `x`.
    #[inline]
    pub fn add_to(&self, i: usize, scale: f64, x: &mut [f64]) {
        let (dofs, values) = self.row(i);
        for (&k, j) in dofs.iter().zip(values) {
            x[k] += scale * j;
        }
    }

    /// y = J x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..self.len() {
            y[i] = self.dot(i, x);
        }
    }

    /// Sets the entries of the given dofs to zero (prescribed joints do not answer).
    pub fn zero_dofs(&mut self, zeroed: impl Fn(usize) -> bool) {
        for (k, x) in self.dof.iter().zip(&mut self.value) {
            if zeroed(*k) {
                *x = 0.0;
            }
        }
    }

    /// Leaves row `i` without entries; meant for the last few rows.
    pub(crate) fn empty_row(&mut self, i: usize) {
        let range = self.start[i]..self.start[i + 1];
        let gone = range.len();
        self.dof.drain(range.clone());
        self.value.drain(range);
        self.start[i + 1..].iter_mut().for_each(|s| *s -= gone);
    }

    /// Adds a row with the given dofs, ascending, and values.
    pub(crate) fn push_on(&mut self, dofs: &[usize], value: impl Fn(usize) -> f64) {
        self.dof.extend_from_slice(dofs);
        self.value.extend(dofs.iter().map(|&k| value(k)));
        self.finish();
    }

    /// The same with the values in the order of the dofs.
    pub(crate) fn push_values(&mut self, dofs: &[usize], values: impl Iterator<Item = f64>) {
        self.dof.extend_from_slice(dofs);
        self.value.extend(values);
        self.finish();
    }

    /// Adds a row of given entries, dofs ascending: limits, motors, joint friction and couplings.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (usize, f64)>) {
        for (k, x) in entries {
            self.dof.push(k);
            self.value.push(x);
        }
        self.finish();
    }

    /// Adds the row of `force` on one link, world axes about the link's origin; wants `kinematics`.
    pub fn push_force(&mut self, model: &Model, ws: &Workspace, link: LinkId, force: Force) {
        self.push_forces(model, ws, (LinkId::WORLD, Force::zero()), (link, force));
    }

    /// Adds the row of a force on b and its opposite on a, both acting at the world point `p_w`:
    /// row · v = force · (v_b - v_a). `force` is about `p_w` in world axes. Wants `kinematics`.
    ///
    /// The row ends at the first common link: above it the two cancel exactly.
    pub fn push_between(
        &mut self,
        model: &Model,
        ws: &Workspace,
        a: LinkId,
        b: LinkId,
        p_w: &Vector3<f64>,
        force: Force,
    ) {
        let mut at_a = Climber::new(a, (-force).at(&(ws.placed[a.0].origin - p_w)));
        let mut at_b = Climber::new(b, force.at(&(ws.placed[b.0].origin - p_w)));
        while at_a.link != at_b.link {
            let higher = if at_a.link > at_b.link { &mut at_a } else { &mut at_b };
            self.emit(model, ws, higher);
            higher.climb(model, ws);
        }
        self.reverse_and_finish();
    }

    /// Adds a row for each of three directions at the world point `p_w`: row · v is that component of the velocity of the
    /// point as one of b, less that as one of a. Wants `kinematics`. The rows are those of [`Rows::push_between`], with one
    /// walk for all three.
    pub fn push_contact(
        &mut self,
        model: &Model,
        ws: &Workspace,
        a: LinkId,
        b: LinkId,
        p_w: &Vector3<f64>,
        directions: &[Vector3<f64>; 3],
    ) {
        let mut count = 0;
        for_path(model, a, b, |link, _| count += model.links[link].v_range().len());
        let from = self.dof.len();
        self.dof.resize(from + 3 * count, 0);
        self.value.resize(from + 3 * count, 0.0);
        let (dofs, values) = (&mut self.dof[from..], &mut self.value[from..]);
        let mut at = count;
        for_path(model, a, b, |link, sign| {
            let r = p_w - ws.placed[link].origin;
            for dof in model.links[link].v_range().rev() {
                at -= 1;
                let s = &ws.s[dof];
                let velocity = (s.linear + s.angular.cross(&r)) * sign;
                for (row, direction) in directions.iter().enumerate() {
                    dofs[row * count + at] = dof;
                    values[row * count + at] = direction.dot(&velocity);
                }
            }
        });
        self.start.extend((1..=3).map(|row| from + row * count));
    }

    /// Adds the row of a force on each of two links, each in world axes about its own link's origin.
    pub fn push_forces(&mut self, model: &Model, ws: &Workspace, a: (LinkId, Force), b: (LinkId, Force)) {
        let mut at_a = Climber::new(a.0, a.1);
        let mut at_b = Climber::new(b.0, b.1);
        while at_a.link != at_b.link {
            let higher = if at_a.link > at_b.link { &mut at_a } else { &mut at_b };
            self.emit(model, ws, higher);
            higher.climb(model, ws);
        }
        // opposite forces leave rounding, not force, above the first common link
        let size = largest(at_a.force) + largest(at_b.force);
        at_b.force += at_a.force;
        if largest(at_b.force) <= CANCELLED * size {
            at_b.link = 0;
        }
        while at_b.link != 0 {
            self.emit(model, ws, &at_b);
            at_b.climb(model, ws);
        }
        self.reverse_and_finish();
    }

    /// Adds the row of a world direction at a point of a link: row · v is that component of the point's velocity.
    pub fn push_point(
        &mut self,
        model: &Model,
        ws: &Workspace,
        link: LinkId,
        p_w: &Vector3<f64>,
        direction: &Vector3<f64>,
    ) {
        self.push_between(model, ws, LinkId::WORLD, link, p_w, Force::new(Vector3::zeros(), *direction));
    }

    #[inline]
    fn emit(&mut self, model: &Model, ws: &Workspace, at: &Climber) {
        for dof in model.links[at.link].v_range().rev() {
            self.dof.push(dof);
            self.value.push(ws.s[dof].dot(at.force));
        }
    }

    fn reverse_and_finish(&mut self) {
        let from = self.start[self.start.len() - 1];
        self.dof[from..].reverse();
        self.value[from..].reverse();
        self.finish();
    }

    fn finish(&mut self) {
        self.start.push(self.dof.len());
    }
}

/// The largest of the six magnitudes.
#[inline]
fn largest(f: Force) -> f64 {
    let (a, l) = (f.angular, f.linear);
    let angular = a.x.abs().max(a.y.abs()).max(a.z.abs());
    angular.max(l.x.abs().max(l.y.abs()).max(l.z.abs()))
}

/// Calls `work` with the links that only one of two has above it, tips first, and −1 for those of `a`, 1 for those of `b`.
#[inline]
fn for_path(model: &Model, a: LinkId, b: LinkId, mut work: impl FnMut(usize, f64)) {
    let (mut a, mut b) = (a.0, b.0);
    while a != b {
        let (link, sign) = if a > b { (&mut a, -1.0) } else { (&mut b, 1.0) };
        work(*link, sign);
        *link = model.links[*link].parent.0;
    }
}

/// Forces that cancel to this fraction are opposite: a dozen roundings.
const CANCELLED: f64 = 1e-14;

/// A force on its way to the root.
struct Climber {
    link: usize,
    force: Force,
}

impl Climber {
    fn new(link: LinkId, force: Force) -> Self {
        Self { link: link.0, force }
    }

    #[inline]
    fn climb(&mut self, model: &Model, ws: &Workspace) {
        self.force = self.force.at(&-ws.placed[self.link].offset);
        self.link = model.links[self.link].parent.0;
    }
}

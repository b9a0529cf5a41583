//! The implicit function theorem on many rows, in time that grows with links and rows: no row over all dofs, no S.
//!
//! ```text
//!     M̃ y − Aᵀ λ = f,     B y + C λ = r
//! ```
//! is solved by rounds, each with the residuals ρ of both lines and a small compliance ε beside C [Carpentier et al. 2021, proximal]:
//! ```text
//!     (M̃ + Aᵀ (C + ε)⁻¹ B) δy = ρ₁ + Aᵀ (C + ε)⁻¹ ρ₂,     δλ = (C + ε)⁻¹ (ρ₂ − B δy)
//! ```
//! The matrix is factored on the graph of links (`fronts`). What ε changes goes by ε over the least eigenvalue of S per round, what
//! rounding changes by 1e-16/ε. Redundant rows do no harm: y is that of all their shares, λ one of them.

use gudgeon_multibody::{Fields, LinkId, Model, Workspace};
use gudgeon_spatial::{Force, Inertia, InverseInertia, Matrix6, Motion, Vector3, Vector6};

use super::fronts::Fronts;
use crate::tolerances::NOT_ZERO;

/// ε, of the inverse inertia that a row of a link alone feels: between rounding and the least eigenvalues, both 1e-3 or less of it.
const SOFT: f64 = 1e-6;
/// Rounds; each takes off three digits or more, or the rows are left to the dense solve.
const ROUNDS: usize = 12;
/// A round that changes less, of the largest velocity, or that an impulse would cause alone, is the last.
const SETTLED: f64 = 1e-13;
/// Rounds that change less but no longer come down end as well: the joints of a long chain are known to no more digits.
const STALLED: f64 = 1e-8;
/// How well a motion that is known has to be found again, of the largest: of links, and of joints, which a chain of hundreds of links leaves
/// less determined; and impulses, which are only asked whether they are told apart.
const FOUND: f64 = 1e-9;
const TURNED: f64 = 1e-7;
const APART: f64 = 1e-5;

/// What a trial of the factors showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Motion and impulses are found.
    Full,
    /// The motion is, impulses are not unique.
    Redundant,
    /// Neither: not for this solve.
    Lost,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum RowEnds {
    /// Between two links: on each, what is held and what pushes, about its reference.
    Links {
        links: [usize; 2],
        held: [Force; 2],
        pushing: [Force; 2],
    },
    Dof {
        dof: usize,
        sign: f64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    kind: RowEnds,
    compliance: f64,
    soft: f64, // C + ε
    size: f64, // of its diagonal of S, at most
}

impl Row {
    fn measure(&self, swapped: bool, field: &[Motion], x: &[f64]) -> f64 {
        match self.kind {
            RowEnds::Links { links: [a, b], held, pushing } => {
                let f = if swapped { pushing } else { held };
                field[a].dot(f[0]) + field[b].dot(f[1])
            }
            RowEnds::Dof { dof, sign } => sign * x[dof],
        }
    }

    fn push(&self, swapped: bool, share: f64, forces: &mut [Force], tau: &mut [f64]) {
        match self.kind {
            RowEnds::Links { links, held, pushing } => {
                let f = if swapped { held } else { pushing };
                for k in 0..2 {
                    forces[links[k]] += f[k] * share;
                }
            }
            RowEnds::Dof { dof, sign } => tau[dof] += sign * share,
        }
    }
}

/// Rows between links and of single dofs, their factor, and scratch; keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct GraphSolve {
    rows: Vec<Row>,
    fronts: Fronts,
    bodies: Vec<Inertia>, // by link, about the references
    diagonal: Vec<f64>,
    head: Vec<usize>, // by dof: its last row
    next: Vec<usize>, // by row: the one before of the same dof
    field: Vec<Motion>,
    moved: Vec<Motion>,
    forces: Vec<Force>,
    tau: Vec<f64>,
    rest: Vec<f64>,
    y: Vec<f64>,
    dy: Vec<f64>,
    lambda: Vec<f64>,
    given: [Vec<f64>; 4],
}

impl GraphSolve {
    /// Forgets the rows.
    pub fn begin(&mut self) {
        self.rows.clear();
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if nothing is held.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row of the velocity of link `a` against link `b` at a point, along `held`; it pushes along `pushing`.
    pub fn push_between(
        &mut self,
        fields: &Fields,
        links: [usize; 2],
        point: &Vector3<f64>,
        [held, pushing]: [Vector3<f64>; 2],
        compliance: f64,
    ) {
        let on = |f: Vector3<f64>| {
            let at = |k: usize, f| fields.about(links[k], point, Vector3::zeros(), f);
            [at(0, f), at(1, -f)]
        };
        let kind = RowEnds::Links { links, held: on(held), pushing: on(pushing) };
        self.rows.push(Row { kind, compliance, soft: 0.0, size: 0.0 });
    }

    /// Adds a row of one dof.
    pub fn push_dof(&mut self, dof: usize, sign: f64, compliance: f64) {
        self.rows.push(Row { kind: RowEnds::Dof { dof, sign }, compliance, soft: 0.0, size: 0.0 });
    }

    /// Factors the rows pushed, where M̃ has `diagonal` in place of the armature, and tries the factors on a known motion.
    pub fn factor(&mut self, model: &Model, ws: &Workspace, fields: &Fields, diagonal: &[f64]) -> Rank {
        self.diagonal.clear();
        self.diagonal.extend(
            model.dofs().iter().enumerate().map(|(k, d)| diagonal.get(k).copied().unwrap_or(d.armature)),
        );
        self.bodies.clear();
        self.bodies.push(Inertia::zero());
        for i in 1..model.n_links() {
            let own = ws.inertia(LinkId(i));
            let com = own.com + fields.origin[i] - fields.reference[i];
            self.bodies.push(Inertia { com, ..*own });
        }
        if self.soften() && self.fill(model, fields) { self.attempt(model, fields) } else { Rank::Lost }
    }

    /// ε of rows between links; false if one of them is a point without mass.
    fn soften(&mut self) -> bool {
        for row in &mut self.rows {
            let RowEnds::Links { links, held, pushing } = row.kind else { continue };
            let mut size = 0.0;
            for k in (0..2).filter(|&k| links[k] != 0) {
                // about the centre of mass: far from the reference the closed form loses digits
                let body = &self.bodies[links[k]];
                let Some(inverse) = InverseInertia::of_body(&Inertia { com: Vector3::zeros(), ..*body })
                else {
                    return false;
                };
                let (h, p) = (held[k].at(&body.com), pushing[k].at(&body.com));
                size += (inverse.apply(h).dot(h) * inverse.apply(p).dot(p)).sqrt();
            }
            if !size.is_normal() {
                return false;
            }
            row.size = size;
            row.soft = row.compliance + SOFT * size;
        }
        true
    }

    fn fill(&mut self, model: &Model, fields: &Fields) -> bool {
        let Self { rows, fronts, bodies, head, next, diagonal, .. } = self;
        fronts.begin(model);
        for row in rows.iter() {
            if let RowEnds::Links { links: [a, b], .. } = row.kind {
                fronts.join(a, b);
            }
        }
        fronts.arrange(model);
        for (i, body) in bodies.iter().enumerate().skip(1) {
            fronts.add(i, i, &matrix(body));
        }
        head.clear();
        head.resize(model.n_v(), usize::MAX);
        next.clear();
        next.resize(rows.len(), usize::MAX);
        for (k, row) in rows.iter().enumerate() {
            match row.kind {
                RowEnds::Links { links, held, pushing } => {
                    for x in 0..2 {
                        let push: Vector6<f64> = pushing[x].to_vector() / row.soft;
                        for y in 0..2 {
                            fronts.add(links[x], links[y], &(push * held[y].to_vector().transpose()));
                        }
                    }
                }
                RowEnds::Dof { dof, .. } => next[k] = std::mem::replace(&mut head[dof], k),
            }
        }
        fronts.factor(model, fields, |dof, bare| {
            let bare = bare + diagonal[dof];
            let mut d = diagonal[dof];
            let mut k = head[dof];
            while k != usize::MAX {
                rows[k].size = 1.0 / bare;
                rows[k].soft = rows[k].compliance + SOFT / bare;
                d += 1.0 / rows[k].soft;
                k = next[k];
            }
            d
        })
    }

    /// Finds a motion and impulses that are known.
    fn attempt(&mut self, model: &Model, fields: &Fields) -> Rank {
        let [mut y, mut lambda, mut f, mut r] = std::mem::take(&mut self.given);
        let mut seed = 1.0_f64;
        let mut random = || {
            // the golden ratio, over and over: spread evenly, the same always
            seed = (seed * 1.618_033_988_749_895 + 0.137).fract();
            2.0 * seed - 1.0
        };
        y.clear();
        y.extend((0..model.n_v()).map(|_| random()));
        lambda.clear();
        lambda.extend(self.rows.iter().map(|r| random() / r.size));
        fields.spread(model, &y, &mut self.field);
        self.momenta(1.0);
        f.clear();
        f.extend(self.diagonal.iter().zip(&y).map(|(d, y)| d * y));
        for (row, l) in self.rows.iter().zip(&lambda) {
            row.push(false, -l, &mut self.forces, &mut f);
        }
        fields.gather(model, &mut self.forces, &mut f);
        r.clear();
        for (row, l) in self.rows.iter().zip(&lambda) {
            r.push(row.measure(false, &self.field, &y) + row.compliance * l);
        }
        self.solve(model, fields, false, &f, &r);
        let turned = apart(y.iter().copied().zip(self.y.iter().copied()));
        fields.spread(model, &y, &mut self.field);
        fields.spread(model, &self.y, &mut self.moved);
        let there = |k: usize, m: &[Motion]| fields.at(k, m[k], &fields.origin[k]);
        let velocities = (1..model.n_links()).map(|k| (there(k, &self.field), there(k, &self.moved)));
        let found = apart(velocities.flat_map(|(a, b)| (0..3).map(move |i| (a[i], b[i]))));
        let told = self.rows.iter().zip(lambda.iter().zip(&self.lambda));
        let told = told.fold(0.0_f64, |m, (row, (a, b))| m.max((a - b).abs() * row.size));
        self.given = [y, lambda, f, r];
        let finite = self.y.iter().chain(&self.lambda).all(|x| x.is_finite());
        if !finite || found > FOUND || turned > TURNED {
            Rank::Lost
        } else if told <= APART {
            Rank::Full
        } else {
            Rank::Redundant
        }
    }

    /// Forces on links: their momenta in the field, times `sign`.
    fn momenta(&mut self, sign: f64) {
        self.forces.clear();
        self.forces.extend(self.bodies.iter().zip(&self.field).map(|(b, v)| b.momentum(*v) * sign));
    }

    /// Both lines, with A and B in each other's place if `swapped`; the answer in `y` and `lambda`.
    fn solve(&mut self, model: &Model, fields: &Fields, swapped: bool, f: &[f64], r: &[f64]) {
        let (dofs, rows) = (model.n_v(), self.rows.len());
        let Self { y, dy, lambda, rest, .. } = self;
        for (list, n) in [(y, dofs), (dy, dofs), (lambda, rows), (rest, rows)] {
            list.clear();
            list.resize(n, 0.0);
        }
        let mut last = f64::INFINITY;
        for round in 0..ROUNDS {
            fields.spread(model, &self.y, &mut self.field);
            self.momenta(-1.0);
            let Self { rows, lambda, rest, forces, tau, field, moved, y, dy, diagonal, fronts, .. } = self;
            tau.clear();
            tau.extend((0..dofs).map(|k| f[k] - diagonal[k] * y[k]));
            for (i, row) in rows.iter().enumerate() {
                rest[i] = r[i] - row.measure(swapped, field, y) - row.compliance * lambda[i];
                row.push(swapped, lambda[i] + rest[i] / row.soft, forces, tau);
            }
            fronts.solve(model, fields, swapped, (tau, forces), dy, moved);
            for (i, row) in rows.iter().enumerate() {
                lambda[i] += (rest[i] - row.measure(swapped, moved, dy)) / row.soft;
            }
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (y, d) in y.iter_mut().zip(dy.iter()) {
                *y += d;
                change = change.max(d.abs());
                size = size.max(y.abs());
            }
            // where rows let nothing move, against what their impulses alone would do
            let pushed = rows.iter().zip(lambda.iter()).map(|(row, l)| row.size * l.abs());
            size = pushed.fold(size, f64::max);
            let stalled = change <= STALLED * size && change > 0.5 * last;
            if round > 0 && (change <= SETTLED * size || stalled) {
                break;
            }
            last = change;
        }
    }

    /// As [`super::ImplicitSolve::jvp`].
    pub fn jvp(&mut self, model: &Model, fields: &Fields, f: &[f64], r: &mut [f64], dv: &mut [f64]) {
        fields.spread(model, dv, &mut self.field);
        for (row, r) in self.rows.iter().zip(r.iter_mut()) {
            *r -= row.measure(false, &self.field, dv);
        }
        self.solve(model, fields, false, f, r);
        r.copy_from_slice(&self.lambda);
        dv.iter_mut().zip(&self.y).for_each(|(v, y)| *v += y);
    }

    /// As [`super::ImplicitSolve::vjp`]: with A and B in each other's place, M̃ g + Bᵀ z = w, A g = C z.
    pub fn vjp(&mut self, model: &Model, fields: &Fields, w: &mut [f64], f: &mut [f64], r: &mut [f64]) {
        r.fill(0.0);
        self.solve(model, fields, true, w, r);
        f.copy_from_slice(&self.y);
        self.forces.clear();
        self.forces.resize(model.n_links(), Force::zero());
        for (k, row) in self.rows.iter().enumerate() {
            r[k] = -self.lambda[k];
            row.push(true, self.lambda[k], &mut self.forces, w);
        }
        fields.gather(model, &mut self.forces, w);
    }
}

/// Largest difference of pairs, of the largest of the first.
fn apart(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (most, off) = pairs.fold((0.0_f64, 0.0_f64), |(m, o), (a, b)| (m.max(a.abs()), o.max((a - b).abs())));
    off / most.max(NOT_ZERO)
}

/// A body's inertia as a matrix from motions to forces.
fn matrix(body: &Inertia) -> Matrix6<f64> {
    let mut m = Matrix6::zeros();
    for k in 0..6 {
        let x = Motion::from_vector(&Vector6::ith(k, 1.0));
        m.set_column(k, &body.momentum(x).to_vector());
    }
    m
}

#[cfg(test)]
mod tests;

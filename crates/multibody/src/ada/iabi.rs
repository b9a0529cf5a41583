//! Inverse articulated-body inertias between handles [Yamane (9), (10)], with loops closed, and the Delassus matrix.
//!
//! Closing loops with rows B on the handles (B v̇ + κ = 0, κ from velocities alone):
//! ```text
//!     X = Φ Bᵀ,   Λ = B X,   Φ^c = Φ - X Λ⁺ Xᵀ,   φ^c = φ - X Λ⁺ (B φ + κ)
//! ```
//! Λ is singular when loops are redundant; the rank-revealing factor gives the least-norm loop forces.
//! Departure: the papers close loops joint by joint inside the assembly; here all loops are closed at once at the top,
//! where redundancy across loops is visible.

use gudgeon_spatial::{Force, InverseInertia, Matrix6, Motion, Vector6};

use super::assembly::Ada;
use crate::constraint::{ConstraintRows, RankRevealing};
use crate::model::{LinkId, Model, State};
use crate::tolerances::LOOP_NOISE;
use crate::workspace::Workspace;

/// v̇_i = Σ_j Φ_ij f_j + φ_i between handles; each in world axes about the origin of its link.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Iabi {
    n: usize,
    phi: Vec<Matrix6<f64>>,  // n × n, row by row
    bias: Vec<Motion>,       // n
    open: Vec<Matrix6<f64>>, // n × n, Φ before loops are closed; empty without loops
    // loop rows on the ports, kept for the forces on the way down
    rows: Vec<[(usize, Vector6<f64>); 2]>, // usize::MAX is the world
    rest: Vec<f64>,                        // κ
    constraints: ConstraintRows,           // the same rows over the joints, with γ
    closing: RankRevealing,
}

impl Iabi {
    pub(super) fn new(n: usize) -> Self {
        Self { n, phi: vec![Matrix6::zeros(); n * n], bias: vec![Motion::zero(); n], ..Self::default() }
    }

    /// Φ_ij: acceleration of handle i per force on handle j.
    pub fn phi(&self, i: usize, j: usize) -> InverseInertia {
        InverseInertia(self.phi[i * self.n + j])
    }

    /// φ_i: acceleration of handle i when no handle is pushed.
    pub fn bias(&self, i: usize) -> Motion {
        self.bias[i]
    }

    /// W = J Φ Jᵀ for rows given as forces on up to two handles (world axes about their origins); m × m,
    /// column-major [Yamane (13)].
    pub fn delassus(&self, rows: &[[(usize, Force); 2]], w: &mut Vec<f64>) {
        let m = rows.len();
        w.clear();
        w.resize(m * m, 0.0);
        let mut response = vec![Motion::zero(); self.n];
        for (j, row_j) in rows.iter().enumerate() {
            // how every handle answers row j, then what each row sees of it
            for (a, answer) in response.iter_mut().enumerate() {
                *answer = Motion::zero();
                for (b, f) in row_j.iter().filter(|(_, f)| *f != Force::zero()) {
                    *answer += self.phi(a, *b).apply(*f);
                }
            }
            for (i, row_i) in rows[..=j].iter().enumerate() {
                let seen: f64 = row_i.iter().map(|(a, f)| response[*a].dot(*f)).sum();
                w[i * m + j] = seen;
                w[j * m + i] = seen;
            }
        }
    }

    /// B x for a vector over the ports.
    fn rows_times(&self, x: impl Fn(usize) -> Vector6<f64>, out: &mut Vec<f64>) {
        out.clear();
        for row in &self.rows {
            out.push(row.iter().filter(|(p, _)| *p != usize::MAX).map(|(p, f)| f.dot(&x(*p))).sum());
        }
    }
}

impl Ada {
    /// Φ and φ of the open tree at all ports.
    pub(super) fn collect(&mut self, ws: &Workspace) {
        let n = self.ports.len();
        for i in 0..n {
            for j in 0..n {
                self.iabi.phi[i * n + j] = self.open_pair(i, j, ws).0;
            }
            self.iabi.bias[i] = self.open_pair(i, i, ws).1;
        }
    }

    /// Replaces the open Φ and φ by those with all loops closed.
    pub(super) fn close_loops(&mut self, model: &Model, ws: &mut Workspace) {
        self.loop_rows(model, ws);
        let iabi = &mut self.iabi;
        let (n, m) = (iabi.n, iabi.rows.len());
        iabi.open.clear();
        if m == 0 {
            return;
        }
        iabi.open.extend_from_slice(&iabi.phi);

        // X, 6n × m by columns, and Λ = B X
        let mut x = vec![Vector6::zeros(); n * m];
        for (k, row) in iabi.rows.iter().enumerate() {
            for (port, f) in row.iter().filter(|(p, _)| *p != usize::MAX) {
                for i in 0..n {
                    x[k * n + i] += iabi.phi[i * n + port] * f;
                }
            }
        }
        let (mut lambda, mut column) = (Vec::with_capacity(m * m), Vec::new());
        for k in 0..m {
            iabi.rows_times(|p| x[k * n + p], &mut column);
            lambda.extend_from_slice(&column);
        }
        // Λ_ii is a difference of Φ blocks and inherits their rounding: some tens of eps after a dozen joints
        let phi = &iabi.phi;
        let own = |k: usize| -> f64 {
            let ports = iabi.rows[k].iter().filter(|(p, _)| *p != usize::MAX);
            ports.map(|(p, f)| f.dot(&(phi[p * n + p] * f)).abs()).sum()
        };
        iabi.closing.factor(&lambda, m, |k| LOOP_NOISE * own(k));

        // φ first, then Φ column by column
        let mut y = vec![0.0; m];
        iabi.rows_times(|p| iabi.bias[p].to_vector(), &mut column);
        column.iter_mut().zip(&iabi.rest).for_each(|(b, rest)| *b = -(*b + rest));
        iabi.closing.solve(&column, &mut y);
        for port in &mut self.loop_forces {
            *port = Force::zero();
        }
        for (k, row) in iabi.rows.iter().enumerate() {
            for (port, f) in row.iter().filter(|(p, _)| *p != usize::MAX) {
                self.loop_forces[*port] += Force::from_vector(&(f * y[k]));
            }
            for i in 0..n {
                iabi.bias[i] += Motion::from_vector(&(x[k * n + i] * y[k]));
            }
        }
        for j in 0..n {
            for e in 0..6 {
                column.clear();
                column.extend((0..m).map(|k| x[k * n + j][e]));
                iabi.closing.solve(&column, &mut y);
                for i in 0..n {
                    for k in 0..m {
                        let drop = x[k * n + i] * y[k];
                        for r in 0..6 {
                            iabi.phi[i * n + j][(r, e)] -= drop[r];
                        }
                    }
                }
            }
        }
    }

    /// B and κ.
    fn loop_rows(&mut self, model: &Model, ws: &mut Workspace) {
        self.iabi.rows.clear();
        self.iabi.rest.clear();
        if model.loops.is_empty() {
            return;
        }
        // γ = B a_bias + κ, with the link accelerations of q̈ = 0 left in ws
        let constraints = &mut self.iabi.constraints;
        constraints.positions(model, &State::default(), ws);
        constraints.velocity_terms(model, &State::default(), ws);
        let port = |link: LinkId| self.ports.iter().position(|p| *p == link && link != LinkId::WORLD);
        let mut at = 0;
        for l in &model.loops {
            let (a, b) = (port(l.a).unwrap_or(usize::MAX), port(l.b).unwrap_or(usize::MAX));
            for k in 0..l.n_rows() {
                // rows that no joint moves hold nothing, and Λ would be made of their rounding
                if constraints.rows.row(at).0.is_empty() {
                    self.iabi.rest.push(0.0);
                    self.iabi.rows.push([(usize::MAX, Vector6::zeros()); 2]);
                    at += 1;
                    continue;
                }
                let row = l.row(k, ws);
                let moved = ws.a[l.a.0].dot(row.on_a) + ws.a[l.b.0].dot(row.on_b);
                self.iabi.rest.push(constraints.gamma[at] - moved);
                self.iabi.rows.push([(a, row.on_a.to_vector()), (b, row.on_b.to_vector())]);
                at += 1;
            }
        }
    }

    /// Forces on the ports that hold the loops when `handle_forces` act on the handles, into `port_forces`.
    pub(super) fn closing_forces(&mut self, handle_forces: &[Force]) {
        self.port_forces.copy_from_slice(&self.loop_forces);
        if self.iabi.rows.is_empty() || handle_forces.is_empty() {
            return;
        }
        // a handle force f changes the loop forces by -Λ⁺ B Φ f, Φ of the open tree
        let m = self.iabi.rows.len();
        let (mut column, mut y) = (Vec::new(), vec![0.0; m]);
        let pushed: Vec<Vector6<f64>> = (0..self.ports.len())
            .map(|i| {
                (0..self.n_handles.min(handle_forces.len())).fold(Vector6::zeros(), |sum, j| {
                    sum + self.iabi.open[i * self.ports.len() + j] * handle_forces[j].to_vector()
                })
            })
            .collect();
        self.iabi.rows_times(|p| pushed[p], &mut column);
        for b in &mut column {
            *b = -*b;
        }
        self.iabi.closing.solve(&column, &mut y);
        self.add_closing(&y);
    }

    /// Adds `y` of each row's force to the ports.
    fn add_closing(&mut self, y: &[f64]) {
        for (k, row) in self.iabi.rows.iter().enumerate() {
            for (port, f) in row.iter().filter(|(p, _)| *p != usize::MAX) {
                self.port_forces[*port] += Force::from_vector(&(f * y[k]));
            }
        }
    }

    /// True if there is a loop to hold.
    pub(super) fn has_loops(&self) -> bool {
        !self.iabi.rows.is_empty()
    }

    /// Adds to `port_forces` what the accelerations `qdd` leave the loops wanting: y = -Λ⁺ (J q̈ + γ).
    pub(super) fn refine_closing_forces(&mut self, qdd: &[f64]) {
        let c = &self.iabi.constraints;
        let missing: Vec<f64> = (0..c.rows.len()).map(|i| -(c.rows.dot(i, qdd) + c.gamma[i])).collect();
        let mut y = vec![0.0; missing.len()];
        self.iabi.closing.solve(&missing, &mut y);
        self.add_closing(&y);
    }
}

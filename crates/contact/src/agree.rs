//! Normal impulses whose own bounds hold the moments, foretold by Newton's method.
//!
//! An answer under bounds γ N obeys every law but that N is not n. From there the law of its rows as they are, with the
//! moments bound by n itself, is solved on the rows that push:
//! ```text
//!     Δu = W Δx
//!     pressing, sticking, within bounds     u_i stays what it is
//!     friction and rolling, c = μ or ρ, z = x_t - r u_t:
//!         ‖z‖ < c n                         u_t = 0
//!         else                              x_t = c n z/‖z‖
//!     torsion                               likewise, with one row
//! ```
//! Rows at other bounds, and contacts that are open, stay. Nothing here is an answer: the solver has the word under the bounds
//! foretold, and where modes changed beside them another round follows.

use gudgeon_lcp::FactoredRow;

/// Rows up to which a dense elimination costs less than the rounds it saves.
const MOST_ROWS: usize = 120;

/// Newton's steps: directions turn little from one to the next.
const STEPS: usize = 6;

/// Part of the largest normal impulse by which the last step may have moved one: rounding.
const STILL: f64 = 1e-14;

/// Part of a row's own W that is added to it: redundant rows share a change evenly, and W has an inverse.
const GIVE: f64 = 1e-10;

/// Nearer to a bound than this part of it is at the bound; what a solved row may be off its bound is far below.
pub(crate) const AT_BOUND: f64 = 1e-6;

/// What a row that pushes does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Does {
    /// Keeps the velocity it has.
    Holds,
    /// The first of `rows` rows within a disc of radius `coefficient` times the normal impulse of a contact, whose
    /// active row is `normal`, none if it is open.
    Rubs { rows: usize, normal: Option<usize>, coefficient: f64 },
    /// The second row of a disc.
    Follows,
}

/// The rows that push and the memory of their elimination.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreement {
    does: Vec<Does>,
    x: Vec<f64>,
    u: Vec<f64>,
    target: Vec<f64>,     // of u where it is held
    rows: Vec<f64>,       // dense, `width` each
    compliance: Vec<f64>, //
    w: Vec<f64>,          // W
    matrix: Vec<f64>,     // Newton's, eliminated in place
    step: Vec<f64>,
    at: Vec<Option<usize>>, // by contact: the active row of its normal
    y: Vec<f64>,            // Aᵀ x of all rows
    width: usize,
}

impl Agreement {
    /// Forgets all rows.
    pub(crate) fn clear(&mut self, width: usize) {
        self.width = width;
        for list in [&mut self.x, &mut self.u, &mut self.target, &mut self.rows, &mut self.compliance] {
            list.clear();
        }
        self.does.clear();
        self.at.clear();
        self.y.clear();
        self.y.resize(width, 0.0);
    }

    /// A row whose impulse is `x`; what `rests` keeps its velocity wherever it is held.
    pub(crate) fn push(&mut self, row: &FactoredRow<'_>, x: f64, does: Does, rests: bool) {
        let first = self.rows.len();
        self.rows.resize(first + self.width, 0.0);
        let mut u = row.velocity + row.compliance * x;
        for (&dof, a) in row.index.iter().zip(row.value) {
            self.rows[first + dof] = *a;
            u += a * self.y[dof];
        }
        self.u.push(u);
        self.target.push(if rests { u } else { 0.0 });
        self.x.push(x);
        self.compliance.push(row.compliance);
        self.does.push(does);
    }

    /// Adds the motion that an impulse of some row makes; before any row is pushed.
    pub(crate) fn act(&mut self, row: &FactoredRow<'_>, x: f64) {
        row.index.iter().zip(row.value).for_each(|(&dof, a)| self.y[dof] += a * x);
    }

    /// The next row as the normal of the next contact; or that contact is open.
    pub(crate) fn contact(&mut self, pushes: bool) -> Option<usize> {
        self.at.push(pushes.then_some(self.x.len()));
        self.normal(self.at.len() - 1)
    }

    /// The row of a contact's normal, if it pushes.
    pub(crate) fn normal(&self, contact: usize) -> Option<usize> {
        self.at[contact]
    }

    /// The impulse of a contact's normal, N s.
    pub(crate) fn pressed(&self, contact: usize) -> f64 {
        self.at[contact].map_or(0.0, |i| self.x[i].max(0.0))
    }

    /// Newton's steps until nothing moves; false where rows are many or there is no way on.
    pub(crate) fn solve(&mut self) -> bool {
        if self.x.len() > MOST_ROWS {
            return false;
        }
        self.delassus();
        for _ in 0..STEPS {
            let Some(moved) = self.step() else { return false };
            let most = self.at.iter().flatten().fold(0.0_f64, |m, &i| m.max(self.x[i].abs()));
            if moved <= STILL * most {
                break;
            }
        }
        true
    }

    fn delassus(&mut self) {
        let (n, width) = (self.x.len(), self.width);
        self.w.clear();
        self.w.resize(n * n, 0.0);
        for i in 0..n {
            let row = &self.rows[i * width..(i + 1) * width];
            for j in 0..=i {
                let other = &self.rows[j * width..(j + 1) * width];
                let sum = row.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
                self.w[i * n + j] = sum;
                self.w[j * n + i] = sum;
            }
            self.w[i * n + i] += self.compliance[i];
        }
    }

    /// One step; the largest change of a normal impulse that bounds something, or none if there is no way on.
    fn step(&mut self) -> Option<f64> {
        let n = self.x.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.step.clear();
        self.step.resize(n, 0.0);
        for i in 0..n {
            match self.does[i] {
                Does::Holds => self.hold(i),
                Does::Rubs { rows, normal, coefficient } => self.rub(i, rows, normal, coefficient),
                Does::Follows => {}
            }
        }
        if !eliminate(&mut self.matrix, &mut self.step) {
            return None;
        }
        for i in 0..n {
            self.x[i] += self.step[i];
            let row = &self.w[i * n..(i + 1) * n];
            self.u[i] += row.iter().zip(&self.step).map(|(w, x)| w * x).sum::<f64>();
        }
        let moved = self.at.iter().flatten().fold(0.0_f64, |m, &i| m.max(self.step[i].abs()));
        moved.is_finite().then_some(moved)
    }

    /// u_i = its target.
    fn hold(&mut self, i: usize) {
        let n = self.x.len();
        let Self { matrix, w, step, target, u, .. } = self;
        matrix[i * n..(i + 1) * n].copy_from_slice(&w[i * n..(i + 1) * n]);
        matrix[i * n + i] *= 1.0 + GIVE;
        step[i] = target[i] - u[i];
    }

    /// x = c n z/‖z‖ of one or two rows from `i` on, or u = 0 where ‖z‖ ≤ c n; z = x - r u.
    fn rub(&mut self, i: usize, rows: usize, normal: Option<usize>, coefficient: f64) {
        let n = self.x.len();
        let pressed = normal.map_or(0.0, |k| self.x[k].max(0.0));
        let radius = coefficient * pressed;
        let mass = (i..i + rows).map(|k| self.w[k * n + k]).fold(0.0_f64, f64::max);
        let r = if mass > 0.0 { 1.0 / mass } else { 1.0 };
        let z = [0, 1].map(|k| if k < rows { self.x[i + k] - r * self.u[i + k] } else { 0.0 });
        let size = z[0].hypot(z[1]);
        if size < radius {
            (i..i + rows).for_each(|k| self.hold(k));
            return;
        }
        let way = if size > 0.0 { z.map(|z| z / size) } else { [0.0; 2] };
        // how the way turns with z: nothing where there is one row
        let turn = |a: usize, b: usize| {
            let one = if a == b { 1.0 } else { 0.0 };
            if rows == 1 || size == 0.0 { 0.0 } else { radius / size * (one - way[a] * way[b]) }
        };
        for a in 0..rows {
            let row = (i + a) * n;
            self.matrix[row + i + a] += 1.0;
            if let Some(k) = normal {
                self.matrix[row + k] -= coefficient * way[a];
            }
            for b in 0..rows {
                let t = turn(a, b);
                if t != 0.0 {
                    self.matrix[row + i + b] -= t;
                    for j in 0..n {
                        self.matrix[row + j] += t * r * self.w[(i + b) * n + j];
                    }
                }
            }
            self.step[i + a] = radius * way[a] - self.x[i + a];
        }
    }
}

/// A x = b in place, by rows with the largest pivots; false if A is singular to rounding.
fn eliminate(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if a[pivot * n + k] == 0.0 || !a[pivot * n + k].is_finite() {
            return false;
        }
        if pivot != k {
            let (upper, lower) = a.split_at_mut(pivot * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            b.swap(k, pivot);
        }
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let row = &upper[k * n..];
        let (b_k, b_rest) = (b[k], &mut b[k + 1..]);
        for (other, b) in lower.chunks_exact_mut(n).zip(b_rest) {
            let factor = other[k] / row[k];
            if factor != 0.0 {
                other[k + 1..].iter_mut().zip(&row[k + 1..n]).for_each(|(x, y)| *x -= factor * y);
                *b -= factor * b_k;
            }
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        let sum = row[k + 1..].iter().zip(&b[k + 1..]).map(|(a, x)| a * x).sum::<f64>();
        b[k] = (b[k] - sum) / row[k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::eliminate;

    #[test]
    fn elimination_solves_and_tells_what_has_no_inverse() {
        let mut a = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 4.0];
        let mut b = [7.0, 3.0, 15.0];
        assert!(eliminate(&mut a, &mut b));
        for (x, y) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - y).abs() < 1e-14, "{b:?}");
        }
        let mut a = [1.0, 2.0, 2.0, 4.0];
        assert!(!eliminate(&mut a, &mut [1.0, 1.0]));
    }
}

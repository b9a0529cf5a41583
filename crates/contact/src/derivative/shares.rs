//! Loads that nothing determines: of all impulses that hold what is held, the ones that equal small compliances pick.
//!
//! Where rows say nothing new S is singular, S N = 0 and Wᵀ S = 0. If they slide, how they share a load decides the motion. With a small
//! compliance D on the diagonal the answer is unique, and in the limit of D
//! ```text
//!     S x = r,      Wᵀ D x = Wᵀ r            so     x = x_p + N β,    (Wᵀ D N) β = Wᵀ r − Wᵀ D x_p
//! ```
//! Where the loads themselves are the even ones, the answer goes on in orders of D, v + ε v' and r + ε r', and their change follows the rule
//! (`even`): Wᵀ r is rounding, and Wᵀ r', the change of B v', stands in its place. Else the change is the least one from the loads as they
//! are, and neither counts. D is the compliances over ε.

use super::implicit::ImplicitSolve;

/// A block that is singular: where its vectors begin.
#[derive(Debug, Clone, Copy)]
struct Part {
    block: usize,
    n: usize,
    free: usize,
    at: usize,      // in `null` and `left`: `free` vectors of n numbers
    weights: usize, // in `weight`
    small: usize,   // in `small`
    order: usize,   // in `order`
}

/// N, W, D and the factors of Wᵀ D N by singular block, in the scaled rows of the block; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    parts: Vec<Part>,
    null: Vec<f64>,
    left: Vec<f64>,
    weight: Vec<f64>,
    small: Vec<f64>,
    order: Vec<usize>,
    beta: Vec<f64>,
    /// r' of the block at hand, scaled; or the share of it.
    pub(super) stress: Vec<f64>,
    /// Wᵀ r' counts.
    pub(super) even: bool,
}

/// A factored block: P S Q = L U with so many pivots, row-major.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factored<'a> {
    pub(super) block: usize,
    pub(super) lu: &'a [f64],
    pub(super) rank: usize,
    pub(super) rows: &'a [usize],
    pub(super) columns: &'a [usize],
}

impl Factored<'_> {
    /// The null vector that belongs to the column `t` left out, by place.
    pub(super) fn null(&self, t: usize, out: &mut [f64]) {
        let (n, r, columns) = (self.rows.len(), self.rank, self.columns);
        out.fill(0.0);
        out[columns[r + t]] = 1.0;
        for p in (0..r).rev() {
            let row = &self.lu[p * n..(p + 1) * n];
            let sum: f64 = (p + 1..r).map(|q| row[q] * out[columns[q]]).sum();
            out[columns[p]] = -(row[r + t] + sum) / row[p];
        }
    }

    /// The one on the left that belongs to the row `t` left out.
    fn left(&self, t: usize, out: &mut [f64]) {
        let (n, r, rows) = (self.rows.len(), self.rank, self.rows);
        out.fill(0.0);
        out[rows[r + t]] = 1.0;
        for p in (0..r).rev() {
            let sum: f64 = (p + 1..r).map(|k| self.lu[k * n + p] * out[rows[k]]).sum();
            out[rows[p]] = -self.lu[(r + t) * n + p] - sum;
        }
    }
}

impl Shares {
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        let lists = [&mut self.null, &mut self.left, &mut self.weight, &mut self.small];
        lists.into_iter().for_each(Vec::clear);
        self.order.clear();
        self.even = false;
    }

    /// Adds a singular block with the diagonal of D by place; false, with nothing kept, if D does not decide.
    pub(super) fn add(&mut self, f: &Factored<'_>, weight: impl Iterator<Item = f64>) -> bool {
        let n = f.rows.len();
        let free = n - f.rank;
        let (at, small) = (self.null.len(), self.small.len());
        let part =
            Part { block: f.block, n, free, at, weights: self.weight.len(), small, order: self.order.len() };
        self.null.resize(at + free * n, 0.0);
        self.left.resize(at + free * n, 0.0);
        self.weight.extend(weight);
        for t in 0..free {
            let own = at + t * n..at + (t + 1) * n;
            f.null(t, &mut self.null[own.clone()]);
            f.left(t, &mut self.left[own]);
        }
        let d = &self.weight[part.weights..];
        for w in self.left[at..].chunks_exact(n) {
            for v in self.null[at..].chunks_exact(n) {
                self.small.push((0..n).map(|k| w[k] * d[k] * v[k]).sum());
            }
        }
        let decided = factor(&mut self.small[small..], free, &mut self.order);
        if decided {
            self.parts.push(part);
        } else {
            self.null.truncate(at);
            self.left.truncate(at);
            self.weight.truncate(part.weights);
            self.small.truncate(small);
            self.order.truncate(part.order);
        }
        decided
    }

    /// Whether a block has a rule.
    pub(super) fn rules(&self, block: usize) -> bool {
        self.part(block).is_some()
    }

    fn part(&self, block: usize) -> Option<Part> {
        self.parts.iter().find(|p| p.block == block).copied()
    }

    fn factors(&self, p: &Part) -> (&[f64], &[usize]) {
        (&self.small[p.small..p.small + p.free * p.free], &self.order[p.order..p.order + p.free])
    }

    /// x ← N β with (Wᵀ D N) β = Wᵀ x; zero where there is no rule.
    pub(super) fn change(&mut self, block: usize, x: &mut [f64]) {
        let even = std::mem::replace(&mut self.even, true);
        let stress = std::mem::take(&mut self.stress);
        self.stress.extend_from_slice(x);
        self.before(block, x, false);
        x.fill(0.0);
        self.after(block, x, false);
        self.even = even;
        self.stress = stress;
    }

    /// Before the pivots' part of S x = r: keeps Wᵀ r', r' in `stress`. Of Sᵀ y = w: w ← w − D W γ with (Wᵀ D N)ᵀ γ = Nᵀ w.
    pub(super) fn before(&mut self, block: usize, x: &mut [f64], transposed: bool) {
        let Some(p) = self.part(block) else { return };
        let mut beta = std::mem::take(&mut self.beta);
        beta.clear();
        let ends = p.at..p.at + p.free * p.n;
        let along = |v: &[f64], x: &[f64]| v.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        if transposed {
            beta.extend(self.null[ends.clone()].chunks_exact(p.n).map(|v| along(v, x)));
            let (small, order) = self.factors(&p);
            substitute_transposed(small, order, &mut beta);
            let d = &self.weight[p.weights..];
            for (w, g) in self.left[ends].chunks_exact(p.n).zip(&beta) {
                (0..p.n).for_each(|k| x[k] -= d[k] * w[k] * g);
            }
        } else if self.even && !self.stress.is_empty() {
            beta.extend(self.left[ends].chunks_exact(p.n).map(|w| along(w, &self.stress)));
        } else {
            beta.resize(p.free, 0.0);
        }
        self.beta = beta;
    }

    /// After it: x ← x + N β; or the share of r' in `stress`, W γ.
    pub(super) fn after(&mut self, block: usize, x: &mut [f64], transposed: bool) {
        self.stress.resize(if transposed { x.len() } else { 0 }, 0.0);
        let Some(p) = self.part(block) else { return };
        let mut beta = std::mem::take(&mut self.beta);
        let ends = p.at..p.at + p.free * p.n;
        if !transposed {
            let d = &self.weight[p.weights..];
            for (w, b) in self.left[ends.clone()].chunks_exact(p.n).zip(&mut beta) {
                *b -= (0..p.n).map(|k| w[k] * d[k] * x[k]).sum::<f64>();
            }
            let (small, order) = self.factors(&p);
            substitute(small, order, &mut beta);
        }
        let (list, to) = if transposed { (&self.left, &mut self.stress[..]) } else { (&self.null, x) };
        if !transposed || self.even {
            for (v, b) in list[ends].chunks_exact(p.n).zip(&beta) {
                to.iter_mut().zip(v).for_each(|(x, v)| *x += b * v);
            }
        }
        self.beta = beta;
    }
}

impl ImplicitSolve {
    /// Lets rows that say nothing new share a change as these compliances would, by row, of whatever size; where that decides it for all of
    /// them. Their least change from the loads as they are, until [`Self::follow_even`].
    pub fn share(&mut self, soft: &[(usize, f64)]) -> bool {
        self.t.clear();
        self.t.resize(self.len(), 0.0);
        for &(i, c) in soft {
            self.t[i] += c;
        }
        self.shares.clear();
        let mut first = 0;
        for (k, b) in self.blocks.iter().enumerate() {
            let ends = first..first + b.n;
            first += b.n;
            if b.rank == b.n {
                continue;
            }
            let (rows, columns) = (&self.row_of[ends.clone()], &self.column_of[ends]);
            let f = Factored { block: k, lu: &self.lu[b.lu..b.lu + b.n * b.n], rank: b.rank, rows, columns };
            let own = &self.order[b.start..b.start + b.n];
            let weight = |&i: &usize| self.t[i] * self.scale[i] * self.scale[i];
            let most = own.iter().map(weight).fold(0.0, f64::max);
            // rows that move nothing have no scale
            let weight = |i: &usize| if self.scale[*i] == 0.0 { most } else { weight(i) };
            if !self.shares.add(&f, own.iter().map(weight)) {
                self.shares.clear();
                return false;
            }
        }
        true
    }

    /// By how much the impulses would change if what they leave of their rows, `r`, were shared as [`Self::share`] says; the largest.
    pub fn off_even(&mut self, r: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        for (index, b) in self.blocks.iter().enumerate() {
            let (place, y) = (&self.order[b.start..b.start + b.n], &mut self.places);
            y.clear();
            y.extend(place.iter().map(|&i| r[i] * self.scale[i]));
            self.shares.change(index, y);
            let changed = place.iter().zip(y.iter()).map(|(&i, y)| (y * self.scale[i]).abs());
            most = changed.fold(most, |m, x| if m.is_nan() || x.is_nan() { f64::NAN } else { m.max(x) });
        }
        most
    }

    /// Loads of rows that say nothing new are the even ones of [`Self::share`], and stay so.
    pub fn follow_even(&mut self) {
        self.shares.even = true;
    }

    /// Of all x with the same S x, the one of least norm, row by row against its own effective mass: where forces are not
    /// unique, the most evenly spread. Not for inner loops.
    pub fn make_least_norm(&self, x: &mut [f64]) {
        let mut first = 0;
        for (index, b) in self.blocks.iter().enumerate() {
            let (n, r) = (b.n, b.rank);
            let m = &self.lu[b.lu..b.lu + n * n];
            let (rows, columns) = (&self.row_of[first..first + n], &self.column_of[first..first + n]);
            first += n;
            if r == n || self.shares.rules(index) {
                continue;
            }
            let place = |k: usize| self.order[b.start + k];
            let f = Factored { block: index, lu: m, rank: r, rows, columns };
            // null vectors, orthogonal to each other
            let mut null: Vec<Vec<f64>> = Vec::new();
            for t in 0..n - r {
                let mut v = vec![0.0; n];
                f.null(t, &mut v);
                for u in &null {
                    let along: f64 = u.iter().zip(&v).map(|(a, b)| a * b).sum();
                    v.iter_mut().zip(u).for_each(|(a, b)| *a -= along * b);
                }
                let length = v.iter().map(|a| a * a).sum::<f64>().sqrt();
                for a in &mut v {
                    *a /= length;
                }
                null.push(v);
            }
            for u in &null {
                let along: f64 = (0..n).map(|k| u[k] * x[place(k)] / self.scale[place(k)]).sum();
                for k in 0..n {
                    x[place(k)] -= along * u[k] * self.scale[place(k)];
                }
            }
        }
    }
}

/// A pivot this small of the largest entry decides nothing.
const DECIDES: f64 = 1e-9;

/// P A = L U in place, row-major; the exchanges are added to `order`. False if it is singular.
fn factor(a: &mut [f64], n: usize, order: &mut Vec<usize>) -> bool {
    let most = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for c in 0..n {
        let pivot = (c..n).max_by(|p, q| a[p * n + c].abs().total_cmp(&a[q * n + c].abs())).unwrap_or(c);
        order.push(pivot);
        // written so that NaN fails too
        let clear = a[pivot * n + c].abs() > DECIDES * most;
        if !clear {
            return false;
        }
        if pivot != c {
            (0..n).for_each(|k| a.swap(c * n + k, pivot * n + k));
        }
        let (upper, lower) = a.split_at_mut((c + 1) * n);
        for row in lower.chunks_exact_mut(n) {
            let f = row[c] / upper[c * n + c];
            row[c] = f;
            (c + 1..n).for_each(|k| row[k] -= f * upper[c * n + k]);
        }
    }
    true
}

fn substitute(a: &[f64], order: &[usize], x: &mut [f64]) {
    let n = x.len();
    for (k, &p) in order.iter().enumerate() {
        x.swap(k, p);
    }
    for r in 0..n {
        x[r] -= (0..r).map(|k| a[r * n + k] * x[k]).sum::<f64>();
    }
    for r in (0..n).rev() {
        x[r] = (x[r] - (r + 1..n).map(|k| a[r * n + k] * x[k]).sum::<f64>()) / a[r * n + r];
    }
}

fn substitute_transposed(a: &[f64], order: &[usize], x: &mut [f64]) {
    let n = x.len();
    for r in 0..n {
        x[r] = (x[r] - (0..r).map(|k| a[k * n + r] * x[k]).sum::<f64>()) / a[r * n + r];
    }
    for r in (0..n).rev() {
        x[r] -= (r + 1..n).map(|k| a[k * n + r] * x[k]).sum::<f64>();
    }
    for (k, &p) in order.iter().enumerate().rev() {
        x.swap(k, p);
    }
}

#[cfg(test)]
mod tests;

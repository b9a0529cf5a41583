//! The implicit function theorem on the rows that are held, by islands; nothing singular is inverted.
//!
//! With whitened rows â = G⁻¹ aᵀ, b̂ = G⁻¹ bᵀ and S = B̂ Âᵀ + diag(c),
//! ```text
//!     S δλ = r − B (δv_free + M̃⁻¹ f),       δv⁺ = δv_free + M̃⁻¹ (f + Aᵀ δλ)
//! ```
//! Redundant contacts leave S singular: forces are not unique, motion is. S is factored with rook pivoting after
//! scaling to unit size, and rows whose pivots are rounding are left out; they say nothing that the others do not.

use gudgeon_multibody::{MassFactor, Model, Rows, Whitened};

use super::rook::rook;
use super::shares::Shares;

/// Scaled pivots below this are rounding: rows of unit size, some tens of them in an island.
const RANK: f64 = 1e-11;

/// Rows whose inverse effective mass is below this part of the island's largest move nothing but rounding (of 1e-16,
/// squared): across the plane of a planar mechanism. Masses do not differ by as much.
const STILL: f64 = 1e-20;

/// Rows, their factors by island, and scratch; keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct ImplicitSolve {
    held: Rows,                  // b
    pushing: Rows,               // a, where it differs
    differs: Vec<Option<usize>>, // by row: its place in `pushing`
    compliance: Vec<f64>,
    white_b: Whitened,
    white_a: Whitened,
    island: Vec<usize>,           // by row: the first row of its island
    pub(super) order: Vec<usize>, // rows, islands one after another
    pub(super) blocks: Vec<Block>,
    pub(super) lu: Vec<f64>,
    pub(super) row_of: Vec<usize>,    // pivot order to place in block
    pub(super) column_of: Vec<usize>, // likewise
    pub(super) scale: Vec<f64>,       // by row
    owner: Vec<usize>,                // by dof, scratch
    dense: Vec<f64>,
    pub(super) t: Vec<f64>,
    x: Vec<f64>,
    pub(super) places: Vec<f64>, // scratch of a block
    pub(super) shares: Shares,
    deficient: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) start: usize, // in `order`
    pub(super) n: usize,
    pub(super) rank: usize,
    pub(super) lu: usize, // where its matrix begins
}

impl ImplicitSolve {
    /// Forgets the rows.
    pub fn begin(&mut self) {
        self.held.clear();
        self.pushing.clear();
        self.differs.clear();
        self.compliance.clear();
    }

    /// Adds a row that pushes along itself.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (usize, f64)>, compliance: f64) -> usize {
        self.held.push(entries);
        self.differs.push(None);
        self.compliance.push(compliance);
        self.compliance.len() - 1
    }

    /// Adds a row that holds one thing and pushes along another.
    pub fn push_oblique(
        &mut self,
        held: impl IntoIterator<Item = (usize, f64)>,
        pushing: impl IntoIterator<Item = (usize, f64)>,
        compliance: f64,
    ) -> usize {
        self.held.push(held);
        self.differs.push(Some(self.pushing.len()));
        self.pushing.push(pushing);
        self.compliance.push(compliance);
        self.compliance.len() - 1
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.compliance.len()
    }

    /// True if nothing is held.
    pub fn is_empty(&self) -> bool {
        self.compliance.is_empty()
    }

    /// Rows that say nothing new, all islands together.
    pub fn deficient(&self) -> usize {
        self.deficient
    }

    /// Row `i` of what is held.
    pub fn row(&self, i: usize) -> (&[usize], &[f64]) {
        self.held.row(i)
    }

    /// Factors the rows pushed, for dofs that `frozen` says do not answer.
    pub fn factor(&mut self, model: &Model, factor: &MassFactor) {
        self.white_b.compute(model, factor, &self.held);
        self.white_a.compute(model, factor, &self.pushing);
        self.find_islands(model.n_v());
        self.refactor(model.n_v());
    }

    /// The inverse effective mass of row `i`, 1/kg or 1/(kg m²).
    pub fn mobility(&self, i: usize) -> f64 {
        self.white_b.rows.row(i).1.iter().map(|x| x * x).sum()
    }

    fn refactor(&mut self, n_v: usize) {
        self.lu.clear();
        self.scale.clear();
        self.scale.resize(self.len(), 1.0);
        self.row_of.clear();
        self.column_of.clear();
        self.dense.clear();
        self.dense.resize(n_v, 0.0);
        self.deficient = 0;
        self.shares.clear();
        for k in 0..self.blocks.len() {
            self.fill(k);
            self.eliminate(k);
            self.deficient += self.blocks[k].n - self.blocks[k].rank;
        }
    }

    /// Rows that share a dof, once closed towards the root, are of one island.
    fn find_islands(&mut self, n_v: usize) {
        let n = self.len();
        self.island.clear();
        self.island.extend(0..n);
        self.owner.clear();
        self.owner.resize(n_v, usize::MAX);
        for i in 0..n {
            let pushed = self.differs[i].map(|k| self.white_a.rows.row(k).0).unwrap_or_default();
            for &dof in self.white_b.rows.row(i).0.iter().chain(pushed) {
                let other = self.owner[dof];
                if other == usize::MAX {
                    self.owner[dof] = i;
                } else {
                    let (mut a, mut b) = (other, i);
                    while self.island[a] != a {
                        a = self.island[a];
                    }
                    while self.island[b] != b {
                        b = self.island[b];
                    }
                    let (low, high) = (a.min(b), a.max(b));
                    self.island[high] = low;
                }
            }
        }
        for i in 0..n {
            // lower rows are done already
            self.island[i] = self.island[self.island[i]];
        }
        self.order.clear();
        self.order.extend(0..n);
        let island = &self.island;
        self.order.sort_unstable_by_key(|&i| (island[i], i));
        self.blocks.clear();
        let mut start = 0;
        while start < n {
            let first = self.island[self.order[start]];
            let count = self.order[start..].iter().take_while(|&&i| self.island[i] == first).count();
            self.blocks.push(Block { start, n: count, rank: count, lu: 0 });
            start += count;
        }
    }

    fn pushing_row(&self, i: usize) -> (&[usize], &[f64]) {
        self.differs[i].map_or_else(|| self.white_b.rows.row(i), |k| self.white_a.rows.row(k))
    }

    /// The scaled S of one island.
    fn fill(&mut self, k: usize) {
        let Block { start, n, .. } = self.blocks[k];
        let at = self.lu.len();
        self.blocks[k].lu = at;
        self.lu.resize(at + n * n, 0.0);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        for p in 0..n {
            let i = self.order[start + p];
            let size = (square(self.white_b.rows.row(i).1) * square(self.pushing_row(i).1)).sqrt();
            self.scale[i] = size + self.compliance[i];
        }
        let rows = &self.order[start..start + n];
        let most = rows.iter().fold(0.0_f64, |m, &i| m.max(self.scale[i]));
        for &i in rows {
            let size = self.scale[i];
            self.scale[i] = if size > STILL * most { 1.0 / size.sqrt() } else { 0.0 };
        }
        let mut dense = std::mem::take(&mut self.dense);
        for q in 0..n {
            let j = self.order[start + q];
            let (dofs, values) = self.pushing_row(j);
            for (&dof, x) in dofs.iter().zip(values) {
                dense[dof] = *x;
            }
            let straight = self.differs[j].is_none();
            for p in 0..n {
                let i = self.order[start + p];
                if p < q && straight && self.differs[i].is_none() {
                    // both push along what they hold: symmetric
                    self.lu[at + p * n + q] = self.lu[at + q * n + p];
                    continue;
                }
                let mut s = self.white_b.rows.dot(i, &dense);
                if p == q {
                    s += self.compliance[i];
                }
                self.lu[at + p * n + q] = s * self.scale[i] * self.scale[j];
            }
            for &dof in self.pushing_row(j).0 {
                dense[dof] = 0.0;
            }
        }
        self.dense = dense;
    }

    /// LU, row by row in place, with pivots that are the largest of their row and column (rook pivoting); where such a one is
    /// rounding, the largest of all.
    fn eliminate(&mut self, k: usize) {
        let Block { n, lu: at, .. } = self.blocks[k];
        let first = self.row_of.len();
        self.row_of.extend(0..n);
        self.column_of.extend(0..n);
        let (rows, columns) = (&mut self.row_of[first..], &mut self.column_of[first..]);
        let m = &mut self.lu[at..at + n * n];
        self.blocks[k].rank = n;
        for step in 0..n {
            let mut best = rook(m, n, step);
            if best.2 <= RANK {
                for p in step..n {
                    for q in step..n {
                        let x = m[p * n + q].abs();
                        if x > best.2 {
                            best = (p, q, x);
                        }
                    }
                }
            }
            if best.2 <= RANK {
                self.blocks[k].rank = step;
                break;
            }
            if best.0 != step {
                rows.swap(step, best.0);
                for q in 0..n {
                    m.swap(step * n + q, best.0 * n + q);
                }
            }
            if best.1 != step {
                columns.swap(step, best.1);
                for p in 0..n {
                    m.swap(p * n + step, p * n + best.1);
                }
            }
            let (upper, lower) = m.split_at_mut((step + 1) * n);
            let pivot = &upper[step * n..];
            for row in lower.chunks_exact_mut(n) {
                let f = row[step] / pivot[step];
                row[step] = f;
                if f != 0.0 {
                    for q in step + 1..n {
                        row[q] -= f * pivot[q];
                    }
                }
            }
        }
    }

    /// x ← S⁻¹ x on the rows that count, zero on the others or what they share by `stress`, r' by row or nothing; with Sᵀ = Uᵀ Lᵀ in place
    /// of S = L U if `transposed`, and then `stress`, if it is there, becomes the share of r'.
    fn solve(&mut self, x: &mut [f64], stress: &mut [f64], transposed: bool) {
        let mut first = 0;
        for (index, b) in self.blocks.iter().enumerate() {
            let (n, r) = (b.n, b.rank);
            let m = &self.lu[b.lu..b.lu + n * n];
            let (rows, columns) = (&self.row_of[first..first + n], &self.column_of[first..first + n]);
            first += n;
            let (from, to) = if transposed { (columns, rows) } else { (rows, columns) };
            let entry = |p: usize, q: usize| if transposed { m[q * n + p] } else { m[p * n + q] };
            let place = &self.order[b.start..b.start + n];
            let (t, y) = (&mut self.t, &mut self.places);
            y.clear();
            y.extend(place.iter().map(|&i| x[i] * self.scale[i]));
            self.shares.stress.clear();
            if !stress.is_empty() && !transposed {
                self.shares.stress.extend(place.iter().map(|&i| stress[i] * self.scale[i]));
            }
            self.shares.before(index, y, transposed);
            t.clear();
            t.extend(from[..r].iter().map(|&k| y[k]));
            for p in 0..r {
                t[p] -= (0..p).map(|q| entry(p, q) * t[q]).sum::<f64>();
                if transposed {
                    t[p] /= m[p * n + p];
                }
            }
            for p in (0..r).rev() {
                t[p] -= (p + 1..r).map(|q| entry(p, q) * t[q]).sum::<f64>();
                if !transposed {
                    t[p] /= m[p * n + p];
                }
            }
            y.fill(0.0);
            to[..r].iter().zip(t.iter()).for_each(|(&k, t)| y[k] = *t);
            self.shares.after(index, y, transposed);
            place.iter().zip(y.iter()).for_each(|(&i, y)| x[i] = y * self.scale[i]);
            if !stress.is_empty() && transposed {
                place.iter().zip(&self.shares.stress).for_each(|(&i, s)| stress[i] = s * self.scale[i]);
            }
        }
    }

    /// `dv` ← δv⁺ from δv_free in `dv`, generalised impulses in `f` and right-hand sides `r`, which become δλ.
    pub fn jvp(&mut self, model: &Model, factor: &MassFactor, f: &mut [f64], r: &mut [f64], dv: &mut [f64]) {
        self.jvp_under(model, factor, f, (r, &mut []), dv);
    }

    /// As [`Self::jvp`], with right-hand sides of the next order where loads are shared evenly.
    pub fn jvp_under(
        &mut self,
        model: &Model,
        factor: &MassFactor,
        f: &mut [f64],
        (r, stress): (&mut [f64], &mut [f64]),
        dv: &mut [f64],
    ) {
        factor.solve_g(model, f);
        for i in 0..self.len() {
            r[i] -= self.held.dot(i, dv) + self.white_b.rows.dot(i, f);
        }
        self.solve(r, stress, false);
        for i in 0..self.len() {
            if r[i] != 0.0 {
                match self.differs[i] {
                    None => self.white_b.rows.add_to(i, r[i], f),
                    Some(k) => self.white_a.rows.add_to(k, r[i], f),
                }
            }
        }
        factor.solve_gt(model, f);
        dv.iter_mut().zip(f.iter()).for_each(|(v, x)| *v += x);
    }

    /// The transpose: `w` on δv⁺ becomes the share of δv_free, `f` that of the generalised impulses, `r` that of the
    /// right-hand sides.
    pub fn vjp(&mut self, model: &Model, factor: &MassFactor, w: &mut [f64], f: &mut [f64], r: &mut [f64]) {
        self.vjp_under(model, factor, w, f, (r, &mut []));
    }

    /// As [`Self::vjp`], with the share of the right-hand sides of the next order.
    pub fn vjp_under(
        &mut self,
        model: &Model,
        factor: &MassFactor,
        w: &mut [f64],
        f: &mut [f64],
        (r, stress): (&mut [f64], &mut [f64]),
    ) {
        f.copy_from_slice(w);
        factor.solve_g(model, f);
        for i in 0..self.len() {
            r[i] = match self.differs[i] {
                None => self.white_b.rows.dot(i, f),
                Some(k) => self.white_a.rows.dot(k, f),
            };
        }
        let mut x = std::mem::take(&mut self.x);
        x.clear();
        x.extend_from_slice(&r[..self.len()]);
        self.solve(&mut x, stress, true);
        r[..x.len()].copy_from_slice(&x);
        for i in 0..self.len() {
            if r[i] != 0.0 {
                self.white_b.rows.add_to(i, -r[i], f);
                self.held.add_to(i, -r[i], w);
            }
        }
        self.x = x;
        factor.solve_gt(model, f);
    }
}

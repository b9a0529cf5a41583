//! The least motion that opens a few gaps: the dual method of Goldfarb and Idnani (1983).
//!
//! ```text
//!     min ½ yᵀy     subject to     a_kᵀ y + b_k ≥ 0
//! ```
//! From y = 0, which is least of all, one violated row after another is taken in, the worst first; y stays the least motion that
//! the rows of the set A open, with λ ≥ 0 on them, until none is violated. With a_p the row at hand, Q R = [a_k]_A,
//!
//! ```text
//!     d = Qᵀ a_p,   z = a_p − Q d,   r = R⁻¹ d                        what of a_p is new, and what of A it replaces
//!     t = min { λ_k / r_k : r_k > 0 } ∪ { −s_p / zᵀz }                a row of A lets go, or a_p is open
//!     y ← y + t z,   λ_A ← λ_A − t r,   λ_p ← λ_p + t
//! ```
//! Where neither bounds t, rows contradict each other: r is the proof. They are then solved with a compliance ([`GIVE`]), which
//! has one answer whatever the rows, shares what cannot be had among them, and is told apart ([`Opened::Nearly`]).
//!
//! Every step makes yᵀy larger, so no set comes twice. The answer depends on the rows alone, not on what was opened before.
//!
//! | symbol | meaning                                  | shape   |
//! |--------|------------------------------------------|---------|
//! | a_k    | rows, made of size one                   | width   |
//! | s      | A y + b, negative is violated            | rows    |
//! | Q, R   | orthonormal basis of the rows of A, and what they are made of | width × k, k × k |
//!
//! Departure from the paper: the factors of a set that lost a row are made anew from that row on.

/// Rows up to which this is cheaper than anything that is sparse: some ten thousand products in all.
pub(crate) const FEW: usize = 96;

/// What is left of a row of size one beside the others, below which it is a combination of them: files and geometry write
/// directions to seven digits.
const DEPENDENT: f64 = 1e-7;

/// The compliance c of rows of size one that contradict each other.
pub(crate) const GIVE: f64 = 1e-4;

/// The same where that leads deeper. A motion that opens rows by σ of its own size is asked for σ/(σ² + c) of their demand: with [`GIVE`] a ball
/// that is squeezed between races, at normals that differ by a hundredth from opposite ones, is sent sixty times its overlap
/// along its groove, which bends long before. With one as large as the rows nothing goes farther than half their demand, and what
/// opens them straight goes half of its way.
pub(crate) const DAMPED: f64 = 1.0;

/// Part of the largest demand that is rounding.
const ROUNDING: f64 = 1e-13;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opened {
    /// All rows are open.
    All,
    /// They contradict each other: all are as open as a small compliance lets them be.
    Nearly,
    /// Steps ran out.
    No,
}

/// The rows and the scratch memory of their solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Least {
    width: usize,
    rows: Vec<f64>,  // a_k one after another
    sizes: Vec<f64>, // of the rows as they were pushed; 0 of one that moves nothing
    b: Vec<f64>,     // over the size
    dims: usize,     // width, and one for each row where they give
    y: Vec<f64>,
    active: Vec<usize>,
    lambda: Vec<f64>, // by place in `active`
    q: Vec<f64>,      // by place, `dims` each
    r: Vec<f64>,      // columns by place, packed: column k has k + 1 entries
    d: Vec<f64>,
    z: Vec<f64>,
    replaced: Vec<f64>, // r of the head
    behind: Vec<usize>, // rows of the set behind one that goes
    stuck: bool,        // a row that moves nothing asks for motion
}

impl Least {
    /// Forgets the rows.
    pub(crate) fn begin(&mut self, width: usize) {
        self.width = width;
        self.rows.clear();
        self.sizes.clear();
        self.b.clear();
        self.stuck = false;
    }

    /// Adds a row: places and values of a_k, and b_k.
    pub(crate) fn push(&mut self, index: impl Iterator<Item = usize>, value: &[f64], b: f64) {
        let at = self.rows.len();
        self.rows.resize(at + self.width, 0.0);
        let size = dot(value, value).sqrt();
        let scale = if size > 0.0 { 1.0 / size } else { 0.0 };
        for (k, v) in index.zip(value) {
            self.rows[at + k] += v * scale;
        }
        self.sizes.push(size);
        self.b.push(b * scale);
        self.stuck |= size == 0.0 && b < 0.0;
    }

    /// Opens all rows, or as far as a compliance lets them: `giving`, or where they contradict each other [`GIVE`]. Multipliers of the rows
    /// as they were pushed go to `impulses`.
    pub(crate) fn solve(&mut self, giving: Option<f64>, impulses: &mut Vec<f64>) -> Opened {
        self.dims = self.width;
        let mut opened = if giving.is_some() { Opened::Nearly } else { self.run() };
        if opened == Opened::Nearly {
            self.give(giving.unwrap_or(GIVE));
            if self.run() != Opened::All {
                opened = Opened::No;
            }
        }
        impulses.clear();
        impulses.resize(self.sizes.len(), 0.0);
        for (&k, l) in self.active.iter().zip(&self.lambda) {
            impulses[k] = l / self.sizes[k];
        }
        if self.stuck && opened == Opened::All { Opened::Nearly } else { opened }
    }

    /// A column of its own for every row, so that none depends on others.
    fn give(&mut self, compliance: f64) {
        let (n, width) = (self.sizes.len(), self.width);
        self.dims = width + n;
        self.rows.resize(n * self.dims, 0.0);
        for k in (0..n).rev() {
            self.rows.copy_within(k * width..(k + 1) * width, k * self.dims);
            self.rows[k * self.dims + width..(k + 1) * self.dims].fill(0.0);
            self.rows[k * self.dims + width + k] = compliance.sqrt();
        }
    }

    /// The dual method from y = 0.
    fn run(&mut self) -> Opened {
        let n = self.sizes.len();
        self.y.clear();
        self.y.resize(self.dims, 0.0);
        self.active.clear();
        self.lambda.clear();
        self.q.clear();
        self.r.clear();
        let demand = self.b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        for _ in 0..4 * n + 8 {
            let nothing = ROUNDING * (demand + dot(&self.y, &self.y).sqrt());
            let violated = (0..n).filter(|k| self.sizes[*k] > 0.0 && !self.active.contains(k));
            let (mut worst, mut s) = (None, -nothing);
            for k in violated {
                let own = self.slack(k);
                if own < s {
                    (worst, s) = (Some(k), own);
                }
            }
            let Some(p) = worst else {
                self.refine();
                return Opened::All;
            };
            if !self.take_in(p, s) {
                return Opened::Nearly;
            }
        }
        Opened::No
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.rows[k * self.dims..(k + 1) * self.dims]
    }

    fn slack(&self, k: usize) -> f64 {
        dot(self.row(k), &self.y) + self.b[k]
    }

    /// Row p into the set, others out of it where they have to go; false if it contradicts them.
    fn take_in(&mut self, p: usize, mut s: f64) -> bool {
        let mut own = 0.0;
        loop {
            let size = self.split(p);
            let independent = size > DEPENDENT;
            let (mut gone, mut t) = (None, f64::INFINITY);
            for (j, (l, r)) in self.lambda.iter().zip(&self.replaced).enumerate() {
                if *r > 0.0 && l / r < t {
                    (gone, t) = (Some(j), l / r);
                }
            }
            let whole = if independent { -s / (size * size) } else { f64::INFINITY };
            if whole <= t {
                gone = None;
                t = whole;
            }
            if t == f64::INFINITY {
                return false;
            }
            self.lambda.iter_mut().zip(&self.replaced).for_each(|(l, r)| *l -= t * r);
            own += t;
            if independent {
                self.y.iter_mut().zip(&self.z).for_each(|(y, z)| *y += t * z);
                s += t * size * size;
            }
            let Some(j) = gone else {
                self.active.push(p);
                self.lambda.push(own);
                self.append(size);
                return true;
            };
            self.let_go(j);
        }
    }

    /// d, z and r of row p; answers the size of z.
    fn split(&mut self, p: usize) -> f64 {
        let (k, dims) = (self.active.len(), self.dims);
        self.z.clear();
        self.z.extend_from_slice(&self.rows[p * dims..(p + 1) * dims]);
        self.d.clear();
        self.d.resize(k, 0.0);
        // twice: once leaves the rounding of the row itself along Q
        for _ in 0..2 {
            for j in 0..k {
                let q = &self.q[j * dims..(j + 1) * dims];
                let part = dot(q, &self.z);
                self.d[j] += part;
                self.z.iter_mut().zip(q).for_each(|(z, q)| *z -= part * q);
            }
        }
        self.replaced.clear();
        self.replaced.extend_from_slice(&self.d);
        for c in (0..k).rev() {
            let column = &self.r[c * (c + 1) / 2..][..=c];
            let x = self.replaced[c] / column[c];
            self.replaced[c] = x;
            self.replaced[..c].iter_mut().zip(column).for_each(|(v, r)| *v -= x * r);
        }
        dot(&self.z, &self.z).sqrt()
    }

    /// The row that was split last becomes the last column of Q R.
    fn append(&mut self, size: f64) {
        self.q.extend(self.z.iter().map(|z| z / size));
        self.r.extend_from_slice(&self.d);
        self.r.push(size);
    }

    /// Takes the row at place j out of the set.
    fn let_go(&mut self, j: usize) {
        self.active.remove(j);
        self.lambda.remove(j);
        self.q.truncate(j * self.dims);
        self.r.truncate(j * (j + 1) / 2);
        self.behind.clear();
        self.behind.extend(self.active.drain(j..));
        for k in 0..self.behind.len() {
            let size = self.split(self.behind[k]);
            self.append(size);
            self.active.push(self.behind[k]);
        }
    }

    /// What rounding left of the rows of the set: y ← y − Q R⁻ᵀ s, λ ← λ − (RᵀR)⁻¹ s.
    fn refine(&mut self) {
        let k = self.active.len();
        self.d.clear();
        for c in 0..k {
            let column = &self.r[c * (c + 1) / 2..][..=c];
            let s = self.slack(self.active[c]) - dot(&column[..c], &self.d);
            self.d.push(s / column[c]);
        }
        for (j, d) in self.d.iter().enumerate() {
            let q = &self.q[j * self.dims..(j + 1) * self.dims];
            self.y.iter_mut().zip(q).for_each(|(y, q)| *y -= d * q);
        }
        for c in (0..k).rev() {
            let column = &self.r[c * (c + 1) / 2..][..=c];
            let x = self.d[c] / column[c];
            self.d[..c].iter_mut().zip(column).for_each(|(v, r)| *v -= x * r);
            self.lambda[c] = (self.lambda[c] - x).max(0.0);
        }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = [0.0; 4];
    let (xc, yc) = (x.chunks_exact(4), y.chunks_exact(4));
    let tail: f64 = xc.remainder().iter().zip(yc.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xc.zip(yc) {
        for k in 0..4 {
            sum[k] += a[k] * b[k];
        }
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::{Least, Opened};

    /// A number between -1 and 1 that looks like any other.
    fn number(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    type Rows = Vec<(Vec<f64>, f64)>;

    fn solve(rows: &[(Vec<f64>, f64)], width: usize) -> (Opened, Vec<f64>, Vec<f64>) {
        let mut least = Least::default();
        least.begin(width);
        for (a, b) in rows {
            least.push(0..width, a, *b);
        }
        let mut impulses = Vec::new();
        let opened = least.solve(None, &mut impulses);
        let mut y = vec![0.0; width];
        for ((a, _), l) in rows.iter().zip(&impulses) {
            y.iter_mut().zip(a).for_each(|(y, a)| *y += l * a);
        }
        (opened, y, impulses)
    }

    /// Largest violation of any of the conditions of the least motion.
    fn off(rows: &[(Vec<f64>, f64)], y: &[f64], impulses: &[f64]) -> f64 {
        let each = rows.iter().zip(impulses).map(|((a, b), l)| {
            let s: f64 = a.iter().zip(y).map(|(a, y)| a * y).sum::<f64>() + b;
            s.min(*l).abs()
        });
        each.fold(0.0, f64::max)
    }

    #[test]
    fn random_rows_that_can_be_opened_are_and_by_least() {
        let mut seed = 7;
        for case in 0..400 {
            let (width, n) = (3 + case % 17, 1 + case % 40);
            // b such that some y is feasible
            let some: Vec<f64> = (0..width).map(|_| number(&mut seed)).collect();
            let mut rows: Rows = (0..n)
                .map(|_| {
                    let a: Vec<f64> = (0..width).map(|_| number(&mut seed)).collect();
                    let reach: f64 = a.iter().zip(&some).map(|(a, y)| a * y).sum();
                    (a, 0.1 * number(&mut seed).abs() - reach)
                })
                .collect();
            // the same row twice, and one that is two others
            rows.push(rows[0].clone());
            let sum = |k: usize| rows[0].0[k] + rows[n / 2].0[k];
            rows.push(((0..width).map(sum).collect(), rows[0].1 + rows[n / 2].1));
            let (opened, y, impulses) = solve(&rows, width);
            assert_eq!(opened, Opened::All, "{case}");
            let size = impulses.iter().fold(1.0, |m: f64, l| m.max(*l));
            assert!(off(&rows, &y, &impulses) < 1e-11 * size, "{case}: {:e}", off(&rows, &y, &impulses));
        }
    }

    #[test]
    fn rows_that_contradict_each_other_share_what_cannot_be_had() {
        // pushed from both sides, and a third row that has nothing to do with it
        let rows = [(vec![2.0, 0.0], -2.0), (vec![-1.0, 0.0], -3.0), (vec![0.0, 1.0], -1.0)];
        let (opened, y, _) = solve(&rows, 2);
        assert_eq!(opened, Opened::Nearly);
        // in units of the rows: one wants 1, the other 3, from either side
        assert!((y[0] + 1.0).abs() < 1e-3, "{y:?}");
        assert!((y[1] - 1.0).abs() < 1e-3, "{y:?}");
        // nothing moves this one
        let (opened, y, impulses) = solve(&[(vec![0.0, 0.0], -1.0), (vec![0.0, 1.0], -1.0)], 2);
        assert_eq!((opened, impulses[0]), (Opened::Nearly, 0.0));
        assert!((y[1] - 1.0).abs() < 1e-15);
    }
}

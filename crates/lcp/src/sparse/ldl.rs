//! L D Lᵀ of a principal block of a symmetric sparse matrix.
//!
//! Row k of L solves a triangular system with the rows above it, and only the columns on the paths of the elimination
//! tree from its entries to k take part [Liu 1990; Davis 2005]:
//!
//! ```text
//!     L₁₁ y = a_k,      l_ki = y_i/d_i,      d_k = a_kk − Σ_i l_ki y_i
//! ```
//!
//! No pivoting: every d_k has to be positive, which it is where the block is positive definite. The order is that of
//! the list that is given.
//!
//! | above     | here                        | shape    |
//! |-----------|-----------------------------|----------|
//! | L         | `start`, `row`, `value`     | by columns |
//! | d         | `d`                         | k        |
//! | the tree  | `parent`                    | k        |

use super::SparseMatrix;

/// A pivot below this part of its diagonal entry is rounding: the block is singular or not definite.
const SINGULAR: f64 = 1e-13;

const NONE: u32 = u32::MAX;

/// The factors of one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ldl {
    place: Vec<u32>, // n: place of an unknown in the block, or NONE
    start: Vec<usize>,
    row: Vec<u32>,
    value: Vec<f64>,
    d: Vec<f64>,
    parent: Vec<u32>,
    filled: Vec<usize>, // entries so far in each column
    flag: Vec<u32>,
    path: Vec<u32>,
    pattern: Vec<u32>,
    y: Vec<f64>,
}

impl Ldl {
    /// Numbers stored in L.
    pub(crate) fn stored(&self) -> usize {
        self.row.len()
    }

    /// Multiplications of the factorisation, about.
    pub(crate) fn work(&self) -> f64 {
        self.start.windows(2).map(|s| (s[1] - s[0]) as f64).map(|c| c * (c + 1.0)).sum()
    }

    /// Factorises the block of the unknowns in `set`, in that order, with `shift` added to its diagonal; false if it
    /// is not positive definite.
    pub(crate) fn factor(&mut self, a: &SparseMatrix, set: &[u32], shift: impl Fn(usize) -> f64) -> bool {
        self.place.clear();
        self.place.resize(a.n(), NONE);
        set.iter().zip(0_u32..).for_each(|(&j, k)| self.place[j as usize] = k);
        self.grow_tree(a, set);
        self.d.clear();
        self.filled.clear();
        self.filled.extend_from_slice(&self.start[..set.len()]);
        self.y.clear();
        self.y.resize(set.len(), 0.0);
        self.flag.fill(NONE);
        for (&j, k) in set.iter().zip(0_u32..) {
            if !self.add_row(a, j as usize, k, shift(j as usize)) {
                return false;
            }
        }
        true
    }

    /// The elimination tree, and how long each column is.
    fn grow_tree(&mut self, a: &SparseMatrix, set: &[u32]) {
        let m = set.len();
        self.parent.clear();
        self.parent.resize(m, NONE);
        self.flag.clear();
        self.flag.resize(m, NONE);
        self.start.clear();
        self.start.resize(m + 1, 0);
        for (&j, k) in set.iter().zip(0_u32..) {
            self.flag[k as usize] = k;
            for (i, _) in a.column(j as usize) {
                let mut i = self.place[i];
                if i >= k {
                    continue; // outside of the block, or below
                }
                while self.flag[i as usize] != k {
                    let at = i as usize;
                    if self.parent[at] == NONE {
                        self.parent[at] = k;
                    }
                    self.start[at + 1] += 1;
                    self.flag[at] = k;
                    i = self.parent[at];
                }
            }
        }
        for k in 0..m {
            self.start[k + 1] += self.start[k];
        }
        self.row.clear();
        self.row.resize(self.start[m], 0);
        self.value.clear();
        self.value.resize(self.start[m], 0.0);
    }

    fn add_row(&mut self, a: &SparseMatrix, j: usize, k: u32, shift: f64) -> bool {
        let Self { place, start, row, value, d, parent, filled, flag, path, pattern, y } = self;
        let mut diagonal = shift;
        flag[k as usize] = k;
        pattern.clear();
        for (i, v) in a.column(j) {
            let mut i = place[i];
            if i > k {
                continue;
            }
            if i == k {
                diagonal += v;
                continue;
            }
            y[i as usize] += v;
            path.clear();
            while flag[i as usize] != k {
                path.push(i);
                flag[i as usize] = k;
                i = parent[i as usize];
            }
            // later paths end above earlier ones: reversed, columns come before those they change
            while let Some(i) = path.pop() {
                pattern.push(i);
            }
        }
        let mut pivot = diagonal;
        for &i in pattern.iter().rev() {
            let at = i as usize;
            let yi = std::mem::replace(&mut y[at], 0.0);
            let column = start[at]..filled[at];
            for (&r, &l) in row[column.clone()].iter().zip(&value[column]) {
                y[r as usize] -= l * yi;
            }
            let l = yi / d[at];
            pivot -= l * yi;
            row[filled[at]] = k;
            value[filled[at]] = l;
            filled[at] += 1;
        }
        d.push(pivot);
        // written so that NaN is singular
        pivot > SINGULAR * diagonal.abs()
    }

    /// Solves in place for a right-hand side in the order of the set.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        let m = self.d.len();
        for k in 0..m {
            let v = b[k];
            if v != 0.0 {
                let column = self.start[k]..self.start[k + 1];
                for (&i, &l) in self.row[column.clone()].iter().zip(&self.value[column]) {
                    b[i as usize] -= l * v;
                }
            }
        }
        for k in (0..m).rev() {
            let column = self.start[k]..self.start[k + 1];
            let mut v = b[k] / self.d[k];
            for (&i, &l) in self.row[column.clone()].iter().zip(&self.value[column]) {
                v -= l * b[i as usize];
            }
            b[k] = v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_solved_in_any_order_and_an_indefinite_one_refused() {
        let list = [
            (0, 0, 4.0),
            (1, 1, 5.0),
            (2, 2, 6.0),
            (3, 3, -1.0),
            (0, 2, 1.0),
            (2, 0, 1.0),
            (1, 2, 2.0),
            (2, 1, 2.0),
        ];
        let a = SparseMatrix::from_triplets(4, list).unwrap();
        for set in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut ldl = Ldl::default();
            assert!(ldl.factor(&a, &set, |_| 0.0));
            let x = [1.0, -2.0, 3.0];
            let mut b: Vec<f64> = set
                .iter()
                .map(|&i| set.iter().zip(x).map(|(&j, x)| a.entry(i as usize, j as usize) * x).sum())
                .collect();
            ldl.solve(&mut b);
            assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-15), "{b:?}");
        }
        assert!(!Ldl::default().factor(&a, &[0, 3], |_| 0.0));
        assert!(Ldl::default().factor(&a, &[0, 3], |_| 2.0));
    }
}

//! P A Q = L U of a principal block of any sparse matrix, column by column.
//!
//! Column k of the factors solves  L x = a_k; which x are not zero is found first, by walking the columns of L from the
//! entries of a_k [Gilbert and Peierls 1988], so that the work is that of the multiplications. Q is the order of the list
//! that is given; P takes the diagonal where it is not small beside the largest entry.
//!
//! | above | here                                         |
//! |-------|----------------------------------------------|
//! | L     | `l`: rows as places of the block, unit diagonal left out |
//! | U     | `u`: rows as steps, `pivot` its diagonal     |
//! | P     | `step_of`: place ↦ step                      |

use super::SparseMatrix;

/// The diagonal is the pivot unless it is below this part of the largest candidate.
const DIAGONAL: f64 = 0.1;
/// A largest candidate below this part of the column it came from is rounding: the block is singular.
const SINGULAR: f64 = 1e-13;

const NONE: u32 = u32::MAX;

/// A triangle by columns.
#[derive(Debug, Clone, Default)]
struct Triangle {
    start: Vec<usize>,
    row: Vec<u32>,
    value: Vec<f64>,
}

impl Triangle {
    fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.row.clear();
        self.value.clear();
    }

    fn push(&mut self, row: u32, value: f64) {
        self.row.push(row);
        self.value.push(value);
    }

    fn column(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[k]..self.start[k + 1];
        self.row[range.clone()].iter().zip(&self.value[range]).map(|(&i, &v)| (i as usize, v))
    }
}

/// The factors of one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct SparseLu {
    place: Vec<u32>, // n: place in the block, or NONE
    l: Triangle,
    u: Triangle,
    pivot: Vec<f64>,
    step_of: Vec<u32>, // by place
    x: Vec<f64>,       // by place
    seen: Vec<u32>,    // by place: the column that reached it
    reached: Vec<u32>, // places, a column of L before those it changes
    stack: Vec<(u32, usize)>,
}

impl SparseLu {
    /// Numbers stored in both triangles.
    pub(crate) fn stored(&self) -> usize {
        self.l.row.len() + self.u.row.len()
    }

    /// Multiplications of the factorisation, about.
    pub(crate) fn work(&self) -> f64 {
        let columns = self.l.start.windows(2).zip(self.u.start.windows(2));
        columns.map(|(l, u)| ((l[1] - l[0] + 1) * (u[1] - u[0] + 1)) as f64).sum()
    }

    /// Factorises the block of the unknowns in `set`, in that order, with `shift` added to its diagonal; false if it
    /// is singular.
    pub(crate) fn factor(&mut self, a: &SparseMatrix, set: &[u32], shift: impl Fn(usize) -> f64) -> bool {
        let m = set.len();
        self.place.clear();
        self.place.resize(a.n(), NONE);
        set.iter().zip(0_u32..).for_each(|(&j, k)| self.place[j as usize] = k);
        self.l.clear();
        self.u.clear();
        self.pivot.clear();
        for v in [&mut self.step_of, &mut self.seen] {
            v.clear();
            v.resize(m, NONE);
        }
        self.x.clear();
        self.x.resize(m, 0.0);
        set.iter().zip(0_u32..).all(|(&j, k)| self.add_column(a, j as usize, k, shift(j as usize)))
    }

    fn add_column(&mut self, a: &SparseMatrix, j: usize, k: u32, shift: f64) -> bool {
        self.reached.clear();
        let mut size = shift.abs();
        if shift != 0.0 {
            self.reach(k, k);
            self.x[k as usize] += shift;
        }
        for (i, v) in a.column(j) {
            let i = self.place[i];
            if i != NONE {
                self.reach(i, k);
                self.x[i as usize] += v;
                size = size.max(v.abs());
            }
        }
        for r in (0..self.reached.len()).rev() {
            let place = self.reached[r] as usize;
            let step = self.step_of[place];
            if step == NONE {
                continue;
            }
            let v = std::mem::replace(&mut self.x[place], 0.0);
            self.u.push(step, v);
            if v != 0.0 {
                let Self { l, x, .. } = self;
                l.column(step as usize).for_each(|(i, factor)| x[i] -= factor * v);
            }
        }
        let (mut best, mut at) = (0.0, NONE);
        for &place in &self.reached {
            let v = self.x[place as usize].abs();
            if self.step_of[place as usize] == NONE && v > best {
                (best, at) = (v, place);
            }
        }
        // written so that NaN is singular
        if !(best > SINGULAR * size && best.is_finite()) {
            self.reached.iter().for_each(|&i| self.x[i as usize] = 0.0);
            return false;
        }
        let own = self.x[k as usize].abs();
        if self.step_of[k as usize] == NONE && self.seen[k as usize] == k && own >= DIAGONAL * best {
            at = k;
        }
        let pivot = self.x[at as usize];
        self.step_of[at as usize] = k;
        self.pivot.push(pivot);
        for &place in &self.reached {
            let v = std::mem::replace(&mut self.x[place as usize], 0.0);
            if self.step_of[place as usize] == NONE && v != 0.0 {
                self.l.push(place, v / pivot);
            }
        }
        self.l.start.push(self.l.row.len());
        self.u.start.push(self.u.row.len());
        true
    }

    /// Adds to `reached` all places that an entry at this place changes, in reverse of the order of elimination.
    fn reach(&mut self, place: u32, k: u32) {
        if self.seen[place as usize] == k {
            return;
        }
        self.seen[place as usize] = k;
        self.stack.push((place, 0));
        while let Some((place, done)) = self.stack.pop() {
            let step = self.step_of[place as usize];
            let column = if step == NONE {
                &[][..]
            } else {
                &self.l.row[self.l.start[step as usize]..self.l.start[step as usize + 1]]
            };
            let next = column[done..].iter().position(|&i| self.seen[i as usize] != k);
            if let Some(next) = next {
                let child = column[done + next];
                self.stack.push((place, done + next + 1));
                self.seen[child as usize] = k;
                self.stack.push((child, 0));
            } else {
                self.reached.push(place);
            }
        }
    }

    /// Solves in place for a right-hand side in the order of the set.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let m = self.pivot.len();
        self.x.clear();
        self.x.resize(m, 0.0);
        // the row of each step, in the order of steps
        let mut place_of = vec![0; m];
        self.step_of.iter().enumerate().for_each(|(place, &step)| place_of[step as usize] = place);
        for k in 0..m {
            let v = b[place_of[k]];
            self.x[k] = v;
            if v != 0.0 {
                self.l.column(k).for_each(|(i, factor)| b[i] -= factor * v);
            }
        }
        for k in (0..m).rev() {
            let v = self.x[k] / self.pivot[k];
            self.x[k] = v;
            if v != 0.0 {
                let Self { u, x, .. } = self;
                u.column(k).for_each(|(i, factor)| x[i] -= factor * v);
            }
        }
        b.copy_from_slice(&self.x);
        self.x.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [−1, 1) that never change.
    fn noise(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    #[test]
    fn random_blocks_are_solved_with_zero_diagonals_too() {
        let mut state = 7;
        for round in 0..200 {
            let n = 1 + round % 40;
            let entries = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let list: Vec<_> = entries
                .map(|(i, j)| (i, j, noise(&mut state)))
                .filter(|&(i, j, v)| (i != j && v.abs() < 0.2) || (i == j && v > 0.0) || (i + 1) % n == j)
                .collect();
            let a = SparseMatrix::from_triplets(n, list).unwrap();
            let set: Vec<u32> = (0..u32::try_from(n).unwrap()).rev().collect();
            let mut lu = SparseLu::default();
            if !lu.factor(&a, &set, |_| 0.0) {
                continue;
            }
            let x: Vec<f64> = (0..n).map(|_| noise(&mut state)).collect();
            let mut w = Vec::new();
            a.affine(&x, &vec![0.0; n], &mut w);
            let mut b: Vec<f64> = set.iter().map(|&i| w[i as usize]).collect();
            lu.solve(&mut b);
            let off = set.iter().zip(&b).map(|(&i, b)| (b - x[i as usize]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{n}: {off}");
        }
    }

    #[test]
    fn dependent_columns_are_singular() {
        let a = SparseMatrix::from_triplets(2, [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)]).unwrap();
        assert!(!SparseLu::default().factor(&a, &[0, 1], |_| 0.0));
        assert!(SparseLu::default().factor(&a, &[0, 1], |_| 1e-3));
    }
}

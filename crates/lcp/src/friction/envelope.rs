//! Cholesky of a sparse symmetric matrix by its envelope: row i is kept from its first entry to the diagonal.
//!
//! ```text
//!     H + ε 1 = L Lᵀ,      l_ij = (h_ij − Σ_k l_ik l_jk) / l_jj        k from the later of the two first entries
//! ```
//!
//! Neighbours in the numbering that touch each other make a narrow envelope: a wall of 30 bricks, 180 wide, keeps
//! about 25 entries per row. A tree whose links all hang together fills it, at the price of a dense factorisation.

use crate::clock::Clock;
use crate::kernel::{Triangle, axpy, cholesky, solve_one, solve_rows};

/// The lower triangle, row by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Envelope {
    first: Vec<usize>, // by row: the column of its first entry
    start: Vec<usize>, // by row: where its entries start; one more at the end
    l: Vec<f64>,       // once factorised the diagonal holds its inverse
}

impl Envelope {
    /// A matrix of this size whose entries off the diagonal are all zero.
    pub(crate) fn clear(&mut self, n: usize) {
        self.first.clear();
        self.first.extend(0..n);
    }

    /// Rows from `from` to `to` will have entries from column `lo` on.
    pub(crate) fn reach(&mut self, lo: usize, from: usize, to: usize) {
        for first in &mut self.first[from..to] {
            *first = lo.min(*first);
        }
    }

    /// The entries from the first of each row to the diagonal.
    pub(crate) fn entries(&self) -> usize {
        self.first.iter().enumerate().map(|(i, first)| i + 1 - first).sum()
    }

    /// Makes room for the entries, all of them zero; false if time was up before.
    pub(crate) fn open(&mut self, clock: &Clock) -> bool {
        self.start.clear();
        let mut end = 0;
        for (i, first) in self.first.iter().enumerate() {
            self.start.push(end);
            end += i + 1 - first;
        }
        self.start.push(end);
        clock.zeros(&mut self.l, end)
    }

    /// Adds v vᵀ for a sparse v of runs in ascending order.
    #[inline]
    pub(crate) fn add<'a>(&mut self, runs: &(impl Iterator<Item = (usize, &'a [f64])> + Clone)) {
        for (at, values) in runs.clone() {
            for (k, &f) in values.iter().enumerate() {
                let i = at + k;
                let (first, start) = (self.first[i], self.start[i]);
                let row = &mut self.l[start..=start + i - first];
                for (before, others) in runs.clone().take_while(|r| r.0 < at) {
                    let row = &mut row[before - first..before - first + others.len()];
                    // a free body is a run of six
                    if let (Ok(row), Ok(v)) =
                        (<&mut [f64; 6]>::try_from(&mut *row), <&[f64; 6]>::try_from(others))
                    {
                        for k in 0..6 {
                            row[k] += f * v[k];
                        }
                    } else {
                        axpy(f, others, row);
                    }
                }
                let row = &mut row[at - first..];
                row.iter_mut().zip(values).for_each(|(h, v)| *h += f * v);
            }
        }
    }

    /// Factorises with `shift` on the diagonal; false if a pivot is not positive, or time is up.
    pub(crate) fn factor(&mut self, shift: f64, clock: &Clock) -> bool {
        cholesky(&self.first, &self.start, &mut self.l, shift, clock)
    }

    /// x ← (H + ε)⁻¹ x
    pub(crate) fn solve(&self, x: &mut [f64]) {
        solve_one(self.triangle(), x);
    }

    /// X ← f (H + ε)⁻¹ X for an X by rows of m.
    pub(crate) fn solve_many(&self, x: &mut [f64], m: usize, f: f64) {
        solve_rows(self.triangle(), x, m, f);
    }

    fn triangle(&self) -> Triangle<'_> {
        Triangle { first: &self.first, start: &self.start, l: &self.l }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_factorised_inside_its_envelope_and_solved() {
        let rows: [&[(usize, &[f64])]; 4] = [
            &[(0, &[1.0, 2.0])],
            &[(1, &[-1.0]), (3, &[0.5, 1.0])],
            &[(3, &[2.0, 1.0])],
            &[(0, &[0.3]), (2, &[0.7])],
        ];
        let mut h = [[0.0; 5]; 5];
        let mut envelope = Envelope::default();
        envelope.clear(5);
        for runs in rows {
            for &(at, v) in runs {
                envelope.reach(runs[0].0, at, at + v.len());
            }
        }
        let clock = Clock::default();
        assert!(envelope.open(&clock));
        for runs in rows {
            envelope.add(&runs.iter().copied());
            let mut dense = [0.0; 5];
            for &(at, v) in runs {
                dense[at..at + v.len()].copy_from_slice(v);
            }
            for i in 0..5 {
                (0..5).for_each(|j| h[i][j] += dense[i] * dense[j]);
            }
        }
        assert!(envelope.factor(0.1, &clock));
        let x = [1.0, -2.0, 3.0, 0.5, 0.0];
        let mut b: Vec<f64> =
            (0..5).map(|i| 0.1 * x[i] + (0..5).map(|j| h[i][j] * x[j]).sum::<f64>()).collect();
        envelope.solve(&mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-13), "{b:?}");
        // two at once, the second one turned round
        let mut many: Vec<f64> = (0..5)
            .flat_map(|i| {
                let sum = 0.1 * x[i] + (0..5).map(|j| h[i][j] * x[j]).sum::<f64>();
                [sum, -2.0 * sum]
            })
            .collect();
        envelope.solve_many(&mut many, 2, 3.0);
        for i in 0..5 {
            assert!((many[2 * i] - 3.0 * x[i]).abs() < 1e-12, "{many:?}");
            assert!((many[2 * i + 1] + 6.0 * x[i]).abs() < 1e-12, "{many:?}");
        }
    }
}

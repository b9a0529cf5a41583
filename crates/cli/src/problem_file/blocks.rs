//! A sparse square matrix as dense blocks on the diagonal, and their LU factors.

use super::error::FileError;
use super::sparse::Triplets;

/// The greatest block that is factored: 4096³/3 products take some ten seconds.
const MAX_BLOCK: usize = 4096;

/// Blocks on the diagonal, in order, each column-major with its size; and P A = L U of each.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    dense: Vec<(usize, Vec<f64>)>,
    factors: Vec<Vec<f64>>,
    swaps: Vec<Vec<usize>>,
}

impl Blocks {
    /// Finds the smallest blocks that hold all entries, and factors them.
    pub(crate) fn new(n: usize, matrix: &Triplets) -> Result<Self, FileError> {
        // reach[i]: the last row that must be in one block with i
        let mut reach: Vec<usize> = (0..n).collect();
        for (i, j, _) in matrix.entries() {
            let (first, last) = (i.min(j), i.max(j));
            reach[first] = reach[first].max(last);
        }
        let mut start_of = vec![0; n];
        let mut starts = Vec::new();
        let mut end = 0;
        for i in 0..n {
            if i == end {
                starts.push(i);
            }
            start_of[i] = starts.len() - 1;
            end = end.max(reach[i] + 1);
        }
        starts.push(n);
        let sizes: Vec<usize> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if let Some(size) = sizes.iter().find(|&&size| size > MAX_BLOCK) {
            let found = format!("coupled over {size} rows");
            return Err(FileError::field("", found, format!("blocks of at most {MAX_BLOCK}")));
        }
        let mut dense: Vec<(usize, Vec<f64>)> = sizes.iter().map(|&k| (k, vec![0.0; k * k])).collect();
        for (i, j, x) in matrix.entries() {
            let block = start_of[i];
            let (start, size) = (starts[block], sizes[block]);
            dense[block].1[(j - start) * size + i - start] += x;
        }
        let mut blocks = Self { dense, factors: Vec::new(), swaps: Vec::new() };
        for (block, (size, a)) in blocks.dense.iter().enumerate() {
            let mut factor = a.clone();
            let swaps = lu(&mut factor, *size).ok_or_else(|| {
                FileError::field("", format!("singular in block {block}"), "a regular matrix")
            })?;
            blocks.factors.push(factor);
            blocks.swaps.push(swaps);
        }
        Ok(blocks)
    }

    /// The blocks themselves.
    pub(crate) fn dense(&self) -> &[(usize, Vec<f64>)] {
        &self.dense
    }

    /// x ← A⁻¹ x
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let mut start = 0;
        for ((size, _), (a, swaps)) in self.dense.iter().zip(self.factors.iter().zip(&self.swaps)) {
            let n = *size;
            let x = &mut x[start..start + n];
            start += n;
            if x.iter().all(|&v| v == 0.0) {
                continue;
            }
            for j in 0..n {
                x.swap(j, swaps[j]);
                for i in j + 1..n {
                    x[i] -= a[j * n + i] * x[j];
                }
            }
            for j in (0..n).rev() {
                x[j] /= a[j * n + j];
                for i in 0..j {
                    x[i] -= a[j * n + i] * x[j];
                }
            }
        }
    }
}

/// P A = L U in place with partial pivoting; the row that each row was swapped with, or none if singular.
fn lu(a: &mut [f64], n: usize) -> Option<Vec<usize>> {
    let mut swaps = Vec::with_capacity(n);
    for j in 0..n {
        let pivot = (j..n).max_by(|&p, &q| a[j * n + p].abs().total_cmp(&a[j * n + q].abs()))?;
        let largest = a[j * n + pivot];
        if largest == 0.0 || !largest.is_finite() {
            return None;
        }
        swaps.push(pivot);
        (0..n).for_each(|k| a.swap(k * n + j, k * n + pivot));
        for i in j + 1..n {
            a[j * n + i] /= largest;
        }
        let (done, rest) = a.split_at_mut((j + 1) * n);
        let lower = &done[j * n + j + 1..];
        for column in rest.chunks_exact_mut(n) {
            let f = column[j];
            if f != 0.0 {
                column[j + 1..].iter_mut().zip(lower).for_each(|(x, l)| *x -= f * l);
            }
        }
    }
    Some(swaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_and_solved() {
        // rows 0 and 2 are coupled, so 1 is in between; row 3 stands alone
        let matrix = Triplets {
            rows: vec![0, 0, 1, 2, 2, 3],
            cols: vec![0, 2, 1, 0, 2, 3],
            values: vec![1.0, 2.0, 4.0, 3.0, 4.0, 5.0],
        };
        let blocks = Blocks::new(4, &matrix).unwrap();
        assert_eq!(blocks.dense().iter().map(|b| b.0).collect::<Vec<_>>(), [3, 1]);
        let mut x = [5.0, 8.0, 11.0, 10.0];
        blocks.solve(&mut x);
        let expected = [1.0, 2.0, 2.0, 2.0];
        assert!(x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{x:?}");
    }

    #[test]
    fn a_singular_block_is_named() {
        let matrix = Triplets { rows: vec![0], cols: vec![0], values: vec![1.0] };
        assert!(Blocks::new(2, &matrix).is_err());
    }
}

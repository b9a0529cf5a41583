//! Sparse matrices as lists of entries, and as dense ones.

/// Entries at (rows[k], cols[k]); a place named twice holds the sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Triplets {
    pub(crate) rows: Vec<usize>,
    pub(crate) cols: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

impl Triplets {
    /// The entries as (row, column, value).
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.rows.iter().zip(&self.cols).zip(&self.values).map(|((&i, &j), &x)| (i, j, x))
    }

    /// Dense, by columns. Indices must be in range.
    pub(crate) fn dense(&self, m: usize, n: usize) -> Vec<f64> {
        let mut dense = vec![0.0; m * n];
        for (i, j, x) in self.entries() {
            let slot = &mut dense[j * m + i];
            // the first entry is kept to the bit, a negative zero too
            *slot = if *slot == 0.0 { x } else { *slot + x };
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_named_twice_is_summed() {
        let t = Triplets { rows: vec![0, 1, 0], cols: vec![1, 0, 1], values: vec![2.0, -0.0, 3.0] };
        let dense = t.dense(2, 2);
        assert_eq!(dense, [0.0, 0.0, 5.0, 0.0]);
        assert!(dense[1].is_sign_negative());
    }
}

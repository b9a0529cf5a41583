//! Small linear programs, for limits that are known as such: the simplex method on a dense tableau, in two phases.
//!
//! ```text
//!     minimise c·x   such that   A x = b,  x ≥ 0
//! ```
//! It shares no code with the solvers that are judged by it. The entering column has the most negative cost; after as many
//! steps as there are columns without a gain it is the first negative one (Bland), which cannot cycle.

/// A linear program in standard form, column by column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinearProgram {
    columns: Vec<Vec<f64>>,
    costs: Vec<f64>,
    right: Vec<f64>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// Sum of what is left of |A x - b| at its least; above rounding, nothing satisfies the equations.
    pub infeasible: f64,
    /// c·x.
    pub value: f64,
    /// The minimiser.
    pub x: Vec<f64>,
}

/// Reduced costs and pivots below this are rounding; callers scale their rows to one.
const TINY: f64 = 1e-12;

impl LinearProgram {
    /// With this right side.
    pub fn new(right: Vec<f64>) -> Self {
        Self { columns: Vec::new(), costs: Vec::new(), right }
    }

    /// Adds an unknown.
    pub fn column(&mut self, cost: f64, column: Vec<f64>) {
        assert_eq!(column.len(), self.right.len(), "a number for every row");
        self.columns.push(column);
        self.costs.push(cost);
    }

    /// Solves it.
    pub fn minimise(&self) -> Optimum {
        let mut tableau = Tableau::new(self);
        let n = self.columns.len();
        let phase_one: Vec<f64> = (0..n + self.right.len()).map(|j| f64::from(u8::from(j >= n))).collect();
        let infeasible = tableau.descend(&phase_one, n + self.right.len());
        let mut costs = self.costs.clone();
        costs.resize(n + self.right.len(), 0.0);
        let value = tableau.descend(&costs, n);
        let mut x = vec![0.0; n];
        for (row, &j) in tableau.basis.iter().enumerate() {
            if j < n {
                x[j] = tableau.rows[row][tableau.width];
            }
        }
        Optimum { infeasible, value, x }
    }
}

struct Tableau {
    rows: Vec<Vec<f64>>, // B⁻¹ [A I b]
    basis: Vec<usize>,
    width: usize,
}

impl Tableau {
    fn new(program: &LinearProgram) -> Self {
        let (m, n) = (program.right.len(), program.columns.len());
        let rows = (0..m)
            .map(|i| {
                let sign = if program.right[i] < 0.0 { -1.0 } else { 1.0 };
                let mut row: Vec<f64> = program.columns.iter().map(|c| sign * c[i]).collect();
                row.extend((0..m).map(|k| f64::from(u8::from(k == i))));
                row.push(sign * program.right[i]);
                row
            })
            .collect();
        Self { rows, basis: (n..n + m).collect(), width: n + m }
    }

    /// Goes down along edges until no column gains; only the first `open` columns may enter.
    fn descend(&mut self, costs: &[f64], open: usize) -> f64 {
        let mut reduced: Vec<f64> = costs.to_vec();
        reduced.push(0.0);
        for (row, &j) in self.rows.iter().zip(&self.basis) {
            subtract(&mut reduced, row, costs[j]);
        }
        let (mut idle, mut last) = (0, f64::INFINITY);
        while let Some(column) = entering(&reduced[..open], idle > self.width) {
            let Some(row) = self.leaving(column) else { return f64::NEG_INFINITY };
            self.exchange(row, column);
            let gain = reduced[column];
            subtract(&mut reduced, &self.rows[row], gain);
            let value = -reduced[self.width];
            idle = if value < last { 0 } else { idle + 1 };
            last = value;
        }
        -reduced[self.width]
    }

    /// The row with the least ratio, of ties the one with the largest pivot.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<(f64, f64, usize)> = None;
        for (i, row) in self.rows.iter().enumerate() {
            let pivot = row[column];
            if pivot > 1e3 * TINY {
                let ratio = row[self.width].max(0.0) / pivot;
                if best.is_none_or(|(r, p, _)| ratio < r - TINY || (ratio < r + TINY && pivot > p)) {
                    best = Some((ratio, pivot, i));
                }
            }
        }
        best.map(|(_, _, i)| i)
    }

    fn exchange(&mut self, row: usize, column: usize) {
        let pivot = self.rows[row][column];
        self.rows[row].iter_mut().for_each(|x| *x /= pivot);
        let chosen = std::mem::take(&mut self.rows[row]);
        for other in &mut self.rows {
            if let Some(&factor) = other.get(column) {
                subtract(other, &chosen, factor);
            }
        }
        self.rows[row] = chosen;
        self.basis[row] = column;
    }
}

fn entering(reduced: &[f64], first: bool) -> Option<usize> {
    let mut negative = reduced.iter().enumerate().filter(|(_, c)| **c < -TINY);
    if first {
        return negative.next().map(|(j, _)| j);
    }
    negative.min_by(|a, b| a.1.total_cmp(b.1)).map(|(j, _)| j)
}

fn subtract(from: &mut [f64], row: &[f64], factor: f64) {
    if factor != 0.0 {
        from.iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_program_has_its_textbook_optimum() {
        // max 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6)
        let mut program = LinearProgram::new(vec![4.0, 12.0, 18.0]);
        program.column(-3.0, vec![1.0, 0.0, 3.0]);
        program.column(-5.0, vec![0.0, 2.0, 2.0]);
        for k in 0..3 {
            program.column(0.0, (0..3).map(|i| f64::from(u8::from(i == k))).collect());
        }
        let best = program.minimise();
        assert!((best.value + 36.0).abs() < 1e-12 && best.infeasible.abs() < 1e-12, "{best:?}");
        assert!((best.x[0] - 2.0).abs() < 1e-12 && (best.x[1] - 6.0).abs() < 1e-12);
    }

    #[test]
    fn equations_that_cannot_hold_are_told() {
        // x + y = 1 and x + y = 2
        let mut program = LinearProgram::new(vec![1.0, 2.0]);
        program.column(0.0, vec![1.0, 1.0]);
        program.column(0.0, vec![1.0, 1.0]);
        assert!((program.minimise().infeasible - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_program_that_cycles_by_the_largest_cost_ends() {
        // Beale's
        let mut program = LinearProgram::new(vec![0.0, 0.0, 1.0]);
        for (cost, column) in [
            (-0.75, vec![0.25, 0.5, 0.0]),
            (150.0, vec![-60.0, -90.0, 0.0]),
            (-0.02, vec![-0.04, -0.02, 1.0]),
            (6.0, vec![9.0, 3.0, 0.0]),
        ] {
            program.column(cost, column);
        }
        for k in 0..3 {
            program.column(0.0, (0..3).map(|i| f64::from(u8::from(i == k))).collect());
        }
        assert!((program.minimise().value + 0.05).abs() < 1e-12);
    }
}

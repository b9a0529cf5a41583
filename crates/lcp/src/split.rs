//! Each independent part of a problem as a problem of its own.
//!
//! A part knows nothing of the sizes of the others: solved alone, it is solved in its own units.

use crate::parts::parts;
use crate::problem::{Lcp, Mlcp};

/// The rows of each part; one list if all rows are connected.
fn lists(part: &[usize]) -> Vec<Vec<usize>> {
    let count = part.iter().max().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); count];
    part.iter().enumerate().for_each(|(i, &p)| rows[p].push(i));
    rows
}

/// The parts of a standard problem, with their rows.
pub(crate) fn split_lcp(lcp: &Lcp) -> Vec<(Vec<usize>, Lcp)> {
    let rows = lists(&parts(lcp.n(), |i, j| lcp.entry(i, j) != 0.0));
    let cut = |rows: Vec<usize>| {
        let m = rows.iter().flat_map(|&j| rows.iter().map(move |&i| lcp.entry(i, j))).collect();
        let q = rows.iter().map(|&i| lcp.q()[i]).collect();
        Lcp::from_column_major(m, q).ok().map(|part| (rows, part))
    };
    rows.into_iter().filter_map(cut).collect()
}

/// The parts of a boxed problem, with their rows.
pub(crate) fn split_mlcp(mlcp: &Mlcp) -> Vec<(Vec<usize>, Mlcp)> {
    let rows = lists(&parts(mlcp.n(), |i, j| mlcp.entry(i, j) != 0.0 || mlcp.findex()[i] == Some(j)));
    let cut = |rows: Vec<usize>| {
        let a = rows.iter().flat_map(|&j| rows.iter().map(move |&i| mlcp.entry(i, j))).collect();
        let pick = |v: &[f64]| rows.iter().map(|&i| v[i]).collect::<Vec<_>>();
        let (b, lo, hi) = (pick(mlcp.b()), pick(mlcp.lo()), pick(mlcp.hi()));
        let place = |f: usize| rows.iter().position(|&i| i == f);
        let findex = rows.iter().map(|&i| mlcp.findex()[i].and_then(place)).collect();
        let part = Mlcp::from_column_major(a, b, lo, hi).ok()?.with_friction_index(findex).ok()?;
        Some((rows, part))
    };
    rows.into_iter().filter_map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_comes_apart_into_its_blocks() {
        let m = [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
        let lcp = Lcp::from_rows(&m, vec![-1.0, -2.0, -3.0]).unwrap();
        let split = split_lcp(&lcp);
        assert_eq!(split.iter().map(|(rows, _)| rows.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
        assert_eq!((split[0].1.entry(0, 1), split[0].1.q()), (2.0, &[-1.0, -3.0][..]));
        let boxed = Mlcp::from_rows(&m, vec![0.0; 3], vec![0.0, -1.0, 0.0], vec![1.0; 3]).unwrap();
        let boxed = boxed.with_friction_index(vec![None, Some(0), None]).unwrap();
        assert_eq!(split_mlcp(&boxed).len(), 1);
    }
}

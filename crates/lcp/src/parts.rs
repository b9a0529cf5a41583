//! Independent parts of rows.
//!
//! Rows are connected where one moves the other (A_ij ≠ 0 or A_ji ≠ 0) or bounds it.

/// The connected parts of n rows: for each row the number of its part, counted in the order of their first rows.
/// `linked` is asked both ways.
pub(crate) fn parts(n: usize, linked: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut part = vec![usize::MAX; n];
    let mut queue = Vec::with_capacity(n);
    let mut count = 0;
    for first in 0..n {
        if part[first] != usize::MAX {
            continue;
        }
        part[first] = count;
        queue.push(first);
        while let Some(i) = queue.pop() {
            for j in 0..n {
                if part[j] == usize::MAX && (linked(i, j) || linked(j, i)) {
                    part[j] = count;
                    queue.push(j);
                }
            }
        }
        count += 1;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_by_their_first_rows() {
        let linked = |i: usize, j: usize| (i, j) == (0, 3) || (i, j) == (4, 1);
        assert_eq!(parts(5, linked), [0, 1, 2, 0, 1]);
    }
}

//! Bimatrix games by the path of Lemke and Howson [1964].
//!
//! ```text
//!     M = [0 A; Bᵀ 0],   A, B > 0,   q < 0
//! ```
//!
//! always has a solution, and Lemke's path from the artificial variable never finds it: M is copositive, but z = (x, 0)
//! solves the homogeneous problem with qᵀ z < 0, so every such path ends on a ray. Here no variable is artificial.
//! One pair k may be out of order; z_k and the best reply to it make a feasible start:
//!
//! - z_k enters at the row r of the other block with the largest −q_r/M_rk, then z_r at the row l of its own block
//!   with the largest −q_l/M_lr: all slacks are now ≥ 0, and z_k, w_k are both basic unless l = k;
//! - from then on the complement of what left enters, until z_k or w_k leaves.
//!
//! There are n such paths, one per k, each ending in a solution where nothing is degenerate; ties go to a generic
//! perturbation p, whose column is carried in the place of the covering vector.

use super::tree::{mix, unit_interval};
use crate::clock::Clock;
use crate::observer::Variable;
use crate::problem::Lcp;
use crate::tableau::Tableau;

/// Ratios that differ by less are tied: rounding of a path of a few hundred exchanges.
const TIED: f64 = 1e-9;
/// Entries below this part of their column's largest are no pivots.
const PIVOT: f64 = 1e-10;

/// Whose strategy each unknown is (true for the second player), if this is a game.
pub(super) fn players(lcp: &Lcp) -> Option<Vec<bool>> {
    let n = lcp.n();
    let second: Vec<bool> = (0..n).map(|j| lcp.entry(0, j) != 0.0).collect();
    let fits = |i: usize, j: usize| {
        if second[i] == second[j] { lcp.entry(i, j) == 0.0 } else { lcp.entry(i, j) > 0.0 }
    };
    let game = lcp.q().iter().all(|&q| q < 0.0) && (0..n).all(|j| (0..n).all(|i| fits(i, j)));
    (game && second.contains(&true)).then_some(second)
}

/// The complementary basis at the end of the path that lets pair k go; none if it does not end.
pub(super) fn follow(
    lcp: &Lcp,
    second: &[bool],
    k: usize,
    clock: Clock,
    tableau: &mut Tableau,
    pivots: &mut usize,
) -> Option<Vec<bool>> {
    let n = lcp.n();
    tableau.load_matrix(lcp.m(), lcp.q());
    let seed = mix(k as u64);
    tableau.set_last_column((0..n as u64).map(|i| 1.0 + unit_interval(mix(i ^ seed))));

    // a feasible start: z_k, and the best reply
    let block = |own: bool| (0..n).filter(move |&i| second[i] == own);
    let r = farthest(tableau, k, block(!second[k]))?;
    tableau.exchange(r, k);
    let l = farthest(tableau, r, block(second[k]))?;
    let mut leaving = tableau.exchange(l, r);
    *pivots += 2;
    for _ in 0..200 * n {
        if leaving == Variable::W(k) || leaving == Variable::Z(k) {
            return Some((0..n).map(|i| tableau.is_basic(i)).collect());
        }
        if clock.expired() {
            return None;
        }
        let entering = tableau.column_of(leaving.complement())?;
        let row = blocking(tableau, entering)?;
        leaving = tableau.exchange(row, entering);
        *pivots += 1;
    }
    None
}

/// The row among these that asks most of a column, ties by p: argmax −(q + ε p)_i/m_i.
fn farthest(tableau: &Tableau, s: usize, rows: impl Iterator<Item = usize>) -> Option<usize> {
    let (column, p) = (tableau.column(s), tableau.column(tableau.n()));
    let mut best: Option<(f64, f64, usize)> = None;
    for i in rows.filter(|&i| column[i] > 0.0) {
        let (ratio, order) = (-tableau.q[i] / column[i], -p[i] / column[i]);
        if best.is_none_or(|(r, o, _)| is_before((-ratio, -order), (-r, -o))) {
            best = Some((ratio, order, i));
        }
    }
    best.map(|b| b.2)
}

/// The row that blocks a column first, ties by p.
fn blocking(tableau: &Tableau, s: usize) -> Option<usize> {
    let (column, p) = (tableau.column(s), tableau.column(tableau.n()));
    let least = PIVOT * crate::kernel::max_abs(column);
    let mut best: Option<(f64, f64, usize)> = None;
    for (i, &m) in column.iter().enumerate().filter(|(_, m)| **m < -least) {
        let (ratio, order) = (tableau.q[i].max(0.0) / -m, p[i] / -m);
        if best.is_none_or(|(r, o, _)| is_before((ratio, order), (r, o))) {
            best = Some((ratio, order, i));
        }
    }
    best.map(|b| b.2)
}

/// Whether a ratio with its order comes before another.
fn is_before(new: (f64, f64), old: (f64, f64)) -> bool {
    let band = TIED * new.0.abs().max(old.0.abs());
    new.0 < old.0 - band || (new.0 <= old.0 + band && new.1 < old.1)
}

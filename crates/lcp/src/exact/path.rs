//! Lemke's path in whole numbers: what it ends on is a solution, with nothing to be measured.
//!
//! ```text
//!     w = M z + c z₀ + q + p ε        c = 1 in energy units, p positive and generic, ε → 0
//! ```
//!
//! Ties are broken by p, so that no basis comes twice; z₀ leaves as soon as it may. The path of a problem of ten unknowns is some ten
//! exchanges, where a search over all cells ([`super`]) takes hundreds. A path may end on a ray though there is a solution: it
//! decides nothing then.

use std::cmp::Ordering;

use super::Dyadic;
use super::dictionary::{Dictionary, Sign};
use super::whole::Whole;
use crate::clock::Clock;
use crate::problem::Mlcp;
use crate::scale::Scaling;

/// Exchanges per unknown before a path is given up: nearly all take one.
const LONG: usize = 4;
/// Bits of the numbers in p: equal ones among twelve are one in ten thousand, and cost the path.
const BITS: u32 = 20;
/// 2⁶⁴ over the golden ratio: multiples of it lie as evenly as numbers can.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The end of the path of a standard problem, rounded; none if it ends on a ray or is long, and for problems with other bounds.
pub(crate) fn follow(mlcp: &Mlcp, clock: &Clock) -> Option<Vec<f64>> {
    let n = mlcp.n();
    let plain = |i: usize| mlcp.lo()[i] == 0.0 && mlcp.hi()[i] == f64::INFINITY && mlcp.findex()[i].is_none();
    if !(0..n).all(plain) {
        return None;
    }
    let scaling = Scaling::new(mlcp.a(), mlcp.b());
    let d: Vec<Dyadic> = scaling.d().iter().map(|&d| Dyadic::new(d)).collect();
    let size = Dyadic::new(scaling.size());
    let row = |i: usize| {
        let mut form: Vec<Dyadic> =
            (0..n).map(|j| Dyadic::new(mlcp.entry(i, j)).times(&d[i]).times(&d[j])).collect();
        let generic = 1 + ((i as u64 + 1).wrapping_mul(GOLDEN) >> (64 - BITS));
        form.push(size.clone());
        form.push(Dyadic::new(generic as f64).times(&size));
        form.push(Dyadic::new(mlcp.b()[i]).times(&d[i]));
        whole(&form)
    };
    let mut walk = Walk { n, at: Dictionary::new(n + 2, (0..n).map(row).collect()) };
    walk.run(clock)?;
    let z = |j: usize| walk.at.value(j).map_or(0.0, |(numerator, det)| numerator.ratio(det) * scaling.d()[j]);
    Some((0..n).map(z).collect())
}

/// A form in whole numbers, by a power of two of its own.
fn whole(form: &[Dyadic]) -> Vec<Whole> {
    let least = form.iter().filter(|v| !v.whole.is_zero()).map(|v| v.exponent).min().unwrap_or(0);
    form.iter().map(|v| if v.whole.is_zero() { Whole::zero() } else { v.at(least) }).collect()
}

/// Forms: z is 0 … n − 1, z₀ is n, ε is n + 1, then w.
struct Walk {
    n: usize,
    at: Dictionary,
}

impl Walk {
    /// Whether z₀ left.
    fn run(&mut self, clock: &Clock) -> Option<()> {
        let (n, any) = (self.n, vec![Sign::Any; 2 * self.n + 2]);
        let sign = |r: usize, s: &Self| match s.at.at(r, n + 2).sign() {
            0 => s.at.at(r, n + 1).sign(),
            sign => sign,
        };
        if (0..n).all(|r| sign(r, self) >= 0) {
            return Some(());
        }
        // z₀ enters where q, in units of the covering vector, is least
        let mut row = (1..n).fold(0, |best, r| if self.less(r, best, n) { r } else { best });
        let mut column = n;
        for _ in 0..LONG * (n + 2) {
            if clock.expired() {
                return None;
            }
            let left = self.at.form_of_row(row);
            self.at.exchange(row, column, &any);
            if left == n {
                return Some(());
            }
            let entering = if left < n { left + n + 2 } else { left - n - 2 };
            column = self.at.column_of(entering)?;
            row = self.blocking(column)?;
        }
        None
    }

    /// The row that blocks the form of a column; z₀'s wherever it is among those that do for ε = 0.
    fn blocking(&self, column: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for r in (0..self.n).filter(|&r| self.at.at(r, column).sign() < 0) {
            if best.is_none_or(|b| self.less(r, b, column)) {
                best = Some(r);
            }
        }
        let (best, own) = (best?, self.at.row_of(self.n));
        let ends = |r: &usize| {
            self.at.at(*r, column).sign() < 0 && self.ratio(*r, best, column, self.n + 2) == Ordering::Equal
        };
        Some(own.filter(ends).unwrap_or(best))
    }

    /// Whether row a's ratio is less than row b's, ties by ε.
    fn less(&self, a: usize, b: usize, column: usize) -> bool {
        self.ratio(a, b, column, self.n + 2).then_with(|| self.ratio(a, b, column, self.n + 1))
            == Ordering::Less
    }

    /// t_ac/|t_as| against t_bc/|t_bs| for the constant column c.
    fn ratio(&self, a: usize, b: usize, column: usize, constant: usize) -> Ordering {
        let t = |r: usize, c: usize| self.at.at(r, c);
        let size = |r: usize| {
            let mut v = t(r, column).clone();
            if v.sign() < 0 {
                v.negate();
            }
            v
        };
        let signs = (t(a, constant).sign(), t(b, constant).sign());
        if signs.0 != signs.1 || signs.0 == 0 {
            return signs.0.cmp(&signs.1);
        }
        let mut right = t(b, constant).times(&size(a));
        right.negate();
        t(a, constant).times(&size(b)).plus(&right).sign().cmp(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Lcp;

    fn end(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
        follow(&Mlcp::from(&Lcp::from_rows(m, q.to_vec()).unwrap()), &Clock::default())
    }

    #[test]
    fn the_path_ends_on_the_solution_whatever_the_units() {
        let m = [vec![2.0, 1.0], vec![1.0, 2.0]];
        assert_eq!(end(&m, &[-5.0, -6.0]), Some(vec![4.0 / 3.0, 7.0 / 3.0]));
        assert_eq!(end(&m, &[5.0, 0.0]), Some(vec![0.0, 0.0]));
        assert_eq!(end(&m, &[-4.0, -2.0]), Some(vec![2.0, 0.0]));
        let grams = [vec![2e6, 1.0], vec![1.0, 2e-6]];
        let z = end(&grams, &[-5e3, -6e-3]).unwrap();
        assert!((z[0] * 1e3 - 4.0 / 3.0).abs() < 1e-14 && (z[1] / 1e3 - 7.0 / 3.0).abs() < 1e-14, "{z:?}");
        // 1e15 that cancel: floats are content with (0, 2)
        let a = 713_876_550_659_556.0;
        let z = end(&[vec![a, -a], vec![-a, a + 1.0]], &[2.0 * a, -2.0 * a - 3.0]).unwrap();
        assert_eq!(z, [1.0, 3.0]);
    }

    #[test]
    fn ties_and_rays_come_to_an_end() {
        let ones = vec![vec![1.0; 4]; 4];
        let z = end(&ones, &[-1.0; 4]).unwrap();
        assert_eq!(z.iter().sum::<f64>(), 1.0);
        assert_eq!(end(&[vec![-1.0]], &[-1.0]), None);
        assert_eq!(end(&[vec![0.0]], &[-1.0]), None);
    }

    #[test]
    fn other_bounds_have_no_path() {
        let p = Mlcp::from_rows(&[[1.0]], vec![-1.0], vec![0.0], vec![0.5]).unwrap();
        assert_eq!(follow(&p, &Clock::default()), None);
    }
}

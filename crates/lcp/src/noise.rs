//! How small a velocity of a mechanical problem means anything.
//!
//! The data of a plain [`crate::Mlcp`] are what they are. Those of a friction problem are computed: b = J v + … with
//! velocities that cancel, W = J M⁻¹ Jᵀ with axes that were turned. A row that should be zero (a ball that does not
//! move sideways, a loop that has no room along its pins) is then the rounding of the others, and no answer can be
//! exact in units of it. An entry of W is known to some roundings of |J_i| |J_j| in the metric of M⁻¹, which is
//! √(W_ii W_jj) = 1/(d_i d_j) with the factors of [`Scaling`], and b to some roundings of the velocities around. So
//! w_i is known to 1e-14 of
//!
//! ```text
//!     v_i + Σ_k |x_k| / (d_i d_k) + min( Σ_j |x_j| / (d_i d_j), 1e6 v_i ),      v_i = min( max_j |b_j|, max_j |b_j| d_j / d_i )
//! ```
//!
//! with j over the rows connected with i and k over those that move it, W_ik ≠ 0; of b_j counts what the row asks for, and no more than 1e6 times what all
//! of them do: nothing for a contact that opens, what its bounds allow for a motor. So neither a contact that is a light year away nor a
//! motor that is to turn at 1e18 rad/s excuses anything. The second number of v is the velocity that the
//! largest energy around would be for the row's own mass. Rows that are connected but do not move it may do so by a rounding; for
//! what no data ask for they are no excuse: two motors that pull at each other with 1e18 leave a contact beside them right to 1e-8. To all
//! this comes 1e-15 of v over all rows: one that is connected with none is made from the same motion. Units may be changed row by
//! row (and W with them), blocks added, contacts repeated: the noise of a row changes as the row does.

use crate::parts::parts;
use crate::scale::Scaling;

/// The unit of w that 1e-9 of is 1e-14 of the sizes above: ninety roundings.
pub(crate) const PART: f64 = 1e-5;

/// Rows that nothing connects are made from the same motion: nine roundings of it.
pub(crate) const ELSEWHERE: f64 = 0.1;

/// Impulses that do not move a row count in it up to this many times what its data ask for.
pub(crate) const FAR: f64 = 1e6;

/// The largest velocity of some rows: what they ask for, and of what they ask for in vain up to [`FAR`] times that.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Asked {
    asked: f64,
    given: f64,
}

impl Asked {
    /// A row that asks for so much of the velocity that it was given.
    pub(crate) fn add(&mut self, asks: f64, given: f64) {
        self.asked = self.asked.max(asks);
        self.given = self.given.max(given.abs());
    }

    pub(crate) fn size(&self) -> f64 {
        self.given.min(FAR * self.asked)
    }
}

/// What a mechanical problem knows of its own rounding.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Noise {
    part: Vec<usize>,   // n, the connected part of a row
    start: Vec<usize>,  // n + 1, where a row begins in `movers`
    movers: Vec<usize>, // the k of every row
    d: Vec<f64>,        // n
    around: Vec<f64>,   // n, v
    speed: Vec<f64>,    // n, v and its part of all rows
    /// What the rows connected with each ask for, as a velocity of that row.
    pub(crate) asked: Vec<f64>,
}

impl Noise {
    /// The noise of w = A x + b, n × n by columns, and what of |b| each row asks for.
    pub(crate) fn new(a: &[f64], b: &[f64], asks: impl Fn(usize) -> f64) -> Self {
        let n = b.len();
        let d = Scaling::new(a, b).d().to_vec();
        let part = parts(n, |i, j| a[j * n + i] != 0.0);
        let (mut speed, mut energy) = (vec![Asked::default(); n], vec![Asked::default(); n]);
        for i in 0..n {
            speed[part[i]].add(asks(i), b[i]);
            energy[part[i]].add(asks(i) * d[i], b[i] * d[i]);
        }
        let of = |v: &[Asked], i: usize| v[part[i]].asked;
        let asked = (0..n).map(|i| of(&speed, i).min(of(&energy, i) / d[i])).collect();
        let [speed, energy] = [speed, energy].map(|v| v.iter().map(Asked::size).collect::<Vec<f64>>());
        let all = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
        let (fastest, liveliest) = (all(&speed), all(&energy));
        let around: Vec<f64> = (0..n).map(|i| speed[part[i]].min(energy[part[i]] / d[i])).collect();
        let speed = (0..n).map(|i| around[i] + ELSEWHERE * fastest.min(liveliest / d[i])).collect();
        let (mut start, mut movers) = (vec![0], Vec::new());
        for i in 0..n {
            movers.extend((0..n).filter(|&k| a[k * n + i] != 0.0));
            start.push(movers.len());
        }
        Self { part, start, movers, d, around, speed, asked }
    }

    /// Adds the least unit of each row at x; `sums` is scratch.
    pub(crate) fn add_to(&self, x: &[f64], unit: &mut [f64], sums: &mut Vec<f64>) {
        let size = |k: usize| x[k].abs() / self.d[k];
        sums.clear();
        sums.resize(x.len(), 0.0);
        (0..x.len()).for_each(|k| sums[self.part[k]] += size(k));
        for (i, unit) in unit.iter_mut().enumerate() {
            let movers = &self.movers[self.start[i]..self.start[i + 1]];
            let near: f64 = movers.iter().map(|&k| size(k)).sum();
            let far = (sums[self.part[i]] / self.d[i]).min(FAR * self.around[i]);
            *unit += PART * (self.speed[i] + near / self.d[i] + far);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impulse_hardly_excuses_anything_in_a_row_that_it_does_not_move() {
        // 0 moves 1, and 1 moves 2
        let a = [1.0, 0.5, 0.0, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0];
        let mut unit = vec![0.0; 3];
        Noise::new(&a, &[-1.0; 3], |_| 1.0).add_to(&[1e18, 0.0, 0.0], &mut unit, &mut Vec::new());
        assert!(unit[0] > 1e12 && unit[1] > 1e12 && unit[2] < 11.0, "{unit:?}");
    }

    #[test]
    fn a_contact_that_is_far_from_closing_excuses_nothing() {
        let a = [1.0, 0.5, 0.5, 1.0];
        for far in [1e15, 1e18, 1e300] {
            let (b, mut unit) = ([-1.0, far], vec![0.0; 2]);
            Noise::new(&a, &b, |i| (-b[i]).max(0.0)).add_to(&[1.0, 0.0], &mut unit, &mut Vec::new());
            assert!(unit[0] < 12.0, "{unit:?}");
        }
    }

    #[test]
    fn an_independent_block_hardly_changes_the_noise_of_the_others() {
        let unit = |a: &[f64], b: &[f64], x: &[f64]| {
            let mut unit = vec![0.0; b.len()];
            Noise::new(a, b, |i| b[i].abs()).add_to(x, &mut unit, &mut Vec::new());
            unit
        };
        let alone = unit(&[2.0, 1.0, 1.0, 2.0], &[-1.0, 0.0], &[0.5, 0.0]);
        let mut a = vec![0.0; 9];
        (a[0], a[1], a[3], a[4], a[8]) = (2.0, 1.0, 1.0, 2.0, 1e-6);
        let beside = unit(&a, &[-1.0, 0.0, 1.5], &[0.5, 0.0, 7e9]);
        assert!(alone.iter().zip(&beside).all(|(a, b)| *a > 0.0 && *b >= *a && *b <= 1.2 * a), "{beside:?}");
    }
}

//! Small problems from every distribution that an attacker may think of, one drawn after the other.
//!
//! | drawn of      | from                                                                                              |
//! |---------------|---------------------------------------------------------------------------------------------------|
//! | entries       | whole numbers; 1e-12 and 1e12 alone; 10^U(−12, 12); denormals; 10^U(−150, 150); Gaussians         |
//! | zeros         | none, one in five, four in five                                                                   |
//! | structure     | none; a row, or a row and its column, given twice; rank one less; Gram; skew; masses 1e12..1e16 apart |
//! | right-hand side | of the same entries; zero; of size 1e-12 or 1e12; −M z for a whole z, so that w = 0 with z > 0  |
//! | bounds        | 0, none, ±1e18, ±1e300, lo = hi, denormals, 10^U(−12, 12), whole numbers, both of one sign        |

use gudgeon_lcp::{Lcp, Mlcp};

use crate::rng::Rng;

/// What the numbers of one problem are drawn from.
#[derive(Debug, Clone, Copy)]
enum Entries {
    Whole,
    Ends,
    Wide,
    Denormal,
    VeryWide,
    Gaussian,
}

impl Entries {
    const ALL: [Self; 6] =
        [Self::Whole, Self::Ends, Self::Wide, Self::Denormal, Self::VeryWide, Self::Gaussian];

    fn draw(self, rng: &mut Rng) -> f64 {
        let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
        match self {
            Self::Whole => rng.whole(-3, 3),
            Self::Ends => sign * rng.pick(&[1e-12, 1e12]),
            Self::Wide => sign * rng.log_uniform(1e-12, 1e12),
            Self::Denormal => sign * rng.log_uniform(1.0, 1e6).round() * 5e-324,
            Self::VeryWide => sign * rng.log_uniform(1e-150, 1e150),
            Self::Gaussian => rng.normal(),
        }
    }
}

/// M and q, by columns.
fn data(n: usize, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let entries = rng.pick(&Entries::ALL);
    let zeros = rng.pick(&[0.0, 0.2, 0.8]);
    let mut m: Vec<f64> =
        (0..n * n).map(|_| if rng.chance(zeros) { 0.0 } else { entries.draw(rng) }).collect();
    shape(n, &mut m, rng);
    let q = match rng.below(6) {
        0 => vec![0.0; n],
        1 => (0..n).map(|_| rng.pick(&[-1e-12, -1e12, 1e-12, 1e12])).collect(),
        2 => {
            let z: Vec<f64> = (0..n).map(|_| rng.whole(0, 3)).collect();
            (0..n).map(|i| -(0..n).map(|j| m[j * n + i] * z[j]).sum::<f64>()).collect()
        }
        _ => (0..n).map(|_| entries.draw(rng)).collect(),
    };
    let finite = |v: &f64| v.is_finite();
    if m.iter().all(finite) && q.iter().all(finite) { (m, q) } else { data(n, rng) }
}

/// Gives M its structure.
fn shape(n: usize, m: &mut [f64], rng: &mut Rng) {
    let (from, to) = (rng.below(n), rng.below(n));
    match rng.below(8) {
        0 => (0..n).for_each(|j| m[j * n + to] = m[j * n + from]),
        1 => {
            (0..n).for_each(|j| m[j * n + to] = m[j * n + from]);
            (0..n).for_each(|i| m[to * n + i] = m[from * n + i]);
        }
        2 if n > 1 => {
            // the last row is a whole combination of the first two
            let (a, b) = (rng.whole(-2, 2), rng.whole(-2, 2));
            (0..n).for_each(|j| m[j * n + n - 1] = a * m[j * n] + b * m[j * n + n / 2 % (n - 1)]);
        }
        3 => {
            let c = m.to_vec();
            let rank = 1 + rng.below(n);
            for (e, v) in m.iter_mut().enumerate() {
                *v = (0..rank).map(|k| c[k * n + e % n] * c[k * n + e / n]).sum();
            }
        }
        4 => {
            let c = m.to_vec();
            for (e, v) in m.iter_mut().enumerate() {
                let (i, j) = (e % n, e / n);
                *v = if i == j { 0.0 } else { c[i.max(j) * n + i.min(j)] * if i < j { 1.0 } else { -1.0 } };
            }
        }
        5 => chain(n, m, rng),
        _ => {}
    }
}

/// A stack of bodies whose masses are 1e12 to 1e16 apart: W = J M⁻¹ Jᵀ as floats make it.
fn chain(n: usize, m: &mut [f64], rng: &mut Rng) {
    let ratio = rng.log_uniform(1e12, 1e16);
    let inverse: Vec<f64> = (0..=n).map(|_| rng.pick(&[1.0, ratio, ratio.sqrt()])).collect();
    m.fill(0.0);
    for i in 0..n {
        m[i * n + i] = if i == 0 { inverse[0] } else { inverse[i - 1] + inverse[i] };
        if i > 0 {
            m[i * n + i - 1] = -inverse[i - 1];
            m[(i - 1) * n + i] = -inverse[i - 1];
        }
    }
}

/// A standard problem.
pub fn standard(n: usize, rng: &mut Rng) -> Lcp {
    let (m, q) = data(n, rng);
    Lcp::from_column_major(m, q).expect("finite numbers")
}

/// A boxed problem.
pub fn boxed(n: usize, rng: &mut Rng) -> Mlcp {
    let (a, b) = data(n, rng);
    let (mut lo, mut hi) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for _ in 0..n {
        let mut bound = || match rng.below(8) {
            0 => 0.0,
            1 | 2 => f64::INFINITY,
            3 => 1e18,
            4 => 1e300,
            5 => rng.log_uniform(1.0, 1e6).round() * 5e-324,
            6 => rng.log_uniform(1e-12, 1e12),
            _ => rng.whole(0, 3),
        };
        let (u, v) = (bound(), bound());
        let (least, most) = (u.min(v), u.max(v));
        let (l, h) = match rng.below(6) {
            0 if most < f64::INFINITY => (least, most),
            1 if most < f64::INFINITY => (-most, -least),
            2 if least < f64::INFINITY => (least, least),
            _ => (-u, v),
        };
        lo.push(l);
        hi.push(h);
    }
    Mlcp::from_column_major(a, b, lo, hi).expect("bounds in order")
}

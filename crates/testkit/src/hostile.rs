//! Problems that an attacker would bring: every size at once, games, singular cones, bounds that mean "no limit".
//!
//! | family                | what it is                                                            | a solution   |
//! |-----------------------|-----------------------------------------------------------------------|--------------|
//! | [`wide`]              | entries ±10^U(−12, 12), one in five zero                               | perhaps      |
//! | [`wide_definite`]     | C Cᵀ of such a triangle C in units of all sizes                        | always       |
//! | [`wide_copositive`]   | entries 10^U(−12, 12), all positive                                    | always       |
//! | [`wide_boxed`]        | as `wide` or definite, bounds ±10^U(−300, 300), 0 or none              | perhaps      |
//! | [`integers`]          | whole numbers from −2 to 2: singular cones everywhere                  | perhaps      |
//! | [`game`]              | M = \[0 A; Bᵀ 0\] with positive costs, q = −1                          | always       |
//! | [`planted`]           | Gaussian M, a complementary pair planted                              | always       |
//! | [`copositive`]        | Gram matrix plus a nonnegative one, Gaussian                           | always       |
//! | [`scaled_dominant`]   | diagonally dominant, rows and columns by 10^U(−6, 6)                   | always       |
//! | [`two_bodies`]        | a stack of two with masses 10^±8 apart, in exact dyadics               | always       |
//! | [`pulling_friction`]  | box friction on normals that may pull, A definite                      | always       |

use gudgeon_lcp::{Lcp, Mlcp};

use crate::rng::Rng;

/// ±10^U(−12, 12).
fn any_size(rng: &mut Rng) -> f64 {
    let size = rng.log_uniform(1e-12, 1e12);
    if rng.chance(0.5) { size } else { -size }
}

fn lcp(n: usize, mut entry: impl FnMut(usize, usize) -> f64, q: Vec<f64>) -> Lcp {
    let m = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    Lcp::from_column_major(m, q).expect("finite numbers")
}

/// Entries of every size and sign, one in five zero.
pub fn wide(n: usize, rng: &mut Rng) -> Lcp {
    let m: Vec<f64> = (0..n * n).map(|_| if rng.chance(0.2) { 0.0 } else { any_size(rng) }).collect();
    let q = (0..n).map(|_| any_size(rng)).collect();
    Lcp::from_column_major(m, q).expect("finite numbers")
}

/// Symmetric and positive definite: D (1 + C Cᵀ) D with small whole C, so that it is so to the bit, and D of powers of two
/// from 2⁻²⁰ to 2²⁰.
pub fn wide_definite(n: usize, rng: &mut Rng) -> Lcp {
    let c: Vec<f64> = (0..n * n).map(|_| rng.whole(-3, 3)).collect();
    let d: Vec<f64> = (0..n).map(|_| rng.whole(-20, 20).exp2()).collect();
    let q = (0..n).map(|_| any_size(rng)).collect();
    let gram = |i: usize, j: usize| (0..n).map(|k| c[k * n + i] * c[k * n + j]).sum::<f64>();
    lcp(n, |i, j| (gram(i, j) + f64::from(u8::from(i == j))) * d[i] * d[j], q)
}

/// All entries of M positive: strictly copositive.
pub fn wide_copositive(n: usize, rng: &mut Rng) -> Lcp {
    let m: Vec<f64> = (0..n * n).map(|_| rng.log_uniform(1e-12, 1e12)).collect();
    let q = (0..n).map(|_| any_size(rng)).collect();
    Lcp::from_column_major(m, q).expect("finite numbers")
}

/// Bounds of every size up to 1e300 around a matrix of one of the kinds above.
pub fn wide_boxed(n: usize, rng: &mut Rng) -> Mlcp {
    let base = match rng.below(3) {
        0 => wide(n, rng),
        1 => wide_copositive(n, rng),
        _ => wide_definite(n, rng),
    };
    let bound = |rng: &mut Rng| match rng.below(4) {
        0 => 0.0,
        1 => f64::INFINITY,
        _ => rng.log_uniform(1e-300, 1e300),
    };
    let (lo, hi): (Vec<f64>, Vec<f64>) = (0..n)
        .map(|_| {
            let (a, b) = (bound(rng), bound(rng));
            // mostly around zero, at times on one side of it
            match rng.below(8) {
                0 if a.max(b) < f64::INFINITY => (a.min(b), a.max(b)),
                1 if a.max(b) < f64::INFINITY => (-a.max(b), -a.min(b)),
                _ => (-a, b),
            }
        })
        .unzip();
    Mlcp::from_column_major(base.m().to_vec(), base.q().to_vec(), lo, hi).expect("bounds in order")
}

/// Small whole numbers.
pub fn integers(n: usize, rng: &mut Rng) -> Lcp {
    let m: Vec<f64> = (0..n * n).map(|_| rng.whole(-2, 2)).collect();
    let q = (0..n).map(|_| rng.whole(-2, 2)).collect();
    Lcp::from_column_major(m, q).expect("whole numbers")
}

/// A game of two players with `rows` and `columns` strategies and costs in (0, 1], or whole from 1 to 9.
pub fn game(rows: usize, columns: usize, whole: bool, rng: &mut Rng) -> Lcp {
    let n = rows + columns;
    let cost: Vec<f64> =
        (0..n * n).map(|_| if whole { rng.whole(1, 9) } else { rng.uniform(0.01, 1.0) }).collect();
    let entry = |i: usize, j: usize| if (i < rows) == (j < rows) { 0.0 } else { cost[j * n + i] };
    lcp(n, entry, vec![-1.0; n])
}

/// M of independent Gaussians; z or w of each pair is the size of one.
pub fn planted(n: usize, rng: &mut Rng) -> Lcp {
    let m: Vec<f64> = (0..n * n).map(|_| rng.normal()).collect();
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        let v = rng.normal().abs();
        if rng.chance(0.5) { z[i] = v } else { w[i] = v }
    }
    let q = (0..n).map(|i| w[i] - (0..n).map(|j| m[j * n + i] * z[j]).sum::<f64>()).collect();
    Lcp::from_column_major(m, q).expect("finite numbers")
}

/// G Gᵀ of half rank plus a nonnegative matrix, Gaussian, q Gaussian: copositive, strictly with the diagonal.
pub fn copositive(n: usize, rng: &mut Rng) -> Lcp {
    let rank = n.div_ceil(2);
    let g: Vec<f64> = (0..n * rank).map(|_| rng.normal()).collect();
    let extra: Vec<f64> = (0..n * n).map(|_| rng.normal().abs()).collect();
    let q = (0..n).map(|_| rng.normal()).collect();
    let entry =
        |i: usize, j: usize| (0..rank).map(|k| g[k * n + i] * g[k * n + j]).sum::<f64>() + extra[j * n + i];
    lcp(n, entry, q)
}

/// A P-matrix: diagonally dominant, then every row and every column in a unit of its own.
pub fn scaled_dominant(n: usize, rng: &mut Rng) -> Lcp {
    let mut m: Vec<f64> = (0..n * n).map(|_| rng.normal()).collect();
    for i in 0..n {
        m[i * n + i] = 0.1 + (0..n).filter(|&j| j != i).map(|j| m[j * n + i].abs()).sum::<f64>();
    }
    let mut unit = || rng.uniform(-20.0, 20.0).round().exp2();
    let (r, c): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(), unit())).unzip();
    let q = r.iter().map(|r| r * rng.normal()).collect();
    lcp(n, |i, j| m[j * n + i] * r[i] * c[j], q)
}

/// A light body under a heavy one, or over it: W = [a+b −b; −b b+c] of inverse masses that are powers of two, up to 2⁻⁵³
/// apart so that sums are exact; gravity on both.
pub fn two_bodies(rng: &mut Rng) -> Lcp {
    let light = rng.whole(-4, 26).exp2();
    let heavy = rng.whole(-26, 4).exp2();
    let (below, above) = if rng.chance(0.5) { (light, heavy) } else { (heavy, light) };
    // contact 1 between the ground and the lower body, contact 2 between the two
    let m = [[below, -below], [-below, below + above]];
    Lcp::from_rows(&m, vec![-0.009_81, 0.0]).expect("finite numbers")
}

/// Contacts whose normals are free rows, with friction |x_t| ≤ μ |x_n| in two directions each: A definite.
pub fn pulling_friction(contacts: usize, rng: &mut Rng) -> Mlcp {
    let n = 3 * contacts;
    let g: Vec<f64> = (0..n * n).map(|_| rng.normal()).collect();
    let entry = |i: usize, j: usize| {
        (0..n).map(|k| g[k * n + i] * g[k * n + j]).sum::<f64>() + f64::from(u8::from(i == j))
    };
    let a = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    let b = (0..n).map(|_| rng.normal()).collect();
    let bound = |i: usize| if i.is_multiple_of(3) { f64::INFINITY } else { 0.5 };
    let hi: Vec<f64> = (0..n).map(bound).collect();
    let lo = hi.iter().map(|h| -h).collect();
    let findex = (0..n).map(|i| (i % 3 != 0).then_some(i - i % 3)).collect();
    let mlcp = Mlcp::from_column_major(a, b, lo, hi).expect("finite numbers");
    mlcp.with_friction_index(findex).expect("normals are free")
}

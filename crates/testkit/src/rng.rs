//! A small generator of random numbers: the same numbers from the same seed, on every machine, for ever.
//!
//! xoshiro256++ of Blackman and Vigna, its state filled by splitmix64 so that seeds 0, 1, 2, … are as good as
//! any. Only additions, shifts and rotations of integers, and correctly rounded arithmetic: the bits of a
//! uniform number do not depend on the platform. (Normals go through `ln` and `cos`, whose last bit may.)

use crate::geometry::{Mat3, Vec3, quaternion_matrix, scale};

/// A deterministic stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

/// One step of splitmix64: a counter made to look random.
fn splitmix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self { state: std::array::from_fn(|_| splitmix(&mut counter)) }
    }

    /// The stream of a seed and an index: case 17 of a campaign does not need cases 0 to 16.
    pub fn indexed(seed: u64, index: u64) -> Self {
        let (mut s, mut i) = (seed, index ^ 0x6775_6467_656f_6e00);
        Self::new(splitmix(&mut s) ^ splitmix(&mut i).rotate_left(17))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number in [lo, hi).
    pub fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// A number in [lo, hi), its logarithm uniform; both bounds positive.
    pub fn log_uniform(&mut self, lo: f64, hi: f64) -> f64 {
        self.uniform(lo.ln(), hi.ln()).exp()
    }

    /// A count below `n`, which is positive.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice of nothing");
        // multiply and keep the high word; the bias of at most n / 2⁶⁴ is beyond any test here
        usize::try_from((u128::from(self.bits()) * n as u128) >> 64).expect("less than n")
    }

    /// A count from `lo` to `hi`, both included.
    pub fn between(&mut self, lo: usize, hi: usize) -> usize {
        lo + self.below(hi - lo + 1)
    }

    /// A whole number from `lo` to `hi`, both included, as a float: exact in products and sums.
    pub fn whole(&mut self, lo: i32, hi: i32) -> f64 {
        let span = usize::try_from(hi - lo).expect("lo <= hi");
        f64::from(lo) + self.below(span + 1) as f64
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A standard normal number (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v: Vec3 = std::array::from_fn(|_| self.uniform(-1.0, 1.0));
            let square: f64 = v.iter().map(|x| x * x).sum();
            // inside the ball, and far enough from its centre for the division
            if (1e-6..=1.0).contains(&square) {
                return scale(1.0 / square.sqrt(), v);
            }
        }
    }

    /// A rotation, uniform over all of them.
    pub fn rotation(&mut self) -> Mat3 {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.uniform(-1.0, 1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            if (1e-6..=1.0).contains(&square) {
                return quaternion_matrix(q.map(|x| x / square.sqrt()));
            }
        }
    }

    /// Puts a slice in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{dot, mat_vec};

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        // splitmix64 from seed 0, as its authors print it
        let mut counter = 0;
        assert_eq!(splitmix(&mut counter), 0xe220_a839_7b1d_cdaf);
        assert_eq!(splitmix(&mut counter), 0x6e78_9e6a_a1b9_65f4);
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        assert!((0..100).all(|_| a.bits() == b.bits()));
        assert_ne!(Rng::indexed(1, 2).bits(), Rng::indexed(2, 1).bits());
    }

    #[test]
    fn uniform_and_normal_numbers_have_their_moments() {
        let mut rng = Rng::new(1);
        let n = 20_000;
        let mean = |f: &mut dyn FnMut() -> f64| (0..n).map(|_| f()).sum::<f64>() / f64::from(n);
        // five standard errors of 20,000 draws
        assert!((mean(&mut || rng.unit()) - 0.5).abs() < 0.011);
        assert!(mean(&mut || rng.normal()).abs() < 0.036);
        assert!((mean(&mut || rng.normal().powi(2)) - 1.0).abs() < 0.05);
    }

    #[test]
    fn directions_are_unit_and_rotations_keep_lengths() {
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let (d, r) = (rng.direction(), rng.rotation());
            // a few roundings of numbers of size one
            assert!((dot(d, d) - 1.0).abs() < 1e-14);
            let e = mat_vec(&r, d);
            assert!((dot(e, e) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_whole_numbers_reach_both_ends() {
        let mut rng = Rng::new(3);
        let mut items: Vec<usize> = (0..20).collect();
        rng.shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<_>>());
        let drawn: Vec<f64> = (0..200).map(|_| rng.whole(-2, 2)).collect();
        assert!(drawn.contains(&-2.0) && drawn.contains(&2.0));
    }
}

//! A small deterministic generator (xorshift64*), so that every run sees the same trees.

use gudgeon_spatial::{Pose, Quaternion, Vector3};

/// xorshift64* [Vigna 2016].
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % n as u64).expect("a remainder of a usize fits")
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::new(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }

    pub(crate) fn axis(&mut self) -> Vector3<f64> {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn quaternion(&mut self) -> Quaternion {
        Quaternion::exp(&self.vector(2.0))
    }

    pub(crate) fn pose(&mut self, size: f64) -> Pose {
        Pose::new(self.quaternion().to_matrix(), self.vector(size))
    }

    pub(crate) fn numbers(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.range(-size, size)).collect()
    }
}

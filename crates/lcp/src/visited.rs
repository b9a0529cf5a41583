//! The bases that a path has been through, so that a cycle is told at once.
//!
//! A set of variables is 128 bits: the exclusive or of one random-looking word per variable, updated with two
//! operations per exchange. Equal sets are equal; two different ones collide with probability 2⁻¹²⁸.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::observer::Variable;

/// A random-looking word per variable; the hash of a set is their exclusive or.
pub(crate) fn key(variable: Variable) -> u128 {
    let code = match variable {
        Variable::Z0 => 0,
        Variable::W(i) => 2 * i as u64 + 2,
        Variable::Z(i) => 2 * i as u64 + 3,
    };
    u128::from(mix(code)) << 64 | u128::from(mix(code ^ 0x5bf0_3635_dcf3_67a1))
}

/// Steele, Lea and Flood's mixer (SplitMix64).
fn mix(code: u64) -> u64 {
    let mut x = code.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The least room of a set.
const LEAST: usize = 256;

/// The bases seen so far; keeps its memory from solve to solve, 17 bytes a basis.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visited(HashSet<u128, BuildHasherDefault<Ready>>);

impl Visited {
    /// Empties the set, with room for a path sixteen times as long as an ordinary one. To empty it costs as much as its room.
    pub(crate) fn reset(&mut self, n: usize) {
        self.0.clear();
        self.0.reserve((16 * n).max(LEAST));
    }

    pub(crate) fn clear(&mut self) {
        if !self.0.is_empty() {
            self.0.clear();
        }
    }

    /// Enters a basis; false if it was there.
    pub(crate) fn insert(&mut self, basis: u128) -> bool {
        self.0.insert(basis)
    }
}

/// The keys are hashes already.
#[derive(Debug, Clone, Copy, Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |h, &b| h.rotate_left(8) ^ u64::from(b));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = (key >> 64) as u64;
    }
}

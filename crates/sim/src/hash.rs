//! A hash of the state, to the bit: two runs with the same hashes went the same way.

use gudgeon_multibody::State;

/// FNV-1a over the bytes of q, then v.
pub(crate) fn state_hash(state: &State) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for x in state.q.iter().chain(&state.v) {
        // both zeros are the same place
        for byte in (x + 0.0).to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

//! Snapshots of simulations as bytes: what Python had told them, then the simulator's own.

use gudgeon_sim::{Block, read_block, write_block};

const MAGIC: &[u8] = b"GUDPY002";

/// A snapshot with what Python had told the simulation: controls and forces, in a block with a checksum.
pub(crate) fn sealed(commands: &[u8], snapshot: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    // writing to memory does not fail
    let _ = write_block(&mut out, commands);
    out.extend_from_slice(snapshot);
    out
}

/// A list of numbers with its length; none is u32::MAX.
pub(crate) fn put(out: &mut Vec<u8>, numbers: Option<&[f64]>) {
    let n = numbers.map_or(u32::MAX, |x| u32::try_from(x.len()).unwrap_or(u32::MAX - 1));
    out.extend_from_slice(&n.to_le_bytes());
    numbers.unwrap_or_default().iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
}

fn take(bytes: &[u8]) -> Option<(Numbers, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let n = u32::from_le_bytes(*length);
    if n == u32::MAX {
        return Some((None, rest));
    }
    let (numbers, rest) = rest.split_at_checked((n as usize).checked_mul(8)?)?;
    let numbers =
        numbers.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().expect("eight bytes"))).collect();
    Some((Some(numbers), rest))
}

type Numbers = Option<Vec<f64>>;

/// Controls and forces of a sealed snapshot, and the simulator's part; `None` if it is damaged.
pub(crate) fn opened(bytes: &[u8]) -> Option<([Numbers; 2], &[u8])> {
    let Block::Whole(commands, rest) = read_block(bytes.strip_prefix(MAGIC)?) else { return None };
    let (controls, commands) = take(commands)?;
    let (external, _) = take(commands)?;
    Some(([controls, external], rest))
}

//! Snapshots of simulations as bytes: what Python had told them, then the simulator's own.

use gudgeon_sim::{Block, Scene, Simulator, read_block, write_block};
use gudgeon_spatial::{Force, Vector3};

use crate::drive::Drive;

const MAGIC: &[u8] = b"GUDPY002";

/// A snapshot with what Python had told the simulation: controls and forces, in a block with a checksum.
fn sealed(commands: &[u8], snapshot: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    // writing to memory does not fail
    let _ = write_block(&mut out, commands);
    out.extend_from_slice(snapshot);
    out
}

/// A simulator with what Python had told it.
pub(crate) fn of(sim: &Simulator, controls: Option<&[f64]>) -> Vec<u8> {
    let numbers = |f: &Force| [f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z];
    let external: Vec<f64> = sim.external.iter().flat_map(numbers).collect();
    let mut commands = Vec::new();
    put(&mut commands, controls);
    put(&mut commands, Some(&external));
    sealed(&commands, &sim.snapshot())
}

/// A list of numbers with its length; none is u32::MAX.
fn put(out: &mut Vec<u8>, numbers: Option<&[f64]>) {
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

pub(crate) type Numbers = Option<Vec<f64>>;

/// Controls and forces of a sealed snapshot, and the simulator's part; `None` if it is damaged.
pub(crate) fn opened(bytes: &[u8]) -> Option<([Numbers; 2], &[u8])> {
    let Block::Whole(commands, rest) = read_block(bytes.strip_prefix(MAGIC)?) else { return None };
    let (controls, commands) = take(commands)?;
    let (external, _) = take(commands)?;
    Some(([controls, external], rest))
}

/// Forces on links as a snapshot keeps them.
pub(crate) fn forces(numbers: &[f64]) -> impl Iterator<Item = Force> + '_ {
    let half = |f: &[f64]| Vector3::from_column_slice(f);
    numbers.chunks_exact(6).map(move |f| Force::new(half(&f[..3]), half(&f[3..])))
}

/// Goes to a snapshot of a scene with the same links, joints and controllers; gives back the controls that it
/// was told, or says what is wrong.
pub(crate) fn restore_kin(sim: &mut Simulator, scene: &Scene, bytes: &[u8]) -> Result<Numbers, String> {
    let ([controls, external], rest) = opened(bytes).ok_or("not a snapshot of this version, or damaged")?;
    let external = external.unwrap_or_default();
    if controls.as_ref().is_some_and(|u| u.len() != Drive::Controllers.width(scene))
        || ![0, 6 * scene.model.n_links()].contains(&external.len())
    {
        return Err("the snapshot is of another model".to_owned());
    }
    match &controls {
        Some(u) => Drive::Controllers.apply(sim, u),
        None => crate::drive::forget(sim, scene),
    }
    sim.restore_kin(rest).map_err(|e| e.to_string())?;
    sim.external.clear();
    sim.external.extend(forces(&external));
    Ok(controls)
}

//! Everything a run needs to go on, to the bit.
//!
//! ```text
//!     "GUDSNAP6"  block (length, checksum): fingerprint, then
//!                 steps u64  time f64  q: count u32, f64s  v  control  values of controllers
//!                 (actuators' activations behind the values)
//!     warm start: count u32, each kind u8, mode u8, id u64, basis u64, facets u32, angle f64, impulse 3 × f64
//!     fallbacks: count u32, u64s;   warm start of the recovery from overlap;   joint forces, those of rows, expected forces,
//!     changes of velocity of the last step, flags of the groups of trees
//!     contacts: count u32, each mode u8, a b colliders id 5 × u64, point rise normal gap force slip material 18 × f64
//! ```
//! Little-endian. Settings and scene are not in it but for their fingerprint: a snapshot belongs to the scene and the settings it
//! was taken with, and is refused by others with the parts that differ.

mod reader;

use gudgeon_lcp::WarmStart;
use gudgeon_multibody::State;
use gudgeon_spatial::{Force, Vector3};

use crate::block::{Block, read_block, write_block};
use crate::contact_info::ContactInfo;
use crate::controller::Controller;
use crate::fingerprint::Fingerprint;
use crate::simulator::{Clock, Simulator};
use reader::Reader;

const MAGIC: &[u8; 8] = b"GUDSNAP6";
/// What all versions begin with.
const FAMILY: &[u8] = b"GUDSNAP";

/// Why a snapshot could not be restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is not one, it is cut short, or bits of it have changed.
    #[error("not a snapshot, or damaged")]
    Damaged,
    /// It was written by another version.
    #[error("a snapshot of version {found}, and this program reads version 6")]
    Version {
        /// The version.
        found: char,
    },
    /// It was taken of another scene, or with other settings.
    #[error("the snapshot was taken with other {parts}")]
    Other {
        /// What differs.
        parts: String,
    },
    /// It was taken of another scene.
    #[error("the snapshot has {found} {what}, the scene has {expected}")]
    Mismatch {
        /// What is counted.
        what: &'static str,
        /// In the snapshot.
        found: usize,
        /// In the scene.
        expected: usize,
    },
}

impl Simulator {
    /// The present moment as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = self.fingerprint.with(&self.settings).to_bytes();
        out.reserve(256 * self.contacts.len() + 24 * self.state.q.len());
        out.extend_from_slice(&self.steps.to_le_bytes());
        out.extend_from_slice(&self.time.to_le_bytes());
        let activations = self.controllers().iter().filter_map(activation);
        let values: Vec<f64> = self.controllers().iter().map(value).chain(activations).collect();
        for list in [&self.state.q, &self.state.v, &self.control, &values] {
            count(&mut out, list.len());
            for x in list {
                out.extend_from_slice(&x.to_le_bytes());
            }
        }
        put_warm(&mut out, &self.ladder.warm);
        count(&mut out, self.fallbacks().len());
        self.fallbacks().iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        put_warm(&mut out, &self.recovery.warm);
        // what a carried step expects of contacts, loops and motors
        let six = |f: &Force| [f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z];
        let expected: Vec<f64> = self.forces.expected.iter().flat_map(six).collect();
        // by group of trees: still in the overlap it was placed with
        let flags = self.guard.placed.iter().map(|placed| f64::from(u8::from(*placed)));
        // the deepest overlaps so far stand behind them
        let flags: Vec<f64> = flags.chain([self.depths.own, self.depths.placed]).collect();
        for list in [&self.forces.joints, &self.forces.rows, &expected, &flags] {
            count(&mut out, list.len());
            for x in list {
                out.extend_from_slice(&x.to_le_bytes());
            }
        }
        count(&mut out, self.contacts.len());
        self.contacts.iter().for_each(|c| put_contact(&mut out, c));
        let mut whole = Vec::with_capacity(out.len() + 16);
        whole.extend_from_slice(MAGIC);
        // writing to memory does not fail, and a snapshot is shorter than 4 GB
        let _ = write_block(&mut whole, &out);
        whole
    }

    /// Goes back to the moment of a snapshot of the same scene; on an error nothing changes.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.restore_if(bytes, true)
    }

    /// As [`Simulator::restore`], of a scene with as many links, joints and controllers, whatever else differs: for copies of a
    /// scene with masses, surfaces or gains of their own.
    pub fn restore_kin(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.restore_if(bytes, false)
    }

    fn restore_if(&mut self, bytes: &[u8], same_scene: bool) -> Result<(), SnapshotError> {
        let blocks = bytes.strip_prefix(MAGIC).ok_or_else(|| match bytes.strip_prefix(FAMILY) {
            Some([version, ..]) if version.is_ascii_digit() => {
                SnapshotError::Version { found: char::from(*version) }
            }
            _ => SnapshotError::Damaged,
        })?;
        let Block::Whole(body, []) = read_block(blocks) else { return Err(SnapshotError::Damaged) };
        let (print, rest) = body.split_at_checked(Fingerprint::LENGTH).ok_or(SnapshotError::Damaged)?;
        let taken = Fingerprint::from_bytes(print).ok_or(SnapshotError::Damaged)?;
        let kept = self.read(&taken, Reader(rest), same_scene)?;
        self.take(kept);
        Ok(())
    }

    /// What a snapshot has, if it belongs to this scene.
    fn read(&self, taken: &Fingerprint, mut at: Reader<'_>, same_scene: bool) -> Result<Kept, SnapshotError> {
        let (steps, time) = (at.u64()?, f64::from_bits(at.u64()?));
        let (q, v, control, values) = (at.numbers()?, at.numbers()?, at.numbers()?, at.numbers()?);
        let same = |what, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(SnapshotError::Mismatch { what, found, expected }) }
        };
        same("position coordinates", q.len(), self.model().n_q())?;
        same("degrees of freedom", v.len(), self.model().n_v())?;
        same("joint forces", control.len(), self.model().n_v())?;
        let states = self.controllers().iter().filter_map(activation).count();
        same("controllers", values.len(), self.controllers().len() + states)?;
        let parts = taken.differences(&self.fingerprint.with(&self.settings)).join(", ");
        if same_scene && !parts.is_empty() {
            return Err(SnapshotError::Other { parts });
        }
        let warm = at.warm()?;
        let mut fallbacks = Vec::new();
        for _ in 0..at.u32()? {
            fallbacks.push(at.u64()?);
        }
        same("rungs of the ladder", fallbacks.len(), self.fallbacks().len())?;
        let recovery = at.warm()?;
        let (joint_forces, row_forces, expected) = (at.numbers()?, at.numbers()?, at.numbers()?);
        same("joint forces", joint_forces.len(), self.model().n_v())?;
        same("joint forces", row_forces.len(), self.model().n_v())?;
        let flags = at.numbers()?;
        same("groups of trees", flags.len(), self.model().n_v() + 2)?;
        if !expected.is_empty() {
            same("numbers of expected forces", expected.len(), 6 * self.model().n_links())?;
        }
        let mut contacts = Vec::new();
        for _ in 0..at.u32()? {
            let c = at.contact()?;
            if c.a.0.max(c.b.0) >= self.model().n_links() {
                return Err(SnapshotError::Damaged);
            }
            contacts.push(c);
        }
        let warm = [warm, recovery];
        let state = State { q, v };
        let forces = [joint_forces, row_forces, expected];
        Ok(Kept { steps, time, state, control, values, warm, fallbacks, forces, flags, contacts })
    }

    /// Goes to a moment that fits.
    fn take(&mut self, kept: Kept) {
        (self.steps, self.time) = (kept.steps, kept.time);
        self.clock = Clock::at(kept.time, kept.steps, self.settings.dt);
        self.set_state(&kept.state);
        self.control.copy_from_slice(&kept.control);
        [self.ladder.warm, self.recovery.warm] = kept.warm;
        let (flags, depths) = kept.flags.split_at(kept.flags.len() - 2);
        (self.depths.own, self.depths.placed) = (depths[0], depths[1]);
        for (group, flag) in flags.iter().enumerate() {
            self.guard.placed[group] = *flag == 1.0;
        }
        let [joint_forces, row_forces, expected] = &kept.forces;
        self.forces.joints.copy_from_slice(joint_forces);
        self.forces.rows.copy_from_slice(row_forces);
        self.forces.expected.clear();
        self.forces.expected.extend(
            expected.chunks_exact(6).map(|f| {
                Force::new(Vector3::from_column_slice(&f[..3]), Vector3::from_column_slice(&f[3..]))
            }),
        );
        self.contacts = kept.contacts;
        self.set_fallbacks(&kept.fallbacks);
        let (values, activations) = kept.values.split_at(self.controllers().len());
        let mut activations = activations.iter().copied();
        for (index, &x) in values.iter().enumerate() {
            match self.controller_mut(index) {
                Some(Controller::Actuator(a)) => {
                    a.control = x;
                    a.activation = activations.next().unwrap_or(a.activation);
                }
                Some(Controller::Force { force, .. }) => *force = x,
                Some(Controller::Motor { velocity, .. }) => *velocity = x,
                None
                | Some(
                    Controller::Pd { .. } | Controller::ComputedTorque { .. } | Controller::HighGain { .. },
                ) => {}
            }
        }
    }
}

/// What a snapshot keeps, in its order but for the fingerprint.
struct Kept {
    steps: u64,
    time: f64,
    state: State,
    control: Vec<f64>,
    /// Of controllers, with activations behind them.
    values: Vec<f64>,
    /// Of the steps, and of the recovery from overlap.
    warm: [WarmStart; 2],
    fallbacks: Vec<u64>,
    /// Of joints, those of rows, and those a carried step expects.
    forces: [Vec<f64>; 3],
    /// By group of trees, with two depths behind them.
    flags: Vec<f64>,
    contacts: Vec<ContactInfo>,
}

/// The number that may change while a controller runs.
fn value(controller: &Controller) -> f64 {
    match controller {
        Controller::Force { force, .. } => *force,
        Controller::Motor { velocity, .. } => *velocity,
        Controller::Actuator(a) => a.control,
        Controller::Pd { .. } | Controller::ComputedTorque { .. } | Controller::HighGain { .. } => 0.0,
    }
}

/// The state of an actuator.
fn activation(controller: &Controller) -> Option<f64> {
    if let Controller::Actuator(a) = controller { Some(a.activation) } else { None }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_warm(out: &mut Vec<u8>, warm: &WarmStart) {
    count(out, warm.entries().len());
    for e in warm.entries() {
        out.extend_from_slice(&[e.kind as u8, e.mode as u8]);
        out.extend_from_slice(&e.id.to_le_bytes());
        out.extend_from_slice(&e.basis.to_le_bytes());
        out.extend_from_slice(&e.facets.to_le_bytes());
        for x in [e.angle, e.impulse[0], e.impulse[1], e.impulse[2]] {
            out.extend_from_slice(&x.to_le_bytes());
        }
    }
}

fn put_contact(out: &mut Vec<u8>, c: &ContactInfo) {
    out.push(c.mode as u8);
    for n in [c.a.0 as u64, c.b.0 as u64, c.colliders.0 as u64, c.colliders.1 as u64, c.id] {
        out.extend_from_slice(&n.to_le_bytes());
    }
    let m = &c.material;
    let vectors = c
        .point
        .iter()
        .chain([&c.rise])
        .chain(&c.normal)
        .chain([&c.gap])
        .chain(&c.force)
        .chain(&c.moment)
        .chain(&c.slip);
    let rubbing = [&m.friction, &m.restitution, &m.stiffness, &m.damping, &m.torsion, &m.rolling];
    for x in vectors.chain(rubbing).chain([&m.kinetic.unwrap_or(f64::NAN)]) {
        out.extend_from_slice(&x.to_le_bytes());
    }
}

//! Contacts that take the place of others.
//!
//! A solve starts from what each contact did in the step before, and a contact is known by the features that meet. Where a ball
//! rolls over triangles, or a foot turns over the edges of a hull, features change in every step while load hardly does: of the
//! load of a ball bearing on meshes a third is on contacts that were not there a step ago. So what is gone hands its impulse on to what has come
//! between the same two colliders, nearest first. It is a start and no more: the answer is judged as any.

use gudgeon_lcp::{WarmKind, WarmStart};

use super::Simulator;
use super::memory::Meeting;
use crate::contact_info::ContactInfo;

/// Pairs of contacts of two colliders that are compared, come and gone: beyond, a step would pay for the square of their number.
const MOST: usize = 1024;

/// The contacts of the step before, and who takes the place of whom; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Heirs {
    last: Vec<ContactInfo>,
    present: Vec<u64>,          // ids, ascending
    come: Vec<usize>,           // of the contacts, by colliders
    gone: Vec<usize>,           // of `last`, likewise
    near: Vec<(f64, u64, u64)>, // distance², ids of gone and come
    places: Vec<(u64, u64)>,    // from, to
}

impl Heirs {
    /// Finds who takes whose place among contacts that the memory does not know.
    fn find(&mut self, contacts: &[ContactInfo], warm: &WarmStart) {
        let Self { last, present, come, gone, near, places } = self;
        places.clear();
        come.clear();
        come.extend(
            (0..contacts.len()).filter(|&k| warm.recall(WarmKind::Contact, contacts[k].id).is_none()),
        );
        if come.is_empty() || last.is_empty() {
            return;
        }
        present.clear();
        present.extend(contacts.iter().map(|c| c.id));
        present.sort_unstable();
        gone.clear();
        gone.extend((0..last.len()).filter(|&k| present.binary_search(&last[k].id).is_err()));
        come.sort_unstable_by_key(|&k| (contacts[k].colliders, contacts[k].id));
        gone.sort_unstable_by_key(|&k| (last[k].colliders, last[k].id));
        let mut rest = gone.as_slice();
        for come in come.chunk_by(|&a, &b| contacts[a].colliders == contacts[b].colliders) {
            let pair = contacts[come[0]].colliders;
            rest = &rest[rest.partition_point(|&k| last[k].colliders < pair)..];
            let gone = &rest[..rest.partition_point(|&k| last[k].colliders == pair)];
            if gone.len() * come.len() > MOST {
                continue;
            }
            near.clear();
            for (&old, &new) in gone.iter().flat_map(|old| come.iter().map(move |new| (old, new))) {
                let (old, new) = (&last[old], &contacts[new]);
                near.push(((old.point - new.point).norm_squared(), old.id, new.id));
            }
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let first = places.len();
            for &(_, old, new) in near.iter() {
                if places[first..].iter().all(|&(from, to)| from != old && to != new) {
                    places.push((old, new));
                }
            }
        }
    }
}

impl Simulator {
    /// Keeps the contacts of the step before.
    pub(super) fn keep_places(&mut self) {
        std::mem::swap(&mut self.contacts, &mut self.meeting.heirs.last);
    }

    /// Lets contacts that have come start from what those did whose place they take.
    pub(super) fn hand_on(&mut self) {
        let Self { contacts, meeting: Meeting { heirs, .. }, ladder, recovery, .. } = self;
        heirs.find(contacts, &ladder.warm);
        ladder.warm.hand_on(WarmKind::Contact, &heirs.places);
        recovery.warm.hand_on(WarmKind::Contact, &heirs.places);
    }
}

#[cfg(test)]
mod tests {
    use gudgeon_lcp::{ContactMode, WarmEntry};
    use gudgeon_multibody::LinkId;
    use gudgeon_spatial::Vector3;

    use super::*;
    use crate::frame::Mode;
    use crate::surface::Material;

    fn contact(colliders: (usize, usize), id: u64, x: f64) -> ContactInfo {
        ContactInfo {
            a: LinkId(1),
            b: LinkId(0),
            colliders,
            id,
            point: Vector3::new(x, 0.0, 0.0),
            normal: Vector3::z(),
            rise: 0.0,
            gap: 0.0,
            force: Vector3::zeros(),
            moment: Vector3::zeros(),
            slip: Vector3::zeros(),
            mode: Mode::Open,
            material: Material::default(),
        }
    }

    fn remembered(ids: &[u64]) -> WarmStart {
        let entry = |&id: &u64| WarmEntry {
            kind: WarmKind::Contact,
            id,
            basis: 0,
            facets: 8,
            mode: ContactMode::Stick,
            angle: 0.0,
            impulse: [id as f64, 0.0, 0.0],
        };
        WarmStart::from_entries(ids.iter().map(entry))
    }

    /// Of three that are gone the nearest hand on, within their pair of colliders alone, whatever the order; what stays keeps its own.
    #[test]
    fn the_nearest_takes_the_place() {
        let last = [
            contact((0, 1), 1, 0.0),
            contact((0, 1), 2, 1.0),
            contact((0, 2), 3, 2.1),
            contact((0, 1), 4, 5.0),
        ];
        let now = [
            contact((0, 1), 10, 1.1),
            contact((0, 1), 11, 0.8),
            contact((0, 3), 12, 2.1),
            contact((0, 1), 4, 5.1),
        ];
        for turned in [false, true] {
            let (mut heirs, mut now) = (Heirs { last: last.to_vec(), ..Heirs::default() }, now.to_vec());
            if turned {
                now.reverse();
                heirs.last.reverse();
            }
            let mut warm = remembered(&[1, 2, 3, 4]);
            heirs.find(&now, &warm);
            warm.hand_on(WarmKind::Contact, &heirs.places);
            let of = |id| warm.recall(WarmKind::Contact, id).map(|e| e.impulse[0]);
            assert_eq!([of(10), of(11), of(12), of(4)], [Some(2.0), Some(1.0), None, Some(4.0)]);
        }
    }

    /// A memory that knows nothing hands nothing on.
    #[test]
    fn what_is_forgotten_is_not_handed_on() {
        let mut heirs = Heirs { last: vec![contact((0, 1), 1, 0.0)], ..Heirs::default() };
        let mut warm = WarmStart::default();
        heirs.find(&[contact((0, 1), 2, 0.0)], &warm);
        warm.hand_on(WarmKind::Contact, &heirs.places);
        assert!(warm.entries().is_empty());
    }
}

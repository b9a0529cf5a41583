//! What is remembered, as plain numbers and back.

use super::*;

#[test]
fn a_snapshot_of_the_memory_is_the_memory() {
    let entry = |kind, id| WarmEntry {
        kind,
        id,
        basis: id ^ 5,
        facets: 8,
        mode: ContactMode::Slip,
        angle: 0.1,
        impulse: [0.3; 3],
    };
    let all = [
        entry(WarmKind::Bounded, 1),
        entry(WarmKind::Contact, 9),
        entry(WarmKind::Contact, 2),
        entry(WarmKind::Unilateral, 7),
        entry(WarmKind::Contact, 9),
    ];
    let warm = WarmStart::from_entries(all);
    assert_eq!(warm.entries().len(), 4);
    assert_eq!(warm, WarmStart::from_entries(warm.entries().iter().copied()));
    for entry in warm.entries() {
        assert_eq!(WarmEntry::from_words(entry.to_words()), Some(*entry));
    }
    assert_eq!(warm.recall(WarmKind::Contact, 9), Some(&all[1]));
    assert_eq!(warm.recall(WarmKind::Unilateral, 9), None);
}

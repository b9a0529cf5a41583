//! A small share of the campaign on machine parts (`--example mating`): no normal points the wrong way, no depth is made up.

use crate::mating::{Asked, Tally, judge, pairs};

/// Poses that the whole campaign found: rims that enter each other through their walls, wedges sharper than 60 degrees.
#[test]
fn poses_that_were_found_hold() {
    for (name, poses) in [("saddles", &[1225, 1188, 286][..]), ("thread, two tessellations", &[890])] {
        let pair = pairs().into_iter().find(|p| p.name == name).expect("a pair of the campaign");
        for &index in poses {
            let tally = judge(&pair, index, &mut Asked::default(), |finding| println!("{finding}"));
            assert!(tally.poses == 1 && tally.bad() == 0, "{name} {index}: {tally:?}");
        }
    }
}

#[test]
fn normals_and_depths_of_parts_that_nearly_touch() {
    let mut all = Tally::default();
    for pair in pairs() {
        let (mut asked, mut tally) = (Asked::default(), Tally::default());
        // pose 0 of the threads and gears overlaps by 20 um: edges of flanks have passed each other
        for index in [0, 2, 10] {
            tally.add(&judge(&pair, index, &mut asked, |finding| println!("{finding}")));
        }
        println!("{}: {tally:?}", pair.name);
        all.add(&tally);
    }
    assert!(all.poses >= 20 && all.contacts > 500, "the campaign has become empty: {all:?}");
    assert_eq!(all.bad(), 0, "{all:?}");
}

//! The pairs of parts of the campaign.

use super::parts::{Thread, gear, saddle, torus};
use super::{Mating, Pair};

/// Threads of two slopes, spur and helical gears, saddles and tori.
pub(crate) fn pairs() -> Vec<Pair> {
    let thread = |flank: f64, segments: usize, pitch: f64| {
        let screw = Thread {
            root: 4.0e-3,
            crest: 5.0e-3,
            pitch,
            flank,
            crest_width: 0.3 * pitch,
            length: 5.2 * pitch,
            segments,
        };
        let clearance = 1.5e-4;
        let nut = Thread {
            root: screw.root + 2e-4,
            crest: screw.crest + 2e-4,
            crest_width: screw.crest_width + 2.0 * clearance,
            length: 2.3 * pitch,
            ..screw
        };
        let mating = Mating::Thread { pitch, nut: nut.length, screw: screw.length, clearance };
        (nut.nut(8e-3), screw.screw(), mating)
    };
    let (nut, screw, mating) = thread(0.05, 32, 3e-3);
    let square = Pair::new("square thread", &nut, &screw, mating);
    let (nut, screw, mating) = thread(0.5, 24, 3e-3);
    let sharp = Pair::new("sharp thread", &nut, &screw, mating);
    let (nut, _, mating) = thread(0.25, 30, 4e-3);
    let (_, screw, _) = thread(0.25, 37, 4e-3);
    let odd = Pair::new("thread, two tessellations", &nut, &screw, mating);
    let gears = |name, helix: f64| {
        let (a, b) =
            (gear(1e-3, 14, 5e-3, helix, 1e-4, 7), gear(1e-3, 21, 5e-3, -helix * 14.0 / 21.0, 1e-4, 7));
        Pair::new(name, &a, &b, Mating::Gears { distance: 17.55e-3, teeth: [14, 21], helix })
    };
    let block = saddle(6e-3, 1e-2, 14);
    let ring = torus(8e-3, 2e-3, 28, 16);
    let thin = torus(6e-3, 1.5e-3, 40, 12);
    vec![
        square,
        sharp,
        odd,
        gears("spur gears", 0.0),
        gears("helical gears", 0.3),
        Pair::new("saddles", &block, &block, Mating::Saddles),
        Pair::new("saddle and torus", &ring, &block, Mating::Loose { reach: 1.1e-2 }),
        Pair::new("tori", &ring, &thin, Mating::Loose { reach: 9e-3 }),
    ]
}

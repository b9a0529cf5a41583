//! Every pair of convex shapes at random poses against brute force: 1,000 each, and 10,000 by `-- --ignored long_campaign`.
//!
//! The separation along any direction is a lower bound of the signed distance, so a contact (n, gap) is
//! right when three things hold: gap is the separation along n; turning n a little never does better
//! (a local maximum); and no climb from directions spread over the sphere ends higher (the global one).

use crate::support::{Pose, Rng, Vec3, climb, contacts, convex_shapes, deepest, fibonacci, separation};
use gudgeon_collide::Shape;

/// Metres: the promise of the crate for exact shapes, on shapes of about 1 m.
const EXACT: f64 = 1e-9;

/// The worst violation of each of the three over random poses.
fn worst_of_pair(a: &Shape, b: &Shape, seed: u64, poses: usize) -> [f64; 3] {
    let directions = fibonacci(48);
    let margin = 0.1;
    let mut rng = Rng(seed);
    let mut worst = [0.0_f64; 3];
    for _ in 0..poses {
        let (xa, xb) = (rng.pose(0.1), rng.pose(1.6));
        let found = contacts(a, &xa, b, &xb, margin);
        let reach = climb(a, &xa, b, &xb, &directions);
        // nothing found: the shapes must be apart by more than the margin, which some direction shows
        let gap = if found.is_empty() { margin } else { deepest(&found).gap };
        if found.is_empty() {
            let closer = contacts(a, &xa, b, &xb, 10.0);
            assert!(deepest(&closer).gap > margin, "{} {}: missed", a.name(), b.name());
            continue;
        }
        let n = deepest(&found).normal;
        worst[0] = worst[0].max((separation(a, &xa, b, &xb, &n) - gap).abs());
        worst[1] = worst[1].max(turning_gain(a, &xa, b, &xb, &n) - gap);
        worst[2] = worst[2].max(reach - gap);
        assert!(worst.iter().all(|w| *w < EXACT), "{} {} {worst:?} at {xa} {xb}", a.name(), b.name());
    }
    worst
}

fn turning_gain(a: &Shape, xa: &Pose, b: &Shape, xb: &Pose, n: &Vec3) -> f64 {
    let e = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let t1 = n.cross(&e).normalize();
    let t2 = n.cross(&t1);
    let mut best = f64::NEG_INFINITY;
    for step in [1e-2, 1e-4, 1e-6] {
        for t in [t1, -t1, t2, -t2, t1 + t2, t1 - t2, t2 - t1, -t1 - t2] {
            best = best.max(separation(a, xa, b, xb, &(n + t * step).normalize()));
        }
    }
    best
}

fn all_pairs(poses: usize) {
    let shapes = convex_shapes();
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i) {
            let [gap, turned, climbed] = worst_of_pair(a, b, (100 * i + j) as u64, poses);
            println!("{:>17} {:<17} {gap:.1e} {turned:.1e} {climbed:.1e}", a.name(), b.name());
        }
    }
}

#[test]
fn every_convex_pair_has_the_depth_and_normal_of_a_brute_force_search() {
    all_pairs(1_000);
}

#[test]
#[ignore = "a minute: 10,000 poses of every convex pair against brute force"]
fn long_campaign_of_convex_pairs_against_brute_force() {
    all_pairs(10_000);
}

//! The long campaign: 10,000 poses of every pair of shapes, exchanged, seen from another frame, and nudged.
//!
//! `cargo test --release -p gudgeon-collide -- --ignored long_campaign --nocapture` prints one line per pair; every pose
//! that is off is counted and the first few are told, so that one run says all there is to know. `GUDGEON_SEED=1` and so on
//! choose other poses.

use gudgeon_collide::{ContactPoint, Kind, Shape};

use crate::support::{Rng, Vec3, all_shapes, at, contacts, turned};

const POSES: usize = 10_000;
/// Metres and radians, with coordinates of 10 m.
const SAME: f64 = 1e-10;
/// Metres and radians of a nudge.
const STEP: f64 = 1e-7;

/// The greatest differences of gap, normal and point between two sets of contacts paired up by likeness;
/// `None` when they differ in number.
fn difference(
    a: &[ContactPoint],
    b: &[ContactPoint],
    moved: impl Fn(&ContactPoint) -> (Vec3, Vec3),
) -> Option<[f64; 3]> {
    let mut worst = [0.0_f64; 3];
    for p in a {
        let (point, normal) = moved(p);
        let off =
            |q: &ContactPoint| [(q.gap - p.gap).abs(), (q.normal - normal).norm(), (q.point - point).norm()];
        let size = |d: &[f64; 3]| d[0].max(d[1]).max(d[2]);
        let nearest = b.iter().map(off).min_by(|d, e| size(d).total_cmp(&size(e)))?;
        worst = std::array::from_fn(|k| worst[k].max(nearest[k]));
    }
    (a.len() == b.len()).then_some(worst)
}

fn deepest_gap(points: &[ContactPoint]) -> f64 {
    points.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
}

#[derive(Default)]
struct Line {
    touching: usize,
    worst: [f64; 3],
    off: usize,
    /// Change of the deepest gap over the nudge: to a depth of 3 cm, and deeper.
    slope: [f64; 2],
    jumps: [usize; 2],
    deep: usize,
    told: Vec<String>,
}

impl Line {
    fn tell(&mut self, what: String) {
        if self.told.len() < 3 {
            self.told.push(what);
        }
    }

    fn pose(&mut self, a: &Shape, b: &Shape, k: usize, rng: &mut Rng, nudges: &mut Rng) {
        let (xa, xb, scene) = (rng.pose(0.2), rng.pose(1.6), rng.pose(10.0));
        let mut step = || nudges.range(-STEP, STEP);
        let shift = at(step(), step(), step());
        let nudged = shift * turned(nudges.direction(), STEP) * xa;
        let here = contacts(a, &xa, b, &xb, 0.05);
        let back = contacts(b, &xb, a, &xa, 0.05);
        let there = contacts(a, &(scene * xa), b, &(scene * xb), 0.05);
        self.touching += usize::from(!here.is_empty());
        let moved = |c: &ContactPoint| {
            (scene.rotation * c.point + scene.translation.vector, scene.rotation * c.normal)
        };
        let found = [difference(&here, &back, |c| (c.point, -c.normal)), difference(&here, &there, moved)];
        for (d, what) in found.iter().zip(["exchanged", "moved"]) {
            match d {
                Some(d) if d.iter().all(|x| *x < SAME) => {
                    self.worst = std::array::from_fn(|i| self.worst[i].max(d[i]));
                }
                _ => {
                    self.off += 1;
                    self.tell(format!("pose {k} {what}: {d:?}, depth {:.4}", -deepest_gap(&here)));
                }
            }
        }
        // metres: at the margin itself contacts may come and go
        if !here.is_empty() && deepest_gap(&here) < 0.05 - 1e-6 {
            let deep = usize::from(deepest_gap(&here) < -0.03);
            self.deep += deep;
            let change = (deepest_gap(&here) - deepest_gap(&contacts(a, &nudged, b, &xb, 0.05))).abs();
            // a signed distance moves as far as the fastest point does: 1e-7 (sqrt 3 + 2 m of lever); deeper in a mesh
            // the direction turns with the contour, and only a jump is told
            if change < [4.0 * STEP, 100.0 * STEP][deep] {
                self.slope[deep] = self.slope[deep].max(change / STEP);
            } else {
                self.jumps[deep] += 1;
                self.tell(format!("pose {k} nudged: {change:.1e}, depth {:.4}", -deepest_gap(&here)));
            }
        }
    }
}

fn campaign(wanted: impl Fn(&Shape, &Shape) -> bool) {
    let shapes = all_shapes();
    let seed: u64 = std::env::var("GUDGEON_SEED").map_or(0, |s| s.parse().expect("a number"));
    let (mut off, mut jumps) = (0, 0);
    println!(
        "pair: touching, worst gap, normal, point, off; nudged to 3 cm: slope, jumps; deeper: poses, slope, jumps"
    );
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i).filter(|(_, b)| wanted(a, b)) {
            let mut rng = Rng((37 * i + j) as u64 + 1000 * seed);
            let mut nudges = Rng((43 * i + j) as u64 + 1000 * seed);
            let mut line = Line::default();
            for k in 0..POSES {
                line.pose(a, b, k, &mut rng, &mut nudges);
            }
            let Line { touching, worst: [gap, normal, point], slope, deep, .. } = line;
            println!(
                "{i}-{j} {}, {}: {touching}, {gap:.1e}, {normal:.1e}, {point:.1e}, {}; {:.2}, {}; {deep}, {:.0}, {}",
                a.name(),
                b.name(),
                line.off,
                slope[0],
                line.jumps[0],
                slope[1],
                line.jumps[1]
            );
            for what in &line.told {
                println!("    {what}");
            }
            off += line.off;
            jumps += line.jumps[0];
        }
    }
    assert!(off == 0 && jumps == 0, "{off} comparisons off, {jumps} jumps");
}

/// Plane-faced or a surface: pairs of these go through contours.
fn surface(shape: &Shape) -> bool {
    matches!(shape.kind(), Kind::Box(..) | Kind::Convex(_)) || !convex(shape)
}

fn convex(shape: &Shape) -> bool {
    !matches!(shape.kind(), Kind::Mesh(_) | Kind::Heightfield(_) | Kind::Compound(_))
}

#[test]
#[ignore = "minutes: 10,000 poses of every pair of surfaces"]
fn long_campaign_of_surfaces() {
    campaign(|a, b| surface(a) && surface(b) && !(convex(a) && convex(b)));
}

#[test]
#[ignore = "minutes: 10,000 poses of every round shape or plane with a non-convex one"]
fn long_campaign_of_round_shapes_on_surfaces() {
    campaign(|a, b| !(surface(a) && surface(b) || convex(a) && convex(b)));
}

#[test]
#[ignore = "minutes: 10,000 poses of every convex pair"]
fn long_campaign_of_convex_pairs() {
    campaign(|a, b| convex(a) && convex(b));
}

/// Deep in each other, two poses of the campaign where a line through the overlap runs along ridges: which mesh comes first once
/// decided whether it was held.
#[test]
fn what_is_held_all_around_does_not_depend_on_the_order() {
    let shapes = all_shapes();
    for (i, j, pose) in [(8_usize, 8_usize, 1199), (9, 10, 423)] {
        let mut rng = Rng((37 * i + j) as u64);
        for _ in 0..pose {
            let _ = (rng.pose(0.2), rng.pose(1.6), rng.pose(10.0));
        }
        let mut line = Line::default();
        line.pose(&shapes[i], &shapes[j], pose, &mut rng, &mut Rng(1));
        assert!(line.touching == 1 && line.off == 0, "{i}-{j}: {:?}", line.told);
    }
}

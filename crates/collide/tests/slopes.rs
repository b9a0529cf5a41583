//! Slopes of contacts in closed form against differences of the narrow phase, for every pair of shapes.

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Shape, SlopeSource, SlopeWorkspace};
use nalgebra::{Isometry3, Vector3};

use crate::support::Rng;

fn shapes() -> Vec<(&'static str, Shape)> {
    let hull: Vec<Vector3<f64>> = (0..14)
        .map(|k| {
            let k = f64::from(k);
            Vector3::new((k * 1.7).sin(), (k * 2.9).cos(), (k * 0.8 + 1.0).sin()) * 0.3
        })
        .collect();
    vec![
        ("plane", Shape::plane()),
        ("sphere", Shape::sphere(0.2).unwrap()),
        ("capsule", Shape::capsule(0.25, 0.1).unwrap()),
        ("box", Shape::cuboid(0.2, 0.25, 0.15).unwrap()),
        ("cylinder", Shape::cylinder(0.2, 0.15).unwrap()),
        ("cone", Shape::cone(0.2, 0.2).unwrap()),
        ("ellipsoid", Shape::ellipsoid(0.2, 0.3, 0.15).unwrap()),
        ("hull", Shape::convex_hull(&hull).unwrap()),
    ]
}

/// How often the closed form was there, how often it differed, and of how many contacts.
fn compare(a: &Shape, b: &Shape, rng: &mut Rng, tries: usize) -> (usize, usize, usize, f64) {
    let mut geometry = Geometry::new();
    geometry.add(Collider::new(a.clone(), 0));
    geometry.add(Collider::new(b.clone(), 1));
    let (mut found, mut slopes) = (CollisionWorkspace::new(), SlopeWorkspace::default());
    let mut contacts = Vec::new();
    let (mut closed, mut off, mut all, mut worst) = (0, 0, 0, 0.0_f64);
    for _ in 0..tries {
        let turn =
            |rng: &mut Rng| Vector3::new(rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), rng.range(-2.0, 2.0));
        let towards = Vector3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let plane = matches!(a.kind(), gudgeon_collide::Kind::Plane);
        let pose_a =
            Isometry3::new(Vector3::new(0.1, -0.2, 0.3), if plane { Vector3::zeros() } else { turn(rng) });
        let mut pose_b = Isometry3::new(towards, turn(rng));
        if plane {
            pose_b.translation.vector = Vector3::new(0.0, 0.0, 0.3 + rng.range(0.0, 0.3));
        } else {
            // up to the surface, and a little in or short of it
            let far = found.distance(a, &pose_a, b, &pose_b, 10.0);
            let Some(d) = far else { continue };
            let step = d.distance - rng.range(-0.01, 0.02);
            pose_b.translation.vector += d.normal * step;
        }
        let poses = [pose_a, pose_b];
        found.contacts(&geometry, &poses, 0.02, &mut contacts);
        for c in &contacts {
            let (Some(s), Some(d)) =
                (slopes.slopes(&geometry, &poses, c), slopes.slopes_by_differences(&geometry, &poses, c))
            else {
                continue;
            };
            all += 1;
            if s.source == SlopeSource::Features {
                closed += 1;
                let error =
                    (s.point - d.point).amax().max((s.normal - d.normal).amax()).max((s.gap - d.gap).amax());
                let size = d.point.amax().max(d.normal.amax()).max(1.0);
                if error < 1e-5 * size {
                    worst = worst.max(error / size);
                } else {
                    off += 1;
                }
            }
        }
    }
    (all, closed, off, worst)
}

#[test]
fn contacts_of_all_convex_pairs_have_the_slopes_of_their_differences() {
    let mut rng = Rng(5);
    let shapes = shapes();
    let (mut sum_all, mut sum_closed, mut sum_off) = (0, 0, 0);
    for (i, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in &shapes[i..] {
            if *name_a == "plane" && *name_b == "plane" {
                continue;
            }
            let (all, closed, off, worst) = compare(a, b, &mut rng, 40);
            println!(
                "{name_a:>10} {name_b:>10}: {all:4} contacts, {closed:4} in closed form, {off:3} differ, worst of the others {worst:.1e}"
            );
            sum_all += all;
            sum_closed += closed;
            sum_off += off;
        }
    }
    println!("{sum_all} contacts, {sum_closed} in closed form, {sum_off} differ");
    assert!(sum_closed * 10 > sum_all * 8, "{sum_closed} of {sum_all} in closed form");
    assert_eq!(sum_off, 0, "of {sum_closed}");
}

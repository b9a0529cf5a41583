//! What a pair of convex hulls costs: apart, near, touching and deep, by number of vertices.
//!
//! `cargo run --release -p gudgeon-collide --example hulls`

use std::time::Instant;

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Kind, Shape};
use nalgebra::{Isometry3, Vector3};

/// Points of an ellipsoid by the golden spiral, a little rough.
fn hull(points: usize) -> Shape {
    let cloud: Vec<Vector3<f64>> = (0..points)
        .map(|k| {
            let t = k as f64;
            let z = 1.0 - 2.0 * (t + 0.5) / points as f64;
            let (s, c) = (2.399_963_229_728_653 * t).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vector3::new(0.1 * r * c, 0.07 * r * s, 0.05 * z) * (1.0 + 1e-3 * (7.7 * t).sin())
        })
        .collect();
    Shape::convex_hull(&cloud).expect("points in general position")
}

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    println!(
        "{:>8} {:>8} {:>10} {:>10} {:>10} {:>10}",
        "points", "vertices", "apart us", "near us", "touch us", "deep us"
    );
    for points in [20, 60, 200, 600, 2000] {
        let shape = hull(points);
        let vertices =
            if let Kind::Convex(solid) = shape.kind() { solid.polytope().vertices().len() } else { 0 };
        let mut geometry = Geometry::new();
        geometry.add(Collider::new(shape.clone(), 0));
        geometry.add(Collider::new(shape, 1));
        print!("{points:>8} {vertices:>8}");
        for distance in [0.11, 0.1015, 0.0999, 0.07] {
            let mut ws = CollisionWorkspace::new();
            let mut out = Vec::new();
            let mut times = Vec::new();
            for k in 0..400 {
                let t = f64::from(k);
                let turn = Vector3::new(0.3 + 1e-3 * t, 0.2, 1e-3 * t);
                let poses = [
                    Isometry3::new(Vector3::new(0.0, 0.0, distance), turn * 0.1),
                    Isometry3::new(Vector3::zeros(), Vector3::new(0.05, 0.0, 0.7)),
                ];
                let began = Instant::now();
                ws.contacts(&geometry, &poses, 2e-3, &mut out);
                times.push(began.elapsed().as_secs_f64());
            }
            times.sort_by(f64::total_cmp);
            print!(" {:>6.2} ({})", 1e6 * times[times.len() / 2], out.len());
        }
        println!();
    }
}

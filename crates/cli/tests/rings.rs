//! Why the paper's hooked rings have 22 active contacts and ours 4: corners of the contour in which two rings of the scene `ring`
//! cut each other, by how deep they are in each other. A collision library for polygons reports them as its contact points.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

type Point = [f64; 3];

// as in crates/sim/src/scenes/ring.rs
const BIG: f64 = 0.03;
const SMALL: f64 = 0.006;
const AROUND: usize = 24;
const TUBE: usize = 12;

fn ring() -> (Vec<Point>, Vec<[usize; 3]>) {
    let angle = |k: usize, n: usize| TAU * (k as f64 + 1.0 / 3.0) / n as f64;
    let corner = |i: usize, j: usize| (i % AROUND) * TUBE + j % TUBE;
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..AROUND {
        for j in 0..TUBE {
            let (u, v) = (angle(i, AROUND), angle(j, TUBE));
            let reach = BIG + SMALL * v.cos();
            points.push([reach * u.cos(), reach * u.sin(), SMALL * v.sin()]);
            let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (points, triangles)
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// How many edges of one go through faces of the other.
fn pierced(one: &[Point], other: &[Point], triangles: &[[usize; 3]]) -> usize {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges: BTreeSet<[usize; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    let through = |&[a, b]: &[usize; 2], &[i, j, k]: &[usize; 3]| {
        let (p, along) = (one[a], minus(one[b], one[a]));
        let (e, f) = (minus(other[j], other[i]), minus(other[k], other[i]));
        let h = cross(along, f);
        let det = dot(h, e);
        let s = minus(p, other[i]);
        let q = cross(s, e);
        let (u, v, w) = (dot(s, h) / det, dot(along, q) / det, dot(f, q) / det);
        u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&w)
    };
    edges.iter().map(|edge| triangles.iter().filter(|t| through(edge, t)).count()).sum()
}

/// Corners of the contour of two rings hooked into each other, the lower one this far below the upper.
fn corners(below: f64) -> usize {
    let (points, triangles) = ring();
    let upper: Vec<Point> = points.iter().map(|&[x, y, z]| [x, -z, y]).collect();
    let lower: Vec<Point> = upper.iter().map(|&[x, y, z]| [-y, x, z - below]).collect();
    pierced(&upper, &lower, &triangles) + pierced(&lower, &upper, &triangles)
}

#[test]
fn rings_that_sink_into_each_other_have_many_contacts_and_rings_that_touch_four_corners() {
    // where they begin to touch, to 1e-9 m
    let (mut apart, mut cut) = (0.97 * 2.0 * (BIG - SMALL), 1.03 * 2.0 * (BIG - SMALL));
    for _ in 0..22 {
        let middle = 0.5 * (apart + cut);
        *(if corners(middle) > 0 { &mut cut } else { &mut apart }) = middle;
    }
    let found = [1e-6, 1e-5, 1e-4, 3e-4, 1e-3].map(|depth| corners(cut + depth));
    println!("corners at depths of 1, 10, 100, 300, 1000 um: {found:?}");
    assert_eq!(found, [4, 4, 4, 8, 24]);
}

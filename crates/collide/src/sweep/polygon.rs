//! Polygons in the plane: area, whether one crosses itself, and triangles by cutting off ears.

use crate::rigid::norm2;

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

pub(super) fn area(points: &[[f64; 2]]) -> f64 {
    let n = points.len();
    0.5 * (0..n).map(|i| cross([0.0; 2], points[i], points[(i + 1) % n])).sum::<f64>()
}

pub(super) fn crosses_itself(points: &[[f64; 2]]) -> bool {
    let n = points.len();
    let side = |i: usize| (points[i], points[(i + 1) % n]);
    (0..n).any(|i| {
        (i + 2..n).filter(|j| (j + 1) % n != i).any(|j| {
            let ((a, b), (c, d)) = (side(i), side(j));
            cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0
        })
    })
}

/// A counter-clockwise polygon as triangles, by cutting off ears.
pub(super) fn ears(points: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut out = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        let ear = |i: usize| {
            let t = corner(i);
            let [a, b, c] = t.map(|k| points[k]);
            let empty = left.iter().filter(|k| !t.contains(k)).all(|&k| {
                let p = points[k];
                cross(a, b, p) < 0.0 || cross(b, c, p) < 0.0 || cross(c, a, p) < 0.0
            });
            (cross(a, b, c) > 0.0 && empty).then(|| {
                // the least acute of all: slivers make poor normals
                let lengths = [(a, b), (b, c), (c, a)].map(|(p, q)| norm2(q[0] - p[0], q[1] - p[1]));
                cross(a, b, c) / lengths.iter().fold(0.0_f64, |m, l| m.max(l * l))
            })
        };
        let best = (0..n).filter_map(|i| ear(i).map(|q| (i, q))).max_by(|p, q| p.1.total_cmp(&q.1));
        // rounding may leave no ear of a polygon that does not cross itself: the flattest corner goes
        let i = best.map_or(0, |b| b.0);
        out.push(corner(i));
        left.remove(i);
    }
    out.push([left[0], left[1], left[2]]);
    out
}

//! Shapes as triangles: points, a normal at each, and which three belong together.

use super::V3;

/// Sides of round shapes.
const SIDES: usize = 20;

pub(super) type Part = (Vec<V3>, Vec<V3>, Vec<[usize; 3]>);

/// Half a circle from pole to pole, its halves `h` apart from the middle: radius, height, normal (out, up).
pub(super) fn arc(r: f64, h: f64) -> Vec<[f64; 4]> {
    let steps = SIDES / 2;
    (0..=steps)
        .flat_map(|k| {
            let (s, c) = (std::f64::consts::PI * k as f64 / steps as f64).sin_cos();
            let at = |side: f64| [r * s, -r * c + side * h, s, -c];
            if 2 * k == steps {
                vec![at(-1.0), at(1.0)]
            } else {
                vec![at(if 2 * k < steps { -1.0 } else { 1.0 })]
            }
        })
        .collect()
}

/// A profile turned about z.
pub(super) fn lathe(profile: &[[f64; 4]]) -> Part {
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for [r, z, out, up] in profile {
        for k in 0..SIDES {
            let (s, c) = (std::f64::consts::TAU * k as f64 / SIDES as f64).sin_cos();
            points.push(V3::new(r * c, r * s, *z));
            normals.push(V3::new(out * c, out * s, *up));
        }
    }
    for ring in 1..profile.len() {
        for k in 0..SIDES {
            let next = (k + 1) % SIDES;
            let (a, b) = ((ring - 1) * SIDES, ring * SIDES);
            triangles.push([a + k, a + next, b + next]);
            triangles.push([a + k, b + next, b + k]);
        }
    }
    (points, normals, triangles)
}

pub(super) fn stretched(part: Part, axes: &[f64]) -> Part {
    let [x, y, z] = *axes else { return part };
    let (points, normals, triangles) = part;
    let scale = V3::new(x, y, z);
    (
        points.iter().map(|p| p.component_mul(&scale)).collect(),
        normals.iter().map(|n| n.component_div(&scale).normalize()).collect(),
        triangles,
    )
}

pub(super) fn cuboid(half: &[f64]) -> Part {
    let [x, y, z] = *half else { return (Vec::new(), Vec::new(), Vec::new()) };
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = points.len();
            for [u, v] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                let mut p = V3::zeros();
                p[axis] = side;
                p[(axis + 1) % 3] = u;
                p[(axis + 2) % 3] = v;
                points.push(p.component_mul(&V3::new(x, y, z)));
                let mut n = V3::zeros();
                n[axis] = side;
                normals.push(n);
            }
            triangles.push([first, first + 1, first + 2]);
            triangles.push([first, first + 2, first + 3]);
        }
    }
    (points, normals, triangles)
}

/// Triangles with a normal each.
pub(super) fn flat(vertices: &[f64], corners: &[usize]) -> Part {
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for t in corners.chunks_exact(3) {
        let corner = |k: usize| vertices.get(3 * k..3 * k + 3).map(V3::from_column_slice);
        let (Some(a), Some(b), Some(c)) = (corner(t[0]), corner(t[1]), corner(t[2])) else { continue };
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(V3::z);
        let first = points.len();
        points.extend([a, b, c]);
        normals.extend([normal; 3]);
        triangles.push([first, first + 1, first + 2]);
    }
    (points, normals, triangles)
}

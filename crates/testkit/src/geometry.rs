//! Just enough of vectors and rotations to place bodies and contacts, and the overlap of two flat faces.

/// A vector, m unless said otherwise.
pub type Vec3 = [f64; 3];
/// A 3 × 3 matrix by rows.
pub type Mat3 = [[f64; 3]; 3];

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(f: f64, a: Vec3) -> Vec3 {
    [f * a[0], f * a[1], f * a[2]]
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector in the same direction of length one; exact for axes.
pub(crate) fn unit(a: Vec3) -> Vec3 {
    scale(1.0 / dot(a, a).sqrt(), a)
}

pub(crate) fn mat_vec(m: &Mat3, v: Vec3) -> Vec3 {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

/// R diag(d) Rᵀ, symmetric to the bit.
pub(crate) fn rotated_diagonal(r: &Mat3, d: Vec3) -> Mat3 {
    let entry = |i: usize, j: usize| (0..3).map(|k| r[i][k] * d[k] * r[j][k]).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| if i >= j { entry(i, j) } else { entry(j, i) }))
}

/// The inverse of a symmetric positive definite matrix, by cofactors.
pub(crate) fn inverse(m: &Mat3) -> Mat3 {
    let c = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let determinant = dot(m[0], c[0]);
    std::array::from_fn(|i| std::array::from_fn(|j| c[j][i] / determinant))
}

/// The rotation of a unit quaternion (w, x, y, z).
pub(crate) fn quaternion_matrix([w, x, y, z]: [f64; 4]) -> Mat3 {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// A rotation about the vertical; none at all, to the bit, for angle zero.
pub(crate) fn about_z(angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// A rotation about the y axis.
pub(crate) fn about_y(angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
}

/// Two unit vectors that make a right-handed frame with `normal`, the first turned by `angle`.
pub(crate) fn tangents(normal: Vec3, angle: f64) -> [Vec3; 2] {
    // start from the axis that the normal has least of
    let least = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).expect("three axes");
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let t1 = unit(sub(axis, scale(dot(axis, normal), normal)));
    let t2 = cross(normal, t1);
    if angle == 0.0 {
        return [t1, t2];
    }
    let (s, c) = angle.sin_cos();
    [add(scale(c, t1), scale(s, t2)), sub(scale(c, t2), scale(s, t1))]
}

/// A rectangle in the plane: centre, half sides and angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) centre: [f64; 2],
    pub(crate) half: [f64; 2],
    pub(crate) angle: f64,
}

impl Rectangle {
    fn corners(&self) -> Vec<[f64; 2]> {
        let (s, c) = self.angle.sin_cos();
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
            .map(|sign: [f64; 2]| {
                let (x, y) = (sign[0] * self.half[0], sign[1] * self.half[1]);
                [self.centre[0] + c * x - s * y, self.centre[1] + s * x + c * y]
            })
            .to_vec()
    }
}

/// The corners of the common part of two rectangles (Sutherland and Hodgman): 0 or 3 to 8 points.
pub(crate) fn overlap(a: &Rectangle, b: &Rectangle) -> Vec<[f64; 2]> {
    let mut polygon = a.corners();
    let edges = b.corners();
    // corners nearer than a billionth of the size are one corner
    let near = 1e-9 * (b.half[0] + b.half[1]);
    for k in 0..4 {
        let (p, q) = (edges[k], edges[(k + 1) % 4]);
        let along = [q[0] - p[0], q[1] - p[1]];
        let length = along[0].hypot(along[1]);
        let inside = |x: [f64; 2]| (along[0] * (x[1] - p[1]) - along[1] * (x[0] - p[0])) / length;
        let mut cut = Vec::with_capacity(8);
        for i in 0..polygon.len() {
            let (x, y) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            let (dx, dy) = (inside(x), inside(y));
            if dx >= -near {
                cut.push(x);
            }
            if (dx > near && dy < -near) || (dx < -near && dy > near) {
                let t = dx / (dx - dy);
                cut.push([x[0] + t * (y[0] - x[0]), x[1] + t * (y[1] - x[1])]);
            }
        }
        polygon = cut;
    }
    let mut out: Vec<[f64; 2]> = Vec::with_capacity(polygon.len());
    for x in polygon {
        if out.iter().all(|y| (x[0] - y[0]).hypot(x[1] - y[1]) > near) {
            out.push(x);
        }
    }
    if out.len() < 3 { Vec::new() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_overlap_in_four_eight_or_no_points() {
        let square = |x: f64, angle: f64| Rectangle { centre: [x, 0.0], half: [1.0, 1.0], angle };
        let still = square(0.0, 0.0);
        assert_eq!(overlap(&still, &square(0.0, 0.0)).len(), 4);
        assert_eq!(overlap(&still, &square(0.5, 0.0)).len(), 4);
        assert_eq!(overlap(&still, &square(0.0, std::f64::consts::FRAC_PI_4)).len(), 8);
        assert_eq!(overlap(&still, &square(2.5, 0.0)).len(), 0);
    }

    #[test]
    fn tangents_and_normal_are_a_right_handed_frame() {
        for normal in [[0.0, 0.0, 1.0], unit([1.0, -2.0, 0.5]), [-1.0, 0.0, 0.0]] {
            for angle in [0.0, 0.7] {
                let [t1, t2] = tangents(normal, angle);
                let back = cross(t1, t2);
                // a handful of roundings
                assert!((0..3).all(|i| (back[i] - normal[i]).abs() < 1e-14));
            }
        }
    }

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let m = rotated_diagonal(&about_z(0.3), [1.0, 2.0, 5.0]);
        let v = [1.0, -2.0, 3.0];
        let back = mat_vec(&inverse(&m), mat_vec(&m, v));
        assert!((0..3).all(|i| (back[i] - v[i]).abs() < 1e-14));
    }
}

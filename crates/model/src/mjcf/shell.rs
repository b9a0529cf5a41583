//! Surfaces in place of solids: area, and moments of a geom whose mass is all in its skin.
//!
//! ```text
//!     ball          4 π r²                       2/3 r²
//!     box           sides two by two, each a plate
//!     cylinder      a tube and two discs         capsule: a tube and two half balls, r/2 beyond the tube's ends
//!     ellipsoid     Thomsen's area               what a solid larger by a micrometre all around has more than this one
//! ```
//! An ellipsoid's skin is of even thickness along its axes, not across the surface: so has the format.

use std::f64::consts::PI;

use gudgeon_collide::MassProperties;
use gudgeon_spatial::{Matrix3, Vector3};

/// Thomsen's exponent, with which the area of an ellipsoid is right to 1.061 %.
const THOMSEN: f64 = 1.6075;
/// Thickness of an ellipsoid's skin, m: of no size, but for rounding.
const SKIN: f64 = 1e-6;

/// Of unit mass for its area, in the geom's frame; none where the shape has no skin.
pub(super) fn skin(kind: &str, size: [f64; 3]) -> Option<MassProperties> {
    let [a, b, c] = size;
    let (area, moments) = match kind {
        "sphere" => {
            let area = 4.0 * PI * a * a;
            (area, [2.0 / 3.0 * area * a * a; 3])
        }
        "box" => plates(size),
        "cylinder" => {
            let (tube, disc) = (tube(a, b), PI * a * a);
            let across = disc * (a * a / 4.0 + b * b);
            let moments = [tube.1 + 2.0 * across, tube.1 + 2.0 * across, tube.2 + disc * a * a];
            (tube.0 + 2.0 * disc, moments)
        }
        "capsule" => {
            let (tube, ends) = (tube(a, b), 4.0 * PI * a * a);
            let (middle, about) = (0.5 * a, 2.0 / 3.0 * ends * a * a);
            let across = about + ends * ((b + middle) * (b + middle) - middle * middle);
            (tube.0 + ends, [tube.1 + across, tube.1 + across, tube.2 + about])
        }
        "ellipsoid" => {
            let power = |x: f64, y: f64| (x * y).powf(THOMSEN);
            let mean = (power(a, b) + power(b, c) + power(c, a)) / 3.0;
            let area = 4.0 * PI * mean.powf(1.0 / THOMSEN);
            let (inner, outer) = (solid(size), solid(size.map(|x| x + SKIN)));
            let density = area / (outer.0 - inner.0);
            (area, [0, 1, 2].map(|k| density * (outer.1[k] - inner.1[k])))
        }
        _ => return None,
    };
    let inertia = Matrix3::from_diagonal(&Vector3::from(moments));
    (area > 0.0).then_some(MassProperties { mass: area, center: Vector3::zeros(), inertia })
}

/// Area of a tube of radius r and half length h, its moments across and along.
fn tube(r: f64, h: f64) -> (f64, f64, f64) {
    let area = 4.0 * PI * r * h;
    (area, area * (r * r / 2.0 + h * h / 3.0), area * r * r)
}

/// Six plates.
fn plates(half: [f64; 3]) -> (f64, [f64; 3]) {
    let (mut total, mut moments) = (0.0, [0.0; 3]);
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        // both plates across k
        let area = 8.0 * half[i] * half[j];
        let thirds = half.map(|x| x * x / 3.0);
        let far = half[k] * half[k];
        total += area;
        moments[k] += area * (thirds[i] + thirds[j]);
        moments[i] += area * (thirds[j] + far);
        moments[j] += area * (thirds[i] + far);
    }
    (total, moments)
}

/// Volume and moments of a solid ellipsoid of unit density.
fn solid(semi: [f64; 3]) -> (f64, [f64; 3]) {
    let volume = 4.0 / 3.0 * PI * semi[0] * semi[1] * semi[2];
    let [x, y, z] = semi.map(|s| s * s * volume / 5.0);
    (volume, [y + z, x + z, x + y])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments by adding up small pieces of a surface of revolution about z: `at` gives radius and height, `t` from 0 to 1.
    fn turned(at: impl Fn(f64) -> (f64, f64)) -> (f64, [f64; 3]) {
        let pieces = 20_000;
        let (mut area, mut across, mut along) = (0.0, 0.0, 0.0);
        for k in 0..pieces {
            let step = |k: i32| at(f64::from(k) / f64::from(pieces));
            let ((r, z), (s, y)) = (step(k), step(k + 1));
            let part = PI * (r + s) * (r - s).hypot(z - y);
            let (radius, height) = (0.5 * (r + s), 0.5 * (z + y));
            area += part;
            along += part * radius * radius;
            across += part * (0.5 * radius * radius + height * height);
        }
        (area, [across, across, along])
    }

    #[test]
    fn skins_are_what_their_pieces_add_up_to() {
        let arc = |t: f64| (t * PI / 2.0).sin_cos();
        let (r, h) = (0.3, 0.7);
        // profiles from the top of the axis to its foot
        let capsule = move |t: f64| {
            let (s, c) = arc((3.0 * t).min(1.0));
            let (foot, up) = arc((3.0 - 3.0 * t).min(1.0));
            match t {
                t if t < 1.0 / 3.0 => (r * s, h + r * c),
                t if t < 2.0 / 3.0 => (r, h - 2.0 * h * (3.0 * t - 1.0)),
                _ => (r * foot, -h - r * up),
            }
        };
        let cylinder = move |t: f64| match t {
            t if t < 0.25 => (4.0 * t * r, h),
            t if t < 0.75 => (r, h - 2.0 * h * (2.0 * t - 0.5)),
            _ => (4.0 * (1.0 - t) * r, -h),
        };
        let sphere = move |t: f64| ((t * PI).sin() * r, (t * PI).cos() * r);
        let near = |kind: &str, found: (f64, [f64; 3])| {
            let own = skin(kind, [r, h, 0.0]).expect("it has a skin");
            // pieces are flat: 1e-7 of each
            assert!((own.mass / found.0 - 1.0).abs() < 1e-6, "{kind}: {} not {}", own.mass, found.0);
            for k in 0..3 {
                let (a, b) = (own.inertia[(k, k)], found.1[k]);
                assert!((a / b - 1.0).abs() < 1e-6, "{kind}: {a} not {b}");
            }
        };
        near("capsule", turned(capsule));
        near("cylinder", turned(cylinder));
        near("sphere", turned(sphere));
        // a cube of side 2: two plates of 4 turn with 8/3 each, four a unit away with 4 + 4/3
        let cube = skin("box", [1.0; 3]).expect("it has a skin");
        assert!(
            (cube.mass - 24.0).abs() < 1e-12 && (cube.inertia[(0, 0)] - 80.0 / 3.0).abs() < 1e-12,
            "{cube:?}"
        );
        // a ball among ellipsoids, to the thickness of the skin
        let (ball, round) = (skin("sphere", [r; 3]).expect("skin"), skin("ellipsoid", [r; 3]).expect("skin"));
        assert!((ball.mass / round.mass - 1.0).abs() < 1e-9);
        assert!((ball.inertia[(1, 1)] / round.inertia[(1, 1)] - 1.0).abs() < 1e-4);
        assert!(skin("plane", [1.0; 3]).is_none());
    }
}

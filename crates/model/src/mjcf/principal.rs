//! Principal axes as the format's compiler finds them: of the axes that a body may be said to have (any of them turned around, two of equal
//! moments turned in their plane) a sensor reads in those that the compiler took.
//!
//! Jacobi's rotations from the body's own axes, always about the largest of what couples them, kept as one unit quaternion;
//! then quarter turns that put the largest moment first.

use gudgeon_spatial::{Matrix3, Quaternion};

/// What couples two axes no more, and moments that differ by less are equal, of the sum of moments. Larger and axes are off; smaller and rounding
/// turns them.
const EQUAL: f64 = 1e-12;
/// Rotations at most: three axes want some ten.
const ROTATIONS: usize = 500;

/// Principal axes, right-handed, and moments, largest first.
pub(super) fn principal(inertia: &Matrix3<f64>) -> (Matrix3<f64>, [f64; 3]) {
    let mut turn = Quaternion::IDENTITY;
    let mut moments = [0.0; 3];
    let equal = EQUAL * inertia.trace().abs();
    for _ in 0..ROTATIONS {
        let axes = turn.to_matrix();
        let own = axes.transpose() * inertia * axes;
        moments = [own[(0, 0)], own[(1, 1)], own[(2, 2)]];
        let [xy, xz, yz] = [own[(0, 1)].abs(), own[(0, 2)].abs(), own[(1, 2)].abs()];
        let (i, j, about) = if xy > xz && xy > yz {
            (0, 1, 2)
        } else if xz > yz {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let coupling = own[(i, j)];
        if coupling.abs() <= equal {
            break;
        }
        let slope = (moments[j] - moments[i]) / (2.0 * coupling);
        let tangent = 1.0_f64.copysign(slope) / (slope.abs() + slope.hypot(1.0));
        let cosine = 1.0 / tangent.hypot(1.0);
        // of half the turn, so that small ones keep their digits
        let upright = (0.5 + 0.5 * cosine).sqrt();
        let half = 0.5 * tangent.abs() * cosine / upright;
        // the middle axis is turned the other way round
        let way = if (slope >= 0.0) == (about == 1) { half } else { -half };
        turn = turn.times(about_axis(about, upright, way)).normalized();
    }
    for first in [0, 1, 0] {
        if moments[first] + equal < moments[first + 1] {
            moments.swap(first, first + 1);
            let quarter = std::f64::consts::FRAC_1_SQRT_2;
            turn = turn.times(about_axis((first + 2) % 3, quarter, quarter)).normalized();
        }
    }
    (turn.to_matrix(), moments)
}

/// The turn about one axis with this cosine and sine of half its angle.
fn about_axis(axis: usize, w: f64, along: f64) -> Quaternion {
    let mut v = [0.0; 3];
    v[axis] = along;
    Quaternion::new(w, v[0], v[1], v[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_turned_as_the_format_turns_them() {
        // the second has two negative axes to choose, the third none that is longest: as MuJoCo 4.0.0 gives them
        let cases = [
            (
                [2.0, 3.0, 4.0, 0.1, -0.2, 0.3],
                [0.139_614_587_7, 0.663_829_978_9, 0.038_750_576_2, 0.733_713_785_4],
            ),
            (
                [5.0, 1.5, 4.2, -0.7, 0.4, 0.2],
                [0.738_576_748_7, 0.648_888_392_5, -0.176_257_045_8, 0.048_802_602_6],
            ),
            (
                [1.0, 1.0, 1.5, 0.0, 0.0, 0.2],
                [0.576_846_370_7, 0.408_959_979_3, -0.408_959_979_3, 0.576_846_370_7],
            ),
        ];
        for ([xx, yy, zz, xy, xz, yz], [w, x, y, z]) in cases {
            let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            let (axes, moments) = principal(&inertia);
            let expected = Quaternion::new(w, x, y, z).normalized().to_matrix();
            // the compiler stops turning at some 1e-8
            assert!((axes - expected).norm() < 1e-7, "{axes} not {expected}");
            let diagonal = axes.transpose() * inertia * axes;
            for (k, moment) in moments.iter().enumerate() {
                assert!((diagonal[(k, k)] - moment).abs() < 1e-12);
            }
            assert!(moments[0] >= moments[1] && moments[1] >= moments[2]);
        }
    }
}

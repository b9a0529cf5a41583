//! Contacts as an attacker would have them: every mass, speed and unit at once, and motors whose bounds mean "no limit".
//!
//! | drawn of | from                                                                                                   |
//! |----------|--------------------------------------------------------------------------------------------------------|
//! | bodies   | one to four bricks, masses 10^±U(0, 6), side by side, in a stack, or any on any                        |
//! | contacts | one to four a body, at corners or anywhere, friction 0, 1e-6, 0.3, 0.8, 2, 100                         |
//! | speeds   | 1e-12 to 1e12 m/s, a third of the bodies at rest                                                       |
//! | motors   | none to two, each bound by itself 0, 1e-3, 1, 1e12, 1e18, 1e300 or none                                |
//! | units    | those of half of the scenes by powers of two, rows and degrees of freedom each by its own              |

use gudgeon_lcp::{Bounded, Contact, GlobalForm, Row};

use crate::change::Change;
use crate::rng::Rng;

/// Bodies with their speeds; the scale of these.
fn bodies(count: usize, rng: &mut Rng) -> (GlobalForm, f64) {
    let mut form = GlobalForm::default();
    let span = rng.pick(&[1.0, 1e2, 1e4, 1e6]);
    let speed = rng.pick(&[1.0, 1e-6, 1e6, 1e-12, 1e12]);
    let fall = 9.81 * speed * rng.pick(&[1e-3, 1e-2, 1.0]);
    for _ in 0..count {
        let mass = rng.log_uniform(1.0 / span, span);
        let inertia = mass * rng.log_uniform(0.01, 100.0) / 6.0;
        let mut block = vec![0.0; 36];
        for k in 0..3 {
            block[7 * k] = mass;
            block[7 * (k + 3)] = inertia * rng.uniform(0.5, 1.5);
        }
        form.mass.push((6, block));
        let rests = rng.chance(0.3);
        for k in 0..6 {
            let v = if rests { 0.0 } else { speed * rng.normal() * rng.pick(&[1.0, 1.0, 1e-3]) };
            form.free_velocity.push(if k == 2 { v - fall } else { v });
        }
    }
    (form, speed)
}

/// The row of a direction at points of one body and perhaps another.
fn row(direction: [f64; 3], on: (usize, [f64; 3]), other: Option<(usize, [f64; 3])>) -> Row {
    let d = direction;
    let turn =
        |r: [f64; 3]| [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
    let mut entries = Vec::new();
    for ((body, at), sign) in std::iter::once((on, 1.0)).chain(other.map(|o| (o, -1.0))) {
        let six = d.into_iter().chain(turn(at));
        entries.extend(six.enumerate().map(|(k, v)| (6 * body + k, sign * v)).filter(|e| e.1 != 0.0));
    }
    entries.sort_by_key(|e| e.0);
    Row::new(entries)
}

/// A scene.
pub fn contacts(rng: &mut Rng) -> GlobalForm {
    let count = 1 + rng.below(4);
    let (mut form, speed) = bodies(count, rng);
    let (arranged, corners) = (rng.below(3), rng.chance(0.5));
    let mu = rng.pick(&[0.0, 1e-6, 0.3, 0.8, 2.0, 100.0]);
    for body in 0..count {
        let below = match arranged {
            1 if body > 0 => Some(body - 1),
            2 if body > 0 && rng.chance(0.6) => Some(rng.below(body)),
            _ => None,
        };
        for corner in 0..=rng.below(4) {
            let mut anywhere = || [rng.normal(), rng.normal(), rng.normal()];
            let [x, y] = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]][corner].map(|v: f64| 0.5 * v);
            let (at, under) = if corners { ([x, y, -0.5], [x, y, 0.5]) } else { (anywhere(), anywhere()) };
            let axes =
                if corners { [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]] } else { rng.rotation() };
            let other = below.map(|b| (b, under));
            let [normal, t1, t2] = axes.map(|axis| row(axis, (body, at), other));
            let bias = if rng.chance(0.2) { speed * rng.uniform(-1.0, 1.0) } else { 0.0 };
            let mu = if rng.chance(0.8) { mu } else { rng.log_uniform(1e-3, 10.0) };
            form.contacts.push(Contact { mu, normal: normal.with_bias(bias), tangents: [t1, t2] });
        }
    }
    let joint = |rng: &mut Rng| Row::new(vec![(6 * rng.below(count) + rng.below(6), 1.0)]);
    for _ in 0..rng.pick(&[0, 0, 1, 2]) {
        let mut bound = || rng.pick(&[0.0, 1e-3, 1.0, 1e12, 1e18, 1e300, f64::INFINITY]);
        let (lo, hi) = (-bound(), bound());
        form.bounded.push(Bounded { row: joint(rng).with_bias(speed * rng.normal()), lo, hi });
    }
    if rng.chance(0.2) {
        form.unilateral.push(joint(rng).with_bias(speed * rng.normal()));
    }
    if rng.chance(0.5) {
        let nothing = GlobalForm::default();
        form = Change::Units.of_friction(&form, &[], &nothing, rng).expect("units always apply");
    }
    form
}

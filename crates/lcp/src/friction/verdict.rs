//! What `solved` certifies for contact with friction, cones round or with facets.
//!
//! Impulses x and the velocities u = W x + q that they lead to, of all scalar rows, are held against the law of every
//! contact, mode by mode. In each mode there are a change e of u and a change m of x after which the law holds to
//! the bit:
//!
//! ```text
//!     open     x → 0                          e_n = (−u_n)₊                     m = |x|
//!     stick    u → 0, x_t → the cone          e = |u|                           m_t = (|x_t| − mu x_n)₊
//!     slip     u_n → 0, x_t ∥ −u_t,           e_n = |u_n|                       m_t = ||x_t| − mu x_n|
//!              |x_t| = mu x_n                 one of the two turns by the angle between them: the lesser arc      (1)
//! ```
//!
//! (m_n = (−x_n)₊ in the last two). With facets |x_t| is the sum of the impulses along the facets, and of a facet that
//! is used without being the one against the slip either its impulse or what it lacks goes. Rows of other kinds have two or three
//! such modes (at a bound, free). Changed so, the answer is an exact one of a problem in which the velocity q_k of each row
//! is another by at most
//!
//! ```text
//!     e_k + Σ_j |W_kj| m_j  ≤  1e-9 ω_k                                                                      (2)
//! ```
//!
//! The natural residual is the largest (e_k + Σ_j |W_kj| m_j)/ω_k, with the mode of each contact that makes it least;
//! ω_k is the unit of a row of [`crate::verdict`]: what reaches the row from the data, and 1e-5 of what it adds up and of
//! the rounding of a mechanical problem ([`crate::noise`]); at most 1e6 times the largest |q| of the rows it is connected to, so that
//! no impulses, however large, excuse a velocity that is wrong by more than a thousandth.
//!
//! *Why not the natural map* F = x − P_K(x − u′), u′_n = u_n + mu |u_t|: it multiplies the last bits of a slip by mu, and
//! holds all rows against one number. (1) needs no mu on u, and no sum or maximum over rows occurs in ω: units may change
//! row by row, parts be added that nothing connects, bounds be widened that nothing reaches (u is computed from the
//! impulses themselves, not from their distance to a bound), contacts be given twice.
//!
//! | here     | above | shape       |
//! |----------|-------|-------------|
//! | `own`    | e     | scalar rows |
//! | `moved`  | m     | scalar rows |
//! | `unit`   | ω     | scalar rows |
//!
//! Departures: e and m of the two tangents of a contact are one number each, in the larger of their units, so that how the
//! tangents lie in their plane matters little. Where Σ m is far below every unit, the rows being scaled to |W_kj| ≤ 1, it
//! stands for the product in (2).

use super::islands::Sets;
use super::system::System;
use crate::noise::{Asked, ELSEWHERE, FAR, PART};
use crate::outcome::SOLVED;
use crate::verdict::{CANCELLED, Terms, Verdict, nan_max};

/// The shape of the cones of a law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Round,
    Facets,
}

/// Σ m below this part of the least unit is added as it is.
const SMALL: f64 = 0.1 * SOLVED;

/// No unit is more than this many times what the data ask of a part: a velocity is right to a thousandth of the largest, however
/// large impulses are. Without it impulses of 1e30, which stress bodies against themselves, would excuse any velocity.
const WILD: f64 = 1e6;

/// The verdict on an answer, with its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judge {
    verdict: Verdict,
    /// Impulses of the last answer, counted from zero; scaled.
    pub(crate) x: Vec<f64>,
    /// Their velocities.
    pub(crate) u: Vec<f64>,
    changes: Changes,
    unit: Vec<f64>,
    least: Vec<f64>, // N, scalar rows
    sets: Sets,
    part: Vec<usize>,       // scalar rows
    asked: [Vec<Asked>; 2], // of the parts: speeds, and in scaled units
    sums: [Vec<f64>; 2],
    room: usize, // scalar rows that there is memory for
}

/// e and m, and what m does.
#[derive(Debug, Clone, Default)]
struct Changes {
    own: Vec<f64>,
    moved: Vec<f64>,
    effect: Vec<f64>,
}

/// e and m of one row, or of a contact's normal and tangents.
#[derive(Debug, Clone, Copy)]
struct Change<const N: usize> {
    own: [f64; N],
    moved: [f64; N],
}

/// The scaled rows with their least units.
struct Scalar<'a> {
    system: &'a System,
    least: &'a [f64],
}

impl Terms for Scalar<'_> {
    fn absolute(&self, v: &[f64], out: &mut [f64]) {
        self.system.absolute(v, out);
    }

    fn diagonal(&self, j: usize) -> f64 {
        self.system.diagonal(j)
    }

    fn add_least_units(&self, _x: &[f64], unit: &mut [f64], _scratch: &mut Vec<f64>) {
        unit.iter_mut().zip(self.least).for_each(|(unit, least)| *unit += least);
    }
}

impl Judge {
    /// The units of the rows of the last answer that was not one, scaled.
    pub(crate) fn units(&self) -> &[f64] {
        &self.unit
    }

    /// The natural residual of impulses counted from their lower bounds, scaled. Leaves `x` and `u`.
    pub(crate) fn natural(&mut self, system: &System, r: &[f64], shape: Shape) -> f64 {
        system.plain(r, &mut self.x, &mut self.u);
        let Self { verdict, x, u, changes, unit, least, .. } = self;
        if !x.iter().chain(&*u).all(|v| v.is_finite()) {
            return f64::INFINITY;
        }
        // most answers hold with R = |q| and no least units
        changes.effect.clear();
        changes.effect.extend(x.iter().map(|x| CANCELLED * x.abs()));
        unit.clear();
        unit.resize(x.len(), 0.0);
        system.absolute(&changes.effect, unit);
        let most = unit.iter().copied().fold(0.0, f64::max);
        unit.iter_mut().zip(system.bare()).for_each(|(s, q)| *s += (1.0 + CANCELLED) * q.abs());
        let strict = changes.worst(system, r, u, unit, shape);
        let mut speed = Asked::default();
        system.bare().iter().enumerate().for_each(|(k, q)| speed.add(system.asks(k), *q));
        let sure = strict <= SOLVED && most <= speed.size();
        // more rows than ever before are judged in full, so that there is memory when it has to be
        if sure && x.len() <= self.room {
            return strict;
        }
        self.room = self.room.max(self.x.len());
        let Self { sets, part, asked, sums, .. } = self;
        system.connected(sets, part);
        least_units(system, part, &self.x, asked, sums, least);
        let terms = Scalar { system, least };
        let liveliest = &asked[1];
        let full = verdict.judge(&terms, system.bare(), &self.x, |units| {
            unit.clear();
            let most = part.iter().map(|part| WILD * liveliest[*part].size());
            unit.extend(units.iter().zip(most).map(|(unit, most)| unit.min(most)));
            changes.worst(system, r, &self.u, unit, shape)
        });
        if sure { strict } else { full }
    }
}

/// N of [`crate::noise`] in scaled units, where d is the scale of a row and W about one on its diagonal.
fn least_units(
    system: &System,
    part: &[usize],
    x: &[f64],
    [speed, energy]: &mut [Vec<Asked>; 2],
    [impulse, beside]: &mut [Vec<f64>; 2],
    out: &mut Vec<f64>,
) {
    let (n, q, d) = (x.len(), system.bare(), &system.scale);
    for v in [&mut *speed, &mut *energy] {
        v.clear();
        v.resize(n, Asked::default());
    }
    for v in [&mut *impulse, &mut *beside] {
        v.clear();
        v.resize(n, 0.0);
    }
    for k in 0..n {
        let (part, asks) = (part[k], system.asks(k));
        speed[part].add(asks / d[k], q[k] / d[k]);
        energy[part].add(asks, q[k]);
        impulse[part] += x[k].abs();
    }
    system.beside(x, beside);
    let all = |v: &[Asked]| v.iter().map(Asked::size).fold(0.0, f64::max);
    let (fastest, liveliest) = (all(speed), all(energy));
    out.clear();
    out.extend((0..n).map(|k| {
        let around = (speed[part[k]].size() * d[k]).min(energy[part[k]].size());
        let elsewhere = ELSEWHERE * (fastest * d[k]).min(liveliest);
        PART * (around + elsewhere + beside[k] + impulse[part[k]].min(FAR * around))
    }));
}

impl Changes {
    /// The largest (e + |W| m)/ω. The tangents of a contact take the larger unit of the two.
    fn worst(&mut self, system: &System, r: &[f64], u: &[f64], unit: &mut [f64], shape: Shape) -> f64 {
        let rows = r.len();
        self.own.clear();
        self.own.resize(rows, 0.0);
        self.moved.clear();
        self.moved.resize(rows, 0.0);
        for i in 0..system.n {
            let at = 3 * i;
            let tangent = unit[at + 1].max(unit[at + 2]);
            unit[at + 1..at + 3].fill(tangent);
            let of = |v: &[f64]| [v[at], v[at + 1], v[at + 2]];
            let change = contact(system, i, of(r), of(u), [unit[at], tangent], shape);
            self.put(at, change.own[0], change.moved[0]);
            self.put(at + 1, change.own[1], change.moved[1]);
            self.put(at + 2, change.own[1], change.moved[1]);
        }
        for (k, &unit) in unit[3 * system.n..].iter().enumerate() {
            let at = 3 * system.n + k;
            let change = single(system.room_of(k), r[at], u[at], unit);
            self.put(at, change.own[0], change.moved[0]);
        }
        self.largest(system, unit)
    }

    fn put(&mut self, row: usize, own: f64, moved: f64) {
        self.own[row] = own;
        self.moved[row] = moved;
    }

    fn largest(&mut self, system: &System, unit: &[f64]) -> f64 {
        let total: f64 = self.moved.iter().sum();
        let least = unit.iter().copied().fold(f64::INFINITY, f64::min);
        let mut beside = 0.0;
        self.effect.clear();
        self.effect.resize(unit.len(), 0.0);
        if system.is_factored() && total <= SMALL * least {
            beside = ratio(total, least);
        } else if total != 0.0 {
            system.absolute(&self.moved, &mut self.effect);
        }
        let mut worst = 0.0;
        for (k, &unit) in unit.iter().enumerate() {
            // without friction the tangents of a contact have no law; impulses there are moved, and reach other rows
            if k < 3 * system.n && k % 3 > 0 && system.mu[k / 3] == 0.0 {
                continue;
            }
            worst = nan_max(worst, ratio(self.own[k] + self.effect[k], unit));
        }
        worst + beside
    }
}

/// A part of a unit; terms that overflow say nothing about their sum.
fn ratio(error: f64, unit: f64) -> f64 {
    if error == 0.0 {
        0.0
    } else if unit.is_finite() {
        error / unit
    } else {
        f64::INFINITY
    }
}

/// The change of the mode whose largest part is least.
fn least<const N: usize>(changes: impl IntoIterator<Item = Change<N>>, unit: [f64; N]) -> Change<N> {
    let mut best = (f64::INFINITY, Change { own: [f64::INFINITY; N], moved: [f64::INFINITY; N] });
    for change in changes {
        let part = |k: usize| nan_max(ratio(change.own[k], unit[k]), ratio(change.moved[k], unit[k]));
        let score = (0..N).fold(0.0, |worst, k| nan_max(worst, part(k)));
        if score < best.0 {
            best = (score, change);
        }
    }
    best.1
}

/// (1) for a contact: normal, tangents.
fn contact(system: &System, i: usize, x: [f64; 3], u: [f64; 3], unit: [f64; 2], shape: Shape) -> Change<2> {
    let size = |v: [f64; 3]| (v[1] * v[1] + v[2] * v[2]).sqrt();
    let open = Change { own: [(-u[0]).max(0.0), 0.0], moved: [x[0].abs(), size(x)] };
    if x == [0.0; 3] {
        return open;
    }
    let pull = (-x[0]).max(0.0);
    let mu = system.mu[i];
    if mu == 0.0 {
        let pressed = Change { own: [u[0].abs(), 0.0], moved: [pull, size(x)] };
        return least([open, pressed], unit);
    }
    let (room, speed) = (mu * x[0].max(0.0), size(u));
    let used = if shape == Shape::Round { Used::default() } else { Used::of(system, i, x, u) };
    let along = if shape == Shape::Round { size(x) } else { used.sum };
    let stick = Change { own: [u[0].abs(), speed], moved: [pull, (along - room).max(0.0)] };
    let mut slip = Change { own: [u[0].abs(), 0.0], moved: [pull, (along - room).abs()] };
    if shape == Shape::Facets {
        slip.own[1] = used.lack;
        slip.moved[1] += used.idle;
    } else if along > 0.0 && speed > 0.0 {
        let turn = |k: usize| u[k] / speed + x[k] / along;
        let arc = (turn(1) * turn(1) + turn(2) * turn(2)).sqrt();
        if speed <= along {
            slip.own[1] = speed * arc;
        } else {
            slip.moved[1] += along * arc;
        }
    }
    least([open, stick, slip], unit)
}

/// The impulses along the facets of a contact, at most two of them.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    sum: f64,
    /// What used facets lack against the slip: the change of u_t that makes them the best.
    lack: f64,
    /// The impulses that had better not be used.
    idle: f64,
}

impl Used {
    fn of(system: &System, i: usize, x: [f64; 3], u: [f64; 3]) -> Self {
        let (fa, fb, pair) = system.facets_of(i, [x[1], x[2]]);
        let dirs = &system.dirs[i * system.d..(i + 1) * system.d];
        let along = |j: usize| dirs[j][0] * u[1] + dirs[j][1] * u[2];
        let best = (0..system.d).fold(0.0, |m: f64, j| m.min(along(j)));
        let mut used = Self { sum: fa + fb, ..Self::default() };
        for (f, j) in [(fa, pair[0]), (fb, pair[1])] {
            let lack = along(j) - best;
            if f <= lack {
                used.idle += f.abs();
            } else {
                used.lack = used.lack.max(lack);
            }
        }
        used
    }
}

/// (1) for a row of another kind, with its room from the lower bound; none for an equation.
fn single(room: Option<f64>, x: f64, u: f64, unit: f64) -> Change<1> {
    let change = |own: f64, moved: f64| Change { own: [own], moved: [moved] };
    let Some(room) = room else { return change(u.abs(), 0.0) };
    let free = change(u.abs(), (-x).max(x - room).max(0.0));
    let lower = change((-u).max(0.0), x.abs());
    let upper = if room < f64::INFINITY { change(u.max(0.0), (room - x).abs()) } else { free };
    least([free, lower, upper], [unit])
}

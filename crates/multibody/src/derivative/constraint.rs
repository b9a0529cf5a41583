//! Rows of loops and couplings under a displacement of the links: what they measure, and what their forces do.
//!
//! ```text
//!     δe = θ_a × e,   δd = θ_b × d,   δp = δ_b at p              e rides on a; d and the point p on b
//!     δ(e·u)  = δe·u + e·δu,          δu = δX_b(p) - δX_a(p) + (ω_b - ω_a) × δp
//!     δ(e·(A_b - A_a) + 2 (ω_a × e)·u),   A = a(p) + ω × v(p)    classical accelerations of the two points
//!     force F = μ e at p on b:   δF = θ_a × F at p + δp;         opposite on a
//! ```
//! and the products of directions likewise, with moments d × e. Couplings are constant but along the curves of cams (`bends`).

use gudgeon_spatial::{Force, Motion, Vector3};

use super::bends::Bend;
use super::fields::Fields;
use crate::model::Loop;
use crate::model::Model;
use crate::workspace::Workspace;

/// Poses of the loop frames at one position; keeps its memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoopDerivative {
    loops: Vec<Placed>,
    n_rows: usize,
    pub(super) bends: Vec<Bend>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Placed {
    of: Loop,
    p: Vector3<f64>,      // of frame B
    e: [Vector3<f64>; 3], // of frame A
    h: [Vector3<f64>; 3], // the same where they hold the point, zero along what slides
    d: [Vector3<f64>; 3], // of frame B
}

/// Motions of the links of a tree: velocity and acceleration, or their changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moving<'a> {
    pub(crate) v: &'a [Motion],
    pub(crate) a: &'a [Motion],
}

impl LoopDerivative {
    /// Reads the frames and curves at positions `q`; wants their `kinematics`.
    pub fn read(&mut self, model: &Model, q: &[f64], ws: &Workspace) {
        self.loops.clear();
        self.n_rows = model.couplings.len();
        for l in &model.loops {
            let (x_a, x_b) = l.frames(ws);
            let axes = |r: &gudgeon_spatial::Matrix3<f64>| [0, 1, 2].map(|k| r.column(k).into_owned());
            let (e, d) = (axes(&x_a.rotation), axes(&x_b.rotation));
            let held = l.kind.holds();
            let h = [0, 1, 2].map(|k| if held[k] { e[k] } else { Vector3::zeros() });
            self.loops.push(Placed { of: *l, p: x_b.translation, e, h, d });
            self.n_rows += l.n_rows();
        }
        self.read_bends(model, q, self.n_rows - model.couplings.len());
    }

    /// Number of rows, couplings included.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// `out` = δ(J x) by row, where X = `x` and δX = `varied` are fields of links and `moved` is the displacement.
    pub fn velocity_jvp(
        &self,
        f: &Fields,
        x: &[Motion],
        varied: &[Motion],
        moved: &[Motion],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let u = f.at(b, x[b], &l.p) - f.at(a, x[a], &l.p);
            let turn = x[b].angular - x[a].angular;
            let dp = f.at(b, moved[b], &l.p);
            let du = f.at(b, varied[b], &l.p) - f.at(a, varied[a], &l.p) + turn.cross(&dp);
            for e in &l.h {
                out.push(moved[a].angular.cross(e).dot(&u) + e.dot(&du));
            }
            for &(i, j) in l.of.products() {
                let (e, d) = (l.e[i], l.d[j]);
                let change = moved[b].angular.cross(&d).cross(&e) + d.cross(&moved[a].angular.cross(&e));
                out.push((varied[b].angular - varied[a].angular).dot(&d.cross(&e)) + turn.dot(&change));
            }
        }
        out.resize(self.n_rows, 0.0);
    }

    /// The transpose: `w` by row to forces on δX and on the displacement.
    pub fn velocity_vjp(
        &self,
        f: &Fields,
        x: &[Motion],
        w: &[f64],
        on_x: &mut [Force],
        on_moved: &mut [Force],
    ) {
        let mut at = 0;
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let u = f.at(b, x[b], &l.p) - f.at(a, x[a], &l.p);
            let turn = x[b].angular - x[a].angular;
            let force = l.h[0] * w[at] + l.h[1] * w[at + 1] + l.h[2] * w[at + 2];
            let zero = Vector3::zeros();
            on_x[b] += f.about(b, &l.p, zero, force);
            on_x[a] -= f.about(a, &l.p, zero, force);
            on_moved[a].angular += force.cross(&u);
            on_moved[b] += f.about(b, &l.p, zero, force.cross(&turn));
            at += 3;
            for &(i, j) in l.of.products() {
                let (e, d) = (l.e[i], l.d[j]);
                let moment = d.cross(&e) * w[at];
                on_x[b].angular += moment;
                on_x[a].angular -= moment;
                // turn·((θ_b × d) × e) = θ_b·(d × (e × turn)),   turn·(d × (θ_a × e)) = θ_a·(e × (turn × d))
                on_moved[b].angular += d.cross(&e.cross(&turn)) * w[at];
                on_moved[a].angular += e.cross(&turn.cross(&d)) * w[at];
                at += 1;
            }
        }
    }

    /// `out` = δ(J q̈ + J̇ v) by row: at `now`, for changes `change` of the fields and the displacement `moved`.
    pub(crate) fn acceleration_jvp(
        &self,
        f: &Fields,
        now: Moving<'_>,
        change: Moving<'_>,
        moved: &[Motion],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let dp = f.at(b, moved[b], &l.p);
            let point = |i: usize| {
                let (w, v) = (now.v[i].angular, f.at(i, now.v[i], &l.p));
                let accel = f.at(i, now.a[i], &l.p) + w.cross(&v);
                let dv = f.at(i, change.v[i], &l.p) + w.cross(&dp);
                let da = f.at(i, change.a[i], &l.p)
                    + now.a[i].angular.cross(&dp)
                    + change.v[i].angular.cross(&v)
                    + w.cross(&dv);
                (accel, v, dv, da)
            };
            let ((acc_a, v_a, dv_a, da_a), (acc_b, v_b, dv_b, da_b)) = (point(a), point(b));
            let (u, du, acc, dacc) = (v_b - v_a, dv_b - dv_a, acc_b - acc_a, da_b - da_a);
            let (w_a, dw_a, turn_a) = (now.v[a].angular, change.v[a].angular, moved[a].angular);
            for e in &l.h {
                let de = turn_a.cross(e);
                let spin = w_a.cross(e);
                let dspin = dw_a.cross(e) + w_a.cross(&de);
                out.push(de.dot(&acc) + e.dot(&dacc) + 2.0 * (dspin.dot(&u) + spin.dot(&du)));
            }
            let (w_b, dw_b, turn_b) = (now.v[b].angular, change.v[b].angular, moved[b].angular);
            for &(i, j) in l.of.products() {
                let (e, d) = (l.e[i], l.d[j]);
                let (de, dd) = (turn_a.cross(&e), turn_b.cross(&d));
                let (ed, dd_dot) = (w_a.cross(&e), w_b.cross(&d));
                let (ded, ddd) = (dw_a.cross(&e) + w_a.cross(&de), dw_b.cross(&d) + w_b.cross(&dd));
                let alpha = now.a[b].angular - now.a[a].angular;
                let dalpha = change.a[b].angular - change.a[a].angular;
                let (w, dw) = (w_b - w_a, dw_b - dw_a);
                let rate = dd_dot.cross(&e) + d.cross(&ed);
                let drate = ddd.cross(&e) + dd_dot.cross(&de) + dd.cross(&ed) + d.cross(&ded);
                let moment = dd.cross(&e) + d.cross(&de);
                out.push(dalpha.dot(&d.cross(&e)) + alpha.dot(&moment) + dw.dot(&rate) + w.dot(&drate));
            }
        }
        out.resize(self.n_rows, 0.0);
    }

    /// The change of the joint forces of multipliers `mu` beyond what forces fixed in space do, added to `out` as forces
    /// on links.
    pub fn force_jvp(&self, f: &Fields, mu: &[f64], moved: &[Motion], out: &mut [Force]) {
        let mut at = 0;
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let (dp, turn) = (f.at(b, moved[b], &l.p), moved[a].angular);
            let force = l.h[0] * mu[at] + l.h[1] * mu[at + 1] + l.h[2] * mu[at + 2];
            let (moment, change) = (dp.cross(&force), turn.cross(&force));
            out[b] += f.about(b, &l.p, moment, change);
            out[a] -= f.about(a, &l.p, moment, change);
            at += 3;
            for &(i, j) in l.of.products() {
                let (e, d) = (l.e[i], l.d[j]);
                let m = (moved[b].angular.cross(&d).cross(&e) + d.cross(&turn.cross(&e))) * mu[at];
                out[b].angular += m;
                out[a].angular -= m;
                at += 1;
            }
        }
    }

    /// The transpose of [`Self::force_jvp`]: the field `y` that the joint forces are paired with, to forces on the
    /// displacement.
    pub fn force_vjp(&self, f: &Fields, mu: &[f64], y: &[Motion], on_moved: &mut [Force]) {
        let mut at = 0;
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let force = l.h[0] * mu[at] + l.h[1] * mu[at + 1] + l.h[2] * mu[at + 2];
            let turn = y[b].angular - y[a].angular;
            let slide = f.at(b, y[b], &l.p) - f.at(a, y[a], &l.p);
            on_moved[b] += f.about(b, &l.p, Vector3::zeros(), force.cross(&turn));
            on_moved[a].angular += force.cross(&slide);
            at += 3;
            for &(i, j) in l.of.products() {
                let (e, d) = (l.e[i], l.d[j]);
                on_moved[b].angular += d.cross(&e.cross(&turn)) * mu[at];
                on_moved[a].angular += e.cross(&turn.cross(&d)) * mu[at];
                at += 1;
            }
        }
    }

    /// The forces of multipliers `mu` on the links, added to `out`.
    pub fn forces(&self, f: &Fields, mu: &[f64], out: &mut [Force]) {
        let mut at = 0;
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let force = l.h[0] * mu[at] + l.h[1] * mu[at + 1] + l.h[2] * mu[at + 2];
            out[b] += f.about(b, &l.p, Vector3::zeros(), force);
            out[a] -= f.about(a, &l.p, Vector3::zeros(), force);
            at += 3;
            for &(i, j) in l.of.products() {
                let m = l.d[j].cross(&l.e[i]) * mu[at];
                out[b].angular += m;
                out[a].angular -= m;
                at += 1;
            }
        }
    }

    /// The transpose of [`Self::acceleration_jvp`]: forces on the changes of velocity and acceleration, and on the
    /// displacement.
    pub(crate) fn acceleration_vjp(
        &self,
        f: &Fields,
        now: Moving<'_>,
        w: &[f64],
        on_v: &mut [Force],
        on_a: &mut [Force],
        on_moved: &mut [Force],
    ) {
        let zero = Vector3::zeros();
        let mut at = 0;
        for l in &self.loops {
            let (a, b) = (l.of.a.0, l.of.b.0);
            let p = &l.p;
            let (v_a, v_b) = (f.at(a, now.v[a], p), f.at(b, now.v[b], p));
            let accel = |i: usize, v: &Vector3<f64>| f.at(i, now.a[i], p) + now.v[i].angular.cross(v);
            let (u, acc) = (v_b - v_a, accel(b, &v_b) - accel(a, &v_a));
            let w_a = now.v[a].angular;
            let mut dp = zero;
            let (mut force, mut twice) = (zero, zero);
            for (k, e) in l.h.iter().enumerate() {
                let m = w[at + k];
                force += e * m;
                twice += w_a.cross(e) * (2.0 * m);
                // δe·acc, 2 (δω_a × e)·u, 2 (ω_a × δe)·u with δe = θ_a × e
                on_moved[a].angular += e.cross(&acc) * m;
                on_v[a].angular += e.cross(&u) * (2.0 * m);
                on_moved[a].angular += e.cross(&u.cross(&w_a)) * (2.0 * m);
            }
            for (i, sign, v) in [(b, 1.0, v_b), (a, -1.0, v_a)] {
                let (g, h) = (force * sign, twice * sign);
                let omega = now.v[i].angular;
                // da = a(p) + α × dp + δω × v + ω × dv;   dv = v(p) + ω × dp
                on_a[i] += f.about(i, p, zero, g);
                dp += g.cross(&now.a[i].angular);
                on_v[i].angular += v.cross(&g);
                let on_dv = g.cross(&omega) + h;
                on_v[i] += f.about(i, p, zero, on_dv);
                dp += on_dv.cross(&omega);
            }
            on_moved[b] += f.about(b, p, zero, dp);
            at += 3;
            Self::products_vjp(l, now, w, &mut at, on_v, on_a, on_moved);
        }
    }

    fn products_vjp(
        l: &Placed,
        now: Moving<'_>,
        w: &[f64],
        at: &mut usize,
        on_v: &mut [Force],
        on_a: &mut [Force],
        on_moved: &mut [Force],
    ) {
        let (a, b) = (l.of.a.0, l.of.b.0);
        let (w_a, w_b) = (now.v[a].angular, now.v[b].angular);
        let (alpha, turn) = (now.a[b].angular - now.a[a].angular, w_b - w_a);
        for &(i, j) in l.of.products() {
            let m = w[*at];
            let (e, d) = (l.e[i], l.d[j]);
            let (e_dot, d_dot) = (w_a.cross(&e), w_b.cross(&d));
            on_a[b].angular += d.cross(&e) * m;
            on_a[a].angular -= d.cross(&e) * m;
            let rate = d_dot.cross(&e) + d.cross(&e_dot);
            on_v[b].angular += rate * m;
            on_v[a].angular -= rate * m;
            // on δe and δd, on the rates δė and δḋ
            let mut on_e = alpha.cross(&d) + turn.cross(&d_dot);
            let mut on_d = e.cross(&alpha) + e_dot.cross(&turn);
            let (on_e_dot, on_d_dot) = (turn.cross(&d), e.cross(&turn));
            // δė = δω_a × e + ω_a × δe
            on_v[a].angular += e.cross(&on_e_dot) * m;
            on_v[b].angular += d.cross(&on_d_dot) * m;
            on_e += on_e_dot.cross(&w_a);
            on_d += on_d_dot.cross(&w_b);
            on_moved[a].angular += e.cross(&on_e) * m;
            on_moved[b].angular += d.cross(&on_d) * m;
            *at += 1;
        }
    }
}

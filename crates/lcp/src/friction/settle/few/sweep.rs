//! Sweeps of Gauss and Seidel: each contact and row solved alone, the others held.

use super::unit;
use crate::friction::settle::{Faceted, SHIFT, Settle, band};
use crate::friction::system::System;
use crate::kernel::dot;
use crate::outcome::Side;

/// Steps to the angle of one sliding contact in a sweep; the next sweep goes on from there.
const TURNS: usize = 3;
/// Inside its cone by this part, a swept contact sticks: sweeps put a sliding one on the cone to rounding.
const INSIDE: f64 = 1e-9;

impl Settle {
    /// Sweeps over contacts and rows, each solved alone, and the modes that come of it.
    pub(super) fn sweep(&mut self, system: &System, sweeps: usize) {
        let (n, rows) = (system.n, system.q.len());
        for _ in 0..sweeps {
            if self.clock.expired() {
                return;
            }
            let mut moved = 0.0_f64;
            for i in 0..n {
                let at = 3 * i;
                let mu = system.mu[i];
                let before = [self.r[at], self.r[at + 1], self.r[at + 2]];
                let size = if mu > 0.0 { 3 } else { 1 };
                let mut block = [[0.0; 3]; 3];
                let mut b = [0.0; 3];
                for k in 0..size {
                    let row = self.few.row(at + k, rows);
                    block[k].copy_from_slice(&row[at..at + 3]);
                    b[k] = system.q[at + k] + dot(row, &self.r) - dot(&block[k], &before);
                }
                let after = alone(&block, b, mu, before);
                for k in 0..3 {
                    moved = moved.max((after[k] - before[k]).abs());
                    self.r[at + k] = after[k];
                }
            }
            for k in 0..self.holds.len() {
                let at = 3 * n + k;
                let row = self.few.row(at, rows);
                let free = self.r[at] - (system.q[at] + dot(row, &self.r)) / row[at].max(SHIFT);
                let next = system.room_of(k).map_or(free, |room| free.clamp(0.0, room));
                moved = moved.max((next - self.r[at]).abs());
                self.r[at] = next;
            }
            if moved <= band(&self.r) {
                break;
            }
        }
        self.modes_of_impulses(system);
    }

    /// The modes that impulses inside their cones belong to.
    pub(super) fn modes_of_impulses(&mut self, system: &System) {
        let n = system.n;
        for i in 0..n {
            let at = 3 * i;
            let friction = (self.r[at + 1] * self.r[at + 1] + self.r[at + 2] * self.r[at + 2]).sqrt();
            self.modes[i] = if self.r[at] <= 0.0 {
                Faceted::OPEN
            } else if friction <= (1.0 - INSIDE) * system.mu[i] * self.r[at] || system.mu[i] == 0.0 {
                Faceted::STICK
            } else {
                Faceted::SLIP
            };
        }
        for k in 0..self.holds.len() {
            let r = self.r[3 * n + k];
            self.holds[k] = match system.room_of(k) {
                Some(_) if r <= 0.0 => Side::Lower,
                Some(room) if r >= room => Side::Upper,
                _ => Side::Free,
            };
        }
    }
}

/// The impulse of one contact with u = b + W r, from an earlier one.
fn alone(w: &[[f64; 3]; 3], b: [f64; 3], mu: f64, before: [f64; 3]) -> [f64; 3] {
    if b[0] >= 0.0 {
        return [0.0; 3];
    }
    if mu == 0.0 {
        return [-b[0] / w[0][0].max(SHIFT), 0.0, 0.0];
    }
    let stick = still(w, b);
    let friction = [stick[1], stick[2]];
    if stick[0] > 0.0 && dot(&friction, &friction) <= (mu * stick[0]) * (mu * stick[0]) {
        return stick;
    }
    let slides =
        before[0] > 0.0 && dot(&before[1..], &before[1..]) >= 0.99 * (mu * before[0]) * (mu * before[0]);
    let first = if slides { [before[1], before[2]] } else { [-b[1], -b[2]] };
    let mut e = unit(first).unwrap_or([1.0, 0.0]);
    let mut r = [0.0; 3];
    for turn in 0..=TURNS {
        let across = [-e[1], e[0]];
        // a surface that friction would press on without end is taken without that help
        let give = (w[0][0] + mu * (w[0][1] * e[0] + w[0][2] * e[1])).max(0.05 * w[0][0]).max(SHIFT);
        r = [-b[0] / give, -b[0] / give * mu * e[0], -b[0] / give * mu * e[1]];
        if turn == TURNS {
            break;
        }
        let u = [1, 2].map(|k| b[k] + dot(&w[k], &r));
        let more = -r[0] * mu * (w[0][1] * across[0] + w[0][2] * across[1]) / give; // ∂r_n/∂θ
        let change = [0, 1].map(|k| mu * (more * e[k] + r[0] * across[k]));
        let du = [1, 2].map(|k| w[k][0] * more + w[k][1] * change[0] + w[k][2] * change[1]);
        let g = u[0] * across[0] + u[1] * across[1];
        let slope = du[0] * across[0] + du[1] * across[1] - (u[0] * e[0] + u[1] * e[1]);
        // downhill, or against the motion where the slope misleads
        let angle = if slope > 0.0 { (-g / slope).clamp(-1.0, 1.0) } else { (-g).signum() };
        let (sin, cos) = angle.sin_cos();
        e = [e[0] * cos - e[1] * sin, e[1] * cos + e[0] * sin];
    }
    r
}

/// r with b + W r = 0, W moved a little from singular.
fn still(w: &[[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let mut a = [0.0; 9];
    for i in 0..3 {
        a[3 * i..3 * i + 3].copy_from_slice(&w[i]);
        a[4 * i] += SHIFT;
    }
    let cross = |i: usize, j: usize| {
        let (x, y) = (&a[3 * i..3 * i + 3], &a[3 * j..3 * j + 3]);
        [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    };
    let (c0, c1, c2) = (cross(1, 2), cross(2, 0), cross(0, 1));
    let det = dot(&a[..3], &c0);
    [0, 1, 2].map(|k| -(c0[k] * b[0] + c1[k] * b[1] + c2[k] * b[2]) / det)
}

#[cfg(test)]
mod tests {
    use super::{SHIFT, alone, still};
    use crate::friction::cone::natural_map;
    use crate::kernel::max_abs;

    #[test]
    fn one_contact_alone_is_solved_in_each_of_its_modes() {
        let w = [[1.0, 0.2, -0.1], [0.2, 0.9, 0.3], [-0.1, 0.3, 1.1]];
        for (b, mu, slides) in [
            ([0.1, 3.0, 1.0], 0.5, false),
            ([-1.0, 0.05, -0.02], 0.5, false),
            ([-1.0, 0.8, 0.4], 0.5, true),
            ([-1.0, -0.3, 2.0], 0.8, true),
            ([-1.0, -0.3, 2.0], 0.0, false),
        ] {
            let mut r = [0.0; 3];
            for _ in 0..5 {
                r = alone(&w, b, mu, r);
            }
            let mut u: Vec<f64> =
                (0..3).map(|k| b[k] + (0..3).map(|j| w[k][j] * r[j]).sum::<f64>()).collect();
            if mu == 0.0 {
                u.truncate(1);
                assert!(u[0].abs() < 1e-12 && r[0] > 0.0);
            } else {
                // the shift leaves itself times an impulse of about one
                assert!(max_abs(&natural_map(mu, &r, &u)) < 2.0 * SHIFT, "{b:?}: {r:?} {u:?}");
                let friction = r[1].hypot(r[2]);
                assert_eq!(slides, r[0] > 0.0 && friction > 0.999 * mu * r[0]);
            }
        }
        let r = still(&w, [0.3, -0.2, 0.7]);
        assert!(
            (0..3).all(
                |k| (w[k][0] * r[0] + w[k][1] * r[1] + w[k][2] * r[2] + [0.3, -0.2, 0.7][k]).abs() < 1e-8
            )
        );
    }
}

//! Overlap undone: which of the rows that touch at its end push, and where that is undecided.
//!
//! ```text
//!     room = n·v + max(gap/dt, −c) − height/dt ≥ 0    ⊥    λ ≥ 0         v what positions follow, c the speed of recovery
//! ```
//! A row without impulse that ends without room is at a kink: the next moment it may have to push. If it is the sum of rows that push, as the
//! fourth corner of a face is of the other three, it says nothing new as long as that stays so: on one pair of shapes it does, whatever
//! moves; a body between two others has rows that agree only as long as these keep their poses to each other.

use gudgeon_spatial::{Vector3, Vector6};

use super::kink::{Kink, KinkKind, NEAR};
use super::linear::Linearization;
use super::sites::SiteOf;
use crate::simulator::{Simulator, View};

/// What is left of a row, of its size, that is the sum of others: slopes are good to twelve digits.
const SUM: f64 = 1e-9;

impl Linearization {
    /// Room of every contact at the end of the recovery, m/s; infinite where it takes no part.
    pub(super) fn read_rooms(&mut self, sim: &Simulator, view: &View<'_>) {
        self.rooms.clear();
        let tape = &sim.tape;
        if !tape.recovery.iter().any(|x| *x != 0.0) {
            return;
        }
        let mut field = std::mem::take(&mut self.field);
        self.fields.spread(&self.model, &tape.recovered, &mut field);
        for (i, c) in view.contacts.iter().enumerate() {
            let at = |k: usize| self.fields.at(k, field[k], &c.point);
            let gap = (c.gap / self.dt).max(-sim.settings.recovery_speed);
            let height = view.bounces.iter().find(|b| b.contact == i).map_or(0.0, |b| b.height);
            let room = c.normal.dot(&(at(c.a.0) - at(c.b.0))) + gap - height / self.dt;
            self.rooms.push(if c.material.stiffness.is_infinite() { room } else { f64::INFINITY });
        }
        self.field = field;
    }

    /// Names contacts whose part in the recovery is undecided.
    pub(super) fn recovery_kinks(&mut self, sim: &Simulator, view: &View<'_>) {
        let tape = &sim.tape;
        if self.rooms.is_empty() {
            return;
        }
        let impulse = |i: usize| tape.recovery.get(3 * i).copied().unwrap_or(0.0);
        let most = (0..self.rooms.len()).map(impulse).fold(0.0, f64::max);
        for (i, c) in view.contacts.iter().enumerate() {
            let mut near = |margin: f64| {
                if margin.abs() < NEAR {
                    self.kinks.push(Kink { kind: KinkKind::Recovery, of: Some(i), margin });
                }
            };
            if impulse(i) > 0.0 {
                near(impulse(i) / most);
                near(c.gap + self.dt * sim.settings.recovery_speed);
            } else if self.rooms[i].abs() < NEAR {
                let pushes =
                    |j: &usize| impulse(*j) > 0.0 && self.sites[*j].colliders == self.sites[i].colliders;
                let others = (0..self.rooms.len()).filter(pushes).map(|j| &self.sites[j]);
                if !is_sum(&self.sites[i], others) {
                    near(self.rooms[i]);
                }
            }
        }
        for (k, limit) in view.limits.iter().enumerate() {
            let impulse = tape.recovery.get(3 * view.contacts.len() + k).copied().unwrap_or(0.0);
            let room = limit.sign * tape.recovered[limit.dof]
                + (limit.gap / self.dt).max(-sim.settings.recovery_speed);
            if impulse == 0.0 && room.abs() < NEAR {
                self.kinks.push(Kink { kind: KinkKind::Recovery, of: Some(limit.dof), margin: room });
            }
        }
    }
}

/// How the gap of a contact follows a twist about another point.
fn about(s: &SiteOf, point: &Vector3<f64>) -> Vector6<f64> {
    let g = &s.slopes.gap;
    let (turn, shift) = (Vector3::new(g[0], g[1], g[2]), Vector3::new(g[3], g[4], g[5]));
    let turn = turn + (s.point - point).cross(&shift);
    Vector6::new(turn.x, turn.y, turn.z, shift.x, shift.y, shift.z)
}

/// Whether the gap of a contact follows from those of others of the same pair of shapes, whatever moves.
fn is_sum<'a>(own: &SiteOf, others: impl Iterator<Item = &'a SiteOf> + Clone) -> bool {
    // lengths in a unit in which the arms have size one
    let unit = others.clone().fold(0.0_f64, |m, s| m.max((s.point - own.point).norm()));
    if unit == 0.0 {
        return others.count() > 0;
    }
    let scaled = |s: &SiteOf| {
        let g = about(s, &own.point);
        Vector6::from_fn(|i, _| if i < 3 { g[i] / unit } else { g[i] })
    };
    let (mut basis, mut rank) = ([Vector6::zeros(); 6], 0);
    // twice is enough
    let left = |mut g: Vector6<f64>, basis: &[Vector6<f64>]| {
        (0..2).for_each(|_| basis.iter().for_each(|b| g -= b * b.dot(&g)));
        g
    };
    for g in others.map(scaled) {
        let new = left(g, &basis[..rank]);
        if rank < 6 && new.norm() > SUM * g.norm() {
            basis[rank] = new.normalize();
            rank += 1;
        }
    }
    let g = scaled(own);
    left(g, &basis[..rank]).norm() <= SUM * g.norm()
}

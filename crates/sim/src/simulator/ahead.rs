//! What the answer would meet beyond where contacts were sought, and what its end looks like where it is in doubt.
//!
//! Contacts are sought as far as bodies move at twice the speed they have. What is hit by something heavy, or lifted out of overlap, may go
//! farther, and into what no row knows of. For every link, with the margin m, the fall f and the fastest point w of the start,
//! ```text
//!     dt w⁺ <= ½ m + dt f + 2 dt w
//! ```
//! proves that nothing was passed over. Where it fails contacts are sought as far as the answer goes; those that it would pass are put in
//! and the step is solved again ([`Simulator::meets`]). A pair that overlaps by more than the answer moves it is not looked at: what is passed on a
//! way of s is then no deeper than s.
//!
//! Bodies that are squeezed have no motion that opens their gaps, and one that a compliance shares out may lead deeper where surfaces bend. So
//! its end is looked at, island by island, and so is that of a motion far beside the overlap it undoes: the deepest overlap there must be no
//! deeper than at the start; else overlap is undone with a compliance as large as the rows, Levenberg's step where Gauss and Newton's went too
//! far, and if that is deeper than without undoing anything, not at all ([`Simulator::look_ahead`]). Overlap does not grow by being undone. Of the pairs only those are looked at whose overlap and motion together
//! reach the deepest overlap of their island.

use gudgeon_collide::{Aabb, ContactPoint, Near};
use gudgeon_lcp::ProblemError;
use gudgeon_multibody::{LinkId, integrate, kinematics, link_velocities, point_velocity_of, velocities};
use gudgeon_spatial::Vector3;
use nalgebra::Isometry3;

use super::Simulator;
use super::idle::{PASSED, fastest_corner};
use super::memory::Scout;
use super::touch::isometry;
use crate::tolerances::BOUND_ROUNDING;

/// Times a step is solved again for what it meets; what is met by then is met by overlap in the step to come.
const MEETINGS: usize = 2;

/// Of the deepest overlap of an island: what moves by less is not looked at. Surfaces of radius R bend by s²/2R on a way of s, which is then less
/// than a hundredth of an overlap that is small beside R. A robot whose hulls overlap by centimetres would be looked at in every step,
/// and stay as it is: most ways out lead a little deeper first.
const FAR: f64 = 0.1;

/// Of the deepest overlap of an island: what leads deeper by less, as contacts know it to first order, is not looked at either; as much as what bends.
/// Without this a ball is carried through a wall in steps that are small beside another overlap of its own.
const BEYOND: f64 = 0.01;

impl Simulator {
    /// Puts in what the answer would pass and what was not sought; whether there is any.
    pub(super) fn meets(&mut self, dt: f64, round: usize) -> bool {
        if round >= MEETINGS || !self.may_wait() || self.assembly.n_unknown() == 0 || !self.overtakes(dt) {
            return false;
        }
        let still = self.still(dt);
        let Self { flown, ws, scout: Scout { space: scout, met, .. }, .. } = self;
        let (near, reach, boxes) = (&self.v.near, &self.layout.reach, &self.layout.boxes);
        let speed = |k: usize| {
            let (turned, v) = (ws.pose(LinkId(k)).rotation.transpose(), &flown[k]);
            boxes[k]
                .map_or(0.0, |b| fastest_corner(&b.lo, &b.hi, &(turned * v.linear), &(turned * v.angular)))
        };
        let fastest = near.iter().fold(0.0, |m: f64, v| m.max(*v));
        let far = |body: Option<usize>| {
            let own = |k: usize| if reach[k] > 0.0 { (2.0 * near[k]).max(speed(k)) } else { 2.0 * fastest };
            still + body.map_or(0.0, |k| dt * own(k))
        };
        let both = |a, b, _: Option<&_>| Near::within(far(a) + far(b));
        let margin = 2.0 * (0..reach.len()).map(|k| far(Some(k))).fold(0.0, f64::max);
        let pairs = scout.broad_within(&self.geometry, &self.meeting.poses, far, both).pairs;
        met.clear();
        for k in 0..pairs {
            let (a, b) = scout.pair(k);
            let way = |collider: usize| match self.layout.links[collider] {
                LinkId::WORLD => 0.0,
                // a shape without end has no fastest point
                LinkId(k) if reach[k] == 0.0 => f64::INFINITY,
                LinkId(k) => dt * speed(k),
            };
            if way(a) + way(b) > overlap(&self.meeting.points, a, b) {
                scout.narrow(&self.geometry, k..k + 1, margin, met);
            }
        }
        let met = std::mem::take(&mut self.scout.met);
        let before = self.contacts.len();
        for p in &met {
            let at = |c: usize| {
                let link = self.layout.links[c];
                point_velocity_of(&self.ws, link, &self.flown[link.0], &p.point)
            };
            if p.gap + dt * p.normal.dot(&(at(p.a) - at(p.b))) >= -PASSED {
                continue;
            }
            let known = |c: &crate::contact_info::ContactInfo| c.id == p.id && c.colliders == (p.a, p.b);
            let found = self.contact_at(p, 0.0);
            let hard = found.material.stiffness.is_infinite();
            if hard && p.gap > 0.0 && !self.contacts.iter().chain(&self.meeting.waiting).any(known) {
                self.contacts.push(found);
            }
        }
        self.scout.met = met;
        let any = self.contacts.len() > before;
        if any {
            self.v.free.copy_from_slice(&self.v.flown);
            self.weighed |= !self.at_peace;
        }
        any
    }

    /// How far contacts of a body at rest are sought, m.
    pub(super) fn still(&self, dt: f64) -> f64 {
        0.5 * self.margin() + dt * dt * self.model.gravity().norm()
    }

    /// Whether some body moves farther than its contacts were sought; velocities of the answer into `flown`.
    fn overtakes(&mut self, dt: f64) -> bool {
        let mut flown = std::mem::take(&mut self.flown);
        link_velocities(&self.model, &self.ws, &self.v.moves, &mut flown);
        let still = self.still(dt) / dt;
        let overtaken = (1..flown.len()).filter(|&k| self.layout.reach[k] > 0.0).any(|k| {
            let (v, reach) = (&flown[k], self.layout.reach[k]);
            // a bound first, for most links it will do
            let beyond = |linear: &Vector3<f64>, angular: &Vector3<f64>, sought: f64| {
                let most = still + 2.0 * sought;
                linear.norm() + angular.norm() * reach > most && {
                    let turned = self.ws.pose(LinkId(k)).rotation.transpose();
                    let corner = |b: gudgeon_collide::Aabb| {
                        fastest_corner(&b.lo, &b.hi, &(turned * linear), &(turned * angular))
                    };
                    self.layout.boxes[k].is_some_and(|b| corner(b) > most)
                }
            };
            beyond(&v.linear, &v.angular, self.v.near[k])
                || self.layout.roots[k].is_some_and(|root| {
                    let seen = self.ws.pose(LinkId(k)).translation - self.ws.pose(root).translation;
                    let at = &flown[root.0];
                    let linear = v.linear - at.linear - at.angular.cross(&seen);
                    beyond(&linear, &(v.angular - at.angular), self.v.aside[k])
                })
        });
        self.flown = flown;
        overtaken
    }

    /// Looks at the end of a step whose overlap cannot be undone, and undoes less where that leads deeper.
    pub(super) fn look_ahead(&mut self, dt: f64) -> Result<(), ProblemError> {
        let doubted = self.recovery.doubted && self.bounces.is_empty();
        if !doubted || !self.may_wait() || self.drive.prescribed.is_some() {
            return Ok(());
        }
        self.find_islands(|_, c| c.force != Vector3::zeros());
        let [mut most, mut end, mut share] = std::mem::take(&mut self.guard.ends);
        most.fill(self.settings.overlap_tolerance);
        for c in self.contacts.iter().filter(|c| c.material.stiffness.is_infinite()) {
            for group in [c.a, c.b].iter().filter_map(|l| self.layout.groups[l.0]) {
                let at = &mut most[self.guard.island[group]];
                *at = at.max(-c.gap);
            }
        }
        let done = if self.moves_far(dt, &most) || self.leads_deeper(dt, &most) {
            self.undo_less(dt, [&mut most, &mut end, &mut share])
        } else {
            Ok(())
        };
        self.guard.ends = [most, end, share];
        done
    }

    /// Undoes less where the end of the step is deeper than it may be (`most`, m by island).
    fn undo_less(&mut self, dt: f64, [most, end, share]: [&mut [f64]; 3]) -> Result<(), ProblemError> {
        let deeper = |end: &[f64], most: &[f64]| end.iter().zip(most).any(|(end, most)| end > most);
        self.find_depths(dt, |_| 1.0, most, end);
        if !deeper(end, most) {
            return Ok(());
        }
        let shares = |end: &[f64], most: &[f64], share: &mut [f64]| {
            for (share, (end, most)) in share.iter_mut().zip(end.iter().zip(most)) {
                *share = if end > most { 0.0 } else { 1.0 };
            }
        };
        shares(end, most, share);
        self.damp(dt, share)?;
        self.tape.bounded = true;
        // as deep as the step itself leads is not the fault of what is undone
        self.find_depths(dt, |_| 0.0, most, share);
        most.iter_mut().zip(share.iter()).for_each(|(most, without)| *most = most.max(*without));
        self.find_depths(dt, |_| 1.0, most, end);
        shares(end, most, share);
        for (dof, v) in self.v.moves.iter_mut().enumerate() {
            let share = share[self.guard.island[self.layout.tree[dof]]];
            *v -= (1.0 - share) * self.v.undone[dof];
        }
        Ok(())
    }

    /// Whether some contact that is known says that the step leads farther beyond the deepest overlap of its island than is let pass.
    fn leads_deeper(&self, dt: f64, deepest: &[f64]) -> bool {
        self.contacts.iter().enumerate().filter(|(_, c)| c.material.stiffness.is_infinite()).any(|(i, c)| {
            let depth = -(c.gap + dt * self.assembly.normal_velocity(i, &self.v.moves));
            let islands = [c.a, c.b].map(|l| self.layout.groups[l.0]);
            islands.iter().flatten().any(|group| depth > (1.0 + BEYOND) * deepest[self.guard.island[*group]])
        })
    }

    /// Whether what is undone moves a point of some island far beside the deepest overlap there.
    fn moves_far(&mut self, dt: f64, deepest: &[f64]) -> bool {
        velocities(&self.model, &self.v.undone, &mut self.ws);
        let far = |k: usize| {
            self.layout.groups[k].is_some_and(|g| dt * self.fastest(k) > FAR * deepest[self.guard.island[g]])
        };
        let any = (1..self.model.n_links()).any(far);
        velocities(&self.model, &self.state.v, &mut self.ws);
        any
    }

    /// The deepest overlap at the end of the step by island, m, with an island's share of what is undone; 0 where it is no deeper than `known`.
    fn find_depths(&mut self, dt: f64, share: impl Fn(usize) -> f64, known: &[f64], deepest: &mut [f64]) {
        let mut v = std::mem::take(&mut self.guard.v);
        for (dof, v) in v.iter_mut().enumerate() {
            let share = share(self.guard.island[self.layout.tree[dof]]);
            *v = self.v.moves[dof] - (1.0 - share) * self.v.undone[dof];
        }
        self.ahead.q.copy_from_slice(&self.state.q);
        integrate(&self.model, &mut self.ahead.q, &v, dt);
        self.guard.v = v;
        let Self { model, ws, scout: Scout { space: scout, met, led }, .. } = self;
        kinematics(model, &self.ahead.q, ws);
        led.clone_from(&self.meeting.poses);
        for k in (1..model.n_links()).filter(|&k| self.layout.solid[k]) {
            led[k] = isometry(&ws.pose(LinkId(k)));
        }
        met.clear();
        for k in 0..scout.broad(&self.geometry, led, 0.0).pairs {
            let (a, b) = scout.pair(k);
            let way = |collider: usize| {
                let k = self.layout.links[collider].0;
                let corners = |b: Aabb| farthest_corner(&b, &self.meeting.poses[k], &led[k]);
                if k == 0 { 0.0 } else { self.layout.boxes[k].map_or(f64::INFINITY, corners) }
            };
            let most = (overlap(&self.meeting.points, a, b) + way(a) + way(b)) * (1.0 + BOUND_ROUNDING);
            let islands = [a, b].map(|c| self.layout.groups[self.layout.links[c].0]);
            let deeper = |group: &usize| most > known[self.guard.island[*group]];
            if scout.is_surface(&self.geometry, k) || islands.iter().flatten().any(deeper) {
                scout.narrow(&self.geometry, k..k + 1, 0.0, met);
            }
        }
        kinematics(model, &self.state.q, ws);
        velocities(model, &self.state.v, ws);
        deepest.fill(0.0);
        for p in &self.scout.met {
            if self.material(p.a, p.b).stiffness.is_infinite() {
                for group in [p.a, p.b].iter().filter_map(|c| self.layout.groups[self.layout.links[*c].0]) {
                    let at = &mut deepest[self.guard.island[group]];
                    *at = at.max(-p.gap);
                }
            }
        }
    }
}

/// The deepest overlap of two colliders among contacts sorted by pair, m; 0 where there is none.
fn overlap(points: &[ContactPoint], a: usize, b: usize) -> f64 {
    let first = points.partition_point(|p| (p.a, p.b) < (a, b));
    let own = points[first..].iter().take_while(|p| (p.a, p.b) == (a, b));
    own.fold(0.0, |most, p| most.max(-p.gap))
}

/// How far the corners of a box go from one pose to another, and with them all of it, m.
fn farthest_corner(b: &Aabb, from: &Isometry3<f64>, to: &Isometry3<f64>) -> f64 {
    let turned = to.rotation.to_rotation_matrix().matrix() - from.rotation.to_rotation_matrix().matrix();
    let moved = to.translation.vector - from.translation.vector;
    let corner = |k: usize| Vector3::from_fn(|i, _| if k >> i & 1 == 1 { b.hi[i] } else { b.lo[i] });
    (0..8).map(|k| (moved + turned * corner(k)).norm()).fold(0.0, f64::max)
}

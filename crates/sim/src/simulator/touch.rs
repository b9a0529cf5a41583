//! Contact points, and the rows of everything that may push.

use gudgeon_collide::{Aabb, ContactPoint, Near};
use gudgeon_contact::{Assembly, LIMIT_TOUCHES, Law, Touch};
use gudgeon_multibody::{FreeVelocity, LinkId, friction_rows, limit_rows, point_velocity, velocities};
use gudgeon_spatial::{Pose, Quaternion, Vector3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::Simulator;
use super::face;
use super::idle::{fastest_corner, past_each_other};
use super::law::resists_turning;
use crate::actuation::Actuation;
use crate::contact_info::ContactInfo;
use crate::crew::Sought;
use crate::frame::Mode;
use crate::report::StepError;
use crate::settings::{Facets, Integrator};
use crate::surface::Material;

/// A bound of a motor, spring or joint friction that is this many times what all bodies together could take at their present
/// speeds is no bound: "1e18" means "none". A solver that has to hold it against impulses of a newton second has no digits left
/// for them. Should an answer reach it after all, the problem is solved again with it.
const UNREACHED: f64 = 1e3;
/// By how much, of itself, a bound of speeds over a box is raised against the rounding of those at its points.
const ROUNDING: f64 = 1e-9;

impl Simulator {
    /// Contact points where contacts act, with those left out that cannot close in this step.
    pub(super) fn touch(&mut self, dt: f64) {
        let carried = self.integrator() == Integrator::Carried;
        let Self { model, ws, state, .. } = self;
        if carried {
            // contacts act where the step leads, not where the kinematics of `force` stand
            velocities(model, &state.v, ws);
        }
        let speed = self.hurry();
        self.find_points(speed, dt);
        if !self.course.outrun {
            self.keep_normal_forces();
            self.keep_places();
        }
        self.sort_points(dt);
        self.thin();
        self.share_springs();
        if !self.course.outrun {
            self.hand_on();
        }
    }

    /// Poses of the shapes and how fast each is, on its own and as seen from the root of its tree; the fastest of all, m/s.
    fn hurry(&mut self) -> f64 {
        let Self { model, ws, .. } = self;
        let mut speed = 0.0_f64;
        self.v.speeds.fill(0.0);
        for k in (1..model.n_links()).filter(|&k| self.layout.solid[k]) {
            let pose = ws.pose(LinkId(k));
            self.meeting.poses[k] = isometry(&pose);
            if self.layout.reach[k] > 0.0 {
                let v = ws.velocity(LinkId(k));
                let (linear, angular) = (pose.rotation.tr_mul(&v.linear), pose.rotation.tr_mul(&v.angular));
                let own =
                    self.layout.boxes[k].map_or(0.0, |b| fastest_corner(&b.lo, &b.hi, &linear, &angular));
                speed = speed.max(own);
                self.v.near[k] = own;
                self.v.aside[k] = self.layout.roots[k].map_or(own, |root| {
                    // as seen from the root of its tree, as if it were part of it
                    let (at, seen) = (ws.velocity(root), pose.translation - ws.pose(root).translation);
                    let linear = v.linear - at.linear - at.angular.cross(&seen);
                    let turned = |x: &Vector3<f64>| pose.rotation.tr_mul(x);
                    let angular = turned(&(v.angular - at.angular));
                    self.layout.boxes[k]
                        .map_or(0.0, |b| fastest_corner(&b.lo, &b.hi, &turned(&linear), &angular))
                });
                if let Some(group) = self.layout.groups[k] {
                    self.v.speeds[group] = self.v.speeds[group].max(own);
                }
            }
        }
        speed
    }

    /// All points that may close in this step, and some more.
    fn find_points(&mut self, speed: f64, dt: f64) {
        // two bodies may close at twice the speed of one, and gravity acts as well
        let fall = self.fall(dt);
        let margin = self.margin() + 2.0 * dt * (speed + fall);
        let threads = self.settings.threads;
        // what two bodies cannot close between them at their own speeds is left out below, so it need not be found
        let (still, near) = (self.still(dt), &self.v.near);
        // a shape without end has no fastest point; it is given the fastest of all
        let own = |k: usize| if self.layout.reach[k] > 0.0 { near[k] } else { speed };
        let reach = |body: Option<usize>| still + body.map_or(0.0, |k| 2.0 * dt * own(k));
        // bodies of one tree fall and turn together: what counts between them is how they move as seen from its root
        let least = self.least_margin();
        let (aside, groups, sized, ws) = (&self.v.aside, &self.layout.groups, &self.layout.reach, &self.ws);
        let closing = |a: Option<usize>, b: Option<usize>, region: Option<&Aabb>| {
            // as `closes_soon` will ask at any point of the region
            let met = region.map_or(Near::within(f64::INFINITY), |at| {
                let (v, w, fastest) = past_each_other(ws, a, b, at);
                let most = least.max(2.0 * dt * (fastest + fall)) * (1.0 + ROUNDING);
                Near { most, least, fall: 2.0 * dt * fall, at: 2.0 * dt * v, turn: 2.0 * dt * w }
            });
            match (a, b) {
                (Some(a), Some(b))
                    if groups[a].is_some() && groups[a] == groups[b] && sized[a] > 0.0 && sized[b] > 0.0 =>
                {
                    met.no_more_than(2.0 * still + 2.0 * dt * (aside[a] + aside[b]))
                }
                _ => met,
            }
        };
        let sought = Sought { margin, reach, closing };
        self.crew.contacts(&self.geometry, &self.meeting.poses, sought, threads, &mut self.meeting.points);
    }

    /// The points found become contacts of this step, or wait, or are left out.
    fn sort_points(&mut self, dt: f64) {
        let (settled, fall) = (self.margin(), self.fall(dt));
        self.contacts.clear();
        self.meeting.waiting.clear();
        self.penetration = 0.0;
        // a step that woke contacts is solved twice: worth it where most of them stay asleep, as in a bearing
        let may_wait = self.may_wait() && {
            let near = |p: &ContactPoint| {
                let soon = self.closes_soon(p, dt, fall);
                (soon || p.gap <= settled).then(|| self.is_near(p.gap, soon))
            };
            let (near, all) = self
                .meeting
                .points
                .iter()
                .filter_map(near)
                .fold((0, 0), |(n, all), is| (n + usize::from(is), all + 1));
            2 * near < all
        };
        let (mut rise, mut left) = (0.0, 0);
        for (k, point) in self.meeting.points.iter().enumerate() {
            if left == 0 {
                (rise, left) = face::rise(&self.geometry, &self.meeting.poses, &self.meeting.points[k..]);
            }
            left -= 1;
            let soon = self.closes_soon(point, dt, fall);
            if point.gap > settled && !soon {
                continue;
            }
            self.penetration = self.penetration.max(-point.gap);
            let waits = may_wait && !self.is_near(point.gap, soon);
            let contact = self.contact_at(point, rise);
            if waits { self.meeting.waiting.push(contact) } else { self.contacts.push(contact) }
        }
    }

    /// What gravity adds to a speed in a step, m/s.
    fn fall(&self, dt: f64) -> f64 {
        self.model.gravity().norm() * dt
    }

    /// A contact that nothing is known of but where it is, and how it lies between the surfaces.
    pub(super) fn contact_at(&self, point: &ContactPoint, rise: f64) -> ContactInfo {
        ContactInfo {
            a: self.layout.links[point.a],
            b: self.layout.links[point.b],
            colliders: (point.a, point.b),
            id: point.id,
            point: point.point + point.normal * (rise * point.gap),
            rise,
            normal: point.normal,
            gap: point.gap,
            force: Vector3::zeros(),
            moment: Vector3::zeros(),
            slip: Vector3::zeros(),
            mode: Mode::Open,
            material: self.material(point.a, point.b),
        }
    }

    /// Whether approach and fall close a gap within two steps.
    fn closes_soon(&self, point: &ContactPoint, dt: f64, fall: f64) -> bool {
        let at = |link: LinkId| point_velocity(&self.ws, link, &point.point);
        let approach = point.normal.dot(&(at(self.layout.links[point.a]) - at(self.layout.links[point.b])));
        point.gap + 2.0 * dt * (approach.min(0.0) - fall) < 0.0
    }

    /// Normal forces of the step before by contact, where friction is to be taken from them.
    fn keep_normal_forces(&mut self) {
        self.rubbing.last_normals.clear();
        if self.settings.facets == Facets::LastBox || self.contacts.iter().any(resists_turning) {
            self.rubbing.last_normals.extend(self.contacts.iter().map(|c| (c.id, c.force.dot(&c.normal))));
            self.rubbing.last_normals.sort_unstable_by_key(|&(id, _)| id);
        }
    }

    /// The rows of everything that may push.
    pub(super) fn assemble(&mut self, dt: f64) -> Result<(), StepError> {
        self.at_peace = false;
        let Self { model, assembly, ws, .. } = self;
        assembly.begin(self.settings.facets.section());
        for c in &self.contacts {
            let (a, b, point, normal, id) = (c.a, c.b, c.point, c.normal, c.id);
            let law = contact_law(&c.material, c.gap, self.settings.touching(), dt);
            let touch = Touch { a, b, point, normal, id, friction: c.material.friction };
            if self.settings.facets == Facets::LastBox {
                let pressed = last_normal(&self.rubbing.last_normals, id);
                assembly.push_contact_given(model, ws, &touch, law, c.material.friction * pressed * dt);
            } else {
                assembly.push_contact(model, ws, &touch, law);
            }
        }
        self.assemble_law(dt);
        let Self { model, assembly, drive, .. } = self;
        let driven = |dof: usize| drive.prescribed.as_ref().is_some_and(|p| p.drives(model, dof));
        // a limit may be reached at twice the present speed
        let fastest = self.v.free.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let margin = self.settings.margin.unwrap_or(self.layout.margin);
        limit_rows(model, &self.state, margin + 2.0 * dt * fastest, &mut self.limits);
        self.limits.retain(|l| !driven(l.dof));
        for limit in &self.limits {
            let id = 2 * limit.dof as u64 + u64::from(limit.sign > 0.0);
            assembly.push_limit(limit.dof, limit.sign, id, Law::hard(limit.gap, LIMIT_TOUCHES, dt));
        }
        for (dof, impulse) in friction_rows(model, dt).filter(|f| !driven(f.0)) {
            assembly.push_bounded(dof, 4 * dof as u64, Law::default(), -impulse, impulse);
        }
        for motor in drive.motors.iter().filter(|m| !driven(m.dof)) {
            let (law, most) = (Law::leaving(motor.velocity), motor.effort * dt);
            assembly.push_bounded(motor.dof, 4 * motor.dof as u64 + 1, law, -most, most);
        }
        for spring in drive.springs.iter().filter(|s| !driven(s.dof)) {
            let law = Law::soft(spring.stretch, spring.stiffness, spring.damping, dt);
            // the damper pulls towards the target's own velocity
            let share = spring.damping / (dt * spring.stiffness + spring.damping);
            let law = Law { bias: law.bias - share * spring.velocity, ..law };
            let id = 4 * spring.dof as u64 + 2;
            assembly.push_bounded(spring.dof, id, law, spring.lo * dt, spring.hi * dt);
        }
        push_strings(assembly, &drive.actuation, dt);
        // a carried step wants to know what its loops carry, contacts or not
        if assembly.n_unknown() == 0 && self.settings.integrator != Integrator::Carried {
            return Ok(());
        }
        self.at_peace = self.find_peace(dt);
        if self.at_peace {
            return Ok(());
        }
        let Self { model, assembly, ws, .. } = self;
        if !self.weighed {
            let free = FreeVelocity {
                v: &self.v.free,
                q: &self.state.q,
                diagonal: &self.forces.diagonal,
                added: &[],
                ws,
            };
            free.mass_matrix(&self.passive, &mut self.mass);
        }
        self.wide.clear();
        if assembly.n_bounded() > 0 {
            let inertia: f64 = (0..model.n_v()).map(|k| self.mass.diagonal(model, k)).sum();
            let speed = fastest + model.gravity().norm() * dt;
            assembly.widen(|bias| UNREACHED * inertia * (speed + bias.abs()), &mut self.wide);
        }
        self.divide(dt)
    }

    /// The rows divided by the factor of the mass matrix, loops and couplings held.
    fn divide(&mut self, dt: f64) -> Result<(), StepError> {
        let Self { model, assembly, ws, drive, .. } = self;
        if !(model.loops().is_empty() && model.couplings().is_empty()) {
            self.constraints.positions(model, &self.state, ws);
            for k in 0..self.constraints.rows.len() {
                let (dofs, values) = self.constraints.rows.row(k);
                assembly.push_equality(dofs, values);
            }
        }
        if let Some(prescribed) = &drive.prescribed {
            self.mass.lock(model, |dof| prescribed.drives(model, dof));
        }
        if let Err(error) = self.factor.factor(model, &self.mass) {
            let link = model.link(model.dof_link(error.dof)).name.clone();
            return Err(StepError::Inertia { link, time: self.time });
        }
        if let Some(prescribed) = &drive.prescribed {
            let frozen = |dof: usize| prescribed.drives(model, dof);
            assembly.whiten(model, &self.factor, &mut self.v.free, Some(&frozen));
        } else {
            assembly.whiten(model, &self.factor, &mut self.v.free, None);
        }
        if !self.drive.actuation.adhesion.is_empty() {
            self.adhere(dt);
        }
        Ok(())
    }
}

/// A pose as collision detection wants it.
pub(super) fn isometry(pose: &Pose) -> Isometry3<f64> {
    let q = Quaternion::from_matrix(&pose.rotation);
    let rotation = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(q.w, q.x, q.y, q.z));
    Isometry3::from_parts(Translation3::from(pose.translation), rotation)
}

/// Rows of strings and of what pulls them.
fn push_strings(assembly: &mut Assembly, actuation: &Actuation, dt: f64) {
    for limit in &actuation.limits {
        assembly.push_limit_row(&limit.row, limit.id, Law::hard(limit.value, LIMIT_TOUCHES, dt));
    }
    for rub in &actuation.rubbing {
        assembly.push_bounded_row(&rub.row, rub.id, Law::default(), -rub.value * dt, rub.value * dt);
    }
    for s in actuation.springs.iter().chain(&actuation.tethers) {
        let law = Law::soft(s.stretch, s.stiffness, s.damping, dt);
        let share = s.damping / (dt * s.stiffness + s.damping);
        let law = Law { bias: law.bias - share * s.velocity, ..law };
        assembly.push_bounded_row(&s.row, s.id, law, s.lo * dt, s.hi * dt);
    }
}

pub(super) fn contact_law(material: &Material, gap: f64, touching: f64, dt: f64) -> Law {
    if material.stiffness.is_infinite() {
        Law::hard(gap, touching, dt)
    } else {
        Law::soft(gap, material.stiffness, material.damping, dt)
    }
}

/// The normal force of a contact in the step before, N; 0 if it was not there.
pub(super) fn last_normal(normals: &[(u64, f64)], id: u64) -> f64 {
    normals.binary_search_by_key(&id, |&(id, _)| id).map_or(0.0, |k| normals[k].1.max(0.0))
}

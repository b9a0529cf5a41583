//! Contacts that cannot close within the step, left out by proof.
//!
//! Most contacts near a mechanism carry nothing: a cage beside its races, the flank that trails. A contact with a gap that neither
//! its approach nor a fall closes in two steps waits. The step is solved without it, and the answer is the proof: if
//! ```text
//!     gap + dt n·(v_a - v_b) >= 0     at the velocities that bodies leave with, and at those that positions follow,
//! ```
//! then an impulse of zero there solves the whole problem. A contact that would be passed is put back and the step solved again; after
//! [`ROUNDS`] all are. Done where most contacts would wait, or the second solves cost more than the first ones save, as in a pile;
//! for `euler`, `robust` and the exact law: the papers' methods see what the papers' see.
//!
//! Contacts of meshes, which cost the most to find, are sought within a part of the margin and what the two bodies can close at their speeds in that
//! place ([`Near`]): gears that mesh hardly move past each other at their pitch point. No two points of theirs come nearer than the bodies move past each
//! other there in the step (`outruns`), or all are sought.
//!
//! The margin within which contacts are sought follows from the size of the smallest shape unless it is given, and the
//! reach of a body from the velocity of the corners of its box: |v + ω × r| is convex in r.

use gudgeon_collide::{Aabb, Near};
use gudgeon_lcp::Method;
use gudgeon_multibody::{LinkId, Workspace, point_velocity, velocities};
use gudgeon_spatial::Vector3;

use super::Simulator;
use super::memory::Meeting;
use crate::contact_info::ContactInfo;
use crate::scene::Scene;
use crate::settings::{FrictionLaw, Integrator};

/// Metres: the greatest margin that is taken unless one is given.
const WIDEST: f64 = 1e-3;
/// The margin relative to the size of the smallest shape that moves.
const OF_SIZE: f64 = 0.01;
/// The part of the margin within which contacts of meshes are sought first.
const OF_MESHES: f64 = 0.1;
/// Metres: what is nearer than this does not wait, or resting bodies would be solved for twice.
const NEAR: f64 = 1e-5;
/// Metres: a contact that is passed by less is not put back; overlap below a micrometre is left alone as well.
pub(super) const PASSED: f64 = 1e-9;
/// Times a step is solved with some contacts waiting.
const ROUNDS: usize = 3;

/// The margin that follows from the shapes: a hundredth of the smallest one's largest side.
pub(crate) fn margin_by_size(scene: &Scene) -> f64 {
    let moving = scene.colliders.iter().filter(|c| c.link != gudgeon_multibody::LinkId::WORLD);
    let sides = moving.map(|c| {
        let aabb = c.shape.aabb(&c.pose);
        (aabb.hi - aabb.lo).max()
    });
    sides.filter(|s| s.is_finite() && *s > 0.0).map(|s| OF_SIZE * s).fold(WIDEST, f64::min)
}

/// The fastest corner of a box that moves with v and turns with w about the origin, in the box's axes.
pub(super) fn fastest_corner(
    lo: &Vector3<f64>,
    hi: &Vector3<f64>,
    v: &Vector3<f64>,
    w: &Vector3<f64>,
) -> f64 {
    (0..8)
        .map(|k| {
            let r = Vector3::from_fn(|i, _| if k >> i & 1 == 1 { hi[i] } else { lo[i] });
            (v + w.cross(&r)).norm_squared()
        })
        .fold(0.0_f64, f64::max)
        .sqrt()
}

/// How two bodies (`None` is the world) move past each other, as the velocity of what is at the world's origin and the angular one, and how fast at
/// most within a box of the world, m/s: the corners again.
pub(super) fn past_each_other(
    ws: &Workspace,
    a: Option<usize>,
    b: Option<usize>,
    at: &Aabb,
) -> (Vector3<f64>, Vector3<f64>, f64) {
    let motion = |body: Option<usize>| {
        body.map_or((Vector3::zeros(), Vector3::zeros()), |k| {
            // of the point that is at the world's origin, moving with the body
            (point_velocity(ws, LinkId(k), &Vector3::zeros()), ws.velocity(LinkId(k)).angular)
        })
    };
    let ((va, wa), (vb, wb)) = (motion(a), motion(b));
    let (v, w) = (va - vb, wa - wb);
    let fastest = fastest_corner(&at.lo, &at.hi, &v, &w);
    // a box without end has no fastest corner
    (v, w, if fastest.is_nan() { f64::INFINITY } else { fastest })
}

impl Simulator {
    /// How near contacts are sought even at rest, m.
    pub(super) fn margin(&self) -> f64 {
        self.settings.margin.unwrap_or(self.layout.margin)
    }

    /// How near contacts of meshes are sought even at rest, m: where contacts may wait, a part of the margin, until the answer
    /// shows that it was too little.
    pub(super) fn least_margin(&self) -> f64 {
        if self.may_wait() && !self.course.outrun { OF_MESHES * self.margin() } else { self.margin() }
    }

    /// Whether the answer moves two bodies past each other by more than contacts of their meshes were sought: then they are sought within
    /// the whole margin, and the step must be solved again.
    pub(super) fn outruns(&mut self, dt: f64) -> bool {
        if self.course.outrun || !self.may_wait() || self.crew.surface_pairs(&self.geometry).next().is_none()
        {
            return false;
        }
        for ahead in [&self.v.next, &self.v.moves] {
            velocities(&self.model, ahead, &mut self.ws);
            let (ws, whole) = (&self.ws, self.settings.margin.unwrap_or(self.layout.margin));
            let passed = |([a, b], near, at): ([Option<usize>; 2], Near, Aabb)| {
                let (v, w, _) = past_each_other(ws, a, b, &at);
                !near.covers(&(dt * v), &(dt * w), &at, whole)
            };
            self.course.outrun |= self.crew.surface_pairs(&self.geometry).any(passed);
        }
        velocities(&self.model, &self.state.v, &mut self.ws);
        if self.course.outrun {
            self.touch(dt);
            self.v.free.copy_from_slice(&self.v.flown);
            self.weighed |= self.assembly.n_unknown() > 0 && !self.at_peace;
        }
        self.course.outrun
    }

    /// Whether contacts may wait in this step: by the convex law a contact that slides acts across a gap.
    pub(super) fn may_wait(&self) -> bool {
        self.integrator() == Integrator::Euler
            && self.settings.law == FrictionLaw::Exact
            && self.settings.method == Method::Robust
            && self.drive.actuation.adhesion.is_empty()
    }

    /// Whether a contact with this gap does not wait.
    pub(super) fn is_near(&self, gap: f64, soon: bool) -> bool {
        soon || gap < NEAR.min(0.1 * self.margin())
    }

    /// Puts contacts back that the answer passes; whether there are any.
    pub(super) fn wake(&mut self, dt: f64, round: usize) -> bool {
        if self.meeting.waiting.is_empty() {
            return false;
        }
        let before = self.contacts.len();
        for ahead in [&self.v.next, &self.v.moves] {
            velocities(&self.model, ahead, &mut self.ws);
            let ws = &self.ws;
            let passed = |c: &ContactInfo| {
                let at = |link| point_velocity(ws, link, &c.point);
                c.gap + dt * c.normal.dot(&(at(c.a) - at(c.b))) < -PASSED
            };
            let Self { meeting: Meeting { waiting, .. }, contacts, .. } = self;
            waiting.retain(|c| {
                if passed(c) {
                    contacts.push(*c);
                }
                !passed(c)
            });
        }
        velocities(&self.model, &self.state.v, &mut self.ws);
        let woken = self.contacts.len() > before;
        if woken {
            if round + 1 == ROUNDS {
                self.contacts.append(&mut self.meeting.waiting);
            }
            self.v.free.copy_from_slice(&self.v.flown);
            // the diagonal is spent where there was an answer to read, and then the mass matrix stands
            self.weighed |= self.assembly.n_unknown() > 0 && !self.at_peace;
        }
        woken
    }
}

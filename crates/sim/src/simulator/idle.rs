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
//! The margin within which contacts are sought follows from the size of the smallest shape unless it is given, and the
//! reach of a body from the velocity of the corners of its box: |v + ω × r| is convex in r.

use gudgeon_lcp::Method;
use gudgeon_multibody::{point_velocity, velocities};
use gudgeon_spatial::Vector3;

use super::{ContactInfo, Simulator};
use crate::scene::Scene;
use crate::settings::{FrictionLaw, Integrator};

/// Metres: the greatest margin that is taken unless one is given.
const WIDEST: f64 = 1e-3;
/// The margin relative to the size of the smallest shape that moves.
const OF_SIZE: f64 = 0.01;
/// Metres: what is nearer than this does not wait, or resting bodies would be solved for twice.
const NEAR: f64 = 1e-5;
/// Metres: a contact that is passed by less is not put back; overlap below a micrometre is left alone as well.
const PASSED: f64 = 1e-9;
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

impl Simulator {
    /// How near contacts are sought even at rest, m.
    pub(super) fn margin(&self) -> f64 {
        self.settings.margin.unwrap_or(self.margin_by_size)
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
        if self.waiting.is_empty() {
            return false;
        }
        let before = self.contacts.len();
        for ahead in [&self.v_next, &self.v_move] {
            velocities(&self.model, ahead, &mut self.ws);
            let ws = &self.ws;
            let passed = |c: &ContactInfo| {
                let at = |link| point_velocity(ws, link, &c.point);
                c.gap + dt * c.normal.dot(&(at(c.a) - at(c.b))) < -PASSED
            };
            let Self { waiting, contacts, .. } = self;
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
                self.contacts.append(&mut self.waiting);
            }
            self.v_free.copy_from_slice(&self.v_flown);
            // the diagonal is spent where there was an answer to read, and then the mass matrix stands
            self.weighed |= self.assembly.n_unknown() > 0;
        }
        woken
    }
}

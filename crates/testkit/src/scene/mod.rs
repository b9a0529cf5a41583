//! Rigid bodies that touch: the data of one time step, and the problems that come from it.
//!
//! A scene is one instant: bodies with mass, inertia and velocity, points where they touch, and rows that tie
//! them together. With the step h, gravity g, force f and torque τ on a body (angular part first, world axes,
//! about the centre of mass)
//!
//! ```text
//!     M = diag(I, m 1)      v_free = v + h M⁻¹ (τ − ω × I ω, f + m g)
//!     u = J v + bias        J v = n·(v_a + ω_a × r_a) − n·(v_b + ω_b × r_b),   bias of a normal = gap / h
//! ```
//!
//! **Why the friction problems have a solution.** The matrix of [Yamane (25)] is copositive, and with it
//! Lemke's method ends in a solution if qᵀv ≥ 0 for every v ≥ 0 with M v ≥ 0, vᵀM v = 0. For such a v the
//! impulses r do no work on the bodies, Jᵀ r = 0, so qᵀv = rᵀ(J v_free + bias) = rᵀ bias. Hence it is enough
//! that *one* motion v* agrees with all rows: J v* + bias ≥ 0 on normals and unilateral rows, = 0 on tangents
//! and equalities; then rᵀ bias = rᵀ(J v* + bias) ≥ 0. All scenes here have gap ≥ 0 and no other bias except on
//! bounded rows, so rest, v* = 0, is that motion. Bounded rows are always harmless: their part of v vanishes.
//! The argument is exact; rounding of W = J M⁻¹ Jᵀ leaves it true to about 1e-15 of the entries.

mod alter;
mod build;

pub use alter::Units;

use gudgeon_lcp::{FrictionProblem, Lcp};

use crate::geometry::{Mat3, Vec3, add, rotated_diagonal};
use crate::rng::Rng;

/// A free rigid body at one instant, in world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// kg.
    pub mass: f64,
    /// About the centre of mass, kg m².
    pub inertia: Mat3,
    /// The centre of mass, m.
    pub position: Vec3,
    /// Of the centre of mass, m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub spin: Vec3,
    /// At the centre of mass, beside gravity, N.
    pub force: Vec3,
    /// N m.
    pub torque: Vec3,
}

impl Body {
    /// A body at rest.
    pub fn new(mass: f64, inertia: Mat3, position: Vec3) -> Self {
        let zero = [0.0; 3];
        Self { mass, inertia, position, velocity: zero, spin: zero, force: zero, torque: zero }
    }

    /// A block with its half sides along the axes of `rotation`.
    pub fn block(mass: f64, half: Vec3, position: Vec3, rotation: &Mat3) -> Self {
        let [x, y, z] = half.map(|s| s * s);
        let about = [y + z, z + x, x + y].map(|s| mass / 3.0 * s);
        Self::new(mass, rotated_diagonal(rotation, about), position)
    }

    /// A solid ball.
    pub fn ball(mass: f64, radius: f64, position: Vec3) -> Self {
        let i = 0.4 * mass * radius * radius;
        Self::new(mass, [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]], position)
    }

    /// A solid cylinder standing upright.
    pub fn cylinder(mass: f64, radius: f64, height: f64, position: Vec3) -> Self {
        let across = mass / 12.0 * (3.0 * radius * radius + height * height);
        let along = 0.5 * mass * radius * radius;
        Self::new(mass, [[across, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, along]], position)
    }
}

/// What the surface is like around a contact, which says where a neighbouring contact lies and how its normal points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Surface {
    /// The same normal in every direction.
    Flat,
    /// The same normal along this direction of length one alone.
    Straight(Vec3),
    /// Body `a` is a ball of this radius, m.
    Ball(f64),
}

/// A point where body `a` touches body `b`, or the fixed world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The body that the normal points into.
    pub a: usize,
    /// The other body; `None` is the world.
    pub b: Option<usize>,
    /// m.
    pub point: Vec3,
    /// Of length one.
    pub normal: Vec3,
    /// The coefficient of friction.
    pub mu: f64,
    /// The distance still open, m, not negative.
    pub gap: f64,
    /// How far the tangents are turned about the normal, rad.
    pub turn: f64,
    /// The surface around it.
    pub surface: Surface,
}

impl Touch {
    /// A closed contact with the coefficient 0.25, the middle of Lloyd's range [Lloyd, §5.4].
    pub fn new(a: usize, b: Option<usize>, point: Vec3, normal: Vec3) -> Self {
        Self { a, b, point, normal, mu: 0.25, gap: 0.0, turn: 0.0, surface: Surface::Flat }
    }

    /// The same contact on another surface.
    pub fn on(self, surface: Surface) -> Self {
        Self { surface, ..self }
    }
}

/// What a row of a joint measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Along {
    /// The velocity of a point in a direction, m/s.
    Point(Vec3, Vec3),
    /// The spin about a direction, rad/s.
    Axis(Vec3),
}

/// A row between two bodies, or a body and the world: body `a` against body `b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// The body that the impulse acts on.
    pub a: usize,
    /// The body that gets the opposite; `None` is the world.
    pub b: Option<usize>,
    /// What is measured.
    pub along: Along,
    /// Added to the velocity, m/s or rad/s.
    pub bias: f64,
}

/// A row whose impulse is bounded: a motor or dry friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motor {
    /// The row.
    pub tie: Tie,
    /// The greatest impulse either way, N s or N m s.
    pub limit: f64,
}

/// Bodies and rows of one time step.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// What it shows and what was done to it: `peg-16+near-1e-8+grams`.
    pub name: String,
    /// The bodies; the last is the one that wrenches act on.
    pub bodies: Vec<Body>,
    /// The contacts.
    pub touches: Vec<Touch>,
    /// Rows that must not move.
    pub equality: Vec<Tie>,
    /// Rows that may only open.
    pub unilateral: Vec<Tie>,
    /// Rows with a bounded impulse.
    pub motors: Vec<Motor>,
    /// The time step, s.
    pub h: f64,
    /// m/s².
    pub gravity: Vec3,
    /// The number of sides of each friction cone.
    pub facets: usize,
}

impl Scene {
    /// An empty scene on earth, with steps of 1 ms and eight-sided cones.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            bodies: Vec::new(),
            touches: Vec::new(),
            equality: Vec::new(),
            unilateral: Vec::new(),
            motors: Vec::new(),
            h: 1e-3,
            gravity: [0.0, 0.0, -9.81],
            facets: FrictionProblem::FACETS,
        }
    }

    /// The number of contact points.
    pub fn n_contacts(&self) -> usize {
        self.touches.len()
    }

    /// The problem with friction, in global form.
    pub fn problem(&self) -> FrictionProblem {
        FrictionProblem::global(self.global())
            .and_then(|problem| problem.with_facets(self.facets))
            .expect("a scene has positive masses and finite numbers")
    }

    /// The standard problem with friction, cones cut into `facets` sides.
    pub fn lcp(&self) -> Lcp {
        build::standard(&self.problem())
    }

    /// The standard problem without friction: one unknown per contact and unilateral row, two per motor.
    pub fn frictionless_lcp(&self) -> Lcp {
        build::standard(&self.frictionless())
    }

    /// A random wrench on the last body: force up to `strength` times its weight on earth, torque up to that
    /// times its radius of gyration [Lloyd, §5.4].
    pub fn pushed(mut self, strength: f64, rng: &mut Rng) -> Self {
        let standard_gravity = 9.81;
        let Some(body) = self.bodies.last_mut() else { return self };
        let trace = body.inertia[0][0] + body.inertia[1][1] + body.inertia[2][2];
        let gyration = (trace / (2.0 * body.mass)).sqrt();
        let weight = strength * body.mass * standard_gravity;
        let mut vector = |size: f64| -> Vec3 { std::array::from_fn(|_| rng.uniform(-size, size)) };
        body.force = add(body.force, vector(weight));
        body.torque = add(body.torque, vector(weight * gyration));
        self
    }
}

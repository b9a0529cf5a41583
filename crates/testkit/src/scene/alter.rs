//! What may be done to a scene: the ways in which contact problems become degenerate or badly scaled.
//!
//! Each change keeps the reason why the scene has a solution (see the parent module), and adds to its name.

use super::{Along, Scene, Surface, Tie, Touch};
use crate::geometry::{add, dot, scale, sub, tangents, unit};
use crate::rng::Rng;

/// Units that the numbers of a scene are given in, as multiples of the kilogram and the metre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// Grams and metres.
    Grams,
    /// Kilotons and metres.
    Kilotons,
    /// Kilograms and millimetres.
    Millimetres,
    /// Grams and millimetres.
    GramsMillimetres,
}

impl Units {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Grams, Self::Kilotons, Self::Millimetres, Self::GramsMillimetres];

    /// The name that a scene's name gets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grams => "grams",
            Self::Kilotons => "kilotons",
            Self::Millimetres => "mm",
            Self::GramsMillimetres => "g-mm",
        }
    }

    /// The number of units in a kilogram, and in a metre.
    fn factors(self) -> (f64, f64) {
        match self {
            Self::Grams => (1e3, 1.0),
            Self::Kilotons => (1e-6, 1.0),
            Self::Millimetres => (1.0, 1e3),
            Self::GramsMillimetres => (1e3, 1e3),
        }
    }
}

/// A contact `offset` metres beside another on the same surface.
fn neighbour(touch: &Touch, offset: f64, rng: &mut Rng) -> Touch {
    let [t1, t2] = tangents(touch.normal, 0.0);
    let (s, c) = rng.uniform(0.0, std::f64::consts::TAU).sin_cos();
    let aside = add(scale(c, t1), scale(s, t2));
    match touch.surface {
        Surface::Flat => Touch { point: add(touch.point, scale(offset, aside)), ..*touch },
        Surface::Straight(along) => {
            let sign = if rng.chance(0.5) { offset } else { -offset };
            Touch { point: add(touch.point, scale(sign, along)), ..*touch }
        }
        Surface::Ball(radius) => {
            let centre = add(touch.point, scale(radius, touch.normal));
            let normal = unit(add(touch.normal, scale(offset / radius, aside)));
            Touch { point: sub(centre, scale(radius, normal)), normal, ..*touch }
        }
    }
}

impl Scene {
    /// The scene with something added to its name.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Self {
        self.name.push('+');
        self.name.push_str(note);
        self
    }

    /// One coefficient of friction for all contacts.
    pub fn with_mu(mut self, mu: f64) -> Self {
        self.touches.iter_mut().for_each(|t| t.mu = mu);
        self
    }

    /// A coefficient for each contact, between two bounds.
    pub fn with_mu_between(mut self, lo: f64, hi: f64, rng: &mut Rng) -> Self {
        self.touches.iter_mut().for_each(|t| t.mu = rng.uniform(lo, hi));
        self
    }

    /// Another number of cone sides.
    pub fn with_facets(mut self, facets: usize) -> Self {
        self.facets = facets;
        self
    }

    /// Every contact a second time, to the bit.
    pub fn with_duplicates(mut self) -> Self {
        self.touches.extend_from_within(..);
        self.noted("dup")
    }

    /// Every contact a second time, `offset` metres away from the first on the same surface.
    ///
    /// The normal follows the surface. A neighbour on a round peg that kept its normal would forbid the peg to
    /// turn, by impulses of 1/`offset`: exact, and beyond what f64 can write down to 1e-9.
    pub fn with_near_duplicates(mut self, offset: f64, rng: &mut Rng) -> Self {
        let moved: Vec<Touch> = self.touches.iter().map(|t| neighbour(t, offset, rng)).collect();
        self.touches.extend(moved);
        self.noted(&format!("near-{offset:.0e}"))
    }

    /// The contacts in the order of a permutation.
    pub fn permuted(mut self, order: &[usize]) -> Self {
        self.touches = order.iter().map(|&i| self.touches[i]).collect();
        self
    }

    /// The contacts in random order.
    pub fn shuffled(mut self, rng: &mut Rng) -> Self {
        rng.shuffle(&mut self.touches);
        self.noted("shuffled")
    }

    /// Tangents turned about their normals by random angles.
    pub fn with_turned_tangents(mut self, rng: &mut Rng) -> Self {
        self.touches.iter_mut().for_each(|t| t.turn = rng.uniform(0.0, std::f64::consts::TAU));
        self.noted("turned")
    }

    /// Masses from the first body to the last in equal factors, the last `ratio` times the first; shapes stay.
    pub fn with_mass_ratio(mut self, ratio: f64) -> Self {
        let steps = self.bodies.len().saturating_sub(1).max(1) as f64;
        let first = self.bodies.first().map_or(1.0, |b| b.mass);
        for (i, body) in self.bodies.iter_mut().enumerate() {
            let f = first * ratio.powf(i as f64 / steps) / body.mass;
            body.mass *= f;
            body.inertia.iter_mut().flatten().for_each(|v| *v *= f);
            body.force = scale(f, body.force);
            body.torque = scale(f, body.torque);
        }
        self.noted(&format!("ratio-{ratio:.0e}"))
    }

    /// The same scene with its numbers in other units.
    pub fn in_units(mut self, units: Units) -> Self {
        let (kg, m) = units.factors();
        for body in &mut self.bodies {
            body.mass *= kg;
            body.inertia.iter_mut().flatten().for_each(|v| *v *= kg * m * m);
            body.position = scale(m, body.position);
            body.velocity = scale(m, body.velocity);
            body.force = scale(kg * m, body.force);
            body.torque = scale(kg * m * m, body.torque);
        }
        for touch in &mut self.touches {
            touch.point = scale(m, touch.point);
            touch.gap *= m;
            if let Surface::Ball(radius) = touch.surface {
                touch.surface = Surface::Ball(m * radius);
            }
        }
        let convert = |tie: &mut Tie| {
            if let Along::Point(point, direction) = tie.along {
                tie.along = Along::Point(scale(m, point), direction);
                tie.bias *= m;
            }
        };
        self.equality.iter_mut().chain(&mut self.unilateral).for_each(convert);
        for motor in &mut self.motors {
            convert(&mut motor.tie);
            motor.limit *= if matches!(motor.tie.along, Along::Point(..)) { kg * m } else { kg * m * m };
        }
        self.gravity = scale(m, self.gravity);
        self.noted(units.name())
    }

    /// Nothing moves and nothing pulls: q is zero, and so is one of the answers.
    pub fn at_peace(mut self) -> Self {
        self.gravity = [0.0; 3];
        for body in &mut self.bodies {
            body.velocity = [0.0; 3];
            body.spin = [0.0; 3];
            body.force = [0.0; 3];
            body.torque = [0.0; 3];
        }
        self.noted("peace")
    }

    /// Random velocities of this size, m/s and rad/s.
    pub fn with_velocities(mut self, speed: f64, rng: &mut Rng) -> Self {
        for body in &mut self.bodies {
            body.velocity = std::array::from_fn(|_| rng.uniform(-speed, speed));
            body.spin = std::array::from_fn(|_| rng.uniform(-speed, speed));
        }
        self.noted("moving")
    }

    /// Every contact opened by more than the step can close: none will press.
    pub fn separating(mut self) -> Self {
        let free = self.global().free_velocity;
        let rows: Vec<_> = self.global().contacts.into_iter().map(|c| c.normal.entries).collect();
        for (touch, row) in self.touches.iter_mut().zip(rows) {
            let closing: f64 = row.iter().map(|&(i, v)| -v * free[i]).sum();
            // twice what it closes in the step, and a micrometre
            touch.gap = 2.0 * self.h * closing.max(0.0) + 1e-6;
        }
        self.noted("separating")
    }

    /// Some contacts not yet closed, by up to what gravity closes in two steps.
    pub fn with_gaps(mut self, rng: &mut Rng) -> Self {
        let fall = dot(self.gravity, self.gravity).sqrt() * self.h * self.h;
        for touch in &mut self.touches {
            if rng.chance(0.5) {
                touch.gap = rng.uniform(0.0, 2.0 * fall);
            }
        }
        self.noted("gaps")
    }

    /// The whole scene turned, gravity included, so that no entry is a round number any more.
    pub fn rotated(mut self, rng: &mut Rng) -> Self {
        let r = rng.rotation();
        let turn = |v: [f64; 3]| crate::geometry::mat_vec(&r, v);
        for body in &mut self.bodies {
            let i = body.inertia;
            // R I Rᵀ, symmetric to the bit
            let ri: [[f64; 3]; 3] =
                std::array::from_fn(|a| std::array::from_fn(|b| (0..3).map(|k| r[a][k] * i[k][b]).sum()));
            let full = |a: usize, b: usize| (0..3).map(|k| ri[a][k] * r[b][k]).sum();
            body.inertia = std::array::from_fn(|a| {
                std::array::from_fn(|b| if a >= b { full(a, b) } else { full(b, a) })
            });
            for v in
                [&mut body.position, &mut body.velocity, &mut body.spin, &mut body.force, &mut body.torque]
            {
                *v = turn(*v);
            }
        }
        for touch in &mut self.touches {
            touch.point = turn(touch.point);
            touch.normal = unit(turn(touch.normal));
            if let Surface::Straight(along) = touch.surface {
                touch.surface = Surface::Straight(turn(along));
            }
        }
        let ties = self.equality.iter_mut().chain(&mut self.unilateral);
        for tie in ties.chain(self.motors.iter_mut().map(|m| &mut m.tie)) {
            tie.along = match tie.along {
                Along::Point(point, direction) => Along::Point(turn(point), turn(direction)),
                Along::Axis(direction) => Along::Axis(turn(direction)),
            };
        }
        self.gravity = turn(self.gravity);
        self.noted("rotated")
    }

    /// The line of action of the last body's weight, moved sideways by (x, y) metres [EnzPivot, Fig. 2].
    pub fn with_line_of_action(mut self, x: f64, y: f64) -> Self {
        let gravity = self.gravity;
        if let Some(body) = self.bodies.last_mut() {
            let moment = crate::geometry::cross([x, y, 0.0], scale(body.mass, gravity));
            body.torque = add(body.torque, moment);
        }
        self
    }

    /// The distance between two contacts, m.
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let d = sub(self.touches[i].point, self.touches[j].point);
        dot(d, d).sqrt()
    }
}

//! Tosses of a cube onto a table, simulated from their first sample.
//!
//! ```text
//!     place = mean over samples of |x − x̂| / edge,      angle = mean over samples of ∠(R, R̂),      then mean over tosses
//! ```
//! as in Acosta, Yang, Posa, *Validating robotics simulators on real-world impacts*. The first sample, where both are equal, is one
//! of them, as it is in their own program, whose steps answer the state that they begin with: figures without it are a hundredth
//! larger and cannot be held against theirs.

use std::fmt;

use gudgeon_collide::Shape;
use gudgeon_multibody::State;
use gudgeon_sim::{BodySpec, Material, RestitutionLaw, SceneBuilder, Simulator};
use gudgeon_spatial::{Inertia, Symmetric3};
use nalgebra::Isometry3;

use crate::ValidateError;
use crate::run::G;

/// Of the cameras.
pub const SAMPLES_PER_SECOND: f64 = 148.0;
/// Steps of the simulation between two samples: 1.1 ms each. Twice as many change the means by less than a hundredth.
const STEPS: usize = 6;
/// Numbers of a sample: place, quaternion w x y z, velocity, angular velocity in the body's axes.
const WIDTH: usize = 13;

/// The cube and the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cube {
    /// m.
    pub edge: f64,
    /// kg.
    pub mass: f64,
    /// About every axis, kg m².
    pub inertia: f64,
    /// Of cube on table.
    pub friction: f64,
    /// Of cube on table.
    pub restitution: f64,
    /// What restitution means, where the contact is hard.
    pub law: RestitutionLaw,
    /// Of a contact that is a spring and a damper, N/m; infinite, it is hard.
    pub stiffness: f64,
    /// Of the damper, N s/m.
    pub damping: f64,
    /// Radius of the corners, m.
    pub corner: f64,
    /// Metres of a metre of the measurements.
    pub stretch: f64,
    /// How long before the time of its sample a measured velocity is the true one, s.
    pub late: f64,
}

impl Cube {
    /// As measured: a tilt test for friction.
    pub const MEASURED: Self = Self {
        edge: 0.1048,
        mass: 0.37,
        inertia: 0.00081,
        friction: 0.18,
        restitution: 0.125,
        law: RestitutionLaw::Newton,
        stiffness: f64::INFINITY,
        damping: 0.0,
        corner: 0.0,
        stretch: 1.0,
        late: 0.0,
    };

    fn simulator(&self) -> Result<Simulator, ValidateError> {
        let mut scene = SceneBuilder::new("toss");
        let Self { friction, restitution, stiffness, damping, .. } = *self;
        scene.default_material(Material { friction, restitution, stiffness, damping, ..Material::default() });
        scene.settings().dt = 1.0 / SAMPLES_PER_SECOND / STEPS as f64;
        scene.settings().restitution = self.law;
        scene.ground();
        let mut cube = BodySpec::new("cube", self.shape()?);
        let about_com = Symmetric3::scalar(self.inertia);
        cube.inertia = Some(Inertia { mass: self.mass, about_com, ..Inertia::zero() });
        scene.body(cube)?;
        Ok(Simulator::new(&scene.build()?)?)
    }
}

impl Cube {
    /// A box; with round corners what a table can feel of it, a ball in each.
    fn shape(&self) -> Result<Shape, ValidateError> {
        let half = 0.5 * self.edge;
        if self.corner == 0.0 {
            return Ok(Shape::cuboid(half, half, half)?);
        }
        let reach = half - self.corner;
        let mut balls = Vec::new();
        for x in [-reach, reach] {
            for y in [-reach, reach] {
                for z in [-reach, reach] {
                    balls.push((Isometry3::translation(x, y, z), Shape::sphere(self.corner)?));
                }
            }
        }
        Ok(Shape::compound(balls)?)
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "friction {:.3}, ", self.friction)?;
        let law = match self.law {
            _ if self.stiffness.is_finite() => None,
            RestitutionLaw::Newton => Some("Newton"),
            RestitutionLaw::Poisson => Some("Poisson"),
        };
        match law {
            Some(law) => write!(f, "restitution {:.3} by {law}, ", self.restitution)?,
            None => write!(f, "spring {:.0} N/m, damper {:.0} N s/m, ", self.stiffness, self.damping)?,
        }
        write!(f, "edge {:.2} mm, corners {:.2} mm", 1e3 * self.edge, 1e3 * self.corner)
    }
}

/// Measured tosses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tosses {
    samples: Vec<[f64; WIDTH]>,
    start: Vec<usize>, // and one more than there are tosses
}

/// How far simulated tosses are from measured ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// % of the edge.
    pub place: f64,
    /// Degrees.
    pub angle: f64,
}

impl Tosses {
    /// From samples in a row, and where each toss starts among them; the last start is the number of samples.
    pub fn new(rows: &[f64], start: Vec<usize>) -> Result<Self, ValidateError> {
        let samples: Vec<[f64; WIDTH]> =
            rows.chunks_exact(WIDTH).map(|r| std::array::from_fn(|i| r[i])).collect();
        let whole = samples.len() * WIDTH == rows.len() && rows.iter().all(|x| x.is_finite());
        let order = start.windows(2).all(|w| w[1] >= w[0] + 2);
        let ends = start.first() == Some(&0) && start.last() == Some(&samples.len()) && start.len() > 1;
        if !(whole && order && ends) {
            return Err(ValidateError::Missed(
                "tosses: rows of 13 finite numbers, and starts from 0 to their number, two samples at least each"
                    .into(),
            ));
        }
        Ok(Self { samples, start })
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Whether there are none; there always are.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mean errors over these tosses.
    pub fn errors(&self, cube: &Cube, which: &[usize]) -> Result<Errors, ValidateError> {
        let mut sim = cube.simulator()?;
        let mut sum = Errors::default();
        for &k in which {
            let errors = self.one(&mut sim, cube, k)?;
            sum.place += errors.place / which.len() as f64;
            sum.angle += errors.angle / which.len() as f64;
        }
        Ok(sum)
    }

    fn one(&self, sim: &mut Simulator, cube: &Cube, k: usize) -> Result<Errors, ValidateError> {
        let samples = &self.samples[self.start[k]..self.start[k + 1]];
        let [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = samples[0];
        let norm = (qw * qw + qx * qx + qy * qy + qz * qz).sqrt();
        let [x, y, z, vx, vy, vz] = [x, y, z, vx, vy, vz].map(|length| cube.stretch * length);
        let q = vec![qw / norm, qx / norm, qy / norm, qz / norm, x, y, z];
        sim.set_state(&State { q, v: vec![wx, wy, wz, vx, vy, vz - G * cube.late] });
        sim.forget();
        let mut sum = Errors::default();
        for sample in &samples[1..] {
            for _ in 0..STEPS {
                let _report = sim.step()?;
            }
            let q = &sim.state().q;
            let apart = (0..3).map(|i| (q[4 + i] - cube.stretch * sample[i]).powi(2)).sum::<f64>().sqrt();
            let seen = &sample[3..7];
            let length = seen.iter().map(|x| x * x).sum::<f64>().sqrt();
            let cosine = (0..4).map(|i| q[i] * seen[i]).sum::<f64>().abs() / length;
            sum.place += 100.0 * apart / cube.edge;
            sum.angle += (2.0 * cosine.min(1.0).acos()).to_degrees();
        }
        let n = samples.len() as f64;
        Ok(Errors { place: sum.place / n, angle: sum.angle / n })
    }

    /// Tosses of our own making, as cameras would have seen them: for tests.
    pub fn made(cube: &Cube, starts: &[[f64; WIDTH]], samples: usize) -> Result<Self, ValidateError> {
        let mut sim = cube.simulator()?;
        let (mut rows, mut start) = (Vec::new(), vec![0]);
        for first in starts {
            rows.extend_from_slice(first);
            let [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = *first;
            sim.set_state(&State { q: vec![qw, qx, qy, qz, x, y, z], v: vec![wx, wy, wz, vx, vy, vz] });
            sim.forget();
            for _ in 1..samples {
                for _ in 0..STEPS {
                    let _report = sim.step()?;
                }
                let (q, v) = (&sim.state().q, &sim.state().v);
                rows.extend_from_slice(&q[4..7]);
                rows.extend_from_slice(&q[..4]);
                rows.extend_from_slice(&v[3..]);
                rows.extend_from_slice(&v[..3]);
            }
            start.push(rows.len() / WIDTH);
        }
        Self::new(&rows, start)
    }
}

//! Bodies over a floor, written down once, and the same seen otherwise: turned, mirrored, far away, in other units, in another
//! order.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Material, Scene, SceneBuilder, Simulator};
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use crate::ValidateError;
use crate::run::{G, place};

/// What a piece looks like; every one is its own mirror image.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// Half extents, m.
    Box([f64; 3]),
    /// Radius, m.
    Ball(f64),
    /// Radius and half length, along its z, m.
    Capsule(f64, f64),
}

/// A body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) form: Form,
    pub(super) mass: f64,
    pub(super) at: [f64; 3],
    /// Roll, pitch, yaw, rad.
    pub(super) turn: [f64; 3],
    pub(super) velocity: [f64; 3],
    /// World axes, rad/s.
    pub(super) spin: [f64; 3],
}

impl Piece {
    pub(super) const fn new(form: Form, mass: f64, at: [f64; 3]) -> Self {
        Self { form, mass, at, turn: [0.0; 3], velocity: [0.0; 3], spin: [0.0; 3] }
    }
}

/// Bodies over a floor.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) name: &'static str,
    pub(super) pieces: Vec<Piece>,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) dt: f64,
    pub(super) seconds: f64,
}

/// How the same is seen otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    /// As it is.
    None,
    /// All of it, gravity and floor too, turned about an axis of no special direction, by this angle, rad.
    Turned(f64),
    /// y to -y.
    Mirrored,
    /// This far away, m, in all three directions.
    Moved(f64),
    /// Lengths and masses in units this much smaller.
    Units(f64, f64),
    /// The last body first.
    Reversed,
}

impl Change {
    fn rotation(self) -> UnitQuaternion<f64> {
        let Self::Turned(angle) = self else { return UnitQuaternion::identity() };
        UnitQuaternion::new(Vector3::new(0.48, -0.6, 0.64) * angle)
    }

    /// Where a place is then.
    fn place(self, p: Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::None | Self::Reversed => p,
            Self::Turned(_) => self.rotation() * p,
            Self::Mirrored => Vector3::new(p.x, -p.y, p.z),
            Self::Moved(far) => p.add_scalar(far),
            Self::Units(length, _) => length * p,
        }
    }

    /// And back.
    fn back(self, p: Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Turned(_) => self.rotation().inverse() * p,
            Self::Moved(far) => p.add_scalar(-far),
            Self::Units(length, _) => p / length,
            _ => self.place(p),
        }
    }

    fn velocity(self, v: Vector3<f64>) -> Vector3<f64> {
        if let Self::Moved(_) = self { v } else { self.place(v) }
    }

    /// A mirror turns spins round.
    fn spin(self, w: Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Turned(_) => self.rotation() * w,
            Self::Mirrored => Vector3::new(-w.x, w.y, -w.z),
            _ => w,
        }
    }

    fn orientation(self, q: UnitQuaternion<f64>) -> [f64; 4] {
        let q = self.rotation() * q;
        let sign = if self == Self::Mirrored { -1.0 } else { 1.0 };
        [q.w, sign * q.i, q.j, sign * q.k]
    }
}

impl Setup {
    pub(super) fn scene(&self, change: Change) -> Result<Scene, ValidateError> {
        let (length, mass) =
            if let Change::Units(length, mass) = change { (length, mass) } else { (1.0, 1.0) };
        let mut scene = SceneBuilder::new(self.name);
        scene.default_material(Material {
            friction: self.friction,
            restitution: self.restitution,
            ..Material::default()
        });
        scene.gravity(change.velocity(Vector3::new(0.0, 0.0, -G)));
        let settings = scene.settings();
        settings.dt = self.dt;
        // these have a unit, so they are written in the new one; every other number of the engine has none
        settings.margin = Some(1e-3 * length);
        settings.bounce_threshold *= length;
        settings.overlap_tolerance *= length;
        settings.recovery_speed *= length;
        let floor =
            Isometry3::from_parts(Translation3::from(change.place(Vector3::zeros())), change.rotation());
        scene.collider("world", Shape::plane(), floor);
        let mut order: Vec<usize> = (0..self.pieces.len()).collect();
        if change == Change::Reversed {
            order.reverse();
        }
        for k in order {
            let piece = &self.pieces[k];
            let shape = match piece.form {
                Form::Box([x, y, z]) => Shape::cuboid(length * x, length * y, length * z)?,
                Form::Ball(r) => Shape::sphere(length * r)?,
                Form::Capsule(r, h) => Shape::capsule(length * r, length * h)?,
            };
            let [roll, pitch, yaw] = piece.turn;
            let mut body = BodySpec::new(&format!("{k}"), shape)
                .mass(mass * piece.mass)
                .turned(change.orientation(UnitQuaternion::from_euler_angles(roll, pitch, yaw)));
            body.position = change.place(piece.at.into());
            body.velocity = change.velocity(piece.velocity.into());
            body.angular_velocity = change.spin(piece.spin.into());
            scene.body(body)?;
        }
        Ok(scene.build()?)
    }

    /// Where every body is at the end, seen as it was written down, m.
    pub(super) fn ends(&self, change: Change) -> Result<Vec<Vector3<f64>>, ValidateError> {
        let mut sim = Simulator::new(&self.scene(change)?)?;
        crate::run::run(&mut sim, self.seconds)?;
        Ok((0..self.pieces.len()).map(|k| change.back(place(&sim, &format!("{k}")))).collect())
    }

    /// The farthest a body ends from where it would have ended, m.
    pub(super) fn apart(&self, change: Change) -> Result<f64, ValidateError> {
        let (here, there) = (self.ends(Change::None)?, self.ends(change)?);
        Ok(here.iter().zip(&there).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max))
    }
}

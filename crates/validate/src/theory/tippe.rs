//! A tippe top that turns itself over, beside its equations of motion integrated finely.
//!
//! A ball of radius a whose centre of mass lies e below its middle along the axis u slides on the floor. With the contact at
//! r = e u − a z from the centre of mass and the direction of slip s, the force is N (z − μ s), and
//! ```text
//!     m v̇ = N (z − μ s) − m g z,     I ω̇ = N r × (z − μ s) − ω × I ω,     d/dt (v + ω × e u)·z = 0
//! ```
//! where the last, the floor, gives N: positive in the first half second, while later it hops. Friction keeps −L·r, Jellett's
//! number, whatever its law.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Simulator};
use gudgeon_spatial::{Inertia, Symmetric3, Vector3};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion};

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, about_y, builder, motion, run, start};

const RADIUS: f64 = 0.02;
const OFFSET: f64 = 0.006;
const MASS: f64 = 0.02;
const MU: f64 = 0.3;
const LEAN: f64 = 0.1;
const SPIN: f64 = 180.0;
/// Principal moments about the centre of mass, kg m².
const MOMENTS: [f64; 3] =
    [0.44 * MASS * RADIUS * RADIUS, 0.44 * MASS * RADIUS * RADIUS, 0.4 * MASS * RADIUS * RADIUS];

/// Velocity of the centre of mass, turning in the top's own axes, and its turn.
#[derive(Debug, Clone, Copy)]
struct State {
    velocity: Vector3<f64>,
    omega: Vector3<f64>,
    turn: Quaternion<f64>,
}

impl State {
    fn start() -> Self {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), LEAN);
        let spin = Vector3::z() * SPIN;
        let velocity = spin.cross(&(turn * Vector3::z() * -OFFSET));
        Self { velocity, omega: turn.inverse() * spin, turn: *turn.quaternion() }
    }

    fn up(&self) -> Vector3<f64> {
        UnitQuaternion::from_quaternion(self.turn) * Vector3::z()
    }

    /// Its change per second; none where the floor would have to pull.
    fn rate(&self) -> Self {
        let moments = Vector3::from(MOMENTS);
        let turn = UnitQuaternion::from_quaternion(self.turn);
        let own = |v: Vector3<f64>| turn.inverse() * v;
        let up = self.up() * OFFSET;
        let arm = up - Vector3::z() * RADIUS;
        let omega = turn * self.omega;
        let slip = self.velocity + omega.cross(&arm);
        let along = Vector3::new(slip.x, slip.y, 0.0);
        let force = Vector3::z() - along * (MU / along.norm().max(1e-9));
        // ω̇ = free + N pushed, both in the top's own axes
        let free = -self.omega.cross(&self.omega.component_mul(&moments)).component_div(&moments);
        let pushed = own(arm.cross(&force)).component_div(&moments);
        let lift = |change: Vector3<f64>| (turn * change).cross(&up).z;
        let round = omega.cross(&omega.cross(&up)).z;
        let normal = (G - lift(free) - round) / (1.0 / MASS + lift(pushed));
        let normal = if normal > 0.0 { normal } else { f64::NAN };
        Self {
            velocity: force * (normal / MASS) - Vector3::z() * G,
            omega: free + pushed * normal,
            turn: self.turn * Quaternion::from_imag(self.omega * 0.5),
        }
    }

    fn plus(&self, change: &Self, step: f64) -> Self {
        Self {
            velocity: self.velocity + change.velocity * step,
            omega: self.omega + change.omega * step,
            turn: self.turn + change.turn * step,
        }
    }
}

/// Cosine of the lean after a time by Runge and Kutta's method, steps of 10 us.
fn reference(seconds: f64) -> f64 {
    let (steps, mut state) = ((seconds * 1e5).round(), State::start());
    let step = seconds / steps;
    let mut k = 0.0;
    while k < steps {
        let a = state.rate();
        let b = state.plus(&a, 0.5 * step).rate();
        let c = state.plus(&b, 0.5 * step).rate();
        let d = state.plus(&c, step).rate();
        for (rate, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            state = state.plus(&rate, weight * step / 6.0);
        }
        state.turn = state.turn.normalize();
        k += 1.0;
    }
    state.up().z
}

/// Jellett's number, and the cosine of the lean.
fn jellett(sim: &Simulator) -> (f64, f64) {
    let Some(id) = sim.model().find("top") else { return (f64::NAN, f64::NAN) };
    let pose = sim.workspace().pose(id);
    let up = pose.direction(&Vector3::z());
    let omega = motion(sim, "top").1;
    let own = pose.rotation.transpose() * omega;
    let spin = pose.direction(&own.component_mul(&Vector3::from(MOMENTS)));
    (-spin.dot(&(up * OFFSET - Vector3::z() * RADIUS)), up.z)
}

/// Its frame lies in the centre of mass, where steps are most exact.
pub(super) fn tippe_top() -> Result<Vec<Row>, ValidateError> {
    let mut scene = builder("tippe", 1e-4, MU);
    scene.ground();
    let first = State::start();
    let place = Vector3::z() * RADIUS - first.up() * OFFSET;
    let mut body = BodySpec::new("top", Shape::sphere(RADIUS)?).at(place.x, place.y, place.z);
    body.shapes[0].1 = Isometry3::translation(0.0, 0.0, OFFSET);
    let [x, y, z] = MOMENTS;
    body.inertia = Some(Inertia::new(MASS, Vector3::zeros(), Symmetric3::diagonal(x, y, z)));
    body.orientation = about_y(LEAN);
    body.angular_velocity = Vector3::z() * SPIN;
    body.velocity = first.velocity;
    scene.body(body)?;
    let mut sim = start(&scene)?;
    let (number, _) = jellett(&sim);
    run(&mut sim, 0.5)?;
    let lean = jellett(&sim).1;
    run(&mut sim, 2.5)?;
    let (last, over) = jellett(&sim);
    let why = "first order at 0.1 ms, 180 rad/s";
    Ok(vec![
        Row::relative("Jellett's number of a tippe top after 3 s", "N m² s", number, last, 1e-3, why),
        Row::absolute("cosine of its lean after half a second", "", reference(0.5), lean, 1e-3, why),
        Row::decided(
            "its centre of mass is above its middle after 3 s",
            usize::from(over < 0.0),
            1,
            "it turns over",
        ),
    ])
}

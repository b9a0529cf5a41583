//! What every scene wants: a simulator run for a while, places, how far things went, whether they stood.

use gudgeon_sim::{Scene, SceneBuilder, Simulator};
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, UnitQuaternion};

use crate::ValidateError;

/// Free fall everywhere in the table, m/s².
pub(crate) const G: f64 = 9.81;

/// A builder with a step and a friction.
pub(crate) fn builder(name: &str, dt: f64, friction: f64) -> SceneBuilder {
    let mut scene = SceneBuilder::new(name);
    scene.friction(friction);
    scene.settings().dt = dt;
    scene
}

/// At its start.
pub(crate) fn start(scene: &SceneBuilder) -> Result<Simulator, ValidateError> {
    Ok(Simulator::new(&scene.build()?)?)
}

/// Steps for so many seconds.
pub(crate) fn run(sim: &mut Simulator, seconds: f64) -> Result<(), ValidateError> {
    let end = sim.time() + seconds - 0.5 * sim.settings.dt;
    while sim.time() < end {
        let _report = sim.step()?;
    }
    Ok(())
}

/// World place of a link's origin, m.
pub(crate) fn place(sim: &Simulator, link: &str) -> Vector3<f64> {
    sim.model().find(link).map_or_else(Vector3::zeros, |id| Vector3::from(sim.body(id).position))
}

/// World velocity of a link's origin, m/s, and its turning, rad/s.
pub(crate) fn motion(sim: &Simulator, link: &str) -> (Vector3<f64>, Vector3<f64>) {
    sim.model().find(link).map_or_else(
        || (Vector3::zeros(), Vector3::zeros()),
        |id| (Vector3::from(sim.body(id).velocity), Vector3::from(sim.body(id).angular_velocity)),
    )
}

/// How far the farthest link moved between two moments, m.
pub(crate) fn farthest(before: &Simulator, after: &Simulator) -> f64 {
    let links = before.model().links();
    links[1..].iter().map(|l| (place(after, &l.name) - place(before, &l.name)).norm()).fold(0.0, f64::max)
}

/// What became of something that may stand or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing moved by more than a nanometre: rounding over a run.
    Stood,
    /// Something moved by a micrometre or more, and was still moving.
    Fell,
    /// In between: no decision.
    Neither,
}

/// Simulates until something is a micrometre away, or the time is over.
pub(crate) fn fate(scene: &Scene, seconds: f64) -> Result<Fate, ValidateError> {
    let mut sim = Simulator::new(scene)?;
    let first = sim.clone();
    let (mut far, mut half) = (0.0, 0.0);
    for k in 0..100 {
        run(&mut sim, seconds / 100.0)?;
        far = farthest(&first, &sim);
        if far > 1e-5 {
            return Ok(Fate::Fell);
        }
        if k == 49 {
            half = far;
        }
    }
    Ok(if far < 1e-9 {
        Fate::Stood
    } else if far > 1e-6 && far > 1.5 * half {
        Fate::Fell
    } else {
        Fate::Neither
    })
}

/// Two trials that a limit lies between: what stands and what falls, no farther from `truth` than need be.
///
/// `make` builds the scene at a value; with `LimitSide::Above` larger values stand. Begins at `part` of the truth to either side and
/// goes ten times as far where a trial does not fall or stand as it should.
pub(crate) fn limit(
    truth: f64,
    part: f64,
    side: LimitSide,
    seconds: f64,
    make: impl Fn(f64) -> Result<Scene, ValidateError>,
) -> Result<[f64; 2], ValidateError> {
    let sign = if side == LimitSide::Above { 1.0 } else { -1.0 };
    let mut ends = [0.0; 2];
    for (end, direction, expected) in [(0, -sign, Fate::Fell), (1, sign, Fate::Stood)] {
        let mut part = part;
        while ends[end] == 0.0 {
            let value = truth * (1.0 + direction * part);
            if fate(&make(value)?, seconds)? == expected {
                ends[end] = value;
            } else if part > 0.2 {
                return Err(ValidateError::Missed(format!("{expected:?} was not seen up to {value}")));
            }
            part *= 10.0;
        }
    }
    Ok(ends)
}

/// Where a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitSide {
    /// Above the limit.
    Above,
    /// Below it.
    Below,
}

/// A pose of a shape: turned by an angle about y, then moved.
pub(crate) fn leaning(x: f64, z: f64, about_y: f64) -> Isometry3<f64> {
    Isometry3::from_parts(
        nalgebra::Translation3::new(x, 0.0, z),
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), about_y),
    )
}

/// w x y z of a turn about y.
pub(crate) fn about_y(angle: f64) -> [f64; 4] {
    [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0]
}

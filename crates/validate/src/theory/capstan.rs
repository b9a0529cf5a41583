//! A string around a rod: Euler's capstan, on a string of links.
//!
//! Links of length 2 R tan ½δ lie around a rod of radius R, each touching it with its middle, hinged to each other in the line
//! of contact. Let P and Q be the parts of a hinge's force along and out of the rod, the same part r greater from hinge to hinge.
//! Then no moment about the middle of a link, and friction at its limit in each of them, say
//! ```text
//!     Q = P tan ½δ (r − 1)/(r + 1),      N = 4 r P sin ½δ/(r + 1),      μ N = (r − 1) P / cos ½δ
//!     r − 1/r = 2 μ sin δ      ⇒      P_n/P_0 = exp(n arsinh(μ sin δ)) → exp(μ n δ)
//! ```
//! All links then slip together, as one rigid chain around the rod, and no other mechanism comes before it.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkId, LinkSpec};
use gudgeon_sim::{BodySpec, Push, Scene};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};
use nalgebra::{Isometry3, UnitQuaternion};

use crate::ValidateError;
use crate::row::Row;
use crate::run::{LimitSide, about_y, builder, limit};

const LINKS: usize = 36;
/// Half around, rad.
const ANGLE: f64 = std::f64::consts::PI;
const FRICTION: f64 = 0.3;
/// The smaller pull, N.
const PULL: f64 = 10.0;

/// The string with a ratio of pulls.
fn string(ratio: f64) -> Result<Scene, ValidateError> {
    let (rod, wide, thick, mass) = (0.1, 0.01, 0.001, 0.005);
    let delta = ANGLE / LINKS as f64;
    let half = rod * (0.5 * delta).tan();
    let mut scene = builder("capstan", 1e-3, FRICTION);
    scene.gravity(Vector3::zeros());
    let lying = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    scene.collider(
        "world",
        Shape::cylinder(0.1, rod)?,
        Isometry3::from_parts(Vector3::zeros().into(), lying),
    );
    let turning = mass * half * half;
    let middle = Vector3::new(half, 0.0, 0.0);
    let inertia = Inertia::new(mass, middle, Symmetric3::diagonal(turning, turning, turning));
    // its lower face, where the hinges are, lies on the rod; no link reaches the next one
    let (shape, pose) = (Shape::cuboid(0.9 * half, wide, thick)?, Isometry3::translation(half, 0.0, thick));
    let name = |k: usize| format!("link{k}");
    let first = 0.5 * delta - 0.5 * ANGLE;
    let (sine, cosine) = first.sin_cos();
    let mut body = BodySpec::new(&name(0), shape.clone())
        .at(rod * sine - half * cosine, 0.0, rod * cosine + half * sine)
        .turned(about_y(first));
    body.shapes = vec![(shape.clone(), pose)];
    body.inertia = Some(inertia);
    scene.body(body)?;
    for k in 1..LINKS {
        let placement = Pose::from_translation(2.0 * half, 0.0, 0.0);
        scene.link(LinkSpec::new(&name(k), &name(k - 1), Joint::revolute(Vector3::y()), placement, inertia));
        scene.position(&name(k), &[delta]);
        scene.collider(&name(k), shape.clone(), pose);
        scene.apart(&name(k), &name(k - 1));
    }
    // along and out of the rod at both ends
    let step = (FRICTION * delta.sin()).asinh().exp();
    let out = (0.5 * delta).tan() * (step - 1.0) / (step + 1.0);
    let mut pull = |link: String, at: f64, angle: f64, p: f64, q: f64| {
        let (sine, cosine) = f64::sin_cos(angle);
        let force = Vector3::new(p * cosine + q * sine, 0.0, -p * sine + q * cosine);
        let point = Some(Vector3::new(at, 0.0, 0.0));
        scene.push_with(
            &link,
            Push { link: LinkId::WORLD, force, torque: Vector3::zeros(), point, from: 0.0, until: 9.0 },
        );
    };
    pull(name(0), 0.0, -0.5 * ANGLE, -PULL, -out * PULL);
    pull(name(LINKS - 1), 2.0 * half, 0.5 * ANGLE, ratio * PULL, out * ratio * PULL);
    Ok(scene.build()?)
}

/// The ratio of pulls at which the string goes.
pub(super) fn capstan() -> Result<Vec<Row>, ValidateError> {
    let links = (LINKS as f64 * (FRICTION * (ANGLE / LINKS as f64).sin()).asinh()).exp();
    let trials = limit(links, 1e-3, LimitSide::Below, 0.5, string)?;
    let why = "tried at 1 ± 0.1 %";
    let mean = 0.5 * (trials[0] + trials[1]);
    Ok(vec![
        Row::between("ratio of pulls that moves 36 links half around a rod", "", links, trials, 1e-3, why),
        Row::relative(
            "the same for a string, exp(μ angle)",
            "",
            (FRICTION * ANGLE).exp(),
            mean,
            2e-3,
            "links of 5 degrees: n arsinh(μ sin δ) for μ n δ, 1.3e-3",
        ),
    ])
}

//! Bodies that spin: heavy top, tennis racket, Euler's disc, pendulum.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{BodySpec, Simulator};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};
use nalgebra::Isometry3;

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, about_y, builder, motion, place, run, start};

/// K(k), the complete elliptic integral, by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

/// 4 √(l/g) K(sin θ₀/2).
pub(super) fn pendulum() -> Result<Vec<Row>, ValidateError> {
    let (length, swing) = (1.0, 2.5_f64);
    let mut scene = builder("pendulum", 1e-3, 0.5);
    let inertia = Inertia::new(1.0, Vector3::new(0.0, 0.0, -length), Symmetric3::diagonal(1e-9, 1e-9, 1e-9));
    scene.link(LinkSpec::new("bob", "world", Joint::revolute(Vector3::y()), Pose::identity(), inertia));
    scene.visual("bob", Shape::sphere(0.05)?, Isometry3::translation(0.0, 0.0, -length));
    scene.position("bob", &[swing]);
    let mut sim = start(&scene)?;
    let truth = 4.0 * (length / G).sqrt() * elliptic((0.5 * swing).sin());
    let period = crossing(&mut sim, 2.0 * truth, 4, |s| s.state().q[0])? - crossing_start(truth);
    Ok(vec![Row::relative(
        "period of a pendulum from 143 degrees",
        "s",
        truth,
        period,
        1e-5,
        "second order at 1 ms",
    )])
}

/// A quarter of a period passes before the first crossing; the fourth is after one and three quarters.
fn crossing_start(period: f64) -> f64 {
    0.75 * period
}

/// When a number passes zero for the n-th time, within a step by a straight line.
fn crossing(
    sim: &mut Simulator,
    longest: f64,
    count: usize,
    number: impl Fn(&Simulator) -> f64,
) -> Result<f64, ValidateError> {
    let (mut before, mut seen) = (number(sim), 0);
    while sim.time() < longest {
        let _report = sim.step()?;
        let now = number(sim);
        if before * now < 0.0 || now == 0.0 {
            seen += 1;
            if seen == count {
                return Ok(sim.time() - sim.settings.dt * now / (now - before));
            }
        }
        before = now;
    }
    Err(ValidateError::Missed(format!("{seen} of {count} passages of zero in {longest} s")))
}

/// A top that precesses steadily: I₁ Ω² cos θ − I₃ ω₃ Ω + m g l = 0.
pub(super) fn heavy_top() -> Result<Vec<Row>, ValidateError> {
    let (mass, arm, across, about) = (1.0, 0.1, 0.02, 0.008);
    let (theta, precession) = (0.6_f64, 2.0);
    // about the pivot; ω₃ by the equation
    let spin = (across * precession * precession * theta.cos() + mass * G * arm) / (about * precession);
    let mut scene = builder("top", 1e-3, 0.5);
    let own = Symmetric3::diagonal(across - mass * arm * arm, across - mass * arm * arm, about);
    let inertia = Inertia::new(mass, Vector3::new(0.0, 0.0, arm), own);
    scene.link(LinkSpec::new("top", "world", Joint::Spherical, Pose::identity(), inertia));
    scene.visual("top", Shape::sphere(0.03)?, Isometry3::translation(0.0, 0.0, arm));
    scene.position("top", &about_y(theta));
    // body axes: Ω z is (−Ω sin θ, 0, Ω cos θ) there, the third component is ω₃
    scene.velocity("top", &[-precession * theta.sin(), 0.0, spin]);
    let mut sim = start(&scene)?;
    run(&mut sim, 2.0)?;
    let top = sim
        .model()
        .find("top")
        .map(|id| sim.workspace().pose(id).direction(&Vector3::z()))
        .unwrap_or_default();
    let angle = top.y.atan2(top.x).rem_euclid(std::f64::consts::TAU);
    let truth = (precession * sim.time()).rem_euclid(std::f64::consts::TAU);
    Ok(vec![
        Row::absolute(
            "angle of precession after 2 s",
            "rad",
            truth,
            angle,
            1e-3,
            "second order at 1 ms, 40 rad/s of spin",
        ),
        Row::absolute("its lean", "rad", theta, top.z.acos(), 1e-4, "second order at 1 ms"),
    ])
}

/// A racket spun about its middle axis turns over: 2 K/p between flips, with energy and momentum of the start.
pub(super) fn tennis_racket() -> Result<Vec<Row>, ValidateError> {
    let i: [f64; 3] = [1.0e-3, 2.0e-3, 2.9e-3];
    let w: [f64; 3] = [0.05, 10.0, 0.05];
    let mut scene = builder("racket", 1e-3, 0.5);
    scene.gravity(Vector3::zeros());
    let mut body = BodySpec::new("racket", Shape::cuboid(0.2, 0.1, 0.01)?);
    body.inertia = Some(Inertia::new(0.3, Vector3::zeros(), Symmetric3::diagonal(i[0], i[1], i[2])));
    body.angular_velocity = Vector3::new(w[0], w[1], w[2]);
    scene.body(body)?;
    let mut sim = start(&scene)?;
    let twice: f64 = (0..3).map(|k| i[k] * w[k] * w[k]).sum();
    let square: f64 = (0..3).map(|k| (i[k] * w[k]).powi(2)).sum();
    // Landau & Lifshitz §37 with L² > 2 E I₂; else with 1 and 3 exchanged
    let (a, c) = if square > twice * i[1] { (i[0], i[2]) } else { (i[2], i[0]) };
    let rate = ((c - i[1]) * (square - twice * a) / (i[0] * i[1] * i[2])).sqrt();
    let modulus = (((i[1] - a) * (twice * c - square)) / ((c - i[1]) * (square - twice * a))).sqrt();
    let half = 2.0 * elliptic(modulus) / rate;
    let middle = |s: &Simulator| s.state().v[1];
    let first = crossing(&mut sim, 3.0 * half, 1, middle)?;
    let sixth = crossing(&mut sim, 8.0 * half, 5, middle)?;
    Ok(vec![Row::relative(
        "time between flips of a racket",
        "s",
        half,
        (sixth - first) / 5.0,
        1e-4,
        "second order at 1 ms, 10 rad/s",
    )])
}

/// A disc that rolls on its edge with its middle at rest.
///
/// With radius a, half thickness h, lean α and moments I_t across, I_n about its axis:
/// ```text
///     Ω² sin α (I_t cos α − I_n (h/a) sin α) = m g (a cos α − h sin α),     ω = −Ω sin α (u − (h/a) n)
/// ```
/// n the axis, u in the plane of the disc towards the lowest point; for h = 0, Ω² = 4 g/(a sin α).
pub(super) fn euler_disc() -> Result<Vec<Row>, ValidateError> {
    let (a, h, alpha) = (0.1, 0.005, 0.4_f64);
    let (sine, cosine) = alpha.sin_cos();
    let (across, about) = (a * a / 4.0 + h * h / 3.0, a * a / 2.0);
    let rate = (G * (a * cosine - h * sine) / (sine * (across * cosine - about * h / a * sine))).sqrt();
    let mut scene = builder("disc", 1e-4, 1.0);
    scene.ground();
    // turned about y by α: u = (cos α, 0, −sin α), n = (sin α, 0, cos α)
    let (u, n) = (Vector3::new(cosine, 0.0, -sine), Vector3::new(sine, 0.0, cosine));
    let mut body = BodySpec::new("disc", Shape::cylinder(h, a)?)
        .at(0.0, 0.0, a * sine + h * cosine)
        .turned(about_y(alpha));
    body.inertia = Some(Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(across, across, about)));
    body.angular_velocity = (u - n * (h / a)) * (-rate * sine);
    scene.body(body)?;
    let mut sim = start(&scene)?;
    let seconds = 0.5;
    let (mut turned, mut before) = (0.0, 0.0);
    while sim.time() < seconds {
        let _report = sim.step()?;
        let axis = sim
            .model()
            .find("disc")
            .map(|id| sim.workspace().pose(id).direction(&Vector3::z()))
            .unwrap_or_default();
        let angle = axis.y.atan2(axis.x);
        turned +=
            (angle - before + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        before = angle;
    }
    let axis = sim
        .model()
        .find("disc")
        .map(|id| sim.workspace().pose(id).direction(&Vector3::z()))
        .unwrap_or_default();
    Ok(vec![
        Row::relative(
            "rate at which Euler's disc goes round",
            "rad/s",
            rate,
            turned / sim.time(),
            1e-2,
            "first order at 0.1 ms: 22 rad/s",
        ),
        Row::absolute("its lean after half a second", "rad", alpha, axis.z.acos(), 1e-2, "the same"),
    ])
}

/// A bead on a rod that turns at a constant rate flies out as cosh Ω t: Coriolis' force turns no rod of 1e9 kg m².
pub(super) fn bead_on_rod() -> Result<Vec<Row>, ValidateError> {
    let (rate, first, seconds) = (2.0, 0.1, 1.0);
    let mut scene = builder("bead", 1e-3, 0.5);
    scene.gravity(Vector3::zeros());
    let heavy = Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(1e9, 1e9, 1e9));
    scene.link(LinkSpec::new("rod", "world", Joint::revolute(Vector3::z()), Pose::identity(), heavy));
    scene.link(LinkSpec::new(
        "bead",
        "rod",
        Joint::prismatic(Vector3::x()),
        Pose::identity(),
        Inertia::ball(0.1, 0.02),
    ));
    scene.visual("bead", Shape::sphere(0.02)?, Isometry3::identity());
    scene.velocity("rod", &[rate]);
    scene.position("bead", &[first]);
    let mut sim = start(&scene)?;
    run(&mut sim, seconds)?;
    let truth = first * (rate * sim.time()).cosh();
    Ok(vec![Row::relative(
        "how far out a bead on a turning rod is after a second",
        "m",
        truth,
        sim.state().q[1],
        1e-4,
        "second order at 1 ms",
    )])
}

/// A ball thrown up against Coriolis' force: seen from a turning table, the path of a free puck.
pub(super) fn free_flight() -> Result<Vec<Row>, ValidateError> {
    let mut scene = builder("flight", 1e-2, 0.5);
    let mut body = BodySpec::new("stone", Shape::cuboid(0.1, 0.05, 0.02)?).mass(1.0).moving(3.0, -1.0, 8.0);
    body.angular_velocity = Vector3::new(3.0, 7.0, -2.0);
    scene.body(body)?;
    let mut sim = start(&scene)?;
    run(&mut sim, 1.5)?;
    let t = sim.time();
    let truth = Vector3::new(3.0 * t, -t, 8.0 * t - 0.5 * G * t * t);
    let off = (place(&sim, "stone") - truth).norm();
    let (_, w) = motion(&sim, "stone");
    Ok(vec![
        Row::absolute(
            "a thrown, tumbling stone off its parabola, 10 ms steps",
            "m",
            0.0,
            off,
            1e-12,
            "the rule of flight is exact: rounding",
        ),
        Row::decided("and still tumbling", usize::from(w.norm() > 1.0), 1, "or it would be no test"),
    ])
}

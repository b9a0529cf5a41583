//! Sliding, rolling, stopping: closed forms of a single body on a plane.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkId, LinkSpec};
use gudgeon_sim::{BodySpec, Push};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};
use nalgebra::Isometry3;

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, builder, farthest, motion, place, run, start};

const FIRST_ORDER: &str = "first order: half a step of motion at 1 ms";

/// v²/(2 μ g).
pub(super) fn stopping_distance() -> Result<Vec<Row>, ValidateError> {
    let (mu, speed) = (0.3, 3.0);
    let mut scene = builder("stop", 1e-3, mu);
    scene.ground();
    scene.body(
        BodySpec::new("box", Shape::cuboid(0.2, 0.2, 0.02)?)
            .mass(2.0)
            .at(0.0, 0.0, 0.02)
            .moving(speed, 0.0, 0.0),
    )?;
    let mut sim = start(&scene)?;
    run(&mut sim, 1.2 * speed / (mu * G))?;
    let (truth, went) = (speed * speed / (2.0 * mu * G), place(&sim, "box").x);
    let still = motion(&sim, "box").0.norm();
    Ok(vec![
        Row::relative("distance until a box stops", "m", truth, went, 1e-3, FIRST_ORDER),
        Row::absolute("its speed then", "m/s", 0.0, still, 1e-12, "rest is rest: rounding"),
    ])
}

/// A ball that slides with backspin ends rolling at 5/7 v + 2/7 r ω, whatever the friction.
pub(super) fn backspin() -> Result<Vec<Row>, ValidateError> {
    let (radius, speed, spin, mu) = (0.05, 2.0, -150.0, 0.2);
    let mut scene = builder("backspin", 1e-3, mu);
    scene.ground();
    let mut ball =
        BodySpec::new("ball", Shape::sphere(radius)?).mass(0.3).at(0.0, 0.0, radius).moving(speed, 0.0, 0.0);
    ball.angular_velocity = Vector3::new(0.0, spin, 0.0);
    scene.body(ball)?;
    let mut sim = start(&scene)?;
    let slip = speed - radius * spin;
    let time = 2.0 * slip / (7.0 * mu * G);
    run(&mut sim, 0.5 * time)?;
    let half = motion(&sim, "ball").0.x;
    let expected = speed - mu * G * sim.time();
    run(&mut sim, time)?;
    let truth = (5.0 * speed + 2.0 * radius * spin) / 7.0;
    Ok(vec![
        Row::absolute("speed while it slides", "m/s", expected, half, 1e-10, "constant force: rounding"),
        Row::absolute(
            "speed when it rolls: (5 v + 2 r ω)/7",
            "m/s",
            truth,
            motion(&sim, "ball").0.x,
            1e-10,
            "angular momentum about the track: rounding",
        ),
    ])
}

/// Balls, cylinders and pipes rolling down a slope: g sin θ / (1 + I/(m r²)).
pub(super) fn rolling_down() -> Result<Vec<Row>, ValidateError> {
    let (radius, theta, seconds) = (0.1, 0.3_f64, 1.0);
    let mut rows = Vec::new();
    for (name, k) in [("ball", 0.4), ("cylinder", 0.5), ("pipe", 0.98)] {
        let mut scene = builder("rolling", 1e-3, 0.6);
        scene.gravity(Vector3::new(G * theta.sin(), 0.0, -G * theta.cos())).ground();
        let shape = if name == "ball" { Shape::sphere(radius)? } else { Shape::cylinder(0.1, radius)? };
        let mut body = BodySpec::new("body", shape).at(0.0, 0.0, radius);
        let h = std::f64::consts::FRAC_1_SQRT_2;
        body.orientation = [h, h, 0.0, 0.0];
        let about = k * radius * radius;
        body.inertia = Some(Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(about, about, about)));
        scene.body(body)?;
        let mut sim = start(&scene)?;
        run(&mut sim, seconds)?;
        let truth = G * theta.sin() / (1.0 + k) * seconds;
        let ours = motion(&sim, "body").0.x;
        rows.push(Row::relative(
            format!("speed of a {name} after a second on a slope"),
            "m/s",
            truth,
            ours,
            1e-9,
            "constant force: rounding",
        ));
    }
    Ok(rows)
}

/// A ball on a turning table runs in circles at 2/7 of its rate.
pub(super) fn turntable() -> Result<Vec<Row>, ValidateError> {
    let (rate, radius) = (2.0, 0.05);
    let mut scene = builder("turntable", 1e-3, 0.8);
    let inertia = Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(1e9, 1e9, 1e9));
    scene.link(LinkSpec::new("table", "world", Joint::revolute(Vector3::z()), Pose::identity(), inertia));
    scene.collider("table", Shape::cylinder(0.1, 5.0)?, Isometry3::translation(0.0, 0.0, -0.1));
    scene.velocity("table", &[rate]);
    let mut ball =
        BodySpec::new("ball", Shape::sphere(radius)?).mass(0.1).at(1.0, 0.0, radius).moving(0.3, 0.5, 0.0);
    // rolling: v + ω × (−r z) = Ω z × x
    let slip = Vector3::new(0.3, 0.5 - rate, 0.0);
    ball.angular_velocity = Vector3::new(-slip.y, slip.x, 0.0) / radius;
    scene.body(ball)?;
    let mut sim = start(&scene)?;
    let first = motion(&sim, "ball").0;
    let begin = place(&sim, "ball");
    let period = std::f64::consts::TAU / (2.0 / 7.0 * rate);
    // how far the velocity turned after a quarter of a circle
    run(&mut sim, 0.25 * period)?;
    let now = motion(&sim, "ball").0;
    let turned = (first.x * now.y - first.y * now.x).atan2(first.x * now.x + first.y * now.y);
    let quarter = turned / sim.time();
    let left = period - sim.time();
    run(&mut sim, left)?;
    let back = (place(&sim, "ball") - begin).norm();
    Ok(vec![
        Row::relative(
            "rate of the circle: 2/7 of the table's",
            "rad/s",
            2.0 / 7.0 * rate,
            quarter,
            1e-3,
            FIRST_ORDER,
        ),
        Row::absolute(
            "how far from its start after a turn of 6.4 m",
            "m",
            0.0,
            back,
            1e-2,
            "first order: ω dt of the path, over a turn",
        ),
    ])
}

/// A box on a box on the floor; the lower one is pulled.
pub(super) fn two_boxes() -> Result<Vec<Row>, ValidateError> {
    let (mu, lower, upper) = (0.4, 2.0, 1.0);
    let mut rows = Vec::new();
    // together up to 2 μ (m₁ + m₂) g, then the upper one is left behind with μ g
    for (part, name) in [(0.9, "together"), (1.5, "apart")] {
        let force = part * 2.0 * mu * (lower + upper) * G;
        let mut scene = builder("boxes", 1e-3, mu);
        scene.ground();
        scene.body(BodySpec::new("lower", Shape::cuboid(0.5, 0.2, 0.05)?).mass(lower).at(0.0, 0.0, 0.05))?;
        scene
            .body(BodySpec::new("upper", Shape::cuboid(0.05, 0.05, 0.02)?).mass(upper).at(0.0, 0.0, 0.12))?;
        scene.push("lower", Vector3::new(force, 0.0, 0.0), 0.0, 10.0);
        let mut sim = start(&scene)?;
        run(&mut sim, 0.2)?;
        let together = force / (lower + upper) - mu * G;
        let (a, b) = if part < 1.0 {
            (together, together)
        } else {
            ((force - mu * upper * G - mu * (lower + upper) * G) / lower, mu * G)
        };
        for (body, truth) in [("lower", a), ("upper", b)] {
            let ours = motion(&sim, body).0.x / sim.time();
            rows.push(Row::relative(
                format!("{name}: acceleration of the {body} box"),
                "m/s²",
                truth,
                ours,
                1e-9,
                "constant force: rounding",
            ));
        }
    }
    Ok(rows)
}

/// A box on a slope at any azimuth: rest at 0.99, g cos θ 0.01 μ at 1.01 of the limit.
pub(super) fn azimuths() -> Result<Vec<Row>, ValidateError> {
    let (mu, mut worst, mut drift) = (0.5_f64, 0.0_f64, 0.0_f64);
    for k in 0..8 {
        for part in [0.99, 1.01] {
            let azimuth = 0.2 + 0.7 * f64::from(k);
            let theta = (part * mu).atan();
            let mut scene = builder("slope", 1e-3, mu);
            let down = Vector3::new(azimuth.cos(), azimuth.sin(), 0.0) * (G * theta.sin());
            scene.gravity(down - Vector3::z() * (G * theta.cos())).ground();
            scene.body(BodySpec::new("box", Shape::cuboid(0.1, 0.1, 0.05)?).mass(1.0).at(0.0, 0.0, 0.05))?;
            let mut sim = start(&scene)?;
            let first = sim.clone();
            run(&mut sim, 2.0)?;
            let moved = farthest(&first, &sim);
            if part < 1.0 {
                drift = drift.max(moved);
            } else {
                let truth = 0.01 * mu * G * theta.cos() * sim.time();
                worst = worst.max((motion(&sim, "box").0.norm() / truth - 1.0).abs());
            }
        }
    }
    Ok(vec![
        Row::absolute(
            "drift in 2 s at 0.99 of the limit, eight azimuths",
            "m",
            0.0,
            drift,
            1e-12,
            "rest is rest: rounding",
        ),
        Row::absolute(
            "speed at 1.01 of the limit, off by",
            "",
            0.0,
            worst,
            1e-6,
            "the difference of two forces a hundred times as large",
        ),
    ])
}

/// A rod slides on a floor: the contact force of Painlevé's problem, and his jam where the formula turns negative.
///
/// ```text
///     N = m g / (1 + 3 cos θ (cos θ − μ sin θ))   from rest in rotation;   θ from the level, the tip leading
/// ```
pub(super) fn painleve() -> Result<Vec<Row>, ValidateError> {
    let (half, radius, theta, dt) = (0.5, 1e-3, 60.0_f64.to_radians(), 1e-5);
    let (sine, cosine) = theta.sin_cos();
    let make = |mu: f64, speed: f64| -> Result<gudgeon_sim::Simulator, ValidateError> {
        let mut scene = builder("painleve", dt, mu);
        scene.ground();
        let mut rod = BodySpec::new("rod", Shape::sphere(radius)?).at(0.0, 0.0, half * sine + radius);
        rod.shapes[0].1 = Isometry3::translation(-half * cosine, 0.0, -half * sine);
        let across = half * half / 3.0;
        rod.inertia = Some(Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(across, across, across)));
        scene.body(rod.moving(speed, 0.0, 0.0))?;
        start(&scene)
    };
    // the tip is at (−half cos, −half sin − r) from the middle and leads, sliding to −x
    let (arm_x, arm_z) = (-half * cosine, -half * sine - radius);
    let inertia = half * half / 3.0;
    let force = |mu: f64| G / (1.0 + arm_x * (arm_x - mu * arm_z) / inertia);
    let mut sim = make(0.6, -2.0)?;
    let _report = sim.step()?;
    let ours: f64 = sim.contacts().iter().map(|c| c.force.z.abs()).sum();
    let mut rows = vec![Row::relative(
        "contact force of a sliding rod, friction 0.6",
        "N",
        force(0.6),
        ours,
        1e-3,
        "first order in a step of 10 us",
    )];
    // with friction 2 the formula has a negative force, and an impact without a blow stops the tip
    let mu = 2.0;
    assert!(force(mu) < 0.0, "inside the paradox");
    let mut sim = make(mu, -1.0)?;
    let _report = sim.step()?;
    let (v, w) = motion(&sim, "rod");
    let tip = v + w.cross(&Vector3::new(arm_x, 0.0, arm_z));
    // stick: J of both rows onto a body with v = (−1, −g dt)
    let rows_of = [[1.0, 0.0, arm_z], [0.0, 1.0, -arm_x]];
    let masses = [1.0, 1.0, 1.0 / inertia];
    let delassus = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k] * masses[k]).sum::<f64>();
    let (w11, w12, w22) = (
        delassus(rows_of[0], rows_of[0]),
        delassus(rows_of[0], rows_of[1]),
        delassus(rows_of[1], rows_of[1]),
    );
    let (b1, b2) = (1.0, G * dt);
    let det = w11 * w22 - w12 * w12;
    let (p1, p2) = ((w22 * b1 - w12 * b2) / det, (w11 * b2 - w12 * b1) / det);
    rows.push(Row::decided(
        "friction 2: the impulse that stops the tip is within its cone",
        usize::from(p1.abs() <= mu * p2),
        1,
        "or the jam would be another",
    ));
    rows.push(Row::absolute(
        "the jam: speed of the tip after it",
        "m/s",
        0.0,
        tip.norm(),
        1e-9,
        "the tip is held: rounding",
    ));
    rows.push(Row::absolute(
        "the jam: speed of the middle",
        "m/s",
        p1 - 1.0,
        v.x,
        1e-6,
        "the fall within a step",
    ));
    Ok(rows)
}

/// A rod let go on ice falls with its middle straight down; its turning by energy.
pub(super) fn rod_on_ice() -> Result<Vec<Row>, ValidateError> {
    let (half, radius, theta) = (0.5, 1e-3, 70.0_f64.to_radians());
    let mut scene = builder("ice", 1e-4, 0.0);
    scene.ground();
    let mut rod = BodySpec::new("rod", Shape::sphere(radius)?).at(0.0, 0.0, half * theta.sin() + radius);
    rod.shapes[0].1 = Isometry3::translation(-half * theta.cos(), 0.0, -half * theta.sin());
    let across = half * half / 3.0;
    rod.inertia = Some(Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(across, across, across)));
    scene.body(rod)?;
    let mut sim = start(&scene)?;
    let first = place(&sim, "rod");
    while place(&sim, "rod").z > 0.3 && sim.time() < 2.0 {
        let _report = sim.step()?;
    }
    let now = place(&sim, "rod");
    // ½ ż² + ½ I w² = g drop with ż = half cos θ w
    let sine = (now.z - radius) / half;
    let cosine = (1.0 - sine * sine).sqrt();
    let truth = (2.0 * G * (first.z - now.z) / (half * half * cosine * cosine + across)).sqrt();
    Ok(vec![
        Row::relative(
            "turning of a rod that falls on ice",
            "rad/s",
            truth,
            motion(&sim, "rod").1.norm(),
            1e-3,
            "first order at 0.1 ms",
        ),
        Row::absolute(
            "its middle goes aside by",
            "m",
            0.0,
            now.x.abs(),
            1e-12,
            "no force that way: rounding",
        ),
    ])
}

/// A pull at the middle of a box: it tips rather than slides where the pull is higher than half the width over the friction.
pub(super) fn tip_or_slide() -> Result<Vec<Row>, ValidateError> {
    let (mu, half_width, half_height) = (0.5, 0.1, 0.3);
    let truth = half_width / mu;
    let mut right = 0;
    for (part, tips) in [(0.999, false), (1.001, true)] {
        let mut scene = builder("pull", 1e-3, mu);
        scene.ground();
        scene.body(BodySpec::new("box", Shape::cuboid(half_width, 0.1, half_height)?).mass(1.0).at(
            0.0,
            0.0,
            half_height,
        ))?;
        let point = Some(Vector3::new(0.0, 0.0, truth * part - half_height));
        // just enough to slide
        let force = Vector3::new(mu * G * 1.000_5, 0.0, 0.0);
        scene.push_with(
            "box",
            Push { link: LinkId::WORLD, force, torque: Vector3::zeros(), point, from: 0.0, until: 9.0 },
        );
        let mut sim = start(&scene)?;
        run(&mut sim, 0.2)?;
        right += usize::from((motion(&sim, "box").1.norm() > 1e-6) == tips);
    }
    Ok(vec![Row::decided(
        "a box pulled at 0.999 of width/(2 μ) slides, at 1.001 it tips",
        right,
        2,
        "tried at 1 ± 0.1 %",
    )])
}

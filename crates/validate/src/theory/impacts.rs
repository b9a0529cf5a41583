//! Impacts: bounce series, two balls, a ball with spin against the floor, Newton's cradle, thirty bodies in a closed room of none.

use gudgeon_collide::Shape;
use gudgeon_multibody::momentum;
use gudgeon_sim::{BodySpec, Material, SceneBuilder};
use gudgeon_spatial::Vector3;

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, builder, motion, place, run, start};

fn bouncing(name: &str, friction: f64, restitution: f64) -> SceneBuilder {
    let mut scene = builder(name, 1e-3, friction);
    scene.default_material(Material { friction, restitution, ..Material::default() });
    scene
}

/// Heights e^(2k) h, and an end after √(2 h/g) (1 + e)/(1 − e).
pub(super) fn bounce_series() -> Result<Vec<Row>, ValidateError> {
    let (e, height): (f64, f64) = (0.8, 1.0);
    let mut scene = bouncing("bounces", 0.5, e);
    scene.settings().dt = 1e-4;
    scene.ground();
    scene.body(BodySpec::new("ball", Shape::sphere(0.1)?).mass(1.0).at(0.0, 0.0, 0.1 + height))?;
    let mut sim = start(&scene)?;
    let fall = (2.0 * height / G).sqrt();
    let (mut tops, mut rising, mut last) = (Vec::new(), false, 1.0_f64);
    let (mut rest, end) = (0.0, fall * (1.0 + e) / (1.0 - e));
    while sim.time() < 1.2 * end {
        let _report = sim.step()?;
        let (z, v) = (place(&sim, "ball").z - 0.1, motion(&sim, "ball").0.z);
        if rising && v <= 0.0 && tops.len() < 5 {
            tops.push(last.max(z));
        }
        (rising, last) = (v > 0.0, z);
        if v.abs() > 1e-9 {
            rest = sim.time();
        }
    }
    let truth = e.powi(10) * height;
    let fifth = tops.get(4).copied().unwrap_or(f64::NAN);
    Ok(vec![
        Row::relative(
            "height of the fifth bounce",
            "m",
            truth,
            fifth,
            1e-3,
            "a top lies within half a step of a sample",
        ),
        // what is slower than 1 cm/s does not bounce: the last 2 e v/(g (1 − e)) of the series
        Row::absolute(
            "time until it rests",
            "s",
            end,
            rest,
            2.0 * 1e-2 / (G * (1.0 - e)) + 2e-4,
            "the series is cut at 1 cm/s, and two steps",
        ),
    ])
}

/// Two balls meet at an angle: momentum along the line of centres by e, nothing across.
pub(super) fn two_balls() -> Result<Vec<Row>, ValidateError> {
    let e = 0.6;
    let mut scene = bouncing("balls", 0.0, e);
    scene.gravity(Vector3::zeros());
    // at the moment they touch, the line of centres is 30 degrees off the path
    let (sine, cosine) = 30.0_f64.to_radians().sin_cos();
    scene.body(
        BodySpec::new("a", Shape::sphere(0.1)?)
            .mass(1.0)
            .at(-0.2 * cosine - 0.5, 0.2 * sine, 0.0)
            .moving(2.0, 0.0, 0.0),
    )?;
    scene.body(BodySpec::new("b", Shape::sphere(0.1)?).mass(3.0))?;
    let mut sim = start(&scene)?;
    run(&mut sim, 0.5)?;
    let line = Vector3::new(cosine, -sine, 0.0);
    let pulse = 0.75 * (1.0 + e) * 2.0 * cosine;
    let (a, b) = (Vector3::new(2.0, 0.0, 0.0) - line * pulse, line * (pulse / 3.0));
    let off = (motion(&sim, "a").0 - a).norm().max((motion(&sim, "b").0 - b).norm());
    Ok(vec![Row::absolute(
        "velocities of two balls after a slanting blow, off by",
        "m/s",
        0.0,
        off,
        2e-2,
        "first order: the line of centres turns by v dt/2r in a step of 1 ms",
    )])
}

/// A ball with spin meets the floor: it grips where μ is large, and leaves with 5/7 v + 2/7 r ω along it; where it is small
/// friction takes μ (1 + e) v_n.
pub(super) fn spin_off_the_floor() -> Result<Vec<Row>, ValidateError> {
    let (e, radius, spin, speed, drop) = (0.7, 0.05, 40.0, 3.0, 1.0);
    let mut rows = Vec::new();
    for (mu, name) in [(2.0, "grips"), (0.02, "slides")] {
        let mut scene = bouncing("spin", mu, e);
        scene.settings().dt = 1e-4;
        scene.ground();
        let mut ball = BodySpec::new("ball", Shape::sphere(radius)?)
            .mass(0.2)
            .at(0.0, 0.0, radius + drop)
            .moving(speed, 0.0, 0.0);
        ball.angular_velocity = Vector3::new(0.0, spin, 0.0);
        scene.body(ball)?;
        let mut sim = start(&scene)?;
        let fall = (2.0 * drop / G).sqrt();
        run(&mut sim, fall + 0.01)?;
        let slip = speed - radius * spin;
        let most = mu * (1.0 + e) * G * fall;
        let taken = f64::min(slip.abs() * 2.0 / 7.0, most) * slip.signum();
        rows.push(Row::absolute(
            format!("a spinning ball {name} and leaves along the floor with"),
            "m/s",
            speed - taken,
            motion(&sim, "ball").0.x,
            5e-3,
            "first order at 0.1 ms: a blow acts where the ball was at the start of its step",
        ));
    }
    Ok(rows)
}

/// Newton's cradle under Newton's law. Apart by 5 mm, blows come one after the other and the last ball takes all; touching, one
/// law for all contacts at once gives the first 2 v/n − v and all others 2 v/n.
pub(super) fn cradle() -> Result<Vec<Row>, ValidateError> {
    let mut rows = Vec::new();
    for (gap, name) in [(5e-3, "apart"), (0.0, "touching")] {
        let mut worst = 0.0_f64;
        for n in 3..=7_u8 {
            let mut scene = bouncing("cradle", 0.0, 1.0);
            scene.gravity(Vector3::zeros());
            let (radius, speed) = (0.02, 1.0);
            for k in 0..n {
                let x = f64::from(k) * (2.0 * radius + gap) - if k == 0 { 0.02 } else { 0.0 };
                let ball =
                    BodySpec::new(&format!("ball{k}"), Shape::sphere(radius)?).mass(0.1).at(x, 0.0, 0.0);
                scene.body(if k == 0 { ball.moving(speed, 0.0, 0.0) } else { ball })?;
            }
            let mut sim = start(&scene)?;
            run(&mut sim, 0.15)?;
            for k in 0..n {
                let touching = 2.0 * speed / f64::from(n) - if k == 0 { speed } else { 0.0 };
                let truth = if gap == 0.0 { touching } else { f64::from(u8::from(k == n - 1)) * speed };
                worst = worst.max((motion(&sim, &format!("ball{k}")).0.x - truth).abs());
            }
        }
        rows.push(Row::absolute(
            format!("cradles of 3 to 7 balls, {name}: velocities off by"),
            "m/s",
            0.0,
            worst,
            1e-9,
            "impulses along a line: rounding",
        ));
    }
    Ok(rows)
}

/// Thirty bodies in free space meet: momentum and angular momentum stay, energy is not made.
pub(super) fn thirty_bodies() -> Result<Vec<Row>, ValidateError> {
    let mut scene = bouncing("thirty", 0.3, 0.5);
    scene.gravity(Vector3::zeros());
    for k in 0..30_u8 {
        let (i, j, l) = (k % 3, k / 3 % 3, k / 9);
        let at = Vector3::new(f64::from(i) - 1.0, f64::from(j) - 1.0, f64::from(l) - 1.5) * 0.35;
        let shape = match k % 3 {
            0 => Shape::sphere(0.1)?,
            1 => Shape::cuboid(0.1, 0.08, 0.06)?,
            _ => Shape::capsule(0.08, 0.06)?,
        };
        let mut body = BodySpec::new(&format!("body{k}"), shape).mass(0.5 + 0.1 * f64::from(k));
        body.position = at;
        // towards the middle, with a turn about it
        body.velocity = -at * 3.0 + Vector3::new(-at.y, at.x, 0.2);
        body.angular_velocity = Vector3::new(at.z, at.x, at.y) * 5.0;
        scene.body(body)?;
    }
    let mut sim = start(&scene)?;
    let of = |s: &gudgeon_sim::Simulator| momentum(s.model(), &Vector3::zeros(), s.workspace());
    let (first, energy) = (of(&sim), sim.energy()[0]);
    let (mut highest, mut contacts, mut moved) = (energy, 0, 0.0);
    for _ in 0..1000 {
        let before = sim.energy()[0];
        let report = sim.step()?;
        contacts += report.active;
        highest = highest.max(energy + sim.energy()[0] - before);
        let speed = |link| Vector3::from(sim.body(link).velocity).norm();
        let dt = sim.settings.dt;
        moved +=
            sim.contacts().iter().map(|c| c.force.norm() * dt * dt * (speed(c.a) + speed(c.b))).sum::<f64>();
    }
    let last = of(&sim);
    Ok(vec![
        Row::absolute(
            "linear momentum changed by",
            "N s",
            0.0,
            (last.linear - first.linear).norm(),
            1e-10,
            "action and reaction: rounding over a thousand steps",
        ),
        Row::absolute(
            "angular momentum changed by",
            "N m s",
            0.0,
            (last.angular - first.angular).norm(),
            moved,
            "first order: impulses act where bodies were at the start of a step, Σ |p| v dt",
        ),
        Row::absolute(
            "largest rise of energy in a step",
            "J",
            0.0,
            highest - energy,
            1e-9,
            "none is made: rounding of some 100 J",
        ),
        Row::decided("and bodies did meet", usize::from(contacts > 100), 1, "or it would be no test"),
    ])
}

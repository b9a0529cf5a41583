//! Bodies that leave what they slide or roll on by themselves. What they keep from then on, their velocity aside, tells where they left.
//!
//! ```text
//!     off a ball, a = R + r apart, from θ₀ at rest:    v² = k g a (cos θ₀ − cos θ),  k = 2 sliding, 10/7 rolling
//!         leaves where v² = g a cos θ:                 cos θ = k/(1 + k) cos θ₀,     v_x = cos θ √(g a cos θ)
//!     down a wall and a floor, a half of the rod:      θ̇² = 3g/(2a) (sin θ₀ − sin θ)
//!         leaves the wall where ẍ = 0:                 sin θ = ⅔ sin θ₀,             v_x = a sin θ √(g sin θ₀/(2a))
//! ```

use gudgeon_collide::Shape;
use gudgeon_sim::BodySpec;
use gudgeon_spatial::{Inertia, Symmetric3, Vector3};
use nalgebra::Isometry3;

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, builder, leaning, motion, place, run, start};

const FIRST_ORDER: &str = "first order at 0.1 ms";

/// A small ball slides, or rolls, off a large one.
pub(super) fn off_a_ball() -> Result<Vec<Row>, ValidateError> {
    let (large, small, begin) = (0.9, 0.1, 0.2_f64);
    let apart = large + small;
    let mut rows = Vec::new();
    // friction for any load: it slips only where next to nothing presses any more
    for (how, k, friction) in [("slides", 2.0, 0.0), ("rolls", 10.0 / 7.0, 100.0)] {
        let mut scene = builder("off a ball", 1e-4, friction);
        scene.collider("world", Shape::sphere(large)?, Isometry3::identity());
        let ball = BodySpec::new("ball", Shape::sphere(small)?).mass(1.0);
        scene.body(ball.at(apart * begin.sin(), 0.0, apart * begin.cos()))?;
        let mut sim = start(&scene)?;
        // until it is as low as the middle of the large one: it has left long before
        while place(&sim, "ball").z > 0.0 {
            run(&mut sim, 1e-3)?;
        }
        let cosine = k / (1.0 + k) * begin.cos();
        let speed = (G * apart * cosine).sqrt();
        let (v, turning) = motion(&sim, "ball");
        let what = format!("a ball {how} off a ball and keeps along the floor");
        rows.push(Row::relative(what, "m/s", speed * cosine, v.x, 1e-3, FIRST_ORDER));
        if friction > 0.0 {
            let what = "and keeps turning at";
            rows.push(Row::relative(what, "rad/s", speed / small, turning.y, 1e-3, FIRST_ORDER));
        }
    }
    Ok(rows)
}

/// A rod slides down a smooth wall, and leaves it at two thirds of its height.
pub(super) fn rod_from_a_wall() -> Result<Vec<Row>, ValidateError> {
    let (half, radius, begin) = (0.5, 0.01, 1.2_f64);
    let (sine, cosine) = begin.sin_cos();
    let mut scene = builder("rod from a wall", 1e-4, 0.0);
    scene.ground();
    scene.collider("world", Shape::plane(), leaning(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let mut rod = BodySpec::new("rod", Shape::sphere(radius)?).mass(2.0);
    // floor and wall push through the middles of its round ends
    rod.shapes = [[half * cosine, -half * sine], [-half * cosine, half * sine]]
        .iter()
        .map(|[x, z]| Ok((Shape::sphere(radius)?, Isometry3::translation(*x, 0.0, *z))))
        .collect::<Result<_, ValidateError>>()?;
    let across = 2.0 * half * half / 3.0;
    rod.inertia = Some(Inertia::new(2.0, Vector3::zeros(), Symmetric3::diagonal(across, across, across)));
    scene.body(rod.at(half * cosine + radius, 0.0, half * sine + radius))?;
    let mut sim = start(&scene)?;
    let mut held = place(&sim, "rod").z;
    // until it is nearly flat
    while place(&sim, "rod").z > radius + 0.1 * half {
        run(&mut sim, 1e-4)?;
        let wall = |c: &gudgeon_sim::ContactInfo| c.force.x.abs() > 1e-9;
        if sim.contacts().iter().any(wall) {
            held = place(&sim, "rod").z;
        }
    }
    let low = 2.0 / 3.0 * sine;
    let truth = half * low * (G * sine / (2.0 * half)).sqrt();
    Ok(vec![
        Row::relative(
            "height of a rod's middle where it leaves a smooth wall",
            "m",
            half * low,
            held - radius,
            1e-2,
            "the wall's force falls to nothing slowly: first order at 0.1 ms",
        ),
        Row::relative(
            "its velocity along the floor from then on",
            "m/s",
            truth,
            motion(&sim, "rod").0.x,
            1e-3,
            FIRST_ORDER,
        ),
    ])
}

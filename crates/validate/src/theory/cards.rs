//! Houses of cards: pairs that lean on each other at 65 degrees, flat cards between the storeys.
//!
//! ```text
//!                  /\              3 cards: a pair and its roof
//!                 ----            26: four storeys, 155: ten
//!                 /\/\
//! ```
//! The limit of friction is that of the linear program of `equilibrium` over the contacts at the start.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Scene, SceneBuilder, Simulator};

use super::equilibrium::least_friction;
use crate::ValidateError;
use crate::row::Row;
use crate::run::{Fate, LimitSide, about_y, builder, farthest, limit, run};

/// Half of a card: length, width, thickness, m.
const HALF: [f64; 3] = [0.045, 0.03, 0.000_5];
const LEAN: f64 = 65.0;

/// Between the feet of neighbouring pairs, m.
const GAP: f64 = 2e-3;

/// Adds a card whose long side (half of it: `a`) is turned by an angle out of the level, its middle at (x, z).
fn card(
    scene: &mut SceneBuilder,
    name: &str,
    a: f64,
    x: f64,
    z: f64,
    angle: f64,
) -> Result<(), ValidateError> {
    let [_, b, c] = HALF;
    let shape = Shape::cuboid(a, b, c)?;
    // about y by minus the angle: x goes up
    scene.body(
        BodySpec::new(name, shape)
            .mass(0.002)
            .at(x, 0.0, z)
            .turned(about_y(-angle))
            .colored(0.93, 0.90, 0.83),
    )?;
    Ok(())
}

/// A pair whose feet stand at height z, its top at x; answers the height of its top.
fn pair(scene: &mut SceneBuilder, name: &str, x: f64, z: f64) -> Result<f64, ValidateError> {
    let (sine, cosine) = LEAN.to_radians().sin_cos();
    let [a, _, c] = HALF;
    // inner corners touch at x, lower corners stand at z
    let (across, up) = (a * cosine + c * sine, a * sine + c * cosine);
    card(scene, &format!("{name} left"), a, x - across, z + up, LEAN.to_radians())?;
    card(scene, &format!("{name} right"), a, x + across, z + up, std::f64::consts::PI - LEAN.to_radians())?;
    Ok(z + 2.0 * up)
}

/// How far the tops of neighbouring pairs are apart: their feet meet.
fn pitch() -> f64 {
    let (sine, cosine) = LEAN.to_radians().sin_cos();
    2.0 * (2.0 * HALF[0] * cosine + 2.0 * HALF[2] * sine) + GAP
}

/// A house of so many storeys; `roof` lays a card on the topmost pair.
fn house(storeys: usize, roof: bool, mu: f64) -> Result<Scene, ValidateError> {
    let mut scene = builder("cards", 1e-3, mu);
    scene.ground().duration(5.0);
    let mut z = 0.0;
    for storey in 0..storeys {
        let pairs = storeys - storey;
        let first = -0.5 * pitch() * (pairs - 1) as f64;
        let mut top = z;
        for k in 0..pairs {
            top = pair(&mut scene, &format!("pair {storey}.{k}"), first + pitch() * k as f64, z)?;
        }
        let flats = if pairs == 1 { usize::from(roof) } else { pairs - 1 };
        for k in 0..flats {
            let x = if pairs == 1 { 0.0 } else { first + pitch() * (k as f64 + 0.5) };
            // neighbours on one pair do not touch: a quarter of a millimetre each from the middle
            let half = 0.5 * pitch() - 2.5e-4;
            card(&mut scene, &format!("flat {storey}.{k}"), half, x, top + HALF[2], 0.0)?;
        }
        z = top + 2.0 * HALF[2];
    }
    Ok(scene.build()?)
}

/// A house at a friction of 0.8 for five seconds.
fn stands(storeys: usize, roof: bool, cards: usize, seconds: f64) -> Result<Row, ValidateError> {
    let scene = house(storeys, roof, 0.8)?;
    let mut sim = Simulator::new(&scene)?;
    let first = sim.clone();
    run(&mut sim, seconds)?;
    let moved = farthest(&first, &sim);
    let what = format!("{cards} cards, friction 0.8: farthest card moved in {seconds} s");
    Ok(Row::absolute(what, "m", 0.0, moved, 1e-9, "a nanometre: rounding over the run"))
}

fn falls(storeys: usize, roof: bool, cards: usize) -> Result<Row, ValidateError> {
    let sim = Simulator::new(&house(storeys, roof, 0.8)?)?;
    let truth = least_friction(&sim, |mu, _| mu)?
        .ok_or_else(|| ValidateError::Missed("no friction holds the cards".into()))?;
    let trials = limit(truth, 1e-3, LimitSide::Above, 1.0, |mu| house(storeys, roof, mu))?;
    let what = format!("{cards} cards: friction below which they fall");
    Ok(Row::between(what, "", truth, trials, 1e-3, "tried at 1 ± 1e-3 of the limit"))
}

pub(super) fn three() -> Result<Vec<Row>, ValidateError> {
    Ok(vec![stands(1, true, 3, 5.0)?, falls(1, true, 3)?])
}

pub(super) fn twenty_six() -> Result<Vec<Row>, ValidateError> {
    Ok(vec![stands(4, false, 26, 5.0)?, falls(4, false, 26)?])
}

pub(super) fn hundred_and_fifty_five() -> Result<Vec<Row>, ValidateError> {
    let low = crate::run::fate(&house(10, false, 0.2)?, 1.0)? == Fate::Fell;
    Ok(vec![
        stands(10, false, 155, 2.0)?,
        Row::decided("155 cards, friction 0.2: they fall", usize::from(low), 1, "tan 25 degrees is 0.47"),
    ])
}

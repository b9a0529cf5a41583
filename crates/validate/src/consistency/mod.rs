//! What must not matter: how a scene is turned, mirrored, moved, measured and numbered, how many threads look at it, and, as
//! steps get shorter, how long they are.

mod setup;

use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

use crate::ValidateError;
use crate::row::{Entry, Row};
use setup::{Change, Form, Piece, Setup};

macro_rules! scenes {
    ($($name:literal, $quick:literal, $about:literal, $run:path;)*) => {
        /// Every scene, in the order of the table.
        pub const SCENES: &[Entry] = &[$(Entry { name: $name, about: $about, quick: $quick, run: $run }),*];
    };
}

scenes! {
    "turned", true, "the same, turned about no special axis with gravity and floor: friction does not know the compass", turned;
    "mirrored", true, "the same in a mirror", mirrored;
    "moved", true, "the same a kilometre away in each direction", moved;
    "units", false, "the same in millimetres and grams, and in kilometres and kilotons", units;
    "order", true, "the same bodies in reverse order", order;
    "threads", true, "a pile on 1, 2 and 8 threads, to the bit", threads;
    "halved", true, "steps halved twice: how fast answers approach each other", halved;
}

/// A box slides and turns on its four corners until it rests: redundant contacts, all of them sliding.
fn sliding() -> Setup {
    let mut block = Piece::new(Form::Box([0.1, 0.07, 0.03]), 1.0, [0.0, 0.0, 0.03]);
    (block.velocity, block.spin) = ([1.2, 0.5, 0.0], [0.0, 0.0, 4.0]);
    Setup { name: "sliding", pieces: vec![block], friction: 0.3, restitution: 0.0, dt: 1e-3, seconds: 0.8 }
}

/// A ball thrown along the floor with spin of its own: it slides, then rolls.
fn rolling() -> Setup {
    let mut ball = Piece::new(Form::Ball(0.05), 0.4, [0.0, 0.0, 0.05]);
    (ball.velocity, ball.spin) = ([1.0, -0.4, 0.0], [-20.0, -15.0, 6.0]);
    Setup { name: "rolling", pieces: vec![ball], friction: 0.25, restitution: 0.0, dt: 1e-3, seconds: 0.7 }
}

/// Six boxes in a pyramid, at rest.
fn pyramid() -> Setup {
    let half = [0.1, 0.1, 0.05];
    let place = |x: f64, row: f64| Piece::new(Form::Box(half), 1.0, [x, 0.0, 0.05 + 0.1 * row]);
    let bottom = [-0.22, 0.0, 0.22].map(|x| place(x, 0.0));
    let pieces = bottom.into_iter().chain([place(-0.11, 1.0), place(0.11, 1.0), place(0.0, 2.0)]).collect();
    Setup { name: "pyramid", pieces, friction: 0.5, restitution: 0.0, dt: 5e-3, seconds: 1.0 }
}

/// A box slides on a box that slides, and drops off nothing.
fn cart() -> Setup {
    let lower = Piece::new(Form::Box([0.3, 0.2, 0.05]), 2.0, [0.0, 0.0, 0.05]);
    let mut upper = Piece::new(Form::Box([0.05, 0.05, 0.05]), 1.0, [0.0, 0.0, 0.15]);
    let mut lower = lower;
    lower.velocity = [0.6, 0.1, 0.0];
    upper.velocity = [0.1, 0.5, 0.0];
    Setup {
        name: "cart",
        pieces: vec![lower, upper],
        friction: 0.3,
        restitution: 0.0,
        dt: 1e-3,
        seconds: 0.6,
    }
}

/// A capsule falls aslant, bounces once on each end, and rolls on.
fn falling() -> Setup {
    let mut capsule = Piece::new(Form::Capsule(0.03, 0.08), 0.3, [0.0, 0.0, 0.3]);
    capsule.turn = [0.9, 0.4, 0.2];
    capsule.velocity = [0.3, 0.2, 0.0];
    Setup { name: "falling", pieces: vec![capsule], friction: 0.4, restitution: 0.4, dt: 1e-3, seconds: 0.6 }
}

fn setups() -> [Setup; 5] {
    [sliding(), rolling(), pyramid(), cart(), falling()]
}

/// A line for every setup: how far apart it and its changed self end, over the metre or so that things go.
fn compare(changes: &[(&str, Change, f64)], why: &'static str) -> Result<Vec<Row>, ValidateError> {
    let mut rows = Vec::new();
    for setup in setups() {
        for &(what, change, bound) in changes {
            let quantity =
                if what.is_empty() { setup.name.to_owned() } else { format!("{}, {what}", setup.name) };
            rows.push(Row::absolute(quantity, "m", 0.0, setup.apart(change)?, bound, why));
        }
    }
    Ok(rows)
}

fn turned() -> Result<Vec<Row>, ValidateError> {
    compare(&[("", Change::Turned(2.1), 1e-10)], "rounding of a thousand steps, and of impacts")
}

fn mirrored() -> Result<Vec<Row>, ValidateError> {
    compare(&[("", Change::Mirrored, 1e-10)], "rounding of a thousand steps, and of impacts")
}

fn moved() -> Result<Vec<Row>, ValidateError> {
    compare(
        &[("", Change::Moved(1e3), 1e-7)],
        "places a kilometre away are rounded to 1e-13 m in each of a thousand steps",
    )
}

fn units() -> Result<Vec<Row>, ValidateError> {
    let changes =
        [("mm and g", Change::Units(1e3, 1e3), 1e-9), ("km and kt", Change::Units(1e-3, 1e-6), 1e-9)];
    compare(&changes, "rounding; factors of ten are none of two")
}

fn order() -> Result<Vec<Row>, ValidateError> {
    compare(&[("", Change::Reversed, 1e-10)], "sums in another order")
}

fn threads() -> Result<Vec<Row>, ValidateError> {
    let hash = |threads: usize| -> Result<u64, ValidateError> {
        let mut scene = builtin("pile", &Params::new().set("bodies", 60.0))?;
        scene.settings.threads = threads;
        let mut sim = Simulator::new(&scene)?;
        for _ in 0..150 {
            let _report = sim.step()?;
        }
        Ok(sim.state_hash())
    };
    let alone = hash(1)?;
    let same = [2, 8].into_iter().map(hash).filter(|h| *h == Ok(alone)).count();
    Ok(vec![Row::decided(
        "states of 150 steps equal to the bit",
        same,
        2,
        "threads are no part of the answer",
    )])
}

/// log₂ of how much nearer answers come when steps are halved: 1 for a method of first order.
fn halved() -> Result<Vec<Row>, ValidateError> {
    let mut rows = Vec::new();
    for setup in [sliding(), rolling(), cart()] {
        let ends = |part: f64| Setup { dt: setup.dt / part, ..setup.clone() }.ends(Change::None);
        let (whole, half, quarter) = (ends(1.0)?, ends(2.0)?, ends(4.0)?);
        let apart = |a: &[gudgeon_spatial::Vector3<f64>], b: &[gudgeon_spatial::Vector3<f64>]| {
            a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        };
        let order = (apart(&whole, &half) / apart(&half, &quarter)).log2();
        let quantity = format!("{}, order of convergence", setup.name);
        rows.push(Row::absolute(
            quantity,
            "",
            1.0,
            order,
            0.3,
            "impacts and stops fall within steps, not on them",
        ));
    }
    Ok(rows)
}

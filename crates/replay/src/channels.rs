//! Numbers of a recording that a chart can follow, and what the solver's stages did, as the player reads them.
//!
//! ```text
//!     of every channel   a curve of n: asinh(value / small) in steps of 1/2000, its `small` in the description
//!     of every frame     stages: how many, then number, won, runs, factorisations, seconds in 1e-7 s,
//!                        residual before and after in hundredths of a decade (1e6: not measured)
//! ```

use gudgeon_sim::{Frame, ReactionFrame, Recording, StageFrame};
use serde_json::{Value, json};

use crate::curve::{companded, curve, quantise, varint};

/// What was not measured, in hundredths of a decade.
const UNKNOWN: i64 = 1_000_000;
/// s.
const SECONDS_STEP: f64 = 1e-7;
/// Residuals below are this: rounding of rounding.
const LEAST: f64 = 1e-30;

/// A number of every frame.
struct Channel<'a> {
    name: String,
    unit: &'static str,
    of: Box<dyn Fn(&Frame) -> f64 + 'a>,
}

/// Writes the channels of the frames that are kept; their descriptions.
pub(crate) fn channels(out: &mut Vec<u8>, recording: &Recording, kept: &[&Frame]) -> Value {
    let list = list(recording).into_iter().map(|channel| {
        let values: Vec<f64> = kept.iter().map(|f| (channel.of)(f)).collect();
        let largest = values.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
        // what is a millionth of the largest may be lost
        let small = if largest > 0.0 { 1e-6 * largest } else { 1.0 };
        curve(out, values.iter().map(|x| companded(*x, small)));
        json!({"name": channel.name, "unit": channel.unit, "small": small})
    });
    Value::Array(list.collect())
}

fn list(recording: &Recording) -> Vec<Channel<'_>> {
    let frames = &recording.frames;
    let mut out = Vec::new();
    if frames.iter().any(|f| f.timings.is_some()) {
        let time = |name: &str, of: fn(&gudgeon_sim::Timings) -> f64| Channel {
            name: name.to_owned(),
            unit: "s",
            of: Box::new(move |f| f.timings.as_ref().map_or(0.0, of)),
        };
        out.push(time("time of the solver", |t| t.solver));
        out.push(time("time of collision", |t| t.collision));
    }
    let objects = |key: &str| recording.header[key].as_array().into_iter().flatten();
    if frames.iter().any(|f| !f.q.is_empty()) {
        for joint in objects("joints") {
            let name = joint["name"].as_str().unwrap_or("?");
            let index = |key: &str| joint[key].as_u64().and_then(|k| usize::try_from(k).ok());
            let (Some(dof), Some(coordinate)) = (index("dof"), index("coordinate")) else { continue };
            let turns = joint["turns"] != false;
            let units = if turns { ["rad", "rad/s", "N m"] } else { ["m", "m/s", "N"] };
            let channel = |what: &str, unit, of: Box<dyn Fn(&Frame) -> f64>| Channel {
                name: format!("{name}: {what}"),
                unit,
                of,
            };
            out.push(channel("coordinate", units[0], Box::new(move |f| nth(&f.q, coordinate))));
            out.push(channel("rate", units[1], Box::new(move |f| nth(&f.v, dof))));
            out.push(channel("force", units[2], Box::new(move |f| nth(&f.joint_forces, dof))));
        }
    }
    reactions(recording, &mut out);
    for (k, sensor) in objects("sensors").enumerate() {
        let name = sensor["name"].as_str().unwrap_or("?").to_owned();
        let unit = UNITS.iter().find(|u| sensor["unit"] == **u).copied().unwrap_or("");
        out.push(Channel { name, unit, of: Box::new(move |f| nth(&f.sensors, k)) });
    }
    out
}

/// What joints and loops carried, and powers, where the recording has them.
fn reactions<'a>(recording: &'a Recording, out: &mut Vec<Channel<'a>>) {
    let Some(first) = recording.frames.iter().find_map(|f| f.reactions.as_ref()) else { return };
    let objects = |key: &str| recording.header[key].as_array().into_iter().flatten();
    let mut push = |name: String, unit, of: fn(&ReactionFrame, usize) -> f64, k: usize| {
        let of = Box::new(move |f: &Frame| f.reactions.as_ref().map_or(0.0, |r| of(r, k)));
        out.push(Channel { name, unit, of });
    };
    for joint in objects("joints") {
        let Some(dof) = joint["dof"].as_u64().and_then(|k| usize::try_from(k).ok()) else { continue };
        let (name, unit) =
            (joint["name"].as_str().unwrap_or("?"), if joint["turns"] == false { "N" } else { "N m" });
        push(format!("{name}: motor"), unit, |r, k| nth(&r.motors, k), dof);
        push(format!("{name}: limit"), unit, |r, k| nth(&r.limits, k), dof);
    }
    let carried = |list: fn(&ReactionFrame) -> &[[f64; 6]], k: usize| {
        let frames = recording.frames.iter().filter_map(|f| f.reactions.as_ref());
        frames.filter_map(|r| list(r).get(k)).any(|w| w.iter().any(|x| *x != 0.0))
    };
    for (k, body) in objects("bodies").skip(1).enumerate().filter(|(k, _)| carried(|r| &r.joints, *k)) {
        let name = body["name"].as_str().unwrap_or("?");
        for (axis, (part, unit)) in PARTS.iter().enumerate() {
            push(format!("{name}: joint {part}"), unit, |r, k| part_of(&r.joints, k), 6 * k + axis);
        }
    }
    for (k, looped) in objects("loops").enumerate().take(first.loops.len()) {
        let name = looped.as_str().unwrap_or("?");
        for (axis, (part, unit)) in PARTS.iter().enumerate() {
            push(format!("loop {name}: {part}"), unit, |r, k| part_of(&r.loops, k), 6 * k + axis);
        }
    }
    for (k, what) in ["motors", "pushes", "friction", "impacts", "joints"].iter().enumerate() {
        push(format!("power of {what}"), "W", |r, k| nth(&r.power, k), k);
    }
}

/// The parts of a wrench.
const PARTS: [(&str, &str); 6] = [
    ("force x", "N"),
    ("force y", "N"),
    ("force z", "N"),
    ("moment x", "N m"),
    ("moment y", "N m"),
    ("moment z", "N m"),
];

fn nth(list: &[f64], k: usize) -> f64 {
    list.get(k).copied().unwrap_or(0.0)
}

/// Part k of wrenches written one after another.
fn part_of(list: &[[f64; 6]], k: usize) -> f64 {
    list.get(k / 6).map_or(0.0, |w| w[k % 6])
}

/// Of sensors.
const UNITS: [&str; 10] = ["m", "m/s", "m/s²", "rad/s", "rad/s²", "N", "N m", "J", "s", "kg m²/s"];

/// Writes what the stages did in a frame.
pub(crate) fn stages(out: &mut Vec<u8>, list: &[StageFrame]) {
    let decades = |x: f64| {
        if x.is_finite() { quantise(x.abs().max(LEAST).log10(), 0.01) } else { UNKNOWN }
    };
    varint(out, i64::try_from(list.len()).unwrap_or(0));
    for s in list {
        varint(out, i64::from(s.stage));
        varint(out, i64::from(s.won));
        varint(out, i64::from(s.runs));
        varint(out, i64::from(s.factorisations));
        varint(out, quantise(s.seconds, SECONDS_STEP));
        varint(out, decades(s.before));
        varint(out, decades(s.after));
    }
}

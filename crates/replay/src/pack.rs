//! A recording as the bytes that the player reads.
//!
//! ```text
//!     f32    kinetic, potential, penetration, loop gap, residual       n each
//!     f32    vertices of every mesh;  u32 triangles of every mesh
//!     varint time (step 1e-7 s), contacts, pivots, status, fallback     curves of n
//!     varint of every body: position, quaternion w x y z, speed, spin   nine curves of n
//!     varint of every frame: its contacts                               see `contacts`
//!     varint of every channel; of every frame: its stages               see `channels`
//! ```
//! Only as many frames as can be shown are kept: every k-th, and the last. A chart must not lose a spike that fell
//! between two of them, so contacts, pivots, penetration, loop gap, residual, status and fallback are the worst of
//! the frames a kept one stands for.

use std::collections::BTreeMap;

use gudgeon_sim::{ContactFrame, Frame, PullFrame, Recording};
use serde_json::{Value, json};

use crate::channels::{channels, stages};
use crate::curve::{PER_E, companded, curve, quantise, varint};
use crate::friction::Friction;
use crate::shown::{hidden, shape_size};

/// Of a unit: 2e-5 rad, a quarter of a pixel at arm's length.
const TURN_STEP: f64 = 1.0 / 32768.0;
/// Of a coefficient of friction: cones are drawn to a pixel.
const FRICTION_STEP: f64 = 1e-6;
/// s.
const TIME_STEP: f64 = 1e-7;
/// Of the largest body's size: a hundredth of a pixel when it fills the screen.
const PLACE_STEP: f64 = 1e-5;

/// What the player needs: a description in JSON and the numbers.
pub(crate) struct Packed {
    pub(crate) meta: Value,
    pub(crate) bytes: Vec<u8>,
}

/// The frames kept of a recording, and the frames each of them stands for.
struct Kept<'a> {
    frames: Vec<&'a Frame>,
    groups: Vec<&'a [Frame]>,
}

impl<'a> Kept<'a> {
    fn new(frames: &'a [Frame], fps: f64) -> Self {
        let stride = stride(frames, fps);
        // frame 0 alone, then `stride` at a time, each shown by its last: the player begins where the run did
        let (first, rest) = frames.split_at(frames.len().min(1));
        let groups: Vec<&[Frame]> =
            std::iter::once(first).chain(rest.chunks(stride)).filter(|g| !g.is_empty()).collect();
        Self { frames: groups.iter().filter_map(|g| g.last()).collect(), groups }
    }

    fn worst<T: Default>(&self, of: impl Fn(&Frame) -> T, larger: impl Fn(T, T) -> T) -> Vec<T> {
        self.groups.iter().map(|g| g.iter().map(&of).reduce(&larger).unwrap_or_default()).collect()
    }
}

/// How many frames one picture stands for, that there be no more than `fps` a second.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded by the number of frames"
)]
pub(crate) fn stride(frames: &[Frame], fps: f64) -> usize {
    let [first, .., last] = frames else { return 1 };
    let rate = (frames.len() - 1) as f64 / (last.time - first.time);
    // a quarter above is let pass: 64 frames a second are not worth halving
    let stride = (rate / (1.25 * fps)).ceil();
    if stride.is_finite() { (stride as usize).clamp(1, frames.len()) } else { 1 }
}

pub(crate) fn pack(recording: &Recording, fps: f64) -> Packed {
    let kept = Kept::new(&recording.frames, fps);
    let n_bodies = kept.frames.iter().map(|f| f.bodies.len()).max().unwrap_or(0);
    let mut bytes = Vec::new();

    let (bodies, meshes) = bodies(&recording.header, n_bodies, &mut bytes, &kept);
    let scales = Scales::of(recording);

    curve(&mut bytes, kept.frames.iter().map(|f| quantise(f.time, TIME_STEP)));
    let count = |x: usize| i64::try_from(x).unwrap_or(i64::MAX);
    curve(&mut bytes, kept.worst(|f| count(f.contacts.len()), Ord::max).into_iter());
    curve(&mut bytes, kept.worst(|f| i64::from(f.pivots), Ord::max).into_iter());
    let worse = |a: u8, b: u8| if badness(b) > badness(a) { b } else { a };
    curve(&mut bytes, kept.worst(|f| f.status, worse).into_iter().map(i64::from));
    curve(&mut bytes, kept.worst(|f| i64::from(f.fallback), Ord::max).into_iter());
    for body in 0..n_bodies {
        motion(&mut bytes, &kept.frames, body, &scales);
    }
    let mut before: &[ContactFrame] = &[];
    let friction = Friction::of(recording);
    for frame in &kept.frames {
        contacts(&mut bytes, &frame.contacts, before, &scales, &friction);
        before = &frame.contacts;
    }
    let followed = channels(&mut bytes, recording, &kept.frames);
    kept.frames.iter().for_each(|f| stages(&mut bytes, &f.stages));

    let header = &recording.header;
    let mut pulls = pulls(&header["live"]["pulls"], &kept);
    pulls.extend(kept.frames.iter().enumerate().flat_map(|(k, f)| f.pulls.iter().map(move |p| pull(k, p))));
    let meta = json!({
        "channels": followed, "sensors": header["sensors"].as_array().map_or(0, Vec::len), "stages": header["stages"], "pulls": pulls, "passive": header["passive"], "scene": header["scene"], "dt": header["dt"], "every": header["every"], "gravity": header["gravity"],
        "steps": recording.frames.len(), "frames": kept.frames.len(),
        "contacts": kept.frames.iter().map(|f| f.contacts.len()).sum::<usize>(), "bodies": bodies, "meshes": meshes,
        "scales": { "time": TIME_STEP, "place": scales.place, "turn": TURN_STEP, "speed": scales.speed,
                    "spin": scales.spin, "force": scales.force, "friction": FRICTION_STEP, "per_e": PER_E },
    });
    Packed { meta, bytes }
}

/// Frame, kind, body, point, target, force.
fn pull(frame: usize, p: &PullFrame) -> Value {
    let kind = ["grab", "push", "pin"].get(p.kind as usize).copied().unwrap_or("grab");
    json!([frame, kind, p.body, p.point, p.target, p.force])
}

/// What hands did in the frames that are kept, by the numbers these have in the page; of recordings of the third version,
/// which tell it in their header.
fn pulls(all: &Value, kept: &Kept) -> Vec<Value> {
    let mut ends = Vec::new(); // by kept frame: the number its last frame has in the recording
    let mut n = 0;
    for group in &kept.groups {
        n += group.len();
        ends.push(n as u64 - 1);
    }
    let all = all.as_array().into_iter().flatten();
    all.filter_map(|pull| {
        let k = ends.binary_search(&pull[0].as_u64()?).ok()?;
        let mut own = pull.clone();
        own[0] = json!(k);
        Some(own)
    })
    .collect()
}

/// Solved and nothing to solve are well; the others are as bad as their number.
fn badness(status: u8) -> u8 {
    if status == 5 { 0 } else { status }
}

/// Units of the integers.
struct Scales {
    place: f64,
    speed: f64,
    spin: f64,
    force: f64,
}

impl Scales {
    fn of(recording: &Recording) -> Self {
        let size = recording.header["bodies"].as_array().map_or(&[][..], Vec::as_slice).iter().skip(1);
        let size = size.flat_map(|b| b["shapes"].as_array().into_iter().flatten()).map(shape_size);
        let size = size.filter(|s| s.is_finite()).fold(0.0, f64::max);
        let frames = &recording.frames;
        let largest =
            |of: &dyn Fn(&Frame) -> f64| frames.iter().map(of).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let norm = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let speed = largest(&|f| f.bodies.iter().map(|b| norm(&b.velocity)).fold(0.0, f64::max));
        let spin = largest(&|f| f.bodies.iter().map(|b| norm(&b.angular_velocity)).fold(0.0, f64::max));
        let force = largest(&|f| f.contacts.iter().map(|c| norm(&c.force)).fold(0.0, f64::max));
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        // what is a millionth of the largest may be lost
        let small = |x: f64| 1e-6 * or_one(x);
        Self { place: PLACE_STEP * or_one(size), speed: small(speed), spin: small(spin), force: small(force) }
    }
}

/// The bodies as in the header, their meshes moved to the bytes; the charts go before them.
fn bodies(header: &Value, n_bodies: usize, bytes: &mut Vec<u8>, kept: &Kept) -> (Value, Value) {
    let mut charts: Vec<f32> = Vec::new();
    charts.extend(kept.frames.iter().map(|f| single(f.energy[0])));
    charts.extend(kept.frames.iter().map(|f| single(f.energy[1])));
    charts.extend(kept.worst(|f| single(f.penetration), f32::max));
    charts.extend(kept.worst(|f| single(f.loop_gap), f32::max));
    charts.extend(kept.worst(|f| single(f.residual), f32::max));

    let mut list = header["bodies"].as_array().cloned().unwrap_or_default();
    while list.len() < n_bodies + 1 {
        list.push(json!({"name": format!("body {}", list.len()), "shapes": []}));
    }
    for (k, body) in list.iter_mut().enumerate() {
        let hidden = hidden(body, k == 0);
        let shapes = body["shapes"].as_array_mut().into_iter().flatten();
        shapes.zip(hidden).filter(|(_, h)| *h).for_each(|(s, _)| s["hidden"] = json!(true));
    }
    let (mut vertices, mut triangles) = (Vec::<f32>::new(), Vec::<u32>::new());
    let (mut meshes, mut known) = (Vec::new(), BTreeMap::<String, usize>::new());
    let shapes = list.iter_mut().filter_map(|b| b["shapes"].as_array_mut()).flatten();
    for shape in shapes.filter(|s| s["kind"] == "mesh") {
        let (points, corners) = (shape["vertices"].take(), shape["triangles"].take());
        let index = *known.entry(format!("{points}{corners}")).or_insert_with(|| {
            let points: Vec<f32> =
                points.as_array().into_iter().flatten().map(|x| single(x.as_f64().unwrap_or(0.0))).collect();
            let corners: Vec<u32> = corners
                .as_array()
                .into_iter()
                .flatten()
                .map(|x| x.as_u64().and_then(|x| u32::try_from(x).ok()).unwrap_or(0))
                .collect();
            meshes.push(json!([points.len(), corners.len()]));
            vertices.extend(points);
            triangles.extend(corners);
            meshes.len() - 1
        });
        if let Some(fields) = shape.as_object_mut() {
            fields.remove("vertices");
            fields.remove("triangles");
            fields.insert("mesh".to_owned(), json!(index));
        }
    }
    bytes.extend(charts.iter().chain(&vertices).flat_map(|x| x.to_le_bytes()));
    bytes.extend(triangles.iter().flat_map(|x| x.to_le_bytes()));
    (Value::Array(list), Value::Array(meshes))
}

#[expect(clippy::cast_possible_truncation, reason = "what the screen shows has seven digits")]
fn single(x: f64) -> f32 {
    x as f32
}

/// The nine curves of a body; a body that a frame lacks stays where it was.
fn motion(out: &mut Vec<u8>, frames: &[&Frame], body: usize, scales: &Scales) {
    let mut last = gudgeon_sim::BodyFrame { orientation: [1.0, 0.0, 0.0, 0.0], ..Default::default() };
    let mut path = Vec::with_capacity(frames.len());
    for frame in frames {
        let mut now = frame.bodies.get(body).copied().unwrap_or(last);
        // q and −q are one orientation: take the one that continues the curve
        let turn: f64 = now.orientation.iter().zip(&last.orientation).map(|(x, y)| x * y).sum();
        if turn < 0.0 {
            now.orientation = now.orientation.map(|x| -x);
        }
        path.push(now);
        last = now;
    }
    for k in 0..3 {
        curve(out, path.iter().map(|b| quantise(b.position[k], scales.place)));
    }
    for k in 0..4 {
        curve(out, path.iter().map(|b| quantise(b.orientation[k], TURN_STEP)));
    }
    let norm = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    curve(out, path.iter().map(|b| companded(norm(&b.velocity), scales.speed)));
    curve(out, path.iter().map(|b| companded(norm(&b.angular_velocity), scales.spin)));
}

/// The contacts of a frame: how many, then for each which of the frame before it continues (plus one, 0 for none; then
/// its bodies and its coefficient of friction follow, −1 if nobody knows it), its mode, and point, normal, force, gap and
/// speed of slip (-1 if nobody knows it) as differences from that one.
fn contacts(
    out: &mut Vec<u8>,
    now: &[ContactFrame],
    before: &[ContactFrame],
    scales: &Scales,
    friction: &Friction,
) {
    let known: BTreeMap<(u32, u32, u64), usize> =
        before.iter().enumerate().map(|(k, c)| ((c.a, c.b, c.id), k)).collect();
    varint(out, i64::try_from(now.len()).unwrap_or(i64::MAX));
    for c in now {
        let parent = known.get(&(c.a, c.b, c.id)).copied();
        varint(out, parent.map_or(0, |k| i64::try_from(k).unwrap_or(i64::MAX - 1) + 1));
        if parent.is_none() {
            varint(out, i64::from(c.a));
            varint(out, i64::from(c.b));
            varint(out, friction.at(c).map_or(-1, |mu| quantise(mu, FRICTION_STEP)));
        }
        varint(out, c.mode as i64);
        let was = parent.map_or([0; 11], |k| whole(&before[k], scales));
        for (x, y) in whole(c, scales).into_iter().zip(was) {
            varint(out, x - y);
        }
    }
}

fn whole(c: &ContactFrame, scales: &Scales) -> [i64; 11] {
    let [px, py, pz] = c.point.map(|x| quantise(x, scales.place));
    let [nx, ny, nz] = c.normal.map(|x| quantise(x, TURN_STEP));
    let [fx, fy, fz] = c.force.map(|x| companded(x, scales.force));
    // what nobody recorded is below zero
    let slip = c.slip.map_or(-1, |s| companded(s.iter().map(|x| x * x).sum::<f64>().sqrt(), scales.speed));
    [px, py, pz, nx, ny, nz, fx, fy, fz, companded(c.gap, scales.place), slip]
}

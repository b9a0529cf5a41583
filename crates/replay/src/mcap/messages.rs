//! Frames of a recording as Foxglove's messages.

use std::collections::BTreeSet;

use gudgeon_sim::{ContactFrame, Frame, Mode, Recording};
use serde_json::{Value, json};

use crate::shown::{hidden, shape_size};

/// As in the player: red, green, blue of open, stick and slip.
const COLORS: [[f64; 3]; 3] = [[0.53, 0.58, 0.64], [0.07, 0.65, 0.58], [0.95, 0.41, 0.16]];
const PALETTE: [[f64; 3]; 6] = [
    [0.44, 0.61, 0.82],
    [0.85, 0.65, 0.40],
    [0.53, 0.72, 0.56],
    [0.71, 0.54, 0.76],
    [0.82, 0.50, 0.48],
    [0.44, 0.71, 0.74],
];
/// Half of the square that stands for an endless plane, in sizes of the largest body.
const PLANE: f64 = 40.0;

/// What does not change from frame to frame.
pub(crate) struct Scene<'a> {
    names: Vec<String>, // of every body, the world first; no two alike
    header: &'a Value,
    size: f64,  // m, of the largest body
    force: f64, // m/N: a strong force is as long as that body
}

impl<'a> Scene<'a> {
    pub(crate) fn of(recording: &'a Recording) -> Self {
        let header = &recording.header;
        let bodies = header["bodies"].as_array().map_or(&[][..], Vec::as_slice);
        let n = recording.frames.iter().map(|f| f.bodies.len() + 1).max().unwrap_or(1).max(bodies.len());
        let mut taken = BTreeSet::new();
        let mut names = vec!["world".to_owned()];
        taken.insert("world".to_owned());
        for k in 1..n {
            let wanted = bodies.get(k).and_then(|b| b["name"].as_str()).filter(|s| !s.is_empty());
            let wanted = wanted.map_or_else(|| format!("body {k}"), str::to_owned);
            let name = if taken.contains(&wanted) { format!("{wanted} #{k}") } else { wanted };
            taken.insert(name.clone());
            names.push(name);
        }
        let shapes = bodies.iter().skip(1).flat_map(|b| b["shapes"].as_array().into_iter().flatten());
        let size = 2.0 * shapes.map(shape_size).filter(|s| s.is_finite()).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let contacts = recording.frames.iter().flat_map(|f| &f.contacts);
        let mut forces: Vec<f64> =
            contacts.map(|c| norm(&c.force)).filter(|f| f.is_finite() && *f > 0.0).collect();
        forces.sort_by(f64::total_cmp);
        let strong = forces.get(forces.len() * 9 / 10).copied().unwrap_or(1.0);
        Self { names, header, size, force: size / strong }
    }

    pub(crate) fn transforms(&self, frame: &Frame) -> Value {
        let one = |(name, b): (&String, &gudgeon_sim::BodyFrame)| {
            json!({"timestamp": moment(frame.time), "parent_frame_id": "world", "child_frame_id": name,
                   "translation": vector(&b.position), "rotation": turn(&b.orientation)})
        };
        json!({"transforms": self.names.iter().skip(1).zip(&frame.bodies).map(one).collect::<Vec<_>>()})
    }

    /// The shapes of every body, in its frame, for as long as the log lasts.
    pub(crate) fn bodies(&self, time: f64) -> Value {
        let list = self.header["bodies"].as_array().map_or(&[][..], Vec::as_slice);
        let entities = list.iter().enumerate().map(|(k, body)| {
            let shapes = body["shapes"].as_array().map_or(&[][..], Vec::as_slice);
            let hidden = hidden(body, k == 0);
            let mut entity = entity(time, &self.names[k], &self.names[k]);
            for (shape, _) in shapes.iter().zip(hidden).filter(|(_, hidden)| !hidden) {
                self.shape(&mut entity, shape, k);
            }
            entity
        });
        json!({"deletions": [], "entities": entities.collect::<Vec<_>>()})
    }

    fn shape(&self, entity: &mut Value, shape: &Value, body: usize) {
        let number = |key: &str| shape[key].as_f64().unwrap_or(0.0);
        let numbers = |key: &str| -> Vec<f64> {
            shape[key].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let [r, g, b] = if body == 0 { [0.6, 0.64, 0.68] } else { PALETTE[(body - 1) % PALETTE.len()] };
        let given = numbers("color");
        let color = match given.as_slice() {
            [r, g, b, a] => json!({"r": r, "g": g, "b": b, "a": a}),
            _ => json!({"r": r, "g": g, "b": b, "a": if shape["kind"] == "plane" { 0.3 } else { 1.0 }}),
        };
        let place: [f64; 3] = numbers("position").try_into().unwrap_or_default();
        let q: [f64; 4] = numbers("orientation").try_into().unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let pose = |at: [f64; 3]| json!({"position": vector(&at), "orientation": turn(&q)});
        let solid = |at, size: [f64; 3]| json!({"pose": pose(at), "size": vector(&size), "color": color});
        let (h, radius) = (number("half_height"), number("radius"));
        let round = |h: f64, top: f64| {
            let mut c = solid(place, [2.0 * radius, 2.0 * radius, 2.0 * h]);
            c["bottom_scale"] = json!(1.0);
            c["top_scale"] = json!(top);
            c
        };
        let mut add = |list: &str, value: Value| {
            if let Some(list) = entity[list].as_array_mut() {
                list.push(value);
            }
        };
        match shape["kind"].as_str().unwrap_or_default() {
            "plane" => add("cubes", solid(place, [PLANE * self.size, PLANE * self.size, 1e-3 * self.size])),
            "box" => {
                let half: [f64; 3] = numbers("half").try_into().unwrap_or_default();
                add("cubes", solid(place, half.map(|x| 2.0 * x)));
            }
            "sphere" => add("spheres", solid(place, [2.0 * radius; 3])),
            "ellipsoid" => {
                let axes: [f64; 3] = numbers("semi_axes").try_into().unwrap_or_default();
                add("spheres", solid(place, axes.map(|x| 2.0 * x)));
            }
            "cylinder" => add("cylinders", round(h, 1.0)),
            "cone" => add("cylinders", round(h, 0.0)),
            "capsule" => {
                add("cylinders", round(h, 1.0));
                for end in [h, -h] {
                    let along = rotated(&q, [0.0, 0.0, end]);
                    add("spheres", solid([0, 1, 2].map(|k| place[k] + along[k]), [2.0 * radius; 3]));
                }
            }
            "mesh" => {
                let points: Vec<Value> = numbers("vertices").as_chunks::<3>().0.iter().map(vector).collect();
                add(
                    "triangles",
                    json!({"pose": pose(place), "points": points, "color": color, "colors": [], "indices": shape["triangles"]}),
                );
            }
            _ => {}
        }
    }

    /// Points and arrows; each frame replaces the last.
    pub(crate) fn contacts(&self, frame: &Frame) -> Value {
        let mut entity = entity(frame.time, "world", "contacts");
        let thick = 0.03 * self.size;
        let color = |c: &ContactFrame| {
            let [r, g, b] = COLORS[c.mode as usize];
            json!({"r": r, "g": g, "b": b, "a": 1.0})
        };
        let finite = |c: &&ContactFrame| c.point.iter().chain(&c.force).all(|x| x.is_finite());
        let point = |c: &ContactFrame| {
            json!({"pose": {"position": vector(&c.point), "orientation": turn(&[1.0, 0.0, 0.0, 0.0])},
                   "size": vector(&[1.5 * thick; 3]), "color": color(c)})
        };
        let arrow = |c: &ContactFrame| {
            // of the two opposite forces, the one on the body that can move
            let force = if c.a == 0 { c.force.map(|x| -x) } else { c.force };
            let length = self.force * norm(&force);
            let head = (3.0 * thick).min(0.5 * length);
            json!({"pose": {"position": vector(&c.point), "orientation": turn(&from_x(&force))},
                   "shaft_length": length - head, "shaft_diameter": thick, "head_length": head,
                   "head_diameter": 2.0 * thick, "color": color(c)})
        };
        let contacts = || frame.contacts.iter().filter(finite);
        entity["spheres"] = contacts().map(point).collect();
        entity["arrows"] = contacts().filter(|c| norm(&c.force) > 0.0).map(arrow).collect();
        json!({"deletions": [], "entities": [entity]})
    }
}

pub(crate) fn stats(frame: &Frame) -> Value {
    const STATUS: [&str; 6] = ["solved", "ray", "cycle", "inaccurate", "budget", "nothing to solve"];
    let count = |mode: Mode| frame.contacts.iter().filter(|c| c.mode == mode).count();
    json!({
        "timestamp": moment(frame.time),
        "contacts": frame.contacts.len(), "stick": count(Mode::Stick), "slip": count(Mode::Slip),
        "pivots": frame.pivots, "residual": frame.residual, "penetration": frame.penetration,
        "loop_gap": frame.loop_gap, "kinetic": frame.energy[0], "potential": frame.energy[1],
        "energy": frame.energy[0] + frame.energy[1], "fallback": frame.fallback,
        "status": STATUS.get(usize::from(frame.status)).copied().unwrap_or("unknown"),
        "hash": format!("{:016x}", frame.hash),
    })
}

fn entity(time: f64, frame: &str, id: &str) -> Value {
    json!({"timestamp": moment(time), "frame_id": frame, "id": id, "lifetime": {"sec": 0, "nsec": 0},
           "frame_locked": true, "metadata": [], "arrows": [], "cubes": [], "spheres": [], "cylinders": [],
           "lines": [], "triangles": [], "texts": [], "models": []})
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` clamps, and NaN becomes 0")]
fn moment(time: f64) -> Value {
    let nanoseconds = (1e9 * time).round() as u64;
    json!({"sec": nanoseconds / 1_000_000_000, "nsec": nanoseconds % 1_000_000_000})
}

fn vector([x, y, z]: &[f64; 3]) -> Value {
    json!({"x": x, "y": y, "z": z})
}

fn turn([w, x, y, z]: &[f64; 4]) -> Value {
    json!({"x": x, "y": y, "z": z, "w": w})
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// v turned by q (w x y z): v + 2 u × (u × v + w v).
fn rotated(&[w, x, y, z]: &[f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let inner = cross(u, v);
    let outer = cross(u, [0, 1, 2].map(|k| inner[k] + w * v[k]));
    [0, 1, 2].map(|k| v[k] + 2.0 * outer[k])
}

/// The shortest turn of the x axis onto a direction: Foxglove's arrows lie along x.
fn from_x(direction: &[f64; 3]) -> [f64; 4] {
    let size = norm(direction).max(f64::MIN_POSITIVE);
    let [x, y, z] = direction.map(|d| d / size);
    let w = 1.0 + x;
    // opposite: any half turn about an axis across x
    if w < 1e-9 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let q = [w, 0.0, -z, y];
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_along_their_force() {
        for d in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.3, -0.4, 0.5]] {
            let along = rotated(&from_x(&d), [1.0, 0.0, 0.0]);
            for k in 0..3 {
                assert!((along[k] - d[k] / norm(&d)).abs() < 1e-12, "{d:?} {along:?}");
            }
        }
    }
}

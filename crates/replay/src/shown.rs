//! Which shapes are seen: those that are there to be seen, in place of those that touch.
//!
//! A robot has meshes for the eye and hulls for the hand on the same links; drawn together, their faces fight for the
//! same pixels. So a shape that touches is hidden where shapes that do not touch stand for it: where one of them is about
//! as large as anything of the body, or where their box holds most of its own. Ornaments, as a face on a head, are small,
//! and hide nothing.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

/// An ornament is smaller than this part of what touches.
const LARGE: f64 = 0.5;
/// Of the box of a shape, by volume: what is held to so much is stood for.
const MOST: f64 = 0.5;

/// By shape of a body of a recording's header: whether other shapes stand for it. `world`: the body that does not move,
/// whose shapes have nothing to do with each other.
pub fn hidden(body: &Value, world: bool) -> Vec<bool> {
    let shapes = body["shapes"].as_array().map_or(&[][..], Vec::as_slice);
    let touches = |s: &Value| s["touches"] != false;
    let largest = |of: bool| shapes.iter().filter(|s| touches(s) == of).map(shape_size).fold(0.0, f64::max);
    let seen = largest(false);
    let alone = !world && seen > 0.0 && seen >= LARGE * largest(true);
    let eyes: Vec<Bounds> = shapes.iter().filter(|s| !touches(s)).filter_map(Bounds::of).collect();
    let all = eyes.iter().copied().reduce(|a, b| a.joined(&b));
    let stands_for = |s: &Value| {
        let Some(own) = Bounds::of(s) else { return false };
        // of the world, one by one: a house and a fence far from it have no box in common
        let by_one = eyes.iter().any(|e| own.within(e) >= MOST);
        by_one || !world && all.is_some_and(|e| own.within(&e) >= MOST)
    };
    shapes.iter().map(|s| touches(s) && s["kind"] != "plane" && (alone || stands_for(s))).collect()
}

/// A box along the axes of the body.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    lo: Vector3<f64>,
    hi: Vector3<f64>,
}

impl Bounds {
    fn of(shape: &Value) -> Option<Self> {
        let list = |key: &str| -> Vec<f64> {
            shape[key].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let vector = |key: &str| <[f64; 3]>::try_from(list(key)).ok().map(Vector3::from);
        let [w, x, y, z] = <[f64; 4]>::try_from(list("orientation")).unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let place = vector("position").unwrap_or_default();
        let (h, r) = (shape["half_height"].as_f64(), shape["radius"].as_f64().unwrap_or(0.0));
        let half = match shape["kind"].as_str()? {
            "box" => vector("half")?,
            "ellipsoid" => vector("semi_axes")?,
            "sphere" => Vector3::repeat(r),
            "capsule" => Vector3::new(r, r, h? + r),
            "cylinder" | "cone" => Vector3::new(r, r, h?),
            "mesh" => {
                let vertices = list("vertices");
                let corners = vertices.chunks_exact(3).map(Vector3::from_column_slice);
                return Self::around(corners.map(|v| turn * v + place));
            }
            _ => return None,
        };
        let corners = (0..8).map(|k| {
            let side = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            turn * half.component_mul(&Vector3::new(side(0), side(1), side(2))) + place
        });
        Self::around(corners)
    }

    fn around(points: impl Iterator<Item = Vector3<f64>>) -> Option<Self> {
        points.map(|p| Self { lo: p, hi: p }).reduce(|a, b| a.joined(&b))
    }

    fn joined(self, other: &Self) -> Self {
        Self { lo: self.lo.inf(&other.lo), hi: self.hi.sup(&other.hi) }
    }

    /// The part of its volume that another box holds; flat boxes count by their area or length.
    fn within(&self, other: &Self) -> f64 {
        let side = |k: usize| {
            let own = self.hi[k] - self.lo[k];
            let both = self.hi[k].min(other.hi[k]) - self.lo[k].max(other.lo[k]);
            if own > 0.0 { (both / own).max(0.0) } else { f64::from(u8::from(both >= 0.0)) }
        };
        side(0) * side(1) * side(2)
    }
}

/// The longest half side of a shape, m.
pub(crate) fn shape_size(shape: &Value) -> f64 {
    let number = |key: &str| shape[key].as_f64().unwrap_or(0.0);
    let longest = |key: &str| {
        let list = shape[key].as_array().into_iter().flatten();
        list.filter_map(Value::as_f64).map(f64::abs).fold(0.0, f64::max)
    };
    [number("half_height") + number("radius"), longest("half"), longest("semi_axes"), longest("vertices")]
        .into_iter()
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn body(shapes: &[(bool, Value)]) -> Value {
        let list = shapes.iter().map(|(touches, s)| {
            let mut s = s.clone();
            s["touches"] = json!(touches);
            s
        });
        json!({"shapes": list.collect::<Vec<_>>()})
    }

    #[test]
    fn meshes_stand_for_the_hulls_they_were_made_of() {
        let mesh =
            json!({"kind": "mesh", "vertices": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]});
        assert_eq!(hidden(&body(&[(true, mesh.clone()), (false, mesh)]), false), [true, false]);
    }

    #[test]
    fn small_pads_inside_a_large_shell_are_hidden_and_a_pole_beside_it_is_not() {
        let shell = json!({"kind": "box", "half": [0.2, 0.1, 0.05]});
        let pad = json!({"kind": "sphere", "radius": 0.02, "position": [0.18, 0.08, -0.04]});
        let pole =
            json!({"kind": "capsule", "half_height": 0.6, "radius": 0.01, "position": [0.5, 0.0, 0.6]});
        let both = body(&[(true, pad), (true, pole), (false, shell)]);
        assert_eq!(hidden(&both, false), [true, false, false]);
    }

    #[test]
    fn a_face_does_not_hide_its_head() {
        let head = json!({"kind": "sphere", "radius": 0.1});
        let eye = json!({"kind": "sphere", "radius": 0.02, "position": [0.09, 0.03, 0.02]});
        assert_eq!(hidden(&body(&[(true, head), (false, eye)]), false), [false, false]);
    }

    #[test]
    fn the_world_hides_only_what_is_doubled() {
        let wall = json!({"kind": "box", "half": [1.0, 0.1, 1.0]});
        let fence = json!({"kind": "box", "half": [1.0, 0.1, 1.0], "position": [5.0, 0.0, 0.0]});
        let plane = json!({"kind": "plane"});
        let world = body(&[(true, plane), (true, wall.clone()), (true, fence), (false, wall)]);
        assert_eq!(hidden(&world, true), [false, true, false, false]);
    }
}

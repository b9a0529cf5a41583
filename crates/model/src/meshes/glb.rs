//! Triangles of a binary glTF 2.0 file, as its scene places them; what is drawn on them is left out.
//!
//! ```text
//!     "glTF" 2 length | chunk length, "JSON", text | chunk length, "BIN\0", numbers
//! ```

use gudgeon_spatial::{Matrix3, Quaternion, Vector3};
use serde_json::Value;

use super::{RawMesh, f32_at, u32_at};

/// Nodes below nodes.
const DEEPEST: usize = 64;
/// Placings of meshes, and their triangles: nodes may name one mesh over and over.
const MOST_PLACED: usize = 10_000;
const MOST_TRIANGLES: usize = 20_000_000;

/// x ↦ A x + b.
#[derive(Clone, Copy)]
struct Affine(Matrix3<f64>, Vector3<f64>);

impl Affine {
    fn after(&self, inner: &Self) -> Self {
        Self(self.0 * inner.0, self.0 * inner.1 + self.1)
    }
}

struct File<'a> {
    json: Value,
    numbers: &'a [u8],
    placed: usize,
    mesh: RawMesh,
}

pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, String> {
    if !bytes.starts_with(b"glTF") || u32_at(bytes, 4) != Some(2) {
        return Err("not a binary glTF of version 2".into());
    }
    let mut chunks = [None, None];
    let mut at = 12;
    while let (Some(length), Some(kind)) = (u32_at(bytes, at), bytes.get(at + 4..at + 8)) {
        let data = bytes.get(at + 8..).and_then(|rest| rest.get(..length as usize)).ok_or("cut short")?;
        match kind {
            b"JSON" => chunks[0] = chunks[0].or(Some(data)),
            b"BIN\0" => chunks[1] = chunks[1].or(Some(data)),
            _ => {}
        }
        at += 8 + data.len();
    }
    let [Some(text), numbers] = chunks else { return Err("no JSON in it".into()) };
    let json: Value = serde_json::from_slice(text).map_err(|e| e.to_string())?;
    let mut file = File { json, numbers: numbers.unwrap_or_default(), placed: 0, mesh: RawMesh::default() };
    let scene = file.json["scene"].as_u64().unwrap_or(0);
    let roots = indices(&file.json["scenes"][whole(scene)]["nodes"]);
    for node in roots {
        file.node(node, &Affine(Matrix3::identity(), Vector3::zeros()), 0)?;
    }
    if file.mesh.triangles.is_empty() {
        return Err("no triangle".into());
    }
    Ok(file.mesh)
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn indices(list: &Value) -> Vec<usize> {
    list.as_array().into_iter().flatten().filter_map(Value::as_u64).map(whole).collect()
}

/// Numbers of a list of N, if it is there and whole.
fn vector<const N: usize>(list: &Value) -> Option<[f64; N]> {
    let numbers: Vec<f64> = list.as_array()?.iter().filter_map(Value::as_f64).collect();
    numbers.try_into().ok()
}

/// Where a node places what it carries.
fn placing(node: &Value) -> Affine {
    if let Some(m) = vector::<16>(&node["matrix"]) {
        let linear = Matrix3::new(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]);
        return Affine(linear, Vector3::new(m[12], m[13], m[14]));
    }
    let [x, y, z, w] = vector::<4>(&node["rotation"]).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let turn = Quaternion { w, x, y, z }.to_matrix();
    let scale = Vector3::from(vector::<3>(&node["scale"]).unwrap_or([1.0; 3]));
    let shift = Vector3::from(vector::<3>(&node["translation"]).unwrap_or_default());
    Affine(turn * Matrix3::from_diagonal(&scale), shift)
}

impl File<'_> {
    fn node(&mut self, index: usize, above: &Affine, depth: usize) -> Result<(), String> {
        let node = self.json["nodes"][index].clone();
        if node.is_null() {
            return Err(format!("node {index} is not there"));
        }
        self.placed += 1;
        if depth > DEEPEST || self.placed > MOST_PLACED {
            return Err("too many nodes".into());
        }
        let place = above.after(&placing(&node));
        if let Some(mesh) = node["mesh"].as_u64() {
            let parts =
                self.json["meshes"][whole(mesh)]["primitives"].as_array().cloned().unwrap_or_default();
            parts.iter().try_for_each(|part| self.part(part, &place))?;
        }
        indices(&node["children"]).into_iter().try_for_each(|child| self.node(child, &place, depth + 1))
    }

    /// Adds the triangles of one part of a mesh; points and lines are none.
    fn part(&mut self, part: &Value, place: &Affine) -> Result<(), String> {
        if part["mode"].as_u64().unwrap_or(4) != 4 {
            return Ok(());
        }
        if part["extensions"]["KHR_draco_mesh_compression"].is_object() {
            return Err("compressed meshes are not read".into());
        }
        let Some(position) = part["attributes"]["POSITION"].as_u64() else { return Ok(()) };
        let (at, count, stride, kind) = self.accessor(whole(position), 3)?;
        if kind != 5126 {
            return Err("places that are not single-precision numbers are not read".into());
        }
        let first = u32::try_from(self.mesh.vertices.len()).map_err(|_| "too many vertices")?;
        for k in 0..count {
            let number = |part: usize| f32_at(self.numbers, at + k * stride + 4 * part);
            let [Some(x), Some(y), Some(z)] = [0, 1, 2].map(number) else { return Err("cut short".into()) };
            self.mesh.vertices.push(place.0 * Vector3::new(x, y, z) + place.1);
        }
        let corners: Vec<u32> = match part["indices"].as_u64() {
            None => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
            Some(list) => self.corners(whole(list))?,
        };
        if self.mesh.triangles.len() + corners.len() / 3 > MOST_TRIANGLES {
            return Err("too many triangles".into());
        }
        let mirror = place.0.determinant() < 0.0;
        for t in corners.chunks_exact(3) {
            if t.iter().any(|&i| i as usize >= count) {
                return Err(format!("a face names vertex {} of {count}", t.iter().max().unwrap_or(&0)));
            }
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| first + i);
            self.mesh.triangles.push(if mirror { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    fn corners(&self, index: usize) -> Result<Vec<u32>, String> {
        let (at, count, stride, kind) = self.accessor(index, 1)?;
        let corner = |k: usize| -> Option<u32> {
            let at = at + k * stride;
            match kind {
                5121 => self.numbers.get(at).copied().map(u32::from),
                5123 => self.numbers.get(at..at + 2).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]]))),
                5125 => u32_at(self.numbers, at),
                _ => None,
            }
        };
        (0..count).map(|k| corner(k).ok_or_else(|| "corners are cut short".to_owned())).collect()
    }

    /// Where numbers begin, how many groups of `width`, bytes from one to the next, kind of number.
    fn accessor(&self, index: usize, width: usize) -> Result<(usize, usize, usize, u64), String> {
        let accessor = &self.json["accessors"][index];
        let number = |of: &Value, key: &str| of[key].as_u64().map_or(0, whole);
        let (Some(view), None) = (accessor["bufferView"].as_u64(), accessor["sparse"].as_object()) else {
            return Err("sparse numbers are not read".into());
        };
        let view = &self.json["bufferViews"][whole(view)];
        let buffer = number(view, "buffer");
        if buffer != 0 || self.json["buffers"][0]["uri"].is_string() {
            return Err("numbers in other files are not read".into());
        }
        let kind = accessor["componentType"].as_u64().unwrap_or(0);
        let bytes = match kind {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            other => return Err(format!("numbers of kind {other} are not read")),
        };
        let stride = match number(view, "byteStride") {
            0 => bytes * width,
            stride => stride,
        };
        let at = number(view, "byteOffset").saturating_add(number(accessor, "byteOffset"));
        let count = number(accessor, "count");
        let end = count.checked_mul(stride).and_then(|n| n.checked_add(at));
        // the last group may be shorter than the way from one to the next
        if end.is_none_or(|end| end.saturating_sub(stride) + bytes * width > self.numbers.len() && count > 0)
        {
            return Err("cut short".into());
        }
        Ok((at, count, stride, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle, twice: as it is, and moved, scaled and mirrored by its node.
    fn file(nodes: &str) -> Vec<u8> {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
            "buffers":[{{"byteLength":42}}]}}"#
        );
        let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];
        let mut numbers: Vec<u8> = corners.iter().flat_map(|x| x.to_le_bytes()).collect();
        numbers.extend([0_u16, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
        let mut out = b"glTF".to_vec();
        let word = |out: &mut Vec<u8>, n: usize| out.extend(u32::try_from(n).unwrap_or(0).to_le_bytes());
        word(&mut out, 2);
        word(&mut out, 12 + 16 + json.len() + numbers.len());
        for (kind, data) in [(b"JSON", json.as_bytes()), (b"BIN\0", &numbers)] {
            word(&mut out, data.len());
            out.extend(kind);
            out.extend(data);
        }
        out
    }

    #[test]
    fn meshes_are_where_their_nodes_place_them() {
        let nodes = r#"[{"mesh":0,"children":[1]},
            {"mesh":0,"translation":[1,0,0],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"scale":[-1,2,1]}]"#;
        let mesh = read(&file(nodes)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(mesh.triangles, [[0, 1, 2], [3, 5, 4]]);
        assert_eq!(mesh.vertices[2], Vector3::new(0.0, 2.0, 0.0));
        for (k, place) in [(3, [1.0, 0.0, 0.0]), (4, [1.0, -1.0, 0.0]), (5, [-3.0, 0.0, 0.0])] {
            assert!((mesh.vertices[k] - Vector3::from(place)).norm() < 1e-12, "{k}: {:?}", mesh.vertices[k]);
        }
    }

    #[test]
    fn broken_files_are_refused() {
        let whole = file(r#"[{"mesh":0}]"#);
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end}");
        }
        assert!(read(&file(r#"[{"mesh":0,"children":[0]}]"#)).is_err(), "a node in itself");
        assert!(read(&file(r#"[{"children":[7]}]"#)).is_err());
    }
}

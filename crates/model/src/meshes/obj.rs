//! OBJ files to triangles.
//!
//! A face of four corners is cut along its shorter diagonal, one of more by ears, in float arithmetic and in the order of
//! tinyobjloader, because an MJCF mesh has the mass of its triangles, each counted on its own (see `mjcf/geom`): cut elsewhere, the same
//! polygon has another mass. The plane it is cut in is the pair of axes that its first sharp corner is widest in. A corner is an ear where no other
//! corner lies within and where it turns the way the polygon does; in an MJCF mesh, the way its first two corners turn about the origin, and what
//! has no ear left stays open.

use gudgeon_spatial::Vector3;

use super::RawMesh;

/// What of a file counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// Every vertex, but faces of its first object or group alone and of 100 corners at most: what MuJoCo makes of one.
    FirstObject,
}

/// Corners of a face, where files are read for their first object.
const MAX_CORNERS: usize = 100;

pub(crate) fn read(bytes: &[u8], extent: Extent) -> Result<RawMesh, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = RawMesh::default();
    let (mut faces, mut over) = (0_usize, false);
    for (line, text) in text.lines().enumerate() {
        let mut words = text.split_ascii_whitespace();
        let wrong = |what: &str| format!("line {}: {what}", line + 1);
        match words.next() {
            Some("v") => {
                let mut number = || words.next().and_then(|w| w.parse::<f32>().ok()).map(f64::from);
                let (Some(x), Some(y), Some(z)) = (number(), number(), number()) else {
                    return Err(wrong("expected three numbers"));
                };
                mesh.vertices.push(Vector3::new(x, y, z));
            }
            Some("o" | "g") => over |= faces > 0,
            Some("f") => {
                let n = i64::try_from(mesh.vertices.len()).unwrap_or(i64::MAX);
                let corners: Option<Vec<u32>> = words
                    .map(|w| {
                        let i: i64 = w.split('/').next()?.parse().ok()?;
                        u32::try_from(if i < 0 { n.checked_add(i)? } else { i.checked_sub(1)? }).ok()
                    })
                    .collect();
                let corners = corners.ok_or_else(|| wrong("a face that names no vertex"))?;
                faces += 1;
                if extent == Extent::Whole || !over && corners.len() <= MAX_CORNERS {
                    push_face(&mut mesh, &corners, extent);
                }
            }
            _ => {}
        }
    }
    if mesh.vertices.is_empty() { Err("no vertex".into()) } else { Ok(mesh) }
}

fn push_face(mesh: &mut RawMesh, corners: &[u32], extent: Extent) {
    let points: Option<Vec<&Vector3<f64>>> = corners.iter().map(|&k| mesh.vertices.get(k as usize)).collect();
    let triangles = match (points, corners) {
        (Some(p), &[a, b, c, d]) => {
            if (p[2] - p[0]).norm_squared() < (p[3] - p[1]).norm_squared() {
                vec![[a, b, c], [a, c, d]]
            } else {
                vec![[a, b, d], [b, c, d]]
            }
        }
        (Some(p), _) if corners.len() > 4 => {
            let (mut ears, left) = ears(&p, extent);
            if extent == Extent::Whole {
                // a surface that is to close up
                ears.extend((2..left.len()).map(|k| [left[0], left[k - 1], left[k]]));
            }
            ears.iter().map(|t| t.map(|k| corners[k])).collect()
        }
        // a face that names no vertex is found out by who asked for the file
        _ => (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]).collect(),
    };
    mesh.triangles.extend(triangles);
}

/// A polygon by ears: triangles, and the corners that are left where no ear was.
fn ears(corners: &[&Vector3<f64>], extent: Extent) -> (Vec<[usize; 3]>, Vec<usize>) {
    let [u, v] = widest_axes(corners);
    #[expect(clippy::cast_possible_truncation, reason = "files have floats")]
    let flat: Vec<[f32; 2]> = corners.iter().map(|c| [c[u] as f32, c[v] as f32]).collect();
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let sides = flat.iter().zip(flat.iter().cycle().skip(1));
    let round: f32 = sides.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    let mut triangles = Vec::with_capacity(corners.len());
    let (mut at, mut before, mut tries) = (0, left.len(), left.len());
    // an ear that is found at the last try is the last one: so it is counted there
    while left.len() > 3 && tries > 0 {
        let n = left.len();
        at %= n;
        tries = if n == before { tries - 1 } else { n };
        before = n;
        let ear = [0, 1, 2].map(|k| left[(at + k) % n]);
        let [a, b, c] = ear.map(|k| flat[k]);
        let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
        let about = if extent == Extent::Whole { round } else { (a[0] * b[1] - a[1] * b[0]) * 0.5 };
        let blocked = turn * about < 0.0 || (3..n).any(|k| inside(&[a, b, c], flat[left[(at + k) % n]]));
        if blocked {
            at += 1;
            continue;
        }
        triangles.push(ear);
        left.remove((at + 1) % n);
        if extent == Extent::Whole {
            tries = n; // every corner is looked at once more
        }
    }
    if let [a, b, c] = left[..] {
        triangles.push([a, b, c]);
        left.clear();
    }
    (triangles, left)
}

/// The two axes of the plane in which the first corner that is one is widest.
fn widest_axes(corners: &[&Vector3<f64>]) -> [usize; 2] {
    let n = corners.len();
    for k in 0..n {
        #[expect(clippy::cast_possible_truncation, reason = "files have floats")]
        let [a, b, c] = [0, 1, 2].map(|o| corners[(k + o) % n].map(|x| x as f32));
        let across = (b - a).cross(&(c - b)).abs();
        if across.max() > f32::EPSILON {
            let [x, y, z] = [across.x, across.y, across.z];
            return match () {
                () if x > y && x > z => [1, 2],
                () if z > x && z > y => [0, 1],
                () => [0, 2],
            };
        }
    }
    [1, 2]
}

/// Whether a point is within a triangle, by the crossings of a ray.
fn inside(corners: &[[f32; 2]; 3], p: [f32; 2]) -> bool {
    let mut within = false;
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 2) % 3]);
        if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0] {
            within = !within;
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_cut_by_ears() {
        // an arrow head: its second corner lies inside the triangle of the others, so a fan from the first would turn over
        let file = "v 1 1 1\nv 2 1.4 1\nv 3 1 1\nv 2 3 1\nv 1.9 2.9 1\nf 1 2 3 4 5\n";
        let mesh = read(file.as_bytes(), Extent::Whole).expect("sound");
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| mesh.vertices[k as usize]);
            0.5 * (b - a).cross(&(c - a)).z
        };
        assert_eq!(mesh.triangles.len(), 3);
        let signed: f64 = mesh.triangles.iter().map(area).sum();
        let each: f64 = mesh.triangles.iter().map(|t| area(t).abs()).sum();
        assert!((signed - each).abs() < 1e-6, "{signed} {each}");
    }

    #[test]
    fn a_first_object_has_the_vertices_of_all() {
        let file = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nf 1 2 4\n";
        let whole = read(file.as_bytes(), Extent::Whole).expect("sound");
        let first = read(file.as_bytes(), Extent::FirstObject).expect("sound");
        assert_eq!((whole.triangles.len(), first.triangles.len()), (2, 1));
        assert_eq!(first.vertices.len(), 4);
    }
}

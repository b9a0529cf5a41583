//! Mesh files as they stand: STL, OBJ, MSH and GLB triangle by triangle, DAE by way of the collision crate.
//!
//! Mass properties of an MJCF mesh depend on every triangle of the file, so nothing is welded or turned here.

mod glb;
mod obj;

pub(crate) use self::obj::Extent;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gudgeon_collide::{MeshFormat, Shape, read_mesh};
use gudgeon_spatial::Vector3;

use crate::cache::Cache;

/// Triangles of a file, not checked to close up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RawMesh {
    pub vertices: Vec<Vector3<f64>>,
    pub triangles: Vec<[u32; 3]>,
}

/// Bytes of a mesh file.
const MAX_BYTES: u64 = 512 << 20;

impl RawMesh {
    /// Reads a mesh file by its ending.
    pub(crate) fn open(path: &Path, extent: Extent) -> Result<Self, String> {
        let unreadable = |e: std::io::Error| format!("{}: {e}", path.display());
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if size > MAX_BYTES {
            return Err(format!("{}: {size} bytes, more than the limit of {MAX_BYTES}", path.display()));
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let mesh = match ending.as_str() {
            "stl" => stl(&bytes),
            "obj" => obj::read(&bytes, extent),
            "msh" => msh(&bytes),
            "glb" => glb::read(&bytes),
            "dae" => read_mesh(&bytes, MeshFormat::Dae, Vector3::repeat(1.0))
                .map(|(m, _)| Self { vertices: m.vertices().to_vec(), triangles: m.triangles().to_vec() })
                .map_err(|e| e.to_string()),
            other => {
                Err(format!("files ending in '.{other}' are not read; .stl, .obj, .msh, .dae and .glb are"))
            }
        };
        let mesh = mesh.map_err(|reason| format!("{}: {reason}", path.display()))?;
        if let Some(bad) = mesh.vertices.iter().position(|v| !v.iter().all(|x| x.abs() < 1e9)) {
            return Err(format!("{}: vertex {bad} is not a place", path.display()));
        }
        let n = mesh.vertices.len();
        if let Some(t) = mesh.triangles.iter().find(|t| t.iter().any(|&i| i as usize >= n)) {
            return Err(format!(
                "{}: a face names vertex {} of {n}",
                path.display(),
                t.iter().max().unwrap_or(&0)
            ));
        }
        Ok(mesh)
    }

    /// The same with every coordinate scaled; a mirror turns the triangles round.
    pub(crate) fn scaled(&self, scale: &Vector3<f64>) -> Self {
        let vertices = self.vertices.iter().map(|v| v.component_mul(scale)).collect();
        let mirror = scale.product() < 0.0;
        let triangles =
            self.triangles.iter().map(|&[a, b, c]| if mirror { [a, c, b] } else { [a, b, c] }).collect();
        Self { vertices, triangles }
    }
}

fn f32_at(bytes: &[u8], at: usize) -> Option<f64> {
    let word: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(f64::from(f32::from_le_bytes(word)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(word))
}

fn point_at(bytes: &[u8], at: usize) -> Option<Vector3<f64>> {
    Some(Vector3::new(f32_at(bytes, at)?, f32_at(bytes, at + 4)?, f32_at(bytes, at + 8)?))
}

fn stl(bytes: &[u8]) -> Result<RawMesh, String> {
    let count = u32_at(bytes, 80).map_or(0, |n| n as usize);
    // a binary file says its length; an ASCII one may start with the same word
    if bytes.len() >= 84
        && count.checked_mul(50).and_then(|n| n.checked_add(84)).is_some_and(|n| n <= bytes.len())
        && (count > 0 || !bytes.starts_with(b"solid"))
    {
        let mut mesh = RawMesh::default();
        for k in 0..count {
            let corners = [12, 24, 36].map(|o| point_at(bytes, 84 + 50 * k + o));
            let [Some(a), Some(b), Some(c)] = corners else { return Err("cut short".into()) };
            push_triangle(&mut mesh, [a, b, c]);
        }
        return Ok(welded(&mesh));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "neither a binary nor an ASCII STL".to_owned())?;
    let mut mesh = RawMesh::default();
    let mut corners = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let Some(rest) = text.trim_start().strip_prefix("vertex") else { continue };
        let mut numbers = rest.split_ascii_whitespace().map(str::parse::<f32>);
        let (Some(Ok(x)), Some(Ok(y)), Some(Ok(z))) = (numbers.next(), numbers.next(), numbers.next()) else {
            return Err(format!("line {}: expected three numbers", line + 1));
        };
        corners.push(Vector3::new(f64::from(x), f64::from(y), f64::from(z)));
        if let [a, b, c] = corners[..] {
            push_triangle(&mut mesh, [a, b, c]);
            corners.clear();
        }
    }
    if mesh.triangles.is_empty() {
        return Err("no triangle".into());
    }
    Ok(welded(&mesh))
}

fn push_triangle(mesh: &mut RawMesh, corners: [Vector3<f64>; 3]) {
    let at = u32::try_from(mesh.vertices.len()).expect("files are below 512 MB");
    mesh.vertices.extend(corners);
    mesh.triangles.push([at, at + 1, at + 2]);
}

/// Corners of the same bits become one vertex.
fn welded(mesh: &RawMesh) -> RawMesh {
    let mut seen = std::collections::HashMap::with_capacity(mesh.vertices.len() / 4);
    let mut vertices = Vec::new();
    let renumber: Vec<u32> = mesh
        .vertices
        .iter()
        .map(|v| {
            *seen.entry([v.x.to_bits(), v.y.to_bits(), v.z.to_bits()]).or_insert_with(|| {
                vertices.push(*v);
                u32::try_from(vertices.len() - 1).expect("no more than before")
            })
        })
        .collect();
    let triangles = mesh.triangles.iter().map(|t| t.map(|i| renumber[i as usize])).collect();
    RawMesh { vertices, triangles }
}

/// MuJoCo's own: four counts, then vertices, normals, texture coordinates and faces.
fn msh(bytes: &[u8]) -> Result<RawMesh, String> {
    let counts = [0, 4, 8, 12].map(|at| u32_at(bytes, at).map(|n| n as usize));
    let [Some(vertices), Some(normals), Some(coordinates), Some(faces)] = counts else {
        return Err("cut short".into());
    };
    let words = |n: usize, per: usize| n.checked_mul(per * 4);
    let sizes = [words(vertices, 3), words(normals, 3), words(coordinates, 2), words(faces, 3)];
    let total = sizes.iter().try_fold(16_usize, |sum, size| sum.checked_add((*size)?));
    if total != Some(bytes.len()) {
        return Err(format!("its counts do not make its {} bytes", bytes.len()));
    }
    let points = (0..vertices).filter_map(|k| point_at(bytes, 16 + 12 * k)).collect();
    let start = bytes.len() - 12 * faces;
    let corner = |k: usize, c: usize| u32_at(bytes, start + 12 * k + 4 * c);
    let triangles = (0..faces).filter_map(|k| Some([corner(k, 0)?, corner(k, 1)?, corner(k, 2)?])).collect();
    Ok(RawMesh { vertices: points, triangles })
}

/// What a mesh file is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MeshUse {
    /// As it is.
    Mesh,
    /// As it is if it encloses a volume, else its hull.
    Solid,
    /// Its convex hull.
    Hull,
}

/// A shape made of a mesh file.
#[derive(Debug, Clone)]
pub(crate) struct MeshShape {
    pub shape: Shape,
    /// Set if the hull stands for an open surface.
    pub hulled: bool,
}

/// Shapes of files, each made once.
#[derive(Debug, Default)]
pub(crate) struct MeshShapes {
    raw: BTreeMap<PathBuf, Result<RawMesh, String>>,
    made: BTreeMap<(PathBuf, [u64; 3], MeshUse), Result<MeshShape, String>>,
}

impl MeshShapes {
    /// The triangles of a file.
    pub(crate) fn raw(&mut self, path: &Path) -> Result<&RawMesh, String> {
        let entry = self.raw.entry(path.to_owned()).or_insert_with(|| RawMesh::open(path, Extent::Whole));
        entry.as_ref().map_err(Clone::clone)
    }

    /// The shape of a file.
    pub(crate) fn shape(
        &mut self,
        path: &Path,
        scale: &Vector3<f64>,
        purpose: MeshUse,
        cache: &Cache,
    ) -> Result<MeshShape, String> {
        let key = (path.to_owned(), [scale.x.to_bits(), scale.y.to_bits(), scale.z.to_bits()], purpose);
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let made =
            self.raw(path).map(|raw| raw.scaled(scale)).and_then(|mesh| shape_of(&mesh, purpose, cache));
        self.made.insert(key, made.clone());
        made
    }
}

/// Does some work on every item, on as many threads as the machine has; where it has one, one after another.
pub(crate) fn on_threads<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(items.len());
    let queue = Mutex::new(items.into_iter());
    let run = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = next else { break };
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

/// Triangles as a shape.
pub(crate) fn shape_of(mesh: &RawMesh, purpose: MeshUse, cache: &Cache) -> Result<MeshShape, String> {
    let hull = || cache.hull(&mesh.vertices);
    if purpose == MeshUse::Hull {
        return Ok(MeshShape { shape: hull()?, hulled: false });
    }
    let (shape, report) = Shape::mesh(&mesh.vertices, &mesh.triangles).map_err(|e| e.to_string())?;
    if purpose == MeshUse::Solid && !report.closed {
        // a flat surface has no hull: it stays a surface
        return Ok(
            hull().map_or(MeshShape { shape, hulled: false }, |shape| MeshShape { shape, hulled: true })
        );
    }
    Ok(MeshShape { shape, hulled: false })
}

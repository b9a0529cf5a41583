//! Meshes from files: STL (ASCII and binary), OBJ and DAE.
//!
//! The reader is the crate mesh-loader. Departures: the parts of a file are merged here, because the loader's
//! own merge takes the last index of the last face for the number of vertices; sizes are checked before
//! and after, and a panic of the loader (a COLLADA file that names a source it does not have) is caught, so
//! that a file of any content ends in a mesh or in one clear error.

use std::path::Path;

use super::{MeshReport, TriMesh};
use crate::error::ShapeError;
use crate::rigid::Vec3;

/// A mesh file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Stereolithography, ASCII or binary.
    Stl,
    /// Wavefront.
    Obj,
    /// COLLADA.
    Dae,
}

impl MeshFormat {
    /// By the file name's ending, whatever its case.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "dae" => Some(Self::Dae),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Dae => "DAE",
        }
    }
}

/// Bytes; a mesh at the limit of triangles is 200 MB of binary STL.
const MAX_BYTES: usize = 512 << 20;

/// Reads a mesh file, scaling every coordinate.
pub fn load_mesh(path: &Path, scale: Vec3) -> Result<(TriMesh, MeshReport), ShapeError> {
    let format = MeshFormat::of_path(path).ok_or_else(|| ShapeError::File {
        format: "mesh",
        reason: format!("{}: not .stl, .obj or .dae", path.display()),
    })?;
    let bytes = std::fs::read(path).map_err(|e| ShapeError::File {
        format: format.name(),
        reason: format!("{}: {e}", path.display()),
    })?;
    read_mesh(&bytes, format, scale)
}

/// Reads a mesh from the bytes of a file, scaling every coordinate.
pub fn read_mesh(bytes: &[u8], format: MeshFormat, scale: Vec3) -> Result<(TriMesh, MeshReport), ShapeError> {
    if bytes.len() > MAX_BYTES {
        return Err(ShapeError::TooMany { what: "bytes", count: bytes.len(), limit: MAX_BYTES });
    }
    let fail = |reason: String| ShapeError::File { format: format.name(), reason };
    if format == MeshFormat::Dae {
        check_counts(bytes).map_err(|n| fail(format!("an array of {n} values in {} bytes", bytes.len())))?;
    }
    let loader = mesh_loader::Loader::<Vec<u8>>::default();
    // the loader names files in its messages and resolves materials beside them: there are none
    let name = "mesh";
    let load = || match format {
        MeshFormat::Stl => loader.load_stl_from_slice(bytes, name),
        MeshFormat::Obj => loader.load_obj_from_slice_with_reader(bytes, name, |_| {
            Err(std::io::Error::from(std::io::ErrorKind::NotFound))
        }),
        MeshFormat::Dae => loader.load_collada_from_slice(bytes, name),
    };
    let scene = super::quiet::catch(load)
        .ok_or_else(|| fail("malformed: the reader gave up".to_owned()))?
        .map_err(|e| fail(e.to_string()))?;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for mesh in &scene.meshes {
        let base = u32::try_from(vertices.len()).map_err(|_| fail("too many vertices".to_owned()))?;
        vertices.extend(mesh.vertices.iter().map(|p| Vec3::from(p.map(f64::from)).component_mul(&scale)));
        for f in &mesh.faces {
            let shifted = f.map(|i| base.checked_add(i).filter(|_| (i as usize) < mesh.vertices.len()));
            let [Some(i), Some(j), Some(k)] = shifted else {
                let vertex = f.iter().copied().max().unwrap_or(0) as usize;
                return Err(ShapeError::Index {
                    face: triangles.len(),
                    vertex,
                    vertices: mesh.vertices.len(),
                });
            };
            triangles.push([i, j, k]);
        }
    }
    TriMesh::new(&vertices, &triangles)
}

/// The loader reserves memory for whatever a `count` attribute says; each value takes at least a byte of
/// text, so a greater count is a lie.
fn check_counts(bytes: &[u8]) -> Result<(), usize> {
    let word = b"count";
    for at in (0..bytes.len().saturating_sub(word.len())).filter(|&i| bytes[i..].starts_with(word)) {
        let digits = bytes[at + word.len()..]
            .iter()
            .skip_while(|c| b" \t\r\n=\"'".contains(c))
            .take_while(|c| c.is_ascii_digit());
        let count = digits.fold(0_usize, |n, c| n.saturating_mul(10).saturating_add(usize::from(c - b'0')));
        if count > bytes.len() {
            return Err(count);
        }
    }
    Ok(())
}

//! `<asset>`: meshes, heightfields and colours, by name.

use gudgeon_spatial::{Matrix3, Quaternion, Vector3};

use super::defaults::Scope;
use super::mesh_mass::{Filling, properties};
use super::{Mesh, Reader};
use crate::error::ModelFileError;
use crate::meshes::{Extent, MeshUse, RawMesh, shape_of};
use crate::tolerances::NO_DIRECTION;
use crate::xml::Element;

/// Why a mesh has no effect.
pub(super) const UNREAD: &str = "reading meshes is turned off";

impl<'a> Reader<'a> {
    /// `<asset>`: meshes, heightfields and colours.
    pub(super) fn assets(&mut self, asset: &Element<'a>) -> Result<(), ModelFileError> {
        asset.used();
        for e in asset.children() {
            match e.tag() {
                "mesh" => self.mesh(&e)?,
                "hfield" => self.heightfield(&e)?,
                "material" => {
                    e.used();
                    let s = self.classes.scope(&e, &["material"], None)?;
                    if s.has("rgba") {
                        let color = s.list::<4>("rgba", [1.0; 4])?;
                        self.colors.insert(e.need("name")?.to_owned(), color);
                    } else {
                        let _ = e.get("name");
                    }
                    e.ignore_rest("pictures show plain colours");
                    for layer in e.children() {
                        layer.ignored("pictures show plain colours");
                    }
                }
                "texture" => e.ignored("pictures show plain colours"),
                "skin" => e.ignored("skins are not shown"),
                "model" => {} // by <attach>
                other => e.ignored(format!("<{other}> is not known to this reader")),
            }
        }
        Ok(())
    }

    fn mesh(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        if e.peek("file").is_none() || self.options.meshes {
            e.used();
        }
        let s = self.classes.scope(e, &["mesh"], None)?;
        let file = e.get("file");
        let name = match (e.get("name"), file) {
            (Some(name), _) => name.to_owned(),
            (None, Some(file)) => file_stem(file),
            (None, None) => return Err(e.missing("name or file")),
        };
        s.ignore(&["normal", "texcoord", "smoothnormal", "material"], "for pictures");
        s.ignore(&["maxhullvert", "octree_maxdepth"], "hulls have all their corners");
        s.ignore(&["content_type"], "the file's ending says it");
        let mut raw = match file {
            Some(_) if !self.options.meshes => {
                e.ignored(UNREAD);
                self.unread.insert(name);
                return Ok(());
            }
            Some(file) => {
                let file = if self.compiler(e).strip_path { last_part(file) } else { file };
                let path = self.asset_path(file, e)?;
                RawMesh::open(&path, Extent::FirstObject)
                    .map_err(|reason| ModelFileError::Read { at: e.place(), reason })?
            }
            None => inline_mesh(e, &s)?,
        };
        let refpos = Vector3::from(s.vector::<3>("refpos")?.unwrap_or_default());
        let refquat = s.vector::<4>("refquat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let [w, x, y, z] = refquat;
        let turn = Quaternion::new(w, x, y, z);
        if turn.norm() < NO_DIRECTION {
            return Err(e.value_error("refquat", "zero", "a turn"));
        }
        let turn = turn.normalized().to_matrix().transpose();
        if refpos != Vector3::zeros() || turn != Matrix3::identity() {
            raw.vertices.iter_mut().for_each(|v| *v = turn * (*v - refpos));
        }
        // of what is moved and turned already
        let raw = raw.scaled(&Vector3::from(s.vector::<3>("scale")?.unwrap_or([1.0; 3])));
        let properties = match s.text("inertia") {
            None | Some("legacy") => properties(&raw, Filling::Legacy),
            Some("exact") => properties(&raw, Filling::Signed),
            Some("shell") => properties(&raw, Filling::Shell),
            Some("convex") => {
                let hull = shape_of(&raw, MeshUse::Hull, &self.options.cache).ok();
                hull.and_then(|h| h.shape.mass_properties(1.0).ok())
            }
            Some(other) => return Err(e.value_error("inertia", other, "convex, exact, legacy or shell")),
        };
        if self.meshes.insert(name.clone(), Mesh { raw, properties, seen: None, hull: None }).is_some() {
            return Err(ModelFileError::Duplicate { at: e.place(), kind: "mesh", name });
        }
        Ok(())
    }
}

fn last_part(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

pub(super) fn file_stem(file: &str) -> String {
    let last = last_part(file);
    last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_owned()
}

fn inline_mesh(e: &Element, s: &Scope) -> Result<RawMesh, ModelFileError> {
    let mut points = s.own().numbers("vertex")?.ok_or_else(|| e.missing("file or vertex"))?;
    // the format keeps corners in single precision, and masses follow from them
    for x in &mut points {
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let single = *x as f32;
        *x = f64::from(single);
    }
    if points.len() % 3 != 0 {
        return Err(e.value_error("vertex", format!("{} numbers", points.len()), "three for each vertex"));
    }
    let vertices: Vec<_> = points.chunks_exact(3).map(|p| Vector3::new(p[0], p[1], p[2])).collect();
    let mut raw = RawMesh { vertices, triangles: Vec::new() };
    if let Some(faces) = s.own().numbers("face")? {
        for f in faces.chunks_exact(3) {
            if f.iter().any(|&i| i < 0.0 || i >= raw.vertices.len() as f64 || i.fract() != 0.0) {
                return Err(e.value_error("face", format!("{f:?}"), "numbers of vertices"));
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
            raw.triangles.push([f[0] as u32, f[1] as u32, f[2] as u32]);
        }
        return Ok(raw);
    }
    // without faces a mesh is the hull of its points
    let hull = gudgeon_collide::Polytope::hull(&raw.vertices)
        .map_err(|reason| e.structure_error(format!("{}: {reason}", e.described())))?;
    let mut triangles = Vec::new();
    for face in hull.faces() {
        triangles.extend((2..face.len()).map(|k| [face[0], face[k - 1], face[k]]));
    }
    Ok(RawMesh { vertices: hull.vertices().to_vec(), triangles })
}

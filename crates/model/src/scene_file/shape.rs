//! Shapes of a scene file.

use std::path::{Path, PathBuf};

use gudgeon_collide::{Shape, ShapeError, load_mesh};
use gudgeon_spatial::{Pose, Vector3};
use nalgebra::Isometry3;

use super::place::{isometry, quaternion};
use super::schema::{FileTable, HullValue, MeshValue, RoundTable, ScaleValue, ShapeTable};

/// What is wrong with a shape, in words; the caller knows the line.
pub(super) type Wrong = (String, String, String); // what, value, expected

/// Finds a file that a shape names.
pub(super) type Find<'a> = dyn Fn(&str) -> Result<PathBuf, Wrong> + 'a;

fn of_shape(error: &ShapeError) -> Wrong {
    ("shape".into(), error.to_string(), "a shape that can be".into())
}

/// Position and orientation of a table.
pub(super) fn pose(position: Option<[f64; 3]>, orientation: Option<[f64; 4]>) -> Result<Pose, Wrong> {
    let p = position.unwrap_or_default();
    if let Some(bad) = p.iter().find(|x| !x.is_finite()) {
        return Err(("position".into(), bad.to_string(), "finite numbers".into()));
    }
    let q = quaternion(orientation.unwrap_or([1.0, 0.0, 0.0, 0.0])).map_err(|length| {
        ("orientation".to_owned(), format!("a quaternion of length {length}"), "one of length 1".to_owned())
    })?;
    Ok(Pose::new(q.to_matrix(), Vector3::from(p)))
}

/// The shapes of a table, each with its pose in the body: a compound is several.
pub(super) fn shapes(table: &ShapeTable, find: &Find) -> Result<Vec<(Shape, Isometry3<f64>)>, Wrong> {
    let at = pose(table.position, table.orientation)?;
    if let Some(parts) = &table.compound {
        only_one(table)?;
        let mut all = Vec::new();
        for part in parts {
            if part.compound.is_some() {
                return Err(("compound".into(), "a compound".into(), "plain shapes as its parts".into()));
            }
            for (shape, pose) in shapes(part, find)? {
                all.push((shape, isometry(&at) * pose));
            }
        }
        return Ok(all);
    }
    Ok(vec![(one(table, find)?, isometry(&at))])
}

fn only_one(t: &ShapeTable) -> Result<(), Wrong> {
    let given = [
        t.plane.is_some(),
        t.sphere.is_some(),
        t.cuboid.is_some(),
        t.capsule.is_some(),
        t.cylinder.is_some(),
        t.cone.is_some(),
        t.ellipsoid.is_some(),
        t.mesh.is_some(),
        t.hull.is_some(),
        t.heightfield.is_some(),
        t.compound.is_some(),
    ];
    let n = given.iter().filter(|g| **g).count();
    if n == 1 {
        return Ok(());
    }
    let kinds = "exactly one of plane, sphere, box, capsule, cylinder, cone, ellipsoid, mesh, hull, heightfield, compound";
    Err(("shape".into(), format!("{n} kinds"), kinds.into()))
}

fn round(t: &RoundTable) -> (f64, f64) {
    match *t {
        RoundTable::Pair([half_height, radius]) | RoundTable::Named { half_height, radius } => {
            (half_height, radius)
        }
    }
}

fn one(t: &ShapeTable, find: &Find) -> Result<Shape, Wrong> {
    only_one(t)?;
    let made = if t.plane.is_some() {
        Ok(Shape::plane())
    } else if let Some(radius) = t.sphere {
        Shape::sphere(radius)
    } else if let Some([x, y, z]) = t.cuboid {
        Shape::cuboid(x, y, z)
    } else if let Some(t) = &t.capsule {
        Shape::capsule(round(t).0, round(t).1)
    } else if let Some(t) = &t.cylinder {
        Shape::cylinder(round(t).0, round(t).1)
    } else if let Some(t) = &t.cone {
        Shape::cone(round(t).0, round(t).1)
    } else if let Some([x, y, z]) = t.ellipsoid {
        Shape::ellipsoid(x, y, z)
    } else if let Some(mesh) = &t.mesh {
        match mesh {
            MeshValue::File(file) => from_file(file, None, find, false),
            MeshValue::Named(FileTable { file, scale }) => from_file(file, scale.as_ref(), find, false),
            MeshValue::Given(t) => {
                let points: Vec<_> = t.vertices.iter().map(|p| Vector3::from(*p)).collect();
                Ok(Shape::mesh(&points, &t.triangles).map(|(shape, _)| shape))
            }
        }?
    } else if let Some(hull) = &t.hull {
        match hull {
            HullValue::File(file) => from_file(file, None, find, true),
            HullValue::Named(FileTable { file, scale }) => from_file(file, scale.as_ref(), find, true),
            HullValue::Points(t) => {
                let points: Vec<_> = t.points.iter().map(|p| Vector3::from(*p)).collect();
                Ok(Shape::convex_hull(&points))
            }
        }?
    } else if let Some(h) = &t.heightfield {
        Shape::heightfield(h.rows, h.cols, h.dx, h.dy, &h.heights)
    } else {
        unreachable!("a compound is taken apart before")
    };
    made.map_err(|e| of_shape(&e))
}

fn from_file(
    file: &str,
    scale: Option<&ScaleValue>,
    find: &Find,
    hull: bool,
) -> Result<Result<Shape, ShapeError>, Wrong> {
    let path: PathBuf = find(file)?;
    let scale = match scale {
        None => Vector3::repeat(1.0),
        Some(ScaleValue::One(s)) => Vector3::repeat(*s),
        Some(ScaleValue::Each(s)) => Vector3::from(*s),
    };
    Ok(shape_of_file(&path, scale, hull))
}

/// A mesh file as a mesh or as its convex hull.
pub(crate) fn shape_of_file(path: &Path, scale: Vector3<f64>, hull: bool) -> Result<Shape, ShapeError> {
    let (mesh, _) = load_mesh(path, scale)?;
    if hull {
        return Shape::convex_hull(mesh.vertices());
    }
    Shape::mesh(mesh.vertices(), mesh.triangles()).map(|(shape, _)| shape)
}

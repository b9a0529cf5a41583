//! Shapes of a scene file.

use std::path::{Path, PathBuf};

use gudgeon_collide::{Corner, Gear, Shape, ShapeError, Sweep, load_mesh};
use gudgeon_spatial::{Matrix3, Pose, Vector3};
use nalgebra::Isometry3;

use super::schema::{
    FileTable, HullValue, MeshValue, OrientationValue, RoundTable, ScaleValue, ShapeTable, SweepTable,
    ToothedTable,
};
use crate::place::{isometry, quaternion};

/// Chords per turn of a sweep unless a file says otherwise: 3.75 degrees each.
const CHORDS: usize = 96;

/// What is wrong with a shape, in words; the caller knows the line.
pub(super) type Wrong = (String, String, String); // what, value, expected

/// Finds a file that a shape names.
pub(super) type Find<'a> = dyn Fn(&str) -> Result<PathBuf, Wrong> + 'a;

fn of_shape(error: &ShapeError) -> Wrong {
    ("shape".into(), error.to_string(), "a shape that can be".into())
}

/// Position and orientation of a table.
pub(super) fn pose(
    position: Option<[f64; 3]>,
    orientation: Option<&OrientationValue>,
) -> Result<Pose, Wrong> {
    let p = position.unwrap_or_default();
    if let Some(bad) = p.iter().find(|x| !x.is_finite()) {
        return Err(("position".into(), bad.to_string(), "finite numbers".into()));
    }
    Ok(Pose::new(orientation.map_or(Ok(Matrix3::identity()), rotation)?, Vector3::from(p)))
}

fn rotation(turn: &OrientationValue) -> Result<Matrix3<f64>, Wrong> {
    let wrong = |value: String, expected: &str| ("orientation".to_owned(), value, expected.to_owned());
    match turn {
        OrientationValue::Quaternion(q) => quaternion(*q)
            .map(gudgeon_spatial::Quaternion::to_matrix)
            .map_err(|length| wrong(format!("a quaternion of length {length}"), "one of length 1")),
        OrientationValue::Turn(t) => {
            let angle = match (t.degrees, t.radians) {
                (Some(degrees), None) => degrees.to_radians(),
                (None, Some(radians)) => radians,
                _ => return Err(wrong("a turn about an axis".into(), "degrees or radians")),
            };
            let axis = Vector3::from(t.axis);
            if !(axis.norm() > 0.0 && axis.norm().is_finite() && angle.is_finite()) {
                return Err(wrong(format!("{angle} about {:?}", t.axis), "a finite angle and a direction"));
            }
            Ok(turned(&axis, angle))
        }
        OrientationValue::Euler(t) => {
            let order = t.order.as_deref().unwrap_or("xyz");
            let fixed = order.bytes().all(|b| b.is_ascii_uppercase());
            let axes: Vec<usize> =
                order.to_ascii_lowercase().bytes().map(|b| usize::from(b.wrapping_sub(b'x'))).collect();
            let plain = fixed || order.bytes().all(|b| b.is_ascii_lowercase());
            if axes.len() != 3
                || axes.iter().any(|a| *a > 2)
                || !plain
                || !t.euler.iter().all(|a| a.is_finite())
            {
                let value = format!("{:?} in the order {order}", t.euler);
                return Err(wrong(
                    value,
                    "three finite angles, and three of xyz (axes that turn along) or of XYZ (fixed ones)",
                ));
            }
            let turns =
                axes.iter().zip(t.euler).map(|(a, angle)| turned(&Vector3::ith(*a, 1.0), angle.to_radians()));
            Ok(turns.fold(Matrix3::identity(), |r, next| if fixed { next * r } else { r * next }))
        }
    }
}

fn turned(axis: &Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let axis = nalgebra::Unit::new_normalize(*axis);
    nalgebra::Rotation3::from_axis_angle(&axis, angle).into_inner()
}
/// The shapes of a table, each with its pose in the body: a compound is several.
pub(super) fn shapes(table: &ShapeTable, find: &Find) -> Result<Vec<(Shape, Isometry3<f64>)>, Wrong> {
    let at = pose(table.position, table.orientation.as_ref())?;
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
        t.torus.is_some(),
        t.sweep.is_some(),
        t.gear.is_some(),
        t.compound.is_some(),
    ];
    let n = given.iter().filter(|g| **g).count();
    if n == 1 {
        return Ok(());
    }
    let kinds = "exactly one of plane, sphere, box, capsule, cylinder, cone, ellipsoid, mesh, hull, heightfield, \
                 torus, sweep, gear, compound";
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
    } else if let Some([ring, tube]) = t.torus {
        Shape::sweep(&Sweep::torus(ring, tube, CHORDS)).map(|(shape, _)| shape)
    } else if let Some(t) = &t.sweep {
        Shape::sweep(&sweep(t)?).map(|(shape, _)| shape)
    } else if let Some(t) = &t.gear {
        gear(t).shape().map(|(shape, _)| shape)
    } else {
        unreachable!("a compound is taken apart before")
    };
    made.map_err(|e| of_shape(&e))
}

fn sweep(t: &SweepTable) -> Result<Sweep, Wrong> {
    let corner = |c: &Vec<f64>| match c[..] {
        [r, z] => Ok(Corner { r, z, bulge: 0.0 }),
        [r, z, bulge] => Ok(Corner { r, z, bulge }),
        _ => Err(("section".into(), format!("{c:?}"), "[r, z] or [r, z, bulge]".into())),
    };
    Ok(Sweep {
        section: t.section.iter().map(corner).collect::<Result<_, Wrong>>()?,
        pitch: t.pitch.unwrap_or(0.0),
        turns: t.turns.unwrap_or(1.0),
        segments: t.segments.unwrap_or(CHORDS),
    })
}

fn gear(t: &ToothedTable) -> Gear {
    Gear {
        module: t.module,
        teeth: t.teeth,
        width: t.width,
        pressure_angle: t.pressure_angle.unwrap_or(20.0).to_radians(),
        helix: t.helix.unwrap_or(0.0).to_radians(),
        backlash: t.backlash.unwrap_or(0.0),
        points: t.points.unwrap_or(8),
    }
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

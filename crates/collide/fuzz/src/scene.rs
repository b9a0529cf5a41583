//! Bytes to two shapes at two poses, to contacts that must be finite, well-formed and the same when asked twice.
//!
//! The first byte chooses a mesh file reader instead: 0 to 2 are STL, OBJ and DAE.
#![no_main]

use gudgeon_collide::{CollisionWorkspace, MeshFormat, Shape, read_mesh};
use libfuzzer_sys::fuzz_target;
use nalgebra::{Isometry3, Vector3};

type Vec3 = Vector3<f64>;

/// Numbers from bytes: mostly small multiples of 1/8, so that things align; now and then any bits at all.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn number(&mut self) -> f64 {
        let head = self.byte();
        match head {
            0..=199 => (f64::from(head) - 100.0) / 32.0,
            200..=229 => (f64::from(self.byte()) - 128.0) * 10.0_f64.powi(i32::from(head) - 218),
            _ => f64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn pose(&mut self) -> Isometry3<f64> {
        Isometry3::new(self.vector(), self.vector())
    }

    fn shape(&mut self, nested: bool) -> Option<Shape> {
        let kind = self.byte() % if nested { 9 } else { 12 };
        match kind {
            0 => Shape::sphere(self.number()).ok(),
            1 => Shape::capsule(self.number(), self.number()).ok(),
            2 => Shape::cuboid(self.number(), self.number(), self.number()).ok(),
            3 => Shape::cylinder(self.number(), self.number()).ok(),
            4 => Shape::cone(self.number(), self.number()).ok(),
            5 => Shape::ellipsoid(self.number(), self.number(), self.number()).ok(),
            6 => {
                let points: Vec<Vec3> = (0..4 + self.byte() % 12).map(|_| self.vector()).collect();
                Shape::convex_hull(&points).ok()
            }
            7 | 8 => {
                let points: Vec<Vec3> = (0..3 + self.byte() % 10).map(|_| self.vector()).collect();
                let count = u32::try_from(points.len()).unwrap_or(3);
                let triangles: Vec<[u32; 3]> = (0..1 + self.byte() % 16)
                    .map(|_| std::array::from_fn(|_| u32::from(self.byte()) % count))
                    .collect();
                if kind == 7 {
                    Shape::mesh(&points, &triangles).ok().map(|m| m.0)
                } else {
                    Shape::smooth_mesh(&points, &triangles, 0.6).ok().map(|m| m.0)
                }
            }
            9 => Some(Shape::plane()),
            10 => {
                let heights: Vec<f64> = (0..9).map(|_| self.number()).collect();
                Shape::heightfield(3, 3, self.number(), self.number(), &heights).ok()
            }
            _ => {
                let parts = (0..1 + self.byte() % 3).filter_map(|_| Some((self.pose(), self.shape(true)?)));
                Shape::compound(parts.collect()).ok()
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let first = bytes.byte();
    if let Some(format) =
        [MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Dae].into_iter().nth(usize::from(first))
    {
        let _ = read_mesh(bytes.0, format, Vec3::repeat(1.0));
        return;
    }
    let (Some(a), Some(b)) = (bytes.shape(false), bytes.shape(false)) else { return };
    let (xa, xb) = (bytes.pose(), bytes.pose());
    let margin = bytes.number().abs().min(10.0);
    let mut workspace = CollisionWorkspace::new();
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    let mut geometry = gudgeon_collide::Geometry::new();
    geometry.add(gudgeon_collide::Collider::new(a, 0));
    geometry.add(gudgeon_collide::Collider::new(b, 1));
    workspace.contacts(&geometry, &[xa, xb], margin, &mut once);
    workspace.contacts(&geometry, &[xa, xb], margin, &mut twice);
    assert!(once == twice, "asked twice");
    for (i, c) in once.iter().enumerate() {
        assert!(c.gap.is_finite() && c.gap <= margin, "gap {}", c.gap);
        assert!((c.normal.norm() - 1.0).abs() < 1e-6, "normal {}", c.normal);
        assert!(once[..i].iter().all(|d| d.id != c.id), "two of a name");
    }
});

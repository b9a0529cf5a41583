//! Questions to one mesh: the nearest point with its feature, inside or outside, and rays.

use super::TriMesh;
use crate::rigid::Vec3;
use crate::tree::Stack;

/// Where on the surface a nearest point lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Feature {
    Face(u32),
    Edge(u32),
    Vertex(u32),
}

impl Feature {
    /// A number unlike that of any other feature of the mesh.
    pub(crate) fn number(self) -> u32 {
        match self {
            Feature::Vertex(i) => i,
            Feature::Edge(i) => i | 1 << 30,
            Feature::Face(i) => i | 1 << 31,
        }
    }
}

/// The point of a surface nearest another point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub point: Vec3,
    pub distance_squared: f64,
    pub triangle: u32,
    pub feature: Feature,
}

/// The point of triangle (a, b, c) nearest p; the second number is 0 for the inside, 1..=3 for edge
/// k - 1 (from corner k - 1 to the next), 4..=6 for corner k - 4.
pub(crate) fn nearest_on_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> (Vec3, u8) {
    // regions of the plane in Ericson's order: corners, then edges, then the inside
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (*a, 4);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (*b, 5);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), 1);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (*c, 6);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), 3);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), 2);
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), 0)
}

/// Solid angle of a triangle seen from the origin, signed by its orientation (Van Oosterom-Strackee).
pub(crate) fn solid_angle([a, b, c]: &[Vec3; 3]) -> f64 {
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let y = a.dot(&b.cross(c));
    let x = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * y.atan2(x)
}

impl TriMesh {
    pub(crate) fn feature(&self, triangle: u32, region: u8) -> Feature {
        match region {
            0 => Feature::Face(triangle),
            1..=3 => Feature::Edge(self.triangle_edges[triangle as usize][region as usize - 1]),
            _ => Feature::Vertex(self.triangles[triangle as usize][region as usize - 4]),
        }
    }

    /// The surface point nearest p within a distance.
    pub(crate) fn nearest(&self, p: &Vec3, within: f64, stack: &mut Stack) -> Option<SurfacePoint> {
        let mut best: Option<SurfacePoint> = None;
        self.tree.nearest(p, within * within, stack, |t, limit| {
            let (q, region) = nearest_on_triangle(p, &self.corners(t));
            let d = (p - q).norm_squared();
            let feature = self.feature(t, region);
            // ties (a shared edge or corner) go to the lowest triangle, whatever the tree's order
            let wins =
                best.is_none_or(|b| d < b.distance_squared || (d == b.distance_squared && t < b.triangle));
            if d <= limit && wins {
                best = Some(SurfacePoint { point: q, distance_squared: d, triangle: t, feature });
                return d;
            }
            limit
        });
        best
    }

    /// Whether p is inside a closed mesh: which way the nearest face, edge or corner looks at p. The normals at an edge
    /// are summed, at a corner weighted by angle (Baerentzen-Aanaes), so the sign is right everywhere off
    /// the surface.
    pub(crate) fn inside(&self, p: &Vec3, stack: &mut Stack) -> bool {
        if !self.closed {
            return false;
        }
        let Some(s) = self.nearest(p, f64::INFINITY, stack) else { return false };
        self.normal_at(s.feature).dot(&(p - s.point)) < 0.0
    }

    /// A direction out of the surface at a feature; any length.
    pub(crate) fn normal_at(&self, feature: Feature) -> Vec3 {
        match feature {
            Feature::Face(t) => self.normals[t as usize],
            Feature::Edge(e) => self.edges[e as usize]
                .triangles
                .iter()
                .filter(|&&t| t != super::NONE)
                .map(|&t| self.normals[t as usize])
                .sum(),
            Feature::Vertex(v) => self.vertex_normals[v as usize],
        }
    }

    /// Whether a direction at a feature leads out of the solid, as far as the normals around the feature tell; an open surface has no
    /// inside to lead out of.
    pub(crate) fn looks_along(&self, feature: Feature, d: &Vec3) -> bool {
        !self.closed || self.normal_at(feature).dot(d) > 0.0
    }

    /// The first triangle a ray meets within `max`, from either side: distance in units of d, triangle.
    pub(crate) fn ray(&self, o: &Vec3, d: &Vec3, max: f64, stack: &mut Stack) -> Option<(f64, u32)> {
        let mut best: Option<(f64, u32)> = None;
        self.tree.ray(o, d, max, stack, |t, limit| {
            if let Some(s) = ray_triangle(o, d, &self.corners(t))
                && s <= limit
                && best.is_none_or(|b| (s, t) < b)
            {
                best = Some((s, t));
                return s;
            }
            limit
        });
        best
    }
}

/// Where the line o + s d, s >= 0, meets a triangle; the border belongs to it.
pub(crate) fn ray_triangle(o: &Vec3, d: &Vec3, [a, b, c]: &[Vec3; 3]) -> Option<f64> {
    let (a, b, c) = (a - o, b - o, c - o);
    // volumes of d with each edge: the same number, negated, for the triangle across the edge
    let (u, v, w) = (d.dot(&c.cross(&b)), d.dot(&a.cross(&c)), d.dot(&b.cross(&a)));
    if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
        return None;
    }
    let det = u + v + w;
    if det == 0.0 {
        return None;
    }
    let s = a.dot(&(b - a).cross(&(c - a))) / d.dot(&(b - a).cross(&(c - a)));
    (s >= 0.0 && s.is_finite()).then_some(s)
}

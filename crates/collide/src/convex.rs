//! Convex shapes as the axis search sees them: a core, grown by a radius.
//!
//! A sphere is a point and a radius, a capsule a segment and a radius; everything else is its own core with
//! radius 0. Three questions are asked of a core: its support point along a direction, its
//! *support patch* (the face, disc, segment or point that contact is made with), and how deep a point
//! lies inside it (`project`).

use crate::polytope::Polytope;
use crate::rigid::{Vec3, norm2};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Core<'a> {
    Point,
    Segment(f64),
    Box(&'a Vec3, &'a Polytope),
    Poly(&'a Polytope),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(&'a Vec3),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Convex<'a> {
    pub core: Core<'a>,
    pub radius: f64,
}

/// The part of a core's surface that faces a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PatchKind {
    Point,
    Segment,
    /// A planar polygon with the outward normal `Patch::normal`.
    Polygon,
    /// A disc around `Patch::center` with radius `Patch::radius`; `points` are fixed points of its rim.
    Disc,
}

/// Scratch: rewritten by every call of [`Core::patch`].
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    pub kind: PatchKind,
    pub points: Vec<Vec3>,
    /// One feature number per point, stable under motion.
    pub features: Vec<u32>,
    pub normal: Vec3,
    pub center: Vec3,
    pub radius: f64,
    /// Feature number of the patch as a whole.
    pub face: u32,
}

impl Default for Patch {
    fn default() -> Self {
        let (points, features) = (Vec::new(), Vec::new());
        let (normal, center) = (Vec3::z(), Vec3::zeros());
        Self { kind: PatchKind::Point, points, features, normal, center, radius: 0.0, face: 0 }
    }
}

/// Fixed points on the rim of a disc: with eight, the polygon they span loses 8 % of the radius at worst,
/// which matters only to stability, never to depth: the exact deepest point is added to them.
const RIM_DIRECTIONS: [(f64, f64); 8] = {
    const D: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (D, D), (0.0, 1.0), (-D, D), (-1.0, 0.0), (-D, -D), (0.0, -1.0), (D, -D)]
};

/// Feature numbers: vertices from 0, faces and edges from these offsets.
pub(crate) const FACE: u32 = 1 << 24;
pub(crate) const EDGE: u32 = 2 << 24;
pub(crate) const RIM_POINT: u32 = 3 << 24;
pub(crate) const SUPPORT: u32 = 4 << 24;
/// A rim across a straight border, and across another rim.
pub(crate) const CROSSED: u32 = 5 << 24;
pub(crate) const RIMS: u32 = 6 << 24;

impl Core<'_> {
    /// A point farthest along `d` (any length).
    #[inline]
    pub(crate) fn support(&self, d: &Vec3) -> Vec3 {
        match *self {
            Core::Point => Vec3::zeros(),
            Core::Segment(h) => Vec3::new(0.0, 0.0, h.copysign(d.z)),
            Core::Box(h, _) => Vec3::new(h.x.copysign(d.x), h.y.copysign(d.y), h.z.copysign(d.z)),
            Core::Poly(p) => p.vertices[support_vertex(p, d)],
            Core::Cylinder(h, r) => {
                let (x, y) = rim(d, r);
                Vec3::new(x, y, h.copysign(d.z))
            }
            Core::Cone(h, r) => {
                let (x, y) = rim(d, r);
                // base rim against apex
                if x * d.x + y * d.y - h * d.z > h * d.z {
                    Vec3::new(x, y, -h)
                } else {
                    Vec3::new(0.0, 0.0, h)
                }
            }
            Core::Ellipsoid(s) => {
                let v = s.component_mul(d);
                let n = v.norm();
                if n > 0.0 { s.component_mul(&v) / n } else { Vec3::new(0.0, 0.0, s.z) }
            }
        }
    }

    /// Whether the core is its own mirror image in its origin.
    pub(crate) fn symmetric(&self) -> bool {
        !matches!(self, Core::Poly(_) | Core::Cone(..))
    }

    /// Radius of a ball around the local origin that holds the core: the unit of tolerances.
    pub(crate) fn size(&self) -> f64 {
        match *self {
            Core::Point => 0.0,
            Core::Segment(h) => h,
            Core::Box(h, _) => h.norm(),
            Core::Poly(p) => p.index.as_ref().map_or_else(|| p.radius(), |i| i.size),
            Core::Cylinder(h, r) | Core::Cone(h, r) => norm2(h, r),
            Core::Ellipsoid(s) => s.max(),
        }
    }

    /// Outward normals of flat faces.
    pub(crate) fn face_normals(&self, mut visit: impl FnMut(Vec3, u32)) {
        match *self {
            Core::Point | Core::Segment(_) | Core::Ellipsoid(_) => {}
            Core::Box(_, p) | Core::Poly(p) => p.faces.iter().zip(0..).for_each(|(f, i)| visit(f.normal, i)),
            Core::Cylinder(..) => {
                visit(-Vec3::z(), 0);
                visit(Vec3::z(), 1);
            }
            Core::Cone(..) => visit(-Vec3::z(), 0),
        }
    }

    /// Faces, edges and vertices, where the core is a polytope; `None` for curved cores and points.
    pub(crate) fn polytope(&self) -> Option<&Polytope> {
        match *self {
            Core::Box(_, p) | Core::Poly(p) => Some(p),
            Core::Point | Core::Segment(_) | Core::Cylinder(..) | Core::Cone(..) | Core::Ellipsoid(_) => None,
        }
    }

    /// The patch facing `d`, in local coordinates.
    pub(crate) fn patch(&self, d: &Vec3, out: &mut Patch) {
        out.points.clear();
        out.features.clear();
        out.face = FACE;
        let mut push = |p: Vec3, f: u32| {
            out.points.push(p);
            out.features.push(f);
        };
        match *self {
            Core::Point => {
                push(Vec3::zeros(), 0);
                out.kind = PatchKind::Point;
            }
            Core::Ellipsoid(_) => {
                push(self.support(d), SUPPORT);
                out.kind = PatchKind::Point;
            }
            Core::Segment(h) => {
                push(Vec3::new(0.0, 0.0, -h), 0);
                push(Vec3::new(0.0, 0.0, h), 1);
                out.kind = PatchKind::Segment;
            }
            Core::Box(_, p) | Core::Poly(p) => {
                let f = support_face(p, d);
                let face = &p.faces[f];
                out.points.extend(p.corners(face).iter().map(|&i| p.vertices[i as usize]));
                out.features.extend_from_slice(p.corners(face));
                out.normal = face.normal;
                out.face = FACE + crate::error::count(f);
                out.kind = PatchKind::Polygon;
            }
            Core::Cylinder(h, r) => {
                if 4.0 * d.z * d.z < d.norm_squared() {
                    let (x, y) = rim(d, r);
                    push(Vec3::new(x, y, -h), SUPPORT);
                    push(Vec3::new(x, y, h), SUPPORT + 1);
                    out.kind = PatchKind::Segment;
                } else {
                    disc(h.copysign(d.z), r, u32::from(d.z > 0.0), out);
                }
            }
            Core::Cone(h, r) => {
                if d.z < 0.0 && 4.0 * d.z * d.z >= d.norm_squared() {
                    disc(-h, r, 0, out);
                } else {
                    let (x, y) = rim(d, r);
                    push(Vec3::new(x, y, -h), SUPPORT);
                    push(Vec3::new(0.0, 0.0, h), 0);
                    out.kind = PatchKind::Segment;
                }
            }
        }
    }
}

fn disc(z: f64, r: f64, side: u32, out: &mut Patch) {
    out.kind = PatchKind::Disc;
    out.center = Vec3::new(0.0, 0.0, z);
    out.radius = r;
    out.normal = if side == 0 { -Vec3::z() } else { Vec3::z() };
    out.face = FACE + side;
    for (k, (c, s)) in RIM_DIRECTIONS.iter().enumerate() {
        out.points.push(Vec3::new(r * c, r * s, z));
        out.features.push(RIM_POINT + side * 64 + crate::error::count(k));
    }
}

/// The rim point along d's part in the x-y plane; on +x when there is none.
#[inline]
fn rim(d: &Vec3, r: f64) -> (f64, f64) {
    let n = norm2(d.x, d.y);
    if n > 0.0 { (r * d.x / n, r * d.y / n) } else { (r, 0.0) }
}

#[inline]
pub(crate) fn support_vertex(p: &Polytope, d: &Vec3) -> usize {
    if let Some(index) = &p.index {
        return index.support_vertex(p, d);
    }
    let mut best = (0, f64::NEG_INFINITY);
    for (i, v) in p.vertices.iter().enumerate() {
        let h = v.dot(d);
        if h > best.1 {
            best = (i, h);
        }
    }
    best.0
}

pub(crate) fn support_face(p: &Polytope, d: &Vec3) -> usize {
    if let Some(index) = &p.index {
        return index.support_face(p, d);
    }
    let mut best = (0, f64::NEG_INFINITY);
    for (i, f) in p.faces.iter().enumerate() {
        let h = f.normal.dot(d);
        if h > best.1 {
            best = (i, h);
        }
    }
    best.0
}

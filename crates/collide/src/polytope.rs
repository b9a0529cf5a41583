//! Convex polyhedra: vertices, whole faces and edges, with what the axis tests need precomputed.
//!
//! A face is a planar polygon of any number of corners, not a triangle: clipping needs the whole
//! face, and cutting it to four corners leaves one contact point where there are many. Coplanar hull
//! triangles are merged by flood fill; the normal is Newell's, so it belongs to the polygon and not
//! to one of its triangles.
//!
//! An edge carries, for each of its two faces, the direction `inward` that lies in the face, is
//! perpendicular to the edge and points into the face. A direction x perpendicular to the edge is in the
//! edge's normal cone exactly when x . inward <= 0 for both: the arc test of the Gauss map, which in
//! this form also serves a flat triangle (whose two face normals are opposite, so that the usual
//! cross product of normals vanishes) and a bare segment (no faces: every x will do).

mod index;

use crate::convert;
use crate::error::{ShapeError, count, finite};
use crate::rigid::Vec3;
use crate::tolerances::{COPLANAR, NO_SOLID, OUTSIDE_HULL};

pub(crate) use index::Index;

/// Most points a hull is made of: indices stay small and construction time bounded.
const MAX_POINTS: usize = 100_000;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Face {
    /// Unit, outward.
    pub normal: Vec3,
    /// normal . x = offset on the face.
    pub offset: f64,
    /// Corners, counter-clockwise seen from outside: `loops[first..first + count]`.
    pub first: u32,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub ends: [u32; 2],
    /// Unit, from ends[0] to ends[1].
    pub dir: Vec3,
    /// Into each adjacent face; zero where there is none.
    pub inward: [Vec3; 2],
}

/// A convex solid bounded by planar faces (or, inside the crate, a triangle or a segment).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polytope {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) faces: Vec<Face>,
    pub(crate) loops: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    /// Of a large one.
    pub(crate) index: Option<Box<Index>>,
}

/// How a hull is made of its points, see [`Polytope::hull_and_plan`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HullPlan {
    /// Which points are corners.
    pub corners: Vec<u32>,
    /// Which corners the triangles join, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Polytope {
    /// The convex hull of some points; coplanar parts become one face.
    pub fn hull(points: &[Vec3]) -> Result<Self, ShapeError> {
        Ok(Self::certified(points)?.0)
    }

    /// The same, and how it is made of the points, to make it again without looking for it; none if a corner is no point.
    pub fn hull_and_plan(points: &[Vec3]) -> Result<(Self, Option<HullPlan>), ShapeError> {
        let (hull, (corners, triangles)) = Self::certified(points)?;
        let bits = |p: &Vec3| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()];
        // asked by key alone; of points in one place the first
        let mut known = std::collections::HashMap::with_capacity(points.len());
        for (i, p) in points.iter().enumerate() {
            known.entry(bits(p)).or_insert(count(i));
        }
        let corners: Option<Vec<u32>> = corners.iter().map(|p| known.get(&bits(p)).copied()).collect();
        Ok((hull, corners.map(|corners| HullPlan { corners, triangles })))
    }

    /// The hull of points that [`Self::hull_and_plan`] made a plan of: the same to the bit. That no point lies outside is taken from
    /// there; indices and that the triangles close up are looked at.
    pub fn hull_as(points: &[Vec3], plan: &HullPlan) -> Result<Self, ShapeError> {
        let wrong = |reason| ShapeError::Hull { points: points.len(), reason };
        let corners: Option<Vec<Vec3>> =
            plan.corners.iter().map(|&i| points.get(i as usize).copied()).collect();
        let corners = corners.ok_or_else(|| wrong("a corner is no point"))?;
        if plan.triangles.iter().flatten().any(|&i| i as usize >= corners.len()) {
            return Err(wrong("a triangle has no corner"));
        }
        for (i, p) in corners.iter().enumerate() {
            finite(i, p)?;
        }
        Self::merged(&corners, &plan.triangles).ok_or_else(|| wrong("faces do not close up"))
    }

    /// The hull with its triangles, held against every point.
    fn certified(points: &[Vec3]) -> Result<(Self, convert::Surface), ShapeError> {
        if points.len() > MAX_POINTS {
            return Err(ShapeError::TooMany { what: "hull points", count: points.len(), limit: MAX_POINTS });
        }
        for (i, p) in points.iter().enumerate() {
            finite(i, p)?;
        }
        spans_volume(points)?;
        let (vertices, triangles) = convert::convex_hull(points)?;
        let polytope = Self::merged(&vertices, &triangles)
            .ok_or(ShapeError::Hull { points: points.len(), reason: "faces do not close up" })?;

        // certificate: every input point is inside every face plane
        let scale = points.iter().map(nalgebra::Matrix::amax).fold(0.0, f64::max);
        // metres, relative to the size: the merging tolerance below with room for one more merge
        let tolerance = OUTSIDE_HULL * scale;
        let mut few = Vec::new();
        let inside = points.iter().all(|p| {
            let within = |f: &Face| f.normal.dot(p) - f.offset <= tolerance;
            let Some(index) = &polytope.index else { return polytope.faces.iter().all(within) };
            // most points are under most planes by far: what is asked is only whether one is outside, not how deep it is
            index.faces_beyond(&[*p; 2], tolerance, &mut few);
            few.iter().all(|&i| within(&polytope.faces[i as usize]))
        });
        if inside {
            Ok((polytope, (vertices, triangles)))
        } else {
            Err(ShapeError::Hull { points: points.len(), reason: "a point lies outside" })
        }
    }

    /// A right prism over a regular polygon: `sides` corners at distance `radius` from the z axis, the
    /// first on +x, from z = -half_height to z = half_height.
    pub fn prism(sides: usize, radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        let points: Vec<Vec3> = (0..2 * sides)
            .map(|k| {
                let angle = std::f64::consts::TAU * (k / 2) as f64 / sides as f64;
                let z = if k % 2 == 0 { -half_height } else { half_height };
                Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
            })
            .collect();
        Self::hull(&points)
    }

    /// Corner points.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Faces as corner indices, counter-clockwise seen from outside.
    pub fn faces(&self) -> impl Iterator<Item = &[u32]> {
        self.faces.iter().map(|f| self.corners(f))
    }

    pub(crate) fn corners(&self, f: &Face) -> &[u32] {
        &self.loops[f.first as usize..(f.first + f.count) as usize]
    }

    /// Every face as a fan of triangles.
    pub(crate) fn triangles(&self) -> Vec<[u32; 3]> {
        let fan = |c: &[u32]| (1..c.len() - 1).map(|i| [c[0], c[i], c[i + 1]]).collect::<Vec<_>>();
        self.faces.iter().flat_map(|f| fan(self.corners(f))).collect()
    }

    pub(crate) fn cuboid(h: &Vec3) -> Self {
        let vertices =
            (0..8).map(|i| Vec3::new(sign(i & 1, h.x), sign(i & 2, h.y), sign(i & 4, h.z))).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut p = Self { vertices, ..Self::default() };
        for corners in faces {
            p.push_face(&corners);
        }
        // exact axes: Newell's sum would round them
        for (i, f) in p.faces.iter_mut().enumerate() {
            f.normal = Vec3::zeros();
            f.normal[i / 2] = if i % 2 == 0 { -1.0 } else { 1.0 };
            f.offset = h[i / 2];
        }
        let linked = p.link_edges();
        debug_assert!(linked, "a cuboid is closed");
        p
    }

    /// Becomes the two-sided triangle a, b, c, keeping the allocations. Its area must not vanish.
    pub(crate) fn set_triangle(&mut self, corners: [Vec3; 3], normal: Vec3) {
        self.vertices.clear();
        self.vertices.extend(corners);
        self.loops.clear();
        self.loops.extend([0, 1, 2, 0, 2, 1]);
        self.faces.clear();
        let offset = normal.dot(&corners[0]);
        self.faces.push(Face { normal, offset, first: 0, count: 3 });
        self.faces.push(Face { normal: -normal, offset: -offset, first: 3, count: 3 });
        self.edges.clear();
        for (i, j) in [(0_u32, 1_u32), (1, 2), (2, 0)] {
            let dir = (corners[j as usize] - corners[i as usize]).normalize();
            let inward = normal.cross(&dir);
            self.edges.push(Edge { ends: [i, j], dir, inward: [inward, inward] });
        }
    }

    /// Faces from hull triangles: neighbours whose planes agree are one polygon.
    fn merged(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let scale = vertices.iter().map(nalgebra::Matrix::amax).fold(0.0, f64::max);
        // metres relative to the size: hull vertices that should be coplanar are off by rounding, some
        // 1e-15; corners off a plane by 1e-8 of the size cannot be told from it in contact
        let flat = COPLANAR * scale;
        let corner = |t: usize, k: usize| vertices[triangles[t][k % 3] as usize];
        let mut twin = std::collections::BTreeMap::new();
        for (t, tri) in triangles.iter().enumerate() {
            for k in 0..3 {
                if twin.insert((tri[k], tri[(k + 1) % 3]), t).is_some() {
                    return None;
                }
            }
        }
        let area = |t: usize| (corner(t, 1) - corner(t, 0)).cross(&(corner(t, 2) - corner(t, 0)));
        // big triangles first: a sliver's normal is noise
        let mut order: Vec<usize> = (0..triangles.len()).collect();
        order.sort_by(|&i, &j| area(j).norm_squared().total_cmp(&area(i).norm_squared()).then(i.cmp(&j)));
        let mut group = vec![usize::MAX; triangles.len()];
        let mut p = Self { vertices: vertices.to_vec(), ..Self::default() };
        for seed in order {
            if group[seed] != usize::MAX {
                continue;
            }
            let normal = area(seed).try_normalize(0.0)?;
            let offset = normal.dot(&corner(seed, 0));
            let mut members = vec![seed];
            group[seed] = seed;
            let mut seen = 0;
            while seen < members.len() {
                let t = members[seen];
                seen += 1;
                for k in 0..3 {
                    let other = *twin.get(&(triangles[t][(k + 1) % 3], triangles[t][k]))?;
                    let in_plane = (0..3).all(|m| (normal.dot(&corner(other, m)) - offset).abs() <= flat);
                    let same_side = area(other).dot(&normal) >= 0.0;
                    if group[other] == usize::MAX && in_plane && same_side {
                        group[other] = seed;
                        members.push(other);
                    }
                }
            }
            // the border: edges whose other triangle is no member, each from its first corner to its next
            let mut next = std::collections::BTreeMap::new();
            for &t in &members {
                for k in 0..3 {
                    let (u, v) = (triangles[t][k], triangles[t][(k + 1) % 3]);
                    if group[*twin.get(&(v, u))?] != seed && next.insert(u, v).is_some() {
                        return None;
                    }
                }
            }
            let (&start, _) = next.iter().next()?;
            let mut corners = vec![start];
            let mut at = *next.get(&start)?;
            while at != start {
                if corners.len() > next.len() {
                    return None;
                }
                corners.push(at);
                at = *next.get(&at)?;
            }
            p.push_face(&corners);
        }
        p.link_edges().then(|| {
            let mut p = p.without_unused_vertices();
            p.index = Index::new(&p);
            p
        })
    }

    /// Radius of the ball around the origin that holds all vertices.
    pub(crate) fn radius(&self) -> f64 {
        self.vertices.iter().map(Vec3::norm_squared).fold(0.0, f64::max).sqrt()
    }

    /// The middle of an edge.
    pub(crate) fn between(&self, e: &Edge) -> Vec3 {
        (self.vertices[e.ends[0] as usize] + self.vertices[e.ends[1] as usize]) * 0.5
    }

    /// The length of an edge.
    pub(crate) fn length(&self, e: &Edge) -> f64 {
        (self.vertices[e.ends[0] as usize] - self.vertices[e.ends[1] as usize]).norm()
    }

    /// The mean of the vertices.
    pub(crate) fn mean(&self) -> Vec3 {
        self.vertices.iter().sum::<Vec3>() / self.vertices.len().max(1) as f64
    }

    fn push_face(&mut self, corners: &[u32]) {
        let at = |i: usize| self.vertices[corners[i % corners.len()] as usize];
        let base = at(0);
        let newell: Vec3 = (0..corners.len()).map(|i| (at(i) - base).cross(&(at(i + 1) - base))).sum();
        let normal = newell.normalize();
        let offset = corners.iter().map(|&c| normal.dot(&self.vertices[c as usize])).sum::<f64>()
            / corners.len() as f64;
        let face = Face { normal, offset, first: count(self.loops.len()), count: count(corners.len()) };
        self.loops.extend_from_slice(corners);
        self.faces.push(face);
    }

    /// Fills `edges`; false when some edge has not exactly two faces.
    fn link_edges(&mut self) -> bool {
        let mut first = std::collections::BTreeMap::new();
        let mut edges = Vec::new();
        for f in &self.faces {
            let c = self.corners(f);
            for i in 0..c.len() {
                let (u, v) = (c[i], c[(i + 1) % c.len()]);
                let dir = (self.vertices[v as usize] - self.vertices[u as usize]).normalize();
                let inward = f.normal.cross(&dir);
                if let Some((other_dir, other_inward)) = first.remove(&(v, u)) {
                    edges.push(Edge { ends: [v, u], dir: other_dir, inward: [other_inward, inward] });
                } else if first.insert((u, v), (dir, inward)).is_some() {
                    return false;
                }
            }
        }
        edges.sort_by_key(|e| e.ends);
        self.edges = edges;
        first.is_empty()
    }

    fn without_unused_vertices(mut self) -> Self {
        let mut new_index = vec![u32::MAX; self.vertices.len()];
        let mut kept = Vec::new();
        for i in &mut self.loops {
            let slot = &mut new_index[*i as usize];
            if *slot == u32::MAX {
                *slot = count(kept.len());
                kept.push(self.vertices[*i as usize]);
            }
            *i = *slot;
        }
        for e in &mut self.edges {
            e.ends = e.ends.map(|i| new_index[i as usize]);
        }
        self.vertices = kept;
        self
    }
}

fn sign(bit: i32, h: f64) -> f64 {
    if bit == 0 { -h } else { h }
}

/// Rejects points whose extent in some direction is below 1e-9 of the largest: their hull would
/// have faces that differ by rounding only.
fn spans_volume(points: &[Vec3]) -> Result<(), ShapeError> {
    let flat = ShapeError::Flat { points: points.len() };
    let Some(&a) = points.first() else { return Err(flat) };
    let far = |f: &dyn Fn(&Vec3) -> f64| {
        points.iter().max_by(|p, q| f(p).total_cmp(&f(q))).copied().expect("not empty: a was found")
    };
    let b = far(&|p| (p - a).norm_squared());
    let size = (b - a).norm();
    let c = far(&|p| (b - a).cross(&(p - a)).norm_squared());
    let normal = (b - a).cross(&(c - a));
    let d = far(&|p| normal.dot(&(p - a)).abs());
    let height = normal.dot(&(d - a)).abs() / normal.norm();
    let width = normal.norm() / size;
    if size > 0.0 && width > NO_SOLID * size && height > NO_SOLID * size { Ok(()) } else { Err(flat) }
}

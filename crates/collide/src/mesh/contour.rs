//! Where two surfaces cut each other: segments, joined into contours.
//!
//! Every contour point is a crossing of an edge of one mesh with a triangle of the other; a pair of triangles
//! that cut each other has two of them, joined by a segment oriented along n_a x n_b, so that the part of a
//! inside b lies to its left seen from outside a. Segments that share a crossing belong to the same contour.
//!
//! A contour closes only if neighbours agree on every crossing. So each decision is made on a canonical
//! operand order (edge ends by index, a's edge before b's), which makes the two triangles at an edge
//! compute the same bits. Decisions about different features can still contradict each other where they rest on
//! rounding: every decision nearer to zero than a tolerance, and every contour that does not close, makes the contours
//! *doubtful*, and the caller asks again with the meshes moved apart by a hair (`moved`).

use super::{NONE, TriMesh};
use crate::aabb::Aabb;
use crate::rigid::Vec3;

/// One piece of contour, oriented.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub ends: [Vec3; 2],
    pub keys: [u64; 2],
    pub triangle_a: u32,
    pub triangle_b: u32,
}

/// A crossing of an edge with a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    pub edge: u32,
    /// Where on the edge, 0 at its lower end.
    at: f64,
    /// Whether the edge goes inside there, walked from its lower end.
    pub entering: bool,
    pub segment: u32,
}

/// The ends of edges that are inside, each with a segment of the contour it is inside of. An edge may pass
/// through the other body, so an end is inside only if the crossing nearest to it says so.
pub(crate) fn inside_ends(mesh: &TriMesh, crossings: &mut [Crossing], out: &mut Vec<(u32, u32)>) {
    out.clear();
    crossings.sort_unstable_by(|p, q| {
        p.edge.cmp(&q.edge).then(p.at.total_cmp(&q.at)).then(p.segment.cmp(&q.segment))
    });
    for group in crossings.chunk_by(|p, q| p.edge == q.edge) {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let [low, high] = mesh.edges[first.edge as usize].ends;
        if !first.entering {
            out.push((low, first.segment));
        }
        if last.entering {
            out.push((high, last.segment));
        }
    }
}

/// Segments and what they cut.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contours {
    pub segments: Vec<Segment>,
    pub crossings_a: Vec<Crossing>,
    pub crossings_b: Vec<Crossing>,
    /// Contour of each segment, numbered from 0 in order of first appearance.
    pub contour: Vec<u32>,
    pub count: u32,
    /// Whether some decision rests on rounding.
    pub doubtful: bool,
    /// Metres: heights and distances of lines below this are doubtful.
    tol: f64,
    keyed: Vec<(u64, u32)>,
    pub parent: Vec<u32>,
}

/// A triangle of each mesh with everything the tests need, in a's frame.
pub(crate) struct TrianglePair<'a> {
    pub a: &'a TriMesh,
    pub b: &'a TriMesh,
    pub ta: u32,
    pub tb: u32,
    pub pa: [Vec3; 3],
    pub pb: [Vec3; 3],
    pub na: Vec3,
    pub nb: Vec3,
    /// Heights of a's corners over b's triangle, and the other way round.
    pub ha: [f64; 3],
    pub hb: [f64; 3],
}

impl Contours {
    pub(crate) fn clear(&mut self, tol: f64) {
        self.doubtful = false;
        self.tol = tol;
        self.segments.clear();
        self.crossings_a.clear();
        self.crossings_b.clear();
        self.contour.clear();
        self.count = 0;
    }

    /// Adds the segment along which a pair of triangles cut each other, if they do.
    pub(crate) fn add(&mut self, pair: &TrianglePair<'_>) {
        let tol = self.tol;
        let apart = |h: [f64; 3]| h.iter().all(|x| *x >= tol) || h.iter().all(|x| *x <= -tol);
        if apart(pair.ha) || apart(pair.hb) {
            return;
        }
        let mixed = |h: &[f64; 3]| {
            let inside = h.iter().filter(|x| **x < 0.0).count();
            inside == 1 || inside == 2
        };
        let small = |h: &[f64; 3]| h.iter().any(|x| x.abs() < tol);
        if (small(&pair.ha) || small(&pair.hb)) && Aabb::of(&pair.pa).grow(tol).meets(&Aabb::of(&pair.pb)) {
            self.doubtful = true;
        }
        if !mixed(&pair.ha) || !mixed(&pair.hb) {
            return;
        }
        let (edges_a, edges_b) =
            (pair.a.triangle_edges[pair.ta as usize], pair.b.triangle_edges[pair.tb as usize]);
        let (order_a, order_b) = (orders(pair.a, pair.ta), orders(pair.b, pair.tb));
        // which way edge k of a passes edge m of b, both taken from their lower to their higher end, and whether surely
        let mut passes = [[(false, true); 3]; 3];
        for k in 0..3 {
            let (u, v) = ends(&pair.pa, k, order_a[k]);
            let edge = v - u;
            for m in 0..3 {
                let (p, q) = ends(&pair.pb, m, order_b[m]);
                let volume = edge.dot(&(p - u).cross(&(q - u)));
                let sure = volume * volume >= tol * tol * edge.norm_squared() * (q - p).norm_squared();
                passes[k][m] = (volume >= 0.0, sure);
            }
        }
        let mut found: [(Vec3, u64); 6] = [(Vec3::zeros(), 0); 6];
        let mut count = 0;
        let segment = crate::error::count(self.segments.len());
        let (len_a, len_b) = (self.crossings_a.len(), self.crossings_b.len());
        for k in 0..3 {
            let (i, j) = if order_a[k] { (k, (k + 1) % 3) } else { ((k + 1) % 3, k) };
            if (pair.ha[i] < 0.0) != (pair.ha[j] < 0.0) {
                // entering b from the lower end, the line passes every edge of the triangle on the negative side
                let entering = pair.ha[j] < 0.0;
                if self.pierces(std::array::from_fn(|m| {
                    (passes[k][m].0 ^ !order_b[m] ^ entering, passes[k][m].1)
                })) {
                    let t = pair.ha[i] / (pair.ha[i] - pair.ha[j]);
                    found[count] =
                        (pair.pa[i] + (pair.pa[j] - pair.pa[i]) * t, key(edges_a[k], pair.tb, false));
                    count += 1;
                    self.crossings_a.push(Crossing { edge: edges_a[k], at: t, entering, segment });
                }
            }
        }
        for m in 0..3 {
            let (i, j) = if order_b[m] { (m, (m + 1) % 3) } else { ((m + 1) % 3, m) };
            if (pair.hb[i] < 0.0) != (pair.hb[j] < 0.0) {
                let entering = pair.hb[j] < 0.0;
                if self.pierces(std::array::from_fn(|k| {
                    (passes[k][m].0 ^ !order_a[k] ^ entering, passes[k][m].1)
                })) {
                    let t = pair.hb[i] / (pair.hb[i] - pair.hb[j]);
                    found[count] =
                        (pair.pb[i] + (pair.pb[j] - pair.pb[i]) * t, key(edges_b[m], pair.ta, true));
                    count += 1;
                    self.crossings_b.push(Crossing { edge: edges_b[m], at: t, entering, segment });
                }
            }
        }
        if count != 2 {
            // rounding at a degenerate crossing
            self.crossings_a.truncate(len_a);
            self.crossings_b.truncate(len_b);
            self.doubtful |= count > 0;
            return;
        }
        let [(p, kp), (q, kq), ..] = found;
        let forward = (q - p).dot(&pair.na.cross(&pair.nb)) >= 0.0;
        let (ends, keys) = if forward { ([p, q], [kp, kq]) } else { ([q, p], [kq, kp]) };
        self.segments.push(Segment { ends, keys, triangle_a: pair.ta, triangle_b: pair.tb });
    }

    /// Whether a line passes all edges of a triangle on the right side; doubtful if none surely says no.
    fn pierces(&mut self, sides: [(bool, bool); 3]) -> bool {
        self.doubtful |= sides.iter().all(|(right, sure)| *right || !sure) && sides.iter().any(|s| !s.1);
        sides.iter().all(|s| s.0)
    }

    /// Joins segments that share a crossing.
    pub(crate) fn join(&mut self, a: &TriMesh, b: &TriMesh) {
        let n = self.segments.len();
        self.keyed.clear();
        for (i, s) in self.segments.iter().enumerate() {
            self.keyed.extend(s.keys.map(|k| (k, crate::error::count(i))));
        }
        self.keyed.sort_unstable();
        self.doubtful |= a.crowded + b.crowded == 0
            && self.keyed.chunk_by(|p, q| p.0 == q.0).any(|same| same.len() != ways(same[0].0, a, b));
        self.parent.clear();
        self.parent.extend(0..crate::error::count(n));
        for w in self.keyed.windows(2) {
            if w[0].0 == w[1].0 {
                let (i, j) = (root(&mut self.parent, w[0].1), root(&mut self.parent, w[1].1));
                // the lower index leads, so that numbering follows first appearance
                self.parent[i.max(j) as usize] = i.min(j);
            }
        }
        for i in 0..n {
            let r = root(&mut self.parent, crate::error::count(i)) as usize;
            if r == i {
                self.contour.push(self.count);
                self.count += 1;
            } else {
                self.contour.push(self.contour[r]);
            }
        }
    }
}

pub(crate) fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// Whether edge k of a triangle runs from its lower to its higher vertex.
fn orders(mesh: &TriMesh, t: u32) -> [bool; 3] {
    let c = mesh.triangles[t as usize];
    [c[0] < c[1], c[1] < c[2], c[2] < c[0]]
}

fn ends(p: &[Vec3; 3], k: usize, order: bool) -> (Vec3, Vec3) {
    let (u, v) = (p[k], p[(k + 1) % 3]);
    if order { (u, v) } else { (v, u) }
}

fn key(edge: u32, triangle: u32, of_b: bool) -> u64 {
    u64::from(of_b) << 63 | u64::from(edge) << 32 | u64::from(triangle)
}

/// How many segments end at a crossing: one on a border, else two.
fn ways(key: u64, a: &TriMesh, b: &TriMesh) -> usize {
    let mesh = if key >> 63 == 1 { b } else { a };
    let edge = (key >> 32) as usize & 0x7fff_ffff;
    1 + usize::from(mesh.edges[edge].triangles[1] != NONE)
}

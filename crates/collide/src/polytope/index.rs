//! What a polyhedron of many faces keeps so that it need not be walked whole: trees of balls over vertices, normals and
//! planes and edges, a map of directions, and numbers that are the same at every pose.
//!
//! A support vertex is found by climbing: from the vertex that the map has for the cell of the direction (cells of a cube's faces), along edges
//! to where no neighbour is higher, then over all vertices within [`LEVEL`] of that height that edges join to it. On a convex polyhedron the
//! vertices above any height hang together, and faces that were merged are flat to a tenth of [`LEVEL`]; so the first of the highest is
//! among them, and the answer is that of a plain loop, to the bit.
//!
//! Left out for small ones, where a plain loop is quicker.

use super::{Face, Polytope};
use crate::aabb::Aabb;
use crate::balls::{Balls, Point};
use crate::error::count;
use crate::rigid::Vec3;

/// From this many vertices or faces on a tree pays.
const MANY: usize = 24;
/// Cells along the side of a face of the map of directions: some ten degrees each.
const CELLS: usize = 8;
/// Relative to the size: vertices that may be as high as the highest. Ten times what merged faces are out of their plane at most.
const LEVEL: f64 = 1e-7;
/// Vertices of one level that are looked at one by one; of more, as on the rim of a fine cap, the tree finds the first.
const ROOM: usize = 24;

/// See the module.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Index {
    vertices: Balls,
    normals: Balls,
    planes: Balls,
    /// Vertices that an edge joins to vertex i: `around[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    around: Vec<u32>,
    /// A support vertex of the middle of each cell of directions.
    map: Vec<u32>,
    /// Over the middles of edges, and the length of the longest.
    middles: Balls,
    longest: f64,
    /// Radius of the ball around the origin that holds all.
    pub(crate) size: f64,
    /// Mean of the vertices.
    pub(crate) middle: Vec3,
    /// The box around all, in its own axes.
    pub(crate) bounds: Aabb,
}

fn direction(d: &Vec3) -> Point {
    [d.x, d.y, d.z, 0.0]
}

/// A plane as a point: normals times the size are lengths like offsets, or balls around them would be far too wide.
fn plane(f: &Face, size: f64) -> Point {
    [size * f.normal.x, size * f.normal.y, size * f.normal.z, f.offset]
}

/// The vertices next to each, as ranges of one list.
fn neighbours(p: &Polytope) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0_u32; p.vertices.len() + 1];
    p.edges.iter().flat_map(|e| e.ends).for_each(|i| first[i as usize + 1] += 1);
    for i in 0..p.vertices.len() {
        first[i + 1] += first[i];
    }
    let mut around = vec![0_u32; 2 * p.edges.len()];
    let mut at = first.clone();
    for e in &p.edges {
        for (i, j) in [(e.ends[0], e.ends[1]), (e.ends[1], e.ends[0])] {
            around[at[i as usize] as usize] = j;
            at[i as usize] += 1;
        }
    }
    (first, around)
}

/// The cell of a direction on the faces of a cube; none if it is no direction.
#[inline]
fn cell_of(d: &Vec3) -> Option<usize> {
    let size = d.abs();
    let axis = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
    let (along, across) = (d[axis], [d[(axis + 1) % 3], d[(axis + 2) % 3]]);
    if !(along.abs() > 0.0 && along.is_finite()) {
        return None;
    }
    let side = usize::from(along > 0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to CELLS")]
    let [u, v] = across.map(|c| ((0.5 * (c / along.abs() + 1.0) * CELLS as f64) as usize).min(CELLS - 1));
    Some(((2 * axis + side) * CELLS + u) * CELLS + v)
}

/// The direction in the middle of a cell.
fn middle_of(cell: usize) -> Vec3 {
    let (face, u, v) = (cell / (CELLS * CELLS), cell / CELLS % CELLS, cell % CELLS);
    let mut d = Vec3::zeros();
    d[face / 2] = if face % 2 == 1 { 1.0 } else { -1.0 };
    d[(face / 2 + 1) % 3] = 2.0 * (u as f64 + 0.5) / CELLS as f64 - 1.0;
    d[(face / 2 + 2) % 3] = 2.0 * (v as f64 + 0.5) / CELLS as f64 - 1.0;
    d
}

impl Index {
    /// Of a polyhedron whose edges are linked; none for a small one.
    pub(crate) fn new(p: &Polytope) -> Option<Box<Self>> {
        if p.vertices.len().max(p.faces.len()) < MANY {
            return None;
        }
        let size = p.radius();
        let vertices: Vec<Point> = p.vertices.iter().map(direction).collect();
        let normals: Vec<Point> = p.faces.iter().map(|f| direction(&f.normal)).collect();
        let planes: Vec<Point> = p.faces.iter().map(|f| plane(f, size)).collect();
        let (first, around) = neighbours(p);
        let mut index = Box::new(Self {
            first,
            around,
            map: Vec::new(),
            vertices: Balls::new(&vertices),
            normals: Balls::new(&normals),
            planes: Balls::new(&planes),
            size,
            middle: p.mean(),
            bounds: Aabb::of(&p.vertices),
            middles: Balls::new(&p.edges.iter().map(|e| direction(&p.between(e))).collect::<Vec<_>>()),
            longest: p.edges.iter().map(|e| p.length(e)).fold(0.0, f64::max),
        });
        // each from the one before, which is near
        let mut at = 0;
        let mut next = |cell: usize| {
            at = index.climb(p, &middle_of(cell), at);
            count(at)
        };
        index.map = (0..6 * CELLS * CELLS).map(&mut next).collect();
        Some(index)
    }

    /// The first vertex that is farthest along `d`.
    #[inline]
    pub(crate) fn support_vertex(&self, p: &Polytope, d: &Vec3) -> usize {
        let Some(&from) = cell_of(d).and_then(|cell| self.map.get(cell)) else { return self.by_tree(p, d) };
        let top = self.climb(p, d, from as usize);
        let (mut best, mut height) = (top, p.vertices[top].dot(d));
        let floor = height - LEVEL * self.size * d.norm();
        let (mut level, mut found, mut at) = ([0_u32; ROOM], 1, 0);
        level[0] = count(top);
        while at < found {
            for &j in self.around(level[at] as usize) {
                let h = p.vertices[j as usize].dot(d);
                if h < floor || level[..found].contains(&j) {
                    continue;
                }
                if found == ROOM {
                    return self.by_tree(p, d);
                }
                level[found] = j;
                found += 1;
                if h > height || (h == height && (j as usize) < best) {
                    (best, height) = (j as usize, h);
                }
            }
            at += 1;
        }
        best
    }

    /// The same by the tree of balls.
    fn by_tree(&self, p: &Polytope, d: &Vec3) -> usize {
        self.vertices.greatest(&direction(d), |i| p.vertices[i as usize].dot(d)).0 as usize
    }

    #[inline]
    fn around(&self, i: usize) -> &[u32] {
        &self.around[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// A support vertex by walking uphill from another: quick from near by. Of vertices as high as each other to rounding it
    /// is whichever the way leads to.
    #[inline]
    pub(crate) fn climb(&self, p: &Polytope, d: &Vec3, from: usize) -> usize {
        let (mut at, mut height) = (from, p.vertices[from].dot(d));
        loop {
            let here = at;
            for &j in self.around(here) {
                let h = p.vertices[j as usize].dot(d);
                if h > height {
                    (at, height) = (j as usize, h);
                }
            }
            if at == here {
                return at;
            }
        }
    }

    #[inline]
    pub(crate) fn support_face(&self, p: &Polytope, d: &Vec3) -> usize {
        self.normals.greatest(&direction(d), |i| p.faces[i as usize].normal.dot(d)).0 as usize
    }

    /// The direction along which a plane's point is as far as q is outside of it.
    fn seen_from(&self, q: &Vec3) -> Point {
        [q.x / self.size, q.y / self.size, q.z / self.size, -1.0]
    }

    /// The face whose plane a point is farthest outside of, or least deep under, and by how much.
    #[inline]
    pub(crate) fn outermost(&self, p: &Polytope, q: &Vec3) -> (u32, f64) {
        self.planes.greatest(&self.seen_from(q), |i| {
            let f = &p.faces[i as usize];
            f.normal.dot(q) - f.offset
        })
    }

    /// Vertices that may reach `floor` along `d`, in their order.
    pub(crate) fn vertices_beyond(&self, d: &Vec3, floor: f64, out: &mut Vec<u32>) {
        self.vertices.at_least(&[(direction(d), floor)], out);
    }

    /// Edges whose lower end may come within `share` of their length of `top` along `d`, in their order.
    pub(crate) fn edges_near_top(&self, d: &Vec3, top: f64, share: f64, out: &mut Vec<u32>) {
        self.middles.at_least(&[(direction(d), top - share * self.longest)], out);
    }

    /// Faces that every one of some points may be outside of by at least `floor`, in their order.
    pub(crate) fn faces_beyond(&self, points: &[Vec3; 2], floor: f64, out: &mut Vec<u32>) {
        let asked = points.map(|q| (self.seen_from(&q), floor));
        self.planes.at_least(&asked, out);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry3, Vector3};

    use super::*;
    use crate::contact::Raw;
    use crate::pair;
    use crate::rigid::Rigid;
    use crate::shape::{Kind, Shape};

    /// Steele's splitmix.
    struct Rng(u64);

    impl Rng {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// Nearly, which is enough here.
        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
        }
    }

    /// A pebble of many facets: points on an ellipsoid, some drawn inwards.
    fn pebble(rng: &mut Rng, points: usize) -> Shape {
        let semi = Vector3::new(0.05 + 0.1 * rng.unit(), 0.05 + 0.1 * rng.unit(), 0.05 + 0.1 * rng.unit());
        let cloud: Vec<Vec3> = (0..points)
            .map(|_| {
                let d = Vec3::new(rng.normal(), rng.normal(), rng.normal()).normalize();
                d.component_mul(&semi) * (0.98 + 0.02 * rng.unit())
            })
            .collect();
        Shape::convex_hull(&cloud).unwrap()
    }

    fn plain(shape: &Shape) -> Shape {
        let Kind::Convex(solid) = &shape.kind else { return shape.clone() };
        Shape::convex(Polytope { index: None, ..solid.polytope.clone() })
    }

    #[test]
    fn a_direction_lies_in_the_cell_whose_middle_it_is() {
        for cell in 0..6 * CELLS * CELLS {
            assert_eq!(cell_of(&middle_of(cell)), Some(cell));
        }
        assert_eq!(cell_of(&Vec3::zeros()), None);
        assert_eq!(cell_of(&Vec3::new(f64::NAN, 0.0, 0.0)), None);
    }

    /// Climbing finds the vertex that a loop over all finds: along any direction, square to edges and faces, and where a cap has
    /// more corners than are looked at one by one.
    #[test]
    fn climbing_finds_what_a_loop_finds() {
        let mut rng = Rng(5);
        let mut solids: Vec<Polytope> =
            [12, 24, 25, 40, 200].map(|n| Polytope::prism(n, 0.05, 0.1).unwrap()).into();
        for points in [30, 60, 200, 800] {
            let Kind::Convex(solid) = pebble(&mut rng, points).kind else { unreachable!("a hull") };
            solids.push(solid.polytope.clone());
        }
        let mut asked = 0;
        for p in &solids {
            let index = p.index.as_ref().expect("large");
            let mut ask = |d: Vec3| {
                let height = |i: usize| p.vertices[i].dot(&d);
                let plain = (1..p.vertices.len()).fold(0, |b, i| if height(i) > height(b) { i } else { b });
                assert_eq!(index.support_vertex(p, &d), plain, "{d:?}");
                asked += 1;
            };
            for _ in 0..2000 {
                ask(Vec3::new(rng.normal(), rng.normal(), rng.normal()));
            }
            p.faces.iter().for_each(|f| ask(f.normal));
            for e in &p.edges {
                let out = -(e.inward[0] + e.inward[1]);
                ask(out);
                ask((out + e.inward[0] * 0.3) * 1e-3);
                ask(e.dir * 1e3);
            }
            [Vec3::x(), -Vec3::y(), Vec3::z(), -Vec3::z()].into_iter().for_each(&mut ask);
        }
        assert!(asked > 20_000);
    }

    /// With and without the trees, from scratch and from the direction of the pose before: the same contacts.
    #[test]
    fn trees_change_nothing() {
        let mut rng = Rng(71);
        let (mut warm, mut cold) = (pair::PairScratch::default(), pair::PairScratch::default());
        let (mut touching, mut bits, mut all, mut worst) = (0, 0, 0, 0.0_f64);
        for case in 0..60 {
            let a = pebble(&mut rng, 40 + 5 * case);
            let b = match case % 4 {
                0 => Shape::cuboid(0.1, 0.04, 0.06).unwrap(),
                1 => Shape::capsule(0.1, 0.03).unwrap(),
                2 => Shape::plane(),
                _ => pebble(&mut rng, 300 - 4 * case),
            };
            let (pa, pb) = (plain(&a), plain(&b));
            let way = Vec3::new(rng.normal(), rng.normal(), rng.normal().abs()).normalize();
            let turn = Vec3::new(rng.normal(), rng.normal(), rng.normal());
            let mut hint = None;
            for k in 0..40 {
                // in from afar to a few centimetres deep
                let distance = 0.3 - 0.007 * f64::from(k);
                let pose = Isometry3::new(way * distance, turn * (1.0 + 0.01 * f64::from(k)));
                let (xa, xb) = (Rigid::new(&pose), Rigid::new(&Isometry3::identity()));
                let margin = 0.004;
                let ask = |scratch: &mut pair::PairScratch, a: &Shape, b: &Shape, hint| {
                    let mut out: Vec<Raw> = Vec::new();
                    scratch.expect(crate::near::Near::within(margin), hint);
                    pair::contacts(a, &xa, b, &xb, margin, scratch, &mut out);
                    out
                };
                let from_hint = ask(&mut warm, &a, &b, hint);
                hint = warm.hint();
                let fresh = ask(&mut cold, &a, &b, None);
                let whole = ask(&mut cold, &pa, &pb, None);
                assert_eq!(from_hint.len(), whole.len(), "case {case}, pose {k}");
                assert_eq!(fresh, from_hint, "what is remembered changes nothing: case {case}, pose {k}");
                touching += usize::from(!whole.is_empty());
                for (x, y) in whole.iter().zip(&fresh) {
                    assert_eq!(x.key, y.key, "case {case}, pose {k}");
                    all += 1;
                    bits += usize::from(x.gap == y.gap && x.point == y.point && x.normal == y.normal);
                    let off = (x.point - y.point).amax().max((x.gap - y.gap).abs());
                    worst = worst.max(off.max((x.normal - y.normal).amax()));
                }
            }
        }
        println!(
            "{touching} touching poses, {bits} of {all} contacts the same to the bit, the others within {worst:.1e}"
        );
        // metres and unit vectors: an axis across two edges, found among all pairs or from a rough direction
        assert!(worst <= 1e-12 && touching > 400);
    }
}

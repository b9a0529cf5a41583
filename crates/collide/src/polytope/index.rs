//! What a polyhedron of many faces keeps so that it need not be walked whole: trees of balls over vertices, normals and
//! planes and edges, and numbers that are the same at every pose.
//!
//! Left out for small ones, where a plain loop is quicker.

use super::{Face, Polytope};
use crate::aabb::Aabb;
use crate::balls::{Balls, Point};
use crate::rigid::Vec3;

/// From this many vertices or faces on a tree pays.
const MANY: usize = 24;
/// See the module.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Index {
    vertices: Balls,
    normals: Balls,
    planes: Balls,
    /// Vertices that an edge joins to vertex i: `around[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    around: Vec<u32>,
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
        Some(Box::new(Self {
            first,
            around,
            vertices: Balls::new(&vertices),
            normals: Balls::new(&normals),
            planes: Balls::new(&planes),
            size,
            middle: p.mean(),
            bounds: Aabb::of(&p.vertices),
            middles: Balls::new(&p.edges.iter().map(|e| direction(&p.between(e))).collect::<Vec<_>>()),
            longest: p.edges.iter().map(|e| p.length(e)).fold(0.0, f64::max),
        }))
    }

    #[inline]
    pub(crate) fn support_vertex(&self, p: &Polytope, d: &Vec3) -> usize {
        self.vertices.greatest(&direction(d), |i| p.vertices[i as usize].dot(d)).0 as usize
    }

    /// A support vertex by walking uphill from another: quick from near by. Of vertices as high as each other to rounding it
    /// is whichever the way leads to.
    #[inline]
    pub(crate) fn climb(&self, p: &Polytope, d: &Vec3, from: usize) -> usize {
        let (mut at, mut height) = (from, p.vertices[from].dot(d));
        loop {
            let here = at;
            for &j in &self.around[self.first[here] as usize..self.first[here + 1] as usize] {
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

    /// With and without the trees, from scratch and from the direction of the pose before: the same contacts.
    #[test]
    fn trees_change_nothing() {
        let mut rng = Rng(71);
        let (mut warm, mut cold) = (pair::Scratch::default(), pair::Scratch::default());
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
                let ask = |scratch: &mut pair::Scratch, a: &Shape, b: &Shape, hint| {
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

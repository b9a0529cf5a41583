//! A binary tree of axis-aligned boxes: the broad phase over bodies, and the inside of every mesh.
//!
//! Built top down by splitting at the median centre along the widest axis: O(n log n) with any input,
//! depth at most log2(n) + 1, so a hostile mesh cannot make it deep. Ties go to the lower index, so
//! the same boxes give the same tree to the bit. Rebuilding reuses every allocation: a thousand moving
//! bodies are cheaper to rebuild than to refit and repair.
//!
//! Departure from the plan of using parry's tree: one own tree serves both uses, is traversed in pairs under a
//! rigid motion without copying boxes, and allocates nothing when rebuilt.
//!
//! A mesh's tree also bounds the directions its surface looks in, by a cone per node: two parts that do not look at each other
//! cannot be near each other without cutting, so with a margin only parts that meet or face each other are visited.

use nalgebra::Matrix3;

use crate::aabb::Aabb;
use crate::look::{Cone, Look};
use crate::near::{Bound, Near};
use crate::rigid::{Rigid, Vec3, greater};
use crate::tolerances::BOX_ROUNDING;

/// Primitives per leaf: with two, leaf overhead and wasted pair tests balance on ring meshes.
const LEAF: usize = 2;

#[derive(Debug, Clone, Copy)]
struct Node {
    center: Vec3,
    half: Vec3,
    /// Leaf: index into `items`. Branch: index of the right child (the left child is next in line).
    link: u32,
    /// Number of items; 0 for a branch.
    count: u32,
}

impl Node {
    fn aabb(&self) -> Aabb {
        Aabb::around(self.center, self.half)
    }
}

/// The tree; `items` are the primitives' indices in leaf order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    items: Vec<u32>,
    /// Where each node's items look, and each item; empty if nobody said.
    looks: Vec<Look>,
    item_looks: Vec<Look>,
}

/// Pairs of node indices still to visit.
pub(crate) type Stack = Vec<(u32, u32)>;
/// The same of two trees, with how near contacts are sought there.
pub(crate) type Visits = Vec<(u32, u32, Bound)>;

impl Tree {
    pub(crate) fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self::default();
        tree.rebuild(boxes);
        tree
    }

    /// A tree that knows where its items look: within a cone each, up to `slack` radians.
    pub(crate) fn with_cones(boxes: &[Aabb], cones: &[Cone], slack: f64) -> Self {
        let mut tree = Self::new(boxes);
        let mut wide = vec![Cone::ALL; tree.nodes.len()];
        // children come after their parents
        for i in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[i];
            let join = |c: Option<Cone>, d: &Cone| Some(c.map_or(*d, |c| c.join(d)));
            let cone = if node.count == 0 {
                Some(wide[i + 1].join(&wide[node.link as usize]))
            } else {
                tree.leaf_items(node).iter().fold(None, |c, &k| join(c, &cones[k as usize]))
            };
            wide[i] = cone.unwrap_or(Cone::ALL);
        }
        tree.looks = wide.iter().map(|c| Look::new(c, slack)).collect();
        tree.item_looks = cones.iter().map(|c| Look::new(c, slack)).collect();
        tree
    }

    /// Builds the tree anew over these boxes, which must be finite.
    pub(crate) fn rebuild(&mut self, boxes: &[Aabb]) {
        self.nodes.clear();
        self.looks.clear();
        self.item_looks.clear();
        self.items.clear();
        self.items.extend(0..crate::error::count(boxes.len()));
        if !boxes.is_empty() {
            self.build(boxes, 0, boxes.len());
        }
    }

    fn build(&mut self, boxes: &[Aabb], from: usize, to: usize) {
        let at = self.nodes.len();
        let items = &mut self.items[from..to];
        let all = items.iter().fold(Aabb::EMPTY, |b, &i| b.join(&boxes[i as usize]));
        // rounding of the centre must not shave the box: grow by a few units in the last place
        let half = all.half() + (all.center().abs() + all.half()) * (BOX_ROUNDING);
        let count = if to - from <= LEAF { crate::error::count(to - from) } else { 0 };
        self.nodes.push(Node { center: all.center(), half, link: crate::error::count(from), count });
        if count > 0 {
            return;
        }
        let doubled = |i: u32| boxes[i as usize].lo + boxes[i as usize].hi;
        let spread = items
            .iter()
            .map(|&i| doubled(i))
            .fold(Aabb::EMPTY, |b, p| Aabb { lo: b.lo.inf(&p), hi: b.hi.sup(&p) });
        let axis = (spread.hi - spread.lo).imax();
        let middle = (to - from) / 2;
        items.select_nth_unstable_by(middle, |&i, &j| {
            doubled(i)[axis].total_cmp(&doubled(j)[axis]).then(i.cmp(&j))
        });
        self.build(boxes, from, from + middle);
        self.nodes[at].link = crate::error::count(self.nodes.len());
        self.build(boxes, from + middle, to);
    }

    /// The box around everything; empty for no items.
    pub(crate) fn root(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, Node::aabb)
    }

    fn leaf_items(&self, node: &Node) -> &[u32] {
        &self.items[node.link as usize..(node.link + node.count) as usize]
    }

    /// Every unordered pair of items whose leaves' boxes meet; the caller tests the items' own boxes.
    pub(crate) fn self_pairs(&self, stack: &mut Stack, mut found: impl FnMut(u32, u32)) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            if i == j {
                if a.count > 0 {
                    let items = self.leaf_items(a);
                    for k in 0..items.len() {
                        for &other in &items[k + 1..] {
                            found(items[k], other);
                        }
                    }
                } else {
                    stack.extend([(i + 1, i + 1), (a.link, a.link), (i + 1, a.link)]);
                }
                continue;
            }
            if !meets(&a.center, &a.half, &b.center, &b.half) {
                continue;
            }
            match (a.count, b.count) {
                (0, 0) if a.half.sum() >= b.half.sum() => stack.extend([(i + 1, j), (a.link, j)]),
                (0, m) if m > 0 => stack.extend([(i + 1, j), (a.link, j)]),
                (_, 0) => stack.extend([(i, j + 1), (i, b.link)]),
                _ => {
                    for &p in self.leaf_items(a) {
                        for &q in self.leaf_items(b) {
                            found(p, q);
                        }
                    }
                }
            }
        }
    }

    /// Whether item i looks at item j of the other tree turned by r; true unless known better.
    #[inline]
    pub(crate) fn faces(&self, i: u32, other: &Self, j: u32, r: &Matrix3<f64>) -> bool {
        match (self.item_looks.get(i as usize), other.item_looks.get(j as usize)) {
            (Some(p), Some(q)) => p.faces(q, r),
            _ => true,
        }
    }

    /// Every pair (item of self, item of other moved by `x`) whose leaves meet, or come as near as contacts are sought there and face each
    /// other, with how near that is; `near` in the axes of this tree.
    pub(crate) fn pairs(
        &self,
        other: &Self,
        x: &Rigid,
        near: &Near,
        stack: &mut Visits,
        mut found: impl FnMut(u32, u32, f64),
    ) {
        stack.clear();
        if !self.nodes.is_empty() && !other.nodes.is_empty() {
            stack.push((0, 0, near.anywhere()));
        }
        let rotation = x.r.abs();
        while let Some((i, j, mut bound)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            // both boxes' axes are tried: a box of one tree, seen from the other, is fat along diagonals
            let at = x.point(&b.center);
            let d = at - a.center;
            let along_a = beyond(&d, &a.half, &(rotation * b.half));
            if along_a > bound.near {
                continue;
            }
            let first = a.half.sum() >= b.half.sum();
            if !bound.settled {
                let (centre, half) = if first { (&at, &b.half) } else { (&a.center, &a.half) };
                bound = near.around(centre, half.norm(), bound);
            }
            let along_b = beyond(&x.inv_dir(&d), &b.half, &rotation.tr_mul(&a.half));
            if greater(along_a, along_b) > bound.near {
                continue;
            }
            if (along_a > 0.0 || along_b > 0.0)
                && let (Some(p), Some(q)) = (self.looks.get(i as usize), other.looks.get(j as usize))
                && !p.faces(q, &x.r)
            {
                continue;
            }
            match (a.count, b.count) {
                (0, 0) if first => stack.extend([(i + 1, j, bound), (a.link, j, bound)]),
                (0, m) if m > 0 => stack.extend([(i + 1, j, bound), (a.link, j, bound)]),
                (_, 0) => stack.extend([(i, j + 1, bound), (i, b.link, bound)]),
                _ => {
                    for &p in self.leaf_items(a) {
                        for &q in other.leaf_items(b) {
                            found(p, q, bound.near);
                        }
                    }
                }
            }
        }
    }

    /// Every item whose leaf's box meets `query`.
    pub(crate) fn query(&self, query: &Aabb, stack: &mut Stack, mut found: impl FnMut(u32)) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, _)) = stack.pop() {
            let node = &self.nodes[i as usize];
            if !node.aabb().meets(query) {
                continue;
            }
            if node.count == 0 {
                stack.extend([(i + 1, 0), (node.link, 0)]);
            } else {
                self.leaf_items(node).iter().for_each(|&p| found(p));
            }
        }
    }

    /// Visits items in boxes nearer than the best squared distance so far; `visit` returns the new best.
    pub(crate) fn nearest(
        &self,
        p: &Vec3,
        mut best: f64,
        stack: &mut Stack,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, _)) = stack.pop() {
            let node = &self.nodes[i as usize];
            if node.aabb().distance_squared(p) > best {
                continue;
            }
            if node.count == 0 {
                // the nearer child last, so that it is popped first
                let (l, r) = (i + 1, node.link);
                let d = |k: u32| self.nodes[k as usize].aabb().distance_squared(p);
                if d(l) <= d(r) { stack.extend([(r, 0), (l, 0)]) } else { stack.extend([(l, 0), (r, 0)]) }
            } else {
                for &item in self.leaf_items(node) {
                    best = visit(item, best);
                }
            }
        }
    }

    /// Visits items in boxes the ray enters before `best`; `visit` returns the new best.
    pub(crate) fn ray(
        &self,
        o: &Vec3,
        d: &Vec3,
        mut best: f64,
        stack: &mut Stack,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        stack.clear();
        let inv = d.map(|x| 1.0 / x);
        if !self.nodes.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, _)) = stack.pop() {
            let node = &self.nodes[i as usize];
            if node.aabb().ray(o, &inv, best).is_none() {
                continue;
            }
            if node.count == 0 {
                stack.extend([(node.link, 0), (i + 1, 0)]);
            } else {
                for &item in self.leaf_items(node) {
                    best = visit(item, best);
                }
            }
        }
    }
}

/// By how much two boxes with centres d apart and half extents g and h are apart along some axis; negative where they meet.
#[inline]
fn beyond(d: &Vec3, g: &Vec3, h: &Vec3) -> f64 {
    let along = |k: usize| d[k].abs() - g[k] - h[k];
    greater(greater(along(0), along(1)), along(2))
}

#[inline]
fn meets(ca: &Vec3, ha: &Vec3, cb: &Vec3, hb: &Vec3) -> bool {
    (ca.x - cb.x).abs() <= ha.x + hb.x
        && (ca.y - cb.y).abs() <= ha.y + hb.y
        && (ca.z - cb.z).abs() <= ha.z + hb.z
}

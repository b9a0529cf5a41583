//! Signed distance by samples, with no code of the crate: distance to the triangles of a cell, side by the parity of crossings
//! of a ray. Distances are told up to a reach; beyond it they are the reach.

use super::Vec3;
use super::parts::Part;
use nalgebra::{Rotation3, Unit};

/// A closed mesh to be asked for distances.
pub(crate) struct Field {
    pub triangles: Vec<[Vec3; 3]>,
    boxes: Vec<(Vec3, Vec3)>,
    /// Metres: as far as distances are told.
    pub reach: f64,
    low: Vec3,
    cell: f64,
    counts: [usize; 3],
    /// Triangles within the reach of a cell, each with its distance from the cell's middle less half the cell's diagonal, nearest first.
    cells: Vec<Vec<(f64, u32)>>,
    turn: Rotation3<f64>,
    turned: Vec<[Vec3; 3]>,
    rays: Vec<Vec<u32>>,
    ray_low: [f64; 2],
    ray_cell: f64,
    ray_counts: [usize; 2],
}

fn bounds(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    points.fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(lo, hi), p| {
        (lo.inf(&p), hi.sup(&p))
    })
}

fn index(x: f64, low: f64, cell: f64, count: usize) -> usize {
    (((x - low) / cell).max(0.0) as usize).min(count - 1)
}

impl Field {
    pub(crate) fn new(part: &Part, reach: f64) -> Self {
        let triangles: Vec<[Vec3; 3]> =
            part.triangles.iter().map(|t| t.map(|v| part.vertices[v as usize])).collect();
        let (low, high) = bounds(part.vertices.iter().copied());
        let (low, high) = (low - Vec3::repeat(2.0 * reach), high + Vec3::repeat(2.0 * reach));
        let cell = ((high - low).max() / 40.0).max(reach);
        let counts = [0, 1, 2].map(|k| ((high[k] - low[k]) / cell) as usize + 1);
        let mut cells = vec![Vec::new(); counts[0] * counts[1] * counts[2]];
        for (t, c) in triangles.iter().enumerate() {
            let (lo, hi) = bounds(c.iter().copied());
            let from = [0, 1, 2].map(|k| index(lo[k] - reach, low[k], cell, counts[k]));
            let to = [0, 1, 2].map(|k| index(hi[k] + reach, low[k], cell, counts[k]));
            for i in from[0]..=to[0] {
                for j in from[1]..=to[1] {
                    for k in from[2]..=to[2] {
                        let middle = low + Vec3::new(i as f64 + 0.5, j as f64 + 0.5, k as f64 + 0.5) * cell;
                        let least = (nearest(&middle, c) - middle).norm() - 0.87 * cell;
                        if least < reach {
                            let entry = (least, u32::try_from(t).expect("few"));
                            cells[(i * counts[1] + j) * counts[2] + k].push(entry);
                        }
                    }
                }
            }
        }
        for c in &mut cells {
            c.sort_by(|p, q| p.0.total_cmp(&q.0));
        }
        // a direction that no part has an edge along
        let turn = Rotation3::from_axis_angle(&Unit::new_normalize(Vec3::new(0.31, -0.83, 0.57)), 1.234_567);
        let turned: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|p| turn * p)).collect();
        let (lo, hi) = bounds(turned.iter().flatten().copied());
        let ray_cell = (hi - lo).max() / 120.0;
        let ray_counts = [1, 2].map(|k| ((hi[k] - lo[k]) / ray_cell) as usize + 1);
        let mut rays = vec![Vec::new(); ray_counts[0] * ray_counts[1]];
        for (t, c) in turned.iter().enumerate() {
            let (l, h) = bounds(c.iter().copied());
            for i in index(l.y, lo.y, ray_cell, ray_counts[0])..=index(h.y, lo.y, ray_cell, ray_counts[0]) {
                for j in index(l.z, lo.z, ray_cell, ray_counts[1])..=index(h.z, lo.z, ray_cell, ray_counts[1])
                {
                    rays[i * ray_counts[1] + j].push(u32::try_from(t).expect("few"));
                }
            }
        }
        let ray_low = [lo.y, lo.z];
        let boxes = triangles.iter().map(|t| bounds(t.iter().copied())).collect();
        Self {
            triangles,
            boxes,
            reach,
            low,
            cell,
            counts,
            cells,
            turn,
            turned,
            rays,
            ray_low,
            ray_cell,
            ray_counts,
        }
    }

    /// Triangles within the reach of a point, and some more.
    pub(crate) fn near(&self, p: &Vec3) -> &[(f64, u32)] {
        let i = [0, 1, 2].map(|k| (p[k] - self.low[k]) / self.cell);
        if (0..3).any(|k| !(0.0..self.counts[k] as f64).contains(&i[k])) {
            return &[];
        }
        let [i, j, k] = i.map(|x| x as usize);
        &self.cells[(i * self.counts[1] + j) * self.counts[2] + k]
    }

    /// Metres, negative inside; farther than the reach on either side is the reach.
    pub(crate) fn signed(&self, p: &Vec3) -> f64 {
        self.lower(f64::INFINITY, p)
    }

    /// The lesser of f and the signed distance of p, which is looked for only as far as it can be that.
    pub(crate) fn lower(&self, f: f64, p: &Vec3) -> f64 {
        let near = self.near(p);
        if near.is_empty() {
            return f.min(self.reach);
        }
        let inside = self.inside(p);
        if !inside && f <= 0.0 {
            return f;
        }
        // nearer than `enough` nothing is learnt inside, farther than `far` nothing outside
        let far = if inside { self.reach } else { self.reach.min(f) };
        let enough = if inside { f.min(0.0).powi(2) } else { 0.0 };
        let mut best = far * far;
        for &(least, t) in near {
            // those that follow are farther still
            if best <= enough || least > 0.0 && least * least >= best {
                break;
            }
            let (lo, hi) = &self.boxes[t as usize];
            if (lo - p).sup(&(p - hi)).sup(&Vec3::zeros()).norm_squared() >= best {
                continue;
            }
            best = best.min((nearest(p, &self.triangles[t as usize]) - p).norm_squared());
        }
        let d = best.sqrt();
        // far from the surface on either side is far
        f.min(if d < self.reach && inside { -d } else { d })
    }

    /// Whether a ray crosses the surface an odd number of times.
    pub(crate) fn inside(&self, p: &Vec3) -> bool {
        let q = self.turn * p;
        let (i, j) = ((q.y - self.ray_low[0]) / self.ray_cell, (q.z - self.ray_low[1]) / self.ray_cell);
        if i < 0.0 || j < 0.0 || i as usize >= self.ray_counts[0] || j as usize >= self.ray_counts[1] {
            return false;
        }
        let list = &self.rays[i as usize * self.ray_counts[1] + j as usize];
        list.iter().filter(|&&t| crosses(&q, &self.turned[t as usize])).count() % 2 == 1
    }
}

/// Whether the ray from q along x meets a triangle.
fn crosses(q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let side = |u: &Vec3, v: &Vec3| (u.y - q.y) * (v.z - q.z) - (u.z - q.z) * (v.y - q.y);
    let (wa, wb, wc) = (side(b, c), side(c, a), side(a, b));
    let through = (wa > 0.0 && wb > 0.0 && wc > 0.0) || (wa < 0.0 && wb < 0.0 && wc < 0.0);
    through && (wa * a.x + wb * b.x + wc * c.x) / (wa + wb + wc) > q.x
}

/// The point of a triangle nearest p: the plane's, or that of the three sides.
pub(crate) fn nearest(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let n = (b - a).cross(&(c - a));
    let n2 = n.norm_squared();
    let q = p - n * (n.dot(&(p - a)) / n2.max(1e-300));
    let within = |u: &Vec3, v: &Vec3| n.dot(&(v - u).cross(&(q - u))) >= 0.0;
    if n2 > 0.0 && within(a, b) && within(b, c) && within(c, a) {
        return q;
    }
    let on = |u: &Vec3, v: &Vec3| {
        let d = v - u;
        u + d * (d.dot(&(p - u)) / d.norm_squared().max(1e-300)).clamp(0.0, 1.0)
    };
    [on(a, b), on(b, c), on(c, a)]
        .into_iter()
        .min_by(|x, y| (x - p).norm_squared().total_cmp(&(y - p).norm_squared()))
        .expect("three sides")
}

/// Points of a triangle, no farther apart than the spacing; its edges finer by a factor.
pub(crate) fn sample(
    t: &[Vec3; 3],
    spacing: f64,
    finer: f64,
    keep: impl Fn(&Vec3) -> bool,
    out: &mut Vec<Vec3>,
) {
    let [a, b, c] = t;
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let n = ((longest / spacing).ceil() as usize).clamp(1, 200);
    for i in 0..=n {
        for j in 0..=n - i {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            let p = a + (b - a) * u + (c - a) * v;
            if keep(&p) {
                out.push(p);
            }
        }
    }
    for (u, v) in [(a, b), (b, c), (c, a)] {
        let m = (finer * (v - u).norm() / spacing).ceil().clamp(1.0, 400.0) as usize;
        out.extend((0..=m).map(|k| u + (v - u) * (k as f64 / m as f64)).filter(&keep));
    }
}

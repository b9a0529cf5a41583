//! A tree of balls over points in four dimensions, for the greatest value of a linear function and for all that reach a floor.
//!
//! Every question a large convex polyhedron is asked is of this kind:
//! ```text
//!     support vertex along d            max  d·v            points (v, 0)
//!     face that looks along d           max  d·m            points (m, 0)
//!     faces a point q may leave by      m·q - offset ≥ c    points (l m, offset), direction (q / l, -1), l the size
//! ```
//! A ball of centre c and radius r holds no point beyond d·c + |d| r. The tree only leaves out; values are the caller's own
//! arithmetic, item by item, and the first of equals wins: answers are those of a plain loop over all items, to the bit.

/// Items per leaf: a bound costs about as much as three values.
const LEAF: usize = 6;
/// Deepest stack: twice the depth of a tree halved at every level, over u32 items.
const STACK: usize = 96;
/// Rounding of a bound, relative to its largest term: some dozens of units in the last place.
const SLACK: f64 = 1e-14;

pub(crate) type Point = [f64; 4];

#[derive(Debug, Clone, Copy, PartialEq)]
struct Ball {
    center: Point,
    radius: f64,
    /// Leaf: first of its items. Branch: index of the right child; the left one is next in line.
    link: u32,
    /// Number of items; 0 for a branch.
    count: u32,
}

/// The tree; `items` are indices in leaf order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Balls {
    nodes: Vec<Ball>,
    items: Vec<u32>,
    /// Largest distance of a ball's far side from the origin: the unit of rounding.
    reach: f64,
}

#[inline]
fn dot(a: &Point, b: &Point) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

impl Balls {
    /// Over some points, split at the median of their widest axis.
    pub(crate) fn new(points: &[Point]) -> Self {
        let mut balls = Self { items: (0..crate::error::count(points.len())).collect(), ..Self::default() };
        if !points.is_empty() {
            balls.build(points, 0, points.len());
        }
        balls.reach =
            balls.nodes.iter().map(|b| dot(&b.center, &b.center).sqrt() + b.radius).fold(0.0, f64::max);
        balls
    }

    fn build(&mut self, points: &[Point], from: usize, to: usize) {
        let items = &mut self.items[from..to];
        let (mut lo, mut hi) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
        for &i in items.iter() {
            for k in 0..4 {
                lo[k] = lo[k].min(points[i as usize][k]);
                hi[k] = hi[k].max(points[i as usize][k]);
            }
        }
        let center: Point = std::array::from_fn(|k| 0.5 * (lo[k] + hi[k]));
        let away = |i: &u32| {
            let d: Point = std::array::from_fn(|k| points[*i as usize][k] - center[k]);
            dot(&d, &d)
        };
        let radius = items.iter().map(away).fold(0.0, f64::max).sqrt();
        let (at, leaf) = (self.nodes.len(), to - from <= LEAF);
        let count = if leaf { crate::error::count(to - from) } else { 0 };
        self.nodes.push(Ball { center, radius, link: crate::error::count(from), count });
        if leaf {
            // in their own order, so that the first of equals is met first
            self.items[from..to].sort_unstable();
            return;
        }
        let axis = (0..4).max_by(|&j, &k| (hi[j] - lo[j]).total_cmp(&(hi[k] - lo[k]))).unwrap_or(0);
        let middle = (to - from) / 2;
        items.select_nth_unstable_by(middle, |&i, &j| {
            points[i as usize][axis].total_cmp(&points[j as usize][axis]).then(i.cmp(&j))
        });
        self.build(points, from, from + middle);
        self.nodes[at].link = crate::error::count(self.nodes.len());
        self.build(points, from + middle, to);
    }

    /// The first item of the greatest value, and the value; `value` is linear along `d`. Item 0 where nothing compares.
    #[inline]
    pub(crate) fn greatest(&self, d: &Point, value: impl Fn(u32) -> f64) -> (u32, f64) {
        let length = dot(d, d).sqrt();
        let slack = SLACK * length * self.reach;
        let bound = |n: u32| {
            let ball = &self.nodes[n as usize];
            dot(d, &ball.center) + length * ball.radius + slack
        };
        let mut best = (u32::MAX, f64::NEG_INFINITY);
        let mut stack = [(0_u32, f64::INFINITY); STACK];
        let mut top = usize::from(!self.nodes.is_empty());
        while top > 0 {
            top -= 1;
            let (n, most) = stack[top];
            if most < best.1 {
                continue;
            }
            let node = &self.nodes[n as usize];
            if node.count > 0 {
                for &i in &self.items[node.link as usize..(node.link + node.count) as usize] {
                    let h = value(i);
                    if h > best.1 || (h == best.1 && i < best.0) {
                        best = (i, h);
                    }
                }
                continue;
            }
            let (left, right) = ((n + 1, bound(n + 1)), (node.link, bound(node.link)));
            // the more promising one last, so that it is looked at first
            let (first, second) = if left.1 >= right.1 { (left, right) } else { (right, left) };
            stack[top] = second;
            stack[top + 1] = first;
            top += 2;
        }
        if best.0 == u32::MAX { (0, best.1) } else { best }
    }

    /// Every item that may reach its floor along all of some directions, in the order of items: those of balls that do.
    pub(crate) fn at_least<const N: usize>(&self, asked: &[(Point, f64); N], out: &mut Vec<u32>) {
        out.clear();
        let lengths = asked.map(|(d, _)| dot(&d, &d).sqrt());
        let slack = SLACK * self.reach;
        let mut stack = [0_u32; STACK];
        let mut top = usize::from(!self.nodes.is_empty());
        while top > 0 {
            top -= 1;
            let n = stack[top];
            let node = &self.nodes[n as usize];
            let reaches = asked.iter().zip(&lengths).all(|((d, floor), length)| {
                let most = dot(d, &node.center) + length * (node.radius + slack);
                // a floor that is no number leaves nothing out
                most >= *floor || most.is_nan() || floor.is_nan()
            });
            if !reaches {
                continue;
            }
            if node.count > 0 {
                out.extend_from_slice(&self.items[node.link as usize..(node.link + node.count) as usize]);
            } else {
                stack[top] = node.link;
                stack[top + 1] = n + 1;
                top += 2;
            }
        }
        out.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a grid, many of them equal in value along the axes: ties are the rule.
    fn cloud() -> Vec<Point> {
        (0..700_u32)
            .map(|i| [f64::from(i % 9) - 4.0, f64::from(i / 9 % 8) - 3.0, f64::from(i % 5), f64::from(i % 3)])
            .collect()
    }

    #[test]
    fn answers_are_those_of_a_plain_loop() {
        let points = cloud();
        let balls = Balls::new(&points);
        for k in 0..400 {
            let t = f64::from(k);
            let d = match k % 4 {
                0 => [1.0, 0.0, 0.0, 0.0],
                1 => [0.0, -1.0, 0.0, 0.0],
                2 => [t.sin(), t.cos(), 0.0, 0.0],
                _ => [t.sin(), (1.7 * t).cos(), (2.3 * t).sin(), (0.3 * t).cos()],
            };
            let value = |i: u32| dot(&points[i as usize], &d);
            let mut plain = (0, f64::NEG_INFINITY);
            for i in 0..700_u32 {
                if value(i) > plain.1 {
                    plain = (i, value(i));
                }
            }
            assert_eq!(balls.greatest(&d, value), plain, "direction {d:?}");
            let mut found = Vec::new();
            balls.at_least(&[(d, plain.1 - 1.0)], &mut found);
            assert!(found.is_sorted() && found.len() < points.len());
            let wanted = (0..700_u32).filter(|&i| value(i) >= plain.1 - 1.0);
            assert!(wanted.into_iter().all(|i| found.contains(&i)));
        }
    }

    #[test]
    fn nothing_compares_gives_the_first() {
        let balls = Balls::new(&cloud());
        assert_eq!(balls.greatest(&[f64::NAN; 4], |_| f64::NAN).0, 0);
        assert_eq!(Balls::new(&[]).greatest(&[1.0; 4], |_| 0.0).0, 0);
    }
}

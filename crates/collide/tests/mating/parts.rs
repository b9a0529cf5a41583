//! Machine parts as closed meshes: threads, gears, saddles, tori, in metres.

use std::f64::consts::TAU;

use gudgeon_collide::Gear;

use super::Vec3;

/// Vertices and outward triangles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// A trapezoidal thread: radii of root and crest, pitch, slope of the flanks in radians, how wide the crest is, length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread {
    pub root: f64,
    pub crest: f64,
    pub pitch: f64,
    pub flank: f64,
    pub crest_width: f64,
    pub length: f64,
    pub segments: usize,
}

impl Thread {
    /// Where the profile bends within a pitch: (height, radius).
    fn corners(&self) -> [(f64, f64); 4] {
        let half = 0.5 * self.crest_width;
        let slope = (self.crest - self.root) * self.flank.tan();
        [(-half - slope, self.root), (-half, self.crest), (half, self.crest), (half + slope, self.root)]
    }

    fn radius(&self, u: f64) -> f64 {
        let c = self.corners();
        let u = u - self.pitch * (u / self.pitch).round();
        let between = |(u0, r0): (f64, f64), (u1, r1): (f64, f64)| r0 + (r1 - r0) * (u - u0) / (u1 - u0);
        if u <= c[0].0 || u >= c[3].0 {
            self.root
        } else if u < c[1].0 {
            between(c[0], c[1])
        } else if u <= c[2].0 {
            self.crest
        } else {
            between(c[2], c[3])
        }
    }

    /// The surface at one angle from z = 0 to the length: (u, radius, z), u the height less the rise of the helix.
    fn column(&self, angle: f64) -> Vec<(f64, f64, f64)> {
        let rise = self.pitch * angle / TAU;
        let mut points = vec![(-rise, self.radius(-rise), 0.0)];
        let first = (-rise / self.pitch).floor() - 1.0;
        // pitches along the part, one more at either end
        let turns = (self.length / self.pitch).ceil() + 3.0;
        let mut k = first;
        while k <= first + turns {
            for (du, r) in self.corners() {
                let u = k * self.pitch + du;
                // micrometres: no sliver at a cap
                if u + rise > 1e-5 && u + rise < self.length - 1e-5 {
                    points.push((u, r, u + rise));
                }
            }
            k += 1.0;
        }
        let end = self.length - rise;
        points.push((end, self.radius(end), self.length));
        points
    }

    /// The threaded surface as strips; the first and last vertex of each column.
    fn surface(&self, part: &mut Part, outward: bool) -> Vec<(u32, u32)> {
        let n = self.segments;
        let mut columns: Vec<Vec<(f64, u32)>> = Vec::new();
        for i in 0..n {
            let angle = TAU * i as f64 / n as f64;
            let (s, c) = angle.sin_cos();
            let column =
                self.column(angle).into_iter().map(|(u, r, z)| (u, part.add(Vec3::new(r * c, r * s, z))));
            columns.push(column.collect());
        }
        let mut last = columns[0].clone();
        for p in &mut last {
            p.0 -= self.pitch;
        }
        columns.push(last);
        for w in columns.windows(2) {
            let (left, right) = (&w[0], &w[1]);
            let (mut i, mut j) = (0, 0);
            while i + 1 < left.len() || j + 1 < right.len() {
                let step_left =
                    j + 1 == right.len() || (i + 1 < left.len() && left[i + 1].0 <= right[j + 1].0 + 1e-9);
                let third = if step_left { left[i + 1].1 } else { right[j + 1].1 };
                part.triangle([left[i].1, right[j].1, third], outward);
                if step_left { i += 1 } else { j += 1 }
            }
        }
        columns[..n].iter().map(|c| (c[0].1, c[c.len() - 1].1)).collect()
    }

    /// A screw: the thread around its axis.
    pub(crate) fn screw(&self) -> Part {
        let mut part = Part::default();
        let ends = self.surface(&mut part, true);
        let (low, high) = (part.add(Vec3::zeros()), part.add(Vec3::new(0.0, 0.0, self.length)));
        for i in 0..ends.len() {
            let j = (i + 1) % ends.len();
            part.triangle([low, ends[j].0, ends[i].0], true);
            part.triangle([high, ends[i].1, ends[j].1], true);
        }
        part
    }

    /// A nut: the thread as a hole in a cylinder of the radius given.
    pub(crate) fn nut(&self, outer: f64) -> Part {
        let mut part = Part::default();
        let ends = self.surface(&mut part, false);
        let n = ends.len();
        let rim: Vec<(u32, u32)> = (0..n)
            .map(|i| {
                let (s, c) = (TAU * i as f64 / n as f64).sin_cos();
                let low = part.add(Vec3::new(outer * c, outer * s, 0.0));
                (low, part.add(Vec3::new(outer * c, outer * s, self.length)))
            })
            .collect();
        for i in 0..n {
            let j = (i + 1) % n;
            part.quad([rim[i].0, rim[j].0, rim[j].1, rim[i].1]);
            part.quad([ends[i].0, ends[j].0, rim[j].0, rim[i].0]);
            part.quad([rim[i].1, rim[j].1, ends[j].1, ends[i].1]);
        }
        part
    }
}

impl Part {
    pub(crate) fn add(&mut self, p: Vec3) -> u32 {
        self.vertices.push(p);
        u32::try_from(self.vertices.len() - 1).expect("few vertices")
    }

    fn triangle(&mut self, [a, b, c]: [u32; 3], forwards: bool) {
        self.triangles.push(if forwards { [a, b, c] } else { [a, c, b] });
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A spur or helical gear with involute flanks: module, teeth, width, twist over the width in radians.
pub(crate) fn gear(module: f64, teeth: usize, width: f64, twist: f64, backlash: f64, points: usize) -> Part {
    let helix = (0.5 * module * teeth as f64 * twist / width).atan();
    let gear = Gear { module, teeth, width, pressure_angle: 20.0_f64.to_radians(), helix, backlash, points };
    let (vertices, triangles) = gear.mesh().expect("a gear that can be");
    Part { vertices, triangles }
}

/// A block with the top z = (x^2 - y^2) / (2 radius), of n by n fields.
pub(crate) fn saddle(half: f64, radius: f64, n: usize) -> Part {
    let mut part = Part::default();
    let at = |i: usize, j: usize| u32::try_from(i * (n + 1) + j).expect("few vertices");
    let place = |i: usize| half * (2.0 * i as f64 / n as f64 - 1.0);
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (place(i), place(j));
            part.add(Vec3::new(x, y, (x * x - y * y) / (2.0 * radius)));
        }
    }
    for i in 0..n {
        for j in 0..n {
            part.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    // the border, counter-clockwise, and its shadow on the bottom
    let mut border: Vec<u32> = (0..n).map(|i| at(i, 0)).collect();
    border.extend((0..n).map(|j| at(n, j)));
    border.extend((0..n).map(|i| at(n - i, n)));
    border.extend((0..n).map(|j| at(0, n - j)));
    let bottom = -2.0 * half;
    let below: Vec<u32> = border
        .iter()
        .map(|&v| {
            let p = part.vertices[v as usize];
            part.add(Vec3::new(p.x, p.y, bottom))
        })
        .collect();
    let middle = part.add(Vec3::new(0.0, 0.0, bottom));
    for i in 0..border.len() {
        let j = (i + 1) % border.len();
        part.quad([below[i], below[j], border[j], border[i]]);
        part.triangle([middle, below[j], below[i]], true);
    }
    part
}

/// A torus about z.
pub(crate) fn torus(ring: f64, tube: f64, around: usize, across: usize) -> Part {
    let mut part = Part::default();
    for i in 0..around {
        let (s, c) = (TAU * i as f64 / around as f64).sin_cos();
        for j in 0..across {
            let (t, d) = (TAU * j as f64 / across as f64).sin_cos();
            let r = ring + tube * d;
            part.add(Vec3::new(r * c, r * s, tube * t));
        }
    }
    let at = |i: usize, j: usize| u32::try_from((i % around) * across + j % across).expect("few vertices");
    for i in 0..around {
        for j in 0..across {
            part.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    part
}

//! Pixels with a depth each: triangles by their corners, planes by rays, shadows on planes.

use super::camera::Camera;
use super::{PARALLEL, V3};

pub(super) struct Canvas<'a> {
    width: usize,
    height: usize,
    camera: &'a Camera,
    color: Vec<[f64; 3]>,
    depth: Vec<f64>, // 1/distance along the view; 0 is the sky
    shadow: Vec<bool>,
}

/// Nearer than this nothing is drawn, m.
const NEAR: f64 = 1e-3;

/// Further than this a plane is sky, m: haze hides it long before.
const FAR: f64 = 1e4;

impl<'a> Canvas<'a> {
    pub(super) fn new(width: usize, height: usize, camera: &'a Camera) -> Self {
        let mut color = Vec::with_capacity(width * height);
        for row in 0..height {
            let s = row as f64 / height as f64;
            color.extend(std::iter::repeat_n([0.72 + 0.2 * s, 0.80 + 0.13 * s, 0.90 + 0.05 * s], width));
        }
        let n = width * height;
        Self { width, height, camera, color, depth: vec![0.0; n], shadow: vec![false; n] }
    }

    /// Column, row and 1/distance of a point before the camera.
    fn project(&self, p: &V3) -> Option<[f64; 3]> {
        let c = self.camera;
        let d = p - c.eye;
        let z = d.dot(&c.ahead);
        if z.is_nan() || z < NEAR {
            return None;
        }
        let scale = 0.5 * self.height as f64 / (c.slope * z);
        let x = 0.5 * self.width as f64 + scale * d.dot(&c.right);
        let y = 0.5 * self.height as f64 - scale * d.dot(&c.up);
        Some([x, y, 1.0 / z])
    }

    /// Calls `paint` with pixel, weights of the corners and 1/distance.
    fn scan(&mut self, corners: [V3; 3], mut paint: impl FnMut(&mut Self, usize, [f64; 3], f64)) {
        let [Some(a), Some(b), Some(c)] = corners.map(|p| self.project(&p)) else { return };
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let range = |k: usize, most: usize| {
            let lo = a[k].min(b[k]).min(c[k]).floor().clamp(0.0, most as f64);
            let hi = (a[k].max(b[k]).max(c[k]).ceil() + 1.0).clamp(0.0, most as f64);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to the picture"
            )]
            (lo as usize..hi as usize)
        };
        for row in range(1, self.height) {
            for column in range(0, self.width) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let wa = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area;
                let wb = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area;
                let wc = 1.0 - wa - wb;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    let depth = wa * a[2] + wb * b[2] + wc * c[2];
                    paint(self, row * self.width + column, [wa, wb, wc], depth);
                }
            }
        }
    }

    pub(super) fn triangle(&mut self, corners: [V3; 3], shades: [f64; 3], color: [f64; 3]) {
        self.scan(corners, |canvas, pixel, w, depth| {
            if depth > canvas.depth[pixel] {
                canvas.depth[pixel] = depth;
                let shade = w[0] * shades[0] + w[1] * shades[1] + w[2] * shades[2];
                canvas.color[pixel] = color.map(|x| x * shade);
            }
        });
    }

    pub(super) fn begin_shadow(&mut self) {
        self.shadow.fill(false);
    }

    pub(super) fn shadow(&mut self, corners: [V3; 3]) {
        self.scan(corners, |canvas, pixel, _, _| canvas.shadow[pixel] = true);
    }

    /// A plane with squares of half a metre, fading into the distance.
    pub(super) fn ground(&mut self, point: &V3, normal: &V3) {
        let c = self.camera;
        let along = normal.cross(&V3::y()).try_normalize(PARALLEL).unwrap_or_else(V3::x);
        let across = normal.cross(&along);
        let height = (c.eye - point).dot(normal);
        for row in 0..self.height {
            for column in 0..self.width {
                let unit = 2.0 * c.slope / self.height as f64;
                let x = (column as f64 + 0.5 - 0.5 * self.width as f64) * unit;
                let y = (0.5 * self.height as f64 - row as f64 - 0.5) * unit;
                let ray = c.ahead + c.right * x + c.up * y; // of length 1 along the view
                let fall = -ray.dot(normal);
                let z = height / fall;
                let pixel = row * self.width + column;
                if !(z > NEAR && z < FAR) || 1.0 / z <= self.depth[pixel] {
                    continue;
                }
                let p = c.eye + ray * z - point;
                let square = (p.dot(&along) * 2.0).floor() + (p.dot(&across) * 2.0).floor();
                let mut tone = if square.rem_euclid(2.0) < 0.5 { 0.78 } else { 0.70 };
                if self.shadow[pixel] {
                    tone *= 0.62;
                }
                // towards the sky's colour over some tens of metres
                let haze = 1.0 - (-z / 40.0).exp();
                let sky = [0.90, 0.92, 0.94];
                self.depth[pixel] = 1.0 / z;
                self.color[pixel] = sky.map(|s| tone * (1.0 - haze) + s * haze);
            }
        }
    }

    /// Averages of two by two.
    pub(super) fn halved(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(3 * self.width * self.height / 4);
        for row in 0..self.height / 2 {
            for column in 0..self.width / 2 {
                let at = |r: usize, c: usize| self.color[(2 * row + r) * self.width + 2 * column + c];
                for k in 0..3 {
                    let mean = 0.25 * (at(0, 0)[k] + at(0, 1)[k] + at(1, 0)[k] + at(1, 1)[k]);
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
                    out.push((255.0 * mean.clamp(0.0, 1.0)).round() as u8);
                }
            }
        }
        out
    }
}

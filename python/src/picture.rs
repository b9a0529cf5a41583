//! A small rasteriser: enough to see what happens without a window, a driver or a browser.
//!
//! ```text
//!     shapes → triangles once;   per picture: planes by rays, shadows on them, triangles by a depth buffer, halved
//! ```
//! Drawn at twice the size and averaged, so that edges are smooth. One light, no materials but colour.

use gudgeon_multibody::LinkId;
use gudgeon_replay::hidden;
use gudgeon_sim::{Scene, Simulator, recording_header};
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use serde_json::Value;

type V3 = Vector3<f64>;

/// Triangles of one shape in the frame of its link.
struct Mesh {
    link: LinkId,
    color: [f64; 3],
    points: Vec<V3>,
    normals: Vec<V3>,
    triangles: Vec<[usize; 3]>,
}

/// An endless plane on a link: a point of it and its normal, in the link's frame.
struct Ground {
    link: LinkId,
    point: V3,
    normal: V3,
}

/// The shapes of a scene, ready to be drawn.
pub(crate) struct Picture {
    meshes: Vec<Mesh>,
    grounds: Vec<Ground>,
    radius: f64, // of what moves, about its middle at the start, m
}

/// Where the picture is taken from.
pub(crate) struct Camera {
    eye: V3,
    right: V3,
    up: V3,
    ahead: V3,
    slope: f64, // half the picture's height at distance 1
}

/// Towards the light.
fn light() -> V3 {
    V3::new(0.35, -0.45, 1.0).normalize()
}

/// How bright a surface of that normal is.
fn shade(normal: &V3) -> f64 {
    0.45 + 0.55 * normal.dot(&light()).max(0.0)
}

/// For shapes that name no colour.
const PALETTE: [[f64; 3]; 6] = [
    [0.44, 0.65, 0.81],
    [0.83, 0.52, 0.38],
    [0.45, 0.57, 0.36],
    [0.83, 0.67, 0.33],
    [0.50, 0.33, 0.47],
    [0.20, 0.53, 0.54],
];

/// Sides of round shapes.
const SIDES: usize = 20;

impl Picture {
    pub(crate) fn new(scene: &Scene) -> Self {
        let header = recording_header(scene, 1);
        let mut picture = Self { meshes: Vec::new(), grounds: Vec::new(), radius: 0.0 };
        let none = Vec::new();
        for (k, body) in header["bodies"].as_array().unwrap_or(&none).iter().enumerate() {
            let shapes = body["shapes"].as_array().unwrap_or(&none);
            for (shape, _) in shapes.iter().zip(hidden(body, k == 0)).filter(|(_, hidden)| !hidden) {
                picture.add(LinkId(k), shape, k);
            }
        }
        let moving = || picture.meshes.iter().filter(|m| m.link != LinkId::WORLD);
        let size = |m: &Mesh| m.points.iter().map(V3::norm).fold(0.0, f64::max);
        picture.radius = moving().map(size).fold(0.05, f64::max);
        picture
    }

    fn add(&mut self, link: LinkId, shape: &Value, index: usize) {
        let number = |key: &str| shape[key].as_f64().unwrap_or(0.0);
        let list = |key: &str| numbers(&shape[key]);
        let p = list("position");
        let q = list("orientation");
        let pose = if p.len() == 3 && q.len() == 4 {
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
            Isometry3::from_parts(Translation3::new(p[0], p[1], p[2]), turn)
        } else {
            Isometry3::identity()
        };
        let (h, r) = (number("half_height"), number("radius"));
        let part = match shape["kind"].as_str().unwrap_or_default() {
            "plane" => {
                self.grounds.push(Ground { link, point: pose.translation.vector, normal: pose * V3::z() });
                return;
            }
            "sphere" => lathe(&arc(r, 0.0)),
            "capsule" => lathe(&arc(r, h)),
            "cylinder" => lathe(&[
                [0.0, -h, 0.0, -1.0],
                [r, -h, 0.0, -1.0],
                [r, -h, 1.0, 0.0],
                [r, h, 1.0, 0.0],
                [r, h, 0.0, 1.0],
                [0.0, h, 0.0, 1.0],
            ]),
            "cone" => {
                let n = (2.0 * h).hypot(r).max(f64::MIN_POSITIVE);
                let (a, b) = (2.0 * h / n, r / n);
                lathe(&[[0.0, -h, 0.0, -1.0], [r, -h, 0.0, -1.0], [r, -h, a, b], [0.0, h, a, b]])
            }
            "ellipsoid" => stretched(lathe(&arc(1.0, 0.0)), &list("semi_axes")),
            "box" => cuboid(&list("half")),
            "mesh" => {
                let v = list("vertices");
                let t: Vec<usize> = shape["triangles"]
                    .as_array()
                    .map(|a| a.iter().filter_map(|x| usize::try_from(x.as_u64()?).ok()).collect())
                    .unwrap_or_default();
                flat(&v, &t)
            }
            _ => return,
        };
        let color = numbers(&shape["color"]);
        let color =
            if color.len() >= 3 { [color[0], color[1], color[2]] } else { PALETTE[index % PALETTE.len()] };
        self.meshes.push(Mesh {
            link,
            color,
            points: part.0.iter().map(|p| pose * nalgebra::Point3::from(*p)).map(|p| p.coords).collect(),
            normals: part.1.iter().map(|n| pose * n).collect(),
            triangles: part.2,
        });
    }

    /// Height × width × 3 bytes.
    pub(crate) fn draw(&self, sim: &Simulator, camera: &Camera, width: usize, height: usize) -> Vec<u8> {
        let mut canvas = Canvas::new(2 * width, 2 * height, camera);
        let pose = |link: LinkId| sim.workspace().pose(link);
        for ground in &self.grounds {
            let x = pose(ground.link);
            let (point, normal) = (x.rotation * ground.point + x.translation, x.rotation * ground.normal);
            canvas.begin_shadow();
            for mesh in self.meshes.iter().filter(|m| m.link != LinkId::WORLD) {
                let x = pose(mesh.link);
                let fall = light().dot(&normal);
                if fall <= 0.05 {
                    continue;
                }
                let cast = |p: &V3| {
                    let p = x.rotation * p + x.translation;
                    p - light() * ((p - point).dot(&normal) / fall)
                };
                let cast: Vec<V3> = mesh.points.iter().map(cast).collect();
                mesh.triangles.iter().for_each(|t| canvas.shadow(t.map(|k| cast[k])));
            }
            canvas.ground(&point, &normal);
        }
        for mesh in &self.meshes {
            let x = pose(mesh.link);
            let points: Vec<V3> = mesh.points.iter().map(|p| x.rotation * p + x.translation).collect();
            let shades: Vec<f64> = mesh.normals.iter().map(|n| shade(&(x.rotation * n))).collect();
            for t in &mesh.triangles {
                canvas.triangle(t.map(|k| points[k]), t.map(|k| shades[k]), mesh.color);
            }
        }
        canvas.halved()
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().map(|a| a.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
}

type Part = (Vec<V3>, Vec<V3>, Vec<[usize; 3]>);

/// Half a circle from pole to pole, its halves `h` apart from the middle: radius, height, normal (out, up).
fn arc(r: f64, h: f64) -> Vec<[f64; 4]> {
    let steps = SIDES / 2;
    (0..=steps)
        .flat_map(|k| {
            let (s, c) = (std::f64::consts::PI * k as f64 / steps as f64).sin_cos();
            let at = |side: f64| [r * s, -r * c + side * h, s, -c];
            if 2 * k == steps {
                vec![at(-1.0), at(1.0)]
            } else {
                vec![at(if 2 * k < steps { -1.0 } else { 1.0 })]
            }
        })
        .collect()
}

/// A profile turned about z.
fn lathe(profile: &[[f64; 4]]) -> Part {
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for [r, z, out, up] in profile {
        for k in 0..SIDES {
            let (s, c) = (std::f64::consts::TAU * k as f64 / SIDES as f64).sin_cos();
            points.push(V3::new(r * c, r * s, *z));
            normals.push(V3::new(out * c, out * s, *up));
        }
    }
    for ring in 1..profile.len() {
        for k in 0..SIDES {
            let next = (k + 1) % SIDES;
            let (a, b) = ((ring - 1) * SIDES, ring * SIDES);
            triangles.push([a + k, a + next, b + next]);
            triangles.push([a + k, b + next, b + k]);
        }
    }
    (points, normals, triangles)
}

fn stretched(part: Part, axes: &[f64]) -> Part {
    let [x, y, z] = *axes else { return part };
    let (points, normals, triangles) = part;
    let scale = V3::new(x, y, z);
    (
        points.iter().map(|p| p.component_mul(&scale)).collect(),
        normals.iter().map(|n| n.component_div(&scale).normalize()).collect(),
        triangles,
    )
}

fn cuboid(half: &[f64]) -> Part {
    let [x, y, z] = *half else { return (Vec::new(), Vec::new(), Vec::new()) };
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = points.len();
            for [u, v] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                let mut p = V3::zeros();
                p[axis] = side;
                p[(axis + 1) % 3] = u;
                p[(axis + 2) % 3] = v;
                points.push(p.component_mul(&V3::new(x, y, z)));
                let mut n = V3::zeros();
                n[axis] = side;
                normals.push(n);
            }
            triangles.push([first, first + 1, first + 2]);
            triangles.push([first, first + 2, first + 3]);
        }
    }
    (points, normals, triangles)
}

/// Triangles with a normal each.
fn flat(vertices: &[f64], corners: &[usize]) -> Part {
    let (mut points, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for t in corners.chunks_exact(3) {
        let corner = |k: usize| vertices.get(3 * k..3 * k + 3).map(V3::from_column_slice);
        let (Some(a), Some(b), Some(c)) = (corner(t[0]), corner(t[1]), corner(t[2])) else { continue };
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(V3::z);
        let first = points.len();
        points.extend([a, b, c]);
        normals.extend([normal; 3]);
        triangles.push([first, first + 1, first + 2]);
    }
    (points, normals, triangles)
}

impl Camera {
    /// From `eye` towards `target`; where they are not given, towards the middle of what moves, from a distance that
    /// shows all of it.
    pub(crate) fn look(
        picture: &Picture,
        sim: &Simulator,
        eye: Option<V3>,
        target: Option<V3>,
        fov: f64,
    ) -> Self {
        let links: Vec<V3> = picture
            .meshes
            .iter()
            .filter(|m| m.link != LinkId::WORLD)
            .map(|m| sim.workspace().pose(m.link).translation)
            .filter(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let middle = links.iter().sum::<V3>() / links.len().max(1) as f64;
        let target = target.unwrap_or(middle);
        let spread = links.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max) + picture.radius;
        let slope = (0.5 * fov.to_radians()).tan();
        let eye =
            eye.unwrap_or_else(|| target + V3::new(1.0, -1.3, 0.55).normalize() * (1.35 * spread / slope));
        let ahead = (target - eye).try_normalize(0.0).unwrap_or_else(V3::x);
        let right = ahead.cross(&V3::z()).try_normalize(1e-9).unwrap_or_else(V3::y);
        Self { eye, right, up: right.cross(&ahead), ahead, slope }
    }

    /// As a camera of the file stands: along −z of `frame`, y up.
    pub(crate) fn at(frame: &gudgeon_spatial::Pose, fov: f64) -> Self {
        let axis = |k: usize| -> V3 { frame.rotation.column(k).into() };
        let slope = (0.5 * fov.to_radians()).tan();
        Self { eye: frame.translation, right: axis(0), up: axis(1), ahead: -axis(2), slope }
    }
}

struct Canvas<'a> {
    width: usize,
    height: usize,
    camera: &'a Camera,
    color: Vec<[f64; 3]>,
    depth: Vec<f64>, // 1/distance along the view; 0 is the sky
    shadow: Vec<bool>,
}

/// Nearer than this nothing is drawn, m.
const NEAR: f64 = 1e-3;

impl<'a> Canvas<'a> {
    fn new(width: usize, height: usize, camera: &'a Camera) -> Self {
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

    fn triangle(&mut self, corners: [V3; 3], shades: [f64; 3], color: [f64; 3]) {
        self.scan(corners, |canvas, pixel, w, depth| {
            if depth > canvas.depth[pixel] {
                canvas.depth[pixel] = depth;
                let shade = w[0] * shades[0] + w[1] * shades[1] + w[2] * shades[2];
                canvas.color[pixel] = color.map(|x| x * shade);
            }
        });
    }

    fn begin_shadow(&mut self) {
        self.shadow.fill(false);
    }

    fn shadow(&mut self, corners: [V3; 3]) {
        self.scan(corners, |canvas, pixel, _, _| canvas.shadow[pixel] = true);
    }

    /// A plane with squares of half a metre, fading into the distance.
    fn ground(&mut self, point: &V3, normal: &V3) {
        let c = self.camera;
        let along = normal.cross(&V3::y()).try_normalize(1e-9).unwrap_or_else(V3::x);
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
                if !(z > NEAR && z < 1e4) || 1.0 / z <= self.depth[pixel] {
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
    fn halved(&self) -> Vec<u8> {
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

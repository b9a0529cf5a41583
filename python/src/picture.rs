//! A small rasteriser: enough to see what happens without a window, a driver or a browser.
//!
//! ```text
//!     shapes → triangles once;   per picture: planes by rays, shadows on them, triangles by a depth buffer, halved
//! ```
//! Drawn at twice the size and averaged, so that edges are smooth. One light, no materials but colour.

mod camera;
mod canvas;
mod solids;

use gudgeon_multibody::LinkId;
use gudgeon_replay::hidden;
use gudgeon_sim::{Scene, Simulator, recording_header};
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use serde_json::Value;

pub(crate) use self::camera::Camera;
use self::canvas::Canvas;
use self::solids::{arc, cuboid, flat, lathe, stretched};

type V3 = Vector3<f64>;

/// Sine of the angle between two directions below which they are one, and across them is anywhere.
const PARALLEL: f64 = 1e-9;

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

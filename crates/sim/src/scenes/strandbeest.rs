//! A beach animal after Theo Jansen: pairs of legs on one crank, walking.
//!
//! A leg in Jansen's own numbers, read as centimetres. The crank pin P drives two rods j and k; the body pin B
//! carries the triangle b-d-e and the rod c; f and c carry the triangle g-h-i, whose far corner is the foot.
//! ```text
//!          U ── j ── P          U: j meets b         A: apex of b-d-e
//!        e/ b\     / k          L: k meets c         K: f meets g
//!        A──d──B  /             foot: apex of g-h-i on the side L-K
//!        f     c /
//!        K──g──L
//! ```
//! Six moving links, three loops and no freedom of its own per leg.

use std::f64::consts::{PI, TAU};

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, Workspace, kinematics};
use gudgeon_spatial::{Pose, Vector3};

use super::linkages::Bar;
use super::params::{BuiltinError, Key, Values};
use super::parts::{Part, at, close, color, pin, turned};
use crate::controller::Controller;
use crate::scene::{Scene, SceneBuilder};

pub(super) const KEYS: &[Key] = &[
    Key::count("rows", "pairs of legs", 6.0, [1.0, 30.0]),
    Key::real("speed", "of the crank, rad/s", 3.0, [-20.0, 20.0]),
    Key::real("effort", "largest torque of the crank, N m", 60.0, [0.0, 1e4]),
    Key::real("mu", "friction", 0.8, [0.0, 10.0]),
];

/// Lengths a to m of Jansen's leg, m.
const A: f64 = 0.38;
const B: f64 = 0.415;
const C: f64 = 0.393;
const D: f64 = 0.401;
const E: f64 = 0.558;
const F: f64 = 0.394;
const G: f64 = 0.367;
const H: f64 = 0.657;
const I: f64 = 0.49;
const J: f64 = 0.5;
const K: f64 = 0.619;
const L: f64 = 0.078;
const M: f64 = 0.15;

/// Radius of a foot, m.
const FOOT: f64 = 0.02;

/// Pairs of legs side by side, a third of a turn apart on a crank that a motor turns.
pub(super) fn strandbeest(values: &Values) -> Result<Scene, BuiltinError> {
    let rows = values.count("rows");
    let mut scene = SceneBuilder::new("strandbeest");
    scene.friction(values.real("mu")).ground().duration(10.0);
    let width = 0.12 * rows as f64;
    Part {
        name: "chassis",
        parent: "world",
        joint: Joint::Free,
        placement: Pose::identity(),
        mass: 3.0,
        shape: Shape::cuboid(A, 0.5 * width, 0.015)?,
        pose: at(0.0, 0.0, -L),
        color: color::IVORY,
    }
    .add(&mut scene, |link| link)?
    .mask = 1; // the ground, not the legs
    Part {
        name: "crank",
        parent: "chassis",
        joint: Joint::revolute(Vector3::y()),
        placement: Pose::identity(),
        mass: 1.0,
        shape: Shape::cylinder(0.5 * width, 0.02)?,
        pose: turned(PI / 2.0, 0.0, 0.0),
        color: color::SLATE,
    }
    .add_ghost(&mut scene, |link| link.damping(0.1))?;
    for row in 0..rows {
        let y = 0.12 * (row as f64 - 0.5 * (rows - 1) as f64);
        for mirrored in [false, true] {
            leg(&mut scene, row, y, mirrored)?;
        }
    }
    let (velocity, effort) = (values.real("speed"), values.real("effort"));
    scene.controller(Controller::Motor { link: "crank".into(), dof: 0, velocity, effort });
    let mut scene = scene.build()?;
    close(&mut scene, 0)?;
    stand(&mut scene);
    Ok(scene)
}

/// Lifts or lowers the chassis so that the lowest foot just touches the ground.
fn stand(scene: &mut Scene) {
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &scene.initial.q, &mut ws);
    let feet = scene.colliders.iter().filter(|c| scene.model.link(c.link).name.starts_with("foot"));
    let lowest = feet
        .map(|c| ws.pose(c.link).point(&c.pose.translation.vector).z - FOOT)
        .fold(f64::INFINITY, f64::min);
    // the chassis is the first link: a quaternion, then a position
    scene.initial.q[6] -= lowest;
}

/// One leg; the mirrored one is a leg on the mirrored crank, turned about: θ becomes π − θ and apexes change side.
fn leg(scene: &mut SceneBuilder, row: usize, y: f64, mirrored: bool) -> Result<(), BuiltinError> {
    let (sign, letter) = if mirrored { (-1.0, 'r') } else { (1.0, 'l') };
    let name = |part: &str| format!("{part}{letter}{row}");
    let phase = TAU * (row % 3) as f64 / 3.0;
    // rotation about y by θ takes x to (cos θ, −sin θ) in the x-z plane
    let tip = [M * phase.cos(), -M * phase.sin()];
    let q = start([sign * tip[0], tip[1]]);
    let body_pin = [-sign * A, -L];
    let top = apex(B, D, E);
    let foot = apex(G, I, H);
    let (bde, c, ghi) = (name("bde"), name("c"), name("foot"));
    let links = [
        (name("j"), "crank", tip, J, color::SAND),
        (name("k"), "crank", tip, K, color::SAND),
        (bde.clone(), "chassis", body_pin, B, color::OAK),
        (c.clone(), "chassis", body_pin, C, color::OAK),
        (name("f"), &bde, [top[0], sign * top[1]], F, color::CLAY),
        (ghi.clone(), &c, [C, 0.0], G, color::BRICK),
    ];
    for (k, (link, parent, [x, z], length, color)) in links.iter().enumerate() {
        let on_body = k < 4;
        let bar = Bar {
            name: link,
            parent,
            at_parent: [*x, *z],
            length: *length,
            mass: 0.3 * length,
            side: if k % 2 == 0 { 0.0 } else { 0.03 },
            color: *color,
        };
        let mut part = bar.part()?;
        part.placement.translation.y = if on_body { y } else { 0.0 };
        part.add_ghost(scene, |spec| spec.damping(1e-3))?;
        // angles on the body mirror as π − θ, those between bars change sign
        let angle = if !mirrored {
            q[k]
        } else if on_body {
            PI - q[k]
        } else {
            -q[k]
        };
        scene.position(link, &[angle]);
    }
    edges(scene, &bde, B, [top[0], sign * top[1]])?;
    let toe = [foot[0], sign * foot[1]];
    edges(scene, &ghi, G, toe)?;
    let ball = scene.collider(&ghi, Shape::sphere(FOOT)?, at(toe[0], 0.0, toe[1]));
    (ball.color, ball.group, ball.mask) = (Some(color::SLATE), 2, 1);
    scene.close(pin(&name("j"), [J, 0.0], &bde, [B, 0.0]));
    scene.close(pin(&name("k"), [K, 0.0], &c, [C, 0.0]));
    scene.close(pin(&name("f"), [F, 0.0], &ghi, [G, 0.0]));
    Ok(())
}

/// The two other sides of a triangle on a bar, only seen.
fn edges(scene: &mut SceneBuilder, link: &str, base: f64, apex: [f64; 2]) -> Result<(), BuiltinError> {
    let tip = Vector3::new(apex[0], 0.0, apex[1]);
    for from in [Vector3::zeros(), Vector3::new(base, 0.0, 0.0)] {
        let side = Shape::capsule(0.5 * (tip - from).norm(), 0.01)?;
        scene.visual(link, side, super::parts::along(from, tip)).color = Some(color::OAK);
    }
    Ok(())
}

/// Third corner of a triangle with its base on x, at `near` from the origin and `far` from the base's other end.
fn apex(base: f64, near: f64, far: f64) -> [f64; 2] {
    let x = (base * base + near * near - far * far) / (2.0 * base);
    [x, (near * near - x * x).sqrt()]
}

/// A closed position of a leg by intersecting circles: angles of j, k, b, c, and of f and g against their parents.
fn start(tip: [f64; 2]) -> [f64; 6] {
    let body = [-A, -L];
    let angle = |p: [f64; 2], q: [f64; 2]| -(q[1] - p[1]).atan2(q[0] - p[0]);
    let upper = meet(tip, J, body, B, -1.0);
    let lower = meet(tip, K, body, C, 1.0);
    let [x, up] = apex(B, D, E);
    let b = angle(body, upper);
    let (sin, cos) = b.sin_cos();
    let corner = [body[0] + cos * x + sin * up, body[1] - sin * x + cos * up];
    let knee = meet(corner, F, lower, G, -1.0);
    let c = angle(body, lower);
    [angle(tip, upper), angle(tip, lower), b, c, angle(corner, knee) - b, angle(lower, knee) - c]
}

/// The point at `r` from `p` and `s` from `q`, on the given side of the way from p to q.
fn meet(p: [f64; 2], r: f64, q: [f64; 2], s: f64, side: f64) -> [f64; 2] {
    let (dx, dz) = (q[0] - p[0], q[1] - p[1]);
    let apart = dx.hypot(dz);
    let x = (apart * apart + r * r - s * s) / (2.0 * apart);
    let y = side * (r * r - x * x).max(0.0).sqrt();
    [p[0] + (x * dx - y * dz) / apart, p[1] + (x * dz + y * dx) / apart]
}

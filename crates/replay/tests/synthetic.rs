//! Recordings made without a simulator: exact, quick, and with every kind of shape and mode.

use std::f64::consts::{PI, TAU};

use gudgeon_sim::{BodyFrame, ContactFrame, Frame, Mode, Recording};
use serde_json::{Value, json};

const G: f64 = 9.81;

/// All of them.
pub(crate) fn all() -> Vec<Recording> {
    vec![sliding_box(), chain(), bricks(), shapes(), humanoid(), lost()]
}

fn recording(scene: &str, dt: f64, bodies: &[Value], frames: Vec<Frame>) -> Recording {
    let header = json!({"scene": scene, "dt": dt, "every": 1, "gravity": [0.0, 0.0, -G], "bodies": bodies});
    Recording { header, frames }
}

fn floor() -> Value {
    json!({"name": "world", "shapes": [{"kind": "plane", "position": [0.0, 0.0, 0.0], "orientation": [1.0, 0.0, 0.0, 0.0], "touches": true}]})
}

fn body(name: &str, mut shape: Value) -> Value {
    for (key, value) in [
        ("position", json!([0.0, 0.0, 0.0])),
        ("orientation", json!([1.0, 0.0, 0.0, 0.0])),
        ("touches", json!(true)),
    ] {
        if shape[key].is_null() {
            shape[key] = value;
        }
    }
    json!({"name": name, "shapes": [shape]})
}

/// A turn about an axis of the world.
fn about(axis: usize, angle: f64) -> [f64; 4] {
    let mut q = [(0.5 * angle).cos(), 0.0, 0.0, 0.0];
    q[1 + axis] = (0.5 * angle).sin();
    q
}

/// A box of 1 kg falls 0.3 m, slides with μ = 0.4 from 2 m/s, and rests.
pub(crate) fn sliding_box() -> Recording {
    let (dt, half, mu, v0): (f64, f64, f64, f64) = (0.002, 0.1, 0.4, 2.0);
    let fall = (2.0 * 0.3 / G).sqrt();
    let stop = fall + v0 / (mu * G);
    let frames = (0..=1000_u32).map(|k| {
        let t = f64::from(k) * dt;
        let (slid, v) = match t {
            t if t < fall => (v0 * t, v0),
            t if t < stop => (v0 * t - 0.5 * mu * G * (t - fall).powi(2), v0 - mu * G * (t - fall)),
            _ => (v0 * fall + 0.5 * v0 * v0 / (mu * G), 0.0),
        };
        let z = half + (0.3 - 0.5 * G * t * t).max(0.0);
        let mode = if t < fall {
            Mode::Open
        } else if t < stop {
            Mode::Slip
        } else {
            Mode::Stick
        };
        let near = z - half < 0.1;
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
        let contact = |(id, (sx, sy)): (u64, (f64, f64))| {
            let press =
                if t < fall { 0.0 } else { G / 4.0 * (1.0 + if mode == Mode::Slip { mu * sx } else { 0.0 }) };
            let drag = if mode == Mode::Slip { -mu * press } else { 0.0 };
            ContactFrame {
                a: 1,
                b: 0,
                id,
                point: [slid + half * sx, half * sy, 0.0],
                normal: [0.0, 0.0, 1.0],
                gap: z - half,
                force: [drag, 0.0, press],
                mode,
                friction: None, // told by what slips
                slip: None,
            }
        };
        Frame {
            time: t,
            energy: [0.5 * v * v + if t < fall { 0.5 * (G * t).powi(2) } else { 0.0 }, G * z],
            penetration: if t < fall { 0.0 } else { 1e-9 * (1.0 + (40.0 * t).sin()) },
            residual: if near { 1e-13 * (1.0 + t) } else { 0.0 },
            pivots: if near { 8 + k % 3 } else { 0 },
            status: if near { 0 } else { 5 },
            bodies: vec![BodyFrame {
                position: [slid, 0.0, z],
                orientation: [1.0, 0.0, 0.0, 0.0],
                velocity: [v, 0.0, if t < fall { -G * t } else { 0.0 }],
                angular_velocity: [0.0; 3],
            }],
            contacts: if near { (0..).zip(corners).map(contact).collect() } else { Vec::new() },
            ..Frame::default()
        }
    });
    recording(
        "sliding box",
        dt,
        &[floor(), body("crate", json!({"kind": "box", "half": [half, half, half]}))],
        frames.collect(),
    )
}

/// Twelve capsules in a row swing like a wave from a point; no floor, no contact.
pub(crate) fn chain() -> Recording {
    let (n, half, dt): (u32, f64, f64) = (12, 0.06, 0.005);
    let frames = (0..=800_u32).map(|k| {
        let t = f64::from(k) * dt;
        let mut joint = [0.0, 0.0, 2.0];
        let links = (0..n).map(|i| {
            let swing = |t: f64| 0.9 * (-0.15 * t).exp() * (3.0 * t - 0.35 * f64::from(i)).cos();
            let angle = swing(t);
            let spin = (swing(t + 1e-6) - swing(t - 1e-6)) / 2e-6;
            let along = [-angle.sin(), 0.0, -angle.cos()];
            let step = 2.0 * half + 0.01;
            let position = [0, 1, 2].map(|c| joint[c] + 0.5 * step * along[c]);
            joint = [0, 1, 2].map(|c| joint[c] + step * along[c]);
            BodyFrame {
                position,
                orientation: about(1, angle),
                velocity: [spin * half, 0.0, 0.0],
                angular_velocity: [0.0, spin, 0.0],
            }
        });
        let bodies: Vec<BodyFrame> = links.collect();
        Frame {
            time: t,
            energy: [2.0 * (-0.3 * t).exp() * (3.0 * t).sin().powi(2), 5.0 - (3.0 * t).sin().powi(2)],
            status: 5,
            loop_gap: 1e-12 * (1.0 + t),
            bodies,
            ..Frame::default()
        }
    });
    let mut bodies = vec![json!({"name": "world", "shapes": []})];
    bodies.extend((1..=n).map(|i| {
        body(&format!("link {i}"), json!({"kind": "capsule", "half_height": half, "radius": 0.02}))
    }));
    recording("chain", dt, &bodies, frames.collect())
}

/// A wall of 30 bricks stands for a second, then every brick is thrown outwards.
pub(crate) fn bricks() -> Recording {
    let (dt, half, mass): (f64, [f64; 3], f64) = (0.004, [0.1, 0.05, 0.04], 1.2);
    let place = |i: usize| {
        let (row, column) = (i / 5, i % 5);
        let shift = if row % 2 == 0 { 0.0 } else { half[0] };
        [2.0 * half[0] * (column as f64 - 2.0) + shift, 0.0, half[2] * (2.0 * row as f64 + 1.0)]
    };
    let frames = (0..=600_u32).map(|k| {
        let t = f64::from(k) * dt;
        let s = (t - 1.0).max(0.0);
        let bodies = (0..30).map(|i| {
            let p = place(i);
            let out = [1.3 * p[0], -0.9 - 0.12 * (i % 7) as f64, 1.5 + p[2]];
            let turn = about(i % 3, s * (1.0 + (i % 5) as f64));
            let land = half[1] + 0.02;
            BodyFrame {
                position: [
                    p[0] + out[0] * s,
                    p[1] + out[1] * s,
                    (p[2] + out[2] * s - 0.5 * G * s * s).max(land.min(p[2])),
                ],
                orientation: turn,
                velocity: if s > 0.0 { out } else { [0.0; 3] },
                angular_velocity: [0.0; 3],
            }
        });
        let mut contacts = Vec::new();
        if s <= 0.0 {
            for i in 0..30_usize {
                let p = place(i);
                let above = (5 - i / 5) as f64 + 1.0;
                for (id, (sx, sy)) in (0_u64..).zip([(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]) {
                    let below = if i < 5 { 0 } else { u32::try_from(i - 4).unwrap_or(0) };
                    let lean = 0.1 * above * p[0];
                    contacts.push(ContactFrame {
                        a: u32::try_from(i + 1).unwrap_or(0),
                        b: below,
                        id,
                        point: [p[0] + sx * half[0], sy * half[1], p[2] - half[2]],
                        normal: [0.0, 0.0, 1.0],
                        gap: -1e-7,
                        force: [lean, 0.0, above * mass * G / 4.0],
                        mode: if i % 11 == 7 { Mode::Slip } else { Mode::Stick },
                        friction: Some(0.6),
                        slip: None,
                    });
                }
            }
        }
        let ray = k == 120;
        Frame {
            time: t,
            energy: [3.0 * s, 60.0 - s],
            penetration: 1e-7,
            residual: if ray { 1e-4 } else { 3e-14 },
            pivots: if s > 0.0 { 0 } else { 60 + k % 17 },
            status: u8::from(ray),
            fallback: u8::from(ray),
            bodies: bodies.collect(),
            contacts,
            ..Frame::default()
        }
    });
    let mut list = vec![floor()];
    list.extend((1..=30).map(|i| body(&format!("brick {i}"), json!({"kind": "box", "half": half}))));
    recording("bricks", dt, &list, frames.collect())
}

/// Every kind of shape, one seen by another shape than it touches with, on a tilted plane; names that mean harm.
pub(crate) fn shapes() -> Recording {
    let kinds = [
        ("ball", json!({"kind": "sphere", "radius": 0.12})),
        ("pill", json!({"kind": "capsule", "half_height": 0.1, "radius": 0.07})),
        ("can", json!({"kind": "cylinder", "half_height": 0.12, "radius": 0.09})),
        ("hat", json!({"kind": "cone", "half_height": 0.13, "radius": 0.12})),
        ("egg", json!({"kind": "ellipsoid", "semi_axes": [0.08, 0.1, 0.16]})),
        ("ring", torus(0.12, 0.04)),
        (
            "red </script><b>&\"",
            json!({"kind": "box", "half": [0.1, 0.06, 0.12], "color": [0.8, 0.15, 0.15, 1.0]}),
        ),
        ("unknown", json!({"kind": "klein bottle"})),
    ];
    let mut list = vec![
        json!({"name": "world", "shapes": [{"kind": "plane", "position": [0.0, 0.0, -0.05], "orientation": about(1, 0.1), "touches": true}]}),
    ];
    list.extend(kinds.iter().map(|(name, shape)| body(name, shape.clone())));
    list[7]["shapes"].as_array_mut().unwrap().push(json!({"kind": "sphere", "radius": 0.13, "position": [0.0, 0.0, 0.05], "orientation": [1.0, 0.0, 0.0, 0.0], "touches": false, "color": [0.2, 0.5, 0.3, 0.6]}));
    let n = kinds.len();
    let frames = (0..=200_u32).map(|k| {
        let t = f64::from(k) * 0.01;
        let bodies = (0..n).map(|i| BodyFrame {
            position: [0.4 * (i as f64 - 3.5), 0.0, 0.35 + 0.1 * (PI * t + i as f64).sin()],
            orientation: about(i % 3, t * (1.0 + 0.2 * i as f64)),
            ..BodyFrame::default()
        });
        Frame { time: t, bodies: bodies.collect(), status: 5, ..Frame::default() }
    });
    recording("shapes", 0.01, &list, frames.collect())
}

fn torus(large: f64, small: f64) -> Value {
    let (n, m) = (32_u32, 14_u32);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (TAU * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(m));
            let r = large + small * v.cos();
            vertices.extend([r * u.cos(), r * u.sin(), small * v.sin()]);
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            triangles.extend([
                at(i, j),
                at(i + 1, j),
                at(i + 1, j + 1),
                at(i, j),
                at(i + 1, j + 1),
                at(i, j + 1),
            ]);
        }
    }
    json!({"kind": "mesh", "vertices": vertices, "triangles": triangles})
}

/// As large as a humanoid's run: 22 bodies that never rest, 30 contacts with forces that tremble, 10 s of 1 ms.
pub(crate) fn humanoid() -> Recording {
    let n = 22_usize;
    // Knuth's multiplier: noise that deflate cannot foresee
    let noise = |seed: u64| {
        (seed.wrapping_mul(6_364_136_223_846_793_005).rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> 11) as f64
            / (1_u64 << 53) as f64
            - 0.5
    };
    let frames = (0..=10_000_u64).map(|k| {
        let t = k as f64 * 1e-3;
        let bodies = (0..n).map(|i| {
            let phase = i as f64 * 0.7;
            let (angle, side) = (0.4 * (2.0 * t + phase).sin(), if i % 2 == 0 { 0.12 } else { -0.12 });
            let height = 0.1 + 0.07 * i as f64 + 0.05 * (2.0 * t).sin();
            BodyFrame {
                position: [0.1 * (1.3 * t + phase).sin(), side, height],
                orientation: about(1, angle),
                velocity: [0.13 * (1.3 * t + phase).cos(), 0.0, 0.1 * (2.0 * t).cos()],
                angular_velocity: [0.0, 0.8 * (2.0 * t + phase).cos(), 0.0],
            }
        });
        let contacts = (0..30_u64).map(|c| {
            let shake = |m: u64| noise(k * 100 + c * 3 + m);
            let foot = u32::try_from(1 + c % 2).unwrap_or(1);
            let slips = (k / 400 + c).is_multiple_of(7);
            let press = 20.0 + 8.0 * (2.0 * t + c as f64).sin() + 0.5 * shake(0);
            let drag = if slips { 0.5 * press } else { 2.0 * shake(1) };
            ContactFrame {
                a: foot,
                b: 0,
                id: c,
                point: [0.02 * (c / 2) as f64 - 0.15, if foot == 1 { 0.12 } else { -0.12 }, 0.0],
                normal: [0.0, 0.0, 1.0],
                gap: 1e-8 * shake(2),
                force: [drag, 0.2 * shake(1), press],
                mode: if slips { Mode::Slip } else { Mode::Stick },
                friction: Some(0.5),
                slip: None,
            }
        });
        Frame {
            time: t,
            energy: [10.0 + 5.0 * (4.0 * t).sin(), 400.0 + 30.0 * (2.0 * t).sin()],
            penetration: 1e-8 * (1.0 + noise(k)),
            residual: 1e-14 * (1.5 + noise(k + 7)),
            pivots: 40 + u32::try_from(k % 13).unwrap_or(0),
            bodies: bodies.collect(),
            contacts: contacts.collect(),
            ..Frame::default()
        }
    });
    let mut list = vec![floor()];
    list.extend((1..=n).map(|i| {
        body(&format!("limb {i}"), json!({"kind": "capsule", "half_height": 0.05, "radius": 0.05}))
    }));
    recording("humanoid", 1e-3, &list, frames.collect())
}

/// The sliding box, whose numbers go wrong half-way.
pub(crate) fn lost() -> Recording {
    let mut lost = sliding_box();
    lost.header["scene"] = json!("lost");
    for frame in &mut lost.frames[300..] {
        frame.bodies[0].position = [f64::NAN, f64::INFINITY, -1e300];
        frame.energy = [f64::NAN; 2];
        for c in &mut frame.contacts {
            c.force = [f64::NEG_INFINITY; 3];
        }
    }
    lost
}

//! One body against the fixed world: Lloyd's situations, and the n-legged frames of [EnzPivot, Fig. 1-2].
//!
//! Lloyd names block-in-corner (12 contacts), face-on-face (6), peg-in-hole (any number), ball in the rim of a
//! hole, block in groove and face on surface among ten situations of 1 to 16 contacts [Lloyd, Fig. 1, §5.4]. The
//! ones he does not name are chosen here so that the counts are spread evenly.
//!
//! All of them have a solution: see [`crate::scene`].

use std::f64::consts::TAU;

use crate::geometry::{Vec3, about_y, add, mat_vec, scale, sub, unit};
use crate::rng::Rng;
use crate::scene::{Body, Scene, Surface, Touch};

const UP: Vec3 = [0.0, 0.0, 1.0];
const STILL: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Ten ways in which a single body touches the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Situation {
    /// A ball on a plane: 1 contact.
    BallOnPlane,
    /// The edge of a tilted block on a plane: 2 contacts.
    EdgeOnPlane,
    /// A ball in a corner of three walls: 3 contacts.
    BallInCorner,
    /// A block on a plane: 4 contacts.
    FaceOnSurface,
    /// A hexagonal face on a face: 6 contacts.
    FaceOnFace,
    /// A ball resting in the rim of a hole: 8 contacts.
    BallInRim,
    /// A block in a V-shaped groove, 5 points a side: 10 contacts.
    BlockInGroove,
    /// A block in a corner of three walls: 12 contacts.
    BlockInCorner,
    /// A block in a slot, 6 points below and 4 on each side: 14 contacts.
    BlockInSlot,
    /// A peg in a hole: 16 contacts.
    PegInHole,
}

impl Situation {
    /// All ten, by number of contacts.
    pub const ALL: [Self; 10] = [
        Self::BallOnPlane,
        Self::EdgeOnPlane,
        Self::BallInCorner,
        Self::FaceOnSurface,
        Self::FaceOnFace,
        Self::BallInRim,
        Self::BlockInGroove,
        Self::BlockInCorner,
        Self::BlockInSlot,
        Self::PegInHole,
    ];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::BallOnPlane => "ball-on-plane",
            Self::EdgeOnPlane => "edge-on-plane",
            Self::BallInCorner => "ball-in-corner",
            Self::FaceOnSurface => "face-on-surface",
            Self::FaceOnFace => "face-on-face",
            Self::BallInRim => "ball-in-rim",
            Self::BlockInGroove => "block-in-groove",
            Self::BlockInCorner => "block-in-corner",
            Self::BlockInSlot => "block-in-slot",
            Self::PegInHole => "peg-in-hole",
        }
    }

    /// The scene.
    pub fn scene(self) -> Scene {
        let mut scene = match self {
            Self::BallOnPlane => ball(&[[0.0, 0.0, 1.0]]),
            Self::EdgeOnPlane => edge(),
            Self::BallInCorner => ball(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            Self::FaceOnSurface => block_on_plane(),
            Self::FaceOnFace => face(6),
            Self::BallInRim => ball_in_rim(8),
            Self::BlockInGroove => block_in_groove(5, std::f64::consts::FRAC_PI_4),
            Self::BlockInCorner => block_in_corner(),
            Self::BlockInSlot => block_in_slot(),
            Self::PegInHole => peg(16),
        };
        self.name().clone_into(&mut scene.name);
        scene
    }
}

/// A ball of 1 kg and 0.1 m held where these normals meet it.
fn ball(normals: &[Vec3]) -> Scene {
    let mut scene = Scene::new("ball");
    let (radius, centre) = (0.1, [0.0, 0.0, 0.1]);
    scene.bodies.push(Body::ball(1.0, radius, centre));
    let touch = |n: Vec3| Touch::new(0, None, sub(centre, scale(radius, n)), n).on(Surface::Ball(radius));
    scene.touches = normals.iter().map(|&n| touch(n)).collect();
    scene
}

/// A ball resting in the rim of a round hole, touched at `k` points of the rim.
pub fn ball_in_rim(k: usize) -> Scene {
    // the rim is 0.8 of the ball's radius wide: its normals rise at cos = 0.6
    let normal = |angle: f64| [-0.8 * angle.cos(), -0.8 * angle.sin(), 0.6];
    let normals: Vec<Vec3> = (0..k).map(|i| normal(TAU * i as f64 / k as f64)).collect();
    Scene { name: format!("ball-in-rim-{k}"), ..ball(&normals) }
}

/// A block of 1 kg tilted about its lower edge.
fn edge() -> Scene {
    let mut scene = Scene::new("edge");
    let (half, tilt) = ([0.1, 0.2, 0.05], about_y(0.3));
    let corners = [-half[1], half[1]].map(|y| mat_vec(&tilt, [half[0], y, -half[2]]));
    let centre = [0.0, 0.0, -corners[0][2]];
    scene.bodies.push(Body::block(1.0, half, centre, &tilt));
    scene.touches = corners.iter().map(|&c| Touch::new(0, None, add(centre, c), UP)).collect();
    scene
}

/// The four corners of one side of a block: `axis` 0, 1, 2, on the side of `sign`.
fn side(half: Vec3, axis: usize, sign: f64) -> [Vec3; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[a, b]| {
        let mut p = [0.0; 3];
        (p[axis], p[u], p[v]) = (sign * half[axis], a * half[u], b * half[v]);
        p
    })
}

fn block_against(half: Vec3, sides: &[(usize, f64)]) -> Scene {
    let mut scene = Scene::new("block");
    scene.bodies.push(Body::block(1.0, half, [0.0; 3], &STILL));
    for &(axis, sign) in sides {
        let mut normal = [0.0; 3];
        normal[axis] = -sign;
        scene.touches.extend(side(half, axis, sign).map(|p| Touch::new(0, None, p, normal)));
    }
    scene
}

/// A block on a plane, touching with its four lower corners.
pub fn block_on_plane() -> Scene {
    Scene { name: "face-on-surface".into(), ..block_against([0.1, 0.15, 0.05], &[(2, -1.0)]) }
}

/// A block in a corner: floor and two walls, four corners on each.
pub fn block_in_corner() -> Scene {
    let sides = [(0, -1.0), (1, -1.0), (2, -1.0)];
    Scene { name: "block-in-corner".into(), ..block_against([0.1, 0.15, 0.05], &sides) }
}

/// A block between two walls, on six points of the floor.
fn block_in_slot() -> Scene {
    let half = [0.1, 0.15, 0.05];
    let mut scene = block_against(half, &[(2, -1.0), (0, -1.0), (0, 1.0)]);
    for x in [-half[0], half[0]] {
        scene.touches.push(Touch::new(0, None, [x, 0.0, -half[2]], UP));
    }
    scene
}

/// A block that lies in a groove whose two sides stand at `angle` to the vertical, `k` points along each.
///
/// Small angles make a wedge that jams: friction alone can hold it, with forces that are far from unique.
pub fn block_in_groove(k: usize, angle: f64) -> Scene {
    let mut scene = Scene::new(format!("groove-{k}"));
    let half = [0.05, 0.2, 0.05];
    scene.bodies.push(Body::block(1.0, half, [0.0; 3], &STILL));
    let (s, c) = angle.sin_cos();
    for sign in [-1.0, 1.0] {
        let normal = unit([-sign * c, 0.0, s]);
        for i in 0..k {
            let y = if k == 1 { 0.0 } else { half[1] * (2.0 * i as f64 / (k - 1) as f64 - 1.0) };
            // alternate between two heights, so that each side is a face and not a line
            let height = if i % 2 == 0 { -half[2] } else { -0.4 * half[2] };
            let point = [sign * (half[0] + (height + half[2]) * s / c), y, height];
            scene.touches.push(Touch::new(0, None, point, normal));
        }
    }
    scene
}

/// A round peg through a hole of a fixed block, with `contacts` / 2 points around each of the two rims
/// [Lloyd, Fig. 4].
pub fn peg(contacts: usize) -> Scene {
    let (radius, depth) = (0.05, 0.2);
    let mut scene = Scene::new(format!("peg-{contacts}"));
    scene.bodies.push(Body::cylinder(1.0, radius, 2.0 * depth, [0.0; 3]));
    let (top, bottom) = (contacts.div_ceil(2), contacts / 2);
    for (k, height) in [(top, 0.5 * depth), (bottom, -0.5 * depth)] {
        for i in 0..k {
            let (s, c) = (TAU * i as f64 / k as f64).sin_cos();
            let touch = Touch::new(0, None, [radius * c, radius * s, height], [-c, -s, 0.0]);
            scene.touches.push(touch.on(Surface::Straight(UP)));
        }
    }
    scene
}

/// A flat face on a plane, touching at the `k` corners of a regular polygon.
pub fn face(k: usize) -> Scene {
    Scene { name: format!("face-{k}"), ..frame_on(&regular(k)) }
}

/// A regular n-legged frame on the ground, its weight's line of action moved by `shift` [EnzPivot, Fig. 2].
pub fn frame(legs: usize, shift: [f64; 2]) -> Scene {
    let scene = frame_on(&regular(legs)).with_line_of_action(shift[0], shift[1]);
    Scene { name: format!("frame-{legs}"), ..scene }
}

/// An n-legged frame with its feet at random distances and angles, in order around the centre of mass.
pub fn irregular_frame(legs: usize, shift: [f64; 2], rng: &mut Rng) -> Scene {
    let feet: Vec<[f64; 2]> = (0..legs)
        .map(|i| {
            // within its own sector, so that no two feet fall together
            let angle = TAU * (i as f64 + rng.uniform(0.1, 0.9)) / legs as f64;
            let radius = rng.uniform(0.3, 0.7);
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let scene = frame_on(&feet).with_line_of_action(shift[0], shift[1]);
    Scene { name: format!("irregular-frame-{legs}"), ..scene }
}

fn regular(k: usize) -> Vec<[f64; 2]> {
    (0..k)
        .map(|i| {
            let (s, c) = (TAU * i as f64 / k as f64).sin_cos();
            [0.5 * c, 0.5 * s]
        })
        .collect()
}

/// A body of 1 kg, its centre of mass 0.3 m above these feet.
pub fn frame_on(feet: &[[f64; 2]]) -> Scene {
    let mut scene = Scene::new("frame");
    scene.bodies.push(Body::cylinder(1.0, 0.5, 0.1, [0.0, 0.0, 0.3]));
    scene.touches = feet.iter().map(|&[x, y]| Touch::new(0, None, [x, y, 0.0], UP)).collect();
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_situations_have_one_to_sixteen_contacts() {
        let counts = Situation::ALL.map(|s| s.scene().n_contacts());
        assert_eq!(counts, [1, 2, 3, 4, 6, 8, 10, 12, 14, 16]);
        for situation in Situation::ALL {
            let scene = situation.scene();
            assert_eq!(scene.name, situation.name());
            assert_eq!(scene.problem().n_contacts(), scene.n_contacts());
            for t in &scene.touches {
                // unit to rounding, and pointing into the body
                assert!((crate::geometry::dot(t.normal, t.normal) - 1.0).abs() < 1e-14);
                assert!(crate::geometry::dot(sub(scene.bodies[0].position, t.point), t.normal) > 0.0);
            }
        }
    }

    #[test]
    fn a_frame_has_rank_three_and_its_weight_on_the_line_of_action() {
        let scene = frame(4, [0.1, 0.0]);
        let lcp = scene.frictionless_lcp();
        assert_eq!(lcp.n(), 4);
        // four legs, three degrees of freedom: the alternating load does nothing, to rounding
        let alternate = [1.0, -1.0, 1.0, -1.0];
        for i in 0..4 {
            let w: f64 = (0..4).map(|j| lcp.entry(i, j) * alternate[j]).sum();
            assert!(w.abs() < 1e-12);
        }
        // the weight moved towards leg 0 presses that leg most
        assert!(lcp.q()[0] < lcp.q()[2]);
    }

    #[test]
    fn a_peg_of_sixteen_contacts_has_eight_around_each_rim() {
        let scene = peg(16);
        assert_eq!(scene.touches.iter().filter(|t| t.point[2] > 0.0).count(), 8);
        assert_eq!(scene.lcp().n(), 160);
    }
}

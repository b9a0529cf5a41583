//! Blocks on blocks: Lloyd's stacks [Lloyd, Fig. 9-10], towers beyond them, and the brick wall of
//! [EnzError, Fig. 4].
//!
//! Two faces touch at the corners of their overlap, so that the number of contacts follows from where the blocks
//! lie: 4 for squares side by side, 8 for squares turned by 45 degrees against each other.
//!
//! All of them have a solution: see [`crate::scene`].

use std::f64::consts::FRAC_PI_4;

use crate::geometry::{Rectangle, Vec3, about_z, overlap};
use crate::rng::Rng;
use crate::scene::{Body, Scene, Touch};

/// A block that lies flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Half sides, m.
    pub half: Vec3,
    /// kg.
    pub mass: f64,
    /// The centre of its face, seen from above, m.
    pub centre: [f64; 2],
    /// About the vertical, rad.
    pub angle: f64,
    /// The height of its lower face, m.
    pub bottom: f64,
}

impl Block {
    fn footprint(&self) -> Rectangle {
        Rectangle { centre: self.centre, half: [self.half[0], self.half[1]], angle: self.angle }
    }

    fn top(&self) -> f64 {
        self.bottom + 2.0 * self.half[2]
    }

    fn body(&self) -> Body {
        let position = [self.centre[0], self.centre[1], self.bottom + self.half[2]];
        Body::block(self.mass, self.half, position, &about_z(self.angle))
    }
}

/// The contacts between the top of `lower` and the bottom of `upper`, on the block or world `b`.
fn between(a: usize, upper: &Block, b: Option<usize>, lower: &Block) -> Vec<Touch> {
    let points = overlap(&upper.footprint(), &lower.footprint());
    points.iter().map(|&[x, y]| Touch::new(a, b, [x, y, upper.bottom], [0.0, 0.0, 1.0])).collect()
}

/// Blocks one on another, the first on a fixed pedestal.
pub fn stack_on(pedestal: &Block, blocks: &[Block]) -> Scene {
    let mut scene = Scene::new(format!("stack-{}", blocks.len()));
    let mut lower = (None, *pedestal);
    for (i, block) in blocks.iter().enumerate() {
        let block = Block { bottom: lower.1.top(), ..*block };
        scene.bodies.push(block.body());
        scene.touches.extend(between(i, &block, lower.0, &lower.1));
        lower = (Some(i), block);
    }
    scene
}

fn cube(angle: f64) -> Block {
    Block { half: [0.1, 0.1, 0.1], mass: 1.0, centre: [0.0; 2], angle, bottom: 0.0 }
}

/// `blocks` cubes of 1 kg, exactly above each other: four contacts per layer.
pub fn stack(blocks: usize) -> Scene {
    tower(blocks, 4 * blocks)
}

/// `blocks` cubes with `contacts` contacts in all, from 4 to 8 per layer in steps of four: the uppermost
/// layers are turned by 45 degrees against each other.
pub fn tower(blocks: usize, contacts: usize) -> Scene {
    assert!(
        contacts.is_multiple_of(4) && (4 * blocks..=8 * blocks).contains(&contacts),
        "a tower of {blocks} blocks has 4 or 8 contacts per layer, not {contacts} in all"
    );
    let turned = (contacts - 4 * blocks) / 4;
    let mut angle = 0.0;
    let cubes: Vec<Block> = (0..blocks)
        .map(|i| {
            if i >= blocks - turned {
                angle = if angle == 0.0 { FRAC_PI_4 } else { 0.0 };
            }
            cube(angle)
        })
        .collect();
    Scene { name: format!("tower-{blocks}x{contacts}"), ..stack_on(&cube(0.0), &cubes) }
}

/// The blocks and contacts of ten stacks like Lloyd's: 1 to 5 blocks, 4 to 32 contacts [Lloyd, Fig. 10].
pub const LLOYD_STACKS: [(usize, usize); 10] =
    [(1, 4), (1, 8), (2, 8), (2, 12), (3, 16), (3, 20), (4, 20), (4, 24), (5, 28), (5, 32)];

/// Blocks of random sides, shifted and turned at random, each resting on the one below.
///
/// Every overlap has at least three corners, so no block floats; some of them tip.
pub fn random_stack(blocks: usize, rng: &mut Rng) -> Scene {
    let mut below = [0.0; 2];
    let mut block = |first: bool| {
        let half = [rng.uniform(0.08, 0.2), rng.uniform(0.08, 0.2), rng.uniform(0.03, 0.1)];
        if !first {
            below = below.map(|c| c + rng.uniform(-0.05, 0.05));
        }
        let angle = if rng.chance(0.3) { 0.0 } else { rng.uniform(0.0, 3.0) };
        Block { half, mass: rng.uniform(0.5, 2.0), centre: below, angle, bottom: 0.0 }
    };
    let pedestal = block(true);
    let all: Vec<Block> = (0..blocks).map(|_| block(false)).collect();
    Scene { name: format!("random-stack-{blocks}"), ..stack_on(&pedestal, &all) }
}

/// A wall of `rows` rows, alternately two and three bricks wide, small gaps between neighbours
/// [EnzError, Fig. 4]. Twelve rows are 30 bricks and 184 contacts.
pub fn brick_wall(rows: usize) -> Scene {
    let half = [0.1, 0.05, 0.05];
    // 1 mm of air between neighbours
    let pitch = 2.0 * half[0] + 1e-3;
    let ground = Block { half: [10.0, 10.0, 0.5], mass: 1.0, centre: [0.0; 2], angle: 0.0, bottom: -1.0 };
    let mut scene = Scene::new(format!("wall-{rows}"));
    let mut lower = vec![(None, ground)];
    for row in 0..rows {
        let width = 2 + row % 2;
        let mut current = Vec::with_capacity(width);
        for i in 0..width {
            let x = pitch * (i as f64 - 0.5 * (width - 1) as f64);
            let bottom = 2.0 * half[2] * row as f64;
            let brick = Block { half, mass: 1.0, centre: [x, 0.0], angle: 0.0, bottom };
            let a = scene.bodies.len();
            scene.bodies.push(brick.body());
            for (b, below) in &lower {
                scene.touches.extend(between(a, &brick, *b, below));
            }
            current.push((Some(a), brick));
        }
        lower = current;
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_of_the_paper_has_30_bricks_and_184_contacts() {
        let wall = brick_wall(12);
        assert_eq!((wall.bodies.len(), wall.n_contacts()), (30, 184));
        assert_eq!(wall.problem().as_global().unwrap().free_velocity.len(), 180);
    }

    #[test]
    fn lloyds_stacks_have_their_contacts() {
        for (blocks, contacts) in LLOYD_STACKS {
            let scene = tower(blocks, contacts);
            assert_eq!((scene.bodies.len(), scene.n_contacts()), (blocks, contacts));
        }
        assert_eq!(tower(20, 128).n_contacts(), 128);
    }

    #[test]
    fn no_block_of_a_random_stack_floats() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let scene = random_stack(4, &mut rng);
            for body in 0..4 {
                assert!(scene.touches.iter().filter(|t| t.a == body).count() >= 3);
            }
        }
    }

    #[test]
    fn a_mass_ratio_goes_from_the_first_block_to_the_last() {
        let scene = stack(5).with_mass_ratio(1e6);
        // one rounding of a power
        assert!((scene.bodies[4].mass / scene.bodies[0].mass / 1e6 - 1.0).abs() < 1e-12);
        assert_eq!(scene.name, "tower-5x20+ratio-1e6");
    }
}

//! How a case is drawn: a size, a scene or a plain problem, and its troubles.

use super::{Family, Problem};
use crate::geometry::dot;
use crate::mechanisms;
use crate::piles::{self, Neighbours};
use crate::plain::{self, Spread};
use crate::rng::Rng;
use crate::scene::{Scene, Touch, Units};
use crate::single::{self, Situation};
use crate::stacks;

/// The largest standard form, in unknowns.
const LARGEST: usize = 320;

/// A problem of a family, and its name.
pub(super) fn draw_problem(family: Family, rng: &mut Rng) -> (String, Problem) {
    let (n, spread) = (count(1, 6, 24, 96, rng), rng.pick(&[Spread::Even, Spread::Wide]));
    let rank = rng.between(1, n.div_ceil(2));
    let lcp = match family {
        Family::Definite => plain::definite(n, spread, rng),
        Family::Semidefinite => plain::semidefinite(n, rank, spread, rng),
        Family::Degenerate => plain::degenerate(n, rank, spread, rng),
        Family::QuadraticProgram => plain::quadratic_program(n.div_ceil(2), n / 2 + 1, rng),
        Family::Copositive => plain::strictly_copositive(n.min(40), rng),
        Family::Dominant => plain::dominant(n, rng),
        Family::Exponential => {
            let n = rng.between(1, 8);
            let build = rng.pick(&[
                plain::murty,
                plain::murty_complementary,
                plain::fathi,
                plain::fathi_complementary,
            ]);
            build(n)
        }
        Family::Boxed => {
            return (format!("boxed-{n}"), Problem::Mlcp(plain::boxed(n, rank, rng)));
        }
        _ => return scene_problem(family, rng),
    };
    (format!("{}-{}", family.name(), lcp.n()), Problem::Lcp(lcp))
}

fn scene_problem(family: Family, rng: &mut Rng) -> (String, Problem) {
    let friction = if family == Family::Frictionless { Friction::Ignored } else { Friction::Kept };
    let scene = troubled(draw_scene(family, rng), friction, rng);
    match family {
        Family::Local => (format!("local-{}", scene.name), Problem::Friction(scene.local_problem())),
        Family::Unsymmetric => {
            let size = rng.uniform(0.05, 0.5);
            let problem = scene.unsymmetric_problem(size, rng);
            (format!("unsymmetric-{}", scene.name), Problem::Friction(problem))
        }
        Family::Frictionless => {
            (format!("frictionless-{}", scene.name), Problem::Lcp(scene.frictionless_lcp()))
        }
        Family::BoxFriction => (format!("box-{}", scene.name), Problem::Mlcp(scene.box_friction())),
        _ => (scene.name.clone(), Problem::Friction(scene.problem())),
    }
}

/// A count: small in 60 % of the draws, middling in 32 %, large in 8 %.
fn count(least: usize, small: usize, middle: usize, large: usize, rng: &mut Rng) -> usize {
    let x = rng.unit();
    if x < 0.6 {
        rng.between(least, small)
    } else if x < 0.92 {
        rng.between(small, middle)
    } else {
        rng.between(middle, large)
    }
}

fn draw_scene(family: Family, rng: &mut Rng) -> Scene {
    let shift =
        |rng: &mut Rng| if rng.chance(0.4) { [0.0; 2] } else { [(); 2].map(|()| rng.uniform(-0.5, 0.5)) };
    match family {
        Family::Situation => rng.pick(&Situation::ALL).scene(),
        Family::Peg => single::peg(count(4, 8, 16, 32, rng)),
        Family::Face => single::face(count(3, 6, 12, 32, rng)),
        Family::Frame => {
            let (legs, shift) = (count(3, 6, 12, 32, rng), shift(rng));
            if rng.chance(0.5) {
                single::frame(legs, shift)
            } else {
                single::irregular_frame(legs, shift, rng)
            }
        }
        Family::Wedge => {
            let angle = rng.uniform(0.05, 1.2);
            if rng.chance(0.5) {
                single::block_in_groove(rng.between(1, 8), angle)
            } else {
                piles::wedge(angle)
            }
        }
        Family::Tower => {
            let blocks = count(1, 2, 4, 8, rng);
            let turned = rng.between(0, blocks.min(8 - blocks));
            stacks::tower(blocks, 4 * (blocks + turned))
        }
        Family::RandomStack => stacks::random_stack(count(1, 2, 3, 4, rng), rng),
        Family::Wall => stacks::brick_wall(if rng.chance(0.8) { 1 } else { 2 }),
        Family::Balls => match rng.below(4) {
            0 => piles::pyramid(2, Neighbours::Touching),
            1 => piles::pyramid(2, Neighbours::Apart),
            _ => piles::column(count(1, 4, 10, 20, rng)),
        },
        Family::Arch => piles::arch(count(2, 2, 4, 7, rng)),
        Family::Mechanism => match rng.below(4) {
            0 => mechanisms::four_bar(),
            1 => mechanisms::driven_four_bar(rng.uniform(-5.0, 5.0), rng.log_uniform(0.01, 100.0)),
            2 => mechanisms::chain(rng.between(1, 5)),
            _ => mechanisms::door(),
        },
        // the other forms of any scene with contacts alone
        _ => {
            let sources = [
                Family::Situation,
                Family::Peg,
                Family::Face,
                Family::Frame,
                Family::Wedge,
                Family::Tower,
                Family::RandomStack,
                Family::Balls,
            ];
            draw_scene(rng.pick(&sources), rng)
        }
    }
}

/// The unknowns of the standard form of a scene.
fn size(scene: &Scene) -> usize {
    scene.n_contacts() * (2 + scene.facets) + scene.unilateral.len() + 2 * scene.motors.len()
}

/// The distances of near-duplicates that leave an answer to be written down to 1e-9.
///
/// Where contacts without friction hold a body from two sides, a pair of neighbours holds it against one more
/// motion, with the distance as lever and impulses of its reciprocal. Its stiffness in W is the square of the
/// distance, and entries of size one carry it to 1e-16: at 1e-7 m to two digits, at 1e-8 m not at all, so the data no
/// longer say what stops the motion. Drawn all the same, 5 of 80,000 cases (seeds 1 to 4) end between 1.5e-9 and
/// 3.5e-8. At 1e-11 m and below that motion is too slow to count.
fn near_offsets(scene: &Scene, friction: Friction) -> &'static [f64] {
    let smooth = friction == Friction::Ignored || scene.touches.iter().all(|t| t.mu == 0.0);
    // normals within 8 degrees of opposite
    let opposed = |a: &Touch, b: &Touch| dot(a.normal, b.normal) < -0.99;
    let held = scene.touches.iter().any(|a| scene.touches.iter().any(|b| opposed(a, b)));
    if smooth && held { &[1e-12, 1e-11] } else { &[1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6] }
}

/// Whether a problem will have the friction of its scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Friction {
    Kept,
    Ignored,
}

/// Puts a scene under loads, and into trouble.
fn troubled(mut scene: Scene, friction: Friction, rng: &mut Rng) -> Scene {
    // friction: Lloyd's range, all equal (ties), wide, none, more than any surface has
    scene = match rng.below(20) {
        0..=8 => scene.with_mu_between(0.2, 0.3, rng),
        9..=12 => scene.with_mu(0.5),
        13..=16 => scene.with_mu_between(0.0, 1.2, rng),
        17..=18 => scene.with_mu(0.0).noted("mu-0"),
        _ => {
            let mu = rng.pick(&[10.0, 100.0, 1000.0]);
            scene.with_mu(mu).noted(&format!("mu-{mu}"))
        }
    };
    let facets = rng.pick(&[8, 8, 8, 8, 8, 8, 8, 4, 4, 6, 12, 16]);
    if size(&scene) / 10 * (2 + facets) <= LARGEST {
        scene.facets = facets;
    }
    scene.h = rng.pick(&[1e-3, 1e-3, 1e-2, 1e-4]);
    // without friction and without a push, a peg across gravity's line has a q of rounding errors alone, whose signs
    // ask opposite walls to part: no answer is near
    let strengths = match friction {
        Friction::Kept => [0.0, 0.0, 0.1, 1.0, 1.0, 2.0, 2.0, 20.0].as_slice(),
        Friction::Ignored => &[0.1, 1.0, 2.0, 20.0],
    };
    if scene.bodies.len() > 1 && rng.chance(0.4) {
        let ratio = rng.pick(&[1e-6, 1e-4, 1e-2, 0.1, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6]);
        scene = scene.with_mass_ratio(ratio);
    }
    let strength = rng.pick(strengths);
    if strength > 0.0 {
        scene = scene.pushed(strength, rng);
    }
    if rng.chance(0.2) {
        let speed = rng.log_uniform(1e-3, 5.0);
        scene = scene.with_velocities(speed, rng);
    }
    if rng.chance(0.1) {
        scene = scene.with_gaps(rng);
    }
    match rng.below(100) {
        0..=2 => scene = scene.at_peace(),
        3..=5 => scene = scene.separating(),
        _ => {}
    }
    if 2 * size(&scene) <= LARGEST {
        if rng.chance(0.12) {
            scene = scene.with_duplicates();
        } else if rng.chance(0.17) {
            let offset = rng.pick(near_offsets(&scene, friction));
            scene = scene.with_near_duplicates(offset, rng);
        }
    }
    if rng.chance(0.3) {
        scene = scene.with_turned_tangents(rng);
    }
    if rng.chance(0.35) {
        scene = scene.rotated(rng);
    }
    if rng.chance(0.3) {
        scene = scene.shuffled(rng);
    }
    if rng.chance(0.3) {
        let units = rng.pick(&Units::ALL);
        scene = scene.in_units(units);
    }
    scene
}

//! The campaign: a fixed, endless, weighted mix of problems that all have a solution.
//!
//! A case is a function of the campaign's seed and its own index, so that a failing one can be built again alone:
//! `Campaign::new(seed).case(index)`. Sizes run from one unknown to about 320; most are below 100, so that
//! 20,000 cases take minutes. A third of the scenes are harmless; the rest get one or several of the troubles
//! that contact problems have: repeated and nearly repeated contacts, mass ratios to a million, strange units, no
//! friction, too much of it, nothing moving at all.
//!
//! | family                                    | why a solution exists                                           |
//! |-------------------------------------------|-----------------------------------------------------------------|
//! | scenes with friction, global or local     | copositive, and rest agrees with every row ([`crate::scene`])    |
//! | `unsymmetric`                             | the skew part does no work ([`Scene::unsymmetric_problem`])      |
//! | `box-friction`                            | two cones per contact instead of one ([`Scene::box_friction`])   |
//! | `frictionless`                            | semi-definite, and rest agrees with every row                   |
//! | plain problems                            | planted, or the matrix class has it ([`crate::plain`])           |

use gudgeon_lcp::{FrictionProblem, Lcp, Mlcp};

use crate::mechanisms;
use crate::piles::{self, Neighbours};
use crate::plain::{self, Spread};
use crate::rng::Rng;
use crate::scene::{Scene, Units};
use crate::single::{self, Situation};
use crate::stacks;

/// The largest standard form, in unknowns.
const LARGEST: usize = 320;

/// A problem of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// A standard problem.
    Lcp(Lcp),
    /// A boxed problem.
    Mlcp(Mlcp),
    /// Contact with friction.
    Friction(FrictionProblem),
}

/// Where a case comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Lloyd's ten single-body situations.
    Situation,
    /// A peg in a hole.
    Peg,
    /// A flat face.
    Face,
    /// An n-legged frame, regular or not.
    Frame,
    /// A block in a groove, and a wedge that jams.
    Wedge,
    /// A tower of cubes.
    Tower,
    /// Blocks of random sides and places.
    RandomStack,
    /// A brick wall.
    Wall,
    /// A pyramid or a column of balls.
    Balls,
    /// An arch.
    Arch,
    /// Loops, limits and motors.
    Mechanism,
    /// A scene in local form.
    Local,
    /// A scene in local form, W unsymmetric.
    Unsymmetric,
    /// A scene without friction.
    Frictionless,
    /// A scene with box friction.
    BoxFriction,
    /// Positive definite.
    Definite,
    /// Semi-definite, planted.
    Semidefinite,
    /// Semi-definite with rows repeated and most of z and w zero.
    Degenerate,
    /// A quadratic program.
    QuadraticProgram,
    /// Strictly copositive.
    Copositive,
    /// Diagonally dominant, unsymmetric.
    Dominant,
    /// Murty's and Fathi's exponential examples, small.
    Exponential,
    /// Boxed, planted.
    Boxed,
}

impl Family {
    /// All of them, with their share of a campaign in parts of 100.
    pub const ALL: [(Self, usize); 23] = [
        (Self::Situation, 10),
        (Self::Peg, 7),
        (Self::Face, 7),
        (Self::Frame, 7),
        (Self::Wedge, 4),
        (Self::Tower, 7),
        (Self::RandomStack, 7),
        (Self::Wall, 3),
        (Self::Balls, 6),
        (Self::Arch, 3),
        (Self::Mechanism, 6),
        (Self::Local, 3),
        (Self::Unsymmetric, 4),
        (Self::Frictionless, 5),
        (Self::BoxFriction, 4),
        (Self::Definite, 2),
        (Self::Semidefinite, 3),
        (Self::Degenerate, 4),
        (Self::QuadraticProgram, 2),
        (Self::Copositive, 1),
        (Self::Dominant, 1),
        (Self::Exponential, 1),
        (Self::Boxed, 3),
    ];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Situation => "situation",
            Self::Peg => "peg",
            Self::Face => "face",
            Self::Frame => "frame",
            Self::Wedge => "wedge",
            Self::Tower => "tower",
            Self::RandomStack => "random-stack",
            Self::Wall => "wall",
            Self::Balls => "balls",
            Self::Arch => "arch",
            Self::Mechanism => "mechanism",
            Self::Local => "local",
            Self::Unsymmetric => "unsymmetric",
            Self::Frictionless => "frictionless",
            Self::BoxFriction => "box-friction",
            Self::Definite => "definite",
            Self::Semidefinite => "semidefinite",
            Self::Degenerate => "degenerate",
            Self::QuadraticProgram => "quadratic-program",
            Self::Copositive => "copositive",
            Self::Dominant => "dominant",
            Self::Exponential => "exponential",
            Self::Boxed => "boxed",
        }
    }

    fn draw(rng: &mut Rng) -> Self {
        let mut left = rng.below(Self::ALL.iter().map(|(_, share)| share).sum());
        for (family, share) in Self::ALL {
            if left < share {
                return family;
            }
            left -= share;
        }
        unreachable!("the shares add up")
    }
}

/// One problem of a campaign.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its place in the campaign.
    pub index: u64,
    /// The index, what the problem shows and what was done to it.
    pub name: String,
    /// Where it comes from.
    pub family: Family,
    /// The problem.
    pub problem: Problem,
}

/// An endless sequence of cases; the same seed gives the same ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    seed: u64,
    next: u64,
}

impl Campaign {
    /// From the first case.
    pub fn new(seed: u64) -> Self {
        Self { seed, next: 0 }
    }

    /// One case, without those before it.
    pub fn case(&self, index: u64) -> Case {
        let mut rng = Rng::indexed(self.seed, index);
        let family = Family::draw(&mut rng);
        let (name, problem) = draw_problem(family, &mut rng);
        Case { index, name: format!("{index:05}-{name}"), family, problem }
    }
}

impl Iterator for Campaign {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        let case = self.case(self.next);
        self.next += 1;
        Some(case)
    }
}

fn draw_problem(family: Family, rng: &mut Rng) -> (String, Problem) {
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
    let scene = troubled(draw_scene(family, rng), rng);
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

/// Puts a scene under loads, and into trouble.
fn troubled(mut scene: Scene, rng: &mut Rng) -> Scene {
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
    if scene.bodies.len() > 1 && rng.chance(0.4) {
        let ratio = rng.pick(&[1e-6, 1e-4, 1e-2, 0.1, 10.0, 1e2, 1e3, 1e4, 1e6]);
        scene = scene.with_mass_ratio(ratio);
    }
    if rng.chance(0.7) {
        let strength = rng.pick(&[0.1, 1.0, 2.0, 20.0]);
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
            let offset = rng.pick(&[1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6]);
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

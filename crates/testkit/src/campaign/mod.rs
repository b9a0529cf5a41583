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
//! | `unsymmetric`                             | the skew part does no work ([`crate::Scene::unsymmetric_problem`])      |
//! | `box-friction`                            | two cones per contact instead of one ([`crate::Scene::box_friction`])   |
//! | `frictionless`                            | semi-definite, and rest agrees with every row                   |
//! | plain problems                            | planted, or the matrix class has it ([`crate::plain`])           |

mod draw;

use gudgeon_lcp::{FrictionProblem, Lcp, Mlcp};

use crate::rng::Rng;

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
        let (name, problem) = draw::draw_problem(family, &mut rng);
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

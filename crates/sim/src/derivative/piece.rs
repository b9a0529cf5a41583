//! Which smooth piece of the step a step was on: every choice that it made.
//!
//! A step is smooth as long as it chooses the same: which features touch and push, how they slide, on which side their gaps are,
//! what is at a limit or a bound, which overlaps are undone, what flies, what was slowed down. Two steps of one piece are values of
//! one smooth function; differences across two pieces are the derivative of neither.

use gudgeon_contact::{LIMIT_TOUCHES, Law, Sliding};
use gudgeon_lcp::ContactMode;
use gudgeon_spatial::Vector3;

use super::held::held;
use super::rows::bounded_ends;
use crate::report::{StepError, StepReport};
use crate::simulator::{Simulator, View};

/// The choices of a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    contacts: Vec<Touched>,
    joints: Vec<i8>, // limits and bounded rows: 0 at rest, else which way
    flags: [bool; 3],
    flying: Vec<bool>,
    bounds: Vec<[usize; 2]>,
    braked: Vec<usize>,
}

/// What a contact that takes part did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Touched {
    colliders: (usize, usize),
    id: u64,
    /// Of the first solve and of the last.
    modes: [u8; 2],
    /// Where on its polygon friction is, in thousandths of a radian; bits.
    corner: u64,
    /// Its gap has a say.
    apart: bool,
    bounces: bool,
    /// Its overlap is undone, and no faster than it may.
    undone: [bool; 2],
    stiffness: u64,
}

impl Simulator {
    /// Advances by one step and tells on which piece it was.
    pub fn step_on_piece(&mut self, piece: &mut Piece) -> Result<StepReport, StepError> {
        self.tape.on = true;
        let stepped = self.step();
        self.tape.on = false;
        let report = stepped?;
        piece.read(self);
        Ok(report)
    }
}

impl Piece {
    /// Whether contacts of two steps did the same, overlap undone apart: of rows that say the same, rounding chooses.
    pub fn touches_alike(&self, other: &Self) -> bool {
        let alike = |(a, b): (&Touched, &Touched)| {
            (a.colliders, a.id, a.modes, a.corner, a.apart) == (b.colliders, b.id, b.modes, b.corner, b.apart)
        };
        let pushes = |t: &&Touched| t.modes != [0, 0];
        let (own, others) = (self.contacts.iter().filter(pushes), other.contacts.iter().filter(pushes));
        own.clone().count() == others.clone().count() && own.zip(others).all(alike)
    }

    fn read(&mut self, sim: &Simulator) {
        let (view, tape) = (sim.view(), &sim.tape);
        self.contacts.clear();
        self.joints.clear();
        self.flags = [tape.bounded, tape.tamed, tape.blended];
        self.flying.clear();
        self.flying.extend(view.pushed_trees);
        self.flying.extend(&tape.pushed);
        self.bounds.clear();
        self.bounds.extend(tape.bounds.iter().map(|b| [b.group, b.link]));
        self.bounds.sort_unstable();
        self.braked.clear();
        self.braked.extend(tape.brakes.iter().map(|b| b.island));
        self.braked.sort_unstable();
        if tape.solved {
            self.read_contacts(sim, &view);
            self.read_joints(sim, &view);
        }
    }

    fn read_contacts(&mut self, sim: &Simulator, view: &View<'_>) {
        let (tape, settings) = (&sim.tape, &sim.settings);
        let answers = tape.first.contacts.iter().zip(&sim.ladder.solution.contacts);
        for (i, (c, (first, last))) in view.contacts.iter().zip(answers).enumerate() {
            let modes = [first, last].map(|a| match a.mode {
                ContactMode::Open => 0,
                _ if a.impulse[0] <= 0.0 => 0,
                ContactMode::Stick => 1,
                ContactMode::Slip => 2,
            });
            let undone = tape.recovery.get(3 * i).is_some_and(|x| *x != 0.0);
            let bounces = view.bounces.iter().any(|b| b.contact == i);
            if modes == [0, 0] && !undone && !bounces {
                continue;
            }
            let rigid = c.material.stiffness.is_infinite();
            let [t1, t2] = settings.facets.section().tangents(&c.normal);
            let angle = |d: Vector3<f64>| (1e3 * d.dot(&t2).atan2(d.dot(&t1))).round();
            let corner = held(c, last, settings, None).map_or(0.0, |h| match h.sliding {
                Sliding::Not | Sliding::Round(..) => 0.0,
                Sliding::Corner(d) => angle(d) + 0.25,
                Sliding::Side(d, _) => angle(d) + 0.75,
            });
            self.contacts.push(Touched {
                colliders: c.colliders,
                id: c.id,
                modes,
                corner: corner.to_bits(),
                apart: rigid && Law::hard(c.gap, settings.touching(), settings.dt).bias > 0.0,
                bounces,
                undone: [undone, undone && c.gap / settings.dt <= -settings.recovery_speed],
                stiffness: c.material.stiffness.to_bits(),
            });
        }
        self.contacts.sort_unstable();
    }

    fn read_joints(&mut self, sim: &Simulator, view: &View<'_>) {
        let (tape, dt) = (&sim.tape, sim.settings.dt);
        for solution in [&tape.first, &sim.ladder.solution] {
            let mut impulses = solution.impulses.iter().skip(3 * view.contacts.len());
            let mut next = || impulses.next().copied().unwrap_or(0.0);
            for limit in view.limits {
                let apart = Law::hard(limit.gap, LIMIT_TOUCHES, dt).bias > 0.0;
                self.joints.push(if next() > 0.0 { 1 + i8::from(apart) } else { 0 });
            }
            for _ in &view.drive.actuation.limits {
                self.joints.push(i8::from(next() > 0.0));
            }
            for [lo, hi] in bounded_ends(view, dt) {
                let x = next();
                self.joints.push(i8::from(x >= hi) - i8::from(x <= lo));
            }
        }
        let limits = tape.recovery.iter().skip(3 * view.contacts.len());
        self.joints.extend(limits.map(|x| i8::from(*x != 0.0)));
    }
}

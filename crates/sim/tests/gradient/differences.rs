//! Differences of steps: on one piece, extrapolated, at many step lengths.

#![allow(clippy::print_stdout, reason = "a trace for the campaign's example")]

use gudgeon_multibody::{LinkId, State, difference, integrate};
use gudgeon_sim::{Controller, JointMotion, Piece, Scene, Simulator};
use gudgeon_spatial::{Force, Symmetric3, Vector3};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::check::{Start, looped};
use super::direction::Direction;

/// The scene with its parameters moved by h along d.
pub(crate) fn altered(scene: &Scene, d: &Direction, h: f64) -> Scene {
    let mut s = scene.clone();
    // each collider has a surface of its own, so that it can be changed alone
    let materials: Vec<_> = s.colliders.iter().map(|c| s.materials[c.material]).collect();
    for (k, c) in s.colliders.iter_mut().enumerate() {
        c.material = k;
        let pose = Vector3::new(d.p.pose[k][3], d.p.pose[k][4], d.p.pose[k][5]) * h;
        let turn = Vector3::new(d.p.pose[k][0], d.p.pose[k][1], d.p.pose[k][2]) * h;
        c.pose *= Isometry3::from_parts(Translation3::from(pose), UnitQuaternion::from_scaled_axis(turn));
    }
    s.materials = materials;
    for (k, m) in s.materials.iter_mut().enumerate() {
        m.friction += h * d.p.friction[k];
        m.restitution += h * d.p.restitution[k];
    }
    for (k, p) in s.pairs.iter_mut().enumerate() {
        p.2.friction += h * d.p.pair_friction[k];
        p.2.restitution += h * d.p.pair_restitution[k];
    }
    for (i, x) in d.p.model.inertia.iter().enumerate().skip(1) {
        let own = s.model.inertia_mut(LinkId(i));
        own.mass += h * x.mass;
        own.com += x.com * h;
        let c = x.about_com.map(|x| x * h);
        own.about_com += Symmetric3::new(c[0], c[1], c[2], c[3], c[4], c[5]);
    }
    for k in 0..s.model.n_v() {
        let dof = s.model.dof_mut(k);
        dof.damping += h * d.p.model.damping[k];
        dof.armature += h * d.p.model.armature[k];
        dof.stiffness += h * d.p.model.stiffness[k];
        dof.rest += h * d.p.model.rest[k];
        dof.friction += h * d.p.joint_friction[k];
    }
    s.model = s.model.clone().with_gravity(s.model.gravity() + d.p.model.gravity * h);
    for (k, c) in s.controllers.iter_mut().enumerate() {
        let more = h * d.controllers[k];
        match c {
            Controller::Pd { motion, stiffness, damping, .. } => {
                *stiffness += h * d.p.gain[k];
                *damping += h * d.p.rate_gain[k];
                // every motion of these scenes stays where it is
                *motion = JointMotion::constant(&motion.joints()[0], motion.at(0, 0.0)[0] + more);
            }
            Controller::Force { force, .. } => *force += more,
            Controller::Motor { velocity, .. } => *velocity += more,
            Controller::Actuator(a) => a.control += more,
            _ => {}
        }
    }
    s
}

/// A simulator that stands where the step begins.
pub(crate) fn begin(scene: &Scene, start: &Start) -> Simulator {
    let mut sim = Simulator::new(scene).unwrap();
    sim.settings.warm_start = !start.memory.is_empty();
    if sim.settings.warm_start {
        sim.restore_kin(&start.memory).unwrap();
        for (k, own) in scene.controllers.iter().enumerate() {
            sim.controller_mut(k).unwrap().clone_from(own);
        }
    }
    sim.set_state(&start.state);
    sim.control.copy_from_slice(&start.control);
    sim.external.clone_from(&start.external);
    sim
}

/// Whether two steps count as of one piece.
type Alike = dyn Fn(&Piece, &Piece) -> bool;

/// A step that was taken.
#[derive(Debug, Clone)]
struct Moved {
    end: State,
    motion: Vec<f64>,
    /// Differences across two pieces are those of neither.
    piece: Piece,
}

fn after(scene: &Scene, start: &Start, d: &Direction, h: f64) -> Option<Moved> {
    let mut start = start.clone();
    integrate(&scene.model, &mut start.state.q, &d.q, h);
    start.state.v.iter_mut().zip(&d.v).for_each(|(x, d)| *x += h * d);
    start.control.iter_mut().zip(&d.control).for_each(|(x, d)| *x += h * d);
    if !d.external.is_empty() {
        start.external.resize(scene.model.n_links(), Force::zero());
        start.external.iter_mut().zip(&d.external).for_each(|(x, d)| *x += *d * h);
    }
    let mut sim = begin(&altered(scene, d, h), &start);
    let _ = sim.step().ok()?;
    // once more from the answer: of nine digits, which are enough for a solve, differences would show the last
    sim.settings.warm_start = true;
    sim.set_state(&start.state);
    let mut piece = Piece::default();
    let _ = sim.step_on_piece(&mut piece).ok()?;
    let mut end = sim.state().clone();
    if looped(scene) {
        // a step leaves loops open by up to 1e-12 m; the derivative is that of closed ones
        let mut ws = gudgeon_multibody::Workspace::new(&scene.model);
        let mut closing = gudgeon_multibody::ConstraintSolver::new(&scene.model);
        closing.tolerance = 0.0;
        let _ = closing.settle(&scene.model, &mut end, &mut ws);
    }
    Some(Moved { end, motion: sim.motion().to_vec(), piece })
}

/// The change of the state along d from one step to another that began `length` further on, per unit.
///
/// Positions of metres have their last bit at 2e-16 m, a step of a millisecond moves them by 1e-6 m per m/s²: what differences
/// of them can tell is lost there. Where no loop is settled q⁺ = q ⊕ dt motion, and the difference is that of the motions,
/// put together on the manifold about its neutral element.
fn slope(scene: &Scene, d: &Direction, low: &Moved, high: &Moved, length: f64) -> [Vec<f64>; 2] {
    let model = &scene.model;
    let n = model.n_v();
    let mut dq = vec![0.0; n];
    if looped(scene) {
        difference(model, &low.end.q, &high.end.q, &mut dq);
    } else {
        let none = State::neutral(model).q;
        let mut back = none.clone();
        integrate(model, &mut back, &low.motion, -scene.settings.dt);
        let mut q = back.clone();
        integrate(model, &mut q, &d.q, length);
        integrate(model, &mut q, &high.motion, scene.settings.dt);
        difference(model, &none, &q, &mut dq);
        // there and back is a bit beside none: the same bit at every length, which no extrapolation sees
        let mut bit = vec![0.0; n];
        integrate(model, &mut back, &d.q, 0.0);
        integrate(model, &mut back, &low.motion, scene.settings.dt);
        difference(model, &none, &back, &mut bit);
        dq.iter_mut().zip(&bit).for_each(|(x, b)| *x -= b);
    }
    for x in &mut dq {
        *x /= length;
    }
    let dv = (0..n).map(|k| (high.end.v[k] - low.end.v[k]) / length).collect();
    [dq, dv]
}

/// tight + share (tight − wide).
fn extrapolated(wide: &[Vec<f64>; 2], tight: &[Vec<f64>; 2], share: f64) -> [Vec<f64>; 2] {
    [0, 1].map(|b| wide[b].iter().zip(&tight[b]).map(|(w, t)| t + share * (t - w)).collect())
}

/// The step lengths: the reach of the direction halved again and again, 0.1 down to 1e-11.
const LENGTHS: usize = 34;
/// Differences of numbers that did not change at all agree best: what their last bits, of 1e-16, could hide is doubt as well.
const LAST_BIT: f64 = 2.3e-16;
/// Differences that agree to this tell what is held against them.
const AGREE: f64 = 1e-6;

/// Differences at every step length, each extrapolated with the tighter ones: central ones of sixth order, or one-sided ones
/// of fourth. In three lists: those that stay on one piece, those whose contacts do the same, all.
pub(crate) fn differences(
    scene: &Scene,
    start: &Start,
    d: &Direction,
    central: bool,
) -> [Vec<Option<[Vec<f64>; 2]>>; 3] {
    let lengths = (0..LENGTHS).map(|k| d.reach() * 0.5_f64.powi(i32::try_from(k).unwrap()));
    let middle = after(scene, start, d, 0.0);
    let ends: Vec<_> = lengths
        .map(|h| {
            let low = if central { after(scene, start, d, -h)? } else { middle.clone()? };
            Some((low, after(scene, start, d, h)?, if central { 2.0 * h } else { h }))
        })
        .collect();
    // one-sided differences leave the piece that they begin on
    let own = if central { middle.as_ref() } else { ends.iter().rev().flatten().next().map(|e| &e.1) };
    let strict = |a: &Piece, b: &Piece| a == b;
    let loose = |a: &Piece, b: &Piece| a.touches_alike(b);
    let any = |_: &Piece, _: &Piece| true;
    let levels: [&Alike; 3] = [&strict, &loose, &any];
    // h² and h⁴ go; or h, h² and h³
    let shares: &[f64] = if central { &[1.0 / 3.0, 1.0 / 15.0] } else { &[1.0, 1.0 / 3.0, 1.0 / 7.0] };
    levels.map(|same| {
        let home = |(low, high, _): &&(Moved, Moved, f64)| {
            own.is_some_and(|m| same(&m.piece, &high.piece) && (!central || same(&m.piece, &low.piece)))
        };
        let plain: Vec<_> =
            ends.iter().map(|e| e.as_ref().filter(home).map(|e| slope(scene, d, &e.0, &e.1, e.2))).collect();
        plain.windows(shares.len() + 1).map(|w| limit(w, shares)).collect()
    })
}

/// Differences at step lengths that halve, extrapolated to none.
fn limit(w: &[Option<[Vec<f64>; 2]>], shares: &[f64]) -> Option<[Vec<f64>; 2]> {
    let mut level: Vec<[Vec<f64>; 2]> = w.iter().cloned().collect::<Option<_>>()?;
    for share in shares {
        level = level.windows(2).map(|pair| extrapolated(&pair[0], &pair[1], *share)).collect();
    }
    level.pop()
}

/// At most so many differences are taken the mean of, until it is good to this, or told from what is held against it.
const MANY: [u32; 2] = [10_000, 2000];
const SMALL: usize = 12; // degrees of freedom: the first of them
const SURE: f64 = 2e-7;

/// Where the mean of many differences is taken: along a direction, on both sides of the state or on one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Along<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) start: &'a Start,
    pub(crate) d: &'a Direction,
    pub(crate) central: bool,
}

impl Along<'_> {
    /// The error of `found` against the mean of many differences about the step length with this number, and how far the mean
    /// may be off. Of steps that are alike; on one piece if there are enough of these.
    pub(crate) fn averaged(self, best: usize, found: &[Vec<f64>; 2], floor: [f64; 2]) -> Option<(f64, f64)> {
        let strict = |a: &Piece, b: &Piece| a == b;
        let told = self.averaged_on(best, found, floor, &strict);
        told.or_else(|| self.averaged_on(best, found, floor, &|a, b| a.touches_alike(b)))
    }

    fn after(self, h: f64) -> Option<Moved> {
        after(self.scene, self.start, self.d, h)
    }

    /// One difference about the step length h: central of sixth order; or one-sided of fourth, between h and 2h, that leaves out
    /// the state itself, whose last bits all of them would share.
    fn one(self, h: f64, alike: &dyn Fn(&Piece) -> bool) -> Option<[Vec<f64>; 2]> {
        let shares: &[f64] =
            if self.central { &[1.0 / 3.0, 1.0 / 15.0] } else { &[1.0, 1.0 / 3.0, 1.0 / 7.0] };
        let mut parts = Vec::new();
        let mut part = h;
        for _ in 0..=shares.len() {
            let (from, to) = if self.central { (-part, part) } else { (part, 2.0 * part) };
            let (low, high) = (self.after(from)?, self.after(to)?);
            if !(alike(&low.piece) && alike(&high.piece)) {
                return None;
            }
            parts.push(Some(slope(self.scene, self.d, &low, &high, to - from)));
            part *= 0.5;
        }
        limit(&parts, shares)
    }

    /// As [`Along::averaged`], over steps that are alike; nothing if hardly any are.
    fn averaged_on(
        self,
        best: usize,
        found: &[Vec<f64>; 2],
        floor: [f64; 2],
        alike: &Alike,
    ) -> Option<(f64, f64)> {
        let length = self.d.reach() * 0.5_f64.powi(i32::try_from(best).ok()?);
        let own = self.after(if self.central { 0.0 } else { 0.25 * length })?.piece;
        let n = self.scene.model.n_v();
        let mut told = None;
        let (mut sum, mut squares, mut count) =
            ([vec![0.0; n], vec![0.0; n]], [vec![0.0; n], vec![0.0; n]], 0.0);
        for k in 0..MANY[usize::from(n > SMALL)] {
            if k == 100 && count < 50.0 {
                return None;
            }
            // the golden ratio spreads them evenly from 0.75 to 1.25 of it
            let spread = 0.75 + 0.5 * (f64::from(k) * 0.618_033_988_749_895).fract();
            let Some(one) = self.one(length * spread, &|piece| alike(&own, piece)) else { continue };
            count += 1.0;
            for b in 0..2 {
                for k in 0..n {
                    sum[b][k] += one[b][k];
                    squares[b][k] += one[b][k] * one[b][k];
                }
            }
            if count % 50.0 == 0.0 {
                let mean = [0, 1].map(|b: usize| sum[b].iter().map(|x| x / count).collect::<Vec<f64>>());
                let mut off = mean.clone();
                for b in 0..2 {
                    for k in 0..n {
                        let spread = (squares[b][k] / count - mean[b][k] * mean[b][k]).max(0.0);
                        off[b][k] += (spread / count).sqrt();
                    }
                }
                let doubt = apart(&off, &mean, floor);
                told = Some((apart(found, &mean, floor), doubt));
                if doubt < SURE || count >= 500.0 && told.is_some_and(|t| t.0 > 6.0 * doubt) {
                    break;
                }
            }
        }
        told
    }
}

/// Largest difference of two changes, positions and velocities each relative to their size.
fn apart(a: &[Vec<f64>; 2], b: &[Vec<f64>; 2], floor: [f64; 2]) -> f64 {
    let mut worst = 0.0_f64;
    for k in 0..2 {
        let size = b[k].iter().fold(floor[k], |m, x| m.max(x.abs()));
        let off = a[k].iter().zip(&b[k]).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        worst = worst.max(if off.is_nan() { f64::INFINITY } else { off / size });
    }
    worst
}

/// The error of `found` against the differences that agree best with those of the two next step lengths, by how much, and the
/// number of their step length. Of the first list in which some agree to 1e-6: rounding may choose another piece at every other length,
/// of rows that say the same, and leave to the first list lengths alone that tell nothing. If none do, of the first list that has any: what lies
/// across two pieces may agree better, and be the derivative of neither.
pub(crate) fn nearest(
    found: &[Vec<f64>; 2],
    floor: [f64; 2],
    (fastest, reach): (f64, f64),
    lists: &[Vec<Option<[Vec<f64>; 2]>>; 3],
) -> (f64, f64, usize) {
    let told = [0, 1, 2].map(|k| nearest_of(found, floor, (fastest, reach), &lists[k]));
    let first = |good: f64| told.iter().find(|t| t.1 < good);
    *first(AGREE).or_else(|| first(f64::INFINITY)).unwrap_or(&told[0])
}

fn nearest_of(
    found: &[Vec<f64>; 2],
    floor: [f64; 2],
    (fastest, reach): (f64, f64),
    all: &[Option<[Vec<f64>; 2]>],
) -> (f64, f64, usize) {
    let (mut error, mut doubt, mut best) = (f64::INFINITY, f64::INFINITY, 0);
    let largest = |x: &[f64], least: f64| x.iter().fold(least, |m, x| m.max(x.abs()));
    for (k, w) in all.windows(3).enumerate() {
        let [Some(wide), Some(now), Some(tight)] = w else { continue };
        // velocities have their last bit at that of the fastest, quaternions at that of one
        let length = reach * 0.5_f64.powi(i32::try_from(k + 1).unwrap());
        let hidden = (fastest / largest(&now[1], floor[1])).max(1.0 / largest(&now[0], floor[0]));
        let disagree = apart(wide, now, floor).max(apart(tight, now, floor));
        let disagree = disagree.max(LAST_BIT * hidden / length);
        if disagree < doubt {
            (doubt, best) = (disagree, k + 1);
            error = apart(found, now, floor);
        }
    }
    (error, doubt, best)
}

/// Prints the plain differences at every step length: whether on one piece, and how far `found` is off in positions and velocities.
pub(crate) fn trace(scene: &Scene, start: &Start, d: &Direction, found: &[Vec<f64>; 2], floor: [f64; 2]) {
    let Some(middle) = after(scene, start, d, 0.0) else { return println!("      no step") };
    println!("      {:?}", middle.piece);
    for k in 0..LENGTHS {
        let h = d.reach() * 0.5_f64.powi(i32::try_from(k).unwrap());
        let (low, high) = (after(scene, start, d, -h), after(scene, start, d, h));
        let (Some(low), Some(high)) = (low, high) else { continue };
        let home = [&low, &high].map(|m| m.piece == middle.piece);
        let errors =
            [(&low, &high, 2.0 * h), (&low, &middle, h), (&middle, &high, h)].map(|(a, b, length)| {
                let one = slope(scene, d, a, b, length);
                [0, 1].map(|b: usize| {
                    let none = [vec![], vec![]];
                    let only = |x: &[Vec<f64>; 2]| {
                        let mut y = none.clone();
                        y[b].clone_from(&x[b]);
                        y
                    };
                    apart(&only(found), &only(&one), floor)
                })
            });
        let told = errors.map(|[q, v]| format!("{q:.1e} {v:.1e}"));
        println!("      {h:.1e} {home:?}: central, below, above: {}", told.join(", "));
        if k == LENGTHS / 2 && home != [true; 2] {
            println!("      below {:?}\n      above {:?}", low.piece, high.piece);
        }
    }
}

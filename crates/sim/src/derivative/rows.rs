//! Rows beside contacts: limits, joint friction, motors and springs on single dofs, and strings and springs along paths.

use gudgeon_contact::{LIMIT_TOUCHES, Law};
use gudgeon_multibody::friction_rows;

use super::linear::Linearization;
use super::paths::Paths;
use super::stage::{DofRow, PathRow};
use crate::actuation::{RowSpring, Source};
use crate::simulator::View;
use crate::tolerances::AT_BOUND;

/// The rows of a solve besides contacts and loops, at its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct JointRows {
    /// Rows of single dofs that hold.
    pub(crate) dofs: Vec<DofRow>,
    /// Rows along paths that hold or push.
    pub(crate) paths: Vec<PathRow>,
    /// All generalised impulses of rows, n_v.
    pub(crate) impulses: Vec<f64>,
    /// Rows of joint friction at their bound: dof, side.
    pub(crate) bound: Vec<(usize, f64)>,
}

/// The number of the first motor's row: behind limits and joint friction.
pub(super) fn first_motor_row(view: &View<'_>, dt: f64) -> usize {
    view.limits.len() + friction_rows(view.passive, dt).count()
}

/// Springs along paths in the order of their rows.
fn row_springs<'a>(view: &View<'a>) -> impl Iterator<Item = &'a RowSpring> {
    view.drive.actuation.springs.iter().chain(&view.drive.actuation.tethers)
}

/// An answer is good to nine digits: nearer to its bound it is at it.
fn inner([lo, hi]: [f64; 2]) -> [f64; 2] {
    let room = |end: f64| if end.is_finite() { AT_BOUND * end.abs() } else { 0.0 };
    [lo + room(lo), hi - room(hi)]
}

/// Where rows with bounds are at them, N s or N m s, in the order of the rows: joint friction, motors, springs, strings that rub, springs
/// along paths.
pub(super) fn bounded_ends<'a>(view: &'a View<'a>, dt: f64) -> impl Iterator<Item = [f64; 2]> + 'a {
    let both = |most: f64| [-most, most];
    friction_rows(view.passive, dt)
        .map(move |(_, most)| both(most))
        .chain(view.drive.motors.iter().map(move |m| both(m.effort * dt)))
        .chain(view.drive.springs.iter().map(move |s| [s.lo * dt, s.hi * dt]))
        .chain(view.drive.actuation.rubbing.iter().map(move |r| both(r.value * dt)))
        .chain(row_springs(view).map(move |s| [s.lo * dt, s.hi * dt]))
        .map(inner)
}

impl Linearization {
    /// Adds the paths of strings, springs along paths and followed frames, in the order of their rows, and finds out how all
    /// paths change.
    pub(super) fn read_paths(&mut self, view: &View<'_>) {
        let (drive, paths) = (view.drive, &mut self.paths);
        let (equipment, controllers) = (&*drive.equipment, drive.controllers());
        self.row_paths.clear();
        let mut plain = Vec::new();
        for limit in &drive.actuation.limits {
            plain.clear();
            plain.extend(limit.row.iter().map(|&(dof, j)| (dof, limit.sign() * j)));
            let path = paths.push_source(Source::of(limit.id), &plain, equipment, controllers);
            self.row_paths.push(path);
        }
        for rub in &drive.actuation.rubbing {
            self.row_paths.push(paths.push_source(Source::of(rub.id), &rub.row, equipment, controllers));
        }
        for s in row_springs(view) {
            self.row_paths.push(paths.push_source(Source::of(s.id), &s.row, equipment, controllers));
        }
        paths.bend(&self.model, &self.before.q, equipment, controllers);
    }
}

impl JointRows {
    /// None at all.
    pub(super) fn reset(&mut self, n: usize) {
        self.dofs.clear();
        self.paths.clear();
        self.bound.clear();
        self.impulses.clear();
        self.impulses.resize(n, 0.0);
    }

    /// Those of the solve with these impulses; `of` names the path of every row along one.
    pub(super) fn read(&mut self, view: &View<'_>, impulses: &[f64], dt: f64, paths: &Paths, of: &[usize]) {
        self.reset(self.impulses.len());
        let actuation = &view.drive.actuation;
        let Self { dofs: rows, paths: along, impulses: joint_impulses, bound } = self;
        let mut at = 3 * view.contacts.len();
        let mut number = 0;
        let mut of = of.iter().copied();
        for limit in view.limits {
            let impulse = impulses.get(at).copied().unwrap_or(0.0);
            if impulse > 0.0 {
                let slope = if Law::hard(limit.gap, LIMIT_TOUCHES, dt).bias > 0.0 { 1.0 / dt } else { 0.0 };
                let (dof, sign) = (limit.dof, limit.sign);
                rows.push(DofRow { dof, sign, slope: sign * slope, compliance: 0.0, of: number, pull: 0.0 });
                joint_impulses[dof] += sign * impulse;
            }
            at += 1;
            number += 1;
        }
        let mut push = |row: PathRow| {
            if row.impulse != 0.0 || row.holds {
                paths.share_along(row.path, row.sign * row.impulse, joint_impulses);
                along.push(row);
            }
        };
        for (limit, path) in actuation.limits.iter().zip(&mut of) {
            let impulse = impulses.get(at).copied().unwrap_or(0.0);
            let slope = if Law::hard(limit.value, LIMIT_TOUCHES, dt).bias > 0.0 { 1.0 / dt } else { 0.0 };
            let (sign, holds) = (limit.sign(), impulse > 0.0);
            push(PathRow { path, sign, slope, compliance: 0.0, of: usize::MAX, impulse, holds });
            at += 1;
        }
        let within = |x: f64, ends: [f64; 2]| {
            let [lo, hi] = inner(ends);
            x > lo && x < hi
        };
        let first_bounded = at;
        let singles =
            friction_rows(view.passive, dt).count() + view.drive.motors.len() + view.drive.springs.len();
        at += singles;
        for (rub, path) in actuation.rubbing.iter().zip(&mut of) {
            let impulse = impulses.get(at).copied().unwrap_or(0.0);
            let most = rub.value * dt;
            let holds = within(impulse, [-most, most]);
            push(PathRow { path, sign: 1.0, slope: 0.0, compliance: 0.0, of: usize::MAX, impulse, holds });
            at += 1;
        }
        for (k, (s, path)) in row_springs(view).zip(&mut of).enumerate() {
            let impulse = impulses.get(at).copied().unwrap_or(0.0);
            let law = Law::soft(1.0, s.stiffness, s.damping, dt);
            let (slope, compliance) = (law.bias, law.compliance);
            let holds = within(impulse, [s.lo * dt, s.hi * dt]);
            push(PathRow { path, sign: 1.0, slope, compliance, of: number + singles + k, impulse, holds });
            at += 1;
        }
        at = first_bounded;
        let mut bounded = |dof: usize, ends: [f64; 2], slope: f64, compliance: f64, dry: bool| {
            let impulse = impulses.get(at).copied().unwrap_or(0.0);
            joint_impulses[dof] += impulse;
            if within(impulse, ends) {
                let pull = compliance * impulse;
                rows.push(DofRow { dof, sign: 1.0, slope, compliance, of: number, pull });
            } else if dry {
                bound.push((dof, impulse.signum()));
            }
            at += 1;
            number += 1;
        };
        for (dof, most) in friction_rows(view.passive, dt) {
            bounded(dof, [-most, most], 0.0, 0.0, true);
        }
        for motor in &view.drive.motors {
            let most = motor.effort * dt;
            bounded(motor.dof, [-most, most], 0.0, 0.0, false);
        }
        for s in &view.drive.springs {
            let law = Law::soft(1.0, s.stiffness, s.damping, dt);
            bounded(s.dof, [s.lo * dt, s.hi * dt], law.bias, law.compliance, false);
        }
    }
}

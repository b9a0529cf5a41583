//! Rows on single dofs: limits, joint friction, motors, springs with a bound.

use gudgeon_contact::Law;
use gudgeon_multibody::friction_rows;

use super::stage::DofRow;
use crate::simulator::View;

/// The number of the first motor's row: behind limits and joint friction.
pub(super) fn first_motor_row(view: &View<'_>, dt: f64) -> usize {
    view.limits.len() + friction_rows(view.passive, dt).count()
}

/// Limits and bounded rows that hold, all impulses of rows on dofs, and rows of joint friction at their bounds.
pub(super) fn dof_rows(
    view: &View<'_>,
    impulses: &[f64],
    dt: f64,
    rows: &mut Vec<DofRow>,
    joint_impulses: &mut [f64],
    bound: &mut Vec<(usize, f64)>,
) {
    rows.clear();
    bound.clear();
    joint_impulses.fill(0.0);
    let mut at = 3 * view.contacts.len();
    let mut of = 0;
    for limit in view.limits {
        let impulse = impulses.get(at).copied().unwrap_or(0.0);
        if impulse > 0.0 {
            let slope = if Law::hard(limit.gap, dt).bias > 0.0 { 1.0 / dt } else { 0.0 };
            let (dof, sign) = (limit.dof, limit.sign);
            rows.push(DofRow { dof, sign, slope: sign * slope, compliance: 0.0, of, pull: 0.0 });
            joint_impulses[dof] += sign * impulse;
        }
        at += 1;
        of += 1;
    }
    let mut bounded = |dof: usize, [lo, hi]: [f64; 2], slope: f64, compliance: f64, dry: bool| {
        let impulse = impulses.get(at).copied().unwrap_or(0.0);
        joint_impulses[dof] += impulse;
        // an answer is good to nine digits: nearer to its bound it is at it
        if impulse > lo + 1e-9 * lo.abs() && impulse < hi - 1e-9 * hi.abs() {
            rows.push(DofRow { dof, sign: 1.0, slope, compliance, of, pull: compliance * impulse });
        } else if dry {
            bound.push((dof, impulse.signum()));
        }
        at += 1;
        of += 1;
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

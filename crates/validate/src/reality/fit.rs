//! Parameters that fit measurements best: a compass search, for the mean over tosses has kinks wherever an impact comes a step
//! later.

use super::{Cube, Errors, Tosses};
use crate::ValidateError;
use gudgeon_sim::RestitutionLaw;

/// The best parameters, and what they reach on what they were fitted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Parameters.
    pub cube: Cube,
    /// On the tosses they were fitted to.
    pub errors: Errors,
    /// How often the tosses were simulated.
    pub trials: usize,
}

/// A parameter: how it is changed, its first step, its bounds.
struct Knob {
    of: fn(&mut Cube) -> &mut f64,
    step: f64,
    within: [f64; 2],
}

/// Friction; what the law of hits has; the edge within what a calliper on a machined cube leaves open, half a per cent; and
/// corners that are a little round.
fn knobs(start: &Cube) -> Vec<Knob> {
    let mut knobs = vec![Knob { of: |c| &mut c.friction, step: 0.02, within: [0.0, 1.0] }];
    if start.stiffness.is_finite() {
        let (k, d) = (start.stiffness, start.damping);
        knobs.push(Knob { of: |c| &mut c.stiffness, step: 0.4 * k, within: [0.1 * k, 10.0 * k] });
        knobs.push(Knob { of: |c| &mut c.damping, step: 0.3 * d, within: [0.1 * d, 10.0 * d] });
    } else {
        knobs.push(Knob { of: |c| &mut c.restitution, step: 0.1, within: [0.0, 1.0] });
    }
    knobs.push(Knob { of: |c| &mut c.corner, step: 1e-3, within: [0.0, ROUND] });
    let within = [0.995 * start.edge, 1.005 * start.edge];
    knobs.push(Knob { of: |c| &mut c.edge, step: 2e-3 * start.edge, within });
    knobs
}

/// Corners of a machined cube are no rounder than this, m.
const ROUND: f64 = 3e-3;
/// How long a hit of a plastic cube on a table lasts, about, s; and of the damping without rebound, where a fit starts from.
const HIT: f64 = 0.01;
const DAMPED: f64 = 0.25;

/// The laws of hits: Newton's and Poisson's with hard contacts, and a spring with a damper.
fn laws(start: Cube) -> [Cube; 3] {
    let stiffness = start.mass * (std::f64::consts::PI / HIT).powi(2);
    let damping = 2.0 * DAMPED * (stiffness * start.mass).sqrt();
    [
        Cube { law: RestitutionLaw::Newton, ..start },
        Cube { law: RestitutionLaw::Poisson, ..start },
        Cube { restitution: 0.0, stiffness, damping, corner: 0.5 * ROUND, ..start },
    ]
}

/// Rounds of the search; the step halves in a round that finds nothing better.
const ROUNDS: usize = 4;

/// Place and angle weigh alike: both in parts of what the best of other engines has.
fn cost(errors: &Errors) -> f64 {
    errors.place / super::OTHERS[0] + errors.angle / super::OTHERS[1]
}

/// Fits friction, the law of hits with its numbers, corners and edge to these tosses.
pub fn fit(tosses: &Tosses, which: &[usize], start: Cube) -> Result<Fit, ValidateError> {
    let mut best: Option<Fit> = None;
    let mut trials = 0;
    for cube in laws(start) {
        let mut at = Fit { cube, errors: tosses.errors(&cube, which)?, trials: 0 };
        trials += 1;
        let mut knobs = knobs(&cube);
        for _ in 0..ROUNDS {
            for knob in &mut knobs {
                let mut better = false;
                for sign in [1.0, -1.0] {
                    let mut cube = at.cube;
                    let value = (knob.of)(&mut cube);
                    *value = (*value + sign * knob.step).clamp(knob.within[0], knob.within[1]);
                    if cube == at.cube {
                        continue;
                    }
                    let errors = tosses.errors(&cube, which)?;
                    trials += 1;
                    if cost(&errors) < cost(&at.errors) {
                        at = Fit { cube, errors, trials };
                        better = true;
                        break;
                    }
                }
                if !better {
                    knob.step *= 0.5;
                }
            }
        }
        if best.is_none_or(|b| cost(&at.errors) < cost(&b.errors)) {
            best = Some(at);
        }
    }
    let best = best.expect("three laws were tried");
    Ok(Fit { trials, ..best })
}

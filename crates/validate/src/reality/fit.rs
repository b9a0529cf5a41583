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

/// Friction, restitution, and the edge within what a calliper on a machined cube leaves open, half a per cent.
fn knobs(start: &Cube) -> [Knob; 3] {
    [
        Knob { of: |c| &mut c.friction, step: 0.04, within: [0.0, 1.0] },
        Knob { of: |c| &mut c.restitution, step: 0.1, within: [0.0, 1.0] },
        Knob {
            of: |c| &mut c.edge,
            step: 2e-3 * start.edge,
            within: [0.995 * start.edge, 1.005 * start.edge],
        },
    ]
}

/// Rounds of the search; the step halves in a round that finds nothing better.
const ROUNDS: usize = 6;

/// Place and angle weigh alike: both in parts of what the best of other engines has.
fn cost(errors: &Errors) -> f64 {
    errors.place / super::OTHERS[0] + errors.angle / super::OTHERS[1]
}

/// Fits friction, restitution, its law and the edge to these tosses.
pub fn fit(tosses: &Tosses, which: &[usize], start: Cube) -> Result<Fit, ValidateError> {
    let mut best: Option<Fit> = None;
    let mut trials = 0;
    for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
        let cube = Cube { law, ..start };
        let mut at = Fit { cube, errors: tosses.errors(&cube, which)?, trials: 0 };
        trials += 1;
        let mut knobs = knobs(&start);
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
    let best = best.expect("two laws were tried");
    Ok(Fit { trials, ..best })
}

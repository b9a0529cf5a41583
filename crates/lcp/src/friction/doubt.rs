//! Is the motion of an answer the only one near it?
//!
//! Redundant contacts share their loads as they like. While they hold, that changes no motion; where they slide, friction
//! follows the loads, and each share may be another motion: Coulomb's law has a family of answers. With J = B + G (W + ε) the
//! matrix of Newton's step at the answer, an equal small compliance ε about other loads z moves the answer by
//!
//! ```text
//!     J dx = ε G (z − x),     g = Aᵀ dx its motion
//! ```
//!
//! Loads that are determined move by ε, and so does the motion; the others follow z, whatever ε is. z is a fixed pattern of the
//! size of x, so that no direction is left out. On the sliding parts of piles of 20 bodies |g| is 1 to 50 ε |x| in 84 of 100,
//! and does not depend on ε in the others: nothing is in between.
//!
//! | symbol | meaning |
//! |---|---|
//! | x, W, A | impulses, Delassus matrix and rows of [`super::operator`] |
//! | B, G | derivatives of the laws by impulses and velocities, [`super::newton`] |

use super::Structured;
use super::system::System;
use crate::friction::FrictionSolution;
use crate::kernel::max_abs;
use crate::problem::ContactMode;

/// ε, of rows of size one. Rounding makes motions of 1e-16/ε of its own, which stay below [`OPEN`] of it.
const GIVE: f64 = 1e-8;
/// A motion of so many ε for loads of size one is more than determined loads make.
const OPEN: f64 = 100.0;
/// The most scalar rows of a part whose motion is doubted, as many as `few rows` takes first. With 330 piles of 20 boxes are
/// the same too, at ten times the price: a solve of more rows without memory is dear, and ends in no answer more often.
const MOST: usize = 96;

impl Structured {
    /// Whether another share of undetermined loads would be another motion. The road then stands at the answer.
    pub(super) fn is_in_doubt(&mut self, system: &System, solution: &FrictionSolution) -> bool {
        if system.q.len() > MOST || !solution.contacts.iter().any(|c| c.mode == ContactMode::Slip) {
            return false;
        }
        let Self { road, impulse, .. } = self;
        impulse.clear();
        let scaled = solution.impulses.iter().enumerate();
        impulse.extend(scaled.map(|(row, &value)| system.scaled_impulse(row, value)));
        road.start(system, impulse) && road.give(GIVE) > OPEN * GIVE * max_abs(impulse)
    }
}

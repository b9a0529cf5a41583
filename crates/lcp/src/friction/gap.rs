//! Given impulses measured: as an answer, and by the facet gap, how far one with polygons is from Coulomb's round cones.
//!
//! ```text
//!     F = r − P_K(r − u′),   u′ = u + (mu |u_t|, 0, 0),   K = { |r_t| ≤ mu r_n }
//! ```
//!
//! F vanishes where a contact obeys the round cone. An exact answer with d facets has F = 0 where contacts are open or stick
//! well inside, and up to
//!
//! ```text
//!     |F| = mu r_n (1 − cos(π/d)) / √(1 + mu²)
//! ```
//!
//! where they slide between two vertices: a polygon holds less there. More facets close the gap as 1/d²; round cones have
//! none.

use super::cone::natural_map;
use super::freed::Freed;
use super::report::{exact_residual, report_contacts};
use super::system::System;
use super::verdict::{Judge, Shape};
use super::warm::ConeShape;
use crate::friction::FrictionSolution;
use crate::outcome::Residual;
use crate::problem::FrictionProblem;

/// The residual that an answer has with round cones: the largest |F| in energy units, Σ|F| in the caller's, and
/// ½ F² over the effective masses, J. Other rows than contacts have no part in it.
pub fn facet_gap(problem: &FrictionProblem, solution: &FrictionSolution) -> Residual {
    let mut system = System::default();
    system.rebuild(problem);
    let natural = solution.contacts.iter().enumerate().fold(0.0, |worst: f64, (i, contact)| {
        let r = [0, 1, 2].map(|k| contact.impulse[k] / (system.scale[3 * i + k] * system.size));
        let u = [0, 1, 2].map(|k| contact.velocity[k] * system.scale[3 * i + k] / system.size);
        let f = natural_map(system.mu[i], &r, &u);
        worst.max(crate::kernel::max_abs(&f))
    });
    exact_residual(&system, natural, solution)
}

/// The natural residual of impulses on all rows of a problem, in the order of [`FrictionSolution::impulses`]: what decides
/// whether they are called solved, with facets or with round cones. Infinite where there are not as many as rows.
pub fn contact_residual(problem: &FrictionProblem, impulses: &[f64], cone: ConeShape) -> f64 {
    let mut freed = Freed::default();
    if freed.unbounded(problem) {
        return contact_residual(freed.problem(), &freed.impulses(problem, impulses), cone);
    }
    if impulses.len() != problem.n_rows() {
        return f64::INFINITY;
    }
    // a bound that is far and not reached must not cost the digits of what is counted from it
    if freed.far(problem) {
        let left = freed.impulses(problem, impulses);
        if freed.keeps(problem, &left) {
            return contact_residual(freed.problem(), &left, cone);
        }
    }
    let mut system = System::default();
    system.rebuild(problem);
    let scaled = scaled(&system, impulses);
    let shape = if cone == ConeShape::Facets { Shape::Facets } else { Shape::Round };
    Judge::default().natural(&system, &scaled, shape)
}

/// Impulses on all rows of a problem, in the order of [`FrictionSolution::impulses`], as an answer: with the velocities and modes of
/// its contacts. Whether it is one says [`contact_residual`].
pub fn answer_of(problem: &FrictionProblem, impulses: &[f64]) -> FrictionSolution {
    let mut system = System::default();
    system.rebuild(problem);
    answer(&system, &scaled(&system, impulses), impulses)
}

/// [`contact_residual`] and [`answer_of`] with round cones at once.
pub fn judged_answer(problem: &FrictionProblem, impulses: &[f64]) -> (f64, FrictionSolution) {
    if Freed::has_unbounded(problem) || Freed::has_far(problem) || impulses.len() != problem.n_rows() {
        return (contact_residual(problem, impulses, ConeShape::Exact), answer_of(problem, impulses));
    }
    let mut system = System::default();
    system.rebuild(problem);
    let scaled = scaled(&system, impulses);
    (Judge::default().natural(&system, &scaled, Shape::Round), answer(&system, &scaled, impulses))
}

fn scaled(system: &System, impulses: &[f64]) -> Vec<f64> {
    impulses.iter().enumerate().map(|(k, &impulse)| system.scaled_impulse(k, impulse)).collect()
}

fn answer(system: &System, scaled: &[f64], impulses: &[f64]) -> FrictionSolution {
    let (mut x, mut u) = (Vec::new(), Vec::new());
    system.plain(scaled, &mut x, &mut u);
    system.to_units(&mut x, &mut u);
    let mut solution = FrictionSolution { impulses: impulses.to_vec(), ..FrictionSolution::default() };
    report_contacts(system, impulses, &u, &mut solution.contacts);
    solution
}

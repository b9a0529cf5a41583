//! The problems of a run with less perfect geometry, and in the paper's unit.
//!
//! A contact row is a = G⁻¹ jᵀ, of the point and the direction j. A collision library that finds points and normals of a
//! triangle mesh finds them to a relative error σ, another one at every point and in every frame; so does it find the
//! velocity of the row:
//!
//! ```text
//!     a ← √Δt (a + σ ‖a‖ ξ),        q ← q + σ max|q| ξ,        ξ uniform in [−1, 1]
//! ```
//! with σ the same for all, or another one for every contact, spread evenly over the decades: points of a mesh agree to the
//! last bit where they share a coordinate, and to that of single precision or of a CAD program's tolerance where not.
//!
//! W = A Aᵀ stays positive semi-definite and of the rank of the bodies' freedom: the problem is as redundant as before and
//! still has a solution. What is gone are the exact ties. √Δt makes the unknowns forces, as in [Yamane (14)-(16)].

use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem};
use gudgeon_testkit::Rng;

/// How large the errors are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Roughness {
    /// σ of every contact.
    Even(f64),
    /// Exponents of ten between which σ lies, for every contact anew.
    Mixed(f64, f64),
}

impl Roughness {
    pub(super) fn name(self) -> String {
        match self {
            Self::Even(0.0) => "exact".to_owned(),
            Self::Even(sigma) => format!("{sigma:.0e}"),
            Self::Mixed(lo, hi) => format!("1e{lo} to 1e{hi}"),
        }
    }

    fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Even(sigma) => sigma,
            Self::Mixed(lo, hi) => 10.0_f64.powf(rng.uniform(lo, hi)),
        }
    }
}

/// The contacts of a problem, roughened; none if it has rows of other kinds.
pub(super) fn roughened(
    problem: &FrictionProblem,
    dt: f64,
    roughness: Roughness,
    rng: &mut Rng,
) -> Option<FrictionProblem> {
    let exact = problem.to_factored()?;
    if exact.n_rows() != 3 * exact.n_contacts() {
        return None;
    }
    let largest = exact.rows().map(|row| row.velocity.abs()).fold(0.0, f64::max);
    let mut rough = FactoredForm::default();
    rough.clear(exact.width());
    for (i, &mu) in exact.mu().iter().enumerate() {
        let sigma = roughness.draw(rng);
        let mut xi = || rng.uniform(-1.0, 1.0);
        let values: [Vec<f64>; 3] = [0, 1, 2].map(|k| {
            let row = exact.row(3 * i + k);
            let norm = row.value.iter().map(|a| a * a).sum::<f64>().sqrt();
            row.value.iter().map(|a| dt.sqrt() * (a + sigma * norm * xi())).collect()
        });
        let rows = [0, 1, 2].map(|k| {
            let row = exact.row(3 * i + k);
            FactoredRow { value: &values[k], velocity: row.velocity + sigma * largest * xi(), ..row }
        });
        rough.contact(mu, rows);
    }
    FrictionProblem::factored(rough).ok()?.with_facets(problem.facets()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gudgeon_testkit::single::peg;

    #[test]
    fn without_roughness_only_the_unit_changes() {
        let problem = peg(8).pushed(2.0, &mut Rng::new(1)).problem();
        let rough = roughened(&problem, 0.25, Roughness::Even(0.0), &mut Rng::new(2)).unwrap();
        let (before, after) = (problem.to_factored().unwrap(), rough.to_factored().unwrap());
        for (a, b) in before.rows().zip(after.rows()) {
            assert_eq!(a.velocity, b.velocity);
            assert!(a.value.iter().zip(b.value).all(|(x, y)| (0.5 * x - y).abs() <= 1e-15 * x.abs()));
        }
        assert_eq!((rough.n_contacts(), rough.facets()), (problem.n_contacts(), problem.facets()));
    }
}

//! The distance to a solution, as numbers alone: what outcomes and observers tell.

/// Three measures of the distance to a solution, from the original data.
///
/// ```
/// use gudgeon_lcp::{Lcp, Residual};
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// assert_eq!(Residual::of_lcp(&lcp, &[2.0], &[0.0]).natural, 0.0);
/// assert!(Residual::of_lcp(&lcp, &[1.0], &[-2.0]).natural > 0.1);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Residual {
    /// max |min(z, w)| over the rows, z and w each in the unit of its own row (what the row adds up and what reaches
    /// it from the data): without unit, comparable with 1, the same whatever the units of the problem. The answer
    /// is exact for data that differ by this part of themselves.
    pub natural: f64,
    /// Σ |φ_FB| as printed in [EnzError (7)]: raw units, which do not agree with each other.
    pub fischer_burmeister: f64,
    /// Σ δe, joules [EnzError (21)].
    pub energy: f64,
}

impl std::fmt::Display for Residual {
    /// `natural 1.2e-15, energy 3.4e-20 J`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "natural {:.1e}, energy {:.1e} J", self.natural, self.energy)
    }
}

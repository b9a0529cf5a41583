//! What becomes of a contact: impulse, velocity and mode; the sides of its cone.

/// What a contact point does.
///
/// ```
/// use gudgeon_lcp::ContactMode;
///
/// assert_eq!(ContactMode::Slip.name(), "slip");
/// assert_eq!(ContactMode::from_byte(1), Some(ContactMode::Stick));
/// assert_eq!(ContactMode::from_byte(3), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactMode {
    /// No impulse.
    #[default]
    Open,
    /// Pressed, and not moving tangentially.
    Stick,
    /// Pressed, and sliding.
    Slip,
}

impl ContactMode {
    /// The name used in files: `open`, `stick`, `slip`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }

    /// The mode of a byte in a file: 0, 1 and 2, in the order above.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Open, Self::Stick, Self::Slip].get(usize::from(byte)).copied()
    }
}

/// Impulse, velocity and mode of one contact, each vector in (n, t1, t2).
///
/// ```
/// use gudgeon_lcp::{ConeShape, ContactMode, FrictionProblem, FrictionSolution, Method, Options, Solver};
///
/// // a unit mass comes down at 1 m/s and slides at 2 m/s: friction of 0.5 takes half a metre per second off
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![-1.0, 2.0, 0.0], vec![0.5])?;
/// let mut answer = FrictionSolution::default();
/// let options = Options { cone: ConeShape::Exact, ..Options::default() };
/// assert!(Solver::new(Method::Robust).run(&problem, options, &mut answer)?.is_solved());
/// let contact = answer.contacts[0];
/// assert_eq!(contact.mode, ContactMode::Slip);
/// assert!((contact.impulse[1] + 0.5).abs() < 1e-9 && (contact.velocity[1] - 1.5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactAnswer {
    /// N s, acting on a.
    pub impulse: [f64; 3],
    /// m/s, of a against b, bias included.
    pub velocity: [f64; 3],
    /// Open, stick or slip.
    pub mode: ContactMode,
}

/// Unit directions of a d-sided cone in (t1, t2); the second half is minus the first, to the bit.
pub(crate) fn directions(facets: usize) -> Vec<[f64; 2]> {
    let half = facets / 2;
    let first = (0..half).map(|j| {
        let angle = std::f64::consts::TAU * j as f64 / facets as f64;
        // a right angle is exact
        if 4 * j == facets { [0.0, 1.0] } else { [angle.cos(), angle.sin()] }
    });
    let mut all: Vec<[f64; 2]> = first.collect();
    all.extend_from_within(..);
    all[half..].iter_mut().for_each(|d| *d = [-d[0], -d[1]]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_in_exact_opposite_pairs() {
        for d in [4, 6, 8, 12, 16] {
            let dirs = directions(d);
            assert_eq!(dirs.len(), d);
            for j in 0..d / 2 {
                assert_eq!([-dirs[j][0], -dirs[j][1]], dirs[j + d / 2]);
                assert!((dirs[j][0].hypot(dirs[j][1]) - 1.0).abs() < 1e-15);
            }
        }
    }
}

//! What a row's velocity must be: gaps, hard or soft, as a bias and a compliance.
//!
//! ```text
//!     hard, apart      u = v⁺ + gap/dt ≥ 0                           it may close, not overlap
//!     hard, touching   u = v⁺ ≥ 0                                    overlap is undone elsewhere, without energy
//!     soft             λ = −dt (k (gap + dt v⁺) + d v⁺)              a spring and a damper at the end of the step
//!                      u = v⁺ + k gap/(dt k + d) + λ/(dt (dt k + d)) [EnzError (5)-(9)]: C = 1/k, Φ from d
//!     bouncing         u = v⁺ + e v⁻ ≥ 0                             Newton
//! ```

/// Of a joint's limit what is nearer touches, rad or m; a contact has its own measure, a part of the overlap that its scene
/// leaves alone, so that it does not know the units.
/// A bias of rounding's size would make dependent rows contradict each other by ten times the accuracy of an answer.
pub const LIMIT_TOUCHES: f64 = 1e-9;

/// Added to a row: its velocity and its compliance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Law {
    /// m/s or rad/s.
    pub bias: f64,
    /// 1/kg or 1/(kg m²).
    pub compliance: f64,
}

impl Law {
    /// A hard row `gap` away from its bound, m or rad; what is no farther than `touching` keeps its distance.
    pub fn hard(gap: f64, touching: f64, dt: f64) -> Self {
        let apart = if gap > touching { gap } else { 0.0 };
        Self { bias: apart / dt, compliance: 0.0 }
    }

    /// A spring of stiffness `k` and a damper `d`, stretched by `gap` at the start of the step.
    pub fn soft(gap: f64, stiffness: f64, damping: f64, dt: f64) -> Self {
        let both = dt * stiffness + damping;
        Self { bias: stiffness * gap / both, compliance: 1.0 / (dt * both) }
    }

    /// A hard row that must leave at `speed`.
    pub fn leaving(speed: f64) -> Self {
        Self { bias: -speed, compliance: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_that_rounding_leaves_are_none_and_others_may_close() {
        let (dt, touching) = (1e-3, 1e-9);
        assert_eq!(Law::hard(0.9 * touching, touching, dt), Law::hard(0.0, touching, dt));
        assert_eq!(Law::hard(-1e-3, touching, dt).bias, 0.0);
        assert_eq!(Law::hard(2.0 * touching, touching, dt).bias, 2.0 * touching / dt);
    }

    #[test]
    fn a_soft_row_is_a_spring_taken_at_the_end_of_the_step() {
        let (k, d, dt, gap) = (1e4, 3.0, 1e-3, -2e-4);
        let law = Law::soft(gap, k, d, dt);
        let v = 0.05;
        // u = 0 gives the impulse
        let impulse = -(v + law.bias) / law.compliance;
        let spring = -dt * (k * (gap + dt * v) + d * v);
        assert!((impulse - spring).abs() < 1e-12 * spring.abs());
    }
}

//! What a row's velocity must be: gaps, hard or soft, as a bias and a compliance.
//!
//! ```text
//!     hard, apart      u = v⁺ + gap/dt ≥ 0                           it may close, not overlap
//!     hard, touching   u = v⁺ ≥ 0                                    overlap is undone elsewhere, without energy
//!     soft             λ = −dt (k (gap + dt v⁺) + d v⁺)              a spring and a damper at the end of the step
//!                      u = v⁺ + k gap/(dt k + d) + λ/(dt (dt k + d)) [EnzError (5)-(9)]: C = 1/k, Φ from d
//!     bouncing         u = v⁺ + e v⁻ ≥ 0                             Newton
//! ```

/// Added to a row: its velocity and its compliance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Law {
    /// m/s or rad/s.
    pub bias: f64,
    /// 1/kg or 1/(kg m²).
    pub compliance: f64,
}

impl Law {
    /// A hard row `gap` away from its bound, m or rad.
    pub fn hard(gap: f64, dt: f64) -> Self {
        Self { bias: gap.max(0.0) / dt, compliance: 0.0 }
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

//! The time after a step: a product while the length of a step stays, so that rounding does not add up.

/// Since when all steps had one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    time: f64, // s, when that began
    steps: u64,
    dt: f64, // s
}

impl Clock {
    /// From the start of a run.
    pub(super) fn new(dt: f64) -> Self {
        Self { time: 0.0, steps: 0, dt }
    }

    /// As far as a moment tells it: from the start if the time is a multiple of dt, else from that moment.
    pub(crate) fn at(time: f64, steps: u64, dt: f64) -> Self {
        if time == steps as f64 * dt { Self::new(dt) } else { Self { time, steps, dt } }
    }

    /// The time a step of `dt` after a moment.
    pub(super) fn after(&mut self, time: f64, steps: u64, dt: f64) -> f64 {
        if dt != self.dt {
            *self = Self { time, steps, dt };
        }
        self.time + (steps + 1 - self.steps) as f64 * dt
    }
}

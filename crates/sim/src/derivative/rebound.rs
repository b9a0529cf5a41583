//! A contact that bounces under a change: speed and height at the end of the step (see `simulator/bounce`).
//!
//! ```text
//!     part   = 2 gap/dt / (−v⁻ + √(v⁻² − 2 (v_free − v⁻) gap/dt))     of the step that is over when the surfaces meet
//!     impact = v⁻ + part (v_free − v⁻),   away = −e impact,   rest = (1 − part) dt
//!     leaving = away + (1 − part)(v_free − v⁻),   height = away rest + ½ (1 − part)(v_free − v⁻) rest
//! ```

/// Of leaving speed and height, against speed of approach, free speed, gap and restitution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Rebound {
    pub(crate) contact: usize,
    pub(crate) leaving: [f64; 4],
    pub(crate) height: [f64; 4],
}

/// A number and its slopes against four others.
#[derive(Debug, Clone, Copy)]
struct Dual(f64, [f64; 4]);

impl Dual {
    fn variable(x: f64, k: usize) -> Self {
        let mut d = [0.0; 4];
        d[k] = 1.0;
        Self(x, d)
    }

    fn constant(x: f64) -> Self {
        Self(x, [0.0; 4])
    }

    fn plus(self, o: Self) -> Self {
        Self(self.0 + o.0, std::array::from_fn(|k| self.1[k] + o.1[k]))
    }

    fn scale(self, c: f64) -> Self {
        Self(self.0 * c, self.1.map(|x| x * c))
    }

    fn minus(self, o: Self) -> Self {
        self.plus(o.scale(-1.0))
    }

    fn times(self, o: Self) -> Self {
        Self(self.0 * o.0, std::array::from_fn(|k| self.1[k] * o.0 + o.1[k] * self.0))
    }

    fn over(self, o: Self) -> Self {
        let x = self.0 / o.0;
        Self(x, std::array::from_fn(|k| (self.1[k] - x * o.1[k]) / o.0))
    }

    fn root(self) -> Self {
        let x = self.0.sqrt();
        Self(x, self.1.map(|d| 0.5 * d / x))
    }

    /// Not below zero.
    fn positive(self) -> Self {
        if self.0 > 0.0 { self } else { Self::constant(0.0) }
    }
}

impl Rebound {
    /// At the speed `before` the step, `free` at its end, a gap and a restitution.
    pub(crate) fn new(contact: usize, before: f64, free: f64, gap: f64, e: f64, dt: f64) -> Self {
        let (before, free) = (Dual::variable(before, 0), Dual::variable(free, 1));
        let (gap, e) = (Dual::variable(gap, 2).positive(), Dual::variable(e, 3));
        let one = Dual::constant(1.0);
        let gained = free.minus(before);
        let room = gap.scale(1.0 / dt);
        let mut part = one;
        let under = before.times(before).minus(gained.times(room).scale(2.0));
        if room.0 == 0.0 {
            part = Dual::constant(0.0);
        } else if under.0 > 0.0 {
            let sum = under.root().minus(before);
            let met = room.scale(2.0).over(sum);
            if sum.0 > 0.0 && met.0 < 1.0 {
                part = met;
            }
        }
        let impact = before.plus(part.times(gained));
        let away = e.times(impact).scale(-1.0);
        let left = one.minus(part);
        let rest = left.scale(dt);
        let leaving = away.plus(gained.times(left)).positive();
        let height = away.times(rest).plus(gained.times(left).times(rest).scale(0.5)).positive();
        Self { contact, leaving: leaving.1, height: height.1 }
    }
}

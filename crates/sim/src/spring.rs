//! A spring with a damper and a bounded force on one dof: what servos and actuators are to the solver.

/// A spring towards a target with a bounded force: soft rows of the contact problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spring {
    pub(crate) dof: usize,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// Coordinate minus target, rad or m.
    pub(crate) stretch: f64,
    /// Target velocity, rad/s or m/s.
    pub(crate) velocity: f64,
    /// Bounds of the force, N m or N.
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    /// The actuator it belongs to, the gear, and the actuator's own bounds (of the joint force), if any.
    pub(crate) controller: Option<(usize, f64, [f64; 2])>,
}

impl Spring {
    /// The force at the end of a step in which the dof has velocity `v`.
    pub(crate) fn force(&self, v: f64, dt: f64) -> f64 {
        spring_force(self.stiffness, self.damping, self.stretch + dt * v, v - self.velocity)
            .clamp(self.lo, self.hi)
    }

    /// The actuator, and its force along its path before the joint's bounds.
    pub(crate) fn reading(&self, v: f64, dt: f64) -> Option<(usize, f64)> {
        let (index, gear, [lo, hi]) = self.controller?;
        Some((index, Self { lo, hi, ..*self }.force(v, dt) / gear))
    }
}

pub(crate) fn spring_force(stiffness: f64, damping: f64, stretch: f64, rate: f64) -> f64 {
    -stiffness * stretch - damping * rate
}

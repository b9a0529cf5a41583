//! What drives the joints: forces, springs towards a target, computed torque, motors, and prescribed motion.
//!
//! | controller       | law                                                             | limits                    |
//! |------------------|-----------------------------------------------------------------|---------------------------|
//! | force            | τ = u                                                           | effort                    |
//! | PD               | τ = k (q* − q⁺) + d (v* − v⁺), taken at the end of the step     | effort                    |
//! | computed torque  | τ = M (a* + k (q* − q) + d (v* − v)) + bias                     | effort                    |
//! | motor            | v⁺ = v* with a bounded impulse: a row of the contact problem    | effort                    |
//! | high gain        | q(t) = q*(t) whatever it takes [Yamane §V-A]                    | none                      |

use crate::error::SceneError;

/// A motion of some joints: cubic splines through knots, two continuous derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMotion {
    joints: Vec<String>,
    times: Vec<f64>,      // knots, s, ascending
    values: Vec<f64>,     // knots × joints
    curvatures: Vec<f64>, // knots × joints, second derivatives
}

impl JointMotion {
    /// Through `values[knot][joint]` at `times`, at rest at both ends.
    ///
    /// `joints` are names of links whose joint has one degree of freedom.
    pub fn new(joints: &[&str], times: Vec<f64>, values: &[Vec<f64>]) -> Result<Self, SceneError> {
        let wrong = |what, value| SceneError::Value { what, of: "a joint motion".into(), value };
        let (n, m) = (times.len(), joints.len());
        if n == 0 || values.len() != n || values.iter().any(|v| v.len() != m) {
            return Err(wrong("number of knots", n as f64));
        }
        if let Some(pair) =
            times.windows(2).find(|p| p[0].partial_cmp(&p[1]) != Some(std::cmp::Ordering::Less))
        {
            return Err(wrong("time after a knot", pair[1]));
        }
        let flat: Vec<f64> = values.iter().flatten().copied().collect();
        if let Some(&bad) = flat.iter().chain(&times).find(|v| !v.is_finite()) {
            return Err(wrong("value", bad));
        }
        let mut motion = Self {
            joints: joints.iter().map(|&j| j.to_owned()).collect(),
            times,
            values: flat,
            curvatures: vec![0.0; n * m],
        };
        motion.bend();
        Ok(motion)
    }

    /// One joint held at one value.
    pub fn constant(joint: &str, value: f64) -> Self {
        Self { joints: vec![joint.to_owned()], times: vec![0.0], values: vec![value], curvatures: vec![0.0] }
    }

    /// The same motion of links that are called otherwise.
    pub fn renamed(&self, rename: impl Fn(&str) -> String) -> Self {
        let joints = self.joints.iter().map(|j| rename(j)).collect();
        Self { joints, ..self.clone() }
    }

    /// The links whose joints move.
    pub fn joints(&self) -> &[String] {
        &self.joints
    }

    /// The knots: times in s, and the values of all joints at each.
    pub fn knots(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.times.iter().copied().zip(self.values.chunks(self.joints.len().max(1)))
    }

    /// Position, velocity and acceleration of joint `j` at time `t`; held at the ends.
    pub fn at(&self, j: usize, t: f64) -> [f64; 3] {
        let (n, m) = (self.times.len(), self.joints.len());
        let value = |k: usize| self.values[k * m + j];
        if t <= self.times[0] {
            return [value(0), 0.0, 0.0];
        }
        if t >= self.times[n - 1] {
            return [value(n - 1), 0.0, 0.0];
        }
        let k = self.times.partition_point(|&x| x <= t) - 1;
        let h = self.times[k + 1] - self.times[k];
        let (a, b) = ((self.times[k + 1] - t) / h, (t - self.times[k]) / h);
        let (ca, cb) = (self.curvatures[k * m + j], self.curvatures[(k + 1) * m + j]);
        let (va, vb) = (value(k), value(k + 1));
        [
            a * va + b * vb + ((a * a * a - a) * ca + (b * b * b - b) * cb) * h * h / 6.0,
            (vb - va) / h + ((3.0 * b * b - 1.0) * cb - (3.0 * a * a - 1.0) * ca) * h / 6.0,
            a * ca + b * cb,
        ]
    }

    /// Second derivatives of the clamped spline, by the tridiagonal equations of its continuity.
    fn bend(&mut self) {
        let (n, m) = (self.times.len(), self.joints.len());
        if n < 2 {
            return;
        }
        let mut upper = vec![0.0; n];
        for j in 0..m {
            let y = |k: usize| self.values[k * m + j];
            let h = |k: usize| self.times[k + 1] - self.times[k];
            let slope = |k: usize| (y(k + 1) - y(k)) / h(k);
            let mut rhs = vec![0.0; n];
            let mut last = 0.0;
            for k in 0..n {
                let (below, diagonal, above, right) = if k == 0 {
                    (0.0, 2.0 * h(0), h(0), 6.0 * slope(0))
                } else if k == n - 1 {
                    (h(n - 2), 2.0 * h(n - 2), 0.0, -6.0 * slope(n - 2))
                } else {
                    (h(k - 1), 2.0 * (h(k - 1) + h(k)), h(k), 6.0 * (slope(k) - slope(k - 1)))
                };
                let before = if k == 0 { 0.0 } else { upper[k - 1] };
                let pivot = diagonal - below * before;
                upper[k] = above / pivot;
                last = (right - below * last) / pivot;
                rhs[k] = last;
            }
            for k in (0..n - 1).rev() {
                rhs[k] -= upper[k] * rhs[k + 1];
            }
            for k in 0..n {
                self.curvatures[k * m + j] = rhs[k];
            }
        }
    }
}

/// What drives joints. Links are named; a joint with several dofs names which.
#[derive(Debug, Clone, PartialEq)]
pub enum Controller {
    /// A constant joint force; its value can be changed while running.
    Force {
        /// The link whose joint it is.
        link: String,
        /// Which of the joint's dofs.
        dof: usize,
        /// N m or N.
        force: f64,
    },
    /// Springs and dampers towards a motion, implicit, so that any gain is stable.
    Pd {
        /// What to follow.
        motion: JointMotion,
        /// N m/rad or N/m.
        stiffness: f64,
        /// N m s/rad or N s/m.
        damping: f64,
        /// Greatest force, N m or N.
        effort: f64,
    },
    /// Inverse dynamics along a motion, with feedback in accelerations.
    ComputedTorque {
        /// What to follow.
        motion: JointMotion,
        /// 1/s².
        stiffness: f64,
        /// 1/s.
        damping: f64,
    },
    /// Drives a dof to a velocity with bounded force, in the contact problem.
    Motor {
        /// The link whose joint it is.
        link: String,
        /// Which of the joint's dofs.
        dof: usize,
        /// rad/s or m/s.
        velocity: f64,
        /// Greatest force, N m or N.
        effort: f64,
    },
    /// The joints follow the motion whatever it takes [Yamane §V-A].
    HighGain {
        /// What to follow.
        motion: JointMotion,
    },
    /// A control, perhaps a state, and a force along a joint, a string or at a site.
    Actuator(Box<crate::equipment::Actuator>),
}

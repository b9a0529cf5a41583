//! Drag of a medium on bodies, each taken as the box of its mass and moments of inertia, or by its geoms as ellipsoids
//! (`ellipsoid`).
//!
//! ```text
//!     b_i = √(6 (I_j + I_k − I_i)/m),   d = (b₁ + b₂ + b₃)/3,   in principal axes at the centre of mass:
//!     f_i = −3 π d β v_i − ½ ρ b_j b_k |v_i| v_i
//!     τ_i = −π d³ β ω_i − ρ b_i (b_j⁴ + b_k⁴) |ω_i| ω_i / 64
//! ```
//! β viscosity in Pa s, ρ density in kg/m³, v against the wind in m/s, ω in rad/s. Taken at the start of the step.

use gudgeon_multibody::{LinkId, Model, Workspace};
use gudgeon_spatial::{Force, Pose, Vector3};

use super::ellipsoid::Ellipsoid;
use crate::tolerances::MUJOCO_ZERO;

/// A medium and the boxes that feel it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fluid {
    /// kg/m³.
    pub density: f64,
    /// Pa s.
    pub viscosity: f64,
    /// World axes, m/s.
    pub wind: [f64; 3],
    /// Link, frame of the principal axes in it, full sizes of the box in m.
    pub boxes: Vec<(LinkId, Pose, [f64; 3])>,
    /// Geoms that feel it each for itself.
    pub ellipsoids: Vec<Ellipsoid>,
}

impl Fluid {
    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        for (link, pose, _) in &mut self.boxes {
            let (new, x) = to(*link);
            (*link, *pose) = (new, x.compose(pose));
        }
        self.ellipsoids.iter_mut().for_each(|e| e.remap(to));
    }

    pub(super) fn append(&mut self, mut other: Self) {
        if !(other.boxes.is_empty() && other.ellipsoids.is_empty()) {
            (self.density, self.viscosity, self.wind) = (other.density, other.viscosity, other.wind);
            self.boxes.append(&mut other.boxes);
            self.ellipsoids.append(&mut other.ellipsoids);
        }
    }

    /// The box of a mass with these principal moments, full sizes.
    pub fn box_of(mass: f64, moments: [f64; 3]) -> [f64; 3] {
        let [i, j, k] = moments;
        [j + k - i, i + k - j, i + j - k].map(|x| (6.0 * x.max(MUJOCO_ZERO) / mass).sqrt())
    }

    /// Adds the drag to the forces on links, one per link in world axes about its origin. Wants velocities in `ws`.
    pub(crate) fn drag(&self, model: &Model, ws: &Workspace, external: &mut Vec<Force>) {
        if self.boxes.is_empty() && self.ellipsoids.is_empty() {
            return;
        }
        external.resize(model.n_links(), Force::zero());
        let Self { density, viscosity, .. } = *self;
        for (link, pose, b) in &self.boxes {
            let x = ws.pose(*link).compose(pose);
            let arm = x.translation - ws.pose(*link).translation;
            let (linear, angular) = self.against(ws, *link, &x);
            let d = (b[0] + b[1] + b[2]) / 3.0;
            let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                force[i] = -3.0 * std::f64::consts::PI * d * viscosity * linear[i]
                    - 0.5 * density * b[j] * b[k] * linear[i].abs() * linear[i];
                torque[i] = -std::f64::consts::PI * d.powi(3) * viscosity * angular[i]
                    - density * b[i] * (b[j].powi(4) + b[k].powi(4)) * angular[i].abs() * angular[i] / 64.0;
            }
            let force = x.direction(&force);
            external[link.0] += Force::new(x.direction(&torque) + arm.cross(&force), force);
        }
        for e in &self.ellipsoids {
            let x = ws.pose(e.link).compose(&e.pose);
            let arm = x.translation - ws.pose(e.link).translation;
            let (linear, angular) = self.against(ws, e.link, &x);
            let (force, torque) = e.wrench(&linear, &angular, [density, viscosity]);
            let force = x.direction(&force);
            external[e.link.0] += Force::new(x.direction(&torque) + arm.cross(&force), force);
        }
    }

    /// Velocity against the wind and turn of a frame on a link, in its axes.
    fn against(&self, ws: &Workspace, link: LinkId, x: &Pose) -> (Vector3<f64>, Vector3<f64>) {
        let v = ws.velocity(link).at(&(x.translation - ws.pose(link).translation));
        let linear = x.rotation.transpose() * (v.linear - Vector3::from(self.wind));
        (linear, x.rotation.transpose() * v.angular)
    }
}

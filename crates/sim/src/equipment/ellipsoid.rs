//! A medium's forces on a geom taken as an ellipsoid: drag, lift, and the inertia of what it carries along.
//!
//! In the geom's axes, with semi-axes s, v against the wind and ω:
//! ```text
//!     carried along   f = (ρ m ∘ v) × ω,   τ = (ρ m ∘ v) × v + (ρ j ∘ ω) × ω
//!     Magnus          f = c_M ρ V ω × v,   V = 4π/3 s₁ s₂ s₃
//!     Kutta           n = (s_j s_k)² v_i,  P = Σ (s_j s_k v_i)²,  Q = |n|²,  A = π √(Q/P),  cos α = P/(|v| √Q …)
//!                     f = c_K ρ cos α A (n × v) × v
//!     drag            f = −(β 3π D + ρ |v| (A c_b + c_s (A_max − A))) v,     D = ⅔ Σ s,  A_max = π s_max s_mid
//!                     τ = −(β π D³ + ρ |ω ∘ (c_a I + c_s (I_max − I))|) ω
//!                     I_i = 8π/15 s_i max(s_j, s_k)⁴,   I_max = 8π/15 s_mid s_max⁴
//! ```
//! m, j: masses and inertias carried along per density, Lamb's, from κ_i = s₁ s₂ s₃ ∫ dλ/((s_i² + λ) Π √(s_k² + λ)):
//! ```text
//!     m_i = V κ_i/(2 − κ_i),   j_i = V/5 (s_j² − s_k²)² (κ_k − κ_j)/(2 (s_j² − s_k²) + (s_j² + s_k²)(κ_j − κ_k))
//! ```
//! ρ density, β viscosity; c_b, c_s, c_a, c_K, c_M the coefficients of blunt, slender and angular drag, of Kutta's and of
//! Magnus' lift. All is taken at the start of the step. The integral is Kronrod's of 15 points under λ ∝ x³/(1 − x)², which is how
//! the format's own numbers come about.

use gudgeon_multibody::LinkId;
use gudgeon_spatial::{Pose, Vector3};

use std::f64::consts::PI;

/// A geom that feels the medium.
#[derive(Debug, Clone, PartialEq)]
pub struct Ellipsoid {
    /// The link it is on.
    pub link: LinkId,
    /// Its frame there.
    pub pose: Pose,
    /// Semi-axes, m.
    pub semi: [f64; 3],
    /// Blunt, slender and angular drag, Kutta's lift, Magnus' lift.
    pub coefficients: [f64; 5],
    masses: [f64; 3],   // per density, m³
    inertias: [f64; 3], // per density, m⁵
}

/// What is divided by is at least this: the format's own.
const LEAST: f64 = 1e-15;

/// Kronrod's abscissae in the first half of [0, 1] and their weights, the middle last; to eight digits, as the format takes them.
const KRONROD: [(f64, f64); 8] = [
    (0.004_272_31, 0.011_467_66),
    (0.025_446_04, 0.031_546_05),
    (0.067_567_79, 0.052_395_01),
    (0.129_234_41, 0.070_326_63),
    (0.206_956_38, 0.084_502_36),
    (0.297_077_42, 0.095_175_29),
    (0.396_107_52, 0.102_216_47),
    (0.5, 0.104_741_07),
];

fn kappa(s: [f64; 3]) -> f64 {
    let inverse = s.map(|x| 1.0 / (x * x));
    let scale = (s[0].powi(3) * s[1] * s[2]).powf(0.4);
    let at = |x: f64| {
        let lambda = scale * x.powi(3) / (1.0 - x).powi(2);
        let slope = scale * x * x * (3.0 - x) / (1.0 - x).powi(3);
        let [a, b, c] = inverse.map(|i| 1.0 + lambda * i);
        slope / (a * (a * b * c).sqrt())
    };
    let mut sum = 0.0;
    for (x, w) in KRONROD {
        sum += w * if x < 0.5 { at(x) + at(1.0 - x) } else { at(x) };
    }
    sum * inverse[0]
}

impl Ellipsoid {
    /// One on a link, with semi-axes in m and its coefficients.
    pub fn new(link: LinkId, pose: Pose, semi: [f64; 3], coefficients: [f64; 5]) -> Self {
        let [a, b, c] = semi;
        let volume = 4.0 / 3.0 * PI * a * b * c;
        let k = [kappa([a, b, c]), kappa([b, c, a]), kappa([c, a, b])];
        let masses = k.map(|k| volume * k / (2.0 - k).max(LEAST));
        let square = semi.map(|x| x * x);
        let inertias = [0, 1, 2].map(|i| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            let apart = square[j] - square[l];
            let below = (2.0 * apart + (square[j] + square[l]) * (k[j] - k[l])).abs().max(LEAST);
            volume / 5.0 * (apart.powi(2) * (k[l] - k[j])).abs() / below
        });
        Self { link, pose, semi, coefficients, masses, inertias }
    }

    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        let (link, x) = to(self.link);
        (self.link, self.pose) = (link, x.compose(&self.pose));
    }

    /// Force and torque about its middle, in its axes, of a medium of this density and viscosity.
    pub(super) fn wrench(
        &self,
        v: &Vector3<f64>,
        w: &Vector3<f64>,
        [density, viscosity]: [f64; 2],
    ) -> (Vector3<f64>, Vector3<f64>) {
        let [blunt, slender, turning, kutta, magnus] = self.coefficients;
        let (m, j) = (Vector3::from(self.masses) * density, Vector3::from(self.inertias) * density);
        let momentum = m.component_mul(v);
        let mut force = momentum.cross(w);
        let mut torque = momentum.cross(v) + j.component_mul(w).cross(w);

        let s = self.semi;
        let volume = 4.0 / 3.0 * PI * s[0] * s[1] * s[2];
        force += w.cross(v) * (magnus * density * volume);

        let pair = Vector3::new(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
        let normal = pair.component_mul(&pair).component_mul(v);
        let (top, bottom) = (pair.component_mul(v).norm_squared(), normal.norm_squared());
        // at rest there is neither
        let (area, cosine) =
            if bottom > 0.0 { (PI * (bottom / top).sqrt(), top / (v.norm() * bottom)) } else { (0.0, 0.0) };
        force += normal.cross(v).cross(v) * (kutta * density * cosine * area);

        let (most, least) = (s[0].max(s[1]).max(s[2]), s[0].min(s[1]).min(s[2]));
        let middle = s[0] + s[1] + s[2] - most - least;
        let largest = PI * most * middle;
        let d = 2.0 / 3.0 * (s[0] + s[1] + s[2]);
        let moment = |i: usize| 8.0 / 15.0 * PI * s[i] * s[(i + 1) % 3].max(s[(i + 2) % 3]).powi(4);
        let most_moment = 8.0 / 15.0 * PI * middle * most.powi(4);
        let spun =
            Vector3::from_fn(|i, _| w[i] * (turning * moment(i) + slender * (most_moment - moment(i))));
        let linear =
            viscosity * 3.0 * PI * d + density * v.norm() * (area * blunt + slender * (largest - area));
        let angular = viscosity * PI * d.powi(3) + density * spun.norm();
        force -= v * linear;
        torque -= w * angular;
        (force, torque)
    }
}

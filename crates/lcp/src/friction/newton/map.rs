//! The natural map of a block and its derivative: the one table of what a law asks and how it bends.
//!
//! With u′ = u + mu |u_t| e_n (De Saxcé) Coulomb's and Signorini's laws are F(x, u) = x − P(x − u′) = 0, P the projection
//! on the cone. In the scaling S = diag(mu, 1, 1) of impulses, S⁻¹ of velocities, the cone is its own dual and P acts on
//! the two eigenvalues λ = y_n ∓ |y_t| of y = S x − S⁻¹ u′ alone:
//!
//! ```text
//!     dF = (1 − P′) S dx + P′ T du,     T = S⁻¹ + e_n eᵀ,  e = u_t / |u_t|
//!     F = 0:   both λ > 0 stick,  λ₁ < 0 < λ₂ slip,  both λ < 0 open
//! ```
//!
//! One row alone has the same with P the projection on its interval.
//!
//! The map of Alart and Curnier is another one with the same zeros and without De Saxcé's term: the normal row alone, then
//! friction on the disc that its projection leaves, with ρ in front of the velocities,
//!
//! ```text
//!     F_n = x_n − r,  r = (x_n − ρ u_n)₊        F_t = x_t − P_{|·| ≤ mu r}(x_t − ρ u_t)
//! ```
//!
//! Where one of them has a valley that is no answer, another (another ρ too) rarely has: Newton goes round several.

use super::super::operator::Law;
use crate::problem::ContactMode;
use crate::tolerances;

/// A matrix of 3 × 3, by rows.
pub(crate) type Matrix = [[f64; 3]; 3];

/// F of a block with dF = B dx + G du.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Linear {
    pub(crate) f: [f64; 3],
    pub(crate) b: Matrix,
    pub(crate) g: Matrix,
}

/// Which map stands for Coulomb's law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Map {
    /// The projection on the cone with De Saxcé's term.
    #[default]
    Natural,
    /// Alart's and Curnier's with this ρ.
    Curnier(f64),
}

/// Alart's and Curnier's map linearised, with C = (B + ε G)⁻¹ and D = C G in closed form:
///
/// ```text
///     open    C = 1,            D = 0
///     stick   C = 1/(ε ρ),      D = 1/ε
///     slip    C = [ 1/a              0                ]      D = [ 1/ε       0             ]     a = ε ρ
///                 [ mu w (1 − a)/a   w wᵀ + κ w⊥ w⊥ᵀ ]          [ mu w/ε    ρ κ τ w⊥ w⊥ᵀ ]     κ = 1/(1 − (1 − a) τ)
/// ```
///
/// with w the direction and τ ≤ 1 the length of what is left of y = x_t − ρ u_t, against |y|.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tangent {
    /// What the block does: open, F = x − const, it does not act; stick, F = ρ u; slip, friction at the bound of its disc.
    /// None: linearised whole, by B and G written out.
    pub(crate) mode: Option<ContactMode>,
    rho: f64,
    bound: [f64; 2], // mu w
    w: [f64; 2],
    turn: f64, // τ
}

impl Tangent {
    fn new(mode: ContactMode, rho: f64) -> Self {
        Self { mode: Some(mode), rho, ..Self::default() }
    }

    /// D where it sticks.
    #[inline]
    pub(crate) fn slope_of_stick(eps: f64) -> Matrix {
        let over = 1.0 / eps;
        [[over, 0.0, 0.0], [0.0, over, 0.0], [0.0, 0.0, over]]
    }

    /// D where it slips.
    #[inline]
    pub(crate) fn slope_of_slip(&self, eps: f64) -> Matrix {
        let over = 1.0 / eps;
        let [a, b] = self.w;
        let k = self.rho * self.turn * self.across(eps);
        [
            [over, 0.0, 0.0],
            [self.bound[0] * over, k * b * b, -k * a * b],
            [self.bound[1] * over, -k * a * b, k * a * a],
        ]
    }

    /// κ.
    #[inline]
    fn across(&self, eps: f64) -> f64 {
        1.0 / (1.0 - (1.0 - eps * self.rho) * self.turn)
    }

    /// C f where it sticks.
    #[inline]
    pub(crate) fn stick(&self, eps: f64, f: [f64; 3]) -> [f64; 3] {
        let over = 1.0 / (eps * self.rho);
        f.map(|f| f * over)
    }

    /// C f where it slips.
    #[inline]
    pub(crate) fn slip(&self, eps: f64, f: [f64; 3]) -> [f64; 3] {
        let ([a, b], step) = (self.w, eps * self.rho);
        let normal = f[0] / step;
        let (along, across) = (a * f[1] + b * f[2], self.across(eps) * (a * f[2] - b * f[1]));
        let pressed = (1.0 - step) * normal;
        [
            normal,
            self.bound[0] * pressed + along * a - across * b,
            self.bound[1] * pressed + along * b + across * a,
        ]
    }
}

/// F of Alart's and Curnier's map with this ρ, and its linearisation.
#[inline]
pub(crate) fn tangent(rho: f64, law: Law, x: [f64; 3], u: [f64; 3]) -> ([f64; 3], Tangent) {
    let free = Tangent::new(ContactMode::Open, 1.0);
    match law {
        Law::Cone(mu) => curnier(mu, rho, x, u),
        Law::Boxed(room) if x[0] - u[0] >= room => ([x[0] - room, 0.0, 0.0], free),
        Law::Half | Law::Boxed(_) if x[0] - u[0] <= 0.0 => ([x[0], 0.0, 0.0], free),
        Law::Half | Law::Boxed(_) | Law::Free => ([u[0], 0.0, 0.0], Tangent::new(ContactMode::Stick, 1.0)),
    }
}

#[inline]
fn curnier(mu: f64, rho: f64, x: [f64; 3], u: [f64; 3]) -> ([f64; 3], Tangent) {
    let normal = x[0] - rho * u[0];
    if normal <= 0.0 {
        return (x, Tangent::new(ContactMode::Open, rho));
    }
    let y = [x[1] - rho * u[1], x[2] - rho * u[2]];
    let (square, radius) = (y[0] * y[0] + y[1] * y[1], mu * normal);
    if square <= radius * radius {
        return (u.map(|u| rho * u), Tangent::new(ContactMode::Stick, rho));
    }
    let over = 1.0 / square.sqrt();
    let w = [y[0] * over, y[1] * over];
    let f = [rho * u[0], x[1] - radius * w[0], x[2] - radius * w[1]];
    (f, Tangent { mode: Some(ContactMode::Slip), rho, bound: w.map(|w| mu * w), w, turn: radius * over })
}

/// The natural map of a block at impulses x and velocities u.
#[inline]
pub(crate) fn linear(law: Law, x: [f64; 3], u: [f64; 3]) -> Linear {
    match law {
        Law::Cone(mu) => cone(mu, x, u),
        Law::Boxed(room) if x[0] - u[0] >= room => row(x[0] - room, 1.0, 0.0),
        Law::Half | Law::Boxed(_) if x[0] - u[0] <= 0.0 => row(x[0], 1.0, 0.0),
        Law::Half | Law::Boxed(_) | Law::Free => row(u[0], 0.0, 1.0),
    }
}

fn row(f: f64, b: f64, g: f64) -> Linear {
    let mut out = Linear { f: [f, 0.0, 0.0], ..Linear::default() };
    (out.b[0][0], out.g[0][0]) = (b, g);
    out
}

#[inline]
fn cone(mu: f64, x: [f64; 3], u: [f64; 3]) -> Linear {
    let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
    let y = [mu * x[0] - (u[0] / mu + slip), x[1] - u[1], x[2] - u[2]];
    let size = (y[1] * y[1] + y[2] * y[2]).sqrt();
    let w = if size > 0.0 { [y[1] / size, y[2] / size] } else { [1.0, 0.0] };
    let (small, large) = (y[0] - size, y[0] + size);
    let (f1, f2) = (small.max(0.0), large.max(0.0));
    let step = |v: f64| if v > 0.0 { 1.0 } else { 0.0 };
    let (g1, g2) = (step(small), step(large));
    let (normal, friction) = (0.5 * (f1 + f2), 0.5 * (f2 - f1));
    // P′ along and across y_t
    let across = if large - small > tolerances::NO_WIDTH { (f2 - f1) / (large - small) } else { g1 };
    let (mean, half) = (0.5 * (g1 + g2), 0.5 * (g2 - g1));
    let p = [
        [mean, half * w[0], half * w[1]],
        [half * w[0], mean * w[0] * w[0] + across * w[1] * w[1], (mean - across) * w[0] * w[1]],
        [half * w[1], (mean - across) * w[0] * w[1], mean * w[1] * w[1] + across * w[0] * w[0]],
    ];
    let e = if slip > 0.0 { [u[1] / slip, u[2] / slip] } else { [0.0; 2] };
    let mut out = Linear {
        f: [mu * x[0] - normal, x[1] - friction * w[0], x[2] - friction * w[1]],
        ..Linear::default()
    };
    for i in 0..3 {
        for j in 0..3 {
            let one = if i == j { 1.0 } else { 0.0 };
            out.b[i][j] = (one - p[i][j]) * if j == 0 { mu } else { 1.0 };
        }
        out.g[i] = [p[i][0] / mu, p[i][0] * e[0] + p[i][1], p[i][0] * e[1] + p[i][2]];
    }
    out
}

/// The natural residual of a block, in the units of its rows: what decides whether it is solved.
#[inline]
pub(crate) fn natural(law: Law, x: [f64; 3], u: [f64; 3]) -> f64 {
    match law {
        Law::Cone(mu) => {
            let f = crate::friction::cone::natural_map(mu, &x, &u);
            f[0].abs().max(f[1].abs()).max(f[2].abs())
        }
        Law::Free => u[0].abs(),
        Law::Half => x[0].min(u[0]).abs(),
        Law::Boxed(room) => (x[0] - (x[0] - u[0]).clamp(0.0, room)).abs(),
    }
}

/// The inverse, or that of the matrix moved a little from singular.
#[inline]
pub(crate) fn inverse(m: &Matrix) -> Matrix {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (c0, c1, c2) = (cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    let det = m[0][0] * c0[0] + m[0][1] * c0[1] + m[0][2] * c0[2];
    if det == 0.0 {
        let mut moved = *m;
        (0..3).for_each(|i| moved[i][i] += tolerances::BLOCK_SHIFT);
        return if moved == *m { *m } else { inverse(&moved) };
    }
    let f = 1.0 / det;
    [[c0[0] * f, c1[0] * f, c2[0] * f], [c0[1] * f, c1[1] * f, c2[1] * f], [c0[2] * f, c1[2] * f, c2[2] * f]]
}

/// M v.
#[inline]
pub(crate) fn apply(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
    let row = |r: &[f64; 3]| r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    [row(&m[0]), row(&m[1]), row(&m[2])]
}

/// A B.
#[inline]
pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = Matrix::default();
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: Law = Law::Cone(0.6);
    /// Sticks, slips, open.
    const POINTS: [([f64; 3], [f64; 3]); 3] = [
        ([1.0, 0.1, -0.2], [0.01, 0.02, 0.03]),
        ([1.0, 0.5, -0.7], [-0.1, -0.4, 0.3]),
        ([0.1, 0.0, 0.02], [0.7, 0.1, -0.2]),
    ];

    /// B and G of a map by differences.
    fn differences(
        of: impl Fn([f64; 3], [f64; 3]) -> [f64; 3],
        x: [f64; 3],
        u: [f64; 3],
    ) -> (Matrix, Matrix) {
        let h = 1e-6;
        let (mut b, mut g) = (Matrix::default(), Matrix::default());
        for j in 0..3 {
            let moved = |s: f64, v: [f64; 3]| {
                let mut v = v;
                v[j] += s * h;
                v
            };
            let (more, less) = (of(moved(1.0, x), u), of(moved(-1.0, x), u));
            let (faster, slower) = (of(x, moved(1.0, u)), of(x, moved(-1.0, u)));
            for i in 0..3 {
                b[i][j] = (more[i] - less[i]) / (2.0 * h);
                g[i][j] = (faster[i] - slower[i]) / (2.0 * h);
            }
        }
        (b, g)
    }

    fn near(a: &Matrix, b: &Matrix) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-7)
    }

    /// The natural map bends as its differences say, in all three modes, and vanishes with the other one.
    #[test]
    fn derivatives_of_the_natural_map_are_those_of_differences() {
        for (x, u) in POINTS {
            let (b, g) = differences(|x, u| linear(LAW, x, u).f, x, u);
            let at = linear(LAW, x, u);
            assert!(near(&at.b, &b) && near(&at.g, &g), "{x:?}");
        }
        // slips along the first tangent with friction at its bound
        let (x, u) = ([2.0, -1.2, 0.0], [0.0, 0.5, 0.0]);
        for f in [linear(LAW, x, u).f, tangent(10.0, LAW, x, u).0] {
            assert!(f.iter().all(|f| f.abs() < 1e-15), "{f:?}");
        }
    }

    /// C and D of the map of Alart and Curnier are what its differences make of them, in all three modes.
    #[test]
    fn closed_forms_of_the_other_map_are_those_of_differences() {
        let modes = [ContactMode::Stick, ContactMode::Slip, ContactMode::Open];
        for ((x, u), mode) in POINTS.into_iter().zip(modes) {
            for (rho, eps) in [(1.0, 0.1), (3.0, 0.01), (10.0, 0.02)] {
                let (b, g) = differences(|x, u| tangent(rho, LAW, x, u).0, x, u);
                let of = tangent(rho, LAW, x, u).1;
                assert_eq!(of.mode, Some(mode));
                let mut m = b;
                (0..9).for_each(|k| m[k / 3][k % 3] += eps * g[k / 3][k % 3]);
                let f = [0.3, -0.7, 0.4];
                let (c, d) = match mode {
                    ContactMode::Stick => (of.stick(eps, f), Tangent::slope_of_stick(eps)),
                    ContactMode::Slip => (of.slip(eps, f), of.slope_of_slip(eps)),
                    ContactMode::Open => (f, Matrix::default()),
                };
                let back = apply(&m, c);
                assert!((0..3).all(|k| (back[k] - f[k]).abs() < 1e-6), "{mode:?} {rho}: {back:?}");
                assert!(near(&multiply(&m, &d), &g), "{mode:?} {rho}");
            }
        }
    }
}

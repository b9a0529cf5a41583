//! How far an answer is from being one: natural residual, Fischer-Burmeister, and energy in joules.
//!
//! For a row with bounds l ≤ x ≤ u, slack w = w₊ − w₋ and inverse effective mass a [EnzError (5)-(20)]:
//!
//! ```text
//!     natural    max( |min(u − x, w₋)|, |min(x − l, w₊)| )                                          (8)-(9)
//!     FB         max( |a + b − √(a² + b²)| ) over (a, b) = (u − x, w₋), (x − l, w₊)                 (5)-(6)
//!     energy     max( ½ a δx_u², ½ a δx_l², min(w₊²/2a, ½ a σ_l²), min(w₋²/2a, ½ a σ_u²) )          (16)-(20)
//!                δx_u = max(x − u, 0), δx_l = max(l − x, 0)                                         (14)
//!                σ_u = u − (x₀ − δx_l),  σ_l = (x₀ + δx_u) − l,  x₀ = x clamped to [l, u]
//! ```
//!
//! Totals are sums over the rows (7), (10), (21). Departures: the Fischer-Burmeister term of a bound at
//! infinity is its limit (w₋, not ∞ − ∞); a row whose diagonal is not positive (the λ rows of a friction cone,
//! where (18) would divide by zero) takes its inverse effective mass from the energy scaling, which makes
//! its error joules too.

use crate::kernel::{axpy, max_abs};
use crate::outcome::{Ray, Residual};
use crate::problem::{Lcp, Mlcp};
use crate::scale::Scaling;
use crate::verdict::{Form, Terms, Verdict};

/// The three measures of one row, or their sums.
///
/// ```
/// use gudgeon_lcp::{ErrorSum, Lcp, lcp_errors};
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// // a slack of −2 m/s on an inverse mass of 2/kg: w²/2a
/// assert_eq!(lcp_errors(&lcp, &[1.0], &[-2.0]).rows[0].energy, 1.0);
/// assert_eq!(lcp_errors(&lcp, &[2.0], &[0.0]).total(), ErrorSum::default());
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ErrorSum {
    /// Raw units: N s where the impulse is at fault, m/s where the velocity is.
    pub natural: f64,
    /// Raw units, mixed.
    pub fischer_burmeister: f64,
    /// J.
    pub energy: f64,
}

/// The three measures, row by row.
///
/// ```
/// use gudgeon_lcp::{Lcp, lcp_errors};
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// let errors = lcp_errors(&lcp, &[1.0], &[-2.0]); // z = 2 would be right
/// assert_eq!(errors.rows.len(), 1);
/// assert_eq!(errors.total().energy, 1.0); // w²/2a
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Errors {
    /// One entry per row.
    pub rows: Vec<ErrorSum>,
}

impl Errors {
    /// The sums over all rows [EnzError (7), (10), (21)].
    pub fn total(&self) -> ErrorSum {
        self.rows.iter().fold(ErrorSum::default(), |sum, row| ErrorSum {
            natural: sum.natural + row.natural,
            fischer_burmeister: sum.fischer_burmeister + row.fischer_burmeister,
            energy: sum.energy + row.energy,
        })
    }
}

/// The errors of z, w against an [`Lcp`].
pub fn lcp_errors(lcp: &Lcp, z: &[f64], w: &[f64]) -> Errors {
    let mass = InverseMass::new(Form::from(lcp), lcp.q());
    let rows = (0..lcp.n()).map(|i| row_error(z[i], w[i], 0.0, f64::INFINITY, mass.of(i)));
    Errors { rows: rows.collect() }
}

/// The errors of x, w against an [`Mlcp`], with the bounds in force at x.
pub fn mlcp_errors(mlcp: &Mlcp, x: &[f64], w: &[f64]) -> Errors {
    let mass = InverseMass::new(Form::from(mlcp), mlcp.b());
    let rows = (0..mlcp.n()).map(|i| {
        let (lo, hi) = mlcp.bounds_at(i, x);
        row_error(x[i], w[i], lo, hi, mass.of(i))
    });
    Errors { rows: rows.collect() }
}

/// Inverse effective masses: the diagonal, or the energy scaling's where there is none.
struct InverseMass<'a> {
    form: Form<'a>,
    scaling: Option<Scaling>,
}

impl<'a> InverseMass<'a> {
    fn new(form: Form<'a>, q: &[f64]) -> Self {
        let bare = (0..q.len()).any(|i| form.diagonal(i) <= 0.0);
        Self { form, scaling: bare.then(|| Scaling::of(form, q)) }
    }

    fn of(&self, i: usize) -> f64 {
        let diagonal = self.form.diagonal(i);
        match &self.scaling {
            Some(scaling) if diagonal <= 0.0 => scaling.inverse_mass(i),
            _ => diagonal,
        }
    }
}

/// The three measures of one row; `a` is the inverse effective mass, positive.
pub(crate) fn row_error(x: f64, w: f64, lo: f64, hi: f64, a: f64) -> ErrorSum {
    if lo == 0.0 && hi == f64::INFINITY && x >= 0.0 && x.is_finite() && w.is_finite() && a.is_finite() {
        return standard_error(x, w, a);
    }
    any_error(x, w, lo, hi, a)
}

/// The same of x ≥ 0 with no bound but that: what is left of (5), (8) and (16)-(20).
fn standard_error(x: f64, w: f64, a: f64) -> ErrorSum {
    let velocity = w * w / (2.0 * a);
    if w > 0.0 {
        let energy = velocity.min(0.5 * a * x * x);
        return ErrorSum { natural: x.min(w), fischer_burmeister: fischer_burmeister(x, w), energy };
    }
    let energy = if w == 0.0 { 0.0 } else { velocity };
    ErrorSum { natural: w.abs(), fischer_burmeister: w.abs(), energy }
}

fn any_error(x: f64, w: f64, lo: f64, hi: f64, a: f64) -> ErrorSum {
    let (w_plus, w_minus) = (w.max(0.0), (-w).max(0.0));
    let (below, above) = (x - lo, hi - x);
    ErrorSum {
        natural: below.min(w_plus).abs().max(above.min(w_minus).abs()),
        fischer_burmeister: fischer_burmeister(below, w_plus).max(fischer_burmeister(above, w_minus)),
        energy: energy(x, w_plus, w_minus, lo, hi, a),
    }
}

/// |a + b − √(a² + b²)|, without cancellation or overflow on the way and with the limit at a = ∞.
fn fischer_burmeister(a: f64, b: f64) -> f64 {
    if a == f64::INFINITY {
        return b.abs();
    }
    // most rows of an answer
    if (a == 0.0 && b >= 0.0) || (b == 0.0 && a >= 0.0) {
        return 0.0;
    }
    let size = a.abs().max(b.abs());
    if size == 0.0 {
        return 0.0;
    }
    let (a, b) = (a / size, b / size);
    let sum = a + b;
    let root = a.hypot(b);
    let scaled = if sum > 0.0 { 2.0 * a * b / (sum + root) } else { sum - root };
    scaled.abs() * size
}

fn energy(x: f64, w_plus: f64, w_minus: f64, lo: f64, hi: f64, a: f64) -> f64 {
    let dx_upper = (x - hi).max(0.0);
    let dx_lower = (lo - x).max(0.0);
    let feasible = x.clamp(lo, hi);
    let sigma_upper = hi - (feasible - dx_lower);
    let sigma_lower = (feasible + dx_upper) - lo;
    let impulse = |d: f64| 0.5 * a * d * d;
    let velocity = |v: f64, sigma: f64| if v == 0.0 { 0.0 } else { (v * v / (2.0 * a)).min(impulse(sigma)) };
    impulse(dx_upper)
        .max(impulse(dx_lower))
        .max(velocity(w_plus, sigma_lower))
        .max(velocity(w_minus, sigma_upper))
}

/// All three residuals of a standard problem, with the memory of the verdict lent and the masses of a scaling that is
/// at hand.
pub(crate) fn residual_in(
    lcp: &Lcp,
    scaling: &Scaling,
    verdict: &mut Verdict,
    z: &[f64],
    w: &[f64],
) -> Residual {
    let bounds = |_| (0.0, f64::INFINITY);
    let natural = verdict.natural(&Form::from(lcp), lcp.q(), z, w, bounds);
    residual_of(lcp, scaling, natural, z, w)
}

/// The same where the natural residual is known already.
pub(crate) fn residual_of(lcp: &Lcp, scaling: &Scaling, natural: f64, z: &[f64], w: &[f64]) -> Residual {
    let mut residual = Residual { natural, ..Residual::default() };
    for i in 0..lcp.n() {
        // a pair that is complementary to the bit adds nothing
        if z[i] >= 0.0 && w[i] >= 0.0 && (z[i] == 0.0 || w[i] == 0.0) {
            continue;
        }
        let diagonal = lcp.entry(i, i);
        let mass = if diagonal > 0.0 { diagonal } else { scaling.inverse_mass(i) };
        let row = row_error(z[i], w[i], 0.0, f64::INFINITY, mass);
        residual.fischer_burmeister += row.fischer_burmeister;
        residual.energy += row.energy;
    }
    residual
}

impl Residual {
    /// The residuals of an answer to an [`Lcp`].
    pub fn of_lcp(lcp: &Lcp, z: &[f64], w: &[f64]) -> Self {
        let scaling = Scaling::of(Form::from(lcp), lcp.q());
        residual_in(lcp, &scaling, &mut Verdict::default(), z, w)
    }

    /// The residuals of an answer to an [`Mlcp`].
    pub fn of_mlcp(mlcp: &Mlcp, x: &[f64], w: &[f64]) -> Self {
        let errors = mlcp_errors(mlcp, x, w);
        Self {
            natural: natural_of_mlcp(mlcp, x, w, &mut Verdict::default()),
            fischer_burmeister: errors.total().fischer_burmeister,
            energy: errors.total().energy,
        }
    }
}

/// The natural residual of an answer to an [`Mlcp`] alone, with the memory lent.
pub(crate) fn natural_of_mlcp(mlcp: &Mlcp, x: &[f64], w: &[f64], verdict: &mut Verdict) -> f64 {
    verdict.natural(&Form::from(mlcp), mlcp.b(), x, w, |i| mlcp.bounds_at(i, x))
}

impl Ray {
    /// How far the ray is from being one: the largest violation of dz ≥ 0, dz0 ≥ 0, M dz + c dz0 ≥ 0 and of
    /// the complementarity of direction and point, relative to the sizes involved.
    pub fn violation(&self, lcp: &Lcp) -> f64 {
        self.violation_in(lcp, &mut Vec::new(), &mut Vec::new())
    }

    /// The same, with the memory for dw and w lent.
    pub(crate) fn violation_in(&self, lcp: &Lcp, dw: &mut Vec<f64>, w: &mut Vec<f64>) -> f64 {
        let n = lcp.n();
        if self.dz.len() != n {
            return f64::INFINITY;
        }
        dw.clear();
        dw.resize(n, 0.0);
        w.clear();
        w.extend_from_slice(lcp.q());
        for j in 0..n {
            axpy(self.dz[j], lcp.column(j), dw);
            axpy(self.z[j], lcp.column(j), w);
        }
        for i in 0..n {
            dw[i] += self.cover[i] * self.dz0;
            w[i] += self.cover[i] * self.z0;
        }
        let size = |v: &[f64]| max_abs(v).max(f64::MIN_POSITIVE);
        let (sd, sdw) = (size(&self.dz).max(self.dz0.abs()), size(dw).max(max_abs(lcp.m()) * size(&self.dz)));
        let (sz, sw) = (size(&self.z), size(w).max(size(lcp.q())));
        (0..n).fold((-self.dz0 / sd).max(0.0), |worst, i| {
            let (d, v) = (self.dz[i] / sd, dw[i] / sdw);
            let (z, s) = (self.z[i] / sz, w[i] / sw);
            let complementary = d.min(v).max(d.min(s)).max(z.min(v));
            worst.max(-d).max(-v).max(complementary)
        })
    }

    /// Whether y = dz shows that the inequalities alone have no solution: y ≥ 0, Mᵀ y ≤ 0, qᵀ y < 0, decided without
    /// rounding on the numbers as they are.
    pub fn proves_infeasible(&self, lcp: &Lcp) -> bool {
        crate::exact::proves_infeasible(lcp.m(), lcp.q(), &self.dz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two-point contact of [EnzError (23)]: inverse effective mass `a` on the diagonal, `c` beside it,
    /// h = 10 ms, and `turn` the acceleration that the moment gives each end, m/s².
    fn rod(a: f64, c: f64, turn: f64) -> Lcp {
        let (h, g) = (0.01, 9.81);
        Lcp::from_rows(&[[a, c], [c, a]], vec![-h * (g + turn), -h * (g - turn)]).unwrap()
    }

    /// The guess x1 = 0, w2 = 0: what x2 and w1 follow, and the errors of the two rows.
    fn guess(lcp: &Lcp) -> (f64, f64, Errors) {
        let x2 = -lcp.q()[1] / lcp.entry(1, 1);
        let w1 = lcp.entry(0, 1) * x2 + lcp.q()[0];
        (x2, w1, lcp_errors(lcp, &[0.0, x2], &[w1, 0.0]))
    }

    #[test]
    fn the_rod_has_the_figures_of_the_paper() {
        // The figures in the text belong to two point masses of 1 kg, 0.5 m apart, under 10 N m:
        // 2/m = 1 on the diagonal, nothing beside it, and 2 T/(m l) = 20 m/s².
        let (x2, w1, errors) = guess(&rod(1.0, 0.0, 20.0));
        println!("rod of the figures: x2 = {x2:.4} N s, w1 = {w1:.4} m/s, {errors:?}, {:?}", errors.total());
        assert!((x2 - -0.1019).abs() < 5e-5);
        assert!((w1 - -0.2981).abs() < 5e-5);
        assert!((errors.rows[0].energy - 4.44e-2).abs() < 5e-5);
        assert!((errors.rows[1].energy - 5.2e-3).abs() < 5e-5);
        assert!((errors.total().energy - 4.96e-2).abs() < 5e-5);
        // by (5) a negative impulse counts twice; the text has it once
        assert!((errors.total().fischer_burmeister - (0.2981 + 2.0 * 0.1019)).abs() < 1e-4);
        assert!((errors.total().natural - (0.2981 + 0.1019)).abs() < 1e-4);
    }

    #[test]
    fn the_rod_as_specified_in_the_paper_has_other_figures() {
        // The data of (22) are a uniform rod, m = l = 1.5: 4/m, −2/m and 6 T/(m l). They do not give the
        // figures of the text; these do follow from them.
        let (m, l, t) = (1.5, 1.5, 10.0);
        let (x2, w1, errors) = guess(&rod(4.0 / m, -2.0 / m, 6.0 * t / (m * l)));
        println!("rod of the data: x2 = {x2:.4} N s, w1 = {w1:.4} m/s, {errors:?}, {:?}", errors.total());
        assert!((x2 - -0.063_212_5).abs() < 1e-9);
        assert!((w1 - -0.280_483_333).abs() < 1e-8);
        assert!((errors.total().energy - (w1 * w1 * m / 8.0 + 2.0 / m * x2 * x2)).abs() < 1e-15);
    }

    #[test]
    fn a_solution_has_no_error_and_infinity_does_no_harm() {
        let lcp = Lcp::from_rows(&[[2.0, 0.0], [0.0, 0.0]], vec![-1.0, 3.0]).unwrap();
        let total = lcp_errors(&lcp, &[0.5, 0.0], &[0.0, 3.0]).total();
        assert_eq!(total, ErrorSum::default());
    }

    #[test]
    fn the_short_way_of_a_standard_row_is_the_long_one() {
        let numbers = [0.0, -0.0, 1e-17, -1e-17, 0.3, -0.3, 1e9, -1e9, 1e-300, f64::INFINITY, f64::NAN];
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        for x in numbers {
            for w in numbers {
                for a in [1e-9, 0.7, 1e12] {
                    let (short, long) =
                        (row_error(x, w, 0.0, f64::INFINITY, a), any_error(x, w, 0.0, f64::INFINITY, a));
                    let equal = same(short.natural, long.natural)
                        && same(short.fischer_burmeister, long.fischer_burmeister)
                        && same(short.energy, long.energy);
                    assert!(equal, "{x} {w} {a}: {short:?} {long:?}");
                }
            }
        }
    }

    #[test]
    fn a_diverged_iterate_is_not_excused_by_its_own_size() {
        let lcp = Lcp::from_rows(&[[1.0, 0.0], [0.0, 1.0]], vec![-1e-8; 2]).unwrap();
        let z = [1e307, 1e306];
        let mut w = Vec::new();
        lcp.slack(&z, &mut w);
        assert!(w.iter().all(|w| w.is_finite()));
        assert!(Residual::of_lcp(&lcp, &z, &w).natural > 0.1);
    }

    #[test]
    fn huge_bounds_do_not_overflow() {
        let row = row_error(-1.0, 0.0, -1e308, 1e308, 1e308);
        assert_eq!(row, ErrorSum::default());
        assert!(fischer_burmeister(1e308, 1e308).is_finite());
        assert_eq!(fischer_burmeister(3e-320, 4e-320), 2e-320);
    }

    #[test]
    fn a_saturated_motor_has_no_error() {
        let row = row_error(1.0, -3.0, -1.0, 1.0, 2.0);
        assert_eq!(row, ErrorSum::default());
        let row = row_error(1.0, 3.0, -1.0, 1.0, 2.0);
        assert_eq!(row.natural, 2.0);
        // min(w²/2a, ½ a σ²) = min(2.25, 4)
        assert_eq!(row.energy, 2.25);
    }
}

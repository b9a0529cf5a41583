//! What the modes leave open: the unknowns y of every contact and row, and the sides of their sets F_i.
//!
//! ```text
//!     r_i / s_i = B_i y_i,   B_iᵀ B_i = 1         gᵀ y_i ≥ h,   |g| = 1
//! ```

use super::TIE;
use super::rows::MetricRows;
use crate::friction::FrictionSolution;
use crate::kernel::max_abs;
use crate::problem::{FrictionProblem, directions};

/// A contact presses with more than this part of the largest impulse: below, its force may be rounding.
const HEAVY: f64 = 1e-9;
/// A force this part below the limit is inside its cone: a certified answer that slides is nearer.
const SURFACE: f64 = 1e-6;

/// What the unknowns of a piece mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// r_n of a contact without friction, or a row of its own.
    Single,
    /// φ on one facet or on two; the numbers are the facets and φ = `inverse` y (upper triangle).
    Slip { facets: [usize; 2], inverse: [f64; 3] },
    /// r_n, r_t1, r_t2 within a polygon.
    Stick,
    /// Along one ray of a round cone.
    Ray,
    /// r_n, r_t1, r_t2 within a round cone; mu in the metric.
    Cone { mu: f64 },
}

/// The open impulses of one contact or row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) row: usize,   // its first scalar row
    pub(super) first: usize, // its first unknown
    pub(super) width: usize,
    pub(super) basis: [[f64; 3]; 3], // unit vectors of the unknowns in (n, t1, t2)
    pub(super) meaning: Meaning,
    pub(super) range: [f64; 2],  // of a single unknown
    pub(super) offset: [f64; 3], // in (n, t1, t2): what stays of the raw impulse whatever y is
}

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Piece {
    fn new(row: usize, first: usize, width: usize, meaning: Meaning) -> Self {
        Self { row, first, width, basis: AXES, meaning, range: [0.0, f64::INFINITY], offset: [0.0; 3] }
    }

    /// The whole of a round cone.
    pub(super) fn cone(row: usize, first: usize, mu: f64) -> Self {
        Self::new(row, first, 3, Meaning::Cone { mu })
    }

    /// How many scalar rows it acts on.
    pub(super) fn scalars(&self) -> usize {
        if self.meaning == Meaning::Single { 1 } else { 3 }
    }

    /// How many of them must not move while it presses.
    pub(super) fn still(&self) -> usize {
        if matches!(self.meaning, Meaning::Stick | Meaning::Cone { .. }) { 3 } else { 1 }
    }
}

/// gᵀ y ≥ h for the unknowns of one piece; g of length one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) piece: usize,
    pub(super) g: [f64; 3],
    pub(super) h: f64,
    pub(super) imposed: bool,
}

/// The open impulses and their sides.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces {
    pub(super) list: Vec<Piece>,
    pub(super) sides: Vec<Face>,
}

impl Pieces {
    /// The open impulses of every contact and row, by the velocities; cones are polygons.
    pub(super) fn list_facets(
        &mut self,
        problem: &FrictionProblem,
        rows: &MetricRows,
        solution: &FrictionSolution,
        raw: &[f64],
        u: &[f64],
        band: f64,
    ) {
        let (n, d) = (problem.n_contacts(), problem.facets());
        let dirs = directions(d);
        self.list.clear();
        self.sides.clear();
        for i in 0..n {
            let (mu, k) = (problem.mu()[i], 3 * i);
            let (s_n, s_t) = (rows.scale[k], rows.scale[k + 1]);
            if u[k] > band && raw[k] <= 0.0 {
                continue;
            }
            if mu == 0.0 {
                self.single(k, 0.0, f64::INFINITY);
                continue;
            }
            let along = |j: usize| dirs[j][0] * u[k + 1] + dirs[j][1] * u[k + 2];
            let least = (0..d).map(along).fold(f64::INFINITY, f64::min);
            if -least <= band {
                self.stick(k, mu * s_n / s_t, &dirs);
                continue;
            }
            // the facets that oppose the slip: those in use, then those that tie
            let phi = &solution.boxed.x[n + i * d..n + (i + 1) * d];
            let mut facets: Vec<usize> =
                (0..d).filter(|&j| phi[j] > 0.0 || along(j) - least <= TIE * band).collect();
            let order = |j: usize| (phi[j] <= 0.0, along(j));
            facets.sort_by(|&a, &b| order(a).0.cmp(&order(b).0).then(order(a).1.total_cmp(&order(b).1)));
            facets.truncate(2);
            facets.sort_unstable();
            let v = |j: usize| [1.0 / (mu * s_n), dirs[j][0] / s_t, dirs[j][1] / s_t];
            self.slip(k, &facets, v);
        }
        self.list_rows(problem, rows, raw, u, band);
    }

    /// The same with round cones.
    pub(super) fn list_round(
        &mut self,
        problem: &FrictionProblem,
        rows: &MetricRows,
        raw: &[f64],
        u: &[f64],
        band: f64,
    ) {
        self.list.clear();
        self.sides.clear();
        let heavy = HEAVY * max_abs(raw);
        for (i, &mu) in problem.mu().iter().enumerate() {
            let k = 3 * i;
            if u[k] > band && raw[k] <= 0.0 {
                continue;
            }
            if mu == 0.0 {
                self.single(k, 0.0, f64::INFINITY);
                continue;
            }
            let mu = mu * rows.scale[k] / rows.scale[k + 1];
            let (speed, force) = (u[k + 1].hypot(u[k + 2]), raw[k + 1].hypot(raw[k + 2]));
            // a certified answer may creep by ten bands where it holds
            let inside = raw[k] > heavy && force < (1.0 - SURFACE) * mu * raw[k];
            let (_, first) = self.next();
            if speed <= band || inside {
                self.list.push(Piece::cone(k, first, mu));
                continue;
            }
            // contacts that slide alike have the same ray; by how much the raw impulse misses it stays
            let mut piece = Piece::new(k, first, 1, Meaning::Ray);
            let length = 1.0_f64.hypot(mu);
            let ray = [1.0, -mu * u[k + 1] / speed, -mu * u[k + 2] / speed].map(|v| v / length);
            let along = raw[k] * ray[0] + raw[k + 1] * ray[1] + raw[k + 2] * ray[2];
            piece.basis[0] = ray;
            piece.offset = std::array::from_fn(|c| raw[k + c] - along * ray[c]);
            self.list.push(piece);
        }
        self.list_rows(problem, rows, raw, u, band);
    }

    /// The rows that are no contact's.
    fn list_rows(&mut self, problem: &FrictionProblem, rows: &MetricRows, raw: &[f64], u: &[f64], band: f64) {
        let mut k = 3 * problem.n_contacts();
        for _ in 0..problem.n_unilateral() {
            if u[k] <= band || raw[k] > 0.0 {
                self.single(k, 0.0, f64::INFINITY);
            }
            k += 1;
        }
        for b in 0..problem.n_bounded() {
            let (lo, hi) = problem.bounds(b);
            let (lo, hi) = (lo / rows.scale[k], hi / rows.scale[k]);
            let saturated = (u[k] > band && raw[k] <= lo) || (u[k] < -band && raw[k] >= hi);
            if !saturated && lo < hi {
                self.single(k, lo, hi);
            }
            k += 1;
        }
        for _ in 0..problem.n_equality() {
            self.single(k, f64::NEG_INFINITY, f64::INFINITY);
            k += 1;
        }
    }

    fn next(&self) -> (usize, usize) {
        (self.list.len(), self.list.last().map_or(0, |p| p.first + p.width))
    }

    fn side(&mut self, piece: usize, g: [f64; 3], h: f64) {
        let length = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]).sqrt();
        self.sides.push(Face { piece, g: g.map(|v| v / length), h: h / length, imposed: false });
    }

    fn single(&mut self, row: usize, lo: f64, hi: f64) {
        let (piece, first) = self.next();
        let range = [lo, hi];
        self.list.push(Piece { range, ..Piece::new(row, first, 1, Meaning::Single) });
        if lo > f64::NEG_INFINITY {
            self.side(piece, [1.0, 0.0, 0.0], lo);
        }
        if hi < f64::INFINITY {
            self.side(piece, [-1.0, 0.0, 0.0], -hi);
        }
    }

    fn stick(&mut self, row: usize, mu: f64, dirs: &[[f64; 2]]) {
        let (piece, first) = self.next();
        self.list.push(Piece::new(row, first, 3, Meaning::Stick));
        // follows from the others, and often suffices
        self.side(piece, [1.0, 0.0, 0.0], 0.0);
        let d = dirs.len();
        for j in 0..d {
            // (d_j + d_j+1)/2 is the middle of side j; its length is cos(π/d)
            let (a, b) = (dirs[j], dirs[(j + 1) % d]);
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            let square = middle[0] * middle[0] + middle[1] * middle[1];
            self.side(piece, [mu * square, -middle[0], -middle[1]], 0.0);
        }
    }

    fn slip(&mut self, row: usize, facets: &[usize], v: impl Fn(usize) -> [f64; 3]) {
        let (piece, first) = self.next();
        let along = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let one = v(facets[0]);
        let length = along(one, one).sqrt();
        let b1 = one.map(|x| x / length);
        let mut basis = [b1, [0.0; 3], [0.0; 3]];
        let mut inverse = [1.0 / length, 0.0, 0.0];
        let two = facets.get(1).map(|&j| v(j));
        if let Some(two) = two {
            let shared = along(two, b1);
            let rest: [f64; 3] = std::array::from_fn(|c| two[c] - shared * b1[c]);
            let height = along(rest, rest).sqrt();
            basis[1] = rest.map(|x| x / height);
            // φ₂ = y₂ / height, φ₁ = (y₁ − shared φ₂) / length
            inverse = [1.0 / length, -shared / (length * height), 1.0 / height];
        }
        let width = 1 + usize::from(two.is_some());
        let facets = [facets[0], *facets.last().expect("the facet of least σ is always there")];
        let meaning = Meaning::Slip { facets, inverse };
        self.list.push(Piece { basis, ..Piece::new(row, first, width, meaning) });
        self.side(piece, [inverse[0], inverse[1], 0.0], 0.0);
        if width == 2 {
            self.side(piece, [0.0, inverse[2], 0.0], 0.0);
        }
    }
}

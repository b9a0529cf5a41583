//! Canonical forces: of all impulses with the same motion, the most evenly spread ones.
//!
//! Redundant contacts leave the impulses open while the motion is unique [EnzPivot, §N-legged frames]; the paper
//! proposes "the most evenly distributed contact impulses". Here that is the least norm in the effective-mass
//! metric among the impulses that give every row the velocity it has and keep what every contact does:
//!
//! ```text
//!     minimise  ½ Σ (r_k / s_k)²      subject to   Σ a_k r_k = Σ a_k r_k(raw)          the same motion
//!                                                  r_i ∈ F_i                           the same modes
//!     s_n² = 1/W_nn,   s_t² = 2/(W_t1t1 + W_t2t2)        one scale for both tangents, whatever their frame
//! ```
//!
//! F_i follows from the velocity u of the contact alone, so that it cannot depend on which of the possible answers
//! the solver found:
//!
//! | velocity                        | F_i                                                                     |
//! |---------------------------------|-------------------------------------------------------------------------|
//! | u_n > 0                         | 0                                                                       |
//! | u_n = 0, u_t ≠ 0 (slip)         | φ_j ≥ 0 on the facet against u_t (two where they tie), mu r_n = Σ φ     |
//! | u_n = 0, u_t = 0 (stick)        | the polygon: e_j·r_t ≤ cos(π/d) mu r_n, e_j the middle of side j        |
//! | unilateral, w > 0 / w = 0       | 0 / r ≥ 0                                                               |
//! | bounded, w ≠ 0 / w = 0          | the bound it is at / between the bounds                                 |
//! | equality                        | free                                                                    |
//!
//! With orthonormal coordinates y of the F_i in the metric, A y = b the motion and g_jᵀ y ≥ h_j the sides, the
//! optimality conditions are y = Aᵀ η + Gᵀ λ. Eliminating η by the projector P on the null space of A leaves
//!
//! ```text
//!     y = y₀ + P Gᵀ λ,     0 ≤ G P Gᵀ λ + (G y₀ − h) ⊥ λ ≥ 0,     y₀ = (1 − P) y(raw)
//! ```
//!
//! a standard problem with a symmetric semi-definite matrix over the few sides that matter: those y₀ violates,
//! then those the next y violates, until none is. `robust` solves it; λ need not be unique, y is. The sides with
//! λ > 0 are then imposed as equations by orthogonalisation. y₀ = A⁺ b is never computed by a division, so contacts
//! that nearly coincide do no harm: the raw y is within all sides, and only its part in the null space moves.
//!
//! **Cost.** Unknowns that act on the same bodies are first reduced to one wrench between them by a small
//! factorisation, so the large one is (six per pair of bodies) × (degrees of freedom): O(n) in the contacts,
//! O(p f²) in the pairs p and the degrees of freedom f; O(p f) more per side that is imposed. In local form
//! there are no pairs: O(n² rank).
//!
//! **Departures.** The paper gives no construction. Contacts that touch without pressing in the raw answer are
//! part of the spread: their mode by velocity is stick or slip, and reported so if they come to press.

use std::collections::BTreeMap;

use super::orthogonal::Orthogonal;
use crate::kernel::{axpy, dot, max_abs};
use crate::measure::row_error;
use crate::outcome::{Residual, SOLVED, Solution, Status};
use crate::problem::{ContactAnswer, ContactMode, FrictionProblem, Lcp, directions, factored_rows};
use crate::robust::Robust;
use crate::solver::FrictionSolution;

/// Scaled velocities up to this are zero: a tenth of what a certified answer may be off by, so that the canonical one
/// is certified as well, and a thousand times what the solver usually leaves.
const STILL: f64 = 0.1 * SOLVED;
/// Two facets oppose a slip alike where they differ by this part of [`STILL`]: symmetry gives such ties, and leaves the
/// rounding of a few sums.
const TIE: f64 = 1e-2;
/// The canonical answer must be this good in the metric's own scales: the solver's are powers of two, and the two
/// measures differ by a factor of less than four.
const CERTIFIED: f64 = 0.25 * SOLVED;
/// No velocity may change by more than this, against the largest of the problem.
const MOTION: f64 = 1e-12;
/// Without unit, against the largest column of A, all of which are of size one: rounding leaves 1e-15 to 1e-14 of a
/// dependent column, and what is dropped changes the motion by no more than this.
const RANK: f64 = 1e-13;
/// The same for the wrench of one pair of bodies; what is wrongly kept here meets [`RANK`] later.
const PAIR_RANK: f64 = 1e-15;
/// The motion is kept when its coordinates are right to this, against the largest of them: ten times the rounding of
/// their sums, a tenth of what is promised.
const KEPT: f64 = 1e-13;
/// A side is violated from here on, against the largest unknown: what rounding does to y₀ is below.
const VIOLATED: f64 = 1e-13;
/// A side whose normal has less than this left in the null space is decided by the motion alone.
const DECIDED: f64 = 1e-8;
/// More rounds than a contact has sides mean that the sides are not the trouble.
const ROUNDS: usize = 64;

/// How the search for canonical forces ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// The impulses are the canonical ones.
    Canonical,
    /// The answer was not a certified one, and stays as it was.
    NotSolved,
    /// No spread could be certified; the answer stays as it was.
    Inaccurate,
}

/// What canonical forces cost and how good they are.
#[must_use = "impulses that could not be spread are left as they were"]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpreadReport {
    /// How it ended.
    pub spread: Spread,
    /// The norm of the raw impulses in the effective-mass metric, N s / √kg.
    pub norm_before: f64,
    /// The norm of the impulses in the solution now.
    pub norm_after: f64,
    /// The largest change of a row's velocity, against the largest of the problem; both in √kg m/s.
    pub motion: f64,
    /// Of the solution as it is now, from the original data.
    pub residual: Residual,
    /// Impulses that the modes leave open.
    pub unknowns: usize,
    /// How many of them the motion decides.
    pub rank: usize,
    /// Sides of cones and bounds that are imposed.
    pub active: usize,
    /// Standard problems solved on the way.
    pub rounds: usize,
}

/// The rows of a problem in the metric.
#[derive(Debug, Clone, Default)]
struct Rows {
    column: Vec<Vec<(usize, f64)>>, // by row k: what r_k / s_k does to the motion
    row: Vec<Vec<(usize, f64)>>, // by row k: its scaled velocity from the motion; empty where motion = velocity
    q: Vec<f64>,                 // scaled: s_k q_k
    scale: Vec<f64>,             // s_k
    dim: usize,                  // of the motion: degrees of freedom, or scalar rows in local form
    size: f64,                   // the largest q
}

impl Rows {
    fn new(problem: &FrictionProblem) -> Self {
        let n = problem.n_contacts();
        let (mut column, mut q, dim, local) = if let Some(local) = problem.as_local() {
            let dim = local.q().len();
            let column = (0..dim).map(|j| (0..dim).map(|i| (i, local.w()[j * dim + i])).collect());
            (column.collect::<Vec<Vec<_>>>(), local.q().to_vec(), dim, true)
        } else {
            let rows = factored_rows(problem);
            (rows.rows, rows.q, rows.dof, false)
        };
        let mut inverse_mass: Vec<f64> = if local {
            let diagonal = |k: usize| column[k][k].1;
            let largest = |k: usize| column[k].iter().fold(0.0, |m: f64, e| m.max(e.1.abs()));
            // a row without a diagonal takes its largest entry, as the solver does
            (0..dim).map(|k| if diagonal(k) > 0.0 { diagonal(k) } else { largest(k) }).collect()
        } else {
            column.iter().map(|c| c.iter().map(|e| e.1 * e.1).sum()).collect()
        };
        for i in 0..n {
            let mean = 0.5 * (inverse_mass[3 * i + 1] + inverse_mass[3 * i + 2]);
            inverse_mass[3 * i + 1] = mean;
            inverse_mass[3 * i + 2] = mean;
        }
        let scale: Vec<f64> =
            inverse_mass.iter().map(|&w| if w > 0.0 { 1.0 / w.sqrt() } else { 1.0 }).collect();
        for (k, c) in column.iter_mut().enumerate() {
            for e in c.iter_mut() {
                e.1 *= scale[k] * if local { scale[e.0] } else { 1.0 };
            }
        }
        q.iter_mut().zip(&scale).for_each(|(q, s)| *q *= s);
        let largest = max_abs(&q);
        let size = if largest > 0.0 { largest } else { 1.0 };
        let row = if local { Vec::new() } else { column.clone() };
        Self { column, row, q, scale, dim, size }
    }

    /// The scaled velocities of all rows under scaled impulses.
    fn velocities(&self, r: &[f64], motion: &mut Vec<f64>, u: &mut Vec<f64>) {
        motion.clear();
        motion.resize(self.dim, 0.0);
        for (k, &f) in r.iter().enumerate().filter(|r| *r.1 != 0.0) {
            self.column[k].iter().for_each(|&(i, v)| motion[i] += v * f);
        }
        u.clear();
        if self.row.is_empty() {
            u.extend(self.q.iter().zip(&*motion).map(|(q, v)| q + v));
        } else {
            let along = |k: usize| self.row[k].iter().map(|&(i, v)| v * motion[i]).sum::<f64>();
            u.extend((0..self.q.len()).map(|k| self.q[k] + along(k)));
        }
    }
}

/// What the unknowns of a piece mean.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    /// r_n of a contact without friction, or a row of its own.
    Single,
    /// φ on one facet or on two; the numbers are the facets and φ = `inverse` y (upper triangle).
    Slip { facets: [usize; 2], inverse: [f64; 3] },
    /// r_n, r_t1, r_t2.
    Stick,
}

/// The open impulses of one contact or row.
#[derive(Debug, Clone, Copy)]
struct Piece {
    row: usize,   // its first scalar row
    first: usize, // its first unknown
    width: usize,
    basis: [[f64; 3]; 3], // unit vectors of the unknowns in (n, t1, t2)
    meaning: Meaning,
}

/// gᵀ y ≥ h for the unknowns of one piece; g of length one.
#[derive(Debug, Clone, Copy)]
struct Side {
    piece: usize,
    g: [f64; 3],
    h: f64,
    imposed: bool,
}

/// The unknowns that act on the same coordinates of the motion.
#[derive(Debug, Clone, Default)]
struct Group {
    coords: Vec<usize>,
    unknowns: Vec<usize>,
    effect: Vec<f64>, // by unknown, coords.len() each
    factor: Option<Orthogonal>,
    first: usize, // in the reduced vector
    rows: usize,
}

/// Canonical forces, with the memory of the large factorisation.
#[derive(Debug, Clone, Default)]
pub struct Canonical {
    factor: Orthogonal,
    robust: Robust,
    groups: Vec<Group>,
    pieces: Vec<Piece>,
    sides: Vec<Side>,
    balance: Vec<f64>, // by coordinate of the motion
    reduced: Vec<f64>,
    part: Vec<f64>,
}

/// Replaces the impulses of a certified answer by the canonical ones.
pub fn canonical(problem: &FrictionProblem, solution: &mut FrictionSolution) -> SpreadReport {
    Canonical::default().spread(problem, solution)
}

impl Canonical {
    /// Replaces the impulses of a certified answer by the canonical ones; any other answer is left alone.
    ///
    /// The velocities are computed afresh from the problem. The basis for the next warm start stays.
    pub fn spread(&mut self, problem: &FrictionProblem, solution: &mut FrictionSolution) -> SpreadReport {
        let rows = Rows::new(problem);
        let (mut motion, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let raw: Vec<f64> = solution.impulses.iter().zip(&rows.scale).map(|(r, s)| r / s).collect();
        let mut report = SpreadReport {
            spread: Spread::NotSolved,
            norm_before: dot(&raw, &raw).sqrt(),
            norm_after: dot(&raw, &raw).sqrt(),
            motion: 0.0,
            residual: Residual { natural: f64::INFINITY, ..Residual::default() },
            unknowns: 0,
            rank: 0,
            active: 0,
            rounds: 0,
        };
        let unknowns =
            problem.n_contacts() * (2 + problem.facets()) + rows.q.len() - 3 * problem.n_contacts();
        if raw.len() != rows.q.len() || solution.boxed.x.len() != unknowns {
            return report;
        }
        rows.velocities(&raw, &mut motion, &mut before);
        report.residual = residual(problem, &rows, &solution.boxed.x, &before);
        if report.residual.natural.is_nan() || report.residual.natural > SOLVED / CERTIFIED * SOLVED {
            return report;
        }
        report.spread = Spread::Inaccurate;
        let band = STILL * unit(&rows, &raw) * rows.size;
        self.list(problem, &rows, solution, &raw, &before, band);
        self.build(&rows);
        report.unknowns = self.pieces.iter().map(|p| p.width).sum();
        report.rank = self.factor.rank();

        // b: what the raw impulses of the open rows do to the motion; y: the same impulses in the coordinates
        motion.fill(0.0);
        let mut y = vec![0.0; report.unknowns];
        for piece in &self.pieces {
            let scalar = if matches!(piece.meaning, Meaning::Single) { 1 } else { 3 };
            let r = &raw[piece.row..piece.row + scalar];
            for (k, f) in r.iter().enumerate() {
                rows.column[piece.row + k].iter().for_each(|&(i, v)| motion[i] += v * f);
            }
            for t in 0..piece.width {
                y[piece.first + t] = r.iter().zip(&piece.basis[t]).map(|(r, b)| r * b).sum();
            }
        }
        motion.iter_mut().zip(&self.balance).for_each(|(b, f)| *b *= f);
        let Some(y) = self.minimise(&motion, y, &mut report) else { return report };

        let mut spread = solution.clone();
        self.write(problem, &rows, &y, &mut spread);
        let r: Vec<f64> = spread.impulses.iter().zip(&rows.scale).map(|(r, s)| r / s).collect();
        rows.velocities(&r, &mut motion, &mut after);
        let stuck = self.pieces.iter().filter(|p| p.meaning == Meaning::Stick).map(|p| p.row / 3);
        finish(problem, &rows, &after, stuck, &mut spread);
        let checked = residual(problem, &rows, &spread.boxed.x, &after);
        let change = before.iter().zip(&after).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let speed = rows.size.max(max_abs(&before));
        // impulses far larger than the velocities they leave cannot be written down to MOTION of these
        let rounding = 64.0 * f64::EPSILON * max_abs(&raw);
        let own = [(&raw, &before), (&r, &after)].map(|(r, u)| self.row_relative(&rows, r, u));
        let good =
            checked.natural <= report.residual.natural.max(CERTIFIED) && own[1] <= own[0].max(CERTIFIED);
        if good && change <= MOTION * speed + rounding {
            report.spread = Spread::Canonical;
            report.motion = change / speed;
            report.norm_after = dot(&r, &r).sqrt();
            report.residual = checked;
            *solution = spread;
        }
        report
    }

    /// The open impulses of every contact and row, by the velocities.
    fn list(
        &mut self,
        problem: &FrictionProblem,
        rows: &Rows,
        solution: &FrictionSolution,
        raw: &[f64],
        u: &[f64],
        band: f64,
    ) {
        let (n, d) = (problem.n_contacts(), problem.facets());
        let dirs = directions(d);
        self.pieces.clear();
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
        let mut k = 3 * n;
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
        (self.pieces.len(), self.pieces.last().map_or(0, |p| p.first + p.width))
    }

    fn side(&mut self, piece: usize, g: [f64; 3], h: f64) {
        let length = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]).sqrt();
        self.sides.push(Side { piece, g: g.map(|v| v / length), h: h / length, imposed: false });
    }

    fn single(&mut self, row: usize, lo: f64, hi: f64) {
        let (piece, first) = self.next();
        let basis = [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
        self.pieces.push(Piece { row, first, width: 1, basis, meaning: Meaning::Single });
        if lo > f64::NEG_INFINITY {
            self.side(piece, [1.0, 0.0, 0.0], lo);
        }
        if hi < f64::INFINITY {
            self.side(piece, [-1.0, 0.0, 0.0], -hi);
        }
    }

    fn stick(&mut self, row: usize, mu: f64, dirs: &[[f64; 2]]) {
        let (piece, first) = self.next();
        let basis = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        self.pieces.push(Piece { row, first, width: 3, basis, meaning: Meaning::Stick });
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
        self.pieces.push(Piece { row, first, width, basis, meaning: Meaning::Slip { facets, inverse } });
        self.side(piece, [inverse[0], inverse[1], 0.0], 0.0);
        if width == 2 {
            self.side(piece, [0.0, inverse[2], 0.0], 0.0);
        }
    }

    /// A by groups, balanced, reduced and factored.
    fn build(&mut self, rows: &Rows) {
        let mut index: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        self.groups.clear();
        for piece in &self.pieces {
            let scalar = if matches!(piece.meaning, Meaning::Single) { 1 } else { 3 };
            let columns = &rows.column[piece.row..piece.row + scalar];
            let mut coords: Vec<usize> = columns.iter().flatten().map(|e| e.0).collect();
            coords.sort_unstable();
            coords.dedup();
            let next = self.groups.len();
            let at = *index.entry(coords).or_insert_with_key(|coords| {
                self.groups.push(Group { coords: coords.clone(), ..Group::default() });
                next
            });
            let group = &mut self.groups[at];
            for t in 0..piece.width {
                group.unknowns.push(piece.first + t);
                let start = group.effect.len();
                group.effect.resize(start + group.coords.len(), 0.0);
                for (c, column) in columns.iter().enumerate() {
                    let f = piece.basis[t][c];
                    if f == 0.0 {
                        continue;
                    }
                    // both are in order
                    let mut place = 0;
                    for &(i, v) in column {
                        while group.coords[place] < i {
                            place += 1;
                        }
                        group.effect[start + place] += f * v;
                    }
                }
            }
        }

        // in the order of their bodies, whatever the order of the contacts: the large matrix has stairs
        self.groups.sort_by(|a, b| a.coords.cmp(&b.coords));

        // every coordinate of the motion counts alike: a heavy body's are small in a light one's units
        self.balance.clear();
        self.balance.resize(rows.dim, 0.0);
        for group in &self.groups {
            for effect in group.effect.chunks_exact(group.coords.len().max(1)) {
                group.coords.iter().zip(effect).for_each(|(&i, v)| self.balance[i] += v * v);
            }
        }
        self.balance.iter_mut().for_each(|b| *b = if *b > 0.0 { 1.0 / b.sqrt() } else { 0.0 });
        let mut first = 0;
        for group in &mut self.groups {
            let (k, c) = (group.unknowns.len(), group.coords.len());
            for effect in group.effect.chunks_exact_mut(c.max(1)) {
                effect.iter_mut().zip(&group.coords).for_each(|(v, &i)| *v *= self.balance[i]);
            }
            group.first = first;
            group.rows = k;
            if k > c {
                let mut factor = Orthogonal::default();
                let a = factor.load(k, c);
                for (u, effect) in group.effect.chunks_exact(c.max(1)).enumerate() {
                    effect.iter().enumerate().for_each(|(j, &v)| a[j * k + u] = v);
                }
                factor.factor(PAIR_RANK);
                group.rows = factor.rank();
                group.factor = Some(factor);
            }
            first += group.rows;
        }
        let m = first;
        let a = self.factor.load(m, rows.dim);
        for group in &self.groups {
            if let Some(factor) = &group.factor {
                for i in 0..group.rows {
                    factor.scatter_row(i, |j, v| a[group.coords[j] * m + group.first + i] = v);
                }
            } else {
                for (u, effect) in group.effect.chunks_exact(group.coords.len().max(1)).enumerate() {
                    for (&i, &v) in group.coords.iter().zip(effect) {
                        a[i * m + group.first + u] = v;
                    }
                }
            }
        }
        self.factor.factor(RANK);
    }

    /// out ← out − A y
    fn subtract(&self, y: &[f64], out: &mut [f64]) {
        for group in &self.groups {
            let c = group.coords.len().max(1);
            for (&u, effect) in group.unknowns.iter().zip(group.effect.chunks_exact(c)) {
                group.coords.iter().zip(effect).for_each(|(&i, v)| out[i] -= v * y[u]);
            }
        }
    }

    /// y ← y + A⁺ (b − A y), where that is more than rounding: A⁺ makes rounding as large as A is near to losing
    /// rank, and contacts 1e-10 m apart are very near.
    fn restore_motion(&mut self, b: &[f64], y: &mut [f64]) {
        let mut left = b.to_vec();
        self.subtract(y, &mut left);
        if max_abs(&left) > KEPT * max_abs(b) {
            self.factor.solve(&left, &mut self.reduced);
            self.factor.apply(&mut self.reduced);
            self.expand(1.0, y);
        }
    }

    /// y ← P y: what is left of y in the null space of A.
    fn project(&mut self, y: &mut [f64]) {
        let total = self.groups.last().map_or(0, |g| g.first + g.rows);
        self.reduced.clear();
        self.reduced.resize(total, 0.0);
        for group in &self.groups {
            self.part.clear();
            self.part.extend(group.unknowns.iter().map(|&u| y[u]));
            if self.part.iter().all(|&v| v == 0.0) {
                continue;
            }
            if let Some(factor) = &group.factor {
                factor.apply_transposed(&mut self.part);
            }
            self.reduced[group.first..group.first + group.rows].copy_from_slice(&self.part[..group.rows]);
        }
        self.factor.apply_transposed(&mut self.reduced);
        self.reduced[self.factor.rank()..].fill(0.0);
        self.factor.apply(&mut self.reduced);
        self.expand(-1.0, y);
    }

    /// y ← y + f (the reduced vector in the unknowns)
    fn expand(&mut self, f: f64, y: &mut [f64]) {
        for group in &self.groups {
            self.part.clear();
            self.part.extend_from_slice(&self.reduced[group.first..group.first + group.rows]);
            self.part.resize(group.unknowns.len(), 0.0);
            if let Some(factor) = &group.factor {
                factor.apply(&mut self.part);
            }
            group.unknowns.iter().zip(&self.part).for_each(|(&u, v)| y[u] += f * v);
        }
    }

    /// gᵀ y − h
    fn room(&self, side: &Side, y: &[f64]) -> f64 {
        let piece = &self.pieces[side.piece];
        let y = &y[piece.first..piece.first + piece.width];
        side.g.iter().zip(y).map(|(g, y)| g * y).sum::<f64>() - side.h
    }

    /// The least-norm y with A y = b within all sides, from a y that has these properties but the least norm.
    fn minimise(&mut self, b: &[f64], raw: Vec<f64>, report: &mut SpreadReport) -> Option<Vec<f64>> {
        let m = raw.len();
        let mut y0 = raw;
        let mut null = y0.clone();
        self.project(&mut null);
        y0.iter_mut().zip(&null).for_each(|(y, p)| *y -= p);
        self.restore_motion(b, &mut y0);
        let size = max_abs(&y0).max(f64::MIN_POSITIVE);
        let mut imposed: Vec<usize> = Vec::new();
        let mut normals: Vec<f64> = Vec::new(); // P g, m each
        let mut y = y0.clone();
        let mut solution = Solution::default();
        while self.impose_violated(&y, VIOLATED * size, &mut imposed) {
            if report.rounds == ROUNDS {
                return None;
            }
            // sides that are new: their normals in the null space
            for at in normals.len() / m..imposed.len() {
                let side = self.sides[imposed[at]];
                let piece = self.pieces[side.piece];
                let mut g = vec![0.0; m];
                g[piece.first..piece.first + piece.width].copy_from_slice(&side.g[..piece.width]);
                self.project(&mut g);
                normals.extend_from_slice(&g);
            }
            decided(&mut imposed, &mut normals, m);
            if imposed.is_empty() {
                break;
            }
            report.rounds += 1;
            self.multipliers(&imposed, &normals, &y0, size, &mut solution)?;
            y.copy_from_slice(&y0);
            for (j, &lambda) in solution.z.iter().enumerate() {
                axpy(lambda * size, &normals[j * m..(j + 1) * m], &mut y);
            }
        }
        if !imposed.is_empty() {
            let active: Vec<usize> = (0..imposed.len()).filter(|&j| solution.z[j] > 0.0).collect();
            report.active = active.len();
            self.polish(b, &imposed, &normals, &active, &y0, &mut y);
        }
        Some(y)
    }

    /// Adds the most violated side of every contact; false if there is none.
    fn impose_violated(&mut self, y: &[f64], tolerance: f64, imposed: &mut Vec<usize>) -> bool {
        let before = imposed.len();
        let mut at = 0;
        while at < self.sides.len() {
            let piece = self.sides[at].piece;
            let mut worst: Option<(f64, usize)> = None;
            while at < self.sides.len() && self.sides[at].piece == piece {
                let side = &self.sides[at];
                let room = self.room(side, y);
                // r_n ≥ 0 comes first: where nothing acts along the tangents it is enough
                let better = worst.is_none_or(|(r, w)| room < r && !self.is_normal(w));
                if !side.imposed && room < -tolerance && better {
                    worst = Some((room, at));
                }
                at += 1;
            }
            if let Some((_, at)) = worst {
                self.sides[at].imposed = true;
                imposed.push(at);
            }
        }
        imposed.len() > before
    }

    fn is_normal(&self, side: usize) -> bool {
        let side = &self.sides[side];
        self.pieces[side.piece].meaning == Meaning::Stick && side.g[1] == 0.0 && side.g[2] == 0.0
    }

    /// λ of the imposed sides, in units of `size`.
    fn multipliers(
        &mut self,
        imposed: &[usize],
        normals: &[f64],
        y0: &[f64],
        size: f64,
        solution: &mut Solution,
    ) -> Option<()> {
        let (k, m) = (imposed.len(), y0.len());
        let mut matrix = vec![0.0; k * k];
        for j in 0..k {
            for i in 0..=j {
                // P = Pᵀ P: symmetric to the bit
                let v = dot(&normals[i * m..(i + 1) * m], &normals[j * m..(j + 1) * m]);
                matrix[j * k + i] = v;
                matrix[i * k + j] = v;
            }
        }
        let q = imposed.iter().map(|&s| self.room(&self.sides[s], y0) / size).collect();
        let lcp = Lcp::from_column_major(matrix, q).ok()?;
        let outcome = self.robust.solve(&lcp, solution);
        (outcome.status == Status::Solved).then_some(())
    }

    /// The active sides as equations, by orthogonalisation; and what is left of A y = b taken away.
    fn polish(
        &mut self,
        b: &[f64],
        imposed: &[usize],
        normals: &[f64],
        active: &[usize],
        y0: &[f64],
        y: &mut [f64],
    ) {
        let m = y0.len();
        let mut basis: Vec<f64> = Vec::with_capacity(active.len() * m);
        let mut sides: Vec<usize> = Vec::with_capacity(active.len());
        for &j in active {
            let mut e = normals[j * m..(j + 1) * m].to_vec();
            let whole = dot(&e, &e).sqrt();
            let mut length = whole;
            // once more where half of it went: twice is enough
            for _ in 0..2 {
                for f in basis.chunks_exact(m) {
                    axpy(-dot(f, &e), f, &mut e);
                }
                let before = std::mem::replace(&mut length, dot(&e, &e).sqrt());
                if length > 0.5 * before {
                    break;
                }
            }
            if length > DECIDED * whole {
                basis.extend(e.iter().map(|v| v / length));
                sides.push(imposed[j]);
            }
        }
        let mut trial = y0.to_vec();
        let mut step = vec![0.0; sides.len()];
        for _ in 0..3 {
            for k in 0..sides.len() {
                let side = &self.sides[sides[k]];
                let piece = &self.pieces[side.piece];
                let along = |f: &[f64]| {
                    let f = &f[piece.first..piece.first + piece.width];
                    side.g.iter().zip(f).map(|(g, f)| g * f).sum::<f64>()
                };
                let known: f64 = (0..k).map(|l| step[l] * along(&basis[l * m..(l + 1) * m])).sum();
                step[k] = (-self.room(side, &trial) - known) / along(&basis[k * m..(k + 1) * m]);
            }
            for (f, e) in step.iter().zip(basis.chunks_exact(m)) {
                axpy(*f, e, &mut trial);
            }
            self.restore_motion(b, &mut trial);
        }
        let worst = |y: &[f64]| self.sides.iter().fold(0.0, |w: f64, s| w.max(-self.room(s, y)));
        // the same active set, so the same point: unless the sides dropped above do not hold
        if worst(&trial) <= worst(y).max(VIOLATED * max_abs(y0)) {
            y.copy_from_slice(&trial);
        }
    }

    /// The largest velocity of a row that presses and must not move, each against the numbers that make it up; rows
    /// whose own numbers are below 1e-5 of the largest in the problem are held against that, as in the dense measure.
    fn row_relative(&self, rows: &Rows, r: &[f64], u: &[f64]) -> f64 {
        let mut motion = vec![0.0; rows.dim];
        for (column, f) in rows.column.iter().zip(r) {
            for &(i, v) in column {
                motion[i] += (v * f).abs();
            }
        }
        let least = 1e-5 * rows.size.max(max_abs(r));
        let relative = |k: usize| {
            let own = match rows.row.get(k) {
                Some(row) => row.iter().map(|&(i, v)| v.abs() * motion[i]).sum(),
                None => motion[k],
            };
            u[k].abs() / (rows.q[k].abs() + own + least)
        };
        let pressed = self.pieces.iter().filter(|p| r[p.row] > 0.0);
        let still = pressed.flat_map(|p| p.row..p.row + if p.meaning == Meaning::Stick { 3 } else { 1 });
        still.fold(0.0, |worst: f64, k| worst.max(relative(k)))
    }

    /// The impulses in the caller's units, within their cones and bounds to the bit, and φ of the lowered form.
    fn write(&self, problem: &FrictionProblem, rows: &Rows, y: &[f64], solution: &mut FrictionSolution) {
        let (n, d) = (problem.n_contacts(), problem.facets());
        let dirs = directions(d);
        let FrictionSolution { impulses, boxed, .. } = solution;
        for piece in &self.pieces {
            let (k, y) = (piece.row, &y[piece.first..piece.first + piece.width]);
            if k >= 3 * n {
                let (lo, hi) = single_bounds(problem, k - 3 * n);
                impulses[k] = (y[0] * rows.scale[k]).clamp(lo, hi);
                boxed.x[n * (2 + d) + k - 3 * n] = impulses[k];
                continue;
            }
            let i = k / 3;
            let mu = problem.mu()[i];
            let (s_n, s_t) = (rows.scale[k], rows.scale[k + 1]);
            let (theta, phi) = boxed.x.split_at_mut(n);
            let (theta, phi) = (&mut theta[i], &mut phi[i * d..(i + 1) * d]);
            phi.fill(0.0);
            match piece.meaning {
                Meaning::Single => *theta = (y[0] * s_n).max(0.0),
                Meaning::Slip { facets, inverse } => {
                    let second = if piece.width == 2 { inverse[1] * y[1] } else { 0.0 };
                    phi[facets[0]] = (inverse[0] * y[0] + second).max(0.0);
                    if piece.width == 2 {
                        phi[facets[1]] = (inverse[2] * y[1]).max(0.0);
                    }
                    *theta = phi.iter().sum::<f64>() / mu;
                }
                Meaning::Stick => {
                    *theta = (y[0] * s_n).max(0.0);
                    share(&dirs, [y[1] * s_t, y[2] * s_t], mu * *theta, phi);
                }
            }
            impulses[k] = *theta;
            let part = |c: usize| phi.iter().zip(&dirs).map(|(p, dir)| p * dir[c]).sum::<f64>();
            impulses[k + 1] = part(0);
            impulses[k + 2] = part(1);
        }
    }
}

/// Takes out the sides that the motion decides, which no multiplier can move.
fn decided(imposed: &mut Vec<usize>, normals: &mut Vec<f64>, m: usize) {
    let mut kept = 0;
    for at in 0..imposed.len() {
        let g = at * m..(at + 1) * m;
        if dot(&normals[g.clone()], &normals[g.clone()]) > DECIDED * DECIDED {
            imposed[kept] = imposed[at];
            normals.copy_within(g, kept * m);
            kept += 1;
        }
    }
    imposed.truncate(kept);
    normals.truncate(kept * m);
}

/// r_t as φ ≥ 0 on the two neighbouring directions; Σ φ at most `limit`, which rounding may exceed.
fn share(dirs: &[[f64; 2]], r: [f64; 2], limit: f64, phi: &mut [f64]) {
    let d = dirs.len();
    for j in 0..d {
        let (a, b) = (dirs[j], dirs[(j + 1) % d]);
        let whole = a[0] * b[1] - a[1] * b[0];
        let first = (r[0] * b[1] - r[1] * b[0]) / whole;
        let second = (a[0] * r[1] - a[1] * r[0]) / whole;
        if first > 0.0 && second >= 0.0 {
            let sum = first + second;
            let f = if sum > limit { limit / sum } else { 1.0 };
            phi[j] = f * first;
            phi[(j + 1) % d] = f * second;
            return;
        }
    }
}

/// What counts as one, as in the solvers: q, or a millionth of the impulses if they are larger than that.
fn unit(rows: &Rows, r: &[f64]) -> f64 {
    (1e-6 * max_abs(r) / rows.size).max(1.0)
}

/// The velocities of the answer and what follows from them, in the caller's units.
fn finish(
    problem: &FrictionProblem,
    rows: &Rows,
    u: &[f64],
    stuck: impl Iterator<Item = usize>,
    solution: &mut FrictionSolution,
) {
    let mut stuck = stuck.peekable();
    let (n, d) = (problem.n_contacts(), problem.facets());
    let dirs = directions(d);
    let velocity = |k: usize| u[k] / rows.scale[k];
    let FrictionSolution { impulses, contacts, boxed, .. } = solution;
    // slower than this is at rest: 1e-9 of the largest speed in the problem, as in the solvers
    let still = SOLVED * rows.size;
    contacts.clear();
    for i in 0..n {
        let k = 3 * i;
        let impulse = [impulses[k], impulses[k + 1], impulses[k + 2]];
        let mode = if impulse[0] <= 0.0 {
            ContactMode::Open
        } else if u[k + 1].hypot(u[k + 2]) <= still {
            ContactMode::Stick
        } else {
            ContactMode::Slip
        };
        contacts.push(ContactAnswer {
            impulse,
            velocity: [velocity(k), velocity(k + 1), velocity(k + 2)],
            mode,
        });
        // λ follows from the velocity; nothing where the contact holds, or has no friction to decide about
        let least =
            dirs.iter().map(|dir| dir[0] * u[k + 1] + dir[1] * u[k + 2]).fold(f64::INFINITY, f64::min);
        let holds = stuck.next_if_eq(&i).is_some() && impulse[0] > 0.0;
        let none = holds || problem.mu()[i] == 0.0;
        let lambda = if none { 0.0 } else { (-least).max(0.0) / rows.scale[k + 1] };
        boxed.x[n + n * d + i] = lambda;
        let phi = &boxed.x[n + i * d..n + (i + 1) * d];
        let gamma = problem.mu()[i] * impulse[0] - phi.iter().sum::<f64>();
        boxed.w[i] = velocity(k);
        for (j, dir) in dirs.iter().enumerate() {
            boxed.w[n + i * d + j] = dir[0] * velocity(k + 1) + dir[1] * velocity(k + 2) + lambda;
        }
        boxed.w[n + n * d + i] = gamma;
    }
    for k in 3 * n..u.len() {
        boxed.w[n * (2 + d) + k - 3 * n] = velocity(k);
    }
}

/// The residuals of an answer from x of the lowered form and the scaled velocities of the rows.
fn residual(problem: &FrictionProblem, rows: &Rows, x: &[f64], u: &[f64]) -> Residual {
    let (n, d) = (problem.n_contacts(), problem.facets());
    let dirs = directions(d);
    let mut out = Residual::default();
    let mut largest = 0.0_f64;
    let mut add = |x: f64, w: f64, lo: f64, hi: f64, s: f64| {
        // scaled: one is the size of q
        let (z, v) = (1.0 / (s * rows.size), s / rows.size);
        let row = row_error(x * z, w * v, lo * z, hi * z, 1.0);
        let broken = row.natural.is_nan();
        out.natural = if broken { f64::INFINITY } else { out.natural.max(row.natural) };
        let row = row_error(x, w, lo, hi, 1.0 / (s * s));
        out.fischer_burmeister += row.fischer_burmeister;
        out.energy += row.energy;
        largest = largest.max((x * z).abs());
    };
    for i in 0..n {
        let (k, mu) = (3 * i, problem.mu()[i]);
        let (s_n, s_t) = (rows.scale[k], rows.scale[k + 1]);
        add(x[i], u[k] / s_n, 0.0, f64::INFINITY, s_n);
        if mu == 0.0 {
            continue;
        }
        let phi = &x[n + i * d..n + (i + 1) * d];
        let lambda = x[n + n * d + i];
        for (j, dir) in dirs.iter().enumerate() {
            let sigma = (dir[0] * u[k + 1] + dir[1] * u[k + 2]) / s_t + lambda;
            add(phi[j], sigma, 0.0, f64::INFINITY, s_t);
        }
        add(lambda, mu * x[i] - phi.iter().sum::<f64>(), 0.0, f64::INFINITY, 1.0 / s_t);
    }
    for at in 0..problem.n_rows() - 3 * n {
        let (lo, hi) = single_bounds(problem, at);
        let k = 3 * n + at;
        add(x[n * (2 + d) + at], u[k] / rows.scale[k], lo, hi, rows.scale[k]);
    }
    out.natural /= (1e-6 * largest).max(1.0);
    out
}

/// The bounds of a row that is no contact's, counted from the first such row.
fn single_bounds(problem: &FrictionProblem, at: usize) -> (f64, f64) {
    let first = problem.n_unilateral();
    if at < first {
        (0.0, f64::INFINITY)
    } else if at < first + problem.n_bounded() {
        problem.bounds(at - first)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

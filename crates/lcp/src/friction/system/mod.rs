//! The friction problem as a factored operator: rows on a mass matrix, or blocks of W, never M itself.
//!
//! With the mass factored, 𝓜 = G Gᵀ, each scalar row k (n, t1, t2 of a contact, then the other rows) is a sparse
//! vector a_k = G⁻¹ J_kᵀ, and everything the matrix of [Lloyd (8)] does to a vector is
//!
//! ```text
//!     y = Σ a_k r_k                  the impulses r of θ and φ, as one velocity             [Lloyd (29)]
//!     u_k = a_kᵀ y                   the velocity of every row
//!     ν = u_n,   σ_j = cos u_t1 + sin u_t2 + λ,   γ = mu θ − Σ φ                            [Lloyd (33), (36)]
//! ```
//!
//! which costs the non-zeros of the rows, whatever the number of facets and contacts in the basis. In local
//! form u = W r, with W sparse by columns; it may be unsymmetric.
//!
//! The problem is put in energy units first: rows are scaled to unit size by powers of two, the two tangents
//! of a contact by the same one so that a cone stays round, mu by the quotient, and q to size one.
//!
//! | unknown, row        | index                               |
//! |---------------------|-------------------------------------|
//! | θ, ν of contact i   | i (d + 2)                           |
//! | φ_j, σ_j            | i (d + 2) + 1 + j                   |
//! | λ, γ                | i (d + 2) + 1 + d                   |
//! | unilateral k        | after the contacts                  |
//! | bounded k: z, cap   | two each: x = lo + z, cap hi − x    |
//! | equality k, free    | last                                |
//! | z₀                  | the number of unknowns              |

mod load;
mod number;
mod product;
mod sparse;
mod terms;

use std::cell::RefCell;

use sparse::Sparse;

/// What an unknown is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Theta(usize),
    Phi(usize, usize),
    Lambda(usize),
    /// A row of its own: unilateral, or the z of a bounded one, or free.
    Single(usize),
    /// The multiplier of an upper bound; its row is the room that is left.
    Cap(usize),
    Z0,
}

/// How impulses become velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// `rows` holds a_k; y has the degrees of freedom.
    #[default]
    Factored,
    /// W, in `columns` and in `rows`; y has the scalar rows.
    Delassus,
}

/// The scaled operator.
#[derive(Debug, Clone, Default)]
pub(crate) struct System {
    form: Form,
    rows: Sparse,
    columns: Sparse,
    /// Contacts.
    pub(crate) n: usize,
    /// Facets.
    pub(crate) d: usize,
    /// Unit directions of the facets of each contact, d each.
    pub(crate) dirs: Vec<[f64; 2]>,
    /// mu in scaled units.
    pub(crate) mu: Vec<f64>,
    /// q of the scalar rows, scaled.
    pub(crate) q: Vec<f64>,
    /// The scale of the scalar rows: powers of two.
    pub(crate) scale: Vec<f64>,
    /// The size of q before scaling.
    pub(crate) size: f64,
    bare: Vec<f64>, // q before the impulses at the lower bounds are in it
    unilateral: usize,
    /// Room between the bounds of the bounded rows, scaled; infinite where there is no upper one.
    room: Vec<f64>,
    free: usize,
    /// Lower bounds of the other scalar rows (after 3n), scaled; zero where there is none.
    shift: Vec<f64>,
    /// −1 where a row was turned round because only its upper bound is finite.
    turn: Vec<f64>,
    /// The covering vector.
    pub(crate) cover: Vec<f64>,
    /// Which contacts have their friction unknowns in the problem [Lloyd, §5.3].
    pub(crate) grown: Vec<bool>,
    facets: Vec<[f64; 2]>, // unit directions before any turn
    factors: Vec<f64>,     // scratch: scale and turn of the scalar rows
    private: Vec<usize>,   // scratch: compliant rows that begin at or before a degree of freedom
    scratch: RefCell<Scratch>,
}

/// Working memory of the products.
#[derive(Debug, Clone, Default)]
struct Scratch {
    y: Vec<f64>,       // degrees of freedom, or scalar rows in local form
    impulse: Vec<f64>, // scalar rows, local form only
}

impl System {
    /// Turns the facets of a contact: the first one to this angle, rad; opposite pairs to the bit.
    pub(crate) fn turn_facets(&mut self, i: usize, angle: f64) {
        let (d, half) = (self.d, self.d / 2);
        let dirs = &mut self.dirs[i * d..(i + 1) * d];
        for j in 0..half {
            let angle = angle + std::f64::consts::TAU * j as f64 / d as f64;
            dirs[j] = [angle.cos(), angle.sin()];
            dirs[half + j] = [-dirs[j][0], -dirs[j][1]];
        }
    }

    /// The two neighbouring facets between which a tangential impulse lies, and its share of each: the shares add up to
    /// the least that any facets need for it.
    pub(crate) fn facets_of(&self, i: usize, t: [f64; 2]) -> (f64, f64, [usize; 2]) {
        let d = self.d;
        let dirs = &self.dirs[i * d..(i + 1) * d];
        let along = |j: usize| dirs[j][0] * t[0] + dirs[j][1] * t[1];
        let a = (1..d).fold(0, |a, j| if along(j) > along(a) { j } else { a });
        let (next, before) = ((a + 1) % d, (a + d - 1) % d);
        let b = if along(next) >= along(before) { next } else { before };
        let det = dirs[a][0] * dirs[b][1] - dirs[a][1] * dirs[b][0];
        let fa = (t[0] * dirs[b][1] - t[1] * dirs[b][0]) / det;
        let fb = (dirs[a][0] * t[1] - dirs[a][1] * t[0]) / det;
        (fa, fb.max(0.0), [a, b])
    }

    /// Whether there is a factor, and rows over degrees of freedom.
    pub(crate) fn is_factored(&self) -> bool {
        self.form == Form::Factored
    }

    /// The entries of a scalar row, as runs over neighbouring degrees of freedom.
    #[inline]
    pub(crate) fn runs(&self, k: usize) -> impl Iterator<Item = (usize, &[f64])> + Clone {
        let rows = &self.rows;
        rows.runs[rows.start[k]..rows.start[k + 1]].iter().map(|&(at, from, to)| (at, &rows.value[from..to]))
    }

    /// Whether bodies are free ones: a row acts on two of them at most, and each has six degrees of freedom. Masses of one, which
    /// hold the radius of a moment's disc, want its normal impulse to rounding: Newton leaves it within what counts as solved.
    pub(crate) fn is_loose(&self) -> bool {
        let free = |k: usize| {
            let mut freedoms = 0;
            self.runs(k).all(|(at, values)| {
                freedoms += values.len();
                at.is_multiple_of(6) && values.len().is_multiple_of(6) && freedoms <= 12
            })
        };
        self.is_factored() && self.width().is_multiple_of(6) && (0..self.q.len()).all(free)
    }

    /// The room of a row that is no contact's, from its lower bound; none for an equation.
    pub(crate) fn room_of(&self, k: usize) -> Option<f64> {
        if k < self.unilateral { Some(f64::INFINITY) } else { self.room.get(k - self.unilateral).copied() }
    }

    /// q of every row of the complementarity problem.
    pub(crate) fn load(&self, out: &mut [f64]) {
        for i in 0..self.n {
            let base = self.theta(i);
            let (qn, q1, q2) = (self.q[3 * i], self.q[3 * i + 1], self.q[3 * i + 2]);
            out[base] = qn;
            for j in 0..self.d {
                let [c, s] = self.dirs[i * self.d + j];
                out[base + 1 + j] = c * q1 + s * q2;
            }
            out[base + 1 + self.d] = 0.0;
        }
        for k in 0..self.singles() {
            out[self.single(k)] = self.q[3 * self.n + k];
        }
        for (k, &room) in self.room.iter().enumerate() {
            out[self.single(self.unilateral + k) + 1] = room.min(1e300);
        }
    }

    /// The impulses on the scalar rows, scaled, from the unknowns; lower bounds included.
    pub(crate) fn scalar_impulses(&self, z: &[f64], r: &mut Vec<f64>) {
        r.clear();
        r.resize(self.q.len(), 0.0);
        for (j, &f) in z.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            for (k, part) in self.parts(j) {
                r[k] += part * f;
            }
        }
    }

    /// u = W r over the scalar rows.
    pub(crate) fn scalar_product(&self, r: &[f64], u: &mut Vec<f64>) {
        let Scratch { y, .. } = &mut *self.scratch.borrow_mut();
        y.fill(0.0);
        for (k, &f) in r.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            self.impel(k, f, y);
        }
        u.clear();
        u.extend((0..self.q.len()).map(|k| self.velocity(k, y)));
    }

    /// u = W r + q over the scalar rows; q holds the impulses at lower bounds already.
    pub(crate) fn scalar_velocities(&self, r: &[f64], u: &mut Vec<f64>) {
        self.scalar_product(r, u);
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
    }

    /// The largest violation of the rows that are not contacts', impulses counted from their lower bounds.
    pub(crate) fn single_residual(&self, r: &[f64], u: &[f64]) -> f64 {
        (0..self.singles()).fold(0.0, |worst, k| {
            let (x, w) = (r[3 * self.n + k], u[3 * self.n + k]);
            let boxed = k.checked_sub(self.unilateral).and_then(|b| self.room.get(b));
            let error = if k < self.unilateral {
                x.min(w).abs()
            } else if let Some(&room) = boxed {
                crate::measure::row_error(x, w, 0.0, room, 1.0).natural
            } else {
                w.abs()
            };
            f64::max(worst, error)
        })
    }

    /// Impulses on the scalar rows and their velocities, scaled, as [`Self::plain`] has them, in the caller's units.
    pub(crate) fn to_units(&self, impulses: &mut [f64], velocities: &mut [f64]) {
        for k in 0..self.q.len() {
            let turn = if k < 3 * self.n { 1.0 } else { self.turn[k - 3 * self.n] };
            impulses[k] *= self.scale[k] * self.size * turn;
            velocities[k] *= self.size / self.scale[k] * turn;
        }
    }

    /// An impulse on a scalar row, scaled and counted from its lower bound.
    pub(crate) fn scaled_impulse(&self, k: usize, impulse: f64) -> f64 {
        let at = k.checked_sub(3 * self.n);
        let (turn, shift) = at.map_or((1.0, 0.0), |at| (self.turn[at], self.shift[at]));
        impulse * turn / (self.scale[k] * self.size) - shift
    }

    /// The factor that takes a scaled unknown, and a scaled row, back to the caller's units.
    pub(crate) fn units(&self, index: usize) -> (f64, f64) {
        let of = |k: usize| (self.size * self.scale[k], self.size / self.scale[k]);
        match self.kind(index) {
            Kind::Theta(i) => of(3 * i),
            Kind::Phi(i, _) => of(3 * i + 1),
            Kind::Lambda(i) => {
                let (z, w) = of(3 * i + 1);
                (w, z)
            }
            Kind::Single(k) => of(3 * self.n + k),
            Kind::Cap(k) => {
                let (z, w) = of(3 * self.n + self.unilateral + k);
                (w, z)
            }
            Kind::Z0 => (1.0, 1.0),
        }
    }

    /// The length of a velocity y: degrees of freedom, or scalar rows in local form.
    pub(crate) fn width(&self) -> usize {
        self.scratch.borrow().y.len()
    }

    /// Whether an unknown is the z of a bounded row; its cap is the next unknown.
    pub(crate) fn is_boxed(&self, index: usize) -> bool {
        matches!(self.kind(index), Kind::Single(_)) && matches!(self.kind(index + 1), Kind::Cap(_))
    }

    /// y += f times what a unit impulse on a scalar row does.
    #[inline]
    pub(crate) fn impel(&self, row: usize, f: f64, y: &mut [f64]) {
        match self.form {
            Form::Factored => self.rows.add(row, f, y),
            Form::Delassus => self.columns.add(row, f, y),
        }
    }

    /// y += f times a scalar row itself: after this the velocity of another is the entry of W between them, this one
    /// on the left.
    #[inline]
    pub(crate) fn lay(&self, row: usize, f: f64, y: &mut [f64]) {
        self.rows.add(row, f, y);
    }

    /// The velocity of a scalar row.
    #[inline]
    pub(crate) fn velocity(&self, row: usize, y: &[f64]) -> f64 {
        match self.form {
            Form::Factored => self.rows.dot(row, y),
            Form::Delassus => y[row],
        }
    }

    /// The scalar rows that an unknown acts through, with their factors.
    #[inline]
    pub(crate) fn parts(&self, index: usize) -> [(usize, f64); 2] {
        match self.kind(index) {
            Kind::Theta(i) => [(3 * i, 1.0), (3 * i, 0.0)],
            Kind::Phi(i, j) => {
                let [c, s] = self.dirs[i * self.d + j];
                [(3 * i + 1, c), (3 * i + 2, s)]
            }
            Kind::Single(k) => [(3 * self.n + k, 1.0), (3 * self.n + k, 0.0)],
            Kind::Lambda(_) | Kind::Cap(_) | Kind::Z0 => [(0, 0.0), (0, 0.0)],
        }
    }

    /// The entry of M̄ that is not a product of rows: E, mu, caps, cover.
    #[inline]
    pub(crate) fn structure(&self, row: usize, col: usize) -> f64 {
        match (self.kind(row), self.kind(col)) {
            (_, Kind::Z0) => self.cover[row],
            (Kind::Phi(i, _), Kind::Lambda(g)) if i == g => 1.0,
            (Kind::Lambda(g), Kind::Theta(i)) if i == g => self.mu[i],
            (Kind::Lambda(g), Kind::Phi(i, _)) if i == g => -1.0,
            (Kind::Single(k), Kind::Cap(c)) if k == self.unilateral + c => 1.0,
            (Kind::Cap(c), Kind::Single(k)) if k == self.unilateral + c => -1.0,
            _ => 0.0,
        }
    }
}

//! Lloyd's reduced basis: every basic λ, and one basic φ with it, eliminated by hand [Lloyd, §5.1, App. A].
//!
//! For a set of basic variables, rows R hold the non-basic w and columns C the basic z. The block M̄[R, C] of
//! [Lloyd (23), (35)] is solved without being formed. Of the basic φ of a contact whose λ is basic, one is φ_x
//! (there is one, [Lloyd, App. C]) and the others, at most one more, are φ_κ:
//!
//! ```text
//!     N* = N_α + D_x mu        D* = D_κ − D_x Eᵀ        c* = D_x c_γ        b* = D_x b_γ        (28), (39)
//!
//!     ⎛ N_αᵀN*   N_αᵀD*   c_ν + N_αᵀc* ⎞ ⎛ θ_α ⎞   ⎛ b_ν           ⎞   ⎛ N_αᵀ ⎞
//!     ⎜ D*ᵀN*    D*ᵀD*    c′_κ + D*ᵀc* ⎟ ⎜ φ_κ ⎟ = ⎜ b_κ − E b_x   ⎟ + ⎜ D*ᵀ  ⎟ b*                 (31)
//!     ⎝           the row of w_r       ⎠ ⎝ z₀  ⎠   ⎝ b_r           ⎠   ⎝  ⋯   ⎠         (42), (44), (47)
//!
//!     w_r = ν:   n_rᵀN*      n_rᵀD*     c_r + n_rᵀc*                                                (42)
//!     w_r = σ:   d*ᵀN*       d*ᵀD*      c′_r + d*ᵀc*,   d* = d_r − D_x e_rᵀ                   (44), (45)
//!     w_r = γ:   mu_r        −e_κr      c_r                                                         (47)
//!
//!     φ_x = mu θ − Eᵀφ_κ + c_γ z₀ − b_γ                                                       (27), (38)
//!     v_c = N_α θ_α + D_α φ_α                                                                 (29), (40)
//!     λ   = −D_xᵀ v_c + b_x − c_x z₀                                                          (30), (41)
//!     ν   = N_β̃ᵀ v_c + c z₀,   σ = D_β̃ᵀ v_c + E λ + c z₀,   γ = mu θ − Eᵀφ + c z₀              (33), (36)
//! ```
//!
//! | paper            | here                      | shape                                              |
//! |------------------|---------------------------|----------------------------------------------------|
//! | α, β̃             | `side`                    | unknowns: which of a pair is basic                 |
//! | z_α without z₀   | `active`                  | basic unknowns                                     |
//! | λ_α, φ_x         | `groups`                  | basic λ with the φ that goes with it               |
//! | θ_α, φ_κ         | `cols`                    | r ≤ degrees of freedom                             |
//! | N*, D*           | `col_parts`               | r, as multiples of scalar rows                     |
//! | N_αᵀ, D*ᵀ, w_r   | `row_parts`               | r, + 1 while z₀ is basic                           |
//! | matrix of (31)   | `lu`                      | r or r + 1, square                                 |
//! | −b               | `load`                    | unknowns: q, a column of M, or a unit vector       |
//! | v_c              | `y`                       | degrees of freedom (scalar rows in local form)     |
//! | w_r              | `missing`                 | the pair none of whose variables is basic          |
//!
//! Departures. Vectors are multiples of scalar rows (n, t1, t2 of a contact), so the local form, with a W that may
//! be unsymmetric, runs through the same lines: aᵀb is read as the velocity that b gives to a. A bounded row is a
//! group with a single direction and γ = room − z in the place of mu θ − Σφ: its z is the φ_x of its cap. Free rows
//! are θ without a sign. The entries of the matrix are kept from pivot to pivot, its factors are not: they are
//! computed afresh each time, as the paper does where there are few bodies. The sign of b is turned, because every b of [Lloyd (19)-(21)] is minus a load.

use super::lloyd_lu::Lu;
use super::system::{Kind, System};
use crate::observer::Variable;

pub(super) const NONE: usize = usize::MAX;

/// Which variable of a pair is basic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The pair is not in the problem.
    Absent,
    W,
    Z,
    /// The pair of w_r in an almost complementary basis.
    Neither,
}

/// What a solve answers to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Load<'a> {
    /// q, or any other vector over the rows.
    Vector(&'a [f64]),
    /// The column of an unknown.
    Column(usize),
    /// A multiple of the unit vector of a row.
    Unit(usize, f64),
}

/// A vector as a combination of up to three scalar rows.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    row: usize,
    n: f64,
    t: [f64; 2], // of the rows after it
}

impl Parts {
    fn impel(&self, system: &System, f: f64, y: &mut [f64]) {
        if self.n != 0.0 {
            system.impel(self.row, f * self.n, y);
        }
        for k in 0..2 {
            if self.t[k] != 0.0 {
                system.impel(self.row + 1 + k, f * self.t[k], y);
            }
        }
    }

    fn velocity(&self, system: &System, y: &[f64]) -> f64 {
        let mut u = 0.0;
        if self.n != 0.0 {
            u += self.n * system.velocity(self.row, y);
        }
        for k in 0..2 {
            if self.t[k] != 0.0 {
                u += self.t[k] * system.velocity(self.row + 1 + k, y);
            }
        }
        u
    }
}

/// A row of the reduced system.
#[derive(Debug, Clone, Copy)]
struct Reduced {
    unknown: usize,
    parts: Parts,
    /// The row that is subtracted from it: σ_x of its contact.
    minus: usize,
}

/// A basic λ (or cap) and the unknown that is eliminated with it.
#[derive(Debug, Clone, Copy)]
struct Group {
    lambda: usize,
    x: usize,
}

/// The basis, its reduced factors, and the last solve.
#[derive(Debug, Clone, Default)]
pub(super) struct Basis {
    n: usize,
    side: Vec<Side>,
    z0: bool,
    missing: usize,
    active: Vec<usize>,
    groups: Vec<Group>,
    x_of: Vec<usize>, // unknowns: φ_x of a basic λ
    cols: Vec<usize>,
    col_parts: Vec<Parts>,
    col_keys: Vec<usize>, // r: the φ_x that is in a column
    rows: Vec<Reduced>,
    matrix: Lu,
    place: Vec<usize>, // unknowns: position in the last matrix
    old_cols: Vec<usize>,
    old_keys: Vec<usize>,
    old_minus: Vec<usize>,
    old_matrix: Vec<f64>,
    old_size: usize,
    t: Vec<f64>,
    correction: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>, // unknowns and z₀, zero where not basic
    load: Vec<f64>,
    /// The largest reduced system so far, without z₀.
    pub(super) largest: usize,
}

impl Basis {
    /// The basis of all w that are in the problem.
    pub(super) fn reset(&mut self, system: &System) {
        self.n = system.unknowns();
        self.side.clear();
        self.side.extend((0..self.n).map(|i| if system.present(i) { Side::W } else { Side::Absent }));
        self.z0 = false;
        self.missing = NONE;
        self.active.clear();
        self.x_of.clear();
        self.x_of.resize(self.n, NONE);
        self.place.clear();
        self.place.resize(self.n, NONE);
        self.old_cols.clear();
        self.z.clear();
        self.z.resize(self.n + 1, 0.0);
        self.load.clear();
        self.load.resize(self.n, 0.0);
        self.y.clear();
        self.y.resize(system.width(), 0.0);
        self.largest = 0;
    }

    pub(super) fn side(&self, i: usize) -> Side {
        self.side[i]
    }

    pub(super) fn active(&self) -> &[usize] {
        &self.active
    }

    /// A row comes into the problem, with its w basic.
    pub(super) fn join(&mut self, i: usize) {
        self.side[i] = Side::W;
    }

    /// A row is left out for good.
    pub(super) fn leave_out(&mut self, i: usize) {
        self.active.retain(|&j| j != i);
        self.z[i] = 0.0;
        self.side[i] = Side::Absent;
    }

    /// A free unknown becomes basic, and its row holds.
    pub(super) fn install(&mut self, j: usize) {
        self.side[j] = Side::Z;
        self.active.push(j);
    }

    /// Exchanges two variables; [`Basis::factor`] must follow.
    pub(super) fn exchange(&mut self, entering: Variable, leaving: Variable) {
        match entering {
            Variable::Z(j) => self.install(j),
            Variable::W(i) => self.side[i] = Side::W,
            Variable::Z0 => self.z0 = true,
        }
        self.missing = match leaving {
            Variable::Z(j) => {
                self.active.retain(|&i| i != j);
                self.z[j] = 0.0;
                self.side[j] = Side::Neither;
                j
            }
            Variable::W(i) => {
                self.side[i] = Side::Neither;
                i
            }
            Variable::Z0 => {
                self.z0 = false;
                self.z[self.n] = 0.0;
                NONE
            }
        };
    }

    /// Partitions the basic unknowns, forms the matrix of (31), (42), (44) or (47), and factorises it. False if it
    /// is singular.
    pub(super) fn factor(&mut self, system: &System) -> bool {
        if !self.partition(system) {
            return false;
        }
        let r = self.cols.len();
        self.largest = self.largest.max(r);
        let size = self.rows.len();
        self.matrix.start(size);
        for c in 0..r {
            // entries of a column and a row that were there before are the same again
            let old = self.place[self.cols[c]];
            let same_column = old != NONE && self.old_keys[old] == self.col_keys[c];
            let mut formed = false;
            for p in 0..size {
                let before = if p < r { self.place[self.cols[p]] } else { NONE };
                let value = if same_column && before != NONE && self.old_minus[before] == self.rows[p].minus {
                    self.old_matrix[old * self.old_size + before]
                } else {
                    if !formed {
                        self.y.fill(0.0);
                        self.col_parts[c].impel(system, 1.0, &mut self.y);
                        formed = true;
                    }
                    self.rows[p].parts.velocity(system, &self.y)
                };
                self.matrix.f[c * size + p] = value;
            }
        }
        self.remember(r);
        if self.z0 {
            // c* = D_x c_γ                                                                        (39)
            self.y.fill(0.0);
            for group in &self.groups {
                for (k, f) in system.parts(group.x) {
                    system.impel(k, f * system.cover[group.lambda], &mut self.y);
                }
            }
            let column = self.matrix.column(r);
            for (v, row) in column.iter_mut().zip(&self.rows) {
                let under = if row.minus == NONE { 0.0 } else { system.cover[row.minus] };
                *v = system.cover[row.unknown] - under + row.parts.velocity(system, &self.y);
            }
            self.structural_row(system, r);
        }
        self.matrix.factor()
    }

    /// Keeps the matrix before it is factorised, for the next one.
    fn remember(&mut self, r: usize) {
        for &j in &self.old_cols {
            self.place[j] = NONE;
        }
        for (c, &j) in self.cols.iter().enumerate() {
            self.place[j] = c;
        }
        self.old_cols.clone_from(&self.cols);
        self.old_keys.clone_from(&self.col_keys);
        self.old_minus.clear();
        self.old_minus.extend(self.rows[..r].iter().map(|row| row.minus));
        self.old_size = self.rows.len();
        self.old_matrix.clone_from(&self.matrix.f);
    }

    /// The row of w_r where it is a γ: the coefficients of mu θ − Σφ                                (47).
    fn structural_row(&mut self, system: &System, last: usize) {
        match system.kind(self.missing) {
            Kind::Lambda(i) => {
                for c in 0..last {
                    match system.kind(self.cols[c]) {
                        Kind::Theta(g) if g == i => self.matrix.column(c)[last] = system.mu[i],
                        Kind::Phi(g, _) if g == i => self.matrix.column(c)[last] = -1.0,
                        _ => {}
                    }
                }
            }
            Kind::Cap(_) => {
                if let Some(c) = self.cols.iter().position(|&j| j + 1 == self.missing) {
                    self.matrix.column(c)[last] = -1.0;
                }
            }
            Kind::Theta(_) | Kind::Phi(..) | Kind::Single(_) | Kind::Z0 => {}
        }
    }

    /// Finds φ_x of every basic λ, the reduced columns and rows. False if a basic λ has no basic φ.
    fn partition(&mut self, system: &System) -> bool {
        self.groups.clear();
        self.cols.clear();
        for &j in &self.active {
            match system.kind(j) {
                Kind::Lambda(i) => {
                    let first = system.theta(i) + 1;
                    let kept = self.x_of[j];
                    let x = if kept != NONE && self.side[kept] == Side::Z {
                        kept
                    } else {
                        match (first..j).find(|&k| self.side[k] == Side::Z) {
                            Some(x) => x,
                            None => return false,
                        }
                    };
                    self.x_of[j] = x;
                    self.groups.push(Group { lambda: j, x });
                }
                Kind::Cap(_) => {
                    if self.side[j - 1] != Side::Z {
                        return false;
                    }
                    self.x_of[j] = j - 1;
                    self.groups.push(Group { lambda: j, x: j - 1 });
                }
                _ => {}
            }
        }
        for &j in &self.active {
            let eliminated = match system.kind(j) {
                Kind::Phi(i, _) => self.eliminated_with(system.theta(i) + 1 + system.d) == j,
                Kind::Single(_) => system.is_boxed(j) && self.side[j + 1] == Side::Z,
                Kind::Lambda(_) | Kind::Cap(_) => true,
                Kind::Theta(_) | Kind::Z0 => false,
            };
            if !eliminated {
                self.cols.push(j);
            }
        }
        // contacts of neighbouring bodies together: a stack then gives a band, and the factors keep its zeros
        self.cols.sort_unstable();
        self.col_parts.clear();
        self.col_keys.clear();
        self.rows.clear();
        for c in 0..self.cols.len() {
            let j = self.cols[c];
            let row = self.reduced_row(system, j);
            let (mut parts, mut key) = (row.parts, row.minus);
            if let Kind::Theta(i) = system.kind(j) {
                // N* = N + D_x mu                                                                 (28)
                let x = self.eliminated_with(j + 1 + system.d);
                key = x;
                if x != NONE {
                    let [c, s] = system.dirs[i * system.d + x - j - 1];
                    parts.t = [system.mu[i] * c, system.mu[i] * s];
                }
            }
            self.col_parts.push(parts);
            self.col_keys.push(key);
            self.rows.push(row);
        }
        if self.z0 {
            let row = self.reduced_row(system, self.missing);
            self.rows.push(row);
        }
        true
    }

    /// φ_x of a λ, if that is basic.
    fn eliminated_with(&self, lambda: usize) -> usize {
        if self.side[lambda] == Side::Z { self.x_of[lambda] } else { NONE }
    }

    /// n, or d* = d − d_x, as scalar rows.
    fn reduced_row(&self, system: &System, unknown: usize) -> Reduced {
        let (mut parts, mut minus) = (Parts::default(), NONE);
        match system.kind(unknown) {
            Kind::Theta(i) => parts = Parts { row: 3 * i, n: 1.0, t: [0.0; 2] },
            Kind::Single(k) => parts = Parts { row: 3 * system.n + k, n: 1.0, t: [0.0; 2] },
            Kind::Phi(i, facet) => {
                let first = system.theta(i) + 1;
                let mut t = system.dirs[i * system.d + facet];
                minus = self.eliminated_with(first + system.d);
                if minus != NONE {
                    let [c, s] = system.dirs[i * system.d + minus - first];
                    t = [t[0] - c, t[1] - s];
                }
                parts = Parts { row: 3 * i, n: 0.0, t };
            }
            Kind::Lambda(_) | Kind::Cap(_) | Kind::Z0 => {}
        }
        Reduced { unknown, parts, minus }
    }

    /// The change of every basic variable under a load, by pair, z₀ last; entries of other pairs mean nothing.
    /// Answers the residual that is left in the reduced rows.
    pub(super) fn solve(&mut self, system: &System, load: Load<'_>, out: &mut Vec<f64>) -> f64 {
        let residual = self.reduce(system, load, true);
        match load {
            Load::Vector(q) => self.expand(system, q, out),
            Load::Column(_) | Load::Unit(..) => {
                let structure = std::mem::take(&mut self.load);
                self.expand(system, &structure, out);
                self.load = structure;
                self.clear_load(system, load);
            }
        }
        residual
    }

    /// The same for some pairs only, and without refinement: for ties, whose threshold is far above rounding.
    pub(super) fn solve_at(&mut self, system: &System, load: Load<'_>, at: &[usize], out: &mut Vec<f64>) {
        self.reduce(system, load, false);
        out.clear();
        match load {
            Load::Vector(q) => out.extend(at.iter().map(|&i| self.entry(system, q, i))),
            Load::Column(_) | Load::Unit(..) => {
                out.extend(at.iter().map(|&i| self.entry(system, &self.load, i)));
                self.clear_load(system, load);
            }
        }
    }

    /// The entries of a column of M that are not products of rows: E, mu, caps. The column's velocity goes to y.
    fn set_load(&mut self, system: &System, load: Load<'_>) {
        self.y.fill(0.0);
        match load {
            Load::Vector(_) => {}
            Load::Unit(i, f) => self.load[i] = f,
            Load::Column(j) => {
                for (k, f) in system.parts(j) {
                    if f != 0.0 {
                        system.impel(k, f, &mut self.y);
                    }
                }
                self.set_structure(system, j, 1.0);
            }
        }
    }

    fn clear_load(&mut self, system: &System, load: Load<'_>) {
        match load {
            Load::Vector(_) => {}
            Load::Unit(i, _) => self.load[i] = 0.0,
            Load::Column(j) => self.set_structure(system, j, 0.0),
        }
    }

    fn set_structure(&mut self, system: &System, j: usize, one: f64) {
        let d = system.d;
        match system.kind(j) {
            Kind::Theta(i) => self.load[j + 1 + d] = one * system.mu[i],
            Kind::Phi(i, _) => self.load[system.theta(i) + 1 + d] = -one,
            Kind::Lambda(_) => self.load[j - d..j].fill(one),
            Kind::Single(_) if system.is_boxed(j) => self.load[j + 1] = -one,
            Kind::Cap(_) => self.load[j - 1] = one,
            Kind::Single(_) | Kind::Z0 => {}
        }
    }

    /// Solves the reduced system: leaves θ, φ, z₀ in `z` and their velocity in `y`.
    fn reduce(&mut self, system: &System, load: Load<'_>, refine: bool) -> f64 {
        self.set_load(system, load);
        let vector = std::mem::take(&mut self.load);
        let b = if let Load::Vector(q) = load { q } else { &vector };

        // what the load alone does to φ_x: b* = D_x b_γ                                             (28)
        let (mut own, n) = (std::mem::take(&mut self.y), self.n);
        let mut moves = matches!(load, Load::Column(_));
        for group in &self.groups {
            let f = b[group.lambda];
            self.z[group.x] = f;
            if f != 0.0 {
                moves = true;
                for (k, part) in system.parts(group.x) {
                    system.impel(k, part * f, &mut own);
                }
            }
        }
        self.t.clear();
        self.t.extend(self.rows.iter().map(|row| {
            let under = if row.minus == NONE { 0.0 } else { b[row.minus] };
            let velocity = if moves { row.parts.velocity(system, &own) } else { 0.0 };
            -(b[row.unknown] - under + velocity)
        }));
        self.matrix.solve(&mut self.t);

        // θ, φ_κ, z₀, then φ_x by (27), (38); the velocity by (29), (40)
        let mut residual = 0.0;
        for round in 0..2 {
            for (c, &j) in self.cols.iter().enumerate() {
                self.z[j] = self.t[c];
                let f = if round == 0 { self.t[c] } else { self.correction[c] };
                if f != 0.0 {
                    self.col_parts[c].impel(system, f, &mut own);
                }
            }
            if self.z0 {
                let last = self.cols.len();
                self.z[n] = self.t[last];
                let f = if round == 0 { self.t[last] } else { self.correction[last] };
                for group in &self.groups {
                    for (k, part) in system.parts(group.x) {
                        system.impel(k, part * f * system.cover[group.lambda], &mut own);
                    }
                }
            }
            if round == 1 || !refine {
                break;
            }

            // one step of refinement against the rows of the problem, where it is worth one
            self.y = own;
            self.correction.clear();
            for row in &self.rows {
                self.correction.push(-self.reduced_residual(system, b, row));
            }
            own = std::mem::take(&mut self.y);
            let size = crate::kernel::max_abs(&self.t).max(1.0);
            residual = crate::kernel::max_abs(&self.correction) / size;
            // the rounding of sums of r products of size one
            if residual <= 4e-16 * (4.0 + self.rows.len() as f64).sqrt() {
                break;
            }
            self.matrix.solve(&mut self.correction);
            for (t, dt) in self.t.iter_mut().zip(&self.correction) {
                *t += dt;
            }
        }
        for g in 0..self.groups.len() {
            let Group { lambda, x } = self.groups[g];
            self.z[x] = b[lambda] + self.tangential_room(system, lambda, x);
        }
        self.y = own;
        self.load = vector;
        residual
    }

    /// mu θ − Σφ_κ + c z₀ of a λ                                                                    (38).
    fn tangential_room(&self, system: &System, lambda: usize, x: usize) -> f64 {
        let mut room = if self.z0 { system.cover[lambda] * self.z[self.n] } else { 0.0 };
        if let Kind::Lambda(i) = system.kind(lambda) {
            let theta = system.theta(i);
            room += system.mu[i] * self.z[theta];
            for j in (theta + 1..lambda).filter(|&j| j != x) {
                room -= self.z[j];
            }
        }
        room
    }

    /// What is left of a reduced row, from the problem's own rows.
    fn reduced_residual(&self, system: &System, b: &[f64], row: &Reduced) -> f64 {
        let z0 = self.z[self.n];
        let i = row.unknown;
        let under = if row.minus == NONE { 0.0 } else { b[row.minus] + system.cover[row.minus] * z0 };
        let mut sum = b[i] + system.cover[i] * z0 - under + row.parts.velocity(system, &self.y);
        match system.kind(i) {
            Kind::Lambda(g) => {
                let theta = system.theta(g);
                sum += system.mu[g] * self.z[theta] - self.z[theta + 1..i].iter().sum::<f64>();
            }
            Kind::Cap(_) => sum -= self.z[i - 1],
            _ => {}
        }
        sum
    }

    /// The basic variable of one pair.
    fn entry(&self, system: &System, b: &[f64], i: usize) -> f64 {
        if i == self.n {
            return self.z[i];
        }
        let kind = system.kind(i);
        let z0 = self.z[self.n];
        let eliminated = matches!(kind, Kind::Lambda(_) | Kind::Cap(_));
        if self.side[i] == Side::Z && !eliminated {
            return self.z[i];
        }
        let row = |r: usize| b[r] + system.cover[r] * z0;
        let parts =
            |r: usize| system.parts(r).iter().map(|&(k, f)| f * system.velocity(k, &self.y)).sum::<f64>();
        match kind {
            // λ = −(σ_x without it)                                                           (30), (41)
            Kind::Lambda(_) | Kind::Cap(_) if self.side[i] == Side::Z => {
                let x = self.x_of[i];
                -(row(x) + parts(x))
            }
            Kind::Lambda(g) => {
                let theta = system.theta(g);
                row(i) + system.mu[g] * self.z[theta] - self.z[theta + 1..i].iter().sum::<f64>()
            }
            Kind::Cap(_) => row(i) - self.z[i - 1],
            Kind::Phi(g, _) => {
                let lambda = system.theta(g) + 1 + system.d;
                let basic = self.side[lambda] == Side::Z;
                row(i) + parts(i) + if basic { self.entry(system, b, lambda) } else { 0.0 }
            }
            Kind::Single(_) if system.is_boxed(i) && self.side[i + 1] == Side::Z => {
                row(i) + parts(i) + self.entry(system, b, i + 1)
            }
            Kind::Theta(_) | Kind::Single(_) | Kind::Z0 => row(i) + parts(i),
        }
    }

    /// Every basic variable                                                                (33), (36), (41).
    fn expand(&mut self, system: &System, b: &[f64], out: &mut Vec<f64>) {
        let (n, d) = (self.n, system.d);
        out.clear();
        out.extend_from_slice(b);
        out.push(self.z[n]);
        let z0 = self.z[n];
        if z0 != 0.0 {
            crate::kernel::axpy(z0, &system.cover, &mut out[..n]);
        }
        for i in 0..system.n {
            let base = system.theta(i);
            out[base] += system.velocity(3 * i, &self.y);
            if self.side[base + 1 + d] == Side::Absent {
                continue;
            }
            let (u1, u2) = (system.velocity(3 * i + 1, &self.y), system.velocity(3 * i + 2, &self.y));
            let lambda = self.eliminated_with(base + 1 + d);
            let (gamma, sigma) = out[base + 1..base + 2 + d].split_last_mut().expect("d + 1 friction rows");
            let dirs = &system.dirs[i * d..(i + 1) * d];
            for (v, [c, s]) in sigma.iter_mut().zip(dirs) {
                *v += c * u1 + s * u2;
            }
            if lambda != NONE {
                let speed = -sigma[lambda - base - 1];
                for v in sigma.iter_mut() {
                    *v += speed;
                }
                *gamma = speed;
            }
        }
        for k in 0..system.singles() {
            let i = system.single(k);
            out[i] += system.velocity(3 * system.n + k, &self.y);
            if system.is_boxed(i) && self.side[i + 1] == Side::Z {
                out[i + 1] = -out[i];
            }
        }
        for &j in &self.active {
            match system.kind(j) {
                Kind::Theta(i) => {
                    let gamma = j + 1 + d;
                    if self.side[gamma] != Side::Z && self.side[gamma] != Side::Absent {
                        out[gamma] += system.mu[i] * self.z[j];
                    }
                    out[j] = self.z[j];
                }
                Kind::Phi(i, _) => {
                    let gamma = system.theta(i) + 1 + d;
                    if self.side[gamma] != Side::Z {
                        out[gamma] -= self.z[j];
                    }
                    out[j] = self.z[j];
                }
                Kind::Single(_) => {
                    if system.is_boxed(j) && self.side[j + 1] != Side::Z {
                        out[j + 1] -= self.z[j];
                    }
                    out[j] = self.z[j];
                }
                Kind::Lambda(_) | Kind::Cap(_) | Kind::Z0 => {}
            }
        }
    }
}

//! Solves with the reduced inverse, refined against the rows of the problem, and the way back to all variables.

use super::parts::Row;
use super::{Basic, Basis, Load, NONE};
use crate::friction::system::{Kind, System};
use crate::kernel::{axpy, dot, max_abs};
use crate::tolerances;

impl Basis {
    /// The change of every basic variable under a load, by pair, z₀ last; entries of other pairs mean nothing.
    /// Answers the residual that is left in the reduced rows, relative to the largest unknown.
    pub(crate) fn solve(&mut self, system: &System, load: Load<'_>, out: &mut Vec<f64>) -> f64 {
        let residual = self.reduce(system, load, true);
        if let Load::Vector(q) = load {
            self.expand(system, q, out);
        } else {
            let structure = std::mem::take(&mut self.load);
            self.expand(system, &structure, out);
            self.load = structure;
            self.clear_load(system, load);
        }
        residual
    }

    /// The same for some pairs only, and without refinement: for ties, whose threshold is far above rounding.
    pub(crate) fn solve_at(&mut self, system: &System, load: Load<'_>, at: &[usize], out: &mut Vec<f64>) {
        self.reduce(system, load, false);
        out.clear();
        if let Load::Vector(q) = load {
            out.extend(at.iter().map(|&i| self.entry(system, q, i)));
        } else {
            out.extend(at.iter().map(|&i| self.entry(system, &self.load, i)));
            self.clear_load(system, load);
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
        if self.z0 {
            self.update_c_star(system);
        }
        let vector = std::mem::take(&mut self.load);
        let b = if let Load::Vector(q) = load { q } else { &vector };

        // what the load alone does to φ_x: b* = D_x b_γ                                             (28)
        let mut own = std::mem::take(&mut self.y);
        let mut moves = matches!(load, Load::Column(_));
        for &head in &self.heads {
            let (f, x) = (b[head], self.x_of[head]);
            if f != 0.0 {
                moves = true;
                for (k, part) in system.parts(x) {
                    system.impel(k, part * f, &mut own);
                }
            }
        }
        match load {
            // a column of V
            Load::Unit(i, f) if self.row_at[i] != NONE => {
                let at = self.row_at[i];
                self.t.clear();
                self.t.extend((0..self.inverse.size()).map(|c| -f * self.inverse.at(c, at)));
            }
            _ => {
                let Self { rows, correction, inverse, t, .. } = self;
                correction.clear();
                correction.extend(rows.iter().map(|row| {
                    let velocity = if moves { row.parts.velocity(system, &own) } else { 0.0 };
                    row.of(b) + velocity
                }));
                t.clear();
                t.extend((0..inverse.size()).map(|c| -dot(inverse.row(c), correction)));
            }
        }

        // θ, φ_κ, z₀ and their velocity by (29), (40), refined while it helps: one step is the rule
        let mut last = f64::INFINITY;
        let mut residual = 0.0;
        for round in 0..3 {
            for (c, column) in self.cols.iter().enumerate() {
                self.z[column.unknown] = self.t[c];
                let f = if round == 0 { self.t[c] } else { self.correction[c] };
                if column.unknown == self.n {
                    axpy(f, &self.c_star, &mut own);
                } else if f != 0.0 {
                    column.parts.impel(system, f, &mut own);
                }
            }
            if !refine {
                break;
            }
            self.y = own;
            self.line.clear();
            for at in 0..self.rows.len() {
                let left = self.reduced_residual(system, b, &self.rows[at]);
                self.line.push(left);
            }
            own = std::mem::take(&mut self.y);
            residual = max_abs(&self.line) / max_abs(&self.t).max(1.0);
            // a driving column may keep 1e-13, far below the bands of any ratio test; q′ is taken to the rounding of
            // sums of r products of size one
            let enough = match load {
                Load::Vector(_) => tolerances::SUM_ROUNDING * (4.0 + self.rows.len() as f64).sqrt(),
                Load::Column(_) | Load::Unit(..) => tolerances::DRIVING,
            };
            if residual <= enough || residual > 0.5 * last || round == 2 {
                break;
            }
            last = residual;
            let Self { line, correction, inverse, t, .. } = self;
            correction.clear();
            correction.extend((0..inverse.size()).map(|c| -dot(inverse.row(c), line)));
            t.iter_mut().zip(&*correction).for_each(|(t, dt)| *t += dt);
        }

        // φ_x                                                                                (27), (38)
        for at in 0..self.heads.len() {
            let head = self.heads[at];
            self.z[self.x_of[head]] = b[head] + self.room(system, head);
        }
        self.y = own;
        self.load = vector;
        residual
    }

    /// mu θ − Σφ_κ + c z₀ of a head                                                                 (38).
    fn room(&self, system: &System, head: usize) -> f64 {
        let mut room = if self.z0 { system.cover[head] * self.z[self.n] } else { 0.0 };
        if let Kind::Lambda(i) = system.kind(head) {
            let (theta, x) = (system.theta(i), self.x_of[head]);
            room += system.mu[i] * self.z[theta];
            for j in (theta + 1..head).filter(|&j| j != x) {
                room -= self.z[j];
            }
        }
        room
    }

    /// What is left of a reduced row, from the problem's own rows.
    fn reduced_residual(&self, system: &System, b: &[f64], row: &Row) -> f64 {
        let mut sum = row.of(b) + row.parts.velocity(system, &self.y);
        if self.z0 {
            sum += row.of(&system.cover) * self.z[self.n];
        }
        let i = row.unknown;
        match system.kind(i) {
            Kind::Lambda(g) => {
                let theta = system.theta(g);
                sum += system.mu[g] * self.z[theta] - self.z[theta + 1..i].iter().sum::<f64>();
            }
            Kind::Cap(_) => sum -= self.z[i - 1],
            // a λ that is in the reduced system itself; one that is eliminated has its row subtracted
            Kind::Phi(g, _) if row.minus == NONE => sum += self.z[system.theta(g) + 1 + system.d],
            Kind::Single(_) if system.is_boxed(i) => sum += self.z[i + 1],
            Kind::Theta(_) | Kind::Phi(..) | Kind::Single(_) | Kind::Z0 => {}
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
        let row = |r: usize| b[r] + system.cover[r] * z0;
        let parts =
            |r: usize| system.parts(r).iter().map(|&(k, f)| f * system.velocity(k, &self.y)).sum::<f64>();
        if self.side[i] == Basic::Z {
            // λ = −(σ_x without it)                                                           (30), (41)
            let x = self.x_of[i];
            return if x == NONE { self.z[i] } else { -(row(x) + parts(x)) };
        }
        let of_head = |h: usize| if self.side[h] == Basic::Z { self.entry(system, b, h) } else { 0.0 };
        match kind {
            Kind::Lambda(g) => {
                let theta = system.theta(g);
                row(i) + system.mu[g] * self.z[theta] - self.z[theta + 1..i].iter().sum::<f64>()
            }
            Kind::Cap(_) => row(i) - self.z[i - 1],
            Kind::Phi(g, _) => row(i) + parts(i) + of_head(system.theta(g) + 1 + system.d),
            Kind::Single(_) if system.is_boxed(i) => row(i) + parts(i) + of_head(i + 1),
            Kind::Theta(_) | Kind::Single(_) | Kind::Z0 => row(i) + parts(i),
        }
    }

    /// Every basic variable                                                                (33), (36), (41).
    fn expand(&mut self, system: &System, b: &[f64], out: &mut Vec<f64>) {
        let (n, d) = (self.n, system.d);
        let z0 = self.z[n];
        out.clear();
        out.extend_from_slice(b);
        out.push(z0);
        if z0 != 0.0 {
            axpy(z0, &system.cover, &mut out[..n]);
        }
        for i in 0..system.n {
            let base = system.theta(i);
            out[base] += system.velocity(3 * i, &self.y);
            let head = base + 1 + d;
            if self.side[head] == Basic::Absent {
                continue;
            }
            let (u1, u2) = (system.velocity(3 * i + 1, &self.y), system.velocity(3 * i + 2, &self.y));
            let (gamma, sigma) = out[base + 1..=head].split_last_mut().expect("d + 1 friction rows");
            let dirs = &system.dirs[i * d..(i + 1) * d];
            for (v, [c, s]) in sigma.iter_mut().zip(dirs) {
                *v += c * u1 + s * u2;
            }
            if self.side[head] == Basic::Z {
                let x = self.x_of[head];
                let speed = if x == NONE { self.z[head] } else { -sigma[x - base - 1] };
                for v in sigma.iter_mut() {
                    *v += speed;
                }
                *gamma = speed;
            }
        }
        for k in 0..system.singles() {
            let i = system.single(k);
            out[i] += system.velocity(3 * system.n + k, &self.y);
            if system.is_boxed(i) && self.side[i + 1] == Basic::Z {
                let push = if self.x_of[i + 1] == NONE { self.z[i + 1] } else { -out[i] };
                out[i] += push;
                out[i + 1] = push;
            }
        }
        for &j in &self.active {
            match system.kind(j) {
                Kind::Theta(i) => {
                    let gamma = j + 1 + d;
                    if matches!(self.side[gamma], Basic::W | Basic::Neither) {
                        out[gamma] += system.mu[i] * self.z[j];
                    }
                }
                Kind::Phi(i, _) => {
                    let gamma = system.theta(i) + 1 + d;
                    if self.side[gamma] != Basic::Z {
                        out[gamma] -= self.z[j];
                    }
                }
                Kind::Single(_) if system.is_boxed(j) && self.side[j + 1] != Basic::Z => {
                    out[j + 1] -= self.z[j];
                }
                Kind::Lambda(_) | Kind::Cap(_) => continue,
                Kind::Single(_) | Kind::Z0 => {}
            }
            out[j] = self.z[j];
        }
    }
}

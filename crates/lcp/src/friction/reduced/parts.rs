//! Rows and columns of the reduced system as combinations of the problem's scalar rows.

use super::{Basic, Basis, NONE};
use crate::friction::system::{Kind, System};

/// A vector as a combination of up to three scalar rows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    row: usize,
    n: f64,
    t: [f64; 2], // of the rows after it
}

impl Parts {
    fn factors(&self) -> impl Iterator<Item = (usize, f64)> {
        let row = self.row;
        [self.n, self.t[0], self.t[1]].into_iter().enumerate().map(move |(k, f)| (row + k, f))
    }

    /// y += f times the velocity that this gives.
    #[inline]
    pub(super) fn impel(&self, system: &System, f: f64, y: &mut [f64]) {
        self.factors().filter(|p| p.1 != 0.0).for_each(|(k, part)| system.impel(k, f * part, y));
    }

    /// y += the row itself, so that [`Parts::velocity`] of a column is the entry between them.
    #[inline]
    pub(super) fn lay(&self, system: &System, y: &mut [f64]) {
        self.factors().filter(|p| p.1 != 0.0).for_each(|(k, part)| system.lay(k, part, y));
    }

    /// The velocity of this in y.
    #[inline]
    pub(super) fn velocity(&self, system: &System, y: &[f64]) -> f64 {
        self.factors().filter(|p| p.1 != 0.0).map(|(k, part)| part * system.velocity(k, y)).sum()
    }
}

/// A row of the reduced system.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) unknown: usize,
    pub(super) parts: Parts,
    /// The row that is subtracted from it: σ_x of its contact.
    pub(super) minus: usize,
}

impl Row {
    /// b less what is subtracted.
    #[inline]
    pub(super) fn of(&self, b: &[f64]) -> f64 {
        b[self.unknown] - if self.minus == NONE { 0.0 } else { b[self.minus] }
    }
}

/// A column of the reduced system; that of z₀ has no parts, its velocity is `c_star`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) unknown: usize,
    pub(super) parts: Parts,
}

/// The unknown that closes the group of another: λ of a φ, the cap of a bounded row. None for θ and plain rows.
pub(super) fn head(system: &System, unknown: usize) -> Option<usize> {
    match system.kind(unknown) {
        Kind::Phi(i, _) => Some(system.theta(i) + 1 + system.d),
        Kind::Single(_) if system.is_boxed(unknown) => Some(unknown + 1),
        Kind::Lambda(_) | Kind::Cap(_) => Some(unknown),
        Kind::Theta(_) | Kind::Single(_) | Kind::Z0 => None,
    }
}

/// The unknowns that a head may be eliminated with.
pub(super) fn members(system: &System, head: usize) -> std::ops::Range<usize> {
    match system.kind(head) {
        Kind::Lambda(i) => system.theta(i) + 1..head,
        _ => head - 1..head,
    }
}

impl Basis {
    /// n, or d* = d − d_x, as scalar rows                                                       (28), (45).
    pub(super) fn row_of(&self, system: &System, unknown: usize) -> Row {
        let (mut parts, mut minus) = (Parts::default(), NONE);
        match system.kind(unknown) {
            Kind::Theta(i) => parts = Parts { row: 3 * i, n: 1.0, t: [0.0; 2] },
            Kind::Single(k) => parts = Parts { row: 3 * system.n + k, n: 1.0, t: [0.0; 2] },
            Kind::Phi(i, facet) => {
                let first = system.theta(i) + 1;
                let mut t = system.dirs[i * system.d + facet];
                minus = self.x_of[first + system.d];
                if minus != NONE {
                    let [c, s] = system.dirs[i * system.d + minus - first];
                    t = [t[0] - c, t[1] - s];
                }
                parts = Parts { row: 3 * i, n: 0.0, t };
            }
            Kind::Lambda(_) | Kind::Cap(_) | Kind::Z0 => {}
        }
        Row { unknown, parts, minus }
    }

    /// The row of an unknown with nothing subtracted.
    pub(super) fn plain_row(system: &System, unknown: usize) -> Row {
        let parts = match system.kind(unknown) {
            Kind::Phi(i, facet) => Parts { row: 3 * i, n: 0.0, t: system.dirs[i * system.d + facet] },
            Kind::Single(k) => Parts { row: 3 * system.n + k, n: 1.0, t: [0.0; 2] },
            Kind::Theta(_) | Kind::Lambda(_) | Kind::Cap(_) | Kind::Z0 => Parts::default(),
        };
        Row { unknown, parts, minus: NONE }
    }

    /// N* = N + D_x mu, D* = D − D_x                                                                 (28).
    pub(super) fn column_of(&self, system: &System, unknown: usize) -> Column {
        let mut parts = self.row_of(system, unknown).parts;
        if let Kind::Theta(i) = system.kind(unknown) {
            let x = self.x_of[unknown + 1 + system.d];
            if x != NONE {
                let [c, s] = system.dirs[i * system.d + x - unknown - 1];
                parts.t = [system.mu[i] * c, system.mu[i] * s];
            }
        }
        Column { unknown, parts }
    }

    /// The parts of everything that a group has a hand in, after it was formed or taken apart.
    pub(super) fn update_parts(&mut self, system: &System, head: usize) {
        let first = match system.kind(head) {
            Kind::Lambda(i) => system.theta(i),
            _ => head - 1,
        };
        for unknown in first..head {
            if self.col_at[unknown] != NONE {
                self.cols[self.col_at[unknown]] = self.column_of(system, unknown);
            }
            if self.row_at[unknown] != NONE {
                self.rows[self.row_at[unknown]] = self.row_of(system, unknown);
            }
        }
    }

    /// c* = D_x c_γ                                                                                  (39).
    pub(super) fn update_c_star(&mut self, system: &System) {
        if self.c_star_is_right {
            return;
        }
        self.c_star_is_right = true;
        self.c_star.fill(0.0);
        for &head in &self.heads {
            for (k, f) in system.parts(self.x_of[head]) {
                if f != 0.0 {
                    system.impel(k, f * system.cover[head], &mut self.c_star);
                }
            }
        }
    }

    /// The entries of a row in the reduced columns                        (31), (42), (44), (47).
    pub(super) fn row_entries(&mut self, system: &System, row: &Row, out: &mut Vec<f64>) {
        self.update_c_star(system);
        self.y.fill(0.0);
        row.parts.lay(system, &mut self.y);
        out.clear();
        for column in &self.cols {
            out.push(if column.unknown == self.n {
                row.of(&system.cover) + row.parts.velocity(system, &self.c_star)
            } else {
                system.structure(row.unknown, column.unknown) + column.parts.velocity(system, &self.y)
            });
        }
    }

    /// The entries of a column in the reduced rows.
    pub(super) fn column_entries(&mut self, system: &System, column: &Column, out: &mut Vec<f64>) {
        out.clear();
        if column.unknown == self.n {
            self.update_c_star(system);
            let c_star = &self.c_star;
            out.extend(self.rows.iter().map(|r| r.of(&system.cover) + r.parts.velocity(system, c_star)));
            return;
        }
        self.y.fill(0.0);
        column.parts.impel(system, 1.0, &mut self.y);
        let y = &self.y;
        out.extend(
            self.rows
                .iter()
                .map(|r| system.structure(r.unknown, column.unknown) + r.parts.velocity(system, y)),
        );
    }

    /// φ_x of a head: the one it has, or the first basic one.
    pub(super) fn partner(&self, system: &System, head: usize) -> Option<usize> {
        let kept = self.x_of[head];
        if kept != NONE && self.side[kept] == Basic::Z {
            return Some(kept);
        }
        members(system, head).find(|&k| self.side[k] == Basic::Z)
    }
}

//! An exchange of two variables as an update of V, and how a group comes together and apart.

use super::parts::{Row, head};
use super::{Apart, Basic, Basis, GROWTH, Load, NONE};
use crate::friction::system::System;
use crate::observer::Variable;

impl Basis {
    /// Exchanges two variables and updates V. `column` is what [`Basis::solve`] gave for the entering one. False if the new
    /// basis is singular.
    pub(crate) fn exchange(
        &mut self,
        system: &System,
        entering: Variable,
        leaving: Variable,
        column: &[f64],
    ) -> bool {
        let n = self.n;
        let unknown = |variable: Variable| match variable {
            Variable::Z(j) => Some(j),
            Variable::Z0 => Some(n),
            Variable::W(_) => None,
        };
        let out = match leaving {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => n,
        };
        let size = self.cols.iter().fold(0.0, |m: f64, c| m.max(column[c.unknown].abs()));
        if self.updates > 100 + self.rows.len() || column[out].abs() < GROWTH * size {
            self.swap(entering, leaving);
            return self.factor(system);
        }
        if let Variable::Z(l) = leaving
            && let Some(h) = head(system, l)
            && (self.x_of[h] == l || (h == l && self.x_of[h] != NONE))
        {
            self.take_apart(system, h);
        }
        self.t.clear();
        self.t.extend(self.cols.iter().map(|c| column[c.unknown]));
        let limit = self.limit();
        match (unknown(entering), unknown(leaving)) {
            (Some(j), None) => {
                self.left_row(system, out);
                self.inverse.grow(&self.t, &self.left, column[out], limit);
                self.push_col(self.column_of(system, j));
                self.push_row(self.row_of(system, out));
            }
            (Some(j), Some(l)) => {
                let at = self.col_at[l];
                self.inverse.replace_col(at, &self.t);
                self.col_at[l] = NONE;
                self.col_at[j] = at;
                self.cols[at] = self.column_of(system, j);
            }
            (None, None) => {
                let Variable::W(i) = entering else { unreachable!("a slack enters") };
                self.left_row(system, out);
                let at = self.row_at[i];
                self.inverse.replace_row(at, &self.left);
                self.row_at[i] = NONE;
                self.row_at[out] = at;
                self.rows[at] = self.row_of(system, out);
            }
            (None, Some(l)) => {
                let Variable::W(i) = entering else { unreachable!("a slack enters") };
                self.inverse.shrink(self.col_at[l], self.row_at[i]);
                self.remove_col(l);
                self.remove_row(i);
            }
        }
        self.swap(entering, leaving);
        for variable in [entering, leaving] {
            if let Variable::Z(j) = variable
                && let Some(h) = head(system, j)
            {
                self.put_together(system, h);
            }
        }
        self.updates += 1;
        self.note_size();
        true
    }

    /// `left` = bᵀ V with b the row of a basic w in the reduced columns.
    pub(super) fn left_row(&mut self, system: &System, unknown: usize) {
        let row = self.row_of(system, unknown);
        self.left_of(system, &row);
    }

    pub(super) fn left_of(&mut self, system: &System, row: &Row) {
        let mut line = std::mem::take(&mut self.line);
        self.row_entries(system, row, &mut line);
        self.inverse.left(&line, &mut self.left);
        self.line = line;
    }

    /// A basic λ and a basic φ leave the reduced system, with the rows γ and σ of theirs.
    pub(super) fn put_together(&mut self, system: &System, head: usize) {
        if self.side[head] != Basic::Z || self.x_of[head] != NONE {
            return;
        }
        let Some(x) = self.partner(system, head) else { return };
        for unknown in [head, x] {
            self.inverse.drop_pair(self.col_at[unknown], self.row_at[unknown]);
            self.remove_col(unknown);
            self.remove_row(unknown);
        }
        self.x_of[head] = x;
        self.heads.push(head);
        self.c_star_is_right = false;
        self.update_parts(system, head);
    }

    /// The way back: V gains the rows of φ_x and λ and the columns of σ_x and γ.
    pub(super) fn take_apart(&mut self, system: &System, head: usize) {
        let x = self.x_of[head];
        let Apart { mut row_x, mut row_head, mut col_x, mut col_head, mut corner } =
            std::mem::take(&mut self.apart);

        // rows of V, from (38) and (41)
        row_x.clear();
        row_x.resize(self.rows.len(), 0.0);
        for (c, column) in self.cols.iter().enumerate() {
            let f = if column.unknown == self.n {
                system.cover[head]
            } else {
                system.structure(head, column.unknown)
            };
            if f != 0.0 {
                crate::kernel::axpy(f, self.inverse.row(c), &mut row_x);
            }
        }
        self.left_of(system, &Self::plain_row(system, x));
        row_head.clear();
        row_head.extend(self.left.iter().map(|v| -v));

        // columns of V: the answers to unit loads
        let limit = self.limit();
        self.solve_at(system, Load::Unit(x, -1.0), &[x, head], &mut corner);
        col_x.clone_from(&self.t);
        let above = corner[0];
        row_head.push(corner[1]);
        self.solve_at(system, Load::Unit(head, -1.0), &[x, head], &mut corner);
        col_head.clone_from(&self.t);
        col_head.push(corner[0]);
        self.inverse.border(&row_x, &col_x, above, limit);
        self.inverse.border(&row_head, &col_head, corner[1], limit);
        self.apart = Apart { row_x, row_head, col_x, col_head, corner };

        self.heads.retain(|&h| h != head);
        self.x_of[head] = NONE;
        self.c_star_is_right = false;
        for unknown in [x, head] {
            self.push_col(self.column_of(system, unknown));
            self.push_row(self.row_of(system, unknown));
        }
        self.update_parts(system, head);
    }
}

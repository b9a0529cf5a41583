//! The velocities of few rows over few degrees of freedom, from rows written out: u = A (Aᵀ r) + q.
//!
//! A step of a small problem that slides looks at them a dozen times; as runs of neighbouring entries, each with a length of its own, they cost
//! several times their arithmetic.

use multiversion::multiversion;

use crate::friction::system::System;

/// Scalar rows and degrees of freedom up to which rows are written out: 16 contacts on a manipulator, or on two free bodies. Beyond it most of what is
/// written out is zero.
const ROWS: usize = 48;
const FREEDOMS: usize = 16;
/// Numbers that are taken at a time.
const LANES: usize = 4;

/// Rows written out.
#[derive(Debug, Clone, Default)]
pub(super) struct Quick {
    a: Vec<f64>, // by row, a multiple of [`LANES`] each
    y: Vec<f64>,
}

impl Quick {
    /// Room for whatever is written out.
    pub(super) fn reserve(&mut self) {
        self.a.clear();
        self.a.reserve(ROWS * FREEDOMS);
        self.y.clear();
        self.y.reserve(FREEDOMS);
    }

    /// Writes the rows of a problem out, if they are few.
    pub(super) fn load(&mut self, system: &System) {
        let (rows, width) = (system.q.len(), system.width().next_multiple_of(LANES));
        self.clear();
        if rows > ROWS || width > FREEDOMS || width == 0 || !system.is_factored() {
            return;
        }
        self.a.resize(rows * width, 0.0);
        self.y.resize(width, 0.0);
        for (k, row) in self.a.chunks_exact_mut(width).enumerate() {
            for (at, values) in system.runs(k) {
                row[at..at + values.len()].copy_from_slice(values);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.a.clear();
        self.y.clear();
    }

    /// u = W r + q.
    pub(super) fn velocities(&mut self, system: &System, r: &[f64], u: &mut Vec<f64>) {
        if self.y.is_empty() {
            system.scalar_velocities(r, u);
        } else {
            u.clear();
            u.extend_from_slice(&system.q);
            add_product(&self.a, r, &mut self.y, u);
        }
    }
}

/// u += A (Aᵀ r).
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn add_product(a: &[f64], r: &[f64], y: &mut [f64], u: &mut [f64]) {
    y.fill(0.0);
    let width = y.len();
    let y = y.as_chunks_mut::<LANES>().0;
    for (row, &f) in a.chunks_exact(width).zip(r) {
        for (y, x) in y.iter_mut().zip(row.as_chunks::<LANES>().0) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += f * x;
            }
        }
    }
    for (row, u) in a.chunks_exact(width).zip(u) {
        let mut sum = [0.0; LANES];
        for (x, y) in row.as_chunks::<LANES>().0.iter().zip(&*y) {
            for k in 0..LANES {
                sum[k] += x[k] * y[k];
            }
        }
        *u += (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
}

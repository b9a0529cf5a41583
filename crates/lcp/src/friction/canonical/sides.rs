//! The least norm within polygons: a standard problem over the sides that matter.
//!
//! ```text
//!     y = y₀ + P Gᵀ λ,     0 ≤ G P Gᵀ λ + (G y₀ − h) ⊥ λ ≥ 0,     y₀ = (1 − P) y(raw)
//! ```

use super::pieces::{Face, Meaning};
use super::{Canonical, DECIDED, ROUNDS, SpreadReport, VIOLATED};
use crate::kernel::{axpy, dot, max_abs};
use crate::outcome::{Solution, Start, Status};
use crate::problem::Lcp;

impl Canonical {
    /// gᵀ y − h
    fn room(&self, side: &Face, y: &[f64]) -> f64 {
        let piece = &self.pieces.list[side.piece];
        let y = &y[piece.first..piece.first + piece.width];
        side.g.iter().zip(y).map(|(g, y)| g * y).sum::<f64>() - side.h
    }

    /// The least-norm y with A y = b within all sides, from a y that has these properties but the least norm.
    pub(super) fn minimise(
        &mut self,
        b: &[f64],
        raw: Vec<f64>,
        report: &mut SpreadReport,
    ) -> Option<Vec<f64>> {
        let m = raw.len();
        let mut y0 = raw;
        let mut null = y0.clone();
        self.motion.project(&mut null);
        y0.iter_mut().zip(&null).for_each(|(y, p)| *y -= p);
        self.motion.restore(b, &mut y0);
        let size = max_abs(&y0).max(f64::MIN_POSITIVE);
        let mut imposed: Vec<usize> = Vec::new();
        let mut normals: Vec<f64> = Vec::new(); // P g, m each
        let mut y = y0.clone();
        let mut solution = Solution::default();
        while self.impose_violated(&y, VIOLATED * size, &mut imposed) {
            if report.rounds == ROUNDS || self.clock.expired() {
                return None;
            }
            // sides that are new: their normals in the null space
            for at in normals.len() / m..imposed.len() {
                let side = self.pieces.sides[imposed[at]];
                let piece = self.pieces.list[side.piece];
                let mut g = vec![0.0; m];
                g[piece.first..piece.first + piece.width].copy_from_slice(&side.g[..piece.width]);
                self.motion.project(&mut g);
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
        while at < self.pieces.sides.len() {
            let piece = self.pieces.sides[at].piece;
            let mut worst: Option<(f64, usize)> = None;
            while at < self.pieces.sides.len() && self.pieces.sides[at].piece == piece {
                let side = &self.pieces.sides[at];
                let room = self.room(side, y);
                // r_n ≥ 0 comes first: where nothing acts along the tangents it is enough
                let better = worst.is_none_or(|(r, w)| room < r && !self.is_normal(w));
                if !side.imposed && room < -tolerance && better {
                    worst = Some((room, at));
                }
                at += 1;
            }
            if let Some((_, at)) = worst {
                self.pieces.sides[at].imposed = true;
                imposed.push(at);
            }
        }
        imposed.len() > before
    }

    fn is_normal(&self, side: usize) -> bool {
        let side = &self.pieces.sides[side];
        self.pieces.list[side.piece].meaning == Meaning::Stick && side.g[1] == 0.0 && side.g[2] == 0.0
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
        let q = imposed.iter().map(|&s| self.room(&self.pieces.sides[s], y0) / size).collect();
        let lcp = Lcp::from_column_major(matrix, q).ok()?;
        let budget = self.clock.rest(self.budget);
        let outcome = self.robust.solve_with(&lcp, Start::Cold, budget, solution, &mut ());
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
                let side = &self.pieces.sides[sides[k]];
                let piece = &self.pieces.list[side.piece];
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
            self.motion.restore(b, &mut trial);
        }
        let worst = |y: &[f64]| self.pieces.sides.iter().fold(0.0, |w: f64, s| w.max(-self.room(s, y)));
        // the same active set, so the same point: unless the sides dropped above do not hold
        if worst(&trial) <= worst(y).max(VIOLATED * max_abs(y0)) {
            y.copy_from_slice(&trial);
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

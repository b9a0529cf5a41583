//! Newton's step on the maps of all blocks, one factorisation of the size of the degrees of freedom a step.
//!
//! ```text
//!     (B + G W) dx = −F                         W = A Aᵀ, B and G of [`map`], block by block
//!     dx = C (−F) − D A dg,  C = (B + ε G)⁻¹,  D = C G,   (1 + Aᵀ D A) dg = Aᵀ C (−F)
//! ```
//!
//! ε is a proximal term about the iterate: redundant contacts make the matrix singular, and with ε the impulses that it does
//! not determine, self-stress, stay where they are. How large it is, [`super::stages`] decides from step to step.

pub(crate) mod map;

use map::{Linear, Map, Matrix, apply, inverse, linear, multiply, natural};

use super::elimination::Elimination;
use super::operator::Operator;

/// The linearised laws and their factor; keeps its memory. Vectors by block unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Newton {
    /// What stands for Coulomb's law.
    pub(crate) map: Map,
    pub(crate) f: Vec<[f64; 3]>,
    b: Vec<Matrix>,
    g: Vec<Matrix>,
    c: Vec<Matrix>,
    d: Vec<Matrix>,
    acts: Vec<bool>,
    pub(crate) elimination: Elimination,
    y: Vec<f64>, // degrees of freedom
    z: Vec<[f64; 3]>,
}

impl Newton {
    /// Makes room for a problem.
    pub(crate) fn reset(&mut self, operator: &Operator) {
        let n = operator.blocks.len();
        self.elimination.reset(operator);
        self.y.clear();
        self.y.reserve(operator.width);
        for v in [&mut self.f, &mut self.z] {
            v.clear();
            v.resize(n, [0.0; 3]);
        }
        for v in [&mut self.b, &mut self.g, &mut self.c, &mut self.d] {
            v.clear();
            v.resize(n, Matrix::default());
        }
        self.acts.clear();
        self.acts.resize(n, false);
    }

    /// Linearises the laws at x with velocities u; answers ½|F|², weighed.
    pub(crate) fn linearise(&mut self, operator: &Operator, x: &[f64], u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (at, block) in operator.blocks.iter().enumerate() {
            let x = Operator::of(block, x);
            let u = Operator::of(block, u);
            let linear = linear(self.map, block.law, x, u);
            self.f[at] = linear.f;
            self.b[at] = linear.b;
            self.g[at] = linear.g;
            let square = linear.f[0] * linear.f[0] + linear.f[1] * linear.f[1] + linear.f[2] * linear.f[2];
            sum += operator.weight[at] * operator.weight[at] * square;
        }
        0.5 * sum
    }

    /// Puts the equations of one block in the place of its linearised law.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, of: &Linear) {
        (self.f[at], self.b[at], self.g[at]) = (of.f, of.b, of.g);
    }

    /// Factorises the matrix of the step with ε; false if it is singular.
    pub(crate) fn factor(&mut self, operator: &Operator, eps: f64) -> bool {
        for (at, block) in operator.blocks.iter().enumerate() {
            let (b, g) = (&self.b[at], &self.g[at]);
            if block.rows() == 1 {
                let m = b[0][0] + eps * g[0][0];
                self.c[at][0][0] = 1.0 / m;
                self.d[at][0][0] = g[0][0] / m;
                self.acts[at] = g[0][0] != 0.0;
                continue;
            }
            let mut m = *b;
            for i in 0..3 {
                (0..3).for_each(|j| m[i][j] += eps * g[i][j]);
            }
            self.c[at] = inverse(&m);
            self.d[at] = multiply(&self.c[at], g);
            self.acts[at] = g.iter().flatten().any(|v| *v != 0.0);
        }
        self.elimination.factor(operator, &self.d, &self.acts)
    }

    /// The step dx: (B + G (W + ε)) dx = −F.
    pub(crate) fn direction(&mut self, operator: &Operator, dx: &mut Vec<f64>) {
        dx.clear();
        dx.resize(operator.q.len(), 0.0);
        self.y.clear();
        self.y.resize(operator.width, 0.0);
        for (at, block) in operator.blocks.iter().enumerate() {
            let f = self.f[at];
            let c = apply(&self.c[at], [-f[0], -f[1], -f[2]]);
            self.z[at] = c;
            if c != [0.0; 3] {
                operator.impel(block, c, &mut self.y);
            }
        }
        self.elimination.solve(&mut self.y);
        for (at, block) in operator.blocks.iter().enumerate() {
            let mut z = self.z[at];
            if self.acts[at] {
                let v = apply(&self.d[at], operator.velocity(block, &self.y));
                (0..3).for_each(|k| z[k] -= v[k]);
            }
            Operator::put(block, z, dx);
        }
    }
}

/// The largest natural residual of the blocks, weighed; infinite if it is none.
pub(crate) fn residual(operator: &Operator, x: &[f64], u: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for (block, weight) in operator.blocks.iter().zip(&operator.weight) {
        let error = weight * natural(block.law, Operator::of(block, x), Operator::of(block, u));
        if error.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(error);
    }
    worst
}

//! Newton's step on the maps of all blocks, one factorisation of the size of the degrees of freedom a step.
//!
//! ```text
//!     (B + G W) dx = −F                         W = A Aᵀ, B and G of [`map`], block by block
//!     dx = C (−F) − D A dg,  C = (B + ε G)⁻¹,  D = C G,   (1 + Aᵀ D A) dg = Aᵀ C (−F)
//! ```
//!
//! ε is a proximal term about the iterate: redundant contacts make the matrix singular, and with ε the impulses that it does
//! not determine, self-stress, stay where they are. How large it is, [`super::stages`] decides from step to step. On the map of
//! Alart and Curnier C and D are known mode by mode ([`map::Tangent`]); on the natural map, and where modes have equations of their own, B and G
//! are written out.

pub(crate) mod map;

use map::{Linear, Map, Matrix, Tangent, apply, inverse, linear, multiply, natural, tangent};

use super::elimination::Elimination;
use super::operator::Operator;
use crate::problem::ContactMode;

/// The linearised laws and their factor; keeps its memory. Vectors by block unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Newton {
    /// What stands for Coulomb's law.
    pub(crate) map: Map,
    pub(crate) f: Vec<[f64; 3]>,
    b: Vec<Matrix>,
    g: Vec<Matrix>,
    c: Vec<Matrix>, // of blocks that are linearised whole
    d: Vec<Matrix>,
    acts: Vec<bool>,
    tangent: Vec<Tangent>,
    factored: Vec<Option<ContactMode>>,
    pub(crate) elimination: Elimination,
    eps: f64,    // of the factor
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
        self.tangent.clear();
        self.tangent.resize(n, Tangent::default());
        self.factored.clear();
        self.factored.resize(n, None);
    }

    /// Linearises the laws at x with velocities u; answers ½|F|², weighed.
    pub(crate) fn linearise(&mut self, operator: &Operator, x: &[f64], u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (at, block) in operator.blocks.iter().enumerate() {
            let (x, u) = (Operator::of(block, x), Operator::of(block, u));
            let f = match self.map {
                Map::Curnier(rho) => {
                    let (f, of) = tangent(rho, block.law, x, u);
                    self.tangent[at] = of;
                    f
                }
                Map::Natural => {
                    let of = linear(block.law, x, u);
                    self.put(at, &of);
                    of.f
                }
            };
            self.f[at] = f;
            let square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
            sum += operator.weight[at] * operator.weight[at] * square;
        }
        0.5 * sum
    }

    /// Puts the equations of one block in the place of its linearised law.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, of: &Linear) {
        (self.f[at], self.b[at], self.g[at]) = (of.f, of.b, of.g);
        self.tangent[at].mode = None;
    }

    /// The part of the blocks that are linearised in another mode than at the last factorisation.
    pub(crate) fn changed(&self) -> f64 {
        let changed =
            self.tangent.iter().zip(&self.factored).filter(|(of, before)| of.mode != **before).count();
        changed as f64 / self.tangent.len().max(1) as f64
    }

    /// Factorises the matrix of the step with ε; false if it is singular.
    pub(crate) fn factor(&mut self, operator: &Operator, eps: f64) -> bool {
        for (at, block) in operator.blocks.iter().enumerate() {
            let of = &self.tangent[at];
            self.factored[at] = of.mode;
            self.acts[at] = of.mode != Some(ContactMode::Open);
            match of.mode {
                Some(ContactMode::Open) => {}
                Some(ContactMode::Stick) => self.d[at] = Tangent::slope_of_stick(eps),
                Some(ContactMode::Slip) => self.d[at] = of.slope_of_slip(eps),
                None => {
                    let g = &self.g[at];
                    let mut m = self.b[at];
                    for i in 0..block.rows() {
                        (0..3).for_each(|j| m[i][j] += eps * g[i][j]);
                    }
                    if block.rows() == 1 {
                        (m[1][1], m[2][2]) = (1.0, 1.0);
                    }
                    self.c[at] = inverse(&m);
                    self.d[at] = multiply(&self.c[at], g);
                    self.acts[at] = g.iter().flatten().any(|v| *v != 0.0);
                }
            }
        }
        self.eps = eps;
        self.elimination.factor(operator, &self.d, &self.acts)
    }

    /// The step dx: (B + G (W + ε)) dx = −F.
    pub(crate) fn direction(&mut self, operator: &Operator, dx: &mut Vec<f64>) {
        dx.clear();
        dx.resize(operator.q.len(), 0.0);
        self.y.clear();
        self.y.resize(operator.width, 0.0);
        for (at, block) in operator.blocks.iter().enumerate() {
            let f = self.f[at].map(|f| -f);
            let of = &self.tangent[at];
            let c = match of.mode {
                Some(ContactMode::Open) => f,
                Some(ContactMode::Stick) => of.stick(self.eps, f),
                Some(ContactMode::Slip) => of.slip(self.eps, f),
                None => apply(&self.c[at], f),
            };
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

//! What every stage takes and leaves: impulses, their velocities, and how far they are from an answer.

use super::newton::residual;
use super::operator::{Law, Operator};
use crate::tolerances;

/// Impulses x with g = Aᵀ x and u = W x + q, and the best of them so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iterate {
    /// By row, scaled.
    pub(crate) x: Vec<f64>,
    /// By row, scaled.
    pub(crate) u: Vec<f64>,
    /// By degree of freedom.
    pub(crate) g: Vec<f64>,
    /// The natural residual of x.
    pub(crate) natural: f64,
    /// The best impulses that were measured.
    pub(crate) best: Vec<f64>,
    /// Their natural residual.
    pub(crate) best_natural: f64,
}

impl Iterate {
    /// Starts from these impulses, cut to their cones. Friction that is remembered with another coefficient gives way to the load, not the load to it: how
    /// loads that nothing determines are shared would jump to another share as soon as a coefficient falls.
    pub(crate) fn start(&mut self, operator: &Operator, x: &[f64]) {
        self.x.clear();
        self.x.extend_from_slice(x);
        if self.x.iter().any(|v| !v.is_finite()) {
            self.x.fill(0.0);
        }
        for block in &operator.blocks {
            let Law::Cone(mu) = block.law else { continue };
            let [n, x, y] = Operator::of(block, &self.x);
            let (size, most) = (x.hypot(y), mu * n.max(0.0));
            // what is on it keeps its bits
            if size > most * (1.0 + tolerances::ON_EDGE) {
                let f = most / size;
                Operator::put(block, [n, f * x, f * y], &mut self.x);
            }
        }
        self.cut(operator);
        self.best_natural = f64::INFINITY;
        self.measure(operator);
    }

    /// u, g and the residual of x; keeps it if it is the best.
    pub(crate) fn measure(&mut self, operator: &Operator) -> f64 {
        operator.velocities(&self.x, &mut self.g, &mut self.u);
        self.judge(operator)
    }

    /// Takes impulses with their g and u in exchange for its own.
    pub(crate) fn adopt(
        &mut self,
        operator: &Operator,
        x: &mut Vec<f64>,
        g: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> f64 {
        std::mem::swap(&mut self.x, x);
        std::mem::swap(&mut self.g, g);
        std::mem::swap(&mut self.u, u);
        self.judge(operator)
    }

    fn judge(&mut self, operator: &Operator) -> f64 {
        self.natural = residual(operator, &self.x, &self.u);
        if self.natural < self.best_natural {
            self.best_natural = self.natural;
            self.best.clone_from(&self.x);
        }
        self.natural
    }

    /// What counts as one: q, or a millionth of the impulses, whose last bits are worth as much.
    pub(crate) fn unit(&self) -> f64 {
        (tolerances::IMPULSE_UNIT * crate::kernel::max_abs(&self.best)).max(1.0)
    }

    /// From the best impulses on, when errors count otherwise than before.
    pub(crate) fn weigh_again(&mut self, operator: &Operator) {
        self.x.clone_from(&self.best);
        self.best_natural = f64::INFINITY;
        self.measure(operator);
    }

    /// Back to the best impulses.
    pub(crate) fn return_to_best(&mut self, operator: &Operator) {
        if self.natural > self.best_natural {
            self.x.clone_from(&self.best);
            self.measure(operator);
        }
    }

    /// Impulses to the nearest ones that their laws allow.
    pub(crate) fn cut(&mut self, operator: &Operator) {
        for block in &operator.blocks {
            let x = Operator::of(block, &self.x);
            let x = match block.law {
                Law::Cone(mu) => project(mu, x),
                Law::Half => [x[0].max(0.0), 0.0, 0.0],
                Law::Boxed(room) => [x[0].clamp(0.0, room), 0.0, 0.0],
                Law::Free => x,
            };
            Operator::put(block, x, &mut self.x);
        }
    }
}

/// The nearest point of the cone |t| ≤ mu n.
pub(crate) fn project(mu: f64, r: [f64; 3]) -> [f64; 3] {
    let size = (r[1] * r[1] + r[2] * r[2]).sqrt();
    if size <= mu * r[0] {
        r
    } else if mu * size <= -r[0] {
        [0.0; 3]
    } else {
        let normal = (r[0] + mu * size) / (1.0 + mu * mu);
        let f = mu * normal / size;
        [normal, f * r[1], f * r[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::system::System;
    use crate::problem::{FactoredForm, FactoredRow, FrictionProblem};

    /// A load that slid with another coefficient stays as it is, and its friction falls to its bound; what lies in its cone keeps its bits.
    #[test]
    fn a_smaller_coefficient_takes_friction_and_leaves_the_load() {
        let mut form = FactoredForm::default();
        form.clear(3);
        let (index, rows) = ([0, 1, 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        for mu in [0.5, 0.7] {
            let row =
                |k: usize| FactoredRow { index: &index, value: &rows[k], velocity: -1.0, compliance: 0.0 };
            form.contact(mu, [row(0), row(1), row(2)]);
        }
        let problem = FrictionProblem::factored(form).expect("two contacts of one point");
        let (mut system, mut operator, mut at) = (System::default(), Operator::default(), Iterate::default());
        system.rebuild(&problem);
        assert!(operator.load(&system));
        at.start(&operator, &[2.0, 0.72, 0.96, 2.0, 0.72, 0.96]);
        let expected = [2.0, 0.6, 0.8, 2.0, 0.72, 0.96];
        assert!(at.x.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-15), "{:?}", at.x);
        assert_eq!(at.x[3..], expected[3..]);
    }
}

//! Small generators and checks for the tests of this crate.

use gudgeon_lcp::{Budget, FrictionProblem, Lcp, Method, Outcome, Solution, Solver, Start, Status};

/// A generator of numbers that repeats (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In [−1, 1).
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.bits() % limit as u64).unwrap()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// J Jᵀ with J of `rank` columns, plus `ridge` on the diagonal.
pub(crate) fn gram(random: &mut Random, n: usize, rank: usize, ridge: f64) -> Vec<f64> {
    let j: Vec<f64> = (0..n * rank).map(|_| random.signed()).collect();
    let mut m = vec![0.0; n * n];
    for a in 0..n {
        for b in 0..n {
            m[b * n + a] = (0..rank).map(|k| j[a * rank + k] * j[b * rank + k]).sum();
        }
        m[a * n + a] += ridge;
    }
    m
}

pub(crate) fn positive_definite(random: &mut Random, n: usize) -> Lcp {
    let m = gram(random, n, n, 0.1);
    let q = (0..n).map(|_| random.signed()).collect();
    Lcp::from_column_major(m, q).unwrap()
}

/// The n-legged frame of EnzPivot: unit mass, unit inertias, legs at `points` around the centre of mass,
/// pushed down at `load` with one newton-second.
pub(crate) fn frame(points: &[[f64; 2]], load: [f64; 2]) -> Lcp {
    let n = points.len();
    let rows: Vec<Vec<f64>> =
        points.iter().map(|a| points.iter().map(|b| 1.0 + a[0] * b[0] + a[1] * b[1]).collect()).collect();
    let q = points.iter().map(|p| -(1.0 + p[0] * load[0] + p[1] * load[1])).collect();
    assert_eq!(rows.len(), n);
    Lcp::from_rows(&rows, q).unwrap()
}

/// Legs at the corners of a regular polygon, or of one whose angles and radii are jostled.
pub(crate) fn legs(random: &mut Random, n: usize, regular: bool) -> Vec<[f64; 2]> {
    (0..n)
        .map(|i| {
            let jostle = if regular { [0.0; 2] } else { [0.4 * random.signed(), 0.3 * random.signed()] };
            let angle = std::f64::consts::TAU * (i as f64 + jostle[0]) / n as f64;
            let radius = 1.0 + jostle[1];
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect()
}

/// A slab of unit mass on its face: `contacts` points in one plane, falling, sliding and turning a little.
pub(crate) fn resting_face(random: &mut Random, contacts: usize, mu: f64, facets: usize) -> FrictionProblem {
    let velocity: Vec<f64> = (0..6).map(|k| if k == 5 { -1.0 } else { 0.3 * random.signed() }).collect();
    let mut rows: Vec<[f64; 6]> = Vec::new();
    for _ in 0..contacts {
        let [x, y, z] = [random.signed(), random.signed(), -0.2];
        // normal, then tangents: angular part p × d first
        rows.push([y, -x, 0.0, 0.0, 0.0, 1.0]);
        rows.push([0.0, z, -y, 1.0, 0.0, 0.0]);
        rows.push([-z, 0.0, x, 0.0, 1.0, 0.0]);
    }
    let inverse_mass = [3.0, 3.0, 1.5, 1.0, 1.0, 1.0];
    let w: Vec<Vec<f64>> = rows
        .iter()
        .map(|a| rows.iter().map(|b| (0..6).map(|k| a[k] * inverse_mass[k] * b[k]).sum()).collect())
        .collect();
    let q = rows.iter().map(|a| (0..6).map(|k| a[k] * velocity[k]).sum()).collect();
    FrictionProblem::local(&w, q, vec![mu; contacts]).unwrap().with_facets(facets).unwrap()
}

/// Solves cold with a method's own limits, and checks the promise that solved means solved.
pub(crate) fn solve(method: Method, lcp: &Lcp) -> (Outcome, Solution) {
    solve_from(&mut Solver::new(method), lcp, Start::Cold, Budget::default())
}

pub(crate) fn solve_from(
    solver: &mut Solver,
    lcp: &Lcp,
    start: Start<'_>,
    budget: Budget,
) -> (Outcome, Solution) {
    let mut solution = Solution::default();
    let outcome = solver.solve_with(lcp, start, budget, &mut solution, &mut ());
    check(lcp, &outcome, &solution);
    (outcome, solution)
}

/// Every answer is finite, has z ≥ 0 and w = M z + q, and says the truth about its residual.
pub(crate) fn check(lcp: &Lcp, outcome: &Outcome, solution: &Solution) {
    assert_eq!((solution.z.len(), solution.w.len()), (lcp.n(), lcp.n()));
    assert!(solution.z.iter().all(|z| z.is_finite() && *z >= 0.0), "{:?}", solution.z);
    assert!(solution.w.iter().all(|w| w.is_finite()), "{:?}", solution.w);
    let mut w = Vec::new();
    lcp.slack(&solution.z, &mut w);
    assert_eq!(w, solution.w);
    let residual = gudgeon_lcp::Residual::of_lcp(lcp, &solution.z, &solution.w);
    assert_eq!(residual.natural, outcome.residual.natural);
    assert!(!outcome.residual.energy.is_nan() && !outcome.residual.fischer_burmeister.is_nan());
    if outcome.status == Status::Solved {
        assert!(residual.natural <= 1e-9, "solved with {residual:?}");
    }
    assert_eq!(solution.ray.is_some(), outcome.status == Status::Ray);
    if let Some(ray) = &solution.ray {
        assert!(ray.violation(lcp) < 1e-6, "ray violated by {}", ray.violation(lcp));
    }
}

/// The methods of the papers and the textbooks.
pub(crate) const CLASSICAL: [Method; 7] = [
    Method::Lemke,
    Method::Lexicographic,
    Method::Search,
    Method::Murty,
    Method::BlockPivot,
    Method::Dantzig,
    Method::Pgs,
];

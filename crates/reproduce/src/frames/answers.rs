//! Frames on their legs, solved in many orders of the contacts by every implementation.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, FrictionSolution, Method, MlcpSolution, Murty, Solution, Solver,
    Spread, Stabilisation, Start, Status, Structured, canonical,
};
use gudgeon_testkit::Rng;
use gudgeon_testkit::single::frame_on;

/// The five feet by their labels 1 to 5, m. Around the frame they come in the order 1, 3, 4, 5, 2, and the line of
/// action passes close to the edge 1-3, so that just n − 2 = 3 triangles contain it: 1-2-3, 1-3-4 and 1-3-5, those
/// that the paper names.
pub(super) const FEET: [[f64; 2]; 5] =
    [[-0.42, -0.20], [-0.48, 0.22], [0.45, -0.15], [0.38, 0.30], [-0.05, 0.48]];
pub(super) const AROUND: [usize; 5] = [0, 2, 3, 4, 1];
pub(super) const LINE_OF_ACTION: [f64; 2] = [0.0, -0.13];

/// The frame without friction: one unilateral row per foot.
fn problem(feet: &[[f64; 2]], shift: [f64; 2]) -> Result<FrictionProblem, String> {
    let mut form = frame_on(feet).with_line_of_action(shift[0], shift[1]).global();
    form.unilateral = std::mem::take(&mut form.contacts).into_iter().map(|c| c.normal).collect();
    FrictionProblem::global(form).map_err(|e| e.to_string())
}

/// The implementations whose answers are compared.
pub(super) const METHODS: [Method; 6] = [
    Method::Lemke,
    Method::Lexicographic,
    Method::Robust,
    Method::Murty,
    Method::BlockPivot,
    Method::Dantzig,
];

/// Impulses by each method, foot velocities of Lemke's, and the most even impulses; each in the order of `feet`.
struct Answer {
    by_method: Vec<Option<Vec<f64>>>,
    lemke: Vec<f64>,
    velocity: Vec<f64>,
    even: Vec<f64>,
    solved: bool,
}

fn answer(feet: &[[f64; 2]], shift: [f64; 2], order: &[usize]) -> Result<Answer, String> {
    let ordered: Vec<[f64; 2]> = order.iter().map(|&i| feet[i]).collect();
    let problem = problem(&ordered, shift)?;
    let lowered = FrictionLcp::new(&problem, Stabilisation::default()).map_err(|e| e.to_string())?;
    let lcp = lowered.lcp().ok_or("a frame has feet")?;
    let back = |values: &[f64]| {
        let mut out = vec![0.0; order.len()];
        order.iter().zip(values).for_each(|(&i, &v)| out[i] = v);
        out
    };
    let mut boxed = MlcpSolution::default();
    let mut by_method = Vec::new();
    let mut velocity = Vec::new();
    for method in METHODS {
        let mut solution = Solution::default();
        let outcome = Solver::new(method).solve(lcp, &mut solution);
        lowered.recover(&solution, &mut boxed);
        if method == Method::Lemke {
            velocity = back(&boxed.w);
        }
        by_method.push((outcome.status == Status::Solved).then(|| back(&boxed.x)));
    }
    let mut even = FrictionSolution::default();
    let certified = Structured::default().solve(&problem, &mut even).status == Status::Solved;
    let spread = canonical(&problem, &mut even).spread == Spread::Canonical;
    let lemke = by_method[0].clone();
    Ok(Answer {
        solved: lemke.is_some() && certified && spread,
        lemke: lemke.unwrap_or_default(),
        by_method,
        velocity,
        even: back(&even.impulses),
    })
}

/// All orders of 0 .. n.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let smaller = permutations(n - 1);
    smaller.iter().flat_map(|p| (0..n).map(|at| [&p[..at], &[n - 1], &p[at..]].concat())).collect()
}

/// Part of the greatest impulse from which on a leg carries: far above rounding, far below what carries.
const CARRIES: f64 = 1e-9;

/// Which legs carry, by label.
pub(super) fn carriers(z: &[f64]) -> Vec<usize> {
    let most = z.iter().copied().fold(0.0, f64::max);
    (0..z.len()).filter(|&i| z[i] > CARRIES * most).map(|i| i + 1).collect()
}

fn inside(p: [f64; 2], triangle: [[f64; 2]; 3]) -> bool {
    let side = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let [a, b, c] = triangle;
    let s = [side(a, b), side(b, c), side(c, a)];
    s.iter().all(|v| *v > 0.0) || s.iter().all(|v| *v < 0.0)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Of the answers that are carried by the same legs: how many each method gave, and the impulses of one, N s.
pub(super) type Alike = ([usize; METHODS.len()], Vec<f64>);

/// The five-legged frame over all orders of its contacts.
pub(super) struct Pentagon {
    pub(super) orders: usize,
    /// Orders in which Lemke's method and the canonical one ended well.
    pub(super) solved: usize,
    /// Answers by the legs that carry.
    pub(super) by_triangle: BTreeMap<String, Alike>,
    /// Legs that carry, at most.
    pub(super) most_carriers: usize,
    /// Largest difference of a foot's velocity between orders, m/s.
    pub(super) velocity: f64,
    /// Largest difference of a canonical impulse between orders, N s.
    pub(super) even_apart: f64,
    /// Canonical impulses of the first order, N s.
    pub(super) even: Vec<f64>,
}

pub(super) fn pentagon() -> Result<Pentagon, String> {
    let mut by_triangle: BTreeMap<String, Alike> = BTreeMap::new();
    let mut reference: Option<Answer> = None;
    let (mut velocity, mut even_apart, mut most_carriers, mut solved) = (0.0_f64, 0.0_f64, 0, 0);
    let orders = permutations(5);
    for order in &orders {
        let answer = answer(&FEET, LINE_OF_ACTION, order)?;
        solved += usize::from(answer.solved);
        for (m, z) in answer.by_method.iter().enumerate() {
            let Some(z) = z else { continue };
            let legs = carriers(z);
            most_carriers = most_carriers.max(legs.len());
            let name = legs.iter().map(usize::to_string).collect::<Vec<_>>().join("-");
            by_triangle.entry(name).or_insert(([0; METHODS.len()], z.clone())).0[m] += 1;
        }
        match &reference {
            Some(first) => {
                velocity = velocity.max(apart(&first.velocity, &answer.velocity));
                even_apart = even_apart.max(apart(&first.even, &answer.even));
            }
            None => reference = Some(answer),
        }
    }
    let even = reference.ok_or("there are 120 orders")?.even;
    Ok(Pentagon { orders: orders.len(), solved, by_triangle, most_carriers, velocity, even_apart, even })
}

/// The triangles of feet that contain the line of action, by labels.
pub(super) fn containing() -> Vec<String> {
    let mut containing = Vec::new();
    for i in 0..5 {
        for j in i + 1..5 {
            for k in j + 1..5 {
                if inside(LINE_OF_ACTION, [FEET[i], FEET[j], FEET[k]]) {
                    containing.push(format!("{}-{}-{}", i + 1, j + 1, k + 1));
                }
            }
        }
    }
    containing
}

/// What n-legged frames do over many orders.
pub(super) struct Sweep {
    pub(super) legs: usize,
    pub(super) orders: usize,
    pub(super) most_carriers: usize,
    pub(super) velocity: f64,
    pub(super) lemke: f64,
    pub(super) even: f64,
    pub(super) solved: usize,
}

pub(super) fn sweep(legs: usize, orders: usize) -> Result<Sweep, String> {
    let feet: Vec<[f64; 2]> = (0..legs)
        .map(|i| {
            let (s, c) = (TAU * i as f64 / legs as f64).sin_cos();
            [0.5 * c, 0.5 * s]
        })
        .collect();
    let mut rng = Rng::new(legs as u64);
    let shift = [0.11, 0.07];
    let mut sweep = Sweep { legs, orders, most_carriers: 0, velocity: 0.0, lemke: 0.0, even: 0.0, solved: 0 };
    let mut first: Option<Answer> = None;
    for _ in 0..orders {
        let mut order: Vec<usize> = (0..legs).collect();
        rng.shuffle(&mut order);
        let answer = answer(&feet, shift, &order)?;
        sweep.most_carriers = sweep.most_carriers.max(carriers(&answer.lemke).len());
        sweep.solved += usize::from(answer.solved);
        let Some(first) = &first else {
            first = Some(answer);
            continue;
        };
        sweep.velocity = sweep.velocity.max(apart(&first.velocity, &answer.velocity));
        sweep.lemke = sweep.lemke.max(apart(&first.lemke, &answer.lemke));
        sweep.even = sweep.even.max(apart(&first.even, &answer.even));
    }
    Ok(sweep)
}

/// How Murty's method ends from every guess of the five-legged frame, by legs in the guess: solved, cycle, singular.
pub(super) fn murty() -> Result<[[usize; 3]; 6], String> {
    let problem = problem(&FEET, LINE_OF_ACTION)?;
    let lowered = FrictionLcp::new(&problem, Stabilisation::default()).map_err(|e| e.to_string())?;
    let lcp = lowered.lcp().ok_or("a frame has feet")?;
    let mut counts = [[0; 3]; 6];
    for guess in 0..32_u32 {
        let basis: Vec<bool> = (0..5).map(|i| guess >> i & 1 == 1).collect();
        let mut solution = Solution::default();
        let outcome =
            Murty::default().solve_with(lcp, Start::Basis(&basis), Budget::default(), &mut solution, &mut ());
        let end = match outcome.status {
            Status::Solved => 0,
            Status::Cycle => 1,
            _ => 2,
        };
        counts[guess.count_ones() as usize][end] += 1;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_120_orders_of_five() {
        let mut all = permutations(5);
        assert_eq!(all.len(), 120);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 120);
    }
}

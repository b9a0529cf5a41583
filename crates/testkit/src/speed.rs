//! What the structured solver costs in a simulation: the same contacts again and again, the free velocity a little
//! different every time, from scratch and from memory; beside it a plain LU, so that figures of two machines can be
//! compared.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, ConeShape, FactoredForm, FactoredRow, FrictionProblem, FrictionSolution, FrictionTask, RowIds,
    Status, Structured, WarmStart,
};

use crate::rng::Rng;
use crate::scene::Scene;
use crate::{single, stacks};

/// Solves per figure.
const SOLVES: usize = 200;
/// Solves from scratch per figure: they cost more.
const COLD: usize = 12;
/// The largest change of the free velocity, of the largest velocity of a row.
const WIGGLE: f64 = 1e-3;

/// The cost of one case: medians over its solves.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The case.
    pub name: String,
    /// Round or faceted.
    pub cone: ConeShape,
    /// Contacts.
    pub contacts: usize,
    /// Degrees of freedom.
    pub width: usize,
    /// Median time from scratch, s.
    pub cold: f64,
    /// Median pivots from scratch.
    pub cold_pivots: usize,
    /// Median time from memory, s.
    pub warm: f64,
    /// Pivots from memory, mean.
    pub warm_pivots: f64,
    /// Solves from memory without any pivot, and all of them.
    pub at_once: (usize, usize),
    /// Solves that were not solved, of both kinds.
    pub failed: usize,
    /// The largest residual of a solved one.
    pub residual: f64,
}

/// The time of a plain LU of 200 × 200 with row exchanges: what this machine can do now, s.
pub fn yardstick() -> f64 {
    const N: usize = 200;
    let mut rng = Rng::new(1);
    let matrix: Vec<f64> = (0..N * N).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let mut shortest = f64::INFINITY;
    for _ in 0..20 {
        let mut a = matrix.clone();
        let start = Instant::now();
        for c in 0..N {
            let p = (c..N).fold(c, |p, r| if a[r * N + c].abs() > a[p * N + c].abs() { r } else { p });
            if p != c {
                let (upper, lower) = a.split_at_mut(p * N);
                upper[c * N..(c + 1) * N].swap_with_slice(&mut lower[..N]);
            }
            let (upper, lower) = a.split_at_mut((c + 1) * N);
            let pivot_row = &upper[c * N + c..];
            for row in lower.chunks_exact_mut(N) {
                let f = row[c] / pivot_row[0];
                row[c] = f;
                row[c + 1..].iter_mut().zip(&pivot_row[1..]).for_each(|(v, u)| *v -= f * u);
            }
        }
        std::hint::black_box(&a);
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    shortest
}

/// The cases: at rest, sliding, redundant.
pub fn cases() -> Vec<(String, FactoredForm)> {
    let form = |scene: &Scene| scene.problem().to_factored().expect("a scene has a mass");
    let mut rng = Rng::new(4);
    let mut sliding = single::frame(16, [0.05, 0.0]).with_mu(0.3);
    sliding.bodies[0].velocity = [0.4, 0.15, 0.0];
    let mut toppling = stacks::stack(10);
    toppling.bodies[6].velocity = [0.3, 0.1, 0.0];
    vec![
        ("frame, 16 feet, at rest".to_owned(), form(&single::frame(16, [0.05, 0.0]))),
        ("frame, 16 feet, sliding".to_owned(), form(&sliding)),
        ("tree, 27 dof, at rest".to_owned(), tree(27, 20, &mut rng)),
        ("stack of 10, 40 contacts".to_owned(), form(&stacks::stack(10))),
        ("stack of 10, 80 contacts".to_owned(), form(&stacks::tower(10, 80))),
        ("stack of 10, one sliding".to_owned(), form(&toppling)),
        ("peg, 32 contacts".to_owned(), form(&single::peg(32).pushed(2.0, &mut rng))),
        ("peg, 128 contacts".to_owned(), form(&single::peg(128).pushed(2.0, &mut rng))),
        ("wall, 30 bricks".to_owned(), form(&stacks::brick_wall(12))),
    ]
}

/// Contacts of a tree whose links all hang together: every row is full. Pressed on the ground.
fn tree(dof: usize, contacts: usize, rng: &mut Rng) -> FactoredForm {
    let mut form = FactoredForm::default();
    form.clear(dof);
    let index: Vec<usize> = (0..dof).collect();
    let push: Vec<f64> = (0..dof).map(|_| 0.02 * rng.uniform(-1.0, 1.0)).collect();
    for _ in 0..contacts {
        let values: [Vec<f64>; 3] = [0; 3].map(|_| (0..dof).map(|_| rng.uniform(-0.5, 0.5)).collect());
        let velocity = |k: usize| -> f64 { values[k].iter().zip(&push).map(|(v, p)| v * p).sum() };
        let row = |k: usize| FactoredRow {
            index: &index,
            value: &values[k],
            velocity: if k == 0 { -velocity(0).abs() - 0.05 } else { velocity(k) },
            compliance: 0.0,
        };
        form.contact(0.6, [row(0), row(1), row(2)]);
    }
    form
}

/// The same rows under a slightly different free velocity.
pub fn wiggle(from: &FactoredForm, size: f64, rng: &mut Rng, push: &mut Vec<f64>, to: &mut FactoredForm) {
    push.clear();
    push.extend((0..from.width()).map(|_| size * rng.uniform(-1.0, 1.0)));
    let row = |k: usize| {
        let row = from.row(k);
        let moved: f64 = row.index.iter().zip(row.value).map(|(&i, v)| v * push[i]).sum();
        FactoredRow { velocity: row.velocity + moved, ..row }
    };
    to.clear(from.width());
    for (i, &mu) in from.mu().iter().enumerate() {
        to.contact(mu, [row(3 * i), row(3 * i + 1), row(3 * i + 2)]);
    }
    let first = 3 * from.n_contacts();
    for k in 0..from.n_unilateral() {
        to.unilateral(row(first + k));
    }
    let first = first + from.n_unilateral();
    for (k, &(lo, hi)) in from.bounds().iter().enumerate() {
        to.bounded(row(first + k), lo, hi);
    }
    for k in first + from.n_bounded()..from.n_rows() {
        to.equality(row(k));
    }
}

/// Measures one case.
pub fn measure(name: &str, form: &FactoredForm, cone: ConeShape) -> Figure {
    let largest = form.rows().fold(0.0, |m: f64, row| m.max(row.velocity.abs()));
    let mut rng = Rng::new(11);
    let mut push = Vec::new();
    let mut problem = FrictionProblem::factored(form.clone()).expect("a case is a problem");
    let ids: Vec<u64> = (0..form.n_contacts() as u64).collect();
    let ids = RowIds { contacts: &ids, ..RowIds::default() };
    let mut solver = Structured::default();
    let mut solution = FrictionSolution::default();
    let (mut failed, mut residual) = (0, 0.0_f64);
    let mut solve = |warm: &mut WarmStart| {
        let filled = problem.refill(|to| wiggle(form, WIGGLE * largest, &mut rng, &mut push, to));
        filled.expect("a case is a problem");
        let start = Instant::now();
        let outcome = solver.solve_warm(
            FrictionTask { problem: &problem, cone, ids, budget: Budget::default() },
            warm,
            &mut solution,
            &mut (),
        );
        let seconds = start.elapsed().as_secs_f64();
        if outcome.status == Status::Solved {
            residual = residual.max(outcome.residual.natural);
        } else {
            failed += 1;
        }
        (seconds, outcome.pivots)
    };
    let mut warm = WarmStart::default();
    let mut cold: Vec<(f64, usize)> = (0..COLD)
        .map(|_| {
            warm.clear();
            solve(&mut warm)
        })
        .collect();
    let warm: Vec<(f64, usize)> = (0..SOLVES).map(|_| solve(&mut warm)).collect();
    let median = |times: &mut Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        times[times.len() / 2]
    };
    cold.sort_unstable_by_key(|c| c.1);
    Figure {
        name: name.to_owned(),
        cone,
        contacts: form.n_contacts(),
        width: form.width(),
        cold: median(&mut cold.iter().map(|c| c.0).collect()),
        cold_pivots: cold[COLD / 2].1,
        warm: median(&mut warm.iter().map(|w| w.0).collect()),
        warm_pivots: warm.iter().map(|w| w.1).sum::<usize>() as f64 / SOLVES as f64,
        at_once: (warm.iter().filter(|w| w.1 == 0).count(), SOLVES),
        failed,
        residual,
    }
}

/// All figures as a Markdown table, with the yardstick of the same run.
pub fn report() -> String {
    use std::fmt::Write as _;
    let lu = yardstick();
    let mut out = format!("LU of 200 x 200, plain: {:.3} ms\n\n", 1e3 * lu);
    out += "| case | contacts | dof | cone | cold | /LU | pivots | warm | /LU | pivots | at once | failed | residual |\n";
    out += "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (name, form) in cases() {
        for cone in [ConeShape::Facets, ConeShape::Exact] {
            let f = measure(&name, &form, cone);
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {:.3} ms | {:.2} | {} | {:.1} us | {:.3} | {:.2} | {}/{} | {} | {:.1e} |",
                f.contacts,
                f.width,
                if cone == ConeShape::Exact { "exact" } else { "8 sides" },
                1e3 * f.cold,
                f.cold / lu,
                f.cold_pivots,
                1e6 * f.warm,
                f.warm / lu,
                f.warm_pivots,
                f.at_once.0,
                f.at_once.1,
                f.failed,
                f.residual,
            );
        }
    }
    out
}

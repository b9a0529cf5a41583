//! The n-legged frames of [EnzPivot]: three legs carry, which three depends on the order of the contacts, and what does
//! not depend on it.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, FrictionSolution, Method, MlcpSolution, Murty, Solution, Solver,
    Spread, Stabilisation, Start, Status, Structured, canonical,
};
use gudgeon_testkit::Rng;
use gudgeon_testkit::single::frame_on;
use serde_json::{Value, json};

use super::report::{Report, Table};
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};

/// The five feet by their labels 1 to 5, m. Around the frame they come in the order 1, 3, 4, 5, 2, and the line of
/// action passes close to the edge 1-3, so that just n − 2 = 3 triangles contain it: 1-2-3, 1-3-4 and 1-3-5, those
/// that the paper names.
const FEET: [[f64; 2]; 5] = [[-0.42, -0.20], [-0.48, 0.22], [0.45, -0.15], [0.38, 0.30], [-0.05, 0.48]];
const AROUND: [usize; 5] = [0, 2, 3, 4, 1];
const LINE_OF_ACTION: [f64; 2] = [0.0, -0.13];

pub(super) fn settings(scale: Scale) -> Value {
    json!({"legs": scale.pick(vec![4, 5, 6, 8, 12, 16, 24, 32, 48, 64], vec![4, 5, 8, 16, 64], vec![4, 5]), "orders": scale.pick(100, 40, 4)})
}

/// The frame without friction: one unilateral row per foot.
fn problem(feet: &[[f64; 2]], shift: [f64; 2]) -> Result<FrictionProblem, String> {
    let mut form = frame_on(feet).with_line_of_action(shift[0], shift[1]).global();
    form.unilateral = std::mem::take(&mut form.contacts).into_iter().map(|c| c.normal).collect();
    FrictionProblem::global(form).map_err(|e| e.to_string())
}

/// The implementations whose answers are compared.
const METHODS: [Method; 6] = [
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

/// Which legs carry, by label.
fn carriers(z: &[f64]) -> Vec<usize> {
    let most = z.iter().copied().fold(0.0, f64::max);
    (0..z.len()).filter(|&i| z[i] > 1e-9 * most).map(|i| i + 1).collect()
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

/// What n-legged frames do over many orders.
struct Sweep {
    legs: usize,
    orders: usize,
    most_carriers: usize,
    velocity: f64,
    lemke: f64,
    even: f64,
    solved: usize,
}

fn sweep(legs: usize, orders: usize) -> Result<Sweep, String> {
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
fn murty() -> Result<[[usize; 3]; 6], String> {
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

pub(super) fn frames(task: &Task) -> Result<Report, String> {
    let mut report = Report::default();
    let mut by_triangle: BTreeMap<String, ([usize; METHODS.len()], Vec<f64>)> = BTreeMap::new();
    let mut reference: Option<Answer> = None;
    let (mut velocity, mut even, mut most, mut solved) = (0.0_f64, 0.0_f64, 0, 0);
    let orders = permutations(5);
    for order in &orders {
        let answer = answer(&FEET, LINE_OF_ACTION, order)?;
        solved += usize::from(answer.solved);
        for (m, z) in answer.by_method.iter().enumerate() {
            let Some(z) = z else { continue };
            let legs = carriers(z);
            most = most.max(legs.len());
            let name = legs.iter().map(usize::to_string).collect::<Vec<_>>().join("-");
            by_triangle.entry(name).or_insert(([0; METHODS.len()], z.clone())).0[m] += 1;
        }
        match &reference {
            Some(first) => {
                velocity = velocity.max(apart(&first.velocity, &answer.velocity));
                even = even.max(apart(&first.even, &answer.even));
            }
            None => reference = Some(answer),
        }
    }
    let reference = reference.ok_or("there are 120 orders")?;
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
    let found: Vec<String> = by_triangle.keys().cloned().collect();
    let mut header = vec!["carried by", "leg 1", "leg 2", "leg 3", "leg 4", "leg 5"];
    header.extend(METHODS.map(Method::name));
    let mut table = Table::new(
        "The five-legged frame: impulses of one step, mN s, and how many of the 120 orders end so",
        &header,
    );
    let milli = |z: &[f64]| z.iter().map(|v| format!("{:.3}", 1e3 * v)).collect::<Vec<_>>();
    for (name, (counts, z)) in &by_triangle {
        table.row(std::iter::once(name.clone()).chain(milli(z)).chain(counts.map(|c| c.to_string())));
    }
    let blank = METHODS.map(|_| String::new());
    table.row(std::iter::once("canonical".to_owned()).chain(milli(&reference.even)).chain(blank));
    report.tables.push(table);

    let murty = murty()?;
    let mut table = Table::new(
        "Murty's method on it, from all 32 guesses",
        &["legs in the guess", "solved", "cycle", "singular block"],
    );
    for (legs, [a, b, c]) in murty.iter().enumerate() {
        table.row([legs.to_string(), a.to_string(), b.to_string(), c.to_string()]);
    }
    report.tables.push(table);

    let mut sweeps = Vec::new();
    let legs = task.counts("legs");
    for (k, &n) in legs.iter().enumerate() {
        sweeps.push(sweep(n, task.count("orders"))?);
        task.progress("frames", (k + 1) as f64 / legs.len() as f64);
    }
    let mut table = Table::new(
        "Regular frames in random orders: largest differences between orders",
        &[
            "legs",
            "orders",
            "legs that carry, at most",
            "foot velocity, m/s",
            "Lemke's impulses, N s",
            "canonical impulses, N s",
        ],
    );
    for s in &sweeps {
        table.row([
            s.legs.to_string(),
            s.orders.to_string(),
            s.most_carriers.to_string(),
            format!("{:.1e}", s.velocity),
            format!("{:.1e}", s.lemke),
            format!("{:.1e}", s.even),
        ]);
    }
    report.tables.push(table);

    let all = sweeps.iter().all(|s| s.solved == s.orders) && solved == orders.len();
    report.check(
        "Lemke's method always finds a solution",
        "always",
        if all { "always" } else { "not always" },
        all,
    );
    let three = sweeps.iter().map(|s| s.most_carriers).chain([most]).max().unwrap_or(0);
    report.check("at most three legs carry", "3", three.to_string(), three <= 3);
    report.check(
        "the triangles that contain the line of action",
        "1-2-3, 1-3-4, 1-3-5",
        containing.join(", "),
        containing == ["1-2-3", "1-3-4", "1-3-5"],
    );
    let varied = (0..METHODS.len()).filter(|&m| by_triangle.values().filter(|(c, _)| c[m] > 0).count() > 1);
    let varied: Vec<&str> = varied.map(|m| METHODS[m].name()).collect();
    report.check(
        "which of them carries depends on the implementation",
        "different answers",
        found.join(", "),
        found.len() > 1 && found.iter().all(|f| containing.contains(f)),
    );
    report.check(
        "and on the order of the contacts",
        "different answers",
        format!("with {}", varied.join(", ")),
        !varied.is_empty(),
    );
    let w = sweeps.iter().map(|s| s.velocity).fold(velocity, f64::max);
    report.check("the motion does not depend on the order", "w is unique", format!("{w:.1e} m/s"), w < 1e-12);
    let even = sweeps.iter().map(|s| s.even).fold(even, f64::max);
    report.check(
        "canonical impulses do not depend on the order",
        "proposed, not tried",
        format!("{even:.1e} N s"),
        even < 1e-12,
    );
    let singular: usize = murty.iter().map(|m| m[2]).sum();
    report.check(
        "Murty's method meets singular blocks",
        "may not find a solution",
        format!("{singular} of 32 guesses"),
        singular > 0,
    );
    report.pictures.push(("The five-legged frame from above. The line of action pierces the ground at the cross; the triangles are the answers of six implementations over all orders; discs are the canonical impulses, by area.".into(), picture(&by_triangle, &reference.even)));
    report.exact("At most three legs carry; the answers are the n − 2 = 3 triangles around the line of action that the paper lists; w is unique; Murty's method fails from guesses with more legs than the rank.");
    report.differs("Lemke's method compares exactly here and ends in the same triangle in every order; the other implementations do not, and neither does it on regular frames of five and six legs.");
    report.differs("The paper prints no coordinates: the pentagon is ours, laid out so that its list of triangles comes out.");
    report.differs("Most evenly distributed impulses are the paper's closing idea; here they are computed (least norm in the effective-mass metric).");
    report.data = json!({
        "feet": FEET, "line_of_action": LINE_OF_ACTION, "containing": containing,
        "answers": by_triangle.iter().map(|(name, (count, z))| json!({"legs": name, "orders_by_method": METHODS.iter().zip(count).map(|(m, n)| (m.name().to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(), "impulses": z})).collect::<Vec<_>>(),
        "canonical": reference.even, "murty_solved_cycle_singular_by_legs": murty,
        "regular": sweeps.iter().map(|s| json!({"legs": s.legs, "orders": s.orders, "carriers": s.most_carriers, "velocity": s.velocity, "lemke": s.lemke, "canonical": s.even})).collect::<Vec<_>>(),
    });
    Ok(report)
}

fn picture(answers: &BTreeMap<String, ([usize; METHODS.len()], Vec<f64>)>, even: &[f64]) -> String {
    let axes = || (Axis::linear("x, m").within(-0.75, 0.75), Axis::linear("y, m").within(-0.4, 0.65));
    let weight: f64 = even.iter().sum();
    let outline = |chart: &mut Chart| {
        let mut around: Vec<[f64; 2]> = AROUND.iter().map(|&i| FEET[i]).collect();
        around.push(around[0]);
        chart.stroke("", COLOURS[6], &around, 1.0, "4 3");
        for (i, [x, y]) in FEET.iter().enumerate() {
            chart.text([x * 1.16, y * 1.16], &(i + 1).to_string(), "middle");
        }
        let [x, y] = LINE_OF_ACTION;
        for d in [[0.02, 0.02], [0.02, -0.02]] {
            chart.stroke("", "#000000", &[[x - d[0], y - d[1]], [x + d[0], y + d[1]]], 1.5, "");
        }
    };
    let discs = |chart: &mut Chart, z: &[f64], colour: &str| {
        for (foot, z) in FEET.iter().zip(z).filter(|(_, z)| **z > 0.0) {
            chart.dots("", colour, 2.0 + 26.0 * (z / weight).sqrt(), &[*foot]);
        }
    };
    let mut charts = Vec::new();
    for (k, (name, (counts, z))) in answers.iter().enumerate() {
        let (x, y) = axes();
        let mut chart = Chart::new(
            &format!("{name}: {} of {} answers", counts.iter().sum::<usize>(), 120 * METHODS.len()),
            x,
            y,
        )
        .equal();
        let corners: Vec<[f64; 2]> = carriers(z).iter().map(|&leg| FEET[leg - 1]).collect();
        chart.area("", COLOURS[k % 6], 0.25, &corners);
        outline(&mut chart);
        discs(&mut chart, z, COLOURS[k % 6]);
        charts.push(chart);
    }
    let (x, y) = axes();
    let mut chart = Chart::new("Canonical: every order", x, y).equal();
    outline(&mut chart);
    discs(&mut chart, even, COLOURS[6]);
    charts.push(chart);
    sheet(&charts, 2)
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

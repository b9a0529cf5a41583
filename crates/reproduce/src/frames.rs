//! The n-legged frames of [EnzPivot]: three legs carry, which three depends on the order of the contacts, and what does
//! not depend on it.

mod answers;

use gudgeon_lcp::Method;
use serde_json::{Value, json};

use self::answers::{
    AROUND, FEET, LINE_OF_ACTION, METHODS, Pentagon, Sweep, carriers, containing, murty, pentagon, sweep,
};
use super::report::{Report, Table};
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};

pub(super) fn settings(scale: Scale) -> Value {
    json!({"legs": scale.pick(vec![4, 5, 6, 8, 12, 16, 24, 32, 48, 64], vec![4, 5, 8, 16, 64], vec![4, 5]), "orders": scale.pick(100, 40, 4)})
}

/// Difference between orders that is none, m/s or N s: the rounding of a solve. What does depend on the order differs by thousandths.
const SAME: f64 = 1e-12;

pub(super) fn frames(task: &Task) -> Result<Report, String> {
    let (pentagon, containing, murty) = (pentagon()?, containing(), murty()?);
    let mut sweeps = Vec::new();
    let legs = task.counts("legs");
    for (k, &n) in legs.iter().enumerate() {
        sweeps.push(sweep(n, task.count("orders"))?);
        task.progress("frames", (k + 1) as f64 / legs.len() as f64);
    }
    let tables = vec![pentagon_table(&pentagon), murty_table(&murty), sweep_table(&sweeps)];
    let mut report = Report { tables, ..Report::default() };
    compare_carriers(&mut report, &pentagon, &sweeps);
    compare_triangles(&mut report, &pentagon, &containing);
    compare_orders(&mut report, &pentagon, &sweeps, &murty);
    report.pictures.push(("The five-legged frame from above. The line of action pierces the ground at the cross; the triangles are the answers of six implementations over all orders; discs are the canonical impulses, by area.".into(), picture(&pentagon)));
    report.exact("At most three legs carry; the answers are the n − 2 = 3 triangles around the line of action that the paper lists; w is unique; Murty's method fails from guesses with more legs than the rank.");
    report.differs("Lemke's method compares exactly here and ends in the same triangle in every order; the other implementations do not, and neither does it on regular frames of five and six legs.");
    report.differs("The paper prints no coordinates: the pentagon is ours, laid out so that its list of triangles comes out.");
    report.differs("Most evenly distributed impulses are the paper's closing idea; here they are computed (least norm in the effective-mass metric).");
    report.data = json!({
        "feet": FEET, "line_of_action": LINE_OF_ACTION, "containing": containing,
        "answers": pentagon.by_triangle.iter().map(|(name, (count, z))| json!({"legs": name, "orders_by_method": METHODS.iter().zip(count).map(|(m, n)| (m.name().to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(), "impulses": z})).collect::<Vec<_>>(),
        "canonical": pentagon.even, "murty_solved_cycle_singular_by_legs": murty,
        "regular": sweeps.iter().map(|s| json!({"legs": s.legs, "orders": s.orders, "carriers": s.most_carriers, "velocity": s.velocity, "lemke": s.lemke, "canonical": s.even})).collect::<Vec<_>>(),
    });
    Ok(report)
}

fn pentagon_table(pentagon: &Pentagon) -> Table {
    let mut header = vec!["carried by", "leg 1", "leg 2", "leg 3", "leg 4", "leg 5"];
    header.extend(METHODS.map(Method::name));
    let mut table = Table::new(
        "The five-legged frame: impulses of one step, mN s, and how many of the 120 orders end so",
        &header,
    );
    let milli = |z: &[f64]| z.iter().map(|v| format!("{:.3}", 1e3 * v)).collect::<Vec<_>>();
    for (name, (counts, z)) in &pentagon.by_triangle {
        table.row(std::iter::once(name.clone()).chain(milli(z)).chain(counts.map(|c| c.to_string())));
    }
    let blank = METHODS.map(|_| String::new());
    table.row(std::iter::once("canonical".to_owned()).chain(milli(&pentagon.even)).chain(blank));
    table
}

fn murty_table(by_legs: &[[usize; 3]]) -> Table {
    let mut table = Table::new(
        "Murty's method on it, from all 32 guesses",
        &["legs in the guess", "solved", "cycle", "singular block"],
    );
    for (legs, [a, b, c]) in by_legs.iter().enumerate() {
        table.row([legs.to_string(), a.to_string(), b.to_string(), c.to_string()]);
    }
    table
}

fn sweep_table(sweeps: &[Sweep]) -> Table {
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
    for s in sweeps {
        table.row([
            s.legs.to_string(),
            s.orders.to_string(),
            s.most_carriers.to_string(),
            format!("{:.1e}", s.velocity),
            format!("{:.1e}", s.lemke),
            format!("{:.1e}", s.even),
        ]);
    }
    table
}

/// What the paper says of every frame, beside ours: there is an answer, and three legs carry.
fn compare_carriers(report: &mut Report, pentagon: &Pentagon, sweeps: &[Sweep]) {
    let all = sweeps.iter().all(|s| s.solved == s.orders) && pentagon.solved == pentagon.orders;
    report.check(
        "Lemke's method always finds a solution",
        "always",
        if all { "always" } else { "not always" },
        all,
    );
    let three = sweeps.iter().map(|s| s.most_carriers).chain([pentagon.most_carriers]).max().unwrap_or(0);
    report.check("at most three legs carry", "3", three.to_string(), three <= 3);
}

/// What it says of the five-legged one: which three.
fn compare_triangles(report: &mut Report, pentagon: &Pentagon, containing: &[String]) {
    let by_triangle = &pentagon.by_triangle;
    let found: Vec<String> = by_triangle.keys().cloned().collect();
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
}

/// What does not depend on the order, and how Murty's method ends.
fn compare_orders(report: &mut Report, pentagon: &Pentagon, sweeps: &[Sweep], murty: &[[usize; 3]]) {
    let w = sweeps.iter().map(|s| s.velocity).fold(pentagon.velocity, f64::max);
    report.check("the motion does not depend on the order", "w is unique", format!("{w:.1e} m/s"), w < SAME);
    let even = sweeps.iter().map(|s| s.even).fold(pentagon.even_apart, f64::max);
    report.check(
        "canonical impulses do not depend on the order",
        "proposed, not tried",
        format!("{even:.1e} N s"),
        even < SAME,
    );
    let singular: usize = murty.iter().map(|m| m[2]).sum();
    report.check(
        "Murty's method meets singular blocks",
        "may not find a solution",
        format!("{singular} of 32 guesses"),
        singular > 0,
    );
}

fn picture(pentagon: &Pentagon) -> String {
    let (answers, even) = (&pentagon.by_triangle, &pentagon.even);
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

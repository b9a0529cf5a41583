//! EnzError's case study of a rod, and the isolines of Figures 1 and 2.

use gudgeon_lcp::{Lcp, Mlcp, lcp_errors, mlcp_errors};
use serde_json::{Value, json};

use super::report::{Report, Table};
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};

pub(super) fn rod_settings(_: Scale) -> Value {
    json!({"h": 0.01, "g": 9.81, "torque": 10.0})
}

/// What the guess x1 = 0, w2 = 0 leads to: x2, w1, then the energy errors of both rows, and the sums of the natural
/// residual and of Fischer-Burmeister.
fn guess(a: f64, c: f64, turn: f64, h: f64, g: f64) -> Result<[f64; 6], String> {
    let lcp = Lcp::from_rows(&[[a, c], [c, a]], vec![-h * (g + turn), -h * (g - turn)])
        .map_err(|e| e.to_string())?;
    let x2 = -lcp.q()[1] / a;
    let w1 = c * x2 + lcp.q()[0];
    let errors = lcp_errors(&lcp, &[0.0, x2], &[w1, 0.0]);
    let total = errors.total();
    Ok([x2, w1, errors.rows[0].energy, errors.rows[1].energy, total.natural, total.fischer_burmeister])
}

/// The paper prints four decimals: half of the last, and a little for how it was rounded.
const PRINTED: f64 = 6e-5;

pub(super) fn rod(task: &Task) -> Result<Report, String> {
    let (h, g, t) = (task.real("h"), task.real("g"), task.real("torque"));
    let (m, l) = (1.5, 1.5);
    // as printed in (22)-(23): a uniform rod
    let printed = guess(4.0 / m, -2.0 / m, 6.0 * t / (m * l), h, g)?;
    // two masses of 1 kg, 0.5 m apart: 2/m on the diagonal, nothing beside it, and 2 T / (m l) = 20 m/s²
    let dumbbell = guess(1.0, 0.0, 20.0, h, g)?;
    let paper = [-0.1019, -0.2981, 4.44e-2, 5.2e-3, 0.2981 + 0.1019, 0.2981 + 0.1019];
    let mut report = Report::default();
    let mut table = Table::new(
        "The rod after the wrong guess",
        &["", "paper", "its printed data give", "a dumbbell of 2 x 1 kg, 0.5 m gives"],
    );
    let names = [
        "x2, N s",
        "w1, m/s",
        "energy error of row 1, J",
        "energy error of row 2, J",
        "sum of natural residuals",
        "sum of Fischer-Burmeister",
    ];
    for (k, name) in names.iter().enumerate() {
        table.row([
            (*name).to_owned(),
            format!("{:.4}", paper[k]),
            format!("{:.4}", printed[k]),
            format!("{:.4}", dumbbell[k]),
        ]);
    }
    table.row([
        "total energy error, J".into(),
        "0.0496".into(),
        format!("{:.4}", printed[2] + printed[3]),
        format!("{:.4}", dumbbell[2] + dumbbell[3]),
    ]);
    report.tables.push(table);
    for k in 0..4 {
        report.check(
            names[k],
            &format!("{:.4}", paper[k]),
            format!("{:.4}", dumbbell[k]),
            (dumbbell[k] - paper[k]).abs() < PRINTED,
        );
    }
    let total = dumbbell[2] + dumbbell[3];
    report.check("total energy error, J", "0.0496", format!("{total:.4}"), (total - 4.96e-2).abs() < PRINTED);
    let mut chart = Chart::new("Energy error of a wrong guess", Axis::linear(""), Axis::linear("J"))
        .named(&["row 1", "row 2", "total"].map(String::from));
    let columns = [
        ("paper", [4.44e-2, 5.2e-3, 4.96e-2]),
        ("dumbbell", [dumbbell[2], dumbbell[3], total]),
        ("printed data", [printed[2], printed[3], printed[2] + printed[3]]),
    ];
    for (c, (name, values)) in columns.iter().enumerate() {
        for (k, v) in values.iter().enumerate() {
            chart.bar(name, COLOURS[c], k as f64 + 0.26 * (c as f64 - 1.0), 0.24, 0.0, *v);
        }
    }
    report.pictures.push(("The case study in joules.".into(), sheet(&[chart], 1)));
    report.exact(
        "The paper's five figures, by its own formulas (16) to (21), on the data that they belong to.",
    );
    report.differs("The data printed in (22) and (23), a uniform rod of 1.5 kg and 1.5 m under 10 N m, do not give the figures printed below them. A dumbbell of two 1 kg masses 0.5 m apart gives all five.");
    report.differs(
        "By (5) a negative impulse counts twice in the Fischer-Burmeister function; the text counts it once.",
    );
    report.data = json!({"columns": names, "paper": paper, "printed_data": printed, "dumbbell": dumbbell});
    Ok(report)
}

pub(super) fn isolines_settings(scale: Scale) -> Value {
    json!({"a": 1.0, "grid": scale.pick(200, 200, 40), "levels": [0.125, 0.5, 1.125, 2.0], "friction_bounds": [-1.0, 1.0]})
}

/// The energy error of one row with inverse effective mass a.
fn row_energy(x: f64, w: f64, bounds: [f64; 2], a: f64) -> f64 {
    let mlcp = Mlcp::from_rows(&[[a]], vec![w - a * x], vec![bounds[0]], vec![bounds[1]])
        .expect("finite and ordered");
    mlcp_errors(&mlcp, &[x], &[w]).rows[0].energy
}

/// Where a function on a grid over [−2, 2]² takes a value, as short lines (marching squares).
fn isoline(values: &[Vec<f64>], level: f64) -> Vec<[[f64; 2]; 2]> {
    let n = values.len() - 1;
    let at = |k: usize| -2.0 + 4.0 * k as f64 / n as f64;
    let mut lines = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            let mut cuts = Vec::new();
            for k in 0..4 {
                let ((a, b), (c, d)) = (corners[k], corners[(k + 1) % 4]);
                let (u, v) = (values[a][b] - level, values[c][d] - level);
                if (u < 0.0) != (v < 0.0) {
                    let t = u / (u - v);
                    cuts.push([at(a) + t * (at(c) - at(a)), at(b) + t * (at(d) - at(b))]);
                }
            }
            lines.extend(cuts.chunks_exact(2).map(|c| [c[0], c[1]]));
        }
    }
    lines
}

#[expect(clippy::unnecessary_wraps, reason = "an item may fail")]
pub(super) fn isolines(task: &Task) -> Result<Report, String> {
    let (a, n) = (task.real("a"), task.count("grid"));
    let levels: Vec<f64> =
        task.settings["levels"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let mut report = Report::default();
    let infinity = f64::INFINITY;
    let panels = [
        ("Contact, 0 ≤ x", [0.0, infinity], vec![[0.0, 2.0], [0.0, 0.0], [2.0, 0.0]]),
        ("Friction, −1 ≤ x ≤ 1", [-1.0, 1.0], vec![[-1.0, 2.0], [-1.0, 0.0], [1.0, 0.0], [1.0, -2.0]]),
    ];
    let mut charts = Vec::new();
    let mut worst = 0.0_f64;
    let at = |k: usize| -2.0 + 4.0 * k as f64 / n as f64;
    for (name, bounds, zero) in &panels {
        let values: Vec<Vec<f64>> =
            (0..=n).map(|i| (0..=n).map(|j| row_energy(at(i), at(j), *bounds, a)).collect()).collect();
        let mut chart = Chart::new(
            name,
            Axis::linear("x, N s").within(-2.0, 2.0),
            Axis::linear("w, m/s").within(-2.0, 2.0),
        )
        .equal();
        for level in &levels {
            // one path with gaps per level
            let points: Vec<[f64; 2]> =
                isoline(&values, *level).iter().flat_map(|[p, q]| [*p, *q, [f64::NAN; 2]]).collect();
            chart.stroke("", "#333333", &points, 0.9, "");
        }
        // along w = ± a (x − bound) both kinds of error are equal
        for x in bounds.iter().filter(|x| x.is_finite()) {
            chart.stroke("", COLOURS[1], &[[x - 2.0, -2.0 * a], [x + 2.0, 2.0 * a]], 1.0, "5 4");
        }
        chart.stroke("", COLOURS[0], zero, 2.5, "");
        for leg in zero.windows(2) {
            for k in 0..=20 {
                let t = f64::from(k) / 20.0;
                let p: [f64; 2] = std::array::from_fn(|i| leg[0][i] + t * (leg[1][i] - leg[0][i]));
                worst = worst.max(row_energy(p[0], p[1], *bounds, a));
            }
        }
        charts.push(chart);
    }
    report.pictures.push(("Lines of equal energy error, 0.125, 0.5, 1.125 and 2 J for a = 1 / kg. Blue: no error. Dashed: the error grows with the square of the way along them.".into(), sheet(&charts, 2)));
    report.check("no error on the blue lines", "0 J", format!("{worst:.1e} J"), worst == 0.0);
    // by hand from (16) to (20), a = 1
    let spots: [([f64; 2], [f64; 2], f64, &str); 6] = [
        ([-1.0, 0.0], [0.0, infinity], 0.5, "contact that pulls with 1 N s"),
        ([0.0, -1.0], [0.0, infinity], 0.5, "contact that closes with 1 m/s"),
        ([1.0, 2.0], [0.0, infinity], 0.5, "contact that presses 1 N s and opens with 2 m/s"),
        ([2.0, 0.0], [-1.0, 1.0], 0.5, "friction 1 N s over its bound"),
        ([0.0, 2.0], [-1.0, 1.0], 0.5, "friction 1 N s short of its bound, sliding with 2 m/s"),
        ([0.0, 0.5], [-1.0, 1.0], 0.125, "friction sliding with 0.5 m/s"),
    ];
    let mut table = Table::new(
        "Single points, by hand and by program",
        &["", "x, N s", "w, m/s", "by (16)-(20), J", "here, J"],
    );
    let mut equal = true;
    for ([x, w], bounds, expected, what) in spots {
        let ours = row_energy(x, w, bounds, 1.0);
        equal &= ours == expected;
        table.row([what.to_owned(), x.to_string(), w.to_string(), expected.to_string(), ours.to_string()]);
    }
    report.tables.push(table);
    report.check(
        "six points worked out by hand",
        "(16)-(20)",
        if equal { "equal to the bit" } else { "differ" },
        equal,
    );
    let ratio = row_energy(-1.0, -1.0, [0.0, infinity], 1.0) / row_energy(-0.5, -0.5, [0.0, infinity], 1.0);
    report.check(
        "twice as far along a dashed line, four times the error",
        "quadratic",
        ratio.to_string(),
        ratio == 4.0,
    );
    report.exact("The measure (16) to (20) with a = 1 / kg over −2 ≤ x, w ≤ 2.");
    report.differs("The bounds of Figure 2 and the levels of the isolines are not in the text; ±1 N s and the errors at half steps are ours.");
    report.data = json!({"levels": levels, "friction_bounds": [-1.0, 1.0]});
    Ok(report)
}

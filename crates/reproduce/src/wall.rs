//! EnzError's Figure 5: projected Gauss-Seidel on the brick wall in three measures, iteration by iteration.

use gudgeon_lcp::{Budget, Curve, FactoredForm, Mlcp, MlcpSolution, Pgs, Start, mlcp_errors};
use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::Params;
use serde_json::{Value, json};

use super::report::{Report, Table};
use super::runs::{Figures, scene, simulate};
use super::svg::{Axis, COLOURS, Chart, sheet};
use super::{Scale, Task};

pub(super) fn settings(scale: Scale) -> Value {
    json!({"steps": scale.pick(500, 40, 2), "sweeps": scale.pick(100, 100, 12), "dt": 0.01, "rows": scale.pick(12, 12, 3), "friction": "box, bounds of the direct solution"})
}

/// What is measured after every iteration.
const MEASURES: [&str; 3] = ["Fischer-Burmeister", "natural residual", "energy, J"];

/// The boxed problem with box friction: A = J M⁻¹ Jᵀ, normals from zero on, tangents within mu times a known normal impulse.
fn boxed(form: &FactoredForm, normal_impulse: &[f64]) -> Result<Mlcp, String> {
    let n = 3 * form.n_contacts();
    let mut a = vec![0.0; n * n];
    let mut dense = vec![0.0; form.width()];
    for j in 0..n {
        let row = form.row(j);
        row.index.iter().zip(row.value).for_each(|(&i, &v)| dense[i] = v);
        for i in 0..n {
            let other = form.row(i);
            a[j * n + i] = other.index.iter().zip(other.value).map(|(&i, &v)| v * dense[i]).sum();
        }
        a[j * n + j] += row.compliance;
        row.index.iter().for_each(|&i| dense[i] = 0.0);
    }
    let b = (0..n).map(|i| form.row(i).velocity).collect();
    let bound = |i: usize| form.mu()[i / 3] * normal_impulse[i / 3].max(0.0);
    let lo = (0..n).map(|i| if i % 3 == 0 { 0.0 } else { -bound(i) }).collect();
    let hi = (0..n).map(|i| if i % 3 == 0 { f64::INFINITY } else { bound(i) }).collect();
    Mlcp::from_column_major(a, b, lo, hi).map_err(|e| e.to_string())
}

/// One entry per iteration: Fischer-Burmeister, natural residual, energy.
fn gauss_seidel(sim: &Simulator, sweeps: usize, dt: f64) -> Result<Vec<[f64; 3]>, String> {
    let form = sim.last_problem().and_then(|p| p.as_factored()).ok_or("the wall touches")?;
    let normals: Vec<f64> = sim.contacts().iter().map(|c| dt * c.force.dot(&c.normal)).collect();
    if normals.len() != form.n_contacts() {
        return Err(format!("{} contacts, but {} in the problem", normals.len(), form.n_contacts()));
    }
    let mlcp = boxed(form, &normals)?;
    let mut curve = Curve::default();
    let mut solution = MlcpSolution::default();
    // how it ends is what the curve shows
    let _ =
        Pgs::default().solve_mlcp_with(&mlcp, Start::Cold, Budget::pivots(sweeps), &mut solution, &mut curve);
    let zero = vec![0.0; mlcp.n()];
    let start = mlcp_errors(&mlcp, &zero, mlcp.b()).total();
    let mut out = vec![[start.fischer_burmeister, start.natural, start.energy]];
    out.extend(curve.sweeps.iter().map(|s| [s.fischer_burmeister, s.natural, s.energy]));
    // a solve that is over stays where it is
    let last = *out.last().ok_or("at least the start")?;
    out.resize(sweeps + 1, last);
    Ok(out)
}

/// The three measures by iteration: of every step, and over the steps.
struct Curves {
    steps: Vec<Vec<[f64; 3]>>,
    sweeps: usize,
    mean: Vec<[f64; 3]>,
    deviation: Vec<[f64; 3]>,
}

impl Curves {
    fn new(steps: Vec<Vec<[f64; 3]>>, sweeps: usize) -> Self {
        let n = steps.len() as f64;
        let mean: Vec<[f64; 3]> = (0..=sweeps)
            .map(|k| std::array::from_fn(|m| steps.iter().map(|c| c[k][m]).sum::<f64>() / n))
            .collect();
        let deviation: Vec<[f64; 3]> = (0..=sweeps)
            .map(|k| {
                std::array::from_fn(|m| {
                    (steps.iter().map(|c| (c[k][m] - mean[k][m]).powi(2)).sum::<f64>() / (n - 1.0).max(1.0))
                        .sqrt()
                })
            })
            .collect();
        Self { steps, sweeps, mean, deviation }
    }

    /// The iteration after which the mean is greatest.
    fn peak(&self, m: usize) -> usize {
        (1..=self.sweeps).max_by(|&a, &b| self.mean[a][m].total_cmp(&self.mean[b][m])).unwrap_or(1)
    }

    /// Iterations that make the mean greater.
    fn rises(&self, m: usize) -> usize {
        (2..=self.sweeps).filter(|&k| self.mean[k][m] > self.mean[k - 1][m]).count()
    }

    /// What is left of the greatest mean at the end.
    fn fall(&self, m: usize) -> f64 {
        self.mean[self.sweeps][m] / self.mean[self.peak(m)][m]
    }

    /// Mean and deviation, then single steps, measure by measure.
    fn charts(&self) -> Vec<Chart> {
        let Self { sweeps, mean, deviation, .. } = self;
        let mut charts = Vec::new();
        for (m, name) in MEASURES.iter().enumerate() {
            let mut chart = Chart::new(
                &format!("Mean ± deviation: {name}"),
                Axis::linear("iteration"),
                Axis::linear(name),
            );
            let line = |sign: f64| -> Vec<[f64; 2]> {
                (1..=*sweeps).map(|k| [k as f64, (mean[k][m] + sign * deviation[k][m]).max(0.0)]).collect()
            };
            let band: Vec<[f64; 2]> = line(1.0).into_iter().chain(line(-1.0).into_iter().rev()).collect();
            chart.area("", COLOURS[m], 0.25, &band);
            chart.line("", COLOURS[m], &line(0.0));
            charts.push(chart);
            let mut chart = Chart::new(&format!("Steps: {name}"), Axis::linear("iteration"), Axis::log(name));
            let stride = self.steps.len().div_ceil(40).max(1);
            for curve in self.steps.iter().step_by(stride) {
                let points: Vec<[f64; 2]> =
                    curve.iter().enumerate().skip(1).map(|(k, e)| [k as f64, e[m]]).collect();
                chart.stroke("", COLOURS[m], &points, 0.6, "");
            }
            charts.push(chart);
        }
        charts
    }

    fn table(&self) -> Table {
        let [a, b, c] = MEASURES;
        let mut table = Table::new("Means over the steps", &["iteration", a, b, c]);
        for k in [0, 1, 2, 3, 5, 10, 20, 50, 100].into_iter().filter(|k| *k <= self.sweeps) {
            let means = (0..3).map(|m| format!("{:.4e}", self.mean[k][m]));
            table.row([k.to_string()].into_iter().chain(means));
        }
        table
    }
}

pub(super) fn figure5(task: &Task) -> Result<Report, String> {
    let (steps, sweeps, dt) = (task.count("steps"), task.count("sweeps"), task.real("dt"));
    let wall = scene("wall", &Params::new().set("rows", task.real("rows")), steps as f64 * dt, dt)?;
    let mut curves: Vec<Vec<[f64; 3]>> = Vec::new();
    let mut failed = None;
    let figures = simulate(task, "wall", &wall, |sim, _| match gauss_seidel(sim, sweeps, dt) {
        Ok(curve) => curves.push(curve),
        Err(message) => failed = Some(message),
    })?;
    if let Some(message) = failed {
        return Err(message);
    }
    let curves = Curves::new(curves, sweeps);
    let mut report = Report::default();
    report.pictures.push(("Figure 5: error by iteration. Left: mean and deviation over the steps. Right: single steps, logarithmic.".into(), sheet(&curves.charts(), 2)));
    compare(&mut report, &curves, &figures);
    report.tables.push(curves.table());
    report.exact("30 bricks, 12 rows of two and three with small gaps, 500 steps of a direct solver, projected Gauss-Seidel from zero, 100 iterations, box friction.");
    report.in_kind("The shape of the curves. The paper's axes carry no sizes or masses of bricks, so values cannot be compared.");
    report.differs("Bricks of 20 x 10 x 10 cm and 1 kg, friction 0.5 and steps of 10 ms are ours. The paper relaxes its constraints by an unstated compliance; ours are rigid.");
    report.differs("The bounds of friction are those of the direct solution of the same step: at rest they are those of the step before, which the paper takes.");
    report.data = json!({"steps": curves.steps.len(), "measures": ["fischer_burmeister", "natural", "energy"], "mean": curves.mean, "deviation": curves.deviation, "simulation": figures.to_json()});
    Ok(report)
}

/// What the paper says of the curves, beside ours.
fn compare(report: &mut Report, curves: &Curves, figures: &Figures) {
    let (peak, rises, fall) = (|m| curves.peak(m), |m| curves.rises(m), |m| curves.fall(m));
    for m in 0..2 {
        report.check(
            &format!("{}: rises first", MEASURES[m]),
            "for about ten iterations",
            format!("greatest at iteration {}", peak(m)),
            peak(m) > 1,
        );
    }
    report.check(
        "energy: falls from the first iteration on",
        "no rise",
        format!("{} rises of {} iterations, greatest at iteration {}", rises(2), curves.sweeps, peak(2)),
        rises(2) == 0,
    );
    report.check(
        "energy falls more steeply than the others",
        "quadratic against linear",
        format!(
            "to {:.1e} of its greatest value; the others to {:.1e} and {:.1e}",
            fall(2),
            fall(0),
            fall(1)
        ),
        fall(2) < fall(0) && fall(2) < fall(1),
    );
    report.check(
        "the direct solver holds the wall",
        "500 steps",
        format!(
            "{} failures in {} steps, overlap {:.1e} m",
            figures.tally.failures() + figures.fallbacks,
            figures.steps,
            figures.penetration
        ),
        figures.tally.failures() + figures.fallbacks == 0,
    );
}

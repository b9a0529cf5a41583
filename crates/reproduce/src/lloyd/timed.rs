//! The four methods timed over a list of scenes, and what is said of it.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, FrictionSolution, Lcp, Lemke, Lexicographic, Outcome, Reduced,
    Robust, Solution, Stabilisation, Start, Status, Structural, Structured,
};
use gudgeon_testkit::{Rng, Scene};
use serde_json::{Value, json};

use crate::Task;
use crate::report::{Report, Table};
use crate::runs::Stretch;
use crate::svg::{Axis, COLOURS, Chart, number, sheet};

pub(super) const METHODS: [&str; 4] = ["standard", "structural", "reduced", "robust"];

/// The four methods with their memory.
#[derive(Default)]
pub(super) struct Methods {
    standard: Robust,
    structural: Structural,
    reduced: Reduced,
    robust: Structured,
    plain: Solution,
    friction: FrictionSolution,
}

impl Methods {
    pub(super) fn solve(&mut self, method: usize, problem: &FrictionProblem, lcp: Option<&Lcp>) -> Outcome {
        match (METHODS[method], lcp) {
            ("standard", Some(lcp)) => self.standard.solve(lcp, &mut self.plain),
            ("structural", _) => self.structural.solve_friction(problem, &mut self.friction),
            ("reduced", _) => self.reduced.solve_friction(problem, &mut self.friction),
            _ => self.robust.solve(problem, &mut self.friction),
        }
    }
}

/// One scene and method over all wrenches.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) seconds: Vec<f64>,
    pub(super) pivots: usize,
    pub(super) failures: usize,
}

impl Cell {
    pub(super) fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }
}

/// Seconds from which on a solve is timed by the processor: its clock moves in ticks of some milliseconds.
const LONG: f64 = 5e-3;

/// The least of several solves, as other work only ever adds; long ones by processor time.
pub(super) fn time(repeats: usize, mut solve: impl FnMut() -> Outcome) -> (f64, Outcome) {
    let (began, stretch) = (Instant::now(), Stretch::begin());
    let (mut least, mut n, mut outcome) = (f64::INFINITY, 0, None);
    while n < repeats.max(1) && (n == 0 || began.elapsed().as_secs_f64() < 0.2) {
        let start = Instant::now();
        outcome = Some(solve());
        least = least.min(start.elapsed().as_secs_f64());
        n += 1;
    }
    if least > LONG {
        least = least.min(stretch.seconds() / n as f64);
    }
    (least, outcome.expect("solved at least once"))
}

/// Blocks and contacts of stacks taller than the paper's.
pub(super) const TALLER: [(usize, usize); 4] = [(8, 48), (12, 72), (16, 96), (20, 128)];

/// Coefficients between 0.2 and 0.3, and a wrench of up to twice its weight on the last body [Lloyd, §5.4].
pub(crate) fn pushed(scene: &Scene, rng: &mut Rng) -> Scene {
    scene.clone().with_mu_between(0.2, 0.3, rng).pushed(2.0, rng)
}

pub(super) fn measure(task: &Task, scene: &Scene, method: usize, methods: &mut Methods) -> Cell {
    let mut rng = Rng::new(1);
    let mut cell = Cell::default();
    for _ in 0..task.count("wrenches") {
        let problem = pushed(scene, &mut rng).problem();
        let lowered =
            (method == 0).then(|| FrictionLcp::new(&problem, Stabilisation::default()).ok()).flatten();
        let lcp = lowered.as_ref().and_then(FrictionLcp::lcp);
        let (seconds, outcome) = time(task.count("repeats"), || methods.solve(method, &problem, lcp));
        cell.seconds.push(seconds);
        cell.pivots += outcome.pivots;
        cell.failures += usize::from(outcome.status != Status::Solved);
    }
    cell
}

/// What a method that carries a whole tableau from pivot to pivot takes, as standard Lemke does, beside the reduced method.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tableau {
    pub(super) wrenches: usize,
    /// How many of them it solves.
    pub(super) solved: usize,
    /// Its time over the reduced method's, on those that it solves; all together.
    pub(super) ratio: f64,
    /// The same on all, however they end.
    pub(super) ratio_all: f64,
}

/// The Δ of lexicographic ordering: the middle one of the three that Yamane tries on the tap dance.
const DELTA: f64 = 1e-8;

/// Lemke's method and lexicographic ordering with [`DELTA`] on the wrenches of a scene.
pub(super) fn tableau(task: &Task, scene: &Scene) -> [Tableau; 2] {
    let (mut lemke, mut ordered) = (Lemke::default(), Lexicographic::with_delta(DELTA));
    let (mut reduced, mut friction, mut plain) =
        (Reduced::default(), FrictionSolution::default(), Solution::default());
    [0, 1].map(|method| {
        let mut rng = Rng::new(1);
        let (mut found, mut own, mut theirs) = (Tableau::default(), [0.0; 2], [0.0; 2]);
        for _ in 0..task.count("wrenches") {
            let problem = pushed(scene, &mut rng).problem();
            let Ok(lowered) = FrictionLcp::new(&problem, Stabilisation::default()) else { continue };
            let Some(lcp) = lowered.lcp() else { continue };
            let (seconds, outcome) = time(3, || {
                let budget = Budget::default();
                if method == 0 {
                    lemke.solve_with(lcp, Start::Cold, budget, &mut plain, &mut ())
                } else {
                    ordered.solve_with(lcp, Start::Cold, budget, &mut plain, &mut ())
                }
            });
            let (beside, _) = time(3, || reduced.solve_friction(&problem, &mut friction));
            let good = outcome.status == Status::Solved;
            found.wrenches += 1;
            found.solved += usize::from(good);
            for k in [0, 1].into_iter().filter(|k| *k == 1 || good) {
                own[k] += seconds;
                theirs[k] += beside;
            }
        }
        found.ratio = own[0] / theirs[0];
        found.ratio_all = own[1] / theirs[1];
        found
    })
}

/// Cells by method and scene; `None` where a method is left out.
pub(super) type Grid = Vec<Vec<Option<Cell>>>;

pub(super) fn grid(task: &Task, scenes: &[Scene], wanted: impl Fn(usize, &Scene) -> bool) -> Grid {
    let mut methods = Methods::default();
    let mut grid: Grid = vec![Vec::new(); METHODS.len()];
    for (k, scene) in scenes.iter().enumerate() {
        for (method, column) in grid.iter_mut().enumerate() {
            column.push(wanted(method, scene).then(|| measure(task, scene, method, &mut methods)));
        }
        task.progress(&scene.name, (k + 1) as f64 / scenes.len() as f64);
    }
    grid
}

/// The slope of log t over log n by least squares.
pub(super) fn exponent(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let x = points.iter().map(|p| p[0].ln()).sum::<f64>() / n;
    let y = points.iter().map(|p| p[1].ln()).sum::<f64>() / n;
    let cross: f64 = points.iter().map(|p| (p[0].ln() - x) * (p[1].ln() - y)).sum();
    let square: f64 = points.iter().map(|p| (p[0].ln() - x).powi(2)).sum();
    cross / square
}

/// (contacts, mean seconds) of a method.
pub(super) fn points(scenes: &[Scene], column: &[Option<Cell>], from: usize) -> Vec<[f64; 2]> {
    let cells = scenes.iter().zip(column).filter(|(s, _)| s.n_contacts() >= from);
    cells.filter_map(|(s, c)| c.as_ref().map(|c| [s.n_contacts() as f64, c.mean()])).collect()
}

pub(super) fn table(caption: &str, scenes: &[Scene], grid: &Grid) -> Table {
    let header = [
        "scene",
        "bodies",
        "contacts",
        "standard, µs",
        "structural, µs",
        "reduced, µs",
        "robust, µs",
        "standard / reduced",
        "structural / reduced",
        "robust / reduced",
        "pivots of reduced",
    ];
    let mut table = Table::new(caption, &header);
    for (k, scene) in scenes.iter().enumerate() {
        let mean = |m: usize| grid[m][k].as_ref().map(Cell::mean);
        let micro = |m: usize| mean(m).map_or("-".into(), |s| number(1e6 * s));
        let ratio = |m: usize| mean(m).zip(mean(2)).map_or("-".into(), |(a, b)| format!("{:.2}", a / b));
        let pivots = grid[2][k].as_ref().map_or(0.0, |c| c.pivots as f64 / c.seconds.len() as f64);
        let mut row =
            vec![scene.name.clone(), scene.bodies.len().to_string(), scene.n_contacts().to_string()];
        row.extend((0..4).map(micro));
        row.extend([ratio(0), ratio(1), ratio(3), format!("{pivots:.1}")]);
        table.rows.push(row);
    }
    table
}

pub(super) fn failures(grid: &Grid) -> usize {
    grid.iter().flatten().flatten().map(|c| c.failures).sum()
}

pub(super) fn data(scenes: &[Scene], grid: &Grid) -> Value {
    let cell = |c: &Option<Cell>| {
        c.as_ref().map(|c| json!({"mean_us": 1e6 * c.mean(), "us": c.seconds.iter().map(|s| 1e6 * s).collect::<Vec<_>>(), "pivots": c.pivots, "failures": c.failures}))
    };
    let rows = scenes.iter().enumerate().map(|(k, s)| {
        let cells: serde_json::Map<String, Value> = METHODS
            .iter()
            .enumerate()
            .map(|(m, name)| ((*name).to_owned(), json!(cell(&grid[m][k]))))
            .collect();
        json!({"scene": s.name, "bodies": s.bodies.len(), "contacts": s.n_contacts(), "methods": cells})
    });
    rows.collect()
}

/// The paper's times at the fewest and at the most contacts, ms, with the exponent between them.
pub(super) fn paper_exponent(range: [f64; 2], times: [f64; 2]) -> f64 {
    (times[1] / times[0]).ln() / (range[1] / range[0]).ln()
}

/// Two panels: ours, and the paper's printed ends.
pub(super) fn picture(
    title: &str,
    scenes: &[Scene],
    grid: &Grid,
    log: bool,
    paper: Option<([f64; 2], [[f64; 2]; 3])>,
) -> String {
    let axis = |label: &str| if log { Axis::log(label) } else { Axis::linear(label) };
    let mut chart = Chart::new(title, axis("contacts"), axis("mean time, µs"));
    for (m, name) in METHODS.iter().enumerate() {
        let points: Vec<[f64; 2]> = points(scenes, &grid[m], 0).iter().map(|p| [p[0], 1e6 * p[1]]).collect();
        if !points.is_empty() {
            chart.line(name, COLOURS[m], &points);
            chart.dots("", COLOURS[m], 2.5, &points);
        }
    }
    let mut charts = vec![chart];
    if let Some((range, times)) = paper {
        let mut chart =
            Chart::new("The paper, as printed in the text", axis("contacts"), axis("mean time, ms"));
        for (m, t) in times.iter().enumerate() {
            let ends = [[range[0], t[0]], [range[1], t[1]]];
            chart.dashed(METHODS[m], COLOURS[m], &ends);
            chart.dots("", COLOURS[m], 2.5, &ends);
        }
        charts.push(chart);
    }
    sheet(&charts, 2)
}

/// Whether every solve was, and the table of what they took.
pub(super) fn certified(report: &mut Report, scenes: &[Scene], grid: &Grid) {
    let failed = failures(grid);
    report.check("every solve is certified", "-", format!("{failed} failures"), failed == 0);
    report.tables.push(table("Means over the wrenches", scenes, grid));
}

pub(super) fn common(report: &mut Report) {
    report.differs(
        "Lloyd measured a Java program on a machine of 2005; only ratios and growth can be compared.",
    );
    report.differs("His standard method is a Lemke with factorisation updates; ours is the dense robust, with no charge for making its matrix. Plain Lemke fails on most of these problems (redundant contacts), so it cannot stand here.");
}

//! Yamane and Nakamura's Table II: the tap dance.

use std::time::Instant;

use gudgeon_lcp::{FrictionSolution, Structured};
use gudgeon_sim::scenes::Params;
use serde_json::{Value, json};

use super::classical::{Contender, E_MAX};
use super::report::{Report, Table};
use super::runs::{Figures, Tally, median, scene, simulate};
use super::svg::{Axis, COLOURS, Chart, number, sheet};
use super::yamane::tally_rows;
use super::{Scale, Task};

pub(super) fn table2_settings(scale: Scale) -> Value {
    json!({"scene": "tapdance", "duration": scale.pick(10.0, 2.0, 0.02), "dt": 1e-3, "facets": 8, "e_max": E_MAX})
}

/// Total frames, success, failure, no solution, cycle, error, as printed: robust, and lexicographic ordering with its best threshold.
const ROBUST: [usize; 6] = [9670, 9670, 0, 0, 0, 0];
const LEXICOGRAPHIC: [usize; 6] = [9656, 9620, 36, 13, 7, 16];

/// What was measured: `robust` with rivals beside it and alone, the rivals, and `robust` without its memory.
struct Dance {
    figures: Figures,
    alone: Figures,
    contenders: Vec<Contender>,
    cold_ms: f64,
    cold_pivots: usize,
    cold_tally: Tally,
}

pub(super) fn table2(task: &Task) -> Result<Report, String> {
    let dance = Dance::run(task)?;
    let mut report = Report::default();
    report.tables.push(dance.table());
    dance.judge(&mut report);
    report.pictures.push(("Failures and times of the tap dance.".into(), dance.picture()));
    report.exact("No failure of the proposed idea, here robust, in any frame.");
    report.in_kind("Lexicographic ordering fails, and costs more time and pivots. The factors are larger here: robust starts from the answer of the step before.");
    report.differs("The dance is our own: weight from foot to foot, the free one tapping every 0.4 s. Contacts per frame differ accordingly.");
    report.differs("Their Pentium Xeon of 2007 ran at 3.8 GHz; their times include the search as printed, ours are of robust on the structure of the friction problem.");
    report.differs("The solve time is the median of single solves (the paper: mean), simulation time the mean of processor time of a step.");
    report.data = dance.data();
    Ok(report)
}

impl Dance {
    fn run(task: &Task) -> Result<Self, String> {
        let scene = scene("tapdance", &Params::new(), task.real("duration"), task.real("dt"))?;
        let alone = simulate(task, "alone", &scene, |_, _| {})?;
        let mut contenders: Vec<Contender> = [1e-10, 1e-8, 1e-6].map(Contender::lexicographic).into();
        let mut cold = Structured::default();
        let mut solution = FrictionSolution::default();
        let (mut cold_seconds, mut cold_pivots, mut cold_tally) = (Vec::new(), 0, Tally::default());
        let figures = simulate(task, "with rivals", &scene, |sim, report| {
            let (Some(_), Some(problem)) = (report.solve, sim.last_problem()) else { return };
            for c in &mut contenders {
                c.solve(problem);
            }
            let began = Instant::now();
            let outcome = cold.solve(problem, &mut solution);
            cold_seconds.push(began.elapsed().as_secs_f64());
            cold_pivots += outcome.pivots;
            cold_tally.add(outcome.status);
        })?;
        let cold_ms = 1e3 * median(&mut cold_seconds);
        Ok(Self { figures, alone, contenders, cold_ms, cold_pivots, cold_tally })
    }

    /// Median times of the rivals and of `robust`, ms.
    fn times(&self) -> (Vec<f64>, f64) {
        (self.contenders.iter().map(Contender::solve_ms).collect(), 1e3 * self.figures.solve_median)
    }

    fn table(&self) -> Table {
        let Self { figures, alone, contenders, cold_ms, cold_pivots, cold_tally } = self;
        let (ms, own) = self.times();
        let names: Vec<String> = contenders.iter().map(|c| c.name.clone()).collect();
        let mut header = vec!["", "robust (proposed)", "robust, cold"];
        header.extend(names.iter().map(String::as_str));
        let mut table = Table::new(
            "Table II by the paper's e_max; the paper's figures in brackets (lexicographic: its best threshold, 1e-10)",
            &header,
        );
        let first = |text: &str, cells: [String; 5]| std::iter::once(text.to_owned()).chain(cells);
        let blank = String::new;
        table.row(first(
            "contacts",
            [
                format!("{:.2} (7.19)", figures.contacts),
                blank(),
                format!("{:.2} (6.89)", figures.contacts),
                blank(),
                blank(),
            ],
        ));
        table.row(first(
            "active",
            [
                format!("{:.2} (1.70)", figures.active),
                blank(),
                format!("{:.2} (2.02)", contenders[0].active()),
                format!("{:.2}", contenders[1].active()),
                format!("{:.2}", contenders[2].active()),
            ],
        ));
        let columns = [
            (figures.tally, Some(ROBUST)),
            (*cold_tally, None),
            (contenders[0].paper, Some(LEXICOGRAPHIC)),
            (contenders[1].paper, None),
            (contenders[2].paper, None),
        ];
        tally_rows(&mut table, &columns);
        table.row(first(
            "LCP solve time, ms, median",
            [
                format!("{own:.3} (0.182)"),
                format!("{cold_ms:.3}"),
                format!("{:.3} (0.375)", ms[0]),
                format!("{:.3}", ms[1]),
                format!("{:.3}", ms[2]),
            ],
        ));
        table.row(first(
            "the same / robust",
            [
                "1".into(),
                number(cold_ms / own),
                format!("{} (2.06)", number(ms[0] / own)),
                number(ms[1] / own),
                number(ms[2] / own),
            ],
        ));
        table.row(first(
            "simulation time, ms",
            [format!("{:.3} (3.54)", 1e3 * alone.step_seconds), blank(), "(3.49)".into(), blank(), blank()],
        ));
        table.row(first(
            "total pivots",
            [
                format!("{} (34335)", figures.pivots),
                cold_pivots.to_string(),
                format!("{} (71102)", contenders[0].pivots),
                contenders[1].pivots.to_string(),
                contenders[2].pivots.to_string(),
            ],
        ));
        table
    }

    fn judge(&self, report: &mut Report) {
        let Self { figures, contenders, .. } = self;
        let (ms, own) = self.times();
        report.check(
            "robust has no failure",
            "0 of 9670",
            format!("{} of {}", figures.tally.failures() + figures.fallbacks, figures.tally.frames),
            figures.tally.failures() + figures.fallbacks == 0,
        );
        report.observe(
            "lexicographic ordering fails sometimes",
            "36 of 9656",
            format!("{} of {}", contenders[0].paper.failures(), contenders[0].paper.frames),
            contenders[0].paper.failures() > 0,
            "the beginning of the dance, which is all of a short run, has two flat feet only",
        );
        let times = ms[0] / own;
        report.check("robust solves faster", "2.06 times", format!("{times:.1} times"), times > 1.0);
        let pivots = contenders[0].pivots as f64 / figures.pivots.max(1) as f64;
        report.check(
            "robust takes fewer pivots",
            "2.07 times fewer",
            format!("{pivots:.1} times fewer"),
            pivots > 1.0,
        );
    }

    fn picture(&self) -> String {
        let Self { figures, contenders, cold_ms, .. } = self;
        let (ms, own) = self.times();
        let mut chart = Chart::new(
            "Failures per thousand frames, by e_max",
            Axis::linear(""),
            Axis::linear("per thousand"),
        )
        .named(&["paper", "1e-10", "1e-8", "1e-6", "robust"].map(String::from));
        let share = |t: &Tally| 1e3 * t.failures() as f64 / t.frames.max(1) as f64;
        let bars = [
            1e3 * 36.0 / 9656.0,
            share(&contenders[0].paper),
            share(&contenders[1].paper),
            share(&contenders[2].paper),
            share(&figures.tally),
        ];
        for (k, v) in bars.iter().enumerate() {
            chart.bar("", COLOURS[usize::from(k > 0)], k as f64, 0.6, 0.0, *v);
            chart.text([k as f64, *v], &number(*v), "middle");
        }
        let mut time = Chart::new("Median time of a solve", Axis::linear(""), Axis::linear("ms"))
            .named(&["robust", "robust cold", "lex. 1e-10", "lex. 1e-8", "lex. 1e-6"].map(String::from));
        for (k, v) in [own, *cold_ms, ms[0], ms[1], ms[2]].iter().enumerate() {
            time.bar("", COLOURS[0], k as f64, 0.6, 0.0, *v);
            time.text([k as f64, *v], &number(*v), "middle");
        }
        sheet(&[chart, time], 2)
    }

    fn data(&self) -> Value {
        let Self { figures, alone, contenders, cold_ms, cold_pivots, cold_tally } = self;
        json!({
            "robust": figures.to_json(), "robust_alone": alone.to_json(),
            "robust_cold": {"solves": cold_tally.to_json(), "pivots": cold_pivots, "solve_ms_median": cold_ms},
            "contenders": contenders.iter().map(Contender::to_json).collect::<Vec<_>>(),
            "paper": {"lexicographic": LEXICOGRAPHIC, "proposed": ROBUST, "solve_ms": [0.375, 0.182], "step_ms": [3.49, 3.54], "pivots": [71102, 34335]},
        })
    }
}

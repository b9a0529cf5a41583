//! The scoreboard: a page and a picture from the results that `benches/peers/scoreboard/run` keeps in `docs/scoreboard.json`.
//!
//! Every scene has an error without a unit, nought if all is as theory says and one if all is lost, and a processor time per step for every
//! engine. Means over scenes are geometric; errors below 1e-16 count as that, for a double has no more digits.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::svg::{Axis, COLOURS, Chart, sheet};

/// An error below this is rounding.
const FLOOR: f64 = 1e-16;

/// Two errors within this factor are alike, and so are all below [`ROUNDING`].
const ALIKE: f64 = 1.5;
const ROUNDING: f64 = 1e-10;

/// The engine that others are held against.
const OURS: &str = "gudgeon";

/// What came of one scene on one engine.
#[derive(Debug, Clone, Default)]
struct Cell {
    error: Option<f64>,
    time: Option<f64>,
    note: Option<String>,
}

impl Cell {
    /// For a table of errors.
    fn error(&self) -> String {
        match (self.error, &self.note) {
            (Some(error), None) if error >= 1.0 => "lost".into(),
            (Some(error), None) => digits(error),
            (Some(_), Some(_)) => "lost (a)".into(),
            (None, Some(note)) if note.starts_with("not done") => "late".into(),
            (None, Some(_)) => "– (b)".into(),
            (None, None) => "–".into(),
        }
    }

    fn time(&self) -> String {
        self.time
            .map_or_else(|| "–".into(), |t| if t < 100.0 { format!("{t:.1}") } else { format!("{t:.0}") })
    }
}

/// Error and time of ours and of another engine in one scene.
struct Pair {
    ours: [f64; 2],
    theirs: [f64; 2],
}

/// The results, read.
#[derive(Debug)]
pub struct Scoreboard {
    machine: String,
    run_minutes: f64,                        // processor time of all runs
    setup_minutes: f64,                      // time that setting up took
    load: [f64; 3],                          // of the machine while it was run: least, median, greatest
    engines: Vec<(String, String, String)>,  // name, version, settings
    scenes: Vec<(String, String, String)>,   // name, about, unit
    cells: BTreeMap<(String, String), Cell>, // by scene and engine
}

impl Scoreboard {
    /// Reads `docs/scoreboard.json`.
    ///
    /// # Errors
    /// If it is not JSON, or not a scoreboard.
    pub fn new(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let text = |v: &Value| v.as_str().map(str::to_owned).ok_or_else(|| "a text is missing".to_owned());
        let list = |name: &str| value[name].as_array().ok_or_else(|| format!("no {name}"));
        let triple = |v: &Value, second: &str, third: &str| -> Result<_, String> {
            Ok((text(&v["name"])?, text(&v[second])?, text(&v[third])?))
        };
        let mut cells = BTreeMap::new();
        for result in list("results")? {
            let cell = Cell {
                error: result["error"].as_f64(),
                time: result["us_per_step"].as_f64(),
                note: result["note"].as_str().map(str::to_owned),
            };
            cells.insert((text(&result["scene"])?, text(&result["engine"])?), cell);
        }
        let engines = list("engines")?.iter().map(|e| triple(e, "version", "settings"));
        let scenes = list("scenes")?.iter().map(|s| triple(s, "about", "unit"));
        let number = |v: &Value| v.as_f64().ok_or_else(|| "a number is missing".to_owned());
        let mut load = [0.0; 3];
        for (k, load) in load.iter_mut().enumerate() {
            *load = number(&value["load"][k])?;
        }
        Ok(Self {
            machine: text(&value["machine"])?,
            run_minutes: number(&value["run_seconds"])? / 60.0,
            setup_minutes: number(&value["setup_seconds"])? / 60.0,
            load,
            engines: engines.collect::<Result<_, _>>()?,
            scenes: scenes.collect::<Result<_, _>>()?,
            cells,
        })
    }

    fn cell(&self, scene: &str, engine: &str) -> Cell {
        self.cells.get(&(scene.to_owned(), engine.to_owned())).cloned().unwrap_or_default()
    }

    fn rivals(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|(name, ..)| name.as_str()).filter(|name| *name != OURS)
    }

    /// Scenes in which both have an error and a time.
    fn shared(&self, engine: &str) -> Vec<Pair> {
        let of = |scene: &str, engine: &str| {
            let cell = self.cell(scene, engine);
            Some([cell.error?, cell.time?])
        };
        let both = |scene: &str| Some(Pair { ours: of(scene, OURS)?, theirs: of(scene, engine)? });
        self.scenes.iter().filter_map(|(scene, ..)| both(scene)).collect()
    }

    /// The picture: every engine's mean error against its mean time, in scenes that it and we have done.
    pub fn picture(&self) -> String {
        let x = Axis::log("processor time per step, in ours (geometric mean)").within(0.05, 100.0);
        let y = Axis::log("error, 1 = all lost (geometric mean)").within(1e-10, 3.0);
        let mut chart = Chart::new("Accuracy against time", x, y);
        let dots: Vec<[f64; 2]> =
            self.engines.iter().map(|(name, ..)| self.means(name)).map(|(e, t)| [t, e]).collect();
        // what is taken already: dots, then names, as decades from left, right, bottom, top
        let mut taken: Vec<[f64; 4]> =
            dots.iter().map(|d| boxed(d[0].log10(), d[1].log10(), 0.08, 0.4)).collect();
        for (k, (name, ..)) in self.engines.iter().enumerate() {
            let ([time, error], size) = (dots[k], if name == OURS { 7.0 } else { 5.0 });
            chart.dots("", COLOURS[k % COLOURS.len()], size, &[[time, error]]);
            // the first place where nothing is: right of the dot or left of it, level or higher or lower
            let wide = 0.056 * name.len() as f64;
            let places =
                [0.0, 0.5, -0.5, 0.9, -0.9, 1.3, -1.3].into_iter().flat_map(|up| [(1.0, up), (-1.0, up)]);
            let area = |(side, up): (f64, f64)| {
                boxed(time.log10() + side * (0.07 + 0.5 * wide), error.log10() + up, 0.5 * wide, 0.24)
            };
            let (side, up) = places
                .clone()
                .find(|p| !taken.iter().any(|t| meet(t, &area(*p))))
                .or_else(|| places.clone().next())
                .unwrap_or((1.0, 0.0));
            taken.push(area((side, up)));
            let at = [time * 10f64.powf(0.07 * side), error * 10f64.powf(up - 0.15)];
            chart.text(at, name, if side > 0.0 { "start" } else { "end" });
        }
        sheet(&[chart], 1)
    }

    /// Error, and time over ours.
    fn means(&self, engine: &str) -> (f64, f64) {
        let shared = self.shared(engine);
        let mean = |f: &dyn Fn(&Pair) -> f64| {
            (shared.iter().map(|s| f(s).ln()).sum::<f64>() / shared.len().max(1) as f64).exp()
        };
        (mean(&|p| p.theirs[0].clamp(FLOOR, 1.0)), mean(&|p| p.theirs[1] / p.ours[1]))
    }

    /// The page of the book.
    pub fn page(&self) -> String {
        let mut page = String::new();
        let _ = write!(
            page,
            "# Beside other engines\n\n\
             Made by `benches/peers/scoreboard/run`, which sets up every engine, runs {} scenes on {} of them, and writes this page from\n\
             `docs/scoreboard.json` (`cargo run --release -p gudgeon-reproduce --example scoreboard` writes it again from that file alone; a test fails if the two part).\n\
             All steps are 1 ms, those of piles 2 ms. Times are processor times of steps alone (where all steps take less than 0.3 s the least of up to five runs), on one core of this machine: {}.\n\
             A run whose steps take longer than 10 s (piles of 50, 200 and 1,000 bodies: 12, 25 and 80 s) is ended: *late*. An error of 1 or more is *lost*.\n\
             All runs together took {:.0} minutes of processor time, half of that on two cores; setting up every engine took {:.0} minutes before that.\n\
             Two runs go side by side on two cores; the load of the machine was {:.1} to {:.1}, {:.1} in the median, and what is above two is other work, which makes processor times longer: ratios near one say little.\n\n\
             ![Every engine's mean error against its mean time](figures/scoreboard.svg)\n\n",
            self.scenes.len(),
            self.engines.len(),
            self.machine,
            self.run_minutes,
            self.setup_minutes,
            self.load[0],
            self.load[2],
            self.load[1],
        );
        self.summary(&mut page);
        self.losses(&mut page);
        self.table(&mut page, "Errors", &Cell::error);
        self.table(&mut page, "Processor time per step, us", &Cell::time);
        self.legend(&mut page);
        page
    }

    fn summary(&self, page: &mut String) {
        page.push_str(
            "| engine | mean error | mean time, in ours | more exact than ours | less exact | faster than ours | slower | lost | late |\n\
             |---|---|---|---|---|---|---|---|---|\n",
        );
        for (name, ..) in &self.engines {
            let shared = self.shared(name);
            let (error, time) = self.means(name);
            let count = |f: &dyn Fn(&Pair) -> bool| shared.iter().filter(|s| f(s)).count();
            let all = || self.scenes.iter().map(|(scene, ..)| self.cell(scene, name));
            let lost = all().filter(|c| c.error.is_some_and(|e| e >= 1.0)).count();
            let late = all().filter(|c| c.error() == "late").count();
            let _ = writeln!(
                page,
                "| {name} | {} | {} | {} | {} | {} | {} | {lost} | {late} |",
                digits(error),
                two(time),
                count(&|p| better(p.theirs[0], p.ours[0])),
                count(&|p| better(p.ours[0], p.theirs[0])),
                count(&|p| p.theirs[1] < p.ours[1]),
                count(&|p| p.theirs[1] > p.ours[1]),
            );
        }
        page.push_str(
            "\nMeans are geometric, over the scenes that an engine and ours have both done. More exact: by half as much again, and where one is above 1e-10.\n\n",
        );
    }

    /// The rivals that are ahead of ours in a scene: more exact, faster and no less exact, faster but less exact; as words.
    fn ahead(&self, scene: &str) -> [Vec<String>; 3] {
        let ours = self.cell(scene, OURS);
        let mut lists = [const { Vec::new() }; 3];
        for name in self.rivals() {
            let cell = self.cell(scene, name);
            let Some((theirs, cost)) = cell.error.zip(cell.time).filter(|(error, _)| *error < 1.0) else {
                continue;
            };
            let Some((error, time)) = ours.error.zip(ours.time) else {
                lists[1].push(format!("{name} done, {} at {} ms a step", digits(theirs), two(1e-3 * cost)));
                continue;
            };
            if better(theirs, error) {
                lists[0].push(format!("{name} {} in {} of our time", digits(theirs), two(cost / time)));
            }
            if cost < time {
                lists[if better(error, theirs) { 2 } else { 1 }]
                    .push(format!("{name} {} of our time", two(cost / time)));
            }
        }
        lists
    }

    fn losses(&self, page: &mut String) {
        let lost: Vec<_> = self.scenes.iter().map(|(scene, ..)| (scene, self.ahead(scene))).collect();
        let named = |k: usize| -> Vec<&str> {
            lost.iter().filter(|(_, lists)| !lists[k].is_empty()).map(|(scene, _)| scene.as_str()).collect()
        };
        let _ = write!(
            page,
            "## Where we lose\n\n\
             Of {} scenes somebody is more exact in {} ({}), no less exact and faster in {} ({}), less exact but faster in {}.\n\n\
             | scene | ours | more exact | faster, and no less exact | faster, but less exact |\n|---|---|---|---|---|\n",
            self.scenes.len(),
            named(0).len(),
            named(0).join(", "),
            named(1).len(),
            named(1).join(", "),
            named(2).len(),
        );
        for (scene, lists) in &lost {
            if lists.iter().any(|list| !list.is_empty()) {
                let lists = lists.each_ref().map(|list| list.join("; "));
                let _ = writeln!(
                    page,
                    "| {scene} | {} | {} |",
                    self.cell(scene, OURS).error(),
                    lists.join(" | ")
                );
            }
        }
        page.push('\n');
    }

    fn table(&self, page: &mut String, title: &str, show: &dyn Fn(&Cell) -> String) {
        let _ = write!(page, "## {title}\n\n| scene |");
        for (name, ..) in &self.engines {
            let _ = write!(page, " {name} |");
        }
        let _ = write!(page, "\n|---|{}\n", "---|".repeat(self.engines.len()));
        for (scene, ..) in &self.scenes {
            let _ = write!(page, "| {scene} |");
            for (name, ..) in &self.engines {
                let _ = write!(page, " {} |", show(&self.cell(scene, name)));
            }
            page.push('\n');
        }
        page.push('\n');
    }

    fn legend(&self, page: &mut String) {
        page.push_str("(a) and (b), and what else was said:\n\n");
        let mut notes: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for ((scene, engine), cell) in &self.cells {
            if let Some(note) = cell.note.as_deref().filter(|n| !n.starts_with("not done")) {
                notes.entry((engine, note)).or_default().push(scene);
            }
        }
        for ((engine, note), scenes) in notes {
            let _ = writeln!(page, "- {engine}: {note} ({})", scenes.join(", "));
        }
        page.push_str("\n## Scenes\n\n| scene | what | error in |\n|---|---|---|\n");
        for (name, about, unit) in &self.scenes {
            let _ = writeln!(page, "| {name} | {about} | {unit} |");
        }
        page.push_str("\n## Settings\n\n| engine | version | settings |\n|---|---|---|\n");
        for (name, version, settings) in &self.engines {
            let _ = writeln!(page, "| {name} | {version} | {settings} |");
        }
    }
}

/// Left, right, bottom and top of a box about a point.
fn boxed(x: f64, y: f64, half_wide: f64, half_tall: f64) -> [f64; 4] {
    [x - half_wide, x + half_wide, y - half_tall, y + half_tall]
}

fn meet(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

/// Whether one error is smaller than another, and not by chance or rounding.
fn better(a: f64, b: f64) -> bool {
    a * ALIKE < b && b > ROUNDING
}

fn digits(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

fn two(x: f64) -> String {
    if x < 9.95 { format!("{x:.2}") } else { format!("{x:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    fn file(name: &str) -> String {
        std::fs::read_to_string(format!("{ROOT}/{name}")).unwrap()
    }

    /// The command: `cargo run --release -p gudgeon-reproduce --example scoreboard`.
    #[test]
    fn the_page_and_the_pictures_are_those_of_the_last_results() {
        let board = Scoreboard::new(&file("docs/scoreboard.json")).unwrap();
        assert!(
            board.page() == file("book/src/peers.md"),
            "book/src/peers.md is not of docs/scoreboard.json"
        );
        for picture in ["book/src/figures/scoreboard.svg", "docs/pictures/scoreboard.svg"] {
            assert!(board.picture() == file(picture), "{picture} is not of docs/scoreboard.json");
        }
        assert!(board.scenes.len() >= 34 && board.engines.len() >= 12, "a part of the board alone");
        let whole = board.setup_minutes + 0.5 * board.run_minutes;
        assert!(whole < 60.0, "{whole} minutes on two cores, and an hour is what it may take");
        for (scene, ..) in &board.scenes {
            for (engine, ..) in &board.engines {
                let cell = board.cell(scene, engine);
                assert!(cell.error.is_some() || cell.note.is_some(), "{scene} on {engine} has not been run");
            }
        }
    }

    #[test]
    fn a_scoreboard_wants_its_parts() {
        assert!(Scoreboard::new("{").is_err() && Scoreboard::new("{}").is_err());
        let text = r#"{"machine": "m", "run_seconds": 600, "setup_seconds": 300, "load": [1, 2, 3], "engines": [{"name": "gudgeon", "version": "1", "settings": "s"},
            {"name": "other", "version": "2", "settings": "t"}], "scenes": [{"name": "a", "about": "b", "unit": "c"}],
            "results": [{"scene": "a", "engine": "gudgeon", "error": 1e-3, "us_per_step": 2.0, "note": null},
                        {"scene": "a", "engine": "other", "error": 1e-5, "us_per_step": 1.0, "note": null}]}"#;
        let board = Scoreboard::new(text).unwrap();
        assert!(
            board
                .page()
                .contains("| a | 1.0e-3 | other 1.0e-5 in 0.50 of our time | other 0.50 of our time |  |")
        );
        assert!(
            board
                .page()
                .contains("Of 1 scenes somebody is more exact in 1 (a), no less exact and faster in 1 (a),")
        );
        let late = text.replace(
            r#""error": 1e-3, "us_per_step": 2.0, "note": null"#,
            r#""error": null, "us_per_step": 2.0, "note": "not done in 1 s""#,
        );
        let page = Scoreboard::new(&late).unwrap().page();
        assert!(page.contains("| a | late |  | other done, 1.0e-5 at 0.00 ms a step |  |"), "{page}");
        assert!(better(1e-3, 1e-2) && !better(1e-3, 1.2e-3) && !better(1e-16, 1e-12));
    }
}

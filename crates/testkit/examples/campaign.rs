//! The campaign as a table in the shape of [Yamane, Table I]: what each method makes of problems that all have a
//! solution.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example campaign -- --cases 20000
//! cargo run --release -p gudgeon-testkit --example campaign -- --cases 2000 --method all
//! ```
//!
//! The default method gets 20,000 cases done in about half a minute; the papers' methods, most of all the search,
//! take about 0.1 s a case together.
//!
//! A failing case is listed by name; `--only INDEX` runs it alone, `--dump DIR` writes it as a problem file for
//! `gudgeon solve`.

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use gudgeon_lcp::{Budget, Method, Solver};
use gudgeon_testkit::campaign::{Campaign, Case, Family};
use gudgeon_testkit::json;
use gudgeon_testkit::trial::{Answers, Tally, Trial};

const USAGE: &str = "\
usage: campaign [--cases N] [--from INDEX] [--only INDEX] [--seed S] [--method NAME|all] [--family NAME]
                [--nodes N] [--seconds S] [--largest N] [--list N] [--dump DIR] [--json]
  --cases N      how many (2000)
  --from INDEX   from this one on (0)
  --only INDEX   this one alone
  --seed S       of the campaign (1)
  --method NAME  a method, several with commas, or all (robust)
  --family NAME  only the cases of one family
  --nodes N      nodes a search may visit, for methods other than the default (1000)
  --seconds S    and time a solve of theirs may take (0.1)
  --largest N    skip cases of more unknowns
  --list N       failing cases to name, per method (20)
  --dump DIR     write failing cases as problem files
  --json         one JSON object per method and family instead of tables";

struct Settings {
    cases: u64,
    from: u64,
    seed: u64,
    methods: Vec<Method>,
    family: Option<String>,
    nodes: usize,
    seconds: f64,
    largest: usize,
    list: usize,
    dump: Option<PathBuf>,
    json: bool,
}

impl Settings {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self {
            cases: 2000,
            from: 0,
            seed: 1,
            methods: vec![Method::default()],
            family: None,
            nodes: 1000,
            seconds: 0.1,
            largest: usize::MAX,
            list: 20,
            dump: None,
            json: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--cases" => settings.cases = number(&word, &value()?)?,
                "--from" => settings.from = number(&word, &value()?)?,
                "--only" => (settings.from, settings.cases) = (number(&word, &value()?)?, 1),
                "--seed" => settings.seed = number(&word, &value()?)?,
                "--method" => settings.methods = methods(&value()?)?,
                "--family" => settings.family = Some(family(value()?)?),
                "--nodes" => settings.nodes = number(&word, &value()?)?,
                "--seconds" => settings.seconds = number(&word, &value()?)?,
                "--largest" => settings.largest = number(&word, &value()?)?,
                "--list" => settings.list = number(&word, &value()?)?,
                "--dump" => settings.dump = Some(value()?.into()),
                "--json" => settings.json = true,
                other => return Err(format!("unknown option {other}")),
            }
        }
        Ok(settings)
    }

    /// The default method gets what it asks for; the papers' methods get what lets the campaign end.
    fn budget(&self, method: Method, size: usize) -> Budget {
        if method == Method::default() {
            return Budget::default();
        }
        // far above the n/2 pivots that these problems take
        Budget {
            pivots: Some(50 * size + 1000),
            nodes: Some(self.nodes),
            seconds: Some(self.seconds),
            ..Budget::default()
        }
    }
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} {text}: not a number"))
}

fn methods(names: &str) -> Result<Vec<Method>, String> {
    if names == "all" {
        return Ok(Method::ALL.to_vec());
    }
    names.split(',').map(|name| name.parse::<Method>().map_err(|error| error.to_string())).collect()
}

fn family(name: String) -> Result<String, String> {
    let known = Family::ALL.iter().any(|(family, _)| family.name() == name);
    if known { Ok(name) } else { Err(format!("unknown family {name}")) }
}

/// What one method did: in all, by family, and where it failed.
#[derive(Default)]
struct Record {
    all: Tally,
    families: BTreeMap<Family, Tally>,
    failures: Vec<(String, Trial)>,
}

fn main() -> ExitCode {
    let settings = match Settings::parse(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            println!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&settings) {
        Ok(records) => {
            if settings.json {
                print_json(&settings, &records);
            } else {
                print_tables(&settings, &records);
            }
            let wrong = records.iter().any(|(_, r)| r.all.silent > 0);
            let default_failed =
                records.iter().any(|(method, r)| *method == Method::default() && r.all.failure() > 0);
            if wrong || default_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            println!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(settings: &Settings) -> std::io::Result<Vec<(Method, Record)>> {
    let campaign = Campaign::new(settings.seed);
    let mut records: Vec<(Method, Record)> =
        settings.methods.iter().map(|&method| (method, Record::default())).collect();
    let mut solvers: Vec<Solver> = settings.methods.iter().map(|&method| Solver::new(method)).collect();
    let mut answers = Answers::default();
    for index in settings.from..settings.from + settings.cases {
        let case = campaign.case(index);
        let size = case.problem.size();
        let chosen = settings.family.as_deref().is_none_or(|name| name == case.family.name());
        if !chosen || size > settings.largest {
            continue;
        }
        for ((method, record), solver) in records.iter_mut().zip(&mut solvers) {
            let trial = case.problem.attempt(solver, settings.budget(*method, size), &mut answers);
            record.all.add(&trial);
            record.families.entry(case.family).or_default().add(&trial);
            if !trial.is_success() {
                dump(settings, &case)?;
                record.failures.push((case.name.clone(), trial));
            }
        }
    }
    Ok(records)
}

fn dump(settings: &Settings, case: &Case) -> std::io::Result<()> {
    let Some(folder) = &settings.dump else { return Ok(()) };
    std::fs::create_dir_all(folder)?;
    let file = folder.join(format!("seed{}-{}.json", settings.seed, case.name));
    std::fs::write(file, json::problem(&case.problem))
}

/// Yamane's rows, a column per method.
fn print_tables(settings: &Settings, records: &[(Method, Record)]) {
    println!("seed {}, cases {} to {}\n", settings.seed, settings.from, settings.from + settings.cases - 1);
    let row = |name: &str, cell: &dyn Fn(&Tally) -> String| {
        let mut line = format!("{name:<14}");
        for (_, record) in records {
            let _ = write!(line, "{:>15}", cell(&record.all));
        }
        println!("{line}");
    };
    let mut head = " ".repeat(14);
    for (method, _) in records {
        let _ = write!(head, "{:>15}", method.name());
    }
    println!("{head}");
    row("contacts", &|t| format!("{:.2}", t.contacts()));
    row("active", &|t| format!("{:.2}", t.active()));
    row("total", &|t| t.total.to_string());
    row("success", &|t| t.success.to_string());
    row("failure", &|t| t.failure().to_string());
    row("  ray", &|t| t.ray.to_string());
    row("  cycle", &|t| t.cycle.to_string());
    row("  inaccurate", &|t| t.inaccurate.to_string());
    row("  budget", &|t| t.budget.to_string());
    row("  silent", &|t| t.silent.to_string());
    row("pivots", &|t| format!("{:.1}", t.pivots()));
    row("median us", &|t| format!("{:.0}", 1e6 * t.times()[0]));
    row("max ms", &|t| format!("{:.1}", 1e3 * t.times()[1]));
    row("total s", &|t| format!("{:.2}", t.times()[2]));
    row("worst residual", &|t| format!("{:.1e}", t.worst()));

    println!("\nsuccess of total, by family\n{head}");
    for (family, _) in Family::ALL {
        let mut line = format!("{:<17}", family.name());
        let mut any = false;
        for (k, (_, record)) in records.iter().enumerate() {
            let Some(tally) = record.families.get(&family) else { continue };
            any = true;
            let width = if k == 0 { 12 } else { 15 };
            let _ = write!(line, "{:>width$}", format!("{}/{}", tally.success, tally.total));
        }
        if any {
            println!("{line}");
        }
    }
    for (method, record) in records {
        if !record.failures.is_empty() && settings.list > 0 {
            println!("\nfailures of {method}, {} in all", record.failures.len());
        }
        for (name, trial) in record.failures.iter().take(settings.list) {
            println!(
                "  {name}: {}, residual {:.1e}, {} pivots, {} nodes, {:.1} ms",
                trial.outcome.status.name(),
                trial.checked,
                trial.outcome.pivots,
                trial.outcome.nodes,
                1e3 * trial.seconds
            );
        }
    }
}

fn print_json(settings: &Settings, records: &[(Method, Record)]) {
    for (method, record) in records {
        let families = record.families.iter().map(|(family, tally)| (family.name(), tally));
        for (family, t) in std::iter::once(("all", &record.all)).chain(families) {
            let [median, max, total] = t.times();
            println!(
                "{{\"seed\":{},\"method\":\"{method}\",\"family\":\"{family}\",\"contacts\":{:?},\"active\":{:?},\
                 \"total\":{},\"success\":{},\"failure\":{},\"ray\":{},\"cycle\":{},\"inaccurate\":{},\"budget\":{},\
                 \"silent\":{},\"pivots\":{:?},\"seconds\":{{\"median\":{median:?},\"max\":{max:?},\"total\":{total:?}}},\
                 \"worst_residual\":{:?}}}",
                settings.seed,
                t.contacts(),
                t.active(),
                t.total,
                t.success,
                t.failure(),
                t.ray,
                t.cycle,
                t.inaccurate,
                t.budget,
                t.silent,
                t.pivots(),
                t.worst()
            );
        }
        for (name, trial) in &record.failures {
            let status = trial.outcome.status.name();
            println!(
                "{{\"seed\":{},\"method\":\"{method}\",\"case\":\"{name}\",\"status\":\"{status}\"}}",
                settings.seed
            );
        }
    }
}

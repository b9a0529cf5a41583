//! Throws damaged models at the readers for a while: URDF, MJCF, scene files, and meshes (STL, OBJ, DAE, MSH).
//!
//! ```sh
//! cargo build --release -p gudgeon-model --example fuzz
//! (ulimit -v 4000000; target/release/examples/fuzz --seconds 600 --seed 1)
//! ```
//! An input is a kept one, damaged a few times with some knowledge of what texts and meshes are made of (`mutate`). It
//! is kept in turn if its outcome is new: the error with numbers and names struck out, or what the report says of which
//! element. That is a poor man's coverage, but it needs no instrumented compiler, and it makes the search go on from inputs that
//! got somewhere. Outcomes that end the run with exit code 1, with the input kept in a file: a panic, a model with a
//! number that is not finite, an input that takes longer than `--patience` seconds. `--steps` also simulates.

mod mutate;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gudgeon_model::{ImportReport, LoadOptions, ModelFileError, load_scene_with, load_text};
use gudgeon_multibody::{LinkId, Workspace, kinematics};
use gudgeon_sim::{Scene, Simulator};
use gudgeon_testkit::Rng;

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Urdf,
    Mjcf,
    Toml,
    Stl,
    Obj,
    Dae,
    Msh,
}

impl Kind {
    const ALL: [Self; 7] = [Self::Urdf, Self::Mjcf, Self::Toml, Self::Stl, Self::Obj, Self::Dae, Self::Msh];

    fn ending(self) -> &'static str {
        match self {
            Self::Urdf => "urdf",
            Self::Mjcf => "xml",
            Self::Toml => "toml",
            Self::Stl => "stl",
            Self::Obj => "obj",
            Self::Dae => "dae",
            Self::Msh => "msh",
        }
    }
}

struct Settings {
    seconds: f64,
    seed: u64,
    patience: f64,
    steps: usize,
}

fn settings() -> Settings {
    let mut s = Settings { seconds: 60.0, seed: 1, patience: 20.0, steps: 0 };
    let mut words = std::env::args().skip(1);
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        let number: f64 = value.parse().expect("a number");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small whole numbers")]
        match key.as_str() {
            "--seconds" => s.seconds = number,
            "--seed" => s.seed = number as u64,
            "--patience" => s.patience = number,
            "--steps" => s.steps = number as usize,
            other => panic!("unknown option {other}: --seconds, --seed, --patience, --steps"),
        }
    }
    s
}

/// The directory the inputs stand in, with sound meshes beside them.
fn directory() -> PathBuf {
    let path = std::env::temp_dir().join(format!("gudgeon-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a place for temporary files");
    for kind in [Kind::Stl, Kind::Obj, Kind::Dae, Kind::Msh] {
        let file = path.join("m").with_extension(kind.ending());
        std::fs::write(file, &mutate::seeds(kind)[0]).expect("writable");
    }
    std::fs::write(path.join("arm.urdf"), &mutate::seeds(Kind::Urdf)[0]).expect("writable");
    path
}

/// Reads one input.
fn read(kind: Kind, bytes: &[u8], place: &Path) -> Result<(Scene, ImportReport), ModelFileError> {
    let options = LoadOptions::default();
    let text = String::from_utf8_lossy(bytes);
    match kind {
        Kind::Urdf | Kind::Mjcf => {
            load_text(&place.join("model").with_extension(kind.ending()), &text, &options)
        }
        Kind::Toml => {
            let file = place.join("scene.toml");
            std::fs::write(&file, bytes).expect("writable");
            load_scene_with(&file, &options)
        }
        _ => {
            let file = format!("damaged.{}", kind.ending());
            std::fs::write(place.join(&file), bytes).expect("writable");
            let urdf = mutate::with_mesh(&file);
            // as it is, and as a hull
            load_text(&place.join("model.urdf"), &urdf, &LoadOptions { hulls: true, ..options.clone() })?;
            load_text(&place.join("model.urdf"), &urdf, &options)
        }
    }
}

/// What has to hold of whatever was read.
fn examine(scene: &Scene, steps: usize) -> Result<(), String> {
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &scene.initial.q, &mut ws);
    for k in 1..scene.model.n_links() {
        let (pose, link) = (ws.pose(LinkId(k)), &scene.model.links()[k]);
        let inertia = link.inertia.about_com.to_matrix();
        let mut numbers = pose
            .rotation
            .iter()
            .chain(pose.translation.iter())
            .chain(inertia.iter())
            .chain(&link.inertia.com);
        if !numbers.all(|x| x.is_finite()) || !link.inertia.mass.is_finite() {
            return Err(format!("link '{}' has a number that is not finite", link.name));
        }
    }
    if scene.initial.q.iter().chain(&scene.initial.v).any(|x| !x.is_finite()) {
        return Err("the start is not finite".into());
    }
    let small = scene.model.n_v() < 60 && scene.colliders.len() < 60;
    if let (true, Ok(mut sim)) = (small && steps > 0, Simulator::new(scene)) {
        for _ in 0..steps {
            if sim.step().is_err() {
                break; // a number that is none is an answer: it is named
            }
        }
    }
    Ok(())
}

/// What an outcome looks like with everything particular struck out.
fn signature(kind: Kind, outcome: &Result<(Scene, ImportReport), ModelFileError>) -> u64 {
    let mut hash = DefaultHasher::new();
    (kind as u8).hash(&mut hash);
    match outcome {
        Err(error) => {
            let text = error.to_string();
            // words in quotes are names, words with digits are values
            let plain = text.split('\'').step_by(2).flat_map(str::split_whitespace);
            for word in plain.filter(|w| !w.contains(|c: char| c.is_ascii_digit())) {
                word.hash(&mut hash);
            }
        }
        Ok((scene, report)) => {
            let items: BTreeSet<String> =
                report.entries.iter().map(|e| format!("{} {:?}", e.item, e.fate)).collect();
            // one element more or less is news; the whole set would make every input new
            items.iter().next_back().hash(&mut hash);
            (items.len(), scene.model.n_v().min(20), scene.model.loops().len().min(3)).hash(&mut hash);
            (report.findings.len().min(5), scene.colliders.len().min(10)).hash(&mut hash);
        }
    }
    hash.finish()
}

/// The input at work, its kind, and since when; for the watchman.
type AtWork = Arc<Mutex<Option<(Kind, Vec<u8>, Instant)>>>;

#[expect(clippy::print_stdout, reason = "its purpose")]
fn keep(kind: Kind, bytes: &[u8], why: &str) {
    let path = PathBuf::from(format!("fuzz-{}.{}", std::process::id(), kind.ending()));
    let written = std::fs::write(&path, bytes);
    println!("{why}; the input is in {} ({written:?})", path.display());
}

/// Ends the program if an input takes too long.
fn watch(at_work: AtWork, patience: f64) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let guard = at_work.lock().expect("nobody panics with it");
            if let Some((kind, bytes, since)) = &*guard
                && since.elapsed().as_secs_f64() > patience
            {
                keep(*kind, bytes, &format!("longer than {patience} s"));
                std::process::exit(1);
            }
        }
    });
}

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    let settings = settings();
    let place = directory();
    let at_work: AtWork = Arc::default();
    watch(Arc::clone(&at_work), settings.patience);
    let mut rng = Rng::new(settings.seed);
    let mut corpus: BTreeMap<Kind, Vec<Vec<u8>>> =
        Kind::ALL.iter().map(|&kind| (kind, mutate::seeds(kind))).collect();
    let mut seen: BTreeMap<u64, Kind> = BTreeMap::new();
    let (mut inputs, mut models, mut slowest) = ([0_u64; 7], 0_u64, (0.0_f64, Kind::Urdf));
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < settings.seconds {
        let kind = rng.pick(&Kind::ALL);
        let kept = &corpus[&kind];
        let bytes = mutate::mutated(kind, kept, &mut rng);
        inputs[kind as usize] += 1;
        *at_work.lock().expect("unbroken") = Some((kind, bytes.clone(), Instant::now()));
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let outcome = read(kind, &bytes, &place);
            let sound = outcome.as_ref().map_or(Ok(()), |(scene, _)| examine(scene, settings.steps));
            (outcome, sound)
        }));
        *at_work.lock().expect("unbroken") = None;
        let seconds = start.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, kind);
        }
        let outcome = match outcome {
            Ok((outcome, Ok(()))) => outcome,
            Ok((_, Err(why))) => {
                keep(kind, &bytes, &why);
                std::process::exit(1);
            }
            Err(_) => {
                keep(kind, &bytes, "panicked");
                std::process::exit(1);
            }
        };
        models += u64::from(outcome.is_ok());
        if seen.insert(signature(kind, &outcome), kind).is_none() && bytes.len() < mutate::MOST_BYTES {
            corpus.get_mut(&kind).expect("every kind").push(bytes);
        }
    }
    let _ = std::fs::remove_dir_all(&place);
    for kind in Kind::ALL {
        let new = seen.values().filter(|k| **k == kind).count();
        println!("{:5} {:8} inputs, {new:5} different outcomes", kind.ending(), inputs[kind as usize]);
    }
    let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = memory.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!(
        "{} inputs in {:.0} s, {models} models; slowest {:.2} s ({}); {peak}; no panic, no hang",
        inputs.iter().sum::<u64>(),
        began.elapsed().as_secs_f64(),
        slowest.0,
        slowest.1.ending()
    );
}

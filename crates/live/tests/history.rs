//! The way back and the way again: the same bits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gudgeon_lcp::Interrupt;
use gudgeon_live::{Act, ReplayError, Session, replay};
use gudgeon_sim::{Recording, Simulator};

use crate::client::stack;

/// Something of everything, at these steps.
fn story() -> Vec<(u64, Act)> {
    vec![
        (3, Act::Grab { body: 3, point: [0.05, 0.0, 0.0], target: [0.4, -0.6, 2.0], gain: 1.0 }),
        (9, Act::Drag { target: [0.5, -0.9, 2.1] }),
        (14, Act::Friction { value: 0.25, body: None }),
        (20, Act::Push { body: 2, point: [0.0; 3], force: [0.0, 30.0, 5.0], seconds: 0.05 }),
        (25, Act::Add { ball: true, size: 0.08, at: [0.3, 0.0, 3.5] }),
        (30, Act::Release),
        (33, Act::Pin { body: 1, on: true }),
        (38, Act::Mass { body: 2, value: 4.0 }),
        (40, Act::Gravity { value: [0.3, 0.0, -9.0] }),
        (44, Act::Dt { value: 5e-3 }),
        (50, Act::Pin { body: 1, on: false }),
    ]
}

/// Hashes after every step, with the story told on the way.
fn tell(session: &mut Session, sim: &mut Simulator, until: u64) -> Vec<u64> {
    let mut hashes = Vec::new();
    while sim.steps() < until {
        let now = sim.steps();
        for (_, act) in story().iter().filter(|(at, _)| *at == now) {
            session.act(sim, act).unwrap();
        }
        let _ = session.step(sim).unwrap();
        hashes.push(sim.state_hash());
    }
    hashes
}

#[test]
fn back_and_on_again_to_the_bit() {
    let scene = Arc::new(stack());
    let mut sim = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &sim);
    let hashes = tell(&mut session, &mut sim, 60);
    for step in [47, 31, 26, 24, 10, 1] {
        session.back(&mut sim, step).unwrap();
        assert_eq!(sim.steps(), step);
        assert_eq!(sim.state_hash(), hashes[usize::try_from(step).unwrap() - 1], "back to {step}");
        // the future as it was, told again, unless this is one of its own steps
        let again = tell(&mut session, &mut sim, 60);
        assert_eq!(again, hashes[usize::try_from(step).unwrap()..], "on from {step}");
    }
    let error = session.back(&mut sim, 1000).unwrap_err().to_string();
    assert!(error.contains("a step from 0 to 60"), "{error}");
}

#[test]
fn a_step_given_up_for_an_order_leaves_no_trace() {
    static HURRY: AtomicBool = AtomicBool::new(false);
    let scene = Arc::new(stack());
    let mut sim = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &sim);
    let hashes = tell(&mut session, &mut sim, 60);
    let mut twin = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &twin);
    for (step, hash) in hashes.iter().enumerate() {
        for (_, act) in story().iter().filter(|(at, _)| *at == step as u64) {
            session.act(&mut twin, act).unwrap();
        }
        // raised before it begins: nothing that the solver does is of use
        let (before, pulls) = (twin.state_hash(), session.pulls().len());
        HURRY.store(true, Ordering::Relaxed);
        assert!(session.step_unless(&mut twin, Interrupt::new(&HURRY)).unwrap().is_none());
        assert_eq!((twin.state_hash(), session.pulls().len()), (before, pulls), "step {step}");
        HURRY.store(false, Ordering::Relaxed);
        assert!(session.step_unless(&mut twin, Interrupt::new(&HURRY)).unwrap().is_some());
        assert_eq!(twin.state_hash(), *hash, "step {step}");
        assert!(twin.settings.interrupt.is_none());
    }
}

#[test]
fn a_start_again_is_the_start_with_its_edits() {
    let scene = Arc::new(stack());
    let mut sim = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &sim);
    tell(&mut session, &mut sim, 60);
    session.reset(&mut sim).unwrap();
    assert_eq!((sim.steps(), sim.time()), (0, 0.0));
    let mut fresh = Simulator::new(session.scene()).unwrap();
    assert_eq!(session.scene().materials[0].friction, 0.25);
    for _ in 0..10 {
        let _ = session.step(&mut sim).unwrap();
        let _ = fresh.step().unwrap();
        assert_eq!(sim.state_hash(), fresh.state_hash());
    }
}

/// The recording of the story, through a file and back.
fn recorded(after_a_reset: bool) -> Recording {
    let scene = Arc::new(stack());
    let mut sim = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &sim);
    if after_a_reset {
        session.act(&mut sim, &Act::Friction { value: 0.7, body: None }).unwrap();
        session.act(&mut sim, &Act::Add { ball: false, size: 0.05, at: [1.0, 1.0, 1.0] }).unwrap();
        session.reset(&mut sim).unwrap();
    }
    session.record(&mut sim, None);
    tell(&mut session, &mut sim, 60);
    session.back(&mut sim, 40).unwrap();
    tell(&mut session, &mut sim, 70);
    let mut bytes = Vec::new();
    session.tape.recording(session.scene()).unwrap().write(&mut bytes).unwrap();
    Recording::read(&mut bytes.as_slice()).unwrap()
}

#[test]
fn a_recorded_run_replays_to_the_bit_pulls_included() {
    for after_a_reset in [false, true] {
        let recording = recorded(after_a_reset);
        assert!(recording.frames.len() > 20, "{}", recording.frames.len());
        let pulls: Vec<_> = recording.frames.iter().flat_map(|f| &f.pulls).collect();
        let kinds = |kind: u32| pulls.iter().filter(|p| p.kind == kind).count();
        assert!(kinds(0) > 5 && kinds(1) > 0 && kinds(2) > 0, "{pulls:?}");
        let told = replay(&stack(), &recording).unwrap();
        assert_eq!((told.frames, told.events), (recording.frames.len(), story().len()));
    }
}

#[test]
fn another_run_is_told_from_it() {
    let mut recording = recorded(false);
    // a pull by a tenth of a micrometre less
    let acts = recording.frames.iter_mut().flat_map(|f| &mut f.acts);
    let (_, second) = acts.into_iter().nth(1).unwrap();
    second["target"][1] = serde_json::json!(-0.899_999_9);
    assert!(matches!(replay(&stack(), &recording), Err(ReplayError::Differs { .. })));
    recording.header["live"] = serde_json::Value::Null;
    assert_eq!(replay(&stack(), &recording), Err(ReplayError::NotLive));
}

#[test]
fn the_player_shows_the_pulls_of_a_recording() {
    let page = gudgeon_replay::html(&recorded(false), &gudgeon_replay::HtmlOptions::default());
    let start = page.find("id=\"meta\">").unwrap() + 10;
    let meta = &page[start..start + page[start..].find("</script>").unwrap()];
    let meta: serde_json::Value = serde_json::from_str(meta).unwrap();
    let pulls = meta["pulls"].as_array().unwrap();
    assert!(pulls.iter().any(|p| p[1] == "grab" && p[2] == 3), "{pulls:?}");
}

/// A file in the folder of temporary things that goes with it.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("gudgeon-{name}-{}.gud", std::process::id())))
    }

    fn read(&self) -> Recording {
        Recording::read(&mut std::fs::File::open(&self.0).unwrap()).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_run_is_on_the_disk_while_it_runs() {
    let scene = Arc::new(stack());
    let mut sim = Simulator::new(&scene).unwrap();
    let mut session = Session::new(&scene, &sim);
    let file = Scratch::new("reel");
    session.tape.write_to(&file.0, &scene).unwrap();
    session.record(&mut sim, None);
    for until in [8, 24, 28, 47, 60] {
        tell(&mut session, &mut sim, until);
        // as if it were killed now
        let so_far = file.read();
        assert_eq!(so_far.frames.len(), session.tape.frames());
        let last = so_far.frames.last().unwrap();
        assert!(sim.time() - last.time < 0.02, "{} {}", sim.time(), last.time);
        assert_eq!(replay(&stack(), &so_far).unwrap().frames, so_far.frames.len(), "until {until}");
        assert_eq!(so_far.header["bodies"].as_array().unwrap().len(), sim.model().n_links());
    }
    let whole = file.read();
    session.back(&mut sim, 26).unwrap();
    assert!(
        file.read().frames.len() < whole.frames.len()
            && file.read().frames.last().unwrap().time <= sim.time()
    );
    tell(&mut session, &mut sim, 60);
    let again = file.read();
    let hashes = |r: &Recording| r.frames.iter().map(|f| f.hash).collect::<Vec<_>>();
    assert_eq!(hashes(&again), hashes(&whole));
    session.reset(&mut sim).unwrap();
    assert_eq!((file.read().frames.len(), sim.steps()), (1, 0));
    tell(&mut session, &mut sim, 40);
    assert!(replay(&stack(), &file.read()).unwrap().frames > 8);
}

#[test]
fn frames_of_a_live_run_tell_stages_times_and_coordinates() {
    let recording = recorded(false);
    let frame = recording.frames.last().unwrap();
    assert_eq!(frame.q.len(), 5 * 7);
    assert!(frame.timings.is_some_and(|t| t.solver > 0.0 && t.collision > 0.0));
    let names = recording.header["stages"].as_array().unwrap();
    assert!(!frame.stages.is_empty());
    for s in &frame.stages {
        assert!(names[usize::from(s.stage)].is_string() && s.runs > 0 && s.seconds > 0.0, "{s:?}");
    }
    assert!(frame.stages.iter().any(|s| s.won), "{:?}", frame.stages);
    // the last stage's residual is that of the step
    let after = frame.stages.iter().rev().find(|s| s.won).unwrap().after;
    assert!(after <= 1e-9 && frame.residual <= 1e-9, "{after} {}", frame.residual);
}

//! The way back and the way again: the same bits.

use std::sync::Arc;

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
    session.record(&sim, None);
    tell(&mut session, &mut sim, 60);
    session.back(&mut sim, 40).unwrap();
    tell(&mut session, &mut sim, 70);
    let mut bytes = Vec::new();
    session.tape.recording(session.scene()).write(&mut bytes).unwrap();
    Recording::read(&mut bytes.as_slice()).unwrap()
}

#[test]
fn a_recorded_run_replays_to_the_bit_pulls_included() {
    for after_a_reset in [false, true] {
        let recording = recorded(after_a_reset);
        assert!(recording.frames.len() > 20, "{}", recording.frames.len());
        let pulls = recording.header["live"]["pulls"].as_array().unwrap();
        let kinds = |kind: &str| pulls.iter().filter(|p| p[1] == kind).count();
        assert!(kinds("grab") > 5 && kinds("push") > 0 && kinds("pin") > 0, "{pulls:?}");
        let told = replay(&stack(), &recording).unwrap();
        assert_eq!((told.frames, told.events), (recording.frames.len(), story().len()));
    }
}

#[test]
fn another_run_is_told_from_it() {
    let mut recording = recorded(false);
    // a pull by a tenth of a micrometre less
    recording.header["live"]["events"][1][1]["target"][1] = serde_json::json!(-0.899_999_9);
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

//! The quick scenes, every one within its bounds; the whole table is `gudgeon validate`.
#![expect(clippy::print_stdout, reason = "figures, for those who ask to see them")]

use std::collections::BTreeSet;

use gudgeon_validate::{Entry, Outcome, Row, theory};

fn hold(scenes: &[Entry]) {
    let mut missed = String::new();
    for scene in scenes.iter().filter(|s| s.quick) {
        let outcome = Outcome::of(scene);
        let (lines, within) = outcome.count();
        print!("{}", outcome.text());
        if within < lines {
            missed += &outcome.text();
        }
    }
    assert!(missed.is_empty(), "\n{missed}");
}

#[test]
fn quick_scenes_of_theory_are_within_their_bounds() {
    hold(theory::SCENES);
}

#[test]
fn scenes_have_names_of_their_own_and_there_are_enough() {
    let names: BTreeSet<_> = theory::SCENES.iter().map(|s| s.name).collect();
    assert_eq!(names.len(), theory::SCENES.len());
    assert!(names.len() >= 25 && theory::SCENES.iter().filter(|s| s.quick).count() >= 25);
}

#[test]
fn a_bound_is_missed_by_what_is_farther_and_by_what_is_no_number() {
    let off = |ours| Row::absolute("x", "m", 1.0, ours, 1e-3, "");
    assert!(off(1.000_9).holds() && !off(1.001_1).holds() && !off(f64::NAN).holds());
    assert!(Row::relative("x", "m", -2.0, -2.001, 1e-3, "").holds());
    assert!(!Row::between("x", "", 1.0, [0.99, 1.1], 1e-2, "").holds());
    assert!(Row::between("x", "", 1.0, [0.99, 1.01], 1e-2, "").holds());
    assert!(!Row::decided("x", 1, 2, "").holds() && Row::decided("x", 2, 2, "").holds());
    let json = off(1.5).json();
    assert_eq!((json["holds"].as_bool().unwrap(), json["error"].as_f64().unwrap()), (false, 0.5));
}

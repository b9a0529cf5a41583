//! The quick scenes, every one within its bounds; the whole table is `gudgeon validate`.
#![expect(clippy::print_stdout, reason = "figures, for those who ask to see them")]

use std::collections::BTreeSet;

use gudgeon_validate::reality::{Cube, Tosses, fit};
use gudgeon_validate::{Entry, Outcome, Row, consistency, page, picture, theory};

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
fn the_same_scene_seen_otherwise_is_the_same() {
    hold(consistency::SCENES);
}

/// Six tosses made with parameters of our own: no error with these, found again from others.
#[test]
fn parameters_of_made_tosses_are_found_again() {
    let truth = Cube { friction: 0.27, restitution: 0.3, ..Cube::MEASURED };
    let starts: Vec<[f64; 13]> = (0..6_u8)
        .map(|k| {
            let k = f64::from(k);
            let (s, c) = (0.3 + 0.2 * k).sin_cos();
            [0.0, 0.0, 0.15 + 0.02 * k, c, 0.6 * s, 0.8 * s, 0.0, 0.9, 0.2 * k - 0.5, 0.1, 3.0, k, -2.0]
        })
        .collect();
    let tosses = Tosses::made(&truth, &starts, 60).unwrap();
    let all: Vec<usize> = (0..tosses.len()).collect();
    let none = tosses.errors(&truth, &all).unwrap();
    // equal to rounding, which acos near 1 makes 1e-8 rad of
    assert!(none.place < 1e-9 && none.angle < 1e-5, "{none:?}");
    let wrong = tosses.errors(&Cube::MEASURED, &all).unwrap();
    let found = fit(&tosses, &all, Cube::MEASURED).unwrap();
    println!("{wrong:?} to {:?} with {}, {} trials", found.errors, found.cube, found.trials);
    assert!(found.errors.place < 0.3 * wrong.place && found.errors.angle < 0.3 * wrong.angle);
    assert!((found.cube.friction - truth.friction).abs() < 0.03);
}

#[test]
fn tosses_that_are_none_are_refused() {
    let row = [0.0; 13];
    assert!(Tosses::new(&[row, row].concat(), vec![0, 2]).is_ok());
    for (rows, start) in [
        (vec![0.0; 25], vec![0, 2]),
        (vec![f64::NAN; 26], vec![0, 2]),
        (vec![0.0; 26], vec![0, 1, 2]),
        (vec![0.0; 26], vec![0, 3]),
        (vec![0.0; 26], vec![]),
    ] {
        assert!(Tosses::new(&rows, start).is_err());
    }
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

/// The command: `gudgeon validate --cases DIR --results docs/validate.jsonl --page book/src/validate.md`.
#[test]
fn the_page_of_the_book_is_that_of_the_last_results() {
    let file =
        |name: &str| std::fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let results = file("docs/validate.jsonl");
    assert!(
        page(&results).unwrap() == file("book/src/validate.md"),
        "book/src/validate.md is not of docs/validate.jsonl"
    );
    assert!(
        picture(&results).unwrap() == file("book/src/figures/validate.svg"),
        "book/src/figures/validate.svg is not of docs/validate.jsonl"
    );
    // every scene of today, and no other, in their order
    let told: Vec<String> = results
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|v| v["part"] != "reality")
        .map(|v| v["scene"].as_str().unwrap().to_owned())
        .collect();
    let here: Vec<&str> = theory::SCENES.iter().chain(consistency::SCENES).map(|s| s.name).collect();
    assert_eq!(told, here);
    assert!(page("{}").is_err());
}

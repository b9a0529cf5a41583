//! Ten thousand messages, each a good one broken: an error or an act, never a panic, and the simulation goes on.

use std::sync::Arc;

use gudgeon_live::{Command, Session};
use gudgeon_sim::Simulator;
use gudgeon_testkit::Rng;

use crate::client::stack;

const GOOD: &[&str] = &[
    r#"{"do":"grab","body":3,"point":[0.1,0,0],"target":[1,2,3],"gain":2.5}"#,
    r#"{"do":"drag","target":[1,-2,0.5]}"#,
    r#"{"do":"release"}"#,
    r#"{"do":"push","body":2,"point":[0,0,0],"force":[10,0,0],"seconds":0.1}"#,
    r#"{"do":"pin","body":4,"on":true}"#,
    r#"{"do":"control","index":0,"values":[1.5]}"#,
    r#"{"do":"joint","dof":7,"force":-3}"#,
    r#"{"do":"place","dof":4,"value":0.3}"#,
    r#"{"do":"friction","value":0.3}"#,
    r#"{"do":"friction","value":0.3,"body":2}"#,
    r#"{"do":"gravity","value":[0,0,-3]}"#,
    r#"{"do":"dt","value":0.005}"#,
    r#"{"do":"mass","body":1,"value":2}"#,
    r#"{"do":"add","shape":"ball","size":0.1,"at":[0,0,9]}"#,
    r#"{"do":"step","n":2}"#,
    r#"{"do":"back","to":1}"#,
    r#"{"do":"speed","x":0.5}"#,
    r#"{"do":"keep","name":"pose"}"#,
    r#"{"do":"go","index":0}"#,
    r#"{"do":"ack","seq":12}"#,
];

/// Pieces that have broken readers before.
const BITS: &[&str] = &[
    "1e999",
    "-1e308",
    "NaN",
    "null",
    "18446744073709551616",
    "-1",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\u0000",
    "\\ud800",
    "0.0000000001",
    "[[[[[[[[",
    "true",
    "é",
    "\u{202e}",
    "1e-320",
];

/// Numbers that are too large, too small, too precise, or right.
const NUMBERS: &[&str] = &[
    "1e999",
    "-1e308",
    "18446744073709551616",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "0.07",
    "1e-320",
    "1e5",
    "4294967296",
    "7.5",
];

fn mutant(rng: &mut Rng) -> String {
    let mut text = GOOD[rng.below(GOOD.len())].to_owned();
    for _ in 0..=rng.below(2) {
        let places: Vec<usize> = text.char_indices().map(|(k, _)| k).chain([text.len()]).collect();
        let (a, b) = (places[rng.below(places.len())], places[rng.below(places.len())]);
        let (a, b) = (a.min(b), a.max(b));
        match rng.below(7) {
            0 => {
                let cut = places.iter().copied().filter(|p| *p >= a && *p <= a + 6).max().unwrap_or(a);
                text.replace_range(a..cut, "");
            }
            1 => text.insert_str(a, BITS[rng.below(BITS.len())]),
            2 => {
                let piece = text[a..b].to_owned();
                text.insert_str(b, &piece);
            }
            _ => {
                // a number becomes another
                if let Some(at) = text[a..].find(|c: char| c.is_ascii_digit()) {
                    text.replace_range(a + at..=a + at, NUMBERS[rng.below(NUMBERS.len())]);
                }
            }
        }
        while !text.is_char_boundary(text.len().min(60_000)) {
            text.pop();
        }
    }
    text
}

#[test]
fn ten_thousand_mutants_do_no_harm() {
    let scene = Arc::new(stack());
    let start = Simulator::new(&scene).unwrap();
    let (mut sim, mut session) = (start.clone(), Session::new(&scene, &start));
    let mut rng = Rng::new(20);
    let (mut read, mut done) = (0, 0);
    for k in 0..10_000 {
        let text = mutant(&mut rng);
        match Command::read(&text) {
            Ok(Command::Act(act)) => {
                read += 1;
                match session.act(&mut sim, &act) {
                    Ok(()) => done += 1,
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
            Ok(Command::Back { to }) => drop(session.back(&mut sim, to)),
            Ok(_) => read += 1,
            Err(error) => assert!(error.to_string().len() < 400, "a short word: {error}"),
        }
        // what was done is also stepped through, now and then; a step that fails says so
        if k % 500 == 0 {
            drop(session.step(&mut sim));
            (sim, session) = (start.clone(), Session::new(&scene, &start));
        }
    }
    println!("10,000 mutants: {read} still orders, {done} done, no panic");
    assert!(read > 1000 && done > 300, "the mutants are too tame or too wild: {read} {done}");
}

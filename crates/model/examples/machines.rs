//! Threads of three pitches and two tessellations, square and leaning, a ball screw, a worm gear and a bearing, mesh on mesh and ball on race,
//! beside their theory.
//!
//! `cargo run --release -p gudgeon-model --example machines [thread | ball-screw | worm | bearing]`; ends with 1 if a figure is out of its bound.

#![expect(clippy::print_stdout, reason = "its purpose")]

#[path = "../tests/machines/mod.rs"]
mod machines;

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let asked = |what: &str| only.is_empty() || only == what;
    let mut missed = 0;
    let mut tell = |figures: Vec<machines::Figure>| {
        for f in figures {
            let bound = if f.bound.is_finite() { format!("{:.1e}", f.bound) } else { String::new() };
            let out = f.bound.is_finite() && !f.holds();
            missed += i32::from(out);
            println!(
                "{:<72}{:>12.6}{:>12.6}{:>10.1e}{bound:>9}{}",
                f.what,
                f.found,
                f.theory,
                f.off(),
                if out { "  OUT" } else { "" }
            );
        }
    };
    println!("{:<72}{:>12}{:>12}{:>10}{:>9}", "", "found", "theory", "off by", "bound");
    for lean in [0.0_f64, 14.5].into_iter().filter(|_| asked("thread")) {
        for pitch in [2e-3, 4e-3, 8e-3] {
            for chords in [48.0, 96.0] {
                tell(machines::thread(pitch, chords, lean.to_radians(), 0.06));
            }
        }
    }
    if asked("ball-screw") {
        tell(machines::ball_screw(0.1));
    }
    for mu in [0.02, 0.05, 0.1].into_iter().filter(|_| asked("worm")) {
        tell(machines::worm(mu));
    }
    for play in [machines::STRIBECK, 6e-6, 0.0, -8e-6].into_iter().filter(|_| asked("bearing")) {
        // the cage floats in its pockets by 0.013 rad, and a preloaded one is soon wedged between balls
        tell(machines::bearing(play, if play > 0.0 { 1.5 } else { 0.5 }));
    }
    if asked("bearing") {
        for (speed, bound) in [(12.0, 11e-6), (50.0, 15e-6), (100.0, 25e-6)] {
            let seen = machines::squeezed(-40e-6, speed, f64::INFINITY, 400);
            println!(
                "bearing, play -40 um, rigid, {speed} rad/s: overlap {:.1e} m, told in {} of 400 steps",
                seen.overlap, seen.told
            );
            missed += i32::from(seen.overlap > bound);
        }
    }
    std::process::exit(i32::from(missed > 0));
}

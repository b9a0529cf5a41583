//! Screws, worm, ball screw and bearing by contact, held against theory; small ones here, all of them in `--example machines`.

#![expect(clippy::print_stdout, reason = "figures, for those who ask to see them")]

use std::f64::consts::TAU;

use crate::machines::{Figure, ball_screw, bearing, squeezed, thread, worm};

fn hold(figures: &[Figure]) {
    for f in figures {
        println!("{}: {:.6}, theory {:.6}", f.what, f.found, f.theory);
    }
    let missed: Vec<&Figure> = figures.iter().filter(|f| f.bound.is_finite() && !f.holds()).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_square_thread_turns_below_and_locks_above_its_lead() {
    hold(&thread(8e-3, 32.0, 0.0, 0.03));
}

#[test]
fn a_leaning_thread_has_the_friction_of_a_wedge() {
    hold(&thread(4e-3, 32.0, 14.5_f64.to_radians(), 0.03));
}

#[test]
fn balls_lift_a_carriage_without_loss() {
    hold(&ball_screw(0.04));
}

#[test]
fn a_worm_turns_its_wheel_by_the_teeth() {
    hold(&worm(0.05));
}

#[test]
fn balls_roll_and_share_the_load_of_a_bearing() {
    hold(&bearing(6e-6, 0.6));
    hold(&bearing(-8e-6, 0.1));
}

#[test]
fn a_rigid_bearing_with_a_preload_rolls_is_told_and_keeps_its_overlap() {
    for effort in [1.0, f64::INFINITY] {
        let seen = squeezed(-40e-6, 2.0 * TAU, effort, 120);
        println!("effort {effort}: {seen:?}");
        // half of the play is the overlap of a ball, shared by two races: 10 um, and a tenth of that for what bends within a step
        assert!(seen.overlap <= 11e-6, "{seen:?}");
        assert_eq!(seen.told, 120, "{seen:?}");
    }
}

#[test]
fn a_squeezed_bearing_that_turns_fast_keeps_its_overlap() {
    // balls go 0.6 mm a step and bend outwards by 6 um; that their grooves open along the axis is true to first order only
    let seen = squeezed(-40e-6, 50.0, f64::INFINITY, 150);
    println!("{seen:?}");
    assert!(seen.overlap <= 15e-6, "{seen:?}");
}

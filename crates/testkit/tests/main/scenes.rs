//! Each change of a scene does what its name says, and nothing else.

use gudgeon_testkit::scene::Units;
use gudgeon_testkit::single::{Situation, frame, peg};
use gudgeon_testkit::{Rng, mechanisms, piles, stacks};

/// The largest relative difference of two lists.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = a.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs() / size))
}

#[test]
fn units_change_the_numbers_and_not_the_problem() {
    let mut rng = Rng::new(1);
    let scene = stacks::random_stack(3, &mut rng).pushed(2.0, &mut rng);
    let (w, q) = scene.delassus();
    for (units, kg, m) in [
        (Units::Grams, 1e3, 1.0),
        (Units::Kilotons, 1e-6, 1.0),
        (Units::Millimetres, 1.0, 1e3),
        (Units::GramsMillimetres, 1e3, 1e3),
    ] {
        let (other_w, other_q) = scene.clone().in_units(units).delassus();
        let back_w: Vec<f64> = other_w.iter().map(|v| v * kg).collect();
        let back_q: Vec<f64> = other_q.iter().map(|v| v / m).collect();
        // a few roundings per entry, some of which cancel against the radius of the contact
        assert!(difference(&w, &back_w) < 1e-12 && difference(&q, &back_q) < 1e-12, "{units:?}");
    }
}

#[test]
fn a_rotation_turns_everything_and_changes_nothing() {
    let mut rng = Rng::new(2);
    let scene = Situation::BlockInCorner.scene().pushed(1.0, &mut rng);
    let turned = scene.clone().rotated(&mut rng);
    // rows of normals alone: the choice of tangents depends on the axes
    let (a, b) = (scene.frictionless_lcp(), turned.frictionless_lcp());
    assert!(difference(a.m(), b.m()) < 1e-13 && difference(a.q(), b.q()) < 1e-12);
    assert_eq!(turned.name, "block-in-corner+rotated");
}

#[test]
fn duplicates_are_equal_to_the_bit_and_neighbours_lie_beside_them() {
    let scene = peg(6).with_duplicates();
    assert_eq!(scene.n_contacts(), 12);
    assert!((0..6).all(|i| scene.touches[i] == scene.touches[i + 6]));
    let mut rng = Rng::new(3);
    for scene in [peg(6), frame(6, [0.0; 2]), piles::column(6)] {
        let scene = scene.with_near_duplicates(1e-6, &mut rng);
        // to second order in the offset over the radius, 5 cm
        assert!((0..6).all(|i| (scene.distance(i, i + 6) / 1e-6 - 1.0).abs() < 1e-3), "{}", scene.name);
    }
}

#[test]
fn neighbours_on_round_bodies_do_not_stop_them_from_turning() {
    let mut rng = Rng::new(4);
    for scene in [peg(8), piles::column(1), Situation::BallInRim.scene()] {
        let scene = scene.with_near_duplicates(1e-6, &mut rng);
        for contact in scene.global().contacts {
            // the lever of the normal about the vertical, m: rounding, not the offset
            let lever = contact.normal.entries.iter().find(|e| e.0 == 2).map_or(0.0, |e| e.1);
            assert!(lever.abs() < 1e-15, "{} {lever}", scene.name);
        }
    }
}

#[test]
fn peace_has_a_zero_q_and_separating_contacts_do_not_press() {
    let mut rng = Rng::new(5);
    let scene = mechanisms::four_bar().pushed(3.0, &mut rng);
    assert!(scene.clone().at_peace().lcp().q().iter().all(|&q| q == 0.0));
    let open = scene.separating().frictionless();
    let free = open.as_global().unwrap();
    for row in &free.unilateral {
        let velocity: f64 = row.entries.iter().map(|&(i, v)| v * free.free_velocity[i]).sum();
        assert!(velocity + row.bias > 0.0);
    }
}

#[test]
fn an_unsymmetric_problem_has_the_energy_of_the_symmetric_one() {
    let mut rng = Rng::new(6);
    let scene = stacks::stack(2);
    let (w, _) = scene.delassus();
    let problem = scene.unsymmetric_problem(0.3, &mut rng);
    let other = problem.as_local().unwrap().w();
    let k = 24;
    let skew = (0..k * k).fold(0.0, |m: f64, e| m.max((other[e] - other[e % k * k + e / k]).abs()));
    assert!(skew > 0.1);
    let mean: Vec<f64> = (0..k * k).map(|e| 0.5 * (other[e] + other[e % k * k + e / k])).collect();
    assert!(difference(&w, &mean) < 1e-14);
}

#[test]
fn the_random_wrench_of_a_seed_is_the_same_every_time() {
    let build = || peg(16).pushed(2.0, &mut Rng::new(9)).lcp();
    assert_eq!(build(), build());
}

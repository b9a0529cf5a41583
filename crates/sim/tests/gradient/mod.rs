//! Derivatives of steps against differences of steps, and cases whose derivative is known.

pub(crate) mod adversary; // scenes made to find what the plain ones do not
pub(crate) mod cases;
pub(crate) mod check;
pub(crate) mod differences;
pub(crate) mod direction;
mod identify; // friction and restitution from tosses, a throw
mod known; // balls that swap, bounces, a box at rest, the edge of the cone
mod products; // rollouts, memory, bits
pub(crate) mod robots; // larger scenes

use check::{Origin, Random};
use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, SceneBuilder};
use nalgebra::Isometry3;

/// Scenes whose steps take too long for the ordinary tests; the campaign has them.
const LONG: [&str; 8] =
    ["hoist", "dominoes", "rolling table", "strandbeest", "pushed frame", "chain", "rope", "bricks"];

/// A capsule between two pads that overlap it: four rows of overlap undone say three things as long as the pads are parallel, and any
/// tilt of a pad decides which of them push. Both sides are named, and right.
#[test]
fn overlap_undone_between_two_faces_has_a_derivative_on_either_side() {
    let (_, scene) = cases::all().into_iter().find(|(name, _)| *name == "pinch").unwrap();
    for seed in [34, 39] {
        let mut r = Random::new(seed + 77_000);
        let start = check::start(&scene, Origin::Random, &mut r).unwrap();
        let (verdicts, kinks) = check::examine(&scene, &start, &mut r, false).unwrap();
        assert!(kinks.iter().any(|k| k.kind == gudgeon_sim::KinkKind::Recovery), "{kinks:?}");
        for v in verdicts {
            println!("{seed} {:?}: {:.1e}, one-sided {:?}", v.input, v.error, v.one_sided);
            assert!(v.error <= 1e-6 || v.one_sided.is_some_and(|e| e <= 1e-6), "{:?}", v.input);
        }
    }
}

/// Feet that close with all their balls at once, on six, three and a fourth without a load, and three beside one that overlaps: a ball that is moved stays
/// open or comes first, loads say which of the others open, and both sides are right.
#[test]
fn a_foot_that_closes_with_all_its_balls_has_a_derivative_on_either_side() {
    let (_, scene) = cases::all().into_iter().find(|(name, _)| *name == "humanoid").unwrap();
    for seed in [2, 48, 49] {
        let mut r = Random::new(seed + 77_000);
        let start = check::start(&scene, Origin::Random, &mut r).unwrap();
        let (verdicts, kinks) = check::examine(&scene, &start, &mut r, false).unwrap();
        assert!(kinks.iter().any(|k| k.kind == gudgeon_sim::KinkKind::Redundant), "{kinks:?}");
        assert!(verdicts.iter().any(|v| v.error > 1e-6 && v.one_sided.is_some()), "{seed}: a kink");
        for v in verdicts {
            println!("{seed} {:?}: {:.1e}, one-sided {:?}", v.input, v.error, v.one_sided);
            assert!(v.good(), "{seed} {:?}: {:.1e}, {:?}", v.input, v.error, v.one_sided);
        }
    }
}

/// Four corners that slide and turn: how they share their load decides the motion, and they share it evenly, in round cones and in polygons.
#[test]
fn a_face_that_slides_on_four_corners_has_a_derivative() {
    for (name, seed) in [
        ("sliding box", 0),
        ("sliding box", 57),
        ("slope", 52),
        ("slope", 59),
        ("box, 8 sides", 13),
        ("cylinder", 0),
        ("cylinder", 19),
    ] {
        let (_, scene) = cases::all().into_iter().find(|(n, _)| *n == name).unwrap();
        let mut r = Random::new(seed + 77_000);
        let start = check::start(&scene, Origin::Random, &mut r).unwrap();
        let (verdicts, kinks) = check::examine(&scene, &start, &mut r, false).unwrap();
        let redundant = kinks.iter().any(|k| k.kind == gudgeon_sim::KinkKind::Redundant);
        assert!(!redundant, "{name} {seed}: {kinks:?}");
        for v in verdicts {
            assert!(v.error <= 1e-6 && !v.remembered, "{name} {seed} {:?}: {:.1e}", v.input, v.error);
        }
    }
}

/// Boxes on each other whose loads are not the even ones: a step from nothing finds them by a search, and says that they are not
/// determined; one that remembers them changes them as little as it can. One of the two has the derivative in every direction.
#[test]
fn a_step_that_remembers_its_loads_has_a_derivative() {
    let (_, scene) = cases::all().into_iter().find(|(n, _)| *n == "stack").unwrap();
    let mut r = Random::new(47 + 77_000);
    let start = check::start(&scene, Origin::Random, &mut r).unwrap();
    let (verdicts, kinks) = check::examine(&scene, &start, &mut r, false).unwrap();
    assert!(kinks.iter().any(|k| k.kind == gudgeon_sim::KinkKind::Redundant), "{kinks:?}");
    for v in verdicts {
        assert!(v.error <= 1e-6, "{:?}: {:.1e}", v.input, v.error);
    }
}

/// A box that falls flat on a wider or a narrower one, exactly parallel to it: points lie on the face that leads when the least turn parts the two,
/// and go along with it.
#[test]
fn a_box_that_falls_flat_on_another_has_a_derivative() {
    for (half, name) in [(0.2, "wider"), (0.06, "narrower")] {
        let mut s = SceneBuilder::new(name);
        s.friction(0.3);
        let base = Shape::cuboid(half, half, 0.05).unwrap();
        s.collider("world", base, Isometry3::translation(0.0, 0.0, -0.05));
        let spec = BodySpec::new("box", Shape::cuboid(0.1, 0.08, 0.05).unwrap()).mass(1.0);
        s.body(spec.at(0.01, 0.005, 0.0501).moving(0.4, 0.1, -0.3)).unwrap();
        let scene = s.build().unwrap();
        let start = check::Start {
            state: scene.initial.clone(),
            control: vec![0.0; 6],
            external: Vec::new(),
            memory: Vec::new(),
        };
        let mut r = Random::new(11);
        let (verdicts, kinks) = check::examine(&scene, &start, &mut r, false).unwrap();
        for v in verdicts {
            println!("{name} {:?}: {:.1e}, {kinks:?}", v.input, v.error);
            assert!(v.error <= 1e-6, "{name} {:?}: {:.1e}, {kinks:?}", v.input, v.error);
        }
    }
}

#[test]
fn a_step_has_the_derivative_of_its_differences() {
    let (mut checked, mut good, mut named) = (0, 0, 0);
    for (name, scene) in cases::all() {
        if LONG.contains(&name) {
            continue;
        }
        for seed in 0..2 {
            let mut r = Random::new(seed + 1000);
            let Some(start) =
                check::start(&scene, if seed == 0 { Origin::Met } else { Origin::Random }, &mut r)
            else {
                continue;
            };
            let Ok((verdicts, kinks)) = check::examine(&scene, &start, &mut r, false) else { continue };
            for v in verdicts {
                assert!(v.adjoint < 1e-9, "{name} {seed} {:?}: transpose off by {:e}", v.input, v.adjoint);
                checked += 1;
                let same = v.good();
                good += usize::from(same);
                named += usize::from(!same && !kinks.is_empty());
                if !same {
                    println!(
                        "{name} {seed} {:?}: {:.1e}, doubt {:.1e}, {kinks:?}",
                        v.input, v.error, v.doubt
                    );
                }
            }
        }
    }
    println!("{checked} directions: {good} as their differences, {named} beside a kink");
    assert!(checked > 300);
    assert_eq!(good + named, checked, "every exception is named");
}

//! Canonical forces: the same motion, the least norm, whatever the order of the contacts.

use std::time::Instant;

use gudgeon_lcp::{
    Bounded, Budget, Canonical, ConeShape, ContactMode, FrictionProblem, FrictionSolution, GlobalForm,
    Residual, Row, SOLVED, Spread, SpreadReport, Stabilisation, Status, Structured, canonical,
};
use gudgeon_testkit::rng::Rng;
use gudgeon_testkit::scene::Scene;
use gudgeon_testkit::{piles, single, stacks};

fn raw(problem: &FrictionProblem) -> FrictionSolution {
    raw_with(ConeShape::Facets, problem)
}

/// An answer with polygons or with round cones.
pub(crate) fn raw_with(cone: ConeShape, problem: &FrictionProblem) -> FrictionSolution {
    let mut solution = FrictionSolution::default();
    let mut solver = Structured::default();
    let outcome = match cone {
        ConeShape::Facets => solver.solve(problem, &mut solution),
        ConeShape::Exact | ConeShape::Convex => {
            solver.solve_exact(problem, None, Budget::default(), &mut solution, &mut ())
        }
    };
    assert_eq!(outcome.status, Status::Solved);
    solution
}

fn spread(problem: &FrictionProblem) -> (FrictionSolution, FrictionSolution, SpreadReport) {
    spread_with(ConeShape::Facets, problem)
}

/// Solves, spreads, and checks everything that must hold of any canonical answer.
pub(crate) fn spread_with(
    cone: ConeShape,
    problem: &FrictionProblem,
) -> (FrictionSolution, FrictionSolution, SpreadReport) {
    let before = raw_with(cone, problem);
    let mut after = before.clone();
    let report = canonical(problem, &mut after);
    assert_eq!(report.spread, Spread::Canonical, "{report:?}");
    assert!(report.norm_after <= report.norm_before * (1.0 + 1e-9), "{report:?}");
    assert!(report.motion <= 1e-12, "{report:?}");
    assert!(report.residual.natural <= SOLVED, "{report:?}");
    assert_eq!(before.basis, after.basis);
    (before, after, report)
}

/// The residual by the dense measure, with w computed from the lowered problem.
fn dense_residual(problem: &FrictionProblem, solution: &FrictionSolution) -> f64 {
    let mlcp = problem.to_mlcp(Stabilisation::default()).unwrap();
    let mut w = Vec::new();
    mlcp.slack(&solution.boxed.x, &mut w);
    Residual::of_mlcp(&mlcp, &solution.boxed.x, &w).natural
}

/// Jᵀ r of the contacts: force and moment on every body.
pub(crate) fn wrench(problem: &FrictionProblem, r: &[f64]) -> Vec<f64> {
    let global = problem.as_global().unwrap();
    let mut out = vec![0.0; global.free_velocity.len()];
    for (i, c) in global.contacts.iter().enumerate() {
        for (k, row) in [&c.normal, &c.tangents[0], &c.tangents[1]].into_iter().enumerate() {
            row.entries.iter().for_each(|&(dof, v)| out[dof] += v * r[3 * i + k]);
        }
    }
    out
}

pub(crate) fn largest(v: impl IntoIterator<Item = f64>) -> f64 {
    v.into_iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(a.iter().zip(b).map(|(a, b)| a - b)) / largest(a.iter().copied()).max(f64::MIN_POSITIVE)
}

fn order_spread(scene: &Scene, orders: usize, rng: &mut Rng) -> (f64, f64, usize) {
    let n = scene.n_contacts();
    let shuffled = |rng: &mut Rng| {
        let mut order: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut order);
        order
    };
    let orders: Vec<Vec<usize>> = (0..orders).map(|_| shuffled(rng)).collect();
    let (forces, sums, same, _) = orders_with(ConeShape::Facets, scene, &orders);
    (forces, sums, same)
}

/// Canonical impulses of a scene in several orders of its contacts, against those in the first order; and how many
/// of the orders had the same motion. With friction a problem may have several motions, and the order of the
/// contacts decides which of them the solver finds; forces are compared where it found the same.
pub(crate) fn orders_with(cone: ConeShape, scene: &Scene, orders: &[Vec<usize>]) -> (f64, f64, usize, f64) {
    let n = scene.n_contacts();
    let (start, first, report) = spread_with(cone, &scene.problem());
    let mut weakest = report.weakest;
    let (mut forces, mut sums, mut same) = (0.0_f64, 0.0_f64, 0);
    let motion = |s: &FrictionSolution| s.contacts.iter().flat_map(|c| c.velocity).collect::<Vec<_>>();
    for order in orders {
        let problem = scene.clone().permuted(order).problem();
        let (before, after, report) = spread_with(cone, &problem);
        weakest = weakest.min(report.weakest);
        let back = |permuted: &[f64]| {
            let mut back = vec![0.0; 3 * n];
            for (place, &i) in order.iter().enumerate() {
                back[3 * i..3 * i + 3].copy_from_slice(&permuted[3 * place..3 * place + 3]);
            }
            back
        };
        sums = sums.max(difference(&wrench(&problem, &before.impulses), &wrench(&problem, &after.impulses)));
        // 1e-9 of the speed that gravity gives in a step: what a certified answer may be off by
        let fall = 9.81 * scene.h;
        let here = back(&motion(&before));
        if largest(motion(&start).iter().zip(&here).map(|(a, b)| a - b)) <= 1e-9 * fall {
            same += 1;
            forces = forces.max(difference(&first.impulses, &back(&after.impulses)));
        }
    }
    (forces, sums, same, weakest)
}

#[test]
fn n_legged_frames_have_the_same_forces_in_every_order() {
    let mut rng = Rng::new(31);
    for legs in [4, 5, 6, 8, 12, 16, 24, 32, 48, 64] {
        for (regular, shift) in [(true, [0.1, 0.05]), (true, [0.3, -0.2]), (false, [0.1, 0.05])] {
            let scene = if regular {
                single::frame(legs, shift)
            } else {
                single::irregular_frame(legs, shift, &mut rng)
            };
            let (forces, sums, same) = order_spread(&scene, 100, &mut rng);
            println!("{} at {shift:?}: forces to {forces:.1e}, sum and moment to {sums:.1e}", scene.name);
            assert_eq!(same, 100);
            assert!(forces <= 1e-9 && sums <= 1e-12);
        }
    }
}

#[test]
fn a_regular_frame_under_a_central_load_stands_on_all_legs_alike() {
    let mut worst = 0.0_f64;
    for legs in 4..=64 {
        let (_, after, _) = spread(&single::frame(legs, [0.0; 2]).problem());
        let mean = after.contacts.iter().map(|c| c.impulse[0]).sum::<f64>() / legs as f64;
        worst = worst.max(largest(after.contacts.iter().map(|c| c.impulse[0] / mean - 1.0)));
        worst = worst.max(largest(after.contacts.iter().map(|c| c.impulse[1].hypot(c.impulse[2]) / mean)));
    }
    println!("regular frames, 4 to 64 legs: equal to {worst:.1e}");
    assert!(worst <= 1e-12);
}

#[test]
fn frames_without_friction_give_the_same_answer_as_unilateral_rows() {
    let mut rng = Rng::new(32);
    for legs in [4, 7, 16] {
        let scene = single::irregular_frame(legs, [0.2, 0.1], &mut rng);
        let (_, rows, report) = spread(&scene.frictionless());
        let mut smooth = scene.clone();
        smooth.touches.iter_mut().for_each(|t| t.mu = 0.0);
        let (_, contacts, _) = spread(&smooth.problem());
        let normals: Vec<f64> = contacts.contacts.iter().map(|c| c.impulse[0]).collect();
        let off = difference(&rows.impulses, &normals);
        println!("{legs} legs: {} sides imposed, the two forms agree to {off:.1e}", report.active);
        assert!(off <= 1e-12);
    }
}

#[test]
fn pushed_scenes_keep_motion_and_modes_and_do_not_depend_on_order() {
    let mut rng = Rng::new(33);
    let mut scenes: Vec<Scene> = single::Situation::ALL.map(single::Situation::scene).to_vec();
    scenes.extend([stacks::stack(3), stacks::tower(4, 24), stacks::random_stack(4, &mut rng)]);
    scenes.extend([single::peg(32), piles::arch(7), single::block_in_groove(5, 0.3)]);
    let (mut worst_order, mut worst_sum, mut worst_dense) = (0.0_f64, 0.0_f64, 0.0_f64);
    for scene in &scenes {
        for strength in [0.3, 1.0, 3.0] {
            let scene = scene.clone().pushed(strength, &mut rng);
            let problem = scene.problem();
            let (before, after, report) = spread(&problem);
            for (b, a) in before.contacts.iter().zip(&after.contacts) {
                let pressed = b.mode != ContactMode::Open && a.mode != ContactMode::Open;
                assert!(!pressed || a.mode == b.mode, "{}: {b:?} became {a:?}", scene.name);
            }
            let dense = dense_residual(&problem, &after);
            let (forces, sums, same) = order_spread(&scene, 5, &mut rng);
            println!(
                "{} pushed by {strength}: {} unknowns, rank {}, {} sides in {} rounds, norm {:.3} of raw, \
                 {same} of 5 orders the same motion and {forces:.1e}, wrench {sums:.1e}, residual {dense:.1e}",
                scene.name,
                report.unknowns,
                report.rank,
                report.active,
                report.rounds,
                report.norm_after / report.norm_before,
            );
            worst_order = worst_order.max(forces);
            worst_sum = worst_sum.max(sums);
            worst_dense = worst_dense.max(dense);
        }
    }
    println!("worst: orders {worst_order:.1e}, wrench {worst_sum:.1e}, residual {worst_dense:.1e}");
    assert!(worst_order <= 1e-9 && worst_sum <= 1e-12 && worst_dense <= SOLVED);
}

#[test]
fn a_duplicated_contact_shares_its_force_equally() {
    let mut rng = Rng::new(34);
    for scene in [single::frame(5, [0.1, 0.0]), stacks::stack(2), single::block_in_corner()] {
        let scene = scene.pushed(0.5, &mut rng);
        let n = scene.n_contacts();
        let (_, after, _) = spread(&scene.with_duplicates().problem());
        let (first, second) = after.impulses.split_at(3 * n);
        let off = difference(first, second);
        println!("duplicates share to {off:.1e}");
        assert!(off <= 1e-12);
    }
}

#[test]
fn the_local_form_has_the_same_canonical_forces_as_the_global_one() {
    let mut rng = Rng::new(35);
    for scene in [single::frame(6, [0.1, 0.1]), stacks::stack(2), single::block_in_corner()] {
        let scene = scene.pushed(0.3, &mut rng);
        let (_, global, _) = spread(&scene.problem());
        let (_, local, _) = spread(&scene.local_problem());
        let off = difference(&global.impulses, &local.impulses);
        println!("{}: local against global {off:.1e}", scene.name);
        assert!(off <= 1e-9);
        let unsymmetric = scene.unsymmetric_problem(0.1, &mut rng);
        let _ = spread(&unsymmetric);
    }
}

#[test]
fn turning_the_tangents_changes_nothing_where_the_cone_is_not_felt() {
    let mut rng = Rng::new(36);
    let scene = single::irregular_frame(9, [0.05, 0.02], &mut rng).pushed(0.01, &mut rng);
    let (_, straight, _) = spread(&scene.problem());
    let (_, turned, _) = spread(&scene.with_turned_tangents(&mut rng).problem());
    let normal = |s: &FrictionSolution| s.contacts.iter().map(|c| c.impulse[0]).collect::<Vec<_>>();
    let off = difference(&normal(&straight), &normal(&turned));
    println!("turned tangents: {off:.1e}");
    assert!(off <= 1e-9);
}

/// A mass of 1 kg on a line, pushed by four redundant rows.
pub(crate) fn rows_on_a_line(bounds: [(f64, f64); 2]) -> FrictionProblem {
    let row = || Row::new(vec![(0, 1.0)]);
    FrictionProblem::global(GlobalForm {
        mass: vec![(1, vec![1.0])],
        free_velocity: vec![-1.0],
        equality: vec![row()],
        unilateral: vec![row()],
        bounded: bounds.iter().map(|&(lo, hi)| Bounded { row: row(), lo, hi }).collect(),
        ..GlobalForm::default()
    })
    .unwrap()
}

#[test]
fn rows_of_every_kind_share_within_their_bounds() {
    // order of the impulses: unilateral, bounded, bounded, equality
    let (_, after, _) = spread(&rows_on_a_line([(-1.0, 1.0), (-1.0, 1.0)]));
    assert!(largest(after.impulses.iter().map(|r| r - 0.25)) < 1e-15, "{:?}", after.impulses);
    // a motor that can give no more than 0.1 leaves 0.3 to each of the others
    let (_, after, report) = spread(&rows_on_a_line([(-1.0, 0.1), (-1.0, 1.0)]));
    println!("one weak motor: {:?}, {report:?}", after.impulses);
    let expected = [0.3, 0.1, 0.3, 0.3];
    assert!(difference(&after.impulses, &expected) < 1e-15);
}

#[test]
fn an_answer_that_is_none_is_left_alone() {
    let problem = stacks::stack(2).problem();
    let mut solution = raw(&problem);
    solution.boxed.x[0] *= 2.0;
    solution.impulses[0] *= 2.0;
    let before = solution.clone();
    let report = canonical(&problem, &mut solution);
    assert_eq!(report.spread, Spread::NotSolved);
    assert_eq!(before, solution);
    let mut empty = FrictionSolution::default();
    assert_eq!(canonical(&problem, &mut empty).spread, Spread::NotSolved);
}

#[test]
fn the_wall_is_spread_in_milliseconds_and_repeats_to_the_bit() {
    let mut rng = Rng::new(37);
    for scene in [stacks::brick_wall(12), stacks::brick_wall(12).pushed(1.0, &mut rng)] {
        let problem = scene.problem();
        let before = raw(&problem);
        let mut canonical = Canonical::default();
        let mut first = before.clone();
        let report = canonical.spread(&problem, &mut first);
        assert_eq!(report.spread, Spread::Canonical, "{report:?}");
        let mut times: Vec<f64> = (0..15)
            .map(|_| {
                let mut again = before.clone();
                let start = Instant::now();
                let other = canonical.spread(&problem, &mut again);
                let seconds = start.elapsed().as_secs_f64();
                assert_eq!((other, &again), (report, &first));
                seconds
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{}: {report:?}, median {:.2} ms, least {:.2} ms",
            scene.name,
            1e3 * times[7],
            1e3 * times[0]
        );
        assert!(report.motion <= 1e-12);
        let (forces, sums, same) = order_spread(&scene, 3, &mut rng);
        println!("    {same} of 3 orders the same motion and {forces:.1e}, wrench {sums:.1e}");
        assert!(forces <= 1e-9 && sums <= 1e-12);
    }
}

#[test]
fn the_campaign_is_spread_or_left_alone_and_never_spoiled() {
    use gudgeon_testkit::campaign::{Campaign, Problem};
    let (mut tried, mut spread, mut left, mut spoiled) = (0, 0, 0, 0);
    let (mut worst, mut motion) = (0.0_f64, 0.0_f64);
    for case in Campaign::new(7).take(2500) {
        let Problem::Friction(problem) = &case.problem else { continue };
        let mut solution = FrictionSolution::default();
        if Structured::default().solve(problem, &mut solution).status != Status::Solved {
            continue;
        }
        tried += 1;
        let before = solution.clone();
        let report = canonical(problem, &mut solution);
        if report.spread == Spread::Canonical {
            spread += 1;
            motion = motion.max(report.motion);
            let dense = dense_residual(problem, &solution);
            // without friction λ means nothing, and the dense measure wants it zero
            let mut before = before;
            let (n, d) = (problem.n_contacts(), problem.facets());
            for i in (0..n).filter(|&i| problem.mu()[i] == 0.0) {
                before.boxed.x[n + n * d + i] = 0.0;
            }
            let raw = dense_residual(problem, &before);
            // the dense measure holds every row against its own numbers, which few raw answers fail
            let good = dense <= SOLVED.max(2.0 * raw);
            if !good || raw > SOLVED {
                println!("{}: raw {raw:.1e}, then {dense:.1e}, {report:?}", case.name);
            }
            spoiled += usize::from(!good);
            if raw > SOLVED {
                continue;
            }
            worst = worst.max(dense);
        } else {
            left += 1;
            println!("{}: left alone, {report:?}", case.name);
            assert_eq!(before, solution);
        }
    }
    println!("{tried} solved: {spread} spread, {left} left alone; residual {worst:.1e}, motion {motion:.1e}");
    assert_eq!(spoiled, 0);
    // contacts 1e-8 m apart and closer can be too ill-conditioned to be certified again
    assert!(50 * left <= tried);
}

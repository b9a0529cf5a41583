//! Canonical forces within round cones.

use gudgeon_lcp::{
    Canonical, ConeShape, ContactMode, FrictionProblem, FrictionSolution, SOLVED, Spread, SpreadReport,
    Status, Structured, canonical, facet_gap,
};
use gudgeon_testkit::rng::Rng;
use gudgeon_testkit::scene::Scene;
use gudgeon_testkit::{piles, single, stacks};

use crate::friction_canonical::{
    difference, largest, orders_with, raw_with, rows_on_a_line, spread_with, wrench,
};

pub(crate) const ROUND: ConeShape = ConeShape::Exact;

/// Solves and spreads; also that modes and cones are kept.
pub(crate) fn spread(problem: &FrictionProblem) -> (FrictionSolution, FrictionSolution, SpreadReport) {
    let (before, after, report) = spread_with(ROUND, problem);
    // by how much the raw answer misses Coulomb's law, all contacts together, N s and m/s
    let missed = facet_gap(problem, &before).fischer_burmeister;
    let most = largest(after.impulses.iter().copied());
    for (i, (b, a)) in before.contacts.iter().zip(&after.contacts).enumerate() {
        let pressed = b.mode != ContactMode::Open && a.mode != ContactMode::Open;
        assert!(!pressed || a.mode == b.mode, "{i}: {b:?} became {a:?}");
        let limit = problem.mu()[i] * a.impulse[0];
        let force = a.impulse[1].hypot(a.impulse[2]);
        // a sliding contact is as near to its cone as the raw answer had it
        assert!(force <= limit + missed + 1e-14 * most, "{i}: {force} beyond {limit}");
    }
    // measured by another road, in the scales of the solver
    assert!(facet_gap(problem, &after).natural <= SOLVED, "{report:?}");
    (before, after, report)
}

/// A frame that slides nearly straight, turning a little, has rays that are nearly parallel: the motion decides some sums of
/// their forces only by differences this small. The solver leaves up to 1e-10 of the speed in a motion, which comes into
/// the forces divided by that: sums and moments are kept, single forces cannot be.
pub(crate) const WEAK: f64 = 1e-5;

/// All orders of so few contacts that there are at most 120, or 100 drawn ones.
fn orders(n: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    if n > 5 {
        let mut order: Vec<usize> = (0..n).collect();
        return (0..100)
            .map(|_| {
                rng.shuffle(&mut order);
                order.clone()
            })
            .collect();
    }
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |o: &Vec<usize>| {
            let free: Vec<usize> = (0..n).filter(|i| !o.contains(i)).collect();
            let o = o.clone();
            free.into_iter().map(move |i| [&o[..], &[i]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What a frame is made to do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Load {
    Standing,
    /// Pushed by this part of what friction can hold, so that light legs are at their limits.
    Leaning(f64),
    Sliding,
    Spinning,
}

pub(crate) fn loaded(mut scene: Scene, load: Load) -> Scene {
    let scene = {
        let body = &mut scene.bodies[0];
        let mu = scene.touches[0].mu;
        match load {
            Load::Standing => {}
            Load::Leaning(part) => {
                let force = part * mu * 9.81 * body.mass;
                body.force[0] += 0.8 * force;
                body.force[1] -= 0.6 * force;
            }
            Load::Sliding => body.velocity = [0.7, 0.4, 0.0],
            Load::Spinning => (body.spin, body.velocity) = ([0.0, 0.0, 3.0], [0.1, -0.2, 0.0]),
        }
        scene
    };
    Scene { name: format!("{} {load:?}", scene.name), ..scene }
}

#[test]
fn round_frames_have_the_same_forces_in_every_order() {
    let mut rng = Rng::new(41);
    let loads = [Load::Standing, Load::Leaning(0.6), Load::Leaning(0.95), Load::Sliding, Load::Spinning];
    let (mut worst, mut worst_sum, mut held, mut weak) = (0.0_f64, 0.0_f64, 0, 0);
    let (mut frames, mut unrepeated) = (0, 0);
    for legs in [3, 4, 5, 6, 8, 12, 16, 32, 64] {
        for (regular, shift) in [(true, [0.0, 0.0]), (true, [0.2, -0.1]), (false, [0.05, 0.02])] {
            for load in loads {
                let scene = if regular {
                    single::frame(legs, shift)
                } else {
                    single::irregular_frame(legs, shift, &mut rng)
                };
                let scene = loaded(scene, load);
                let (_, _, report) = spread(&scene.problem());
                held += usize::from(report.active > 0);
                let list = orders(legs, &mut rng);
                let list = &list[..list.len().min(if legs > 32 { 20 } else { 120 })];
                let (forces, sums, same, weakest) = orders_with(ROUND, &scene, list);
                println!(
                    "{}: {} held in {} steps, {same} of {} orders the same motion, forces to {forces:.1e}, \
                     sum and moment to {sums:.1e}, weakest {weakest:.1e}",
                    scene.name,
                    report.active,
                    report.rounds,
                    list.len(),
                );
                // raw motions that differ by more than 1e-9 of a step's fall have no forces to compare
                unrepeated += usize::from(2 * same < list.len());
                frames += 1;
                assert!((weakest < WEAK || forces <= 1e-9) && sums <= 1e-12);
                weak += usize::from(weakest < WEAK);
                worst = worst.max(if weakest < WEAK { 0.0 } else { forces });
                worst_sum = worst_sum.max(sums);
            }
        }
    }
    println!(
        "{held} with cones that hold back, {weak} that slide nearly straight; orders {worst:.1e} but for these, \
         sum and moment {worst_sum:.1e}"
    );
    println!("of {frames} frames {unrepeated} have raw motions that depend on the order in most orders");
    assert!(held >= 20 && weak <= 30 && unrepeated <= 6);
    assert!(worst <= 1e-9);
}

#[test]
fn polygons_of_many_sides_come_near_to_round_cones() {
    let mut rng = Rng::new(43);
    let mut held = 0;
    for _ in 0..10 {
        let scene = single::irregular_frame(7, [0.12, 0.05], &mut rng);
        let scene = loaded(scene, Load::Leaning(0.8));
        let (_, round, report) = spread(&scene.problem());
        let slides = |s: &FrictionSolution| s.contacts.iter().any(|c| c.mode == ContactMode::Slip);
        let polygons =
            [16, 64, 256].map(|d| spread_with(ConeShape::Facets, &scene.clone().with_facets(d).problem()).1);
        // what the one holds the other may not
        if slides(&round) || polygons.iter().any(slides) {
            continue;
        }
        let off = polygons.map(|p| difference(&round.impulses, &p.impulses));
        println!(
            "{} held: with 16, 64, 256 sides {:.1e}, {:.1e}, {:.1e} apart",
            report.active, off[0], off[1], off[2]
        );
        held += usize::from(report.active > 0);
        // along a side, which is straight, forces are off by its length: 1/d
        assert!(off[2] < 0.2 * off[0] && off[2] < 1e-3);
    }
    assert!(held >= 5);
}

#[test]
fn turning_the_tangents_changes_nothing_of_round_cones() {
    let mut rng = Rng::new(44);
    for load in [Load::Standing, Load::Leaning(0.95), Load::Sliding, Load::Spinning] {
        let scene = loaded(single::irregular_frame(9, [0.05, 0.02], &mut rng), load);
        let (_, straight, report) = spread(&scene.problem());
        let problem = scene.clone().with_turned_tangents(&mut rng).problem();
        let (_, turned, other) = spread(&problem);
        let normal = |s: &FrictionSolution| s.contacts.iter().map(|c| c.impulse[0]).collect::<Vec<_>>();
        let tangent = |s: &FrictionSolution| {
            s.contacts.iter().map(|c| c.impulse[1].hypot(c.impulse[2])).collect::<Vec<_>>()
        };
        let mut off = difference(&normal(&straight), &normal(&turned));
        let force = largest(tangent(&straight).iter().zip(tangent(&turned)).map(|(a, b)| a - b));
        off = off.max(force / largest(normal(&straight)));
        let weakest = report.weakest.min(other.weakest);
        println!("{} with turned tangents: {off:.1e}, weakest {weakest:.1e}", scene.name);
        assert!(weakest < WEAK || off <= 1e-9);
    }
}

#[test]
fn scenes_of_several_bodies_keep_motion_and_modes() {
    let mut rng = Rng::new(45);
    let mut scenes: Vec<Scene> = single::Situation::ALL.map(single::Situation::scene).to_vec();
    scenes.extend([stacks::stack(3), stacks::tower(4, 24), single::peg(32), piles::arch(7)]);
    let mut worst_sum = 0.0_f64;
    for scene in &scenes {
        for strength in [0.3, 1.0] {
            let scene = scene.clone().pushed(strength, &mut rng);
            let (before, after, report) = spread(&scene.problem());
            let problem = scene.problem();
            let sums = difference(&wrench(&problem, &before.impulses), &wrench(&problem, &after.impulses));
            let list = orders(scene.n_contacts().max(6), &mut rng);
            let some = if scene.n_contacts() < 6 { orders(scene.n_contacts(), &mut rng) } else { list };
            let some: Vec<_> = some.into_iter().take(4).collect();
            let (forces, _, same, weakest) = orders_with(ROUND, &scene, &some);
            println!(
                "{} pushed by {strength}: {} unknowns, rank {}, {} held in {} steps, norm {:.3} of raw, {same} of {} \
                 orders the same motion and {forces:.1e}, wrench {sums:.1e}",
                scene.name,
                report.unknowns,
                report.rank,
                report.active,
                report.rounds,
                report.norm_after / report.norm_before,
                some.len()
            );
            assert!(weakest < WEAK || forces <= 1e-9, "weakest {weakest:.1e}");
            worst_sum = worst_sum.max(sums);
        }
    }
    println!("worst wrench {worst_sum:.1e}");
    assert!(worst_sum <= 1e-12);
}

#[test]
fn duplicates_share_and_forms_agree_with_round_cones() {
    let mut rng = Rng::new(46);
    for scene in [single::frame(5, [0.1, 0.0]), stacks::stack(2), single::block_in_corner()] {
        let scene = scene.pushed(0.2, &mut rng);
        let n = scene.n_contacts();
        let (_, global, report) = spread(&scene.problem());
        let (_, local, _) = spread(&scene.local_problem());
        let (_, twice, _) = spread(&scene.clone().with_duplicates().problem());
        let (first, second) = twice.impulses.split_at(3 * n);
        let (form, pair) = (difference(&global.impulses, &local.impulses), difference(first, second));
        println!("{}: local against global {form:.1e}, duplicates {pair:.1e}", scene.name);
        // W has the squares of the decisions
        assert!(report.weakest >= 1e-3);
        assert!(form <= 1e-9 && pair <= 1e-12);
    }
    // rows without contacts are the same problem, whatever the cones
    let (_, after, _) = spread(&rows_on_a_line([(-1.0, 0.1), (-1.0, 1.0)]));
    assert!(difference(&after.impulses, &[0.3, 0.1, 0.3, 0.3]) < 1e-14, "{:?}", after.impulses);
}

#[test]
fn the_wall_is_spread_within_round_cones_and_repeats_to_the_bit() {
    let mut rng = Rng::new(47);
    for scene in [stacks::brick_wall(6), stacks::brick_wall(6).pushed(1.0, &mut rng)] {
        let problem = scene.problem();
        let before = raw_with(ROUND, &problem);
        let mut memory = Canonical::default();
        let mut first = before.clone();
        let report = memory.spread(&problem, &mut first);
        assert_eq!(report.spread, Spread::Canonical, "{report:?}");
        let mut again = before.clone();
        let start = std::time::Instant::now();
        let other = memory.spread(&problem, &mut again);
        println!("{}: {report:?} in {:.2} ms", scene.name, 1e3 * start.elapsed().as_secs_f64());
        assert_eq!((other, &again), (report, &first));
        // memory of another problem changes nothing
        let _ = memory.spread(&single::frame(7, [0.1, 0.0]).problem(), &mut FrictionSolution::default());
        let mut fresh = before.clone();
        assert_eq!((canonical(&problem, &mut fresh), &fresh), (report, &first));
    }
}

#[test]
fn an_answer_that_is_none_is_left_alone_with_round_cones() {
    let problem = single::frame(6, [0.1, 0.0]).problem();
    let mut solution = raw_with(ROUND, &problem);
    solution.impulses[0] *= 2.0;
    let before = solution.clone();
    assert_eq!(canonical(&problem, &mut solution).spread, Spread::NotSolved);
    assert_eq!(before, solution);
}

#[test]
fn the_campaign_is_spread_within_round_cones_or_left_alone() {
    use gudgeon_testkit::campaign::{Campaign, Problem};
    let (mut tried, mut left) = (0, 0);
    let (mut motion, mut steps) = (0.0_f64, 0);
    let mut solver = Structured::default();
    for case in Campaign::new(7).take(1500) {
        let Problem::Friction(problem) = &case.problem else { continue };
        let mut solution = FrictionSolution::default();
        let budget = gudgeon_lcp::Budget::pivots(200);
        let outcome = solver.solve_exact(problem, None, budget, &mut solution, &mut ());
        if outcome.status != Status::Solved {
            continue;
        }
        tried += 1;
        let before = solution.clone();
        let report = canonical(problem, &mut solution);
        if report.spread == Spread::Canonical {
            motion = motion.max(report.motion);
            steps = steps.max(report.rounds);
            let (now, then) = (facet_gap(problem, &solution), facet_gap(problem, &before));
            assert!(now.natural <= SOLVED.max(4.0 * then.natural), "{}: {now:?} {then:?}", case.name);
            assert!(report.norm_after <= report.norm_before * (1.0 + 1e-9), "{}: {report:?}", case.name);
        } else {
            left += 1;
            println!("{}: left alone, {report:?}", case.name);
            assert_eq!(before, solution);
        }
    }
    println!("{tried} solved, {left} left alone; at most {steps} steps, motion to {motion:.1e}");
    assert!(50 * left <= tried);
}

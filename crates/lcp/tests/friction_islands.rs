//! Islands: parts solved apart are the whole, to the bit, on any number of threads.

use gudgeon_lcp::{Budget, FrictionProblem, FrictionSolution, Status, Structured, islands, solve_islands};
use gudgeon_testkit::rng::Rng;
use gudgeon_testkit::scene::Scene;
use gudgeon_testkit::{single, stacks};

/// Several scenes side by side, their contacts dealt out like cards.
fn together(scenes: &[Scene]) -> (Scene, Vec<Vec<usize>>) {
    let mut all = Scene::new("together");
    let mut places = vec![Vec::new(); scenes.len()];
    let mut first = Vec::new();
    for scene in scenes {
        first.push(all.bodies.len());
        all.bodies.extend(scene.bodies.iter().cloned());
    }
    let longest = scenes.iter().map(Scene::n_contacts).max().unwrap();
    for i in 0..longest {
        for (s, scene) in scenes.iter().enumerate() {
            if let Some(touch) = scene.touches.get(i) {
                let mut touch = *touch;
                touch.a += first[s];
                touch.b = touch.b.map(|b| b + first[s]);
                places[s].push(all.touches.len());
                all.touches.push(touch);
            }
        }
    }
    (all, places)
}

fn alone(problem: &FrictionProblem) -> FrictionSolution {
    let mut solution = FrictionSolution::default();
    assert_eq!(Structured::default().solve(problem, &mut solution).status, Status::Solved);
    solution
}

fn cold(problem: &FrictionProblem, threads: usize) -> (gudgeon_lcp::Outcome, FrictionSolution) {
    let mut solution = FrictionSolution::default();
    let outcome = solve_islands(problem, threads, None, Budget::default(), &mut solution);
    (outcome, solution)
}

fn several() -> Vec<Scene> {
    let mut rng = Rng::new(41);
    let mut scenes = vec![stacks::stack(3), stacks::tower(2, 12), single::frame(7, [0.1, 0.0])];
    scenes.push(stacks::random_stack(4, &mut rng));
    scenes.push(single::block_in_corner());
    scenes.into_iter().map(|s| s.pushed(0.5, &mut rng)).collect()
}

#[test]
fn stacks_far_apart_are_the_stacks_alone_to_the_bit() {
    let scenes = several();
    let (all, places) = together(&scenes);
    let problem = all.problem();
    assert_eq!(islands(&problem).len(), scenes.len());
    let (outcome, whole) = cold(&problem, 2);
    assert_eq!(outcome.status, Status::Solved);
    for (scene, places) in scenes.iter().zip(&places) {
        let part = alone(&scene.problem());
        for (&i, contact) in places.iter().zip(&part.contacts) {
            assert_eq!(whole.contacts[i], *contact, "{}", scene.name);
            assert_eq!(whole.impulses[3 * i..3 * i + 3], contact.impulse);
        }
        let d = problem.facets();
        for (at, &i) in places.iter().enumerate() {
            let n = part.contacts.len();
            let phi = |n: usize, i: usize| n + i * d..n + (i + 1) * d;
            assert_eq!(whole.boxed.x[phi(all.n_contacts(), i)], part.boxed.x[phi(n, at)]);
            assert_eq!(
                whole.basis[i * (d + 2)..(i + 1) * (d + 2)],
                part.basis[at * (d + 2)..(at + 1) * (d + 2)]
            );
        }
    }
    // a warm start of the whole is a warm start of every part
    let mut again = FrictionSolution::default();
    let warm = solve_islands(&problem, 1, Some(&whole.basis), Budget::default(), &mut again);
    let parts = scenes.iter().map(|scene| {
        let (problem, mut solution) = (scene.problem(), FrictionSolution::default());
        let start = alone(&problem).basis;
        let solver = &mut Structured::default();
        solver.solve_with(&problem, Some(&start), Budget::default(), &mut solution, &mut ()).pivots
    });
    let pivots: usize = parts.sum();
    println!("{} islands: {outcome:?}, then warm {warm:?}", scenes.len());
    assert_eq!((warm.status, warm.pivots), (Status::Solved, pivots));
}

/// The scalar rows of all islands but the largest.
fn beside_the_largest(problem: &FrictionProblem) -> usize {
    let rows: Vec<usize> = islands(problem).iter().map(gudgeon_lcp::Island::rows).collect();
    rows.iter().sum::<usize>() - rows.iter().max().unwrap()
}

#[test]
fn threads_do_not_change_a_bit() {
    // enough of them that threads are started
    let scenes: Vec<Scene> = (0..7).flat_map(|_| several()).collect();
    let problem = together(&scenes).0.problem();
    assert!(beside_the_largest(&problem) >= 1000);
    let (outcome, one) = cold(&problem, 1);
    for threads in [0, 2, 3, 4, 16] {
        assert_eq!(cold(&problem, threads), (outcome, one.clone()), "{threads} threads");
    }
    let local = together(&scenes).0.local_problem();
    assert_eq!(islands(&local).len(), scenes.len());
    assert!(beside_the_largest(&local) >= 1000);
    assert_eq!(cold(&local, 1), cold(&local, 4));
    assert_eq!(cold(&local, 1).0.status, Status::Solved);
}

#[test]
fn one_big_island_falls_through() {
    let problem = stacks::brick_wall(4).problem();
    assert!(islands(&problem).is_empty());
    let (_, whole) = cold(&problem, 4);
    assert_eq!(whole, alone(&problem));
}

#[test]
fn rows_of_every_kind_find_their_place() {
    use gudgeon_lcp::{Bounded, GlobalForm, Row};
    // two masses on a line each, and one that nothing touches; rows dealt out in turn, one acts on nothing
    let row = |dof: usize| Row::new(vec![(dof, 1.0)]);
    let bounded = |dof: usize, hi: f64| Bounded { row: row(dof), lo: -hi, hi };
    let problem = FrictionProblem::global(GlobalForm {
        mass: vec![(1, vec![1.0]), (1, vec![2.0]), (2, vec![1.0, 0.0, 0.0, 1.0]), (1, vec![3.0])],
        free_velocity: vec![-1.0, -2.0, 5.0, 5.0, -3.0],
        unilateral: vec![row(1), row(0), Row::new(vec![]).with_bias(1.0)],
        bounded: vec![bounded(4, 0.5), bounded(0, 0.25), bounded(1, 100.0)],
        equality: vec![row(4)],
        ..GlobalForm::default()
    })
    .unwrap();
    let parts = islands(&problem);
    assert_eq!(parts.len(), 3);
    let (outcome, whole) = cold(&problem, 2);
    assert_eq!(outcome.status, Status::Solved);
    let mlcp = problem.to_mlcp(gudgeon_lcp::Stabilisation::default()).unwrap();
    let mut w = Vec::new();
    mlcp.slack(&whole.boxed.x, &mut w);
    let off = w.iter().zip(&whole.boxed.w).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    println!("{:?}: velocities of the whole to {off:.1e}", whole.impulses);
    assert!(off < 1e-12);
    assert!(gudgeon_lcp::Residual::of_mlcp(&mlcp, &whole.boxed.x, &w).natural < 1e-9);
}

#[test]
fn threads_change_nothing_of_many_islands() {
    for (count, blocks) in [(2, 1), (16, 1), (2, 3), (32, 3)] {
        let scenes: Vec<Scene> = (0..count).map(|_| stacks::stack(blocks)).collect();
        let problem = together(&scenes).0.problem();
        let one = cold(&problem, 1);
        assert_eq!(one.0.status, Status::Solved, "{count} stacks of {blocks}");
        assert_eq!(one, cold(&problem, 2), "{count} stacks of {blocks}");
    }
}

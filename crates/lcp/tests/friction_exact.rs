//! Exact cones: what must slide slides, what must stick sticks, in every direction of the compass.

use gudgeon_lcp::{
    Budget, Contact, ContactMode, FrictionProblem, FrictionSolution, GlobalForm, Method, Row, Solver, Status,
    Structured, facet_gap,
};

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

/// A box of 2 kg, 0.4 m wide and 0.1 m high, on four corners, pushed at its centre of mass by `force` (N, world
/// x and y) for one step. Velocities are (angular, linear) in world axes; the tangents of the contacts are the
/// world's x and y.
fn pushed_box(mu: f64, force: [f64; 2]) -> FrictionProblem {
    let (mass, width, height) = (2.0, 0.4, 0.1);
    let (ix, iz) = (mass * (width * width + height * height) / 12.0, mass * 2.0 * width * width / 12.0);
    let diagonal = [ix, ix, iz, mass, mass, mass];
    let mut block = vec![0.0; 36];
    (0..6).for_each(|i| block[7 * i] = diagonal[i]);
    let h = STEP / mass;
    let free_velocity = vec![0.0, 0.0, 0.0, force[0] * h, force[1] * h, -GRAVITY * STEP];
    let corner = |sx: f64, sy: f64| {
        let p = [sx * width / 2.0, sy * width / 2.0, -height / 2.0];
        // v + omega x p along an axis: omega . (p x axis) + v . axis
        let row = |a: [f64; 3]| {
            let c = [p[1] * a[2] - p[2] * a[1], p[2] * a[0] - p[0] * a[2], p[0] * a[1] - p[1] * a[0]];
            Row::new((0..3).map(|i| (i, c[i])).chain((0..3).map(|i| (3 + i, a[i]))).collect())
        };
        Contact { mu, normal: row([0.0, 0.0, 1.0]), tangents: [row([1.0, 0.0, 0.0]), row([0.0, 1.0, 0.0])] }
    };
    let contacts = vec![corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)];
    let form = GlobalForm { mass: vec![(6, block)], free_velocity, contacts, ..GlobalForm::default() };
    FrictionProblem::global(form).unwrap()
}

fn solve(problem: &FrictionProblem) -> FrictionSolution {
    let mut solution = FrictionSolution::default();
    let outcome = Structured::default().solve_exact(problem, None, Budget::default(), &mut solution, &mut ());
    assert_eq!(outcome.status, Status::Solved, "{outcome:?}");
    solution
}

#[test]
fn a_push_sticks_at_99_percent_and_slides_at_101_percent_in_every_direction() {
    let (mu, mass) = (0.5, 2.0);
    let limit = mu * mass * GRAVITY;
    let mut worst = 0.0_f64;
    for azimuth in [0.0_f64, 15.0, 30.0, 45.0, 71.0, 133.0, 222.5, 301.0] {
        let (s, c) = azimuth.to_radians().sin_cos();
        let stuck = solve(&pushed_box(mu, [0.99 * limit * c, 0.99 * limit * s]));
        for contact in &stuck.contacts {
            let slip = contact.velocity[1].hypot(contact.velocity[2]);
            assert!(slip <= 1e-15, "{azimuth}: creeps at {slip} m/s");
        }
        let slides = solve(&pushed_box(mu, [1.01 * limit * c, 1.01 * limit * s]));
        let expected = 0.01 * limit / mass;
        for contact in &slides.contacts {
            let along = (contact.velocity[1] * c + contact.velocity[2] * s) / STEP;
            let across = (contact.velocity[2] * c - contact.velocity[1] * s) / STEP;
            worst = worst.max((along / expected - 1.0).abs()).max((across / expected).abs());
            assert!(contact.mode != ContactMode::Stick);
        }
    }
    println!("push at 1.01 of the limit: acceleration right to {worst:.1e} relative");
    assert!(worst <= 1e-6);
}

#[test]
fn a_slope_sticks_at_99_percent_and_slides_at_101_percent_in_every_direction() {
    // a slope of angle a turned by an azimuth is a push of m g sin a with the normal weight m g cos a
    let mass = 2.0;
    let mut worst = 0.0_f64;
    for azimuth in [0.0_f64, 15.0, 30.0, 45.0] {
        let (s, c) = azimuth.to_radians().sin_cos();
        for (factor, sticks) in [(0.99, true), (1.01, false)] {
            // in units of the normal weight: tan a = factor mu, with cos a kept in gravity by scaling mu
            let mu = 0.5;
            let force = factor * mu * mass * GRAVITY;
            let solution = solve(&pushed_box(mu, [force * c, force * s]));
            for contact in &solution.contacts {
                let along = (contact.velocity[1] * c + contact.velocity[2] * s) / STEP;
                let expected = if sticks { 0.0 } else { (factor - 1.0) * mu * GRAVITY };
                worst = worst.max((along - expected).abs() / (0.01 * mu * GRAVITY));
            }
        }
    }
    println!("slope at 0.99 and 1.01 of the limit: acceleration right to {worst:.1e} of the excess");
    assert!(worst <= 1e-6);
}

#[test]
fn an_eight_sided_cone_is_wrong_where_the_round_one_is_right() {
    // between two vertices the octagon holds only cos(pi/8) = 0.924 of the limit
    let (mu, mass) = (0.5, 2.0);
    let (s, c) = 22.5_f64.to_radians().sin_cos();
    let force = 0.96 * mu * mass * GRAVITY;
    let problem = pushed_box(mu, [force * c, force * s]);
    let mut solution = FrictionSolution::default();
    let outcome = Solver::new(Method::Robust).solve_friction(&problem, &mut solution);
    assert_eq!(outcome.status, Status::Solved);
    let slip = |s: &FrictionSolution| {
        s.contacts.iter().map(|c| c.velocity[1].hypot(c.velocity[2])).fold(0.0, f64::max)
    };
    assert!(slip(&solution) > 1e-5, "the octagon lets go");
    assert!(slip(&solve(&problem)) < 1e-15, "the circle holds");
}

#[test]
fn a_warm_start_from_the_answer_takes_few_pivots_and_gives_the_same_motion() {
    let problem = pushed_box(0.5, [12.0, 3.0]);
    let mut solver = Structured::default();
    let (mut cold, mut warm) = (FrictionSolution::default(), FrictionSolution::default());
    let first = solver.solve(&problem, &mut cold);
    let basis = cold.basis.clone();
    let second = solver.solve_with(&problem, Some(&basis), Budget::default(), &mut warm, &mut ());
    println!("pivots cold {}, warm {}", first.pivots, second.pivots);
    assert_eq!((first.status, second.status), (Status::Solved, Status::Solved));
    assert!(second.pivots <= first.pivots / 2);
    for (a, b) in cold.contacts.iter().zip(&warm.contacts) {
        for k in 0..3 {
            assert!((a.velocity[k] - b.velocity[k]).abs() <= 1e-12);
        }
    }
}

#[test]
fn a_mass_that_slides_between_two_vertices_shows_the_facet_gap() {
    // friction of a polygon, half-way between two of its d vertices, is mu N cos(pi/d); F follows from that
    let (mu, mass) = (0.5_f64, 2.0);
    let limit = mu * mass * GRAVITY;
    let normal = mass * GRAVITY * STEP;
    for facets in [4, 8, 16, 32] {
        let half = std::f64::consts::PI / facets as f64;
        let push = 1.5 * limit * STEP / mass;
        let w = [[1.0 / mass, 0.0, 0.0], [0.0, 1.0 / mass, 0.0], [0.0, 0.0, 1.0 / mass]];
        let q = vec![-GRAVITY * STEP, push * half.cos(), push * half.sin()];
        let problem = FrictionProblem::local(&w, q, vec![mu]).unwrap().with_facets(facets).unwrap();
        let mut solution = FrictionSolution::default();
        let outcome = Structured::default().solve(&problem, &mut solution);
        assert_eq!(outcome.status, Status::Solved);
        assert!(outcome.residual.natural <= 1e-12, "exact, as an answer with polygons");
        let [_, t1, t2] = solution.contacts[0].impulse;
        assert!((t1.hypot(t2) / (limit * STEP) - half.cos()).abs() <= 1e-12);

        // along the slip: F_t = mu N (1 - cos)/(1 + mu^2), F_n = mu F_t
        let along = mu * normal * (1.0 - half.cos()) / (1.0 + mu * mu);
        let expected = along * (mu + half.cos().abs() + half.sin().abs());
        let gap = facet_gap(&problem, &solution);
        assert!((gap.fischer_burmeister / expected - 1.0).abs() <= 1e-9, "{facets}: {gap:?}, not {expected}");
        assert!(gap.natural > 1e-6 && gap.energy > 0.0);

        // round cones have none
        let round = solve(&problem);
        let gap = facet_gap(&problem, &round);
        assert!(gap.natural <= 1e-12, "{gap:?}");
    }
}

#[test]
fn a_box_at_rest_well_inside_its_cones_has_no_facet_gap() {
    let problem = pushed_box(0.5, [1.0, 0.7]).with_facets(8).unwrap();
    let mut solution = FrictionSolution::default();
    assert_eq!(Structured::default().solve(&problem, &mut solution).status, Status::Solved);
    let gap = facet_gap(&problem, &solution);
    assert!(gap.natural <= 1e-12, "{gap:?}");
}

//! Friction and restitution found by gradient from tosses of our own making, and an optimised throw.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Material, Parameters, Rollout, Scene, SceneBuilder, Simulator};

const STEPS: usize = 60;

/// A ball thrown along the floor: it bounces, slides, and begins to roll.
fn toss(friction: f64, restitution: f64, speed: f64, height: f64) -> Scene {
    let mut s = SceneBuilder::new("toss");
    s.default_material(Material { friction, restitution, ..Material::default() }).ground();
    let ball = BodySpec::new("ball", Shape::sphere(0.05).unwrap()).mass(0.37);
    s.body(ball.at(0.0, 0.0, 0.05 + height).moving(speed, 0.0, 0.0)).unwrap();
    s.settings().dt = 1.0 / 148.0;
    s.build().unwrap()
}

/// Rows of (speed, height) of the tosses.
const TOSSES: [(f64, f64); 4] = [(1.0, 0.1), (1.6, 0.15), (2.2, 0.08), (0.7, 0.2)];

fn run(friction: f64, restitution: f64, k: usize) -> Rollout {
    let (speed, height) = TOSSES[k];
    let scene = toss(friction, restitution, speed, height);
    Rollout::run(Simulator::new(&scene).unwrap(), STEPS, &[]).unwrap()
}

/// Mean squared distance from the measured paths, m², and its slopes against friction and restitution.
fn error(friction: f64, restitution: f64, measured: &[Rollout]) -> (f64, [f64; 2]) {
    let (mut sum, mut slopes) = (0.0, [0.0; 2]);
    let n = (measured.len() * (STEPS + 1)) as f64;
    for (k, truth) in measured.iter().enumerate() {
        let mut own = run(friction, restitution, k);
        let mut on_q = vec![0.0; (STEPS + 1) * 6];
        for row in 0..=STEPS {
            for axis in 0..3 {
                let off = own.q[7 * row + 4 + axis] - truth.q[7 * row + 4 + axis];
                sum += off * off / n;
                on_q[6 * row + 3 + axis] = 2.0 * off / n;
            }
        }
        let worth = own.vjp(&on_q, &vec![0.0; (STEPS + 1) * 6]).unwrap();
        let total = |list: &[f64]| list.iter().sum::<f64>();
        let Parameters { friction, restitution, .. } = &worth.parameters;
        slopes[0] += total(friction);
        slopes[1] += total(restitution);
    }
    (sum, slopes)
}

#[test]
fn friction_and_restitution_are_found_by_gradient_from_a_wrong_start() {
    let truth = (0.18, 0.125);
    let measured: Vec<Rollout> = (0..TOSSES.len()).map(|k| run(truth.0, truth.1, k)).collect();
    // each parameter in its own unit, with a step that shrinks where it does not help
    let (mut x, mut rate) = ([0.4, 0.5], [0.05, 0.05]);
    let (mut now, mut slopes) = error(x[0], x[1], &measured);
    let first = now;
    for _ in 0..120 {
        for k in 0..2 {
            let mut next = x;
            next[k] = (next[k] - rate[k] * slopes[k].signum()).clamp(0.01, 0.99);
            let (then, found) = error(next[0], next[1], &measured);
            if then < now {
                (x, now, slopes) = (next, then, found);
                rate[k] *= 1.2;
            } else {
                rate[k] *= 0.5;
            }
        }
    }
    println!("friction {:.4}, restitution {:.4}: error {:.1e} m², from {first:.1e}", x[0], x[1], now);
    assert!((x[0] - truth.0).abs() < 0.1 * truth.0, "{x:?}");
    assert!(now < 1e-3 * first, "{now:e}");
}

/// How fast must a box be pushed off to stop at a mark? Newton's method through stick and slip.
#[test]
fn a_throw_is_aimed_by_its_derivative() {
    let mark = 0.3;
    let mut speed = 1.0;
    let mut miss = f64::INFINITY;
    let mut rounds = 0;
    while rounds < 20 && miss.abs() > 1e-8 {
        let mut s = SceneBuilder::new("slide");
        s.friction(0.4).ground();
        let spec = BodySpec::new("box", Shape::cuboid(0.1, 0.1, 0.02).unwrap()).mass(1.0).at(0.0, 0.0, 0.02);
        s.body(spec.moving(speed, 0.0, 0.0)).unwrap();
        s.settings().dt = 5e-3;
        let steps = 120;
        let mut rollout = Rollout::run(Simulator::new(&s.build().unwrap()).unwrap(), steps, &[]).unwrap();
        miss = rollout.q[7 * steps + 4] - mark;
        let mut on_q = vec![0.0; (steps + 1) * 6];
        on_q[6 * steps + 3] = 1.0;
        let worth = rollout.vjp(&on_q, &vec![0.0; (steps + 1) * 6]).unwrap();
        speed -= miss / worth.v[3];
        rounds += 1;
    }
    println!("{speed} m/s after {rounds} rounds, off by {miss:e} m");
    assert!(miss.abs() <= 1e-8);
    // v² = 2 μ g s, to the length of a step
    assert!((speed - (2.0 * 0.4 * 9.81 * mark).sqrt()).abs() < 0.02);
}

//! Derivatives of steps against differences of steps, and cases whose derivative is known.

pub(crate) mod cases;
pub(crate) mod check;
mod identify; // friction and restitution from tosses, a throw
mod known; // balls that swap, bounces, a box at rest, the edge of the cone
mod products; // rollouts, memory, bits
pub(crate) mod robots; // larger scenes

use check::{Origin, Random};

/// Scenes whose steps take too long for the ordinary tests; the campaign has them.
const LONG: [&str; 5] = ["hoist", "dominoes", "rolling table", "strandbeest", "pushed frame"];

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
            let Ok((verdicts, kinks)) = check::examine(&scene, &start, &mut r) else { continue };
            for v in verdicts {
                assert!(v.adjoint < 1e-9, "{name} {seed} {:?}: transpose off by {:e}", v.input, v.adjoint);
                checked += 1;
                let same = v.error <= 1e-6 || v.one_sided.is_some_and(|e| e <= 1e-6);
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

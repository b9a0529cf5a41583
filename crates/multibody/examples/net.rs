//! A string with both ends held, the stuff of nets: energy over time by each scheme.
#![expect(clippy::print_stdout, reason = "the table is the product")]
#![expect(clippy::unwrap_used, reason = "an example on a fixed model")]

use gudgeon_multibody::{
    AssemblySettings, Joint, LinkSpec, LoopKind, LoopSpec, Model, ModelBuilder, Scheme, State, Stepper,
    assemble, energy, kinematics, loop_gap, velocities,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};

fn held_string(n: usize, span: f64, length: f64, damping: f64) -> Model {
    let mut b = ModelBuilder::new();
    let rod =
        Inertia::cuboid(0.05, [0.5 * length, 0.005, 0.005]).translated(Vector3::new(0.5 * length, 0.0, 0.0));
    for k in 0..n {
        let parent = if k == 0 { "world".to_owned() } else { format!("r{}", k - 1) };
        let x = if k == 0 { Pose::identity() } else { Pose::from_translation(length, 0.0, 0.0) };
        b.link(LinkSpec::new(&format!("r{k}"), &parent, Joint::Spherical, x, rod).damping(damping));
    }
    b.close(LoopSpec {
        kind: LoopKind::Point,
        link_a: "world".into(),
        link_b: format!("r{}", n - 1),
        frame_a: Pose::from_translation(span, 0.0, 0.0),
        frame_b: Pose::from_translation(length, 0.0, 0.0),
    });
    b.build().unwrap()
}

fn main() {
    for (span, damping) in [(0.5, 0.0), (0.6, 0.0), (0.63, 0.0), (0.6, 1e-4)] {
        for dt in [0.001, 0.01] {
            println!(
                "16 links of 4 cm, ends {span} m apart, damping {damping}, {dt} s: energy / J at 0, 1, 5, 20 s; gap / m"
            );
            for scheme in
                [Scheme::SemiImplicit, Scheme::Midpoint { iterations: 2 }, Scheme::Carried, Scheme::Rk4]
            {
                let model = held_string(16, span, 0.04, damping);
                let mut state = State::neutral(&model);
                let mut stepper = Stepper::new(&model);
                // bent upwards to begin with, so that it falls through
                for k in 0..16 {
                    let bend = if k == 0 { -0.4 } else { 0.05 };
                    state.q[4 * k] = f64::cos(0.5 * bend);
                    state.q[4 * k + 2] = f64::sin(0.5 * bend);
                }
                assemble(&model, &mut state, &AssemblySettings::default(), &mut stepper.ws).unwrap();
                let tau = vec![0.0; model.n_v()];
                let mut line = Vec::new();
                let mut gap: f64 = 0.0;
                let at = |t: f64| (t / dt).round();
                let mut n = 0.0;
                while n <= at(20.0) {
                    if [0.0, 1.0, 5.0, 20.0].iter().any(|t| at(*t) == n) {
                        kinematics(&model, &state.q, &mut stepper.ws);
                        velocities(&model, &state.v, &mut stepper.ws);
                        line.push(format!("{:11.3e}", energy(&model, &state, &stepper.ws).total()));
                    }
                    let fastest = state.v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                    if fastest.is_nan() || fastest > 1e6 {
                        line.push(" (blown up)".to_owned());
                        break;
                    }
                    stepper.step(&model, &mut state, &tau, &[], dt, scheme);
                    gap = gap.max(loop_gap(&model, &stepper.ws));
                    n += 1.0;
                }
                println!("  {:<28}{}   {gap:.0e}", format!("{scheme:?}"), line.concat());
            }
        }
    }
}

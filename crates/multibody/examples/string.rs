//! How each time-stepping scheme carries a string of 25 links at 10 ms: energy over time.
#![expect(clippy::print_stdout, reason = "the table is the product")]
#![expect(clippy::unwrap_used, reason = "an example on a fixed model")]

use gudgeon_multibody::{
    Joint, LinkSpec, Model, ModelBuilder, Scheme, State, Stepper, energy, kinematics, velocities,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};

fn string(n: usize, first: Joint, link: Joint, length: f64) -> Model {
    let mut b = ModelBuilder::new();
    let rod =
        Inertia::cuboid(0.05, [0.5 * length, 0.005, 0.005]).translated(Vector3::new(0.5 * length, 0.0, 0.0));
    for k in 0..n {
        let parent = if k == 0 { "world".to_owned() } else { format!("r{}", k - 1) };
        let x = if k == 0 { Pose::identity() } else { Pose::from_translation(length, 0.0, 0.0) };
        b.link(LinkSpec::new(&format!("r{k}"), &parent, if k == 0 { first } else { link }, x, rod));
    }
    b.build().unwrap()
}

fn main() {
    let schemes = [
        Scheme::SemiImplicit,
        Scheme::Midpoint { iterations: 2 },
        Scheme::Midpoint { iterations: 3 },
        Scheme::Midpoint { iterations: 6 },
        Scheme::Carried,
        Scheme::Rk4,
    ];
    let y = Joint::revolute(Vector3::y());
    let cases = [
        ("hung, ball joints", Joint::Spherical, Joint::Spherical, 0.04),
        ("hung, hinges", y, y, 0.04),
        ("free, ball joints", Joint::Free, Joint::Spherical, 0.04),
        ("free, ball joints, long links", Joint::Free, Joint::Spherical, 0.2),
    ];
    for (name, first, link, length) in cases {
        println!("{name}, links of {length} m, 10 ms: energy / J at 0, 1, 5, 20 s; largest speed");
        for scheme in schemes {
            let model = string(25, first, link, length);
            let model = if name.starts_with("free") { model.with_gravity(Vector3::zeros()) } else { model };
            let mut state = State::neutral(&model);
            for k in 0..state.v.len() {
                state.v[k] = ((k * k) as f64 * 0.7).sin();
            }
            let tau = vec![0.0; model.n_v()];
            let mut stepper = Stepper::new(&model);
            let mut line = Vec::new();
            let mut fastest: f64 = 0.0;
            for n in 0..=2000 {
                if [0, 100, 500, 2000].contains(&n) {
                    kinematics(&model, &state.q, &mut stepper.ws);
                    velocities(&model, &state.v, &mut stepper.ws);
                    line.push(format!("{:11.3e}", energy(&model, &state, &stepper.ws).total()));
                }
                stepper.step(&model, &mut state, &tau, &[], 0.01, scheme);
                fastest = state.v.iter().fold(fastest, |m, v| m.max(v.abs()));
            }
            println!("  {:<30}{}   {fastest:.1e} rad/s", format!("{scheme:?}"), line.concat());
        }
    }
}

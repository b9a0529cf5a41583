//! Random trees of every joint type, and chains.

use gudgeon_multibody::{Joint, LinkSpec, Model, ModelBuilder, State, integrate};
use gudgeon_spatial::{Force, Inertia, Pose, Symmetric3, Vector3};

use super::random::Random;

/// A physical inertia: a box of random size in a random place.
pub(crate) fn inertia(r: &mut Random) -> Inertia {
    let mass = r.range(0.5, 3.0);
    let half = [r.range(0.1, 0.4), r.range(0.1, 0.4), r.range(0.1, 0.4)];
    let x = Pose::new(r.quaternion().to_matrix(), r.vector(0.2));
    Inertia::cuboid(mass, half).transformed(&x)
}

pub(crate) fn joint(r: &mut Random) -> Joint {
    match r.below(9) {
        0 => Joint::Fixed,
        1 => Joint::revolute(r.axis()),
        2 => Joint::prismatic(r.axis()),
        3 => Joint::helical(r.axis(), r.range(-0.3, 0.3)),
        4 => Joint::cylindrical(r.axis()),
        5 => {
            let first = r.axis();
            let second = loop {
                let a = r.axis();
                if a.cross(&first).norm() > 0.5 {
                    break a;
                }
            };
            Joint::universal(first, second)
        }
        6 => Joint::Planar,
        7 => Joint::Spherical,
        _ => Joint::Free,
    }
}

/// A tree of `n` links: every joint type, bushy or long, fixed or moving bases, several trees now and then.
pub(crate) fn tree(r: &mut Random, n: usize) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(r.vector(10.0));
    let bushiness = r.unit();
    for k in 0..n {
        let parent = if k == 0 || r.unit() < 0.05 {
            "world".to_owned()
        } else if r.unit() < bushiness {
            format!("l{}", r.below(k))
        } else {
            format!("l{}", k - 1)
        };
        let mut joint = joint(r);
        if k == 0 && joint == Joint::Fixed {
            joint = Joint::Free;
        }
        let (pose, body) = (r.pose(0.5), inertia(r));
        let armature = if r.unit() < 0.3 { r.range(0.0, 0.2) } else { 0.0 };
        b.link(LinkSpec::new(&format!("l{k}"), &parent, joint, pose, body).armature(armature));
    }
    b.build().unwrap()
}

/// A random state.
pub(crate) fn state(r: &mut Random, model: &Model) -> State {
    let mut state = State::neutral(model);
    let step = r.numbers(model.n_v(), 2.0);
    integrate(model, &mut state.q, &step, 1.0);
    state.v = r.numbers(model.n_v(), 1.5);
    state
}

/// A random force on every link.
pub(crate) fn forces(r: &mut Random, model: &Model) -> Vec<Force> {
    (0..model.n_links()).map(|_| Force::new(r.vector(5.0), r.vector(5.0))).collect()
}

/// A chain of rods 0.3 m long, revolute about y and z in turn, hung from `first`.

//! Random trees of every joint type, and chains.

use gudgeon_multibody::{
    Joint, LinkId, LinkSpec, LoopKind, LoopSpec, Model, ModelBuilder, State, Workspace, integrate, kinematics,
};
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

/// A number of links: a few mostly, and sixty now and then.
pub(crate) fn size(r: &mut Random) -> usize {
    if r.unit() < 0.03 { 60 } else { 1 + r.below(14) }
}

/// A tree of `n` links: every joint type, bushy or long, fixed or moving bases, several trees now and then.
pub(crate) fn tree(r: &mut Random, n: usize) -> Model {
    builder(r, n).build().expect("generated trees are valid")
}

fn builder(r: &mut Random, n: usize) -> ModelBuilder {
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
    b
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
pub(crate) fn chain(n: usize, first: Joint) -> Model {
    let mut b = ModelBuilder::new();
    let rod = Inertia::new(1.0, Vector3::new(0.15, 0.0, 0.0), Symmetric3::diagonal(1e-3, 8e-3, 8e-3));
    for k in 0..n {
        let axis = if k % 2 == 0 { Vector3::y() } else { Vector3::z() };
        let joint = if k == 0 { first } else { Joint::revolute(axis) };
        let parent = if k == 0 { "world".to_owned() } else { format!("r{}", k - 1) };
        let x = if k == 0 { Pose::identity() } else { Pose::from_translation(0.3, 0.0, 0.0) };
        b.link(LinkSpec::new(&format!("r{k}"), &parent, joint, x, rod));
    }
    b.build().expect("generated trees are valid")
}

/// A tree with loop joints between random links, closed by construction at the state returned: each loop's second
/// frame is put where the first one is. Some loops are doubled, so that rows are redundant.
pub(crate) fn closed_tree(r: &mut Random, n: usize, loops: usize) -> (Model, State) {
    let seed = r.bits();
    let open = tree(&mut Random::new(seed), n);
    let at = state(r, &open);
    let mut ws = Workspace::new(&open);
    kinematics(&open, &at.q, &mut ws);
    let mut b = builder(&mut Random::new(seed), n);
    for _ in 0..loops {
        let a = LinkId(r.below(n + 1));
        let c = loop {
            let c = LinkId(r.below(n + 1));
            if c != a {
                break c;
            }
        };
        let frame_a = r.pose(0.3);
        let frame_b = ws.pose(c).inverse().compose(&ws.pose(a).compose(&frame_a));
        let kind = [
            LoopKind::Point,
            LoopKind::Revolute,
            LoopKind::Weld,
            LoopKind::Line,
            LoopKind::Cylindrical,
            LoopKind::Prismatic,
            LoopKind::Plane,
        ][r.below(7)];
        let name = |l: LinkId| open.link(l).name.clone();
        let spec = LoopSpec { kind, link_a: name(a), link_b: name(c), frame_a, frame_b };
        b.close(spec.clone());
        if r.unit() < 0.4 {
            b.close(spec);
        }
    }
    (b.build().expect("generated trees are valid"), at)
}

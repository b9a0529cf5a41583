//! Named mechanisms with loops: four-bar, five-bar, and a leg after Jansen's Strandbeest; and strings.

use gudgeon_multibody::{
    AssemblySettings, Joint, LinkSpec, LoopKind, LoopSpec, Model, ModelBuilder, State, Workspace, assemble,
};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};

pub(crate) const DT: f64 = 2e-3;
pub(crate) const STEPS: usize = 30_000;

/// A bar along x from its joint, turning about y.
fn bar(name: &str, parent: &str, at: [f64; 2], length: f64) -> LinkSpec {
    let mass = length.max(0.05);
    let i = mass * length * length / 12.0;
    let body = Inertia::new(mass, Vector3::new(0.5 * length, 0.0, 0.0), Symmetric3::diagonal(0.01 * i, i, i));
    let pose = Pose::from_translation(at[0], 0.0, at[1]);
    LinkSpec::new(name, parent, Joint::revolute(Vector3::y()), pose, body)
}

/// A pin about y between two links of a planar mechanism.
fn pin(a: &str, at_a: [f64; 2], b: &str, at_b: [f64; 2]) -> LoopSpec {
    let turn = Pose::rotation_about(&Vector3::x(), -std::f64::consts::FRAC_PI_2);
    let frame = |at: [f64; 2]| Pose::new(turn, Vector3::new(at[0], 0.0, at[1]));
    LoopSpec {
        kind: LoopKind::Revolute,
        link_a: a.into(),
        link_b: b.into(),
        frame_a: frame(at_a),
        frame_b: frame(at_b),
    }
}

/// (name, model, assembled state, joint forces).
pub(crate) fn all() -> Vec<(&'static str, Model, State, Vec<f64>)> {
    vec![four_bar(), five_bar(), strandbeest()]
}

fn assembled(model: &Model, q: &[f64]) -> State {
    let mut state = State { q: q.to_vec(), v: vec![0.0; model.n_v()] };
    let mut ws = Workspace::new(model);
    assemble(model, &mut state, &AssemblySettings::default(), &mut ws).expect("these lengths close");
    state
}

/// A crank-rocker (Grashof: 0.3 + 1.0 < 0.8 + 0.6), spun up and left alone under gravity.
fn four_bar() -> (&'static str, Model, State, Vec<f64>) {
    let mut b = ModelBuilder::new();
    b.link(bar("crank", "world", [0.0, 0.0], 0.3));
    b.link(bar("coupler", "crank", [0.3, 0.0], 0.8));
    b.link(bar("rocker", "world", [1.0, 0.0], 0.6));
    b.close(pin("coupler", [0.8, 0.0], "rocker", [0.6, 0.0]));
    let model = b.build().expect("a four-bar");
    let mut state = assembled(&model, &[-0.8, 0.2, -1.6]);
    state.v[0] = 12.0;
    ("four-bar", model, state, vec![0.0; 3])
}

/// A parallelogram: when its four pins lie on a line, twice a turn, the loop's rows lose rank for an instant.
pub(crate) fn parallelogram() -> (Model, State) {
    let mut b = ModelBuilder::new();
    b.link(bar("left", "world", [0.0, 0.0], 0.4)).link(bar("coupler", "left", [0.4, 0.0], 1.0));
    b.link(bar("right", "world", [1.0, 0.0], 0.4));
    b.close(pin("coupler", [1.0, 0.0], "right", [0.4, 0.0]));
    let model = b.build().expect("a parallelogram");
    (model, State { q: vec![-1.0, 1.0, -1.0], v: vec![10.0, -10.0, 10.0] })
}

/// Two arms that meet: two degrees of freedom, falling freely and chaotically.
fn five_bar() -> (&'static str, Model, State, Vec<f64>) {
    let mut b = ModelBuilder::new();
    b.link(bar("left", "world", [0.0, 0.0], 0.4)).link(bar("left tip", "left", [0.4, 0.0], 0.6));
    b.link(bar("right", "world", [0.5, 0.0], 0.4)).link(bar("right tip", "right", [0.4, 0.0], 0.6));
    b.close(pin("left tip", [0.6, 0.0], "right tip", [0.6, 0.0]));
    let model = b.build().expect("a five-bar");
    let mut state = assembled(&model, &[-2.0, 1.0, -1.1, -1.0]);
    state.v[0] = 3.0;
    ("five-bar", model, state, vec![0.0; 4])
}

/// Jansen's leg in his own numbers, read as centimetres: crank m turns about the origin, the body pin stands at (-a, l
/// down); two triangles b-d-e and g-h-i, links j, k, c, f. Seven moving links, three loops, one degree of freedom.
/// Three legs on one crank, at thirds of a turn, driven by a steady torque against damping.
fn strandbeest() -> (&'static str, Model, State, Vec<f64>) {
    let [a, bb, c, d, e, f, g, h, i, j, k, l, m] =
        [38.0, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9, 7.8, 15.0].map(|x: f64| x / 100.0);

    // a triangle with its base on x: the apex from the two other sides
    let apex = |base: f64, near: f64, far: f64| {
        let x = (base * base + near * near - far * far) / (2.0 * base);
        [x, (near * near - x * x).sqrt()]
    };
    let body_pin = [-a, -l];
    let mut builder = ModelBuilder::new();
    builder.link(bar("crank", "world", [0.0, 0.0], m).damping(0.3));
    let mut q = vec![0.0];
    for leg in 0..3 {
        let phase = std::f64::consts::TAU * f64::from(leg) / 3.0;
        let n = |part: &str| format!("{part}{leg}");
        // rotation about y by θ takes x to (cos θ, -sin θ) in the x-z plane
        let tip = [m * phase.cos(), -m * phase.sin()];
        builder.link(bar(&n("j"), "crank", tip, j)).link(bar(&n("k"), "crank", tip, k));
        builder.link(bar(&n("bde"), "world", body_pin, bb)).link(bar(&n("c"), "world", body_pin, c));
        // upper triangle: body pin, end of b (base along x), apex with sides d (from the pin) and e (from the end of b)
        let top = apex(bb, d, e);
        builder.close(pin(&n("j"), [j, 0.0], &n("bde"), [bb, 0.0]));
        builder.close(pin(&n("k"), [k, 0.0], &n("c"), [c, 0.0]));
        builder.link(bar(&n("f"), &n("bde"), top, f));
        // foot triangle on the end of c: base g to the end of f, apex the foot with sides i (near) and h (far)
        let foot = apex(g, i, h);
        let body = Inertia::new(0.5, centre(g, foot), Symmetric3::diagonal(5e-3, 0.01, 6e-3));
        let at = Pose::from_translation(c, 0.0, 0.0);
        builder.link(LinkSpec::new(&n("ghi"), &n("c"), Joint::revolute(Vector3::y()), at, body));
        builder.close(pin(&n("f"), [f, 0.0], &n("ghi"), [g, 0.0]));
        q.extend(start(phase, &[a, bb, c, d, e, f, g, j, k, l, m]));
    }
    let model = builder.build().expect("three legs");
    let state = assembled(&model, &q);
    let mut tau = vec![0.0; model.n_v()];
    tau[0] = 2.0;
    ("Strandbeest", model, state, tau)
}

/// Centre of the triangle (0, 0), (base, 0), apex, in the x-z plane.
fn centre(base: f64, apex: [f64; 2]) -> Vector3<f64> {
    Vector3::new((base + apex[0]) / 3.0, 0.0, apex[1] / 3.0)
}

/// A closed position of one leg by intersecting circles, as joint angles of (j, k, bde, c, f, ghi).
fn start(phase: f64, lengths: &[f64; 11]) -> [f64; 6] {
    let [a, b, c, d, e, f, g, j, k, l, m] = *lengths;
    let pin = [-a, -l];
    let tip = [m * phase.cos(), -m * phase.sin()];
    // the point at r1 from p and r2 from q, left or right of p → q
    let meet = |p: [f64; 2], r1: f64, q: [f64; 2], r2: f64, side: f64| {
        let (dx, dz) = (q[0] - p[0], q[1] - p[1]);
        let dist = dx.hypot(dz);
        let x = (dist * dist + r1 * r1 - r2 * r2) / (2.0 * dist);
        let y = side * (r1 * r1 - x * x).max(0.0).sqrt();
        [p[0] + (x * dx - y * dz) / dist, p[1] + (x * dz + y * dx) / dist]
    };
    let angle = |p: [f64; 2], q: [f64; 2]| -(q[1] - p[1]).atan2(q[0] - p[0]);
    let upper = meet(tip, j, pin, b, -1.0);
    let lower = meet(tip, k, pin, c, 1.0);
    let on_x = (b * b + d * d - e * e) / (2.0 * b);
    let up = (d * d - on_x * on_x).sqrt();
    let bde = angle(pin, upper);
    let (s, co) = bde.sin_cos();
    let apex = [pin[0] + co * on_x + s * up, pin[1] - s * on_x + co * up];
    let knee = meet(apex, f, lower, g, 1.0);
    let c_angle = angle(pin, lower);
    [
        angle(tip, upper),
        angle(tip, lower),
        bde,
        c_angle,
        angle(apex, knee) - bde,
        angle(lower, knee) - c_angle,
    ]
}

/// A string of rods of 50 g and 1 cm across, hung by `first`.
pub(crate) fn string(n: usize, first: Joint, link: Joint, length: f64) -> Model {
    let mut b = ModelBuilder::new();
    let rod =
        Inertia::cuboid(0.05, [0.5 * length, 0.005, 0.005]).translated(Vector3::new(0.5 * length, 0.0, 0.0));
    for k in 0..n {
        let parent = if k == 0 { "world".to_owned() } else { format!("r{}", k - 1) };
        let x = if k == 0 { Pose::identity() } else { Pose::from_translation(length, 0.0, 0.0) };
        b.link(LinkSpec::new(&format!("r{k}"), &parent, if k == 0 { first } else { link }, x, rod));
    }
    b.build().expect("a string")
}

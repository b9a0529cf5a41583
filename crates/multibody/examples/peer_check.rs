//! Reads a model and states as `benches/peers/dynamics/compare.py` writes them, and prints what this crate computes.
//!
//! ```text
//! model N gx gy gz
//! parent kind axis(3) rotation(9, by rows) translation(3) mass com(3) inertia(6) armature      N times
//! links K i1 .. iK                     whose Jacobians and Delassus matrix are wanted
//! state q v tau                        once per state; answers: mass, bias, aba, jacobian, delassus
//! time                                 times the algorithms at the last state, seconds
//! ```
#![expect(clippy::print_stdout, reason = "printing is what it is for")]
#![expect(clippy::unwrap_used, reason = "a malformed file may end the program")]

use std::time::Instant;

use gudgeon_multibody::{
    Joint, LinkId, LinkSpec, MassFactor, MassMatrix, Model, ModelBuilder, Rows, State, Whitened, Workspace,
    aba, bias, crba, jacobian, rnea,
};
use gudgeon_spatial::{Force, Inertia, Matrix3, Pose, Symmetric3, Vector3, Vector6};

fn main() {
    let path = std::env::args().nth(1).expect("usage: peer_check FILE");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let model = read_model(&mut lines);
    let mut links = Vec::new();
    let mut last = None;
    for line in lines {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "links" => links = rest.split(' ').skip(1).map(|i| LinkId(i.parse().unwrap())).collect(),
            "state" => {
                let x = numbers(rest);
                let (q, v) = (x[..model.n_q()].to_vec(), x[model.n_q()..model.n_q() + model.n_v()].to_vec());
                let tau = x[model.n_q() + model.n_v()..].to_vec();
                let state = State { q, v };
                answer(&model, &state, &tau, &links);
                last = Some((state, tau));
            }
            "time" => {
                let (state, tau) = last.as_ref().expect("a state before the timing");
                time_all(&model, state, tau);
            }
            other => panic!("unknown line {other:?}"),
        }
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|x| x.parse().unwrap()).collect()
}

fn read_model<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Model {
    let head = numbers(lines.next().unwrap().strip_prefix("model ").unwrap());
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(head[1], head[2], head[3]));
    let mut k = 1;
    while f64::from(k) <= head[0] {
        let mut words = lines.next().unwrap().splitn(3, ' ');
        let (parent, kind) = (words.next().unwrap(), words.next().unwrap());
        let x = numbers(words.next().unwrap());
        let axis = Vector3::new(x[0], x[1], x[2]);
        let joint = match kind {
            "revolute" => Joint::revolute(axis),
            "prismatic" => Joint::prismatic(axis),
            "free" => Joint::Free,
            other => panic!("unknown joint {other:?}"),
        };
        let pose = Pose::new(Matrix3::from_row_slice(&x[3..12]), Vector3::new(x[12], x[13], x[14]));
        let about_com = Symmetric3::new(x[19], x[20], x[21], x[22], x[23], x[24]);
        let inertia = Inertia::new(x[15], Vector3::new(x[16], x[17], x[18]), about_com);
        let parent = if parent == "0" { "world".to_owned() } else { format!("j{parent}") };
        b.link(LinkSpec::new(&format!("j{k}"), &parent, joint, pose, inertia).armature(x[25]));
        k += 1;
    }
    b.build().unwrap()
}

fn print(name: &str, values: impl IntoIterator<Item = f64>) {
    let words: Vec<String> = values.into_iter().map(|x| format!("{x:e}")).collect();
    println!("{name} {}", words.join(" "));
}

fn answer(model: &Model, state: &State, tau: &[f64], links: &[LinkId]) {
    println!("state");
    let mut ws = Workspace::new(model);
    let (mut mass, mut factor) = (MassMatrix::new(model), MassFactor::new(model));
    crba(model, &state.q, &mut ws, &mut mass);
    factor.factor(model, &mass).unwrap();
    print("mass", mass.to_dense(model).iter().copied());

    // rows of each link's Jacobian at its origin, and W from the sparse factor
    let mut rows = Rows::new();
    let mut dense = Vec::new();
    for &link in links {
        let j = jacobian(model, &ws, link, &ws.pose(link).translation);
        for e in 0..6 {
            rows.push_force(model, &ws, link, Force::from_vector(&Vector6::ith(e, 1.0)));
            dense.extend(j.row(e).iter().copied());
        }
    }
    print("jacobian", dense);
    let (mut whitened, mut w) = (Whitened::default(), Vec::new());
    whitened.compute(model, &factor, &rows);
    whitened.delassus(&mut w);
    print("delassus", w);

    bias(model, state, &[], &mut ws);
    print("bias", ws.tau().iter().copied());
    aba(model, state, tau, &[], &mut ws);
    print("aba", ws.qdd().iter().copied());
}

fn time_all(model: &Model, state: &State, tau: &[f64]) {
    let mut ws = Workspace::new(model);
    let mut mass = MassMatrix::new(model);
    median("aba", || aba(model, state, tau, &[], &mut ws));
    median("rnea", || rnea(model, state, tau, &[], &mut ws));
    median("crba", || crba(model, &state.q, &mut ws, &mut mass));
}

/// Median over rounds of the mean over repeats, as the other side measures.
fn median(name: &str, mut call: impl FnMut()) {
    let mut rounds = Vec::new();
    for _ in 0..25 {
        let start = Instant::now();
        for _ in 0..200 {
            call();
        }
        rounds.push(start.elapsed().as_secs_f64() / 200.0);
    }
    rounds.sort_by(f64::total_cmp);
    println!("time {name} {:e}", rounds[rounds.len() / 2]);
}

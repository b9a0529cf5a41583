//! ABA and ADA grow linearly with the number of links, to ten thousand.

use std::sync::OnceLock;
use std::time::Instant;

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, Load, Model, Order, State, Workspace, aba, kinematics, rnea, velocities,
};
use gudgeon_spatial::Vector3;

use crate::support::trees;

fn chain(n: usize) -> (Model, State) {
    let model = trees::chain(n, Joint::revolute(Vector3::y()));
    let mut state = State::neutral(&model);
    for k in 0..n {
        state.q[k] = 0.5 * (k as f64).sin();
        state.v[k] = 0.1 * (k as f64).cos();
    }
    (model, state)
}

/// Time that this thread has spent on a processor, seconds, where the system tells (Linux, to some ms); else the time of
/// day. A long run on a busy machine waits its turn, a short one does not: wall time would see growth that is not there.
fn clock() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    let since = |start: Instant| start.elapsed().as_secs_f64();
    spent.map_or_else(|| since(*START.get_or_init(Instant::now)), |nanoseconds| nanoseconds * 1e-9)
}

static START: OnceLock<Instant> = OnceLock::new();

/// Seconds per link over some 300,000 links' worth of work.
fn per_link(n: usize, mut work: impl FnMut()) -> f64 {
    work();
    let repeats = 300_000 / n;
    let start = clock();
    for _ in 0..repeats {
        work();
    }
    (clock() - start) / (repeats * n) as f64
}

/// Seconds per link: ABA, ADA serial, ADA balanced.
fn cost_per_link(n: usize) -> [f64; 3] {
    let (model, state) = chain(n);
    let tau = vec![0.0; n];
    let load = Load { tau: &tau, ..Load::default() };
    let mut ws = Workspace::new(&model);
    let mut qdd = vec![0.0; n];
    let mut cost = [per_link(n, || aba(&model, &state, &tau, &[], &mut ws)), 0.0, 0.0];
    kinematics(&model, &state.q, &mut ws);
    velocities(&model, &state.v, &mut ws);
    for (k, order) in [Order::Serial, Order::Balanced].into_iter().enumerate() {
        let mut ada = Ada::new(&model, &[LinkId(n)], order, Elimination::Constraint).expect("rods have mass");
        cost[1 + k] = per_link(n, || {
            ada.assemble(&model, &load, &mut ws);
            ada.disassemble(&model, &[], &ws, &mut qdd);
        });
    }
    cost
}

#[test]
fn aba_and_ada_are_linear_to_ten_thousand_links() {
    // a busy machine can spoil one attempt, not four; quadratic growth, a ratio of 33, spoils them all
    let mut best = [f64::INFINITY; 3];
    for _ in 0..4 {
        let (small, large) = (cost_per_link(300), cost_per_link(10_000));
        for k in 0..3 {
            best[k] = best[k].min(large[k] / small[k]);
        }
        // leaving the cache explains 2
        if best.iter().all(|r| *r < 2.5) {
            break;
        }
    }
    println!("time per link at 10,000 links over that at 300: ABA, ADA serial, ADA balanced {best:.2?}");
    assert!(best.iter().all(|r| *r < 4.0), "{best:?}");
}

#[test]
fn ten_thousand_links_are_solved_as_well_as_ten() {
    for n in [10, 10_000] {
        let (model, state) = chain(n);
        let tau = vec![0.0; n];
        let mut ws = Workspace::new(&model);
        aba(&model, &state, &tau, &[], &mut ws);
        let found = ws.qdd().to_vec();

        // inverse dynamics of the answer is nothing, against joint forces up to |f|
        rnea(&model, &state, &found, &[], &mut ws);
        let size = (1..=n).fold(1.0, |m: f64, i| m.max(ws.joint_force(LinkId(i)).amax()));
        let left = ws.tau().iter().fold(0.0, |m: f64, t| m.max(t.abs()));
        println!("chain of {n}: {:.1e} of the joint forces left over", left / size);
        assert!(left < 1e-9 * size, "{n} links: {left:e} of {size:e}");
    }
}

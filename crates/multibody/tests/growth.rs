//! ABA and ADA grow linearly with the number of links, to ten thousand.

use std::time::Instant;

use gudgeon_multibody::{
    Ada, Elimination, Joint, LinkId, Load, Order, State, Workspace, aba, kinematics, rnea, velocities,
};
use gudgeon_spatial::Vector3;

use crate::support::trees;

/// Shortest of several runs, seconds: the machine may be busy, but not always.
fn shortest(mut work: impl FnMut()) -> f64 {
    (0..7).fold(f64::INFINITY, |best, _| {
        let start = Instant::now();
        work();
        best.min(start.elapsed().as_secs_f64())
    })
}

#[test]
fn aba_and_ada_are_linear_to_ten_thousand_links() {
    let sizes = [100, 1000, 10_000];
    let mut per_link = Vec::new();
    for n in sizes {
        let model = trees::chain(n, Joint::revolute(Vector3::y()));
        let mut state = State::neutral(&model);
        for (k, q) in state.q.iter_mut().enumerate() {
            *q = 0.5 * (k as f64).sin();
            state.v[k] = 0.1 * (k as f64).cos();
        }
        let tau = vec![0.0; n];
        let load = Load { tau: &tau, ..Load::default() };
        let mut ws = Workspace::new(&model);
        let mut qdd = vec![0.0; n];
        let by_aba = shortest(|| aba(&model, &state, &tau, &[], &mut ws));

        // the answer is right at this length too: its inverse dynamics is nothing, against forces up to |f|
        let found = ws.qdd().to_vec();
        rnea(&model, &state, &found, &[], &mut ws);
        let size = (1..=n).fold(1.0, |m: f64, i| m.max(ws.joint_force(LinkId(i)).amax()));
        let left = ws.tau().iter().fold(0.0, |m: f64, t| m.max(t.abs()));
        assert!(left < 1e-9 * size, "{n} links: {left:e} of {size:e}");

        kinematics(&model, &state.q, &mut ws);
        velocities(&model, &state.v, &mut ws);
        let mut by_ada = Vec::new();
        for order in [Order::Serial, Order::Balanced] {
            let mut ada =
                Ada::new(&model, &[LinkId(n)], order, Elimination::Constraint).expect("rods have mass");
            by_ada.push(shortest(|| {
                ada.assemble(&model, &load, &mut ws);
                ada.disassemble(&model, &[], &ws, &mut qdd);
            }));
        }
        per_link.push([by_aba, by_ada[0], by_ada[1]].map(|t| t / n as f64));
    }
    for (k, name) in ["ABA", "ADA serial", "ADA balanced"].iter().enumerate() {
        let ratio = per_link[2][k] / per_link[1][k];
        println!(
            "{name}: time per link at 10,000 links over that at 1,000: {ratio:.2}; ADA/ABA {:.1}",
            per_link[1][k] / per_link[1][0]
        );
        // quadratic growth would be 10; leaving the cache and a busy machine explain 3
        assert!(ratio < 4.0, "{name}: {ratio}");
    }
}

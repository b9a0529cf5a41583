//! Joints: a four-bar's transmission.

use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

use crate::ValidateError;
use crate::row::Row;

/// A crank of 0.3, a coupler of 0.8 and a rocker of 0.6 m on pivots a metre apart: the rocker follows from the crank.
pub(super) fn four_bar() -> Result<Vec<Row>, ValidateError> {
    let mut sim = Simulator::new(&builtin("fourbar", &Params::new())?)?;
    let (crank, coupler, rocker, base) = (0.3_f64, 0.8_f64, 0.6_f64, 1.0_f64);
    let (mut worst, mut ratio) = (0.0_f64, 0.0_f64);
    for _ in 0..2000 {
        let _report = sim.step()?;
        let (q, v) = (&sim.state().q, &sim.state().v);
        // about y x goes to −z: angles in the plane are minus those of the joints
        let (a, c) = (-q[0], -q[2]);
        let (px, pz) = (crank * a.cos(), crank * a.sin());
        let (dx, dz) = (px - base, pz);
        let d = (dx * dx + dz * dz).sqrt();
        let turn =
            ((d * d + rocker * rocker - coupler * coupler) / (2.0 * d * rocker)).clamp(-1.0, 1.0).acos();
        let truth = [1.0, -1.0].map(|side| dz.atan2(dx) + side * turn);
        let off = truth
            .map(|t| (t - c + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI);
        worst = worst.max(off[0].abs().min(off[1].abs()));
        // velocity ratio: a sin(a − b) / (c sin(c − b)) with the coupler's angle b
        let (rx, rz) = (base + rocker * c.cos(), rocker * c.sin());
        let b = (rz - pz).atan2(rx - px);
        let theory = crank * (a - b).sin() / (rocker * (c - b).sin());
        ratio = ratio.max((v[2] - theory * v[0]).abs());
    }
    Ok(vec![
        Row::absolute(
            "angle of a four-bar's rocker against its crank's, off by",
            "rad",
            0.0,
            worst,
            1e-10,
            "loops are closed to rounding at each step",
        ),
        Row::absolute(
            "rate of the rocker against theory",
            "rad/s",
            0.0,
            ratio,
            1e-9,
            "the same, at 12 rad/s",
        ),
    ])
}

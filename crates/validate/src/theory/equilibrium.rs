//! Whether bodies in a plane can be at rest: a linear program over the contacts that collision finds.
//!
//! Every contact has two unknowns ≥ 0, the forces along the edges n ± μ t of its cone in the x-z plane; every body three equations,
//! two of force and one of moment about its centre of mass. Feasible means that Coulomb's law allows rest.

use gudgeon_multibody::LinkId;
use gudgeon_sim::Simulator;
use gudgeon_spatial::Vector3;

use crate::ValidateError;
use crate::linear_program::LinearProgram;
use crate::run::G;

/// What is left of the weights that no contact forces carry, in units of all weight; `friction` by contact.
fn unbalanced(sim: &Simulator, friction: &dyn Fn(bool) -> f64) -> f64 {
    let model = sim.model();
    let total: f64 = model.mass() * G;
    let mut right = vec![0.0; 3 * (model.n_links() - 1)];
    for (k, link) in model.links().iter().enumerate().skip(1) {
        right[3 * (k - 1) + 1] = link.inertia.mass * G / total;
    }
    let mut program = LinearProgram::new(right);
    for contact in sim.contacts() {
        let n = contact.normal;
        let along = Vector3::new(n.z, 0.0, -n.x);
        let on_ground = contact.a == LinkId::WORLD || contact.b == LinkId::WORLD;
        for sign in [-1.0, 1.0] {
            let force = n + along * (sign * friction(on_ground));
            let mut column = vec![0.0; 3 * (model.n_links() - 1)];
            for (link, side) in [(contact.a, 1.0), (contact.b, -1.0)] {
                if link != LinkId::WORLD {
                    let pose = sim.workspace().pose(link);
                    let arm = contact.point - pose.point(&model.link(link).inertia.com);
                    let rows = &mut column[3 * (link.0 - 1)..3 * link.0];
                    rows[0] = side * force.x;
                    rows[1] = side * force.z;
                    rows[2] = side * arm.cross(&force).y;
                }
            }
            program.column(0.0, column);
        }
    }
    program.minimise().infeasible
}

/// The least friction with which the bodies of a scene can be at rest as they are placed; `friction(mu, on the ground)` is that of a
/// contact. None if none below ten does.
pub(super) fn least_friction(
    sim: &Simulator,
    friction: impl Fn(f64, bool) -> f64,
) -> Result<Option<f64>, ValidateError> {
    let mut sim = sim.clone();
    let _report = sim.step()?;
    // rounding of the program against weights of one; what is out by a millionth of the limit lacks more than this
    let rests = |mu: f64| unbalanced(&sim, &|ground| friction(mu, ground)) < 1e-9;
    if !rests(10.0) {
        return Ok(None);
    }
    let (mut low, mut high) = (0.0, 10.0);
    while high - low > 1e-7 * high {
        let middle = 0.5 * (low + high);
        *(if rests(middle) { &mut high } else { &mut low }) = middle;
    }
    Ok(Some(high))
}

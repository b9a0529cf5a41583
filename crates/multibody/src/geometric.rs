//! Geometric stiffness: what makes a taut string stiff across, and a way to step over it.
//!
//! A joint force λ that acts on a link at r from its centre of mass turns with neither: a rotation δθ of the link changes
//! its moment by -K δθ,
//! ```text
//!     K = (λ·r) 1 - r λᵀ,      e.g. λ = T r̂ :  K = T |r| (1 - r̂ r̂ᵀ)
//! ```
//! [Tournier et al. 2015, §4; Andrews et al. 2017, §4]. A string under tension T swings across at up to 2 √(T / m l) rad/s,
//! far above any motion one wants to see; an explicit step longer than two of those radians blows up. Adding dt² K to the
//! link's rotational inertia in (M + dt² K) Δv = dt f slows exactly those motions below the step's limit and leaves
//! equilibrium, momentum and slow motion alone: velocities themselves are not scaled, only their change.
//!
//! Departures: the added inertia is κ 1 with κ = ½ (λ·r + |λ||r|), the largest eigenvalue of the symmetric part of K, so
//! that M + dt² K stays positive definite. The sharper bound κ (1 - b bᵀ), b the bisector of λ and r, leaves a slender
//! link free to spin about its axis; tried on a hanging string of 25 ball joints at 10 ms it let the spin run up until
//! positions could not follow, while κ 1 held for 120 s. It enters the links of a tree in reduced coordinates, so every
//! O(n) algorithm stays as it is.

use gudgeon_spatial::{Symmetric3, Vector3};

use crate::model::Model;
use crate::workspace::Workspace;

/// Writes to `added` (n_links, world axes, kg m²) the inertia dt² K of each link, from the forces through the joints after
/// `aba`, `forward_dynamics` or `carried_velocity`; `per` is the time those stand for (1 for forces, dt for impulses).
pub fn geometric_inertia(model: &Model, dt: f64, per: f64, ws: &Workspace, added: &mut [Symmetric3]) {
    added.fill(Symmetric3::default());
    let scale = dt * dt / per;
    for i in 1..model.links.len() {
        // force of the parent on this link, and its reaction on the parent, both at this link's origin
        let force = (ws.ia[i] * ws.a[i] + ws.pa[i]).linear;
        let parent = model.links[i].parent.0;
        add_bound(&mut added[i], &force, &-ws.body[i].com, scale);
        if parent != 0 {
            add_bound(&mut added[parent], &-force, &(ws.placed[i].offset - ws.body[parent].com), scale);
        }
    }
}

/// The largest eigenvalue of the symmetric part of (λ·r) 1 - r λᵀ, all round.
fn add_bound(added: &mut Symmetric3, force: &Vector3<f64>, r: &Vector3<f64>, scale: f64) {
    let k = 0.5 * scale * (force.dot(r) + force.norm() * r.norm());
    *added += Symmetric3::scalar(k);
}

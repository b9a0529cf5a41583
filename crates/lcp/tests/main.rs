//! The integration tests of the library, one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot build its problem should fail")]

mod support;

mod agreement; // all methods give the same motion
mod book; // the claims of the chapter on Lemke, number by number
mod certificates; // every answer is checked against the original data
mod described; // every public type has an example
mod determinism; // same input, same bits
mod friction_canonical; // the same motion, the most even forces, in any order of contacts
mod friction_canonical_roads; // round cones again, by slow roads with nothing in common
mod friction_canonical_round; // the same within round cones
mod friction_convex; // the floor: one answer, whatever the start
mod friction_exact; // round cones, in every direction
mod friction_factored; // rows divided by the caller, compliance, warm starts by id
mod friction_islands; // parts solved apart are the whole, to the bit
mod friction_lloyd; // Lloyd's two methods on the reduced basis
mod front; // one call for every kind of problem, starts and what is refused
mod interrupts; // flags and deadlines end every method
mod papers; // what the papers and the literature say
mod properties; // no panic, no NaN, whatever finite input
mod robust; // the default method against problems chosen to break it
mod small; // sixteen unknowns and fewer: the tableau that is tried first
mod sparse; // sparse matrices: the same answers, and large ones at all
mod truth; // solved is solved and a ray is a proof, in any units
mod truth_friction; // the same for contact with friction
mod underflow; // and among the least numbers there are
mod views; // matrices of other crates
mod watching; // iterates and their errors, from every method

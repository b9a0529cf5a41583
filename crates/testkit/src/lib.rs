//! Problems to test with, and an oracle to test against. For tests, benches and `gudgeon reproduce`; no solver or simulator knows of it.
//!
//! | module         | what it makes                                                                        |
//! |----------------|--------------------------------------------------------------------------------------|
//! | [`rng`]        | random numbers that never change                                                     |
//! | [`scene`]      | bodies that touch at one instant, their problems, and ways to make them worse        |
//! | [`single`]     | one body: Lloyd's ten situations, pegs, faces, n-legged frames                        |
//! | [`stacks`]     | stacks, towers and the brick wall                                                    |
//! | [`piles`]      | heaps and columns of balls, an arch, a wedge                                          |
//! | [`mechanisms`] | closed loops, joint limits, motors                                                   |
//! | [`hostile`]    | problems that an attacker would bring: every size at once, games, bounds of 1e300     |
//! | [`attack`]     | small problems of every distribution, structure and bound                            |
//! | [`wild`]       | contacts of every mass, speed and unit at once, motors with bounds that mean "no limit" |
//! | [`change`]     | what must not change a verdict: units, blocks, idle bounds, order, repeats           |
//! | [`plain`]      | complementarity problems without bodies, with a planted solution or a matrix class   |
//! | [`campaign`]   | thousands of cases in a fixed mix, each to be had again by its index                 |
//! | [`trial`]      | one method on one case, checked, and the tally of many                               |
//! | [`speed`]      | what solves cost, from scratch and from memory, beside an LU                         |
//! | [`json`]       | problem files                                                                        |
//! | [`exact`]      | Lemke's method in rationals, and exact verdicts on bases                              |
//! | [`alloc`]      | an allocator that counts                                                             |
//!
//! ```
//! use gudgeon_testkit::rng::Rng;
//! use gudgeon_testkit::single::peg;
//!
//! let mut rng = Rng::new(1);
//! let scene = peg(16).with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng);
//! assert_eq!(scene.problem().n_contacts(), 16);
//! assert_eq!(scene.lcp().n(), 160);
//! ```

pub mod alloc;
pub mod attack;
pub mod campaign;
pub mod change;
pub mod exact;
mod geometry;
pub mod hostile;
pub mod json;
pub mod mechanisms;
pub mod piles;
pub mod plain;
pub mod rng;
pub mod scene;
pub mod single;
pub mod speed;
pub mod stacks;
pub mod trial;
pub mod wild;

pub use geometry::{Mat3, Vec3};
pub use rng::Rng;
pub use scene::Scene;

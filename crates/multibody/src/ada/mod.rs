//! Assembly and disassembly: DCA [Featherstone 1999] and ADA [Yamane & Nakamura 2002], with handles.
//!
//! | file       | what it holds                                                        |
//! |------------|----------------------------------------------------------------------|
//! | `basis`    | the constraint space of a joint, and small positive definite systems |
//! | `hinge`    | eliminating one joint, in the two papers' two ways                   |
//! | `schedule` | in which order joints are put together                               |
//! | `assembly` | the numbers: up the schedule and down again                          |
//! | `merge`    | one joint up, one joint down                                         |
//! | `iabi`     | Φ and φ between handles, loops closed, Delassus matrix               |

mod assembly;
mod basis;
mod hinge;
mod iabi;
mod merge;
mod schedule;

pub use assembly::{Ada, AdaError};
pub use hinge::Elimination;
pub use iabi::Iabi;
pub use schedule::Order;

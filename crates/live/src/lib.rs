#![forbid(unsafe_code)]
//! A simulation to touch in the browser while it runs.
//!
//! ```text
//!     page ─► socket ─► command ─► session ─► hands ─► Simulator::step
//!       ▲                             │ tape: what was done, and frames
//!       └── socket ◄─ wire ◄──────────┘ ring: the way back
//! ```
//! The page is the player of `gudgeon-replay` with a wire in place of a recording. The thread that steps never waits for
//! a page: it leaves the newest frame where connections find it, and finds their orders in a queue.
//!
//! ```no_run
//! # use gudgeon_sim::{Simulator, scenes::{Params, builtin}};
//! let scene = builtin("wall", &Params::new())?;
//! let mut sim = Simulator::new(&scene)?;
//! let mut live = gudgeon_live::Live::open(&scene, &mut sim, gudgeon_live::Options::default())?;
//! println!("{}", live.address());
//! live.run(&mut sim, |_| {}, || false);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod act;
mod command;
mod describe;
mod edit;
mod fields;
mod hands;
mod handshake; // the answer that makes a request a socket
mod http; // who may speak
mod live;
mod pace; // when steps are taken
mod reel;
mod replay;
mod scene_text; // the scene with its changes, as a file
mod server;
mod session;
mod shared; // between the simulation's thread and the connections
mod socket;
mod tape;
mod wire;

pub use act::Act;
pub use command::Command;
pub use describe::Keyframe;
pub use edit::edited;
pub use fields::WireError;
pub use hands::{Hands, Pull, PullKind};
pub use live::{Live, Options};
pub use replay::{ReplayError, Replayed, replay};
pub use scene_text::scene_text;
pub use server::Listen;
pub use session::Session;
pub use tape::{Mark, Tape};
pub use wire::{Beat, Extras, encode, joint_dofs};

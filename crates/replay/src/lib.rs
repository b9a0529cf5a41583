#![forbid(unsafe_code)]
//! Recordings to look at: a player in one HTML file, still pictures, and logs that other tools read.
//!
//! ```text
//!     Recording -> html   one file: the scene, its motion and the player; opens from disk, needs no network
//!               -> png    a still of that page, by a headless browser that is already there
//!               -> mcap   Foxglove's messages as JSON in an MCAP container
//! ```
//! The player's source is in `player/`; its built form, `player/dist/player.js`, is checked in, so that nobody
//! needs Node to build this crate. `player/README.md` says how to build it again.

mod channels; // what charts follow
mod curve; // one number over time as small integers
mod friction; // what the recording tells of friction coefficients
mod html;
mod mcap;
mod pack; // a recording as the bytes that the player reads
mod picture;
mod shown; // shapes for the eye in place of shapes for the hand

pub use html::{HtmlOptions, Theme, html, live_html};
pub use mcap::mcap;
pub use picture::{Browser, PictureError, PictureOptions, png};
pub use shown::hidden;

//! The tests of the player's file, of the pictures and of the logs, in one binary.
#![expect(clippy::unwrap_used, reason = "a test may fail on the spot")]

mod log; // the MCAP container, read back by its own small reader
mod page; // the HTML file: whole, small, and with the numbers that went in
mod synthetic; // recordings without a simulator

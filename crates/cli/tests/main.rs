//! The tests of the command line and of the problem files, in one binary.
#![expect(clippy::unwrap_used, reason = "a test may fail on the spot")]

mod bad_input; // one clear line for every kind of bad input
mod book; // every file, page and picture that the book and the README name is there
mod check; // model files: reports, starts, scenes made of them
mod commands; // what documents tell the reader to type
mod contract; // keys, exit codes, the table: what others script against
mod figures; // what documents claim, against the last results of validate
mod formats; // .npz and FCLIB .hdf5 against the same problems in JSON
mod hard_cases;
mod hostile; // bytes that mean harm: no panic, bounded time
mod house; // modules without knots, short files and functions, one version
mod joints; // what joints and loops carry, the same everywhere
mod reproduce; // the papers at their least size
mod rings; // corners of two hooked rings by their depth: a figure of the book
mod round_trip; // any problem written and read again, to the bit
mod shared_cases; // collected problems of other projects, where GUDGEON_CASES names them
mod shell; // help, completions, closed pipes, Ctrl-C
mod support; // running the binary, finding files
mod validate; // scenes whose answer is known
mod view; // pages, pictures and logs of recordings
mod whole; // checkpoints, recordings and the standard output: whole, or told

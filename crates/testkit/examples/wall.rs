//! The brick wall, stacks, frames and pegs, from scratch and from memory, beside an LU of the same run.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example wall
//! ```

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

fn main() {
    print!("{}", gudgeon_testkit::speed::report());
}

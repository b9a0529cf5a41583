//! The integration tests of the library, one binary.

mod support;

mod agreement; // all methods give the same motion

//! stub
use gudgeon_sim::Recording;
/// stub
pub fn mcap(_: &Recording) -> Vec<u8> {
    Vec::new()
}

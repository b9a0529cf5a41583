//! What a step is taken under.

use gudgeon_spatial::Force;

/// What acts during one step, the same from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepLoad<'a> {
    /// Joint forces, n_v.
    pub tau: &'a [f64],
    /// One force per link, world axes about its origin; or empty.
    pub external: &'a [Force],
    /// How long the step takes, s.
    pub dt: f64,
}

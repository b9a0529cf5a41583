//! Answers as lines of JSON, or as a table for people.

pub(crate) mod json;
pub(crate) mod table;

/// How a run went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) solved: usize,
    pub(crate) ray: usize,
    pub(crate) cycle: usize,
    pub(crate) inaccurate: usize,
    pub(crate) budget: usize,
    pub(crate) bad: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, status: gudgeon_lcp::Status) {
        use gudgeon_lcp::Status::{Budget, Cycle, Inaccurate, Ray, Solved};
        *match status {
            Solved => &mut self.solved,
            Ray => &mut self.ray,
            Cycle => &mut self.cycle,
            Inaccurate => &mut self.inaccurate,
            Budget => &mut self.budget,
        } += 1;
    }

    /// 0: all solved; 1: some not; 2: bad input.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self { bad: 1.., .. } => 2,
            Self { ray: 0, cycle: 0, inaccurate: 0, budget: 0, .. } => 0,
            _ => 1,
        }
    }
}

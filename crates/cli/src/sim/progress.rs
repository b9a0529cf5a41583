//! A line on the terminal that says how far a run has come.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use gudgeon_sim::Summary;

/// Part of a run from which on the rest can be reckoned; before it the time that is left is only long.
const BEGUN: f64 = 1e-9;

/// Shown on a terminal only, four times a second.
pub(crate) struct Progress {
    name: String,
    total: u64,
    shown: bool,
    began: Instant,
    last: Instant,
}

impl Progress {
    pub(crate) fn new(name: &str, total: u64, quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        Self { name: name.to_owned(), total, shown, began: Instant::now(), last: Instant::now() }
    }

    pub(crate) fn tick(&mut self, steps: u64, summary: &Summary, err: &mut impl Write) {
        if !self.shown || self.last.elapsed() < Duration::from_millis(250) {
            return;
        }
        self.last = Instant::now();
        let part = steps as f64 / self.total as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 30")]
        let filled = (30.0 * part) as usize;
        let left = self.began.elapsed().as_secs_f64() * (1.0 - part) / part.max(BEGUN);
        let failed = summary.failed();
        let bar: String = (0..30).map(|k| if k < filled { '#' } else { '.' }).collect();
        // a closed stderr leaves nobody to tell
        let _ = write!(
            err,
            "\r{} [{bar}] {:3.0} %  {left:.0} s left  {failed} failed solves ",
            self.name,
            100.0 * part
        );
        let _ = err.flush();
    }

    pub(crate) fn done(&self, err: &mut impl Write) {
        if self.shown {
            let _ = write!(err, "\r{:100}\r", "");
        }
    }
}

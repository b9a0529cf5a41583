//! Orders of a page: acts on the simulation, and orders about the clock and the tape.
//!
//! | `do`       | fields   | what                                                       |
//! |------------|----------|------------------------------------------------------------|
//! | `run`, `pause` |      | the clock                                                  |
//! | `step`     | n        | so many steps, then pause                                  |
//! | `back`     | to       | to a step of the last while; what came after is forgotten  |
//! | `reset`    |          | to the start, edits kept                                   |
//! | `speed`    | x        | simulated seconds per second; 0 is as fast as it can       |
//! | `record`   | on       | keeps frames from now on, or stops                         |
//! | `keep`     | name     | the present state as a keyframe                            |
//! | `go`       | index    | to a keyframe                                              |
//! | `take`     |          | the hands                                                  |
//! | `ack`      | seq      | a frame was drawn                                          |

use serde_json::Value;

use crate::act::Act;
use crate::fields::{Fields, WireError};

/// An order of a page.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the tables here and of `Act` say what each is")]
pub enum Command {
    Act(Act),
    Run,
    Pause,
    Step { n: u64 },
    Back { to: u64 },
    Reset,
    Speed { x: f64 },
    Record { on: bool },
    Keep { name: String },
    Go { index: usize },
    Take,
    Ack { seq: u32 },
}

/// Steps of one order: a page that waits for more has forgotten the clock.
const MOST_STEPS: f64 = 10_000.0;

impl Command {
    /// Reads a message.
    pub fn read(text: &str) -> Result<Self, WireError> {
        let message: Value = serde_json::from_str(text).map_err(|e| WireError::Json(e.to_string()))?;
        if let Some(act) = Act::read(&message)? {
            // states come from keyframes, not from pages
            return match act {
                Act::State { .. } => Err(WireError::Unknown("state".into())),
                act => Ok(Self::Act(act)),
            };
        }
        let m = Fields(&message);
        Ok(match m.text("do")? {
            "run" => Self::Run,
            "pause" => Self::Pause,
            "step" => Self::Step { n: whole(m.number_or("n", 1.0, 1.0..=MOST_STEPS)?) },
            "back" => Self::Back { to: m.index("to")? as u64 },
            "reset" => Self::Reset,
            "speed" => Self::Speed { x: m.number("x", 0.0..=1000.0)? },
            "record" => Self::Record { on: m.flag("on")? },
            "keep" => Self::Keep { name: m.text("name")?.chars().take(40).collect() },
            "go" => Self::Go { index: m.index("index")? },
            "take" => Self::Take,
            "ack" => Self::Ack { seq: u32::try_from(m.index("seq")?).unwrap_or(u32::MAX) },
            other => return Err(WireError::Unknown(other.chars().take(40).collect())),
        })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 1 and MOST_STEPS")]
fn whole(x: f64) -> u64 {
    x as u64
}

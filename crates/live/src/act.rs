//! What a hand may do to a running simulation, as data: read from a page, kept on a tape, done again from there.
//!
//! | `do`       | fields                                             | unit                        |
//! |------------|----------------------------------------------------|-----------------------------|
//! | `grab`     | body, point (its frame), target (world), gain      | m; 1                        |
//! | `drag`     | target                                             | m                           |
//! | `release`  |                                                    |                             |
//! | `push`     | body, point (its frame), force (world), seconds    | m, N, s                     |
//! | `pin`      | body, on                                           |                             |
//! | `control`  | index, values                                      | of the controller           |
//! | `joint`    | dof, force                                         | N m or N                    |
//! | `place`    | dof, value                                         | rad or m                    |
//! | `friction` | value, body (all surfaces if none)                 | 1                           |
//! | `gravity`  | value                                              | m/s²                        |
//! | `dt`       | value                                              | s                           |
//! | `mass`     | body, value                                        | kg                          |
//! | `add`      | shape (box, ball), size (half side, radius), at    | m                           |
//! | `state`    | q, v                                               | of the model                |
//!
//! Bodies are numbered as in the model; 0 is the world. Everything is checked against bounds here, against the scene
//! where it is done.

use serde_json::{Value, json};

use crate::fields::{Fields, WireError};

/// The largest coordinate or number of a message: a kilometre, a meganewton.
const LARGEST: f64 = 1e6;

/// Something a hand does.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the table at the top says what each field is")]
pub enum Act {
    Grab { body: usize, point: [f64; 3], target: [f64; 3], gain: f64 },
    Drag { target: [f64; 3] },
    Release,
    Push { body: usize, point: [f64; 3], force: [f64; 3], seconds: f64 },
    Pin { body: usize, on: bool },
    Control { index: usize, values: Vec<f64> },
    Joint { dof: usize, force: f64 },
    Place { dof: usize, value: f64 },
    Friction { value: f64, body: Option<usize> },
    Gravity { value: [f64; 3] },
    Dt { value: f64 },
    Mass { body: usize, value: f64 },
    Add { ball: bool, size: f64, at: [f64; 3] },
    State { q: Vec<f64>, v: Vec<f64> },
}

impl Act {
    /// From a message; none if `do` names something else.
    pub fn read(message: &Value) -> Result<Option<Self>, WireError> {
        let m = Fields(message);
        Ok(Some(match m.text("do")? {
            "grab" => Self::Grab {
                body: m.index("body")?,
                point: m.vector("point", LARGEST)?,
                target: m.vector("target", LARGEST)?,
                gain: m.number_or("gain", 1.0, 1e-3..=1e3)?,
            },
            "drag" => Self::Drag { target: m.vector("target", LARGEST)? },
            "release" => Self::Release,
            "push" => Self::Push {
                body: m.index("body")?,
                point: m.vector("point", LARGEST)?,
                force: m.vector("force", LARGEST)?,
                seconds: m.number("seconds", 0.0..=10.0)?,
            },
            "pin" => Self::Pin { body: m.index("body")?, on: m.flag("on")? },
            "control" => Self::Control { index: m.index("index")?, values: m.list("values", LARGEST, 4096)? },
            "joint" => Self::Joint { dof: m.index("dof")?, force: m.number("force", -LARGEST..=LARGEST)? },
            "place" => Self::Place { dof: m.index("dof")?, value: m.number("value", -LARGEST..=LARGEST)? },
            "friction" => {
                Self::Friction { value: m.number("value", 0.0..=100.0)?, body: m.maybe_index("body")? }
            }
            "gravity" => Self::Gravity { value: m.vector("value", 1e4)? },
            "dt" => Self::Dt { value: m.number("value", 1e-6..=0.1)? },
            "mass" => Self::Mass { body: m.index("body")?, value: m.number("value", 1e-6..=LARGEST)? },
            "add" => Self::Add {
                ball: match m.text("shape")? {
                    "box" => false,
                    "ball" => true,
                    other => return Err(WireError::field("shape", other, "box or ball")),
                },
                size: m.number("size", 1e-3..=100.0)?,
                at: m.vector("at", LARGEST)?,
            },
            "state" => Self::State { q: m.list("q", LARGEST, 1 << 20)?, v: m.list("v", LARGEST, 1 << 20)? },
            _ => return Ok(None),
        }))
    }

    /// The message that [`Act::read`] makes this of, to the bit.
    pub fn write(&self) -> Value {
        match self {
            Self::Grab { body, point, target, gain } => {
                json!({"do": "grab", "body": body, "point": point, "target": target, "gain": gain})
            }
            Self::Drag { target } => json!({"do": "drag", "target": target}),
            Self::Release => json!({"do": "release"}),
            Self::Push { body, point, force, seconds } => {
                json!({"do": "push", "body": body, "point": point, "force": force, "seconds": seconds})
            }
            Self::Pin { body, on } => json!({"do": "pin", "body": body, "on": on}),
            Self::Control { index, values } => json!({"do": "control", "index": index, "values": values}),
            Self::Joint { dof, force } => json!({"do": "joint", "dof": dof, "force": force}),
            Self::Place { dof, value } => json!({"do": "place", "dof": dof, "value": value}),
            Self::Friction { value, body } => json!({"do": "friction", "value": value, "body": body}),
            Self::Gravity { value } => json!({"do": "gravity", "value": value}),
            Self::Dt { value } => json!({"do": "dt", "value": value}),
            Self::Mass { body, value } => json!({"do": "mass", "body": body, "value": value}),
            Self::Add { ball, size, at } => {
                json!({"do": "add", "shape": if *ball { "ball" } else { "box" }, "size": size, "at": at})
            }
            Self::State { q, v } => json!({"do": "state", "q": q, "v": v}),
        }
    }

    /// Whether it changes the scene itself, and so stays when the run begins again.
    pub fn is_edit(&self) -> bool {
        matches!(
            self,
            Self::Friction { .. }
                | Self::Gravity { .. }
                | Self::Dt { .. }
                | Self::Mass { .. }
                | Self::Add { .. }
        )
    }
}

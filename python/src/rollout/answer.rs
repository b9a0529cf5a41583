//! What a rollout keeps of every step, how many numbers that is, and the room for them.

use gudgeon_sim::Scene;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Share;
use crate::arrays::array;
use crate::memory::{filled, room};

/// What is kept of every step besides the sums.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of words, each asked for or not")]
pub(super) struct Kept {
    pub(super) states: bool,
    pub(super) wrenches: bool,
    pub(super) contacts: bool,
    pub(super) sensors: bool,
    pub(super) joint_forces: bool,
}

impl Kept {
    pub(super) fn read(names: &[String]) -> PyResult<Self> {
        let mut out = Self::default();
        for name in names {
            match name.as_str() {
                "states" => out.states = true,
                "wrenches" => out.wrenches = true,
                "contacts" => out.contacts = true,
                "sensors" => out.sensors = true,
                "joint_forces" => out.joint_forces = true,
                other => {
                    return Err(PyValueError::new_err(format!(
                        "returns has '{other}', expected states, wrenches, contacts, sensors or joint_forces"
                    )));
                }
            }
        }
        Ok(out)
    }
}

/// Numbers of a step, by what they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    pub(super) q: usize,
    pub(super) v: usize,
    pub(super) wrenches: usize,
    pub(super) sensors: usize,
    pub(super) joint_forces: usize,
}

impl Widths {
    pub(super) fn new(scene: &Scene, kept: Kept) -> Self {
        let m = &scene.model;
        let sensors: usize = scene.equipment.sensors.iter().map(|s| s.kind.width()).sum();
        Self {
            q: m.n_q(),
            v: m.n_v(),
            wrenches: if kept.wrenches { 6 * m.n_links() } else { 0 },
            sensors: if kept.sensors { sensors } else { 0 },
            joint_forces: if kept.joint_forces { m.n_v() } else { 0 },
        }
    }

    pub(super) fn state(&self) -> usize {
        self.q + self.v
    }
}

/// The answer but for the sums over contacts, row by row for every copy; what is not kept is empty.
pub(super) struct Numbers {
    copies: usize,
    steps: usize,
    states: usize, // steps whose state is kept: all, or the last alone
    kept: Kept,
    widths: Widths,
    x: Vec<f64>,
    wrenches: Vec<f64>,
    sensors: Vec<f64>,
    joint_forces: Vec<f64>,
}

impl Numbers {
    pub(super) fn new(copies: usize, steps: usize, kept: Kept, widths: Widths) -> PyResult<Self> {
        let states = if kept.states { steps } else { steps.min(1) };
        let numbers = widths.wrenches + widths.sensors + widths.joint_forces;
        let each = 8 * (numbers + if kept.states { widths.state() } else { 0 }) + 26;
        let n = room(copies, steps, each, "rollout")?;
        Ok(Self {
            x: filled(copies * states * widths.state(), 0.0)?,
            wrenches: filled(n * widths.wrenches, 0.0)?,
            sensors: filled(n * widths.sensors, 0.0)?,
            joint_forces: filled(n * widths.joint_forces, 0.0)?,
            copies,
            steps,
            states,
            kept,
            widths,
        })
    }

    /// The rows of every copy, to be written by the thread that runs it.
    pub(super) fn shares(&mut self) -> Vec<Share<'_>> {
        let n = self.copies;
        rows(&mut self.x, n)
            .zip(rows(&mut self.wrenches, n))
            .zip(rows(&mut self.sensors, n).zip(rows(&mut self.joint_forces, n)))
            .map(|((x, wrenches), (sensors, joint_forces))| Share {
                x,
                wrenches,
                sensors,
                joint_forces,
                ..Share::default()
            })
            .collect()
    }

    /// Hands them to Python.
    pub(super) fn put(self, out: &Bound<'_, PyDict>) -> PyResult<()> {
        let Self { copies, steps, kept, widths, .. } = self;
        let py = out.py();
        out.set_item("x", array(py, self.x, &[copies, self.states, widths.state()])?)?;
        if kept.wrenches {
            out.set_item("wrenches", array(py, self.wrenches, &[copies, steps, widths.wrenches / 6, 6])?)?;
        }
        if kept.sensors {
            out.set_item("sensors", array(py, self.sensors, &[copies, steps, widths.sensors])?)?;
        }
        if kept.joint_forces {
            let shape = [copies, steps, widths.joint_forces];
            out.set_item("joint_forces", array(py, self.joint_forces, &shape)?)?;
        }
        Ok(())
    }
}

/// The rows of a list, one for every copy, of any width.
fn rows(list: &mut [f64], copies: usize) -> impl Iterator<Item = &mut [f64]> {
    let (width, mut rest) = (list.len() / copies.max(1), list);
    (0..copies).map(move |_| {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(width);
        rest = after;
        own
    })
}

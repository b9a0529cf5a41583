//! Pages that look at a simulation and pull at it while a script steps.

use std::sync::Mutex;
use std::time::Duration;

use gudgeon_live::{Listen, Live, Options};
use gudgeon_sim::{Scene, Simulator, StepReport};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// The pages of one simulation, if it has any. The lock is never waited for: whoever reaches it holds the simulation.
#[derive(Default)]
pub(crate) struct Pages(Mutex<Option<Live>>);

impl Pages {
    fn get(&mut self) -> Option<&mut Live> {
        self.0.get_mut().ok().and_then(Option::as_mut)
    }

    fn need(&mut self) -> PyResult<&mut Live> {
        self.get()
            .ok_or_else(|| PyRuntimeError::new_err("this simulation has no live page; call live() first"))
    }

    /// Begins to listen; the address.
    pub(crate) fn open(
        &mut self,
        scene: &Scene,
        sim: &mut Simulator,
        port: u16,
        passive: bool,
        record: bool,
        speed: f64,
    ) -> PyResult<String> {
        let listen = Listen { port, ..Listen::default() };
        let options =
            Options { listen, record, passive, fixed: true, speed: Some(speed), ..Options::default() };
        let live = Live::open(scene, sim, options).map_err(|e| PyOSError::new_err(e.to_string()))?;
        let address = live.address();
        *self = Self(Mutex::new(Some(live)));
        Ok(address)
    }

    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn are_open(&mut self) -> bool {
        self.get().is_some()
    }

    /// A step under the hands of pages; none, and everything as it was, if it was interrupted.
    pub(crate) fn step(&mut self, sim: &mut Simulator) -> Result<Option<StepReport>, String> {
        let Some(live) = self.get() else { return Ok(None) };
        live.poll(sim);
        let report = live.step_unless(sim, crate::watch::interrupt()).map_err(|e| e.to_string())?;
        live.publish(sim);
        Ok(report)
    }

    /// What pages ask for, what they are shown, and how long their clock says to wait, s; none if a step is due.
    pub(crate) fn wait(&mut self, sim: &mut Simulator) -> PyResult<Option<f64>> {
        Ok(self.need()?.wait(sim).as_ref().map(Duration::as_secs_f64))
    }

    pub(crate) fn count(&mut self) -> usize {
        self.get().map_or(0, |live| live.pages())
    }

    pub(crate) fn allow_notebooks(&mut self) -> PyResult<()> {
        self.need()?.allow_notebooks();
        Ok(())
    }

    /// What was recorded, as the bytes of a file.
    pub(crate) fn recording(&mut self) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        let recording = self.need()?.recording().map_err(|e| PyOSError::new_err(e.to_string()))?;
        recording.write(&mut bytes).map_err(|e| PyOSError::new_err(e.to_string()))?;
        Ok(bytes)
    }
}

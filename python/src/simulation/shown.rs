//! A simulation to look at: recordings and their player, pages that show it live, pictures.

use gudgeon_replay::{HtmlOptions, html};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Simulation, vector};
use crate::arrays::array;
use crate::picture::{Camera, Picture};
use crate::recorder::Recorder;

impl Simulation {
    fn open_pages(&mut self, port: u16, passive: bool, record: bool, speed: f64) -> PyResult<String> {
        let scene = self.model.get().scene.clone();
        self.rewind.forget();
        self.pages.open(&scene, &mut self.sim, port, passive, record, speed)
    }
}

#[pymethods]
impl Simulation {
    /// Keeps frames for `replay_html` from now on, so many a second of simulated time.
    #[pyo3(signature = (fps = 60.0))]
    fn record(&mut self, fps: f64) -> PyResult<()> {
        if !(fps > 0.0 && fps.is_finite()) {
            return Err(PyValueError::new_err(format!("fps is {fps}, expected a positive number")));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1")]
        let every = (1.0 / (fps * self.sim.settings.dt)).round().max(1.0) as u64;
        let scene = &self.model.get().scene;
        self.recorder = Some(Recorder::new(scene, every, &mut self.sim, self.report.as_ref()));
        Ok(())
    }

    /// Frames kept so far.
    #[getter]
    fn frames(&self) -> usize {
        self.recorder.as_ref().map_or(0, |r| r.recording.frames.len())
    }

    /// The player with what was recorded (or with the present moment alone) as one HTML page.
    #[pyo3(signature = (title = None))]
    fn replay_html(&self, py: Python<'_>, title: Option<String>) -> PyResult<String> {
        let options = HtmlOptions { title, ..HtmlOptions::default() };
        crate::panics::caught(|| {
            py.detach(|| {
                if let Some(recorder) = &self.recorder {
                    return html(&recorder.recording, &options);
                }
                let scene = &self.model.get().scene;
                let now = Recorder::new(scene, 1, &mut self.sim.clone(), self.report.as_ref());
                html(&now.recording, &options)
            })
        })
    }

    /// What was recorded as a page that shows itself in a notebook; `save` writes it to a file.
    #[pyo3(signature = (title = None, height = 540))]
    fn replay<'py>(
        &self,
        py: Python<'py>,
        title: Option<String>,
        height: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.import("gudgeon._replay")?.getattr("Replay")?.call1((self.replay_html(py, title)?, height))
    }

    /// A page in the browser that shows this simulation while a script steps it, and whose pulls arrive as forces:
    /// `with sim.live() as page:`. Listens on this machine alone, at any free port unless `port` says otherwise.
    #[pyo3(signature = (port = 0, open = true, record = false))]
    fn live<'py>(slf: &Bound<'py, Self>, port: u16, open: bool, record: bool) -> PyResult<Bound<'py, PyAny>> {
        let address = slf.borrow_mut().open_pages(port, true, record, 1.0)?;
        slf.py().import("gudgeon._live")?.getattr("Page")?.call1((slf, address, open))
    }

    fn _live_open(&mut self, port: u16, passive: bool, record: bool, speed: f64) -> PyResult<String> {
        self.open_pages(port, passive, record, speed)
    }

    fn _live_close(&mut self) {
        self.pages.close();
    }

    fn _live_wait(&mut self) -> PyResult<Option<f64>> {
        self.held.release(&mut self.sim);
        self.rewind.forget();
        self.pages.wait(&mut self.sim)
    }

    fn _live_pages(&mut self) -> usize {
        self.pages.count()
    }

    fn _live_notebooks(&mut self) -> PyResult<()> {
        self.pages.allow_notebooks()
    }

    fn _live_recording<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.pages.recording()?))
    }

    /// A picture, height × width × 3 bytes, by a small rasteriser: from `eye` towards `target`, world, m, or by a `camera` of the
    /// file.
    #[pyo3(signature = (width = 480, height = 360, eye = None, target = None, fov = 40.0, camera = None))]
    #[expect(clippy::too_many_arguments, reason = "a call with names")]
    fn render<'py>(
        &mut self,
        py: Python<'py>,
        width: usize,
        height: usize,
        eye: Option<&Bound<'py, PyAny>>,
        target: Option<&Bound<'py, PyAny>>,
        fov: f64,
        camera: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sizes = 1..=8192;
        if !(sizes.contains(&width) && sizes.contains(&height) && fov > 1.0 && fov < 170.0) {
            return Err(PyValueError::new_err(format!(
                "a picture of {width} by {height} with a field of view of {fov} degrees"
            )));
        }
        let target = target.map(|t| vector("target", t)).transpose()?;
        let eye = eye.map(|e| vector("eye", e)).transpose()?;
        let scene = self.model.get().scene.clone();
        let mut taken = None;
        if let Some(name) = camera {
            let found = scene.equipment.camera(name).ok_or_else(|| {
                let names: Vec<&str> = scene.equipment.cameras.iter().map(|c| c.name.as_str()).collect();
                PyKeyError::new_err(format!("there is no camera '{name}'; there are {}", names.join(", ")))
            })?;
            taken = Some(Camera::at(&found.frame(&scene.equipment, self.sim.workspace()), found.fov));
        }
        let Self { picture, sim, .. } = self;
        let pixels = crate::panics::caught(|| {
            py.detach(|| {
                let picture = picture.get_or_insert_with(|| Picture::new(&scene));
                let camera = taken.unwrap_or_else(|| Camera::look(picture, sim, eye, target, fov));
                picture.draw(sim, &camera, width, height)
            })
        })?;
        array(py, pixels, &[height, width, 3])
    }
}

//! A built-in scene run from start to end, with the figures that Yamane's tables have.

use std::time::Instant;

use gudgeon_lcp::{Method, Status};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Facets, Fallback, Scene, Sides, Simulator, StepReport};
use serde_json::{Value, json};

use super::Task;

/// Processor time of this thread, s: what other work on the machine does not change. The clock on the wall where the
/// system does not say. It moves in ticks of some milliseconds, so only long stretches may be measured with it.
pub(super) fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|ns| 1e-9 * ns)
}

/// A stretch of work on two clocks.
pub(super) struct Stretch {
    wall: Instant,
    processor: Option<f64>,
}

impl Stretch {
    pub(super) fn begin() -> Self {
        Self { wall: Instant::now(), processor: processor_seconds() }
    }

    /// Processor seconds since the beginning, or seconds on the wall.
    pub(super) fn seconds(&self) -> f64 {
        match (self.processor, processor_seconds()) {
            (Some(begin), Some(end)) if end > begin => end - begin,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// How solves ended, in the rows of Table I.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) frames: usize,
    pub(super) success: usize,
    pub(super) no_solution: usize,
    pub(super) cycle: usize,
    pub(super) error: usize,
    pub(super) budget: usize,
}

impl Tally {
    pub(super) fn add(&mut self, status: Status) {
        self.frames += 1;
        *match status {
            Status::Solved => &mut self.success,
            Status::Ray => &mut self.no_solution,
            Status::Cycle => &mut self.cycle,
            Status::Inaccurate => &mut self.error,
            Status::Budget => &mut self.budget,
        } += 1;
    }

    pub(super) fn failures(&self) -> usize {
        self.frames - self.success
    }

    pub(super) fn to_json(self) -> Value {
        json!({
            "total_frames": self.frames, "success": self.success, "failure": self.failures(),
            "no_solution": self.no_solution, "cycle": self.cycle, "error": self.error, "budget": self.budget,
        })
    }
}

/// The scene of a name with eight-sided cones and the method `robust`.
pub(super) fn scene(name: &str, params: &Params, duration: f64, dt: f64) -> Result<Scene, String> {
    let mut scene = builtin(name, params).map_err(|e| e.to_string())?;
    scene.duration = duration;
    scene.settings.dt = dt;
    scene.settings.method = Method::Robust;
    scene.settings.facets = Facets::Polygon(Sides::EIGHT);
    Ok(scene)
}

/// What a run was like.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    pub(super) steps: usize,
    /// Of the method asked for, before any fallback.
    pub(super) tally: Tally,
    /// Steps that needed another rung of the ladder.
    pub(super) fallbacks: usize,
    /// Means over the frames with contact.
    pub(super) contacts: f64,
    pub(super) active: f64,
    pub(super) pivots: usize,
    /// Processor seconds of a step, mean, with all that the watcher does in it.
    pub(super) step_seconds: f64,
    /// Processor seconds of a solve, mean over the frames with contact: the solver's share of the steps on the wall, of
    /// their processor time.
    pub(super) solve_seconds: f64,
    /// Seconds on the wall of a solve, median over the frames with contact.
    pub(super) solve_median: f64,
    pub(super) penetration: f64,
    pub(super) loop_gap: f64,
    pub(super) residual: f64,
    /// Why the run ended early.
    pub(super) broke: Option<String>,
}

impl Figures {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "steps": self.steps, "solves": self.tally.to_json(), "fallbacks": self.fallbacks,
            "contacts": self.contacts, "active": self.active, "pivots": self.pivots,
            "step_ms": 1e3 * self.step_seconds, "solve_ms": 1e3 * self.solve_seconds, "solve_ms_median": 1e3 * self.solve_median,
            "max_penetration": self.penetration, "max_loop_gap": self.loop_gap,
            "max_residual": self.residual, "broke": self.broke,
        })
    }
}

pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Steps through a scene; `watch` sees every step.
pub(super) fn simulate(
    task: &Task,
    label: &str,
    scene: &Scene,
    mut watch: impl FnMut(&Simulator, &StepReport),
) -> Result<Figures, String> {
    let mut sim = Simulator::new(scene).map_err(|e| e.to_string())?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
    let total = (scene.duration / scene.settings.dt).round().max(1.0) as usize;
    let mut figures = Figures::default();
    let (mut contacts, mut active) = (0, 0);
    let mut solves = Vec::with_capacity(total);
    let patience = task.settings["patience_s"].as_f64().unwrap_or(f64::INFINITY);
    let mut wall = 0.0;
    let stretch = Stretch::begin();
    for k in 0..total {
        let began = Instant::now();
        let step = sim.step();
        wall += began.elapsed().as_secs_f64();
        let report = match step {
            Ok(report) => report,
            Err(error) => {
                figures.broke = Some(error.to_string());
                break;
            }
        };
        figures.steps += 1;
        figures.penetration = figures.penetration.max(report.penetration);
        figures.loop_gap = figures.loop_gap.max(report.loop_gap);
        if let Some(solve) = report.solve {
            figures.tally.add(solve.status);
            figures.fallbacks += usize::from(solve.fallback != Fallback::None);
            figures.pivots += solve.pivots;
            figures.residual = figures.residual.max(solve.residual.natural);
            contacts += report.contacts;
            active += report.active;
            solves.push(report.solver_seconds);
        }
        watch(&sim, &report);
        if stretch.seconds() > patience {
            let time = report.time;
            figures.broke = Some(format!("given up after {patience} s of processor time, at t = {time} s"));
            break;
        }
        if k % 64 == 63 {
            task.progress(label, (k + 1) as f64 / total as f64);
        }
    }
    let frames = figures.tally.frames.max(1) as f64;
    figures.contacts = contacts as f64 / frames;
    figures.active = active as f64 / frames;
    figures.step_seconds = stretch.seconds() / figures.steps.max(1) as f64;
    let share = solves.iter().sum::<f64>() / f64::max(wall, f64::MIN_POSITIVE);
    figures.solve_seconds = share * stretch.seconds() / frames;
    figures.solve_median = median(&mut solves);
    Ok(figures)
}

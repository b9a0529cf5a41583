//! One run of a scene: its steps, and what is kept of each in files, a checkpoint and a summary.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use gudgeon_sim::{Frame, ReactionFrame, Rewind, Scene, Simulator, StepReport, Summary, Timings};

use super::args::SimArgs;
use super::joints::JointLog;
use super::output::{self, Outputs};
use super::progress::Progress;
use super::{Stop, bad, checkpoint};
use crate::interrupt::Interrupt;

/// Problems kept of one run: enough to study, not enough to fill a disk.
const MOST_DUMPS: usize = 100;

/// A simulation on its way, and everything that is written of it.
pub(super) struct Run<'a> {
    args: &'a SimArgs,
    scene: &'a Scene,
    sim: Simulator,
    total: u64, // steps from start to end
    outputs: Outputs,
    summary: Summary,
    frame: Frame,
    log: Option<JointLog>,
    kept: f64, // s, time of the last checkpoint
    dumped: usize,
    interrupt: Interrupt,
}

impl<'a> Run<'a> {
    /// At the start, or where a checkpoint left it.
    pub(super) fn open(args: &'a SimArgs, scene: &'a Scene) -> Result<Self, Stop> {
        let mut sim = Simulator::new(scene).map_err(bad)?;
        let files = checkpoint::resume(args, &mut sim)?;
        let resumed = files.is_some();
        let mut outputs = Outputs::open(args, scene, &files.unwrap_or_default()).map_err(bad)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
        let total = (scene.duration / scene.settings.dt).round().max(1.0) as u64;
        let summary = Summary::new(&sim);
        let mut frame = Frame {
            timings: args.timings.then(Timings::default),
            reactions: (args.joints.is_some() || args.work).then(ReactionFrame::default),
            ..Frame::default()
        };
        if !resumed {
            sim.frame(None, &mut frame);
            outputs.write(&sim, &frame).map_err(bad)?;
        }
        let log = joint_log(args, &mut sim).map_err(bad)?;
        let kept = sim.time();
        let interrupt = Interrupt::watch();
        // a solve that takes minutes is ended as well, with its best iterate
        sim.settings.interrupt = Some(interrupt.flag());
        Ok(Self { args, scene, sim, total, outputs, summary, frame, log, kept, dumped: 0, interrupt })
    }

    /// Steps to the end, or until somebody stops it.
    pub(super) fn go(&mut self, err: &mut impl Write) -> Result<(), Stop> {
        let mut progress = Progress::new(&self.scene.name, self.total, self.args.json);
        let mut rewind = Rewind::default();
        while self.sim.steps() < self.total && !self.interrupt.pressed() {
            rewind.mark(&self.sim);
            let before = self.sim.steps();
            let began = Instant::now();
            let step = self.sim.step();
            let seconds = began.elapsed().as_secs_f64();
            // what a solve that was cut short leads to is in no file and no checkpoint
            if self.interrupt.pressed() && rewind.back(&mut self.sim, before) {
                break;
            }
            let report = match step {
                Ok(report) => report,
                Err(error) => {
                    self.outputs.finish().map_err(bad)?;
                    return Err(Stop(error.to_string(), 3));
                }
            };
            self.keep(&report, seconds)?;
            progress.tick(self.sim.steps(), &self.summary, err);
        }
        progress.done(err);
        Ok(())
    }

    /// What is written of a step that took so many seconds.
    fn keep(&mut self, report: &StepReport, seconds: f64) -> Result<(), Stop> {
        self.summary.add(report, seconds);
        self.dump(report, seconds)?;
        let shown = self.sim.steps().is_multiple_of(self.args.every);
        if let Some(log) = &mut self.log {
            log.step(&mut self.sim, shown).map_err(bad)?;
        }
        if shown {
            self.sim.frame(Some(report), &mut self.frame);
            self.outputs.write(&self.sim, &self.frame).map_err(bad)?;
        }
        let due = self.args.checkpoint_every - 0.5 * self.scene.settings.dt;
        if self.sim.time() - self.kept >= due || self.sim.steps() == self.total {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Keeps the state, if it is asked for, beside files that are on the disk up to it.
    fn checkpoint(&mut self) -> Result<(), Stop> {
        if let Some(path) = &self.args.checkpoint {
            self.outputs.sync().map_err(bad)?;
            checkpoint::keep(path, &self.sim, &self.outputs.written())?;
            self.kept = self.sim.time();
        }
        Ok(())
    }

    /// Keeps the problem of a step that failed or was slow, if it is asked for.
    fn dump(&mut self, report: &StepReport, seconds: f64) -> Result<(), Stop> {
        let (args, sim) = (self.args, &self.sim);
        let (Some(solve), Some(problem)) = (report.solve, sim.last_problem()) else { return Ok(()) };
        let failed = args.dump_failures.is_some() && solve.status != gudgeon_lcp::Status::Solved;
        let slow = args.dump_slow.is_some_and(|most| seconds * 1e3 > most);
        if !(failed || slow) || self.dumped >= MOST_DUMPS {
            return Ok(());
        }
        let folder = args.dump_failures.as_deref().unwrap_or(Path::new("slow-steps"));
        self.dumped += 1;
        let path = folder.join(format!("step-{:07}-{}.json", sim.steps(), solve.status.name()));
        let text = crate::problem_file::write_json(&crate::problem_file::Problem::Friction(problem.clone()));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| bad(format!("{}: {e}", path.display())))
    }

    /// Whether somebody stopped it before its end.
    pub(super) fn stopped(&self) -> bool {
        self.sim.steps() < self.total
    }

    /// Closes what is written; a run that was stopped leaves a checkpoint.
    pub(super) fn close(&mut self, err: &mut impl Write) -> Result<(), Stop> {
        if self.stopped() {
            self.checkpoint()?;
        }
        self.outputs.finish().map_err(bad)?;
        self.log.as_mut().map_or(Ok(()), JointLog::flush).map_err(bad)?;
        if self.stopped() {
            // a closed stderr leaves nobody to tell
            let _ = writeln!(err, "stopped at {} s of {}", self.sim.time(), self.scene.duration);
        }
        Ok(())
    }

    /// Says what came of it.
    pub(super) fn tell(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Self { scene, sim, summary, log, .. } = self;
        if self.args.json {
            let mut json = summary.to_json(&scene.name, sim);
            if let Some(log) = log {
                [json["joints"], json["loops"], json["work"]] = log.to_json(sim);
            }
            writeln!(out, "{json}")?;
        } else {
            output::print_summary(summary, scene, sim, out)?;
            if let Some(log) = log {
                log.print(sim, out)?;
            }
        }
        out.flush()
    }

    /// Whether no step failed, fell back, or left bodies deeper in each other than it should.
    pub(super) fn is_clean(&self) -> bool {
        let s = &self.summary;
        s.failed() + s.fallback() + s.unrecovered() + s.deepened() + s.curbed() == 0
    }
}

/// What joints carry, if it is asked for.
fn joint_log(args: &SimArgs, sim: &mut Simulator) -> std::io::Result<Option<JointLog>> {
    if args.joints.is_none() && !args.work {
        return Ok(None);
    }
    let file = args.joints.as_ref().map(|path| output::Sink::open(path, None)).transpose()?;
    let mut log = JointLog::new(file, sim)?;
    log.step(sim, true)?;
    Ok(Some(log))
}

//! The present moment of a simulator as a frame of a recording.

use gudgeon_lcp::StageReport;
use gudgeon_multibody::LinkId;
use gudgeon_spatial::Force;

use super::Simulator;
use crate::frame::{ContactFrame, Frame, ReactionFrame, StageFrame, Timings};
use crate::report::StepReport;

impl Simulator {
    /// Everything a recording keeps of the present moment, but for acts and pulls of hands, which it leaves as they are.
    /// Wall times and reactions are kept where `timings` and `reactions` are there to be filled in. Nothing of the simulation changes; sensors are read.
    pub fn frame(&mut self, report: Option<&StepReport>, frame: &mut Frame) {
        frame.time = self.time;
        frame.hash = self.state_hash();
        frame.energy = self.energy();
        frame.penetration = self.penetration;
        frame.loop_gap = report.map_or(0.0, |r| r.loop_gap);
        let solve = report.and_then(|r| r.solve);
        frame.residual = solve.map_or(0.0, |s| s.residual.natural);
        frame.pivots = solve.map_or(0, |s| u32::try_from(s.pivots).unwrap_or(u32::MAX));
        frame.status = solve.map_or(5, |s| s.status as u8);
        frame.fallback = solve.map_or(0, |s| s.fallback as u8);
        frame.bodies.clear();
        frame.bodies.extend((1..self.model.n_links()).map(|k| self.body(LinkId(k))));
        frame.contacts.clear();
        frame.contacts.extend(self.contacts.iter().map(|c| ContactFrame {
            a: u32::try_from(c.a.0).unwrap_or(u32::MAX),
            b: u32::try_from(c.b.0).unwrap_or(u32::MAX),
            id: c.id,
            point: c.point.into(),
            normal: c.normal.into(),
            gap: c.gap,
            force: c.force.into(),
            mode: c.mode,
            friction: Some(c.material.friction),
            slip: Some(c.slip.into()),
        }));
        frame.joint_forces.clone_from(&self.forces.joints);
        frame.q.clone_from(&self.state.q);
        frame.v.clone_from(&self.state.v);
        self.read_sensors(&mut frame.sensors);
        frame.stages.clear();
        if solve.is_some() {
            by_stage(self.stages(), frame.timings.is_some(), &mut frame.stages);
        }
        if let Some(reactions) = &mut frame.reactions {
            *reactions = self.reaction_frame();
        }
        if let Some(timings) = &mut frame.timings {
            let zero = Timings::default();
            *timings =
                report.map_or(zero, |r| Timings { collision: r.collision_seconds, solver: r.solver_seconds });
        }
    }

    fn reaction_frame(&mut self) -> ReactionFrame {
        let r = self.reactions();
        let wrench = |f: &Force| {
            let [force, moment]: [[f64; 3]; 2] = [f.linear.into(), f.angular.into()];
            [force[0], force[1], force[2], moment[0], moment[1], moment[2]]
        };
        let w = &r.work;
        ReactionFrame {
            joints: r.joints.iter().skip(1).map(wrench).collect(),
            loops: r.loops.iter().map(wrench).collect(),
            power: [w.motors, w.pushes, w.friction, w.impacts, w.joints].map(|x| x / self.settings.dt),
            motors: r.motors,
            limits: r.limits,
        }
    }

    /// The readings of all sensors, one after another. Unlike [`Simulator::sense`] this changes nothing where the state was set
    /// by hand since the last step.
    pub fn read_sensors(&mut self, out: &mut Vec<f64>) {
        out.clear();
        if self.equipment().sensors.is_empty() {
            return;
        }
        if self.stepped {
            out.extend_from_slice(self.sense());
        } else {
            // it would forget the contacts
            out.extend_from_slice(self.clone().sense());
        }
    }

    /// What the stages of the last solve did, by stage in the order they were first tried; nothing if nothing was to solve.
    pub fn stages_by_name(&self, report: Option<&StepReport>) -> Vec<StageFrame> {
        let mut out = Vec::new();
        if report.is_some_and(|r| r.solve.is_some()) {
            by_stage(self.stages(), true, &mut out);
        }
        out
    }
}

fn by_stage(reports: &[StageReport], timed: bool, out: &mut Vec<StageFrame>) {
    for r in reports {
        let stage = r.stage as u8;
        let k = out.iter().position(|s| s.stage == stage).unwrap_or_else(|| {
            out.push(StageFrame { stage, before: r.before, ..StageFrame::default() });
            out.len() - 1
        });
        let own = &mut out[k];
        own.won |= r.won;
        own.runs = own.runs.saturating_add(1);
        let spent = u32::try_from(r.factorisations).unwrap_or(u32::MAX);
        own.factorisations = own.factorisations.saturating_add(spent);
        own.after = r.after;
        own.seconds += if timed { r.seconds } else { 0.0 };
    }
}

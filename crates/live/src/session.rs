//! A simulation under hands: acts done and taped, forces of hands in every step, and the way back.
//!
//! The ring keeps a snapshot every thirtieth of a simulated second, or every sixteenth step where these are longer. To go back to any step of the last while is to
//! restore the snapshot before it and to do the steps and acts since then again: the same bits, for nothing else
//! enters a step.

use std::collections::VecDeque;
use std::sync::Arc;

use gudgeon_lcp::Interrupt;
use gudgeon_multibody::State;
use gudgeon_sim::{Clock, Controller, Scene, Simulator, StepError, StepReport};
use gudgeon_spatial::{Force, Vector3};

use crate::act::Act;
use crate::edit::{control, dof_error, edited, link, place};
use crate::fields::WireError;
use crate::hands::{Hands, Pull};
use crate::tape::{Mark, Tape};

/// Simulated seconds from snapshot to snapshot, and steps: where steps are long, a snapshot costs a tenth of one, and this many
/// are soon done again.
const SPACING: f64 = 1.0 / 30.0;
/// See [`SPACING`].
const STEPS: u64 = 16;
/// How far back one can go, in simulated seconds.
const SPAN: f64 = 20.0;
/// Snapshots are kept up to about this many bytes.
const MOST: usize = 256 << 20;

/// A moment to come back to.
#[derive(Debug, Clone)]
struct Moment {
    steps: u64,
    time: f64,
    snapshot: Vec<u8>,
    dt: f64,
    clock: Clock,
    scene: Arc<Scene>,
    hands: Hands,
    controllers: Arc<[Controller]>, // a snapshot has neither targets nor clock
    external: Vec<Force>,
    mark: Mark,
}

/// A simulation under hands. The simulator is its owner's, and handed in.
#[derive(Debug, Clone)]
pub struct Session {
    scene: Arc<Scene>,
    version: u64,
    hands: Hands,
    pulls: Vec<Pull>,
    coming: Option<Vec<Pull>>, // what hands will do in the next step, where something changed since the last
    ring: VecDeque<Moment>,
    bytes: usize,
    external: Vec<Force>,
    /// What happened.
    pub tape: Tape,
    /// Whether the simulator must stay the same object, so that no body can be added.
    pub fixed: bool,
}

impl Session {
    /// A session on a simulator of this scene.
    pub fn new(scene: &Arc<Scene>, sim: &Simulator) -> Self {
        let mut session = Self {
            scene: Arc::clone(scene),
            version: 0,
            hands: Hands::default(),
            pulls: Vec::new(),
            coming: None,
            ring: VecDeque::new(),
            bytes: 0,
            external: Vec::new(),
            tape: Tape::default(),
            fixed: false,
        };
        session.remember(sim);
        session
    }

    /// The scene with its edits.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Changes when bodies come or go.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What hands did in the last step.
    pub fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// The forces of hands as a page shows them: of the coming step where an act was done since the last, else of the last.
    pub fn shown_pulls(&self) -> &[Pull] {
        self.coming.as_ref().unwrap_or(&self.pulls)
    }

    /// The hands.
    pub fn hands(&self) -> &Hands {
        &self.hands
    }

    /// First step that one can go back to, and its time.
    pub fn earliest(&self) -> (u64, f64) {
        self.ring.front().map_or((0, 0.0), |m| (m.steps, m.time))
    }

    /// Begins to keep frames, this one first.
    pub fn record(&mut self, sim: &mut Simulator, report: Option<&StepReport>) {
        self.tape.rolling = true;
        self.tape.trouble = None;
        self.tape.keep(sim, report, &self.pulls, &self.scene);
    }

    /// Does what a hand asks for, and tapes it; on an error nothing changes.
    pub fn act(&mut self, sim: &mut Simulator, act: &Act) -> Result<(), WireError> {
        self.perform(sim, act)?;
        self.tape.events.push((sim.steps(), act.clone()));
        self.foresee(sim);
        Ok(())
    }

    /// The forces that the coming step begins with, from the present state: what it will do with them.
    fn foresee(&mut self, sim: &Simulator) {
        let mut coming = Vec::new();
        self.external.clear();
        self.external.resize(sim.model().n_links(), Force::zero());
        self.hands.clone().act(sim, &mut self.external, &mut coming);
        self.coming = Some(coming);
    }

    fn perform(&mut self, sim: &mut Simulator, act: &Act) -> Result<(), WireError> {
        let still = |body: usize| WireError::Scene(format!("nothing can move body {body}"));
        match act {
            Act::Grab { body, point, target, gain } => {
                let link = link(&self.scene, *body, false)?;
                let [point, target] = [point, target].map(|v| Vector3::from(*v));
                if !self.hands.grab(sim, link, point, target, *gain) {
                    return Err(still(*body));
                }
            }
            Act::Drag { target } => {
                if !self.hands.drag(Vector3::from(*target)) {
                    return Err(WireError::Scene("nothing is held".into()));
                }
            }
            Act::Release => self.hands.release(),
            Act::Push { body, point, force, seconds } => {
                let link = link(&self.scene, *body, false)?;
                self.hands.push(sim, link, Vector3::from(*point), Vector3::from(*force), *seconds);
            }
            Act::Pin { body, on } => {
                let link = link(&self.scene, *body, false)?;
                if !on {
                    self.hands.unpin(link);
                } else if !self.hands.pin(sim, link) {
                    return Err(still(*body));
                }
            }
            Act::Control { index, values } => control(sim, *index, values)?,
            Act::Joint { dof, force } => {
                let n = sim.control.len();
                *sim.control.get_mut(*dof).ok_or_else(|| dof_error(*dof, n))? = *force;
            }
            Act::Place { dof, value } => place(sim, *dof, *value)?,
            Act::State { q, v } => {
                let (nq, nv) = (sim.model().n_q(), sim.model().n_v());
                if (q.len(), v.len()) != (nq, nv) {
                    let found = format!("{} and {} numbers", q.len(), v.len());
                    return Err(WireError::field("state", found, format!("{nq} and {nv}")));
                }
                sim.set_state(&State { q: q.clone(), v: v.clone() });
            }
            Act::Friction { .. }
            | Act::Gravity { .. }
            | Act::Dt { .. }
            | Act::Mass { .. }
            | Act::Add { .. } => self.edit(sim, act)?,
        }
        Ok(())
    }

    fn edit(&mut self, sim: &mut Simulator, act: &Act) -> Result<(), WireError> {
        let adds = matches!(act, Act::Add { .. });
        if adds && self.fixed {
            return Err(WireError::Scene("bodies cannot be added to a simulation that a script owns".into()));
        }
        let scene = edited(&self.scene, act)?;
        if adds {
            *sim = sim.grown(&scene).map_err(|e| WireError::Scene(e.to_string()))?;
            self.version += 1;
        } else {
            sim.take_numbers_of(&scene);
            sim.settings.dt = scene.settings.dt;
            self.hands.restep(sim);
        }
        self.scene = Arc::new(scene);
        Ok(())
    }

    /// One step, with the forces of hands on top of the caller's own.
    pub fn step(&mut self, sim: &mut Simulator) -> Result<StepReport, StepError> {
        let report = self.push_and_step(sim)?;
        self.keep(sim, &report);
        Ok(report)
    }

    /// One step, or none if the flag is raised meanwhile: then everything is as it was before it, to the bit.
    pub fn step_unless(
        &mut self,
        sim: &mut Simulator,
        flag: Interrupt,
    ) -> Result<Option<StepReport>, WireError> {
        let (before, pulls) = (self.moment(sim), self.pulls.clone());
        let own = sim.settings.interrupt.replace(flag);
        let report = self.push_and_step(sim);
        sim.settings.interrupt = own;
        if flag.is_raised() {
            self.restore(sim, &before)?;
            self.pulls = pulls;
            return Ok(None);
        }
        let report = report.map_err(|e| WireError::Scene(e.to_string()))?;
        self.keep(sim, &report);
        Ok(Some(report))
    }

    fn keep(&mut self, sim: &mut Simulator, report: &StepReport) {
        self.tape.keep(sim, Some(report), &self.pulls, &self.scene);
        let late = |m: &Moment| sim.time() - m.time >= SPACING && sim.steps() >= m.steps + STEPS;
        if self.ring.back().is_none_or(late) {
            self.remember(sim);
        }
    }

    fn push_and_step(&mut self, sim: &mut Simulator) -> Result<StepReport, StepError> {
        self.coming = None;
        if self.hands.idle() {
            self.pulls.clear();
            return sim.step();
        }
        self.external.clear();
        self.external.extend_from_slice(&sim.external);
        self.external.resize(sim.model().n_links(), Force::zero());
        self.hands.act(sim, &mut self.external, &mut self.pulls);
        std::mem::swap(&mut sim.external, &mut self.external);
        let report = sim.step();
        std::mem::swap(&mut sim.external, &mut self.external);
        report
    }

    /// The present moment, to come back to.
    fn moment(&self, sim: &Simulator) -> Moment {
        // motions are long, and mostly those of the moment before
        let same = self.ring.back().filter(|m| *m.controllers == *sim.controllers());
        let controllers = same.map_or_else(|| sim.controllers().into(), |m| Arc::clone(&m.controllers));
        Moment {
            steps: sim.steps(),
            time: sim.time(),
            snapshot: sim.snapshot(),
            dt: sim.settings.dt,
            clock: sim.clock(),
            scene: Arc::clone(&self.scene),
            hands: self.hands.clone(),
            controllers,
            external: sim.external.clone(),
            mark: self.tape.mark(),
        }
    }

    /// Keeps the present moment.
    fn remember(&mut self, sim: &Simulator) {
        let moment = self.moment(sim);
        self.bytes += moment.snapshot.len();
        self.ring.push_back(moment);
        while self.ring.len() > 1
            && (self.bytes > MOST || self.ring.front().is_some_and(|m| m.time < sim.time() - SPAN))
        {
            self.bytes -= self.ring.pop_front().map_or(0, |m| m.snapshot.len());
        }
    }

    /// Goes back to a step of the last while; what happened after it is forgotten.
    pub fn back(&mut self, sim: &mut Simulator, step: u64) -> Result<(), WireError> {
        let k = self.ring.partition_point(|m| m.steps <= step);
        if k == 0 || step > sim.steps() {
            let (first, last) = (self.earliest().0, sim.steps());
            return Err(WireError::field("to", step, format!("a step from {first} to {last}")));
        }
        for m in self.ring.drain(k..) {
            self.bytes -= m.snapshot.len();
        }
        let moment = self.ring[k - 1].clone();
        self.restore(sim, &moment)?;
        let again = self.tape.cut(moment.mark);
        let mut due = again.into_iter().peekable();
        while sim.steps() < step {
            while let Some((_, act)) = due.next_if(|(at, _)| *at <= sim.steps()) {
                self.act(sim, &act)?;
            }
            let _ = self.step(sim).map_err(|e| WireError::Scene(e.to_string()))?;
        }
        Ok(())
    }

    fn restore(&mut self, sim: &mut Simulator, moment: &Moment) -> Result<(), WireError> {
        let failed = |e: &dyn std::fmt::Display| WireError::Scene(e.to_string());
        let same = moment.scene.model.n_links() == sim.model().n_links();
        if !same {
            let settings = sim.settings.clone();
            *sim = Simulator::new(&moment.scene).map_err(|e| failed(&e))?;
            sim.settings = settings;
            self.version += 1;
        } else if !Arc::ptr_eq(&moment.scene, &self.scene) {
            sim.take_numbers_of(&moment.scene);
        }
        sim.settings.dt = moment.dt;
        sim.restore(&moment.snapshot).map_err(|e| failed(&e))?;
        sim.set_clock(moment.clock);
        for (index, controller) in moment.controllers.iter().enumerate() {
            if let Some(own) = sim.controller_mut(index) {
                own.clone_from(controller);
            }
        }
        sim.external.clone_from(&moment.external);
        self.scene = Arc::clone(&moment.scene);
        self.hands.clone_from(&moment.hands);
        self.pulls.clear();
        self.coming = None;
        Ok(())
    }

    /// Begins again from the start of the scene, its edits kept.
    pub fn reset(&mut self, sim: &mut Simulator) -> Result<(), WireError> {
        let failed = |e: &dyn std::fmt::Display| WireError::Scene(e.to_string());
        let fresh = Simulator::new(&self.scene).map_err(|e| failed(&e))?;
        sim.restore(&fresh.snapshot()).map_err(|e| failed(&e))?;
        for (index, controller) in self.scene.controllers.iter().enumerate() {
            if let Some(own) = sim.controller_mut(index) {
                own.clone_from(controller);
            }
        }
        sim.external.clear();
        self.hands.clear();
        self.pulls.clear();
        self.coming = None;
        self.ring.clear();
        self.bytes = 0;
        self.tape.restart(&self.scene);
        self.remember(sim);
        self.tape.keep(sim, None, &[], &self.scene);
        Ok(())
    }
}

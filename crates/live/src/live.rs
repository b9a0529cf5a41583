//! A simulation with pages that look at it: the clock, the orders of pages, and what they are shown.
//!
//! ```text
//!     orders → acts → steps as the clock allows → a frame, at most sixty a second → wait for the next step or order
//! ```
//! The clock ties simulated time to real time by a speed. A simulation that cannot keep up falls behind and says so by
//! its real-time factor; it never leaps to catch up.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use gudgeon_replay::{HtmlOptions, live_html};
use gudgeon_sim::{Frame, Recording, Scene, Simulator, recording_header};

use crate::act::Act;
use crate::command::Command;
use crate::describe::{Keyframe, Pulse, keyframes, pulse, settings};
use crate::fields::WireError;
use crate::http::Guard;
use crate::scene_text::scene_text;
use crate::server::{Listen, NONCE, accept, secret, wake};
use crate::session::Session;
use crate::shared::{Order, Shared};
use crate::wire::{Beat, Extras, encode, joint_dofs};

/// From frame to frame of a page.
pub(crate) const FRAME: Duration = Duration::from_micros(16_600);
/// From word to word about how it goes.
const PULSE: Duration = Duration::from_millis(200);
/// Orders that wait.
const ORDERS: usize = 4096;

/// How a live simulation begins.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Where to listen.
    pub listen: Listen,
    /// Waits to be started.
    pub paused: bool,
    /// Keeps frames from the start.
    pub record: bool,
    /// Keeps them in this file, as they come.
    pub file: Option<PathBuf>,
    /// Simulated seconds per second; 0 is as fast as it can.
    pub speed: Option<f64>,
    /// How long the clock waits for a page to show the beginning: nobody misses it, and the page has the machine to itself
    /// until then.
    pub patience: Duration,
    /// States to go to by name, besides those of the scene.
    pub keyframes: Vec<Keyframe>,
    /// Somebody else takes the steps: pages look and pull, and have no clock.
    pub passive: bool,
    /// The simulator must stay the same object: bodies cannot be added.
    pub fixed: bool,
}

/// A simulation with pages.
#[expect(clippy::struct_excessive_bools, reason = "each says something else of the moment")]
pub struct Live {
    pub(crate) session: Session,
    pub(crate) shared: Arc<Shared>,
    inbox: Receiver<Order>,
    at: SocketAddr,
    token: String,
    keyframes: Vec<Keyframe>,
    passive: bool,
    base: usize, // links that the page knows from the start
    pub(crate) running: bool,
    pub(crate) speed: f64,
    pub(crate) anchor: (Instant, f64), // a moment of both clocks
    pub(crate) waits: Option<Instant>, // until when the clock waits for a page
    pub(crate) due: u64,               // single steps asked for
    pub(crate) beat: Beat,
    joints: Vec<usize>,
    shown: Option<Instant>,
    answered: Option<Instant>, // the last frame that answered an order
    pulsed: Option<Instant>,
    window: (Instant, f64), // of the real-time factor
    pub(crate) trouble: Option<String>,
    pub(crate) changed: bool, // something to show while the clock stands
    urgent: bool,             // something that a page asked for and waits to see
    readings: Vec<f64>,
    pub(crate) slow: f64,    // how long steps take at the moment, s
    pub(crate) undone: bool, // the step before was given up for an order, and is to be done now
}

impl Live {
    /// Begins to listen. Nothing is taken of the simulator but its look.
    pub fn open(scene: &Scene, sim: &mut Simulator, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((options.listen.address, options.listen.port))?;
        let at = listener.local_addr()?;
        let token = secret()?;
        let (sender, inbox) = sync_channel(ORDERS);
        let page = page(scene, sim, options.passive);
        let shared = Arc::new(Shared::new(Guard::new(at, &token, &options.listen.names), page, sender));
        let own = Arc::clone(&shared);
        thread::Builder::new().name("gudgeon-live".into()).spawn(move || accept(&listener, &own))?;
        let mut session = Session::new(&Arc::new(scene.clone()), sim);
        session.fixed = options.fixed;
        if let Some(path) = &options.file {
            session.tape.write_to(path, scene)?;
        }
        if options.record || options.file.is_some() {
            session.record(sim, None);
        }
        let now = Instant::now();
        let mut live = Self {
            session,
            shared,
            inbox,
            at,
            token,
            keyframes: keyframes(scene).into_iter().chain(options.keyframes).collect(),
            passive: options.passive,
            base: sim.model().n_links(),
            running: !options.paused,
            speed: options.speed.unwrap_or(1.0),
            anchor: (now, sim.time()),
            waits: Some(now + options.patience),
            due: 0,
            beat: Beat::default(),
            joints: joint_dofs(sim),
            shown: None,
            answered: None,
            pulsed: None,
            window: (now, sim.time()),
            trouble: None,
            changed: true,
            urgent: false,
            readings: Vec::new(),
            slow: 0.0,
            undone: false,
        };
        live.tell_settings(sim);
        Ok(live)
    }

    /// The address to open, with its token.
    pub fn address(&self) -> String {
        let ip = self.at.ip();
        let host = if ip.is_unspecified() { "localhost".to_owned() } else { ip.to_string() };
        let host = if self.at.is_ipv6() && !ip.is_unspecified() { format!("[{host}]") } else { host };
        format!("http://{host}:{}/?token={}", self.at.port(), self.token)
    }

    /// Lets notebooks of this machine show the page in a frame.
    pub fn allow_notebooks(&self) {
        self.shared.allow_notebooks();
    }

    /// Pages that look.
    pub fn pages(&self) -> usize {
        self.shared.pages()
    }

    /// What happened so far.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The run so far as a recording that [`crate::replay`] does again.
    pub fn recording(&self) -> io::Result<Recording> {
        self.session.tape.recording(self.session.scene())
    }

    /// Begins to keep frames.
    pub fn record(&mut self, sim: &mut Simulator) {
        self.session.record(sim, self.beat.report.as_ref());
    }

    /// Runs until told to stop. `before` is called before every step: a controller.
    pub fn run(
        &mut self,
        sim: &mut Simulator,
        mut before: impl FnMut(&mut Simulator),
        stop: impl Fn() -> bool,
    ) {
        while !stop() {
            // before orders are looked at: what comes after them raises it again
            self.shared.hurry.lower();
            self.poll(sim);
            // what a page asked for is not shown a step later: that may take long
            if self.urgent {
                self.publish(sim);
            }
            let wait = self.turn(sim, &mut before);
            if !self.undone {
                self.publish(sim);
            }
            match self.inbox.recv_timeout(wait.min(FRAME)) {
                Ok(order) => self.obey(sim, order),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    /// Does what pages have asked for.
    pub fn poll(&mut self, sim: &mut Simulator) {
        while let Ok(order) = self.inbox.try_recv() {
            self.obey(sim, order);
        }
    }

    fn obey(&mut self, sim: &mut Simulator, order: Order) {
        match order {
            Order::Recording(sender) => {
                // whoever asked may have gone, and a file may be out of reach
                let _gone = self.recording().map(|r| sender.try_send(r));
            }
            Order::Scene(sender) => {
                let _gone = sender.try_send(scene_text(self.session.scene(), sim));
            }
            Order::Do { page, command } => {
                // a hand that moves is seen with the next frame, everything else at once
                self.urgent |= !matches!(command, Command::Act(Act::Drag { .. }));
                if let Err(error) = self.command(sim, command) {
                    self.shared.reply(page, error.to_string());
                }
                self.changed = true;
            }
        }
    }

    fn command(&mut self, sim: &mut Simulator, command: Command) -> Result<(), WireError> {
        let clock = !matches!(command, Command::Act(_) | Command::Record { .. } | Command::Keep { .. });
        if self.passive && clock {
            return Err(WireError::Scene("a script steps this simulation; its page looks and pulls".into()));
        }
        match command {
            Command::Act(act) => {
                self.session.act(sim, &act)?;
                if act.is_edit() || matches!(act, Act::Pin { .. } | Act::Control { .. } | Act::Joint { .. }) {
                    self.tell_settings(sim);
                }
                if matches!(act, Act::Dt { .. }) {
                    self.anchor = (Instant::now(), sim.time());
                }
            }
            Command::Run => {
                self.running = true;
                self.trouble = None;
                self.anchor = (Instant::now(), sim.time());
            }
            Command::Pause => (self.running, self.due) = (false, 0),
            Command::Step { n } => {
                self.running = false;
                self.due = (self.due + n).min(10_000);
            }
            Command::Back { to } => {
                let went = self.session.back(sim, to);
                self.jumped(sim);
                went?;
            }
            Command::Reset => {
                let went = self.session.reset(sim);
                self.jumped(sim);
                went?;
            }
            Command::Speed { x } => {
                self.speed = x;
                self.anchor = (Instant::now(), sim.time());
            }
            Command::Record { on: true } => self.record(sim),
            Command::Record { on: false } => self.session.tape.rolling = false,
            Command::Keep { name } => {
                let state = sim.state();
                self.keyframes.push(Keyframe {
                    name,
                    q: state.q.clone(),
                    v: state.v.clone(),
                    controls: Vec::new(),
                });
                self.tell_settings(sim);
            }
            Command::Go { index } => self.go(sim, index)?,
            Command::Take | Command::Ack { .. } => {}
        }
        Ok(())
    }

    fn go(&mut self, sim: &mut Simulator, index: usize) -> Result<(), WireError> {
        let n = self.keyframes.len();
        let wrong = || WireError::field("index", index, format!("a number below {n}"));
        let Keyframe { mut q, mut v, controls, .. } = self.keyframes.get(index).ok_or_else(wrong)?.clone();
        // bodies added since then stay where they are
        let state = sim.state();
        q.extend_from_slice(state.q.get(q.len()..).unwrap_or_default());
        v.extend_from_slice(state.v.get(v.len()..).unwrap_or_default());
        self.session.act(sim, &Act::State { q, v })?;
        for (index, control) in controls {
            self.session.act(sim, &Act::Control { index, values: vec![control] })?;
        }
        self.tell_settings(sim);
        Ok(())
    }

    /// After time went otherwise than by a step.
    fn jumped(&mut self, sim: &Simulator) {
        self.anchor = (Instant::now(), sim.time());
        self.window = self.anchor;
        self.beat.report = None;
        self.trouble = None;
        (self.due, self.undone) = (0, false);
        self.tell_settings(sim);
    }

    fn tell_settings(&mut self, sim: &Simulator) {
        self.joints = joint_dofs(sim);
        let words = settings(sim, &self.session, &self.keyframes, self.base, self.passive);
        self.shared.set_settings(words.to_string());
    }

    /// Shows the present moment to the pages, if there are any and it is time to.
    pub fn publish(&mut self, sim: &mut Simulator) {
        let now = Instant::now();
        let late = |last: Option<Instant>, gap: Duration| last.is_none_or(|t| now.duration_since(t) >= gap);
        let due = late(self.shown, FRAME) || self.urgent && late(self.answered, FRAME);
        if !due || (self.shared.pages() == 0 && self.shown.is_some()) {
            return;
        }
        // a clock that stands shows the same moment again from time to time, for pages that come
        if self.running || self.passive || self.changed || late(self.shown, PULSE) {
            self.measure(sim, now);
            self.beat.seq = self.beat.seq.wrapping_add(1);
            self.beat.version = u32::try_from(self.session.version()).unwrap_or(u32::MAX);
            (self.beat.running, self.beat.recording) = (self.running, self.session.tape.rolling);
            self.beat.urgent = self.urgent;
            sim.read_sensors(&mut self.readings);
            let extras = Extras {
                pulls: self.session.shown_pulls(),
                joints: &self.joints,
                stages: &sim.stages_by_name(self.beat.report.as_ref()),
                readings: &self.readings,
            };
            self.shared.publish(encode(sim, &self.beat, &extras));
            self.shown = Some(now);
            if self.urgent {
                self.answered = Some(now);
            }
            (self.changed, self.urgent) = (false, false);
        }
        if late(self.pulsed, PULSE) {
            self.pulsed = Some(now);
            let words = Pulse {
                running: self.running,
                speed: self.speed,
                report: self.beat.report.as_ref(),
                trouble: self.trouble.as_deref().or(self.session.tape.trouble.as_deref()),
                pages: self.shared.pages(),
            };
            self.shared.set_pulse(pulse(&self.session, &words).to_string());
        }
    }

    fn measure(&mut self, sim: &Simulator, now: Instant) {
        let passed = now.duration_since(self.window.0).as_secs_f64();
        // half a second: long enough to be steady, short enough to follow
        if passed > 0.5 {
            self.beat.factor = (sim.time() - self.window.1) / passed;
            self.window = (now, sim.time());
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.close();
        wake(self.at);
    }
}

/// The player's page with the present moment in it, so that it shows something at once.
fn page(scene: &Scene, sim: &mut Simulator, passive: bool) -> String {
    let mut frame = Frame::default();
    sim.frame(None, &mut frame);
    let mut header = recording_header(scene, 1);
    header["passive"] = passive.into();
    live_html(&Recording { header, frames: vec![frame] }, &HtmlOptions::default(), NONCE)
}

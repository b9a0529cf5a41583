//! The files a run writes, and its summary for people.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gudgeon_contact::tangents;
use gudgeon_sim::{
    Frame, Recording, Scene, Simulator, Summary, recording_header, write_end, write_frame, write_header,
};

use super::SimArgs;
use super::checkpoint::{Files, Written};

/// A file with its name, so that errors can say it, and what is in it.
pub(super) struct Sink {
    path: PathBuf,
    file: BufWriter<File>,
    written: Written,
}

impl Sink {
    /// A new file, or the one of a run that goes on.
    pub(super) fn open(path: &Path, before: Option<Written>) -> io::Result<Self> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let mut options = OpenOptions::new();
        if before.is_some() {
            options.append(true);
        } else {
            options.write(true).create(true).truncate(true);
        }
        let file = options.open(path).map_err(named)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), written: before.unwrap_or_default() })
    }

    /// Everything on the disk.
    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        match self.file.get_ref().sync_data() {
            // pipes and terminals have nothing to sync
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => Ok(()),
            other => other.map_err(|e| self.named(&e)),
        }
    }

    fn named(&self, e: &io::Error) -> io::Error {
        io::Error::new(e.kind(), format!("{}: {e}", self.path.display()))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes).map_err(|e| self.named(&e))?;
        self.written.length += n as u64;
        self.written.sum.add(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|e| self.named(&e))
    }
}

/// Every file of a run.
pub(crate) struct Outputs {
    trace: Option<Sink>,
    contacts: Option<Sink>,
    record: Option<Sink>,
    html: Option<(PathBuf, Recording)>,
    html_every: u64,
    frames: u64,
    buffer: Vec<u8>,
}

const TRACE: &str = "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
const CONTACTS: &str = "time,body_a,body_b,px,py,pz,nx,ny,nz,gap,fn,ft1,ft2,mode,t1x,t1y,t1z,t2x,t2y,t2z";

impl Outputs {
    /// The files that are asked for; those in `before` go on.
    pub(crate) fn open(args: &SimArgs, scene: &Scene, before: &Files) -> io::Result<Self> {
        let open =
            |path: &Option<PathBuf>, k: usize| path.as_ref().map(|p| Sink::open(p, before[k])).transpose();
        let every = usize::try_from(args.every).unwrap_or(usize::MAX);
        let mut outputs = Self {
            trace: open(&args.trace, 0)?,
            contacts: open(&args.contacts, 1)?,
            record: open(&args.record, 2)?,
            html: None,
            html_every: frames_per_picture(scene.settings.dt * args.every as f64),
            frames: 0,
            buffer: Vec::new(),
        };
        if let Some(path) = &args.html {
            // an unwritable place is better known before the run than after it
            drop(Sink::open(path, None)?);
            let header = recording_header(
                scene,
                every.saturating_mul(usize::try_from(outputs.html_every).unwrap_or(1)),
            );
            outputs.html = Some((path.clone(), Recording { header, frames: Vec::new() }));
        }
        // a file that the run before the checkpoint did not have begins here
        if let Some(trace) = outputs.trace.as_mut().filter(|_| before[0].is_none()) {
            writeln!(trace, "{TRACE}")?;
        }
        if let Some(contacts) = outputs.contacts.as_mut().filter(|_| before[1].is_none()) {
            writeln!(contacts, "{CONTACTS}")?;
        }
        if let Some(record) = outputs.record.as_mut().filter(|_| before[2].is_none()) {
            write_header(record, &recording_header(scene, every))?;
        }
        Ok(outputs)
    }

    /// Writes one moment to everything that is open.
    pub(crate) fn write(&mut self, sim: &Simulator, frame: &Frame) -> io::Result<()> {
        let links = sim.model().links();
        if let Some(out) = &mut self.trace {
            for (body, link) in frame.bodies.iter().zip(&links[1..]) {
                write!(out, "{},{}", frame.time, field(&link.name))?;
                let parts = [&body.position[..], &body.orientation, &body.velocity, &body.angular_velocity];
                for x in parts.into_iter().flatten() {
                    write!(out, ",{x}")?;
                }
                writeln!(out)?;
            }
        }
        if let Some(out) = &mut self.contacts {
            for c in sim.contacts() {
                let [t1, t2] = tangents(&c.normal);
                let (a, b) = (field(&links[c.a.0].name), field(&links[c.b.0].name));
                write!(out, "{},{a},{b}", frame.time)?;
                for x in c.point.iter().chain(c.normal.iter()) {
                    write!(out, ",{x}")?;
                }
                let [n, f1, f2] = [c.normal, t1, t2].map(|d| d.dot(&c.force));
                write!(out, ",{},{n},{f1},{f2},{}", c.gap, c.mode.name())?;
                for x in t1.iter().chain(t2.iter()) {
                    write!(out, ",{x}")?;
                }
                writeln!(out)?;
            }
        }
        if let Some(out) = &mut self.record {
            write_frame(out, frame, &mut self.buffer)?;
        }
        if let Some((_, recording)) = &mut self.html
            && self.frames.is_multiple_of(self.html_every)
        {
            recording.frames.push(frame.clone());
        }
        self.frames += 1;
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        [&mut self.trace, &mut self.contacts, &mut self.record]
            .into_iter()
            .flatten()
            .try_for_each(Write::flush)
    }

    /// Everything on the disk.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        [&mut self.trace, &mut self.contacts, &mut self.record].into_iter().flatten().try_for_each(Sink::sync)
    }

    /// What is in the trace, the contacts and the recording.
    pub(crate) fn written(&self) -> Files {
        [&self.trace, &self.contacts, &self.record].map(|s| s.as_ref().map(|s| s.written))
    }

    /// Writes what is only known at the end; a run that goes on from its checkpoint takes the end of the recording off again.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.record {
            write_end(out)?;
        }
        self.flush()?;
        if let Some((path, recording)) = self.html.take() {
            let page = gudgeon_replay::html(&recording, &gudgeon_replay::HtmlOptions::default());
            let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
            std::fs::write(&path, page).map_err(named)?;
        }
        Ok(())
    }
}

/// Frames between two pictures of a player that shows sixty a second.
fn frames_per_picture(seconds: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least one")]
    let n = (1.0 / (60.0 * seconds)).floor().max(1.0) as u64;
    n
}

/// A name as a field of CSV.
pub(super) fn field(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    } else {
        name.into()
    }
}

/// What is odd about a run though its solves may be exact.
fn write_warnings(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    if summary.unrecovered() > 0 {
        writeln!(
            out,
            "            {} steps did not undo their overlap as they should: where it is meant (a preload), give the surfaces a stiffness; else move \
             bodies apart",
            summary.unrecovered()
        )?;
    }
    if summary.held() > 0 {
        writeln!(
            out,
            "            {} steps had no motion that keeps bodies apart, and were held: bodies are squeezed, or a motor without `effort` drives \
             them against each other; give the surfaces a stiffness, or the motor an effort",
            summary.held()
        )?;
    }
    if summary.deepened() > 0 {
        writeln!(
            out,
            "            {} steps led deeper into overlap, by more than a hundredth of a body: try a shorter step",
            summary.deepened()
        )?;
    }
    if summary.curbed() > 0 {
        writeln!(
            out,
            "            {} steps would have made energy, and were cut short: light links swing faster than the step resolves; try a shorter one",
            summary.curbed()
        )?;
    }
    Ok(())
}

/// The summary for people.
pub(crate) fn print_summary(
    summary: &Summary,
    scene: &Scene,
    sim: &Simulator,
    out: &mut impl Write,
) -> io::Result<()> {
    let json = summary.to_json(&scene.name, sim);
    let [median, p99, max] = summary.percentiles();
    let [contacts, active, pivots] = summary.means();
    let [mean, collision, solver] = summary.mean_micros();
    writeln!(
        out,
        "{}: {} steps of {} s, {} dofs",
        scene.name,
        summary.steps(),
        scene.settings.dt,
        sim.model().n_v()
    )?;
    writeln!(
        out,
        "  time      {median:.0} us per step (99 %: {p99:.0}, max {max:.0}); mean {mean:.0}, of which solver {solver:.0}, collision {collision:.0}"
    )?;
    writeln!(
        out,
        "  contacts  {contacts:.1} per step, {active:.1} active, {} at most",
        json["contacts"]["max"]
    )?;
    let solves = &json["solves"];
    writeln!(
        out,
        "  solves    {} of {} solved ({} ray, {} cycle, {} inaccurate, {} budget), {} by a fallback; {pivots:.2} pivots per step",
        solves["solved"],
        solves["total"],
        solves["ray"],
        solves["cycle"],
        solves["inaccurate"],
        solves["budget"],
        solves["fallback"]
    )?;
    write_warnings(summary, out)?;
    for (rung, n) in json["fallbacks"].as_object().into_iter().flatten().filter(|(_, n)| **n != 0) {
        writeln!(out, "            {n} by the rung '{rung}'")?;
    }
    write_stages(summary, &json["slowest_step"], out)?;
    writeln!(
        out,
        "  overlap   {:.2e} m at most; loops open by {:.2e} m at most",
        summary.max_penetration(),
        summary.max_loop_gap()
    )?;
    // what JSON has no number for is none
    let [start, end] = ["start", "end"].map(|at| json["energy"][at].as_f64().unwrap_or(f64::NAN));
    writeln!(out, "  energy    {start:.6} J at the start, {end:.6} J at the end")?;
    writeln!(out, "  state     {}", json["state_hash"].as_str().unwrap_or_default())
}

/// What each stage of the solver won, cost and took, and which step was the slowest.
fn write_stages(summary: &Summary, slowest: &serde_json::Value, out: &mut impl Write) -> io::Result<()> {
    let all: f64 = summary.stages().iter().map(|(_, total)| total.seconds).sum();
    for (k, (stage, total)) in summary.stages().iter().enumerate() {
        writeln!(
            out,
            "  {}{:14} {:5.1} % of the solver's time, {} tried, {} won, {} factorisations",
            if k == 0 { "stages    " } else { "          " },
            stage.name(),
            100.0 * total.seconds / all.max(f64::MIN_POSITIVE),
            total.runs,
            total.wins,
            total.factorisations
        )?;
    }
    writeln!(out, "  slowest   step {slowest}")
}

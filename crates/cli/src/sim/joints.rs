//! What joints and loops carried, step by step, and the balance of energy.

use std::io::{self, Write};

use gudgeon_sim::{Reactions, Simulator, Work, dof_names};
use serde_json::{Value, json};

use super::output::{Sink, field};

/// The columns of `--joints`. A joint has a line for each of its coordinates, with the force through it in every one; a fixed
/// joint has one line, and so has a loop. After them the energy (J, under position) and the works since the line before (J, and W
/// under velocity). Forces and moments are those on the child (of a loop, on b) in the joint's own frame.
pub(super) const COLUMNS: &str =
    "time,kind,name,position,velocity,motor,limit,friction,passive,fx,fy,fz,mx,my,mz";

/// What works are called.
const WORKS: [&str; 5] = ["motors", "pushes", "friction", "impacts", "joints"];

/// Sums and extremes of a run, and its file.
pub(super) struct JointLog {
    out: Option<Sink>,
    names: Vec<String>, // by dof
    work: Work,
    largest: Vec<f64>, // by dof: of motors
    last: Reactions,
    energy: f64,     // at the start
    shown: [f64; 5], // works since the last lines in the file, J
    waited: f64,     // and the time, s
}

impl JointLog {
    pub(super) fn new(out: Option<Sink>, sim: &Simulator) -> io::Result<Self> {
        let mut log = Self {
            out,
            names: dof_names(sim.model(), sim.equipment()),
            work: Work::default(),
            largest: vec![0.0; sim.model().n_v()],
            last: Reactions::default(),
            energy: sim.energy().iter().sum(),
            shown: [0.0; 5],
            waited: 0.0,
        };
        if let Some(out) = &mut log.out {
            writeln!(out, "{COLUMNS}")?;
        }
        Ok(log)
    }

    /// Takes the step that led here; `shown`: into the file as well.
    pub(super) fn step(&mut self, sim: &mut Simulator, shown: bool) -> io::Result<()> {
        let reactions = sim.reactions();
        let w = reactions.work;
        self.work = Work {
            motors: self.work.motors + w.motors,
            pushes: self.work.pushes + w.pushes,
            friction: self.work.friction + w.friction,
            impacts: self.work.impacts + w.impacts,
            joints: self.work.joints + w.joints,
        };
        for (most, force) in self.largest.iter_mut().zip(&reactions.motors) {
            *most = most.max(force.abs());
        }
        let parts = [w.motors, w.pushes, w.friction, w.impacts, w.joints];
        self.shown.iter_mut().zip(parts).for_each(|(sum, x)| *sum += x);
        self.waited += sim.settings.dt;
        if shown && let Some(out) = &mut self.out {
            lines(out, sim, &self.names, &reactions)?;
            let energy = sim.energy().iter().sum::<f64>();
            writeln!(out, "{},energy,all,{energy},,,,,,,,,,,", sim.time())?;
            for (name, work) in WORKS.iter().zip(&self.shown) {
                writeln!(out, "{},work,{name},{work},{},,,,,,,,,,", sim.time(), work / self.waited)?;
            }
            (self.shown, self.waited) = ([0.0; 5], 0.0);
        }
        self.last = reactions;
        Ok(())
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }

    /// Coordinates, speeds and forces at the end, largest motor forces, and the balance of energy.
    pub(super) fn to_json(&self, sim: &Simulator) -> [Value; 3] {
        let model = sim.model();
        let wrench = |force: [f64; 3], moment: [f64; 3]| json!([force, moment].concat());
        let joints: Vec<Value> = (0..model.n_v())
            .map(|k| {
                let r = &self.last;
                let position = model.dof_coordinate(k).map(|at| sim.state().q[at]);
                json!({
                    "joint": self.names[k], "position": position, "velocity": sim.state().v[k],
                    "motor": r.motors[k], "limit": r.limits[k], "friction": r.friction[k], "passive": r.passive[k],
                    "largest_motor": self.largest[k],
                    "wrench": r.joints.get(model.dof_link(k).0).map(|f| wrench(f.linear.into(), f.angular.into())),
                })
            })
            .collect();
        let names = model.loops().iter().map(|l| (&model.link(l.a).name, &model.link(l.b).name));
        let loops: Vec<Value> = names
            .zip(&self.last.loops)
            .map(|((a, b), f)| json!({"a": a, "b": b, "wrench": wrench(f.linear.into(), f.angular.into())}))
            .collect();
        let w = &self.work;
        let gained = sim.energy().iter().sum::<f64>() - self.energy;
        let balance = json!({
            "gained": gained, "motors": w.motors, "pushes": w.pushes, "friction": w.friction,
            "impacts": w.impacts, "joints": w.joints, "unexplained": gained - w.total(),
        });
        [Value::Array(joints), Value::Array(loops), balance]
    }

    /// The balance for people.
    pub(super) fn print(&self, sim: &Simulator, out: &mut impl Write) -> io::Result<()> {
        let gained = sim.energy().iter().sum::<f64>() - self.energy;
        let w = &self.work;
        writeln!(
            out,
            "  work      motors {:.6}, pushes {:.6}, friction {:.6}, impacts {:.6}, joints {:.6} J; {:.2e} J of the change unexplained",
            w.motors,
            w.pushes,
            w.friction,
            w.impacts,
            w.joints,
            gained - w.total()
        )
    }
}

fn lines(out: &mut Sink, sim: &Simulator, names: &[String], r: &Reactions) -> io::Result<()> {
    let model = sim.model();
    let (time, state) = (sim.time(), sim.state());
    for (k, link) in model.links().iter().enumerate().skip(1) {
        let f = &r.joints[k];
        let parts = f.linear.iter().chain(f.angular.iter());
        let wrench = parts.map(|x| format!(",{x}")).collect::<Vec<_>>().concat();
        if link.joint.n_v() == 0 {
            writeln!(out, "{time},joint,{},,,,,,{wrench}", field(&link.name))?;
        }
        for dof in link.v_range() {
            let position = model.dof_coordinate(dof).map_or(String::new(), |at| state.q[at].to_string());
            writeln!(
                out,
                "{time},joint,{},{position},{},{},{},{},{}{wrench}",
                field(&names[dof]),
                state.v[dof],
                r.motors[dof],
                r.limits[dof],
                r.friction[dof],
                r.passive[dof]
            )?;
        }
    }
    for (l, f) in model.loops().iter().zip(&r.loops) {
        let name = format!("{} - {}", model.link(l.a).name, model.link(l.b).name);
        write!(out, "{time},loop,{},,,,,,", field(&name))?;
        for x in f.linear.iter().chain(f.angular.iter()) {
            write!(out, ",{x}")?;
        }
        writeln!(out)?;
    }
    for (k, force) in r.couplings.iter().enumerate() {
        writeln!(out, "{time},coupling,{k},,,{force},,,,,,,,,")?;
    }
    Ok(())
}

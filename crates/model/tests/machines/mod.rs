//! Machines by contact: scenes of scenes/ with other numbers, held against theory. Shared with `--example machines`, which prints the
//! figures of all of them.

use std::f64::consts::TAU;
use std::path::PathBuf;

use gudgeon_model::{ImportReport, LoadOptions, load_scene_with};
use gudgeon_sim::{Scene, Simulator};
use gudgeon_spatial::Vector3;

/// What came out, what theory says, and how far apart they may be, as a part of theory.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub what: String,
    pub found: f64,
    pub theory: f64,
    /// Infinite for what is only told.
    pub bound: f64,
}

impl Figure {
    fn new(what: impl Into<String>, found: f64, theory: f64, bound: f64) -> Self {
        Self { what: what.into(), found, theory, bound }
    }

    /// In parts of theory.
    pub(crate) fn off(&self) -> f64 {
        (self.found / self.theory - 1.0).abs()
    }

    pub(crate) fn holds(&self) -> bool {
        self.off() <= self.bound
    }
}

/// A scene of scenes/ with other numbers.
fn load(name: &str, set: &[(&str, f64)]) -> (Scene, ImportReport) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"));
    let set = set.iter().map(|(k, v)| ((*k).to_owned(), format!("{v:?}"))).collect();
    load_scene_with(&path, &LoadOptions { set, ..LoadOptions::default() }).expect("a scene of ours")
}

/// A machine: its simulator, and what it has seen.
struct Machine {
    sim: Simulator,
    unsolved: usize,
}

impl Machine {
    fn new(name: &str, set: &[(&str, f64)]) -> Self {
        let (scene, _) = load(name, set);
        Self { sim: Simulator::new(&scene).expect("a scene that can start"), unsolved: 0 }
    }

    fn step(&mut self) {
        let report = self.sim.step().expect("a step");
        let solved = report.solve.is_none_or(|s| s.status == gudgeon_lcp::Status::Solved);
        self.unsolved += usize::from(!solved);
    }

    fn run(&mut self, seconds: f64) {
        let end = self.sim.time() + seconds - 0.5 * self.sim.settings.dt;
        while self.sim.time() < end {
            self.step();
        }
    }

    fn dof(&self, name: &str) -> usize {
        self.sim.model().link(self.sim.model().find(name).expect("a body")).v_start
    }

    fn q(&self, name: &str) -> f64 {
        let model = self.sim.model();
        self.sim.state().q[model.link(model.find(name).expect("a body")).q_start]
    }

    /// The mean of a motor's force over some seconds, N m or N.
    fn motor(&mut self, dof: usize, seconds: f64) -> f64 {
        let (end, mut sum, mut count) = (self.sim.time() + seconds - 0.5 * self.sim.settings.dt, 0.0, 0.0);
        while self.sim.time() < end {
            self.step();
            sum += self.sim.reactions().motors[dof];
            count += 1.0;
        }
        sum / count
    }
}

/// Whether the load turns a screw with this friction: told after the play is gone.
fn turns(pitch: f64, chords: f64, lean: f64, mu: f64, seconds: f64) -> Option<bool> {
    let set = [("pitch", pitch), ("chords", chords), ("lean", lean), ("mu", mu)];
    let mut machine = Machine::new("screw-thread", &set);
    machine.run(0.03);
    let before = machine.q("screw");
    machine.run(seconds);
    let moved = (machine.q("screw") - before).abs();
    // radians: a nanometre at the flank is rest, a micrometre is not
    if moved < 1e-7 { Some(false) } else { (moved > 1e-4).then_some(true) }
}

/// Locks and efficiency of a thread: pitch in m, lean of its flanks in rad. `seconds` of each trial.
pub(crate) fn thread(pitch: f64, chords: f64, lean: f64, seconds: f64) -> Vec<Figure> {
    let (radius, load, mu) = (0.01, 100.0, 0.1);
    let tan = pitch / (TAU * radius);
    let cos = (lean.tan() * tan.atan().cos()).atan().cos();
    let name = format!("pitch {:.0} mm, lean {:.1} deg, {chords} chords", 1e3 * pitch, lean.to_degrees());
    let limit = cos * tan;
    // a part of the limit: tried at 2 % to either side
    let part = 0.02;
    let below = turns(pitch, chords, lean, limit * (1.0 - part), seconds) == Some(true);
    let above = turns(pitch, chords, lean, limit * (1.0 + part), seconds) == Some(false);
    let decided = f64::from(u8::from(below) + u8::from(above));
    let set = [("pitch", pitch), ("chords", chords), ("lean", lean), ("mu", mu), ("effort", 10.0)];
    let mut machine = Machine::new("screw-thread", &set);
    machine.run(0.02);
    let (screw, dof) = (machine.q("screw"), machine.dof("screw"));
    let nut = machine.q("nut");
    let torque = machine.motor(dof, seconds);
    let (turned, lifted) = (machine.q("screw") - screw, machine.q("nut") - nut);
    let efficiency = load * lifted / (torque * turned);
    let theory = tan * (cos - mu * tan) / (cos * tan + mu);
    vec![
        Figure::new(format!("{name}: turns at 0.98, locked at 1.02 of {limit:.4}"), decided, 2.0, 0.0),
        Figure::new(format!("{name}: travel of the nut per turn, m"), -TAU * lifted / turned, pitch, 5e-3),
        Figure::new(format!("{name}: efficiency at friction 0.1"), efficiency, theory, 0.02),
        Figure::new(
            format!("{name}: steps not solved, plus one"),
            1.0 + machine.unsolved as f64,
            1.0,
            f64::INFINITY,
        ),
    ]
}

/// Travel per turn and efficiency of a ball screw with this friction.
fn lifted(mu: f64, seconds: f64) -> [f64; 2] {
    let mut machine = Machine::new("ball-screw", &[("mu", mu)]);
    machine.run(0.08);
    let (screw, nut) = (machine.q("screw"), machine.q("nut"));
    // the carriage trembles on its springs: energies, not forces
    let energy = |m: &Machine| m.sim.energy().iter().sum::<f64>();
    let (end, before, mut done) = (machine.sim.time() + seconds - 1e-6, energy(&machine), 0.0);
    while machine.sim.time() < end {
        machine.step();
        done += machine.sim.reactions().work.motors;
    }
    let gained = energy(&machine) - before;
    let (turned, lifted) = (machine.q("screw") - screw, machine.q("nut") - nut);
    [-TAU * lifted / turned, gained / done]
}

/// The efficiency of a ball that slips as little as it can between two helical grooves, c = pitch / 2 pi.
///
/// The ball touches screw and nut at opposite points, c ± r n. Turning, it moves the two by opposite velocities, so what both slip
/// together does not depend on how it turns: it is the part across n of 2 v - v_s - v_n, with v the ball's velocity along its helix, v_s and v_n
/// those of the grooves there. The lead is steeper at the screw's radius than at the nut's, so no v makes it zero. The slip is across the
/// groove, where friction carries a part of the load:
/// ```text
///     N (sin a + mu cos a) = W,      efficiency = 1 / (1 + mu N slip / (W c))     slip per radian of the screw
/// ```
fn least_slip(mu: f64) -> f64 {
    let (c, middle, ball, groove, play) = (5e-3 / TAU, 1e-2_f64, 1.5e-3_f64, 1.56e-3, 20e-6);
    let (sin, cos) = (c / middle).atan().sin_cos();
    let angle = ((groove - ball - 0.25 * play) / (groove - ball)).acos();
    // radial, around, along the axis; towards the screw
    let n = Vector3::new(-angle.cos(), -angle.sin() * sin, angle.sin() * cos);
    let of_screw = Vector3::z().cross(&(Vector3::x() * middle + n * ball));
    let across = |v: Vector3<f64>| v - n * n.dot(&v);
    let fixed = across(-2.0 * c * Vector3::z() - of_screw + c * Vector3::z());
    let along = across(2.0 * Vector3::new(0.0, middle, c));
    let slip = (fixed - along * (fixed.dot(&along) / along.norm_squared())).norm();
    1.0 / (1.0 + mu * slip / (c * (n.z + mu * angle.cos())))
}

/// Lifts and is driven back. Balls in helical grooves slip a little: 0.1 of friction takes some 3 %.
pub(crate) fn ball_screw(seconds: f64) -> Vec<Figure> {
    let pitch = 5e-3;
    let ([travel, efficiency], [_, rough]) = (lifted(0.02, seconds), lifted(0.1, seconds));
    let mut free = Machine::new("ball-screw", &[("effort", 0.0)]);
    free.run(0.1);
    let driven = free.sim.state().v[free.dof("screw")] > 0.1;
    vec![
        Figure::new("ball screw: travel of the nut per turn, m", travel, pitch, 0.01),
        Figure::new("ball screw: efficiency at friction 0.02", efficiency, least_slip(0.02), 0.01),
        Figure::new("ball screw: efficiency at friction 0.1", rough, least_slip(0.1), 0.01),
        Figure::new(
            "ball screw: driven back at friction 0.1 > tan(lead) 0.08",
            f64::from(u8::from(driven)),
            1.0,
            0.0,
        ),
    ]
}

/// Ratio, and the worm's torque at the friction given.
pub(crate) fn worm(mu: f64) -> Vec<Figure> {
    let (teeth, load, speed, radius) = (30.0, 3.0, 20.0, 0.01);
    let mut machine = Machine::new("worm-gear", &[("mu", mu)]);
    machine.run(0.03);
    let (worm, wheel, dof) = (machine.q("worm"), machine.q("wheel"), machine.dof("worm"));
    // a whole turn of the worm is a tooth of the wheel
    let torque = machine.motor(dof, TAU / speed);
    let ratio = (machine.q("worm") - worm) / (wheel - machine.q("wheel"));
    let tan = 0.1_f64;
    let cos = (20.0_f64.to_radians().tan() * tan.atan().cos()).atan().cos();
    let theory = load / 0.03 * radius * (cos * tan + mu) / (cos - mu * tan);
    vec![
        Figure::new("worm gear: ratio over a tooth", ratio, teeth, 0.01),
        Figure::new(format!("worm gear: torque at friction {mu}, N m"), torque, theory, 0.01),
    ]
}

/// Force of each ball on the inner ring, by theory: balls at angles from the load, half a contact's stiffness each.
fn shared_load(angles: &[f64], stiffness: f64, play: f64, load: f64) -> Vec<f64> {
    let at = |x: [f64; 2]| -> Vec<f64> {
        let squeezed = |a: &f64| (x[0] * a.cos() + x[1] * a.sin() - 0.5 * play).max(0.0);
        angles.iter().map(|a| 0.5 * stiffness * squeezed(a)).collect()
    };
    let mut x = [2.0 * load / (stiffness * angles.len() as f64) + play.max(0.0), 0.0];
    // Newton's method on the two forces; the law is piecewise linear
    for _ in 0..50 {
        let q = at(x);
        let mut residual = [-load, 0.0];
        let mut k = [[0.0; 2]; 2];
        for (a, q) in angles.iter().zip(&q) {
            let d = [a.cos(), a.sin()];
            for i in 0..2 {
                residual[i] += q * d[i];
                for j in 0..2 {
                    k[i][j] += if *q > 0.0 { 0.5 * stiffness * d[i] * d[j] } else { 0.0 };
                }
            }
        }
        let det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
        x[0] -= (k[1][1] * residual[0] - k[0][1] * residual[1]) / det;
        x[1] -= (k[0][0] * residual[1] - k[1][0] * residual[0]) / det;
    }
    at(x)
}

/// Metres: the play at which the heaviest of nine balls carries Stribeck's 5 Q / z by theory, 4.98 in the mean over a pitch of the balls.
pub(crate) const STRIBECK: f64 = 25e-6;

/// Cage, heaviest ball and friction torque of the bearing with this radial play in m, negative for a preload.
pub(crate) fn bearing(play: f64, seconds: f64) -> Vec<Figure> {
    let (speed, load, stiffness) = (2.0 * TAU, 200.0, 2e7);
    let mut machine = Machine::new("ball-bearing", &[("play", play)]);
    machine.run(0.1);
    let (cage, from) = (machine.q("cage"), machine.sim.time());
    let end = from + seconds - 0.5 * machine.sim.settings.dt;
    let (mut heaviest, mut expected, mut torque, mut count) = (0.0, 0.0, 0.0, 0.0);
    let ring = machine.sim.model().find("inner ring").expect("a ring");
    let dof = machine.dof("inner ring") + 2;
    while machine.sim.time() < end {
        machine.step();
        let sim = &machine.sim;
        let mut found = 0.0_f64;
        let mut angles = Vec::new();
        for k in 0..9 {
            let ball = sim.model().find(&format!("ball{k}")).expect("a ball");
            let p = sim.body(ball).position;
            // from the load, which pulls along -x
            angles.push((-p[1]).atan2(-p[0]));
            let of_ball =
                |c: &&gudgeon_sim::ContactInfo| [c.a, c.b].contains(&ring) && [c.a, c.b].contains(&ball);
            found =
                found.max(sim.contacts().iter().filter(of_ball).map(|c| c.force.dot(&c.normal).abs()).sum());
        }
        heaviest += found;
        expected += shared_load(&angles, stiffness, play, load).into_iter().fold(0.0, f64::max);
        torque += machine.sim.reactions().motors[dof];
        count += 1.0;
    }
    let (ri, ro) = (0.025 - 0.25 * play, 0.035 + 0.25 * play);
    let name = format!("bearing, play {:.0} um", 1e6 * play);
    let ratio = (machine.q("cage") - cage) / (machine.sim.time() - from) / speed;
    vec![
        Figure::new(format!("{name}: cage over shaft"), ratio, ri / (ri + ro), 5e-3),
        Figure::new(format!("{name}: heaviest ball, N"), heaviest / count, expected / count, 0.05),
        Figure::new(
            format!("{name}: heaviest ball over Q / z"),
            heaviest / count / (load / 9.0),
            5.0,
            if (play - STRIBECK).abs() < 1e-9 { 0.05 } else { f64::INFINITY },
        ),
        Figure::new(format!("{name}: friction torque, N m"), torque / count, f64::NAN, f64::INFINITY),
    ]
}

/// What came of a bearing that is squeezed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Squeezed {
    /// Deepest overlap, m.
    pub overlap: f64,
    /// Steps that say that they did not undo it.
    pub told: usize,
}

/// The bearing with a preload (a negative play, m) and no stiffness at all, turned by a motor with this speed, rad/s, and effort, N m.
pub(crate) fn squeezed_scene(play: f64, speed: f64, effort: f64) -> gudgeon_sim::Scene {
    let (mut scene, _) = load("ball-bearing", &[("play", play), ("speed", speed)]);
    for m in scene.materials.iter_mut().chain(scene.pairs.iter_mut().map(|p| &mut p.2)) {
        (m.stiffness, m.damping) = (f64::INFINITY, 0.0);
    }
    for c in &mut scene.controllers {
        if let gudgeon_sim::Controller::Motor { effort: own, .. } = c {
            *own = effort;
        }
    }
    scene
}

/// Runs it: the deepest overlap and how often it was told.
pub(crate) fn squeezed(play: f64, speed: f64, effort: f64, steps: usize) -> Squeezed {
    let scene = squeezed_scene(play, speed, effort);
    let mut sim = Simulator::new(&scene).expect("a scene that can start");
    let mut seen = Squeezed { overlap: 0.0, told: 0 };
    for _ in 0..steps {
        let report = sim.step().expect("a step");
        seen.overlap = seen.overlap.max(report.penetration);
        seen.told += usize::from(report.recovery == Some(gudgeon_lcp::Status::Ray));
    }
    seen
}

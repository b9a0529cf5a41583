//! Hands: a pull at a point, pushes, and bodies fixed in space, each an ordinary force of the step.
//!
//! A pull is a damped spring from a point p of a body to a target t in the world,
//! ```text
//!     f = k (t − p − ½ dt ṗ) − c ṗ,      k = ω² m · gain,   c = 2 ζ √(k m),
//! ```
//! taken where the point is in the middle of the step: a spring that lags by half a step drives what swings about the hand,
//! with m the mass of the tree that the body hangs on, so that a hand feels alike on a brick and on a robot. It acts
//! from the state at the start of the step, so k and c are bounded for the sake of the step: with λ the largest
//! eigenvalue of the mobility of the point, W = J M⁻¹ Jᵀ (contacts can only make it smaller),
//! ```text
//!     k dt² λ ≤ STIFFEST,      c dt λ ≤ DAMPEST.
//! ```
//! A body fixed in space is held at its centre of mass by the stiffest such spring, and by one against turning.
//!
//! | symbol | meaning                                     | unit   |
//! |--------|---------------------------------------------|--------|
//! | λ      | largest mobility of the point               | 1/kg   |
//! | ω, ζ   | frequency and damping ratio of a pull       | rad/s, 1 |

use gudgeon_multibody::{
    LinkId, MassFactor, MassMatrix, Model, Workspace, crba, jacobian, kinematics, velocities,
};
use gudgeon_sim::Simulator;
use gudgeon_spatial::{Force, Quaternion, Vector3};
use nalgebra::{DMatrix, Matrix3};

type V3 = Vector3<f64>;

/// ω², 1/s²: a body hangs a tenth of a metre below the hand that lifts it.
const PULL: f64 = 100.0;
/// ζ of a pull: comes to rest without swinging long.
const RATIO: f64 = 0.7;
/// Of k dt² λ: an explicit spring is stable below 4, and smooth far below.
const STIFFEST: f64 = 0.1;
/// Of c dt λ: an explicit damper is stable below 2, and does not overshoot below 1.
const DAMPEST: f64 = 0.4;

/// What acts on a body, as a page shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// What it is.
    pub kind: PullKind,
    /// The link.
    pub body: usize,
    /// Where it acts, world, m.
    pub point: V3,
    /// Where it pulls to, world, m; of a push the point itself.
    pub target: V3,
    /// World, N.
    pub force: V3,
}

/// Kinds of [`Pull`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullKind {
    /// A spring to the hand.
    Grab,
    /// A force for a while.
    Push,
    /// A body fixed in space.
    Pin,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Grab {
    body: LinkId,
    point: V3, // in the body
    target: V3,
    gain: f64,
    stiffness: f64,
    damping: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Push {
    body: LinkId,
    point: V3, // in the body
    force: V3,
    until: f64, // s
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Pin {
    body: LinkId,
    place: V3, // of the centre of mass
    turn: Quaternion,
    stiffness: [f64; 2], // along, about
    damping: [f64; 2],
}

/// All hands on a simulation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hands {
    grab: Option<Grab>,
    pushes: Vec<Push>,
    pins: Vec<Pin>,
}

impl Hands {
    /// Takes hold of a body at a point of it; false if nothing can move it.
    pub fn grab(&mut self, sim: &Simulator, body: LinkId, point: V3, target: V3, gain: f64) -> bool {
        let Some(lambda) = mobility(sim, body, &point).map(|w| w[1]) else { return false };
        let (mass, dt) = (tree_mass(sim.model(), body), sim.settings.dt);
        let stiffness = (gain * PULL * mass).min(STIFFEST / (dt * dt * lambda));
        let damping = (2.0 * RATIO * (stiffness * mass).sqrt()).min(DAMPEST / (dt * lambda));
        self.grab = Some(Grab { body, point, target, gain, stiffness, damping });
        true
    }

    /// Moves what is held; false if nothing is.
    pub fn drag(&mut self, target: V3) -> bool {
        self.grab.as_mut().map(|g| g.target = target).is_some()
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.grab = None;
    }

    /// A force for a while from now.
    pub fn push(&mut self, sim: &Simulator, body: LinkId, point: V3, force: V3, seconds: f64) {
        self.pushes.push(Push { body, point, force, until: sim.time() + seconds });
    }

    /// Fixes a body where it is; false if nothing can move it anyway.
    pub fn pin(&mut self, sim: &Simulator, body: LinkId) -> bool {
        self.unpin(body);
        let com = sim.model().link(body).inertia.com;
        let Some(lambda) = mobility(sim, body, &com) else { return false };
        let dt = sim.settings.dt;
        let pose = sim.workspace().pose(body);
        // what cannot turn needs no spring against turning
        let over = |most: f64, dt: f64| lambda.map(|l| if l > 0.0 { most / (dt * l) } else { 0.0 });
        let [about, along] = over(STIFFEST, dt * dt);
        let [about_d, along_d] = over(DAMPEST, dt);
        self.pins.push(Pin {
            body,
            place: pose.point(&com),
            turn: Quaternion::from_matrix(&pose.rotation),
            stiffness: [along, about],
            damping: [along_d, about_d],
        });
        true
    }

    /// Lets a fixed body go.
    pub fn unpin(&mut self, body: LinkId) {
        self.pins.retain(|p| p.body != body);
    }

    /// Lets everything go.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether there is nothing to do.
    pub fn idle(&self) -> bool {
        self.grab.is_none() && self.pushes.is_empty() && self.pins.is_empty()
    }

    /// The bodies that are fixed.
    pub fn pinned(&self) -> impl Iterator<Item = usize> {
        self.pins.iter().map(|p| p.body.0)
    }

    /// Springs for another length of step; what is held and fixed stays where it was.
    pub fn restep(&mut self, sim: &Simulator) {
        if let Some(g) = self.grab {
            self.grab(sim, g.body, g.point, g.target, g.gain);
        }
        for old in std::mem::take(&mut self.pins) {
            if self.pin(sim, old.body)
                && let Some(new) = self.pins.last_mut()
            {
                (new.place, new.turn) = (old.place, old.turn);
            }
        }
    }

    /// Adds the forces of the coming step to `external` (n_links, world axes about origins), and tells them.
    pub fn act(&mut self, sim: &Simulator, external: &mut [Force], pulls: &mut Vec<Pull>) {
        pulls.clear();
        // the middle of the step decides, as for the pushes of a scene
        let half = 0.5 * sim.settings.dt;
        let middle = sim.time() + half;
        self.pushes.retain(|p| middle < p.until);
        if let Some(g) = &self.grab {
            let (point, arm, velocity) = moving(sim, g.body, &g.point);
            let force = (g.target - point - velocity * half) * g.stiffness - velocity * g.damping;
            external[g.body.0] += Force::new(arm.cross(&force), force);
            pulls.push(Pull { kind: PullKind::Grab, body: g.body.0, point, target: g.target, force });
        }
        for p in &self.pushes {
            let (point, arm, _) = moving(sim, p.body, &p.point);
            external[p.body.0] += Force::new(arm.cross(&p.force), p.force);
            pulls.push(Pull { kind: PullKind::Push, body: p.body.0, point, target: point, force: p.force });
        }
        for p in &self.pins {
            let (point, arm, velocity) = moving(sim, p.body, &sim.model().link(p.body).inertia.com);
            let force = (p.place - point - velocity * half) * p.stiffness[0] - velocity * p.damping[0];
            let turn = Quaternion::from_matrix(&sim.workspace().pose(p.body).rotation);
            let away = p.turn.times(turn.conjugate()).log(); // world axes, the short way
            let spin = sim.workspace().velocity(p.body).angular;
            let torque = (away - spin * half) * p.stiffness[1] - spin * p.damping[1];
            external[p.body.0] += Force::new(arm.cross(&force) + torque, force);
            pulls.push(Pull { kind: PullKind::Pin, body: p.body.0, point, target: p.place, force });
        }
    }
}

/// A point of a body in the world, its arm from the body's origin, its velocity.
fn moving(sim: &Simulator, body: LinkId, point: &V3) -> (V3, V3, V3) {
    let (pose, v) = (sim.workspace().pose(body), sim.workspace().velocity(body));
    let arm = pose.direction(point);
    (pose.translation + arm, arm, v.linear + v.angular.cross(&arm))
}

/// The mass of everything that hangs together with a body, kg.
fn tree_mass(model: &Model, body: LinkId) -> f64 {
    let root = |mut link: LinkId| {
        while model.link(link).parent != LinkId::WORLD {
            link = model.link(link).parent;
        }
        link
    };
    let mine = root(body);
    let all = (1..model.n_links()).map(LinkId).filter(|l| root(*l) == mine);
    all.map(|l| model.link(l).inertia.mass).sum()
}

/// The largest eigenvalues of W = J M⁻¹ Jᵀ of a point of a body, for turning (1/(kg m²)) and for moving (1/kg); none if
/// nothing can move the point.
fn mobility(sim: &Simulator, body: LinkId, point: &V3) -> Option<[f64; 2]> {
    let (model, state) = (sim.model(), sim.state());
    let (mut ws, mut mass) = (Workspace::new(model), MassMatrix::new(model));
    crba(model, &state.q, &mut ws, &mut mass);
    let mut factor = MassFactor::new(model);
    factor.factor(model, &mass).ok()?;
    kinematics(model, &state.q, &mut ws);
    velocities(model, &state.v, &mut ws);
    let j = jacobian(model, &ws, body, &ws.pose(body).point(point));
    let largest = |first: usize| {
        let rows: DMatrix<f64> = j.rows(first, 3).transpose();
        let mut solved = rows.clone();
        solved.column_iter_mut().for_each(|mut c| factor.solve(model, c.as_mut_slice()));
        let w = Matrix3::from_iterator((rows.transpose() * solved).iter().copied());
        w.symmetric_eigenvalues().max()
    };
    let [about, along] = [largest(0), largest(3)];
    // rounding leaves no body that moves below this, and no fixed one above
    (along.is_finite() && along > 1e-12).then_some([about.max(0.0), along])
}

//! The numbers of ADA and DCA: up the schedule to Φ and φ, and down again to forces and accelerations.
//!
//! A body with handles i, j answers forces by v̇_i = Σ_j Φ_ij f_j + φ_i [Yamane (9)]. A rigid link has Φ = I⁻¹ and
//! φ = I⁻¹ (f_ext - v ×* I v) + g. Joining A (handle x) and B (handle y) by a joint eliminated to f = W (c - β) + g_τ,
//! ```text
//!     E_i = -Φ^A_ix (i in A),   Φ^B_iy (i in B)
//!     Φ′_ij = Φ_ij - E_i W E_jᵀ           (Φ_ij = 0 across A and B)
//!     φ′_i  = φ_i  + E_i f0,              f0 the joint force when no handle is pushed
//!     down:  β = φ_y - φ_x + Σ_j E_jᵀ f_j,   f = W (c - β) + g_τ,   -f on x, f on y
//! ```
//! Departures: every Φ_ij is about the origins of its own two links, shifted to the joint only where a joint is
//! eliminated; common world coordinates would lose the squares of distances. All bodies of a round are written to one
//! stretch of memory and read from earlier ones, so a round may be shared between threads without locks, and the
//! answer is the same to the bit.

use gudgeon_spatial::{Force, Inertia, InverseInertia, Matrix6, Motion};

use super::hinge::{Elimination, Hinge};
use super::iabi::Iabi;
use super::merge::{
    Down, Up, add_force, first_force, force_count, read_block, read_motion, write_block, write_motion,
};
use super::schedule::{Order, Schedule};
use crate::aba::Load;
use crate::kinematics::kinematics;
use crate::model::{LinkId, Model, State};
use crate::workspace::Workspace;

/// Why a model cannot be assembled from inverse inertias.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdaError {
    /// A body without mass or without rotational inertia has no inverse inertia; ABA can do without.
    #[error("link {link:?} has no mass or no rotational inertia, so no inverse inertia")]
    Massless {
        /// The link.
        link: String,
    },
    /// Couplings tie joint coordinates, not links; use `ConstraintSolver`.
    #[error("couplings of joint coordinates cannot be assembled from links")]
    Coupling,
}

/// Plan and memory of the assembly-disassembly algorithm for one model and one choice of handles.
#[derive(Debug, Clone, PartialEq)]
pub struct Ada {
    schedule: Schedule,
    elimination: Elimination,
    threads: usize,
    arena: Vec<f64>,    // Φ and φ of every body under assembly, written by `assemble`
    hinges: Vec<Hinge>, // one per merge, written by `assemble`
    forces: Vec<f64>,   // on the handles of every body, written by `disassemble`
    qdd: Vec<[f64; 6]>, // one per merge, written by `disassemble`
    pub(super) ports: Vec<LinkId>, // handles asked for, then the links of loops
    pub(super) n_handles: usize,
    pub(super) iabi: Iabi,
    pub(super) loop_forces: Vec<Force>, // on the ports, from closing loops
    pub(super) port_forces: Vec<Force>, // scratch of `disassemble`
}

impl Ada {
    /// Plans the assembly of `model` so that Φ and φ come out between `handles`.
    pub fn new(
        model: &Model,
        handles: &[LinkId],
        order: Order,
        elimination: Elimination,
    ) -> Result<Self, AdaError> {
        if !model.couplings.is_empty() {
            return Err(AdaError::Coupling);
        }
        let mut ports = handles.to_vec();
        for l in &model.loops {
            for link in [l.a, l.b] {
                if !ports.contains(&link) {
                    ports.push(link);
                }
            }
        }
        let schedule = Schedule::new(model, &ports, order);

        // every body must have an inverse inertia; that does not depend on the position
        let mut ws = Workspace::new(model);
        kinematics(model, &State::neutral(model).q, &mut ws);
        for (k, &link) in schedule.bodies.iter().enumerate() {
            if InverseInertia::of_body(&body(&schedule.members[k], link, &ws)).is_none() {
                return Err(AdaError::Massless { link: model.links[link].name.clone() });
            }
        }
        Ok(Self {
            arena: vec![0.0; schedule.arena],
            hinges: vec![Hinge::default(); schedule.merges.len()],
            forces: vec![0.0; schedule.forces],
            qdd: vec![[0.0; 6]; schedule.merges.len()],
            iabi: Iabi::new(ports.len()),
            loop_forces: vec![Force::zero(); ports.len()],
            port_forces: vec![Force::zero(); ports.len()],
            n_handles: handles.len(),
            ports,
            schedule,
            elimination,
            threads: 1,
        })
    }

    /// Shares each round between `threads` threads; the answer does not change.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Number of rounds: the length of the longest chain of operations that wait for each other.
    pub fn depth(&self) -> usize {
        self.schedule.rounds.len()
    }

    /// Φ and φ between the handles, loops closed; wants `assemble`.
    pub fn iabi(&self) -> &Iabi {
        &self.iabi
    }

    /// Up the schedule: Φ and φ at the handles under `load`. Wants `velocities`; overwrites the accelerations of `ws`
    /// if the model has loops.
    pub fn assemble(&mut self, model: &Model, load: &Load<'_>, ws: &mut Workspace) {
        self.links_alone(model, load, ws);
        for round in 0..self.schedule.rounds.len() {
            self.assemble_round(round, model, load, ws);
        }
        self.collect(ws);
        self.close_loops(model, ws);
    }

    /// Φ = I⁻¹ and φ of each rigid body.
    fn links_alone(&mut self, model: &Model, load: &Load<'_>, ws: &Workspace) {
        for (k, &link) in self.schedule.bodies.iter().enumerate() {
            let members = &self.schedule.members[k];
            let mut rigid = body(members, link, ws);
            let mut f = Force::zero();
            for &m in members {
                if let Some(added) = load.added.get(m) {
                    rigid.about_com += *added;
                }
                let mut own = -ws.v[m].cross_force(ws.body[m].momentum(ws.v[m]));
                if let Some(external) = load.external.get(m) {
                    own += *external;
                }
                f += own.at(&(ws.placed[link].origin - ws.placed[m].origin));
            }
            let phi = InverseInertia::of_body(&rigid).expect("checked when planned");
            let mut bias = phi.apply(f);
            bias.linear += model.gravity;
            let at = self.schedule.clusters[k].at;
            write_block(&mut self.arena[at..], 0, &phi.0);
            write_motion(&mut self.arena[at + 36..], 0, bias);
        }
    }

    fn assemble_round(&mut self, round: usize, model: &Model, load: &Load<'_>, ws: &Workspace) {
        let range = self.schedule.rounds[round].clone();
        if range.is_empty() {
            return;
        }
        let schedule = &self.schedule;
        let base = schedule.clusters[schedule.merges[range.start].out].at;
        let (done, mut fresh) = self.arena.split_at_mut(base);
        let up = Up { schedule, way: self.elimination, done, model, load, ws };
        let mut hinges = &mut self.hinges[range.clone()];
        let merges = &schedule.merges[range];
        let chunk = merges.len().div_ceil(self.threads).max(GRAIN);
        if chunk >= merges.len() {
            up.join_all(merges, fresh, hinges);
            return;
        }
        std::thread::scope(|scope| {
            for part in merges.chunks(chunk) {
                let size = part.iter().map(|m| schedule.clusters[m.out].size()).sum();
                let (mine, rest) = fresh.split_at_mut(size);
                let (my_hinges, rest_hinges) = hinges.split_at_mut(part.len());
                (fresh, hinges) = (rest, rest_hinges);
                scope.spawn(move || up.join_all(part, mine, my_hinges));
            }
        });
    }

    /// Down the schedule: the joints' accelerations into `qdd` when `handle_forces` (one per handle, world axes
    /// about its origin, or empty) act besides the load. Wants `assemble` of the same state.
    pub fn disassemble(&mut self, model: &Model, handle_forces: &[Force], ws: &Workspace, qdd: &mut [f64]) {
        self.closing_forces(handle_forces);
        self.descend(model, handle_forces, ws, qdd);

        // differences of Φ hold the loops only to what their cancellation leaves; the joints' own rows say how much is
        // missing, and one more pass puts it right
        if self.has_loops() {
            self.refine_closing_forces(qdd);
            self.descend(model, handle_forces, ws, qdd);
        }
    }

    fn descend(&mut self, model: &Model, handle_forces: &[Force], ws: &Workspace, qdd: &mut [f64]) {
        self.load_ports(handle_forces, ws);
        for round in (0..self.schedule.rounds.len()).rev() {
            self.disassemble_round(round, ws);
        }
        for (merge, joint_qdd) in self.schedule.merges.iter().zip(&self.qdd) {
            let range = model.links[merge.joint].v_range();
            let d = range.len();
            qdd[range].copy_from_slice(&joint_qdd[..d]);
        }
    }

    /// Forces on the ports of the assembled bodies: those given and those that hold the loops.
    fn load_ports(&mut self, handle_forces: &[Force], ws: &Workspace) {
        for &root in &self.schedule.roots {
            let cluster = &self.schedule.clusters[root];
            self.forces[cluster.force_at..cluster.force_at + 6 * cluster.handles.len()].fill(0.0);
        }
        for (port, &link) in self.ports.iter().enumerate() {
            let owner = self.schedule.representative[link.0];
            let Some((root, place)) = self.find_root(owner) else { continue };
            let mut force = self.port_forces[port];
            if let Some(f) = handle_forces.get(port).filter(|_| port < self.n_handles) {
                force += *f;
            }
            let shift = ws.placed[owner].origin - ws.placed[link.0].origin;
            let at = self.schedule.clusters[root].force_at + 6 * place;
            add_force(&mut self.forces[at..], 0, force.at(&shift));
        }
    }

    fn disassemble_round(&mut self, round: usize, ws: &Workspace) {
        let range = self.schedule.rounds[round].clone();
        if range.is_empty() {
            return;
        }
        let schedule = &self.schedule;
        let merges = &schedule.merges[range.clone()];
        let start = first_force(schedule, &merges[0]);
        let end = start + merges.iter().map(|m| force_count(schedule, m)).sum::<usize>();
        let (front, known) = self.forces.split_at_mut(end);
        let mut mine = &mut front[start..];
        let down = Down { schedule, arena: &self.arena, known, known_at: end, ws };
        let hinges = &self.hinges[range.clone()];
        let mut qdd = &mut self.qdd[range];
        let chunk = merges.len().div_ceil(self.threads).max(GRAIN);
        if chunk >= merges.len() {
            down.part_all(merges, hinges, mine, qdd);
            return;
        }
        std::thread::scope(|scope| {
            for (part, hinges) in merges.chunks(chunk).zip(hinges.chunks(chunk)) {
                let size = part.iter().map(|m| force_count(schedule, m)).sum();
                let (forces, rest) = mine.split_at_mut(size);
                let (my_qdd, rest_qdd) = qdd.split_at_mut(part.len());
                (mine, qdd) = (rest, rest_qdd);
                scope.spawn(move || down.part_all(part, hinges, forces, my_qdd));
            }
        });
    }

    /// The assembled body and place of a representative link.
    pub(super) fn find_root(&self, owner: usize) -> Option<(usize, usize)> {
        self.schedule.roots.iter().find_map(|&root| {
            let place = self.schedule.clusters[root].handles.iter().position(|&h| h == owner)?;
            Some((root, place))
        })
    }

    /// Φ_ij and φ_i of the tree at two ports, each about its own link's origin.
    pub(super) fn open_pair(&self, i: usize, j: usize, ws: &Workspace) -> (Matrix6<f64>, Motion) {
        let (link_i, link_j) = (self.ports[i].0, self.ports[j].0);
        let (rep_i, rep_j) = (self.schedule.representative[link_i], self.schedule.representative[link_j]);
        let (Some((root, a)), Some((other, b))) = (self.find_root(rep_i), self.find_root(rep_j)) else {
            return (Matrix6::zeros(), Motion::zero());
        };
        let cluster = &self.schedule.clusters[root];
        let h = cluster.handles.len();
        let to_i = ws.placed[link_i].origin - ws.placed[rep_i].origin;
        let to_j = ws.placed[link_j].origin - ws.placed[rep_j].origin;
        let bias = read_motion(&self.arena[cluster.at + 36 * h * h..], a).at(&to_i);
        if root != other {
            return (Matrix6::zeros(), bias);
        }
        let phi = InverseInertia(read_block(&self.arena[cluster.at..], a * h + b));
        (phi.motion_at(&to_i).force_at(&to_j).0, bias)
    }
}

/// Joints per thread below which starting a thread costs more than it saves (tens of µs against 0.5 µs per joint).
const GRAIN: usize = 64;

/// The rigid body made of welded links, about the origin of the first.
fn body(members: &[usize], first: usize, ws: &Workspace) -> Inertia {
    let place = |m: usize| ws.body[m].translated(ws.placed[m].origin - ws.placed[first].origin);
    members[1..].iter().fold(ws.body[first], |sum, &m| sum.merged(place(m)))
}

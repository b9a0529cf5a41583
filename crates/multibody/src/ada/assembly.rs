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

use gudgeon_spatial::{Force, Inertia, InverseInertia, Matrix6, Motion, Vector3};

use super::hinge::{Elimination, Hinge, Joint, eliminate};
use super::iabi::Iabi;
use super::schedule::{Merge, Order, Schedule};
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
        let way = self.elimination;
        let base = schedule.clusters[schedule.merges[range.start].out].at;
        let (done, mut fresh) = self.arena.split_at_mut(base);
        let done: &[f64] = done;
        let mut hinges = &mut self.hinges[range.clone()];
        let merges = &schedule.merges[range];
        let chunk = merges.len().div_ceil(self.threads).max(GRAIN);
        if chunk >= merges.len() {
            up(schedule, way, merges, done, fresh, hinges, model, load, ws);
            return;
        }
        std::thread::scope(|scope| {
            for part in merges.chunks(chunk) {
                let size = part.iter().map(|m| schedule.clusters[m.out].size()).sum();
                let (mine, rest) = fresh.split_at_mut(size);
                let (my_hinges, rest_hinges) = hinges.split_at_mut(part.len());
                (fresh, hinges) = (rest, rest_hinges);
                scope.spawn(move || up(schedule, way, part, done, mine, my_hinges, model, load, ws));
            }
        });
    }

    /// Down the schedule: the joints' accelerations into `qdd` when `handle_forces` (one per handle, world axes
    /// about its origin, or empty) act besides the load. Wants `assemble` of the same state.
    pub fn disassemble(&mut self, model: &Model, handle_forces: &[Force], ws: &Workspace, qdd: &mut [f64]) {
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
        self.closing_forces(handle_forces);
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
        let (arena, known): (&[f64], &[f64]) = (&self.arena, known);
        let hinges = &self.hinges[range.clone()];
        let mut qdd = &mut self.qdd[range];
        let chunk = merges.len().div_ceil(self.threads).max(GRAIN);
        if chunk >= merges.len() {
            down(schedule, merges, arena, (known, end), mine, hinges, qdd, ws);
            return;
        }
        std::thread::scope(|scope| {
            for (part, hinges) in merges.chunks(chunk).zip(hinges.chunks(chunk)) {
                let size = part.iter().map(|m| force_count(schedule, m)).sum();
                let (forces, rest) = mine.split_at_mut(size);
                let (my_qdd, rest_qdd) = qdd.split_at_mut(part.len());
                (mine, qdd) = (rest, rest_qdd);
                scope.spawn(move || down(schedule, part, arena, (known, end), forces, hinges, my_qdd, ws));
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

/// From the parent body's origin to the joint, world axes.
fn reach(schedule: &Schedule, merge: &Merge, ws: &Workspace) -> Vector3<f64> {
    let parent = match merge.a {
        Some(a) => schedule.clusters[a].handles[merge.x],
        None => return Vector3::zeros(),
    };
    ws.placed[merge.joint].origin - ws.placed[parent].origin
}

/// E_i of a handle that stays.
fn lever(
    schedule: &Schedule,
    merge: &Merge,
    done: &[f64],
    handle: (bool, usize),
    r: &Vector3<f64>,
) -> Matrix6<f64> {
    match (handle, merge.a) {
        ((false, place), Some(a)) => {
            let cluster = &schedule.clusters[a];
            let h = cluster.handles.len();
            -InverseInertia(read_block(&done[cluster.at..], place * h + merge.x)).force_at(r).0
        }
        ((_, place), _) => {
            let cluster = &schedule.clusters[merge.b];
            let h = cluster.handles.len();
            read_block(&done[cluster.at..], place * h + merge.y)
        }
    }
}

/// A stretch of merges on the way up: reads `done`, fills `fresh` and `hinges`.
fn up(
    schedule: &Schedule,
    way: Elimination,
    merges: &[Merge],
    done: &[f64],
    fresh: &mut [f64],
    hinges: &mut [Hinge],
    model: &Model,
    load: &Load<'_>,
    ws: &Workspace,
) {
    let mut at = 0;
    for (merge, hinge) in merges.iter().zip(hinges) {
        let out = &schedule.clusters[merge.out];
        join(schedule, way, merge, done, &mut fresh[at..at + out.size()], hinge, model, load, ws);
        at += out.size();
    }
}

/// One joint on the way up.
fn join(
    schedule: &Schedule,
    way: Elimination,
    merge: &Merge,
    done: &[f64],
    out: &mut [f64],
    hinge: &mut Hinge,
    model: &Model,
    load: &Load<'_>,
    ws: &Workspace,
) {
    let r = reach(schedule, merge, ws);
    let b = &schedule.clusters[merge.b];
    let hb = b.handles.len();
    let mut phi_j = read_block(&done[b.at..], merge.y * hb + merge.y);
    let mut beta = read_motion(&done[b.at + 36 * hb * hb..], merge.y);
    if let Some(a) = merge.a {
        let a = &schedule.clusters[a];
        let ha = a.handles.len();
        let phi_x = InverseInertia(read_block(&done[a.at..], merge.x * ha + merge.x));
        phi_j += phi_x.force_at(&r).motion_at(&r).0;
        beta -= read_motion(&done[a.at + 36 * ha * ha..], merge.x).at(&r);
    }
    *hinge = eliminate(way, &phi_j, &given(merge.joint, model, load, ws))
        .expect("inverse inertias of bodies with mass are positive definite");
    let f0 = hinge.force(beta);

    // what the handles that stay answer now
    let h = merge.from.len();
    for (i, &(in_b, place)) in merge.from.iter().enumerate() {
        let e_i = lever(schedule, merge, done, (in_b, place), &r);
        let e_w = e_i * hinge.w;
        let own = if in_b { b } else { &schedule.clusters[merge.a.expect("a handle of a needs a")] };
        let n = own.handles.len();
        for (j, &(in_b_j, place_j)) in merge.from[..=i].iter().enumerate() {
            let mut phi = -(e_w * lever(schedule, merge, done, (in_b_j, place_j), &r).transpose());
            if in_b == in_b_j {
                phi += read_block(&done[own.at..], place * n + place_j);
            }
            write_block(out, i * h + j, &phi);
            if i != j {
                write_block(out, j * h + i, &phi.transpose());
            }
        }
        let moved = Motion::from_vector(&(e_i * f0.to_vector()));
        let bias = read_motion(&done[own.at + 36 * n * n..], place) + moved;
        write_motion(&mut out[36 * h * h..], i, bias);
    }
}

/// What is given at the joint of `link`.
fn given<'a>(link: usize, model: &Model, load: &Load<'_>, ws: &'a Workspace) -> Joint<'a> {
    let range = model.links[link].v_range();
    let (mut tau, mut armature) = ([0.0; 6], [0.0; 6]);
    let mut driven = load.prescribed.filter(|p| p.driven[link]).map(|_| [0.0; 6]);
    for (k, dof) in range.clone().enumerate() {
        tau[k] = load.tau[dof];
        armature[k] = load.diagonal.get(dof).copied().unwrap_or(model.dofs[dof].armature);
        if let (Some(qdd), Some(p)) = (&mut driven, load.prescribed) {
            qdd[k] = p.qdd[dof];
        }
    }
    Joint { s: &ws.s[range], c: ws.c[link], tau, armature, driven }
}

fn first_force(schedule: &Schedule, merge: &Merge) -> usize {
    schedule.clusters[merge.a.unwrap_or(merge.b)].force_at
}

fn force_count(schedule: &Schedule, merge: &Merge) -> usize {
    let count = |c: usize| 6 * schedule.clusters[c].handles.len();
    merge.a.map_or(0, count) + count(merge.b)
}

/// A stretch of merges on the way down: reads the forces on what came out, fills those on what went in.
fn down(
    schedule: &Schedule,
    merges: &[Merge],
    arena: &[f64],
    (known, known_at): (&[f64], usize),
    mine: &mut [f64],
    hinges: &[Hinge],
    qdd: &mut [[f64; 6]],
    ws: &Workspace,
) {
    mine.fill(0.0);
    let mut at = 0;
    for ((merge, hinge), qdd) in merges.iter().zip(hinges).zip(qdd) {
        let r = reach(schedule, merge, ws);
        let b = &schedule.clusters[merge.b];
        let hb = b.handles.len();
        let a = merge.a.map(|a| &schedule.clusters[a]);
        let a_count = a.map_or(0, |a| 6 * a.handles.len());
        let count = a_count + 6 * hb;
        let (on_a, on_b) = mine[at..at + count].split_at_mut(a_count);
        at += count;

        // β from the biases and from the forces on the handles that stayed
        let mut beta = read_motion(&arena[b.at + 36 * hb * hb..], merge.y);
        if let Some(a) = a {
            let ha = a.handles.len();
            beta -= read_motion(&arena[a.at + 36 * ha * ha..], merge.x).at(&r);
        }
        let out = &schedule.clusters[merge.out];
        for (i, &(in_b, place)) in merge.from.iter().enumerate() {
            let f = read_force(&known[out.force_at - known_at..], i);
            add_force(if in_b { on_b } else { on_a }, place, f);
            if f != Force::zero() {
                let e = lever(schedule, merge, arena, (in_b, place), &r);
                beta += Motion::from_vector(&e.tr_mul(&f.to_vector()));
            }
        }
        let f = hinge.force(beta);
        *qdd = hinge.qdd(beta, 6);
        add_force(on_b, merge.y, f);
        if a.is_some() {
            add_force(on_a, merge.x, -f.at(&-r));
        }
    }
}

fn read_block(from: &[f64], index: usize) -> Matrix6<f64> {
    Matrix6::from_column_slice(&from[36 * index..36 * index + 36])
}

fn write_block(to: &mut [f64], index: usize, block: &Matrix6<f64>) {
    to[36 * index..36 * index + 36].copy_from_slice(block.as_slice());
}

fn read_motion(from: &[f64], index: usize) -> Motion {
    let x = &from[6 * index..6 * index + 6];
    Motion::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
}

fn write_motion(to: &mut [f64], index: usize, m: Motion) {
    to[6 * index..6 * index + 6].copy_from_slice(m.to_vector().as_slice());
}

fn read_force(from: &[f64], index: usize) -> Force {
    let x = &from[6 * index..6 * index + 6];
    Force::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
}

fn add_force(to: &mut [f64], index: usize, f: Force) {
    for (x, f) in to[6 * index..6 * index + 6].iter_mut().zip(f.to_vector().iter()) {
        *x += f;
    }
}

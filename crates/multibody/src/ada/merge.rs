//! One joint on the way up and on the way down: the inner loops of `assembly`.
//!
//! ```text
//!     up   : E_i, Φ′_ij = Φ_ij - E_i W E_jᵀ, φ′_i = φ_i + E_i f0                    reads finished bodies, writes one
//!     down : β = φ_y - φ_x + Σ E_jᵀ f_j, f = W (c - β) + g_τ, -f on x, f on y       reads one, writes two
//! ```
//! | paper     | here                                   | shape     |
//! |-----------|----------------------------------------|-----------|
//! | Φ_ij      | block i h + j of a body's stretch      | 6 × 6     |
//! | φ_i       | after the h² blocks                    | 6         |
//! | E_i       | `lever`                                | 6 × 6     |
//! | W, f0     | `Hinge`                                | 6 × 6, 6  |

use gudgeon_spatial::{Force, InverseInertia, Matrix6, Motion, Vector3};

use super::hinge::{Elimination, Hinge, Joint, eliminate};
use super::schedule::{Merge, Schedule};
use crate::aba::Load;
use crate::model::Model;
use crate::workspace::Workspace;

/// From the parent body's origin to the joint, world axes.
pub(super) fn reach(schedule: &Schedule, merge: &Merge, ws: &Workspace) -> Vector3<f64> {
    let parent = match merge.a {
        Some(a) => schedule.clusters[a].handles[merge.x],
        None => return Vector3::zeros(),
    };
    ws.placed[merge.joint].origin - ws.placed[parent].origin
}

/// E_i of a handle that stays.
pub(super) fn lever(
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

/// What the way up reads.
#[derive(Clone, Copy)]
pub(super) struct Up<'a> {
    pub schedule: &'a Schedule,
    pub way: Elimination,
    /// Φ and φ of finished bodies.
    pub done: &'a [f64],
    pub model: &'a Model,
    pub load: &'a Load<'a>,
    pub ws: &'a Workspace,
}

impl Up<'_> {
    /// A stretch of merges: fills `fresh` and `hinges`.
    pub(super) fn join_all(&self, merges: &[Merge], fresh: &mut [f64], hinges: &mut [Hinge]) {
        let mut at = 0;
        for (merge, hinge) in merges.iter().zip(hinges) {
            let out = &self.schedule.clusters[merge.out];
            self.join(merge, &mut fresh[at..at + out.size()], hinge);
            at += out.size();
        }
    }

    /// One joint.
    fn join(&self, merge: &Merge, out: &mut [f64], hinge: &mut Hinge) {
        let Self { schedule, way, done, model, load, ws } = *self;
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
}

/// What is given at the joint of `link`.
pub(super) fn given<'a>(link: usize, model: &Model, load: &Load<'_>, ws: &'a Workspace) -> Joint<'a> {
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

pub(super) fn first_force(schedule: &Schedule, merge: &Merge) -> usize {
    schedule.clusters[merge.a.unwrap_or(merge.b)].force_at
}

pub(super) fn force_count(schedule: &Schedule, merge: &Merge) -> usize {
    let count = |c: usize| 6 * schedule.clusters[c].handles.len();
    merge.a.map_or(0, count) + count(merge.b)
}

/// What the way down reads.
#[derive(Clone, Copy)]
pub(super) struct Down<'a> {
    pub schedule: &'a Schedule,
    /// Φ and φ of all bodies.
    pub arena: &'a [f64],
    /// Forces on the handles of what came out of later rounds, from `known_at` on.
    pub known: &'a [f64],
    pub known_at: usize,
    pub ws: &'a Workspace,
}

impl Down<'_> {
    /// A stretch of merges: from the forces on what came out, those on what went in.
    pub(super) fn part_all(
        &self,
        merges: &[Merge],
        hinges: &[Hinge],
        mine: &mut [f64],
        qdd: &mut [[f64; 6]],
    ) {
        let Self { schedule, arena, known, known_at, ws } = *self;
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
}

pub(super) fn read_block(from: &[f64], index: usize) -> Matrix6<f64> {
    Matrix6::from_column_slice(&from[36 * index..36 * index + 36])
}

pub(super) fn write_block(to: &mut [f64], index: usize, block: &Matrix6<f64>) {
    to[36 * index..36 * index + 36].copy_from_slice(block.as_slice());
}

pub(super) fn read_motion(from: &[f64], index: usize) -> Motion {
    let x = &from[6 * index..6 * index + 6];
    Motion::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
}

pub(super) fn write_motion(to: &mut [f64], index: usize, m: Motion) {
    to[6 * index..6 * index + 6].copy_from_slice(m.to_vector().as_slice());
}

pub(super) fn read_force(from: &[f64], index: usize) -> Force {
    let x = &from[6 * index..6 * index + 6];
    Force::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
}

pub(super) fn add_force(to: &mut [f64], index: usize, f: Force) {
    for (x, f) in to[6 * index..6 * index + 6].iter_mut().zip(f.to_vector().iter()) {
        *x += f;
    }
}

//! In which order joints are put together.
//!
//! An articulated body under assembly is a connected set of links with *handles*: the links that still have an
//! unassembled joint, and those the caller asked for. Putting together the bodies on both sides of a joint removes the
//! joint; a link whose last joint is gone stops being a handle.
//!
//! ```text
//!     serial   : tips to base, one joint after another           depth n    (the order of ABA)
//!     balanced : rounds of disjoint joints, each round at once   depth O(log n)
//! ```
//! A round takes a maximal matching of the joints whose assembly leaves at most two open sides: leaves go into their
//! neighbour ("rake"), runs of links halve ("compress"). A chain of n links takes ⌈log₂ n⌉ + 1 rounds. A link with m
//! children takes its children one at a time, so the depth is O(log n + largest number of children).
//!
//! The world is not a body here: each joint to the world ends in a private immovable leaf (Φ = 0), so trees never wait
//! for each other. Links welded together are one rigid body under the name of its first link.

use crate::joint::Joint;
use crate::model::{LinkId, Model};

/// The order of assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Tips to base, one joint at a time: least work.
    #[default]
    Serial,
    /// In rounds of independent joints: least depth.
    Balanced,
}

/// A body under assembly: its handles and where its numbers live.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cluster {
    pub(super) handles: Vec<usize>, // representative links
    pub(super) at: usize,           // Φ blocks (h × h × 36), then φ (h × 6), in the arena
    pub(super) force_at: usize,     // forces on the handles on the way down (h × 6)
}

impl Cluster {
    pub(super) fn size(&self) -> usize {
        let h = self.handles.len();
        36 * h * h + 6 * h
    }

    pub(super) fn place(&self, link: usize) -> usize {
        self.handles.iter().position(|&h| h == link).expect("a joint's links are handles of its bodies")
    }
}

/// One joint put together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merge {
    pub(super) joint: usize,             // link whose joint it is
    pub(super) a: Option<usize>,         // body on the parent side; none is the world
    pub(super) b: usize,                 // body on the child side
    pub(super) out: usize,               // the body that comes out
    pub(super) x: usize,                 // place of the parent among the handles of a
    pub(super) y: usize,                 // place of the child among the handles of b
    pub(super) from: Vec<(bool, usize)>, // for each handle that stays: (is in b, place there)
}

/// The whole plan: fixed for a model and a choice of handles.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Schedule {
    pub(super) representative: Vec<usize>, // nb, first link of each rigid body; 0 if welded to the world
    pub(super) bodies: Vec<usize>,         // representatives, in order; body k is cluster k
    pub(super) members: Vec<Vec<usize>>,   // links of each body
    pub(super) clusters: Vec<Cluster>,
    pub(super) merges: Vec<Merge>,                  // in order of rounds
    pub(super) rounds: Vec<std::ops::Range<usize>>, // of merges
    pub(super) roots: Vec<usize>,                   // clusters left at the end
    pub(super) arena: usize,                        // numbers needed on the way up
    pub(super) forces: usize,                       // numbers needed on the way down
}

struct Planner<'a> {
    model: &'a Model,
    wanted: Vec<bool>, // by representative
    open: Vec<usize>,  // unassembled joints of each representative
    owner: Vec<usize>, // cluster of each representative, kept current for handles only
    plan: Schedule,
}

impl Schedule {
    pub(super) fn new(model: &Model, handles: &[LinkId], order: Order) -> Self {
        let mut planner = Planner::new(model, handles);
        let joints: Vec<usize> = (1..model.n_links()).filter(|&i| planner.is_body(i)).collect();
        match order {
            Order::Serial => {
                for &joint in joints.iter().rev() {
                    planner.merge(joint);
                    planner.end_round();
                }
            }
            Order::Balanced => planner.rounds(joints),
        }
        planner.finish()
    }
}

impl<'a> Planner<'a> {
    fn new(model: &'a Model, handles: &[LinkId]) -> Self {
        let n = model.n_links();
        let mut representative: Vec<usize> = (0..n).collect();
        for i in 1..n {
            if model.links[i].joint == Joint::Fixed {
                representative[i] = representative[model.links[i].parent.0];
            }
        }
        let mut wanted = vec![false; n];
        for h in handles {
            wanted[representative[h.0]] = true;
        }
        let mut open = vec![0; n];
        let mut owner = vec![usize::MAX; n];
        let (mut bodies, mut clusters) = (Vec::new(), Vec::new());
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut arena = 0;
        for i in 1..n {
            if representative[i] == i {
                open[i] += 1;
                open[representative[model.links[i].parent.0]] += 1;
                owner[i] = bodies.len();
                bodies.push(i);
                members.push(vec![i]);
                clusters.push(Cluster { handles: vec![i], at: arena, force_at: usize::MAX });
                arena += 42;
            } else if representative[i] != 0 {
                members[owner[representative[i]]].push(i);
            }
        }
        let (merges, rounds, roots) = (Vec::new(), Vec::new(), Vec::new());
        let plan =
            Schedule { representative, bodies, members, clusters, merges, rounds, roots, arena, forces: 0 };
        Self { model, wanted, open, owner, plan }
    }

    fn is_body(&self, link: usize) -> bool {
        self.plan.representative[link] == link
    }

    fn parent(&self, joint: usize) -> usize {
        self.plan.representative[self.model.links[joint].parent.0]
    }

    /// The cluster that now holds a representative.
    fn cluster(&self, link: usize) -> usize {
        self.owner[link]
    }

    fn merge(&mut self, joint: usize) {
        let parent = self.parent(joint);
        let a = (parent != 0).then(|| self.cluster(parent));
        let b = self.cluster(joint);
        self.open[joint] -= 1;
        self.open[parent] -= 1;
        let mut handles = Vec::new();
        let mut from = Vec::new();
        for (in_b, body) in [(false, a), (true, Some(b))] {
            let Some(body) = body else { continue };
            for (place, &link) in self.plan.clusters[body].handles.iter().enumerate() {
                if self.wanted[link] || self.open[link] > 0 {
                    handles.push(link);
                    from.push((in_b, place));
                }
            }
        }
        let out = self.plan.clusters.len();
        for &link in &handles {
            self.owner[link] = out;
        }
        let x = a.map_or(0, |a| self.plan.clusters[a].place(parent));
        let y = self.plan.clusters[b].place(joint);
        let cluster = Cluster { handles, at: self.plan.arena, force_at: usize::MAX };
        self.plan.arena += cluster.size();
        self.plan.clusters.push(cluster);
        self.plan.merges.push(Merge { joint, a, b, out, x, y, from });
    }

    fn end_round(&mut self) {
        let start = self.plan.rounds.last().map_or(0, |r| r.end);
        self.plan.rounds.push(start..self.plan.merges.len());
    }

    /// Matchings of joints until none is left.
    fn rounds(&mut self, mut joints: Vec<usize>) {
        let mut busy = vec![false; 2 * self.plan.clusters.len() + 1];
        // unassembled joints of each cluster
        let mut sides: Vec<usize> = self.plan.bodies.iter().map(|&link| self.open[link]).collect();
        while !joints.is_empty() {
            let first_new = self.plan.clusters.len();
            let mut left = Vec::with_capacity(joints.len());
            for &joint in &joints {
                let parent = self.parent(joint);
                let b = self.cluster(joint);
                let a = (parent != 0).then(|| self.cluster(parent));
                let taken = |c: usize| c >= first_new || busy[c];
                let a_sides = a.map_or(1, |a| sides[a]);
                if taken(b) || a.is_some_and(taken) {
                    left.push(joint);
                    continue;
                }
                let remain = a_sides + sides[b] - 2;
                if remain > 2 && a_sides > 1 && sides[b] > 1 {
                    left.push(joint);
                    continue;
                }
                busy[b] = true;
                if let Some(a) = a {
                    busy[a] = true;
                }
                self.merge(joint);
                sides.push(remain);
            }
            self.end_round();
            joints = left;
        }
    }

    /// Lays out the forces of the way down: each merge owns the forces on the handles of its two bodies.
    fn finish(mut self) -> Schedule {
        let mut at = 0;
        let mut consumed = vec![false; self.plan.clusters.len()];
        for k in 0..self.plan.merges.len() {
            let (a, b) = (self.plan.merges[k].a, self.plan.merges[k].b);
            for body in a.into_iter().chain([b]) {
                self.plan.clusters[body].force_at = at;
                at += 6 * self.plan.clusters[body].handles.len();
                consumed[body] = true;
            }
        }
        for k in 0..self.plan.clusters.len() {
            if !consumed[k] {
                self.plan.roots.push(k);
                self.plan.clusters[k].force_at = at;
                at += 6 * self.plan.clusters[k].handles.len();
            }
        }
        self.plan.forces = at;
        self.plan
    }
}

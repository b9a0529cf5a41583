//! The undoing of overlap cut to a speed, under a change (see `Simulator::bound_recovery`).
//!
//! ```text
//!     v_move = v + s m,     s = 2 (c + p)/f,     f = |m_k| + |ω_k(m)| ρ_k,     p = |v_corner|
//!     δs = (2 δp − s δf)/f
//! ```
//! m is what undoing overlap would add, by group of trees; k the link that it would move too fast, ρ_k how far its shapes reach;
//! p the speed of the group's fastest corner at the start of the step, c the speed of recovery. How boxes around shapes follow
//! their poses is found by differences of the boxes, and only here.

use gudgeon_collide::Aabb;
use gudgeon_spatial::{Force, Motion, Vector3, Vector6};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::linear::Linearization;
use super::parameters::Parameters;
use super::products::{ProductScratch, Worth};
use crate::simulator::{Simulator, View};

/// A group whose recovery was cut short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    group: usize,
    share: f64,
    fast: f64,
    link: usize,
    reach: f64,
    pace: Option<Corner>,
}

/// The fastest corner of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    link: usize,
    point: Vector3<f64>, // world
    speed: f64,
}

/// How sizes follow the pose of a shape: of the reach of the cut with this number, and of its corner in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Size {
    cut: usize,
    collider: usize,
    reach: Vector6<f64>,
    corner: [Vector6<f64>; 3],
}

/// The cuts of a step, ready for products.
#[derive(Debug, Clone, Default)]
pub(super) struct Cuts {
    list: Vec<Cut>,
    sizes: Vec<Size>,
    tree: Vec<usize>, // by dof: its group
    added: Vec<f64>,  // m, by dof
    on_uncut: Vec<f64>,
    on_added: Vec<f64>,
}

/// The step of the differences of boxes, m and rad: 1e-11 is cut off of a box of a metre, 1e-11 rounded.
const NEARBY: f64 = 1e-5;

/// Box and reach of the shapes of a link, one of them moved.
fn extent(view: &View<'_>, link: usize, moved: Option<(usize, Isometry3<f64>)>) -> (f64, Option<Aabb>) {
    let (mut reach, mut around) = (0.0_f64, None::<Aabb>);
    for (k, c) in view.geometry.colliders().iter().enumerate().filter(|(k, _)| view.links[*k].0 == link) {
        let pose = moved.filter(|m| m.0 == k).map_or(c.pose, |m| c.pose * m.1);
        let aabb = c.shape.aabb(&pose);
        let far = aabb.lo.abs().sup(&aabb.hi.abs()).norm();
        if far.is_finite() {
            reach = reach.max(far);
            around = Some(around.map_or(aabb, |b| b.join(&aabb)));
        }
    }
    (reach, around)
}

fn corner(b: &Aabb, k: usize) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if k >> i & 1 == 1 { b.hi[i] } else { b.lo[i] })
}

impl Linearization {
    /// Reads the groups whose recovery the step cut to a speed.
    pub(super) fn read_cuts(&mut self, sim: &Simulator, view: &View<'_>) {
        let tape = &sim.tape;
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.list.clear();
        cuts.sizes.clear();
        if tape.bounds.is_empty() {
            self.cuts = cuts;
            return;
        }
        cuts.tree.clear();
        cuts.tree.extend_from_slice(view.tree);
        cuts.added.clear();
        cuts.added.extend(tape.recovered.iter().zip(&tape.unrecovered).map(|(r, u)| r - u));
        let mut field = std::mem::take(&mut self.field);
        for b in &tape.bounds {
            self.fields.spread(&self.model, &tape.before.v, &mut field);
            let (mut pace, mut which) = (None::<Corner>, 0);
            for link in (1..self.model.n_links()).filter(|k| view.groups[*k] == view.groups[b.link]) {
                let Some(around) = extent(view, link, None).1 else { continue };
                for k in 0..8 {
                    let point = view.poses[link] * nalgebra::Point3::from(corner(&around, k));
                    let point = point.coords;
                    let speed = self.fields.at(link, field[link], &point).norm();
                    if speed > pace.map_or(0.0, |p| p.speed) {
                        (pace, which) = (Some(Corner { link, point, speed }), k);
                    }
                }
            }
            let cut = cuts.list.len();
            self.fields.spread(&self.model, &cuts.added, &mut field);
            let origin = self.fields.origin[b.link];
            let reach = extent(view, b.link, None).0;
            let fast =
                self.fields.at(b.link, field[b.link], &origin).norm() + field[b.link].angular.norm() * reach;
            cuts.list.push(Cut { group: b.group, share: b.share, fast, link: b.link, reach, pace });
            for collider in 0..view.links.len() {
                let own = view.links[collider].0;
                if own != b.link && pace.is_none_or(|p| p.link != own) {
                    continue;
                }
                cuts.sizes.push(size(view, cut, collider, b.link, pace.map(|p| (p.link, which))));
            }
        }
        self.field = field;
        self.cuts = cuts;
    }

    /// `sc.dv_move` from the change of the whole recovery to that of its part; `sc.dv_first` is the change before it.
    pub(super) fn cuts_jvp(&mut self, dv: &[f64], parameters: Option<&Parameters>, sc: &mut ProductScratch) {
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.on_added.clear();
        cuts.on_added.extend(sc.dv_move.iter().zip(&sc.dv_first).map(|(r, u)| r - u));
        for (number, c) in cuts.list.iter().enumerate() {
            let (linear, angular) = self.change_at(c.link, None, &cuts.added, &cuts.on_added, sc);
            let [v, w] = self.directions(c.link, &cuts.added, sc);
            let mut fast = v.1.dot(&linear) + c.reach * w.1.dot(&angular);
            let mut pace = 0.0;
            let mut turn = Vector3::zeros();
            if let Some(p) = c.pace {
                let v_before = std::mem::take(&mut self.v_before);
                let (linear, _) = self.change_at(p.link, Some(p.point), &v_before, dv, sc);
                let velocity = self.fields.at(p.link, sc.field[p.link], &p.point) / p.speed;
                pace += velocity.dot(&linear);
                turn = velocity.cross(&sc.field[p.link].angular);
                self.v_before = v_before;
            }
            for s in cuts.sizes.iter().filter(|s| s.cut == number) {
                let Some(pose) = parameters.map(|p| &p.pose[s.collider]) else { continue };
                fast += w.0 * s.reach.dot(pose);
                pace += (0..3).map(|i| turn[i] * s.corner[i].dot(pose)).sum::<f64>();
            }
            let ds = (2.0 * pace - c.share * fast) / c.fast;
            for k in (0..dv.len()).filter(|k| cuts.tree[*k] == c.group) {
                sc.dv_move[k] = sc.dv_first[k] + c.share * cuts.on_added[k] + ds * cuts.added[k];
            }
        }
        self.cuts = cuts;
    }

    /// The transpose: shares `sc.on_move` of the part become those of the whole recovery; what falls on the velocity before it is
    /// kept for [`Self::uncut`].
    pub(super) fn cuts_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let mut cuts = std::mem::take(&mut self.cuts);
        let n = sc.on_move.len();
        cuts.on_uncut.clear();
        cuts.on_uncut.resize(n, 0.0);
        let zero = Force::zero();
        for list in [&mut sc.on_moved, &mut sc.on_x, &mut sc.on_varied] {
            list.clear();
            list.resize(self.model.n_links(), zero);
        }
        for (number, c) in cuts.list.iter().enumerate() {
            let own = |k: &usize| cuts.tree[*k] == c.group;
            let share: f64 = (0..n).filter(own).map(|k| sc.on_move[k] * cuts.added[k]).sum();
            let (on_pace, on_fast) = (2.0 * share / c.fast, -c.share * share / c.fast);
            cuts.on_added.clear();
            cuts.on_added.resize(n, 0.0);
            let [v, w] = self.directions(c.link, &cuts.added, sc);
            let origin = self.fields.origin[c.link];
            let force = (v.1 * on_fast, w.1 * (on_fast * c.reach));
            self.share_at(c.link, &origin, force, &cuts.added, &mut cuts.on_added, sc);
            let mut turn = Vector3::zeros();
            if let Some(p) = c.pace {
                let v_before = std::mem::take(&mut self.v_before);
                self.fields.spread(&self.model, &v_before, &mut sc.field);
                let velocity = self.fields.at(p.link, sc.field[p.link], &p.point) / p.speed;
                turn = velocity.cross(&sc.field[p.link].angular);
                let force = (velocity * on_pace, Vector3::zeros());
                self.share_at(p.link, &p.point, force, &v_before, &mut out.v, sc);
                self.v_before = v_before;
            }
            if self.parameters_wanted {
                for s in cuts.sizes.iter().filter(|s| s.cut == number) {
                    let pose = &mut out.parameters.pose[s.collider];
                    *pose += s.reach * (on_fast * w.0);
                    (0..3).for_each(|i| *pose += s.corner[i] * (on_pace * turn[i]));
                }
            }
            for k in (0..n).filter(own) {
                let on_added = cuts.on_added[k] + c.share * sc.on_move[k];
                cuts.on_uncut[k] = sc.on_move[k] - on_added;
                sc.on_move[k] = on_added;
            }
        }
        self.fields.gather(&self.model, &mut sc.on_moved, &mut out.q);
        self.cuts = cuts;
    }

    /// Adds what [`Self::cuts_vjp`] kept.
    pub(super) fn uncut(&self, sc: &mut ProductScratch) {
        sc.on_move.iter_mut().zip(&self.cuts.on_uncut).for_each(|(x, u)| *x += u);
    }

    pub(super) fn is_cut(&self) -> bool {
        !self.cuts.list.is_empty()
    }

    /// Length and direction of the linear velocity of a link's origin and of its angular one, moving with x.
    fn directions(&self, link: usize, x: &[f64], sc: &mut ProductScratch) -> [(f64, Vector3<f64>); 2] {
        self.fields.spread(&self.model, x, &mut sc.field);
        let own = sc.field[link];
        [self.fields.at(link, own, &self.fields.origin[link]), own.angular].map(|v| {
            let length = v.norm();
            (length, if length > 0.0 { v / length } else { v })
        })
    }

    /// The change of the velocity at a point that rides on a link (its origin if none is given), and of its angular one, where the
    /// link moves with x and x changes by dx; `sc.moved` holds the displacement of the links, `sc.field` is left with x.
    fn change_at(
        &self,
        link: usize,
        point: Option<Vector3<f64>>,
        x: &[f64],
        dx: &[f64],
        sc: &mut ProductScratch,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let f = &self.fields;
        f.spread(&self.model, x, &mut sc.field);
        f.vary(&self.model, x, &sc.moved, &mut sc.varied);
        f.spread(&self.model, dx, &mut sc.spread);
        let point = point.unwrap_or(f.origin[link]);
        let sum: Motion = sc.varied[link] + sc.spread[link];
        let ridden = f.at(link, sc.moved[link], &point);
        (f.at(link, sum, &point) + sc.field[link].angular.cross(&ridden), sum.angular)
    }

    /// The transpose of [`Self::change_at`] for a force and a moment: to `on_x`, and to `sc.on_moved`.
    fn share_at(
        &self,
        link: usize,
        point: &Vector3<f64>,
        (force, moment): (Vector3<f64>, Vector3<f64>),
        x: &[f64],
        on_x: &mut [f64],
        sc: &mut ProductScratch,
    ) {
        let f = &self.fields;
        f.spread(&self.model, x, &mut sc.field);
        let ridden = force.cross(&sc.field[link].angular);
        sc.on_moved[link] += f.about(link, point, Vector3::zeros(), ridden);
        sc.on_x.fill(Force::zero());
        sc.on_x[link] = f.about(link, point, moment, force);
        sc.on_varied.copy_from_slice(&sc.on_x);
        f.vary_transposed(&self.model, x, &mut sc.on_varied, &mut sc.on_moved);
        f.gather(&self.model, &mut sc.on_x, on_x);
    }
}

/// Differences of the boxes for the pose of one shape.
fn size(view: &View<'_>, cut: usize, collider: usize, fast: usize, pace: Option<(usize, usize)>) -> Size {
    let mut out = Size { cut, collider, reach: Vector6::zeros(), corner: [Vector6::zeros(); 3] };
    for axis in 0..6 {
        let unit = Vector3::from_fn(|i, _| if i == axis % 3 { NEARBY } else { 0.0 });
        let moved = |sign: f64| {
            let (turn, shift) = if axis < 3 { (unit, Vector3::zeros()) } else { (Vector3::zeros(), unit) };
            let turn = UnitQuaternion::from_scaled_axis(turn * sign);
            (collider, Isometry3::from_parts(Translation3::from(shift * sign), turn))
        };
        let both = |link: usize| [-1.0, 1.0].map(|sign| extent(view, link, Some(moved(sign))));
        if view.links[collider].0 == fast {
            let [low, high] = both(fast);
            out.reach[axis] = (high.0 - low.0) / (2.0 * NEARBY);
        }
        let Some((link, which)) = pace.filter(|p| p.0 == view.links[collider].0) else { continue };
        if let [(_, Some(low)), (_, Some(high))] = both(link) {
            let by =
                view.poses[link].rotation * ((corner(&high, which) - corner(&low, which)) / (2.0 * NEARBY));
            (0..3).for_each(|i| out.corner[i][axis] = by[i]);
        }
    }
    out
}

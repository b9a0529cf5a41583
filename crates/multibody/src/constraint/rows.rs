//! Loop joints and couplings as rows: position error g, Jacobian J, and the velocity term γ = J̇ v.
//!
//! A loop joint ties frame A on link a to frame B on link b.
//! ```text
//!     point    : e_A·(p_B - p_A), e = x, y, z    3 rows, in the axes of frame A
//!     revolute : point, z_B·x_A, z_B·y_A         5 rows; the axis is z of both frames
//!     weld     : point, y_B·x_A, z_B·y_A, x_B·z_A   6 rows
//!     line, cylindrical, prismatic: point, revolute, weld without the row along z_A: frame B slides along that axis
//!     plane    : point with the row along z_A alone
//!
//!     g = e_A·d_B   ⇒   ġ = (ω_B - ω_A)·(d × e)
//!                       g̈ = (α_B - α_A)·(d × e) + (ω_B - ω_A)·(ḋ × e + d × ė)
//!     g = e_A·(p_B - p_A) ⇒ ġ = e·u,   u = v_B - v_A, both at p_B
//!                       g̈ = e·(a_B - a_A) + 2 (ω_A × e)·u
//!     coupling : g = Σ c_k q_k - offset - f(q_d)     1 row, J_d = c_d - f′, γ = -f″ q̇_d²; mostly f = 0
//! ```
//! A row that a kind leaves free stays in its place, empty, as a row that no joint moves does.
//!
//! Axes of frame A, not of the world: across a planar loop no joint moves the row along the pins, and it is zero however
//! the mechanism lies in space. In world axes that row is a multiple of the others, down to rounding, and a walker that
//! turned by a milliradian was held by the rounding.
//!
//! All rows are exact derivatives of g also where the loop gapes, so Newton's method converges quadratically.
//! A product of directions also vanishes when the axes are opposed; `assemble` refuses such a solution.

use gudgeon_spatial::{Force, Pose, Vector3};

use crate::kinematics::{bias_accelerations, point_acceleration, point_velocity};
use crate::model::{LinkId, Loop, LoopKind, Model, State};
use crate::rows::Rows;
use crate::workspace::Workspace;

impl Loop {
    /// Pairs (axis of A, axis of B) whose product must vanish.
    pub(crate) fn products(&self) -> &'static [(usize, usize)] {
        match self.kind {
            LoopKind::Point | LoopKind::Line | LoopKind::Plane => &[],
            LoopKind::Revolute | LoopKind::Cylindrical => &[(0, 2), (1, 2)],
            LoopKind::Weld | LoopKind::Prismatic => &[(0, 1), (1, 2), (2, 0)],
        }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        3 + self.products().len()
    }

    /// Row `k` as forces on the two links; wants `kinematics`.
    pub(crate) fn row(&self, k: usize, ws: &Workspace) -> LoopRow {
        self.row_between(k, ws, &self.frames(ws))
    }

    /// The same with the frames at hand.
    fn row_between(&self, k: usize, ws: &Workspace, (x_a, x_b): &(Pose, Pose)) -> LoopRow {
        if k < 3 && !self.kind.holds()[k] {
            return LoopRow { on_a: Force::zero(), on_b: Force::zero(), g: 0.0 };
        }
        if k < 3 {
            // opposite unit forces at the origin of B, along an axis that turns with A: exact also across a gap
            let e: Vector3<f64> = x_a.rotation.column(k).into();
            let unit = Force::new(Vector3::zeros(), e);
            let back = |link: LinkId| ws.placed[link.0].origin - x_b.translation;
            let on_a = (-unit).at(&back(self.a));
            let on_b = unit.at(&back(self.b));
            return LoopRow { on_a, on_b, g: e.dot(&(x_b.translation - x_a.translation)) };
        }
        let (i, j) = self.products()[k - 3];
        let (e, d) = axes(x_a, x_b, i, j);
        let moment = Force::new(d.cross(&e), Vector3::zeros());
        LoopRow { on_a: -moment, on_b: moment, g: e.dot(&d) }
    }

    /// Row `k` as forces on the first and the second link, world axes about their origins; wants `kinematics`.
    pub fn row_forces(&self, k: usize, ws: &Workspace) -> (Force, Force) {
        let row = self.row(k, ws);
        (row.on_a, row.on_b)
    }

    /// World poses of the two frames; wants `kinematics`.
    pub fn frames(&self, ws: &Workspace) -> (Pose, Pose) {
        (ws.pose(self.a).compose(&self.frame_a), ws.pose(self.b).compose(&self.frame_b))
    }

    /// True if the frames agree in direction, not only in the products that vanish.
    pub(crate) fn is_upright(&self, ws: &Workspace) -> bool {
        let (x_a, x_b) = self.frames(ws);
        let along = |k: usize| x_a.rotation.column(k).dot(&x_b.rotation.column(k)) > 0.0;
        match self.kind {
            LoopKind::Point | LoopKind::Line | LoopKind::Plane => true,
            LoopKind::Revolute | LoopKind::Cylindrical => along(2),
            LoopKind::Weld | LoopKind::Prismatic => (0..3).all(along),
        }
    }

    /// Distance between the two points along the directions that hold them, m; wants `kinematics`.
    pub fn gap(&self, ws: &Workspace) -> f64 {
        let (x_a, x_b) = self.frames(ws);
        let mut open = x_a.rotation.transpose() * (x_b.translation - x_a.translation);
        for (x, held) in open.iter_mut().zip(self.kind.holds()) {
            *x = if held { *x } else { 0.0 };
        }
        open.norm()
    }
}

/// One row of a loop: unit forces on its links, world axes about their origins, and the position error.
pub(crate) struct LoopRow {
    pub(crate) on_a: Force,
    pub(crate) on_b: Force,
    pub(crate) g: f64,
}

/// Rows smaller than this part of their natural size are rounding and drift of some 1e-9, not levers: no mechanism is
/// built to be within a tenth of a microradian of its dead point.
const NULL_ROW: f64 = 1e-7;

/// The rows of all loops, then all couplings, of a model; keeps its memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstraintRows {
    /// J.
    pub rows: Rows,
    /// Position error of each row, m or rad.
    pub g: Vec<f64>,
    /// J̇ v of each row, m/s² or rad/s²; zero unless asked for.
    pub gamma: Vec<f64>,
}

impl ConstraintRows {
    /// Rows and position errors at `state.q`; wants `kinematics`.
    pub fn positions(&mut self, model: &Model, state: &State, ws: &Workspace) {
        self.rows.clear();
        self.g.clear();
        self.gamma.clear();
        for l in &model.loops {
            self.push_loop(model, l, ws);
        }
        for coupling in &model.couplings {
            let (g, slope, _) = coupling.measure(|dof| coordinate(model, state, dof));
            let bent = coupling.curve.as_ref().map(|c| c.0);
            self.g.push(g);
            self.rows.push(
                coupling.terms.iter().map(|&(dof, c)| (dof, if bent == Some(dof) { c - slope } else { c })),
            );
        }
        self.gamma.resize(self.g.len(), 0.0);
    }

    /// Adds γ; wants `positions` and `velocities` of the same state. Overwrites the link accelerations of `ws`.
    pub fn velocity_terms(&mut self, model: &Model, state: &State, ws: &mut Workspace) {
        bias_accelerations(model, ws);
        let mut at = 0;
        for l in &model.loops {
            let (x_a, x_b) = l.frames(ws);
            let (w_a, w_b) = (ws.v[l.a.0].angular, ws.v[l.b.0].angular);
            let p = &x_b.translation;
            let gap = point_acceleration(ws, l.b, p) - point_acceleration(ws, l.a, p);
            let u = point_velocity(ws, l.b, p) - point_velocity(ws, l.a, p);
            for (k, held) in l.kind.holds().into_iter().enumerate() {
                let e: Vector3<f64> = x_a.rotation.column(k).into();
                self.gamma[at] = if held { e.dot(&gap) + 2.0 * w_a.cross(&e).dot(&u) } else { 0.0 };
                at += 1;
            }
            let alpha = ws.a[l.b.0].angular - ws.a[l.a.0].angular;
            for &(i, j) in l.products() {
                let (e, d) = axes(&x_a, &x_b, i, j);
                let rate = w_b.cross(&d).cross(&e) + d.cross(&w_a.cross(&e));
                self.gamma[at] = alpha.dot(&d.cross(&e)) + (w_b - w_a).dot(&rate);
                at += 1;
            }
        }
        for coupling in &model.couplings {
            if let Some((dof, _)) = &coupling.curve {
                let curvature = coupling.measure(|dof| coordinate(model, state, dof)).2;
                self.gamma[at] = -curvature * state.v[*dof] * state.v[*dof];
            }
            at += 1;
        }
    }

    fn push_loop(&mut self, model: &Model, l: &Loop, ws: &Workspace) {
        let (first, frames) = (self.rows.len(), l.frames(ws));
        for k in 0..l.n_rows() {
            let row = l.row_between(k, ws, &frames);
            self.rows.push_forces(model, ws, (l.a, row.on_a), (l.b, row.on_b));
            self.g.push(row.g);
        }
        // a row that no joint moves, as across a planar mechanism, is nothing but error: scaled up it would turn the
        // mechanism over to mend a picometre. Levers are compared with those of the same loop, angles with one.
        let size = |rows: &Rows, i: usize| rows.row(i).1.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let lever = (first..first + 3).map(|i| size(&self.rows, i)).fold(0.0, f64::max);
        for i in first..self.rows.len() {
            let unit = if i < first + 3 { lever } else { 1.0 };
            if size(&self.rows, i) < NULL_ROW * unit {
                self.rows.empty_row(i);
            }
        }
    }

    /// Largest position error, m or rad; infinite if some error is not a number.
    pub fn largest(&self) -> f64 {
        self.g.iter().fold(0.0, |m, x| largest_of(m, x.abs()))
    }
}

fn coordinate(model: &Model, state: &State, dof: usize) -> f64 {
    state.q[model.dof_coordinate(dof).expect("the builder couples plain coordinates only")]
}

fn axes(x_a: &Pose, x_b: &Pose, i: usize, j: usize) -> (Vector3<f64>, Vector3<f64>) {
    (x_a.rotation.column(i).into(), x_b.rotation.column(j).into())
}

/// The larger of two sizes; a size that is not a number is infinite, so that no disaster passes for zero.
fn largest_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// Largest distance between the two points of any loop joint, m; infinite if it is not a number. Wants `kinematics`.
pub fn loop_gap(model: &Model, ws: &Workspace) -> f64 {
    model.loops.iter().map(|l| l.gap(ws)).fold(0.0, largest_of)
}

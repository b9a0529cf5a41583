//! A frame pulled to another by springs and dampers: how a body follows one that is placed by hand.
//!
//! ```text
//!     a = -2 ẋ/(d τ) - x/(d τ ζ)²      wanted of each of the six (or three) rows, x its error
//!     f = m a                          m = 1/(J M⁻¹ Jᵀ) of the row at the start
//! ```
//! The rows are springs taken at the end of the step, with m k and m b for stiffness and damping; the format's soft welds have
//! the same time constant τ, ratio ζ and greatest impedance d. Errors of rotation are the vector of the turn between
//! the frames, in world axes.

use gudgeon_multibody::{LinkId, MassFactor, Model, Rows, Workspace};
use gudgeon_spatial::{Force, Matrix3, Pose, Quaternion, Vector3};

/// A body that follows another frame softly.
#[derive(Debug, Clone, PartialEq)]
pub struct Tether {
    /// The link that follows, and the frame in it that is held.
    pub link: LinkId,
    /// See `link`.
    pub at: Pose,
    /// The link that leads, and the frame in it that is wanted.
    pub lead: LinkId,
    /// See `lead`.
    pub target: Pose,
    /// Whether the frames' axes are held too, or only their origins.
    pub turns: bool,
    /// Time constant, s, ratio of damping, greatest impedance.
    pub pull: [f64; 3],
    /// By row: the inertia that it feels, kg or kg m²; to be found if empty.
    pub inertia: Vec<f64>,
}

/// One row of a tether.
pub(crate) struct TetherRow {
    pub(crate) row: Vec<(usize, f64)>,
    pub(crate) stretch: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
}

impl Tether {
    fn errors(&self, ws: &Workspace) -> (Pose, Vector3<f64>, Vector3<f64>) {
        let own = ws.pose(self.link).compose(&self.at);
        let aim = ws.pose(self.lead).compose(&self.target);
        let turn: Matrix3<f64> = own.rotation * aim.rotation.transpose();
        (own, own.translation - aim.translation, Quaternion::from_matrix(&turn).log())
    }

    /// The rows against a unit of each axis: three of places, three of turns if they are held.
    fn rows(&self, model: &Model, ws: &Workspace, at: &Vector3<f64>, rows: &mut Rows) {
        rows.clear();
        for k in 0..if self.turns { 6 } else { 3 } {
            let axis = Vector3::ith(k % 3, 1.0);
            let zero = Vector3::zeros();
            let force = if k < 3 { Force::new(zero, axis) } else { Force::new(axis, zero) };
            rows.push_between(model, ws, self.lead, self.link, at, force);
        }
    }

    /// Finds the inertia of the rows where `ws` stands.
    pub(crate) fn weigh(&mut self, model: &Model, ws: &Workspace, factor: &MassFactor) {
        let (own, ..) = self.errors(ws);
        let mut rows = Rows::default();
        self.rows(model, ws, &own.translation, &mut rows);
        self.inertia.clear();
        for k in 0..rows.len() {
            let mut answer = vec![0.0; model.n_v()];
            rows.add_to(k, 1.0, &mut answer);
            factor.solve(model, &mut answer);
            let per_mass = rows.dot(k, &answer);
            self.inertia.push(if per_mass > 0.0 { 1.0 / per_mass } else { 0.0 });
        }
    }

    /// What pulls in a step; wants `kinematics`.
    pub(crate) fn pulls(&self, model: &Model, ws: &Workspace, each: &mut dyn FnMut(usize, TetherRow)) {
        let (own, place, turn) = self.errors(ws);
        let mut rows = Rows::default();
        self.rows(model, ws, &own.translation, &mut rows);
        let [time, ratio, most] = self.pull;
        for k in 0..rows.len().min(self.inertia.len()) {
            let (dofs, values) = rows.row(k);
            let row: Vec<(usize, f64)> = dofs.iter().copied().zip(values.iter().copied()).collect();
            let m = self.inertia[k];
            if row.is_empty() || m == 0.0 {
                continue;
            }
            let stretch = if k < 3 { place[k] } else { turn[k - 3] };
            let stiffness = m / (most * time * ratio).powi(2);
            each(k, TetherRow { row, stretch, stiffness, damping: 2.0 * m / (most * time) });
        }
    }
}

//! Lengths of what an actuator or a string acts along, and their rows ∂l/∂q.

use gudgeon_multibody::{LinkId, Model, Rows, Workspace};
use gudgeon_spatial::{Force, Pose, Quaternion, Vector3};

use super::Equipment;
use super::tendon::{Passage, TendonPath};
use super::wrap;
use crate::tolerances::MUJOCO_ZERO;

/// A coordinate of a hinge or slide: coefficient · (q + reference).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// The link whose joint it is.
    pub link: LinkId,
    /// Which of its dofs.
    pub dof: usize,
    /// How much of it counts.
    pub coefficient: f64,
    /// The file's value at q = 0.
    pub reference: f64,
}

/// What an actuator acts along.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    /// A coordinate.
    Joint(Term),
    /// A turn about an axis of a ball joint: in its own axes, or in the parent's.
    Ball {
        /// The link on the ball joint.
        link: LinkId,
        /// rad per unit of length.
        axis: [f64; 3],
        /// The axis moves with the parent, not with the link.
        in_parent: bool,
    },
    /// A wrench on a free body: force in world axes, torque in its own (or the world's if `in_parent`).
    Free {
        /// The link.
        link: LinkId,
        /// Force, torque.
        wrench: [f64; 6],
        /// The torque's axes are the world's.
        in_parent: bool,
    },
    /// A string, by index.
    Tendon(usize),
    /// A wrench at a site in its axes, or in those of another site against which its place is measured.
    Site {
        /// Where it acts.
        site: usize,
        /// The site it is measured against.
        against: Option<usize>,
        /// Force, torque.
        wrench: [f64; 6],
    },
    /// A slider moved by a crank and a rod.
    Crank {
        /// The site at the crank's pin.
        crank: usize,
        /// The site whose z axis the slider runs along.
        slider: usize,
        /// Length of the rod, m.
        rod: f64,
    },
    /// A pull on every contact of a link along its normal, shared equally.
    Adhesion(LinkId),
}

impl Path {
    /// The same on other links.
    pub fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        match self {
            Self::Joint(term) => term.link = to(term.link).0,
            Self::Ball { link, .. } | Self::Free { link, .. } | Self::Adhesion(link) => *link = to(*link).0,
            Self::Tendon(_) | Self::Site { .. } | Self::Crank { .. } => {}
        }
    }

    /// The same with sites and tendons behind others.
    pub fn shift(&mut self, sites: usize, tendons: usize) {
        match self {
            Self::Tendon(k) => *k += tendons,
            Self::Site { site, against, .. } => {
                *site += sites;
                if let Some(k) = against {
                    *k += sites;
                }
            }
            Self::Crank { crank, slider, .. } => {
                *crank += sites;
                *slider += sites;
            }
            _ => {}
        }
    }
}

/// A length and its row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Along {
    pub(crate) length: f64,
    /// dof, ∂l/∂q; ascending, entries that are not zero.
    pub(crate) row: Vec<(usize, f64)>,
    dense: Vec<f64>,
    rows: Rows,
}

impl Along {
    /// The rate of the length.
    pub(crate) fn velocity(&self, v: &[f64]) -> f64 {
        self.row.iter().map(|&(k, j)| j * v[k]).sum()
    }

    /// Adds the generalised force of a pull to `tau`.
    pub(crate) fn add_force(&self, force: f64, tau: &mut [f64]) {
        for &(k, j) in &self.row {
            tau[k] += j * force;
        }
    }

    fn begin(&mut self, model: &Model) {
        self.length = 0.0;
        self.row.clear();
        self.dense.clear();
        self.dense.resize(model.n_v(), 0.0);
    }

    fn finish(&mut self, scale: f64) {
        self.length *= scale;
        let entries = self.dense.iter().enumerate().filter(|(_, x)| **x != 0.0);
        self.row.extend(entries.map(|(k, x)| (k, x * scale)));
    }

    /// Adds the row of a force between two links at a point (world axes).
    fn between(&mut self, model: &Model, ws: &Workspace, a: LinkId, b: LinkId, p: &Vector3<f64>, f: Force) {
        self.rows.clear();
        self.rows.push_between(model, ws, a, b, p, f);
        self.rows.add_to(0, 1.0, &mut self.dense);
    }

    /// Length and row of a path, times the gear. Wants `kinematics` in `ws`.
    pub(crate) fn path(
        &mut self,
        path: &Path,
        gear: f64,
        equipment: &Equipment,
        model: &Model,
        q: &[f64],
        ws: &Workspace,
    ) {
        if let Path::Tendon(k) = path {
            return self.tendon(*k, gear, equipment, model, q, ws);
        }
        if let Path::Joint(term) = path {
            let link = model.link(term.link);
            let c = gear * term.coefficient;
            self.length = c * (q[link.q_start + term.dof] + term.reference);
            self.row.clear();
            self.row.push((link.v_start + term.dof, c));
            return;
        }
        self.begin(model);
        match path {
            Path::Ball { link, axis, in_parent } => {
                let own = model.link(*link);
                let turn = Quaternion::read(&q[own.q_range()]);
                let axis = Vector3::from(*axis);
                self.length = turn.log().dot(&axis);
                let axis = if *in_parent { turn.to_matrix().transpose() * axis } else { axis };
                self.dense[own.v_range()].copy_from_slice(axis.as_slice());
            }
            Path::Free { link, wrench: [fx, fy, fz, tx, ty, tz], in_parent } => {
                let own = model.link(*link);
                let torque = Vector3::new(*tx, *ty, *tz);
                let turn = ws.pose(*link).rotation;
                let torque = if *in_parent { turn.transpose() * torque } else { torque };
                let six = [torque.x, torque.y, torque.z, *fx, *fy, *fz];
                self.dense[own.v_range()].copy_from_slice(&six);
            }
            Path::Site { site, against, wrench } => self.site(*site, *against, wrench, equipment, model, ws),
            Path::Crank { crank, slider, rod } => self.crank(*crank, *slider, *rod, equipment, model, ws),
            Path::Joint(_) | Path::Tendon(_) | Path::Adhesion(_) => {}
        }
        self.finish(gear);
    }

    /// Length and row of a string, times a gear. Wants `kinematics` in `ws`.
    pub(crate) fn tendon(
        &mut self,
        tendon: usize,
        gear: f64,
        equipment: &Equipment,
        model: &Model,
        q: &[f64],
        ws: &Workspace,
    ) {
        self.begin(model);
        match &equipment.tendons[tendon].path {
            TendonPath::Fixed(terms) => terms.iter().for_each(|t| self.term(t, model, q)),
            TendonPath::Spatial(passages) => self.spatial(passages, equipment, model, ws),
        }
        self.finish(gear);
    }

    fn term(&mut self, term: &Term, model: &Model, q: &[f64]) {
        let link = model.link(term.link);
        self.length += term.coefficient * (q[link.q_start + term.dof] + term.reference);
        self.dense[link.v_start + term.dof] += term.coefficient;
    }

    /// Straight pieces between sites, arcs over bodies.
    fn spatial(&mut self, passages: &[Passage], equipment: &Equipment, model: &Model, ws: &Workspace) {
        let mut divisor = 1.0;
        let mut last: Option<(LinkId, Vector3<f64>)> = None;
        let site = |k: usize| (equipment.sites[k].link, equipment.site_pose(k, ws).translation);
        let mut k = 0;
        while k < passages.len() {
            match &passages[k] {
                Passage::Pulley(by) => (divisor, last) = (*by, None),
                Passage::Site(s) => {
                    let here = site(*s);
                    if let Some(from) = last {
                        self.piece(from, here, divisor, model, ws);
                    }
                    last = Some(here);
                }
                Passage::Over { link, pose, shape, side } => {
                    if let (Some(from), Some(Passage::Site(next))) = (last, passages.get(k + 1)) {
                        let to = site(*next);
                        let x = ws.pose(*link).compose(pose);
                        let side = side.map(|s| site(s).1);
                        if let Some((a, b, arc)) = wrap::around(*shape, &x, &from.1, &to.1, side.as_ref()) {
                            self.piece(from, (*link, a), divisor, model, ws);
                            self.length += arc / divisor;
                            last = Some((*link, b));
                        }
                    }
                }
            }
            k += 1;
        }
    }

    fn piece(
        &mut self,
        from: (LinkId, Vector3<f64>),
        to: (LinkId, Vector3<f64>),
        divisor: f64,
        model: &Model,
        ws: &Workspace,
    ) {
        let d = to.1 - from.1;
        let length = d.norm();
        self.length += length / divisor;
        if from.0 != to.0 && length > MUJOCO_ZERO {
            // a force along the line has the same moment at both ends
            let pull = Force::new(Vector3::zeros(), d / (length * divisor));
            self.between(model, ws, from.0, to.0, &to.1, pull);
        }
    }

    fn site(
        &mut self,
        site: usize,
        against: Option<usize>,
        wrench: &[f64; 6],
        equipment: &Equipment,
        model: &Model,
        ws: &Workspace,
    ) {
        let x = equipment.site_pose(site, ws);
        let [force, torque] = [0, 3].map(|k| Vector3::new(wrench[k], wrench[k + 1], wrench[k + 2]));
        let link = equipment.sites[site].link;
        let Some(other) = against else {
            let f = Force::new(x.direction(&torque), x.direction(&force));
            return self.between(model, ws, LinkId::WORLD, link, &x.translation, f);
        };
        let y = equipment.site_pose(other, ws);
        let local = y.rotation.transpose() * (x.translation - y.translation);
        self.length = force.dot(&local);
        if torque != Vector3::zeros() {
            let turn = Quaternion::from_matrix(&(y.rotation.transpose() * x.rotation));
            self.length += torque.dot(&turn.log());
        }
        // as the format has it, each side at its own site, and nothing for what carries both: not the rate of the length where the other site turns
        let f = Force::new(y.direction(&torque), y.direction(&force));
        let base = equipment.sites[other].link;
        self.between(model, ws, LinkId::WORLD, link, &x.translation, f);
        self.between(model, ws, LinkId::WORLD, base, &y.translation, -f);
        let mut common = base;
        while common != LinkId::WORLD {
            if carries(model, common, link) {
                self.dense[model.link(common).v_range()].fill(0.0);
            }
            common = model.link(common).parent;
        }
    }

    /// l = a·v − √((a·v)² + r² − v·v), v from slider to crank, a along the slider.
    fn crank(
        &mut self,
        crank: usize,
        slider: usize,
        rod: f64,
        equipment: &Equipment,
        model: &Model,
        ws: &Workspace,
    ) {
        let (c, s) = (equipment.site_pose(crank, ws), equipment.site_pose(slider, ws));
        let (axis, v) = (s.direction(&Vector3::z()), c.translation - s.translation);
        let av = v.dot(&axis);
        let square = av * av + rod * rod - v.dot(&v);
        let (l, dv, da) = if square <= 0.0 {
            (av, axis, v)
        } else {
            let root = square.sqrt();
            (av - root, axis * (1.0 - av / root) + v / root, v * (1.0 - av / root))
        };
        self.length = l;
        let (link_c, link_s) = (equipment.sites[crank].link, equipment.sites[slider].link);
        // ∂v/∂q of the two points, and the axis turning with the slider
        self.between(model, ws, LinkId::WORLD, link_c, &c.translation, Force::new(Vector3::zeros(), dv));
        let turn = axis.cross(&da);
        self.between(model, ws, LinkId::WORLD, link_s, &s.translation, Force::new(turn, -dv));
    }
}

/// Whether a link is on the way from the world to another, or that one itself.
fn carries(model: &Model, below: LinkId, mut link: LinkId) -> bool {
    while link != LinkId::WORLD {
        if link == below {
            return true;
        }
        link = model.link(link).parent;
    }
    false
}

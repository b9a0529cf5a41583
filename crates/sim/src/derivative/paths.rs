//! What actuators, strings and followed frames act along, under a change of position.
//!
//! ```text
//!     δl = L δq,     δJ = H δq          l the length of a path, J its row: l̇ = J v, τ = Jᵀ f
//! ```
//! A coordinate, or a sum of coordinates, has L = J and H = 0. Of a path through space the row is there in closed form; L and H
//! are differences of sixth order of l and J over the degrees of freedom that carry it, each one turned or moved by up to
//! three ten-thousandths: good to eleven digits where the path is a centimetre long. Where a string comes off a body within
//! that, the differences are of both sides.

use gudgeon_multibody::{LinkId, Model, Workspace, integrate, kinematics};

use crate::actuation::Source;
use crate::controller::Controller;
use crate::equipment::{Along, Equipment, Passage, Path, TendonPath};

/// rad or m: its sixth power is rounding, and rounding over it is 1e-12.
const STEP: f64 = 1e-4;

/// Weights of a first derivative of sixth order at one, two and three steps to either side.
const WEIGHTS: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];

/// An entry of H: how the entry of J at dof `row` changes with dof `by`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bend {
    path: usize,
    row: usize,
    by: usize,
    value: f64,
}

/// Rows, slopes of lengths and changes of rows, by path; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paths {
    starts: Vec<usize>, // by path: its row's entries
    rows: Vec<(usize, f64)>,
    slopes: Vec<(usize, usize, f64)>, // path, dof, ∂l/∂q; by path
    bends: Vec<Bend>,                 // by path
    spatial: Vec<(usize, Source)>,
    along: Along,
    ws: Option<Box<Workspace>>,
    q: Vec<f64>,
    unit: Vec<f64>,
    carries: Vec<bool>,    // by path through space and dof
    column: Vec<Vec<f64>>, // by path through space: ∂J/∂q of one dof, then ∂l/∂q
}

impl Paths {
    pub(super) fn begin(&mut self) {
        self.starts.clear();
        self.rows.clear();
        self.slopes.clear();
        self.bends.clear();
        self.spatial.clear();
    }

    /// Adds a path whose row stays, and whose length changes by it.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = (usize, f64)>) -> usize {
        let path = self.starts.len();
        let start = self.rows.len();
        self.starts.push(start);
        self.rows.extend(row);
        self.slopes.extend(self.rows[start..].iter().map(|&(dof, j)| (path, dof, j)));
        path
    }

    /// Adds the path of an actuator, a string or a followed frame; [`Self::bend`] finds out how it changes.
    pub(super) fn push_source(
        &mut self,
        source: Source,
        row: &[(usize, f64)],
        equipment: &Equipment,
        controllers: &[Controller],
    ) -> usize {
        let fixed = |k: usize| matches!(equipment.tendons[k].path, TendonPath::Fixed(_));
        let straight = match source {
            Source::String(k) => fixed(k),
            Source::Tether(..) => false,
            Source::Actuator(k) => match &controllers[k] {
                Controller::Actuator(a) => match a.path {
                    Path::Joint(_) => true,
                    Path::Tendon(t) => fixed(t),
                    Path::Ball { .. }
                    | Path::Free { .. }
                    | Path::Site { .. }
                    | Path::Crank { .. }
                    | Path::Adhesion(_) => false,
                },
                Controller::Force { .. }
                | Controller::Pd { .. }
                | Controller::ComputedTorque { .. }
                | Controller::Motor { .. }
                | Controller::HighGain { .. } => true,
            },
        };
        if straight {
            return self.push(row.iter().copied());
        }
        let path = self.starts.len();
        self.starts.push(self.rows.len());
        self.rows.extend_from_slice(row);
        self.spatial.push((path, source));
        path
    }

    /// Finds L and H of the paths through space at `q`.
    pub(super) fn bend(
        &mut self,
        model: &Model,
        q: &[f64],
        equipment: &Equipment,
        controllers: &[Controller],
    ) {
        if self.spatial.is_empty() {
            return;
        }
        let n = model.n_v();
        self.find_carriers(model, equipment, controllers);
        let mut ws = self.ws.take().unwrap_or_else(|| Box::new(Workspace::new(model)));
        self.column.resize(self.spatial.len(), Vec::new());
        for dof in 0..n {
            if !(0..self.spatial.len()).any(|p| self.carries[p * n + dof]) {
                continue;
            }
            self.column.iter_mut().for_each(|c| {
                c.clear();
                c.resize(n + 1, 0.0);
            });
            self.unit.clear();
            self.unit.resize(n, 0.0);
            self.unit[dof] = 1.0;
            for (k, weight) in WEIGHTS.into_iter().enumerate() {
                for side in [1.0, -1.0] {
                    self.q.clear();
                    self.q.extend_from_slice(q);
                    integrate(model, &mut self.q, &self.unit, side * STEP * (k + 1) as f64);
                    kinematics(model, &self.q, &mut ws);
                    for p in 0..self.spatial.len() {
                        if self.carries[p * n + dof] {
                            self.read(p, side * weight / STEP, (equipment, controllers), model, &ws);
                        }
                    }
                }
            }
            for (p, column) in self.column.iter().enumerate() {
                let path = self.spatial[p].0;
                let entries = column[..n].iter().enumerate().filter(|(_, x)| **x != 0.0);
                self.bends.extend(entries.map(|(row, &value)| Bend { path, row, by: dof, value }));
                if column[n] != 0.0 {
                    self.slopes.push((path, dof, column[n]));
                }
            }
        }
        self.ws = Some(ws);
        self.bends.sort_by_key(|b| b.path);
        self.slopes.sort_by_key(|s| s.0);
    }

    /// Adds `weight` times row and length of a path through space to its column.
    fn read(
        &mut self,
        p: usize,
        weight: f64,
        (equipment, controllers): (&Equipment, &[Controller]),
        model: &Model,
        ws: &Workspace,
    ) {
        let column = &mut self.column[p];
        let n = column.len() - 1;
        let mut add = |length: f64, row: &[(usize, f64)]| {
            column[n] += weight * length;
            for &(dof, j) in row {
                column[dof] += weight * j;
            }
        };
        match self.spatial[p].1 {
            Source::Tether(k, axis) => equipment.tethers[k].pulls(model, ws, &mut |own, t| {
                if own == axis {
                    add(t.stretch, &t.row);
                }
            }),
            Source::String(k) => {
                self.along.tendon(k, 1.0, equipment, model, &self.q, ws);
                add(self.along.length, &self.along.row);
            }
            Source::Actuator(k) => {
                if let Controller::Actuator(a) = &controllers[k] {
                    self.along.path(&a.path, a.gear, equipment, model, &self.q, ws);
                    add(self.along.length, &self.along.row);
                }
            }
        }
    }

    /// Which degrees of freedom move the links of a path.
    fn find_carriers(&mut self, model: &Model, equipment: &Equipment, controllers: &[Controller]) {
        let n = model.n_v();
        self.carries.clear();
        self.carries.resize(self.spatial.len() * n, false);
        for (p, (_, source)) in self.spatial.iter().enumerate() {
            let carries = &mut self.carries[p * n..][..n];
            let mut up = |link: LinkId| {
                let mut link = link;
                while link != LinkId::WORLD {
                    let own = model.link(link);
                    carries[own.v_range()].fill(true);
                    link = own.parent;
                }
            };
            let site = |k: usize| equipment.sites[k].link;
            let mut string = |k: usize| {
                let TendonPath::Spatial(list) = &equipment.tendons[k].path else { return };
                for passage in list {
                    match passage {
                        Passage::Site(k) => up(site(*k)),
                        Passage::Over { link, side, .. } => {
                            up(*link);
                            if let Some(k) = side {
                                up(site(*k));
                            }
                        }
                        Passage::Pulley(_) => {}
                    }
                }
            };
            match source {
                Source::String(k) => string(*k),
                Source::Tether(k, _) => {
                    up(equipment.tethers[*k].link);
                    up(equipment.tethers[*k].lead);
                }
                Source::Actuator(k) => {
                    let Controller::Actuator(a) = &controllers[*k] else { continue };
                    match &a.path {
                        Path::Joint(term) => up(term.link),
                        Path::Ball { link, .. } | Path::Free { link, .. } | Path::Adhesion(link) => up(*link),
                        Path::Tendon(k) => string(*k),
                        Path::Site { site: at, against, .. } => {
                            up(site(*at));
                            if let Some(k) = against {
                                up(site(*k));
                            }
                        }
                        Path::Crank { crank, slider, .. } => {
                            up(site(*crank));
                            up(site(*slider));
                        }
                    }
                }
            }
        }
    }

    /// Number of paths.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// J: dof, entry.
    pub(super) fn row(&self, path: usize) -> &[(usize, f64)] {
        let end = self.starts.get(path + 1).copied().unwrap_or(self.rows.len());
        &self.rows[self.starts[path]..end]
    }

    fn slope(&self, path: usize) -> &[(usize, usize, f64)] {
        let first = self.slopes.partition_point(|s| s.0 < path);
        let count = self.slopes[first..].partition_point(|s| s.0 == path);
        &self.slopes[first..first + count]
    }

    fn bends(&self, path: usize) -> &[Bend] {
        let first = self.bends.partition_point(|b| b.path < path);
        let count = self.bends[first..].partition_point(|b| b.path == path);
        &self.bends[first..first + count]
    }

    /// J x.
    pub(super) fn along(&self, path: usize, x: &[f64]) -> f64 {
        self.row(path).iter().map(|&(dof, j)| j * x[dof]).sum()
    }

    /// L δq.
    pub(super) fn lengthening(&self, path: usize, dq: &[f64]) -> f64 {
        self.slope(path).iter().map(|&(_, dof, l)| l * dq[dof]).sum()
    }

    /// δJ x, at a change δq.
    pub(super) fn turned(&self, path: usize, dq: &[f64], x: &[f64]) -> f64 {
        self.bends(path).iter().map(|b| x[b.row] * b.value * dq[b.by]).sum()
    }

    /// Adds `scale` δJᵀ to `out`.
    pub(super) fn add_turned(&self, path: usize, scale: f64, dq: &[f64], mut out: impl FnMut(usize, f64)) {
        self.bends(path).iter().for_each(|b| out(b.row, scale * b.value * dq[b.by]));
    }

    /// Adds `scale` times what δJ x is worth per unit of δq to `out`.
    pub(super) fn share_turned(&self, path: usize, scale: f64, x: &[f64], out: &mut [f64]) {
        self.bends(path).iter().for_each(|b| out[b.by] += scale * x[b.row] * b.value);
    }

    /// Adds `scale` Jᵀ to `out`.
    pub(super) fn share_along(&self, path: usize, scale: f64, out: &mut [f64]) {
        self.row(path).iter().for_each(|&(dof, j)| out[dof] += scale * j);
    }

    /// Adds `scale` Lᵀ to `out`.
    pub(super) fn share_lengthening(&self, path: usize, scale: f64, out: &mut [f64]) {
        self.slope(path).iter().for_each(|&(_, dof, l)| out[dof] += scale * l);
    }
}

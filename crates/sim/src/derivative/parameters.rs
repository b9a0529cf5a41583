//! Parameters of a scene as one list of shares: what a result is worth per unit of each.

use gudgeon_multibody::ModelShares;
use gudgeon_spatial::Vector6;

use crate::simulator::View;
use crate::spring::Spring;
use crate::surface::Combine;

/// Gradient against, or change of, everything a scene was built with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parameters {
    /// Inertias, gravity, and damping, springs and armature of joints.
    pub model: ModelShares,
    /// By collider: friction of its surface.
    pub friction: Vec<f64>,
    /// By collider: restitution of its surface.
    pub restitution: Vec<f64>,
    /// By pair with a surface of its own, in the order of colliders: friction.
    pub pair_friction: Vec<f64>,
    /// Likewise: restitution.
    pub pair_restitution: Vec<f64>,
    /// By collider: its pose on its link, turned and moved in its own axes.
    pub pose: Vec<Vector6<f64>>,
    /// By dof: dry friction.
    pub joint_friction: Vec<f64>,
    /// By controller: stiffness.
    pub gain: Vec<f64>,
    /// By controller: damping.
    pub rate_gain: Vec<f64>,
}

/// How the friction and restitution of a contact follow from those of surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Mixed {
    /// A pair with a surface of its own.
    pub(super) pair: Option<usize>,
    pub(super) friction: [f64; 2],
    pub(super) restitution: [f64; 2],
}

impl Mixed {
    pub(super) fn of(view: &View<'_>, (a, b): (usize, usize)) -> Self {
        let key = (a.min(b), a.max(b));
        if let Ok(k) = view.pairs.binary_search_by_key(&key, |p| (p.0, p.1)) {
            return Self { pair: Some(k), ..Self::default() };
        }
        let (x, y) = (&view.surface[a], &view.surface[b]);
        Self {
            pair: None,
            friction: slopes(view.combine, x.friction, y.friction),
            restitution: slopes(view.combine, x.restitution, y.restitution),
        }
    }
}

/// Slopes of a combination against its two values; of equal ones the smaller or larger is shared.
fn slopes(combine: Combine, a: f64, b: f64) -> [f64; 2] {
    let chosen = |first: bool| {
        if a == b { [0.5, 0.5] } else { [f64::from(u8::from(first)), f64::from(u8::from(!first))] }
    };
    match combine {
        Combine::GeometricMean if a == b => [0.5, 0.5],
        Combine::GeometricMean => {
            let both = (a * b).sqrt();
            // a surface without friction: the mean rises infinitely fast there, and nothing is said
            if both > 0.0 { [0.5 * both / a, 0.5 * both / b] } else { [0.0, 0.0] }
        }
        Combine::Mean => [0.5, 0.5],
        Combine::Min => chosen(a < b),
        Combine::Max => chosen(a > b),
        Combine::Product => [b, a],
    }
}

/// A controller's spring in this step: part of the passive ones, or a row of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SpringUse {
    pub(super) dof: usize,
    pub(super) controller: usize,
    pub(super) target: f64,
    pub(super) velocity: f64,
    pub(super) row: Option<Spring>,
    /// Its gains are parameters.
    pub(super) told: bool,
}

impl Parameters {
    /// All zero, for so many colliders, pairs and controllers; keeps its memory.
    pub(super) fn reset(&mut self, model: &gudgeon_multibody::Model, counts: [usize; 3]) {
        self.model.reset(model);
        let [colliders, pairs, controllers] = counts;
        let lists = [
            (&mut self.friction, colliders),
            (&mut self.restitution, colliders),
            (&mut self.pair_friction, pairs),
            (&mut self.pair_restitution, pairs),
            (&mut self.joint_friction, model.n_v()),
            (&mut self.gain, controllers),
            (&mut self.rate_gain, controllers),
        ];
        for (list, n) in lists {
            list.clear();
            list.resize(n, 0.0);
        }
        self.pose.clear();
        self.pose.resize(colliders, Vector6::zeros());
    }

    /// All numbers in one row, in the order of [`Self::names`].
    pub fn to_row(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.model.gravity.iter());
        for x in self.model.inertia.iter().skip(1) {
            out.push(x.mass);
            out.extend(x.com.iter());
            out.extend(x.about_com);
        }
        let m = &self.model;
        let lists = [&m.damping, &m.stiffness, &m.rest, &m.armature, &self.joint_friction];
        let surfaces = [&self.friction, &self.restitution, &self.pair_friction, &self.pair_restitution];
        for list in lists.into_iter().chain(surfaces).chain([&self.gain, &self.rate_gain]) {
            out.extend_from_slice(list);
        }
        self.pose.iter().for_each(|x| out.extend(x.iter()));
    }

    /// What the numbers of [`Self::to_row`] are.
    pub fn names(&self, model: &gudgeon_multibody::Model) -> Vec<String> {
        let mut out: Vec<String> = ["x", "y", "z"].iter().map(|k| format!("gravity.{k}")).collect();
        for link in &model.links()[1..] {
            let parts = ["mass", "com.x", "com.y", "com.z", "xx", "xy", "xz", "yy", "yz", "zz"];
            let part = |p: &str| if p.len() == 2 { format!("inertia.{p}") } else { p.to_owned() };
            out.extend(parts.iter().map(|p| format!("link.{}.{}", link.name, part(p))));
        }
        let dof = |k: usize| {
            let link = model.link(model.dof_link(k));
            format!("{}.{}", link.name, k - link.v_start)
        };
        for what in ["damping", "stiffness", "rest", "armature", "friction"] {
            out.extend((0..model.n_v()).map(|k| format!("joint.{}.{what}", dof(k))));
        }
        let counted = [
            ("collider", "friction", self.friction.len()),
            ("collider", "restitution", self.restitution.len()),
            ("pair", "friction", self.pair_friction.len()),
            ("pair", "restitution", self.pair_restitution.len()),
            ("controller", "stiffness", self.gain.len()),
            ("controller", "damping", self.rate_gain.len()),
        ];
        for (of, what, n) in counted {
            out.extend((0..n).map(|k| format!("{of}.{k}.{what}")));
        }
        for k in 0..self.pose.len() {
            let ways = ["turn.x", "turn.y", "turn.z", "x", "y", "z"];
            out.extend(ways.iter().map(|w| format!("collider.{k}.pose.{w}")));
        }
        out
    }

    /// Adds `scale` times another.
    pub fn add(&mut self, scale: f64, other: &Self) {
        self.model.add(scale, &other.model);
        let lists = [
            (&mut self.friction, &other.friction),
            (&mut self.restitution, &other.restitution),
            (&mut self.pair_friction, &other.pair_friction),
            (&mut self.pair_restitution, &other.pair_restitution),
            (&mut self.joint_friction, &other.joint_friction),
            (&mut self.gain, &other.gain),
            (&mut self.rate_gain, &other.rate_gain),
        ];
        for (to, from) in lists {
            to.iter_mut().zip(from).for_each(|(x, y)| *x += scale * y);
        }
        self.pose.iter_mut().zip(&other.pose).for_each(|(x, y)| *x += y * scale);
    }
}

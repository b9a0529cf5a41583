//! Sensors that look for contacts, and that measure distances of shapes.
//!
//! A contact counts between two sides, whichever of the two it names first. Its frame has the normal n from the first
//! side to the second and a tangent t; force and torque are those on the second side along n, t and n × t:
//! ```text
//!     t ∝ y − n (n·y)   where |n·y| < ½,   else z in place of y
//! ```
//! Together (`Choice::Net`) contacts make one wrench in world axes, at their middle weighted by the sizes of their forces.
//! Distances are signed: overlap is negative.

use gudgeon_collide::{CollisionWorkspace, Shape};
use gudgeon_multibody::LinkId;
use gudgeon_spatial::{Pose, Vector3};
use nalgebra::Isometry3;

use super::sense::{Moment, isometry_of};
use crate::contact_info::ContactInfo;

/// Who is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// Anyone.
    Any,
    /// Colliders, by index in the scene.
    Colliders(Vec<usize>),
    /// Anyone, within the volume of a site.
    Within(usize),
}

/// What is said of a contact, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// How many contacts there are; 0 says that there is none.
    Count,
    /// Along n, t, n × t, N.
    Force,
    /// Likewise, N m.
    Torque,
    /// Signed, m.
    Distance,
    /// World, m.
    Point,
    /// n, world.
    Normal,
    /// t, world.
    Tangent,
}

impl Said {
    fn width(self) -> usize {
        if matches!(self, Self::Count | Self::Distance) { 1 } else { 3 }
    }
}

/// Which contacts are told of, where there are more than places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The first.
    First,
    /// The deepest.
    Nearest,
    /// Those that press most.
    Strongest,
    /// All of them as one.
    Net,
}

/// A sensor of contacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactWatch {
    /// Who is touched.
    pub sides: [Side; 2],
    /// What is said of each contact.
    pub says: Vec<Said>,
    /// Contacts told of; places without one are zeros.
    pub places: usize,
    /// Which of them.
    pub choice: Choice,
}

/// A shape that distances are measured to.
#[derive(Debug, Clone)]
pub struct Target {
    /// The link it is on.
    pub link: LinkId,
    /// What it is.
    pub shape: Shape,
    /// Its frame in the link's.
    pub pose: Pose,
}

/// What is said of the shortest way between two groups of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Its length, m.
    Length,
    /// Its direction from the first to the second, world; zero if they are farther apart than the sensor sees.
    Direction,
    /// Its ends, world, m; likewise.
    Ends,
}

/// A sensor of distance.
#[derive(Debug, Clone)]
pub struct Gauge {
    /// From.
    pub from: Vec<Target>,
    /// To.
    pub to: Vec<Target>,
    /// What is said.
    pub says: Way,
    /// How far it sees, m.
    pub reach: f64,
}

/// One contact as a sensor sees it.
struct Seen {
    point: Vector3<f64>,
    normal: Vector3<f64>,
    gap: f64,
    force: Vector3<f64>,  // on the second side
    torque: Vector3<f64>, // likewise
}

fn tangent(n: &Vector3<f64>) -> Vector3<f64> {
    let along = if n.y.abs() < 0.5 { Vector3::y() } else { Vector3::z() };
    (along - n * n.dot(&along)).normalize()
}

impl ContactWatch {
    /// How many numbers it gives.
    pub fn width(&self) -> usize {
        self.places * self.says.iter().map(|s| s.width()).sum::<usize>()
    }

    pub(super) fn read(&self, at: &Moment<'_>, out: &mut Vec<f64>) {
        let mut found: Vec<Seen> = at.contacts.iter().filter_map(|c| self.sees(at, c)).collect();
        let count = found.len();
        match self.choice {
            Choice::First => {}
            Choice::Nearest => found.sort_by(|a, b| a.gap.total_cmp(&b.gap)),
            Choice::Strongest => found.sort_by(|a, b| b.force.norm().total_cmp(&a.force.norm())),
            Choice::Net => found = net(&found),
        }
        for place in 0..self.places {
            let Some(c) = found.get(place) else {
                out.extend(self.says.iter().flat_map(|s| std::iter::repeat_n(0.0, s.width())));
                continue;
            };
            let t = tangent(&c.normal);
            let axes = [c.normal, t, c.normal.cross(&t)];
            let along = |v: &Vector3<f64>| axes.map(|e| e.dot(v));
            for said in &self.says {
                match said {
                    Said::Count => out.push(count as f64),
                    Said::Force => out.extend(along(&c.force)),
                    Said::Torque => out.extend(along(&c.torque)),
                    Said::Distance => out.push(c.gap),
                    Said::Point => out.extend(c.point.iter()),
                    Said::Normal => out.extend(c.normal.iter()),
                    Said::Tangent => out.extend(t.iter()),
                }
            }
        }
    }

    /// The contact from the first side to the second, if it is between them.
    fn sees(&self, at: &Moment<'_>, c: &ContactInfo) -> Option<Seen> {
        if c.gap > 0.0 && c.force.dot(&c.normal) <= 0.0 {
            return None;
        }
        let is = |side: &Side, collider: usize| match side {
            Side::Any => true,
            Side::Colliders(list) => list.contains(&collider),
            Side::Within(site) => {
                let x = at.equipment.site_pose(*site, at.ws);
                let volume = &at.equipment.sites[*site].volume;
                volume.contains(&(x.rotation.transpose() * (c.point - x.translation)))
            }
        };
        let [first, second] = &self.sides;
        let (i, j) = c.colliders;
        let sign = if is(first, i) && is(second, j) {
            -1.0
        } else if is(first, j) && is(second, i) {
            1.0
        } else {
            return None;
        };
        // the contact's own normal is from b into a, its force that on a
        Some(Seen {
            point: c.point,
            normal: c.normal * sign,
            gap: c.gap,
            force: c.force * sign,
            torque: c.moment * sign,
        })
    }
}

/// All contacts as one wrench in world axes at their middle.
fn net(all: &[Seen]) -> Vec<Seen> {
    if all.is_empty() {
        return Vec::new();
    }
    let weight: f64 = all.iter().map(|c| c.force.norm()).sum();
    let share = |c: &Seen| if weight > 0.0 { c.force.norm() / weight } else { 1.0 / all.len() as f64 };
    let point: Vector3<f64> = all.iter().map(|c| c.point * share(c)).sum();
    let force = all.iter().map(|c| c.force).sum();
    let torque = all.iter().map(|c| c.torque + (c.point - point).cross(&c.force)).sum();
    let gap = all.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    vec![Seen { point, normal: Vector3::x(), gap, force, torque }]
}

impl Gauge {
    /// How many numbers it gives.
    pub fn width(&self) -> usize {
        match self.says {
            Way::Length => 1,
            Way::Direction => 3,
            Way::Ends => 6,
        }
    }

    pub(super) fn read(&self, at: &Moment<'_>, query: &mut CollisionWorkspace, out: &mut Vec<f64>) {
        let place = |t: &Target| -> Isometry3<f64> { isometry_of(&at.ws.pose(t.link).compose(&t.pose)) };
        let mut best = (self.reach, None);
        for a in &self.from {
            for b in &self.to {
                let found = query.distance(&a.shape, &place(a), &b.shape, &place(b), self.reach);
                if let Some(d) = found.filter(|d| d.distance < best.0) {
                    best = (d.distance, Some(d));
                }
            }
        }
        match (self.says, best.1) {
            (Way::Length, _) => out.push(best.0),
            (Way::Direction, Some(d)) => out.extend((-d.normal).iter()),
            (Way::Ends, Some(d)) => out.extend(d.on_a.iter().chain(d.on_b.iter())),
            (_, None) => out.extend(std::iter::repeat_n(0.0, self.width())),
        }
    }

    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        for target in self.from.iter_mut().chain(&mut self.to) {
            let (link, x) = to(target.link);
            (target.link, target.pose) = (link, x.compose(&target.pose));
        }
    }
}

//! What is odd about a scene, with numbers and a proposed fix: masses, inertias, limits, overlaps.

use std::collections::BTreeMap;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry};
use gudgeon_multibody::{LinkId, Workspace, kinematics};
use gudgeon_sim::{Material, Scene};

use crate::advice;
use crate::place::isometry;
use crate::report::{Finding, ImportReport, Severity};

/// How far beyond its limit a joint may start before it is said, rad or m: rounding of numbers that were worked out.
const BEYOND: f64 = 1e-9;

/// Bodies further apart than this in mass are hard for engines that iterate; ours says so only as a note.
const MASS_RATIO: f64 = 1e3;

/// A link whose radius of gyration is beyond this, m, has an inertia in other units than its mass.
const GYRATION: (f64, f64) = (1e-4, 50.0);

/// Overlap worth a word, m.
const OVERLAP: f64 = 1e-6;

/// Overlapping pairs that are told one by one; the rest are counted. A bearing has eighteen, and the first three say it.
const TOLD: usize = 3;

/// Shapes, and pairs with overlapping boxes, up to which overlaps are looked for: a file may pile up any number in one
/// place, and reading it must end.
const MOST_SHAPES: usize = 5_000;
const MOST_PAIRS: usize = 50_000;

/// Adds what there is to say.
pub(crate) fn examine(scene: &Scene, report: &mut ImportReport) {
    masses(scene, report);
    limits(scene, report);
    advice::examine(scene, report);
    squeezed(scene, report);
}

/// Overlaps at the start: of rigid surfaces, which cannot keep them, and of springs, which push.
fn squeezed(scene: &Scene, report: &mut ImportReport) {
    let (springs, rigid): (Vec<_>, Vec<_>) =
        overlaps(scene).into_values().partition(|o| o.stiffness(scene).is_finite());
    tell(scene, rigid, report, Severity::Warning, |_| {
        "move them apart, or exclude the pair from contact; where it is meant (a preload), give the surfaces a stiffness: \
         rigid bodies cannot be squeezed"
            .into()
    });
    tell(scene, springs, report, Severity::Note, |o| {
        let k = o.stiffness(scene);
        format!(
            "their springs of {k:.1e} N/m push with {:.3} N there; right if a preload is meant",
            k * o.depth
        )
    });
}

/// The deepest few by name, and how many more there are.
fn tell(
    scene: &Scene,
    mut found: Vec<Overlap>,
    report: &mut ImportReport,
    severity: Severity,
    fix: impl Fn(&Overlap) -> String,
) {
    // the order of the file among equals
    found.sort_by(|p, q| q.depth.total_cmp(&p.depth));
    for o in found.iter().take(TOLD) {
        let [a, b] = o.colliders.map(|k| called(scene, k));
        let subject = format!("'{a}' and '{b}'");
        let what = format!("overlap by {:.3e} m at the start", o.depth);
        report.findings.push(Finding { severity, subject, what, fix: fix(o) });
    }
    if let Some(next) = found.get(TOLD) {
        let (subject, most) = (format!("and {} more", found.len() - TOLD), next.depth);
        let what = format!("overlap at the start, by {most:.3e} m at most");
        report.findings.push(Finding { severity, subject, what, fix: "as for those above".into() });
    }
}

/// What a shape is part of: its body, or what the file calls it where it does not move.
fn called(scene: &Scene, collider: usize) -> &str {
    let placed = &scene.colliders[collider];
    let own = placed.link == LinkId::WORLD && !placed.name.is_empty();
    if own { &placed.name } else { &scene.model.link(placed.link).name }
}

fn masses(scene: &Scene, report: &mut ImportReport) {
    let mut warn = |severity, subject: String, what: String, fix: &str| {
        report.findings.push(Finding { severity, subject, what, fix: fix.into() });
    };
    let mut least: Option<(f64, &str)> = None;
    let mut most: Option<(f64, &str)> = None;
    for link in &scene.model.links()[1..] {
        let m = link.inertia.mass;
        if m == 0.0 {
            continue;
        }
        if least.is_none_or(|(x, _)| m < x) {
            least = Some((m, &link.name));
        }
        if most.is_none_or(|(x, _)| m > x) {
            most = Some((m, &link.name));
        }
        let i = link.inertia.about_com.to_matrix();
        let r = (i.trace() / (2.0 * m)).sqrt();
        if r > GYRATION.1 || (r < GYRATION.0 && r > 0.0) {
            let what = format!("{m} kg with a radius of gyration of {r:.3e} m");
            warn(
                Severity::Warning,
                format!("link '{}'", link.name),
                what,
                "check the units of mass and inertia",
            );
        } else if r == 0.0 {
            let what = format!("{m} kg in a point");
            warn(Severity::Note, format!("link '{}'", link.name), what, "give it an inertia if it can turn");
        }
    }
    if let (Some((small, a)), Some((large, b))) = (least, most)
        && large / small > MASS_RATIO
    {
        let what = format!("masses {small} kg and {large} kg are {:.1e} apart", large / small);
        warn(Severity::Note, format!("'{a}' and '{b}'"), what, "check the units; the solver does not mind");
    }
}

fn limits(scene: &Scene, report: &mut ImportReport) {
    for (k, dof) in scene.model.dofs().iter().enumerate() {
        let Some(c) = scene.model.dof_coordinate(k) else { continue };
        let link = &scene.model.link(scene.model.dof_link(k)).name;
        let q = scene.initial.q[c];
        if q < dof.lower - BEYOND || q > dof.upper + BEYOND {
            report.findings.push(Finding {
                severity: Severity::Warning,
                subject: format!("joint of '{link}'"),
                what: format!("starts at {q}, outside of its limits {} to {}", dof.lower, dof.upper),
                fix: "give an initial position within the limits".into(),
            });
        }
        if dof.lower == dof.upper {
            report.findings.push(Finding {
                severity: Severity::Warning,
                subject: format!("joint of '{link}'"),
                what: format!("both limits are {}: it cannot move", dof.lower),
                fix: "make it fixed, or give it a range".into(),
            });
        }
        if dof.effort == 0.0 {
            report.findings.push(Finding {
                severity: Severity::Note,
                subject: format!("joint of '{link}'"),
                what: "an effort limit of 0: no motor can move it".into(),
                fix: "give the motor's greatest effort".into(),
            });
        }
    }
}

/// Where two links overlap most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overlap {
    /// Metres.
    pub depth: f64,
    colliders: [usize; 2],
}

impl Overlap {
    /// Of the surface between the two, N/m.
    fn stiffness(&self, scene: &Scene) -> f64 {
        let [a, b] = self.colliders;
        let own = scene.pairs.iter().find(|(p, q, _)| (*p, *q) == (a, b) || (*p, *q) == (b, a));
        let [x, y] = [a, b].map(|k| &scene.materials[scene.colliders[k].material]);
        own.map_or_else(|| Material::between(x, y, scene.combine), |(_, _, m)| *m).stiffness
    }
}

/// Pairs of links whose shapes overlap at the start, and by how much.
pub(crate) fn overlaps(scene: &Scene) -> BTreeMap<(LinkId, LinkId), Overlap> {
    let mut found = BTreeMap::new();
    let mut geometry = Geometry::new();
    for c in &scene.colliders {
        let body = (c.link != LinkId::WORLD).then(|| c.link.0 - 1);
        geometry.add(Collider { shape: c.shape.clone(), body, pose: c.pose, group: c.group, mask: c.mask });
    }
    let body = |id: LinkId| (id != LinkId::WORLD).then(|| id.0 - 1);
    for (k, link) in scene.model.links().iter().enumerate().skip(1) {
        if link.parent != LinkId::WORLD {
            geometry.exclude_bodies(body(LinkId(k)), body(link.parent));
        }
    }
    for (a, b) in &scene.apart {
        geometry.exclude_bodies(body(*a), body(*b));
    }
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &scene.initial.q, &mut ws);
    let poses: Vec<_> = (1..scene.model.n_links()).map(|k| isometry(&ws.pose(LinkId(k)))).collect();
    let mut contacts: Vec<ContactPoint> = Vec::new();
    let mut workspace = CollisionWorkspace::new();
    if scene.colliders.len() > MOST_SHAPES
        || workspace.candidate_pairs(&geometry, &poses, 0.0).len() > MOST_PAIRS
    {
        return found;
    }
    workspace.contacts(&geometry, &poses, 0.0, &mut contacts);
    for c in &contacts {
        let (a, b) = (scene.colliders[c.a].link, scene.colliders[c.b].link);
        if -c.gap > OVERLAP {
            let here = Overlap { depth: -c.gap, colliders: if a <= b { [c.a, c.b] } else { [c.b, c.a] } };
            let most = found.entry((a.min(b), a.max(b))).or_insert(here);
            if here.depth > most.depth {
                *most = here;
            }
        }
    }
    found
}

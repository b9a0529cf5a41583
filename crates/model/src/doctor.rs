//! What is odd about a scene, with numbers and a proposed fix: masses, inertias, limits, overlaps.

use std::collections::BTreeMap;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry};
use gudgeon_multibody::{LinkId, Workspace, kinematics};
use gudgeon_sim::Scene;

use crate::advice;
use crate::place::isometry;
use crate::report::{Finding, ImportReport, Severity};

/// Bodies further apart than this in mass are hard for engines that iterate; ours says so only as a note.
const MASS_RATIO: f64 = 1e3;

/// A link whose radius of gyration is beyond this, m, has an inertia in other units than its mass.
const GYRATION: (f64, f64) = (1e-4, 50.0);

/// Overlap worth a word, m.
const OVERLAP: f64 = 1e-6;

/// Shapes, and pairs with overlapping boxes, up to which overlaps are looked for: a file may pile up any number in one
/// place, and reading it must end.
const MOST_SHAPES: usize = 5_000;
const MOST_PAIRS: usize = 50_000;

/// Adds what there is to say.
pub(crate) fn examine(scene: &Scene, report: &mut ImportReport) {
    masses(scene, report);
    limits(scene, report);
    advice::examine(scene, report);
    for ((a, b), depth) in overlaps(scene) {
        let name = |id: LinkId| &scene.model.link(id).name;
        report.findings.push(Finding {
            severity: Severity::Warning,
            subject: format!("'{}' and '{}'", name(a), name(b)),
            what: format!("overlap by {depth:.3e} m at the start"),
            fix: "move them apart, or exclude the pair from contact; where it is meant (a preload), give the surfaces a stiffness: \
                  rigid bodies cannot be squeezed"
                .into(),
        });
    }
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
        if q < dof.lower - 1e-9 || q > dof.upper + 1e-9 {
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

/// Pairs of links whose shapes overlap at the start, and by how much.
pub(crate) fn overlaps(scene: &Scene) -> BTreeMap<(LinkId, LinkId), f64> {
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
            let depth: &mut f64 = found.entry((a.min(b), a.max(b))).or_insert(0.0);
            *depth = depth.max(-c.gap);
        }
    }
    found
}

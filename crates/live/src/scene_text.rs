//! The scene with what was changed, as a scene file that starts at the present moment.
//!
//! Every link becomes a body, every joint a joint with its coordinates and rates of now, so that the file goes on where
//! the run stands: times of motions and pushes count from now. What a scene file has no word for (several surfaces on one
//! body, groups that differ among the shapes of a body, surfaces of particular pairs, strings, sensors) is named in comments at
//! the top.

use std::fmt::Write;

mod drives; // what moves and ties bodies: loops, couplings, pushes, controllers

use drives::drives;
use gudgeon_collide::{Kind, Shape, Sweep};
use gudgeon_multibody::{Joint, Link, LinkId};
use gudgeon_sim::{Combine, Facets, FrictionLaw, Grip, Placed, RestitutionLaw, Scene, Settings, Simulator};
use gudgeon_spatial::{Quaternion, Vector3};
use nalgebra::Isometry3;
use serde_json::Value;

/// The file.
pub fn scene_text(scene: &Scene, sim: &Simulator) -> String {
    let mut lost = Vec::new();
    let mut text = head(scene);
    materials(&mut text, scene);
    statics(&mut text, scene, &mut lost);
    for k in 1..scene.model.n_links() {
        body(&mut text, scene, sim, LinkId(k), &mut lost);
    }
    drives(&mut text, scene, sim, &mut lost);
    unwritten(scene, &mut lost);
    let mut whole = format!("# {} at t = {:?} s\n", scene.name, sim.time());
    for what in lost {
        let _ = writeln!(whole, "# not in this file: {what}");
    }
    whole + &text
}

fn head(scene: &Scene) -> String {
    let (g, s) = (scene.model.gravity(), &scene.settings);
    let combine = match scene.combine {
        Combine::GeometricMean => "geometric-mean",
        Combine::Mean => "mean",
        Combine::Min => "min",
        Combine::Max => "max",
        Combine::Product => "product",
    };
    let facets = match s.facets {
        Facets::Exact => "\"exact\"".to_owned(),
        Facets::Polygon(n) => n.get().to_string(),
        Facets::Box => "\"box\"".to_owned(),
        Facets::LastBox => "\"last-box\"".to_owned(),
    };
    format!(
        "name = {}\ngravity = {}\ndt = {:?}\nduration = {:?}\ncombine = \"{combine}\"\nfacets = {facets}\n\
         integrator = \"{}\"\nmethod = \"{}\"\n{}",
        quoted(&scene.name),
        list(g.iter()),
        s.dt,
        scene.duration,
        s.integrator.name(),
        s.method.name(),
        unusual(s)
    )
}

/// The settings that are not as they come.
fn unusual(s: &Settings) -> String {
    let usual = Settings::default();
    let mut text = String::new();
    let mut line = |differs: bool, key: &str, value: String| {
        if differs {
            let _ = writeln!(text, "{key} = {value}");
        }
    };
    line(s.law != FrictionLaw::Exact, "law", "\"convex\"".into());
    line(s.restitution != RestitutionLaw::Newton, "restitution_law", "\"poisson\"".into());
    for (key, now, before) in [
        ("energy_guard", s.energy_guard, usual.energy_guard),
        ("canonical_forces", s.canonical_forces, usual.canonical_forces),
        ("warm_start", s.warm_start, usual.warm_start),
    ] {
        line(now != before, key, now.to_string());
    }
    for (key, now, before) in [
        ("lexicographic_delta", s.lexicographic_delta, usual.lexicographic_delta),
        ("bounce_threshold", s.bounce_threshold, usual.bounce_threshold),
        ("overlap_tolerance", s.overlap_tolerance, usual.overlap_tolerance),
        ("recovery_speed", s.recovery_speed, usual.recovery_speed),
    ] {
        line(now != before, key, number(now));
    }
    line(s.margin.is_some(), "margin", number(s.margin.unwrap_or_default()));
    line(s.budget.is_some(), "budget", s.budget.unwrap_or_default().to_string());
    line(s.threads != usual.threads, "threads", s.threads.to_string());
    text
}

/// Names what a scene file has no word for.
fn unwritten(scene: &Scene, lost: &mut Vec<String>) {
    let e = &scene.equipment;
    for (count, what) in [
        (scene.pairs.len(), "surfaces of particular pairs of shapes"),
        (scene.meeting.len(), "pairs of shapes that touch whatever their groups say"),
        (
            scene.grips.iter().filter(|g| **g != Grip::default()).count(),
            "surfaces that decide alone, or rub otherwise",
        ),
        (e.tendons.len(), "strings"),
        (e.sensors.len(), "sensors"),
        (e.swings.len(), "springs and limits of ball joints"),
        (e.tethers.len(), "bodies that follow a frame softly"),
        (e.reliefs.len(), "bodies whose weight is held"),
        (e.keyframes.len(), "keyframes"),
    ] {
        if count > 0 {
            lost.push(format!("{what} ({count})"));
        }
    }
    if e.fluid.density != 0.0 || e.fluid.viscosity != 0.0 {
        lost.push("the air or water around".to_owned());
    }
}

/// Strings of JSON are strings of TOML.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn number(x: f64) -> String {
    if x == f64::INFINITY {
        "inf".into()
    } else if x == f64::NEG_INFINITY {
        "-inf".into()
    } else {
        format!("{x:?}")
    }
}

fn list<'a>(numbers: impl Iterator<Item = &'a f64>) -> String {
    format!("[{}]", numbers.map(|x| number(*x)).collect::<Vec<_>>().join(", "))
}

fn materials(text: &mut String, scene: &Scene) {
    for (k, m) in scene.materials.iter().enumerate() {
        let _ = write!(
            text,
            "\n[[material]]\nname = \"m{k}\"\nfriction = {:?}\nrestitution = {:?}\nstiffness = {}\ndamping = {:?}\n",
            m.friction,
            m.restitution,
            number(m.stiffness),
            m.damping
        );
        for (key, value) in [
            ("kinetic_friction", m.kinetic),
            ("torsional_friction", Some(m.torsion).filter(|t| *t != 0.0)),
            ("rolling_friction", Some(m.rolling).filter(|r| *r != 0.0)),
        ] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value:?}");
            }
        }
    }
}

/// Place and turn of a pose, as keys.
fn pose(at: &Isometry3<f64>) -> String {
    let (p, q) = (at.translation.vector, at.rotation.quaternion());
    format!("position = {}, orientation = {}", list(p.iter()), list([q.w, q.i, q.j, q.k].iter()))
}

/// One shape with its place, as a table in a line; none if a file has no word for it.
fn shape(shape_: &Shape, at: &Isometry3<f64>) -> Option<String> {
    let points = |v: &[Vector3<f64>]| v.iter().map(|p| list(p.iter())).collect::<Vec<_>>().join(", ");
    let solid = match shape_.kind() {
        Kind::Plane => "plane = {}".to_owned(),
        Kind::Sphere(r) => format!("sphere = {r:?}"),
        Kind::Box(h, _) => format!("box = {}", list(h.iter())),
        Kind::Ellipsoid(a) => format!("ellipsoid = {}", list(a.iter())),
        Kind::Capsule { half_height, radius } => format!("capsule = [{half_height:?}, {radius:?}]"),
        Kind::Cylinder { half_height, radius } => format!("cylinder = [{half_height:?}, {radius:?}]"),
        Kind::Cone { half_height, radius } => format!("cone = [{half_height:?}, {radius:?}]"),
        Kind::Convex(solid) => format!("hull = {{ points = [{}] }}", points(solid.polytope().vertices())),
        Kind::Mesh(surface) if surface.sweep().is_some() => sweep(surface.sweep()?),
        Kind::Mesh(surface) => {
            let triangles: Vec<String> = surface.triangles().iter().map(|t| format!("{t:?}")).collect();
            let (v, t) = (points(surface.vertices()), triangles.join(", "));
            format!("mesh = {{ vertices = [{v}], triangles = [{t}] }}")
        }
        Kind::Heightfield(field) => {
            let ((rows, cols), (dx, dy)) = (field.dimensions(), field.spacing());
            let heights = list(field.heights().iter());
            format!(
                "heightfield = {{ rows = {rows}, cols = {cols}, dx = {dx:?}, dy = {dy:?}, heights = {heights} }}"
            )
        }
        // its parts are written one by one
        Kind::Compound(_) => return None,
    };
    Some(format!("{{ {solid}, {} }}", pose(at)))
}

fn sweep(s: &Sweep) -> String {
    let corners: Vec<String> = s.section.iter().map(|c| list([c.r, c.z, c.bulge].iter())).collect();
    let (pitch, turns, segments) = (s.pitch, s.turns, s.segments);
    let section = corners.join(", ");
    format!(
        "sweep = {{ section = [{section}], pitch = {pitch:?}, turns = {turns:?}, segments = {segments} }}"
    )
}

/// The parts of shapes on one body.
fn parts<'a>(shapes: impl Iterator<Item = &'a Placed>) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for placed in shapes {
        if let Kind::Compound(all) = placed.shape.kind() {
            for (at, part) in all.iter() {
                out.push(shape(part, &(placed.pose * at))?);
            }
        } else {
            out.push(shape(&placed.shape, &placed.pose)?);
        }
    }
    Some(out)
}

fn look(text: &mut String, placed: &Placed) {
    let _ = writeln!(text, "material = \"m{}\"", placed.material);
    if let Some(c) = placed.color {
        let _ = writeln!(text, "color = [{:?}, {:?}, {:?}, {:?}]", c[0], c[1], c[2], c[3]);
    }
    if (placed.group, placed.mask) != (1, u32::MAX) {
        let _ = writeln!(text, "group = {}\nmask = {}", placed.group, placed.mask);
    }
}

fn statics(text: &mut String, scene: &Scene, lost: &mut Vec<String>) {
    for placed in scene.colliders.iter().filter(|c| c.link == LinkId::WORLD) {
        let Some(all) = parts(std::iter::once(placed)) else {
            lost.push("a shape of the world".to_owned());
            continue;
        };
        for part in all {
            let _ = write!(text, "\n[[static]]\nshape = {part}\n");
            look(text, placed);
        }
    }
}

fn body(text: &mut String, scene: &Scene, sim: &Simulator, id: LinkId, lost: &mut Vec<String>) {
    let link = scene.model.link(id);
    let _ = write!(text, "\n[[body]]\nname = {}\n", quoted(&link.name));
    let own: Vec<&Placed> = scene.colliders.iter().filter(|c| c.link == id).collect();
    for (key, list) in [
        ("shape", own.clone()),
        ("visual", scene.visuals.iter().filter(|c| c.link == id).collect::<Vec<_>>()),
    ] {
        match parts(list.iter().copied()) {
            None => lost.push(format!("a shape of '{}'", link.name)),
            Some(all) if all.is_empty() => {}
            Some(all) if all.len() == 1 => {
                let _ = writeln!(text, "{key} = {}", all[0]);
            }
            Some(all) => {
                let _ = writeln!(text, "{key} = {{ compound = [{}] }}", all.join(", "));
            }
        }
    }
    if let Some(first) = own.first() {
        look(text, first);
        let alike = |c: &&Placed| (c.material, c.group, c.mask) == (first.material, first.group, first.mask);
        if !own.iter().all(alike) {
            lost.push(format!("that the shapes of '{}' differ in surface or group", link.name));
        }
    }
    let i = &link.inertia;
    let rows: Vec<String> = i.about_com.to_matrix().row_iter().map(|r| list(r.iter())).collect();
    let _ = write!(
        text,
        "mass = {:?}\ncenter = {}\ninertia = [{}]\n",
        i.mass,
        list(i.com.iter()),
        rows.join(", ")
    );
    if link.joint == Joint::Free && link.parent == LinkId::WORLD {
        let b = sim.body(id);
        let _ = write!(
            text,
            "position = {}\norientation = {}\nvelocity = {}\nangular_velocity = {}\n",
            list(b.position.iter()),
            list(b.orientation.iter()),
            list(b.velocity.iter()),
            list(b.angular_velocity.iter())
        );
    } else {
        joint(text, scene, sim, link, lost);
    }
}

fn joint(text: &mut String, scene: &Scene, sim: &Simulator, link: &Link, lost: &mut Vec<String>) {
    let (kind, axes, pitch) = match link.joint {
        Joint::Fixed => ("fixed", vec![], None),
        Joint::Revolute { axis } => ("revolute", vec![axis], None),
        Joint::Prismatic { axis } => ("prismatic", vec![axis], None),
        Joint::Helical { axis, pitch } => ("helical", vec![axis], Some(pitch)),
        Joint::Cylindrical { axis } => ("cylindrical", vec![axis], None),
        Joint::Universal { axes } => ("universal", axes.to_vec(), None),
        Joint::Planar => ("planar", vec![], None),
        Joint::Spherical => ("spherical", vec![], None),
        Joint::Free => ("free", vec![], None),
    };
    let q = Quaternion::from_matrix(&link.placement.rotation);
    let _ = write!(
        text,
        "\n[[joint]]\ntype = \"{kind}\"\nparent = {}\nchild = {}\nposition = {}\norientation = {}\n",
        quoted(&scene.model.link(link.parent).name),
        quoted(&link.name),
        list(link.placement.translation.iter()),
        list([q.w, q.x, q.y, q.z].iter())
    );
    for (key, axis) in ["axis", "axis2"].iter().zip(&axes) {
        let _ = writeln!(text, "{key} = {}", list(axis.iter()));
    }
    if let Some(pitch) = pitch {
        let _ = writeln!(text, "pitch = {pitch:?}");
    }
    let dofs = &scene.model.dofs()[link.v_range()];
    if let Some(d) = dofs.first() {
        if dofs.iter().any(|other| other != d) {
            lost.push(format!("that the dofs of '{}' differ", link.name));
        }
        for (key, x) in [
            ("damping", d.damping),
            ("friction", d.friction),
            ("armature", d.armature),
            ("stiffness", d.stiffness),
            ("rest", d.rest),
        ] {
            if x != 0.0 {
                let _ = writeln!(text, "{key} = {x:?}");
            }
        }
        if d.lower.is_finite() || d.upper.is_finite() {
            let _ = writeln!(text, "limits = [{}, {}]", number(d.lower), number(d.upper));
        }
        if d.effort.is_finite() {
            let _ = writeln!(text, "effort = {:?}", d.effort);
        }
        let _ = writeln!(text, "initial = {}", list(sim.state().q[link.q_range()].iter()));
        let _ = writeln!(text, "initial_velocity = {}", list(sim.state().v[link.v_range()].iter()));
    }
}

//! Limits of rest that are known in closed form: ladder, boxes on slopes, wedge, screw, overhanging bricks, discs, spool.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{BodySpec, Controller, Material, Push, Scene, Simulator};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};
use nalgebra::Isometry3;

use crate::ValidateError;
use crate::row::Row;
use crate::run::{Fate, G, LimitSide, about_y, builder, fate, leaning, limit, motion, start};

/// A ladder of 2 m with round ends of 1 cm at an angle from the floor.
fn ladder(angle: f64, mu: f64) -> Result<Scene, ValidateError> {
    let (half, radius) = (1.0, 0.01);
    let mut scene = builder("ladder", 1e-3, mu);
    scene.ground();
    scene.collider("world", Shape::plane(), leaning(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let (sine, cosine) = angle.sin_cos();
    let mut body = BodySpec::new("ladder", Shape::sphere(radius)?).mass(10.0);
    let ends = [[half * cosine, -half * sine], [-half * cosine, half * sine]];
    body.shapes = ends
        .iter()
        .map(|[x, z]| Ok((Shape::sphere(radius)?, Isometry3::translation(*x, 0.0, *z))))
        .collect::<Result<_, ValidateError>>()?;
    let across = 10.0 * half * half / 3.0;
    body.inertia = Some(Inertia::new(10.0, Vector3::zeros(), Symmetric3::diagonal(across, across, across)));
    scene.body(body.at(half * cosine + radius, 0.0, half * sine + radius))?;
    Ok(scene.build()?)
}

/// Both ends at their limit: N₁ (1 + μ²) = W, N₂ = μ N₁; no moment about the middle of
/// ```text
///     floor at (l cos θ, −l sin θ − r): (−μ N₁, N₁)      wall at (−l cos θ − r, l sin θ): (N₂, μ N₂)
/// ```
pub(super) fn leaning_ladder() -> Result<Vec<Row>, ValidateError> {
    let (mu, half, radius) = (0.4, 1.0, 0.01);
    let moment = |angle: f64| {
        let (sine, cosine) = f64::sin_cos(angle);
        let (floor, wall) = ([half * cosine, -half * sine - radius], [-half * cosine - radius, half * sine]);
        // x F_z − z F_x for N₁ = 1
        floor[0] - floor[1] * -mu + wall[0] * mu * mu - wall[1] * mu
    };
    let (mut low, mut high) = (0.3_f64, 1.5_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        // flat ladders have their foot driven out: the floor's normal force turns it back the wrong way
        *(if moment(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let truth = low;
    let trials = limit(truth, 1e-3, LimitSide::Above, 1.0, |angle| ladder(angle, mu))?;
    Ok(vec![Row::between("least angle of the ladder", "rad", truth, trials, 1e-3, "tried at 1 ± 0.1 %")])
}

/// Ten frictions by ten widths of boxes, each on a slope 0.1 % below and above min(μ, width/height).
pub(super) fn boxes_on_slopes() -> Result<Vec<Row>, ValidateError> {
    let (mut right, mut of) = (0, 0);
    for i in 0..10 {
        for j in 0..10 {
            let (mu, slender) = (0.1 + 0.09 * f64::from(i), 0.137 + 0.09 * f64::from(j));
            let bound = f64::min(mu, slender);
            for (part, expected) in [(0.999, Fate::Stood), (1.001, Fate::Fell)] {
                of += 1;
                right += usize::from(fate(&box_on_slope(mu, slender, bound * part)?, 0.4)? == expected);
            }
        }
    }
    let what = "boxes that stay at 0.999 of tan = min(friction, width/height), and slide or tip at 1.001";
    Ok(vec![Row::decided(what, right, of, "all of a grid of 10 x 10")])
}

fn box_on_slope(mu: f64, slender: f64, tangent: f64) -> Result<Scene, ValidateError> {
    let theta = tangent.atan();
    let mut scene = builder("box", 1e-3, mu);
    scene.collider("world", Shape::plane(), leaning(0.0, 0.0, theta));
    let half = [0.1 * slender, 0.1, 0.1];
    let (sine, cosine) = theta.sin_cos();
    let body = BodySpec::new("box", Shape::cuboid(half[0], half[1], half[2])?).mass(1.0);
    scene.body(body.at(0.1 * sine, 0.0, 0.1 * cosine).turned(about_y(theta)))?;
    Ok(scene.build()?)
}

/// A wedge squeezed by two jaws: it is driven out when its half angle exceeds the angle of friction.
pub(super) fn wedge() -> Result<Vec<Row>, ValidateError> {
    let mu: f64 = 0.3;
    let make = |tangent: f64| {
        let (angle, half) = (f64::atan(tangent), 0.1);
        let mut scene = builder("wedge", 1e-3, mu);
        scene.gravity(Vector3::zeros());
        // a trapezium, narrow end down
        let mut points = Vec::new();
        for y in [-0.05, 0.05] {
            for z in [-half, half] {
                let x = 0.15 + z * tangent;
                points.extend([Vector3::new(-x, y, z), Vector3::new(x, y, z)]);
            }
        }
        scene.body(BodySpec::new("wedge", Shape::convex_hull(&points)?).mass(1.0))?;
        for (name, side) in [("left", -1.0), ("right", 1.0)] {
            let inertia = Inertia::cuboid(1.0, [0.05, 0.05, 0.05]);
            let joint = Joint::prismatic(Vector3::x());
            scene.link(LinkSpec::new(name, "world", joint, Pose::identity(), inertia));
            // the face of the jaw lies on that of the wedge
            let normal = Vector3::new(side * angle.cos(), 0.0, -angle.sin());
            let at = Vector3::new(side * 0.15, 0.0, 0.0) + normal * 0.05;
            let turn = leaning(0.0, 0.0, side * angle);
            scene.collider(
                name,
                Shape::cuboid(0.05, 0.05, 0.05)?,
                Isometry3::translation(at.x, at.y, at.z) * turn,
            );
            scene.controller(Controller::Force { link: name.into(), dof: 0, force: -side * 100.0 });
        }
        scene.apart("left", "right");
        Ok(scene.build()?)
    };
    let trials = limit(mu, 1e-3, LimitSide::Below, 1.0, make)?;
    Ok(vec![Row::between(
        "tangent of the half angle at which a wedge is driven out",
        "",
        mu,
        trials,
        1e-3,
        "tried at 1 ± 0.1 %",
    )])
}

/// A nut on a screw with dry friction τ and a lead of h m/rad: the load that turns it is τ/h.
pub(super) fn screw() -> Result<Vec<Row>, ValidateError> {
    let (lead, friction) = (2e-3, 0.05);
    let make = |load: f64| {
        let mut scene = builder("screw", 1e-3, 0.5);
        let joint = Joint::helical(Vector3::z(), lead);
        let inertia = Inertia::cuboid(load / G, [0.05, 0.05, 0.02]);
        scene.link(LinkSpec::new("nut", "world", joint, Pose::identity(), inertia).friction(friction));
        scene.visual("nut", Shape::cuboid(0.05, 0.05, 0.02)?, Isometry3::identity());
        Ok(scene.build()?)
    };
    let trials = limit(friction / lead, 1e-3, LimitSide::Below, 4.0, make)?;
    Ok(vec![Row::between(
        "load that turns a screw",
        "N",
        friction / lead,
        trials,
        1e-3,
        "tried at 1 ± 0.1 %",
    )])
}

/// Ten bricks, each as far over the one below as may be: Σ 1/(2k) of their length in all.
pub(super) fn overhang() -> Result<Vec<Row>, ValidateError> {
    let (bricks, length, height) = (10_u8, 0.2, 0.05);
    let truth: f64 = (1..=bricks).map(|k| 0.5 * length / f64::from(k)).sum();
    let make = |reach: f64| {
        let mut scene = builder("overhang", 1e-3, 0.5);
        // the table ends at x = 0
        scene.collider("world", Shape::cuboid(0.5, 0.2, 0.1)?, Isometry3::translation(-0.5, 0.0, -0.1));
        let mut end = reach;
        for k in 1..=bricks {
            let z = height * (f64::from(bricks - k) + 0.5);
            let body = BodySpec::new(&format!("brick{k}"), Shape::cuboid(0.5 * length, 0.05, 0.5 * height)?);
            scene.body(body.mass(1.0).at(end - 0.5 * length, 0.0, z))?;
            end -= reach / truth * 0.5 * length / f64::from(k);
        }
        Ok(scene.build()?)
    };
    let trials = limit(truth, 1e-5, LimitSide::Below, 2.0, make)?;
    Ok(vec![Row::between(
        "overhang of ten bricks",
        "m",
        truth,
        trials,
        1e-5,
        "tried at 1 ± 1e-5 of the harmonic sum",
    )])
}

/// Three equal cylinders, one on two: they stay if friction between them is at least 2 − √3 and that of the floor a third of it.
pub(super) fn three_cylinders() -> Result<Vec<Row>, ValidateError> {
    let between = 2.0 - 3.0_f64.sqrt();
    let make = |rubbing: f64, floor: f64| {
        let mut scene = builder("cylinders", 1e-3, rubbing);
        let ground = scene.n_colliders();
        scene.ground();
        let radius = 0.1;
        for (name, x, z) in [
            ("left", -radius, radius),
            ("right", radius, radius),
            ("top", 0.0, radius * (1.0 + 3.0_f64.sqrt())),
        ] {
            let mut body = BodySpec::new(name, Shape::cylinder(0.1, radius)?).mass(1.0).at(x, 0.0, z);
            // axis along y
            let h = std::f64::consts::FRAC_1_SQRT_2;
            body.orientation = [h, h, 0.0, 0.0];
            scene.body(body)?;
        }
        for k in 1..=3 {
            scene.pair(ground, ground + k, Material { friction: floor, ..Material::default() });
        }
        Ok(scene.build()?)
    };
    let why = "tried at 1 ± 0.1 %";
    let first = limit(between, 1e-3, LimitSide::Above, 1.0, |mu| make(mu, 0.5))?;
    let second = limit(between / 3.0, 1e-3, LimitSide::Above, 1.0, |mu| make(0.5, mu))?;
    Ok(vec![
        Row::between("friction between three cylinders", "", between, first, 1e-3, why),
        Row::between("friction of the floor below them", "", between / 3.0, second, 1e-3, why),
    ])
}

/// A heap of ten cylinders in four rows: friction by linear programming over its contacts.
pub(super) fn heap() -> Result<Vec<Row>, ValidateError> {
    let rows = 4_u8;
    let make = |mu: f64| {
        let (radius, mut scene) = (0.1, builder("heap", 1e-3, mu));
        scene.ground();
        for row in 0..rows {
            for k in 0..rows - row {
                let x = radius * (2.0 * f64::from(k) + f64::from(row) - f64::from(rows - 1));
                let z = radius * (1.0 + 3.0_f64.sqrt() * f64::from(row));
                let mut body = BodySpec::new(&format!("c{row}{k}"), Shape::cylinder(0.1, radius)?)
                    .mass(1.0)
                    .at(x, 0.0, z);
                let h = std::f64::consts::FRAC_1_SQRT_2;
                body.orientation = [h, h, 0.0, 0.0];
                scene.body(body)?;
            }
        }
        Ok(scene.build()?)
    };
    let sim = Simulator::new(&make(0.5)?)?;
    let truth = super::equilibrium::least_friction(&sim, |mu, _| mu)?
        .ok_or_else(|| ValidateError::Missed("no friction holds the heap".into()))?;
    let trials = limit(truth, 1e-3, LimitSide::Above, 1.0, make)?;
    Ok(vec![Row::between(
        "friction that holds a heap of ten cylinders",
        "",
        truth,
        trials,
        1e-3,
        "tried at 1 ± 0.1 %",
    )])
}

/// A spool pulled by its thread rolls towards the hand or away: it stays where cos φ = r/R.
pub(super) fn spool() -> Result<Vec<Row>, ValidateError> {
    let (inner, outer) = (0.06_f64, 0.1_f64);
    let truth = (inner / outer).acos();
    let speed = |angle: f64| -> Result<f64, ValidateError> {
        let mut scene = builder("spool", 1e-4, 0.9);
        scene.ground();
        let mut body = BodySpec::new("spool", Shape::cylinder(0.05, outer)?).mass(1.0).at(0.0, 0.0, outer);
        let h = std::f64::consts::FRAC_1_SQRT_2;
        body.orientation = [h, h, 0.0, 0.0];
        scene.body(body)?;
        // the thread leaves below the axle: at inner (sin φ, −cos φ), along (cos φ, sin φ)
        let (sine, cosine) = angle.sin_cos();
        let force = Vector3::new(cosine, 0.0, sine);
        let arm = Vector3::new(inner * sine, 0.0, -inner * cosine);
        let push = Push {
            link: gudgeon_multibody::LinkId::WORLD,
            force,
            torque: arm.cross(&force),
            point: None,
            from: 0.0,
            until: 1.0,
        };
        scene.push_with("spool", push);
        let mut sim = start(&scene)?;
        crate::run::run(&mut sim, 0.05)?;
        Ok(motion(&sim, "spool").0.x)
    };
    let trials = [truth * (1.0 - 1e-3), truth * (1.0 + 1e-3)];
    let right = usize::from(speed(trials[0])? > 1e-6) + usize::from(speed(trials[1])? < -1e-6);
    Ok(vec![Row::decided(
        "a spool rolls towards the hand below arccos(r/R), away above",
        right,
        2,
        "tried at 1 ± 0.1 %",
    )])
}

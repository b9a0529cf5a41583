//! Rapier on a world of the scoreboard (see `worlds.py`): reads it as JSON from standard input, answers states and processor time.
//!
//!     scoreboard-rapier SETTINGS SECONDS < world.json

use std::collections::HashMap;
use std::time::Duration;

use cpu_time::ProcessTime;
use rapier3d_f64::dynamics::{FrictionModel, SpringCoefficients};
use rapier3d_f64::prelude::*;
use serde_json::{Value, json};

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

fn vector(value: &Value) -> Vector {
    let x = floats(value);
    Vector::new(x[0], x[1], x[2])
}

fn pose(value: &Value) -> Pose {
    let q = floats(&value["quat"]);
    Pose::from_parts(vector(&value["pos"]), Rotation::from_xyzw(q[1], q[2], q[3], q[0]))
}

/// z of our capsules and cylinders is y of Rapier's.
fn upright() -> Pose {
    Pose::from_parts(Vector::ZERO, Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2))
}

fn collider(shape: &Value, world: &Value) -> ColliderBuilder {
    let size = floats(&shape["size"]);
    let at = pose(shape);
    let builder = match shape["kind"].as_str().unwrap_or_default() {
        "plane" => ColliderBuilder::new(SharedShape::halfspace(at.rotation * Vector::Z)).position(Pose::from_parts(at.translation, Rotation::IDENTITY)),
        "sphere" => ColliderBuilder::ball(size[0]).position(at),
        "box" => ColliderBuilder::cuboid(size[0], size[1], size[2]).position(at),
        "capsule" => ColliderBuilder::capsule_z(size[0], size[1]).position(at),
        "cylinder" => ColliderBuilder::cylinder(size[0], size[1]).position(at * upright()),
        _ => {
            let points: Vec<_> = shape["size"].as_array().into_iter().flatten().map(vector).collect();
            ColliderBuilder::convex_hull(&points).expect("a hull").position(at)
        }
    };
    builder.density(0.0).friction(world["friction"].as_f64().unwrap_or(0.0)).restitution(world["restitution"].as_f64().unwrap_or(0.0))
}

/// Settings by name, Rapier's own where nothing is said.
fn parameters(settings: &Value, dt: f64) -> IntegrationParameters {
    let mut p = IntegrationParameters { dt, min_ccd_dt: dt / 100.0, ..IntegrationParameters::default() };
    let count = |name: &str| settings[name].as_u64().map(|n| n as usize);
    p.num_solver_iterations = count("substeps").unwrap_or(p.num_solver_iterations);
    p.num_internal_pgs_iterations = count("sweeps").unwrap_or(p.num_internal_pgs_iterations);
    p.num_internal_stabilization_iterations = count("stabilizations").unwrap_or(p.num_internal_stabilization_iterations);
    if let Some(hertz) = settings["hertz"].as_f64() {
        p.contact_softness = SpringCoefficients::new(hertz, settings["damping"].as_f64().unwrap_or(10.0));
        p.static_contact_softness = p.contact_softness;
    }
    p.normalized_allowed_linear_error = settings["slop"].as_f64().unwrap_or(p.normalized_allowed_linear_error);
    if settings["coulomb"] == true {
        p.friction_model = FrictionModel::Coulomb;
    }
    if settings["clustering"] == false {
        p.contact_clustering = false;
        p.contact_recycling = false;
    }
    p
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let settings: Value = arguments.next().and_then(|s| serde_json::from_str(&s).ok()).unwrap_or_default();
    let patience: f64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(60.0);
    let world: Value = serde_json::from_reader(std::io::stdin().lock()).expect("a world");
    let mut physics = PhysicsWorld::default();
    physics.gravity = vector(&world["gravity"]);
    physics.integration_parameters = parameters(&settings, world["dt"].as_f64().unwrap_or(1e-3));
    let base = physics.bodies.insert(RigidBodyBuilder::fixed());
    for shape in world["statics"].as_array().into_iter().flatten() {
        physics.colliders.insert_with_parent(collider(shape, &world), base, &mut physics.bodies);
    }
    let mut handles = HashMap::from([("world".to_owned(), base)]);
    let mut names = Vec::new();
    for body in world["bodies"].as_array().into_iter().flatten() {
        let name = body["name"].as_str().unwrap_or_default().to_owned();
        let mass = MassProperties::new(Vector::ZERO, body["mass"].as_f64().unwrap_or(1.0), vector(&body["inertia"]));
        let builder = RigidBodyBuilder::dynamic()
            .pose(pose(body))
            .linvel(vector(&body["vel"]))
            .angvel(vector(&body["omega"]))
            .additional_mass_properties(mass)
            .gyroscopic_forces_enabled(true)
            .can_sleep(false);
        let handle = physics.bodies.insert(builder);
        for shape in body["shapes"].as_array().into_iter().flatten() {
            physics.colliders.insert_with_parent(collider(shape, &world), handle, &mut physics.bodies);
        }
        if body["force"].is_array() {
            physics.bodies[handle].add_force(vector(&body["force"]), true);
        }
        handles.insert(name.clone(), handle);
        names.push((name, handle));
    }
    joints(&world, &mut physics, &handles);
    run(&world, &mut physics, &names, patience);
}

fn joints(world: &Value, physics: &mut PhysicsWorld, handles: &HashMap<String, RigidBodyHandle>) {
    let of = |value: &Value| handles[value.as_str().unwrap_or_default()];
    for joint in world["joints"].as_array().into_iter().flatten() {
        let (a, b) = (of(&joint["parent"]), of(&joint["child"]));
        let mask = match joint["type"].as_str().unwrap_or_default() {
            "revolute" => JointAxesMask::LOCKED_REVOLUTE_AXES,
            "prismatic" => JointAxesMask::LOCKED_PRISMATIC_AXES,
            _ => JointAxesMask::LOCKED_SPHERICAL_AXES,
        };
        let (anchor, axis) = (vector(&joint["anchor"]), vector(&joint["axis"]).normalize());
        // one frame, seen from either body: x along the axis
        let across = axis.any_orthonormal_vector();
        let turn = Rotation::from_mat3(&Matrix::from_cols(axis, across, axis.cross(across)));
        let frame = Pose::from_parts(anchor, turn);
        let mut data = GenericJoint::new(mask);
        data.local_frame1 = physics.bodies[a].position().inverse() * frame;
        data.local_frame2 = physics.bodies[b].position().inverse() * frame;
        data.contacts_enabled = false;
        physics.impulse_joints.insert(a, b, data, true);
    }
    for bond in world["loops"].as_array().into_iter().flatten() {
        let (a, b, anchor) = (of(&bond["a"]), of(&bond["b"]), vector(&bond["anchor"]));
        let mut data = GenericJoint::new(JointAxesMask::LOCKED_SPHERICAL_AXES);
        data.local_frame1 = physics.bodies[a].position().inverse() * Pose::from_parts(anchor, Rotation::IDENTITY);
        data.local_frame2 = physics.bodies[b].position().inverse() * Pose::from_parts(anchor, Rotation::IDENTITY);
        data.contacts_enabled = false;
        physics.impulse_joints.insert(a, b, data, true);
    }
}

fn run(world: &Value, physics: &mut PhysicsWorld, names: &[(String, RigidBodyHandle)], patience: f64) {
    let samples: Vec<u64> = world["samples"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let (mut spent, mut done, mut states, mut late) = (Duration::ZERO, 0, Vec::new(), false);
    'all: for sample in samples {
        while done < sample {
            let at = ProcessTime::now();
            let n = (sample - done).min(50);
            for _ in 0..n {
                physics.step();
            }
            (spent, done) = (spent + at.elapsed(), done + n);
            if spent.as_secs_f64() > patience {
                late = true;
                break 'all;
            }
        }
        let state: HashMap<&str, Vec<f64>> = names
            .iter()
            .map(|(name, handle)| {
                let body = &physics.bodies[*handle];
                let (p, q, v, w) = (body.translation(), body.rotation(), body.linvel(), body.angvel());
                (name.as_str(), vec![p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z])
            })
            .collect();
        states.push(json!(state));
    }
    println!("{}", json!({ "states": states, "cpu": spent.as_secs_f64(), "steps": done, "late": late }));
}

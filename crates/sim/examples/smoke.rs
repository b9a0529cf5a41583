use gudgeon_collide::Shape;
use gudgeon_sim::*;
use gudgeon_spatial::Vector3;
use nalgebra::{Isometry3, UnitQuaternion};
fn run(name: &str, scene: &Scene, steps: usize) -> Simulator {
    let mut sim = Simulator::new(scene).unwrap();
    let start = sim.state().q.clone();
    let (mut piv, mut pen, mut fb, mut solver, mut coll) = (0, 0.0f64, 0, 0.0, 0.0);
    let t = std::time::Instant::now();
    let mut maxc = 0;
    for _ in 0..steps {
        let r = sim.step().unwrap();
        if let Some(s) = r.solve {
            piv += s.pivots;
            if s.fallback != Fallback::None {
                fb += 1;
            }
        }
        pen = pen.max(r.penetration);
        solver += r.solver_seconds;
        coll += r.collision_seconds;
        maxc = maxc.max(r.contacts);
    }
    let us = t.elapsed().as_secs_f64() * 1e6 / steps as f64;
    let n = sim.state().q.len();
    let last = &sim.state().q[n - 3..];
    let first = &start[n - 3..];
    println!(
        "{name}: us/step {us:.1} (solver {:.1} coll {:.1}) contacts {maxc} pivots/step {:.2} fallback {fb} pen {pen:.2e} KE {:.2e} moved {:.4e} {:.4e} {:.4e}",
        solver * 1e6 / steps as f64,
        coll * 1e6 / steps as f64,
        piv as f64 / steps as f64,
        sim.energy()[0],
        last[0] - first[0],
        last[1] - first[1],
        last[2] - first[2]
    );
    sim
}
fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let go = |n: &str| only.is_empty() || n == only;
    if go("box") {
        let mut b = SceneBuilder::new("box");
        b.ground();
        b.body(BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.05).unwrap()).mass(1.0).at(0.0, 0.0, 0.05))
            .unwrap();
        let sim = run("box", &b.build().unwrap(), 10000);
        let f: f64 = sim.contacts().iter().map(|c| c.force.z.abs()).sum();
        println!("weight error {:.2e}", f / 9.81 - 1.0);
    }
    for az in [0.0f64, 30.0, 45.0] {
        if go("push") {
            let mut b = SceneBuilder::new("push");
            b.ground();
            let mut spec = BodySpec::new("frame", Shape::sphere(0.02).unwrap()).mass(10.0).at(0.0, 0.0, 0.1);
            spec.shapes.clear();
            for k in 0..16 {
                let a = std::f64::consts::TAU * k as f64 / 16.0;
                spec.shapes.push((
                    Shape::sphere(0.02).unwrap(),
                    Isometry3::translation(0.5 * a.cos(), 0.5 * a.sin(), -0.08),
                ));
            }
            b.body(spec).unwrap();
            let f = 1.05 * 0.5 * 10.0 * 9.81;
            let a = az.to_radians();
            b.push("frame", Vector3::new(f * a.cos(), f * a.sin(), 0.0), 0.5, 1e9);
            let sim = run("push", &b.build().unwrap(), 2500);
            let q = &sim.state().q;
            println!("slid {:.6} mm", 1e3 * q[4].hypot(q[5]));
        }
    }
    for (n, ratio, dt) in [(10, 100.0, 0.01), (2, 1e6, 0.01), (10, 100.0, 0.001)] {
        if go("stack") {
            let mut b = SceneBuilder::new("stack");
            b.ground();
            b.settings().dt = dt;
            for k in 0..n {
                let m = if k == n - 1 { ratio } else { 1.0 };
                b.body(BodySpec::new(&format!("b{k}"), Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(m).at(
                    0.0,
                    0.0,
                    0.1 + 0.2 * k as f64,
                ))
                .unwrap();
            }
            run(&format!("stack {n} {ratio} {dt}"), &b.build().unwrap(), 1000);
        }
    }
    for e in [0.0, 0.5, 1.0] {
        for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
            if go("bounce") {
                let mut b = SceneBuilder::new("bounce");
                b.ground();
                b.settings().restitution = law;
                b.default_material(Material { restitution: e, ..Material::default() });
                b.body(BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(1.0).at(0.0, 0.0, 1.1))
                    .unwrap();
                let scene = b.build().unwrap();
                let mut sim = Simulator::new(&scene).unwrap();
                let mut peaks = vec![];
                let mut last = 0.0;
                let mut rising = false;
                for _ in 0..8000 {
                    let _ = sim.step().unwrap();
                    let z = sim.state().q[6] - 0.1;
                    if rising && z < last {
                        peaks.push(last);
                        rising = false;
                    } else if z > last {
                        rising = true;
                    }
                    last = z;
                }
                println!("bounce e={e} {law:?}: peaks {:?}", &peaks[..peaks.len().min(6)]);
            }
        }
    }
    for lim in [0.99, 1.01] {
        for az in [0.0f64, 15.0, 30.0, 45.0] {
            if go("slope") {
                let mut b = SceneBuilder::new("slope");
                let mu = 0.5;
                b.friction(mu);
                let ang = (mu * lim as f64).atan();
                let a = az.to_radians();
                let g = 9.81;
                b.gravity(Vector3::new(g * ang.sin() * a.cos(), g * ang.sin() * a.sin(), -g * ang.cos()));
                b.ground();
                b.body(
                    BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.05).unwrap())
                        .mass(1.0)
                        .at(0.0, 0.0, 0.05),
                )
                .unwrap();
                let sim = run("slope", &b.build().unwrap(), 10000);
                let acc = g * ang.sin() - mu * g * ang.cos();
                let q = &sim.state().q;
                let d = q[4].hypot(q[5]);
                println!(
                    "lim {lim} az {az}: {:.9} m theory {:.9} rel {:.2e}",
                    d,
                    0.5 * acc * 100.0,
                    d / (0.5 * acc * 100.0) - 1.0
                );
            }
        }
    }
    if go("wall") {
        let mut b = SceneBuilder::new("wall");
        b.ground();
        b.settings().dt = 0.01;
        b.friction(0.5);
        for row in 0..12 {
            let odd = row % 2;
            let n = if odd == 1 { 2 } else { 3 };
            for k in 0..n {
                let x = 0.2 * k as f64 + if odd == 1 { 0.1 } else { 0.0 };
                b.body(
                    BodySpec::new(&format!("r{row}_{k}"), Shape::cuboid(0.1, 0.05, 0.05).unwrap())
                        .mass(2.0)
                        .at(x, 0.0, 0.05 + 0.1 * row as f64),
                )
                .unwrap();
            }
        }
        run("wall", &b.build().unwrap(), 1000);
    }
    let _ = UnitQuaternion::<f64>::identity();
}

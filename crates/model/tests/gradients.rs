//! Steps of robots from MJCF files under a change: the derivative against central differences, for everything that pulls.

use gudgeon_multibody::{State, difference, integrate};
use gudgeon_sim::{Change, Controller, Dynamics, Linearization, Scene, Simulator, Worth};

use crate::text;

/// A step as a function of state, controls and activations.
struct Step<'a> {
    scene: &'a Scene,
    state: State,
    controls: Vec<f64>,
    activations: Vec<f64>,
}

impl Step<'_> {
    fn begin(&self) -> Simulator {
        let mut sim = Simulator::new(self.scene).expect("a scene");
        sim.settings.warm_start = false;
        sim.set_state(&self.state);
        for (k, (&u, &a)) in self.controls.iter().zip(&self.activations).enumerate() {
            if let Some(Controller::Actuator(own)) = sim.controller_mut(k) {
                (own.control, own.activation) = (u, a);
            }
        }
        sim
    }

    /// Position, velocity and activations at the end, h along a change.
    fn after(&self, [dq, dv, du, da]: [&[f64]; 4], h: f64) -> (State, Vec<f64>) {
        let mut moved = Step {
            state: self.state.clone(),
            controls: self.controls.clone(),
            activations: self.activations.clone(),
            ..*self
        };
        integrate(&self.scene.model, &mut moved.state.q, dq, h);
        for (list, d) in [(&mut moved.state.v, dv), (&mut moved.controls, du), (&mut moved.activations, da)] {
            list.iter_mut().zip(d).for_each(|(x, d)| *x += h * d);
        }
        let mut sim = moved.begin();
        let _ = sim.step().expect("a step");
        let own = |c: &Controller| if let Controller::Actuator(a) = c { a.activation } else { 0.0 };
        (sim.state().clone(), sim.controllers().iter().map(own).collect())
    }

    /// Central differences, extrapolated twice.
    fn slope(&self, d: [&[f64]; 4], h: f64) -> Vec<f64> {
        let model = &self.scene.model;
        let [wide, middle, tight] = [1.0, 0.5, 0.25].map(|s| {
            let ((a, x), (b, y)) = (self.after(d, -s * h), self.after(d, s * h));
            let mut out = vec![0.0; model.n_v()];
            difference(model, &a.q, &b.q, &mut out);
            out.extend(b.v.iter().zip(&a.v).map(|(b, a)| b - a));
            out.extend(y.iter().zip(&x).map(|(y, x)| y - x));
            for x in &mut out {
                *x /= 2.0 * s * h;
            }
            out
        });
        let better = |wide: &[f64], tight: &[f64], share: f64| -> Vec<f64> {
            wide.iter().zip(tight).map(|(w, t)| t + share * (t - w)).collect()
        };
        let (first, second) = (better(&wide, &middle, 1.0 / 3.0), better(&middle, &tight, 1.0 / 3.0));
        better(&first, &second, 1.0 / 15.0)
    }
}

/// Numbers in [−1, 1] that look random.
fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|k| (12.9898 * k as f64 + 78.233 * seed as f64 + 0.5).sin() * 43_758.545_3 % 1.0).collect()
}

/// The derivative of one step from `state` against differences, along random directions of everything; the transpose too.
fn check(name: &str, xml: &str, control: f64, activation: f64) {
    let (mut scene, _) = text(name, xml).expect("a model");
    scene.settings.integrator = gudgeon_sim::Integrator::Euler;
    let (n, m) = (scene.model.n_v(), scene.controllers.len());
    let mut state = scene.initial.clone();
    integrate(&scene.model, &mut state.q, &numbers(n, 3), 0.05);
    state.v.copy_from_slice(&numbers(n, 4));
    state.v.iter_mut().for_each(|v| *v *= 0.5);
    let controls: Vec<f64> = numbers(m, 5).iter().map(|x| control * (1.0 + 0.3 * x)).collect();
    let step = Step { scene: &scene, state, controls, activations: vec![activation; m] };
    let mut sim = step.begin();
    let mut linear = Linearization::new(&sim);
    let _ = sim.step_linearized(&mut linear).unwrap_or_else(|e| panic!("{name}: {e}"));
    let zero = vec![0.0; n.max(m)];
    for seed in 0..6 {
        let (dq, dv) = (numbers(n, 10 + seed), numbers(n, 20 + seed));
        let (du, da) = (numbers(m, 30 + seed), numbers(m, 40 + seed));
        // one kind at a time, then all
        let pick =
            |k: usize, d: &Vec<f64>| if seed == k || seed > 3 { d.clone() } else { zero[..d.len()].to_vec() };
        let (dq, dv, du, mut da) = (pick(0, &dq), pick(1, &dv), pick(2, &du), pick(3, &da));
        for (d, c) in da.iter_mut().zip(&scene.controllers) {
            if !matches!(c, Controller::Actuator(a) if a.dynamics != Dynamics::None) {
                *d = 0.0;
            }
        }
        let change = Change { q: &dq, v: &dv, controllers: &du, activations: &da, ..Change::default() };
        let (mut q, mut v, mut a) = (vec![0.0; n], vec![0.0; n], Vec::new());
        linear.jvp(&change, &mut q, &mut v);
        linear.activation_changes(&du, &da, &mut a);
        let found: Vec<f64> = q.iter().chain(&v).chain(&a).copied().collect();
        let error = [1e-2, 2e-3, 4e-4]
            .map(|h| {
                let truth = step.slope([&dq, &dv, &du, &da], h);
                let part = |r: std::ops::Range<usize>, floor: f64| {
                    let size = truth[r.clone()].iter().fold(floor, |m, x| m.max(x.abs()));
                    r.map(|k| (truth[k] - found[k]).abs()).fold(0.0, f64::max) / size
                };
                part(0..n, 1e-6).max(part(n..2 * n, 1e-3)).max(part(2 * n..2 * n + m, 1e-6))
            })
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        assert!(error < 1e-6, "{name}, direction {seed}: off by {error:e}, kinks {:?}", linear.kinks());
        let (on_q, on_v, on_a) = (numbers(n, 50 + seed), numbers(n, 60 + seed), numbers(m, 70 + seed));
        let mut worth = Worth::default();
        linear.vjp_with(&on_q, &on_v, &on_a, &mut worth);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let there = dot(&on_q, &q) + dot(&on_v, &v) + dot(&on_a, &a);
        let back = dot(&worth.q, &dq)
            + dot(&worth.v, &dv)
            + dot(&worth.controllers, &du)
            + dot(&worth.activations, &da);
        assert!((there - back).abs() < 1e-9 * (1.0 + there.abs()), "{name}, {seed}: {there} and {back}");
    }
}

const LIMB: &str = r#"<body name="{n}" pos="{p}"><joint name="{n}y" axis="0 1 0" range="-120 120" damping="0.4" armature="0.01"/>
<joint name="{n}x" axis="1 0 0" range="-60 60" damping="0.4"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.05" mass="3"/><site name="{n}s" pos="0.06 0 -0.15"/>
<body name="{n}low" pos="0 0 -0.34"><joint name="{n}k" axis="0 1 0" range="-150 150" damping="0.3" actuatorfrcrange="-30 30"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.28" size="0.04" mass="2"/><site name="{n}t" pos="0.05 0 -0.1"/>
<geom type="sphere" size="0.05" pos="0.05 0 -0.33" mass="0.5"/><geom type="sphere" size="0.05" pos="-0.05 0.01 -0.33" mass="0.5"/></body></body>"#;

/// Two legs, two arms, a head on a ball joint.
fn humanoid(actuators: &str, tendons: &str) -> String {
    let limb = |n: &str, p: &str| LIMB.replace("{n}", n).replace("{p}", p);
    let limbs = [("ll", "0 0.1 -0.3"), ("rl", "0 -0.1 -0.3"), ("la", "0 0.25 0.2"), ("ra", "0 -0.25 0.2")];
    let limbs: String = limbs.iter().map(|(n, p)| limb(n, p)).collect();
    format!(
        r#"<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="torso" pos="0 0 1.02"><freejoint/><geom type="box" size="0.1 0.15 0.28" mass="20"/><site name="back" pos="-0.1 0 0.1"/>
<body name="head" pos="0 0 0.32"><joint name="neck" type="ball" damping="0.5"/><geom type="sphere" size="0.1" pos="0 0 0.1" mass="4"/>
<site name="crown" pos="0 0 0.2"/></body>{limbs}</body></worldbody>
<tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"#
    )
}

#[test]
fn a_humanoid_with_motors_and_servos() {
    let each = r#"<motor joint="{n}y" gear="20" ctrlrange="-1 1"/><position joint="{n}x" kp="60" kv="3"/><general joint="{n}k" gear="1"
        gainprm="40" biasprm="0 -40 -2" biastype="affine" forcerange="-60 60"/>"#;
    let motors: String = ["ll", "rl", "la", "ra"].map(|n| each.replace("{n}", n)).concat();
    check("servos.xml", &humanoid(&motors, ""), 0.3, 0.0);
}

#[test]
fn strings_along_joints_and_through_space() {
    let tendons = r#"<fixed name="both" stiffness="30" damping="1" springlength="0.1"><joint joint="llk" coef="1"/><joint joint="rlk" coef="-0.5"/></fixed>
<fixed name="short" range="-0.4 0.02" limited="true"><joint joint="lay" coef="1"/><joint joint="ray" coef="0.7"/></fixed>
<spatial name="through" stiffness="200" damping="4" springlength="0.2"><site site="back"/><site site="lls"/><site site="llt"/></spatial>
<spatial name="pulled"><site site="back"/><site site="las"/><pulley divisor="2"/><site site="las"/><site site="lat"/></spatial>
<spatial name="servo"><site site="back"/><site site="ras"/></spatial>"#;
    let actuators = r#"<motor tendon="pulled" gear="30"/><position tendon="servo" kp="300" kv="6"/><motor tendon="both" gear="4"/>"#;
    check("strings.xml", &humanoid(actuators, tendons), 0.4, 0.0);
}

#[test]
fn what_pulls_at_sites_balls_and_free_bodies() {
    let actuators = r#"<motor site="crown" gear="3 1 4 0.1 0.2 0.3"/><motor joint="neck" gear="2 1 3"/>
<general site="lat" refsite="back" gear="0 0 1 0 0 0" gainprm="50" biastype="affine" biasprm="0 -50 -3"/>
<damper joint="llk" kv="4" ctrlrange="0 2"/>"#;
    // a damper whose control is its damping joins the joint's own and is told as such
    let without = actuators.replace(r#"<damper joint="llk" kv="4" ctrlrange="0 2"/>"#, "");
    check("sites.xml", &humanoid(&without, ""), 0.5, 0.0);
}

#[test]
fn activations_are_part_of_the_state() {
    let actuators = r#"<general joint="lly" dyntype="filter" dynprm="0.05" gainprm="30"/>
<general joint="rly" dyntype="integrator" gainprm="20" actlimited="true" actrange="-1 1"/>
<general joint="lay" dyntype="filterexact" dynprm="0.03" gainprm="25" biastype="affine" biasprm="0 -25 -1" actearly="true"/>
<muscle tendon="long" timeconst="0.02 0.05" range="0.75 1.05" force="200" lengthrange="0.2 0.6"/>"#;
    let tendons = r#"<spatial name="long"><site site="back"/><site site="ras"/></spatial>"#;
    check("muscles.xml", &humanoid(actuators, tendons), 0.35, 0.3);
}

#[test]
fn a_string_around_a_cylinder() {
    let xml = r#"<mujoco><option timestep="0.002"/><worldbody>
<site name="a" pos="-0.3 0 0.5"/><geom name="drum" type="cylinder" size="0.08 0.1" pos="0 0 0.5" euler="90 0 0" contype="0" conaffinity="0"/>
<body name="arm" pos="0.1 0 0.3"><joint name="j" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
<site name="b" pos="0.35 0.02 0"/><body pos="0.4 0 0"><joint axis="0 0 1" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
<site name="c" pos="0.2 0 0.03"/></body></body></worldbody>
<tendon><spatial name="t" stiffness="80" damping="2" springlength="0.3"><site site="a"/><geom geom="drum"/><site site="b"/></spatial>
<spatial name="u"><site site="a"/><geom geom="drum"/><site site="c"/></spatial></tendon>
<actuator><motor tendon="u" gear="-5"/></actuator></mujoco>"#;
    check("drum.xml", xml, 0.8, 0.0);
}

#[test]
fn a_body_that_follows_a_placed_one() {
    let xml = r#"<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="hand" mocap="true" pos="0 0 0.5"/><body name="tool" pos="0.05 0 0.45"><freejoint/><geom type="box" size="0.1 0.05 0.03" mass="1"/>
<body pos="0.1 0 0"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.3"/></body></body></worldbody>
<equality><weld body1="hand" body2="tool"/></equality></mujoco>"#;
    check("follow.xml", xml, 0.0, 0.0);
}

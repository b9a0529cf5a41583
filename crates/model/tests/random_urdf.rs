//! A thousand random robots: what is read from their URDF against the same numbers computed here, plainly.
//!
//! | here         | meaning                                                          |
//! |--------------|------------------------------------------------------------------|
//! | `Origin`     | R = Rz(yaw) Ry(pitch) Rx(roll), p                                |
//! | `Branch`     | a link, the joint it hangs on, and its inertia about its centre  |
//! | `placed`     | X(q), the joint's own motion: Rodrigues' formula and quaternions |

use std::fmt::Write;
use std::path::Path;

use gudgeon_model::{Base, LoadOptions, load_text, poses_at};
use gudgeon_testkit::Rng;
use nalgebra::{Matrix3, Matrix4, Vector3};

const KINDS: [&str; 7] = ["fixed", "revolute", "continuous", "prismatic", "floating", "planar", "spherical"];

struct Origin {
    xyz: [f64; 3],
    rpy: [f64; 3],
}

impl Origin {
    fn random(rng: &mut Rng) -> Self {
        Self {
            xyz: std::array::from_fn(|_| rng.uniform(-1.0, 1.0)),
            rpy: std::array::from_fn(|_| rng.uniform(-3.0, 3.0)),
        }
    }

    fn rotation(&self) -> Matrix3<f64> {
        let [(sr, cr), (sp, cp), (sy, cy)] = self.rpy.map(f64::sin_cos);
        Matrix3::new(
            cy * cp,
            cy * sp * sr - sy * cr,
            cy * sp * cr + sy * sr,
            sy * cp,
            sy * sp * sr + cy * cr,
            sy * sp * cr - cy * sr,
            -sp,
            cp * sr,
            cp * cr,
        )
    }

    fn matrix(&self) -> Matrix4<f64> {
        rigid(&self.rotation(), &Vector3::from(self.xyz))
    }

    fn text(&self) -> String {
        let [[x, y, z], [roll, pitch, yaw]] = [self.xyz, self.rpy];
        format!("<origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/>")
    }
}

fn rigid(r: &Matrix3<f64>, p: &Vector3<f64>) -> Matrix4<f64> {
    let mut x = r.to_homogeneous();
    x.fixed_view_mut::<3, 1>(0, 3).copy_from(p);
    x
}

fn turn([w, x, y, z]: [f64; 4]) -> Matrix3<f64> {
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

/// Rodrigues: R = 1 + sin θ [a] + (1 - cos θ) [a]².
fn about(axis: &Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let k = axis.cross_matrix();
    Matrix3::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
}

struct Branch {
    parent: usize,
    kind: &'static str,
    origin: Origin,
    axis: Vector3<f64>,
    limits: [f64; 2],
    /// Follows the joint of this branch: multiplier, offset.
    mimic: Option<(usize, f64, f64)>,
    mass: f64,
    center: Origin,
    moments: Matrix3<f64>, // about the centre, in the axes of `center`
}

impl Branch {
    fn random(rng: &mut Rng, index: usize, above: &[Branch]) -> Self {
        let kind = if index == 0 { "fixed" } else { KINDS[rng.below(KINDS.len())] };
        let axis = Vector3::from_fn(|_, _| rng.uniform(-1.0, 1.0));
        let leaders: Vec<usize> = (1..index).filter(|&k| above[k].is_plain()).collect();
        let follows = ["revolute", "continuous", "prismatic"].contains(&kind) && rng.unit() < 0.3;
        let mimic = (follows && !leaders.is_empty())
            .then(|| (leaders[rng.below(leaders.len())], rng.uniform(-2.0, 2.0), rng.uniform(-0.1, 0.1)));
        // sides of a box, turned at random: an inertia that some body has
        let [a, b, c] = [0; 3].map(|_| rng.uniform(0.05, 0.5).powi(2));
        let mass = if rng.unit() < 0.1 { 0.0 } else { rng.uniform(0.1, 10.0) };
        let turned = Origin::random(rng).rotation();
        let principal = Matrix3::from_diagonal(&Vector3::new(b + c, a + c, a + b)) * (mass / 12.0);
        Self {
            parent: if index == 0 { 0 } else { rng.below(index) },
            kind,
            origin: Origin::random(rng),
            axis: if axis.norm() > 0.1 { axis } else { Vector3::z() },
            limits: [rng.uniform(-2.0, -0.1), rng.uniform(0.1, 2.0)],
            mimic,
            mass,
            center: Origin::random(rng),
            moments: turned * principal * turned.transpose(),
        }
    }

    fn is_plain(&self) -> bool {
        ["revolute", "continuous", "prismatic"].contains(&self.kind)
    }

    fn dofs(&self) -> usize {
        match self.kind {
            "fixed" => 0,
            "floating" => 6,
            "planar" | "spherical" => 3,
            _ => 1,
        }
    }

    /// Coordinates at random: a number, x y angle, a turn, a turn and a place.
    fn coordinates(&self, rng: &mut Rng) -> Vec<f64> {
        let n = match self.kind {
            "floating" => 7,
            "spherical" => 4,
            _ => self.dofs(),
        };
        let mut q: Vec<f64> = (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect();
        if n >= 4 {
            let norm = q[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
            q[..4].iter_mut().for_each(|x| *x /= norm);
        }
        q
    }

    /// X(q) of the joint; `read` decides the directions within a plane, which the format leaves open.
    fn placed(&self, q: &[f64], read: &Matrix4<f64>) -> Matrix4<f64> {
        let (one, zero) = (Matrix3::identity(), Vector3::zeros());
        let axis = self.axis.normalize();
        match self.kind {
            "revolute" | "continuous" => rigid(&about(&axis, q[0]), &zero),
            "prismatic" => rigid(&one, &(axis * q[0])),
            "spherical" => rigid(&turn([q[0], q[1], q[2], q[3]]), &zero),
            "floating" => rigid(&turn([q[0], q[1], q[2], q[3]]), &Vector3::new(q[4], q[5], q[6])),
            "planar" => {
                let p = read.fixed_view::<3, 1>(0, 3).into_owned();
                assert!(p.dot(&axis).abs() < 1e-12 && (p.norm() - q[0].hypot(q[1])).abs() < 1e-12);
                rigid(&about(&axis, q[2]), &p)
            }
            _ => rigid(&one, &zero),
        }
    }
}

fn text(robot: &[Branch]) -> String {
    let mut urdf = String::from("<?xml version=\"1.0\"?>\n<robot name=\"random\">\n");
    for (k, b) in robot.iter().enumerate() {
        let _ = write!(urdf, "<link name=\"l{k}\">");
        if b.mass > 0.0 {
            let (m, i) = (b.mass, &b.moments);
            let [xx, yy, zz] = [i[(0, 0)], i[(1, 1)], i[(2, 2)]];
            let [xy, xz, yz] = [i[(0, 1)], i[(0, 2)], i[(1, 2)]];
            let _ = write!(
                urdf,
                "<inertial>{}<mass value=\"{m}\"/><inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/></inertial>",
                b.center.text()
            );
        }
        urdf.push_str("</link>\n");
        if k == 0 {
            continue;
        }
        let ([x, y, z], [lower, upper]) = ([b.axis.x, b.axis.y, b.axis.z], b.limits);
        let _ = write!(
            urdf,
            "<joint name=\"j{k}\" type=\"{}\"><parent link=\"l{}\"/><child link=\"l{k}\"/>{}<axis xyz=\"{x} {y} {z}\"/><limit lower=\"{lower}\" upper=\"{upper}\" effort=\"7\" velocity=\"1\"/><dynamics damping=\"0.25\" friction=\"0.5\"/>",
            b.kind,
            b.parent,
            b.origin.text()
        );
        if let Some((leader, ratio, offset)) = b.mimic {
            let _ = write!(urdf, "<mimic joint=\"j{leader}\" multiplier=\"{ratio}\" offset=\"{offset}\"/>");
        }
        urdf.push_str("</joint>\n");
    }
    urdf + "</robot>\n"
}

fn matrix_of(pose: &serde_json::Value) -> Matrix4<f64> {
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    let r = Matrix3::from_fn(|i, k| number(&pose["rotation"][i][k]));
    rigid(&r, &Vector3::from_fn(|i, _| number(&pose["position"][i])))
}

fn check(seed: u64) {
    let mut rng = Rng::indexed(7, seed);
    let count = 1 + rng.below(14);
    let mut robot: Vec<Branch> = Vec::new();
    for k in 0..count {
        let branch = Branch::random(&mut rng, k, &robot);
        robot.push(branch);
    }
    let options = LoadOptions { base: Base::Fixed, ..LoadOptions::default() };
    let urdf = text(&robot);
    let (scene, report) = load_text(Path::new("random.urdf"), &urdf, &options)
        .unwrap_or_else(|e| panic!("robot {seed}: {e}\n{urdf}"));

    // masses, inertias, dofs, limits, couplings
    let mass: f64 = robot.iter().map(|b| b.mass).sum();
    assert!((scene.model.mass() - mass).abs() <= 1e-12 * mass, "robot {seed}");
    assert_eq!(scene.model.n_v(), robot.iter().map(Branch::dofs).sum::<usize>(), "robot {seed}");
    assert_eq!(scene.model.couplings().len(), robot.iter().filter(|b| b.mimic.is_some()).count());
    for (k, b) in robot.iter().enumerate() {
        let frame = report.frames.iter().find(|f| f.name == format!("l{k}")).expect("every link has a frame");
        let (r, inertia) = (b.center.rotation(), frame.inertia);
        assert!((inertia.mass - b.mass).abs() <= 1e-15 * b.mass);
        let i = r * b.moments * r.transpose();
        let difference = (inertia.about_com.to_matrix() - i).amax();
        assert!(difference <= 1e-12 * i.amax(), "robot {seed}, link {k}: {difference:e}");
        if b.mass > 0.0 {
            assert!((inertia.com - Vector3::from(b.center.xyz)).norm() < 1e-14);
        }
        if b.is_plain() {
            let link = scene.model.link(scene.model.find(&format!("l{k}")).expect("every link"));
            let dof = scene.model.dofs()[link.v_start];
            assert_eq!([dof.damping, dof.friction, dof.effort], [0.25, 0.5, 7.0]);
            let limits = if b.kind == "continuous" { [f64::NEG_INFINITY, f64::INFINITY] } else { b.limits };
            assert_eq!([dof.lower, dof.upper], limits);
        }
    }

    // poses at random coordinates
    let mut q = vec![Vec::new(); robot.len()];
    let asked: Vec<Vec<f64>> = report
        .joints
        .iter()
        .map(|joint| {
            let k: usize = joint.name[1..].parse().expect("joints are numbered");
            q[k] = robot[k].coordinates(&mut rng);
            q[k].clone()
        })
        .collect();
    let poses = poses_at(&scene, &report, &asked).expect("as many coordinates as joints");
    let read = |k: usize| {
        let name = format!("l{k}");
        matrix_of(
            poses
                .as_array()
                .expect("a list")
                .iter()
                .find(|p| p["name"] == name.as_str())
                .expect("every link"),
        )
    };
    let mut world: Vec<Matrix4<f64>> = vec![Matrix4::identity(); robot.len()];
    for k in 1..robot.len() {
        let b = &robot[k];
        let before: Matrix4<f64> = world[b.parent] * b.origin.matrix();
        let inverse = before.try_inverse().expect("rigid");
        world[k] = before * b.placed(&q[k], &(inverse * read(k)));
        let difference = (world[k] - read(k)).amax();
        assert!(difference < 1e-11, "robot {seed}, link {k}, {}: {difference:e}\n{urdf}", b.kind);
    }
}

#[test]
fn a_thousand_random_robots_are_read_as_they_are_written() {
    for seed in 0..1000 {
        check(seed);
    }
}

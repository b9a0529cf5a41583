//! URDF: links and joints as a tree, with everything beside them reported.
//!
//! Conventions of the format: a link's frame is its joint's frame; an inertia is about the centre of mass in the axes of
//! its own origin; `rpy` are rotations about the fixed x, then y, then z.

mod geometry;
mod joint;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gudgeon_multibody::Joint;
use gudgeon_sim::Material;
use gudgeon_spatial::{Inertia, Matrix3, Pose, Symmetric3, Vector3};

use crate::assembly::{Assembly, LinkPart};
use crate::error::ModelFileError;
use crate::meshes::MeshShapes;
use crate::options::{Base, LoadOptions};
use crate::report::{BodyFrame, Finding, ImportReport, JointInfo, Severity};
use crate::sound;
use crate::tolerances::NO_DIRECTION;
use crate::xml::{Element, Xml};

/// Reads a URDF; `text` in place of the file's own content if given.
pub(crate) fn load(
    path: &Path,
    text: Option<&str>,
    options: &LoadOptions,
) -> Result<(Assembly, ImportReport), ModelFileError> {
    let xml = match text {
        Some(text) => Xml::of_text(path, text, options)?,
        None => Xml::open(path, options)?,
    };
    let root = xml.root();
    if root.tag() != "robot" {
        return Err(root.structure_error(format!("the root element is <{}>, expected <robot>", root.tag())));
    }
    let mut reader = Reader {
        options,
        directory: path.parent().map_or_else(PathBuf::new, Path::to_owned),
        assembly: Assembly::default(),
        report: ImportReport::default(),
        meshes: MeshShapes::default(),
        colors: BTreeMap::new(),
    };
    reader.robot(&root)?;
    let Reader { mut assembly, mut report, .. } = reader;
    xml.report(&mut report);
    report.frames = std::mem::take(&mut assembly.frames);
    report.joints.clone_from(&assembly.joints);
    assembly.frames.clone_from(&report.frames);
    Ok((assembly, report))
}

struct Reader<'a> {
    options: &'a LoadOptions,
    directory: PathBuf,
    assembly: Assembly,
    report: ImportReport,
    meshes: MeshShapes,
    colors: BTreeMap<String, [f32; 4]>,
}

/// A link as written.
struct LinkElement<'a> {
    element: Element<'a>,
    name: &'a str,
    inertia: Inertia,
}

impl Reader<'_> {
    fn robot(&mut self, root: &Element) -> Result<(), ModelFileError> {
        root.used();
        root.ignore(&["version"], "there is one version");
        root.ignore(&["xmlns", "xacro", "schemaLocation", "noNamespaceSchemaLocation"], "a namespace");
        root.get("name").unwrap_or("robot").clone_into(&mut self.assembly.name);
        self.materials(root)?;
        let mut links = BTreeMap::new();
        let mut order = Vec::new();
        for element in root.named("link") {
            let name = element.need("name")?;
            let inertia = self.inertial(&element, name)?;
            let link = LinkElement { element, name, inertia };
            if links.insert(name, link).is_some() {
                return Err(ModelFileError::Duplicate {
                    at: element.place(),
                    kind: "link",
                    name: name.into(),
                });
            }
            order.push(name);
        }
        let joints = joint::joints(root, &links)?;
        let tree = joint::tree(root, &order, &joints)?;
        self.links(&links, &joints, &tree)?;
        for child in root.children() {
            beside(&child);
        }
        Ok(())
    }

    fn materials(&mut self, root: &Element) -> Result<(), ModelFileError> {
        for element in root.named("material") {
            element.used();
            let name = element.get("name").unwrap_or_default();
            if let Some(color) = geometry::color(&element)? {
                self.colors.insert(name.to_owned(), color);
            }
        }
        Ok(())
    }

    fn inertial(&mut self, link: &Element, name: &str) -> Result<Inertia, ModelFileError> {
        let Some(inertial) = link.child("inertial") else { return Ok(Inertia::zero()) };
        inertial.used();
        let at = origin(&inertial)?;
        let mass_element = inertial.need_child("mass")?;
        let mass = mass_element.number("value")?.ok_or_else(|| mass_element.missing("value"))?;
        let mut moments = [0.0; 6];
        match inertial.child("inertia") {
            Some(element) => {
                for (k, key) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].iter().enumerate() {
                    moments[k] = element.number(key)?.unwrap_or(0.0);
                }
            }
            None => inertial.approximated("no <inertia>: taken as a point mass"),
        }
        let [xx, yy, zz, xy, xz, yz] = moments;
        let matrix = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let turned = at.rotation * matrix * at.rotation.transpose();
        let given = Inertia::new(mass, at.translation, Symmetric3::from_matrix(&turned));
        let (sound, change) = sound::made_sound(given);
        if let Some(change) = change {
            inertial.approximated(format!("not the inertia of any body: {change}"));
            self.report.findings.push(Finding {
                severity: Severity::Warning,
                subject: format!("link '{name}'"),
                what: change,
                fix: sound::proposal(&sound),
            });
        }
        Ok(sound)
    }

    fn links(
        &mut self,
        links: &BTreeMap<&str, LinkElement>,
        joints: &[joint::JointElement],
        tree: &joint::Tree,
    ) -> Result<(), ModelFileError> {
        // the frame of each URDF link in the link of the scene that carries it
        let mut frames: BTreeMap<&str, Pose> = BTreeMap::new();
        let root = &links[tree.root];
        let world = tree.root == "world" && root.inertia.mass == 0.0;
        if world {
            frames.insert(tree.root, Pose::identity());
        } else {
            self.root(root, &mut frames);
        }
        for &k in &tree.order {
            self.joint(&joints[k], &links[joints[k].child], &mut frames)?;
        }
        for joint in joints {
            self.mimic(joint, joints)?;
        }
        self.start_within_limits();
        let material = self.assembly.materials.len();
        self.assembly.materials.push(Material::default());
        let fixed = self.fixed_links();
        for link in links.values() {
            link.element.used();
            let moving = !fixed.contains(link.name);
            self.geometry(link, &frames[link.name], material, moving)?;
            self.assembly.frames.push(BodyFrame {
                name: link.name.to_owned(),
                link: link.name.to_owned(),
                pose: frames[link.name],
                inertia: link.inertia,
            });
        }
        // in the order of the links of the tree
        let place: BTreeMap<&str, usize> =
            self.assembly.links.iter().enumerate().map(|(k, l)| (l.name.as_str(), k + 1)).collect();
        self.assembly.frames.sort_by_key(|f| place.get(f.link.as_str()).copied().unwrap_or(0));
        Ok(())
    }

    fn root<'a>(&mut self, root: &LinkElement<'a>, frames: &mut BTreeMap<&'a str, Pose>) {
        let free = match self.options.base {
            Base::Auto => root.inertia.mass > 0.0,
            Base::Free => true,
            Base::Fixed => false,
        };
        let joint = if free { Joint::Free } else { Joint::Fixed };
        let what = if free { "free to move" } else { "fixed to the world" };
        self.report.findings.push(Finding {
            severity: Severity::Note,
            subject: format!("root '{}'", root.name),
            what: format!("is {what}; the file does not say"),
            fix: format!("choose base = \"{}\" for the other", if free { "fixed" } else { "free" }),
        });
        self.assembly.links.push(LinkPart {
            name: root.name.to_owned(),
            parent: "world".into(),
            joint,
            placement: Pose::identity(),
            inertia: root.inertia,
            dofs: vec![gudgeon_multibody::Dof::default(); joint.n_v()],
        });
        if free {
            self.assembly.joints.push(JointInfo {
                name: "root".into(),
                link: root.name.to_owned(),
                kind: "free",
                reference: 0.0,
            });
        }
        frames.insert(root.name, Pose::identity());
    }

    /// A URDF has no initial state. Where zero is out of a joint's limits, it starts at the limit nearest to it.
    fn start_within_limits(&mut self) {
        let coupled =
            |name: &str| self.assembly.couplings.iter().any(|c| c.terms.iter().any(|t| t.0 == name));
        for link in &self.assembly.links {
            let [dof] = &link.dofs[..] else { continue };
            let start = 0.0_f64.clamp(dof.lower, dof.upper);
            if start == 0.0 || coupled(&link.name) {
                continue;
            }
            self.assembly.positions.insert(link.name.clone(), vec![start]);
            self.report.findings.push(Finding {
                severity: Severity::Note,
                subject: format!("joint of '{}'", link.name),
                what: format!(
                    "starts at {start}: zero is outside of its limits {} to {}",
                    dof.lower, dof.upper
                ),
                fix: "give an initial position in a scene".into(),
            });
        }
    }

    /// Links that never move: welded to the world.
    fn fixed_links(&self) -> std::collections::BTreeSet<String> {
        let mut fixed = std::collections::BTreeSet::from(["world".to_owned()]);
        for link in &self.assembly.links {
            if link.joint == Joint::Fixed && fixed.contains(&link.parent) {
                fixed.insert(link.name.clone());
            }
        }
        fixed
    }
}

/// `<origin xyz rpy>` below an element.
fn origin(element: &Element) -> Result<Pose, ModelFileError> {
    let Some(origin) = element.child("origin") else { return Ok(Pose::identity()) };
    origin.used();
    let xyz = origin.vector::<3>("xyz")?.unwrap_or_default();
    let rotation = match origin.vector::<4>("quat_xyzw") {
        Ok(Some([x, y, z, w])) => {
            let turn = gudgeon_spatial::Quaternion::new(w, x, y, z);
            if turn.norm() < NO_DIRECTION {
                return Err(origin.value_error("quat_xyzw", "zero", "a turn"));
            }
            turn.normalized().to_matrix()
        }
        _ => rpy(origin.vector::<3>("rpy")?.unwrap_or_default()),
    };
    Ok(Pose::new(rotation, Vector3::from(xyz)))
}

/// R = Rz(yaw) Ry(pitch) Rx(roll)
fn rpy([roll, pitch, yaw]: [f64; 3]) -> Matrix3<f64> {
    Pose::rotation_about(&Vector3::z(), yaw)
        * Pose::rotation_about(&Vector3::y(), pitch)
        * Pose::rotation_about(&Vector3::x(), roll)
}

/// What a URDF carries for other programs.
fn beside(child: &Element) {
    match child.tag() {
        "link" | "joint" | "material" => {}
        "gazebo" => child.ignored("for Gazebo: plugins, sensors and its own contact parameters"),
        "transmission" => child.ignored("for controllers: joints are driven directly"),
        "ros2_control" => child.ignored("for ros2_control: joints are driven directly"),
        "sensor" => child.ignored("sensors are read from the state"),
        "deformable" => child.ignored("bodies are rigid"),
        other => child.ignored(format!("<{other}> is no part of the format")),
    }
}

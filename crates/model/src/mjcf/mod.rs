//! MJCF, read as MuJoCo's compiler reads it: defaults, frames, inertias from geoms, and everything reported.
//!
//! A body with several joints becomes a chain of links, all but the last without mass. A link's frame is where its joint
//! turns; `x_lb` is the body's frame in it. Coordinates count from the file's reference: q = qpos - ref.
//!
//! Softness of contact is not obeyed: the simulator's contact is hard, and the report says so of each parameter.

mod actuator;
mod body;
mod constraint;
mod defaults;
mod geom;
mod hfield;
mod inertia;
mod keyframe;
mod sensor;
mod tendon;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gudgeon_collide::{MassProperties, Shape};
use gudgeon_multibody::{Dof, Joint, LinkId};
use gudgeon_sim::{Combine, Grip, Material, Volume, WrapShape};
use gudgeon_spatial::{Inertia, Matrix3, Pose, Quaternion, Vector3};

use self::defaults::{Classes, Compiler};
use crate::assembly::{Assembly, LinkPart, ShapePart};
use crate::error::{ModelFileError, Place};
use crate::files;
use crate::meshes::RawMesh;
use crate::options::LoadOptions;
use crate::place::isometry;
use crate::report::{BodyFrame, Finding, ImportReport, JointInfo, Severity};
use crate::xml::{Element, Xml};

/// Reads an MJCF; `text` in place of the file's own content if given.
pub(crate) fn load(
    path: &Path,
    text: Option<&str>,
    options: &LoadOptions,
) -> Result<(Assembly, ImportReport), ModelFileError> {
    let xml = Xml::open_with_includes(path, text, options)?;
    let root = xml.root();
    if root.tag() != "mujoco" && root.tag() != "mujocoinclude" {
        return Err(root.structure_error(format!("the root element is <{}>, expected <mujoco>", root.tag())));
    }
    let mut reader = Reader {
        options,
        compilers: root.roots().map(|r| Compiler::read(&r)).collect::<Result<_, _>>()?,
        classes: Classes::read(&root)?,
        assembly: Assembly::default(),
        report: ImportReport::default(),
        bodies: vec![Body::world(root.place())],
        body_index: BTreeMap::from([("world".to_owned(), 0)]),
        shapes: Vec::new(),
        shape_body: Vec::new(),
        meshes: BTreeMap::new(),
        unread: BTreeSet::new(),
        fields: BTreeMap::new(),
        colors: BTreeMap::new(),
        sites: Vec::new(),
        wraps: BTreeMap::new(),
        cameras: BTreeMap::new(),
        camera_list: Vec::new(),
        floats: Vec::new(),
        paired: BTreeSet::new(),
        inertia_list: Vec::new(),
        gravcomp: vec![0.0],
        link_index: BTreeMap::new(),
        kept_apart: BTreeSet::new(),
        contact_off: false,
        copies: 0,
        actuators_seen: 0,
        actuator_models: Vec::new(),
    };
    reader.model(&root)?;
    let Reader { mut report, assembly, classes, .. } = reader;
    classes.leftovers();
    xml.report(&mut report);
    report.frames.clone_from(&assembly.frames);
    report.joints.clone_from(&assembly.joints);
    Ok((assembly, report))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JointKind {
    Hinge,
    Slide,
    Ball,
    Free,
}

/// No spring, no limit.
const FREE_SWING: [f64; 2] = [0.0, f64::INFINITY];

#[derive(Debug, Clone)]
struct JointDef {
    name: Option<String>,
    kind: JointKind,
    axis: Vector3<f64>,
    anchor: Vector3<f64>,
    reference: f64,
    dof: Dof,
    spring_damper: Option<[f64; 2]>,
    /// Bounds of what all actuators together do to it.
    effort: Option<[f64; 2]>,
    /// Whether what holds weights counts to the actuators.
    lifted: bool,
    /// Negative damping, N m s or N s/m.
    thrust: f64,
    /// Spring and greatest turn of a ball joint, N m/rad and rad.
    swing: [f64; 2],
    link: String,
}

#[derive(Debug, Clone)]
struct Body {
    name: String,
    /// The model it comes from: 0 for the file itself, others are attached.
    model: usize,
    parent: usize,
    /// In the parent body.
    pose: Pose,
    /// In the world, all joints at their reference.
    x_w0: Pose,
    fixed: bool,
    /// By hand, or on one that is.
    placed: bool,
    joints: Vec<JointDef>,
    inertial: Option<Inertia>,
    /// Of its geoms.
    parts: Vec<Inertia>,
    /// Axes of its only geom, which are principal ones.
    only: Option<Matrix3<f64>>,
    link: String,
    x_lb: Pose,
    at: Place,
}

impl Body {
    fn world(at: Place) -> Self {
        Self {
            model: 0,
            name: "world".into(),
            parent: 0,
            pose: Pose::identity(),
            x_w0: Pose::identity(),
            fixed: true,
            placed: false,
            joints: Vec::new(),
            inertial: None,
            parts: Vec::new(),
            only: None,
            link: "world".into(),
            x_lb: Pose::identity(),
            at,
        }
    }
}

/// A mesh asset.
#[derive(Debug, Clone)]
struct Mesh {
    raw: RawMesh,
    properties: Option<MassProperties>,
    seen: Option<Result<Shape, String>>,
    hull: Option<Result<Shape, String>>,
}

/// How a geom touches.
struct Touching {
    types: [u32; 2],
    material: Material,
    grip: Grip,
}

impl Touching {
    fn touches(&self) -> bool {
        self.types != [0, 0]
    }
}

struct Reader<'a> {
    options: &'a LoadOptions,
    compilers: Vec<Compiler>, // of the file itself, and of those that are attached
    classes: Classes<'a>,
    assembly: Assembly,
    report: ImportReport,
    bodies: Vec<Body>,
    body_index: BTreeMap<String, usize>,
    shapes: Vec<(usize, ShapePart, [u32; 2])>, // body, shape, contype and conaffinity
    shape_body: Vec<usize>,                    // of the assembly's shapes
    meshes: BTreeMap<String, Mesh>,
    unread: BTreeSet<String>, // meshes that were not to be read
    fields: BTreeMap<String, Shape>,
    colors: BTreeMap<String, [f64; 4]>,
    sites: Vec<(String, usize, Pose, Volume)>, // name, body, frame there
    wraps: BTreeMap<String, (usize, Pose, WrapShape)>, // geoms that tendons may go around
    cameras: BTreeMap<String, (usize, Pose)>,
    camera_list: Vec<watch::CameraDef>,
    floats: Vec<(usize, Pose, [f64; 3], [f64; 5])>, // body, frame, semi-axes and coefficients of ellipsoids in a medium
    paired: BTreeSet<String>,                       // geoms that touch by name
    inertia_list: Vec<Inertia>,                     // by body
    gravcomp: Vec<f64>,                             // by body
    link_index: BTreeMap<String, LinkId>,
    kept_apart: BTreeSet<usize>, // bodies that an exclusion names
    contact_off: bool,
    copies: usize,
    actuators_seen: usize,
    actuator_models: Vec<usize>, // by actuator: the model it comes from
}

impl<'a> Reader<'a> {
    fn model(&mut self, root: &Element<'a>) -> Result<(), ModelFileError> {
        root.used();
        root.get("model").unwrap_or_default().clone_into(&mut self.assembly.name);
        self.assembly.combine = Combine::Max;
        self.assembly.equipment.magnetic = [0.0, -0.5, 0.0]; // the format's own
        for option in root.named("option") {
            self.option(&option)?;
        }
        for asset in root.named("asset") {
            self.assets(&asset)?;
        }
        for contact in root.named("contact") {
            self.want_pairs(&contact);
        }
        for world in root.named("worldbody") {
            self.world(world)?;
        }
        for contact in root.named("contact") {
            self.want_apart(&contact);
        }
        self.links()?;
        self.place_shapes();
        self.place_sites();
        self.place_cameras();
        for section in root.children() {
            match section.tag() {
                "contact" => self.contact(&section)?,
                "tendon" => self.tendon(&section)?,
                "option" | "asset" | "worldbody" | "compiler" | "default" | "include" | "equality"
                | "actuator" | "keyframe" | "sensor" => {}
                "visual" | "statistic" => section.ignored("for pictures"),
                "size" => section.ignored("memory is taken as needed"),
                "custom" => section.ignored("notes for the user"),
                "deformable" => section.ignored("bodies that bend are not simulated"),
                "extension" => section.ignored("plugins are not run"),
                other => section.ignored(format!("<{other}> is not known to this reader")),
            }
        }
        for equality in root.named("equality") {
            self.equality(&equality)?;
        }
        self.spring_dampers();
        for actuator in root.named("actuator") {
            self.actuators(&actuator)?;
        }
        for sensor in root.named("sensor") {
            self.sensors(&sensor)?;
        }
        self.keyframes(root)
    }

    fn option(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        e.used();
        if let Some(g) = e.vector::<3>("gravity")? {
            self.assembly.gravity = Some(Vector3::from(g));
        }
        if let Some(dt) = e.number("timestep")? {
            if dt <= 0.0 {
                return Err(e.value_error("timestep", dt, "a positive time"));
            }
            self.assembly.dt = Some(dt);
        }
        e.ignore(&["integrator"], "the simulator has its own");
        e.ignore(
            &[
                "cone",
                "jacobian",
                "solver",
                "iterations",
                "tolerance",
                "ls_iterations",
                "ls_tolerance",
                "noslip_iterations",
                "noslip_tolerance",
                "ccd_iterations",
                "ccd_tolerance",
                "mpr_iterations",
                "mpr_tolerance",
                "impratio",
                "apirate",
                "sdf_iterations",
                "sdf_initpoints",
                "sleep_tolerance",
            ],
            "the solver has its own",
        );
        e.ignore(&["o_margin", "o_solref", "o_solimp", "o_friction"], "contact is hard");
        let fluid = &mut self.assembly.equipment.fluid;
        fluid.density = e.number("density")?.unwrap_or(fluid.density);
        fluid.viscosity = e.number("viscosity")?.unwrap_or(fluid.viscosity);
        fluid.wind = e.vector::<3>("wind")?.unwrap_or(fluid.wind);
        if let Some(field) = e.vector::<3>("magnetic")? {
            self.assembly.equipment.magnetic = field;
        }
        e.ignore(&["actuatorgroupdisable"], "every actuator acts");
        for flag in e.named("flag") {
            flag.used();
            if flag.get("gravity") == Some("disable") {
                self.assembly.gravity = Some(Vector3::zeros());
            }
            if flag.get("contact") == Some("disable") {
                self.contact_off = true;
            }
            if flag.peek("constraint") == Some("disable") {
                flag.approximate("constraint", "constraints stay; contact is switched off");
                self.contact_off = true;
            }
            flag.ignore_rest("the simulator has no such switch");
        }
        Ok(())
    }

    /// A file of the asset directory.
    fn asset_path(&self, file: &str, e: &Element) -> Result<PathBuf, ModelFileError> {
        let (at, mesh_dir) = (e.place(), &self.compiler(e).mesh_dir);
        let name = if mesh_dir.is_empty() || Path::new(file).is_absolute() {
            file.to_owned()
        } else {
            Path::new(mesh_dir).join(file).to_string_lossy().into_owned()
        };
        // as seen from the model, else from the file that names it
        let own = at.file.parent().map_or_else(PathBuf::new, Path::to_owned);
        files::resolve(&name, e.directory(), &at, self.options)
            .or_else(|error| files::resolve(file, &own, &at, self.options).map_err(|_| error))
    }

    /// The compiler's settings for an element.
    fn compiler(&self, e: &Element) -> &Compiler {
        &self.compilers[e.model()]
    }

    /// Bodies and joints to links.
    fn links(&mut self) -> Result<(), ModelFileError> {
        let inertias = self.inertias();
        self.inertia_list.clone_from(&inertias);
        let mut joint_names = BTreeSet::new();
        for k in 1..self.bodies.len() {
            let body = self.bodies[k].clone();
            let (mut parent, mut x) = {
                let above = &self.bodies[body.parent];
                (above.link.clone(), above.x_lb.compose(&body.pose))
            };
            let count = body.joints.len();
            let mut x_lb = Pose::identity();
            for (j, def) in body.joints.iter().enumerate() {
                let (joint, anchor, kind) = def.joint();
                let label = def.name.clone().unwrap_or_else(|| format!("{}#{j}", body.name));
                if def.name.is_some() && !joint_names.insert(label.clone()) {
                    return Err(ModelFileError::Duplicate { at: body.at, kind: "joint", name: label });
                }
                let last = j + 1 == count;
                let link = if last { body.name.clone() } else { format!("{}/{label}", body.name) };
                let shift = Pose::from_translation(anchor.x, anchor.y, anchor.z);
                x_lb = shift.inverse();
                let inertia = if last { inertias[k].transformed(&x_lb) } else { Inertia::zero() };
                let mut placement = x.compose(&shift);
                if joint == Joint::Free {
                    let (q, p) = (Quaternion::from_matrix(&placement.rotation), placement.translation);
                    self.assembly.positions.insert(link.clone(), vec![q.w, q.x, q.y, q.z, p.x, p.y, p.z]);
                    placement = Pose::identity();
                }
                let dofs = vec![def.dof; joint.n_v()];
                self.assembly.links.push(LinkPart {
                    name: link.clone(),
                    parent,
                    joint,
                    placement,
                    inertia,
                    dofs,
                });
                self.assembly.joints.push(JointInfo {
                    name: label,
                    link: link.clone(),
                    kind,
                    reference: def.reference,
                });
                self.bodies[k].joints[j].link.clone_from(&link);
                self.equip_joint(def, joint.n_v(), &link);
                (parent, x) = (link, x_lb);
            }
            if count == 0 {
                self.assembly.links.push(LinkPart {
                    name: body.name.clone(),
                    parent,
                    joint: Joint::Fixed,
                    placement: x,
                    inertia: inertias[k],
                    dofs: Vec::new(),
                });
            }
            if body.placed && count == 0 && body.parent == 0 {
                let id = self.link_ref(&body.name);
                self.assembly.equipment.placed.push((body.name.clone(), id));
                // static as the world is
                let others = self.bodies[1..k].iter().filter(|b| b.placed && b.joints.is_empty());
                let names = others.map(|b| b.name.clone()).chain(["world".to_owned()]);
                self.assembly.apart.extend(names.map(|other| (body.name.clone(), other)));
            }
            let b = &mut self.bodies[k];
            b.link.clone_from(&body.name);
            b.x_lb = x_lb;
            self.assembly.frames.push(BodyFrame {
                name: body.name.clone(),
                link: body.name,
                pose: x_lb,
                inertia: inertias[k],
            });
        }
        Ok(())
    }

    /// What a joint carries besides its dofs.
    fn equip_joint(&mut self, def: &JointDef, dofs: usize, link: &str) {
        if def.effort.is_none() && !def.lifted && def.thrust == 0.0 && def.swing == FREE_SWING {
            return;
        }
        let id = self.link_ref(link);
        let equipment = &mut self.assembly.equipment;
        if let Some(range) = def.effort {
            equipment.effort.push((id, 0, range));
        }
        if def.swing != FREE_SWING {
            let [stiffness, limit] = def.swing;
            equipment.swings.push(gudgeon_sim::Swing { link: id, stiffness, limit });
        }
        if def.lifted {
            equipment.lifted.extend((0..dofs).map(|dof| (id, dof)));
        }
        if def.thrust > 0.0 {
            equipment.thrust.extend((0..dofs).map(|dof| (id, dof, def.thrust)));
            self.report.findings.push(Finding {
                severity: Severity::Warning,
                subject: format!("joint '{}'", def.name.as_deref().unwrap_or(link)),
                what: format!("damping is negative: it is driven with {} N m s times its rate", def.thrust),
                fix: "damping = 0".into(),
            });
        }
    }

    /// Shapes to links; what never moves belongs to the world unless an exclusion names its body.
    fn place_shapes(&mut self) {
        // (contype, conaffinity) → a bit: pairs touch if either's type is in the other's affinity
        let mut kinds: Vec<[u32; 2]> = Vec::new();
        for (_, part, types) in &self.shapes {
            if part.touches && !kinds.contains(types) {
                kinds.push(*types);
            }
        }
        let meets = |a: &[u32; 2], b: &[u32; 2]| a[0] & b[1] != 0 || b[0] & a[1] != 0;
        if kinds.len() > 32 {
            self.report.findings.push(Finding {
                severity: Severity::Warning,
                subject: "contype and conaffinity".into(),
                what: format!(
                    "{} combinations; the first 32 are told apart, the rest touch everything",
                    kinds.len()
                ),
                fix: "use fewer".into(),
            });
        }
        for (body, mut part, types) in std::mem::take(&mut self.shapes) {
            let b = &self.bodies[body];
            if b.fixed && !self.kept_apart.contains(&body) {
                part.link = "world".into();
                part.pose = isometry(&b.x_w0) * part.pose;
            } else {
                part.link.clone_from(&b.link);
                part.pose = isometry(&b.x_lb) * part.pose;
            }
            if let Some(k) = kinds.iter().position(|t| *t == types).filter(|&k| k < 32 && part.touches) {
                part.group = 1 << k;
                part.mask =
                    (0..kinds.len().min(32)).filter(|&j| meets(&types, &kinds[j])).fold(0, |m, j| m | 1 << j);
            }
            self.assembly.shapes.push(part);
            self.shape_body.push(body);
        }
    }

    /// The number by which equipment knows a link.
    pub(super) fn link_ref(&mut self, name: &str) -> LinkId {
        if let Some(&id) = self.link_index.get(name) {
            return id;
        }
        let id = LinkId(self.assembly.equipment_links.len());
        self.assembly.equipment_links.push(name.to_owned());
        self.link_index.insert(name.to_owned(), id);
        id
    }

    /// The joint of that name: its link and definition.
    fn find_joint(&self, name: &str) -> Option<&JointDef> {
        self.bodies.iter().flat_map(|b| &b.joints).find(|j| j.name.as_deref() == Some(name))
    }
}

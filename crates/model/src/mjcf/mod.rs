//! MJCF, read as MuJoCo's compiler reads it: defaults, frames, inertias from geoms, and everything reported.
//!
//! A body with several joints becomes a chain of links, all but the last without mass. A link's frame is where its joint
//! turns; `x_lb` is the body's frame in it. Coordinates count from the file's reference: q = qpos - ref.
//!
//! Softness of contact is not obeyed: the simulator's contact is hard, and the report says so of each parameter.

mod actuator;
mod align;
mod asset;
mod body;
mod constraint;
mod defaults;
mod fuse;
mod geom;
mod hfield;
mod inertia;
mod keyframe;
mod law;
mod link;
mod mesh_mass;
mod off;
mod option;
mod principal;
mod sensor;
mod shell;
mod tendon;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gudgeon_collide::{MassProperties, Shape};
use gudgeon_multibody::{Dof, LinkId};
use gudgeon_sim::{Combine, Grip, Material, Volume, WrapShape};
use gudgeon_spatial::{Inertia, Matrix3, Pose, Vector3};

use self::defaults::{Classes, Compiler};
use crate::assembly::{Assembly, ShapePart};
use crate::error::{ModelFileError, Place};
use crate::files;
use crate::meshes::RawMesh;
use crate::options::LoadOptions;
use crate::report::ImportReport;
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
        off: off::Off::default(),
        copies: 0,
        string_bounds: Vec::new(),
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
    /// Of a free one: whether the body's frame is to be that of its inertia.
    align: Option<bool>,
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
    /// Axes that are given with it.
    given_axes: Option<Matrix3<f64>>,
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
            given_axes: None,
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
    unread: BTreeSet<String>,                    // meshes that were not to be read
    fields: BTreeMap<String, (Shape, [f64; 3])>, // with half the sizes of the box that weighs as much
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
    off: off::Off,
    copies: usize,
    string_bounds: Vec<Option<[f64; 2]>>, // by string: of what its actuators do together
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
            if self.off.has("equality") {
                equality.ignored("switched off by a flag");
            } else {
                self.equality(&equality)?;
            }
        }
        self.spring_dampers();
        for actuator in root.named("actuator") {
            self.actuators(&actuator)?;
        }
        self.switch_off();
        for sensor in root.named("sensor") {
            self.sensors(&sensor)?;
        }
        self.keyframes(root)?;
        self.fuse(root);
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
}

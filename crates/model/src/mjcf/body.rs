//! The tree of bodies: frames, copies, joints.

use gudgeon_multibody::{Dof, Joint};
use gudgeon_spatial::{Inertia, Matrix3, Pose, Symmetric3, Vector3};

use super::defaults::Scope;
use super::{Body, FREE_SWING, JointDef, JointKind, Reader};
use crate::error::ModelFileError;
use crate::tolerances::NO_DIRECTION;
use crate::xml::Element;

/// What stands around an element.
#[derive(Debug, Clone)]
pub(super) struct Around {
    /// Index of the body.
    pub body: usize,
    /// The frame of the elements in the body.
    pub frame: Pose,
    pub class: Option<String>,
    /// Goes behind every name, for copies.
    pub suffix: String,
}

impl<'a> Reader<'a> {
    /// Walks everything below a `<worldbody>`.
    pub(super) fn world(&mut self, world: Element<'a>) -> Result<(), ModelFileError> {
        world.used();
        let class = world.get("childclass").map(str::to_owned);
        let top = Around { body: 0, frame: Pose::identity(), class, suffix: String::new() };
        let mut stack: Vec<(Element<'a>, Around)> = Vec::new();
        push_children(&mut stack, &world, &top);
        while let Some((element, around)) = stack.pop() {
            match element.tag() {
                "body" => {
                    let inner = self.body(element, &around)?;
                    push_children(&mut stack, &element, &inner);
                }
                "frame" => {
                    let inner = self.frame(&element, around)?;
                    push_children(&mut stack, &element, &inner);
                }
                "replicate" => self.replicate(&element, &around, &mut stack)?,
                "geom" => self.geom(element, &around)?,
                "site" => self.site(element, &around)?,
                "joint" | "freejoint" | "inertial" => {
                    if around.body == 0 {
                        return Err(element.structure_error("the world has no joints and no inertia"));
                    }
                }
                "camera" => self.camera(&element, &around)?,
                "light" => element.ignored("for pictures: the viewer has its own"),
                "composite" | "flexcomp" => element.ignored("bodies that bend are not simulated"),
                "attach" => element.ignored("of a model that is not attached"),
                "plugin" => element.ignored("plugins are not run"),
                other => element.ignored(format!("<{other}> is not known to this reader")),
            }
        }
        Ok(())
    }

    fn frame(&mut self, element: &Element<'a>, around: Around) -> Result<Around, ModelFileError> {
        element.used();
        element.ignore(&["name"], "frames dissolve in what they hold");
        let scope = self.classes.scope(element, &[], None)?;
        let pose = self.compiler(&scope.own()).pose(&scope)?;
        let class = element.get("childclass").map(str::to_owned).or(around.class);
        Ok(Around { frame: around.frame.compose(&pose), class, ..around })
    }

    fn replicate(
        &mut self,
        element: &Element<'a>,
        around: &Around,
        stack: &mut Vec<(Element<'a>, Around)>,
    ) -> Result<(), ModelFileError> {
        element.used();
        let count = element.number("count")?.ok_or_else(|| element.missing("count"))?;
        let limit = self.options.limits.links;
        if !(count >= 1.0 && count.fract() == 0.0) {
            return Err(element.value_error("count", count, "a number of copies"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a checked count")]
        let count = count as usize;
        self.copies = self.copies.saturating_add(count);
        if self.copies > limit {
            return Err(ModelFileError::Limit {
                at: element.place(),
                what: "copies",
                count: self.copies,
                limit,
            });
        }
        let separator = element.get("sep").unwrap_or_default();
        let offset = Vector3::from(element.vector::<3>("offset")?.unwrap_or_default());
        let scope = self.classes.scope(element, &[], None)?;
        let step = Pose::new(self.compiler(&scope.own()).rotation(&scope)?, offset);
        let digits = (count - 1).to_string().len();
        let mut frames = vec![around.frame];
        for k in 1..count {
            frames.push(frames[k - 1].compose(&step));
        }
        for k in (0..count).rev() {
            let suffix = format!("{}{separator}{k:0digits$}", around.suffix);
            push_children(stack, element, &Around { frame: frames[k], suffix, ..around.clone() });
        }
        Ok(())
    }

    fn body(&mut self, element: Element<'a>, around: &Around) -> Result<Around, ModelFileError> {
        element.used();
        let limit = self.options.limits.links;
        if self.bodies.len() >= limit {
            let count = self.bodies.len() + 1;
            return Err(ModelFileError::Limit { at: element.place(), what: "bodies", count, limit });
        }
        let index = self.bodies.len();
        let name = match element.get("name") {
            Some(name) => format!("{name}{}", around.suffix),
            None => format!("body#{index}"),
        };
        if self.body_index.insert(name.clone(), index).is_some() {
            return Err(ModelFileError::Duplicate { at: element.place(), kind: "body", name });
        }
        let class = element.get("childclass").map(str::to_owned).or(around.class.clone());
        let scope = self.classes.scope(&element, &[], None)?;
        let pose = around.frame.compose(&self.compiler(&scope.own()).pose(&scope)?);
        let mocap = element.get("mocap") == Some("true");
        if mocap && around.body != 0 {
            return Err(element.structure_error(format!("body '{name}': mocap bodies stand on the world")));
        }
        self.gravcomp.push(element.number("gravcomp")?.unwrap_or(0.0));
        element.ignore(&["user"], "a note for the user");
        element.ignore(&["sleep"], "nothing sleeps");
        let mut joints = Vec::new();
        let (mut inertial, mut given_axes) = (None, None);
        for child in element.children() {
            match child.tag() {
                "joint" => joints.push(self.joint(&child, class.as_deref(), &around.suffix)?),
                "freejoint" => {
                    child.used();
                    child.ignore(&["group"], "for pictures");
                    let name = child.get("name").map(|n| format!("{n}{}", around.suffix));
                    let align = self.classes.scope(&child, &[], None)?.flag("align")?;
                    joints.push(JointDef { align, ..JointDef::free(name) });
                }
                "inertial" => {
                    let (own, axes) = self.inertial(&child)?;
                    (inertial, given_axes) = (Some(own), axes);
                }
                _ => {}
            }
        }
        for joint in &joints {
            if joint.kind == JointKind::Free && (around.body != 0 || joints.len() > 1) {
                return Err(element
                    .structure_error(format!("body '{name}': a free joint stands alone, on the world")));
            }
        }
        let parent = around.body;
        let x_w0 = self.bodies[parent].x_w0.compose(&pose);
        let fixed = self.bodies[parent].fixed && joints.is_empty() && !mocap;
        let placed = mocap || self.bodies[parent].placed;
        self.bodies.push(Body {
            name,
            model: element.model(),
            parent,
            pose,
            x_w0,
            fixed,
            placed,
            joints,
            inertial,
            given_axes,
            parts: Vec::new(),
            only: None,
            link: String::new(),
            x_lb: Pose::identity(),
            at: element.place(),
        });
        Ok(Around { body: index, frame: Pose::identity(), class, suffix: around.suffix.clone() })
    }

    /// What `<inertial>` says, and its axes if they are given.
    fn inertial(&self, element: &Element<'a>) -> Result<(Inertia, Option<Matrix3<f64>>), ModelFileError> {
        element.used();
        let mass = element.number("mass")?.ok_or_else(|| element.missing("mass"))?;
        let scope = self.classes.scope(element, &[], None)?;
        let at = self.compiler(&scope.own()).pose(&scope)?;
        let full = element.vector::<6>("fullinertia")?;
        let axes = full.is_none().then_some(at.rotation);
        let matrix = if let Some([xx, yy, zz, xy, xz, yz]) = full {
            Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        } else {
            Matrix3::from_diagonal(&Vector3::from(element.vector::<3>("diaginertia")?.unwrap_or_default()))
        };
        let turned = at.rotation * matrix * at.rotation.transpose();
        Ok((Inertia::new(mass, at.translation, Symmetric3::from_matrix(&turned)), axes))
    }

    fn joint(
        &self,
        element: &Element<'a>,
        class: Option<&str>,
        suffix: &str,
    ) -> Result<JointDef, ModelFileError> {
        element.used();
        let s = self.classes.scope(element, &["joint"], class)?;
        let kind = match s.text("type").unwrap_or("hinge") {
            "hinge" => JointKind::Hinge,
            "slide" => JointKind::Slide,
            "ball" => JointKind::Ball,
            "free" => JointKind::Free,
            other => return Err(element.value_error("type", other, "hinge, slide, ball or free")),
        };
        let axis = Vector3::from(s.vector::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0]));
        if axis.norm() < NO_DIRECTION && matches!(kind, JointKind::Hinge | JointKind::Slide) {
            return Err(element.value_error("axis", "0 0 0", "a direction"));
        }
        let mut joint = JointDef {
            name: element.get("name").map(|n| format!("{n}{suffix}")),
            kind,
            axis: if axis.norm() > 0.0 { axis.normalize() } else { Vector3::z() },
            anchor: Vector3::from(s.vector::<3>("pos")?.unwrap_or_default()),
            reference: 0.0,
            dof: Dof::default(),
            spring_damper: None,
            effort: None,
            lifted: false,
            align: None,
            thrust: 0.0,
            swing: FREE_SWING,
            link: String::new(),
        };
        self.dof(&s, &mut joint)?;
        s.ignore(
            &["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"],
            "limits are hard",
        );
        s.ignore(&["group"], "for pictures");
        s.ignore(&["user"], "a note for the user");
        joint.lifted = s.flag("actuatorgravcomp")? == Some(true);
        joint.align = s.flag("align")?;
        if matches!(kind, JointKind::Hinge | JointKind::Slide) {
            joint.effort = self.range(&s, "actuatorfrcrange", "actuatorfrclimited")?;
        }
        Ok(joint)
    }

    fn dof(&self, s: &Scope<'a>, joint: &mut JointDef) -> Result<(), ModelFileError> {
        let plain = matches!(joint.kind, JointKind::Hinge | JointKind::Slide);
        // angles of hinges are in the compiler's unit, lengths never
        let convert =
            |x: f64| if joint.kind == JointKind::Hinge { self.compiler(&s.own()).angle(x) } else { x };
        let dof = &mut joint.dof;
        for (name, target) in [
            ("damping", &mut dof.damping),
            ("frictionloss", &mut dof.friction),
            ("armature", &mut dof.armature),
        ] {
            let list = s.list::<3>(name, [0.0; 3])?;
            *target = list[0].max(0.0);
            if list[0] < 0.0 && name == "damping" {
                joint.thrust = -list[0];
            } else if list[0] < 0.0 {
                s.approximate(name, "negative: taken as 0");
            }
            if list[1] != 0.0 || list[2] != 0.0 {
                s.approximate(name, "the terms that grow with the speed are left out");
            }
        }
        let stiffness = s.list::<3>("stiffness", [0.0; 3])?;
        if stiffness[1] != 0.0 || stiffness[2] != 0.0 {
            s.approximate("stiffness", "the terms that grow with the stretch are left out");
        }
        if plain {
            joint.reference = convert(s.number("ref")?.unwrap_or(0.0));
            dof.stiffness = stiffness[0].max(0.0);
            dof.rest = convert(s.number("springref")?.unwrap_or(0.0)) - joint.reference;
            let given = s.vector::<2>("range")?;
            let limited = s.flag("limited")?.unwrap_or(self.compiler(&s.own()).autolimits && given.is_some());
            if let (true, Some([lower, upper])) = (limited, given) {
                (dof.lower, dof.upper) = (convert(lower) - joint.reference, convert(upper) - joint.reference);
            } else {
                s.ignore(&["range"], "the joint is not limited");
            }
            joint.spring_damper = s.vector::<2>("springdamper")?.filter(|[t, d]| *t > 0.0 && *d > 0.0);
        } else {
            let ball = joint.kind == JointKind::Ball;
            if ball {
                joint.swing[0] = stiffness[0].max(0.0);
            } else if stiffness[0] != 0.0 {
                s.approximate("stiffness", "free joints have no spring here");
            }
            let given = s.vector::<2>("range")?;
            let limited = s.flag("limited")?.unwrap_or(self.compiler(&s.own()).autolimits && given.is_some());
            if let (true, true, Some([a, b])) = (ball, limited, given) {
                joint.swing[1] = self.compiler(&s.own()).angle(a.max(b));
            } else {
                s.ignore(&["range"], "the joint is not limited");
            }
            s.ignore(&["ref", "springref", "springdamper"], "meant for hinges and slides");
        }
        Ok(())
    }
}

fn push_children<'a>(stack: &mut Vec<(Element<'a>, Around)>, element: &Element<'a>, around: &Around) {
    let children: Vec<_> = element.children().collect();
    stack.extend(children.into_iter().rev().map(|c| (c, around.clone())));
}

impl JointDef {
    fn free(name: Option<String>) -> Self {
        Self {
            name,
            kind: JointKind::Free,
            axis: Vector3::z(),
            anchor: Vector3::zeros(),
            reference: 0.0,
            dof: Dof::default(),
            spring_damper: None,
            effort: None,
            lifted: false,
            align: None,
            thrust: 0.0,
            swing: FREE_SWING,
            link: String::new(),
        }
    }

    /// The joint of the scene and where its frame is in the body.
    pub(super) fn joint(&self) -> (Joint, Vector3<f64>, &'static str) {
        match self.kind {
            JointKind::Hinge => (Joint::revolute(self.axis), self.anchor, "revolute"),
            JointKind::Slide => (Joint::prismatic(self.axis), Vector3::zeros(), "prismatic"),
            JointKind::Ball => (Joint::Spherical, self.anchor, "spherical"),
            JointKind::Free => (Joint::Free, Vector3::zeros(), "free"),
        }
    }
}

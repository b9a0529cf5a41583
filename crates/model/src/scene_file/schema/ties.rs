//! What ties bodies to each other and moves them: joints, loops, gears, models of robots, pushes, controllers.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::bodies::OrientationValue;

tables! {
    /// Makes a body hang on another; its frame is then the joint's frame.
    JointTable {
        /// fixed, revolute, prismatic, helical, cylindrical, universal, planar, spherical or free.
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// The body it hangs on; the world.
        pub parent: Option<String>,
        /// The body that hangs on it.
        pub child: String,
        /// Of its frame in the parent, m.
        pub position: Option<[f64; 3]>,
        /// Of its frame in the parent, a turn.
        pub orientation: Option<OrientationValue>,
        /// In its frame; z.
        pub axis: Option<[f64; 3]>,
        /// Of a universal joint.
        pub axis2: Option<[f64; 3]>,
        /// Of a helical joint, m/rad.
        pub pitch: Option<f64>,
        /// Least and greatest, rad or m.
        pub limits: Option<[f64; 2]>,
        /// N m s/rad or N s/m.
        pub damping: Option<f64>,
        /// Dry friction, N m or N.
        pub friction: Option<f64>,
        /// Inertia of the drive, kg m² or kg.
        pub armature: Option<f64>,
        /// Of a spring, N m/rad or N/m.
        pub stiffness: Option<f64>,
        /// Where the spring rests, rad or m.
        pub rest: Option<f64>,
        /// Greatest force of motors, N m or N.
        pub effort: Option<f64>,
        /// Where it starts, rad or m; a spherical joint w x y z.
        pub initial: Option<NumberOrList>,
        /// rad/s or m/s.
        pub initial_velocity: Option<NumberOrList>,
        /// Follows another joint.
        pub mimic: Option<MimicTable>,
    }

    MimicTable {
        /// The child of the joint that leads.
        pub joint: String,
        /// 1 unless given.
        pub ratio: Option<f64>,
        /// rad or m.
        pub offset: Option<f64>,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a number or a list of numbers")]
pub(in crate::scene_file) enum NumberOrList {
    One(f64),
    List(Vec<f64>),
}

impl NumberOrList {
    pub(in crate::scene_file) fn list(&self) -> Vec<f64> {
        match self {
            Self::One(x) => vec![*x],
            Self::List(x) => x.clone(),
        }
    }
}

tables! {
    LoopTable {
        /// point, revolute (about z of both frames), weld, line (b's point on z of a's frame), cylindrical, prismatic or plane (b's point in x, y of a's frame).
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// A body, or world.
        pub a: String,
        /// Another body.
        pub b: String,
        /// Of the frame in a, m.
        pub position_a: Option<[f64; 3]>,
        /// Of the frame in b, m.
        pub position_b: Option<[f64; 3]>,
        /// A turn.
        pub orientation_a: Option<OrientationValue>,
        /// A turn.
        pub orientation_b: Option<OrientationValue>,
        /// z of the frame in a, in place of a turn.
        pub axis_a: Option<[f64; 3]>,
        /// z of the frame in b, in place of a turn.
        pub axis_b: Option<[f64; 3]>,
    }

    CouplingTable {
        /// Σ coefficient · coordinate = offset.
        pub terms: Vec<TermTable>,
        /// 0 unless given.
        pub offset: Option<f64>,
    }

    TermTable {
        /// The child of the joint.
        pub joint: String,
        /// Which of its coordinates; 0.
        pub dof: Option<usize>,
        /// Its factor.
        pub coefficient: f64,
    }

    /// Two wheels in mesh; teeth or radii, as they are counted.
    GearTable {
        /// The child of the first wheel's joint.
        pub a: String,
        /// Of the second's.
        pub b: String,
        /// Of a and b, or their radii.
        pub teeth: [f64; 2],
        /// One of the two has its teeth inside: both turn the same way.
        pub internal: Option<bool>,
        /// The arm that carries a wheel or both.
        pub carrier: Option<String>,
    }

    /// A pinion that moves a rack: travel = radius times turn.
    RackTable {
        /// The child of the turning joint.
        pub pinion: String,
        /// The child of the sliding joint.
        pub rack: String,
        /// m; negative the other way round.
        pub radius: f64,
    }

    /// A follower whose place is a smooth function of the turn of a shaft.
    CamTable {
        /// The child of the turning joint.
        pub shaft: String,
        /// The child of the joint that follows.
        pub follower: String,
        /// rad
        pub angles: Vec<f64>,
        /// Its coordinate at these angles, m or rad; a smooth curve (cubic spline) goes through them.
        pub lifts: Vec<f64>,
        /// The curve repeats with every turn; true unless said otherwise.
        pub closed: Option<bool>,
    }

    ModelTable {
        /// URDF or MJCF.
        pub file: String,
        /// Goes before the names of its links with a slash.
        pub name: Option<String>,
        /// m.
        pub position: Option<[f64; 3]>,
        /// A turn.
        pub orientation: Option<OrientationValue>,
        /// auto, free or fixed.
        pub base: Option<Spanned<String>>,
        /// keep or merge.
        pub fixed_joints: Option<Spanned<String>>,
        /// Directories to look for files in.
        pub search: Option<Vec<String>>,
        /// Reads mesh files; true.
        pub meshes: Option<bool>,
        /// Meshes touch as their hulls; true.
        pub hulls: Option<bool>,
        /// Geoms or links whose meshes touch as they are.
        pub exact: Option<Vec<String>>,
        /// To start from.
        pub keyframe: Option<String>,
        /// Where joints start, by name.
        #[serde(default)]
        pub joints: BTreeMap<String, NumberOrList>,
        /// Of all its surfaces.
        pub material: Option<String>,
    }

    ApartTable {
        /// A body.
        pub a: String,
        /// A body that a does not touch.
        pub b: String,
    }

    PushTable {
        /// On which.
        pub body: String,
        /// World axes, N.
        pub force: Option<[f64; 3]>,
        /// World axes, N m.
        pub torque: Option<[f64; 3]>,
        /// Where the force acts, body frame, m; the centre of mass.
        pub point: Option<[f64; 3]>,
        /// s.
        pub from: Option<f64>,
        /// s.
        pub until: Option<f64>,
    }

    ControllerTable {
        /// force, motor, pd, computed-torque or high-gain.
        #[serde(rename = "type")]
        pub kind: Spanned<String>,
        /// The child of the joint.
        pub joint: Option<String>,
        /// Several, in place of `joint`.
        pub joints: Option<Vec<String>>,
        /// Which of its coordinates; 0.
        pub dof: Option<usize>,
        /// Of `force`, N m or N.
        pub force: Option<f64>,
        /// Of `motor`, rad/s or m/s.
        pub velocity: Option<f64>,
        /// Greatest force, N m or N.
        pub effort: Option<f64>,
        /// Of `pd` (N m/rad, N/m) and `computed-torque` (1/s²).
        pub stiffness: Option<f64>,
        /// Likewise.
        pub damping: Option<f64>,
        /// Held.
        pub target: Option<NumberOrList>,
        /// Knots of a motion, s.
        pub times: Option<Vec<f64>>,
        /// At the knots, rad or m.
        pub values: Option<Vec<NumberOrList>>,
    }
}

//! How a model file is to be read, as typed: the same for every command that takes one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gudgeon_model::{Base, Cache, FixedJoints, LoadOptions};

/// What a root hangs on where the file does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum BaseChoice {
    /// Free if it has mass.
    #[default]
    Auto,
    /// Free to move.
    Free,
    /// Fixed to the world.
    Fixed,
}

/// How to read a URDF, an MJCF or a scene file.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Reading models")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct ModelArgs {
    /// A directory in which packages and meshes are looked for; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub search: Vec<PathBuf>,

    /// Let file names lead outside of the model's directory and the search path.
    #[arg(long)]
    pub outside: bool,

    /// What the root of a URDF hangs on.
    #[arg(long, value_enum, default_value_t)]
    pub base: BaseChoice,

    /// Make links on fixed joints part of the links that carry them.
    #[arg(long)]
    pub merge_fixed: bool,

    /// Leave meshes unread.
    #[arg(long)]
    pub no_meshes: bool,

    /// Let the convex hulls of meshes touch in place of the meshes: the default.
    #[arg(long, conflicts_with = "exact_meshes")]
    pub hulls: bool,

    /// Let meshes touch as they are, not as their convex hulls: a ring stays a ring.
    #[arg(long)]
    pub exact_meshes: bool,

    /// Let the meshes of this geom or link touch as they are; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub exact: Vec<String>,

    /// Neither read nor write the user's cache of convex hulls.
    #[arg(long)]
    pub no_cache: bool,

    /// Start from this keyframe of an MJCF.
    #[arg(long, value_name = "NAME")]
    pub keyframe: Option<String>,

    /// Start a joint of a URDF or MJCF here: rad or m, several numbers after commas (a turn w,x,y,z; a free root w,x,y,z
    /// and its place); may be given several times.
    #[arg(id = "joint", long = "joint", value_name = "NAME=VALUE", value_parser = joint_position, allow_hyphen_values = true)]
    pub joints: Vec<(String, Vec<f64>)>,
}

impl ModelArgs {
    /// Whether nothing was typed.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn options(&self) -> LoadOptions {
        LoadOptions {
            search: self.search.clone(),
            outside: self.outside,
            base: match self.base {
                BaseChoice::Auto => Base::Auto,
                BaseChoice::Free => Base::Free,
                BaseChoice::Fixed => Base::Fixed,
            },
            fixed: if self.merge_fixed { FixedJoints::Merge } else { FixedJoints::Keep },
            meshes: !self.no_meshes,
            hulls: !self.exact_meshes,
            exact: self.exact.clone(),
            cache: if self.no_cache { Cache::Off } else { Cache::User },
            keyframe: self.keyframe.clone(),
            joints: self.joints.clone(),
            ..LoadOptions::default()
        }
    }
}

fn joint_position(text: &str) -> Result<(String, Vec<f64>), String> {
    let (name, values) =
        text.rsplit_once('=').ok_or("expected a joint's name, '=' and its position".to_owned())?;
    let number = |word: &str| word.trim().parse().map_err(|_| format!("'{word}' is not a number"));
    Ok((name.trim().to_owned(), values.split(',').map(number).collect::<Result<_, _>>()?))
}

//! How to read a file: where to look for meshes, what a root hangs on, what is refused.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::Cache;

/// What the root of a model hangs on where its file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Base {
    /// Free if the root has mass and is not called "world", else fixed: nothing in a URDF holds a massive root.
    #[default]
    Auto,
    /// Free to move.
    Free,
    /// Fixed to the world.
    Fixed,
}

/// What becomes of links that hang on a fixed joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FixedJoints {
    /// They stay links of their own, found by name. The default.
    #[default]
    Keep,
    /// They become part of the link that carries them.
    Merge,
}

/// Bounds on what a file may ask for, so that memory and time stay bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one XML or TOML file. The largest model of the peers' packages has 1.5 MB.
    pub bytes: usize,
    /// Nested elements. A chain of a thousand links needs as many; the walk does not use the call stack.
    pub depth: usize,
    /// Elements of all files together.
    pub elements: usize,
    /// Files included, all together.
    pub includes: usize,
    /// Links made, by repetition too.
    pub links: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, depth: 20_000, elements: 2_000_000, includes: 1_000, links: 200_000 }
    }
}

/// How to read a file.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a reader")]
pub struct LoadOptions {
    /// Directories in which `package://name/` and relative mesh names are looked up besides the file's own.
    pub search: Vec<PathBuf>,
    /// Lets file names lead outside of the model's directory and the search path. Off: a model is foreign input.
    pub outside: bool,
    /// What the root of a URDF hangs on.
    pub base: Base,
    /// What becomes of fixed joints.
    pub fixed: FixedJoints,
    /// Reads mesh files; without, their shapes are left out and the report says so.
    pub meshes: bool,
    /// Meshes touch as their convex hulls, as the authors of most models saw them. Off: as they are, a ring stays a ring.
    pub hulls: bool,
    /// Geoms or links, by name, whose meshes touch as they are though `hulls` is on.
    pub exact: Vec<String>,
    /// Makes anything ignored an error.
    pub strict: bool,
    /// Name of the keyframe to start from; the file's first state if none.
    pub keyframe: Option<String>,
    /// Where joints of a URDF or MJCF start, by name and in the file's own meaning; the others as the file says. Joints that
    /// are coupled to these follow.
    pub joints: Vec<(String, Vec<f64>)>,
    /// Of a scene file: parameters by name and keys by path (`body.crank.mass`), with values as TOML writes them; they go
    /// before what the file says.
    pub set: Vec<(String, String)>,
    /// Where hulls are kept from one load to the next.
    pub cache: Cache,
    /// Bounds.
    pub limits: Limits,
    /// Takes down which files the model named.
    pub seen: Seen,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            search: Vec::new(),
            outside: false,
            base: Base::Auto,
            fixed: FixedJoints::Keep,
            meshes: true,
            hulls: true,
            exact: Vec::new(),
            strict: false,
            keyframe: None,
            joints: Vec::new(),
            set: Vec::new(),
            cache: Cache::User,
            limits: Limits::default(),
            seen: Seen::default(),
        }
    }
}

/// The files that a model names, each once, in the order they were found: meshes, pictures, included models. A clone
/// shares the list.
///
/// ```
/// use gudgeon_model::{LoadOptions, load_scene_with};
/// let folder = std::env::temp_dir().join("gudgeon-seen");
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("scene.toml"), "[[static]]\nshape = { plane = {} }\n")?;
/// let options = LoadOptions::default();
/// load_scene_with(&folder.join("scene.toml"), &options).unwrap();
/// assert!(options.seen.paths().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Seen(Arc<Mutex<Vec<PathBuf>>>);

impl Seen {
    /// The files so far.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn note(&self, path: &Path) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !list.iter().any(|p| p == path) {
            list.push(path.to_owned());
        }
    }
}

impl PartialEq for Seen {
    /// What was seen says nothing of how to read.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

//! A model's file with everything that it names, so that it can be read again where those files are not.
//!
//! ```text
//!     here:   /home/a/robot/robot.urdf, /home/a/robot/meshes/arm.stl        noted while they are read, packed by pickle
//!     there:  T/home/a/robot/robot.urdf, T/home/a/robot/meshes/arm.stl      written below a folder T for the load alone
//! ```
//! Where all files still stand with the same bytes they are read in place.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gudgeon_model::{ImportReport, LoadOptions, Seen, load_scene_with};
use gudgeon_sim::Scene;
use pyo3::PyResult;

use crate::model::refused;

/// A file that a model names; with its bytes if it came from elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Shipped {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Option<Arc<Vec<u8>>>,
}

impl Shipped {
    /// What is in it.
    pub(crate) fn read(&self) -> PyResult<Arc<Vec<u8>>> {
        match &self.bytes {
            Some(bytes) => Ok(bytes.clone()),
            None => std::fs::read(&self.path)
                .map(Arc::new)
                .map_err(|e| refused(format!("{}: {e}; a pickled model carries it", self.path.display()))),
        }
    }

    /// Whether it stands where it stood, with these bytes.
    fn stands(&self) -> bool {
        self.bytes.as_ref().is_none_or(|b| std::fs::read(&self.path).is_ok_and(|now| now == **b))
    }
}

/// An absolute path without `.` and `..`, links left as they are.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut out = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The same place below a folder.
fn below(root: &Path, path: &Path) -> PathBuf {
    let parts = path.components().filter(|c| matches!(c, Component::Normal(_)));
    root.join(parts.collect::<PathBuf>())
}

/// A folder of this process, removed with what is in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let now = std::time::SystemTime::now();
        let unique = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("gudgeon-{}-{unique}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let copy = below(&self.0, path);
        if let Some(parent) = copy.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&copy, bytes)?;
        Ok(copy)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // what cannot be removed stays in the system's folder for such things
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads a model where it stands if it still says the same, else from what came with it; tells which files it names.
pub(crate) fn load(
    path: &Path,
    text: &str,
    files: &[Shipped],
    options: &LoadOptions,
) -> PyResult<(Scene, ImportReport, Vec<Shipped>)> {
    let seen = Seen::default();
    let options = LoadOptions { seen: seen.clone(), ..options.clone() };
    if std::fs::read_to_string(path).is_ok_and(|now| now == text) && files.iter().all(Shipped::stands) {
        let (scene, report) = load_scene_with(path, &options).map_err(refused)?;
        let own = seen.paths().iter().map(|p| Shipped { path: absolute(p), bytes: None }).collect();
        return Ok((scene, report, own));
    }
    let folder = Folder::new()?;
    let copy = folder.put(&absolute(path), text.as_bytes())?;
    for file in files {
        folder.put(&file.path, &file.read()?)?;
    }
    let search = options.search.iter().map(|s| below(&folder.0, &absolute(s)));
    let search = search.chain(options.search.iter().cloned()).collect();
    let (scene, report) = load_scene_with(&copy, &LoadOptions { search, ..options }).map_err(|e| {
        let prefix = format!("{}{}", folder.0.display(), std::path::MAIN_SEPARATOR);
        let home = absolute(path);
        let home = home.parent().map(|p| below(Path::new(""), p)).unwrap_or_default();
        let own = if home.as_os_str().is_empty() {
            String::new()
        } else {
            format!("{}{}", home.display(), std::path::MAIN_SEPARATOR)
        };
        refused(e.to_string().replace(&format!("{prefix}{own}"), "").replace(&prefix, "/"))
    })?;
    Ok((scene, report, files.to_vec()))
}

//! From names of files in a model to paths: packages, the search path, and no way out of them.

use std::path::{Component, Path, PathBuf};

use crate::error::{ModelFileError, Place};
use crate::options::LoadOptions;

/// Reads a text file within the limit of bytes.
pub(crate) fn read_text(path: &Path, at: &Place, options: &LoadOptions) -> Result<String, ModelFileError> {
    // the file itself, or one that it names
    let name = if at.file == path { String::new() } else { format!("{}: ", path.display()) };
    let unreadable =
        |reason: &str| ModelFileError::Read { at: at.clone(), reason: format!("{name}{reason}") };
    let named = |e: &std::io::Error| unreadable(&e.to_string());
    let meta = std::fs::metadata(path).map_err(|e| named(&e))?;
    if !meta.is_file() {
        return Err(unreadable("not a file"));
    }
    let (count, limit) = (usize::try_from(meta.len()).unwrap_or(usize::MAX), options.limits.bytes);
    if count > limit {
        return Err(ModelFileError::Limit { at: at.clone(), what: "bytes", count, limit });
    }
    let bytes = std::fs::read(path).map_err(|e| named(&e))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]);
        let at = Place { file: path.to_owned(), line: 1 + valid.matches('\n').count() };
        ModelFileError::Syntax { at, reason: "not UTF-8".to_owned() }
    })
}

/// How many directories above a model its package may start.
const PACKAGE_LEVELS: usize = 12;

/// The file that `name` means in a file of directory `directory`.
///
/// `package://p/rest` and `model://p/rest` are looked for in the search path and in the directories above that are
/// called p; anything else relative to `directory`, then to the search path. The answer lies in `directory`, in the
/// package or in the search path, links followed, or is a mesh, picture or model beside it, as `../meshes`; absolute names and
/// other kinds of files lead nowhere unless the options allow it, and strict reading keeps to the directory.
pub(crate) fn resolve(
    name: &str,
    directory: &Path,
    at: &Place,
    options: &LoadOptions,
) -> Result<PathBuf, ModelFileError> {
    let mut tried = Vec::new();
    let mut escaped = false;
    for (root, path) in candidates(name, directory, options) {
        if !path.is_file() {
            tried.push(path);
            continue;
        }
        let allowed =
            options.outside || within(&path, &root) || options.search.iter().any(|s| within(&path, s));
        if allowed || (!options.strict && beside(&path, directory)) {
            options.seen.note(&path);
            return Ok(path);
        }
        escaped = true;
    }
    let climbs =
        Path::new(name).components().any(|c| c == Component::ParentDir) || Path::new(name).is_absolute();
    let asset = !options.strict && is_asset(Path::new(name)) && !Path::new(name).is_absolute();
    if escaped || (climbs && !options.outside && !asset) {
        return Err(ModelFileError::Escape { at: at.clone(), path: name.to_owned() });
    }
    let first = tried.first().map_or_else(String::new, |p| format!(", looked for {}", p.display()));
    let more = if tried.len() > 1 { format!(" and {} more", tried.len() - 1) } else { String::new() };
    Err(ModelFileError::Read {
        at: at.clone(),
        reason: format!("file '{name}' not found{first}{more}; the search path can name other directories"),
    })
}

/// (root it must stay in, path) in order of preference.
fn candidates(name: &str, directory: &Path, options: &LoadOptions) -> Vec<(PathBuf, PathBuf)> {
    let mut list = Vec::new();
    let packaged = ["package://", "model://"].iter().find_map(|p| name.strip_prefix(p));
    if let Some(rest) = packaged {
        let rest = rest.trim_start_matches('/'); // package:///p is meant as package://p
        let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
        for root in &options.search {
            list.push((root.clone(), root.join(rest)));
            if root.file_name().is_some_and(|n| n == package) {
                list.push((root.clone(), root.join(inner)));
            }
        }
        if package.is_empty() || package.starts_with('.') {
            return list;
        }
        let start = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        for above in start.ancestors().take(PACKAGE_LEVELS) {
            if above.file_name().is_some_and(|n| n == package) {
                list.push((above.to_owned(), above.join(inner)));
            }
            let beside = above.join(package);
            if above != Path::new("/") {
                list.push((beside.clone(), beside.join(inner)));
            }
        }
        return list;
    }
    let plain = name.strip_prefix("file://").unwrap_or(name);
    let short = shortened(plain);
    for root in std::iter::once(directory).chain(options.search.iter().map(PathBuf::as_path)) {
        list.push((root.to_owned(), root.join(plain)));
        if short != Path::new(plain) {
            list.push((root.to_owned(), root.join(&short)));
        }
    }
    list
}

/// `a/../b` as `b`, as `MuJoCo` reads it: without asking whether there is an `a`, and where it leads if it is a link.
fn shortened(name: &str) -> PathBuf {
    let mut short = PathBuf::new();
    for part in Path::new(name).components() {
        match (part, short.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                short.pop();
            }
            _ => short.push(part),
        }
    }
    short
}

/// Endings of files that models are made of.
const ASSETS: [&str; 12] =
    ["stl", "obj", "msh", "dae", "glb", "gltf", "ply", "xml", "urdf", "png", "bin", "hf"];

fn is_asset(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ASSETS.contains(&ending.as_str())
}

/// Directories from the root that a model and what it names by `..` must share: `/home/name`, not `/`.
const SHARED: usize = 2;

/// Whether a file of a kind that models are made of lies in the surroundings of the model: links followed, the two share
/// the directories above them but for the last few.
fn beside(path: &Path, directory: &Path) -> bool {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let (Ok(file), Ok(home)) = (std::fs::canonicalize(path), std::fs::canonicalize(directory)) else {
        return false;
    };
    let shared = file.components().zip(home.components()).take_while(|(a, b)| a == b).count();
    is_asset(path) && is_asset(&file) && shared > SHARED
}

fn within(path: &Path, root: &Path) -> bool {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    match (std::fs::canonicalize(path), std::fs::canonicalize(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_without_asking_for_directories() {
        for (name, short) in [
            ("../sim/../sim/meshes/a.stl", "../sim/meshes/a.stl"),
            ("./a//b/./c.obj", "a/b/c.obj"),
            ("a/b/../../c.obj", "c.obj"),
            ("a/../../c.obj", "../c.obj"),
            ("/a/../c.obj", "/c.obj"),
            ("/../c.obj", "/../c.obj"),
        ] {
            assert_eq!(shortened(name), Path::new(short), "{name}");
        }
    }
}

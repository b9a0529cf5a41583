//! Convex hulls that were found before, kept in the user's cache folder by the content of their points.
//!
//! To find a hull, and to hold it against every point, takes time that grows with the mesh; to write down which hull it was takes a few
//! thousand numbers. A file of the folder is named by a hash of the points (128 bits) and holds which of them are corners and which
//! corners the triangles join, so that a hull from there is the one that would be found, to the bit.
//!
//! Whatever is wrong with a file (cut short, written by two at once, of another version, changed) makes it not be there: a
//! checksum over all of it, lengths that agree, and triangles that close up. It is written beside and then renamed. What cannot be written
//! is not kept, in silence: the cache is never needed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use gudgeon_collide::{HullPlan, Polytope, Shape};
use gudgeon_spatial::Vector3;

/// Where hulls of meshes are kept from one load to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Cache {
    /// In the folder that `GUDGEON_CACHE` names (`off`: nowhere), or in that of the user: `gudgeon` in `XDG_CACHE_HOME`, `~/.cache` or
    /// `LOCALAPPDATA`. The default.
    #[default]
    User,
    /// Nowhere.
    Off,
    /// Here.
    Folder(PathBuf),
}

/// Points below which a hull is found as fast as a file is opened.
const FEW: usize = 200;
/// What a file begins with; the last letter is the version of the format and of what a hull is.
const MAGIC: &[u8; 8] = b"GUDHULL1";
/// Bytes of a file: a hull of the most points there may be has fewer.
const MOST: u64 = 8 << 20;

impl Cache {
    fn folder(&self) -> Option<PathBuf> {
        let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        match self {
            Self::Off => None,
            Self::Folder(folder) => Some(folder.clone()),
            Self::User => match from("GUDGEON_CACHE") {
                Some(folder) if folder.as_os_str() == "off" => None,
                Some(folder) => Some(folder),
                None => from("XDG_CACHE_HOME")
                    .or_else(|| from("HOME").map(|home| home.join(".cache")))
                    .or_else(|| from("LOCALAPPDATA"))
                    .map(|folder| folder.join("gudgeon")),
            },
        }
    }

    /// The convex hull of some points.
    pub(crate) fn hull(&self, points: &[Vector3<f64>]) -> Result<Shape, String> {
        let file = self.folder().filter(|_| points.len() >= FEW).map(|folder| folder.join(name_of(points)));
        if let Some(known) = file.as_ref().and_then(read)
            && let Ok(hull) = Polytope::hull_as(points, &known)
        {
            return Ok(Shape::convex(hull));
        }
        let (hull, plan) = Polytope::hull_and_plan(points).map_err(|e| e.to_string())?;
        if let (Some(file), Some(plan)) = (file, plan) {
            let _ = write(&file, &plan);
        }
        Ok(Shape::convex(hull))
    }
}

/// Two sums of multiply and rotate over the words, which no two meshes of one's own share by accident.
fn hash(words: impl Iterator<Item = u64>) -> [u64; 2] {
    let mut sums = [0x9e37_79b9_7f4a_7c15_u64, 0xd1b5_4a32_d192_ed03];
    for word in words {
        for (sum, factor) in sums.iter_mut().zip([0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53]) {
            *sum = (*sum ^ word).wrapping_mul(factor).rotate_left(29);
        }
    }
    sums.map(|sum| (sum ^ (sum >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb))
}

fn name_of(points: &[Vector3<f64>]) -> String {
    let words = points.iter().flat_map(|p| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]);
    let [a, b] = hash(std::iter::once(points.len() as u64).chain(words));
    format!("{a:016x}{b:016x}.hull")
}

/// The sum over some bytes.
fn checksum(bytes: &[u8]) -> u64 {
    hash(bytes.chunks(8).map(|c| c.iter().fold(0, |word, b| (word << 8) | u64::from(*b))))[0]
}

fn read(file: &PathBuf) -> Option<HullPlan> {
    if std::fs::metadata(file).ok()?.len() > MOST {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    let (body, sum) = bytes.split_last_chunk::<8>()?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return None;
    }
    let words = body.strip_prefix(MAGIC)?.chunks_exact(4);
    let mut words = words.map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
    let (corners, triangles) = (words.next()? as usize, words.next()? as usize);
    let rest: Vec<u32> = words.collect();
    if corners.checked_add(triangles.checked_mul(3)?)? != rest.len() {
        return None;
    }
    let (corners, triangles) = rest.split_at(corners);
    let triangles = triangles.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    Some(HullPlan { corners: corners.to_vec(), triangles })
}

fn write(file: &PathBuf, plan: &HullPlan) -> std::io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut bytes = MAGIC.to_vec();
    let counts = [plan.corners.len(), plan.triangles.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let words = counts.iter().chain(&plan.corners).chain(plan.triangles.iter().flatten());
    bytes.extend(words.flat_map(|w| w.to_le_bytes()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let own = format!("{}.{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let beside = file.with_extension(own);
    std::fs::write(&beside, &bytes)?;
    std::fs::rename(&beside, file).inspect_err(|_| {
        let _ = std::fs::remove_file(&beside);
    })
}

#[cfg(test)]
mod tests {
    use gudgeon_collide::Kind;

    use super::*;

    /// Points on a ball and within, none alike.
    fn points(n: u32) -> Vec<Vector3<f64>> {
        (0..n)
            .map(|k| {
                let (a, z) = (2.4 * f64::from(k), 2.0 * f64::from(k) / f64::from(n - 1) - 1.0);
                let r = (1.0 - z * z).sqrt();
                Vector3::new(r * a.cos(), r * a.sin(), z) * if k % 3 == 0 { 0.5 } else { 1.0 }
            })
            .collect()
    }

    fn polytope(shape: &Shape) -> Polytope {
        match shape.kind() {
            Kind::Convex(solid) => solid.polytope().clone(),
            other => panic!("not a hull: {other:?}"),
        }
    }

    #[test]
    fn a_hull_from_the_folder_is_the_one_that_would_be_found() {
        let folder = std::env::temp_dir().join(format!("gudgeon-hulls-{}", std::process::id()));
        let (cache, points) = (Cache::Folder(folder.clone()), points(600));
        let found = polytope(&Cache::Off.hull(&points).expect("a hull"));
        assert_eq!(polytope(&cache.hull(&points).expect("a hull")), found);
        let file = folder.join(name_of(&points));
        let kept = std::fs::read(&file).expect("it is kept");
        assert!(read(&file).is_some(), "and can be read");
        assert_eq!(polytope(&cache.hull(&points).expect("a hull")), found, "to the bit");
        // torn, changed, empty: sought again, and kept again
        let mut changed = kept.clone();
        changed[40] ^= 1;
        for bad in [&kept[..kept.len() / 2], &changed[..], &[]] {
            std::fs::write(&file, bad).expect("writable");
            assert!(read(&file).is_none());
            assert_eq!(polytope(&cache.hull(&points).expect("a hull")), found);
            assert_eq!(std::fs::read(&file).expect("kept again"), kept);
        }
        // sound, but of other points: its triangles do not close around these, or name none of them
        let mut other = points.clone();
        other.truncate(300);
        let plan = read(&file).expect("sound");
        assert!(Polytope::hull_as(&other, &plan).is_err());
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}

//! Contours as closed curves: area vector, length, place; and which of them bound one overlap.
//!
//! ```text
//!     N = sum over segments of (s - c) x (e - c) / 2
//! ```
//! is the vector area of the part of a inside b, so -N is the direction in which moving a shrinks the overlap volume fastest.
//! Along a contour the surfaces themselves say roughly the same: b's normals point into a, a's into b.
//!
//! Where a ring lies on a ring the overlap is an annulus with two contours, and N of the inner one looks the wrong way: a
//! *hole*, told by N against the surfaces' own direction. All contours of an overlap with a hole count as one, and their area vectors add up.
//! Without a hole they stay apart: the entry and the exit of a rod through a wall have areas that cancel.

use nalgebra::Matrix3;

use super::TriMesh;
use super::contour::{Contours, Segment, root};
use super::flood::{self, Marks};
use crate::rigid::{Rigid, Vec3};
use crate::tolerances::{NO_AREA, NO_LENGTH};

/// What is known of one contour, in a's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loop {
    pub center: Vec3,
    /// From b into a, unit.
    pub normal: Vec3,
    /// Mean of d d' along it, d from the centre.
    pub spread: Matrix3<f64>,
    /// Where both surfaces stand for smooth ones all along it: metres, the mean length of the edges of a's and of b's triangles that are
    /// cut, each counted by the length of the cut, so that rounding changes nothing at a stroke.
    pub curved: Option<[f64; 2]>,
    hole: bool,
}

/// One contour by its number; `None` if all its segments went to another.
pub(crate) fn measure(a: &TriMesh, b: &TriMesh, x: &Rigid, contours: &Contours, c: u32) -> Option<Loop> {
    let own = || contours.segments.iter().zip(&contours.contour).filter(|(_, k)| **k == c).map(|(s, _)| s);
    let (mut sum, mut count, mut along) = (Vec3::zeros(), 0.0, Vec3::zeros());
    for s in own() {
        sum += s.ends[0] + s.ends[1];
        count += 2.0;
        let length = (s.ends[1] - s.ends[0]).norm();
        along += (x.dir(&b.normals[s.triangle_b as usize]) - a.normals[s.triangle_a as usize]) * length;
    }
    if count == 0.0 {
        return None;
    }
    let mean = sum / count;
    let mut area = Vec3::zeros();
    let mut perimeter = 0.0;
    for s in own() {
        area += (s.ends[0] - mean).cross(&(s.ends[1] - mean)) * 0.5;
        perimeter += (s.ends[1] - s.ends[0]).norm();
    }
    // a contour thinner than 1e-9 of its length (two edges just crossing) has no area to speak of: the
    // mean direction of the surfaces along it takes over
    let wide = area.norm() > NO_AREA * perimeter * perimeter;
    let normal =
        if wide { -area.normalize() } else { along.try_normalize(NO_LENGTH).unwrap_or_else(Vec3::z) };
    // cosine: surfaces that say nothing definite (the waist of a squeezed rod) make no hole
    let hole = wide && normal.dot(&along) < -0.1 * perimeter;
    // the centre of the area, which a piece of contour that comes or goes does not move
    let mut center = mean;
    if wide {
        let mut moment = Vec3::zeros();
        for s in own() {
            let part = (s.ends[0] - mean).cross(&(s.ends[1] - mean)).dot(&-normal) * 0.5;
            moment += (s.ends[0] + s.ends[1] - mean * 2.0) * (part / 3.0);
        }
        center += moment / area.norm();
    }
    let mut spread = Matrix3::zeros();
    for s in own() {
        let length = (s.ends[1] - s.ends[0]).norm();
        let d = (s.ends[0] + s.ends[1]) * 0.5 - center;
        spread += d * d.transpose() * length;
    }
    let curved = curved(a, b, own(), perimeter);
    Some(Loop { center, normal, spread: spread / perimeter, curved, hole })
}

fn curved<'s>(
    a: &TriMesh,
    b: &TriMesh,
    own: impl Iterator<Item = &'s Segment> + Clone,
    perimeter: f64,
) -> Option<[f64; 2]> {
    let smooth = |s: &Segment| a.is_smooth(s.triangle_a) && b.is_smooth(s.triangle_b);
    if a.smooth.is_empty() || b.smooth.is_empty() || !own.clone().all(smooth) {
        return None;
    }
    let mut edges = [0.0; 2];
    for s in own {
        let share = (s.ends[1] - s.ends[0]).norm() / perimeter;
        edges[0] += share * a.edge_length(s.triangle_a);
        edges[1] += share * b.edge_length(s.triangle_b);
    }
    Some(edges)
}

/// Ends of edges inside the other mesh, (vertex, segment), and the marks of a mesh.
pub(crate) struct CutMesh<'a> {
    pub mesh: &'a TriMesh,
    pub inside: &'a [(u32, u32)],
    pub marks: &'a mut Marks,
}

/// Measures every contour, after giving those of an overlap with a hole one number.
pub(crate) fn all(
    [a, b]: [CutMesh<'_>; 2],
    x: &Rigid,
    contours: &mut Contours,
    vertices: &mut Vec<u32>,
    loops: &mut Vec<Option<Loop>>,
) {
    loops.clear();
    loops.extend((0..contours.count).map(|c| measure(a.mesh, b.mesh, x, contours, c)));
    if contours.count < 2 || !loops.iter().flatten().any(|l| l.hole) {
        return;
    }
    let mut parent = std::mem::take(&mut contours.parent);
    parent.clear();
    parent.extend(0..contours.count);
    let crossings = &contours.crossings_a;
    flood::unite(a.mesh, contours, crossings, a.inside, a.marks, vertices, &mut parent);
    let crossings = &contours.crossings_b;
    flood::unite(b.mesh, contours, crossings, b.inside, b.marks, vertices, &mut parent);
    // overlaps without a hole keep their contours apart
    for c in 0..contours.count {
        if loops[c as usize].is_some_and(|l| l.hole) {
            let r = root(&mut parent, c);
            loops[r as usize] = loops[r as usize].map(|l| Loop { hole: true, ..l });
        }
    }
    for k in 0..contours.contour.len() {
        let r = root(&mut parent, contours.contour[k]);
        if loops[r as usize].is_some_and(|l| l.hole) {
            contours.contour[k] = r;
        }
    }
    contours.parent = parent;
    for c in 0..contours.count {
        if root(&mut contours.parent, c) != c || loops[c as usize].is_some_and(|l| l.hole) {
            loops[c as usize] = measure(a.mesh, b.mesh, x, contours, c);
        }
    }
}

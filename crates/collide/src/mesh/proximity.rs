//! Surfaces that touch or come near without cutting each other.
//!
//! Between piecewise linear surfaces every local minimum of distance joins a vertex to a face, edge or
//! vertex, or an edge to an edge, along a direction in the normal cone of both features. The cone
//! test is what keeps out ghost contacts: a vertex in the middle of a flat floor has the floor's normal
//! for its cone and cannot push a wall sideways.
//!
//! Departure: vertex-face pairs and edge pairs are admitted a little outside the cone (`SLACK`), so that a
//! foot tilted by a few degrees has contacts at all its corners and not only at the lowest one.

use super::contour::TrianglePair;
use super::query::{Feature, nearest_on_triangle};
use crate::contact::{Raw, features};
use crate::rigid::{Rigid, Vec3};
use crate::tolerances::{BEYOND_END, CANCELLED, NO_LENGTH, PARALLEL_RIDGES};

/// Sine of the angle a feature may be turned away and still be a contact.
pub(super) const SLACK: f64 = 0.1;
/// Radians: how far outside the normals around it a feature may be pushed. The slack and half as much again, for what a few
/// edges allow is a little more than what the triangles between them do.
pub(crate) const TURNED: f64 = 0.15;
/// Metres relative to the size: features this near each other touch, and the direction between them is rounding.
pub(crate) const TOUCHING: f64 = 1e-9;
/// Sine: the feature that was found to be nearest must truly be so, up to rounding.
const EXACT: f64 = 1e-9;

/// Contacts between two triangles' features, in a's frame. Each vertex and edge is the business of one
/// of its triangles, so that a pair of features is met once per triangle of the other mesh.
pub(crate) fn contacts(pair: &TrianglePair<'_>, x: &Rigid, margin: f64, size: f64, out: &mut Vec<Raw>) {
    let touching = TOUCHING * size;
    let (own_a, own_b) = (pair.a.owns[pair.ta as usize], pair.b.owns[pair.tb as usize]);
    // vertices of a against b's triangle; "outward" is b's
    for k in 0..3 {
        if own_a.corners[k] && pair.ha[k].abs() <= margin.max(touching) {
            let v = pair.a.triangles[pair.ta as usize][k];
            let (q, region) = nearest_on_triangle(&pair.pa[k], &pair.pb);
            let feature = pair.b.feature(pair.tb, region);
            let d = pair.pa[k] - q;
            let found = match direction(&d, feature, &pair.nb, margin, touching) {
                Way::Along(n, gap) => Some((n, gap)).filter(|(n, _)| {
                    pair.a.vertex_faces(v, &-n, SLACK) && faces(pair.b, feature, &x.inv_dir(n))
                }),
                Way::Touching => between(pair, Feature::Vertex(v), feature, x).map(|n| (n, n.dot(&d))),
                Way::None => None,
            };
            if let Some((n, gap)) = found
                && opposed(pair, Feature::Vertex(v), feature, x, &n)
            {
                let key = features(v, feature.number());
                out.push(Raw { point: (pair.pa[k] + q) * 0.5, normal: n, gap, key, patch: 0 });
            }
        }
    }
    for k in 0..3 {
        if own_b.corners[k] && pair.hb[k].abs() <= margin.max(touching) {
            let v = pair.b.triangles[pair.tb as usize][k];
            let (q, region) = nearest_on_triangle(&pair.pb[k], &pair.pa);
            let feature = pair.a.feature(pair.ta, region);
            let d = q - pair.pb[k];
            let found = match direction(&-d, feature, &pair.na, margin, touching) {
                Way::Along(n, gap) => Some((-n, gap)).filter(|(n, _)| {
                    pair.b.vertex_faces(v, &x.inv_dir(n), SLACK) && faces(pair.a, feature, &-n)
                }),
                Way::Touching => between(pair, feature, Feature::Vertex(v), x).map(|n| (n, n.dot(&d))),
                Way::None => None,
            };
            if let Some((n, gap)) = found
                && opposed(pair, feature, Feature::Vertex(v), x, &n)
            {
                let key = features(feature.number(), v);
                out.push(Raw { point: (pair.pb[k] + q) * 0.5, normal: n, gap, key, patch: 0 });
            }
        }
    }
    for k in (0..3).filter(|&k| own_a.edges[k]) {
        for m in (0..3).filter(|&m| own_b.edges[m]) {
            edges(pair, x, k, m, margin, touching, out);
        }
    }
}

enum Way {
    /// Unit direction and gap.
    Along(Vec3, f64),
    /// At an edge or corner, so near that the direction is lost in rounding.
    Touching,
    None,
}

/// The contact direction from the nearest point to the vertex, and the gap.
fn direction(d: &Vec3, feature: Feature, normal: &Vec3, margin: f64, touching: f64) -> Way {
    if matches!(feature, Feature::Face(_)) {
        let gap = normal.dot(d);
        return if gap >= -touching && gap <= margin { Way::Along(*normal, gap) } else { Way::None };
    }
    let gap = d.norm();
    if gap <= touching {
        Way::Touching
    } else if gap <= margin {
        Way::Along(d / gap, gap)
    } else {
        Way::None
    }
}

/// From b into a between two features that touch: the normal of a face at either that suits both best, or, if that does so
/// clearly better, the direction midway between the features' own.
fn between(pair: &TrianglePair<'_>, fa: Feature, fb: Feature, x: &Rigid) -> Option<Vec3> {
    let (a, b) = (pair.a, pair.b);
    let lean = |n: &Vec3| a.leans(fa, &-n).max(b.leans(fb, &x.inv_dir(n)));
    let mut best: Option<(f64, Vec3)> = None;
    let mut offer = |n: Vec3, handicap: f64| {
        let lean = lean(&n) + handicap;
        if best.is_none_or(|b| lean < b.0) {
            best = Some((lean, n));
        }
    };
    b.faces_at(fb, |t| offer(x.dir(&b.normals[t as usize]), 0.0));
    a.faces_at(fa, |t| offer(-a.normals[t as usize], 0.0));
    let (na, nb) = (a.normal_at(fa).try_normalize(NO_LENGTH), b.normal_at(fb).try_normalize(NO_LENGTH));
    if let (Some(na), Some(nb)) = (na, nb)
        && let Some(n) = (x.dir(&nb) - na).try_normalize(CANCELLED)
    {
        // sine: half the slack
        offer(n, 0.05);
    }
    best.filter(|b| b.0 <= SLACK).map(|b| b.1)
}

/// Whether n leads out of b at one feature and into a at the other, as the surfaces themselves say. On a surface that is nearly flat the
/// cones with their slack hold both n and -n, and edges that have passed each other look like edges that are apart: which side is
/// inside is not told by the features' nearness.
fn opposed(pair: &TrianglePair<'_>, fa: Feature, fb: Feature, x: &Rigid, n: &Vec3) -> bool {
    pair.a.looks_along(fa, &-n) && pair.b.looks_along(fb, &x.inv_dir(n))
}

fn faces(mesh: &super::TriMesh, feature: Feature, d: &Vec3) -> bool {
    match feature {
        Feature::Face(_) => true,
        Feature::Edge(e) => mesh.edge_faces(e, d, EXACT),
        Feature::Vertex(v) => mesh.vertex_faces(v, d, EXACT),
    }
}

fn edges(
    pair: &TrianglePair<'_>,
    x: &Rigid,
    k: usize,
    m: usize,
    margin: f64,
    touching: f64,
    out: &mut Vec<Raw>,
) {
    let (p, d) = (pair.pa[k], pair.pa[(k + 1) % 3] - pair.pa[k]);
    let (q, g) = (pair.pb[m], pair.pb[(m + 1) % 3] - pair.pb[m]);
    let cross = d.cross(&g);
    let c2 = cross.norm_squared();
    let r = q - p;
    // nearly parallel edges meet at their ends, which the vertices report
    if c2 <= PARALLEL_RIDGES * d.norm_squared() * g.norm_squared() {
        return;
    }
    let height = r.dot(&cross);
    let gap = height.abs() / c2.sqrt();
    if gap > margin.max(touching) {
        return;
    }
    let (s, t) = (r.cross(&g).dot(&cross) / c2, r.cross(&d).dot(&cross) / c2);
    // relative to the lengths: edges that meet at an end do meet, whatever rounding says
    if !(-BEYOND_END..=1.0 + BEYOND_END).contains(&s) || !(-BEYOND_END..=1.0 + BEYOND_END).contains(&t) {
        return;
    }
    // n from b into a: against r, which leads from a to b
    let n = cross / c2.sqrt();
    let candidates = if height > 0.0 { [-n, n] } else { [n, -n] };
    for (n, gap) in [(candidates[0], gap), (candidates[1], -gap)] {
        // the second way round only while touching, where the sign of the height is rounding
        let near = gap >= -touching && gap <= margin;
        let (e, f) = (pair.a.triangle_edges[pair.ta as usize][k], pair.b.triangle_edges[pair.tb as usize][m]);
        if near
            && pair.a.edge_faces(e, &-n, SLACK)
            && pair.b.edge_faces(f, &x.inv_dir(&n), SLACK)
            && opposed(pair, Feature::Edge(e), Feature::Edge(f), x, &n)
        {
            let point = (p + d * s + q + g * t) * 0.5;
            out.push(Raw { point, normal: n, gap, key: features(1 << 30 | e, 1 << 30 | f), patch: 0 });
            return;
        }
    }
}

//! Which routine serves which pair of shapes.
//!
//! | pair | routine |
//! |---|---|
//! | convex, convex | `convex_pair`: exact |
//! | anything, plane | support points: exact |
//! | box or polyhedron or mesh, mesh or heightfield | `mesh::contacts`: contours and proximity |
//! | sphere, capsule, cylinder, cone, ellipsoid with mesh or heightfield | `mesh::round_contacts`: triangle by triangle |
//! | compound | its parts |
//!
//! Planes and heightfields do not meet each other or themselves: neither can move into the other.

use crate::contact::{Raw, features, mix, swapped};
use crate::convex::Core;
use crate::convex_pair;
use crate::mesh::Heightfield;
use crate::mesh::{self, Ground, TriMesh};
use crate::near::Near;
use crate::rigid::{Rigid, Vec3};
use crate::shape::{Kind, Shape, convex};

/// Memory of the narrow phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairScratch {
    convex: convex_pair::ConvexScratch,
    mesh: mesh::MeshScratch,
    part: Vec<Raw>,
}

impl PairScratch {
    /// Sets how near the next pair counts, and a direction that may separate it.
    pub(crate) fn expect(&mut self, near: Near, hint: Option<Vec3>) {
        (self.convex.near, self.convex.hint) = (Some(near.most), hint);
        self.mesh.places = Some(near);
    }

    /// A direction that may separate the last pair when it is asked again; none if it is not of the kind.
    pub(crate) fn hint(&self) -> Option<Vec3> {
        self.convex.hint
    }
}

/// Contacts with a gap of at most `margin`, in world axes, normals from b into a.
pub(crate) fn contacts(
    a: &Shape,
    xa: &Rigid,
    b: &Shape,
    xb: &Rigid,
    margin: f64,
    scratch: &mut PairScratch,
    out: &mut Vec<Raw>,
) {
    match (&a.kind, &b.kind) {
        (Kind::Compound(parts), _) => {
            for (i, (pose, shape)) in parts.iter().enumerate() {
                let part = Part { shape, x: xa.mul(&Rigid::new(pose)), index: i, of_b: false };
                part.contacts(b, xb, margin, scratch, out);
            }
        }
        (_, Kind::Compound(parts)) => {
            for (i, (pose, shape)) in parts.iter().enumerate() {
                let part = Part { shape, x: xb.mul(&Rigid::new(pose)), index: i, of_b: true };
                part.contacts(a, xa, margin, scratch, out);
            }
        }
        (Kind::Plane | Kind::Heightfield(_), Kind::Plane | Kind::Heightfield(_)) => {}
        (Kind::Plane, _) => flipped(out, |out| over_plane(b, xb, xa, margin, scratch, out)),
        (_, Kind::Plane) => over_plane(a, xa, xb, margin, scratch, out),
        (Kind::Sphere(ra), Kind::Sphere(rb)) => balls(*ra, &xa.t, *rb, &xb.t, margin, out),
        _ => match (convex(a), convex(b)) {
            (Some(ca), Some(cb)) => convex_pair::contacts(&ca, xa, &cb, xb, margin, &mut scratch.convex, out),
            _ => surfaces(a, xa, b, xb, margin, scratch, out),
        },
    }
}

/// Two balls, in world axes throughout.
fn balls(ra: f64, a: &Vec3, rb: f64, b: &Vec3, margin: f64, out: &mut Vec<Raw>) {
    let d = a - b;
    let distance = d.norm();
    let gap = distance - ra - rb;
    if gap <= margin {
        // concentric: any way out is as good, z is taken
        let normal = if distance > 0.0 { d / distance } else { Vec3::z() };
        out.push(Raw { point: b + normal * (rb + 0.5 * gap), normal, gap, key: 0, patch: 0 });
    }
}

/// One part of a compound.
struct Part<'a> {
    shape: &'a Shape,
    x: Rigid,
    index: usize,
    /// The compound is b.
    of_b: bool,
}

impl Part<'_> {
    /// Against the whole other shape.
    fn contacts(
        &self,
        other: &Shape,
        xo: &Rigid,
        margin: f64,
        scratch: &mut PairScratch,
        out: &mut Vec<Raw>,
    ) {
        let Self { shape, x, index, of_b } = self;
        // what lies below a plane or a heightfield is in it, however far
        if !matches!(other.kind, Kind::Plane | Kind::Heightfield(_))
            && !shape.aabb_at(x).grow(margin).meets(&other.aabb_at(xo))
        {
            return;
        }
        let mut found = std::mem::take(&mut scratch.part);
        found.clear();
        // a direction belongs to a pair of whole shapes
        scratch.convex.hint = None;
        if *of_b {
            contacts(other, xo, shape, x, margin, scratch, &mut found);
        } else {
            contacts(shape, x, other, xo, margin, scratch, &mut found);
        }
        let side = if *of_b { 2 } else { 1 };
        let first_patch = out.iter().map(|r| r.patch + 1).max().unwrap_or(0);
        out.extend(found.iter().map(|r| Raw {
            key: mix(r.key, 4 * (*index as u64 + 1) + side),
            patch: r.patch + first_patch,
            ..*r
        }));
        scratch.part = found;
    }
}

fn flipped(out: &mut Vec<Raw>, run: impl FnOnce(&mut Vec<Raw>)) {
    let first = out.len();
    run(out);
    for raw in &mut out[first..] {
        *raw = Raw { key: swapped(raw.key), ..raw.flipped() };
    }
}

fn over_plane(
    a: &Shape,
    xa: &Rigid,
    plane: &Rigid,
    margin: f64,
    scratch: &mut PairScratch,
    out: &mut Vec<Raw>,
) {
    if let Some(c) = convex(a) {
        convex_pair::over_plane(&c, xa, plane, margin, &mut scratch.convex, out);
    } else if let Kind::Mesh(m) = &a.kind {
        mesh::over_plane(m, xa, plane, margin, out);
    }
}

/// A shape as a surface: meshes, heightfields and polyhedra.
fn ground(shape: &Shape) -> Option<Ground<'_>> {
    match &shape.kind {
        Kind::Mesh(m) => Some(Ground { mesh: m, field: None }),
        Kind::Heightfield(h) => Some(Ground { mesh: &h.mesh, field: Some(h) }),
        Kind::Box(_, s) | Kind::Convex(s) => Some(Ground { mesh: s.mesh(), field: None }),
        Kind::Plane
        | Kind::Compound(_)
        | Kind::Sphere(_)
        | Kind::Capsule { .. }
        | Kind::Cylinder { .. }
        | Kind::Cone { .. }
        | Kind::Ellipsoid(_) => None,
    }
}

/// At least one of the two is a mesh or a heightfield.
fn surfaces(
    a: &Shape,
    xa: &Rigid,
    b: &Shape,
    xb: &Rigid,
    margin: f64,
    scratch: &mut PairScratch,
    out: &mut Vec<Raw>,
) {
    match (ground(a), ground(b)) {
        (Some(ga), Some(gb)) => {
            let first = out.len();
            mesh::contacts(ga.mesh, xa, gb.mesh, xb, margin, &mut scratch.mesh, out);
            let swept = |g: Ground<'_>| g.mesh.swept.is_some();
            if swept(ga) || swept(gb) {
                let sa = ga.mesh.swept.as_deref().map(|s| (s, xa));
                let sb = gb.mesh.swept.as_deref().map(|s| (s, xb));
                out[first..].iter_mut().for_each(|raw| mesh::correct(raw, sa, sb));
            }
            #[cfg(debug_assertions)]
            for raw in &out[first..] {
                let inverted = mesh::is_inverted([ga.mesh, gb.mesh], [xa, xb], raw, &mut scratch.mesh.stack);
                assert!(!inverted, "a normal of mesh on mesh points the wrong way: {raw:?}");
            }
            if out.len() == first {
                if let Some(field) = gb.field {
                    below(ga.mesh, xa, field, xb, out);
                } else if let Some(field) = ga.field {
                    flipped(out, |out| below(gb.mesh, xb, field, xa, out));
                }
            }
        }
        (None, Some(g)) => round(a, xa, g, xb, margin, scratch, out),
        (Some(g), None) => flipped(out, |out| round(b, xb, g, xa, margin, scratch, out)),
        (None, None) => {}
    }
}

fn round(
    a: &Shape,
    xa: &Rigid,
    b: Ground<'_>,
    xb: &Rigid,
    margin: f64,
    scratch: &mut PairScratch,
    out: &mut Vec<Raw>,
) {
    let Some(c) = convex(a) else { return };
    debug_assert!(!matches!(c.core, Core::Box(..) | Core::Poly(_)), "polyhedra are surfaces");
    mesh::round_contacts(&c, xa, b, xb, margin, &mut scratch.mesh, out);
}

/// A mesh wholly below a heightfield: each of its sharp vertices is pushed out along the surface above.
fn below(a: &TriMesh, xa: &Rigid, field: &Heightfield, xb: &Rigid, out: &mut Vec<Raw>) {
    for (i, v) in a.vertices.iter().enumerate().filter(|(i, _)| a.sharp[*i]) {
        let p: Vec3 = xb.inv_point(&xa.point(v));
        if let Some((z, n)) = field.surface(p.x, p.y).filter(|(z, _)| p.z < *z) {
            let gap = (p.z - z) * n.z;
            let key = features(crate::error::count(i), 1 << 31);
            out.push(Raw { point: p - n * (0.5 * gap), normal: n, gap, key, patch: 0 }.moved(xb));
        }
    }
}

//! Shapes: immutable, validated once, shared cheaply.
//!
//! Holding a [`Shape`] is proof that its sizes are positive and finite, its faces close up and its
//! indices are in range; the narrow phase relies on that and checks nothing again.
//!
//! Local frames: planes are z = 0 with the solid below; capsules, cylinders and cones run along z and
//! are centred at half their height (a cone's apex is at +z); boxes and ellipsoids are centred;
//! heightfields lie over the x-y plane, centred, with the solid below the surface.

mod mass;

use std::sync::{Arc, OnceLock};

use nalgebra::Isometry3;

use crate::aabb::Aabb;
use crate::convert;
use crate::convex::{Convex, Core};
use crate::error::{ShapeError, positive};
use crate::mesh::{Heightfield, MeshReport, TriMesh};
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3, norm2};
use crate::sweep::Sweep;
use crate::tolerances::LEAST_CONCAVITY;

pub use mass::MassProperties;

/// A polyhedron, and the same surface as a mesh once a mesh asks for it.
#[derive(Debug, Clone)]
pub struct Solid {
    pub(crate) polytope: Polytope,
    pub(crate) mesh: OnceLock<Box<TriMesh>>,
}

impl Solid {
    fn new(polytope: Polytope) -> Arc<Self> {
        Arc::new(Self { polytope, mesh: OnceLock::new() })
    }

    /// Vertices and faces.
    pub fn polytope(&self) -> &Polytope {
        &self.polytope
    }

    pub(crate) fn mesh(&self) -> &TriMesh {
        self.mesh.get_or_init(|| Box::new(TriMesh::of_polytope(&self.polytope)))
    }
}

/// What a shape is: read it with [`Shape::kind`], build it with the constructors of [`Shape`].
#[derive(Debug, Clone)]
pub enum Kind {
    /// The half-space z <= 0.
    Plane,
    /// A ball of this radius.
    Sphere(f64),
    /// All points within `radius` of the segment from -half_height to half_height on z.
    Capsule {
        /// Half the length of the segment.
        half_height: f64,
        /// Radius of the side and the caps.
        radius: f64,
    },
    /// A cuboid by its half extents.
    Box(Vec3, Arc<Solid>),
    /// A solid cylinder.
    Cylinder {
        /// Half the distance between the end faces.
        half_height: f64,
        /// Radius.
        radius: f64,
    },
    /// A solid cone, base at z = -half_height, apex at z = half_height.
    Cone {
        /// Half the height.
        half_height: f64,
        /// Radius of the base.
        radius: f64,
    },
    /// The ball stretched by these semi-axes.
    Ellipsoid(Vec3),
    /// A convex polyhedron.
    Convex(Arc<Solid>),
    /// A triangle mesh, solid if closed, a surface if open.
    Mesh(Arc<TriMesh>),
    /// A grid of heights, solid below.
    Heightfield(Arc<Heightfield>),
    /// Several shapes fixed to each other.
    Compound(Arc<Vec<(Isometry3<f64>, Shape)>>),
}

/// A validated, immutable shape. Cloning copies at most a pointer and three numbers.
#[derive(Debug, Clone)]
pub struct Shape {
    pub(crate) kind: Kind,
}

/// What an approximate convex decomposition cost in truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecompositionReport {
    /// Convex parts made.
    pub parts: usize,
    /// Parts dropped because they were too flat to have a hull.
    pub dropped: usize,
    /// Sum of the parts' volumes over the mesh's volume; 1 is perfect, above 1 fills hollows in.
    pub volume_ratio: f64,
}

impl Shape {
    /// The half-space z <= 0, its normal +z.
    pub fn plane() -> Self {
        Self { kind: Kind::Plane }
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { kind: Kind::Sphere(positive("radius", radius)?) })
    }

    /// A capsule along z; `half_height` is that of its straight part.
    pub fn capsule(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        let (half_height, radius) = (positive("half height", half_height)?, positive("radius", radius)?);
        Ok(Self { kind: Kind::Capsule { half_height, radius } })
    }

    /// A box by half extents.
    pub fn cuboid(x: f64, y: f64, z: f64) -> Result<Self, ShapeError> {
        let half = Vec3::new(
            positive("half extent x", x)?,
            positive("half extent y", y)?,
            positive("half extent z", z)?,
        );
        Ok(Self { kind: Kind::Box(half, Solid::new(Polytope::cuboid(&half))) })
    }

    /// A solid cylinder along z.
    pub fn cylinder(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        let (half_height, radius) = (positive("half height", half_height)?, positive("radius", radius)?);
        Ok(Self { kind: Kind::Cylinder { half_height, radius } })
    }

    /// A solid cone along z, apex up.
    pub fn cone(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        let (half_height, radius) = (positive("half height", half_height)?, positive("radius", radius)?);
        Ok(Self { kind: Kind::Cone { half_height, radius } })
    }

    /// An ellipsoid by semi-axes.
    pub fn ellipsoid(x: f64, y: f64, z: f64) -> Result<Self, ShapeError> {
        let semi =
            Vec3::new(positive("semi-axis x", x)?, positive("semi-axis y", y)?, positive("semi-axis z", z)?);
        Ok(Self { kind: Kind::Ellipsoid(semi) })
    }

    /// The convex hull of some points.
    pub fn convex_hull(points: &[Vec3]) -> Result<Self, ShapeError> {
        Ok(Self { kind: Kind::Convex(Solid::new(Polytope::hull(points)?)) })
    }

    /// A convex polyhedron.
    pub fn convex(polytope: Polytope) -> Self {
        Self { kind: Kind::Convex(Solid::new(polytope)) }
    }

    /// A triangle mesh: welded, oriented and checked; the report says what was done to it.
    ///
    /// Where it bends in two directions by less than 0.45 rad across every edge it is taken to stand for a curved surface, and the report
    /// counts the vertices: contacts of two such places push along the normal of the curved surfaces, not of single facets. Which points
    /// touch and how deep is decided by the triangles all the same. [`Self::faceted_mesh`] takes nothing to be curved,
    /// [`Self::smooth_mesh`] also what bends one way only, as a cylinder does, or more sharply.
    pub fn mesh(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Self, MeshReport), ShapeError> {
        let (mesh, mut report) = TriMesh::new(vertices, triangles)?;
        let (mesh, curved) = mesh.smooth_where_curved();
        report.curved = curved;
        Ok((Self { kind: Kind::Mesh(Arc::new(mesh)) }, report))
    }

    /// A triangle mesh that stands for nothing but its triangles: a polyhedron, however little its faces bend.
    pub fn faceted_mesh(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Self, MeshReport), ShapeError> {
        let (mesh, report) = TriMesh::new(vertices, triangles)?;
        Ok((Self { kind: Kind::Mesh(Arc::new(mesh)) }, report))
    }

    /// A triangle mesh that stands for a smooth surface wherever it bends by less than `crease` radians across an
    /// edge; see [`TriMesh::smooth`].
    pub fn smooth_mesh(
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
        crease: f64,
    ) -> Result<(Self, MeshReport), ShapeError> {
        let (mesh, report) = TriMesh::new(vertices, triangles)?;
        Ok((Self { kind: Kind::Mesh(Arc::new(mesh.smooth(positive("crease", crease)?))) }, report))
    }

    /// A section carried round the z axis: a thread, a race, a torus. Balls touch it as it is, everything else its mesh, which also
    /// gives the mass.
    pub fn sweep(sweep: &Sweep) -> Result<(Self, MeshReport), ShapeError> {
        let swept = sweep.check()?;
        let (vertices, triangles) = sweep.mesh(&swept);
        let (mesh, mut report) = TriMesh::new(&vertices, &triangles)?;
        let (mut mesh, curved) = mesh.smooth_where_curved();
        report.curved = curved;
        mesh.swept = Some(Box::new(swept));
        Ok((Self { kind: Kind::Mesh(Arc::new(mesh)) }, report))
    }

    /// A heightfield: `rows` samples along y and `cols` along x, row by row, `dx` and `dy` apart.
    pub fn heightfield(
        rows: usize,
        cols: usize,
        dx: f64,
        dy: f64,
        heights: &[f64],
    ) -> Result<Self, ShapeError> {
        Ok(Self { kind: Kind::Heightfield(Arc::new(Heightfield::new(rows, cols, dx, dy, heights)?)) })
    }

    /// Several shapes fixed to each other. Planes, heightfields and compounds cannot be parts.
    pub fn compound(parts: Vec<(Isometry3<f64>, Shape)>) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::Empty { triangles: 0 });
        }
        for (i, (pose, shape)) in parts.iter().enumerate() {
            crate::error::finite(i, &pose.translation.vector)?;
            if matches!(shape.kind, Kind::Plane | Kind::Heightfield(_) | Kind::Compound(_)) {
                return Err(ShapeError::Part { shape: shape.name() });
            }
        }
        Ok(Self { kind: Kind::Compound(Arc::new(parts)) })
    }

    /// An approximate convex decomposition of a closed mesh, never made unasked. `concavity` is the
    /// hollow left unfilled, relative to the size; rings want 0.001 and resolution 64 or more.
    pub fn decompose(
        mesh: &TriMesh,
        resolution: u32,
        concavity: f64,
    ) -> Result<(Self, DecompositionReport), ShapeError> {
        let clouds = convert::convex_parts(
            &mesh.vertices,
            &mesh.triangles,
            resolution.clamp(8, 400),
            concavity.clamp(LEAST_CONCAVITY, 1.0),
        );
        let hulls: Vec<Shape> = clouds.iter().filter_map(|c| Shape::convex_hull(c).ok()).collect();
        let dropped = clouds.len() - hulls.len();
        let volume = |s: &Shape| s.mass_properties(1.0).map_or(0.0, |m| m.mass);
        let whole = mass::of_surface(&mesh.vertices, &mesh.triangles, 1.0).mass;
        let volume_ratio = hulls.iter().map(volume).sum::<f64>() / whole;
        let report = DecompositionReport { parts: hulls.len(), dropped, volume_ratio };
        Ok((Self::compound(hulls.into_iter().map(|s| (Isometry3::identity(), s)).collect())?, report))
    }

    /// What this shape is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The kind in one word, for messages.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Plane => "plane",
            Kind::Sphere(_) => "sphere",
            Kind::Capsule { .. } => "capsule",
            Kind::Box(..) => "box",
            Kind::Cylinder { .. } => "cylinder",
            Kind::Cone { .. } => "cone",
            Kind::Ellipsoid(_) => "ellipsoid",
            Kind::Convex(_) => "convex polyhedron",
            Kind::Mesh(_) => "mesh",
            Kind::Heightfield(_) => "heightfield",
            Kind::Compound(_) => "compound",
        }
    }

    /// The axis-aligned box around the shape at a pose; infinite for a plane.
    pub fn aabb(&self, pose: &Isometry3<f64>) -> Aabb {
        self.aabb_at(&Rigid::new(pose))
    }

    /// A box for the broad phase: as [`Self::aabb_at`], but of a large polyhedron's own box.
    pub(crate) fn loose_aabb_at(&self, x: &Rigid) -> Aabb {
        if let Kind::Convex(solid) = &self.kind
            && let Some(index) = &solid.polytope.index
        {
            return index.bounds.moved(x);
        }
        self.aabb_at(x)
    }

    pub(crate) fn aabb_at(&self, x: &Rigid) -> Aabb {
        // half extent along world axis k of { r u }: the norm of row k of the rotation, scaled
        let half = |h: f64, r: f64| {
            Vec3::from_fn(|k, _| h * x.r[(k, 2)].abs() + r * norm2(x.r[(k, 0)], x.r[(k, 1)]))
        };
        match &self.kind {
            Kind::Plane => Aabb { lo: Vec3::repeat(f64::NEG_INFINITY), hi: Vec3::repeat(f64::INFINITY) },
            Kind::Sphere(r) => Aabb::around(x.t, Vec3::repeat(*r)),
            Kind::Capsule { half_height, radius } => {
                Aabb::around(x.t, x.r.column(2).abs() * *half_height + Vec3::repeat(*radius))
            }
            Kind::Box(h, _) => Aabb::around(x.t, x.r.abs() * h),
            Kind::Cylinder { half_height, radius } | Kind::Cone { half_height, radius } => {
                Aabb::around(x.t, half(*half_height, *radius))
            }
            Kind::Ellipsoid(s) => {
                Aabb::around(x.t, Vec3::from_fn(|k, _| x.r.row(k).transpose().component_mul(s).norm()))
            }
            Kind::Convex(solid) => {
                let polytope = &solid.polytope;
                if let Some(index) = &polytope.index {
                    let far = |k: usize, sign: f64| {
                        let d = x.r.row(k).transpose() * sign;
                        x.point(&polytope.vertices[index.support_vertex(polytope, &d)])[k]
                    };
                    let end = |sign: f64| Vec3::from_fn(|k, _| far(k, sign));
                    return Aabb { lo: end(-1.0), hi: end(1.0) };
                }
                let (mut lo, mut hi) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
                for v in &solid.polytope.vertices {
                    let p = x.point(v);
                    lo = lo.inf(&p);
                    hi = hi.sup(&p);
                }
                Aabb { lo, hi }
            }
            Kind::Mesh(mesh) => mesh.bounds().moved(x),
            Kind::Heightfield(h) => {
                // the solid below counts to a depth of the field's own size
                let mut bounds = h.mesh.tree.root();
                bounds.lo.z -= 2.0 * bounds.half().norm();
                bounds.moved(x)
            }
            Kind::Compound(parts) => parts
                .iter()
                .map(|(pose, s)| s.aabb_at(&x.mul(&Rigid::new(pose))))
                .fold(Aabb::EMPTY, |a, b| a.join(&b)),
        }
    }
}

/// A convex shape seen as core and radius; nothing for planes, meshes, heightfields, compounds.
pub(crate) fn convex(shape: &Shape) -> Option<Convex<'_>> {
    let (core, radius) = match &shape.kind {
        Kind::Sphere(r) => (Core::Point, *r),
        Kind::Capsule { half_height, radius } => (Core::Segment(*half_height), *radius),
        Kind::Box(h, solid) => (Core::Box(h, &solid.polytope), 0.0),
        Kind::Convex(solid) => (Core::Poly(&solid.polytope), 0.0),
        Kind::Cylinder { half_height, radius } => (Core::Cylinder(*half_height, *radius), 0.0),
        Kind::Cone { half_height, radius } => (Core::Cone(*half_height, *radius), 0.0),
        Kind::Ellipsoid(s) => (Core::Ellipsoid(s), 0.0),
        Kind::Plane | Kind::Mesh(_) | Kind::Heightfield(_) | Kind::Compound(_) => return None,
    };
    Some(Convex { core, radius })
}

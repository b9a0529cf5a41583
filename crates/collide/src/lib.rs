//! Shapes and poses to contact points.
//!
//! ```
//! use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Shape};
//! use nalgebra::Isometry3;
//!
//! let mut geometry = Geometry::new();
//! geometry.add(Collider::fixed(Shape::plane()));
//! geometry.add(Collider::new(Shape::cuboid(0.1, 0.1, 0.05)?, 0));
//!
//! let mut workspace = CollisionWorkspace::new();
//! let mut contacts = Vec::new();
//! let resting = Isometry3::translation(0.0, 0.0, 0.05 - 1e-6);
//! workspace.contacts(&geometry, &[resting], 1e-3, &mut contacts);
//!
//! assert_eq!(contacts.len(), 4);
//! assert!(contacts.iter().all(|c| (c.gap + 1e-6).abs() < 1e-15 && c.normal.z == -1.0));
//! # Ok::<(), gudgeon_collide::ShapeError>(())
//! ```
//!
//! A contact has a point midway between the surfaces, a unit normal from b into a, and a signed gap:
//! negative is penetration, and contacts apart by up to a margin are reported too. There is no history:
//! the same poses give the same contacts, bit for bit.
//!
//! The road of the data, module by module: `shape` (with `polytope`, `mesh`, `heightfield`, `mass`) →
//! `geometry` → `world` (boxes and pairs by `tree`) → `pair` → `convex_pair` (`axis`, `circles`, `gjk`, `refine`, `manifold`) or
//! `mesh` (`contour`, `thickness`, `proximity`, `round`) → `reduce` → [`ContactPoint`].
#![forbid(unsafe_code)]

mod aabb;
mod axis;
mod balls;
mod bearing;
mod circles;
mod contact;
mod convert;
mod convex;
mod convex_pair;
mod derivative;
mod error;
mod faces;
mod fat;
mod geometry;
mod gjk;
mod look;
mod manifold;
mod mesh;
mod near;
mod pair;
mod polytope;
mod project;
mod ray;
mod reduce;
mod refine;
mod rigid;
mod scaled;
mod separation;
mod shape;
mod sweep;
mod tolerances;
mod toothed;
mod tree;
mod world;

pub use aabb::Aabb;
pub use bearing::Bearing;
pub use contact::ContactPoint;
pub use derivative::{ContactSlopes, SlopeSource, SlopeWorkspace};
pub use error::ShapeError;
pub use geometry::{Collider, Geometry};
pub use mesh::{Heightfield, MeshFormat, MeshReport, TriMesh, load_mesh, read_mesh};
pub use near::Near;
pub use polytope::{HullPlan, Polytope};
pub use ray::RayHit;
pub use reduce::Reduction;
pub use shape::{DecompositionReport, Kind, MassProperties, Shape, Solid};
pub use sweep::{Corner, Sweep};
pub use toothed::Gear;
pub use world::{CollisionWorkspace, Distance, Summary};

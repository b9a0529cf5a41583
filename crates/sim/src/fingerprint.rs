//! What a scene is, in a few numbers: what belongs to one scene is not taken for another's.
//!
//! A hash (FNV-1a, 64 bits) for each part that changes where a run goes, so that a refusal can name the part.

use std::fmt::Write as _;

use gudgeon_collide::{Kind, Shape};

use crate::scene::Scene;
use crate::settings::Settings;

/// The parts, in the order of their hashes.
const PARTS: [&str; 6] =
    ["links and joints", "shapes", "surfaces", "controllers and pushes", "step length", "settings"];

/// Hashes of the parts of a scene and its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint([u64; PARTS.len()]);

impl Fingerprint {
    /// Bytes of one.
    pub const LENGTH: usize = 8 * PARTS.len();

    /// Of a scene with its own settings.
    pub fn of(scene: &Scene) -> Self {
        let mut model = Fnv::default();
        for link in scene.model.links() {
            model.text(&format_args!("{link:?}"));
        }
        let m = &scene.model;
        model.text(&format_args!("{:?} {:?} {:?} {:?}", m.dofs(), m.gravity(), m.loops(), m.couplings()));
        let mut shapes = Fnv::default();
        for c in &scene.colliders {
            shapes.text(&format_args!("{:?} {:?} {} {}", c.link, c.pose, c.group, c.mask));
            shapes.shape(&c.shape);
        }
        shapes.text(&format_args!("{:?}", scene.apart));
        let mut surfaces = Fnv::default();
        surfaces.text(&format_args!("{:?} {:?} {:?}", scene.materials, scene.pairs, scene.combine));
        surfaces.text(&format_args!("{:?}", scene.grips));
        for c in &scene.colliders {
            surfaces.word(c.material as u64);
            c.surface_velocity.iter().for_each(|v| surfaces.word(v.to_bits()));
        }
        let mut driven = Fnv::default();
        driven.text(&format_args!("{:?} {:?}", scene.controllers, scene.pushes));
        let fixed = [model, shapes, surfaces, driven].map(|h| h.0);
        let mut all = [0; PARTS.len()];
        all[..fixed.len()].copy_from_slice(&fixed);
        Self(all).with(&scene.settings)
    }

    /// The same scene with other settings. Threads and warm starts are no part of it: neither changes an answer by more than
    /// its tolerance, and time limits depend on the machine.
    pub fn with(mut self, settings: &Settings) -> Self {
        let mut step = Fnv::default();
        step.word(settings.dt.to_bits());
        let mut rest = Fnv::default();
        let plain = Settings {
            dt: 0.0,
            threads: 1,
            warm_start: true,
            seconds: None,
            interrupt: None,
            ..settings.clone()
        };
        rest.text(&format_args!("{plain:?}"));
        self.0[4] = step.0;
        self.0[5] = rest.0;
        self
    }

    /// The names of the parts that differ.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let pairs = self.0.iter().zip(&other.0).zip(PARTS);
        pairs.filter(|((a, b), _)| a != b).map(|(_, part)| part).collect()
    }

    /// As bytes, little-endian.
    pub fn to_bytes(self) -> Vec<u8> {
        self.0.iter().flat_map(|h| h.to_le_bytes()).collect()
    }

    /// From as many bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut all = [0; PARTS.len()];
        for (h, chunk) in all.iter_mut().zip(bytes.chunks_exact(8)) {
            *h = u64::from_le_bytes(chunk.try_into().ok()?);
        }
        (bytes.len() == Self::LENGTH).then_some(Self(all))
    }

    /// One number for all parts, for people.
    pub fn number(&self) -> u64 {
        let mut all = Fnv::default();
        self.0.iter().for_each(|h| all.word(*h));
        all.0
    }
}

struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&mut self, text: &std::fmt::Arguments<'_>) {
        // writing to a hash does not fail
        let _ = self.write_fmt(*text);
        self.word(u64::MAX);
    }

    fn vertices(&mut self, vertices: &[nalgebra::Vector3<f64>]) {
        vertices.iter().flat_map(|v| v.iter()).for_each(|x| self.word(x.to_bits()));
    }

    fn shape(&mut self, shape: &Shape) {
        match shape.kind() {
            Kind::Compound(parts) => {
                for (pose, part) in parts.iter() {
                    self.text(&format_args!("{pose:?}"));
                    self.shape(part);
                }
            }
            Kind::Convex(solid) => self.vertices(solid.polytope().vertices()),
            Kind::Mesh(surface) => {
                self.vertices(surface.vertices());
                surface.triangles().iter().flatten().for_each(|t| self.word(u64::from(*t)));
                if let Some(sweep) = surface.sweep() {
                    self.text(&format_args!("{sweep:?}"));
                }
            }
            Kind::Heightfield(field) => self.vertices(field.mesh().vertices()),
            // what a box keeps beside its sides is made when it first meets a mesh
            Kind::Box(half, _) => self.text(&format_args!("{} {half:?}", shape.name())),
            plain @ (Kind::Plane
            | Kind::Sphere(_)
            | Kind::Capsule { .. }
            | Kind::Cylinder { .. }
            | Kind::Cone { .. }
            | Kind::Ellipsoid(_)) => self.text(&format_args!("{} {plain:?}", shape.name())),
        }
    }
}

impl std::fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

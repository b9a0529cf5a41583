//! What surfaces are like, and what two of them make together.
//!
//! | number | bound of the contact's | unit |
//! |---|---|---|
//! | `friction` | force that holds, and that of sliding unless `kinetic` is given: μ n | 1 |
//! | `kinetic` | force of what slides: μ_k n | 1 |
//! | `torsion` | moment about the normal: γ n | m |
//! | `rolling` | moment across it: ρ n | m |

use crate::error::SceneError;

/// What a surface is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Stiffness of a patch of contact, N/m, shared by its points; infinite is hard.
    pub stiffness: f64,
    /// Damping of a patch of contact, N s/m, likewise; only with a finite stiffness.
    pub damping: f64,
    /// Coefficient of friction of what slides already, at most `friction`; the same if none.
    pub kinetic: Option<f64>,
    /// Friction against spinning about the normal, m.
    pub torsion: f64,
    /// Friction against rolling, m.
    pub rolling: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: 0.5,
            restitution: 0.0,
            stiffness: f64::INFINITY,
            damping: 0.0,
            kinetic: None,
            torsion: 0.0,
            rolling: 0.0,
        }
    }
}

impl Material {
    /// The surface between two: springs one behind the other, dampers side by side, the greater moment.
    pub fn between(x: &Self, y: &Self, combine: Combine) -> Self {
        let kinetic = (x.kinetic.is_some() || y.kinetic.is_some())
            .then(|| combine.of(x.kinetic.unwrap_or(x.friction), y.kinetic.unwrap_or(y.friction)));
        Self {
            friction: combine.of(x.friction, y.friction),
            restitution: combine.of(x.restitution, y.restitution),
            stiffness: 1.0 / (1.0 / x.stiffness + 1.0 / y.stiffness),
            damping: x.damping + y.damping,
            kinetic,
            torsion: x.torsion.max(y.torsion),
            rolling: x.rolling.max(y.rolling),
        }
    }

    /// With the frictions of another.
    fn rubbing_as(self, other: &Self) -> Self {
        let Self { friction, kinetic, torsion, rolling, .. } = *other;
        Self { friction, kinetic, torsion, rolling, ..self }
    }
}

/// What MJCF says of a surface besides: which of two surfaces decides, and what of it rubs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// The surface with the greater number decides alone.
    pub priority: i32,
    /// 1: no friction; 3: sliding; 4: and spinning; 6: and rolling. Of two surfaces the greater.
    pub dimension: u8,
}

impl Default for Grip {
    fn default() -> Self {
        Self { priority: 0, dimension: 3 }
    }
}

impl Grip {
    /// The surface `between` two as their grips have it.
    pub fn of(between: Material, surfaces: [&Material; 2], grips: [&Self; 2]) -> Material {
        let (dimension, decides) = match grips[0].priority.cmp(&grips[1].priority) {
            std::cmp::Ordering::Greater => (grips[0].dimension, Some(surfaces[0])),
            std::cmp::Ordering::Less => (grips[1].dimension, Some(surfaces[1])),
            std::cmp::Ordering::Equal => (grips[0].dimension.max(grips[1].dimension), None),
        };
        let all = decides.map_or(between, |one| between.rubbing_as(one));
        Self { dimension, ..Self::default() }.part_of(all)
    }

    /// What of a surface's friction this dimension leaves.
    pub fn part_of(self, m: Material) -> Material {
        Material {
            friction: if self.dimension < 3 { 0.0 } else { m.friction },
            kinetic: if self.dimension < 3 { None } else { m.kinetic },
            torsion: if self.dimension < 4 { 0.0 } else { m.torsion },
            rolling: if self.dimension < 6 { 0.0 } else { m.rolling },
            ..m
        }
    }
}

/// How the friction and restitution of a pair follow from those of its two surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// √(a b): the default; equal surfaces keep their value.
    #[default]
    GeometricMean,
    /// (a + b)/2.
    Mean,
    /// The smaller.
    Min,
    /// The larger, as in MJCF.
    Max,
    /// a b.
    Product,
}

impl Combine {
    /// The value of the pair.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Mean => 0.5 * (a + b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Product => a * b,
        }
    }
}

pub(crate) fn check_material(material: &Material) -> Result<(), SceneError> {
    let Material { friction, restitution, stiffness, damping, kinetic, torsion, rolling } = *material;
    let bad = |what, value| SceneError::Value { what, of: "a material".into(), value };
    let natural = |x: f64| x >= 0.0 && x.is_finite();
    for (what, value) in [("friction", friction), ("torsion", torsion), ("rolling", rolling)] {
        if !natural(value) {
            return Err(bad(what, value));
        }
    }
    if let Some(kinetic) = kinetic.filter(|k| !natural(*k) || *k > friction) {
        return Err(bad("kinetic friction, at most that of rest,", kinetic));
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(bad("restitution", restitution));
    }
    if stiffness.is_nan() || stiffness <= 0.0 {
        return Err(bad("stiffness", stiffness));
    }
    if !natural(damping) {
        return Err(bad("damping", damping));
    }
    Ok(())
}

//! Strings: a sum of joint coordinates, or a path through space past sites and over round bodies.
//!
//! A string may be limited in length, elastic between two resting lengths, damped, rub, and have a mass that moves with its length;
//! each is one row of the step.

use gudgeon_multibody::LinkId;
use gudgeon_spatial::Pose;

use super::path::Term;
use super::wrap::WrapShape;

/// A string.
#[derive(Debug, Clone, PartialEq)]
pub struct Tendon {
    /// What the file calls it; may be empty.
    pub name: String,
    /// What its length is.
    pub path: TendonPath,
    /// Least and greatest length, m or rad; infinite if none.
    pub limits: [f64; 2],
    /// N/m or N m/rad, outside of the resting lengths.
    pub stiffness: f64,
    /// N s/m or N m s/rad.
    pub damping: f64,
    /// Between these lengths the spring is slack.
    pub rest: [f64; 2],
    /// Coulomb friction, N or N m.
    pub friction: f64,
    /// What moves with its length: ½ a l̇² of energy, kg or kg m².
    pub armature: f64,
}

/// What a string's length is.
#[derive(Debug, Clone, PartialEq)]
pub enum TendonPath {
    /// Σ coefficient · coordinate.
    Fixed(Vec<Term>),
    /// The shortest way past these.
    Spatial(Vec<Passage>),
}

/// What a string through space passes.
#[derive(Debug, Clone, PartialEq)]
pub enum Passage {
    /// Through a site.
    Site(usize),
    /// Around a round body between the sites before and behind it.
    Over {
        /// The link it is on.
        link: LinkId,
        /// Its frame in the link's frame.
        pose: Pose,
        /// What it is.
        shape: WrapShape,
        /// The site on whose side the string goes around; inside of the body if the site is.
        side: Option<usize>,
    },
    /// What follows counts divided by this; the string starts anew.
    Pulley(f64),
}

impl Tendon {
    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        match &mut self.path {
            TendonPath::Fixed(terms) => terms.iter_mut().for_each(|t| t.link = to(t.link).0),
            TendonPath::Spatial(list) => {
                for passage in list {
                    if let Passage::Over { link, pose, .. } = passage {
                        let (new, x) = to(*link);
                        (*link, *pose) = (new, x.compose(pose));
                    }
                }
            }
        }
    }

    pub(super) fn shift(&mut self, sites: usize) {
        if let TendonPath::Spatial(list) = &mut self.path {
            for passage in list {
                match passage {
                    Passage::Site(k) | Passage::Over { side: Some(k), .. } => *k += sites,
                    Passage::Over { .. } | Passage::Pulley(_) => {}
                }
            }
        }
    }
}

//! Why a model could not be built: every way in which a list of links may fail to be a mechanism, with its names and
//! numbers. Building is the only step that can fail; the dynamics of a [`crate::Model`] is total.

use gudgeon_spatial::InertiaError;

/// Why a model could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The link's parent is not in the list.
    #[error("link {link:?} hangs on {parent:?}, which does not exist")]
    UnknownParent {
        /// The link.
        link: String,
        /// The missing parent.
        parent: String,
    },
    /// Two links share a name, or one is called "world".
    #[error("link name {link:?} is taken")]
    DuplicateName {
        /// The name.
        link: String,
    },
    /// Following parents from this link never reaches the world.
    #[error("link {link:?} is its own ancestor; close loops with a loop joint")]
    Cycle {
        /// A link on the cycle.
        link: String,
    },
    /// No body has this inertia.
    #[error("link {link:?}: {reason}")]
    Inertia {
        /// The link.
        link: String,
        /// What is wrong with it.
        reason: InertiaError,
    },
    /// Nothing resists a degree of freedom.
    #[error(
        "dof {dof} of link {link:?} moves no inertia: give the links behind it mass, or the joint armature"
    )]
    NoInertia {
        /// The link.
        link: String,
        /// Which of the joint's own dofs.
        dof: usize,
    },
    /// The acceleration of free fall is not finite.
    #[error("gravity is not finite")]
    Gravity,
    /// A joint axis is not a unit vector, two are parallel, or a pitch is not finite.
    #[error(
        "link {link:?}: the joint axis is not a unit vector, two axes are parallel, or the pitch is not finite"
    )]
    Axis {
        /// The link.
        link: String,
    },
    /// A placement is not a rigid motion or a number is not finite.
    #[error("link {link:?}: the placement is not a finite rotation and translation")]
    Placement {
        /// The link.
        link: String,
    },
    /// A dof property is out of range.
    #[error("link {link:?}: {what} of dof {dof} is {value}")]
    Property {
        /// The link.
        link: String,
        /// Which of the joint's own dofs.
        dof: usize,
        /// Which property.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A loop or coupling names a link that does not exist.
    #[error("constraint {constraint} names {link:?}, which does not exist")]
    UnknownLink {
        /// Index of the loop or coupling.
        constraint: usize,
        /// The missing link.
        link: String,
    },
    /// A coupling names a dof that has no coordinate of its own.
    #[error("coupling {coupling}: dof {dof} of link {link:?} is not a plain coordinate")]
    CoupledDof {
        /// Index of the coupling.
        coupling: usize,
        /// The link.
        link: String,
        /// The dof asked for.
        dof: usize,
    },
    /// A loop or coupling is not finite, or ties a link to itself.
    #[error("constraint {constraint} is not finite, or ties a link to itself")]
    Constraint {
        /// Index of the loop or coupling.
        constraint: usize,
    },
}

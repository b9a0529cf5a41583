//! What a model must be, and how the builder says so.

use gudgeon_multibody::{Joint, LinkSpec, ModelBuilder, ModelError};
use gudgeon_spatial::{Inertia, InertiaError, Pose, Symmetric3, Vector3};

fn hinge(name: &str, parent: &str) -> LinkSpec {
    let body = Inertia::ball(1.0, 0.1).translated(Vector3::new(0.2, 0.0, 0.0));
    LinkSpec::new(name, parent, Joint::revolute(Vector3::y()), Pose::identity(), body)
}

#[test]
fn links_may_come_in_any_order() {
    let mut b = ModelBuilder::new();
    b.link(hinge("hand", "arm")).link(hinge("arm", "world")).link(hinge("finger", "hand"));
    let model = b.build().unwrap();
    let names: Vec<&str> = model.links().iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["world", "arm", "hand", "finger"]);
    assert_eq!(model.n_v(), 3);
}

#[test]
fn an_unknown_parent_a_cycle_and_a_taken_name_are_named() {
    let mut b = ModelBuilder::new();
    b.link(hinge("a", "nobody"));
    assert!(matches!(b.build(), Err(ModelError::UnknownParent { parent, .. }) if parent == "nobody"));

    let mut b = ModelBuilder::new();
    b.link(hinge("a", "b")).link(hinge("b", "a"));
    assert!(matches!(b.build(), Err(ModelError::Cycle { .. })));

    let mut b = ModelBuilder::new();
    b.link(hinge("a", "world")).link(hinge("a", "world"));
    assert!(matches!(b.build(), Err(ModelError::DuplicateName { .. })));
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let with = |body: Inertia, joint: Joint| {
        let mut b = ModelBuilder::new();
        b.link(LinkSpec::new("a", "world", joint, Pose::identity(), body));
        b.build()
    };
    let triangle = Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(1.0, 1.0, 9.0));
    assert!(matches!(
        with(triangle, Joint::Free),
        Err(ModelError::Inertia { reason: InertiaError::Triangle { .. }, .. })
    ));
    assert!(matches!(with(Inertia::zero(), Joint::Free), Err(ModelError::NoInertia { .. })));

    // a point mass on the axis of its own hinge
    let bead = Inertia::new(1.0, Vector3::new(0.0, 0.3, 0.0), Symmetric3::default());
    assert!(matches!(with(bead, Joint::revolute(Vector3::y())), Err(ModelError::NoInertia { dof: 0, .. })));
    assert!(with(bead, Joint::revolute(Vector3::x())).is_ok());

    // a massless link is fine when something behind it has mass
    let mut b = ModelBuilder::new();
    let x = Joint::revolute(Vector3::x());
    b.link(LinkSpec::new("cross", "world", x, Pose::identity(), Inertia::zero())).link(hinge("arm", "cross"));
    assert!(b.build().is_ok());
}

#[test]
fn bad_axes_placements_and_properties_are_refused() {
    let build = |spec: LinkSpec| {
        let mut b = ModelBuilder::new();
        b.link(spec);
        b.build()
    };
    let body = Inertia::ball(1.0, 0.1);
    let joint = Joint::Revolute { axis: Vector3::new(0.0, 0.0, 2.0) };
    let spec = LinkSpec::new("a", "world", joint, Pose::identity(), body);
    assert!(matches!(build(spec), Err(ModelError::Axis { .. })));

    let skewed = Pose { rotation: Pose::identity().rotation * 1.1, ..Pose::identity() };
    let spec = LinkSpec::new("a", "world", Joint::Free, skewed, body);
    assert!(matches!(build(spec), Err(ModelError::Placement { .. })));

    assert!(matches!(
        build(hinge("a", "world").damping(-1.0)),
        Err(ModelError::Property { what: "damping", .. })
    ));
    let screw = LinkSpec::new("a", "world", Joint::helical(Vector3::z(), f64::NAN), Pose::identity(), body);
    assert!(matches!(build(screw), Err(ModelError::Axis { .. })));
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, f64::INFINITY, 0.0));
    assert_eq!(b.build().unwrap_err(), ModelError::Gravity);
    assert!(matches!(build(hinge("a", "world").limits(1.0, -1.0)), Err(ModelError::Property { .. })));
}

//! A contact of the step as the implicit function theorem wants it: its mode, its impulse, its law.

use gudgeon_contact::{Cone, Held, Law, Section, Sliding};
use gudgeon_lcp::{ContactAnswer, ContactMode};
use gudgeon_spatial::Vector3;

use crate::contact_info::ContactInfo;
use crate::settings::{Facets, Settings};
use crate::tolerances::AT_CORNER;

/// A contact that pushes, at its answer; `None` if it is open. `leaving` replaces the slope of the law.
pub(super) fn held(
    c: &ContactInfo,
    answer: &ContactAnswer,
    settings: &Settings,
    leaving: Option<f64>,
) -> Option<Held> {
    if answer.mode == ContactMode::Open || answer.impulse[0] <= 0.0 {
        return None;
    }
    let (dt, facets) = (settings.dt, settings.facets);
    let section = facets.section();
    let [t1, t2] = section.tangents(&c.normal);
    let [i, x, y] = answer.impulse;
    let across = t1 * x + t2 * y;
    let mu = c.material.friction * if section == Section::Box { std::f64::consts::SQRT_2 } else { 1.0 };
    let (cone, sides) = match facets {
        Facets::Exact | Facets::LastBox => (Cone::Round, 0),
        Facets::Polygon(sides) => (Cone::Polygon(sides.get(), section), sides.get()),
        Facets::Box => (Cone::Polygon(4, section), 4),
    };
    let sliding = if answer.mode == ContactMode::Slip && mu > 0.0 && across.norm() > 0.0 {
        let slip = t1 * answer.velocity[1] + t2 * answer.velocity[2];
        if cone == Cone::Round {
            Sliding::Round(-across.normalize(), slip.norm())
        } else {
            corner_or_side(x, y, mu * i, sides, &[t1, t2])
        }
    } else {
        Sliding::Not
    };
    let m = &c.material;
    let (compliance, slope) = if m.stiffness.is_infinite() {
        (0.0, if Law::hard(c.gap, settings.touching(), dt).bias > 0.0 { 1.0 / dt } else { 0.0 })
    } else {
        let law = Law::soft(1.0, m.stiffness, m.damping, dt);
        (law.compliance, law.bias)
    };
    Some(Held {
        a: c.a.0,
        b: c.b.0,
        point: c.point,
        normal: c.normal,
        impulse: c.normal * i + across,
        mu,
        sliding,
        compliance,
        stiffness: leaving.unwrap_or(slope),
        cone,
    })
}

/// Where on a polygon of the given radius a friction impulse lies.
fn corner_or_side(x: f64, y: f64, radius: f64, sides: usize, t: &[Vector3<f64>; 2]) -> Sliding {
    let step = std::f64::consts::TAU / sides as f64;
    let turns = y.atan2(x) / step;
    let direction = |k: f64| t[0] * (k * step).cos() + t[1] * (k * step).sin();
    // of the radius: an answer is good to nine digits
    if (turns - turns.round()).abs() * step < AT_CORNER && (x.hypot(y) - radius).abs() < AT_CORNER * radius {
        return Sliding::Corner(direction(turns.round()));
    }
    let middle = turns.floor() + 0.5;
    let out = direction(middle);
    Sliding::Side(out * (0.5 * step).cos(), direction(middle + 0.25 * sides as f64))
}

//! What ties coordinates of joints together: gears, racks, cams.
//!
//! ```text
//!     gear : z_a (q_a - q_c) + z_b (q_b - q_c) = const     minus for teeth inside; a wheel that hangs on the carrier
//!                                                          counts from it already
//!     rack : q_rack - r q_pinion = const
//!     cam  : q_follower = f(q_shaft)
//! ```
//! The constants are those of the start.

use gudgeon_multibody::Curve;

use super::Reader;
use super::schema::{CamTable, GearTable, SceneTable};
use crate::error::ModelFileError;

impl Reader<'_> {
    pub(super) fn tie(&mut self, t: &SceneTable) -> Result<(), ModelFileError> {
        for gear in &t.gear {
            let g = gear.get_ref();
            if !g.teeth.iter().all(|z| *z > 0.0 && z.is_finite()) {
                let shown = format!("{:?}", g.teeth);
                return Err(self.value(&gear.span(), "teeth", shown, "two positive numbers"));
            }
            self.couple(t, &gear_terms(t, g));
        }
        for rack in &t.rack {
            let r = rack.get_ref();
            if !(r.radius.is_finite() && r.radius != 0.0) {
                return Err(self.value(&rack.span(), "radius", r.radius, "a length, not zero"));
            }
            self.couple(t, &[(r.rack.clone(), 1.0), (r.pinion.clone(), -r.radius)]);
        }
        for cam in &t.cam {
            let curve = curve(cam.get_ref()).map_err(|e| {
                let c = cam.get_ref();
                let shown = format!("{} angles and {} lifts", c.angles.len(), c.lifts.len());
                self.value(&cam.span(), "cam", shown, &e)
            })?;
            let c = cam.get_ref();
            if joint(t, &c.follower).is_some_and(|j| j.initial.is_none()) {
                let start = curve.at(initial(t, &c.shaft))[0];
                self.builder.position(&c.follower, &[start]);
            }
            self.builder.model().cam(&c.follower, &c.shaft, curve);
        }
        Ok(())
    }

    /// Ties first coordinates as they are at the start.
    fn couple(&mut self, t: &SceneTable, terms: &[(String, f64)]) {
        let offset = terms.iter().map(|(name, c)| c * initial(t, name)).sum();
        let terms: Vec<(&str, usize, f64)> = terms.iter().map(|(name, c)| (name.as_str(), 0, *c)).collect();
        self.builder.model().couple(&terms, offset);
    }
}

fn joint<'a>(t: &'a SceneTable, child: &str) -> Option<&'a super::schema::JointTable> {
    t.joint.iter().map(toml::Spanned::get_ref).find(|j| j.child == child)
}

fn initial(t: &SceneTable, child: &str) -> f64 {
    let given = joint(t, child).and_then(|j| j.initial.as_ref());
    given.and_then(|v| v.list().first().copied()).unwrap_or(0.0)
}

fn gear_terms(t: &SceneTable, g: &GearTable) -> Vec<(String, f64)> {
    let side = if g.internal.unwrap_or(false) { -1.0 } else { 1.0 };
    let mut terms = vec![(g.a.clone(), g.teeth[0]), (g.b.clone(), side * g.teeth[1])];
    if let Some(carrier) = &g.carrier {
        let carried = |name: &str| joint(t, name).is_some_and(|j| j.parent.as_deref() == Some(carrier));
        let arm: f64 = terms.iter().filter(|(name, _)| !carried(name)).map(|(_, c)| -c).sum();
        if arm != 0.0 {
            terms.push((carrier.clone(), arm));
        }
    }
    terms
}

/// Knots a turn apart are the same knot: this much of a radian.
const SAME: f64 = 1e-9;

fn curve(c: &CamTable) -> Result<Curve, String> {
    let closed = c.closed.unwrap_or(true);
    let (mut x, mut y) = (c.angles.clone(), c.lifts.clone());
    if let (true, Some(first), Some(last), Some(lift)) = (closed, x.first(), x.last(), y.first().copied()) {
        let turn = first + std::f64::consts::TAU;
        if *last > turn + SAME {
            return Err("angles within one turn".to_owned());
        }
        if *last < turn - SAME && x.len() == y.len() {
            x.push(turn);
            y.push(lift);
        }
    }
    Curve::new(x, y, closed).map_err(|e| e.to_string())
}

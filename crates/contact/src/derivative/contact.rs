//! One contact under a displacement of its links: what its rows measure, and what its impulse does.
//!
//! ```text
//!     ρ = ξ_a − ξ_b,   δp = ξ_b(p) + P ρ,   δn = θ_b × n + N ρ,   δgap = g·ρ                (see `gudgeon-collide`)
//!     u = v_a(p) − v_b(p),     δu = δV_a(p) − δV_b(p) + (ω_a − ω_b) × δp                    at fixed joint velocities
//!     normal row    −(δn·u + n·δu + δbias)
//!     tangent row e −(e·δu − (e·δn) u_n + ς (n × e)·u)
//!     impulse F     turns with the frame, δF = (n × δn) × F + ς n × F, and acts at p + δp
//! ```
//! ς is the spin of the tangents about n as n changes. Round cones do not know it; corners of polygons do.

use gudgeon_collide::ContactSlopes;
use gudgeon_multibody::{Fields, Rows};
use gudgeon_spatial::{Force, Motion, Vector3, Vector6};

use super::implicit::ImplicitSolve;
use super::site::Site;
use crate::assembly::{Section, tangents};

/// The shape of the cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cone {
    /// A circle.
    Round,
    /// A polygon of this many sides in the tangents of a section.
    Polygon(usize, Section),
}

/// How a contact slides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sliding {
    /// It sticks.
    Not,
    /// Along this unit vector, at this speed in m/s.
    Round(Vector3<f64>, f64),
    /// Friction at a corner of the polygon: its direction, times the radius of the corner.
    Corner(Vector3<f64>),
    /// Friction on a side: the direction across it, times its distance over μ, and along it.
    Side(Vector3<f64>, Vector3<f64>),
}

/// A contact that pushes, at the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The link the impulse acts on, and the other one.
    pub a: usize,
    /// See `a`.
    pub b: usize,
    /// World, m.
    pub point: Vector3<f64>,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// On a, N s, world axes.
    pub impulse: Vector3<f64>,
    /// Coefficient of friction.
    pub mu: f64,
    /// How it slides.
    pub sliding: Sliding,
    /// Compliance of the normal, 1/kg.
    pub compliance: f64,
    /// δbias over δgap, 1/s.
    pub stiffness: f64,
    /// Whether the cone's tangents are part of the law.
    pub cone: Cone,
}

/// Its rows in the implicit solve, and its slopes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLinear {
    /// The contact.
    pub held: Held,
    /// Change of its geometry.
    pub slopes: ContactSlopes,
    /// First of its rows.
    pub first: usize,
    rows: [Option<Vector3<f64>>; 2], // tangent rows after the normal one
    spin: Vector3<f64>,              // ς = spin · δn
    met: Met,                        // at the answer
}

/// How its links move against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Met {
    u: Vector3<f64>,    // at its point, m/s
    turn: Vector3<f64>, // ω_a − ω_b
}

impl Met {
    fn of(h: &Held, fields: &Fields, v: &[Motion]) -> Self {
        Self {
            u: fields.at(h.a, v[h.a], &h.point) - fields.at(h.b, v[h.b], &h.point),
            turn: v[h.a].angular - v[h.b].angular,
        }
    }
}

/// What changes besides the poses.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContactChange {
    /// Of the law's bias, m/s.
    pub bias: f64,
    /// Of the friction coefficient.
    pub mu: f64,
    /// Of the compliance of the normal, 1/kg.
    pub compliance: f64,
}

/// What a product with the transpose leaves of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjoint {
    /// Shares of bias, friction and compliance.
    pub change: ContactChange,
    /// On the pose of shape a alone: moment and force about the contact point.
    pub on_a: Vector6<f64>,
    /// On that of shape b.
    pub on_b: Vector6<f64>,
}

/// Spin of the tangents of a section about n: ς = spin · δn.
fn spin(n: &Vector3<f64>) -> Vector3<f64> {
    let [_, t2] = tangents(n);
    let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + n.z);
    // rows of ∂t₁/∂n, with da = a² dn_z
    let by_x = Vector3::new(sign * 2.0 * n.x * a, sign * n.y * a, -sign);
    let by_y = Vector3::new(0.0, sign * n.x * a, 0.0);
    let by_z = Vector3::new(sign * n.x * n.x * a * a, sign * n.x * n.y * a * a, 0.0);
    Vector3::new(t2.dot(&by_x), t2.dot(&by_y), t2.dot(&by_z))
}

/// How links move under a change.
#[derive(Debug, Clone, Copy)]
pub struct LinkChange<'a> {
    /// Their displacement, by link.
    pub moved: &'a [Motion],
    /// The change of their velocities that it brings, by link.
    pub varied: &'a [Motion],
}

impl ContactLinear {
    /// A contact at the field `v` of link velocities of the answer; its rows are to follow from `first` on, across along `frame`
    /// where it sticks.
    pub fn new(
        held: Held,
        slopes: ContactSlopes,
        fields: &Fields,
        v: &[Motion],
        first: usize,
        frame: &[Vector3<f64>; 2],
    ) -> Self {
        let zero = Vector3::zeros();
        let pressed = held.impulse.dot(&held.normal);
        let rows = match held.sliding {
            // without friction there are no rows across: the way it moves is not held
            Sliding::Not => frame.map(|e| (held.mu > 0.0).then_some(e)),
            Sliding::Round(s, _) => [(held.mu * pressed > 0.0).then(|| held.normal.cross(&s)), None],
            Sliding::Corner(_) => [None; 2],
            Sliding::Side(_, side) => [Some(side), None],
        };
        let spin = if held.cone == Cone::Round { zero } else { spin(&held.normal) };
        Self { held, slopes, first, rows, spin, met: Met::of(&held, fields, v) }
    }

    /// Its rows: what is held, what pushes where that differs, and the compliance.
    pub fn directions(&self) -> impl Iterator<Item = (Vector3<f64>, Option<Vector3<f64>>, f64)> + '_ {
        let h = &self.held;
        let pushing = match h.sliding {
            Sliding::Not => None,
            Sliding::Round(..) | Sliding::Corner(_) | Sliding::Side(..) => {
                Some(h.normal + self.friction() * h.mu)
            }
        };
        let turning = match h.sliding {
            Sliding::Round(_, speed) => speed / (h.mu * h.impulse.dot(&h.normal)),
            Sliding::Not | Sliding::Corner(_) | Sliding::Side(..) => 0.0,
        };
        let across = self.rows.iter().flatten().map(move |e| (*e, None, turning));
        std::iter::once((h.normal, pushing, h.compliance)).chain(across)
    }

    /// Adds its rows over dofs, where those along n and the two of `frame` are `rows` from `at` on.
    pub fn push(&self, rows: &Rows, at: usize, frame: &[Vector3<f64>; 2], solve: &mut ImplicitSolve) {
        let (dofs, normal) = rows.row(at);
        let (t1, t2) = (rows.row(at + 1).1, rows.row(at + 2).1);
        let along = |e: Vector3<f64>| {
            let (n, x, y) = (e.dot(&self.held.normal), e.dot(&frame[0]), e.dot(&frame[1]));
            let tangents = t1.iter().zip(t2);
            dofs.iter()
                .zip(normal.iter().zip(tangents))
                .map(move |(&k, (z, (p, q)))| (k, n * z + x * p + y * q))
        };
        for (held, pushing, compliance) in self.directions() {
            match pushing {
                None => solve.push(along(held), compliance),
                Some(f) => solve.push_oblique(along(held), along(f), compliance),
            };
        }
    }

    /// Rows it has.
    pub fn n_rows(&self) -> usize {
        1 + self.rows.iter().flatten().count()
    }

    /// Directions of its rows across the normal.
    pub fn across(&self) -> &[Option<Vector3<f64>>; 2] {
        &self.rows
    }

    /// Writes the right-hand sides of its rows into `r`, and adds the change of its impulse to `forces` on links, for changes of
    /// links, of the two shapes and of the contact itself.
    pub fn jvp(
        &self,
        fields: &Fields,
        &LinkChange { moved, varied }: &LinkChange<'_>,
        shapes: Option<&[Vector6<f64>; 2]>,
        change: &ContactChange,
        r: &mut [f64],
        forces: &mut [Force],
    ) {
        let h = &self.held;
        let (n, p, f) = (&h.normal, &h.point, &h.impulse);
        let (dp, dn, dgap) = Site::of(h, &self.slopes).jvp(fields, moved, shapes);
        self.rows_jvp(fields, varied, &self.met, (&dp, &dn), r);
        let pressed = f.dot(n);
        r[self.first] -= h.stiffness * dgap + change.bias + change.compliance * pressed;
        let spin = self.spin.dot(&dn);
        let mut df = n.cross(&dn).cross(f) + n.cross(f) * spin;
        if change.mu != 0.0 {
            df += self.friction() * (pressed * change.mu);
        }
        let moment = dp.cross(f);
        forces[h.a] += fields.about(h.a, p, moment, df);
        forces[h.b] -= fields.about(h.b, p, moment, df);
    }

    /// What its rows measure of another field of link velocities, in which `links` has the variation: written into `r`.
    pub fn stress_jvp(
        &self,
        fields: &Fields,
        stress: &[Motion],
        &LinkChange { moved, varied }: &LinkChange<'_>,
        shapes: Option<&[Vector6<f64>; 2]>,
        r: &mut [f64],
    ) {
        let (dp, dn, _) = Site::of(&self.held, &self.slopes).jvp(fields, moved, shapes);
        self.rows_jvp(fields, varied, &Met::of(&self.held, fields, stress), (&dp, &dn), r);
    }

    /// The change of its rows, at velocities as met.
    fn rows_jvp(
        &self,
        fields: &Fields,
        varied: &[Motion],
        met: &Met,
        (dp, dn): (&Vector3<f64>, &Vector3<f64>),
        r: &mut [f64],
    ) {
        let h = &self.held;
        let (n, p, u) = (&h.normal, &h.point, &met.u);
        let du = fields.at(h.a, varied[h.a], p) - fields.at(h.b, varied[h.b], p) + met.turn.cross(dp);
        r[self.first] = -(dn.dot(u) + n.dot(&du));
        let (u_n, spin) = (u.dot(n), self.spin.dot(dn));
        for (k, e) in self.rows.iter().flatten().enumerate() {
            r[self.first + 1 + k] = -(e.dot(&du) - e.dot(dn) * u_n + spin * n.cross(e).dot(u));
        }
    }

    /// The transpose: shares `r` on δp, δn and, added, on the change of link velocities.
    fn rows_vjp(
        &self,
        fields: &Fields,
        met: &Met,
        r: &[f64],
        on_varied: &mut [Force],
    ) -> (Vector3<f64>, Vector3<f64>) {
        let h = &self.held;
        let (n, u) = (&h.normal, &met.u);
        let share = -r[self.first];
        let (mut on_dn, mut on_du, mut on_spin) = (u * share, n * share, 0.0);
        let u_n = u.dot(n);
        for (k, e) in self.rows.iter().flatten().enumerate() {
            let share = -r[self.first + 1 + k];
            on_du += e * share;
            on_dn -= e * (share * u_n);
            on_spin += share * n.cross(e).dot(u);
        }
        on_dn += self.spin * on_spin;
        on_varied[h.a] += fields.about(h.a, &h.point, Vector3::zeros(), on_du);
        on_varied[h.b] -= fields.about(h.b, &h.point, Vector3::zeros(), on_du);
        (on_du.cross(&met.turn), on_dn)
    }

    /// The transpose of [`Self::stress_jvp`]: on the displacement, on the change of that field, and on the shapes alone.
    pub fn stress_vjp(
        &self,
        fields: &Fields,
        stress: &[Motion],
        r: &[f64],
        on_moved: &mut [Force],
        on_varied: &mut [Force],
    ) -> [Vector6<f64>; 2] {
        let met = Met::of(&self.held, fields, stress);
        let (on_dp, on_dn) = self.rows_vjp(fields, &met, r, on_varied);
        Site::of(&self.held, &self.slopes).vjp(fields, &on_dp, &on_dn, 0.0, on_moved).into()
    }

    /// Friction per μ and normal impulse.
    fn friction(&self) -> Vector3<f64> {
        match self.held.sliding {
            Sliding::Not => Vector3::zeros(),
            Sliding::Round(s, _) => -s,
            Sliding::Corner(d) | Sliding::Side(d, _) => d,
        }
    }

    /// The transpose of [`Self::jvp`]: shares `r` of the rows and the field `y` that joint impulses are paired with, to forces
    /// on the displacement and on the change of link velocities.
    pub fn vjp(
        &self,
        fields: &Fields,
        y: &[Motion],
        r: &[f64],
        on_moved: &mut [Force],
        on_varied: &mut [Force],
        bias: impl FnOnce(f64) -> f64,
    ) -> Adjoint {
        let h = &self.held;
        let (n, p, f) = (&h.normal, &h.point, &h.impulse);
        let (mut on_dp, mut on_dn) = self.rows_vjp(fields, &self.met, r, on_varied);
        let share = -r[self.first];
        let pressed = f.dot(n);
        // the impulse turns and moves
        let slide = fields.at(h.a, y[h.a], p) - fields.at(h.b, y[h.b], p);
        let turn = y[h.a].angular - y[h.b].angular;
        on_dp += f.cross(&turn);
        // slide·((n × δn) × F) = slide·(δn (n·F) − n (δn·F))
        on_dn += slide * pressed - f * slide.dot(n);
        on_dn += self.spin * slide.dot(&n.cross(f));
        // geometry; the law's bias may share the gap in other ways
        let on_gap = share * h.stiffness + bias(share);
        let (rho, on_b) = Site::of(h, &self.slopes).vjp(fields, &on_dp, &on_dn, on_gap, on_moved);
        Adjoint {
            change: ContactChange {
                bias: share,
                mu: self.friction().dot(&slide) * pressed,
                compliance: share * pressed,
            },
            on_a: rho,
            on_b,
        }
    }
}

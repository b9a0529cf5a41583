//! From bodies and contact points to rows and matrices.

use gudgeon_lcp::{
    Bounded, Contact, FrictionLcp, FrictionProblem, GlobalForm, Lcp, Mlcp, Row, Stabilisation,
};

use super::{Along, Body, Scene, Tie};
use crate::geometry::{Vec3, add, cross, inverse, mat_vec, scale, sub, tangents};
use crate::rng::Rng;

/// The standard form of a problem that has something to decide.
pub(super) fn standard(problem: &FrictionProblem) -> Lcp {
    let lowered = FrictionLcp::new(problem, Stabilisation::default()).expect("finite data of moderate size");
    lowered.lcp().expect("a scene has contacts, limits or motors").clone()
}

impl Body {
    /// The 6 × 6 spatial inertia, column-major, angular part first.
    fn spatial_inertia(&self) -> Vec<f64> {
        let mut m = vec![0.0; 36];
        for i in 0..3 {
            for j in 0..3 {
                m[j * 6 + i] = self.inertia[i][j];
            }
            m[(3 + i) * 6 + 3 + i] = self.mass;
        }
        m
    }

    /// The velocity after a step without contact, angular part first.
    fn free_velocity(&self, h: f64, gravity: Vec3) -> [f64; 6] {
        let momentum = mat_vec(&self.inertia, self.spin);
        let torque = sub(self.torque, cross(self.spin, momentum));
        let spin = add(self.spin, scale(h, mat_vec(&inverse(&self.inertia), torque)));
        let acceleration = add(gravity, scale(1.0 / self.mass, self.force));
        let velocity = add(self.velocity, scale(h, acceleration));
        [spin[0], spin[1], spin[2], velocity[0], velocity[1], velocity[2]]
    }
}

impl Scene {
    fn row(&self, a: usize, b: Option<usize>, along: Along) -> Row {
        let mut entries = Vec::with_capacity(12);
        let sides = [Some((a, 1.0)), b.map(|b| (b, -1.0))];
        for (body, sign) in sides.into_iter().flatten() {
            let (angular, linear) = match along {
                Along::Point(point, direction) => {
                    (cross(sub(point, self.bodies[body].position), direction), direction)
                }
                Along::Axis(direction) => (direction, [0.0; 3]),
            };
            let values = angular.into_iter().chain(linear).enumerate();
            entries.extend(values.filter(|&(_, v)| v != 0.0).map(|(i, v)| (6 * body + i, sign * v)));
        }
        Row::new(entries)
    }

    fn tie(&self, tie: &Tie) -> Row {
        self.row(tie.a, tie.b, tie.along).with_bias(tie.bias)
    }

    /// The rows of all contacts: normal, first and second tangent.
    fn contact_rows(&self) -> Vec<[Row; 3]> {
        let rows = self.touches.iter().map(|t| {
            let [t1, t2] = tangents(t.normal, t.turn);
            [
                self.row(t.a, t.b, Along::Point(t.point, t.normal)).with_bias(t.gap / self.h),
                self.row(t.a, t.b, Along::Point(t.point, t1)),
                self.row(t.a, t.b, Along::Point(t.point, t2)),
            ]
        });
        rows.collect()
    }

    /// The mass matrix with all rows on it.
    pub fn global(&self) -> GlobalForm {
        let contacts = self.contact_rows().into_iter().zip(&self.touches);
        let bounded = self.motors.iter().map(|motor| Bounded {
            row: self.tie(&motor.tie),
            lo: -motor.limit,
            hi: motor.limit,
        });
        GlobalForm {
            mass: self.bodies.iter().map(|b| (6, b.spatial_inertia())).collect(),
            free_velocity: self.bodies.iter().flat_map(|b| b.free_velocity(self.h, self.gravity)).collect(),
            contacts: contacts
                .map(|([normal, t1, t2], t)| Contact { mu: t.mu, normal, tangents: [t1, t2] })
                .collect(),
            equality: self.equality.iter().map(|t| self.tie(t)).collect(),
            unilateral: self.unilateral.iter().map(|t| self.tie(t)).collect(),
            bounded: bounded.collect(),
        }
    }

    /// The same scene with its contacts as unilateral rows, in front of the others.
    pub fn frictionless(&self) -> FrictionProblem {
        let mut form = self.global();
        let normals = std::mem::take(&mut form.contacts).into_iter().map(|c| c.normal);
        form.unilateral = normals.chain(form.unilateral).collect();
        FrictionProblem::global(form).expect("a scene has positive masses and finite numbers")
    }

    /// W = J M⁻¹ Jᵀ (column-major) and q = J v_free + bias of the contacts alone, in blocks (n, t1, t2).
    pub fn delassus(&self) -> (Vec<f64>, Vec<f64>) {
        let form = self.global();
        let form = GlobalForm {
            unilateral: self.contact_rows().into_iter().flatten().collect(),
            contacts: Vec::new(),
            equality: Vec::new(),
            bounded: Vec::new(),
            ..form
        };
        let problem = FrictionProblem::global(form).expect("a scene has positive masses and finite numbers");
        let boxed = problem.to_mlcp(Stabilisation::default()).expect("finite data of moderate size");
        (boxed.a().to_vec(), boxed.b().to_vec())
    }

    /// The contacts alone, in local form.
    pub fn local_problem(&self) -> FrictionProblem {
        let (w, q) = self.delassus();
        self.local_from(w, q)
    }

    /// The contacts alone, in local form, with an unsymmetric W = J (M⁻¹ + S) Jᵀ.
    ///
    /// S is skew, as an implicit treatment of gyroscopic forces leaves it, of `size` relative to M⁻¹. It does no
    /// work, rᵀW r is that of the symmetric matrix, so the problem has a solution for the same reason.
    pub fn unsymmetric_problem(&self, size: f64, rng: &mut Rng) -> FrictionProblem {
        let (mut w, q) = self.delassus();
        let dof = 6 * self.bodies.len();
        let rows: Vec<Vec<f64>> = self
            .contact_rows()
            .into_iter()
            .flatten()
            .map(|row| {
                let mut dense = vec![0.0; dof];
                row.entries.iter().for_each(|&(i, v)| dense[i] += v);
                dense
            })
            .collect();
        let k = rows.len();
        for (body, b) in self.bodies.iter().enumerate() {
            let inverse = inverse(&b.inertia);
            // angular with angular, linear with linear: (1/I) [s]× and (1/m) [s]×
            for (offset, strength) in
                [(0, inverse[0][0].min(inverse[1][1]).min(inverse[2][2])), (3, 1.0 / b.mass)]
            {
                let axis = scale(size * strength, rng.direction());
                let part = |row: &[f64]| -> Vec3 { std::array::from_fn(|i| row[6 * body + offset + i]) };
                for (j, right) in rows.iter().enumerate() {
                    let turned = cross(axis, part(right));
                    for (i, left) in rows.iter().enumerate() {
                        w[j * k + i] += crate::geometry::dot(part(left), turned);
                    }
                }
            }
        }
        self.local_from(w, q)
    }

    fn local_from(&self, w: Vec<f64>, q: Vec<f64>) -> FrictionProblem {
        let mu = self.touches.iter().map(|t| t.mu).collect();
        FrictionProblem::local_column_major(w, q, mu)
            .and_then(|problem| problem.with_facets(self.facets))
            .expect("finite data of moderate size")
    }

    /// The contacts alone with box friction: |t1|, |t2| ≤ mu n each for itself, through the friction index.
    ///
    /// It has a solution for the same reason as the cone: two γ rows per contact instead of one, each copositive.
    pub fn box_friction(&self) -> Mlcp {
        let (a, b) = self.delassus();
        let mut lo = Vec::with_capacity(b.len());
        let mut hi = Vec::with_capacity(b.len());
        let mut findex = Vec::with_capacity(b.len());
        for (i, t) in self.touches.iter().enumerate() {
            lo.extend([0.0, -t.mu, -t.mu]);
            hi.extend([f64::INFINITY, t.mu, t.mu]);
            findex.extend([None, Some(3 * i), Some(3 * i)]);
        }
        Mlcp::from_column_major(a, b, lo, hi)
            .and_then(|mlcp| mlcp.with_friction_index(findex))
            .map(Mlcp::with_noise)
            .expect("mu is finite and not negative")
    }
}

//! Seven equations of a contact between two features: how its point, normal and gap change with a twist of a against b.
//!
//! Three say that the surface points stay gap n apart, two what becomes of the normal; the others are slides.

use nalgebra::{Matrix3, Matrix3x6, SMatrix, Vector6};

use super::{Carrier, Feature};
use crate::contact::ContactPoint;
use crate::derivative::{ContactSlopes, SlopeSource};
use crate::rigid::{Vec3, tangents};

/// Seven unknowns: δn along two tangents, slides of a and of b (at most four in all), δgap.
pub(super) fn solve(
    f_a: &Feature,
    f_b: &Feature,
    carried: Carrier,
    c: &ContactPoint,
    p_a: &Vec3,
) -> Option<ContactSlopes> {
    let (t1, t2) = tangents(&c.normal);
    let touch = Touch { f_a, f_b, c, p_a, turn: [t1, t2] };
    let mut equations = touch.closing();
    touch.normal_rules(carried, &mut equations);
    equations.no_slides(f_a.n_slides + f_b.n_slides);
    debug_assert_eq!(equations.row, 7);
    let x = equations.m.full_piv_lu().solve(&equations.rhs)?;
    let out = touch.slopes(&x);
    let finite = out.point.iter().chain(out.normal.iter()).chain(out.gap.iter()).all(|x| x.is_finite());
    finite.then_some(out)
}

/// Two features at a contact point, and the tangents δn is written in.
struct Touch<'a> {
    f_a: &'a Feature,
    f_b: &'a Feature,
    c: &'a ContactPoint,
    p_a: &'a Vec3,
    turn: [Vec3; 2],
}

/// m x = rhs: one column of `rhs` per twist of a against b. Unknowns: δn along two tangents, four slides, δgap.
struct Equations {
    m: SMatrix<f64, 7, 7>,
    rhs: SMatrix<f64, 7, 6>,
    /// The first that is not written yet.
    row: usize,
}

impl Equations {
    /// Unit rows for slides there are none of.
    fn no_slides(&mut self, n_slides: usize) {
        for k in n_slides..4 {
            self.m[(self.row, 2 + k)] = 1.0;
            self.row += 1;
        }
    }
}

/// The `k`th unit twist: angular, linear.
fn twist(k: usize) -> (Vec3, Vec3) {
    let mut e = Vec3::zeros();
    e[k % 3] = 1.0;
    if k < 3 { (e, Vec3::zeros()) } else { (Vec3::zeros(), e) }
}

impl Touch<'_> {
    /// Three rows: the surface points stay apart by gap n.
    fn closing(&self) -> Equations {
        let Self { f_a, f_b, c, p_a, turn } = self;
        let n = c.normal;
        let rolling = f_a.r + f_b.r + Matrix3::identity() * c.gap;
        let mut m = SMatrix::<f64, 7, 7>::zeros();
        let mut rhs = SMatrix::<f64, 7, 6>::zeros();
        let of = |f: &Feature, sign: f64| f.slides.map(|s| s * sign).into_iter().take(f.n_slides);
        for (k, t) in turn.iter().enumerate() {
            m.fixed_view_mut::<3, 1>(0, k).copy_from(&-(rolling * t));
        }
        for (k, s) in of(f_a, 1.0).chain(of(f_b, -1.0)).enumerate() {
            m.fixed_view_mut::<3, 1>(0, 2 + k).copy_from(&s);
        }
        m.fixed_view_mut::<3, 1>(0, 6).copy_from(&-n);
        for w in 0..6 {
            let (theta, d) = twist(w);
            let carried_along = d + theta.cross(&(*p_a - c.point)) + f_a.r * theta.cross(&n);
            rhs.fixed_view_mut::<3, 1>(0, w).copy_from(&-carried_along);
        }
        Equations { m, rhs, row: 3 }
    }

    /// Two rules for δn: it moves with the face that gave it, or keeps its angle with what holds it.
    fn normal_rules(&self, carried: Carrier, equations: &mut Equations) {
        let n = self.c.normal;
        let Equations { m, rhs, row } = equations;
        match carried {
            Carrier::A | Carrier::B => {
                for (k, t) in self.turn.iter().enumerate() {
                    m[(*row, k)] = 1.0;
                    for w in 0..3 {
                        let along = if carried == Carrier::A { twist(w).0.cross(&n).dot(t) } else { 0.0 };
                        rhs[(*row, w)] = along;
                    }
                    *row += 1;
                }
            }
            Carrier::Distance | Carrier::Edges(..) => {
                let both = match carried {
                    Carrier::Edges(a, b) => [(Some(a), true), (Some(b), false)],
                    _ => [(self.f_a.holds, true), (self.f_b.holds, false)],
                };
                for (holds, moves) in both {
                    let Some(z) = holds else { continue };
                    for (k, t) in self.turn.iter().enumerate() {
                        m[(*row, k)] = z.dot(t);
                    }
                    for w in 0..3 {
                        rhs[(*row, w)] = if moves { z.dot(&twist(w).0.cross(&n)) } else { 0.0 };
                    }
                    *row += 1;
                }
            }
        }
    }

    /// The slopes that the unknowns stand for.
    fn slopes(&self, x: &SMatrix<f64, 7, 6>) -> ContactSlopes {
        let Self { f_a, f_b, c, turn: [t1, t2], .. } = self;
        let mut out = ContactSlopes {
            point: Matrix3x6::zeros(),
            normal: Matrix3x6::zeros(),
            gap: Vector6::zeros(),
            source: SlopeSource::Features,
        };
        for w in 0..6 {
            let dn = t1 * x[(0, w)] + t2 * x[(1, w)];
            let gap = x[(6, w)];
            let mut on_b = f_b.r * dn;
            for k in 0..f_b.n_slides {
                on_b += f_b.slides[k] * x[(2 + f_a.n_slides + k, w)];
            }
            // midway: half the gap up from b
            let point = on_b + (c.normal * gap + dn * c.gap) * 0.5;
            out.point.set_column(w, &point);
            out.normal.set_column(w, &dn);
            out.gap[w] = gap;
        }
        out
    }
}

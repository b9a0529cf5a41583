//! Contacts of a step with the slopes of their geometry, and whose surfaces meet.

use gudgeon_collide::{ContactPoint, ContactSlopes, SlopeSource};
use gudgeon_lcp::{ContactAnswer, ContactMode};
use gudgeon_spatial::{Vector3, Vector6};

use super::kink::NEAR;
use super::linear::Linearization;
use super::parameters::Mixed;
use super::support::LinearizeError;
use crate::settings::Facets;
use crate::simulator::{Simulator, View};

/// A contact of the step: where it is, how that changes, and whose surfaces meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteOf {
    pub(super) links: (usize, usize),
    pub(super) point: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
    pub(super) slopes: ContactSlopes,
    pub(super) colliders: (usize, usize),
    /// δμ and δe of the pair per those of the two surfaces.
    pub(super) mixed: Mixed,
    /// Poses of the two shapes, world.
    pub(super) frames: [(nalgebra::Matrix3<f64>, Vector3<f64>); 2],
    pub(super) section: f64,
}

impl Linearization {
    /// Slopes of all contacts that push or are about to.
    pub(super) fn read_sites(&mut self, view: &View<'_>, sim: &Simulator) -> Result<(), LinearizeError> {
        self.sites.clear();
        let tape = &sim.tape;
        for (i, c) in view.contacts.iter().enumerate() {
            let pressed = |answers: &[ContactAnswer]| {
                let near = |a: &ContactAnswer| a.mode != ContactMode::Open || a.velocity[0].abs() < NEAR;
                answers.get(i).is_some_and(near)
            };
            let needed = tape.solved
                && (pressed(&tape.first.contacts)
                    || pressed(&sim.ladder.solution.contacts)
                    || view.bounces.iter().any(|b| b.contact == i)
                    || self.rooms.get(i).is_some_and(|room| room.abs() < NEAR)
                    || tape.recovery.get(3 * i).is_some_and(|x| *x != 0.0));
            let (normal, gap, id) = (c.normal, c.gap, c.id);
            let midway = c.point - normal * (c.rise * gap);
            let contact = ContactPoint { a: c.colliders.0, b: c.colliders.1, point: midway, normal, gap, id };
            let slopes = if needed {
                let found = self.slopes.slopes(view.geometry, view.poses, &contact);
                let mut slopes = found.ok_or(LinearizeError::Unsupported {
                    what: "a contact that a hair's breadth of motion takes away",
                })?;
                // on the face the point goes with it
                slopes.point += (normal * slopes.gap.transpose() + slopes.normal * gap) * c.rise;
                about(&mut slopes, &(midway - c.point));
                self.by_differences += usize::from(slopes.source == SlopeSource::Differences);
                slopes
            } else {
                ContactSlopes {
                    point: nalgebra::Matrix3x6::zeros(),
                    normal: nalgebra::Matrix3x6::zeros(),
                    gap: Vector6::zeros(),
                    source: SlopeSource::Features,
                }
            };
            let frame = |k: usize| {
                let collider = &view.geometry.colliders()[k];
                let pose = collider.body.map_or(collider.pose, |b| view.poses[b] * collider.pose);
                (pose.rotation.to_rotation_matrix().into_inner(), pose.translation.vector)
            };
            self.sites.push(SiteOf {
                links: (c.a.0, c.b.0),
                point: c.point,
                normal,
                slopes,
                colliders: c.colliders,
                mixed: Mixed::of(view, c.colliders),
                frames: [frame(c.colliders.0), frame(c.colliders.1)],
                section: if sim.settings.facets == Facets::Box { std::f64::consts::SQRT_2 } else { 1.0 },
            });
        }
        Ok(())
    }
}

/// Slopes per twist about the point of the contact, from those about a point that lies `away` from it.
fn about(slopes: &mut ContactSlopes, away: &Vector3<f64>) {
    for mut matrix in [&mut slopes.point, &mut slopes.normal].map(|m| m.fixed_view_mut::<3, 6>(0, 0)) {
        for mut row in matrix.row_iter_mut() {
            let turn = away.cross(&Vector3::new(row[3], row[4], row[5]));
            (0..3).for_each(|k| row[k] += turn[k]);
        }
    }
    let gap = &mut slopes.gap;
    let turn = away.cross(&Vector3::new(gap[3], gap[4], gap[5]));
    (0..3).for_each(|k| gap[k] += turn[k]);
}

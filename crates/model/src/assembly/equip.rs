//! What a scene carries beside bodies and shapes, under the names it has there: sensors, tendons, actuators, joints by name.

use gudgeon_multibody::{Joint, LinkId};
use gudgeon_sim::{Controller, NamedJoint, Scene, SensorKind, Side};
use gudgeon_spatial::Pose;

use super::{Assembly, renamed};
use crate::place::isometry;

impl Assembly {
    /// Gives the scene that this was added to, under the same prefix and at the same place, its actuators and equipment.
    pub(crate) fn equip(&self, scene: &mut Scene, prefix: &str, at: &Pose) {
        let links: Vec<LinkId> = self
            .equipment_links
            .iter()
            .map(|n| scene.model.find(&renamed(prefix, n)).unwrap_or(LinkId::WORLD))
            .collect();
        let to = |id: LinkId| {
            let x = if self.equipment_links[id.0] == "world" { *at } else { Pose::identity() };
            (links[id.0], x)
        };
        let label = |name: &str| {
            if prefix.is_empty() || name.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
        };
        let mut equipment = self.equipment.clone();
        equipment.remap(&to);
        equipment.rename(&label);
        // sensors of contacts know shapes by their number here
        let collider = |shape: usize| {
            let s = self.shapes.get(shape)?;
            let link = scene.model.find(&renamed(prefix, &s.link)).unwrap_or(LinkId::WORLD);
            let pose = if s.link == "world" { isometry(at) * s.pose } else { s.pose };
            scene.colliders.iter().position(|c| c.link == link && c.name == s.name && c.pose == pose)
        };
        for sensor in &mut equipment.sensors {
            let SensorKind::Contacts(watch) = &mut sensor.kind else { continue };
            for side in &mut watch.sides {
                if let Side::Colliders(list) = side {
                    *list = list.iter().filter_map(|k| collider(*k)).collect();
                }
            }
        }
        let (sites, tendons) = (scene.equipment.sites.len(), scene.equipment.tendons.len());
        let controllers = scene.controllers.len();
        for actuator in &self.actuators {
            let mut own = actuator.clone();
            own.name = label(&own.name);
            own.path.remap(&to);
            own.path.shift(sites, tendons);
            scene.controllers.push(Controller::Actuator(Box::new(own)));
        }
        let find = |link: &str| scene.model.find(&renamed(prefix, link));
        equipment.joints = self
            .joints
            .iter()
            .filter_map(|j| {
                let (name, link) = (label(&j.name), find(&j.link)?);
                Some(NamedJoint { name, link, reference: j.reference })
            })
            .collect();
        // a root that is free though no joint of the file says so comes first
        for (k, link) in self.links.iter().filter(|l| l.joint == Joint::Free).enumerate() {
            if let Some(id) = find(&link.name)
                && !equipment.joints.iter().any(|j| j.link == id)
            {
                let name = label(&link.name);
                equipment.joints.insert(k, NamedJoint { name, link: id, reference: 0.0 });
            }
        }
        scene.equipment.append(equipment, controllers);
        scene.complete_equipment();
    }
}

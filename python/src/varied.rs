//! A scene with the numbers of one copy: see the table in `parameters`.

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Controller, Scene, SceneError};
use gudgeon_spatial::Vector3;

use crate::model::rub;
use crate::parameters::Parameters;

/// The numbers of one copy and one kind, and whether they are all the same.
struct Own<'a> {
    numbers: &'a [f64],
    uniform: bool,
}

impl Own<'_> {
    /// The number of one thing, if it has one that differs from the scene's.
    fn get(&self, k: usize) -> Option<f64> {
        self.numbers.get(k).copied().filter(|x| !x.is_nan())
    }

    fn vector(&self, k: usize) -> Option<Vector3<f64>> {
        let v = self.numbers.get(3 * k..3 * k + 3)?;
        (!v[0].is_nan()).then(|| Vector3::new(v[0], v[1], v[2]))
    }
}

impl Parameters {
    fn own(&self, name: &str, copy: usize, width: usize) -> Option<Own<'_>> {
        let column = self.columns.get(name)?;
        Some(Own { numbers: &column.numbers[copy * width..(copy + 1) * width], uniform: column.uniform })
    }

    /// The scene of one copy.
    pub(crate) fn scene(&self, scene: &Scene, copy: usize) -> Result<Scene, SceneError> {
        let mut own = scene.clone();
        let (links, dofs, drives) = (own.model.n_links(), own.model.n_v(), own.controllers.len());
        if let Some(friction) = self.own("friction", copy, links) {
            match friction.get(0).filter(|_| friction.uniform) {
                Some(mu) => rub(&mut own, mu),
                None => by_link(&mut own, |link, m| {
                    if let Some(mu) = friction.get(link) {
                        m.friction = mu;
                    }
                }),
            }
        }
        if let Some(e) = self.own("restitution", copy, links) {
            if let Some(all) = e.get(0).filter(|_| e.uniform) {
                own.pairs.iter_mut().for_each(|p| p.2.restitution = all);
            }
            by_link(&mut own, |link, m| {
                if let Some(e) = e.get(link) {
                    m.restitution = e;
                }
            });
        }
        self.weigh(&mut own, copy, links);
        if let Some(size) = self.own("size", copy, links) {
            grow(&mut own, |link| size.get(link).unwrap_or(1.0))?;
        }
        if let Some(g) = self.own("gravity", copy, 3).and_then(|g| g.vector(0)) {
            own.model = own.model.clone().with_gravity(g);
        }
        if let Some(dt) = self.own("dt", copy, 1).and_then(|dt| dt.get(0)) {
            own.settings.dt = dt;
        }
        for k in 0..dofs {
            let of = |name| self.own(name, copy, dofs).and_then(|own| own.get(k));
            let dof = own.model.dof_mut(k);
            dof.armature = of("armature").unwrap_or(dof.armature);
            dof.damping = of("joint_damping").unwrap_or(dof.damping);
            dof.friction = of("joint_friction").unwrap_or(dof.friction);
        }
        for (k, controller) in own.controllers.iter_mut().enumerate() {
            let of = |name| self.own(name, copy, drives).and_then(|own| own.get(k)).unwrap_or(1.0);
            drive(controller, [of("stiffness"), of("damping"), of("effort")]);
        }
        Ok(own)
    }

    fn weigh(&self, own: &mut Scene, copy: usize, links: usize) {
        let of = |name, link| self.own(name, copy, links).and_then(|own| own.get(link)).unwrap_or(1.0);
        let com = self.own("com", copy, 3 * links);
        for link in 1..links {
            let inertia = own.model.inertia_mut(LinkId(link));
            let mass = of("mass", link);
            inertia.mass *= mass;
            inertia.about_com = inertia.about_com * (mass * of("inertia", link));
            if let Some(by) = com.as_ref().and_then(|com| com.vector(link)) {
                inertia.com += by;
            }
        }
    }
}

/// Gives every shape that touches a surface of its own, changed as its link says.
fn by_link(scene: &mut Scene, change: impl Fn(usize, &mut gudgeon_sim::Material)) {
    let first = scene.materials.len();
    let grips = !scene.grips.is_empty();
    for (k, placed) in scene.colliders.iter_mut().enumerate() {
        let mut own = scene.materials[placed.material];
        change(placed.link.0, &mut own);
        if grips {
            let grip = scene.grips.get(placed.material).copied().unwrap_or_default();
            scene.grips.resize(first + k + 1, gudgeon_sim::Grip::default());
            scene.grips[first + k] = grip;
        }
        scene.materials.push(own);
        placed.material = first + k;
    }
}

/// Shapes and where they are, the centre of mass and the inertia, about the origin of the link. Joints stay.
fn grow(scene: &mut Scene, factor: impl Fn(usize) -> f64) -> Result<(), SceneError> {
    for placed in scene.colliders.iter_mut().chain(&mut scene.visuals) {
        let f = factor(placed.link.0);
        if placed.link != LinkId::WORLD && f != 1.0 {
            let body = || scene.model.link(placed.link).name.clone();
            let shape = placed.shape.scaled(f);
            placed.shape = shape.map_err(|reason| SceneError::Shape { body: body(), reason })?;
            placed.pose.translation.vector *= f;
        }
    }
    for link in 1..scene.model.n_links() {
        let (f, inertia) = (factor(link), scene.model.inertia_mut(LinkId(link)));
        inertia.com *= f;
        inertia.about_com = inertia.about_com * (f * f);
    }
    Ok(())
}

fn drive(controller: &mut Controller, [gain, damper, most]: [f64; 3]) {
    match controller {
        Controller::Pd { stiffness, damping, effort, .. } => {
            *stiffness *= gain;
            *damping *= damper;
            *effort = bounded(*effort, most);
        }
        Controller::ComputedTorque { stiffness, damping, .. } => {
            *stiffness *= gain;
            *damping *= damper;
        }
        Controller::Motor { effort, .. } => *effort = bounded(*effort, most),
        Controller::Actuator(actuator) => {
            if let Some(range) = &mut actuator.force_range {
                *range = range.map(|f| f * most);
            }
        }
        Controller::Force { .. } | Controller::HighGain { .. } => {}
    }
}

/// What has no bound gets none.
fn bounded(effort: f64, factor: f64) -> f64 {
    if effort.is_finite() { effort * factor } else { effort }
}

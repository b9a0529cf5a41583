//! Two roads to the contact matrix: whitened rows, as the step has them, and inverse articulated-body inertias
//! [Yamane (13)].

use gudgeon_contact::tangents;
use gudgeon_lcp::FactoredForm;
use gudgeon_multibody::{
    Ada, Elimination, LinkId, Load, Order, Workspace, implicit_passive, kinematics, velocities,
};
use gudgeon_sim::{ContactInfo, Integrator, Simulator};
use gudgeon_spatial::Force;

use crate::scene;

/// Row i times row j of the step's own problem.
fn product(form: &FactoredForm, i: usize, j: usize) -> f64 {
    let (a, b) = (form.row(i), form.row(j));
    let mut sum = 0.0;
    for (k, x) in a.index.iter().zip(a.value) {
        if let Ok(at) = b.index.binary_search(k) {
            sum += x * b.value[at];
        }
    }
    sum
}

/// The rows of a contact as forces on two handles; the world takes no part.
fn rows_of(c: &ContactInfo, handles: &[LinkId], ws: &Workspace) -> [[(usize, Force); 2]; 3] {
    let [t1, t2] = tangents(&c.normal);
    let on = |link: LinkId, direction| {
        let Some(handle) = handles.iter().position(|h| *h == link) else { return (0, Force::zero()) };
        let arm = c.point - ws.pose(link).translation;
        (handle, Force::new(arm.cross(&direction), direction))
    };
    [c.normal, t1, t2].map(|d| [on(c.a, d), on(c.b, -d)])
}

#[test]
fn inverse_articulated_inertias_give_the_matrix_of_the_step() {
    for (name, steps) in [
        ("stack", 3),
        ("wall", 2),
        ("push", 3),
        ("nlegs", 3),
        ("ragdoll", 450),
        ("hoist", 3),
        ("strandbeest", 5),
        ("dominoes", 2),
        ("peg", 3),
    ] {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        sim.settings.integrator = Integrator::Euler;
        for _ in 0..steps {
            let _ = sim.step().unwrap();
        }
        let before = sim.state().clone();
        let _ = sim.step().unwrap();
        let form = sim.last_problem().and_then(|p| p.as_factored()).unwrap();
        let contacts = &sim.contacts()[..sim.contacts().len().min(24)];
        let mut handles: Vec<LinkId> = contacts.iter().flat_map(|c| [c.a, c.b]).collect();
        handles.sort_unstable();
        handles.dedup();
        handles.retain(|h| *h != LinkId::WORLD);

        let model = sim.model();
        let mut ws = Workspace::new(model);
        kinematics(model, &before.q, &mut ws);
        velocities(model, &before.v, &mut ws);
        let (mut tau, mut diagonal) = (vec![0.0; model.n_v()], vec![0.0; model.n_v()]);
        implicit_passive(model, &before, sim.settings.dt, &mut tau, &mut diagonal);
        let rows: Vec<_> = contacts.iter().flat_map(|c| rows_of(c, &handles, &ws)).collect();
        let mut ada = Ada::new(model, &handles, Order::Balanced, Elimination::Constraint).unwrap();
        ada.assemble(model, &Load { tau: &tau, diagonal: &diagonal, ..Load::default() }, &mut ws);
        let mut w = Vec::new();
        ada.iabi().delassus(&rows, &mut w);

        let (m, mut worst) = (rows.len(), 0.0_f64);
        let largest = (0..m).fold(0.0_f64, |d, i| d.max(w[i * m + i]));
        for i in 0..m {
            for j in 0..m {
                worst = worst.max((w[i * m + j] - product(form, i, j)).abs() / largest);
            }
        }
        println!("{name}: {} contacts of {} handles, off by {worst:.1e}", contacts.len(), handles.len());
        assert!(m > 0, "{name} has no contact");
        assert!(worst < 1e-10, "{name}: {worst:e}");
    }
}

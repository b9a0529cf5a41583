//! Forces at the start of a step, and the velocity at its end if nothing touched.

use gudgeon_multibody::{
    FreeVelocity, Load, Loops, MassMatrix, Model, Prescribed, Scheme, State, StepLoad, forward_dynamics,
    implicit_passive, kinematics,
};
use gudgeon_spatial::Force;

use super::Simulator;
use super::memory::Velocities;
use super::press::Ways;
use crate::report::StepError;
use crate::settings::Integrator;

impl Simulator {
    /// What controllers and pushes ask for, from the state at the start of the step.
    pub(super) fn force(&mut self, dt: f64) {
        // the step before left them there, unless somebody put the bodies elsewhere; bits, not numbers: NaN is not NaN
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits());
        if !(self.stood.still
            && same(&self.stood.at.q, &self.state.q)
            && same(&self.stood.at.v, &self.state.v))
        {
            self.stand();
        }
        self.stood.still = false;
        self.weighed = false;
        let own = StepLoad { tau: &self.control, external: &self.external, dt };
        self.drive.update(&self.model, &self.state, self.time, &own, &mut self.ws);
        self.watch();
        self.forces.tau.copy_from_slice(&self.drive.tau);

        // a spring that its effort does not bound joins the passive ones; the others become rows
        let (passive, state, tau) = (&mut self.passive, &self.state, &mut self.forces.tau);
        let model = &self.model;
        for spring in self.drive.springs.iter().chain(&self.drive.held) {
            *passive.dof_mut(spring.dof) = model.dofs()[spring.dof];
        }
        let held = &mut self.drive.held;
        held.clear();
        self.drive.springs.retain(|s| {
            let v = state.v[s.dof];
            let force = -s.stiffness * (s.stretch + dt * v) - s.damping * (v - s.velocity);
            // half: the force changes over the step
            if !(force >= 0.5 * s.lo && force <= 0.5 * s.hi) || s.lo > 0.0 || s.hi < 0.0 {
                return true;
            }
            let coordinate = model.dof_coordinate(s.dof).expect("motions drive plain coordinates");
            let target = state.q[coordinate] - s.stretch;
            let dof = passive.dof_mut(s.dof);
            let both = dof.stiffness + s.stiffness;
            if both > 0.0 {
                dof.rest = (dof.stiffness * dof.rest + s.stiffness * target) / both;
            }
            dof.stiffness = both;
            dof.damping += s.damping;
            tau[s.dof] += s.damping * s.velocity;
            held.push(*s);
            false
        });
    }

    /// The velocity at the end of the step if nothing touched, and the kinematics where contacts act.
    pub(super) fn fly(&mut self, dt: f64) -> Result<(), StepError> {
        self.pushed.drifts.fill(false);
        match (self.settings.integrator, self.drive.prescribed.is_some()) {
            (Integrator::Carried, false) => self.fly_carried(dt),
            (Integrator::Rk4, false) => self.fly_rk4(dt),
            (Integrator::Rk4, true) => self.fly_rk4_driven(dt),
            (_, true) => self.fly_driven(dt),
            (Integrator::Euler, false) => self.fly_euler(dt),
        }
        if self.has_loops()
            && self.drive.prescribed.is_none()
            && self.settings.integrator != Integrator::Carried
        {
            self.inertia();
            self.tame(dt);
        }
        self.check("velocity", false)
    }

    /// Momentum carried along; leaves the inertia at the end of the step.
    fn fly_carried(&mut self, dt: f64) {
        let Self { passive, state, stepper, drive, .. } = self;
        // as the step before left it, or a snapshot kept it
        self.forces.expected.resize(passive.n_links(), Force::zero());
        stepper.expect(&self.forces.expected, &self.forces.rows);
        let load = StepLoad { tau: &self.forces.tau, external: &drive.external, dt };
        let free = stepper.free_velocity(passive, state, &load, Scheme::Carried, Loops::Held);
        self.v.free.copy_from_slice(free.v);
        self.ahead.q.copy_from_slice(free.q);
        kinematics(passive, free.q, &mut self.ws);
        FreeVelocity { ws: &self.ws, ..free }.mass_matrix(passive, &mut self.mass);
        self.weighed = true;
    }

    /// By Runge and Kutta; leaves in `ahead` where that leads.
    fn fly_rk4(&mut self, dt: f64) {
        let Self { passive, state, stepper, drive, .. } = self;
        self.ahead.q.copy_from_slice(&state.q);
        self.ahead.v.copy_from_slice(&state.v);
        stepper.step(passive, &mut self.ahead, &self.forces.tau, &drive.external, dt, Scheme::Rk4);
        self.v.free.copy_from_slice(&self.ahead.v);
        self.forces.diagonal.iter_mut().zip(passive.dofs()).for_each(|(d, dof)| *d = dof.armature);
    }

    /// The same with joints that follow their motions at every stage.
    fn fly_rk4_driven(&mut self, dt: f64) {
        let Self { passive, state, stepper, drive, .. } = self;
        self.ahead.q.copy_from_slice(&state.q);
        self.ahead.v.copy_from_slice(&state.v);
        let mut prescribed = drive.prescribed.take().expect("matched");
        let time = self.time;
        let motion = |s: f64, state: &mut State, p: &mut Prescribed| {
            drive.prescribe(state, p, time + s);
        };
        let load = StepLoad { tau: &self.forces.tau, external: &drive.external, dt };
        stepper.step_driven(passive, &mut self.ahead, &load, Scheme::Rk4, &mut prescribed, motion);
        self.drive.prescribed = Some(prescribed);
        self.v.free.copy_from_slice(&self.ahead.v);
        self.forces.diagonal.iter_mut().zip(self.passive.dofs()).for_each(|(d, dof)| *d = dof.armature);
    }

    /// By Euler, with joints that follow their motions.
    fn fly_driven(&mut self, dt: f64) {
        let Self { passive, state, drive, .. } = self;
        implicit_passive(passive, state, dt, &mut self.forces.tau, &mut self.forces.diagonal);
        let load = Load {
            tau: &self.forces.tau,
            external: &drive.external,
            diagonal: &self.forces.diagonal,
            prescribed: drive.prescribed.as_ref(),
            ..Load::default()
        };
        if passive.loops().is_empty() && passive.couplings().is_empty() {
            forward_dynamics(passive, state, &load, &mut self.stepper.ws);
        } else {
            self.settling.forward_dynamics(passive, state, &load, &mut self.stepper.ws);
        }
        for (k, a) in self.stepper.ws.qdd().iter().enumerate() {
            self.v.free[k] = state.v[k] + dt * a;
        }
    }

    /// By the midpoint where nothing is in the way, by Euler where something is.
    fn fly_euler(&mut self, dt: f64) {
        let Self { passive, state, stepper, drive, .. } = self;
        let mut ways = Ways {
            model: &self.model,
            state,
            drive,
            contacts: &self.contacts,
            groups: &self.layout.groups,
            tree: &self.layout.tree,
            limits: &mut self.limits,
            flown: &mut self.flown,
            ws: &self.ws,
        };
        let press = |v: &[f64], pushed: &mut [bool]| ways.blocked(v, dt, pushed);
        let load = StepLoad { tau: &self.forces.tau, external: &drive.external, dt };
        let free = stepper.flight(passive, state, &load, &self.layout.tree, press);
        self.tape.keep_pushed(self.layout.tree.iter().map(|&group| free.pushed[group]));
        self.pushed.drifts.copy_from_slice(free.carried);
        self.v.free.copy_from_slice(free.v);
        self.forces.diagonal.copy_from_slice(free.diagonal);
    }

    /// Near a dead point the accelerations that keep loops closed grow without bound. Held loops do no work, so a free
    /// velocity with much more energy than the open tree's has stepped over the mechanism: the open one is taken, and the
    /// loops are put on it as an impulse, which takes energy away.
    fn tame(&mut self, dt: f64) {
        let Self { passive, state, stepper, drive, mass, v: Velocities { next: v_next, .. }, .. } = self;
        let held = kinetic(mass, passive, &self.v.free, v_next);
        if held <= 2.0 * kinetic(mass, passive, &state.v, v_next) {
            return;
        }
        let scheme = Scheme::Midpoint { iterations: 2 };
        let load = StepLoad { tau: &self.forces.tau, external: &drive.external, dt };
        let open = stepper.free_velocity(passive, state, &load, scheme, Loops::Open);
        if held.is_nan() || held > 2.0 * kinetic(mass, passive, open.v, v_next) {
            self.v.free.copy_from_slice(open.v);
            self.tape.tamed = true;
        }
    }

    /// M̃ at the start of the step, where `ws` stands.
    fn inertia(&mut self) {
        let free = FreeVelocity {
            v: &self.v.free,
            q: &self.state.q,
            diagonal: &self.forces.diagonal,
            added: &[],
            ws: &self.ws,
        };
        free.mass_matrix(&self.passive, &mut self.mass);
        self.weighed = true;
    }
}

/// ½ vᵀ M v; `scratch` is n_v.
fn kinetic(mass: &MassMatrix, model: &Model, v: &[f64], scratch: &mut [f64]) -> f64 {
    mass.multiply(model, v, scratch);
    0.5 * v.iter().zip(scratch.iter()).map(|(v, p)| v * p).sum::<f64>()
}

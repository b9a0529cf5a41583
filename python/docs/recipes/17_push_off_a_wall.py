"""Model-predictive control with contact: a pole that falls towards a wall is brought back up by a cart, plan after plan."""

import numpy as np

import gudgeon
from gudgeon import grad

mjcf = """<mujoco><option timestep="0.01"/><worldbody>
  <geom type="box" pos="0.30 0 0.5" size="0.05 0.5 0.7"/>
  <body name="cart"><joint name="slide" type="slide" axis="1 0 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    <body name="pole"><joint name="hinge" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0.1 0 0 0.6" size="0.02" mass="0.3"/></body></body>
</worldbody></mujoco>"""
model = gudgeon.Model.from_text(mjcf, "xml")
sim = gudgeon.Simulation(model)
sim.q, sim.v = [0.0, 0.15], [0.0, 1.2]  # it falls to the right, where the wall is
horizon, plan = 40, np.zeros(40)
weight_q, weight_v, weight_u = np.array([0.3, 4.0]), np.array([0.05, 0.1]), 2e-4


def cost(q, v, forces):
    u = np.zeros((horizon, model.nv))
    u[:, 0] = forces
    run = grad.rollout(model, q, v, u)
    value = (weight_q * run.q**2).sum() + (weight_v * run.v**2).sum() + weight_u * (forces**2).sum()
    return value, run


touched = False
for _ in range(120):
    q, v = np.array(sim.q), np.array(sim.v)
    value, run = cost(q, v, plan)
    rate = 8.0
    for _ in range(6):  # descent with halved steps
        slope = run.vjp(2 * weight_q * run.q, 2 * weight_v * run.v).controls[:, 0] + 2 * weight_u * plan
        for _ in range(8):
            trial = np.clip(plan - rate * slope, -30.0, 30.0)
            better, other = cost(q, v, trial)
            if better < value:
                plan, value, run, rate = trial, better, other, 2 * rate
                break
            rate /= 2
        else:
            break
    sim.control[0] = plan[0]
    sim.step()
    touched = touched or len(sim.contacts) > 0
    plan = np.append(plan[1:], 0.0)
print(f"after {sim.time:.1f} s: {np.round(sim.q, 4)}, {np.round(sim.v, 4)}; it {'touched' if touched else 'did not touch'} the wall")
assert abs(sim.q[1]) < 0.1 and np.abs(sim.v).max() < 0.5

"""Trajectory optimisation of a hop: leg forces, one a step, that take a body to a given height in flight."""

import numpy as np

import gudgeon
from gudgeon import grad

mjcf = """<mujoco><option timestep="0.005"/><worldbody>
  <geom type="plane" size="5 5 0.1"/>
  <body name="trunk" pos="0 0 0.55"><joint name="rise" type="slide" axis="0 0 1"/>
    <inertial pos="0 0 0" mass="2" diaginertia="0.02 0.02 0.02"/>
    <body name="foot" pos="0 0 -0.5"><joint name="leg" type="slide" axis="0 0 -1" range="-0.2 0.2" limited="true"/>
      <inertial pos="0 0 0" mass="0.3" diaginertia="0.001 0.001 0.001"/>
      <geom type="sphere" size="0.05" mass="0"/></body></body>
</worldbody></mujoco>"""
model = gudgeon.Model.from_text(mjcf, "xml")
sim = gudgeon.Simulation(model)
push, flight, mark = 14, 20, 0.3  # steps, steps, m above the stand
leg = 1
u = np.zeros((push + flight, model.nv))
u[:push, leg] = 2.3 * 9.81  # enough to stand, not to rise
start = np.array(sim.q)
for k in range(60):
    run = grad.rollout(model, start, np.zeros(model.nv), u)
    miss = run.q[-1, 0] - start[0] - mark
    if abs(miss) < 1e-5:
        break
    worth = np.zeros_like(run.q)
    worth[-1, 0] = 1.0
    slope = run.vjp(worth, None).controls[:push, leg]
    # the least change of all forces that would do, at most 5 N in any of them: Gauss and Newton
    step = miss * slope / (slope @ slope)
    u[:push, leg] -= step * min(1.0, 5.0 / np.abs(step).max())
print(f"off by {miss:.1e} m after {k} corrections; forces {u[:push, leg].min():.1f} to {u[:push, leg].max():.1f} N")
assert abs(miss) < 1e-5
assert run.q[-1, 0] - run.q[-1, leg] > 0.01  # the foot is in the air

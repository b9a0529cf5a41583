"""The least force that holds a block between two fingers, found by gradient: while it slips, slip falls with the force."""

import numpy as np

import gudgeon
from gudgeon import grad

mjcf = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="block" pos="0 0 1"><joint name="fall" type="slide" axis="0 0 1"/>
    <geom type="box" size="0.05 0.05 0.05" mass="0.8" friction="0.6"/></body>
  <body name="left" pos="-0.07 0 1"><joint name="left" type="slide" axis="1 0 0"/>
    <geom type="sphere" size="0.02" mass="0.2" friction="0.6"/></body>
  <body name="right" pos="0.07 0 1"><joint name="right" type="slide" axis="-1 0 0"/>
    <geom type="sphere" size="0.02" mass="0.2" friction="0.6"/></body>
</worldbody></mujoco>"""
model = gudgeon.Model.from_text(mjcf, "xml")
sim = gudgeon.Simulation(model)
steps, force = 50, 3.0  # N: too little
for k in range(20):
    u = np.zeros((steps, model.nv))
    u[:, 1:] = force
    run = grad.rollout(model, sim.q, np.zeros(model.nv), u)
    slip = -run.v[-1, 0]
    if slip < 1e-7:
        break
    worth = np.zeros_like(run.v)
    worth[-1, 0] = -1.0
    slope = run.vjp(None, worth).controls[:, 1:].sum()
    force -= slip / slope  # Newton
print(f"{force:.6f} N hold it after {k} corrections; it slips by {slip:.1e} m/s")
# two fingers, each with mu times its force: 2 mu f = m g
assert abs(force - 0.8 * 9.81 / (2 * 0.6)) < 1e-4

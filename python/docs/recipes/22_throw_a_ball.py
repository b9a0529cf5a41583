"""Trajectory optimisation of a throw: hand forces, one pair a step, that send a ball through the air to a mark."""

import numpy as np

import gudgeon
from gudgeon import grad

# the hand, a floor and a back, slides along x and z against dampers; the ball lies in it and is not held
mjcf = """<mujoco><option timestep="0.005"/><worldbody>
  <body name="hand" pos="0 0 1">
    <joint name="hand x" type="slide" axis="1 0 0" damping="20"/><joint name="hand z" type="slide" axis="0 0 1" damping="20"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    <geom type="box" pos="0 0 -0.06" size="0.1 0.1 0.01" mass="0" friction="0.3"/>
    <geom type="box" pos="-0.09 0 0.02" size="0.01 0.1 0.07" mass="0" friction="0.3"/></body>
  <body name="ball" pos="-0.03 0 1">
    <joint name="ball x" type="slide" axis="1 0 0"/><joint name="ball z" type="slide" axis="0 0 1"/>
    <geom type="sphere" size="0.05" mass="0.2" friction="0.3"/></body>
</worldbody></mujoco>"""
model = gudgeon.Model.from_text(mjcf, "xml")
sim = gudgeon.Simulation(model)
# where the ball is to be after 0.7 s, from where it lies, m; the hand pushes for 0.2 s and is braked by its dampers
mark, push, steps = np.array([1.0, 0.2]), 40, 140
u = np.zeros((steps, model.nv))
u[:, 1] = 1.2 * 9.81
u[:push, :2] += [8.0, 25.0]  # a first throw: up, and the ball never leaves the hand
for k in range(20):
    run = grad.rollout(model, sim.q, sim.v, u)
    off = mark - run.q[-1, 2:4]
    print(f"{k}: the ball ends at {run.q[-1, 2]:.4f}, {run.q[-1, 3]:.4f} m")
    if np.linalg.norm(off) < 1e-6:
        break
    # how its end follows every force: a row for x, one for z
    ends = np.zeros((2, *run.v.shape))
    ends[[0, 1], -1, [2, 3]] = 1.0
    rows = np.array([run.vjp(end, None).controls[:push, :2].ravel() for end in ends])
    # the least change of the forces that does it by the derivative, for 0.3 m at a time
    least = rows.T @ np.linalg.solve(rows @ rows.T, off * min(1.0, 0.3 / np.linalg.norm(off)))
    u[:push, :2] += least.reshape(push, 2)

assert np.linalg.norm(off) < 1e-6
apart = np.linalg.norm(run.q[-1, 2:4] - run.q[-1, :2])
print(f"the hand is {apart:.2f} m away from it")
assert apart > 0.3, "it flies"

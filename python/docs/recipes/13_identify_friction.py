"""Friction from measured slides, by gradient descent; the measurements here are made with a known answer."""

import numpy as np

import gudgeon
from gudgeon import grad

model = gudgeon.Model.builtin("slope", limit=0.0).replace(dt=0.005)
sim = gudgeon.Simulation(model)
speeds = np.array([0.8, 1.1, 1.5, 1.9])
q, v = np.tile(sim.q, (4, 1)), np.tile(sim.v, (4, 1))
v[:, 3] = speeds
rng = np.random.default_rng(1)
measured = grad.rollout(model, q, v, steps=40, friction=0.18).q[:, :, 4:7]
measured = measured + 1e-4 * rng.standard_normal(measured.shape)  # a tenth of a millimetre of noise

mu, rate = 0.4, None
for k in range(40):
    run = grad.rollout(model, q, v, steps=40, friction=mu)
    off = run.q[:, :, 4:7] - measured
    worth = np.zeros_like(run.q)
    worth[:, :, 4:7] = 2 * off
    slope = run.vjp(worth, None).friction
    rate = rate or 0.1 / abs(slope)
    mu = max(mu - rate * slope, 0.0)
print(f"mu = {mu:.4f}, error {np.sqrt((off**2).mean()):.1e} m")
assert abs(mu - 0.18) < 0.01

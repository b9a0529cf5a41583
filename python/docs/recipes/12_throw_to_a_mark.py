"""How hard must a box be pushed off so that it slides to a mark and stops there? Found by gradient, through friction."""

import numpy as np

import gudgeon
from gudgeon import grad

model = gudgeon.Model.builtin("slope", limit=0.0, mu=0.4).replace(dt=0.005)
sim = gudgeon.Simulation(model)
mark, steps = 0.5, 200
v = np.array(sim.v)
v[3] = 1.0  # m/s: a first guess, much too slow
for k in range(30):
    run = grad.rollout(model, sim.q, v, steps=steps)
    miss = run.q[-1, 4] - mark
    if abs(miss) < 1e-6:
        break
    worth = np.zeros_like(run.q)
    worth[-1, 4] = 1.0
    slope = run.vjp(worth, None).v[3]
    v[3] -= miss / slope  # Newton
print(f"{v[3]:.4f} m/s after {k} corrections, off by {miss:.1e} m")
assert abs(miss) < 1e-6
# v^2 = 2 mu g s, to what a step of 5 ms leaves
assert abs(v[3] - np.sqrt(2 * 0.4 * 9.81 * mark)) < 0.02

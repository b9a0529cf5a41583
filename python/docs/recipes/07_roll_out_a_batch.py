"""A hundred copies with different friction, on all cores."""

import numpy as np

import gudgeon

model = gudgeon.Model.builtin("slope")
friction = np.linspace(0.0, 1.0, 100)
run = gudgeon.rollout(model, steps=400, parameters={"friction": friction}, progress=True)
moved = np.linalg.norm(run.q[:, -1, 4:7] - model.q0[4:7], axis=1)
holds = friction[moved < 1e-6]
print(f"holds from {holds.min():.2f} on; diverged: {run.diverged.sum()}; states {run.states.shape}")
assert (np.diff(moved) <= 1e-12).all()

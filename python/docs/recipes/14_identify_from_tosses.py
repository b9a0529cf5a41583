"""Friction and restitution of a cube from tosses, by gradient descent from a wrong start; a grid says how good it is.

With GUDGEON_CASES set, the tosses are those measured by motion capture in `tosses/tosses.npz` there (rows of position,
quaternion, velocity, angular velocity, 148 a second). Without it they are made here, with a known answer. The result is
the mean distance of the cube's centre over the first samples of a toss, in per cent of its edge.
"""

import os
from pathlib import Path

import numpy as np

import gudgeon
from gudgeon import grad

RATE, SUBSTEPS, EDGE = 148, 3, 0.1048
measured_file = Path(os.environ.get("GUDGEON_CASES", "")) / "tosses" / "tosses.npz"
real = bool(os.environ.get("GUDGEON_CASES")) and measured_file.exists()
SAMPLES = 60 if real else 30

half = EDGE / 2
model = gudgeon.Model.from_text(
    f"""gravity = [0.0, 0.0, -9.81]
dt = {1 / (RATE * SUBSTEPS)}
friction = 0.4
restitution = 0.5
[[static]]
shape = {{ plane = {{}} }}
[[body]]
name = "cube"
shape = {{ box = [{half}, {half}, {half}] }}
mass = 0.37
inertia = [[0.00081, 0.0, 0.0], [0.0, 0.00081, 0.0], [0.0, 0.0, 0.00081]]
position = [0.0, 0.0, 0.3]
""",
    "toml",
)


def tosses():
    """First states (q, v) and the places that were seen after them, each toss a row."""
    if real:
        data = np.load(measured_file)
        rows, start = data["rows"].astype(float), data["start"]
        long = [k for k in range(len(start) - 1) if start[k + 1] - start[k] > SAMPLES]
        some = [rows[start[k] : start[k] + SAMPLES + 1] for k in long]
        all_rows = np.array(some)
        q = np.concatenate([all_rows[:, 0, 3:7], all_rows[:, 0, :3]], axis=1)
        q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
        v = np.concatenate([all_rows[:, 0, 10:13], all_rows[:, 0, 7:10]], axis=1)
        return q, v, all_rows[:, :, :3]
    rng = np.random.default_rng(4)
    turn = rng.standard_normal((12, 4))
    q = np.concatenate([turn / np.linalg.norm(turn, axis=1, keepdims=True), np.tile([0, 0, 0.13], (12, 1))], axis=1)
    v = np.concatenate([rng.uniform(-3, 3, (12, 3)), rng.uniform(-1, 1, (12, 3))], axis=1)
    seen = grad.rollout(model, q, v, steps=SAMPLES * SUBSTEPS, friction=0.18, restitution=0.125).q
    return q, v, seen[:, ::SUBSTEPS, 4:7] + 1e-4 * rng.standard_normal((12, SAMPLES + 1, 3))


def run(which, mu, e, gradient):
    """The mean distance, and its slopes against friction and restitution."""
    done = grad.rollout(model, q[which], v[which], steps=SAMPLES * SUBSTEPS, friction=mu, restitution=e)
    off = done.q[:, ::SUBSTEPS, 4:7] - seen[which]
    far = np.linalg.norm(off, axis=2)
    error = 100 * far.mean() / EDGE
    if not gradient:
        return error, None
    worth = np.zeros_like(done.q)
    worth[:, ::SUBSTEPS, 4:7] = 100 / EDGE * off / np.maximum(far, 1e-9)[:, :, None] / far.size
    back = done.vjp(worth, None)
    return error, np.array([back.friction, back.restitution])


q, v, seen = tosses()
count = len(q)
train = np.arange(0, count, 12 if real else 2)
held = np.setdiff1d(np.arange(count), train)[:: 6 if real else 1]

x, low, high = np.array([0.4, 0.5]), np.array([0.02, 0.0]), np.array([1.0, 0.9])
mean, square, best = np.zeros(2), np.zeros(2), (np.inf, x)
for k in range(40 if real else 25):
    error, slope = run(train, *x, gradient=True)
    if error < best[0]:
        best = (error, x.copy())
    # Adam, with steps that shrink
    mean, square = 0.8 * mean + 0.2 * slope, 0.95 * square + 0.05 * slope**2
    rate = 0.06 * 0.93**k
    x = np.clip(x - rate * (mean / (1 - 0.8 ** (k + 1))) / np.sqrt(square / (1 - 0.95 ** (k + 1)) + 1e-12), low, high)
error, found = best

grid = [(run(train, mu, e, gradient=False)[0], mu, e) for mu in np.arange(0.10, 0.31, 0.02) for e in np.arange(0.0, 0.31, 0.05)]
least, mu, e = min(grid)
first = run(held, 0.4, 0.5, gradient=False)[0]
ours, theirs = run(held, *found, gradient=False)[0], run(held, mu, e, gradient=False)[0]
print(f"{len(train)} tosses to learn from, {len(held)} held out, {SAMPLES} samples each")
print(f"gradient: mu {found[0]:.3f}, e {found[1]:.3f}, {error:.2f} %; grid: mu {mu:.2f}, e {e:.2f}, {least:.2f} %")
print(f"held out: {first:.2f} % at the start, {ours:.2f} % by gradient, {theirs:.2f} % by grid")
assert error < 1.05 * least and abs(found[0] - mu) < 0.1 * mu + 0.01  # half a step of the grid
assert ours < 1.1 * theirs

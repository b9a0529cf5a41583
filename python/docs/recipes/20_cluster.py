"""A robot from a file with a mesh, thrown in a thousand ways on a Ray cluster, its gripper closed by a policy.

On one machine nothing has to be set up: the first call starts Ray on all cores. On several:

    head$    ray start --head --port=6379
    others$  ray start --address=head:6379        (pip install "gudgeon[ray]" there; no files of yours)
    head$    RAY_ADDRESS=head:6379 python 20_cluster.py 1000

The pickled model carries the mesh, workers need no share of the disk. Run it again and it goes on where it stopped.
`python 20_cluster.py` without a number stays in this process, in small.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

import gudgeon
import gudgeon.ray

SCENE = """
friction = 0.6
[[static]]
shape = { plane = {} }
[[body]]
name = "wedge"
shape = { mesh = { file = "wedge.obj" } }
mass = 0.5
position = [0.0, 0.0, 0.5]
[[body]]
name = "hand"
shape = { box = [0.05, 0.05, 0.05] }
mass = 1.0
position = [0.4, 0.0, 0.05]
"""
WEDGE = """v 0 0 0
v 0.2 0 0
v 0 0.2 0
v 0.2 0.2 0
v 0 0 0.1
v 0 0.2 0.1
f 1 3 4 2
f 1 2 5
f 3 6 4
f 2 4 6 5
f 1 5 6 3
"""


def push_back(t, q, v, touch):
    """Joint forces for all copies of a piece: the hand is pulled to the middle, damped."""
    u = np.zeros(v.shape)
    u[:, 9:11] = -20.0 * q[:, 11:13] - 8.0 * v[:, 9:11]
    return u


def draw(rng):
    """What differs from copy to copy: surfaces, weight, size, gravity, and how the wedge starts."""
    x0 = start.copy()
    x0[6] = rng.uniform(0.15, 0.6)
    x0[14:17] = rng.normal(0.0, 3.0, 3)
    return {
        "friction": rng.uniform(0.2, 1.0),
        "mass": rng.uniform(0.5, 2.0),
        "size": {"wedge": rng.uniform(0.8, 1.2)},
        "gravity": [0.0, 0.0, rng.uniform(-10.0, -9.6)],
        "x0": x0,
    }


home = Path(tempfile.mkdtemp())
(home / "wedge.obj").write_text(WEDGE)
(home / "scene.toml").write_text(SCENE)
model = gudgeon.Model.load(home / "scene.toml")
start = np.concatenate([model.q0, model.v0])

on_cluster = len(sys.argv) > 1 and sys.argv[1].isdigit()
samples = int(sys.argv[1]) if on_cluster else 6
if on_cluster:
    import ray

    ray.init(address=os.environ.get("RAY_ADDRESS"))
out = Path(sys.argv[2]) if on_cluster and len(sys.argv) > 2 else Path(tempfile.mkdtemp()) / "throws"
gudgeon.ray.monte_carlo(
    model, draw, samples, seed=1, out=out, steps=400, piece=3, policy=push_back, cluster=on_cluster,
    progress=lambda done, total: print(f"{done} of {total} pieces"),
)  # fmt: skip
table = gudgeon.ray.read(out)
print(table.select(["friction", "mass", "max_force", "max_penetration", "diverged"]))
assert table.num_rows == samples and not any(table["diverged"].to_pylist())

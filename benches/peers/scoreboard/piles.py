"""Piles: bodies dropped into a bin; what is measured is how deep they stand in each other at 1, 1.5 and 2 s (more than 50: 0.8, 0.9 and 1 s)."""

import numpy as np
from truth import SCENES
from worlds import body, ground, shape, world

SIZE, SPACING, THICK = 0.05, 0.18, 0.05
WHAT = {
    "spheres": lambda k: shape("sphere", SIZE),
    "boxes": lambda k: shape("box", SIZE, 0.8 * SIZE, 0.6 * SIZE),
    "mixed": lambda k: [WHAT["spheres"], WHAT["boxes"], lambda _: shape("capsule", 0.6 * SIZE, 0.5 * SIZE)][k % 3](k),
}


def pile(bodies, kind):
    draw = np.random.default_rng(1)
    side = next(k for k in range(1, 1000) if 4 * k**3 >= bodies)
    wide, tall = 0.5 * SPACING * side + 0.01, SPACING * side
    statics, out = [ground()], wide + THICK
    for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
        half = [wide + 2 * THICK if a == 0 else THICK for a in (x, y)]
        statics.append(shape("box", *half, tall, pos=[out * x, out * y, tall]))
    things = []
    for k in range(bodies):
        cell = np.array([k % side - 0.5 * (side - 1), k // side % side - 0.5 * (side - 1), k // side**2])
        at = SPACING * cell + draw.uniform(-0.015, 0.015, 3) + [0, 0, 0.1]
        turned = draw.normal(size=4)
        things.append(body(f"b{k}", WHAT[kind](k), 1, at, quat=turned / np.linalg.norm(turned)))
    # most have landed after a second, and that is long enough for those who wait
    seconds, at = (1, [0.8, 0.9]) if bodies > 50 else (2, [1.0, 1.5])
    return world(things, seconds, statics, dt=2e-3, at=at, friction=0.5), wide


def overlap(w, states):
    """The deepest overlap, as MuJoCo's collision sees it, m."""
    import mujoco
    import mujoco_engine

    model = mujoco.MjModel.from_xml_string(mujoco_engine.model(w, False))
    data = mujoco.MjData(model)
    data.qpos[:] = np.concatenate([states[b["name"]][:7] for b in w["bodies"]])
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    return max(0.0, -float(np.min(data.contact.dist, initial=0.0)))


def measured(bodies, kind):
    def run(simulate):
        w, wide = pile(bodies, kind)
        worst = 0.0
        for states in simulate(w):
            at = np.array([states[b["name"]][:3] for b in w["bodies"]])
            if not np.all(np.isfinite(at)) or np.abs(at[:, :2]).max() > wide or at[:, 2].min() < 0:
                return 1.0  # out of the bin
            worst = max(worst, overlap(w, states))
        return worst / SIZE

    return run


for count, patience in ((50, 12), (200, 25), (1000, 80)):
    for name in WHAT if count < 1000 else ["mixed"]:
        SCENES[f"pile-{count}-{name}"] = {
            "about": f"{count:,} {'bodies' if name == 'mixed' else name} dropped into a bin: deepest overlap within {2 if count == 50 else 1} s", "unit": "half widths",
            "run": measured(count, name), "patience": patience,
        }

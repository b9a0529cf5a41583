"""What an environment is about, for one copy or a thousand: rows are copies.

A task says where episodes start, what an action does, what is seen, and what it is worth. `Env` runs one copy of it
in a `Simulation`, `VectorEnv` many in a `Batch`; both go through the same functions.
"""

from __future__ import annotations

from importlib.resources import files
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._core import Model

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Point = tuple[float, float, float]


def _scene(name: str) -> Model:
    return Model.from_text(files(__package__).joinpath("scenes", f"{name}.toml").read_text(encoding="utf-8"))


class Task:
    """The part of an environment that is its own."""

    model: Model
    drive: ClassVar[str] = "controllers"
    substeps: ClassVar[int] = 10
    actions: int
    observations: int
    eye: ClassVar[Point | None] = None
    target: ClassVar[Point | None] = None

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Positions and velocities at the start of an episode of one copy."""
        raise NotImplementedError

    def control(self, action: Floats) -> Floats:
        """Actions between -1 and 1 as controls of the model."""
        raise NotImplementedError

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        """What is seen; `touch` is the sum of contact forces on every link, N."""
        raise NotImplementedError

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        """Reward of a step, and whether the episode is over."""
        raise NotImplementedError

    def info(self, q: Floats, v: Floats) -> dict[str, Floats]:
        """Numbers for those who watch."""
        return {}


def _pressed(touch: Floats) -> Floats:
    """Contact forces of any size between 0 and 1: 100 N is a half."""
    return touch / (touch + 100.0)


class HumanoidTask(Task):
    """Stay up and go forward: a doll of 21 hinges, torques on each. Positions without x and y are seen."""

    drive = "joints"
    substeps = 5
    _GEAR: ClassVar[dict[str, float]] = {
        "waist": 60.0, "belly": 80.0, "pelvis": 60.0, "hip": 80.0, "thigh": 120.0, "shank": 100.0,
        "ankle": 40.0, "foot": 30.0, "shoulder": 25.0, "upper": 25.0, "forearm": 20.0,
    }  # fmt: skip

    def __init__(self) -> None:
        self.model = Model.builtin("ragdoll", lean=0).replace(dt=0.003)
        names = self.model.dofs[6:]
        self._gear = np.array([next(g for part, g in self._GEAR.items() if part in name) for name in names])
        self._feet = [self.model.link("left foot"), self.model.link("right foot")]
        self.actions = len(names)
        self.observations = self.model.nq - 2 + self.model.nv + 2

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        q, v = self.model.q0, self.model.v0
        q[4:7] = 0.0, 0.0, 0.93
        q[7:] += rng.uniform(-0.01, 0.01, q.size - 7)
        v[6:] += rng.uniform(-0.01, 0.01, v.size - 6)
        return q, v

    def control(self, action: Floats) -> Floats:
        u = np.zeros((action.shape[0], self.model.nv))
        u[:, 6:] = self._gear * action
        return u

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        return np.concatenate([q[:, :4], q[:, 6:], v, _pressed(touch[:, self._feet])], axis=1)

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        fallen = ~((q[:, 6] > 0.65) & (q[:, 6] < 1.3))
        return 1.25 * v[:, 3] + 5.0 * ~fallen - 0.1 * np.square(action).sum(axis=1), fallen

    def info(self, q: Floats, v: Floats) -> dict[str, Floats]:
        return {"height": q[:, 6].copy(), "forward": v[:, 3].copy()}


class QuadrupedTask(Task):
    """Trot forward: the action moves the targets of twelve springs about the stance."""

    def __init__(self) -> None:
        self.model = _scene("quadruped")
        self._stance = self.model.q0[7:]
        self._feet = [k for k, name in enumerate(self.model.links) if name.endswith("shank")]
        self.actions = 12
        self.observations = self.model.nq - 2 + self.model.nv + 4

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        q, v = self.model.q0, self.model.v0
        q[7:] += rng.uniform(-0.05, 0.05, 12)
        return q, v

    def control(self, action: Floats) -> Floats:
        return self._stance + np.tile([0.3, 0.5, 0.5], 4) * action

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        return np.concatenate([q[:, :4], q[:, 6:], v, _pressed(touch[:, self._feet])], axis=1)

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        # the third row of the rotation matrix, third column: how upright the torso is
        upright = 1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2)
        fallen = (q[:, 6] < 0.12) | (upright < 0.3)
        return v[:, 3] + 0.5 * upright - 0.02 * np.square(action).sum(axis=1), fallen

    def info(self, q: Floats, v: Floats) -> dict[str, Floats]:
        return {"forward": v[:, 3].copy()}


class PegTask(Task):
    """Put a round peg into a square hole with half a millimetre to spare, from a place a few millimetres off."""

    eye = (0.32, -0.42, 0.28)
    target = (0.0, 0.0, 0.02)
    _DEEP = -0.07  # of the z slide: the peg's end is 40 mm in the hole

    def __init__(self) -> None:
        self.model = _scene("peg")
        self._peg = self.model.link("peg")
        self.actions = 3
        self.observations = 5 + 5 + 1

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        q, v = self.model.q0, self.model.v0
        q[:2] = rng.uniform(-0.005, 0.005, 2)
        q[2] = 0.0
        return q, v

    def control(self, action: Floats) -> Floats:
        middle, reach = np.array([0.0, 0.0, -0.03]), np.array([0.01, 0.01, 0.05])
        return middle + reach * action

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        return np.concatenate([q, v, _pressed(touch[:, [self._peg]])], axis=1)

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        inside = q[:, 2] < self._DEEP
        off = np.hypot(q[:, 0], q[:, 1])
        return -10.0 * off - 10.0 * (q[:, 2] - self._DEEP).clip(0.0) + 10.0 * inside, inside

    def info(self, q: Floats, v: Floats) -> dict[str, Floats]:
        return {"depth": (-0.03 - q[:, 2]).clip(0.0)}


class PinchTask(Task):
    """Grip a block and lift it by 200 mm: the action is the height of the lift and the force of the fingers."""

    eye = (0.55, -0.75, 0.35)
    target = (0.0, 0.0, 0.12)
    _HIGH = 0.2

    def __init__(self) -> None:
        self.model = _scene("pinch")
        self._block = self.model.q_range("block")[0]
        self._slow = self.model.v_range("block")[0]
        self._fingers = [self.model.link("left finger"), self.model.link("right finger")]
        self.actions = 2
        self.observations = self.model.nq + self.model.nv + 2

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        q, v = self.model.q0, self.model.v0
        q[self._block + 4] += rng.uniform(-0.008, 0.008)
        q[self._block + 5] += rng.uniform(-0.005, 0.005)
        return q, v

    def control(self, action: Floats) -> Floats:
        lift = 0.125 * (action[:, 0] + 1.0)
        grip = 10.0 * (action[:, 1] + 1.0)
        return np.stack([lift, grip, grip], axis=1)

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        return np.concatenate([q, v, _pressed(touch[:, self._fingers])], axis=1)

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        height = q[:, self._block + 6] - 0.03
        held = (height > self._HIGH) & (np.abs(v[:, self._slow + 5]) < 0.05)
        lost = np.hypot(q[:, self._block + 4], q[:, self._block + 5]) > 0.2
        return 5.0 * height.clip(0.0, self._HIGH) + 10.0 * held - 0.001 * np.square(action).sum(axis=1), held | lost

    def info(self, q: Floats, v: Floats) -> dict[str, Floats]:
        return {"height": q[:, self._block + 6] - 0.03}

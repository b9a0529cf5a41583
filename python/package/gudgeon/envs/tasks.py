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
    weights: ClassVar[dict[str, float]] = {}

    def weigh(self, weights: dict[str, float] | None) -> None:
        """Takes other weights of the reward's terms; a name that is none is refused."""
        unknown = sorted(set(weights or {}) - set(self.weights))
        if unknown:
            raise ValueError(f"weights of {unknown[0]!r}, expected of {sorted(self.weights)}")
        self._weights = {**self.weights, **(weights or {})}

    def start(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Positions and velocities at the start of an episode of one copy."""
        raise NotImplementedError

    def control(self, action: Floats) -> Floats:
        """Actions between -1 and 1 as controls of the model."""
        raise NotImplementedError

    def observe(self, q: Floats, v: Floats, touch: Floats) -> Floats:
        """What is seen; `touch` is the sum of contact forces on every link, N."""
        raise NotImplementedError

    def terms(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        """The terms of the reward, by the names of `weights`, before they are weighed."""
        raise NotImplementedError

    def over(self, q: Floats, v: Floats) -> Flags:
        """Whether the episode is over."""
        raise NotImplementedError

    def weighed(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        """The terms of the reward as they are added up."""
        weights = getattr(self, "_weights", self.weights)
        return {name: weights[name] * term for name, term in self.terms(q, v, touch, action).items()}

    def judge(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> tuple[Floats, Flags]:
        """Reward of a step, and whether the episode is over."""
        reward = np.zeros(q.shape[0])
        for term in self.weighed(q, v, touch, action).values():
            reward += term
        return reward, self.over(q, v)

    def info(self, q: Floats, v: Floats) -> dict[str, NDArray[np.float64] | NDArray[np.bool_]]:
        """Numbers for those who watch; `is_success` where the task can be done."""
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

    weights: ClassVar[dict[str, float]] = {"forward": 1.25, "up": 5.0, "effort": -0.1}

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self.weigh(weights)
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

    def terms(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        up = (~self.over(q, v)).astype(np.float64)
        return {"forward": v[:, 3], "up": up, "effort": np.square(action).sum(axis=1)}

    def over(self, q: Floats, v: Floats) -> Flags:
        return np.asarray(~((q[:, 6] > 0.65) & (q[:, 6] < 1.3)))

    def info(self, q: Floats, v: Floats) -> dict[str, NDArray[np.float64] | NDArray[np.bool_]]:
        return {"height": q[:, 6].copy(), "forward": v[:, 3].copy()}


class QuadrupedTask(Task):
    """Trot forward: the action moves the targets of twelve springs about the stance.

    With a wanted `speed`, m/s, the term `forward` is the speed up to it and falls beyond it.
    """

    weights: ClassVar[dict[str, float]] = {"forward": 1.0, "upright": 0.5, "effort": -0.02}

    def __init__(self, weights: dict[str, float] | None = None, speed: float | None = None) -> None:
        self.weigh(weights)
        self.speed = speed
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

    @staticmethod
    def _upright(q: Floats) -> Floats:
        # the third row of the rotation matrix, third column: how upright the torso is
        return np.asarray(1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2))

    def terms(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        forward = v[:, 3] if self.speed is None else self.speed - np.abs(v[:, 3] - self.speed)
        return {"forward": forward, "upright": self._upright(q), "effort": np.square(action).sum(axis=1)}

    def over(self, q: Floats, v: Floats) -> Flags:
        return np.asarray((q[:, 6] < 0.12) | (self._upright(q) < 0.3))

    def info(self, q: Floats, v: Floats) -> dict[str, NDArray[np.float64] | NDArray[np.bool_]]:
        return {"forward": v[:, 3].copy()}


class PegTask(Task):
    """Put a round peg into a square hole with half a millimetre to spare, from a place a few millimetres off."""

    eye = (0.32, -0.42, 0.28)
    target = (0.0, 0.0, 0.02)
    _DEEP = -0.07  # of the z slide: the peg's end is 40 mm in the hole

    weights: ClassVar[dict[str, float]] = {"off": -10.0, "above": -10.0, "inside": 10.0}

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self.weigh(weights)
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

    def terms(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        above = (q[:, 2] - self._DEEP).clip(0.0)
        inside = self.over(q, v).astype(np.float64)
        return {"off": np.hypot(q[:, 0], q[:, 1]), "above": above, "inside": inside}

    def over(self, q: Floats, v: Floats) -> Flags:
        return np.asarray(q[:, 2] < self._DEEP)

    def info(self, q: Floats, v: Floats) -> dict[str, NDArray[np.float64] | NDArray[np.bool_]]:
        return {"depth": (-0.03 - q[:, 2]).clip(0.0), "is_success": self.over(q, v)}


class PinchTask(Task):
    """Grip a block, lift it by 200 mm and hold it: the action is the height of the lift and the force of the fingers.

    An episode goes on while the block is held, and every step of that is worth more than any step below: who hovers short
    of the mark earns less than who lifts.
    """

    eye = (0.55, -0.75, 0.35)
    target = (0.0, 0.0, 0.12)
    _HIGH = 0.2

    weights: ClassVar[dict[str, float]] = {"height": 5.0, "held": 2.0, "effort": -0.001}

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self.weigh(weights)
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

    def _height(self, q: Floats) -> Floats:
        return np.asarray(q[:, self._block + 6] - 0.03)

    def _held(self, q: Floats, v: Floats) -> Flags:
        return np.asarray((self._height(q) > 0.95 * self._HIGH) & (np.abs(v[:, self._slow + 5]) < 0.05))

    def terms(self, q: Floats, v: Floats, touch: Floats, action: Floats) -> dict[str, Floats]:
        height = self._height(q).clip(0.0, self._HIGH)
        held = self._held(q, v).astype(np.float64)
        return {"height": height, "held": held, "effort": np.square(action).sum(axis=1)}

    def over(self, q: Floats, v: Floats) -> Flags:
        return np.asarray(np.hypot(q[:, self._block + 4], q[:, self._block + 5]) > 0.2)

    def info(self, q: Floats, v: Floats) -> dict[str, NDArray[np.float64] | NDArray[np.bool_]]:
        return {"height": self._height(q), "is_success": self._held(q, v)}

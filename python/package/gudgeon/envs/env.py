"""One copy of a task as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._core import Simulation, StepError
from .chance import Chance, Pushes
from .tasks import Floats, HumanoidTask, PegTask, PinchTask, QuadrupedTask, Task


def action_space(task: Task) -> spaces.Box[Any]:
    """Between -1 and 1."""
    return spaces.Box(-1.0, 1.0, (task.actions,), np.float32)


def observation_space(task: Task) -> spaces.Box[Any]:
    """Anything finite."""
    return spaces.Box(-np.inf, np.inf, (task.observations,), np.float64)


def refuse_unknown(options: dict[str, Any] | None, known: set[str]) -> None:
    """Refuses options of a reset that do not exist: a typing error is no wish."""
    for name in options or {}:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}" + (f", expected one of {sorted(known)}" if known else ""))


def checked_action(action: Any, shape: tuple[int, ...]) -> Floats:
    """Actions between -1 and 1; what has another shape or holds a NaN is refused: a policy that is broken should say so."""
    given = np.asarray(action, dtype=np.float64)
    if given.shape != shape:
        raise ValueError(f"action has shape {given.shape}, expected {shape}")
    if np.isnan(given).any():
        raise ValueError(f"action{np.argwhere(np.isnan(given))[0].tolist()} is NaN, expected a number from -1 to 1")
    return np.clip(given, -1.0, 1.0)


def pushes_of(task: Task, copies: int, pushes: dict[str, Any] | None) -> Pushes | None:
    """The pushes of a task, on a link that exists."""
    if not pushes:
        return None
    made = Pushes(copies, task.substeps * task.model.dt, **pushes)
    task.model.link(made.link)
    return made


def touch_of(sim: Simulation) -> Floats:
    """1 x links: sum of the magnitudes of the contact forces, N."""
    touch = np.zeros((1, len(sim.model.links)))
    contacts = sim.contacts
    size = np.linalg.norm(contacts["force"], axis=1)
    np.add.at(touch[0], contacts["a"].astype(np.intp), size)
    np.add.at(touch[0], contacts["b"].astype(np.intp), size)
    return touch


class Env(gymnasium.Env[Floats, Floats]):
    """A task with one simulation. `render_mode` is "rgb_array" (a small rasteriser) or "html" (the player's page).

    `randomise` and `pushes`: see `gudgeon.envs.chance`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "html"], "render_fps": 50}

    def __init__(
        self,
        task: Task,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 360,
        randomise: dict[str, Any] | None = None,
        pushes: dict[str, Any] | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}, expected one of {self.metadata['render_modes']}")
        self.task = task
        self.sim = Simulation(task.model)
        self.chance = Chance(randomise)
        self.pushes = pushes_of(task, 1, pushes)
        self.action_space: spaces.Space[Any] = action_space(task)
        self.observation_space: spaces.Space[Any] = observation_space(task)
        self.render_mode = render_mode
        fps = round(1.0 / (task.substeps * task.model.dt))
        self.metadata = {**self.metadata, "render_fps": fps}
        self._size = (width, height)
        if render_mode == "html":
            self.sim.record(fps=60.0)

    def _observe(self) -> Floats:
        seen: Floats = self.task.observe(self.sim.q[None], self.sim.v[None], touch_of(self.sim))[0]
        return seen

    def _info(self) -> dict[str, Any]:
        return {key: value[0].item() for key, value in self.task.info(self.sim.q[None], self.sim.v[None]).items()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts an episode. There are no options."""
        refuse_unknown(options, set())
        super().reset(seed=seed)
        q, v = self.task.start(self.np_random)
        drawn = self.chance.draw(self.np_random)
        if drawn:
            self.sim = Simulation(self.task.model.vary(**drawn))
        else:
            self.sim.reset()
        self.sim.q, self.sim.v = q, v
        if self.pushes is not None:
            self.pushes.restart([0])
        if self.render_mode == "html":
            self.sim.record(fps=60.0)
        return self._observe(), self._info()

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """One control, held for the task's substeps. A state that stops being finite ends the episode."""
        action = checked_action(action, (self.task.actions,))[None]
        u = self.task.control(action)[0]
        if self.task.drive == "joints":
            self.sim.control = u
        else:
            self.sim.set_controls(u)
        if self.pushes is not None:
            self.sim.clear_forces()
            self.sim.apply_force(self.pushes.link, self.pushes.step([self.np_random])[0])
        try:
            self.sim.step(self.task.substeps)
        except StepError:
            observation = np.zeros(self.task.observations)
            return observation, 0.0, True, False, {"diverged": True}
        touch = touch_of(self.sim)
        reward, over = self.task.judge(self.sim.q[None], self.sim.v[None], touch, action)
        weighed = self.task.weighed(self.sim.q[None], self.sim.v[None], touch, action)
        info = self._info()
        info.update({f"reward/{name}": float(term[0]) for name, term in weighed.items()})
        return self._observe(), float(reward[0]), bool(over[0]), False, info

    def render(self) -> NDArray[np.uint8] | str | None:
        """A picture, or the page of the episode so far."""
        if self.render_mode == "rgb_array":
            width, height = self._size
            return self.sim.render(width, height, self.task.eye, self.task.target)
        if self.render_mode == "html":
            return self.sim.replay_html()
        return None


class Humanoid(Env):
    """See `HumanoidTask`."""

    def __init__(self, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(HumanoidTask(**task or {}), **options)


class Quadruped(Env):
    """See `QuadrupedTask`."""

    def __init__(self, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(QuadrupedTask(**task or {}), **options)


class PegInHole(Env):
    """See `PegTask`."""

    def __init__(self, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(PegTask(**task or {}), **options)


class PinchAndLift(Env):
    """See `PinchTask`."""

    def __init__(self, task: dict[str, Any] | None = None, **options: Any) -> None:
        super().__init__(PinchTask(**task or {}), **options)
